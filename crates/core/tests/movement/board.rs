//! The same rules on boards of every size and shape.

use std::collections::BTreeSet;

use senet_core::Definition;
use senet_core::builder::{
    BACKWARD, CLOCKWISE, COUNTER_CLOCKWISE, EAST, FORWARD, NORTH, NORTH_EAST, SIX, WEST,
};
use senet_core::builder::{Board, Grid, Hex, Track};
use senet_core::layers::TopologyClass;
use senet_core::written::{BoardTile, Pattern, Player, Relation};

use crate::engine::{Engine, write};
use crate::oracle::Oracle;
use crate::pattern::both_ways;
use crate::scene::{Scene, drawn, leaper, players, runner, slider};

/// A scatter of stones of all players, the same in every run.
fn scatter(board: &Board, rarity: u64) -> Vec<(String, String)> {
    let mut seed = 0x5EED_u64;
    let mut stones = Vec::new();
    for tile in &board.tiles {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if (seed >> 33).is_multiple_of(rarity) {
            let owner = ["me", "ally", "foe", "rival"][(seed >> 60) as usize % 4];
            stones.push((owner.to_owned(), tile.name.clone()));
        }
    }
    stones
}

/// Asks from the corners, the middle and both sides of every word boundary to every tile.
fn agrees(definition: &Definition) {
    let engine = Engine::new(definition);
    let oracle = Oracle::new(definition);
    let names: Vec<&str> = definition.tiles.iter().map(|tile| tile.name.as_str()).collect();
    let last = names.len() - 1;
    let sources = [0, 63, 64, 127, 128, 255, 256, last / 2, last - 1, last];
    let sources: BTreeSet<usize> = sources.into_iter().filter(|at| *at <= last).collect();
    let mut paths = 0;
    for from in sources.into_iter().map(|at| names[at]) {
        for to in &names {
            let answer = engine.ask(from, to);
            paths += usize::from(answer.is_some());
            assert_eq!(answer, oracle.resolve("mover", from, to), "{from} to {to}");
        }
    }
    assert!(paths > 20, "{paths} paths");
}

fn board_of(columns: u16, rows: u16, tiles: usize) {
    let board = Grid::new(columns, rows).eight().board();
    assert_eq!(board.tiles.len(), tiles);
    let stones = scatter(&board, 5);
    let patterns = [slider(), leaper()].concat();
    agrees(&write(board, players(), &patterns, ("me", None), &stones));
    let ring = Track::ring(tiles as u16).board();
    let stones = scatter(&ring, 90);
    agrees(&write(ring, players(), &[both_ways()], ("foe", None), &stones));
}

#[test]
fn board_of_64_tiles() {
    board_of(8, 8, 64);
}

#[test]
fn board_of_65_tiles() {
    board_of(13, 5, 65);
}

#[test]
fn board_of_128_tiles() {
    board_of(16, 8, 128);
}

#[test]
fn board_of_129_tiles() {
    board_of(43, 3, 129);
}

#[test]
fn board_of_361_tiles() {
    board_of(19, 19, 361);
}

#[test]
fn board_of_500_tiles() {
    board_of(25, 20, 500);
}

#[test]
fn a_ray_crosses_a_board_of_500_tiles_from_end_to_end() {
    let board = Track::open(500).board();
    let place = |tile: &str| vec![("foe".to_owned(), tile.to_owned())];
    for (stone, reached) in [("500", Some(499)), ("64", None), ("65", None), ("499", None)] {
        let definition =
            write(board.clone(), players(), &runner(), ("me", Some("1")), &place(stone));
        let journey = Engine::new(&definition).ask("1", "500");
        assert_eq!(journey.map(|journey| journey.relations.len()), reached, "stone on {stone}");
    }
}

#[test]
fn a_ray_round_a_ring_ends_before_its_source() {
    let scene = Scene::on(Track::ring(6), ". . M . . .", &[Pattern::slide(CLOCKWISE)]);
    assert_eq!(scene.picture(), "+ + M + + +");
    assert_eq!(scene.path_to("2"), "3 4 5 6 1 2");
    assert_eq!(scene.path_to("3"), "no path", "it does not come back to where it was");
    assert_eq!(scene.path_between("5", "5"), "no path", "nor where the piece is not");
}

