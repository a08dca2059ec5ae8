//! A game on a ring with phases inside phases, where a move becomes several events.

use senet_core::builder::Track;
use senet_core::builder::{CLOCKWISE, COUNTER_CLOCKWISE};
use senet_core::written::{
    Derived, Effect, Ending, Kind, Movement, Number, Pattern, Phase, Preprocessor, Putting, Rule,
    Seat, Set, Tile, Variable, Who,
};
use senet_core::{Builder, Definition, EventKind};

/// The game as written.
pub fn definition() -> Definition {
    let entered = || Number::variable("entered");
    Builder::new("errand")
        .players(["left", "right"])
        .board(Track::ring(8).board().prefixed("r"))
        .region_of("left", "gate", ["r1", "r2"])
        .region_of("right", "gate", ["r5", "r6"])
        .region("shrine", ["r4", "r8"])
        .kind(Kind::new("walker").travels(Pattern::slide(CLOCKWISE)))
        .kind(Kind::new("carrier").travels(Pattern::steps(&[CLOCKWISE, COUNTER_CLOCKWISE])))
        .pieces("left", "walker", 1)
        .pieces("left", "carrier", 1)
        .pieces("right", "walker", 1)
        .pieces("right", "carrier", 1)
        .variable(Variable::counter("entered", 4))
        .variable(Variable::counter("steps", 5).per_player())
        .variable(Variable::counter("resigned", 1))
        .variable(Variable::counter("rounds", 60).beside())
        .action("rest")
        .action("pray")
        .action("resign")
        .phase(
            Phase::branch(
                "deploy",
                [Phase::leaf("enter").rule(
                    Rule::puts(
                        "enter at the gate",
                        Putting::of(["walker", "carrier"]).onto(Set::region("gate")),
                    )
                    .then(Effect::add("entered", 1))
                    .then(Effect::Turn(Seat::Next)),
                )],
            )
            .when(entered().less_than(4)),
        )
        .phase(Phase::branch("play", [tired(), under_way()]).when(entered().equals(4)))
        .ending(Ending::win("resigned", Seat::Next).when(Number::variable("resigned").equals(1)))
        .ending(
            Ending::win("nobody is left", Seat::Next)
                .of_each()
                .may_go_on()
                .when(Number::pieces(Set::Board, Who::Mover).equals(0).and(entered().equals(4))),
        )
        .ending(Ending::draw("late").when(Number::variable("rounds").at_least(60)))
        .build()
}

/// Who has walked five steps may rest once more and then does nothing but pray.
fn tired() -> Phase {
    Phase::branch(
        "tired",
        [Phase::leaf("at prayer")
            .rule(
                Rule::acts("pray", "pray")
                    .then(Effect::set("steps", 0))
                    .then(Effect::Turn(Seat::Next)),
            )
            .rule(
                Rule::acts("fall asleep", "rest")
                    .then(Effect::add("rounds", 2))
                    .then(Effect::Turn(Seat::Next)),
            )],
    )
    .when(Number::variable("steps").equals(5))
}

fn under_way() -> Phase {
    let is = |kind: &str| Tile::From.is_in(Set::kind(kind));
    let rest = || Derived::Act("rest".into());
    let arrives = Tile::To.is_in(Set::region("shrine") & Set::kind("carrier"));
    let behind = Tile::From.then(&[COUNTER_CLOCKWISE]);
    let ally = behind.clone().is_in(Set::own());
    let ring = || Pattern::steps(&[CLOCKWISE, COUNTER_CLOCKWISE]);
    Phase::leaf("under way")
        .pre(
            Preprocessor::new("walk", EventKind::Move, [Derived::EachStep, rest()])
                .when(is("walker")),
        )
        .pre(
            Preprocessor::new("haul", EventKind::Move, [Derived::Itself, rest()])
                .when(is("carrier")),
        )
        .rule(
            Rule::moves("walk a step", Movement::of(["walker"]).by(ring()))
                .then(Effect::add("steps", 1)),
        )
        .rule(
            Rule::moves("haul a step", Movement::of(["carrier"]))
                .then(Effect::when(ally, [Effect::carry(behind, Tile::From)]))
                .then(Effect::when(arrives, [Effect::becomes(Set::at(Tile::To), "walker")])),
        )
        .rule(
            Rule::acts("rest", "rest")
                .then(Effect::add("rounds", 1))
                .then(Effect::Turn(Seat::Next)),
        )
        .rule(
            Rule::acts("resign", "resign")
                .when(Number::variable("rounds").at_least(50))
                .then(Effect::set("resigned", 1)),
        )
}
