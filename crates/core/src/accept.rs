//! Events that were judged already, so that carrying them out judges nothing again.

use std::ops::ControlFlow;

use crate::event::Event;
use crate::game::Game;
use crate::id::{KindId, PhaseId, RuleId, TileId};
use crate::legal::Sink;
use crate::rule::Listing;
use crate::scene::Scene;
use crate::state::State;
use crate::tile_set::TileSet;

/// An event that a state accepts. Only a game makes one, and only for that state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    event: Event,
    /// The rule that accepts it; none where it is first made into others.
    rule: Option<RuleId>,
    /// The hash of the position that accepts it.
    of: u64,
}

impl Accepted {
    /// An event that a rule is known to accept in the position of a hash.
    #[inline]
    pub(crate) fn known(event: Event, rule: RuleId, of: u64) -> Accepted {
        Accepted { event, rule: Some(rule), of }
    }

    /// The event.
    #[inline]
    pub fn event(self) -> Event {
        self.event
    }

    /// The rule that accepts it; none where the event is first made into others.
    #[inline]
    pub fn rule(self) -> Option<RuleId> {
        self.rule
    }
}

/// Moves to a tile.
pub(crate) struct Arrival<'a> {
    pub(crate) sources: Sources<'a>,
    pub(crate) to: TileId,
    pub(crate) choice: Option<KindId>,
}

/// Where moves come from.
#[derive(Clone, Copy)]
pub(crate) enum Sources<'a> {
    Tile(TileId),
    /// The tiles of a set with a piece of the mover of a kind.
    Kind(KindId, &'a TileSet),
}

/// Lists events with what is known of them.
struct Listed<'a> {
    of: u64,
    into: &'a mut Vec<Accepted>,
}

impl Sink for Listed<'_> {
    #[inline(always)]
    fn event(&mut self, event: Event, rule: Option<RuleId>) -> ControlFlow<()> {
        self.into.push(Accepted { event, rule, of: self.of });
        ControlFlow::Continue(())
    }
}

impl Game {
    /// The event as accepted by a state; none where [`Game::apply`] would refuse it.
    pub fn accept(&self, state: &State, event: Event) -> Option<Accepted> {
        if !self.knows(event) {
            return None;
        }
        if let (Event::Move { from, to, choice }, Some(tables)) = (event, self.tables_below(state))
        {
            let mut found = None;
            let arrival = Arrival { sources: Sources::Tile(from), to, choice };
            tables.accept(self, state, &arrival, &mut |_, rule| found = rule);
            if let Some(rule) = found {
                return rule.map(|rule| Accepted::known(event, rule, state.hash()));
            }
        }
        self.accept_anyhow(state, event)
    }

    /// The event as accepted by a state, of an event that means something.
    fn accept_anyhow(&self, state: &State, event: Event) -> Option<Accepted> {
        if self.stops(state) {
            return None;
        }
        let phase = self.active_phase(state)?;
        let of = state.hash();
        if self.leaves[phase.index()].pre.iter().any(|pre| pre.on == event.kind()) {
            self.attempt(state, event)?;
            return Some(Accepted { event, rule: None, of });
        }
        let rule = self.find_rule(state, phase, event)?;
        let aside = self.rules[rule.index()].written.listing == Listing::Aside;
        (!aside || !self.is_decided(state)).then_some(Accepted::known(event, rule, of))
    }

    /// Takes every move that is accepted of the mover's pieces of a kind on some tiles to a tile,
    /// those from lower tiles first.
    pub fn accept_to(
        &self,
        state: &State,
        (kind, within): (KindId, &TileSet),
        (to, choice): (TileId, Option<KindId>),
        mut take: impl FnMut(Accepted),
    ) {
        let of = state.hash();
        let arrival = Arrival { sources: Sources::Kind(kind, within), to, choice };
        let known =
            self.knows(Event::Move { from: to, to, choice }) && kind.index() < self.layout.kinds;
        let tables = self.tables_below(state).filter(|_| known);
        let asked = tables.and_then(|tables| {
            tables.accept(self, state, &arrival, &mut |event, rule| match rule {
                Some(Some(rule)) => take(Accepted::known(event, rule, of)),
                Some(None) => {}
                None => self.accept_anyhow(state, event).into_iter().for_each(&mut take),
            })
        });
        if asked.is_none() && known {
            let view = self.view(state);
            for from in view.pieces_in(within, view.player(), kind) {
                let event = Event::Move { from, to, choice };
                self.accept_anyhow(state, event).into_iter().for_each(&mut take);
            }
        }
    }

