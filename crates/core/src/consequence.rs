//! What events of the rules of a game can bring about, found once from the lowered rules.

use crate::game::Game;
use crate::id::VariableId;
use crate::ir::{Edit, FunctionId, Op, visit};
use crate::layout::Field;
use crate::typed::Rule;
use crate::written::Listing;

/// What events can bring about.
#[derive(Debug, Default)]
pub(crate) struct Consequences {
    /// Whether events of play can make an ending stop play.
    pub(crate) can_come_to_stop: bool,
    /// The same for the events of each rule.
    pub(crate) can_stop: Vec<bool>,
    /// For each rule whether an event of it is play and brings no piece to any tile but its target.
    pub(crate) brings_one: Vec<bool>,
}

impl Consequences {
    pub(crate) fn of(game: &Game) -> Consequences {
        let (can_come_to_stop, can_stop) = find_stops(game);
        Consequences { can_come_to_stop, can_stop, brings_one: brings_one(game) }
    }
}

/// For each rule what [`Consequences::brings_one`] says.
fn brings_one(game: &Game) -> Vec<bool> {
    let brings_one = |function: FunctionId| {
        let mut others = false;
        visit(&game.code.function(function).body, &mut |op| {
            others |= matches!(op, Op::Edit(edit) if edit.brings_pieces());
        });
        !others
    };
    let plays = |rule: &Rule| rule.written.listing != Listing::Aside;
    let rules = game.rules.iter().zip(&game.entries.rules);
    rules
        .map(|(rule, codes)| plays(rule) && codes.iter().all(|code| brings_one(code.make)))
        .collect()
}

/// What [`Consequences::can_come_to_stop`] says, and for each rule what [`Consequences::can_stop`] does.
fn find_stops(game: &Game) -> (bool, Vec<bool>) {
    let Some(stops) = game.program().stops_any() else {
        return (false, vec![false; game.rules.len()]);
    };
    let counts = |variable: VariableId| game.repetitions.is_some_and(|one| one.0 == variable);
    let variable_of = |field: &Field| {
        let slots = game.layout.variables.iter();
        slots.enumerate().find(|(_, slot)| slot.fields.contains(field))
    };
    let (mut asked, mut more) = (Vec::new(), false);
    visit(&game.code.function(stops).body, &mut |op| match op {
        Op::Number(..) | Op::Move(..) | Op::Compare(..) | Op::Not(..) | Op::If(..) => {}
        Op::Arithmetic(..) => {}
        Op::Field(_, field, _) if *field == game.layout.turn => {}
        Op::Field(_, field, _) => match variable_of(field) {
            Some((at, _)) if !counts(VariableId::at(at)) => asked.push(VariableId::at(at)),
            _ => more = true,
        },
        _ => more = true,
    });
    let writes = |op: &Op| match op {
        Op::Edit(Edit::Variable { variable, .. }) => asked.contains(variable),
        Op::Edit(Edit::Sow { count, .. }) => count.is_some_and(|(one, _)| asked.contains(&one)),
        Op::Edit(Edit::Reset | Edit::Custom(_)) => true,
        _ => false,
    };
    let does = |rule: usize, what: &dyn Fn(&Op) -> bool| {
        let functions = game.entries.rules[rule].iter().flat_map(|code| [code.make, code.fails]);
        let mut found = false;
        for function in functions {
            visit(&game.code.function(function).body, &mut |op| found |= what(op));
        }
        found
    };
    let plays = |rule: &usize| game.rules[*rule].written.listing != Listing::Aside;
    let comes = (0..game.rules.len()).filter(plays).any(|rule| does(rule, &writes));
    let asks_turn = asks_turn(game);
    let stops = |op: &Op| writes(op) || asks_turn && matches!(op, Op::Edit(Edit::Turn { .. }));
    let by_rule = (0..game.rules.len()).map(|rule| more || does(rule, &stops));
    (more || comes, by_rule.collect())
}

/// Whether it depends on whose turn it is if an ending stops play.
fn asks_turn(game: &Game) -> bool {
    let body = &game.code.function(game.entries.stops).body;
    let (mut turns, mut asks) = (Vec::new(), false);
    let is_turn = |field: &Field| *field == game.layout.turn;
    visit(body, &mut |op| match op {
        Op::Field(to, field, _) if is_turn(field) => turns.push(*to),
        Op::Compare(_, _, one, other) | Op::Arithmetic(_, _, one, other) => {
            asks |= turns.contains(one) || turns.contains(other);
        }
        Op::Move(_, one) | Op::Not(_, one) | Op::If(one, ..) => asks |= turns.contains(one),
        _ => {}
    });
    asks
}
