//! What the levels of the chess search are worth: games between neighbouring levels and with
//! Stockfish at ratings that its authors measured, and the ratings that explain the results best.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use senet_bots::{Bot, Brain, Budget, Limit, Moment, Spec};
use senet_chance::Source;
use senet_core::{Event, Match};
use senet_registry::Entry;

use crate::bench::peer::engine;
use crate::pipe::Pipe;
use crate::report::{Report, Row};
use crate::{page, progress};

/// How many games are played.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask rating --games 20\n  \
    cargo xtask rating --games 100 --write\n\n\
    With --write the ratings go where `senet uci` reads them, and the table to docs/opponents.md.")]
pub(crate) struct Args {
    /// How many games are played in each match
    #[arg(long, value_name = "N", default_value_t = 40)]
    games: usize,
    /// The highest level that is measured; each takes three times as long as the one below
    #[arg(long, value_name = "LEVEL", default_value_t = 7)]
    levels: u8,
    /// How long Stockfish thinks about a move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 20)]
    time: u64,
    /// What openings and levels grow from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Write the ratings and the table
    #[arg(long)]
    write: bool,
}

/// The ratings of Stockfish that levels play against: the lowest it has, and some above.
const PEERS: [(i64, &str); 3] = [
    (1350, "against Stockfish 1350"),
    (1600, "against Stockfish 1600"),
    (1900, "against Stockfish 1900"),
];

/// The first level that plays against Stockfish: those below lose to it always.
const FIRST: u8 = 3;

/// How many plies of a game are played at random, so that no two are the same.
const OPENING: usize = 6;

/// Who plays: a level, or Stockfish at a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Level(u8),
    Stockfish(i64),
}

/// How often one side won, drew and lost against another.
type Results = BTreeMap<(Side, Side), [u32; 3]>;

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    match measure(args, root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rating: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(args: &Args, root: &Path) -> Result<(), String> {
    let levels = args.levels.clamp(2, senet_bots::LEVELS);
    let mut matches: Vec<(Side, Side)> = Vec::new();
    for level in 2..=levels {
        matches.push((Side::Level(level), Side::Level(level - 1)));
    }
    for level in FIRST..=levels {
        matches.extend(PEERS.map(|(rating, _)| (Side::Level(level), Side::Stockfish(rating))));
    }
    // Every second game with each side, the shortest games first.
    let number = |game| matches.iter().map(move |pair| (*pair, game));
    let games: Vec<((Side, Side), usize)> = (0..args.games).flat_map(number).collect();
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Results::new()));
    let bar = progress::bar(games.len() as u64);
    let work = || -> Result<(), String> {
        let mut stockfish = limited()?;
        let players = Players::new(args);
        while let Some((pair, game)) = games.get(next.fetch_add(1, Ordering::Relaxed)).copied() {
            let score = players.play(pair, game, &mut stockfish)?;
            let mut results = results.lock().map_err(|_| "a thread failed")?;
            results.entry(pair).or_default()[(1 - score) as usize] += 1;
            bar.inc(1);
        }
        Ok(())
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a thread failed")?)
    })?;
    bar.finish_and_clear();
    let results = results.into_inner().map_err(|_| "a thread failed")?;
    let ratings = ratings(&results, levels);
    let report = table(&results, &ratings);
    print!("{}", report.table());
    if !args.write {
        return Ok(());
    }
    if !ratings.is_sorted() {
        return Err("a level is rated below the one under it: play more games".to_owned());
    }
    let written = ratings.iter().map(|rating| format!("{rating}\n")).collect::<String>();
    fs::write(root.join(RATINGS), written).map_err(|error| error.to_string())?;
    let name = engine("stockfish", &[])?.ask_for("uci", "id name")?;
    let (games, name) = (args.games, name.trim_start_matches("id name ").to_owned());
    let conditions = format!("{games} games in each match; {name} at {} ms a move.\n", args.time);
    let (page, command) = ("docs/opponents.md", "cargo xtask rating --write");
    let text = format!("{conditions}\n{}", report.markdown());
    page::write(root, page, command, &text).map_err(|error| error.to_string())
}

/// Stockfish, which plays at the rating it is given. One that it does not have is passed over in
/// silence, and it would play at the one before.
fn limited() -> Result<Pipe, String> {
    let mut stockfish = engine("stockfish", &["setoption name UCI_LimitStrength value true"])?;
    let option = stockfish.ask_for("uci", "option name UCI_Elo")?;
    let bound = |name: &str| {
        let mut words = option.split_whitespace().skip_while(|word| *word != name);
        words.nth(1).and_then(|word| word.parse::<i64>().ok())
    };
    let (Some(least), Some(most)) = (bound("min"), bound("max")) else {
        return Err(format!("Stockfish has no ratings: {option}"));
    };
    match PEERS.iter().find(|(rating, _)| !(least..=most).contains(rating)) {
        Some((rating, _)) => Err(format!("Stockfish plays at {least} to {most}, not at {rating}")),
        None => Ok(stockfish),
    }
}

