//! Connections that follow a match: WebSocket for play, lines of JSON for programs, and
//! server-sent events. Who reads slowly misses updates in between, and who does not read at all is
//! dropped; every update says everything that matters.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::hall::{Follower, Hall, Live};
use crate::limit::{self, Place, Source};
use crate::problem::Problem;
use crate::route::{App, holder, matches};
use crate::secret;
use crate::sight::Viewer;
use crate::upgrade::{Socket, Upgrade};
use crate::wire::Frame;

/// The largest message of a client.
const MOST_BYTES: usize = 8 * 1024;

/// How long a client may take to read a message.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a connection without news is checked.
const BEAT: Duration = Duration::from_secs(25);

/// How many such checks may stay without any answer.
const MOST_UNANSWERED: u32 = 2;

/// How long a client may take to say who it is.
const HELLO: Duration = Duration::from_secs(10);

/// Counts a connection for as long as it lasts.
struct Following {
    hall: Arc<Hall>,
    /// The place of the connection among those of its address.
    _place: Option<Place>,
}

impl Following {
    /// Another connection of a source.
    ///
    /// # Errors
    /// Where the source has too many.
    fn new(app: &App, source: Source) -> Result<Following, Problem> {
        let place = match &app.crowd {
            Some(crowd) => {
                let detail = "too many connections from your address; close some of them";
                let place = crowd.enter(source);
                Some(place.ok_or_else(|| Problem::new(429, "limited", detail))?)
            }
            None => None,
        };
        app.hall.metrics.following.fetch_add(1, Ordering::Relaxed);
        Ok(Following { hall: app.hall.clone(), _place: place })
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.hall.metrics.following.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a client says. The first message is `hello`, with the token of a seat or without.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Said {
    Hello { token: Option<String> },
    Play { request: Value, body: matches::Sent },
    Act { request: Value, body: matches::Act },
    Whole,
}

/// Opens a WebSocket.
pub(crate) async fn upgrade(
    State(app): State<App>,
    Path(id): Path<String>,
    Extension(source): Extension<Source>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let live = app.hall.live(&id).await?;
    let following = Following::new(&app, source)?;
    let mut config = WebSocketConfig::default();
    config.read_buffer_size = 2 * 1024;
    config.max_message_size = Some(MOST_BYTES);
    config.max_frame_size = Some(MOST_BYTES);
    Ok(upgrade.accept(config, move |mut socket, wire| async move {
        let _following = following;
        let hello = timeout(HELLO, socket.next()).await;
        let Ok(Some(Ok(Message::Text(first)))) = hello else { return };
        let Ok(Said::Hello { token }) = serde_json::from_str(&first) else {
            let problem = Problem::invalid("the first message is `hello`");
            wire.send(&[problem_text(&Value::Null, &problem).into()]);
            return;
        };
        let bucket = token.as_deref().map(|token| app.limiter.token(token));
        let follower = Follower::new(token.as_deref().map(secret::hash), wire);
        app.hall.follow(&live, &follower).await;
        let session = Session { app, id, live, source, bucket, follower };
        session.run(&mut socket).await;
    }))
}

/// One WebSocket.
struct Session {
    app: App,
    id: String,
    live: Arc<Live>,
    source: Source,
    /// The holder of the token as a source of messages.
    bucket: Option<Source>,
    follower: Arc<Follower>,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.live.leave(&self.follower);
    }
}

impl Session {
    async fn run(&self, socket: &mut Socket) {
        let wire = &self.follower.wire;
        let mut beat = tokio::time::interval(BEAT);
        beat.tick().await;
        let mut unanswered = 0;
        loop {
            // Who reads nothing is not heard.
            if wire.is_stuck() && !matches!(timeout(PATIENCE, wire.drain()).await, Ok(Ok(()))) {
                return;
            }
            if self.follower.is_behind() {
                self.app.hall.catch_up_with(&self.live, &self.follower).await;
                continue;
            }
            tokio::select! {
                () = wire.wanted() => {}
                message = socket.next() => match message.inspect(|_| unanswered = 0) {
                    // On the heap while it lasts, so that a connection without news is small.
                    Some(Ok(Message::Text(text))) => Box::pin(self.hear(&text)).await,
                    Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return,
                    Some(Ok(_)) => {}
                },
                _ = beat.tick() => {
                    if unanswered == MOST_UNANSWERED {
                        return;
                    }
                    unanswered += 1;
                    wire.send(&[Frame::ping()]);
                }
            }
        }
    }

