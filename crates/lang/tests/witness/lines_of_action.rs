//! Lines of action by arrays.

/// Rows and columns with a rim of 9, which is no tile.
type Board = [[i32; 10]; 10];

const WAYS: [(i32, i32); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

fn at(board: &Board, row: i32, column: i32) -> i32 {
    board[row as usize][column as usize]
}

/// How many sequences of this many moves there are from the start.
pub(crate) fn count(depth: u32) -> u64 {
    let mut board: Board = [[9; 10]; 10];
    for (row, tiles) in board.iter_mut().enumerate().skip(1).take(8) {
        for (column, tile) in tiles.iter_mut().enumerate().skip(1).take(8) {
            let (inner_row, inner_column) = ((2..=7).contains(&row), (2..=7).contains(&column));
            *tile = i32::from(!inner_row && inner_column) - i32::from(inner_row && !inner_column);
        }
    }
    below(&board, 1, depth)
}

fn below(board: &Board, mover: i32, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if joined(board, 1) || joined(board, -1) => 0,
        _ => moves(board, mover).iter().map(|after| below(after, -mover, depth - 1)).sum(),
    }
}

fn moves(board: &Board, mover: i32) -> Vec<Board> {
    let mut all = Vec::new();
    for (row, column) in men(board, mover) {
        for (up, right) in WAYS {
            let men = 1
                + men_along(board, (row, column), (up, right))
                + men_along(board, (row, column), (-up, -right));
            let step = |steps: i32| (row + up * steps, column + right * steps);
            let mut way = (1..=men).map(|steps| match step(steps) {
                (row, column) if (1..=8).contains(&row) && (1..=8).contains(&column) => {
                    at(board, row, column)
                }
                _ => 9,
            });
            let last = way.next_back().expect("a line has the man itself");
            if last == mover || last == 9 || way.any(|tile| tile == -mover) {
                continue;
            }
            let (to_row, to_column) = step(men);
            let mut after = *board;
            after[row as usize][column as usize] = 0;
            after[to_row as usize][to_column as usize] = mover;
            all.push(after);
        }
    }
    all
}

fn men(board: &Board, side: i32) -> Vec<(i32, i32)> {
    let tiles = (1..=8).flat_map(|row| (1..=8).map(move |column| (row, column)));
    tiles.filter(|&(row, column)| at(board, row, column) == side).collect()
}

fn men_along(board: &Board, (row, column): (i32, i32), (up, right): (i32, i32)) -> i32 {
    let tiles = (1..).map(|steps| at(board, row + up * steps, column + right * steps));
    tiles.take_while(|tile| *tile != 9).filter(|tile| *tile != 0).count() as i32
}

fn joined(board: &Board, side: i32) -> bool {
    let mut left = men(board, side);
    let mut group: Vec<(i32, i32)> = left.pop().into_iter().collect();
    let mut next = 0;
    while let Some(&(row, column)) = group.get(next) {
        let near = |man: &(i32, i32)| (man.0 - row).abs() <= 1 && (man.1 - column).abs() <= 1;
        let (joins, apart): (Vec<_>, Vec<_>) = left.into_iter().partition(near);
        (left, next) = (apart, next + 1);
        group.extend(joins);
    }
    left.is_empty()
}
