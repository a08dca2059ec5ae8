//! Phases, rules, endings and outcomes of chance.

mod check;
mod roll;
mod visit;

use std::collections::BTreeSet;

use crate::fault::{Artifact, Fault};
use crate::id::{DieId, FlagId, KindId, OutcomeId, PhaseId, PlayerId, RuleId};
use crate::lower::fact::{Part, effect_parts, visit_effects};
use crate::typed;
use crate::written::{
    Derived, Ending, EventKind, Hop, Landing, Listing, Movement, Order, Pattern, Phase, Picking,
    Pips, Preprocessor, Putting, Rule, Steps, Supply, Threat, Truth, Usage, Wanted, Way,
};

use super::board::Board;
use super::name::Compiler;
use super::word::{Context, Words};
pub(super) use visit::count_tree;
use visit::{each_leaf, each_new_kind};

/// More outcomes than this of one roll, and a table of them is no longer reasonable.
const MAX_OUTCOMES: u64 = 50_000;

/// The compiled flow of the game.
#[derive(Default)]
pub(crate) struct Flow {
    pub(crate) outcomes: Vec<typed::Outcome>,
    pub(crate) rules: Vec<typed::Rule>,
    pub(crate) gates: Vec<typed::Gate>,
    pub(crate) leaves: Vec<typed::Leaf>,
    pub(crate) endings: Vec<typed::Ending>,
    pub(crate) requirements: Vec<typed::Requirement>,
    pub(crate) serving: Vec<(FlagId, Vec<RuleId>)>,
    pub(crate) threatening: Vec<RuleId>,
    /// Where each rule is written.
    pub(super) places: Vec<String>,
    /// Whether a piece can change its kind.
    pub(crate) changing: bool,
    /// The kinds that a piece is or can become.
    living: BTreeSet<String>,
    /// Which dice were rolled in which order, and the outcomes that this gave.
    rolls: Vec<(Vec<DieId>, Order, (OutcomeId, OutcomeId))>,
    /// The first phase that is always open, after which no other is reached.
    always_open: Option<String>,
}

impl Flow {
    /// Every outermost expression of the game.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        let mut parts = Vec::new();
        for rule in &self.rules {
            parts.push(Part::Truth(&rule.when));
            parts.extend(rule.ensures.iter().map(Part::Truth));
            match &rule.wants {
                typed::Wanted::Move(movement) => {
                    let sets = [&movement.source, &movement.through, &movement.onto];
                    parts.extend(sets.map(Part::Set));
                    parts.extend(movement.way.parts());
                }
                typed::Wanted::Put { onto, .. } | typed::Wanted::Pick { onto, .. } => {
                    parts.push(Part::Set(onto));
                }
                typed::Wanted::Roll { .. } | typed::Wanted::Act(_) => {}
            }
            parts.extend(rule.lots.iter().map(|lot| Part::Number(&lot.weight)));
            for effects in rule.effect_lists() {
                visit_effects(effects, &mut |effect| parts.extend(effect_parts(effect)));
            }
        }
        for leaf in &self.leaves {
            parts.extend(leaf.pre.iter().map(|pre| Part::Truth(&pre.when)));
            parts.extend(leaf.most.iter().map(Part::Number));
        }
        parts.extend(self.gates.iter().map(|gate| Part::Truth(&gate.when)));
        for ending in &self.endings {
            parts.extend([Part::Truth(&ending.when), Part::Number(&ending.score)]);
            parts.extend(ending.most.iter().chain(&ending.pays).map(Part::Number));
        }
        parts.extend(self.requirements.iter().map(|one| Part::Truth(&one.holds)));
        parts
    }
}

impl Flow {
    /// Whether something asks how often the position has come up.
    pub(crate) fn looks_back(&self) -> bool {
        let mut found = false;
        for part in self.parts() {
            crate::lower::fact::visit(part, &mut |part| {
                let test = match part {
                    Part::Truth(condition) => &condition.test,
                    _ => return,
                };
                found |= matches!(test, typed::Truth::Repeats(_));
            });
        }
        found
    }
}

