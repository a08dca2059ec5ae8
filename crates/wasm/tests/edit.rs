//! A game has the same trees whatever is added to it that never happens, and in whatever words it is
//! written.
#![cfg(feature = "host")]

use senet_core::backend::{Backend, Purpose};
use senet_core::written::{Comparison, Number, Rule, Set, Tile, Truth, Wanted, Who};
use senet_core::{Definition, Game, Options};
use senet_testkit::Source;
use senet_testkit::edit::{Edit, edits};
use senet_testkit::oracle::agree_in;
use senet_wasm::Wasmtime;

/// Edits with words that have no WebAssembly form, so that the whole game is left to the interpreter.
const INTERPRETED: [&str; 4] = [
    "a flag that serves a rule",
    "pieces shifted under a condition",
    "a preprocessor that takes nothing",
    "a phase that brings a number high and never opens",
];

/// Plays random games and the same games after each of some edits, and compares the trees on the way,
/// interpreted and as machine code; says how many edits applied.
fn agree(name: &str, some: impl Iterator<Item = &'static Edit>, games: u64, plies: usize) -> usize {
    let definition = senet_registry::find(name).expect("a registered game").definition();
    let original = definition.clone().compile(Options::default()).expect("a shipped game");
    let mut applied = 0;
    for edit in some {
        let edited = (edit.apply)(&definition).map(|edited| edited.compile(Options::default()));
        // Some words do not go together with dice.
        let Some(Ok(edited)) = edited else { continue };
        for game in 0..games {
            agree_along(&original, &edited, edit.name, (game, plies));
        }
        applied += 1;
    }
    applied
}

/// How deep the trees are that are compared.
const DEPTH: u32 = 2;

fn agree_along(original: &Game, edited: &Game, edit: &str, (seed, plies): (u64, usize)) {
    let place = format!("{}, {edit}", original.name());
    let mut session = match Wasmtime::new().session(edited, Purpose::Count) {
        Ok(session) => Some(session),
        Err(why) => {
            assert!(INTERPRETED.contains(&edit), "{place}: {why}");
            None
        }
    };
    let mut source = Source::for_game(11, seed);
    let (mut here, mut there) = (original.start(), edited.start());
    for ply in 0..plies {
        if ply % 8 == 0 {
            let nodes = original.perft(&here, DEPTH);
            assert_eq!(edited.perft(&there, DEPTH), nodes, "{place}, ply {ply}");
            if let Some(session) = &mut session {
                let counted = session.perft(&there, DEPTH, u64::MAX);
                assert_eq!(counted, Some(nodes), "{place}, ply {ply}, compiled");
            }
        }
        let Some(event) = source.pick(&original.legal(&here)) else { break };
        here = original.apply(&here, event).expect("a legal event").state;
        let played = edited.apply(&there, event);
        there = played.unwrap_or_else(|why| panic!("{place}, ply {ply}: {why:?}")).state;
    }
}

#[test]
fn chess_is_the_same_game_after_every_edit() {
    assert_eq!(agree("chess", edits(), 2, 60), edits().count());
}

#[test]
fn other_games_are_the_same_after_every_edit_that_applies() {
    let games = [
        "xiangqi",
        "shogi",
        "capablanca",
        "breakthrough",
        "atomic",
        "clobber",
        "draughts",
        "backgammon",
    ];
    // Each edit is tried in two of the games.
    for (at, name) in games.into_iter().enumerate() {
        let some = || edits().skip(at % 4).step_by(4);
        let applied = agree(name, some(), 1, 30);
        assert!(applied * 2 > some().count(), "{name}: {applied} edits");
    }
}

