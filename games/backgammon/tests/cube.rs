//! Cube, resignations, and matches of several games.

use senet_backgammon::{Terms, game, on_roll};
use senet_core::{Event, Game, PlayerId, Setup, State};

fn act(game: &Game, state: &State, name: &str) -> State {
    try_act(game, state, name).unwrap_or_else(|why| panic!("{name} is refused: {why}"))
}

/// The state after an act, or why it is refused.
fn try_act(game: &Game, state: &State, name: &str) -> Result<State, String> {
    let event = Event::Act(game.action(name).expect("a known act"));
    let refused = |no: senet_core::Rejection| game.reason_text(no.reasons[0]);
    game.apply(state, event).map(|step| step.state).map_err(refused)
}

fn value(game: &Game, state: &State, name: &str) -> i64 {
    value_of(game, state, name, 0)
}

fn player(game: &Game, number: usize) -> PlayerId {
    game.players().nth(number).expect("two players")
}

fn value_of(game: &Game, state: &State, name: &str, of: usize) -> i64 {
    game.view(state).variable(game.variable(name).expect("a variable"), player(game, of))
}

/// The start with the first player on roll and other values of some variables.
fn with(game: &Game, values: &[(&str, usize, i64)]) -> State {
    let mut setup = Setup::of(game, &on_roll(game));
    for &(name, of, value) in values {
        let (variable, of) = (game.variable(name).expect("a variable"), player(game, of));
        setup.variables.retain(|(other, whose, _)| (*other, *whose) != (variable, of));
        setup.variables.push((variable, of, value));
    }
    game.state(&setup).expect("a position")
}

fn scores(game: &Game, state: &State) -> Option<(String, Vec<i64>)> {
    let outcome = game.outcome(state)?;
    Some((game.ending_name(outcome.ending).to_owned(), outcome.scores))
}

#[test]
fn a_taken_double_belongs_to_the_taker() {
    let game = game();
    let offered = act(&game, &on_roll(&game), "double");
    assert_eq!(game.view(&offered).player(), player(&game, 1), "the other answers");
    assert!(try_act(&game, &offered, "beaver").unwrap_err().contains("beavers are agreed"));
    let taken = act(&game, &offered, "take");
    assert_eq!((value(&game, &taken, "cube"), value_of(&game, &taken, "owns", 1)), (2, 1));
    assert_eq!(game.view(&taken).player(), player(&game, 0));
    let again = try_act(&game, &taken, "double").unwrap_err();
    assert!(again.contains("the cube is not the opponent's"), "{again}");
    assert_eq!(game.legal(&taken).len(), 21, "only to roll is left");
}

#[test]
fn a_dropped_double_loses_the_cube_as_it_was() {
    let game = game();
    let owned = with(&game, &[("cube", 0, 4), ("owns", 0, 1)]);
    let dropped = act(&game, &act(&game, &owned, "double"), "drop");
    assert_eq!(scores(&game, &dropped), Some(("single".into(), vec![4, -4])));
    assert!(game.legal(&dropped).is_empty());
}

#[test]
fn a_beaver_doubles_again_and_keeps_the_cube() {
    let game = game();
    let start = with(&game, &[("beavers", 0, 1)]);
    let beaver = act(&game, &act(&game, &start, "double"), "beaver");
    assert_eq!(game.view(&beaver).player(), player(&game, 0));
    let taken = act(&game, &beaver, "take");
    assert_eq!((value(&game, &taken, "cube"), value_of(&game, &taken, "owns", 1)), (4, 1));
    assert_eq!(game.view(&taken).player(), player(&game, 0), "who doubled rolls");
    let dropped = act(&game, &beaver, "drop");
    assert_eq!(scores(&game, &dropped), Some(("single".into(), vec![-2, 2])));
}

#[test]
fn the_cube_stops_at_its_limit() {
    let game = game();
    let top = with(&game, &[("cube", 0, 64), ("limit", 0, 64), ("owns", 0, 1)]);
    assert!(try_act(&game, &top, "double").unwrap_err().contains("the cube can go higher"));
}

#[test]
fn a_dead_cube_is_not_turned_and_neither_is_any_in_the_crawford_game() {
    let game = game();
    let dead = with(&game, &[("length", 0, 5), ("score", 0, 3), ("cube", 0, 2), ("owns", 0, 1)]);
    assert!(try_act(&game, &dead, "double").unwrap_err().contains("the cube is not dead"));
    let crawford = with(&game, &[("length", 0, 5), ("score", 1, 4), ("crawford", 0, 1)]);
    assert!(try_act(&game, &crawford, "double").unwrap_err().contains("not the Crawford game"));
    let after = with(&game, &[("length", 0, 5), ("score", 1, 4)]);
    assert!(try_act(&game, &after, "double").is_ok(), "after it the trailer may double");
}

