//! The interpreter: runs functions of the intermediate representation on a state.

mod edit;
mod emit;
mod flow;
mod geometry;
mod number;
mod set;

use crate::bitboard::{self as bits, Bits};
use crate::draft::Draft;
use crate::event::Event;
use crate::game::Game;
use crate::id::{PlayerId, RuleId, TileId};
use crate::ir::{
    ANSWER, CHOICE, FOUND, FROM, Function, FunctionId, NO_TILE, NumReg, Op, PIPS, SetReg, TO,
};
use crate::state::State;
use crate::tile_set::TileSet;

/// The tiles and choices of the event that code is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    pub(crate) from: i64,
    pub(crate) to: i64,
    pub(crate) choice: i64,
    pub(crate) pips: i64,
}

impl Proposal {
    /// No event.
    pub(crate) const NONE: Proposal =
        Proposal { from: NO_TILE, to: NO_TILE, choice: NO_TILE, pips: 0 };

    pub(crate) fn of(event: Event) -> Proposal {
        let tile = |tile: TileId| tile.index() as i64;
        match event {
            Event::Move { from, to, choice } => Proposal {
                from: tile(from),
                to: tile(to),
                choice: choice.map_or(NO_TILE, |kind| kind.index() as i64),
                pips: 0,
            },
            Event::Advance { from, to, pips } => {
                Proposal { from: tile(from), to: tile(to), pips: pips.into(), ..Proposal::NONE }
            }
            Event::Put { kind, to } => {
                Proposal { to: tile(to), choice: kind.index() as i64, ..Proposal::NONE }
            }
            Event::Roll(outcome) => Proposal { choice: outcome.index() as i64, ..Proposal::NONE },
            Event::Act(_) => Proposal::NONE,
            Event::Pick { to, .. } => Proposal { to: tile(to), ..Proposal::NONE },
        }
    }
}

/// An event with the rule that accepts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) event: Event,
    pub(crate) rule: RuleId,
}

/// What becomes of the moves that code finds.
pub(crate) enum Output {
    /// They are counted.
    Count(u64),
    /// The first one ends the search.
    Exists(bool),
    /// They are listed: rule by rule, by source, then target, then choice.
    List(Vec<Found>),
}

/// The state that code runs on.
pub(crate) enum Store<'a, 'g> {
    Read(&'a State),
    Edit(&'a mut Draft<'g>),
}

impl Store<'_, '_> {
    #[inline(always)]
    fn state(&self) -> &State {
        match self {
            Store::Read(state) => state,
            Store::Edit(draft) => &draft.state,
        }
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        self.state().words()
    }
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// The innermost loop is left.
    Break,
    /// Nothing more needs to be found.
    Stop,
}

/// The memory of a machine.
#[derive(Default)]
pub(crate) struct Room<const W: usize> {
    sets: Vec<Bits<W>>,
    numbers: Vec<i64>,
    /// Sets kept for tiles.
    kept: Vec<Bits<W>>,
    /// States for trials, kept so that none is made anew.
    spare: Vec<State>,
    /// The hashes of the positions before the one asked about.
    past: Vec<u64>,
}

/// Registers and what is kept between operations.
pub(crate) struct Machine<'g, const W: usize> {
    game: &'g Game,
    sets: Vec<Bits<W>>,
    numbers: Vec<i64>,
    /// Where the registers of the running function begin.
    set_base: usize,
    number_base: usize,
    /// How many registers the running function has.
    set_count: usize,
    number_count: usize,
    /// Sets kept for tiles.
    kept: Vec<Bits<W>>,
    pub(crate) output: Output,
    rule: RuleId,
    /// Where the events of the running rule begin in a list, and whether they are out of order.
    rule_start: usize,
    unordered: bool,
    /// States for trials, kept so that none is made anew.
    spare: Vec<State>,
    /// Whether it counts as true, where a rule asks, that a player is stuck.
    pub(crate) assume_stuck: bool,
    /// The hashes of the positions before the one asked about.
    pub(crate) past: Vec<u64>,
}

impl<'g, const W: usize> Machine<'g, W> {
    /// A machine in a room, whatever it holds.
    #[inline(always)]
    pub(crate) fn new(game: &'g Game, room: Room<W>) -> Self {
        let Room { sets, numbers, mut kept, spare, mut past } = room;
        kept.resize(game.tile_count(), [0; W]);
        past.clear();
        Machine {
            game,
            sets,
            numbers,
            set_base: 0,
            number_base: 0,
            set_count: 0,
            number_count: 0,
            kept,
            output: Output::Exists(false),
            rule: RuleId(0),
            rule_start: 0,
            unordered: false,
            spare,
            assume_stuck: false,
            past,
        }
    }

    /// Its memory, for another machine. This one is not used any more.
    #[inline(always)]
    pub(crate) fn take_room(&mut self) -> Room<W> {
        Room {
            sets: std::mem::take(&mut self.sets),
            numbers: std::mem::take(&mut self.numbers),
            kept: std::mem::take(&mut self.kept),
            spare: std::mem::take(&mut self.spare),
            past: std::mem::take(&mut self.past),
        }
    }

