//! Sets and tiles.

use senet_core::written::{Binding, Domain, Set, Tile};

use super::Resolver;
use super::scope::{self, Bound, Env};
use crate::diagnostic::Diagnostic;
use crate::syntax::{Expr, ExprKind, Name, Operator};

/// Words for sets.
pub(super) const WORDS: [&str; 13] = [
    "ally", "anyone", "board", "dark", "empty", "foe", "friend", "from", "light", "nothing", "own",
    "royal", "to",
];

impl<'s> Resolver<'s> {
    /// Reads an expression as a set of tiles.
    pub(super) fn set(&mut self, expr: &'s Expr, env: &Env<'s>) -> Set {
        if !self.enter(expr.span) {
            return Set::Board;
        }
        let (expr, env) = self.expand(expr, env);
        let set = self.set_of(expr, &env);
        self.leave();
        set
    }

    fn set_of(&mut self, expr: &'s Expr, env: &Env<'s>) -> Set {
        if self.is_tile(expr, env) {
            return Set::at(self.tile(expr, env));
        }
        match &expr.kind {
            ExprKind::Name(name) => self.named_set(name, expr, env),
            ExprKind::Number(number) => {
                let name = Name { text: number.to_string(), span: expr.span };
                Set::Tiles(self.tile_named(&name).into_iter().collect())
            }
            ExprKind::Call(name, arguments) => self.called_set(name, arguments, expr, env),
            ExprKind::Dot(base, step) => self.stepped(base, step, env),
            ExprKind::Of(base, seat) => {
                let seat = self.seat(seat, env);
                Set::RegionOf(self.region_name(base), seat)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = (self.set(left, env), self.set(right, env));
                match operator {
                    Operator::Union => left | right,
                    Operator::Intersection => left & right,
                    Operator::Minus => left - right,
                    _ => self.no_set(expr),
                }
            }
            ExprKind::Complement(one) => !self.set(one, env),
            ExprKind::Tiles(ranges) => Set::Tiles(self.listed(ranges)),
            ExprKind::If(yes, truth, no) => {
                let truth = self.truth(truth, env);
                let (yes, no) = (self.set(yes, env), self.set(no, env));
                Set::If(Box::new(truth), Box::new(yes), Box::new(no))
            }
            ExprKind::Bind { quantifier, name, domain, filter, body }
                if quantifier.text == "union" =>
            {
                self.bound_in(name, domain, env, |resolver, binding, env| {
                    let set = resolver.set(body, env);
                    let set = match filter {
                        Some(filter) => {
                            let truth = resolver.truth(filter, env);
                            let none = Set::Tiles(Vec::new());
                            Set::If(Box::new(truth), Box::new(set), Box::new(none))
                        }
                        None => set,
                    };
                    Set::union(binding, set)
                })
            }
            ExprKind::Line { exact, length, of, along } => {
                let length = self.length(length);
                let along = self.along(along.as_deref(), env);
                let of = Box::new(self.set(of, env));
                match exact {
                    true => Set::ExactLine { length, along, of },
                    false => Set::Line { length, along, of },
                }
            }
            ExprKind::Band(word, first, last) if word.text == "row" => {
                Set::Region(self.row_region(word, first, last.as_deref()))
            }
            ExprKind::Band(word, first, last) => {
                Set::Tiles(self.band(word, first, last.as_deref(), None))
            }
            ExprKind::Broken => Set::Board,
            _ => self.no_set(expr),
        }
    }

    fn no_set(&mut self, expr: &Expr) -> Set {
        let error = Diagnostic::error("wrong-type", expr.span, "expected a set of tiles");
        self.report(error.help("such as `empty`, `own & man` or `{a1 b2}`"));
        Set::Board
    }

    pub(super) fn length(&mut self, expr: &'s Expr) -> u16 {
        let length = self.integer(expr).unwrap_or(1);
        u16::try_from(length).unwrap_or_else(|_| {
            self.error("out-of-range", expr.span, format!("a line cannot have {length} tiles"));
            1
        })
    }

    /// Directions after `along`; those of every line of the board where none are named.
    pub(super) fn along(&mut self, along: Option<&'s Expr>, env: &Env<'s>) -> Vec<String> {
        match along {
            Some(along) => self.directions(along, env),
            None => self.line_directions(),
        }
    }

