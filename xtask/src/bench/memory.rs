//! What states, matches and long runs hold in memory, and what a step of a match costs.

use std::sync::Arc;

use senet_chance::{Source, playout};
use senet_core::{Event, Game, Match, State};
use senet_testkit::allocation::usage;

use super::Setting;
use super::clock::Clock;
use super::finding::Findings;
use super::sample::Samples;
use crate::native;
use crate::report::{Report, Row};

fn chess() -> Arc<Game> {
    senet_registry::find("chess").expect("a registered game").game()
}

/// How many games are replayed, and the most moves of one.
const GAMES: u64 = 40;
const MOVES: usize = 300;

/// `Match::apply` of the moves of random games, with history and hashes.
pub(super) fn apply(setting: &Setting<'_>) -> Findings {
    let game = native::game("chess");
    let play = |number| playout(&game, &game.start(), &mut Source::for_game(1, number), MOVES);
    let games: Vec<Vec<Event>> = (0..GAMES).map(|number| play(number).events).collect();
    let (mut nanoseconds, mut calls) = (Samples::default(), Samples::default());
    for round in 0..=setting.rounds {
        let (mut seconds, mut asked, mut moves) = (0.0, 0, 0);
        for events in &games {
            let mut played = Match::new(game.clone());
            let clock = Clock::start();
            let (refused, used) =
                usage(|| events.iter().find(|event| played.apply(**event).is_err()));
            seconds += clock.seconds();
            assert_eq!((refused, played.ply()), (None, events.len()), "what was played is legal");
            asked += used.calls;
            moves += events.len();
        }
        if round > 0 {
            nanoseconds.push(seconds * 1e9 / moves as f64);
            calls.push(asked as f64 / moves as f64);
        }
    }
    let mut findings = Findings::default();
    findings.figure("match/apply", "ns", &nanoseconds);
    findings.figure("match/apply-allocations", "calls", &calls);
    findings
}

/// The bytes of a chess state, and of a match of a thousand plies.
pub(super) fn sizes(_: &Setting<'_>) -> Findings {
    let game = chess();
    let start = game.start();
    let (copy, used) = usage(|| start.clone());
    let size = size_of_val(&copy) as i64 + used.kept;
    let mut findings = Findings::default();
    findings.fact("memory/state", "B", size as f64);
    let events = long_game(&game, 1000);
    let (played, used) = usage(|| {
        let mut played = Match::new(game.clone());
        events.iter().for_each(|event| drop(played.apply(*event)));
        played
    });
    assert_eq!(played.ply(), 1000, "what was played is legal");
    findings.fact("memory/match-1000", "B", used.kept as f64);
    findings
}

/// A game of `plies` plies: random games are tried until one is not over before.
fn long_game(game: &Game, plies: usize) -> Vec<Event> {
    for number in 0.. {
        let (mut state, mut events) = (game.start(), Vec::new());
        let (mut source, mut walker) = (Source::for_game(2, number), game.walker());
        while events.len() < plies {
            let picked = walker.pick(&state, |count| source.below(count));
            let Some(accepted) = picked else { break };
            state = walker.play(&state, accepted);
            events.push(accepted.event());
        }
        if events.len() == plies {
            return events;
        }
    }
    Vec::new()
}

/// The most bytes held while trees of growing depth are counted.
pub(super) fn trees(_: &Setting<'_>) -> Findings {
    let game = chess();
    let mut report = Report::default();
    let mut peaks = Vec::new();
    for (depth, nodes) in (2..).zip([400, 8902, 197_281, 4_865_609]) {
        let (counted, used) = usage(|| game.perft(&game.start(), depth));
        assert_eq!(counted, nodes, "the tree of depth {depth}");
        peaks.push(used.peak as f64);
        let row = Row::default().number("depth", f64::from(depth), 0);
        report.push(row.number("leaves", nodes as f64, 0).number("bytes", used.peak as f64, 0));
    }
    let mut findings = Findings::default();
    let last = peaks.len() - 1;
    findings.fact("memory/perft-ply", "B", peaks[last] - peaks[last - 1]);
    findings.detail("memory/perft: the most bytes held at once", report);
    findings
}

/// A million plies of random games: the most bytes held in all of them, over the most held in the
/// first tenth.
pub(super) fn million(_: &Setting<'_>) -> Findings {
    let game = chess();
    let start = game.start();
    let mut number = 0;
    let mut play = |plies: usize| {
        let mut played = 0;
        while played < plies {
            played += one(&game, &start, number);
            number += 1;
        }
    };
    let ((), first) = usage(|| play(100_000));
    let ((), all) = usage(|| play(900_000));
    let mut findings = Findings::default();
    assert_eq!(all.kept, 0, "nothing is kept");
    findings.fact("memory/million-plies", "×", all.peak as f64 / first.peak as f64);
    let mut report = Report::default();
    for (plies, used) in [(100_000.0, first), (1_000_000.0, all)] {
        report.push(
            Row::default()
                .number("plies", plies, 0)
                .number("most bytes", used.peak as f64, 0)
                .number("bytes kept", used.kept as f64, 0),
        );
    }
    findings.detail("memory/million-plies: bytes held", report);
    findings
}

fn one(game: &Game, start: &State, number: u64) -> usize {
    playout(game, start, &mut Source::for_game(3, number), 100_000).events.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_is_as_long_as_asked() {
        let game = chess();
        let events = long_game(&game, 200);
        let mut played = Match::new(game);
        assert!(events.iter().all(|event| played.apply(*event).is_ok()));
        assert_eq!(played.ply(), 200);
    }
}
