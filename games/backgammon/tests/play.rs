//! Plays in a position: read, written and refused.

use senet_backgammon::{NOTATION, game};
use senet_core::notation::TurnError;
use senet_core::{Event, Game, Notation, State, Turn};

fn at(game: &Game, xgid: &str) -> State {
    NOTATION.parse_position(game, xgid).unwrap_or_else(|error| panic!("{xgid}: {error}"))
}

/// A play, read and written again.
fn canonical(game: &Game, state: &State, text: &str) -> Result<String, String> {
    let turn = NOTATION.parse_turn(game, state, text).map_err(|error| error.to_string())?;
    let events = turn.events();
    let after =
        events.iter().fold(state.clone(), |state, &event| game.apply(&state, event).unwrap().state);
    Ok(NOTATION.notate_turn(game, state, &Turn { events, state: after }))
}

#[test]
fn every_turn_is_written_so_that_it_reads_back() {
    let game = game();
    for position in [
        "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
        "-b----E-C---eE---c-e----B-:0:0:1:66:0:0:0:0:10",
        "-b----E-C---eE---c-e----B-:0:0:-1:11:0:0:0:0:10",
        "aB-a--D-C---dD---c-d---aA-:0:0:-1:42:0:0:0:0:10",
        "--a--a---ABBa-aB----b-cdAB:0:0:1:51:0:0:0:0:10",
        "-BBBBBB--------e----------:0:0:1:65:0:0:0:0:10",
    ] {
        let state = at(&game, position);
        let turns = game.turns(&state).unwrap();
        assert!(!turns.is_empty());
        for turn in &turns {
            let text = NOTATION.notate_turn(&game, &state, turn);
            let read = NOTATION.parse_turn(&game, &state, &text);
            let events =
                read.unwrap_or_else(|error| panic!("{position}, {text}: {error}")).events();
            let after = events
                .iter()
                .fold(state.clone(), |state, &event| game.apply(&state, event).unwrap().state);
            let after = game
                .due(&after)
                .map_or(after.clone(), |due| game.apply(&after, due).unwrap().state);
            assert_eq!(after.hash128(), turn.state.hash128(), "{position}: {text}");
        }
    }
}

#[test]
fn a_play_may_be_written_in_many_ways() {
    let game = game();
    let start = at(&game, "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10");
    for text in ["8/5 6/5", "6/5 8/5", " 6-5, 8-5 ", "31: 8/5 6/5", "13: 6/5 8/5"] {
        assert_eq!(canonical(&game, &start, text).as_deref(), Ok("8/5 6/5"), "{text}");
    }
    assert_eq!(canonical(&game, &start, "24/20").as_deref(), Ok("24/20"));
    assert_eq!(canonical(&game, &start, "24/23/20").as_deref(), Ok("24/20"));
    let doubles = at(&game, "-b----E-C---eE---c-e----B-:0:0:1:11:0:0:0:0:10");
    assert_eq!(canonical(&game, &doubles, "8/7(2) 6/5(2)").as_deref(), Ok("8/7(2) 6/5(2)"));
    assert_eq!(canonical(&game, &doubles, "6/5 8/7 6/5 8/7").as_deref(), Ok("8/7(2) 6/5(2)"));
}

#[test]
fn hits_bar_and_tray_are_written() {
    let game = game();
    let bar = at(&game, "-b---aD-C---eE---c-d----BA:0:0:1:31:0:0:0:0:10");
    assert_eq!(canonical(&game, &bar, "25/22 6/5").as_deref(), Ok("bar/22 6/5*"));
    let off = at(&game, "---AaAa-------------------:0:0:1:66:0:0:0:0:10");
    assert_eq!(canonical(&game, &off, "5/off 3/off").as_deref(), Ok("5/off 3/off"));
    let pair = at(&game, "-a----B-------------------:0:0:1:66:0:0:0:0:10");
    assert_eq!(canonical(&game, &pair, "6/0 6/0").as_deref(), Ok("6/off(2)"));
}

#[test]
fn a_play_that_leaves_dice_is_refused_with_the_rule() {
    let game = game();
    let start = at(&game, "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10");
    let refused = |state: &State, text: &str| match NOTATION.parse_turn(&game, state, text) {
        Err(TurnError::Refused(refusal)) => refusal,
        other => panic!("{text}: {other:?}"),
    };
    let half = refused(&start, "8/5");
    assert_eq!(half.reason, "both dice can be played");
    assert_eq!(half.instead.len(), 5);
    assert!(half.to_string().starts_with("both dice can be played; legal here: "), "{half}");
    assert!(half.to_string().ends_with(" …"), "{half}");
    let none = refused(&start, "");
    assert_eq!(none.reason, "both dice can be played");
    assert_eq!(refused(&start, "8/4 6/5").reason, "no die is left");
    assert_eq!(refused(&start, "7/4 6/5").reason, "white has no checker on 7");
    assert_eq!(
        refused(&start, "8/6 6/5").reason,
        "no dice take a checker from 8 to 6, they show 3 and 1"
    );
    let blocked = at(&game, "-b----E-C---eE---c-e----B-:0:0:1:51:0:0:0:0:10");
    assert_eq!(refused(&blocked, "24/19 6/5").reason, "19 is held by black");
    let bar = at(&game, "-b----D-C---eE---c-e----BA:0:0:1:31:0:0:0:0:10");
    assert!(refused(&bar, "8/5 6/5").reason.contains("checkers on the bar enter first"));
    let far = at(&game, "-a----B------A------------:0:0:1:61:0:0:0:0:10");
    assert!(refused(&far, "6/off 13/12").reason.contains("every checker is home"));
}

#[test]
fn the_larger_die_must_be_played_where_only_one_can() {
    let game = game();
    // 12 to 6 or to 7, and from neither on: the other way is shut on the points below.
    let state = at(&game, "-bbbbb------A-------------:0:0:1:65:0:0:0:0:10");
    let turns = game.turns(&state).unwrap();
    assert_eq!(turns.len(), 1);
    assert_eq!(NOTATION.notate_turn(&game, &state, &turns[0]), "12/6");
    let error = NOTATION.parse_turn(&game, &state, "12/7").unwrap_err();
    assert_eq!(error.to_string(), "the 6 must be played if one die is; legal here: 12/6");
}

#[test]
fn single_steps_and_words_are_events() {
    let game = game();
    let state = at(&game, "-a----B-------------------:0:0:1:65:0:0:0:0:10");
    let legal = game.legal(&state);
    let texts: Vec<String> =
        legal.iter().map(|&event| NOTATION.format_event(&game, &state, event)).collect();
    for (text, &event) in texts.iter().zip(&legal) {
        assert_eq!(NOTATION.parse_event(&game, &state, text), Ok(event), "{text}");
    }
    let roll = at(&game, "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10");
    for text in ["31", "3-1", "13", "roll:3-1"] {
        let event = NOTATION.parse_event(&game, &roll, text).unwrap();
        assert_eq!(NOTATION.notate(&game, &roll, event), "31");
    }
    for (text, act) in [("double", "double"), ("Redouble", "double"), ("resign", "resign-single")] {
        let event = Event::Act(game.action(act).unwrap());
        assert_eq!(NOTATION.parse_event(&game, &roll, text), Ok(event));
    }
    for junk in ["", "hello", "8", "8/5/", "\0", "💥/3", "99/1", "8/5:9:9", "26/25"] {
        let _ = NOTATION.parse_event(&game, &state, junk);
        let _ = NOTATION.parse_turn(&game, &state, junk);
        let _ = NOTATION.parse_turn(&game, &roll, junk);
    }
}
