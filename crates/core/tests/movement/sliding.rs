//! Rays and what stands in their way.

use senet_core::builder::{EAST, FORWARD, NORTH};
use senet_core::written::Pattern;

use crate::scene::{Scene, drawn, runner, slant_slider, slider, straight_slider};

/// Checks which tiles the mover reaches, and where it captures.
fn reaches(patterns: &[Pattern], drawing: &str, expected: &str) {
    assert_eq!(Scene::grid(drawing, patterns).picture(), drawn(expected));
}

fn along(row: &str) -> String {
    Scene::line(row, &runner()).path()
}

#[test]
fn empty_rays_reach_every_tile_up_to_the_edge() {
    reaches(
        &slider(),
        "
        . . . . . .
        . . . . . .
        . . . . . .
        . . M . . .
        . . . . . .",
        "
        . . + . . +
        + . + . + .
        . + + + . .
        + + M + + +
        . + + + . .",
    );
}

#[test]
fn empty_rays_along_rows_and_columns() {
    reaches(
        &straight_slider(),
        "
        . . . .
        . M . .
        . . . .",
        "
        . + . .
        + M + +
        . + . .",
    );
}

#[test]
fn empty_rays_along_diagonals() {
    reaches(
        &slant_slider(),
        "
        . . . .
        . M . .
        . . . .
        . . . .",
        "
        + . + .
        . M . .
        + . + .
        . . . +",
    );
}

#[test]
fn friendly_blocker_mid_ray_gives_no_path() {
    reaches(
        &slider(),
        "
        . . . . . . .
        . f . f . f .
        . . . . . . .
        . f . M . f .
        . . . . . . .
        . f . f . f .
        . . . . . . .",
        "
        . . . . . . .
        . f . f . f .
        . . + + + . .
        . f + M + f .
        . . + + + . .
        . f . f . f .
        . . . . . . .",
    );
}

#[test]
fn friendly_blocker_on_the_target_gives_no_path() {
    assert_eq!(along("M . . F"), "no path");
    reaches(
        &slider(),
        "
        f . f . f
        . . . . .
        f . M . f
        . . . . .
        f . f . f",
        "
        f . f . f
        . + + + .
        f + M + f
        . + + + .
        f . f . f",
    );
}

#[test]
fn enemy_blocker_mid_ray_gives_no_path_beyond_it() {
    assert_eq!(along("M . e . *"), "no path");
    reaches(
        &slider(),
        "
        . . . . . . .
        . . . . . . .
        . . e e e . .
        . . e M e . .
        . . e e e . .
        . . . . . . .
        . . . . . . .",
        "
        . . . . . . .
        . . . . . . .
        . . x x x . .
        . . x M x . .
        . . x x x . .
        . . . . . . .
        . . . . . . .",
    );
}

#[test]
fn enemy_blocker_on_the_target_is_captured() {
    assert_eq!(along("M . . E"), "1 2 3 4 takes foe");
    reaches(
        &slider(),
        "
        . . . . . . .
        . e . r . e .
        . . . . . . .
        . r . M . e .
        . . . . . . .
        . e . e . r .
        . . . . . . .",
        "
        . . . . . . .
        . x . x . x .
        . . + + + . .
        . x + M + x .
        . . + + + . .
        . x . x . x .
        . . . . . . .",
    );
}

#[test]
fn friend_before_an_enemy_decides() {
    assert_eq!(along("M f E"), "no path");
    reaches(
        &slider(),
        "
        e . . e . . e
        . f . f . f .
        . . . . . . .
        e f . M . f e
        . . . . . . .
        . f . f . f .
        e . . e . . e",
        "
        e . . e . . e
        . f . f . f .
        . . + + + . .
        e f + M + f e
        . . + + + . .
        . f . f . f .
        e . . e . . e",
    );
}

#[test]
fn enemy_before_a_friend_is_all_that_can_be_reached() {
    assert_eq!(along("M e F"), "no path");
    assert_eq!(along("M E f"), "1 2 takes foe");
    reaches(
        &slider(),
        "
        f . . f . . f
        . e . e . e .
        . . . . . . .
        f e . M . e f
        . . . . . . .
        . e . e . e .
        f . . f . . f",
        "
        f . . f . . f
        . x . x . x .
        . . + + + . .
        f x + M + x f
        . . + + + . .
        . x . x . x .
        f . . f . . f",
    );
}

#[test]
fn the_first_of_two_enemies_shields_the_second() {
    assert_eq!(along("M e E"), "no path");
    assert_eq!(along("M . E e"), "1 2 3 takes foe");
    assert_eq!(along("M r . E"), "no path");
}

#[test]
fn the_first_of_two_friends_is_enough() {
    assert_eq!(along("M f F"), "no path");
    assert_eq!(along("M . f f *"), "no path");
}

#[test]
fn adjacent_enemy_is_captured() {
    assert_eq!(along("M E . ."), "1 2 takes foe");
    reaches(
        &slider(),
        "
        e e e
        r M r
        e e e",
        "
        x x x
        x M x
        x x x",
    );
}

#[test]
fn adjacent_friend_blocks() {
    assert_eq!(along("M F . ."), "no path");
    reaches(
        &slider(),
        "
        . . . . .
        . f f f .
        . f M f .
        . f f f .
        . . . . .",
        "
        . . . . .
        . f f f .
        . f M f .
        . f f f .
        . . . . .",
    );
}

#[test]
fn adjacent_empty_tile_is_reached() {
    assert_eq!(along("M * f"), "1 2");
}

