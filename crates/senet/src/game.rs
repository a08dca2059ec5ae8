//! A compiled game with everything that belongs to it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use senet_core::notation::PositionError;
use senet_core::setup::SetupErrors;
use senet_core::{
    ActionId, Change, DieId, DirectionId, EndingId, Event, FlagId, KindId, MarkId, NamedChange,
    Notation, Outcome, OutcomeId, PhaseId, PieceId, Plain, PlayerId, Reason, RuleId, Setup, State,
    TileId, VariableId,
};
use senet_registry::Entry;
use senet_wasm::Unsupported;

use crate::define::{Definition, DefinitionErrors, Options};
use crate::native;
use crate::position::Position;

/// A game ready to be played: its compiled rules and how it is written. A clone shares the rules.
///
/// Two games are equal when they have the same definition. An id, such as a [`TileId`], names
/// something of one game; methods that take one panic if the game has nothing of that number.
#[derive(Clone)]
pub struct Game {
    rules: Arc<senet_core::Game>,
    notation: &'static dyn Notation,
    /// The name of the notation, where it is one of [`crate::notation::named`].
    notation_name: Option<&'static str>,
    /// Where the game is a shipped one.
    entry: Option<&'static Entry>,
}

/// Why there is no game in a file or a text.
#[derive(Debug)]
pub enum GameError {
    /// The file cannot be read.
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The text is not a definition in JSON.
    Json {
        /// The line of the first mistake, counted from 1.
        line: usize,
        /// The column of the first mistake, counted from 1.
        column: usize,
        /// What is wrong: a line for each mistake, with its JSON path.
        message: String,
    },
    /// The definition has mistakes: all of them.
    Definition(DefinitionErrors),
    /// The game file has mistakes: all of them, each with its place.
    File(senet_registry::lang::Problems),
}

/// Two things that must be of one game are of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherGame {
    /// The name of the game that was asked.
    pub asked: String,
    /// The name of the game that the other thing is of.
    pub found: String,
}

/// A state whose words are not a state of this game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignState {
    /// The name of the game that was asked.
    pub game: String,
}

impl Game {
    pub(crate) fn registered(entry: &'static Entry) -> Game {
        let plain = entry.notation.is_plain();
        let notation = if plain { crate::files::PLAIN } else { entry.notation };
        let rules = entry.game();
        native::attach(&rules);
        Game { rules, notation, notation_name: None, entry: Some(entry) }
    }

    /// Compiles a definition, or lists every mistake in it. The game is written in the plain
    /// notation; [`Game::with_notation`] gives it another.
    pub fn compile(definition: Definition) -> Result<Game, DefinitionErrors> {
        Game::compile_with(definition, Options::default())
    }

    /// Compiles a definition with options, which change its speed and never an answer.
    pub fn compile_with(
        definition: Definition,
        options: Options,
    ) -> Result<Game, DefinitionErrors> {
        let rules = Arc::new(definition.compile(options)?);
        native::attach(&rules);
        let notation_name = Some(crate::notation::PLAIN);
        Ok(Game { rules, notation: &Plain, notation_name, entry: None })
    }

    /// Reads and compiles a definition in JSON.
    pub fn from_json(json: impl AsRef<[u8]>) -> Result<Game, GameError> {
        let definition = senet_registry::lang::read_json(json.as_ref()).map_err(|found| {
            let (line, column) = found.first().map_or((1, 1), |first| (first.line, first.column));
            let each: Vec<String> = found.iter().map(ToString::to_string).collect();
            GameError::Json { line, column, message: each.join("\n") }
        })?;
        Game::compile(definition).map_err(GameError::Definition)
    }

    /// A game whose rules are compiled already.
    pub(crate) fn of_rules(
        rules: Arc<senet_core::Game>,
        (name, notation): (&'static str, &'static dyn Notation),
    ) -> Game {
        native::attach(&rules);
        Game { rules, notation, notation_name: Some(name), entry: None }
    }

