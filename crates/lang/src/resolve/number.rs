//! Numbers.

use senet_core::written::{Number, Seat, Set};

use super::Resolver;
use super::scope::Env;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Expr, ExprKind, Name, Operator};

/// Words for numbers that take arguments.
const CALLS: [&str; 9] =
    ["count", "die", "distance", "groups", "hand", "max", "min", "total", "variable"];

impl<'s> Resolver<'s> {
    /// Reads an expression as a number that is known before play.
    pub(super) fn integer(&mut self, expr: &'s Expr) -> Option<i64> {
        match self.number(expr, &None) {
            Number::Is(number) => Some(number),
            _ => {
                let message = "this number is not known before play";
                self.error("not-constant", expr.span, message);
                None
            }
        }
    }

    /// Reads an expression as a number.
    pub(super) fn number(&mut self, expr: &'s Expr, env: &Env<'s>) -> Number {
        if !self.enter(expr.span) {
            return Number::Is(0);
        }
        let (expr, env) = self.expand(expr, env);
        let number = self.number_of(expr, &env);
        self.leave();
        number
    }

    fn number_of(&mut self, expr: &'s Expr, env: &Env<'s>) -> Number {
        match &expr.kind {
            ExprKind::Number(number) => Number::Is(*number),
            ExprKind::Name(name) => {
                self.named_number(&Name { text: name.clone(), span: expr.span }, Seat::Mover)
            }
            ExprKind::Of(base, seat) => {
                let seat = self.seat(seat, env);
                match &base.kind {
                    ExprKind::Name(name) => {
                        self.named_number(&Name { text: name.clone(), span: base.span }, seat)
                    }
                    _ => self.no_number(expr),
                }
            }
            ExprKind::Call(name, arguments) => self.called_number(name, arguments, env),
            ExprKind::Pieces { who, kind, on } => {
                let owner = self.who(who, env);
                let kind = kind.as_ref().map(|kind| self.kind_name(kind));
                let on = on.as_ref().map_or(Set::Board, |on| self.set(on, env));
                Number::Pieces { on, owner, kind }
            }
            ExprKind::Negative(one) => match self.number(one, env) {
                Number::Is(number) => Number::Is(number.saturating_neg()),
                number => Number::Is(0) - number,
            },
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.number(left, env), self.number(right, env));
                self.arithmetic(*operator, left, right, expr)
            }
            ExprKind::If(yes, truth, no) => {
                let truth = self.truth(truth, env);
                let (yes, no) = (self.number(yes, env), self.number(no, env));
                Number::If(Box::new(truth), Box::new(yes), Box::new(no))
            }
            ExprKind::Broken => Number::Is(0),
            _ => self.no_number(expr),
        }
    }

    fn no_number(&mut self, expr: &Expr) -> Number {
        let error = Diagnostic::error("wrong-type", expr.span, "expected a number");
        self.report(error.help("such as `3`, `count(own)` or the name of a variable"));
        Number::Is(0)
    }

    fn arithmetic(
        &mut self,
        operator: Operator,
        left: Number,
        right: Number,
        expr: &Expr,
    ) -> Number {
        if let (Number::Is(left), Number::Is(right)) = (&left, &right) {
            let folded = match operator {
                Operator::Plus => left.checked_add(*right),
                Operator::Minus => left.checked_sub(*right),
                Operator::Times => left.checked_mul(*right),
                _ => None,
            };
            if let Some(folded) = folded {
                return Number::Is(folded);
            }
        }
        match operator {
            Operator::Plus => left + right,
            Operator::Minus => left - right,
            Operator::Times => left * right,
            _ => self.no_number(expr),
        }
    }

    fn named_number(&mut self, name: &Name, of: Seat) -> Number {
        self.used.insert(name.text.clone());
        if let Some(value) = self.names.options.get(&name.text) {
            return Number::Is(*value);
        }
        if self.names.variables.contains(&name.text) {
            return Number::variable_of(name.text.clone(), of);
        }
        if self.names.dice.contains(&name.text) {
            return Number::Die(name.text.clone());
        }
        match name.text.as_str() {
            "on" => return Number::Is(1),
            "off" => return Number::Is(0),
            _ => {}
        }
        let known = self.names.variables.iter().chain(&self.names.dice);
        let known: Vec<String> = known.chain(self.names.options.keys()).cloned().collect();
        let set = self.definition.kinds.iter().any(|kind| kind.name == name.text)
            || self.names.regions.contains_key(&name.text)
            || super::set::WORDS.contains(&name.text.as_str());
        if set {
            let message = format!("expected a number, but `{}` is a set of tiles", name.text);
            let error = Diagnostic::error("wrong-type", name.span, message);
            self.report(error.help(format!("write `count({})`", name.text)));
        } else {
            self.unknown("number", name, known.iter().map(String::as_str));
        }
        Number::Is(0)
    }

    fn called_number(&mut self, name: &'s Name, arguments: &'s [Expr], env: &Env<'s>) -> Number {
        let takes = match name.text.as_str() {
            "count" | "die" | "variable" => 1..=1,
            "groups" | "hand" => 1..=2,
            "distance" => 3..=3,
            "total" => 2..=2,
            "min" | "max" => 1..=64,
            _ => {
                self.unknown("word for a number", name, CALLS.into_iter());
                return Number::Is(0);
            }
        };
        if !self.arity(name, arguments, takes) {
            return Number::Is(0);
        }
        let first = &arguments[0];
        let text = |expr: &Expr| match &expr.kind {
            ExprKind::Name(name) => Name { text: name.clone(), span: expr.span },
            _ => Name { text: String::new(), span: expr.span },
        };
        match name.text.as_str() {
            "count" => Number::Count(self.set(first, env)),
            "die" => Number::Die(self.die(&text(first))),
            "variable" => self.named_number(&text(first), Seat::Mover),
            "groups" => {
                let of = self.set(first, env);
                let along = arguments.get(1).map(|along| self.directions(along, env));
                Number::Groups { of, along: along.unwrap_or_default() }
            }
            "hand" => {
                let kind = self.kind_name(&text(first));
                let of = arguments.get(1).map_or(Seat::Mover, |seat| self.seat(seat, env));
                Number::Hand { kind, of }
            }
            "distance" => {
                let from = self.tile(first, env);
                let along = self.direction(&arguments[1], env);
                Number::Distance { from, along, to: self.set(&arguments[2], env) }
            }
            "total" => {
                let name = text(first).text;
                Number::Attribute { name, on: self.set(&arguments[1], env) }
            }
            word => {
                let numbers = arguments.iter().map(|one| self.number(one, env)).collect();
                if word == "min" { Number::Min(numbers) } else { Number::Max(numbers) }
            }
        }
    }

    /// The name of a die, or a complaint.
    pub(super) fn die(&mut self, name: &Name) -> String {
        self.used.insert(name.text.clone());
        if !self.names.dice.contains(&name.text) {
            let known: Vec<String> = self.names.dice.iter().cloned().collect();
            self.unknown("die", name, known.iter().map(String::as_str));
        }
        name.text.clone()
    }

    /// The name of a kind, or a complaint.
    pub(super) fn kind_name(&mut self, name: &Name) -> String {
        self.used.insert(name.text.clone());
        if !self.definition.kinds.iter().any(|kind| kind.name == name.text) {
            let known: Vec<String> =
                self.definition.kinds.iter().map(|kind| kind.name.clone()).collect();
            self.unknown("piece", name, known.iter().map(String::as_str));
        }
        name.text.clone()
    }
}
