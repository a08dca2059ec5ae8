//! Atomic chess: a capture blows up both pieces and all but pawns around them.

use senet_core::{
    Builder, Deed, Definition, Effect, Ending, Number, Rule, Seat, Set, Threat, Tile, Truth,
    Wanted, Who,
};

use crate::definition::{definition as chess, end_of_turn};

/// Chess with explosions. A king cannot capture, may stand beside the other king, where no attack
/// counts, and is lost when he blows up.
pub fn definition() -> Definition {
    let adapt_all = |definition: &mut Definition| {
        let rules = std::mem::take(&mut definition.phases[0].rules);
        definition.phases[0].rules = rules.into_iter().flat_map(adapt).collect();
        for ending in &mut definition.endings {
            match ending.name.as_str() {
                "checkmate" => {
                    ending.when = Truth::Stuck.and(in_check().any());
                }
                "insufficient material" => {
                    ending.when = insufficient();
                }
                _ => {}
            }
        }
        let exploded = Ending::win("explosion", Seat::Next).of_each();
        definition.endings.insert(0, exploded.when(royals(Who::Mover).none()));
    };
    Builder::from(chess())
        .name("atomic")
        .requirement("side not to move in check", last_move_was_legal())
        .edit(adapt_all)
        .build()
}

/// A rule of chess as the rules of atomic chess that take its place.
fn adapt(mut rule: Rule) -> Vec<Rule> {
    let Wanted::Move(movement) = &mut rule.wants else { return vec![rule] };
    rule.ensures = survives();
    match rule.name.as_str() {
        "pawn capture" | "promotion by capture" => vec![exploding(rule, [])],
        "en passant" => {
            let passed = Effect::capture(Set::at(Tile::To.then(&["backward"])));
            vec![exploding(rule, [passed])]
        }
        "castling east" | "castling west" => {
            exempt_beside_king(&mut rule.when);
            vec![rule]
        }
        "king move" => {
            movement.onto = Set::Empty;
            movement.threat = Threat::Harmless;
            vec![rule]
        }
        name if name.ends_with(" move") => {
            let mut capture = movement.clone();
            capture.onto = Set::foe();
            movement.onto = Set::Empty;
            movement.threat = Threat::Harmless;
            let name = name.replace("move", "capture");
            let capture = Rule { name, wants: Wanted::Move(capture), ..rule.clone() };
            vec![rule, exploding(capture, [])]
        }
        _ => vec![rule],
    }
}

/// A capture in which everything goes up.
fn exploding(mut rule: Rule, first: impl IntoIterator<Item = Effect>) -> Rule {
    let blast = Set::at(Tile::To).around() - Set::Empty - Set::kind("pawn");
    // Without a king there is nobody left to castle.
    let forfeit = Effect::clear_flags(Set::foe() & Set::flag("mint"), ["mint"]);
    rule.deed = Deed::Nothing;
    rule.before.clear();
    rule.after = first.into_iter().collect();
    rule.then_all([
        Effect::Clear(blast),
        Effect::capture(Set::at(Tile::To)),
        Effect::capture(Set::at(Tile::From)),
        Effect::when(royals(Who::Foe).none(), [forfeit]),
        Effect::set("clock", 0),
    ])
    .then_all(end_of_turn())
}

fn royals(who: Who) -> Set {
    Set::Owned(who) & Set::Royal
}

fn in_check() -> Set {
    (royals(Who::Mover) & Set::Attacked(Who::Foe)) - royals(Who::Foe).around()
}

/// Whoever moved last did not leave his king in check.
fn last_move_was_legal() -> Truth {
    let left_in_check =
        (royals(Who::Foe) & Set::Attacked(Who::Mover)) - royals(Who::Mover).around();
    royals(Who::Mover).none().or(left_in_check.none())
}

/// The own king is there, and the other is gone or the own is not in check.
fn survives() -> Truth {
    let safe = royals(Who::Foe).none().or(in_check().none());
    let survives = royals(Who::Mover).any().and(safe);
    survives.called("the own king survives and is not left attacked")
}

/// No king can blow up any more: kings alone; against a bare king one piece that is neither queen
/// nor pawn, or two knights; bishops that never meet.
fn insufficient() -> Truth {
    let all = || Number::pieces(Set::Board, Who::Anyone);
    let of = |player: &str| Number::pieces(Set::Board, Who::player(player));
    let count = |kind: &str| Number::pieces_of_kind(Set::Board, Who::Anyone, kind);
    let bare = || of("white").equals(1).or(of("black").equals(1));
    let bishops = |player: &str| Number::pieces_of_kind(Set::Board, Who::player(player), "bishop");
    let on_light =
        |player: &str| Set::region("light") & Set::Owned(Who::player(player)) & Set::kind("bishop");
    let apart = |light: &str, dark: &str| {
        Number::Count(on_light(light)).equals(bishops(light)).and(on_light(dark).none())
    };
    Truth::any([
        all().equals(2),
        Truth::all([all().equals(3), count("queen").equals(0), count("pawn").equals(0)]),
        Truth::all([bare(), all().equals(count("knight") + 2), count("knight").at_most(2)]),
        Truth::all([
            !bare(),
            all().equals(count("bishop") + 2),
            apart("white", "black").or(apart("black", "white")),
        ]),
    ])
}

/// Tiles beside the other king count as not attacked.
fn exempt_beside_king(truth: &mut Truth) {
    match truth {
        Truth::All(all) => all.iter_mut().for_each(exempt_beside_king),
        Truth::Called(_, one) => exempt_beside_king(one),
        Truth::None(Set::All(sets)) if sets.contains(&Set::Attacked(Who::Foe)) => {
            sets.push(!royals(Who::Foe).around());
        }
        _ => {}
    }
}
