//! Crazyhouse.

use senet_core::{Definition, Effect, Fate, Flag, Putting, Rule, Seat, Set, Tile, Wanted};

/// Published counts.
pub const COUNTS: &[u64] = &[20, 400, 8_902, 197_281, 4_888_832];

/// Chess, made from the definition of chess, in which what is taken goes to the hand of who took it
/// and can be put on an empty tile instead of moving. A piece that was promoted carries a flag, by
/// which it becomes a pawn again before it is taken.
pub fn definition(chess: Definition) -> Definition {
    let mut definition = chess;
    definition.name = "crazyhouse".into();
    definition.endings.retain(|ending| ending.name != "insufficient material");
    definition.flags.push(Flag::new("promoted"));
    let rules = &mut definition.phases[0].rules;
    for rule in rules.iter_mut() {
        let Wanted::Move(movement) = &rule.wants else { continue };
        if !movement.choice.is_empty() {
            rule.after.insert(0, Effect::set_flags(Set::at(Tile::To), ["promoted"]));
        }
        let taken = || Set::at(Tile::To) & Set::foe();
        rule.before.iter_mut().for_each(to_hand);
        rule.before.push(Effect::becomes(taken() & Set::flag("promoted"), "pawn"));
        rule.before.push(Effect::Capture { on: taken(), to: Fate::Hand(Seat::Mover) });
    }
    let quiet = rules.iter().find(|rule| rule.name == "knight move").expect("chess has knights");
    let (after, ensures) = (quiet.after.clone(), quiet.ensures.clone());
    let ends = Set::region_of("promotion", Seat::Mover) | Set::region_of("promotion", Seat::Next);
    let drops = [
        ("drop a pawn", Putting::of(["pawn"]).onto(Set::Empty - ends)),
        ("drop a piece", Putting::of(["knight", "bishop", "rook", "queen"]).onto(Set::Empty)),
    ];
    let drops = drops.map(|(name, putting)| {
        let clock = Effect::add("clock", 1);
        let rule = Rule::puts(name, putting).then(clock).then_all(after.clone());
        rule.ensuring(ensures.clone())
    });
    let asides = rules.iter().position(|rule| matches!(rule.wants, Wanted::Act(_)));
    let asides = asides.unwrap_or(rules.len());
    rules.splice(asides..asides, drops);
    definition
}

/// A capture beside the target, as en passant, fills the hand too.
fn to_hand(effect: &mut Effect) {
    if let Effect::Capture { to, .. } = effect {
        *to = Fate::Hand(Seat::Mover);
    }
}
