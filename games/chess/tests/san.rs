//! Moves as people and programs write them.

use std::sync::LazyLock;

use senet_chess::{ATOMIC, CHESS960, Chess, NOTATION, game, variant};
use senet_core::{Event, Game, Notation, State};

static GAME: LazyLock<Game> = LazyLock::new(game);

fn at(fen: &str) -> State {
    CHESS960.parse_position(&GAME, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal event between two tiles, or that of the king and a rook.
fn event(fen: &str, text: &str) -> Event {
    let state = at(fen);
    let event = NOTATION.parse_event(&GAME, &state, text).unwrap();
    assert!(GAME.apply(&state, event).is_ok(), "{text} in {fen}");
    event
}

fn san(fen: &str, uci: &str) -> String {
    NOTATION.notate(&GAME, &at(fen), event(fen, uci))
}

#[test]
fn only_as_much_is_written_as_tells_pieces_apart() {
    let cases = [
        ("4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
        ("4k3/8/8/8/6N1/8/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g1f3", "N1f3"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", "N5f3"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
        ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
        ("R6R/8/8/8/8/1k6/8/4K3 w - - 0 1", "h8d8", "Rhd8"),
        ("3r3r/8/8/R7/8/8/1k6/4K2R b - - 0 1", "d8f8", "Rdf8"),
    ];
    for (fen, uci, written) in cases {
        assert_eq!(san(fen, uci), written, "{fen}");
    }
}

#[test]
fn a_pinned_piece_needs_not_be_told_apart() {
    assert_eq!(san("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2"), "Ne2");
    assert_eq!(san("4r1k1/8/8/8/8/8/4N3/4K1N1 w - - 0 1", "g1f3"), "Nf3");
}

#[test]
fn captures_promotions_checks_and_mates_are_marked() {
    let cases = [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("4k3/8/8/3r4/8/4N3/8/4K3 w - - 0 1", "e3d5", "Nxd5"),
        ("8/P6k/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("8/P7/7k/8/8/8/8/4K3 w - - 0 1", "a7a8q", "a8=Q"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a8=R+"),
        ("1n4k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q#"),
        ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", "Re8#"),
        ("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "f1b5", "Qb5+"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
    ];
    for (fen, uci, written) in cases {
        assert_eq!(san(fen, uci), written, "{fen}");
    }
}

#[test]
fn a_move_may_say_more_or_less_than_it_must() {
    let start = GAME.start();
    let knight = NOTATION.parse_event(&GAME, &start, "g1f3").unwrap();
    for text in
        ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "Nf3+", "Nf3#", "Nf3!?", "Nxf3", "  Nf3 "]
    {
        assert_eq!(NOTATION.parse_event(&GAME, &start, text), Ok(knight), "{text}");
    }
    let pawn = NOTATION.parse_event(&GAME, &start, "e2e4").unwrap();
    for text in ["e4", "e2-e4", "Pe4", "e2e4!", "e4??"] {
        assert_eq!(NOTATION.parse_event(&GAME, &start, text), Ok(pawn), "{text}");
    }
    let promotion = "1n5k/P7/8/8/8/8/8/4K3 w - - 0 1";
    for text in ["a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8=q", "a7a8q", "a7a8=Q+", "a8=Q+!!"] {
        assert_eq!(event(promotion, text), event(promotion, "a7a8q"), "{text}");
    }
    for text in ["axb8=N", "ab8=N", "axb8N", "a7xb8=N", "a7b8n", "a:b8=N"] {
        assert_eq!(event(promotion, text), event(promotion, "a7b8n"), "{text}");
    }
    let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for text in ["O-O", "0-0", "o-o", "O-O+", "0-0!", "e1g1", "e1h1"] {
        assert_eq!(event(castling, text), event(castling, "e1h1"), "{text}");
    }
    for text in ["O-O-O", "0-0-0", "e1c1", "e1a1"] {
        assert_eq!(event(castling, text), event(castling, "e1a1"), "{text}");
    }
}

#[test]
fn castling_is_written_by_the_custom_of_the_variant() {
    let state = at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    let written = |notation: &Chess, text: &str| {
        let event = notation.parse_event(&GAME, &state, text).unwrap();
        notation.format_event(&GAME, &state, event)
    };
    assert_eq!(written(&NOTATION, "O-O"), "e1g1");
    assert_eq!(written(&NOTATION, "O-O-O"), "e1c1");
    assert_eq!(written(&CHESS960, "O-O"), "e1h1");
    assert_eq!(written(&CHESS960, "e1c1"), "e1a1");
    let rook = at("7k/8/8/8/8/8/K7/4R3 w - - 0 1");
    let event = NOTATION.parse_event(&GAME, &rook, "e1g1").unwrap();
    assert_eq!(NOTATION.format_event(&GAME, &rook, event), "e1g1");
}

#[test]
fn a_king_beside_his_castled_tile_steps_there() {
    let state = at("4k3/8/8/8/8/8/8/5K1R w K - 0 1");
    let step = CHESS960.parse_event(&GAME, &state, "f1g1").unwrap();
    assert_eq!(CHESS960.notate(&GAME, &state, step), "Kg1");
    let castling = CHESS960.parse_event(&GAME, &state, "f1h1").unwrap();
    assert_eq!(CHESS960.notate(&GAME, &state, castling), "O-O");
    let after = GAME.apply(&state, castling).unwrap().state;
    assert_eq!(CHESS960.format_position(&GAME, &after), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
}

#[test]
fn a_text_that_means_several_moves_is_answered_with_them() {
    let state = at("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1");
    let error = NOTATION.parse_event(&GAME, &state, "Ne2").unwrap_err();
    assert_eq!(error.found, "Ne2");
    assert_eq!(error.allowed, "one of Nge2, Nce2");
}

#[test]
fn a_text_that_means_no_move_says_what_is_allowed() {
    let start = GAME.start();
    for text in ["", "xyzzy", "Nf9", "i4", "e4=", "0-0-0-0", "♞f3", "N", "--", "e2e4qq", "\0"] {
        let error = NOTATION.parse_event(&GAME, &start, text).unwrap_err();
        assert!(error.allowed.contains("a move such as"), "{text}: {error}");
    }
    let error = NOTATION.parse_event(&GAME, &start, "Nd4").unwrap_err();
    assert_eq!(
        error.allowed,
        "a legal move; the piece on b1 does not reach d4, \
         the piece on g1 does not reach d4"
    );
    assert_eq!(
        NOTATION.parse_event(&GAME, &start, "nf3").unwrap_err().near.as_deref(),
        Some("Nf3")
    );
    assert_eq!(
        NOTATION.parse_event(&GAME, &start, "resing").unwrap_err().near.as_deref(),
        Some("resign")
    );
}

#[test]
fn a_move_that_one_piece_only_could_mean_is_left_to_the_game_to_refuse() {
    let state = at("4k3/8/8/8/1b6/2N5/8/4K3 w - - 0 1");
    for text in ["Ne2", "Ke3", "c3e4"] {
        let event = NOTATION.parse_event(&GAME, &state, text).unwrap();
        assert!(GAME.apply(&state, event).is_err(), "{text}");
    }
    let attacked = at("4k3/8/8/8/2b5/8/8/4K2R w K - 0 1");
    for text in ["O-O", "e1g1"] {
        let event = NOTATION.parse_event(&GAME, &attacked, text).unwrap();
        let rejection = GAME.apply(&attacked, event).unwrap_err();
        assert_eq!(GAME.rule_name(rejection.rule.unwrap()), "castling east", "{text}");
    }
}

#[test]
fn a_variant_that_is_won_is_marked_like_mate() {
    let cases = [
        (variant("king-of-the-hill"), "k7/8/8/8/8/4K3/8/8 w - - 0 1", "e3e4", "Ke4#"),
        (variant("three-check"), "k7/8/8/8/8/8/8/4K2R w - - 0 1 +2+0", "h1h8", "Rh8#"),
        (variant("three-check"), "k7/8/8/8/8/8/8/4K2R w - - 0 1 +1+0", "h1h8", "Rh8+"),
    ];
    for (definition, fen, uci, san) in cases {
        let game = definition.compile(Default::default()).unwrap();
        let state = NOTATION.parse_position(&game, fen).unwrap();
        let event = NOTATION.parse_event(&game, &state, uci).unwrap();
        assert_eq!(NOTATION.notate(&game, &state, event), san);
    }
    let game = variant("atomic").compile(Default::default()).unwrap();
    let written = |fen: &str, uci: &str| {
        let state = ATOMIC.parse_position(&game, fen).unwrap();
        ATOMIC.notate(&game, &state, ATOMIC.parse_event(&game, &state, uci).unwrap())
    };
    assert_eq!(written("3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8"), "Rxd8#");
    assert_eq!(written("8/8/8/3k4/8/4K3/8/7R w - - 0 1", "h1h5"), "Rh5+");
    assert_eq!(written("8/8/8/8/3k4/5K2/8/7R w - - 0 1", "f3e3"), "Ke3");
    assert_eq!(written("8/8/8/8/3kK3/8/8/7R w - - 0 1", "h1d1"), "Rd1");
}

#[test]
fn acts_are_written_by_name() {
    let start = GAME.start();
    let event = NOTATION.parse_event(&GAME, &start, "resign").unwrap();
    assert_eq!(NOTATION.format_event(&GAME, &start, event), "resign");
    assert_eq!(NOTATION.notate(&GAME, &start, event), "resign");
}