    fn region_name(&mut self, expr: &'s Expr) -> String {
        let name = match &expr.kind {
            ExprKind::Name(name) => name.clone(),
            _ => String::new(),
        };
        self.used.insert(name.clone());
        if !self.names.regions.contains_key(&name) {
            let known: Vec<String> = self.names.regions.keys().cloned().collect();
            let at = Name { text: name.clone(), span: expr.span };
            self.unknown("region", &at, known.iter().map(String::as_str));
        }
        name
    }

    fn named_set(&mut self, name: &str, expr: &'s Expr, env: &Env<'s>) -> Set {
        if let Some(Bound::Group(group)) = scope::find(env, name) {
            return Set::Name(group);
        }
        match name {
            "board" => return Set::Board,
            "empty" => return Set::Empty,
            "own" | "foe" | "ally" | "friend" | "anyone" => return Set::Owned(self.who(expr, env)),
            "royal" => return Set::Royal,
            "nothing" => return Set::Tiles(Vec::new()),
            _ => {}
        }
        self.used.insert(name.to_owned());
        let d = &self.definition;
        let owned = || name.to_owned();
        if self.names.regions.contains_key(name) {
            Set::Region(owned())
        } else if d.kinds.iter().any(|kind| kind.name == name) {
            Set::Kind(owned())
        } else if d.flags.iter().any(|flag| flag.name == name) {
            Set::Flag(owned())
        } else if d.marks.iter().any(|mark| mark.name == name) {
            Set::Mark(owned())
        } else if self.sheet.players.iter().any(|player| player.name.text == name) {
            Set::Owned(self.who(expr, env))
        } else if name == "light" || name == "dark" {
            Set::Tiles(self.shade(&Name { text: owned(), span: expr.span }))
        } else {
            self.unknown_set(name, expr);
            Set::Board
        }
    }

    fn unknown_set(&mut self, name: &str, expr: &Expr) {
        let d = &self.definition;
        let mut known: Vec<String> = WORDS.map(String::from).to_vec();
        known.extend(self.names.regions.keys().cloned());
        known.extend(d.kinds.iter().map(|kind| kind.name.clone()));
        known.extend(d.flags.iter().map(|flag| flag.name.clone()));
        known.extend(d.marks.iter().map(|mark| mark.name.clone()));
        known.extend(self.sheet.players.iter().map(|player| player.name.text.clone()));
        known.extend(self.names.lets.keys().cloned());
        if self.names.variables.contains(name) {
            let message = format!("expected a set of tiles, but `{name}` is a number");
            return self.error("wrong-type", expr.span, message);
        }
        let at = Name { text: name.to_owned(), span: expr.span };
        self.unknown("set, kind or region", &at, known.iter().map(String::as_str));
    }

    fn called_set(
        &mut self,
        name: &'s Name,
        arguments: &'s [Expr],
        expr: &'s Expr,
        env: &Env<'s>,
    ) -> Set {
        let shape = match name.text.as_str() {
            "ray" | "row" | "span" | "between" => 2..=2,
            "run" => 3..=4,
            "group" | "reach" => 2..=3,
            "attacked" => 1..=1,
            "stack" => 2..=2,
            "kind" | "flag" | "mark" | "region" | "tile" => 1..=1,
            _ => {
                self.unknown("word for a set", name, CALLS.into_iter());
                return Set::Board;
            }
        };
        if !self.arity(name, arguments, shape) {
            return Set::Board;
        }
        let boxed = |tile| Box::new(tile);
        match (name.text.as_str(), arguments) {
            ("ray", [from, along]) => {
                let from = self.tile(from, env);
                Set::ray(from, self.direction(along, env))
            }
            ("row", [through, along]) => {
                let through = self.tile(through, env);
                Set::row(through, self.direction(along, env))
            }
            ("span", [from, to]) => {
                Set::Span(boxed(self.tile(from, env)), boxed(self.tile(to, env)))
            }
            ("between", [from, to]) => {
                Set::Between(boxed(self.tile(from, env)), boxed(self.tile(to, env)))
            }
            ("run", [from, along, over, end @ ..]) => {
                let from = self.tile(from, env);
                let along = self.direction(along, env);
                let over = self.set(over, env);
                let end = end.first().map(|end| self.set(end, env));
                Set::run(from, along, over, end)
            }
            ("group", [of, at, along @ ..]) => {
                let of = Box::new(self.set(of, env));
                let at = Box::new(self.tile(at, env));
                let along = along.first().map(|along| self.directions(along, env));
                Set::Group { of, at, along: along.unwrap_or_default() }
            }
            ("reach", [from, over, along @ ..]) => {
                let from = Box::new(self.set(from, env));
                let over = Box::new(self.set(over, env));
                let along = along.first().map(|along| self.directions(along, env));
                Set::Reach { from, over, along: along.unwrap_or_default() }
            }
            ("attacked", [who]) => Set::Attacked(self.who(who, env)),
            ("stack", [count, who]) => {
                let count = self.length(count);
                Set::AtLeast(count, self.who(who, env))
            }
            (_, [one]) => self.sorted(&name.text, one),
            _ => self.no_set(expr),
        }
    }

