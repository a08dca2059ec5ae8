//! Changes of variables that lie in one word of a state, made at once.

use super::Edit;

/// What a word comes to: some of its bits are kept and a number is added. So it is only where the
/// variables that grow are small, none of these bits being set.
pub(super) struct Tally {
    word: usize,
    kept: u64,
    more: u64,
    large: u64,
}

impl Tally {
    /// Changes word by word, if they can be made so: no variable is changed twice or shrinks, and
    /// none of them is of the position.
    pub(super) fn all(edits: &[Edit]) -> Option<Vec<Tally>> {
        let mut tallies: Vec<Tally> = Vec::new();
        for (at, edit) in edits.iter().enumerate() {
            let again = edits[..at].iter().any(|one| one.field == edit.field);
            (edit.beside && edit.less == 0 && !again).then_some(())?;
            let (word, bits) = edit.field.place();
            let known = tallies.iter().position(|tally| tally.word == word);
            let known = known.unwrap_or_else(|| {
                tallies.push(Tally { word, kept: u64::MAX, more: 0, large: 0 });
                tallies.len() - 1
            });
            let tally = &mut tallies[known];
            if edit.kept == 0 {
                tally.kept &= !bits;
                tally.more |= edit.field.lifted(edit.more.min(edit.most));
                continue;
            }
            // Numbers below a power of two stay within their bounds.
            let room = edit.most.checked_sub(edit.more)?.checked_add(1)?;
            tally.large |= bits & !edit.field.lifted((1 << room.ilog2()) - 1);
            tally.more |= edit.field.lifted(edit.more);
        }
        Some(tallies)
    }

    /// Makes all changes, unless a variable is too large for it. Says whether it did.
    #[inline(always)]
    pub(super) fn run_all(tallies: &[Tally], words: &mut [u64]) -> bool {
        for tally in tallies {
            if words[tally.word] & tally.large != 0 {
                return false;
            }
        }
        for tally in tallies {
            words[tally.word] = (words[tally.word] & tally.kept) + tally.more;
        }
        true
    }
}
