//! Sets, tiles, numbers and truths.

use crate::id::DirectionId;
use crate::ir::{Arithmetic, NO_TILE, NumReg, Op, SetReg};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Heading, Loop, Number, Set, Tile, Truth, Who};
use crate::written::Comparison;

use super::fact::{Part, uses};
use super::{Answer, Bound, Builder, Stuck};

impl Builder<'_, '_> {
    pub(super) fn direction(&self, heading: &Heading) -> DirectionId {
        heading[self.player.index()]
    }

    fn directions(&self, headings: &[Heading]) -> Vec<DirectionId> {
        headings.iter().map(|heading| self.direction(heading)).collect()
    }

    pub(super) fn constant_set(&mut self, tiles: TileSet) -> SetReg {
        let id = self.lowering.constant(tiles);
        let register = self.new_set();
        self.push(Op::Constant(register, id));
        register
    }

    pub(super) fn every_tile(&mut self) -> SetReg {
        self.set(&Set::Const(vec![self.game.all_tiles; 64]))
    }

    /// The tiles of a set. One that depends on the state alone is found once.
    pub(super) fn set(&mut self, set: &Set) -> SetReg {
        if let Some(register) = self.recall(set) {
            return register;
        }
        let register = self.new_value(set);
        let lasting = self.pure || matches!(set, Set::Const(_));
        if lasting && uses(Part::Set(set)).only_state() {
            self.known.push((self.player, set.clone(), register));
        }
        register
    }

    /// Where a set is known already.
    fn recall(&self, set: &Set) -> Option<SetReg> {
        let same = |(player, known, _): &&(_, Set, SetReg)| *player == self.player && known == set;
        self.known.iter().find(same).map(|(_, _, register)| *register)
    }

