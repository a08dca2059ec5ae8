//! cozy-chess.

use std::hint::black_box;

use cozy_chess::{BitBoard, Board, Piece, PieceMoves};

pub(crate) fn board(fen: &str) -> Result<Board, String> {
    fen.parse().map_err(|error| format!("{fen}: {error}"))
}

/// The leaves of a tree; the last moves are counted, not made.
pub(crate) fn perft(board: &Board, depth: u64) -> u64 {
    let mut nodes = 0;
    match depth {
        0 => nodes = 1,
        1 => {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        }
        _ => {
            board.generate_moves(|moves| {
                for one in moves {
                    let mut board = board.clone();
                    board.play_unchecked(one);
                    nodes += perft(&board, depth - 1);
                }
                false
            });
        }
    }
    nodes
}

/// The same with every leaf made and its hash asked for.
pub(crate) fn perft_made(board: &Board, depth: u64) -> u64 {
    let mut sum = 0;
    let nodes = walk(board, depth, &mut sum);
    black_box(sum);
    nodes
}

fn walk(board: &Board, depth: u64, sum: &mut u64) -> u64 {
    if depth == 0 {
        *sum = sum.wrapping_add(board.hash());
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        for one in moves {
            let mut board = board.clone();
            board.play_unchecked(one);
            nodes += walk(&board, depth - 1, sum);
        }
        false
    });
    nodes
}

/// The most plies without a capture or a move of a pawn.
const QUIET: u32 = 150;

/// Plays games at random to mate, stalemate, insufficient material or seventy-five moves without
/// progress; says how many plies were played.
pub(crate) fn playouts(games: u64, seed: u64) -> u64 {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut groups: Vec<PieceMoves> = Vec::with_capacity(32);
    (0..games).map(|_| playout(&mut random, &mut groups)).sum()
}

fn playout(random: &mut fastrand::Rng, groups: &mut Vec<PieceMoves>) -> u64 {
    let mut board = Board::default();
    let (mut plies, mut quiet) = (0, 0);
    loop {
        groups.clear();
        let mut count = 0;
        board.generate_moves(|moves| {
            count += moves.len();
            groups.push(moves);
            false
        });
        if count == 0 || quiet >= QUIET || is_insufficient(&board) {
            return plies;
        }
        let mut index = random.usize(..count);
        for group in groups.iter() {
            if index < group.len() {
                let chosen = group.into_iter().nth(index).expect("a move of the group");
                board.play_unchecked(chosen);
                break;
            }
            index -= group.len();
        }
        // The library stops its own clock at a hundred.
        quiet = if board.halfmove_clock() == 0 { 0 } else { quiet + 1 };
        plies += 1;
    }
}

/// Whether no sequence of moves can give mate.
fn is_insufficient(board: &Board) -> bool {
    let (knights, bishops) = (board.pieces(Piece::Knight), board.pieces(Piece::Bishop));
    let kings = board.pieces(Piece::King);
    let all = board.occupied();
    if all.len() > 3 && all != (kings | bishops) {
        return false;
    }
    if all == (kings | bishops) {
        let light = BitBoard::LIGHT_SQUARES;
        return (bishops & light).is_empty() || (bishops - light).is_empty();
    }
    all.len() == 3 && knights.len() == 1
}
