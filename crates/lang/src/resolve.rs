//! From statements to a [`Definition`]: names are looked up, names given by `let` are written out,
//! and every expression becomes what is wanted where it stands.

mod board;
mod constant;
mod direction;
mod effect;
mod ending;
mod hint;
mod number;
mod piece;
mod rule;
mod scope;
mod secret;
mod set;
mod truth;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use senet_core::Definition;
use senet_core::notation::nearest;
use senet_core::written::{Number, Requirement, Set, Truth};

use crate::diagnostic::Diagnostic;
use crate::sheet::{Let, Sheet};
use crate::span::Span;
use crate::syntax::{Expr, ExprKind, LetBody, Name};
use scope::{Bound, Env};

/// How deep expressions lie inside one another when every name is written out.
const MAX_DEPTH: usize = 200;
/// How many expressions a game may have when every name is written out.
const MAX_EXPRESSIONS: usize = 200_000;

/// What the names of a game are.
#[derive(Default)]
struct Names<'s> {
    tiles: BTreeMap<String, usize>,
    /// Where tiles lie on the plane, for boards that lie on one.
    points: BTreeMap<String, (i32, i32)>,
    /// Where steps lead, once somebody has asked.
    steps: OnceCell<BTreeMap<(String, String), String>>,
    /// Regions, with the tiles of each player where players have their own.
    regions: BTreeMap<String, BTreeMap<Option<String>, Vec<String>>>,
    variables: BTreeSet<String>,
    dice: BTreeSet<String>,
    /// Piles, with the cards that can lie in them.
    piles: BTreeSet<String>,
    options: BTreeMap<String, i64>,
    lets: BTreeMap<String, &'s Let>,
    /// Letters of kinds in drawings.
    letters: BTreeMap<String, String>,
}

/// Everything that a sheet says, as a definition.
pub(crate) struct Resolver<'s> {
    sheet: &'s Sheet,
    names: Names<'s>,
    pub(crate) definition: Definition,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Where each part of the definition was written.
    pub(crate) places: Vec<(String, Span)>,
    /// Which names were looked up.
    pub(crate) used: BTreeSet<String>,
    /// Directions relative to a player that are used.
    relative: BTreeSet<String>,
    /// Names bound where an expression is resolved, as they are written in the definition.
    bound: Vec<String>,
    /// The regions that a lattice brings: its cells, edges and corners.
    lattice: Vec<(String, Vec<String>)>,
    depth: usize,
    expressions: usize,
}

/// The known name that differs by two letters in the wrong order.
fn swapped(name: &str, known: &[&str]) -> Option<String> {
    let letters: Vec<char> = name.chars().take(64).collect();
    let all = (1..letters.len()).map(|at| {
        let mut letters = letters.clone();
        letters.swap(at - 1, at);
        letters.into_iter().collect::<String>()
    });
    { all }.find(|one| known.contains(&one.as_str()))
}

/// What an expression is, found without knowing what is wanted.
pub(crate) enum Meaning {
    Directions(Vec<String>),
    Set(Set),
    Number(Number),
    Truth(Truth),
}

/// Makes a definition of a sheet. The diagnostics say whether it means anything.
pub(crate) fn resolve<'s>(sheet: &'s Sheet, settings: &BTreeMap<String, i64>) -> Resolver<'s> {
    let mut resolver = Resolver {
        sheet,
        names: Names::default(),
        definition: Definition { name: sheet.name.text.clone(), ..Definition::default() },
        diagnostics: Vec::new(),
        places: Vec::new(),
        used: BTreeSet::new(),
        relative: BTreeSet::new(),
        bound: Vec::new(),
        lattice: Vec::new(),
        depth: 0,
        expressions: 0,
    };
    resolver.options(settings);
    resolver.lets();
    resolver.board();
    resolver.regions();
    resolver.pieces();
    resolver.variables();
    resolver.piles();
    resolver.commits();
    resolver.phases();
    resolver.deals();
    resolver.sees();
    resolver.endings();
    resolver.requirements();
    resolver.players();
    resolver.row_regions();
    resolver.hints();
    resolver
}

