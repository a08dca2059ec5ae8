//! Typed rules: the written vocabulary with every name resolved to an id.
//!
//! Each type here is the resolved counterpart of the written type of the same name. What differs
//! from player to player, such as headings and regions, is a list by player; lowering picks the
//! entry of the player it lowers for.

use crate::custom::{CustomCondition, CustomEffect};
use crate::id::{
    ActionId, DieId, DirectionId, FlagId, KindId, MarkId, OutcomeId, PhaseId, PlayerId, RuleId,
    TileId, VariableId,
};
use crate::path::Mobility;
use crate::tile_set::TileSet;
use crate::written::{self, Comparison, EventKind, Play, Reach, Subject, Usage};

/// The number of conditions inside other expressions.
pub(crate) const UNNUMBERED: u16 = u16::MAX;

/// A truth with its number in the rule, counted from the outside in.
#[derive(Clone, PartialEq)]
pub(crate) struct Condition {
    pub(crate) number: u16,
    pub(crate) test: Truth,
}

#[derive(Clone, PartialEq)]
pub(crate) enum Truth {
    Always,
    Never,
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Another that refuses in its own name.
    Called(Box<Condition>),
    Relevant(Box<Condition>),
    Turn(PlayerId),
    Compare(Number, Comparison, Number),
    In(Tile, Set),
    Some(Set),
    None(Set),
    /// Whether all tiles of one of these lines, by player, are in a set.
    Line(Vec<Vec<TileSet>>, Set),
    Exists(Loop, Box<Condition>),
    Each(Loop, Box<Condition>),
    Stuck,
    Repeats(u16),
    /// Whether some of these movement rules could move a piece from a tile.
    Can(Vec<RuleId>, Tile),
    Custom(CustomCondition),
}

/// A name bound to a tile or a group, by its number in the rule.
pub(crate) type Local = u16;

/// What a bound name runs over at run time.
#[derive(Clone, PartialEq)]
pub(crate) enum Loop {
    Tiles(Local, Box<Set>),
    Groups(Local, Box<Set>, Vec<Heading>),
}

