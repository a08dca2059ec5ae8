//! Edits of a state: pieces, flags, marks, variables, dice and the turn, with the hash kept in step
//! where it is kept.
//!
//! A piece off its tile is a number: one more than owner times kinds plus kind, with its flags from
//! bit 16 on; 0 is no piece.

mod board;
mod capture;
mod count;
mod field;
mod piece;
mod trade;

use senet_core::ir::{CHOICE, Edit, NumReg, SetReg, TO};

use crate::asm::Asm;
use crate::function::Body;
use crate::module::{Emit, Emitter, Key, unsupported};
use crate::number::mask;
use crate::set::push_bit;

pub(crate) use count::recount;
use piece::push_is_stack;
pub(crate) use piece::{Taken, carry, drop, lift};
pub(crate) use trade::{Trade, traded};

/// Where the flags of a piece off its tile begin.
const FLAGS: i64 = 16;

impl Emitter<'_> {
    /// Keys of pieces: for no piece, then by owner, kind and tile.
    pub(crate) fn piece_keys(&mut self) -> usize {
        self.table("piece keys", 0, |emitter| {
            let (program, tiles) = (emitter.program, emitter.code.tiles);
            let mut keys = vec![0u128; tiles];
            for owner in 0..program.players() {
                for kind in 0..program.kinds() {
                    keys.extend((0..tiles).map(|tile| program.piece_key(owner, kind, tile)));
                }
            }
            emitter.keys(&keys)
        })
    }

    /// Keys of a flag, by tile.
    pub(crate) fn flag_keys(&mut self, flag: usize) -> usize {
        self.plane_keys("flag keys", flag)
    }

    fn plane_keys(&mut self, of: &'static str, at: usize) -> usize {
        self.table(of, at, |emitter| {
            let (program, tiles) = (emitter.program, 0..emitter.code.tiles);
            let key = |tile| match of {
                "flag keys" => program.flag_key(at, tile),
                _ => program.mark_key(at, tile),
            };
            emitter.keys(&tiles.map(key).collect::<Vec<_>>())
        })
    }

    fn keys(&mut self, keys: &[u128]) -> usize {
        let words: Vec<u64> =
            keys.iter().flat_map(|&key| [key as u64, (key >> 64) as u64]).collect();
        self.memory.words(&words)
    }

    /// Where the counts of an owner's pieces of a kind are, by tile: the byte of the word and, from
    /// bit 16 on, the shift.
    pub(crate) fn stack_fields(&mut self, owner: usize, kind: usize) -> usize {
        let kinds = self.program.kinds();
        self.table("stack fields", owner * kinds + kind, |emitter| {
            let field = |tile| match emitter.program.count_field(tile, owner, kind) {
                Some(field) => (field.word() * 8) as u32 | field.shift() << 16,
                None => 0,
            };
            let fields: Vec<u32> = (0..emitter.code.tiles).map(field).collect();
            emitter.memory.ints(&fields)
        })
    }

    /// How many bits a count has; the same for every tile.
    pub(crate) fn stack_bits(&self) -> u32 {
        let mut fields =
            (0..self.code.tiles).filter_map(|tile| self.program.count_field(tile, 0, 0));
        fields.next().map_or(1, senet_core::ir::Field::bits)
    }

    /// Every owner with every kind.
    pub(crate) fn sorts(&self) -> Vec<(usize, usize)> {
        let kinds = self.program.kinds();
        let owners = 0..self.program.players();
        owners.flat_map(|owner| (0..kinds).map(move |kind| (owner, kind))).collect()
    }

    /// Whether an owner has pieces of a kind on tiles that hold many when the game starts.
    pub(crate) fn starts_with(&self, (owner, kind): (usize, usize)) -> bool {
        self.count_at_start((owner, kind)) > 0
    }

    /// How many those are.
    pub(crate) fn count_at_start(&self, (owner, kind): (usize, usize)) -> u64 {
        let (program, words) = (self.program, self.program.start().words());
        let fields = (0..self.code.tiles).filter_map(|tile| program.count_field(tile, owner, kind));
        fields.map(|field| words[field.word()] >> field.shift() & mask(field.bits())).sum()
    }

    /// Takes the keys at an address on the stack into the hash.
    pub(crate) fn fold_key(&self, asm: &mut Asm, state: u32) {
        let key = asm.local32();
        asm.set(key);
        for half in [0, 1] {
            let at = self.hash_at() + half * 8;
            match asm.gathered {
                Some(gathered) => {
                    asm.get(gathered[half]).get(key).load(half * 8).op().i64_xor();
                    asm.set(gathered[half]);
                }
                None => {
                    asm.store_word(state, at, |asm| {
                        asm.load_word(state, at).get(key).load(half * 8).op().i64_xor();
                    });
                }
            }
        }
    }

    /// Takes the keys that were gathered into the hash.
    pub(crate) fn fold_gathered(&self, asm: &mut Asm, state: u32) {
        for (half, gathered) in asm.gathered.take().into_iter().flatten().enumerate() {
            let at = self.hash_at() + half * 8;
            asm.store_word(state, at, |asm| {
                asm.load_word(state, at).get(gathered).op().i64_xor();
            });
        }
    }

    /// Takes a key that is known into the hash.
    pub(crate) fn fold_known(&self, asm: &mut Asm, state: u32, key: u128) {
        for (half, key) in [key as i64, (key >> 64) as i64].into_iter().enumerate() {
            let at = self.hash_at() + half * 8;
            match asm.gathered.filter(|_| !asm.holds(state)) {
                Some(gathered) => {
                    asm.get(gathered[half]).i64(key).op().i64_xor();
                    asm.set(gathered[half]);
                }
                None => {
                    asm.store_word(state, at, |asm| {
                        asm.load_word(state, at).i64(key).op().i64_xor();
                    });
                }
            }
        }
    }

    /// The same as [`Emitter::fold_entry`] where the entry is the same for every round of the loop in
    /// which the state is held.
    fn fold_same_entry(&self, asm: &mut Asm, state: u32, table: usize, index: u32) {
        let halves: [u32; 2] = std::array::from_fn(|_| asm.local64());
        asm.hoist(|asm| {
            for (half, &key) in halves.iter().enumerate() {
                asm.get(index).op().i32_wrap_i64();
                asm.i32(4).op().i32_shl();
                asm.load(table + half * 8).set(key);
            }
        });
        for (half, key) in halves.into_iter().enumerate() {
            let at = self.hash_at() + half * 8;
            asm.store_word(state, at, |asm| {
                asm.load_word(state, at).get(key).op().i64_xor();
            });
        }
    }

    /// Whether a plane has no tile whatever ran before.
    fn is_clear(&self, asm: &Asm, state: u32, plane: usize) -> bool {
        (plane..plane + self.width).all(|word| asm.is_clear(state, word * 8))
    }

    /// Turns the bits of the tiles in some locals in a plane.
    fn turn_bits(&self, asm: &mut Asm, state: u32, plane: usize, tiles: &[u32]) {
        if asm.holds(state) || self.width == 1 {
            for word in 0..self.width {
                let at = (plane + word) * 8;
                asm.store_word(state, at, |asm| {
                    asm.load_word(state, at);
                    for &tile in tiles {
                        push_bit(asm, self.width, tile, word as u32);
                        asm.op().i64_xor();
                    }
                });
            }
            return;
        }
        for &tile in tiles {
            let at = self.word_of(asm, state, tile);
            asm.get(at).get(at).load(plane * 8);
            asm.i64(1).get(tile).op().i64_shl().i64_xor();
            asm.store(plane * 8);
        }
    }

    /// The bit of the tile in a local in a plane, on the stack as 0 or 1.
    pub(crate) fn push_plane_bit(&self, asm: &mut Asm, state: u32, plane: usize, tile: u32) {
        if asm.holds(state) && self.width > 1 {
            asm.i64(0);
            for word in 0..self.width {
                asm.load_word(state, (plane + word) * 8);
                push_bit(asm, self.width, tile, word as u32);
                asm.op().i64_and().i64_or();
            }
            asm.i64(0).op().i64_ne().i64_extend_i32_u();
            return;
        }
        if self.width == 1 {
            asm.load_word(state, plane * 8);
        } else {
            let at = self.word_of(asm, state, tile);
            asm.get(at).load(plane * 8);
        }
        asm.get(tile).op().i64_shr_u();
        asm.i64(1).op().i64_and();
    }

    /// Takes the key of a table's entry, whose number is in a local, into the hash.
    fn fold_entry(&self, asm: &mut Asm, state: u32, table: usize, index: u32) {
        asm.get(index).op().i32_wrap_i64();
        asm.i32(4).op().i32_shl();
        asm.i32(table as i32).op().i32_add();
        self.fold_key(asm, state);
    }

    /// The address of the word of a plane in which the tile of a local is, less the plane's own.
    fn word_of(&self, asm: &mut Asm, state: u32, tile: u32) -> u32 {
        if self.width == 1 {
            return state;
        }
        let at = asm.local32();
        asm.get(tile).i64(6).op().i64_shr_u().i32_wrap_i64();
        asm.i32(3).op().i32_shl();
        asm.get(state).op().i32_add();
        asm.set(at);
        at
    }
}

