//! Tables that code refers to, each made once.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::game::Game;
use crate::id::{DirectionId, PlayerId, RuleId, TileId};
use crate::ir::{
    Code, ConstId, LinesId, Links, LinksId, Map, MapId, RayOrder, Rays, RowsId, Slide, SlideId,
    Track, TrackId,
};
use crate::tile_set::TileSet;
use crate::typed::Connection;

use super::Lowering;
use super::attack::{Class, Travel};

/// Which tables there are already.
#[derive(Default)]
pub(super) struct Index {
    constants: BTreeMap<TileSet, ConstId>,
    maps: BTreeMap<(Vec<DirectionId>, Sense), MapId>,
    rows: BTreeMap<Vec<u64>, RowsId>,
    /// Rows of leaps to some tiles, and of rays.
    leaps: BTreeMap<(Vec<Vec<DirectionId>>, TileSet, Sense), RowsId>,
    rays: BTreeMap<SlideId, RowsId>,
    /// Straight lines to a tile, or from it.
    spans: BTreeMap<(TileId, Sense), RowsId>,
    slides: BTreeMap<(Vec<DirectionId>, Sense), SlideId>,
    links: BTreeMap<(Vec<DirectionId>, Connection), LinksId>,
    lines: BTreeMap<Vec<TileSet>, LinesId>,
    tracks: BTreeMap<(RuleId, PlayerId), TrackId>,
    /// Tiles along the rays of a direction, by how far away they are.
    ray_tracks: BTreeMap<SlideId, TrackId>,
    /// From where pieces that travel alike might attack some tiles of a zone, and each tile.
    near: BTreeMap<(Travel, TileSet, Zone), RowsId>,
    origins: BTreeMap<(Travel, TileSet), Rc<Vec<TileSet>>>,
    /// Whether the rays of a slide can be told apart.
    pub(super) told_apart: BTreeMap<SlideId, bool>,
}

/// A set of tiles for each tile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Zone {
    /// Where a piece may travel on an empty board.
    Ways(Travel),
    /// Those of a table.
    Rows(RowsId),
}

/// Whether steps are taken or retraced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sense {
    Forth,
    Back,
}

