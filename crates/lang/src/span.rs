//! Places in source text.

use serde::Serialize;

/// A range of bytes in one of the files that a game is read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Span {
    /// Which file: 0 is the game's own, higher numbers are the games it is based on.
    pub file: u16,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A range of bytes of a file.
    pub fn new(file: u16, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest range that contains both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: if other.file == self.file { self.end.max(other.end) } else { self.end },
        }
    }

    /// The range as indices into the text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The line and column of a byte of a text, both from 1; columns count characters. A byte order mark
/// is none.
pub fn line_column(text: &str, byte: u32) -> (usize, usize) {
    Lines::of(text).line_column(byte)
}

/// Where the lines of a text begin, for many questions about it.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// The lines of a text.
    pub fn of(text: &'t str) -> Lines<'t> {
        let after = text.match_indices('\n').map(|(newline, _)| newline + 1);
        Lines { text, starts: std::iter::once(0).chain(after).collect() }
    }

    /// The answer of [`line_column`].
    pub fn line_column(&self, byte: u32) -> (usize, usize) {
        let mut at = (byte as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.starts.partition_point(|&start| start <= at);
        let before = &self.text[self.starts[line - 1]..at];
        let mark = usize::from(line == 1 && before.starts_with('\u{feff}'));
        (line, before.chars().count() + 1 - mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "ab\ncé\nd";
        assert_eq!(line_column(text, 0), (1, 1));
        assert_eq!(line_column(text, 3), (2, 1));
        assert_eq!(line_column(text, 6), (2, 3));
        assert_eq!(line_column(text, 7), (3, 1));
        assert_eq!(line_column(text, 999), (3, 2));
        assert_eq!(line_column("\u{feff}ab\nc", 3), (1, 1));
        assert_eq!(line_column("\u{feff}ab\nc", 6), (2, 1));
    }
}
