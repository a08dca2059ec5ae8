//! Record batches, filled family by family, only with the columns that were asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{
    ArrayBuilder, ArrayRef, BinaryViewBuilder, BooleanBuilder, FixedSizeBinaryArray,
    Float64Builder, Int32Builder, Int64Builder, StringViewArray, StringViewBuilder, UInt32Array,
};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::compute::take;
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use senet_core::{Event, Game};

use crate::binary;
use crate::code;
use crate::column::{Column, Need};
use crate::family::{Family, source};
use crate::timeline::Subject;

/// Rows on their way to become a record batch.
pub(crate) struct Batch {
    schema: SchemaRef,
    columns: Vec<(Column, Cells)>,
    names: Names,
    rows: usize,
    path: String,
    bytes: Vec<u8>,
}

/// The values of a column.
enum Cells {
    Text(StringViewBuilder),
    /// Texts that all rows of a family share, and for each row the number of its text.
    Shared(StringViewBuilder, Vec<u32>),
    /// Names by their number; the last number is none.
    Name(Vec<u32>),
    Number(Int32Builder),
    Count(Int64Builder),
    Share(Float64Builder),
    Truth(BooleanBuilder),
    Hash(Vec<u8>),
    Binary(BinaryViewBuilder),
}

/// The number that stands for no name.
const NONE: u32 = u32::MAX;

/// Every name that a column may say, each once.
struct Names {
    all: Vec<String>,
    array: Option<StringViewArray>,
    players: u32,
    tiles: u32,
    kinds: u32,
    pieces: u32,
    rules: Vec<Option<u32>>,
    endings: Vec<Option<u32>>,
    flags: BTreeMap<u64, u32>,
}

impl Names {
    fn new(game: &Game) -> Names {
        let mut all: Vec<String> = Vec::new();
        let mut add = |names: &mut dyn Iterator<Item = &str>| {
            let first = all.len() as u32;
            all.extend(names.map(str::to_owned));
            first
        };
        let players = add(&mut game.players().map(|id| game.player_name(id)));
        let tiles = add(&mut game.tiles().map(|id| game.tile_name(id)));
        let kinds = add(&mut game.kinds().map(|id| game.kind_name(id)));
        let pieces = add(&mut game.pieces().map(|id| game.piece_name(id)));
        Names {
            all,
            array: None,
            players,
            tiles,
            kinds,
            pieces,
            rules: Vec::new(),
            endings: Vec::new(),
            flags: BTreeMap::new(),
        }
    }

    fn add(&mut self, name: String) -> u32 {
        self.array = None;
        self.all.push(name);
        self.all.len() as u32 - 1
    }

    /// The number of a name that is met by its place in some list.
    fn listed(
        &mut self,
        list: fn(&mut Names) -> &mut Vec<Option<u32>>,
        at: usize,
        name: &str,
    ) -> u32 {
        if let Some(Some(found)) = list(self).get(at) {
            return *found;
        }
        let number = self.add(name.to_owned());
        let list = list(self);
        if list.len() <= at {
            list.resize(at + 1, None);
        }
        list[at] = Some(number);
        number
    }

    /// The number of the names of some flags.
    fn flagged(&mut self, game: &Game, mask: u64) -> u32 {
        if mask == 0 {
            return NONE;
        }
        if let Some(found) = self.flags.get(&mask) {
            return *found;
        }
        let flags = game.flags().filter(|flag| mask >> flag.index() & 1 == 1);
        let names: Vec<&str> = flags.map(|flag| game.flag_name(flag)).collect();
        let number = self.add(names.join(" "));
        self.flags.insert(mask, number);
        number
    }

    fn array(&mut self, numbers: Vec<u32>) -> Result<ArrayRef, ArrowError> {
        let all = &self.all;
        let array = self.array.get_or_insert_with(|| all.iter().map(Some).collect());
        if numbers.iter().all(|&number| number == NONE) {
            return Ok(Arc::new(StringViewArray::new_null(numbers.len())));
        }
        let nulls = numbers.contains(&NONE).then(|| {
            NullBuffer::new(BooleanBuffer::collect_bool(numbers.len(), |at| numbers[at] != NONE))
        });
        take(array, &UInt32Array::new(numbers.into(), nulls), None)
    }
}

