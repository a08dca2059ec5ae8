//! `senet duel`: two opponents play many games against each other.

mod tally;

use std::hash::{BuildHasher, RandomState};

use senet::bots::{Limit, Spec};
use senet::chance::Source;
use senet::{Game, Match, Outcome};
use serde_json::{Value, json};

use crate::context::{Context, Subject};
use crate::failure::Failure;
use crate::output::{Output, columns, counted};
use crate::progress;
use crate::worker::{self, Threads};
use tally::Record;
pub(crate) use tally::Tally;

const EXAMPLES: &str = "\
Examples:
  senet duel chess --a search:3 --b mcts:1000 --games 100
  senet duel tic-tac-toe --a mcts:200 --b random --games 200 --seed 7 --json
  senet duel chess --a search:100ms --b search@4 --games 20

An opponent is random, search or mcts with a budget for each event:
  search:3       3 turns deep          search:200ms, mcts:2s   200 ms, 2 s
  mcts:1000      1000 playouts         search:20000n           20000 positions
  search@4       level 4 of 10

Games come in pairs: the same opening and the same dice, the sides swapped. Without a budget in
time, the same seed gives the same games on every machine and with any number of threads.";

/// Plays many games between two opponents and reports which is stronger.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The first opponent.
    #[arg(long, value_name = "BOT")]
    a: Spec,
    /// The second opponent.
    #[arg(long, value_name = "BOT")]
    b: Spec,
    /// How many games are played.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// The seed of chance, openings and opponents; chosen at random and shown if omitted.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Number of random events at the start of each game; 2 by default, none in a game with dice.
    #[arg(long, value_name = "EVENTS")]
    opening: Option<usize>,
    /// Count a game as unfinished after this many events.
    #[arg(long, value_name = "EVENTS", default_value_t = EVENTS)]
    limit: usize,
    #[command(flatten)]
    threads: Threads,
}

/// How many random events a game without dice begins with when nobody says.
const OPENING: usize = 2;

/// After how many events a game counts as unfinished when nobody says.
pub(crate) const EVENTS: usize = 2_000;

/// Who plays whom, and how.
pub(crate) struct Plan {
    pub(crate) a: Spec,
    pub(crate) b: Spec,
    pub(crate) games: u64,
    pub(crate) seed: u64,
    /// How many events at the beginning are random.
    pub(crate) opening: Option<usize>,
    /// After how many events a game counts as unfinished.
    pub(crate) limit: usize,
    pub(crate) threads: usize,
}

/// All that a game of the duel needs.
struct Arena<'a> {
    context: &'a Context,
    plan: &'a Plan,
    opening: usize,
    /// By player, the number of the side.
    sides: Vec<usize>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let plan = Plan {
        a: args.a,
        b: args.b,
        games: args.games,
        seed: args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed")),
        opening: args.opening,
        limit: args.limit,
        threads: args.threads.count(),
    };
    let tally = plan.play(&context)?;
    if output.is_json() {
        return Ok(output.json(&plan.answer(&context, &tally))?);
    }
    show(&context, &plan, &tally, output)
}

impl Plan {
    /// Plays all games.
    pub(crate) fn play(&self, context: &Context) -> Result<Tally, Failure> {
        let game = context.game();
        let dice = game.dice().next().is_some();
        let opening = self.opening.unwrap_or(if dice { 0 } else { OPENING });
        let arena = Arena { context, plan: self, opening, sides: sides(game) };
        let bar = progress::bar(self.games, "games");
        let records = worker::share(self.threads, self.games as usize, |number| {
            let record = arena.play(number as u64);
            bar.inc(1);
            record
        });
        bar.finish_and_clear();
        let mut tally = Tally::default();
        records.iter().for_each(|record| tally.add(record));
        Ok(tally)
    }

    /// What came of the games, for programs.
    pub(crate) fn answer(&self, context: &Context, tally: &Tally) -> Value {
        let elo = tally.elo();
        json!({
            "game": context.game().name(), "position": context.position.to_string(),
            "a": self.a.to_string(), "b": self.b.to_string(), "seed": self.seed,
            "games": tally.games, "wins": { "a": tally.wins[0], "b": tally.wins[1] },
            "wins_moving_first": { "a": tally.first_wins[0], "b": tally.first_wins[1] },
            "draws": tally.draws, "unfinished": tally.unfinished, "score": tally.score(),
            "elo": { "difference": elo.middle, "low": elo.low, "high": elo.high },
            "points_per_game": { "mean": tally.points(), "margin": tally.points_margin() },
            "events_per_game": tally.length(),
        })
    }
}

