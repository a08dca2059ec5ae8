//! A module being put together: functions are written when something first asks for them.

mod link;

use std::collections::{BTreeMap, BTreeSet};

use senet_core::ir::{Code, FunctionId};
use senet_core::program::{PhaseShape, Program, RuleShape};
use senet_core::written::Usage;
use wasm_encoder::{Function, ValType};

use crate::asm::Asm;
use crate::batch::{Batch, Use};
use crate::edit::Trade;
pub(crate) use crate::global;
use crate::made::Below;
use crate::memory::Memory;
use crate::slide::Job;
use crate::template::Part;

/// Why a game cannot be compiled to WebAssembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub(crate) String);

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} has no WebAssembly form", self.0)
    }
}

impl std::error::Error for Unsupported {}

/// Shorthand for what writing code gives.
pub(crate) type Emit<T = ()> = Result<T, Unsupported>;

pub(crate) fn unsupported<T>(what: impl Into<String>) -> Emit<T> {
    Err(Unsupported(what.into()))
}

/// What becomes of a function of the intermediate representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// It answers with a number.
    Answer,
    /// It finds a set of tiles.
    Find,
    /// It counts events.
    Count,
    /// It lists events, or counts them where it is given nowhere to list them.
    List,
    /// It says whether there is an event.
    Exists,
    /// It notes events, of which one is then drawn.
    Note,
    /// It changes a state, and its hash if that is kept.
    Make(Hash),
    /// It carries out each event of a player on a copy of the state, and counts the leaves below.
    Walk(Hash, u8),
    /// It counts the results of a turn that its moves make up for a player, or gives 0 where it cannot tell.
    Results(u8),
}

/// Whether the hash of a state is kept up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Hash {
    Kept,
    Ignored,
}

/// Who is to move in the states that a function is given, where all of them have one phase and one
/// player to move.
pub(crate) type Mover = Option<u8>;

/// A function of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A function of the intermediate representation.
    Lowered(u16, Mode),
    /// A loop of such a function that counts, by its number.
    Apart(u16),
    /// A part of a function that carries out a move by dice.
    MakePart(u16, Part),
    /// What can be reached within a set, by the steps of a table of links.
    Flood(u16),
    /// Takes the first piece off a tile.
    Lift(Hash),
    /// Puts a piece onto a tile.
    Drop(Hash),
    /// Moves the only piece of a tile to another.
    Carry(Hash),
    /// Changes the count of an owner's pieces of a kind.
    Recount(usize, usize, Hash),
    /// Makes other pieces of those on some tiles.
    Trade(Trade, Hash),
    /// Puts listed events into the order of their tiles.
    Sort,
    /// Removes events that are listed twice.
    Unique,
    /// The number of the open phase.
    Phase,
    /// Lists legal events.
    Legal,
    /// Lists events whatever the endings say.
    Listed,
    /// Lists those of a phase and player that are neither moves nor pieces that enter.
    Others(usize, usize),
    /// Lists the legal events whose target is a tile, and perhaps others.
    Onto,
    /// Carries out an event that names its target, if it is legal.
    Attempt,
    /// Plays moves that are said by a kind, a target and tiles from which they may come.
    Replay,
    /// Counts legal events.
    Count(Mover),
    /// Counts events whatever the endings say.
    Counted(Mover),
    /// Notes events whatever the endings say.
    Noted,
    /// The event at a place of those noted.
    Drawn,
    /// The same of moves by dice that are noted together.
    DrawnByDice,
    /// Writes out the events of a note.
    Expand,
    /// The tile at a place of a set.
    TileAt,
    /// Whether there is any event, whatever the endings say.
    CanPlay,
    /// Whether a rule has an event.
    CanFire(u16),
    /// Carries out a listed event.
    Play(Hash),
    /// Keeps the moves of a phase and player by which a turn uses as much of the dice as it can.
    Usage(usize, usize),
    /// How much of the dice a turn of a phase and player can use.
    Usable(usize, usize),
    /// Finds the ends of a turn.
    Turns,
    /// Follows the events of a turn.
    Follow,
    /// Follows the moves by dice of a turn of a phase and player.
    FollowDice(usize, usize),
    /// Follows those by dice that all show the same.
    FollowSame(usize, usize),
    /// Whether a position was met within a turn.
    Met,
    /// Makes the table of positions of a turn larger.
    Grow,
    /// Counts sequences of whole turns.
    TurnPerft,
    /// The number plus one of the rule of the outcome of chance that is awaited.
    Chance,
    /// The same where play has not stopped.
    ChanceInPlay,
    /// Lists or carries out events of a rule.
    Batch(Batch),
    /// Carries out an event on a copy of the state by a function of the intermediate
    /// representation, and counts the leaves below.
    Descend(u16, Hash),
    /// Carries out events in one state by such a function, from a tile or from those before their
    /// targets along a map, and counts the leaves below.
    Made(u16, Option<u16>, Below, Hash),
    /// Clears the flags whose time is over, with the hash of the state.
    Settle,
    /// Counts the leaves of a tree from its root; makes them where hashes are kept.
    Perft(Hash),
    /// The same from any of its nodes.
    Tree(Hash, Mover),
    /// The number of the ending that holds, if any.
    Outcome,
    /// The same where somebody can play.
    Ending,
    /// A random number below a bound.
    Below,
    /// Plays at random to the end.
    Playout,
    /// Plays an event in each of several states, and lists what is legal then.
    Advance,
    /// The start of the game.
    Start,
    /// The hash of a state.
    Digest,
    /// Fills the tables.
    Init,
}

