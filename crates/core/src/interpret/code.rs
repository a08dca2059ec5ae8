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
#[repr(align(16))]
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
    UnlessCount(Comparison, SetReg, NumReg, Label),
    /// Keeps a row within a set, and jumps where that is nothing.
    UnlessRowAnd(SetReg, RowsId, NumReg, SetReg, Label),
    /// Keeps what two sets have in common, and jumps where that is nothing.
    UnlessCommon(SetReg, SetReg, SetReg, Label),
    /// Takes the lowest tile out of a set, or jumps where there is none.
    Next(SetReg, NumReg, Label),
    /// The same of a copy of another set.
    NextOf(SetReg, SetReg, NumReg, Label),
    /// Takes the lowest tile out of a set and jumps, or goes on where there is none.
    Again(SetReg, NumReg, Label),
    /// Takes the first group out of a set, or jumps where there is none.
    NextGroup(SetReg, LinksId, SetReg, Label),
    /// Counts down, or jumps where nothing is left.
    Countdown(NumReg, Label),

    Rule(RuleId, bool),
    EmitFrom(NumReg, SetReg),
    EmitImages(MapId, SetReg),
    EmitEvent,
    EmitDie(NumReg, NumReg, NumReg),
    /// The operation says more than an instruction holds.
    EmitDice(u32),
    EmitPut(KindId, SetReg),
    EmitPick(ActionId, SetReg),

    /// Counts the tiles of a set, each a number of times.
    Tally(SetReg, u16),
    /// The same of what two sets have in common.
    TallyAnd(SetReg, SetReg, u16),
    /// The same of an image within a set.
    TallyImageAnd(SetReg, MapId, SetReg, u16),
    /// The same of a set, or of what two have in common, unless a tile is none.
    TallyFrom(NumReg, SetReg, u16),
    TallyFromAnd(NumReg, SetReg, SetReg, u16),
    /// The same for the rows of all tiles that the first two sets have in common, within another.
    TallyRows(SetReg, SetReg, RowsId, SetReg, u16),
    TallySlides(SetReg, SetReg, SlideId, SetReg, SetReg, u16),
    /// Adds the rows of all tiles of a set to another.
    RowsOr(SetReg, RowsId, SetReg),
    SlidesOr(SetReg, SlideId, SetReg, SetReg),
    /// The same of a row within a set.
    RowRowsOr(SetReg, RowsId, RowsId, NumReg, SetReg),
    RowSlidesOr(SetReg, SlideId, RowsId, NumReg, SetReg, SetReg),
}

/// Instructions are read one by one at every step, so they stay small.
const _: () = assert!(size_of::<Inst>() <= 16);

