//! Who sees what, piles of cards, and choices that all players make at the same time.

use super::Parser;
use crate::syntax::{Commit, Deal, Name, Pile, Sees};
use crate::token::TokenKind;

impl Parser<'_> {
    /// `seen by owner`, `seen by nobody`, `seen by PLAYER`, or the same as `hidden from others` and
    /// `hidden from all`.
    pub(super) fn seen_by(&mut self) -> Option<Name> {
        if self.eat("hidden") {
            self.expect("from", "and `others` or `all`");
            let mut name = self.name("`others` or `all`");
            name.text = match name.text.as_str() {
                "others" => "owner".to_owned(),
                "all" => "nobody".to_owned(),
                _ => {
                    self.at -= 1;
                    self.complain("`others` or `all`");
                    String::new()
                }
            };
            return Some(name);
        }
        if !self.eat("seen") {
            return None;
        }
        self.expect("by", "and who sees it: `owner`, `nobody` or a player");
        Some(self.name("`owner`, `nobody` or a player"))
    }

    pub(super) fn sees(&mut self) -> Sees {
        let what = self.name("`pieces`, `kinds`, `flag`, `mark` or `hand`");
        let mut sees = Sees { what, name: None, on: None, shown: None };
        match sees.what.text.as_str() {
            "pieces" => {}
            "kinds" => {}
            "flag" | "mark" => sees.name = Some(self.name("the name of a flag or mark")),
            "hand" => {
                self.expect("of", "and `owner`, `nobody` or a player");
                sees.name = Some(self.name("`owner`, `nobody` or a player"));
                return sees;
            }
            _ => {
                self.at -= 1;
                self.complain("`pieces`, `kinds`, `flag`, `mark` or `hand`");
                return sees;
            }
        }
        self.expect("on", "and the tiles on which a player sees it");
        sees.on = Some(self.union());
        if sees.what.text == "kinds" {
            self.expect("as", "and the kind that other pieces look like");
            sees.shown = Some(self.name("a kind of piece"));
        }
        sees
    }

    pub(super) fn deck(&mut self) -> Pile {
        let name = self.name("the name of the deck");
        self.expect(":", "and the cards of the deck");
        let mut cards = Vec::new();
        while !self.failed && !self.at_statement() && !self.is("seen") && !self.is("hidden") {
            let card = self.name("the name of a card");
            let many = self.is("x") && {
                let next = self.lexemes.get(self.at + 1);
                next.is_some_and(|next| next.kind == TokenKind::Number)
            };
            self.at += usize::from(many);
            cards.push((card, many.then(|| self.prefix_number())));
            self.eat(",");
        }
        let nobody = Name { text: "nobody".to_owned(), span: name.span };
        let seen_by = self.seen_by().or(Some(nobody));
        Pile { name, cards, each: false, seen_by }
    }

    pub(super) fn pile(&mut self) -> Pile {
        let name = self.name("the name of the pile");
        let each = self.eat("each");
        self.eat(",");
        Pile { name, cards: Vec::new(), each, seen_by: self.seen_by() }
    }

    pub(super) fn deal(&mut self) -> Deal {
        let count = self.prefix_number();
        self.expect("from", "and the pile that the cards leave");
        let from = self.name("the pile that the cards leave");
        self.expect("to", "and the pile of each player that they are added to");
        Deal { count, from, to: self.name("a pile") }
    }

    pub(super) fn commit(&mut self) -> Commit {
        let name = self.name("the name of the choice");
        let when = self.eat("when").then(|| self.expr());
        self.expect(":", "and the acts of which each player chooses one");
        let acts = self.names("the name of an act");
        let then = if self.eat("then") { self.effects() } else { Vec::new() };
        Commit { name, when, acts, then }
    }
}
