//! `senet render`: a picture of a position.

use std::path::PathBuf;

use senet::render::{Marks, ends};
use senet::{Event, Game, PieceId, PlayerId, TileId, Viewer, excerpt, nearest};

use crate::answer::Explanation;
use crate::context::{Context, Subject};
use crate::failure::Failure;
use crate::output::Output;
use crate::path;
use crate::picture::{Style, Target};
use crate::threat;

const EXAMPLES: &str = "\
Examples:
  senet render chess --out start.svg
  senet render chess --last e2e4 --theme dark --out e4.png
  senet render chess --legal g1 --threats black --out knight.svg
  senet render chess --path a1 a8 --out blocked.svg
  senet render my-game.json --flip --out my-game.png
  senet render dark-chess --seen-by black --out seen.svg

Boards are drawn from their tiles and relations, pieces by the names of their kinds and players.";

/// Draws a position as a picture.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// Mark the tiles of a move; one that is legal in the position is played first.
    #[arg(long, value_name = "MOVE")]
    last: Option<String>,
    /// Mark where the piece on a tile may go.
    #[arg(long, value_name = "TILE")]
    legal: Option<String>,
    /// Mark the tiles that a player attacks.
    #[arg(long, value_name = "PLAYER")]
    threats: Option<String>,
    /// Draw the way of the piece on the first tile to the second, and what blocks it.
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    path: Option<Vec<String>>,
    /// Draw what a player knows, with `?` on tiles that the player does not see.
    #[arg(long, value_name = "PLAYER")]
    seen_by: Option<String>,
    /// A sentence below the board.
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,
    #[command(flatten)]
    style: Style,
    /// The file: .svg or .png. SVG is written to standard output by default.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let target = args.out.as_deref().map(Target::new).transpose()?;
    let mut context = args.subject.resolve()?;
    let mut marks = marks(args, &mut context)?;
    if let Some(name) = &args.seen_by {
        let viewer = Viewer::Player(player(context.game(), name)?);
        marks.unseen = context.position.observe(viewer).unseen();
        context.position = context.position.known_to(viewer);
    }
    let picture = context.position.picture().labels(context.position.labels());
    let mut picture = args.style.of(picture).marks(marks);
    if let Some(caption) = args.caption.clone().or_else(|| cards(&context)) {
        picture = picture.caption(&caption);
    }
    match target {
        Some(target) => target.write(&picture, output),
        None if output.is_json() => Ok(output.json(&serde_json::json!({ "svg": picture.svg() }))?),
        None => Ok(output.text(&picture.svg())?),
    }
}

/// What the player to move sees of a game that is played without pieces, which a board alone would
/// not show.
fn cards(context: &Context) -> Option<String> {
    let (game, position) = (context.game(), &context.position);
    if game.kinds().next().is_some() {
        return None;
    }
    let table = position.observe(Viewer::Player(position.player())).table(game.rules());
    let lines = table.iter().map(|(name, value)| format!("{name}: {value}"));
    let lines = lines.collect::<Vec<_>>().join("; ");
    Some(format!("{} to move. {lines}", game.player_name(position.player())))
}

/// What is to be marked. A last move that is legal is played on the way.
fn marks(args: &Args, context: &mut Context) -> Result<Marks, Failure> {
    let mut marks = Marks::default();
    if let Some(text) = &args.last {
        marks.last = last(context, text)?;
    }
    let (game, position) = (context.game(), &context.position);
    if let Some(name) = &args.legal {
        let tile = path::tile(position, name)?;
        marks.selected = Some(tile);
        let from_tile = |event: &Event| ends(*event).0 == Some(tile);
        let targets = position.legal().into_iter().filter(from_tile);
        marks.targets = targets.filter_map(|event| position.landing(event)).collect();
    }
    if let Some(name) = &args.threats {
        marks.threats = threat::threats(position, player(game, name)?);
    }
    if let Some([from, to]) = args.path.as_deref() {
        let (from, to) = (path::tile(position, from)?, path::tile(position, to)?);
        draw_way(&mut marks, context, from, to)?;
    }
    Ok(marks)
}

/// The tiles of a move, which is played where it can be.
fn last(context: &mut Context, text: &str) -> Result<Vec<TileId>, Failure> {
    let event = context.parse_event(text);
    if let Ok(event) = event {
        if let Ok(step) = context.position.apply(event) {
            context.position = step.position;
        } else if !was_played(context, event) {
            let told = Explanation::of(context, text, &[event]);
            return Err(told.refusal());
        }
        return Ok(Marks::default().after(event).last);
    }
    let game = context.game();
    // A move that was played before the position may not be one of the position.
    let pair = (1..text.len()).filter_map(|at| text.split_at_checked(at)).find_map(|(one, two)| {
        let two = two.trim_start_matches(['-', ' ', 'x', '/']);
        Some(vec![game.tile(one.trim())?, game.tile(two)?])
    });
    match (pair, event) {
        (Some(tiles), _) => Ok(tiles),
        (None, Err(failure)) => Err(failure),
        (None, Ok(_)) => Ok(Vec::new()),
    }
}

/// Whether a move may have led to the position: where it ended stands a piece of another player
/// than the one to move, and none where it began.
fn was_played(context: &Context, event: Event) -> bool {
    let view = context.position.view();
    let theirs = |tile: TileId| view.owner_at(tile).is_some_and(|owner| owner != view.player());
    match ends(event) {
        (from, Some(to)) => theirs(to) && from.is_none_or(|from| view.owner_at(from).is_none()),
        _ => false,
    }
}

/// The way of the piece on a tile, or what is in it.
fn draw_way(marks: &mut Marks, context: &Context, from: TileId, to: TileId) -> Result<(), Failure> {
    let (game, position) = (context.game(), &context.position);
    let view = position.view();
    let mine = |piece: &PieceId| view.owner_of(*piece) == view.player();
    let piece = view.pieces_at(from).find(mine).or_else(|| view.first_at(from));
    let Some(piece) = piece else {
        return Err(Failure::params(format!("no piece stands on {}", game.tile_name(from))));
    };
    let layers = position.layers();
    let paths = layers.capabilities().paths;
    let way = paths.resolve(piece, from, to).or_else(|| layers.route(from, to));
    marks.paths.push(match way {
        Some(way) => way.touched().collect(),
        None => vec![from, to],
    });
    // A move by dice has no path of its own.
    let is_legal = |event: Event| ends(event) == (Some(from), Some(to));
    if way.is_none() && !position.legal().into_iter().any(is_legal) {
        let blocker = paths.blocker(piece, from, to);
        marks.blockers = vec![blocker.unwrap_or(to)];
    }
    Ok(())
}

/// The player of a name.
pub(crate) fn player(game: &Game, name: &str) -> Result<PlayerId, Failure> {
    game.player(name).ok_or_else(|| {
        let names = game.players().map(|player| game.player_name(player));
        let known: Vec<&str> = names.clone().collect();
        let hint = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use {}", known.join(" or ")),
        };
        Failure::params(format!("there is no player `{}`; {hint}", excerpt(name)))
    })
}
