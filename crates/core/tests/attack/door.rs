//! Definitions in which one door said what another did not.

use senet_core::builder::Track;
use senet_core::fault::Fault;
use senet_core::written::{
    Capacity, Derived, Effect, Movement, Number, Phase, Preprocessor, Putting, Rolling, Rule, Seat,
    Set, Tile, Who,
};
use senet_core::{Builder, EventKind};

use super::{places, small, sound};

fn next(rule: Rule) -> Rule {
    rule.then(Effect::Turn(Seat::Next))
}

#[test]
fn doors_agree_on_moves_that_happen_by_themselves() {
    let phase = Phase::leaf("play")
        .rule(next(Rule::puts("put", Putting::any().onto(Set::Empty & Set::tiles(["c2"])))))
        .rule(next(Rule::moves("go", Movement::of(["man"])).otherwise()));
    sound(small().pieces("red", "man", 1).phase(phase).build());
    let phase = Phase::leaf("play")
        .rule(next(Rule::moves("go", Movement::of(["man"]).onto(Set::Empty))))
        .rule(next(Rule::moves("take", Movement::of(["man"]).onto(Set::foe())).otherwise()))
        .rule(next(Rule::acts("pass", "pass").otherwise()));
    sound(small().action("pass").phase(phase).build());
    let phase = Phase::leaf("play")
        .rule(next(Rule::moves("go", Movement::of(["man"])).otherwise()).rank(1))
        .rule(next(Rule::moves("forth", Movement::of(["man"]).onto(Set::Empty))).rank(2));
    sound(small().phase(phase).build());
}

/// A track of tiles, each of which holds one piece or many, with one die.
fn track(holds: Capacity) -> Builder {
    let mut board = Track::open(6).board();
    board.tiles.iter_mut().for_each(|tile| tile.holds = holds);
    Builder::new("track")
        .players(["red", "blue"])
        .board(board)
        .kind("man")
        .pieces_on("red", "man", ["1", "2"])
        .pieces_on("blue", "man", ["4"])
        .die("one", 3)
        .phase(
            Phase::leaf("cup")
                .when(Number::die("one").equals(0))
                .rule(Rule::rolls("roll", Rolling::of(["one"]))),
        )
}

#[test]
fn doors_agree_on_moves_by_dice_where_tiles_hold_one_piece() {
    for holds in [Capacity::One, Capacity::Many] {
        let phase = Phase::leaf("move")
            .rule(next(Rule::moves("go", Movement::any().by_dice(["one"], "forward"))))
            .rule(next(Rule::acts("pass", "pass")).then(Effect::unroll(["one"])).otherwise());
        sound(track(holds).action("pass").phase(phase).build());
    }
}

#[test]
fn doors_agree_on_targets_with_at_least_so_many_pieces() {
    for holds in [Capacity::One, Capacity::Many] {
        for least in [1, 2] {
            let onto = Set::AtLeast(least, Who::Anyone) | Set::AtLeast(least, Who::Mover);
            let movement = Movement::any().by_dice(["one"], "forward").onto(onto);
            let phase = Phase::leaf("move")
                .rule(next(Rule::moves("go", movement)))
                .rule(next(Rule::acts("pass", "pass")).then(Effect::unroll(["one"])).otherwise());
            sound(track(holds).action("pass").phase(phase).build());
        }
        let movement = Movement::of(["man"]).onto(Set::AtLeast(1, Who::Foe));
        sound(small().phase(Phase::leaf("play").rule(next(Rule::moves("go", movement)))).build());
    }
}

#[test]
fn doors_agree_in_phases_with_asides_only() {
    let phase = Phase::leaf("play").rule(next(Rule::acts("say", "say").aside()));
    let game = sound(small().action("say").phase(phase).build());
    assert!(game.legal(&game.start()).is_empty());
    assert_eq!(game.asides(&game.start()).len(), 1);
    let phase = Phase::leaf("play").rule(next(Rule::moves("go", Movement::of(["man"])).aside()));
    sound(small().phase(phase).build());
}

#[test]
fn doors_agree_on_sources_that_ask_about_the_source() {
    let sources = [
        Set::at(Tile::From),
        Set::at(Tile::From) & Set::own(),
        Set::at(Tile::From.then(&["north"])),
        Set::ray(Tile::From, "north").around(),
        Set::own() & Set::at(Tile::To).around(),
    ];
    for source in sources {
        let movement = Movement::of(["man"]).source(source);
        let rule = next(Rule::moves("go", movement));
        sound(small().phase(Phase::leaf("play").rule(rule)).build());
    }
}

#[test]
fn doors_agree_on_acts_that_are_derived_from_moves() {
    for derive in [
        vec![Derived::Act("count".into())],
        vec![Derived::Itself, Derived::Act("count".into())],
        vec![Derived::Act("count".into()), Derived::EachStep],
    ] {
        let phase = Phase::leaf("play")
            .pre(Preprocessor::new("split", EventKind::Move, derive))
            .rule(Rule::moves("go", Movement::of(["man"])))
            .rule(next(Rule::acts("count", "count")));
        sound(small().action("count").phase(phase).build());
    }
}

#[test]
fn a_move_by_dice_cannot_choose_a_kind() {
    let movement = Movement::any().by_dice(["one"], "forward").choosing(["man"]);
    let phase = Phase::leaf("move").rule(next(Rule::moves("go", movement)));
    let found = places(track(Capacity::Many).phase(phase).build(), |fault| {
        matches!(fault, Fault::NeverFires { .. })
    });
    assert_eq!(found, ["phases/move/rules/go"]);
}
