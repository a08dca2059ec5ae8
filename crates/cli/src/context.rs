//! What most commands are about: a game, and a position of it.

use senet_core::{
    Event, Explanation, PlayerId, PositionError, Rejection, Setup, State, TileId, TurnError,
};
use senet_render::Marks;
use serde_json::json;

use crate::answer;
use crate::complete;
use crate::failure::{Code, Failure};
use crate::shelf::{self, Edition};
use crate::start;

/// Which game, and which position of it.
#[derive(clap::Args)]
pub(crate) struct Subject {
    /// A game by name, or a definition file that ends with .json.
    #[arg(value_parser = complete::games(), hide_possible_values = true)]
    pub(crate) game: String,
    /// A position in the notation of the game, or startpos; in chess960 also the number of a start,
    /// or random. The start when left out.
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Begin with another value of a variable of the game, such as length=5 or score:white=2.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

/// A game and a position of it, ready to be asked.
pub(crate) struct Context {
    pub(crate) edition: Edition,
    pub(crate) state: State,
}

impl Subject {
    pub(crate) fn resolve(&self) -> Result<Context, Failure> {
        let mut context = Context::new(shelf::open(&self.game)?, self.position.as_deref())?;
        if !self.set.is_empty() {
            context.set(&self.set)?;
        }
        Ok(context)
    }
}

impl Context {
    /// A position of a game, or its start.
    pub(crate) fn new(edition: Edition, position: Option<&str>) -> Result<Context, Failure> {
        let state = match position {
            None => edition.game.start(),
            Some(text) => match start::named(&edition, text) {
                Some(state) => state?,
                None => edition.notation.parse_position(&edition.game, text)?,
            },
        };
        Ok(Context { edition, state })
    }

    /// Gives variables other values.
    fn set(&mut self, values: &[String]) -> Result<(), Failure> {
        let game = &self.edition.game;
        let mut setup = Setup::of(game, &self.state);
        for text in values {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let (name, player) = name.split_once(':').map_or((name, None), |(n, p)| (n, Some(p)));
            let Some(variable) = game.variable(name) else {
                let known = game.variables().map(|variable| game.variable_name(variable));
                let known = known.collect::<Vec<_>>().join(", ");
                let message = format!("set: no variable is named `{name}`, allowed are {known}");
                return Err(Failure::params(message));
            };
            let Ok(value) = value.parse() else {
                let message = format!("set: found `{text}`, allowed is name=number");
                return Err(Failure::params(message));
            };
            let seat = match player.map(|player| (player, game.player(player))) {
                Some((player, None)) => {
                    let message = format!("set: no player is named `{player}`");
                    return Err(Failure::params(message));
                }
                Some((_, seat)) => seat,
                None => None,
            };
            let meant = |of: PlayerId| seat.is_none_or(|seat| seat == of);
            for (_, _, old) in
                setup.variables.iter_mut().filter(|(id, of, _)| *id == variable && meant(*of))
            {
                *old = value;
            }
        }
        let state = game.state(&setup);
        self.state = state.map_err(|errors| PositionError::of_setup(game, &errors))?;
        Ok(())
    }

    /// Reads a whole turn of the position, or a single event.
    pub(crate) fn parse_turn(&self, text: &str) -> Result<Vec<Event>, Failure> {
        let Edition { game, notation, .. } = &self.edition;
        notation.parse_turn(game, &self.state, text).map_err(|error| match error {
            // A move that people would write so and that the rules refuse is no wrong text.
            TurnError::Text(error) => match &notation.readings(game, &self.state, text)[..] {
                [] => error.into(),
                readings => answer::Explanation::of(self, text, readings).refusal(),
            },
            refused => refused.into(),
        })
    }

    /// Reads a legal event of the position, or else a whole turn.
    pub(crate) fn parse_play(&self, text: &str) -> Result<Vec<Event>, Failure> {
        let event = self.parse_event(text).ok();
        match event.filter(|&event| self.edition.game.attempt(&self.state, event).is_some()) {
            Some(event) => Ok(vec![event]),
            None => self.parse_turn(text),
        }
    }

    /// Reads an event of the position.
    pub(crate) fn parse_event(&self, text: &str) -> Result<Event, Failure> {
        let Edition { game, notation, .. } = &self.edition;
        Ok(notation.parse_event(game, &self.state, text)?)
    }