    /// Runs a function, with fresh registers above those in use.
    fn call(&mut self, function: &Function, proposal: Proposal, store: &mut Store<'_, 'g>) -> Flow {
        let saved = (self.set_base, self.number_base, self.set_count, self.number_count);
        self.set_base += self.set_count;
        self.number_base += self.number_count;
        self.set_count = function.sets.into();
        self.number_count = function.numbers.into();
        let sets = self.set_base + self.set_count + 1;
        if self.sets.len() < sets {
            self.sets.resize(sets, [0; W]);
        }
        let numbers = self.number_base + self.number_count + usize::from(ANSWER.0) + 1;
        if self.numbers.len() < numbers {
            self.numbers.resize(numbers, 0);
        }
        self.set_number(FROM, proposal.from);
        self.set_number(TO, proposal.to);
        self.set_number(CHOICE, proposal.choice);
        self.set_number(PIPS, proposal.pips);
        let flow = self.block(&function.body, store);
        if flow != Flow::Stop {
            self.finish_rule();
        }
        (self.set_base, self.number_base, self.set_count, self.number_count) = saved;
        flow
    }

    /// The answer of a function that answers a question.
    pub(crate) fn answer(&mut self, function: &Function, proposal: Proposal, state: &State) -> i64 {
        let (base, count) = (self.number_base, self.number_count);
        self.call(function, proposal, &mut Store::Read(state));
        self.numbers[base + count + usize::from(ANSWER.0)]
    }

    /// The set that a function finds.
    pub(crate) fn find(
        &mut self,
        function: &Function,
        proposal: Proposal,
        state: &State,
    ) -> TileSet {
        let (base, count) = (self.set_base, self.set_count);
        self.call(function, proposal, &mut Store::Read(state));
        TileSet::from_words(&self.sets[base + count + usize::from(FOUND.0)])
    }

    /// The same into a register, for code that may have found events of its own.
    fn find_into(&mut self, to: SetReg, function: FunctionId, store: &Store<'_, 'g>) {
        let (base, count) = (self.set_base, self.set_count);
        let rule = (self.rule, self.rule_start, self.unordered);
        self.unordered = false;
        let function = self.game.code.function(function);
        self.call(function, Proposal::NONE, &mut Store::Read(store.state()));
        (self.rule, self.rule_start, self.unordered) = rule;
        let found = self.sets[base + count + usize::from(FOUND.0)];
        self.put(to, found);
    }

    /// Runs a function that finds moves.
    pub(crate) fn generate(&mut self, function: &Function, state: &State) {
        self.call(function, Proposal::NONE, &mut Store::Read(state));
    }

    /// Runs a function that changes a state.
    pub(crate) fn make(&mut self, function: &Function, proposal: Proposal, draft: &mut Draft<'g>) {
        self.call(function, proposal, &mut Store::Edit(draft));
    }

    #[inline(always)]
    fn set(&self, register: SetReg) -> &Bits<W> {
        &self.sets[self.set_base + usize::from(register.0)]
    }

    #[inline(always)]
    fn put(&mut self, register: SetReg, set: Bits<W>) {
        self.sets[self.set_base + usize::from(register.0)] = set;
    }

    #[inline(always)]
    fn number(&self, register: NumReg) -> i64 {
        self.numbers[self.number_base + usize::from(register.0)]
    }

    #[inline(always)]
    fn set_number(&mut self, register: NumReg, number: i64) {
        self.numbers[self.number_base + usize::from(register.0)] = number;
    }

    /// Puts a tile, or none, into a register.
    #[inline(always)]
    fn set_tile(&mut self, register: NumReg, tile: Option<usize>) {
        self.set_number(register, tile.map_or(NO_TILE, |tile| tile as i64));
    }

    /// The tile in a register.
    #[inline(always)]
    fn tile(&self, register: NumReg) -> Option<usize> {
        usize::try_from(self.number(register)).ok()
    }

    /// Runs operations one after another, until one ends the block.
    fn block(&mut self, ops: &[Op], store: &mut Store<'_, 'g>) -> Flow {
        for op in ops {
            match self.op(op, store) {
                Flow::Next => {}
                flow => return flow,
            }
        }
        Flow::Next
    }

