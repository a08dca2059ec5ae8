//! Numbers: code that leaves one in a register.

use crate::ir::{Arithmetic, NO_TILE, NumReg, Op};
use crate::typed::{Connection, Number, Set, Who};

use super::Builder;

impl Builder<'_, '_> {
    pub(super) fn number(&mut self, number: &Number) -> NumReg {
        match number {
            Number::Is(number) => self.constant_number(*number),
            Number::Variable(variable, of) => {
                let slot = self.game.layout.variable(*variable);
                let seat = if slot.fields.len() > 1 { self.seat(*of).index() } else { 0 };
                self.field(slot.fields[seat], slot.min)
            }
            Number::Die(die) => self.field(self.game.layout.die(*die), 0),
            Number::Count(set) => {
                let (set, to) = (self.set(set), self.new_number());
                self.push(Op::Count(to, set));
                to
            }
            Number::Pieces(on, owner, kind) => self.pieces(on, *owner, *kind),
            Number::Hand(kind, of) => match self.game.layout.hand(self.seat(*of), *kind) {
                Some(field) => self.field(field, 0),
                None => self.constant_number(0),
            },
            Number::Attribute(kinds, on) => self.attribute(kinds, on),
            Number::Groups(of, along) => {
                let (of, directions) = (self.set(of), self.directions(along));
                let (links, to) =
                    (self.lowering.links(&directions, Connection::Either), self.new_number());
                self.push(Op::Groups(to, of, links));
                to
            }
            Number::Distance(from, along, to) => {
                let (from, slide, to) = (self.tile(from), self.ray(along), self.set(to));
                let end = self.new_number();
                self.push(Op::FirstAlong(end, slide, from, to));
                let (line, count) = (self.new_set(), self.new_number());
                self.push(Op::Slide(line, slide, from, to));
                self.push(Op::Count(count, line));
                let none = self.equals(end, NO_TILE);
                self.push(Op::If(none, vec![Op::Number(count, 0)], Vec::new()));
                count
            }
            Number::Sum(all) => self.fold(Arithmetic::Add, 0, all),
            Number::Times(all) => self.fold(Arithmetic::Multiply, 1, all),
            Number::Min(all) => self.fold(Arithmetic::Min, i64::MAX, all),
            Number::Max(all) => self.fold(Arithmetic::Max, i64::MIN, all),
            Number::Minus(one, other) => {
                let (one, other) = (self.number(one), self.number(other));
                self.arithmetic(Arithmetic::Subtract, one, other)
            }
            Number::If(truth, yes, no) => {
                let to = self.new_number();
                self.choose(
                    truth,
                    |builder| {
                        let yes = builder.number(yes);
                        builder.push(Op::Move(to, yes));
                    },
                    |builder| {
                        let no = builder.number(no);
                        builder.push(Op::Move(to, no));
                    },
                );
                to
            }
        }
    }

    pub(super) fn field(&mut self, field: crate::layout::Field, least: i64) -> NumReg {
        let to = self.new_number();
        self.push(Op::Field(to, field, least));
        to
    }

    /// How many pieces stand on the tiles of a set: by planes where every tile holds one.
    fn pieces(&mut self, on: &Set, owner: Who, kind: Option<crate::KindId>) -> NumReg {
        let players = self.players(owner);
        let to = self.new_number();
        if self.game.exclusive != self.game.all_tiles {
            let on = self.set(on);
            self.push(Op::Pieces { to, on, players, kind });
            return to;
        }
        let mut parts = vec![Set::Owned(owner)];
        parts.extend(kind.map(Set::Kind));
        if !matches!(on, Set::Const(regions) if regions[self.player.index()] == self.game.all_tiles)
        {
            parts.push(on.clone());
        }
        // A kind stands nowhere without an owner.
        if owner == Who::Anyone && parts.len() > 1 && kind.is_some() {
            parts.remove(0);
        }
        let set = self.set(&Set::All(parts));
        self.push(Op::Count(to, set));
        to
    }

    /// The sum of an attribute, which some kinds have, over the pieces on the tiles of a set.
    fn attribute(&mut self, kinds: &[(crate::KindId, i64)], on: &Set) -> NumReg {
        let mut sum = self.constant_number(0);
        for (kind, value) in kinds {
            let count = self.pieces(on, Who::Anyone, Some(*kind));
            let value = self.constant_number(*value);
            let product = self.arithmetic(Arithmetic::Multiply, count, value);
            sum = self.arithmetic(Arithmetic::Add, sum, product);
        }
        sum
    }

    fn arithmetic(&mut self, what: Arithmetic, one: NumReg, other: NumReg) -> NumReg {
        let to = self.new_number();
        self.push(Op::Arithmetic(to, what, one, other));
        to
    }

    fn fold(&mut self, what: Arithmetic, start: i64, all: &[Number]) -> NumReg {
        let Some((first, rest)) = all.split_first() else { return self.constant_number(start) };
        let first = self.number(first);
        rest.iter().fold(first, |sum, one| {
            let one = self.number(one);
            self.arithmetic(what, sum, one)
        })
    }
}
