//! Games with secrets: two matches that differ only in what a viewer may not know give that viewer
//! the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::SinkExt;
use senet_server::Server;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Client, Folder, follow, read, serve, two};

/// Somebody who looks at a match and keeps every byte that comes.
struct Listener {
    client: Client,
    id: String,
    socket: crate::client::Socket,
    heard: String,
    asked: Value,
    number: Value,
}

impl Listener {
    async fn new(client: &Client, id: &str) -> Listener {
        let socket = follow(client, id).await;
        let (client, id) = (client.clone(), id.to_owned());
        let mut listener = Listener {
            client,
            id,
            socket,
            heard: String::new(),
            asked: Value::Null,
            number: Value::Null,
        };
        listener.next().await;
        listener
    }

    async fn next(&mut self) -> Value {
        let message = read(&mut self.socket).await;
        self.heard += &format!("{message}\n");
        if message["type"] == "state" {
            self.number = message["state"]["number"].clone();
        }
        message
    }

    /// Reads until nothing is left that the state says there is.
    async fn catch_up(&mut self) {
        let state = self.client.state(&self.id).await;
        // Asked again after something unseen, the answer is the same.
        if self.asked != state {
            self.heard += &format!("{state}\n");
            self.asked = state.clone();
        }
        while self.number != state["number"] {
            self.next().await;
        }
    }

    /// Asks for everything else, and gives all that came without what is random in every match.
    async fn heard(mut self) -> String {
        self.catch_up().await;
        let last = json!({ "type": "play", "request": 99, "body": { "ply": 77, "event": "x" } });
        self.socket.send(Message::text(last.to_string())).await.unwrap();
        while self.next().await["request"] != json!(99) {}
        for form in ["json", "draws"] {
            let path = format!("/api/matches/{}/export?form={form}", self.id);
            let (status, told) = self.client.get(&path).await;
            assert_eq!(status, 422, "{told}");
            self.heard += &told.to_string();
        }
        let commitment = self.client.state(&self.id).await["commitment"].clone();
        let heard = self.heard.replace(&self.id, "ID");
        heard.replace(commitment.as_str().unwrap(), "COMMITMENT")
    }
}

/// What the second player and a spectator receive while events are played.
async fn heard(server: &Server, game: &str, events: &[(usize, &str)]) -> (String, String) {
    let (id, one, two) = two(server, json!({ "game": game })).await;
    let mut listeners =
        [Listener::new(&two, &id).await, Listener::new(&Client::new(server), &id).await];
    for (seat, event) in events {
        let player = [&one, &two][*seat];
        let ply = player.state(&id).await["ply"].as_u64().unwrap() as usize;
        let (status, told) = match *event {
            "undo" => player.act(&id, event).await,
            event => player.play(&id, ply, event).await,
        };
        assert_eq!(status, 200, "{event}: {told}");
        for listener in &mut listeners {
            listener.catch_up().await;
        }
    }
    let [other, spectator] = listeners;
    (other.heard().await, spectator.heard().await)
}

async fn assert_alike(game: &str, lines: &[&[(usize, &str)]]) {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let first = heard(&server, game, lines[0]).await;
    assert!(first.0.len() > 1_000, "{}", first.0);
    for line in &lines[1..] {
        let other = heard(&server, game, line).await;
        assert_eq!(first.0, other.0, "the other player after {line:?}");
        assert_eq!(first.1, other.1, "a spectator after {line:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn hidden_marks_and_failed_attempts_change_no_byte() {
    let plain = [(0, "mark@b2"), (1, "mark@a1"), (0, "mark@c3")];
    let elsewhere = [(0, "mark@c1"), (1, "mark@a1"), (0, "mark@b3")];
    // The first player bumps into a1, and nobody else hears of it.
    let bumps = [(0, "mark@b2"), (1, "mark@a1"), (0, "mark@a1"), (0, "mark@c3")];
    assert_alike("phantom-tic-tac-toe", &[&plain, &elsewhere, &bumps]).await;
}

#[tokio::test]
async fn what_is_taken_back_changes_no_byte_either() {
    let undo = [(1, "undo"), (0, "undo"), (1, "mark@c2"), (0, "mark@b1")];
    let plain = [(0, "mark@b2"), (1, "mark@a1"), (0, "mark@c3")];
    let elsewhere = [(0, "mark@c1"), (1, "mark@a1"), (0, "mark@b3")];
    let bumps = [(0, "mark@b2"), (1, "mark@a1"), (0, "mark@a1"), (0, "mark@c3")];
    let lines = [&plain[..], &elsewhere, &bumps].map(|line| [line, &undo[..]].concat());
    assert_alike("phantom-tic-tac-toe", &lines.each_ref().map(|line| &line[..])).await;
    // The other player is asked: a step that is taken back would have told something.
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, one, two) = two(&server, json!({ "game": "phantom-tic-tac-toe" })).await;
    assert_eq!(one.play(&id, 0, "mark@b2").await.0, 200);
    assert_eq!(two.play(&id, 1, "mark@b2").await.0, 200);
    let (status, told) = two.act(&id, "takeback").await;
    assert_eq!((status, &told["code"]), (409, &json!("secret_game")));
    server.stop().await;
}

#[tokio::test]
async fn names_of_moves_tell_nothing_of_moves_that_are_not_seen() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, one, two) = two(&server, json!({ "game": "phantom-tic-tac-toe" })).await;
    let path = format!("/api/matches/{id}/moves");
    // The first player bumps into a1, which the other neither sees nor counts.
    let moves =
        [(&one, 0, "mark@b2"), (&two, 1, "mark@a1"), (&one, 2, "mark@a1"), (&one, 3, "mark@c3")];
    for (player, ply, event) in moves {
        let sent = json!({ "ply": ply, "id": format!("move-{ply}"), "event": event });
        let (status, told) = player.post(&path, &sent).await;
        assert_eq!(status, 200, "{told}");
    }
    for name in ["move-2", "move-3"] {
        let sent = json!({ "ply": 2, "id": name, "event": "mark@c2" });
        let (status, told) = two.post(&path, &sent).await;
        assert_eq!((status, &told["code"]), (409, &json!("stale")), "{told}");
        assert_eq!(told["detail"], "the match is not at this ply");
    }
    let sent = json!({ "ply": 3, "id": "move-2", "event": "mark@c2" });
    let (status, told) = two.post(&path, &sent).await;
    assert_eq!(status, 200, "{told}");
    server.stop().await;
}

