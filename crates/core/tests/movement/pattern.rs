//! What each kind of pattern means, and which of several patterns wins.

use senet_core::builder::{
    BACKWARD, CLOCKWISE, COUNTER_CLOCKWISE, EAST, FORWARD, FOUR, NORTH, NORTH_EAST, SOUTH, WEST,
};
use senet_core::builder::{Board, Track};
use senet_core::layers::CompiledPattern;
use senet_core::written::{BoardTile, Pattern, Reach, Relation};

use crate::scene::{Scene, drawn, leaper, slant_slider, slider, straight_slider, walker};

/// Slides around a ring either way, clockwise declared first.
pub(crate) fn both_ways() -> Pattern {
    Pattern::slides(&[CLOCKWISE, COUNTER_CLOCKWISE])
}

/// Three ways from tile 1 to tile 6: `short` over 2; `twin` over 3; `long` over 4 and 5.
pub(crate) fn three_ways() -> Board {
    let steps = [
        ("1", "short", "2"),
        ("2", "short", "6"),
        ("1", "twin", "3"),
        ("3", "twin", "6"),
        ("1", "long", "4"),
        ("4", "long", "5"),
        ("5", "long", "6"),
    ];
    Board {
        tiles: ["1", "2", "3", "4", "5", "6"].map(BoardTile::new).to_vec(),
        directions: ["short", "twin", "long"].map(str::to_owned).to_vec(),
        relations: steps.map(|(from, way, to)| Relation::new(from, way, to)).to_vec(),
    }
}

fn by(drawing: &str, patterns: &[Pattern]) -> String {
    Scene::on(three_ways(), drawing, patterns).path()
}

fn pictured(patterns: &[Pattern], drawing: &str, expected: &str) {
    assert_eq!(Scene::grid(drawing, patterns).picture(), drawn(expected));
}

#[test]
fn a_direction_taken_once_is_one_step() {
    let scene = Scene::line(". . M . . .", &[Pattern::step(FORWARD)]);
    assert_eq!(scene.picture(), ". . M + . .");
}

#[test]
fn a_direction_that_repeats_is_a_ray() {
    let scene = Scene::line(". . M . . .", &[Pattern::slide(FORWARD)]);
    assert_eq!(scene.picture(), ". . M + + +");
    let back = Scene::line(". . M . . .", &[Pattern::slide(BACKWARD)]);
    assert_eq!(back.picture(), "+ + M . . .");
}

#[test]
fn several_directions_taken_once_are_single_steps() {
    pictured(
        &walker(),
        "
        . . . . .
        . e . f .
        . . M . .
        . . a . .
        . . . . .",
        "
        . . . . .
        . x + f .
        . + M + .
        . + a + .
        . . . . .",
    );
}

#[test]
fn several_directions_that_repeat_are_independent_rays() {
    let scene = Scene::line(". e . M . f .", &[Pattern::slides(&[FORWARD, BACKWARD])]);
    assert_eq!(scene.picture(), ". x + M + f .");
}

#[test]
fn one_of_several_directions_means_the_same_as_that_direction() {
    for reach in [Reach::Once, Reach::Repeat] {
        let one = Pattern::Direction(FORWARD.into(), reach);
        let several = Pattern::MultiDirection(vec![FORWARD.into()], reach);
        for drawing in ["M . . . .", "M . e . .", "M f . . .", "M a . . .", ". . M . ."] {
            let pictures =
                [one.clone(), several.clone()].map(|it| Scene::line(drawing, &[it]).picture());
            assert_eq!(pictures[0], pictures[1], "{drawing} {reach:?}");
        }
    }
}

#[test]
fn a_leap_follows_its_steps_in_order() {
    let scene = Scene::grid(
        "
        . *
        . .
        M .",
        &[Pattern::leap(&[NORTH, NORTH, EAST])],
    );
    assert_eq!(scene.path(), "a1 a2 a3 b3");
    assert_eq!(scene.directions(), [NORTH, NORTH, EAST]);
}

#[test]
fn a_leap_of_two_and_more_steps_lands_only_at_its_end() {
    for steps in 2..5 {
        let scene = Scene::line("M . . . . .", &[Pattern::leap(&vec![FORWARD; steps])]);
        let expected: Vec<&str> = (0..6)
            .map(|tile| if tile == 0 { "M" } else { [".", "+"][usize::from(tile == steps)] })
            .collect();
        assert_eq!(scene.picture(), expected.join(" "));
    }
}

