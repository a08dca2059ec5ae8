//! `senet new`: a game file to begin with.

use std::path::PathBuf;

use serde_json::json;

use crate::failure::{Code, Failure};
use crate::output::Output;
use crate::{file, source};

const EXAMPLES: &str = "\
Examples:
  senet new my-game
  senet new my-othello --like othello
  senet new my-chess --variant chess";

/// Writes a game file to begin with, NAME.senet in the current folder.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The name of the game.
    name: String,
    /// Begin with a copy of a game.
    #[arg(long, value_name = "GAME", conflicts_with = "variant")]
    like: Option<String>,
    /// Begin with a variant of a game, which says only what differs.
    #[arg(long, value_name = "GAME")]
    variant: Option<String>,
}

const TEMPLATE: &str = "\
about \"what it is, in a line\"
players white facing north, black facing south
board grid 5 x 5
piece man
setup white rank 1, black rank 5

rule step:    move man step forward to empty
rule capture: move man step forward-east | forward-west to foe
win  \"home\"    any own & row 5
lose \"no move\" stuck

test perft 5
";

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let sound = args.name.chars().all(fits) && args.name.starts_with(char::is_alphanumeric);
    if !sound || args.name.ends_with('-') {
        let message = format!(
            "`{}` cannot name a game: write letters, digits and hyphens between them",
            senet::excerpt(&args.name)
        );
        return Err(Failure::params(message));
    }
    let path = PathBuf::from(format!("{}.senet", args.name));
    if path.exists() {
        let message = format!("{} is already there", path.display());
        return Err(Failure::new(Code::Io, message, serde_json::Value::Null));
    }
    let text = match (&args.like, &args.variant) {
        (Some(like), _) => copied(&args.name, &source::find(like)?.0.text),
        (None, Some(base)) => {
            source::find(base)?;
            format!("game {} is {base}\nabout \"{base}, with a difference\"\n", args.name)
        }
        (None, None) => format!("game {}\n{TEMPLATE}", args.name),
    };
    file::write(&path, text.as_bytes())?;
    if output.is_json() {
        return Ok(output.json(&json!({ "written": path.display().to_string() }))?);
    }
    output.line(format!("written to {}", path.display()))?;
    Ok(output.line(format!("next: senet check {0}, senet play {0}", path.display()))?)
}

/// The text of a game under another name.
fn copied(name: &str, text: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("game ") {
        Some(rest) => {
            let base =
                rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, base)| base);
            format!("game {name} {base}").trim_end().to_owned() + "\n"
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}
