//! Tiles on which many pieces stand.

use senet_core::ir::{ConstId, Field, SetReg};

use crate::function::Body;

use super::all_tiles;

impl Body<'_, '_> {
    /// Tiles on which at least this many of one owner's pieces of a kind stand, compared a word of
    /// counts at a time.
    pub(crate) fn stacked_of(&mut self, owner: usize, kind: usize, least: u16, all: u32) {
        let program = self.emitter.program;
        let field = |tile| program.count_field(tile, owner, kind).map(|field| (tile, field));
        let fields: Vec<_> = (0..self.emitter.code.tiles).filter_map(field).collect();
        let (sums, found) = (self.asm.local64(), self.asm.local64());
        let by_word = fields.chunk_by(|(_, one), (_, next)| one.word() == next.word());
        for run in by_word {
            let (_, first) = run[0];
            let (bits, word) = (first.bits(), first.word());
            let of = |bit: u64| run.iter().fold(0, |mask, (_, field)| mask | bit << field.shift());
            let top = 1u64 << (bits - 1);
            if bits < 2 || u64::from(least) > top {
                return self.stacked_sum(&[(owner, kind)], least, all);
            }
            // A field whose lower bits and the rest up to its top bit overflow into that bit, or
            // that has it set already, is great enough.
            let counts = |body: &mut Self| {
                body.asm.get(body.state).load(word * 8);
            };
            counts(self);
            self.asm.i64(of(top - 1) as i64).op().i64_and();
            self.asm.i64(of(top - u64::from(least)) as i64).op().i64_add();
            counts(self);
            self.asm.op().i64_or();
            self.asm.i64(of(top) as i64).op().i64_and();
            self.asm.set(sums);
            self.gather(run, (sums, found), all);
        }
    }

    /// Moves the top bits of fields side by side to the tiles they are about.
    pub(super) fn gather(&mut self, run: &[(usize, Field)], (sums, found): (u32, u32), all: u32) {
        let (first, field) = run[0];
        let bits = field.bits();
        let even = |(at, (tile, one)): (usize, &(usize, Field))| {
            *tile == first + at && one.shift() == field.shift() + at as u32 * bits
        };
        let together = first / 64 == (first + run.len() - 1) / 64;
        let even = run.iter().enumerate().all(even) && together;
        if even && bits > 2 && !bits.is_power_of_two() {
            return self.gather_by_product(run, sums, all);
        }
        if !even || !bits.is_power_of_two() {
            for (tile, one) in run {
                let top = one.shift() + bits - 1;
                self.asm.get(sums).i64(top.into()).op().i64_shr_u();
                self.asm.i64(1).op().i64_and();
                self.asm.i64((tile % 64) as i64).op().i64_shl();
                self.asm.get(all + (tile / 64) as u32).op().i64_or();
                self.asm.set(all + (tile / 64) as u32);
            }
            return;
        }
        self.asm.get(sums).i64((field.shift() + bits - 1).into()).op().i64_shr_u();
        self.asm.set(found);
        // Groups of bits twice as long, half as far apart, until all are together.
        let mut length = 1;
        while length * bits < 64 && length < run.len() as u32 {
            let step = 2 * length * bits;
            let group = u64::MAX >> (64 - 2 * length);
            let mask = (0..64 / step).fold(0, |mask, at| mask | group << (at * step));
            self.asm.get(found);
            self.asm.get(found).i64((length * (bits - 1)).into()).op().i64_shr_u().i64_or();
            self.asm.i64(mask as i64).op().i64_and();
            self.asm.set(found);
            length *= 2;
        }
        let word = all + (first / 64) as u32;
        self.asm.get(found).i64((first % 64) as i64).op().i64_shl();
        self.asm.get(word).op().i64_or();
        self.asm.set(word);
    }

    /// Tiles on which at least this many pieces of some owners and kinds stand, one by one.
    pub(super) fn stacked_sum(&mut self, sorts: &[(usize, usize)], least: u16, all: u32) {
        let program = self.emitter.program;
        for tile in (0..self.emitter.code.tiles).filter(|&tile| program.stacks(tile)) {
            self.asm.i64(0);
            for &(owner, kind) in sorts {
                if let Some(field) = program.count_field(tile, owner, kind) {
                    crate::number::push_field(&mut self.asm, self.state, field);
                    self.asm.op().i64_add();
                }
            }
            self.asm.i64(least.into()).op().i64_ge_u().i64_extend_i32_u();
            self.asm.i64((tile % 64) as i64).op().i64_shl();
            let word = all + (tile / 64) as u32;
            self.asm.get(word).op().i64_or();
            self.asm.set(word);
        }
    }

