//! Words about turns and about what rules could do.

use senet_core::{Options, text};

use super::*;

fn jumps() -> Rule {
    Rule::moves("jump", Movement::any().hopping(EIGHT, Set::foe()).onto(Set::Empty))
        .then(Effect::capture(Set::between(Tile::From, Tile::To)))
}

/// The legal events of a game in a position, then those after each of some events.
fn line(definition: &Definition, position: &str, events: &[&str]) -> Vec<String> {
    let game = definition.clone().compile(Options::default()).unwrap();
    let mut state = text::parse_position(&game, position).unwrap();
    let told = |state: &_| {
        let legal = game.legal(state).into_iter();
        legal.map(|event| text::format_event(&game, event)).collect::<Vec<_>>().join(" ")
    };
    let mut all = vec![told(&state)];
    for event in events {
        let event = text::parse_event(&game, &state, event).unwrap();
        state = game.apply(&state, event).unwrap().state;
        all.push(told(&state));
    }
    all
}

const JUMPS: &str = "red a1=red:stone b1=blue:stone d1=blue:stone c2=blue:stone a3=red:stone \
    hand.red= hand.blue= hand.gold=";

#[test]
fn a_piece_goes_on_by_the_rules_named() {
    let turn = || Effect::Turn(Seat::Next);
    let step = Rule::moves("step", Movement::any().by(Pattern::steps(&FOUR)).onto(Set::Empty));
    let step = step.rank(1).then(turn());
    let game = |again: Effect| {
        let phase = Phase::leaf("play").rule(jumps().then(again)).rule(step.clone());
        table().action("halt").phase(phase).build()
    };
    let must = game(Effect::again(["jump"], [turn()]));
    let played = line(&must, JUMPS, &["a1/c1", "c1/c3"]);
    assert_eq!(played, ["a1/c1", "c1/c3", "d1/c1 d1/d2"], "the same piece, then the next player");
    let may = game(Effect::may_go_on(["jump"], "halt", [turn()]));
    let played = line(&may, JUMPS, &["a1/c1", "halt"]);
    assert_eq!(played, ["a1/c1", "c1/c3 halt", "d1/b1"]);
    assert_eq!(must.hash(), must.expanded().hash());
}

#[test]
fn a_position_comes_up_again_in_a_match_and_in_a_tree() {
    let definition = senet_testkit::sample::shuttle_definition();
    let game = std::sync::Arc::new(definition.clone().compile(Options::default()).unwrap());
    let mut playing = senet_core::Match::new(game.clone());
    for event in ["a1/b1", "pass", "b1/a1", "pass", "a1/b1"] {
        let told = |one: &_| text::format_event(&game, *one) == event;
        let event = playing.legal().into_iter().find(told);
        match event {
            Some(event) => playing.apply(event).map(drop).unwrap(),
            None => assert_eq!(playing.ply(), 4, "the position after the first move"),
        }
    }
    assert_eq!(playing.ply(), 4);
    assert!(game.legal(playing.state()).len() > playing.legal().len(), "a state knows no past");
    let oracle = Oracle::new(&definition);
    for depth in 1..=6 {
        assert_eq!(game.perft(&game.start(), depth), oracle.perft(&oracle.start(), depth));
    }
}

#[test]
fn what_rules_could_do() {
    let can = |from: &str| {
        let definition = table().phase(Phase::leaf("play").rule(jumps())).build();
        let oracle = Oracle::new(&definition);
        let position = oracle.read(JUMPS);
        oracle.holds(&position, "red", &Truth::can(["jump"], named(from)))
    };
    assert!(can("a1"));
    assert!(!can("a3"), "nobody is beside it");
    assert!(!can("b1"), "a foe's piece");
    assert!(!can("a2"), "nobody");
    let definition = table().phase(Phase::leaf("play").rule(jumps())).build();
    let oracle = Oracle::new(&definition);
    let position = oracle.read(JUMPS);
    let nowhere = Truth::can(["jump"], nowhere());
    assert!(!oracle.holds(&position, "red", &nowhere), "no tile");
    let of_blue = Truth::can(["jump"], named("b1"));
    assert!(!oracle.holds(&position, "blue", &of_blue), "beyond a1 is the edge");
}
