//! Oware by arrays.

#[derive(Clone)]
struct Board {
    /// South has the first six.
    houses: [u32; 12],
    scores: [u32; 2],
}

/// How many sequences of this many moves there are from the start.
pub(crate) fn count(depth: u32) -> u64 {
    below(&Board { houses: [4; 12], scores: [0; 2] }, 0, depth)
}

fn below(board: &Board, mover: usize, depth: u32) -> u64 {
    let over = board.scores.iter().any(|score| *score >= 25) || board.scores == [24; 2];
    if depth == 0 || over {
        return u64::from(depth == 0);
    }
    let own = side(mover);
    let mut moves: Vec<Board> = own
        .filter(|house| board.houses[*house] > 0)
        .map(|house| sown(board, mover, house))
        .filter(|after| side(1 - mover).any(|house| after.houses[house] > 0))
        .collect();
    if moves.is_empty() {
        let mut gathered = board.clone();
        gathered.scores[mover] += gathered.houses.iter().sum::<u32>();
        gathered.houses = [0; 12];
        moves.push(gathered);
    }
    moves.iter().map(|after| below(after, 1 - mover, depth - 1)).sum()
}

fn side(player: usize) -> std::ops::Range<usize> {
    player * 6..player * 6 + 6
}

fn sown(board: &Board, mover: usize, house: usize) -> Board {
    let mut after = board.clone();
    let mut seeds = std::mem::take(&mut after.houses[house]);
    let mut at = house;
    while seeds > 0 {
        at = (at + 1) % 12;
        if at != house {
            after.houses[at] += 1;
            seeds -= 1;
        }
    }
    let mut taken = after.clone();
    while side(1 - mover).contains(&at) && (2..=3).contains(&taken.houses[at]) {
        taken.scores[mover] += std::mem::take(&mut taken.houses[at]);
        at = (at + 11) % 12;
    }
    let some_left = side(1 - mover).any(|house| taken.houses[house] > 0);
    if some_left { taken } else { after }
}
