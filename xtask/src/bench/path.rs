//! Path queries on an 8×8 board: every source and target, every resolver.

use std::hint::black_box;
use std::time::Instant;

use senet_core::builder::Grid;
use senet_core::builder::{EAST, EIGHT, FOUR, NORTH, SOUTH, WEST};
use senet_core::layers::{Capture, Layer, Path};
use senet_core::setup::Stand;
use senet_core::written::{Kind, Pattern, Phase, Rule};
use senet_core::{Builder, Game, Options, PieceId, Setup, State, TileId};
use senet_testkit::allocation::allocations;

use super::Setting;
use super::finding::Findings;
use super::sample::Samples;
use crate::report::{Report, Row};

/// How many arrangements of stones are asked about for one degree of fullness. A round asks about
/// one of them: short enough that few rounds are interrupted by other work of the machine.
const ARRANGEMENTS: u64 = 8;

/// One who answers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resolver {
    Alone(Layer),
    Dispatcher,
}

/// All who answer; the visitor is what the others are compared with.
const RESOLVERS: [(Resolver, &str); 4] = [
    (Resolver::Alone(Layer::Visitor), "visitor"),
    (Resolver::Alone(Layer::Compiled), "compiled"),
    (Resolver::Alone(Layer::Sliding), "sliding"),
    (Resolver::Dispatcher, "dispatcher"),
];

/// How a piece travels, and under which name.
type Travel = (&'static str, fn() -> Vec<Pattern>);

/// The pieces that slide; the others leap.
const SLIDERS: [Travel; 2] =
    [("slides-8", || vec![Pattern::slides(&EIGHT)]), ("slides-4", || vec![Pattern::slides(&FOUR)])];
const LEAPER: Travel = ("leaps", leaps);

/// How full the boards are, in percent of the tiles.
const FULL: [usize; 3] = [0, 25, 50];

/// Sliders and leapers, each on an empty, a quarter full and a half full board.
pub(super) fn queries(setting: &Setting<'_>) -> Findings {
    let mut report = Report::default();
    let (mut times, mut ratios, mut calls) = (Vec::new(), Vec::new(), 0);
    for (kind, patterns) in SLIDERS.into_iter().chain([LEAPER]) {
        for full in FULL {
            let workload = Workload::new(patterns(), full);
            let all = measure(&workload, setting);
            for seen in &all {
                report.push(row(kind, full, seen, &all[0]));
            }
            if let Some(fast) = all.iter().find(|seen| seen.by == Resolver::Alone(Layer::Sliding)) {
                ratios.push(all[0].nanoseconds.over(&fast.nanoseconds));
                times.push(fast.nanoseconds.clone());
                calls += fast.allocations;
            }
        }
    }
    let mean = |all: &[Samples]| Samples::geometric_mean(&all.iter().collect::<Vec<_>>());
    let mut findings = Findings::default();
    findings.ratio("path/slider", "visitor", &mean(&ratios));
    findings.figure("path/slider-time", "ns", &mean(&times));
    findings.fact("path/slider-allocations", "calls", calls as f64);
    findings.detail("path: every source and target on 8×8", report);
    findings
}

/// The eight leaps two tiles one way and one aside.
pub(super) fn leaps() -> Vec<Pattern> {
    let turns = [(NORTH, EAST), (NORTH, WEST), (SOUTH, EAST), (SOUTH, WEST)];
    let turns = turns.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
    turns.map(|(long, aside)| Pattern::leap(&[long, long, aside])).collect()
}

/// A board, arrangements of stones on it, and the piece that is asked about.
struct Workload {
    game: Game,
    piece: PieceId,
    states: Vec<State>,
    queries: Vec<(TileId, TileId)>,
}

impl Workload {
    fn new(patterns: Vec<Pattern>, full: usize) -> Workload {
        let stones = 64 * full / 100;
        let definition = Builder::new("crowd")
            .players(["me", "foe"])
            .board(Grid::new(8, 8).eight())
            .kind(Kind { patterns, ..Kind::new("mover") })
            .kind("stone")
            .piece("mover", "me", "mover")
            .pieces("me", "stone", stones.div_ceil(2))
            .pieces("foe", "stone", stones / 2)
            .action("pass")
            .phase(Phase::leaf("play").rule(Rule::acts("rest", "pass")))
            .build();
        let game = definition.compile(Options::default());
        let game = game.unwrap_or_else(|errors| panic!("the bench writes a sound game: {errors}"));
        let pairs = game.tiles().flat_map(|from| game.tiles().map(move |to| (from, to)));
        let queries = pairs.filter(|(from, to)| from != to).collect();
        let piece = game.piece("mover").expect("the bench writes a mover");
        let states =
            (1..=ARRANGEMENTS).map(|seed| arrange(&game, &["stone"], stones, seed)).collect();
        Workload { game, piece, states, queries }
    }

    fn ask(&self, by: Resolver, state: &State, from: TileId, to: TileId) -> Option<Path<'_>> {
        match by {
            Resolver::Dispatcher => self.game.resolve_path(state, self.piece, from, to),
            Resolver::Alone(layer) => {
                let paths = self.game.paths();
                paths.resolve_by(layer, state, self.piece, from, to).ok().flatten()
            }
        }
    }

    /// Whether a resolver answers at all for such pieces.
    fn answers(&self, by: Resolver) -> bool {
        let Resolver::Alone(layer) = by else {
            return true;
        };
        let (from, to) = self.queries[0];
        self.game.paths().resolve_by(layer, &self.states[0], self.piece, from, to).is_ok()
    }

    /// Asks everything about one state and folds the answers into a number, which no resolver may
    /// change.
    fn pass(&self, by: Resolver, state: &State) -> u64 {
        let (paths, piece) = (self.game.paths(), self.piece);
        // The choice is made outside the loop, so that it costs no resolver anything.
        match by {
            Resolver::Dispatcher => {
                self.fold(|from, to| self.game.resolve_path(state, piece, from, to))
            }
            Resolver::Alone(layer) => self.fold(|from, to| {
                paths.resolve_by(layer, state, piece, from, to).unwrap_or_default()
            }),
        }
    }

    #[inline]
    fn fold<'g>(&self, ask: impl Fn(TileId, TileId) -> Option<Path<'g>>) -> u64 {
        let answers = self.queries.iter().map(|&(from, to)| match ask(black_box(from), to) {
            Some(path) if path.capture() == Capture::None => path.len() as u64,
            Some(path) => 64 + path.len() as u64,
            None => 0,
        });
        black_box(answers.fold(0, |sum: u64, answer| sum.wrapping_mul(31).wrapping_add(answer)))
    }

    /// Compares every path relation by relation with the visitor's.
    ///
    /// # Panics
    /// If one differs: then there is nothing worth measuring.
    fn verify(&self, by: Resolver, state: &State) {
        for &(from, to) in &self.queries {
            let truth = self.ask(Resolver::Alone(Layer::Visitor), state, from, to);
            let answer = self.ask(by, state, from, to);
            assert_eq!(answer, truth, "{from:?} to {to:?}");
        }
    }
}

