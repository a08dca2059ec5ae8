//! A position: a state together with the game it is of.

use std::fmt;
use std::hash::{Hash, Hasher};

use senet_core::notation::{EventError, Meant, TurnError};
use senet_core::observe::{Glimpse, Observation, Viewer};
use senet_core::{
    After, Budget, Chance, Event, Leaves, Notation, Outcome, PhaseId, Plain, PlayerId, Setup,
    State, Stopped, TileId, View,
};

use crate::game::Game;
use crate::layers::Layers;

/// A position of a game. It never changes: [`Position::apply`] gives the next one.
///
/// As text it is what the notation of the game writes, such as FEN. Two positions are equal when
/// they count as the same position of the same game: which of two like pieces stands where, and
/// counters such as the number of the move, make no difference. The [`State`]s tell those apart.
///
/// Where the rules ask whether a position has come up before, one that was reached by
/// [`Position::apply`], or that a match is at, knows those that led to it.
#[derive(Clone)]
pub struct Position {
    game: Game,
    state: State,
    /// The positions before it, by their hashes; none where the rules do not ask for them.
    past: Vec<u64>,
}

/// A whole turn: its events and the position after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The events, in order.
    pub events: Vec<Event>,
    /// The position after them.
    pub position: Position,
}

impl Position {
    pub(crate) fn new(game: Game, state: State) -> Position {
        Position::reached(game, state, Vec::new())
    }

    /// A position with what came before it.
    pub(crate) fn reached(game: Game, state: State, past: Vec<u64>) -> Position {
        Position { game, state, past }
    }

    pub(crate) fn past(&self) -> &[u64] {
        &self.past
    }

    /// The rules, told of what came before.
    pub(crate) fn rules(&self) -> After<'_, '_> {
        self.game.rules().after(&self.past)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The state: every fact of the position as a few machine words.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Who is to move.
    pub fn player(&self) -> PlayerId {
        self.view().player()
    }

    /// The phase that is open, if one is.
    pub fn phase(&self) -> Option<PhaseId> {
        self.game.rules().active_phase(&self.state)
    }

    /// The stable 128-bit hash: the same for equal positions, on every machine.
    pub fn hash128(&self) -> u128 {
        self.state.hash128()
    }

    /// What stands where, what dice show and what is counted.
    pub fn view(&self) -> View<'_> {
        self.game.rules().view(&self.state)
    }

    /// The position as an arrangement that can be changed; [`Game::setup`] is the way back.
    pub fn setup(&self) -> Setup {
        Setup::of(self.game.rules(), &self.state)
    }

    /// What the player to move calls a tile. Points of backgammon are numbered from the player's
    /// own side; elsewhere it is the name of the tile.
    pub fn label(&self, tile: TileId) -> String {
        self.game.label(self.player(), tile)
    }

    /// The labels of all tiles, in the order of the tiles.
    pub fn labels(&self) -> Vec<String> {
        self.game.tiles().map(|tile| self.label(tile)).collect()
    }

    /// The layers of move generation below [`Position::legal`], and the diff of two positions.
    pub fn layers(&self) -> Layers<'_> {
        Layers::new(self)
    }
}

/// What can be played, and how the game ends.
impl Position {
    /// Every legal event, each once: by kind of event, then in the order of the rules, then of the
    /// tiles. Where chance is awaited, these are its outcomes.
    pub fn legal(&self) -> Vec<Event> {
        self.rules().legal(&self.state)
    }

    /// How many events are legal, without listing them.
    pub fn legal_count(&self) -> u64 {
        self.rules().legal_count(&self.state)
    }

    /// Whether any event is legal.
    pub fn has_legal(&self) -> bool {
        self.rules().has_legal(&self.state)
    }

    /// What the player may say instead of playing, such as to resign. [`Position::apply`] takes
    /// it; it is not among the legal events.
    pub fn asides(&self) -> Vec<Event> {
        self.game.rules().asides(&self.state)
    }

    /// The event that happens by itself here, such as a turn that passes because nothing can be
    /// played.
    pub fn due(&self) -> Option<Event> {
        self.game.rules().due(&self.state)
    }

    /// Whether dice or another outcome of chance is awaited.
    pub fn awaits_chance(&self) -> bool {
        self.game.rules().awaits_chance(&self.state)
    }

    /// What chance may give, each with its exact probability.
    pub fn chances(&self) -> Vec<Chance> {
        self.game.rules().chances(&self.state)
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.rules().outcome(&self.state)
    }

    /// Every whole turn of the player to move, one for each position it can lead to. Where chance
    /// is awaited, every outcome is a turn of its own.
    ///
    /// # Errors
    /// If turns have no end, or more positions than can be kept.
    pub fn turns(&self) -> Result<Vec<Turn>, Stopped> {
        let turns = self.rules().turns_within(&self.state, &mut Budget::unlimited())?.into_iter();
        let turn = |senet_core::Turn { events, state }| {
            let position = self.below(&events, state);
            Turn { events, position }
        };
        Ok(turns.map(turn).collect())
    }