impl Body<'_, '_> {
    pub(crate) fn edit(&mut self, edit: &Edit) -> Emit {
        match edit {
            Edit::MovePiece { player, rule, mover, quiet, chooses } => match mover {
                Some(kind) if self.emitter.all_exclusive() => {
                    self.move_known(player.index(), kind.index(), (*quiet, *chooses));
                }
                Some(kind) if self.emitter.all_stacks() && !chooses => {
                    self.move_counted(player.index(), kind.index())?;
                }
                _ => self.move_piece(player.index(), rule.index()),
            },
            Edit::PutPiece(_) | Edit::Place { .. } if self.supplies_stacks() => {
                return unsupported("an unlimited supply of pieces for tiles that hold many");
            }
            Edit::PutPiece(player) => {
                let (to, kind) = (self.copy_number(TO), self.copy_number(CHOICE));
                self.put_chosen(player.index(), to, kind);
            }
            Edit::Spend(dice) => {
                let dice: Vec<usize> = dice.iter().map(|die| die.index()).collect();
                self.spend(&dice);
            }
            Edit::Roll => self.roll(),
            Edit::Capture { on, to, friends } => match self.sole_tile(*on) {
                Some(tile) if self.emitter.all_stacks() => {
                    self.capture_from_stack(tile, *to, *friends);
                }
                _ => self.capture(*on, *to, *friends),
            },
            Edit::Clear(on) => {
                let on = self.set(*on);
                self.each_tile(on, Self::clear_tile);
            }
            Edit::Carry { from, to } => {
                let (from, to) = (self.copy_number(*from), self.copy_number(*to));
                self.when_tiles(&[from, to], |body| {
                    let lifted = body.lift(from);
                    body.land(lifted, to);
                });
            }
            Edit::Together(moves) => self.together(moves),
            Edit::Flag { on, set, clear } => self.flag(*on, (*set, *clear)),
            Edit::Mark { on, set, clear } => self.mark(*on, (*set, *clear)),
            Edit::Become { on, kind } => {
                self.trade(*on, Trade::Kind(kind.index() as u16));
            }
            Edit::Give { on, to } => {
                self.trade(*on, Trade::Owner(to.index() as u8));
            }
            Edit::Place { kind, owner, on } => self.place(kind.index(), owner.index(), *on),
            Edit::Variable { variable, of, to } => {
                let (value, range) = (self.copy_number(*to), self.range(*to));
                self.set_variable(variable.index(), of.index(), (value, range))?;
            }
            Edit::Turn { from, to } => self.give_turn(*from, *to),
            Edit::Die(die, shows) => self.turn_die(die.index(), *shows),
            Edit::Reset => self.reset(),
            Edit::Sow { from, map, skip, count } => {
                let steps = self.sow(*from, *map, *skip)?;
                if let Some((variable, of)) = count {
                    self.set_variable(variable.index(), of.index(), (steps, None))?;
                }
            }
            Edit::Shift { .. } => return unsupported("pieces of a set that move at once"),
            Edit::Custom(_) => return unsupported("an effect in Rust"),
        }
        Ok(())
    }

