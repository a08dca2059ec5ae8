//! What an address may do, and what an uploaded game may be.

use senet_server::Config;
use senet_server::limit::Rate;
use senet_server::store::Database;
use serde_json::json;

use crate::client::{Client, Folder, config, serve, serve_as};

#[tokio::test]
async fn an_address_may_arrange_only_so_many_matches() {
    let folder = Folder::new();
    let database = Database::File(folder.0.join("senet.db"));
    let server = serve_as(Config { matches: Some(Rate::per_hour(3)), ..config(database) }).await;
    let client = Client::new(&server);
    for wanted in [201, 201, 201, 429, 429] {
        let (status, told) = client.post("/api/matches", &json!({ "game": "chess" })).await;
        assert_eq!(status, wanted, "{told}");
    }
    // What is refused for another reason does not count.
    assert_eq!(client.post("/api/matches", &json!({ "game": "chess", "seats": [] })).await.0, 400);
    server.stop().await;
}

#[tokio::test]
async fn games_that_are_too_large_are_refused_quickly() {
    let folder = Folder::new();
    let server = serve(&folder.0, None).await;
    let client = Client::new(&server);
    let rule = |number: usize| format!("rule r{number}: put stone on empty\n");
    let many: String = (0..600).map(rule).collect();
    let head = |size: &str| format!("game x\nplayers a, b\nboard grid {size}\npiece stone\n");
    let files = [
        head("31 x 33") + &rule(0) + "win \"x\" none empty\n",
        head("100000 x 100000") + &rule(0),
        head("3 x 3") + &many + "win \"x\" none empty\n",
        "x".repeat(65 * 1024),
    ];
    for file in files {
        let begun = std::time::Instant::now();
        let (status, told) = client.send("POST", "/api/games", &file).await;
        assert!(status == 422 || status == 413, "{told}");
        assert!(begun.elapsed().as_secs() < 10, "{}", &file[..60]);
    }
    server.stop().await;
}
