//! States as bytes: eight that name the game, then the words of the state, all little-endian.

use senet_core::{Game, State};

/// The bytes that name a game at the beginning of each of its states.
pub fn tag(game: &Game) -> [u8; 8] {
    (game.definition_hash() as u64).to_le_bytes()
}

/// Writes a state over whatever the buffer held.
pub fn write(game: &Game, state: &State, into: &mut Vec<u8>) {
    into.clear();
    into.extend_from_slice(&tag(game));
    state.words().iter().for_each(|word| into.extend_from_slice(&word.to_le_bytes()));
}

/// Reads a state; none if the bytes are no state of this game.
pub fn read(game: &Game, bytes: &[u8]) -> Option<State> {
    let words = bytes.strip_prefix(&tag(game))?;
    let (words, []) = words.as_chunks::<8>() else { return None };
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    game.restore(&words)
}