/// Parameters and results.
type Signature = (Vec<ValType>, Vec<ValType>);

/// The bytes of a module with what a host must know to use it.
#[derive(Clone, Debug)]
pub struct Wasm {
    /// The module.
    pub bytes: Vec<u8>,
    /// The words of a state, without its hash.
    pub words: usize,
    /// How many bytes of code it has.
    pub code: usize,
    /// In how many places events are tried on copies of a state.
    pub trials: usize,
    /// What its functions are for, by their numbers.
    pub functions: Vec<(u32, String)>,
}

/// Writes a module for one game.
pub(crate) struct Emitter<'g> {
    pub(crate) program: Program<'g>,
    pub(crate) code: &'g Code,
    /// Words of a set.
    pub(crate) width: usize,
    pub(crate) memory: Memory,
    pub(crate) rules: Vec<RuleShape>,
    pub(crate) phases: Vec<PhaseShape>,
    /// Tables that are filled at start-up.
    pub(crate) jobs: Vec<Job>,
    /// Addresses of tables, so that none is made twice.
    pub(crate) tables: BTreeMap<(&'static str, usize), usize>,
    pub(crate) slides: BTreeMap<usize, crate::slide::Plan>,
    /// Lookups by their rays.
    pub(crate) lines: Vec<(Vec<&'g senet_core::ir::Rays>, crate::slide::Part)>,
    /// Loops that are functions of their own, by their numbers.
    pub(crate) apart: Vec<crate::apart::Apart>,
    /// Batches that are noted, by their numbers.
    pub(crate) noted: Vec<Batch>,
    /// Variables that are not written because nothing is thought to ask for them, and those for which
    /// something asks.
    pub(crate) idle: BTreeSet<usize>,
    pub(crate) asked: BTreeSet<usize>,
    /// Functions by what they do, and for each the first that does the same.
    texts: BTreeMap<String, u16>,
    alike: BTreeMap<u16, u16>,
    index: BTreeMap<Key, u32>,
    queue: Vec<Key>,
    bodies: Vec<Option<(u32, Function)>>,
    types: Vec<Signature>,
    size: usize,
    /// In how many places events are tried on copies of a state.
    pub(crate) trials: usize,
    /// Whether the module is for trees or random games, for which large tables are worth filling.
    pub(crate) trees: bool,
    /// Whether events note that they give the turn to somebody.
    pub(crate) tells_turns: bool,
    /// Whether counting events is worth functions of its own.
    counts: bool,
}

/// The most bytes of code that a module may have before it is left to the interpreter.
const MAX_CODE: usize = 4 << 20;

/// Room for states and lists of events, beyond the tables.
const WORK: usize = 8 << 20;

/// The part of it that a host may write to.
pub(crate) const HOST: usize = 1 << 19;

impl<'g> Emitter<'g> {
    pub(crate) fn new(program: Program<'g>) -> Self {
        let code = program.code();
        Emitter {
            program,
            code,
            width: code.width,
            memory: Memory::new(),
            rules: program.rules(),
            phases: program.phases(),
            jobs: Vec::new(),
            tables: BTreeMap::new(),
            slides: BTreeMap::new(),
            lines: Vec::new(),
            apart: Vec::new(),
            noted: Vec::new(),
            idle: BTreeSet::new(),
            asked: BTreeSet::new(),
            texts: BTreeMap::new(),
            alike: BTreeMap::new(),
            index: BTreeMap::new(),
            queue: Vec::new(),
            bodies: Vec::new(),
            types: Vec::new(),
            size: 0,
            trials: 0,
            trees: false,
            tells_turns: false,
            counts: false,
        }
    }

    /// How many bytes a state takes: its words, then the two of its hash.
    pub(crate) fn stride(&self) -> usize {
        (self.program.tree_words() + 2) * 8
    }

    /// Where the hash of a state lies.
    pub(crate) fn hash_at(&self) -> usize {
        self.program.tree_words() * 8
    }

    /// The number of a function, which is written later if it is not yet.
    pub(crate) fn want(&mut self, key: Key) -> u32 {
        if let Some(&index) = self.index.get(&key) {
            return index;
        }
        let index = self.bodies.len() as u32;
        self.index.insert(key, index);
        self.bodies.push(None);
        self.queue.push(key);
        index
    }

    pub(crate) fn want_lowered(&mut self, id: FunctionId, mode: Mode) -> u32 {
        // Rules ask and do much the same; what is alike is written once.
        let id = match mode {
            Mode::Answer | Mode::Find | Mode::Make(_) => self.representative(id.0),
            Mode::Count
            | Mode::List
            | Mode::Exists
            | Mode::Note
            | Mode::Walk(..)
            | Mode::Results(_) => id.0,
        };
        self.want(Key::Lowered(id, mode))
    }

    /// Counts the events that a function finds, on the stack as a number of 64 bits.
    pub(crate) fn push_count(&mut self, asm: &mut Asm, state: u32, id: FunctionId) {
        if self.counts {
            let count = self.want_lowered(id, Mode::Count);
            asm.get(state).op().call(count);
        } else {
            let list = self.want_lowered(id, Mode::List);
            asm.get(state).i32(0).i32(0).op().call(list).i64_extend_i32_u();
        }
    }

    /// Whether the events of a phase are what one function counts.
    pub(crate) fn counts_alone(&self, phase: usize) -> bool {
        let shape = &self.phases[phase];
        self.counts && shape.counts_moves && shape.counts && shape.rules[1].is_empty()
    }

    /// The function that carries out an event of a rule on a copy and goes on below it.
    pub(crate) fn want_descent(&mut self, rule: usize, player: usize, hash: Hash) -> u32 {
        let make = self.program.rule_functions(rule, player).make;
        let make = self.representative(make.0);
        self.want(Key::Descend(make, hash))
    }

    /// The first function that does the same as another.
    pub(crate) fn representative(&mut self, id: u16) -> u16 {
        if let Some(&known) = self.alike.get(&id) {
            return known;
        }
        let mut text = format!("{:?}", self.code.functions[usize::from(id)]);
        if self.all_exclusive() {
            // Where a tile holds one piece, which rule moves it makes no difference.
            while let Some(at) = text.find("rule: RuleId(") {
                let end = text[at..].find(')').map_or(text.len(), |end| at + end + 1);
                text.replace_range(at..end, "");
            }
        }
        let first = *self.texts.entry(text).or_insert(id);
        self.alike.insert(id, first);
        first
    }

    /// A table that is made once.
    pub(crate) fn table(
        &mut self,
        of: &'static str,
        at: usize,
        make: impl FnOnce(&mut Self) -> usize,
    ) -> usize {
        if let Some(&address) = self.tables.get(&(of, at)) {
            return address;
        }
        let address = make(self);
        self.tables.insert((of, at), address);
        address
    }

    /// A table with the set of each single tile.
    pub(crate) fn singles(&mut self) -> usize {
        self.table("singles", 0, |emitter| {
            let (tiles, width) = (emitter.code.tiles, emitter.width);
            let mut rows = vec![0; tiles * width];
            (0..tiles).for_each(|tile| rows[tile * width + tile / 64] |= 1 << (tile % 64));
            emitter.memory.rows(&rows, width)
        })
    }

    /// Where the set of targets lies that lists are restricted to, and behind it that of sources: every
    /// tile, but while [`Key::Onto`] or [`Key::Replay`] lists. None where it is never asked for, or where
    /// lists must be whole because some events depend on what else there is.
    pub(crate) fn restriction(&mut self) -> Option<usize> {
        let whole = |shape: &PhaseShape| {
            !shape.counts || shape.ranked || shape.has_otherwise || shape.usage != Usage::Free
        };
        if !self.index.contains_key(&Key::Onto) || self.phases.iter().any(whole) {
            return None;
        }
        let every = vec![u64::MAX; 2 * self.width];
        Some(self.table("restriction", 0, |emitter| emitter.memory.words(&every)))
    }

    /// A constant set, by word.
    pub(crate) fn constant(&self, id: senet_core::ir::ConstId) -> &'g [u64] {
        &self.code.constants[id.index() * self.width..][..self.width]
    }

    /// Whether every tile holds one piece.
    pub(crate) fn all_exclusive(&self) -> bool {
        (0..self.code.tiles).all(|tile| !self.program.stacks(tile))
    }

    /// Whether every tile holds many.
    pub(crate) fn all_stacks(&self) -> bool {
        (0..self.code.tiles).all(|tile| self.program.stacks(tile))
    }

    fn type_id(&mut self, signature: Signature) -> u32 {
        match self.types.iter().position(|one| *one == signature) {
            Some(at) => at as u32,
            None => {
                self.types.push(signature);
                self.types.len() as u32 - 1
            }
        }
    }

    /// Parameters and results of a function.
    pub(crate) fn signature(&self, key: Key) -> Signature {
        use ValType::{I32, I64};
        let event = || vec![I32, I64, I64, I64, I64];
        match key {
            Key::Lowered(_, Mode::Answer) => (event(), vec![I64]),
            Key::Lowered(_, Mode::Find) => (vec![I32], vec![I64; self.width]),
            Key::Lowered(_, Mode::Make(_)) | Key::MakePart(..) => (event(), vec![]),
            Key::Lowered(_, Mode::Count | Mode::Results(_)) | Key::Count(_) | Key::Counted(_) => {
                (vec![I32], vec![I64])
            }
            Key::Apart(number) => (self.apart[usize::from(number)].params(self.width), vec![I64]),
            Key::Lowered(_, Mode::Walk(..)) => (vec![I32, I32], vec![I64]),
            Key::Lowered(_, Mode::Note) | Key::Expand => (vec![I32, I32], vec![I32]),
            Key::Noted => (vec![I32; 4], vec![I32]),
            Key::Drawn | Key::DrawnByDice => (vec![I32, I64], vec![I64]),
            Key::TileAt => (vec![I64; self.width + 1], vec![I64]),
            Key::Batch(batch) => {
                let mut params = [vec![I32, I64], vec![I64; self.width]].concat();
                match batch.used {
                    Use::List => (params, vec![I32]),
                    Use::Walk(_) => {
                        params.push(I32);
                        (params, vec![I64])
                    }
                }
            }
            Key::Descend(..) => (vec![I32, I32, I64, I64, I64, I64], vec![I64]),
            Key::Made(..) => {
                ([vec![I32, I64], vec![I64; self.width], vec![I32]].concat(), vec![I64])
            }
            Key::Settle => (vec![I32], vec![]),
            Key::Lowered(_, Mode::List) | Key::Legal | Key::Listed | Key::Others(..) => {
                (vec![I32, I32, I32], vec![I32])
            }
            Key::Lowered(_, Mode::Exists) | Key::CanPlay | Key::CanFire(_) | Key::Phase => {
                (vec![I32], vec![I32])
            }
            Key::Onto | Key::Attempt => (vec![I32, I32, I64], vec![I32]),
            Key::Flood(_) => (vec![I64; 2 * self.width], vec![I64; self.width]),
            Key::Lift(_) => (vec![I32, I64], vec![I64]),
            Key::Drop(_) => (vec![I32, I64, I64], vec![]),
            Key::Carry(_) => (vec![I32, I64, I64, I64], vec![]),
            Key::Recount(..) => (vec![I32, I64, I64], vec![]),
            Key::Trade(..) => ([vec![I32], vec![I64; self.width]].concat(), vec![]),
            Key::Sort => (vec![I32, I32], vec![]),
            Key::Unique => (vec![I32, I32], vec![I32]),
            Key::Play(_) => (vec![I32, I64], vec![]),
            Key::Usage(..) => (vec![I32, I32, I32], vec![I32]),
            Key::Usable(..) | Key::Chance | Key::ChanceInPlay | Key::Outcome | Key::Ending => {
                (vec![I32], vec![I32])
            }
            Key::Turns | Key::Met => (vec![I32, I32], vec![I32]),
            Key::Follow | Key::FollowDice(..) | Key::FollowSame(..) => (vec![I32; 4], vec![I32]),
            Key::TurnPerft => (vec![I32, I32, I32], vec![I64]),
            Key::Perft(_) | Key::Tree(..) => (vec![I32, I32], vec![I64]),
            Key::Below => (vec![I32, I64], vec![I64]),
            Key::Playout => (vec![I32, I32, I32, I32], vec![I64]),
            Key::Advance | Key::Replay => (vec![I32; 3], vec![I32]),
            Key::Start => (vec![I32], vec![]),
            Key::Digest => (vec![I32], vec![I64]),
            Key::Init | Key::Grow => (vec![], vec![]),
        }
    }

    /// An empty function with the parameters of a key.
    pub(crate) fn asm(&self, key: Key) -> Asm {
        Asm::new(self.signature(key).0.len())
    }

    fn write(&mut self, key: Key) -> Emit<Asm> {
        match key {
            Key::Lowered(id, mode) => crate::function::lowered(self, id, mode),
            Key::Apart(number) => crate::apart::apart(self, number),
            Key::MakePart(make, part) => crate::template::part(self, make, part),
            Key::Flood(links) => crate::flow::flood(self, links),
            Key::Lift(hash) => crate::edit::lift(self, hash),
            Key::Drop(hash) => crate::edit::drop(self, hash),
            Key::Carry(hash) => crate::edit::carry(self, hash),
            Key::Recount(owner, kind, hash) => crate::edit::recount(self, owner, kind, hash),
            Key::Trade(trade, hash) => Ok(crate::edit::traded(self, trade, hash)),
            Key::Sort => Ok(crate::list::sort(self)),
            Key::Unique => Ok(crate::list::unique(self)),
            Key::Phase => crate::list::phase(self),
            Key::Legal => crate::list::legal(self),
            Key::Listed => crate::list::listed(self),
            Key::Others(phase, player) => crate::list::others(self, phase, player),
            Key::Onto => crate::list::onto(self),
            Key::Count(mover) => crate::list::count(self, mover),
            Key::Counted(mover) => crate::list::counted(self, mover),
            Key::Attempt => Ok(crate::play::attempt(self)),
            Key::Replay => Ok(crate::replay::replay(self)),
            Key::Noted => crate::note::noted(self),
            Key::Drawn => Ok(crate::note::drawn(self)),
            Key::DrawnByDice => Ok(crate::dice::drawn_by_dice(self)),
            Key::Expand => Ok(crate::note::expand(self)),
            Key::TileAt => Ok(crate::note::tile_at(self)),
            Key::CanPlay => crate::list::can_play(self),
            Key::CanFire(rule) => crate::play::can_fire(self, rule),
            Key::Usage(phase, player) => crate::usage::keep(self, phase, player),
            Key::Usable(phase, player) => crate::usage::usable(self, phase, player),
            Key::Chance => Ok(crate::chance::awaited(self)),
            Key::ChanceInPlay => crate::chance::awaited_in_play(self),
            Key::Turns => crate::turn::turns(self),
            Key::Follow => crate::turn::follow(self, None),
            Key::FollowDice(phase, player) => crate::turn::follow(self, Some((phase, player))),
            Key::FollowSame(phase, player) => crate::turn::follow_same(self, phase, player),
            Key::Met => crate::turn::met(self),
            Key::Grow => Ok(crate::turn::grow(self)),
            Key::TurnPerft => crate::turn::turn_perft(self),
            Key::Play(hash) => Ok(crate::play::play(self, hash)),
            Key::Perft(hash) => crate::tree::perft(self, hash),
            Key::Tree(hash, mover) => crate::tree::tree(self, hash, mover),
            Key::Batch(batch) => crate::batch::batch(self, batch),
            Key::Descend(make, hash) => crate::tree::descend(self, make, hash),
            Key::Made(make, before, below, hash) => {
                crate::made::made(self, make, before, (below, hash))
            }
            Key::Settle => Ok(crate::play::settled(self)),
            Key::Outcome => crate::play::outcome(self),
            Key::Ending => crate::play::ending(self),
            Key::Below => Ok(crate::tree::below(self)),
            Key::Playout => crate::tree::playout(self),
            Key::Advance => Ok(crate::play::advance(self)),
            Key::Start => Ok(crate::tree::start(self)),
            Key::Digest => Ok(crate::tree::digest(self)),
            Key::Init => crate::slide::init(self),
        }
    }

    /// Writes every function that is asked for, the one that fills tables last.
    fn write_all(&mut self) -> Emit {
        while let Some(key) = self.queue.pop() {
            if key == Key::Expand && !self.queue.is_empty() {
                // The batches that are noted are known once everything else is written.
                self.queue.insert(0, key);
                continue;
            }
            let asm = self.write(key)?;
            self.size += asm.size();
            if self.size > MAX_CODE {
                return unsupported("a game whose rules need this much code");
            }
            let signature = self.signature(key);
            let of = self.type_id(signature);
            let index = self.index[&key];
            self.bodies[index as usize] = Some((of, asm.finish()));
        }
        Ok(())
    }
}