impl Lowering<'_> {
    pub(super) fn constant(&mut self, tiles: TileSet) -> ConstId {
        let (code, next) = (&mut self.code, self.tables.constants.len() as u16);
        *self.tables.constants.entry(tiles).or_insert_with(|| {
            code.constants.extend(&tiles.words()[..code.width]);
            ConstId(next)
        })
    }

    /// Where steps lead from each tile.
    pub(super) fn map(&mut self, steps: &[DirectionId]) -> MapId {
        let key = (steps.to_vec(), Sense::Forth);
        if let Some(&id) = self.tables.maps.get(&key) {
            return id;
        }
        let topology = self.game.topology();
        let image =
            |tile: TileId| steps.iter().try_fold(tile, |tile, &step| topology.next(tile, step));
        let images = self.game.tiles().map(image).collect();
        let id = add_map(&mut self.code, images);
        self.tables.maps.insert(key, id);
        id
    }

    /// The tile from which steps lead to each tile; none where two tiles lead to the same.
    pub(super) fn inverse(&mut self, steps: &[DirectionId]) -> Option<MapId> {
        let key = (steps.to_vec(), Sense::Back);
        if let Some(&id) = self.tables.maps.get(&key) {
            return Some(id);
        }
        let forth = self.map(steps);
        let mut back = vec![None; self.code.tiles];
        for (tile, &image) in self.code.maps[forth.index()].images.iter().enumerate() {
            if image != u16::MAX && back[usize::from(image)].replace(TileId::at(tile)).is_some() {
                return None;
            }
        }
        let id = add_map(&mut self.code, back);
        self.tables.maps.insert(key, id);
        Some(id)
    }

    pub(super) fn rows(&mut self, row: impl Fn(TileId) -> TileSet) -> RowsId {
        let width = self.code.width;
        let mut words = Vec::with_capacity(self.code.tiles * width);
        self.game.tiles().for_each(|tile| words.extend_from_slice(&row(tile).words()[..width]));
        let (code, next) = (&mut self.code, self.tables.rows.len() as u16);
        let entry = self.tables.rows.entry(words);
        *entry.or_insert_with_key(|words| {
            code.rows.push(words.clone());
            RowsId(next)
        })
    }

    /// For each tile the straight line from it to a tile.
    pub(super) fn spans_to(&mut self, to: TileId) -> RowsId {
        let game = self.game;
        self.spans((to, Sense::Forth), |tile| game.span(tile, to))
    }

    /// For each tile the straight line to it from a tile.
    pub(super) fn spans_from(&mut self, from: TileId) -> RowsId {
        let game = self.game;
        self.spans((from, Sense::Back), |tile| game.span(from, tile))
    }

    fn spans(&mut self, key: (TileId, Sense), row: impl Fn(TileId) -> TileSet) -> RowsId {
        if let Some(&rows) = self.tables.spans.get(&key) {
            return rows;
        }
        let rows = self.rows(row);
        self.tables.spans.insert(key, rows);
        rows
    }

    /// Rays along some directions.
    pub(super) fn slide(&mut self, directions: &[DirectionId]) -> SlideId {
        let key = (directions.to_vec(), Sense::Forth);
        if let Some(&id) = self.tables.slides.get(&key) {
            return id;
        }
        let mut all = Vec::new();
        for &direction in directions {
            let map = self.map(&[direction]);
            all.push(rays(&self.code, map));
        }
        self.add_slide(key, all)
    }

    /// Rays against some directions: from where a slider along them would come. None where two
    /// rays of one direction meet.
    pub(super) fn slide_back(&mut self, directions: &[DirectionId]) -> Option<SlideId> {
        let key = (directions.to_vec(), Sense::Back);
        if let Some(&id) = self.tables.slides.get(&key) {
            return Some(id);
        }
        let mut all = Vec::new();
        for &direction in directions {
            let map = self.inverse(&[direction])?;
            all.push(rays(&self.code, map));
        }
        Some(self.add_slide(key, all))
    }

    fn add_slide(&mut self, key: (Vec<DirectionId>, Sense), rays: Vec<Rays>) -> SlideId {
        let id = SlideId(self.code.slides.len() as u16);
        self.code.slides.push(Slide::new(self.code.width, rays));
        self.tables.slides.insert(key, id);
        id
    }

    /// Steps along some directions.
    pub(super) fn links(&mut self, directions: &[DirectionId], connection: Connection) -> LinksId {
        let key = (directions.to_vec(), connection);
        if let Some(&id) = self.tables.links.get(&key) {
            return id;
        }
        let maps: Vec<MapId> = directions.iter().map(|&direction| self.map(&[direction])).collect();
        let leads = |from: usize, to: u16| {
            maps.iter().any(|map| self.code.maps[map.index()].images[from] == to)
        };
        let both = connection == Connection::Either
            && maps.iter().any(|map| {
                let images = self.code.maps[map.index()].images.iter().enumerate();
                let mut steps = images.filter(|(_, to)| **to != u16::MAX);
                steps.any(|(from, &to)| !leads(to.into(), from as u16))
            });
        let id = LinksId(self.code.links.len() as u16);
        self.code.links.push(Links { maps, both });
        self.tables.links.insert(key, id);
        id
    }

    pub(super) fn lines(&mut self, lines: &[TileSet]) -> LinesId {
        let width = self.code.width;
        let (code, next) = (&mut self.code, self.tables.lines.len() as u16);
        *self.tables.lines.entry(lines.to_vec()).or_insert_with_key(|lines| {
            let words = lines.iter().flat_map(|line| line.words()[..width].to_vec());
            code.lines.push(words.collect());
            LinesId(next)
        })
    }

    pub(super) fn track(
        &mut self,
        rule: RuleId,
        player: PlayerId,
        track: &crate::typed::Track,
    ) -> TrackId {
        let game: &Game = self.game;
        let code = &mut self.code;
        let next = code.tracks.len() as u16;
        *self.tables.tracks.entry((rule, player)).or_insert_with(|| {
            let targets = game.tiles().flat_map(|tile| {
                (1..=track.sides).map(move |pips| {
                    track.target(player, tile, pips).map_or(u16::MAX, |target| target.0)
                })
            });
            let targets = targets.collect();
            code.tracks.push(Track { targets, sides: track.sides.into() });
            TrackId(next)
        })
    }

    /// The tile at each distance along the rays of one direction, and how far the longest leads.
    pub(super) fn ray_track(&mut self, slide: SlideId) -> (TrackId, i64) {
        if let Some(&known) = self.tables.ray_tracks.get(&slide) {
            return (known, self.code.tracks[known.index()].sides as i64);
        }
        let rays: Vec<Vec<u16>> =
            (0..self.code.tiles).map(|from| ray_tiles(&self.code, slide, from)).collect();
        let sides = rays.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let mut targets = vec![u16::MAX; rays.len() * sides];
        for (from, ray) in rays.iter().enumerate() {
            targets[from * sides..][..ray.len()].copy_from_slice(ray);
        }
        let id = TrackId(self.code.tracks.len() as u16);
        self.code.tracks.push(Track { targets, sides });
        self.tables.ray_tracks.insert(slide, id);
        (id, sides as i64)
    }

    /// For each tile those to which its ray of one direction does not lead.
    pub(super) fn off_rows(&mut self, slide: SlideId) -> RowsId {
        let (all, width) = (self.game.all_tiles, self.code.width);
        let masks: Vec<u64> = self.code.slides[slide.index()].rays[0].masks.clone();
        self.rows(|tile| all.without(TileSet::from_words(&masks[tile.index() * width..][..width])))
    }
}

