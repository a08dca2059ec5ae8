//! Every event that would be accepted, from the same rules that accept it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::bits::Bits;
use crate::event::{Event, Verdict};
use crate::game::Game;
use crate::generate::each_event;
use crate::id::{ActionId, KindId, OutcomeId, PhaseId, RuleId, TileId};
use crate::plan::{Movement, Rule, Test, Wanted, Way};
use crate::rule::{EventKind, Listing};
use crate::scene::Scene;
use crate::state::State;
use crate::tile_set::TileSet;

/// Takes events one by one, and may stop the listing.
pub(crate) trait Sink {
    /// Takes an event, with the rule that accepts it where that is one rule.
    fn event(&mut self, event: Event, rule: Option<RuleId>) -> ControlFlow<()>;

    /// Takes the events of a piece that goes to each of several targets.
    #[inline]
    fn moves<const W: usize>(
        &mut self,
        from: TileId,
        targets: Bits<W>,
        choices: &[KindId],
        rule: RuleId,
    ) -> ControlFlow<()> {
        each_event(from, targets, choices, |event| self.event(event, Some(rule)))
    }

    /// Takes the events of a piece of a kind that enters on each of several targets.
    #[inline]
    fn puts<const W: usize>(
        &mut self,
        kind: KindId,
        targets: Bits<W>,
        rule: RuleId,
    ) -> ControlFlow<()> {
        targets.into_iter().try_for_each(|to| self.event(Event::Put { kind, to }, Some(rule)))
    }
}

/// Lists events.
impl Sink for Vec<Event> {
    fn event(&mut self, event: Event, _: Option<RuleId>) -> ControlFlow<()> {
        self.push(event);
        ControlFlow::Continue(())
    }
}

/// Lists events with the rule that accepts each.
impl Sink for Vec<(Event, Option<RuleId>)> {
    fn event(&mut self, event: Event, rule: Option<RuleId>) -> ControlFlow<()> {
        self.push((event, rule));
        ControlFlow::Continue(())
    }
}

/// Counts events.
pub(crate) struct Count(pub(crate) u64);

impl Sink for Count {
    fn event(&mut self, _: Event, _: Option<RuleId>) -> ControlFlow<()> {
        self.0 += 1;
        ControlFlow::Continue(())
    }

    #[inline]
    fn moves<const W: usize>(
        &mut self,
        _: TileId,
        targets: Bits<W>,
        choices: &[KindId],
        _: RuleId,
    ) -> ControlFlow<()> {
        self.0 += u64::from(targets.len()) * choices.len().max(1) as u64;
        ControlFlow::Continue(())
    }

    #[inline]
    fn puts<const W: usize>(&mut self, _: KindId, targets: Bits<W>, _: RuleId) -> ControlFlow<()> {
        self.0 += u64::from(targets.len());
        ControlFlow::Continue(())
    }
}

/// Stops at the first event.
pub(crate) struct Exists;

