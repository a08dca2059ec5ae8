//! `senet pgn stats`: what is in a file.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use senet::notation::pgn::{Line, Termination};
use senet::{Event, Game, Match, Outcome};
use serde::Serialize;

use super::check::plies_of;
use super::shelf::{Shelf, position};
use crate::failure::Failure;
use crate::input::Input;
use crate::note;
use crate::output::{Output, columns, counted};

/// The most openings that are counted. One that first comes up after them is hardly a frequent one.
const OPENINGS: usize = 1 << 16;

/// A fivefold repetition takes at least this many plies without a capture or a pawn move.
const FIVEFOLD: i64 = 16;

/// Every result, in the order in which they are shown.
const RESULTS: [Termination; 4] =
    [Termination::White, Termination::Black, Termination::Draw, Termination::Unknown];

const EXAMPLES: &str = "\
Examples:
  senet pgn stats games.pgn
  senet pgn stats games.pgn --depth 8 --top 20
  senet pgn stats - --json < games.pgn

A ply is the move of one player. Results are those that the file gives; endings are those on the
board after the last move. A game with an error is reported on standard error and not counted, and
the exit code is 1.";

/// Counts games, results, endings and openings of a file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A PGN file; - is standard input.
    file: PathBuf,
    /// How many plies, the moves of one player, make an opening.
    #[arg(long, value_name = "PLIES", default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(1..=40))]
    depth: u16,
    /// How many openings are shown, the most played first.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
}

/// The first moves of a game from the start of its variant.
type Opening = (String, Vec<Event>);

/// What was read.
#[derive(Default)]
struct Tally {
    games: u64,
    plies: u64,
    errors: u64,
    variants: BTreeMap<String, u64>,
    results: BTreeMap<&'static str, u64>,
    endings: BTreeMap<String, u64>,
    openings: BTreeMap<Opening, u64>,
    shortest: Option<Length>,
    longest: Option<Length>,
}

/// A game by how long it is.
#[derive(Clone, Serialize)]
struct Length {
    plies: u64,
    /// The game of the file, from 1.
    game: usize,
    white: Option<String>,
    black: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    file: String,
    games: u64,
    plies: u64,
    errors: u64,
    variants: BTreeMap<String, u64>,
    results: BTreeMap<&'static str, u64>,
    endings: BTreeMap<String, u64>,
    mean: f64,
    shortest: Option<Length>,
    longest: Option<Length>,
    openings: Vec<Share>,
}

/// How often an opening was played.
#[derive(Serialize)]
struct Share {
    game: String,
    moves: Vec<String>,
    games: u64,
}

pub(super) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let shelf = Shelf::new();
    let rules = shelf.rules();
    let (mut reader, bar) = Input::open(&args.file)?.games(&rules);
    let mut tally = Tally::default();
    tally.results.extend(RESULTS.map(|result| (result.text(), 0)));
    let mut number = 0;
    while let Some(read) = reader.next_line() {
        number += 1;
        match read {
            Ok(line) => tally.count(shelf.find(&line.game), line, number, args.depth.into()),
            Err(error) => {
                tally.errors += 1;
                let failure = Failure::from(error);
                bar.suspend(|| match output.is_json() {
                    true => output.json(&failure.envelope()),
                    false => {
                        note(&failure.message);
                        Ok(())
                    }
                })?;
            }
        }
    }
    bar.finish_and_clear();
    let errors = tally.errors;
    let answer = tally.answer(&shelf, args);
    match output.is_json() {
        true => output.json(&answer)?,
        false => show(&answer, args, output)?,
    }
    if errors == 0 { Ok(()) } else { Err(Failure::told()) }
}

impl Tally {
    /// Counts a game.
    fn count(&mut self, game: &Game, line: &Line, number: usize, depth: usize) {
        let length = line.events.len() as u64;
        self.games += 1;
        self.plies += length;
        *self.variants.entry(line.game.clone()).or_default() += 1;
        *self.results.entry(line.result.text()).or_default() += 1;
        if let Some(ending) = ending(game, line) {
            *self.endings.entry(ending).or_default() += 1;
        }
        let longer = self.longest.as_ref().is_none_or(|longest| length > longest.plies);
        let shorter = self.shortest.as_ref().is_none_or(|shortest| length < shortest.plies);
        if longer || shorter {
            let name = |tag: &str| line.tags.get(tag).map(str::to_owned);
            let (white, black) = (name("White"), name("Black"));
            let this = Length { plies: length, game: number, white, black };
            self.longest = if longer { Some(this.clone()) } else { self.longest.take() };
            self.shortest = if shorter { Some(this) } else { self.shortest.take() };
        }
        if line.events.len() >= depth && line.start == *game.start().state() {
            let opening = (line.game.clone(), line.events[..depth].to_vec());
            let room = self.openings.len() < OPENINGS;
            match self.openings.get_mut(&opening) {
                Some(games) => *games += 1,
                None if room => drop(self.openings.insert(opening, 1)),
                None => {}
            }
        }
    }

