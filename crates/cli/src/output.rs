//! Standard output, in words or in JSON.

use std::borrow::Cow;
use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use crate::failure::Failure;

/// Where answers go.
pub(crate) struct Output {
    json: bool,
    into: BufWriter<Stdout>,
}

impl Output {
    pub(crate) fn new(json: bool) -> Output {
        Output { json, into: BufWriter::new(io::stdout()) }
    }

    /// Whether the answer is wanted in JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.into, "{}", printable(&line.to_string()))
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.into.write_all(text.as_bytes())
    }

    /// Writes a value as one line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.into, value)?;
        self.into.write_all(b"\n")
    }

    /// Tells of a failure that is part of the answer: it goes where the answer goes.
    pub(crate) fn tell(&mut self, failure: &Failure) -> Result<(), Failure> {
        match self.json {
            true => self.json(&failure.envelope())?,
            false => self.line(&failure.message)?,
        }
        Ok(())
    }

    /// Tells of a failure beside an answer that others read on: on standard error in words.
    pub(crate) fn tell_aside(&mut self, failure: &Failure) -> Result<(), Failure> {
        if self.json {
            return Ok(self.json(&failure.envelope())?);
        }
        self.flush()?;
        crate::note(&format!("error: {}", failure.message));
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.into.flush()
    }
}

/// Rows of words, every column as wide as its widest word.
pub(crate) fn columns<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let widths: [usize; N] = std::array::from_fn(|column| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).filter(|(_, width)| *width > 0);
        let cells = cells.map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<String>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A text with control characters escaped, so that no name or path of a file can steer a terminal.
/// Line ends and tabs are part of texts.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let harmful = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if !text.contains(harmful) {
        return Cow::Borrowed(text);
    }
    let escaped = |letter: char| match harmful(letter) {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    Cow::Owned(text.chars().map(escaped).collect())
}

/// A number with what it counts.
pub(crate) fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_empty_ones_vanish() {
        let rows = [["a", "", "long"], ["bcd", "", "x"]].map(|row| row.map(str::to_owned));
        assert_eq!(columns(&rows), ["a    long", "bcd  x"]);
    }
}
