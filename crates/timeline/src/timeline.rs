//! A request for a timeline, and the timeline that it is.

use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use senet_core::{Event, Game, Notation, State};

use crate::column::{Column, Usual};
use crate::error::Error;
use crate::predicate::Predicate;

/// The deepest that a timeline may go.
pub const MAX_DEPTH: u32 = 64;

/// How many rows a batch has before it is passed on.
pub const BATCH_ROWS: usize = 8192;

/// A game and how it is written.
#[derive(Clone)]
pub struct Subject {
    /// The rules.
    pub game: Arc<Game>,
    /// How positions and events are written.
    pub notation: &'static dyn Notation,
}

/// A position from which a timeline starts.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position.
    pub state: State,
    /// The playing that it is from, if it is from one.
    pub record: Option<Record>,
}

/// Where in which playing a position stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the game in its file, from 1.
    pub number: i32,
    /// How many moves were played before.
    pub ply: i32,
    /// The move that was played there.
    pub played: Option<Event>,
    /// How the game ended, as its file says it.
    pub result: String,
}

/// Which rows there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A row for each move of each path.
    #[default]
    Tree,
    /// A row for each position of each ply: of all paths that lead to it the first, and how many
    /// there are. Takes memory for every position of a ply.
    Distinct,
}

/// What somebody wants to know, unchecked.
#[derive(Clone, Default)]
pub struct Request {
    /// The positions to start from.
    pub roots: Vec<Root>,
    /// How many moves deep.
    pub depth: u32,
    /// The columns by name; the usual ones when left out.
    pub columns: Option<Vec<String>>,
    /// Which rows.
    pub shape: Shape,
    /// Moves for which this holds are left out, with all that is below them.
    pub prune: Option<String>,
}

/// The tree below some positions as a table: a row for each move.
#[derive(Clone)]
pub struct Timeline {
    pub(crate) subject: Subject,
    pub(crate) roots: Vec<Root>,
    pub(crate) depth: u32,
    pub(crate) columns: Vec<Column>,
    pub(crate) shape: Shape,
    pub(crate) prune: Option<Arc<Predicate>>,
    schema: SchemaRef,
}

impl Root {
    /// A position of no playing.
    pub fn new(state: State) -> Root {
        Root { state, record: None }
    }
}

impl Request {
    /// The tree below a position.
    pub fn below(state: State, depth: u32) -> Request {
        Request { roots: vec![Root::new(state)], depth, ..Request::default() }
    }

    /// The columns that are computed if none are named.
    fn usual_columns(&self) -> Vec<Column> {
        let recorded = self.roots.len() > 1 || self.roots.iter().any(|root| root.record.is_some());
        let wanted = |column: &Column| match column.usual() {
            Usual::Yes => true,
            Usual::No => false,
            Usual::Distinct => self.shape == Shape::Distinct,
            Usual::Recorded => recorded,
        };
        Column::ALL.iter().copied().filter(wanted).collect()
    }
}

impl Timeline {
    /// The timeline that a request means, or what is wrong with it.
    pub fn new(subject: Subject, request: Request) -> Result<Timeline, Error> {
        if request.depth == 0 || request.depth > MAX_DEPTH {
            return Err(Error::Depth(request.depth));
        }
        if request.roots.is_empty() {
            return Err(Error::NoRoot);
        }
        if request.roots.len() > i32::MAX as usize {
            return Err(Error::TooManyRoots);
        }
        let columns = match &request.columns {
            None => request.usual_columns(),
            Some(names) => {
                let found: Result<Vec<Column>, Error> =
                    names.iter().map(|name| Column::find(name)).collect();
                found?
            }
        };
        let twice = columns.iter().enumerate().find(|(at, one)| columns[..*at].contains(one));
        if let Some((_, column)) = twice {
            return Err(Error::ColumnTwice(*column));
        }
        let prune = match &request.prune {
            None => None,
            Some(text) => Some(Arc::new(Predicate::parse(text)?)),
        };
        Ok(Timeline {
            subject,
            roots: request.roots,
            depth: request.depth,
            schema: Column::schema(&columns),
            columns,
            shape: request.shape,
            prune,
        })
    }

    /// The same rows with other columns.
    pub fn with_columns(&self, columns: Vec<Column>) -> Timeline {
        Timeline { schema: Column::schema(&columns), columns, ..self.clone() }
    }

    /// The same rows up to another depth.
    pub fn with_depth(&self, depth: u32) -> Result<Timeline, Error> {
        match depth {
            1..=MAX_DEPTH => Ok(Timeline { depth, ..self.clone() }),
            _ => Err(Error::Depth(depth)),
        }
    }

    /// The game.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The positions from which it starts.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// How many moves deep it goes.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Which rows it has.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Which moves are left out, as it was written.
    pub fn prune(&self) -> Option<&str> {
        self.prune.as_ref().map(|predicate| predicate.text())
    }

    /// Its columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The types of its columns.
    pub fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
