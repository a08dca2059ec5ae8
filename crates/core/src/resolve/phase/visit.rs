//! Walks over trees of phases as they are written.

use crate::written::{Effect, Phase, Rule, Wanted};

/// Every effect of a phase and the phases inside it.
pub(super) fn each_effect(effects: &[Effect], visit: &mut dyn FnMut(&Effect)) {
    for effect in effects {
        visit(effect);
        match effect {
            Effect::When { then, otherwise, .. } => {
                each_effect(then, visit);
                each_effect(otherwise, visit);
            }
            Effect::Each(_, inside) | Effect::Repeat(_, inside) => each_effect(inside, visit),
            _ => {}
        }
    }
}

/// How many phases and rules a tree of phases has.
pub(in crate::resolve) fn count_tree(phases: &[Phase]) -> (usize, usize) {
    phases.iter().fold((phases.len(), 0), |(all, rules), phase| {
        let inside = count_tree(&phase.phases);
        (all + inside.0, rules + phase.rules.len() + inside.1)
    })
}

/// Visits every phase that has none inside.
pub(super) fn each_leaf<'p>(phases: &'p [Phase], visit: &mut dyn FnMut(&'p Phase)) {
    for phase in phases {
        match phase.phases.is_empty() {
            true => visit(phase),
            false => each_leaf(&phase.phases, visit),
        }
    }
}

/// Visits every rule of a tree of phases.
pub(super) fn each_rule(phases: &[Phase], visit: &mut dyn FnMut(&Rule)) {
    for phase in phases {
        phase.rules.iter().for_each(&mut *visit);
        each_rule(&phase.phases, visit);
    }
}

/// Visits every kind that some rule can turn a piece into.
pub(super) fn each_new_kind(phases: &[Phase], visit: &mut dyn FnMut(&str)) {
    each_rule(phases, &mut |rule| {
        if let Wanted::Move(movement) = &rule.wants {
            movement.choice.iter().for_each(|kind| visit(kind));
        }
        let lots = match &rule.wants {
            Wanted::Chance(lots) => lots.as_slice(),
            _ => &[],
        };
        let of_lots = lots.iter().map(|lot| &lot.then);
        for effects in [&rule.before, &rule.after, &rule.fails].into_iter().chain(of_lots) {
            each_effect(effects, &mut |effect| {
                if let Effect::Become { kind, .. } = effect {
                    visit(kind);
                }
            });
        }
    });
}
