//! The loop: an event finds its phase, is judged by its rules, and becomes a step or a refusal.

use crate::draft::Draft;
use crate::event::{Event, Reason, Rejection, Step, Verdict};
use crate::game::Game;
use crate::id::{FlagId, KindId, PhaseId, RuleId, TileId};
use crate::path::{Mobility, Path};
use crate::plan::{Closing, Derived, Movement, Preprocessor, Rule, Wanted, Way};
use crate::rule::{Listing, Play};
use crate::scene::{Scene, Stuck};
use crate::state::State;

impl Game {
    /// Carries out an event, or says why not. A refused event changes nothing.
    pub fn apply(&self, state: &State, event: Event) -> Result<Step, Rejection> {
        self.attempt(state, event).ok_or_else(|| self.explain(state, event).rejection())
    }

    /// The step that an event leads to, if it is accepted: as [`Game::apply`], for those who try
    /// many events and ask for no reasons.
    pub fn attempt(&self, state: &State, event: Event) -> Option<Step> {
        if self.stops(state) {
            return None;
        }
        let step = self.attempt_anyway(state, event)?;
        let aside = self.rules[step.rule.index()].written.listing == Listing::Aside;
        (!aside || !self.is_decided(state)).then_some(step)
    }

    /// Whether an ending that stops play holds, also one by which the mover is stuck. Only what
    /// is said beside play needs to ask: where the mover is stuck, no play is accepted anyway.
    pub(crate) fn is_decided(&self, state: &State) -> bool {
        let mut endings = self.endings.iter().filter(|ending| ending.play == Play::Stops);
        endings.any(|ending| self.subject_of(ending, state, Stuck::Ask).is_some())
    }

    /// The step that an event leads to if no ending stops play before it.
    pub(crate) fn attempt_anyway(&self, state: &State, event: Event) -> Option<Step> {
        if !self.knows(event) {
            return None;
        }
        let phase = self.active_phase(state)?;
        let scene = Scene::of_event(self, state, event);
        let mut step = match self.preprocessor(&scene, phase, event) {
            None => self.carry_out(state, event, phase)?,
            Some(pre) => self.carry_out_all(state, &self.derive(&scene, pre, event)?)?,
        };
        self.clear_idle_flags(&mut step.state);
        Some(Step { event, ..step })
    }

    /// The state after a legal event, by the rule that is known to accept it if one is.
    pub(crate) fn follow(
        &self,
        state: &State,
        event: Event,
        rule: Option<RuleId>,
    ) -> Option<State> {
        let Some(rule) = rule else { return Some(self.attempt(state, event)?.state) };
        let scene = Scene::of_event(self, state, event);
        let mut after = self.make(&scene, rule, event);
        self.clear_idle_flags(&mut after);
        Some(after)
    }

    /// Clears flags whose rule has no legal event.
    #[inline]
    pub(crate) fn clear_idle_flags(&self, state: &mut State) {
        for (flag, rules) in &self.serving {
            let plane = self.layout.flag(*flag);
            let mut flagged = 0;
            for word in &state.words()[plane..plane + self.layout.width] {
                flagged |= word;
            }
            if flagged != 0 {
                self.clear_if_idle(state, *flag, rules);
            }
        }
    }

    #[cold]
    fn clear_if_idle(&self, state: &mut State, flag: FlagId, rules: &[RuleId]) {
        let flagged = self.view(state).flagged(flag);
        let fires = |rule: &RuleId| self.can_fire(state, *rule);
        if !self.stops(state) && rules.iter().any(fires) {
            return;
        }
        let mut draft = Draft { game: self, state: state.clone() };
        flagged.iter().for_each(|tile| draft.flag(tile, 0, 1 << flag.index()));
        *state = draft.state;
    }

    /// Carries out an event by the first rule of the phase that accepts it.
    fn carry_out(&self, state: &State, event: Event, phase: PhaseId) -> Option<Step> {
        let scene = Scene::of_event(self, state, event);
        let rule = self.find_rule(state, phase, event)?;
        let state = self.make(&scene, rule, event);
        Some(Step { event, rule, state })
    }