    fn answer(self, shelf: &Shelf, args: &Args) -> Answer {
        let mut openings: Vec<(Opening, u64)> = self.openings.into_iter().collect();
        openings.sort_by_key(|(_, games)| Reverse(*games));
        let share = |((game, events), games): (Opening, u64)| {
            let moves = written(shelf.find(&game), &events);
            Share { game, moves, games }
        };
        Answer {
            file: args.file.display().to_string(),
            games: self.games,
            plies: self.plies,
            errors: self.errors,
            variants: self.variants,
            results: self.results,
            endings: self.endings,
            mean: self.plies as f64 / self.games.max(1) as f64,
            shortest: self.shortest,
            longest: self.longest,
            openings: openings.into_iter().take(args.top).map(share).collect(),
        }
    }
}

/// How a game ended on the board. Repetitions are a matter of history, so a game that may have
/// come to five is played again.
fn ending(game: &Game, line: &Line) -> Option<String> {
    let name = |outcome: Outcome| game.ending_name(outcome.ending).to_owned();
    let last = position(game, &line.state);
    if let Some(outcome) = last.outcome() {
        return Some(name(outcome));
    }
    let view = last.view();
    let clock = game.variable("clock").map_or(0, |clock| view.variable(clock, view.player()));
    if clock < FIVEFOLD {
        return None;
    }
    let mut again = Match::at(position(game, &line.start));
    for &event in &line.events {
        again.apply(event).ok()?;
    }
    again.outcome().map(name)
}

/// Moves from the start of a game, as people write them.
fn written(game: &Game, events: &[Event]) -> Vec<String> {
    game.start().line(events).map(|(before, step)| before.notate(step.event)).collect()
}

fn show(answer: &Answer, args: &Args, output: &mut Output) -> Result<(), Failure> {
    let Answer { file, games, plies, mean, .. } = answer;
    let (all, played) = (counted(*games, "game"), plies_of(*plies));
    output.line(format!("{file}: {all}, {played}, {mean:.2} on average"))?;
    let named = |(name, count): (&str, u64)| {
        let share = 100.0 * count as f64 / (*games).max(1) as f64;
        [name.to_owned(), count.to_string(), format!("{share:.1} %")]
    };
    let plain = answer.variants.keys().all(|name| name == "chess");
    let variants = answer.variants.iter().filter(|_| !plain);
    let endings: u64 = answer.endings.values().sum();
    let none = ("none", games - endings);
    let results = RESULTS.map(|result| (result.text(), answer.results[result.text()]));
    let sections = [
        ("variants", variants.map(|(name, count)| (name.as_str(), *count)).collect::<Vec<_>>()),
        ("results", results.to_vec()),
        (
            "endings on the board",
            answer.endings.iter().map(|(n, c)| (n.as_str(), *c)).chain([none]).collect(),
        ),
    ];
    for (title, rows) in sections.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        section(title, &rows.into_iter().map(named).collect::<Vec<_>>(), output)?;
    }
    for (which, length) in [("shortest", &answer.shortest), ("longest", &answer.longest)] {
        let Some(Length { plies, game, white, black }) = length else { continue };
        let [white, black] = [white, black].map(|name| name.as_deref().unwrap_or("?"));
        let long = plies_of(*plies);
        output.line(format!("{which}: {long} in game {game}, {white} - {black}"))?;
    }
    let opening = |share: &Share| {
        let variant = if plain { String::new() } else { format!("{}: ", share.game) };
        let line = format!("{variant}{}", numbered(&share.moves));
        named((&line, share.games))
    };
    let rows: Vec<_> = answer.openings.iter().map(opening).collect();
    if rows.is_empty() {
        return Ok(());
    }
    section(&format!("openings of {}", plies_of(args.depth.into())), &rows, output)
}

fn section(title: &str, rows: &[[String; 3]], output: &mut Output) -> Result<(), Failure> {
    output.line(format!("{title}:"))?;
    for line in columns(rows) {
        output.line(format!("  {line}"))?;
    }
    Ok(())
}

/// Moves with their numbers.
fn numbered(moves: &[String]) -> String {
    let mut text = String::new();
    for (index, one) in moves.iter().enumerate() {
        match index % 2 {
            0 if index > 0 => text.push_str(&format!(" {}. {one}", index / 2 + 1)),
            0 => text.push_str(&format!("1. {one}")),
            _ => text.push_str(&format!(" {one}")),
        }
    }
    text
}
