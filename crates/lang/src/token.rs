//! Source text as tokens. Nothing is left out: spaces, comments and line breaks are tokens too, so
//! that the tokens joined are the text.

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or keyword: letters, digits, `_`, and hyphens between them.
    Word,
    /// Digits.
    Number,
    /// A text in quotes, on one line.
    Text,
    /// An operator or bracket.
    Symbol,
    /// Spaces and tabs.
    Space,
    /// From `--` to the end of the line.
    Comment,
    /// A line break.
    Newline,
    /// A character that has no meaning.
    Unknown,
}

/// A piece of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

impl Token {
    /// Whether it means nothing to the parser.
    pub fn is_trivia(self) -> bool {
        matches!(self.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Newline)
    }
}

/// Symbols of several characters, before those of one that they start with.
const SYMBOLS: [&str; 26] = [
    "..", "->", "!=", "<=", ">=", "+=", "-=", "==", "(", ")", "{", "}", "[", "]", ",", ";", ":",
    ".", "&", "|", "-", "+", "*", "!", "=", "<",
];

/// Takes a text apart.
pub fn tokens(file: u16, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens = Vec::new();
    let mut diagnostics = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (kind, length) = next(&text[at..]);
        let span = Span::new(file, at, at + length);
        match kind {
            TokenKind::Unknown => {
                let found = text[span.range()].escape_debug().to_string();
                let message = format!("the character `{found}` has no meaning in a game file");
                diagnostics.push(Diagnostic::error("unknown-character", span, message));
            }
            TokenKind::Text if !closed(&text[span.range()]) => {
                let error = Diagnostic::error("open-text", span, "this text has no closing quote");
                diagnostics.push(error.help("write `\"` at the end of the text, on the same line"));
            }
            _ => {}
        }
        tokens.push(Token { kind, span });
        at += length;
    }
    (tokens, diagnostics)
}

fn next(rest: &str) -> (TokenKind, usize) {
    let first = rest.chars().next().unwrap_or('\0');
    if rest.starts_with("\r\n") {
        return (TokenKind::Newline, 2);
    }
    match first {
        '\n' => (TokenKind::Newline, 1),
        ' ' | '\t' | '\r' | '\u{feff}' => {
            let blank = |c: char| matches!(c, ' ' | '\t' | '\u{feff}');
            let length = rest.find(|c| !blank(c)).unwrap_or(rest.len());
            (TokenKind::Space, length.max(first.len_utf8()))
        }
        '"' => (TokenKind::Text, text_length(rest)),
        _ if rest.starts_with("--") => (TokenKind::Comment, line_length(rest)),
        _ if is_word(first) => word(rest),
        '>' if !rest.starts_with(">=") => (TokenKind::Symbol, 1),
        _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => (TokenKind::Symbol, symbol.len()),
            None => (TokenKind::Unknown, first.len_utf8()),
        },
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A hyphen belongs to a word where it stands between two letters or digits.
fn word(rest: &str) -> (TokenKind, usize) {
    let mut length = 0;
    let mut letters = rest.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let joins = c == '-' && letters.peek().is_some_and(|(_, after)| is_word(*after));
        if !is_word(c) && !joins {
            break;
        }
        length = at + c.len_utf8();
    }
    let digits = rest[..length].bytes().all(|byte| byte.is_ascii_digit());
    (if digits { TokenKind::Number } else { TokenKind::Word }, length)
}

fn line_length(rest: &str) -> usize {
    let end = rest.find('\n').unwrap_or(rest.len());
    if rest[..end].ends_with('\r') { end - 1 } else { end }
}

fn text_length(rest: &str) -> usize {
    let line = line_length(rest);
    rest[1..line].find('"').map_or(line, |quote| quote + 2)
}

fn closed(text: &str) -> bool {
    text.len() >= 2 && text.ends_with('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let (tokens, _) = tokens(0, text);
        let kept = tokens.into_iter().filter(|token| !token.is_trivia());
        kept.map(|token| &text[token.span.range()]).collect()
    }

    #[test]
    fn a_hyphen_joins_letters_and_divides_spaces() {
        assert_eq!(words("north-east - a1-- b"), ["north-east", "-", "a1"]);
        assert_eq!(words("1..3 >= x.y"), ["1", "..", "3", ">=", "x", ".", "y"]);
        assert_eq!(words("a>b>=c->d"), ["a", ">", "b", ">=", "c", "->", "d"]);
    }

    #[test]
    fn tokens_joined_are_the_text() {
        for text in ["\u{feff}game x\r\n\tput -- no\r", "\"open\nx", "\0é\"\"", "a\r\rb"] {
            let (tokens, _) = tokens(0, text);
            let joined: String = tokens.iter().map(|token| &text[token.span.range()]).collect();
            assert_eq!(joined, text);
        }
    }

    #[test]
    fn what_has_no_meaning_is_told() {
        let (_, found) = tokens(0, "game\0 \"x");
        let codes: Vec<_> = found.iter().map(|one| one.code).collect();
        assert_eq!(codes, ["unknown-character", "open-text"]);
    }
}
