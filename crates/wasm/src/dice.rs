//! Moves by dice of a whole rule at once: for each number the set of tiles whose pieces it moves.

use senet_core::ir::{NumReg, SetReg, TrackId};

use crate::asm::{Asm, value_at};
use crate::event::{ARG_SHIFT, BY_DICE, FROM_SHIFT, TO_SHIFT};
use crate::function::{Body, locals};
use crate::module::{Emitter, Key, Mode};
use crate::set::next_tile;

/// Into how many groups of tiles that are led equally far a number may divide a board of one word before
/// its sources are found tile by tile.
const MAX_GROUPS: usize = 4;

/// A die, in locals: what it shows, or 0 where it leads nowhere or one before it shows the same, and the
/// first word of the set of tiles whose pieces it moves.
#[derive(Clone, Copy)]
struct Die {
    pips: u32,
    sources: u32,
}

/// What random play notes of the moves of a rule: the address of the row of the first tile in its table
/// of targets, how long a row is, and up to which die any moves a piece. Then for each die its event but
/// for the tiles, and its sources.
const ROWS: usize = 0;
const ROW: usize = 4;
const USED: usize = 8;
const DICE: usize = 16;

/// Bytes of one die in such a note.
fn die_bytes(emitter: &Emitter<'_>) -> usize {
    8 + 8 * emitter.width
}

/// The most dice that a rule about moves is by.
fn most_dice(emitter: &Emitter<'_>) -> usize {
    emitter.rules.iter().map(|rule| rule.dice.len()).max().unwrap_or(0)
}

impl Emitter<'_> {
    /// The table of targets of a track: where the row of the first tile begins. Rows are by number from
    /// 0, which leads nowhere, and the row before the first is that of no tile.
    pub(crate) fn track_rows(&mut self, track: TrackId) -> (usize, usize) {
        let at = track.index();
        let row = 2 * (self.code.tracks[at].sides + 1);
        let table = self.table("track", at, |emitter| {
            let track = &emitter.code.tracks[at];
            let mut targets = vec![u16::MAX; track.sides + 1];
            for row in track.targets.chunks(track.sides.max(1)) {
                targets.push(u16::MAX);
                targets.extend_from_slice(row);
            }
            emitter.memory.shorts(&targets) + row
        });
        (table, row)
    }

    /// For each group of a track, by number, the tiles that it leads equally far, and how far: none where
    /// there are too many groups or a set has several words.
    pub(crate) fn track_groups(&mut self, track: TrackId) -> Vec<usize> {
        if self.width > 1 {
            return Vec::new();
        }
        let code = self.code;
        let track_of = &code.tracks[track.index()];
        let by_number: Vec<Vec<(u32, u64)>> = (0..=track_of.sides)
            .map(|pips| {
                let mut groups: Vec<(u32, u64)> = Vec::new();
                for from in 0..code.tiles {
                    let Some(to) = track_of.target(from, pips as i64) else { continue };
                    let by = (to as u32).wrapping_sub(from as u32) % 64;
                    match groups.iter_mut().find(|(known, _)| *known == by) {
                        Some((_, tiles)) => *tiles |= 1 << from,
                        None => groups.push((by, 1 << from)),
                    }
                }
                groups
            })
            .collect();
        let most = by_number.iter().map(Vec::len).max().unwrap_or(0);
        if most > MAX_GROUPS {
            return Vec::new();
        }
        let group = |at: usize| {
            let rows =
                by_number.iter().map(move |groups| groups.get(at).copied().unwrap_or((0, 0)));
            rows.flat_map(|(by, tiles)| [tiles, by.into()]).collect::<Vec<u64>>()
        };
        let tables = (0..most).map(group).collect::<Vec<_>>();
        let names = ["track group 1", "track group 2", "track group 3", "track group 4"];
        let tables = names.into_iter().zip(tables);
        tables
            .map(|(name, table)| {
                self.table(name, track.index(), |emitter| emitter.memory.words(&table))
            })
            .collect()
    }

    /// Where random play notes the moves of a rule by a track.
    fn dice_note(&mut self, track: TrackId) -> usize {
        let bytes = DICE + die_bytes(self) * most_dice(self);
        self.table("dice note", track.index(), |emitter| emitter.memory.room(bytes))
    }
}

