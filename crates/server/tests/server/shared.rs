//! Servers that share one PostgreSQL: any of them serves any match.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, follow, read, serve_from, two};
use crate::cluster::Cluster;

/// What a client sends with, to another server.
fn at(server: &senet_server::Server, client: &Client) -> Client {
    Client { address: server.address(), token: client.token.clone() }
}

#[tokio::test]
async fn any_server_serves_any_match() {
    let Some(cluster) = Cluster::new() else { return };
    let one = serve_from(cluster.database(), None).await;
    let other = serve_from(cluster.database(), None).await;
    let (id, white, black) = two(&one, json!({ "game": "chess" })).await;
    let mut watching = follow(&at(&other, &black), &id).await;
    assert_eq!(read(&mut watching).await["state"]["ply"], json!(0));
    let (status, told) = white.play(&id, 0, "e4").await;
    assert_eq!(status, 200, "{told}");
    // The move that one server wrote reaches who is connected with the other.
    assert_eq!(read(&mut watching).await["state"]["ply"], json!(1));
    let (status, told) = at(&other, &black).play(&id, 1, "e5").await;
    assert_eq!(status, 200, "{told}");
    // A server plays on what another wrote, told or not.
    let (status, told) = white.play(&id, 2, "Nf3").await;
    assert_eq!(status, 200, "{told}");
    one.stop().await;
    let (status, told) = at(&other, &black).play(&id, 3, "Nc6").await;
    assert_eq!(status, 200, "{told}");
    let state = at(&other, &white).state(&id).await;
    let moves = state["moves"]["list"].as_array().unwrap().iter();
    let moves: Vec<&str> = moves.map(|one| one["notation"].as_str().unwrap()).collect();
    assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6"]);
    other.stop().await;
}

#[tokio::test]
async fn of_a_hundred_moves_at_two_servers_one_wins() {
    let Some(cluster) = Cluster::new() else { return };
    let one = serve_from(cluster.database(), None).await;
    let other = serve_from(cluster.database(), None).await;
    let (id, white, _) = two(&one, json!({ "game": "chess" })).await;
    let moves = (0..100).map(|number| {
        let white = if number % 2 == 0 { white.clone() } else { at(&other, &white) };
        let (id, event) = (id.clone(), ["e4", "d4", "c4", "Nf3"][number / 2 % 4]);
        tokio::spawn(async move { white.play(&id, 0, event).await })
    });
    let moves: Vec<_> = moves.collect();
    let mut codes = Vec::new();
    for one in moves {
        codes.push(one.await.unwrap().0);
    }
    assert_eq!(codes.iter().filter(|code| **code == 200).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 409).count(), 99, "{codes:?}");
    let states = [white.state(&id).await, at(&other, &white).state(&id).await];
    assert_eq!(states[0]["moves"], states[1]["moves"]);
    one.stop().await;
    other.stop().await;
}

#[tokio::test]
async fn a_database_that_comes_back_goes_on() {
    let Some(mut cluster) = Cluster::new() else { return };
    let server = serve_from(cluster.database(), None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let path = format!("/api/matches/{id}/moves");
    let first = json!({ "ply": 0, "id": "first", "event": "e4" });
    let (status, told) = white.post(&path, &first).await;
    assert_eq!(status, 200, "{told}");
    cluster.stop();
    let second = json!({ "ply": 1, "id": "second", "event": "e5" });
    let (status, told) = black.post(&path, &second).await;
    assert_eq!((status, &told["code"]), (503, &json!("unavailable")), "{told}");
    assert_eq!(white.state(&id).await["ply"], json!(1));
    assert_eq!(white.get("/ready").await.0, 503);
    cluster.start();
    let mut answer = (0, Value::Null);
    for _ in 0..100 {
        answer = black.post(&path, &second).await;
        if answer.0 == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(answer.0, 200, "{}", answer.1);
    assert_eq!(white.get("/ready").await.0, 200);
    assert_eq!(white.state(&id).await["ply"], json!(2));
    server.stop().await;
}
