//! Control: loops over tiles, groups and numbers, and trials on a copy of the state.

use crate::bitboard as bits;
use crate::draft::{Draft, Identity};
use crate::ir::{CHOICE, Edit, FROM, Function, FunctionId, LinksId, NumReg, Op, PIPS, SetReg, TO};
use crate::state::State;

use super::{Flow, Machine, Proposal, Store, geometry};

impl<'g, const W: usize> Machine<'g, W> {
    #[inline(always)]
    pub(super) fn branch(
        &mut self,
        truth: NumReg,
        yes: &[Op],
        no: &[Op],
        store: &mut Store<'_, 'g>,
    ) -> Flow {
        let ops = if self.number(truth) != 0 { yes } else { no };
        self.block(ops, store)
    }

    #[inline(always)]
    pub(super) fn for_tiles(
        &mut self,
        set: SetReg,
        tile: NumReg,
        body: &[Op],
        store: &mut Store<'_, 'g>,
    ) -> Flow {
        for at in bits::tiles(self.set(set)) {
            self.set_number(tile, at as i64);
            match self.block(body, store) {
                Flow::Next => {}
                Flow::Break => break,
                Flow::Stop => return Flow::Stop,
            }
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) fn for_groups(
        &mut self,
        (of, links): (SetReg, LinksId),
        group: SetReg,
        body: &[Op],
        store: &mut Store<'_, 'g>,
    ) -> Flow {
        let mut left = *self.set(of);
        while let Some(tile) = bits::lowest(&left) {
            let mut seed = [0; W];
            bits::insert(&mut seed, tile);
            let found = geometry::flood(geometry::maps(&self.game.code, links), &seed, &left);
            left = bits::and_not(&left, &found);
            self.put(group, found);
            match self.block(body, store) {
                Flow::Next => {}
                Flow::Break => break,
                Flow::Stop => return Flow::Stop,
            }
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) fn repeat(&mut self, times: NumReg, body: &[Op], store: &mut Store<'_, 'g>) -> Flow {
        for _ in 0..self.number(times) {
            match self.block(body, store) {
                Flow::Next => {}
                Flow::Break => break,
                Flow::Stop => return Flow::Stop,
            }
        }
        Flow::Next
    }

    #[inline(always)]
    pub(super) fn edit_store(&mut self, edit: &Edit, store: &mut Store<'_, 'g>) {
        if let Store::Edit(draft) = store {
            self.edit(edit, draft);
        }
    }

    #[inline(always)]
    pub(super) fn try_out(
        &mut self,
        to: NumReg,
        make: FunctionId,
        check: FunctionId,
        store: &Store<'_, 'g>,
    ) {
        let code = &self.game.code;
        let holds = self.trial(code.function(make), code.function(check), store.state());
        self.set_number(to, holds.into());
    }

    /// Whether a function holds after another has changed a state.
    fn trial(&mut self, make: &Function, check: &Function, state: &State) -> bool {
        let mut after = self.spare.pop().unwrap_or_else(|| state.clone());
        after.copy_prefix(state, self.game.layout.tail);
        let proposal = Proposal {
            from: self.number(FROM),
            to: self.number(TO),
            choice: self.number(CHOICE),
            pips: self.number(PIPS),
        };
        let (game, identity) = (self.game, Identity::Ignored);
        let mut draft = Draft { game, state: after, identity, turned: false };
        let rule = (self.rule, self.rule_start, self.unordered);
        self.unordered = false;
        self.make(make, proposal, &mut draft);
        self.past.push(state.hash());
        let holds = self.answer(check, proposal, &draft.state) != 0;
        self.past.pop();
        (self.rule, self.rule_start, self.unordered) = rule;
        self.spare.push(draft.state);
        holds
    }
}
