//! Whole turns from the tables, with the events that lead to them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::deed;
use crate::event::Event;
use crate::game::Game;
use crate::id::{PlayerId, RuleId};
use crate::scene::Scene;
use crate::state::State;
use crate::turn::Turn;

use super::{Race, Shown, Stand};

struct Walk<'r> {
    race: &'r Race,
    player: PlayerId,
    /// Positions met within the turn and at its end.
    seen: BTreeSet<(u128, u128, [u8; 8])>,
    line: Vec<(RuleId, Event)>,
    lines: Vec<Vec<(RuleId, Event)>>,
}

impl Game {
    /// Every whole turn from a state with dice, as [`Game::turns`] lists them.
    pub(crate) fn turns_from_tables(&self, race: &Race, state: &State) -> Vec<Turn> {
        let player = self.view(state).player();
        let (seen, line, lines) = (BTreeSet::new(), Vec::new(), Vec::new());
        let mut walk = Walk { race, player, seen, line, lines };
        walk.follow(race.stand(self, state, player), race.shown(self, state));
        let turn = |line: Vec<(RuleId, Event)>| {
            let mut now = state.clone();
            for &(rule, event) in &line {
                let scene = Scene::of_event(self, &now, event);
                now = deed::carry_out(&scene, &self.rules[rule.index()], event);
            }
            // Where dice are left that cannot be used, the turn passes by itself.
            let left =
                self.view(&now).player() == player && !race.shown(self, &now).all().is_empty();
            let due = if left { self.due(&now) } else { None };
            if let Some(step) = due.and_then(|due| self.attempt(&now, due)) {
                now = step.state;
            }
            Turn { events: line.into_iter().map(|(_, event)| event).collect(), state: now }
        };
        walk.lines.into_iter().map(turn).collect()
    }
}

impl Walk<'_> {
    fn follow(&mut self, stand: Stand, shown: Shown) {
        let mut stuck = true;
        let race = self.race;
        let _ = race.each_legal(self.player, (stand, shown), |from, pips, step, after| {
            stuck = false;
            let rest = shown.without(pips);
            if !self.seen.insert((after.own, after.foe, rest.pips_left())) {
                return ControlFlow::Continue(());
            }
            self.line.push((step.rule, Event::Advance { from, to: step.to, pips }));
            if rest.len == 0 || step.is_last(after) {
                self.lines.push(self.line.clone());
            } else {
                self.follow(after, rest);
            }
            self.line.pop();
            ControlFlow::Continue(())
        });
        // The same pieces with fewer dice left are the same position once the turn has passed.
        if stuck && self.seen.insert((stand.own, stand.foe, [0; 8])) {
            self.lines.push(self.line.clone());
        }
    }
}

impl Shown {
    fn pips_left(&self) -> [u8; 8] {
        let mut left = [0; 8];
        left[..self.all().len()].copy_from_slice(self.all());
        left
    }
}