    /// `kind(x)`, `flag(x)` and so on, where a name alone could mean several things.
    fn sorted(&mut self, sort: &str, one: &'s Expr) -> Set {
        let name = match &one.kind {
            ExprKind::Name(name) => name.clone(),
            ExprKind::Number(number) => number.to_string(),
            _ => String::new(),
        };
        self.used.insert(name.clone());
        match sort {
            "kind" => Set::Kind(name),
            "flag" => Set::Flag(name),
            "mark" => Set::Mark(name),
            "region" => Set::Region(self.region_name(one)),
            _ => Set::Tiles(vec![name]),
        }
    }

    /// Whether a word has as many arguments as it takes; tells so where it has not.
    pub(super) fn arity(
        &mut self,
        name: &Name,
        arguments: &[Expr],
        takes: std::ops::RangeInclusive<usize>,
    ) -> bool {
        let fits = takes.contains(&arguments.len());
        if !fits {
            let (least, most) = takes.into_inner();
            let takes =
                if least == most { least.to_string() } else { format!("{least} to {most}") };
            let message =
                format!("`{}` takes {takes} arguments, found {}", name.text, arguments.len());
            self.error("arguments", name.span, message);
        }
        fits
    }

    fn stepped(&mut self, base: &'s Expr, step: &'s Name, env: &Env<'s>) -> Set {
        if step.text == "around" {
            return self.set(base, env).around();
        }
        let directions = self.dotted(step, env);
        match self.set(base, env) {
            base if directions.len() != 1 => Set::Around(Box::new(base), directions),
            Set::Step(base, mut steps) => {
                steps.extend(directions);
                Set::Step(base, steps)
            }
            base => Set::Step(Box::new(base), directions),
        }
    }

    /// Whether an expression is one tile.
    pub(super) fn is_tile(&mut self, expr: &'s Expr, env: &Env<'s>) -> bool {
        let (expr, env) = self.expand(expr, env);
        match &expr.kind {
            ExprKind::Name(name) => match scope::find(&env, name) {
                Some(bound) => matches!(bound, Bound::Tile(_)),
                None => match name.as_str() {
                    "from" | "to" => true,
                    _ => {
                        self.names.tiles.contains_key(name)
                            && !self.names.regions.contains_key(name)
                    }
                },
            },
            ExprKind::Call(name, _) => matches!(name.text.as_str(), "only" | "first"),
            ExprKind::Dot(base, step) => {
                let one = step.text != "around" && self.dotted_quietly(step, &env) == 1;
                one && self.is_tile(base, &env)
            }
            _ => false,
        }
    }

    /// How many directions a name after a dot means, without complaint.
    fn dotted_quietly(&mut self, step: &'s Name, env: &Env<'s>) -> usize {
        let known = self.is_direction(&step.text, env)
            || matches!(scope::find(env, &step.text), Some(Bound::Argument(..)));
        if known { self.dotted(step, env).len() } else { 0 }
    }

