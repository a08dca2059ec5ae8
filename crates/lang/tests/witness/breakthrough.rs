//! Breakthrough by arrays.

/// Columns and rows.
const SIDE: i32 = 8;

/// 0 for nobody, 1 for who goes up, -1 for who goes down.
type Board = [[i32; 8]; 8];

/// How many sequences of this many moves there are from the start.
pub(crate) fn count(depth: u32) -> u64 {
    let mut board: Board = [[0; 8]; 8];
    for (row, side) in [(0, 1), (1, 1), (6, -1), (7, -1)] {
        board[row] = [side; 8];
    }
    below(&board, 1, depth)
}

fn below(board: &Board, mover: i32, depth: u32) -> u64 {
    let arrived = board[7].contains(&1) || board[0].contains(&-1);
    let gone = [1, -1].iter().any(|side| !board.iter().flatten().any(|one| one == side));
    match depth {
        0 => 1,
        _ if arrived || gone => 0,
        _ => moves(board, mover).iter().map(|after| below(after, -mover, depth - 1)).sum(),
    }
}

fn moves(board: &Board, mover: i32) -> Vec<Board> {
    let mut all = Vec::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            if board[row as usize][column as usize] != mover {
                continue;
            }
            for side in -1..=1 {
                let (to_row, to_column) = (row + mover, column + side);
                if !(0..SIDE).contains(&to_row) || !(0..SIDE).contains(&to_column) {
                    continue;
                }
                let there = board[to_row as usize][to_column as usize];
                if there == 0 || (side != 0 && there == -mover) {
                    let mut after = *board;
                    after[row as usize][column as usize] = 0;
                    after[to_row as usize][to_column as usize] = mover;
                    all.push(after);
                }
            }
        }
    }
    all
}
