//! The one list of games.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use senet_backgammon as backgammon;
pub use senet_chess as chess;
use senet_core::{Definition, Game, Notation, Options, Plain, PlayerId, State, TileId, nearest};
pub use senet_lang as lang;
use senet_lang::{GameFile, Library, Reading, Source, read_with};

/// A game that is known by name.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The text of its file.
    pub file: &'static str,
    /// How it is written.
    pub notation: &'static dyn Notation,
    /// Where its trees are counted from unless a position is given.
    pub count_from: fn(&Game) -> State,
}

/// An entry whose trees are counted from the start.
const fn from_start(
    name: &'static str,
    file: &'static str,
    notation: &'static dyn Notation,
) -> Entry {
    Entry { name, file, notation, count_from: Game::start }
}

/// An entry whose trees are counted from a player on roll.
const fn on_roll(name: &'static str, file: &'static str) -> Entry {
    Entry { name, file, notation: &backgammon::NOTATION, count_from: backgammon::on_roll }
}

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../../games/", $name, ".senet"))
    };
}

/// Every game, in the order people meet them.
pub static GAMES: &[Entry] = &[
    from_start("chess", file!("chess"), &chess::NOTATION),
    from_start("chess960", file!("chess960"), &chess::CHESS960),
    from_start("king-of-the-hill", file!("king-of-the-hill"), &chess::NOTATION),
    from_start("three-check", file!("three-check"), &chess::NOTATION),
    from_start("capablanca", file!("capablanca"), &chess::NOTATION),
    from_start("atomic", file!("atomic"), &chess::ATOMIC),
    from_start("crazyhouse", file!("crazyhouse"), &Plain),
    on_roll("backgammon", file!("backgammon")),
    on_roll("nackgammon", file!("nackgammon")),
    on_roll("hypergammon", file!("hypergammon")),
    on_roll("longgammon", file!("longgammon")),
    from_start("tic-tac-toe", file!("tic-tac-toe"), &senet_tic_tac_toe::NOTATION),
    from_start("connect-four", file!("connect-four"), &Plain),
    from_start("gomoku", file!("gomoku"), &Plain),
    from_start("othello", file!("othello"), &Plain),
    from_start("hex", file!("hex"), &Plain),
    from_start("go", file!("go"), &Plain),
    from_start("breakthrough", file!("breakthrough"), &Plain),
    from_start("draughts", file!("draughts"), &Plain),
    from_start("lines-of-action", file!("lines-of-action"), &Plain),
    from_start("amazons", file!("amazons"), &Plain),
    from_start("clobber", file!("clobber"), &Plain),
    from_start("oware", file!("oware"), &Plain),
    from_start("xiangqi", file!("xiangqi"), &Plain),
    from_start("shogi", file!("shogi"), &Plain),
    from_start("phantom-tic-tac-toe", file!("phantom-tic-tac-toe"), &Plain),
    from_start("kuhn-poker", file!("kuhn-poker"), &Plain),
    from_start("leduc-poker", file!("leduc-poker"), &Plain),
    from_start("liars-dice", file!("liars-dice"), &Plain),
    from_start("rock-paper-scissors", file!("rock-paper-scissors"), &Plain),
    from_start("dark-chess", file!("dark-chess"), &Plain),
    from_start("battleship", file!("battleship"), &Plain),
    from_start("small-stratego", file!("small-stratego"), &Plain),
];

/// The notations that game files name.
pub static NOTATIONS: &[(&str, &dyn Notation)] = &[
    ("chess", &chess::NOTATION),
    ("chess960", &chess::CHESS960),
    ("atomic", &chess::ATOMIC),
    ("backgammon", &backgammon::NOTATION),
    ("tic-tac-toe", &senet_tic_tac_toe::NOTATION),
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
    /// What the game is, in a line.
    pub fn summary(&self) -> &'static str {
        senet_lang::summary(self.file).unwrap_or_default()
    }

    /// What its file says.
    pub fn read(&self) -> GameFile {
        let source = Source::new(format!("{}.senet", self.name), self.file);
        let reading = Reading { library: &Shipped, settings: BTreeMap::new() };
        read_with(&source, &reading).unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// Its rules, as written.
    pub fn definition(&self) -> Definition {
        self.read().definition
    }

    /// The compiled game.
    pub fn game(&self) -> Arc<Game> {
        let game = self.definition().compile(Options::default());
        Arc::new(game.expect("every registered definition is tested"))
    }
}

/// The files of every game.
pub struct Shipped;

impl Library for Shipped {
    fn source(&self, name: &str) -> Option<Source> {
        let entry = find(name).ok()?;
        Some(Source::new(format!("{name}.senet"), entry.file))
    }

    fn names(&self) -> Vec<String> {
        GAMES.iter().map(|entry| entry.name.to_owned()).collect()
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
    fn every_game_passes_its_own_tests() {
        for entry in GAMES {
            for trial in senet_lang::run_tests(&entry.read(), &Shipped, entry.notation) {
                assert_eq!(trial.failure, None, "{}: {}", entry.name, trial.what);
            }
        }
    }

    #[test]
    fn every_game_says_what_it_is() {
        assert!(GAMES.iter().all(|entry| !entry.summary().is_empty()));
    }

    #[test]
    fn every_game_of_chess_may_be_in_a_pgn_file() {
        let named = |entry: &&Entry| {
            let words = entry.read().notation;
            ["chess", "chess960", "atomic"]
                .iter()
                .any(|one| words.first().is_some_and(|word| word == one))
        };
        let games: Vec<&str> = GAMES.iter().filter(named).map(|entry| entry.name).collect();
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