#[test]
fn a_blocked_ring_ends_at_the_blocker() {
    let one_way = [Pattern::slide(CLOCKWISE)];
    let scene = Scene::on(Track::ring(6), "f . M . . e", &one_way);
    assert_eq!(scene.picture(), "f . M + + x");
}

#[test]
fn on_a_ring_the_shorter_way_wins_and_the_longer_one_serves_when_it_is_blocked() {
    let ring = |drawing: &str| Scene::on(Track::ring(5), drawing, &[both_ways()]).path();
    assert_eq!(ring("M . * . ."), "1 2 3");
    assert_eq!(ring("M . . * ."), "1 5 4");
    assert_eq!(ring("M e * . ."), "1 5 4 3");
    assert_eq!(ring("M e E . ."), "1 5 4 3 takes foe");
    assert_eq!(ring("M e * . f"), "no path");
}

#[test]
fn a_ray_that_runs_into_a_cycle_ends() {
    let steps = ["1", "2", "3", "4", "5", "3"];
    let relations = steps.windows(2).map(|pair| Relation::new(pair[0], "on", pair[1]));
    let board = Board {
        tiles: ["1", "2", "3", "4", "5", "6"].map(BoardTile::new).to_vec(),
        directions: vec!["on".into()],
        relations: relations.collect(),
    };
    let scene = Scene::on(board, "M . . . . .", &[Pattern::slide("on")]);
    assert_eq!(scene.picture(), "M + + + + .");
    assert_eq!(scene.path_to("5"), "1 2 3 4 5");
    assert_eq!(scene.path_between("5", "4"), "5 3 4");
    assert_eq!(scene.path_between("4", "2"), "no path", "nothing leads back into the tail");
    assert_eq!(scene.path_between("4", "4"), "no path");
}

#[test]
fn hexes_slide_in_six_directions() {
    let scene = Scene::on(
        Hex::parallelogram(5, 5),
        "
        . . . . .
          . . . . .
            e . M f .
              . . . . .
                . . . . .",
        &[Pattern::slides(&SIX)],
    );
    let expected = "
        + . + . .
          . + + . .
            x + M f .
              . . + + .
                . . + . +";
    assert_eq!(scene.picture(), drawn(expected));
}

#[test]
fn a_hexagon_has_no_rays_beyond_its_rim() {
    let scene = Scene::on(
        Hex::hexagon(2),
        "
            . . .
           . . . .
          . . M . .
           . e . .
            . . .",
        &[Pattern::slides(&SIX)],
    );
    let expected = "
            + . +
           . + + .
          + + M + +
           . x + .
            . . +";
    assert_eq!(scene.picture(), drawn(expected));
}

#[test]
fn one_way_relations_lead_one_way() {
    let track = Track::open(4).one_way("down");
    let scene = Scene::on(track, ". M . .", &[Pattern::slide("down")]);
    assert_eq!(scene.picture(), ". M + +");
    assert_eq!(scene.path_between("4", "1"), "no path");
}

#[test]
fn a_ray_follows_its_direction_though_ids_rise_and_fall() {
    let order = ["4", "1", "6", "2", "5", "3"];
    let mut board = Track::open(6).board();
    board.tiles = order.map(BoardTile::new).to_vec();
    let scene =
        |drawing: &str, direction| Scene::on(board.clone(), drawing, &[Pattern::slide(direction)]);
    // Drawn in the order of ids: the tiles are 4 1 6 2 5 3.
    assert_eq!(scene(". M * . . .", FORWARD).path(), "1 2 3 4 5 6");
    assert_eq!(scene(". M * . . e", FORWARD).path(), "no path", "3 is between");
    assert_eq!(scene(". M . . E .", FORWARD).path(), "1 2 3 4 5 takes foe");
    assert_eq!(scene("f M . * . .", FORWARD).path(), "1 2", "4 lies beyond");
    assert_eq!(scene(". * M . . .", BACKWARD).path(), "6 5 4 3 2 1");
    assert_eq!(scene("e * M . . .", BACKWARD).path(), "no path", "4 is between");
}

