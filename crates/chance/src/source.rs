//! A seeded source of chance: the same numbers on every machine and in every release.

use senet_core::{Chance, Event, Game, State};

/// A seeded source of chance: xoshiro256**, whose words a backend of core can go on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source([u64; 4]);

impl Source {
    /// The source of a seed, which SplitMix64 makes the words of.
    pub fn seeded(seed: u64) -> Source {
        let mut at = seed;
        Source(std::array::from_fn(|_| {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = at;
            word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^ word >> 31
        }))
    }

    /// The source of one of many games under a seed, independent of the order they are played in.
    pub fn for_game(seed: u64, game: u64) -> Source {
        let mut first = Source::seeded(seed);
        Source::seeded(first.next() ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The words that the next numbers follow from.
    pub(crate) fn words_mut(&mut self) -> &mut [u64; 4] {
        &mut self.0
    }

    fn next(&mut self) -> u64 {
        let Source(words) = self;
        let drawn = words[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = words[1] << 17;
        words[2] ^= words[0];
        words[3] ^= words[1];
        words[1] ^= words[2];
        words[0] ^= words[3];
        words[2] ^= shifted;
        words[3] = words[3].rotate_left(45);
        drawn
    }

    /// A number below a bound, every one equally likely; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound < 2 {
            return 0;
        }
        // Numbers that would favour some answers are drawn again. There are fewer of them than
        // answers, so that it is seldom asked how many.
        loop {
            let product = u128::from(self.next()) * u128::from(bound);
            let rest = product as u64;
            if rest >= bound || rest >= bound.wrapping_neg() % bound {
                return (product >> 64) as u64;
            }
        }
    }

    /// One of several, every one equally likely.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        of.get(self.below(of.len() as u64) as usize).copied()
    }

    /// What chance gives in a state that awaits it.
    pub fn draw(&mut self, game: &Game, state: &State) -> Option<Event> {
        self.draw_of(&game.chances(state))
    }

    /// One of the outcomes of [`Game::chances`], each as likely as it says.
    pub fn draw_of(&mut self, chances: &[Chance]) -> Option<Event> {
        let mut left = self.below(chances.first()?.probability.total);
        for chance in chances {
            match left.checked_sub(chance.probability.weight) {
                Some(rest) => left = rest,
                None => return Some(chance.event),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256StarStar;

    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_in_every_release() {
        let mut source = Source::seeded(1);
        let drawn: Vec<u64> = (0..6).map(|_| source.below(1000)).collect();
        assert_eq!(drawn, [702, 520, 574, 391, 697, 143]);
    }

    #[test]
    fn numbers_are_those_of_xoshiro256() {
        for seed in [0, 1, 42, u64::MAX] {
            let mut ours = Source::seeded(seed);
            let mut theirs = Xoshiro256StarStar::seed_from_u64(seed);
            (0..1000).for_each(|_| assert_eq!(ours.next(), theirs.next_u64()));
        }
    }

    #[test]
    fn every_number_below_a_bound_comes_up_about_equally_often() {
        let mut source = Source::seeded(7);
        let mut seen = [0; 6];
        (0..60_000).for_each(|_| seen[source.below(6) as usize] += 1);
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
    }
}