    /// Carries out derived events one after another, each in the phase that is then active.
    fn carry_out_all(&self, state: &State, events: &[Event]) -> Option<Step> {
        let (first, rest) = events.split_first()?;
        let mut step = self.carry_out(state, *first, self.active_phase(state)?)?;
        for event in rest {
            if self.stops(&step.state) {
                return None;
            }
            let phase = self.active_phase(&step.state)?;
            step.state = self.carry_out(&step.state, *event, phase)?.state;
        }
        Some(step)
    }

    /// Whether every id of an event is one of this game's.
    pub(crate) fn knows(&self, event: Event) -> bool {
        let tile = |tile: TileId| tile.index() < self.definition.tiles.len();
        let kind = |kind: KindId| kind.index() < self.definition.kinds.len();
        match event {
            Event::Move { from, to, choice } => tile(from) && tile(to) && choice.is_none_or(kind),
            Event::Advance { from, to, .. } => tile(from) && tile(to),
            Event::Put { kind: put, to } => kind(put) && tile(to),
            Event::Roll(outcome) => outcome.index() < self.outcomes.len(),
            Event::Act(action) => action.index() < self.definition.actions.len(),
        }
    }

    /// Whether an ending that stops play holds. That the mover is stuck is assumed not to be so:
    /// where it is, every event is refused anyway.
    pub(crate) fn stops(&self, state: &State) -> bool {
        if self.is_quiet(state) {
            return false;
        }
        let mut endings = self.endings.iter().filter(|ending| ending.play == Play::Stops);
        endings.any(|ending| self.subject_of(ending, state, Stuck::AssumeNot).is_some())
    }

    /// The first leaf phase whose condition holds, with those of the phases around it.
    pub fn active_phase(&self, state: &State) -> Option<PhaseId> {
        match (&self.calm, self.options.decision_plan) {
            (Some(calm), _) if calm.holds(state.words()) => self.walk_gates(state, calm.gate),
            (_, true) => self.walk_gates(state, 0),
            (_, false) => self.walk_phases(&Scene::of_state(self, state)),
        }
    }

    /// The same by walking the tree of phases as written.
    fn walk_phases(&self, scene: &Scene<'_>) -> Option<PhaseId> {
        fn walk(game: &Game, scene: &Scene<'_>, gate: usize) -> Option<PhaseId> {
            let gate = &game.gates[gate];
            if !scene.holds(&gate.when) {
                return None;
            }
            gate.leaf.or_else(|| gate.inside.iter().find_map(|&one| walk(game, scene, one)))
        }
        let inside: Vec<usize> = self.gates.iter().flat_map(|g| g.inside.clone()).collect();
        let mut roots = (0..self.gates.len()).filter(|gate| !inside.contains(gate));
        roots.find_map(|root| walk(self, scene, root))
    }

    /// The rules of a phase that an event of a kind is put to: with the plan only those about
    /// that kind, without it all of them.
    pub(crate) fn rules_for(&self, phase: PhaseId, event: Event) -> &[RuleId] {
        let leaf = &self.leaves[phase.index()];
        if self.options.decision_plan { &leaf.by_kind[event.kind() as usize] } else { &leaf.rules }
    }

    /// The first rule that accepts an event.
    pub(crate) fn accepting(
        &self,
        scene: &Scene<'_>,
        phase: PhaseId,
        event: Event,
    ) -> Option<RuleId> {
        let rules = self.rules_for(phase, event).iter().copied();
        rules.into_iter().find(|&rule| self.judge(scene, rule, event) == Verdict::Valid)
    }

    /// The first rule that accepts an event, where only those for when there is nothing else count
    /// among the events that happen by themselves.
    pub(crate) fn accepting_of(
        &self,
        scene: &Scene<'_>,
        phase: PhaseId,
        event: Event,
        listing: Listing,
    ) -> Option<RuleId> {
        let by_itself =
            |rule: RuleId| self.rules[rule.index()].written.listing == Listing::Otherwise;
        let rules = self.rules_for(phase, event).iter().copied();
        let mut rules = rules.filter(|&rule| by_itself(rule) == (listing == Listing::Otherwise));
        rules.find(|&rule| self.judge(scene, rule, event) == Verdict::Valid)
    }

