//! What an expression is at the start of a game: for those who point at a word and ask.

use std::collections::BTreeMap;
use std::fmt;

use senet_core::written::{Effect, Listing, Mark, Number, Rule, Set, Variable};
use senet_core::{Definition, Event, Game, Options};

use crate::file::{Family, Library, Source};
use crate::resolve::{Meaning, resolve};
use crate::syntax::{Expr, ExprKind};

/// The name of what is added to a game to ask it something; no file can write it.
const PROBE: &str = "-probe-";

/// The bound of numbers that are shown.
const GREATEST: i64 = 1 << 40;

/// What an expression is worth at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// These tiles, by name.
    Tiles(Vec<String>),
    /// This number.
    Number(i64),
    /// Whether it holds.
    Truth(bool),
    /// These directions.
    Directions(Vec<String>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Tiles(tiles) if tiles.is_empty() => f.write_str("no tile"),
            Value::Tiles(tiles) => {
                let shown = tiles.iter().take(24).map(String::as_str).collect::<Vec<_>>();
                let tile = if tiles.len() == 1 { "tile" } else { "tiles" };
                write!(f, "{} {tile}: {}", tiles.len(), shown.join(" "))?;
                if tiles.len() > shown.len() { f.write_str(" …") } else { Ok(()) }
            }
            Value::Number(number) => write!(f, "{number}"),
            Value::Truth(true) => f.write_str("it holds"),
            Value::Truth(false) => f.write_str("it does not hold"),
            Value::Directions(names) => f.write_str(&names.join(", ")),
        }
    }
}

/// What a name of a game, or a word of the language, is worth at the start for the player to move.
/// There is no answer where the file has mistakes, or where it depends on a move.
pub fn value_at_start(source: &Source, library: &dyn Library, name: &str) -> Option<Value> {
    let mut family = Family::of(source, library);
    let sheet = family.sheet();
    let expr = Expr { kind: ExprKind::Name(name.to_owned()), span: Default::default() };
    let mut resolver = resolve(&sheet, &BTreeMap::new());
    if !family.diagnostics.is_empty() || !resolver.diagnostics.is_empty() {
        return None;
    }
    let meaning = resolver.meaning_of(&expr)?;
    let definition = resolver.definition;
    match meaning {
        Meaning::Directions(names) => Some(Value::Directions(names)),
        Meaning::Set(set) => tiles(definition, set).map(Value::Tiles),
        Meaning::Number(number) => asked_number(definition, number).map(Value::Number),
        Meaning::Truth(truth) => {
            let number = Number::If(Box::new(truth), Box::new(1.into()), Box::new(0.into()));
            asked_number(definition, number).map(|number| Value::Truth(number == 1))
        }
    }
}

/// The tiles of a set: an act that marks them is added to the game, and done at its start.
fn tiles(mut definition: Definition, set: Set) -> Option<Vec<String>> {
    definition.marks.push(Mark { name: PROBE.into(), tiles: Vec::new() });
    let effect = Effect::Mark { on: set, set: vec![PROBE.into()], clear: Vec::new() };
    let (game, state) = done(definition, effect)?;
    let mark = game.mark(PROBE)?;
    let view = game.view(&state);
    let marked = game.tiles().filter(|tile| view.is_marked(*tile, mark));
    Some(marked.map(|tile| game.tile_name(tile).to_owned()).collect())
}

/// A number: an act that keeps it in a variable is added to the game, and done at its start.
fn asked_number(mut definition: Definition, number: Number) -> Option<i64> {
    definition.variables.push(Variable::new(PROBE, -GREATEST, GREATEST));
    let (game, state) = done(definition, Effect::set(PROBE, number))?;
    let variable = game.variable(PROBE)?;
    let view = game.view(&state);
    Some(view.variable(variable, view.player()))
}

fn done(mut definition: Definition, effect: Effect) -> Option<(Game, senet_core::State)> {
    definition.actions.push(PROBE.into());
    // What ends at the start has a value there too.
    definition.endings.clear();
    definition.requirements.clear();
    for phase in &mut definition.phases {
        let mut rule = Rule::acts(PROBE, PROBE).then(effect.clone());
        rule.listing = Listing::Aside;
        phase.rules.push(rule);
    }
    let game = definition.compile(Options::default()).ok()?;
    let act = game.action(PROBE)?;
    let step = game.apply(&game.start(), Event::Act(act)).ok()?;
    Some((game, step.state))
}
