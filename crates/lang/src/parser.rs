//! From text to statements. A mistake costs the statement that it stands in, never the file.

mod board;
mod effect;
mod expr;
mod hint;
mod item;
mod rule;
mod secret;
mod test;

pub(crate) use expr::is_reserved;
#[cfg(test)]
pub(crate) use rule::CLAUSES;
use senet_core::notation::nearest;

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{Item, Name};
use crate::token::{Token, TokenKind, tokens};

/// How many bytes a file may have.
pub const MAX_BYTES: usize = 4 << 20;

/// How deep expressions may lie inside one another.
const MAX_DEPTH: usize = 100;

/// The words that start a statement.
pub const STATEMENTS: [&str; 42] = [
    "about",
    "act",
    "acts",
    "aside",
    "board",
    "commit",
    "deal",
    "deck",
    "dice",
    "draw",
    "every",
    "flag",
    "game",
    "let",
    "link",
    "lose",
    "mark",
    "move",
    "notation",
    "option",
    "otherwise",
    "pass",
    "phase",
    "pick",
    "picture",
    "piece",
    "pile",
    "player",
    "players",
    "put",
    "region",
    "require",
    "roll",
    "rule",
    "sees",
    "setup",
    "test",
    "tiles",
    "variable",
    "weights",
    "win",
    "without",
];

/// A file taken apart.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// Every token, spaces and comments included.
    pub tokens: Vec<Token>,
    /// The statements that could be read.
    pub items: Vec<Item>,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a file.
pub fn parse(file: u16, text: &str) -> Parsed {
    if text.len() > MAX_BYTES {
        let span = Span::new(file, 0, 0);
        let message = format!("the file has {} bytes; at most {MAX_BYTES} are read", text.len());
        let diagnostics = vec![Diagnostic::error("file-too-large", span, message)];
        return Parsed { diagnostics, ..Parsed::default() };
    }
    let (tokens, diagnostics) = tokens(file, text);
    let mut parser = Parser::new(file, text, &tokens);
    parser.diagnostics = diagnostics;
    let items = parser.items();
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort_by_key(|one| one.span.start);
    Parsed { tokens, items, diagnostics }
}

/// A token that means something.
#[derive(Clone, Copy)]
struct Lexeme {
    kind: TokenKind,
    span: Span,
    /// Whether it is the first of its line, and how far that line is indented.
    first: bool,
    indent: usize,
}

