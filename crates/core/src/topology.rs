//! The board as a graph: tiles, and the relations that lead from tile to tile.

use std::collections::BTreeSet;

use crate::id::{DirectionId, RelationId, TileId};

/// One relation with ids instead of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The tile it leaves.
    pub from: TileId,
    /// The tile it enters.
    pub to: TileId,
    /// The direction it leads in.
    pub direction: DirectionId,
    /// How far it is, for games that measure.
    pub distance: u32,
}

/// What kind of board the relations draw, whatever the directions are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopologyClass {
    /// The tiles are cells of a square grid and every direction is a step along a row or a column.
    Orthogonal,
    /// The same grid, where some directions also step along both diagonals.
    OrthogonalAndDiagonal,
    /// Everything else: rings, hexes, boards in several parts, free graphs.
    Arbitrary,
}

/// The board of one game: which tile each direction leads to from each tile.
#[derive(Clone, Debug)]
pub struct Topology {
    tiles: usize,
    directions: usize,
    links: Vec<Link>,
    /// Relations grouped by the tile they leave, in declaration order within a tile.
    leaving: Vec<RelationId>,
    /// Where each tile's group begins in `leaving`, and one past the last.
    starts: Vec<usize>,
    /// By direction, then tile.
    neighbours: Vec<Neighbour>,
    class: TopologyClass,
    coordinates: Option<Vec<Offset>>,
}

/// An entry of the neighbour arrays. `NOWHERE` as tile says that no relation leads that way.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    tile: u16,
    relation: RelationId,
}

const NOWHERE: u16 = u16::MAX;

impl Topology {
    /// Builds the board. A relation's id is its place in `links`; where two relations share tile
    /// and direction, which `compile` refuses, the first counts.
    pub(crate) fn new(tiles: usize, directions: usize, links: &[Link]) -> Topology {
        let nowhere = Neighbour { tile: NOWHERE, relation: RelationId::at(0) };
        let mut neighbours = vec![nowhere; tiles * directions];
        for (index, link) in links.iter().enumerate() {
            let entry = &mut neighbours[link.direction.index() * tiles + link.from.index()];
            if entry.tile == NOWHERE {
                entry.tile = link.to.0;
                entry.relation = RelationId::at(index);
            }
        }
        let mut leaving: Vec<RelationId> = (0..links.len()).map(RelationId::at).collect();
        leaving.sort_by_key(|relation| links[relation.index()].from);
        let before = |tile: usize| {
            leaving.partition_point(|relation| links[relation.index()].from.index() < tile)
        };
        let starts = (0..=tiles).map(before).collect();
        let (class, coordinates) = classify(tiles, directions, links);
        Topology {
            tiles,
            directions,
            links: links.to_vec(),
            leaving,
            starts,
            neighbours,
            class,
            coordinates,
        }
    }

    /// What kind of board this is.
    pub fn class(&self) -> TopologyClass {
        self.class
    }

    /// Where the tiles of a grid lie, by tile: column and row from 0. The relations alone cannot
    /// say which way is up, so a grid may come out turned or mirrored.
    pub fn coordinates(&self) -> Option<&[(i32, i32)]> {
        self.coordinates.as_deref()
    }

    /// How many tiles there are.
    #[inline]
    pub fn tile_count(&self) -> usize {
        self.tiles
    }

    /// How many directions there are.
    #[inline]
    pub(crate) fn direction_count(&self) -> usize {
        self.directions
    }

    /// A relation of this board.
    ///
    /// # Panics
    /// If the id belongs to another board and this one has fewer relations.
    #[inline]
    pub fn relation(&self, relation: RelationId) -> Link {
        self.links[relation.index()]
    }

    /// The relations that leave a tile, in the order they were declared.
    pub fn leaving(&self, tile: TileId) -> impl Iterator<Item = RelationId> + '_ {
        let group = match self.starts.get(tile.index()..tile.index() + 2) {
            Some(bounds) => &self.leaving[bounds[0]..bounds[1]],
            None => &[],
        };
        group.iter().copied()
    }

    /// The relation that leaves a tile in a direction, from the neighbour arrays.
    #[inline]
    pub fn step(&self, tile: TileId, direction: DirectionId) -> Option<RelationId> {
        self.neighbour(tile, direction).map(|entry| entry.relation)
    }

    /// The tile that a step leads to, from the neighbour arrays.
    #[inline]
    pub(crate) fn next(&self, tile: TileId, direction: DirectionId) -> Option<TileId> {
        self.neighbour(tile, direction).map(|entry| TileId(entry.tile))
    }

    #[inline]
    fn neighbour(&self, tile: TileId, direction: DirectionId) -> Option<Neighbour> {
        if tile.index() >= self.tiles {
            return None;
        }
        let index = direction.index() * self.tiles + tile.index();
        let entry = *self.neighbours.get(index)?;
        (entry.tile != NOWHERE).then_some(entry)
    }
}

/// A step in the plane, or a place in it.
type Offset = (i32, i32);

