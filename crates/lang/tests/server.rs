//! The language server, asked as an editor asks it.

use std::thread;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use proptest::prelude::*;
use senet_lang::server::{Document, Server, serve};
use senet_lang::{Library, NoLibrary, Shelf};
use serde_json::{Value, json};

const URI: &str = "file:///games/race.senet";

const RACE: &str = "\
game race
players white facing north, black facing south
board grid 4 x 4
region goal = row last
piece man
setup white rank 1, black rank 4
let ahead(t) = t.forward & empty
rule step: move man step forward to empty
win \"home\" any own & goal
";

static SHELF: Shelf<'static> = Shelf(&[("race", RACE)]);

/// A library that a server may keep.
struct Race;

impl Library for Race {
    fn source(&self, name: &str) -> Option<senet_lang::Source> {
        SHELF.source(name)
    }

    fn names(&self) -> Vec<String> {
        SHELF.names()
    }
}

fn library(_: Option<std::path::PathBuf>) -> Box<dyn Library> {
    Box::new(Race)
}

/// A server with one file open, and what it shows about it.
fn open(text: &str) -> (Server<'static>, Value) {
    let mut server = Server::new(&library);
    let shown = note(
        &mut server,
        "didOpen",
        json!({ "textDocument": {
        "uri": URI, "languageId": "senet", "version": 1, "text": text } }),
    );
    (server, shown)
}

/// Tells the server something; gives what it shows.
fn note(server: &mut Server<'_>, what: &str, params: Value) -> Value {
    let method = format!("textDocument/{what}");
    let mut shown = server.note(Notification { method, params });
    match shown.pop() {
        Some(Message::Notification(note)) => note.params["diagnostics"].clone(),
        other => panic!("it shows {other:?}"),
    }
}

fn ask(server: &Server<'_>, method: &str, params: Value) -> Value {
    let request =
        Request { id: RequestId::from(1), method: format!("textDocument/{method}"), params };
    let response = server.answer(request);
    serde_json::to_value(response.result.unwrap_or_default()).unwrap()
}

/// The line and column of a text in the file.
fn at(text: &str, found: &str) -> Value {
    let byte = text.find(found).expect("it is there");
    let line = text[..byte].matches('\n').count();
    let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": text[start..byte].encode_utf16().count() })
}

fn here(text: &str, found: &str) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": at(text, found) })
}

fn labels(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn mistakes_are_shown_while_typing_and_go_when_mended() {
    let (mut server, shown) = open(&RACE.replace("to empty", "to emtpy"));
    assert_eq!(shown[0]["code"], "unknown-name");
    assert_eq!(shown[0]["range"]["start"], json!({ "line": 7, "character": 36 }));
    let change = json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{
        "range": { "start": { "line": 7, "character": 36 }, "end": { "line": 7, "character": 41 } },
        "text": "empty" }] });
    let shown = note(&mut server, "didChange", change);
    // What is left is the name that nothing uses.
    assert_eq!(shown.as_array().unwrap().len(), 1, "{shown}");
    assert_eq!(shown[0]["code"], "unused");
    let document = server.document(URI).map(Document::text);
    assert_eq!(document, Some(RACE));
    let closed = note(&mut server, "didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(closed, json!([]));
}

