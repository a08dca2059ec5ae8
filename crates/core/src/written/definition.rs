//! What there is: players, tiles, pieces, dice and variables.
//!
//! Fields at their default are left out when a definition is written, so that a definition keeps
//! its hash when the vocabulary grows.

use serde::{Deserialize, Serialize};

use super::{Appearance, Ending, Pattern, Phase, Pile, Secret, Sight, Truth, Weights};

/// A whole game as its author wrote it. [`Definition::compile`] is the one door to a
/// [`crate::Game`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The name of the game, such as `four-in-a-row`.
    pub name: String,
    /// The players in order of play.
    pub players: Vec<Player>,
    /// The tiles of the board.
    pub tiles: Vec<BoardTile>,
    /// The directions in which relations lead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<String>,
    /// The steps that join tiles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// Named tile sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
    /// Marks that a piece can carry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// Marks that a tile can carry, whatever stands on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// The kinds of piece.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<Kind>,
    /// Every piece there is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// The dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<Die>,
    /// Counters and other state variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// Piles of cards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub piles: Vec<Pile>,
    /// What players do not see of the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<Secret>,
    /// Acts that are neither a move nor a put: to pass, to resign.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<String>,
    /// Where the pieces stand at the start; a piece not listed starts off the board.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup: Vec<Placement>,
    /// What every state must satisfy, checked where a setup becomes a state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
    /// The phases; the first leaf whose condition holds is active.
    pub phases: Vec<Phase>,
    /// How the game ends; the first ending whose condition holds is the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endings: Vec<Ending>,
    /// How it is drawn. No rule reads it, and the hash leaves it out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub picture: Appearance,
    /// What positions look to be worth to opponents. No rule reads it, and the hash leaves it out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
}

/// One who plays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// The player's name.
    pub name: String,
    /// Players of one team are allies; without a team a player stands alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// Names that mean another direction for each player, such as `forward`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub directions: Vec<Facing>,
    /// Whether it only owns pieces: it has no turn, is nobody's ally and nobody's foe, and its
    /// pieces block the way as those of allies do. Neutral players come after the others.
    #[serde(default, skip_serializing_if = "is_default")]
    pub neutral: bool,
}

/// What a relative direction name means to a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Facing {
    /// The name used in patterns.
    pub name: String,
    /// The direction of the board that it means.
    pub direction: String,
}

/// How many pieces a tile holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Capacity {
    /// At most one piece, which blocks the way of others.
    #[default]
    One,
    /// Any number of pieces of any owner; they block nothing and carry no flags.
    Many,
}

/// A place on the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoardTile {
    /// The tile's name.
    pub name: String,
    /// How many pieces it holds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub holds: Capacity,
}

/// A step from a tile to a tile. Relations lead one way; a two-way step is two relations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Relation {
    /// The tile it leaves.
    pub from: String,
    /// The tile it enters.
    pub to: String,
    /// The direction it leads in.
    pub direction: String,
    /// How far it is, for games that measure.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub distance: u32,
}

/// A named set of tiles, for everyone or for one player. Several regions may share a name when each
/// belongs to another player: the name then means each player's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// The region's name.
    pub name: String,
    /// Whose region it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// Its tiles.
    pub tiles: Vec<String>,
}

/// How long a flag stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Life {
    /// Until an effect clears it.
    #[default]
    Lasting,
    /// Until its owner's next turn begins.
    Ephemeral,
}

/// A mark that a piece can carry on tiles that hold one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Flag {
    /// The flag's name.
    pub name: String,
    /// How long it stays.
    #[serde(default, skip_serializing_if = "is_default")]
    pub life: Life,
    /// The rule it serves: where that rule has no legal event, the flag clears at once, so that
    /// positions that play alike are alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serves: Option<String>,
}

/// A mark that a tile can carry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// The mark's name.
    pub name: String,
    /// The tiles that carry it at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiles: Vec<String>,
}

/// How many pieces of a kind there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Supply {
    /// Those that the definition lists.
    #[default]
    Listed,
    /// As many as are put, for every player.
    Unlimited,
}

/// A kind of piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// The kind's name.
    pub name: String,
    /// How it travels: the first pattern that yields a path wins, whatever comes later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<Pattern>,
    /// Whether the fate of its owner hangs on it: it is in [`crate::written::Set::Royal`].
    #[serde(default, skip_serializing_if = "is_default")]
    pub royal: bool,
    /// How many pieces of it there are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub supply: Supply,
    /// Numbers about the kind, such as its worth.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attributes: Vec<Attribute>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// What the number is about.
    pub name: String,
    /// The number.
    pub value: i64,
}

/// One piece: it exists from start to end, on the board or off it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// The piece's name, such as `white-stone-2`.
    pub name: String,
    /// Whose it is.
    pub owner: String,
    /// Its kind at the start.
    pub kind: String,
}

/// A die.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Die {
    /// The die's name.
    pub name: String,
    /// It shows 1 to this number, each equally likely.
    pub sides: u8,
    /// Who sees what it shows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seen_by: Sight,
}

/// Whether a variable belongs to the position or is kept beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Standing {
    /// Two positions that differ in it are different.
    #[default]
    Position,
    /// A clock or tally that the position hash ignores.
    Beside,
}

/// Whether there is one value or one for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Share {
    /// One value for the whole game.
    #[default]
    Common,
    /// A value for each player.
    PerPlayer,
}

/// A whole number that the state keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// The variable's name.
    pub name: String,
    /// The least value it takes; an effect that would go below stops here.
    #[serde(default, skip_serializing_if = "is_default")]
    pub min: i64,
    /// The greatest value it takes; an effect that would go above stops here.
    pub max: i64,
    /// Its value at the start.
    #[serde(default, skip_serializing_if = "is_default")]
    pub start: i64,
    /// One value, or one for each player.
    #[serde(default, skip_serializing_if = "is_default")]
    pub share: Share,
    /// Whether it belongs to the position.
    #[serde(default, skip_serializing_if = "is_default")]
    pub standing: Standing,
    /// Makes it the number of times the position has occurred in a match, counted as far back as
    /// the variable named here says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repetitions_within: Option<String>,
    /// Makes it say whether the two players of the game have changed seats: while it is 1, each
    /// plays the pieces of the other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub swaps_seats: bool,
    /// Who sees it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seen_by: Sight,
}

/// A piece on its tile at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Which piece.
    pub piece: String,
    /// On which tile.
    pub tile: String,
    /// With which flags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

/// What a state must satisfy to be a moment of this game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// What is wrong with a setup that does not meet it, such as `no royal piece`.
    pub name: String,
    /// What must hold.
    pub holds: Truth,
}

fn one() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_one(distance: &u32) -> bool {
    *distance == 1
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