const AXES: [Offset; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const UNITS: [Offset; 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];

/// How many offsets are guessed before a board is called arbitrary. On a connected grid two
/// guesses force the rest; only contrived graphs come near the limit, and the class is no rule.
const GUESSES: u32 = 1_000;

fn classify(
    tiles: usize,
    directions: usize,
    links: &[Link],
) -> (TopologyClass, Option<Vec<Offset>>) {
    let classes = [
        (TopologyClass::Orthogonal, &AXES[..]),
        (TopologyClass::OrthogonalAndDiagonal, &UNITS[..]),
    ];
    for (class, units) in classes {
        let mut search = Search::new(tiles, directions, links, units);
        let start = Layout::new(tiles, directions);
        if let Some(layout) = search.complete(start, None) {
            return (class, Some(layout.coordinates()));
        }
    }
    (TopologyClass::Arbitrary, None)
}

/// The search for a layout in which every direction is one unit offset.
struct Search<'t> {
    links: &'t [Link],
    units: &'t [Offset],
    by_tile: Vec<Vec<usize>>,
    by_direction: Vec<Vec<usize>>,
    guesses: u32,
}

/// A layout in the making: what is known of directions and tiles.
#[derive(Clone)]
struct Layout {
    offsets: Vec<Option<Offset>>,
    places: Vec<Option<Offset>>,
    taken: BTreeSet<Offset>,
}

impl<'t> Search<'t> {
    fn new(tiles: usize, directions: usize, links: &'t [Link], units: &'t [Offset]) -> Self {
        let mut by_tile = vec![Vec::new(); tiles];
        let mut by_direction = vec![Vec::new(); directions];
        for (index, link) in links.iter().enumerate() {
            by_tile[link.from.index()].push(index);
            by_tile[link.to.index()].push(index);
            by_direction[link.direction.index()].push(index);
        }
        Search { links, units, by_tile, by_direction, guesses: GUESSES }
    }

    /// Completes a layout after giving a direction its offset, guessing where nothing is forced.
    fn complete(&mut self, mut layout: Layout, given: Option<(usize, Offset)>) -> Option<Layout> {
        let mut due = Vec::new();
        match given {
            Some((direction, offset)) => {
                layout.offsets[direction] = Some(offset);
                due.clone_from(&self.by_direction[direction]);
            }
            None => layout.put(0, (0, 0))?,
        }
        while let Some(index) = due.pop() {
            self.follow(&mut layout, self.links[index], &mut due)?;
        }
        let Some(direction) = self.undecided(&layout) else {
            return layout.is_grid().then_some(layout);
        };
        for unit in self.units {
            self.guesses = self.guesses.checked_sub(1)?;
            if let Some(found) = self.complete(layout.clone(), Some((direction, *unit))) {
                return Some(found);
            }
        }
        None
    }

    /// Draws what one link forces and notes the links to look at again; none is a contradiction.
    fn follow(&self, layout: &mut Layout, link: Link, due: &mut Vec<usize>) -> Option<()> {
        let (from, to) = (link.from.index(), link.to.index());
        let direction = link.direction.index();
        let offset = layout.offsets[direction];
        match (layout.places[from], layout.places[to], offset) {
            (Some((x, y)), Some((u, v)), known) => {
                let found = (u - x, v - y);
                match known {
                    Some(offset) => return (found == offset).then_some(()),
                    None if !self.units.contains(&found) => return None,
                    None => layout.offsets[direction] = Some(found),
                }
                due.extend(&self.by_direction[direction]);
            }
            (Some((x, y)), None, Some((right, up))) => {
                layout.put(to, (x + right, y + up))?;
                due.extend(&self.by_tile[to]);
            }
            (None, Some((x, y)), Some((right, up))) => {
                layout.put(from, (x - right, y - up))?;
                due.extend(&self.by_tile[from]);
            }
            _ => {}
        }
        Some(())
    }

    /// The first direction without an offset that has a link at a tile already placed.
    fn undecided(&self, layout: &Layout) -> Option<usize> {
        let touches = |index: &usize| {
            let link = self.links[*index];
            layout.places[link.from.index()].is_some() || layout.places[link.to.index()].is_some()
        };
        (0..self.by_direction.len()).find(|direction| {
            layout.offsets[*direction].is_none()
                && self.by_direction[*direction].iter().any(touches)
        })
    }
}

impl Layout {
    fn new(tiles: usize, directions: usize) -> Layout {
        Layout {
            offsets: vec![None; directions],
            places: vec![None; tiles],
            taken: BTreeSet::new(),
        }
    }

    /// Places a tile, unless another lies there.
    fn put(&mut self, tile: usize, place: Offset) -> Option<()> {
        *self.places.get_mut(tile)? = Some(place);
        self.taken.insert(place).then_some(())
    }

    /// Whether every tile is placed and diagonals come in both slants or not at all. A grid with
    /// one slant is the skewed drawing of a hex board, whose three axes are alike.
    fn is_grid(&self) -> bool {
        let slant = |sign: i32| self.offsets.iter().flatten().any(|(x, y)| x * y == sign);
        self.places.iter().all(Option::is_some) && slant(1) == slant(-1)
    }

