//! The compiled game: immutable rules and tables, and the doors to ask them.

use std::collections::BTreeMap;
use std::fmt;

use crate::definition::Definition;
use crate::draft::{Draft, Keys, full_hash};
use crate::gate::Calm;
use crate::generate::Generator;
use crate::id::{
    ActionId, DieId, DirectionId, EndingId, FlagId, KindId, PhaseId, PieceId, PlayerId, RuleId,
    TileId, VariableId,
};
use crate::layout::Layout;
use crate::make::{Cast, Program};
use crate::path::{Mobility, Occupancy, Path, PathOptions, Resolver};
use crate::plan;
use crate::race::Race;
use crate::reckoning::Reckoning;
use crate::state::State;
use crate::survey::{Moment, Survey};
use crate::tile_set::TileSet;
use crate::topology::Topology;
use crate::view::View;

/// How a game is compiled. No choice changes what a game says, only how fast it says it.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which path resolvers are used.
    pub paths: PathOptions,
    /// Whether phases and rules are looked up in a flat plan instead of the written tree.
    pub decision_plan: bool,
    /// Whether moves are listed by tables instead of by asking every rule.
    pub move_tables: bool,
    /// Whether instructions are used that this processor has and not every one.
    pub processor: bool,
    /// Rust code for [`crate::Condition::Custom`] and [`crate::Effect::Custom`].
    pub customs: Customs,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            paths: PathOptions::default(),
            decision_plan: true,
            move_tables: true,
            processor: true,
            customs: Customs::default(),
        }
    }
}

/// Answers a custom condition, given the state and the tiles of the event.
#[derive(Clone, Copy)]
pub struct CustomCondition(pub fn(View<'_>, Option<TileId>, Option<TileId>) -> bool);

/// Does a custom effect, given the draft and the tiles of the event.
#[derive(Clone, Copy)]
pub struct CustomEffect(pub fn(&mut Draft<'_>, Option<TileId>, Option<TileId>));

/// Rust code that a host registers by name.
#[derive(Clone, Default)]
pub struct Customs {
    /// Custom conditions.
    pub conditions: BTreeMap<String, CustomCondition>,
    /// Custom effects.
    pub effects: BTreeMap<String, CustomEffect>,
}

impl fmt::Debug for Customs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.conditions.keys()).entries(self.effects.keys()).finish()
    }
}

/// The compiled, immutable rules of a game. [`Definition::compile`] makes one.
pub struct Game {
    pub(crate) definition: Definition,
    pub(crate) definition_hash: u128,
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
    pub(crate) outcomes: Vec<plan::Outcome>,
    pub(crate) rules: Vec<plan::Rule>,
    pub(crate) gates: Vec<plan::Gate>,
    pub(crate) leaves: Vec<plan::Leaf>,
    pub(crate) endings: Vec<plan::Ending>,
    pub(crate) requirements: Vec<plan::Requirement>,
    pub(crate) start: State,
    /// Where every ending that could stop play is about variables: their bits as at the start,
    /// when none holds, by word and mask.
    pub(crate) quiet: Option<Vec<Masked>>,
    /// What is known of the phases where variables are as they usually are.
    pub(crate) calm: Option<Calm>,
    /// Whether any ending holds of those that do not stop play, where that is quick to ask.
    pub(crate) going_on: Option<Reckoning>,
    /// What rules of movement do, by rule and player, where that is known beforehand.
    pub(crate) programs: Vec<Option<Program>>,
    /// Whether what may be played follows from the position alone.
    pub(crate) by_position: bool,
    /// Tables that list moves; none where the rules alone do.
    pub(crate) generator: Option<Generator>,
    /// What planes say of endings and of pieces put; none where scene and rules alone do.
    pub(crate) survey: Option<Survey>,
    /// The phase that is active in every state, if there is one.
    pub(crate) sole: Option<PhaseId>,
    /// That phase, where nothing but to put is play and programs carry it out.
    pub(crate) putting: Option<PhaseId>,
    /// What rules of rolling do, by rule.
    pub(crate) casts: Vec<Option<Cast>>,
    /// For each leaf phase the tables of its moves by dice, if it fits them.
    pub(crate) races: Vec<Option<Race>>,
}

/// Some bits of a word of the state.
#[derive(Clone, Copy)]
pub(crate) struct Masked {
    pub(crate) word: usize,
    pub(crate) mask: u64,
    pub(crate) bits: u64,
}

impl Masked {
    /// Whether a state's words have these bits.
    #[inline]
    pub(crate) fn is_in(&self, words: &[u64]) -> bool {
        words[self.word] & self.mask == self.bits
    }
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
                self.definition.$list[id.index()].$field()
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
    pieces, piece, piece_name, PieceId, written_name;
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
        impl Named for crate::definition::$what {
            fn written_name(&self) -> &str {
                &self.name
            }
        }
    )*};
}

named!(Player Tile Kind Flag Piece Die Variable Region);

impl Game {
    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.definition.name
    }

    /// The definition this game was compiled from.
    pub fn definition(&self) -> &Definition {
        &self.definition
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

    /// A state, ready to be asked.
    #[inline]
    pub fn view<'a>(&'a self, state: &'a State) -> View<'a> {
        View { game: self, state }
    }

    /// How many tiles the board has.
    pub fn tile_count(&self) -> usize {
        self.definition.tiles.len()
    }

    /// Whose piece it is.
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

    /// What a survey looks at.
    #[inline]
    pub(crate) fn moment<'a>(&self, state: &'a State) -> Moment<'a> {
        Moment { words: state.words(), mover: self.view(state).player() }
    }

    #[inline]
    pub(crate) fn mobility(&self, player: PlayerId, kind: KindId) -> &Mobility {
        &self.mobility[player.index() * self.layout.kinds + kind.index()]
    }

    #[inline]
    pub(crate) fn occupancy<'a>(&'a self, state: &'a State) -> Occupancy<'a> {
        let width = self.layout.width;
        Occupancy {
            planes: &state.words()[..self.layout.players * width],
            width,
            exclusive: &self.exclusive.words()[..width],
        }
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({}, {:032x})", self.name(), self.definition_hash)
    }
}
