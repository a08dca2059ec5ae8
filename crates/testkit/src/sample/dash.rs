//! A race by dice on stacking tiles.

use senet_core::builder::Track;
use senet_core::builder::{BACKWARD, FORWARD};
use senet_core::written::{
    Effect, Ending, Kind, Movement, Number, Pattern, Phase, Player, Rolling, Rule, Seat, Set, Tile,
    Variable, Who,
};
use senet_core::{Builder, Definition};

/// The game as written.
pub fn definition() -> Definition {
    let track = Track::open(7).board().prefixed("p").stacking();
    let empty = || Number::die("one") + Number::die("two");
    Builder::new("dash")
        .player(Player::new("white").facing("onward", FORWARD))
        .player(Player::new("black").facing("onward", BACKWARD))
        .board(track)
        .stacks(["white-bench", "black-bench", "white-home", "black-home"])
        .relation("white-bench", FORWARD, "p1")
        .relation("black-bench", BACKWARD, "p7")
        .relation("p7", FORWARD, "white-home")
        .relation("p1", BACKWARD, "black-home")
        .region_of("white", "bench", ["white-bench"])
        .region_of("black", "bench", ["black-bench"])
        .region_of("white", "home", ["white-home"])
        .region_of("black", "home", ["black-home"])
        .kind(Kind::new("runner").travels(Pattern::slide("onward")))
        .pieces_on("white", "runner", ["p1", "p1", "p4"])
        .pieces_on("black", "runner", ["p7", "p7", "p4"])
        .die("one", 3)
        .die("two", 3)
        .variable(Variable::counter("passes", 6).per_player())
        .variable(Variable::counter("rolls", 200).beside())
        .action("pass")
        .phase(Phase::branch(
            "turn",
            [
                Phase::leaf("cup").when(empty().equals(0)).rule(
                    Rule::rolls("roll both", Rolling::of(["one", "two"]).in_any_order())
                        .then(Effect::add("rolls", 1)),
                ),
                moving(Phase::leaf("run")).rule(
                    Rule::acts("pass", "pass")
                        .then(Effect::unroll(["one", "two"]))
                        .then(Effect::add("passes", 1))
                        .then(Effect::Turn(Seat::Next)),
                ),
            ],
        ))
        .ending(shut_out().worth(2))
        .ending(all_home("all are home"))
        .ending(
            Ending::win("gave up", Seat::Next).of_each().when(Number::variable("passes").equals(6)),
        )
        .build()
}

fn all_home(name: &str) -> Ending {
    let home = Number::pieces(Set::at(Tile::only("home", Seat::Mover)), Who::Mover);
    Ending::win(name, Seat::Mover).of_each().when(home.equals(3))
}

fn shut_out() -> Ending {
    let others = Number::pieces(Set::region_of("home", Seat::Next), Who::Foe);
    all_home("shut out").when(others.equals(0))
}

/// A rule for each die and number.
fn moving(phase: Phase) -> Phase {
    let dice = ["one", "two"];
    let rules = dice.into_iter().flat_map(|die| (1..=3).map(move |pips| run(die, pips)));
    rules.fold(phase, Phase::rule)
}

fn run(die: &str, pips: i64) -> Rule {
    let steps = vec!["onward"; pips as usize];
    let guarded = Set::AtLeast(2, Who::Foe);
    let benched = Number::pieces(Set::region("bench"), Who::Mover);
    let from_bench = Tile::From.is_in(Set::region("bench"));
    let hit = Tile::To.is_in(Set::AtLeast(1, Who::Foe)).and(Tile::To.is_in(!Set::region("home")));
    let done = (Number::die("one") + Number::die("two")).equals(0);
    Rule::moves(
        format!("run {pips} by die {die}"),
        Movement::any().by(Pattern::leap(&steps)).onto(!guarded),
    )
    .when(Number::die(die).equals(pips).relevant())
    .when(from_bench.or(benched.equals(0)))
    .before(Effect::when(hit, [Effect::capture_to(Tile::To, Tile::only("bench", Seat::Next))]))
    .then(Effect::unroll([die]))
    .then(Effect::when(done, [Effect::Turn(Seat::Next)]))
}
