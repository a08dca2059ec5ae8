//! A capture game on 5×5.

use senet_core::builder::{
    EAST, EIGHT, FOUR, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use senet_core::{
    Area, Builder, Condition, Definition, Effect, Ending, Flag, Grid, Kind, Movement, Pattern,
    Phase, Player, Rule, Seat, Spot, TileTest, Trait, Value, Variable, Who,
};

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
                .rule(counted("roam", Movement::of(["tower", "hare"]).onto(TileTest::any()))),
        )
        .ending(
            Ending::win("all are taken", Seat::Mover)
                .of_each()
                .when(Value::pieces(Area::Board, Who::Foe).equals(0))
                .worth(Value::variable("taken") + 1),
        )
        .ending(Ending::win("stuck", Seat::Previous).when(Condition::Stuck))
        .ending(Ending::draw("nothing happens").when(Value::variable("quiet").at_least(20)))
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
    let takes = Condition::tile(Spot::To, TileTest::owned_by(Who::Foe));
    let taken = [Effect::set("quiet", 0), Effect::add("taken", 1)];
    Rule::moves(name, movement)
        .before(Effect::either(takes, taken, [Effect::add("quiet", 1)]))
        .then(Effect::clear_flags(Spot::To, ["fresh"]))
        .then(Effect::Turn(Seat::Next))
}

fn guard_rules(phase: Phase) -> Phase {
    let guard = || Movement::of(["guard"]);
    let ahead = || guard().by(Pattern::step("forward"));
    let aslant = || guard().by(Pattern::steps(&["aslant-left", "aslant-right"]));
    let far = || Trait::within("far");
    let foe = || TileTest::owned_by(Who::Foe);
    let passing = foe().and(Trait::kind("guard")).and(Trait::flag("passing"));
    let beside = || Spot::To.then(&["backward"]);
    phase
        .rule(counted("march", ahead().onto(TileTest::empty().and_not(far()))))
        .rule(counted(
            "arrive",
            ahead().onto(TileTest::empty().and(far())).choosing(["tower", "hare"]),
        ))
        .rule(counted("take", aslant().onto(foe().and_not(far()))))
        .rule(counted(
            "take and arrive",
            aslant().onto(foe().and(far())).choosing(["tower", "hare"]),
        ))
        .rule(
            Rule::moves(
                "double march",
                guard()
                    .source(TileTest::is(Trait::flag("fresh")))
                    .by(Pattern::leap(&["forward", "forward"]))
                    .through(TileTest::empty())
                    .onto(TileTest::empty()),
            )
            .before(Effect::add("quiet", 1))
            .then(Effect::clear_flags(Spot::To, ["fresh"]))
            .then(Effect::set_flags(Spot::To, ["passing"]))
            .then(Effect::Turn(Seat::Next)),
        )
        .rule(
            Rule::moves("take in passing", aslant().onto(TileTest::empty()))
                .when(Condition::tile(beside(), passing))
                .before(Effect::set("quiet", 0))
                .then(Effect::capture(beside()))
                .then(Effect::add("taken", 1))
                .then(Effect::Turn(Seat::Next)),
        )
}
