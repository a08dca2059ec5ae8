//! `senet simulate`: many games at random, and what came of them.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use senet::chance::Source;
use senet::{EndingId, PlayerId};
use serde::Serialize;

use crate::answer::wins;
use crate::context::{Context, Subject};
use crate::failure::Failure;
use crate::output::{Output, columns, counted};
use crate::progress;
use crate::worker::{self, Threads};

const EXAMPLES: &str = "\
Examples:
  senet simulate tic-tac-toe --games 10000 --seed 7
  senet simulate tic-tac-toe --games 1000 --seed 7 --position '3/1x1/3 o' --json

The same seed gives the same games on every machine and with any number of threads.";

/// After how many events a game counts as unfinished when nobody says.
pub(crate) const EVENTS: usize = 100_000;

/// Plays many games at random and counts how they end.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// How many games are played.
    #[arg(long, value_name = "N")]
    games: u64,
    /// The seed of chance and of the players; chosen at random and shown if omitted.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Count a game as unfinished after this many events.
    #[arg(long, value_name = "EVENTS", default_value_t = EVENTS)]
    limit: usize,
    #[command(flatten)]
    threads: Threads,
}

/// What came of some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    games: u64,
    wins: BTreeMap<PlayerId, u64>,
    endings: BTreeMap<EndingId, u64>,
    draws: u64,
    unfinished: u64,
    events: u64,
    shortest: Option<u64>,
    longest: Option<u64>,
}

impl Tally {
    /// The tally of some of the games under a seed.
    fn of(context: &Context, plan: &Plan, games: std::ops::Range<u64>) -> Tally {
        let mut tally = Tally::default();
        let mut playouts = context.position.game().playouts();
        for game in games {
            let mut source = Source::for_game(plan.seed, game);
            let played = playouts.finish(&context.position, &mut source, plan.limit);
            let length = played.events as u64;
            tally.games += 1;
            tally.events += length;
            tally.shortest = Some(tally.shortest.map_or(length, |least| least.min(length)));
            tally.longest = tally.longest.max(Some(length));
            let Some(outcome) = played.outcome else {
                tally.unfinished += 1;
                continue;
            };
            *tally.endings.entry(outcome.ending).or_default() += 1;
            match outcome.winner {
                Some(winner) => *tally.wins.entry(winner).or_default() += 1,
                None => tally.draws += 1,
            }
        }
        tally
    }

    fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.draws += other.draws;
        self.unfinished += other.unfinished;
        self.events += other.events;
        self.shortest = [self.shortest, other.shortest].into_iter().flatten().min();
        self.longest = self.longest.max(other.longest);
        for (player, games) in other.wins {
            *self.wins.entry(player).or_default() += games;
        }
        for (ending, games) in other.endings {
            *self.endings.entry(ending).or_default() += games;
        }
    }
}

/// How many games are played, and how.
pub(crate) struct Plan {
    pub(crate) games: u64,
    pub(crate) seed: u64,
    /// After how many events a game counts as unfinished.
    pub(crate) limit: usize,
    pub(crate) threads: usize,
}

/// What came of the games.
#[derive(Serialize)]
pub(crate) struct Answer<'g> {
    game: &'g str,
    position: String,
    seed: u64,
    games: u64,
    wins: BTreeMap<&'g str, u64>,
    draws: u64,
    unfinished: u64,
    endings: BTreeMap<&'g str, u64>,
    length: Length,
}

/// How many events the games took.
#[derive(Serialize)]
struct Length {
    mean: f64,
    min: Option<u64>,
    max: Option<u64>,
    total: u64,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let game = context.game();
    let plan = Plan {
        games: args.games,
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed")),
        limit: args.limit,
        threads: args.threads.count(),
    };
    let answer = Answer::new(&context, &plan);
    if output.is_json() {
        return Ok(output.json(&answer)?);
    }
    let order: Vec<&str> = game.players().map(|player| game.player_name(player)).collect();
    show(&answer, &order, output)
}

impl<'g> Answer<'g> {
    /// Plays the games.
    pub(crate) fn new(context: &'g Context, plan: &Plan) -> Answer<'g> {
        let (game, tally) = (context.game(), play_all(context, plan));
        let won = |player| tally.wins.get(&player).copied().unwrap_or(0);
        let wins = game.players().map(|player| (game.player_name(player), won(player)));
        let endings = tally.endings.iter();
        let endings = endings.map(|(ending, games)| (game.ending_name(*ending), *games));
        let mean = tally.events as f64 / tally.games.max(1) as f64;
        Answer {
            game: game.name(),
            position: context.position.to_string(),
            seed: plan.seed,
            games: tally.games,
            wins: wins.collect(),
            draws: tally.draws,
            unfinished: tally.unfinished,
            endings: endings.collect(),
            length: Length { mean, min: tally.shortest, max: tally.longest, total: tally.events },
        }
    }
}

/// Plays the games in parts that do not depend on how many threads there are.
fn play_all(context: &Context, plan: &Plan) -> Tally {
    let part = (plan.games / 4096).max(16);
    let parts = plan.games.div_ceil(part) as usize;
    let bar = progress::bar(plan.games, "games");
    let tallies = worker::share(plan.threads, parts, |task| {
        let first = task as u64 * part;
        let tally = Tally::of(context, plan, first..plan.games.min(first.saturating_add(part)));
        bar.inc(tally.games);
        tally
    });
    bar.finish_and_clear();
    let mut all = Tally::default();
    tallies.into_iter().for_each(|tally| all.add(tally));
    all
}

fn show(answer: &Answer<'_>, order: &[&str], output: &mut Output) -> Result<(), Failure> {
    let Answer { game, games, seed, length, .. } = answer;
    let row = |what: String, count: u64| {
        let share = 100.0 * count as f64 / (*games).max(1) as f64;
        [what, count.to_string(), format!("{share:.1} %")]
    };
    output.line(format!("{game}: {} at random, seed {seed}", counted(*games, "game")))?;
    let mut rows: Vec<[String; 3]> = order
        .iter()
        .map(|player| row(format!("{player} {}", wins(player)), answer.wins[player]))
        .collect();
    rows.push(row("draws".into(), answer.draws));
    if answer.unfinished > 0 {
        rows.push(row("unfinished".into(), answer.unfinished));
    }
    for (ending, count) in &answer.endings {
        rows.push(row(format!("by {ending}"), *count));
    }
    for line in columns(&rows) {
        output.line(format!("  {line}"))?;
    }
    if let (Some(min), Some(max)) = (length.min, length.max) {
        output.line(format!("length: {:.2} events on average, {min} to {max}", length.mean))?;
    }
    Ok(())
}
