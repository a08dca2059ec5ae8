//! What the rules of one player come to, in terms of what pieces can do.

use crate::bits::{Bits, ByTile};
use crate::game::Game;
use crate::id::{DirectionId, RuleId, TileId};

use super::super::link::Link;
use super::node::{CODES, Code};

/// So many ways of stepping are looked at, some of which may lead nowhere.
pub(super) const STEPS: usize = 4;

/// How a player moves and is attacked.
pub(super) struct Side<const W: usize> {
    /// By tile: where pieces that leap go, and where the royal goes.
    pub(super) leap: ByTile<Bits<W>, W>,
    pub(super) royal: ByTile<Bits<W>, W>,
    /// By tile: from where a foe attacks it who leaps, who steps, and who is royal.
    pub(super) from: [ByTile<Bits<W>, W>; 3],
    /// By tile: what a foe attacks from there who leaps, and who is royal.
    pub(super) onto: [ByTile<Bits<W>, W>; 2],
    /// What foes attack who step, all at once: from which tiles, and how their ids turn.
    pub(super) strikes: [(Bits<W>, u32); STEPS],
    pub(super) steps: [Step<W>; STEPS],
    /// What a piece that steps becomes where it must.
    pub(super) choices: Vec<Code>,
    pub(super) pass: Option<Pass<W>>,
    /// Rules that move the royal and another together, and what the other is.
    pub(super) links: Vec<(Link, Code)>,
    /// The tiles from which a line leads the royal, and those from which one leads another piece,
    /// to where each link takes it.
    pub(super) joined: (Bits<W>, Bits<W>),
    /// Whether the royal takes the lasting flag from its pieces when it moves.
    pub(super) sweeps: bool,
    /// The rules in the order in which they list.
    pub(super) entries: Vec<Entry>,
    /// Those of pieces that slide and leap, and those of pieces that step.
    pub(super) herds: Vec<Herd>,
    pub(super) treads: Vec<Tread<W>>,
    /// Which of them is the royal's.
    pub(super) royals: usize,
    /// The rules of pieces that do not step, by what they can do.
    pub(super) rules: RuleOf,
    /// Keys of the player's pieces by what they can do.
    pub(super) keys: ByCode<W>,
}

/// A rule, in terms of what pieces can do.
pub(super) struct Entry {
    pub(super) rule: RuleId,
    pub(super) what: What,
}

/// Pieces of a kind that slide and leap.
#[derive(Clone, Copy)]
pub(super) struct Herd {
    /// The number of their rule.
    pub(super) entry: usize,
    /// The word of a state where their plane begins.
    pub(super) plane: usize,
    pub(super) code: Code,
}

/// Pieces that step by some of the ways of stepping to some tiles.
#[derive(Clone, Copy)]
pub(super) struct Tread<const W: usize> {
    /// The number of their rule.
    pub(super) entry: usize,
    pub(super) strides: [Stride<W>; STRIDES],
    /// How many kinds each move is made for.
    pub(super) times: u32,
    /// Whether the piece that moves becomes another, be it of the only kind there is to choose.
    pub(super) becomes: bool,
}

/// One of the ways of stepping, by its number, and the tiles to which a rule leads by it.
pub(super) type Stride<const W: usize> = (u8, Bits<W>);

/// So many ways of stepping belong to a rule, some of which may lead nowhere.
pub(super) const STRIDES: usize = 2;

/// What a rule moves.
#[derive(Clone, Copy)]
pub(super) enum What {
    /// Pieces that slide and leap: the herd of this number.
    Herd(usize),
    /// Pieces that step: the tread of this number.
    Tread(usize),
    Royal,
    /// Pieces that step past one with the fleeting flag.
    Pass,
    /// The royal and another by a link of this number.
    Link(usize),
}

/// Keys by code and tile.
pub(super) struct ByCode<const W: usize>(pub(super) Box<[ByTile<u64, W>; CODES]>);

impl<const W: usize> std::ops::Index<Code> for ByCode<W> {
    type Output = ByTile<u64, W>;

    #[inline(always)]
    fn index(&self, code: Code) -> &ByTile<u64, W> {
        &self.0[usize::from(code.0) % CODES]
    }
}

/// Rules by code.
pub(super) struct RuleOf(pub(super) [Option<RuleId>; CODES]);

