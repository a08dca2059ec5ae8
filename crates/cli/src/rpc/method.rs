//! The methods: each reads its parameters and gives its answer.

use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use super::request::Params;
use crate::answer::{Applied, Journey, Legal, Position, Route, Turns};
use crate::failure::Failure;
use crate::games::Games;
use crate::perft::Count;
use crate::shelf::Shelf;
use crate::told::Told;
use crate::{analyse, path};

/// What can be asked.
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) answer: Answer,
}

type Answer = fn(&mut Shelf, &Params<'_>) -> Result<Box<RawValue>, Failure>;

/// Every method.
pub(super) const METHODS: [Method; 10] = [
    Method { name: "games", answer: games },
    Method { name: "position", answer: position },
    Method { name: "legal", answer: legal },
    Method { name: "turns", answer: turns },
    Method { name: "apply", answer: apply },
    Method { name: "explain", answer: explain },
    Method { name: "path", answer: path },
    Method { name: "perft", answer: perft },
    Method { name: "analyse", answer: analyse },
    Method { name: "render", answer: render },
];

/// Every parameter of any method. One that a method does not need is no mistake.
pub(super) const PARAMS: [&str; 9] =
    ["game", "position", "event", "piece", "from", "to", "depth", "bot", "lines"];

fn written(answer: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    Ok(to_raw_value(answer).map_err(std::io::Error::from)?)
}

fn games(shelf: &mut Shelf, _: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Games::new(shelf))
}

fn position(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Position::new(&params.context(shelf)?))
}

fn legal(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Legal::new(&params.context(shelf)?))
}

fn turns(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Turns::new(&params.context(shelf)?))
}

fn apply(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(shelf)?;
    let steps = context.play(&params.needed("event")?)?;
    written(&Applied::new(&context, &steps))
}

fn explain(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(shelf)?;
    let text = params.needed("event")?;
    written(&Told::of(&context, &text)?.explanation)
}

fn path(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(shelf)?;
    let game = context.game();
    let piece = params.text("piece")?.map(|name| path::piece(game, &name)).transpose()?;
    let from = params.text("from")?.map(|name| path::tile(game, &name)).transpose()?;
    if piece.is_none() && from.is_none() {
        return Err(Failure::params(
            "piece: found nothing, allowed is a piece here or a tile in from",
        ));
    }
    let to = path::tile(game, &params.needed("to")?)?;
    written(&Route::new(&context, &Journey { piece, from, to }))
}

fn analyse(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(shelf)?;
    let bot = params.text("bot")?.unwrap_or_else(|| analyse::BOT.to_owned());
    let lines = params.maybe_number("lines")?.map_or(analyse::LINES, |lines| lines as usize);
    written(&analyse::Answer::new(&context, &bot, lines)?)
}

fn render(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(shelf)?;
    let picture = context.position.picture().labels(context.position.labels());
    written(&json!({ "svg": picture.svg() }))
}

/// The depth has no limit but its type: who asks knows how long to wait.
fn perft(shelf: &mut Shelf, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let mut position = params.context(shelf)?.position;
    let game = position.game();
    if position.state() == game.start().state() {
        position = game.count_start();
    }
    let depth = params.number("depth")?;
    let count = Count::new(&position, depth, 1);
    written(&json!({ "nodes": count.nodes, "depth": depth }))
}
