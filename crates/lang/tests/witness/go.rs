//! Go by arrays, on boards of any side.

use std::collections::BTreeSet;

#[derive(Clone)]
struct Board {
    side: usize,
    /// 1 and -1 for the players, 0 for nobody, row by row.
    points: Vec<i32>,
    ko: Option<usize>,
    passes: u32,
}

/// How many sequences of this many moves there are from the start.
pub(crate) fn count(side: usize, depth: u32) -> u64 {
    below(&Board { side, points: vec![0; side * side], ko: None, passes: 0 }, 1, depth)
}

fn below(board: &Board, mover: i32, depth: u32) -> u64 {
    if depth == 0 || board.passes == 2 {
        return u64::from(depth == 0);
    }
    let passed = Board { ko: None, passes: board.passes + 1, ..board.clone() };
    let placed = (0..board.points.len()).filter_map(|at| place(board, mover, at));
    placed.chain([passed]).map(|after| below(&after, -mover, depth - 1)).sum()
}

/// The same where no position may come up again instead of the simple rule of ko.
pub(crate) fn count_with_superko(side: usize, depth: u32) -> u64 {
    let board = Board { side, points: vec![0; side * side], ko: None, passes: 0 };
    below_superko(&board, 1, depth, &mut Vec::new())
}

fn below_superko(board: &Board, mover: i32, depth: u32, past: &mut Vec<(Vec<i32>, i32)>) -> u64 {
    if depth == 0 || board.passes == 2 {
        return u64::from(depth == 0);
    }
    past.push((board.points.clone(), mover));
    let passed = Board { passes: board.passes + 1, ..board.clone() };
    let placed = (0..board.points.len()).filter_map(|at| place(board, mover, at));
    let placed = placed.map(|after| Board { ko: None, ..after });
    let fresh = |after: &Board| !past.contains(&(after.points.clone(), -mover));
    let after: Vec<Board> = placed.filter(fresh).chain([passed]).collect();
    let count = after.iter().map(|after| below_superko(after, -mover, depth - 1, past)).sum();
    past.pop();
    count
}

fn place(board: &Board, mover: i32, at: usize) -> Option<Board> {
    if board.points[at] != 0 || board.ko == Some(at) {
        return None;
    }
    let mut after = Board { ko: None, passes: 0, ..board.clone() };
    after.points[at] = mover;
    let mut taken = Vec::new();
    for near in beside(&after, at) {
        if after.points[near] == -mover {
            let (group, liberties) = group(&after, near);
            if liberties.is_empty() {
                group.iter().for_each(|one| after.points[*one] = 0);
                taken.extend(group);
            }
        }
    }
    let (stones, liberties) = group(&after, at);
    if taken.len() == 1 && stones.len() == 1 && liberties.len() == 1 {
        after.ko = taken.pop();
    }
    (!liberties.is_empty()).then_some(after)
}

fn beside(board: &Board, at: usize) -> Vec<usize> {
    let (row, column, last) = (at / board.side, at % board.side, board.side - 1);
    let mut near = Vec::new();
    near.extend((row > 0).then(|| at - board.side));
    near.extend((row < last).then(|| at + board.side));
    near.extend((column > 0).then(|| at - 1));
    near.extend((column < last).then(|| at + 1));
    near
}

/// The stones joined with one, and their liberties.
fn group(board: &Board, at: usize) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let (mut stones, mut liberties) = (BTreeSet::from([at]), BTreeSet::new());
    let mut left = vec![at];
    while let Some(one) = left.pop() {
        for near in beside(board, one) {
            if board.points[near] == 0 {
                liberties.insert(near);
            } else if board.points[near] == board.points[at] && stones.insert(near) {
                left.push(near);
            }
        }
    }
    (stones, liberties)
}
