//! Results of a turn by dice, counted from sets of tiles without being made.
//!
//! Where one rule makes up the turn, pieces go from open sources to where a number leads. By two numbers a
//! result is known by one source for each; two choices come to the same in one way alone: the same piece
//! moves by both, one first or the other, and captures nothing on the way between. By one number used
//! several times it is known by how many pieces left each tile.

use senet_core::ir::{NumReg, Op, SetReg, TrackId, visit};
use senet_core::program::{Bulk, Closed};

use crate::asm::{Asm, Label};
use crate::function::Body;
use crate::list::{by_case, push_answer};
use crate::module::{Emit, Emitter, Mode, global};
use crate::number::push_stack;
use crate::set::next_tile;
use crate::template::forgets_moves;

use super::by_dice;

/// The most dice that show the same number.
const DICE: usize = 4;

/// Choices of no move, one, two and so on are counted in one word, so many bits for each.
const BITS: i64 = 12;

/// Of four moves by so many pieces there are 3876 choices at most, which these bits hold.
const PIECES: i32 = 16;

/// The rule whose moves make up whole turns of a phase, where their results can be counted.
fn bulk(emitter: &Emitter<'_>, phase: usize, player: usize) -> Option<Bulk> {
    let program = emitter.program;
    let one_word = emitter.width == 1 && emitter.all_stacks();
    let bulk = program.bulk(phase, player).filter(|_| one_word)?;
    let moves = by_dice(emitter, phase, player)?;
    let (mut running, mut by_sets) = (None, false);
    visit(&emitter.code.function(program.moves(phase, player)).body, &mut |op| match op {
        Op::Rule(rule, _) => running = Some(rule.index()),
        Op::EmitDice { .. } => by_sets |= running == Some(bulk.rule),
        _ => {}
    });
    let alone = moves.independent.iter().any(|one| one.rule == bulk.rule);
    let make = program.rule_functions(bulk.rule, player).make;
    let forgets = forgets_moves(&emitter.code.function(make).body);
    (by_sets && alone && forgets).then_some(bulk)
}

/// Leaves a function with how many results the turn has that begins in a state, where that can be told. A
/// global variable says which phase is open and who is to move.
pub(super) fn leave_with_results(emitter: &mut Emitter<'_>, asm: &mut Asm, state: u32) -> Emit {
    // With one phase alone the number of a case does not tell whether play has stopped.
    if emitter.program.sole_phase().is_some() {
        return Ok(());
    }
    let count = asm.local64();
    asm.op().global_get(global::CASE);
    asm.i32(1).op().i32_sub();
    by_case(emitter, asm, |emitter, asm, phase, player| {
        if bulk(emitter, phase, player).is_some() {
            let moves = emitter.program.moves(phase, player);
            let results = emitter.want_lowered(moves, Mode::Results(player as u8));
            asm.get(state).op().call(results);
            asm.tee(count).op().i64_eqz();
            asm.begin_if();
            asm.op().else_();
            asm.get(count).op().return_();
            asm.leave();
        }
        Ok(())
    })
}

/// What results are counted from, in locals.
struct Turn {
    /// The player's tiles, those with several pieces, and those where a move captures.
    own: u32,
    many: u32,
    hits: u32,
    /// Sources of moves, and targets that are open.
    sources: i64,
    onto: u32,
    /// The tables of tiles that a number leads equally far.
    groups: Vec<usize>,
    track: TrackId,
    player: usize,
    /// Where nothing can be told.
    unknown: Label,
}

/// A number that dice show, in locals: where its rows of tables begin, and the sources it leads to an open
/// target, whoever stands there.
#[derive(Clone, Copy)]
struct Number {
    row: u32,
    open: u32,
}

