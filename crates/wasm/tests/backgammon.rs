//! Games by dice give the same answers as machine code as they give in the interpreter.

use std::sync::Arc;

use senet_chance::{Source, playout};
use senet_core::backend::{Backend, Purpose, Session};
use senet_core::ir::{Op, visit};
use senet_core::program::Wants;
use senet_core::{Event, Game, Options, State};
use senet_registry::Shipped;
use senet_registry::lang::{Library, Reading, read_with};
use senet_wasm::Wasmtime;

/// Every shipped game by dice, and one of other rules.
fn games() -> Vec<(&'static str, Arc<Game>)> {
    let shipped = ["backgammon", "nackgammon", "hypergammon", "longgammon"];
    let shipped = shipped.map(|name| (name, senet_registry::find(name).unwrap().game()));
    let dash = Arc::new(senet_testkit::sample::dash());
    shipped.into_iter().chain([("dash", dash)]).collect()
}

fn session(game: &Game) -> Box<dyn Session> {
    Wasmtime::new().session(game, Purpose::Play).unwrap()
}

/// Asserts that words and a hash are those of a state.
fn assert_is(state: &State, words: &[u64], hash: u128, what: &str) {
    assert_eq!(words, &state.words()[..words.len()], "{what}");
    assert_eq!(hash, state.hash128(), "{what}");
}

/// States of random games, in the order of play.
fn played(game: &Game, seed: u64, limit: usize) -> Vec<State> {
    let played = playout(game, &game.start(), &mut Source::seeded(seed), limit);
    let mut states = vec![game.start().clone()];
    for event in played.events {
        let next = game.apply(&states[states.len() - 1], event).unwrap().state;
        states.push(next);
    }
    states
}

#[test]
fn legal_events_and_the_states_after_them_are_the_interpreters() {
    for (name, game) in games() {
        let (mut session, mut listed) = (session(&game), Vec::new());
        let mut words = vec![0; game.program().tree_words()];
        for seed in 0..3 {
            for state in played(&game, seed, 2000) {
                let what = format!("{name} {state:?}");
                let events = game.legal(&state);
                session.legal(&state, &mut listed).unwrap();
                let unpacked: Vec<Event> = listed.iter().map(|&one| game.unpacked(one)).collect();
                assert_eq!(unpacked, events, "{what}");
                for (&event, &listed) in events.iter().zip(&listed) {
                    let hash = session.play(&state, listed, &mut words).unwrap();
                    assert_is(&game.apply(&state, event).unwrap().state, &words, hash, &what);
                }
            }
        }
    }
}

#[test]
fn whole_turns_are_the_interpreters() {
    for (name, game) in games() {
        let mut session = Wasmtime::new().session(&game, Purpose::Turns).unwrap();
        for seed in 0..2 {
            for state in played(&game, seed, 1000).iter().step_by(3) {
                let turns = game.turns(state).unwrap();
                let found = session.turns(state).unwrap();
                let what = format!("{name} {state:?}");
                assert_eq!(found.len(), turns.len(), "{what}");
                for (found, turn) in found.iter().zip(&turns) {
                    assert_eq!(**found, turn.state.words()[..found.len()], "{what}");
                }
            }
        }
        for depth in 0..2 {
            let start = game.start();
            let count = session.turn_perft(&start, depth, u64::MAX);
            assert_eq!(count, Some(game.turn_perft(&start, depth)), "{name} {depth}");
        }
    }
}

/// More tiles than a word has bits, of which no rule speaks.
const MORE_TILES: (&str, &str) = (
    "tiles white-bar, black-bar, white-off, black-off stacks",
    "tiles white-bar, black-bar, white-off, black-off, x1, x2, x3, x4, x5, x6, x7, x8, \
    x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, \
    x26, x27, x28, x29, x30, x31, x32, x33, x34, x35, x36, x37, x38, x39, x40 stacks",
);

/// Backgammon with some of its rules in other words.
fn edited(edits: &[(&str, &str)]) -> Game {
    let mut source = Shipped.source("backgammon").unwrap();
    for (from, to) in edits {
        assert!(source.text.contains(from), "{from}");
        source.text = source.text.replace(from, to);
    }
    let file = read_with(&source, &Reading { library: &Shipped, settings: [].into() });
    let file = file.unwrap_or_else(|problems| panic!("{edits:?}: {problems:?}"));
    file.compile(Options::default()).unwrap_or_else(|errors| panic!("{edits:?}: {errors}"))
}

/// The rules of a game whose moves are independent of each other for some player.
fn independent_rules(game: &Game) -> usize {
    let program = game.program();
    let phases = 0..program.phases().len();
    let rules = phases.flat_map(|phase| [0, 1].map(|player| program.independent(phase, player)));
    rules.map(|rules| rules.len()).max().unwrap_or(0)
}

