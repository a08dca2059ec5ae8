//! Moves by dice, and what a turn must use of them, by names.

use senet_core::written::{Landing, Listing, Movement, Phase, Pips, Rule, Usage, Wanted, Way};

use super::context::Context;
use super::{Oracle, Position, Proposal};

/// How many dice, and how many pips.
type Used = (usize, u32);

fn pips_of(rule: &Rule) -> Option<&Pips> {
    match &rule.wants {
        Wanted::Move(Movement { way: Way::Dice(pips), .. }) => Some(pips),
        _ => None,
    }
}

impl<'d> Oracle<'d> {
    /// The tiles that a die leads over, from source to target.
    fn walk(self, player: &str, from: &str, written: &Pips, pips: u8) -> Option<Vec<String>> {
        let mut way = vec![from.to_owned()];
        while way.len() <= usize::from(pips) {
            match self.step_for(player, way.last()?, &written.along) {
                Some(next) if next == from => return None,
                Some(next) => way.push(next),
                None => break,
            }
        }
        let exact = way.len() == usize::from(pips) + 1;
        let ends = match written.landing {
            Landing::Exact => exact,
            Landing::Short => !exact && way.len() > 1,
        };
        ends.then_some(way)
    }

    pub(super) fn accepts_advance(
        self,
        context: &Context<'_>,
        movement: &Movement,
        pips: u8,
    ) -> bool {
        let (Some(from), Some(to)) = (context.from, context.to) else { return false };
        let Way::Dice(written) = &movement.way else { return false };
        let Some(way) = self.walk(context.mover, from, written, pips) else { return false };
        let own = |man: &super::Man| self.spares(context.mover, &man.owner);
        way.last().is_some_and(|last| last == to)
            && movement.choice.is_empty()
            && self.moving_kind(context, movement).is_some()
            && written.dice.iter().any(|die| context.position.dice[die] == pips)
            && (self.stacks(to) || !context.men_at(to).into_iter().any(own))
            && context.contains(&movement.source, from)
            && way[1..way.len() - 1].iter().all(|tile| context.contains(&movement.through, tile))
            && context.contains(&movement.onto, to)
    }

    /// Takes away the last die that shows a number; those after it move up.
    pub(super) fn spend(self, now: &mut Position, rule: &Rule, pips: u8) {
        let Some(written) = pips_of(rule) else { return };
        let mut shown: Vec<u8> = written.dice.iter().map(|die| now.dice[die]).collect();
        let Some(last) = shown.iter().rposition(|&die| die == pips) else { return };
        shown.remove(last);
        shown.push(0);
        now.dice.extend(written.dice.iter().cloned().zip(shown));
    }

    /// Whether a phase has an event of play beside those for where there is none.
    pub(super) fn has_play(self, position: &Position, rule: &Rule) -> bool {
        let Some(phase) = self.phase(position).filter(|phase| phase.rules.contains(rule)) else {
            return false;
        };
        self.proposals(position).iter().any(|one| {
            let plays = |rule: &&Rule| rule.listing != Listing::Otherwise;
            let mut rules = phase.rules.iter().filter(plays);
            let first = rules.find(|rule| {
                self.accepts_alone(position, rule, one) && self.uses_enough(position, rule, one)
            });
            first.is_some_and(|rule| rule.listing == Listing::Play)
        })
    }

    /// Whether a turn that goes on with an event uses as much of the dice as its phase asks.
    pub(super) fn uses_enough(self, position: &Position, rule: &Rule, event: &Proposal) -> bool {
        let phase = self.phase(position).filter(|phase| phase.rules.contains(rule));
        let Some((phase, _)) = phase.zip(pips_of(rule)) else { return true };
        if rule.listing == Listing::Otherwise {
            return true;
        }
        let would = || self.used_by(position, phase, rule, event);
        match phase.usage {
            Usage::Free => true,
            Usage::Most => would().0 >= self.usable(position, phase).0,
            Usage::MostThenGreatest => would() >= self.usable(position, phase),
        }
    }

    fn used_by(self, position: &Position, phase: &'d Phase, rule: &Rule, event: &Proposal) -> Used {
        let Proposal::Advance(_, _, pips) = event else { return (0, 0) };
        let after = self.after(position, rule, event);
        let stays = self.phase(&after).is_some_and(|now| std::ptr::eq(now, phase));
        if !stays || after.player != position.player || self.stops(&after) {
            return (1, u32::from(*pips));
        }
        let more = self.usable(&after, phase);
        (more.0 + 1, more.1 + u32::from(*pips))
    }

    /// The most that any order of moves uses.
    fn usable(self, position: &Position, phase: &'d Phase) -> Used {
        let mut most = (0, 0);
        for event in self.advances(position, phase) {
            let mut rules = phase.rules.iter();
            let rule = rules.find(|rule| self.accepts_alone(position, rule, &event));
            if let Some(rule) = rule.filter(|rule| rule.listing == Listing::Play) {
                most = most.max(self.used_by(position, phase, rule, &event));
            }
        }
        most
    }

    /// Every move by dice that some rule of a phase might take.
    fn advances(self, position: &Position, phase: &Phase) -> Vec<Proposal> {
        let mut all = Vec::new();
        for written in phase.rules.iter().filter_map(pips_of) {
            for from in self.definition.tiles.iter().map(|tile| &tile.name) {
                let own = |man: &super::Man| man.owner == position.player && man.is_on(from);
                if !position.pieces.iter().any(own) {
                    continue;
                }
                for pips in written.dice.iter().map(|die| position.dice[die]) {
                    let way = self.walk(&position.player, from, written, pips);
                    let Some(to) = way.filter(|_| pips > 0).and_then(|mut way| way.pop()) else {
                        continue;
                    };
                    let event = Proposal::Advance(from.clone(), to, pips);
                    if !all.contains(&event) {
                        all.push(event);
                    }
                }
            }
        }
        all
    }
}
