//! What players see, what chance does that has a name, and attempts that fail.

use crate::id::{PlayerId, RuleId};
use crate::ir::{ANSWER, CHOICE, FOUND, FunctionId, Op};
use crate::typed::{Lot, Secret, Wanted};

use super::{Builder, Lowering};

impl Lowering<'_> {
    /// The tiles on which each player sees each secret of the board.
    pub(super) fn sights(&mut self) {
        let secrets = self.game.secrets.iter().flat_map(|secrets| &secrets.board);
        for set in secrets.map(Secret::seen) {
            let functions = self.players().map(|player| {
                let mut builder = self.builder(player);
                let found = builder.set(set);
                builder.push(Op::Copy(FOUND, found));
                builder.finish()
            });
            let functions = functions.collect();
            self.entries.sights.push(functions);
        }
    }

    /// How likely an outcome is.
    pub(super) fn weight(&mut self, player: PlayerId, lot: &Lot) -> FunctionId {
        let mut builder = self.builder(player);
        let weight = builder.number(&lot.weight);
        builder.push(Op::Move(ANSWER, weight));
        builder.finish()
    }

    /// What happens where an event turns out to be impossible.
    pub(super) fn make_failure(&mut self, player: PlayerId, id: RuleId) -> FunctionId {
        let rule = &self.game.rules[id.index()];
        let mut builder = self.builder(player);
        builder.pure = false;
        builder.effects(&rule.fails);
        builder.finish()
    }
}

impl Builder<'_, '_> {
    /// What the outcome of a rule does that has a name.
    pub(super) fn lots(&mut self, id: RuleId) {
        let rule = &self.game.rules[id.index()];
        let Wanted::Roll { first, .. } = rule.wants else { return };
        for (at, lot) in rule.lots.iter().enumerate() {
            let is = self.equals(CHOICE, (first.index() + at) as i64);
            let body = self.nested(|builder| builder.effects(&lot.then));
            self.push(Op::If(is, body, Vec::new()));
        }
    }
}
