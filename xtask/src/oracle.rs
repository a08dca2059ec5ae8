//! Comparison with programs that others trust, on thousands of positions.

mod backgammon;
mod compare;
mod peer;
mod sample;
mod timeline;
mod uci;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::ValueEnum;
use indicatif::ProgressBar;
use senet_chance::Source;
use senet_core::{Event, Game, Match, Notation, State};
use serde_json::json;

use crate::python::Python;
use crate::report::{Report, Row};
use crate::{page, progress};
use compare::{Difference, QUANTITIES, Tally};
use peer::Peer;
use sample::{TEMPERS, Temper};

/// What is compared, and how much of it.
#[derive(clap::Args)]
#[command(
    after_help = "Exit code 1: the programs differ. 3: the other program cannot be installed or run."
)]
pub(crate) struct Args {
    /// The family of games
    #[arg(value_enum)]
    family: Family,
    /// How many random positions, 12000 of chess or 1000 of backgammon when left out; of chess half
    /// are of the game itself, the rest of its variants
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// How many games the engine plays through its protocol
    #[arg(long, value_name = "N", default_value_t = 24)]
    games: u64,
    /// What the random positions and games grow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Write the table into docs/exact.md
    #[arg(long)]
    write: bool,
}

impl Args {
    /// Writes a table into the page about exactness, where that is wanted; whether all went well.
    fn write(&self, root: &Path, report: &Report) -> bool {
        let family = self.family.to_possible_value().expect("no family is skipped");
        let command = format!("cargo xtask oracle {} --write", family.get_name());
        let written = match self.write {
            true => page::write(root, "docs/exact.md", &command, &report.markdown()),
            false => Ok(()),
        };
        written.map_err(|error| eprintln!("oracle: {error}")).is_ok()
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Family {
    /// Chess, Chess960, King of the Hill, three-check and atomic, with python-chess
    Chess,
    /// The engine of `senet uci`, driven by the client of python-chess
    Uci,
    /// Backgammon, with gnubg
    Backgammon,
    /// Parquet files of game trees, opened with DuckDB, Polars and pandas
    Timeline,
}

/// How many differences of a quantity are shown.
const SHOWN: usize = 5;

/// A game that both programs know, under the name it has here.
struct Edition {
    name: &'static str,
    game: Arc<Game>,
    notation: &'static dyn Notation,
}

/// The games that python-chess knows too.
fn editions() -> Vec<Edition> {
    let known = ["chess", "chess960", "king-of-the-hill", "three-check", "atomic"];
    let entries = known.map(|name| senet_registry::find(name).expect("a registered game"));
    let edition = |entry: &senet_registry::Entry| Edition {
        name: entry.name,
        game: entry.game(),
        notation: entry.notation,
    };
    entries.into_iter().map(edition).collect()
}

/// Compares and prints a table of what was compared; every difference goes to stderr.
pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    match args.family {
        Family::Backgammon => backgammon::run(args, root),
        Family::Timeline => timeline::run(args.json),
        Family::Chess | Family::Uci => with_python(args, root),
    }
}

fn with_python(args: &Args, root: &Path) -> ExitCode {
    let all = args.positions.unwrap_or(12_000);
    let python = match Python::with("chess") {
        Ok(python) => python,
        Err(error) => {
            eprintln!("oracle: python-chess cannot be installed: {error}");
            return ExitCode::from(3);
        }
    };
    if let Family::Uci = args.family {
        return uci::run(&python, args, root);
    }
    let editions = editions();
    let bar = progress::bar(all);
    let mut tallies = Vec::new();
    for (index, edition) in editions.iter().enumerate() {
        bar.set_message(edition.name);
        let share = if index == 0 { 2 } else { 2 * (editions.len() as u64 - 1) };
        let positions = all.div_ceil(share);
        let source = Source::for_game(args.seed, index as u64);
        let script = include_str!("oracle/chess.py");
        let tally = Peer::start(&python, script)
            .and_then(|mut peer| Run { edition, source, bar: &bar }.all(&mut peer, positions));
        match tally {
            Ok(tally) => tallies.push(tally),
            Err(error) => {
                eprintln!("oracle: {}: {error}", edition.name);
                return ExitCode::from(3);
            }
        }
    }
    bar.finish_and_clear();
    finish(args, root, &editions, &tallies)
}

/// The comparison of one edition.
struct Run<'r> {
    edition: &'r Edition,
    source: Source,
    bar: &'r ProgressBar,
}

