//! What games played at random reach of a game's rules: the rules, endings and phases that come up, and
//! the answers that conditions give.

use std::collections::BTreeSet;

use senet::chance::Source;
use senet::define::{Definition, Effect, Ending, Listing, Number, Play, Seat, Truth, Variable};
use senet::define::{Phase, Wanted};
use senet::{Event, Game, Match, Position};
use serde::Serialize;

/// A game played at random is abandoned after this many events.
const LIMIT: usize = 2_000;

/// How many legal events, and how many events that may be refused, the rules are asked about in each
/// position.
const ASKED: (usize, usize) = (2, 6);

/// What never happened in games played at random.
#[derive(Serialize)]
pub(crate) struct Coverage {
    /// Rules, endings and phases that never came up.
    pub(crate) unused: Vec<String>,
    /// Conditions that gave one answer only.
    pub(crate) conditions: Vec<OneSided>,
}

/// A condition that gave one answer only.
#[derive(Serialize)]
pub(crate) struct OneSided {
    /// The rule, phase or ending that asks.
    pub(crate) place: String,
    /// The condition in words.
    pub(crate) condition: String,
    /// The answer that it never gave.
    pub(crate) never: bool,
}

/// A condition, and the answers it has given.
struct Probe {
    place: String,
    condition: String,
    held: bool,
    failed: bool,
}

impl Probe {
    fn new(place: &str, condition: &Truth) -> Probe {
        let (place, condition) = (place.to_owned(), condition.to_string());
        Probe { place, condition, held: false, failed: false }
    }

    /// Whether it has given both answers, so that there is nothing more to learn.
    fn is_done(&self) -> bool {
        self.held && self.failed
    }

    fn note(&mut self, holds: bool) {
        if holds {
            self.held = true;
        } else {
            self.failed = true;
        }
    }
}

/// Plays games at random and tells what never happened in them.
pub(crate) fn measure(game: &Game, playouts: u64) -> Coverage {
    let mut played = Played::new(game);
    for number in 0..playouts {
        played.play(number);
    }
    played.coverage(game)
}

/// The games played at random, and what is watched in them.
struct Played {
    /// The game, in which effects note what their conditions answer.
    game: Game,
    /// The conditions of effects.
    effects: Vec<Probe>,
    /// The parts of the conditions of endings, each with the game that has no other ending.
    endings: Vec<(Game, Probe)>,
    /// The conditions of rules.
    rules: Vec<Probe>,
    /// Events that could be legal in some position.
    space: Vec<Event>,
    used: BTreeSet<String>,
}

impl Played {
    fn new(game: &Game) -> Played {
        let definition = game.definition();
        let mut effects = Vec::new();
        let watched = Game::compile(watched(definition, &mut effects));
        let watched = watched.unwrap_or_else(|_| {
            effects.clear();
            game.clone()
        });
        let mut endings = Vec::new();
        for ending in &definition.endings {
            for part in parts(&ending.when) {
                let place = format!("ending `{}`", ending.name);
                let alone = Ending { when: part.clone(), play: Play::MayGoOn, ..ending.clone() };
                let alone = Definition { endings: vec![alone], ..definition.clone() };
                endings
                    .extend(Game::compile(alone).ok().map(|game| (game, Probe::new(&place, part))));
            }
        }
        let mut rules = Vec::new();
        each_rule(&definition.phases, &mut |rule| {
            let place = format!("rule `{}`", rule.name);
            rules.extend(parts(&rule.when).into_iter().map(|part| Probe::new(&place, part)));
        });
        let space = watched.rules().event_space();
        Played { game: watched, effects, endings, rules, space, used: BTreeSet::new() }
    }

    fn play(&mut self, number: u64) {
        let mut source = Source::for_game(1, number);
        let mut played = Match::new(&self.game);
        let endings = self.endings.iter().enumerate();
        let open = endings.filter(|(_, (_, probe))| !probe.is_done());
        let mut alone: Vec<(usize, Match)> =
            open.map(|(index, (game, _))| (index, Match::new(game))).collect();
        for _ in 0..LIMIT {
            let position = played.position();
            self.note_endings(&alone);
            if let Some(phase) = position.phase() {
                self.used.insert(format!("phase `{}`", self.game.phase_name(phase)));
            }
            let drawn = if position.awaits_chance() { source.draw(&position) } else { None };
            let legal = position.legal();
            self.ask_rules(&position, &legal, &mut source);
            let Some(event) = drawn.or_else(|| source.pick(&legal)) else { break };
            let Ok(step) = played.apply(event) else { break };
            self.used.insert(format!("rule `{}`", self.game.rule_name(step.rule)));
            for (_, one) in &mut alone {
                // One that refuses stays behind, and says nothing wrong.
                let _ = one.apply(event);
            }
        }
        self.note_endings(&alone);
        if let Some(outcome) = played.outcome() {
            self.used.insert(format!("ending `{}`", self.game.ending_name(outcome.ending)));
        }
        self.note_effects(&played.position());
    }

