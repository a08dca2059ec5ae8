//! The methods: each reads its parameters and gives its answer.

use senet::Match;
use senet::bots::{Brain, LEVELS, Limit, Thought};
use senet::render::{Marks, ends};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use super::request::Params;
use super::{Service, table};
use crate::answer::{Applied, Journey, Legal, Position, Route, Turns};
use crate::failure::{Code, Failure};
use crate::games::Games;
use crate::perft::Count;
use crate::told::Told;
use crate::{analyse, duel, path, simulate, worker};

/// What can be asked.
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) answer: Answer,
}

type Answer = fn(&mut Service, &Params<'_>) -> Result<Box<RawValue>, Failure>;

/// Every method.
pub(super) const METHODS: [Method; 22] = [
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
    Method { name: "bots", answer: bots },
    Method { name: "choose", answer: choose },
    Method { name: "simulate", answer: simulate },
    Method { name: "duel", answer: duel },
    Method { name: "match.create", answer: table::create },
    Method { name: "match.load", answer: table::load },
    Method { name: "match.show", answer: table::show },
    Method { name: "match.apply", answer: table::apply },
    Method { name: "match.undo", answer: table::undo },
    Method { name: "match.redo", answer: table::redo },
    Method { name: "match.save", answer: table::save },
    Method { name: "match.close", answer: table::close },
];

/// Every parameter of any method. One that a method does not need is no mistake.
pub(super) const PARAMS: [&str; 20] = [
    "game", "position", "event", "piece", "from", "to", "depth", "bot", "lines", "last", "flip",
    "games", "seed", "limit", "opening", "a", "b", "match", "saved", "form",
];

/// An answer as it is sent.
pub(super) fn written(answer: &impl Serialize) -> Result<Box<RawValue>, Failure> {
    Ok(to_raw_value(answer).map_err(std::io::Error::from)?)
}

fn games(service: &mut Service, _: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Games::new(&service.shelf))
}

fn position(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Position::new(&params.context(service)?))
}

fn legal(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Legal::new(&params.context(service)?))
}

fn turns(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    written(&Turns::new(&params.context(service)?)?)
}

fn apply(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let steps = context.play(&params.needed("event")?)?;
    written(&Applied::new(&context, &steps))
}

fn explain(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let text = params.needed("event")?;
    written(&Told::of(&context, &text)?.explanation)
}

fn path(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let game = context.game();
    let piece = params.text("piece")?.map(|name| path::piece(game, &name)).transpose()?;
    let from = params.text("from")?.map(|name| path::tile(&context.position, &name)).transpose()?;
    if piece.is_none() && from.is_none() {
        return Err(Failure::params("piece is missing: give a piece, or a tile in from"));
    }
    let to = path::tile(&context.position, &params.needed("to")?)?;
    written(&Route::new(&context, &Journey { piece, from, to }))
}

fn analyse(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let bot = params.text("bot")?.unwrap_or_else(|| analyse::BOT.to_owned());
    let lines = params.maybe_number("lines")?.map_or(analyse::LINES, |lines| lines as usize);
    written(&analyse::Answer::new(&context, &bot, lines)?)
}

fn render(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let mut context = params.context(service)?;
    let mut marks = Marks::default();
    if let Some(text) = params.text("last")? {
        for step in context.play(&text)? {
            let (from, to) = ends(step.event);
            marks.last.extend(from.into_iter().chain(to));
            context.position = step.position;
        }
    }
    let picture = context.position.picture().labels(context.position.labels()).marks(marks);
    let picture = picture.flipped(params.truth("flip")?);
    written(&json!({ "svg": picture.svg() }))
}

fn bots(_: &mut Service, _: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let names = Brain::ALL.map(Brain::name);
    written(&json!({ "bots": names, "levels": LEVELS }))
}

/// What an opponent would play.
fn choose(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let position = &context.position;
    if position.awaits_chance() {
        let message = "the dice are rolled before a player chooses: apply a roll first";
        return Err(Failure::new(Code::InvalidPosition, message, Value::Null));
    }
    let seed = params.seed()?;
    let mut bot = context.game().bot(params.bot("bot")?, seed);
    let thought = bot.choose(&Match::at(position.clone()), &Limit::NONE);
    let thought = thought.expect("the opponent was made for this game");
    let line = |thought: &Thought| -> Vec<String> {
        let steps = position.line(&thought.line);
        steps.map(|(before, step)| before.notate(step.event)).collect()
    };
    written(&match thought {
        None => json!({ "event": null, "seed": seed }),
        Some(thought) => json!({
            "event": position.format(thought.event),
            "notation": position.notate(thought.event),
            "value": thought.value,
            "depth": thought.depth,
            "nodes": thought.nodes,
            "line": line(&thought),
            "seed": seed,
        }),
    })
}

fn simulate(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let plan = simulate::Plan {
        games: params.number("games")?.into(),
        seed: params.seed()?,
        limit: params.maybe_number("limit")?.map_or(simulate::EVENTS, |limit| limit as usize),
        threads: worker::all(),
    };
    written(&simulate::Answer::new(&context, &plan))
}

fn duel(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let context = params.context(service)?;
    let plan = duel::Plan {
        a: params.bot("a")?,
        b: params.bot("b")?,
        games: params.number("games")?.max(1).into(),
        seed: params.seed()?,
        opening: params.maybe_number("opening")?.map(|opening| opening as usize),
        limit: params.maybe_number("limit")?.map_or(duel::EVENTS, |limit| limit as usize),
        threads: worker::all(),
    };
    let tally = plan.play(&context)?;
    written(&plan.answer(&context, &tally))
}

/// The depth has no limit but its type: who asks knows how long to wait.
fn perft(service: &mut Service, params: &Params<'_>) -> Result<Box<RawValue>, Failure> {
    let mut position = params.context(service)?.position;
    let game = position.game();
    if position.state() == game.start().state() {
        position = game.count_start();
    }
    let depth = params.number("depth")?;
    let count = Count::new(&position, depth, 1)?;
    written(&json!({ "nodes": count.nodes, "depth": depth }))
}
