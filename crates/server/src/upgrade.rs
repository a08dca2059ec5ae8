//! The beginning of a WebSocket. What is written to it goes past the task that reads from it, so the
//! connection itself is wanted, which the extractor of axum does not give.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use crate::connection::Patient;
use crate::problem::Problem;
use crate::wire::{Source, Wire};

/// The reading side of a WebSocket.
pub(crate) type Socket = WebSocketStream<Source>;

/// A request that wants to become a WebSocket.
pub(crate) struct Upgrade {
    key: String,
    begun: OnUpgrade,
}

impl<S: Sync> FromRequestParts<S> for Upgrade {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Upgrade, Problem> {
        let headers = &parts.headers;
        let asks = parts.version == Version::HTTP_11
            && names(headers, &header::CONNECTION, "upgrade")
            && names(headers, &header::UPGRADE, "websocket");
        let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|_| asks);
        let key = key.ok_or_else(|| Problem::invalid("this address is for WebSockets"))?;
        if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
            return Err(Problem::invalid("the version of a WebSocket is 13"));
        }
        let key = derive_accept_key(key.as_bytes());
        let begun = parts.extensions.remove::<OnUpgrade>();
        let begun = begun.ok_or_else(|| Problem::invalid("this connection stays as it is"))?;
        Ok(Upgrade { key, begun })
    }
}

/// Whether a header has a word in its list.
fn names(headers: &HeaderMap, name: &HeaderName, word: &str) -> bool {
    let texts = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).any(|one| one.trim().eq_ignore_ascii_case(word))
}

impl Upgrade {
    /// Says yes, and goes on with both sides of the connection.
    pub(crate) fn accept<F>(
        self,
        config: WebSocketConfig,
        go_on: impl FnOnce(Socket, Arc<Wire>) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send,
    {
        let Upgrade { key, begun } = self;
        tokio::spawn(async move {
            let Ok(upgraded) = begun.await else { return };
            let Some((source, wire, early)) = taken_apart(upgraded) else { return };
            let socket =
                WebSocketStream::from_partially_read(source, early, Role::Server, Some(config));
            go_on(socket.await, wire).await;
        });
        let key = HeaderValue::from_str(&key).expect("a key is letters and digits");
        let headers = [
            (header::CONNECTION, HeaderValue::from_static("upgrade")),
            (header::UPGRADE, HeaderValue::from_static("websocket")),
            (header::SEC_WEBSOCKET_ACCEPT, key),
        ];
        (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
    }
}

/// Both sides of a connection, and what was read of it already.
fn taken_apart(upgraded: Upgraded) -> Option<(Source, Arc<Wire>, Vec<u8>)> {
    let hyper::upgrade::Parts { io, read_buf, .. } =
        upgraded.downcast::<TokioIo<Patient>>().ok()?;
    let (stream, place) = io.into_inner().into_parts();
    let (source, wire) = Wire::new(stream, place);
    Some((source, wire, read_buf.to_vec()))
}
