//! Ludo by arrays.

use senet_testkit::witness::ludo::{COLUMN, PLAYERS, RING};

/// How far each man of a player has come on his way; none in the yard.
type Men = [Option<usize>; 4];

/// The last step of a way, which is the home.
const HOME: usize = RING - 1 + COLUMN;

#[derive(Clone)]
pub(crate) struct Board {
    men: [Men; 4],
    mover: usize,
    /// What the die shows, 0 before it is rolled.
    die: usize,
}

impl Board {
    pub(crate) fn start() -> Board {
        Board { men: [[None; 4]; 4], mover: 0, die: 0 }
    }

    /// Every event as text, with the board after it.
    pub(crate) fn legal(&self) -> Vec<(String, Board)> {
        if self.men.iter().any(|men| men.iter().all(|man| *man == Some(HOME))) {
            return Vec::new();
        }
        if self.die == 0 {
            let rolled = |die| (format!("roll:{die}"), Board { die, ..self.clone() });
            return (1..=6).map(rolled).collect();
        }
        let mut all: Vec<(String, Board)> = Vec::new();
        for man in 0..4 {
            let (event, after) = match (self.men[self.mover][man], self.die) {
                (None, 6) => (format!("{}/{}", self.name(None), self.name(Some(0))), 0),
                (None, _) => continue,
                (Some(at), die) if at + die > HOME => continue,
                (Some(at), die) => {
                    let ends = (self.name(Some(at)), self.name(Some(at + die)));
                    (format!("{}/{}:{die}", ends.0, ends.1), at + die)
                }
            };
            let own = self.men[self.mover].contains(&Some(after));
            if (after == HOME || !own) && all.iter().all(|(known, _)| *known != event) {
                all.push((event, self.moved(man, after)));
            }
        }
        if all.is_empty() {
            all.push(("pass".to_owned(), self.passed()));
        }
        all
    }

    /// The name of the tile of a mover's man.
    fn name(&self, at: Option<usize>) -> String {
        let player = PLAYERS[self.mover];
        match at {
            None => format!("{player}-yard"),
            Some(HOME) => format!("{player}-home"),
            Some(at) => match ring(self.mover, at) {
                Some(tile) => format!("r{}", tile + 1),
                None => format!("{player}-{}", at - (RING - 2)),
            },
        }
    }

    fn moved(&self, man: usize, to: usize) -> Board {
        let mut after = self.clone();
        after.men[self.mover][man] = Some(to);
        if let Some(tile) = ring(self.mover, to) {
            for (player, men) in after.men.iter_mut().enumerate() {
                for foe in men.iter_mut().filter(|_| player != self.mover) {
                    if foe.is_some_and(|at| ring(player, at) == Some(tile)) {
                        *foe = None;
                    }
                }
            }
        }
        if self.die == 6 { Board { die: 0, ..after } } else { after.passed() }
    }

    fn passed(&self) -> Board {
        Board { mover: (self.mover + 1) % 4, die: 0, ..self.clone() }
    }
}

/// The tile of the ring that a man has come to.
fn ring(player: usize, at: usize) -> Option<usize> {
    (at < RING - 1).then(|| (player * RING / 4 + at) % RING)
}

/// How many sequences of this many events there are from the start.
pub(crate) fn count(depth: u32) -> u64 {
    below(&Board::start(), depth)
}

fn below(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    board.legal().iter().map(|(_, after)| below(after, depth - 1)).sum()
}
