//! A task written down, so that another process can do it.

use std::path::PathBuf;
use std::sync::Arc;

use datafusion::error::Result;
use senet_timeline::{Record, Request, Root, Shape, Timeline, binary};
use serde::{Deserialize, Serialize};

use crate::shelf::{Shelf, plan};
use crate::task::Task;

/// What a task is, in plain words and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Order {
    game: String,
    hash: String,
    /// The game as written, where it is not a registered one.
    definition: String,
    roots: Vec<WrittenRoot>,
    depth: u32,
    columns: Vec<String>,
    distinct: bool,
    prune: Option<String>,
    folder: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WrittenRoot {
    /// The bytes of the state, two digits each.
    state: String,
    record: Option<WrittenRecord>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WrittenRecord {
    number: i32,
    ply: i32,
    /// The number of the move among all that are legal.
    played: Option<usize>,
    result: String,
}

impl Order {
    /// Writes a task down.
    pub fn new(task: &Task) -> Order {
        let timeline = task.timeline();
        let game = &timeline.subject().game;
        let registered = senet_registry::find(game.name())
            .is_ok_and(|entry| entry.game().definition_hash() == game.definition_hash());
        let definition = match registered {
            true => String::new(),
            false => serde_json::to_string(game.definition()).unwrap_or_default(),
        };
        let root = |root: &Root| {
            let mut state = Vec::new();
            binary::write(game, &root.state, &mut state);
            let record = root.record.as_ref().map(|record| WrittenRecord {
                number: record.number,
                ply: record.ply,
                played: record.played.and_then(|played| {
                    game.legal(&root.state).iter().position(|event| *event == played)
                }),
                result: record.result.clone(),
            });
            WrittenRoot { state: state.iter().map(|byte| format!("{byte:02x}")).collect(), record }
        };
        Order {
            game: game.name().to_owned(),
            hash: format!("{:032x}", game.definition_hash()),
            definition,
            roots: timeline.roots().iter().map(root).collect(),
            depth: timeline.depth(),
            columns: timeline.columns().iter().map(|column| column.name().to_owned()).collect(),
            distinct: timeline.shape() == Shape::Distinct,
            prune: timeline.prune().map(str::to_owned),
            folder: task.folder().map(PathBuf::from),
        }
    }

    /// The task that was written down.
    pub fn task(self, shelf: &Shelf) -> Result<Task> {
        let hash = u128::from_str_radix(&self.hash, 16).map_err(|error| plan(error.to_string()))?;
        let subject = shelf.find_or_compile(&self.game, hash, &self.definition)?;
        let game = &subject.game;
        let root = |root: WrittenRoot| {
            let state = bytes(&root.state).and_then(|state| binary::read(game, &state));
            let state = state.ok_or_else(|| plan(format!("not a state of {}", game.name())))?;
            let record = root.record.map(|record| {
                let legal = || game.legal(&state);
                let played = record.played.and_then(|at| legal().get(at).copied());
                let WrittenRecord { number, ply, result, .. } = record;
                Record { number, ply, played, result }
            });
            Ok(Root { state, record })
        };
        let request = Request {
            roots: self.roots.into_iter().map(root).collect::<Result<Vec<Root>>>()?,
            depth: self.depth,
            columns: Some(self.columns),
            shape: if self.distinct { Shape::Distinct } else { Shape::Tree },
            prune: self.prune,
        };
        let timeline = Timeline::new(subject, request).map_err(|error| plan(error.to_string()))?;
        let timeline = Arc::new(timeline);
        Ok(match self.folder {
            None => Task::rows(timeline),
            Some(folder) => Task::files(timeline, folder),
        })
    }

    /// The bytes of the order.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|error| plan(error.to_string()))
    }

    /// Reads an order.
    pub fn from_bytes(bytes: &[u8]) -> Result<Order> {
        serde_json::from_slice(bytes).map_err(|error| plan(error.to_string()))
    }
}

/// Reads bytes that are written in two digits each.
fn bytes(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    pairs.iter().map(byte).collect()
}
