//! Functions over a state.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryViewArray, BinaryViewBuilder, BooleanBuilder, Int64Builder,
    ListBuilder, StringViewBuilder,
};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use senet_core::{PlayerId, State, TileId, TileSet};
use senet_timeline::{Subject, binary};

use crate::shelf::{Shelf, plan};

/// What a function answers with.
enum Answer {
    Text(String),
    Number(i64),
    Truth(bool),
    State(Vec<u8>),
    States(Vec<Vec<u8>>),
}

/// The kind of all answers of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Number,
    Truth,
    State,
    States,
}

/// One question to a state, with its further arguments.
struct Call<'a> {
    subject: &'a Subject,
    state: &'a State,
    more: &'a [Option<String>],
}

/// A function: its name, how many arguments it has, what it answers with and how.
struct Entry {
    name: &'static str,
    /// The least and the most number of arguments.
    arity: (usize, usize),
    kind: Kind,
    answer: fn(&Call<'_>) -> Result<Option<Answer>>,
}

/// Every function, the state first among its arguments.
static ENTRIES: [Entry; 12] = [
    Entry { name: "successors", arity: (1, 1), kind: Kind::States, answer: successors },
    Entry { name: "legal_count", arity: (1, 1), kind: Kind::Number, answer: legal_count },
    Entry { name: "position_text", arity: (1, 1), kind: Kind::Text, answer: position_text },
    Entry { name: "position_hash", arity: (1, 1), kind: Kind::Text, answer: position_hash },
    Entry { name: "drawing", arity: (1, 1), kind: Kind::Text, answer: drawing },
    Entry { name: "player_to_move", arity: (1, 1), kind: Kind::Text, answer: player_to_move },
    Entry { name: "is_check", arity: (1, 1), kind: Kind::Truth, answer: is_check },
    Entry { name: "outcome", arity: (1, 1), kind: Kind::Text, answer: outcome },
    Entry { name: "threatened", arity: (2, 2), kind: Kind::Text, answer: threatened },
    Entry { name: "perspective", arity: (2, 3), kind: Kind::Text, answer: perspective },
    Entry { name: "attackers", arity: (2, 3), kind: Kind::Text, answer: attackers },
    Entry { name: "after", arity: (2, 2), kind: Kind::State, answer: after },
];

fn successors(call: &Call<'_>) -> Result<Option<Answer>> {
    let (game, state) = (&call.subject.game, call.state);
    let (mut walker, mut legal) = (game.walker(), Vec::new());
    walker.legal(state, &mut legal);
    let after = legal.into_iter().map(|accepted| walker.play(state, accepted));
    Ok(Some(Answer::States(after.map(|after| bytes(call.subject, &after)).collect())))
}

fn legal_count(call: &Call<'_>) -> Result<Option<Answer>> {
    Ok(Some(Answer::Number(call.subject.game.legal_count(call.state) as i64)))
}

fn position_text(call: &Call<'_>) -> Result<Option<Answer>> {
    let text = call.subject.notation.format_position(&call.subject.game, call.state);
    Ok(Some(Answer::Text(text)))
}

fn position_hash(call: &Call<'_>) -> Result<Option<Answer>> {
    Ok(Some(Answer::Text(format!("{:032x}", call.state.hash128()))))
}

fn drawing(call: &Call<'_>) -> Result<Option<Answer>> {
    Ok(Some(Answer::Text(call.subject.notation.draw(&call.subject.game, call.state))))
}

fn player_to_move(call: &Call<'_>) -> Result<Option<Answer>> {
    let game = &call.subject.game;
    Ok(Some(Answer::Text(game.player_name(game.view(call.state).player()).to_owned())))
}

fn is_check(call: &Call<'_>) -> Result<Option<Answer>> {
    let game = &call.subject.game;
    let royals = game.threatened_royals(call.state, game.view(call.state).player());
    Ok(Some(Answer::Truth(!royals.is_empty())))
}

fn outcome(call: &Call<'_>) -> Result<Option<Answer>> {
    let game = &call.subject.game;
    let outcome = game.outcome(call.state);
    Ok(outcome.map(|outcome| Answer::Text(game.ending_name(outcome.ending).to_owned())))
}

/// The tiles on which royal pieces of a player are attacked.
fn threatened(call: &Call<'_>) -> Result<Option<Answer>> {
    let Some(player) = call.player(0)? else { return Ok(None) };
    Ok(call.tiles(call.subject.game.threatened_royals(call.state, player)))
}

/// What a tile is to a player, or to the one to move.
fn perspective(call: &Call<'_>) -> Result<Option<Answer>> {
    let (Some(tile), Some(player)) = (call.tile(0)?, call.player_or_mover(1)?) else {
        return Ok(None);
    };
    let seen = call.subject.game.perspective(call.state, player, tile);
    Ok(Some(Answer::Text(seen.to_string())))
}

/// The tiles from which a player, or anybody, attacks a tile.
fn attackers(call: &Call<'_>) -> Result<Option<Answer>> {
    let game = &call.subject.game;
    let Some(tile) = call.tile(0)? else { return Ok(None) };
    let by = |player| game.attackers(call.state, tile, player);
    let tiles = match call.more.len() {
        1 => game.players().fold(TileSet::EMPTY, |all, player| all | by(player)),
        _ => match call.player(1)? {
            Some(player) => by(player),
            None => return Ok(None),
        },
    };
    Ok(call.tiles(tiles))
}

/// The state after an event.
fn after(call: &Call<'_>) -> Result<Option<Answer>> {
    let Subject { game, notation } = call.subject;
    let Some(Some(text)) = call.more.first() else { return Ok(None) };
    let event = notation.parse_event(game, call.state, text);
    let event = event.map_err(|error| plan(format!("not an event of this state: {error}")))?;
    let step = game.apply(call.state, event);
    let step = step.map_err(|rejection| plan(format!("`{text}`: {rejection}")))?;
    Ok(Some(Answer::State(bytes(call.subject, &step.state))))
}

fn bytes(subject: &Subject, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    binary::write(&subject.game, state, &mut bytes);
    bytes
}

impl Call<'_> {
    fn player(&self, at: usize) -> Result<Option<PlayerId>> {
        let Some(Some(name)) = self.more.get(at) else { return Ok(None) };
        let game = &self.subject.game;
        let known = || game.players().map(|player| game.player_name(player)).collect::<Vec<_>>();
        let unknown =
            || plan(format!("no player is named `{name}`; the players are {}", known().join(", ")));
        game.player(name).ok_or_else(unknown).map(Some)
    }

