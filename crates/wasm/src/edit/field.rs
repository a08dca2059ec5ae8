//! Edits of what is not on the board: hands, dice, variables and the turn.

use senet_core::PlayerId;
use senet_core::ir::{CHOICE, PIPS};

use crate::asm::{Asm, value_at};
use crate::function::Body;
use crate::module::{Emit, Hash, global};
use crate::number::{mask, push_field, store_field};
use crate::range::Range;

/// The most values of a variable whose keys are in a table; others are made when they are needed.
const MAX_VALUES: i64 = 1024;

/// The step between two words of core's stable hash.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Body<'_, '_> {
    /// Takes a piece of a kind out of a hand or the supply, into a local; none where there is none.
    pub(super) fn take_from_hand(&mut self, player: usize, kind: usize, lifted: u32) {
        let program = self.emitter.program;
        let number = (player * program.kinds() + kind + 1) as i64;
        if program.is_unlimited(kind) {
            self.asm.i64(number).set(lifted);
            return;
        }
        self.asm.i64(0).set(lifted);
        let Some(field) = program.hand_field(player, kind) else { return };
        push_field(&mut self.asm, self.state, field);
        self.asm.i64(0).op().i64_ne();
        self.asm.begin_if();
        self.asm.i64(number).set(lifted);
        self.change_hand(player, kind, -1);
        self.asm.leave();
    }

    pub(super) fn change_hand(&mut self, player: usize, kind: usize, by: i64) {
        let program = self.emitter.program;
        let Some(field) = program.hand_field(player, kind) else { return };
        let value = self.asm.local64();
        push_field(&mut self.asm, self.state, field);
        self.asm.i64(by).op().i64_add();
        self.asm.i64(mask(field.bits()) as i64).op().i64_and();
        self.asm.set(value);
        self.store_hand(player, kind, value);
    }

    /// Sets the number of pieces of a kind in hand.
    pub(super) fn store_hand(&mut self, player: usize, kind: usize, value: u32) {
        let program = self.emitter.program;
        let Some(field) = program.hand_field(player, kind) else { return };
        if self.hash() == Hash::Kept && !program.hand_follows() {
            let at = player * program.kinds() + kind;
            let keys = self.emitter.table("hand keys", at, |emitter| {
                let counts = 0..1u64 << field.bits();
                emitter.keys(&counts.map(|n| program.hand_key(player, kind, n)).collect::<Vec<_>>())
            });
            self.fold_field(field, keys, value);
        }
        store_field(&mut self.asm, self.state, field, value);
    }

    /// Takes the keys of what a field shows and will show into the hash.
    pub(super) fn fold_field(&mut self, field: senet_core::ir::Field, keys: usize, value: u32) {
        let before = self.asm.local64();
        push_field(&mut self.asm, self.state, field);
        self.asm.set(before);
        for index in [before, value] {
            self.emitter.fold_entry(&mut self.asm, self.state, keys, index);
        }
    }

    pub(super) fn set_die(&mut self, die: usize, value: u32) {
        let program = self.emitter.program;
        let (field, _) = program.dice()[die];
        if self.hash() == Hash::Kept {
            let keys = self.emitter.table("die keys", die, |emitter| {
                let shown = 0..1u64 << field.bits();
                emitter.keys(&shown.map(|shows| program.die_key(die, shows)).collect::<Vec<_>>())
            });
            self.fold_field(field, keys, value);
        }
        store_field(&mut self.asm, self.state, field, value);
    }

    /// Spends the last die that shows the number used; those after it move up.
    pub(super) fn spend(&mut self, dice: &[usize]) {
        let pips = self.copy_number(PIPS);
        let fields = self.emitter.program.dice();
        let shown: Vec<u32> = dice
            .iter()
            .map(|&die| {
                let local = self.asm.local64();
                push_field(&mut self.asm, self.state, fields[die].0);
                self.asm.set(local);
                local
            })
            .collect();
        let spent = self.asm.local64();
        self.asm.i64(i64::MAX).set(spent);
        for (at, &die) in shown.iter().enumerate() {
            self.asm.i64(at as i64).get(spent).get(die).get(pips).op().i64_eq().select();
            self.asm.set(spent);
        }
        if self.hash() == Hash::Ignored && self.move_up(dice, spent) {
            return;
        }
        for (at, &die) in dice.iter().enumerate() {
            let value = self.asm.local64();
            match shown.get(at + 1) {
                Some(&next) => self.asm.get(next),
                None => self.asm.i64(0),
            };
            self.asm.get(shown[at]);
            self.asm.get(spent).i64(at as i64).op().i64_le_s().select();
            self.asm.set(value);
            // Most dice show what they did.
            self.asm.get(value).get(shown[at]).op().i64_ne();
            self.asm.begin_if();
            self.set_die(die, value);
            self.asm.leave();
        }
    }

    /// Takes the die whose number is in a local out of a row of dice side by side in one word, and says
    /// whether dice are; a number beyond the last takes none.
    fn move_up(&mut self, dice: &[usize], spent: u32) -> bool {
        let fields = self.emitter.program.dice();
        let Some(&(first, _)) = dice.first().map(|&die| &fields[die]) else { return true };
        let (bits, count) = (first.bits(), dice.len() as u32);
        let in_row = |(at, &die): (usize, &usize)| {
            let field = fields[die].0;
            field.word() == first.word()
                && field.bits() == bits
                && field.shift() == first.shift() + at as u32 * bits
        };
        if !dice.iter().enumerate().all(in_row) || first.shift() + bits * count >= 64 {
            return false;
        }
        let row = mask(bits * count) << first.shift();
        let [word, below, kept] = std::array::from_fn(|_| self.asm.local64());
        // Bits of the dice before it stay, those after it move down.
        self.asm.i64(count.into()).get(spent).get(spent).i64(count.into()).op().i64_gt_u().select();
        self.asm.i64(bits.into()).op().i64_mul();
        self.asm.i64(first.shift().into()).op().i64_add();
        self.asm.set(below);
        self.asm.i64(1).get(below).op().i64_shl();
        self.asm.i64(1).op().i64_sub();
        self.asm.set(kept);
        self.asm.get(self.state);
        self.asm.get(self.state).load(first.word() * 8).tee(word);
        self.asm.get(kept).i64(!row as i64).op().i64_or().i64_and();
        self.asm.get(word).i64(row as i64).op().i64_and();
        self.asm.i64(bits.into()).op().i64_shr_u();
        self.asm.get(kept).i64(-1).op().i64_xor().i64_and();
        self.asm.i64(row as i64).op().i64_and().i64_or();
        self.asm.store(first.word() * 8);
        true
    }

    /// Shows the outcome of chance that the event chooses.
    pub(super) fn roll(&mut self) {
        let outcome = self.copy_number(CHOICE);
        let outcomes = self.emitter.program.outcomes();
        for die in 0..self.emitter.program.dice().len() {
            if !outcomes.iter().any(|outcome| outcome.dice.iter().any(|&(one, _)| one == die)) {
                continue;
            }
            let table = self.emitter.table("outcomes", die, |emitter| {
                let shows = |dice: &[(usize, u8)]| {
                    let one = dice.iter().find(|(one, _)| *one == die);
                    one.map_or(u16::MAX, |&(_, shows)| shows.into())
                };
                let shown: Vec<u16> = outcomes.iter().map(|outcome| shows(&outcome.dice)).collect();
                emitter.memory.shorts(&shown)
            });
            let value = self.asm.local64();
            self.asm.get(outcome).op().i32_wrap_i64();
            self.asm.i32(1).op().i32_shl();
            self.asm.op().i64_load16_u(value_at(table, 1));
            self.asm.tee(value).i64(u16::MAX.into()).op().i64_ne();
            self.asm.begin_if();
            self.set_die(die, value);
            self.asm.leave();
        }
    }

    /// Holds the number in a local within bounds, which it may be known not to leave.
    pub(super) fn clamp(&mut self, (value, range): (u32, Option<Range>), least: i64, most: i64) {
        if range.is_none_or(|range| range.0 < least) {
            self.asm.get(value).i64(least).get(value).i64(least).op().i64_gt_s().select();
            self.asm.set(value);
        }
        if range.is_none_or(|range| range.1 > most) {
            self.asm.get(value).i64(most).get(value).i64(most).op().i64_lt_s().select();
            self.asm.set(value);
        }
    }

    /// Gives a variable the number in a local, between bounds that may be known.
    pub(super) fn set_variable(
        &mut self,
        variable: usize,
        of: usize,
        (value, range): (u32, Option<Range>),
    ) -> Emit {
        let program = self.emitter.program;
        let slot = program.variables().swap_remove(variable);
        if self.emitter.is_idle(variable, self.hash()) {
            return Ok(());
        }
        let seat = if slot.fields.len() > 1 { of } else { 0 };
        let field = slot.fields[seat];
        self.clamp((value, range), slot.min, slot.max);
        let stored = self.asm.local64();
        self.asm.get(value).i64(slot.min).op().i64_sub();
        self.asm.set(stored);
        if slot.hashed && self.hash() == Hash::Kept {
            let span = slot.max.wrapping_sub(slot.min);
            if (0..MAX_VALUES).contains(&span) {
                let at = variable << 8 | seat;
                let keys = self.emitter.table("variable keys", at, |emitter| {
                    let values = 0..1u64 << field.bits();
                    let key = |value| program.variable_key(variable, seat, value);
                    emitter.keys(&values.map(key).collect::<Vec<_>>())
                });
                self.fold_field(field, keys, stored);
            } else {
                let before = self.asm.local64();
                push_field(&mut self.asm, self.state, field);
                self.asm.set(before);
                let lanes = program.variable_lanes(variable, seat);
                for value in [before, stored] {
                    self.fold_value(lanes, value);
                }
            }
        }
        store_field(&mut self.asm, self.state, field, stored);
        Ok(())
    }

    /// Takes the key of a variable's value, made from its lanes, into the hash; nothing for 0.
    pub(super) fn fold_value(&mut self, lanes: [u64; 2], value: u32) {
        let (word, lane) = (self.asm.local64(), self.asm.local64());
        self.asm.get(value).i64(0).op().i64_ne();
        self.asm.begin_if();
        self.asm.get(value).i64(STEP as i64).op().i64_add();
        self.asm.set(word);
        mix(&mut self.asm, word);
        for (at, start) in lanes.into_iter().enumerate() {
            self.asm.i64(start.wrapping_add(STEP) as i64).get(word).op().i64_xor();
            self.asm.set(lane);
            mix(&mut self.asm, lane);
            let at = self.emitter.hash_at() + at * 8;
            let state = self.state;
            self.asm.store_word(state, at, |asm| {
                asm.load_word(state, at).get(lane).op().i64_xor();
            });
        }
        self.asm.leave();
    }

    /// Gives the turn to a player, from one who may be known.
    pub(super) fn give_turn(&mut self, from: Option<PlayerId>, to: PlayerId) {
        let (program, player) = (self.emitter.program, to.index());
        let field = program.turn_field();
        let value = self.asm.local64();
        self.asm.i64(player as i64).set(value);
        if let (Hash::Kept, Some(from)) = (self.hash(), from) {
            let key = program.turn_key(from.index()) ^ program.turn_key(player);
            self.emitter.fold_known(&mut self.asm, self.state, key);
        } else if self.hash() == Hash::Kept {
            let keys = self.emitter.table("turn keys", 0, |emitter| {
                let players = 0..program.players();
                emitter.keys(&players.map(|player| program.turn_key(player)).collect::<Vec<_>>())
            });
            self.fold_field(field, keys, value);
        }
        store_field(&mut self.asm, self.state, field, value);
        if self.emitter.tells_turns {
            self.asm.i32(1).op().global_set(global::TURNED);
        }
        for flag in program.ephemeral() {
            let stale = self.spare_set();
            let plane = program.flag_plane(flag);
            if self.emitter.is_clear(&self.asm, self.state, plane) {
                continue;
            }
            for word in 0..self.width() {
                let address = (plane + word) * 8;
                let state = self.state;
                self.asm.load_word(state, address);
                self.asm.load_word(state, (program.owner_plane(player) + word) * 8);
                self.asm.op().i64_and();
                self.asm.set(stale + word as u32);
                self.asm.store_word(state, address, |asm| {
                    asm.load_word(state, address).get(stale + word as u32).op().i64_xor();
                });
            }
            self.fold_tiles(stale, ("flag keys", flag));
        }
    }
}

/// Mixes the word in a local as core's stable hash does.
fn mix(asm: &mut Asm, word: u32) {
    for (shift, factor) in [(30, 0xbf58_476d_1ce4_e5b9u64), (27, 0x94d0_49bb_1331_11eb)] {
        asm.get(word).get(word).i64(shift).op().i64_shr_u().i64_xor();
        asm.i64(factor as i64).op().i64_mul();
        asm.set(word);
    }
    asm.get(word).get(word).i64(31).op().i64_shr_u().i64_xor();
    asm.set(word);
}
