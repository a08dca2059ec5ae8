//! Paths: whether a piece can travel from tile to tile, and by which relations.
//!
//! Three layers answer alike. The sliding fast path is asked first, then the compiled patterns, last
//! the visitor, whose answer is what the patterns mean. A layer that cannot vouch for a request
//! passes it on.

mod compiled;
mod metrics;
mod reach;
mod sliding;
mod visitor;

use std::fmt;

pub use compiled::CompiledPattern;
pub use metrics::{Layer, Metrics, Observer, Report, Skip, Skips, Tally};

use crate::id::{DirectionId, PlayerId, RelationId, TileId};
use crate::topology::Topology;
use crate::written::Reach;
use sliding::Rays;

/// Which accelerations an engine uses. Every combination gives the same paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOptions {
    /// Whether patterns are resolved in their compiled form before the visitor is asked.
    pub compiled_patterns: bool,
    /// Whether occupancy is read as whole words; otherwise it is asked tile by tile, and the
    /// sliding fast path, which needs words, is passed over.
    pub bitboards: bool,
    /// Whether sliding pieces are resolved by tables of rays.
    pub sliding_fast_path: bool,
    /// Whether compiled patterns find the next tile in neighbour arrays; otherwise they search the
    /// relations that leave a tile.
    pub adjacency_cache: bool,
}

impl Default for PathOptions {
    fn default() -> Self {
        PathOptions {
            compiled_patterns: true,
            bitboards: true,
            sliding_fast_path: true,
            adjacency_cache: true,
        }
    }
}

/// A pattern with ids instead of names, as one owner's pieces follow it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Travel {
    Direction(DirectionId, Reach),
    MultiDirection(Vec<DirectionId>, Reach),
    Fixed(Vec<DirectionId>),
    Null,
    Any,
}

/// How the pieces of one kind and owner travel: their patterns in declared order, in the form each
/// layer reads.
#[derive(Clone, Debug)]
pub(crate) struct Mobility {
    travels: Vec<Travel>,
    compiled: Vec<CompiledPattern>,
    /// The directions that some pattern repeats.
    slides: DirectionSet,
    /// Whether some pattern repeats a direction.
    repeats: bool,
    /// Whether there are compiled patterns and every one repeats.
    only_slides: bool,
}

impl Mobility {
    pub(crate) fn new(travels: Vec<Travel>) -> Self {
        let compiled: Vec<CompiledPattern> =
            travels.iter().filter_map(CompiledPattern::compile).collect();
        let repeats = compiled.iter().any(CompiledPattern::repeats);
        let only_slides = repeats && compiled.iter().all(CompiledPattern::repeats);
        let mut slides = DirectionSet::default();
        for pattern in compiled.iter().filter(|pattern| pattern.repeats()) {
            pattern.directions().iter().for_each(|id| slides.insert(*id));
        }
        Mobility { travels, compiled, slides, repeats, only_slides }
    }

    /// The compiled patterns in declared order.
    pub(crate) fn compiled(&self) -> &[CompiledPattern] {
        &self.compiled
    }
}

/// A set of directions: one bit for each that an id can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct DirectionSet([u64; 4]);

impl DirectionSet {
    #[inline]
    fn contains(&self, direction: DirectionId) -> bool {
        self.0[direction.index() / 64] >> (direction.index() % 64) & 1 == 1
    }

    fn insert(&mut self, direction: DirectionId) {
        self.0[direction.index() / 64] |= 1 << (direction.index() % 64);
    }
}

/// Who stands where, as the resolvers see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occupancy<'a> {
    /// A plane of bits by tile for each player, one after another.
    pub planes: &'a [u64],
    /// The words of a plane.
    pub width: usize,
    /// The tiles that hold one piece. Only what stands on these blocks or is captured.
    pub exclusive: &'a [u64],
}

