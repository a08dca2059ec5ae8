//! `senet definition`: a game as its data.

use std::path::PathBuf;

use serde_json::json;

use crate::failure::Failure;
use crate::output::Output;
use crate::shelf;

const EXAMPLES: &str = "\
Examples:
  senet definition tic-tac-toe > my-game.json
  senet definition --check my-game.json
  senet play my-game.json";

/// Prints a game's definition as JSON, or checks a definition file.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game by name, or a definition file that ends with .json.
    #[arg(required_unless_present = "check")]
    game: Option<String>,
    /// Compile a definition file and list every mistake in it.
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    check: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if let Some(path) = &args.check {
        let game = shelf::read_game(path)?;
        let hash = format!("{:032x}", game.definition_hash());
        if output.is_json() {
            return Ok(
                output.json(&json!({ "game": game.name(), "valid": true, "definition": hash }))?
            );
        }
        let (players, tiles) = (game.players().count(), game.tile_count());
        let (name, pieces) = (game.name(), game.pieces().count());
        output
            .line(format!("{name} compiles: {players} players, {tiles} tiles, {pieces} pieces"))?;
        return Ok(output.line(format!("definition {hash}"))?);
    }
    let game = shelf::open(args.game.as_deref().unwrap_or_default())?;
    let definition = game.definition();
    if output.is_json() {
        return Ok(output.json(definition)?);
    }
    let pretty = serde_json::to_string_pretty(definition).map_err(std::io::Error::from)?;
    Ok(output.line(pretty)?)
}