#[derive(Clone, PartialEq)]
pub(crate) enum Number {
    Is(i64),
    Variable(VariableId, Seat),
    Die(DieId),
    Count(Set),
    Pieces(Set, Who, Option<KindId>),
    Hand(KindId, Seat),
    /// What each kind counts, for those that count anything.
    Attribute(Vec<(KindId, i64)>, Set),
    Groups(Set, Vec<Heading>),
    Distance(Tile, Heading, Set),
    Sum(Vec<Number>),
    Minus(Box<Number>, Box<Number>),
    Times(Vec<Number>),
    Min(Vec<Number>),
    Max(Vec<Number>),
    If(Box<Condition>, Box<Number>, Box<Number>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seat {
    Mover,
    /// This many seats further on.
    Ahead(u8),
    Player(PlayerId),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Mover,
    Ally,
    Friend,
    Foe,
    Player(PlayerId),
    Anyone,
}

/// A region for each player; the same for all where it belongs to nobody.
pub(crate) type Regions = Vec<TileSet>;

/// A direction for each player; the same for all where it is a direction of the board.
pub(crate) type Heading = Vec<DirectionId>;

#[derive(Clone, PartialEq)]
pub(crate) enum Set {
    /// Tiles that never change, for each player judged.
    Const(Regions),
    Empty,
    Owned(Who),
    Kind(KindId),
    Royal,
    Flag(FlagId),
    Mark(MarkId),
    AtLeast(u16, Who),
    At(Box<Tile>),
    All(Vec<Set>),
    Any(Vec<Set>),
    Not(Box<Set>),
    Step(Box<Set>, Vec<Heading>),
    Around(Box<Set>, Vec<Heading>),
    Ray(Box<Tile>, Heading),
    Row(Box<Tile>, Heading),
    Run {
        from: Box<Tile>,
        along: Heading,
        over: Box<Set>,
        end: Option<Box<Set>>,
    },
    Span(Box<Tile>, Box<Tile>),
    Between(Box<Tile>, Box<Tile>),
    /// Tiles connected within a set with some of its tiles.
    Reach {
        from: Box<Set>,
        over: Box<Set>,
        along: Vec<Heading>,
        connection: Connection,
    },
    Line {
        /// For each player.
        lines: Vec<Vec<TileSet>>,
        of: Box<Set>,
    },
    Attacked(Who),
    If(Box<Condition>, Box<Set>, Box<Set>),
    Union(Loop, Box<Set>),
    Local(Local),
    /// Tiles from which steps lead into a set. Lowering makes it of conditions on the target.
    Origin(Box<Set>, Vec<Heading>),
    /// Tiles from which a run over one set ends at another. Lowering makes it too.
    RunOrigin {
        along: Heading,
        over: Box<Set>,
        end: Box<Set>,
    },
    /// Tiles whose distance from a tile along a direction is a number. Lowering makes it too.
    Distant {
        from: Box<Tile>,
        along: Heading,
        steps: Box<Number>,
    },
}

/// Whether tiles are connected by a step in either direction or only as steps lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Connection {
    Either,
    AsLed,
}

#[derive(Clone, PartialEq)]
pub(crate) enum Tile {
    From,
    To,
    Const(Vec<TileId>),
    Only(Box<Set>),
    Steps(Box<Tile>, Vec<Heading>),
    First { from: Box<Tile>, along: Heading, at: Box<Set> },
    Local(Local),
}

#[derive(Clone, PartialEq)]
pub(crate) enum Effect {
    Capture { on: Set, to: Fate },
    Clear(Set),
    Carry { from: Tile, to: Tile },
    Together(Vec<(Tile, Tile)>),
    Shift { on: Set, along: Vec<Heading> },
    Flag { on: Set, set: u64, clear: u64 },
    Mark { on: Set, set: u64, clear: u64 },
    Become { on: Set, kind: KindId },
    Give { on: Set, to: Seat },
    Place { kind: KindId, owner: Seat, on: Set },
    Set { variable: VariableId, of: Seat, to: Number },
    Add { variable: VariableId, of: Seat, by: Number },
    Turn(Seat),
    TurnWhere(Box<Condition>),
    Unroll(Vec<DieId>),
    Show { dice: Vec<DieId>, value: Number },
    Reset,
    Sow { from: Tile, along: Heading, skip: Set, count: Option<VariableId> },
    When { condition: Box<Condition>, then: Vec<Effect>, otherwise: Vec<Effect> },
    Each(Loop, Vec<Effect>),
    Repeat(Number, Vec<Effect>),
    Custom(CustomEffect),
}

#[derive(Clone, PartialEq)]
pub(crate) enum Fate {
    Out,
    Tile(Tile),
    Hand(Seat),
}

pub(crate) struct Rule {
    /// The rule as written, for words about it.
    pub(crate) written: written::Rule,
    pub(crate) wants: Wanted,
    pub(crate) when: Condition,
    pub(crate) before: Vec<Effect>,
    pub(crate) after: Vec<Effect>,
    /// None where nothing is asked when all is done.
    pub(crate) ensures: Option<Condition>,
    /// The phase it belongs to.
    pub(crate) phase: PhaseId,
    /// Whether the other events of its phase have a say in whether it accepts one.
    pub(crate) closing: Closing,
    /// The rules before it in its phase that may accept the same event.
    pub(crate) shared: Vec<RuleId>,
    /// What chance may do, one for each of its outcomes, where they are no dice.
    pub(crate) lots: Vec<Lot>,
    /// What happens where its event turns out to be impossible.
    pub(crate) fails: Vec<Effect>,
    /// Who sees its events.
    pub(crate) seen_by: Sight,
}

impl Rule {
    /// Every list of effects of the rule.
    pub(crate) fn effect_lists(&self) -> impl Iterator<Item = &Vec<Effect>> {
        let lots = self.lots.iter().map(|lot| &lot.then);
        [&self.before, &self.after, &self.fails].into_iter().chain(lots)
    }
}

/// One of several things that chance may do.
pub(crate) struct Lot {
    pub(crate) weight: Number,
    pub(crate) then: Vec<Effect>,
}

/// Who sees a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    Everyone,
    /// The player whose it is, or who moves.
    Owner,
    Player(PlayerId),
    Nobody,
}

/// What players do not see of the board: each set holds the tiles on which a player sees it.
pub(crate) enum Secret {
    Pieces(Set),
    Kinds(Set, KindId),
    Flag(FlagId, Set),
    Mark(MarkId, Set),
}

impl Secret {
    /// The tiles on which a player sees what it is about.
    pub(crate) fn seen(&self) -> &Set {
        match self {
            Secret::Pieces(seen) | Secret::Kinds(seen, _) => seen,
            Secret::Flag(_, seen) | Secret::Mark(_, seen) => seen,
        }
    }
}

/// What is asked of an accepted event with a view to the other events of the phase.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    Nothing,
    /// The turn must use this much of the dice.
    Usage(Usage),
    /// No rule of a lower rank may have an event.
    Rank,
    /// Nothing else may be possible.
    Otherwise,
}

pub(crate) enum Wanted {
    Move(Movement),
    Put {
        kinds: Kinds,
        onto: Set,
    },
    /// A range of the game's outcomes.
    Roll {
        first: OutcomeId,
        last: OutcomeId,
    },
    Act(ActionId),
    Pick {
        action: ActionId,
        onto: Set,
    },
}

impl Wanted {
    pub(crate) fn kind(&self) -> EventKind {
        match self {
            Wanted::Move(_) => EventKind::Move,
            Wanted::Put { .. } => EventKind::Put,
            Wanted::Roll { .. } => EventKind::Roll,
            Wanted::Act(_) => EventKind::Act,
            Wanted::Pick { .. } => EventKind::Pick,
        }
    }
}

/// A set of kinds, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kinds(pub(crate) [u64; 4]);

