//! What people agree on, and what each of them may repeat.

use serde_json::{Value, json};

use crate::client::{Client, Folder, serve, two};

/// A match of three who play for themselves: its name, and who has which seats.
async fn three(server: &senet_server::Server, seats: &[&str]) -> (String, Vec<Client>) {
    let visitor = Client::new(server);
    let text = "game three\nplayers a, b, c\nboard grid 4 x 4 lines\npiece mark\n\
                put mark on empty\nrule agree: aside act agree-draw then ended = 1\n\
                variable ended 0..1\nwin \"three in a row\" line 3 of own\n\
                draw \"agreement\" ended = 1\ndraw \"board full\" none empty\n";
    let (status, game) = visitor.send("POST", "/api/games", text).await;
    assert_eq!(status, 200, "{game}");
    let wanted = json!({ "game": game["definition"], "seats": seats });
    let (status, made) = visitor.post("/api/matches", &wanted).await;
    assert_eq!(status, 201, "{made}");
    let id = made["match"].as_str().unwrap().to_owned();
    let mut players = vec![visitor.with(&made["token"])];
    for _ in seats.iter().filter(|seat| **seat == "anyone") {
        let (status, joined) = visitor.post(&format!("/api/matches/{id}/join"), &json!({})).await;
        assert_eq!(status, 200, "{joined}");
        players.push(visitor.with(&joined["token"]));
    }
    (id, players)
}

#[tokio::test]
async fn an_offer_needs_every_other_player() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, players) = three(&server, &["you", "anyone", "anyone"]).await;
    for (ply, event) in ["mark@a1", "mark@b2", "mark@c3"].into_iter().enumerate() {
        assert_eq!(players[ply].play(&id, ply, event).await.0, 200);
    }
    assert_eq!(players[2].act(&id, "undo").await.0, 200);
    assert_eq!(players[0].act(&id, "undo").await.0, 200);
    let state = players[1].state(&id).await;
    assert_eq!((&state["ply"], &state["offer"]["seat"]), (&json!(3), &json!(2)));
    assert_eq!(state["offer"]["agreed"], json!([2, 0]));
    assert_eq!(players[1].act(&id, "undo").await.0, 200);
    assert_eq!(players[1].state(&id).await["ply"], json!(2));
    for (player, over) in [(1, false), (1, false), (0, false), (2, true)] {
        let (status, told) = players[player].act(&id, "draw").await;
        assert_eq!(status, 200, "{told}");
        let state = players[player].state(&id).await;
        assert_eq!(state["status"] == "over", over, "{state}");
    }
    server.stop().await;
}

#[tokio::test]
async fn who_has_two_seats_agrees_for_both_and_for_nobody_else() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, players) = three(&server, &["you", "you", "anyone"]).await;
    let offer = async |player: &Client, seat: usize| {
        let offer = json!({ "action": "draw", "seat": seat });
        let (status, told) = player.post(&format!("/api/matches/{id}/actions"), &offer).await;
        assert_eq!(status, 200, "{told}");
        player.state(&id).await["status"].clone()
    };
    assert_eq!(offer(&players[0], 0).await, "playing");
    assert_eq!(offer(&players[0], 1).await, "playing", "nobody else was asked");
    assert_eq!(offer(&players[1], 2).await, "over");
    server.stop().await;
}

#[tokio::test]
async fn nobody_ends_a_match_of_three_by_leaving_late() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, players) = three(&server, &["you", "anyone", "anyone"]).await;
    assert_eq!(players[0].play(&id, 0, "mark@a1").await.0, 200);
    let (status, told) = players[2].act(&id, "abandon").await;
    assert_eq!((status, &told["code"]), (409, &json!("begun")));
    server.stop().await;
}

#[tokio::test]
async fn who_gives_up_among_several_leaves_the_others_playing() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, players) = three(&server, &["you", "anyone", "anyone"]).await;
    assert_eq!(players[0].play(&id, 0, "mark@a1").await.0, 200);
    assert_eq!(players[1].act(&id, "resign").await.0, 200);
    let state = players[2].state(&id).await;
    assert_eq!((&state["status"], &state["seats"][1]["kind"]), (&json!("playing"), &json!("bot")));
    assert_eq!(players[1].play(&id, 1, "mark@b2").await.0, 403, "the seat is given up");
    // The server moves for the seat, also after a restart.
    server.stop().await;
    let server = serve(&folder.0, None).await;
    let moved = |at: usize| Client { address: server.address(), ..players[at].clone() };
    for _ in 0..100 {
        if moved(2).state(&id).await["mover"] == json!(2) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let state = moved(2).state(&id).await;
    assert_eq!((&state["ply"], &state["mover"]), (&json!(2), &json!(2)), "{state}");
    for (player, over) in [(2, false), (0, true)] {
        assert_eq!(moved(player).act(&id, "resign").await.0, 200);
        let over_now = moved(0).state(&id).await["status"] == "over";
        assert_eq!(over_now, over, "the last who plays ends the match");
    }
    server.stop().await;
}

#[tokio::test]
async fn each_player_names_moves_without_regard_to_the_others() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let path = format!("/api/matches/{id}/moves");
    let send = async |player: &Client, ply: usize, name: &str, event: &str| {
        player.post(&path, &json!({ "ply": ply, "id": name, "event": event })).await
    };
    assert_eq!(send(&white, 0, "1", "e4").await.0, 200);
    assert_eq!(send(&black, 1, "1", "e5").await.0, 200, "the first move of each");
    assert_eq!(send(&white, 2, "1", "Nf3").await.0, 200, "the same name at another ply");
    let again = send(&white, 2, "1", "Nf3").await;
    assert_eq!((again.0, &again.1["move"]["notation"]), (200, &json!("Nf3")));
    // What was taken back is not an answer to anything.
    for player in [&white, &black] {
        assert_eq!(player.act(&id, "undo").await.0, 200);
    }
    let (status, told) = send(&white, 2, "1", "d4").await;
    assert_eq!((status, &told["move"]["notation"]), (200, &json!("d4")), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn a_seat_is_taken_once_however_often_it_is_asked_for() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let (_, made) = client.post("/api/matches", &json!({ "game": "chess" })).await;
    let id = made["match"].as_str().unwrap();
    let path = format!("/api/matches/{id}/join");
    let token = "0123456789abcdef0123456789abcdef";
    let join = json!({ "invitation": made["invitations"][0]["invitation"], "token": token });
    let first = client.post(&path, &join).await;
    assert_eq!((first.0, &first.1["seats"]), (200, &json!([1])), "{}", first.1);
    assert_eq!(client.post(&path, &join).await, first);
    let other = json!({ "invitation": made["invitations"][0]["invitation"] });
    assert_eq!(client.post(&path, &other).await.0, 409, "an invitation is good for one");
    let player = client.with(&Value::from(token));
    assert_eq!(player.state(id).await["you"], json!([1]));
    for token in ["", "short", "0123456789abcdef 123456789abcdef"] {
        let (status, told) = client.post(&path, &json!({ "token": token })).await;
        assert_eq!(status, 400, "{told}");
    }
    server.stop().await;
}
