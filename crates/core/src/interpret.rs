//! The interpreter: runs functions of the intermediate representation on a state.
//!
//! A function is written out as flat code when it is first run (`flatten.rs`), and that code is what
//! runs (`run.rs`).

mod assign;
mod code;
mod edit;
mod emit;
mod flatten;
mod geometry;
mod number;
mod run;
mod set;
mod simplify;

use crate::bitboard::{self as bits, Bits};
use crate::draft::Draft;
use crate::event::Event;
use crate::game::Game;
use crate::id::{PlayerId, RuleId, TileId};
use crate::ir::{ANSWER, CHOICE, Code, FOUND, FROM, FunctionId, NO_TILE, NumReg, PIPS, SetReg, TO};
use crate::state::State;
use crate::tile_set::TileSet;

pub(crate) use code::Flat;
use flatten::{Purpose, flatten};

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

/// How many registers a bank has: few, as is enough for almost every function, or as many as can be
/// named. The number of a register is taken as one of the bank, so that no access needs a check.
const FEW: usize = 1 << 8;
const MANY: usize = 1 << 16;

/// The registers of a function and what it keeps for tiles.
struct Registers<const W: usize, const N: usize> {
    sets: Box<[Bits<W>; N]>,
    numbers: Box<[i64; N]>,
    kept: Vec<Bits<W>>,
}

/// The registers of any function.
enum AnyRegisters<const W: usize> {
    Few(Registers<W, FEW>),
    Many(Registers<W, MANY>),
}

impl<const W: usize> AnyRegisters<W> {
    fn new(flat: &Flat, code: &Code) -> Box<Self> {
        Box::new(match usize::from(flat.sets.max(flat.numbers)) {
            0..=FEW => AnyRegisters::Few(Registers::new(flat, code)),
            _ => AnyRegisters::Many(Registers::new(flat, code)),
        })
    }
}

impl<const W: usize, const N: usize> Registers<W, N> {
    /// Registers for a function, with its constants in them.
    fn new(flat: &Flat, code: &Code) -> Self {
        let mut sets = bank([0; W]);
        let constants = code.constants.as_chunks::<W>().0;
        for (register, id) in &flat.constants {
            sets[usize::from(register.0) % N] = constants[id.index()];
        }
        let mut numbers = bank(0);
        for (register, value) in &flat.values {
            numbers[usize::from(register.0) % N] = *value;
        }
        let kept = vec![[0; W]; if flat.keeps { code.tiles } else { 0 }];
        Registers { sets, numbers, kept }
    }
}

/// A bank of registers, made where it stays.
fn bank<T: Clone, const N: usize>(zero: T) -> Box<[T; N]> {
    let Ok(bank) = vec![zero; N].try_into() else { unreachable!("as long as it was made") };
    bank
}

/// The memory of a machine.
#[derive(Default)]
pub(crate) struct Room<const W: usize> {
    /// By function, where it has run and is not running.
    registers: Vec<Option<Box<AnyRegisters<W>>>>,
    /// States for trials, kept so that none is made anew.
    spare: Vec<State>,
    /// The hashes of the positions before the one asked about.
    past: Vec<u64>,
}

/// The rule whose events code finds.
#[derive(Clone, Copy)]
struct Running {
    rule: RuleId,
    /// Where its events begin in a list, and whether they are out of order.
    start: usize,
    unordered: bool,
}

impl Default for Running {
    fn default() -> Running {
        Running { rule: RuleId(0), start: 0, unordered: false }
    }
}

/// What is kept between functions.
pub(crate) struct Machine<'g, const W: usize> {
    game: &'g Game,
    registers: Vec<Option<Box<AnyRegisters<W>>>>,
    pub(crate) output: Output,
    running: Running,
    /// States for trials, kept so that none is made anew.
    spare: Vec<State>,
    /// Whether it counts as true, where a rule asks, that a player is stuck.
    pub(crate) assume_stuck: bool,
    /// The hashes of the positions before the one asked about.
    pub(crate) past: Vec<u64>,
}

/// The registers of the running function.
struct Frame<'r, 'g, const W: usize, const N: usize> {
    game: &'g Game,
    sets: &'r mut [Bits<W>; N],
    numbers: &'r mut [i64; N],
    kept: &'r mut [Bits<W>],
}

