//! Rolls of dice, and what may come of them.

use std::collections::BTreeMap;

use crate::fault::{Artifact, Fault};
use crate::id::{DieId, OutcomeId};
use crate::typed;
use crate::written::{Order, Rolling};

use super::super::name::Compiler;
use super::{Flow, MAX_OUTCOMES};

impl Compiler<'_> {
    pub(super) fn rolling(
        &mut self,
        flow: &mut Flow,
        written: &Rolling,
        place: &str,
    ) -> typed::Wanted {
        let dice: Vec<DieId> =
            written.dice.iter().filter_map(|name| self.die(place, name)).collect();
        if written.dice.is_empty() {
            self.fault(place, Fault::None { what: Artifact::Die });
        }
        for (index, name) in written.dice.iter().enumerate() {
            if written.dice[..index].contains(name) {
                self.fault(place, Fault::Duplicate { what: Artifact::Die, name: name.clone() });
            }
        }
        let known = |(rolled, order, _): &&(Vec<DieId>, Order, _)| {
            *rolled == dice && *order == written.order
        };
        if let Some((_, _, (first, last))) = flow.rolls.iter().find(known) {
            return typed::Wanted::Roll { first: *first, last: *last };
        }
        let sides: Vec<u8> =
            dice.iter().map(|die| self.definition.dice[die.index()].sides).collect();
        if written.order == Order::Ignored {
            for &other in sides.iter().filter(|&&other| other != sides[0]) {
                let (found, same) = (other.into(), sides[0].into());
                self.fault(place, Fault::OutOfBounds { found, min: same, max: same });
            }
        }
        let total = sides.iter().fold(1u64, |all, &sides| all.saturating_mul(sides.into()));
        let first = flow.outcomes.len();
        if total == 0 || dice.is_empty() {
            return typed::Wanted::Roll { first: OutcomeId(0), last: OutcomeId(0) };
        }
        if total + first as u64 > MAX_OUTCOMES {
            let (found, allowed) = (total, MAX_OUTCOMES);
            self.fault(place, Fault::TooMany { what: Artifact::Outcome, found, allowed });
            return typed::Wanted::Roll { first: OutcomeId(0), last: OutcomeId(0) };
        }
        flow.outcomes.extend(outcomes(&dice, &sides, total, written.order));
        let range = (OutcomeId::at(first), OutcomeId::at(flow.outcomes.len() - 1));
        flow.rolls.push((dice, written.order, range));
        typed::Wanted::Roll { first: range.0, last: range.1 }
    }
}

/// Every outcome of a roll: where order is ignored, one for all throws of the same numbers, the
/// greatest number on the first die.
fn outcomes(dice: &[DieId], sides: &[u8], total: u64, order: Order) -> Vec<typed::Outcome> {
    let throws = (0..total).map(|throw| {
        let mut rest = throw;
        let face = |sides: &u8| {
            let face = (rest % u64::from(*sides)) as u8 + 1;
            rest /= u64::from(*sides);
            face
        };
        let mut shown: Vec<u8> = sides.iter().rev().map(face).collect();
        shown.reverse();
        shown
    });
    let mut weights: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for mut shown in throws {
        if order == Order::Ignored {
            shown.sort_unstable_by(|a, b| b.cmp(a));
        }
        *weights.entry(shown).or_default() += 1;
    }
    let outcome = |(shown, weight): (Vec<u8>, u64)| typed::Outcome {
        dice: dice.iter().copied().zip(shown).collect(),
        name: None,
        weight,
        total,
    };
    weights.into_iter().map(outcome).collect()
}
