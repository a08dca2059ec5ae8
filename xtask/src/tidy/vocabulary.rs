//! Core names no game.

use super::finding::Finding;
use super::tree::Tree;

/// Words of single games. A name of several words is written with spaces and found however it is
/// joined: by a hyphen, an underscore or capitals. A plural in `s` is found with its singular.
const WORDS: [&str; 26] = [
    "backgammon",
    "bar",
    "bishop",
    "castle",
    "castling",
    "checker",
    "checkmate",
    "chess",
    "connect four",
    "draughts",
    "gammon",
    "king",
    "knight",
    "mancala",
    "noughts",
    "othello",
    "passant",
    "pawn",
    "queen",
    "reversi",
    "rook",
    "shogi",
    "stalemate",
    "tic tac toe",
    "tictactoe",
    "xiangqi",
];

/// Finds words of single games in the sources of core, comments included.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let sources =
        tree.with_extension("rs").filter(|file| file.path.starts_with("crates/core/src/"));
    for file in sources {
        for (number, line) in file.lines() {
            let words = words(line);
            for banned in WORDS.iter().filter(|banned| names(&words, banned)) {
                let message = format!("{banned:?} belongs to one game; core names none");
                findings.push(Finding::at(&file.path, number, message));
            }
        }
    }
    findings
}

/// Whether a banned name stands among the words of a line.
fn names(words: &[String], banned: &str) -> bool {
    let parts: Vec<_> = banned.split(' ').collect();
    let is = |(word, part): (&String, &&str)| {
        word == part || word.strip_suffix('s').is_some_and(|singular| singular == *part)
    };
    words.windows(parts.len()).any(|run| run.iter().zip(&parts).all(is))
}

/// The words of a line in lower case; `snake_case` and `CamelCase` are taken apart.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = line.chars().collect();
    for (index, letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map_or(' ', |index| letters[index]);
        let after = letters.get(index + 1).copied().unwrap_or(' ');
        let starts = letter.is_uppercase() && (before.is_lowercase() || after.is_lowercase());
        if starts || !letter.is_alphabetic() {
            words.push(String::new());
        }
        if letter.is_alphabetic() {
            words.last_mut().expect("there is a first word").extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> usize {
        check(&Tree::of(&[("crates/core/src/path/ray.rs", line)])).len()
    }

    #[test]
    fn a_word_of_one_game_is_found_however_it_is_written() {
        for line in [
            "// the king stands here",
            "fn king_is_safe() {",
            "struct PawnStep;",
            "const ROOK: u8 = 1;",
            "/// Two Knights' tour",
            "let name = \"tic-tac-toe\";",
            "use tic_tac_toe;",
            "struct TicTacToe;",
            "// Connect Four",
            "fn queen2() {}",
        ] {
            assert_eq!(found(line), 1, "{line}");
        }
    }

    #[test]
    fn words_that_only_contain_one_are_allowed() {
        for line in
            ["let checked = linking(barrier);", "// a spawned task, looking checked", "tic toe"]
        {
            assert_eq!(found(line), 0, "{line}");
        }
    }

    #[test]
    fn only_core_is_bound() {
        assert_eq!(check(&Tree::of(&[("games/chess/src/lib.rs", "// king")])), []);
    }
}
