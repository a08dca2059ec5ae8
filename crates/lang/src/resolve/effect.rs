//! Effects.

use senet_core::written::{Effect, Fate, Number, Seat, Set, Variable};

use super::Resolver;
use super::scope::Env;
use crate::syntax::{self, EffectKind, Expr, LetBody, Name};

impl<'s> Resolver<'s> {
    /// Reads effects; names given by `let` become several.
    pub(super) fn effects(&mut self, written: &'s [syntax::Effect], env: &Env<'s>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for one in written {
            if self.enter(one.span) {
                self.effect(one, env, &mut effects);
                self.leave();
            }
        }
        effects
    }

    fn effect(&mut self, one: &'s syntax::Effect, env: &Env<'s>, into: &mut Vec<Effect>) {
        let effect = match &one.kind {
            EffectKind::Capture(on, fate) => {
                let on = self.set(on, env);
                Effect::Capture { on, to: self.fate(fate, env) }
            }
            EffectKind::Clear(on) => Effect::Clear(self.set(on, env)),
            EffectKind::Carry(moves) => {
                let mut moves: Vec<_> =
                    moves.iter().map(|(a, b)| (self.tile(a, env), self.tile(b, env))).collect();
                match moves.len() {
                    1 => moves.pop().map(|(from, to)| Effect::Carry { from, to }).expect("one"),
                    _ => Effect::Together(moves),
                }
            }
            EffectKind::Shift(on, along) => {
                let on = self.set(on, env);
                Effect::Shift { on, along: vec![self.direction(along, env)] }
            }
            EffectKind::SwapSeats => {
                let name = self.seats_variable();
                let now = Number::variable(name.clone());
                Effect::Set { variable: name, of: Seat::Mover, to: Number::Is(1) - now }
            }
            EffectKind::Label { verb, on, names } => self.label(verb, on, names, env),
            EffectKind::Change(on, kind) => {
                let on = self.set(on, env);
                Effect::Become { on, kind: self.kind_name(kind) }
            }
            EffectKind::Give(on, to) => {
                let on = self.set(on, env);
                Effect::Give { on, to: self.seat(to, env) }
            }
            EffectKind::Place(kind, owner, on) => {
                let kind = self.kind_name(kind);
                let owner = self.optional_seat(owner.as_ref(), env);
                Effect::Place { kind, owner, on: self.set(on, env) }
            }
            EffectKind::Assign(variable, of, operator, value) => {
                self.assign(variable, of.as_ref(), &operator.text, value, env)
            }
            EffectKind::Turn(seat) => Effect::Turn(self.seat(seat, env)),
            EffectKind::Unroll(dice) => Effect::Unroll(self.dice_names(dice)),
            EffectKind::Show(dice, value) => {
                let dice = self.dice_names(dice);
                Effect::Show { dice, value: self.number(value, env) }
            }
            EffectKind::Reset => Effect::Reset,
            EffectKind::Shuffle(from, to) => return into.extend(self.shuffle(from, to)),
            EffectKind::Sow { from, along, skip, count } => {
                let from = self.tile(from, env);
                let along = self.direction(along, env);
                let skip = skip.as_ref().map_or(Set::Any(Vec::new()), |skip| self.set(skip, env));
                let count = count.as_ref().map(|count| self.variable(count));
                Effect::Sow { from, along, skip, count }
            }
            EffectKind::Custom(name) => Effect::Custom { name: name.text.clone() },
            EffectKind::Broken => return,
            EffectKind::Use(name, arguments) => {
                return self.used_effects(name, arguments, env, into);
            }
            _ => self.flow(one, env),
        };
        into.push(effect);
    }

    /// Effects that hold others.
    fn flow(&mut self, one: &'s syntax::Effect, env: &Env<'s>) -> Effect {
        match &one.kind {
            EffectKind::If(condition, then, otherwise) => {
                let condition = self.truth(condition, env);
                let then = self.effects(then, env);
                let otherwise = self.effects(otherwise, env);
                Effect::When { condition, then, otherwise }
            }
            EffectKind::Each(name, domain, effects) => {
                self.bound_in(name, domain, env, |resolver, binding, env| {
                    Effect::Each(binding, resolver.effects(effects, env))
                })
            }
            EffectKind::Repeat(times, effects) => {
                let times = self.number(times, env);
                Effect::Repeat(times, self.effects(effects, env))
            }
            EffectKind::TurnWith(truth) => Effect::TurnWhere(self.truth(truth, env)),
            EffectKind::Continue { by, stop, otherwise } => {
                let by = by.iter().map(|rule| self.rule_name(rule)).collect();
                let stop = stop.as_ref().map(|stop| self.act(stop));
                let otherwise = match otherwise.is_empty() {
                    true => vec![Effect::Turn(Seat::Next)],
                    false => self.effects(otherwise, env),
                };
                Effect::Again { by, stop, otherwise }
            }
            _ => Effect::Reset,
        }
    }

