//! A game's code with a machine to run it on: what every question to a state goes through.

use std::collections::BTreeSet;

use crate::draft::{Draft, Identity};
use crate::event::{Event, Reason, Verdict};
use crate::game::Game;
use crate::id::{ActionId, KindId, OutcomeId, PhaseId, PlayerId, RuleId, TileId};
use crate::interpret::{Found, Machine, Output, Proposal};
use crate::ir::FunctionId;
use crate::lower::RuleCode;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{Closing, Movement, Wanted, Way};
use crate::written::{EventKind, Listing, Play, Subject, Usage};

/// A machine as wide as the board.
enum AnyMachine<'g> {
    One(Machine<'g, 1>),
    Two(Machine<'g, 2>),
    Four(Machine<'g, 4>),
    Eight(Machine<'g, 8>),
    Sixteen(Machine<'g, 16>),
}

macro_rules! on_machine {
    ($engine:expr, $machine:ident => $body:expr) => {
        match &mut $engine.machine {
            AnyMachine::One($machine) => $body,
            AnyMachine::Two($machine) => $body,
            AnyMachine::Four($machine) => $body,
            AnyMachine::Eight($machine) => $body,
            AnyMachine::Sixteen($machine) => $body,
        }
    };
}

/// Whether that the mover is stuck is found out, or assumed not to be so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stuck {
    Ask,
    AssumeNot,
}

/// A game and a machine that runs its code.
pub(crate) struct Engine<'g> {
    pub(crate) game: &'g Game,
    machine: AnyMachine<'g>,
}

impl Game {
    pub(crate) fn engine(&self) -> Engine<'_> {
        let machine = match self.code.width {
            1 => AnyMachine::One(Machine::new(self)),
            2 => AnyMachine::Two(Machine::new(self)),
            4 => AnyMachine::Four(Machine::new(self)),
            8 => AnyMachine::Eight(Machine::new(self)),
            _ => AnyMachine::Sixteen(Machine::new(self)),
        };
        Engine { game: self, machine }
    }
}

impl<'g> Engine<'g> {
    pub(crate) fn holds(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> bool {
        self.number(id, proposal, state) != 0
    }

    pub(crate) fn number(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> i64 {
        let function = self.game.code.function(id);
        on_machine!(self, machine => machine.answer(function, proposal, state))
    }

    pub(crate) fn find(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> TileSet {
        let function = self.game.code.function(id);
        on_machine!(self, machine => machine.find(function, proposal, state))
    }

    fn generate(&mut self, id: FunctionId, state: &State, output: Output) -> Output {
        let function = self.game.code.function(id);
        on_machine!(self, machine => {
            machine.output = output;
            machine.generate(function, state);
            std::mem::replace(&mut machine.output, Output::Exists(false))
        })
    }

    /// Adds the events that a function finds to a list.
    fn list_into(&mut self, id: FunctionId, state: &State, list: &mut Vec<Found>) {
        let output = Output::List(std::mem::take(list));
        if let Output::List(found) = self.generate(id, state, output) {
            *list = found;
        }
    }

    fn exists(&mut self, id: FunctionId, state: &State) -> bool {
        matches!(self.generate(id, state, Output::Exists(false)), Output::Exists(true))
    }

    fn mover(&self, state: &State) -> PlayerId {
        self.game.view(state).player()
    }

    pub(crate) fn rule_code(&self, rule: RuleId, player: PlayerId) -> &'g RuleCode {
        &self.game.entries.rules[rule.index()][player.index()]
    }

    /// Whether an ending that stops play holds. That the mover is stuck is assumed not to be so:
    /// where it is, every event is refused anyway.
    #[inline]
    pub(crate) fn stops(&mut self, state: &State) -> bool {
        self.game.has_stops && self.holds(self.game.entries.stops, Proposal::NONE, state)
    }

    /// The player of whom an ending holds, if it holds of one.
    pub(crate) fn subject_of(
        &mut self,
        index: usize,
        state: &State,
        stuck: Stuck,
    ) -> Option<PlayerId> {
        let game = self.game;
        let functions = match stuck {
            Stuck::Ask => &game.entries.endings[index],
            Stuck::AssumeNot => &game.entries.endings_unstuck[index],
        };
        let mover = self.mover(state);
        let mut holds =
            |player: &PlayerId| self.holds(functions[player.index()], Proposal::NONE, state);
        match game.endings[index].of {
            Subject::Mover => Some(mover).filter(&mut holds),
            Subject::Each => game.players().find(holds),
        }
    }

    /// Whether an ending that stops play holds, also one by which the mover is stuck. Only what
    /// is said beside play needs to ask: where the mover is stuck, no play is accepted anyway.
    pub(crate) fn is_decided(&mut self, state: &State) -> bool {
        let game = self.game;
        let stops = |at: &usize| game.endings[*at].play == Play::Stops;
        let mut endings = (0..game.endings.len()).filter(stops);
        endings.any(|ending| self.subject_of(ending, state, Stuck::Ask).is_some())
    }

    /// The first leaf phase whose condition holds, with those of the phases around it.
    #[inline]
    pub(crate) fn active_phase(&mut self, state: &State) -> Option<PhaseId> {
        let game = self.game;
        if game.sole_phase.is_some() {
            return game.sole_phase;
        }
        let mover = self.mover(state);
        if game.options.decision_plan {
            let phase = self.number(game.entries.phases[mover.index()], Proposal::NONE, state);
            return usize::try_from(phase).ok().map(PhaseId::at);
        }
        let inside: Vec<usize> = game.gates.iter().flat_map(|gate| gate.inside.clone()).collect();
        let mut roots = (0..game.gates.len()).filter(|gate| !inside.contains(gate));
        roots.find_map(|root| self.walk_phases(root, mover, state))
    }

    /// The same by walking the tree of phases as written.
    fn walk_phases(&mut self, gate: usize, mover: PlayerId, state: &State) -> Option<PhaseId> {
        let game = self.game;
        let open = game.entries.gates[gate][mover.index()];
        if !self.holds(open, Proposal::NONE, state) {
            return None;
        }
        let gate = &game.gates[gate];
        let mut inside = gate.inside.iter();
        gate.leaf.or_else(|| inside.find_map(|&one| self.walk_phases(one, mover, state)))
    }

    /// The state after a rule carries out an event that it accepted.
    pub(crate) fn make(&mut self, state: &State, rule: RuleId, event: Event) -> State {
        let mut draft = Draft::new(self.game, state.clone());
        self.make_in(&mut draft, rule, event);
        draft.state
    }

    fn make_in(&mut self, draft: &mut Draft<'g>, rule: RuleId, event: Event) {
        let mover = self.mover(&draft.state);
        let function = self.game.code.function(self.rule_code(rule, mover).make);
        on_machine!(self, machine => machine.make(function, Proposal::of(event), draft));
    }

    /// The same for trees, which do not ask which piece stands where; the state is overwritten.
    #[inline]
    pub(crate) fn make_into(&mut self, state: &State, found: Found, into: &mut State) {
        into.copy_prefix(state, self.game.layout.tail);
        let blank = State::blank(0);
        let after = std::mem::replace(into, blank);
        let mut draft = Draft { game: self.game, state: after, identity: Identity::Ignored };
        self.make_in(&mut draft, found.rule, found.event);
        *into = draft.state;
        self.clear_idle_flags(into);
    }

    /// Clears flags whose rule has no legal event.
    #[inline]
    pub(crate) fn clear_idle_flags(&mut self, state: &mut State) {
        let game = self.game;
        for (flag, rules) in &game.serving {
            let plane = game.layout.flag(*flag);
            let words = &state.words()[plane..plane + game.layout.width];
            if words.iter().any(|&word| word != 0) {
                self.clear_if_idle(state, *flag, rules);
            }
        }
    }

    fn clear_if_idle(&mut self, state: &mut State, flag: crate::FlagId, rules: &[RuleId]) {
        if !self.stops(state) && rules.iter().any(|&rule| self.can_fire(state, rule)) {
            return;
        }
        let flagged = self.game.view(state).flagged(flag);
        let mut draft = Draft::new(self.game, state.clone());
        flagged.iter().for_each(|tile| draft.flag(tile, 0, 1 << flag.index()));
        *state = draft.state;
    }

    /// Whether a rule has a legal event.
    pub(crate) fn can_fire(&mut self, state: &State, rule: RuleId) -> bool {
        let mover = self.mover(state);
        let closing = self.game.rules[rule.index()].closing;
        let phase = self.game.rules[rule.index()].phase;
        if self.active_phase(state) != Some(phase) {
            return false;
        }
        match self.game.rules[rule.index()].wants {
            Wanted::Move(_) | Wanted::Put { .. } if closing == Closing::Nothing => {
                self.exists(self.rule_code(rule, mover).generate, state)
            }
            _ => {
                let mut list = Vec::new();
                for listing in [Listing::Play, Listing::Aside, Listing::Otherwise] {
                    self.list_phase(state, phase, listing, &mut list);
                }
                list.iter().any(|found| found.rule == rule)
            }
        }
    }

    /// Every event that the rules accept and list so, whatever the endings say.
    pub(crate) fn list(&mut self, state: &State, listing: Listing, list: &mut Vec<Found>) {
        list.clear();
        let Some(phase) = self.active_phase(state) else { return };
        self.list_phase(state, phase, listing, list);
        let leaf = &self.game.leaves[phase.index()];
        if listing == Listing::Play && leaf.has_otherwise && list.is_empty() {
            self.list_phase(state, phase, Listing::Otherwise, list);
        }
    }

    /// The events of play, none where play has stopped.
    pub(crate) fn legal(&mut self, state: &State, list: &mut Vec<Found>) {
        list.clear();
        if !self.stops(state) {
            self.list(state, Listing::Play, list);
        }
    }

    /// How many events of play there are.
    pub(crate) fn count(&mut self, state: &State) -> u64 {
        if self.stops(state) {
            return 0;
        }
        let game = self.game;
        let Some(phase) = self.active_phase(state) else { return 0 };
        let leaf = &game.leaves[phase.index()];
        if !leaf.counts {
            let mut list = Vec::new();
            self.list(state, Listing::Play, &mut list);
            return list.len() as u64;
        }
        let mover = self.mover(state).index();
        let mut output = Output::Count(0);
        for (kind, functions) in [(0, &game.entries.moves), (1, &game.entries.puts)] {
            if !leaf.by_kind[kind].is_empty() {
                output = self.generate(functions[phase.index()][mover], state, output);
            }
        }
        match output {
            Output::Count(count) => count,
            _ => 0,
        }
    }

    /// Whether the rules accept any event of play, whatever the endings say.
    pub(crate) fn can_play(&mut self, state: &State) -> bool {
        let game = self.game;
        let Some(phase) = self.active_phase(state) else { return false };
        let leaf = &game.leaves[phase.index()];
        if !leaf.counts {
            let mut list = Vec::new();
            self.list(state, Listing::Play, &mut list);
            return !list.is_empty();
        }
        let mover = self.mover(state).index();
        [&game.entries.moves, &game.entries.puts]
            .iter()
            .any(|functions| self.exists(functions[phase.index()][mover], state))
    }

    /// Adds every event of a phase that its rules accept and list so.
    pub(crate) fn list_phase(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        list: &mut Vec<Found>,
    ) {
        for kind in EventKind::ALL {
            self.list_kind(state, phase, listing, kind, list);
        }
        if listing == Listing::Play {
            self.keep_lowest_rank(phase, list);
        }
    }

    fn list_kind(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        kind: EventKind,
        list: &mut Vec<Found>,
    ) {
        let game = self.game;
        let leaf = &game.leaves[phase.index()];
        let rules = &leaf.by_kind[kind as usize];
        if leaf.pre.iter().any(|pre| pre.on == kind) {
            if listing == Listing::Play {
                self.list_derived(state, kind, list);
            }
            return;
        }
        if rules.is_empty() {
            return;
        }
        let (mover, start) = (self.mover(state), list.len());
        match kind {
            EventKind::Move if listing == Listing::Play => {
                self.list_moves(state, phase, list);
                if leaf.usage != Usage::Free {
                    self.keep_usage(state, phase, start, list);
                }
                return;
            }
            EventKind::Put if listing == Listing::Play => {
                self.list_into(game.entries.puts[phase.index()][mover.index()], state, list);
            }
            EventKind::Move | EventKind::Put => {
                for &rule in rules.iter().filter(|rule| game.lists(**rule, listing)) {
                    self.list_into(self.rule_code(rule, mover).generate, state, list);
                }
            }
            EventKind::Roll | EventKind::Act => {
                for &rule in rules.iter().filter(|rule| game.lists(**rule, listing)) {
                    self.list_by_asking(state, rule, list);
                }
            }
        }
        if leaf.overlaps[kind as usize] {
            self.keep_once(state, phase, listing, start, list);
        }
    }

    /// Adds every move that rules of play accept, whatever a turn must use.
    pub(crate) fn list_moves(&mut self, state: &State, phase: PhaseId, list: &mut Vec<Found>) {
        let (game, start) = (self.game, list.len());
        let mover = self.mover(state).index();
        self.list_into(game.entries.moves[phase.index()][mover], state, list);
        if game.leaves[phase.index()].overlaps[EventKind::Move as usize] {
            self.keep_once(state, phase, Listing::Play, start, list);
        }
    }

    /// The events of a roll or an act.
    fn list_by_asking(&mut self, state: &State, rule: RuleId, list: &mut Vec<Found>) {
        let mover = self.mover(state);
        let code = self.rule_code(rule, mover);
        if !self.holds(code.when, Proposal::NONE, state) {
            return;
        }
        let events: Vec<Event> = match self.game.rules[rule.index()].wants {
            Wanted::Roll { first, last } => {
                (first.0..=last.0).map(|outcome| Event::Roll(OutcomeId(outcome))).collect()
            }
            Wanted::Act(action) => vec![Event::Act(action)],
            _ => Vec::new(),
        };
        for event in events {
            if self.ensures(state, rule, event) {
                list.push(Found { event, rule });
            }
        }
    }

    /// Whether the state after an event is as its rule must ensure.
    fn ensures(&mut self, state: &State, rule: RuleId, event: Event) -> bool {
        let mover = self.mover(state);
        let Some(ensures) = self.rule_code(rule, mover).ensures else { return true };
        let after = self.make(state, rule, event);
        self.holds(ensures, Proposal::of(event), &after)
    }

    /// Events that preprocessors make others of: every event there is, tried one by one.
    fn list_derived(&mut self, state: &State, kind: EventKind, list: &mut Vec<Found>) {
        let mut events = Vec::new();
        self.game.each_possible(kind, &mut |event| events.push(event));
        for event in events {
            if let Some((rule, _)) = self.attempt_anyway(state, event) {
                list.push(Found { event, rule });
            }
        }
    }

    /// Of events that several rules may accept, leaves one each, with the rule that accepts it.
    fn keep_once(
        &mut self,
        state: &State,
        phase: PhaseId,
        listing: Listing,
        start: usize,
        list: &mut Vec<Found>,
    ) {
        let found: Vec<Found> = list.drain(start..).collect();
        let mut seen = BTreeSet::new();
        for Found { event, .. } in found {
            if !seen.insert(event) {
                continue;
            }
            let rule = self.accepting_alone(state, phase, event, listing);
            if let Some(rule) = rule.filter(|&rule| self.game.lists(rule, listing)) {
                list.push(Found { event, rule });
            }
        }
    }

    /// The first rule that accepts an event by itself, among those that happen by themselves or
    /// among the others.
    fn accepting_alone(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
        listing: Listing,
    ) -> Option<RuleId> {
        let game = self.game;
        let otherwise = listing == Listing::Otherwise;
        let rules = game.rules_for(phase, event).iter().copied();
        let mut rules = rules.filter(|&rule| game.lists(rule, Listing::Otherwise) == otherwise);
        rules.find(|&rule| self.judge_alone(state, rule, event) == Verdict::Valid)
    }

    /// Where rules of several ranks have events, leaves those of the lowest rank.
    fn keep_lowest_rank(&mut self, phase: PhaseId, list: &mut Vec<Found>) {
        let game = self.game;
        if !game.leaves[phase.index()].ranked {
            return;
        }
        let rank = |found: &Found| game.rules[found.rule.index()].written.rank;
        if let Some(lowest) = list.iter().map(rank).min() {
            list.retain(|found| rank(found) == lowest);
        }
    }

    /// The rule that accepts an event and the state after it, if no ending stops play before it.
    pub(crate) fn attempt_anyway(
        &mut self,
        state: &State,
        event: Event,
    ) -> Option<(RuleId, State)> {
        if !self.game.knows(event) {
            return None;
        }
        let phase = self.active_phase(state)?;
        let (rule, mut after) = match self.preprocessor(state, phase, event) {
            None => self.carry_out(state, phase, event)?,
            Some(pre) => {
                let events = self.derive(state, phase, pre, event)?;
                self.carry_out_all(state, &events)?
            }
        };
        self.clear_idle_flags(&mut after);
        Some((rule, after))
    }

    /// The same unless the game is over.
    pub(crate) fn attempt(&mut self, state: &State, event: Event) -> Option<(RuleId, State)> {
        if self.stops(state) {
            return None;
        }
        let (rule, after) = self.attempt_anyway(state, event)?;
        let aside = self.game.lists(rule, Listing::Aside);
        (!aside || !self.is_decided(state)).then_some((rule, after))
    }

    /// Carries out an event by the first rule of the phase that accepts it.
    fn carry_out(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<(RuleId, State)> {
        let rule = self.accepting(state, phase, event)?;
        Some((rule, self.make(state, rule, event)))
    }

    /// Carries out derived events one after another, each in the phase that is then active.
    fn carry_out_all(&mut self, state: &State, events: &[Event]) -> Option<(RuleId, State)> {
        let (first, rest) = events.split_first()?;
        let phase = self.active_phase(state)?;
        let (rule, mut after) = self.carry_out(state, phase, *first)?;
        for &event in rest {
            if self.stops(&after) {
                return None;
            }
            let phase = self.active_phase(&after)?;
            after = self.carry_out(&after, phase, event)?.1;
        }
        Some((rule, after))
    }

    /// The first rule that accepts an event.
    pub(crate) fn accepting(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<RuleId> {
        let rules = self.game.rules_for(phase, event).iter().copied();
        rules.into_iter().find(|&rule| self.judge(state, rule, event) == Verdict::Valid)
    }

    /// The preprocessor that takes an event, by its number, if one does.
    pub(crate) fn preprocessor(
        &mut self,
        state: &State,
        phase: PhaseId,
        event: Event,
    ) -> Option<usize> {
        let (game, mover) = (self.game, self.mover(state).index());
        let pre = &game.leaves[phase.index()].pre;
        (0..pre.len()).find(|&at| {
            let takes = game.entries.preprocessors[phase.index()][at][mover];
            pre[at].on == event.kind() && self.holds(takes, Proposal::of(event), state)
        })
    }

    /// The events that a preprocessor makes of one.
    pub(crate) fn derive(
        &mut self,
        state: &State,
        phase: PhaseId,
        pre: usize,
        event: Event,
    ) -> Option<Vec<Event>> {
        use crate::typed::Derived;
        let (game, mover) = (self.game, self.mover(state));
        let mut events = Vec::new();
        for derived in &game.leaves[phase.index()].pre[pre].derive {
            match derived {
                Derived::Itself => events.push(event),
                Derived::Act(action) => events.push(Event::Act(*action)),
                Derived::EachStep => {
                    let Event::Move { from, to, choice } = event else { return None };
                    let view = game.view(state);
                    let mine = |&kind: &KindId| view.count(from, mover, kind) > 0;
                    let kind = game.kinds().find(mine)?;
                    let path = game.travel(state, mover, game.mobility(mover, kind), from, to)?;
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
    pub(crate) fn judge(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        match (self.judge_alone(state, id, event), self.game.rules[id.index()].closing) {
            (Verdict::Valid, Closing::Usage(usage)) => self.judge_usage(state, id, event, usage),
            (Verdict::Valid, Closing::Rank) => self.judge_rank(state, id),
            (Verdict::Valid, Closing::Otherwise) => self.judge_otherwise(state, id),
            (verdict, _) => verdict,
        }
    }

    /// What a rule says of an event, whatever else the phase allows.
    pub(crate) fn judge_alone(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        let verdict = self.judge_candidate(state, id, event);
        if verdict != Verdict::Valid || self.ensures(state, id, event) {
            return verdict;
        }
        let number = self.game.rules[id.index()].ensures.as_ref().map_or(0, |one| one.number);
        Verdict::Invalid(Reason::Aftermath(id, number))
    }

    /// What a rule says of an event, leaving out what must hold when all is done.
    pub(crate) fn judge_candidate(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        let rule = &self.game.rules[id.index()];
        let refusal = match (&rule.wants, event) {
            (Wanted::Move(Movement { way: Way::Dice(_), .. }), Event::Move { .. }) => {
                Verdict::Invalid(Reason::DieMissing)
            }
            (Wanted::Move(movement), Event::Advance { .. }) => {
                self.judge_advance(state, id, movement, event)
            }
            (Wanted::Move(movement), Event::Move { .. }) => {
                self.judge_move(state, id, movement, event)
            }
            (Wanted::Put { .. }, Event::Put { kind, to }) => self.judge_put(state, id, kind, to),
            (Wanted::Roll { first, last }, Event::Roll(outcome)) => {
                refuse_unless((*first..=*last).contains(&outcome), Reason::OtherDice)
            }
            (Wanted::Act(action), Event::Act(other)) => {
                refuse_unless(*action == other, Reason::OtherAct(*action))
            }
            _ => return Verdict::Ignore,
        };
        match refusal {
            Verdict::Valid => self.judge_when(state, id, event),
            other => other,
        }
    }

    /// What the conditions of a rule say of an event.
    fn judge_when(&mut self, state: &State, id: RuleId, event: Event) -> Verdict {
        let mover = self.mover(state);
        let code = self.rule_code(id, mover);
        let proposal = Proposal::of(event);
        if self.holds(code.when, proposal, state) {
            return Verdict::Valid;
        }
        let when = &self.game.rules[id.index()].when;
        match self.verdict(when, &code.conditions, proposal, state) {
            Verdict::Invalid(Reason::Condition(_, number)) => {
                Verdict::Invalid(Reason::Condition(id, number))
            }
            verdict => verdict,
        }
    }

    /// What a condition answers, from the answers of those it is made of.
    fn verdict(
        &mut self,
        condition: &crate::typed::Condition,
        codes: &[(u16, FunctionId)],
        proposal: Proposal,
        state: &State,
    ) -> Verdict {
        use crate::typed::Truth;
        let refused = Verdict::Invalid(Reason::Condition(RuleId(0), condition.number));
        let mut inner = |one| self.verdict(one, codes, proposal, state);
        match &condition.test {
            // What is inside a loop that was written out refuses as a whole.
            Truth::All(all) | Truth::Any(all)
                if all.iter().any(|one| one.number == crate::typed::UNNUMBERED) => {}
            Truth::All(all) => {
                let mut answers = all.iter().map(inner);
                return answers.find(|one| *one != Verdict::Valid).unwrap_or(Verdict::Valid);
            }
            Truth::Any(any) => {
                let mut answer = Verdict::Ignore;
                for one in any {
                    match inner(one) {
                        Verdict::Valid => return Verdict::Valid,
                        Verdict::Invalid(_) => answer = refused,
                        Verdict::Ignore => {}
                    }
                }
                return answer;
            }
            Truth::Called(one) => {
                return match inner(one) {
                    Verdict::Invalid(_) => refused,
                    answer => answer,
                };
            }
            _ => {}
        }
        let code = codes.iter().find(|(number, _)| *number == condition.number);
        let holds = code.is_none_or(|(_, code)| self.holds(*code, proposal, state));
        match (holds, &condition.test) {
            (true, _) => Verdict::Valid,
            (false, Truth::Relevant(_)) => Verdict::Ignore,
            (false, _) => refused,
        }
    }

    fn judge_move(
        &mut self,
        state: &State,
        id: RuleId,
        movement: &'g Movement,
        event: Event,
    ) -> Verdict {
        let Event::Move { from, to, choice } = event else { return Verdict::Ignore };
        let (game, mover) = (self.game, self.mover(state));
        let view = game.view(state);
        if !view.is_owned(from, mover) {
            return Verdict::Invalid(Reason::NoPiece(from, mover));
        }
        let Some(kind) = game.moving_kind(view, mover, movement, from) else {
            return Verdict::Ignore;
        };
        let (code, proposal) = (self.rule_code(id, mover), Proposal::of(event));
        if !self.holds(code.source, proposal, state) {
            return Verdict::Invalid(Reason::Source(from));
        }
        let Some(path) = game.journey(state, mover, movement, kind, (from, to)) else {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: None });
        };
        if path.len() > 1 {
            let through = self.find(code.through, proposal, state);
            let mut between = path.tiles().skip(1).take(path.len() - 1);
            if let Some(tile) = between.find(|&tile| !through.contains(tile)) {
                return Verdict::Invalid(Reason::Through(tile));
            }
        }
        if !self.holds(code.onto, proposal, state) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        match choice {
            None => refuse_unless(movement.choice.is_empty(), Reason::ChoiceMissing),
            Some(kind) => {
                refuse_unless(movement.choice.contains(&kind), Reason::ChoiceRefused(kind))
            }
        }
    }

    fn judge_advance(
        &mut self,
        state: &State,
        id: RuleId,
        movement: &Movement,
        event: Event,
    ) -> Verdict {
        let Event::Advance { from, to, pips } = event else { return Verdict::Ignore };
        let Way::Dice(track) = &movement.way else { return Verdict::Ignore };
        let (game, mover) = (self.game, self.mover(state));
        let view = game.view(state);
        if !view.is_owned(from, mover) {
            return Verdict::Invalid(Reason::NoPiece(from, mover));
        }
        if game.moving_kind(view, mover, movement, from).is_none() {
            return Verdict::Ignore;
        }
        if !track.dice.iter().any(|&die| view.die(die) == Some(pips)) {
            return Verdict::Invalid(Reason::NoDie(pips));
        }
        let (code, proposal) = (self.rule_code(id, mover), Proposal::of(event));
        if !self.holds(code.source, proposal, state) {
            return Verdict::Invalid(Reason::Source(from));
        }
        if track.target(mover, from, pips) != Some(to) {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: None });
        }
        let friend = |owner| game.are_allied(mover, owner);
        if !game.stacks(to) && view.owner_at(to).is_some_and(friend) {
            return Verdict::Invalid(Reason::NoPath { from, to, blocker: Some(to) });
        }
        let through = self.find(code.through, proposal, state);
        let next = |tile| game.topology().next(tile, track.along[mover.index()]);
        let way = std::iter::successors(next(from), |&tile| next(tile));
        let mut between = way.take(usize::from(pips)).take_while(|&tile| tile != to);
        if let Some(tile) = between.find(|&tile| !through.contains(tile)) {
            return Verdict::Invalid(Reason::Through(tile));
        }
        if !self.holds(code.onto, proposal, state) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        refuse_unless(movement.choice.is_empty(), Reason::ChoiceMissing)
    }

    fn judge_put(&mut self, state: &State, id: RuleId, kind: KindId, to: TileId) -> Verdict {
        let (game, mover) = (self.game, self.mover(state));
        let view = game.view(state);
        let Wanted::Put { kinds, .. } = &game.rules[id.index()].wants else {
            return Verdict::Ignore;
        };
        if !kinds.contains(kind) {
            return Verdict::Ignore;
        }
        if !game.stacks(to) && view.owner_at(to).is_some() {
            return Verdict::Invalid(Reason::Taken(to));
        }
        let proposal = Proposal::of(Event::Put { kind, to });
        if !self.holds(self.rule_code(id, mover).onto, proposal, state) {
            return Verdict::Invalid(Reason::Onto(to));
        }
        let left = game.is_unlimited(kind) || view.hand(mover, kind) > 0;
        refuse_unless(left, Reason::NoneLeft(kind))
    }

    /// Whether no rule of a lower rank has an event.
    fn judge_rank(&mut self, state: &State, id: RuleId) -> Verdict {
        let rule = &self.game.rules[id.index()];
        let mut list = Vec::new();
        self.list_phase(state, rule.phase, Listing::Play, &mut list);
        let rank = |found: &Found| self.game.rules[found.rule.index()].written.rank;
        let lower = list.iter().any(|found| rank(found) < rule.written.rank);
        refuse_unless(!lower, Reason::Outranked)
    }

    /// Whether the phase has no other event than those of a rule for that case.
    fn judge_otherwise(&mut self, state: &State, id: RuleId) -> Verdict {
        let phase = self.game.rules[id.index()].phase;
        let mut list = Vec::new();
        self.list_phase(state, phase, Listing::Play, &mut list);
        refuse_unless(list.is_empty(), Reason::Avoidable)
    }
}

fn refuse_unless(holds: bool, reason: Reason) -> Verdict {
    if holds { Verdict::Valid } else { Verdict::Invalid(reason) }
}

impl Game {
    /// Whether the events of a rule are listed so.
    pub(crate) fn lists(&self, rule: RuleId, listing: Listing) -> bool {
        self.rules[rule.index()].written.listing == listing
    }

    /// The rules of a phase that an event of a kind is put to: with the plan only those about
    /// that kind, without it all of them.
    pub(crate) fn rules_for(&self, phase: PhaseId, event: Event) -> &[RuleId] {
        let leaf = &self.leaves[phase.index()];
        if self.options.decision_plan { &leaf.by_kind[event.kind() as usize] } else { &leaf.rules }
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

    /// Every event of a kind that can be written down at all, legal or not.
    pub fn each_possible(&self, kind: EventKind, sink: &mut dyn FnMut(Event)) {
        match kind {
            EventKind::Move => {
                let choices = || std::iter::once(None).chain(self.kinds().map(Some));
                let sides = self.definition.dice.iter().map(|die| die.sides).max().unwrap_or(0);
                for from in self.tiles() {
                    for to in self.tiles() {
                        for pips in 1..=sides {
                            sink(Event::Advance { from, to, pips });
                        }
                        for choice in choices() {
                            sink(Event::Move { from, to, choice });
                        }
                    }
                }
            }
            EventKind::Put => {
                for kind in self.kinds() {
                    self.tiles().for_each(|to| sink(Event::Put { kind, to }));
                }
            }
            EventKind::Roll => {
                let outcomes = (0..self.outcomes.len()).map(OutcomeId::at);
                outcomes.for_each(|outcome| sink(Event::Roll(outcome)));
            }
            EventKind::Act => {
                let actions = (0..self.definition.actions.len()).map(ActionId::at);
                actions.for_each(|action| sink(Event::Act(action)));
            }
        }
    }
}

impl Game {
    /// The code of a phase, for people.
    pub fn debug_code(&self) -> String {
        format!("{:#?}", self.code.function(self.entries.moves[0][0]).body)
    }
}