    fn note_endings(&mut self, alone: &[(usize, Match)]) {
        for (index, one) in alone {
            self.endings[*index].1.note(one.position().outcome().is_some());
        }
    }

    fn note_effects(&mut self, position: &Position) {
        for (number, probe) in self.effects.iter_mut().enumerate() {
            for holds in [true, false] {
                let Some(variable) = self.game.variable(&counter(number, holds)) else { continue };
                if position.view().variable(variable, position.player()) > 0 {
                    probe.note(holds);
                }
            }
        }
    }

    /// Asks the rules about some events, legal and not, and notes what their conditions answer.
    fn ask_rules(&mut self, position: &Position, legal: &[Event], source: &mut Source) {
        if self.rules.iter().all(Probe::is_done) {
            return;
        }
        let mut asked: Vec<Event> = (0..ASKED.0).filter_map(|_| source.pick(legal)).collect();
        asked.extend((0..ASKED.1).filter_map(|_| source.pick(&self.space)));
        for event in asked {
            let explanation = self.game.rules().explain(position.state(), event);
            for report in &explanation.rules {
                let place = format!("rule `{}`", self.game.rule_name(report.rule));
                for check in &report.checks {
                    let same = |probe: &&mut Probe| {
                        probe.place == place && probe.condition == check.condition
                    };
                    if let Some(probe) = self.rules.iter_mut().find(same) {
                        probe.note(check.holds);
                    }
                }
            }
        }
    }

    fn coverage(self, game: &Game) -> Coverage {
        let definition = game.definition();
        let mut unused = Vec::new();
        let mut expect = |place: String| {
            if !self.used.contains(&place) {
                unused.push(place);
            }
        };
        if definition.phases.len() > 1 {
            let leaves = definition.phases.iter().filter(|phase| phase.phases.is_empty());
            leaves.for_each(|phase| expect(format!("phase `{}`", phase.name)));
        }
        each_rule(&definition.phases, &mut |rule| {
            if rule.listing != Listing::Aside {
                expect(format!("rule `{}`", rule.name));
            }
        });
        definition.endings.iter().for_each(|ending| expect(format!("ending `{}`", ending.name)));
        let endings = self.endings.into_iter().map(|(_, probe)| probe);
        let probes = self.rules.into_iter().chain(self.effects).chain(endings);
        // One that was never asked belongs to a rule that never came up.
        let one_sided = probes.filter(|probe| probe.held != probe.failed).map(|probe| OneSided {
            place: probe.place,
            condition: probe.condition,
            never: probe.failed,
        });
        Coverage { unused, conditions: one_sided.collect() }
    }
}

/// The parts of a condition that must all hold; those that ask nothing are left out.
fn parts(condition: &Truth) -> Vec<&Truth> {
    match condition {
        Truth::Always => Vec::new(),
        Truth::All(parts) => parts.iter().flat_map(self::parts).collect(),
        one => vec![one],
    }
}

fn each_rule<'d>(phases: &'d [Phase], visit: &mut impl FnMut(&'d senet::define::Rule)) {
    for phase in phases {
        phase.rules.iter().for_each(&mut *visit);
        each_rule(&phase.phases, visit);
    }
}

/// The variable that notes an answer of the condition of an effect.
fn counter(number: usize, holds: bool) -> String {
    format!("coverage-{number}-{holds}")
}

/// The same game, in which the effects of rules note what their conditions answer.
fn watched(definition: &Definition, probes: &mut Vec<Probe>) -> Definition {
    let mut definition = definition.clone();
    watch_phases(&mut definition.phases, probes);
    for number in 0..probes.len() {
        let counters =
            [true, false].map(|holds| Variable::counter(counter(number, holds), 1).beside());
        definition.variables.extend(counters);
    }
    definition
}

fn watch_phases(phases: &mut [Phase], probes: &mut Vec<Probe>) {
    for phase in phases {
        for rule in &mut phase.rules {
            let place = format!("rule `{}`", rule.name);
            for effects in [&mut rule.before, &mut rule.after, &mut rule.fails] {
                watch(effects, &place, probes);
            }
            if let Wanted::Chance(lots) = &mut rule.wants {
                lots.iter_mut().for_each(|lot| watch(&mut lot.then, &place, probes));
            }
        }
        watch_phases(&mut phase.phases, probes);
    }
}

fn watch(effects: &mut [Effect], place: &str, probes: &mut Vec<Probe>) {
    for effect in effects {
        match effect {
            Effect::When { condition, then, otherwise } => {
                let number = probes.len();
                probes.push(Probe::new(place, condition));
                for (holds, effects) in [(true, then), (false, otherwise)] {
                    watch(effects, place, probes);
                    let (variable, by) = (counter(number, holds), Number::Is(1));
                    effects.push(Effect::Add { variable, of: Seat::Mover, by });
                }
            }
            Effect::Each(_, inside) | Effect::Repeat(_, inside) => watch(inside, place, probes),
            _ => {}
        }
    }
}
