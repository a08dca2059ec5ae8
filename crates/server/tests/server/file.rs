//! Matches that leave and return as the files of others.

use serde_json::{Value, json};

use crate::client::{Client, Folder, serve, two};

#[tokio::test]
async fn a_match_of_go_leaves_and_returns_as_sgf() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let (id, black, white) = two(&server, json!({ "game": "go", "name": "Al [5 dan]" })).await;
    for (ply, event) in ["stone@q16", "stone@d4", "pass"].into_iter().enumerate() {
        let mover = if ply % 2 == 0 { &black } else { &white };
        assert_eq!(mover.play(&id, ply, event).await.0, 200);
    }
    assert_eq!(white.act(&id, "resign").await.0, 200);
    let (status, sgf) = black.text(&format!("/api/matches/{id}/export?form=sgf")).await;
    assert_eq!(status, 200, "{sgf}");
    assert!(sgf.contains("PB[Al [5 dan\\]]") && sgf.contains("RE[B+R]"), "{sgf}");
    assert!(sgf.contains(";B[qd];W[dp];B[])"), "{sgf}");
    let (status, line) = black.send("POST", "/api/import", &sgf).await;
    assert_eq!((status, &line["game"]), (200, &json!("go")), "{line}");
    assert_eq!(notations(&line), ["stone@q16", "stone@d4", "pass"]);
    let (_, shown) = black.get("/api/games/go").await;
    assert_eq!(shown["forms"], json!(["json", "sgf"]));
    server.stop().await;
}

#[tokio::test]
async fn an_sgf_file_of_another_size_can_be_analysed_and_played() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let file = "(;FF[4]GM[1]SZ[9]AB[gc][cg];W[ee];B[de])";
    let (status, line) = client.send("POST", "/api/import", file).await;
    assert_eq!(status, 200, "{line}");
    assert_eq!(notations(&line), ["stone@e5", "stone@d5"]);
    let game = line["game"].as_str().unwrap();
    let events: Vec<&Value> =
        line["moves"].as_array().unwrap().iter().map(|one| &one["event"]).collect();
    let asked = json!({ "game": game, "position": line["position"], "moves": events });
    let (status, told) = client.post("/api/analyse", &asked).await;
    assert_eq!((status, told["position"]["pieces"].as_array().unwrap().len()), (200, 4), "{told}");
    server.stop().await;
    // The game is known by its hash also after a restart.
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let (status, shown) = client.get(&format!("/api/games/{game}")).await;
    assert_eq!((status, &shown["name"], &shown["tiles"]), (200, &json!("go-9"), &json!(81)));
    for (wrong, why) in [("(;GM[3])", "GM[3]"), ("(;B[aa];W[aa])", "refused"), ("(;B[", "missing")]
    {
        let (status, told) = client.send("POST", "/api/import", wrong).await;
        assert_eq!((status, &told["code"]), (422, &json!("invalid_file")), "{told}");
        assert!(told["detail"].as_str().unwrap().contains(why), "{told}");
    }
    server.stop().await;
}

fn notations(line: &Value) -> Vec<&str> {
    let moves = line["moves"].as_array().unwrap().iter();
    moves.map(|one| one["notation"].as_str().unwrap()).collect()
}
