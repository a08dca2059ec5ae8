//! Trees of positions without a state for each: the rules of a game whose pieces slide, leap and
//! step, in terms of what pieces can do.
//!
//! A tree says the same as the rows of the tables and the programs of the rules, from which it is
//! made. Where they say anything that it has no word for there is none, and states are used.

mod accept;
mod choose;
mod count;
mod guard;
mod node;
mod side;
mod sort;
mod visit;

use std::hint::black_box;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::accept::{Arrival, Sources};
use crate::bits::Bits;
use crate::event::Event;
use crate::game::Game;
use crate::id::{FlagId, KindId, PlayerId, RuleId};
use crate::perft::Leaves;
use crate::state::State;

use super::attack::Kinds;
use super::cpu::Work;
use super::line::Lines;
use super::shape::Shape;
use super::sight::{Eye, Sight};
use super::{Tables, Task};
use node::{ABILITIES, Code, Node};
use side::{Keys, Side};
use visit::Visit;

/// The rules of a game in terms of what pieces can do.
pub(crate) struct Tree<const W: usize> {
    sides: [Side<W>; 2],
    sights: [Arc<Sight<W>>; 2],
    able: Able,
    /// The kinds whose every move takes the lasting flag.
    bearers: Kinds,
    /// What a piece that steps may become.
    choices: Vec<KindId>,
    lasting: Option<FlagId>,
    fleeting: Option<FlagId>,
    /// Whether the fleeting flag is cleared where no capture needs it.
    serves: bool,
    keys: Keys<W>,
}

/// What kinds can do.
struct Able {
    /// For each thing a kind that can do it, by the word where its plane begins; as many such rows
    /// as there are kinds that can do the same, the first repeated to the end.
    rows: Vec<[u16; ABILITIES]>,
    /// All ones for each thing that any kind can do.
    any: [u64; ABILITIES],
}

impl Able {
    fn new(game: &Game, codes: &[Code]) -> Able {
        let plane = |kind: KindId| game.layout.kind(kind) as u16;
        let kinds = |ability| {
            let can = move |kind: &KindId| codes[kind.index()].can(ability);
            game.kinds().filter(can).map(plane).collect::<Vec<u16>>()
        };
        let kinds: [Vec<u16>; ABILITIES] = std::array::from_fn(kinds);
        let any = kinds.each_ref().map(|kinds| if kinds.is_empty() { 0 } else { u64::MAX });
        let most = kinds.iter().map(Vec::len).max().unwrap_or(0);
        let row = |at: usize| {
            kinds.each_ref().map(|kinds| kinds.get(at).or(kinds.first()).copied().unwrap_or(0))
        };
        Able { rows: (0..most).map(row).collect(), any }
    }

    /// The tiles of the pieces that can do each thing.
    #[inline(always)]
    fn read<const W: usize>(&self, words: &[u64]) -> [Bits<W>; ABILITIES] {
        let mut can = [Bits::EMPTY; ABILITIES];
        for row in &self.rows {
            for (can, plane) in can.iter_mut().zip(row) {
                *can |= Bits::read(words, (*plane).into());
            }
        }
        for (can, any) in can.iter_mut().zip(self.any) {
            *can &= Bits([any; W]);
        }
        can
    }
}

impl<const W: usize> Tree<W> {
    /// A state's position, and who moves; none where it is one that the tree cannot say.
    fn enter(&self, game: &Game, state: &State) -> Option<(usize, Node<W>)> {
        let words = state.words();
        let mover = game.view(state).player().index();
        let owner = |player| Bits::read(words, game.layout.owner(PlayerId::at(player)));
        let flag = |flag: &Option<FlagId>| {
            flag.map_or(Bits::EMPTY, |flag| Bits::read(words, game.layout.flag(flag)))
        };
        let can = self.able.read(words);
        let (own, foe, hash) = (owner(mover), owner(1 - mover), state.hash());
        let (lasting, fleeting) = (flag(&self.lasting), flag(&self.fleeting));
        let node = Node { own, foe, can, lasting, fleeting, hash };
        let royals = |tiles: Bits<W>| tiles & node.can[Code::ROYAL];
        let fits = fleeting.without(foe).is_empty()
            && !fleeting.is_many()
            && !royals(own).is_many()
            && !royals(foe).is_many()
            && (lasting.is_empty() || self.is_flagged_well(words, mover, &node));
        fits.then_some((mover, node))
    }

