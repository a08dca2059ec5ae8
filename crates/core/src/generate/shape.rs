//! Shapes: how many parts the tables of a game have, known when the code is compiled, so that
//! loops over them are laid out flat. A game of no known shape runs the same code with loops.

/// How many parts there are; 0 where that is known only when it runs.
pub(crate) trait Shape: Copy + Default {
    const FOES: usize = 0;
    const SLIDES: usize = 0;
    const SLIDE_KINDS: usize = 0;
    const FOE_LEAPS: usize = 0;
    const FOE_LEAP_KINDS: usize = 0;
    const SPOKES: usize = 0;

    /// A slice whose length the shape knows.
    #[inline(always)]
    fn cut<T>(parts: &[T], len: usize) -> &[T] {
        if len > 0 { &parts[..len] } else { parts }
    }
}

/// Any game.
#[derive(Clone, Copy, Default)]
pub(crate) struct Loose;

impl Shape for Loose {}

/// Two sides; two sights with two sliding kinds each; three leaps that a foe attacks by.
#[derive(Clone, Copy, Default)]
pub(crate) struct Compact;

impl Shape for Compact {
    const FOES: usize = 1;
    const SLIDES: usize = 2;
    const SLIDE_KINDS: usize = 2;
    const FOE_LEAPS: usize = 3;
    const FOE_LEAP_KINDS: usize = 1;
    const SPOKES: usize = 1;
}