impl Body<'_, '_> {
    /// The moves from tiles of a set onto tiles of another by each number that dice show.
    pub(crate) fn emit_dice(
        &mut self,
        (from, onto): (SetReg, SetReg),
        track: TrackId,
        dice: &[NumReg],
    ) {
        if let Mode::Results(player) = self.mode {
            return self.count_results(onto, track, dice, player.into());
        }
        let (from, onto) = (self.set(from), self.set(onto));
        let dice = self.find_sources((from, onto), track, dice);
        match self.mode {
            Mode::Exists => {
                for die in &dice {
                    self.leave_if_any(die.sources);
                }
            }
            Mode::Count => self.tally_dice(&dice),
            Mode::List => {
                let all = dice.clone();
                self.either(
                    |body| body.tally_dice(&all),
                    |body| body.each_by_dice(track, &dice, Self::list_by_die),
                );
            }
            Mode::Note if self.ordered => self.note_dice(track, &dice),
            Mode::Note => self.each_by_dice(track, &dice, |body, by| {
                body.where_it_moves(by, |body| {
                    body.note_one(|body| body.push_by_die(by));
                });
            }),
            Mode::Walk(hash, player) => self.each_by_dice(track, &dice, |body, by| {
                body.where_it_moves(by, |body| {
                    body.descend(hash, player, |body| {
                        body.asm.get(by.from).get(by.to).i64(-1);
                        body.asm.get(by.die.pips).op().i64_extend_i32_u();
                    });
                });
            }),
            Mode::Answer | Mode::Find | Mode::Make(_) | Mode::Results(_) => {}
        }
    }

    /// Finds for each die the tiles whose pieces it moves.
    fn find_sources(&mut self, of: (u32, u32), track: TrackId, dice: &[NumReg]) -> Vec<Die> {
        let width = self.width();
        let found: Vec<Die> = (0..dice.len())
            .map(|_| Die { pips: self.asm.local32(), sources: locals(&mut self.asm, width) })
            .collect();
        for (die, &shown) in found.iter().zip(dice) {
            self.push_number(shown);
            self.asm.op().i32_wrap_i64();
            self.asm.set(die.pips);
            self.clear(die.sources);
        }
        // Mostly few dice show anything, and those are the first.
        for at in 0..found.len() {
            if at > 0 {
                self.asm.i32(0);
                for die in &found[at..] {
                    self.asm.get(die.pips).op().i32_or();
                }
                self.asm.begin_if();
            }
            for earlier in &dice[..at] {
                self.asm.i32(0).get(found[at].pips);
                self.push_number(*earlier);
                self.asm.op().i32_wrap_i64();
                self.asm.get(found[at].pips).op().i32_eq().select();
                self.asm.set(found[at].pips);
            }
            self.find_sources_of(of, track, found[at]);
        }
        for _ in 1..found.len() {
            self.asm.leave();
        }
        found
    }

    fn find_sources_of(&mut self, (from, onto): (u32, u32), track: TrackId, die: Die) {
        let groups = self.emitter.track_groups(track);
        if groups.is_empty() {
            return self.find_sources_by_tile((from, onto), track, die);
        }
        let at = self.asm.local32();
        self.asm.get(die.pips).i32(4).op().i32_shl();
        self.asm.set(at);
        self.asm.i64(0);
        for table in groups {
            self.asm.get(onto).get(at).load(table + 8).op().i64_rotr();
            self.asm.get(at).load(table).op().i64_and().i64_or();
        }
        self.asm.get(from).op().i64_and();
        self.asm.set(die.sources);
    }

    fn find_sources_by_tile(&mut self, (from, onto): (u32, u32), track: TrackId, die: Die) {
        let (left, tile, to) = (self.spare_set(), self.asm.local64(), self.asm.local64());
        self.copy(left, from);
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        next_tile(&mut self.asm, self.emitter.width, left, tile, done);
        self.push_target(track, (tile, die.pips));
        self.asm.set(to);
        self.asm.get(to).i64(0).op().i64_ge_s();
        self.asm.begin_if();
        self.push_has(onto, to);
        self.asm.begin_if();
        self.insert(die.sources, tile);
        self.asm.leave();
        self.asm.leave();
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
    }

    /// Where the number in a local leads from the tile in another, on the stack.
    pub(crate) fn push_target(&mut self, track: TrackId, (tile, pips): (u32, u32)) {
        let (rows, row) = self.emitter.track_rows(track);
        self.asm.get(tile).op().i32_wrap_i64();
        self.asm.i32(row as i32).op().i32_mul();
        self.asm.get(pips).i32(1).op().i32_shl().i32_add();
        self.asm.op().i64_load16_s(value_at(rows, 1));
    }

    fn tally_dice(&mut self, dice: &[Die]) {
        for die in dice {
            self.push_count(die.sources);
            self.asm.get(self.total).op().i64_add();
            self.asm.set(self.total);
        }
    }

