//! The targets: every parser and door with the law that holds of it.

mod definition;
mod editor;
mod event;
mod file;
mod line;
mod opponent;
mod position;
mod source;
mod text;

use senet_chance::Source;

pub use line::{is_answer, is_quick as is_quick_request};

/// A named law over any input of one door.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name: that of its folder in the corpus.
    pub name: &'static str,
    /// The law, in words.
    pub law: &'static str,
    /// Makes a case: of chance alone, or of some of the corpus by small changes.
    pub fresh: fn(&mut Source, corpus: &[Vec<u8>]) -> Vec<u8>,
    /// Panics where the law does not hold of a case.
    pub check: fn(&[u8]),
    /// Smaller cases that may break the law as well.
    pub smaller: fn(&[u8]) -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: [Target; 19] = [
    definition::TARGET,
    event::EVENT,
    event::SAN,
    event::PLAY,
    position::PLAIN,
    position::FEN,
    position::XGID,
    position::GNUBG,
    position::OBJECT,
    position::EPD,
    file::PGN,
    file::MAT,
    file::SGF,
    file::MATCH,
    line::RPC,
    line::UCI,
    source::GAME,
    editor::EDITOR,
    opponent::OPPONENT,
];

/// A target whose law does not hold: what finds nothing in it finds nothing anywhere.
pub const CANARY: Target = Target {
    name: "canary",
    law: "no case has a seven in it, which is wrong",
    fresh: |source, _| (0..6).map(|_| source.below(256) as u8).collect(),
    check: |case| assert!(!case.contains(&7), "the canary sings: {case:?}"),
    smaller: shorter,
};

/// The target of a name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.into_iter().chain([CANARY]).find(|target| target.name == name)
}

/// The case with parts left out, large parts first.
pub(crate) fn shorter(case: &[u8]) -> Vec<Vec<u8>> {
    let mut cases = Vec::new();
    let mut part = case.len() / 2;
    while part > 0 {
        for start in (0..case.len()).step_by(part) {
            let mut less = case.to_vec();
            less.drain(start..case.len().min(start + part));
            cases.push(less);
        }
        part /= 2;
    }
    cases
}