    /// Sets and clears flags of the pieces on a set.
    fn flag(&mut self, on: SetReg, changes: (u64, u64)) {
        let targets = self.occupied(on);
        for flag in 0..self.emitter.program.flags() {
            let plane = self.emitter.program.flag_plane(flag);
            self.mark_plane(targets, plane, ("flag keys", flag), changes);
        }
    }

    /// Sets and clears marks of the tiles of a set.
    fn mark(&mut self, on: SetReg, changes: (u64, u64)) {
        let targets = self.set(on);
        for mark in 0..self.emitter.program.marks() {
            let plane = self.emitter.program.mark_plane(mark);
            self.mark_plane(targets, plane, ("mark keys", mark), changes);
        }
    }

    /// Whether there are as many pieces as are put on tiles without a limit.
    fn supplies_stacks(&self) -> bool {
        let program = self.emitter.program;
        !self.emitter.all_exclusive() && (0..program.kinds()).any(|kind| program.is_unlimited(kind))
    }

    /// Shows a number on a die, held within its sides.
    fn turn_die(&mut self, die: usize, shows: NumReg) {
        let value = self.copy_number(shows);
        let sides = i64::from(self.emitter.program.dice()[die].1);
        self.clamp((value, None), 0, sides);
        self.set_die(die, value);
    }