#[test]
fn moves_by_dice_that_hinder_each_other_are_played_alike() {
    let enter = "where from in bar or pieces(mover on bar) = 0 \"checkers on the bar enter first\"";
    let capture = "before capture to to bar of next";
    // What is changed, and how many rules about moves by dice are independent then.
    let games: &[(&[(&str, &str)], usize)] = &[
        (&[], 3),
        (&[("uses most-then-greatest", "uses most")], 3),
        (&[MORE_TILES], 3),
        (&[(enter, "")], 3),
        (&[("points - stack(2, foe)", "points - stack(1, foe)")], 3),
        (&[("points - stack(2, foe)", "points - stack(3, foe)")], 3),
        (&[("points - stack(2, foe)", "points - stack(2, foe) - stack(6, mover)")], 2),
        (&[(enter, "where pieces(mover on home) <= 7 \"few are home\"")], 2),
        (&[(enter, "where pieces(mover on home) = 0 or from in home \"none is home\"")], 2),
        (&[(capture, "before capture to to p12")], 2),
        (&[(capture, "before capture to")], 3),
        (&[("then next-player", "then ties += 1; next-player")], 2),
        // It makes a difference by which rule, or by which move, the last die is used.
        (
            &[(
                "where homeward then borne-off",
                "where homeward then if one = 0: { ties += 1; turn next }",
            )],
            1,
        ),
        (&[("then next-player", "then if one = 0: { if to in home: ties += 1; turn next }")], 2),
        (&[("one, two, three, four along", "four, two, three, one along")], 0),
    ];
    for (edits, independent) in games {
        let game = edited(edits);
        assert_eq!(independent_rules(&game), *independent, "{edits:?}");
        let (mut plays, mut listed) = (session(&game), Vec::new());
        let mut turns = Wasmtime::new().session(&game, Purpose::Turns).unwrap();
        for (at, state) in played(&game, 3, 300).iter().enumerate() {
            let what = format!("{edits:?} {state:?}");
            plays.legal(state, &mut listed).unwrap();
            let unpacked: Vec<Event> = listed.iter().map(|&one| game.unpacked(one)).collect();
            assert_eq!(unpacked, game.legal(state), "{what}");
            if at % 4 == 0 {
                let wanted = game.turns(state).unwrap();
                let found = turns.turns(state).unwrap();
                assert_eq!(found.len(), wanted.len(), "{what}");
                for (found, turn) in found.iter().zip(&wanted) {
                    assert_eq!(**found, turn.state.words()[..found.len()], "{what}");
                }
            }
        }
    }
}

/// The rules of backgammon about moves by dice: moving, bearing off, and bearing off by more than it takes.
fn rules_by_dice(game: &Game) -> Vec<usize> {
    let rules = game.program().rules();
    (0..rules.len()).filter(|&rule| rules[rule].wants == Wants::Advance).collect()
}

#[test]
fn moves_are_found_together_where_nothing_is_asked_of_each_but_its_source() {
    let game = edited(&[]);
    let program = game.program();
    for player in 0..2 {
        let mut together = Vec::new();
        for phase in 0..program.phases().len() {
            let mut current = None;
            visit(
                &program.code().function(program.moves(phase, player)).body,
                &mut |op| match op {
                    Op::Rule(rule, _) => current = Some(rule.index()),
                    Op::EmitDice { .. } => together.extend(current),
                    _ => {}
                },
            );
        }
        let found = rules_by_dice(&game).into_iter().map(|rule| together.contains(&rule));
        assert_eq!(found.collect::<Vec<_>>(), [true, true, false], "{player}");
    }
}

#[test]
fn only_rules_that_write_what_endings_ask_for_can_stop_play() {
    let game = edited(&[]);
    let program = game.program();
    let stops: Vec<bool> =
        rules_by_dice(&game).into_iter().map(|rule| program.can_stop(rule)).collect();
    assert_eq!(stops, [false, true, true]);
    let rolls = program.rules().into_iter().enumerate();
    let mut rolls = rolls.filter(|(_, rule)| matches!(rule.wants, Wants::Roll { .. }));
    assert!(rolls.all(|(rule, _)| !program.can_stop(rule)));
    // Where an ending asks whose turn it is, whoever passes the turn can bring it about.
    let game = edited(&[("win \"single\" ", "win \"single\" of mover ")]);
    let stops = rules_by_dice(&game).into_iter().map(|rule| game.program().can_stop(rule));
    assert!(stops.into_iter().all(|stops| stops));
}

#[test]
fn backgammon_has_the_published_counts_of_turns() {
    let game = senet_registry::find("backgammon").unwrap().game();
    let start = senet_registry::backgammon::on_roll(&game);
    let mut session = Wasmtime::new().session(&game, Purpose::Turns).unwrap();
    assert_eq!(session.turn_perft(&start, 1, u64::MAX), Some(447));
    assert_eq!(session.turn_perft(&start, 2, u64::MAX), Some(202_782));
}