/// A row for each level: its rating, how sure that is, and its results.
fn table(results: &Results, ratings: &[i64]) -> Report {
    let mut report = Report::default();
    for ((level, rating), margin) in (1..).zip(ratings).zip(margins(results, ratings)) {
        let mut row = Row::default().number("level", f64::from(level), 0);
        row = row.number("rating", *rating as f64, 0);
        row = row.text("95 % interval", format!("± {margin:.0}"));
        let against = |side: Side| results.get(&(Side::Level(level), side));
        let sides = PEERS.map(|(rating, name)| (name, Side::Stockfish(rating)));
        let below = ("against the level below", Side::Level(level - 1));
        for (name, side) in [below].into_iter().chain(sides) {
            let told = against(side).map(|[won, drawn, lost]| format!("{won}-{drawn}-{lost}"));
            row = row.text(name, told.unwrap_or_else(|| "-".to_owned()));
        }
        report.push(row);
    }
    report
}

/// Where `senet uci` reads the ratings, a line for each level.
const RATINGS: &str = "crates/cli/src/uci/rating.txt";

/// What is needed to play.
struct Players<'a> {
    args: &'a Args,
    entry: &'static Entry,
}

impl Players<'_> {
    fn new(args: &Args) -> Players<'_> {
        let entry = senet_registry::find("chess").expect("a registered game");
        Players { args, entry }
    }

    /// What the first side gets from a game: 1, 0 or -1. It begins every second one.
    fn play(
        &self,
        (one, two): (Side, Side),
        number: usize,
        stockfish: &mut Pipe,
    ) -> Result<i64, String> {
        let (game, notation) = (self.entry.game(), self.entry.notation);
        let first = number % 2;
        // Both games of a pair have the same opening.
        let mut chance = Source::for_game(self.args.seed, number as u64 / 2);
        let mut played = Match::new(game.clone());
        for _ in 0..OPENING {
            if let Some(event) = chance.pick(&game.legal(played.state())) {
                let _ = played.apply(event);
            }
        }
        let seed = self.args.seed.wrapping_add(number as u64);
        let bot = |side: Side| match side {
            Side::Level(level) => {
                let spec = Spec { brain: Brain::Search, budget: Budget::Level(level) };
                Some(spec.bot(&game, seed))
            }
            Side::Stockfish(_) => None,
        };
        let mut bots: [Option<Box<dyn Bot>>; 2] = [bot(one), bot(two)];
        if let Side::Stockfish(rating) = two {
            stockfish.say(&format!("setoption name UCI_Elo value {rating}"))?;
            stockfish.say("ucinewgame")?;
            stockfish.ask_for("isready", "readyok")?;
        }
        while played.outcome().is_none() && played.ply() < 300 {
            let seat = (game.view(played.state()).player().index() + first) % 2;
            let past = Moment::past_of(&played);
            let moment = Moment { state: played.state(), past: &past, recall: None };
            let event: Event = match &mut bots[seat] {
                Some(bot) => bot.choose(&moment, &Limit::NONE).ok_or("no move")?.event,
                None => {
                    let fen = notation.format_position(&game, played.state());
                    stockfish.say(&format!("position fen {fen}"))?;
                    let time = self.args.time;
                    let answer = stockfish.ask_for(&format!("go movetime {time}"), "bestmove")?;
                    let text = answer.split_whitespace().nth(1).unwrap_or_default();
                    let event = notation.parse_event(&game, played.state(), text);
                    event.map_err(|error| format!("{fen}: {text}: {error}"))?
                }
            };
            played.apply(event).map_err(|_| "a move was refused")?;
        }
        Ok(played.outcome().map_or(0, |outcome| outcome.scores[first]))
    }
}

