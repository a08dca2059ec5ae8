//! A state from its words, as another program may have kept them.

use crate::draft::Draft;
use crate::game::Game;
use crate::id::PlayerId;
use crate::state::State;

impl Game {
    /// The state of these words, which [`State::words`] gave. None if they are no state of this
    /// game: every fact is read, put together anew and compared.
    pub fn restore(&self, words: &[u64]) -> Option<State> {
        if !self.layout.fits(words, self) {
            return None;
        }
        let mut found = State::blank(self.layout.words);
        found.words_mut().copy_from_slice(words);
        let view = self.view(&found);
        let mut draft = Draft { game: self, state: State::blank(self.layout.words) };
        self.prepare(&mut draft);
        for piece in self.pieces() {
            let now = view.piece(piece);
            let Some(tile) = now.tile else { continue };
            if !self.layout.stacks(tile) && draft.view().owner_at(tile).is_some() {
                return None;
            }
            draft.place(piece, tile, now.kind, now.flags);
        }
        for variable in self.variables() {
            for seat in (0..self.layout.variable(variable).fields.len()).map(PlayerId::at) {
                draft.set_variable(variable, seat, view.variable(variable, seat));
            }
        }
        for die in self.dice() {
            draft.set_die(die, view.die(die).unwrap_or(0));
        }
        draft.set_turn(view.player());
        (draft.state.words() == words).then_some(draft.state)
    }
}
