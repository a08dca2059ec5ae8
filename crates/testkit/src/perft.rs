//! Perft counts as data: `position; depth=nodes; depth=nodes`, a line for each position.
//!
//! A line that begins with `#` is a comment, and one of them names the source of the numbers:
//! `# source: …`. The position `start` is the game's start.

use senet_core::{Game, Notation};

/// A position and what is known of its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftLine {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The position, in the game's notation; `start` for the start.
    pub position: String,
    /// Depths and how many sequences of legal events there are.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a file of perft counts. The message says what is wrong in which line.
pub fn parse_perft(text: &str) -> Result<Vec<PerftLine>, String> {
    let mut lines = Vec::new();
    let sourced = text
        .lines()
        .any(|line| line.strip_prefix("# source:").is_some_and(|source| !source.trim().is_empty()));
    if !sourced {
        return Err("no line `# source: …` says where the numbers come from".into());
    }
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let line_number = index + 1;
        let mut parts = line.split(';').map(str::trim);
        let position = parts.next().unwrap_or_default().to_owned();
        let count = |part: &str| {
            let (depth, nodes) = part.split_once('=')?;
            Some((depth.trim().parse().ok()?, nodes.trim().replace('_', "").parse().ok()?))
        };
        let bad = |part: &str| format!("line {line_number}: expected depth=nodes, found `{part}`");
        let counts = parts.filter(|part| !part.is_empty());
        let counts = counts.map(|part| count(part).ok_or_else(|| bad(part)));
        let counts: Vec<(u32, u64)> = counts.collect::<Result<_, _>>()?;
        if counts.is_empty() {
            return Err(format!("line {line_number}: no depth=nodes after the position"));
        }
        lines.push(PerftLine { line: line_number, position, counts });
    }
    Ok(lines)
}

/// Counts every depth of a file that has at most `most` nodes, and compares.
///
/// # Panics
/// If the file or a position cannot be read, or a count differs.
pub fn check_perft(game: &Game, notation: &dyn Notation, text: &str, most: u64) {
    let lines = parse_perft(text).unwrap_or_else(|error| panic!("{error}"));
    for PerftLine { line, position, counts } in lines {
        let state = match position.as_str() {
            "start" => Ok(game.start()),
            position => notation.parse_position(game, position),
        };
        let state = state.unwrap_or_else(|error| panic!("line {line}: {error}"));
        for (depth, nodes) in counts.into_iter().filter(|(_, nodes)| *nodes <= most) {
            let found = game.perft(&state, depth);
            assert_eq!(found, nodes, "line {line}, `{position}`, depth {depth}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_line_by_line() {
        let lines = parse_perft("# source: counted by hand\n\nstart; 1=9; 2=1_000\n").unwrap();
        let expected =
            PerftLine { line: 3, position: "start".into(), counts: vec![(1, 9), (2, 1000)] };
        assert_eq!(lines, [expected]);
    }

    #[test]
    fn mistakes_name_their_line() {
        assert!(parse_perft("start; 1=9").unwrap_err().contains("source"));
        assert!(parse_perft("# source: x\nstart; 1:9").unwrap_err().contains("line 2"));
        assert!(parse_perft("# source: x\nstart").unwrap_err().contains("line 2"));
        assert!(parse_perft("# source: x\nstart; 1=-9").unwrap_err().contains("`1=-9`"));
    }
}
