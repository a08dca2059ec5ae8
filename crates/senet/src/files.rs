//! Game files: where they are found, and how they become games.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use senet_core::{Notation, Options};
use senet_registry::lang::{
    Diagnostic, GameFile, Library, MAX_BYTES, Problems, Reading, Source, read_with,
};
use senet_registry::{NOTATIONS, Shipped};

use crate::game::{Game, GameError};

/// The shipped games and those of folders, for games that are based on others.
#[derive(Clone, Debug, Default)]
pub struct Files {
    folders: Vec<PathBuf>,
}

impl Files {
    /// The shipped games and the files `NAME.senet` of these folders.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Files {
        Files { folders: folders.into_iter().collect() }
    }

    /// The file of a game in one of the folders.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        let plain = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "..";
        let paths = self.folders.iter().map(|folder| folder.join(format!("{name}.senet")));
        { paths }.find(|path| plain && path.is_file())
    }

    /// The names of the games in the folders, sorted.
    pub fn added(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for folder in &self.folders {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let files = entries.filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                name.strip_suffix(".senet").map(str::to_owned)
            });
            names.extend(files);
        }
        names.sort();
        names.dedup();
        names
    }
}

impl Library for Files {
    fn source(&self, name: &str) -> Option<Source> {
        Shipped.source(name).or_else(|| {
            let path = self.path(name)?;
            let short = std::fs::metadata(&path).is_ok_and(|about| about.len() <= MAX_BYTES as u64);
            let text = short.then(|| std::fs::read_to_string(&path).ok()).flatten()?;
            Some(Source::new(path.display().to_string(), text))
        })
    }

    fn names(&self) -> Vec<String> {
        let mut names = Shipped.names();
        names.extend(self.added());
        names
    }
}

impl Game {
    /// Reads and compiles a game file, with values for its options. Games that it is based on are
    /// found among the shipped ones and those of `files`.
    pub fn from_source(
        source: &Source,
        files: &Files,
        settings: BTreeMap<String, i64>,
    ) -> Result<Game, Problems> {
        let file = read_with(source, &Reading { library: files, settings })?;
        Game::of_file(&file)
    }

    /// Compiles what a game file says. It is written in the notation that the file names.
    pub fn of_file(file: &GameFile) -> Result<Game, Problems> {
        if let Some(why) = misfit(file) {
            let error = Diagnostic::error("notation", file.place("notation"), why);
            let error = error.help("leave `notation` out, or write `notation none`");
            return Err(Problems { sources: file.sources.clone(), diagnostics: vec![error] });
        }
        let rules = Arc::new(file.compile(Options::default())?);
        Ok(Game::of_rules(rules, known_notation(file)))
    }

    /// Reads and compiles a game file at a path. Games that it is based on may lie beside it.
    pub(crate) fn from_source_file(path: &Path) -> Result<Game, GameError> {
        let io = |error| GameError::Io { path: path.to_owned(), error };
        let bytes = std::fs::read(path).map_err(io)?;
        let name = path.display().to_string();
        let source = Source::from_bytes(name, bytes).map_err(GameError::File)?;
        let files = Files::new(path.parent().map(Path::to_owned));
        Game::from_source(&source, &files, BTreeMap::new()).map_err(GameError::File)
    }
}

/// The notation that a game file states or that is named like its game; otherwise the plain one,
/// with a letter for each kind of piece on drawn boards where this crate can draw.
pub fn file_notation(file: &GameFile) -> &'static dyn Notation {
    known_notation(file).1
}

/// The same with its name.
fn known_notation(file: &GameFile) -> (&'static str, &'static dyn Notation) {
    let named = senet_registry::notation_name(file);
    let known = NOTATIONS.iter().find(|(name, _)| named.is_some_and(|one| one == *name));
    let known = known.filter(|_| misfit(file).is_none());
    known.copied().unwrap_or((crate::notation::NONE, PLAIN))
}

/// Why the notation that a file states cannot write its game.
fn misfit(file: &GameFile) -> Option<String> {
    let named = file.notation.first().filter(|name| *name != "none")?;
    if !NOTATIONS.iter().any(|(name, _)| name == named) {
        let known: Vec<&str> = NOTATIONS.iter().map(|(name, _)| *name).collect();
        return Some(format!(
            "there is no notation named `{named}`; the notations are {}",
            known.join(", ")
        ));
    }
    let why = senet_registry::misfit(named, &file.definition)?;
    Some(format!("the notation of {named} cannot write this game: {why}"))
}

#[cfg(feature = "render")]
pub(crate) static PLAIN: &dyn Notation = &crate::lettered::Lettered;
#[cfg(not(feature = "render"))]
pub(crate) static PLAIN: &dyn Notation = &senet_core::Plain;

#[cfg(test)]
mod tests {
    use super::*;

    fn game(text: &str) -> Game {
        let source = Source::new("game.senet", text);
        let game = Game::from_source(&source, &Files::default(), BTreeMap::new());
        game.unwrap_or_else(|problems| panic!("{problems}"))
    }

    #[test]
    fn a_notation_named_like_the_game_is_used_where_it_fits() {
        let line = "board grid 3 x 3\npiece mark\nput mark on empty\ndraw \"full\" none empty\n";
        let variant = game("game slow is chess\nwithout ending \"seventy-five moves\"");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(variant.start().to_string(), start);
        let alike = game(&format!("game tic-tac-toe\nplayers x, o\n{line}"));
        assert!(!alike.notation().is_plain());
        let other = game(&format!("game tic-tac-toe\nplayers left, right\n{line}"));
        assert!(std::ptr::eq(other.notation(), PLAIN));
    }

    #[test]
    fn of_two_games_with_one_name_the_first_folder_has_it() {
        let top = std::env::temp_dir().join(format!("senet-files-{}", std::process::id()));
        let folders = ["one", "two"].map(|name| top.join(name));
        for (folder, size) in folders.iter().zip([3, 4]) {
            std::fs::create_dir_all(folder).expect("a folder");
            let text = format!(
                "game twin\nplayers x, o\nboard grid {size} x {size}\npiece mark\n\
                 put mark on empty\ndraw \"full\" none empty\n"
            );
            std::fs::write(folder.join("twin.senet"), text).expect("a file");
        }
        let [one, two] = folders;
        let tiles = |folders: [&PathBuf; 2]| {
            let files = Files::new(folders.map(Clone::clone));
            assert_eq!(files.added(), ["twin"]);
            let source = files.source("twin").expect("it is there");
            let game = Game::from_source(&source, &files, BTreeMap::new());
            game.unwrap_or_else(|problems| panic!("{problems}")).definition().tiles.len()
        };
        assert_eq!((tiles([&one, &two]), tiles([&two, &one])), (9, 16));
        std::fs::remove_dir_all(&top).expect("its own folder");
    }
}
