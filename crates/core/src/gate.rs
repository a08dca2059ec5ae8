//! Which phase is active, from the bits of a state where they tell: most of the time the variables
//! that phases and endings ask about are as they usually are, and what is left to ask is a die.

use std::collections::BTreeMap;

use crate::condition::Comparison;
use crate::draft::Draft;
use crate::game::{Game, Masked};
use crate::id::{PhaseId, PlayerId, VariableId};
use crate::plan::{Condition, Seat, Test, Value};
use crate::scene::Scene;
use crate::state::State;

/// What is known of the phases where some variables are as they usually are.
pub(crate) struct Calm {
    /// The bits of those variables. Where they are so, no ending stops play.
    bits: Vec<Masked>,
    /// The first gate that asks for more.
    pub(crate) gate: usize,
    /// For each gate what it asks, if that is about some bits of one word.
    asks: Vec<Option<Masked>>,
}

impl Calm {
    /// What is known, if every ending that stops play is about variables.
    pub(crate) fn new(game: &Game) -> Option<Calm> {
        let quiet = game.quiet.as_ref().filter(|_| game.options.decision_plan)?;
        let asked: Vec<Option<Vec<VariableId>>> =
            game.gates.iter().map(|gate| asked_variables(&gate.when)).collect();
        // What only phases ask about is usually at its least.
        let mut draft = Draft { game, state: game.start.clone() };
        for &variable in asked.iter().flatten().flatten() {
            for (seat, field) in game.layout.variable(variable).fields.iter().enumerate() {
                let (word, mask) = field.place();
                if !quiet.iter().any(|one| one.word == word && one.mask & mask != 0) {
                    let least = game.layout.variable(variable).min;
                    draft.set_variable(variable, PlayerId::at(seat), least);
                }
            }
        }
        let usual = draft.state;
        let scene = Scene::of_state(game, &usual);
        let mut masks: BTreeMap<usize, u64> = BTreeMap::new();
        quiet.iter().for_each(|one| *masks.entry(one.word).or_default() |= one.mask);
        let mut gate = 0;
        // A condition may ask about the player to move, so every player must be the same here.
        let alike = |id: &VariableId| {
            let fields = &game.layout.variable(*id).fields;
            fields.iter().all(|one| one.get(usual.words()) == fields[0].get(usual.words()))
        };
        while let Some(Some(variables)) = asked.get(gate)
            && variables.iter().all(alike)
        {
            for field in variables.iter().flat_map(|&id| &game.layout.variable(id).fields) {
                let (word, mask) = field.place();
                *masks.entry(word).or_default() |= mask;
            }
            gate = match (scene.holds(&game.gates[gate].when), game.gates[gate].leaf) {
                (true, Some(_)) => break,
                (true, None) => gate + 1,
                (false, _) => game.gates[gate].skip,
            };
        }
        let words = usual.words();
        let masked = |(word, mask): (usize, u64)| Masked { word, mask, bits: words[word] & mask };
        Some(Calm {
            bits: masks.into_iter().map(masked).collect(),
            gate,
            asks: game.gates.iter().map(|gate| bits_asked(game, &gate.when)).collect(),
        })
    }

    /// Whether the variables are as they usually are.
    #[inline]
    pub(crate) fn holds(&self, words: &[u64]) -> bool {
        self.bits.iter().all(|one| one.is_in(words))
    }
}

impl Game {
    /// The active phase, where no ending stops play.
    #[inline]
    pub(crate) fn open_phase(&self, state: &State) -> Option<PhaseId> {
        match &self.calm {
            Some(calm) if calm.holds(state.words()) => self.walk_gates(state, calm.gate),
            _ if self.stops(state) => None,
            _ => self.active_phase(state),
        }
    }

    /// The phase that is found by going on from a gate.
    #[inline]
    pub(crate) fn walk_gates(&self, state: &State, from: usize) -> Option<PhaseId> {
        let asks = self.calm.as_ref().map_or(&[][..], |calm| &calm.asks);
        let mut next = from;
        while let Some(gate) = self.gates.get(next) {
            let holds = match asks.get(next) {
                Some(Some(bits)) => bits.is_in(state.words()),
                _ => Scene::of_state(self, state).holds(&gate.when),
            };
            next = match (holds, gate.leaf) {
                (true, Some(leaf)) => return Some(leaf),
                (true, None) => next + 1,
                (false, _) => gate.skip,
            };
        }
        None
    }
}

/// The variables that a condition asks about, if it asks about nothing else.
fn asked_variables(condition: &Condition) -> Option<Vec<VariableId>> {
    fn of_value(value: &Value) -> Option<Vec<VariableId>> {
        match value {
            Value::Number(_) => Some(Vec::new()),
            Value::Variable(variable, _) => Some(vec![*variable]),
            Value::Sum(values) => joined(values.iter().map(of_value)),
            _ => None,
        }
    }
    match &condition.test {
        Test::Always | Test::Never => Some(Vec::new()),
        Test::All(all) | Test::Any(all) => joined(all.iter().map(asked_variables)),
        Test::Not(one) | Test::Called(one) | Test::Relevant(one) => asked_variables(one),
        Test::Compare { left, right, .. } => joined([left, right].map(of_value).into_iter()),
        _ => None,
    }
}

fn joined(lists: impl Iterator<Item = Option<Vec<VariableId>>>) -> Option<Vec<VariableId>> {
    Some(lists.collect::<Option<Vec<_>>>()?.concat())
}

/// What a condition asks, if it is that some bits of one word are as it says.
fn bits_asked(game: &Game, condition: &Condition) -> Option<Masked> {
    let (field, value) = match &condition.test {
        Test::Always => return Some(Masked { word: 0, mask: 0, bits: 0 }),
        Test::Called(one) | Test::Relevant(one) => return bits_asked(game, one),
        Test::Compare { left, is: Comparison::Equal, right: Value::Number(number) } => match left {
            Value::Die(die) => (game.layout.die(*die), *number),
            Value::Variable(variable, seat) => {
                let slot = game.layout.variable(*variable);
                let field = match (&slot.fields[..], seat) {
                    ([field], _) => *field,
                    (fields, Seat::Player(player)) => fields[player.index()],
                    _ => return None,
                };
                (field, number.checked_sub(slot.min)?)
            }
            _ => return None,
        },
        _ => return None,
    };
    let value = u64::try_from(value).ok()?;
    let (word, mask) = field.place();
    let bits = field.lifted(value);
    (field.lowered(bits) == value).then_some(Masked { word, mask, bits })
}