impl<'g, const W: usize> Machine<'g, W> {
    /// A machine in a room, whatever it holds.
    #[inline(always)]
    pub(crate) fn new(game: &'g Game, room: Room<W>) -> Self {
        let Room { mut registers, spare, mut past } = room;
        registers.resize_with(game.flat.len(), || None);
        past.clear();
        Machine {
            game,
            registers,
            output: Output::Exists(false),
            running: Running::default(),
            spare,
            assume_stuck: false,
            past,
        }
    }

    /// Its memory, for another machine. This one is not used any more.
    #[inline(always)]
    pub(crate) fn take_room(&mut self) -> Room<W> {
        Room {
            registers: std::mem::take(&mut self.registers),
            spare: std::mem::take(&mut self.spare),
            past: std::mem::take(&mut self.past),
        }
    }

    /// Runs a function and hands its registers to a reader.
    fn call<T>(
        &mut self,
        (id, purpose): (FunctionId, Purpose),
        proposal: Proposal,
        store: &mut Store<'_, 'g>,
        read: impl FnOnce(&[Bits<W>], &[i64]) -> T,
    ) -> T {
        let game = self.game;
        let at = id.index() * 2 + purpose as usize;
        let flat =
            game.flat[at].get_or_init(|| flatten(&game.code, game.code.function(id), purpose));
        let left = self.registers[at].take();
        let mut registers = left.unwrap_or_else(|| AnyRegisters::new(flat, &game.code));
        let answer = match &mut *registers {
            AnyRegisters::Few(registers) => self.call_in(flat, registers, proposal, store, read),
            AnyRegisters::Many(registers) => self.call_in(flat, registers, proposal, store, read),
        };
        self.registers[at] = Some(registers);
        answer
    }

    #[inline(always)]
    fn call_in<T, const N: usize>(
        &mut self,
        flat: &Flat,
        registers: &mut Registers<W, N>,
        proposal: Proposal,
        store: &mut Store<'_, 'g>,
        read: impl FnOnce(&[Bits<W>], &[i64]) -> T,
    ) -> T {
        let Registers { sets, numbers, kept } = registers;
        let mut frame = Frame { game: self.game, sets, numbers, kept };
        frame.set_number(FROM, proposal.from);
        frame.set_number(TO, proposal.to);
        frame.set_number(CHOICE, proposal.choice);
        frame.set_number(PIPS, proposal.pips);
        let words = store.words();
        for &(register, first) in &flat.planes {
            frame.put(register, plane(first, words));
        }
        if self.run(flat, frame, store) {
            self.finish_rule();
        }
        read(&sets[..], &numbers[..])
    }

