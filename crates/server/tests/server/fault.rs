//! Clients and machines that misbehave: random frames, messages out of order, a disk that is full.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, Folder, follow, read, serve, two};

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }
}

/// A message that is right, except where the dice change it.
fn message(dice: &mut Dice) -> Message {
    let bodies = [
        json!({ "type": "play", "request": 1, "body": { "ply": 0, "event": "e4" } }),
        json!({ "type": "play", "request": [], "body": { "ply": -1, "from": 1, "to": 1_000_000 } }),
        json!({ "type": "act", "request": null, "body": { "action": "rematch", "seat": 9 } }),
        json!({ "type": "whole" }),
        json!({ "type": "hello", "token": "none" }),
    ];
    let mut bytes = bodies[dice.below(bodies.len())].to_string().into_bytes();
    for _ in 0..dice.below(4) {
        let at = dice.below(bytes.len());
        match dice.below(3) {
            0 => bytes[at] = dice.next() as u8,
            1 => bytes.truncate(at.max(1)),
            _ => {
                bytes
                    .splice(at..at, b"[{\"\\u0000"[..dice.below(8)].iter().copied())
                    .for_each(drop);
            }
        }
    }
    match dice.below(12) {
        0 => Message::binary(bytes),
        1 => Message::Ping(bytes[..bytes.len().min(100)].to_vec().into()),
        2 => Message::text("[".repeat(7_000)),
        _ => Message::text(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Bytes that are a frame, except where the dice change its head: reserved bits, unknown kinds,
/// lengths that do not fit, frames without a mask, parts of messages.
fn frame(dice: &mut Dice) -> Vec<u8> {
    let body = match message(dice) {
        Message::Text(text) => text.as_bytes().to_vec(),
        Message::Binary(bytes) | Message::Ping(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    };
    let kind = [0x81, 0x81, 0x01, 0x80, 0x00, 0x88, 0x89, 0xf1, 0x83][dice.below(9)];
    let mut bytes = vec![kind];
    let claimed = match dice.below(6) {
        0 => dice.next() as usize,
        1 => body.len() / 2,
        _ => body.len(),
    };
    let mask = if dice.below(8) == 0 { 0 } else { 0x80 };
    match claimed {
        0..126 => bytes.push(mask | claimed as u8),
        126..0x1_0000 => {
            bytes.push(mask | 126);
            bytes.extend((claimed as u16).to_be_bytes());
        }
        _ => {
            bytes.push(mask | 127);
            bytes.extend((claimed as u64).to_be_bytes());
        }
    }
    // A mask of zeros leaves the bytes as they are.
    bytes.extend(&[0; 4][..if mask == 0 { 0 } else { 4 }]);
    bytes.extend(body);
    bytes
}

#[tokio::test]
async fn bytes_that_are_no_frames_break_nothing() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let mut dice = Dice(0x0fa_57f);
    for _ in 0..100 {
        let mut socket = tokio::net::TcpStream::connect(server.address()).await.unwrap();
        let upgrade = format!(
            "GET /api/matches/{id}/socket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
        );
        socket.write_all(upgrade.as_bytes()).await.unwrap();
        let hello = b"{\"type\":\"hello\",\"token\":null}";
        let mut sent = vec![0x81, 0x80 | hello.len() as u8, 0, 0, 0, 0];
        sent.extend(hello);
        for _ in 0..dice.below(20) {
            sent.extend(frame(&mut dice));
        }
        // The server may have hung up already, as it should.
        let _ = socket.write_all(&sent).await;
        let _ = socket.shutdown().await;
        let mut heard = Vec::new();
        let read = socket.read_to_end(&mut heard);
        let _ = tokio::time::timeout(std::time::Duration::from_secs(20), read).await.expect("ends");
        let heard = String::from_utf8_lossy(&heard);
        assert!(!heard.contains("\"status\":5"), "{heard}");
    }
    let state = white.state(&id).await;
    assert_eq!((&state["ply"], &state["status"]), (&json!(0), &json!("playing")));
    server.stop().await;
}

#[tokio::test]
async fn random_frames_break_nothing() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let stranger = Client { token: None, ..white.clone() };
    let mut dice = Dice(0x5e_4e7);
    for _ in 0..60 {
        let mut socket = follow(&stranger, &id).await;
        for _ in 0..50 {
            // Some messages end the connection, as they should.
            if socket.send(message(&mut dice)).await.is_err() {
                break;
            }
        }
        let _ = socket.close(None).await;
        while let Some(Ok(told)) = socket.next().await {
            let told = told.into_text().unwrap_or_default();
            assert!(!told.contains("\"status\":5"), "{told}");
        }
    }
    let state = white.state(&id).await;
    assert_eq!((&state["ply"], &state["status"]), (&json!(0), &json!("playing")));
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_socket_acts_only_for_its_own_seat() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let (_, stranger, _) = two(&server, json!({ "game": "chess" })).await;
    let forged = white.with(&json!("0123456789abcdef0123456789abcdef"));
    let nobody = Client { token: None, ..white.clone() };
    let play = |ply: usize, event: &str| json!({ "type": "play", "request": 7, "body": { "ply": ply, "event": event } });
    let code = async |client: &Client, said: Value| {
        let mut socket = follow(client, &id).await;
        read(&mut socket).await;
        socket.send(Message::text(said.to_string())).await.unwrap();
        read(&mut socket).await["problem"]["status"].clone()
    };
    assert_eq!(code(&black, play(0, "e4")).await, json!(409), "not the seat to move");
    assert_eq!(code(&stranger, play(0, "e4")).await, json!(403), "the token of another match");
    assert_eq!(code(&forged, play(0, "e4")).await, json!(403), "a forged token");
    assert_eq!(code(&nobody, play(0, "e4")).await, json!(401), "a spectator");
    assert_eq!(code(&white, play(1, "e4")).await, json!(409), "a move ahead of the others");
    let resign = json!({ "type": "act", "request": 8, "body": { "action": "resign", "seat": 1 } });
    assert_eq!(code(&white, resign).await, json!(403), "the seat of the other player");
    assert_eq!(white.state(&id).await["ply"], json!(0));
    server.stop().await;
}

#[tokio::test]
async fn messages_out_of_order_are_played_once_and_in_order() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let arrangement = json!({ "game": "chess", "seats": ["you", "you"] });
    let (_, made) = Client::new(&server).post("/api/matches", &arrangement).await;
    let id = made["match"].as_str().unwrap().to_owned();
    let player = Client::new(&server).with(&made["token"]);
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
    let path = format!("/api/matches/{id}/moves");
    let mut dice = Dice(9);
    let mut known = 0;
    // Each move is sent again and again, in any order, until all are played.
    while known < moves.len() {
        let ply = dice.below(moves.len());
        let sent = json!({ "ply": ply, "id": format!("move-{ply}"), "event": moves[ply] });
        let (status, told) = player.post(&path, &sent).await;
        assert_eq!(status, if ply <= known { 200 } else { 409 }, "{told}");
        known += usize::from(ply == known);
    }
    let state = player.state(&id).await;
    let played = state["moves"]["list"].as_array().unwrap().iter();
    let played: Vec<&str> = played.map(|one| one["notation"].as_str().unwrap()).collect();
    assert_eq!(played, moves);
    server.stop().await;
}
