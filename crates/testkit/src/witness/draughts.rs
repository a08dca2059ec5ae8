//! English draughts.

use senet_core::builder::{DIAGONALS, NORTH, SOUTH};
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Movement, Pattern, Phase, Player, Rule, Seat, Set,
    Tile, Truth,
};

/// Every jump is an event. Published counts are of whole turns: [`TURNS`]; up to here they agree.
pub const COUNTS: &[u64] = &[7, 49, 302, 1_469];

/// Published counts of whole turns.
pub const TURNS: &[u64] = &[7, 49, 302, 1_469, 7_361, 36_768, 179_740, 845_931, 3_963_680];

/// The directions in which a man goes.
const AHEAD: [&str; 2] = ["ahead-east", "ahead-west"];

/// Men go forward, kings both ways; who can jump must, and goes on jumping with the same piece; a
/// man that is crowned stops. Who cannot move has lost.
pub fn definition() -> Definition {
    let player = |name: &str, ahead: &str| {
        Player::new(name)
            .facing("ahead-east", format!("{ahead}-east"))
            .facing("ahead-west", format!("{ahead}-west"))
    };
    let row = |row: u8| (b'a'..=b'h').map(move |file| format!("{}{row}", char::from(file)));
    Builder::new("draughts")
        .player(player("black", NORTH))
        .player(player("white", SOUTH))
        .board(Grid::new(8, 8).along(DIAGONALS))
        .region_of("black", "last", row(8))
        .region_of("white", "last", row(1))
        .kind("man")
        .kind("king")
        .pieces_on("black", "man", (1..=3).flat_map(dark))
        .pieces_on("white", "man", (6..=8).flat_map(dark))
        .phase(
            Phase::leaf("play")
                .rule(jump("jump with a man", Movement::of(["man"]).hopping(AHEAD, Set::foe())))
                .rule(jump(
                    "jump with a king",
                    Movement::of(["king"]).hopping(DIAGONALS, Set::foe()),
                ))
                .rule(step("move a man", "man", &AHEAD))
                .rule(step("move a king", "king", &DIAGONALS)),
        )
        .ending(Ending::win("no move", Seat::Previous).when(Truth::Stuck))
        .build()
}

/// The dark tiles of a row.
fn dark(row: u8) -> impl Iterator<Item = String> {
    let files = (b'a'..=b'h').filter(move |file| (file - b'a' + row - 1).is_multiple_of(2));
    files.map(move |file| format!("{}{row}", char::from(file)))
}

fn step(name: &str, kind: &str, ways: &[&str]) -> Rule {
    Rule::moves(name, Movement::of([kind]).by(Pattern::steps(ways)).onto(Set::Empty).harmless())
        .rank(1)
        .then(crown())
        .then(Effect::Turn(Seat::Next))
}

fn jump(name: &str, movement: Movement) -> Rule {
    let turn = || Effect::Turn(Seat::Next);
    let go_on = Effect::again(["jump with a man", "jump with a king"], [turn()]);
    let crowned = Tile::To.is_in(Set::kind("man") & Set::region("last"));
    Rule::moves(name, movement.onto(Set::Empty))
        .then(Effect::capture(Set::between(Tile::From, Tile::To)))
        .then(Effect::when_else(crowned, [crown(), turn()], [go_on]))
}

fn crown() -> Effect {
    Effect::becomes(Set::at(Tile::To) & Set::kind("man") & Set::region("last"), "king")
}
