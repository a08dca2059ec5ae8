//! Edits of the state.

use crate::bitboard as bits;
use crate::draft::Draft;
use crate::id::{DieId, KindId, OutcomeId, PlayerId, RuleId, TileId};
use crate::ir::{CHOICE, Edit, FROM, Fate, NumReg, PIPS, SetReg, TO};
use crate::typed::Wanted;

use super::Frame;

impl<'g, const W: usize, const N: usize> Frame<'_, 'g, W, N> {
    pub(super) fn edit(&mut self, edit: &Edit, draft: &mut Draft<'g>) {
        match edit {
            Edit::MovePiece { player, rule, mover, .. } => {
                self.move_piece(*player, *rule, *mover, draft);
            }
            Edit::PutPiece(player) => {
                let (Some(to), Some(kind)) = (self.at(TO), self.tile(CHOICE)) else { return };
                if let Some(lifted) = draft.take_from_hand(*player, KindId::at(kind)) {
                    draft.make_room(to);
                    draft.set_down(lifted, to);
                }
            }
            Edit::Spend(dice) => self.spend(dice, draft),
            Edit::Roll => {
                let Some(outcome) = self.tile(CHOICE).map(OutcomeId::at) else { return };
                for &(die, shows) in &self.game.outcomes[outcome.index()].dice {
                    draft.set_die(die, shows);
                }
            }
            Edit::Capture { on, to, friends } => {
                for tile in self.tiles(*on) {
                    self.capture(tile, *to, *friends, draft);
                }
            }
            Edit::Clear(on) => self.tiles(*on).for_each(|tile| draft.clear(tile)),
            Edit::Carry { from, to } => {
                if let (Some(from), Some(to)) = (self.at(*from), self.at(*to)) {
                    self.carry(from, to, draft);
                }
            }
            Edit::Together(moves) => self.move_together(moves, draft),
            Edit::Shift { on, map } => self.shift(*on, *map, draft),
            Edit::Flag { on, set, clear } => {
                self.tiles(*on).for_each(|tile| draft.flag(tile, *set, *clear));
            }
            Edit::Mark { on, set, clear } => {
                self.tiles(*on).for_each(|tile| draft.mark(tile, *set, *clear));
            }
            Edit::Become { on, kind } => {
                for tile in self.exclusive(*on) {
                    draft.change_kind(tile, *kind);
                }
            }
            Edit::Give { on, to } => {
                for tile in self.exclusive(*on) {
                    draft.change_owner(tile, *to);
                }
            }
            Edit::Place { kind, owner, on } => self.place(*kind, *owner, *on, draft),
            Edit::Variable { variable, of, to } => {
                draft.set_variable(*variable, *of, self.number(*to));
            }
            Edit::Turn { to, .. } => draft.give_turn(*to),
            Edit::Die(die, shows) => draft.turn_die(*die, self.number(*shows)),
            Edit::Reset => draft.reset(),
            Edit::Sow { from, map, skip, count } => {
                let steps = self.sow(*from, *map, *skip, draft);
                if let Some((variable, of)) = count {
                    draft.set_variable(*variable, *of, steps);
                }
            }
            Edit::Custom(custom) => (custom.0)(draft, self.at(FROM), self.at(TO)),
        }
    }

    /// Lets pieces of a hand enter on the tiles of a set that have room.
    fn place(&self, kind: KindId, owner: PlayerId, on: SetReg, draft: &mut Draft<'g>) {
        for tile in self.tiles(on) {
            let room = self.game.stacks(tile) || draft.view().owner_at(tile).is_none();
            if room && let Some(lifted) = draft.take_from_hand(owner, kind) {
                draft.set_down(lifted, tile);
            }
        }
    }

    fn at(&self, register: NumReg) -> Option<TileId> {
        self.tile(register).map(TileId::at)
    }

    fn tiles(&self, set: SetReg) -> impl Iterator<Item = TileId> + use<W, N> {
        bits::tiles(self.set(set)).map(TileId::at)
    }

    /// The tiles of a set that hold one piece.
    fn exclusive(&self, set: SetReg) -> impl Iterator<Item = TileId> + use<'g, W, N> {
        let game = self.game;
        self.tiles(set).filter(move |&tile| !game.stacks(tile))
    }

    fn move_piece(
        &mut self,
        player: PlayerId,
        rule: RuleId,
        mover: Option<KindId>,
        draft: &mut Draft<'g>,
    ) {
        let (Some(from), Some(to)) = (self.at(FROM), self.at(TO)) else { return };
        let view = draft.view();
        let stands = |kind: &KindId| view.is_owned(from, player) && view.is_kind(from, *kind);
        let lifted = if self.game.stacks(from) {
            let Wanted::Move(movement) = &self.game.rules[rule.index()].wants else { return };
            let kind = self.game.moving_kind(view, player, movement, from);
            kind.and_then(|kind| draft.unstack(from, player, kind))
        } else if let Some(kind) = mover.filter(stands) {
            Some(draft.lift_known(from, player, kind))
        } else {
            draft.lift(from)
        };
        let Some(mut lifted) = lifted else { return };
        draft.make_room(to);
        if let Some(kind) = self.tile(CHOICE) {
            lifted.kind = KindId::at(kind);
        }
        draft.set_down(lifted, to);
    }

    /// Spends the last die that shows the number used; those after it move up.
    fn spend(&mut self, dice: &[DieId], draft: &mut Draft<'g>) {
        let pips = self.number(PIPS) as u8;
        let shows = |die: &DieId| draft.view().die(*die) == Some(pips);
        let Some(spent) = dice.iter().rposition(shows) else { return };
        for pair in dice[spent..].windows(2) {
            let shown = draft.view().die(pair[1]).unwrap_or(0);
            draft.set_die(pair[0], shown);
        }
        draft.set_die(dice[dice.len() - 1], 0);
    }

    fn capture(&mut self, tile: TileId, fate: Fate, friends: u64, draft: &mut Draft<'g>) {
        let game = self.game;
        let lifted = if game.stacks(tile) {
            let foes = game.players().filter(|player| friends >> player.index() & 1 == 0);
            let mut stacked = foes.flat_map(|foe| game.kinds().map(move |kind| (foe, kind)));
            let caught = stacked.find(|&(foe, kind)| draft.view().count(tile, foe, kind) > 0);
            caught.and_then(|(foe, kind)| draft.unstack(tile, foe, kind))
        } else {
            // A tile that does not exist is nowhere to go.
            if let Fate::Tile(to) = fate
                && self.at(to).is_none()
            {
                return;
            }
            draft.lift(tile)
        };
        let Some(lifted) = lifted else { return };
        match fate {
            Fate::Out => draft.discard(lifted),
            Fate::Hand(player) => draft.give_to_hand(lifted, player),
            Fate::Tile(to) => match self.at(to) {
                Some(to) => {
                    draft.make_room(to);
                    draft.set_down(lifted, to);
                }
                None => draft.set_down(lifted, tile),
            },
        }
    }

    /// Moves the first piece on a tile to another.
    fn carry(&mut self, from: TileId, to: TileId, draft: &mut Draft<'g>) {
        if let Some(lifted) = self.lift_first(from, draft) {
            draft.make_room(to);
            draft.set_down(lifted, to);
        }
    }

    fn lift_first(&mut self, from: TileId, draft: &mut Draft<'g>) -> Option<crate::draft::Lifted> {
        if !self.game.stacks(from) {
            return draft.lift(from);
        }
        let owner = draft.view().owner_at(from)?;
        let kind = self.game.kinds().find(|&kind| draft.view().count(from, owner, kind) > 0)?;
        draft.unstack(from, owner, kind)
    }

    /// Lifts every piece before any is put down, so that they may change places. A source that is
    /// named twice gives its piece once.
    fn move_together(&mut self, moves: &[(NumReg, NumReg)], draft: &mut Draft<'g>) {
        // Two pieces, as most such rules move, need no list.
        let (mut lifted, mut more) = ([const { None }; 2], Vec::new());
        for &(from, to) in moves {
            if let (Some(from), Some(to)) = (self.at(from), self.at(to))
                && let Some(piece) = self.lift_first(from, draft)
            {
                match lifted.iter_mut().find(|place| place.is_none()) {
                    Some(place) => *place = Some((piece, to)),
                    None => more.push((piece, to)),
                }
            }
        }
        for (piece, to) in lifted.into_iter().flatten().chain(more) {
            draft.make_room(to);
            draft.set_down(piece, to);
        }
    }

    /// Lifts every piece on some tiles before any is put down on the image of its tile.
    fn shift(&mut self, on: SetReg, map: crate::ir::MapId, draft: &mut Draft<'g>) {
        let images = &self.game.code.maps[map.index()].images;
        let mut lifted = Vec::new();
        for tile in self.tiles(on) {
            while let Some(piece) = self.lift_first(tile, draft) {
                lifted.push((piece, images[tile.index()]));
            }
        }
        for (piece, to) in lifted {
            if to == u16::MAX {
                draft.discard(piece);
                continue;
            }
            draft.make_room(TileId(to));
            draft.set_down(piece, TileId(to));
        }
    }

    /// Sows the pieces of a stack; says how many steps away the last one lies.
    fn sow(
        &mut self,
        from: NumReg,
        map: crate::ir::MapId,
        skip: SetReg,
        draft: &mut Draft<'g>,
    ) -> i64 {
        let Some(start) = self.at(from) else { return 0 };
        let mut seeds = Vec::new();
        while let Some(seed) = self.lift_first(start, draft) {
            seeds.push(seed);
        }
        let images = &self.game.code.maps[map.index()].images;
        let skipped = *self.set(skip);
        let (mut tile, mut steps) = (start.index(), 0);
        for (index, seed) in seeds.iter().enumerate() {
            let mut passed = 0;
            loop {
                let next = images[tile];
                if next == u16::MAX || passed > images.len() {
                    // The way ends: what is left stays where the last one lies.
                    seeds[index..].iter().for_each(|&seed| draft.set_down(seed, TileId::at(tile)));
                    return steps;
                }
                (tile, steps, passed) = (next.into(), steps + 1, passed + 1);
                if !bits::contains(&skipped, tile) {
                    break;
                }
            }
            draft.make_room(TileId::at(tile));
            draft.set_down(*seed, TileId::at(tile));
        }
        steps
    }
}
