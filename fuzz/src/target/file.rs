//! Files: games in PGN, .mat and SGF, and saved matches. Each reads as what was written, or an error
//! says where it does not.

use std::sync::LazyLock;

use senet::notation::{self, sgf};
use senet::{Game, Match};
use senet_chance::Source;
use senet_testkit::mutate_bytes;

use super::position::random_position;
use super::text::{GAMES, changed, game};
use super::{Target, shorter};

pub(super) const PGN: Target = Target {
    name: "pgn",
    law: "a file of PGN is read to its end, each game with its moves or with an error",
    fresh: |source, corpus| changed(source, corpus, &[]),
    check: check_pgn,
    smaller: shorter,
};

pub(super) const MAT: Target = Target {
    name: "mat",
    law: "a .mat file is read to its end, each game with its plays or with an error",
    fresh: |source, corpus| changed(source, corpus, &[]),
    check: check_mat,
    smaller: shorter,
};

pub(super) const SGF: Target = Target {
    name: "sgf",
    law: "an SGF file is read to its end, each game with an error or with moves that are written and read again",
    fresh: |source, corpus| changed(source, corpus, &[]),
    check: check_sgf,
    smaller: shorter,
};

pub(super) const MATCH: Target = Target {
    name: "match",
    law: "a saved match is loaded as it was saved, or an error says what is wrong with it",
    fresh: fresh_match,
    check: check_match,
    smaller: shorter,
};

static PGN_GAMES: LazyLock<Vec<notation::PgnGame>> = LazyLock::new(notation::pgn_games);
static MAT_GAMES: LazyLock<Vec<Game>> = LazyLock::new(notation::mat_games);

fn check_pgn(case: &[u8]) {
    let rules = notation::pgn_rules(&PGN_GAMES);
    let mut reader = notation::pgn::Reader::new(case, "case", &rules);
    let mut read = 0;
    while let Some(line) = reader.next_line() {
        match line {
            Ok(line) => assert!(game(&line.game).is_some()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        read += 1;
        assert!(read <= case.len() + 1, "more games than bytes");
    }
    let mut reader = notation::pgn::Reader::new(case, "case", &rules);
    while let Some(record) = reader.next_record() {
        if let Err(error) = record {
            assert!(!error.to_string().is_empty());
        }
    }
}

fn check_mat(case: &[u8]) {
    let mut reader = notation::mat_reader(&MAT_GAMES, case, "case");
    let mut read = 0;
    while let Some(game) = reader.next_game() {
        if let Err(error) = game {
            assert!(!error.to_string().is_empty());
        }
        read += 1;
        assert!(read <= case.len() + 1, "more games than bytes");
    }
}

fn check_sgf(case: &[u8]) {
    let text = String::from_utf8_lossy(case);
    for (number, record) in sgf::Reader::new(&text).enumerate() {
        assert!(number <= case.len(), "more games than bytes");
        match record {
            Ok(record) => {
                let written = sgf::write_sgf(&record.played, &record.names, None);
                let written = written.expect("what was read can be written");
                let again = sgf::Reader::new(&written).next().expect("there is a game");
                let again = again.unwrap_or_else(|error| panic!("{error}\n{written}"));
                assert_eq!(again.played.position(), record.played.position());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A saved match with some bytes changed, in either form.
fn fresh_match(source: &mut Source, corpus: &[Vec<u8>]) -> Vec<u8> {
    if source.below(3) == 0 {
        return changed(source, corpus, &[]);
    }
    let game: &Game = &GAMES[source.below(GAMES.len() as u64) as usize];
    let mut played = Match::at(random_position(game, source));
    for _ in 0..source.below(12) {
        let position = played.position();
        let drawn = source.draw(game.rules(), position.state());
        let Some(event) = drawn.or_else(|| source.pick(&position.legal())) else { break };
        if played.apply(event).is_err() {
            break;
        }
    }
    let bytes = if source.below(2) == 0 { played.save() } else { played.to_json().into_bytes() };
    if source.below(4) == 0 { bytes } else { mutate_bytes(source, &bytes) }
}

fn check_match(case: &[u8]) {
    let _ = Match::saved_game(case);
    for game in GAMES.iter() {
        match Match::load(game, case) {
            Ok(played) => {
                let again = Match::load(game, &played.save()).expect("what is saved loads");
                assert_eq!(again.position(), played.position());
                assert_eq!(again.to_json(), played.to_json());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
