//! `senet film`: a match as an animation.

use std::path::{Path, PathBuf};

use senet::render::{Film, FilmError, Marks, Picture, ends};
use senet::{Event, PlayerId, Position, TileSet};
use serde_json::{Value, json};

use crate::answer::Outcome;
use crate::failure::{Code, Failure};
use crate::file;
use crate::output::{Output, counted};
use crate::picture::{Style, extension, wrong_ending};
use crate::{mat, pgn, progress, replay, threat};

/// No animation has more pictures than this.
const PICTURES: usize = 5_000;

const EXAMPLES: &str = "\
Examples:
  senet film match.json --out match.gif
  senet film games.pgn --number 3 --delay 500 --out game.gif
  senet film evening.mat --number 2 --out game.gif
  senet film match.senet --candidates --threats --theme dark --out vision.gif

A file that ends with .pgn or .mat is read as games; every other as a saved match. With dice, what
is attacked is what some roll could take.";

/// Films a match: a picture after every move, as an animated GIF.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The saved match, or a PGN or .mat file.
    file: PathBuf,
    /// The game, where the match is of a definition file.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Which game of a PGN or .mat file, counted from 1.
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
    /// What is said of the first picture.
    title: String,
    start: Position,
    events: Vec<Event>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if extension(&args.out) != "gif" {
        return Err(wrong_ending(&args.out, ".gif"));
    }
    let reel = open(args)?;
    let pictures = reel.events.len() + 1;
    if pictures > PICTURES {
        let message =
            format!("the film would have {pictures} pictures, and at most {PICTURES} are allowed");
        return Err(Failure::params(message));
    }
    let bytes = filmed(args, &reel)?;
    file::write(&args.out, &bytes)?;
    let path = args.out.display().to_string();
    if output.is_json() {
        let answer = json!({ "written": path, "pictures": pictures, "bytes": bytes.len() });
        return Ok(output.json(&answer)?);
    }
    Ok(output.line(format!("{} written to {path}", counted(pictures as u64, "picture")))?)
}

fn open(args: &Args) -> Result<Reel, Failure> {
    let path: &Path = &args.file;
    match extension(path) {
        "pgn" => {
            let one = pgn::nth(path, args.number)?;
            let title = one.start.game().name().to_owned();
            Ok(Reel { title, start: one.start, events: one.events })
        }
        "mat" => {
            let one = mat::nth(path, args.number)?;
            let title = format!("{}: {}", one.start.game().name(), one.players.join(" and "));
            Ok(Reel { title, start: one.start, events: one.events })
        }
        _ => {
            let replay = replay::open(path, args.game.as_deref())?;
            let events = replay.steps().into_iter().map(|(step, _)| step.event);
            let events = events.take(replay.ply()).collect();
            Ok(Reel { title: replay.game().name().to_owned(), start: replay.start(), events })
        }
    }
}

/// A moment of a match: the position, what is said of it, and what was just played.
struct Moment {
    position: Position,
    caption: String,
    last: Option<Event>,
    /// Who just played, or who begins. Tiles are labelled as this player calls them, so that the
    /// board and the move in the caption agree.
    player: PlayerId,
}

impl Moment {
    fn labels(&self) -> Vec<String> {
        let game = self.position.game();
        game.tiles().map(|tile| game.label(self.player, tile)).collect()
    }

    /// The picture of the moment, with room for a number of lines below the board.
    fn picture(&self, args: &Args, lines: usize) -> Picture<'_> {
        let picture = self.position.picture().marks(marks(args, &self.position, self.last));
        args.style.of(picture.caption(&self.caption).lines(lines).labels(self.labels()))
    }
}

/// Every moment of a match.
fn moments(reel: &Reel) -> Vec<Moment> {
    let game = reel.start.game();
    let mut now = Moment {
        position: reel.start.clone(),
        caption: reel.title.clone(),
        last: None,
        player: reel.start.player(),
    };
    let mut moments = Vec::with_capacity(reel.events.len() + 1);
    // A turn of several events has one number, and so have the turns until it goes round.
    let (mut number, mut mover, mut first) = (0, None, None);
    for (before, step) in reel.start.line(&reel.events) {
        let event = step.event;
        // A roll may decide whose turn it is.
        let decided = if let Event::Roll(_) = event { &step.position } else { &before };
        let player = decided.player();
        if mover != Some(player) {
            mover = Some(player);
            number += usize::from(*first.get_or_insert(player) == player);
        }
        let text = before.notate(event);
        let said = if let Event::Roll(_) = event { " rolls" } else { ":" };
        let caption = format!("{number}. {}{said} {text}", game.player_name(player));
        moments.push(now);
        now = Moment { position: step.position, caption, last: Some(event), player };
    }
    if let Some(outcome) = Outcome::of(&now.position) {
        now.caption = format!("{}; {}", now.caption, outcome.text());
    }
    moments.push(now);
    moments
}