impl Occupancy<'_> {
    /// Whose piece stands on an exclusive tile.
    #[inline]
    fn owner(&self, tile: TileId) -> Option<PlayerId> {
        let (word, shift) = (tile.index() / 64, tile.index() % 64);
        let holds = |bits: &u64| bits >> shift & 1 == 1;
        if !self.exclusive.get(word).is_some_and(holds) {
            return None;
        }
        let mut words = self.planes.get(word..)?.iter().step_by(self.width);
        words.position(holds).map(PlayerId::at)
    }

    /// Every occupied exclusive tile, in `W` words.
    #[inline]
    fn combined<const W: usize>(&self) -> [u64; W] {
        let mut occupied = [0; W];
        let mut add = |plane: &[u64]| {
            for (word, bits) in occupied.iter_mut().zip(plane) {
                *word |= bits;
            }
        };
        // The same with lengths known beforehand, which is several times as fast.
        match self.planes.as_chunks::<W>().0 {
            [one, other] if self.width == W => {
                add(one);
                add(other);
            }
            planes if self.width == W => planes.iter().for_each(|plane| add(plane)),
            _ => self.planes.chunks_exact(self.width).for_each(add),
        }
        for (word, bits) in occupied.iter_mut().zip(self.exclusive) {
            *word &= bits;
        }
        occupied
    }
}

/// Who moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    /// A bit for each player on the mover's side, the mover included.
    pub friends: u64,
}

impl Mover {
    #[inline]
    fn is_friend(self, player: PlayerId) -> bool {
        let bits = self.friends.checked_shr(u32::from(player.0));
        bits.is_some_and(|bits| bits & 1 == 1)
    }
}

/// What landing at a path's end takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Nothing: the target is empty, or it holds many pieces and the game says what landing means.
    None,
    /// A piece of this player, who is no friend of the mover.
    Enemy(PlayerId),
}

/// How a path runs.
#[derive(Clone, Copy)]
enum Way<'g> {
    /// The same direction all along.
    Straight(DirectionId),
    /// A direction for each step.
    Steps(&'g [DirectionId]),
}

/// How a path runs and how many steps that takes.
#[derive(Clone, Copy)]
struct Course<'g> {
    way: Way<'g>,
    len: u16,
}

impl<'g> Course<'g> {
    #[inline]
    fn straight(direction: DirectionId, len: u16) -> Self {
        Course { way: Way::Straight(direction), len }
    }

    #[inline]
    fn steps(steps: &'g [DirectionId]) -> Self {
        Course { way: Way::Steps(steps), len: steps.len() as u16 }
    }
}

/// One journey: the relations from a source to a target, and what landing there captures.
///
/// It is a recipe, read off the board when asked, so that finding a path allocates nothing.
#[derive(Clone, Copy)]
pub struct Path<'g> {
    topology: &'g Topology,
    way: Way<'g>,
    from: TileId,
    to: TileId,
    len: u16,
    capture: Capture,
}

#[allow(clippy::len_without_is_empty, reason = "a path has at least one relation")]
impl<'g> Path<'g> {
    /// The tile it leaves.
    #[inline]
    pub fn from(&self) -> TileId {
        self.from
    }

    /// The tile it arrives at.
    #[inline]
    pub fn to(&self) -> TileId {
        self.to
    }

    /// How many relations it follows: at least one.
    #[inline]
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// What landing captures.
    #[inline]
    pub fn capture(&self) -> Capture {
        self.capture
    }

    /// The relations from source to target.
    pub fn relations(&self) -> impl Iterator<Item = RelationId> + Clone + use<'g> {
        let Path { topology, from, way, .. } = *self;
        (0..self.len()).scan(from, move |tile, at| {
            let direction = match way {
                Way::Straight(direction) => direction,
                Way::Steps(steps) => steps[at],
            };
            let relation = topology.step(*tile, direction)?;
            *tile = topology.relation(relation).to;
            Some(relation)
        })
    }

    /// The tiles from source to target, both included.
    pub fn tiles(&self) -> impl Iterator<Item = TileId> + Clone + use<'g> {
        let topology = self.topology;
        let entered = self.relations().map(|relation| topology.relation(relation).to);
        std::iter::once(self.from).chain(entered)
    }

    /// The tiles that a piece touches on it: the ends of a leap, otherwise every tile.
    pub fn touched(&self) -> impl Iterator<Item = TileId> + Clone + use<'g> {
        let (leaps, last) = (matches!(self.way, Way::Steps(_)), self.len());
        let all = self.tiles().enumerate();
        all.filter(move |(at, _)| !leaps || *at == 0 || *at == last).map(|(_, tile)| tile)
    }

    /// The distances of its relations, added up.
    pub fn distance(&self) -> u64 {
        let links = self.relations().map(|relation| self.topology.relation(relation));
        links.map(|link| u64::from(link.distance)).sum()
    }
}

