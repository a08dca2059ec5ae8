//! Connections of clients: who says nothing or reads nothing for too long is let go.

use std::convert::Infallible;
use std::future::Future;
use std::io::{Error, ErrorKind, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{oneshot, watch};
use tokio::time::Sleep;

use crate::limit::{Crowd, Limiter, Place};

/// How long a client may take to send the head of a request, and how long a connection may lie
/// idle between two requests.
const SILENCE: Duration = Duration::from_secs(30);

/// How long a client may take to read anything of what is sent.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long the server waits where the system has no room for another connection.
const PAUSE: Duration = Duration::from_millis(200);

/// How much of a request is read at once.
const MOST_BUFFERED: usize = 64 * 1024;

/// Who may connect.
pub(crate) struct Door {
    /// What addresses are as sources.
    pub(crate) limiter: Arc<Limiter>,
    /// How many connections each has.
    pub(crate) crowd: Arc<Crowd>,
}

impl Door {
    fn enter(&self, peer: SocketAddr) -> Option<Place> {
        self.crowd.enter(self.limiter.address(peer.ip()))
    }
}

/// Answers whoever connects until it is told to stop; then lets those requests that run come to
/// an end.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    door: Option<Door>,
    mut stop: oneshot::Receiver<()>,
) {
    let (stopping, running) = watch::channel(());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(SILENCE).max_buf_size(MOST_BUFFERED);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = &mut stop => break,
        };
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let place = door.as_ref().map(|door| door.enter(peer));
        // Who has too many connections finds the new one closed.
        if matches!(place, Some(None)) {
            continue;
        }
        // A move is small and should leave at once.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let answer = service_fn(move |request| answer(router.clone(), peer, request));
        let io = TokioIo::new(Patient { stream, late: None, place: place.flatten() });
        let connection = builder.serve_connection(io, answer).with_upgrades();
        let mut stopped = running.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            // What goes wrong with a connection is the client's business.
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = stopped.changed() => connection.as_mut().graceful_shutdown(),
            }
            let _ = connection.await;
        });
    }
    drop((listener, running));
    stopping.send_replace(());
    stopping.closed().await;
}

async fn answer(
    router: Router,
    peer: SocketAddr,
    mut request: Request<Incoming>,
) -> Result<Response, Infallible> {
    request.extensions_mut().insert(ConnectInfo(peer));
    TowerToHyperService::new(router).call(request).await
}

/// A stream whose writing fails where the other side reads nothing for too long.
pub(crate) struct Patient<S = TcpStream> {
    stream: S,
    /// When it is too late; none while the other side reads.
    late: Option<Pin<Box<Sleep>>>,
    /// The place of the connection among those of its address.
    place: Option<Place>,
}

impl<S> Patient<S> {
    /// The stream itself, and its place.
    pub(crate) fn into_parts(self) -> (S, Option<Place>) {
        (self.stream, self.place)
    }

    /// Counts the time while something cannot be written.
    fn wait<T>(
        &mut self,
        cx: &mut Context<'_>,
        done: Poll<Result<T, Error>>,
    ) -> Poll<Result<T, Error>> {
        if done.is_ready() {
            self.late = None;
            return done;
        }
        let late = self.late.get_or_insert_with(|| Box::pin(tokio::time::sleep(PATIENCE)));
        ready!(late.as_mut().poll(cx));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the client reads nothing")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize, Error>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wait(cx, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize, Error>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.wait(cx, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let done = Pin::new(&mut self.stream).poll_flush(cx);
        self.wait(cx, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt;

    #[tokio::test(start_paused = true)]
    async fn who_reads_nothing_is_let_go() {
        let (stream, _unread) = tokio::io::duplex(64);
        let mut patient = Patient { stream, late: None, place: None };
        let begun = tokio::time::Instant::now();
        let error = patient.write_all(&[0; 1_000]).await.expect_err("nobody reads");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), PATIENCE.as_secs());
    }
}