#[test]
fn a_leap_off_the_board_gives_no_path() {
    let scene = Scene::line("M . .", &[Pattern::leap(&[FORWARD; 3])]);
    assert_eq!(scene.picture(), "M . .", "not even where its steps still exist");
    let corner = Scene::grid(
        "
        . .
        M .",
        &leaper(),
    );
    assert_eq!(corner.picture(), drawn(". .\nM ."));
}

#[test]
fn a_leap_that_fails_captures_nothing_on_its_way() {
    for drawing in ["M E .", "M e E", "M . E"] {
        let scene = Scene::line(drawing, &[Pattern::leap(&[FORWARD; 3])]);
        assert_eq!(scene.path(), "no path", "{drawing}");
    }
}

#[test]
fn a_leap_ignores_what_stands_between() {
    pictured(
        &leaper(),
        "
        . . . . .
        . e f e .
        . f M a .
        . e r e .
        . . . . .",
        "
        . + . + .
        + e f e +
        . f M a .
        + e r e +
        . + . + .",
    );
}

#[test]
fn a_leap_captures_an_enemy_and_respects_a_friend() {
    pictured(
        &leaper(),
        "
        . e . f .
        r . . . a
        . . M . .
        f . . . e
        . a . r .",
        "
        . x . f .
        x . . . a
        . . M . .
        f . . . x
        . a . x .",
    );
}

#[test]
fn a_leap_that_comes_back_to_its_source_gives_no_path() {
    let scene = Scene::line("M . .", &[Pattern::leap(&[FORWARD, BACKWARD])]);
    assert_eq!(scene.picture(), "M . .");
    let still = Scene::line("M . .", &[Pattern::leap(&[])]);
    assert_eq!(still.picture(), "M . .");
}

#[test]
fn a_leap_may_pass_its_source_and_step_on_a_tile_twice() {
    let scene = Scene::line("M *", &[Pattern::leap(&[FORWARD, BACKWARD, FORWARD])]);
    assert_eq!(scene.path(), "1 2 1 2");
}

#[test]
fn any_yields_no_path() {
    pictured(
        &[Pattern::Any],
        "
        . e
        M .",
        "
        . e
        M .",
    );
}

#[test]
fn null_never_moves() {
    pictured(
        &[Pattern::Null],
        "
        . e
        M .",
        "
        . e
        M .",
    );
}

#[test]
fn a_piece_without_patterns_never_moves() {
    assert_eq!(Scene::line(". M e", &[]).picture(), ". M e");
}

#[test]
fn any_and_null_leave_the_other_patterns_alone() {
    let around = [Pattern::Any, Pattern::Null, Pattern::slide(FORWARD), Pattern::Any];
    assert_eq!(Scene::line(". M . e .", &around).picture(), ". M + x .");
}

#[test]
fn of_equal_rays_the_direction_declared_first_wins() {
    let tie = |directions: &[&str]| by("M . . . . *", &[Pattern::slides(directions)]);
    assert_eq!(tie(&["short", "twin", "long"]), "1 2 6");
    assert_eq!(tie(&["twin", "short", "long"]), "1 3 6");
    assert_eq!(tie(&["long", "twin", "short"]), "1 3 6");
    let ring = Scene::on(Track::ring(4), "M . * .", &[both_ways()]);
    assert_eq!(ring.path(), "1 2 3");
    let other = Pattern::slides(&[COUNTER_CLOCKWISE, CLOCKWISE]);
    assert_eq!(Scene::on(Track::ring(4), "M . * .", &[other]).path(), "1 4 3");
}

#[test]
fn of_equal_single_steps_the_direction_declared_first_wins() {
    let pair = |name: &str| Relation::new("1", name, "2");
    let board = || Board {
        tiles: ["1", "2"].map(BoardTile::new).to_vec(),
        directions: ["left", "right"].map(str::to_owned).to_vec(),
        relations: vec![pair("left"), pair("right")],
    };
    for (declared, wins) in [(["left", "right"], "left"), (["right", "left"], "right")] {
        for pattern in [Pattern::steps(&declared), Pattern::slides(&declared)] {
            let scene = Scene::on(board(), "M *", &[pattern]);
            assert_eq!(scene.directions(), [wins]);
        }
    }
}

