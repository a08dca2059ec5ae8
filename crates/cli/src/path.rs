//! `senet path`: how a piece travels from tile to tile.

use senet::{Game, PieceId, Position, TileId, excerpt, nearest};

use crate::answer::{Journey, Route};
use crate::context::{Context, Subject};
use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet path chess a1 a5
  senet path chess rook c4 c8
  senet path my-game.json white-rook-1 a1 a5
  senet path tic-tac-toe x-mark-1 a1 b2 --json

The path is that of the piece's own patterns, as if it stood on the first tile. Whether a rule
lets it go there is what `senet explain` tells.";

/// Shows the path of a piece between two tiles, or why there is none.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The piece by its kind or its id, such as rook or white-rook-1; the one on the first tile when
    /// left out. Then the tile it leaves, and the tile it is to reach.
    #[arg(num_args = 2..=3, required = true, value_names = ["PIECE", "FROM", "TO"])]
    journey: Vec<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let (named, from, to) = match &args.journey[..] {
        [piece, from, to] => (Some(piece), from, to),
        [from, to] => (None, from, to),
        _ => return Err(Failure::params("path: write a piece, or none, and two tiles")),
    };
    let named = named.map(|name| piece_or_kind(&context, name)).transpose()?;
    let journey = Journey {
        piece: named,
        from: Some(tile(&context.position, from)?),
        to: tile(&context.position, to)?,
    };
    let route = Route::new(&context, &journey);
    if output.is_json() {
        return Ok(output.json(&route)?);
    }
    if let Some(path) = &route.path {
        let capture = route.capture.as_ref();
        let capture =
            capture.map_or(String::new(), |player| format!(", captures a piece of {player}"));
        output.line(format!("{}{capture}", path.join(" ")))?;
    }
    if let Some(why) = &route.why {
        output.line(format!("no path: {}", why.message))?;
    }
    Ok(())
}

/// The piece of a name, or the first of a kind: the mover's before another's.
fn piece_or_kind(context: &Context, name: &str) -> Result<PieceId, Failure> {
    let game = context.game();
    let Some(kind) = game.kind(name) else { return piece(game, name) };
    let view = context.position.view();
    let of_kind = |piece: &PieceId| view.kind_of(*piece) == kind;
    let mine = |piece: &PieceId| game.owner(*piece) == view.player();
    let mut pieces: Vec<PieceId> = game.pieces().filter(of_kind).collect();
    pieces.sort_by_key(|piece| !mine(piece));
    let first = pieces.first().copied();
    first.ok_or_else(|| Failure::params(format!("there is no {name} in this position")))
}

/// The piece of a name.
pub(crate) fn piece(game: &Game, name: &str) -> Result<PieceId, Failure> {
    let near = || nearest(name, game.pieces().map(|piece| game.piece_name(piece)));
    let known = || game.pieces().next().map(|piece| game.piece_name(piece).to_owned());
    game.piece(name).ok_or_else(|| unknown("piece", name, near(), known()))
}

/// The tile of a name: as the player to move calls it, or as the definition does.
pub(crate) fn tile(position: &Position, name: &str) -> Result<TileId, Failure> {
    let (game, labels) = (position.game(), position.labels());
    let near = || nearest(name, labels.iter().map(String::as_str));
    let labelled = || game.tiles().zip(&labels).find(|(_, label)| *label == name);
    let found = labelled().map(|(tile, _)| tile).or_else(|| game.tile(name));
    found.ok_or_else(|| unknown("tile", name, near(), labels.first().cloned()))
}

fn unknown(what: &str, name: &str, near: Option<String>, known: Option<String>) -> Failure {
    let hint = match (near, known) {
        (Some(near), _) => format!(", did you mean `{near}`?"),
        (None, Some(known)) => format!("; use one of the game such as `{known}`"),
        (None, None) => ", the game has none".to_owned(),
    };
    Failure::params(format!("no {what} is named `{}`{hint}", excerpt(name)))
}
