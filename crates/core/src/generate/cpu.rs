//! What the processor can do, found out once when a game is compiled.
//!
//! This is the one file of core with `unsafe` in it. The argument is the same for both uses: an
//! [`Extract`] exists only after the processor was asked and said that it has the instructions, so
//! code that is handed one may run them.
#![allow(unsafe_code)]

use crate::game::Options;

/// Proof that the processor gathers bits under a mask in one instruction.
#[derive(Clone, Copy)]
pub(crate) struct Extract(());

/// Something to be done with the instructions at hand.
pub(crate) trait Work {
    type Answer;

    fn run(self) -> Self::Answer;
}

#[cfg(target_arch = "x86_64")]
impl Extract {
    /// The proof, if this processor is one of those and its instructions are wanted.
    pub(crate) fn detect(options: &Options) -> Option<Extract> {
        let has = options.processor
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Extract(()))
    }

    /// The bits of a word that lie under a mask, moved together.
    #[inline(always)]
    pub(crate) fn bits(self, word: u64, mask: u64) -> u64 {
        // Sound: `self` exists only where the instruction does.
        unsafe { core::arch::x86_64::_pext_u64(word, mask) }
    }

    /// The lowest bits of a word, moved apart to lie under a mask.
    #[inline(always)]
    pub(crate) fn spread(self, word: u64, mask: u64) -> u64 {
        // Sound: `self` exists only where the instruction does.
        unsafe { core::arch::x86_64::_pdep_u64(word, mask) }
    }

    /// Does work compiled for a processor that has these instructions.
    #[inline(always)]
    pub(crate) fn work<T: Work>(self, work: T) -> T::Answer {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<T: Work>(work: T) -> T::Answer {
            work.run()
        }
        // Sound: `self` exists only where the instructions do.
        unsafe { with_features(work) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Extract {
    /// Other processors have no such instruction.
    pub(crate) fn detect(_: &Options) -> Option<Extract> {
        None
    }

    #[inline(always)]
    pub(crate) fn bits(self, word: u64, mask: u64) -> u64 {
        let mut left = mask;
        let mut bits = 0;
        let mut at = 0;
        while left != 0 {
            bits |= (word >> left.trailing_zeros() & 1) << at;
            at += 1;
            left &= left - 1;
        }
        bits
    }

    #[inline(always)]
    pub(crate) fn spread(self, word: u64, mask: u64) -> u64 {
        let mut left = mask;
        let mut bits = 0;
        let mut at = 0;
        while left != 0 {
            bits |= (word >> at & 1) << left.trailing_zeros();
            at += 1;
            left &= left - 1;
        }
        bits
    }

    #[inline(always)]
    pub(crate) fn work<T: Work>(self, work: T) -> T::Answer {
        work.run()
    }
}
