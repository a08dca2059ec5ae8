//! One of the legal events, for random play.
//!
//! Random play needs one event of a list. So batches are noted as they are found, with how many events
//! come before them, and only what it takes to tell the event at a place is written out: its target
//! where events lie in the order of the list, otherwise the events of its rule.

use senet_core::written::{Listing, Usage};

use crate::asm::{Asm, Label, value_at};
use crate::batch::{Batch, Source, Use};
use crate::event::{ARG_SHIFT, FROM_SHIFT, PICK, PUT, TO_SHIFT};
use crate::function::Body;
use crate::list::{LIST, by_case, by_phase, list_kind, list_otherwise, list_phase, trap_beyond};
use crate::module::{Emit, Emitter, Key, Mode, global};
use crate::usage::{DIE, DicePhase};

/// A note: what it is about, where the notes begin that are written out together with it, how many
/// events come before it, its source, and its targets.
const FORM: usize = 0;
const BEGIN: usize = 4;
const BEFORE: usize = 8;
const SOURCE: usize = 16;
const TARGETS: usize = 24;

/// What a note is about: events that were listed, whose address is the source; one event, which is
/// the source; or a batch, by its number.
const LISTED: i32 = 0;
const ONE: i32 = 1;
const FIRST_BATCH: i32 = 2;

/// Marks a batch in the order of the list, of which the source is an event but for its target.
const DIRECT: i32 = 1 << 30;
/// Marks events that must be put into order.
const UNORDERED: i32 = 1 << 29;

/// Marks moves by dice, of which the source is where they are noted together.
const DICE: i32 = 1 << 28;

/// Room for notes.
pub(crate) const NOTES: i32 = 1 << 17;

/// Parameters of the function that notes events: the state, where events go that are listed, whether
/// they are sorted, and where notes go.
const STATE: u32 = 0;
const OUT: u32 = 1;
const INTO: u32 = 3;

/// How many bytes a note takes.
fn size(emitter: &Emitter<'_>) -> i32 {
    (TARGETS + 8 * emitter.width) as i32
}

/// The function that notes the events of a state, whatever the endings say.
pub(crate) fn noted(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Noted);
    let first = asm.local32();
    asm.get(OUT).set(first);
    asm.i64(0).op().global_set(global::NOTED);
    let note = |emitter: &mut Emitter<'_>, asm: &mut Asm, phase, player| {
        note_phase(emitter, asm, (phase, player), first)
    };
    if crate::chance::rolls(emitter).is_empty() {
        by_phase(emitter, &mut asm, STATE, note)?;
    } else {
        // The phase that was found when it was asked whether chance is awaited.
        asm.op().global_get(global::CASE);
        asm.begin_if();
        asm.op().global_get(global::CASE);
        asm.i32(1).op().i32_sub();
        by_case(emitter, &mut asm, note)?;
        asm.leave();
    }
    asm.get(INTO);
    Ok(asm)
}

/// Notes the events of a phase: moves and puts in batches, the others as they are listed.
fn note_phase(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    first: u32,
) -> Emit {
    let shape = emitter.phases[phase].clone();
    let alone = shape.preprocesses || shape.ranked && !shape.counts_moves || shape.overlaps[1];
    if !alone && shape.usage != Usage::Free && only_moves(emitter, phase) {
        return note_by_dice(emitter, asm, (phase, player), first);
    }
    if alone || shape.usage != Usage::Free || shape.overlaps[0] {
        list_phase(emitter, asm, (phase, player), first)?;
        note_list(emitter, asm, first);
        return Ok(());
    }
    let program = emitter.program;
    for (kind, id) in [(0, program.moves(phase, player)), (1, program.puts(phase, player))] {
        if !shape.rules[kind].is_empty() {
            let note = emitter.want_lowered(id, Mode::Note);
            asm.get(STATE).get(INTO).op().call(note);
            asm.set(INTO);
        }
    }
    if shape.ranked {
        asm.op().global_get(global::NOTED).i64_eqz();
        asm.begin_if();
        list_phase(emitter, asm, (phase, player), first)?;
        asm.leave();
    } else {
        for kind in 2..shape.rules.len() {
            list_kind(emitter, asm, (phase, player), kind)?;
        }
    }
    if shape.has_otherwise && !shape.ranked {
        asm.op().global_get(global::NOTED).i64_eqz();
        asm.get(OUT).get(first).op().i32_eq().i32_and();
        list_otherwise(emitter, asm, (phase, player))?;
    }
    let listed = shape.rules[2..].iter().flatten();
    let plays = |rule: &usize| emitter.rules[*rule].listing == Listing::Play;
    if shape.has_otherwise || listed.copied().any(|rule| plays(&rule)) {
        note_list(emitter, asm, first);
    }
    Ok(())
}