    /// Runs code for each tile from which a die moves a piece and each die, whether it does or not.
    fn each_by_dice(&mut self, track: TrackId, dice: &[Die], fill: impl Fn(&mut Self, ByDie)) {
        let (left, from, to) = (self.spare_set(), self.asm.local64(), self.asm.local64());
        for word in 0..self.width() as u32 {
            self.asm.i64(0);
            for die in dice {
                self.asm.get(die.sources + word).op().i64_or();
            }
            self.asm.set(left + word);
        }
        let done = self.asm.begin_block();
        let again = self.asm.begin_loop();
        next_tile(&mut self.asm, self.emitter.width, left, from, done);
        for (at, &die) in dice.iter().enumerate() {
            if at > 0 {
                self.asm.get(die.pips);
                self.asm.begin_if();
            }
            self.push_target(track, (from, die.pips));
            self.asm.set(to);
            fill(self, ByDie { die, from, to });
            if at > 0 {
                self.asm.leave();
            }
        }
        self.asm.br(again);
        self.asm.leave();
        self.asm.leave();
    }

    /// Writes down a move in any case, and lets the list grow where it is one: whether it is is as good as
    /// random.
    fn list_by_die(&mut self, by: ByDie) {
        self.asm.get(self.out);
        self.push_by_die(by);
        self.asm.i64(self.rule as i64).op().i64_or();
        self.asm.store(0);
        self.push_has(by.die.sources, by.from);
        self.asm.i32(3).op().i32_shl();
        self.asm.get(self.out).op().i32_add();
        self.asm.set(self.out);
    }

    /// The word of a move without its rule, on the stack.
    fn push_by_die(&mut self, by: ByDie) {
        self.asm.get(by.from).i64(FROM_SHIFT).op().i64_shl();
        self.asm.get(by.to).i64(TO_SHIFT).op().i64_shl().i64_or();
        push_argument(&mut self.asm, by.die.pips);
        self.asm.op().i64_or();
    }

    fn where_it_moves(&mut self, by: ByDie, fill: impl FnOnce(&mut Self)) {
        self.push_has(by.die.sources, by.from);
        self.asm.begin_if();
        fill(self);
        self.asm.leave();
    }

    /// Notes the moves of a rule for random play.
    fn note_dice(&mut self, track: TrackId, dice: &[Die]) {
        let (note, bytes) = (self.emitter.dice_note(track), die_bytes(self.emitter));
        let (rows, row) = self.emitter.track_rows(track);
        let store = |body: &mut Self, at: usize, push: &dyn Fn(&mut Asm)| {
            body.asm.i32(note as i32);
            push(&mut body.asm);
            body.asm.op().i32_store(value_at(at, 2));
        };
        store(self, ROWS, &|asm: &mut Asm| {
            asm.i32(rows as i32);
        });
        store(self, ROW, &|asm: &mut Asm| {
            asm.i32(row as i32);
        });
        let (used, width) = (self.asm.local32(), self.width() as u32);
        self.asm.i32(0).set(used);
        for (at, die) in dice.iter().enumerate() {
            self.asm.i32(at as i32 + 1).get(used);
            self.push_any(die.sources);
            self.asm.op().select();
            self.asm.set(used);
        }
        store(self, USED, &|asm: &mut Asm| {
            asm.get(used);
        });
        for at in 0..most_dice(self.emitter) {
            let base = note + DICE + at * bytes;
            let Some(die) = dice.get(at) else {
                for word in 0..width {
                    self.asm.i32(0).i64(0).store(base + 8 + 8 * word as usize);
                }
                continue;
            };
            self.asm.i32(0);
            push_argument(&mut self.asm, die.pips);
            self.asm.i64(self.rule as i64).op().i64_or();
            self.asm.store(base);
            for word in 0..width {
                self.asm.i32(0).get(die.sources + word).store(base + 8 + 8 * word as usize);
            }
        }
        let before = self.asm.local64();
        self.asm.get(self.total).set(before);
        self.tally_dice(dice);
        self.note_found(note, before);
    }
}

/// A move by a die, in locals.
#[derive(Clone, Copy)]
struct ByDie {
    die: Die,
    from: u32,
    to: u32,
}

/// The argument of a move by the number in a local, where it stands in an event, on the stack.
fn push_argument(asm: &mut Asm, pips: u32) {
    asm.get(pips).i32(BY_DICE as i32).op().i32_or().i64_extend_i32_u();
    asm.i64(ARG_SHIFT).op().i64_shl();
}

/// How many of the moves noted at the address in a local are by the die at a place, on the stack.
pub(crate) fn push_noted(emitter: &Emitter<'_>, asm: &mut Asm, note: u32, die: usize) {
    if die >= most_dice(emitter) {
        asm.i64(0);
        return;
    }
    push_noted_word(emitter, asm, note, (die, 0));
    asm.op().i64_popcnt();
    for word in 1..emitter.width {
        push_noted_word(emitter, asm, note, (die, word));
        asm.op().i64_popcnt().i64_add();
    }
}

