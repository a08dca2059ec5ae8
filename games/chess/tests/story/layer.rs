//! The layers: foundation, perspectives, simulation, patterns, threats, sequences, candidates.

use senet_core::Event;
use senet_core::layers::Perspective;

use crate::{START, Scene};

#[test]
fn foundation_holds_what_was_set_up() {
    let start = Scene::of(START);
    let view = start.game.view(&start.state);
    assert_eq!(view.occupied().len(), 32);
    let pawn = start.game.piece("white-pawn-2").unwrap();
    let now = view.piece(pawn);
    assert_eq!(now.tile.map(|tile| start.game.tile_name(tile)), Some("b2"));
    assert_eq!(start.game.kind_name(now.kind), "pawn");
}

#[test]
fn every_kind_has_its_patterns() {
    let start = Scene::of(START);
    let counts =
        [("pawn", 0), ("knight", 8), ("bishop", 1), ("rook", 1), ("queen", 1), ("king", 1)];
    for (kind, patterns) in counts {
        let kind = start.game.kind(kind).unwrap();
        let white = start.game.player("white").unwrap();
        assert_eq!(start.game.paths().compiled(white, kind).len(), patterns);
    }
}

#[test]
fn perspectives_tell_self_ally_foe_and_empty() {
    let start = Scene::of(START);
    for (player, own, foe) in [("white", "e1", "e8"), ("black", "e8", "e1")] {
        let player = start.game.player(player).unwrap();
        let seen = |tile| start.game.perspective(&start.state, player, start.tile(tile));
        assert_eq!(seen(own), Perspective::Own);
        assert_eq!(seen(foe), Perspective::Foe);
        assert_eq!(seen("e4"), Perspective::Empty);
        let all = start.game.perspectives(&start.state, player);
        let count = |what| all.iter().filter(|one| **one == what).count();
        let counts = [Perspective::Own, Perspective::Ally, Perspective::Foe, Perspective::Empty];
        assert_eq!(counts.map(count), [16, 0, 16, 32]);
    }
}

#[test]
fn a_black_rook_in_the_corner_threatens_its_rank_and_file() {
    let scene = Scene::of("r3k3/8/8/8/8/8/8/4K3 w - - 0 1");
    let black = scene.game.player("black").unwrap();
    let rook = scene.game.threats_from(&scene.state, black, scene.tile("a8"));
    let expected = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "b8", "c8", "d8", "e8"];
    assert_eq!(scene.names(rook), expected, "up to the first piece, its own included");
}

#[test]
fn perspectives_and_threats_together_say_which_own_pieces_are_attacked() {
    let scene = Scene::of("4k3/8/8/8/1b6/8/3N4/R3K3 w Q - 0 1");
    let white = scene.game.player("white").unwrap();
    let attacked = scene.game.threatened_by_foes(&scene.state, white);
    let own = scene.game.view(&scene.state).owned(white);
    assert_eq!(scene.names(attacked & own), ["d2"]);
}

#[test]
fn pawns_threaten_aslant_even_where_nothing_stands_and_never_ahead() {
    let scene = Scene::of("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1");
    let white = scene.game.player("white").unwrap();
    let pawn = scene.game.threats_from(&scene.state, white, scene.tile("e4"));
    assert_eq!(scene.names(pawn), ["d5", "f5"]);
}

#[test]
fn simulation_moves_source_to_destination_and_touches_nothing_else() {
    let start = Scene::of(START);
    let event = start.event("e2e4");
    let after = start.game.simulate(&start.state, event).unwrap();
    let view = start.game.view(&after);
    assert!(view.owner_at(start.tile("e2")).is_none());
    assert_eq!(view.kind_at(start.tile("e4")), start.game.kind("pawn"));
    assert_eq!(view.occupied().len(), 32);
    assert_eq!(start.fen(), START, "the state before is as it was");
}