/// Half of the 95 % confidence interval of each rating: from the inverse of the information that the
/// results have about all ratings together. The ratings of Stockfish are taken as exact.
fn margins(results: &Results, ratings: &[i64]) -> Vec<f64> {
    let count = ratings.len();
    // The information beside the unit matrix, which becomes the inverse.
    let mut rows: Vec<Vec<f64>> = (0..count).map(|at| unit(at, count)).collect();
    for (&(one, two), &[won, drawn, lost]) in results {
        let rating_of = |side: Side| match side {
            Side::Level(level) => ratings[usize::from(level) - 1] as f64,
            Side::Stockfish(rating) => rating as f64,
        };
        let expected = 1.0 / (1.0 + 10f64.powf((rating_of(two) - rating_of(one)) / 400.0));
        let slope = std::f64::consts::LN_10 / 400.0;
        let known = f64::from(won + drawn + lost) * expected * (1.0 - expected) * slope * slope;
        let levels = [one, two].map(|side| match side {
            Side::Level(level) => Some(usize::from(level) - 1),
            Side::Stockfish(_) => None,
        });
        for row in levels.into_iter().flatten() {
            rows[row][row] += known;
        }
        if let [Some(one), Some(two)] = levels {
            rows[one][two] -= known;
            rows[two][one] -= known;
        }
    }
    for pivot in 0..count {
        // What nothing is known about has an interval without bounds.
        let scale = rows[pivot][pivot].max(f64::MIN_POSITIVE);
        rows[pivot].iter_mut().for_each(|value| *value /= scale);
        let chosen = rows[pivot].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != pivot) {
            let factor = row[pivot];
            row.iter_mut().zip(&chosen).for_each(|(value, other)| *value -= factor * other);
        }
    }
    (0..count).map(|at| 1.96 * rows[at][count + at].sqrt()).collect()
}

/// A row of zeros with a row of the unit matrix behind it.
fn unit(at: usize, count: usize) -> Vec<f64> {
    (0..2 * count).map(|column| if column == count + at { 1.0 } else { 0.0 }).collect()
}

/// How far ratings are moved for a point too many or too few in a game.
const STEP: f64 = 300.0;

/// The ratings of the levels under which the results are the likeliest, by the logistic curve of Elo.
/// Each match counts half a win and half a loss more, so that no level is infinitely far away.
fn ratings(results: &Results, levels: u8) -> Vec<i64> {
    let mut ratings: Vec<f64> = vec![PEERS[0].0 as f64; levels.into()];
    let rating_of = |ratings: &[f64], side: Side| match side {
        Side::Level(level) => ratings[usize::from(level) - 1],
        Side::Stockfish(rating) => rating as f64,
    };
    for _ in 0..20_000 {
        let (mut slopes, mut counts) = (vec![0.0; ratings.len()], vec![0.0; ratings.len()]);
        for (&(one, two), &[won, drawn, lost]) in results {
            let games = f64::from(won + drawn + lost) + 1.0;
            let score = f64::from(won) + f64::from(drawn) / 2.0 + 0.5;
            let apart = rating_of(&ratings, one) - rating_of(&ratings, two);
            let slope = score - games / (1.0 + 10f64.powf(-apart / 400.0));
            for (side, slope) in [(one, slope), (two, -slope)] {
                if let Side::Level(level) = side {
                    slopes[usize::from(level) - 1] += slope;
                    counts[usize::from(level) - 1] += games;
                }
            }
        }
        // A step in proportion to the mean of a game does not overshoot, however many there are.
        for ((rating, slope), games) in ratings.iter_mut().zip(slopes).zip(counts) {
            *rating += STEP * slope / f64::max(games, 1.0);
        }
    }
    ratings.iter().map(|rating| rating.round() as i64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_explain_results() {
        let mut results = Results::new();
        // Three of four points are 191 of Elo; even is none.
        results.insert((Side::Level(1), Side::Stockfish(1350)), [500, 0, 500]);
        results.insert((Side::Level(2), Side::Level(1)), [700, 100, 200]);
        let found = ratings(&results, 2);
        assert!((found[0] - 1350).abs() <= 1, "{found:?}");
        assert!((found[1] - 1541).abs() <= 2, "{found:?}");
    }

    #[test]
    fn more_games_make_a_rating_surer() {
        let mut results = Results::new();
        results.insert((Side::Level(1), Side::Stockfish(1350)), [50, 0, 50]);
        results.insert((Side::Level(2), Side::Level(1)), [50, 0, 50]);
        let [one, two] = margins(&results, &[1350, 1350])[..] else { panic!("two levels") };
        // A hundred games of equals are worth ± 68; what is known by way of another is less sure.
        assert!((one - 68.0).abs() < 1.0, "{one}");
        assert!((two - one * 2f64.sqrt()).abs() < 1.0, "{two}");
    }

    #[test]
    fn who_loses_every_game_has_a_rating() {
        let mut results = Results::new();
        results.insert((Side::Level(1), Side::Stockfish(1350)), [0, 0, 20]);
        results.insert((Side::Level(2), Side::Level(1)), [20, 0, 0]);
        let found = ratings(&results, 2);
        assert!((400..1350).contains(&found[0]) && found[1] > found[0], "{found:?}");
    }
}
