//! How each piece moves.

use crate::{START, Scene};

#[test]
fn pawn_at_its_start_may_go_one_or_two_tiles_ahead() {
    let start = Scene::of(START);
    for file in "abcdefgh".chars() {
        let ahead = [format!("{file}3"), format!("{file}4")];
        assert_eq!(start.targets(&format!("{file}2")), ahead);
    }
}

#[test]
fn pawn_off_its_start_may_go_one_tile_ahead() {
    assert_eq!(Scene::of("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1").targets("e3"), ["e4"]);
    assert_eq!(Scene::of("4k3/8/8/4p3/8/8/8/4K3 b - - 0 1").targets("e5"), ["e4"]);
}

#[test]
fn pawn_may_not_double_step_over_or_onto_a_piece() {
    assert!(Scene::of("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1").targets("e2").is_empty());
    assert_eq!(Scene::of("4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1").targets("e2"), ["e3"]);
}

#[test]
fn pawn_captures_aslant_and_never_ahead() {
    let scene = Scene::of("4k3/8/8/3ppp2/4P3/8/8/4K3 w - - 0 1");
    assert_eq!(scene.targets("e4"), ["d5", "f5"]);
}

#[test]
fn pawn_that_reaches_the_last_rank_becomes_one_of_four_kinds() {
    let scene = Scene::of("3n3k/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for kind in ["q", "r", "b", "n"] {
        assert!(scene.allows(&format!("e7e8{kind}")));
        assert!(scene.allows(&format!("e7d8{kind}")));
    }
    let from = scene.tile("e7");
    let stays = senet_core::Event::step(from, scene.tile("e8"));
    assert!(scene.game.apply(&scene.state, stays).is_err(), "the choice is mandatory");
    assert!(!scene.game.legal(&scene.state).contains(&stays));
}

#[test]
fn knight_in_the_centre_of_an_empty_board_has_8_moves_and_leaps() {
    let lone = Scene::of("7k/8/8/8/3N4/8/8/K7 w - - 0 1");
    assert_eq!(lone.targets("d4"), ["b3", "b5", "c2", "c6", "e2", "e6", "f3", "f5"]);
    assert_eq!(Scene::of(START).targets("b1"), ["a3", "c3"]);
}

#[test]
fn king_in_the_centre_of_an_empty_board_has_8_moves() {
    let scene = Scene::of("7k/8/8/8/3K4/8/8/8 w - - 0 1");
    assert_eq!(scene.targets("d4"), ["c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"]);
}

#[test]
fn bishop_in_the_centre_of_an_empty_board_slides_along_both_diagonals() {
    let scene = Scene::of("6k1/8/8/8/3B4/8/8/4K3 w - - 0 1");
    let slides = ["a1", "a7", "b2", "b6", "c3", "c5", "e3", "e5", "f2", "f6", "g1", "g7", "h8"];
    assert_eq!(scene.targets("d4"), slides);
}

#[test]
fn rook_in_the_centre_of_an_empty_board_has_14_moves() {
    let scene = Scene::of("7k/8/8/8/3R4/8/8/K7 w - - 0 1");
    let slides =
        ["a4", "b4", "c4", "d1", "d2", "d3", "d5", "d6", "d7", "d8", "e4", "f4", "g4", "h4"];
    assert_eq!(scene.targets("d4"), slides);
}

#[test]
fn queen_in_the_centre_of_an_empty_board_has_27_moves() {
    let scene = Scene::of("6k1/8/8/8/3Q4/8/8/4K3 w - - 0 1");
    assert_eq!(scene.targets("d4").len(), 27);
    for adjacent in ["c3", "c4", "c5", "d3", "d5", "e3", "e4", "e5"] {
        assert!(scene.targets("d4").contains(&adjacent.to_owned()));
    }
}

#[test]
fn a_piece_captures_by_moving_onto_an_opponent() {
    let scene = Scene::of("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1").after("d1d5");
    assert_eq!(scene.fen(), "4k3/8/8/3R4/8/8/8/4K3 b - - 0 1");
}

#[test]
fn a_slider_neither_passes_nor_lands_on_its_own_and_stops_at_a_foe() {
    let scene = Scene::of("4k3/8/8/3p4/8/8/3R1P2/4K3 w - - 0 1");
    assert_eq!(scene.targets("d2"), ["a2", "b2", "c2", "d1", "d3", "d4", "d5", "e2"]);
}

#[test]
fn pawn_captures_en_passant_the_pawn_that_just_passed_it() {
    let scene = Scene::of("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1").after("d7d5");
    assert_eq!(scene.targets("e5"), ["d6", "e6"]);
    assert_eq!(scene.after("e5d6").fen(), "4k3/8/3P4/8/8/8/8/4K3 b - - 0 2");
}

#[test]
fn en_passant_is_only_for_the_very_next_move() {
    let scene = Scene::of("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1").after("d7d5");
    let later = scene.after("e1e2").after("e8e7");
    assert_eq!(later.targets("e5"), ["e6"]);
}

#[test]
fn a_pawn_that_came_by_single_steps_is_not_captured_in_passing() {
    let scene = Scene::of("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1").after("d6d5");
    assert_eq!(scene.targets("e5"), ["e6"]);
}

#[test]
fn king_and_mint_rook_castle_on_both_wings_in_one_event() {
    let both = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let east = Scene::of(both).after("e1g1");
    assert_eq!(east.fen(), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 1 1");
    let west = Scene::of(both).after("e1c1");
    assert_eq!(west.fen(), "r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1");
    assert_eq!(west.after("e8g8").fen(), "r4rk1/8/8/8/8/8/8/2KR3R w - - 2 2");
}

#[test]
fn a_rook_or_king_that_moved_and_came_back_castles_no_more() {
    let scene = Scene::of("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let rook = scene.after("h1h2").after("e8e7").after("h2h1").after("e7e8");
    assert!(!rook.allows("e1g1") && rook.allows("e1c1"));
    let king = rook.after("e1e2").after("e8e7").after("e2e1").after("e7e8");
    assert!(!king.allows("e1c1"));
}

#[test]
fn castling_is_refused_out_of_through_and_into_check_and_past_pieces() {
    let cases = [
        ("4k3/8/8/8/4r3/8/8/4K2R w K - 0 1", "e1 is attacked by the rook on e4"),
        ("4k3/8/8/8/2b5/8/8/4K2R w K - 0 1", "f1 is attacked by the bishop on c4"),
        ("4k3/8/8/8/6r1/8/8/4K2R w K - 0 1", "g1 is attacked by the rook on g4"),
    ];
    for (fen, why) in cases {
        let refusal = Scene::of(fen).refusal("e1g1");
        assert!(refusal.contains(why), "{refusal}");
    }
    assert!(!Scene::of("4k3/8/8/8/8/8/8/4KB1R w K - 0 1").targets("e1").contains(&"h1".into()));
    // Only the rook passes b1: an attack there or a piece there is another matter.
    assert!(Scene::of("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1").allows("e1c1"));
    assert!(!Scene::of("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1").targets("e1").contains(&"a1".into()));
}
