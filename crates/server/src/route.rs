//! The addresses of the server.

mod analyse;
mod endpoint;
mod file;
mod game;
pub(crate) mod matches;
mod operator;
mod schema;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use crate::asset;
use crate::hall::Hall;
use crate::limit::{self, Crowd, Limiter};
use crate::problem::Problem;
use endpoint::Lasts;

/// The largest body of a request.
const MOST_BYTES: usize = 256 * 1024;

/// Where a proxy says for whom it asks.
const FORWARDED: &str = "x-forwarded-for";

/// How long a request may take.
const LONGEST: Duration = Duration::from_secs(30);

/// What every request has at hand.
#[derive(Clone)]
pub struct App {
    /// The matches.
    pub hall: Arc<Hall>,
    /// How many requests an address may make.
    pub limiter: Arc<Limiter>,
    /// How many matches an address may arrange.
    pub arranging: Arc<Limiter>,
    /// How many connections of an address follow a match, where connections are those of a proxy.
    pub crowd: Option<Arc<Crowd>>,
    /// Whether a reverse proxy says where requests come from.
    pub trust_proxy: bool,
    /// Whether each request is noted.
    pub log: bool,
}

/// Where a request comes from, as one who may arrange only so many matches.
#[derive(Clone, Copy)]
pub(crate) struct Arranger(pub(crate) limit::Source);

/// All addresses.
pub fn router(app: App) -> Router {
    let (mut answers, mut streams) = (Router::new(), Router::new());
    for endpoint in endpoint::endpoints() {
        match endpoint.lasts {
            Lasts::Briefly => answers = answers.route(endpoint.path, endpoint.handler),
            Lasts::Long => streams = streams.route(endpoint.path, endpoint.handler),
        }
    }
    answers
        .fallback(page)
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, LONGEST))
        .layer(CompressionLayer::new().gzip(true))
        .merge(streams)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(app.clone(), guard))
        .with_state(app)
}

/// Pages and scripts.
async fn page(method: Method, uri: Uri) -> Response {
    let found = asset::find(uri.path()).filter(|_| method == Method::GET || method == Method::HEAD);
    found.unwrap_or_else(|| Problem::missing("page").into_response())
}

/// What holds for every request: its rate, what its answer may load, and its line in the log.
async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let address = address(&app, &request);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    // What costs the server more counts for more.
    let weight = match (method.as_str(), path.as_str()) {
        ("POST", "/api/games" | "/api/matches" | "/api/analyse" | "/api/import") => 5.0,
        _ => 1.0,
    };
    app.hall.metrics.requests.fetch_add(1, Ordering::Relaxed);
    let holder = token(request.headers()).map(|token| app.limiter.token(token));
    let source = app.limiter.address(address);
    request.extensions_mut().insert(source);
    request.extensions_mut().insert(Arranger(app.arranging.address(address)));
    let sources = [Some(source), holder].into_iter().flatten();
    let mut response = if app.limiter.admits(sources, weight, begun) {
        next.run(request).await
    } else {
        app.hall.metrics.limited.fetch_add(1, Ordering::Relaxed);
        let detail = limit::DETAIL;
        let mut response = Problem::new(429, "limited", detail).into_response();
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        response
    };
    as_problem(&mut response);
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, asset::POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    if app.log {
        let what = serde_json::json!({
            "method": method.as_str(),
            "path": path,
            "status": response.status().as_u16(),
            "milliseconds": begun.elapsed().as_millis() as u64,
        });
        crate::note::info("request", what);
    }
    response
}

/// Refusals of the layers below are problems like all others.
fn as_problem(response: &mut Response) {
    let status = response.status();
    let is_ours = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/"));
    if (status.is_client_error() || status.is_server_error()) && !is_ours {
        let detail = status.canonical_reason().unwrap_or("the request cannot be done");
        *response = Problem::new(status.as_u16(), "invalid_request", detail).into_response();
    }
}

/// Where a request comes from.
fn address(app: &App, request: &Request) -> IpAddr {
    let forwarded = || {
        // What the proxy itself has seen comes last; what comes before it is what clients say.
        let told = request.headers().get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
        told.rsplit(',').next()?.trim().parse().ok()
    };
    let peer = peer(request);
    if app.trust_proxy { forwarded().unwrap_or(peer) } else { peer }
}

/// Who is connected: a client or a proxy.
fn peer(request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    peer.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(peer)| peer.ip().to_canonical())
}

/// Whether a request comes from an operator: from this machine or a private network, and not
/// through a proxy.
fn is_local(request: &Request) -> bool {
    let near = match peer(request) {
        IpAddr::V4(four) => four.is_loopback() || four.is_private() || four.is_link_local(),
        IpAddr::V6(six) => {
            six.is_loopback() || six.is_unique_local() || six.is_unicast_link_local()
        }
    };
    let passed_on = [FORWARDED, "forwarded", "via", "x-real-ip"];
    near && !passed_on.iter().any(|name| request.headers().contains_key(*name))
}

/// The secret token that a request carries.
pub fn token(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// The hash of the token that a request carries: all that the server knows of it.
pub fn holder(headers: &HeaderMap) -> Option<String> {
    token(headers).map(crate::secret::hash)
}

/// The body of a request as what it should be.
fn body<T: DeserializeOwned>(bytes: &Bytes) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| Problem::invalid(format!("the body: {error}")))
}

/// An answer in JSON.
fn json(value: &Value) -> Response {
    json_text(&value.to_string())
}

/// An answer that is a text of JSON already.
fn json_text(value: &str) -> Response {
    text("application/json", value.to_owned())
}

fn text(kind: &'static str, text: String) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    (headers, text).into_response()
}
