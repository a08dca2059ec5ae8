//! How much an expression can cost, known before any state exists. Loops are bounded, but loops in
//! loops multiply, and what is asked of every candidate must be answered in time.

use crate::fault::{Artifact, Fault};
use crate::lower::fact::{Part, each_child, effect_parts, visit_effects};
use crate::typed::{Condition, Effect, Loop, Movement, Number, Set, Truth, Wanted, Way};
use crate::written::Usage;

use super::name::Compiler;
use super::phase::Flow;

/// How many steps one expression, or the effects of one rule, may take.
const MAX_STEPS: u64 = 1 << 20;

/// How many positions a turn may have over which a phase looks ahead.
const MAX_POSITIONS: u64 = 100_000;

/// What a flood over the board costs, for each tile.
const FLOOD: u64 = 2;

impl Compiler<'_> {
    /// Reports what would take too long.
    pub(super) fn check_cost(&mut self, flow: &Flow) {
        for (rule, place) in flow.rules.iter().zip(&flow.places) {
            let mut parts = vec![("when", self.cost(Part::Truth(&rule.when)))];
            parts.extend(rule.ensures.iter().map(|one| ("ensures", self.cost(Part::Truth(one)))));
            match &rule.wants {
                Wanted::Move(Movement { source, through, onto, way, .. }) => {
                    let ways = way.parts().into_iter().map(|part| self.cost(part));
                    parts.push(("way", ways.fold(0, u64::saturating_add)));
                    let sets = [("source", source), ("through", through), ("onto", onto)];
                    parts.extend(sets.map(|(part, set)| (part, self.cost(Part::Set(set)))));
                }
                Wanted::Put { onto, .. } | Wanted::Pick { onto, .. } => {
                    parts.push(("onto", self.cost(Part::Set(onto))));
                }
                Wanted::Roll { .. } | Wanted::Act(_) => {}
            }
            parts.push(("before", self.cost_of_effects(&rule.before)));
            parts.push(("after", self.cost_of_effects(&rule.after)));
            parts.push(("fails", self.cost_of_effects(&rule.fails)));
            for lot in &rule.lots {
                parts.push(("wants", self.cost_of_effects(&lot.then)));
                parts.push(("wants", self.cost(Part::Number(&lot.weight))));
            }
            for (part, steps) in parts {
                self.check_steps(&format!("{place}/{part}"), steps);
            }
        }
        for ending in &flow.endings {
            let numbers = ending.most.iter().chain(&ending.pays).chain([&ending.score]);
            let numbers = numbers.map(|number| self.cost(Part::Number(number)));
            let steps = numbers.fold(self.cost(Part::Truth(&ending.when)), u64::saturating_add);
            self.check_steps(&format!("endings/{}", ending.name), steps);
        }
        for requirement in &flow.requirements {
            let steps = self.cost(Part::Truth(&requirement.holds));
            self.check_steps(&format!("requirements/{}", requirement.name), steps);
        }
        for gate in &flow.gates {
            let steps = self.cost(Part::Truth(&gate.when));
            self.check_steps("phases", steps);
        }
    }

    fn check_steps(&mut self, place: &str, found: u64) {
        if found > MAX_STEPS {
            let (what, allowed) = (Artifact::Step, MAX_STEPS);
            self.fault(place, Fault::TooMany { what, found, allowed });
        }
    }

    /// Reports phases whose turns have too many positions to look ahead over, or no end.
    pub(super) fn check_turns(&mut self, flow: &Flow) {
        for leaf in flow.leaves.iter().filter(|leaf| leaf.usage != Usage::Free) {
            let mut dice = std::collections::BTreeSet::new();
            for id in &leaf.rules {
                let rule = &flow.rules[id.index()];
                let Wanted::Move(Movement { way: Way::Dice(track), .. }) = &rule.wants else {
                    continue;
                };
                dice.extend(track.dice.iter().copied());
                if turns_dice(&rule.before) || turns_dice(&rule.after) {
                    let place = flow.places[id.index()].clone();
                    self.fault(&place, Fault::EndlessTurn);
                }
            }
            let sources = self.most_pieces_of_one() as u64;
            let found = sources.saturating_pow(dice.len() as u32);
            if found > MAX_POSITIONS {
                let first = leaf.rules.first().map_or("", |id| &flow.places[id.index()]);
                let place = first.split_once("/rules/").map_or("phases", |(place, _)| place);
                let (what, allowed) = (Artifact::Position, MAX_POSITIONS);
                let place = place.to_owned();
                self.fault(&place, Fault::TooMany { what, found, allowed });
            }
        }
    }

    /// How many tiles the pieces of one player can stand on at once.
    fn most_pieces_of_one(&self) -> usize {
        let d = self.definition;
        let limited = d.kinds.iter().all(|kind| kind.supply == crate::written::Supply::Listed);
        let owned = |name: &str| d.pieces.iter().filter(|piece| piece.owner == name).count();
        let most = d.players.iter().map(|player| owned(&player.name)).max().unwrap_or(0);
        if limited { most.min(d.tiles.len()) } else { d.tiles.len() }
    }

    fn cost_of_effects(&self, effects: &[Effect]) -> u64 {
        effects.iter().map(|effect| self.cost_of_effect(effect)).fold(0, u64::saturating_add)
    }

    fn cost_of_effect(&self, effect: &Effect) -> u64 {
        let tiles = self.definition.tiles.len() as u64;
        let cost = match effect {
            Effect::Reset => tiles,
            Effect::TurnWhere(condition) => {
                let players = self.definition.players.len() as u64;
                self.cost(Part::Truth(condition)).saturating_mul(players)
            }
            Effect::When { condition, then, otherwise } => self
                .cost(Part::Truth(condition))
                .saturating_add(self.cost_of_effects(then))
                .saturating_add(self.cost_of_effects(otherwise)),
            Effect::Each(over, effects) => self.cost_of_loop(over, self.cost_of_effects(effects)),
            Effect::Repeat(times, effects) => {
                let times_at_most = u64::try_from(self.range(times).1).unwrap_or(0);
                let inside = self.cost_of_effects(effects).max(1);
                self.cost(Part::Number(times)).saturating_add(inside.saturating_mul(times_at_most))
            }
            _ => effect_parts(effect).into_iter().fold(0, |sum: u64, part| {
                let every_tile = if matches!(part, Part::Set(_)) { tiles } else { 0 };
                sum.saturating_add(self.cost(part)).saturating_add(every_tile)
            }),
        };
        cost.saturating_add(1)
    }

    /// What a loop costs whose body costs so much.
    fn cost_of_loop(&self, over: &Loop, body: u64) -> u64 {
        let tiles = self.definition.tiles.len() as u64;
        let (set, times, each) = match over {
            Loop::Tiles(_, set) => (set, self.most_tiles(set) as u64, body),
            Loop::Groups(_, set, _) => {
                (set, self.most_tiles(set) as u64, body.saturating_add(FLOOD))
            }
        };
        let flood = if matches!(over, Loop::Groups(..)) { FLOOD * tiles } else { 0 };
        self.cost(Part::Set(set)).saturating_add(flood).saturating_add(times.saturating_mul(each))
    }

    fn cost(&self, part: Part<'_>) -> u64 {
        let flood = FLOOD * self.definition.tiles.len() as u64;
        let own = match part {
            Part::Set(Set::Reach { .. } | Set::Attacked(_)) => flood,
            Part::Number(Number::Groups(..)) => flood,
            Part::Set(Set::Line { lines, .. }) => {
                lines.iter().map(Vec::len).max().unwrap_or(0) as u64
            }
            Part::Truth(Condition { test: Truth::Line(lines, _), .. }) => {
                lines.iter().map(Vec::len).max().unwrap_or(0) as u64
            }
            Part::Set(Set::Union(over, body)) => {
                return self.cost_of_loop(over, self.cost(Part::Set(body)));
            }
            Part::Truth(Condition {
                test: Truth::Exists(over, one) | Truth::Each(over, one),
                ..
            }) => {
                return self.cost_of_loop(over, self.cost(Part::Truth(one)));
            }
            _ => 1,
        };
        let mut all = own;
        each_child(part, &mut |part| all = all.saturating_add(self.cost(part)));
        all
    }
}

/// Whether effects turn dice, so that there may be no end of dice to use.
fn turns_dice(effects: &[Effect]) -> bool {
    let mut found = false;
    visit_effects(effects, &mut |effect| {
        found |= matches!(effect, Effect::Show { .. } | Effect::Custom(_));
    });
    found
}
