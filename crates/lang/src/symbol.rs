//! The names of a game file: where each is declared, and where it is used.

mod walk;

use std::collections::BTreeMap;

use crate::file::{Family, Library, Source};
use crate::span::Span;
use walk::Walk;

/// What sort of thing a name is given to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each is the sort of its name")]
pub enum Sort {
    Game,
    Option,
    Player,
    Tile,
    Direction,
    Region,
    Piece,
    Flag,
    Mark,
    Variable,
    Die,
    Pile,
    Act,
    Let,
    Phase,
    Rule,
    Ending,
    Requirement,
    /// A name that holds only inside one statement: a parameter, or what `union d in …` binds.
    Local,
}

impl Sort {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Sort::Game => "game",
            Sort::Option => "option",
            Sort::Player => "player",
            Sort::Tile => "tile",
            Sort::Direction => "direction",
            Sort::Region => "region",
            Sort::Piece => "piece",
            Sort::Flag => "flag",
            Sort::Mark => "mark",
            Sort::Variable => "variable",
            Sort::Die => "die",
            Sort::Pile => "pile",
            Sort::Act => "act",
            Sort::Let => "let",
            Sort::Phase => "phase",
            Sort::Rule => "rule",
            Sort::Ending => "ending",
            Sort::Requirement => "requirement",
            Sort::Local => "local name",
        }
    }
}

/// A name and every place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What sort of thing it is.
    pub sort: Sort,
    /// The name.
    pub name: String,
    /// Where it is declared: in the file itself, or else in the nearest game that it is based on.
    pub declared: Span,
    /// The statement that declares it.
    pub statement: Span,
    /// Every place where it stands, the declaration included, in order.
    pub places: Vec<Span>,
}

/// The names of a file and of those that it is based on.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// Every name.
    pub symbols: Vec<Symbol>,
    /// The texts that places are in: the file, then those that it is based on.
    pub sources: Vec<Source>,
    global: BTreeMap<(Sort, String), usize>,
}

impl Index {
    /// The names of a file. A statement that cannot be read adds none.
    pub fn of(source: &Source, library: &dyn Library) -> Index {
        let family = Family::of(source, library);
        let mut index = Index { sources: family.sources, ..Index::default() };
        for items in &family.items {
            for item in items {
                Walk::declare(&mut index, item);
            }
        }
        for items in &family.items {
            for item in items {
                Walk::over(&mut index, item);
            }
        }
        for symbol in &mut index.symbols {
            symbol.places.sort_unstable();
            symbol.places.dedup();
        }
        index
    }

    /// The name that stands at a byte of the file itself, and its place there.
    pub fn at(&self, byte: u32) -> Option<(&Symbol, Span)> {
        let here = |span: &&Span| span.file == 0 && (span.start..=span.end).contains(&byte);
        let found = self.symbols.iter().filter_map(|symbol| {
            let place = symbol.places.iter().find(here)?;
            Some((symbol, *place))
        });
        found.min_by_key(|(_, span)| span.end - span.start)
    }

    /// The names of a sort.
    pub fn names(&self, sort: Sort) -> impl Iterator<Item = &str> {
        let of_sort = self.symbols.iter().filter(move |symbol| symbol.sort == sort);
        of_sort.map(|symbol| symbol.name.as_str())
    }

    fn find(&self, sort: Sort, name: &str) -> Option<usize> {
        self.global.get(&(sort, name.to_owned())).copied()
    }

    /// Declares a name for the whole game; where it is declared already, this is one more place.
    fn declare(&mut self, sort: Sort, name: &str, at: Span, statement: Span) {
        if name.is_empty() {
            return;
        }
        match self.find(sort, name) {
            Some(known) => self.symbols[known].places.push(at),
            None => {
                let added = self.add(sort, name, at, statement);
                self.global.insert((sort, name.to_owned()), added);
            }
        }
    }

    fn add(&mut self, sort: Sort, name: &str, declared: Span, statement: Span) -> usize {
        let (name, places) = (name.to_owned(), vec![declared]);
        self.symbols.push(Symbol { sort, name, declared, statement, places });
        self.symbols.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{NoLibrary, Shelf};

    fn places(text: &str, at: &str) -> Vec<String> {
        let index = Index::of(&Source::new("x.senet", text), &NoLibrary);
        let byte = text.find(at).expect("it is there") as u32;
        let (symbol, _) = index.at(byte).expect("a name stands there");
        let lines = symbol.places.iter().map(|span| {
            let (line, column) = crate::span::line_column(text, span.start);
            format!("{line}:{column}")
        });
        lines.collect()
    }

    #[test]
    fn a_word_of_the_language_is_not_the_piece_of_that_name() {
        let text = "game x\nplayers a, b\nboard grid 3 x 3\npiece mark\n\
            rule mark a tile: put mark on empty\nwin \"w\" line 3 of own & mark\n";
        assert_eq!(places(text, "mark\nrule"), ["4:7", "5:23", "6:25"]);
        assert_eq!(places(text, "mark a tile"), ["5:6"]);
    }

    #[test]
    fn a_parameter_hides_the_name_around_it() {
        let text = "game x\nregion far = rank 1\nlet near(far) = far.north & own\n\
            let all = union far in near(far): far\n";
        assert_eq!(places(text, "far = rank"), ["2:8", "4:29"]);
        assert_eq!(places(text, "far) ="), ["3:10", "3:17"]);
        assert_eq!(places(text, "far in near"), ["4:17", "4:35"]);
    }

    #[test]
    fn a_name_of_the_game_below_is_declared_there() {
        let shelf = Shelf(&[("base", "game base\npiece man\nregion hill = {a1}\n")]);
        let text = "game top is base\nwin \"w\" any own & man & hill\n";
        let index = Index::of(&Source::new("top.senet", text), &shelf);
        let (symbol, _) = index.at(text.find("man").unwrap() as u32).unwrap();
        assert_eq!((symbol.sort, symbol.declared.file), (Sort::Piece, 1));
        let (game, _) = index.at(text.find("base").unwrap() as u32).unwrap();
        assert_eq!((game.sort, game.declared.file), (Sort::Game, 1));
    }
}