    /// Reads and compiles a file: a game file where its name ends with `.senet`, otherwise a
    /// definition in JSON.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Game, GameError> {
        let path = path.as_ref();
        if path.extension().is_some_and(|extension| extension == "senet") {
            return Game::from_source_file(path);
        }
        let json =
            std::fs::read(path).map_err(|error| GameError::Io { path: path.to_owned(), error })?;
        Game::from_json(json)
    }

    /// The same game, written in another notation.
    pub fn with_notation(self, notation: &'static dyn Notation) -> Game {
        Game { notation, notation_name: None, ..self }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.rules.name()
    }

    /// Whether it is a shipped game. A game of a file may have the name of one and other rules.
    pub fn is_shipped(&self) -> bool {
        self.entry.is_some()
    }

    /// What it is, in a line; none for a game that is not shipped.
    pub fn summary(&self) -> Option<&'static str> {
        self.entry.map(Entry::summary)
    }

    /// What its positions look to be worth, for bots; none where nobody has said it.
    pub fn weights(&self) -> Option<&senet_core::written::Weights> {
        self.definition().weights.as_ref()
    }

    /// What carries out its rules, in words: machine code where there is much to do, or the
    /// interpreter and why. Asking compiles the game: only that tells whether this host may run
    /// machine code.
    pub fn backend(&self) -> String {
        use senet_core::backend::Purpose;
        let Some(backend) = self.rules.backend() else { return "interpreter".to_owned() };
        match backend.session(&self.rules, Purpose::Play) {
            Ok(_) => format!("{} for long work, interpreter for the rest", backend.name()),
            Err(why) => format!("interpreter ({why})"),
        }
    }

    /// The game as a WebAssembly module, which any runtime of WebAssembly can play.
    ///
    /// # Errors
    /// Where a rule asks or does something that has no WebAssembly form.
    pub fn to_wasm(&self) -> Result<Vec<u8>, Unsupported> {
        Ok(senet_wasm::emit(&self.rules)?.bytes)
    }

    /// The game as written.
    pub fn definition(&self) -> &Definition {
        self.rules.definition()
    }

    /// The hash of the definition. It names these rules in saved matches.
    pub fn definition_hash(&self) -> u128 {
        self.rules.definition_hash()
    }

    /// How positions and events are written.
    pub fn notation(&self) -> &'static dyn Notation {
        self.notation
    }

    /// The name of its notation, which [`crate::notation::named`] finds again; none for a shipped
    /// game, which has its own, and for a notation that [`Game::with_notation`] gave.
    pub fn notation_name(&self) -> Option<&'static str> {
        self.notation_name
    }

    /// The same game, written in the notation of a name; none where no notation has the name, or
    /// where it cannot write the game.
    pub fn with_notation_named(self, name: &str) -> Option<Game> {
        let (name, notation) = crate::notation::named(name)?;
        if senet_registry::misfit(name, self.definition()).is_some() {
            return None;
        }
        Some(Game { notation, notation_name: Some(name), ..self })
    }

    /// The compiled rules, for crates that work on the core alone, as timelines do.
    pub fn rules(&self) -> &Arc<senet_core::Game> {
        &self.rules
    }

    /// How the rules of a name, or all rules, are carried out for each player.
    pub fn inspect(&self, rule: Option<&str>) -> Vec<senet_core::layers::Inspection> {
        self.rules.inspect(rule)
    }

    /// The position at the start.
    pub fn start(&self) -> Position {
        self.holding(self.rules.start())
    }

    /// The position from which published trees are counted: the start, or in backgammon the start
    /// with the first player on roll.
    pub fn count_start(&self) -> Position {
        match self.entry {
            Some(entry) => self.holding((entry.count_from)(&self.rules)),
            None => self.start(),
        }
    }

    /// Reads a position in the notation of the game, or says every reason why it is none.
    pub fn position(&self, text: &str) -> Result<Position, PositionError> {
        Ok(self.holding(self.notation.parse_position(&self.rules, text)?))
    }

    /// The position of any arrangement, or every reason why it is none.
    pub fn setup(&self, setup: &Setup) -> Result<Position, SetupErrors> {
        Ok(self.holding(self.rules.state(setup)?))
    }

    /// The position of a state. Every fact of the state is checked, so that a state of another
    /// game is an error.
    pub fn at(&self, state: &State) -> Result<Position, ForeignState> {
        self.restore(state.words())
    }

    /// The position of the words of a state, as [`State::words`] gives them.
    pub fn restore(&self, words: &[u64]) -> Result<Position, ForeignState> {
        let state = self.rules.restore(words);
        let state = state.ok_or_else(|| ForeignState { game: self.name().to_owned() })?;
        Ok(self.holding(state))
    }

    /// The position of a state that is known to be of this game.
    pub(crate) fn holding(&self, state: State) -> Position {
        Position::new(self.clone(), state)
    }

    /// Whether the other thing is of this game too.
    pub(crate) fn check_same(&self, other: &Game) -> Result<(), OtherGame> {
        if self == other {
            return Ok(());
        }
        Err(OtherGame { asked: self.name().to_owned(), found: other.name().to_owned() })
    }

    /// Whether the game has everything that an event names.
    pub fn knows(&self, event: Event) -> bool {
        self.rules.knows(event)
    }

    /// Whether something is hidden from some players. Show them [`Position::observe`], never the
    /// position itself.
    pub fn has_secrets(&self) -> bool {
        self.rules.has_secrets()
    }

    /// The name of an outcome of chance that is no throw of dice, such as a card.
    pub fn outcome_name(&self, outcome: OutcomeId) -> Option<&str> {
        self.rules.outcome_name(outcome)
    }

    /// How many tiles the board has.
    pub fn tile_count(&self) -> usize {
        self.rules.tile_count()
    }

    /// Whether a tile holds many pieces.
    pub fn stacks(&self, tile: TileId) -> bool {
        self.rules.stacks(tile)
    }

    /// What a player calls a tile. Points of backgammon are numbered from the player's own side;
    /// elsewhere it is the name of the tile.
    pub fn label(&self, player: PlayerId, tile: TileId) -> String {
        let own = || senet_registry::label(self.name(), &self.rules, player, tile);
        let own = self.is_shipped().then(own).flatten();
        own.unwrap_or_else(|| self.tile_name(tile).to_owned())
    }

    /// Whose piece it is at the start; [`View::owner_of`](crate::View::owner_of) says whose it is now.
    pub fn owner(&self, piece: PieceId) -> PlayerId {
        self.rules.owner(piece)
    }

    /// Whether two players are on one side; every player is on his own.
    pub fn are_allied(&self, one: PlayerId, other: PlayerId) -> bool {
        self.rules.are_allied(one, other)
    }

    /// Whether a turn is several moves by dice, so that people count turns and not moves.
    pub fn plays_by_turns(&self) -> bool {
        self.rules.plays_by_turns()
    }

    /// What each die shows in an outcome of chance; nothing where the game has no such outcome.
    pub fn faces(&self, outcome: OutcomeId) -> &[(DieId, u8)] {
        self.rules.faces(outcome)
    }

    /// The name of a phase.
    pub fn phase_name(&self, phase: PhaseId) -> &str {
        self.rules.phase_name(phase)
    }

    /// The name of a rule.
    pub fn rule_name(&self, rule: RuleId) -> &str {
        self.rules.rule_name(rule)
    }

    /// The name of an ending.
    pub fn ending_name(&self, ending: EndingId) -> &str {
        self.rules.ending_name(ending)
    }

    /// A reason for a refusal in words.
    pub fn reason_text(&self, reason: Reason) -> String {
        self.rules.reason_text(reason)
    }

    /// An outcome in words, such as `white wins: checkmate`.
    pub fn outcome_text(&self, outcome: &Outcome) -> String {
        let ending = self.ending_name(outcome.ending);
        match outcome.winner {
            Some(winner) => format!("{} wins: {ending}", self.player_name(winner)),
            None => format!("draw: {ending}"),
        }
    }

    /// A change with names instead of ids.
    pub fn name_change(&self, change: Change) -> NamedChange<'_> {
        self.rules.name_change(change)
    }
}

