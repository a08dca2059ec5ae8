//! Applying an event or a text to a position, and why that fails.

use std::fmt;

use senet_core::notation::{EventError, Meant};
use senet_core::{Accepted, Event, Reason, Rejection, RuleId};

use crate::position::Position;

/// An accepted event: what happened, by which rule, and the position after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The event.
    pub event: Event,
    /// The rule that carried it out.
    pub rule: RuleId,
    /// The position after it.
    pub position: Position,
}

/// Why an event or a text cannot be applied. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// The text is not written as a move of this game, or it may mean several.
    Text(EventError),
    /// The event names a tile, a kind, an act or an outcome of chance that the game does not have.
    Foreign(Event),
    /// The rules refuse the event.
    Refused(Box<Refused>),
}

/// An event that the rules refuse, and why. As text it says the event and the main reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    position: Position,
    rejection: Rejection,
}

impl Refused {
    pub(crate) fn new(position: Position, rejection: Rejection) -> Refused {
        Refused { position, rejection }
    }

    /// The event.
    pub fn event(&self) -> Event {
        self.rejection.event
    }

    /// The position in which it was refused.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The phase, the nearest rule and every reason.
    pub fn rejection(&self) -> &Rejection {
        &self.rejection
    }

    /// Every reason, the main one first.
    pub fn reasons(&self) -> &[Reason] {
        &self.rejection.reasons
    }
}

/// What can be proposed in a position: an [`Event`], or the text of one in the notation of the
/// game.
pub trait Proposal: sealed::Sealed {
    /// The events that are meant, legal or not: more than one where a text does not say which
    /// piece.
    #[doc(hidden)]
    fn readings(&self, position: &Position) -> Vec<Event>;

    /// The one event that is meant, or why there is none.
    #[doc(hidden)]
    fn event(&self, position: &Position) -> Result<Event, EventError>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for senet_core::Event {}
    impl Sealed for str {}
    impl Sealed for String {}
    impl<T: Sealed + ?Sized> Sealed for &T {}
}

impl Proposal for Event {
    fn readings(&self, _: &Position) -> Vec<Event> {
        vec![*self]
    }

    fn event(&self, _: &Position) -> Result<Event, EventError> {
        Ok(*self)
    }
}

impl Proposal for str {
    fn readings(&self, position: &Position) -> Vec<Event> {
        position.readings(self)
    }

    fn event(&self, position: &Position) -> Result<Event, EventError> {
        position.parse_event(self)
    }
}

impl Proposal for String {
    fn readings(&self, position: &Position) -> Vec<Event> {
        self.as_str().readings(position)
    }

    fn event(&self, position: &Position) -> Result<Event, EventError> {
        self.as_str().event(position)
    }
}

impl<T: Proposal + ?Sized> Proposal for &T {
    fn readings(&self, position: &Position) -> Vec<Event> {
        (**self).readings(position)
    }

    fn event(&self, position: &Position) -> Result<Event, EventError> {
        (**self).event(position)
    }
}

/// What a text means in a position.
pub(crate) enum Reading {
    /// One event, legal or not.
    One(Event),
    /// Several events, of which one is accepted.
    Accepted(Accepted),
    /// Several events, of which none or more than one is accepted, or nothing.
    Unclear,
}

impl Position {
    /// Carries out an event, or the text of one, or says why not. The position itself stays as it
    /// is.
    ///
    /// A text that names no one piece means the only piece that may do it: `Nf3` is clear where
    /// one of two knights is pinned.
    pub fn apply(&self, proposal: impl Proposal) -> Result<Step, ApplyError> {
        match self.accepted(&proposal.readings(self)) {
            Reading::One(event) => self.apply_event(event),
            Reading::Accepted(accepted) => self.carry_out(accepted),
            Reading::Unclear => self.apply_event(proposal.event(self)?),
        }
    }

