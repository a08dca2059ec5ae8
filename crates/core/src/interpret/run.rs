//! The loop that carries out instructions.

use crate::bitboard as bits;
use crate::ir::Op;

use super::code::{Flat, Inst, Inst as I};
use super::{Frame, Machine, Store, plane};

impl<'g, const W: usize> Machine<'g, W> {
    /// Runs flat code. Says whether it came to its end, not to a point where nothing more needs to
    /// be found. What an arm calls is inlined unless it is rare, so that there is one dispatch.
    pub(super) fn run(
        &mut self,
        flat: &Flat,
        mut frame: Frame<'_, 'g, W>,
        store: &mut Store<'_, 'g>,
    ) -> bool {
        let mut at = 0;
        macro_rules! jump_if {
            ($truth:expr, $label:expr) => {
                if $truth {
                    at = $label as usize;
                }
            };
        }
        while let Some(&inst) = flat.code.get(at) {
            at += 1;
            match inst {
                I::Jump(label) => at = label as usize,
                I::Unless(truth, label) => jump_if!(frame.number(truth) == 0, label),
                I::UnlessNot(truth, label) => jump_if!(frame.number(truth) != 0, label),
                I::UnlessCompare(is, a, b, label) => jump_if!(!frame.compare(is, a, b), label),
                I::UnlessAny(set, label) => jump_if!(bits::is_empty(frame.set(set)), label),
                I::UnlessHas(set, tile, label) => jump_if!(!frame.has(set, tile), label),
                I::UnlessCommon(to, a, b, label) => {
                    let common = bits::and(frame.set(a), frame.set(b));
                    frame.put(to, common);
                    jump_if!(bits::is_empty(&common), label);
                }
                I::Next(rest, tile, label) => jump_if!(!frame.next(rest, tile), label),
                I::Again(rest, tile, label) => jump_if!(frame.next(rest, tile), label),
                I::NextGroup(rest, links, group, label) => {
                    jump_if!(!frame.next_group(rest, links, group), label);
                }
                I::Countdown(left, label) => {
                    let number = frame.number(left);
                    frame.set_number(left, number.saturating_sub(1));
                    jump_if!(number <= 0, label);
                }
                I::Plane(to, first) => frame.put(to, plane(first, store)),
                I::Field(to, field, least) => {
                    let least = frame.number(least);
                    frame.set_number(to, least.wrapping_add(field.get(store.words()) as i64));
                }
                I::Call(to, function) => frame.put(to, self.find_beside(function, store)),
                I::Stuck(to) => frame.set_truth(to, self.is_stuck(store)),
                I::StuckInRule(to) => frame.set_truth(to, self.is_stuck_in_rule(store)),
                I::Repeats(to, times) => frame.set_truth(to, self.repeats(times, store)),
                I::Trial(to, make, check) => {
                    let holds = self.trial((make, check), frame.proposal(), store.state());
                    frame.set_truth(to, holds);
                }
                I::Other(index) => frame.again().other(&flat.others[index as usize], store),
                I::Rule(rule, ordered) => self.start_rule(rule, ordered),
                I::EmitDice(index) => {
                    if self.emit_other(&flat.others[index as usize], &frame) {
                        return false;
                    }
                }
                inst => {
                    if self.emit_found(inst, &mut frame) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The same by an operation that says more than an instruction holds.
    fn emit_other(&mut self, op: &Op, frame: &Frame<'_, 'g, W>) -> bool {
        let Op::EmitDice { from, onto, track, dice } = op else { return false };
        let numbers = dice.iter().map(|&die| frame.number(die));
        self.emit_dice(*frame.set(*from), *frame.set(*onto), *track, numbers)
    }

    /// Finds events; says whether nothing more needs to be found.
    #[inline(always)]
    fn emit_found(&mut self, inst: Inst, frame: &mut Frame<'_, 'g, W>) -> bool {
        match inst {
            I::EmitFrom(from, to) => self.emit_from(frame.tile(from), *frame.set(to)),
            I::EmitFromAnd(from, a, b) => {
                self.emit_from(frame.tile(from), bits::and(frame.set(a), frame.set(b)))
            }
            I::EmitImages(map, targets) => self.emit_images(map, *frame.set(targets)),
            I::EmitImageAnd(by, from, map, b) => {
                self.emit_images(by, bits::and(&frame.image(from, map), frame.set(b)))
            }
            I::EmitEvent => self.emit_event(frame.proposal()),
            I::EmitDie(from, to, pips) => {
                self.emit_die((frame.tile(from), frame.tile(to)), frame.number(pips))
            }
            I::EmitPut(kind, targets) => self.emit_put(kind, *frame.set(targets)),
            I::EmitPick(action, targets) => self.emit_pick(action, *frame.set(targets)),
            inst => {
                frame.compute(inst);
                false
            }
        }
    }
}

impl<'g, const W: usize> Frame<'_, 'g, W> {
    /// Finds a set.
    #[inline(always)]
    fn compute(&mut self, inst: Inst) {
        match inst {
            I::And(to, a, b) => self.put(to, bits::and(self.set(a), self.set(b))),
            I::Or(to, a, b) => self.put(to, bits::or(self.set(a), self.set(b))),
            I::AndNot(to, a, b) => self.put(to, bits::and_not(self.set(a), self.set(b))),
            I::AndAnd(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| a & b & c),
            I::AndAndNot(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| a & b & !c),
            I::AndNotNot(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| a & !b & !c),
            I::AndOr(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| a & b | c),
            I::AndNotOr(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| a & !b | c),
            I::OrOr(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| a | b | c),
            I::OrAnd(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| (a | b) & c),
            I::OrAndNot(to, a, b, c) => self.three(to, [a, b, c], |a, b, c| (a | b) & !c),
            I::Copy(to, from) => self.put(to, *self.set(from)),
            I::Image(to, from, map) => self.put(to, self.image(from, map)),
            I::ImageAnd(to, from, map, b) => self.put_and(to, self.image(from, map), b),
            I::ImageOr(to, from, map, b) => self.put_or(to, self.image(from, map), b),
            I::Preimage(to, of, map) => self.put(to, self.preimage(of, map)),
            I::Single(to, tile) => self.put(to, self.single(tile)),
            I::SingleOr(to, tile, b) => self.put_or(to, self.single(tile), b),
            I::Row(to, rows, tile) => self.put(to, self.row_of(rows, tile)),
            I::RowAnd(to, rows, tile, b) => self.put_and(to, self.row_of(rows, tile), b),
            I::RowOr(to, rows, tile, b) => self.put_or(to, self.row_of(rows, tile), b),
            I::RowAndOr(to, rows, tile, b, c) => {
                self.put_or(to, bits::and(&self.row_of(rows, tile), self.set(b)), c);
            }
            I::Slide(to, slide, tile, stops) => self.put(to, self.slide(slide, tile, stops)),
            I::SlideAnd(to, slide, tile, stops, b) => {
                self.put_and(to, self.slide(slide, tile, stops), b);
            }
            I::SlideOr(to, slide, tile, stops, b) => {
                self.put_or(to, self.slide(slide, tile, stops), b);
            }
            I::Between(to, slide, one, other) => self.put(to, self.between(slide, one, other)),
            I::Load(to, tile) => self.put(to, self.load(tile)),
            I::LoadAnd(to, tile, b) => self.put_and(to, self.load(tile), b),
            I::Store(tile, set) => self.keep(tile, set),
            inst => self.compute_number(inst),
        }
    }

    /// Finds a number.
    #[inline(always)]
    fn compute_number(&mut self, inst: Inst) {
        match inst {
            I::Move(to, from) => self.set_number(to, self.number(from)),
            I::Count(to, set) => self.set_number(to, bits::count(self.set(set)).into()),
            I::First(to, set) => self.set_tile(to, bits::lowest(self.set(set))),
            I::Only(to, set) => self.set_tile(to, self.only(set)),
            I::Has(to, set, tile) => self.set_truth(to, self.has(set, tile)),
            I::Any(to, set) => self.set_truth(to, !bits::is_empty(self.set(set))),
            I::Step(to, map, tile) => self.set_tile(to, self.step(map, tile)),
            I::FirstAlong(to, ray, tile, set) => {
                self.set_tile(to, self.first_along(ray, tile, set));
            }
            I::Track(to, track, pips, from) => self.set_tile(to, self.track(track, pips, from)),
            I::Arithmetic(to, what, a, b) => self.set_number(to, self.arithmetic(what, a, b)),
            I::Compare(to, is, a, b) => self.set_truth(to, self.compare(is, a, b)),
            I::Not(to, from) => self.set_truth(to, self.number(from) == 0),
            _ => {}
        }
    }

    /// Carries out an operation that says more than an instruction holds.
    #[inline(never)]
    fn other(mut self, op: &Op, store: &mut Store<'_, 'g>) {
        match *op {
            Op::Images { to, from, over, map } => self.put(to, self.images(from, over, map)),
            Op::Span(to, one, other) => self.put(to, self.span(one, other)),
            Op::Flood { to, from, over, links } => self.put(to, self.flood(from, over, links)),
            Op::Lines(to, lines, of) => self.put(to, self.lines(lines, of)),
            Op::HasLine(to, lines, of) => self.set_truth(to, self.has_line(lines, of)),
            Op::Groups(to, of, links) => self.set_number(to, self.groups(of, links)),
            Op::Stacked { to, players, least } => {
                self.put(to, self.stacked(players, least, store));
            }
            Op::Travel { to, way, from, through } => {
                self.put(to, self.travel(way, from, through, store));
            }
            Op::Pieces { to, on, players, kind } => {
                self.set_number(to, self.pieces(on, players, kind, store.state()));
            }
            Op::MovingKind { to, player, rule, from } => {
                self.set_number(to, self.moving_kind(player, rule, from, store));
            }
            Op::Custom { to, tiles, custom } => {
                self.set_truth(to, self.custom(tiles, custom, store));
            }
            Op::Edit(ref edit) => {
                if let Store::Edit(draft) = store {
                    self.edit(edit, draft);
                }
            }
            _ => {}
        }
    }
}
