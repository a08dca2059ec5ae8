//! What holds for every request: no exception, no memory, no rule inside a pattern.

use senet_core::builder::{Builder, EAST, FORWARD, NORTH};
use senet_core::builder::{Grid, Track};
use senet_core::layers::Layer;
use senet_core::setup::Stand;
use senet_core::written::{Effect, Kind, Movement, Pattern, Phase, Rule, Seat, Set};
use senet_core::{Definition, Event, Options, Reason, Setup, State};

use crate::engine::{Engine, compile, write};
use crate::scene::{Scene, leaper, players, runner, slider};

#[test]
fn absence_of_a_way_is_an_answer_and_no_panic() {
    let scene = Scene::line("M . .", &[Pattern::slide(FORWARD), Pattern::leap(&[FORWARD; 9])]);
    let far = Scene::line("M . . . . . . . .", &runner());
    let (game, state) = scene.engine.game();
    let piece = game.piece("mover").expect("every scene has a mover");
    let ids: Vec<_> = far.engine.game().0.tiles().collect();
    for from in &ids {
        for to in &ids {
            let path = game.resolve_path(state, piece, *from, *to);
            let inside = from.index() < to.index() && to.index() < 3;
            assert_eq!(path.is_some(), inside, "{from:?} to {to:?}");
            assert_eq!(game.paths().targets(state, piece, *from).contains(*to), inside);
            for layer in Layer::ALL {
                let alone = game.paths().resolve_by(layer, state, piece, *from, *to);
                assert_eq!(alone.ok().flatten(), path);
            }
        }
    }
}

#[test]
fn only_compiling_refuses_a_pattern() {
    let definition =
        |pattern: Pattern| write(Track::open(3).board(), players(), &[pattern], ("me", None), &[]);
    for wrong in [Pattern::slide("sideways"), Pattern::leap(&[FORWARD, "up"])] {
        let refused = definition(wrong).compile(Options::default());
        let errors = refused.expect_err("a direction that does not exist");
        assert!(errors.to_string().contains("kinds/mover/patterns"), "{errors}");
    }
    for odd in [Pattern::leap(&[]), Pattern::slides(&[]), Pattern::leap(&[FORWARD; 99])] {
        assert!(definition(odd).compile(Options::default()).is_ok());
    }
}

#[test]
fn a_path_reads_the_same_however_often_it_is_read() {
    let scene = Scene::grid(". . *\n. . .\nM . .", &slider());
    assert_eq!(scene.path(), "a1 b2 c3");
    let (game, state) = scene.engine.game();
    let piece = game.piece("mover").expect("every scene has a mover");
    let [from, to] = ["a1", "c3"].map(|name| game.tile(name).expect("a tile of the scene"));
    let path = game.resolve_path(state, piece, from, to).expect("the way is free");
    let copy = path;
    let first: Vec<_> = path.relations().collect();
    assert!(path.relations().eq(first.iter().copied()));
    assert!(copy.relations().eq(first.iter().copied()));
    assert_eq!((path, path.tiles().count()), (copy, 3));
}

#[test]
fn asking_changes_neither_the_state_nor_the_game() {
    let scene = Scene::grid(". e .\n. . .\nM . f", &[slider(), leaper()].concat());
    for (game, state) in scene.engine.games() {
        let (before, hash) = (state.clone(), game.definition_hash());
        scene.picture();
        assert_eq!((state, game.definition_hash()), (&before, hash));
        assert_eq!(game.full_hash(state), before.hash128());
    }
}

#[test]
fn all_sixteen_options_give_one_game() {
    let scene = Scene::grid(". e .\n. . .\nM . f", &slider());
    let (first, start) = scene.engine.game();
    for (game, state) in scene.engine.games() {
        assert_eq!(game.definition_hash(), first.definition_hash());
        assert_eq!(state.hash128(), start.hash128());
    }
}

#[test]
fn a_setup_gives_the_same_paths_as_a_start() {
    let scene = Scene::line("M . . e .", &runner());
    let empty = write(Track::open(5).board(), players(), &runner(), ("me", None), &[]);
    let definition = Builder::from(empty).pieces("foe", "stone", 1).build();
    let game = compile(&definition, Default::default());
    let stand = |tile: &str, owner: &str, kind: &str| Stand {
        tile: game.tile(tile).expect("a tile"),
        owner: game.player(owner).expect("a player"),
        kind: game.kind(kind).expect("a kind"),
        flags: 0,
        piece: None,
    };
    let mut setup = Setup::empty(game.player("me").expect("a player"));
    setup.pieces = vec![stand("1", "me", "mover"), stand("4", "foe", "stone")];
    let state = game.state(&setup).expect("a sound setup");
    for to in ["1", "2", "3", "4", "5"] {
        let answer = crate::engine::dispatch(&game, &state, "1", to);
        assert_eq!(answer, scene.engine.ask("1", to), "to {to}");
    }
}

/// Two players on a grid: one piece that travels by a pattern, under a rule, and one to take.
fn ruled(pattern: Pattern, movement: Movement) -> Definition {
    Builder::new("ruled")
        .players(["me", "foe"])
        .board(Grid::new(3, 3).eight())
        .kind(Kind::new("mover").travels(pattern))
        .kind("stone")
        .piece("mover", "me", "mover")
        .place("mover", "a1")
        .pieces_on("foe", "stone", ["a2", "c3"])
        .phase(Phase::leaf("play").rule(Rule::moves("go", movement).then(Effect::Turn(Seat::Next))))
        .build()
}

/// Why the mover may not go to a tile, although it has a path there.
fn refused(definition: &Definition, to: &str) -> Vec<Reason> {
    let engine = Engine::new(definition);
    assert!(engine.ask("a1", to).is_some(), "the path is there");
    let (game, state): (_, &State) = engine.game();
    let tile = |name: &str| game.tile(name).expect("a tile of the game");
    let event = Event::step(tile("a1"), tile(to));
    assert!(!game.legal(state).contains(&event));
    let rejection = game.apply(state, event).expect_err("the rule refuses");
    rejection.reasons
}

#[test]
fn a_rule_refuses_a_target_and_leaves_its_path() {
    let movement = Movement::any().onto(Set::Empty);
    let definition = ruled(Pattern::slides(&["north-east"]), movement);
    assert!(matches!(refused(&definition, "c3")[..], [Reason::Onto(_)]));
}

#[test]
fn a_rule_may_look_at_the_tiles_that_a_leap_passes() {
    let leap = Pattern::leap(&[NORTH, NORTH, EAST]);
    let definition = ruled(leap, Movement::any().through(Set::Empty));
    assert!(matches!(refused(&definition, "b3")[..], [Reason::Through(_)]));
}

#[test]
fn two_identical_games_give_identical_paths() {
    let drawing = ". e . f\n. . . .\na . M .\n. r . .";
    let patterns = [leaper(), slider()].concat();
    let [one, other] = [0, 1].map(|_| Scene::grid(drawing, &patterns));
    assert_eq!(one.picture(), other.picture());
    for tile in &one.definition.tiles {
        assert_eq!(one.path_to(&tile.name), other.path_to(&tile.name));
    }
}
