//! The last die of a turn, after which it is over whatever move is made.

use crate::asm::Asm;
use crate::list::push_mover;
use crate::module::{Emit, Emitter, Key, global};
use crate::sleep::Sleep;
use crate::template::Templates;

use super::{by_dice, get, push_die, push_level, record, search};

const STATE: u32 = 0;

/// The function that follows the moves by the last die of a turn: of what [`super::follow`] is given.
/// All it does is what is the same for most positions; it leaves others to that function.
pub(crate) fn follow_last(emitter: &mut Emitter<'_>, phase: usize, player: usize) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::FollowLast(phase, player));
    let (level, used, mover) = (1, 2, 3);
    let general = emitter.want(Key::FollowDice(phase, player));
    let leave = |asm: &mut Asm| {
        asm.get(STATE).get(level).get(used).get(mover).op().call(general).return_();
    };
    let leave_if = |asm: &mut Asm| {
        asm.begin_if();
        leave(asm);
        asm.leave();
    };
    let Some(moves) = by_dice(emitter, phase, player) else {
        leave(&mut asm);
        return Ok(asm);
    };
    let search = search(emitter);
    let [list, end, copy, using] = std::array::from_fn(|_| asm.local32());
    let event = asm.local64();
    let place = (level, search.templates);
    let templates = Templates::of(emitter, &mut asm, &moves, place);
    let sleep = Sleep::new(emitter, &mut asm, &moves, (level, event), search.asleep);
    let (Some(templates), Some(sleep)) = (templates, sleep) else {
        leave(&mut asm);
        return Ok(asm);
    };
    push_level(&mut asm, search, level, list);
    get(&mut asm, search.next);
    asm.i32(emitter.stride() as i32).op().i32_add().global_set(global::FREE);
    moves.push_list(emitter, &mut asm, (STATE, list), 1);
    asm.tee(end).get(list).op().i32_eq();
    leave_if(&mut asm);
    // Moves are listed rule by rule, so that the last is of another rule if any is.
    for (at, back) in [(end, 8), (list, 0)] {
        asm.get(at).i32(back).op().i32_sub().i64_load(crate::asm::word_at(0));
        asm.set(event);
        templates.push_applies(&mut asm, event);
        asm.op().i32_eqz();
        leave_if(&mut asm);
    }
    let template = templates.prepare(emitter, &mut asm, event);
    push_mover(emitter, &mut asm, template);
    asm.i32(player as i32).op().i32_eq();
    leave_if(&mut asm);
    push_die(emitter, &mut asm, Some((phase, player)), event);
    asm.get(used).op().i32_add();
    asm.set(using);
    let met = emitter.want(Key::Met);
    crate::usage::each_event(&mut asm, (list, end), |asm, next| {
        asm.get(next).load(0).set(event);
        let passed = asm.begin_block();
        sleep.leave_if_asleep(emitter, asm, passed);
        get(asm, search.next);
        asm.set(copy);
        templates.play_on(emitter, asm, template, (event, copy));
        asm.get(copy).get(using).op().call(met);
        asm.br_if(passed);
        record(asm, search, copy, using);
        asm.leave();
    });
    asm.i32(1);
    Ok(asm)
}
