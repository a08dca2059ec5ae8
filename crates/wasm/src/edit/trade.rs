//! Pieces that become others where they stand.

use crate::asm::Asm;
use crate::module::{Emitter, Hash, Key};
use crate::set::next_tile;

/// What pieces become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trade {
    /// Pieces of a kind.
    Kind(u16),
    /// Pieces of a player.
    Owner(u8),
}

impl Trade {
    /// The number of what a piece with a number becomes.
    fn becomes(self, kinds: usize, code: usize) -> usize {
        let (owner, kind) = ((code - 1) / kinds, (code - 1) % kinds);
        match self {
            Trade::Kind(kind) => owner * kinds + usize::from(kind) + 1,
            Trade::Owner(owner) => usize::from(owner) * kinds + kind + 1,
        }
    }
}

/// The function that makes other pieces of those on the tiles of a set.
pub(crate) fn traded(emitter: &mut Emitter<'_>, of: Trade, hash: Hash) -> Asm {
    let mut asm = emitter.asm(Key::Trade(of, hash));
    trade(emitter, &mut asm, (0, 1), of, hash);
    asm
}

/// Makes other pieces of those on the tiles of a set, each of which holds one; flags stay.
pub(crate) fn trade(
    emitter: &mut Emitter<'_>,
    asm: &mut Asm,
    (state, targets): (u32, u32),
    trade: Trade,
    hash: Hash,
) {
    let (program, width) = (emitter.program, emitter.width);
    let kinds = program.kinds();
    let planes = |code: usize| {
        [program.owner_plane((code - 1) / kinds), program.kind_plane((code - 1) % kinds)]
    };
    // Whoever changes is found before anything changes.
    let mut changes = Vec::new();
    for code in 1..=program.players() * kinds {
        let after = trade.becomes(kinds, code);
        if after == code {
            continue;
        }
        let moved: Vec<u32> = (0..width).map(|_| asm.local64()).collect();
        let [owned, of_kind] = planes(code);
        for (word, &moved) in moved.iter().enumerate() {
            asm.get(state).load((owned + word) * 8);
            asm.get(state).load((of_kind + word) * 8).op().i64_and();
            asm.get(targets + word as u32).op().i64_and();
            asm.set(moved);
        }
        changes.push((code, after, moved));
    }
    for (code, after, moved) in changes {
        for (was, is) in planes(code).into_iter().zip(planes(after)).filter(|(was, is)| was != is) {
            for plane in [was, is] {
                for (word, &moved) in moved.iter().enumerate() {
                    let address = (plane + word) * 8;
                    asm.get(state).get(state).load(address).get(moved).op().i64_xor();
                    asm.store(address);
                }
            }
        }
        if hash == Hash::Kept {
            let (keys, tiles, tile) = (emitter.piece_keys(), emitter.code.tiles, asm.local64());
            asm.block(|asm, done| {
                asm.repeat(|asm, again| {
                    next_tile(asm, width, moved[0], tile, done);
                    for code in [code, after] {
                        let table = keys + code * tiles * 16;
                        emitter.fold_entry(asm, state, table, tile);
                    }
                    asm.br(again);
                });
            });
        }
    }
}
