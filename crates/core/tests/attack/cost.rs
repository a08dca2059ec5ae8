//! Definitions that cost more than they look.

use std::time::{Duration, Instant};

use senet_core::Builder;
use senet_core::builder::Track;
use senet_core::fault::{Artifact, Fault};
use senet_core::written::{
    Binding, Capacity, Effect, Landing, Movement, Number, Phase, Rolling, Rule, Seat, Set, Truth,
    Usage,
};

use super::{compiled, mistakes, places, small};

/// Fails where something that takes some seconds does not end. The limit is far beyond them, so that
/// a busy machine changes nothing.
fn within<T>(seconds: u64, work: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let done = work();
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(20 * seconds), "took {took:?}");
    done
}

fn is_too_many(what: Artifact) -> impl Fn(&Fault) -> bool {
    move |fault| matches!(fault, Fault::TooMany { what: found, .. } if *found == what)
}

/// A race with many dice that must use the most of them.
fn race(dice: usize, sides: u8, men: usize, usage: Usage) -> Builder {
    let names: Vec<String> = (0..dice).map(|n| format!("d{n}")).collect();
    let mut board = Track::open(24).board();
    board.tiles.iter_mut().for_each(|tile| tile.holds = Capacity::Many);
    let mut builder = Builder::new("race").players(["red", "blue"]).board(board).kind("man");
    for player in ["red", "blue"] {
        let tiles: Vec<String> = (0..men).map(|n| (1 + n % 12).to_string()).collect();
        builder = builder.pieces_on(player, "man", tiles);
    }
    for name in &names {
        builder = builder.die(name, sides);
    }
    let unrolled = names.iter().map(|name| Number::die(name).equals(0));
    let done = Effect::when(Truth::all(unrolled.clone()), [Effect::Turn(Seat::Next)]);
    let go = Movement::any().by_dice(names.clone(), "forward");
    let pass = Rule::acts("pass", "pass").then(Effect::unroll(names.clone()));
    builder
        .action("pass")
        .phase(
            Phase::leaf("cup")
                .when(Truth::all(unrolled))
                .rule(Rule::rolls("roll", Rolling::of(names))),
        )
        .phase(
            Phase::leaf("move")
                .using(usage)
                .rule(Rule::moves("go", go).then(done))
                .rule(pass.then(Effect::Turn(Seat::Next)).otherwise()),
        )
}

#[test]
fn sixteen_thousand_rolls_are_listed_at_once() {
    let game = compiled(race(7, 4, 2, Usage::Free).build());
    let start = game.start();
    within(5, || {
        assert_eq!(game.legal(&start).len(), 16_384);
        assert_eq!(game.chances(&start).len(), 16_384);
        assert_eq!(game.turns(&start).unwrap().len(), 16_384);
    });
}

#[test]
fn writing_and_reading_sixteen_thousand_rolls_is_quick() {
    use senet_core::text;
    let game = compiled(race(7, 4, 2, Usage::Free).build());
    let start = game.start();
    within(20, || {
        for event in game.legal(&start).into_iter().step_by(16) {
            let written = text::format_event(&game, event);
            assert_eq!(text::parse_event(&game, &start, &written), Ok(event));
        }
    });
}

#[test]
fn more_rolls_than_a_table_holds_are_refused() {
    let found = places(race(8, 6, 2, Usage::Free).build(), is_too_many(Artifact::Outcome));
    assert_eq!(found, ["phases/cup/rules/roll"]);
}

#[test]
fn four_different_dice_are_rolled() {
    let mut board = Track::open(4).board();
    board.tiles.iter_mut().for_each(|tile| tile.holds = Capacity::Many);
    let game = Builder::new("four")
        .players(["red"])
        .board(board)
        .die("a", 6)
        .die("b", 8)
        .die("c", 10)
        .die("d", 12)
        .phase(Phase::leaf("cup").rule(Rule::rolls("roll", Rolling::of(["a", "b", "c", "d"]))))
        .build();
    let game = compiled(game);
    assert_eq!(within(5, || game.legal(&game.start()).len()), 5_760);
}

