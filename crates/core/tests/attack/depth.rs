//! Trees and turns without end.

use std::time::{Duration, Instant};

use senet_core::fault::Fault;
use senet_core::written::{Effect, Movement, Phase, Rule, Seat, Set, Truth, Variable, Who};
use senet_core::{Budget, Stopped};
use senet_testkit::sample;

use super::{compiled, mistakes, places, small};

/// A game in which the mover says `pass` for ever and nothing else.
fn endless() -> senet_core::Game {
    let pass = Rule::acts("pass", "pass").then(Effect::Turn(Seat::Next));
    compiled(small().action("pass").phase(Phase::leaf("play").rule(pass)).build())
}

/// A game in which one turn has no end: each event makes a new position of the same player.
fn one_turn() -> senet_core::Game {
    let count = Rule::acts("count", "count").then(Effect::add("n", 1));
    let phase = Phase::leaf("play").rule(count);
    let counter = Variable::counter("n", 1 << 62);
    compiled(small().action("count").variable(counter).phase(phase).build())
}

#[test]
fn any_depth_of_perft_is_answered() {
    let game = endless();
    for depth in [u32::MAX, 200_000] {
        let answer = game.perft_within(&game.start(), depth, &mut Budget::unlimited());
        let Err(Stopped::TooDeep { allowed }) = answer else { panic!("{answer:?}") };
        assert!(allowed >= 10_000, "{allowed}");
        assert_eq!(game.perft(&game.start(), depth), u64::MAX);
        let made = game.perft_made_within(&game.start(), depth, &mut Budget::unlimited());
        assert!(matches!(made, Err(Stopped::TooDeep { .. })), "{made:?}");
        let turns = game.turn_perft_within(&game.start(), depth, &mut Budget::unlimited());
        assert!(matches!(turns, Err(Stopped::TooDeep { .. })), "{turns:?}");
    }
    assert_eq!(game.perft(&game.start(), 30_000), 1);
    let short = sample::errand();
    assert!(short.perft(&short.start(), 3) > 0);
}

#[test]
fn a_tree_that_ends_has_no_sequences_of_any_greater_depth() {
    let count = Rule::acts("count", "count")
        .then(Effect::add("n", 1))
        .when(senet_core::written::Number::variable("n").less_than(3));
    let phase = Phase::leaf("play").rule(count);
    let game = small().action("count").variable(Variable::counter("n", 9)).phase(phase);
    let game = compiled(game.build());
    assert_eq!(game.perft(&game.start(), 3), 1);
    for depth in [4, 200_000, u32::MAX] {
        assert_eq!(game.perft(&game.start(), depth), 0);
        assert_eq!(game.turn_perft(&game.start(), depth), 0);
    }
}

#[test]
fn a_budget_stops_a_walk_and_says_so() {
    let game = sample::skirmish();
    let start = game.start();
    let few = game.perft_within(&start, 30, &mut Budget::nodes(10_000));
    assert_eq!(few, Err(Stopped::Nodes { allowed: 10_000 }));
    let begin = Instant::now();
    let over = || begin.elapsed() > Duration::from_millis(50);
    let stopped = game.perft_within(&start, 30, &mut Budget::until(&over));
    assert_eq!(stopped, Err(Stopped::Asked));
    assert!(begin.elapsed() < Duration::from_secs(100));
    assert_eq!(
        game.perft_within(&start, 2, &mut Budget::nodes(10_000)).ok(),
        Some(game.perft(&start, 2))
    );
}

#[test]
fn a_turn_that_never_ends_is_an_error() {
    let game = one_turn();
    let turns = game.turns(&game.start());
    assert!(matches!(turns, Err(Stopped::Nodes { .. })), "{:?}", turns.map(|turns| turns.len()));
    let few = game.turns_within(&game.start(), &mut Budget::nodes(100));
    assert_eq!(few.err(), Some(Stopped::Nodes { allowed: 100 }));
    assert_eq!(game.turn_perft(&game.start(), 1), u64::MAX);
}

#[test]
fn attacked_inside_what_decides_attack_is_refused_with_its_place() {
    let attacked = || Set::Attacked(Who::Foe);
    let movements = [
        Movement::of(["man"]).source(attacked()),
        Movement::of(["man"]).through(attacked()),
        Movement::of(["man"]).onto(attacked()),
    ];
    for movement in movements {
        let definition =
            small().phase(Phase::leaf("play").rule(Rule::moves("go", movement))).build();
        let found = places(definition, |fault| *fault == Fault::CyclicAttack);
        assert_eq!(found, ["phases/play/rules/go"]);
    }
    let truths: [Truth; 2] = [
        attacked().any(),
        Truth::Not(Box::new(senet_core::written::Tile::To.is_in(attacked() & Set::Empty))),
    ];
    for truth in truths {
        let rule = Rule::moves("go", Movement::of(["man"])).when(truth);
        let errors = mistakes(small().phase(Phase::leaf("play").rule(rule)).build());
        assert_eq!(errors[0].fault, Fault::CyclicAttack);
    }
}
