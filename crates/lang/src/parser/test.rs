//! Tests inside a file.

use super::Parser;
use crate::syntax::{Expect, Name, Test, TestKind};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn test(&mut self) -> Test {
        let start = self.last_span();
        let mut with = Vec::new();
        if self.eat("with") {
            loop {
                let name = self.name("the name of an option");
                self.expect("=", "and the value of the option");
                with.push((name, self.prefix_number()));
                if !self.eat(",") {
                    break;
                }
            }
        }
        let from = self.eat("from").then(|| self.text("a position in quotes"));
        let kind = if self.eat("perft") { TestKind::Perft(self.counts()) } else { self.play() };
        Test { span: start.to(self.last_span()), with, from, kind }
    }

    fn counts(&mut self) -> Vec<u64> {
        let mut counts = Vec::new();
        while self.kind() == Some(TokenKind::Number) {
            match self.next_text().parse() {
                Ok(count) => counts.push(count),
                Err(_) => self.complain("a number below 2^64"),
            }
            self.at += 1;
        }
        if counts.is_empty() {
            self.complain("the numbers of sequences of 1, 2, 3 … events");
        }
        counts
    }

    /// `play EVENTS: EXPECTATION`, or the expectation alone.
    fn play(&mut self) -> TestKind {
        let mut events = Vec::new();
        if self.eat("play") {
            match self.quoted() {
                Some(text) => events = split(&text),
                None => self.complain("events in quotes, such as \"e2/e4 e7/e5\""),
            }
            if !self.eat(":") {
                return TestKind::Play { events, expect: Expect::Open };
            }
        }
        let expect = if self.eat("refuse") {
            let event = self.text("an event in quotes");
            Expect::Refused(event, self.quoted())
        } else if self.eat("over") {
            Expect::Over(self.text("the name of an ending in quotes"))
        } else if self.eat("legal") {
            Expect::Legal(self.counts().first().copied().unwrap_or(0))
        } else if self.eat("position") {
            Expect::Position(self.text("a position in quotes"))
        } else {
            if !self.eat("open") {
                self.complain("`perft`, `play`, `over`, `open`, `legal`, `position` or `refuse`");
            }
            Expect::Open
        };
        TestKind::Play { events, expect }
    }
}

/// The words of a text, each with its place.
fn split(text: &Name) -> Vec<Name> {
    let start = text.span.start + 1;
    let base = text.text.as_ptr() as usize;
    let words = text.text.split_whitespace().map(|word| {
        let at = start + (word.as_ptr() as usize - base) as u32;
        let span = crate::span::Span { start: at, end: at + word.len() as u32, ..text.span };
        Name { text: word.to_owned(), span }
    });
    words.collect()
}
