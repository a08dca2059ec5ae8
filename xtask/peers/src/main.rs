//! Other libraries answer questions: a line in, a line of numbers out, each time with the seconds
//! that the work took. So a round of theirs can follow a round of ours in one run.
//!
//! | question | answer |
//! |---|---|
//! | `chess-perft DEPTH FEN` | leaves, seconds |
//! | `chess-made DEPTH FEN` | leaves, seconds |
//! | `chess-playout GAMES SEED` | plies, seconds |
//! | `backgammon-turns DEPTH` | results, seconds |
//! | `backgammon-playout GAMES SEED` | turns, seconds |

mod backgammon;
mod chess;

use std::io::{self, BufRead, Write};

use cpu_time::ProcessTime;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match answer(&line?) {
            Ok((count, seconds)) => writeln!(out, "{count} {seconds}")?,
            Err(problem) => writeln!(out, "! {problem}")?,
        }
        out.flush()?;
    }
    Ok(())
}

fn answer(line: &str) -> Result<(u64, f64), String> {
    let (question, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (first, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let first: u64 = first.parse().map_err(|error| format!("{line:?}: {error}"))?;
    let seed = || rest.parse::<u64>().map_err(|error| format!("{line:?}: {error}"));
    match question {
        "chess-perft" => {
            let board = chess::board(rest)?;
            Ok(timed(|| chess::perft(&board, first)))
        }
        "chess-made" => {
            let board = chess::board(rest)?;
            Ok(timed(|| chess::perft_made(&board, first)))
        }
        "chess-playout" => {
            let seed = seed()?;
            Ok(timed(|| chess::playouts(first, seed)))
        }
        "backgammon-turns" => Ok(timed(|| backgammon::turns(first))),
        "backgammon-playout" => {
            let seed = seed()?;
            Ok(timed(|| backgammon::playouts(first, seed)))
        }
        _ => Err(format!("no such question: {line:?}")),
    }
}

fn timed(work: impl FnOnce() -> u64) -> (u64, f64) {
    let begin = ProcessTime::now();
    let count = work();
    (count, begin.elapsed().as_secs_f64())
}