/// A word of the sources of a die that are noted, on the stack.
pub(crate) fn push_noted_word(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    note: u32,
    (die, word): (usize, usize),
) {
    asm.get(note).load(DICE + die * die_bytes(emitter) + 8 + 8 * word);
}

/// The word of the first die of a note, which is its event but for the tiles, on the stack.
pub(crate) fn push_noted_die(asm: &mut Asm, note: u32) {
    asm.get(note).load(DICE);
}

/// The function that gives the move at a place of those noted at an address, counted from 0.
pub(crate) fn drawn_by_dice(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::DrawnByDice);
    let (note, place) = (0, 1);
    let [tile, word] = std::array::from_fn(|_| asm.local64());
    let tile_at = emitter.want(Key::TileAt);
    let most = most_dice(emitter);
    // Most turns have one or two numbers left.
    let mut variants = vec![1, 2, most];
    variants.retain(|&used| used <= most);
    variants.dedup();
    let found = asm.begin_block();
    for &used in &variants {
        let last = used == most;
        if !last {
            asm.get(note).op().i32_load(value_at(USED, 2));
            asm.i32(used as i32).op().i32_le_u();
            asm.begin_if();
        }
        if used == 1 {
            for word in 0..emitter.width {
                push_noted_word(emitter, &mut asm, note, (0, word));
            }
            asm.get(place).op().call(tile_at);
            asm.set(tile);
            asm.get(note).load(DICE).set(word);
        } else {
            find_drawn(emitter, &mut asm, (note, place), (tile, word), used);
        }
        asm.br(found);
        if !last {
            asm.leave();
        }
    }
    asm.leave();
    push_noted_event(&mut asm, note, (word, tile));
    asm
}

/// The move of the piece on the tile in a local by the die whose word is in another, of those noted at the
/// address in a third, on the stack.
pub(crate) fn push_noted_event(asm: &mut Asm, note: u32, (word, tile): (u32, u32)) {
    asm.get(word);
    asm.get(tile).i64(FROM_SHIFT).op().i64_shl().i64_or();
    asm.get(note).op().i32_load(value_at(ROWS, 2));
    asm.get(tile).op().i32_wrap_i64();
    asm.get(note).op().i32_load(value_at(ROW, 2)).i32_mul().i32_add();
    asm.get(word).i64(ARG_SHIFT).op().i64_shr_u().i32_wrap_i64();
    asm.i32(BY_DICE as i32 - 1).op().i32_and();
    asm.i32(1).op().i32_shl().i32_add();
    asm.op().i64_load16_u(value_at(0, 1));
    asm.i64(TO_SHIFT).op().i64_shl().i64_or();
}

/// Finds the tile of the move at a place and the word of its die, going through the tiles of the first
/// dice.
fn find_drawn(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    (note, place): (u32, u32),
    (tile, word): (u32, u32),
    dice: usize,
) {
    let sources: Vec<u32> = (0..dice).map(|_| asm.local64()).collect();
    let (left, moves, at) = (asm.local64(), asm.local64(), asm.local64());
    let here = asm.begin_block();
    for part in 0..emitter.width {
        asm.i64(0);
        for (die, &set) in sources.iter().enumerate() {
            push_noted_word(emitter, asm, note, (die, part));
            asm.tee(set).op().i64_or();
        }
        asm.set(left);
        let next = asm.begin_block();
        let again = asm.begin_loop();
        next_tile(asm, 1, left, at, next);
        asm.i64(0);
        for &set in &sources {
            asm.get(set).get(at).op().i64_shr_u();
            asm.i64(1).op().i64_and().i64_add();
        }
        asm.set(moves);
        asm.get(at).i64(64 * part as i64).op().i64_add();
        asm.set(tile);
        asm.get(place).get(moves).op().i64_lt_u();
        asm.br_if(here);
        asm.get(place).get(moves).op().i64_sub();
        asm.set(place);
        asm.br(again);
        asm.leave();
        asm.leave();
    }
    asm.leave();
    // Of the dice that move its piece, the one at the place that is left.
    let chosen = asm.begin_block();
    for (die, &set) in sources.iter().enumerate() {
        asm.get(note).load(DICE + die * die_bytes(emitter)).set(word);
        asm.get(set).get(at).op().i64_shr_u();
        asm.i64(1).op().i64_and();
        asm.tee(moves).get(place).op().i64_gt_u();
        asm.br_if(chosen);
        asm.get(place).get(moves).op().i64_sub();
        asm.set(place);
    }
    asm.leave();
}
