//! The compiled game: immutable rules and tables, and the doors to ask them.

use std::collections::BTreeMap;
use std::fmt;

use crate::consequence::Consequences;
use crate::custom::Customs;
use crate::draft::{Keys, full_hash};
use crate::id::{
    ActionId, DieId, DirectionId, EndingId, FlagId, KindId, MarkId, PhaseId, PieceId, PlayerId,
    RuleId, TileId, VariableId,
};
use crate::ir::Code;
use crate::layout::Layout;
use crate::lower::Entries;
use crate::path::{Mobility, Occupancy, Path, PathOptions, Resolver};
use crate::state::State;
use crate::tile_set::TileSet;
use crate::topology::Topology;
use crate::typed;
use crate::view::View;
use crate::written::{Definition, Pile, Supply};

/// How a game is compiled. No choice changes what a game says, only how fast it says it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which path resolvers are used.
    pub paths: PathOptions,
    /// Whether phases and rules are looked up in a flat plan instead of the written tree.
    pub decision_plan: bool,
    /// Rust code for [`crate::written::Truth::Custom`] and [`crate::written::Effect::Custom`].
    pub customs: Customs,
    /// Whether [`Game::apply`] asks after every event whether the state keeps the laws of states
    /// ([`Game::verify`]), and refuses an event that breaks one. That is slow.
    pub verify: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            paths: PathOptions::default(),
            decision_plan: true,
            customs: Customs::default(),
            verify: false,
        }
    }
}

/// The compiled, immutable rules of a game. [`Definition::compile`] makes one.
pub struct Game {
    pub(crate) definition: Definition,
    pub(crate) definition_hash: u128,
    /// The piles that were written, which the definition keeps as variables.
    pub(crate) piles: Vec<Pile>,
    pub(crate) options: Options,
    pub(crate) index: Index,
    pub(crate) layout: Layout,
    pub(crate) keys: Keys,
    pub(crate) resolver: Resolver,
    /// How each player's pieces of each kind travel.
    pub(crate) mobility: Vec<Mobility>,
    /// For each player a bit for every friend, the player included.
    pub(crate) friends: Vec<u64>,
    pub(crate) all_tiles: TileSet,
    /// Tiles that hold one piece.
    pub(crate) exclusive: TileSet,
    pub(crate) pieces: Vec<PieceEntry>,
    pub(crate) ephemeral: Vec<FlagId>,
    /// Flags that clear where the rule they serve has no legal event.
    pub(crate) serving: Vec<(FlagId, Vec<RuleId>)>,
    pub(crate) royals: Vec<KindId>,
    /// Movement rules that threaten where they lead.
    pub(crate) threatening: Vec<RuleId>,
    /// The variable that counts repetitions, and the one that says how far back to look.
    pub(crate) repetitions: Option<(VariableId, VariableId)>,
    /// The variable that says whether two players have changed seats.
    pub(crate) swap: Option<VariableId>,
    /// Players who only own pieces, a bit for each.
    pub(crate) neutral: u64,
    /// Whether something asks how often the position has come up.
    pub(crate) looks_back: bool,
    /// What is hidden from some players; none where everyone sees everything.
    pub(crate) secrets: Option<crate::resolve::secret::Secrets>,
    pub(crate) outcomes: Vec<typed::Outcome>,
    pub(crate) rules: Vec<typed::Rule>,
    pub(crate) gates: Vec<typed::Gate>,
    pub(crate) leaves: Vec<typed::Leaf>,
    pub(crate) endings: Vec<typed::Ending>,
    pub(crate) requirements: Vec<typed::Requirement>,
    pub(crate) start: State,
    /// An empty board, which is what a state of another game looks like.
    pub(crate) blank: State,
    /// Whether an ending stops play.
    pub(crate) has_stops: bool,
    /// What events of its rules can bring about.
    pub(crate) consequences: Consequences,
    /// Whether a phase makes other events of those proposed.
    pub(crate) has_preprocessors: bool,
    /// Whether every event of play gives the turn to a player.
    pub(crate) turns_pass: bool,
    /// The phase that is active in every state, if there is one.
    pub(crate) sole_phase: Option<PhaseId>,
    /// The names of pieces beyond those that the definition lists.
    pub(crate) supply: Vec<String>,
    /// How many pieces may be on the board and in hands at once, where new ones could enter for
    /// ever.
    pub(crate) most_living: Option<usize>,
    /// All rules, lowered, and the tables they use.
    pub(crate) code: Code,
    /// The same functions as the interpreter runs them, once it has.
    pub(crate) flat: Vec<std::sync::OnceLock<crate::interpret::Flat>>,
    /// Which function is for what.
    pub(crate) entries: Entries,
    /// What engines leave behind for others.
    pub(crate) rooms: crate::engine::Pool,
    /// A faster way to carry out the rules, once there is one.
    pub(crate) backend: std::sync::OnceLock<std::sync::Arc<dyn crate::backend::Backend>>,
}