/// The bytes of the animation.
fn filmed(args: &Args, reel: &Reel) -> Result<Vec<u8>, Failure> {
    let trouble = |error: FilmError| Failure::new(Code::Io, error.to_string(), Value::Null);
    let delay = u16::try_from(args.delay / 10).unwrap_or(u16::MAX);
    let moments = moments(reel);
    let first = args.style.of(reel.start.picture());
    let lines = moments.iter().map(|moment| first.lines_of(&moment.caption)).max().unwrap_or(1);
    let bar = progress::bar(moments.len() as u64, "pictures");
    let mut film = Film::new(Vec::new());
    for (at, moment) in moments.iter().enumerate() {
        let hold = if at + 1 == moments.len() { delay.saturating_mul(4) } else { delay };
        film.add(&moment.picture(args, lines), hold).map_err(trouble)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    film.finish().map_err(trouble)
}

/// What is marked at a moment.
fn marks(args: &Args, position: &Position, last: Option<Event>) -> Marks {
    let mut marks = last.map_or(Marks::default(), |event| Marks::default().after(event));
    if args.candidates {
        for event in position.legal() {
            match ends(event) {
                (Some(from), Some(to)) => marks.arrows.push((from, to)),
                (None, Some(to)) => marks.targets.insert(to),
                _ => {}
            }
        }
        marks.arrows.dedup();
    }
    if args.threats {
        let (game, player) = (position.game(), position.player());
        let foes = game.players().filter(|&foe| !game.are_allied(player, foe));
        marks.threats = foes.fold(TileSet::EMPTY, |all, foe| all | threat::threats(position, foe));
    }
    marks
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    /// The labels of the points along the bottom of a picture, from the right.
    fn bottom(picture: &Picture<'_>) -> Vec<String> {
        let svg = picture.svg();
        let texts = svg.split("<text ").skip(1).filter(|text| text.contains("y=\"756.6\""));
        let label = |text: &str| text.split(['>', '<']).nth(1).unwrap_or_default().to_owned();
        let mut found: Vec<(f64, String)> = texts
            .map(|text| (text.split('"').nth(1).unwrap().parse().unwrap(), label(text)))
            .collect();
        found.sort_by(|one, two| two.0.total_cmp(&one.0));
        found.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn points_in_a_film_are_numbered_from_the_side_of_whoever_moved() {
        let mut position = senet::load("backgammon").unwrap().start();
        let (start, mut events) = (position.clone(), Vec::new());
        // Black wins the opening roll, then White answers.
        for text in ["roll:white:1,black:3", "8/5", "6/5", "roll:2,1", "13/11", "6/5"] {
            let event = position.parse_event(text).unwrap();
            position = position.apply(event).unwrap().position;
            events.push(event);
        }
        let reel = Reel { title: "a match".to_owned(), start, events };
        let args = Command::parse_from(["film", "match.json", "--out", "match.gif"]).args;
        let black = (13..=24).rev().map(|point| point.to_string()).collect::<Vec<_>>();
        let white = (1..=12).map(|point| point.to_string()).collect::<Vec<_>>();
        let seen: Vec<(String, Vec<String>)> = moments(&reel)
            .iter()
            .skip(1)
            .map(|moment| (moment.caption.clone(), bottom(&moment.picture(&args, 1))))
            .collect();
        let expected = [
            ("1. black rolls 13", &black),
            ("1. black: 8/5", &black),
            ("1. black: 6/5", &black),
            ("1. white rolls 21", &white),
            ("1. white: 13/11", &white),
            ("1. white: 6/5", &white),
        ];
        let expected = expected.map(|(caption, labels)| (caption.to_owned(), labels.clone()));
        assert_eq!(seen, expected);
    }
}
