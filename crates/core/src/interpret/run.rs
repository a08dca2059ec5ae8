//! The loop that carries out instructions.

use crate::bitboard as bits;
use crate::ir::Op;

use super::code::{Flat, Inst as I};
use super::{Frame, Machine, Output, Store, plane};

/// What each instruction does. All but rare ones are written here, so that there is one dispatch.
macro_rules! dispatch {
    ($machine:ident, $inst:ident, $flat:ident, $frame:ident, $store:ident, $at:ident, $tally:ident) => {
        match *$inst {
            I::Jump(label) => $at = label as usize,
            I::Unless(truth, label) => jump_if!($at, $frame.number(truth) == 0, label),
            I::UnlessNot(truth, label) => jump_if!($at, $frame.number(truth) != 0, label),
            I::UnlessCompare(is, a, b, label) => jump_if!($at, !$frame.compare(is, a, b), label),
            I::UnlessAny(set, label) => jump_if!($at, bits::is_empty($frame.set(set)), label),
            I::UnlessHas(set, tile, label) => jump_if!($at, !$frame.has(set, tile), label),
            I::UnlessCommon(to, a, b, label) => {
                let common = bits::and($frame.set(a), $frame.set(b));
                $frame.put(to, common);
                jump_if!($at, bits::is_empty(&common), label);
            }
            I::Next(rest, tile, label) => jump_if!($at, !$frame.next(rest, tile), label),
            I::NextOf(rest, of, tile, label) => {
                $frame.put(rest, *$frame.set(of));
                jump_if!($at, !$frame.next(rest, tile), label);
            }
            I::UnlessCount(is, set, number, label) => {
                let count = i64::from(bits::count($frame.set(set)));
                jump_if!($at, !is.holds(count, $frame.number(number)), label);
            }
            I::UnlessRowAnd(to, rows, tile, within, label) => {
                let common = bits::and(&$frame.row_of(rows, tile), $frame.set(within));
                $frame.put(to, common);
                jump_if!($at, bits::is_empty(&common), label);
            }
            I::Again(rest, tile, label) => jump_if!($at, $frame.next(rest, tile), label),
            I::Countdown(left, label) => {
                let number = $frame.number(left);
                $frame.set_number(left, number.saturating_sub(1));
                jump_if!($at, number <= 0, label);
            }
            I::Plane(to, first) => $frame.put(to, plane(first, $store.words())),
            I::Field(to, field, least) => {
                let least = $frame.number(least);
                $frame.set_number(to, least.wrapping_add(field.get($store.words()) as i64));
            }
            I::Other(index) => $frame.again().other(&$flat.others[index as usize], $store),
            I::Tally(set, times) => $tally += $frame.tally($frame.set(set), times),
            I::TallyAnd(a, b, times) => {
                $tally += $frame.tally(&bits::and($frame.set(a), $frame.set(b)), times);
            }
            I::TallyImageAnd(from, map, b, times) => {
                let image = $frame.image(from, map);
                $tally += $frame.tally(&bits::and(&image, $frame.set(b)), times);
            }
            I::TallyFrom(from, set, times) => {
                if $frame.number(from) >= 0 {
                    $tally += $frame.tally($frame.set(set), times);
                }
            }
            I::TallyFromAnd(from, a, b, times) => {
                if $frame.number(from) >= 0 {
                    $tally += $frame.tally(&bits::and($frame.set(a), $frame.set(b)), times);
                }
            }
            I::TallyRows(a, b, rows, within, times) => {
                let all = bits::and($frame.set(a), $frame.set(b));
                $tally += $frame.tally_rows(&all, rows, within) * u64::from(times);
            }
            I::TallySlides(a, b, slide, stops, within, times) => {
                let all = bits::and($frame.set(a), $frame.set(b));
                $tally += $frame.tally_slides(&all, slide, stops, within) * u64::from(times);
            }
            I::RowsOr(to, rows, all) => $frame.put(to, $frame.rows_or(to, rows, $frame.set(all))),
            I::RowRowsOr(to, of, rows, tile, within) => {
                let all = bits::and(&$frame.row_of(rows, tile), $frame.set(within));
                $frame.put(to, $frame.rows_or(to, of, &all));
            }
            I::SlidesOr(to, slide, all, stops) => {
                $frame.put(to, $frame.slides_or(to, slide, $frame.set(all), stops));
            }
            I::RowSlidesOr(to, slide, rows, tile, within, stops) => {
                let all = bits::and(&$frame.row_of(rows, tile), $frame.set(within));
                $frame.put(to, $frame.slides_or(to, slide, &all, stops));
            }
            I::And(to, a, b) => $frame.put(to, bits::and($frame.set(a), $frame.set(b))),
            I::Or(to, a, b) => $frame.put(to, bits::or($frame.set(a), $frame.set(b))),
            I::AndNot(to, a, b) => $frame.put(to, bits::and_not($frame.set(a), $frame.set(b))),
            I::AndAnd(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| a & b & c),
            I::AndAndNot(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| a & b & !c),
            I::AndNotNot(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| a & !b & !c),
            I::AndOr(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| a & b | c),
            I::AndNotOr(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| a & !b | c),
            I::OrOr(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| a | b | c),
            I::OrAnd(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| (a | b) & c),
            I::OrAndNot(to, a, b, c) => $frame.three(to, [a, b, c], |a, b, c| (a | b) & !c),
            I::Copy(to, from) => $frame.put(to, *$frame.set(from)),
            I::Image(to, from, map) => $frame.put(to, $frame.image(from, map)),
            I::ImageAnd(to, from, map, b) => $frame.put_and(to, $frame.image(from, map), b),
            I::ImageOr(to, from, map, b) => $frame.put_or(to, $frame.image(from, map), b),
            I::Preimage(to, of, map) => $frame.put(to, $frame.preimage(of, map)),
            I::Single(to, tile) => $frame.put(to, $frame.single(tile)),
            I::SingleOr(to, tile, b) => $frame.put_or(to, $frame.single(tile), b),
            I::Row(to, rows, tile) => $frame.put(to, $frame.row_of(rows, tile)),
            I::RowAnd(to, rows, tile, b) => $frame.put_and(to, $frame.row_of(rows, tile), b),
            I::RowOr(to, rows, tile, b) => $frame.put_or(to, $frame.row_of(rows, tile), b),
            I::RowAndOr(to, rows, tile, b, c) => {
                $frame.put_or(to, bits::and(&$frame.row_of(rows, tile), $frame.set(b)), c);
            }
            I::Slide(to, slide, tile, stops) => $frame.put(to, $frame.slide(slide, tile, stops)),
            I::SlideAnd(to, slide, tile, stops, b) => {
                $frame.put_and(to, $frame.slide(slide, tile, stops), b);
            }
            I::SlideOr(to, slide, tile, stops, b) => {
                $frame.put_or(to, $frame.slide(slide, tile, stops), b);
            }
            I::Between(to, slide, one, other) => $frame.put(to, $frame.between(slide, one, other)),
            I::Load(to, tile) => $frame.put(to, $frame.load(tile)),
            I::LoadAnd(to, tile, b) => $frame.put_and(to, $frame.load(tile), b),
            I::Store(tile, set) => $frame.keep(tile, set),
            I::Move(to, from) => $frame.set_number(to, $frame.number(from)),
            I::Count(to, set) => $frame.set_number(to, bits::count($frame.set(set)).into()),
            I::First(to, set) => $frame.set_tile(to, bits::lowest($frame.set(set))),
            I::Only(to, set) => $frame.set_tile(to, $frame.only(set)),
            I::Has(to, set, tile) => $frame.set_truth(to, $frame.has(set, tile)),
            I::Any(to, set) => $frame.set_truth(to, !bits::is_empty($frame.set(set))),
            I::Step(to, map, tile) => $frame.set_tile(to, $frame.step(map, tile)),
            I::Arithmetic(to, what, a, b) => $frame.set_number(to, $frame.arithmetic(what, a, b)),
            I::Compare(to, is, a, b) => $frame.set_truth(to, $frame.compare(is, a, b)),
            I::Not(to, from) => $frame.set_truth(to, $frame.number(from) == 0),
            I::NextGroup(rest, links, group, label) => {
                jump_if!($at, !$frame.next_group(rest, links, group), label);
            }
            inst => {
                if $machine.rare(inst, $flat, $frame.again(), $store) {
                    return false;
                }
            }
        }
    };
}

