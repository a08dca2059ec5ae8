//! The one list of games.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use senet_backgammon as backgammon;
pub use senet_chess as chess;
use senet_core::notation::nearest;
use senet_core::{Definition, Game, Notation, Options, Plain, PlayerId, State, TileId};
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
    from_start("racing-kings", file!("racing-kings"), &Plain),
    from_start("horde", file!("horde"), &Plain),
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
    from_start("ataxx", file!("ataxx"), &Plain),
    from_start("konane", file!("konane"), &Plain),
    from_start("nine-mens-morris", file!("nine-mens-morris"), &Plain),
    from_start("dots-and-boxes", file!("dots-and-boxes"), &Plain),
    from_start("quoridor", file!("quoridor"), &Plain),
    from_start("tablut", file!("tablut"), &Plain),
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

/// The name of the notation of a game file: the one that it states, or else the one named like the
/// game or like a game that it is based on, where that notation fits.
pub fn notation_name(file: &GameFile) -> Option<&str> {
    let fits = |name: &&str| {
        NOTATIONS.iter().any(|(known, _)| known == name) && misfit(name, &file.definition).is_none()
    };
    let stated = file.notation.first().map(String::as_str);
    let names = std::iter::once(&file.definition.name).chain(&file.bases).map(String::as_str);
    stated.or_else(|| names.into_iter().find(fits)).filter(|name| *name != "none")
}

