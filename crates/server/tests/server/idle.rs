//! Clients that say nothing or read nothing are let go.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, Folder, follow, read, serve, two};

/// Lets time pass for the server, which runs in the runtime of the test.
async fn pass(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
    // What is due now is done.
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// How many connections follow a match.
async fn following(client: &Client) -> u64 {
    let (_, told) = client.text("/metrics").await;
    let line = told.lines().find_map(|line| line.strip_prefix("senet_following "));
    line.unwrap().parse().unwrap()
}

/// A WebSocket whose bytes are written by hand, after its first messages.
async fn by_hand(client: &Client, id: &str, messages: &[Value]) -> TcpStream {
    let mut stream = TcpStream::connect(client.address).await.unwrap();
    let mut sent = format!(
        "GET /api/matches/{id}/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    )
    .into_bytes();
    for message in messages {
        let text = message.to_string();
        sent.extend([0x81, 0x80 | text.len() as u8, 0, 0, 0, 0]);
        sent.extend(text.as_bytes());
    }
    stream.write_all(&sent).await.unwrap();
    stream
}

/// Whether the server has closed a connection by now.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    tokio::time::timeout(Duration::from_secs(5), read).await.is_ok()
}

#[tokio::test]
async fn who_sends_no_request_is_let_go() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(b"GET /health HTTP/1.1\r\nHost:").await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    pass(31).await;
    assert!(is_closed(&mut stream).await);
    server.stop().await;
}

#[tokio::test]
async fn a_socket_that_does_not_say_hello_is_closed() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let mut stream = by_hand(&white, &id, &[]).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(following(&white).await, 1);
    pass(11).await;
    assert!(is_closed(&mut stream).await);
    assert_eq!(following(&white).await, 0);
    server.stop().await;
}

#[tokio::test]
async fn a_socket_that_answers_nothing_is_closed() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let hello = json!({ "type": "hello", "token": null });
    let mut silent = by_hand(&white, &id, &[hello]).await;
    let mut answers = follow(&black, &id).await;
    read(&mut answers).await;
    for _ in 0..4 {
        pass(26).await;
        // The library answers what the server asks when it is read.
        let heard = tokio::time::timeout(Duration::from_millis(200), answers.next()).await;
        assert!(matches!(heard, Ok(Some(Ok(Message::Ping(_))))), "{heard:?}");
        answers.flush().await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(is_closed(&mut silent).await);
    assert_eq!(following(&white).await, 1);
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    assert_eq!(read(&mut answers).await["state"]["ply"], json!(1));
    server.stop().await;
}

#[tokio::test]
async fn a_socket_that_reads_nothing_is_closed() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, black, white) = two(&server, json!({ "game": "go" })).await;
    // Who is to move is told every legal move, asks for more of that than the system takes, and reads
    // none of it.
    let mut messages = vec![json!({ "type": "hello", "token": white.token })];
    messages.extend(vec![json!({ "type": "whole" }); 4_000]);
    let mut other = follow(&black, &id).await;
    read(&mut other).await;
    assert_eq!(black.play(&id, 0, "stone@d4").await.0, 200);
    let mut slow = by_hand(&white, &id, &messages).await;
    while following(&white).await < 2 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // The server has much to say before the system takes no more.
    for _ in 0..100 {
        pass(11).await;
        if following(&white).await < 2 {
            break;
        }
        let _ = tokio::time::timeout(Duration::from_millis(50), other.next()).await;
        other.flush().await.unwrap();
    }
    assert_eq!(following(&white).await, 1);
    assert!(is_closed(&mut slow).await);
    assert_eq!(white.play(&id, 1, "stone@q16").await.0, 200);
    while read(&mut other).await["state"]["ply"] != json!(2) {}
    server.stop().await;
}
