//! How strong the opponents are: long matches against random play, and problems to solve.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use senet_bots::{Bot, Limit, Moment, Search, Spec};
use senet_chance::Source;
use senet_core::{Game, Match};

use crate::report::{Report, Row};
use crate::{native, page, progress};

/// How long the matches are.
#[derive(clap::Args)]
#[command(after_help = "Exit code 1: an opponent is weaker than it must be.")]
pub(crate) struct Args {
    /// How many games are played in each match
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// How long the search of chess thinks about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    time: u64,
    /// What openings, dice and random players grow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Write the tables into docs/opponents.md
    #[arg(long)]
    write: bool,
}

/// A match, and what must come of it.
struct Contest {
    game: &'static str,
    spec: String,
    /// The least points a game, in hundredths.
    floor: i64,
}

const MATES: &str = include_str!("../../crates/cli/tests/data/mate-in-two.txt");

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    let contests = [
        Contest { game: "chess", spec: format!("search:{}ms", args.time), floor: 100 },
        Contest { game: "backgammon", spec: "search:1".into(), floor: 101 },
        Contest { game: "tic-tac-toe", spec: "search:9".into(), floor: 50 },
    ];
    let mut report = Report::default();
    let mut weak = false;
    for contest in &contests {
        let (row, met) = contest.run(args);
        report.push(row);
        weak |= !met;
    }
    let (found, all) = mates(Duration::from_millis(args.time));
    weak |= found < all;
    let row = Row::default().text("problems", "chess, mate in two");
    report.push(row.number("found", found as f64, 0).number("of", all as f64, 0));
    let text = if args.json { report.json() } else { report.table() };
    let _ = io::stdout().lock().write_all(text.as_bytes());
    if args.write && !weak {
        let (page, command) = ("docs/opponents.md", "cargo xtask strength --write");
        if let Err(error) = page::write(root, page, command, &report.markdown()) {
            eprintln!("strength: {error}");
            return ExitCode::FAILURE;
        }
    }
    if weak { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

impl Contest {
    /// Plays against random play on all cores.
    fn run(&self, args: &Args) -> (Row, bool) {
        let game = native::game(self.game);
        let spec: Spec = self.spec.parse().expect("an opponent");
        let bar = progress::bar(args.games);
        bar.set_message(self.game);
        let next = AtomicU64::new(0);
        let work = || {
            let mut points = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= args.games {
                    return points;
                }
                points.push(play(&game, spec, (args.seed, number)));
                bar.inc(1);
            }
        };
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let points: Vec<i64> = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
        });
        bar.finish_and_clear();
        let sum: i64 = points.iter().sum();
        let count = |wanted: i64| points.iter().filter(|one| one.signum() == wanted).count() as f64;
        let row = Row::default()
            .text("game", self.game)
            .text("opponent", spec.to_string())
            .text("against", "random")
            .number("won", count(1), 0)
            .number("drawn", count(0), 0)
            .number("lost", count(-1), 0)
            .number("points a game", sum as f64 / args.games.max(1) as f64, 2)
            .number("at least", self.floor as f64 / 100.0, 2);
        (row, sum * 100 >= self.floor * args.games as i64)
    }
}

/// What an opponent gets from a game with a random player, who begins every second one.
fn play(game: &Arc<Game>, spec: Spec, (seed, number): (u64, u64)) -> i64 {
    let side = (number % 2) as usize;
    let mut chance = Source::for_game(seed, number);
    let mut bot = spec.bot(game, number);
    let random = Spec { brain: senet_bots::Brain::Random, ..spec };
    let mut random: Box<dyn Bot> = random.bot(game, chance.below(u64::MAX));
    let mut played = Match::new(game.clone());
    while played.outcome().is_none() && played.ply() < 2_000 {
        let state = played.state();
        let past = Moment::past_of(&played);
        let moment = Moment { state, past: &past, recall: None };
        let event = chance.draw(game, state).or_else(|| {
            let mine = game.view(state).player().index() == side;
            let thinker = if mine { &mut bot } else { &mut random };
            thinker.choose(&moment, &Limit::NONE).map(|thought| thought.event)
        });
        let Some(event) = event else { break };
        played.apply(event).expect("opponents play by the rules");
    }
    played.outcome().map_or(0, |outcome| outcome.scores[side])
}

/// How many of the mates in two are found in some time each, and how many there are.
fn mates(time: Duration) -> (usize, usize) {
    let entry = senet_registry::find("chess").expect("a registered game");
    let game = native::attached(entry.game());
    let problems: Vec<&str> = MATES.lines().filter(|line| !line.starts_with('#')).collect();
    let solved = |line: &&&str| {
        let fen = line.split(" ; ").next().unwrap_or_default();
        let state = entry.notation.parse_position(&game, fen).expect("a tested position");
        let search = Search::new(game.clone());
        let start = std::time::Instant::now();
        let stop = || start.elapsed() >= time;
        let limit = Limit { stop: &stop, ..Limit::NONE };
        let thought = search.think(&Moment::of(&state), &limit, &[], &mut |_| ());
        thought.and_then(|thought| thought.end_in()) == Some(3)
    };
    (problems.iter().filter(solved).count(), problems.len())
}
