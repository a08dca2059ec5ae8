//! States and events of other games.

use senet_core::{Event, EventKind, Law, Match, Reason, Setup, Stopped, text};
use senet_testkit::sample;

#[test]
fn a_state_of_another_game_is_an_error_at_every_door() {
    let games = sample::all();
    for game in &games {
        for other in games.iter().filter(|other| other.name() != game.name()) {
            let state = other.start();
            assert!(!game.owns(&state));
            assert_eq!(game.verify(&state), Err(Law::Game));
            assert!(game.legal(&state).is_empty() && game.asides(&state).is_empty());
            assert_eq!((game.legal_count(&state), game.has_legal(&state)), (0, false));
            assert!(game.candidates(&state).is_empty() && game.chances(&state).is_empty());
            assert_eq!((game.outcome(&state), game.due(&state)), (None, None));
            assert_eq!(game.perft(&state, 2), u64::MAX);
            assert_eq!(game.turns(&state).err(), Some(Stopped::Foreign));
            assert!(game.divide(&state, 2).is_empty());
            assert_eq!(game.active_phase(&state), None);
            assert!(game.view(&state).occupied().is_empty());
            for player in game.players() {
                assert!(game.threats(&state, player).is_empty());
                assert!(game.threatened_royals(&state, player).is_empty());
            }
            for event in game.legal(&game.start()) {
                let rejection = game.apply(&state, event).unwrap_err();
                assert_eq!(rejection.reasons, [Reason::Foreign]);
                assert_eq!(game.simulate(&state, event), None);
                let mut walker = game.walker();
                assert_eq!(walker.accept(&state, event), None);
                assert_eq!(walker.count(&state), 0);
                assert_eq!(walker.pick(&state, |_| 0), None);
            }
            text::format_position(game, &state);
            Setup::of(game, &state);
            assert!(game.diff(&state, &state).is_empty());
        }
    }
}

#[test]
fn an_event_of_another_game_is_refused_as_foreign() {
    let games = sample::all();
    for game in &games {
        for other in &games {
            for kind in EventKind::ALL {
                let mut events = Vec::new();
                other.each_possible(kind, &mut |event| events.push(event));
                for event in events.into_iter().rev().take(200) {
                    text::format_event(game, event);
                    let answer = game.apply(&game.start(), event);
                    let Err(rejection) = answer else { continue };
                    assert!(!rejection.reasons.is_empty());
                }
            }
        }
    }
    let small = &games[3];
    let mut last = None;
    games[0].each_possible(EventKind::Move, &mut |event| last = Some(event));
    let Some(event @ Event::Move { .. }) = last else { panic!("{last:?}") };
    if let Err(rejection) = small.apply(&small.start(), event) {
        assert_eq!(rejection.reasons, [Reason::Foreign]);
        assert_eq!(text::format_event(small, event), "?");
    }
}

#[test]
fn a_match_from_a_state_of_another_game_refuses_every_event() {
    let game = std::sync::Arc::new(sample::skirmish());
    let mut played = Match::from_state(game.clone(), sample::dash().start());
    let event = game.legal(&game.start())[0];
    assert_eq!(played.apply(event).unwrap_err().reasons, [Reason::Foreign]);
    assert_eq!(played.outcome(), None);
}
