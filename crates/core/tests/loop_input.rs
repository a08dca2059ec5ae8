//! Any text and any bytes: a value or a typed error, never a panic.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use senet_core::{Definition, Game, Match, Options, text};
use senet_testkit::{Case, mangled_bytes, mangled_json, mangled_text, sample};

static GAMES: LazyLock<Vec<Arc<Game>>> =
    LazyLock::new(|| sample::all().into_iter().map(Arc::new).collect());

/// Positions of every sample, from random games.
fn positions() -> Vec<String> {
    let of = |game: &Arc<Game>| {
        let case = Case::new(game.clone(), &senet_core::Plain);
        let states = case.states(20_000);
        states.iter().map(|state| text::format_position(game, state)).collect::<Vec<_>>()
    };
    GAMES.iter().flat_map(of).collect()
}

fn events() -> Vec<String> {
    let of = |game: &Arc<Game>| {
        let start = game.start();
        let names = game.legal(&start).into_iter().map(|event| text::format_event(game, event));
        names.collect::<Vec<_>>()
    };
    let more = ["a4/a5=tower", "roll:3-1", "3,1", "pass", "walker@r1", "rest"];
    GAMES.iter().flat_map(of).chain(more.map(String::from)).collect()
}

/// A saved match of the first sample.
fn saved() -> Match {
    let game = &GAMES[0];
    let case = Case::new(game.clone(), &senet_core::Plain);
    let mut played = Match::new(game.clone());
    for &event in case.walk(3).events.iter().take(12) {
        played.apply(event).unwrap();
    }
    played
}

fn check_position(game: &Game, text: &str) -> Result<(), TestCaseError> {
    match text::parse_position(game, text) {
        Ok(state) => {
            prop_assert_eq!(state.hash128(), game.full_hash(&state));
            let again = text::format_position(game, &state);
            prop_assert_eq!(text::parse_position(game, &again).unwrap(), state);
        }
        Err(error) => {
            prop_assert!(!error.reasons.is_empty());
            for reason in &error.reasons {
                prop_assert!(!reason.kind.is_empty() && !reason.message.is_empty());
                prop_assert!(reason.at.is_none_or(|at| at <= text.len()));
                prop_assert!(reason.message.len() < 500, "{}", reason.message);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_a_position_or_every_reason_why_not(text in mangled_text(positions())) {
        for game in GAMES.iter() {
            check_position(game, &text)?;
        }
    }

    #[test]
    fn any_text_is_an_event_or_a_reason_why_not(text in mangled_text(events())) {
        for game in GAMES.iter() {
            let start = game.start();
            match text::parse_event(game, &start, &text) {
                Ok(event) => {
                    let written = text::format_event(game, event);
                    prop_assert_eq!(text::parse_event(game, &start, &written), Ok(event));
                    if let Err(rejection) = game.apply(&start, event) {
                        prop_assert!(!rejection.reasons.is_empty());
                    }
                }
                Err(error) => {
                    prop_assert!(error.at <= text.len() && !error.allowed.is_empty());
                    prop_assert!(error.to_string().len() < 500);
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_a_match_or_a_reason_why_not(
        json in mangled_bytes(saved().to_json().into_bytes()),
        bytes in mangled_bytes(saved().to_bytes()),
    ) {
        let played = saved();
        for (form, whole) in [(&json, played.to_json().into_bytes()), (&bytes, played.to_bytes())] {
            let _ = Match::saved_game(form);
            match Match::load(GAMES[0].clone(), form) {
                Ok(_) => prop_assert_eq!(form, &whole, "only what was written loads"),
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// A definition that is read and compiled, and played a little where it still is a game.
fn check_definition(value: serde_json::Value) -> Result<(), TestCaseError> {
    let Ok(definition) = serde_json::from_value::<Definition>(value) else { return Ok(()) };
    let hash = definition.hash();
    match definition.compile(Options::default()) {
        Err(errors) => {
            prop_assert!(!errors.0.is_empty());
            prop_assert!(errors.0.iter().all(|error| !error.to_string().is_empty()));
        }
        Ok(game) => {
            prop_assert_eq!(game.definition_hash(), hash);
            let mut state = game.start();
            for ply in 0..12 {
                let legal = game.legal(&state);
                game.outcome(&state);
                let Some(&event) = legal.get(ply * 7 % legal.len().max(1)) else { break };
                state = game.apply(&state, event).expect("legal is accepted").state;
                prop_assert_eq!(state.hash128(), game.full_hash(&state));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn a_mangled_skirmish_is_a_game_or_mistakes(value in mangled_json(written(0))) {
        check_definition(value)?;
    }

    #[test]
    fn a_mangled_dash_is_a_game_or_mistakes(value in mangled_json(written(1))) {
        check_definition(value)?;
    }

    #[test]
    fn a_mangled_league_is_a_game_or_mistakes(value in mangled_json(written(2))) {
        check_definition(value)?;
    }

    #[test]
    fn a_mangled_errand_is_a_game_or_mistakes(value in mangled_json(written(3))) {
        check_definition(value)?;
    }
}

fn written(sample: usize) -> serde_json::Value {
    serde_json::to_value(GAMES[sample].definition()).unwrap()
}

#[test]
fn conditions_nested_deep_compile_and_deeper_ones_are_refused() {
    let nested = |depth: usize| {
        let mut value = written(1);
        let place = &mut value["phases"][0]["phases"][1]["rules"][0]["when"];
        let condition = std::mem::replace(place, "here".into()).to_string();
        let deep = format!("{}{condition}{}", "{\"not\":".repeat(depth), "}".repeat(depth));
        serde_json::from_str::<Definition>(&value.to_string().replace("\"here\"", &deep))
    };
    let definition = nested(40).unwrap();
    definition.compile(Options::default()).unwrap();
    assert!(nested(10_000).is_err(), "the reader stops before the stack does");
}

#[test]
fn a_megabyte_of_junk_is_answered_shortly() {
    let game = &GAMES[1];
    let long = "x".repeat(1 << 20);
    let words = "p1=white:runner ".repeat(1 << 16);
    for junk in [&long, &words, &format!("white {words}"), &format!("white p1={long}")] {
        let error = text::parse_position(game, junk).expect_err("junk");
        assert!(error.to_string().len() < 20_000, "{}", error.to_string().len());
        let error = text::parse_event(game, &game.start(), junk).expect_err("junk");
        assert!(error.to_string().len() < 1_000);
        assert!(Match::load(game.clone(), junk.as_bytes()).is_err());
    }
    let many = format!("white p1=white:runner*{}", u64::MAX);
    assert!(text::parse_position(game, &many).is_err());
}
