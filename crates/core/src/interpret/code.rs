//! Flat code: what the interpreter runs.
//!
//! Each function of the intermediate representation is written out once, when it is first run:
//! blocks one after another with jumps between them, constants and planes of the state in registers
//! of their own, and operations that often follow each other as one instruction.

use crate::id::{ActionId, KindId, RuleId};
use crate::ir::{
    Arithmetic, ConstId, FunctionId, LinksId, MapId, NumReg, Op, RowsId, SetReg, SlideId, TrackId,
};
use crate::layout::Field;
use crate::written::Comparison;

/// A place in flat code.
pub(super) type Label = u32;

/// One instruction. The first register is the one it writes; operations of the same name in
/// [`Op`] say what it does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inst {
    Plane(SetReg, u16),
    Copy(SetReg, SetReg),
    And(SetReg, SetReg, SetReg),
    Or(SetReg, SetReg, SetReg),
    AndNot(SetReg, SetReg, SetReg),
    /// `a & b & c`
    AndAnd(SetReg, SetReg, SetReg, SetReg),
    /// `a & b & !c`
    AndAndNot(SetReg, SetReg, SetReg, SetReg),
    /// `a & !b & !c`
    AndNotNot(SetReg, SetReg, SetReg, SetReg),
    /// `a & b | c`
    AndOr(SetReg, SetReg, SetReg, SetReg),
    /// `a & !b | c`
    AndNotOr(SetReg, SetReg, SetReg, SetReg),
    /// `a | b | c`
    OrOr(SetReg, SetReg, SetReg, SetReg),
    /// `(a | b) & c`
    OrAnd(SetReg, SetReg, SetReg, SetReg),
    /// `(a | b) & !c`
    OrAndNot(SetReg, SetReg, SetReg, SetReg),
    Image(SetReg, SetReg, MapId),
    ImageAnd(SetReg, SetReg, MapId, SetReg),
    ImageOr(SetReg, SetReg, MapId, SetReg),
    Preimage(SetReg, SetReg, MapId),
    Single(SetReg, NumReg),
    SingleOr(SetReg, NumReg, SetReg),
    Row(SetReg, RowsId, NumReg),
    RowAnd(SetReg, RowsId, NumReg, SetReg),
    RowOr(SetReg, RowsId, NumReg, SetReg),
    /// A row within a set, and another set.
    RowAndOr(SetReg, RowsId, NumReg, SetReg, SetReg),
    Slide(SetReg, SlideId, NumReg, SetReg),
    SlideAnd(SetReg, SlideId, NumReg, SetReg, SetReg),
    SlideOr(SetReg, SlideId, NumReg, SetReg, SetReg),
    Between(SetReg, SlideId, NumReg, NumReg),
    Load(SetReg, NumReg),
    LoadAnd(SetReg, NumReg, SetReg),
    Store(NumReg, SetReg),
    Call(SetReg, FunctionId),

    Move(NumReg, NumReg),
    Count(NumReg, SetReg),
    First(NumReg, SetReg),
    Only(NumReg, SetReg),
    Has(NumReg, SetReg, NumReg),
    Any(NumReg, SetReg),
    Step(NumReg, MapId, NumReg),
    FirstAlong(NumReg, SlideId, NumReg, SetReg),
    Track(NumReg, TrackId, NumReg, NumReg),
    /// A field of the state, plus the number in a register.
    Field(NumReg, Field, NumReg),
    Arithmetic(NumReg, Arithmetic, NumReg, NumReg),
    Compare(NumReg, Comparison, NumReg, NumReg),
    Not(NumReg, NumReg),
    Stuck(NumReg),
    StuckInRule(NumReg),
    Repeats(NumReg, u16),
    Trial(NumReg, FunctionId, FunctionId),
    /// An operation that says more than an instruction holds.
    Other(u32),

    Jump(Label),
    /// Jumps where a truth does not hold.
    Unless(NumReg, Label),
    UnlessNot(NumReg, Label),
    UnlessCompare(Comparison, NumReg, NumReg, Label),
    UnlessAny(SetReg, Label),
    UnlessHas(SetReg, NumReg, Label),
    /// Keeps what two sets have in common, and jumps where that is nothing.
    UnlessCommon(SetReg, SetReg, SetReg, Label),
    /// Takes the lowest tile out of a set, or jumps where there is none.
    Next(SetReg, NumReg, Label),
    /// Takes the lowest tile out of a set and jumps, or goes on where there is none.
    Again(SetReg, NumReg, Label),
    /// Takes the first group out of a set, or jumps where there is none.
    NextGroup(SetReg, LinksId, SetReg, Label),
    /// Counts down, or jumps where nothing is left.
    Countdown(NumReg, Label),

    Rule(RuleId, bool),
    EmitFrom(NumReg, SetReg),
    /// The targets are what two sets have in common.
    EmitFromAnd(NumReg, SetReg, SetReg),
    EmitImages(MapId, SetReg),
    /// The targets are those of an image that lie in a set.
    EmitImageAnd(MapId, SetReg, MapId, SetReg),
    EmitEvent,
    EmitDie(NumReg, NumReg, NumReg),
    /// The operation says more than an instruction holds.
    EmitDice(u32),
    EmitPut(KindId, SetReg),
    EmitPick(ActionId, SetReg),
}

