//! The server as its clients see it, on a port of this machine that the system chooses.

mod agreement;
mod client;
#[cfg(unix)]
mod cluster;
mod document;
mod fault;
mod file;
mod idle;
mod limit;
mod patience;
mod secret;
#[cfg(unix)]
mod shared;
mod stream;

use futures_util::SinkExt;
use senet_server::draw::{Broken, Draws};
use senet_server::limit::Rate;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use client::{Client, Folder, follow, read, serve, two};

#[tokio::test]
async fn two_people_play_to_mate() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    for (ply, event) in ["f3", "e5", "g4", "Qh4#"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &white } else { &black };
        let (status, told) = mover.play(&id, ply, event).await;
        assert_eq!((status, told["ply"].as_u64()), (200, Some(ply as u64)), "{told}");
    }
    let state = black.state(&id).await;
    assert_eq!((&state["status"], &state["result"]["winner"]), (&json!("over"), &json!(1)));
    assert_eq!(state["result"]["text"], "black wins: checkmate");
    let (status, told) = white.play(&id, 4, "e4").await;
    assert_eq!((status, &told["code"]), (409, &json!("over")));
    server.stop().await;
}

#[tokio::test]
async fn a_refusal_carries_the_whole_explanation() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let path = format!("/api/matches/{id}/moves");
    let state = white.state(&id).await;
    // a1 to a5, with a pawn in the way.
    let (status, told) = white.post(&path, &json!({ "ply": 0, "from": 0, "to": 32 })).await;
    assert_eq!((status, &told["code"]), (422, &json!("refused")), "{told}");
    let explanation = &told["explanation"];
    assert_eq!(explanation["phase"], "play");
    assert_eq!(explanation["blocker"], json!(8), "{explanation}");
    assert!(!explanation["rules"].as_array().unwrap().is_empty());
    assert!(told["detail"].as_str().unwrap().contains("a2"), "{told}");
    assert_eq!(white.state(&id).await["number"], state["number"]);
    server.stop().await;
}

#[tokio::test]
async fn only_the_seat_to_move_may_move() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let (_, other_white, _) = two(&server, json!({ "game": "chess" })).await;
    let nobody = Client::new(&server);
    let codes = [
        black.play(&id, 0, "e4").await.0,
        nobody.play(&id, 0, "e4").await.0,
        other_white.play(&id, 0, "e4").await.0,
        nobody.with(&json!("0123")).play(&id, 0, "e4").await.0,
    ];
    assert_eq!(codes, [409, 401, 403, 403]);
    let spectator = nobody.state(&id).await;
    assert_eq!((&spectator["legal"], &spectator["you"]), (&Value::Null, &json!([])));
    assert_eq!(white.state(&id).await["legal"].as_array().unwrap().len(), 20);
    assert_eq!(black.state(&id).await["legal"], Value::Null);
    // An invitation is good for one seat, once.
    let (status, _) = nobody.post(&format!("/api/matches/{id}/join"), &json!({})).await;
    assert_eq!(status, 409);
    server.stop().await;
}

#[tokio::test]
async fn a_repeated_move_is_played_once_and_a_stale_one_is_told_the_state() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let path = format!("/api/matches/{id}/moves");
    let body = json!({ "ply": 0, "id": "first", "event": "e4" });
    let (first, again) = (white.post(&path, &body).await, white.post(&path, &body).await);
    assert_eq!(first.0, 200);
    assert_eq!(first, again);
    let (status, stale) = white.post(&path, &json!({ "ply": 0, "event": "d4" })).await;
    assert_eq!((status, &stale["code"]), (409, &json!("stale")));
    assert_eq!(stale["state"]["ply"], json!(1));
    server.stop().await;
}