impl<'s> Resolver<'s> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Adds a mistake, unless it was already found where the same words were written out before.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Tells that a name is not known, and which one was probably meant.
    fn unknown<'a>(&mut self, what: &str, name: &Name, known: impl Iterator<Item = &'a str>) {
        if name.text.is_empty() {
            return;
        }
        let known: Vec<&str> = known.collect();
        let message =
            format!("there is no {what} named `{}`", senet_core::notation::excerpt(&name.text));
        let error = Diagnostic::error("unknown-name", name.span, message);
        let near = nearest(&name.text, known.iter().copied());
        let near = near.or_else(|| swapped(&name.text, &known));
        let error = match near {
            Some(near) => error.near(Some(near)),
            None if name.text.contains('-')
                && name.text.split('-').all(|part| known.contains(&part)) =>
            {
                error.help(format!(
                    "put spaces around the minus: `{}`",
                    name.text.replace('-', " - ")
                ))
            }
            None if !known.is_empty() && known.len() <= 12 => {
                error.help(format!("choose one of {}", known.join(", ")))
            }
            None => error,
        };
        self.report(error);
    }

    /// Remembers where a part of the definition was written.
    fn place(&mut self, place: String, span: Span) {
        self.places.push((place, span));
    }

    fn options(&mut self, settings: &BTreeMap<String, i64>) {
        let sheet = self.sheet;
        for (name, value) in &sheet.options {
            let value = match settings.get(&name.text) {
                Some(value) => *value,
                None => self.integer(value).unwrap_or(0),
            };
            self.names.options.insert(name.text.clone(), value);
        }
    }

    /// The value of an option.
    pub(crate) fn option(&self, name: &str) -> i64 {
        self.names.options.get(name).copied().unwrap_or(0)
    }

    fn lets(&mut self) {
        let sheet = self.sheet;
        for one in &sheet.lets {
            if crate::parser::is_reserved(&one.name.text) {
                let name = &one.name.text;
                let message = format!("`{name}` is a word of the language and cannot be a name");
                self.error("reserved", one.name.span, message);
            }
            self.names.lets.insert(one.name.text.clone(), one);
        }
    }

    /// What an expression is, where it is one of the four types or some directions by itself.
    pub(crate) fn meaning_of(&mut self, expr: &'s Expr) -> Option<Meaning> {
        if self.names_directions(expr, &None) {
            return Some(Meaning::Directions(self.directions(expr, &None)));
        }
        let known = self.diagnostics.len();
        let mut read = |read: &mut dyn FnMut(&mut Self) -> Meaning| {
            let meaning = read(self);
            let sound = self.diagnostics.len() == known;
            self.diagnostics.truncate(known);
            sound.then_some(meaning)
        };
        read(&mut |resolver| Meaning::Set(resolver.set(expr, &None)))
            .or_else(|| read(&mut |resolver| Meaning::Number(resolver.number(expr, &None))))
            .or_else(|| read(&mut |resolver| Meaning::Truth(resolver.truth(expr, &None))))
    }

    fn requirements(&mut self) {
        let sheet = self.sheet;
        for (name, holds) in &sheet.requirements {
            let holds = self.truth(holds, &None);
            self.place(format!("requirements/{}", name.text), name.span);
            self.definition.requirements.push(Requirement { name: name.text.clone(), holds });
        }
    }

    /// Whether there is room for one expression more; tells so once where there is none.
    fn enter(&mut self, span: Span) -> bool {
        self.expressions += 1;
        if self.expressions > MAX_EXPRESSIONS || self.depth >= MAX_DEPTH {
            let message = if self.depth >= MAX_DEPTH {
                format!("names given by `let` lie more than {MAX_DEPTH} deep inside one another")
            } else {
                format!("the game has more than {MAX_EXPRESSIONS} expressions, written out")
            };
            if !self.diagnostics.iter().any(|one| one.code == "too-large") {
                self.error("too-large", span, message);
            }
            return false;
        }
        self.depth += 1;
        true
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Replaces a name given by `let` or by a parameter by what it stands for.
    fn expand(&mut self, expr: &'s Expr, env: &Env<'s>) -> (&'s Expr, Env<'s>) {
        let (mut expr, mut env) = (expr, env.clone());
        for _ in 0..64 {
            match self.meaning(expr, &env) {
                Some((meaning, scope)) => (expr, env) = (meaning, scope),
                None => return (expr, env),
            }
        }
        self.error("too-large", expr.span, "a name given by `let` stands for itself");
        (expr, env)
    }

    fn meaning(&mut self, expr: &'s Expr, env: &Env<'s>) -> Option<(&'s Expr, Env<'s>)> {
        let none: &'s [Expr] = &[];
        let (name, arguments, span) = match &expr.kind {
            ExprKind::Name(name) => (name, none, expr.span),
            ExprKind::Call(name, arguments) => (&name.text, &arguments[..], name.span),
            _ => return None,
        };
        if let Some(bound) = scope::find(env, name) {
            return match bound {
                Bound::Argument(argument, scope) => Some((argument, scope)),
                _ => None,
            };
        }
        let one = *self.names.lets.get(name.as_str())?;
        self.used.insert(name.clone());
        let LetBody::Expr(body) = &one.body else {
            let message = format!("expected a value, but `{name}` stands for effects");
            self.error("wrong-type", span, message);
            return None;
        };
        let scope = self.arguments(one, arguments, span, env);
        Some((body, scope))
    }

    /// The scope in which what a name stands for is read.
    fn arguments(
        &mut self,
        one: &'s Let,
        arguments: &'s [Expr],
        span: Span,
        env: &Env<'s>,
    ) -> Env<'s> {
        if one.parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} arguments, found {}",
                one.name.text,
                one.parameters.len(),
                arguments.len()
            );
            self.error("arguments", span, message);
        }
        let pairs = one.parameters.iter().zip(arguments);
        pairs.fold(None, |scope, (parameter, argument)| {
            scope::bind(scope, &parameter.text, Bound::Argument(argument, env.clone()))
        })
    }
}
