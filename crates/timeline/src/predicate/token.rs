//! The words and marks of a predicate.

use crate::error::Error;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Number(f64),
    Text(String),
    Mark(&'static str),
    End,
    /// What cannot be read, and why.
    Bad(String),
}

/// Marks, the longer before those they begin with.
const MARKS: [&str; 10] = ["<>", "!=", "<=", ">=", "=", "<", ">", "(", ")", ","];

/// The tokens of a text, one ahead.
pub(super) struct Tokens<'t> {
    text: &'t str,
    /// Where the token ahead begins, and where it ends.
    at: usize,
    end: usize,
    ahead: Token,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        let mut tokens = Tokens { text, at: 0, end: 0, ahead: Token::End };
        tokens.advance();
        tokens
    }

    /// The byte where the token ahead begins.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> &Token {
        &self.ahead
    }

    pub(super) fn next(&mut self) -> Token {
        let token = self.ahead.clone();
        self.advance();
        token
    }

    /// Takes a word if it is ahead.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(&self.ahead, Token::Word(one) if one.eq_ignore_ascii_case(word));
        if found {
            self.advance();
        }
        found
    }

    /// Takes a mark if it is ahead.
    pub(super) fn take_mark(&mut self, mark: &str) -> bool {
        let found = matches!(&self.ahead, Token::Mark(one) if *one == mark);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn error(&self, message: String) -> Error {
        Error::Predicate { at: self.at, message }
    }

    /// That the token ahead is not allowed, or why it is none.
    pub(super) fn unexpected(&self, allowed: &str) -> Error {
        let found = senet_core::notation::excerpt(&self.text[self.at..]);
        self.error(match &self.ahead {
            Token::Bad(why) => why.clone(),
            Token::End => format!("expected {allowed}, found the end"),
            _ => format!("expected {allowed}, found `{found}`"),
        })
    }

    /// Reads the next token. After what cannot be read nothing else is.
    fn advance(&mut self) {
        let rest = &self.text[self.end..];
        let (token, length) = match self.ahead {
            Token::Bad(_) => return,
            _ => read(rest.trim_start()),
        };
        self.at = self.end + (rest.len() - rest.trim_start().len());
        (self.ahead, self.end) = (token, self.at + length);
    }
}

/// The first token of a text, and how many bytes it takes.
fn read(rest: &str) -> (Token, usize) {
    let Some(first) = rest.chars().next() else { return (Token::End, 0) };
    let length = |part: fn(char) -> bool| rest.find(|one| !part(one)).unwrap_or(rest.len());
    if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
        return (Token::Mark(mark), mark.len());
    }
    match first {
        '\'' => quoted(rest, first, Token::Text),
        '"' => quoted(rest, first, Token::Word),
        '-' | '0'..='9' => {
            let length = length(|one| one.is_ascii_alphanumeric() || one == '.' || one == '-');
            match rest[..length].parse() {
                Ok(number) => (Token::Number(number), length),
                Err(_) => (Token::Bad(format!("`{}` is not a number", &rest[..length])), 0),
            }
        }
        _ => match length(|one| one.is_ascii_alphanumeric() || one == '_') {
            0 => (Token::Bad(format!("unexpected `{first}`")), 0),
            length => (Token::Word(rest[..length].to_owned()), length),
        },
    }
}

/// A text in quotes; a doubled quote stands for itself.
fn quoted(rest: &str, quote: char, token: fn(String) -> Token) -> (Token, usize) {
    let mut text = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((at, one)) = chars.next() {
        if one != quote {
            text.push(one);
        } else if chars.next_if(|(_, next)| *next == quote).is_some() {
            text.push(quote);
        } else {
            return (token(text), at + 1);
        }
    }
    (Token::Bad(format!("the quote {quote} is not closed")), 0)
}
