//! Variants of chess and its cousins, counted by us and by Fairy-Stockfish.

use super::Setting;
use super::clock::Clock;
use super::contest::{Contest, Work, repeat};
use super::finding::Findings;
use super::peer::{self, verified};
use crate::native;

/// A tree from the start of a game.
struct Tree {
    game: &'static str,
    /// What Fairy-Stockfish calls it.
    variant: &'static str,
    depth: u32,
    /// As Fairy-Stockfish counts them; for atomic as its library of a later release does.
    nodes: u64,
}

/// What is counted.
const TREES: &[Tree] = &[
    Tree { game: "three-check", variant: "3check", depth: 5, nodes: 4_865_609 },
    Tree { game: "king-of-the-hill", variant: "kingofthehill", depth: 5, nodes: 4_865_609 },
    Tree { game: "crazyhouse", variant: "crazyhouse", depth: 5, nodes: 4_888_832 },
    Tree { game: "xiangqi", variant: "xiangqi", depth: 4, nodes: 3_290_240 },
    Tree { game: "shogi", variant: "shogi", depth: 4, nodes: 719_731 },
    Tree { game: "atomic", variant: "atomic", depth: 5, nodes: 4_864_979 },
];

/// Trees of variants, the last moves counted.
pub(super) fn perft(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    for tree in TREES {
        let game = native::game(tree.game);
        let start = game.start();
        let count = || {
            let clock = Clock::start();
            let counted = game.perft(&start, tree.depth);
            let seconds = clock.seconds();
            verified(counted, tree.nodes)?;
            Ok(Work { units: tree.nodes as f64, seconds })
        };
        let engine = setting.peers.variant(tree.variant);
        let contest =
            Contest::new(|times| repeat(times, count)).against("fairy-stockfish", |times| {
                let engine = engine.clone()?;
                repeat(times, || peer::count_start(&engine, tree.depth, tree.nodes))
            });
        let standings = contest.hold(setting.rounds.min(5));
        findings.contest(&format!("{}/perft", tree.game), &standings);
    }
    findings
}

/// The names of the rows.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = String> {
    TREES.iter().map(|tree| format!("{}/perft", tree.game))
}
