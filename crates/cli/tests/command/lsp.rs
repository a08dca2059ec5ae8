//! The language server over pipes, as an editor uses it.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::senet::command;

const URI: &str = "file:///games/mine.senet";

const GAME: &str = "\
game mine is chess
region hill = {d4 e4 d5 e5}
win \"king of the hill\" (first) any hill & own & royal
";

/// An editor with the server at the other end of its pipes.
struct Editor {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: u64,
}

impl Editor {
    fn start() -> Editor {
        let mut child = command(&["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command is built");
        let to = child.stdin.take().expect("it is piped");
        let from = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut editor = Editor { child, to, from, asked: 0 };
        let greeted = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(greeted["capabilities"]["renameProvider"]["prepareProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.to.flush().expect("it listens");
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.from.read_line(&mut line).expect("it speaks");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", bytes)) => length = bytes.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.from.read_exact(&mut text).expect("it speaks");
        serde_json::from_slice(&text).expect("it speaks JSON")
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer["result"].clone()
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// What is shown after a change.
    fn shown(&mut self) -> Value {
        self.receive()["params"]["diagnostics"].clone()
    }
}

fn at(line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
}

#[test]
fn an_editor_opens_edits_completes_renames_and_leaves() {
    let mut editor = Editor::start();
    editor.tell(
        "textDocument/didOpen",
        json!({ "textDocument": {
        "uri": URI, "languageId": "senet", "version": 1, "text": GAME } }),
    );
    assert_eq!(editor.shown(), json!([]));

    // `own` becomes `onw`: a mistake, with what was meant.
    let change = |text: &str| {
        json!({ "textDocument": { "uri": URI, "version": 2 },
        "contentChanges": [{ "range": { "start": { "line": 2, "character": 42 },
            "end": { "line": 2, "character": 45 } }, "text": text }] })
    };
    let begin = Instant::now();
    editor.tell("textDocument/didChange", change("onw"));
    let wrong = editor.shown();
    let taken = begin.elapsed();
    assert!(wrong[0]["message"].as_str().unwrap().contains("did you mean `own`?"), "{wrong}");
    // Fifty milliseconds are the aim; machines that do much else get more.
    assert!(taken < Duration::from_secs(2), "{taken:?}");
    editor.tell("textDocument/didChange", change("own"));
    assert_eq!(editor.shown(), json!([]));

    let hover = editor.ask("textDocument/hover", at(2, 37));
    let told = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(told.contains("4 tiles: d4 e4 d5 e5"), "{told}");
    let completed = editor.ask("textDocument/completion", at(2, 44));
    let labels: Vec<&str> =
        completed.as_array().unwrap().iter().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"hill") && labels.contains(&"pawn"), "{labels:?}");
    let mut rename = at(1, 8);
    rename["newName"] = json!("centre");
    let edits = editor.ask("textDocument/rename", rename)["changes"][URI].clone();
    assert_eq!(edits.as_array().map(Vec::len), Some(2));

    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    editor.tell("exit", Value::Null);
    assert!(editor.child.wait().expect("it ends").success());
}
