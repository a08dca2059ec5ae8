//! Matches: the lobby, seats, moves and what else players may do.

use std::time::Instant;

use axum::body::Bytes;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::catalog::definition;
use crate::clock::Control;
use crate::draw;
use crate::hall::{self, Live};
use crate::problem::Problem;
use crate::proposal::Proposal;
use crate::record::{Entry, Header, Offer, Plan};
use crate::route::{App, Arranger, body, holder, json as answer, json_text as answer_text};
use crate::secret;
use crate::sight::Viewer;
use crate::store::Wanted;
use crate::table::{Command, Table};
use crate::view;

/// The longest name of a player, and the longest salt and id, in bytes.
const LONGEST_NAME: usize = 40;
const LONGEST_WORD: usize = 64;

/// The shortest token that a client may choose, in bytes: those of 128 bits in hexadecimal digits.
const SHORTEST_TOKEN: usize = 32;

/// How many matches a page of a list has.
const USUAL_PAGE: u32 = 20;
const LARGEST_PAGE: u32 = 100;

/// The longest text of a move.
const LONGEST_MOVE: usize = 200;

/// A match to be arranged.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arrangement {
    /// A shipped game by its name, or an uploaded one by the hash of its definition.
    game: String,
    /// Who takes each seat, in the order of the players; by default the sender takes the first,
    /// and the others need an invitation.
    seats: Option<Vec<Place>>,
    /// What the sender is called.
    name: Option<String>,
    #[serde(default)]
    clock: Control,
    position: Option<String>,
    #[serde(default)]
    public: bool,
    #[serde(default)]
    salt: String,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// The sender.
    You,
    /// Who has the invitation.
    Invite,
    /// Anybody.
    Anyone,
    /// An opponent of the server.
    Bot(String),
}

/// Which matches are wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Filter {
    status: Option<Over>,
    /// A game by its name or the hash of its definition.
    game: Option<String>,
    /// What the answer before called `next`.
    before: Option<String>,
    /// How many at most.
    most: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Over {
    Over,
}

/// The newest public matches: those that wait and those that go on, or page by page those that are
/// over.
pub(super) async fn list(
    State(app): State<App>,
    Query(filter): Query<Filter>,
) -> Result<Response, Problem> {
    let Filter { status: Some(Over::Over), game, before, most } = filter else {
        if filter.game.is_some() || filter.before.is_some() || filter.most.is_some() {
            let detail = "`game`, `before` and `most` are for matches that are over: status=over";
            return Err(Problem::invalid(detail));
        }
        return Ok(answer(&app.hall.lobby().await?));
    };
    let definition = match game {
        Some(name) => definition(&app.hall.game(&name).await?.game),
        None => String::new(),
    };
    let place = |text: &str| {
        let (at, id) = text.split_once('-')?;
        Some((at.parse().ok()?, id.to_owned()))
    };
    let before = match before.as_deref().map(place) {
        Some(Some(before)) => before,
        Some(None) => return Err(Problem::invalid("`before` is what an answer called `next`")),
        None => (u64::MAX, String::new()),
    };
    let most = most.unwrap_or(USUAL_PAGE).clamp(1, LARGEST_PAGE);
    let found = app.hall.store.finished(&Wanted { definition, before, most }).await?;
    let full = found.len() == most as usize;
    let next = found.last().filter(|_| full).map(|(at, id, _)| format!("{at}-{id}"));
    let summaries = found.iter().map(|(_, _, summary)| serde_json::from_str(summary));
    let matches: Vec<Value> = summaries.filter_map(Result::ok).collect();
    Ok(answer(&json!({ "matches": matches, "next": next })))
}

