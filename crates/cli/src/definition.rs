//! `senet definition`: a game as its data.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output::{Output, counted};
use crate::{shelf, source};

const EXAMPLES: &str = "\
Examples:
  senet definition tic-tac-toe > my-game.json
  senet definition othello --as senet
  senet definition --check my-game.json
  senet definition --schema > definition.schema.json
  senet play my-game.json";

/// The JSON Schema of definitions. A test makes it of the types, so that the command need not.
const SCHEMA: &str = include_str!("../../../docs/definition.schema.json");

/// Prints or checks the definition of a game, or prints the schema of definitions.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game by name, or a file that ends with .senet or .json.
    #[arg(required_unless_present_any = ["check", "schema"])]
    game: Option<String>,
    /// How it is written: as JSON, or as the game file that it comes from.
    #[arg(long = "as", value_name = "FORM", default_value = "json")]
    form: Form,
    /// Compile a definition file and list every mistake in it.
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    check: Option<PathBuf>,
    /// Print the JSON Schema of definitions, for editors and other programs.
    #[arg(long, conflicts_with_all = ["game", "check", "form"])]
    schema: bool,
}

/// How a definition is written.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Json,
    Senet,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if args.schema {
        if output.is_json() {
            let schema: Value = serde_json::from_str(SCHEMA).map_err(std::io::Error::from)?;
            return Ok(output.json(&schema)?);
        }
        return Ok(output.line(SCHEMA.trim_end())?);
    }
    if let Some(path) = &args.check {
        let game = shelf::read_game(path)?;
        let hash = format!("{:032x}", game.definition_hash());
        if output.is_json() {
            return Ok(
                output.json(&json!({ "game": game.name(), "valid": true, "definition": hash }))?
            );
        }
        let parts = [
            counted(game.players().count() as u64, "player"),
            counted(game.tile_count() as u64, "tile"),
            counted(game.pieces().count() as u64, "piece"),
        ];
        output.line(format!("{} compiles: {}", game.name(), parts.join(", ")))?;
        return Ok(output.line(format!("definition {hash}"))?);
    }
    let name = args.game.as_deref().unwrap_or_default();
    if args.form == Form::Senet {
        if name.ends_with(".json") {
            let message = "a definition in JSON comes from no game file: leave out `--as senet`";
            return Err(Failure::params(message));
        }
        let text = source::find(name)?.0.text;
        return match output.is_json() {
            true => Ok(output.json(&json!({ "game": name, "file": text }))?),
            false => Ok(output.text(&text)?),
        };
    }
    let game = shelf::open(name)?;
    let definition = game.definition();
    if output.is_json() {
        return Ok(output.json(definition)?);
    }
    let pretty = serde_json::to_string_pretty(definition).map_err(std::io::Error::from)?;
    Ok(output.line(pretty)?)
}
