//! `senet film`: a match as an animation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use senet_core::{Event, Game, Notation, State, TileSet};
use senet_render::{Film, Marks, Picture, ends};
use serde_json::{Value, json};

use crate::answer::Outcome;
use crate::failure::{Code, Failure};
use crate::file;
use crate::output::Output;
use crate::picture::{Style, extension, wrong_ending};
use crate::{pgn, progress, replay};

/// No animation has more pictures than this.
const PICTURES: usize = 5_000;

const EXAMPLES: &str = "\
Examples:
  senet film match.json --out match.gif
  senet film games.pgn --number 3 --delay 500 --out game.gif
  senet film match.senet --candidates --threats --theme dark --out vision.gif

A file that ends with .pgn is read as games; every other as a saved match.";

/// Films a match: a picture after every move, as an animated GIF.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The saved match, or a PGN file.
    file: PathBuf,
    /// The game, where the match is of a definition file.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Which game of a PGN file, counted from 1.
    #[arg(long, value_name = "N", default_value_t = 1)]
    number: usize,
    /// How long each picture is seen, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 900, value_parser = clap::value_parser!(u32).range(20..=60_000))]
    delay: u32,
    /// Mark every move that could be played.
    #[arg(long)]
    candidates: bool,
    /// Mark every tile that is attacked by those who are not to move.
    #[arg(long)]
    threats: bool,
    #[command(flatten)]
    style: Style,
    /// The file, which ends with .gif.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// What is filmed.
struct Reel {
    game: Arc<Game>,
    notation: &'static dyn Notation,
    start: State,
    events: Vec<Event>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if extension(&args.out) != "gif" {
        return Err(wrong_ending(&args.out, ".gif"));
    }
    let reel = open(args)?;
    let pictures = reel.events.len() + 1;
    if pictures > PICTURES {
        let message = format!("{pictures} pictures, allowed is {PICTURES}");
        return Err(Failure::params(message));
    }
    let bytes = filmed(args, &reel)?;
    file::write(&args.out, &bytes)?;
    let path = args.out.display().to_string();
    if output.is_json() {
        let answer = json!({ "written": path, "pictures": pictures, "bytes": bytes.len() });
        return Ok(output.json(&answer)?);
    }
    Ok(output.line(format!("{pictures} pictures written to {path}"))?)
}

fn open(args: &Args) -> Result<Reel, Failure> {
    let path: &Path = &args.file;
    if extension(path) == "pgn" {
        let one = pgn::nth(path, args.number)?;
        let notation: &'static dyn Notation = one.notation;
        return Ok(Reel { game: one.game, notation, start: one.start, events: one.events });
    }
    let (edition, replay) = replay::open(path, args.game.as_deref())?;
    let events = replay.steps().into_iter().map(|(step, _)| step.event);
    let (start, events) = (replay.first_state(), events.take(replay.ply()).collect());
    Ok(Reel { game: edition.game, notation: edition.notation, start, events })
}

/// The bytes of the animation.
fn filmed(args: &Args, reel: &Reel) -> Result<Vec<u8>, Failure> {
    let Reel { game, notation, .. } = reel;
    let trouble =
        |error: senet_render::FilmError| Failure::new(Code::Io, error.to_string(), Value::Null);
    let delay = u16::try_from(args.delay / 10).unwrap_or(u16::MAX);
    let bar = progress::bar(reel.events.len() as u64 + 1, "pictures");
    let mut film = Film::new(Vec::new());
    let mut state = reel.start.clone();
    let mut caption = game.name().to_owned();
    let mut last = None;
    for at in 0..=reel.events.len() {
        let next = reel.events.get(at);
        let hold = if next.is_none() { delay.saturating_mul(4) } else { delay };
        if let Some(outcome) = Outcome::of(game, &state).filter(|_| next.is_none()) {
            caption = format!("{caption}: {}", outcome.text());
        }
        let marks = marks(args, game, &state, last);
        let picture = Picture::new(game, &state).marks(marks).caption(&caption);
        film.add(&args.style.of(picture), hold).map_err(trouble)?;
        bar.inc(1);
        let Some(&event) = next else { break };
        let player = game.player_name(game.view(&state).player());
        caption = format!("{}. {player}: {}", at + 1, notation.notate(game, &state, event));
        let step = game.apply(&state, event);
        state = step.expect("what was read was checked").state;
        last = Some(event);
    }
    bar.finish_and_clear();
    film.finish().map_err(trouble)
}

/// What is marked at a moment.
fn marks(args: &Args, game: &Game, state: &State, last: Option<Event>) -> Marks {
    let mut marks = last.map_or(Marks::default(), |event| Marks::default().after(event));
    if args.candidates {
        for event in game.legal(state) {
            match ends(event) {
                (Some(from), Some(to)) => marks.arrows.push((from, to)),
                (None, Some(to)) => marks.targets.insert(to),
                _ => {}
            }
        }
        marks.arrows.dedup();
    }
    if args.threats {
        let player = game.view(state).player();
        let foes = game.players().filter(|&foe| !game.are_allied(player, foe));
        marks.threats = foes.fold(TileSet::EMPTY, |all, foe| all | game.threats(state, foe));
    }
    marks
}