#[tokio::test]
async fn of_a_hundred_moves_at_once_one_wins() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let moves = (0..100).map(|at| {
        let (white, id) = (white.clone(), id.clone());
        let event = ["e4", "d4", "c4", "Nf3"][at % 4];
        tokio::spawn(async move { white.play(&id, 0, event).await.0 })
    });
    let moves: Vec<_> = moves.collect();
    let mut codes = Vec::new();
    for one in moves {
        codes.push(one.await.unwrap());
    }
    assert_eq!(codes.iter().filter(|code| **code == 200).count(), 1);
    assert_eq!(codes.iter().filter(|code| **code == 409).count(), 99);
    assert_eq!(white.state(&id).await["ply"], json!(1));
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_starts_again_goes_on() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let clock = json!({ "kind": "fischer", "initial": 600_000, "increment": 1_000 });
    let (id, white, black) = two(&server, json!({ "game": "chess", "clock": clock })).await;
    white.play(&id, 0, "e4").await;
    black.play(&id, 1, "c5").await;
    let before = white.state(&id).await;
    server.stop().await;
    let server = serve(&folder.0, None).await;
    let moved = |client: &Client| Client { address: server.address(), ..client.clone() };
    let after = moved(&white).state(&id).await;
    assert_eq!(before["position"], after["position"]);
    assert_eq!(before["moves"], after["moves"]);
    let left = after["seats"][0]["left"].as_u64().unwrap();
    assert!((590_000..=601_000).contains(&left), "{left}");
    assert_eq!(moved(&white).play(&id, 2, "Nf3").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn secrets_are_not_stored() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (_, white, black) = two(&server, json!({ "game": "chess" })).await;
    server.stop().await;
    let files = std::fs::read_dir(&folder.0).unwrap().map(|file| file.unwrap().path());
    let bytes: Vec<u8> = files.flat_map(|file| std::fs::read(file).unwrap()).collect();
    for token in [white.token.unwrap(), black.token.unwrap()] {
        let found = bytes.windows(token.len()).any(|window| window == token.as_bytes());
        assert!(!found, "a token is in the database");
    }
}

#[tokio::test]
async fn a_bot_answers() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let wanted = json!({ "game": "tic-tac-toe", "seats": ["you", { "bot": "search@5" }] });
    let (_, made) = client.post("/api/matches", &wanted).await;
    let (id, client) = (made["match"].as_str().unwrap().to_owned(), client.with(&made["token"]));
    assert_eq!(client.play(&id, 0, "b2").await.0, 200);
    let mut ply = 0;
    for _ in 0..200 {
        ply = client.state(&id).await["ply"].as_u64().unwrap();
        if ply == 2 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(ply, 2);
    let (status, told) = client
        .post("/api/matches", &json!({ "game": "chess", "seats": ["you", { "bot": "me" }] }))
        .await;
    assert_eq!(status, 400, "{told}");
    server.stop().await;
}

#[tokio::test]
async fn time_runs_out_by_itself() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let clock = json!({ "kind": "turn", "time": 1_000 });
    let (id, white, black) = two(&server, json!({ "game": "chess", "clock": clock })).await;
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    tokio::time::sleep(std::time::Duration::from_millis(1_400)).await;
    let state = white.state(&id).await;
    assert_eq!((&state["status"], &state["result"]["winner"]), (&json!("over"), &json!(0)));
    assert_eq!(black.play(&id, 1, "e5").await.0, 409);
    server.stop().await;
}

#[tokio::test]
async fn dice_are_drawn_as_promised() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "backgammon", "salt": "al" })).await;
    for _ in 0..12 {
        let state = white.state(&id).await;
        let mover = if state["mover"] == json!(0) { &white } else { &black };
        let state = mover.state(&id).await;
        assert_eq!(state["seed"], Value::Null);
        let event = match state["roll"] == json!(true) {
            true => json!("roll"),
            false => state["legal"][0]["event"].clone(),
        };
        let ply = state["ply"].as_u64().unwrap() as usize;
        let (status, told) = mover.play(&id, ply, event.as_str().unwrap()).await;
        assert_eq!(status, 200, "{told}");
    }
    let commitment = white.state(&id).await["commitment"].clone();
    assert_eq!(white.act(&id, "resign").await.0, 200);
    let (_, told) = white.get(&format!("/api/matches/{id}/export?form=draws")).await;
    assert_eq!((&told["commitment"], &told["salts"]), (&commitment, &json!(["al", "bo"])));
    let draws: Draws = serde_json::from_value(told).unwrap();
    let game = senet::load("backgammon").unwrap();
    let rolls = draws.verify(&game).unwrap();
    assert!(rolls >= 3, "{rolls}");
    let other = Draws { salts: vec!["al".into(), "eve".into()], ..draws.clone() };
    assert!(matches!(other.verify(&game), Err(Broken::Draw { .. })));
    let other = Draws { seed: draws.commitment.clone(), ..draws };
    assert_eq!(other.verify(&game), Err(Broken::Seed));
    server.stop().await;
}