struct Parser<'t> {
    file: u16,
    text: &'t str,
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: usize,
    /// How far the statement being read is indented; lines that are indented further go on with it.
    indent: usize,
    /// Whether that is a phase, whose rules may be indented further.
    in_phase: bool,
    /// Whether the statement being read has already been complained about.
    failed: bool,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Parser<'t> {
    fn new(file: u16, text: &'t str, tokens: &[Token]) -> Self {
        let mut lexemes = Vec::new();
        let (mut first, mut indent) = (true, 0);
        for token in tokens {
            match token.kind {
                TokenKind::Newline => (first, indent) = (true, 0),
                TokenKind::Space if first => indent += text[token.span.range()].len(),
                TokenKind::Space | TokenKind::Comment | TokenKind::Unknown => {}
                kind => {
                    lexemes.push(Lexeme { kind, span: token.span, first, indent });
                    first = false;
                }
            }
        }
        let (diagnostics, failed) = (Vec::new(), false);
        let (at, depth, indent, in_phase) = (0, 0, 0, false);
        Parser { file, text, lexemes, at, depth, indent, in_phase, failed, diagnostics }
    }

    fn peek(&self) -> Option<Lexeme> {
        self.lexemes.get(self.at).copied()
    }

    /// The text of the next token; empty at the end.
    fn next_text(&self) -> &'t str {
        self.text_at(self.at)
    }

    fn text_at(&self, at: usize) -> &'t str {
        self.lexemes.get(at).map_or("", |lexeme| &self.text[lexeme.span.range()])
    }

    fn kind(&self) -> Option<TokenKind> {
        self.peek().map(|lexeme| lexeme.kind)
    }

    /// Where the next token is, or the end of the file.
    fn span(&self) -> Span {
        let end = Span::new(self.file, self.text.len(), self.text.len());
        self.peek().map_or(end, |lexeme| lexeme.span)
    }

    /// Where the last token was.
    fn last_span(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at));
        last.map_or(Span::new(self.file, 0, 0), |lexeme| lexeme.span)
    }

    /// Whether the next token starts a statement: it is the first of a line that is not indented
    /// further than the statement being read, or a rule of a phase.
    fn at_statement(&self) -> bool {
        self.peek().is_none_or(|lexeme| {
            let starts = lexeme.first && lexeme.kind == TokenKind::Word;
            starts && (lexeme.indent <= self.indent || self.in_phase && self.at_keyword())
        })
    }

    /// Whether the next token is a word that starts statements.
    fn at_keyword(&self) -> bool {
        STATEMENTS.binary_search(&self.next_text()).is_ok()
    }

    fn is(&self, text: &str) -> bool {
        let spoken = matches!(self.kind(), Some(TokenKind::Symbol | TokenKind::Word));
        spoken && self.next_text() == text
    }

    /// Whether the next word is this one and does not start a statement.
    fn is_clause(&self, word: &str) -> bool {
        self.is(word) && !self.at_statement()
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    fn eat_clause(&mut self, word: &str) -> bool {
        let found = self.is_clause(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str, purpose: &str) -> bool {
        let found = self.eat(text);
        if !found {
            self.complain(&format!("`{text}` {purpose}"));
        }
        found
    }

    /// Tells that something else was expected, once for each statement.
    fn complain(&mut self, expected: &str) {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(lexeme) if lexeme.first && self.at_statement() => {
                format!("a new statement (`{}`)", self.next_text())
            }
            Some(_) => format!("`{}`", senet_core::notation::excerpt(self.next_text())),
        };
        let message = format!("found {found}, expected {expected}");
        self.error(Diagnostic::error("syntax", self.span(), message));
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        if !self.failed {
            self.diagnostics.push(diagnostic);
        }
        self.failed = true;
    }

    /// A name: a word, or a number where tiles are numbered.
    fn name(&mut self, what: &str) -> Name {
        let fits = matches!(self.kind(), Some(TokenKind::Word | TokenKind::Number));
        if !fits || self.at_statement() {
            self.complain(what);
            return Name { text: String::new(), span: self.span() };
        }
        self.take()
    }

    /// The next token as a name, whatever it is.
    fn take(&mut self) -> Name {
        let name = Name { text: self.next_text().to_owned(), span: self.span() };
        self.at += usize::from(self.at < self.lexemes.len());
        name
    }

    /// Names with commas between them.
    fn names(&mut self, what: &str) -> Vec<Name> {
        let mut names = vec![self.name(what)];
        while self.is(",") && !rule::CLAUSES.contains(&self.text_at(self.at + 1)) {
            self.at += 1;
            names.push(self.name(what));
        }
        names
    }

    /// A text in quotes, without them.
    fn quoted(&mut self) -> Option<Name> {
        if self.kind() != Some(TokenKind::Text) {
            return None;
        }
        let mut name = self.take();
        let inner = name.text.strip_prefix('"').unwrap_or(&name.text);
        name.text = inner.strip_suffix('"').unwrap_or(inner).to_owned();
        Some(name)
    }

    fn text(&mut self, what: &str) -> Name {
        match self.quoted() {
            Some(text) => text,
            None => {
                self.complain(what);
                Name { text: String::new(), span: self.span() }
            }
        }
    }

    /// Words up to a colon or bracket, as the names of rules have several, or a text in quotes.
    fn phrase(&mut self, what: &str) -> Name {
        if let Some(text) = self.quoted() {
            return text;
        }
        let mut name = self.name(what);
        while matches!(self.kind(), Some(TokenKind::Word | TokenKind::Number))
            && self.peek().is_some_and(|lexeme| !lexeme.first)
        {
            let next = self.take();
            name.text = format!("{} {}", name.text, next.text);
            name.span = name.span.to(next.span);
        }
        name
    }

    /// Skips to the next statement.
    fn recover(&mut self) {
        while !self.at_statement() {
            self.at += 1;
        }
    }

    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.peek().is_some() {
            (self.failed, self.depth, self.in_phase) = (false, 0, false);
            self.indent = self.peek().map_or(0, |lexeme| lexeme.indent);
            if !self.at_statement() || !self.at_keyword() {
                self.unknown_statement();
                continue;
            }
            let (start, from) = (self.span(), self.at);
            self.in_phase = self.is("phase");
            let kinds = self.listed();
            if !self.failed && !self.at_statement() {
                self.complain("the end of the statement");
            }
            if !self.failed {
                let span = start.to(self.last_span());
                items.extend(kinds.into_iter().map(|kind| Item { kind, span }));
            }
            self.at = self.at.max(from + 1);
            if self.failed {
                self.recover();
            }
        }
        items
    }

    fn unknown_statement(&mut self) {
        let found = self.next_text();
        let near = nearest(found, STATEMENTS.into_iter());
        let message =
            format!("no statement starts with `{}`", senet_core::notation::excerpt(found));
        let error = Diagnostic::error("unknown-statement", self.span(), message);
        let error = match near {
            Some(near) => error.near(Some(near)),
            None => error.help("a statement starts with a word such as `players`, `rule`, `win`"),
        };
        self.error(error);
        self.at += 1;
        self.recover();
    }
}
