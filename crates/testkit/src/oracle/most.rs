//! What a turn can reach, and what rules could do, by trying everything.

use senet_core::written::{Listing, Number, Phase, Rule, Wanted};

use super::context::Context;
use super::{Oracle, Position, Proposal};

impl Oracle<'_> {
    /// Whether some movement rules of these names could move a player's piece from a tile, as if it
    /// were his turn, whatever they ensure.
    pub(super) fn can(self, position: &Position, player: &str, by: &[String], from: &str) -> bool {
        let mut position = position.clone();
        position.player = player.to_owned();
        let rules = self.rules().into_iter().filter(|rule| by.contains(&rule.name));
        let mut rules = rules.filter(|rule| matches!(rule.wants, Wanted::Move(_)));
        let tiles = self.definition.tiles.iter();
        let events: Vec<Proposal> = tiles.flat_map(|to| self.moves(from, &to.name)).collect();
        rules.any(|rule| events.iter().any(|one| self.takes_candidate(&position, rule, one)))
    }

    /// Whether a turn that goes on with an event brings the number of its phase as high as any.
    pub(super) fn reaches_most(self, position: &Position, rule: &Rule, event: &Proposal) -> bool {
        let phase = self.phase(position).filter(|phase| phase.rules.contains(rule));
        let most = phase.and_then(|phase| Some((phase, phase.most.as_ref()?)));
        let Some((phase, most)) = most.filter(|_| rule.listing == Listing::Play) else {
            return true;
        };
        let best = |rule: &Rule, event: &Proposal| {
            let after = self.settle(self.after(position, rule, event));
            self.best(&after, &position.player, most, &mut Vec::new())
        };
        let would = best(rule, event);
        self.events(position, phase).iter().all(|(rule, event)| best(rule, event) <= would)
    }

    /// The events of play of a phase, whatever a turn must reach, each with its rule.
    fn events<'p>(self, position: &Position, phase: &'p Phase) -> Vec<(&'p Rule, Proposal)> {
        let mut accepted = Vec::new();
        for event in self.proposals(position) {
            let rules = phase.rules.iter().filter(|rule| rule.listing == Listing::Play);
            let rules = rules.filter(|rule| self.accepts_short(position, rule, &event));
            accepted.extend(rules.map(|rule| (rule, event.clone())));
        }
        accepted
    }

    /// The highest that a number can be when the turn of a player ends.
    fn best(
        self,
        position: &Position,
        player: &str,
        most: &Number,
        seen: &mut Vec<Position>,
    ) -> i64 {
        let goes_on = position.player == player && !self.stops(position);
        let phase = self.phase(position).filter(|_| goes_on);
        let mut events = phase.map_or(Vec::new(), |phase| self.events(position, phase));
        if events.iter().any(|(_, event)| matches!(event, Proposal::Roll(_))) {
            events.clear();
        }
        if events.is_empty() {
            let context = Context { mover: player, ..self.context(position, None) };
            return context.number(most);
        }
        let mut best = i64::MIN;
        for (rule, event) in events {
            let after = self.settle(self.after(position, rule, &event));
            if !seen.contains(&after) {
                seen.push(after.clone());
                best = best.max(self.best(&after, player, most, seen));
            }
        }
        best
    }
}