/// What never changes about a piece, and its kind at the start.
#[derive(Clone, Copy)]
pub(crate) struct PieceEntry {
    pub(crate) owner: PlayerId,
    pub(crate) kind: KindId,
}

/// Ids by name.
#[derive(Default)]
pub(crate) struct Index {
    pub(crate) players: BTreeMap<String, usize>,
    pub(crate) tiles: BTreeMap<String, usize>,
    pub(crate) directions: BTreeMap<String, usize>,
    pub(crate) flags: BTreeMap<String, usize>,
    pub(crate) marks: BTreeMap<String, usize>,
    pub(crate) kinds: BTreeMap<String, usize>,
    pub(crate) pieces: BTreeMap<String, usize>,
    pub(crate) dice: BTreeMap<String, usize>,
    pub(crate) variables: BTreeMap<String, usize>,
    pub(crate) actions: BTreeMap<String, usize>,
}

macro_rules! names {
    ($($(#[$doc:meta])* $list:ident, $one:ident, $name_of:ident, $id:ident, $field:ident;)*) => {
        impl Game {$(
            #[doc = concat!("Every one of the ", stringify!($list), ", in order.")]
            pub fn $list(&self) -> impl Iterator<Item = $id> + Clone + use<> {
                (0..self.definition.$list.len()).map($id::at)
            }

            #[doc = concat!("The ", stringify!($one), " of a name.")]
            pub fn $one(&self, name: &str) -> Option<$id> {
                self.index.$list.get(name).copied().map($id::at)
            }

            #[doc = concat!("The name of a ", stringify!($one), ".")]
            pub fn $name_of(&self, id: $id) -> &str {
                self.definition.$list.get(id.index()).map_or("?", |one| one.$field())
            }
        )*}
    };
}

names! {
    players, player, player_name, PlayerId, written_name;
    tiles, tile, tile_name, TileId, written_name;
    directions, direction, direction_name, DirectionId, written_name;
    kinds, kind, kind_name, KindId, written_name;
    flags, flag, flag_name, FlagId, written_name;
    marks, mark, mark_name, MarkId, written_name;
    dice, die, die_name, DieId, written_name;
    variables, variable, variable_name, VariableId, written_name;
    actions, action, action_name, ActionId, written_name;
}

/// A written thing that has a name.
pub(crate) trait Named {
    fn written_name(&self) -> &str;
}

impl Named for String {
    fn written_name(&self) -> &str {
        self
    }
}

macro_rules! named {
    ($($what:ident)*) => {$(
        impl Named for crate::written::$what {
            fn written_name(&self) -> &str {
                &self.name
            }
        }
    )*};
}

named!(Player BoardTile Kind Flag Mark Piece Die Variable Region);

impl Game {
    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The definition this game was compiled from.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The piles of cards that were written; the definition has variables in their place.
    pub fn piles(&self) -> &[Pile] {
        &self.piles
    }

    /// The definition's hash: it names these rules in saved matches.
    pub fn definition_hash(&self) -> u128 {
        self.definition_hash
    }

    /// The options it was compiled with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The state at the start.
    pub fn start(&self) -> State {
        self.start.clone()
    }

    /// A state, ready to be asked. A state of another game ([`Game::owns`]) looks like an empty
    /// board.
    #[inline]
    pub fn view<'a>(&'a self, state: &'a State) -> View<'a> {
        View { game: self, state: if self.owns(state) { state } else { &self.blank } }
    }

    /// Whether a state is of this game: one of another game has no legal events, no outcome, and
    /// refuses every event as foreign.
    #[inline]
    pub fn owns(&self, state: &State) -> bool {
        state.game == self.tag()
    }

    /// What marks the states of this game.
    #[inline]
    pub(crate) fn tag(&self) -> u64 {
        self.definition_hash as u64
    }

    /// The players who take turns, in order: all that are not neutral.
    pub fn seats(&self) -> impl Iterator<Item = PlayerId> + Clone + use<> {
        (0..self.seat_count()).map(PlayerId::at)
    }

    #[inline]
    pub(crate) fn seat_count(&self) -> usize {
        self.layout.players - self.neutral.count_ones() as usize
    }

    /// How many tiles the board has.
    pub fn tile_count(&self) -> usize {
        self.definition.tiles.len()
    }

    /// Every piece there is: those that the definition lists, then those of unlimited supplies.
    pub fn pieces(&self) -> impl Iterator<Item = PieceId> + Clone + use<> {
        (0..self.pieces.len()).map(PieceId::at)
    }

    /// The piece of a name.
    pub fn piece(&self, name: &str) -> Option<PieceId> {
        let listed = self.index.pieces.get(name).copied();
        let supplied = || {
            let at = self.supply.iter().position(|one| one == name)?;
            Some(self.definition.pieces.len() + at)
        };
        listed.or_else(supplied).map(PieceId::at)
    }

    /// The name of a piece.
    pub fn piece_name(&self, piece: PieceId) -> &str {
        let listed = &self.definition.pieces;
        match listed.get(piece.index()) {
            Some(piece) => &piece.name,
            None => self.supply.get(piece.index() - listed.len()).map_or("?", String::as_str),
        }
    }

    /// Whether there are as many pieces of a kind as are put.
    pub fn is_unlimited(&self, kind: KindId) -> bool {
        self.definition.kinds[kind.index()].supply == Supply::Unlimited
    }

    /// The kind of all pieces that there can ever be, if they are all of one.
    pub(crate) fn sole_kind(&self) -> Option<KindId> {
        let mut living = self.kinds().filter(|&kind| {
            self.layout.changing
                || self.is_unlimited(kind)
                || self.pieces.iter().any(|piece| piece.kind == kind)
        });
        living.next().filter(|_| living.next().is_none())
    }

    /// Whether a piece of a kind with an unlimited supply may enter.
    pub(crate) fn supplies(&self, view: View<'_>, kind: KindId) -> bool {
        self.is_unlimited(kind) && self.most_living.is_none_or(|most| view.living() < most)
    }

    /// Whose piece it is at the start.
    #[inline]
    pub fn owner(&self, piece: PieceId) -> PlayerId {
        self.pieces[piece.index()].owner
    }

    /// The graph of the board.
    pub fn topology(&self) -> &Topology {
        self.resolver.topology()
    }

    /// The name of a phase.
    pub fn phase_name(&self, phase: PhaseId) -> &str {
        &self.leaves[phase.index()].name
    }

    /// The name of a rule.
    pub fn rule_name(&self, rule: RuleId) -> &str {
        &self.rules[rule.index()].written.name
    }

    /// The name of an ending.
    pub fn ending_name(&self, ending: EndingId) -> &str {
        &self.endings[ending.index()].name
    }

    /// Whether a tile holds many pieces.
    #[inline]
    pub fn stacks(&self, tile: TileId) -> bool {
        self.layout.stacks(tile)
    }

    /// The hash of a state from nothing; [`State::hash128`] keeps it step by step.
    pub fn full_hash(&self, state: &State) -> u128 {
        full_hash(self.view(state))
    }

    /// The path by which a piece would travel between two tiles, or none.
    #[inline]
    pub fn resolve_path(
        &self,
        state: &State,
        piece: PieceId,
        from: TileId,
        to: TileId,
    ) -> Option<Path<'_>> {
        self.paths().resolve(state, piece, from, to)
    }

    #[inline]
    pub(crate) fn mobility(&self, player: PlayerId, kind: KindId) -> &Mobility {
        &self.mobility[player.index() * self.layout.kinds + kind.index()]
    }

    #[inline]
    pub(crate) fn occupancy<'a>(&'a self, state: &'a State) -> Occupancy<'a> {
        let width = self.layout.width;
        // Nothing here can panic, so that it is left out where the answer needs no look at the state.
        let words = self.view(state).state.words();
        Occupancy {
            planes: words.get(..self.layout.players * width).unwrap_or_default(),
            width,
            exclusive: self.exclusive.words().get(..width).unwrap_or_default(),
        }
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({}, {:032x})", self.name(), self.definition_hash)
    }
}
