//! Legal events ready to be followed, for those who walk whole trees: listed into a buffer that is
//! used again, and carried out without being judged a second time.

use crate::event::Event;
use crate::game::Game;
use crate::id::RuleId;
use crate::legal::Sink;
use crate::rule::Listing;
use crate::state::State;

use std::ops::ControlFlow;

/// A legal event of one state. It is worth nothing in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    event: Event,
    /// The rule that accepts it; none where several share the work.
    rule: Option<RuleId>,
}

impl Choice {
    /// The event.
    #[inline]
    pub fn event(self) -> Event {
        self.event
    }
}

/// Lists choices.
impl Sink for Vec<Choice> {
    fn event(&mut self, event: Event, rule: Option<RuleId>) -> ControlFlow<()> {
        self.push(Choice { event, rule });
        ControlFlow::Continue(())
    }
}

impl Game {
    /// Every legal event of a state, in the order of [`Game::legal`]. What the buffer held before
    /// is gone.
    pub fn choices(&self, state: &State, into: &mut Vec<Choice>) {
        into.clear();
        let _ = self.each_event(state, Listing::Play, into);
    }

    /// The state that a choice of this state leads to, as [`Game::apply`] would give it. None if
    /// it is a choice of another state and not legal here; that is not always noticed.
    pub fn choose(&self, state: &State, choice: Choice) -> Option<State> {
        self.follow(state, choice.event, choice.rule)
    }

    /// The rule by which a choice of this state is carried out.
    pub fn choice_rule(&self, state: &State, choice: Choice) -> Option<RuleId> {
        choice.rule.or_else(|| Some(self.attempt(state, choice.event)?.rule))
    }
}