impl<'d> Compiler<'d> {
    pub(crate) fn flow(&mut self, board: &Board) -> Flow {
        let mut flow = Flow::default();
        let d = self.definition;
        flow.living = d.pieces.iter().map(|piece| piece.kind.clone()).collect();
        let unlimited = d.kinds.iter().filter(|kind| kind.supply == Supply::Unlimited);
        flow.living.extend(unlimited.map(|kind| kind.name.clone()));
        each_new_kind(&d.phases, &mut |kind| {
            flow.changing = true;
            flow.living.insert(kind.to_owned());
        });
        for secret in &d.secrets {
            if let crate::written::Secret::Kinds { shown, .. } = secret {
                flow.changing = true;
                flow.living.insert(shown.clone());
            }
        }
        self.unique("phases", Artifact::Phase, d.phases.iter().map(|phase| phase.name.as_str()));
        for phase in &d.phases {
            self.phase(&mut flow, board, phase, "phases", true);
        }
        flow.threatening = threatening(&flow.rules);
        self.check_attacks(&flow);
        self.check_cycles(&flow);
        self.check_history(&flow);
        self.serving(&mut flow);
        self.unique("endings", Artifact::Ending, d.endings.iter().map(|one| one.name.as_str()));
        flow.endings = d.endings.iter().map(|ending| self.ending(board, ending)).collect();
        for requirement in &d.requirements {
            let place = format!("requirements/{}", requirement.name);
            let holds = self.words(board, place, Context::State).condition(&requirement.holds);
            let name = requirement.name.clone();
            flow.requirements.push(typed::Requirement { name, holds });
        }
        self.check_cost(&flow);
        self.check_turns(&flow);
        flow
    }