#[tokio::test]
async fn offers_need_both() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    white.play(&id, 0, "e4").await;
    assert_eq!(white.act(&id, "undo").await.0, 200);
    assert_eq!(black.state(&id).await["offer"], json!({ "seat": 0, "offer": "undo" }));
    assert_eq!(black.act(&id, "undo").await.0, 200);
    assert_eq!(white.state(&id).await["ply"], json!(0));
    assert_eq!(white.act(&id, "draw").await.0, 200);
    assert_eq!(black.act(&id, "decline").await.0, 200);
    assert_eq!(black.act(&id, "draw").await.0, 200);
    assert_eq!(white.act(&id, "draw").await.0, 200);
    assert_eq!(white.state(&id).await["result"]["text"], "draw: agreement");
    white.act(&id, "rematch").await;
    black.act(&id, "rematch").await;
    let next = white.state(&id).await["next"].as_str().unwrap().to_owned();
    assert_eq!(white.state(&next).await["you"], json!([1]), "sides change");
    assert_eq!(black.play(&next, 0, "d4").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn a_socket_tells_of_every_move() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    let mut socket = follow(&black, &id).await;
    let first = read(&mut socket).await;
    assert_eq!(first["state"]["you"], json!([1]));
    white.play(&id, 0, "e4").await;
    let update = read(&mut socket).await;
    assert_eq!(update["state"]["legal"].as_array().unwrap().len(), 20);
    let play = json!({ "type": "play", "request": 7, "body": { "ply": 1, "event": "e9" } });
    socket.send(Message::text(play.to_string())).await.unwrap();
    let problem = read(&mut socket).await;
    assert_eq!((&problem["type"], &problem["request"]), (&json!("problem"), &json!(7)));
    socket.send(Message::text("{")).await.unwrap();
    assert_eq!(read(&mut socket).await["problem"]["status"], json!(400));
    server.stop().await;
}

#[tokio::test]
async fn an_uploaded_game_is_checked_and_played() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let text = "game five\nplayers x, o\nboard grid 5 x 5\npiece mark\nput mark on empty\n\
                win \"four in a row\" line 4 of own\ndraw \"board full\" none empty\n";
    let (status, told) = client.send("POST", "/api/games", &text.replace("empty", "emty")).await;
    assert_eq!((status, &told["code"]), (422, &json!("invalid_game")), "{told}");
    let problem = &told["problems"][0];
    assert_eq!((&problem["line"], &problem["column"]), (&json!(5), &json!(13)), "{told}");
    let (status, told) = client.send("POST", "/api/games", text).await;
    assert_eq!((status, &told["name"]), (200, &json!("five")), "{told}");
    let (id, x, _) = two(&server, json!({ "game": told["definition"] })).await;
    assert_eq!(x.play(&id, 0, "mark@c3").await.0, 200);
    server.stop().await;
    // The file lies beside the match, so that another server can go on.
    let server = serve(&folder.0, None).await;
    let x = Client { address: server.address(), ..x };
    assert_eq!(x.state(&id).await["ply"], json!(1));
    server.stop().await;
}

