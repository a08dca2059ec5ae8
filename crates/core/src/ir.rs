//! The intermediate representation: what every rule, condition and effect is lowered to.
//!
//! A [`Function`] is structured code over two banks of registers: sets of tiles and whole numbers.
//! A tile in a number register is its index, or [`NO_TILE`]; a truth is 0 or 1. Control flow is
//! nested blocks, so that a backend without jumps can carry it out as well. All loops are bounded.

mod fold;
mod register;

use crate::custom::{CustomCondition, CustomEffect};
use crate::id::{ActionId, DieId, KindId, PlayerId, RuleId, VariableId};
pub use crate::layout::Field;
use crate::written::Comparison;
pub use fold::where_empty;
pub(crate) use register::{Access, registers, registers_mut};
pub use register::{read_numbers, read_sets, written_number, written_set};

/// The number that stands for no tile.
pub const NO_TILE: i64 = -1;

/// A register that holds a set of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SetReg(pub u16);

/// A register that holds a whole number, a tile or a truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NumReg(pub u16);

/// The source of the event.
pub const FROM: NumReg = NumReg(0);
/// The target of the event.
pub const TO: NumReg = NumReg(1);
/// The kind that the event chooses or puts, or [`NO_TILE`].
pub const CHOICE: NumReg = NumReg(2);
/// The number of the die that the event uses.
pub const PIPS: NumReg = NumReg(3);
/// The first register that code may use as it likes.
pub const FIRST_FREE: u16 = 4;

/// An index into one of the tables of a [`Code`].
macro_rules! table_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub u16);

        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize {
                self.0.into()
            }
        }
    )*};
}

table_ids! {
    /// A constant set.
    ConstId;
    /// A partial map from tiles to tiles, such as one step in a direction.
    MapId;
    /// A set for each tile.
    RowsId;
    /// Rays along some directions.
    SlideId;
    /// Which tiles are connected with which.
    LinksId;
    /// A function of the code.
    FunctionId;
    /// Where dice lead from each tile.
    TrackId;
    /// Lines of tiles.
    LinesId;
}

/// A piece of straight code.
pub type Block = Vec<Op>;

/// Arithmetic, held within the bounds of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The smaller one.
    Min,
    /// The greater one.
    Max,
}

/// One operation. The first register is the one it writes.
#[allow(
    missing_docs,
    reason = "an operation says what it does; its registers have the names of their roles"
)]
#[derive(Clone, Debug)]
pub enum Op {
    // Sets.
    Constant(SetReg, ConstId),
    /// A bit plane of the state, by its first word.
    Plane(SetReg, usize),
    Copy(SetReg, SetReg),
    And(SetReg, SetReg, SetReg),
    Or(SetReg, SetReg, SetReg),
    AndNot(SetReg, SetReg, SetReg),
    /// The images of the tiles of a set.
    Image(SetReg, SetReg, MapId),
    /// The tiles whose image lies in a set.
    Preimage(SetReg, SetReg, MapId),
    /// The images of the tiles of a set, and of those of them that lie in the second set, and so on.
    Images {
        to: SetReg,
        from: SetReg,
        over: SetReg,
        map: MapId,
    },
    /// The one tile, or no tile.
    Single(SetReg, NumReg),
    /// The set that a table has for a tile; empty for no tile.
    Row(SetReg, RowsId, NumReg),
    /// The tiles seen from a tile along rays that end at the first tile of a set, that tile
    /// included; nothing for no tile.
    Slide(SetReg, SlideId, NumReg, SetReg),
    /// The tiles of the straight line between two tiles along one of some rays, both left out.
    Between(SetReg, SlideId, NumReg, NumReg),
    /// The tiles of the straight line from one tile to another by the first direction that leads
    /// there, both included.
    Span(SetReg, NumReg, NumReg),
    /// What can be reached within the second set from the tiles of the first that lie in it.
    Flood {
        to: SetReg,
        from: SetReg,
        over: SetReg,
        links: LinksId,
    },
    /// Tiles on which at least this many pieces of these players stand.
    Stacked {
        to: SetReg,
        players: u64,
        least: u16,
    },
    /// The tiles of every line of a table that lies within a set.
    Lines(SetReg, LinesId, SetReg),
    /// Where a piece can travel past tiles of a set by the patterns of a player's kind or rule.
    Travel {
        to: SetReg,
        way: WayRef,
        from: NumReg,
        through: SetReg,
    },
    /// A set kept for a tile.
    Load(SetReg, NumReg),
    /// The tiles that another function finds.
    Call(SetReg, FunctionId),
    /// Keeps a set for a tile.
    Store(NumReg, SetReg),

