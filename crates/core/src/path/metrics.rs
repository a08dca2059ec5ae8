//! What the resolvers report about themselves. Reports change no answer.

use crate::path::Path;

/// One of the three ways to resolve a path, in the order they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Ray tables and occupancy.
    Sliding,
    /// Compiled patterns.
    Compiled,
    /// Plain walking, the meaning that the others must match.
    Visitor,
}

impl Layer {
    /// All layers, in the order they are asked.
    pub const ALL: [Layer; 3] = [Layer::Sliding, Layer::Compiled, Layer::Visitor];
}

/// Why a layer passed a request on without looking for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// Source and target are the same tile, which is no journey.
    ZeroLength,
    /// Source or target is not on this board.
    OffBoard,
    /// The options switch this layer off.
    SwitchedOff,
    /// The layer needs bitboards and the options switch them off.
    NoBitboards,
    /// No pattern of the piece repeats.
    NotSliding,
    /// No pattern of the piece has a compiled form.
    NotCompiled,
}

/// What one layer did with one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// It found a path.
    Hit,
    /// It found that there is no path.
    Miss,
    /// It passed the request on.
    Skip(Skip),
}

impl Report {
    /// What an answer is.
    #[inline]
    pub(super) fn of(answer: Option<&Path<'_>>) -> Report {
        if answer.is_some() { Report::Hit } else { Report::Miss }
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for super::Metrics {}
}

/// One who listens to the layers: `()` hears nothing and costs nothing, [`Metrics`] counts.
pub trait Observer: sealed::Sealed {
    /// Hears what a layer did with a request.
    fn observe(&mut self, layer: Layer, report: Report);
}

impl Observer for () {
    #[inline]
    fn observe(&mut self, _: Layer, _: Report) {}
}

/// Counts of what the layers did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// The sliding fast path.
    pub sliding: Tally,
    /// The compiled patterns.
    pub compiled: Tally,
    /// The visitor.
    pub visitor: Tally,
}

impl Metrics {
    /// The counts of one layer.
    pub fn of(&self, layer: Layer) -> &Tally {
        match layer {
            Layer::Sliding => &self.sliding,
            Layer::Compiled => &self.compiled,
            Layer::Visitor => &self.visitor,
        }
    }
}

impl Observer for Metrics {
    fn observe(&mut self, layer: Layer, report: Report) {
        let tally = match layer {
            Layer::Sliding => &mut self.sliding,
            Layer::Compiled => &mut self.compiled,
            Layer::Visitor => &mut self.visitor,
        };
        match report {
            Report::Hit => {
                tally.attempts += 1;
                tally.hits += 1;
            }
            Report::Miss => {
                tally.attempts += 1;
                tally.misses += 1;
            }
            Report::Skip(reason) => tally.skips.add(reason),
        }
    }
}

/// Counts of what one layer did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Requests it answered: hits and misses.
    pub attempts: u64,
    /// Requests it answered with a path.
    pub hits: u64,
    /// Requests it answered with none.
    pub misses: u64,
    /// Requests it passed on.
    pub skips: Skips,
}

/// Counts of requests passed on, by [`Skip`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skips {
    /// [`Skip::ZeroLength`].
    pub zero_length: u64,
    /// [`Skip::OffBoard`].
    pub off_board: u64,
    /// [`Skip::SwitchedOff`].
    pub switched_off: u64,
    /// [`Skip::NoBitboards`].
    pub no_bitboards: u64,
    /// [`Skip::NotSliding`].
    pub not_sliding: u64,
    /// [`Skip::NotCompiled`].
    pub not_compiled: u64,
}

impl Skips {
    /// Skips for whatever reason.
    pub fn total(&self) -> u64 {
        self.zero_length
            + self.off_board
            + self.switched_off
            + self.no_bitboards
            + self.not_sliding
            + self.not_compiled
    }

    fn add(&mut self, reason: Skip) {
        let count = match reason {
            Skip::ZeroLength => &mut self.zero_length,
            Skip::OffBoard => &mut self.off_board,
            Skip::SwitchedOff => &mut self.switched_off,
            Skip::NoBitboards => &mut self.no_bitboards,
            Skip::NotSliding => &mut self.not_sliding,
            Skip::NotCompiled => &mut self.not_compiled,
        };
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_is_neither_attempt_nor_hit() {
        let mut metrics = Metrics::default();
        metrics.observe(Layer::Sliding, Report::Skip(Skip::ZeroLength));
        metrics.observe(Layer::Sliding, Report::Skip(Skip::NotSliding));
        metrics.observe(Layer::Compiled, Report::Hit);
        metrics.observe(Layer::Compiled, Report::Miss);
        assert_eq!((metrics.sliding.attempts, metrics.sliding.hits), (0, 0));
        assert_eq!(metrics.sliding.skips.total(), 2);
        assert_eq!(metrics.sliding.skips.zero_length, 1);
        assert_eq!((metrics.compiled.attempts, metrics.compiled.misses), (2, 1));
        assert_eq!(metrics.visitor, Tally::default());
    }
}
