//! `senet apply`: the position after some events.

use crate::answer::{self, Outcome};
use crate::context::Subject;
use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet apply tic-tac-toe b2 a1
  senet apply tic-tac-toe c3 --position '3/1x1/3 o' --json

With --json there is a line for each event. A refused event ends the command with exit code 1.";

/// Plays events and shows the position after them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The events, as `senet moves` lists them, or whole turns.
    #[arg(required = true)]
    events: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let mut context = args.subject.resolve()?;
    for text in &args.events {
        let steps = context.play(text)?;
        if output.is_json() {
            output.json(&answer::Applied::new(&context, &steps))?;
        }
        if let Some(last) = steps.into_iter().last() {
            context.position = last.position;
        }
    }
    if !output.is_json() {
        output.line(context.drawing())?;
        output.line(context.position.to_string())?;
        if let Some(outcome) = Outcome::of(&context.position) {
            output.line(outcome.text())?;
        }
    }
    Ok(())
}