/// Whether nothing can be played in a phase but moves, and what there is otherwise.
fn only_moves(emitter: &Emitter<'_>, phase: usize) -> bool {
    let plays = |rule: &usize| emitter.rules[*rule].listing == Listing::Play;
    !emitter.phases[phase].rules[1..].iter().flatten().any(plays)
}

/// Notes the events of a phase whose turns must use as much of the dice as they can. Where every move is
/// known to do so, from what is noted of all, none is listed.
fn note_by_dice(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    first: u32,
) -> Emit {
    let shape = emitter.phases[phase].clone();
    let moves = DicePhase::new(emitter, phase, player)?;
    let begin = asm.local32();
    asm.get(INTO).set(begin);
    let note = emitter.want_lowered(emitter.program.moves(phase, player), Mode::Note);
    asm.get(STATE).get(INTO).op().call(note);
    asm.set(INTO);
    let known = asm.begin_block();
    let list = asm.begin_block();
    if shape.overlaps[0] {
        // Two rules may accept the same move.
        asm.get(INTO).get(begin).op().i32_sub();
        asm.i32(size(emitter)).op().i32_gt_u();
        asm.br_if(list);
    }
    asm.get(INTO).get(begin).op().i32_eq();
    asm.br_if(known);
    moves.push_shown(emitter, asm, STATE);
    asm.i32(2 * DIE).op().i32_lt_u();
    asm.br_if(known);
    if !moves.independent.is_empty() {
        let noted = find_dice(emitter, asm, (begin, INTO), list);
        crate::tally::push_noted_use_all(&moves, emitter, asm, noted);
        asm.br_if(known);
    }
    asm.leave();
    asm.get(begin).set(INTO);
    asm.i64(0).op().global_set(global::NOTED);
    list_kind(emitter, asm, (phase, player), 0)?;
    asm.leave();
    if shape.has_otherwise {
        asm.op().global_get(global::NOTED).i64_eqz();
        asm.get(OUT).get(first).op().i32_eq().i32_and();
        list_otherwise(emitter, asm, (phase, player))?;
    }
    note_list(emitter, asm, first);
    Ok(())
}

/// A local with where moves by dice are noted together, which are all that is noted between two addresses;
/// branches where there is anything else, or nothing.
pub(crate) fn find_dice(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    (begin, end): (u32, u32),
    other: Label,
) -> u32 {
    asm.get(end).get(begin).op().i32_sub();
    asm.i32(size(emitter)).op().i32_ne();
    asm.br_if(other);
    asm.get(begin).op().i32_load(value_at(FORM, 2));
    asm.i32(DICE).op().i32_ne();
    asm.br_if(other);
    let noted = asm.local32();
    asm.get(begin).load(SOURCE).op().i32_wrap_i64();
    asm.set(noted);
    noted
}

/// Notes the events that were listed.
fn note_list(emitter: &Emitter<'_>, asm: &mut Asm, first: u32) {
    trap_beyond(asm, OUT, first, LIST);
    asm.get(OUT).get(first).op().i32_ne();
    asm.begin_if();
    asm.get(INTO).i32(LISTED).op().i32_store(value_at(FORM, 2));
    asm.get(INTO).get(INTO).op().i32_store(value_at(BEGIN, 2));
    asm.get(INTO).op().global_get(global::NOTED);
    asm.store(BEFORE);
    asm.get(INTO).get(first).op().i64_extend_i32_u();
    asm.store(SOURCE);
    asm.op().global_get(global::NOTED);
    asm.get(OUT).get(first).op().i32_sub();
    asm.i32(3).op().i32_shr_u().i64_extend_i32_u().i64_add().global_set(global::NOTED);
    asm.get(INTO).i32(size(emitter)).op().i32_add();
    asm.set(INTO);
    asm.leave();
}