    /// The variable that says whether the players have changed seats.
    fn seats_variable(&mut self) -> String {
        let variables = &mut self.definition.variables;
        if let Some(known) = variables.iter().find(|variable| variable.swaps_seats) {
            return known.name.clone();
        }
        let names = std::iter::once("swapped".to_owned());
        let mut names = names.chain((2..).map(|number| format!("swapped-{number}")));
        let taken = |name: &String| variables.iter().any(|variable| variable.name == *name);
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        variables.push(Variable::counter(name.clone(), 1).swapping_seats());
        name
    }

    fn used_effects(
        &mut self,
        name: &'s Name,
        arguments: &'s [Expr],
        env: &Env<'s>,
        into: &mut Vec<Effect>,
    ) {
        self.used.insert(name.text.clone());
        let Some(one) = self.names.lets.get(&name.text).copied() else {
            let known: Vec<String> = self.names.lets.keys().cloned().collect();
            let known = known.iter().map(String::as_str).chain(VERBS);
            return self.unknown("effect", name, known);
        };
        let LetBody::Effects(effects) = &one.body else {
            let message = format!("expected an effect, but `{}` stands for a value", name.text);
            return self.error("wrong-type", name.span, message);
        };
        let scope = self.arguments(one, arguments, name.span, env);
        into.extend(self.effects(effects, &scope));
    }

    fn label(&mut self, verb: &Name, on: &'s Expr, names: &[Name], env: &Env<'s>) -> Effect {
        let on = self.set(on, env);
        let flag = verb.text.ends_with("flag");
        for name in names {
            self.used.insert(name.text.clone());
            let known: Vec<String> = if flag {
                self.definition.flags.iter().map(|flag| flag.name.clone()).collect()
            } else {
                self.definition.marks.iter().map(|mark| mark.name.clone()).collect()
            };
            if !known.contains(&name.text) {
                let what = if flag { "flag" } else { "mark" };
                self.unknown(what, name, known.iter().map(String::as_str));
            }
        }
        let names: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
        let (set, clear) =
            if verb.text.starts_with("un") { (Vec::new(), names) } else { (names, Vec::new()) };
        if flag { Effect::Flag { on, set, clear } } else { Effect::Mark { on, set, clear } }
    }

    fn assign(
        &mut self,
        variable: &Name,
        of: Option<&'s Expr>,
        operator: &str,
        value: &'s Expr,
        env: &Env<'s>,
    ) -> Effect {
        let variable = self.variable(variable);
        let of = self.optional_seat(of, env);
        let value = self.number(value, env);
        match operator {
            "=" => Effect::Set { variable, of, to: value },
            "+=" => Effect::Add { variable, of, by: value },
            _ => {
                let by = match value {
                    Number::Is(number) => Number::Is(number.saturating_neg()),
                    value => Number::Is(0) - value,
                };
                Effect::Add { variable, of, by }
            }
        }
    }

    fn optional_seat(&mut self, seat: Option<&'s Expr>, env: &Env<'s>) -> Seat {
        seat.map_or(Seat::Mover, |seat| self.seat(seat, env))
    }

    fn fate(&mut self, fate: &'s syntax::Fate, env: &Env<'s>) -> Fate {
        match fate {
            syntax::Fate::Out => Fate::Out,
            syntax::Fate::Tile(tile) => Fate::Tile(self.tile(tile, env)),
            syntax::Fate::Hand(seat) => Fate::Hand(self.optional_seat(seat.as_ref(), env)),
        }
    }

    fn variable(&mut self, name: &Name) -> String {
        self.used.insert(name.text.clone());
        if !self.names.variables.contains(&name.text) {
            let known: Vec<String> = self.names.variables.iter().cloned().collect();
            self.unknown("variable", name, known.iter().map(String::as_str));
        }
        name.text.clone()
    }

    /// The names of dice, with complaints about those that are none.
    pub(super) fn dice_names(&mut self, names: &[Name]) -> Vec<String> {
        names.iter().map(|name| self.die(name)).collect()
    }
}

/// Words that start an effect.
const VERBS: [&str; 21] = [
    "capture", "carry", "change", "clear", "continue", "custom", "each", "flag", "give", "if",
    "mark", "place", "repeat", "reset", "shift", "show", "sow", "swap", "turn", "unflag", "unmark",
];