#[test]
fn backgammon_has_the_same_turns_after_every_edit() {
    let definition = senet_registry::find("backgammon").expect("a registered game").definition();
    let original = definition.clone().compile(Options::default()).expect("a shipped game");
    let backend = Wasmtime::new();
    let mut plain = backend.session(&original, Purpose::Turns).expect("machine code");
    let mut counted = 0;
    for edit in edits() {
        // Some edits add what does not go together with dice.
        let Some(Ok(edited)) = (edit.apply)(&definition).map(|one| one.compile(Options::default()))
        else {
            continue;
        };
        let Ok(mut session) = backend.session(&edited, Purpose::Turns) else { continue };
        let (mut here, mut there) = (original.start(), edited.start());
        let mut source = Source::for_game(5, 1);
        for ply in 0..60 {
            let turns = session.turn_perft(&there, 1, u64::MAX);
            let known = plain.turn_perft(&here, 1, u64::MAX);
            assert!(turns.is_none() || turns == known, "{}, ply {ply}", edit.name);
            counted += usize::from(turns.is_some());
            let Some(event) = source.pick(&original.legal(&here)) else { break };
            here = original.apply(&here, event).expect("a legal event").state;
            there = edited.apply(&there, event).expect("a legal event").state;
        }
    }
    assert!(counted > 1_000, "{counted}");
}

/// Conditions that come to hold and cease to hold while a game is played.
fn changing_conditions() -> Vec<Truth> {
    let less = |left: Number, right: i64| Truth::Compare {
        left,
        is: Comparison::Less,
        right: Number::Is(right),
    };
    let half = |tile: Tile| Truth::In(tile, Set::Any(vec![Set::Empty, Set::Owned(Who::Foe)]));
    let held =
        |by: Who, kind: &str| Truth::Some(Set::All(vec![Set::Owned(by), Set::Kind(kind.into())]));
    vec![
        less(Number::Variable { name: "clock".into(), of: Default::default() }, 2),
        less(Number::Count(Set::Owned(Who::Foe)), 15),
        held(Who::Foe, "queen"),
        held(Who::Mover, "knight"),
        Truth::In(Tile::From, Set::Region("light".into())),
        Truth::Not(Box::new(Truth::In(Tile::To, Set::Region("light".into())))),
        Truth::Any(vec![half(Tile::To), Truth::In(Tile::From, Set::Region("light".into()))]),
        Truth::Turn("white".into()),
    ]
}

/// A definition where some of the rules that may end on any tile ask one thing more.
fn with_condition(of: &Definition, condition: &Truth, some: impl Fn(usize) -> bool) -> Definition {
    let mut edited = of.clone();
    let rules = edited.phases.iter_mut().flat_map(|phase| &mut phase.rules);
    let captures = |rule: &&mut Rule| match &rule.wants {
        Wanted::Move(movement) => movement.onto == Set::Board,
        _ => false,
    };
    for (at, rule) in rules.filter(captures).enumerate() {
        if some(at) {
            rule.when = Truth::All(vec![rule.when.clone(), condition.clone()]);
        }
    }
    edited
}

#[test]
fn captures_under_conditions_that_change_are_judged_as_the_oracle_judges_them() {
    for (number, condition) in changing_conditions().iter().enumerate() {
        let name = ["chess", "crazyhouse"][number % 2];
        let definition = senet_registry::find(name).expect("a registered game").definition();
        // One of the rules, and all of them.
        for every in [false, true] {
            let edited = with_condition(&definition, condition, |at| every || at == number % 5);
            let game = edited.compile(Options::default()).expect("a sound definition");
            let session = Wasmtime::new().session(&game, Purpose::Count);
            let mut session = session.expect("machine code");
            let (mut source, mut state) = (Source::for_game(number as u64, 3), game.start());
            for ply in 0..60 {
                if ply % 12 == 11 {
                    let nodes = game.perft(&state, 2);
                    assert_eq!(session.perft(&state, 2, u64::MAX), Some(nodes), "{name}");
                }
                if every && ply == 29 {
                    agree_in(&game, &state);
                }
                let Some(event) = source.pick(&game.legal(&state)) else { break };
                state = game.apply(&state, event).expect("a legal event").state;
            }
        }
    }
}
