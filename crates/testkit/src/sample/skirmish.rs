//! A capture game on 5×5.

use senet_core::builder::Grid;
use senet_core::builder::{
    EAST, EIGHT, FOUR, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use senet_core::written::{
    Effect, Ending, Flag, Kind, Movement, Number, Pattern, Phase, Player, Rule, Seat, Set, Tile,
    Truth, Variable, Who,
};
use senet_core::{Builder, Definition};

/// The game as written.
pub fn definition() -> Definition {
    let white = Player::new("white").facing("forward", NORTH).facing("backward", SOUTH);
    let black = Player::new("black").facing("forward", SOUTH).facing("backward", NORTH);
    let hare = LEAPS.iter().fold(Kind::new("hare"), |hare, leap| hare.travels(Pattern::leap(leap)));
    Builder::new("skirmish")
        .player(white.facing("aslant-left", NORTH_WEST).facing("aslant-right", NORTH_EAST))
        .player(black.facing("aslant-left", SOUTH_EAST).facing("aslant-right", SOUTH_WEST))
        .board(Grid::new(5, 5).along(EIGHT))
        .region_of("white", "far", ["a5", "b5", "c5", "d5", "e5"])
        .region_of("black", "far", ["a1", "b1", "c1", "d1", "e1"])
        .flag("fresh")
        .flag(Flag::ephemeral("passing"))
        .kind(Kind::new("tower").travels(Pattern::slides(&FOUR)).attribute("worth", 5))
        .kind(hare.attribute("worth", 3))
        .kind(Kind::new("guard").travels(Pattern::step("forward")).attribute("worth", 1))
        .pieces_on("white", "tower", ["a1", "e1"])
        .pieces_on("white", "hare", ["c1"])
        .pieces_on("black", "tower", ["a5", "e5"])
        .pieces_on("black", "hare", ["c5"])
        .pieces("white", "guard", 3)
        .pieces("black", "guard", 3)
        .place_flagged("white-guard-1", "a2", ["fresh"])
        .place_flagged("white-guard-2", "b2", ["fresh"])
        .place_flagged("white-guard-3", "c2", ["fresh"])
        .place_flagged("black-guard-1", "c4", ["fresh"])
        .place_flagged("black-guard-2", "d4", ["fresh"])
        .place_flagged("black-guard-3", "e4", ["fresh"])
        .variable(Variable::counter("quiet", 20).beside())
        .variable(Variable::counter("taken", 3).per_player())
        .phase(
            guard_rules(Phase::leaf("play"))
                .rule(counted("roam", Movement::of(["tower", "hare"]).onto(Set::Board))),
        )
        .ending(
            Ending::win("all are taken", Seat::Mover)
                .of_each()
                .when(Number::pieces(Set::Board, Who::Foe).equals(0))
                .worth(Number::variable("taken") + 1),
        )
        .ending(Ending::win("stuck", Seat::Previous).when(Truth::Stuck))
        .ending(Ending::draw("nothing happens").when(Number::variable("quiet").at_least(20)))
        .build()
}

const LEAPS: [&[&str]; 8] = [
    &[NORTH, NORTH, EAST],
    &[NORTH, EAST, EAST],
    &[SOUTH, EAST, EAST],
    &[SOUTH, SOUTH, EAST],
    &[SOUTH, SOUTH, WEST],
    &[SOUTH, WEST, WEST],
    &[NORTH, WEST, WEST],
    &[NORTH, NORTH, WEST],
];

/// A rule that ends the turn and counts captures and plies without one.
fn counted(name: &str, movement: Movement) -> Rule {
    let takes = Tile::To.is_in(Set::foe());
    let taken = [Effect::set("quiet", 0), Effect::add("taken", 1)];
    Rule::moves(name, movement)
        .before(Effect::either(takes, taken, [Effect::add("quiet", 1)]))
        .then(Effect::clear_flags(Set::at(Tile::To), ["fresh"]))
        .then(Effect::Turn(Seat::Next))
}

fn guard_rules(phase: Phase) -> Phase {
    let guard = || Movement::of(["guard"]);
    let ahead = || guard().by(Pattern::step("forward"));
    let aslant = || guard().by(Pattern::steps(&["aslant-left", "aslant-right"]));
    let far = || Set::region("far");
    let passing = Set::foe() & Set::kind("guard") & Set::flag("passing");
    let beside = || Tile::To.then(&["backward"]);
    phase
        .rule(counted("march", ahead().onto(Set::Empty - far())))
        .rule(counted("arrive", ahead().onto(Set::Empty & far()).choosing(["tower", "hare"])))
        .rule(counted("take", aslant().onto(Set::foe() - far())))
        .rule(counted(
            "take and arrive",
            aslant().onto(Set::foe() & far()).choosing(["tower", "hare"]),
        ))
        .rule(
            Rule::moves(
                "double march",
                guard()
                    .source(Set::flag("fresh"))
                    .by(Pattern::leap(&["forward", "forward"]))
                    .through(Set::Empty)
                    .onto(Set::Empty),
            )
            .before(Effect::add("quiet", 1))
            .then(Effect::clear_flags(Set::at(Tile::To), ["fresh"]))
            .then(Effect::set_flags(Set::at(Tile::To), ["passing"]))
            .then(Effect::Turn(Seat::Next)),
        )
        .rule(
            Rule::moves("take in passing", aslant().onto(Set::Empty))
                .when(beside().is_in(passing))
                .before(Effect::set("quiet", 0))
                .then(Effect::capture(Set::at(beside())))
                .then(Effect::add("taken", 1))
                .then(Effect::Turn(Seat::Next)),
        )
}