    // Numbers.
    Number(NumReg, i64),
    Move(NumReg, NumReg),
    Count(NumReg, SetReg),
    /// The lowest tile of a set, or none.
    First(NumReg, SetReg),
    /// The tile of a set that has exactly one, or none.
    Only(NumReg, SetReg),
    /// Whether a tile lies in a set; no tile does.
    Has(NumReg, SetReg, NumReg),
    /// Whether a set has a tile.
    Any(NumReg, SetReg),
    /// Whether all tiles of some line lie in a set.
    HasLine(NumReg, LinesId, SetReg),
    /// The image of a tile, or none.
    Step(NumReg, MapId, NumReg),
    /// The first tile along a ray of one direction that lies in a set, or none.
    FirstAlong(NumReg, SlideId, NumReg, SetReg),
    /// Where a number of a die leads from a tile, or none.
    Track {
        to: NumReg,
        track: TrackId,
        pips: NumReg,
        from: NumReg,
    },
    /// A field of the state, plus a number.
    Field(NumReg, Field, i64),
    /// How many pieces of these players, of a kind if one is named, stand on the tiles of a set.
    Pieces {
        to: NumReg,
        on: SetReg,
        players: u64,
        kind: Option<KindId>,
    },
    Groups(NumReg, SetReg, LinksId),
    Arithmetic(NumReg, Arithmetic, NumReg, NumReg),
    Compare(NumReg, Comparison, NumReg, NumReg),
    Not(NumReg, NumReg),
    /// The kind of a player's piece that a rule would move from a tile, or none.
    MovingKind {
        to: NumReg,
        player: PlayerId,
        rule: RuleId,
        from: NumReg,
    },
    /// Whether the rules accept no event.
    Stuck(NumReg),
    /// The same, asked by a rule: while it is found out, this counts as true.
    StuckInRule(NumReg),
    /// Whether the state's position has come up at least this often, now included.
    Repeats(NumReg, u16),
    Custom {
        to: NumReg,
        tiles: (NumReg, NumReg),
        custom: CustomCondition,
    },
    /// Whether a function holds in the state after another function has changed it.
    Trial {
        to: NumReg,
        make: FunctionId,
        check: FunctionId,
    },

    // Control.
    If(NumReg, Block, Block),
    /// Runs a block for each tile of a set, lowest first; the set is read before the first. Where the
    /// tiles are sources or targets of events that the block finds, code after it reads nothing that the
    /// block has written: a backend may leave out tiles whose events nobody asks for.
    ForTiles(SetReg, NumReg, Block),
    /// Runs a block for each group of a set.
    ForGroups {
        of: SetReg,
        links: LinksId,
        group: SetReg,
        body: Block,
    },
    Repeat(NumReg, Block),
    /// Leaves the innermost loop.
    Break,
    /// What follows in this block is for states that play does not lead to: a backend may give up
    /// here and leave the state to the interpreter.
    Rare,
    /// In most states that play leads to these sets are empty here: a backend may have code of its own
    /// for them from here to the end of the block.
    Seldom(Vec<SetReg>),

