//! What programs read of a server: lines of JSON, server-sent events, and its counts.

use std::io::{BufRead, BufReader as Reader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::client::{Client, Folder, follow, read, serve, two};

/// An answer that goes on, after its head.
struct Stream(BufReader<TcpStream>);

impl Stream {
    async fn open(client: &Client, path: &str) -> Stream {
        let stream = TcpStream::connect(client.address).await.unwrap();
        let mut stream = Stream(BufReader::new(stream));
        let token = client.token.as_deref().unwrap_or_default();
        // An answer to the old version comes in no pieces that would have to be put together.
        let head = format!("GET {path} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.0.write_all(head.as_bytes()).await.unwrap();
        assert!(stream.line().await.contains(" 200 "));
        while !stream.line().await.is_empty() {}
        stream
    }

    async fn line(&mut self) -> String {
        let mut line = String::new();
        assert_ne!(self.0.read_line(&mut line).await.unwrap(), 0, "the stream ends");
        line.trim_end().to_owned()
    }

    /// The state in the next line that begins like this.
    async fn state(&mut self, begin: &str) -> Value {
        loop {
            let line = self.line().await;
            match line.strip_prefix(begin) {
                Some(state) if !state.is_empty() => return serde_json::from_str(state).unwrap(),
                _ => {}
            }
        }
    }
}

#[tokio::test]
async fn lines_and_events_tell_of_every_move() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let path = format!("/api/matches/{id}");
    let mut lines = Stream::open(&black, &format!("{path}/stream")).await;
    let mut events = Stream::open(&Client::new(&server), &format!("{path}/events")).await;
    for (ply, event) in [None, Some("e4"), Some("e5")].into_iter().enumerate() {
        if let Some(event) = event {
            let mover = if ply % 2 == 1 { &white } else { &black };
            assert_eq!(mover.play(&id, ply - 1, event).await.0, 200);
        }
        let mine = lines.state("").await;
        assert_eq!((&mine["ply"], &mine["you"]), (&json!(ply), &json!([1])));
        assert_eq!(mine["legal"].is_array(), ply == 1, "only the player to move is told");
        assert_eq!(events.line().await, "event: state");
        let seen = events.state("data: ").await;
        assert_eq!((&seen["ply"], &seen["you"]), (&json!(ply), &json!([])));
        assert_eq!(events.line().await, "");
    }
    server.stop().await;
}

#[tokio::test]
async fn of_many_who_follow_a_match_all_are_told() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "tic-tac-toe" })).await;
    let stranger = Client { token: None, ..white.clone() };
    let mut sockets = vec![follow(&black, &id).await];
    for _ in 0..100 {
        sockets.push(follow(&stranger, &id).await);
    }
    for socket in &mut sockets {
        assert_eq!(read(socket).await["state"]["ply"], json!(0));
    }
    // One of them has left.
    sockets.swap_remove(50);
    for (ply, mover) in [&white, &black, &white].into_iter().enumerate() {
        let state = mover.state(&id).await;
        let event = state["legal"][0]["event"].as_str().unwrap();
        assert_eq!(mover.play(&id, ply, event).await.0, 200);
        for socket in &mut sockets {
            assert_eq!(read(socket).await["state"]["ply"], json!(ply + 1));
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn operators_are_told_what_happened() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let mut socket = follow(&Client::new(&server), &id).await;
    read(&mut socket).await;
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    assert_eq!(white.play(&id, 1, "e5").await.0, 409);
    let (status, told) = white.text("/metrics").await;
    assert_eq!(status, 200);
    for line in [
        "senet_moves_total 1",
        "senet_refused_total 1",
        "senet_matches_total 1",
        "senet_following 1",
        "senet_live_matches 1",
        "# TYPE senet_requests_total counter",
    ] {
        assert!(told.lines().any(|one| one == line), "{line}: {told}");
    }
    assert!(!told.contains(&id), "{told}");
    assert_eq!(white.get("/health").await.1, json!({ "status": "ok" }));
    server.stop().await;
}

#[tokio::test]
async fn the_bot_of_the_book_plays_a_match_to_its_end() {
    if Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/server_bot.py");
    let origin = format!("http://{}", server.address());
    let mut bot = Command::new("python3");
    let mut bot =
        bot.args([script, &origin, "tic-tac-toe"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut told = Reader::new(bot.stdout.take().unwrap()).lines();
    let read = tokio::task::spawn_blocking(move || (told.next().unwrap().unwrap(), told));
    let (link, mut told) = read.await.unwrap();
    let (page, invitation) = link.split_once('#').unwrap();
    let id = page.rsplit('/').next().unwrap();
    let visitor = Client::new(&server);
    let join = json!({ "invitation": invitation });
    let (status, joined) = visitor.post(&format!("/api/matches/{id}/join"), &join).await;
    assert_eq!(status, 200, "{joined}");
    let me = visitor.with(&joined["token"]);
    let mut lines = Stream::open(&me, &format!("/api/matches/{id}/stream")).await;
    loop {
        let state = lines.state("").await;
        if state["status"] == "over" {
            break;
        }
        if let Some(event) = state["legal"][0]["event"].as_str() {
            let ply = state["ply"].as_u64().unwrap() as usize;
            assert_eq!(me.play(id, ply, event).await.0, 200);
        }
    }
    let ended = tokio::task::spawn_blocking(move || (told.next().unwrap().unwrap(), bot.wait()));
    let (result, status) = ended.await.unwrap();
    assert!(status.unwrap().success());
    assert!(result.contains("wins") || result.contains("draw"), "{result}");
    server.stop().await;
}

#[tokio::test]
async fn four_players_in_two_teams_sit_down_one_by_one() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let visitor = Client::new(&server);
    let text = "game four\nplayers a team even, b team odd, c team even, d team odd\n\
                board grid 4 x 4 lines\npiece mark\nput mark on empty\n\
                win \"two in a row\" line 2 of own\ndraw \"board full\" none empty\n";
    let (status, game) = visitor.send("POST", "/api/games", text).await;
    assert_eq!(status, 200, "{game}");
    let seats = ["you", "anyone", "invite", "anyone"];
    let wanted = json!({ "game": game["definition"], "seats": seats });
    let (status, made) = visitor.post("/api/matches", &wanted).await;
    assert_eq!(status, 201, "{made}");
    let id = made["match"].as_str().unwrap();
    let join = format!("/api/matches/{id}/join");
    let mut players = vec![visitor.with(&made["token"])];
    for seat in 1..4 {
        let (status, told) = players[0].play(id, 0, "mark@a1").await;
        assert_eq!((status, &told["code"]), (409, &json!("waiting")));
        let mut sit = json!({ "seat": seat });
        if seat == 2 {
            assert_eq!(visitor.post(&join, &sit).await.0, 403, "the seat needs an invitation");
            sit["invitation"] = made["invitations"][0]["invitation"].clone();
        }
        let (status, joined) = visitor.post(&join, &sit).await;
        assert_eq!((status, &joined["seats"]), (200, &json!([seat])), "{joined}");
        players.push(visitor.with(&joined["token"]));
    }
    for (ply, event) in ["mark@a1", "mark@a4", "mark@d1"].into_iter().enumerate() {
        let (status, told) = players[(ply + 1) % 4].play(id, ply, event).await;
        assert_eq!((status, &told["code"]), (409, &json!("not_your_turn")));
        assert_eq!(players[ply].play(id, ply, event).await.0, 200);
    }
    // The only other side wins with all who are on it.
    assert_eq!(players[3].act(id, "resign").await.0, 200);
    let state = players[1].state(id).await;
    assert_eq!((&state["status"], &state["result"]["winner"]), (&json!("over"), &json!(0)));
    server.stop().await;
}

#[tokio::test]
async fn pages_load_and_run_nothing_but_their_own() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    for path in ["/", "/library", "/analysis", "/playground", "/api", "/api/games", "/none"] {
        let head = client.head(path).await;
        let policy = head.lines().find_map(|line| line.strip_prefix("content-security-policy: "));
        let policy = policy.unwrap_or_else(|| panic!("{path}: {head}"));
        assert!(policy.contains("default-src 'none'; script-src 'self';"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}: {head}");
        assert!(!head.contains("set-cookie"), "{path}: {head}");
        let (_, page) = client.text(path).await;
        for script in page.split("<script").skip(1) {
            let (tag, rest) = script.split_once('>').unwrap();
            assert!(tag.contains("src=\"/"), "{path}: <script{tag}>");
            assert!(rest.starts_with("</script>"), "{path}: a script in the page");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_server_stops_though_somebody_follows() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let mut lines = Stream::open(&black, &format!("/api/matches/{id}/stream")).await;
    lines.state("").await;
    let _socket = follow(&black, &id).await;
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    let stopped = tokio::time::timeout(std::time::Duration::from_secs(8), server.stop()).await;
    assert!(stopped.is_ok(), "the server waits for those who follow a match");
    assert!(TcpStream::connect(white.address).await.is_err(), "it takes no more requests");
    let server = serve(&folder.0, None).await;
    let white = Client { address: server.address(), ..white };
    assert_eq!(white.state(&id).await["ply"], json!(1));
    server.stop().await;
}