impl Body<'_, '_> {
    /// Leaves the function with the number of results of a turn whose moves a rule makes by some dice onto
    /// tiles of a set, or with 0 where that cannot be told.
    pub(crate) fn count_results(
        &mut self,
        onto: SetReg,
        track: TrackId,
        dice: &[NumReg],
        player: usize,
    ) {
        let phase = self.emitter.rules[self.rule].phase;
        let groups = self.emitter.track_groups(track);
        let Some(bulk) = bulk(self.emitter, phase, player).filter(|one| one.rule == self.rule)
        else {
            return;
        };
        if groups.is_empty() {
            return;
        }
        let [own, many, hits] = std::array::from_fn(|_| self.asm.local64());
        let sources = bulk.sources[0] as i64;
        let unknown = self.asm.begin_block();
        let onto = self.set(onto);
        let turn = Turn { own, many, hits, sources, onto, groups, track, player, unknown };
        self.load_owner(player, own);
        self.asm.get(own).i64(bulk.clear[0] as i64).op().i64_and();
        self.asm.i64(0).op().i64_ne();
        self.asm.br_if(unknown);
        self.asm.i64(0).set(many);
        self.stacked_of(player, 0, 2, many);
        self.asm.i64(0).set(hits);
        for foe in (0..self.emitter.program.players()).filter(|foe| bulk.captures >> foe & 1 == 1) {
            let plane = self.asm.local64();
            self.load_owner(foe, plane);
            self.asm.get(plane).get(hits).op().i64_or();
            self.asm.set(hits);
        }
        let (shown, count, same) = self.find_shown(dice, unknown);
        for closed in bulk.closing {
            match closed {
                // A tile with several pieces has two at least.
                Closed::By(tiles) => {
                    for set in [own, many] {
                        self.asm.get(set).i64(tiles[0] as i64).op().i64_and().i64_popcnt();
                    }
                    self.asm.op().i64_add().i32_wrap_i64();
                    self.asm.get(count).op().i32_lt_u();
                }
                Closed::Unless(function) => {
                    let function = self.emitter.want_lowered(function, Mode::Answer);
                    push_answer(&mut self.asm, self.state, function);
                    self.asm.i64(0).op().i64_ne();
                }
            }
            self.asm.br_if(unknown);
        }
        self.asm.get(same);
        self.asm.begin_if();
        self.count_same(&turn, shown[0], count);
        self.asm.leave();
        if let [one, two, ..] = shown[..] {
            self.asm.get(count).i32(2).op().i32_ne();
            self.asm.br_if(unknown);
            self.count_two(&turn, [one, two]);
        }
        self.asm.leave();
        // Other rules have no say.
        self.release();
        self.asm.i64(0).op().return_();
    }

    fn load_owner(&mut self, player: usize, to: u32) {
        let plane = self.emitter.program.owner_plane(player);
        self.asm.get(self.state).load(plane * 8).set(to);
    }

    /// What each die shows, how many show anything, and whether these show the same, in locals. Nothing is
    /// known where they are not the first dice.
    fn find_shown(&mut self, dice: &[NumReg], unknown: Label) -> (Vec<u32>, u32, u32) {
        let shown: Vec<u32> = dice.iter().map(|_| self.asm.local32()).collect();
        let (count, same) = (self.asm.local32(), self.asm.local32());
        for (&local, &die) in shown.iter().zip(dice) {
            self.push_number(die);
            self.asm.op().i32_wrap_i64();
            self.asm.set(local);
        }
        for pair in shown.windows(2) {
            self.asm.get(pair[0]).op().i32_eqz();
            self.asm.get(pair[1]).i32(0).op().i32_ne().i32_and();
            self.asm.br_if(unknown);
        }
        self.asm.i32(0);
        for &die in &shown {
            self.asm.get(die).i32(0).op().i32_ne().i32_add();
        }
        self.asm.set(count);
        self.asm.i32(1);
        for &die in &shown[1..] {
            self.asm.get(die).op().i32_eqz();
            self.asm.get(die).get(shown[0]).op().i32_eq().i32_or().i32_and();
        }
        self.asm.set(same);
        (shown, count, same)
    }

    /// The number in a local.
    fn number_shown(&mut self, turn: &Turn, pips: u32) -> Number {
        let number = Number { row: self.asm.local32(), open: self.asm.local64() };
        self.asm.get(pips).i32(4).op().i32_shl();
        self.asm.set(number.row);
        self.push_led_into(turn, number, turn.onto);
        self.asm.i64(turn.sources).op().i64_and();
        self.asm.set(number.open);
        number
    }

    /// The tiles that a number leads into the set in a local, on the stack.
    fn push_led_into(&mut self, turn: &Turn, number: Number, into: u32) {
        self.asm.i64(0);
        for &table in &turn.groups {
            self.asm.get(into).get(number.row).load(table + 8).op().i64_rotr();
            self.asm.get(number.row).load(table).op().i64_and().i64_or();
        }
    }

    /// The tiles to which a number leads from the set in a local, on the stack.
    fn push_led_from(&mut self, turn: &Turn, number: Number, from: u32) {
        self.asm.i64(0);
        for &table in &turn.groups {
            self.asm.get(from).get(number.row).load(table).op().i64_and();
            self.asm.get(number.row).load(table + 8).op().i64_rotl().i64_or();
        }
    }

