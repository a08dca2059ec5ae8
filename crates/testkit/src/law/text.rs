//! Laws about what is written: positions and events read back as what they were.

use std::collections::BTreeMap;

use senet_core::{Event, Notation, Plain, text};

use crate::case::Case;

/// A position, in the game's notation and in the plain one, reads back as itself.
pub fn position_text_round_trips(case: &Case) {
    let game = &case.game;
    for state in case.states(400) {
        for notation in [case.notation, &Plain as &dyn Notation] {
            let written = notation.format_position(game, &state);
            let read = notation.parse_position(game, &written);
            let read = read.unwrap_or_else(|error| panic!("`{written}`: {error}"));
            assert!(game.view(&read).same_position(&state), "`{written}`");
            assert_eq!(read.hash128(), state.hash128(), "`{written}`");
            assert_eq!(notation.format_position(game, &read), written);
            assert_eq!(game.legal(&read), game.legal(&state), "`{written}`");
            assert_eq!(game.outcome(&read), game.outcome(&state), "`{written}`");
            assert!(!notation.draw(game, &state).is_empty());
        }
    }
}

/// An event, however it is written, reads back as itself, and no two events are written the same:
/// in the plain text of all that can be written down, in the game's notation of those accepted.
pub fn event_text_round_trips(case: &Case) {
    let game = &case.game;
    let start = game.start();
    let mut written: BTreeMap<String, Event> = BTreeMap::new();
    for event in case.universe() {
        let name = text::format_event(game, event);
        if let Some(twin) = written.insert(name.clone(), event) {
            panic!("`{name}` is both {twin:?} and {event:?}");
        }
        assert_eq!(text::parse_event(game, &start, &name), Ok(event));
    }
    for state in case.states(800) {
        let mut notated: BTreeMap<String, Event> = BTreeMap::new();
        let mut formatted: BTreeMap<String, Event> = BTreeMap::new();
        for event in game.legal(&state).into_iter().chain(game.asides(&state)) {
            let told = || case.tell(&state, event);
            let name = case.notation.format_event(game, &state, event);
            assert_eq!(case.notation.parse_event(game, &state, &name), Ok(event), "{}", told());
            if let Some(twin) = formatted.insert(name.clone(), event) {
                panic!("{}: `{name}` is also {twin:?}", told());
            }
            let name = case.notation.notate(game, &state, event);
            assert_eq!(case.notation.parse_event(game, &state, &name), Ok(event), "{}", told());
            if let Some(twin) = notated.insert(name.clone(), event) {
                panic!("{}: `{name}` is also {twin:?}", told());
            }
        }
    }
}