    /// The answer of a function that answers a question.
    pub(crate) fn answer(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> i64 {
        let read = |_: &[Bits<W>], numbers: &[i64]| numbers[usize::from(ANSWER.0)];
        self.call((id, Purpose::Tell), proposal, &mut Store::Read(state), read)
    }

    /// The set that a function finds.
    pub(crate) fn find(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> TileSet {
        TileSet::from_words(&self.find_bits(id, proposal, state))
    }

    fn find_bits(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> Bits<W> {
        let read = |sets: &[Bits<W>], _: &[i64]| sets[usize::from(FOUND.0)];
        self.call((id, Purpose::Tell), proposal, &mut Store::Read(state), read)
    }

    /// The same for code that may have found events of its own.
    fn find_beside(&mut self, id: FunctionId, store: &Store<'_, 'g>) -> Bits<W> {
        let running = std::mem::take(&mut self.running);
        let found = self.find_bits(id, Proposal::NONE, store.state());
        self.running = running;
        found
    }

    /// How many moves a function finds.
    pub(crate) fn count(&mut self, id: FunctionId, state: &State) -> u64 {
        self.output = Output::Count(0);
        self.generate(id, state);
        match self.output {
            Output::Count(count) => count,
            _ => 0,
        }
    }

    /// Runs a function that finds moves.
    pub(crate) fn generate(&mut self, id: FunctionId, state: &State) {
        let purpose = match self.output {
            Output::Count(_) => Purpose::Count,
            _ => Purpose::Tell,
        };
        self.call((id, purpose), Proposal::NONE, &mut Store::Read(state), |_, _| ());
    }

    /// Runs a function that changes a state.
    pub(crate) fn make(&mut self, id: FunctionId, proposal: Proposal, draft: &mut Draft<'g>) {
        self.call((id, Purpose::Tell), proposal, &mut Store::Edit(draft), |_, _| ());
    }

    /// Whether a function holds after another has changed a state.
    fn trial(
        &mut self,
        (make, check): (FunctionId, FunctionId),
        proposal: Proposal,
        state: &State,
    ) -> bool {
        let mut after = self.spare.pop().unwrap_or_else(|| state.clone());
        after.copy_prefix(state, self.game.layout.tail);
        let mut draft = Draft::without_identity(self.game, after);
        let running = std::mem::take(&mut self.running);
        self.make(make, proposal, &mut draft);
        self.past.push(state.hash());
        let holds = self.answer(check, proposal, &draft.state) != 0;
        self.past.pop();
        self.running = running;
        self.spare.push(draft.state);
        holds
    }

    /// Whether nobody can play in the state.
    fn is_stuck(&self, store: &Store<'_, '_>) -> bool {
        self.game.is_stuck(store.state(), &self.past)
    }

    /// The same, asked by a rule.
    fn is_stuck_in_rule(&self, store: &Store<'_, '_>) -> bool {
        self.assume_stuck || self.game.is_stuck_in_rule(store.state(), &self.past)
    }

    /// Whether the position has come up at least this often, now included.
    fn repeats(&self, times: u16, store: &Store<'_, '_>) -> bool {
        let now = store.state().hash();
        let before = self.past.iter().filter(|&&hash| hash == now).count();
        before + 1 >= usize::from(times)
    }
}

impl<'g, const W: usize, const N: usize> Frame<'_, 'g, W, N> {
    #[inline(always)]
    fn set(&self, register: SetReg) -> &Bits<W> {
        &self.sets[usize::from(register.0) % N]
    }

    #[inline(always)]
    fn put(&mut self, register: SetReg, set: Bits<W>) {
        self.sets[usize::from(register.0) % N] = set;
    }

    #[inline(always)]
    fn number(&self, register: NumReg) -> i64 {
        self.numbers[usize::from(register.0) % N]
    }

    #[inline(always)]
    fn set_number(&mut self, register: NumReg, number: i64) {
        self.numbers[usize::from(register.0) % N] = number;
    }

    #[inline(always)]
    fn set_truth(&mut self, register: NumReg, truth: bool) {
        self.set_number(register, truth.into());
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

    /// Writes what a function makes of three sets, word by word.
    #[inline(always)]
    fn three(&mut self, to: SetReg, of: [SetReg; 3], word: impl Fn(u64, u64, u64) -> u64) {
        let (a, b, c) = (self.set(of[0]), self.set(of[1]), self.set(of[2]));
        let set = std::array::from_fn(|at| word(a[at], b[at], c[at]));
        self.put(to, set);
    }

    #[inline(always)]
    fn put_and(&mut self, to: SetReg, set: Bits<W>, within: SetReg) {
        self.put(to, bits::and(&set, self.set(within)));
    }

    #[inline(always)]
    fn put_or(&mut self, to: SetReg, set: Bits<W>, and: SetReg) {
        self.put(to, bits::or(&set, self.set(and)));
    }

    /// Takes the lowest tile out of a set, if there is one.
    #[inline(always)]
    fn next(&mut self, rest: SetReg, tile: NumReg) -> bool {
        let rest = &mut self.sets[usize::from(rest.0) % N];
        let Some(lowest) = bits::lowest(rest) else { return false };
        rest[lowest / 64] &= rest[lowest / 64] - 1;
        self.set_number(tile, lowest as i64);
        true
    }

    /// The same registers, for code that is not part of the loop.
    #[inline(always)]
    fn again(&mut self) -> Frame<'_, 'g, W, N> {
        Frame { game: self.game, sets: self.sets, numbers: self.numbers, kept: self.kept }
    }

    /// The event in the registers.
    #[inline(always)]
    fn proposal(&self) -> Proposal {
        Proposal {
            from: self.number(FROM),
            to: self.number(TO),
            choice: self.number(CHOICE),
            pips: self.number(PIPS),
        }
    }
}

/// A plane of the state, by its first word.
#[inline(always)]
fn plane<const W: usize>(first: u16, words: &[u64]) -> Bits<W> {
    let mut set = [0; W];
    set.copy_from_slice(&words[usize::from(first)..][..W]);
    set
}

/// The players of a mask.
fn of_players(game: &Game, mask: u64) -> impl Iterator<Item = PlayerId> + use<> {
    game.players().filter(move |player| mask >> player.index() & 1 == 1)
}