/// Arranges a match.
pub(super) async fn create(
    State(app): State<App>,
    Extension(Arranger(source)): Extension<Arranger>,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let wanted: Arrangement = body(&bytes)?;
    let shown = app.hall.game(&wanted.game).await?;
    let count = shown.game.players().count();
    let usual = || (0..count).map(|at| if at == 0 { Place::You } else { Place::Invite }).collect();
    let places: Vec<Place> = wanted.seats.unwrap_or_else(usual);
    if places.len() != count {
        let detail = format!("{} has {count} seats, not {}", shown.game.name(), places.len());
        return Err(Problem::invalid(detail));
    }
    let name = named(wanted.name, "Player")?;
    word(&wanted.salt, "salt")?;
    let token = secret::token();
    let (mut seats, mut sitting, mut invitations) = (Vec::new(), Vec::new(), Vec::new());
    let id = secret::name();
    for (seat, place) in places.into_iter().enumerate() {
        seats.push(match place {
            Place::Anyone => Plan::Anyone,
            Place::Bot(bot) => Plan::Bot { bot },
            Place::You => {
                let (name, salt) = (name.clone(), wanted.salt.clone());
                let token = Some(secret::hash(&token));
                sitting.push(Entry::Sit { seat, name, token, salt });
                Plan::Anyone
            }
            Place::Invite => {
                let invitation = secret::token();
                let link = format!("/play/{id}#{invitation}");
                invitations.push(json!({ "seat": seat, "invitation": invitation, "link": link }));
                Plan::Invited { invitation: secret::hash(&invitation) }
            }
        });
    }
    hall::check(&app.hall.engines, &shown.game, wanted.clock, &seats)?;
    if !app.arranging.admits([source], 1.0, Instant::now()) {
        let detail = "too many matches were arranged from your address; wait some minutes";
        return Err(Problem::new(429, "limited", detail));
    }
    let yours: Vec<usize> = sitting.iter().filter_map(seat_of).collect();
    let seed = secret::seed();
    let commitment = draw::commitment(&seed);
    let header = Header {
        id: id.clone(),
        game: shown.game.name().to_owned(),
        definition: definition(&shown.game),
        created: app.hall.now(),
        seats,
        control: wanted.clock,
        seed,
        position: wanted.position,
        public: wanted.public,
    };
    app.hall.create(shown, header, sitting).await?;
    let told = json!({
        "match": id,
        "page": format!("/play/{id}"),
        "token": (!yours.is_empty()).then_some(token),
        "seats": yours,
        "invitations": invitations,
        "commitment": commitment,
    });
    Ok((StatusCode::CREATED, answer(&told)).into_response())
}

fn seat_of(entry: &Entry) -> Option<usize> {
    match entry {
        Entry::Sit { seat, .. } => Some(*seat),
        _ => None,
    }
}

fn named(name: Option<String>, usual: &str) -> Result<String, Problem> {
    let name = name.unwrap_or_default();
    let name = name.trim();
    if name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
        let detail = format!("a name has {LONGEST_NAME} bytes at most and no control characters");
        return Err(Problem::invalid(detail));
    }
    Ok(if name.is_empty() { usual.to_owned() } else { name.to_owned() })
}

fn word(text: &str, what: &str) -> Result<(), Problem> {
    let fits = text.len() <= LONGEST_WORD
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let detail = || format!("{what} has {LONGEST_WORD} letters, digits, `-` and `_` at most");
    if fits { Ok(()) } else { Err(Problem::invalid(detail())) }
}

/// A match as the sender may see it.
pub(super) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let live = app.hall.live(&id).await?;
    let viewer = viewer(&live, holder(&headers).as_deref()).await;
    Ok(answer_text(app.hall.state(&live, &viewer).await.state()))
}

/// Who the holder of a token is.
pub(crate) async fn viewer(live: &Live, holder: Option<&str>) -> Viewer {
    live.table.lock().await.viewer(holder)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Join {
    seat: Option<usize>,
    name: Option<String>,
    invitation: Option<String>,
    #[serde(default)]
    salt: String,
    /// The token with which the sender will play. Who sends one may ask again where the answer was
    /// lost, and gets the same seat.
    token: Option<String>,
}

/// Takes a seat.
pub(super) async fn join(
    State(app): State<App>,
    Path(id): Path<String>,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let Join { seat, name, invitation, salt, token } = body(&bytes)?;
    let name = named(name, "Guest")?;
    word(&salt, "salt")?;
    let token = token.unwrap_or_else(secret::token);
    if token.len() < SHORTEST_TOKEN {
        let detail = format!("a token has {SHORTEST_TOKEN} random letters and digits at least");
        return Err(Problem::invalid(detail));
    }
    word(&token, "token")?;
    let hash = secret::hash(&token);
    let sit = Command::Sit { seat, name, token: hash.clone(), invitation, salt };
    let records = app.hall.act(&id, sit).await?;
    let mut seats: Vec<usize> = records.iter().filter_map(|one| seat_of(&one.entry)).collect();
    if seats.is_empty() {
        seats = app.hall.live(&id).await?.table.lock().await.seats_of(&hash);
    }
    Ok(answer(&json!({ "match": id, "token": token, "seats": seats })))
}

/// A move as it is sent, over HTTP or a socket.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sent {
    /// At which ply it is meant.
    ply: usize,
    /// What the sender calls it; the same id is played once.
    id: Option<String>,
    /// The move in the notation of the game, or `roll`.
    event: Option<String>,
    /// Instead: the numbers of two tiles.
    from: Option<usize>,
    to: Option<usize>,
}

/// Plays a move.
pub(super) async fn play(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let sent: Sent = body(&bytes)?;
    Ok(answer(&play_sent(&app, &id, holder(&headers).as_deref(), sent).await?))
}

/// Plays a move that was sent, and says what became of it.
pub(crate) async fn play_sent(
    app: &App,
    id: &str,
    holder: Option<&str>,
    sent: Sent,
) -> Result<Value, Problem> {
    match play_once(app, id, holder, sent.clone()).await {
        Err(problem) if app.hall.was_behind(id, &problem).await => {
            play_once(app, id, holder, sent).await
        }
        done => done,
    }
}

