//! Whole turns: every position to which the events of one turn lead.
//!
//! A turn that must use as much of the dice as it can is followed whatever it uses; of its ends only
//! those that use the most are kept. Every position is followed once, with what was used up to it.

mod bulk;
mod met;
mod same;

use senet_core::program::Wants;
use senet_core::written::{Listing, Usage};

use crate::asm::{Asm, Label, value_at};
use crate::event::{ARG_SHIFT, BY_DICE};
use crate::flow::copy_state;
use crate::list::{by_phase, push_mover, push_stops};
use crate::module::{Emit, Emitter, Hash, Key, Mode, global};
use crate::sleep::{Sleep, asleep_bytes};
use crate::template::{Templates, template_bytes};
use crate::tree::tick;
use crate::usage::DicePhase;

pub(crate) use met::{grow, met};
pub(crate) use same::follow_same;

const STATE: u32 = 0;

/// Places in the table of positions at most and at first, and how many may be taken. Most turns have few
/// positions, and a small table stays in the cache; one that is half full becomes four times as large.
const PLACES: usize = 1 << 14;
const FIRST_PLACES: usize = 1 << 8;
const MOST_TAKEN: i64 = 1 << 13;

/// How deep the events of one turn may go, and room for the list of each.
const DEPTH: i32 = 16;
const LIST: i32 = 1 << 15;

/// Room for the addresses of the ends of a turn, of which there are no more than places taken.
const ENDS: i32 = 4 << 13;

/// Where the parts of the search of a turn lie in memory, all at fixed addresses.
#[derive(Clone, Copy)]
struct Search {
    /// The address of the next position, of the next end, and of the first end.
    next: usize,
    end: usize,
    first: usize,
    /// The most that a turn uses so far.
    most: usize,
    /// The number of the search, so that the table need not be cleared, and places taken.
    number: usize,
    taken: usize,
    /// One less than how many places the table has now, and the address of the first position.
    mask: usize,
    positions: usize,
    table: usize,
    lists: usize,
    /// For each level and number of a die the sources of moves that need not be followed.
    asleep: usize,
    /// For each level and number of a die a position in which it is spent.
    templates: usize,
}

fn search(emitter: &mut Emitter<'_>) -> Search {
    let asleep = asleep_bytes(emitter) * (DEPTH as usize + 1);
    let lists = (DEPTH * LIST) as usize;
    let templates = template_bytes(emitter) * DEPTH as usize;
    let base = emitter.table("turn", 0, |emitter| {
        emitter.memory.room(64 + PLACES * 8 + lists + asleep + templates)
    });
    let at = |index: usize| base + index * 8;
    let table = at(8);
    Search {
        next: at(0),
        end: at(1),
        first: at(2),
        most: at(3),
        number: at(4),
        taken: at(5),
        mask: at(6),
        positions: at(7),
        table,
        lists: table + PLACES * 8,
        asleep: table + PLACES * 8 + lists,
        templates: table + PLACES * 8 + lists + asleep,
    }
}

/// The 32-bit number at a fixed address, on the stack.
fn get(asm: &mut Asm, at: usize) {
    asm.i32(0).op().i32_load(value_at(at, 2));
}

/// Stores the number of a local at a fixed address.
fn put(asm: &mut Asm, at: usize, local: u32) {
    asm.i32(0).get(local).op().i32_store(value_at(at, 2));
}

/// The moves of a phase whose turns are followed by dice alone, while there are no other events of play; none
/// where chance has a say, or dice show too much.
fn by_dice(emitter: &Emitter<'_>, phase: usize, player: usize) -> Option<DicePhase> {
    let shape = &emitter.phases[phase];
    let rolls = !shape.rules[2].is_empty();
    let sides: u32 = emitter.program.dice().iter().map(|(_, sides)| u32::from(*sides)).sum();
    let moves = DicePhase::new(emitter, phase, player).ok()?;
    let small = moves.room(emitter) <= LIST;
    (moves.plain && !rolls && sides < 256 && small && !shape.ranked).then_some(moves)
}

