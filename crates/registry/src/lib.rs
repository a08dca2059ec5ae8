//! The one list of games.

use std::fmt;
use std::sync::Arc;

pub use senet_backgammon as backgammon;
pub use senet_chess as chess;
use senet_core::{Definition, Game, Notation, Options, PlayerId, State, TileId, nearest};

/// A game that is known by name.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// Its rules, as written.
    pub definition: fn() -> Definition,
    /// How it is written.
    pub notation: &'static dyn Notation,
    /// Where its trees are counted from unless a position is given.
    pub count_from: fn(&Game) -> State,
}

/// Every game, in the order people meet them.
pub static GAMES: &[Entry] = &[
    Entry {
        name: "chess",
        summary: "the laws of FIDE",
        definition: chess::definition,
        notation: &chess::NOTATION,
        count_from: Game::start,
    },
    Entry {
        name: "chess960",
        summary: "chess from any of 960 first ranks",
        definition: chess::chess960::definition,
        notation: &chess::CHESS960,
        count_from: Game::start,
    },
    Entry {
        name: "king-of-the-hill",
        summary: "chess in which a king in the centre wins",
        definition: chess::king_of_the_hill::definition,
        notation: &chess::NOTATION,
        count_from: Game::start,
    },
    Entry {
        name: "three-check",
        summary: "chess in which the third check wins",
        definition: chess::three_check::definition,
        notation: &chess::NOTATION,
        count_from: Game::start,
    },
    Entry {
        name: "capablanca",
        summary: "chess on ten files with archbishop and chancellor",
        definition: chess::capablanca::definition,
        notation: &chess::NOTATION,
        count_from: Game::start,
    },
    Entry {
        name: "atomic",
        summary: "chess in which captures explode",
        definition: chess::atomic::definition,
        notation: &chess::ATOMIC,
        count_from: Game::start,
    },
    Entry {
        name: "backgammon",
        summary: "dice, bar, bearing off, cube and match",
        definition: backgammon::definition,
        notation: &backgammon::NOTATION,
        count_from: backgammon::on_roll,
    },
    Entry {
        name: "nackgammon",
        summary: "backgammon with four checkers back",
        definition: backgammon::nackgammon::definition,
        notation: &backgammon::NOTATION,
        count_from: backgammon::on_roll,
    },
    Entry {
        name: "hypergammon",
        summary: "backgammon with three checkers",
        definition: backgammon::hypergammon::definition,
        notation: &backgammon::NOTATION,
        count_from: backgammon::on_roll,
    },
    Entry {
        name: "longgammon",
        summary: "backgammon with every checker back",
        definition: backgammon::longgammon::definition,
        notation: &backgammon::NOTATION,
        count_from: backgammon::on_roll,
    },
    Entry {
        name: "tic-tac-toe",
        summary: "three marks in a row on a board of nine tiles",
        definition: senet_tic_tac_toe::definition,
        notation: &senet_tic_tac_toe::NOTATION,
        count_from: Game::start,
    },
];

/// The games that a PGN file may contain, each with its notation. The first is that of files
/// which name no variant.
pub static PGN: &[(&str, &chess::Chess)] = &[
    ("chess", &chess::NOTATION),
    ("chess960", &chess::CHESS960),
    ("king-of-the-hill", &chess::NOTATION),
    ("three-check", &chess::NOTATION),
    ("capablanca", &chess::NOTATION),
    ("atomic", &chess::ATOMIC),
];

/// The games that say what a position looks to be worth, each with its weights as JSON.
pub static WEIGHTS: &[(&str, &str)] = &[
    ("chess", chess::WEIGHTS),
    ("chess960", chess::WEIGHTS),
    ("king-of-the-hill", chess::WEIGHTS),
    ("three-check", chess::WEIGHTS),
    ("atomic", chess::WEIGHTS),
    ("backgammon", backgammon::WEIGHTS),
    ("nackgammon", backgammon::WEIGHTS),
    ("hypergammon", backgammon::WEIGHTS),
    ("longgammon", backgammon::WEIGHTS),
];

/// The weights of a game, as JSON.
pub fn weights(name: &str) -> Option<&'static str> {
    WEIGHTS.iter().find(|(game, _)| *game == name).map(|(_, weights)| *weights)
}

/// The games that a `.mat` file may contain. The first is that of files which name no variant.
pub static MAT: &[&str] = &["backgammon", "nackgammon", "hypergammon", "longgammon"];

/// What a player of a registered game calls a tile, where that is not its name.
pub fn label(name: &str, game: &Game, player: PlayerId, tile: TileId) -> Option<String> {
    MAT.contains(&name).then(|| backgammon::NOTATION.label(game, player, tile))
}

impl Entry {
    /// The compiled game.
    pub fn game(&self) -> Arc<Game> {
        let game = (self.definition)().compile(Options::default());
        Arc::new(game.expect("every registered definition is tested"))
    }
}

/// The game of a name.
pub fn find(name: &str) -> Result<&'static Entry, UnknownGame> {
    GAMES.iter().find(|entry| entry.name == name).ok_or_else(|| UnknownGame {
        name: senet_core::excerpt(name),
        near: nearest(name, GAMES.iter().map(|entry| entry.name)),
    })
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame {
    /// The name found.
    pub name: String,
    /// A name that looks like it.
    pub near: Option<String>,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no game is named `{}`", self.name)?;
        if let Some(near) = &self.near {
            return write!(f, ", did you mean `{near}`?");
        }
        let known: Vec<&str> = GAMES.iter().map(|entry| entry.name).collect();
        write!(f, ", known are {}", known.join(", "))
    }
}

impl std::error::Error for UnknownGame {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_compiles_under_its_registered_name() {
        for entry in GAMES {
            assert_eq!(entry.game().name(), entry.name);
        }
    }

    #[test]
    fn every_game_of_chess_may_be_in_a_pgn_file() {
        let crowned = |entry: &&Entry| entry.game().kind("king").is_some();
        let games: Vec<&str> = GAMES.iter().filter(crowned).map(|entry| entry.name).collect();
        let listed: Vec<&str> = PGN.iter().map(|(name, _)| *name).collect();
        assert_eq!(games, listed);
        for (name, notation) in PGN {
            let entry = find(name).expect("it is registered");
            let (game, castling) = (entry.game(), "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
            let Ok(state) = entry.notation.parse_position(&game, castling) else { continue };
            for event in game.legal(&state) {
                let one = entry.notation.format_event(&game, &state, event);
                assert_eq!(one, notation.format_event(&game, &state, event));
            }
        }
    }

    #[test]
    fn a_slip_in_a_name_is_answered_with_the_name() {
        let error = find("tic-tac-to").err().expect("no such game");
        assert_eq!(error.near.as_deref(), Some("tic-tac-toe"));
    }
}
