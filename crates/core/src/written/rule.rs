//! Rules, phases and endings, as a game's author writes them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Drawing, Effect, Lot, Number, Pattern, Reach, Seat, Set, Sight, Truth, is_default};

/// A scope of rules that is open while its condition holds. A phase with phases inside is a
/// branch and has no rules of its own; one without is a leaf.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// The phase's name.
    pub name: String,
    /// When it is open, beside the conditions of the phases around it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Truth,
    /// Turns a proposed event into others before the rules see it; the first that fits is used.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pre: Vec<Preprocessor>,
    /// Its rules in order; the first that accepts an event carries it out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// How much of what the dice show its moves must use.
    #[serde(default, skip_serializing_if = "is_default")]
    pub usage: Usage,
    /// A number that a turn must bring as high as it can: asked about the player whose turn it is
    /// when the turn ends, and found by looking ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<Number>,
    /// The phases inside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<Phase>,
}

/// How much of what the dice show the moves of a phase must use. What can be used is found by
/// looking ahead over every order of moves to the end of the phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Usage {
    /// As much as the mover likes.
    #[default]
    Free,
    /// As many dice as can be used.
    Most,
    /// As many dice as can be used, and among as many those that show more.
    MostThenGreatest,
}

/// Derives events from an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Preprocessor {
    /// Its name.
    pub name: String,
    /// Which events it takes.
    pub on: EventKind,
    /// When it takes them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Truth,
    /// What it makes of one, in order; all of it happens or nothing.
    pub derive: Vec<Derived>,
}

/// The kinds of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EventKind {
    /// A piece goes from a tile to a tile.
    Move,
    /// A piece enters the board.
    Put,
    /// Dice are rolled.
    Roll,
    /// A named act.
    Act,
    /// A named act that names a tile.
    Pick,
}

impl EventKind {
    /// Every kind of event, in order.
    pub const ALL: [EventKind; 5] =
        [EventKind::Move, EventKind::Put, EventKind::Roll, EventKind::Act, EventKind::Pick];
}

/// An event that a preprocessor makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Derived {
    /// The event as proposed.
    Itself,
    /// One move for each step of the path that the mover's patterns give.
    EachStep,
    /// An act.
    Act(String),
}

/// Truths and effects with a name, for one kind of event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The rule's name.
    pub name: String,
    /// Which events it judges; it does not apply to others.
    pub wants: Wanted,
    /// What must hold beyond that.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when: Truth,
    /// What happens before the event's own deed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<Effect>,
    /// Whether the event does what such events do, or the effects alone act.
    #[serde(default, skip_serializing_if = "is_default")]
    pub deed: Deed,
    /// What happens after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Effect>,
    /// What must hold when all is done, asked for the player who moved; otherwise the event is
    /// refused and nothing has happened.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ensures: Truth,
    /// Whether its events are part of play or said beside it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub listing: Listing,
    /// Its rank among the rules of its phase: where a rule of a lower rank has a legal event,
    /// events of this rule are refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rank: u8,
    /// What happens instead where something that the mover did not see makes the event impossible.
    /// The event is accepted all the same, and its failure is what the mover learns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fails: Vec<Effect>,
    /// Who sees that its event happens, beside what everybody sees of its consequences.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seen_by: Sight,
}

/// What the event itself does between the effects before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Deed {
    /// What such events do: the piece moves or enters, the dice show.
    #[default]
    Usual,
    /// Nothing; the effects say it all.
    Nothing,
}

/// Where the events of a rule are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Listing {
    /// Among the legal events: they are play.
    #[default]
    Play,
    /// Among the asides: what a player may say at the board without playing, such as to resign.
    Aside,
    /// Among the legal events where the phase has no other: it happens by itself.
    Otherwise,
}

/// Which events a rule judges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Wanted {
    /// A piece of the mover goes from a tile to a tile and captures a foe it lands on.
    Move(Movement),
    /// A piece of the mover that is off the board enters it.
    Put(Putting),
    /// Chance rolls these dice.
    Roll(Rolling),
    /// The mover does this.
    Act(String),
    /// The mover does this and names a tile.
    Pick(Picking),
    /// Chance draws a card.
    Draw(Drawing),
    /// Chance does one of several things.
    Chance(Vec<Lot>),
}

/// A movement rule: one row of a game's table of moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Movement {
    /// Kinds that move so; every kind when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// What the tile of the mover must be, beyond holding it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: Set,
    /// How they travel.
    #[serde(default, skip_serializing_if = "is_default")]
    pub way: Way,
    /// What every tile between source and target must be.
    #[serde(default, skip_serializing_if = "is_default")]
    pub through: Set,
    /// What the target must be.
    #[serde(default, skip_serializing_if = "is_default")]
    pub onto: Set,
    /// Whether it threatens where it leads, even where it may not go now.
    #[serde(default, skip_serializing_if = "is_default")]
    pub threat: Threat,
    /// Kinds of which the event must choose one that the mover becomes; no choice when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choice: Vec<String>,
}