    /// Every event that a text may mean, which is more than one only where none is legal.
    pub(crate) fn readings(&self, text: &str) -> Result<Vec<Event>, Failure> {
        let Edition { game, notation, .. } = &self.edition;
        let readings = notation.readings(game, &self.state, text);
        let legal = |event: &&Event| game.attempt(&self.state, **event).is_some();
        match (readings.len(), readings.iter().find(legal)) {
            (2.., None) => Ok(readings),
            _ => self.parse_event(text).map(|event| vec![event]),
        }
    }

    /// What the rules say of an event, its way as players see it.
    pub(crate) fn explain(&self, event: Event) -> Explanation {
        let mut told = self.edition.game.explain(&self.state, event);
        let landing = self.landing(event);
        if let Some(last) = told.path.iter().position(|tile| Some(*tile) == landing) {
            told.path.truncate(last + 1);
        }
        // A leap touches nothing between its ends, though its pattern counts steps.
        if told.derived.is_empty() && !self.is_straight(&told.path) {
            told.path.drain(1..told.path.len() - 1);
        }
        told
    }

    /// Whether tiles lie one after the other in one direction.
    fn is_straight(&self, tiles: &[TileId]) -> bool {
        let game = &self.edition.game;
        let steps = |pair: &[TileId]| {
            let topology = game.topology();
            let links = topology.leaving(pair[0]).map(|relation| topology.relation(relation));
            let there = links.filter(|link| link.to == pair[1]);
            there.map(|link| link.direction).collect::<Vec<_>>()
        };
        let mut pairs = tiles.windows(2).map(steps);
        let Some(mut ahead) = pairs.next() else { return true };
        pairs.for_each(|directions| ahead.retain(|one| directions.contains(one)));
        !ahead.is_empty()
    }

    /// The marks that explain events: their ways, what stands in them, and who attacks.
    pub(crate) fn marks(&self, events: &[Event]) -> Marks {
        let told = events.iter().map(|event| self.explain(*event));
        told.fold(Marks::default(), |marks, told| marks.explaining(&told))
    }

    /// The tile on which a player sees an event end: the one that its text names after the tile it
    /// leaves, which need not be the tile that the rules speak of.
    pub(crate) fn landing(&self, event: Event) -> Option<TileId> {
        let Edition { game, notation, .. } = &self.edition;
        let (from, to) = senet_render::ends(event);
        let text = notation.format_event(game, &self.state, event);
        let named = from.and_then(|from| {
            let rest = text.strip_prefix(game.tile_name(from))?;
            let fits = |tile: &TileId| rest.starts_with(game.tile_name(*tile));
            game.tiles().filter(fits).max_by_key(|tile| game.tile_name(*tile).len())
        });
        named.or(to)
    }

    /// The position as text.
    pub(crate) fn position(&self) -> String {
        self.edition.notation.format_position(&self.edition.game, &self.state)
    }

    /// The name of the player to move.
    pub(crate) fn player(&self) -> &str {
        let game = &self.edition.game;
        game.player_name(game.view(&self.state).player())
    }

    /// Whether a royal piece of the player to move is attacked.
    pub(crate) fn is_check(&self) -> bool {
        let game = &self.edition.game;
        !game.threatened_royals(&self.state, game.view(&self.state).player()).is_empty()
    }

    /// The board drawn, without the end of its last line.
    pub(crate) fn drawing(&self) -> String {
        let drawn = self.edition.notation.draw(&self.edition.game, &self.state);
        drawn.trim_end_matches('\n').to_owned()
    }

    /// A refusal as a failure.
    pub(crate) fn refusal(&self, rejection: &Rejection) -> Failure {
        let Edition { game, notation, .. } = &self.edition;
        let reasons = rejection.reasons.iter().map(|reason| answer::Reason::new(self, *reason));
        let reasons: Vec<answer::Reason> = reasons.collect();
        let event = notation.format_event(game, &self.state, rejection.event);
        let because = self.because(&game.explain(&self.state, rejection.event));
        let message = format!("{event} is refused: {because}");
        let details = json!({
            "event": event,
            "phase": rejection.phase.map(|phase| game.phase_name(phase)),
            "rule": rejection.rule.map(|rule| game.rule_name(rule)),
            "reasons": reasons,
        });
        Failure::new(Code::Rejected, message, details)
    }
}