    /// The preprocessor that takes an event, if one does.
    pub(crate) fn preprocessor(
        &self,
        scene: &Scene<'_>,
        phase: PhaseId,
        event: Event,
    ) -> Option<&Preprocessor> {
        let pre = self.leaves[phase.index()].pre.iter();
        pre.into_iter().find(|pre| pre.on == event.kind() && scene.holds(&pre.when))
    }

    /// The events that a preprocessor makes of one.
    pub(crate) fn derive(
        &self,
        scene: &Scene<'_>,
        pre: &Preprocessor,
        event: Event,
    ) -> Option<Vec<Event>> {
        let mut events = Vec::new();
        for derived in &pre.derive {
            match derived {
                Derived::Itself => events.push(event),
                Derived::Act(action) => events.push(Event::Act(*action)),
                Derived::EachStep => {
                    let Event::Move { from, to, choice } = event else { return None };
                    let mine = |&kind: &KindId| scene.view().count(from, scene.mover, kind) > 0;
                    let kind = self.kinds().find(mine)?;
                    let path = self.travel(scene, self.mobility(scene.mover, kind), from, to)?;
                    let tiles: Vec<TileId> = path.tiles().collect();
                    events.extend(tiles.windows(2).map(|pair| Event::Move {
                        from: pair[0],
                        to: pair[1],
                        choice: choice.filter(|_| pair[1] == to),
                    }));
                }
            }
        }
        Some(events)
    }

    /// What a rule says of an event.
    pub(crate) fn judge(&self, scene: &Scene<'_>, id: RuleId, event: Event) -> Verdict {
        match (self.judge_alone(scene, id, event), self.rules[id.index()].closing) {
            (Verdict::Valid, Closing::Usage(usage)) => self.judge_usage(scene, id, event, usage),
            (Verdict::Valid, Closing::Otherwise) => self.judge_otherwise(scene, id),
            (verdict, _) => verdict,
        }
    }

    /// What a rule says of an event, whatever else the phase allows.
    pub(crate) fn judge_alone(&self, scene: &Scene<'_>, id: RuleId, event: Event) -> Verdict {
        let verdict = self.judge_candidate(scene, id, event);
        let rule = &self.rules[id.index()];
        let Some(ensures) = rule.ensures.as_ref().filter(|_| verdict == Verdict::Valid) else {
            return verdict;
        };
        let after = self.make(scene, id, event);
        match (Scene { state: &after, rule: id, ..*scene }).judge(ensures) {
            Verdict::Valid => Verdict::Valid,
            _ => Verdict::Invalid(Reason::Aftermath(id, ensures.number)),
        }
    }

    /// What a rule says of an event, leaving out what must hold when all is done.
    pub(crate) fn judge_candidate(&self, scene: &Scene<'_>, id: RuleId, event: Event) -> Verdict {
        let rule = &self.rules[id.index()];
        let refusal = match (&rule.wants, event) {
            (Wanted::Move(Movement { way: Way::Dice(_), .. }), Event::Move { .. }) => {
                Verdict::Invalid(Reason::DieMissing)
            }
            (Wanted::Move(movement), Event::Advance { from, to, pips }) => {
                self.judge_advance(scene, movement, (from, to), pips)
            }
            (Wanted::Move(movement), Event::Move { from, to, choice }) => {
                self.judge_move(scene, movement, from, to, choice)
            }
            (Wanted::Put { .. }, Event::Put { kind, to }) => self.judge_put(scene, rule, kind, to),
            (Wanted::Roll { first, last }, Event::Roll(outcome)) => {
                refuse_unless((*first..=*last).contains(&outcome), Reason::OtherDice)
            }
            (Wanted::Act(action), Event::Act(other)) => {
                refuse_unless(*action == other, Reason::OtherAct(*action))
            }
            _ => return Verdict::Ignore,
        };
        match refusal {
            Verdict::Valid => Scene { rule: id, ..*scene }.judge(&rule.when),
            other => other,
        }
    }