/// Instructions are read one by one at every step, so they stay small.
const _: () = assert!(size_of::<Inst>() <= 16);

/// A function as the interpreter runs it.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    pub(super) code: Vec<Inst>,
    /// Operations that say more than an instruction holds, their registers named as in `code`.
    pub(super) others: Vec<Op>,
    /// How many registers it has.
    pub(super) sets: u16,
    pub(super) numbers: u16,
    /// Registers that hold the same at every run.
    pub(super) constants: Vec<(SetReg, ConstId)>,
    pub(super) values: Vec<(NumReg, i64)>,
    /// Registers that hold planes of the state, by their first word.
    pub(super) planes: Vec<(SetReg, u16)>,
    /// Whether it keeps sets for tiles.
    pub(super) keeps: bool,
}

impl Inst {
    /// Where it may jump to.
    pub(super) fn target(&mut self) -> Option<&mut Label> {
        match self {
            Inst::Jump(label)
            | Inst::Unless(_, label)
            | Inst::UnlessNot(_, label)
            | Inst::UnlessCompare(_, _, _, label)
            | Inst::UnlessAny(_, label)
            | Inst::UnlessHas(_, _, label)
            | Inst::UnlessCommon(_, _, _, label)
            | Inst::Next(_, _, label)
            | Inst::Again(_, _, label)
            | Inst::NextGroup(_, _, _, label)
            | Inst::Countdown(_, label) => Some(label),
            _ => None,
        }
    }

    /// This instruction where a register that it reads is `x & y`.
    pub(super) fn after_and(self, t: SetReg, x: SetReg, y: SetReg) -> Option<Inst> {
        Some(match self {
            Inst::And(to, a, b) => Inst::AndAnd(to, x, y, other(t, a, b)?),
            Inst::Or(to, a, b) => Inst::AndOr(to, x, y, other(t, a, b)?),
            Inst::AndNot(to, a, b) if a == t && b != t => Inst::AndAndNot(to, x, y, b),
            Inst::EmitFrom(from, targets) if targets == t => Inst::EmitFromAnd(from, x, y),
            _ => return None,
        })
    }

    /// This instruction where a register that it reads is `x | y`.
    pub(super) fn after_or(self, t: SetReg, x: SetReg, y: SetReg) -> Option<Inst> {
        Some(match self {
            Inst::And(to, a, b) => Inst::OrAnd(to, x, y, other(t, a, b)?),
            Inst::Or(to, a, b) => Inst::OrOr(to, x, y, other(t, a, b)?),
            Inst::AndNot(to, a, b) if a == t && b != t => Inst::OrAndNot(to, x, y, b),
            Inst::AndNot(to, a, b) if b == t && a != t => Inst::AndNotNot(to, a, x, y),
            _ => return None,
        })
    }

