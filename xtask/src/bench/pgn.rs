//! Files of games, read with every move made and checked, beside python-chess on the same file.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::ProgressBar;
use senet_chance::{Source, playout};
use senet_core::Game;
use senet_registry::chess::pgn::{Reader, Record, Rules, Tags, Termination, Tree};
use senet_registry::chess::{self, NOTATION};

use super::Bench;
use super::sample::Samples;
use crate::python::{self, Python};
use crate::report::{Report, Row};

/// How many games the file has, and the most moves of one.
const GAMES: u64 = 2000;
const MOVES: usize = 80;

/// How often each program reads the file, in turn.
const ROUNDS: u64 = 3;

/// Reads a file as the most common loop of its users does, and says what it read and how fast.
const SCRIPT: &str = "
import sys, time
import chess.pgn
begin = time.perf_counter()
games = moves = wrong = 0
with open(sys.argv[1]) as file:
    while (game := chess.pgn.read_game(file)) is not None:
        games += 1
        moves += game.end().ply()
        wrong += len(game.errors)
print(games, moves, wrong, time.perf_counter() - begin)
";

/// Why every game of the file can be read.
const SOUND: &str = "what is written reads back";

/// What a program read, and in how many seconds.
struct Reading {
    games: u64,
    moves: u64,
    seconds: f64,
}

pub(super) fn benches() -> Vec<Bench> {
    let measure = |bar: &ProgressBar| {
        let (mut report, problem) = measure(bar);
        if let Some(problem) = problem {
            report.push(Row::default().text("name", "pgn/read").text("left out", problem));
        }
        report
    };
    vec![Bench { name: "pgn/read".to_owned(), measure: Box::new(measure), rounds: ROUNDS }]
}

/// Times all who read, round by round; says why python-chess did not, where it did not.
fn measure(bar: &ProgressBar) -> (Report, Option<String>) {
    let game = chess::game();
    let rules = Rules::new(&game, &NOTATION);
    let (path, bytes) = write(&game, &rules);
    let python = Python::with("chess");
    let mut problem = python.as_ref().err().map(|error| format!("python-chess: {error}"));
    let mut times = [Samples::default(), Samples::default(), Samples::default()];
    let mut read = (0, 0);
    for _ in 0..ROUNDS {
        for (form, times) in [Form::Line, Form::Record].into_iter().zip(&mut times) {
            let reading = ours(&path, &rules, form);
            times.push(reading.seconds);
            read = (reading.games, reading.moves);
        }
        match python.as_ref().ok().map(|python| theirs(python, &path)) {
            Some(Ok(reading)) => {
                assert_eq!((reading.games, reading.moves), read, "both read the same games");
                times[2].push(reading.seconds);
            }
            Some(Err(error)) => problem = Some(format!("python-chess: {error}")),
            None => {}
        }
        bar.inc(1);
    }
    let mut report = Report::default();
    let names = ["senet, main line", "senet, whole tree", "python-chess"];
    for (name, time) in names.into_iter().zip(&times) {
        let seconds = time.summary().median;
        if seconds > 0.0 {
            let row = Row::default().text("name", "pgn/read").text("program", name);
            let row = row.number("games/s", read.0 as f64 / seconds, 0);
            let row = row.number("moves/s", read.1 as f64 / seconds, 0);
            let row = row.number("MB/s", bytes as f64 / seconds / 1e6, 2);
            report.push(row.number("times python-chess", times[2].over(time).summary().median, 1));
        }
    }
    (report, problem)
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
    let begin = Instant::now();
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
    Reading { games, moves, seconds: begin.elapsed().as_secs_f64() }
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
        let game = chess::game();
        let rules = Rules::new(&game, &NOTATION);
        let (path, bytes) = write(&game, &rules);
        let (line, record) = (ours(&path, &rules, Form::Line), ours(&path, &rules, Form::Record));
        assert_eq!((line.games, line.moves), (record.games, record.moves));
        assert_eq!(line.games, GAMES);
        assert!(bytes > 100_000);
    }
}
