//! What runs: the written vocabulary with every name resolved to an id.
//!
//! Each type here is the compiled counterpart of the written type of the same name.

use crate::condition::Comparison;
use crate::game::{CustomCondition, CustomEffect};
use crate::id::{
    ActionId, DieId, DirectionId, FlagId, KindId, OutcomeId, PhaseId, PlayerId, RuleId, TileId,
    VariableId,
};
use crate::path::Mobility;
use crate::reckoning::Reckoning;
use crate::rule::{EventKind, Play, Subject, Usage};
use crate::tile_set::TileSet;

/// A condition with its number in the rule, counted from the outside in.
pub(crate) struct Condition {
    pub(crate) number: u16,
    pub(crate) test: Test,
}

pub(crate) enum Test {
    Always,
    Never,
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Another that refuses in its own name.
    Called(Box<Condition>),
    Relevant(Box<Condition>),
    Turn(PlayerId),
    Compare {
        left: Value,
        is: Comparison,
        right: Value,
    },
    Tile {
        at: Spot,
        is: TileTest,
    },
    Line {
        lines: Vec<TileSet>,
        is: TileTest,
    },
    Stuck,
    Custom(CustomCondition),
}

pub(crate) enum Value {
    Number(i64),
    Variable(VariableId, Seat),
    Die(DieId),
    Tiles { area: Area, is: TileTest },
    Pieces { area: Area, owner: Who, kind: Option<KindId> },
    Sum(Vec<Value>),
}

#[derive(Clone, Copy)]
pub(crate) enum Seat {
    Mover,
    /// So many seats further on.
    Ahead(u8),
    Player(PlayerId),
}

#[derive(Clone, Copy)]
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

pub(crate) enum Area {
    Board,
    Region(Regions, Seat),
    At(Spot),
    Span(Spot, Spot),
    Around(Spot),
    Beyond(Spot, Heading),
}

pub(crate) enum Spot {
    From,
    To,
    Tile(TileId),
    /// The only tile of a region, for each player.
    Only(Vec<TileId>, Seat),
    Steps(Box<Spot>, Vec<Heading>),
    First {
        from: Box<Spot>,
        along: Heading,
        is: TileTest,
    },
}

#[derive(Default)]
pub(crate) struct TileTest {
    pub(crate) all_of: Vec<Trait>,
    pub(crate) any_of: Vec<Trait>,
    pub(crate) none_of: Vec<Trait>,
}

pub(crate) enum Trait {
    Empty,
    Owner(Who),
    Kind(KindId),
    Flag(FlagId),
    In(Regions),
    AtLeast(u16, Who),
    Royal,
    Threatened(Who),
    At(Box<Spot>),
    Beside(Box<TileTest>),
}

pub(crate) enum Effect {
    Capture { at: Spot, to: Option<Spot> },
    Carry { from: Spot, to: Spot },
    Together(Vec<(Spot, Spot)>),
    Clear { area: Area, is: TileTest },
    Flag { at: Spot, set: u64, clear: u64 },
    Mark { area: Area, is: TileTest, set: u64, clear: u64 },
    Become { at: Spot, kind: KindId },
    Set { variable: VariableId, of: Seat, to: Value },
    Add { variable: VariableId, of: Seat, by: Value },
    Turn(Seat),
    Unroll(Vec<DieId>),
    Show { dice: Vec<DieId>, value: Value },
    Reset,
    When { condition: Box<Condition>, then: Vec<Effect>, otherwise: Vec<Effect> },
    Custom(CustomEffect),
}

pub(crate) struct Rule {
    /// The rule as written, for words about it.
    pub(crate) written: crate::rule::Rule,
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
}

/// What is asked of an accepted event with a view to the other events of the phase.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    Nothing,
    /// The turn must use so much of the dice.
    Usage(Usage),
    /// Nothing else may be possible.
    Otherwise,
}

pub(crate) enum Wanted {
    Move(Movement),
    Put {
        kinds: Kinds,
        area: Area,
        onto: TileTest,
    },
    /// A range of the game's outcomes.
    Roll {
        first: OutcomeId,
        last: OutcomeId,
    },
    Act(ActionId),
}

impl Wanted {
    pub(crate) fn kind(&self) -> EventKind {
        match self {
            Wanted::Move(_) => EventKind::Move,
            Wanted::Put { .. } => EventKind::Put,
            Wanted::Roll { .. } => EventKind::Roll,
            Wanted::Act(_) => EventKind::Act,
        }
    }
}

/// A set of kinds, a bit for each.
#[derive(Clone, Copy)]
pub(crate) struct Kinds(pub(crate) [u64; 4]);

impl Kinds {
    #[inline]
    pub(crate) fn contains(self, kind: KindId) -> bool {
        self.0[kind.index() / 64] >> (kind.index() % 64) & 1 == 1
    }
}

impl TileTest {
    /// Whether it asks nothing.
    pub(crate) fn is_any(&self) -> bool {
        self.all_of.is_empty() && self.any_of.is_empty() && self.none_of.is_empty()
    }
}

pub(crate) struct Movement {
    pub(crate) kinds: Kinds,
    pub(crate) source: TileTest,
    pub(crate) way: Way,
    pub(crate) through: TileTest,
    pub(crate) onto: TileTest,
    pub(crate) choice: Vec<KindId>,
}

/// How a movement rule travels.
pub(crate) enum Way {
    Own,
    /// By these patterns, for each player.
    Pattern(Vec<Mobility>),
    First(Vec<Heading>),
    Dice(Track),
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
    /// A table from what the table says of each player, tile and number from 1 on.
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
    pub(crate) by_kind: [Vec<RuleId>; 4],
    /// Whether no event but moves is play.
    pub(crate) only_moves: bool,
    /// Whether a movement rule is listed among the asides.
    pub(crate) has_aside_moves: bool,
    /// Whether a rule is for where there is no other event.
    pub(crate) has_otherwise: bool,
    /// How much of the dice its moves must use.
    pub(crate) usage: Usage,
}

pub(crate) struct Ending {
    pub(crate) name: String,
    pub(crate) of: Subject,
    pub(crate) when: Condition,
    pub(crate) winner: Option<Seat>,
    pub(crate) score: Value,
    pub(crate) play: Play,
    /// The condition in a form that is quick to ask, if it has one.
    pub(crate) reckoning: Option<Reckoning>,
}

pub(crate) struct Requirement {
    pub(crate) name: String,
    pub(crate) holds: Condition,
}

/// One outcome of chance.
pub(crate) struct Outcome {
    /// What each die shows.
    pub(crate) dice: Vec<(DieId, u8)>,
    /// How many of all equally likely throws give it.
    pub(crate) weight: u64,
    /// How many throws there are.
    pub(crate) total: u64,
}
