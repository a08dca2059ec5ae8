//! Moves by dice that all show the same, the last die of a turn among them.

use crate::asm::{Asm, Label};
use crate::dice::{push_noted_die, push_noted_event, push_noted_word};
use crate::function::locals;
use crate::list::push_mover;
use crate::module::{Emit, Emitter, Key, Mode, global};
use crate::note::find_dice;
use crate::set::next_tile;
use crate::sleep::Sleep;
use crate::template::Templates;

use super::{
    LEVEL, MOVER, Search, USED, by_dice, get, leave_if_others, push_die, push_level, record, search,
};

const STATE: u32 = 0;

/// The function that follows the moves by dice that all show the same number: of what [`super::follow`] is
/// given. All it does is what is the same for most positions; it leaves others to that function.
pub(crate) fn follow_same(emitter: &mut Emitter<'_>, phase: usize, player: usize) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::FollowSame(phase, player));
    let general = emitter.want(Key::FollowDice(phase, player));
    let leave = |asm: &mut Asm| {
        asm.get(STATE).get(LEVEL).get(USED).get(MOVER).op().call(general).return_();
    };
    let Some(moves) = by_dice(emitter, phase, player) else {
        leave(&mut asm);
        return Ok(asm);
    };
    let search = search(emitter);
    let [list, end, copy, using, left] = std::array::from_fn(|_| asm.local32());
    let [die, event, tile] = std::array::from_fn(|_| asm.local64());
    let templates = Templates::of(emitter, &mut asm, &moves, (LEVEL, search.templates));
    let templates = templates.and_then(|one| Some((one, one.independent(&moves)?)));
    let sleep = Sleep::new(emitter, &mut asm, &moves, (LEVEL, event), search.asleep);
    let (Some((templates, rule)), Some(sleep)) = (templates, sleep) else {
        leave(&mut asm);
        return Ok(asm);
    };
    push_level(&mut asm, search, LEVEL, list);
    leave_if_others(emitter, &mut asm, (phase, player), (search, list));
    note_moves(emitter, &mut asm, search, (phase, player), (list, end));
    let other = asm.begin_block();
    let noted = find_dice(emitter, &mut asm, (list, end), other);
    push_noted_die(&mut asm, noted);
    asm.set(die);
    templates.push_applies(&mut asm, die);
    asm.op().i32_eqz();
    asm.br_if(other);
    let template = templates.prepare(emitter, &mut asm, die);
    moves.push_first_die(emitter, &mut asm, template);
    asm.set(left);
    leave_if_unsure(emitter, &mut asm, (sleep, rule.stays), (template, left), other);
    let sources = take_sources(emitter, &mut asm, sleep, (noted, die));
    push_die(emitter, &mut asm, Some((phase, player)), die);
    asm.get(USED).op().i32_add();
    asm.set(using);
    let [met, same] = [Key::Met, Key::FollowSame(phase, player)].map(|key| emitter.want(key));
    let done = asm.begin_block();
    let again = asm.begin_loop();
    next_tile(&mut asm, emitter.width, sources, tile, done);
    push_noted_event(&mut asm, noted, (die, tile));
    asm.set(event);
    get(&mut asm, search.next);
    asm.set(copy);
    templates.play_on(emitter, &mut asm, template, (event, copy));
    asm.block(|asm, known| {
        asm.get(copy).get(using).op().call(met);
        asm.br_if(known);
        asm.get(left);
        asm.begin_if();
        sleep.hand_on(emitter, asm);
        asm.get(copy).get(LEVEL).i32(1).op().i32_add();
        asm.get(using).get(MOVER).op().call(same);
        asm.br_if(known);
        asm.leave();
        record(asm, search, copy, using);
    });
    asm.get(left).op().i32_eqz();
    asm.br_if(again);
    sleep.put_to_sleep(emitter, &mut asm);
    asm.br(again);
    asm.leave();
    asm.leave();
    asm.i32(1).op().return_();
    asm.leave();
    leave(&mut asm);
    Ok(asm)
}

/// Notes the moves of a position from the address in a local on; another has where the notes end.
fn note_moves(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    search: Search,
    (phase, player): (usize, usize),
    (list, end): (u32, u32),
) {
    get(asm, search.next);
    asm.i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
    let note = emitter.want_lowered(emitter.program.moves(phase, player), Mode::Note);
    asm.get(STATE).get(list).op().call(note);
    asm.set(end);
}

/// Branches unless the turn is over after every move, or goes on after every one: of a position in which a
/// die is spent, and what the first die shows then.
fn leave_if_unsure(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    (sleep, stays): (Sleep<'_>, bool),
    (template, left): (u32, u32),
    unsure: Label,
) {
    let over = asm.local32();
    push_mover(emitter, asm, template);
    asm.i32(sleep.moves.player() as i32).op().i32_ne();
    asm.set(over);
    asm.get(over).get(sleep.holds).i32(i32::from(stays)).op().i32_and().i32_eqz().i32_or();
    asm.get(over).op().i32_eqz();
    asm.get(left).op().select();
    asm.br_if(unsure);
}

/// The first of the locals with the sources of the moves noted by a die, those left out that are asleep.
/// What is noted is overwritten where moves are noted below.
fn take_sources(
    emitter: &Emitter<'_>,
    asm: &mut Asm,
    sleep: Sleep<'_>,
    (noted, die): (u32, u32),
) -> u32 {
    let sources = locals(asm, emitter.width);
    for word in 0..emitter.width {
        push_noted_word(emitter, asm, noted, (0, word));
        sleep.push_awake(emitter, asm, (die, word));
        asm.set(sources + word as u32);
    }
    sources
}
