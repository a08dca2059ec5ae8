//! A game's code with a machine to run it on: what every question to a state goes through.

mod attempt;
mod journey;
mod judge;
mod list;
mod most;
mod pool;
mod secret;

use crate::draft::Draft;
use crate::event::Event;
use crate::game::Game;
use crate::id::{ActionId, KindId, OutcomeId, PhaseId, PlayerId, RuleId, TileId};
use crate::interpret::{Found, Machine, Output, Proposal};
use crate::ir::FunctionId;
use crate::lower::RuleCode;
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{Closing, Wanted};
use crate::walker::WalkerCache;
use crate::written::{EventKind, Listing, Play, Subject};
pub(crate) use journey::Journey;
pub(crate) use pool::Pool;

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
    /// Whether no ending stops play in any state that it is asked about.
    never_stops: bool,
    /// What walkers keep in it.
    pub(crate) cache: WalkerCache,
}

impl Game {
    /// An engine that knows the positions before the one it is asked about, by their hashes.
    pub(crate) fn engine_after(&self, past: &[u64]) -> Engine<'_> {
        let mut engine = self.engine();
        engine.remember(past);
        engine
    }

    /// An engine for questions about a state; none for a state of another game.
    pub(crate) fn engine_for(&self, state: &State) -> Option<Engine<'_>> {
        self.owns(state).then(|| self.engine())
    }

    #[inline(always)]
    pub(crate) fn engine(&self) -> Engine<'_> {
        let (machine, cache) = self.rooms.take(self);
        Engine { game: self, machine, never_stops: false, cache }
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        self.game.rooms.keep(&mut self.machine, std::mem::take(&mut self.cache));
    }
}

impl<'g> Engine<'g> {
    /// Tells the positions before the one that is asked about.
    pub(crate) fn remember(&mut self, past: &[u64]) {
        on_machine!(self, machine => {
            machine.past.clear();
            machine.past.extend_from_slice(past);
        });
    }

    /// Adds a position to those before the one that is asked about.
    pub(crate) fn push_past(&mut self, state: &State) {
        if self.game.looks_back {
            on_machine!(self, machine => machine.past.push(state.hash()));
        }
    }

    pub(crate) fn pop_past(&mut self) {
        if self.game.looks_back {
            on_machine!(self, machine => machine.past.pop());
        }
    }

    /// Lets it count as true, where rules ask, that a player is stuck.
    pub(crate) fn assume_stuck(&mut self) {
        on_machine!(self, machine => machine.assume_stuck = true);
    }

