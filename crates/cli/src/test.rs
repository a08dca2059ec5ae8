//! `senet test`: the tests inside game files.

use std::collections::{BTreeMap, BTreeSet};

use senet::chance::Source as Chance;
use senet::lang::{Trial, line_column, run_tests};
use senet::{EndingId, Game, RuleId, file_notation};
use serde_json::json;

use crate::failure::Failure;
use crate::output::{Output, counted};
use crate::source;

const EXAMPLES: &str = "\
Examples:
  senet test my-game.senet
  senet test chess othello
  senet test my-game.senet --coverage --games 200";

/// Runs the tests inside game files.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game files, or games by name.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Also play at random, and list the rules and endings that never came up.
    #[arg(long)]
    coverage: bool,
    /// How many games are played for that.
    #[arg(long = "games", value_name = "N", default_value_t = 100, requires = "coverage")]
    playouts: u64,
}

/// A game played at random is abandoned after this many events.
const LIMIT: usize = 2_000;

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut answers = Vec::new();
    let mut failed = 0;
    for name in &args.games {
        let (text, files) = source::find(name)?;
        let file = source::read(&text, &files, BTreeMap::new());
        let file = file.map_err(|problems| source::failure(&problems))?;
        let trials = run_tests(&file, &files, file_notation(&file));
        failed += trials.iter().filter(|trial| trial.failure.is_some()).count();
        let game = Game::of_file(&file).map_err(|problems| source::failure(&problems))?;
        let unused = if args.coverage { unused(&game, args.playouts) } else { Vec::new() };
        if output.is_json() {
            let tests: Vec<_> = trials.iter().map(|trial| answer(&text.text, trial)).collect();
            let found = json!({ "game": game.name(), "file": text.name, "tests": tests });
            answers.push(match args.coverage {
                true => json!({ "game": game.name(), "file": text.name, "tests": tests, "unused": unused }),
                false => found,
            });
            continue;
        }
        for trial in &trials {
            let (line, _) = line_column(&text.text, trial.span.start);
            match &trial.failure {
                None => output.line(format!("ok      {}:{line}: {}", text.name, trial.what))?,
                Some(why) => {
                    output.line(format!("FAILED  {}:{line}: {}: {why}", text.name, trial.what))?;
                }
            }
        }
        if trials.is_empty() {
            output.line(format!("{}: no tests", text.name))?;
        }
        if args.coverage {
            let played = counted(args.playouts, "game");
            match &unused[..] {
                [] => output.line(format!("{}: everything came up in {played}", game.name()))?,
                unused => {
                    for one in unused {
                        output.line(format!("{}: never in {played}: {one}", game.name()))?;
                    }
                }
            }
        }
    }
    if output.is_json() {
        output.json(&answers)?;
    }
    if failed > 0 { Err(Failure::told()) } else { Ok(()) }
}

fn answer(text: &str, trial: &Trial) -> serde_json::Value {
    let (line, _) = line_column(text, trial.span.start);
    json!({ "line": line, "test": trial.what, "passed": trial.failure.is_none(), "failure": trial.failure })
}

/// Rules and endings that never came up in games played at random.
fn unused(game: &Game, playouts: u64) -> Vec<String> {
    let mut rules: BTreeSet<RuleId> = BTreeSet::new();
    let mut endings: BTreeSet<EndingId> = BTreeSet::new();
    for number in 0..playouts {
        let mut source = Chance::for_game(1, number);
        let mut position = game.start();
        for _ in 0..LIMIT {
            let drawn = if position.awaits_chance() { source.draw(&position) } else { None };
            let Some(event) = drawn.or_else(|| source.pick(&position.legal())) else { break };
            let Ok(step) = position.apply(event) else { break };
            rules.insert(step.rule);
            position = step.position;
        }
        endings.extend(position.outcome().map(|outcome| outcome.ending));
    }
    let seen: BTreeSet<&str> = rules.iter().map(|rule| game.rule_name(*rule)).collect();
    let ended: BTreeSet<&str> = endings.iter().map(|ending| game.ending_name(*ending)).collect();
    let written = game.definition().phases.iter().flat_map(|phase| &phase.rules);
    let aside = senet::define::Listing::Aside;
    let rules = written.filter(|rule| rule.listing != aside && !seen.contains(rule.name.as_str()));
    let rules = rules.map(|rule| format!("rule `{}`", rule.name));
    let endings = game.definition().endings.iter();
    let endings = endings.filter(|ending| !ended.contains(ending.name.as_str()));
    rules.chain(endings.map(|ending| format!("ending `{}`", ending.name))).collect()
}