    /// The movement rules of some names, in any phase. Rules are numbered as the tree of phases is
    /// read.
    pub(super) fn movement_rules(&mut self, place: &str, names: &[String]) -> Option<Vec<RuleId>> {
        let mut rules: Vec<&'d Rule> = Vec::new();
        each_leaf(&self.definition.phases, &mut |leaf| rules.extend(&leaf.rules));
        let mut found = Vec::new();
        for name in names {
            let (before, mut by_dice) = (found.len(), false);
            for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.name == *name) {
                if let Wanted::Move(movement) = &rule.wants {
                    by_dice |= matches!(movement.way, Way::Dice(_));
                    found.push(RuleId::at(index));
                }
            }
            if by_dice {
                self.fault(place, Fault::ByDice { rule: name.clone() });
            }
            if found.len() == before {
                let movers = rules.iter().filter(|rule| matches!(rule.wants, Wanted::Move(_)));
                let near = self.guess(name, movers.map(|rule| &rule.name));
                self.unknown(place, Artifact::Rule, name, near);
                return None;
            }
        }
        Some(found)
    }

    fn words<'c>(&'c mut self, board: &'c Board, place: String, context: Context) -> Words<'c, 'd> {
        Words::new(self, board, place, context)
    }

    pub(crate) fn unique<'n>(
        &mut self,
        place: &str,
        what: Artifact,
        names: impl Iterator<Item = &'n str>,
    ) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                self.fault(place, Fault::Duplicate { what, name: name.to_owned() });
            }
        }
    }

    /// One phase and all inside it. `sure` says that the phases around it are always open.
    fn phase(
        &mut self,
        flow: &mut Flow,
        board: &Board,
        phase: &Phase,
        outer: &str,
        sure: bool,
    ) -> usize {
        let place = format!("{outer}/{}", phase.name);
        let when = self.words(board, format!("{place}/when"), Context::State);
        let when = { when }.condition(&phase.when);
        let sure = sure && self.certainty(&when) == Some(true);
        let gate = flow.gates.len();
        flow.gates.push(typed::Gate { when, inside: Vec::new(), skip: 0, leaf: None });
        if phase.phases.is_empty() {
            self.leaf(flow, board, phase, &place);
            flow.gates[gate].leaf = Some(PhaseId::at(flow.leaves.len() - 1));
            if sure && flow.always_open.is_none() {
                flow.always_open = Some(phase.name.clone());
            }
        } else {
            if !phase.rules.is_empty() || !phase.pre.is_empty() {
                self.fault(&place, Fault::RulesBesidePhases);
            }
            let names = phase.phases.iter().map(|inside| inside.name.as_str());
            self.unique(&place, Artifact::Phase, names);
            for inside in &phase.phases {
                let inside = self.phase(flow, board, inside, &place, sure);
                flow.gates[gate].inside.push(inside);
            }
        }
        flow.gates[gate].skip = flow.gates.len();
        gate
    }

    fn leaf(&mut self, flow: &mut Flow, board: &Board, phase: &Phase, place: &str) {
        if let Some(after) = flow.always_open.clone() {
            self.fault(place, Fault::NeverReached { after });
        }
        if phase.rules.is_empty() {
            self.fault(place, Fault::None { what: Artifact::Rule });
        }
        self.unique(place, Artifact::Rule, phase.rules.iter().map(|rule| rule.name.as_str()));
        let pre = phase.pre.iter().map(|pre| pre.name.as_str());
        self.unique(place, Artifact::Preprocessor, pre);
        let pre = phase.pre.iter().map(|pre| self.preprocessor(board, pre, place)).collect();
        let by_itself = |rule: &Rule| rule.listing == Listing::Otherwise;
        if !phase.pre.is_empty()
            && (phase.usage != Usage::Free || phase.rules.iter().any(by_itself))
        {
            let why = "what a phase must use or does by itself cannot be derived".into();
            self.fault(place, Fault::NeverFires { why });
        }
        let mut rules = Vec::new();
        let mut by_kind: [Vec<RuleId>; 5] = Default::default();
        for (index, rule) in phase.rules.iter().enumerate() {
            let place = format!("{place}/rules/{}", rule.name);
            let earlier = &phase.rules[..index];
            self.check_fires(flow, rule, earlier, &place);
            let mut compiled = self.rule(flow, board, rule, &place);
            compiled.phase = PhaseId::at(flow.leaves.len());
            compiled.closing = closing(phase, rule);
            let rule_id = RuleId::at(flow.rules.len());
            rules.push(rule_id);
            by_kind[compiled.wants.kind() as usize].push(rule_id);
            flow.rules.push(compiled);
            flow.places.push(place);
        }
        let name = phase.name.clone();
        let has_otherwise = phase.rules.iter().any(|rule| rule.listing == Listing::Otherwise);
        let usage = phase.usage;
        let most = phase.most.as_ref().and_then(|most| {
            self.words(board, format!("{place}/most"), Context::State).value(most)
        });
        if phase.most.is_some() && (usage != Usage::Free || !phase.pre.is_empty()) {
            let why = "a phase that must reach the most has no usage and no preprocessors".into();
            self.fault(place, Fault::NeverFires { why });
        }
        flow.leaves.push(typed::Leaf {
            name,
            pre,
            rules,
            by_kind,
            has_otherwise,
            ranked: phase.rules.iter().any(|rule| rule.rank != phase.rules[0].rank),
            usage,
            most,
            overlaps: [false; 5],
            counts: false,
            counts_apart: false,
            counts_moves_apart: false,
        });
    }

    fn preprocessor(
        &mut self,
        board: &Board,
        written: &Preprocessor,
        place: &str,
    ) -> typed::Preprocessor {
        let place = format!("{place}/pre/{}", written.name);
        let when = self.words(board, format!("{place}/when"), Context::Event);
        let when = { when }.condition(&written.when);
        let derive = written.derive.iter().filter_map(|derived| {
            Some(match derived {
                Derived::Itself => typed::Derived::Itself,
                Derived::EachStep => typed::Derived::EachStep,
                Derived::Act(name) => typed::Derived::Act(self.action(&place, name)?),
            })
        });
        let derive: Vec<_> = derive.collect();
        if written.derive.is_empty() {
            self.fault(&place, Fault::None { what: Artifact::Outcome });
        }
        typed::Preprocessor { on: written.on, when, derive }
    }

    fn rule(&mut self, flow: &mut Flow, board: &Board, rule: &Rule, place: &str) -> typed::Rule {
        let mut lots = Vec::new();
        let wants = match &rule.wants {
            Wanted::Move(movement) => self.movement(board, movement, place),
            Wanted::Put(putting) => self.putting(board, putting, place),
            Wanted::Roll(rolling) => self.rolling(flow, rolling, place),
            Wanted::Act(name) => self
                .action(place, name)
                .map_or(typed::Wanted::Act(crate::ActionId(0)), typed::Wanted::Act),
            Wanted::Pick(picking) => self.picking(board, picking, place),
            Wanted::Chance(written) => {
                let wants;
                (wants, lots) = self.lots(flow, board, written, place);
                wants
            }
            // Draws that name piles are written as chance before.
            Wanted::Draw(drawing) => {
                let name = format!("{} and {}", drawing.from, drawing.to);
                self.unknown(place, Artifact::Pile, &name, None);
                typed::Wanted::Act(crate::ActionId(0))
            }
        };
        let seen_by = self.sight(place, &rule.seen_by);
        let mut words = self.words(board, format!("{place}/when"), Context::Event);
        let when = words.condition(&rule.when);
        words.place = format!("{place}/before");
        words.in_effect = true;
        let before = words.effects(&rule.before);
        words.place = format!("{place}/after");
        let after = words.effects(&rule.after);
        words.place = format!("{place}/fails");
        let fails = words.effects(&rule.fails);
        words.place = format!("{place}/ensures");
        words.in_effect = false;
        words.number = 0;
        let ensures = words.condition(&rule.ensures);
        let ensures = Some(ensures).filter(|_| rule.ensures != Truth::Always);
        let (phase, closing) = (PhaseId(0), typed::Closing::Nothing);
        let written = rule.clone();
        typed::Rule {
            written,
            wants,
            when,
            before,
            after,
            ensures,
            phase,
            closing,
            shared: Vec::new(),
            lots,
            fails,
            seen_by,
        }
    }

    /// The kinds named, or every kind where none is.
    fn kinds_of(&mut self, place: &str, names: &[String]) -> typed::Kinds {
        if names.is_empty() {
            let mut all = typed::Kinds([0; 4]);
            for kind in 0..self.definition.kinds.len() {
                all.0[kind / 64] |= 1 << (kind % 64);
            }
            return all;
        }
        let mut kinds = typed::Kinds([0; 4]);
        for kind in names.iter().filter_map(|name| self.kind(place, name)) {
            kinds.0[kind.index() / 64] |= 1 << (kind.index() % 64);
        }
        kinds
    }

    fn movement(&mut self, board: &Board, written: &Movement, place: &str) -> typed::Wanted {
        let kinds = self.kinds_of(place, &written.kinds);
        let way = match &written.way {
            Way::Own => typed::Way::Own,
            Way::Pattern(pattern) => {
                let players = (0..self.definition.players.len()).map(PlayerId::at);
                let pattern: &[Pattern] = std::slice::from_ref(pattern);
                let mobility = players.map(|player| self.mobility(place, pattern, player));
                typed::Way::Pattern(mobility.collect())
            }
            Way::First(names) => {
                let headings = names.iter().filter_map(|name| self.heading(place, name));
                typed::Way::First(headings.collect())
            }
            Way::Dice(pips) => typed::Way::Dice(self.track(board, pips, place)),
            Way::Hop(hop) => self.hop(board, hop, place),
            Way::Steps(steps) => self.steps(board, steps, place),
            Way::Anywhere => typed::Way::Anywhere,
        };
        self.unique(place, Artifact::Kind, written.choice.iter().map(String::as_str));
        let choice: Vec<KindId> =
            written.choice.iter().filter_map(|name| self.kind(place, name)).collect();
        let mut set = |part: &str, set| {
            let place = format!("{place}/{part}");
            let found = self.words(board, place, Context::Event).set(set);
            found.unwrap_or(typed::Set::Empty)
        };
        typed::Wanted::Move(typed::Movement {
            kinds,
            source: set("source", &written.source),
            way,
            through: set("through", &written.through),
            onto: set("onto", &written.onto),
            choice,
        })
    }

    fn hop(&mut self, board: &Board, written: &Hop, place: &str) -> typed::Way {
        let mut words = self.words(board, format!("{place}/way"), Context::Source);
        let (along, over) = (words.headings(&written.along), words.set(&written.over));
        typed::Way::Hop(typed::Hop {
            along: along.unwrap_or_default(),
            over: over.unwrap_or(typed::Set::Empty),
            approach: written.approach,
            landing: written.landing,
        })
    }

    fn steps(&mut self, board: &Board, written: &Steps, place: &str) -> typed::Way {
        let mut words = self.words(board, format!("{place}/way"), Context::Source);
        let name = written.name.as_deref().unwrap_or_default();
        let counts =
            words.each_direction(name, &written.along, |words| words.value(&written.count));
        let along = words.headings(&written.along);
        let ways = along.unwrap_or_default().into_iter().zip(counts.unwrap_or_default());
        typed::Way::Steps(ways.collect())
    }

    /// Where dice lead, as a table.
    fn track(&mut self, board: &Board, written: &Pips, place: &str) -> typed::Track {
        let names = written.dice.iter().map(String::as_str);
        self.unique(place, Artifact::Die, names);
        if written.dice.is_empty() {
            self.fault(place, Fault::None { what: Artifact::Die });
        }
        let dice: Vec<DieId> =
            written.dice.iter().filter_map(|name| self.die(place, name)).collect();
        let along = self.heading(place, &written.along).unwrap_or_default();
        // A die that moves up shows what the one after it showed.
        let sides = dice.iter().map(|die| self.definition.dice[die.index()].sides);
        let first = sides.clone().next().unwrap_or(0);
        for other in sides.clone().filter(|&other| other != first) {
            let (found, same) = (other.into(), first.into());
            self.fault(place, Fault::OutOfBounds { found, min: same, max: same });
        }
        let sides = sides.max();
        let extent = (self.definition.players.len(), self.definition.tiles.len());
        let landing = written.landing;
        typed::Track::new(dice, along.clone(), sides.unwrap_or(0), extent, |player, from, pips| {
            let direction = *along.get(player.index())?;
            let next = |tile| board.topology.next(tile, direction);
            let mut tile = from;
            for step in 0..pips {
                tile = match (next(tile), landing) {
                    // A ring ends where it comes round to its start.
                    (Some(next), _) if next == from => return None,
                    (Some(next), _) => next,
                    (None, Landing::Short) => return (step > 0).then_some(tile),
                    (None, Landing::Exact) => return None,
                };
            }
            (landing == Landing::Exact).then_some(tile)
        })
    }

    fn putting(&mut self, board: &Board, written: &Putting, place: &str) -> typed::Wanted {
        let kinds = self.kinds_of(place, &written.kinds);
        let mut words = self.words(board, format!("{place}/onto"), Context::Event);
        let onto = words.set(&written.onto).unwrap_or(typed::Set::Empty);
        typed::Wanted::Put { kinds, onto }
    }

    fn picking(&mut self, board: &Board, written: &Picking, place: &str) -> typed::Wanted {
        let action = self.action(place, &written.act).unwrap_or(crate::ActionId(0));
        // Both are written before `@` and a tile.
        if self.definition.kinds.iter().any(|kind| kind.name == written.act) {
            let (what, name) = (Artifact::Action, written.act.clone());
            self.fault(place, Fault::Duplicate { what, name });
        }
        let mut words = self.words(board, format!("{place}/onto"), Context::Event);
        let onto = words.set(&written.onto).unwrap_or(typed::Set::Empty);
        typed::Wanted::Pick { action, onto }
    }

    fn ending(&mut self, board: &Board, written: &Ending) -> typed::Ending {
        let place = format!("endings/{}", written.name);
        let mut words = self.words(board, format!("{place}/when"), Context::Ending);
        let when = words.condition(&written.when);
        let winner = written.winner.as_ref().and_then(|seat| words.playing_seat(seat));
        let score = words.value(&written.score).unwrap_or(typed::Number::Is(1));
        let most = written.most.as_ref().and_then(|most| words.value(most));
        let pays = written.pays.as_ref().and_then(|pays| words.value(pays));
        if written.most.is_some() && written.winner.is_some() {
            let why = "who has the most wins: leave `winner` or `most` out".into();
            self.fault(&place, Fault::NeverFires { why });
        }
        typed::Ending {
            name: written.name.clone(),
            of: written.of,
            when,
            winner,
            score,
            most,
            pays,
            play: written.play,
        }
    }

    /// Finds the rules that flags serve.
    fn serving(&mut self, flow: &mut Flow) {
        for (index, flag) in self.definition.flags.iter().enumerate() {
            let Some(name) = &flag.serves else { continue };
            let named = |(_, rule): &(usize, &typed::Rule)| rule.written.name == *name;
            let rules = flow.rules.iter().enumerate().filter(named);
            let rules: Vec<RuleId> = rules.map(|(index, _)| RuleId::at(index)).collect();
            if rules.is_empty() {
                let place = format!("flags/{}/serves", flag.name);
                self.unknown(&place, Artifact::Rule, name, None);
            }
            flow.serving.push((FlagId::at(index), rules));
        }
    }
}

/// What is asked of a rule's events with a view to the other events of its phase.
fn closing(phase: &Phase, rule: &Rule) -> typed::Closing {
    let by_dice = |movement: &Movement| matches!(movement.way, Way::Dice(_));
    match (&rule.wants, phase.usage) {
        _ if rule.listing == Listing::Otherwise => typed::Closing::Otherwise,
        (Wanted::Move(movement), Usage::Most | Usage::MostThenGreatest) if by_dice(movement) => {
            typed::Closing::Usage(phase.usage)
        }
        _ if phase.rules.iter().any(|other| other.rank < rule.rank) => typed::Closing::Rank,
        _ => typed::Closing::Nothing,
    }
}

/// Movement rules that threaten where they lead.
fn threatening(rules: &[typed::Rule]) -> Vec<RuleId> {
    let threatens = |(index, rule): (usize, &typed::Rule)| match &rule.written.wants {
        Wanted::Move(movement) if movement.threat == Threat::Real => Some(RuleId::at(index)),
        _ => None,
    };
    rules.iter().enumerate().filter_map(threatens).collect()
}

/// Keeps `EventKind` and the index of rules by kind in step.
const _: () = {
    assert!(EventKind::Move as usize == 0 && EventKind::Pick as usize == 4);
};
