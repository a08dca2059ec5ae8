//! International draughts.

use senet_core::builder::Grid;
use senet_core::builder::{DIAGONALS, NORTH, SOUTH};
use senet_core::written::{
    Effect, Ending, Movement, Number, Pattern, Phase, Player, Rule, Seat, Set, Tile, Truth,
};
use senet_core::{Builder, Definition};

/// Published counts of whole turns; every jump is an event.
pub const TURNS: &[u64] = &[9, 81, 658, 4_265, 27_117, 167_140, 1_049_442];

/// The directions in which a man goes.
const AHEAD: [&str; 2] = ["ahead-east", "ahead-west"];

/// On 10×10, men jump both ways and kings fly. A turn takes as many pieces as it can; they leave the
/// board when it ends, and none is jumped over twice. A man is crowned only where his turn ends. Who
/// cannot move has lost.
pub fn definition() -> Definition {
    let player = |name: &str, ahead: &str| {
        Player::new(name)
            .facing("ahead-east", format!("{ahead}-east"))
            .facing("ahead-west", format!("{ahead}-west"))
    };
    let row = |row: u8| (b'a'..=b'j').map(move |file| format!("{}{row}", char::from(file)));
    let standing = || Set::foe() - Set::mark("taken");
    let hop = |kind: &str| Movement::of([kind]).hopping(DIAGONALS, standing());
    Builder::new("international-draughts")
        .player(player("white", NORTH))
        .player(player("black", SOUTH))
        .board(Grid::new(10, 10).along(DIAGONALS))
        .region_of("white", "last", row(10))
        .region_of("black", "last", row(1))
        .mark("taken")
        .kind("man")
        .kind("king")
        .pieces_on("white", "man", (1..=4).flat_map(dark))
        .pieces_on("black", "man", (7..=10).flat_map(dark))
        .phase(
            Phase::leaf("play")
                .reaching_most(Number::Is(0) - Number::Count(Set::foe()))
                .rule(jump("jump with a man", hop("man")))
                .rule(jump("jump with a king", hop("king").from_afar().landing_anywhere()))
                .rule(go("move a man", Movement::of(["man"]).by(Pattern::steps(&AHEAD))))
                .rule(go("move a king", Movement::of(["king"]).by(Pattern::slides(&DIAGONALS)))),
        )
        .ending(Ending::win("no move", Seat::Previous).when(Truth::Stuck))
        .build()
}

/// The dark tiles of a row.
fn dark(row: u8) -> impl Iterator<Item = String> {
    let files = (b'a'..=b'j').filter(move |file| (file - b'a' + row - 1).is_multiple_of(2));
    files.map(move |file| format!("{}{row}", char::from(file)))
}

fn go(name: &str, movement: Movement) -> Rule {
    Rule::moves(name, movement.onto(Set::Empty).harmless()).rank(1).then_all(finish())
}

fn jump(name: &str, movement: Movement) -> Rule {
    let jumped = Set::between(Tile::From, Tile::To) & Set::foe();
    let take = Effect::Mark { on: jumped, set: vec!["taken".into()], clear: Vec::new() };
    let leave = Effect::Mark { on: Set::Board, set: Vec::new(), clear: vec!["taken".into()] };
    let over = [Effect::Clear(Set::mark("taken")), leave].into_iter().chain(finish());
    Rule::moves(name, movement.onto(Set::Empty))
        .then(take)
        .then(Effect::again(["jump with a man", "jump with a king"], over))
}

fn finish() -> [Effect; 2] {
    let last = Set::at(Tile::To) & Set::kind("man") & Set::region("last");
    [Effect::becomes(last, "king"), Effect::Turn(Seat::Next)]
}