#[test]
fn simulation_goes_where_legality_would_not() {
    let pinned = Scene::of("4r1k1/8/8/8/8/4N3/8/4K3 w - - 0 1");
    let event = pinned.event("e3g4");
    assert!(pinned.game.candidates(&pinned.state).contains(&event));
    assert!(pinned.game.simulate(&pinned.state, event).is_some());
    assert!(pinned.game.apply(&pinned.state, event).is_err());
}

#[test]
fn a_sliding_sequence_is_a_chain_of_linked_steps_up_to_the_first_blocker() {
    let scene = Scene::of("4k3/8/8/7p/8/8/8/3QK3 w - - 0 1");
    let queen = scene.game.piece("white-queen-1").unwrap();
    let (from, to) = (scene.tile("d1"), scene.tile("h5"));
    let path = scene.game.resolve_path(&scene.state, queen, from, to).unwrap();
    let relations: Vec<_> =
        path.relations().map(|relation| scene.game.topology().relation(relation)).collect();
    assert_eq!(relations.len(), 4);
    assert!(relations.windows(2).all(|pair| pair[0].to == pair[1].from));
    assert!(relations.iter().all(|link| link.direction == relations[0].direction));
    assert!(scene.game.resolve_path(&scene.state, queen, from, scene.tile("e2")).is_some());
    let rook_like = scene.game.resolve_path(&scene.state, queen, from, scene.tile("f1"));
    assert!(rook_like.is_none(), "the king stands between");
}

#[test]
fn parallel_steps_happen_together_or_not_at_all() {
    let scene = Scene::of("4k3/8/8/8/8/8/8/4K2R w K - 0 1").after("e1g1");
    let view = scene.game.view(&scene.state);
    assert_eq!(view.kind_at(scene.tile("g1")), scene.game.kind("king"));
    assert_eq!(view.kind_at(scene.tile("f1")), scene.game.kind("rook"));
    assert_eq!(view.occupied().len(), 3);
    let refused = Scene::of("4k3/8/8/8/2b5/8/8/4K2R w K - 0 1");
    let before = refused.state.clone();
    assert!(refused.game.apply(&refused.state, refused.event("e1g1")).is_err());
    assert_eq!(refused.state, before);
}

#[test]
fn every_candidate_has_a_route_and_nothing_else_has() {
    let game = senet_chess::game();
    for seed in 0..20 {
        let mut source = senet_testkit::Source::seeded(seed);
        let mut state = game.start();
        for _ in 0..60 {
            let candidates = game.candidates(&state);
            for from in game.tiles() {
                for to in game.tiles() {
                    let goes = |event: &Event| match event {
                        Event::Move { from: a, to: b, .. } => (*a, *b) == (from, to),
                        _ => false,
                    };
                    let route = game.route(&state, from, to);
                    assert_eq!(route.is_some(), candidates.iter().any(goes));
                    assert!(route.is_none_or(|path| path.tiles().last() == Some(to)));
                }
            }
            let Some(event) = source.pick(&game.legal(&state)) else { break };
            state = game.apply(&state, event).unwrap().state;
        }
    }
}

/// Candidates of pieces that move by their own patterns are exactly what their paths reach.
#[test]
fn candidates_and_paths_agree_on_every_piece_of_a_random_sample() {
    let game = senet_chess::game();
    let own = ["knight", "bishop", "rook", "queen"].map(|kind| game.kind(kind));
    for seed in 0..40 {
        let mut source = senet_testkit::Source::seeded(seed);
        let mut state = game.start();
        for _ in 0..60 {
            let view = game.view(&state);
            let candidates = game.candidates(&state);
            for piece in game.pieces().filter(|&one| game.owner(one) == view.player()) {
                let now = view.piece(piece);
                let Some(from) = now.tile.filter(|_| own.contains(&Some(now.kind))) else {
                    continue;
                };
                for to in game.tiles() {
                    let path = game.resolve_path(&state, piece, from, to).is_some();
                    assert_eq!(candidates.contains(&Event::step(from, to)), path);
                }
            }
            let Some(event) = source.pick(&game.legal(&state)) else { break };
            state = game.apply(&state, event).unwrap().state;
        }
    }
}
