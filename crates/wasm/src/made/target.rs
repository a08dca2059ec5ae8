//! What a function does where it is known who stands on the target of its event.

use std::collections::BTreeMap;

use senet_core::ir::{
    Block, Edit, Function, NumReg, Op, SetReg, TO, visit, written_number, written_set,
};
use senet_core::program::Program;

/// A function where nobody stands on the target before a piece moves there, or somebody of a player.
pub(super) fn where_held_by(
    program: Program<'_>,
    function: &Function,
    owner: Option<usize>,
) -> Function {
    let mut known =
        Known { program, owner, sets: BTreeMap::new(), truths: Vec::new(), moved: false };
    Function { body: known.simplify(&function.body), ..function.clone() }
}

/// What is known of registers.
struct Known<'g> {
    program: Program<'g>,
    /// Who stands on the target before a piece moves there.
    owner: Option<usize>,
    /// Whether sets have the target.
    sets: BTreeMap<SetReg, bool>,
    truths: Vec<(NumReg, bool)>,
    /// Whether the piece has moved.
    moved: bool,
}

impl Known<'_> {
    fn simplify(&mut self, block: &Block) -> Block {
        let mut simple = Vec::new();
        for op in block {
            if let Op::If(truth, yes, no) = op
                && let Some(holds) = self.truth(*truth)
            {
                simple.extend(self.simplify(if holds { yes } else { no }));
                continue;
            }
            self.learn(op);
            simple.push(match op.clone() {
                Op::Edit(Edit::MovePiece { player, rule, mover, chooses, quiet }) => {
                    self.moved = true;
                    let quiet = quiet || self.owner.is_none();
                    Op::Edit(Edit::MovePiece { player, rule, mover, quiet, chooses })
                }
                op => op,
            });
        }
        simple
    }

    fn truth(&self, register: NumReg) -> Option<bool> {
        self.truths.iter().find(|(one, _)| *one == register).map(|(_, truth)| *truth)
    }

    /// Whether a plane has the target.
    fn plane(&self, plane: usize) -> Option<bool> {
        let program = self.program;
        let owner = (0..program.players()).find(|&owner| program.owner_plane(owner) == plane);
        let mut kinds = (0..program.kinds()).map(|kind| program.kind_plane(kind));
        match (owner, self.owner) {
            _ if self.moved => None,
            (Some(owner), held_by) => Some(held_by == Some(owner)),
            (None, None) if kinds.any(|kind| kind == plane) => Some(false),
            (None, _) => None,
        }
    }

    fn learn(&mut self, op: &Op) {
        let has = |set: &SetReg| self.sets.get(set).copied();
        let found = match op {
            Op::Plane(_, plane) => self.plane(*plane),
            Op::Copy(_, from) => has(from),
            Op::And(_, one, other) => match (has(one), has(other)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (one, other) => one.and(other),
            },
            Op::Or(_, one, other) => match (has(one), has(other)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (one, other) => one.and(other),
            },
            Op::AndNot(_, one, other) => match (has(one), has(other)) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (one, other) => one.and(other.map(|_| true)),
            },
            _ => None,
        };
        let truth = match op {
            Op::Has(_, set, TO) => has(set),
            Op::Not(_, from) => self.truth(*from).map(|truth| !truth),
            _ => None,
        };
        visit(std::slice::from_ref(op), &mut |op| {
            if let Some(set) = written_set(op) {
                self.sets.remove(&set);
            }
            if let Some(number) = written_number(op) {
                self.truths.retain(|(one, _)| *one != number);
            }
        });
        self.sets.extend(written_set(op).zip(found));
        self.truths.extend(written_number(op).zip(truth));
    }
}