    /// Tiles on which at least this many pieces of some players stand.
    pub(super) fn stacked(&mut self, to: SetReg, players: u64, least: u16) {
        let (to, program) = (self.set(to), self.emitter.program);
        let owners = || (0..program.players()).filter(move |owner| players >> owner & 1 == 1);
        let all = self.spare_set();
        self.clear(all);
        if least == 0 {
            let every = all_tiles(self.emitter.code.tiles, self.width());
            return self.put_constant(to, &every);
        }
        if least == 1 {
            for owner in owners() {
                for word in 0..self.width() {
                    let plane = program.owner_plane(owner) + word;
                    self.asm.get(self.state).load(plane * 8);
                    self.asm.get(all + word as u32).op().i64_or();
                    self.asm.set(all + word as u32);
                }
            }
        }
        // On a tile that holds one piece at most one stands.
        if least > 1 {
            let sorts = owners().flat_map(|owner| (0..program.kinds()).map(move |k| (owner, k)));
            let sorts: Vec<(usize, usize)> = sorts.collect();
            match sorts[..] {
                [(owner, kind)] => self.stacked_of(owner, kind, least, all),
                _ => self.stacked_any(&sorts, least, all),
            }
        }
        self.copy(to, all);
    }

    /// Tiles on which at least this many pieces of some owners and kinds stand: those of one owner and
    /// kind where nothing else stands anywhere, which is asked of the most frequent at the start.
    fn stacked_any(&mut self, sorts: &[(usize, usize)], least: u16, all: u32) {
        let program = self.emitter.program;
        let Some(&(owner, kind)) =
            sorts.iter().max_by_key(|sort| self.emitter.count_at_start(**sort))
        else {
            return;
        };
        let owners = (0..program.players()).filter(|&one| one != owner);
        let owners = owners.map(|one| program.owner_plane(one));
        let kinds = (0..program.kinds()).filter(|&one| one != kind);
        let kinds = kinds.map(|one| program.kind_plane(one));
        self.asm.i64(0);
        for plane in owners.chain(kinds) {
            for word in 0..self.width() {
                self.asm.get(self.state).load((plane + word) * 8).op().i64_or();
            }
        }
        self.asm.op().i64_eqz();
        self.asm.begin_if();
        self.stacked_of(owner, kind, least, all);
        self.asm.op().else_();
        self.stacked_sum(sorts, least, all);
        self.asm.leave();
    }

    /// Moves the top bits of fields side by side to the tiles they are about, by a product: each bit is
    /// shifted by so much less than the one before that they end up together. Of fields of n bits, n - 1
    /// are moved at once, so that no two bits meet.
    fn gather_by_product(&mut self, run: &[(usize, Field)], sums: u32, all: u32) {
        let bits = run[0].1.bits();
        for part in run.chunks(bits as usize - 1) {
            let (first, field) = part[0];
            let count = part.len() as u32;
            let top = (count - 1) * (bits - 1);
            let tops = (0..count).fold(0u64, |mask, at| mask | 1 << (at * bits));
            let factor = (0..count).fold(0u64, |sum, at| sum | 1 << (top - at * (bits - 1)));
            self.asm.get(sums).i64((field.shift() + bits - 1).into()).op().i64_shr_u();
            self.asm.i64(tops as i64).op().i64_and();
            self.asm.i64(factor as i64).op().i64_mul();
            self.asm.i64(top.into()).op().i64_shr_u();
            self.asm.i64((1i64 << count) - 1).op().i64_and();
            self.asm.i64((first % 64) as i64).op().i64_shl();
            let word = all + (first / 64) as u32;
            self.asm.get(word).op().i64_or();
            self.asm.set(word);
        }
    }

    /// How many pieces of some players stand on tiles that never change, all of which hold many, on
    /// the stack: a word of counts at a time. All counts of an owner together fit into one.
    pub(crate) fn pieces_on(&mut self, on: ConstId, players: u64, kind: Option<usize>) {
        let program = self.emitter.program;
        let on = self.emitter.constant(on);
        let tiles =
            (0..self.emitter.code.tiles).filter(|tile| on[tile / 64] >> (tile % 64) & 1 == 1);
        let tiles: Vec<usize> = tiles.collect();
        let wanted =
            self.emitter.sorts().into_iter().filter(|(owner, of)| {
                players >> owner & 1 == 1 && kind.is_none_or(|kind| kind == *of)
            });
        self.asm.i64(0);
        for (owner, kind) in wanted {
            let field = |&tile: &usize| program.count_field(tile, owner, kind);
            let fields: Vec<Field> = tiles.iter().filter_map(field).collect();
            for run in fields.chunk_by(|one, next| one.word() == next.word()) {
                let (first, last, bits) =
                    (run[0].shift(), run[run.len() - 1].shift(), run[0].bits());
                let mask = crate::number::mask(bits);
                let all = run.iter().fold(0, |all, field| all | mask << field.shift());
                // The last of the fields between is the sum of them all.
                let count = (last - first) / bits + 1;
                let ones = (0..count).fold(0u64, |ones, at| ones | 1 << (at * bits));
                self.asm.get(self.state).load(run[0].word() * 8);
                self.asm.i64(all as i64).op().i64_and();
                self.asm.i64(first.into()).op().i64_shr_u();
                self.asm.i64(ones as i64).op().i64_mul();
                self.asm.i64((last - first).into()).op().i64_shr_u();
                self.asm.i64(mask as i64).op().i64_and().i64_add();
            }
        }
    }
}