#[tokio::test]
async fn a_choice_is_hidden_until_all_have_chosen() {
    assert_alike("rock-paper-scissors", &[&[(0, "rock")], &[(0, "paper")]]).await;
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, one, two) = two(&server, json!({ "game": "rock-paper-scissors" })).await;
    assert_eq!(one.play(&id, 0, "rock").await.0, 200);
    let state = two.state(&id).await;
    let ply = state["ply"].as_u64().unwrap() as usize;
    assert_eq!(two.play(&id, ply, "scissors").await.0, 200);
    assert_eq!(two.state(&id).await["result"]["text"], "one wins: rock breaks scissors");
    server.stop().await;
}

#[tokio::test]
async fn hidden_ships_change_no_byte() {
    let line = |ships: [&'static str; 3]| {
        let theirs = ["ship@a8", "ship@b8", "ship@c8"];
        let both = ships.into_iter().zip(theirs);
        let mut line: Vec<(usize, &str)> =
            both.flat_map(|(one, other)| [(0, one), (1, other)]).collect();
        line.extend([(0, "peg@a5"), (1, "peg@d4")]);
        line
    };
    let (near, far) =
        (line(["ship@a1", "ship@b1", "ship@c1"]), line(["ship@a2", "ship@b3", "ship@c4"]));
    assert_alike("battleship", &[&near, &far]).await;
}

#[tokio::test]
async fn cards_of_another_change_no_byte() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    // What the second player received, by that player's card; and the other cards there were.
    let mut received: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    // The card of a player, who sees no other.
    let card = |state: &Value, owner: usize| {
        let piles = state["position"]["piles"].as_array().unwrap();
        let seen: Vec<&Value> = piles.iter().filter(|pile| pile.get("cards").is_some()).collect();
        assert_eq!((piles.len(), seen.len()), (3, 1), "{state}");
        assert_eq!(seen[0]["owner"], json!(owner));
        seen[0]["cards"][0].as_str().unwrap().to_owned()
    };
    for _ in 0..300 {
        if received.len() == 3 && received.values().all(|(_, others)| others.len() == 2) {
            break;
        }
        let (id, one, two) = two(&server, json!({ "game": "kuhn-poker" })).await;
        let mut listener = Listener::new(&two, &id).await;
        let state = one.state(&id).await;
        let ply = state["ply"].as_u64().unwrap() as usize;
        assert_eq!(one.play(&id, ply, "bet").await.0, 200);
        listener.catch_up().await;
        let mine = card(&two.state(&id).await, 1);
        let entry = received.entry(mine).or_default();
        entry.0.insert(listener.heard().await);
        entry.1.insert(card(&state, 0));
    }
    assert_eq!(received.len(), 3);
    for (mine, (bytes, others)) in &received {
        assert_eq!(bytes.len(), 1, "{mine}: {bytes:?}");
        assert_eq!(others.len(), 2, "{mine}: both other cards came up");
    }
    server.stop().await;
}

#[tokio::test]
async fn bots_play_games_with_secrets() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    for bot in ["search@3", "mcts@3", "random"] {
        let wanted =
            json!({ "game": "phantom-tic-tac-toe", "seats": [{ "bot": bot }, { "bot": bot }] });
        let (_, made) = client.post("/api/matches", &wanted).await;
        let id = made["match"].as_str().unwrap();
        let mut over = false;
        for _ in 0..1_200 {
            over = client.state(id).await["status"] == json!("over");
            if over {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(over, "{bot}: {}", client.state(id).await);
    }
    server.stop().await;
}
