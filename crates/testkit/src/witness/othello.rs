//! Othello.

use senet_core::builder::EIGHT;
use senet_core::{
    Binding, Builder, Definition, Effect, Ending, Grid, Kind, Number, Phase, Putting, Rule, Seat,
    Set, Tile, Truth,
};

/// Published counts; a pass is an event.
pub const COUNTS: &[u64] = &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284];

/// A disc encloses discs of the other player between itself and another of its own; they change
/// sides. Who encloses none passes; when neither can, more discs win.
pub fn definition() -> Definition {
    let own = || Number::Count(Set::own());
    let foe = || Number::Count(Set::foe());
    Builder::new("othello")
        .players(["black", "white"])
        .board(Grid::new(8, 8).eight())
        .kind(Kind::new("disc").unlimited())
        .pieces_on("black", "disc", ["e4", "d5"])
        .pieces_on("white", "disc", ["d4", "e5"])
        .action("pass")
        .phase(
            Phase::leaf("play")
                .rule(
                    Rule::puts("place a disc", Putting::any().onto(Set::Empty))
                        .when(
                            enclosed(Tile::To, Set::foe(), Set::own())
                                .any()
                                .called("it encloses a disc of the other player"),
                        )
                        .then(Effect::Give {
                            on: enclosed(Tile::To, Set::foe(), Set::own()),
                            to: Seat::Mover,
                        })
                        .then(Effect::Turn(Seat::Next)),
                )
                .rule(Rule::acts("pass", "pass").otherwise().then(Effect::Turn(Seat::Next))),
        )
        .ending(
            Ending::win("more discs", Seat::Mover)
                .of_each()
                .when(nobody_can_place().and(own().greater_than(foe()))),
        )
        .ending(Ending::draw("as many discs").when(nobody_can_place()))
        .build()
}

/// The discs that one side encloses between a tile and its other discs.
fn enclosed(from: Tile, over: Set, end: Set) -> Set {
    Set::union(Binding::directions("way", &EIGHT), Set::run(from, "way", over, Some(end)))
}

fn nobody_can_place() -> Truth {
    let tile = || Tile::name("tile");
    let somebody =
        enclosed(tile(), Set::foe(), Set::own()) | enclosed(tile(), Set::own(), Set::foe());
    !Truth::Exists(Binding::tiles("tile", Set::Empty), Box::new(somebody.any()))
}
