//! One playing of a game: history, branches, and saved matches that notice any change.

use std::sync::Arc;

use senet_core::builder::EAST;
use senet_core::builder::Grid;
use senet_core::save::{LoadError, LoadProblem, SaveForm};
use senet_core::written::{Effect, Phase, Rule, Variable};
use senet_core::{Builder, Event, Game, Match, Options, text};
use senet_testkit::sample;

/// A game that never ends: it counts to a million.
fn counting() -> Arc<Game> {
    let game = Builder::new("counting")
        .player("one")
        .board(Grid::new(2, 1).along([EAST]))
        .variable(Variable::counter("n", 1_000_000))
        .action("up")
        .action("jump")
        .phase(
            Phase::leaf("play")
                .rule(Rule::acts("up", "up").then(Effect::add("n", 1)))
                .rule(Rule::acts("jump", "jump").then(Effect::add("n", 1_000))),
        )
        .build()
        .compile(Options::default());
    Arc::new(game.unwrap())
}

fn count(played: &Match) -> i64 {
    let game = played.game();
    let view = game.view(played.state());
    view.variable(game.variable("n").unwrap(), view.player())
}

fn act(game: &Game, name: &str) -> Event {
    Event::Act(game.action(name).unwrap())
}

#[test]
fn a_match_of_a_hundred_thousand_plies_is_quick_to_go_through_and_to_drop() {
    let game = counting();
    let up = act(&game, "up");
    let mut played = Match::new(game.clone());
    for _ in 0..100_000 {
        played.apply(up).unwrap();
    }
    // A walk of single steps would take ten billion of them.
    for ply in (0..100_000).rev().step_by(2) {
        assert!(played.goto(ply));
        assert_eq!(count(&played), ply as i64);
    }
    played.goto(50_000);
    let mut branch = played.branch();
    branch.apply(act(&game, "jump")).unwrap();
    assert_eq!((branch.ply(), branch.len(), count(&branch)), (50_001, 50_001, 51_000));
    assert_eq!((played.ply(), played.len(), count(&played)), (50_000, 100_000, 50_000));
    drop(played);
    assert!(branch.goto(0) && branch.goto(50_001), "what is shared stays");
    assert_eq!(count(&branch), 51_000);
    drop(branch);
}

#[test]
fn a_long_history_is_dropped_on_a_small_stack() {
    let thread = std::thread::Builder::new().stack_size(128 * 1024);
    let dropped = thread.spawn(|| {
        let game = counting();
        let up = act(&game, "up");
        let mut played = Match::new(game);
        let mut branches = Vec::new();
        for ply in 0..100_000 {
            played.apply(up).unwrap();
            if ply % 10_000 == 0 {
                branches.push(played.branch());
            }
        }
        drop(played);
        branches.iter().map(Match::ply).sum::<usize>()
    });
    assert_eq!(dropped.unwrap().join().unwrap(), 450_010);
}

#[test]
fn playing_what_was_undone_keeps_the_rest_and_anything_else_forgets_it() {
    let game = counting();
    let (up, jump) = (act(&game, "up"), act(&game, "jump"));
    let mut played = Match::new(game);
    assert!(played.is_empty() && !played.undo() && !played.redo());
    for event in [up, jump, up] {
        played.apply(event).unwrap();
    }
    assert!(played.goto(1));
    played.apply(jump).unwrap();
    assert_eq!((played.ply(), played.len()), (2, 3), "the same event: the line is kept");
    assert!(played.redo());
    assert!(played.goto(1));
    played.apply(up).unwrap();
    assert_eq!((played.ply(), played.len()), (2, 2), "another event: a new line");
    assert!(!played.redo());
    assert_eq!(played.last().map(|one| one.event), Some(up));
    assert_eq!(played.changes().len(), 1);
}

/// A short match of a game with dice, moves, acts and undone plies.
fn dashing() -> (Arc<Game>, Match) {
    let game = Arc::new(sample::dash());
    let mut played = Match::new(game.clone());
    for text in ["roll:3-1", "p1/p4", "p4/p5", "roll:2-2", "pass", "roll:3-2"] {
        let event = text::parse_event(&game, played.state(), text).unwrap();
        played.apply(event).unwrap_or_else(|no| panic!("{text}: {no}"));
    }
    played.undo();
    (game, played)
}

/// Which step each byte of the JSON form lies in: the four lines of a step are its own.
fn steps_of_json(json: &str) -> Vec<Option<usize>> {
    let mut inside = Vec::new();
    let mut step = 0;
    let mut open = false;
    for line in json.split_inclusive('\n') {
        if line.starts_with("    {") {
            (step, open) = (step + 1, true);
        }
        inside.extend(line.bytes().map(|_| open.then_some(step)));
        open &= !line.starts_with("    }");
    }
    inside
}

#[test]
fn a_change_of_any_byte_of_a_json_save_is_found_and_its_step_named() {
    let (game, played) = dashing();
    let json = played.to_json();
    let inside = steps_of_json(&json);
    assert_eq!(inside.iter().flatten().max(), Some(&6));
    for (at, expected) in inside.into_iter().enumerate() {
        for bit in 0..8 {
            let mut bytes = json.clone().into_bytes();
            bytes[at] ^= 1 << bit;
            let error = load_error(&game, &bytes, at);
            // Bytes that are no text at all have no lines either; and what breaks in the head or the
            // end may be noticed a line later.
            if bytes.is_ascii() && expected.is_some() {
                assert_eq!(error.step, expected, "byte {at} bit {bit}: {error}");
            }
        }
    }
}