#[tokio::test]
async fn matches_leave_and_return_as_files() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess", "name": "Al" })).await;
    for (ply, event) in ["e4", "e5", "Nf3"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &white } else { &black };
        assert_eq!(mover.play(&id, ply, event).await.0, 200);
    }
    assert_eq!(black.act(&id, "resign").await.0, 200);
    let path = format!("/api/matches/{id}/export");
    let (status, pgn) = white.text(&format!("{path}?form=pgn")).await;
    assert_eq!(status, 200, "{pgn}");
    assert!(pgn.contains("[White \"Al\"]") && pgn.contains("1. e4 e5 2. Nf3 1-0"), "{pgn}");
    let (_, saved) = white.text(&path).await;
    for file in [&pgn, &saved] {
        let (status, line) = white.send("POST", "/api/import", file).await;
        assert_eq!((status, &line["game"]), (200, &json!("chess")), "{line}");
        let moves = line["moves"].as_array().unwrap();
        let notations: Vec<&Value> = moves.iter().map(|one| &one["notation"]).collect();
        assert_eq!(notations, ["e4", "e5", "Nf3"]);
        let events: Vec<&Value> = moves.iter().map(|one| &one["event"]).collect();
        let (status, told) =
            white.post("/api/analyse", &json!({ "game": "chess", "moves": events })).await;
        assert_eq!(status, 200, "{told}");
    }
    assert_eq!(white.get(&format!("{path}?form=mat")).await.0, 422);
    assert_eq!(white.get(&format!("{path}?form=sgf")).await.0, 422);
    assert_eq!(white.get(&format!("{path}?form=xyz")).await.0, 400);
    let (status, told) = white.send("POST", "/api/import", "1. e4 e9 *").await;
    assert_eq!((status, &told["code"]), (422, &json!("invalid_file")), "{told}");
    server.stop().await;
}

#[tokio::test]
async fn a_match_of_backgammon_leaves_and_returns_as_a_file() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "backgammon" })).await;
    // A file holds whole turns, so that the last one is played to its end.
    for count in 0.. {
        let mover = if white.state(&id).await["mover"] == json!(0) { &white } else { &black };
        let state = mover.state(&id).await;
        if count >= 8 && state["roll"] == json!(true) {
            break;
        }
        let event = match state["roll"] == json!(true) {
            true => json!("roll"),
            false => state["legal"][0]["event"].clone(),
        };
        let ply = state["ply"].as_u64().unwrap() as usize;
        assert_eq!(mover.play(&id, ply, event.as_str().unwrap()).await.0, 200);
    }
    let (status, mat) = white.text(&format!("/api/matches/{id}/export?form=mat")).await;
    assert_eq!(status, 200, "{mat}");
    let (status, line) = white.send("POST", "/api/import", &mat).await;
    assert_eq!((status, &line["game"]), (200, &json!("backgammon")), "{mat}{line}");
    assert!(line["moves"].as_array().unwrap().len() >= 4, "{line}");
    server.stop().await;
}

#[tokio::test]
async fn who_has_not_moved_may_leave() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
    assert_eq!(white.play(&id, 0, "e4").await.0, 200);
    let (status, told) = white.act(&id, "abandon").await;
    assert_eq!((status, &told["code"]), (409, &json!("begun")));
    assert_eq!(black.act(&id, "abandon").await.0, 200);
    let state = white.state(&id).await;
    assert_eq!((&state["status"], &state["result"]["winner"]), (&json!("over"), &Value::Null));
    assert_eq!(state["result"]["text"], "abandoned");
    server.stop().await;
}

#[tokio::test]
async fn rules_may_say_what_a_fallen_flag_means() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let text = "game slow\nplayers x, o\nboard grid 3 x 3\npiece mark\nvariable late 0..1\n\
                put mark on empty\nrule flag: aside act flag then late = 1\n\
                draw \"nobody minds\" late = 1\ndraw \"board full\" none empty\n";
    let (status, told) = client.send("POST", "/api/games", text).await;
    assert_eq!(status, 200, "{told}");
    let clock = json!({ "kind": "turn", "time": 1_000 });
    let wanted = json!({ "game": told["definition"], "clock": clock });
    let (id, x, _) = two(&server, wanted).await;
    assert_eq!(x.play(&id, 0, "mark@b2").await.0, 200);
    tokio::time::sleep(std::time::Duration::from_millis(1_400)).await;
    let result = x.state(&id).await["result"].clone();
    assert_eq!((&result["winner"], &result["reason"]), (&Value::Null, &json!("nobody minds")));
    server.stop().await;
}

