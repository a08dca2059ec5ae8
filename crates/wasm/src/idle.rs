//! Variables that nothing in a module asks for, so that no event need write them.
//!
//! A module that counts trees shows nobody its states. There a variable that is only counted up, such as
//! the number of moves, is neither asked for nor seen.

use std::collections::BTreeSet;

use senet_core::ir::{ANSWER, CHOICE, Edit, FROM, Fate, Function, NumReg, Op, PIPS, TO, visit};
use senet_core::program::Program;

use crate::module::{Emitter, Hash};

/// The variables whose values a function uses for more than to give them other values, by number.
fn asked(program: Program<'_>, function: &Function) -> BTreeSet<usize> {
    let shapes = program.variables();
    let of_field = |field| shapes.iter().position(|shape| shape.fields.contains(&field));
    let mut all = BTreeSet::new();
    for (variable, _) in shapes.iter().enumerate() {
        // Registers that depend on the variable.
        let mut depend = BTreeSet::new();
        let mut before = usize::MAX;
        while before != depend.len() {
            before = depend.len();
            visit(&function.body, &mut |op| match *op {
                Op::Field(to, field, _) if of_field(field) == Some(variable) => {
                    depend.insert(to.0);
                }
                Op::Arithmetic(to, _, a, b) if [a, b].iter().any(|n| depend.contains(&n.0)) => {
                    depend.insert(to.0);
                }
                Op::Move(to, from) if depend.contains(&from.0) => {
                    depend.insert(to.0);
                }
                _ => {}
            });
        }
        let given = [FROM, TO, CHOICE, PIPS, ANSWER];
        let mut used = given.iter().any(|number| depend.contains(&number.0));
        visit(&function.body, &mut |op| match op {
            Op::Arithmetic(..) | Op::Move(..) => {}
            Op::Edit(Edit::Variable { variable: one, .. }) if one.index() == variable => {}
            op => reads(op, &mut |number| used |= depend.contains(&number.0)),
        });
        if used {
            all.insert(variable);
        }
    }
    all
}

/// The registers for numbers that an operation reads, without those of blocks inside it.
fn reads(op: &Op, sink: &mut dyn FnMut(NumReg)) {
    match *op {
        Op::Single(_, n) | Op::Row(_, _, n) | Op::Slide(_, _, n, _) | Op::Load(_, n) => sink(n),
        Op::Between(_, _, a, b) | Op::Span(_, a, b) => [a, b].into_iter().for_each(sink),
        Op::Travel { from, .. } | Op::MovingKind { from, .. } => sink(from),
        Op::Store(n, _) | Op::Move(_, n) | Op::Has(_, _, n) | Op::Step(_, _, n) => sink(n),
        Op::FirstAlong(_, _, n, _) | Op::Not(_, n) => sink(n),
        Op::Track { pips, from, .. } => [pips, from].into_iter().for_each(sink),
        Op::Arithmetic(_, _, a, b) | Op::Compare(_, _, a, b) => {
            [a, b].into_iter().for_each(sink);
        }
        Op::Custom { tiles: (a, b), .. } => [a, b].into_iter().for_each(sink),
        Op::If(n, ..) | Op::Repeat(n, _) | Op::EmitFrom(n, _) => sink(n),
        Op::EmitDie { from, to, pips } => [from, to, pips].into_iter().for_each(sink),
        Op::EmitDice { ref dice, .. } => dice.iter().copied().for_each(sink),
        Op::Edit(ref edit) => edit_reads(edit, sink),
        Op::Constant(..)
        | Op::Plane(..)
        | Op::Copy(..)
        | Op::And(..)
        | Op::Or(..)
        | Op::AndNot(..)
        | Op::Image(..)
        | Op::Preimage(..)
        | Op::Images { .. }
        | Op::Flood { .. }
        | Op::Stacked { .. }
        | Op::Lines(..)
        | Op::Call(..)
        | Op::Number(..)
        | Op::Count(..)
        | Op::First(..)
        | Op::Only(..)
        | Op::Any(..)
        | Op::HasLine(..)
        | Op::Field(..)
        | Op::Pieces { .. }
        | Op::Groups(..)
        | Op::Stuck(_)
        | Op::StuckInRule(_)
        | Op::Repeats(..)
        | Op::Trial { .. }
        | Op::ForTiles(..)
        | Op::ForGroups { .. }
        | Op::Break
        | Op::Rare
        | Op::Rule(..)
        | Op::EmitImages(..)
        | Op::EmitEvent
        | Op::EmitPut(..)
        | Op::EmitPick(..) => {}
    }
}

