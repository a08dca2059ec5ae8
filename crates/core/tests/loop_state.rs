//! Setups and states: one checked door, stable hashes, differences, artifacts by id.

use senet_core::setup::{SetupError, Stand};
use senet_core::{Change, Game, NamedChange, Notation, Plain, Setup, State, text};
use senet_testkit::sample;

fn stand(game: &Game, tile: &str, owner: &str, kind: &str) -> Stand {
    Stand {
        tile: game.tile(tile).unwrap(),
        owner: game.player(owner).unwrap(),
        kind: game.kind(kind).unwrap(),
        flags: 0,
        piece: None,
    }
}

fn white(game: &Game) -> Setup {
    Setup::empty(game.player("white").unwrap())
}

#[test]
fn a_state_is_the_setup_it_came_from() {
    for game in sample::all() {
        let start = game.start();
        let setup = Setup::of(&game, &start);
        assert_eq!(game.state(&setup).unwrap(), start);
    }
}

#[test]
fn every_reason_against_a_setup_is_found_at_once() {
    let game = sample::skirmish();
    let mut setup = white(&game);
    let piece = game.piece("black-hare-1");
    setup.pieces = vec![
        stand(&game, "a1", "white", "tower"),
        stand(&game, "a1", "white", "tower"),
        Stand { piece, ..stand(&game, "b1", "white", "tower") },
        Stand { piece, ..stand(&game, "b2", "black", "hare") },
        Stand { piece, ..stand(&game, "b3", "black", "hare") },
    ];
    let quiet = game.variable("quiet").unwrap();
    setup.variables = vec![(quiet, setup.player, 21)];
    let hare = piece.unwrap();
    assert_eq!(
        game.state(&setup).unwrap_err().0,
        [
            SetupError::WrongPiece(hare),
            SetupError::TileTaken(game.tile("a1").unwrap()),
            SetupError::OutOfBounds(quiet, 21),
        ]
    );
}

#[test]
fn a_setup_has_no_more_pieces_than_the_game() {
    let game = sample::league();
    let mut setup = Setup::empty(game.player("red").unwrap());
    setup.pieces = ["a3", "b3", "c3"].map(|tile| stand(&game, tile, "red", "scout")).to_vec();
    let (red, scout) = (game.player("red").unwrap(), game.kind("scout").unwrap());
    assert_eq!(game.state(&setup).unwrap_err().0, [SetupError::NoPieceLeft(red, scout)]);
    let words = SetupError::NoPieceLeft(red, scout).text(&game);
    assert_eq!(words, "red has no piece left to be a scout");
}

#[test]
fn dice_and_stacks_are_checked() {
    let game = sample::dash();
    let mut setup = Setup::empty(game.player("black").unwrap());
    let die = game.die("one").unwrap();
    setup.dice = vec![(die, 4)];
    assert_eq!(game.state(&setup).unwrap_err().0, [SetupError::BadDie(die, 4)]);
    setup.dice = vec![(die, 3)];
    setup.pieces = vec![stand(&game, "p1", "white", "runner"); 3];
    let state = game.state(&setup).unwrap();
    assert_eq!(
        game.view(&state).count_of(game.tile("p1").unwrap(), game.player("white").unwrap()),
        3
    );
    let flagged = Stand { flags: 1, ..setup.pieces[0] };
    setup.pieces = vec![flagged];
    assert_eq!(game.state(&setup).unwrap_err().0, [SetupError::Foreign], "a flag it does not have");
}

#[test]
fn a_setup_with_ids_of_another_game_is_foreign() {
    let (small, large) = (sample::dash(), sample::skirmish());
    let setup = Setup::of(&large, &large.start());
    assert_eq!(small.state(&setup).unwrap_err().0, [SetupError::Foreign]);
}

#[test]
fn hashes_are_the_same_in_every_release() {
    let hash = |game: &Game| format!("{:032x}", game.start().hash128());
    let [skirmish, dash, league, errand, _] = sample::all();
    let found = [hash(&skirmish), hash(&dash), hash(&league), hash(&errand)];
    assert_eq!(
        found,
        [
            "1d172c3fd2e70284426f8c59c7756b89",
            "110ad7d2abd5ae9c00de6708e0a3aa5d",
            "74aa3d77c550a99edecdffe2433f8e7c",
            "d443d924b73d9a4f27d8051964e46b21",
        ]
    );
    let start = skirmish.start();
    assert_eq!(format!("{:016x}", start.hash()), "426f8c59c7756b89", "the lower half");
}