/// Puts `count` pieces on tiles that a small generator picks, owners and kinds in turn.
pub(super) fn arrange(game: &Game, kinds: &[&str], count: usize, seed: u64) -> State {
    let mut tiles: Vec<TileId> = game.tiles().collect();
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for at in (1..tiles.len()).rev() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed);
        tiles.swap(at, (random >> 33) as usize % (at + 1));
    }
    let players: Vec<_> = game.players().collect();
    let kinds = kinds.iter().map(|kind| game.kind(kind).expect("the bench writes these kinds"));
    let kinds: Vec<_> = kinds.collect();
    let stand = |(at, tile): (usize, &TileId)| {
        let (owner, kind) = (players[at % players.len()], kinds[at / players.len() % kinds.len()]);
        Stand { tile: *tile, owner, kind, flags: 0, piece: None }
    };
    let mut setup = Setup::empty(players[0]);
    setup.pieces = tiles.iter().take(count).enumerate().map(stand).collect();
    game.state(&setup).unwrap_or_else(|errors| panic!("a sound arrangement: {errors:?}"))
}

/// What was seen of one resolver.
struct Seen {
    by: Resolver,
    name: &'static str,
    nanoseconds: Samples,
    allocations: u64,
}

fn measure(workload: &Workload, setting: &Setting<'_>) -> Vec<Seen> {
    let answering = RESOLVERS.into_iter().filter(|(by, _)| workload.answers(*by));
    let mut all: Vec<Seen> = answering
        .map(|(by, name)| Seen { by, name, nanoseconds: Samples::default(), allocations: 0 })
        .collect();
    // Each arrangement is asked about equally often, and once before the first time that counts.
    for round in 0..ARRANGEMENTS * (setting.rounds + 1) {
        let state = &workload.states[(round % ARRANGEMENTS) as usize];
        let mut sums = Vec::new();
        for seen in &mut all {
            let start = Instant::now();
            let (sum, allocated) = allocations(|| workload.pass(seen.by, state));
            let time = start.elapsed();
            sums.push(sum);
            if round >= ARRANGEMENTS {
                seen.nanoseconds.push(time.as_nanos() as f64 / workload.queries.len() as f64);
                seen.allocations += allocated;
            }
        }
        assert!(sums.windows(2).all(|pair| pair[0] == pair[1]), "resolvers disagree: {sums:?}");
        if round < ARRANGEMENTS {
            all.iter().for_each(|seen| workload.verify(seen.by, state));
        }
    }
    all
}

fn row(kind: &str, full: usize, seen: &Seen, visitor: &Seen) -> Row {
    let time = seen.nanoseconds.summary();
    let times = visitor.nanoseconds.over(&seen.nanoseconds).summary();
    Row::default()
        .text("piece", kind)
        .number("full %", full as f64, 0)
        .text("resolver", seen.name)
        .number("ns/query", time.median, 1)
        .number("ns low", time.low, 1)
        .number("ns high", time.high, 1)
        .number("allocations", seen.allocations as f64, 0)
        .number("times visitor", times.median, 2)
        .number("low", times.low, 2)
        .number("high", times.high, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_resolvers_agree_on_every_workload() {
        for (_, patterns) in SLIDERS.into_iter().chain([LEAPER]) {
            for full in FULL {
                let workload = Workload::new(patterns(), full);
                assert_eq!((workload.states.len(), workload.queries.len()), (8, 64 * 63));
                for (by, _) in RESOLVERS.into_iter().filter(|(by, _)| workload.answers(*by)) {
                    workload.states.iter().for_each(|state| workload.verify(by, state));
                }
            }
        }
    }

    #[test]
    fn arrangements_are_as_full_as_asked() {
        let workload = Workload::new(leaps(), 25);
        for state in &workload.states {
            assert_eq!(workload.game.view(state).occupied().len(), 16);
        }
        assert_ne!(workload.states[0], workload.states[1]);
    }
}
