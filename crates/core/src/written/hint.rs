//! What a game says beside its rules: how it is drawn, and what positions look to be worth. No rule
//! reads it, and the hash of a definition leaves it out.

use serde::{Deserialize, Serialize};

use super::is_default;

/// How a game is drawn. What is left out follows from names and relations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Appearance {
    /// Signs of pieces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<Sign>,
    /// Colours of players.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub colors: Vec<Tint>,
    /// What tiles look like.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<TileLook>,
    /// Where tiles lie: rows from the top, with an empty name where no tile is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<String>>,
}

/// The sign of a kind of piece: one that the program has a drawing of is drawn, any other is
/// written onto a disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sign {
    /// The kind.
    pub kind: String,
    /// Whose pieces have it; everyone's where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// One character.
    pub sign: char,
}

/// The colour of a player's pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Tint {
    /// The player.
    pub player: String,
    /// One of [`COLORS`], or `#` and six hexadecimal digits.
    pub color: String,
}

/// The names of colours.
pub const COLORS: [&str; 8] =
    ["black", "blue", "green", "orange", "purple", "red", "white", "yellow"];

impl Tint {
    /// Whether the colour is one that can be drawn.
    pub fn is_color(color: &str) -> bool {
        let digits = color.strip_prefix('#');
        let is_hex = |digits: &str| digits.len() == 6 && u32::from_str_radix(digits, 16).is_ok();
        COLORS.contains(&color) || digits.is_some_and(is_hex)
    }
}

/// What tiles look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TileLook {
    /// Squares that touch.
    Squares,
    /// Round spots joined by lines.
    Spots,
    /// Crossings of lines.
    Crossings,
}

/// What positions look to be worth, for programs that play. Everything may be left out: then a
/// piece counts what its kind's attribute `worth` says, or 100.
///
/// In a game with dice, where values are averaged with real wins, weights should be in proportion
/// to what a win is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// The tiles as each player sees them: tables are in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<TileOrder>,
    /// What pieces count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindWeight>,
    /// What a tile counts that a player attacks.
    #[serde(skip_serializing_if = "is_default")]
    pub mobility: i32,
    /// What it counts to be the player to move.
    #[serde(skip_serializing_if = "is_default")]
    pub tempo: i32,
    /// The variable that says how many times a win counts; looks count as many times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stake: Option<String>,
    /// The lead at which a win is three times as likely as a loss.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swing: Option<i32>,
}

/// The tiles as a player sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TileOrder {
    /// The player.
    pub player: String,
    /// The tiles, in the order of tables.
    pub tiles: Vec<String>,
}

/// What a piece of a kind counts. A table has a number for each tile of the players' views.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct KindWeight {
    /// The kind.
    pub kind: String,
    /// Each piece on the board; the attribute `worth` where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<i32>,
    /// Beside that, each piece by its tile while all pieces are there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub early: Vec<i32>,
    /// The same when nothing but royal pieces is left; as early where left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<i32>,
    /// A tile with exactly one piece.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub single: Vec<i32>,
    /// A tile with two pieces or more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub several: Vec<i32>,
}

impl KindWeight {
    /// The names of the tables.
    pub const TABLES: [&'static str; 4] = ["early", "late", "single", "several"];

    /// A table by its name.
    pub fn table_mut(&mut self, name: &str) -> Option<&mut Vec<i32>> {
        match name {
            "early" => Some(&mut self.early),
            "late" => Some(&mut self.late),
            "single" => Some(&mut self.single),
            "several" => Some(&mut self.several),
            _ => None,
        }
    }

    /// The tables, in the order of [`KindWeight::TABLES`].
    pub fn tables(&self) -> [&[i32]; 4] {
        [&self.early, &self.late, &self.single, &self.several]
    }
}