#[test]
fn source_as_target_gives_no_path() {
    let drawing = "
        . . .
        . M .
        . . .";
    for patterns in [slider(), straight_slider(), slant_slider(), crate::scene::walker()] {
        let scene = Scene::grid(drawing, &patterns);
        assert_eq!(scene.path_to("b2"), "no path");
        assert_eq!(scene.path_between("a1", "a1"), "no path", "nor where the piece is not");
    }
}

#[test]
fn a_ray_ends_at_the_edge_of_the_board() {
    let scene = Scene::grid(
        "
        . . .
        M . .
        . . .",
        &[Pattern::slide(EAST)],
    );
    assert_eq!(scene.path_to("c2"), "a2 b2 c2");
    for beyond in ["a1", "c1", "a3", "c3"] {
        assert_eq!(scene.path_to(beyond), "no path", "rows do not run on into the next");
    }
}

#[test]
fn a_ray_ends_where_a_tile_is_missing() {
    reaches(
        &slider(),
        "
        . # # . .
        . . # . .
        M . # . .
        . # . . .
        . . . . .",
        "
        + # # . .
        + + # . .
        M + # . .
        + # . . .
        + . . . .",
    );
}

#[test]
fn a_ray_of_one_step_follows_the_same_rules() {
    assert_eq!(along("M *"), "1 2");
    assert_eq!(along("M E"), "1 2 takes foe");
    assert_eq!(along("M F"), "no path");
    assert_eq!(along("M A"), "no path");
}

#[test]
fn a_capture_ends_the_path() {
    let scene = Scene::line("M . E . .", &runner());
    assert_eq!(scene.path(), "1 2 3 takes foe");
    assert_eq!(scene.path_to("4"), "no path");
    assert_eq!(scene.path_to("5"), "no path");
}

#[test]
fn a_path_is_whole_or_there_is_none() {
    for drawing in ["M . . f *", "M . . e *", "M . e e *", "M f . . *", "M . a . *"] {
        assert_eq!(along(drawing), "no path", "{drawing}: not even up to the blocker");
    }
    assert_eq!(along("M . . . *"), "1 2 3 4 5");
}

#[test]
fn a_path_lists_every_relation_in_order() {
    let scene = Scene::grid(
        "
        . . . *
        . . . .
        . . . .
        M . . .",
        &slider(),
    );
    assert_eq!(scene.path(), "a1 b2 c3 d4");
    assert_eq!(scene.directions(), ["north-east"; 3]);
}

#[test]
fn a_ray_never_turns() {
    let scene = Scene::grid(
        "
        . . *
        . . .
        M . .",
        &[Pattern::slides(&[NORTH, EAST])],
    );
    assert_eq!(scene.path(), "no path");
}

/// Every way to leave each of some tiles empty or put a friend, an ally or an enemy on it.
fn arrangements(tiles: u32) -> impl Iterator<Item = Vec<char>> {
    (0..4u32.pow(tiles)).map(move |number| {
        let word = |tile| ['.', 'f', 'a', 'e'][(number / 4u32.pow(tile) % 4) as usize];
        (0..tiles).map(word).collect()
    })
}

#[test]
fn the_first_occupied_tile_decides_in_every_arrangement() {
    for arrangement in arrangements(4) {
        let row: String = arrangement.iter().flat_map(|word| [' ', *word]).collect();
        let scene = Scene::line(&format!("M{row}"), &runner());
        let first = arrangement.iter().position(|word| *word != '.').unwrap_or(arrangement.len());
        for (at, word) in arrangement.iter().enumerate() {
            let tiles: Vec<String> = (1..=at + 2).map(|number| number.to_string()).collect();
            let expected = match at.cmp(&first) {
                std::cmp::Ordering::Less => tiles.join(" "),
                std::cmp::Ordering::Equal if *word == 'e' => tiles.join(" ") + " takes foe",
                _ => "no path".into(),
            };
            assert_eq!(scene.path_to(&(at + 2).to_string()), expected, "M{row}, tile {}", at + 2);
        }
    }
}

#[test]
fn what_stands_beyond_the_first_blocker_does_not_matter() {
    for beyond in arrangements(2) {
        for (blocker, expected) in [('f', "no path"), ('e', "1 2 3 takes foe")] {
            let row = format!("M . {blocker} {} {}", beyond[0], beyond[1]);
            let scene = Scene::line(&row, &runner());
            assert_eq!(scene.path_to("3"), expected, "{row}");
            assert_eq!(scene.path_to("4"), "no path", "{row}");
            assert_eq!(scene.path_to("5"), "no path", "{row}");
        }
    }
}

#[test]
fn what_stands_beside_or_behind_does_not_matter() {
    let scene = Scene::grid(
        "
        e e f e
        f M . *
        e f e f",
        &[Pattern::slide(EAST)],
    );
    assert_eq!(scene.path(), "b2 c2 d2");
}

#[test]
fn the_blocker_is_the_first_tile_that_stops_the_way() {
    let blocker = |row: &str| {
        let scene = Scene::line(row, &runner());
        scene.blocker().map(str::to_owned)
    };
    assert_eq!(blocker("M . f e *").as_deref(), Some("3"));
    assert_eq!(blocker("M . e f *").as_deref(), Some("3"));
    assert_eq!(blocker("M . . . F").as_deref(), Some("5"));
    assert_eq!(blocker("M . . . E"), None, "a capture is not blocked");
    let back = Scene::line("* . f M", &[Pattern::slide(FORWARD)]);
    assert_eq!(back.blocker(), None, "no way leads there at all");
}
