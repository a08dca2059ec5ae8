//! A file that an editor has open.

use lsp_types::{DiagnosticSeverity, NumberOrString, Position, Range};

use crate::diagnostic::{Diagnostic, Severity};
use crate::file::{Library, Reading, Source, read_with};
use crate::lint::lint;
use crate::span::Span;
use crate::symbol::Index;
use senet_core::Options;

/// A file that an editor has open: its text, and what there is to say about it.
pub struct Document {
    pub(super) uri: String,
    pub(super) source: Source,
    pub(super) library: Box<dyn Library>,
    /// The byte at which each line starts.
    lines: Vec<usize>,
}

impl Document {
    /// A file with its text.
    pub fn new(uri: &str, text: String, library: Box<dyn Library>) -> Document {
        let name = uri.rsplit('/').next().unwrap_or(uri).to_owned();
        let lines = line_starts(&text);
        Document { uri: uri.to_owned(), source: Source { name, text }, library, lines }
    }

    /// The text as it is now.
    pub fn text(&self) -> &str {
        &self.source.text
    }

    /// Replaces a part of the text, or all of it.
    pub fn change(&mut self, range: Option<Range>, text: &str) {
        match range {
            None => self.source.text = text.to_owned(),
            Some(range) => {
                let (start, end) = (self.byte(range.start), self.byte(range.end));
                let (start, end) = (start.min(end), start.max(end));
                self.source.text.replace_range(start..end, text);
            }
        }
        self.lines = line_starts(&self.source.text);
    }

    /// The byte of a position; the nearest one where there is no such position.
    pub(super) fn byte(&self, position: Position) -> usize {
        let text = &self.source.text;
        let line = position.line as usize;
        let Some(start) = self.lines.get(line) else { return text.len() };
        let end = self.lines.get(line + 1).copied().unwrap_or(text.len());
        let mut units = 0;
        for (at, c) in text[*start..end].char_indices() {
            let breaks = matches!(c, '\n' | '\r');
            if breaks || units + c.len_utf16() > position.character as usize {
                return start + at;
            }
            units += c.len_utf16();
        }
        end
    }

    /// The position of a byte.
    pub(super) fn position(&self, byte: usize) -> Position {
        position_in(&self.source.text, &self.lines, byte)
    }

    /// The range of a place in the file itself.
    pub(super) fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start as usize), self.position(span.end as usize))
    }

    /// The names of the file.
    pub(super) fn index(&self) -> Index {
        Index::of(&self.source, &*self.library)
    }

    /// Every mistake and doubt.
    pub(super) fn found(&self) -> Vec<Diagnostic> {
        let reading = Reading { library: &*self.library, settings: Default::default() };
        match read_with(&self.source, &reading) {
            Err(problems) => problems.diagnostics,
            Ok(file) => match file.compile(Options::default()) {
                Err(problems) => problems.diagnostics,
                Ok(_) => lint(&file),
            },
        }
    }

    /// Every mistake and doubt, as the protocol has them. What is wrong with a game that this one is
    /// based on is told where it is named.
    pub(super) fn diagnostics(&self) -> Vec<lsp_types::Diagnostic> {
        self.found().iter().map(|one| self.shown(one)).collect()
    }

    fn shown(&self, one: &Diagnostic) -> lsp_types::Diagnostic {
        let own = one.span.file == 0;
        let span = if own { one.span } else { Span::new(0, 0, self.first_line()) };
        let severity = match one.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        };
        let message = match &one.help {
            Some(help) => format!("{}\n{help}", one.message),
            None => one.message.clone(),
        };
        lsp_types::Diagnostic {
            range: self.range(span),
            severity: Some(severity),
            code: Some(NumberOrString::String(one.code.to_owned())),
            source: Some("senet".to_owned()),
            message,
            ..lsp_types::Diagnostic::default()
        }
    }

    fn first_line(&self) -> usize {
        let text = &self.source.text;
        text.find(['\n', '\r']).unwrap_or(text.len())
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
}

/// The position of a byte of a text whose lines start at these bytes.
fn position_in(text: &str, lines: &[usize], byte: usize) -> Position {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let line = lines.partition_point(|start| *start <= byte) - 1;
    let units: usize = text[lines[line]..byte].chars().map(char::len_utf16).sum();
    Position::new(line as u32, units as u32)
}

/// The range of a place in any text.
pub(super) fn range_in(text: &str, span: Span) -> Range {
    let lines = line_starts(text);
    let at = |byte: u32| position_in(text, &lines, byte as usize);
    Range::new(at(span.start), at(span.end))
}
