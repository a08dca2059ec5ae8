//! Matches in `.mat` files: read, checked and written.

use senet_backgammon::mat::{Deed, Reader, Record, write_game, write_header};
use senet_backgammon::position::{Side, Win};
use senet_backgammon::{game, variant};
use senet_core::Options;

/// A match to five points that gnubg played against itself and wrote.
const MATCH: &str = include_str!("data/match.mat");

fn read(text: &[u8]) -> Vec<Result<Record, String>> {
    let (game, hyper) = (game(), variant("hypergammon").compile(Options::default()).unwrap());
    let mut reader = Reader::new(text, "m.mat", &[&game, &hyper]);
    let mut records = Vec::new();
    while let Some(record) = reader.next_game() {
        records.push(record.map_err(|error| error.to_string()));
    }
    records
}

fn sound(text: &str) -> Vec<Record> {
    read(text.as_bytes()).into_iter().map(|one| one.unwrap_or_else(|e| panic!("{e}"))).collect()
}

fn written(records: &[Record]) -> String {
    let write = |record: &Record| {
        let header = if record.opens { write_header(&record.header) } else { String::new() };
        header + &write_game(&record.game)
    };
    records.iter().map(write).collect()
}

#[test]
fn a_match_of_gnubg_replays_to_its_end() {
    let records = sound(MATCH);
    let score = |record: &Record| record.game.score;
    assert_eq!(records.iter().map(score).collect::<Vec<_>>(), [[0, 0], [0, 2], [4, 2], [4, 3]]);
    let wins: Vec<_> = records.iter().map(|record| record.win).collect();
    assert_eq!(wins[..2], [Some(Win::Single), Some(Win::Gammon)]);
    assert_eq!(records[3].win, Some(Win::Backgammon));
    // What a program gives up is not on the board.
    assert_eq!(
        records.iter().map(|record| record.awarded).collect::<Vec<_>>(),
        [true, false, true, false]
    );
    assert_eq!(records[0].game.entries[0].side, Side::White);
}

#[test]
fn what_is_written_reads_back_to_the_same_match() {
    let records = sound(MATCH);
    let text = written(&records);
    let again = sound(&text);
    for (one, two) in records.iter().zip(&again) {
        assert_eq!(one.header, two.header);
        assert_eq!(one.game, two.game);
        assert_eq!(one.events, two.events);
        assert_eq!(one.state, two.state);
    }
    assert_eq!(records.len(), again.len());
    assert_eq!(written(&again), text);
}

const SHORT: &str = "\
; [Site \"a café\"]
; by hand

 3 point match

; before the game
 Game 1
 Anna : 0                       Bob Bar : 0
; before the first row
  1)                             31: 8/5 6/5
; after the first row
  2) 62: 24/18 13/11             Doubles => 2
  3)  Takes                      43: 24/20 13/10*
  4) Cannot
";

#[test]
fn comments_and_cube_actions_are_kept() {
    let text = SHORT.replace("  4) Cannot\n", "  4) 66:                         Wins\n");
    let text = text.replace(
        "  4) 66:                         Wins\n",
        "      Wins 2 points\n; the end\n\n; of all\n",
    );
    let text = text.replace("13/10*", "13/10");
    let records = sound(&text);
    assert_eq!(records[0].header.comments, ["[Site \"a café\"]", "by hand"]);
    let game = &records[0].game;
    assert_eq!(game.before, ["before the game"]);
    assert_eq!(game.comments[0], (0, "before the first row".to_owned()));
    assert_eq!(game.comments[1], (1, "after the first row".to_owned()));
    assert_eq!(game.after, ["of all"]);
    assert_eq!(game.entries[2].deed, Deed::Double(2));
    assert!(records[0].awarded);
    assert_eq!(sound(&written(&records))[0].game, *game);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let wrong = |from: &str, to: &str| {
        assert!(MATCH.contains(from), "{from}");
        let errors = read(MATCH.replacen(from, to, 1).as_bytes());
        errors.into_iter().find_map(Result::err).unwrap_or_else(|| panic!("{to} is read"))
    };
    let error = wrong("2) 32: 23/21 24/21", "2) 32: 23/21 23/20");
    assert!(
        error.starts_with("m.mat:8: game 1, move 2, white: 32: `32: 23/21 23/20` is illegal: "),
        "{error}"
    );
    let error = wrong("1) 21: 13/11 24/23", "1) 21: 13/11      ");
    assert!(
        error.contains("m.mat:7: game 1") && error.contains("both dice can be played"),
        "{error}"
    );
    let error = wrong("1) 21: 13/11 24/23", "1) 22: 13/11 24/22");
    assert!(error.contains("two different numbers"), "{error}");
    assert!(wrong("21: 13/11", "71: 13/11").contains("expected two dice from 1 to 6"));
    assert!(wrong("Doubles => 2", "Doubles => 3").contains("the cube would show 2"));
    assert!(wrong("Wins 2 points", "Wins 3 points").contains("one to three times"));
    assert!(wrong("Wins 6 points", "Wins 4 points").ends_with("white wins 6, a backgammon"));
    assert!(
        wrong("gnubg : 0                      root : 2", "gnubg : 0   root : 3")
            .contains("expected 0 to 2, found a score of 0 to 3")
    );
    assert!(wrong(" Game 1", " Game x").contains("expected a number, found `x`"));
    assert!(wrong(" 5 point match\n", "").contains("`5 point match`"));
    assert!(wrong(" Game 1\n", " Game 1\n Game 2\n").contains("found"));
    assert!(wrong("5 point match", "99999 point match").contains("0 to 32767"));
    // An error in one game leaves the others.
    let records = read(MATCH.replacen("13/11 24/23", "13/1", 1).as_bytes());
    assert_eq!(records.iter().filter(|record| record.is_ok()).count(), 3);
}

#[test]
fn a_cube_in_the_crawford_game_is_refused() {
    let text = " 2 point match\n\n Game 1\n a : 1   b : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n";
    let error = read(text.as_bytes()).remove(0).unwrap_err();
    assert!(error.contains("m.mat:5") && error.contains("Crawford"), "{error}");
}

#[test]
fn a_file_may_name_a_variant() {
    let text = "; [Variation \"Hypergammon\"]\n 1 point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 24/20\n";
    assert_eq!(sound(text)[0].variant, "hypergammon");
    let error = read(text.replace("Hyper", "Super").as_bytes()).remove(0).unwrap_err();
    assert!(error.contains("unknown variant `supergammon`"), "{error}");
}

#[test]
fn no_bytes_make_it_panic() {
    let mut state = 1u64;
    let mut next = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize
    };
    for round in 0..300 {
        let mut bytes = MATCH.as_bytes()[..2500].to_vec();
        for _ in 0..1 + round % 9 {
            let at = next() % bytes.len();
            match next() % 4 {
                0 => bytes[at] = [0, 0xff, b'\n', b'*', b'/', b':', b')', b'9'][next() % 8],
                1 => drop(bytes.drain(at..(at + next() % 40).min(bytes.len() - 1).max(at))),
                2 => bytes.insert(at, (next() % 256) as u8),
                _ => bytes.truncate(at.max(1)),
            }
        }
        for error in read(&bytes).into_iter().filter_map(Result::err) {
            assert!(error.starts_with("m.mat:"), "{error}");
        }
    }
    let mut long = vec![b'x'; 1 << 17];
    long.extend(b"\n");
    long.extend(MATCH.as_bytes());
    let records = read(&long);
    assert!(records[0].as_ref().unwrap_err().contains("a line is longer than"));
    assert_eq!(records.len(), 5);
}
