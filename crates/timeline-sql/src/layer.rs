//! The layers of move generation as data frames, for any game: what stands where, what is
//! attacked, what could be tried, what is legal of it, and the whole tree.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, BinaryViewBuilder, BooleanArray, FixedSizeBinaryBuilder, RecordBatch, StringViewArray,
};
use datafusion::dataframe::DataFrame;
use datafusion::error::Result;
use datafusion::prelude::SessionContext;
use senet_core::{Event, State};
use senet_timeline::{Subject, Timeline, binary};

use crate::source::TimelineTable;

/// What every tile is to every player: columns `player`, `tile`, `perspective`, `owner`, `piece`.
pub fn perspectives(
    context: &SessionContext,
    subject: &Subject,
    state: &State,
) -> Result<DataFrame> {
    context.read_batch(tiles(subject, state, false)?)
}

/// The same, and in the column `threatened` whether a foe of the player attacks the tile.
pub fn perspectives_with_threats(
    context: &SessionContext,
    subject: &Subject,
    state: &State,
) -> Result<DataFrame> {
    context.read_batch(tiles(subject, state, true)?)
}

fn tiles(subject: &Subject, state: &State, threats: bool) -> Result<RecordBatch> {
    let game = &subject.game;
    let view = game.view(state);
    let pairs: Vec<_> =
        game.players().flat_map(|player| game.tiles().map(move |tile| (player, tile))).collect();
    let text = |cell: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
        Arc::new((0..pairs.len()).map(cell).collect::<StringViewArray>())
    };
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("player", text(&|at| Some(game.player_name(pairs[at].0).to_owned()))),
        ("tile", text(&|at| Some(game.tile_name(pairs[at].1).to_owned()))),
        ("perspective", {
            text(&|at| Some(game.perspective(state, pairs[at].0, pairs[at].1).to_string()))
        }),
        ("owner", text(&|at| Some(game.player_name(view.owner_at(pairs[at].1)?).to_owned()))),
        ("piece", text(&|at| Some(game.kind_name(view.kind_at(pairs[at].1)?).to_owned()))),
    ];
    if threats {
        let attacked: Vec<_> =
            game.players().map(|player| game.threatened_by_foes(state, player)).collect();
        let cells =
            pairs.iter().map(|(player, tile)| Some(attacked[player.index()].contains(*tile)));
        columns.push(("threatened", Arc::new(cells.collect::<BooleanArray>())));
    }
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// Every candidate and the state it leads to, whether or not it is legal: columns `event`,
/// `position`, `state`.
pub fn simulate(context: &SessionContext, subject: &Subject, state: &State) -> Result<DataFrame> {
    let game = &subject.game;
    let candidates = game.candidates(state).into_iter();
    let tried = candidates.filter_map(|event| Some((event, game.simulate(state, event)?)));
    context.read_batch(events(subject, state, tried)?)
}

/// Those of the candidates that are legal, with the same columns.
pub fn filter_legal(
    context: &SessionContext,
    subject: &Subject,
    state: &State,
) -> Result<DataFrame> {
    let game = &subject.game;
    let legal = game.filter_legal(state, &game.candidates(state)).into_iter();
    let after = legal.filter_map(|event| Some((event, game.apply(state, event).ok()?.state)));
    context.read_batch(events(subject, state, after)?)
}

fn events(
    subject: &Subject,
    state: &State,
    events: impl Iterator<Item = (Event, State)>,
) -> Result<RecordBatch> {
    let (game, notation) = (&subject.game, subject.notation);
    let mut texts: Vec<Option<String>> = Vec::new();
    let mut hashes = FixedSizeBinaryBuilder::new(16);
    let mut states = BinaryViewBuilder::new();
    let mut bytes = Vec::new();
    for (event, after) in events {
        texts.push(Some(notation.format_event(game, state, event)));
        hashes.append_value(after.hash128().to_be_bytes())?;
        binary::write(game, &after, &mut bytes);
        states.append_value(&bytes);
    }
    let texts: StringViewArray = texts.into_iter().collect();
    let columns: [(&str, ArrayRef); 3] = [
        ("event", Arc::new(texts)),
        ("position", Arc::new(hashes.finish())),
        ("state", Arc::new(states.finish())),
    ];
    Ok(RecordBatch::try_from_iter(columns)?)
}

/// The tree as a table, with every column that a question may ask for.
pub fn build_timeline(context: &SessionContext, timeline: &Timeline) -> Result<DataFrame> {
    context.read_table(Arc::new(TimelineTable::new(timeline)))
}
