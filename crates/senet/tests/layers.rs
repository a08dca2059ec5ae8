//! Facts about the layers below legal moves.

use senet::layers::{Metrics, Perspective, TopologyClass};
use senet::{Change, Event};

#[test]
fn candidates_filtered_are_the_legal_events() {
    let game = senet::load("chess").unwrap();
    let pinned = game.position("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").unwrap();
    let layers = pinned.layers();
    let candidates = layers.candidates();
    let mut legal = layers.filter_legal(&candidates);
    let mut listed = pinned.legal();
    assert!(candidates.len() > legal.len());
    legal.sort();
    listed.sort();
    assert_eq!(legal, listed);
}

#[test]
fn simulation_shows_the_check_that_forbids_a_move() {
    let game = senet::load("chess").unwrap();
    let pinned = game.position("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").unwrap();
    let white = pinned.player();
    let event = pinned.parse_event("e2c3").unwrap();
    assert!(!pinned.accepts(event));
    let after = pinned.layers().simulate(event).unwrap();
    assert!(!after.layers().threatened_royals(white).is_empty());
    assert!(pinned.layers().threatened_royals(white).is_empty());
}

#[test]
fn paths_are_resolved_with_metrics_that_change_nothing() {
    let game = senet::load("chess").unwrap();
    let position = game.position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    let tile = |name: &str| game.tile(name).unwrap();
    let rook = position.view().first_at(tile("a1")).unwrap();
    let capabilities = position.layers().capabilities();
    let mut metrics = Metrics::default();
    let paths = capabilities.paths;
    let path = paths.resolve_observed(rook, tile("a1"), tile("a4"), &mut metrics).unwrap();
    let names: Vec<&str> = path.tiles().map(|tile| game.tile_name(tile)).collect();
    assert_eq!(names, ["a1", "a2", "a3", "a4"]);
    assert_eq!(paths.resolve(rook, tile("a1"), tile("a4")), Some(path));
    assert_ne!(metrics, Metrics::default());
    assert_eq!(paths.targets(rook, tile("a1")).iter().count(), 10);
    assert_eq!(paths.blocker(rook, tile("a1"), tile("h1")), Some(tile("e1")));
    assert!(capabilities.acceleration.blocking().contains(tile("e1")));
    assert_eq!(capabilities.topology.class(), TopologyClass::OrthogonalAndDiagonal);
}

#[test]
fn perspectives_differ_between_players() {
    let game = senet::load("tic-tac-toe").unwrap();
    let position = game.start().apply("b2").unwrap().position;
    let centre = game.tile("b2").unwrap();
    let seen = |name: &str| {
        let player = game.player(name).unwrap();
        let one = position.layers().perspective(player, centre);
        assert_eq!(position.layers().perspectives(player)[centre.index()], one);
        one
    };
    assert_ne!(seen("x"), seen("o"));
    assert_ne!(seen("x"), Perspective::Empty);
}

#[test]
fn artifacts_are_asked_by_id_and_the_diff_names_what_moved() {
    let game = senet::load("chess").unwrap();
    let start = game.start();
    let after = start.apply("Nf3").unwrap().position;
    let knight = start.view().first_at(game.tile("g1").unwrap()).unwrap();
    assert_eq!(after.view().piece(knight).tile, game.tile("f3"));
    let changes = start.layers().diff(&after).unwrap();
    let (from, to) = (game.tile("g1"), game.tile("f3"));
    assert!(changes.contains(&Change::Piece { piece: knight, from, to }));
    assert!(start.layers().diff(&start).unwrap().is_empty());
}

#[test]
fn dice_and_their_chances_add_up() {
    let game = senet::load("backgammon").unwrap();
    let start = game.count_start();
    let chances = start.chances();
    let total = chances[0].probability.total;
    assert_eq!(chances.iter().map(|chance| chance.probability.weight).sum::<u64>(), total);
    assert!(chances.iter().all(|chance| matches!(chance.event, Event::Roll(_))));
    assert_eq!(start.legal().len(), chances.len());
}
