//! Conditions, and the branches and loops that hang on them.

use crate::id::KindId;
use crate::ir::{NumReg, Op};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Connection, Loop, Number, Set, Tile, Truth, Who};
use crate::written::Comparison;

use super::fact::asks_any;
use super::{Answer, Bound, Builder, Stuck};

impl Builder<'_, '_> {
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
            Truth::Line(lines, _) if lines[self.player.index()].is_empty() => Answer::Known(false),
            Truth::Line(lines, of) => {
                let player = self.player.index();
                let (of, lines) = (self.set(of), self.lowering.lines(&lines[player]));
                let to = self.new_number();
                self.push(Op::HasLine(to, lines, of));
                Answer::Asked(to)
            }
            Truth::Exists(over, one) => self.quantified(over, one, true),
            Truth::Each(over, one) => self.quantified(over, one, false),
            Truth::Stuck => self.is_stuck(),
            Truth::Repeats(times) => {
                let to = self.new_number();
                self.push(Op::Repeats(to, *times));
                Answer::Asked(to)
            }
            Truth::Can(rules, tile) => {
                let tile = self.tile(tile);
                let (within, all) = (self.single(tile), self.constant_set(TileSet::EMPTY));
                rules.iter().for_each(|&rule| self.rule_targets(all, rule, within));
                Answer::Asked(self.any(all))
            }
            Truth::Custom(custom) => {
                let to = self.new_number();
                self.push(Op::Custom { to, tiles: self.event, custom: *custom });
                Answer::Asked(to)
            }
        }
    }

    fn is_stuck(&mut self) -> Answer {
        let to = self.new_number();
        match self.stuck {
            Stuck::AssumeNot => return Answer::Known(false),
            Stuck::Ask => self.push(Op::Stuck(to)),
            Stuck::InRule => self.push(Op::StuckInRule(to)),
        }
        Answer::Asked(to)
    }

    /// A count compared with 0 or 1 is a question whether there is any.
    fn compare_count(&mut self, left: &Number, is: Comparison, right: &Number) -> Option<Answer> {
        let Number::Is(number) = right else { return None };
        let wanted = asks_any(is, *number)?;
        let set = match left {
            Number::Count(set) => self.set(set),
            Number::Pieces(on, owner, kind) => {
                let held = self.held(on, *owner, *kind)?;
                self.set(&held)
            }
            _ => return None,
        };
        let any = self.any(set);
        Some(Answer::Asked(if wanted { any } else { self.negated(any) }))
    }

    /// The tiles of a set on which pieces of an owner and kind stand, where planes tell.
    fn held(&self, on: &Set, owner: Who, kind: Option<KindId>) -> Option<Set> {
        let pieces = match kind {
            None => vec![Set::Owned(owner)],
            // A kind stands nowhere without an owner.
            Some(kind) if owner == Who::Anyone => vec![Set::Kind(kind)],
            // A tile that holds many may hold others of the owner and others of the kind.
            Some(kind) if self.one_kind_at_a_time(&[kind]) => {
                vec![Set::Owned(owner), Set::Kind(kind)]
            }
            Some(_) => return None,
        };
        let everywhere = self.lowering.is_everywhere(on, self.player);
        let on = std::iter::once(on.clone()).filter(|_| !everywhere);
        Some(Set::All(pieces.into_iter().chain(on).collect()))
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
        if let Some(answer) = self.quantified_at_once(over, one, exists) {
            return answer;
        }
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

    /// The same for all tiles or groups at once, where the condition is lifted to a set of tiles.
    fn quantified_at_once(&mut self, over: &Loop, one: &Condition, exists: bool) -> Option<Answer> {
        let (tiles, holds) = match over {
            Loop::Tiles(local, tiles) => (tiles, self.lift(one, &Tile::Local(*local))?),
            Loop::Groups(_, of, _) => (of, self.groups_where(over, one)?),
        };
        let (tiles, holds) = (self.set(tiles), self.set(&holds));
        if exists {
            let found = self.and(tiles, holds);
            return Some(Answer::Asked(self.any(found)));
        }
        let others = self.and_not(tiles, holds);
        let any = self.any(others);
        Some(Answer::Asked(self.negated(any)))
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
                let links = self.lowering.links(&directions, Connection::Either);
                let group = self.new_set();
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