/// Turns to the host where a phase of moves by dice has other events of play. A local has where they can be
/// listed.
fn leave_if_others(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (phase, player): (usize, usize),
    (search, list): (Search, u32),
) {
    let rules = emitter.phases[phase].rules.clone();
    let plays = |rule: &usize| emitter.rules[*rule].listing == Listing::Play;
    let [puts, more] = [&rules[1..2], &rules[2..]].map(|kinds| kinds.iter().flatten().any(plays));
    if puts || more {
        // Trials take their room behind the positions that are kept.
        get(asm, search.next);
        asm.i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
    }
    let mut functions = Vec::new();
    if puts {
        let puts = emitter.program.puts(phase, player);
        functions.push(emitter.want_lowered(puts, Mode::List));
    }
    if more {
        functions.push(emitter.want(Key::Others(phase, player)));
    }
    for function in functions {
        asm.get(STATE).get(list).i32(0).op().call(function);
        asm.get(list).op().i32_ne();
        asm.begin_if();
        asm.op().unreachable();
        asm.leave();
    }
}

/// The function that finds the ends of a turn: of a state and room. It gives the end of the list of
/// their addresses, which begins where the room does; the positions lie behind it.
pub(crate) fn turns(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Turns);
    let (room, search) = (1, search(emitter));
    let [value, free] = std::array::from_fn(|_| asm.local32());
    asm.op().global_get(global::FREE);
    asm.set(free);
    put(&mut asm, search.first, room);
    put(&mut asm, search.end, room);
    asm.get(room).i32(ENDS).op().i32_add();
    asm.set(value);
    put(&mut asm, search.next, value);
    put(&mut asm, search.positions, value);
    asm.i32(FIRST_PLACES as i32 - 1).set(value);
    put(&mut asm, search.mask, value);
    asm.i32(0).set(value);
    put(&mut asm, search.most, value);
    put(&mut asm, search.taken, value);
    get(&mut asm, search.number);
    asm.i32(1).op().i32_add();
    asm.set(value);
    put(&mut asm, search.number, value);
    push_stops(emitter, &mut asm, STATE);
    asm.op().i32_eqz();
    asm.begin_if();
    by_phase(emitter, &mut asm, STATE, |emitter, asm, phase, player| {
        let uses = emitter.phases[phase].usage != Usage::Free;
        let key = if uses { Key::FollowDice(phase, player) } else { Key::Follow };
        let follow = emitter.want(key);
        push_mover(emitter, asm, STATE);
        asm.set(value);
        asm.get(STATE).i32(0).i32(0).get(value).op().call(follow).drop();
        Ok(())
    })?;
    asm.leave();
    asm.get(free).op().global_set(global::FREE);
    get(&mut asm, search.end);
    Ok(asm)
}

/// The function that follows the events of a turn: of a state, how deep it is, what was used so far
/// and whose turn it is. It says whether there is any event.
pub(crate) fn follow(emitter: &mut Emitter<'_>, of: Option<(usize, usize)>) -> Emit<Asm> {
    let key = of.map_or(Key::Follow, |(phase, player)| Key::FollowDice(phase, player));
    let mut asm = emitter.asm(key);
    let dice = of.and_then(|(phase, player)| by_dice(emitter, phase, player));
    if of.is_some() && dice.is_none() {
        // The host turns to the interpreter.
        asm.op().unreachable();
        return Ok(asm);
    }
    let search = search(emitter);
    let [list, end, copy, due, using, same] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    push_level(&mut asm, search, LEVEL, list);
    get(&mut asm, search.next);
    asm.i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
    if let Some(of) = of {
        leave_if_others(emitter, &mut asm, of, (search, list));
    }
    push_list(emitter, &mut asm, dice.as_ref(), (list, end));
    crate::list::trap_beyond(&mut asm, end, list, LIST);
    asm.get(end).get(list).op().i32_eq();
    asm.begin_if();
    asm.i32(0).op().return_();
    asm.leave();
    push_is_due(emitter, &mut asm, list);
    asm.tee(due);
    asm.begin_if();
    asm.get(list).i32(8).op().i32_add();
    asm.set(end);
    asm.leave();
    let dice = dice.as_ref();
    let asleep = search.asleep;
    let sleep = dice.and_then(|moves| Sleep::new(emitter, &mut asm, moves, (LEVEL, event), asleep));
    let place = (LEVEL, search.templates);
    let templates = dice.and_then(|moves| Templates::of(emitter, &mut asm, moves, place));
    if let Some(moves) = dice {
        moves.push_same(emitter, &mut asm, STATE);
        asm.set(same);
    }
    let step = Step { of, dice, sleep, templates, event, copy, using, due, same };
    let apart = templates
        .zip(dice)
        .filter(|(templates, moves)| templates.independent(moves).is_some())
        .map(|(templates, _)| push_are_apart(&mut asm, templates, (list, end)));
    crate::usage::each_event(&mut asm, (list, end), |asm, next| {
        asm.get(next).load(0).set(event);
        let passed = asm.begin_block();
        if let Some(sleep) = sleep {
            sleep.leave_if_asleep(emitter, asm, passed);
        }
        get(asm, search.next);
        asm.set(copy);
        step.play(emitter, asm);
        asm.block(|asm, known| {
            leave_if_met(emitter, asm, (search, apart), (copy, using), known);
            asm.block(|asm, ends| {
                asm.get(due);
                asm.br_if(ends);
                step.go_on(emitter, asm, (known, ends));
            });
            record(asm, search, copy, using);
        });
        if let Some(sleep) = sleep {
            sleep.put_to_sleep(emitter, asm);
        }
        asm.leave();
    });
    asm.i32(1);
    Ok(asm)
}

