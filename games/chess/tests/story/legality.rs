//! The safety of the king: pins, checks, discovered attacks.

use crate::Scene;

#[test]
fn king_not_in_danger_leaves_every_candidate() {
    let scene = Scene::of("4k3/8/8/8/8/8/3R4/3K4 w - - 0 1");
    let candidates = scene.game.candidates(&scene.state);
    assert_eq!(scene.game.filter_legal(&scene.state, &candidates), candidates);
    assert_eq!(candidates.len(), scene.game.legal(&scene.state).len());
}

#[test]
fn king_under_attack_restricts_every_piece() {
    let scene = Scene::of("4k3/8/8/8/4r3/8/3P4/R3K3 w Q - 0 1");
    assert!(scene.targets("a1").is_empty());
    assert_eq!(scene.targets("e1"), ["d1", "f1", "f2"]);
    assert!(scene.refusal("a1a2").contains("e1 is attacked by the rook on e4"));
}

#[test]
fn pinned_piece_may_only_move_along_the_pin() {
    let rook = Scene::of("4r1k1/8/8/8/8/4R3/8/4K3 w - - 0 1");
    assert_eq!(rook.targets("e3"), ["e2", "e4", "e5", "e6", "e7", "e8"]);
    let knight = Scene::of("4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1");
    assert!(knight.targets("e3").is_empty());
    let pawn = Scene::of("6k1/8/8/8/7b/8/5P2/4K3 w - - 0 1");
    assert!(pawn.targets("f2").is_empty());
}

#[test]
fn without_a_king_every_candidate_is_legal() {
    let game = senet_chess::game();
    let mut setup = senet_core::Setup::empty(game.player("white").unwrap());
    let stand = |tile: &str, owner: &str| senet_core::setup::Stand {
        tile: game.tile(tile).unwrap(),
        owner: game.player(owner).unwrap(),
        kind: game.kind("rook").unwrap(),
        flags: 0,
        piece: None,
    };
    setup.pieces = vec![stand("a1", "white"), stand("h8", "black")];
    if let Ok(state) = game.state(&setup) {
        assert_eq!(game.candidates(&state), game.legal(&state));
        assert_eq!(game.legal(&state).len(), 14);
    }
}

#[test]
fn king_moves_out_of_check_to_safe_tiles_only() {
    let scene = Scene::of("4k3/8/8/8/8/8/r7/4K3 w - - 0 1");
    assert_eq!(scene.targets("e1"), ["d1", "f1"]);
    // The king does not shield the tile behind him from the attack.
    let behind = Scene::of("4k3/8/8/8/8/8/8/r3K3 w - - 0 1");
    assert_eq!(behind.targets("e1"), ["d2", "e2", "f2"]);
}

#[test]
fn king_may_not_take_a_protected_piece() {
    let protected = Scene::of("4k3/8/8/8/8/5b2/4q3/4K3 w - - 0 1");
    assert!(protected.targets("e1").is_empty());
    let alone = Scene::of("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1");
    assert_eq!(alone.targets("e1"), ["e2"]);
}

#[test]
fn a_piece_may_not_uncover_its_own_king() {
    let scene = Scene::of("4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1");
    assert!(scene.targets("f2").is_empty());
    assert!(scene.refusal("f2g4").contains("e1 is attacked by the bishop on h4"));
}

#[test]
fn en_passant_that_uncovers_the_king_is_refused() {
    let scene = Scene::of("8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1");
    assert_eq!(scene.targets("e4"), ["e3"], "both pawns would leave the rank");
    let before = Scene::of("8/8/8/8/k3p2R/8/3P4/4K3 w - - 0 1").after("d2d4");
    assert_eq!(before.targets("e4"), ["e3"]);
    assert_eq!(before.fen().split(' ').nth(3), Some("-"));
}

#[test]
fn double_check_leaves_only_the_king_to_move() {
    let scene = Scene::of("4k3/8/8/8/4r3/2b5/8/Q3K3 w - - 0 1");
    assert!(scene.targets("a1").is_empty());
    assert_eq!(scene.targets("e1"), ["d1", "f1", "f2"]);
}

#[test]
fn a_check_is_answered_by_capture_block_or_flight() {
    let scene = Scene::of("4k3/8/8/8/4r2R/8/3Q4/4K3 w - - 0 1");
    assert_eq!(scene.targets("h4"), ["e4"]);
    assert_eq!(scene.targets("d2"), ["e2", "e3"]);
    assert_eq!(scene.targets("e1"), ["d1", "f1", "f2"]);
}

#[test]
fn mate_and_stalemate_are_told_apart() {
    let outcome = |fen: &str| {
        let scene = Scene::of(fen);
        let outcome = scene.game.outcome(&scene.state).expect(fen);
        (scene.game.ending_name(outcome.ending).to_owned(), outcome.winner)
    };
    let mate = outcome("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    assert_eq!((mate.0.as_str(), mate.1.map(senet_core::PlayerId::index)), ("checkmate", Some(0)));
    let stale = outcome("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!((stale.0.as_str(), stale.1), ("stalemate", None));
}
