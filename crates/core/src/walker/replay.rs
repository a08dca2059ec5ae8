//! Moves that are said by what goes where, as people write them down.

use super::{Kept, Walker};
use crate::backend::{PackedEvent, PackedHints};
use crate::event::Event;
use crate::game::Game;
use crate::id::{KindId, RuleId, TileId};
use crate::interpret::Found;
use crate::state::State;
use crate::tile_set::TileSet;

/// What is said of a move: a piece of a kind, from one of these tiles, goes to a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint<'a> {
    /// The kind of the piece.
    pub kind: KindId,
    /// Where it may come from.
    pub from: &'a TileSet,
    /// Where it goes.
    pub to: TileId,
    /// The kind that the move chooses.
    pub choice: Option<KindId>,
}

/// How many hints are played in one call.
const TOGETHER: usize = 64;

impl Walker<'_> {
    /// Plays moves one after another, each the only one of [`Walker::legal`] that a hint fits: the state
    /// becomes the one after them, as [`Walker::play`] gives it. Gives how many it has played, and adds them
    /// to a list. It may stop before any of them: then that one is left to the caller.
    pub fn replay(
        &mut self,
        state: &mut State,
        hints: &[Hint<'_>],
        events: &mut Vec<Event>,
    ) -> usize {
        let (game, first) = (self.game(), events.len());
        if !game.owns(state) || game.layout.pieces_by_tile().is_none() {
            return 0;
        }
        for hints in hints.chunks(TOGETHER) {
            let before = events.len();
            if self.session().is_some() {
                let _ = self.kept().replay(game, state, hints, events);
            }
            if events.len() < before + hints.len() {
                break;
            }
        }
        events.len() - first
    }
}

/// How many words are told of a move that was played.
fn logged(game: &Game) -> usize {
    1 + game.layout.width
}

/// A hint as a word of an event, with the first word of the kind's plane in the place of the rule.
fn pack(game: &Game, hint: &Hint<'_>) -> PackedEvent {
    let event = Event::Move { from: TileId::at(0), to: hint.to, choice: hint.choice };
    game.pack(Found { event, rule: RuleId::at(0) }) | game.layout.kind(hint.kind) as u64
}

impl Kept {
    /// Plays some hints by the session, and adds what was played to a list.
    fn replay(
        &mut self,
        game: &Game,
        state: &mut State,
        hints: &[Hint<'_>],
        events: &mut Vec<Event>,
    ) -> Option<()> {
        let (layout, logged) = (&game.layout, logged(game));
        let pieces = layout.pieces_by_tile()?;
        self.words.resize(layout.tail, 0);
        self.hints.clear();
        for hint in hints {
            self.hints.push(pack(game, hint));
            hint.from.words()[..layout.width].iter().for_each(|&word| self.hints.push(word));
        }
        let packed = PackedHints { words: &self.hints, count: hints.len(), logged };
        let session = self.session.as_mut()?;
        let hash = session.replay(state, packed, &mut self.log, &mut self.words)?;
        if self.log.is_empty() {
            return None;
        }
        let words = state.words_mut();
        for told in self.log.chunks_exact(logged) {
            let event = game.unpacked(told[0]);
            let Event::Move { from, to, .. } = event else { continue };
            let piece = pieces[from.index()].get(words);
            pieces[from.index()].set(words, 0);
            for (word, &gone) in told[1..].iter().enumerate() {
                let mut left = gone;
                while left != 0 {
                    pieces[word * 64 + left.trailing_zeros() as usize].set(words, 0);
                    left &= left - 1;
                }
            }
            if told[0] & 1 == 1 {
                pieces[to.index()].set(words, piece);
            }
            events.push(event);
        }
        words[..layout.tail].copy_from_slice(&self.words);
        state.hash = hash;
        Some(())
    }
}
