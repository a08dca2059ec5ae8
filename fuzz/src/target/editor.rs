//! Editors: a game file that is edited while the language server is asked about it.
//!
//! A case is the name of a game and then a line for each edit: the first and the last place, each a line
//! and a column, and the new text as a string of JSON. Lines that are no edit are passed over.

use std::path::PathBuf;

use lsp_server::{Message, Notification, Request, RequestId};
use senet::Files;
use senet::lang::Library;
use senet::lang::server::{Document, Server};
use senet_chance::Source;
use serde_json::{Value, json};

use super::text::{changed, read};
use super::{Target, shorter};

pub(super) const EDITOR: Target = Target {
    name: "editor",
    law: "after any edits the server has the text of the editor and answers every question",
    fresh,
    check,
    smaller: shorter,
};

const URI: &str = "file:///games/case.senet";

/// Games with short files, so that many cases are checked in a second.
const NAMES: [&str; 5] = ["tic-tac-toe", "clobber", "hex", "kuhn-poker", "king-of-the-hill"];

/// What is asked after each edit, at the place where it ends.
const QUESTIONS: [&str; 9] = [
    "hover",
    "completion",
    "definition",
    "references",
    "prepareRename",
    "formatting",
    "documentSymbol",
    "rename",
    "codeAction",
];

/// A place in a text: a line and a column in UTF-16 units.
type Place = (u64, u64);

/// A range of a text and what replaces it.
struct Edit {
    start: Place,
    end: Place,
    text: String,
}

impl Edit {
    fn parse(line: &str) -> Option<Edit> {
        let mut words = line.splitn(5, ' ');
        let mut number = || words.next().and_then(|word| word.parse().ok());
        let (start, end) = ((number()?, number()?), (number()?, number()?));
        let bounded = [start.0, start.1, end.0, end.1].into_iter().all(|n| n <= u32::MAX.into());
        let text = serde_json::from_str(words.next()?).ok()?;
        bounded.then_some(Edit { start, end, text })
    }
}

fn fresh(source: &mut Source, corpus: &[Vec<u8>]) -> Vec<u8> {
    const TEXTS: [&str; 10] = [
        "",
        "\n",
        "\r\n",
        "é𝄞\u{feff}\0",
        "((((",
        "rule x: move man to ",
        "put mark on empty",
        "\"",
        "  -- ",
        "game x is chess\n",
    ];
    if source.below(3) == 0 {
        return changed(source, corpus, &[]);
    }
    let mut case = NAMES[source.below(NAMES.len() as u64) as usize].to_owned();
    for _ in 0..=source.below(5) {
        let [a, b, c, d] = [30, 60, 30, 60].map(|most| source.below(most));
        let text = json!(TEXTS[source.below(TEXTS.len() as u64) as usize]);
        case.push_str(&format!("\n{a} {b} {c} {d} {text}"));
    }
    case.into_bytes()
}

fn library(_: Option<PathBuf>) -> Box<dyn Library> {
    Box::new(Files::default())
}

fn check(case: &[u8]) {
    let case = read(case);
    let mut lines = case.lines();
    let name = lines.next().unwrap_or_default();
    let name = NAMES.into_iter().find(|known| *known == name).unwrap_or(NAMES[0]);
    let mut text = Files::default().source(name).map_or(String::new(), |file| file.text);
    let mut server = Server::new(&library);
    let document = json!({ "uri": URI, "languageId": "senet", "version": 1, "text": text.clone() });
    note(&mut server, "didOpen", json!({ "textDocument": document }));
    for Edit { start, end, text: new } in lines.filter_map(Edit::parse).take(8) {
        let (from, to) = (byte(&text, start), byte(&text, end));
        text.replace_range(from.min(to)..from.max(to), &new);
        let place = |(line, column): Place| json!({ "line": line, "character": column });
        let range = json!({ "start": place(start), "end": place(end) });
        let change = json!({ "range": range, "text": new });
        let document = json!({ "uri": URI, "version": 2 });
        note(
            &mut server,
            "didChange",
            json!({ "textDocument": document, "contentChanges": [change] }),
        );
        assert_eq!(server.document(URI).map(Document::text), Some(text.as_str()));
        for question in QUESTIONS {
            let params = json!({
                "textDocument": { "uri": URI },
                "position": place(end),
                "range": range,
                "newName": "other",
                "options": { "tabSize": 2, "insertSpaces": true },
                "context": { "diagnostics": [], "includeDeclaration": true },
            });
            let method = format!("textDocument/{question}");
            let answer = server.answer(Request { id: RequestId::from(1), method, params });
            assert!(answer.result.is_some() != answer.error.is_some(), "{question}: {answer:?}");
        }
    }
}

/// Tells the server something, after which it shows the mistakes of the file.
fn note(server: &mut Server<'_>, what: &str, params: Value) {
    let shown = server.note(Notification { method: format!("textDocument/{what}"), params });
    let diagnostics = shown.iter().any(|message| {
        matches!(message, Message::Notification(note) if note.params["diagnostics"].is_array())
    });
    assert!(diagnostics, "{what}: {shown:?}");
}

/// The byte of a place, found in another way than the server does.
fn byte(text: &str, (line, column): Place) -> usize {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let line = line as usize;
    let Some(found) = lines.get(line) else { return text.len() };
    let start: usize = lines[..line].iter().map(|line| line.len()).sum();
    let plain = found.split(['\n', '\r']).next().unwrap_or_default();
    let mut units = 0;
    for (at, c) in plain.char_indices() {
        if units + c.len_utf16() > column as usize {
            return start + at;
        }
        units += c.len_utf16();
    }
    start + plain.len()
}