    /// Leaves the function with the number of results of two different numbers.
    fn count_two(&mut self, turn: &Turn, pips: [u32; 2]) {
        let numbers = pips.map(|pips| self.number_shown(turn, pips));
        let from = numbers.map(|number| {
            let from = self.asm.local64();
            self.asm.get(number.open).get(turn.own).op().i64_and();
            self.asm.set(from);
            from
        });
        // Sources of pieces that go on by the other number.
        let on = [0, 1].map(|at| {
            let on = self.asm.local64();
            self.push_led_into(turn, numbers[at], numbers[1 - at].open);
            self.asm.get(from[at]).op().i64_and();
            self.asm.set(on);
            on
        });
        self.push_count(from[0]);
        self.push_count(from[1]);
        self.asm.op().i64_mul();
        // One piece alone cannot move by both.
        self.asm.get(from[0]).get(from[1]).op().i64_and();
        self.push_without(turn.many);
        self.asm.op().i64_popcnt().i64_sub();
        // Where it meets another on the way, that one could as well go on.
        for at in 0..2 {
            let meets = self.asm.local64();
            self.push_led_into(turn, numbers[at], turn.own);
            self.asm.set(meets);
            self.asm.get(on[at]);
            self.push_without(meets);
            self.asm.op().i64_popcnt().i64_add();
        }
        let captures = self.asm.local64();
        for number in numbers {
            self.push_led_into(turn, number, turn.hits);
        }
        self.asm.op().i64_or();
        self.asm.set(captures);
        self.asm.get(on[0]).get(on[1]).op().i64_and();
        self.push_without(captures);
        self.asm.op().i64_popcnt().i64_sub();
        self.release();
        self.asm.op().return_();
    }

    /// Takes the set in a local from that on the stack.
    fn push_without(&mut self, set: u32) {
        self.asm.get(set).i64(-1).op().i64_xor().i64_and();
    }

    /// Leaves the function with the number of results of one number that so many dice show.
    fn count_same(&mut self, turn: &Turn, pips: u32, dice: u32) {
        let number = self.number_shown(turn, pips);
        let [live, heads, tile, all] = std::array::from_fn(|_| self.asm.local64());
        let pieces = self.asm.local32();
        self.asm.get(dice).i32(DICE as i32).op().i32_gt_u();
        self.asm.br_if(turn.unknown);
        // The tiles that pieces may leave.
        self.asm.get(number.open).get(turn.own).op().i64_and();
        self.asm.set(live);
        for _ in 1..DICE {
            self.push_led_from(turn, number, live);
            self.asm.get(number.open).op().i64_and();
            self.asm.get(live).op().i64_or();
            self.asm.set(live);
        }
        self.push_led_from(turn, number, live);
        self.asm.set(heads);
        self.asm.get(live);
        self.push_without(heads);
        self.asm.set(heads);
        self.asm.i64(1).set(all);
        self.asm.i32(0).set(pieces);
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        next_tile(&mut self.asm, 1, heads, tile, done);
        self.count_along(turn, (pips, live), (tile, all, pieces));
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
        self.asm.get(pieces).i32(PIECES).op().i32_gt_u();
        self.asm.br_if(turn.unknown);
        self.asm.get(all).get(dice).op().i64_extend_i32_u();
        self.asm.i64(BITS).op().i64_mul().i64_shr_u();
        self.asm.i64((1 << BITS) - 1).op().i64_and();
        self.release();
        self.asm.op().return_();
    }

    /// Takes the choices of moves from a tile and from where they lead into those in a local, and adds up
    /// the pieces on the way.
    fn count_along(
        &mut self,
        turn: &Turn,
        (pips, live): (u32, u32),
        (tile, all, pieces): (u32, u32, u32),
    ) {
        // Choices by how many pieces come to the tile.
        let come: [u32; DICE + 1] = std::array::from_fn(|_| self.asm.local64());
        let here = self.asm.local32();
        self.asm.get(all).set(come[0]);
        for &choices in &come[1..] {
            self.asm.i64(0).set(choices);
        }
        let again = self.asm.begin_loop();
        let (table, bits) = (self.emitter.stack_fields(turn.player, 0), self.emitter.stack_bits());
        push_stack(&mut self.asm, self.state, tile, table, bits);
        self.asm.op().i32_wrap_i64();
        self.asm.tee(here).get(pieces).op().i32_add();
        self.asm.set(pieces);
        self.leave_tile(&come, here);
        self.push_target(turn.track, (tile, pips));
        self.asm.set(tile);
        self.asm.get(tile).i64(0).op().i64_ge_s();
        self.push_has(live, tile);
        self.asm.op().i32_and();
        self.asm.br_if(again);
        self.asm.leave();
        self.asm.i64(0);
        for choices in come {
            self.asm.get(choices).op().i64_add();
        }
        self.asm.set(all);
    }

    /// Makes of choices by how many pieces come to a tile those by how many leave it, where some are.
    fn leave_tile(&mut self, come: &[u32; DICE + 1], here: u32) {
        for at in (0..DICE).rev() {
            self.asm.get(come[at]).get(come[at + 1]).op().i64_add();
            self.asm.set(come[at]);
        }
        // So many leave where at least so many came, without those that were here.
        for leave in (1..=DICE).rev() {
            self.asm.get(come[leave]);
            for more in 1..=leave {
                let chosen = self.asm.local64();
                self.asm.set(chosen);
                self.asm.get(come[leave - more]).get(chosen);
                self.asm.get(here).i32(more as i32).op().i32_ge_u().select();
            }
            self.asm.i64(BITS * leave as i64).op().i64_shl();
            self.asm.set(come[leave]);
        }
    }
}
