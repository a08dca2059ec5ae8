//! `senet mat stats`: what is in a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use senet::notation::mat::{Deed, Record};
use serde::Serialize;

use super::Shelf;
use crate::failure::Failure;
use crate::input::Input;
use crate::note;
use crate::output::{Output, columns, counted};

const EXAMPLES: &str = "\
Examples:
  senet mat stats evening.mat
  senet mat stats - --json < evening.mat

A game with an error is reported on standard error and not counted, and the exit code is 1.";

/// Counts matches, games, wins, cubes and dice of a file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A file of matches; - is standard input.
    file: PathBuf,
}

/// What was read.
#[derive(Default, Serialize)]
struct Tally {
    matches: u64,
    games: u64,
    errors: u64,
    rolls: u64,
    /// Rolls after which nothing could be played.
    dances: u64,
    /// Games by how they were won.
    wins: BTreeMap<&'static str, u64>,
    /// Games by what the cube showed at their end.
    cubes: BTreeMap<u64, u64>,
    doubles: u64,
    takes: u64,
    drops: u64,
    awarded: u64,
    unfinished: u64,
    /// Points by player.
    points: BTreeMap<String, u64>,
}

pub(super) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let shelf = Shelf::new();
    let (mut reader, bar) = shelf.games(Input::open(&args.file)?);
    let mut tally = Tally::default();
    while let Some(read) = reader.next_game() {
        match read {
            Ok(record) => tally.count(&record),
            Err(error) => {
                tally.errors += 1;
                let failure = Failure::from(error);
                bar.suspend(|| match output.is_json() {
                    true => output.tell(&failure),
                    false => {
                        note(&failure.message);
                        Ok(())
                    }
                })?;
            }
        }
    }
    bar.finish_and_clear();
    match output.is_json() {
        true => output.json(&tally)?,
        false => show(&tally, args, output)?,
    }
    if tally.errors == 0 { Ok(()) } else { Err(Failure::told()) }
}

impl Tally {
    fn count(&mut self, record: &Record) {
        self.games += 1;
        self.matches += u64::from(record.opens);
        let mut cube = 1;
        let mut offered = 1;
        for entry in &record.game.entries {
            match &entry.deed {
                Deed::Play { trips, .. } => {
                    self.rolls += 1;
                    self.dances += u64::from(trips.is_empty());
                }
                Deed::Double(value) | Deed::Beaver(value) => {
                    self.doubles += 1;
                    offered = *value;
                }
                Deed::Take => {
                    self.takes += 1;
                    cube = offered;
                }
                Deed::Drop => self.drops += 1,
            }
        }
        *self.cubes.entry(cube).or_default() += 1;
        self.awarded += u64::from(record.awarded);
        match record.win {
            Some(win) => *self.wins.entry(win.name()).or_default() += 1,
            None => self.unfinished += 1,
        }
        if let Some(winning) = record.game.winning {
            let player = record.game.players[winning.side.index()].clone();
            *self.points.entry(player).or_default() += u64::from(winning.points);
        }
    }
}

fn show(tally: &Tally, args: &Args, output: &mut Output) -> Result<(), Failure> {
    let matches =
        if tally.matches == 1 { "1 match".into() } else { format!("{} matches", tally.matches) };
    let (games, rolls) = (counted(tally.games, "game"), counted(tally.rolls, "roll"));
    let mean = tally.rolls as f64 / tally.games.max(1) as f64;
    let file = args.file.display();
    output.line(format!("{file}: {matches}, {games}, {rolls}, {mean:.2} a game"))?;
    let row = |what: String, count: u64| {
        let share = 100.0 * count as f64 / tally.games.max(1) as f64;
        [what, count.to_string(), format!("{share:.1} %")]
    };
    let mut rows = Vec::new();
    rows.extend(tally.wins.iter().map(|(win, count)| row(format!("won by {win}"), *count)));
    rows.push(row("awarded before the end".into(), tally.awarded));
    rows.push(row("unfinished".into(), tally.unfinished));
    rows.extend(tally.cubes.iter().map(|(cube, count)| row(format!("cube at {cube}"), *count)));
    for line in columns(&rows) {
        output.line(format!("  {line}"))?;
    }
    let Tally { doubles, takes, drops, dances, .. } = tally;
    output.line(format!("doubles: {doubles}, taken {takes}, dropped {drops}; dances: {dances}"))?;
    for (player, points) in &tally.points {
        output.line(format!("{player}: {}", counted(*points, "point")))?;
    }
    Ok(())
}
