//! Clients of a server under test.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use futures_util::{SinkExt, StreamExt};
use senet_server::limit::Rate;
use senet_server::store::Database;
use senet_server::{Config, Server, start};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

/// A folder that is removed afterwards.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir();
        let path = path.join(format!("senet-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) async fn serve(folder: &Path, rate: Option<Rate>) -> Server {
    serve_from(Database::File(folder.join("senet.db")), rate).await
}

pub(crate) async fn serve_from(database: Database, rate: Option<Rate>) -> Server {
    serve_as(Config { rate, ..config(database) }).await
}

pub(crate) async fn serve_as(config: Config) -> Server {
    start(config).await.unwrap()
}

/// A server without bounds, on a port that the system chooses.
pub(crate) fn config(database: Database) -> Config {
    Config {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        database,
        engines: Vec::new(),
        rate: None,
        matches: None,
        connections: None,
        trust_proxy: false,
        log: false,
    }
}

/// A client that sends one request at a time.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) token: Option<String>,
}

impl Client {
    pub(crate) fn new(server: &Server) -> Client {
        Client { address: server.address(), token: None }
    }

    pub(crate) fn with(&self, token: &Value) -> Client {
        Client { token: token.as_str().map(str::to_owned), ..self.clone() }
    }

    /// The whole answer to a request, its head included.
    async fn answer(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let bearer = self.token.as_ref();
        let bearer =
            bearer.map_or(String::new(), |token| format!("Authorization: Bearer {token}\r\n"));
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: test\r\n{bearer}Connection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        // Who is refused early may find the connection closed.
        let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    async fn exchange(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let text = self.answer(method, path, body).await;
        let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, body.to_owned())
    }

    pub(crate) async fn send(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let (status, body) = self.exchange(method, path, body).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    /// The head of an answer.
    pub(crate) async fn head(&self, path: &str) -> String {
        let text = self.answer("GET", path, "").await;
        text.split_once("\r\n\r\n").map_or(String::new(), |(head, _)| head.to_lowercase())
    }

    pub(crate) async fn text(&self, path: &str) -> (u16, String) {
        self.exchange("GET", path, "").await
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        self.send("GET", path, "").await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send("POST", path, &body.to_string()).await
    }

    pub(crate) async fn play(&self, id: &str, ply: usize, event: &str) -> (u16, Value) {
        self.post(&format!("/api/matches/{id}/moves"), &json!({ "ply": ply, "event": event })).await
    }

    pub(crate) async fn state(&self, id: &str) -> Value {
        self.get(&format!("/api/matches/{id}")).await.1
    }

    pub(crate) async fn act(&self, id: &str, action: &str) -> (u16, Value) {
        self.post(&format!("/api/matches/{id}/actions"), &json!({ "action": action })).await
    }
}

/// A match of two people: its name and what each of them sends with.
pub(crate) async fn two(server: &Server, arrangement: Value) -> (String, Client, Client) {
    let client = Client::new(server);
    let (status, made) = client.post("/api/matches", &arrangement).await;
    assert_eq!(status, 201, "{made}");
    let id = made["match"].as_str().unwrap().to_owned();
    let invitation = &made["invitations"][0]["invitation"];
    let join = json!({ "invitation": invitation, "name": "Bo", "salt": "bo" });
    let (status, joined) = client.post(&format!("/api/matches/{id}/join"), &join).await;
    assert_eq!(status, 200, "{joined}");
    (id, client.with(&made["token"]), client.with(&joined["token"]))
}

/// Follows a match over a WebSocket.
pub(crate) async fn follow(client: &Client, id: &str) -> Socket {
    let url = format!("ws://{}/api/matches/{id}/socket", client.address);
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
    let hello = json!({ "type": "hello", "token": client.token });
    socket.send(Message::text(hello.to_string())).await.unwrap();
    socket
}

/// A WebSocket.
pub(crate) type Socket =
    tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// The next message of a socket.
pub(crate) async fn read(socket: &mut Socket) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}
