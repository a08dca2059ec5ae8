//! What is known of the first turns.

use std::collections::BTreeSet;

use senet_backgammon::{game, on_roll};
use senet_core::{Event, Game, Options, State, text};

/// The state after a roll.
fn rolled(game: &Game, state: &State, dice: [u8; 2]) -> State {
    let shows = |event: &Event| match event {
        Event::Roll(outcome) => game.faces(*outcome).iter().map(|(_, face)| *face).eq(dice),
        _ => false,
    };
    let roll = game.legal(state).into_iter().find(shows).expect("a roll");
    game.apply(state, roll).expect("a legal roll").state
}

/// Every position that some turn leads to from a roll.
fn results(game: &Game, dice: [u8; 2]) -> BTreeSet<String> {
    let turns = game.turns(&rolled(game, &on_roll(game), dice)).unwrap();
    turns.iter().map(|turn| text::format_position(game, &turn.state)).collect()
}

#[test]
fn opening_rolls_lead_to_as_many_positions_as_everywhere() {
    let game = game();
    for (dice, count) in [([1, 1], 42), ([3, 1], 16), ([6, 5], 7)] {
        assert_eq!(results(&game, dice).len(), count, "{dice:?}");
    }
}

#[test]
fn opening_rolls_without_doubles_lead_to_175_positions_and_all_to_406() {
    let game = game();
    let mut plain = BTreeSet::new();
    let mut all = BTreeSet::new();
    for high in 1..=6 {
        for low in 1..=high {
            let found = results(&game, [high, low]);
            if low < high {
                plain.extend(found.iter().cloned());
            }
            all.extend(found);
        }
    }
    assert_eq!((plain.len(), all.len()), (175, 406));
}

#[test]
fn the_decision_plan_and_the_written_phases_find_the_same_turns() {
    let game = game();
    let options = Options { decision_plan: false, ..Options::default() };
    let plain = senet_backgammon::definition().compile(options).expect("compiles");
    for high in 1..=6 {
        for low in 1..=high {
            let state = rolled(&game, &on_roll(&game), [high, low]);
            assert_eq!(game.turns(&state), plain.turns(&state), "{high}-{low}");
        }
    }
    assert_eq!(plain.turn_perft(&on_roll(&plain), 1), 447);
}

#[test]
fn turns_are_counted_as_everywhere() {
    let game = game();
    assert_eq!(game.turn_perft(&on_roll(&game), 1), 447);
    assert_eq!(game.turn_perft(&on_roll(&game), 2), 202_782);
}
