//! Boards are drawn as people draw them.
#![cfg(feature = "render")]

use senet::render::{self, Sheet};

fn sheet(name: &str) -> (senet::Game, Sheet) {
    let game = senet::load(name).expect("it is shipped");
    let first = game.players().next().expect("somebody plays");
    let sheet = render::sheet(&game, first);
    (game, sheet)
}

#[test]
fn stones_stand_where_lines_cross() {
    for (name, side) in [("go", 19), ("gomoku", 15)] {
        let (_, sheet) = sheet(name);
        assert_eq!(sheet.svg.matches("<path").count(), 2 * side, "{name}");
        assert_eq!(sheet.svg.matches("<circle").count(), 9, "{name}: points that help to count");
    }
    let (_, squares) = sheet("tic-tac-toe");
    assert_eq!(squares.svg.matches("<path").count(), 0);
}

#[test]
fn a_board_of_lines_is_laid_out_by_the_names_of_its_points() {
    let (game, sheet) = sheet("nine-mens-morris");
    let at = |name: &str| sheet.spots[game.tile(name).expect("it is there").index()].middle;
    for [left, middle, right] in [["a7", "d7", "g7"], ["b6", "d6", "f6"], ["c3", "d3", "e3"]] {
        assert_eq!(at(left).1, at(right).1);
        assert_eq!(at(left).0 + at(right).0, 2.0 * at(middle).0);
    }
    assert!(at("d7").1 < at("d6").1 && at("d1").1 > at("d2").1);
    assert!(at("a4").0 < at("b4").0 && at("b4").0 < at("c4").0);
}

#[test]
fn only_the_cells_of_a_lattice_are_named() {
    for (name, cells) in [("quoridor", 81), ("dots-and-boxes", 9)] {
        let (_, sheet) = sheet(name);
        assert_eq!(sheet.svg.matches("<text").count(), cells, "{name}");
    }
}