    /// Lists the events of [`Game::legal`], in the same order, in the place of what a list holds.
    pub fn list(&self, state: &State, into: &mut Vec<Accepted>) {
        into.clear();
        let _ = self.each_event(state, Listing::Play, &mut Listed { of: state.hash(), into });
    }

    /// The event at a place, from 0, in the list of [`Game::legal`]. The place is asked for when
    /// it is known how many there are, and only if there is one; a list is made only where it
    /// must be, in the place of what `list` holds.
    pub fn pick(
        &self,
        state: &State,
        list: &mut Vec<Accepted>,
        place: impl FnOnce(u64) -> u64,
    ) -> Option<Accepted> {
        let mut place = Some(place);
        let mut ask = |count| place.take().map_or(0, |place| place(count));
        let tables = self.tables_below(state);
        let chosen = tables.and_then(|tables| tables.choose(self, state, &mut ask));
        let chosen = chosen.or_else(|| self.race_choice(state, &mut ask));
        match chosen.or_else(|| self.survey_choice(state, &mut ask)) {
            Some(found) => {
                let (event, rule) = found?;
                Some(Accepted::known(event, rule, state.hash()))
            }
            None => self.pick_listed(state, list, ask),
        }
    }

    /// Plays the event at a place, from 0, in the list of [`Game::legal`]: as [`Game::pick`] and
    /// then [`Game::play`]. Where the place is beyond the list, nothing is played.
    #[inline]
    pub fn play_at(
        &self,
        state: &mut State,
        list: &mut Vec<Accepted>,
        place: impl FnOnce(&State, u64) -> u64,
    ) -> Option<Event> {
        let mut place = Some(place);
        let mut ask = |state: &State, count| place.take().map_or(0, |place| place(state, count));
        if let (Some(survey), Some(phase)) = (&self.survey, self.putting)
            && let Some(played) = survey.play(self, state, phase, &mut ask)
        {
            return played;
        }
        let accepted = self.pick(state, list, |count| ask(state, count))?;
        self.play(state, accepted);
        Some(accepted.event())
    }

    #[inline]
    fn survey_choice(
        &self,
        state: &State,
        place: impl FnOnce(u64) -> u64,
    ) -> Option<Option<(Event, RuleId)>> {
        let survey = self.survey.as_ref()?;
        survey.choose(self.active_phase(state)?, self.moment(state), place)
    }

    /// The step of a race at a place; where there is none, the turn passes by itself.
    #[inline]
    fn race_choice(
        &self,
        state: &State,
        place: impl FnOnce(u64) -> u64,
    ) -> Option<Option<(Event, RuleId)>> {
        let (race, legal) = if self.races.is_empty() { None } else { self.legal_steps(state) }?;
        Some(match legal.count() {
            0 => (place(1) == 0).then_some((Event::Act(race.pass.1), race.pass.0)),
            count => legal.find(place(count)),
        })
    }

    fn pick_listed(
        &self,
        state: &State,
        list: &mut Vec<Accepted>,
        place: impl FnOnce(u64) -> u64,
    ) -> Option<Accepted> {
        self.list(state, list);
        if list.is_empty() {
            return None;
        }
        list.get(place(list.len() as u64) as usize).copied()
    }

    /// Carries out an event that this state accepts.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    pub fn play(&self, state: &mut State, accepted: Accepted) {
        assert_eq!(accepted.of, state.hash(), "the event was accepted by another position");
        self.carry_on(state, accepted.event, accepted.rule);
    }

    /// The first rule of a phase that accepts an event.
    pub(crate) fn find_rule(&self, state: &State, phase: PhaseId, event: Event) -> Option<RuleId> {
        if let Event::Put { .. } = event
            && let Some(survey) = &self.survey
            && let Some(found) = survey.accepting(phase, self.moment(state), event)
        {
            return found;
        }
        let tables = self.generator.as_ref();
        match tables.and_then(|tables| tables.accepting(self, state, phase, event)) {
            Some(Some(rule)) => Some(rule),
            // Tables know the rules of play alone; an aside may still be a move.
            Some(None) if !self.leaves[phase.index()].has_aside_moves => None,
            _ => self.accepting(&Scene::of_event(self, state, event), phase, event),
        }
    }
}
