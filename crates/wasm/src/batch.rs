//! Events of one rule that are found together: listed, or carried out one after another.

use crate::asm::{Asm, value_at};
use crate::event::{ARG_SHIFT, FROM_SHIFT, PICK, PUT, TO_SHIFT};
use crate::module::{Emit, Emitter, Hash, Key};
use crate::set::Each;

/// Events of a rule and player that differ in their targets alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Batch {
    pub(crate) rule: u16,
    pub(crate) player: u8,
    pub(crate) source: Source,
    pub(crate) used: Use,
}

/// Where events of a batch come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A tile that is the same for all.
    Tile,
    /// The tile of which the target is the image.
    Before(u16),
    /// They put a piece of a kind.
    Put(u16),
    /// They pick a tile for an action.
    Pick(u16),
}

/// What becomes of the events of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    List,
    Walk(Hash),
}

/// The first parameters: where events go or the state, the source, and the first word of targets.
const INTO: u32 = 0;
const FROM: u32 = 1;
const TARGETS: u32 = 2;

/// The function that lists the events of a batch or carries them out.
pub(crate) fn batch(emitter: &mut Emitter<'_>, batch: Batch) -> Emit<Asm> {
    let mut asm = emitter.asm(Key::Batch(batch));
    let width = emitter.width;
    let (to, depth, total) = (asm.local64(), TARGETS + width as u32, asm.local64());
    let choices = &emitter.code.choices[usize::from(batch.rule)];
    let choices: Vec<i64> = match batch.source {
        Source::Put(kind) => vec![kind.into()],
        Source::Pick(_) => vec![-1],
        _ if choices.is_empty() => vec![-1],
        _ => choices.iter().map(|kind| kind.index() as i64).collect(),
    };
    let before = match batch.source {
        Source::Before(map) => Some(emitter.origins(map)),
        _ => None,
    };
    let descend = match batch.used {
        Use::List => 0,
        Use::Walk(hash) => emitter.want_descent(batch.rule.into(), batch.player.into(), hash),
    };
    let each = Each::begin(&mut asm, width, TARGETS, to);
    if let Some(before) = before {
        push_origin(&mut asm, before, to);
        asm.set(FROM);
    }
    for &choice in &choices {
        match batch.used {
            Use::List => append(&mut asm, batch, to, choice),
            Use::Walk(_) => {
                asm.get(INTO).get(depth).get(FROM).get(to).i64(choice).i64(0);
                asm.op().call(descend);
                asm.get(total).op().i64_add();
                asm.set(total);
            }
        }
    }
    each.end(&mut asm);
    match batch.used {
        Use::List => asm.get(INTO),
        Use::Walk(_) => asm.get(total),
    };
    Ok(asm)
}

/// Writes one event and goes on to the next place.
fn append(asm: &mut Asm, batch: Batch, to: u32, choice: i64) {
    let (mark, arg) = match batch.source {
        Source::Put(kind) => (PUT, kind.into()),
        Source::Pick(action) => (PICK, action.into()),
        Source::Tile | Source::Before(_) => (0, choice + 1),
    };
    asm.get(INTO);
    asm.get(to).i64(TO_SHIFT).op().i64_shl();
    asm.i64(mark | arg << ARG_SHIFT | i64::from(batch.rule)).op().i64_or();
    if mark == 0 {
        asm.get(FROM).i64(FROM_SHIFT).op().i64_shl().i64_or();
    }
    asm.store(0);
    asm.get(INTO).i32(8).op().i32_add();
    asm.set(INTO);
}

/// How the tile before one is found.
#[derive(Clone, Copy)]
enum Origins {
    Offset(i32),
    Table(usize),
}

impl Emitter<'_> {
    /// The tile before that of a local along a map, on the stack.
    pub(crate) fn push_origin(&mut self, asm: &mut Asm, map: u16, to: u32) {
        let origins = self.origins(map);
        push_origin(asm, origins, to);
    }

    /// How the tile before one is found along a map.
    fn origins(&mut self, map: u16) -> Origins {
        let map = usize::from(map);
        if let Some(offset) = self.code.maps[map].offset {
            return Origins::Offset(offset);
        }
        Origins::Table(self.table("origins", map, |emitter| {
            let of = &emitter.code.maps[map];
            let mut origins = vec![u16::MAX; of.images.len()];
            for (from, &to) in of.images.iter().enumerate().filter(|(_, to)| **to != u16::MAX) {
                origins[usize::from(to)] = from as u16;
            }
            emitter.memory.shorts(&origins)
        }))
    }
}

fn push_origin(asm: &mut Asm, origins: Origins, to: u32) {
    asm.get(to);
    match origins {
        Origins::Offset(offset) => {
            asm.i64(offset.into()).op().i64_sub();
        }
        Origins::Table(table) => {
            asm.op().i32_wrap_i64();
            asm.i32(1).op().i32_shl();
            asm.op().i64_load16_u(value_at(table, 1));
        }
    }
}
