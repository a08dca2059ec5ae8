//! Backgammon and its variants obey the same laws as every game, and the naive oracle plays them
//! alike.

use senet_backgammon::{NOTATION, Terms};
use senet_core::{Definition, Game, Options};
use senet_testkit::{Case, Source, conformance, law, oracle};

fn compiled(definition: Definition) -> Game {
    definition.compile(Options::default()).expect("compiles")
}

conformance!(backgammon, senet_backgammon::game(), &NOTATION, "backgammon.txt");
conformance!(
    nackgammon,
    compiled(senet_backgammon::variant("nackgammon")),
    &NOTATION,
    "nackgammon.txt"
);
conformance!(
    hypergammon,
    compiled(senet_backgammon::variant("hypergammon")),
    &NOTATION,
    "hypergammon.txt"
);
conformance!(
    longgammon,
    compiled(senet_backgammon::variant("longgammon")),
    &NOTATION,
    "longgammon.txt"
);

/// Laws that hold through doubles, takes, drops and resignations too.
#[test]
fn laws_hold_through_the_cube() {
    let case = Case::new(senet_backgammon::game(), &NOTATION).with_asides();
    law::legal_is_exactly_what_apply_accepts(&case);
    law::a_refused_event_changes_nothing(&case);
    law::undo_restores(&case);
    law::incremental_hash_equals_full_hash(&case);
    law::replay_is_identity(&case);
    law::saved_matches_load_at_every_step(&case);
    law::position_text_round_trips(&case);
    law::event_text_round_trips(&case);
    law::pieces_agree_with_tiles(&case);
}

/// The oracle tries every event by name, which takes it a while: a few states of each game.
#[test]
fn oracle_and_engine_agree() {
    for definition in [senet_backgammon::definition(), senet_backgammon::variant("hypergammon")] {
        let case = Case::new(compiled(definition), &NOTATION);
        for walk in case.walks() {
            for state in walk.states.iter().step_by(29) {
                oracle::agree_in(&case.game, state);
            }
        }
    }
}

#[test]
fn oracle_and_engine_agree_through_a_match_with_the_cube() {
    let game = compiled(senet_backgammon::variant("hypergammon"));
    let terms = Terms { length: 3, ..Terms::default() };
    let mut state = terms.start(&game).expect("terms");
    let mut source = Source::seeded(4);
    let mut steps = 0;
    while game.outcome(&state).is_none() && steps < 400 {
        if steps % 7 == 0 {
            oracle::agree_in(&game, &state);
        }
        let asides = game.asides(&state);
        let aside = source.pick(&asides).filter(|_| source.below(6) == 0);
        let drawn = aside.or_else(|| source.draw(&game, &state));
        let event = drawn.or_else(|| source.pick(&game.legal(&state))).expect("play goes on");
        state = game.apply(&state, event).expect("a legal event").state;
        steps += 1;
    }
    assert!(game.outcome(&state).is_some(), "a match to 3 ends");
}