    /// This instruction where a register that it reads is `x & !y`.
    pub(super) fn after_and_not(self, t: SetReg, x: SetReg, y: SetReg) -> Option<Inst> {
        Some(match self {
            Inst::And(to, a, b) => Inst::AndAndNot(to, x, other(t, a, b)?, y),
            Inst::Or(to, a, b) => Inst::AndNotOr(to, x, y, other(t, a, b)?),
            Inst::AndNot(to, a, b) if a == t && b != t => Inst::AndNotNot(to, x, y, b),
            _ => return None,
        })
    }

    /// The set that it writes.
    pub(super) fn set(&mut self) -> Option<&mut SetReg> {
        match self {
            Inst::Plane(to, ..)
            | Inst::Copy(to, ..)
            | Inst::And(to, ..)
            | Inst::Or(to, ..)
            | Inst::AndNot(to, ..)
            | Inst::AndAnd(to, ..)
            | Inst::AndAndNot(to, ..)
            | Inst::AndNotNot(to, ..)
            | Inst::AndOr(to, ..)
            | Inst::AndNotOr(to, ..)
            | Inst::OrOr(to, ..)
            | Inst::OrAnd(to, ..)
            | Inst::OrAndNot(to, ..)
            | Inst::Image(to, ..)
            | Inst::ImageAnd(to, ..)
            | Inst::ImageOr(to, ..)
            | Inst::Preimage(to, ..)
            | Inst::Single(to, ..)
            | Inst::SingleOr(to, ..)
            | Inst::Row(to, ..)
            | Inst::RowAnd(to, ..)
            | Inst::RowOr(to, ..)
            | Inst::RowAndOr(to, ..)
            | Inst::Slide(to, ..)
            | Inst::SlideAnd(to, ..)
            | Inst::SlideOr(to, ..)
            | Inst::Between(to, ..)
            | Inst::Load(to, ..)
            | Inst::LoadAnd(to, ..)
            | Inst::Call(to, ..)
            | Inst::NextGroup(_, _, to, _) => Some(to),
            _ => None,
        }
    }

    /// The number that it writes, and does nothing else.
    pub(super) fn number(&self) -> Option<NumReg> {
        match *self {
            Inst::Move(to, ..)
            | Inst::Count(to, ..)
            | Inst::First(to, ..)
            | Inst::Only(to, ..)
            | Inst::Has(to, ..)
            | Inst::Any(to, ..)
            | Inst::Step(to, ..)
            | Inst::FirstAlong(to, ..)
            | Inst::Track(to, ..)
            | Inst::Field(to, ..)
            | Inst::Arithmetic(to, ..)
            | Inst::Compare(to, ..)
            | Inst::Not(to, ..)
            | Inst::Stuck(to)
            | Inst::StuckInRule(to)
            | Inst::Repeats(to, ..)
            | Inst::Trial(to, ..) => Some(to),
            _ => None,
        }
    }

    /// A lookup of which a set is left within another.
    pub(super) fn within(self, to: SetReg, set: SetReg) -> Option<Inst> {
        Some(match self {
            Inst::Image(_, from, map) => Inst::ImageAnd(to, from, map, set),
            Inst::Row(_, rows, tile) => Inst::RowAnd(to, rows, tile, set),
            Inst::Slide(_, slide, tile, stops) => Inst::SlideAnd(to, slide, tile, stops, set),
            Inst::Load(_, tile) => Inst::LoadAnd(to, tile, set),
            _ => return None,
        })
    }

    /// A lookup that is added to a set.
    pub(super) fn joined(self, to: SetReg, set: SetReg) -> Option<Inst> {
        Some(match self {
            Inst::Image(_, from, map) => Inst::ImageOr(to, from, map, set),
            Inst::Single(_, tile) => Inst::SingleOr(to, tile, set),
            Inst::Row(_, rows, tile) => Inst::RowOr(to, rows, tile, set),
            Inst::RowAnd(_, rows, tile, within) => Inst::RowAndOr(to, rows, tile, within, set),
            Inst::Slide(_, slide, tile, stops) => Inst::SlideOr(to, slide, tile, stops, set),
            _ => return None,
        })
    }
}

/// Of two registers of which one is known, the other.
pub(super) fn other(known: SetReg, a: SetReg, b: SetReg) -> Option<SetReg> {
    match (known == a, known == b) {
        (true, false) => Some(b),
        (false, true) => Some(a),
        _ => None,
    }
}