    /// A local with the number of a register.
    pub(crate) fn copy_number(&mut self, register: NumReg) -> u32 {
        let local = self.asm.local64();
        self.push_number(register);
        self.asm.set(local);
        local
    }

    /// Runs code where locals hold tiles.
    fn when_tiles(&mut self, tiles: &[u32], fill: impl FnOnce(&mut Self)) {
        self.asm.i64(0);
        for &tile in tiles {
            self.asm.get(tile).op().i64_or();
        }
        self.asm.i64(0).op().i64_ge_s();
        self.asm.begin_if();
        fill(self);
        self.asm.leave();
    }

    /// Takes the first piece off a tile, into a local.
    fn lift(&mut self, tile: u32) -> u32 {
        let hash = self.hash();
        let (lift, lifted) = (self.emitter.want(Key::Lift(hash)), self.asm.local64());
        self.asm.get(self.state).get(tile).op().call(lift);
        self.asm.set(lifted);
        lifted
    }

    fn drop(&mut self, lifted: u32, tile: u32) {
        let hash = self.hash();
        let drop = self.emitter.want(Key::Drop(hash));
        self.asm.get(self.state).get(tile).get(lifted).op().call(drop);
    }

    /// Puts a piece, if it is one, onto a tile; who stands there alone goes.
    fn land(&mut self, lifted: u32, tile: u32) {
        self.asm.get(lifted).i64(0).op().i64_ne();
        self.asm.begin_if();
        self.make_room(tile);
        self.drop(lifted, tile);
        self.asm.leave();
    }

    fn make_room(&mut self, tile: u32) {
        if self.emitter.all_exclusive() {
            // Mostly nobody is there.
            self.push_held(tile);
            self.asm.begin_if();
            self.remove(tile);
            self.asm.leave();
            return;
        }
        push_is_stack(self.emitter, &mut self.asm, tile);
        self.asm.op().i32_eqz();
        self.asm.begin_if();
        self.lift(tile);
        self.asm.leave();
    }
}
