//! `senet convert`: positions in another form.

use std::io;

use senet::Game;
use senet::notation::Plain;
use serde_json::json;

use crate::context::Context;
use crate::failure::{Code, Failure};
use crate::line::Lines;
use crate::note;
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
each line of standard input. A line that is not a position is reported with its number on standard
error, or with --json in place of the answer, and the exit code is 1. Where a form cannot express all
of a position, a note on standard error says what is left out, and so does left_out with --json.";

/// Writes positions of a game in another form.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A game by name, or a definition file that ends with .json.
    #[arg(value_parser = crate::complete::games(), hide_possible_values = true)]
    game: String,
    /// The form.
    #[arg(long, value_name = "FORM")]
    to: String,
    /// Positions; - is a position on each line of standard input.
    #[arg(required = true, value_name = "POSITION")]
    positions: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let game = shelf::open(&args.game)?;
    let known = game.notation().forms();
    if args.to != "plain" && !known.contains(&args.to.as_str()) {
        let mut known = known.to_vec();
        if !known.contains(&"plain") {
            known.push("plain");
        }
        let (found, allowed) = (senet::excerpt(&args.to), known.join(", "));
        let message = format!("{} has no form `{found}`; the forms are {allowed}", args.game);
        return Err(Failure::new(Code::Usage, message, json!({ "allowed": known })));
    }
    let convert = |text: &str| Converted::new(&game, text, &args.to);
    let mut errors = 0;
    for position in &args.positions {
        if position != "-" {
            let converted = convert(position)?;
            show(&converted, None, args, output)?;
            continue;
        }
        let mut lines = Lines::new(io::stdin().lock(), LIMIT);
        let mut number: u64 = 0;
        while let Some(line) = lines.next()? {
            number += 1;
            let text = String::from_utf8_lossy(line.bytes()).into_owned();
            if text.trim().is_empty() {
                continue;
            }
            match convert(text.trim()) {
                Ok(converted) => show(&converted, Some(number), args, output)?,
                Err(mut failure) => {
                    errors += 1;
                    failure.message = format!("line {number}: {}", failure.message);
                    failure.details["line"] = number.into();
                    output.tell_aside(&failure)?;
                }
            }
        }
    }
    if errors == 0 { Ok(()) } else { Err(Failure::told()) }
}

/// A position in another form.
struct Converted {
    written: String,
    /// What the form has no room for, as the plain form has it.
    left_out: Vec<String>,
}

impl Converted {
    fn new(game: &Game, text: &str, form: &str) -> Result<Converted, Failure> {
        let position = Context::new(game, Some(text))?.position;
        let plain = position.plain().to_string();
        let written = position.format_as(form).unwrap_or_else(|| plain.clone());
        // What is read again shows what the form could not say.
        let again = match form {
            "plain" => game.clone().with_notation(&Plain).position(&written),
            _ => game.position(&written),
        };
        let again = again.map(|position| position.plain().to_string()).unwrap_or_default();
        let missing = |words: &str, from: &str| -> Vec<String> {
            let known: Vec<&str> = from.split(' ').collect();
            let words = words.split(' ').filter(|word| !known.contains(word));
            words.map(str::to_owned).collect()
        };
        let mut left_out = missing(&plain, &again);
        // What is as at the start goes without saying, and may be read as something else.
        let key = |word: &str| word.split('=').next().unwrap_or(word).to_owned();
        for word in missing(&again, &plain).iter().filter(|word| word.contains('=')) {
            if !left_out.iter().any(|known| key(known) == key(word)) {
                left_out.push(format!("{} as at the start", key(word)));
            }
        }
        for word in left_out.iter_mut().filter(|word| game.player(word).is_some()) {
            word.push_str(" to move");
        }
        Ok(Converted { written, left_out })
    }
}

fn show(
    converted: &Converted,
    line: Option<u64>,
    args: &Args,
    output: &mut Output,
) -> Result<(), Failure> {
    let Converted { written, left_out } = converted;
    if output.is_json() {
        let mut answer = json!({ "form": args.to, "position": written });
        if let Some(line) = line {
            answer["line"] = line.into();
        }
        if !left_out.is_empty() {
            answer["left_out"] = json!(left_out);
        }
        return Ok(output.json(&answer)?);
    }
    output.line(written)?;
    if !left_out.is_empty() {
        output.flush()?;
        let place = line.map_or(String::new(), |line| format!("line {line}: "));
        note(&format!("note: {place}{} leaves out {}", args.to, left_out.join(", ")));
    }
    Ok(())
}
