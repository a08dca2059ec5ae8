//! Carrying out a listed event, and how a game ends.

use senet_core::ir::{FunctionId, Op, visit};
use senet_core::program::{Turns, Wants};
use senet_core::written::Listing;

use crate::asm::{Asm, value_at};
use crate::event::{ARG_SHIFT, TO_SHIFT, push_parts};
use crate::list::{by_phase, push_mover, push_stops};
use crate::module::{Emit, Emitter, HOST, Hash, Key, Mode, global, unsupported};

const STATE: u32 = 0;
const EVENT: u32 = 1;

/// The function that carries out a listed event.
pub(crate) fn play(emitter: &mut Emitter<'_>, hash: Hash) -> Asm {
    let mut asm = emitter.asm(Key::Play(hash));
    let players = emitter.program.seats();
    asm.get(EVENT).op().i32_wrap_i64();
    asm.i32(0xffff).op().i32_and();
    asm.i32(players as i32).op().i32_mul();
    push_mover(emitter, &mut asm, STATE);
    asm.op().i32_add();
    asm.switch(emitter.rules.len() * players, |asm, at| {
        let (rule, player) = (at / players, at % players);
        let functions = emitter.program.rule_functions(rule, player);
        let make = emitter.want_lowered(functions.make, Mode::Make(hash));
        let turns = emitter.program.turns(functions.make);
        if turns == Turns::Sometimes && emitter.tells_turns {
            asm.i32(0).op().global_set(global::TURNED);
        }
        asm.get(STATE);
        push_parts(asm, EVENT, emitter.rules[rule].wants);
        asm.op().call(make);
        match turns {
            Turns::Always => {}
            Turns::Sometimes if emitter.tells_turns => {
                asm.op().global_get(global::TURNED).i32_eqz();
                asm.begin_if();
                asm.op().return_();
                asm.leave();
            }
            Turns::Sometimes | Turns::Never => {
                asm.op().return_();
            }
        }
    });
    settle(emitter, &mut asm, STATE, (hash, Within::Play));
    asm
}

/// The function that carries out an event of which the rule is not known, if it is legal, with room for
/// a list behind the state. It gives the number of the rule plus one; 0 where the event is not legal,
/// and -1 where the room is too small to say.
pub(crate) fn attempt(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Attempt);
    let (list, event) = (1, 2);
    let (end, word) = (asm.local32(), asm.local64());
    let [onto, play] = [Key::Onto, Key::Play(Hash::Kept)].map(|key| emitter.want(key));
    asm.get(STATE).get(list).get(event).i64(TO_SHIFT).op().i64_shr_u();
    asm.i64(0xffff).op().i64_and().call(onto);
    asm.tee(end).get(STATE).i32(HOST as i32).op().i32_add().i32_gt_u();
    asm.begin_if();
    asm.i32(-1).op().return_();
    asm.leave();
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(list).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(list).load(0).tee(word).get(event).op().i64_xor();
            asm.i64(ARG_SHIFT).op().i64_shr_u().i64_eqz();
            asm.begin_if();
            asm.get(STATE).get(word).op().call(play);
            asm.get(word).op().i32_wrap_i64();
            asm.i32(0xffff).op().i32_and();
            asm.i32(1).op().i32_add().return_();
            asm.leave();
            asm.get(list).i32(8).op().i32_add();
            asm.set(list);
            asm.br(again);
        });
    });
    asm.i32(0);
    asm
}

/// What has no form, where flags are cleared at the end of a turn.
const SOMETIMES: &str = "an effect that tries events and gives the turn in some states alone";