    fn new_value(&mut self, set: &Set) -> SetReg {
        match set {
            Set::Const(regions) => self.constant_set(regions[self.player.index()]),
            Set::Empty => {
                let (all, occupied) = (self.every_tile(), self.set(&Set::Owned(Who::Anyone)));
                self.and_not(all, occupied)
            }
            Set::Owned(who) => self.owned(self.players(*who)),
            Set::Kind(kind) => self.plane(self.game.layout.kind(*kind)),
            Set::Royal => {
                let game = self.game;
                let kinds = game.royals.iter().map(|&kind| Set::Kind(kind)).collect();
                self.set(&Set::Any(kinds))
            }
            Set::Flag(flag) => self.plane(self.game.layout.flag(*flag)),
            Set::Mark(mark) => self.plane(self.game.layout.mark(*mark)),
            Set::AtLeast(0, _) => self.every_tile(),
            Set::AtLeast(1, who) => self.set(&Set::Owned(*who)),
            Set::AtLeast(least, who) => {
                let (to, players) = (self.new_set(), self.players(*who));
                self.push(Op::Stacked { to, players, least: *least });
                to
            }
            Set::At(tile) => {
                let tile = self.tile(tile);
                self.single(tile)
            }
            Set::All(all) => self.intersection(all),
            Set::Any(any) => {
                let Some((first, rest)) = any.split_first() else {
                    return self.constant_set(TileSet::EMPTY);
                };
                let first = self.set(first);
                rest.iter().fold(first, |all, one| {
                    let one = self.set(one);
                    self.or(all, one)
                })
            }
            Set::Not(one) => {
                let (all, one) = (self.every_tile(), self.set(one));
                self.and_not(all, one)
            }
            Set::Step(set, steps) => {
                let mut found = self.set(set);
                for direction in self.directions(steps) {
                    found = self.image(found, &[direction]);
                }
                found
            }
            Set::Around(set, along) => {
                let set = self.set(set);
                let all = self.constant_set(TileSet::EMPTY);
                self.directions(along).into_iter().fold(all, |all, direction| {
                    let near = self.image(set, &[direction]);
                    self.or(all, near)
                })
            }
            Set::Ray(from, along) => {
                let (from, slide) = (self.tile(from), self.ray(along));
                let (to, nothing) = (self.new_set(), self.constant_set(TileSet::EMPTY));
                self.push(Op::Slide(to, slide, from, nothing));
                to
            }
            Set::Run { from, along, over, end } => self.run(from, along, over, end.as_deref()),
            Set::Span(one, other) => {
                let (one, other) = (self.tile_or_constant(one), self.tile_or_constant(other));
                self.span(one, other)
            }
            Set::Between(one, other) => {
                let (one, other) = (self.tile(one), self.tile(other));
                let span = self.span(Place::Register(one), Place::Register(other));
                let (first, last) = (self.single(one), self.single(other));
                let inner = self.and_not(span, first);
                self.and_not(inner, last)
            }
            Set::Reach { from, over, along } => {
                let (from, over) = (self.set(from), self.set(over));
                let directions = self.directions(along);
                let (to, links) = (self.new_set(), self.lowering.links(&directions));
                self.push(Op::Flood { to, from, over, links });
                to
            }
            Set::Line { lines, of } => {
                let (of, lines) = (self.set(of), self.lowering.lines(lines));
                let to = self.new_set();
                self.push(Op::Lines(to, lines, of));
                to
            }
            Set::Attacked(who) => self.attacked_set(self.players(*who)),
            Set::If(truth, yes, no) => {
                let to = self.new_set();
                self.choose(
                    truth,
                    |builder| {
                        let yes = builder.set(yes);
                        builder.push(Op::Copy(to, yes));
                    },
                    |builder| {
                        let no = builder.set(no);
                        builder.push(Op::Copy(to, no));
                    },
                );
                to
            }
            Set::Union(over, set) => {
                let all = self.constant_set(TileSet::EMPTY);
                self.for_each(over, |builder| {
                    let one = builder.set(set);
                    builder.push(Op::Or(all, all, one));
                });
                all
            }
            Set::Origin(set, steps) => {
                let mut found = self.set(set);
                for direction in self.directions(steps).into_iter().rev() {
                    found = self.preimage(found, direction);
                }
                found
            }
            Set::RunOrigin { along, over, end } => {
                let direction = self.direction(along);
                let (over, end) = (self.set(over), self.set(end));
                // Tiles of the run from which it goes on to its end, step by step backwards.
                let Some(map) = self.lowering.inverse(&[direction]) else {
                    return self.constant_set(TileSet::EMPTY);
                };
                let before = self.new_set();
                self.push(Op::Images { to: before, from: end, over, map });
                let run = self.and(before, over);
                self.preimage(run, direction)
            }
            Set::Local(local) => match self.bound(*local) {
                Bound::Group(register) => register,
                Bound::Tile(register) => self.single(register),
            },
        }
    }

    fn bound(&self, local: u16) -> Bound {
        let bound = self.locals.iter().rev().find(|(name, _)| *name == local);
        bound.expect("resolve binds every name that is used").1
    }

    /// Tiles in every one of some sets. What is attacked is asked last, of few tiles.
    fn intersection(&mut self, all: &[Set]) -> SetReg {
        let (attacked, others): (Vec<&Set>, Vec<&Set>) =
            all.iter().partition(|one| matches!(one, Set::Attacked(_)));
        let mut found = None;
        for one in others {
            found = Some(match (found, one) {
                (None, one) => self.set(one),
                (Some(found), Set::Not(one)) => {
                    let one = self.set(one);
                    self.and_not(found, one)
                }
                (Some(found), one) => {
                    let one = self.set(one);
                    self.and(found, one)
                }
            });
        }
        let mut found = found.unwrap_or_else(|| self.every_tile());
        for one in attacked {
            if let Set::Attacked(who) = one {
                found = self.attacked_among(found, self.players(*who));
            }
        }
        found
    }

    pub(super) fn plane(&mut self, first: usize) -> SetReg {
        let register = self.new_set();
        self.push(Op::Plane(register, first));
        register
    }

    /// The tiles of some players.
    pub(super) fn owned(&mut self, players: u64) -> SetReg {
        let game = self.game;
        let mut found = None;
        for player in game.players().filter(|player| players >> player.index() & 1 == 1) {
            let plane = self.known_plane(player);
            found = Some(match found {
                None => plane,
                Some(found) => self.or(found, plane),
            });
        }
        found.unwrap_or_else(|| self.constant_set(TileSet::EMPTY))
    }

