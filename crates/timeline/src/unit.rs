//! Work units: subtrees that can be walked apart from each other, here or on another machine.

use std::sync::Arc;

use senet_core::State;

use crate::code;
use crate::error::Error;
use crate::expand::{Expander, Place};
use crate::timeline::{Shape, Timeline};

/// A unit is small enough once it has about this many rows.
const FEW_ROWS: f64 = 16_384.0;

/// No more units than this are made.
const MOST_UNITS: f64 = 262_144.0;

/// A subtree, by the way that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The number of the given position, then the number of each move.
    pub(crate) path: Vec<u32>,
    /// So much of the way has its rows in units before this one.
    pub(crate) told: usize,
}

/// A position with those before it, by their hashes; none where the game does not ask for them.
type Reached = (State, Vec<u64>);

/// All units of a timeline, in the order of its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Units {
    /// The units.
    pub all: Vec<Unit>,
    /// About how many rows one has; a guess.
    pub rows: f64,
}

impl Unit {
    /// The unit as text that [`Unit::parse`] reads.
    pub fn format(&self) -> String {
        format!("{}/{}", code::format(&self.path), self.told)
    }

    /// Reads a unit.
    pub fn parse(text: &str) -> Option<Unit> {
        let (path, told) = text.split_once('/')?;
        let (path, told) = (code::parse(path)?, told.parse().ok()?);
        (told >= 1 && told <= path.len()).then_some(Unit { path, told })
    }
}

impl Timeline {
    /// The timeline in units that are neither few nor large. Where positions are merged there is
    /// but one.
    pub fn units(self: &Arc<Self>) -> Result<Units, Error> {
        let roots = 0..self.roots.len() as u32;
        let roots = roots.map(|root| Unit { path: vec![root], told: 1 });
        let mut all: Vec<(Unit, Option<Reached>)> = roots
            .zip(self.roots.iter().map(|root| Some((root.state.clone(), Vec::new()))))
            .collect();
        let mut expander = Expander::new(self);
        let mut rows = f64::INFINITY;
        // The moves of the last ply are no units: their parents list them faster.
        for ply in 1..self.depth {
            if self.shape == Shape::Distinct || rows <= FEW_ROWS {
                break;
            }
            let open = all.iter().filter(|(_, state)| state.is_some()).count();
            let next = self.split(&mut expander, all, ply)?;
            let children = next.iter().filter(|(_, state)| state.is_some()).count();
            all = next;
            let branching = children as f64 / open.max(1) as f64;
            rows = branching.powi((self.depth - ply) as i32);
            if children == 0 || all.len() as f64 * branching > MOST_UNITS {
                break;
            }
        }
        Ok(Units { all: all.into_iter().map(|(unit, _)| unit).collect(), rows })
    }

    /// Units one ply deeper. One that has no moves stays as it is and is not asked again.
    fn split(
        &self,
        expander: &mut Expander,
        units: Vec<(Unit, Option<Reached>)>,
        ply: u32,
    ) -> Result<Vec<(Unit, Option<Reached>)>, Error> {
        let mut walker = self.subject.game.walker();
        let mut deeper = Vec::new();
        let mut moves = Vec::new();
        for (unit, state) in units {
            let Some((before, past)) = state else {
                deeper.push((unit, None));
                continue;
            };
            let code = self.code(&unit.path);
            let root = unit.path[0] as usize;
            let place = Place { state: &before, root, code: &code, ply, reach: 1.0, past: &past };
            expander.moves(&mut walker, place, &mut moves)?;
            if moves.is_empty() {
                deeper.push((unit, None));
                continue;
            }
            for (nth, one) in moves.iter().enumerate() {
                let told = if nth == 0 { unit.told } else { unit.path.len() };
                let path = unit.path.iter().copied().chain([one.index]).collect();
                let after = walker.play(&before, one.accepted);
                let past = place.past_below(&self.subject.game);
                deeper.push((Unit { path, told }, Some((after, past))));
            }
        }
        Ok(deeper)
    }

    /// The path code of a way: where all start from one position, its number is not said.
    pub(crate) fn code(&self, path: &[u32]) -> String {
        code::format(if self.roots.len() == 1 { &path[1..] } else { path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_read_back() {
        let unit = Unit { path: vec![0, 19, 300], told: 2 };
        assert_eq!(Unit::parse(&unit.format()), Some(unit));
        for text in ["", "00", "00/", "00/0", "00/2", "0x/1", "00/1/1"] {
            assert_eq!(Unit::parse(text), None, "{text}");
        }
    }
}
