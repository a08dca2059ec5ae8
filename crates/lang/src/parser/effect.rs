//! What rules do.

use super::Parser;
use crate::syntax::{Effect, EffectKind, Expr, Fate};
use crate::token::TokenKind;

impl Parser<'_> {
    /// Effects with `;` between them, or one block in braces.
    pub(super) fn effects(&mut self) -> Vec<Effect> {
        let mut effects = self.block_or_effect();
        while !self.failed && self.eat(";") {
            effects.extend(self.block_or_effect());
        }
        effects
    }

    fn block_or_effect(&mut self) -> Vec<Effect> {
        if self.depth >= super::MAX_DEPTH {
            self.too_deep();
            return Vec::new();
        }
        self.depth += 1;
        let effects = if self.eat("{") { self.block() } else { vec![self.effect()] };
        self.depth -= 1;
        effects
    }

    /// Effects up to a closing brace.
    fn block(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while !self.failed && !self.is("}") {
            effects.extend(self.block_or_effect());
            let ends = self.eat(";") || self.is("}");
            if !ends && self.peek().is_none_or(|next| !next.first) {
                self.complain("`;` or a new line after an effect, or `}` after the last");
            }
        }
        self.expect("}", "after the last effect");
        effects
    }

    fn effect(&mut self) -> Effect {
        let start = self.span();
        if self.failed || self.at_statement() || self.kind() != Some(TokenKind::Word) {
            self.complain("an effect, such as `capture`, `give` or `turn`");
            return Effect { kind: EffectKind::Broken, span: start };
        }
        let assigned = matches!(self.text_at(self.at + 1), "=" | "+=" | "-=" | "of");
        let kind = if assigned { self.assignment() } else { self.verb() };
        Effect { kind, span: start.to(self.last_span()) }
    }

    fn assignment(&mut self) -> EffectKind {
        let variable = self.take();
        let of = self.eat("of").then(|| self.seat());
        if !self.is("=") && !self.is("+=") && !self.is("-=") {
            self.complain("`=`, `+=` or `-=` after the variable");
        }
        let operator = self.take();
        EffectKind::Assign(variable, of, operator, self.expr())
    }

    fn verb(&mut self) -> EffectKind {
        let verb = self.take();
        match verb.text.as_str() {
            "capture" => {
                let on = self.union();
                EffectKind::Capture(on, self.fate())
            }
            "clear" => EffectKind::Clear(self.union()),
            "carry" => {
                let mut moves = vec![self.pair()];
                while self.eat(",") {
                    moves.push(self.pair());
                }
                EffectKind::Carry(moves)
            }
            "flag" | "unflag" | "mark" | "unmark" => {
                let on = self.expr();
                self.expect("as", "and the name of a flag or mark");
                let names = self.names("a flag or mark");
                EffectKind::Label { verb, on, names }
            }
            "change" => {
                let on = self.union();
                self.expect("to", "and the kind that the pieces become");
                EffectKind::Change(on, self.name("a kind of piece"))
            }
            "give" => {
                let on = self.union();
                self.expect("to", "and the player who gets the pieces");
                EffectKind::Give(on, self.seat())
            }
            "place" => {
                let kind = self.name("a kind of piece");
                let owner = self.eat("of").then(|| self.seat());
                self.expect("on", "and the tiles");
                EffectKind::Place(kind, owner, self.union())
            }
            "shift" => {
                let on = self.union();
                self.expect("along", "and the direction");
                EffectKind::Shift(on, self.union())
            }
            "swap" => {
                self.expect("seats", "after `swap`");
                EffectKind::SwapSeats
            }
            "turn" if self.is("next") && self.text_at(self.at + 1) == "with" => {
                self.at += 2;
                EffectKind::TurnWith(self.expr())
            }
            "turn" => EffectKind::Turn(self.seat()),
            "unroll" => EffectKind::Unroll(self.names("a die")),
            "show" => {
                let dice = self.names("a die");
                self.expect("as", "and what the dice show");
                EffectKind::Show(dice, self.expr())
            }
            "reset" => EffectKind::Reset,
            "shuffle" => {
                let pile = self.name("the pile whose cards are shuffled");
                self.expect("into", "and the pile that they are added to");
                EffectKind::Shuffle(pile, self.name("the pile that they are added to"))
            }
            "custom" => EffectKind::Custom(self.text("the registered name, in quotes")),
            _ => self.flow(verb),
        }
    }

    /// Effects that hold others, and names given by `let`.
    fn flow(&mut self, verb: crate::syntax::Name) -> EffectKind {
        match verb.text.as_str() {
            "sow" => self.sow(),
            "continue" => {
                self.expect("by", "and the rules by which the piece goes on");
                let by = self.names("a rule");
                let stop = self.eat("or").then(|| self.name("the act that stops"));
                let otherwise = match self.eat("else") {
                    true => {
                        self.eat(":");
                        self.block_or_effect()
                    }
                    false => Vec::new(),
                };
                EffectKind::Continue { by, stop, otherwise }
            }
            "if" => {
                let condition = self.expr();
                self.eat(":");
                let then = self.block_or_effect();
                let otherwise = if self.eat("else") {
                    self.eat(":");
                    self.block_or_effect()
                } else {
                    Vec::new()
                };
                EffectKind::If(condition, then, otherwise)
            }
            "each" => {
                let name = self.name("a name for each value");
                self.expect("in", "and the values that the name takes");
                let domain = self.union();
                self.expect(":", "and what is done for each value");
                EffectKind::Each(name, domain, self.block_or_effect())
            }
            "repeat" => {
                let times = self.union();
                self.expect(":", "and what is repeated");
                EffectKind::Repeat(times, self.block_or_effect())
            }
            _ => {
                let arguments = if self.is("(") { self.arguments() } else { Vec::new() };
                EffectKind::Use(verb, arguments)
            }
        }
    }

    fn pair(&mut self) -> (Expr, Expr) {
        let from = self.union();
        self.expect("->", "and the tile that the piece goes to");
        (from, self.union())
    }

    fn fate(&mut self) -> Fate {
        if !self.eat_clause("to") {
            return Fate::Out;
        }
        if self.eat("hand") {
            return Fate::Hand(self.eat("of").then(|| self.seat()));
        }
        Fate::Tile(self.union())
    }

    fn sow(&mut self) -> EffectKind {
        let from = self.union();
        self.expect("along", "and the direction of sowing");
        let along = self.union();
        let skip = self.eat("skip").then(|| self.union());
        let count = self.eat("count").then(|| self.name("a variable"));
        EffectKind::Sow { from, along, skip, count }
    }
}
