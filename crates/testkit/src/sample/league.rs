//! Four players in two teams on a hex board.

use senet_core::builder::Hex;
use senet_core::builder::{EAST, SIX, SOUTH_EAST, SOUTH_WEST, WEST};
use senet_core::written::{
    Effect, Ending, Kind, Movement, Number, Pattern, Phase, Player, Rule, Seat, Set, Tile, Truth,
    Variable, Who,
};
use senet_core::{Builder, Definition};

/// The game as written.
pub fn definition() -> Definition {
    let mine = || Number::pieces(Set::Board, Who::Mover);
    let ends = |rule: Rule| rule.then(Effect::add("rounds", 1)).then(Effect::Turn(Seat::Next));
    let beside_ally = SIX.map(|way| Tile::To.then(&[way]).is_in(Set::Owned(Who::Ally)));
    Builder::new("league")
        .player(Player::new("red").team("warm"))
        .player(Player::new("green").team("cool"))
        .player(Player::new("gold").team("warm"))
        .player(Player::new("blue").team("cool"))
        .board(Hex::hexagon(2))
        .region("middle", ["c3"])
        .kind(Kind::new("scout").travels(Pattern::steps(&SIX)))
        .kind(
            Kind::new("rider")
                .travels(Pattern::slides(&[EAST, WEST]))
                .travels(Pattern::slide(SOUTH_EAST))
                .travels(Pattern::leap(&[SOUTH_WEST, SOUTH_WEST])),
        )
        .pieces_on("red", "scout", ["c1"])
        .pieces_on("red", "rider", ["d1"])
        .pieces_on("green", "scout", ["e2"])
        .pieces_on("green", "rider", ["e3"])
        .pieces_on("gold", "scout", ["c5"])
        .pieces_on("gold", "rider", ["b5"])
        .pieces_on("blue", "scout", ["a4"])
        .pieces_on("blue", "rider", ["a3"])
        .variable(Variable::counter("rounds", 60).beside())
        .action("sit")
        .phase(Phase::leaf("out").when(mine().equals(0)).rule(ends(Rule::acts("sit out", "sit"))))
        .phase(
            Phase::leaf("play")
                .rule(ends(Rule::moves("go", Movement::any().onto(!Set::region("middle")))))
                .rule(ends(
                    Rule::moves(
                        "enter the middle beside an ally",
                        Movement::of(["scout"]).onto(Set::region("middle")),
                    )
                    .when(Truth::any(beside_ally)),
                )),
        )
        .ending(
            Ending::win("the others are gone", Seat::Mover)
                .of_each()
                .when(Number::pieces(Set::Board, Who::Foe).equals(0))
                .worth(Number::pieces(Set::Board, Who::Friend)),
        )
        .ending(
            Ending::draw("nobody can move or it is late")
                .when(Truth::Stuck.or(Number::variable("rounds").at_least(60))),
        )
        .build()
}
