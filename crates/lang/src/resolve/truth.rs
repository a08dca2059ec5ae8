//! Truths.

use senet_core::written::{Comparison, Truth};

use super::Resolver;
use super::scope::Env;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Expr, ExprKind, Name, Operator};

impl<'s> Resolver<'s> {
    /// Reads an expression as a truth.
    pub(super) fn truth(&mut self, expr: &'s Expr, env: &Env<'s>) -> Truth {
        if !self.enter(expr.span) {
            return Truth::Always;
        }
        let (expr, env) = self.expand(expr, env);
        let truth = self.truth_of(expr, &env);
        self.leave();
        truth
    }

    fn truth_of(&mut self, expr: &'s Expr, env: &Env<'s>) -> Truth {
        match &expr.kind {
            ExprKind::Name(name) => self.named_truth(name, expr),
            ExprKind::Number(_) => self.no_truth(expr),
            ExprKind::Call(name, arguments) if name.text == "custom" => {
                let registered = match arguments.first().map(|one| &one.kind) {
                    Some(ExprKind::Name(name)) => name.clone(),
                    _ => String::new(),
                };
                Truth::Custom { name: registered }
            }
            ExprKind::Call(name, arguments) if name.text == "repeats" => {
                match (self.arity(name, arguments, 1..=1), &arguments[..]) {
                    (true, [times]) => Truth::Repeats(self.length(times)),
                    _ => Truth::Always,
                }
            }
            ExprKind::Call(name, arguments) if name.text == "can" => self.can(name, arguments, env),
            ExprKind::Binary(operator, left, right) => {
                self.joined(*operator, left, right, expr, env)
            }
            ExprKind::Not(one) => !self.truth(one, env),
            ExprKind::Relevant(one) => self.truth(one, env).relevant(),
            ExprKind::Called(one, words) => self.truth(one, env).called(words.text.clone()),
            ExprKind::Any(set) => self.set(set, env).any(),
            ExprKind::None(set) => self.set(set, env).none(),
            ExprKind::Turn(player) => Truth::Turn(self.player(player)),
            ExprKind::Line { exact: true, .. } => self.set(expr, env).any(),
            ExprKind::Line { length, of, along, .. } => {
                let length = self.length(length);
                let along = self.along(along.as_deref(), env);
                Truth::Line { length, along, of: self.set(of, env) }
            }
            ExprKind::Bind { quantifier, name, domain, filter, body } => {
                self.quantified(quantifier, name, domain, filter.as_deref(), body, env)
            }
            ExprKind::If(yes, condition, no) => {
                let condition = self.truth(condition, env);
                let (yes, no) = (self.truth(yes, env), self.truth(no, env));
                condition.clone().and(yes).or((!condition).and(no))
            }
            ExprKind::Broken => Truth::Always,
            _ => self.no_truth(expr),
        }
    }

    /// `can(RULE, …, TILE)`
    fn can(&mut self, name: &'s Name, arguments: &'s [Expr], env: &Env<'s>) -> Truth {
        if !self.arity(name, arguments, 2..=64) {
            return Truth::Always;
        }
        let Some((tile, rules)) = arguments.split_last() else { return Truth::Always };
        let mut by = Vec::new();
        for rule in rules {
            match &rule.kind {
                ExprKind::Name(name) => {
                    by.push(self.rule_name(&Name { text: name.clone(), span: rule.span }));
                }
                _ => self.error("wrong-type", rule.span, "expected the name of a rule"),
            }
        }
        Truth::Can { by, from: self.tile(tile, env) }
    }

    /// The name of a rule, where hyphens may stand for its spaces.
    pub(super) fn rule_name(&mut self, name: &Name) -> String {
        let sheet = self.sheet;
        let rules = sheet.phases.iter().flat_map(|phase| &phase.rules);
        let known: Vec<&str> = rules.map(|(rule, _)| rule.name.text.as_str()).collect();
        let spaced = name.text.replace('-', " ");
        let is = |one: &&&str| **one == name.text || one.replace('-', " ") == spaced;
        match known.iter().find(is) {
            Some(found) => (*found).to_owned(),
            None => {
                self.unknown("rule", name, known.iter().copied());
                name.text.clone()
            }
        }
    }

    fn joined(
        &mut self,
        operator: Operator,
        left: &'s Expr,
        right: &'s Expr,
        expr: &'s Expr,
        env: &Env<'s>,
    ) -> Truth {
        let comparison = match operator {
            Operator::And => {
                let left = self.truth(left, env);
                return left.and(self.truth(right, env));
            }
            Operator::Or => {
                let left = self.truth(left, env);
                return left.or(self.truth(right, env));
            }
            Operator::In => {
                let tile = self.tile(left, env);
                return tile.is_in(self.set(right, env));
            }
            Operator::Equal => Comparison::Equal,
            Operator::Different => Comparison::Different,
            Operator::Less => Comparison::Less,
            Operator::AtMost => Comparison::AtMost,
            Operator::Greater => Comparison::Greater,
            Operator::AtLeast => Comparison::AtLeast,
            _ => return self.no_truth(expr),
        };
        let left = self.number(left, env);
        let right = self.number(right, env);
        Truth::Compare { left, is: comparison, right }
    }

    fn quantified(
        &mut self,
        quantifier: &'s Name,
        name: &'s Name,
        domain: &'s Expr,
        filter: Option<&'s Expr>,
        body: &'s Expr,
        env: &Env<'s>,
    ) -> Truth {
        self.bound_in(name, domain, env, |resolver, binding, env| {
            let filter = filter.map(|filter| resolver.truth(filter, env));
            let body = resolver.truth(body, env);
            match (quantifier.text.as_str(), filter) {
                ("some", None) => Truth::Exists(binding, Box::new(body)),
                ("some", Some(filter)) => Truth::Exists(binding, Box::new(filter.and(body))),
                ("each", None) => Truth::Each(binding, Box::new(body)),
                ("each", Some(filter)) => Truth::Each(binding, Box::new((!filter).or(body))),
                _ => {
                    let message = "expected a condition, but a union is a set of tiles";
                    let error = Diagnostic::error("wrong-type", quantifier.span, message);
                    resolver.report(error.help("write `any union …` or `some …`"));
                    Truth::Always
                }
            }
        })
    }

    fn named_truth(&mut self, name: &str, expr: &Expr) -> Truth {
        match name {
            "always" => Truth::Always,
            "never" => Truth::Never,
            "stuck" => Truth::Stuck,
            _ => match self.names.options.get(name) {
                Some(0) => Truth::Never,
                Some(_) => Truth::Always,
                None => self.no_truth(expr),
            },
        }
    }

    fn no_truth(&mut self, expr: &Expr) -> Truth {
        let error = Diagnostic::error("wrong-type", expr.span, "expected a condition");
        let help = match &expr.kind {
            ExprKind::Name(name) if self.names.variables.contains(name) => {
                format!("compare it: `{name} = 1`")
            }
            ExprKind::Name(name) => format!("write `any {name}`, `none {name}` or `to in {name}`"),
            ExprKind::Binary(Operator::Union | Operator::Intersection | Operator::Minus, ..) => {
                "write `any` or `none` before a set".to_owned()
            }
            _ => "such as `any own & man`, `count(own) > 2` or `to in empty`".to_owned(),
        };
        self.report(error.help(help));
        Truth::Always
    }
}
