//! `senet convert`: positions in another form.

use std::io;

use senet_core::text;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::line::Lines;
use crate::output::Output;
use crate::shelf;

/// No position is longer than this.
const LIMIT: usize = 64 << 10;

const EXAMPLES: &str = "\
Examples:
  senet convert backgammon --to gnubgid 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10'
  senet convert backgammon --to json 4HPwATDgc/ABMA:cImlAAAAAAAE
  senet convert chess --to epd 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
  senet convert backgammon --to xgid - < positions.txt

Forms of backgammon: xgid, gnubgid, json, plain. Forms of chess: fen, epd, plain. Any form is read
that the game reads as a position; plain is that of every game. With - a position is read from
each line of standard input; a line that is none is told with its number, and the exit code is 1.";

/// Writes positions of a game in another form.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game by name, or a definition file that ends with .json.
    game: String,
    /// The form.
    #[arg(long, value_name = "FORM")]
    to: String,
    /// Positions; - is a position on each line of standard input.
    #[arg(required = true, value_name = "POSITION", allow_hyphen_values = true)]
    positions: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let edition = shelf::open(&args.game)?;
    let known = edition.notation.forms();
    if args.to != "plain" && !known.contains(&args.to.as_str()) {
        let mut known = known.to_vec();
        if !known.contains(&"plain") {
            known.push("plain");
        }
        let (found, allowed) = (senet_core::excerpt(&args.to), known.join(", "));
        let message = format!("{} has no form `{found}`, allowed are {allowed}", args.game);
        return Err(Failure::new(Code::Usage, message, json!({ "allowed": known })));
    }
    let convert = |text: &str| {
        let context = Context::new(edition.clone(), Some(text))?;
        let (game, state) = (&context.edition.game, &context.state);
        let written = context.edition.notation.format_as(game, state, &args.to);
        Ok::<String, Failure>(written.unwrap_or_else(|| text::format_position(game, state)))
    };
    let mut errors = 0;
    for position in &args.positions {
        if position != "-" {
            let written = convert(position)?;
            show(&written, args, output)?;
            continue;
        }
        let mut lines = Lines::new(io::stdin().lock(), LIMIT);
        let mut number = 0;
        while let Some(line) = lines.next()? {
            number += 1;
            let text = String::from_utf8_lossy(line.bytes()).into_owned();
            if text.trim().is_empty() {
                continue;
            }
            match convert(text.trim()) {
                Ok(written) => show(&written, args, output)?,
                Err(failure) => {
                    errors += 1;
                    let message = format!("-:{number}: {}", failure.message);
                    output.tell(&Failure { message, ..failure })?;
                }
            }
        }
    }
    if errors == 0 { Ok(()) } else { Err(Failure::told()) }
}

fn show(written: &str, args: &Args, output: &mut Output) -> Result<(), Failure> {
    match output.is_json() {
        true => Ok(output.json(&json!({ "form": args.to, "position": written }))?),
        false => Ok(output.line(written)?),
    }
}
