//! What a player attacks, by names.

use std::collections::BTreeSet;

use senet_core::{Movement, Rule, Threat, Wanted, Way};

use super::context::Context;
use super::{Man, Oracle, Place, Position};

impl Oracle<'_> {
    /// Whether a player could capture on a tile if a foe stood there alone: by some rule of any
    /// phase that threatens, as if it were his turn, whatever the rule asks when all is done.
    pub(super) fn attacks(self, position: &Position, player: &str, tile: &str) -> bool {
        let mut open = position.clone();
        open.player = player.to_owned();
        open.pieces.retain(|man| !man.is_on(tile));
        let sources: BTreeSet<String> = open
            .pieces
            .iter()
            .filter(|man| man.owner == player)
            .filter_map(|man| man.tile().map(str::to_owned))
            .collect();
        self.rules().into_iter().any(|rule| match &rule.wants {
            Wanted::Move(movement) if movement.threat == Threat::Real => {
                let mut sources = sources.iter();
                sources.any(|from| self.attacks_from(&open, player, rule, movement, (from, tile)))
            }
            _ => false,
        })
    }

    fn attacks_from(
        self,
        open: &Position,
        player: &str,
        rule: &Rule,
        movement: &Movement,
        (from, to): (&str, &str),
    ) -> bool {
        // A piece that goes by dice or to whatever stands first threatens nothing of itself.
        if matches!(movement.way, Way::Dice(_) | Way::First(_)) {
            return false;
        }
        let mut foes = self.foes(player, to).into_iter().map(|foe| {
            let mut position = open.clone();
            position.pieces.push(foe);
            position
        });
        // What stands there makes no difference to whether there is a way.
        let Some(first) = foes.next() else { return false };
        if !self.has_way(&self.attacker(&first, (from, to)), movement) {
            return false;
        }
        std::iter::once(first).chain(foes).any(|position| {
            let context = self.attacker(&position, (from, to));
            self.leads(&context, movement) && context.holds(&rule.when)
        })
    }

    /// What is asked about a capture by the player to move.
    fn attacker<'a>(self, position: &'a Position, (from, to): (&'a str, &'a str)) -> Context<'a>
    where
        Self: 'a,
    {
        Context { from: Some(from), to: Some(to), ..self.context(position, None) }
    }

    /// Each foe of a player that might stand on a tile: of each kind, with any flags.
    fn foes(self, player: &str, tile: &str) -> Vec<Man> {
        let d = self.definition;
        let mut flags: Vec<BTreeSet<String>> = vec![BTreeSet::new()];
        for flag in d.flags.iter().filter(|_| !self.stacks(tile)) {
            let without = flags.clone();
            for one in &mut flags {
                one.insert(flag.name.clone());
            }
            flags.extend(without);
        }
        let mut all = Vec::new();
        for owner in d.players.iter().filter(|one| !self.friends(player, &one.name)) {
            for kind in &d.kinds {
                all.extend(flags.iter().map(|flags| Man {
                    owner: owner.name.clone(),
                    kind: kind.name.clone(),
                    place: Place::Tile(tile.to_owned()),
                    flags: flags.clone(),
                }));
            }
        }
        all
    }
}