    /// Whether the tree can say what the pieces do that carry the lasting flag.
    fn is_flagged_well(&self, words: &[u64], mover: usize, node: &Node<W>) -> bool {
        let joined = |player: usize, own: Bits<W>| {
            let (flagged, royals) = (node.lasting & own, own & node.can[Code::ROYAL]);
            let (one, two) = self.sides[player].joined;
            flagged.is_empty() || royals.without(one).is_empty() && flagged.without(two).is_empty()
        };
        node.lasting.without(self.bearers.read(words, 0)).is_empty()
            && joined(mover, node.own)
            && joined(1 - mover, node.foe)
    }
}

/// A tree being climbed.
pub(super) struct Climb<'a, const W: usize, E, S> {
    tree: &'a Tree<W>,
    lines: &'a Lines<W>,
    eye: E,
    shape: PhantomData<S>,
}

/// What is gathered from a tree.
pub(super) trait Harvest<const W: usize> {
    type Fruit: Default + std::ops::AddAssign;

    /// What the children of a node come to.
    fn leaves<E: Eye, S: Shape>(
        climb: &Climb<'_, W, E, S>,
        at: usize,
        node: &Node<W>,
    ) -> Self::Fruit;
}

/// How many leaves there are, the last moves only counted.
pub(super) struct Counted;

impl<const W: usize> Harvest<W> for Counted {
    type Fruit = u64;

    #[inline(always)]
    fn leaves<E: Eye, S: Shape>(climb: &Climb<'_, W, E, S>, at: usize, node: &Node<W>) -> u64 {
        climb.count(at, node)
    }
}

/// The leaves themselves.
pub(super) struct Made;

impl<const W: usize> Harvest<W> for Made {
    type Fruit = Leaves;

    #[inline(always)]
    fn leaves<E: Eye, S: Shape>(climb: &Climb<'_, W, E, S>, at: usize, node: &Node<W>) -> Leaves {
        let mut leaves = Leaves::default();
        climb.each(at, node, &mut leaves);
        leaves
    }
}

impl<const W: usize> Visit<W> for Leaves {
    #[inline(always)]
    fn child(&mut self, child: &Node<W>) {
        // All of a leaf is made, though only its hash is looked at.
        *self += Leaves { nodes: 1, sum: black_box(child).hash };
    }
}

/// Gathers what lies below a node, which is looked at so many moves deep.
struct Gather<'a, const W: usize, E, S, H: Harvest<W>> {
    climb: &'a Climb<'a, W, E, S>,
    harvest: PhantomData<H>,
    player: usize,
    node: &'a Node<W>,
    depth: u32,
}

impl<const W: usize, E: Eye, S: Shape, H: Harvest<W>> Work for Gather<'_, W, E, S, H> {
    type Answer = H::Fruit;

    #[inline(always)]
    fn run(self) -> H::Fruit {
        let Gather { climb, player, node, depth, .. } = self;
        if depth == 1 {
            return climb.eye.run(Last { climb, harvest: self.harvest, player, node });
        }
        let fruit = H::Fruit::default();
        let mut below: Below<'_, W, E, S, H> = Below { climb, player, depth, fruit };
        climb.each(player, node, &mut below);
        below.fruit
    }
}

/// Gathers the children of a node.
struct Last<'a, const W: usize, E, S, H: Harvest<W>> {
    climb: &'a Climb<'a, W, E, S>,
    harvest: PhantomData<H>,
    player: usize,
    node: &'a Node<W>,
}