/// Goes on elsewhere where a truth holds.
macro_rules! jump_if {
    ($at:ident, $truth:expr, $label:expr) => {
        if $truth {
            $at = $label as usize;
        }
    };
}

impl<'g, const W: usize> Machine<'g, W> {
    /// Runs flat code. Says whether it came to its end, not to a point where nothing more needs to
    /// be found.
    pub(super) fn run<const N: usize>(
        &mut self,
        flat: &Flat,
        mut frame: Frame<'_, 'g, W, N>,
        store: &mut Store<'_, 'g>,
    ) -> bool {
        let (mut at, mut tally) = (0, 0);
        while let Some(inst) = flat.code.get(at) {
            at += 1;
            dispatch!(self, inst, flat, frame, store, at, tally);
        }
        if let Output::Count(count) = &mut self.output {
            *count += tally;
        }
        true
    }

    /// Carries out an instruction that is not worth a place in the loop. Says whether nothing more
    /// needs to be found.
    #[inline(never)]
    fn rare<const N: usize>(
        &mut self,
        inst: I,
        flat: &Flat,
        mut frame: Frame<'_, 'g, W, N>,
        store: &mut Store<'_, 'g>,
    ) -> bool {
        match inst {
            I::Call(to, function) => frame.put(to, self.find_beside(function, store)),
            I::Stuck(to) => frame.set_truth(to, self.is_stuck(store)),
            I::StuckInRule(to) => frame.set_truth(to, self.is_stuck_in_rule(store)),
            I::Repeats(to, times) => frame.set_truth(to, self.repeats(times, store)),
            I::Trial(to, make, check) => {
                let holds = self.trial((make, check), frame.proposal(), store.state());
                frame.set_truth(to, holds);
            }
            I::Rule(rule, ordered) => self.start_rule(rule, ordered),
            I::EmitDice(index) => {
                return self.emit_other(&flat.others[index as usize], &frame);
            }
            I::EmitFrom(from, to) => return self.emit_from(frame.tile(from), *frame.set(to)),
            I::EmitImages(map, targets) => return self.emit_images(map, *frame.set(targets)),
            I::EmitEvent => return self.emit_event(frame.proposal()),
            I::EmitDie(from, to, pips) => {
                return self.emit_die((frame.tile(from), frame.tile(to)), frame.number(pips));
            }
            I::EmitPut(kind, targets) => return self.emit_put(kind, *frame.set(targets)),
            I::EmitPick(action, targets) => {
                return self.emit_pick(action, *frame.set(targets));
            }
            I::FirstAlong(to, ray, tile, set) => {
                frame.set_tile(to, frame.first_along(ray, tile, set));
            }
            I::Track(to, track, pips, from) => {
                frame.set_tile(to, frame.track(track, pips, from));
            }

            _ => {}
        }
        false
    }

    /// The same for moves by dice.
    fn emit_other<const N: usize>(&mut self, op: &Op, frame: &Frame<'_, 'g, W, N>) -> bool {
        let Op::EmitDice { from, onto, track, dice } = op else { return false };
        let numbers = dice.iter().map(|&die| frame.number(die));
        self.emit_dice(*frame.set(*from), *frame.set(*onto), *track, numbers)
    }
}

impl<'g, const W: usize, const N: usize> Frame<'_, 'g, W, N> {
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
