//! `senet inspect`: how the rules of a game are carried out.

use std::path::{Path, PathBuf};

use senet::{Game, layers, nearest};
use serde::Serialize;

use crate::context::Subject;
use crate::failure::Failure;
use crate::file;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet inspect chess
  senet inspect chess --rule 'en passant'
  senet inspect tic-tac-toe --ir
  senet inspect othello --wasm othello.wasm

Conditions on the target are lifted to sets where they can be, and then asked once for all
candidates; what cannot be lifted is asked of each candidate, of that rule alone. What must hold
afterwards is known without a trial where check masks and pins tell it.";

/// Shows how rules are carried out: set by set, piece by piece or candidate by candidate.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// Only the rules of this name.
    #[arg(long)]
    rule: Option<String>,
    /// The lowered code too, an operation a line.
    #[arg(long)]
    ir: bool,
    /// Writes the game as a WebAssembly module to this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rule", "ir"])]
    wasm: Option<PathBuf>,
}

/// What is told of one rule and player.
#[derive(Serialize)]
struct Report {
    rule: String,
    player: String,
    methods: Vec<String>,
    conditions: Vec<Asked>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ensures: Option<String>,
    operations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

#[derive(PartialEq, Serialize)]
struct Asked {
    condition: String,
    asked: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let game = context.game();
    if let Some(path) = &args.wasm {
        return write_module(game, path, output);
    }
    let found = game.inspect(args.rule.as_deref());
    if let (Some(name), true) = (&args.rule, found.is_empty()) {
        let all = game.inspect(None);
        let near = nearest(name, all.iter().map(|one| game.rule_name(one.rule)));
        let near = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
        return Err(Failure::params(format!("no rule is named `{name}`{near}")));
    }
    let reports: Vec<Report> = found.into_iter().map(|one| report(game, one, args.ir)).collect();
    if output.is_json() {
        return Ok(output.json(&reports)?);
    }
    output.line(format!("backend: {}", game.backend()))?;
    for alike in reports.chunk_by(Report::is_carried_out_as) {
        let report = &alike[0];
        let players: Vec<&str> = alike.iter().map(|one| one.player.as_str()).collect();
        output.line(format!("rule `{}` of {}:", report.rule, players.join(" and ")))?;
        output.line(format!(
            "  {} ({} operations)",
            report.methods.join("; "),
            report.operations
        ))?;
        for Asked { condition, asked } in &report.conditions {
            output.line(format!("  asked {asked}: {condition}"))?;
        }
        if let Some(ensures) = &report.ensures {
            output.line(format!("  must hold afterwards: {ensures}"))?;
        }
        for line in report.code.iter().flat_map(|code| code.lines()) {
            output.line(format!("    {line}"))?;
        }
    }
    Ok(())
}

impl Report {
    /// Whether another player's report of the rule says the same.
    fn is_carried_out_as(&self, other: &Report) -> bool {
        let told = |one: &Report| (one.rule.clone(), one.methods.clone(), one.operations);
        told(self) == told(other)
            && (&self.conditions, &self.ensures) == (&other.conditions, &other.ensures)
            && self.code == other.code
    }
}

#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
}

/// Writes the WebAssembly module of a game.
fn write_module(game: &Game, path: &Path, output: &mut Output) -> Result<(), Failure> {
    let bytes = game.to_wasm().map_err(|error| Failure::params(error.to_string()))?;
    file::write(path, &bytes)?;
    let written = Written { file: path.display().to_string(), bytes: bytes.len() };
    if output.is_json() {
        return Ok(output.json(&written)?);
    }
    Ok(output.line(format!("{} bytes in {}", written.bytes, written.file))?)
}

fn report(game: &Game, found: layers::Inspection, with_code: bool) -> Report {
    let conditions = found
        .conditions
        .iter()
        .map(|(condition, asked)| Asked { condition: condition.clone(), asked: asked.to_string() });
    Report {
        rule: game.rule_name(found.rule).to_owned(),
        player: game.player_name(found.player).to_owned(),
        methods: found.methods.iter().map(ToString::to_string).collect(),
        conditions: conditions.collect(),
        ensures: found.ensures,
        operations: found.operations,
        code: with_code.then_some(found.code),
    }
}