    /// Reads an expression as one tile.
    pub(super) fn tile(&mut self, expr: &'s Expr, env: &Env<'s>) -> Tile {
        if !self.enter(expr.span) {
            return Tile::To;
        }
        let (expr, env) = self.expand(expr, env);
        let tile = match &expr.kind {
            ExprKind::Name(name) => self.named_tile(name, expr, &env),
            ExprKind::Call(name, arguments) if name.text == "only" => {
                match self.arity(name, arguments, 1..=1) {
                    true => Tile::Only(Box::new(self.set(&arguments[0], &env))),
                    false => Tile::To,
                }
            }
            ExprKind::Call(name, arguments) if name.text == "first" => {
                match self.arity(name, arguments, 3..=3) {
                    true => {
                        let from = self.tile(&arguments[0], &env);
                        let along = self.direction(&arguments[1], &env);
                        Tile::first(from, along, self.set(&arguments[2], &env))
                    }
                    false => Tile::To,
                }
            }
            ExprKind::Dot(base, step) if self.is_tile(base, &env) => {
                let directions = self.dotted(step, &env);
                match self.tile(base, &env) {
                    Tile::Steps(base, mut steps) => {
                        steps.extend(directions);
                        Tile::Steps(base, steps)
                    }
                    base => Tile::Steps(Box::new(base), directions),
                }
            }
            _ => Tile::Only(Box::new(self.set(expr, &env))),
        };
        self.leave();
        tile
    }

    fn named_tile(&mut self, name: &str, expr: &'s Expr, env: &Env<'s>) -> Tile {
        if let Some(Bound::Tile(tile)) = scope::find(env, name) {
            return Tile::Name(tile);
        }
        match name {
            "from" => Tile::From,
            "to" => Tile::To,
            _ if self.names.regions.get(name).is_some_and(|of| !of.contains_key(&None)) => {
                self.used.insert(name.to_owned());
                Tile::Only(Box::new(Set::RegionOf(
                    name.to_owned(),
                    senet_core::written::Seat::Mover,
                )))
            }
            _ if self.names.tiles.contains_key(name) => Tile::Named(name.to_owned()),
            _ => Tile::Only(Box::new(self.set(expr, env))),
        }
    }

    /// Binds a name to the values of a domain while something inside is read.
    pub(super) fn bound_in<T>(
        &mut self,
        name: &'s Name,
        domain: &'s Expr,
        env: &Env<'s>,
        inside: impl FnOnce(&mut Self, Binding, &Env<'s>) -> T,
    ) -> T {
        let written = self.unbound_name(&name.text);
        let (over, bound) = self.domain(domain, env, &written);
        let inner = scope::bind(env.clone(), &name.text, bound);
        self.bound.push(written.clone());
        let value = inside(self, Binding { name: written, over }, &inner);
        self.bound.pop();
        value
    }

    /// A name that nothing around is bound to, nor anything of the game called.
    fn unbound_name(&self, name: &str) -> String {
        let taken = |name: &str| self.bound.iter().any(|bound| bound == name);
        let mut written = name.to_owned();
        let mut number = 2;
        while taken(&written) {
            written = format!("{name}-{number}");
            number += 1;
        }
        written
    }

    fn domain(&mut self, expr: &'s Expr, env: &Env<'s>, name: &str) -> (Domain, Bound<'s>) {
        let (expr, env) = self.expand(expr, env);
        match &expr.kind {
            ExprKind::Call(call, arguments) if call.text == "groups" => {
                if !self.arity(call, arguments, 1..=2) {
                    return (Domain::Directions(Vec::new()), Bound::Group(name.to_owned()));
                }
                let of = Box::new(self.set(&arguments[0], &env));
                let along = arguments.get(1).map(|along| self.directions(along, &env));
                let along = along.unwrap_or_default();
                (Domain::Groups { of, along }, Bound::Group(name.to_owned()))
            }
            _ if self.names_directions(expr, &env) => {
                let directions = self.directions(expr, &env);
                (Domain::Directions(directions), Bound::Direction(name.to_owned()))
            }
            _ => (Domain::Tiles(Box::new(self.set(expr, &env))), Bound::Tile(name.to_owned())),
        }
    }

    pub(super) fn names_directions(&mut self, expr: &'s Expr, env: &Env<'s>) -> bool {
        let (expr, env) = self.expand(expr, env);
        match &expr.kind {
            ExprKind::Binary(Operator::Union, left, right) => {
                self.names_directions(left, &env) && self.names_directions(right, &env)
            }
            ExprKind::Name(name) => self.is_direction(name, &env),
            _ => false,
        }
    }
}

/// Words for sets that take arguments.
const CALLS: [&str; 16] = [
    "attacked", "between", "first", "flag", "group", "kind", "mark", "only", "ray", "reach",
    "region", "row", "run", "span", "stack", "tile",
];