impl Batch {
    pub(crate) fn new(subject: &Subject, columns: &[Column]) -> Batch {
        Batch {
            schema: Column::schema(columns),
            columns: columns.iter().map(|&column| (column, Cells::new(column, 0))).collect(),
            names: Names::new(&subject.game),
            rows: 0,
            path: String::new(),
            bytes: Vec::new(),
        }
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Whether nothing but the number of rows is asked for.
    pub(crate) fn only_counts(&self) -> bool {
        self.columns.is_empty()
    }

    /// Whether a column asks for the states after the moves.
    pub(crate) fn needs_after(&self) -> bool {
        self.columns.iter().any(|(column, _)| column.need() == Need::After)
    }

    /// Adds rows of which nothing but their number is asked.
    pub(crate) fn count(&mut self, rows: u64) {
        self.rows += rows as usize;
    }

    /// Adds a row for each move.
    pub(crate) fn push(&mut self, family: &Family<'_>) {
        self.rows += family.moves.len();
        for (column, cells) in &mut self.columns {
            match cells {
                Cells::Name(into) => push_names(*column, family, &mut self.names, into),
                Cells::Text(into) => push_texts(*column, family, &mut self.path, into),
                Cells::Shared(texts, into) => {
                    into.extend(std::iter::repeat_n(texts.len() as u32, family.moves.len()));
                    texts.append_value(family.code);
                }
                Cells::Number(into) => push_numbers(*column, family, into),
                Cells::Count(into) => {
                    family.moves.iter().for_each(|_| into.append_value(family.paths));
                }
                Cells::Share(into) => push_shares(*column, family, into),
                Cells::Truth(into) => push_truths(*column, family, into),
                Cells::Hash(into) => {
                    let hashes = family.after.iter().map(|state| state.hash128().to_be_bytes());
                    hashes.for_each(|hash| into.extend_from_slice(&hash));
                }
                Cells::Binary(into) => {
                    for state in family.after {
                        binary::write(family.game(), state, &mut self.bytes);
                        into.append_value(&self.bytes);
                    }
                }
            }
        }
    }

    /// The rows so far as a record batch; none are left.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        // The next batch will have as many rows as this one.
        let (names, rows) = (&mut self.names, self.rows);
        let arrays = self.columns.iter_mut().map(|(column, cells)| {
            std::mem::replace(cells, Cells::new(*column, rows)).finish(names)
        });
        let arrays = arrays.collect::<Result<Vec<ArrayRef>, ArrowError>>()?;
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.rows = 0;
        RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options)
    }
}

impl Cells {
    /// No values, with room for those of some rows.
    fn new(column: Column, rows: usize) -> Cells {
        match column {
            Column::Parent => Cells::Shared(StringViewBuilder::new(), Vec::with_capacity(rows)),
            Column::Node
            | Column::Result
            | Column::Event
            | Column::Notation
            | Column::Threatened
            | Column::PositionText => Cells::Text(StringViewBuilder::with_capacity(rows)),
            Column::Player
            | Column::Rule
            | Column::Piece
            | Column::PieceName
            | Column::From
            | Column::To
            | Column::Becomes
            | Column::Captured
            | Column::FlagsSet
            | Column::FlagsCleared
            | Column::Outcome
            | Column::Winner => Cells::Name(Vec::with_capacity(rows)),
            Column::Root
            | Column::Record
            | Column::RecordPly
            | Column::Ply
            | Column::MoveIndex
            | Column::LegalReplies => Cells::Number(Int32Builder::with_capacity(rows)),
            Column::Paths => Cells::Count(Int64Builder::with_capacity(rows)),
            Column::Probability | Column::PathProbability => {
                Cells::Share(Float64Builder::with_capacity(rows))
            }
            Column::Played | Column::IsCheck => Cells::Truth(BooleanBuilder::with_capacity(rows)),
            Column::Position => Cells::Hash(Vec::with_capacity(rows * 16)),
            Column::State => Cells::Binary(BinaryViewBuilder::new()),
        }
    }

    fn finish(self, names: &mut Names) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Cells::Text(mut cells) => Arc::new(cells.finish()),
            Cells::Shared(mut texts, rows) => {
                take(&texts.finish(), &UInt32Array::from(rows), None)?
            }
            Cells::Name(cells) => names.array(cells)?,
            Cells::Number(mut cells) => Arc::new(cells.finish()),
            Cells::Count(mut cells) => Arc::new(cells.finish()),
            Cells::Share(mut cells) => Arc::new(cells.finish()),
            Cells::Truth(mut cells) => Arc::new(cells.finish()),
            Cells::Hash(cells) => Arc::new(FixedSizeBinaryArray::try_new(16, cells.into(), None)?),
            Cells::Binary(mut cells) => Arc::new(cells.finish()),
        })
    }
}

