//! Every word of the language: how it is written, what it means, and an example that runs. The
//! language server shows them, and the reference of the book is made of them.

mod table;

pub use table::WORDS;

/// What a word belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// It starts a statement.
    Statement,
    /// It shapes a board.
    Board,
    /// It belongs to a statement about what there is.
    Trait,
    /// It is a part of a rule.
    Part,
    /// It is a way of moving.
    Way,
    /// It is a set of tiles.
    Set,
    /// It is a tile.
    Tile,
    /// It is a number.
    Number,
    /// It is a truth.
    Truth,
    /// It is a direction, or several.
    Direction,
    /// It is a player.
    Seat,
    /// It is something that a rule does.
    Effect,
    /// It belongs to a test.
    Test,
}

impl Group {
    /// Every group, in the order of the reference.
    pub const ALL: [Group; 13] = [
        Group::Statement,
        Group::Board,
        Group::Trait,
        Group::Part,
        Group::Way,
        Group::Set,
        Group::Tile,
        Group::Number,
        Group::Truth,
        Group::Direction,
        Group::Seat,
        Group::Effect,
        Group::Test,
    ];

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Group::Statement => "Statements",
            Group::Board => "Boards",
            Group::Trait => "Parts of what there is",
            Group::Part => "Parts of a rule",
            Group::Way => "Ways of moving",
            Group::Set => "Sets of tiles",
            Group::Tile => "Tiles",
            Group::Number => "Numbers",
            Group::Truth => "Truths",
            Group::Direction => "Directions",
            Group::Seat => "Players",
            Group::Effect => "Effects",
            Group::Test => "Tests",
        }
    }
}

/// A word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word.
    pub text: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// How it is written.
    pub form: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Lines that use it: a whole game, or lines that may follow those of [`STAGE`].
    pub example: &'static str,
}

/// The game that examples of words add to.
pub const STAGE: &str = "\
game stage
players white facing north, black facing south
board grid 5 x 5
region hill = {c3}
piece man M worth 1: step eight
piece tower T: slide orthogonal
setup white man rank 1, white tower c2, black man rank 5, black tower c4
flag tired
mark hot
variable score 0..9 each
variable clock 0..99
dice one, two sides 6
phase play when clock < 99
rule go: move
win \"home\" any own & row last
";

/// The words of a text that the language knows, with every meaning that it has.
pub fn words(text: &str) -> impl Iterator<Item = &'static Word> {
    WORDS.iter().filter(move |word| word.text == text)
}

impl Word {
    /// The example as a whole game.
    pub fn game(&self) -> String {
        match self.example.starts_with("game ") {
            true => format!("{}\n", self.example),
            false => format!("{STAGE}{}\n", self.example),
        }
    }
}

/// The page of the book that lists every word.
pub fn reference() -> String {
    let mut page = String::from(
        "# Every word of the language\n\n\
         This page is made of the table that the language server shows when you point at a word. Each\n\
         example is a whole game, or follows these lines:\n\n```senet\n",
    );
    page.push_str(STAGE);
    page.push_str("```\n");
    for group in Group::ALL {
        page.push_str(&format!("\n## {}\n", group.title()));
        for word in WORDS.iter().filter(|word| word.group == group) {
            page.push_str(&format!("\n`{}` {}\n", word.form, word.meaning));
            page.push_str(&format!("\n```senet\n{}\n```\n", word.example));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{Reading, Shelf, Source, read_with};
    use crate::parser::STATEMENTS;
    use crate::token::{TokenKind, tokens};
    use senet_core::Options;

    #[test]
    fn every_example_is_a_game_that_uses_its_word() {
        let base = include_str!("../../../games/breakthrough.senet");
        let games = [("breakthrough", base)];
        let library = Shelf(&games);
        let mut wrong = Vec::new();
        for word in WORDS {
            let source = Source::new(word.form, word.game());
            let reading = Reading { library: &library, settings: Default::default() };
            let file = read_with(&source, &reading);
            let compiled = file.and_then(|file| {
                let game = file.compile(Options::default())?;
                let notation = &senet_core::Plain;
                let trials = crate::trial::run_tests(&file, &library, notation);
                Ok((game, trials))
            });
            match compiled {
                Ok((_, trials)) => wrong.extend(trials.into_iter().filter_map(|one| one.failure)),
                Err(problems) => wrong.push(problems.to_string()),
            }
            let (found, _) = tokens(0, word.example);
            let used = found.iter().any(|token| {
                let spoken = matches!(token.kind, TokenKind::Word | TokenKind::Symbol);
                spoken && word.example[token.span.range()] == *word.text
            });
            if !used {
                wrong.push(format!("the example of `{}` does not use it", word.form));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn every_word_that_starts_a_statement_or_a_part_is_told() {
        let told =
            |text: &str, groups: &[Group]| words(text).any(|word| groups.contains(&word.group));
        for text in STATEMENTS {
            assert!(told(text, &[Group::Statement, Group::Part]), "nothing is told about `{text}`");
        }
        for text in crate::parser::CLAUSES {
            assert!(told(text, &[Group::Part, Group::Way]), "nothing is told about `{text}`");
        }
    }
}
