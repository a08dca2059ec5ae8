//! Rules whose events are looked for without those of the other rules of their phase.

use crate::game::Game;
use crate::id::{PlayerId, RuleId};
use crate::inspect::Frequency;
use crate::ir::Function;
use crate::typed::Wanted;
use crate::written::Listing;

use super::Lowering;

/// How the events of one rule are found for a player.
pub(crate) struct Finding {
    pub(crate) rule: RuleId,
    pub(crate) player: PlayerId,
    pub(crate) function: Function,
    /// How often each condition of the rule's `when` is asked, by its number.
    pub(crate) asked: Vec<(u16, Frequency)>,
}

/// How the events of some rules are found, each rule alone, for each player.
pub(crate) fn findings(game: &Game, rules: &[RuleId]) -> Vec<Finding> {
    let mut lowering = Lowering::new(game);
    let mut findings = Vec::new();
    for &rule in rules {
        for player in game.players() {
            let id = lowering.generate(player, &[rule]);
            let function = lowering.code.function(id).clone();
            let asked = lowering.builder(player).frequencies(&game.rules[rule.index()].when);
            findings.push(Finding { rule, player, function, asked });
        }
    }
    findings
}

/// Whether somebody looks for the events of a rule without those of the other rules of its phase.
pub(super) fn is_asked_alone(game: &Game, id: RuleId) -> bool {
    let rule = &game.rules[id.index()];
    let serves = || game.serving.iter().any(|(_, rules)| rules.contains(&id));
    match rule.wants {
        Wanted::Roll { .. } | Wanted::Act(_) => false,
        Wanted::Pick { .. } => true,
        Wanted::Move(_) | Wanted::Put { .. } => {
            rule.written.listing != Listing::Play
                || game.leaves[rule.phase.index()].ranked
                || serves()
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::builder::{Builder, Grid};
    use crate::ir::FunctionId;
    use crate::written::{Kind, Phase, Putting, Rule, Set};
    use crate::{Game, Options};

    /// The functions that find the events of two rules alone.
    fn alone(change: impl Fn(Rule) -> Rule) -> [FunctionId; 2] {
        let put = |name: &str, kind: &str| Rule::puts(name, Putting::of([kind]).onto(Set::Empty));
        let phase = Phase::leaf("play").rule(put("one", "stone")).rule(change(put("two", "hut")));
        let builder = Builder::new("alone").players(["white", "black"]).board(Grid::new(3, 3));
        let builder =
            builder.kind(Kind::new("stone").unlimited()).kind(Kind::new("hut").unlimited());
        let game: Game = builder.phase(phase).build().compile(Options::default()).expect("a game");
        [0, 1].map(|rule| game.entries.rules[rule][0].generate)
    }

    #[test]
    fn a_rule_is_lowered_alone_only_where_its_events_are_asked_for_alone() {
        let [one, other] = alone(|rule| rule);
        assert_eq!(one, other, "both find nothing");
        let [one, other] = alone(Rule::aside);
        assert_ne!(one, other, "asides are listed by themselves");
        let [one, other] = alone(|rule| rule.rank(1));
        assert_ne!(one, other, "ranks are listed one after the other");
    }
}