impl std::ops::Index<Code> for RuleOf {
    type Output = Option<RuleId>;

    #[inline(always)]
    fn index(&self, code: Code) -> &Option<RuleId> {
        &self.0[usize::from(code.0) % CODES]
    }
}

/// Keys that are the same for both players.
pub(super) struct Keys<const W: usize> {
    pub(super) turn: u64,
    pub(super) lasting: ByTile<u64, W>,
    pub(super) fleeting: ByTile<u64, W>,
}

/// A direction as a turn of the ids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Leg<const W: usize> {
    pub(super) turn: u32,
    /// The tiles that it leads to.
    pub(super) domain: Bits<W>,
}

/// A direction as a turn, if it is the same turn on every tile.
pub(super) fn leg<const W: usize>(game: &Game, direction: DirectionId) -> Option<Leg<W>> {
    let steps = || {
        let next = |from: TileId| Some((from, game.topology().next(from, direction)?));
        game.tiles().filter_map(next)
    };
    let whole = 64 * W as i64;
    let by = |(from, to): (TileId, TileId)| {
        (to.index() as i64 - from.index() as i64).rem_euclid(whole) as u32
    };
    let turn = steps().next().map_or(0, by);
    let domain = steps().fold(Bits::EMPTY, |all, (_, to)| all | Bits::of(to));
    steps().all(|step| by(step) == turn).then_some(Leg { turn, domain })
}

/// One way of stepping of all pieces that step, at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Step<const W: usize> {
    pub(super) source: Bits<W>,
    pub(super) legs: [Leg<W>; 2],
    /// Whether what stands between the legs stops it: everything or nothing.
    pub(super) guard: Bits<W>,
    /// Empty targets where it may end, and those held by a foe.
    pub(super) empty: Bits<W>,
    pub(super) foe: Bits<W>,
    /// Targets on which the piece becomes another.
    pub(super) choice: Bits<W>,
    /// Whether it sets the fleeting flag on its target.
    pub(super) sets: bool,
}

impl<const W: usize> Step<W> {
    /// A step that leads nowhere.
    pub(super) const NONE: Step<W> = Step {
        source: Bits::EMPTY,
        legs: [Leg { turn: 0, domain: Bits::EMPTY }; 2],
        guard: Bits::EMPTY,
        empty: Bits::EMPTY,
        foe: Bits::EMPTY,
        choice: Bits::EMPTY,
        sets: false,
    };

    /// Where pieces step to.
    #[inline(always)]
    pub(super) fn targets(&self, pieces: Bits<W>, occupied: Bits<W>, foe: Bits<W>) -> Bits<W> {
        let tiles = (pieces & self.source).turn(self.legs[0].turn) & self.legs[0].domain;
        let tiles = tiles.without(occupied & self.guard);
        let tiles = tiles.turn(self.legs[1].turn) & self.legs[1].domain;
        tiles & (self.empty.without(occupied) | self.foe & foe)
    }

    /// How ids turn from where it begins to where it ends.
    #[inline(always)]
    pub(super) fn turn(&self) -> u32 {
        (self.legs[0].turn + self.legs[1].turn) % (64 * W as u32)
    }

    /// Where a piece that stepped to a tile came from.
    #[inline(always)]
    pub(super) fn origin(&self, to: TileId) -> TileId {
        TileId::at((to.index() + 64 * W - self.turn() as usize) % (64 * W))
    }
}

/// Capturing a piece that carries the fleeting flag by stepping past it.
pub(super) struct Pass<const W: usize> {
    pub(super) legs: Vec<Leg<W>>,
    pub(super) source: Bits<W>,
    /// How ids turn from the piece that is captured to the target.
    pub(super) back: u32,
    pub(super) targets: Bits<W>,
}

impl<const W: usize> Pass<W> {
    /// Where a piece must stand to go to a target.
    #[inline(always)]
    pub(super) fn sources(&self, target: TileId) -> Bits<W> {
        let mut sources = Bits::EMPTY;
        for leg in &self.legs {
            sources |= (Bits::of(target) & leg.domain).turn(64 * W as u32 - leg.turn);
        }
        sources & self.source
    }

    /// The tile of the piece that is captured.
    #[inline(always)]
    pub(super) fn victim(&self, target: TileId) -> TileId {
        TileId::at((target.index() + 64 * W - self.back as usize) % (64 * W))
    }
}
