//! Ways of travelling that are no patterns.

use super::*;

/// The legal moves of red's rook on a1 and stone on b1. On the first row stand red's rook, red's
/// stone, blue's rook, nobody.
fn goes(movement: Movement) -> String {
    legal([Rule::moves("go", movement.source(Set::tiles(["a1", "b1"])))])
}

#[test]
fn a_hop_goes_over_one_tile_of_a_set() {
    let hop = |over: Set| Movement::any().hopping([EAST, NORTH], over);
    assert_eq!(goes(hop(Set::occupied())), "a1/c1 b1/d1 b1/b3", "c1 is captured");
    assert_eq!(goes(hop(Set::foe())), "b1/d1 b1/b3");
    assert_eq!(goes(hop(Set::Empty)), "a1/a3", "whatever it is that is hopped over");
    assert_eq!(goes(hop(nothing())), "");
    assert_eq!(goes(hop(Set::foe()).onto(Set::mark("burnt"))), "b1/b3");
    assert_eq!(goes(hop(Set::foe()).through(Set::kind("king"))), "b1/b3", "the hurdle is passed");
}

#[test]
fn a_hop_from_afar_goes_over_the_first_piece() {
    let hop = |along| Movement::any().hopping([along], Set::occupied()).from_afar();
    assert_eq!(goes(hop(EAST)), "a1/c1 b1/d1");
    assert_eq!(goes(hop(EAST).landing_anywhere()), "a1/c1 b1/d1", "and up to the next");
    assert_eq!(goes(hop("north-east")), "a1/c3", "b2 is the first piece");
    assert_eq!(goes(hop(WEST)), "", "the edge is near");
    let ring = Movement::any().hopping(["clockwise"], Set::occupied()).landing_anywhere();
    assert_eq!(goes(ring), "", "on a ring there is nobody");
}

#[test]
fn a_hop_threatens_where_it_leads() {
    let attacked = |movement: Movement| {
        let rule = Rule::moves("go", movement.source(Set::tiles(["a1"])));
        let definition = table().phase(Phase::leaf("play").rule(rule)).build();
        let oracle = Oracle::new(&definition);
        let position = oracle.read(POSITION);
        oracle.tiles(&position, "red", &Set::Attacked(Who::Mover)).join(" ")
    };
    let hop = || Movement::any().hopping([EAST], Set::own()).from_afar().landing_anywhere();
    assert_eq!(attacked(hop()), "c1");
    assert_eq!(attacked(hop().onto(Set::foe())), "c1");
    assert_eq!(attacked(hop().harmless()), "");
    assert_eq!(
        attacked(Movement::any().anywhere().onto(Set::foe() & Set::region("edge"))),
        "a2 a3"
    );
}

#[test]
fn a_number_of_steps_leaps_over_what_stands_between() {
    let steps = |count: Number| Movement::any().steps("way", [EAST, NORTH], count);
    assert_eq!(goes(steps(Number::Is(2))), "a1/c1 a1/a3 b1/d1 b1/b3");
    assert_eq!(goes(steps(Number::Is(2)).through(Set::Empty)), "a1/a3");
    assert_eq!(goes(steps(Number::Is(0))), "", "no step is no move");
    assert_eq!(goes(steps(Number::Is(-1))), "");
    assert_eq!(goes(steps(Number::Is(i64::MAX))), "");
    let on_the_row = Number::Count(Set::row(Tile::From, "way") & Set::occupied());
    assert_eq!(goes(steps(on_the_row)), "a1/d1 a1/a2 b1/b3", "three, one and two");
}

#[test]
fn a_way_anywhere_passes_nothing() {
    let anywhere = |onto: Set| Movement::of(["rook"]).anywhere().through(nothing()).onto(onto);
    assert_eq!(goes(anywhere(Set::region("edge"))), "a1/a2 a1/a3");
    assert_eq!(goes(anywhere(Set::occupied())), "a1/c1 a1/b2 a1/pile", "no friend is captured");
    assert_eq!(goes(anywhere(Set::own().around() & Set::foe())), "a1/c1 a1/b2");
}

#[test]
fn a_row_goes_forth_and_back() {
    let it = Asked::new();
    assert_eq!(it.tiles(&Set::row(named("b2"), EAST)), "a2 b2 c2 d2");
    assert_eq!(it.tiles(&Set::row(named("b2"), WEST)), "a2 b2 c2 d2");
    assert_eq!(it.tiles(&Set::row(named("b2"), "north-east")), "a1 b2 c3");
    assert_eq!(it.of("blue", &Set::row(named("a1"), "ahead")), "a1 a2 a3");
    assert_eq!(it.tiles(&Set::row(named("r1"), "clockwise")), "r1 r2 r3 r4", "all around");
    assert_eq!(it.tiles(&Set::row(named("pile"), EAST)), "pile");
    assert_eq!(it.tiles(&Set::row(nowhere(), EAST)), "", "no tile");
}
