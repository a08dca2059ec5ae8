//! Small games for what tic-tac-toe lacks: pieces that travel, and dice.

use std::path::PathBuf;

use senet::define::builder::FOUR;
use senet::define::{
    Builder, Definition, Effect, Ending, Grid, Kind, Movement, Number, Pattern, Phase, Rolling,
    Rule, Seat, Set, Tile, Truth, Variable,
};

use crate::senet::scratch;

/// Sliders on a board of 4×4: white on a1 and a3, black on c1.
pub(crate) fn sliders() -> PathBuf {
    let definition = Builder::new("sliders")
        .players(["white", "black"])
        .board(Grid::new(4, 4))
        .kind(Kind::new("slider").travels(Pattern::slides(&FOUR)))
        .pieces_on("white", "slider", ["a1", "a3"])
        .pieces_on("black", "slider", ["c1"])
        .phase(
            Phase::leaf("play").rule(
                Rule::moves("slide", Movement::any())
                    .before(Effect::capture(Set::at(Tile::To)))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .build();
    written("sliders.json", &definition)
}

/// Two players add up a die; who reaches twelve wins, and anyone may give up before rolling.
pub(crate) fn dice() -> PathBuf {
    let definition = Builder::new("dozen")
        .players(["left", "right"])
        .tile("table")
        .die("die", 6)
        .variable(Variable::counter("sum", 20))
        .variable(Variable::counter("given", 1))
        .action("give-up")
        .phase(
            Phase::leaf("roll")
                .rule(
                    Rule::rolls("roll the die", Rolling::of(["die"]))
                        .then(Effect::add("sum", Number::die("die")))
                        .then(Effect::Turn(Seat::Next)),
                )
                .rule(Rule::acts("give up", "give-up").then(Effect::set("given", 1))),
        )
        .ending(Ending::win("dozen", Seat::Next).when(Number::variable("sum").at_least(12)))
        .ending(Ending::win("given up", Seat::Next).when(given()))
        .build();
    written("dice.json", &definition)
}

fn given() -> Truth {
    Number::variable("given").equals(1)
}

/// Each test has a file of its own, since tests run side by side.
fn written(name: &str, definition: &Definition) -> PathBuf {
    let test = std::thread::current().name().unwrap_or("main").replace("::", "-");
    let path = scratch(&format!("{test}-{name}"));
    let json = serde_json::to_vec(definition).expect("a definition is plain data");
    std::fs::write(&path, json).expect("the folder of the tests is there");
    path
}