/// So many positions may lie among those of a search without a place in the table.
const FEW: i32 = 64;

/// A local that says whether the events between two addresses lead to positions that no others lead to, for
/// sure: the first moves of a turn, all of one independent rule, each from another tile or by another
/// number. They are few, so that the table has room for them when it grows.
fn push_are_apart(asm: &mut Asm, templates: Templates, (list, end): (u32, u32)) -> u32 {
    let (apart, event) = (asm.local32(), asm.local64());
    asm.get(LEVEL).op().i32_eqz();
    asm.get(end).get(list).op().i32_sub();
    asm.i32(8 * FEW).op().i32_le_u().i32_and();
    // Moves are listed rule by rule, so that the last is of another rule if any is.
    for (at, back) in [(end, 8), (list, 0)] {
        asm.get(at).i32(back).op().i32_sub().i64_load(crate::asm::word_at(0));
        asm.set(event);
        templates.push_applies(asm, event);
        asm.op().i32_and();
    }
    asm.set(apart);
    apart
}

/// Keeps a position among those of the search, and branches where it is one of them already. Those that are
/// apart need no place in the table.
fn leave_if_met(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (search, apart): (Search, Option<u32>),
    (state, used): (u32, u32),
    known: Label,
) {
    let (met, next) = (emitter.want(Key::Met), asm.local32());
    if let Some(apart) = apart {
        asm.get(apart);
        asm.begin_if();
        asm.get(state).get(used).op().i64_extend_i32_u();
        asm.store(emitter.hash_at());
        asm.get(state).i32(emitter.stride() as i32).op().i32_add();
        asm.set(next);
        put(asm, search.next, next);
        asm.op().else_();
    }
    asm.get(state).get(used).op().call(met);
    asm.br_if(known);
    if apart.is_some() {
        asm.leave();
    }
}

/// Parameters of functions that follow events, beside the state.
const LEVEL: u32 = 1;
const USED: u32 = 2;
const MOVER: u32 = 3;

/// One event of a turn that is followed.
#[derive(Clone, Copy)]
struct Step<'m> {
    /// The phase and the player of moves by dice.
    of: Option<(usize, usize)>,
    dice: Option<&'m DicePhase>,
    sleep: Option<Sleep<'m>>,
    templates: Option<Templates>,
    /// Locals: the event, the address of the state after it, what is used then, whether it happens by
    /// itself, and whether all dice that are left show the same.
    event: u32,
    copy: u32,
    using: u32,
    due: u32,
    same: u32,
}

