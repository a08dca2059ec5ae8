//! The words of a game's moves.

use std::io::BufRead;

use crate::pgn::source::Source;
use crate::pgn::{Problem, Termination};

/// A word of the moves. What a move or comment says is in the line that the source holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// What looks like a move: its bytes of the line.
    Move(usize, usize),
    /// A glyph, by its number.
    Nag(u8),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `{` is passed; [`Source::comment`] reads on.
    Brace,
    /// The rest of the line is a comment.
    Rest,
    /// How the game ended.
    End(Termination),
    /// The line is over; [`Source::next_line`] reads on.
    Line,
    /// A tag begins the next game.
    Next,
}

impl<R: BufRead> Source<R> {
    /// The next word of the moves, or the end of the line. Numbers of moves mean nothing and are passed
    /// over.
    pub(crate) fn token(&mut self) -> Result<Token, Problem> {
        loop {
            let Some(&byte) = self.line.get(self.at) else { return Ok(Token::Line) };
            match byte {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c | b'.' => self.at += 1,
                b'a'..=b'z' | b'A'..=b'Z' => {
                    if let Some(token) = self.word() {
                        return Ok(token);
                    }
                }
                b'0'..=b'9' => {
                    if let Some(token) = self.number()? {
                        return Ok(token);
                    }
                }
                b'[' if self.at == 0 && self.is_tag() => return Ok(Token::Next),
                b'{' => return Ok(self.pass(Token::Brace)),
                b'(' => return Ok(self.pass(Token::Open)),
                b')' => return Ok(self.pass(Token::Close)),
                b'*' => return Ok(self.pass(Token::End(Termination::Unknown))),
                b';' => return Ok(self.pass(Token::Rest)),
                b'$' | b'!' | b'?' => return self.glyph(),
                _ => {
                    let found = String::from_utf8_lossy(self.rest()).chars().take(1).collect();
                    return Err(Problem::Unexpected { found, allowed: MOVETEXT });
                }
            }
        }
    }

    /// Goes to the next line of the moves. False where a tag begins the next game, or the file is over.
    pub(crate) fn next_line(&mut self) -> Result<bool, Problem> {
        if !self.advance()? || self.is_tag() {
            return Ok(false);
        }
        if self.line.first() == Some(&b'%') {
            self.at = self.line.len();
        }
        Ok(true)
    }

    fn pass(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    /// How many bytes from here are part of a word.
    fn run(&self) -> usize {
        let rest = self.rest();
        let run = rest.iter().take_while(|byte| is_word(**byte)).count();
        // Some write a promotion as `e8(Q)`.
        match rest.get(run..) {
            Some([b'(', b'A'..=b'Z', b')', ..]) => run + 3,
            _ => run,
        }
    }

    /// A word that begins with a letter: a move, or the letters after a capture in passing.
    fn word(&mut self) -> Option<Token> {
        if let [b'e', b'.', b'p', b'.', ..] = self.rest() {
            self.at += 4;
            return None;
        }
        let start = self.at;
        self.at += self.run();
        Some(Token::Move(start, self.at))
    }

    /// A word that begins with a digit: the number of a move, castling with zeros or a result.
    fn number(&mut self) -> Result<Option<Token>, Problem> {
        let start = self.at;
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if let Some(b'.' | b' ') = self.line.get(start + digits) {
            self.at = start + digits;
            return Ok(None);
        }
        let end = start + self.run();
        let word = &self.line[start..end];
        let after = word.get(digits).copied();
        if let Some(termination) = Termination::parse(word) {
            self.at = end;
            return Ok(Some(Token::End(termination)));
        }
        if word.starts_with(b"0-0") {
            self.at = end;
            return Ok(Some(Token::Move(start, end)));
        }
        match after {
            None => {}
            Some(byte) if byte.is_ascii_alphabetic() => {}
            Some(_) => return Err(Problem::unexpected(word, MOVETEXT)),
        }
        self.at = start + digits;
        Ok(None)
    }

    fn glyph(&mut self) -> Result<Token, Problem> {
        let rest = self.rest();
        if rest[0] == b'$' {
            let digits = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(&rest[1..=digits]).ok().and_then(|n| n.parse().ok());
            let Some(number) = number else {
                return Err(Problem::unexpected(&rest[..=digits], "a glyph from $0 to $255"));
            };
            self.at += 1 + digits;
            return Ok(Token::Nag(number));
        }
        let run = rest.iter().take_while(|byte| matches!(byte, b'!' | b'?')).count();
        let number = match &rest[..run] {
            b"!" => 1,
            b"?" => 2,
            b"!!" => 3,
            b"??" => 4,
            b"!?" => 5,
            b"?!" => 6,
            other => return Err(Problem::unexpected(other, "!, ?, !!, ??, !? or ?!")),
        };
        self.at += run;
        Ok(Token::Nag(number))
    }

    /// Reads on to the end of a comment in braces, and adds it to a text where one is given.
    /// Where the file or the next game comes first, gives the line and column of its beginning.
    pub(crate) fn comment(
        &mut self,
        mut text: Option<&mut String>,
    ) -> Result<Option<(usize, usize)>, Problem> {
        let mut opened = None;
        loop {
            let rest = self.rest();
            let end = rest.iter().position(|&byte| byte == b'}');
            if let Some(text) = &mut text {
                push_clean(text, &rest[..end.unwrap_or(rest.len())]);
                if text.len() > crate::pgn::MOST_TEXT {
                    return Err(Problem::TooLong("comments"));
                }
            }
            if let Some(end) = end {
                self.at += end + 1;
                return Ok(None);
            }
            let begun = *opened.get_or_insert_with(|| (self.number, self.column(self.at - 1)));
            if !self.advance()? || self.is_event() {
                return Ok(Some(begun));
            }
        }
    }

    /// Reads the rest of the line as a comment, and adds it to a text where one is given.
    pub(crate) fn rest_of_line(&mut self, text: Option<&mut String>) {
        if let Some(text) = text {
            push_clean(text, self.rest());
        }
        self.at = self.line.len();
    }
}

const MOVETEXT: &str = "a move, a comment, a glyph, a variation or a result";

/// Whether a byte may be part of a move or a result.
#[inline]
fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

static WORD: [bool; 256] = {
    let mut word = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        word[byte] = (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'+' | b'#' | b'=' | b'-' | b'/' | b':' | b'_');
        byte += 1;
    }
    word
};

/// Adds a line to a comment: one space between lines, and every other blank a space too.
pub(crate) fn push_clean(text: &mut String, line: &[u8]) {
    let line = String::from_utf8_lossy(line);
    let blank = |letter: char| letter.is_control() || letter == ' ';
    let line = line.trim_matches(blank);
    if !text.is_empty() && !line.is_empty() {
        text.push(' ');
    }
    text.extend(line.chars().map(|letter| if blank(letter) { ' ' } else { letter }));
}
