//! What a player attacks, by names.

use std::collections::BTreeSet;

use senet_core::written::{Movement, Rule, Set, Threat, Tile, Truth, Wanted, Way};

use super::context::Context;
use super::{Man, Oracle, Place, Position};

impl Oracle<'_> {
    /// Whether a player could capture on a tile if a foe stood there: by some rule of any phase
    /// that threatens, as if it were his turn, whatever the rule asks when all is done. What the
    /// rule asks of the target's own tile is asked of that foe, the rest of the board as it is.
    pub(super) fn attacks(self, position: &Position, player: &str, tile: &str) -> bool {
        let mut real = position.clone();
        real.player = player.to_owned();
        let mut open = real.clone();
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
                sources.any(|from| {
                    self.attacks_from([&real, &open], player, rule, movement, (from, tile))
                })
            }
            _ => false,
        })
    }

    fn attacks_from(
        self,
        [real, open]: [&Position; 2],
        player: &str,
        rule: &Rule,
        movement: &Movement,
        (from, to): (&str, &str),
    ) -> bool {
        // A piece that goes by dice or to whatever stands first threatens nothing of itself.
        if matches!(movement.way, Way::Dice(_) | Way::First(_)) {
            return false;
        }
        let real = self.attacker(real, (from, to));
        self.foes(player, to).into_iter().any(|foe| {
            let mut guess = open.clone();
            guess.pieces.push(foe);
            let guess = self.attacker(&guess, (from, to));
            let Some(path) = self.way(&guess, &real, movement) else { return false };
            let between = &path[1..path.len() - 1];
            real.contains(&movement.source, from)
                && between.iter().all(|tile| real.contains(&movement.through, tile))
                && lands(&real, &guess, &movement.onto, to)
                && holds(&real, &guess, &rule.when, to)
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
        for owner in d.players.iter().filter(|one| !self.spares(player, &one.name)) {
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

/// Whether the target is in a set, where a foe is supposed to stand on it.
fn lands(real: &Context<'_>, guess: &Context<'_>, set: &Set, to: &str) -> bool {
    match set {
        Set::All(all) => all.iter().all(|one| lands(real, guess, one, to)),
        Set::Any(any) => any.iter().any(|one| lands(real, guess, one, to)),
        Set::Not(one) => !lands(real, guess, one, to),
        Set::Empty | Set::Owned(_) | Set::Kind(_) | Set::Royal | Set::Flag(_) => {
            guess.contains(set, to)
        }
        _ => real.contains(set, to),
    }
}

/// Whether a condition holds, where a foe is supposed to stand on the target.
fn holds(real: &Context<'_>, guess: &Context<'_>, truth: &Truth, to: &str) -> bool {
    match truth {
        Truth::All(all) => all.iter().all(|one| holds(real, guess, one, to)),
        Truth::Any(any) => any.iter().any(|one| holds(real, guess, one, to)),
        Truth::Not(one) => !holds(real, guess, one, to),
        Truth::Called(_, one) | Truth::Relevant(one) => holds(real, guess, one, to),
        Truth::In(Tile::To, set) => lands(real, guess, set, to),
        _ => real.holds(truth),
    }
}
