//! No text makes a reader panic, and whatever is read is written and read again.

use std::sync::LazyLock;

use proptest::prelude::*;
use senet_chess::epd::Epd;
use senet_chess::pgn::{Reader, Rules};
use senet_chess::{CHESS960, NOTATION, game};
use senet_core::{Game, Notation};

static GAME: LazyLock<Game> = LazyLock::new(game);

const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const EPD: &str =
    "4k3/8/8/3pP3/8/8/8/R3K2R w KQ d6 bm O-O exd6; pv Ra8+ Kd7; id \"a \\\"b\\\"\"; ce 12;";
const PGN: &str = "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n{a}\n1. O-O! Kd7 ({b} 1... Kf7 $4\n2. Kg2) 2. a8=Q ;c }\n% d\n2... Kc7 *\n\n[Event \"y\"]\n\n1. e4 e5 1/2-1/2\n";

/// A text with some of its bytes changed, dropped or doubled, from letters it is made of.
fn mutated(text: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let letter = prop_oneof![
        proptest::sample::select(text.as_bytes().to_vec()),
        proptest::sample::select(b"({[;%$\"\\\n\0\xff*.#+=-/ ".to_vec()),
        any::<u8>(),
    ];
    let edit = (0..text.len(), 0..4_u8, letter);
    proptest::collection::vec(edit, 0..6).prop_map(|edits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, how, letter) in edits {
            let at = at.min(bytes.len() - 1);
            match how {
                0 => bytes[at] = letter,
                1 => bytes.insert(at, letter),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes.extend_from_within(at..),
            }
        }
        bytes
    })
}

fn anything() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,80}",
        "[a-hNBRQKOx0-9=+#/() -]{0,12}",
        "[pnbrqkPNBRQK1-8/]{0,80} [wb] [KQkq-]{1,4} [a-h1-8-]{1,2} .{0,9}"
    ]
}

fn read_position(text: &str) {
    for notation in [&NOTATION, &CHESS960] {
        match notation.parse_position(&GAME, text) {
            Ok(state) => {
                let written = notation.format_position(&GAME, &state);
                let again = notation.parse_position(&GAME, &written).expect(&written);
                assert_eq!(again.hash128(), state.hash128());
                let _ = (notation.draw(&GAME, &state), GAME.legal(&state));
            }
            Err(error) => {
                assert!(!error.reasons.is_empty());
                assert!(error.reasons.iter().all(|one| one.at.is_none_or(|at| at <= text.len())));
                assert!(error.to_string().len() < 20_000);
            }
        }
    }
}

fn read_line(text: &str) {
    if let Ok(epd) = Epd::parse(&GAME, &NOTATION, text) {
        let written = epd.format(&GAME, &NOTATION);
        let again = Epd::parse(&GAME, &NOTATION, &written).expect(&written);
        assert_eq!(again.format(&GAME, &NOTATION), written);
    }
}

fn read_games(text: &[u8]) {
    let rules = Rules::new(&GAME, &NOTATION);
    let mut lines = Vec::new();
    let mut reader = Reader::new(text, "any.pgn", &rules);
    while let Some(line) = reader.next_line() {
        lines.push(line.ok().map(|line| line.events.clone()));
    }
    let mut reader = Reader::new(text, "any.pgn", &rules);
    let mut games = 0;
    // After a mistake in a variation, the two readers go on from different places.
    let mut together = true;
    while let Some(read) = reader.next_record() {
        let line = lines.get(games).cloned().flatten();
        games += 1;
        match read {
            Ok(record) => {
                assert!(!together || line == Some(record.tree.main_line()));
                let written = record.format(&rules).unwrap();
                let again = Reader::new(written.as_bytes(), "again.pgn", &rules).next_record();
                assert_eq!(again.unwrap().expect(&written), record, "{written}");
            }
            Err(error) => {
                together = false;
                assert_eq!(error.game, games);
                assert!(error.to_string().len() < 4000);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_as_a_position(text in anything()) {
        read_position(&text);
        read_line(&text);
    }

    #[test]
    fn a_position_with_slips(bytes in mutated(FEN)) {
        read_position(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_line_with_slips(bytes in mutated(EPD)) {
        read_line(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_as_an_event(text in anything()) {
        for state in [GAME.start(), NOTATION.parse_position(&GAME, FEN).unwrap()] {
            for notation in [&NOTATION, &CHESS960] {
                if let Ok(event) = notation.parse_event(&GAME, &state, &text) {
                    let _ = GAME.apply(&state, event);
                    let _ = notation.format_event(&GAME, &state, event);
                }
            }
        }
    }

    #[test]
    fn any_bytes_as_games(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_games(&bytes);
    }

    #[test]
    fn any_text_as_games(text in "[a-hNOx1-8.(){};%$!?*\"\\[\\] \n-]{0,80}") {
        read_games(text.as_bytes());
    }

    #[test]
    fn games_with_slips(bytes in mutated(PGN)) {
        read_games(&bytes);
    }
}
