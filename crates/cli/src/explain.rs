//! `senet explain`: why an event is accepted or refused.

use crate::answer::Explanation;
use crate::context::Subject;
use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet explain tic-tac-toe b2
  senet explain tic-tac-toe b2 --position '3/1x1/3 o'
  senet explain tic-tac-toe b2 --json

The answer is the explanation, so a refused event is no failure; `senet apply` fails on one.";

/// Explains why a move is accepted or refused.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The event, as `senet moves` lists it or as people write it.
    event: String,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let explanation = Explanation::new(&context, context.parse_event(&args.event)?);
    if output.is_json() {
        return Ok(output.json(&explanation)?);
    }
    Ok(output.line(explanation.text)?)
}
