//! Saved matches, whole and damaged.

use std::fs;

use serde_json::json;

use crate::game::sliders;
use crate::senet::{feed, scratch, senet, text};

/// A match of four events, saved under a name.
fn saved(name: &str) -> Vec<u8> {
    let file = scratch(name);
    let script = b"b2\na1\nb1\na2\n";
    feed(&["play", "tic-tac-toe", "--save", text(&file)], script).done();
    fs::read(&file).expect("it was saved")
}

#[test]
fn a_saved_match_is_shown_move_by_move() {
    for name in ["shown.json", "shown.senet"] {
        saved(name);
        let shown = senet(&["replay", text(&scratch_again(name))]).done();
        assert!(shown.starts_with("tic-tac-toe: 4 events, every step checked\n1.  x  b2\n"));
        assert!(shown.ends_with("    a1 … c1\nx to move\n"), "{shown}");
    }
}

/// The path of a file that is there already.
fn scratch_again(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn a_match_of_a_definition_file_replays_with_that_file() {
    let (game, file) = (sliders(), scratch("sliders-match.json"));
    feed(&["play", text(&game), "--save", text(&file)], b"a1/c1\n").done();
    let shown = senet(&["replay", text(&file), "--game", text(&game)]).done();
    assert!(shown.contains("1.  white  a1/c1"), "{shown}");
    let unknown = senet(&["replay", text(&file)]).failed(1);
    assert!(unknown.contains("no game is named `sliders`"), "{unknown}");
}

#[test]
fn an_altered_event_or_seal_names_its_step() {
    let whole = String::from_utf8(saved("altered.json")).unwrap();
    let file = scratch("altered-now.json");
    for (step, event) in ["b2", "a1", "b1", "a2"].into_iter().enumerate() {
        fs::write(&file, whole.replacen(&format!("mark@{event}"), "mark@c3", 1)).unwrap();
        let error = senet(&["replay", text(&file), "--json"]).error(1);
        assert_eq!(error["details"], json!({ "step": step + 1 }), "{error}");
        assert_eq!(error["code"], "invalid_match");
        let message = senet(&["replay", text(&file)]).failed(1);
        assert!(message.contains(&format!("step {}: ", step + 1)), "{message}");
    }
}

#[test]
fn every_changed_byte_is_found() {
    for (name, stride) in [("bytes.json", 9), ("bytes.senet", 2)] {
        let whole = saved(name);
        let file = scratch(&format!("changed-{name}"));
        for at in (0..whole.len()).step_by(stride) {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&file, &changed).unwrap();
            let error = senet(&["replay", text(&file), "--json"]).error(1);
            let step = error["details"]["step"].as_u64();
            // Where the number of steps itself is changed, the step that is not there is named.
            assert!(step.is_none_or(|step| (1..=5).contains(&step)), "byte {at}: {error}");
            assert_eq!(error["code"], "invalid_match", "byte {at}: {error}");
        }
    }
}

#[test]
fn a_match_cut_short_is_found() {
    for name in ["cut.json", "cut.senet"] {
        let whole = saved(name);
        let file = scratch(&format!("short-{name}"));
        for length in (0..whole.len()).step_by(23) {
            fs::write(&file, &whole[..length]).unwrap();
            senet(&["replay", text(&file)]).failed(1);
        }
    }
}

#[test]
fn what_is_no_match_is_told() {
    assert!(senet(&["replay", "/nowhere/at/all"]).failed(1).contains("cannot read"));
    assert!(senet(&["replay", env!("CARGO_TARGET_TMPDIR")]).failed(1).contains("cannot read"));
    let file = scratch("huge.json");
    fs::File::create(&file).unwrap().set_len(33 << 20).unwrap();
    assert!(senet(&["replay", text(&file)]).failed(1).contains("longer than the limit of 32 MiB"));
    fs::remove_file(&file).unwrap();
}

#[test]
fn a_saved_match_is_written_in_other_forms() {
    let (kept, pgn) = (scratch("forms.json"), scratch("forms.pgn"));
    crate::senet::feed(&["play", "chess", "--save", text(&kept)], b"e4\nc5\n").done();
    senet(&["replay", text(&kept), "--out", text(&pgn)]).done();
    assert!(std::fs::read_to_string(&pgn).unwrap().ends_with("1. e4 c5 *\n"));
    assert!(senet(&["replay", text(&kept), "--out", text(&pgn)]).failed(1).contains("--force"));
    senet(&["replay", text(&kept), "--out", text(&pgn), "--force"]).done();
}

#[test]
fn a_match_is_exported_for_other_programs() {
    let saved = scratch("exported.json");
    let script = b"e4\ne5\nresign\nyes\n";
    feed(&["play", "chess", "--save", text(&saved), "--force"], script).done();
    let export = |more: &[&str]| senet(&[&["match", "export", text(&saved)], more].concat());
    let pgn = export(&["--to", "pgn", "--player", "white=Carol"]).done();
    assert!(pgn.contains("[White \"Carol\"]") && pgn.contains("1. e4 e5 0-1"), "{pgn}");
    let out = scratch("exported.pgn");
    export(&["--out", text(&out)]).done();
    assert!(export(&["--out", text(&out)]).failed(1).contains("use --force"));
    senet(&["pgn", "check", text(&out)]).done();
    assert!(export(&["--to", "mat"]).failed(1).contains("not written as `mat`"));
    assert!(export(&["--to", "pgn", "--player", "green=X"]).failed(1).contains("PLAYER=NAME"));
    let both = ["match", "export", text(&saved), text(&saved), "--to", "pgn"];
    assert_eq!(senet(&both).done().matches("[Event ").count(), 2);
    let compact = scratch("exported.senet");
    export(&["--out", text(&compact)]).done();
    assert_eq!(senet(&["match", "export", text(&compact), "--to", "pgn"]).code, 0);
    assert!(export(&["--to", "senet"]).failed(1).contains("--out"));
}