#[test]
fn a_resignation_is_accepted_or_refused() {
    let game = game();
    let start = with(&game, &[("cube", 0, 2), ("owns", 1, 1)]);
    let offered = act(&game, &start, "resign-gammon");
    assert_eq!(game.legal(&offered).len(), 2);
    assert_eq!(act(&game, &offered, "refuse"), start, "as if nothing had been said");
    let accepted = act(&game, &offered, "accept");
    assert_eq!(scores(&game, &accepted), Some(("gammon".into(), vec![-4, 4])));
}

#[test]
fn without_a_turned_cube_jacoby_counts_every_game_once() {
    let game = game();
    let centred = with(&game, &[("jacoby", 0, 1)]);
    let accepted = act(&game, &act(&game, &centred, "resign-backgammon"), "accept");
    assert_eq!(scores(&game, &accepted), Some(("single".into(), vec![-1, 1])));
    let turned = with(&game, &[("jacoby", 0, 1), ("cube", 0, 2), ("owns", 0, 1)]);
    let accepted = act(&game, &act(&game, &turned, "resign-backgammon"), "accept");
    assert_eq!(scores(&game, &accepted), Some(("backgammon".into(), vec![-6, 6])));
}

/// Plays a game of a match to the end by resigning.
fn resigned(game: &Game, state: &State, loser: usize) -> State {
    let mut setup = Setup::of(game, state);
    let opening = game.variable("opening").expect("a variable");
    setup.variables.iter_mut().filter(|(one, ..)| *one == opening).for_each(|one| one.2 = 0);
    setup.player = player(game, loser);
    let state = game.state(&setup).expect("the loser is on roll");
    act(game, &act(game, &state, "resign-single"), "accept")
}

#[test]
fn a_match_goes_on_until_its_length_is_reached() {
    let game = game();
    let start = Terms { length: 3, ..Terms::default() }.start(&game).expect("terms");
    let mut now = start;
    for (loser, crawford) in [(0, 0), (0, 1), (1, 0), (1, 0)] {
        let over = resigned(&game, &now, loser);
        assert_eq!(game.due(&over), game.legal(&over).first().copied(), "by itself");
        assert!(game.outcome(&over).is_none());
        now = act(&game, &over, "settle");
        assert_eq!(value(&game, &now, "crawford"), crawford);
        assert_eq!((value(&game, &now, "cube"), value(&game, &now, "opening")), (1, 1));
    }
    assert_eq!([0, 1].map(|of| value_of(&game, &now, "score", of)), [2, 2]);
    let won = act(&game, &resigned(&game, &now, 1), "settle");
    assert_eq!(scores(&game, &won), Some(("match".into(), vec![1, -1])));
}

#[test]
fn equal_opening_rolls_are_thrown_again_and_double_the_cube_if_agreed() {
    let game = game();
    let start = Terms { automatic: 1, ..Terms::default() }.start(&game).expect("terms");
    let chances = game.chances(&start);
    assert_eq!(chances.len(), 36);
    let is_tie = |event: &Event| match event {
        Event::Roll(outcome) => game.faces(*outcome).windows(2).all(|pair| pair[0].1 == pair[1].1),
        _ => false,
    };
    let tie = chances.iter().map(|chance| chance.event).find(is_tie).expect("a tie");
    let once = game.apply(&start, tie).expect("a roll").state;
    let twice = game.apply(&once, tie).expect("a roll").state;
    assert_eq!([&once, &twice].map(|state| value(&game, state, "cube")), [2, 2]);
    for chance in chances.iter().filter(|chance| !is_tie(&chance.event)) {
        let begun = game.apply(&twice, chance.event).expect("a roll").state;
        let shown = game.dice().filter_map(|die| game.view(&begun).die(die)).collect::<Vec<u8>>();
        assert!(shown.len() == 2 && shown[0] > shown[1], "{shown:?}");
        let Event::Roll(outcome) = chance.event else { continue };
        let faces = game.faces(outcome);
        let winner = usize::from(faces[1].1 > faces[0].1);
        assert_eq!(game.view(&begun).player(), player(&game, winner));
    }
}