impl Emitter<'_> {
    /// The number of a batch that is noted.
    pub(crate) fn noted_batch(&mut self, batch: Batch) -> i32 {
        let known = self.noted.iter().position(|one| *one == batch);
        let at = known.unwrap_or_else(|| {
            self.noted.push(batch);
            self.noted.len() - 1
        });
        at as i32
    }
}

impl Body<'_, '_> {
    /// Begins with what was noted so far.
    pub(crate) fn begin_notes(&mut self) {
        self.asm.op().global_get(global::NOTED);
        self.asm.set(self.total);
    }

    /// Leaves what was noted, with where the next note goes on the stack.
    pub(crate) fn end_notes(&mut self) {
        self.asm.get(self.total);
        self.asm.op().global_set(global::NOTED);
        self.asm.get(self.out);
    }

    /// Notes one event, whose word but for the rule is put on the stack.
    pub(crate) fn note_one(&mut self, push: impl FnOnce(&mut Self)) {
        self.write_note(ONE, |body| {
            push(body);
            body.asm.i64(body.rule as i64).op().i64_or();
        });
        self.asm.get(self.total).i64(1).op().i64_add();
        self.asm.set(self.total);
        self.asm.get(self.out).i32(size(self.emitter)).op().i32_add();
        self.asm.set(self.out);
    }

    /// Notes a batch whose source is put on the stack, of events that come so often for each target.
    pub(crate) fn note_batch(
        &mut self,
        source: Source,
        push: impl FnOnce(&mut Self),
        targets: u32,
        times: usize,
    ) {
        let in_place = times == 1 && !matches!(source, Source::Before(_));
        if self.ordered && in_place {
            let choice = self.emitter.code.choices[self.rule].first();
            let word = match source {
                Source::Put(kind) => PUT | i64::from(kind) << ARG_SHIFT,
                Source::Pick(action) => PICK | i64::from(action) << ARG_SHIFT,
                Source::Tile | Source::Before(_) => {
                    choice.map_or(0, |kind| (kind.index() as i64 + 1) << ARG_SHIFT)
                }
            };
            let word = word | self.rule as i64;
            self.write_note(DIRECT, |body| {
                if source == Source::Tile {
                    push(body);
                    body.asm.i64(FROM_SHIFT).op().i64_shl();
                    body.asm.i64(word).op().i64_or();
                } else {
                    body.asm.i64(word);
                }
            });
        } else {
            let batch = Batch { rule: self.rule as u16, player: 0, source, used: Use::List };
            let form = FIRST_BATCH + self.emitter.noted_batch(batch);
            self.write_note(form, push);
        }
        for word in 0..self.width() {
            self.asm.get(self.out).get(targets + word as u32).store(TARGETS + 8 * word);
        }
        let count = self.asm.local64();
        self.push_count(targets);
        if times > 1 {
            self.asm.i64(times as i64).op().i64_mul();
        }
        self.asm.tee(count).get(self.total).op().i64_add();
        self.asm.set(self.total);
        // An empty batch is overwritten by the next: whether one is empty is as good as random.
        self.asm.get(count).i64(0).op().i64_ne();
        self.asm.i32(size(self.emitter)).op().i32_mul();
        self.asm.get(self.out).op().i32_add();
        self.asm.set(self.out);
    }

    /// Notes moves by dice that lie at an address together, the last of all so far; a local has how many
    /// come before them.
    pub(crate) fn note_found(&mut self, at: usize, before: u32) {
        let total = std::mem::replace(&mut self.total, before);
        self.write_note(DICE, |body| {
            body.asm.i64(at as i64);
        });
        self.total = total;
        self.asm.get(self.total).get(before).op().i64_ne();
        self.asm.i32(size(self.emitter)).op().i32_mul();
        self.asm.get(self.out).op().i32_add();
        self.asm.set(self.out);
    }

