//! What a rule does to the state.

use crate::id::{DieId, KindId, PlayerId, RuleId};
use crate::ir::{Arithmetic, Edit, Fate, FunctionId, NumReg, Op};
use crate::typed::{self, Effect, Movement, Set, Wanted, Way};
use crate::written::Deed;

use super::fact::{captures_alone, moves_nothing};
use super::{Answer, Builder, Lowering};

/// Whether every tile of a set is empty, whatever the state.
fn is_within_empty(set: &Set) -> bool {
    match set {
        Set::Empty => true,
        Set::All(parts) => parts.iter().any(is_within_empty),
        _ => false,
    }
}

/// Whether an effect may give the turn to somebody.
fn may_pass_turn(effect: &Effect) -> bool {
    match effect {
        Effect::Turn(_) | Effect::TurnWhere(_) | Effect::Reset | Effect::Custom(_) => true,
        Effect::When { then, otherwise, .. } => then.iter().chain(otherwise).any(may_pass_turn),
        Effect::Each(_, effects) | Effect::Repeat(_, effects) => effects.iter().any(may_pass_turn),
        _ => false,
    }
}

impl Lowering<'_> {
    /// The function that carries out the events of a rule.
    pub(super) fn make(&mut self, player: PlayerId, id: RuleId) -> FunctionId {
        let rule = &self.game.rules[id.index()];
        let mut builder = self.builder(player);
        builder.pure = false;
        builder.to_move = Some(player);
        builder.effects(&rule.before);
        if rule.written.deed == Deed::Usual {
            builder.deed(id, &rule.wants);
            builder.lots(id);
        }
        builder.effects(&rule.after);
        builder.finish()
    }
}

impl Builder<'_, '_> {
    /// What an event does by itself.
    fn deed(&mut self, rule: RuleId, wants: &Wanted) {
        let player = self.player;
        match wants {
            Wanted::Move(movement) => {
                let mover = self.sole_mover(rule, movement);
                let quiet = mover.is_some() && is_within_empty(&movement.onto);
                let chooses = !movement.choice.is_empty();
                self.push(Op::Edit(Edit::MovePiece { player, rule, mover, quiet, chooses }));
                if let Way::Dice(track) = &movement.way {
                    self.push(Op::Edit(Edit::Spend(track.dice.clone())));
                }
            }
            Wanted::Put { .. } => self.push(Op::Edit(Edit::PutPiece(player))),
            Wanted::Roll { .. } if !self.game.rules[rule.index()].lots.is_empty() => {}
            Wanted::Roll { .. } => self.push(Op::Edit(Edit::Roll)),
            Wanted::Act(_) | Wanted::Pick { .. } => {}
        }
    }

    /// The kind of the piece that a rule moves, where it is always the same: nothing happens before
    /// the move that could take the piece away, and the event is what it seems.
    fn sole_mover(&self, id: RuleId, movement: &Movement) -> Option<KindId> {
        let rule = &self.game.rules[id.index()];
        let mut kinds = self.game.kinds().filter(|&kind| movement.kinds.contains(kind));
        let sole = kinds.next().filter(|_| kinds.next().is_none());
        // A capture takes no friend from a stack.
        let stays = moves_nothing(&rule.before)
            || self.game.exclusive.is_empty() && captures_alone(&rule.before);
        sole.filter(|_| stays && rule.fails.is_empty())
    }

