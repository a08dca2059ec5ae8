//! What the server does by itself happens also where the database or an opponent fails for a while.

use std::path::Path;
use std::time::Duration;

use senet_server::Config;
use senet_server::store::Database;
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Connection};
use tokio::io::AsyncWriteExt;

use crate::client::{Client, Folder, config, serve, serve_as, two};

/// Lets the database refuse every record, or take them again.
async fn refuse(folder: &Path, refuses: bool) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("senet.db"));
    let mut connection = options.connect().await.unwrap();
    let text = match refuses {
        true => "CREATE TRIGGER full BEFORE INSERT ON log BEGIN SELECT RAISE(FAIL, 'full'); END",
        false => "DROP TRIGGER full",
    };
    sqlx::query(text).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Waits until a match is as it should be.
async fn wait_for(client: &Client, id: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let mut state = Value::Null;
    for _ in 0..200 {
        state = client.state(id).await;
        if fits(&state) {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{state}");
}

/// A match against an opponent of the server.
async fn against(client: &Client, game: &str, bot: &str) -> (String, Client) {
    let wanted = json!({ "game": game, "seats": ["you", { "bot": bot }] });
    let (status, made) = client.post("/api/matches", &wanted).await;
    assert_eq!(status, 201, "{made}");
    (made["match"].as_str().unwrap().to_owned(), client.with(&made["token"]))
}

#[tokio::test]
async fn a_bot_moves_when_the_database_is_back() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, me) = against(&Client::new(&server), "tic-tac-toe", "random").await;
    assert_eq!(me.play(&id, 0, "b2").await.0, 200);
    refuse(&folder.0, true).await;
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert_eq!(me.state(&id).await["ply"], json!(1), "nothing counts that is not on the disk");
    refuse(&folder.0, false).await;
    wait_for(&me, &id, |state| state["ply"] == json!(2)).await;
    server.stop().await;
}

#[tokio::test]
async fn a_flag_falls_when_the_database_is_back() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let clock = json!({ "kind": "turn", "time": 1_000 });
    let (id, white, _) = two(&server, json!({ "game": "chess", "clock": clock })).await;
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    refuse(&folder.0, true).await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    assert_eq!(white.state(&id).await["status"], "playing");
    refuse(&folder.0, false).await;
    let state = wait_for(&white, &id, |state| state["status"] == "over").await;
    assert_eq!(state["result"]["winner"], json!(0));
    server.stop().await;
}

/// A program that says it speaks UCI and answers `go` with one line, or with nothing and its end.
#[cfg(unix)]
fn engine(folder: &Path, name: &str, answer: &str) -> senet_server::engine::Engine {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join(name);
    let script = format!(
        "#!/bin/sh\nwhile read -r word rest; do\n\
         if [ \"$word\" = go ]; then {answer}; exit; fi\ndone\n"
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    senet_server::engine::Engine { name: name.to_owned(), program }
}

#[cfg(unix)]
#[tokio::test]
async fn an_engine_takes_a_seat_and_one_that_fails_is_replaced() {
    let folder = Folder::new();
    let engines =
        [("fair", "echo bestmove c7c5"), ("silent", "true"), ("wrong", "echo bestmove a1a8")];
    let engines = engines.map(|(name, answer)| engine(&folder.0, name, answer)).to_vec();
    let database = Database::File(folder.0.join("senet.db"));
    let server = serve_as(Config { engines, ..config(database) }).await;
    let client = Client::new(&server);
    let (_, lobby) = client.get("/api/matches").await;
    assert_eq!(lobby["engines"], json!(["uci:fair", "uci:silent", "uci:wrong"]));
    for name in ["uci:fair", "uci:silent", "uci:wrong"] {
        let (id, me) = against(&client, "chess", name).await;
        assert_eq!(me.play(&id, 0, "e4").await.0, 200);
        let state = wait_for(&me, &id, |state| state["ply"] == json!(2)).await;
        if name == "uci:fair" {
            assert_eq!(state["moves"]["list"][1]["notation"], "c5");
        }
    }
    let wanted = json!({ "game": "go", "seats": ["you", { "bot": "uci:fair" }] });
    assert_eq!(client.post("/api/matches", &wanted).await.0, 400, "it plays chess");
    server.stop().await;
}

#[tokio::test]
async fn a_move_whose_sender_leaves_is_told_to_the_others() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let bearer = white.token.clone().unwrap();
    let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"];
    for (ply, event) in moves.into_iter().enumerate() {
        if ply % 2 == 1 {
            assert_eq!(black.play(&id, ply, event).await.0, 200);
            continue;
        }
        // The disk is slow, and the sender does not wait for it.
        let lock = lock(&folder.0).await;
        let body = json!({ "ply": ply, "event": event }).to_string();
        let length = body.len();
        let request = format!(
            "POST /api/matches/{id}/moves HTTP/1.1\r\nHost: test\r\n\
             Authorization: Bearer {bearer}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let mut stream = tokio::net::TcpStream::connect(server.address()).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
        drop(stream);
        tokio::time::sleep(Duration::from_millis(100)).await;
        lock.close().await.unwrap();
        wait_for(&black, &id, |state| state["ply"] == json!(ply + 1)).await;
    }
    server.stop().await;
}

/// Keeps everybody else from writing, for as long as it is not closed.
async fn lock(folder: &Path) -> sqlx::sqlite::SqliteConnection {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.join("senet.db"));
    let mut connection = options.connect().await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut connection).await.unwrap();
    connection
}