/// Paths are equal that follow the same relations and capture the same.
impl PartialEq for Path<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.capture == other.capture && self.relations().eq(other.relations())
    }
}

impl Eq for Path<'_> {}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Path")?;
        f.debug_list().entries(self.tiles().map(TileId::index)).finish()?;
        match self.capture {
            Capture::None => Ok(()),
            Capture::Enemy(player) => write!(f, " x{}", player.index()),
        }
    }
}

/// Why a way that exists on the board is closed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocked<'g> {
    /// The first tile whose occupant stops the journey.
    pub tile: TileId,
    /// The way as it would run on an empty board.
    pub path: Path<'g>,
}

/// One request, as every layer gets it.
#[derive(Clone, Copy)]
struct Query<'g, 'o> {
    mobility: &'g Mobility,
    mover: Mover,
    occupancy: Occupancy<'o>,
    from: TileId,
    to: TileId,
}

impl<'g> Query<'g, '_> {
    /// What landing captures; none if a friend forbids it, whichever pattern leads there.
    #[inline]
    fn landing(&self) -> Option<Capture> {
        match self.occupancy.owner(self.to) {
            None => Some(Capture::None),
            Some(player) if self.mover.is_friend(player) => None,
            Some(player) => Some(Capture::Enemy(player)),
        }
    }

    #[inline]
    fn path(&self, topology: &'g Topology, course: Course<'g>, capture: Capture) -> Path<'g> {
        let Course { way, len } = course;
        Path { topology, way, from: self.from, to: self.to, len, capture }
    }
}

/// Finds paths on one board.
#[derive(Clone, Debug)]
pub(crate) struct Resolver {
    topology: Topology,
    options: PathOptions,
    /// Only made where the options let the fast path use them.
    rays: Option<Rays>,
}

impl Resolver {
    pub(crate) fn new(topology: Topology, options: PathOptions) -> Self {
        let wanted = options.bitboards && options.sliding_fast_path;
        let rays = wanted.then(|| Rays::new(&topology));
        Resolver { topology, options, rays }
    }