/// How a column and a row sort a tile among the others.
type Sorting = fn(i32, i32) -> (i32, i32);

#[test]
fn turned_boards_give_the_same_paths() {
    let plain = Scene::grid(
        "
        . e . .
        . . f .
        . M . e
        . . . .",
        &slider(),
    );
    // The same drawing with tiles numbered from each of the four corners.
    let sortings: [Sorting; 4] = [|x, y| (y, x), |x, y| (-y, x), |x, y| (x, -y), |x, y| (-x, y)];
    let reached = sortings.map(|sorting| {
        let mut definition = plain.definition.clone();
        definition.tiles.sort_by_key(|tile| {
            let name = tile.name.as_bytes();
            sorting(i32::from(name[0]), i32::from(name[1]))
        });
        let engine = Engine::new(&definition);
        let names = plain.definition.tiles.iter().map(|tile| tile.name.as_str());
        names.filter(|to| engine.ask("b2", to).is_some()).collect::<Vec<_>>()
    });
    assert_eq!(reached[0].len(), 9);
    assert!(reached.iter().all(|one| *one == reached[0]), "{reached:?}");
}

#[test]
fn pieces_on_tiles_that_hold_many_block_nothing() {
    let scene = Scene::line("M _ee _f _a .", &runner());
    assert_eq!(scene.picture(), "M + + + +");
    assert_eq!(scene.path_to("5"), "1 2 3 4 5");
}

#[test]
fn landing_on_a_tile_that_holds_many_captures_nothing() {
    for target in ["_E", "_EE", "_F", "_A", "_Fe", "_Er", "_*"] {
        let scene = Scene::line(&format!("M . {target}"), &runner());
        assert_eq!(scene.path(), "1 2 3", "{target}");
    }
}

#[test]
fn exclusive_tiles_among_stacks_keep_the_blocker_rules() {
    assert_eq!(Scene::line("M _e e _f .", &runner()).picture(), "M + x _f .");
    assert_eq!(Scene::line("M _e f _f .", &runner()).picture(), "M + f _f .");
    let leap = [Pattern::leap(&[FORWARD; 2])];
    assert_eq!(Scene::line("M e _EE .", &leap).path(), "1 2 3");
    assert_eq!(Scene::line("M _e F .", &leap).path(), "no path");
}

#[test]
fn an_ally_is_a_friend() {
    assert_eq!(Scene::line("M . a . .", &runner()).picture(), "M + a . .");
    assert_eq!(Scene::line("M . A . .", &runner()).path(), "no path");
    let scene = Scene::grid(
        "
        . A .
        . . .
        M . .",
        &leaper(),
    );
    assert_eq!(scene.path(), "no path");
}

#[test]
fn players_without_a_team_are_enemies_of_everyone() {
    assert_eq!(Scene::line("M . R . .", &runner()).path(), "1 2 3 takes rival");
    let alone = vec![Player::new("one"), Player::new("two"), Player::new("three")];
    let board = Track::open(3).board();
    for (owner, taken) in [("one", None), ("two", Some("two")), ("three", Some("three"))] {
        let stones = [(owner.to_owned(), "3".to_owned())];
        let mover = ("one", Some("1"));
        let definition = write(board.clone(), alone.clone(), &runner(), mover, &stones);
        let journey = Engine::new(&definition).ask("1", "3");
        let capture = journey.and_then(|journey| journey.capture);
        assert_eq!(capture.as_deref(), taken);
    }
}

#[test]
fn a_relative_direction_means_what_it_means_to_the_owner() {
    let player = |name: &str, way: &str| Player::new(name).facing("ahead", way);
    let players = vec![player("up", FORWARD), player("down", BACKWARD)];
    for (owner, to, not) in [("up", "5", "1"), ("down", "1", "5")] {
        let ahead = [Pattern::slide("ahead")];
        let board = Track::open(5).board();
        let definition = write(board, players.clone(), &ahead, (owner, Some("3")), &[]);
        let (engine, oracle) = (Engine::new(&definition), Oracle::new(&definition));
        assert_eq!(engine.ask("3", to), oracle.resolve("mover", "3", to));
        assert!(engine.ask("3", to).is_some() && engine.ask("3", not).is_none());
    }
}

