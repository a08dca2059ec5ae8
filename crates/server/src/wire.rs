//! The writing side of a WebSocket. Whoever has something for it writes at once what the system takes,
//! without waking the task of the connection, which only sees to what the system did not take.

use std::io::{self, Error, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use axum::body::Bytes;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;

use crate::limit::Place;

/// How many bytes the head of a message has at most.
const HEAD: usize = 10;

/// A message of text with its head, as it goes over the wire. Copies share the bytes.
#[derive(Clone)]
pub(crate) struct Frame {
    bytes: Bytes,
    head: usize,
}

impl Frame {
    /// The message that is written into a buffer, which has room for so many bytes at first.
    pub(crate) fn new(room: usize, write: impl FnOnce(&mut Vec<u8>)) -> Frame {
        let mut bytes = Vec::with_capacity(HEAD + room);
        bytes.extend([0; HEAD]);
        write(&mut bytes);
        let length = bytes.len() - HEAD;
        let (kind, length) = match length {
            0..=125 => (length as u8, Vec::new()),
            126..=0xffff => (126, (length as u16).to_be_bytes().to_vec()),
            _ => (127, (length as u64).to_be_bytes().to_vec()),
        };
        let head = 2 + length.len();
        let from = HEAD - head;
        // The last message of a text, which is this one alone.
        bytes[from..from + 2].copy_from_slice(&[0x81, kind]);
        bytes[from + 2..HEAD].copy_from_slice(&length);
        Frame { bytes: Bytes::from(bytes).slice(from..), head }
    }

    /// A question whether the other side is still there.
    pub(crate) fn ping() -> Frame {
        Frame { bytes: Bytes::from_static(&[0x89, 0]), head: 2 }
    }

    /// What the message says.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.head..]).expect("messages are written as text")
    }
}

impl From<String> for Frame {
    fn from(text: String) -> Frame {
        Frame::new(text.len(), |bytes| bytes.extend(text.as_bytes()))
    }
}

/// The writing side of a connection.
pub(crate) struct Wire {
    stream: OwnedWriteHalf,
    /// What the system did not take yet.
    waiting: Mutex<Vec<u8>>,
    /// Wakes the task of the connection.
    wanted: Notify,
}

impl Wire {
    /// Both sides of a connection.
    pub(crate) fn new(stream: TcpStream, place: Option<Place>) -> (Source, Arc<Wire>) {
        let (read, stream) = stream.into_split();
        let wire = Arc::new(Wire { stream, waiting: Mutex::default(), wanted: Notify::new() });
        (Source { read, wire: wire.clone(), _place: place }, wire)
    }

    /// Writes messages together; what the system does not take now waits for [`Wire::drain`].
    pub(crate) fn send(&self, frames: &[Frame]) {
        match frames {
            [one] => self.write(&[IoSlice::new(&one.bytes)]),
            [one, other] => self.write(&[IoSlice::new(&one.bytes), IoSlice::new(&other.bytes)]),
            _ => frames.chunks(2).for_each(|some| self.send(some)),
        }
    }

    fn write(&self, parts: &[IoSlice<'_>]) {
        let mut waiting = self.waiting.lock().expect("no holder panics");
        let mut taken = 0;
        if waiting.is_empty() {
            taken = match parts {
                [part] => self.stream.try_write(part),
                _ => self.stream.try_write_vectored(parts),
            }
            // A connection that is gone says so to the task that reads from it.
            .unwrap_or(0);
        }
        for part in parts {
            let rest = &part[taken.min(part.len())..];
            taken = taken.saturating_sub(part.len());
            waiting.extend(rest);
        }
        if !waiting.is_empty() {
            self.wanted.notify_one();
        }
    }

    /// Whether something waits for the system to take it.
    pub(crate) fn is_stuck(&self) -> bool {
        !self.waiting.lock().expect("no holder panics").is_empty()
    }

    /// Waits until something is stuck or somebody calls.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }

    /// Wakes the task of the connection.
    pub(crate) fn call(&self) {
        self.wanted.notify_one();
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// Where the connection is gone.
    pub(crate) async fn drain(&self) -> io::Result<()> {
        while !self.is_drained()? {
            self.stream.writable().await?;
        }
        Ok(())
    }

    /// Writes of what waits as much as the system takes; whether that is all.
    fn is_drained(&self) -> io::Result<bool> {
        let mut waiting = self.waiting.lock().expect("no holder panics");
        let mut taken = 0;
        while taken < waiting.len() {
            match self.stream.try_write(&waiting[taken..]) {
                Ok(0) => return Err(Error::from(ErrorKind::WriteZero)),
                Ok(more) => taken += more,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
        }
        waiting.drain(..taken);
        if waiting.is_empty() {
            // A buffer that was needed once is not kept.
            *waiting = Vec::new();
        }
        Ok(waiting.is_empty())
    }
}

/// The reading side of a connection, for one who also answers questions of the protocol.
pub(crate) struct Source {
    read: OwnedReadHalf,
    wire: Arc<Wire>,
    /// The place of the connection among those of its address.
    _place: Option<Place>,
}

impl AsyncRead for Source {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.read).poll_read(cx, buffer)
    }
}

/// Everything is taken at once, so that no message of another comes between two parts of one.
impl AsyncWrite for Source {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        part: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.wire.write(&[IoSlice::new(part)]);
        Poll::Ready(Ok(part.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;
    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (client, server) = tokio::join!(client, listener.accept());
        (client.unwrap(), server.unwrap().0)
    }

    #[tokio::test]
    async fn what_is_not_read_waits_and_arrives_in_order() {
        let (mut client, server) = pair().await;
        let (_source, wire) = Wire::new(server, None);
        wire.stream.writable().await.unwrap();
        let mut sent = Vec::new();
        let mut number = 0;
        while !wire.is_stuck() || number % 5 != 0 {
            let some = [0, 1].map(|more| Frame::from(format!("{:0>60000}", number + more)));
            sent.extend(some.iter().flat_map(|frame| frame.bytes.to_vec()));
            wire.send(&some);
            number += 2;
        }
        wire.wanted().await;
        let mut heard = vec![0; sent.len()];
        let (drained, read) = tokio::join!(wire.drain(), client.read_exact(&mut heard));
        assert!(drained.is_ok() && read.is_ok());
        assert!(heard == sent, "{} bytes arrive in another order", sent.len());
        assert!(!wire.is_stuck());
    }

    #[test]
    fn a_head_says_how_long_a_message_is() {
        for (length, head) in [
            (0, &[0x81, 0][..]),
            (125, &[0x81, 125]),
            (126, &[0x81, 126, 0, 126]),
            (65_535, &[0x81, 126, 255, 255]),
            (65_536, &[0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let text = "x".repeat(length);
            let frame = Frame::from(text.clone());
            assert_eq!((&frame.bytes[..frame.head], frame.text()), (head, text.as_str()));
        }
    }
}
