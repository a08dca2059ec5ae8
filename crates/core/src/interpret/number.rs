//! Operations whose result is a number, a truth or a tile.

use crate::bitboard as bits;
use crate::custom::CustomCondition;
use crate::id::{KindId, PlayerId, RuleId, TileId};
use crate::ir::{Arithmetic, LinesId, LinksId, MapId, NO_TILE, NumReg, SetReg, SlideId, TrackId};
use crate::state::State;
use crate::typed::Wanted;
use crate::view::View;
use crate::written::Comparison;

use super::{Frame, Store, geometry, of_players};

impl<const W: usize, const N: usize> Frame<'_, '_, W, N> {
    /// The tile of a set that has exactly one.
    #[inline(always)]
    pub(super) fn only(&self, set: SetReg) -> Option<usize> {
        let set = self.set(set);
        bits::lowest(set).filter(|_| bits::count(set) == 1)
    }

    #[inline(always)]
    pub(super) fn has(&self, set: SetReg, tile: NumReg) -> bool {
        self.tile(tile).is_some_and(|tile| bits::contains(self.set(set), tile))
    }

    #[inline(always)]
    pub(super) fn has_line(&self, lines: LinesId, of: SetReg) -> bool {
        let of = *self.set(of);
        let mut lines = self.game.code.lines[lines.index()].as_chunks::<W>().0.iter();
        lines.any(|line| bits::is_empty(&bits::and_not(line, &of)))
    }

    #[inline(always)]
    pub(super) fn step(&self, map: MapId, tile: NumReg) -> Option<usize> {
        let images = &self.game.code.maps[map.index()].images;
        let image = self.tile(tile).map(|tile| images[tile]);
        image.filter(|&image| image != u16::MAX).map(usize::from)
    }

    #[inline(always)]
    pub(super) fn first_along(&self, slide: SlideId, tile: NumReg, set: SetReg) -> Option<usize> {
        let slide = &self.game.code.slides[slide.index()];
        self.tile(tile).and_then(|tile| geometry::first(slide, tile, self.set(set)))
    }

    #[inline(always)]
    pub(super) fn track(&self, track: TrackId, pips: NumReg, from: NumReg) -> Option<usize> {
        let track = &self.game.code.tracks[track.index()];
        self.tile(from).and_then(|from| track.target(from, self.number(pips)))
    }

    #[inline(always)]
    pub(super) fn groups(&self, of: SetReg, links: LinksId) -> i64 {
        let mut left = *self.set(of);
        let groups = std::iter::from_fn(|| geometry::take_group(&self.game.code, links, &mut left));
        groups.count() as i64
    }

    /// Takes the first group out of a set, if there is one.
    #[inline(always)]
    pub(super) fn next_group(&mut self, rest: SetReg, links: LinksId, group: SetReg) -> bool {
        let mut left = *self.set(rest);
        let Some(found) = geometry::take_group(&self.game.code, links, &mut left) else {
            return false;
        };
        self.put(rest, left);
        self.put(group, found);
        true
    }

    #[inline(always)]
    pub(super) fn arithmetic(&self, what: Arithmetic, a: NumReg, b: NumReg) -> i64 {
        let (a, b) = (self.number(a), self.number(b));
        match what {
            Arithmetic::Add => a.saturating_add(b),
            Arithmetic::Subtract => a.saturating_sub(b),
            Arithmetic::Multiply => a.saturating_mul(b),
            Arithmetic::Min => a.min(b),
            Arithmetic::Max => a.max(b),
        }
    }

    #[inline(always)]
    pub(super) fn compare(&self, is: Comparison, a: NumReg, b: NumReg) -> bool {
        is.holds(self.number(a), self.number(b))
    }

    #[inline(always)]
    pub(super) fn moving_kind(
        &self,
        player: PlayerId,
        rule: RuleId,
        from: NumReg,
        store: &Store<'_, '_>,
    ) -> i64 {
        let game = self.game;
        let kind = match (&game.rules[rule.index()].wants, self.tile(from)) {
            (Wanted::Move(movement), Some(from)) => {
                let view = game.view(store.state());
                game.moving_kind(view, player, movement, TileId::at(from))
            }
            _ => None,
        };
        kind.map_or(NO_TILE, |kind| kind.index() as i64)
    }

    #[inline(always)]
    pub(super) fn custom(
        &self,
        tiles: (NumReg, NumReg),
        custom: CustomCondition,
        store: &Store<'_, '_>,
    ) -> bool {
        let tile = |register| self.tile(register).map(TileId::at);
        let view = View { game: self.game, state: store.state() };
        (custom.0)(view, tile(tiles.0), tile(tiles.1))
    }

    pub(super) fn pieces(
        &self,
        on: SetReg,
        players: u64,
        kind: Option<KindId>,
        state: &State,
    ) -> i64 {
        let (game, view) = (self.game, self.game.view(state));
        let count = |tile, player| match kind {
            Some(kind) => view.count(tile, player, kind),
            None => view.count_of(tile, player),
        };
        let tiles = bits::tiles(self.set(on)).map(TileId::at);
        let counts =
            tiles.flat_map(|tile| of_players(game, players).map(move |player| (tile, player)));
        counts.map(|(tile, player)| count(tile, player)).sum::<usize>() as i64
    }
}
