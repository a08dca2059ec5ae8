//! The lines of a file, one at a time and none too long.

use std::io::BufRead;

use crate::mat::{LONGEST_LINE, Problem};

/// A file and its line at hand.
pub(crate) struct Source<R> {
    input: R,
    bytes: Vec<u8>,
    /// The number of the line, from 1; 0 before the first.
    pub(crate) number: usize,
    /// Whether the line at hand is to be given once more.
    again: bool,
    ended: bool,
}

impl<R: BufRead> Source<R> {
    pub(crate) fn new(input: R) -> Source<R> {
        Source { input, bytes: Vec::new(), number: 0, again: false, ended: false }
    }

    /// The next line without its end; none at the end of the file.
    pub(crate) fn next(&mut self) -> Option<Result<&str, Problem>> {
        if !std::mem::take(&mut self.again) {
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(problem) => return Some(Err(problem)),
            }
        }
        let line = self.bytes.trim_ascii_end();
        let line = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| self.number == 1).unwrap_or(line);
        if line.contains(&0) {
            return Some(Err(Problem::Nul));
        }
        Some(std::str::from_utf8(line).map_err(|_| Problem::NotUtf8))
    }

    /// Gives the line at hand once more.
    pub(crate) fn back(&mut self) {
        self.again = !self.ended;
    }

    fn advance(&mut self) -> Result<bool, Problem> {
        self.bytes.clear();
        if self.ended {
            return Ok(false);
        }
        self.number += 1;
        let (mut any, mut too_long) = (false, false);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    return Err(Problem::Unreadable(error.to_string()));
                }
            };
            if chunk.is_empty() {
                self.ended = true;
                break;
            }
            any = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = LONGEST_LINE - self.bytes.len();
            too_long |= part.len() > room;
            self.bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if too_long { Err(Problem::LineTooLong) } else { Ok(any) }
    }
}