/// By player, which side it is on: those of a team are on one.
fn sides(game: &Game) -> Vec<usize> {
    let mut teams: Vec<&str> = Vec::new();
    let mut sides = Vec::new();
    for player in &game.definition().players {
        let team = player.team.as_ref().unwrap_or(&player.name);
        let known = teams.iter().position(|known| known == team);
        sides.push(known.unwrap_or(teams.len()));
        if known.is_none() {
            teams.push(team);
        }
    }
    sides
}

impl Arena<'_> {
    /// Plays one game.
    fn play(&self, number: u64) -> Record {
        let game = self.context.game();
        let pair = number / 2;
        let mut chance = Source::for_game(self.plan.seed, pair);
        let mut played = Match::at(self.context.position.clone());
        let seed = |which: u64| {
            Source::for_game(self.plan.seed ^ 0xb075, 2 * number + which).below(u64::MAX)
        };
        let bot = |spec: Spec, which: u64| game.bot(spec, seed(which));
        let mut bots = [bot(self.plan.a, 0), bot(self.plan.b, 1)];
        let mut opening = self.opening;
        while played.ply() < self.plan.limit && played.outcome().is_none() {
            let position = played.position();
            let event = if position.awaits_chance() {
                chance.draw(&position)
            } else if opening > 0 {
                opening -= 1;
                chance.pick(&position.legal())
            } else {
                let seat = self.seat(position.player().index(), number);
                let thought = bots[seat].choose(&played, &Limit::NONE);
                thought.expect("it is of this game").map(|thought| thought.event)
            };
            let Some(event) = event else { break };
            played.apply(event).expect("an opponent plays by the rules");
        }
        self.record(&played, number)
    }

    /// Which opponent plays for a player: they change sides from game to game.
    fn seat(&self, player: usize, number: u64) -> usize {
        (self.sides[player] + number as usize) % 2
    }

    fn record(&self, played: &Match, number: u64) -> Record {
        let events = played.ply() as u64;
        let first = self.seat(0, number);
        let Some(Outcome { winner, scores, .. }) = played.outcome() else {
            return Record { winner: None, points: 0, events, first, finished: false };
        };
        let winner = winner.map(|winner| self.seat(winner.index(), number));
        // What the side of the first opponent got; players of one team get the same.
        let mine = (0..scores.len()).find(|&player| self.seat(player, number) == 0);
        let points = mine.map_or(0, |player| scores[player]);
        Record { winner, points, events, first, finished: true }
    }
}

fn show(context: &Context, plan: &Plan, tally: &Tally, output: &mut Output) -> Result<(), Failure> {
    let game = context.game().name();
    let (a, b, seed) = (plan.a.to_string(), plan.b.to_string(), plan.seed);
    let elo = tally.elo();
    output
        .line(format!("{game}: {a} against {b}, {}, seed {seed}", counted(tally.games, "game")))?;
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / tally.games as f64);
    let row = |what: String, count: u64| [what, count.to_string(), share(count)];
    let mut rows = vec![
        row(format!("{a} wins"), tally.wins[0]),
        row(format!("{b} wins"), tally.wins[1]),
        row("draws".into(), tally.draws),
    ];
    if a == b {
        rows[0][0] = format!("a: {a} wins");
        rows[1][0] = format!("b: {b} wins");
    }
    if tally.unfinished > 0 {
        rows.push(row("unfinished".into(), tally.unfinished));
    }
    for line in columns(&rows) {
        output.line(format!("  {line}"))?;
    }
    output.line(format!("Elo difference: {elo}"))?;
    if tally.is_pointed() {
        let (mean, margin) = (tally.points(), tally.points_margin());
        output.line(format!("points a game: {mean:+.2} ± {margin:.2}"))?;
    }
    Ok(output.line(format!("length: {:.1} events on average", tally.length()))?)
}