    fn known_plane(&mut self, player: crate::PlayerId) -> SetReg {
        let key = Set::Owned(Who::Player(player));
        if let Some(register) = self.recall(&key) {
            return register;
        }
        let register = self.plane(self.game.layout.owner(player));
        if self.pure {
            self.known.push((self.player, key, register));
        }
        register
    }

    pub(super) fn and(&mut self, one: SetReg, other: SetReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::And(to, one, other));
        to
    }

    pub(super) fn or(&mut self, one: SetReg, other: SetReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::Or(to, one, other));
        to
    }

    pub(super) fn and_not(&mut self, one: SetReg, other: SetReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::AndNot(to, one, other));
        to
    }

    pub(super) fn single(&mut self, tile: NumReg) -> SetReg {
        let to = self.new_set();
        self.push(Op::Single(to, tile));
        to
    }

    pub(super) fn image(&mut self, set: SetReg, steps: &[DirectionId]) -> SetReg {
        let map = self.lowering.map(steps);
        let to = self.new_set();
        self.push(Op::Image(to, set, map));
        to
    }

    fn preimage(&mut self, set: SetReg, direction: DirectionId) -> SetReg {
        let map = self.lowering.map(&[direction]);
        let to = self.new_set();
        self.push(Op::Preimage(to, set, map));
        to
    }

    pub(super) fn any(&mut self, set: SetReg) -> NumReg {
        let to = self.new_number();
        self.push(Op::Any(to, set));
        to
    }

    pub(super) fn has(&mut self, set: SetReg, tile: NumReg) -> NumReg {
        let to = self.new_number();
        self.push(Op::Has(to, set, tile));
        to
    }

    fn ray(&mut self, along: &Heading) -> crate::ir::SlideId {
        let direction = self.direction(along);
        self.lowering.slide(&[direction])
    }

    /// The run from a tile along a direction over a set, where it ends as it must.
    fn run(&mut self, from: &Tile, along: &Heading, over: &Set, end: Option<&Set>) -> SetReg {
        let (from, slide) = (self.tile(from), self.ray(along));
        let (all, over) = (self.every_tile(), self.set(over));
        let outside = self.and_not(all, over);
        let stop = self.new_number();
        self.push(Op::FirstAlong(stop, slide, from, outside));
        let to = self.new_set();
        let Some(end) = end else {
            // Up to the tile that stops it, or all along the ray.
            self.push(Op::Slide(to, slide, from, outside));
            let last = self.single(stop);
            return self.and_not(to, last);
        };
        let end = self.set(end);
        let ends = self.has(end, stop);
        let nothing = self.lowering.constant(TileSet::EMPTY);
        self.push(Op::If(
            ends,
            vec![Op::Between(to, slide, from, stop)],
            vec![Op::Constant(to, nothing)],
        ));
        to
    }

    fn tile_or_constant(&mut self, tile: &Tile) -> Place {
        match tile {
            Tile::Const(tiles) => Place::Constant(tiles[self.player.index()]),
            tile => Place::Register(self.tile(tile)),
        }
    }

    /// The straight line from one tile to another; a table where one of them never changes.
    fn span(&mut self, one: Place, other: Place) -> SetReg {
        let (game, to) = (self.game, self.new_set());
        match (one, other) {
            (Place::Constant(one), Place::Constant(other)) => {
                return self.constant_set(game.span(one, other));
            }
            (Place::Register(one), Place::Constant(other)) => {
                let rows = self.lowering.rows(|tile| game.span(tile, other));
                self.push(Op::Row(to, rows, one));
            }
            (Place::Constant(one), Place::Register(other)) => {
                let rows = self.lowering.rows(|tile| game.span(one, tile));
                self.push(Op::Row(to, rows, other));
            }
            (Place::Register(one), Place::Register(other)) => self.push(Op::Span(to, one, other)),
        }
        to
    }

    pub(super) fn tile(&mut self, tile: &Tile) -> NumReg {
        match tile {
            Tile::From => self.event.0,
            Tile::To => self.event.1,
            Tile::Const(tiles) => self.constant_number(tiles[self.player.index()].index() as i64),
            Tile::Only(set) => {
                let (set, to) = (self.set(set), self.new_number());
                self.push(Op::Only(to, set));
                to
            }
            Tile::Steps(tile, steps) => {
                let (tile, steps) = (self.tile(tile), self.directions(steps));
                let (map, to) = (self.lowering.map(&steps), self.new_number());
                self.push(Op::Step(to, map, tile));
                to
            }
            Tile::First { from, along, at } => {
                let (from, slide, at) = (self.tile(from), self.ray(along), self.set(at));
                let to = self.new_number();
                self.push(Op::FirstAlong(to, slide, from, at));
                to
            }
            Tile::Local(local) => match self.bound(*local) {
                Bound::Tile(register) => register,
                Bound::Group(group) => {
                    let to = self.new_number();
                    self.push(Op::Only(to, group));
                    to
                }
            },
        }
    }

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
            Number::Attribute(kinds, on) => {
                let mut sum = self.constant_number(0);
                for (kind, value) in kinds {
                    let count = self.pieces(on, Who::Anyone, Some(*kind));
                    let value = self.constant_number(*value);
                    let product = self.arithmetic(Arithmetic::Multiply, count, value);
                    sum = self.arithmetic(Arithmetic::Add, sum, product);
                }
                sum
            }
            Number::Groups(of, along) => {
                let (of, directions) = (self.set(of), self.directions(along));
                let (links, to) = (self.lowering.links(&directions), self.new_number());
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

    pub(super) fn truth(&mut self, condition: &Condition) -> Answer {
        match &condition.test {
            Truth::Always => Answer::Known(true),
            Truth::Never => Answer::Known(false),
            Truth::All(all) => self.all(all, true),
            Truth::Any(any) => self.all(any, false),
            Truth::Not(one) => match self.truth(one) {
                Answer::Known(holds) => Answer::Known(!holds),
                Answer::Asked(register) => Answer::Asked(self.negated(register)),
            },
            Truth::Called(one) | Truth::Relevant(one) => self.truth(one),
            Truth::Turn(player) => match self.to_move {
                Some(to_move) => Answer::Known(to_move == *player),
                None => {
                    let turn = self.field(self.game.layout.turn, 0);
                    Answer::Asked(self.equals(turn, player.index() as i64))
                }
            },
            Truth::Compare(left, is, right) => {
                if let Some(answer) = self.compare_count(left, *is, right) {
                    return answer;
                }
                let (left, right) = (self.number(left), self.number(right));
                let to = self.new_number();
                self.push(Op::Compare(to, *is, left, right));
                Answer::Asked(to)
            }
            Truth::In(tile, set) => {
                let (tile, set) = (self.tile(tile), self.set(set));
                Answer::Asked(self.has(set, tile))
            }
            Truth::Some(set) => {
                let set = self.set(set);
                Answer::Asked(self.any(set))
            }
            Truth::None(set) => {
                let set = self.set(set);
                let any = self.any(set);
                Answer::Asked(self.negated(any))
            }
            Truth::Line(lines, _) if lines.is_empty() => Answer::Known(false),
            Truth::Line(lines, of) => {
                let (of, lines) = (self.set(of), self.lowering.lines(lines));
                let to = self.new_number();
                self.push(Op::HasLine(to, lines, of));
                Answer::Asked(to)
            }
            Truth::Exists(over, one) => self.quantified(over, one, true),
            Truth::Each(over, one) => self.quantified(over, one, false),
            Truth::Stuck if self.stuck == Stuck::AssumeNot => Answer::Known(false),
            Truth::Stuck => {
                let to = self.new_number();
                self.push(Op::Stuck(to));
                Answer::Asked(to)
            }
            Truth::Custom(custom) => {
                let to = self.new_number();
                self.push(Op::Custom { to, tiles: self.event, custom: *custom });
                Answer::Asked(to)
            }
        }
    }

    /// A count compared with 0 or 1 is a question whether there is any.
    fn compare_count(&mut self, left: &Number, is: Comparison, right: &Number) -> Option<Answer> {
        let (Number::Count(set), Number::Is(number)) = (left, right) else { return None };
        let wanted = match (is, number) {
            (Comparison::Equal | Comparison::AtMost, 0) | (Comparison::Less, 1) => false,
            (Comparison::Different | Comparison::Greater, 0) | (Comparison::AtLeast, 1) => true,
            _ => return None,
        };
        let set = self.set(set);
        let any = self.any(set);
        Some(Answer::Asked(if wanted { any } else { self.negated(any) }))
    }

    fn negated(&mut self, register: NumReg) -> NumReg {
        let to = self.new_number();
        self.push(Op::Not(to, register));
        to
    }

    /// All of some conditions, or any of them: those after the one that decides are not asked.
    fn all(&mut self, conditions: &[Condition], every: bool) -> Answer {
        let Some((first, rest)) = conditions.split_first() else { return Answer::Known(every) };
        match self.truth(first) {
            Answer::Known(holds) if holds == every => self.all(rest, every),
            Answer::Known(holds) => Answer::Known(holds),
            Answer::Asked(register) if rest.is_empty() => Answer::Asked(register),
            Answer::Asked(register) => {
                let to = self.new_number();
                let mut known = None;
                let body = self.nested(|builder| match builder.all(rest, every) {
                    Answer::Known(holds) => known = Some(holds),
                    Answer::Asked(rest) => builder.push(Op::Move(to, rest)),
                });
                match known {
                    Some(holds) if holds == every => Answer::Asked(register),
                    Some(holds) => Answer::Known(holds),
                    None => {
                        let decided = vec![Op::Number(to, (!every).into())];
                        let (yes, no) = if every { (body, decided) } else { (decided, body) };
                        self.push(Op::If(register, yes, no));
                        Answer::Asked(to)
                    }
                }
            }
        }
    }

    fn quantified(&mut self, over: &Loop, one: &Condition, exists: bool) -> Answer {
        let to = self.constant_number((!exists).into());
        self.for_each(over, |builder| {
            let decides = vec![Op::Number(to, exists.into()), Op::Break];
            match builder.truth(one) {
                Answer::Known(holds) if holds == exists => builder.extend(decides),
                Answer::Known(_) => {}
                Answer::Asked(holds) if exists => builder.push(Op::If(holds, decides, Vec::new())),
                Answer::Asked(holds) => builder.push(Op::If(holds, Vec::new(), decides)),
            }
        });
        Answer::Asked(to)
    }

    /// Runs code for each value of a loop.
    pub(super) fn for_each(&mut self, over: &Loop, fill: impl FnOnce(&mut Self)) {
        match over {
            Loop::Tiles(local, set) => {
                let (set, tile) = (self.set(set), self.new_number());
                self.locals.push((*local, Bound::Tile(tile)));
                let body = self.nested(fill);
                self.locals.pop();
                self.push(Op::ForTiles(set, tile, body));
            }
            Loop::Groups(local, of, along) => {
                let (of, directions) = (self.set(of), self.directions(along));
                let (links, group) = (self.lowering.links(&directions), self.new_set());
                self.locals.push((*local, Bound::Group(group)));
                let body = self.nested(fill);
                self.locals.pop();
                self.push(Op::ForGroups { of, links, group, body });
            }
        }
    }

    /// Runs one code where a condition holds and another where it does not.
    pub(super) fn choose(
        &mut self,
        condition: &Condition,
        yes: impl FnOnce(&mut Self),
        no: impl FnOnce(&mut Self),
    ) {
        match self.truth(condition) {
            Answer::Known(true) => yes(self),
            Answer::Known(false) => no(self),
            Answer::Asked(register) => {
                let (yes, no) = (self.nested(yes), self.nested(no));
                self.push(Op::If(register, yes, no));
            }
        }
    }
}

/// A tile that is known or in a register.
#[derive(Clone, Copy)]
enum Place {
    Constant(crate::TileId),
    Register(NumReg),
}