    /// The places by tile, moved so that the least column and row are 0.
    fn coordinates(&self) -> Vec<Offset> {
        let placed = || self.places.iter().flatten();
        let left = placed().map(|place| place.0).min().unwrap_or(0);
        let bottom = placed().map(|place| place.1).min().unwrap_or(0);
        placed().map(|(x, y)| (x - left, y - bottom)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(from: usize, to: usize, direction: usize) -> Link {
        Link {
            from: TileId::at(from),
            to: TileId::at(to),
            direction: DirectionId::at(direction),
            distance: 1,
        }
    }

    /// A board of rows and columns, with a direction for each offset.
    fn grid(width: i32, height: i32, offsets: &[Offset]) -> Topology {
        let mut links = Vec::new();
        for (direction, (right, up)) in offsets.iter().enumerate() {
            for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
                let (u, v) = (x + right, y + up);
                if (0..width).contains(&u) && (0..height).contains(&v) {
                    let (from, to) = (y * width + x, v * width + u);
                    links.push(link(from as usize, to as usize, direction));
                }
            }
        }
        Topology::new((width * height) as usize, offsets.len(), &links)
    }

    #[test]
    fn a_grid_is_known_by_its_relations_alone() {
        let four = grid(5, 4, &AXES);
        assert_eq!(four.class(), TopologyClass::Orthogonal);
        let expected: Vec<Offset> = (0..4).flat_map(|y| (0..5).map(move |x| (x, y))).collect();
        assert_eq!(four.coordinates(), Some(&expected[..]));
        let eight = grid(8, 8, &UNITS);
        assert_eq!(eight.class(), TopologyClass::OrthogonalAndDiagonal);
        let shuffled: Vec<Offset> = [6, 3, 0, 5, 1, 7, 2, 4].map(|at| UNITS[at]).to_vec();
        assert_eq!(grid(16, 16, &shuffled).class(), TopologyClass::OrthogonalAndDiagonal);
        assert_eq!(
            grid(3, 3, &[(0, 1), (1, 1), (-1, 1)]).class(),
            TopologyClass::OrthogonalAndDiagonal,
            "one-way relations draw a grid as well"
        );
    }

    #[test]
    fn a_line_is_orthogonal_and_a_ring_is_not() {
        let mut links: Vec<Link> = (0..9).map(|tile| link(tile, tile + 1, 0)).collect();
        let line = Topology::new(10, 1, &links);
        assert_eq!(line.class(), TopologyClass::Orthogonal);
        assert_eq!(line.coordinates().map(|places| places[9]), Some((0, 9)));
        links.push(link(9, 0, 0));
        let ring = Topology::new(10, 1, &links);
        assert_eq!(ring.class(), TopologyClass::Arbitrary);
        assert_eq!(ring.coordinates(), None);
    }

    #[test]
    fn hexes_islands_and_loops_are_arbitrary() {
        let hex = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
        assert_eq!(grid(5, 5, &hex).class(), TopologyClass::Arbitrary);
        let island = Topology::new(3, 1, &[link(0, 1, 0)]);
        assert_eq!(island.class(), TopologyClass::Arbitrary);
        let itself = Topology::new(1, 1, &[link(0, 0, 0)]);
        assert_eq!(itself.class(), TopologyClass::Arbitrary);
        let wormhole = Topology::new(4, 2, &[link(0, 1, 0), link(1, 2, 0), link(0, 2, 1)]);
        assert_eq!(wormhole.class(), TopologyClass::Arbitrary);
    }

    #[test]
    fn a_graph_of_many_free_directions_ends_the_search() {
        // Every link has a direction of its own, and the last tile lies alone.
        let links: Vec<Link> = (0..200).map(|tile| link(tile, tile + 1, tile)).collect();
        assert_eq!(Topology::new(202, 200, &links).class(), TopologyClass::Arbitrary);
    }

    #[test]
    fn leaving_keeps_declaration_order_and_step_agrees() {
        let links = [link(1, 0, 2), link(0, 1, 1), link(0, 2, 0), link(1, 2, 0)];
        let board = Topology::new(3, 3, &links);
        let leaving = |tile| -> Vec<usize> {
            let relations = board.leaving(TileId::at(tile));
            relations.map(RelationId::index).collect()
        };
        assert_eq!(leaving(0), [1, 2]);
        assert_eq!(leaving(1), [0, 3]);
        assert!(leaving(2).is_empty() && leaving(3).is_empty() && leaving(65_535).is_empty());
        for (index, link) in links.iter().enumerate() {
            let relation = board.step(link.from, link.direction);
            assert_eq!(relation, Some(RelationId::at(index)));
            assert_eq!(board.next(link.from, link.direction), Some(link.to));
        }
        assert_eq!(board.step(TileId::at(2), DirectionId::at(0)), None);
        assert_eq!(board.step(TileId::at(3), DirectionId::at(0)), None);
        assert_eq!(board.step(TileId::at(0), DirectionId::at(9)), None);
    }
}
