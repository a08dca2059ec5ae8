//! Rules, and what is added to many of them.

use super::Parser;
use crate::syntax::{Clause, Every, Name, Placement, Rule, Wants, Way};
use crate::token::TokenKind;

impl Parser<'_> {
    /// A rule that starts with what it wants; its name is found from that.
    pub(super) fn nameless_rule(&mut self) -> Rule {
        let name = Name { text: String::new(), span: self.span() };
        self.rule_body(name, None)
    }

    pub(super) fn rule(&mut self) -> Rule {
        let name = self.phrase("the name of the rule");
        let place = self.placement();
        self.expect(":", "after the name of the rule");
        self.rule_body(name, place)
    }

    /// `(first)`, `(after NAME)` or `(before NAME)`
    pub(super) fn placement(&mut self) -> Option<Placement> {
        let next = [1, 2].map(|ahead| self.text_at(self.at + ahead));
        let placed = matches!(next, ["first", ")"] | ["after" | "before", _]);
        if !placed || !self.eat("(") {
            return None;
        }
        let place = if self.eat("first") {
            Placement::First
        } else if self.eat("after") {
            Placement::After(self.phrase("the name of the one before"))
        } else {
            self.expect("before", "(or `first` or `after`) and a name");
            Placement::Before(self.phrase("the name of the one after"))
        };
        self.expect(")", "after the place");
        Some(place)
    }

    fn rule_body(&mut self, name: Name, place: Option<Placement>) -> Rule {
        let mut clauses = Vec::new();
        while self.is("aside") || self.is("otherwise") {
            clauses.push(Clause::Word(self.take()));
        }
        let wants = self.wants();
        while !self.failed && !self.at_statement() {
            self.eat(",");
            clauses.push(self.clause());
        }
        Rule { name, place, wants, clauses }
    }

    fn wants(&mut self) -> Wants {
        if self.eat("move") {
            Wants::Move(self.kinds())
        } else if self.eat("put") {
            let kinds = self.kinds();
            let hand = self.is("from") && self.text_at(self.at + 1) == "hand";
            self.at += if hand { 2 } else { 0 };
            Wants::Put(kinds, hand)
        } else if self.eat("roll") {
            let dice = self.names("a die");
            let any = self.is("in") && self.text_at(self.at + 1) == "any";
            if any {
                self.at += 2;
                self.expect("order", "after `in any`");
            }
            Wants::Roll(dice, any)
        } else if self.eat("pick") {
            Wants::Pick(self.name("the name of the act"))
        } else if self.eat("draw") {
            let from = self.name("the pile that the card leaves");
            self.expect("to", "and the pile that the card is added to");
            let to = self.name("the pile that the card is added to");
            Wants::Draw(from, to, self.eat("of").then(|| self.seat()))
        } else if self.is("pass") {
            Wants::Act(self.take())
        } else {
            if !self.eat("act") {
                self.complain(
                    "what the rule is about: `move`, `put`, `pick`, `roll`, `draw`, `act` or `pass`",
                );
            }
            Wants::Act(self.name("the name of the act"))
        }
    }

    /// Kinds of piece, as far as there are any before the first clause.
    fn kinds(&mut self) -> Vec<Name> {
        let clause = CLAUSES.contains(&self.next_text());
        if clause || self.at_statement() || self.kind() != Some(TokenKind::Word) {
            return Vec::new();
        }
        self.names("a kind of piece")
    }

    fn clause(&mut self) -> Clause {
        let word = self.take();
        match word.text.as_str() {
            "from" => Clause::From(self.union()),
            "to" | "on" | "onto" => {
                let set = self.union();
                Clause::To(set, self.quoted())
            }
            "through" => Clause::Through(self.union()),
            "becoming" => Clause::Becoming(self.names("a kind of piece")),
            "where" => Clause::Where(self.condition()),
            "ensure" => Clause::Ensure(self.condition()),
            "before" => Clause::Before(self.effects()),
            "then" => Clause::Then(self.effects()),
            "instead" => Clause::Instead(self.effects()),
            "fails" => {
                self.eat(":");
                Clause::Fails(self.effects())
            }
            "seen" | "hidden" => {
                self.at -= 1;
                Clause::SeenBy(self.seen_by().unwrap_or(word))
            }
            "rank" => Clause::Rank(self.prefix_number()),
            "harmless" | "threatens" | "aside" | "otherwise" | "again" => Clause::Word(word),
            "step" | "slide" | "leap" | "first" | "by" | "stay" | "hop" | "steps" | "anywhere" => {
                self.at -= 1;
                let start = self.span();
                let way = self.way();
                Clause::By(way, start.to(self.last_span()))
            }
            _ => {
                self.at -= 1;
                let near = senet_core::notation::nearest(&word.text, CLAUSES.into_iter());
                let near = near.map(|near| format!(", did you mean `{near}`?"));
                self.complain(&format!(
                    "a part of the rule, such as `where` or `then`{}",
                    near.unwrap_or_default()
                ));
                Clause::Word(word)
            }
        }
    }

    pub(super) fn way(&mut self) -> Way {
        let word = self.take();
        match word.text.as_str() {
            "step" => Way::Step(self.union()),
            "slide" => Way::Slide(self.union()),
            "first" => Way::First(self.union()),
            "stay" => Way::Stay(word.span),
            "anywhere" => Way::Anywhere(word.span),
            "hop" => {
                let along = self.union();
                self.expect("over", "and the set that is hopped over");
                let over = self.union();
                let approaching = self.eat("approaching");
                Way::Hop { along, over, approaching, landing: self.eat("landing") }
            }
            "steps" => {
                let name = self.name("a name for the direction");
                self.expect("in", "and the directions");
                let along = self.union();
                self.expect(":", "and the number of steps");
                Way::Steps { name, along, count: self.union() }
            }
            "by" => {
                let dice = self.expect("dice", "and the names of the dice");
                let dice = if dice { self.names("a die") } else { Vec::new() };
                self.expect("along", "and the direction of the steps");
                let along = self.union();
                Way::Dice { dice, along, short: self.eat("short") }
            }
            "leap" if self.eat("(") => {
                let start = self.last_span();
                let mut steps = Vec::new();
                while !self.failed && !self.eat(")") {
                    steps.push(self.name("a direction, or `)` after the last"));
                }
                Way::Path(steps, start.to(self.last_span()))
            }
            "leap" => {
                let near = self.prefix_number();
                if self.eat("x") {
                    return Way::Leaper(near, self.prefix_number());
                }
                let far = self.eat("..").then(|| self.prefix_number());
                Way::Far(near, far, self.union())
            }
            _ => {
                self.at -= 1;
                self.complain("a way of moving: `step`, `slide`, `leap`, `hop`, `steps`, `first` or `by dice`");
                Way::Stay(word.span)
            }
        }
    }

    pub(super) fn every(&mut self) -> Every {
        let event = self.name("`move`, `put`, `pick`, `roll` or `act`");
        let kinds = if self.eat("of") { self.names("a kind of piece") } else { Vec::new() };
        let becoming = self.eat("becoming");
        let mut except = Vec::new();
        if self.eat("except") {
            except.push(self.phrase("the name of a rule"));
            while self.eat(",") {
                except.push(self.phrase("the name of a rule"));
            }
        }
        let first = self.placement() == Some(Placement::First);
        self.expect(":", "and what is added to these rules");
        let mut clauses = Vec::new();
        while !self.failed && !self.at_statement() {
            self.eat(",");
            clauses.push(self.clause());
        }
        Every { event, kinds, becoming, except, first, clauses }
    }
}

/// The words that start a part of a rule.
pub(crate) const CLAUSES: [&str; 28] = [
    "again",
    "anywhere",
    "aside",
    "becoming",
    "before",
    "by",
    "ensure",
    "fails",
    "first",
    "from",
    "harmless",
    "hidden",
    "hop",
    "instead",
    "leap",
    "on",
    "onto",
    "otherwise",
    "rank",
    "seen",
    "slide",
    "stay",
    "step",
    "steps",
    "then",
    "through",
    "to",
    "where",
];
