//! What the notation takes, and what it says of mistakes.

use proptest::prelude::*;
use senet_core::{Event, Notation, State};
use senet_testkit::mangled_text;
use senet_tic_tac_toe::{NOTATION, game};

fn kinds(text: &str) -> Vec<String> {
    let error = NOTATION.parse_position(&game(), text).expect_err(text);
    error.reasons.into_iter().map(|reason| reason.kind).collect()
}

#[test]
fn a_position_is_rows_from_the_top_and_the_player_to_move() {
    let game = game();
    let state = NOTATION.parse_position(&game, "x1o/1x1/3 o").unwrap();
    let view = game.view(&state);
    let owner = |tile| view.owner_at(game.tile(tile).unwrap()).map(|p| game.player_name(p));
    assert_eq!([owner("a3"), owner("c3"), owner("b2")], [Some("x"), Some("o"), Some("x")]);
    assert_eq!(game.player_name(view.player()), "o");
    assert_eq!(NOTATION.format_position(&game, &game.start()), "3/3/3 x");
}

#[test]
fn every_mistake_of_a_position_is_told_at_once() {
    assert_eq!(kinds(""), ["empty"]);
    assert_eq!(kinds("3/3/3"), ["unknown player"]);
    assert_eq!(kinds("3/3/3 z"), ["unknown player"]);
    assert_eq!(kinds("3/3 x"), ["wrong number of rows"]);
    let all = ["malformed row", "malformed row", "malformed row", "unknown player"];
    assert_eq!(kinds("4/q2/2 z"), all);
}

#[test]
fn a_position_that_cannot_come_about_is_refused() {
    let unlike_play = ["the marks cannot have been made in turn"];
    assert_eq!(kinds("xx1/3/3 x"), unlike_play);
    assert_eq!(kinds("xx1/oo1/3 o"), unlike_play);
    // The player to move has won already.
    assert_eq!(kinds("xxx/oo1/o2 x"), unlike_play);
    assert_eq!(kinds("xxx/xxx/3 x"), ["too many pieces"]);
}

#[test]
fn a_mistake_names_its_byte() {
    let error = NOTATION.parse_position(&game(), "3/1q1/3 x").unwrap_err();
    assert_eq!(error.reasons[0].at, Some(3));
    assert!(error.reasons[0].message.contains("expected "), "{error}");
}

#[test]
fn an_event_is_a_tile() {
    let game = game();
    let start = game.start();
    let kind = game.kind("mark").unwrap();
    let centre = Event::Put { kind, to: game.tile("b2").unwrap() };
    for text in ["b2", " b2 ", "mark@b2"] {
        assert_eq!(NOTATION.parse_event(&game, &start, text), Ok(centre), "{text}");
    }
    let error = NOTATION.parse_event(&game, &start, "b9").unwrap_err();
    assert_eq!((error.at, error.found.as_str()), (0, "b9"));
    assert!(error.near.is_some(), "{error}");
    for text in ["", "z", "mark@", "@b2", "b2/b3=king", "stone@b2", "a1/"] {
        assert!(NOTATION.parse_event(&game, &start, text).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_a_position_or_a_reason(text in mangled_text(positions())) {
        let game = game();
        match NOTATION.parse_position(&game, &text) {
            Ok(state) => {
                let again = NOTATION.format_position(&game, &state);
                let read: State = NOTATION.parse_position(&game, &again).unwrap();
                prop_assert!(game.view(&read).same_position(&state));
            }
            Err(error) => {
                prop_assert!(!error.reasons.is_empty());
                let inside = |at: usize| at <= text.len();
                prop_assert!(error.reasons.iter().all(|reason| reason.at.is_none_or(inside)));
            }
        }
    }

    #[test]
    fn any_text_is_an_event_or_a_reason(text in mangled_text(events())) {
        let game = game();
        match NOTATION.parse_event(&game, &game.start(), &text) {
            Ok(event) => {
                let again = NOTATION.format_event(&game, &game.start(), event);
                prop_assert_eq!(NOTATION.parse_event(&game, &game.start(), &again), Ok(event));
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

fn positions() -> Vec<String> {
    ["3/3/3 x", "x1o/1x1/3 o", "xox/oxo/1x1 o"].map(String::from).to_vec()
}

fn events() -> Vec<String> {
    ["b2", "mark@b2", "a1/c3", "a1/c3=mark"].map(String::from).to_vec()
}