impl Step<'_> {
    /// Carries out the event on a copy of the state.
    fn play(self, emitter: &mut Emitter<'_>, asm: &mut Asm) {
        let play = emitter.want(Key::Play(Hash::Ignored));
        let play_any = |emitter: &mut Emitter<'_>, asm: &mut Asm| {
            copy_state(emitter, asm, STATE, self.copy);
            asm.get(self.copy).get(self.event).op().call(play);
        };
        asm.get(USED).set(self.using);
        let Some(moves) = self.dice else { return play_any(emitter, asm) };
        asm.get(self.due);
        asm.begin_if();
        play_any(emitter, asm);
        asm.op().else_();
        match self.templates {
            Some(templates) => {
                templates.push_applies(asm, self.event);
                asm.begin_if();
                templates.play(emitter, asm, self.event, self.copy);
                asm.op().else_();
                moves.play(emitter, asm, (STATE, self.copy), self.event);
                asm.leave();
            }
            None => moves.play(emitter, asm, (STATE, self.copy), self.event),
        }
        push_die(emitter, asm, self.of, self.event);
        asm.get(USED).op().i32_add();
        asm.set(self.using);
        asm.leave();
    }

    /// Follows the events after it, and branches where there are some or the turn is over.
    fn go_on(self, emitter: &mut Emitter<'_>, asm: &mut Asm, (known, ends): (Label, Label)) {
        let goes_on = asm.begin_block();
        if let Some(sleep) = self.sleep {
            sleep.moves.push_stays(asm, self.event);
            sleep.moves.push_first_die(emitter, asm, self.copy);
            asm.i32(0).op().i32_ne().i32_and();
            asm.get(sleep.holds).op().i32_and();
            asm.br_if(goes_on);
        }
        leave_if_over(emitter, asm, self.dice, (self.copy, self.event, MOVER), ends);
        asm.leave();
        if let Some(sleep) = self.sleep {
            sleep.hand_on(emitter, asm);
        }
        let call = |asm: &mut Asm, function: u32| {
            asm.get(self.copy).get(LEVEL).i32(1).op().i32_add();
            asm.get(self.using).get(MOVER).op().call(function);
            asm.br_if(known);
        };
        match (self.of, self.dice) {
            (Some((phase, player)), Some(moves)) => {
                let follow = emitter.want(Key::FollowDice(phase, player));
                let same = emitter.want(Key::FollowSame(phase, player));
                moves.push_one_left(emitter, asm, self.copy);
                asm.get(self.same).op().i32_or();
                asm.begin_if();
                call(asm, same);
                asm.op().else_();
                call(asm, follow);
                asm.leave();
            }
            _ => {
                let follow = emitter.want(Key::Follow);
                call(asm, follow);
            }
        }
    }
}

/// Finds where the list of a level lies, into a local; the host is asked where there are too many.
fn push_level(asm: &mut Asm, search: Search, level: u32, list: u32) {
    asm.get(level).i32(DEPTH).op().i32_ge_u();
    asm.begin_if();
    asm.op().unreachable();
    asm.leave();
    asm.get(level).i32(LIST).op().i32_mul();
    asm.i32(search.lists as i32).op().i32_add();
    asm.set(list);
}

/// Lists the events with which a turn goes on, between the addresses in two locals.
fn push_list(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    dice: Option<&DicePhase>,
    (list, end): (u32, u32),
) {
    asm.get(list).set(end);
    if let Some(moves) = dice {
        moves.push_list(emitter, asm, (STATE, list), 1);
        asm.set(end);
    }
    let legal = emitter.want(Key::Legal);
    asm.get(list).get(end).op().i32_eq();
    asm.begin_if();
    asm.get(STATE).get(list).i32(1).op().call(legal);
    asm.set(end);
    asm.leave();
}

/// Whether the first event of a list happens by itself, on the stack.
fn push_is_due(emitter: &Emitter<'_>, asm: &mut Asm, list: u32) {
    asm.i32(0);
    for (rule, shape) in emitter.rules.iter().enumerate() {
        if shape.listing == Listing::Otherwise {
            asm.get(list).load(0).op().i32_wrap_i64();
            asm.i32(0xffff).op().i32_and();
            asm.i32(rule as i32).op().i32_eq().i32_or();
        }
    }
}

/// What the move by dice in a local uses, on the stack.
fn push_die(emitter: &Emitter<'_>, asm: &mut Asm, of: Option<(usize, usize)>, event: u32) {
    let most = of.is_some_and(|(phase, _)| emitter.phases[phase].usage == Usage::Most);
    if most {
        asm.i32(crate::usage::DIE);
        return;
    }
    asm.get(event).i64(ARG_SHIFT).op().i64_shr_u().i32_wrap_i64();
    asm.i32(BY_DICE as i32 - 1).op().i32_and();
    asm.i32(crate::usage::DIE).op().i32_add();
}