    // Moves.
    /// From here on, events are those of this rule; whether they come in order.
    Rule(RuleId, bool),
    /// The piece on a tile goes to each tile of a set.
    EmitFrom(NumReg, SetReg),
    /// To each tile of a set goes the piece of which it is the image.
    EmitImages(MapId, SetReg),
    /// The piece on the source goes to the target as the kind chosen.
    EmitEvent,
    /// The piece on a tile goes to a tile by a die.
    EmitDie {
        from: NumReg,
        to: NumReg,
        pips: NumReg,
    },
    /// Pieces on the tiles of a set go where the numbers of some dice lead, if that lies in another
    /// set: tile by tile, and from each by the numbers in their order, each once. 0 leads nowhere.
    EmitDice {
        from: SetReg,
        onto: SetReg,
        track: TrackId,
        dice: Vec<NumReg>,
    },
    /// A piece of a kind enters on each tile of a set.
    EmitPut(KindId, SetReg),
    /// An act names each tile of a set.
    EmitPick(ActionId, SetReg),

    // Edits of the state.
    Edit(Edit),
}

/// Whose patterns lead a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayRef {
    /// Those of a kind.
    Kind(PlayerId, KindId),
    /// Those of a rule.
    Rule(PlayerId, RuleId),
}

/// An edit of the state.
#[allow(
    missing_docs,
    reason = "an operation says what it does; its registers have the names of their roles"
)]
#[derive(Clone, Debug)]
pub enum Edit {
    /// What a move of a rule does: the piece leaves, whoever stands on the target is captured, the
    /// piece arrives, as the kind it chooses. Known are the kind of the piece where the rule is about
    /// one, whether nobody can stand on the target, and whether a kind is always chosen.
    MovePiece {
        player: PlayerId,
        rule: RuleId,
        mover: Option<KindId>,
        quiet: bool,
        chooses: bool,
    },
    /// The piece of a kind that the event chooses enters.
    PutPiece(PlayerId),
    /// Spends the last die of these that shows the number used; those after it move up.
    Spend(Vec<DieId>),
    /// Shows the outcome of chance that the event chooses.
    Roll,
    /// Takes pieces off the tiles of a set; a stack loses one piece of a player who is none of
    /// these friends.
    Capture {
        on: SetReg,
        to: Fate,
        friends: u64,
    },
    Clear(SetReg),
    Carry {
        from: NumReg,
        to: NumReg,
    },
    Together(Vec<(NumReg, NumReg)>),
    /// Every piece on the tiles of a set goes to the image of its tile, or out of play.
    Shift {
        on: SetReg,
        map: MapId,
    },
    Flag {
        on: SetReg,
        set: u64,
        clear: u64,
    },
    Mark {
        on: SetReg,
        set: u64,
        clear: u64,
    },
    Become {
        on: SetReg,
        kind: KindId,
    },
    Give {
        on: SetReg,
        to: PlayerId,
    },
    Place {
        kind: KindId,
        owner: PlayerId,
        on: SetReg,
    },
    Variable {
        variable: VariableId,
        of: PlayerId,
        to: NumReg,
    },
    /// Gives the turn to a player; from whom, where that is known.
    Turn {
        from: Option<PlayerId>,
        to: PlayerId,
    },
    Die(DieId, NumReg),
    Reset,
    Sow {
        from: NumReg,
        map: MapId,
        skip: SetReg,
        count: Option<(VariableId, PlayerId)>,
    },
    Custom(CustomEffect),
}

impl Edit {
    /// Whether it may take a piece from a tile, put one there, or make another of it.
    pub(crate) fn moves_pieces(&self) -> bool {
        !matches!(
            self,
            Edit::Spend(_)
                | Edit::Roll
                | Edit::Flag { .. }
                | Edit::Mark { .. }
                | Edit::Variable { .. }
                | Edit::Turn { .. }
                | Edit::Die(..)
        )
    }

    /// Whether it may bring a piece to a tile other than the target of the event, or one of another
    /// owner: who stands where then does not follow from the tiles that are taken.
    pub(crate) fn brings_pieces(&self) -> bool {
        match self {
            Edit::Capture { to, .. } => matches!(to, Fate::Tile(_)),
            Edit::MovePiece { .. } | Edit::Clear(_) | Edit::Become { .. } => false,
            _ => self.moves_pieces(),
        }
    }
}