impl Kinds {
    #[inline]
    pub(crate) fn contains(self, kind: KindId) -> bool {
        self.0[kind.index() / 64] >> (kind.index() % 64) & 1 == 1
    }

    pub(crate) fn meets(self, other: Kinds) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }
}

pub(crate) struct Movement {
    pub(crate) kinds: Kinds,
    pub(crate) source: Set,
    pub(crate) way: Way,
    pub(crate) through: Set,
    pub(crate) onto: Set,
    pub(crate) choice: Vec<KindId>,
}

/// How a movement rule travels.
pub(crate) enum Way {
    Own,
    /// By these patterns, for each player.
    Pattern(Vec<Mobility>),
    First(Vec<Heading>),
    Dice(Track),
    Hop(Hop),
    /// How many steps along each direction.
    Steps(Vec<(Heading, Number)>),
    Anywhere,
}

pub(crate) struct Hop {
    pub(crate) along: Vec<Heading>,
    pub(crate) over: Set,
    pub(crate) approach: Reach,
    pub(crate) landing: Reach,
}

/// Where dice lead, for each player, tile and number.
pub(crate) struct Track {
    pub(crate) dice: Vec<DieId>,
    pub(crate) along: Heading,
    /// The greatest number of any of the dice.
    pub(crate) sides: u8,
    tiles: usize,
    targets: Vec<Option<TileId>>,
}

impl Track {
    /// A table from what a function says of each player, tile and number from 1 on.
    pub(crate) fn new(
        dice: Vec<DieId>,
        along: Heading,
        sides: u8,
        (players, tiles): (usize, usize),
        target: impl Fn(PlayerId, TileId, u8) -> Option<TileId>,
    ) -> Track {
        let target = &target;
        let targets = (0..players).map(PlayerId::at).flat_map(|player| {
            (0..tiles)
                .map(TileId::at)
                .flat_map(move |tile| (1..=sides).map(move |pips| target(player, tile, pips)))
        });
        Track { dice, along, sides, tiles, targets: targets.collect() }
    }

    /// Where a number leads a player from a tile.
    #[inline]
    pub(crate) fn target(&self, player: PlayerId, from: TileId, pips: u8) -> Option<TileId> {
        if pips == 0 || pips > self.sides {
            return None;
        }
        let row = player.index() * self.tiles + from.index();
        self.targets[row * usize::from(self.sides) + usize::from(pips) - 1]
    }
}

pub(crate) struct Preprocessor {
    pub(crate) on: EventKind,
    pub(crate) when: Condition,
    pub(crate) derive: Vec<Derived>,
}

#[derive(Clone, Copy)]
pub(crate) enum Derived {
    Itself,
    EachStep,
    Act(ActionId),
}

/// A phase, in the order in which the written tree is read.
pub(crate) struct Gate {
    pub(crate) when: Condition,
    /// The gates directly inside.
    pub(crate) inside: Vec<usize>,
    /// The gate to try next when this one is shut: the first one that is not inside it.
    pub(crate) skip: usize,
    /// The leaf it opens, if it has nothing inside.
    pub(crate) leaf: Option<PhaseId>,
}

/// What a leaf phase holds.
pub(crate) struct Leaf {
    pub(crate) name: String,
    pub(crate) pre: Vec<Preprocessor>,
    /// Its rules, in order.
    pub(crate) rules: Vec<RuleId>,
    /// Its rules by kind of event, in order.
    pub(crate) by_kind: [Vec<RuleId>; 5],
    /// Whether a rule is for where there is no other event.
    pub(crate) has_otherwise: bool,
    /// Whether its rules have different ranks.
    pub(crate) ranked: bool,
    /// How much of the dice its moves must use.
    pub(crate) usage: Usage,
    /// The number that a turn must bring as high as it can.
    pub(crate) most: Option<Number>,
    /// For each kind of event, whether two rules may accept the same.
    pub(crate) overlaps: [bool; 5],
    /// Whether its events can be counted without a list.
    pub(crate) counts: bool,
    /// Whether they could be if no two rules accepted the same.
    pub(crate) counts_apart: bool,
    /// The same of its moves and of pieces that enter, whatever else it has.
    pub(crate) counts_moves_apart: bool,
}

pub(crate) struct Ending {
    pub(crate) name: String,
    pub(crate) of: Subject,
    pub(crate) when: Condition,
    pub(crate) winner: Option<Seat>,
    pub(crate) score: Number,
    pub(crate) most: Option<Number>,
    pub(crate) pays: Option<Number>,
    pub(crate) play: Play,
}

pub(crate) struct Requirement {
    pub(crate) name: String,
    pub(crate) holds: Condition,
}

/// One outcome of chance.
pub(crate) struct Outcome {
    /// What each die shows.
    pub(crate) dice: Vec<(DieId, u8)>,
    /// Its name, where it is no throw of dice; how likely it is, its rule says then.
    pub(crate) name: Option<String>,
    /// How many of all equally likely throws give it.
    pub(crate) weight: u64,
    /// How many throws there are.
    pub(crate) total: u64,
}