/// Branches where a turn does not go on after an event.
fn leave_if_over(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    dice: Option<&DicePhase>,
    (state, event, mover): (u32, u32, u32),
    ends: Label,
) {
    if let Some(moves) = dice {
        return moves.leave_if_over(emitter, asm, state, ends);
    }
    for (rule, shape) in emitter.rules.iter().enumerate() {
        if matches!(shape.wants, Wants::Roll { .. }) {
            asm.get(event).op().i32_wrap_i64();
            asm.i32(0xffff).op().i32_and();
            asm.i32(rule as i32).op().i32_eq();
            asm.br_if(ends);
        }
    }
    push_mover(emitter, asm, state);
    asm.get(mover).op().i32_ne();
    asm.br_if(ends);
    if !crate::chance::rolls(emitter).is_empty() {
        let awaited = emitter.want(Key::Chance);
        asm.get(state).op().call(awaited);
        asm.br_if(ends);
    }
}

/// Notes the end of a turn, unless others use more; those that use less are forgotten.
fn record(asm: &mut Asm, search: Search, state: u32, used: u32) {
    let end = asm.local32();
    get(asm, search.most);
    asm.get(used).op().i32_lt_u();
    asm.begin_if();
    put(asm, search.most, used);
    get(asm, search.first);
    asm.set(end);
    put(asm, search.end, end);
    asm.leave();
    get(asm, search.most);
    asm.get(used).op().i32_eq();
    asm.begin_if();
    get(asm, search.end);
    asm.tee(end).get(state).op().i32_store(value_at(0, 2));
    asm.get(end).i32(4).op().i32_add();
    asm.set(end);
    put(asm, search.end, end);
    asm.leave();
}

/// The function that counts sequences of whole turns: of a state, how many turns, and room.
pub(crate) fn turn_perft(emitter: &mut Emitter<'_>) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::TurnPerft);
    let (depth, room) = (1, 2);
    let (turns, perft) = (emitter.want(Key::Turns), emitter.want(Key::TurnPerft));
    let search = search(emitter);
    let [end, below, rolls, next, state] = std::array::from_fn(|_| asm.local32());
    let total = asm.local64();
    tick(&mut asm);
    asm.get(depth).op().i32_eqz();
    asm.begin_if();
    asm.i64(1).op().return_();
    asm.leave();
    let by_chance = !crate::chance::rolls(emitter).is_empty();
    if by_chance {
        let awaited = emitter.want(Key::Chance);
        asm.get(STATE).op().call(awaited);
        asm.set(rolls);
        asm.get(rolls).op().i32_eqz();
        asm.get(depth).i32(1).op().i32_eq().i32_and();
        asm.begin_if();
        bulk::leave_with_results(emitter, &mut asm, STATE)?;
        asm.leave();
    }
    asm.get(STATE).get(room).op().call(turns);
    asm.set(end);
    get(&mut asm, search.next);
    asm.set(below);
    asm.get(rolls).op().i32_eqz();
    asm.get(depth).i32(1).op().i32_eq().i32_and();
    asm.begin_if();
    asm.get(end).get(room).op().i32_sub();
    asm.i32(2).op().i32_shr_u().i64_extend_i32_u().return_();
    asm.leave();
    // A roll is part of the turn that follows it.
    asm.get(depth).get(rolls).op().i32_eqz().i32_sub();
    asm.set(depth);
    asm.get(room).set(next);
    asm.block(|asm, done| {
        asm.repeat(|asm, again| {
            asm.get(next).get(end).op().i32_ge_u();
            asm.br_if(done);
            asm.get(next).op().i32_load(value_at(0, 2));
            asm.set(state);
            asm.get(next).i32(4).op().i32_add();
            asm.set(next);
            if by_chance {
                // Where chance decides nothing and is asked again, there is no turn.
                let awaited = emitter.want(Key::Chance);
                asm.get(rolls);
                asm.begin_if();
                asm.get(state).op().call(awaited);
                asm.br_if(again);
                asm.leave();
            }
            asm.get(state).get(depth).get(below).op().call(perft);
            asm.get(total).op().i64_add();
            asm.set(total);
            asm.br(again);
        });
    });
    asm.get(total);
    Ok(asm)
}