#[test]
fn tiles_that_nothing_joins_have_no_path() {
    let mut board = Track::open(3).board();
    let other = Track::open(3).board().prefixed("far-");
    board.tiles.extend(other.tiles);
    board.relations.extend(other.relations);
    let patterns = [Pattern::slide(FORWARD), Pattern::leap(&[FORWARD; 2])];
    let scene = Scene::on(board, "M . . . . .", &patterns);
    assert_eq!(scene.picture(), "M + + . . .");
}

fn class(board: impl Into<Board>) -> TopologyClass {
    let definition = write(board.into(), players(), &[], ("me", None), &[]);
    let engine = Engine::new(&definition);
    let (game, _) = engine.game();
    assert_eq!(game.capabilities().topology.class(), game.topology().class());
    game.topology().class()
}

#[test]
fn a_grid_of_rows_and_columns_is_orthogonal() {
    assert_eq!(class(Grid::new(8, 8)), TopologyClass::Orthogonal);
    assert_eq!(class(Grid::new(19, 19)), TopologyClass::Orthogonal);
    assert_eq!(class(Track::open(7)), TopologyClass::Orthogonal);
    assert_eq!(class(Grid::new(3, 3).along([NORTH, EAST])), TopologyClass::Orthogonal);
}

#[test]
fn a_grid_with_diagonals_is_orthogonal_and_diagonal() {
    assert_eq!(class(Grid::new(8, 8).eight()), TopologyClass::OrthogonalAndDiagonal);
    assert_eq!(class(Grid::new(25, 20).eight()), TopologyClass::OrthogonalAndDiagonal);
}

#[test]
fn hexes_rings_and_free_graphs_are_arbitrary() {
    assert_eq!(class(Hex::hexagon(3)), TopologyClass::Arbitrary);
    assert_eq!(class(Hex::parallelogram(4, 4)), TopologyClass::Arbitrary);
    assert_eq!(class(Track::ring(12)), TopologyClass::Arbitrary);
    assert_eq!(class(crate::pattern::three_ways()), TopologyClass::Arbitrary);
}

#[test]
fn the_class_of_a_board_changes_no_path() {
    let drawing = "
        . . . e
        . f . .
        M . . .";
    let plain = Scene::grid(drawing, &[Pattern::slides(&[NORTH_EAST, EAST])]);
    assert_eq!(plain.engine.game().0.topology().class(), TopologyClass::OrthogonalAndDiagonal);
    // A single relation far from every ray makes the same board an arbitrary graph.
    let mut board = Grid::new(4, 3).eight().board();
    board.relations.push(Relation::new("a3", WEST, "d3"));
    let odd = Scene::on(board, drawing, &[Pattern::slides(&[NORTH_EAST, EAST])]);
    assert_eq!(odd.engine.game().0.topology().class(), TopologyClass::Arbitrary);
    assert_eq!(plain.picture(), odd.picture());
}

#[test]
fn targets_of_every_tile_are_the_tiles_with_a_path() {
    let drawing = "
        . e . f .
        . . _ee . .
        a . M . e
        . _f . . .
        . . r . .";
    let patterns = [slider(), leaper()].concat();
    let scene = Scene::grid(drawing, &patterns);
    for (game, state) in scene.engine.games() {
        let piece = game.piece("mover").expect("every scene has a mover");
        for from in game.tiles() {
            let targets = game.paths().targets(state, piece, from);
            let has_path = |to| game.resolve_path(state, piece, from, to).is_some();
            assert!(game.tiles().all(|to| targets.contains(to) == has_path(to)));
            let (source, count) = (game.tile_name(from), targets.len());
            assert_eq!(count, game.tiles().filter(|to| has_path(*to)).count(), "{source}");
        }
    }
}

#[test]
fn a_ring_of_two_ends_as_well() {
    let pair = Scene::on(Track::ring(2), "M .", &[both_ways()]);
    assert_eq!(pair.path_to("2"), "1 2");
    assert_eq!(pair.path_to("1"), "no path");
    let other = [Pattern::slide(COUNTER_CLOCKWISE)];
    assert_eq!(Scene::on(Track::ring(3), "M . e", &other).picture(), "M . x");
}
