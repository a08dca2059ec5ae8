//! What an address may do, and what an uploaded game may be.

use senet_server::Config;
use senet_server::Server;
use senet_server::limit::Rate;
use senet_server::store::Database;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::client::{Client, Folder, config, follow, read, serve, serve_as, two};

/// The status of an answer to a request with more headers.
async fn status(server: &Server, path: &str, headers: &str) -> u16 {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[tokio::test]
async fn behind_a_proxy_addresses_are_those_that_the_proxy_saw() {
    for trust_proxy in [true, false] {
        let folder = Folder::new();
        let database = Database::File(folder.0.join("senet.db"));
        let rate = Some(Rate { burst: 3, ..Rate::per_hour(1) });
        let server = serve_as(Config { rate, trust_proxy, ..config(database) }).await;
        let mut passed = 0;
        for number in 0..6 {
            // What a client makes up comes before what the proxy adds, in one line or in two.
            let forged = format!("X-Forwarded-For: 10.1.1.{number}");
            let headers = [
                format!("{forged}, 10.0.0.1\r\n"),
                format!("{forged}\r\nX-Forwarded-For: 10.0.0.1\r\n"),
            ];
            let code = status(&server, "/health", &headers[number % 2]).await;
            passed += usize::from(code == 200);
        }
        assert_eq!(passed, 3, "forged addresses count for nothing");
        let other = status(&server, "/health", "X-Forwarded-For: 10.0.0.2\r\n").await;
        assert_eq!(other, if trust_proxy { 200 } else { 429 });
        server.stop().await;
    }
}

#[tokio::test]
async fn counts_are_told_only_to_operators() {
    let folder = Folder::new();
    let database = Database::File(folder.0.join("senet.db"));
    let server = serve_as(Config { trust_proxy: true, ..config(database) }).await;
    assert_eq!(status(&server, "/metrics", "").await, 200);
    for header in ["X-Forwarded-For: 10.0.0.1", "Forwarded: for=10.0.0.1", "Via: 1.1 proxy"] {
        assert_eq!(status(&server, "/metrics", &format!("{header}\r\n")).await, 403, "{header}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_address_has_only_so_many_connections() {
    let folder = Folder::new();
    let database = Database::File(folder.0.join("senet.db"));
    let server = serve_as(Config { connections: Some(3), ..config(database) }).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        let mut socket = follow(&white, &id).await;
        read(&mut socket).await;
        sockets.push(socket);
    }
    let refused = async || {
        let mut stream = TcpStream::connect(server.address()).await.unwrap();
        let _ = stream
            .write_all(b"GET /health HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n")
            .await;
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text).await;
        text.is_empty()
    };
    assert!(refused().await);
    // A connection that ends makes room for another, also where it had become a WebSocket.
    sockets.pop();
    let mut left = 100;
    while refused().await {
        left -= 1;
        assert!(left > 0, "the place of a closed connection is not free");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    drop(sockets);
    server.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_an_address_follows_only_so_often() {
    let folder = Folder::new();
    let database = Database::File(folder.0.join("senet.db"));
    let config = Config { connections: Some(2), trust_proxy: true, ..config(database) };
    let server = serve_as(config).await;
    let (id, white, _) = two(&server, json!({ "game": "chess" })).await;
    let sockets = [follow(&white, &id).await, follow(&white, &id).await];
    let path = format!("/api/matches/{id}/stream");
    assert_eq!(status(&server, &path, "").await, 429);
    assert_eq!(status(&server, "/health", "").await, 200);
    drop(sockets);
    server.stop().await;
}

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
