//! Variables that nothing in a module asks for, so that no event need write them.
//!
//! A module that counts trees shows nobody its states. There a variable that is only counted up, such as
//! the number of moves, is neither asked for nor seen.

use std::collections::BTreeSet;

use senet_core::ir::{ANSWER, CHOICE, Edit, FROM, Function, Op, PIPS, TO, read_numbers, visit};
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
            op => read_numbers(op, &mut |number| used |= depend.contains(&number.0)),
        });
        if used {
            all.insert(variable);
        }
    }
    all
}

impl Emitter<'_> {
    /// Takes the variables as idle that no rule of play seems to ask for.
    pub(crate) fn guess_idle(&mut self) {
        let program = self.program;
        let (players, phases) = (program.seats(), self.phases.len());
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