    async fn hear(&self, text: &str) {
        let limiter = &self.app.limiter;
        let sources = [Some(self.source), self.bucket].into_iter().flatten();
        if !limiter.admits(sources, 1.0, Instant::now()) {
            let request = serde_json::from_str::<Value>(text).map(|said| said["request"].clone());
            let problem = Problem::new(429, "limited", limit::DETAIL);
            return self.follower.answer(problem_text(&request.unwrap_or_default(), &problem));
        }
        let said = match serde_json::from_str(text) {
            Ok(said) => said,
            Err(error) => {
                let problem = Problem::invalid(format!("the message: {error}"));
                return self.follower.answer(problem_text(&Value::Null, &problem));
            }
        };
        let holder = self.follower.holder();
        let (request, done) = match said {
            Said::Hello { .. } => return,
            Said::Whole => return self.app.hall.tell_whole(&self.live, &self.follower).await,
            Said::Play { request, body } => {
                self.follower.hold();
                (request, matches::play_sent(&self.app, &self.id, holder, body).await)
            }
            Said::Act { request, body } => {
                self.follower.hold();
                (request, matches::act_sent(&self.app, &self.id, holder, &body).await)
            }
        };
        // The answer and the state that it led to leave together.
        self.follower.answer(match done {
            Ok(answer) => {
                json!({ "type": "answer", "request": request, "answer": answer }).to_string()
            }
            Err(problem) => problem_text(&request, &problem),
        });
    }
}

fn problem_text(request: &Value, problem: &Problem) -> String {
    json!({ "type": "problem", "request": request, "problem": problem.json() }).to_string()
}

/// A connection that only reads.
struct Reader {
    hall: Arc<Hall>,
    live: Arc<Live>,
    holder: Option<String>,
    news: watch::Receiver<u64>,
    /// Who was told last, and up to which number.
    told: Option<(Viewer, u64)>,
    _following: Following,
}

impl Reader {
    async fn open(
        app: &App,
        id: &str,
        source: Source,
        headers: &HeaderMap,
    ) -> Result<Reader, Problem> {
        let live = app.hall.live(id).await?;
        let holder = holder(headers);
        let news = live.follow();
        let (hall, following) = (app.hall.clone(), Following::new(app, source)?);
        Ok(Reader { hall, live, holder, news, told: None, _following: following })
    }

    /// The next state, or nothing where the connection is only to be kept alive.
    async fn next(&mut self) -> Option<Option<String>> {
        if self.told.is_none() {
            let viewer = matches::viewer(&self.live, self.holder.as_deref()).await;
            let update = self.hall.state(&self.live, &viewer).await;
            self.told = Some((viewer, update.number));
            return Some(Some(update.state().to_owned()));
        }
        let beat = tokio::time::Instant::now() + BEAT;
        loop {
            match tokio::time::timeout_at(beat, self.news.changed()).await {
                Ok(Ok(())) => {
                    let viewer = matches::viewer(&self.live, self.holder.as_deref()).await;
                    let update = self.hall.update(&self.live, &viewer).await;
                    let told = Some((viewer, update.number));
                    // Of what the viewer does not see, not even a beat is sent.
                    if self.told != told {
                        self.told = told;
                        return Some(Some(update.state().to_owned()));
                    }
                }
                Ok(Err(_)) => return None,
                Err(_) => return Some(None),
            }
        }
    }

    fn into_response(self, kind: &'static str, frame: fn(Option<String>) -> String) -> Response {
        let lines = stream::unfold(self, move |mut reader| async move {
            let line = frame(reader.next().await?);
            Some((Ok::<_, Infallible>(Bytes::from(line)), reader))
        });
        let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
        (headers, Body::from_stream(lines)).into_response()
    }
}

/// The match as lines of JSON; an empty line says that the server is still there.
pub(crate) async fn lines(
    State(app): State<App>,
    Path(id): Path<String>,
    Extension(source): Extension<Source>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let reader = Reader::open(&app, &id, source, &headers).await?;
    Ok(reader.into_response("application/x-ndjson", |line| line.unwrap_or_default() + "\n"))
}

/// The match as server-sent events.
pub(crate) async fn events(
    State(app): State<App>,
    Path(id): Path<String>,
    Extension(source): Extension<Source>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let reader = Reader::open(&app, &id, source, &headers).await?;
    Ok(reader.into_response("text/event-stream", |line| match line {
        Some(state) => format!("event: state\ndata: {state}\n\n"),
        None => ": still here\n\n".to_owned(),
    }))
}