#[test]
fn the_most_of_five_dice_is_found_in_time_or_refused() {
    let is_position = is_too_many(Artifact::Position);
    for (dice, men) in [(5, 15), (6, 8), (9, 4), (64, 2)] {
        let found = places(race(dice, 2, men, Usage::Most).build(), &is_position);
        if dice < 16 {
            assert_eq!(found, ["phases/move"], "{dice} dice, {men} men");
        }
    }
    for (dice, men) in [(4, 15), (5, 8), (3, 15)] {
        let game = compiled(race(dice, 6, men, Usage::MostThenGreatest).build());
        let rolls = game.chances(&game.start());
        within(20, || {
            for roll in [rolls[rolls.len() / 3], rolls[rolls.len() - 1], rolls[0]] {
                let rolled = game.apply(&game.start(), roll.event).unwrap().state;
                assert!(!game.legal(&rolled).is_empty());
            }
        });
    }
}

#[test]
fn a_turn_that_must_use_the_most_may_not_turn_dice() {
    let mut definition = race(2, 6, 2, Usage::Most).build();
    let rule = &mut definition.phases[1].rules[0];
    rule.after = vec![Effect::show(["d0"], 3)];
    let found = places(definition, |fault| matches!(fault, Fault::EndlessTurn));
    assert_eq!(found, ["phases/move/rules/go"]);
}

#[test]
fn landing_short_by_many_sides_is_quick() {
    let mut definition = race(1, 255, 2, Usage::Free).build();
    let senet_core::written::Wanted::Move(movement) = &mut definition.phases[1].rules[0].wants
    else {
        panic!("a move")
    };
    let senet_core::written::Way::Dice(pips) = &mut movement.way else { panic!("by dice") };
    pips.landing = Landing::Short;
    within(5, || compiled(definition));
}

#[test]
fn loops_nested_deep_are_refused_with_their_place() {
    let mut set = Set::own();
    for depth in 0..20 {
        set = Set::union(Binding::tiles(&format!("x{depth}"), Set::Board), set);
    }
    let rule = Rule::moves("go", Movement::of(["man"])).when(set.clone().any());
    let found =
        places(small().phase(Phase::leaf("play").rule(rule)).build(), is_too_many(Artifact::Step));
    assert_eq!(found, ["phases/play/rules/go/when"]);
    let mut effects = vec![Effect::add("n", 1)];
    for _ in 0..20 {
        effects = vec![Effect::Repeat(Number::Is(9), effects)];
    }
    let counter = senet_core::written::Variable::counter("n", 9);
    let rule = Rule::acts("a", "a").then_all(effects);
    let game = small().action("a").variable(counter.clone());
    let game = game.phase(Phase::leaf("play").rule(rule));
    assert_eq!(places(game.build(), is_too_many(Artifact::Step)), ["phases/play/rules/a/after"]);
    let rule =
        Rule::acts("a", "a").then(Effect::Repeat(Number::Is(i64::MAX), vec![Effect::add("n", 1)]));
    let game = small().action("a").variable(counter).phase(Phase::leaf("play").rule(rule));
    let errors = mistakes(game.build());
    assert!(is_too_many(Artifact::Step)(&errors[0].fault), "{errors:?}");
}

#[test]
fn sets_nested_twenty_deep_compile_and_play_quickly() {
    let mut set = Set::Empty;
    for _ in 0..20 {
        set = (set.clone().around() & Set::Board) | (Set::own() - set);
    }
    let rule = Rule::moves("go", Movement::of(["man"]).onto(set));
    let definition = small().phase(Phase::leaf("play").rule(rule)).build();
    within(10, || match definition.compile(senet_core::Options::default()) {
        Ok(game) => {
            game.perft(&game.start(), 2);
        }
        Err(errors) => assert!(is_too_many(Artifact::Word)(&errors.0[0].fault), "{errors}"),
    });
}

#[test]
fn a_definition_of_eight_megabytes_is_read_and_answered_quickly() {
    let tiles: Vec<String> = (0..1_000).map(|n| format!("t{n:04}")).collect();
    let mut definition = small().build();
    definition.tiles = tiles.iter().map(senet_core::written::BoardTile::new).collect();
    definition.regions = (0..255)
        .map(|n| senet_core::written::Region {
            name: format!("r{n}"),
            player: None,
            tiles: tiles.clone(),
        })
        .collect();
    let bad: Vec<String> = (0..700_000).map(|n| format!("u{n}")).collect();
    definition.regions[0].tiles.extend(bad);
    let text = serde_json::to_string(&definition).unwrap();
    assert!(text.len() > 6 << 20, "{}", text.len());
    within(30, || {
        let read: senet_core::Definition = serde_json::from_str(&text).unwrap();
        let errors = mistakes(read);
        assert!(errors.len() <= 1_000, "{} mistakes are told", errors.len());
    });
}
