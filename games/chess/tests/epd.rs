//! Positions with operations.

use std::sync::LazyLock;

use senet_chess::epd::{Epd, Operand};
use senet_chess::{NOTATION, game};
use senet_core::{Game, Notation};

static GAME: LazyLock<Game> = LazyLock::new(game);

fn parse(text: &str) -> Epd {
    Epd::parse(&GAME, &NOTATION, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The kinds of reasons with the byte of each.
fn reasons(text: &str) -> Vec<(String, Option<usize>)> {
    let error = Epd::parse(&GAME, &NOTATION, text).expect_err(text);
    error.reasons.into_iter().map(|reason| (reason.kind, reason.at)).collect()
}

#[test]
fn operations_are_read_and_written() {
    let lines = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4 Nf3; am f3; id \"start\";",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - pv O-O-O Ke7 Rhe1+; ce 950; c0 \"a \\\"quote\\\"; and \\\\\";",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 hmvc 0; fmvn 12; noop;",
    ];
    for line in lines {
        assert_eq!(parse(line).format(&GAME, &NOTATION), line);
    }
}

#[test]
fn moves_texts_and_numbers_are_found_by_name() {
    let epd = parse("4k3/8/8/8/8/8/8/R3K2R w KQ - bm O-O e1c1 Ra8; id \"castle; or not\"; ce -12;");
    let moves: Vec<String> =
        epd.moves("bm").iter().map(|&event| NOTATION.notate(&GAME, &epd.state, event)).collect();
    assert_eq!(moves, ["O-O", "O-O-O", "Ra8+"]);
    assert_eq!(epd.text("id"), Some("castle; or not"));
    assert_eq!(epd.text("ce"), Some("-12"));
    assert_eq!(epd.operation("am"), None);
    assert_eq!(epd.operation("id").unwrap().operands, [Operand::Text("castle; or not".into())]);
}

#[test]
fn clocks_come_as_operations_or_as_in_fen() {
    for text in [
        "4k3/8/8/8/8/8/8/4K3 w - - hmvc 7; fmvn 33;",
        "4k3/8/8/8/8/8/8/4K3 w - - 7 33 ;D1 5 ;D2 25",
    ] {
        let fen = NOTATION.format_position(&GAME, &parse(text).state);
        assert_eq!(fen, "4k3/8/8/8/8/8/8/4K3 w - - 7 33");
    }
    assert_eq!(parse("4k3/8/8/8/8/8/8/4K3 w - - 7 33;D1 5 ;D2 25").text("D2"), Some("25"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let cases = [
        ("4k3/8/8/8/8/8/8/4K3 w - - bm ^Kd8;", "bad move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1 ^Qd8;", "bad move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - pv Kd1 ^Kd1;", "bad move"),
        ("4k3/8/8/8/8/8/8/4K3 w - - id ^\"open;", "malformed operation"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ^\"text\" id;", "malformed operation"),
        ("4k3/8/8/8/8/8/8/4K3 w - - hmvc ^x;", "bad halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 ^x - - id \"y\";", "unknown side to move"),
    ];
    for (marked, kind) in cases {
        let at = marked.find('^');
        assert_eq!(reasons(&marked.replace('^', "")), [(kind.to_owned(), at)], "{marked}");
    }
}