    pub(super) fn effects(&mut self, effects: &[Effect]) {
        for effect in effects {
            // In a loop, what one round does is there in the next.
            let loops = matches!(effect, Effect::Each(..) | Effect::Repeat(..));
            if loops && may_pass_turn(effect) {
                self.to_move = None;
            }
            self.effect(effect);
            if may_pass_turn(effect) {
                self.to_move = None;
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        let edit = match effect {
            Effect::Capture { on, to } => {
                let (on, to) = (self.set(on), self.fate(to));
                Edit::Capture { on, to, friends: self.game.spared(self.player) }
            }
            Effect::Clear(on) => Edit::Clear(self.set(on)),
            Effect::Carry { from, to } => Edit::Carry { from: self.tile(from), to: self.tile(to) },
            Effect::Together(moves) => {
                let moves = moves.iter().map(|(from, to)| (self.tile(from), self.tile(to)));
                Edit::Together(moves.collect())
            }
            Effect::Shift { on, along } => {
                let steps: Vec<_> = along.iter().map(|step| self.direction(step)).collect();
                Edit::Shift { on: self.set(on), map: self.lowering.map(&steps) }
            }
            Effect::Flag { on, set, clear } => {
                Edit::Flag { on: self.set(on), set: *set, clear: *clear }
            }
            Effect::Mark { on, set, clear } => {
                Edit::Mark { on: self.set(on), set: *set, clear: *clear }
            }
            Effect::Become { on, kind } => Edit::Become { on: self.set(on), kind: *kind },
            Effect::Give { on, to } => Edit::Give { on: self.set(on), to: self.seat(*to) },
            Effect::Place { kind, owner, on } => {
                Edit::Place { kind: *kind, owner: self.seat(*owner), on: self.set(on) }
            }
            Effect::Set { variable, of, to } => {
                let to = self.number(to);
                Edit::Variable { variable: *variable, of: self.seat(*of), to }
            }
            Effect::Add { variable, of, by } => {
                let by = self.number(by);
                let before = self.number(&typed::Number::Variable(*variable, *of));
                let to = self.new_number();
                self.push(Op::Arithmetic(to, Arithmetic::Add, before, by));
                Edit::Variable { variable: *variable, of: self.seat(*of), to }
            }
            Effect::Turn(seat) => Edit::Turn { from: self.to_move, to: self.seat(*seat) },
            Effect::TurnWhere(condition) => return self.turn_where(condition, 1),
            Effect::Unroll(dice) => {
                let nothing = self.constant_number(0);
                return self.show(dice, nothing);
            }
            Effect::Show { dice, value } => {
                let value = self.number(value);
                return self.show(dice, value);
            }
            Effect::Reset => Edit::Reset,
            Effect::Sow { from, along, skip, count } => {
                let (from, skip, along) = (self.tile(from), self.set(skip), self.direction(along));
                let count = count.map(|variable| (variable, self.player));
                Edit::Sow { from, map: self.lowering.map(&[along]), skip, count }
            }
            Effect::When { condition, then, otherwise } => {
                let yes = |builder: &mut Self| builder.effects(then);
                return self.choose(condition, yes, |builder| builder.effects(otherwise));
            }
            Effect::Each(over, effects) => return self.each(over, effects),
            Effect::Repeat(times, effects) => {
                let times = self.number(times);
                self.begin_loop(effects);
                let body = self.nested(|builder| builder.effects(effects));
                return self.push(Op::Repeat(times, body));
            }
            Effect::Custom(custom) => Edit::Custom(*custom),
        };
        self.push(Op::Edit(edit));
    }

    /// Effects for each value of a loop.
    fn each(&mut self, over: &typed::Loop, effects: &[Effect]) {
        match self.cleared_groups(over, effects) {
            Some(groups) => {
                let groups = self.set(&groups);
                self.push(Op::Edit(Edit::Clear(groups)));
            }
            None => self.for_each(over, |builder| {
                builder.begin_loop(effects);
                builder.effects(effects);
            }),
        }
    }

    /// What pieces stand where is not known in a loop that moves some.
    fn begin_loop(&mut self, effects: &[Effect]) {
        if !moves_nothing(effects) {
            self.forget_pieces();
        }
    }

    /// Gives the turn to the first player of whom a condition holds, starting `ahead` seats further on.
    fn turn_where(&mut self, condition: &typed::Condition, ahead: usize) {
        let players = self.game.seat_count();
        if ahead >= players {
            return;
        }
        let player = PlayerId::at((self.player.index() + ahead) % players);
        let turn = Op::Edit(Edit::Turn { from: self.to_move, to: player });
        match self.as_player(player, |builder| builder.truth(condition)) {
            Answer::Known(true) => self.push(turn),
            Answer::Known(false) => self.turn_where(condition, ahead + 1),
            Answer::Asked(holds) => {
                let other = self.nested(|builder| builder.turn_where(condition, ahead + 1));
                self.push(Op::If(holds, vec![turn], other));
            }
        }
    }

    fn fate(&mut self, fate: &typed::Fate) -> Fate {
        match fate {
            typed::Fate::Out => Fate::Out,
            typed::Fate::Tile(tile) => Fate::Tile(self.tile(tile)),
            typed::Fate::Hand(seat) => Fate::Hand(self.seat(*seat)),
        }
    }

    fn show(&mut self, dice: &[DieId], value: NumReg) {
        for &die in dice {
            self.push(Op::Edit(Edit::Die(die, value)));
        }
    }
}
