//! A state from its words, as another program may have kept them.

use crate::game::Game;
use crate::setup::Setup;
use crate::state::State;

impl Game {
    /// The state of these words, which [`State::words`] gave. None if they are no state of this
    /// game: every fact is read, put together anew and compared.
    pub fn restore(&self, words: &[u64]) -> Option<State> {
        if !self.layout.fits(words, self) {
            return None;
        }
        let mut found = State::blank(self.tag(), self.layout.words);
        found.words_mut().copy_from_slice(words);
        let state = self.arrange(&Setup::of(self, &found)).ok()?;
        (state.words() == words).then_some(state)
    }
}