#[test]
fn a_tie_is_settled_by_declaration_and_by_nothing_else() {
    // The board declares rows before slants, the pattern slants before rows.
    let steps =
        [("1", EAST, "2"), ("2", EAST, "4"), ("1", NORTH_EAST, "3"), ("3", NORTH_EAST, "4")];
    let board = Board {
        tiles: ["1", "2", "3", "4"].map(BoardTile::new).to_vec(),
        directions: [EAST, NORTH_EAST].map(str::to_owned).to_vec(),
        relations: steps.map(|(from, way, to)| Relation::new(from, way, to)).to_vec(),
    };
    let scene = Scene::on(board, "M . . *", &[Pattern::slides(&[NORTH_EAST, EAST])]);
    assert_eq!(scene.path(), "1 3 4");
}

#[test]
fn inside_one_pattern_the_shortest_ray_wins_wherever_it_is_declared() {
    let way = |directions: &[&str]| by("M . . . . *", &[Pattern::slides(directions)]);
    assert_eq!(way(&["long", "short"]), "1 2 6");
    assert_eq!(way(&["short", "long"]), "1 2 6");
}

#[test]
fn a_blocked_ray_gives_way_to_a_longer_open_one() {
    let all = [Pattern::slides(&["short", "twin", "long"])];
    assert_eq!(by("M f . . . *", &all), "1 3 6");
    assert_eq!(by("M f e . . *", &all), "1 4 5 6");
    assert_eq!(by("M f e . . E", &all), "1 4 5 6 takes foe");
    assert_eq!(by("M f e a . *", &all), "no path");
    assert_eq!(by("M . . . . F", &all), "no path", "a friend there closes every way");
}

#[test]
fn the_pattern_declared_first_wins_even_if_it_is_longer() {
    let [long, short] = ["long", "short"].map(Pattern::slide);
    assert_eq!(by("M . . . . *", &[long.clone(), short.clone()]), "1 4 5 6");
    assert_eq!(by("M . . . . *", &[short, long]), "1 2 6");
}

#[test]
fn a_leap_and_a_ray_to_one_target_go_by_declared_order() {
    let (leap, ray) = (Pattern::leap(&["long"; 3]), Pattern::slide("short"));
    assert_eq!(by("M . . . . *", &[leap.clone(), ray.clone()]), "1 4 5 6");
    assert_eq!(by("M . . . . *", &[ray.clone(), leap.clone()]), "1 2 6");
    let several = Pattern::slides(&["twin", "long"]);
    assert_eq!(by("M . . . . *", &[several.clone(), ray.clone()]), "1 3 6");
    assert_eq!(by("M . . . . *", &[Pattern::slide("long"), several, ray]), "1 4 5 6");
}

#[test]
fn a_blocked_pattern_gives_way_to_the_next() {
    let patterns = [Pattern::slide("short"), Pattern::slide("twin"), Pattern::leap(&["long"; 3])];
    assert_eq!(by("M e . . . *", &patterns), "1 3 6");
    assert_eq!(by("M e f e f *", &patterns), "1 4 5 6");
    assert_eq!(by("M e f e f E", &patterns), "1 4 5 6 takes foe");
}

#[test]
fn a_pattern_that_leads_elsewhere_gives_way_to_the_next() {
    let patterns = [Pattern::step("short"), Pattern::leap(&["twin"]), Pattern::slide("long")];
    assert_eq!(by("M . . . . *", &patterns), "1 4 5 6");
}

#[test]
fn duplicate_patterns_are_kept_and_change_nothing() {
    let once = [Pattern::slide("short"), Pattern::leap(&["long"; 3])];
    let twice = [once.clone(), once.clone()].concat();
    for drawing in ["M . . . . *", "M e . f . *", "M . . . . E", "M f . . . F"] {
        assert_eq!(by(drawing, &once), by(drawing, &twice), "{drawing}");
    }
    let scene = Scene::on(three_ways(), "M . . . . *", &twice);
    let (game, _) = scene.engine.game();
    let player = game.player("me").expect("a player of every scene");
    let kind = game.kind("mover").expect("a kind of every scene");
    assert_eq!(game.paths().compiled(player, kind).len(), 4);
    let repeated = Pattern::slides(&["short", "short", "twin"]);
    assert_eq!(by("M . . . . *", &[repeated]), "1 2 6", "nor do duplicate directions");
}