#[track_caller]
fn load_error(game: &Arc<Game>, bytes: &[u8], at: usize) -> LoadError {
    match Match::load(game.clone(), bytes) {
        Ok(_) => panic!("a change at byte {at} goes unseen"),
        Err(error) => error,
    }
}

#[test]
fn a_change_of_any_byte_of_a_compact_save_is_found_and_its_step_named() {
    let (game, played) = dashing();
    let bytes = played.to_bytes();
    let steps = step_ranges(&game, &played, bytes.len());
    for at in 0..bytes.len() {
        let expected = steps.iter().position(|range| range.contains(&at)).map(|step| step + 1);
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            let error = load_error(&game, &changed, at);
            if let Some(step) = expected {
                assert_eq!(error.step, Some(step), "byte {at} bit {bit}: {error}");
            }
        }
    }
}

/// The bytes of each step: what saving one ply more adds before the end.
fn step_ranges(game: &Arc<Game>, played: &Match, len: usize) -> Vec<std::ops::Range<usize>> {
    let mut shorter = Match::new(game.clone());
    let mut ends = vec![shorter.to_bytes().len()];
    for (one, _) in played.steps() {
        shorter.apply(one.event).unwrap();
        ends.push(shorter.to_bytes().len());
    }
    assert_eq!(ends.last(), Some(&len));
    // The end holds a zero, the ply and the seal of the end: ten bytes.
    ends.windows(2).map(|pair| pair[0] - 10..pair[1] - 10).collect()
}

#[test]
fn a_save_cut_anywhere_or_with_more_behind_it_is_refused() {
    let (game, played) = dashing();
    for whole in [played.to_json().into_bytes(), played.to_bytes()] {
        for length in 0..whole.len() {
            assert!(Match::load(game.clone(), &whole[..length]).is_err(), "{length}");
        }
        for more in [&b" "[..], b"\n", b"{}", b"\0"] {
            assert!(Match::load(game.clone(), &[&whole, more].concat()).is_err());
        }
        assert!(Match::load(game.clone(), &whole).is_ok());
    }
}

#[test]
fn a_step_taken_out_or_swapped_is_found() {
    let (game, played) = dashing();
    let json = played.to_json();
    let lines: Vec<&str> = json.split_inclusive('\n').collect();
    let step = |number: usize| lines[7 + 4 * number..11 + 4 * number].concat();
    for number in 0..5 {
        let without = json.replace(&step(number), "");
        let error = Match::load(game.clone(), without.as_bytes()).err().expect("a step is missing");
        assert_eq!(error.step, Some(number + 1), "{error}");
    }
    let earlier = json.replace("\"now\": 5", "\"now\": 4");
    let error = Match::load(game.clone(), earlier.as_bytes()).err().expect("now is sealed");
    assert!(matches!(error.problem, LoadProblem::Altered { .. }), "{error}");
}

#[test]
fn a_match_of_other_rules_is_refused_by_name() {
    let (_, played) = dashing();
    let edited = sample::dash_definition();
    let edited = Builder::from(edited).edit(|game| game.endings.truncate(1)).build();
    let edited = Arc::new(edited.compile(Options::default()).unwrap());
    let other = Arc::new(sample::league());
    for form in [played.to_json().into_bytes(), played.to_bytes()] {
        for game in [&edited, &other] {
            let error = Match::load(game.clone(), &form).err().expect("other rules");
            assert!(matches!(error.problem, LoadProblem::OtherGame { .. }), "{error}");
            assert!(error.to_string().contains("dash"), "{error}");
        }
        assert_eq!(Match::saved_game(&form).as_deref(), Some("dash"));
    }
    assert_eq!(Match::saved_game(b"junk"), None);
}

#[test]
fn a_saved_match_is_continued_by_writing_at_its_end() {
    let (game, whole) = dashing();
    for form in [SaveForm::Json, SaveForm::Compact] {
        let mut played = Match::new(game.clone());
        let (mut file, mut mark) = played.save(form);
        for (one, _) in whole.steps() {
            played.apply(one.event).unwrap();
            let (more, next) = played.save_after(&mark).expect("it continues");
            file.truncate(mark.offset());
            file.extend(more);
            mark = next;
            assert_eq!(
                (&file, mark.offset()),
                (&played.save(form).0, played.save(form).1.offset())
            );
        }
        // What was taken back is still part of the line; another line is no continuation.
        played.undo();
        assert!(played.save_after(&mark).is_some());
        let other = text::parse_event(&game, played.state(), "roll:1-1").unwrap();
        played.apply(other).unwrap();
        assert!(played.save_after(&mark).is_none());
    }
}

#[test]
fn a_saved_match_says_what_it_is() {
    let (_, played) = dashing();
    let json: serde_json::Value = serde_json::from_str(&played.to_json()).unwrap();
    assert_eq!(json["format"], "senet match 2");
    assert_eq!((&json["game"], &json["now"]), (&"dash".into(), &5.into()));
    assert_eq!(json["steps"][1]["event"], "p1/p4");
    assert_eq!(json["definition"].as_str().unwrap().len(), 32);
    assert!(played.to_bytes().len() * 3 < played.to_json().len(), "the other form is compact");
}
