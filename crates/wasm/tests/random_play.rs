//! Random play gives the same games as machine code as it gives in the interpreter.

use std::sync::Arc;

use senet_chance::{Source, finish, playout};
use senet_core::backend::{Backend, Purpose, Session};
use senet_core::{Game, Options, State};
use senet_registry::Shipped;
use senet_registry::lang::{Library, Reading, read_with};
use senet_testkit::{random, sample};
use senet_wasm::Wasmtime;

/// The words of the generator that a seed gives (SplitMix64).
fn words_of(seed: u64) -> [u64; 4] {
    let mut at = seed;
    std::array::from_fn(|_| {
        at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = at;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    })
}

/// Asserts that words are those of a state.
fn assert_is(state: &State, words: &[u64], what: &str) {
    assert_eq!(words, &state.words()[..words.len()], "{what}");
}

/// Plays from the start with some seeds, by both ways, and asks how the games have ended.
fn agree(game: &Game, session: &mut dyn Session, seeds: u64, limit: u32) {
    let mut words = vec![0; game.program().tree_words()];
    for seed in 0..seeds {
        let host = playout(game, &game.start(), &mut Source::seeded(seed), limit as usize);
        words.copy_from_slice(&game.start().words()[..game.program().tree_words()]);
        let found = session.playout(&mut words, &mut words_of(seed), limit);
        let found = found.expect("room for notes and lists");
        assert_eq!(found.events as usize, host.events.len(), "{} {seed}", game.name());
        assert_is(&host.state, &words, game.name());
        if !game.looks_back() {
            let wanted = game.outcome(&host.state).map(|outcome| outcome.ending.index());
            assert_eq!(found.ending.map(|(one, _)| one), wanted, "{} {seed}", game.name());
        }
    }
}

/// The same event by event.
fn agree_throughout(game: &Game, session: &mut dyn Session, limit: u32) {
    let mut words = vec![0; game.program().tree_words()];
    let mut state = game.start().clone();
    let host = playout(game, &state, &mut Source::seeded(7), limit as usize);
    for (at, event) in host.events.into_iter().enumerate() {
        state = game.apply(&state, event).unwrap().state;
        words.copy_from_slice(&game.start().words()[..game.program().tree_words()]);
        let played = session.playout(&mut words, &mut words_of(7), at as u32 + 1);
        assert!(played.is_some(), "room for notes and lists");
        assert_is(&state, &words, &format!("{} {at}", game.name()));
    }
}

#[test]
fn shipped_games_are_played_at_random_alike() {
    let shipped = senet_registry::GAMES.iter().map(senet_registry::Entry::definition);
    let shipped = shipped.map(|one| one.compile(Options::default()).expect("a sound definition"));
    let mut played = 0;
    for game in shipped.chain([sample::dash()]) {
        // What players do not see is left to the engine.
        if game.has_secrets() {
            continue;
        }
        let (seeds, limit) = if game.tile_count() > 64 { (2, 150) } else { (6, 400) };
        let session = Wasmtime::new().session(&game, Purpose::Random);
        let mut session = session.unwrap_or_else(|why| panic!("{}: {why}", game.name()));
        agree(&game, &mut *session, seeds, limit);
        agree_throughout(&game, &mut *session, 60);
        played += 1;
    }
    assert!(played > 30, "{played} games");
}

#[test]
fn a_game_that_is_not_over_is_left_at_the_last_position_with_its_hash() {
    for name in ["chess", "oware", "backgammon", "crazyhouse"] {
        let entry = senet_registry::find(name).expect("a game of the registry");
        let game = entry.definition().compile(Options::default()).expect("a sound definition");
        game.attach(Arc::new(Wasmtime::new()));
        let mut walker = game.walker();
        for seed in 0..40 {
            let host = playout(&game, &game.start(), &mut Source::seeded(seed), 25);
            let found = finish(&mut walker, &game.start(), &mut Source::seeded(seed), 25);
            assert_eq!((found.events, &found.outcome), (host.events.len(), &host.outcome));
            let last = found.unfinished.expect("no game of these is so short");
            assert_is(&host.state, &last.words()[..game.program().tree_words()], name);
            assert_eq!(last.hash128(), host.state.hash128(), "{name} {seed}");
        }
    }
}

/// More tiles than a word has bits, of which no rule speaks.
const MORE_TILES: (&str, &str) = (
    "tiles white-bar, black-bar, white-off, black-off stacks",
    "tiles white-bar, black-bar, white-off, black-off, x1, x2, x3, x4, x5, x6, x7, x8, \
    x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, \
    x26, x27, x28, x29, x30, x31, x32, x33, x34, x35, x36, x37, x38, x39, x40 stacks",
);

#[test]
fn moves_by_dice_are_drawn_alike_on_a_board_of_several_words() {
    let mut source = Shipped.source("backgammon").unwrap();
    assert!(source.text.contains(MORE_TILES.0));
    source.text = source.text.replace(MORE_TILES.0, MORE_TILES.1);
    let file = read_with(&source, &Reading { library: &Shipped, settings: [].into() });
    let file = file.unwrap_or_else(|problems| panic!("{problems:?}"));
    let game = file.compile(Options::default()).expect("a sound definition");
    assert!(game.tile_count() > 64);
    let mut session = Wasmtime::new().session(&game, Purpose::Random).unwrap();
    agree(&game, &mut *session, 6, 600);
    agree_throughout(&game, &mut *session, 60);
}

#[test]
fn random_definitions_are_played_at_random_alike() {
    let mut played = 0;
    for seed in 0..600 {
        let mut source = Source::seeded(seed);
        let definition = random::definition(&mut |bound| source.below(bound));
        let Ok(game) = definition.compile(Options::default()) else { continue };
        let Ok(mut session) = Wasmtime::new().session(&game, Purpose::Random) else { continue };
        agree(&game, &mut *session, 3, 40);
        played += 1;
    }
    assert!(played > 60, "{played} games");
}
