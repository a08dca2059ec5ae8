//! What is wrong with rules as a whole: they ask in circles, or can never fire.

use std::collections::BTreeSet;

use crate::fault::Fault;
use crate::id::RuleId;
use crate::lower::fact::Part;
use crate::typed;
use crate::written::{Movement, Pattern, Rule, Truth, Usage, Wanted, Way};

use super::Flow;
use crate::resolve::name::Compiler;

impl Compiler<'_> {
    /// Reports rules that attack by what they attack.
    pub(super) fn check_attacks(&mut self, flow: &Flow) {
        use crate::lower::fact::uses;
        for id in &flow.threatening {
            let rule = &flow.rules[id.index()];
            let typed::Wanted::Move(movement) = &rule.wants else { continue };
            let parts = [
                Part::Set(&movement.source),
                Part::Set(&movement.through),
                Part::Set(&movement.onto),
                Part::Truth(&rule.when),
            ];
            if parts.into_iter().chain(movement.way.parts()).any(|part| uses(part).attacks) {
                self.fault(&flow.places[id.index()], Fault::CyclicAttack);
            }
        }
    }

    /// Reports movement rules that ask what rules could do before it is known what they could.
    pub(super) fn check_cycles(&mut self, flow: &Flow) {
        use crate::lower::fact::uses;
        let mut asked: BTreeSet<RuleId> = flow.threatening.iter().copied().collect();
        for part in flow.parts() {
            crate::lower::fact::visit(part, &mut |part| {
                if let Part::Truth(typed::Condition { test: typed::Truth::Can(rules, _), .. }) =
                    part
                {
                    asked.extend(rules);
                }
            });
        }
        for id in asked {
            let rule = &flow.rules[id.index()];
            let typed::Wanted::Move(movement) = &rule.wants else { continue };
            let sets = [&movement.source, &movement.through, &movement.onto];
            let parts = sets.map(Part::Set).into_iter().chain(movement.way.parts());
            if parts.chain([Part::Truth(&rule.when)]).any(|part| uses(part).rules) {
                self.fault(&flow.places[id.index()], Fault::CyclicRule);
            }
        }
    }

    /// Reports a look-ahead over turns in a game whose rules look back.
    pub(super) fn check_history(&mut self, flow: &Flow) {
        let ahead = |leaf: &typed::Leaf| leaf.usage != Usage::Free || leaf.most.is_some();
        if flow.looks_back() && flow.leaves.iter().any(ahead) {
            self.fault("phases", Fault::RepeatsInLookAhead);
        }
    }

    /// Reports a rule that no state can make fire.
    pub(super) fn check_fires(&mut self, flow: &Flow, rule: &Rule, earlier: &[Rule], place: &str) {
        let mut never = |why: String| self.fault(place, Fault::NeverFires { why });
        let always = Truth::Always;
        if let Some(same) = earlier.iter().find(|e| e.wants == rule.wants && e.when == always) {
            never(format!("rule `{}` before it takes every such event", same.name));
        }
        let d = self.definition;
        let (kinds, own) = match &rule.wants {
            Wanted::Move(movement) => (&movement.kinds, movement.way == Way::Own),
            Wanted::Put(putting) => (&putting.kinds, false),
            Wanted::Roll(_)
            | Wanted::Act(_)
            | Wanted::Pick(_)
            | Wanted::Draw(_)
            | Wanted::Chance(_) => return,
        };
        let chooses = match &rule.wants {
            Wanted::Move(Movement { way: Way::Dice(_), choice, .. }) => !choice.is_empty(),
            _ => false,
        };
        if chooses {
            let why = "a move by dice cannot say what the piece becomes".into();
            self.fault(place, Fault::NeverFires { why });
        }
        let named = |kind: &str| kinds.is_empty() || kinds.iter().any(|name| name == kind);
        let mut kinds = d.kinds.iter().filter(|kind| named(&kind.name));
        if !kinds.clone().any(|kind| flow.living.contains(&kind.name)) {
            self.fault(place, Fault::NeverFires { why: "no piece is of such a kind".into() });
        } else if own && !kinds.any(|kind| kind.patterns.iter().any(moves)) {
            self.fault(place, Fault::NeverFires { why: "no such kind has a way to travel".into() });
        }
    }
}

/// Whether a pattern can yield a path.
fn moves(pattern: &Pattern) -> bool {
    !pattern.directions().is_empty()
}