    /// How many sequences of `depth` legal events there are. Sequences that end earlier because
    /// the game is over do not count.
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_within(depth, &mut Budget::unlimited()).unwrap_or(u64::MAX)
    }

    /// The count of [`Position::perft`] within a budget, or why it could not be made.
    pub fn perft_within(&self, depth: u32, budget: &mut Budget<'_>) -> Result<u64, Stopped> {
        self.rules().perft_within(&self.state, depth, budget)
    }

    /// The count of [`Position::turn_perft`] within a budget, or why it could not be made.
    pub fn turn_perft_within(&self, depth: u32, budget: &mut Budget<'_>) -> Result<u64, Stopped> {
        self.rules().turn_perft_within(&self.state, depth, budget)
    }

    /// The leaves that [`Position::perft`] counts, each of them made and its hash summed.
    pub fn perft_made(&self, depth: u32) -> Leaves {
        let made = self.rules().perft_made_within(&self.state, depth, &mut Budget::unlimited());
        made.unwrap_or(Leaves { nodes: u64::MAX, sum: 0 })
    }

    /// How many sequences of `depth` whole turns there are, where a turn is all that a player does
    /// from one outcome of chance on, and turns that lead to one position are one.
    pub fn turn_perft(&self, depth: u32) -> u64 {
        self.turn_perft_within(depth, &mut Budget::unlimited()).unwrap_or(u64::MAX)
    }

    /// The count of [`Position::perft`] below each first event.
    pub fn divide(&self, depth: u32) -> Vec<(Event, u64)> {
        self.divide_within(depth, &mut Budget::unlimited()).unwrap_or_default()
    }

    /// The counts of [`Position::divide`] within a budget, or why they could not be made.
    pub fn divide_within(
        &self,
        depth: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(Event, u64)>, Stopped> {
        self.rules().divide_within(&self.state, depth, budget)
    }

    /// The position after an event, of which the state is known.
    pub(crate) fn next(&self, state: State) -> Position {
        let mut past = Vec::new();
        if self.game.rules().looks_back() {
            past.extend(self.past.iter().copied().chain([self.state.hash()]));
        }
        Position::reached(self.game.clone(), state, past)
    }

    /// The position after some legal events, of which the state is known.
    pub(crate) fn below(&self, events: &[Event], state: State) -> Position {
        let past = self.rules().past_of(&self.state, events);
        Position::reached(self.game.clone(), state, past)
    }
}

/// How a position and its events are written. An event with ids that the game does not have is
/// written `?`.
impl Position {
    /// Reads an event in the notation of the game, legal or not.
    pub fn parse_event(&self, text: &str) -> Result<Event, EventError> {
        self.notation().parse_event(self.game.rules(), &self.state, text)
    }

    /// Reads a whole turn, or a single event; [`Position::apply_turn`] plays it.
    pub fn parse_turn(&self, text: &str) -> Result<Meant, TurnError> {
        self.notation().parse_turn(self.game.rules(), &self.state, text)
    }

    /// Every event that a text may mean, legal or not: more than one where it does not say which
    /// piece, and none where it is not written as an event is.
    pub fn readings(&self, text: &str) -> Vec<Event> {
        self.notation().readings(self.game.rules(), &self.state, text)
    }

    /// The same position, written in the plain notation that every game has.
    pub fn plain(&self) -> Position {
        let game = self.game.clone().with_notation(&Plain);
        Position { game, ..self.clone() }
    }

    /// Writes an event so that no other event of the position is written the same.
    pub fn format(&self, event: Event) -> String {
        if !self.game.knows(event) {
            return "?".to_owned();
        }
        self.notation().format_event(self.game.rules(), &self.state, event)
    }

    /// Writes a legal event as people do, such as `Nf3` or `O-O`.
    pub fn notate(&self, event: Event) -> String {
        if !self.game.knows(event) {
            return "?".to_owned();
        }
        self.notation().notate(self.game.rules(), &self.state, event)
    }

    /// Writes a whole turn of the position as people do.
    pub fn notate_turn(&self, turn: &Turn) -> String {
        if !turn.events.iter().all(|&event| self.game.knows(event)) {
            return "?".to_owned();
        }
        let (events, state) = (turn.events.clone(), turn.position.state.clone());
        let turn = senet_core::Turn { events, state };
        self.notation().notate_turn(self.game.rules(), &self.state, &turn)
    }

    /// Writes the position in one of the forms of the notation, such as `epd`; none where there
    /// is no such form. Every game has the form `plain`.
    pub fn format_as(&self, form: &str) -> Option<String> {
        let written = self.notation().format_as(self.game.rules(), &self.state, form);
        written.or_else(|| (form == "plain").then(|| self.plain().to_string()))
    }

    /// Writes the pieces alone as a player sees them, as an object of JSON; none where the
    /// notation has no such form.
    pub fn format_board(&self, player: PlayerId) -> Option<String> {
        self.notation().format_board(self.game.rules(), &self.state, player)
    }

    /// What a board does not show, in lines, such as the number of the move.
    pub fn facts(&self) -> Vec<String> {
        self.notation().facts(self.game.rules(), &self.state)
    }

    /// What a player or a spectator knows of the position: the only thing of it to show them in a
    /// game with secrets.
    pub fn observe(&self, viewer: Viewer) -> Observation {
        self.game.rules().observe(&self.state, viewer)
    }

    /// What a viewer sees of an event that leads from here to another position.
    pub fn glimpse(&self, event: Event, after: &Position, viewer: Viewer) -> Glimpse {
        self.game.rules().glimpse(&self.state, event, &after.state, viewer)
    }

    /// The position as a viewer knows it: what is hidden is left out.
    #[must_use]
    pub fn known_to(&self, viewer: Viewer) -> Position {
        self.game.holding(self.observe(viewer).known().clone())
    }

    /// The board drawn with letters.
    pub fn draw(&self) -> String {
        self.notation().draw(self.game.rules(), &self.state)
    }

    fn notation(&self) -> &'static dyn Notation {
        self.game.notation()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notation().format_position(self.game.rules(), &self.state))
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({}, {self})", self.game.name())
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.game == other.game && self.view().same_position(&other.state)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash128().hash(hasher);
    }
}