#[test]
fn pointing_at_a_word_tells_its_meaning_and_its_value() {
    let (server, _) = open(RACE);
    let told = |found: &str| {
        let hover = ask(&server, "hover", here(RACE, found));
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert!(told("own & goal").contains("is where the player has a piece"));
    assert!(told("own & goal").contains("At the start: 4 tiles: a1 b1 c1 d1"));
    assert!(told("goal\n").contains("region `goal`"));
    assert!(told("goal\n").contains("At the start: 4 tiles: a4 b4 c4 d4"));
    assert!(told("empty\nwin").contains("At the start: 8 tiles"));
    assert!(told("man step").contains("piece `man`"));
    let depends = told("ahead(t)");
    assert!(depends.contains("let ahead(t)") && !depends.contains("At the start"), "{depends}");
}

#[test]
fn names_are_completed_where_they_fit() {
    let text = format!("{RACE}win \"y\" any own & g\nrule x: move man step \nput m\nbo");
    let (server, _) = open(&text);
    let after = |found: &str| {
        let mut place = here(&text, found);
        let column = place["position"]["character"].as_u64().unwrap();
        place["position"]["character"] = json!(column + found.trim_end_matches('\n').len() as u64);
        ask(&server, "completion", place)
    };
    let set = after("any own & g\nrule");
    let set = labels(&set).into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert!(set.contains(&"goal".into()) && set.contains(&"empty".into()), "{set:?}");
    let ways = after("move man step \n");
    assert!(labels(&ways).contains(&"forward"));
    assert!(!labels(&ways).contains(&"capture"));
    let kinds = after("put m\n");
    assert!(labels(&kinds).contains(&"man"));
    let statements = after("bo");
    assert!(labels(&statements).contains(&"board") && !labels(&statements).contains(&"empty"));
}

#[test]
fn a_name_is_found_and_renamed_everywhere() {
    let (server, _) = open(RACE);
    let found = ask(&server, "definition", here(RACE, "goal\n"));
    assert_eq!(found["range"]["start"], json!({ "line": 3, "character": 7 }));
    let references = ask(&server, "references", here(RACE, "man\n"));
    assert_eq!(references.as_array().unwrap().len(), 2);
    let mut wanted = here(RACE, "goal =");
    wanted["newName"] = json!("far-side");
    let edits = ask(&server, "rename", wanted.clone())["changes"][URI].clone();
    let lines: Vec<u64> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| edit["range"]["start"]["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [3, 8]);
    for (name, why) in [("two words", "cannot name"), ("", "cannot name")] {
        wanted["newName"] = json!(name);
        let request = Request {
            id: RequestId::from(1),
            method: "textDocument/rename".into(),
            params: wanted.clone(),
        };
        assert!(server.answer(request).error.unwrap().message.contains(why));
    }
}

#[test]
fn a_name_of_another_game_is_not_renamed_here() {
    let text = "game fast is race\nwin \"gone\" none foe & man\n";
    let (server, shown) = open(text);
    assert_eq!(shown, json!([]));
    let mut wanted = here(text, "man");
    wanted["newName"] = json!("pawn");
    let request =
        Request { id: RequestId::from(1), method: "textDocument/rename".into(), params: wanted };
    assert!(server.answer(request).error.unwrap().message.contains("race.senet"));
}

#[test]
fn a_slip_is_mended_and_a_file_made_neat_by_the_editor() {
    let text = RACE.replace("to empty", "to emtpy").replace("own & goal", "own&goal");
    let (server, _) = open(&text);
    let place = at(&text, "emtpy");
    let actions = ask(
        &server,
        "codeAction",
        json!({ "textDocument": { "uri": URI },
        "range": { "start": place, "end": place }, "context": { "diagnostics": [] } }),
    );
    assert_eq!(actions[0]["title"], "write `empty`");
    assert_eq!(actions[0]["edit"]["changes"][URI][0]["newText"], "empty");
    let neat = ask(
        &server,
        "formatting",
        json!({ "textDocument": { "uri": URI },
        "options": { "tabSize": 2, "insertSpaces": true } }),
    );
    assert!(neat[0]["newText"].as_str().unwrap().contains("own & goal"));
    let outline = ask(&server, "documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert!(outline.as_array().unwrap().iter().any(|one| one["name"] == "step"));
}

#[test]
fn an_editor_is_greeted_served_and_let_go() {
    let (server, client) = Connection::memory();
    let served = thread::spawn(move || serve(&server, &|_| Box::new(NoLibrary)));
    let request = |id: i32, method: &str, params: Value| {
        Message::from(Request { id: RequestId::from(id), method: method.into(), params })
    };
    let tell = |method: &str| Notification { method: method.into(), params: json!({}) };
    client.sender.send(request(1, "initialize", json!({ "capabilities": {} }))).unwrap();
    let Message::Response(greeted) = client.receiver.recv().unwrap() else { panic!("an answer") };
    let can = &greeted.result.unwrap()["capabilities"];
    assert_eq!(can["hoverProvider"], true);
    client.sender.send(tell("initialized").into()).unwrap();
    client.sender.send(request(2, "textDocument/nonsense", json!({}))).unwrap();
    let Message::Response(refused) = client.receiver.recv().unwrap() else { panic!("an answer") };
    assert_eq!(refused.error.unwrap().code, -32601);
    client.sender.send(request(3, "shutdown", Value::Null)).unwrap();
    client.receiver.recv().unwrap();
    client.sender.send(tell("exit").into()).unwrap();
    assert_eq!(served.join().unwrap(), Ok(()));
}

/// What an editor may do to a text: replace a range by some characters.
fn edit() -> impl Strategy<Value = ((u32, u32), (u32, u32), String)> {
    let place = (0u32..14, 0u32..50);
    let text = prop_oneof![
        "[ -~\n]{0,12}",
        Just("\r\n".to_owned()),
        Just("é𝄞\u{feff}\0".to_owned()),
        Just("rule x: move man to ".to_owned()),
        Just("((((".to_owned()),
    ];
    (place.clone(), place, text)
}

/// The byte of a line and column in UTF-16 units, found in another way than the server does.
fn byte(text: &str, (line, column): (u32, u32)) -> usize {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let Some(found) = lines.get(line as usize) else { return text.len() };
    let start: usize = lines[..line as usize].iter().map(|line| line.len()).sum();
    let plain = found.split(['\n', '\r']).next().unwrap_or("");
    let mut units = 0;
    for (at, c) in plain.char_indices() {
        if units + c.len_utf16() > column as usize {
            return start + at;
        }
        units += c.len_utf16();
    }
    start + plain.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_edits_leave_the_text_of_the_editor_and_every_question_is_answered(
        edits in proptest::collection::vec(edit(), 1..8)
    ) {
        let (mut server, _) = open(RACE);
        let mut text = RACE.to_owned();
        for (start, end, new) in edits {
            let (from, to) = (byte(&text, start), byte(&text, end));
            text.replace_range(from.min(to)..from.max(to), &new);
            let place = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
            note(&mut server, "didChange", json!({
                "textDocument": { "uri": URI, "version": 2 },
                "contentChanges": [{ "range": { "start": place(start), "end": place(end) }, "text": new }],
            }));
            prop_assert_eq!(server.document(URI).map(Document::text), Some(text.as_str()));
            for method in ["hover", "completion", "definition", "references", "prepareRename", "formatting", "documentSymbol"] {
                ask(&server, method, json!({ "textDocument": { "uri": URI }, "position": place(end),
                    "options": { "tabSize": 2, "insertSpaces": true } }));
            }
            let mut rename = json!({ "textDocument": { "uri": URI }, "position": place(end) });
            rename["newName"] = json!("other");
            ask(&server, "rename", rename);
            ask(&server, "codeAction", json!({ "textDocument": { "uri": URI },
                "range": { "start": place(start), "end": place(end) }, "context": { "diagnostics": [] } }));
        }
    }
}
