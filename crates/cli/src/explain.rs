//! `senet explain`: why an event is accepted or refused.

use std::path::PathBuf;

use senet::Viewer;

use crate::context::Subject;
use crate::failure::Failure;
use crate::output::Output;
use crate::picture::{Style, Target};
use crate::told::Told;

const EXAMPLES: &str = "\
Examples:
  senet explain tic-tac-toe b2
  senet explain tic-tac-toe b2 --position '3/1x1/3 o'
  senet explain tic-tac-toe b2 --json
  senet explain chess a1a5 --out refused.svg

The explanation is the answer, so the exit code is 0 even if the event is refused; `senet apply`
fails in that case.";

/// Explains why a move is accepted or refused.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The event, as `senet moves` lists it or as people write it.
    event: String,
    /// Draw it as well, with its way and what is in it: a file ending with .svg or .png.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    style: Style,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let target = args.out.as_deref().map(Target::new).transpose()?;
    let context = args.subject.resolve()?;
    let Told { explanation, marks } = Told::of(&context, &args.event)?;
    let first = explanation.text.lines().next().unwrap_or_default().to_owned();
    match output.is_json() {
        true => output.json(&explanation)?,
        false => output.line(explanation.text)?,
    }
    let Some(target) = target else { return Ok(()) };
    // Who asks is the player to move, and sees no more than that player.
    let viewer = Viewer::Player(context.position.player());
    let mut marks = marks;
    marks.unseen = context.position.observe(viewer).unseen();
    let known = context.position.known_to(viewer);
    let picture = known.picture().marks(marks);
    let picture = picture.labels(context.position.labels()).caption(first);
    target.write(&args.style.of(picture), output)
}
