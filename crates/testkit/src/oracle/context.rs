//! Truths and numbers, by names.

use senet_core::written::{Binding, Domain, Number, Player, Seat, Share, Truth, Who};

use super::set::Tiles;
use super::{Man, Oracle, Place, Position};

/// Whether the mover is stuck is found out, or assumed not to be so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    /// In an ending.
    Ask,
    /// In a rule: while it is found out, it counts as true.
    InRule,
    AssumeNot,
}

/// What a bound name stands for.
#[derive(Clone)]
pub(super) enum Bound {
    Direction(String),
    Tile(String),
    Set(Tiles),
}

/// What a question looks at.
#[derive(Clone)]
pub(super) struct Context<'a> {
    pub(super) oracle: Oracle<'a>,
    pub(super) position: &'a Position,
    /// The player judged, who need not be the one to move.
    pub(super) mover: &'a str,
    pub(super) from: Option<&'a str>,
    pub(super) to: Option<&'a str>,
    pub(super) stuck: Stuck,
    /// Names and what they stand for, the innermost last.
    pub(super) names: Vec<(String, Bound)>,
}

impl<'a> Context<'a> {
    pub(super) fn men_at(&self, tile: &str) -> Vec<&'a Man> {
        self.position.pieces.iter().filter(|man| man.is_on(tile)).collect()
    }

    /// What a name stands for, if it is bound.
    pub(super) fn bound(&self, name: &str) -> Option<&Bound> {
        self.names.iter().rev().find(|(one, _)| one == name).map(|(_, bound)| bound)
    }

    /// The same question for each value of a name.
    pub(super) fn each(&self, binding: &Binding) -> Vec<Context<'a>> {
        let values: Vec<Bound> = match &binding.over {
            Domain::Directions(names) => {
                names.iter().map(|name| Bound::Direction(self.direction(name))).collect()
            }
            Domain::Tiles(set) => {
                self.oracle.in_order(&self.set(set)).into_iter().map(Bound::Tile).collect()
            }
            Domain::Groups { of, along } => {
                self.groups(of, along).into_iter().map(Bound::Set).collect()
            }
        };
        let with = |value| {
            let mut context = self.clone();
            context.names.push((binding.name.clone(), value));
            context
        };
        values.into_iter().map(with).collect()
    }

    pub(super) fn holds(&self, truth: &Truth) -> bool {
        match truth {
            Truth::Always => true,
            Truth::Never => false,
            Truth::All(all) => all.iter().all(|one| self.holds(one)),
            Truth::Any(any) => any.iter().any(|one| self.holds(one)),
            Truth::Not(one) => !self.holds(one),
            Truth::Called(_, one) | Truth::Relevant(one) => self.holds(one),
            Truth::Turn(player) => self.position.player == *player,
            Truth::Compare { left, is, right } => is.holds(self.number(left), self.number(right)),
            Truth::In(tile, set) => self.tile(tile).is_some_and(|tile| self.contains(set, &tile)),
            Truth::Some(set) => !self.set(set).is_empty(),
            Truth::None(set) => self.set(set).is_empty(),
            Truth::Line { length, along, of } => !self.lines(*length, along, of).is_empty(),
            Truth::Exists(binding, one) => self.each(binding).iter().any(|with| with.holds(one)),
            Truth::Each(binding, one) => self.each(binding).iter().all(|with| with.holds(one)),
            Truth::Stuck => match self.stuck {
                Stuck::AssumeNot => false,
                Stuck::Ask => self.oracle.is_stuck(self.position),
                Stuck::InRule => {
                    let inside = Oracle { assume_stuck: true, ..self.oracle };
                    self.oracle.assume_stuck || inside.is_stuck(self.position)
                }
            },
            Truth::Repeats(times) => {
                let now = self.oracle.key(self.position);
                let before = self.oracle.past.iter().filter(|one| **one == now).count();
                before + 1 >= usize::from(*times)
            }
            Truth::Can { by, from } => {
                let from = self.tile(from);
                from.is_some_and(|from| self.oracle.can(self.position, self.mover, by, &from))
            }
            Truth::Custom { name } => panic!("the oracle knows no custom condition `{name}`"),
        }
    }

    pub(super) fn number(&self, number: &Number) -> i64 {
        let each = |all: &[Number]| all.iter().map(|one| self.number(one)).collect::<Vec<i64>>();
        match number {
            Number::Is(number) => *number,
            Number::Variable { name, of } => self.position.variables[&self.variable_key(name, of)],
            Number::Die(name) => self.position.dice[name].into(),
            Number::Count(set) => self.set(set).len() as i64,
            Number::Pieces { on, owner, kind } => {
                let like = |man: &&Man| {
                    self.is(&man.owner, owner) && kind.as_ref().is_none_or(|kind| man.kind == *kind)
                };
                self.men_on(&self.set(on)).into_iter().filter(like).count() as i64
            }
            Number::Hand { kind, of } => {
                let owner = self.seat(of);
                let held = |man: &&Man| man.is_in_hand(&owner, kind);
                self.position.pieces.iter().filter(held).count() as i64
            }
            Number::Attribute { name, on } => {
                let worth = |man: &Man| self.oracle.attribute(&man.kind, name);
                let men = self.men_on(&self.set(on)).into_iter();
                men.map(worth).fold(0, i64::saturating_add)
            }
            Number::Groups { of, along } => self.groups(of, along).len() as i64,
            Number::Distance { from, along, to } => {
                let ray = self.tile(from).map_or(Vec::new(), |tile| self.walk(&tile, along));
                let steps = ray.iter().position(|tile| self.contains(to, tile));
                steps.map_or(0, |steps| steps as i64 + 1)
            }
            Number::Sum(all) => each(all).into_iter().fold(0, i64::saturating_add),
            Number::Minus(one, other) => self.number(one).saturating_sub(self.number(other)),
            Number::Times(all) => each(all).into_iter().fold(1, i64::saturating_mul),
            Number::Min(all) => each(all).into_iter().min().unwrap_or(0),
            Number::Max(all) => each(all).into_iter().max().unwrap_or(0),
            Number::If(truth, yes, no) => self.number(if self.holds(truth) { yes } else { no }),
        }
    }

    fn men_on(&self, tiles: &Tiles) -> Vec<&'a Man> {
        let on = |man: &&Man| matches!(&man.place, Place::Tile(tile) if tiles.contains(tile));
        self.position.pieces.iter().filter(on).collect()
    }

    pub(super) fn variable_key(&self, name: &str, of: &Seat) -> (String, Option<String>) {
        let variables = &self.oracle.definition.variables;
        let variable = variables.iter().find(|one| one.name == name).expect("a known variable");
        let of = (variable.share == Share::PerPlayer).then(|| self.seat(of));
        (name.to_owned(), of)
    }

    pub(super) fn seat(&self, seat: &Seat) -> String {
        let players: Vec<&Player> = self.oracle.seats().collect();
        let named = |one: &&Player| one.name == self.mover;
        let at = players.iter().position(named).unwrap_or(players.len());
        let ahead = match seat {
            Seat::Mover => 0,
            Seat::Next => 1,
            Seat::Previous => players.len() - 1,
            Seat::Player(name) => return name.clone(),
        };
        players[(at + ahead) % players.len()].name.clone()
    }

    pub(super) fn is(&self, player: &str, who: &Who) -> bool {
        let friend = self.oracle.friends(self.mover, player);
        match who {
            Who::Mover => player == self.mover,
            Who::Ally => friend && player != self.mover,
            Who::Friend => friend,
            Who::Foe => {
                let neutral = |name: &str| self.oracle.is_neutral(name);
                !friend && !neutral(player) && !neutral(self.mover)
            }
            Who::Player(name) => player == name,
            Who::Anyone => true,
        }
    }
}

impl Oracle<'_> {
    /// An attribute of a kind; 0 where it has none.
    fn attribute(self, kind: &str, name: &str) -> i64 {
        let kind = self.definition.kinds.iter().find(|one| one.name == kind);
        let attributes = kind.map_or(&[][..], |kind| &kind.attributes);
        attributes.iter().find(|one| one.name == name).map_or(0, |one| one.value)
    }
}