fn push_names(column: Column, family: &Family<'_>, names: &mut Names, into: &mut Vec<u32>) {
    let game = family.game();
    match column {
        Column::Player => {
            let player = names.players + family.player().index() as u32;
            into.extend(std::iter::repeat_n(player, family.moves.len()));
        }
        Column::Rule => {
            let mut last = None;
            into.extend(family.moves.iter().map(|one| {
                let rule = one.accepted.rule();
                match last {
                    Some((known, number)) if known == rule => number,
                    _ => {
                        let name = game.rule_name(rule);
                        let number = names.listed(|names| &mut names.rules, rule.index(), name);
                        last = Some((rule, number));
                        number
                    }
                }
            }));
        }
        Column::Piece => into.extend(
            family
                .kinds_moved()
                .map(|kind| kind.map_or(NONE, |kind| names.kinds + kind.index() as u32)),
        ),
        Column::PieceName => into.extend(family.events().map(|event| {
            family.piece(event).map_or(NONE, |piece| names.pieces + piece.index() as u32)
        })),
        Column::From => into.extend(
            family
                .events()
                .map(|event| source(event).map_or(NONE, |tile| names.tiles + tile.index() as u32)),
        ),
        Column::To => into.extend(
            family
                .targets()
                .map(|tile| tile.map_or(NONE, |tile| names.tiles + tile.index() as u32)),
        ),
        Column::Becomes => into.extend(family.events().map(|event| match event {
            Event::Move { choice: Some(kind), .. } => names.kinds + kind.index() as u32,
            _ => NONE,
        })),
        Column::Captured => into.extend(
            family
                .captures()
                .map(|kind| kind.map_or(NONE, |kind| names.kinds + kind.index() as u32)),
        ),
        Column::FlagsSet => {
            into.extend(family.flags().iter().map(|change| names.flagged(game, change.set)));
        }
        Column::FlagsCleared => {
            into.extend(family.flags().iter().map(|change| names.flagged(game, change.cleared)));
        }
        Column::Outcome => into.extend(family.outcomes().iter().map(|outcome| {
            outcome.as_ref().map_or(NONE, |outcome| {
                let (at, name) = (outcome.ending.index(), game.ending_name(outcome.ending));
                names.listed(|names| &mut names.endings, at, name)
            })
        })),
        Column::Winner => into.extend(family.outcomes().iter().map(|outcome| {
            let winner = outcome.as_ref().and_then(|outcome| outcome.winner);
            winner.map_or(NONE, |winner| names.players + winner.index() as u32)
        })),
        _ => unreachable!("a column of names is one of these"),
    }
}

fn push_texts(
    column: Column,
    family: &Family<'_>,
    path: &mut String,
    into: &mut StringViewBuilder,
) {
    let (game, notation) = (family.game(), family.subject.notation);
    match column {
        Column::Node => {
            path.clear();
            path.push_str(family.code);
            for one in family.moves {
                path.truncate(family.code.len());
                code::push(path, one.index);
                into.append_value(&path);
            }
        }
        Column::Result => {
            let result = family.root.1.record.as_ref().map(|record| record.result.as_str());
            family.moves.iter().for_each(|_| into.append_option(result));
        }
        Column::Event => family.events().for_each(|event| {
            into.append_value(notation.format_event(game, family.before, event));
        }),
        Column::Notation => family.events().for_each(|event| {
            into.append_value(notation.notate(game, family.before, event));
        }),
        Column::Threatened => {
            for tiles in family.threats() {
                let names: Vec<&str> = tiles.iter().map(|tile| game.tile_name(tile)).collect();
                into.append_option((!names.is_empty()).then(|| names.join(" ")));
            }
        }
        Column::PositionText => {
            let texts = family.after.iter().map(|state| notation.format_position(game, state));
            texts.for_each(|text| into.append_value(text));
        }
        _ => unreachable!("a column of texts is one of these"),
    }
}

fn push_numbers(column: Column, family: &Family<'_>, into: &mut Int32Builder) {
    let record = family.root.1.record.as_ref();
    let all_alike = match column {
        Column::Root => Some(family.root.0 as i32),
        Column::Record => record.map(|record| record.number),
        Column::RecordPly => record.map(|record| record.ply),
        Column::Ply => Some(family.ply as i32),
        Column::MoveIndex => {
            // A slice at a time: a value at a time is asked each time whether it is there.
            for moves in family.moves.chunks(64) {
                let mut numbers = [0; 64];
                numbers.iter_mut().zip(moves).for_each(|(number, one)| *number = one.index as i32);
                into.append_slice(&numbers[..moves.len()]);
            }
            return;
        }
        _ => {
            let game = family.game().after(&family.past);
            let counts = family.after.iter().map(|state| game.legal_count(state));
            return counts.for_each(|count| into.append_value(count as i32));
        }
    };
    match all_alike {
        Some(number) => into.append_value_n(number, family.moves.len()),
        None => into.append_nulls(family.moves.len()),
    }
}

fn push_shares(column: Column, family: &Family<'_>, into: &mut Float64Builder) {
    if !family.events().any(|event| matches!(event, Event::Roll(_))) {
        return match column {
            Column::Probability => into.append_nulls(family.moves.len()),
            _ => into.append_value_n(family.reach, family.moves.len()),
        };
    }
    for event in family.events() {
        let probability = family.probability(event);
        match column {
            Column::Probability => into.append_option(probability),
            _ => into.append_value(family.reach * probability.unwrap_or(1.0)),
        }
    }
}

fn push_truths(column: Column, family: &Family<'_>, into: &mut BooleanBuilder) {
    if column == Column::IsCheck {
        return family.threats().iter().for_each(|tiles| into.append_value(!tiles.is_empty()));
    }
    let record = family.root.1.record.as_ref().filter(|_| family.ply == 1);
    let played = |event| record.map(|record| record.played == Some(event));
    family.events().for_each(|event| into.append_option(played(event)));
}