/// What a notation writes down that a game does not have, in words; none where the notation fits.
pub fn misfit(notation: &str, definition: &Definition) -> Option<String> {
    let d = definition;
    let has = |sort: &str, name: &str| match sort {
        "player" => d.players.iter().any(|one| one.name == name),
        "tile" => d.tiles.iter().any(|one| one.name == name),
        "piece" => d.kinds.iter().any(|one| one.name == name),
        "flag" => d.flags.iter().any(|one| one.name == name),
        "die" => d.dice.iter().any(|one| one.name == name),
        _ => d.variables.iter().any(|one| one.name == name),
    };
    let needs: Vec<(&str, String)> = match notation {
        "chess" | "chess960" | "atomic" => {
            let square = |name: &str| {
                let mut letters = name.chars();
                let file = letters.next().is_some_and(|c| c.is_ascii_lowercase());
                file && letters.as_str().parse::<u8>().is_ok_and(|rank| rank > 0)
            };
            if let Some(tile) = d.tiles.iter().find(|tile| !square(&tile.name)) {
                return Some(format!("the tile `{}` has no file and rank", tile.name));
            }
            let kinds = ["pawn", "king", "rook"].map(|name| ("piece", name.to_owned()));
            let flags = ["mint", "passing"].map(|name| ("flag", name.to_owned()));
            let variables = ["clock", "move"].map(|name| ("variable", name.to_owned()));
            kinds.into_iter().chain(flags).chain(variables).collect()
        }
        "backgammon" | "tic-tac-toe" => {
            let model = find(notation).map_or_else(|_| Definition::default(), Entry::definition);
            let tiles = model.tiles.into_iter().map(|one| ("tile", one.name));
            let players = model.players.into_iter().map(|one| ("player", one.name));
            let kinds = model.kinds.into_iter().map(|one| ("piece", one.name));
            let dice = model.dice.into_iter().map(|one| ("die", one.name));
            let variables = model.variables.into_iter().map(|one| ("variable", one.name));
            tiles.chain(players).chain(kinds).chain(dice).chain(variables).collect()
        }
        _ => Vec::new(),
    };
    let missing = needs.iter().find(|(sort, name)| !has(sort, name));
    let missing = missing.map(|(sort, name)| format!("there is no {sort} named `{name}`"));
    missing.or_else(|| {
        let two = needs.is_empty() || d.players.len() == 2;
        (!two).then(|| format!("it is for two players, and {} play", d.players.len()))
    })
}

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
        name: senet_core::notation::excerpt(name),
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
        write!(f, "; the games are {}", known.join(", "))
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
            let file = entry.read();
            notation_name(&file).is_some_and(|name| ["chess", "chess960", "atomic"].contains(&name))
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
    fn a_notation_fits_the_games_that_name_it_and_no_others() {
        for entry in GAMES {
            let file = entry.read();
            let named = notation_name(&file).unwrap_or_default();
            assert_eq!(misfit(named, &file.definition), None, "{}", entry.name);
            let notation = NOTATIONS.iter().find(|(name, _)| *name == named);
            assert_eq!(notation.is_none(), entry.notation.is_plain(), "{}", entry.name);
        }
        let go = find("go").expect("it is shipped").definition();
        for (notation, _) in NOTATIONS {
            assert!(misfit(notation, &go).is_some(), "{notation}");
        }
    }

    /// The most lines of code that a game may have: without blank lines and comments, and without
    /// the statements about tests, pictures, weights and what it is.
    const SIZES: [(&str, usize); 41] = [
        ("chess", 80),
        ("chess960", 15),
        ("king-of-the-hill", 15),
        ("three-check", 15),
        ("capablanca", 15),
        ("atomic", 15),
        ("crazyhouse", 15),
        ("racing-kings", 15),
        ("horde", 15),
        ("backgammon", 100),
        ("nackgammon", 15),
        ("hypergammon", 15),
        ("longgammon", 15),
        ("tic-tac-toe", 8),
        ("connect-four", 9),
        ("gomoku", 9),
        ("othello", 14),
        ("hex", 12),
        ("go", 20),
        ("breakthrough", 12),
        ("draughts", 30),
        ("lines-of-action", 14),
        ("amazons", 14),
        ("clobber", 9),
        ("ataxx", 14),
        ("konane", 20),
        ("nine-mens-morris", 35),
        ("dots-and-boxes", 14),
        ("quoridor", 35),
        ("tablut", 30),
        ("oware", 20),
        ("xiangqi", 60),
        ("shogi", 70),
        ("phantom-tic-tac-toe", 12),
        ("kuhn-poker", 20),
        ("leduc-poker", 35),
        ("liars-dice", 35),
        ("rock-paper-scissors", 12),
        ("dark-chess", 15),
        ("battleship", 20),
        ("small-stratego", 35),
    ];

    /// How many lines of a file have code.
    fn lines(file: &str) -> usize {
        use senet_lang::syntax::ItemKind;
        let parsed = senet_lang::parse(0, file);
        let aside = |kind: &ItemKind| {
            matches!(
                kind,
                ItemKind::About(_)
                    | ItemKind::Test(_)
                    | ItemKind::Picture(_)
                    | ItemKind::Weights(_)
            )
        };
        let mut counted = std::collections::BTreeSet::new();
        for item in parsed.items.iter().filter(|item| !aside(&item.kind)) {
            let tokens = parsed.tokens.iter().filter(|token| {
                !token.is_trivia()
                    && item.span.start <= token.span.start
                    && token.span.end <= item.span.end
            });
            let line =
                |token: &senet_lang::Token| file[..token.span.start as usize].matches('\n').count();
            counted.extend(tokens.map(line));
        }
        counted.len()
    }

    #[test]
    fn every_game_keeps_to_its_size() {
        for entry in GAMES {
            let size = SIZES.iter().find(|(name, _)| *name == entry.name);
            let (_, most) = size.unwrap_or_else(|| panic!("{} has no size", entry.name));
            let found = lines(entry.file);
            assert!(found <= *most, "{} has {found} lines of code, at most {most}", entry.name);
        }
    }

    #[test]
    fn a_slip_in_a_name_is_answered_with_the_name() {
        let error = find("tic-tac-to").err().expect("no such game");
        assert_eq!(error.near.as_deref(), Some("tic-tac-toe"));
    }
}