/// The tiles of the ray of one direction from a tile, in order.
fn ray_tiles(code: &Code, slide: SlideId, from: usize) -> Vec<u16> {
    let rays = &code.slides[slide.index()].rays[0];
    if rays.order == RayOrder::Mixed {
        return rays.tiles[from].clone();
    }
    let mask = TileSet::from_words(&rays.masks[from * code.width..][..code.width]);
    let mut tiles: Vec<u16> = mask.iter().map(|tile| tile.0).collect();
    if rays.order == RayOrder::Descending {
        tiles.reverse();
    }
    tiles
}

/// Adds a map; a tile that would be its own image has none.
fn add_map(code: &mut Code, images: Vec<Option<TileId>>) -> MapId {
    let mut domain = vec![0u64; code.width];
    let mut offsets: Vec<i32> = Vec::new();
    for (tile, image) in images.iter().enumerate() {
        if let Some(image) = image {
            domain[tile / 64] |= 1 << (tile % 64);
            offsets.push(image.index() as i32 - tile as i32);
        }
    }
    let same = offsets.windows(2).all(|pair| pair[0] == pair[1]);
    let offset = offsets.first().copied().filter(|_| same);
    let images = images.iter().map(|image| image.map_or(u16::MAX, |image| image.0)).collect();
    code.maps.push(Map { images, domain, offset });
    MapId((code.maps.len() - 1) as u16)
}

/// The rays of a map. A ray ends before it would enter any tile twice, its source included.
fn rays(code: &Code, map: MapId) -> Rays {
    let images = &code.maps[map.index()].images;
    let mut all = Vec::new();
    let mut masks = Vec::new();
    let (mut ascending, mut descending) = (true, true);
    for from in 0..code.tiles {
        let mut ray: Vec<u16> = Vec::new();
        let mut mask: TileSet = std::iter::once(TileId::at(from)).collect();
        let mut tile = from;
        while images[tile] != u16::MAX && !mask.contains(TileId(images[tile])) {
            let next = images[tile];
            ascending &= usize::from(next) > tile;
            descending &= usize::from(next) < tile;
            mask.insert(TileId(next));
            ray.push(next);
            tile = next.into();
        }
        mask.remove(TileId::at(from));
        masks.extend(&mask.words()[..code.width]);
        all.push(ray);
    }
    let order = match (ascending, descending) {
        (true, _) => RayOrder::Ascending,
        (_, true) => RayOrder::Descending,
        _ => RayOrder::Mixed,
    };
    let tiles = if order == RayOrder::Mixed { all } else { Vec::new() };
    Rays { masks, order, tiles }
}

impl Slide {
    pub(crate) fn new(width: usize, rays: Vec<Rays>) -> Slide {
        if width != 1 || rays.iter().any(|rays| rays.order == RayOrder::Mixed) {
            return Slide { rays, pairs: Vec::new(), pair_count: 0 };
        }
        let (up, down): (Vec<&Rays>, Vec<&Rays>) =
            rays.iter().partition(|rays| rays.order == RayOrder::Ascending);
        let pair_count = up.len().max(down.len());
        let tiles = rays.first().map_or(0, |rays| rays.masks.len());
        let mask = |rays: &[&Rays], at: usize, tile: usize| {
            rays.get(at).map_or(0, |rays| rays.masks[tile])
        };
        let pair = |tile: usize, at: usize| [mask(&down, at, tile), mask(&up, at, tile)];
        let pairs = (0..tiles).flat_map(|tile| (0..pair_count).map(move |at| (tile, at)));
        let pairs = pairs.map(|(tile, at)| pair(tile, at)).collect();
        Slide { rays, pairs, pair_count }
    }
}

impl Lowering<'_> {
    /// The tiles of all rays of a slide, for each tile.
    pub(super) fn ray_rows(&mut self, slide: SlideId) -> RowsId {
        if let Some(&known) = self.tables.rays.get(&slide) {
            return known;
        }
        let width = self.code.width;
        let rays: Vec<Vec<u64>> =
            self.code.slides[slide.index()].rays.iter().map(|rays| rays.masks.clone()).collect();
        let rows = self.rows(|tile| {
            let masks = rays.iter().map(|masks| &masks[tile.index() * width..][..width]);
            masks.fold(TileSet::EMPTY, |all, mask| all | TileSet::from_words(mask))
        });
        self.tables.rays.insert(slide, rows);
        rows
    }
}