impl<const W: usize, E: Eye, S: Shape, H: Harvest<W>> Work for Last<'_, W, E, S, H> {
    type Answer = H::Fruit;

    #[inline(always)]
    fn run(self) -> H::Fruit {
        H::leaves(self.climb, self.player, self.node)
    }
}

/// Gathers what lies below each child of a node.
struct Below<'a, const W: usize, E, S, H: Harvest<W>> {
    climb: &'a Climb<'a, W, E, S>,
    player: usize,
    depth: u32,
    fruit: H::Fruit,
}

impl<const W: usize, E: Eye, S: Shape, H: Harvest<W>> Visit<W> for Below<'_, W, E, S, H> {
    #[inline(always)]
    fn child(&mut self, node: &Node<W>) {
        let (climb, player) = (self.climb, 1 - self.player);
        let harvest = PhantomData::<H>;
        self.fruit += match self.depth {
            2 => climb.eye.run(Last { climb, harvest, player, node }),
            depth => climb.eye.run(Gather { climb, harvest, player, node, depth: depth - 1 }),
        };
    }
}

/// A question about the tree below a state.
pub(super) struct Question<'a, H> {
    pub(super) game: &'a Game,
    pub(super) state: &'a State,
    /// At least 1.
    pub(super) depth: u32,
    pub(super) harvest: PhantomData<H>,
}

impl<const W: usize, H: Harvest<W>> Task<W> for Question<'_, H> {
    type Answer = Option<H::Fruit>;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Self::Answer {
        let (tree, lines) = (tables.tree.as_ref()?, &tables.lines);
        let (player, node) = tree.enter(self.game, self.state)?;
        let climb = Climb { tree, lines, eye, shape: PhantomData::<S> };
        let (harvest, depth) = (self.harvest, self.depth);
        Some(eye.run(Gather { climb: &climb, harvest, player, node: &node, depth }))
    }
}

/// Asks for the move at a place among those of a state.
pub(super) struct Choice<'a> {
    pub(super) game: &'a Game,
    pub(super) state: &'a State,
    /// The place, from 0, when it is known how many there are.
    pub(super) place: &'a mut dyn FnMut(u64) -> u64,
}

impl<const W: usize> Task<W> for Choice<'_> {
    /// None where the moves must be listed; none within where there is none at that place.
    type Answer = Option<Option<(Event, RuleId)>>;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Self::Answer {
        let (tree, lines) = (tables.tree.as_ref()?, &tables.lines);
        let (player, node) = tree.enter(self.game, self.state)?;
        let climb = Climb { tree, lines, eye, shape: PhantomData::<S> };
        Some(climb.choose(player, &node, self.state.words(), self.place))
    }
}

/// Asks which rule accepts each of the moves of one piece, or of several, to a tile.
pub(super) struct Accept<'a> {
    pub(super) game: &'a Game,
    pub(super) state: &'a State,
    pub(super) arrival: &'a Arrival<'a>,
    /// Takes each move with the rule that accepts it, if one does; none where the rows must say.
    pub(super) take: &'a mut dyn FnMut(Event, Option<Option<RuleId>>),
}

impl<const W: usize> Task<W> for Accept<'_> {
    /// Whether the tree could be asked.
    type Answer = Option<()>;

    #[inline(always)]
    fn ask<E: Eye, S: Shape>(self, tables: &Tables<W>, eye: E) -> Self::Answer {
        let (tree, lines) = (tables.tree.as_ref()?, &tables.lines);
        let (player, node) = tree.enter(self.game, self.state)?;
        let climb = Climb { tree, lines, eye, shape: PhantomData::<S> };
        let Arrival { sources, to, choice } = *self.arrival;
        let sources = match sources {
            Sources::Tile(from) => Bits::of(from),
            Sources::Kind(kind, within) => {
                let plane = self.game.layout.kind(kind);
                Bits::read(self.state.words(), plane) & node.own & Bits::read(within.words(), 0)
            }
        };
        let mut guard = None;
        for from in sources {
            let event = Event::Move { from, to, choice };
            (self.take)(event, climb.accept(player, &node, event, &mut guard));
        }
        Some(())
    }
}