#[test]
fn the_hash_ignores_which_of_two_like_pieces_stands_where() {
    let game = sample::skirmish();
    let swapped = |one: &str, two: &str| {
        let mut setup = white(&game);
        let at = |name: &str, tile| Stand {
            piece: game.piece(name),
            ..stand(&game, tile, "white", "tower")
        };
        setup.pieces = vec![at(one, "a1"), at(two, "b1")];
        game.state(&setup).unwrap()
    };
    let one = swapped("white-tower-1", "white-tower-2");
    let two = swapped("white-tower-2", "white-tower-1");
    assert_ne!(one, two, "a state knows its pieces");
    assert_eq!(one.hash128(), two.hash128());
    assert!(game.view(&one).same_position(&two));
    assert_eq!(game.diff(&one, &two).len(), 2);
}

#[test]
fn what_is_kept_beside_the_position_is_not_hashed() {
    let game = sample::skirmish();
    let read = |extra: &str| {
        let start = text::format_position(&game, &game.start());
        text::parse_position(&game, &format!("{start} {extra}")).unwrap()
    };
    let (plain, quiet, taken) = (read(""), read("var.quiet=7"), read("var.taken:white=1"));
    assert_ne!(plain, quiet);
    assert_eq!(plain.hash128(), quiet.hash128());
    assert!(game.view(&plain).same_position(&quiet));
    assert_ne!(plain.hash128(), taken.hash128());
    assert!(!game.view(&plain).same_position(&taken));
    let quiet_id = game.variable("quiet").unwrap();
    let change = Change::Variable { variable: quiet_id, of: None, from: 0, to: 7 };
    assert_eq!(game.diff(&plain, &quiet), [change]);
}

#[test]
fn a_difference_names_every_fact_that_changed() {
    let game = sample::skirmish();
    let read = |text: &str| text::parse_position(&game, text).unwrap();
    let before = read("white a4=white:guard c3=black:hare");
    let after = read("black a5=white:hare c3=black:hare var.taken:white=1");
    let changes = game.diff(&before, &after);
    let named: Vec<NamedChange<'_>> = changes.iter().map(|&one| game.name_change(one)).collect();
    // The picture says a hare; which piece became one is the reader's choice.
    assert_eq!(
        named.last(),
        Some(&NamedChange::Turn { from: "white", to: "black" }),
        "the turn comes last"
    );
    assert!(named.contains(&NamedChange::Variable {
        variable: "taken",
        of: Some("white"),
        from: 0,
        to: 1
    }));
    assert_eq!(game.diff(&before, &before), []);
    let step = game
        .legal(&before)
        .into_iter()
        .find(|&event| text::format_event(&game, event) == "a4/a5=hare");
    let step = game.apply(&before, step.unwrap()).unwrap();
    let named = game.diff(&before, &step.state).into_iter().map(|one| game.name_change(one));
    assert_eq!(
        named.take(2).collect::<Vec<_>>(),
        [
            NamedChange::Piece { piece: "white-guard-1", from: Some("a4"), to: Some("a5") },
            NamedChange::Kind { piece: "white-guard-1", from: "guard", to: "hare" },
        ]
    );
}

#[test]
fn a_captured_piece_is_off_the_board_and_of_its_first_kind() {
    let game = sample::skirmish();
    let state = text::parse_position(&game, "black a5=white:guard a1=black:tower").unwrap();
    let guard = game.piece("white-guard-1").unwrap();
    let mut setup = Setup::of(&game, &state);
    setup.pieces.iter_mut().filter(|one| one.piece == Some(guard)).for_each(|one| {
        one.kind = game.kind("tower").unwrap();
    });
    let state = game.state(&setup).unwrap();
    assert_eq!(game.kind_name(game.view(&state).kind_of(guard)), "tower");
    let event = text::parse_event(&game, &state, "a1/a5").unwrap();
    let after = game.apply(&state, event).unwrap().state;
    let piece = game.view(&after).piece(guard);
    assert_eq!((piece.tile, game.kind_name(piece.kind), piece.flags), (None, "guard", 0));
    assert_eq!(after.hash128(), game.full_hash(&after));
}

