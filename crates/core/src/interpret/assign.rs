//! Which registers share a place: those of which one is not read any more when the other is written.
//! So almost every function does with few, and each is reached without a check.

use crate::ir::{ANSWER, Access, FOUND, NumReg, SetReg, registers_mut};

use super::code::{Flat, Inst};

/// The instructions at which a register is named first and last.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
}

/// The registers of one bank.
#[derive(Clone)]
struct Bank {
    /// By register, where it is named.
    spans: Vec<Option<Span>>,
    /// Which hold something before the function runs, or after.
    lasting: Vec<bool>,
    /// By register, its place.
    places: Vec<u16>,
    count: u16,
}

impl Bank {
    fn new(count: u16, lasting: impl IntoIterator<Item = u16>) -> Bank {
        let count = usize::from(count);
        let mut bank = Bank {
            spans: vec![None; count],
            lasting: vec![false; count],
            places: vec![0; count],
            count: 0,
        };
        lasting.into_iter().for_each(|register| bank.lasting[usize::from(register)] = true);
        bank
    }

    fn name(&mut self, register: u16, at: usize, reads: bool) {
        let register = usize::from(register);
        match &mut self.spans[register] {
            Some(span) => span.last = at,
            none => {
                *none = Some(Span { first: at, last: at });
                self.lasting[register] |= reads;
            }
        }
    }

    /// Gives each register a place. What is written before a loop and read in it is needed until the
    /// loop ends.
    fn assign(&mut self, loops: &[(usize, usize)]) {
        let mut order: Vec<(Span, usize)> = Vec::new();
        for (register, span) in self.spans.iter().enumerate() {
            if self.lasting[register] {
                self.places[register] = self.count;
                self.count += 1;
            } else if let Some(mut span) = *span {
                for &(start, end) in loops {
                    if span.first < start && (start..=end).contains(&span.last) {
                        span.last = end;
                    }
                }
                order.push((span, register));
            }
        }
        order.sort_by_key(|(span, _)| span.first);
        // For each place beyond those, until when it is taken.
        let (fixed, mut taken) = (self.count, Vec::<usize>::new());
        for (span, register) in order {
            let free = taken.iter().position(|&last| last < span.first);
            let place = free.unwrap_or(taken.len());
            match free {
                Some(place) => taken[place] = span.last,
                None => taken.push(span.last),
            }
            self.places[register] = fixed + place as u16;
        }
        self.count = fixed + taken.len() as u16;
    }
}

/// Lets the registers of a function share places.
pub(super) fn assign(flat: &mut Flat) {
    let kept = flat.constants.iter().map(|one| one.0).chain(flat.planes.iter().map(|one| one.0));
    let mut sets = Bank::new(flat.sets, kept.map(|set| set.0).chain([FOUND.0]));
    let kept = flat.values.iter().map(|one| one.0.0).chain(0..=ANSWER.0);
    let mut numbers = Bank::new(flat.numbers, kept);
    each(flat, &mut |at, access| match access {
        Access::Puts(set) => sets.name(set.0, at, false),
        Access::Takes(set) => sets.name(set.0, at, true),
        Access::Sets(number) => numbers.name(number.0, at, false),
        Access::Asks(number) => numbers.name(number.0, at, true),
    });
    let mut loops = Vec::new();
    for (at, inst) in flat.code.iter_mut().enumerate() {
        loops.extend(inst.target().map(|to| (*to as usize, at)).filter(|(to, at)| to <= at));
    }
    sets.assign(&loops);
    numbers.assign(&loops);
    each(flat, &mut |_, access| match access {
        Access::Puts(set) | Access::Takes(set) => *set = SetReg(sets.places[usize::from(set.0)]),
        Access::Sets(number) | Access::Asks(number) => {
            *number = NumReg(numbers.places[usize::from(number.0)]);
        }
    });
    let set = |set: &mut SetReg| *set = SetReg(sets.places[usize::from(set.0)]);
    flat.constants.iter_mut().for_each(|one| set(&mut one.0));
    flat.planes.iter_mut().for_each(|one| set(&mut one.0));
    for (number, _) in &mut flat.values {
        *number = NumReg(numbers.places[usize::from(number.0)]);
    }
    (flat.sets, flat.numbers) = (sets.count, numbers.count);
}

/// Visits the registers of all instructions, those first that are read.
fn each(flat: &mut Flat, sink: &mut dyn FnMut(usize, Access<&mut SetReg, &mut NumReg>)) {
    for (at, inst) in flat.code.iter_mut().enumerate() {
        if let Inst::Other(index) | Inst::EmitDice(index) = *inst {
            let op = &mut flat.others[index as usize];
            registers_mut(op, &mut |access| sink(at, access));
            continue;
        }
        let names = inst.names();
        names.takes.into_iter().for_each(|set| sink(at, Access::Takes(set)));
        names.asks.into_iter().for_each(|number| sink(at, Access::Asks(number)));
        names.to.into_iter().for_each(|set| sink(at, Access::Puts(set)));
        names.number.into_iter().for_each(|number| sink(at, Access::Sets(number)));
    }
}
