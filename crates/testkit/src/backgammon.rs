//! Backgammon by brute force: two rows of numbers and every order of the dice.
//!
//! It shares nothing with the engine, not even a definition. Where both agree on the positions
//! that a roll can lead to, an error would have to be made twice.

use std::collections::BTreeSet;

use senet_chance::Source;

/// How many points there are on the way home.
const POINTS: usize = 24;

/// One side: checkers by how many pips they are from being off, from 1 to 24; 25 is the bar.
pub type Side = [u8; POINTS + 2];

/// A position, seen from the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Board {
    /// The checkers of the player who moves; at 0 those that are off.
    pub mover: Side,
    /// The checkers of the other player, as that player counts.
    pub other: Side,
}

impl Board {
    /// Plays one checker by one number, if that is allowed.
    fn play(&self, from: usize, pips: usize) -> Option<Board> {
        let mut board = *self;
        if board.mover[from] == 0 || (board.mover[25] > 0 && from != 25) {
            return None;
        }
        board.mover[from] -= 1;
        if from > pips {
            let to = from - pips;
            match self.other[25 - to] {
                0 => {}
                1 => {
                    board.other[25 - to] = 0;
                    board.other[25] += 1;
                }
                _ => return None,
            }
            board.mover[to] += 1;
            return Some(board);
        }
        let all_home = self.mover[7..].iter().all(|&count| count == 0);
        let rearmost = self.mover[from + 1..].iter().all(|&count| count == 0);
        if !all_home || (from < pips && !rearmost) {
            return None;
        }
        board.mover[0] += 1;
        Some(board)
    }

    /// Tries every order of the numbers left, and notes every end with the numbers used.
    fn search(&self, left: &[usize], used: &[usize], ends: &mut Vec<(Vec<usize>, Board)>) {
        let mut stuck = true;
        for (at, &pips) in left.iter().enumerate() {
            // Two equal numbers are one choice.
            if left[..at].contains(&pips) {
                continue;
            }
            let mut rest = left.to_vec();
            rest.remove(at);
            for from in 1..=25 {
                if let Some(after) = self.play(from, pips) {
                    stuck = false;
                    after.search(&rest, &[used, &[pips]].concat(), ends);
                }
            }
        }
        if stuck {
            ends.push((used.to_vec(), *self));
        }
    }

    /// Every position that a roll can lead to: as many numbers are used as can be, and the greater
    /// one if only one can be. The board itself where none can.
    pub fn results(&self, dice: [u8; 2]) -> BTreeSet<Board> {
        let mut left: Vec<usize> = dice.iter().map(|&pips| pips.into()).collect();
        if dice[0] == dice[1] {
            left.extend(left.clone());
        }
        let mut ends = Vec::new();
        self.search(&left, &[], &mut ends);
        let most = ends.iter().map(|(used, _)| used.len()).max().unwrap_or(0);
        ends.retain(|(used, _)| used.len() == most);
        if most == 1 {
            let greatest = ends.iter().map(|(used, _)| used[0]).max();
            ends.retain(|(used, _)| used.first().copied() == greatest);
        }
        ends.into_iter().map(|(_, board)| board).collect()
    }
}

/// What a position made at random is to be about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Checkers anywhere.
    Contact,
    /// Few stacks, so that many points are blocked.
    Blocked,
    /// One or two checkers of the mover on the bar.
    Bar,
    /// Both sides have checkers on the bar.
    BothOnBar,
    /// The mover bears off, with gaps; the other may still be in the way.
    BearOff,
    /// Two or three checkers that a prime holds back.
    Prime,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Theme; 6] = [
        Theme::Contact,
        Theme::Blocked,
        Theme::Bar,
        Theme::BothOnBar,
        Theme::BearOff,
        Theme::Prime,
    ];

    /// A random position with `checkers` checkers on each side.
    pub fn board(self, source: &mut Source, checkers: u8) -> Board {
        let mut board = Board { mover: [0; 26], other: [0; 26] };
        let pick =
            |source: &mut Source, from: u64, to: u64| (from + source.below(to - from + 1)) as usize;
        if self == Theme::Prime {
            let first = pick(source, 1, 18);
            for point in first..first + pick(source, 4, 6) {
                board.other[25 - point] = 2;
            }
        }
        let waiting = match self {
            Theme::Bar => (pick(source, 1, 2) as u8, 0),
            Theme::BothOnBar => (pick(source, 1, 2) as u8, pick(source, 1, 2) as u8),
            _ => (0, 0),
        };
        (board.mover[25], board.other[25]) = (waiting.0.min(checkers), waiting.1.min(checkers));
        let (furthest, stacks) = match self {
            Theme::BearOff => (6, 6),
            Theme::Blocked => (24, 3),
            _ => (24, 24),
        };
        let off = match self {
            Theme::BearOff => source.below(checkers.into()) as u8,
            _ => 0,
        };
        let mut mine: Vec<usize> = Vec::new();
        let mut theirs: Vec<usize> = (1..=24).filter(|&at| board.other[at] > 0).collect();
        while board.mover.iter().sum::<u8>() < checkers - off {
            let new = if mine.len() < stacks { pick(source, 1, furthest) } else { 0 };
            let at = if new > 0 { new } else { mine[source.below(mine.len() as u64) as usize] };
            if board.other[25 - at] == 0 {
                board.mover[at] += 1;
                mine.push(at);
            }
        }
        while board.other.iter().sum::<u8>() < checkers {
            let new = if theirs.len() < stacks.max(7) { pick(source, 1, 24) } else { 0 };
            let at = if new > 0 { new } else { theirs[source.below(theirs.len() as u64) as usize] };
            if board.mover[25 - at] == 0 {
                board.other[at] += 1;
                theirs.push(at);
            }
        }
        board.mover[0] = off;
        board
    }
}
