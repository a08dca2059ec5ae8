//! What a turn must use, what happens by itself, and which positions there are.

use std::sync::Arc;

use senet_backgammon::{game, on_roll};
use senet_core::{Event, Game, Match, Reason, State, text};

fn position(game: &Game, written: &str) -> State {
    text::parse_position(game, written).expect("a position")
}

fn event(game: &Game, state: &State, written: &str) -> Event {
    text::parse_event(game, state, written).expect("an event")
}

fn legal(game: &Game, state: &State) -> Vec<String> {
    game.legal(state).into_iter().map(|event| text::format_event(game, event)).collect()
}

#[test]
fn a_move_after_which_less_can_be_used_is_refused_with_moves_that_use_more() {
    let game = game();
    // The 6 is held from 20, and from 13 once the 5 was used there.
    let written = "white p20=white:checker p13=white:checker p14=black:checker*2 \
                   p2=black:checker*2 p1=black:checker*11 white-off=white:checker*13 \
                   die.one=6 die.two=5 var.opening=0";
    let state = position(&game, written);
    assert_eq!(legal(&game, &state), ["p13/p7:6", "p20/p15:5"]);
    let no = game.apply(&state, event(&game, &state, "p13/p8:5")).expect_err("wasteful");
    assert_eq!(no.reasons[0], Reason::Unused { can: (2, 11), would: (1, 5) });
    assert_eq!(
        game.reason_text(no.reasons[0]),
        "2 dice can be used, but this move would leave only 1 usable"
    );
    let instead = ["p13/p7:6", "p20/p15:5"].map(|written| event(&game, &state, written));
    assert_eq!(no.instead, instead);
}

#[test]
fn the_greater_die_is_used_where_only_one_can_be() {
    let game = game();
    // From 13 either number can be used, but from neither target the other.
    let written = "white p13=white:checker p2=black:checker*2 p24=black:checker*13 \
                   white-off=white:checker*14 die.one=6 die.two=5 var.opening=0";
    let state = position(&game, written);
    let no = game.apply(&state, event(&game, &state, "p13/p8:5")).expect_err("the lesser die");
    assert_eq!(no.reasons[0], Reason::Unused { can: (1, 6), would: (1, 5) });
    let told = "the die that shows 6 can be used and must be";
    assert_eq!(game.reason_text(no.reasons[0]), told);
    assert_eq!(no.instead, [event(&game, &state, "p13/p7:6")]);
}

#[test]
fn a_turn_does_not_pass_while_something_can_be_played() {
    let game = game();
    let rolled = game.apply(&on_roll(&game), game.legal(&on_roll(&game))[0]).expect("a roll").state;
    let pass = event(&game, &rolled, "pass");
    let no = game.apply(&rolled, pass).expect_err("there is something to play");
    assert_eq!(no.reasons[0], Reason::Avoidable);
    assert_eq!(game.due(&rolled), None);
}

#[test]
fn checkers_on_the_bar_enter_first_and_a_blot_is_hit() {
    let game = game();
    let written = "white white-bar=white:checker p22=black:checker p6=white:checker*14 \
                   p1=black:checker*14 die.one=3 die.two=2 var.opening=0";
    let state = position(&game, written);
    assert_eq!(legal(&game, &state), ["white-bar/p22:3", "white-bar/p23:2"]);
    let hit = game.apply(&state, event(&game, &state, "white-bar/p22:3")).expect("a hit").state;
    let bar = game.tile("black-bar").expect("a tile");
    assert_eq!(game.view(&hit).pieces_at(bar).count(), 1);
}

#[test]
fn a_greater_number_bears_off_from_the_rearmost_point_only() {
    let game = game();
    let written = "white p4=white:checker p2=white:checker white-off=white:checker*13 \
                   p24=black:checker*15 die.one=6 var.opening=0";
    assert_eq!(legal(&game, &position(&game, written)), ["p4/white-off:6"]);
    let written = written.replace("p4=white:checker ", "p7=white:checker ");
    assert_eq!(legal(&game, &position(&game, &written)), ["p7/p1:6"]);
}

#[test]
fn rolls_have_their_exact_probabilities() {
    let game = game();
    let chances = game.chances(&on_roll(&game));
    let weights: Vec<u64> = chances.iter().map(|chance| chance.probability.weight).collect();
    assert_eq!(weights.len(), 21);
    assert!(chances.iter().all(|chance| chance.probability.total == 36));
    assert_eq!(weights.iter().filter(|&&weight| weight == 1).count(), 6);
    assert_eq!(weights.iter().sum::<u64>(), 36);
}

#[test]
fn a_turn_without_a_move_passes_by_itself_and_shows() {
    let game = Arc::new(game());
    let text = "white white-bar=white:checker p24=black:checker*2 p20=black:checker*2 \
                p1=black:checker*11 white-off=white:checker*14 die.one=5 die.two=1 var.opening=0";
    let state = position(&game, text);
    let pass = game.due(&state).expect("it passes by itself");
    assert_eq!(game.legal(&state), [pass]);
    let turns = game.turns(&state).unwrap();
    assert_eq!(turns.len(), 1);
    assert!(turns[0].events.is_empty());
    let mut played = Match::from_state(game.clone(), state);
    played.apply(pass).expect("what is due is accepted");
    assert_eq!(played.state(), &turns[0].state);
}

#[test]
fn undo_across_a_roll_replays_the_same_roll() {
    let game = Arc::new(game());
    let mut played = Match::new(game.clone());
    for _ in 0..12 {
        let legal = game.legal(played.state());
        let event = legal[legal.len() / 2];
        played.apply(event).expect("legal");
    }
    let end = played.state().clone();
    let events = |played: &Match| -> Vec<Event> {
        played.steps().iter().map(|(step, _)| step.event).collect()
    };
    let before = events(&played);
    while played.undo() {}
    assert_eq!(played.state(), &game.start());
    while played.redo() {}
    assert_eq!(played.state(), &end);
    assert_eq!(events(&played), before);
}

#[test]
fn a_position_that_cannot_be_is_refused_by_name() {
    let game = game();
    let start = text::format_position(&game, &on_roll(&game));
    for (from, to, named) in [
        ("p6=white:checker*5", "p6=white:checker*6", "checker"),
        ("p6=white:checker*5", "p6=white:checker*4", "a player has more or fewer checkers"),
        ("p6=white:checker*5", "p6=white:checker*4 p1=white:checker,black:checker*2", "checker"),
        ("p6=white:checker*5", "p6=white:checker*4 black-bar=white:checker", "the other's bar"),
        ("var.opening=0", "var.opening=0 var.cube=3", "the cube shows no power of two"),
        ("var.opening=0", "var.opening=0 die.one=7", "1 to 6"),
        ("var.opening=0", "var.opening=0 die.one=2 die.two=5", "the greatest first"),
    ] {
        let text = start.replace(from, to);
        assert_ne!(text, start, "{from}");
        let error = text::parse_position(&game, &text).expect_err(to).to_string();
        assert!(error.contains(named), "{to}: {error}");
    }
}