    pub(crate) fn holds(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> bool {
        self.number(id, proposal, state) != 0
    }

    pub(crate) fn number(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> i64 {
        on_machine!(self, machine => machine.answer(id, proposal, state))
    }

    pub(crate) fn find(&mut self, id: FunctionId, proposal: Proposal, state: &State) -> TileSet {
        on_machine!(self, machine => machine.find(id, proposal, state))
    }

    fn generate(&mut self, id: FunctionId, state: &State, output: Output) -> Output {
        on_machine!(self, machine => {
            machine.output = output;
            machine.generate(id, state);
            std::mem::replace(&mut machine.output, Output::Exists(false))
        })
    }

    /// How many events a function finds.
    fn count_of(&mut self, id: FunctionId, state: &State) -> u64 {
        on_machine!(self, machine => machine.count(id, state))
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
        self.game.view(state).seat()
    }

    pub(crate) fn rule_code(&self, rule: RuleId, player: PlayerId) -> &'g RuleCode {
        &self.game.entries.rules[rule.index()][player.index()]
    }

    /// Whether an ending that stops play holds. That the mover is stuck is assumed not to be so:
    /// where it is, every event is refused anyway.
    #[inline]
    pub(crate) fn stops(&mut self, state: &State) -> bool {
        self.game.has_stops
            && !self.never_stops
            && self.holds(self.game.entries.stops, Proposal::NONE, state)
    }

    /// Lets it be asked about a state and what play leads to from there, and nothing else, so that
    /// endings need not be asked for again where play cannot bring them about.
    pub(crate) fn stay_below(&mut self, state: &State) {
        let game = self.game;
        self.never_stops = game.has_stops
            && !game.consequences.can_come_to_stop
            && !game.has_preprocessors
            && !self.holds(game.entries.stops_any, Proposal::NONE, state);
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
            Subject::Each => game.seats().find(holds),
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
        let function = self.rule_code(rule, self.mover(state)).make;
        self.run_in(&mut draft, function, event);
        draft.state
    }

    /// The same, and whether the turn was given to a player.
    fn make_turning(&mut self, state: &State, rule: RuleId, event: Event) -> (State, bool) {
        let mut draft = Draft::new(self.game, state.clone());
        self.make_in(&mut draft, rule, event);
        (draft.state, draft.turned)
    }

    /// The state after an accepted event, at the end of a turn without idle flags.
    pub(crate) fn make_step(&mut self, state: &State, rule: RuleId, event: Event) -> State {
        let mut draft = Draft::new(self.game, state.clone());
        self.make_in(&mut draft, rule, event);
        self.end_turn(&mut draft.state, draft.turned);
        draft.state
    }

    /// Clears idle flags where a turn has ended. Where every event of play ends one, so do asides.
    #[inline]
    fn end_turn(&mut self, state: &mut State, turned: bool) {
        if turned || self.game.turns_pass {
            self.clear_idle_flags(state);
        }
    }

    fn make_in(&mut self, draft: &mut Draft<'g>, rule: RuleId, event: Event) {
        let mover = self.mover(&draft.state);
        let code = self.rule_code(rule, mover);
        let fails = self.game.secrets.is_some() && self.fails(&draft.state, rule, event);
        self.run_in(draft, if fails { code.fails } else { code.make }, event);
    }

    fn run_in(&mut self, draft: &mut Draft<'g>, function: FunctionId, event: Event) {
        on_machine!(self, machine => machine.make(function, Proposal::of(event), draft));
    }

    /// The same for trees, which do not ask which piece stands where, in a draft of any state, which
    /// is overwritten.
    #[inline]
    pub(crate) fn make_into(&mut self, state: &State, found: Found, into: &mut Draft<'g>) {
        into.state.copy_prefix(state, self.game.layout.tail);
        into.turned = false;
        self.make_in(into, found.rule, found.event);
        self.end_turn(&mut into.state, into.turned);
    }

    /// The state that trees come to by an event.
    pub(crate) fn state_after(&mut self, state: &State, found: Found) -> State {
        let mut draft = Draft::without_identity(self.game, state.clone());
        self.make_into(state, found, &mut draft);
        draft.state
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
            Wanted::Move(_) | Wanted::Put { .. } | Wanted::Pick { .. }
                if closing == Closing::Nothing =>
            {
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

    /// Whether the game has everything that an event names.
    pub fn knows(&self, event: Event) -> bool {
        let tile = |tile: TileId| tile.index() < self.definition.tiles.len();
        let kind = |kind: KindId| kind.index() < self.definition.kinds.len();
        match event {
            Event::Move { from, to, choice } => tile(from) && tile(to) && choice.is_none_or(kind),
            Event::Advance { from, to, .. } => tile(from) && tile(to),
            Event::Put { kind: put, to } => kind(put) && tile(to),
            Event::Roll(outcome) => outcome.index() < self.outcomes.len(),
            Event::Act(action) => action.index() < self.definition.actions.len(),
            Event::Pick { action, to } => {
                action.index() < self.definition.actions.len() && tile(to)
            }
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
            EventKind::Pick => {
                for action in self.actions() {
                    self.tiles().for_each(|to| sink(Event::Pick { action, to }));
                }
            }
        }
    }
}
