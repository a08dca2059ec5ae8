//! `senet bench`: one signature over a fixed workload of all games.

use std::time::Instant;

use senet::chance::Source;
use senet::{Event, Position};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, columns};
use crate::progress;

const EXAMPLES: &str = "\
Examples:
  senet bench
  senet bench --json

A change that only makes things faster leaves every signature as it is.";

/// Prints a signature of how all games behave, the same on every machine.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

/// The depth of the trees that are counted, and how many leaves end a deeper look.
const DEPTH: u32 = 12;
const LEAVES: u64 = 400;

/// How many games are played at random, and the most events of one.
const PLAYOUTS: u64 = 3;
const EVENTS: usize = 120;

#[derive(Serialize)]
struct Answer {
    signature: String,
    games: Vec<Share>,
    seconds: f64,
}

/// The signature of one game.
#[derive(Serialize)]
struct Share {
    game: &'static str,
    signature: String,
    #[serde(skip)]
    number: u64,
}

pub(crate) fn run(_: &Args, output: &mut Output) -> Result<(), Failure> {
    let begin = Instant::now();
    let bar = progress::bar(senet::games().count() as u64, "games");
    let mut games = Vec::new();
    for game in senet::games() {
        let number = signature(game)?;
        games.push(Share { game, signature: format!("{number:016x}"), number });
        bar.inc(1);
    }
    bar.finish_and_clear();
    let mut all = Fold::default();
    games.iter().for_each(|share| all.add(share.number));
    let signature = format!("{:016x}", all.0);
    let answer = Answer { signature, games, seconds: begin.elapsed().as_secs_f64() };
    if output.is_json() {
        return Ok(output.json(&answer)?);
    }
    let rows = answer.games.iter().map(|share| [share.game.to_owned(), share.signature.clone()]);
    for line in columns(&rows.collect::<Vec<_>>()) {
        output.line(line)?;
    }
    output.line(format!("signature {} in {:.3} s", answer.signature, answer.seconds))?;
    Ok(())
}

/// What a game does, as one number: its definition, trees of it, and random games with every legal
/// list, hash and outcome on the way.
fn signature(name: &str) -> Result<u64, Failure> {
    let game = senet::load(name)?;
    let mut fold = Fold::default();
    fold.add_wide(game.definition_hash());
    fold.add_tree(&game.count_start());
    (0..PLAYOUTS).for_each(|number| fold.add_playout(game.start(), number));
    Ok(fold.0)
}

/// Numbers folded into one, in order.
#[derive(Default)]
struct Fold(u64);

impl Fold {
    fn add(&mut self, number: u64) {
        // The finaliser of SplitMix64: every bit of the input moves every bit of the output.
        let mut mixed = self.0.rotate_left(5) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = mixed ^ (mixed >> 31);
    }

    fn add_wide(&mut self, number: u128) {
        self.add(number as u64);
        self.add((number >> 64) as u64);
    }

    fn add_event(&mut self, event: Event) {
        let numbers = match event {
            Event::Move { from, to, choice } => {
                let choice = choice.map_or(0, |kind| kind.index() + 1);
                [0, from.index(), to.index(), choice]
            }
            Event::Put { kind, to } => [1, kind.index(), to.index(), 0],
            Event::Roll(outcome) => [2, outcome.index(), 0, 0],
            Event::Act(action) => [3, action.index(), 0, 0],
            Event::Pick { action, to } => [4, action.index(), to.index(), 0],
            Event::Advance { from, to, pips } => [4, from.index(), to.index(), usize::from(pips)],
        };
        numbers.into_iter().for_each(|number| self.add(number as u64));
    }

    /// The sizes of trees, as deep as they are small, and the hashes of their leaves.
    fn add_tree(&mut self, position: &Position) {
        let by_turns = position.game().plays_by_turns();
        for depth in 1..=DEPTH {
            let nodes = match by_turns {
                true => position.turn_perft(depth),
                false => position.perft(depth),
            };
            self.add(nodes);
            if nodes > LEAVES || nodes == 0 {
                return;
            }
            if !by_turns {
                let made = position.perft_made(depth);
                self.add(made.nodes);
                self.add(made.sum);
            }
        }
    }

    /// A random game: what is legal, what is played, and what comes of it.
    fn add_playout(&mut self, mut position: Position, number: u64) {
        let mut source = Source::for_game(1, number);
        for _ in 0..EVENTS {
            let legal = position.legal();
            legal.iter().for_each(|event| self.add_event(*event));
            self.add_wide(position.hash128());
            self.add(u64::from(position.outcome().is_some()));
            let event = source.draw(&position).or_else(|| source.pick(&legal));
            let Some(step) = event.and_then(|event| position.apply(event).ok()) else { break };
            self.add_event(step.event);
            self.add(step.rule.index() as u64);
            position = step.position;
        }
        if let Some(outcome) = position.outcome() {
            self.add(outcome.ending.index() as u64);
            self.add(outcome.winner.map_or(0, |winner| winner.index() as u64 + 1));
            outcome.scores.iter().for_each(|score| self.add(*score as u64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_counts_in_a_fold() {
        let fold = |numbers: [u64; 3]| {
            let mut fold = Fold::default();
            numbers.into_iter().for_each(|number| fold.add(number));
            fold.0
        };
        assert_eq!(fold([1, 2, 3]), fold([1, 2, 3]));
        assert_ne!(fold([1, 2, 3]), fold([2, 1, 3]));
        assert_ne!(fold([0, 0, 1]), fold([0, 1, 0]));
    }
}
