//! Three-check: the third check given wins.

use senet_core::{
    Builder, Definition, Effect, Ending, EventKind, Number, Seat, Set, Variable, Who,
};

use crate::definition::definition as chess;

/// Chess in which checks count; only bare kings can give none.
pub fn definition() -> Definition {
    let given = (Set::foe() & Set::Royal & Set::Attacked(Who::Mover)).any();
    let count = Effect::when(given, [Effect::add("checks", 1)]);
    let third = Number::variable("checks").at_least(3);
    let bare = Number::pieces(Set::Board, Who::Anyone).equals(2);
    Builder::from(chess())
        .name("three-check")
        .variable(Variable::counter("checks", 3).per_player())
        .edit(|definition| {
            for rule in &mut definition.phases[0].rules {
                if rule.wants.kind() == EventKind::Move {
                    let end = rule.after.len() - 2;
                    rule.after.insert(end, count.clone());
                }
            }
            for ending in &mut definition.endings {
                if ending.name == "insufficient material" {
                    ending.when = bare.clone();
                }
            }
            let ending = Ending::win("three checks", Seat::Mover).of_each().when(third);
            definition.endings.insert(0, ending);
        })
        .build()
}
