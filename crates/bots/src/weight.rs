//! What a position looks to be worth, as plain data that a game may give.

use std::collections::BTreeMap;
use std::fmt;

use senet_core::Game;
use senet_core::notation::{excerpt, nearest};
use serde::{Deserialize, Serialize};

/// How a game is judged by its looks. Everything may be left out: then a piece counts what its
/// kind's attribute `worth` says, or 100.
///
/// A win that counts one is worth [`crate::WIN`]; in a game with dice, where values are averaged
/// with real wins, weights should be in proportion to that.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// The tiles as each player sees them, between spaces: tables are in this order.
    pub views: BTreeMap<String, String>,
    /// What pieces of a kind count.
    pub kinds: BTreeMap<String, KindWeight>,
    /// What a tile counts that a player attacks.
    pub mobility: i32,
    /// What it counts to be the player to move.
    pub tempo: i32,
    /// The variable that says how many times a win counts; looks count as many times.
    pub stake: Option<String>,
    /// The lead at which a win is three times as likely as a loss.
    pub swing: Option<i32>,
}

/// What a piece of a kind counts. A table has a number for each tile of the players' views.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct KindWeight {
    /// Each piece on the board; the attribute `worth` where left out.
    pub worth: Option<i32>,
    /// Beside that, each piece by its tile while all pieces are there.
    pub early: Vec<i32>,
    /// The same when nothing but royal pieces is left; as early where left out.
    pub late: Vec<i32>,
    /// A tile with exactly one piece.
    pub single: Vec<i32>,
    /// A tile with two pieces or more.
    pub several: Vec<i32>,
}

/// What is wrong with weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightError {
    /// The text is no weights.
    Text(String),
    /// A name that the game does not have: of what, which, and one that looks like it.
    Unknown(&'static str, String, Option<String>),
    /// A player sees another number of tiles than the first one.
    View(String, usize, usize),
    /// A table of a kind has another number of numbers than there are tiles in a view.
    Table(String, &'static str, usize, usize),
}

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightError::Text(error) => write!(f, "invalid weights: {error}"),
            WeightError::Unknown(what, name, near) => {
                write!(f, "weights: no {what} is named `{}`", excerpt(name))?;
                match near {
                    Some(near) => write!(f, ", did you mean `{near}`?"),
                    None => Ok(()),
                }
            }
            WeightError::View(player, found, wanted) => {
                write!(f, "weights: {player} has {found} tiles, but the others have {wanted}")
            }
            WeightError::Table(kind, table, found, wanted) => {
                write!(f, "weights: table {table} of {kind} has {found} numbers, but must have ")?;
                write!(f, "one for each of {wanted} tiles")
            }
        }
    }
}

impl std::error::Error for WeightError {}

impl Weights {
    /// Reads weights from JSON.
    pub fn parse(text: &str) -> Result<Weights, WeightError> {
        serde_json::from_str(text).map_err(|error| WeightError::Text(error.to_string()))
    }

    /// Whether these weights fit a game; the first thing that does not.
    pub fn check(&self, game: &Game) -> Result<(), WeightError> {
        let known = |what, names: &mut dyn Iterator<Item = &str>, name: &str| {
            let names: Vec<&str> = names.collect();
            match names.contains(&name) {
                true => Ok(()),
                false => {
                    let near = nearest(name, names.into_iter());
                    Err(WeightError::Unknown(what, name.to_owned(), near))
                }
            }
        };
        if let Some(stake) = &self.stake {
            known("variable", &mut game.variables().map(|id| game.variable_name(id)), stake)?;
        }
        let size = self.views.values().next().map_or(0, |view| view.split_whitespace().count());
        for (player, view) in &self.views {
            known("player", &mut game.players().map(|id| game.player_name(id)), player)?;
            let mut tiles = view.split_whitespace();
            tiles.try_for_each(|tile| {
                known("tile", &mut game.tiles().map(|id| game.tile_name(id)), tile)
            })?;
            let found = view.split_whitespace().count();
            if found != size {
                return Err(WeightError::View(player.clone(), found, size));
            }
        }
        for (kind, weight) in &self.kinds {
            known("kind", &mut game.kinds().map(|id| game.kind_name(id)), kind)?;
            for (name, table) in weight.tables() {
                if !table.is_empty() && table.len() != size {
                    return Err(WeightError::Table(kind.clone(), name, table.len(), size));
                }
            }
        }
        Ok(())
    }
}

impl KindWeight {
    fn tables(&self) -> [(&'static str, &[i32]); 4] {
        [
            ("early", &self.early),
            ("late", &self.late),
            ("single", &self.single),
            ("several", &self.several),
        ]
    }
}