/// Where captured pieces go.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Out of play.
    Out,
    /// To a tile.
    Tile(NumReg),
    /// Into the hand of a player.
    Hand(PlayerId),
}

/// Code with the registers it needs.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// How many registers for sets it uses.
    pub sets: u16,
    /// How many registers for numbers it uses.
    pub numbers: u16,
    /// What it does.
    pub body: Block,
}

/// The register in which a function that answers a question leaves the answer.
pub const ANSWER: NumReg = NumReg(FIRST_FREE);
/// The register in which a function that finds a set leaves it.
pub const FOUND: SetReg = SetReg(0);

/// A partial map from tiles to tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    /// The image of each tile; [`u16::MAX`] where there is none.
    pub images: Vec<u16>,
    /// The tiles that have an image, by word.
    pub domain: Vec<u64>,
    /// How far each image lies from its tile, where that is the same for all.
    pub offset: Option<i32>,
}

/// Rays from every tile along some directions, as masks with the order of their tiles.
#[derive(Clone, Debug)]
pub struct Slide {
    /// By direction.
    pub rays: Vec<Rays>,
    /// The same for a set of one word where every ray ascends or descends: a ray of each sort
    /// together, the descending one first, by tile. Either may be empty.
    pub(crate) pairs: Vec<[u64; 2]>,
    /// How many pairs a tile has.
    pub(crate) pair_count: usize,
}

/// The rays of one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rays {
    /// By tile, then word.
    pub masks: Vec<u64>,
    /// Whether tiles along every ray ascend or descend.
    pub order: RayOrder,
    /// The tiles of each ray in order, where they neither ascend nor descend.
    pub tiles: Vec<Vec<u16>>,
}

/// How the tiles of rays follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayOrder {
    /// Each is higher than the one before.
    Ascending,
    /// Each is lower.
    Descending,
    /// Neither.
    Mixed,
}

/// The steps that connect tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// One for each direction.
    pub maps: Vec<MapId>,
    /// Whether steps must be followed backwards too because no other step leads back.
    pub both: bool,
}

/// Where dice lead.
#[derive(Clone, Debug)]
pub struct Track {
    /// By tile, then number from 1.
    pub targets: Vec<u16>,
    /// The greatest number of any die.
    pub sides: usize,
}

impl Track {
    /// Where a number leads from a tile.
    #[inline(always)]
    pub fn target(&self, from: usize, pips: i64) -> Option<usize> {
        let pips = usize::try_from(pips).ok().filter(|pips| (1..=self.sides).contains(pips))?;
        let target = self.targets[from * self.sides + pips - 1];
        (target != u16::MAX).then_some(target.into())
    }
}

/// All that is lowered of a game: functions and the tables they use.
#[derive(Debug, Default)]
pub struct Code {
    /// How many words a set has.
    pub width: usize,
    /// How many tiles the board has.
    pub tiles: usize,
    /// By constant, then word.
    pub constants: Vec<u64>,
    /// Partial maps.
    pub maps: Vec<Map>,
    /// By tile, then word.
    pub rows: Vec<Vec<u64>>,
    /// Rays.
    pub slides: Vec<Slide>,
    /// Connections.
    pub links: Vec<Links>,
    /// Ways of dice.
    pub tracks: Vec<Track>,
    /// By line, then word.
    pub lines: Vec<Vec<u64>>,
    /// All functions.
    pub functions: Vec<Function>,
    /// For each rule what an event of it chooses from.
    pub choices: Vec<Vec<KindId>>,
}

impl Code {
    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }
}

/// Visits every operation of a block, those of blocks inside it included.
pub fn visit(block: &[Op], sink: &mut dyn FnMut(&Op)) {
    for op in block {
        sink(op);
        match op {
            Op::If(_, yes, no) => {
                visit(yes, sink);
                visit(no, sink);
            }
            Op::ForTiles(_, _, body) | Op::ForGroups { body, .. } | Op::Repeat(_, body) => {
                visit(body, sink);
            }
            _ => {}
        }
    }
}