    fn player_or_mover(&self, at: usize) -> Result<Option<PlayerId>> {
        match self.more.get(at) {
            None => Ok(Some(self.subject.game.view(self.state).player())),
            Some(_) => self.player(at),
        }
    }

    fn tile(&self, at: usize) -> Result<Option<TileId>> {
        let Some(Some(name)) = self.more.get(at) else { return Ok(None) };
        let game = &self.subject.game;
        let unknown = || plan(format!("no tile of {} is named `{name}`", game.name()));
        game.tile(name).ok_or_else(unknown).map(Some)
    }

    /// The names of tiles; null if there are none.
    fn tiles(&self, tiles: TileSet) -> Option<Answer> {
        let names: Vec<&str> = tiles.iter().map(|tile| self.subject.game.tile_name(tile)).collect();
        (!names.is_empty()).then(|| Answer::Text(names.join(" ")))
    }
}

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Kind::Text => DataType::Utf8View,
            Kind::Number => DataType::Int64,
            Kind::Truth => DataType::Boolean,
            Kind::State => DataType::BinaryView,
            Kind::States => DataType::List(Arc::new(item())),
        }
    }

    fn column(self, answers: Vec<Option<Answer>>) -> ArrayRef {
        macro_rules! fill {
            ($builder:expr, $answer:ident) => {{
                let mut builder = $builder;
                for answer in answers {
                    builder.append_option(match answer {
                        Some(Answer::$answer(answer)) => Some(answer),
                        _ => None,
                    });
                }
                Arc::new(builder.finish())
            }};
        }
        match self {
            Kind::Text => fill!(StringViewBuilder::new(), Text),
            Kind::Number => fill!(Int64Builder::new(), Number),
            Kind::Truth => fill!(BooleanBuilder::new(), Truth),
            Kind::State => fill!(BinaryViewBuilder::new(), State),
            Kind::States => {
                let mut builder = ListBuilder::new(BinaryViewBuilder::new()).with_field(item());
                for answer in answers {
                    let states = match answer {
                        Some(Answer::States(states)) => Some(states),
                        _ => None,
                    };
                    states.iter().flatten().for_each(|one| builder.values().append_value(one));
                    builder.append(states.is_some());
                }
                Arc::new(builder.finish())
            }
        }
    }
}