/// The same for an edit.
fn edit_reads(edit: &Edit, sink: &mut dyn FnMut(NumReg)) {
    match *edit {
        Edit::Capture { to: Fate::Tile(n), .. } | Edit::Die(_, n) => sink(n),
        Edit::Carry { from, to } => [from, to].into_iter().for_each(sink),
        Edit::Together(ref pairs) => pairs.iter().for_each(|&(from, to)| {
            sink(from);
            sink(to);
        }),
        Edit::Variable { to, .. } => sink(to),
        Edit::Sow { from, .. } => sink(from),
        Edit::MovePiece { .. }
        | Edit::PutPiece(_)
        | Edit::Spend(_)
        | Edit::Roll
        | Edit::Capture { .. }
        | Edit::Clear(_)
        | Edit::Shift { .. }
        | Edit::Flag { .. }
        | Edit::Mark { .. }
        | Edit::Become { .. }
        | Edit::Give { .. }
        | Edit::Place { .. }
        | Edit::Turn { .. }
        | Edit::Reset
        | Edit::Custom(_) => {}
    }
}

impl Emitter<'_> {
    /// Takes the variables as idle that no rule of play seems to ask for.
    pub(crate) fn guess_idle(&mut self) {
        let program = self.program;
        let (players, phases) = (program.players(), self.phases.len());
        let mut functions: Vec<_> =
            [program.stops(), program.stops_any()].into_iter().flatten().collect();
        for player in 0..players {
            let generators = (0..phases)
                .flat_map(|phase| [program.moves(phase, player), program.puts(phase, player)]);
            functions.extend(generators);
            let rules = (0..self.rules.len()).map(|rule| program.rule_functions(rule, player));
            functions.extend(rules.map(|functions| functions.make));
        }
        let bodies = functions.iter().map(|id| &self.code.functions[id.index()]);
        let asked: BTreeSet<usize> = bodies.flat_map(|body| asked(program, body)).collect();
        let idle = |variable: &usize| !asked.contains(variable);
        self.idle = (0..program.variables().len()).filter(idle).collect();
    }

    /// Notes what a function that is being written asks for.
    pub(crate) fn note_asked(&mut self, function: &Function) {
        if !self.idle.is_empty() {
            self.asked.extend(asked(self.program, function));
        }
    }

    /// Whether a variable need not be written. Where hashes are kept, leaves are made whole.
    pub(crate) fn is_idle(&self, variable: usize, hash: Hash) -> bool {
        self.idle.contains(&variable) && hash == Hash::Ignored
    }
}

#[cfg(test)]
mod tests {
    use senet_core::Options;

    use crate::module::Emitter;

    #[test]
    fn variables_that_are_only_counted_are_idle() {
        let entry = senet_registry::find("chess").expect("a game of the registry");
        let game = entry.definition().compile(Options::default()).expect("a sound definition");
        let mut emitter = Emitter::new(game.program());
        emitter.guess_idle();
        // The clock and the number of moves are; what endings that stop play ask for is not.
        assert!(emitter.idle.contains(&0) && emitter.idle.contains(&1));
        assert!(emitter.idle.len() < game.program().variables().len());
    }
}