    fn write_note(&mut self, form: i32, source: impl FnOnce(&mut Self)) {
        let (out, total) = (self.out, self.total);
        let (form, begin) = match self.ordered {
            true => (form, out),
            false => (form | UNORDERED, self.first),
        };
        self.asm.get(out).i32(form).op().i32_store(value_at(FORM, 2));
        self.asm.get(out).get(begin).op().i32_store(value_at(BEGIN, 2));
        self.asm.get(out).get(total).store(BEFORE);
        self.asm.get(out);
        source(self);
        self.asm.store(SOURCE);
    }
}

/// The function that gives the event at a place, counted from 0: of the notes from an address to
/// another, which have one there.
pub(crate) fn drawn(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Drawn);
    let (end, place) = (0, 1);
    let [note, form, begin, out] = std::array::from_fn(|_| asm.local32());
    let (size, width) = (size(emitter), emitter.width);
    let (tile_at, expand, sort) =
        (emitter.want(Key::TileAt), emitter.want(Key::Expand), emitter.want(Key::Sort));
    asm.get(end).set(note);
    asm.repeat(|asm, again| {
        asm.get(note).i32(size).op().i32_sub();
        asm.tee(note).load(BEFORE).get(place).op().i64_gt_u();
        asm.br_if(again);
    });
    asm.get(note).op().i32_load(value_at(BEGIN, 2));
    asm.set(begin);
    asm.get(place).get(begin).load(BEFORE).op().i64_sub();
    asm.set(place);
    asm.get(note).op().i32_load(value_at(FORM, 2));
    asm.tee(form).i32(DIRECT).op().i32_and();
    asm.begin_if();
    for word in 0..width {
        asm.get(note).load(TARGETS + 8 * word);
    }
    asm.get(place).op().call(tile_at);
    asm.i64(TO_SHIFT).op().i64_shl();
    asm.get(note).load(SOURCE).op().i64_or().return_();
    asm.leave();
    return_if_by_dice(emitter, &mut asm, (note, form, place));
    let push_place = |asm: &mut Asm| {
        asm.get(place).op().i32_wrap_i64();
        asm.i32(3).op().i32_shl().i32_add();
        asm.load(0).op().return_();
    };
    asm.get(form).i32(ONE).op().i32_eq();
    asm.begin_if();
    asm.get(note).load(SOURCE).op().return_();
    asm.leave();
    asm.get(form).i32(LISTED).op().i32_eq();
    asm.begin_if();
    asm.get(note).load(SOURCE).op().i32_wrap_i64();
    push_place(&mut asm);
    asm.leave();
    // Behind the notes, the events of all that begin together.
    asm.get(end).set(out);
    asm.get(begin).set(note);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(note).get(out).op().call(expand);
            asm.set(out);
            asm.get(note).i32(size).op().i32_add();
            asm.tee(note).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(note).op().i32_load(value_at(BEGIN, 2));
            asm.get(begin).op().i32_eq();
            asm.br_if(again);
        });
    });
    asm.get(form).i32(UNORDERED).op().i32_and();
    asm.begin_if();
    asm.get(end).get(out).op().call(sort);
    asm.leave();
    asm.get(end);
    push_place(&mut asm);
    asm.op().unreachable();
    asm
}

/// Returns the event at a place of a note that is about moves by dice.
fn return_if_by_dice(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (note, form, place): (u32, u32, u32),
) {
    if emitter.rules.iter().all(|rule| rule.dice.is_empty()) {
        return;
    }
    let by_dice = emitter.want(Key::DrawnByDice);
    asm.get(form).i32(DICE).op().i32_and();
    asm.begin_if();
    asm.get(note).load(SOURCE).op().i32_wrap_i64();
    asm.get(place).op().call(by_dice).return_();
    asm.leave();
}

