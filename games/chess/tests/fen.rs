//! Positions as FEN: what is read, what is written, and every reason for a refusal.

use std::sync::LazyLock;

use senet_chess::{ATOMIC, CHESS960, Chess, NOTATION, game, variant};
use senet_core::{Game, Notation, Options};

static GAME: LazyLock<Game> = LazyLock::new(game);

/// The kinds of reasons with the byte of each.
fn reasons(notation: &Chess, fen: &str) -> Vec<(String, Option<usize>)> {
    let error = notation.parse_position(&GAME, fen).expect_err(fen);
    error.reasons.into_iter().map(|reason| (reason.kind, reason.at)).collect()
}

/// The one reason for a refusal.
fn reason(fen: &str) -> (String, usize) {
    match &reasons(&NOTATION, fen)[..] {
        [(kind, Some(at))] => (kind.clone(), *at),
        other => panic!("{fen}: {other:?}"),
    }
}

/// What a position is written as after it was read.
fn rewritten(notation: &Chess, fen: &str) -> String {
    match notation.parse_position(&GAME, fen) {
        Ok(state) => notation.format_position(&GAME, &state),
        Err(error) => panic!("{fen}: {error}"),
    }
}

#[test]
fn the_start_is_written_as_everywhere() {
    let fen = NOTATION.format_position(&GAME, &GAME.start());
    assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(NOTATION.parse_position(&GAME, &fen).unwrap(), GAME.start());
}

#[test]
fn four_fields_are_enough() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
    assert_eq!(rewritten(&NOTATION, fen), format!("{fen} 0 1"));
}

#[test]
fn a_move_number_of_zero_is_the_first_move() {
    assert_eq!(
        rewritten(&NOTATION, "4k3/8/8/8/8/8/8/4K3 b - - 12 0"),
        "4k3/8/8/8/8/8/8/4K3 b - - 12 1"
    );
}

#[test]
fn the_clock_counts_moves_up_to_its_bound_and_spoils_nothing_beside_it() {
    for (before, after) in [(0, 1), (511, 512), (512, 513), (999, 1000), (1000, 1000)] {
        let fen = format!("4k3/8/8/8/8/8/8/R3K3 b - - {before} 600");
        let state = NOTATION.parse_position(&GAME, &fen).unwrap();
        let event = NOTATION.parse_event(&GAME, &state, "Ke7").unwrap();
        let step = GAME.apply(&state, event).unwrap();
        let fen = NOTATION.format_position(&GAME, &step.state);
        assert_eq!(fen, format!("8/4k3/8/8/8/8/8/R3K3 w - - {after} 601"));
    }
}

#[test]
fn an_en_passant_square_is_kept_where_a_capture_is_legal() {
    let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    assert_eq!(rewritten(&NOTATION, fen), fen);
}

#[test]
fn an_en_passant_square_without_a_capture_is_read_and_not_written() {
    let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(rewritten(&NOTATION, start), start.replace("e3", "-"));
    // The capture would uncover the king along the rank.
    let pinned = "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2";
    assert_eq!(rewritten(&NOTATION, pinned), pinned.replace("d6", "-"));
}

#[test]
fn castling_rights_are_read_as_files_too() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(rewritten(&NOTATION, &fen.replace("KQkq", "HAha")), fen);
    assert_eq!(rewritten(&CHESS960, &fen.replace("KQkq", "HAha")), fen);
    assert_eq!(rewritten(&NOTATION, &fen.replace("KQkq", "qkQK")), fen);
}

#[test]
fn a_file_is_written_only_where_the_wing_would_mean_another_rook() {
    let inner = "3k4/8/8/8/8/8/8/RR2K1RR w GB - 0 1";
    assert_eq!(rewritten(&CHESS960, inner), inner);
    assert_eq!(
        rewritten(&CHESS960, "3k4/8/8/8/8/8/8/RR2K1RR w HA - 0 1"),
        inner.replace("GB", "KQ")
    );
    assert_eq!(
        rewritten(&CHESS960, "3k4/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"),
        "3k4/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1"
    );
}

