//! `senet moves`: every legal event of a position.

use serde::Serialize;

use crate::answer::{Legal, LegalEvent, Outcome, Turns};
use crate::context::{Context, Subject};
use crate::failure::Failure;
use crate::output::{Output, columns};

const EXAMPLES: &str = "\
Examples:
  senet moves tic-tac-toe
  senet moves tic-tac-toe --position 'xo1/1x1/3 o'
  senet moves chess --position 'k7/8/K7/8/8/8/8/7R w - - 0 1'
  senet moves my-game.json --turns --json

Each line is an event, how people write it where that differs, how likely it is where
chance decides, and the position after it. Below them is what may be said instead of playing,
such as to resign.";

/// Lists every legal move of a position.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// List whole turns, each with the events it is made of.
    #[arg(long)]
    turns: bool,
}

/// The same with the position they are the moves of.
#[derive(Serialize)]
struct Of<'a, T> {
    game: &'a str,
    position: String,
    #[serde(flatten)]
    moves: T,
    outcome: Option<Outcome>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    if args.turns {
        let turns = Turns::new(&context)?;
        if output.is_json() {
            return Ok(output.json(&of(&context, turns))?);
        }
        let rows = turns.turns.iter().map(|turn| [turn.notation.clone(), turn.position.clone()]);
        return show(output, &context, &columns(&rows.collect::<Vec<_>>()));
    }
    let legal = Legal::new(&context);
    if output.is_json() {
        return Ok(output.json(&of(&context, legal))?);
    }
    show(output, &context, &lines(&legal))
}

fn of<T>(context: &Context, moves: T) -> Of<'_, T> {
    let position = &context.position;
    let outcome = Outcome::of(position);
    Of { game: context.game().name(), position: position.to_string(), moves, outcome }
}

/// A line for each event, and one for what may be said instead.
pub(crate) fn lines(legal: &Legal) -> Vec<String> {
    let row = |event: &LegalEvent| {
        let notation = Some(&event.notation).filter(|notation| **notation != event.event);
        let odds = event.probability.as_ref();
        [
            event.event.clone(),
            notation.cloned().unwrap_or_default(),
            odds.map_or(String::new(), |odds| format!("{}/{}", odds.weight, odds.total)),
            event.position.clone(),
        ]
    };
    let mut lines = columns(&legal.events.iter().map(row).collect::<Vec<_>>());
    if !legal.asides.is_empty() {
        let asides: Vec<&str> = legal.asides.iter().map(|aside| aside.event.as_str()).collect();
        lines.push(format!("or: {}", asides.join(", ")));
    }
    lines
}

fn show(output: &mut Output, context: &Context, lines: &[String]) -> Result<(), Failure> {
    for line in lines {
        output.line(line)?;
    }
    if lines.is_empty() {
        let outcome = Outcome::of(&context.position);
        let why = outcome.map_or("nothing is left to play".into(), |outcome| outcome.text());
        output.line(format!("no moves: {why}"))?;
    }
    Ok(())
}