#[tokio::test]
async fn the_document_describes_what_answers() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let (_, document) = client.get("/api/openapi.json").await;
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 18, "{}", paths.len());
    for (path, methods) in paths {
        let address = path.replace("{id}", "none").replace("{name}", "none");
        for method in methods.as_object().unwrap().keys() {
            let (status, told) = client.send(&method.to_uppercase(), &address, "").await;
            assert!(status != 405 && status < 500, "{method} {path}: {status} {told}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn nonsense_is_refused_and_never_breaks_the_server() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let moves = format!("/api/matches/{id}/moves");
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "{\"ply\":-1}",
        "{\"ply\":0}",
        "{\"ply\":0,\"from\":0,\"to\":9999}",
        "{\"ply\":18446744073709551615,\"event\":\"e4\"}",
        "{\"ply\":0,\"event\":\"\"}",
        "{\"ply\":0,\"event\":\"\\u0000\"}",
        "{\"ply\":0,\"event\":\"e4\",\"id\":\"a b\"}",
        "{\"ply\":0,\"event\":\"roll\"}",
        "{\"ply\":0,\"more\":1}",
    ];
    for body in bodies {
        let (status, told) = white.send("POST", &moves, body).await;
        assert!((400..500).contains(&status), "{body}: {status} {told}");
        assert!(told["detail"].is_string(), "{body}: {told}");
    }
    let long = "x".repeat(300 * 1024);
    assert_eq!(white.send("POST", &moves, &long).await.0, 413);
    let paths = ["/api/matches/none", "/api/games/nothing", "/nothing", "/web/../Cargo.toml"];
    for path in paths {
        assert_eq!(white.get(path).await.0, 404, "{path}");
    }
    assert_eq!(white.send("DELETE", "/api/games", "").await.0, 405);
    assert_eq!(white.get("/ready").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn an_address_may_ask_only_so_much() {
    let folder = Folder::new();
    let server = serve(&folder.0, Some(Rate { burst: 5, ..Rate::per_second(1) })).await;
    let client = Client::new(&server);
    let mut codes = Vec::new();
    for _ in 0..8 {
        codes.push(client.get("/health").await.0);
    }
    assert_eq!(codes[..5], [200; 5]);
    assert!(codes[5..].contains(&429), "{codes:?}");
    server.stop().await;
}

#[tokio::test]
async fn every_shipped_game_can_be_drawn_and_begun() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    for name in senet::games() {
        let (status, game) = client.get(&format!("/api/games/{name}")).await;
        assert_eq!(status, 200, "{name}");
        let tiles = game["tiles"].as_u64().unwrap() as usize;
        for side in game["sides"].as_array().unwrap() {
            assert_eq!(side["spots"].as_array().unwrap().len(), tiles, "{name}");
        }
        let seats: Vec<&str> = game["players"].as_array().unwrap().iter().map(|_| "you").collect();
        let (status, made) =
            client.post("/api/matches", &json!({ "game": name, "seats": seats })).await;
        assert_eq!(status, 201, "{name}: {made}");
        let id = made["match"].as_str().unwrap();
        let player = client.with(&made["token"]);
        let state = player.state(id).await;
        let first = &state["legal"][0]["event"];
        let event = if first.is_null() { "roll" } else { first.as_str().unwrap() };
        let ply = state["ply"].as_u64().unwrap() as usize;
        let (status, told) = player.play(id, ply, event).await;
        assert_eq!(status, 200, "{name} {event}: {told}");
    }
    server.stop().await;
}

#[tokio::test]
async fn the_opening_table_counts_matches_that_are_over() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let visitor = Client::new(&server);
    let table = async |moves: &[&str]| {
        let line = json!({ "game": "chess", "moves": moves });
        visitor.post("/api/analyse", &line).await.1["opening"].clone()
    };
    assert_eq!(table(&[]).await, json!([]));
    // White resigns after e4, black after d4, and one match is not over.
    for (event, loser) in [("e4", Some(0)), ("e4", Some(1)), ("d4", Some(1)), ("c4", None)] {
        let (id, white, black) = two(&server, json!({ "game": "chess" })).await;
        assert_eq!(white.play(&id, 0, event).await.0, 200);
        if let Some(loser) = loser {
            assert_eq!([&white, &black][loser].act(&id, "resign").await.0, 200);
        }
    }
    let e4 = json!({ "event": "e2e4", "notation": "e4", "count": 2, "wins": [1, 1], "draws": 0 });
    let d4 = json!({ "event": "d2d4", "notation": "d4", "count": 1, "wins": [1, 0], "draws": 0 });
    assert_eq!(table(&[]).await, json!([e4, d4]));
    assert_eq!(table(&["e4"]).await, json!([]));
    server.stop().await;
}