    /// Runs one operation. This is the only dispatch: what an arm calls is inlined unless it is rare.
    #[inline(always)]
    fn op(&mut self, op: &Op, store: &mut Store<'_, 'g>) -> Flow {
        match *op {
            Op::Constant(to, id) => self.put(to, self.constant(id)),
            Op::Plane(to, first) => self.put(to, Self::plane(first, store)),
            Op::Copy(to, from) => self.put(to, *self.set(from)),
            Op::And(to, a, b) => self.put(to, bits::and(self.set(a), self.set(b))),
            Op::Or(to, a, b) => self.put(to, bits::or(self.set(a), self.set(b))),
            Op::AndNot(to, a, b) => self.put(to, bits::and_not(self.set(a), self.set(b))),
            Op::Image(to, from, map) => self.put(to, self.image(from, map)),
            Op::Preimage(to, of, map) => self.put(to, self.preimage(of, map)),
            Op::Images { to, from, over, map } => self.put(to, self.images(from, over, map)),
            Op::Single(to, tile) => self.put(to, self.single(tile)),
            Op::Row(to, rows, tile) => self.put(to, self.row_of(rows, tile)),
            Op::Slide(to, slide, tile, stops) => self.put(to, self.slide(slide, tile, stops)),
            Op::Between(to, slide, one, other) => self.put(to, self.between(slide, one, other)),
            Op::Span(to, one, other) => self.put(to, self.span(one, other)),
            Op::Flood { to, from, over, links } => self.put(to, self.flood(from, over, links)),
            Op::Stacked { to, players, least } => self.put(to, self.stacked(players, least, store)),
            Op::Lines(to, lines, of) => self.put(to, self.lines(lines, of)),
            Op::Travel { to, way, from, through: past } => {
                self.put(to, self.travel(way, from, past, store));
            }
            Op::Load(to, tile) => self.put(to, self.load(tile)),
            Op::Store(tile, set) => self.keep(tile, set),
            Op::Number(to, number) => self.set_number(to, number),
            Op::Move(to, from) => self.set_number(to, self.number(from)),
            Op::Count(to, set) => self.set_number(to, bits::count(self.set(set)).into()),
            Op::First(to, set) => self.set_tile(to, bits::lowest(self.set(set))),
            Op::Only(to, set) => self.set_tile(to, self.only(set)),
            Op::Has(to, set, tile) => self.set_number(to, self.has(set, tile).into()),
            Op::Any(to, set) => self.set_number(to, (!bits::is_empty(self.set(set))).into()),
            Op::HasLine(to, lines, of) => self.set_number(to, self.has_line(lines, of).into()),
            Op::Step(to, map, tile) => self.set_tile(to, self.step(map, tile)),
            Op::FirstAlong(to, ray, tile, set) => {
                self.set_tile(to, self.first_along(ray, tile, set));
            }
            Op::Track { to, track, pips, from } => self.set_tile(to, self.track(track, pips, from)),
            Op::Field(to, field, least) => self.set_number(to, Self::field(field, least, store)),
            Op::Pieces { to, on, players, kind } => {
                self.set_number(to, self.pieces(on, players, kind, store.state()));
            }
            Op::Groups(to, of, links) => self.set_number(to, self.groups(of, links)),
            Op::Arithmetic(to, what, a, b) => self.set_number(to, self.arithmetic(what, a, b)),
            Op::Compare(to, is, a, b) => self.set_number(to, self.compare(is, a, b)),
            Op::Not(to, from) => self.set_number(to, (self.number(from) == 0).into()),
            Op::Stuck(to) => self.set_number(to, self.is_stuck(store).into()),
            Op::Repeats(to, times) => self.set_number(to, self.repeats(times, store).into()),
            Op::StuckInRule(to) => self.set_number(to, self.is_stuck_in_rule(store).into()),
            Op::MovingKind { to, player, rule, from } => {
                self.set_number(to, self.moving_kind(player, rule, from, store));
            }
            Op::Custom { to, tiles, custom: by } => {
                self.set_number(to, self.custom(tiles, by, store));
            }
            Op::Call(to, function) => self.find_into(to, function, store),
            Op::Trial { to, make, check } => self.try_out(to, make, check, store),
            Op::If(truth, ref yes, ref no) => return self.branch(truth, yes, no, store),
            Op::ForTiles(set, tile, ref body) => return self.for_tiles(set, tile, body, store),
            Op::ForGroups { of, links, group, ref body } => {
                return self.for_groups((of, links), group, body, store);
            }
            Op::Repeat(times, ref body) => return self.repeat(times, body, store),
            Op::Break => return Flow::Break,
            Op::Rare => {}
            Op::Rule(rule, ordered) => self.start_rule(rule, ordered),
            Op::Edit(ref edit) => self.edit_store(edit, store),
            ref emission => return self.emit_op(emission),
        }
        Flow::Next
    }

    /// Runs an operation that finds events.
    #[inline(always)]
    fn emit_op(&mut self, op: &Op) -> Flow {
        match *op {
            Op::EmitFrom(from, targets) => self.emit_from(from, targets),
            Op::EmitImages(map, targets) => self.emit_images(map, targets),
            Op::EmitEvent => self.emit_event(),
            Op::EmitDie { from, to, pips } => self.emit_die(from, to, pips),
            Op::EmitDice { from, onto, track, ref dice } => {
                self.emit_dice((from, onto), track, dice)
            }
            Op::EmitPut(kind, targets) => self.emit_put(kind, targets),
            Op::EmitPick(action, targets) => self.emit_pick(action, targets),
            _ => Flow::Next,
        }
    }
}

/// The players of a mask.
fn of_players(game: &Game, mask: u64) -> impl Iterator<Item = PlayerId> + use<> {
    game.players().filter(move |player| mask >> player.index() & 1 == 1)
}
