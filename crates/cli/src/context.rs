//! What most commands are about: a game, and a position of it.

use senet::notation::{Meant, PositionError, TurnError};
use senet::render::Marks;
use senet::{ApplyError, Event, Game, PlayerId, Position, Refused, Step, Viewer};
use serde_json::json;

use crate::answer;
use crate::complete;
use crate::failure::{Code, Failure};
use crate::shelf;
use crate::source;
use crate::start;

/// Which game, and which position of it.
#[derive(clap::Args)]
pub(crate) struct Subject {
    /// A game by name, a game file that ends with .senet, or a definition that ends with .json.
    #[arg(value_parser = complete::games(), hide_possible_values = true)]
    pub(crate) game: String,
    /// A position in the notation of the game, or startpos; in chess960 also the number of a start,
    /// or random. The start of the game by default.
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,
    /// Choose an option of the game, such as size=9, or begin with another value of a variable,
    /// such as length=5 or score:white=2.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

/// A position of a game, ready to be asked.
pub(crate) struct Context {
    pub(crate) position: Position,
}

impl Subject {
    pub(crate) fn resolve(&self) -> Result<Context, Failure> {
        let position = self.position.as_deref();
        if self.set.is_empty() || self.game.ends_with(".json") {
            let mut context = Context::new(&shelf::open(&self.game)?, position)?;
            context.set(&self.set)?;
            return Ok(context);
        }
        let (game, set) = source::open(&self.game, &self.set)?;
        let mut context = Context::new(&game, position)?;
        context.set(&set)?;
        Ok(context)
    }
}

impl Context {
    /// A position of a game, or its start.
    pub(crate) fn new(game: &Game, position: Option<&str>) -> Result<Context, Failure> {
        let position = match position {
            None => game.start(),
            Some(text) => match start::named(game, text) {
                Some(position) => position?,
                None => game.position(text)?,
            },
        };
        Ok(Context { position })
    }

    pub(crate) fn game(&self) -> &Game {
        self.position.game()
    }

    /// Gives variables other values.
    fn set(&mut self, values: &[String]) -> Result<(), Failure> {
        if values.is_empty() {
            return Ok(());
        }
        let game = self.game();
        let mut setup = self.position.setup();
        for text in values {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let (name, player) = name.split_once(':').map_or((name, None), |(n, p)| (n, Some(p)));
            let Some(variable) = game.variable(name) else {
                let known = game.variables().map(|variable| game.variable_name(variable));
                let known = known.collect::<Vec<_>>().join(", ");
                let message =
                    format!("--set: there is no variable `{name}`; the variables are {known}");
                return Err(Failure::params(message));
            };
            let Ok(value) = value.parse() else {
                let message = format!("--set: expected name=number, found `{text}`");
                return Err(Failure::params(message));
            };
            let seat = match player.map(|player| (player, game.player(player))) {
                Some((player, None)) => {
                    let message = format!("--set: there is no player `{player}`");
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
        let position = game.setup(&setup);
        let reasons = |errors| PositionError::of_setup(game.rules(), &errors);
        self.position = position.map_err(reasons)?;
        Ok(())
    }

    /// Reads a whole turn of the position, or a single event.
    pub(crate) fn parse_turn(&self, text: &str) -> Result<Meant, Failure> {
        self.position.parse_turn(text).map_err(|error| match error {
            // A move that people would write so and that the rules refuse is no wrong text.
            TurnError::Text(error) => match &self.position.readings(text)[..] {
                [] => error.into(),
                readings => answer::Explanation::of(self, text, readings).refusal(),
            },
            refused => refused.into(),
        })
    }

    /// Plays what a text says: a legal event of the position, or else a whole turn. A turn in
    /// which nothing can be played is what happens by itself.
    pub(crate) fn play(&self, text: &str) -> Result<Vec<Step>, Failure> {
        match self.position.apply(text) {
            Ok(step) => Ok(vec![step]),
            Err(_) => Ok(self.position.apply_turn(&self.parse_turn(text)?)?),
        }
    }

    /// Reads an event of the position.
    pub(crate) fn parse_event(&self, text: &str) -> Result<Event, Failure> {
        Ok(self.position.parse_event(text)?)
    }

    /// Every event that a text may mean, which is more than one only where none is legal.
    pub(crate) fn readings(&self, text: &str) -> Result<Vec<Event>, Failure> {
        let readings = self.position.readings(text);
        match readings.len() {
            2.. if self.position.layers().filter_legal(&readings).is_empty() => Ok(readings),
            _ => self.parse_event(text).map(|event| vec![event]),
        }
    }

    /// The marks that explain events: their ways, what stands in them, and who attacks.
    pub(crate) fn marks(&self, events: &[Event]) -> Marks {
        let told = events.iter().map(|event| self.position.explain_event(*event));
        told.fold(Marks::default(), |marks, told| marks.explaining(&told))
    }

    /// The name of the player to move.
    pub(crate) fn player(&self) -> &str {
        self.game().player_name(self.position.player())
    }

    /// Whether a royal piece of the player to move is attacked.
    pub(crate) fn is_check(&self) -> bool {
        let player = self.position.player();
        if self.game().has_secrets() {
            // Whether a royal piece is attacked may be hidden too.
            let known = self.position.known_to(Viewer::Player(player));
            return !known.layers().threatened_royals(player).is_empty();
        }
        !self.position.layers().threatened_royals(player).is_empty()
    }

    /// The board drawn, without the end of its last line.
    pub(crate) fn drawing(&self) -> String {
        self.position.draw().trim_end_matches('\n').to_owned()
    }
}

impl From<ApplyError> for Failure {
    fn from(error: ApplyError) -> Failure {
        match error {
            ApplyError::Text(error) => error.into(),
            ApplyError::Foreign(_) => Failure::params(error.to_string()),
            ApplyError::Refused(refused) => (*refused).into(),
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        let context = Context { position: refused.position().clone() };
        let (game, rejection) = (context.game(), refused.rejection());
        let reasons = refused.reasons().iter();
        let reasons = reasons.map(|reason| answer::Reason::new(&context, *reason));
        let event = context.position.format(refused.event());
        let because = context.because(&context.position.explain_event(refused.event()));
        let message = format!("{event} is refused: {because}");
        let details = json!({
            "event": event,
            "phase": rejection.phase.map(|phase| game.phase_name(phase)),
            "rule": rejection.rule.map(|rule| game.rule_name(rule)),
            "reasons": reasons.collect::<Vec<answer::Reason>>(),
        });
        Failure::new(Code::Rejected, message, details)
    }
}