impl Run<'_> {
    fn all(&mut self, peer: &mut Peer, positions: u64) -> Result<Tally, String> {
        let mut tally = Tally::default();
        self.specials(peer, &mut tally)?;
        self.positions(peer, positions, &mut tally)?;
        self.games(peer, positions / 100 + 4, &mut tally)?;
        Ok(tally)
    }

    /// Positions written by hand, and those a move later.
    fn specials(&mut self, peer: &mut Peer, tally: &mut Tally) -> Result<(), String> {
        let (edition, game) = (self.edition, &self.edition.game);
        for state in sample::specials(edition) {
            compare::position(edition, peer, &state, tally)?;
            for event in game.legal(&state) {
                if let Ok(step) = game.apply(&state, event) {
                    compare::position(edition, peer, &step.state, tally)?;
                }
            }
        }
        Ok(())
    }

    /// Positions of random games, each once.
    fn positions(&mut self, peer: &mut Peer, wanted: u64, tally: &mut Tally) -> Result<(), String> {
        let (edition, game) = (self.edition, &self.edition.game);
        let mut seen = BTreeSet::new();
        let mut tempers = TEMPERS.into_iter().cycle();
        while (seen.len() as u64) < wanted {
            let temper = tempers.next().unwrap_or(Temper::Any);
            let mut state = sample::start(edition, &mut self.source);
            for _ in 0..300 {
                let fresh = self.source.below(3) == 0 && seen.insert(state.hash128());
                if fresh && seen.len() as u64 <= wanted {
                    compare::position(edition, peer, &state, tally)?;
                    self.bar.inc(1);
                }
                let event = sample::choose(game, &state, temper, None, &mut self.source);
                let Some(step) = event.and_then(|event| game.apply(&state, event).ok()) else {
                    break;
                };
                state = step.state;
            }
        }
        Ok(())
    }

    /// Whole games: some at random, some that repeat themselves, some with clocks far on.
    fn games(&mut self, peer: &mut Peer, games: u64, tally: &mut Tally) -> Result<(), String> {
        let edition = self.edition;
        for number in 0..games {
            let mut state = sample::start(edition, &mut self.source);
            let temper = if number % 2 == 0 { Temper::Shuffle } else { Temper::Any };
            if number % 4 > 1 {
                state = late(edition, &state, 80 + self.source.below(60));
            }
            let events = self.play(&state, temper);
            compare::game(edition, peer, (&state, &events), tally)?;
        }
        Ok(())
    }

    /// Plays a game to its end by itself, or to a limit.
    fn play(&mut self, start: &State, temper: Temper) -> Vec<Event> {
        let game = &self.edition.game;
        let mut played = Match::from_state(game.clone(), start.clone());
        let mut events: Vec<Event> = Vec::new();
        while events.len() < 160 && played.outcome().is_none() {
            let last = events.len().checked_sub(2).map(|before| events[before]);
            let state = played.state().clone();
            let Some(event) = sample::choose(game, &state, temper, last, &mut self.source) else {
                break;
            };
            if played.apply(event).is_err() {
                break;
            }
            events.push(event);
        }
        events
    }
}

/// The same position with a clock of `clock` plies without progress.
fn late(edition: &Edition, state: &State, clock: u64) -> State {
    let fen = edition.notation.format_position(&edition.game, state);
    let mut words: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    words[4] = clock.to_string();
    words[5] = (clock / 2 + 1).to_string();
    let fen = words.join(" ");
    edition.notation.parse_position(&edition.game, &fen).expect("only the clocks differ")
}

/// Prints what was compared and what differs.
fn finish(args: &Args, root: &Path, editions: &[Edition], tallies: &[Tally]) -> ExitCode {
    let different = tallies.iter().map(|tally| tally.differences.len()).sum::<usize>();
    let (mut report, endings) = reports(editions, tallies);
    if different == 0 && !args.write(root, &report) {
        return ExitCode::FAILURE;
    }
    report.add(endings);
    let text = if args.json { as_json(editions, tallies) } else { report.table() };
    if let Err(error) = io::stdout().lock().write_all(text.as_bytes())
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        eprintln!("oracle: {error}");
        return ExitCode::FAILURE;
    }
    for (edition, tally) in editions.iter().zip(tallies) {
        tell(edition.name, &tally.differences);
    }
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Tells the first differences of each quantity, and how many more there are.
fn tell(name: &str, differences: &[Difference]) {
    for quantity in QUANTITIES {
        let mut found = differences.iter().filter(|one| one.quantity == quantity);
        for Difference { fen, ours, theirs, .. } in found.by_ref().take(SHOWN) {
            eprintln!("oracle: {name}, {quantity}: {fen}");
            eprintln!("    senet         {ours}\n    python-chess  {theirs}");
        }
        match found.count() {
            0 => {}
            more => eprintln!("oracle: {name}, {quantity}: {more} more; all of them with --json"),
        }
    }
}

/// What was compared, and how the games that were played ended.
fn reports(editions: &[Edition], tallies: &[Tally]) -> (Report, Report) {
    let (mut report, mut endings) = (Report::default(), Report::default());
    for (edition, tally) in editions.iter().zip(tallies) {
        let mut row = Row::default().text("game", edition.name);
        for quantity in QUANTITIES {
            let count = tally.counts.get(quantity).copied().unwrap_or(0);
            row = row.number(quantity, count as f64, 0);
        }
        report.push(row.number("differences", tally.differences.len() as f64, 0));
        for (ending, count) in &tally.endings {
            let row = Row::default().text("game", edition.name).text("ending", ending);
            endings.push(row.number("times", *count as f64, 0));
        }
    }
    (report, endings)
}

fn as_json(editions: &[Edition], tallies: &[Tally]) -> String {
    let rows = editions.iter().zip(tallies).map(|(edition, tally)| {
        let differences = tally.differences.iter().map(|one| {
            json!({
                "quantity": one.quantity, "position": one.fen,
                "senet": one.ours, "python-chess": one.theirs,
            })
        });
        json!({
            "game": edition.name,
            "compared": tally.counts,
            "endings": tally.endings,
            "differences": differences.collect::<Vec<_>>(),
        })
    });
    format!("{}\n", json!({ "games": rows.collect::<Vec<_>>() }))
}