#[test]
fn every_artifact_is_found_by_its_name_at_any_state() {
    let game = sample::skirmish();
    let start = game.start();
    let view = game.view(&start);
    let guard = game.piece("white-guard-2").unwrap();
    let now = view.piece(guard);
    assert_eq!(now.tile.map(|tile| game.tile_name(tile)), Some("b2"));
    assert_eq!(game.kind_name(now.kind), "guard");
    assert!(now.has(game.flag("fresh").unwrap()) && !now.has(game.flag("passing").unwrap()));
    assert_eq!(game.player_name(game.owner(guard)), "white");
    let on_b2: Vec<&str> =
        view.pieces_at(game.tile("b2").unwrap()).map(|piece| game.piece_name(piece)).collect();
    assert_eq!(on_b2, ["white-guard-2"]);
    assert_eq!((game.tile("z9"), game.piece("white-guard-9")), (None, None));
    let names: Vec<&str> = game.tiles().map(|tile| game.tile_name(tile)).take(6).collect();
    assert_eq!(names, ["a1", "b1", "c1", "d1", "e1", "a2"]);
}

#[test]
fn a_state_of_many_words_is_as_good_as_a_small_one() {
    use senet_core::builder::{FOUR, Grid};
    use senet_core::written::{Kind, Movement, Pattern, Phase, Rule};
    use senet_core::{Builder, Options};
    let game = Builder::new("wide")
        .players(["one", "two"])
        .board(Grid::new(20, 25))
        .kind(Kind::new("stone").travels(Pattern::slides(&FOUR)))
        .pieces_on("one", "stone", ["a1", "t25"])
        .pieces("two", "stone", 300)
        .phase(Phase::leaf("play").rule(Rule::moves("go", Movement::any())))
        .build()
        .compile(Options::default())
        .unwrap();
    let start = game.start();
    assert!(start.words().len() > 24);
    let mut state: State = start.clone();
    for event in game.legal(&start).into_iter().take(5) {
        state = game.apply(&start, event).unwrap().state;
        assert_eq!(state.hash128(), game.full_hash(&state));
        assert_ne!(state, start);
    }
    let written = Plain.format_position(&game, &state);
    assert_eq!(Plain.parse_position(&game, &written).unwrap(), state);
}

#[test]
fn a_piece_that_changed_hands_travels_as_its_owner_does() {
    use senet_core::builder::{FOUR, Grid};
    use senet_core::layers::Capture;
    use senet_core::written::{Effect, Kind, Pattern, Phase, Rule, Seat, Set};
    use senet_core::{Builder, Options};
    let give = Effect::Give { on: Set::kind("runner"), to: Seat::Next };
    let desert = Rule::acts("desert", "desert").then(give);
    let game = Builder::new("deserter")
        .players(["white", "black"])
        .board(Grid::new(3, 2))
        .kind(Kind::new("runner").travels(Pattern::slides(&FOUR)))
        .kind("stone")
        .pieces_on("white", "runner", ["a1"])
        .pieces_on("black", "stone", ["c1"])
        .action("desert")
        .phase(Phase::leaf("play").rule(desert))
        .build()
        .compile(Options::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    let (start, black) = (game.start(), game.player("black").unwrap());
    let runner = game.view(&start).first_at(game.tile("a1").unwrap()).unwrap();
    let path = |state| {
        let (from, to) = (game.tile("a1").unwrap(), game.tile("c1").unwrap());
        game.resolve_path(state, runner, from, to).map(|path| path.capture())
    };
    assert_eq!(path(&start), Some(Capture::Enemy(black)));
    let after = game.apply(&start, game.legal(&start)[0]).unwrap().state;
    assert_eq!(game.view(&after).owner_of(runner), black);
    assert_eq!(path(&after), None, "the stone is a friend now");
}