    /// Plays a whole turn that [`Position::parse_turn`] read, or a single event. A turn without events
    /// is what happens by itself, where anything does.
    pub fn apply_turn(&self, turn: &Meant) -> Result<Vec<Step>, ApplyError> {
        let mut steps: Vec<Step> = Vec::new();
        match turn {
            Meant::Event(event) => steps.push(self.apply(event)?),
            Meant::Turn(turn) if turn.is_empty() => {
                if let Some(due) = self.due() {
                    steps.push(self.apply(due)?);
                }
            }
            Meant::Turn(turn) => {
                for &accepted in turn {
                    let now = steps.last().map_or(self, |step| &step.position);
                    steps.push(now.carry_out(accepted)?);
                }
            }
        }
        Ok(steps)
    }

    /// Carries out an event that was accepted, without judging it again where this position did.
    fn carry_out(&self, accepted: Accepted) -> Result<Step, ApplyError> {
        let (event, rule) = (accepted.event(), accepted.rule());
        if !accepted.is_of(self.state()) {
            return self.apply_event(event);
        }
        let state = self.game().rules().walker().play(self.state(), accepted);
        Ok(Step { event, rule, position: self.next(state) })
    }

    /// Which of several readings of a text is meant: where one alone is accepted, that one, which
    /// need not be judged again.
    pub(crate) fn accepted(&self, readings: &[Event]) -> Reading {
        if let [event] = readings {
            return Reading::One(*event);
        }
        let mut walker = self.rules().walker();
        let mut accepted = readings.iter().filter_map(|&one| walker.accept(self.state(), one));
        match (accepted.next(), accepted.next()) {
            (Some(accepted), None) => Reading::Accepted(accepted),
            _ => Reading::Unclear,
        }
    }

    /// The steps of a line of events, each with the position before it. It ends where an event is
    /// refused.
    pub fn line<'e>(
        &self,
        events: &'e [Event],
    ) -> impl Iterator<Item = (Position, Step)> + use<'e> {
        let mut now = self.clone();
        events.iter().map_while(move |&event| {
            let step = now.apply_event(event).ok()?;
            let before = std::mem::replace(&mut now, step.position.clone());
            Some((before, step))
        })
    }

    fn apply_event(&self, event: Event) -> Result<Step, ApplyError> {
        self.check_known(event)?;
        match self.rules().apply(self.state(), event) {
            Ok(step) => {
                let position = self.next(step.state);
                Ok(Step { event: step.event, rule: step.rule, position })
            }
            Err(rejection) => Err(self.refuse(rejection)),
        }
    }

    /// Whether the rules accept an event.
    pub fn accepts(&self, event: Event) -> bool {
        self.accept(event).is_some()
    }

    /// An event with the rule that accepts it, if the rules do. A [`Match`](crate::Match) plays it
    /// without judging it again.
    pub fn accept(&self, event: Event) -> Option<Accepted> {
        self.rules().accept(self.state(), event)
    }

    pub(crate) fn check_known(&self, event: Event) -> Result<(), ApplyError> {
        if self.game().knows(event) { Ok(()) } else { Err(ApplyError::Foreign(event)) }
    }

    pub(crate) fn refuse(&self, rejection: Rejection) -> ApplyError {
        ApplyError::Refused(Box::new(Refused::new(self.clone(), rejection)))
    }
}

impl From<EventError> for ApplyError {
    fn from(error: EventError) -> ApplyError {
        ApplyError::Text(error)
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ApplyError::Text(error) => error.fmt(f),
            ApplyError::Foreign(_) => f.write_str("the event belongs to another game"),
            ApplyError::Refused(refused) => refused.fmt(f),
        }
    }
}

impl std::error::Error for ApplyError {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, event) = (self.position.game(), self.event());
        let rules = game.rules();
        let told = self.position.rules().explain(self.position.state(), event);
        let main = || self.reasons().first().map(|reason| game.reason_text(*reason));
        let because = rules.attack_text(&told).or_else(main).unwrap_or_default();
        write!(f, "{} is refused: {because}", self.position.format(event))
    }
}

impl std::error::Error for Refused {}