impl Lowering<'_> {
    /// Whether a leap leads from some tile to itself, which is no way to travel.
    pub(super) fn comes_back(&self, leap: &[DirectionId]) -> bool {
        let next = |tile, &step: &DirectionId| self.game.topology().next(tile, step);
        self.game.tiles().any(|tile| leap.iter().try_fold(tile, next) == Some(tile))
    }

    /// The tiles to which a piece may travel from each tile of an empty board.
    fn ways_from(&self, travel: &Travel, onto: &TileSet) -> Vec<TileSet> {
        let topology = self.game.topology();
        let from = |tile: TileId| {
            let leap = |leap: &Vec<DirectionId>| {
                leap.iter().try_fold(tile, |tile, &step| topology.next(tile, step))
            };
            let mut ways: TileSet = travel.leaps.iter().filter_map(leap).collect();
            ways = ways & *onto;
            for &direction in &travel.slides {
                let (mut ray, mut at) = (TileSet::EMPTY, tile);
                while let Some(next) = topology.next(at, direction) {
                    if next == tile || ray.contains(next) {
                        break;
                    }
                    ray.insert(next);
                    at = next;
                }
                ways = ways | ray;
            }
            ways
        };
        self.game.tiles().map(from).collect()
    }

    /// The tiles from which a piece may travel to each tile of an empty board.
    fn origins(&mut self, travel: &Travel, onto: TileSet) -> Rc<Vec<TileSet>> {
        let key = (travel.clone(), onto);
        if let Some(known) = self.tables.origins.get(&key) {
            return known.clone();
        }
        let mut origins = vec![TileSet::EMPTY; self.code.tiles];
        for (from, ways) in self.ways_from(travel, &onto).iter().enumerate() {
            ways.iter().for_each(|to| origins[to.index()].insert(TileId::at(from)));
        }
        let origins = Rc::new(origins);
        self.tables.origins.insert(key, origins.clone());
        origins
    }

    /// The tiles from which pieces of a class might attack a tile of a zone, for each tile.
    pub(super) fn near_rows(&mut self, class: &Class, zone: &Zone) -> RowsId {
        let key = (class.travel.clone(), class.onto, zone.clone());
        if let Some(&known) = self.tables.near.get(&key) {
            return known;
        }
        let zones: Vec<TileSet> = match zone {
            Zone::Ways(travel) => self.ways_from(travel, &self.game.all_tiles),
            Zone::Rows(rows) => {
                let rows = self.code.rows[rows.index()].chunks_exact(self.code.width);
                rows.map(TileSet::from_words).collect()
            }
        };
        let origins = self.origins(&class.travel, class.onto);
        let near = |zone: &TileSet| {
            zone.iter().fold(TileSet::EMPTY, |near, tile| near | origins[tile.index()])
        };
        let rows = self.rows(|tile| near(&zones[tile.index()]));
        self.tables.near.insert(key, rows);
        rows
    }

    /// Where leaps lead from each tile.
    pub(super) fn leap_rows(&mut self, leaps: &[Vec<DirectionId>], onto: &TileSet) -> RowsId {
        let key = (leaps.to_vec(), *onto, Sense::Forth);
        if let Some(&known) = self.tables.leaps.get(&key) {
            return known;
        }
        let topology = self.game.topology();
        let target = |tile: TileId, leap: &Vec<DirectionId>| {
            let end = leap.iter().try_fold(tile, |tile, &step| topology.next(tile, step));
            end.filter(|&end| end != tile && onto.contains(end))
        };
        let rows = self.rows(|tile| leaps.iter().filter_map(|leap| target(tile, leap)).collect());
        self.tables.leaps.insert(key, rows);
        rows
    }

    /// From where leaps lead to each tile.
    pub(super) fn leap_rows_back(&mut self, leaps: &[Vec<DirectionId>], onto: &TileSet) -> RowsId {
        let key = (leaps.to_vec(), *onto, Sense::Back);
        if let Some(&known) = self.tables.leaps.get(&key) {
            return known;
        }
        let game = self.game;
        let topology = game.topology();
        let mut back = vec![TileSet::EMPTY; game.tile_count()];
        for tile in game.tiles() {
            for leap in leaps {
                let end = leap.iter().try_fold(tile, |tile, &step| topology.next(tile, step));
                if let Some(end) = end.filter(|&end| end != tile && onto.contains(end)) {
                    back[end.index()].insert(tile);
                }
            }
        }
        let rows = self.rows(|tile| back[tile.index()]);
        self.tables.leaps.insert(key, rows);
        rows
    }
}
