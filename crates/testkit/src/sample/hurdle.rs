//! A race in which a turn must use what the dice allow, and passes where they allow nothing.

use senet_core::builder::Track;
use senet_core::builder::{BACKWARD, FORWARD};
use senet_core::written::{
    Effect, Ending, Movement, Number, Phase, Player, Rolling, Rule, Seat, Set, Tile, Truth, Usage,
    Variable, Who,
};
use senet_core::{Builder, Definition};

/// The dice, the greatest first.
const DICE: [&str; 3] = ["one", "two", "three"];

/// The game as written.
pub fn definition() -> Definition {
    Builder::new("hurdle")
        .player(Player::new("white").facing("onward", FORWARD).facing("back", BACKWARD))
        .player(Player::new("black").facing("onward", BACKWARD).facing("back", FORWARD))
        .board(Track::open(6).board().prefixed("p"))
        .stacks(["white-bench", "black-bench", "white-home", "black-home"])
        .relation("white-bench", FORWARD, "p1")
        .relation("black-bench", BACKWARD, "p6")
        .relation("p6", FORWARD, "white-home")
        .relation("p1", BACKWARD, "black-home")
        .region_of("white", "home", ["white-home"])
        .region_of("black", "home", ["black-home"])
        .kind("runner")
        .pieces_on("white", "runner", ["white-bench", "p1", "p2"])
        .pieces_on("black", "runner", ["black-bench", "p6", "p4"])
        .die("one", 3)
        .die("two", 3)
        .die("three", 3)
        .variable(Variable::counter("wins", 2).per_player())
        .variable(Variable::counter("rolls", 24).beside())
        .action("rest")
        .action("yield")
        .phase(Phase::leaf("cup").when(Number::die("one").equals(0)).rule(roll()))
        .phase(running("race", Usage::MostThenGreatest).when(leads()))
        .phase(running("chase", Usage::Most))
        .ending(Ending::win("two races", Seat::Mover).of_each().when(wins(Seat::Mover).equals(2)))
        .ending(Ending::draw("late").when(Number::variable("rolls").at_least(24)))
        .build()
}

fn wins(seat: Seat) -> Number {
    Number::variable_of("wins", seat)
}

fn leads() -> Truth {
    wins(Seat::Mover).at_least(wins(Seat::Next))
}

/// Two dice, and a third that shows what a double shows.
fn roll() -> Rule {
    let double = Number::die("one").equals(Number::die("two"));
    Rule::rolls("roll two", Rolling::of(["one", "two"]).in_any_order())
        .then(Effect::add("rolls", 1))
        .then(Effect::when(double, [Effect::show(["three"], Number::die("one"))]))
}

/// A phase in which runners leap over foes but not over friends.
fn running(name: &str, usage: Usage) -> Phase {
    let home = || Set::region("home");
    let clear = || !Set::own();
    let last = Number::pieces(Set::ray(Tile::From, "back"), Who::Mover).equals(0);
    let mine = Number::pieces(Set::Board, Who::Mover);
    let left = Number::pieces(Set::region("home"), Who::Mover);
    let again =
        [Effect::add("wins", 1), Effect::Reset, Effect::unroll(DICE), Effect::Turn(Seat::Next)];
    let next = Effect::when(Number::die("one").equals(0), [Effect::Turn(Seat::Next)]);
    let done =
        || Effect::when_else(left.clone().equals(mine.clone()), again.clone(), [next.clone()]);
    Phase::leaf(name)
        .using(usage)
        .rule(
            Rule::moves(
                format!("run in the {name}"),
                Movement::of(["runner"]).by_dice(DICE, "onward").through(clear()),
            )
            .then(done()),
        )
        .rule(
            Rule::moves(
                format!("arrive in the {name}"),
                Movement::any().short_of_dice(DICE, "onward").onto(home()),
            )
            .when(last.called("no runner is further back"))
            .then(done()),
        )
        .rule(
            Rule::acts(format!("rest in the {name}"), "rest")
                .otherwise()
                .then_all([Effect::unroll(DICE), Effect::Turn(Seat::Next)]),
        )
        .rule(
            Rule::acts(format!("yield the {name}"), "yield")
                .when(Number::die("two").equals(3))
                .then_all([Effect::unroll(DICE), Effect::Turn(Seat::Next)]),
        )
}