#[test]
fn what_is_malformed_is_told_with_its_place() {
    let cases = [
        ("^4k3/8/8/8/8/8/4K3 w - - 0 1", "wrong number of rows"),
        ("^4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "wrong number of rows"),
        ("4k3/8/8/8/8/8/8/^4K2 w - - 0 1", "wrong width"),
        ("^4k4/8/8/8/8/8/8/4K3 w - - 0 1", "wrong width"),
        ("4k3/^44/8/8/8/8/8/4K3 w - - 0 1", "wrong width"),
        ("4k3/^80/8/8/8/8/8/4K3 w - - 0 1", "wrong width"),
        ("4k3/^08/8/8/8/8/8/4K3 w - - 0 1", "wrong width"),
        ("4k3/^99999999999999999999999999/8/8/8/8/8/4K3 w - - 0 1", "wrong width"),
        ("4k3/8/8/3^x4/8/8/8/4K3 w - - 0 1", "unknown piece"),
        ("4k3/8/8/3^é4/8/8/8/4K3 w - - 0 1", "unknown piece"),
        ("4k3/8/8/8/8/8/8/4K3 ^W - - 0 1", "unknown side to move"),
        ("4k3/8/8/8/8/8/8/4K3 ^white - - 0 1", "unknown side to move"),
        ("4k3/8/8/8/8/8/8/4K2R w ^X - 0 1", "malformed castling right"),
        ("4k3/8/8/8/8/8/8/4K2R w K^K - 0 1", "malformed castling right"),
        ("4k3/8/8/8/8/8/8/4K2R w K^H - 0 1", "malformed castling right"),
        ("4k3/8/8/8/8/8/8/4K2R w - ^e9 0 1", "malformed en passant square"),
        ("4k3/8/8/8/8/8/8/4K2R w - ^e 0 1", "malformed en passant square"),
        ("4k3/8/8/8/8/8/8/4K2R w - ^e66 0 1", "malformed en passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ^x 1", "bad halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ^+1 1", "bad halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - ^1001 1", "bad halfmove clock"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 ^-1", "bad move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 ^10000", "bad move number"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0^", "missing field"),
        ("4k3/8/8/8/8/8/8/4K3 w -^", "missing field"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ^x", "extra field"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ^+0+0", "extra field"),
    ];
    for (marked, kind) in cases {
        let at = marked.find('^').unwrap();
        assert_eq!(reason(&marked.replace('^', "")), (kind.to_owned(), at), "{marked}");
    }
}

#[test]
fn what_is_impossible_is_told_with_its_place() {
    let cases = [
        ("^8/8/8/8/8/8/8/4K3 w - - 0 1", "no king"),
        ("4k3/8/8/8/8/8/8/3K^K3 w - - 0 1", "too many kings"),
        ("^P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "pawn on the last rank"),
        ("4k3/8/8/8/8/8/8/4K2^P w - - 0 1", "pawn on the last rank"),
        ("4k3/8/8/8/8/8/8/^p3K3 w - - 0 1", "pawn on the last rank"),
        ("4^k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "side not to move in check"),
        ("4k3/8/8/8/8/P7/PPPPPPP^P/4K3 w - - 0 1", "too many pawns"),
        ("4k3/8/8/8/8/Q^Q6/PPPPPPPP/4K3 w - - 0 1", "too many promoted pieces"),
        ("4k3/8/8/8/8/8/8/4K2R w ^Q - 0 1", "impossible castling right"),
        ("4k3/8/8/8/8/8/8/4K1R1 w ^K - 0 1", "impossible castling right"),
        ("4k3/8/8/8/8/8/8/3K3R w ^K - 0 1", "impossible castling right"),
        ("4k3/8/8/8/8/8/4K3/7R w ^K - 0 1", "impossible castling right"),
        ("4k3/8/8/8/8/8/8/4K2R w ^k - 0 1", "impossible castling right"),
        ("4k3/8/8/8/8/8/8/4K2R w ^G - 0 1", "impossible castling right"),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - ^d6 0 1", "impossible en passant square"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - ^e6 0 1", "impossible en passant square"),
        ("4k3/3r4/8/3pP3/8/8/8/4K3 w - ^d6 0 1", "impossible en passant square"),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - ^d6 0 1", "impossible en passant square"),
        ("4k3/8/8/3nP3/8/8/8/4K3 w - ^d6 0 1", "impossible en passant square"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - ^d5 0 1", "impossible en passant square"),
        ("4k3/8/8/8/1b6/5n2/4r3/4^K3 w - - 0 1", "impossible check"),
        ("4k3/8/8/8/8/8/8/r3^K2r w - - 0 1", "impossible check"),
        ("r3k3/8/8/3pP3/8/8/8/^K7 w - d6 0 1", "impossible check"),
    ];
    for (marked, kind) in cases {
        let at = marked.find('^').unwrap();
        assert_eq!(reason(&marked.replace('^', "")), (kind.to_owned(), at), "{marked}");
    }
}

#[test]
fn too_many_pieces_are_told_with_all_that_follows() {
    let kinds: Vec<String> = reasons(&NOTATION, "4k3/8/8/8/8/NNN5/PPPPPPPP/RNBQKBNR w - - 0 1")
        .into_iter()
        .map(|(kind, _)| kind)
        .collect();
    assert_eq!(kinds, ["too many pieces", "too many promoted pieces"]);
}

#[test]
fn every_mistake_is_told_at_once() {
    let found = reasons(&NOTATION, "4k3/7/8/8/z7/8/8/4K3 white KX e9 -1 0 1 2");
    let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
    let expected = [
        "wrong width",
        "unknown piece",
        "unknown side to move",
        "malformed castling right",
        "malformed en passant square",
        "bad halfmove clock",
        "extra field",
    ];
    assert_eq!(kinds, expected);
    let found = reasons(&NOTATION, "P3k3/8/8/8/8/8/8/K3R2K w K e3 0 0");
    let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
    let expected = [
        "impossible castling right",
        "impossible en passant square",
        "too many kings",
        "pawn on the last rank",
        "side not to move in check",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn nothing_at_all_lacks_every_field() {
    for text in ["", "   ", "\n"] {
        let found = reasons(&NOTATION, text);
        assert!(found.len() == 4 && found.iter().all(|(kind, _)| kind == "missing field"));
    }
}

#[test]
fn castling_from_anywhere_is_for_chess960_only() {
    let fen = "4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1";
    assert_eq!(rewritten(&CHESS960, fen), fen);
    assert_eq!(reasons(&NOTATION, fen).len(), 2);
}

#[test]
fn checks_given_are_a_seventh_field_where_a_variant_counts_them() {
    let game = variant("three-check").compile(Options::default()).unwrap();
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +2+0";
    let state = NOTATION.parse_position(&game, fen).unwrap();
    let checks = game.variable("checks").unwrap();
    let given: Vec<i64> = game.players().map(|p| game.view(&state).variable(checks, p)).collect();
    assert_eq!(given, [2, 0]);
    assert_eq!(NOTATION.format_position(&game, &state), fen);
    let short = NOTATION.parse_position(&game, &fen[..29]).unwrap();
    assert_eq!(NOTATION.format_position(&game, &short), fen.replace("+2", "+0"));
    for bad in ["+4+0", "2+0", "+2", "++", "+-1+0", "+0+0+0"] {
        let error = NOTATION.parse_position(&game, &fen.replace("+2+0", bad)).unwrap_err();
        assert_eq!(error.reasons[0].kind, "bad check count", "{bad}");
    }
}

#[test]
fn a_wide_board_has_its_files_and_letters() {
    let game = variant("capablanca").compile(Options::default()).unwrap();
    let fen = NOTATION.format_position(&game, &game.start());
    assert_eq!(fen, "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1");
    assert_eq!(NOTATION.parse_position(&game, &fen).unwrap(), game.start());
    let narrow = fen.replace("/10/10/10/10/", "/10/9/10/10/");
    assert_eq!(NOTATION.parse_position(&game, &narrow).unwrap_err().reasons[0].kind, "wrong width");
    let open = NOTATION.parse_position(&game, "k9/2P7/10/10/10/10/10/2A2K3R w J - 0 1").unwrap();
    for (uci, san) in [("c1j8", "Aj8"), ("f1i1", "O-O"), ("c7c8c", "c8=C+"), ("c1b3", "Ab3")] {
        let event = NOTATION.parse_event(&game, &open, uci).unwrap();
        assert_eq!(NOTATION.notate(&game, &open, event), san);
        assert_eq!(NOTATION.parse_event(&game, &open, san), Ok(event));
        assert_eq!(NOTATION.format_event(&game, &open, event), uci);
    }
}

#[test]
fn kings_of_atomic_chess_may_blow_up_and_stand_beside_each_other() {
    let game = variant("atomic").compile(Options::default()).unwrap();
    for fen in [
        "8/8/8/8/3kK3/8/8/R2r4 w - - 0 1",
        "8/8/8/3k4/8/8/8/3R4 w - - 0 1",
        "4k3/8/8/8/1b6/5n2/4r3/4K3 w - - 0 1",
    ] {
        let state = ATOMIC.parse_position(&game, fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        assert_eq!(ATOMIC.format_position(&game, &state), fen);
    }
    for (fen, kind) in [
        ("8/8/8/3k4/8/8/8/8 b - - 0 1", "no king"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
        ("4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1", "side not to move in check"),
    ] {
        let error = ATOMIC.parse_position(&game, fen).unwrap_err();
        assert_eq!(error.reasons[0].kind, kind, "{fen}");
    }
}

#[test]
fn the_board_is_drawn_with_ranks_and_files() {
    let state = NOTATION.parse_position(&GAME, "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 2").unwrap();
    let drawn = " 8  · · · · k · · ·
 7  · · · · · · · ·
 6  · · · · · · · ·
 5  · · · p P · · ·
 4  · · · · · · · ·
 3  · · · · · · · ·
 2  · · · · · · · ·
 1  R · · · K · · ·
    a b c d e f g h
";
    assert_eq!(NOTATION.draw(&GAME, &state), drawn);
}