impl Emitter<'_> {
    /// Whether it must be noted that an event gives the turn to somebody: flags clear then, and some events
    /// do so in some states alone.
    pub(crate) fn must_tell_turns(&self) -> Emit<bool> {
        let program = self.program;
        let plays = |rule: &usize| self.rules[*rule].listing != Listing::Aside;
        let rules = (0..self.rules.len()).filter(plays);
        let makes = rules.flat_map(|rule| {
            (0..program.seats()).map(move |seat| program.rule_functions(rule, seat).make)
        });
        let depends = |make: &FunctionId| program.turns(*make) == Turns::Sometimes;
        let makes: Vec<FunctionId> = makes.filter(depends).collect();
        if makes.is_empty() || program.serving().is_empty() {
            return Ok(false);
        }
        // Other events would be noted too.
        let mut tries = false;
        for make in makes {
            visit(&self.code.functions[make.index()].body, &mut |op| {
                tries |= matches!(op, Op::Stuck(_) | Op::StuckInRule(_) | Op::Trial { .. });
            });
        }
        if tries { unsupported(SOMETIMES) } else { Ok(true) }
    }
}

/// The function that clears the flags whose time is over, of a state with its hash.
pub(crate) fn settled(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Settle);
    settle(emitter, &mut asm, STATE, (Hash::Kept, Within::Tree));
    asm
}

/// Where an event is carried out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// In a tree: where play cannot come to a stop, it was asked at the root whether it has.
    Tree,
    /// Anywhere.
    Play,
}

/// Clears the flags whose time is over once an event has ended a turn.
pub(crate) fn settle(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    state: u32,
    (hash, within): (Hash, Within),
) {
    for (flag, rules) in emitter.program.serving() {
        let seen = within == Within::Play || hash == Hash::Kept;
        if seen || !emitter.program.serves_alone(flag) {
            clear_if_idle(emitter, asm, state, (flag, &rules), (hash, within));
        }
    }
}

/// Clears a flag where the rules it serves have no event.
fn clear_if_idle(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    state: u32,
    (flag, rules): (usize, &[usize]),
    (hash, within): (Hash, Within),
) {
    let plane = emitter.program.flag_plane(flag);
    asm.i64(0);
    for word in 0..emitter.width {
        asm.get(state).load((plane + word) * 8).op().i64_or();
    }
    asm.i64(0).op().i64_ne();
    asm.begin_if();
    let keep = asm.begin_block();
    let idle = asm.begin_block();
    if within == Within::Play || emitter.program.can_come_to_stop() {
        push_stops(emitter, asm, state);
        asm.br_if(idle);
    }
    for &rule in rules {
        let can_fire = emitter.want(Key::CanFire(rule as u16));
        asm.get(state).op().call(can_fire);
        asm.br_if(keep);
    }
    asm.leave();
    if hash == Hash::Kept {
        fold_plane(emitter, asm, state, flag);
    }
    for word in 0..emitter.width {
        asm.get(state).i64(0).store((plane + word) * 8);
    }
    asm.leave();
    asm.leave();
}

/// The function that says whether a rule has an event.
pub(crate) fn can_fire(emitter: &mut Emitter<'_>, rule: u16) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::CanFire(rule));
    let (found, rule) = (asm.local32(), usize::from(rule));
    let shape = emitter.rules[rule].clone();
    let asked = matches!(shape.wants, Wants::Roll { .. } | Wants::Act(_));
    if shape.closes || asked {
        return unsupported("a flag that serves a rule on which other events have a say");
    }
    by_phase(emitter, &mut asm, STATE, |emitter, asm, phase, player| {
        if phase == shape.phase {
            let generate = emitter.program.rule_functions(rule, player).generate;
            let exists = emitter.want_lowered(generate, Mode::Exists);
            asm.get(STATE).op().call(exists);
            asm.set(found);
        }
        Ok(())
    })?;
    asm.get(found);
    Ok(asm)
}

/// Takes the keys of a flag into the hash, for every tile where it is set.
pub(crate) fn fold_plane(emitter: &mut Emitter<'_>, asm: &mut Asm, state: u32, flag: usize) {
    let (plane, keys) = (emitter.program.flag_plane(flag), emitter.flag_keys(flag));
    for word in 0..emitter.width {
        let (left, tile) = (asm.local64(), asm.local64());
        asm.get(state).load((plane + word) * 8).set(left);
        asm.block(|asm, done| {
            asm.repeat(|asm, again| {
                crate::set::next_tile(asm, 1, left, tile, done);
                asm.get(tile).op().i32_wrap_i64();
                asm.i32(word as i32 * 64).op().i32_add();
                asm.i32(4).op().i32_shl();
                asm.i32(keys as i32).op().i32_add();
                emitter.fold_key(asm, state);
                asm.br(again);
            });
        });
    }
}

