//! A general board-game engine: games as data, compiled once, played deterministically.
