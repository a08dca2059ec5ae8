//! Lines of any bytes, read in bounded memory.

use std::io::{self, BufRead};

/// One line of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'b> {
    /// Its bytes without the line end.
    Whole(&'b [u8]),
    /// It is longer than the limit; its beginning.
    TooLong(&'b [u8]),
}

impl<'b> Line<'b> {
    /// The bytes that were kept.
    pub(crate) fn bytes(self) -> &'b [u8] {
        match self {
            Line::Whole(bytes) | Line::TooLong(bytes) => bytes,
        }
    }

    pub(crate) fn is_too_long(self) -> bool {
        matches!(self, Line::TooLong(_))
    }
}

/// Reads line by line; what exceeds the limit is passed over, never kept.
pub(crate) struct Lines<R> {
    from: R,
    limit: usize,
    kept: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(from: R, limit: usize) -> Lines<R> {
        Lines { from, limit, kept: Vec::new() }
    }

    /// The next line; none at the end of input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.kept.clear();
        // A huge line does not make every later one costly to keep.
        self.kept.shrink_to(1 << 16);
        let (mut any, mut too_long) = (false, false);
        loop {
            let chunk = match self.from.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = self.limit - self.kept.len();
            too_long |= part.len() > room;
            self.kept.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.from.consume(used);
            if end.is_some() {
                break;
            }
        }
        let line = if too_long { Line::TooLong(&self.kept) } else { Line::Whole(&self.kept) };
        Ok(any.then_some(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_over_the_limit_is_passed_over_and_the_next_is_read() {
        let input = b"12345\n123456\n\n\xff";
        let mut lines = Lines::new(io::BufReader::with_capacity(2, &input[..]), 5);
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"12345")));
        assert_eq!(lines.next().unwrap(), Some(Line::TooLong(b"12345")));
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"")));
        assert_eq!(lines.next().unwrap(), Some(Line::Whole(b"\xff")));
        assert_eq!(lines.next().unwrap(), None);
    }
}
