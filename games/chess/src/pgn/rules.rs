//! The games that a file may contain.

use senet_core::notation::excerpt;
use senet_core::{Game, State};

use crate::lexicon::Lexicon;
use crate::notation::Chess;
use crate::pgn::{Problem, Tags};

/// What other programs call the variants, beside the names of the games.
const ALIASES: [(&str, &str); 9] = [
    ("standard", "chess"),
    ("normal", "chess"),
    ("fromposition", "chess"),
    ("fischerandom", "chess960"),
    ("fischerrandom", "chess960"),
    ("freestyle", "chess960"),
    ("koth", "kingofthehill"),
    ("3check", "threecheck"),
    ("capablancachess", "capablanca"),
];

/// The games that a file may contain, told apart by its Variant tag.
pub struct Rules<'g> {
    lexicons: Vec<Lexicon<'g>>,
}

impl<'g> Rules<'g> {
    /// One game, which is also that of files that name no variant.
    pub fn new(game: &'g Game, notation: &Chess) -> Rules<'g> {
        Rules { lexicons: vec![notation.lexicon(game)] }
    }

    /// One more game, for files that name it as their variant.
    #[must_use]
    pub fn with(mut self, game: &'g Game, notation: &Chess) -> Rules<'g> {
        self.lexicons.push(notation.lexicon(game));
        self
    }

    /// The game of files that name no variant.
    pub(crate) fn first(&self) -> &Lexicon<'g> {
        &self.lexicons[0]
    }

    /// The game that tags speak of.
    pub(crate) fn of(&self, tags: &Tags) -> Result<&Lexicon<'g>, Problem> {
        match tags.get("Variant") {
            None | Some("" | "?") => Ok(self.first()),
            Some(variant) => self.named(variant),
        }
    }

    /// The game of a name.
    pub(crate) fn named(&self, variant: &str) -> Result<&Lexicon<'g>, Problem> {
        let plain = plain(variant);
        let name = ALIASES.iter().find(|(alias, _)| *alias == plain);
        let name = name.map_or(plain.as_str(), |(_, name)| name);
        let mut known = self.lexicons.iter();
        known.find(|one| self::plain(one.game.name()) == name).ok_or_else(|| {
            let known = self.lexicons.iter().map(|one| one.game.name());
            let known = known.collect::<Vec<_>>().join(", ");
            Problem::UnknownVariant { found: excerpt(variant), known }
        })
    }
}

/// The state before the first move that tags speak of.
pub(crate) fn start(lexicon: &Lexicon<'_>, tags: &Tags) -> Result<State, Problem> {
    match tags.get("FEN") {
        Some(fen) => crate::fen::parse(lexicon, fen).map_err(Problem::Position),
        None => Ok(lexicon.game.start()),
    }
}

/// A name without all that differs between spellings.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
