//! How the cost of listing and of playing grows with the board, at the same density of pieces.

use std::hint::black_box;
use std::time::Instant;

use senet_core::builder::EIGHT;
use senet_core::builder::Grid;
use senet_core::written::{Effect, Kind, Movement, Pattern, Phase, Rule, Seat, Set};
use senet_core::{Builder, Event, Game, Options, State};

use super::Setting;
use super::finding::Findings;
use super::path::{arrange, leaps};
use super::sample::Samples;
use crate::report::{Report, Row};

/// The sides of the boards.
const SIDES: [u16; 4] = [8, 10, 16, 19];

/// A piece on every so manieth tile.
const SPARSENESS: usize = 4;

/// How many arrangements of pieces are asked about.
const ARRANGEMENTS: u64 = 8;

/// How often each is asked in a round.
const TIMES: usize = 20;

/// The kinds of pieces: one that slides, one that leaps, one that steps.
const KINDS: [&str; 3] = ["runner", "hare", "walker"];

/// A board with arrangements of pieces on it.
struct Field {
    side: u16,
    game: Game,
    states: Vec<State>,
}

impl Field {
    fn new(side: u16) -> Field {
        let tiles = usize::from(side) * usize::from(side);
        let each = (tiles / SPARSENESS).div_ceil(2 * KINDS.len());
        let hare = leaps().into_iter().fold(Kind::new("hare"), Kind::travels);
        let builder = Builder::new("field")
            .players(["one", "other"])
            .board(Grid::new(side, side).eight().named_by_number())
            .kind(Kind::new("runner").travels(Pattern::slides(&EIGHT)))
            .kind(hare)
            .kind(Kind::new("walker").travels(Pattern::steps(&EIGHT)));
        let builder = KINDS.iter().fold(builder, |builder, kind| {
            builder.pieces("one", kind, each).pieces("other", kind, each)
        });
        let go = Movement::of(KINDS).onto(Set::Board);
        let rule = Rule::moves("go", go).then(Effect::Turn(Seat::Next));
        let definition = builder.phase(Phase::leaf("play").rule(rule)).build();
        let game = definition.compile(Options::default());
        let game = game.unwrap_or_else(|errors| panic!("the bench writes a sound game: {errors}"));
        let count = 2 * KINDS.len() * each;
        let states = (1..=ARRANGEMENTS).map(|seed| arrange(&game, &KINDS, count, seed)).collect();
        Field { side, game, states }
    }

    /// Lists the legal events of every state: how many there are, and nanoseconds for each state.
    fn list(&self) -> (usize, f64) {
        let begin = Instant::now();
        let mut events = 0;
        for _ in 0..TIMES {
            events += self
                .states
                .iter()
                .map(|state| self.game.legal(black_box(state)).len())
                .sum::<usize>();
        }
        let states = (TIMES * self.states.len()) as f64;
        (events / TIMES, begin.elapsed().as_nanos() as f64 / states)
    }

    /// Plays every event of a list once: nanoseconds for each.
    fn play(&self, lists: &[Vec<Event>]) -> f64 {
        let begin = Instant::now();
        let mut played = 0;
        for (state, events) in self.states.iter().zip(lists) {
            for &event in events {
                let step = self.game.apply(black_box(state), event);
                assert!(black_box(step).is_ok(), "what is listed is accepted");
                played += 1;
            }
        }
        begin.elapsed().as_nanos() as f64 / f64::from(played)
    }
}

/// What was seen of one board.
#[derive(Default)]
struct Seen {
    moves: f64,
    list: Samples,
    apply: Samples,
}

/// The curve over all boards, and by which power of the number of tiles the cost grows.
pub(super) fn curve(setting: &Setting<'_>) -> Findings {
    let fields = SIDES.map(Field::new);
    let lists = fields
        .each_ref()
        .map(|field| field.states.iter().map(|state| field.game.legal(state)).collect::<Vec<_>>());
    let mut seen: [Seen; 4] = Default::default();
    for round in 0..=setting.rounds {
        for (at, field) in fields.iter().enumerate() {
            let ((events, list), apply) = (field.list(), field.play(&lists[at]));
            assert_eq!(events, lists[at].iter().map(Vec::len).sum::<usize>(), "the same lists");
            seen[at].moves = events as f64 / field.states.len() as f64;
            if round > 0 {
                seen[at].list.push(list);
                seen[at].apply.push(apply);
            }
        }
    }
    let mut report = Report::default();
    for (field, seen) in fields.iter().zip(&seen) {
        report.push(row(field, seen));
    }
    let tiles = |at: usize| fields[at].game.tile_count() as f64;
    let power = |ratio: f64| ratio.ln() / (tiles(3) / tiles(0)).ln();
    let mut findings = Findings::default();
    findings.figure("growth/legal", "power", &seen[3].list.over(&seen[0].list).map(power));
    findings.figure("growth/apply", "power", &seen[3].apply.over(&seen[0].apply).map(power));
    findings.detail("growth: a quarter of the tiles occupied", report);
    findings
}

fn row(field: &Field, seen: &Seen) -> Row {
    let (tiles, list) = (field.game.tile_count() as f64, seen.list.summary().median);
    Row::default()
        .text("board", format!("{0}×{0}", field.side))
        .number("tiles", tiles, 0)
        .number("pieces", field.game.view(&field.states[0]).occupied().len() as f64, 0)
        .number("moves", seen.moves, 1)
        .number("ns/list", list, 0)
        .number("ns/move", list / seen.moves, 1)
        .number("ns/tile", list / tiles, 1)
        .number("ns/apply", seen.apply.summary().median, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_equally_full_and_have_moves_of_every_kind() {
        for side in SIDES {
            let field = Field::new(side);
            let tiles = field.game.tile_count();
            for state in &field.states {
                let occupied = field.game.view(state).occupied().len();
                assert!(occupied.abs_diff(tiles / SPARSENESS) <= 2 * KINDS.len(), "{side}");
                assert!(field.game.legal(state).len() > occupied / 2);
            }
            assert_ne!(field.states[0], field.states[1]);
        }
    }
}