    fn judge_move(
        &self,
        scene: &Scene<'_>,
        movement: &Movement,
        from: TileId,
        to: TileId,
        choice: Option<KindId>,
    ) -> Verdict {
        let view = scene.view();
        if !view.is_owned(from, scene.mover) {
            return Verdict::Invalid(Reason::NoPiece(from, scene.mover));
        }
        let Some(kind) = scene.moving_kind(movement, from) else { return Verdict::Ignore };
        if !scene.passes(&movement.source, from) {
            return Verdict::Invalid(Reason::Source(from));
        }
        let Some(path) = self.journey(scene, movement, kind, (from, to)) else {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: None });
        };
        let mut between = path.tiles().skip(1).take(path.len().saturating_sub(1));
        if let Some(tile) = between.find(|&tile| !scene.passes(&movement.through, tile)) {
            return Verdict::Invalid(Reason::Through(tile));
        }
        if !scene.passes(&movement.onto, to) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        match choice {
            None => refuse_unless(movement.choice.is_empty(), Reason::ChoiceMissing),
            Some(kind) => {
                refuse_unless(movement.choice.contains(&kind), Reason::ChoiceRefused(kind))
            }
        }
    }

    fn judge_put(&self, scene: &Scene<'_>, rule: &Rule, kind: KindId, to: TileId) -> Verdict {
        let Wanted::Put { kinds, area, onto } = &rule.wants else { return Verdict::Ignore };
        if !kinds.contains(kind) {
            return Verdict::Ignore;
        }
        let refusals = [
            (scene.area(area).contains(to), Reason::Outside(to)),
            (self.layout.stacks(to) || scene.view().owner_at(to).is_none(), Reason::Taken(to)),
            (scene.passes(onto, to), Reason::Onto(to)),
            (scene.view().in_hand(scene.mover, kind).is_some(), Reason::NoneLeft(kind)),
        ];
        let refusal = refusals.into_iter().find(|(holds, _)| !holds);
        refusal.map_or(Verdict::Valid, |(_, reason)| Verdict::Invalid(reason))
    }

    /// The patterns by which a movement rule travels, where it travels by patterns.
    pub(crate) fn way<'g>(
        &'g self,
        movement: &'g Movement,
        scene: &Scene<'_>,
        kind: KindId,
    ) -> Option<&'g Mobility> {
        match &movement.way {
            Way::Own => Some(self.mobility(scene.mover, kind)),
            Way::Pattern(by_player) => Some(&by_player[scene.mover.index()]),
            Way::First(_) | Way::Dice(_) => None,
        }
    }

    /// The path by which a movement rule leads from tile to tile, if it does.
    pub(crate) fn journey<'g>(
        &'g self,
        scene: &Scene<'_>,
        movement: &'g Movement,
        kind: KindId,
        (from, to): (TileId, TileId),
    ) -> Option<Path<'g>> {
        match (&movement.way, self.way(movement, scene, kind)) {
            (Way::First(headings), _) => {
                let directions = headings.iter().map(|heading| heading[scene.mover.index()]);
                self.resolver.to_first(self.occupancy(scene.state), (from, to), directions)
            }
            (_, Some(mobility)) => self.travel(scene, mobility, from, to),
            (_, None) => None,
        }
    }

    fn travel<'g>(
        &'g self,
        scene: &Scene<'_>,
        mobility: &'g Mobility,
        from: TileId,
        to: TileId,
    ) -> Option<Path<'g>> {
        let occupancy = self.occupancy(scene.state);
        self.resolver.resolve(mobility, self.travel_of(scene.mover), occupancy, from, to, &mut ())
    }
}

fn refuse_unless(holds: bool, reason: Reason) -> Verdict {
    if holds { Verdict::Valid } else { Verdict::Invalid(reason) }
}