/// The function that writes out the events of a note. It is written when every batch is known.
pub(crate) fn expand(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Expand);
    let (note, out, width) = (0, 1, emitter.width);
    let batches = emitter.noted.clone();
    let lists: Vec<u32> = batches.iter().map(|&one| emitter.want(Key::Batch(one))).collect();
    asm.get(note).op().i32_load(value_at(FORM, 2));
    asm.i32(UNORDERED - 1).op().i32_and();
    asm.i32(ONE).op().i32_sub();
    asm.switch(1 + lists.len(), |asm, case| {
        let Some(&list) = case.checked_sub(1).and_then(|at| lists.get(at)) else {
            asm.get(out).get(note).load(SOURCE).store(0);
            asm.get(out).i32(8).op().i32_add();
            asm.set(out);
            return;
        };
        asm.get(out).get(note).load(SOURCE);
        for word in 0..width {
            asm.get(note).load(TARGETS + 8 * word);
        }
        asm.op().call(list);
        asm.set(out);
    });
    asm.get(out);
    asm
}

/// The function that gives the tile at a place of a set, counted from 0; the set has one there.
pub(crate) fn tile_at(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::TileAt);
    let width = emitter.width as u32;
    let place = width;
    let (word, tile, count) = (asm.local64(), asm.local64(), asm.local64());
    asm.get(0).set(word);
    // Words before the one with the place are left behind.
    let found = asm.begin_block();
    for next in 1..width {
        asm.get(word).op().i64_popcnt();
        asm.tee(count).get(place).op().i64_gt_u();
        asm.br_if(found);
        asm.get(place).get(count).op().i64_sub();
        asm.set(place);
        asm.get(next).set(word);
        asm.i64(64 * i64::from(next)).set(tile);
    }
    asm.leave();
    let table = emitter.table("bits", 0, |emitter| emitter.memory.bytes(bits_of_bytes()));
    push_bit_at(&mut asm, word, place, table);
    asm.get(tile).op().i64_add();
    asm
}

/// One in each byte.
const ONES: i64 = 0x0101_0101_0101_0101;
/// The upper bit of each byte.
const UPPER: i64 = ONES << 7;

/// The place of the bit of a word that so many others come before, on the stack. Which it is is as good
/// as random, so there is no branch: the byte is found by sums of bits, the bit in it by a table.
fn push_bit_at(asm: &mut Asm, word: u32, place: u32, table: usize) {
    let (sums, shift) = (asm.local64(), asm.local64());
    let in_fields = |asm: &mut Asm, bits: i64, mask: i64| {
        asm.get(sums).i64(mask).op().i64_and();
        asm.get(sums).i64(bits).op().i64_shr_u();
        asm.i64(mask).op().i64_and().i64_add();
        asm.set(sums);
    };
    asm.get(word).set(sums);
    in_fields(asm, 1, 0x5555_5555_5555_5555);
    in_fields(asm, 2, 0x3333_3333_3333_3333);
    in_fields(asm, 4, 0x0f0f_0f0f_0f0f_0f0f);
    // How many bits each byte and those below it have.
    asm.get(sums).i64(ONES).op().i64_mul();
    asm.set(sums);
    // Eight for every byte that ends before the bit.
    asm.get(place).i64(ONES).op().i64_mul();
    asm.i64(UPPER).op().i64_or();
    asm.get(sums).op().i64_sub();
    asm.i64(UPPER).op().i64_and().i64_popcnt();
    asm.i64(3).op().i64_shl();
    asm.tee(shift);
    // The place within the byte, and the byte.
    asm.get(place);
    asm.get(sums).i64(8).op().i64_shl();
    asm.get(shift).op().i64_shr_u();
    asm.i64(0xff).op().i64_and().i64_sub();
    asm.i64(8).op().i64_shl();
    asm.get(word).get(shift).op().i64_shr_u();
    asm.i64(0xff).op().i64_and().i64_or();
    asm.op().i32_wrap_i64().i64_load8_u(value_at(table, 0));
    asm.op().i64_add();
}

/// For each place and byte, which bit of the byte has that place.
fn bits_of_bytes() -> Vec<u8> {
    let bit_at = |place: usize, byte: u32| {
        let bits = (0..8u8).filter(|bit| byte >> bit & 1 == 1);
        bits.into_iter().nth(place).unwrap_or(0)
    };
    (0..8).flat_map(|place| (0..256).map(move |byte| bit_at(place, byte))).collect()
}