/// The function that says which ending holds: its number plus one, and whose it is from bit 8 on.
pub(crate) fn outcome(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    endings(emitter, Key::Outcome)
}

/// The same where there is a legal event, so that nobody is stuck and play has not stopped.
pub(crate) fn ending(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    endings(emitter, Key::Ending)
}

/// How many bits of an answer are the number of an ending, from 1; the player for whom it holds follows.
pub(crate) const ENDING_BITS: usize = 8;
pub(crate) const ENDINGS: usize = (1 << ENDING_BITS) - 1;

fn endings(emitter: &mut Emitter<'_>, key: Key) -> Emit<Asm> {
    let mut asm = emitter.asm(key);
    if emitter.program.endings().len() > ENDINGS {
        return unsupported("a game with this many endings");
    }
    for (at, shape) in emitter.program.endings().into_iter().enumerate() {
        if key == Key::Ending && shape.stops {
            continue;
        }
        for player in 0..emitter.program.seats() {
            let (asked, unstuck) = emitter.program.ending(at, player);
            let function = if key == Key::Ending { unstuck } else { asked };
            let function = emitter.want_lowered(function, Mode::Answer);
            if shape.of_mover {
                push_mover(emitter, &mut asm, STATE);
                asm.i32(player as i32).op().i32_eq();
                asm.begin_if();
            }
            asm.get(STATE).i64(-1).i64(-1).i64(-1).i64(0).op().call(function);
            asm.i64(0).op().i64_ne();
            asm.begin_if();
            asm.i32(((at + 1) | (player << ENDING_BITS)) as i32).op().return_();
            asm.leave();
            if shape.of_mover {
                asm.leave();
            }
        }
    }
    asm.i32(0);
    Ok(asm)
}

/// How many bytes a place takes: a state of so many words with its hash, an event, and what has become of
/// it: the end of its list, and which ending holds.
pub(crate) fn place_size(words: usize) -> usize {
    (words + 4) * 8
}

/// Where lists are this long, no further place is played.
const LISTS: i32 = 1 << 17;

/// The function that plays the events of several places, and lists what is legal then from an address on.
/// It gives how many it has played.
pub(crate) fn advance(emitter: &mut Emitter<'_>) -> Asm {
    let mut asm = emitter.asm(Key::Advance);
    let (place, count, list) = (0, 1, 2);
    let [played, end, most] = std::array::from_fn(|_| asm.local32());
    let [play, legal, outcome, ending] =
        [Key::Play(Hash::Kept), Key::Legal, Key::Outcome, Key::Ending].map(|key| emitter.want(key));
    let (stride, size) = (emitter.stride(), place_size(emitter.program.tree_words()));
    asm.get(list).i32(LISTS).op().i32_add();
    asm.set(most);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(place).get(place).load(stride).op().call(play);
            asm.get(place).get(place).get(list).i32(1).op().call(legal);
            asm.tee(end).op().i32_store(value_at(stride + 8, 2));
            asm.get(end).get(list).op().i32_ne();
            asm.begin_if();
            asm.get(place).get(place).op().call(ending).i32_store(value_at(stride + 12, 2));
            asm.op().else_();
            asm.get(place).get(place).op().call(outcome).i32_store(value_at(stride + 12, 2));
            asm.leave();
            asm.get(end).set(list);
            asm.get(place).i32(size as i32).op().i32_add();
            asm.set(place);
            asm.get(played).i32(1).op().i32_add();
            asm.tee(played).get(count).op().i32_ge_u();
            asm.br_if(done);
            asm.get(list).get(most).op().i32_lt_u();
            asm.br_if(again);
        });
    });
    asm.get(played);
    asm
}
