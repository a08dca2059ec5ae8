//! `senet serve` as a process, and what is checked of its matches afterwards.

use crate::senet::senet;

#[cfg(not(feature = "serve"))]
#[test]
fn a_build_without_the_server_says_how_to_get_it() {
    for (arguments, what) in [
        (&["serve", "--listen", "127.0.0.1:0"][..], "senet serve"),
        (&["replay", "--verify", "draws.json"], "senet replay --verify"),
    ] {
        let told = senet(arguments).failed(1);
        assert!(told.contains(&format!("{what} is not in this build")), "{told}");
        assert!(told.contains("cargo install --path crates/cli --features serve"), "{told}");
    }
}

#[cfg(all(unix, feature = "serve"))]
mod process {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;
    use std::path::{Path, PathBuf};
    use std::process::{Child, ChildStdout, Stdio};
    use std::time::{Duration, Instant};

    use serde_json::{Value, json};

    use super::senet;
    use crate::senet::{command, scratch, text};

    /// A server that is a process of its own.
    struct Server {
        child: Child,
        address: String,
        database: PathBuf,
        _out: BufReader<ChildStdout>,
    }

    impl Server {
        fn new(name: &str, options: &[&str]) -> Server {
            let database = scratch(&format!("{name}.db"));
            let options = [
                &["serve", "--json", "--listen", "127.0.0.1:0", "--database", text(&database)],
                options,
            ];
            let mut child = command(&options.concat())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut out = BufReader::new(child.stdout.take().unwrap());
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            let told: Value = serde_json::from_str(&line).unwrap();
            let address = told["address"].as_str().unwrap().to_owned();
            Server { child, address, database, _out: out }
        }

        fn send(&self, method: &str, path: &str, token: &Value, body: &Value) -> (u16, String) {
            let mut stream = TcpStream::connect(&self.address).unwrap();
            let body = if body.is_null() { String::new() } else { body.to_string() };
            let token = token.as_str().map(|token| format!("Authorization: Bearer {token}\r\n"));
            let (token, length) = (token.unwrap_or_default(), body.len());
            write!(
                stream,
                "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{token}\
                 Content-Length: {length}\r\n\r\n{body}"
            )
            .unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok());
            let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
            (status.unwrap_or(0), body.to_owned())
        }

        fn post(&self, path: &str, token: &Value, body: &Value) -> Value {
            let (status, told) = self.send("POST", path, token, body);
            assert!(status == 200 || status == 201, "{path}: {status} {told}");
            serde_json::from_str(&told).unwrap()
        }

        fn get(&self, path: &str, token: &Value) -> Value {
            let (status, told) = self.send("GET", path, token, &Value::Null);
            assert_eq!(status, 200, "{path}: {told}");
            serde_json::from_str(&told).unwrap()
        }

        /// Asks the process to end, and gives what it wrote to standard error.
        fn stop(mut self) -> String {
            let id = self.child.id().to_string();
            let told = std::process::Command::new("kill").args(["-TERM", &id]).status();
            assert!(told.is_ok_and(|done| done.success()));
            let mut noted = String::new();
            self.child.stderr.take().unwrap().read_to_string(&mut noted).unwrap();
            assert!(self.child.wait().unwrap().success(), "{noted}");
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{end}", self.database.display()));
            }
            noted
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// Plays some turns of backgammon and gives up; gives every secret there was.
    fn play(server: &Server) -> (String, Vec<String>) {
        let wanted = json!({ "game": "backgammon", "salt": "al" });
        let made = server.post("/api/matches", &Value::Null, &wanted);
        let path = format!("/api/matches/{}", made["match"].as_str().unwrap());
        let invitation = &made["invitations"][0]["invitation"];
        let join = json!({ "invitation": invitation, "salt": "bo" });
        let joined = server.post(&format!("{path}/join"), &Value::Null, &join);
        let tokens = [&made["token"], &joined["token"]];
        for _ in 0..8 {
            let mover = server.get(&path, tokens[0])["mover"].as_u64().unwrap() as usize;
            let state = server.get(&path, tokens[mover]);
            let event = match state["roll"] == json!(true) {
                true => json!("roll"),
                false => state["legal"][0]["event"].clone(),
            };
            let sent = json!({ "ply": state["ply"], "event": event });
            server.post(&format!("{path}/moves"), tokens[mover], &sent);
        }
        let (status, _) = server.send("GET", &path, &json!("forged-token"), &Value::Null);
        assert_eq!(status, 200);
        server.post(&format!("{path}/actions"), tokens[0], &json!({ "action": "resign" }));
        let secrets = [tokens[0], tokens[1], invitation, &json!("forged-token")];
        let secrets = secrets.map(|secret| secret.as_str().unwrap().to_owned());
        (path, secrets.to_vec())
    }

    #[test]
    fn draws_are_checked_by_a_command_and_logs_tell_no_secret() {
        let server = Server::new("serve-log", &["--log"]);
        let (path, secrets) = play(&server);
        let draws = server.get(&format!("{path}/export?form=draws"), &Value::Null);
        let file = scratch("draws.json");
        let verify = |draws: &Value| {
            std::fs::write(&file, draws.to_string()).unwrap();
            senet(&["replay", "--verify", text(&file)])
        };
        let told = verify(&draws).done();
        assert!(told.starts_with("backgammon: ") && told.contains(" draws, all as"), "{told}");
        let json = senet(&["replay", "--verify", text(&file), "--json"]).json();
        assert!(json["draws"].as_u64().unwrap() >= 3 && json["verified"] == json!(true), "{json}");
        let mut forged = draws.clone();
        forged["salts"] = json!(["al", "eve"]);
        let told = verify(&forged).failed(1);
        assert!(told.contains("but the seed gives"), "{told}");
        forged = draws.clone();
        forged["seed"] = draws["commitment"].clone();
        let told = verify(&forged).failed(1);
        assert!(told.contains("not the one that was committed to"), "{told}");
        let noted = server.stop();
        let lines: Vec<Value> =
            noted.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let moves = format!("{path}/moves");
        let played = lines.iter().filter(|line| line["path"] == json!(moves));
        assert_eq!(played.filter(|line| line["status"] == json!(200)).count(), 8, "{noted}");
        let seed = draws["seed"].as_str().unwrap().to_owned();
        for secret in secrets.iter().chain([&seed]) {
            assert!(!noted.contains(secret.as_str()), "{secret} is in the log");
        }
    }

    /// A program that reads for as long as there is something to read, and says nothing.
    fn silent_engine() -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let program = scratch("silent-engine");
        std::fs::write(&program, "#!/bin/sh\nwhile read -r line; do :; done\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    fn engine_option(program: &Path) -> String {
        format!("silent={}", text(program))
    }

    #[test]
    fn a_server_stops_though_an_engine_thinks() {
        let program = silent_engine();
        let server = Server::new("serve-stop", &["--engine", &engine_option(&program)]);
        let wanted = json!({ "game": "chess", "seats": ["you", { "bot": "uci:silent" }] });
        let made = server.post("/api/matches", &Value::Null, &wanted);
        let path = format!("/api/matches/{}/moves", made["match"].as_str().unwrap());
        server.post(&path, &made["token"], &json!({ "ply": 0, "event": "e4" }));
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        server.stop();
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    }
}
