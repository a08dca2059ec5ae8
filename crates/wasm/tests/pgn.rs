//! Files of games are read alike with machine code and without: the same moves, states and errors.
#![cfg(feature = "host")]

use std::sync::Arc;

use senet_core::backend::Purpose;
use senet_core::{Game, Options};
use senet_registry::chess::NOTATION;
use senet_registry::chess::pgn::{Reader, Record, Rules, Tags, Termination, Tree};
use senet_testkit::Source;
use senet_wasm::Wasmtime;

fn chess() -> Game {
    let entry = senet_registry::find("chess").expect("chess");
    entry.definition().compile(Options::default()).expect("chess")
}

/// Chess whose every question machine code answers.
fn fast_chess() -> Game {
    let (game, backend) = (chess(), Arc::new(Wasmtime::new()));
    backend.compile(&game, Purpose::Play).expect("a module");
    game.attach(backend);
    game
}

/// A file of random games.
fn random_games(game: &Game, games: u64) -> String {
    let rules = Rules::new(game, &NOTATION);
    let mut text = String::new();
    for number in 0..games {
        let mut source = Source::for_game(11, number);
        let (mut state, mut tree, mut node) = (game.start(), Tree::new(), 0);
        for _ in 0..120 {
            let Some(event) = source.pick(&game.legal(&state)) else { break };
            node = tree.add(node, event);
            state = game.apply(&state, event).expect("a legal event").state;
        }
        let mut tags = Tags::default();
        tags.set("Event", "random play");
        let (start, result) = (game.start(), Termination::Unknown);
        let record = Record { tags, game: game.name().to_owned(), start, tree, result };
        text.push_str(&record.format(&rules).expect("random games are legal"));
        text.push('\n');
    }
    text
}

/// Compares two games that read the same text, as lines and as records.
fn agree_on(plain: &Game, fast: &Game, text: &[u8]) -> (usize, usize) {
    let (one, two) = (Rules::new(plain, &NOTATION), Rules::new(fast, &NOTATION));
    let (mut slow, mut quick) = (Reader::new(text, "f", &one), Reader::new(text, "f", &two));
    let (mut moves, mut errors) = (0, 0);
    loop {
        let (a, b) = (slow.next_line(), quick.next_line());
        assert_eq!(a, b, "{}", String::from_utf8_lossy(text));
        match a {
            Some(Ok(line)) => moves += line.events.len(),
            Some(Err(_)) => errors += 1,
            None => break,
        }
    }
    let (mut slow, mut quick) = (Reader::new(text, "f", &one), Reader::new(text, "f", &two));
    loop {
        let (a, b) = (slow.next_record(), quick.next_record());
        assert_eq!(a, b, "{}", String::from_utf8_lossy(text));
        if a.is_none() {
            return (moves, errors);
        }
    }
}

/// Comments, glyphs and variations between moves, castling and captures in passing, pieces that must be told
/// apart, other ways to write moves, and moves that are wrong.
const GAMES: &[&str] = &[
    "1. e4 e5 2. Nf3 {develops} Nc6 $1 3. Bb5 (3. Bc4 Bc5 (3... Nf6 4. Ng5 d5) 4. c3) a6 4. O-O Nf6 *",
    "1. e4 d5 2. e5 f5 3. exf6 e.p. Nc6 4. fxg7 Bf5 5. gxh8=Q Qd6 6. Qxg8 O-O-O 7. Nh3 Be4 8. Ng5 Bxg2 *",
    "1. Nf3 Nf6 2. Nc3 Nc6 3. Nd5 Nd4 4. Nf6+ exf6 5. Nd4 *",
    "1. Nf3 d5 2. d3 d4 3. Nbd2 c5 4. Ng5 h6 5. Nge4 f5 6. Nc5 Qd5 7. Nce4 Qa5 8. Nf3 *",
    "1. Nf3 d5 2. d3 d4 3. Nd2 *",
    "1. e2e4 e7e5 2. g1f3 b8c6 3. Bf1-b5 a7-a6 4. O-O *",
    "1. e4 e5 2. Ke2 Ke7 3. Ke3 Ke6 4. Kf4 *",
    "1. f3 e5 2. g4 Qh4# 3. a3 *",
    "1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4 e6 3. Nc3 Nf6) e5 {a} ; b\n2. Nf3 $3 $4 (2. f4 exf4) Nc6 1-0",
    "1. e4 e5 ) 2. Nf3 *",
    "1. e4 e5 2. Nf9 *",
];

#[test]
fn files_of_games_are_read_alike() {
    let (plain, fast) = (chess(), fast_chess());
    let written = random_games(&plain, 24);
    let (moves, errors) = agree_on(&plain, &fast, written.as_bytes());
    assert!(moves > 1500 && errors == 0, "{moves} moves, {errors} errors");
    let mut told = 0;
    for game in GAMES {
        told += agree_on(&plain, &fast, game.as_bytes()).1;
    }
    assert!(told >= 5, "{told} errors");
}

#[test]
fn broken_files_of_games_are_refused_alike() {
    let (plain, fast) = (chess(), fast_chess());
    let written = random_games(&plain, 3);
    let letters = b"NBRQKabcdefgh12345678x=+#O-0()[]{};$!?.* \n\0";
    let mut told = 0;
    for seed in 0..300 {
        let mut source = Source::seeded(seed);
        let pick = seed as usize % (GAMES.len() + 1);
        let mut text = GAMES.get(pick).map_or(written.as_bytes(), |game| game.as_bytes()).to_vec();
        for _ in 0..=source.below(3) {
            let at = source.below(text.len() as u64) as usize;
            let letter = letters[source.below(letters.len() as u64) as usize];
            match source.below(3) {
                0 => text[at] = letter,
                1 => text.insert(at, letter),
                _ => drop(text.remove(at)),
            }
        }
        told += agree_on(&plain, &fast, &text).1;
    }
    assert!(told > 100, "{told} errors");
}
