//! Operations whose result is a bitboard.

use crate::bitboard::{self as bits, Bits};
use crate::id::TileId;
use crate::ir::{LinesId, LinksId, MapId, NumReg, RowsId, SetReg, SlideId, WayRef};
use crate::tile_set::TileSet;

use super::{Frame, Store, geometry, of_players};

impl<const W: usize, const N: usize> Frame<'_, '_, W, N> {
    #[inline(always)]
    fn row(table: &[u64], index: usize) -> Bits<W> {
        let mut row = [0; W];
        row.copy_from_slice(&table[index * W..][..W]);
        row
    }

    #[inline(always)]
    pub(super) fn image(&self, from: SetReg, map: MapId) -> Bits<W> {
        geometry::image(&self.game.code.maps[map.index()], self.set(from))
    }

    #[inline(always)]
    pub(super) fn preimage(&self, of: SetReg, map: MapId) -> Bits<W> {
        geometry::preimage(&self.game.code.maps[map.index()], self.set(of))
    }

    #[inline(always)]
    pub(super) fn images(&self, from: SetReg, over: SetReg, map: MapId) -> Bits<W> {
        geometry::images(&self.game.code.maps[map.index()], self.set(from), self.set(over))
    }

    #[inline(always)]
    pub(super) fn single(&self, tile: NumReg) -> Bits<W> {
        let mut set = [0; W];
        if let Some(tile) = self.tile(tile) {
            bits::insert(&mut set, tile);
        }
        set
    }

    #[inline(always)]
    pub(super) fn row_of(&self, rows: RowsId, tile: NumReg) -> Bits<W> {
        let rows = &self.game.code.rows[rows.index()];
        match self.tile(tile) {
            Some(tile) => Self::row(rows, tile),
            None => [0; W],
        }
    }

    #[inline(always)]
    pub(super) fn slide(&self, slide: SlideId, tile: NumReg, stops: SetReg) -> Bits<W> {
        let slide = &self.game.code.slides[slide.index()];
        match self.tile(tile) {
            Some(tile) => geometry::slide(slide, tile, self.set(stops)),
            None => [0; W],
        }
    }

    /// How many tiles a set has, each a number of times.
    #[inline(always)]
    pub(super) fn tally(&self, set: &Bits<W>, times: u16) -> u64 {
        u64::from(bits::count(set)) * u64::from(times)
    }

    /// How many tiles the rows of all tiles of a set have within another.
    #[inline(always)]
    pub(super) fn tally_rows(&self, all: &Bits<W>, rows: RowsId, within: SetReg) -> u64 {
        let (rows, within) = (&self.game.code.rows[rows.index()], self.set(within));
        let mut sum = 0;
        for tile in bits::tiles(all) {
            sum += u64::from(bits::count(&bits::and(&Self::row(rows, tile), within)));
        }
        sum
    }

    #[inline(always)]
    pub(super) fn tally_slides(
        &self,
        all: &Bits<W>,
        slide: SlideId,
        stops: SetReg,
        within: SetReg,
    ) -> u64 {
        let slide = &self.game.code.slides[slide.index()];
        let (stops, within, mut sum) = (self.set(stops), self.set(within), 0);
        for tile in bits::tiles(all) {
            let seen = geometry::slide(slide, tile, stops);
            sum += u64::from(bits::count(&bits::and(&seen, within)));
        }
        sum
    }

    /// A set and the rows of all tiles of another.
    #[inline(always)]
    pub(super) fn rows_or(&self, to: SetReg, rows: RowsId, all: &Bits<W>) -> Bits<W> {
        let (rows, mut set) = (&self.game.code.rows[rows.index()], *self.set(to));
        for tile in bits::tiles(all) {
            set = bits::or(&set, &Self::row(rows, tile));
        }
        set
    }

    #[inline(always)]
    pub(super) fn slides_or(
        &self,
        to: SetReg,
        slide: SlideId,
        all: &Bits<W>,
        stops: SetReg,
    ) -> Bits<W> {
        let slide = &self.game.code.slides[slide.index()];
        let (stops, mut set) = (self.set(stops), *self.set(to));
        for tile in bits::tiles(all) {
            set = bits::or(&set, &geometry::slide(slide, tile, stops));
        }
        set
    }

    #[inline(always)]
    pub(super) fn between(&self, slide: SlideId, one: NumReg, other: NumReg) -> Bits<W> {
        let slide = &self.game.code.slides[slide.index()];
        match (self.tile(one), self.tile(other)) {
            (Some(one), Some(other)) => geometry::between(slide, one, other),
            _ => [0; W],
        }
    }

    #[inline(always)]
    pub(super) fn span(&self, one: NumReg, other: NumReg) -> Bits<W> {
        let line = match (self.tile(one), self.tile(other)) {
            (Some(one), Some(other)) => self.game.span(TileId::at(one), TileId::at(other)),
            _ => TileSet::EMPTY,
        };
        Self::row(line.words(), 0)
    }

    #[inline(always)]
    pub(super) fn flood(&self, from: SetReg, over: SetReg, links: LinksId) -> Bits<W> {
        let maps = geometry::maps(&self.game.code, links);
        geometry::flood(maps, self.set(from), self.set(over))
    }

    #[inline(always)]
    pub(super) fn lines(&self, lines: LinesId, of: SetReg) -> Bits<W> {
        let of = *self.set(of);
        let mut all = [0; W];
        for line in self.game.code.lines[lines.index()].as_chunks::<W>().0 {
            if bits::is_empty(&bits::and_not(line, &of)) {
                all = bits::or(&all, line);
            }
        }
        all
    }

    #[inline(always)]
    pub(super) fn travel(
        &self,
        way: WayRef,
        from: NumReg,
        through: SetReg,
        store: &Store<'_, '_>,
    ) -> Bits<W> {
        let through = TileSet::from_words(self.set(through));
        let found = match self.tile(from) {
            Some(from) => self.game.travel_past(store.state(), way, TileId::at(from), &through),
            None => TileSet::EMPTY,
        };
        Self::row(found.words(), 0)
    }

    /// The set kept for a tile.
    #[inline(always)]
    pub(super) fn load(&self, tile: NumReg) -> Bits<W> {
        match self.tile(tile) {
            Some(tile) => self.kept[tile],
            None => [0; W],
        }
    }

    /// Keeps a set for a tile.
    #[inline(always)]
    pub(super) fn keep(&mut self, tile: NumReg, set: SetReg) {
        if let Some(tile) = self.tile(tile) {
            self.kept[tile] = *self.set(set);
        }
    }

    pub(super) fn stacked(&self, players: u64, least: u16, store: &Store<'_, '_>) -> Bits<W> {
        let (game, view) = (self.game, self.game.view(store.state()));
        let mut set = [0; W];
        for tile in game.tiles() {
            let count = of_players(game, players).map(|player| view.count_of(tile, player));
            if count.sum::<usize>() >= usize::from(least) {
                bits::insert(&mut set, tile.index());
            }
        }
        set
    }
}