macro_rules! names {
    ($($list:ident, $one:ident, $name_of:ident, $id:ident;)*) => {
        /// The things of a game, by id and by name.
        impl Game {$(
            #[doc = concat!("Every one of the ", stringify!($list), ", in the order of the definition.")]
            pub fn $list(&self) -> impl Iterator<Item = $id> + Clone + use<> {
                self.rules.$list()
            }

            #[doc = concat!("The ", stringify!($one), " of a name.")]
            pub fn $one(&self, name: &str) -> Option<$id> {
                self.rules.$one(name)
            }

            #[doc = concat!("The name of a ", stringify!($one), ".")]
            pub fn $name_of(&self, id: $id) -> &str {
                self.rules.$name_of(id)
            }
        )*}
    };
}

names! {
    players, player, player_name, PlayerId;
    tiles, tile, tile_name, TileId;
    directions, direction, direction_name, DirectionId;
    kinds, kind, kind_name, KindId;
    flags, flag, flag_name, FlagId;
    marks, mark, mark_name, MarkId;
    pieces, piece, piece_name, PieceId;
    dice, die, die_name, DieId;
    variables, variable, variable_name, VariableId;
    actions, action, action_name, ActionId;
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.definition_hash() == other.definition_hash()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game({}, {:032x})", self.name(), self.definition_hash())
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Io { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            GameError::Json { message, .. } => write!(f, "not a definition: {message}"),
            GameError::Definition(errors) => errors.fmt(f),
            GameError::File(problems) => problems.fmt(f),
        }
    }
}

impl std::error::Error for GameError {}

impl fmt::Display for OtherGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OtherGame { asked, found } = self;
        if asked == found {
            return write!(f, "both games are named `{asked}`, but their definitions differ");
        }
        write!(f, "this belongs to `{found}`, but the question is about `{asked}`")
    }
}

impl std::error::Error for OtherGame {}

impl fmt::Display for ForeignState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "these words are not a state of `{}`", self.game)
    }
}

impl std::error::Error for ForeignState {}
