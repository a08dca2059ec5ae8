//! Files of games, read with every move made and checked, beside python-chess on the same file.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use senet_chance::{Source, playout};
use senet_core::Game;
use senet_registry::chess::NOTATION;
use senet_registry::chess::pgn::{Reader, Record, Rules, Tags, Termination, Tree};

use super::Setting;
use super::clock::Clock;
use super::contest::{Contest, Work, repeat};
use super::finding::Findings;
use crate::native;
use crate::python::{self, Python};

/// How many games the file has, and the most moves of one.
const GAMES: u64 = 2000;
const MOVES: usize = 80;

/// The most rounds: the other program takes a quarter of a minute for one.
const ROUNDS: u64 = 3;

/// Reads a file as the most common loop of its users does, and says what it read and how fast.
const SCRIPT: &str = "
import sys, time
import chess.pgn
begin = time.process_time()
games = moves = wrong = 0
with open(sys.argv[1]) as file:
    while (game := chess.pgn.read_game(file)) is not None:
        games += 1
        moves += game.end().ply()
        wrong += len(game.errors)
print(games, moves, wrong, time.process_time() - begin)
";

/// Why every game of the file can be read.
const SOUND: &str = "what is written reads back";

/// What a program read, and in how many seconds.
struct Reading {
    games: u64,
    moves: u64,
    seconds: f64,
}

/// Times all who read, in moves each second.
pub(super) fn read(setting: &Setting<'_>) -> Findings {
    let game = native::game("chess");
    let rules = Rules::new(&game, &NOTATION);
    let (path, _) = write(&game, &rules);
    let first = ours(&path, &rules, Form::Line);
    let known = (first.games, first.moves);
    let python = if setting.peers.are_wanted() {
        Python::with("chess")
    } else {
        Err("asked only with --peers".to_owned())
    };
    let checked = |reading: Reading| match (reading.games, reading.moves) == known {
        true => Ok(Work { units: reading.moves as f64, seconds: reading.seconds }),
        false => Err(format!("read {} games of {} moves", reading.games, reading.moves)),
    };
    let mut findings = Findings::default();
    for (name, form) in [("pgn/line", Form::Line), ("pgn/tree", Form::Record)] {
        let contest = Contest::new(|times| repeat(times, || checked(ours(&path, &rules, form))))
            .against("python-chess", |_| {
                checked(theirs(python.as_ref().map_err(Clone::clone)?, &path)?)
            });
        findings.contest(name, &contest.hold(setting.rounds.min(ROUNDS)));
    }
    findings
}

/// Writes random games to a file below the target folder.
///
/// # Panics
/// If there is no room for it.
fn write(game: &Game, rules: &Rules<'_>) -> (PathBuf, usize) {
    let mut text = String::new();
    for number in 0..GAMES {
        let start = game.start();
        let played = playout(game, &start, &mut Source::for_game(1, number), MOVES);
        let mut tree = Tree::new();
        played.events.iter().fold(0, |node, &event| tree.add(node, event));
        let winner = played.outcome.map(|outcome| outcome.winner);
        let result = match winner.map(|winner| winner.map(|winner| game.player_name(winner))) {
            None => Termination::Unknown,
            Some(None) => Termination::Draw,
            Some(Some("white")) => Termination::White,
            Some(Some(_)) => Termination::Black,
        };
        let mut tags = Tags::default();
        let said = ["random play", "?", "????.??.??", &(number + 1).to_string(), "A", "B"];
        for (tag, value) in ["Event", "Site", "Date", "Round", "White", "Black"].iter().zip(said) {
            tags.set(tag, value);
        }
        tags.set("Result", result.text());
        let record = Record { tags, game: game.name().to_owned(), start, tree, result };
        text.push_str(&record.format(rules).expect("random games are legal"));
        text.push('\n');
    }
    let path = python::target().expect("a target folder").join("random.pgn");
    fs::write(&path, &text).expect("room for a few megabytes");
    (path, text.len())
}

/// How much is kept of a game.
#[derive(Clone, Copy)]
enum Form {
    Line,
    Record,
}

/// Reads the file.
///
/// # Panics
/// If a game that we wrote does not read back.
fn ours(path: &Path, rules: &Rules<'_>, form: Form) -> Reading {
    let clock = Clock::start();
    let file = File::open(path).expect("the file was just written");
    let mut reader = Reader::new(BufReader::new(file), "random.pgn", rules);
    let (mut games, mut moves) = (0, 0);
    loop {
        let read = match form {
            Form::Line => reader.next_line().map(|line| line.expect(SOUND).events.len()),
            Form::Record => reader.next_record().map(|record| record.expect(SOUND).tree.len() - 1),
        };
        let Some(read) = read else { break };
        moves += read as u64;
        games += 1;
    }
    Reading { games, moves, seconds: clock.seconds() }
}

/// Has python-chess read the file.
fn theirs(python: &Python, path: &Path) -> Result<Reading, String> {
    let output = python.command().args(["-c", SCRIPT]).arg(path).output();
    let output = output.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [games, moves, 0.0, seconds] => {
            Ok(Reading { games: games as u64, moves: moves as u64, seconds })
        }
        _ => Err(format!("no sound answer: {text:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_reads_back_in_both_forms() {
        let game = native::game("chess");
        let rules = Rules::new(&game, &NOTATION);
        let (path, bytes) = write(&game, &rules);
        let (line, record) = (ours(&path, &rules, Form::Line), ours(&path, &rules, Form::Record));
        assert_eq!((line.games, line.moves), (record.games, record.moves));
        assert_eq!(line.games, GAMES);
        assert!(bytes > 100_000);
    }
}
