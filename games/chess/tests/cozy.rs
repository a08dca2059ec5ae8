//! Agreement with an independent rules library, cozy-chess.

use std::collections::BTreeSet;

use cozy_chess::{Board, Move, Piece};
use senet_chess::{CHESS960, NOTATION, chess960};
use senet_core::{Event, Game, Notation, Options, State};

/// A move as both sides write it: the king takes his rook to castle.
fn text(game: &Game, event: Event) -> String {
    let Event::Move { from, to, choice } = event else { panic!("only moves are legal") };
    let choice = choice.map_or("", |kind| match game.kind_name(kind) {
        "knight" => "n",
        other => &other[..1],
    });
    format!("{}{}{choice}", game.tile_name(from), game.tile_name(to))
}

fn cozy_text(one: Move) -> String {
    let choice = one.promotion.map_or("", |piece| match piece {
        Piece::Knight => "n",
        Piece::Bishop => "b",
        Piece::Rook => "r",
        _ => "q",
    });
    format!("{}{}{choice}", one.from, one.to)
}

fn cozy_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let moves = cozy_moves(board);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |one: &Move| {
        let mut board = board.clone();
        board.play_unchecked(*one);
        cozy_perft(&board, depth - 1)
    };
    moves.iter().map(after).sum()
}

fn agree(game: &Game, state: &State, board: &Board) {
    let ours: BTreeSet<String> =
        game.legal(state).into_iter().map(|event| text(game, event)).collect();
    let theirs: BTreeSet<String> = cozy_moves(board).into_iter().map(cozy_text).collect();
    assert_eq!(ours, theirs, "{board}");
    let check = !game.threatened_royals(state, game.view(state).player()).is_empty();
    assert_eq!(check, !board.checkers().is_empty(), "{board}");
}

/// A number of a simple generator: the same positions in every run.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

#[test]
fn ten_thousand_random_positions_have_the_same_moves_and_trees() {
    let game = senet_chess::game();
    let mut seed = 1;
    let mut seen = 0;
    while seen < 10_000 {
        let (mut state, mut board) = (game.start(), Board::default());
        for _ in 0..200 {
            agree(&game, &state, &board);
            seen += 1;
            assert_eq!(game.perft(&state, 3), cozy_perft(&board, 3), "{board}");
            let moves = cozy_moves(&board);
            let Some(&one) = moves.get(next(&mut seed) % moves.len().max(1)) else { break };
            let wanted = cozy_text(one);
            let mut legal = game.legal(&state).into_iter();
            let event = legal.find(|&event| text(&game, event) == wanted).unwrap();
            state = game.apply(&state, event).unwrap().state;
            board.play_unchecked(one);
            let fen = NOTATION.format_position(&game, &state);
            let read = NOTATION.parse_position(&game, &fen).unwrap();
            assert!(game.view(&read).same_position(&state), "{fen}");
        }
    }
}

#[test]
fn every_one_of_the_960_starts_has_the_same_tree_to_depth_three() {
    for number in 0..960 {
        let definition = chess960::numbered(number).unwrap();
        let game = definition.compile(Options::default()).unwrap();
        let board = Board::chess960_startpos(number.into());
        let fen = CHESS960.format_position(&game, &game.start());
        assert_eq!(fen, format!("{board:#}").replace(&shredder(&board), "KQkq"), "start {number}");
        assert_eq!(game.perft(&game.start(), 3), cozy_perft(&board, 3), "start {number}");
    }
}

/// The castling letters that cozy-chess writes for a start.
fn shredder(board: &Board) -> String {
    format!("{board:#}").split(' ').nth(2).unwrap().to_owned()
}

#[test]
fn random_chess960_positions_have_the_same_moves() {
    let game = chess960::definition().compile(Options::default()).unwrap();
    let mut seed = 960;
    for _ in 0..300 {
        let number = (next(&mut seed) % 960) as u32;
        let mut board = Board::chess960_startpos(number);
        let mut state = CHESS960.parse_position(&game, &format!("{board:#}")).unwrap();
        for _ in 0..80 {
            agree(&game, &state, &board);
            let moves = cozy_moves(&board);
            // Castling is rare at random; take it where there is one.
            let castles = moves.iter().find(|one| board.colors(board.side_to_move()).has(one.to));
            let random = moves.get(next(&mut seed) % moves.len().max(1));
            let Some(&one) = castles.or(random) else { break };
            let wanted = cozy_text(one);
            let mut legal = game.legal(&state).into_iter();
            let event = legal.find(|&event| text(&game, event) == wanted).unwrap();
            state = game.apply(&state, event).unwrap().state;
            board.play_unchecked(one);
        }
    }
}
