//! The pages of the server, embedded in it.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// What pages may load: nothing but what this server sends, and no script in a page itself.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal, $file:literal, $kind:literal;)*) => {
        const ASSETS: &[Asset] = &[$(
            Asset {
                path: $path,
                kind: $kind,
                bytes: include_bytes!(concat!("../../../web/", $file)),
            },
        )*];
    };
}

assets! {
    "/", "lobby.html", "text/html; charset=utf-8";
    "/play", "play.html", "text/html; charset=utf-8";
    "/library", "library.html", "text/html; charset=utf-8";
    "/analysis", "analysis.html", "text/html; charset=utf-8";
    "/playground", "playground.html", "text/html; charset=utf-8";
    "/matches", "matches.html", "text/html; charset=utf-8";
    "/api", "try.html", "text/html; charset=utf-8";
    "/web/senet.css", "senet.css", "text/css; charset=utf-8";
    "/web/icon.svg", "icon.svg", "image/svg+xml";
    "/web/board.js", "board.js", "text/javascript; charset=utf-8";
    "/web/picture.js", "picture.js", "text/javascript; charset=utf-8";
    "/web/look.js", "look.js", "text/javascript; charset=utf-8";
    "/web/api.js", "api.js", "text/javascript; charset=utf-8";
    "/web/kept.js", "kept.js", "text/javascript; charset=utf-8";
    "/web/page.js", "page.js", "text/javascript; charset=utf-8";
    "/web/lobby.js", "lobby.js", "text/javascript; charset=utf-8";
    "/web/play.js", "play.js", "text/javascript; charset=utf-8";
    "/web/library.js", "library.js", "text/javascript; charset=utf-8";
    "/web/analysis.js", "analysis.js", "text/javascript; charset=utf-8";
    "/web/playground.js", "playground.js", "text/javascript; charset=utf-8";
    "/web/matches.js", "matches.js", "text/javascript; charset=utf-8";
    "/web/try.js", "try.js", "text/javascript; charset=utf-8";
}

/// The page or script at a path.
pub fn find(path: &str) -> Option<Response> {
    // Every match has the same page, which asks for the rest.
    let path = if path.starts_with("/play/") { "/play" } else { path };
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    let headers = [(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "no-cache")];
    Some((headers, asset.bytes).into_response())
}