    /// The path to the first occupied tile along one of the directions, if that is the target.
    pub(crate) fn to_first(
        &self,
        occupancy: Occupancy<'_>,
        (from, to): (TileId, TileId),
        directions: impl Iterator<Item = DirectionId>,
    ) -> Option<Path<'_>> {
        let found = |direction| {
            let (tile, steps) = self.first_occupied(occupancy, from, direction)?;
            (tile == to).then_some(Course::straight(direction, steps))
        };
        let Course { way, len } = { directions }.find_map(found)?;
        Some(Path { topology: &self.topology, way, from, to, len, capture: Capture::None })
    }

    /// The path of a number of steps along a direction.
    pub(crate) fn straight(
        &self,
        (from, to): (TileId, TileId),
        direction: DirectionId,
        steps: u16,
    ) -> Path<'_> {
        let Course { way, len } = Course::straight(direction, steps);
        Path { topology: &self.topology, way, from, to, len, capture: Capture::None }
    }

    /// The board.
    pub(crate) fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The path of the first pattern that leads from tile to tile past whatever stands there.
    #[inline]
    pub(crate) fn resolve<'g>(
        &'g self,
        mobility: &'g Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        from: TileId,
        to: TileId,
        observer: &mut impl Observer,
    ) -> Option<Path<'g>> {
        if let Some(path) = self.glance(mobility, mover, occupancy, (from, to)) {
            observer.observe(Layer::Sliding, Report::of(path.as_ref()));
            return path;
        }
        self.ask(&Query { mobility, mover, occupancy, from, to }, observer)
    }

    /// Asks layer by layer.
    #[inline(never)]
    fn ask<'g>(&'g self, query: &Query<'g, '_>, observer: &mut impl Observer) -> Option<Path<'g>> {
        if let Err(skip) = self.check(query.from, query.to) {
            for layer in Layer::ALL {
                observer.observe(layer, Report::Skip(skip));
            }
            return None;
        }
        for layer in Layer::ALL {
            match self.answer(layer, query) {
                Ok(path) => {
                    observer.observe(layer, Report::of(path.as_ref()));
                    return path;
                }
                Err(skip) => observer.observe(layer, Report::Skip(skip)),
            }
        }
        None
    }

    /// The answer of one layer alone, or why it passes.
    #[inline]
    pub(crate) fn resolve_by<'g>(
        &'g self,
        layer: Layer,
        mobility: &'g Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        (from, to): (TileId, TileId),
    ) -> Result<Option<Path<'g>>, Skip> {
        if layer == Layer::Sliding
            && let Some(path) = self.glance(mobility, mover, occupancy, (from, to))
        {
            return Ok(path);
        }
        self.ask_one(layer, &Query { mobility, mover, occupancy, from, to })
    }

    #[inline(never)]
    fn ask_one<'g>(
        &'g self,
        layer: Layer,
        query: &Query<'g, '_>,
    ) -> Result<Option<Path<'g>>, Skip> {
        self.check(query.from, query.to)?;
        self.answer(layer, query)
    }

    /// What the fast path says where it need not look twice.
    #[inline(always)]
    fn glance<'g>(
        &'g self,
        mobility: &'g Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        journey: (TileId, TileId),
    ) -> Option<Option<Path<'g>>> {
        self.rays.as_ref()?.glance(&self.topology, mobility, mover, occupancy, journey)
    }

    /// The first pattern that would lead from tile to tile on an empty board and what stops it now;
    /// none if there is a path or no pattern leads there at all.
    pub(crate) fn blocker<'g>(
        &'g self,
        mobility: &'g Mobility,
        mover: Mover,
        occupancy: Occupancy<'_>,
        from: TileId,
        to: TileId,
    ) -> Option<Blocked<'g>> {
        let query = Query { mobility, mover, occupancy, from, to };
        self.check(from, to).ok()?;
        match visitor::resolve(&self.topology, &query) {
            Some(_) => None,
            None => visitor::blocked(&self.topology, &query),
        }
    }

    /// Whether there is anything to look for.
    #[inline]
    fn check(&self, from: TileId, to: TileId) -> Result<(), Skip> {
        if from.index().max(to.index()) >= self.topology.tile_count() {
            return Err(Skip::OffBoard);
        }
        if from == to {
            return Err(Skip::ZeroLength);
        }
        Ok(())
    }

    /// What a layer says to a request that is checked, or why it passes.
    #[inline]
    fn answer<'g>(&'g self, layer: Layer, query: &Query<'g, '_>) -> Result<Option<Path<'g>>, Skip> {
        match layer {
            Layer::Sliding => {
                let rays = self.rays(query.mobility)?;
                Ok(rays.resolve(&self.topology, query))
            }
            Layer::Compiled if !self.options.compiled_patterns => Err(Skip::SwitchedOff),
            Layer::Compiled if query.mobility.compiled.is_empty() => Err(Skip::NotCompiled),
            Layer::Compiled => Ok(compiled::resolve(&self.topology, self.options, query)),
            Layer::Visitor => Ok(visitor::resolve(&self.topology, query)),
        }
    }

    /// The tables of rays, where the fast path may use them for such pieces.
    #[inline]
    fn rays(&self, mobility: &Mobility) -> Result<&Rays, Skip> {
        match &self.rays {
            Some(rays) if mobility.repeats => Ok(rays),
            Some(_) => Err(Skip::NotSliding),
            None if self.options.sliding_fast_path => Err(Skip::NoBitboards),
            None => Err(Skip::SwitchedOff),
        }
    }
}

#[cfg(test)]
mod tests;