#[test]
fn each_pattern_compiles_to_its_form_in_declared_order() {
    let patterns = [
        Pattern::Any,
        Pattern::leap(&["long", "long", "short"]),
        Pattern::step("twin"),
        Pattern::Null,
        Pattern::slide("short"),
        Pattern::steps(&["long"]),
        Pattern::slides(&["short"]),
        Pattern::slides(&[]),
        Pattern::steps(&["twin", "short"]),
        Pattern::slides(&["long", "twin", "short"]),
    ];
    let scene = Scene::on(three_ways(), "M . . . . .", &patterns);
    for (game, _) in scene.engine.games() {
        let id = |name: &str| game.direction(name).expect("a direction of the board");
        let ids = |names: &[&str]| names.iter().map(|name| id(name)).collect();
        let ray = |name, reach| CompiledPattern::Ray { direction: id(name), reach };
        let rays =
            |names: &[&str], reach| CompiledPattern::MultiRay { directions: ids(names), reach };
        let player = game.player("me").expect("a player of every scene");
        let kind = game.kind("mover").expect("a kind of every scene");
        let expected = [
            CompiledPattern::Fixed(ids(&["long", "long", "short"])),
            ray("twin", Reach::Once),
            ray("short", Reach::Repeat),
            ray("long", Reach::Once),
            ray("short", Reach::Repeat),
            rays(&["twin", "short"], Reach::Once),
            rays(&["long", "twin", "short"], Reach::Repeat),
        ];
        assert_eq!(game.paths().compiled(player, kind), expected);
    }
}

#[test]
fn any_and_null_compile_to_nothing() {
    let scene = Scene::line("M .", &[Pattern::Any, Pattern::Null]);
    let (game, _) = scene.engine.game();
    let player = game.player("me").expect("a player of every scene");
    let kind = game.kind("mover").expect("a kind of every scene");
    assert_eq!(game.paths().compiled(player, kind), []);
}

#[test]
fn compiling_changes_nothing_that_is_written() {
    let scene = Scene::on(three_ways(), "M . . . . .", &[Pattern::slides(&["long", "short"])]);
    for (game, _) in scene.engine.games() {
        assert_eq!(game.definition(), &scene.definition);
        assert_eq!(game.definition_hash(), scene.definition.hash());
    }
}

#[test]
fn a_piece_that_slides_along_rows_and_columns_passes_no_corner() {
    pictured(
        &straight_slider(),
        "
        . . f . .
        . . . . .
        . e M . .
        . . . . .
        . . e . .",
        "
        . . f . .
        . . + . .
        . x M + +
        . . + . .
        . . x . .",
    );
}

#[test]
fn a_piece_that_slides_along_diagonals_stays_on_its_colour() {
    pictured(
        &slant_slider(),
        "
        . . . . e
        . . . . .
        . . M . .
        . e . f .
        . . . . .",
        "
        + . . . x
        . + . + .
        . . M . .
        . x . f .
        . . . . .",
    );
}

#[test]
fn a_piece_that_slides_all_ways_takes_the_only_ray_to_each_target() {
    let scene = Scene::grid(
        "
        . . . .
        . . . .
        . . . .
        M . . *",
        &slider(),
    );
    assert_eq!(scene.path(), "a1 b1 c1 d1");
    assert_eq!(scene.path_to("a4"), "a1 a2 a3 a4");
    assert_eq!(scene.path_to("c3"), "a1 b2 c3");
    assert_eq!(scene.path_to("c2"), "no path");
}

#[test]
fn a_piece_that_steps_ahead_captures_by_the_same_rules() {
    let step = [Pattern::step(NORTH)];
    for (drawing, expected) in [
        (". .\n* .\nM .", "a1 a2"),
        ("* .\n. .\nM .", "no path"),
        (". .\nE .\nM .", "a1 a2 takes foe"),
        (". .\nF .\nM .", "no path"),
    ] {
        assert_eq!(Scene::grid(drawing, &step).path(), expected, "{drawing}");
    }
}

#[test]
fn patterns_of_several_kinds_work_side_by_side() {
    let patterns =
        [Pattern::slides(&[NORTH, SOUTH]), Pattern::steps(&FOUR), Pattern::leap(&[WEST, WEST])];
    pictured(
        &patterns,
        "
        . . . . .
        . . e . .
        . f M . .
        . . . . .
        . . . . .",
        "
        . . . . .
        . . x . .
        + f M + .
        . . + . .
        . . + . .",
    );
}