/// The registers of an instruction: those that it writes, whatever they held, and others.
pub(super) struct Names<'i> {
    pub(super) to: Option<&'i mut SetReg>,
    pub(super) takes: Vec<&'i mut SetReg>,
    pub(super) number: Option<&'i mut NumReg>,
    pub(super) asks: Vec<&'i mut NumReg>,
}

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
            | Inst::UnlessCount(_, _, _, label)
            | Inst::UnlessRowAnd(_, _, _, _, label)
            | Inst::Next(_, _, label)
            | Inst::NextOf(_, _, _, label)
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
            Inst::TallyFrom(from, set, times) if set == t => Inst::TallyFromAnd(from, x, y, times),
            Inst::Tally(set, times) if set == t => Inst::TallyAnd(x, y, times),
            Inst::TallyRows(a, b, rows, within, times) if a == t && b == t => {
                Inst::TallyRows(x, y, rows, within, times)
            }
            Inst::TallySlides(a, b, slide, stops, within, times) if a == t && b == t => {
                Inst::TallySlides(x, y, slide, stops, within, times)
            }
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

    /// Whether it copies one register to another.
    pub(super) fn copies(&self, to: SetReg, from: SetReg) -> bool {
        matches!(*self, Inst::Copy(a, b) if (a, b) == (to, from))
    }

    /// The registers that it names.
    pub(super) fn names(&mut self) -> Names<'_> {
        let (to, takes, number, asks) = match self {
            Inst::Plane(to, _) | Inst::Call(to, _) => (Some(to), vec![], None, vec![]),
            Inst::Copy(to, a) | Inst::Image(to, a, _) | Inst::Preimage(to, a, _) => {
                (Some(to), vec![a], None, vec![])
            }
            Inst::And(to, a, b)
            | Inst::Or(to, a, b)
            | Inst::AndNot(to, a, b)
            | Inst::ImageAnd(to, a, _, b)
            | Inst::ImageOr(to, a, _, b)
            | Inst::UnlessCommon(to, a, b, _) => (Some(to), vec![a, b], None, vec![]),
            Inst::AndAnd(to, a, b, c)
            | Inst::AndAndNot(to, a, b, c)
            | Inst::AndNotNot(to, a, b, c)
            | Inst::AndOr(to, a, b, c)
            | Inst::AndNotOr(to, a, b, c)
            | Inst::OrOr(to, a, b, c)
            | Inst::OrAnd(to, a, b, c)
            | Inst::OrAndNot(to, a, b, c) => (Some(to), vec![a, b, c], None, vec![]),
            Inst::Single(to, n) | Inst::Row(to, _, n) | Inst::Load(to, n) => {
                (Some(to), vec![], None, vec![n])
            }
            Inst::SingleOr(to, n, a)
            | Inst::RowAnd(to, _, n, a)
            | Inst::RowOr(to, _, n, a)
            | Inst::Slide(to, _, n, a)
            | Inst::UnlessRowAnd(to, _, n, a, _)
            | Inst::LoadAnd(to, n, a) => (Some(to), vec![a], None, vec![n]),
            Inst::RowAndOr(to, _, n, a, b)
            | Inst::SlideAnd(to, _, n, a, b)
            | Inst::SlideOr(to, _, n, a, b) => (Some(to), vec![a, b], None, vec![n]),
            Inst::Between(to, _, n, m) => (Some(to), vec![], None, vec![n, m]),
            Inst::NextOf(rest, a, to, _) => (Some(rest), vec![a], Some(to), vec![]),
            Inst::NextGroup(rest, _, to, _) => (Some(to), vec![rest], None, vec![]),
            Inst::Count(to, a) | Inst::First(to, a) | Inst::Only(to, a) | Inst::Any(to, a) => {
                (None, vec![a], Some(to), vec![])
            }
            Inst::Has(to, a, n) | Inst::FirstAlong(to, _, n, a) => {
                (None, vec![a], Some(to), vec![n])
            }
            Inst::Next(a, to, _) | Inst::Again(a, to, _) => (None, vec![a], Some(to), vec![]),
            Inst::Move(to, n) | Inst::Step(to, _, n) | Inst::Field(to, _, n) | Inst::Not(to, n) => {
                (None, vec![], Some(to), vec![n])
            }
            Inst::Track(to, _, n, m)
            | Inst::Arithmetic(to, _, n, m)
            | Inst::Compare(to, _, n, m) => (None, vec![], Some(to), vec![n, m]),
            Inst::Stuck(to)
            | Inst::StuckInRule(to)
            | Inst::Repeats(to, _)
            | Inst::Trial(to, ..) => (None, vec![], Some(to), vec![]),
            inst => return inst.names_read(),
        };
        Names { to, takes, number, asks }
    }

    /// The same of instructions that leave nothing in a register of its own.
    fn names_read(&mut self) -> Names<'_> {
        let (takes, asks) = match self {
            Inst::Store(n, a)
            | Inst::EmitFrom(n, a)
            | Inst::TallyFrom(n, a, _)
            | Inst::UnlessHas(a, n, _) => (vec![a], vec![n]),
            Inst::TallyFromAnd(n, a, b, _) => (vec![a, b], vec![n]),
            Inst::Unless(n, _) | Inst::UnlessNot(n, _) | Inst::Countdown(n, _) => (vec![], vec![n]),
            Inst::UnlessCompare(_, n, m, _) => (vec![], vec![n, m]),
            Inst::UnlessAny(a, _)
            | Inst::EmitImages(_, a)
            | Inst::EmitPut(_, a)
            | Inst::EmitPick(_, a)
            | Inst::Tally(a, _) => (vec![a], vec![]),
            Inst::TallyAnd(a, b, _) | Inst::TallyImageAnd(a, _, b, _) | Inst::RowsOr(a, _, b) => {
                (vec![a, b], vec![])
            }
            Inst::TallyRows(a, b, _, c, _) | Inst::SlidesOr(a, _, b, c) => (vec![a, b, c], vec![]),
            Inst::TallySlides(a, b, _, c, d, _) => (vec![a, b, c, d], vec![]),
            Inst::RowRowsOr(a, _, _, n, b) => (vec![a, b], vec![n]),
            Inst::RowSlidesOr(a, _, _, n, b, c) => (vec![a, b, c], vec![n]),
            Inst::UnlessCount(_, a, n, _) => (vec![a], vec![n]),
            Inst::EmitDie(n, m, o) => (vec![], vec![n, m, o]),
            _ => (vec![], vec![]),
        };
        Names { to: None, takes, number: None, asks }
    }

    /// The set that it writes.
    pub(super) fn set(&mut self) -> Option<&mut SetReg> {
        self.names().to
    }

    /// The number that it writes.
    pub(super) fn number(mut self) -> Option<NumReg> {
        self.names().number.copied()
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

    /// This instruction for each tile of a set, where it is all that a loop does.
    pub(super) fn for_each(
        code: &[Inst],
        all: SetReg,
        tile: NumReg,
        once: impl Fn(SetReg) -> bool,
    ) -> Option<Inst> {
        Some(match *code {
            [Inst::RowOr(to, rows, of, set)] if of == tile && to == set && to != all => {
                Inst::RowsOr(to, rows, all)
            }
            [Inst::SlideOr(to, slide, of, stops, set)]
                if of == tile && to == set && to != all && to != stops =>
            {
                Inst::SlidesOr(to, slide, all, stops)
            }
            [Inst::RowAnd(t, rows, of, within), Inst::TallyFrom(from, set, times)]
                if of == tile && from == tile && set == t && once(t) =>
            {
                Inst::TallyRows(all, all, rows, within, times)
            }
            [Inst::SlideAnd(t, slide, of, stops, within), Inst::TallyFrom(from, set, times)]
                if of == tile && from == tile && set == t && once(t) =>
            {
                Inst::TallySlides(all, all, slide, stops, within, times)
            }
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
