//! Clobber by arrays.

const COLUMNS: i32 = 5;
const ROWS: i32 = 6;

/// 1 and -1 for the players, 0 for nobody, row by row.
type Board = [i32; 30];

/// How many sequences of this many moves there are from the start.
pub(crate) fn count(depth: u32) -> u64 {
    let mut board: Board = [0; 30];
    for (at, tile) in board.iter_mut().enumerate() {
        *tile = if (at / 5 + at % 5).is_multiple_of(2) { 1 } else { -1 };
    }
    below(&board, 1, depth)
}

fn below(board: &Board, mover: i32, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut all = 0;
    for at in (0..COLUMNS * ROWS).filter(|at| board[*at as usize] == mover) {
        for (right, up) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (column, row) = (at % COLUMNS + right, at / COLUMNS + up);
            let to = row * COLUMNS + column;
            let inside = (0..COLUMNS).contains(&column) && (0..ROWS).contains(&row);
            if inside && board[to as usize] == -mover {
                let mut after = *board;
                after[at as usize] = 0;
                after[to as usize] = mover;
                all += below(&after, -mover, depth - 1);
            }
        }
    }
    all
}
