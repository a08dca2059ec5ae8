//! Laws about matches: undo, branches, replays and saves.

use std::sync::Arc;

use senet_chance::Source;
use senet_core::{Definition, Game, Match, Options, State};

use crate::case::{Case, Walk};
use crate::playthrough::playthrough;

/// The match of a walk, and its states as they were played. They may differ from those of the walk in
/// what a match alone knows, which is how often a position has occurred.
fn replayed(game: &Arc<Game>, walk: &Walk) -> (Match, Vec<State>) {
    let mut played = Match::new(game.clone());
    let mut states = vec![played.state().clone()];
    for (&event, expected) in walk.events.iter().zip(&walk.states[1..]) {
        played.apply(event).expect("the event was accepted before");
        assert!(game.view(played.state()).same_position(expected), "a match plays by the rules");
        states.push(played.state().clone());
    }
    (played, states)
}

/// Undo, redo and goto give back the very states that were played.
pub fn undo_restores(case: &Case) {
    for (seed, walk) in case.walks().enumerate() {
        let (mut played, states) = replayed(&case.game, &walk);
        let last = walk.events.len();
        assert_eq!((played.ply(), played.len()), (last, last));
        assert!(!played.redo(), "nothing is undone");
        for ply in (0..last).rev() {
            assert!(played.undo());
            assert_eq!((played.state(), played.ply()), (&states[ply], ply));
            assert_eq!(played.len(), last, "what is undone is still there");
        }
        assert!(!played.undo(), "the start has nothing before it");
        for ply in 1..=last {
            assert!(played.redo());
            assert_eq!(played.state(), &states[ply]);
            assert_eq!(played.last().map(|one| one.event), Some(walk.events[ply - 1]));
            let changes = case.game.diff(&states[ply - 1], &states[ply]);
            assert_eq!(played.changes(), changes);
        }
        let mut source = Source::seeded(seed as u64);
        for _ in 0..30 {
            let ply = source.below(last as u64 + 1) as usize;
            assert!(played.goto(ply));
            assert_eq!((played.state(), played.ply()), (&states[ply], ply));
        }
        assert!(!played.goto(last + 1));
    }
}

/// A branch goes its own way, and the line it left stays whole.
pub fn branches_do_not_meet(case: &Case) {
    for walk in case.walks() {
        let (mut trunk, states) = replayed(&case.game, &walk);
        for ply in (0..walk.events.len()).step_by(7) {
            trunk.goto(ply);
            let mut branch = trunk.branch();
            let other = case.game.legal(&states[ply]).into_iter();
            let Some(other) = other.into_iter().find(|event| *event != walk.events[ply]) else {
                continue;
            };
            branch.apply(other).expect("legal");
            assert_eq!((branch.ply(), branch.len()), (ply + 1, ply + 1), "a new line begins here");
            assert_eq!(branch.last().map(|one| one.event), Some(other));
            assert!(branch.undo());
            assert_eq!(branch.state(), &states[ply], "both lines share what came before");
            assert_eq!((trunk.ply(), trunk.len()), (ply, walk.events.len()));
            let mut again = trunk.branch();
            again.apply(walk.events[ply]).expect("legal");
            assert_eq!(again.len(), walk.events.len(), "playing what was undone keeps the rest");
        }
        let kept: Vec<_> = trunk.steps().into_iter().map(|(_, state)| state).collect();
        assert_eq!(kept, states[1..]);
        assert_eq!(trunk.first_state(), states[0]);
    }
}

/// The same events give the same states.
pub fn replay_is_identity(case: &Case) {
    for walk in case.walks() {
        let mut state = case.game.start();
        for (event, expected) in walk.events.iter().zip(&walk.states[1..]) {
            state = case.game.apply(&state, *event).expect("accepted before").state;
            assert_eq!(&state, expected, "{}", case.tell(&state, *event));
        }
    }
}

/// At every step, a match written and read back, in both forms, is the same match.
pub fn saved_matches_load_at_every_step(case: &Case) {
    let game = &case.game;
    let walk = case.walk(1);
    let mut played = Match::new(game.clone());
    for ply in 0..=walk.events.len().min(60) {
        check_saves(&played);
        match walk.events.get(ply) {
            Some(&event) => played.apply(event).expect("accepted before"),
            None => break,
        };
    }
    played.goto(played.len() / 2);
    check_saves(&played);
    check_saves(&Match::from_state(game.clone(), played.state().clone()));
}

fn check_saves(played: &Match) {
    let game = played.game();
    let (json, bytes) = (played.to_json(), played.to_bytes());
    for form in [json.as_bytes(), &bytes] {
        assert_eq!(Match::saved_game(form).as_deref(), Some(game.name()));
        let loaded = Match::load(game.clone(), form).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((loaded.ply(), loaded.len()), (played.ply(), played.len()));
        assert_eq!(loaded.state().hash128(), played.state().hash128());
        for ((one, here), (two, there)) in loaded.steps().iter().zip(&played.steps()) {
            assert_eq!(one, two);
            assert!(game.view(here).same_position(there));
        }
        assert_eq!(loaded.to_json(), json);
        assert_eq!(loaded.to_bytes(), bytes);
    }
}

/// Compiled twice and played with the same seed, a game writes the same bytes.
pub fn same_seed_gives_same_bytes(case: &Case) {
    let definition: Definition = case.game.definition().clone();
    let options: Options = case.game.options().clone();
    let twin = Case::new(definition.compile(options).expect("compiles twice"), case.notation);
    for seed in [7, 8] {
        let one = playthrough(&case.game, case.notation, seed);
        assert_eq!(one, playthrough(&twin.game, twin.notation, seed));
        let (here, _) = replayed(&case.game, &case.walk(seed));
        let (there, _) = replayed(&twin.game, &twin.walk(seed));
        assert_eq!(here.to_bytes(), there.to_bytes());
        assert_eq!(here.to_json(), there.to_json());
    }
}