fn item() -> Field {
    Field::new("item", DataType::BinaryView, false)
}

/// A function over a state.
struct Function {
    entry: &'static Entry,
    signature: Signature,
    shelf: Arc<Shelf>,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.name)
    }
}

impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        self.entry.name == other.entry.name
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entry.name.hash(state);
    }
}

/// Every function over a state, and `state_of(game, position)`, which makes one.
pub fn functions(shelf: &Arc<Shelf>) -> Vec<ScalarUDF> {
    let volatility = Volatility::Immutable;
    let function = |entry: &'static Entry| {
        let signature = Signature::variadic_any(volatility);
        ScalarUDF::new_from_impl(Function { entry, signature, shelf: shelf.clone() })
    };
    let made = StateOf { signature: Signature::any(2, volatility), shelf: shelf.clone() };
    ENTRIES.iter().map(function).chain([ScalarUDF::new_from_impl(made)]).collect()
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.entry.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        let Entry { name, arity: (least, most), kind, .. } = self.entry;
        if !(*least..=*most).contains(&arguments.len()) {
            let found = arguments.len();
            let allowed =
                if least == most { least.to_string() } else { format!("{least} or {most}") };
            return Err(plan(format!("`{name}` takes {allowed} arguments, found {found}")));
        }
        match &arguments[0] {
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null => {
                Ok(kind.data_type())
            }
            other => Err(plan(format!("`{name}` takes a state, found {other}"))),
        }
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&arguments.args)?;
        let states = cast(&arrays[0], &DataType::BinaryView)?;
        let states: &BinaryViewArray = states.as_binary_view();
        let texts = arrays[1..].iter().map(|array| cast(array, &DataType::Utf8View));
        let texts = texts.collect::<Result<Vec<ArrayRef>, _>>()?;
        let mut answers = Vec::with_capacity(states.len());
        for (row, state) in states.iter().enumerate() {
            let Some(state) = state else {
                answers.push(None);
                continue;
            };
            let (subject, state) = self.shelf.read(state).map_err(external)?;
            let more = texts.iter().map(|texts| {
                let texts = texts.as_string_view();
                texts.is_valid(row).then(|| texts.value(row).to_owned())
            });
            let more: Vec<Option<String>> = more.collect();
            let call = Call { subject: &subject, state: &state, more: &more };
            answers.push((self.entry.answer)(&call)?);
        }
        Ok(ColumnarValue::Array(self.entry.kind.column(answers)))
    }
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// The state of a game and a position.
struct StateOf {
    signature: Signature,
    shelf: Arc<Shelf>,
}

impl fmt::Debug for StateOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("state_of")
    }
}

impl PartialEq for StateOf {
    fn eq(&self, _: &StateOf) -> bool {
        true
    }
}

impl Eq for StateOf {}

impl Hash for StateOf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        "state_of".hash(state);
    }
}

impl ScalarUDFImpl for StateOf {
    fn name(&self) -> &str {
        "state_of"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::BinaryView)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&arguments.args)?;
        let games = cast(&arrays[0], &DataType::Utf8View)?;
        let positions = cast(&arrays[1], &DataType::Utf8View)?;
        let mut builder = BinaryViewBuilder::new();
        for (game, position) in games.as_string_view().iter().zip(positions.as_string_view()) {
            let Some(game) = game else {
                builder.append_null();
                continue;
            };
            let subject = self.shelf.find(game)?;
            let state = match position.unwrap_or_default() {
                "" => subject.game.start(),
                text => {
                    let state = subject.notation.parse_position(&subject.game, text);
                    state.map_err(|error| plan(format!("`state_of`: {error}")))?
                }
            };
            builder.append_value(bytes(&subject, &state));
        }
        Ok(ColumnarValue::Array(Arc::new(builder.finish())))
    }
}