impl Sink for Exists {
    fn event(&mut self, _: Event, _: Option<RuleId>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

impl Game {
    /// Every event that [`Game::apply`] accepts in a state as play, each once: by kind of event,
    /// then in the order of the rules, then of the tiles.
    pub fn legal(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        let _ = self.each_event(state, Listing::Play, &mut events);
        events
    }

    /// How many events are legal.
    pub fn legal_count(&self, state: &State) -> u64 {
        if self.stops(state) {
            return 0;
        }
        let tables = self.tables_below(state);
        if let Some(count) = tables.and_then(|tables| tables.perft(self, state, 1)) {
            return count;
        }
        let Some(phase) = self.active_phase(state) else { return 0 };
        let survey = self.survey.as_ref();
        if let Some(count) = survey.and_then(|survey| survey.count(phase, self.moment(state))) {
            return count;
        }
        let mut count = Count(0);
        let _ = self.each_of_phase(state, phase, Listing::Play, &mut count);
        count.0
    }

    /// Every event that [`Game::apply`] accepts beside play, such as to resign.
    pub fn asides(&self, state: &State) -> Vec<Event> {
        let mut events = Vec::new();
        if self.is_decided(state) {
            return events;
        }
        let _ = self.each_event(state, Listing::Aside, &mut events);
        events
    }

    /// Whether any event is legal.
    pub fn has_legal(&self, state: &State) -> bool {
        self.each_event(state, Listing::Play, &mut Exists).is_break()
    }

    /// Whether the rules would accept any event if no ending stopped play.
    pub(crate) fn is_stuck(&self, state: &State) -> bool {
        self.each_allowed(state, Listing::Play, &mut Exists).is_continue()
    }

    /// Whether a rule has a legal event.
    pub(crate) fn can_fire(&self, state: &State, id: RuleId) -> bool {
        let rule = &self.rules[id.index()];
        if let (Some(tables), Some(phase)) = (&self.generator, self.active_phase(state))
            && let Some(fires) = tables.fires(self, state, phase, id)
        {
            return fires;
        }
        let fires = self.each_candidate(state, rule, &mut |event| {
            let scene = Scene::of_event(self, state, event);
            match self.judge(&scene, id, event) {
                Verdict::Valid => ControlFlow::Break(()),
                Verdict::Ignore | Verdict::Invalid(_) => ControlFlow::Continue(()),
            }
        });
        fires.is_break()
    }

    pub(crate) fn each_event(
        &self,
        state: &State,
        listing: Listing,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if self.stops(state) {
            return ControlFlow::Continue(());
        }
        self.each_allowed(state, listing, sink)
    }

    /// Every event that the rules accept, whatever the endings say.
    fn each_allowed(
        &self,
        state: &State,
        listing: Listing,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        match self.active_phase(state) {
            Some(phase) => self.each_of_phase(state, phase, listing, sink),
            None => ControlFlow::Continue(()),
        }
    }

    fn each_of_phase(
        &self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        if listing == Listing::Play
            && self.leaves[phase.index()].has_otherwise
            && self.each_listed(state, phase, listing, &mut Exists).is_continue()
        {
            return self.each_listed(state, phase, Listing::Otherwise, sink);
        }
        self.each_listed(state, phase, listing, sink)
    }

    /// Every event that the rules of a phase accept, of those that they list so.
    pub(crate) fn each_listed(
        &self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let race = self.race(phase).filter(|_| listing == Listing::Play);
        let only_moves = listing == Listing::Play && self.leaves[phase.index()].only_moves;
        let kinds = if only_moves { &EventKind::ALL[..1] } else { &EventKind::ALL[..] };
        for &kind in kinds {
            if let Some(race) = race.filter(|_| kind == EventKind::Move) {
                self.each_step(race, state, sink)?;
                continue;
            }
            if kind == EventKind::Put && listing == Listing::Play {
                match self.survey_puts(state, phase, sink) {
                    Some(flow) => flow?,
                    None => self.each_by_rule(state, phase, kind, listing, sink)?,
                }
                continue;
            }
            let tables = self.generator.as_ref();
            let tables = tables.filter(|_| kind == EventKind::Move && listing == Listing::Play);
            match tables.and_then(|tables| tables.moves(self, state, phase, sink)) {
                Some(flow) => flow?,
                None => self.each_by_rule(state, phase, kind, listing, sink)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn survey_puts(
        &self,
        state: &State,
        phase: PhaseId,
        sink: &mut impl Sink,
    ) -> Option<ControlFlow<()>> {
        self.survey.as_ref()?.puts(phase, self.moment(state), sink)
    }

    /// Lists the events of a kind by asking the rules.
    fn each_by_rule(
        &self,
        state: &State,
        phase: PhaseId,
        kind: EventKind,
        listing: Listing,
        sink: &mut impl Sink,
    ) -> ControlFlow<()> {
        let leaf = &self.leaves[phase.index()];
        if leaf.pre.iter().any(|pre| pre.on == kind) {
            return match listing {
                Listing::Aside | Listing::Otherwise => ControlFlow::Continue(()),
                Listing::Play => {
                    self.each_possible(kind, &mut |event| match self.attempt_anyway(state, event) {
                        Some(_) => sink.event(event, None),
                        None => ControlFlow::Continue(()),
                    })
                }
            };
        }
        // An event that only one rule can take needs no memory of what was listed before.
        let rules = &leaf.by_kind[kind as usize];
        let mut seen = (rules.len() > 1).then(BTreeSet::new);
        for &id in rules {
            let rule = &self.rules[id.index()];
            if rule.written.listing != listing {
                continue;
            }
            // A rule to put that asks for nothing more accepts whatever it proposes.
            let certain = seen.is_none()
                && matches!(rule.wants, Wanted::Put { .. })
                && matches!(rule.when.test, Test::Always)
                && rule.ensures.is_none();
            self.each_candidate(state, rule, &mut |event| {
                if certain {
                    return sink.event(event, Some(id));
                }
                let scene = Scene::of_event(self, state, event);
                match self.accepting_of(&scene, phase, event, listing) {
                    Some(rule) if seen.as_mut().is_none_or(|seen| seen.insert(event)) => {
                        sink.event(event, Some(rule))
                    }
                    _ => ControlFlow::Continue(()),
                }
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Every event that a rule might accept, and perhaps more.
    pub(crate) fn each_candidate(
        &self,
        state: &State,
        rule: &Rule,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let scene = Scene::of_state(self, state);
        let view = scene.view();
        match &rule.wants {
            Wanted::Move(movement) => {
                for from in scene.movers(movement).iter() {
                    if let Way::Dice(track) = &movement.way {
                        self.each_advance(&scene, track, from, sink)?;
                        continue;
                    }
                    let Some(kind) = scene.moving_kind(movement, from) else { continue };
                    for to in self.targets(&scene, movement, kind, from).iter() {
                        if movement.choice.is_empty() {
                            sink(Event::step(from, to))?;
                        }
                        for &kind in &movement.choice {
                            sink(Event::Move { from, to, choice: Some(kind) })?;
                        }
                    }
                }
            }
            Wanted::Put { kinds, area, onto } => {
                let free = scene.area(area).without(view.occupied() & self.exclusive);
                let targets = scene.select(onto, free);
                let mine = |&kind: &KindId| view.in_hand(scene.mover, kind).is_some();
                for kind in self.kinds().filter(|&kind| kinds.contains(kind)).filter(mine) {
                    for to in targets.iter() {
                        sink(Event::Put { kind, to })?;
                    }
                }
            }
            Wanted::Roll { first, last } => {
                for outcome in first.0..=last.0 {
                    sink(Event::Roll(OutcomeId(outcome)))?;
                }
            }
            Wanted::Act(action) => sink(Event::Act(*action))?,
        }
        ControlFlow::Continue(())
    }

    /// The tiles to which a movement rule leads from a tile, and perhaps more.
    fn targets(
        &self,
        scene: &Scene<'_>,
        movement: &Movement,
        kind: KindId,
        from: TileId,
    ) -> TileSet {
        let occupancy = self.occupancy(scene.state);
        match (&movement.way, self.way(movement, scene, kind)) {
            (Way::First(headings), _) => {
                let found = headings.iter().filter_map(|heading| {
                    let direction = heading[scene.mover.index()];
                    self.resolver.first_occupied(occupancy, from, direction)
                });
                scene.select(&movement.onto, found.map(|(tile, _)| tile).collect())
            }
            (_, Some(mobility)) => {
                let mover = self.travel_of(scene.mover);
                let reached = self.resolver.targets(mobility, mover, occupancy, from);
                scene.select(&movement.onto, reached)
            }
            (_, None) => TileSet::EMPTY,
        }
    }

    /// Every event of a kind that can be written down at all, legal or not.
    pub fn each_possible(
        &self,
        kind: EventKind,
        sink: &mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match kind {
            EventKind::Move => {
                let choices = || std::iter::once(None).chain(self.kinds().map(Some));
                let sides = self.definition.dice.iter().map(|die| die.sides).max().unwrap_or(0);
                for from in self.tiles() {
                    for to in self.tiles() {
                        for pips in 1..=sides {
                            sink(Event::Advance { from, to, pips })?;
                        }
                        for choice in choices() {
                            sink(Event::Move { from, to, choice })?;
                        }
                    }
                }
            }
            EventKind::Put => {
                for kind in self.kinds() {
                    for to in self.tiles() {
                        sink(Event::Put { kind, to })?;
                    }
                }
            }
            EventKind::Roll => {
                for outcome in (0..self.outcomes.len()).map(OutcomeId::at) {
                    sink(Event::Roll(outcome))?;
                }
            }
            EventKind::Act => {
                for action in (0..self.definition.actions.len()).map(ActionId::at) {
                    sink(Event::Act(action))?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
