//! The lines of a file, one at a time and none too long.

use std::io::{BufRead, Read};

use crate::pgn::{LONGEST_LINE, Problem};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file, a line of it in memory and a place in that line.
pub(crate) struct Source<R> {
    input: R,
    /// The line without its end.
    pub(crate) line: Vec<u8>,
    /// The number of the line, from 1; 0 before the first.
    pub(crate) number: usize,
    /// The byte of the line that is read next.
    pub(crate) at: usize,
    ended: bool,
}

impl<R: BufRead> Source<R> {
    pub(crate) fn new(input: R) -> Source<R> {
        Source { input, line: Vec::new(), number: 0, at: 0, ended: false }
    }

    /// Goes to the next line. False at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, Problem> {
        self.line.clear();
        self.at = 0;
        if self.ended {
            return Ok(false);
        }
        self.number += 1;
        let mut some = self.input.by_ref().take(LONGEST_LINE as u64 + 1);
        if let Err(error) = some.read_until(b'\n', &mut self.line) {
            self.ended = true;
            return Err(Problem::Unreadable(error.to_string()));
        }
        if self.line.is_empty() {
            self.ended = true;
            return Ok(false);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() > LONGEST_LINE {
            self.line.clear();
            self.line.shrink_to(1 << 16);
            self.skip_line()?;
            return Err(Problem::LineTooLong);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        // Nearly no line has one, and whether it does is found faster than where.
        if self.line.contains(&0) {
            self.at = self.line.iter().position(|&byte| byte == 0).unwrap_or(0);
            return Err(Problem::Nul);
        }
        Ok(true)
    }

    /// Drops the rest of a line without keeping it.
    fn skip_line(&mut self) -> Result<(), Problem> {
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) => {
                    self.ended = true;
                    return Err(Problem::Unreadable(error.to_string()));
                }
            };
            if buffer.is_empty() {
                self.ended = true;
                return Ok(());
            }
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                return Ok(());
            }
        }
    }

    /// Whether nothing is left.
    pub(crate) fn is_over(&self) -> bool {
        self.ended
    }

    /// The rest of the line.
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }

    /// The character of the line at which a byte lies, from 1.
    pub(crate) fn column(&self, byte: usize) -> usize {
        let before = &self.line[..byte.min(self.line.len())];
        before.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() + 1
    }

    /// Whether the line begins as a tag does.
    pub(crate) fn is_tag(&self) -> bool {
        is_tag(&self.line)
    }

    /// Whether the line begins a game as almost every file does.
    pub(crate) fn is_event(&self) -> bool {
        self.line.starts_with(b"[Event \"")
    }
}

fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"[") else { return false };
    let rest = rest.trim_ascii_start();
    let name = rest.iter().take_while(|byte| is_name(**byte)).count();
    name > 0 && rest[name..].trim_ascii_start().starts_with(b"\"")
}

/// Whether a byte may be part of a tag's name.
pub(crate) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'#' | b'=' | b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_without_their_ends_and_the_mark_before_the_first() {
        let mut source = Source::new(&b"\xef\xbb\xbfone\r\ntwo\n\nlast"[..]);
        let mut lines = Vec::new();
        while source.advance().unwrap() {
            lines.push((source.number, String::from_utf8(source.line.clone()).unwrap()));
        }
        let lines: Vec<(usize, &str)> = lines.iter().map(|(n, line)| (*n, &line[..])).collect();
        assert_eq!(lines, [(1, "one"), (2, "two"), (3, ""), (4, "last")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_refused_and_passed_over() {
        let mut text = vec![b'x'; LONGEST_LINE + 5];
        text.extend(b"\nnext");
        let mut source = Source::new(&text[..]);
        assert_eq!(source.advance(), Err(Problem::LineTooLong));
        assert_eq!(source.advance(), Ok(true));
        assert_eq!(source.line, b"next");
    }

    #[test]
    fn tags_are_told_from_other_brackets() {
        assert!(is_tag(b"[Event \"x\"]"));
        assert!(is_tag(b"[ White\"x\"]"));
        assert!(!is_tag(b"[%clk 0:01]"));
        assert!(!is_tag(b"[see \xe2\x80\x9cx\xe2\x80\x9d]"));
        assert!(!is_tag(b"1. e4"));
    }
}
