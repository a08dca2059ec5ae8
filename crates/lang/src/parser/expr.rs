//! Expressions, by precedence: `if else`, `or`, `and`, `not`, comparisons, `|`, `&`, `+ -`, `*`.

use super::{MAX_DEPTH, Parser};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, Name, Operator, TileRange};
use crate::token::TokenKind;

/// Words that end an expression where they stand.
const STOPS: [&str; 26] = [
    "again",
    "along",
    "and",
    "as",
    "aside",
    "becoming",
    "before",
    "else",
    "ensure",
    "first",
    "for",
    "harmless",
    "if",
    "in",
    "instead",
    "may",
    "of",
    "on",
    "or",
    "otherwise",
    "then",
    "threatens",
    "through",
    "to",
    "where",
    "worth",
];

/// Whether a word ends the expression that it stands in.
pub(crate) fn is_reserved(word: &str) -> bool {
    let named = matches!(word, "on" | "worth" | "along" | "through");
    !named && STOPS.binary_search(&word).is_ok()
}

/// What follows a name, and no word before an argument.
const AFTER_NAMES: [&str; 16] =
    [",", ")", ".", "&", "|", "-", "+", "*", "=", "!=", "<", "<=", ">", ">=", "in", "and"];

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Expr {
        self.nested(|parser| {
            let yes = parser.disjunction();
            let conditional = parser.is("if") && parser.peek().is_some_and(|next| !next.first);
            if !conditional {
                return yes;
            }
            parser.at += 1;
            let condition = parser.disjunction();
            parser.expect("else", "and another value after the condition");
            let no = parser.expr();
            let span = yes.span.to(no.span);
            Expr { kind: ExprKind::If(Box::new(yes), Box::new(condition), Box::new(no)), span }
        })
    }

    /// A truth with the words for it that may follow.
    pub(super) fn condition(&mut self) -> Expr {
        let truth = self.expr();
        match self.quoted() {
            Some(words) => {
                let span = truth.span.to(words.span);
                Expr { kind: ExprKind::Called(Box::new(truth), words), span }
            }
            None => truth,
        }
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Expr) -> Expr {
        if self.depth >= MAX_DEPTH {
            self.too_deep();
            return self.broken();
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Tells that there are too many expressions inside one another.
    pub(super) fn too_deep(&mut self) {
        let message = format!("more than {MAX_DEPTH} expressions lie inside one another");
        let error = Diagnostic::error("too-deep", self.span(), message);
        self.error(error.help("give parts of it names with `let`"));
        self.recover();
    }

    fn broken(&self) -> Expr {
        Expr { kind: ExprKind::Broken, span: self.span() }
    }

    fn chain(
        &mut self,
        operators: &[(&str, Operator)],
        operand: impl Fn(&mut Self) -> Expr,
    ) -> Expr {
        let mut left = operand(self);
        let mut operands = 1;
        while !self.failed && !self.at_statement() {
            let Some((_, operator)) = operators.iter().find(|(text, _)| self.is(text)) else {
                break;
            };
            self.at += 1;
            operands += 1;
            if operands > MAX_DEPTH {
                self.too_deep();
            }
            let right = operand(self);
            let span = left.span.to(right.span);
            left =
                Expr { kind: ExprKind::Binary(*operator, Box::new(left), Box::new(right)), span };
        }
        left
    }

    fn disjunction(&mut self) -> Expr {
        self.chain(&[("or", Operator::Or)], Self::conjunction)
    }

    fn conjunction(&mut self) -> Expr {
        self.chain(&[("and", Operator::And)], Self::negation)
    }

    fn negation(&mut self) -> Expr {
        let start = self.span();
        for (word, make) in
            [("not", ExprKind::Not as fn(Box<Expr>) -> ExprKind), ("relevant", ExprKind::Relevant)]
        {
            if self.eat(word) {
                let one = self.nested(Self::negation);
                let span = start.to(one.span);
                return Expr { kind: make(Box::new(one)), span };
            }
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Expr {
        let operators = [
            ("=", Operator::Equal),
            ("==", Operator::Equal),
            ("!=", Operator::Different),
            ("<", Operator::Less),
            ("<=", Operator::AtMost),
            (">", Operator::Greater),
            (">=", Operator::AtLeast),
            ("in", Operator::In),
        ];
        self.chain(&operators, Self::union)
    }

    /// Sets and numbers, down to names.
    pub(super) fn union(&mut self) -> Expr {
        self.chain(&[("|", Operator::Union)], |parser| {
            parser.chain(&[("&", Operator::Intersection)], |parser| {
                let sums = [("+", Operator::Plus), ("-", Operator::Minus)];
                parser.chain(&sums, |parser| parser.chain(&[("*", Operator::Times)], Self::prefix))
            })
        })
    }

    fn prefix(&mut self) -> Expr {
        let start = self.span();
        for (symbol, make) in
            [("!", ExprKind::Complement as fn(Box<Expr>) -> ExprKind), ("-", ExprKind::Negative)]
        {
            if self.eat(symbol) {
                let one = self.nested(Self::prefix);
                let span = start.to(one.span);
                return Expr { kind: make(Box::new(one)), span };
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
        let mut steps = 0;
        while !self.failed {
            steps += 1;
            if steps > MAX_DEPTH {
                self.too_deep();
            } else if self.eat(".") {
                let name = self.name("a direction after the dot");
                let span = expr.span.to(name.span);
                expr = Expr { kind: ExprKind::Dot(Box::new(expr), name), span };
            } else if self.is("of") && !self.at_statement() {
                self.at += 1;
                let name = self.name("a player, `mover`, `next` or `previous`");
                let seat = Expr { span: name.span, kind: ExprKind::Name(name.text) };
                let span = expr.span.to(seat.span);
                expr = Expr { kind: ExprKind::Of(Box::new(expr), Box::new(seat)), span };
            } else {
                break;
            }
        }
        expr
    }

    fn primary(&mut self) -> Expr {
        let start = self.span();
        if self.failed || self.at_statement() {
            self.complain("an expression");
            return self.broken();
        }
        match self.kind() {
            Some(TokenKind::Number) => self.number(),
            Some(TokenKind::Word) => self.word(),
            _ if self.eat("(") => {
                let inner = self.condition();
                self.expect(")", "to close the bracket");
                Expr { kind: inner.kind, span: start.to(self.last_span()) }
            }
            _ if self.eat("{") => self.tile_list(start),
            _ => {
                self.complain("an expression");
                self.broken()
            }
        }
    }

    fn number(&mut self) -> Expr {
        let name = self.take();
        let Ok(number) = name.text.parse() else {
            let message =
                format!("the number {} is too great", senet_core::notation::excerpt(&name.text));
            self.error(Diagnostic::error("number-too-great", name.span, message));
            return self.broken();
        };
        Expr { kind: ExprKind::Number(number), span: name.span }
    }

    pub(super) fn tile_list(&mut self, start: Span) -> Expr {
        let mut tiles = Vec::new();
        while !self.failed && !self.eat("}") {
            let first = self.name("a tile, or `}` after the last");
            let last = self.eat("..").then(|| self.name("the last tile of the range"));
            tiles.push(TileRange { first, last });
            self.eat(",");
        }
        Expr { kind: ExprKind::Tiles(tiles), span: start.to(self.last_span()) }
    }

    fn word(&mut self) -> Expr {
        let start = self.span();
        let text = self.next_text();
        let stops = STOPS.binary_search(&text).is_ok();
        let called = text == "first" && self.text_at(self.at + 1) == "(";
        if stops && text != "to" && !called && !self.names_something() {
            self.complain("an expression");
            return self.broken();
        }
        let kind = match text {
            "any" | "none" => {
                self.at += 1;
                let set = Box::new(self.nested(Self::union));
                if text == "any" { ExprKind::Any(set) } else { ExprKind::None(set) }
            }
            "union" | "some" | "each" => self.bind(),
            "line" if self.measured() => self.line(),
            "rank" | "ranks" | "file" | "files" | "row" | "rows" | "side" | "ring"
                if self.measured() =>
            {
                self.band()
            }
            "turn" => {
                self.at += 1;
                ExprKind::Turn(self.name("a player"))
            }
            "pieces" if self.text_at(self.at + 1) == "(" => self.pieces(),
            _ => {
                let name = self.take();
                let call = self.is("(") && self.span().start == name.span.end;
                if call {
                    ExprKind::Call(name, self.arguments())
                } else {
                    ExprKind::Name(name.text)
                }
            }
        };
        Expr { kind, span: start.to(self.last_span()) }
    }

    /// Whether the next word, which usually ends an expression, can only be a name here: a direction
    /// may be called `on`, and a number about pieces `worth`.
    fn names_something(&self) -> bool {
        let name = matches!(self.next_text(), "on" | "worth" | "along" | "through");
        let after = self.text_at(self.at + 1);
        let ends = self.lexemes.get(self.at + 1).is_none_or(|lexeme| lexeme.first)
            || STOPS.binary_search(&after).is_ok()
            || matches!(after, "," | ";" | ")" | "|" | ".");
        name && ends
    }

    /// Whether a number or a name follows the next word.
    fn measured(&self) -> bool {
        let next = self.lexemes.get(self.at + 1);
        next.filter(|lexeme| !lexeme.first).is_some_and(|lexeme| match lexeme.kind {
            TokenKind::Number => true,
            TokenKind::Word => STOPS.binary_search(&self.text_at(self.at + 1)).is_err(),
            _ => false,
        })
    }

    /// What stands in brackets after a name. A word such as `while` may stand before an argument.
    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        self.expect("(", "before the arguments");
        let mut arguments = Vec::new();
        while !self.failed && !self.is(")") {
            for label in ["while", "then", "from", "over", "along"] {
                let named = AFTER_NAMES.contains(&self.text_at(self.at + 1));
                if self.is(label) && !named {
                    self.at += 1;
                    break;
                }
            }
            arguments.push(self.expr());
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")", "after the arguments");
        arguments
    }

    fn bind(&mut self) -> ExprKind {
        let quantifier = self.take();
        let name = self.name("a name for each value");
        self.expect("in", "and the values that the name takes");
        let domain = Box::new(self.nested(Self::union));
        let filter = self.eat("where").then(|| Box::new(self.nested(Self::disjunction)));
        self.expect(":", "and what is asked of each value");
        let body = Box::new(self.expr());
        ExprKind::Bind { quantifier, name, domain, filter, body }
    }

    fn line(&mut self) -> ExprKind {
        self.at += 1;
        let exact = self.eat("exactly");
        let length = Box::new(self.nested(Self::prefix_number));
        self.expect("of", "and the set that the line is made of");
        let of = Box::new(self.nested(Self::union));
        let along = self.eat("along").then(|| Box::new(self.nested(Self::union)));
        ExprKind::Line { exact, length, of, along }
    }

    /// A number or a name, without an operator or `of` after it.
    pub(super) fn prefix_number(&mut self) -> Expr {
        match self.kind() {
            Some(TokenKind::Number) => self.number(),
            _ => {
                let name = self.name("a number");
                Expr { span: name.span, kind: ExprKind::Name(name.text) }
            }
        }
    }

    fn band(&mut self) -> ExprKind {
        let mut word = self.take();
        word.text = word.text.trim_end_matches('s').to_owned();
        let first = Box::new(self.prefix_number());
        let last = self.eat("..").then(|| Box::new(self.prefix_number()));
        ExprKind::Band(word, first, last)
    }

    fn pieces(&mut self) -> ExprKind {
        self.at += 1;
        self.expect("(", "before whose pieces are counted");
        let who = self.name("whose pieces: `mover`, `foe`, `anyone` or a player");
        let who = Box::new(Expr { span: who.span, kind: ExprKind::Name(who.text) });
        let kind = (!self.is("on") && !self.is(")")).then(|| self.name("a kind of piece"));
        let on = self.eat("on").then(|| Box::new(self.expr()));
        self.expect(")", "after the pieces");
        ExprKind::Pieces { who, kind, on }
    }

    /// A seat, as an expression.
    pub(super) fn seat(&mut self) -> Expr {
        let Name { text, span } = self.name("a player, `mover`, `next` or `previous`");
        Expr { kind: ExprKind::Name(text), span }
    }
}
