//! Atomic chess: a capture blows up both pieces and all but pawns around them.

use senet_core::{
    Area, Builder, Condition, Deed, Definition, Effect, Ending, Rule, Seat, Spot, Threat, TileTest,
    Trait, Value, Wanted, Who,
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
                    let attacked = Value::tiles(Area::Board, in_check()).at_least(1);
                    ending.when = Condition::Stuck.and(attacked);
                }
                "insufficient material" => {
                    ending.when = insufficient();
                }
                _ => {}
            }
        }
        let exploded = Ending::win("explosion", Seat::Next).of_each();
        definition.endings.insert(0, exploded.when(royals(Who::Mover).equals(0)));
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
            let passed = Effect::capture(Spot::To.then(&["backward"]));
            vec![exploding(rule, [passed])]
        }
        "castling east" | "castling west" => {
            exempt_beside_king(&mut rule.when);
            vec![rule]
        }
        "king move" => {
            movement.onto = TileTest::empty();
            movement.threat = Threat::Harmless;
            vec![rule]
        }
        name if name.ends_with(" move") => {
            movement.onto = TileTest::empty();
            let mut capture = rule.clone();
            capture.name = name.replace("move", "capture");
            if let Wanted::Move(movement) = &mut capture.wants {
                movement.onto = TileTest::owned_by(Who::Foe);
                movement.threat = Threat::Harmless;
            }
            vec![rule, exploding(capture, [])]
        }
        _ => vec![rule],
    }
}

/// A capture in which everything goes up.
fn exploding(mut rule: Rule, first: impl IntoIterator<Item = Effect>) -> Rule {
    let blast = TileTest::is_not(Trait::Empty).and_not(Trait::kind("pawn"));
    // Without a king there is nobody left to castle.
    let forfeit = Effect::Mark {
        area: Area::Board,
        is: TileTest::owned_by(Who::Foe).and(Trait::flag("mint")),
        set: Vec::new(),
        clear: vec!["mint".into()],
    };
    rule.deed = Deed::Nothing;
    rule.before.clear();
    rule.after = first.into_iter().collect();
    rule.then_all([
        Effect::Clear { area: Area::Around(Spot::To), is: blast },
        Effect::capture(Spot::To),
        Effect::capture(Spot::From),
        Effect::when(royals(Who::Foe).equals(0), [forfeit]),
        Effect::set("clock", 0),
    ])
    .then_all(end_of_turn())
}

fn royals(who: Who) -> Value {
    Value::tiles(Area::Board, TileTest::owned_by(who).and(Trait::Royal))
}

fn beside_foe_king() -> Trait {
    Trait::Beside(Box::new(TileTest::owned_by(Who::Foe).and(Trait::Royal)))
}

fn in_check() -> TileTest {
    TileTest::owned_by(Who::Mover)
        .and(Trait::Royal)
        .and(Trait::Threatened(Who::Foe))
        .and_not(beside_foe_king())
}

/// Whoever moved last did not leave his king in check.
fn last_move_was_legal() -> Condition {
    let own_king = TileTest::owned_by(Who::Mover).and(Trait::Royal);
    let left_in_check = TileTest::owned_by(Who::Foe)
        .and(Trait::Royal)
        .and(Trait::Threatened(Who::Mover))
        .and_not(Trait::Beside(Box::new(own_king)));
    let safe = Value::tiles(Area::Board, left_in_check).equals(0);
    royals(Who::Mover).equals(0).or(safe)
}

/// The own king is there, and the other is gone or the own is not in check.
fn survives() -> Condition {
    let safe = Value::tiles(Area::Board, in_check()).equals(0);
    let survives = royals(Who::Mover).at_least(1).and(royals(Who::Foe).equals(0).or(safe));
    survives.called("the own king survives and is not left attacked")
}

/// No king can blow up any more: kings alone; against a bare king one piece that is neither queen
/// nor pawn, or two knights; bishops that never meet.
fn insufficient() -> Condition {
    let all = || Value::pieces(Area::Board, Who::Anyone);
    let of = |player: &str| Value::pieces(Area::Board, Who::player(player));
    let count = |kind: &str| Value::pieces_of_kind(Area::Board, Who::Anyone, kind);
    let bare = || of("white").equals(1).or(of("black").equals(1));
    let bishops = |player: &str| Value::pieces_of_kind(Area::Board, Who::player(player), "bishop");
    let on_light = |player: &str| {
        let bishop = TileTest::owned_by(Who::player(player)).and(Trait::kind("bishop"));
        Value::tiles(Area::region("light"), bishop)
    };
    let apart = |light: &str, dark: &str| {
        on_light(light).equals(bishops(light)).and(on_light(dark).equals(0))
    };
    Condition::any([
        all().equals(2),
        Condition::all([all().equals(3), count("queen").equals(0), count("pawn").equals(0)]),
        Condition::all([bare(), all().equals(count("knight") + 2), count("knight").at_most(2)]),
        Condition::all([
            !bare(),
            all().equals(count("bishop") + 2),
            apart("white", "black").or(apart("black", "white")),
        ]),
    ])
}

/// Tiles beside the other king count as not attacked.
fn exempt_beside_king(condition: &mut Condition) {
    match condition {
        Condition::All(all) => all.iter_mut().for_each(exempt_beside_king),
        Condition::Called(_, one) => exempt_beside_king(one),
        Condition::Compare { left: Value::Tiles { is, .. }, .. }
            if is.all_of.contains(&Trait::Threatened(Who::Foe)) =>
        {
            is.none_of.push(beside_foe_king());
        }
        _ => {}
    }
}
