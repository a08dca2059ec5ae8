//! Listing and playing many positions of one game.

use senet_core::{Accepted, WalkerCache};

use crate::position::Position;

/// Lists and plays positions of a game, one after another. It keeps what one question needs for the
/// next, and uses machine code once that is worth it.
#[derive(Default)]
pub struct Walk(WalkerCache);

impl Walk {
    /// The events of [`Position::legal`], each with the rule that accepts it.
    pub fn legal(&mut self, position: &Position) -> Vec<Accepted> {
        let mut list = Vec::new();
        let mut walker = position.game().rules().walker_with(std::mem::take(&mut self.0));
        walker.remember(position.past());
        walker.legal(position.state(), &mut list);
        self.0 = walker.into_cache();
        list
    }

    /// The position after an event of [`Walk::legal`], which is not judged again.
    ///
    /// # Panics
    /// If another position accepted it: that is a bug of the caller.
    pub fn play(&mut self, position: &Position, accepted: Accepted) -> Position {
        let mut walker = position.game().rules().walker_with(std::mem::take(&mut self.0));
        let state = walker.play(position.state(), accepted);
        self.0 = walker.into_cache();
        position.next(state)
    }
}
