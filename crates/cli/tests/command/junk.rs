//! Any bytes, anywhere: an answer, never a panic.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::senet::{feed, scratch, senet, text};

/// Requests that are right, to be spoilt.
const REQUESTS: [&str; 8] = [
    r#"{"id":1,"method":"games"}"#,
    r#"{"id":2,"method":"position","params":{"game":"tic-tac-toe","position":"3/1x1/3 o"}}"#,
    r#"{"id":3,"method":"legal","params":{"game":"tic-tac-toe","position":null}}"#,
    r#"{"id":4,"method":"turns","params":{"game":"tic-tac-toe"}}"#,
    r#"{"id":5,"method":"apply","params":{"game":"tic-tac-toe","event":"b2"}}"#,
    r#"{"id":6,"method":"explain","params":{"game":"tic-tac-toe","event":"mark@b2"}}"#,
    r#"{"id":7,"method":"path","params":{"game":"tic-tac-toe","piece":"x-mark-1","to":"a1"}}"#,
    r#"{"id":8,"method":"perft","params":{"game":"tic-tac-toe","depth":2}}"#,
];

fn junk() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..60)
}

/// A request in which some bytes are others.
fn spoilt() -> impl Strategy<Value = Vec<u8>> {
    let changes = vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (prop::sample::select(&REQUESTS[..]), changes).prop_map(|(request, changes)| {
        let mut bytes = request.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            // A depth of many digits is a long wait, not a mistake.
            bytes[at] = if byte.is_ascii_digit() { b'x' } else { byte };
        }
        bytes
    })
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn every_line_of_any_bytes_is_answered(lines in vec(prop_oneof![junk(), spoilt()], 1..40)) {
        let input = lines.join(&b'\n');
        let asked = input.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let out = feed(&["rpc"], &input).done();
        prop_assert_eq!(out.lines().count(), asked.count());
        for line in out.lines() {
            let answer: Value = serde_json::from_str(line).expect("it is JSON");
            prop_assert!(answer["result"].is_object() != answer["error"].is_object(), "{}", line);
        }
    }

    #[test]
    fn any_script_is_played_to_its_end(lines in vec("(undo|redo|moves|why|roll|[a-d][0-4]|.{0,8})( [a-c][1-3])?", 0..30)) {
        let ran = feed(&["play", "tic-tac-toe"], lines.join("\n").as_bytes());
        prop_assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }

    #[test]
    fn any_bytes_as_arguments_end_with_a_code(arguments in vec(vec(1..=255_u8, 0..12), 0..4)) {
        let arguments: Vec<OsString> = arguments.into_iter().map(OsString::from_vec).collect();
        prop_assert_eq!(feed(&arguments, b"").code, 2);
    }

    #[test]
    fn any_text_as_position_or_event_is_answered(text in "[xo0-9/ a-c@=:{}\"]{0,16}|.{0,20}") {
        // No argument of any program holds a byte of zero.
        let text = text.replace('\0', "");
        let position = format!("--position={text}");
        let ran = senet(&["moves", "tic-tac-toe", &position]);
        prop_assert!(ran.code == 0 || ran.code == 1 && ran.err.starts_with("error: "));
        let ran = senet(&["explain", "tic-tac-toe", "--", &text]);
        prop_assert!(ran.code == 0 || ran.code == 1 && ran.err.starts_with("error: "));
    }
}

#[test]
fn arguments_that_are_no_text_are_usage() {
    let bytes = || OsString::from_vec(b"\xff\xfe".to_vec());
    let cases: [Vec<OsString>; 3] = [
        vec![bytes()],
        vec!["moves".into(), bytes()],
        vec!["moves".into(), "tic-tac-toe".into(), "--position".into(), bytes()],
    ];
    for arguments in cases {
        assert!(feed(&arguments, b"").failed(2).contains("UTF-8") || arguments.len() == 1);
    }
}

#[test]
fn a_definition_with_a_changed_byte_is_a_game_or_an_error() {
    let whole = senet(&["definition", "tic-tac-toe", "--json"]).done().into_bytes();
    let file = scratch("changed-definition.json");
    for at in (0..whole.len()).step_by(29) {
        let mut changed = whole.clone();
        changed[at] = b"0\"]}9a"[at % 6];
        fs::write(&file, &changed).unwrap();
        let ran = senet(&["definition", "--check", text(&file)]);
        assert!(ran.code == 0 || ran.code == 1 && ran.err.starts_with("error: "), "byte {at}");
    }
}