/// Whether a movement rule threatens where it leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Threat {
    /// It does: whatever stands there is attacked, whoever's it is.
    #[default]
    Real,
    /// It does not: this way of moving captures nothing.
    Harmless,
}

/// How a movement rule travels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Way {
    /// By the patterns of the mover's kind.
    #[default]
    Own,
    /// By this pattern.
    Pattern(Pattern),
    /// To the first occupied tile along one of these directions, whoever stands there.
    First(Vec<String>),
    /// As many steps as a die shows, which is spent.
    Dice(Pips),
    /// Over one tile to a tile beyond it, in a straight line.
    Hop(Hop),
    /// A number of steps in a straight line, leaping over whatever stands between.
    Steps(Steps),
    /// To any tile, passing none.
    Anywhere,
}

/// Travelling over one tile, the hurdle, in a straight line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hop {
    /// The directions of which one is taken.
    pub along: Vec<String>,
    /// What the hurdle must be.
    pub over: Set,
    /// Where the hurdle lies: on the next tile, or wherever the first piece stands that blocks.
    #[serde(default, skip_serializing_if = "is_default")]
    pub approach: Reach,
    /// Where it ends: on the tile after the hurdle, or on any tile up to the next piece that
    /// blocks, that piece's tile included.
    #[serde(default, skip_serializing_if = "is_default")]
    pub landing: Reach,
}

/// Travelling a number of steps in one of several directions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Steps {
    /// The directions of which one is taken.
    pub along: Vec<String>,
    /// A name for the direction inside the number; none when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many steps; where it is less than 1 or more than the board has tiles, there is no way.
    pub count: Number,
}

/// Travelling by dice: the event says which number it uses. The last die that shows it is spent,
/// and the dice listed after it move up, so that dice in order stay in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pips {
    /// The dice, of which one is used.
    pub dice: Vec<String>,
    /// The direction of every step.
    pub along: String,
    /// Where it ends.
    #[serde(default, skip_serializing_if = "is_default")]
    pub landing: Landing,
}

/// Where a journey by dice ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Landing {
    /// After exactly as many steps.
    #[default]
    Exact,
    /// On the last tile of its way, where the number is greater than the steps to it.
    Short,
}

/// A rule for pieces that enter the board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Putting {
    /// Kinds that enter so; every kind when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<String>,
    /// Where they may enter, beyond the tile having room.
    #[serde(default, skip_serializing_if = "is_default")]
    pub onto: Set,
}

/// A rule for an act that names a tile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Picking {
    /// The act.
    pub act: String,
    /// The tiles that it may name; whatever stands there.
    #[serde(default, skip_serializing_if = "is_default")]
    pub onto: Set,
}

/// A rule for dice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rolling {
    /// The dice rolled together.
    pub dice: Vec<String>,
    /// Whether it matters which die shows which number.
    #[serde(default, skip_serializing_if = "is_default")]
    pub order: Order,
}

/// Whether it matters which die shows which number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// 2-1 and 1-2 are different outcomes.
    #[default]
    Matters,
    /// 2-1 stands for both; the greater number comes first.
    Ignored,
}

/// One way in which the game ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// Why the game is over, such as `three in a row`.
    pub name: String,
    /// About whom it is asked.
    #[serde(default, skip_serializing_if = "is_default")]
    pub of: Subject,
    /// When it holds.
    pub when: Truth,
    /// Who wins; nobody when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Seat>,
    /// How much the winner's team gets and every other player loses.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub score: Number,
    /// A number asked about each player: who has the most wins, nobody where several who are no
    /// allies have it. The winner is left out then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<Number>,
    /// What each player gets, asked about that player, instead of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pays: Option<Number>,
    /// Whether play may go on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub play: Play,
}

/// About whom an ending is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Subject {
    /// The player to move.
    #[default]
    Mover,
    /// Every player in turn; the first of whom it holds counts.
    Each,
}

/// Whether play may go on after an ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Play {
    /// No event is legal any more.
    #[default]
    Stops,
    /// The outcome is declared, the rules stay open.
    MayGoOn,
}

fn one() -> Number {
    Number::Is(1)
}

fn is_one(value: &Number) -> bool {
    *value == one()
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EventKind::Move => "move",
            EventKind::Put => "put",
            EventKind::Roll => "roll",
            EventKind::Act => "act",
            EventKind::Pick => "pick",
        })
    }
}

impl Wanted {
    /// The kind of event it judges.
    pub fn kind(&self) -> EventKind {
        match self {
            Wanted::Move(_) => EventKind::Move,
            Wanted::Put(_) => EventKind::Put,
            Wanted::Roll(_) | Wanted::Draw(_) | Wanted::Chance(_) => EventKind::Roll,
            Wanted::Act(_) => EventKind::Act,
            Wanted::Pick(_) => EventKind::Pick,
        }
    }
}