async fn play_once(
    app: &App,
    id: &str,
    holder: Option<&str>,
    sent: Sent,
) -> Result<Value, Problem> {
    let live = app.hall.live(id).await?;
    let seats = seats(&live, holder).await?;
    if let Some(name) = &sent.id {
        word(name, "id")?;
    }
    let proposal = match (sent.event, sent.from, sent.to) {
        (Some(text), None, None) if text.len() <= LONGEST_MOVE => Proposal::Text(text),
        (None, Some(from), Some(to)) => Proposal::Tiles(from, to),
        _ => {
            let detail = "a move has either `event`, of 200 bytes at most, or `from` and `to`";
            return Err(Problem::invalid(detail));
        }
    };
    let viewer = Viewer::new(seats.clone());
    let table = live.table.lock().await;
    let seat = mover_of(&table, &seats);
    // A ply that is none is stale, whatever it is.
    let ply = table.ply_meant(&viewer, sent.ply).unwrap_or(usize::MAX);
    drop(table);
    let command = Command::Play { seat, ply, id: sent.id, proposal };
    match app.hall.act(id, command).await {
        Ok(_) => {
            let table = live.table.lock().await;
            let one = table.moves.get(ply);
            let seen = one.and_then(|one| Some((one, table.sight(one, &viewer)?)));
            Ok(json!({
                "match": id,
                "ply": sent.ply,
                "move": seen.map(|(one, glimpse)| view::played(&table, one, glimpse)),
            }))
        }
        // Who is behind gets the state, so that the next attempt can be right.
        Err(problem) if problem.status == 409 => {
            let state = app.hall.state(&live, &viewer).await;
            let state = serde_json::from_str::<Value>(state.state()).unwrap_or_default();
            Err(problem.with("state", state))
        }
        Err(problem) => Err(problem),
    }
}

/// Which of one's seats is to play.
fn mover_of(table: &Table, seats: &[usize]) -> usize {
    let mover = table.mover().filter(|mover| seats.contains(mover));
    mover.unwrap_or(seats[0])
}

/// The seats of the holder of a token; at least one.
async fn seats(live: &Live, holder: Option<&str>) -> Result<Vec<usize>, Problem> {
    let Some(holder) = holder else {
        let detail = "send the token of your seat: `Authorization: Bearer TOKEN`";
        return Err(Problem::new(401, "no_token", detail));
    };
    let seats = live.table.lock().await.seats_of(holder);
    match seats.is_empty() {
        true => Err(Problem::forbidden("the token belongs to no seat of this match")),
        false => Ok(seats),
    }
}

/// Something else that a player does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Act {
    action: Action,
    seat: Option<usize>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Resign,
    Draw,
    Undo,
    Rematch,
    Decline,
    Takeback,
    Abandon,
}

/// The names of all actions.
pub(super) const ACTIONS: [&str; 7] =
    ["resign", "draw", "undo", "rematch", "decline", "takeback", "abandon"];

/// Offers, answers, takes back or gives up.
pub(super) async fn action(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    bytes: Bytes,
) -> Result<Response, Problem> {
    let sent: Act = body(&bytes)?;
    Ok(answer(&act_sent(&app, &id, holder(&headers).as_deref(), &sent).await?))
}

/// Does what was sent.
pub(crate) async fn act_sent(
    app: &App,
    id: &str,
    holder: Option<&str>,
    sent: &Act,
) -> Result<Value, Problem> {
    match act_once(app, id, holder, sent).await {
        Err(problem) if app.hall.was_behind(id, &problem).await => {
            act_once(app, id, holder, sent).await
        }
        done => done,
    }
}

async fn act_once(app: &App, id: &str, holder: Option<&str>, sent: &Act) -> Result<Value, Problem> {
    let live = app.hall.live(id).await?;
    let seats = seats(&live, holder).await?;
    let seat = match sent.seat {
        Some(seat) if seats.contains(&seat) => seat,
        Some(_) => return Err(Problem::forbidden("this seat is not yours")),
        None => mover_of(&*live.table.lock().await, &seats),
    };
    let command = match sent.action {
        Action::Resign => Command::Resign { seat },
        Action::Draw => Command::Offer { seat, offer: Offer::Draw },
        Action::Undo => Command::Offer { seat, offer: Offer::Undo },
        Action::Rematch => Command::Offer { seat, offer: Offer::Rematch },
        Action::Decline => Command::Decline { seat },
        Action::Takeback => Command::Takeback { seat },
        Action::Abandon => Command::Abandon { seat },
    };
    app.hall.act(id, command).await?;
    let (table, viewer) = (live.table.lock().await, Viewer::new(seats));
    Ok(json!({ "match": id, "number": table.number_for(&viewer), "next": table.next }))
}
