//! Rays of a board, and a state's planes in the width of its board.

use crate::bits::Bits;
use crate::game::Game;
use crate::id::{DirectionId, FlagId, KindId, PlayerId, TileId};
use crate::plan::{TileTest, Trait, Who};
use crate::state::State;
use crate::topology::Topology;

/// Every ray of a board, by tile and direction.
pub(crate) struct Lines<const W: usize> {
    directions: usize,
    rays: Vec<Ray<W>>,
    /// For each direction the one that leads back along every relation, if there is one.
    inverses: Vec<Option<DirectionId>>,
}

/// The tiles that a direction reaches on an empty board.
struct Ray<const W: usize> {
    tiles: Bits<W>,
    order: Order,
    /// The tiles one after another, where their ids neither rise nor fall.
    walk: Box<[TileId]>,
}

/// How tile ids change along a ray.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Ascending,
    Descending,
    Mixed,
}

impl<const W: usize> Lines<W> {
    pub(crate) fn new(topology: &Topology) -> Lines<W> {
        let tiles = (0..topology.tile_count()).map(TileId::at);
        let directions = (0..topology.direction_count()).map(DirectionId::at);
        let rays = tiles.flat_map(|tile| directions.clone().map(move |d| ray(topology, tile, d)));
        Lines {
            directions: topology.direction_count(),
            rays: rays.collect(),
            inverses: directions.clone().map(|one| inverse(topology, one)).collect(),
        }
    }

    /// The direction that leads back along every relation of another.
    pub(crate) fn inverse(&self, direction: DirectionId) -> Option<DirectionId> {
        self.inverses[direction.index()]
    }

    #[inline]
    fn ray(&self, tile: TileId, direction: DirectionId) -> &Ray<W> {
        &self.rays[tile.index() * self.directions + direction.index()]
    }

    /// The first tile of a set along a ray.
    #[inline]
    pub(crate) fn first(
        &self,
        tile: TileId,
        direction: DirectionId,
        among: Bits<W>,
    ) -> Option<TileId> {
        let ray = self.ray(tile, direction);
        let met = ray.tiles & among;
        match ray.order {
            Order::Ascending => met.first(),
            Order::Descending => met.last(),
            Order::Mixed => ray.walk.iter().copied().find(|&one| met.contains(one)),
        }
    }

    /// The tiles of a ray up to the first of a set, that one included, and that one.
    #[inline]
    pub(crate) fn until(
        &self,
        tile: TileId,
        direction: DirectionId,
        among: Bits<W>,
    ) -> (Bits<W>, Option<TileId>) {
        let ray = self.ray(tile, direction);
        let first = self.first(tile, direction, among);
        let tiles = match first {
            None => ray.tiles,
            Some(end) if ray.order != Order::Mixed => {
                ray.tiles.without(self.ray(end, direction).tiles)
            }
            Some(end) => {
                let to_end = ray.walk.iter().take_while(|&&one| one != end);
                to_end.fold(Bits::of(end), |all, &one| all | Bits::of(one))
            }
        };
        (tiles, first)
    }
}

fn ray<const W: usize>(topology: &Topology, from: TileId, direction: DirectionId) -> Ray<W> {
    let mut tiles = Bits::of(from);
    let mut walk = Vec::new();
    let mut tile = from;
    while let Some(next) = topology.next(tile, direction).filter(|&next| !tiles.contains(next)) {
        tiles.insert(next);
        walk.push(next);
        tile = next;
    }
    let rises = walk.windows(2).all(|pair| pair[0] < pair[1]);
    let falls = walk.windows(2).all(|pair| pair[0] > pair[1]);
    // A ray that comes back to a tile it passed is no part of another's tail.
    let open = topology.next(tile, direction).is_none();
    let order = match (rises, falls) {
        (true, _) if open => Order::Ascending,
        (_, true) if open => Order::Descending,
        _ => Order::Mixed,
    };
    let walk = if order == Order::Mixed { walk } else { Vec::new() };
    Ray { tiles: tiles.without(Bits::of(from)), order, walk: walk.into() }
}

fn inverse(topology: &Topology, direction: DirectionId) -> Option<DirectionId> {
    let tiles = (0..topology.tile_count()).map(TileId::at);
    let mut all = (0..topology.direction_count()).map(DirectionId::at);
    let steps = || tiles.clone().filter_map(|tile| Some((tile, topology.next(tile, direction)?)));
    let back = |one: DirectionId| {
        let count = tiles.clone().filter(|&tile| topology.next(tile, one).is_some()).count();
        count == steps().count() && steps().all(|(from, to)| topology.next(to, one) == Some(from))
    };
    all.find(|&one| back(one))
}

/// A state as sets of tiles, seen by a player.
pub(crate) struct Board<'a, const W: usize> {
    pub(crate) game: &'a Game,
    pub(crate) state: &'a State,
    words: &'a [u64],
    pub(crate) mover: PlayerId,
    pub(crate) own: Bits<W>,
    pub(crate) friends: Bits<W>,
    pub(crate) foes: Bits<W>,
    pub(crate) occupied: Bits<W>,
}

impl<'a, const W: usize> Board<'a, W> {
    #[inline]
    pub(crate) fn new(game: &'a Game, state: &'a State) -> Board<'a, W> {
        let words = state.words();
        let mover = game.view(state).player();
        let (mut friends, mut foes) = (Bits::EMPTY, Bits::EMPTY);
        let mut own = Bits::EMPTY;
        for player in 0..game.layout.players {
            let plane = Bits::read(words, player * W);
            if player == mover.index() {
                own = plane;
            }
            if game.friends[mover.index()] >> player & 1 == 1 {
                friends |= plane;
            } else {
                foes |= plane;
            }
        }
        Board { game, state, words, mover, own, friends, foes, occupied: friends | foes }
    }

    #[inline]
    pub(crate) fn owner(&self, player: PlayerId) -> Bits<W> {
        Bits::read(self.words, self.game.layout.owner(player))
    }

    #[inline]
    pub(crate) fn kind(&self, kind: KindId) -> Bits<W> {
        Bits::read(self.words, self.game.layout.kind(kind))
    }

    #[inline]
    pub(crate) fn flag(&self, flag: FlagId) -> Bits<W> {
        Bits::read(self.words, self.game.layout.flag(flag))
    }

    /// The tiles of a set that pass a test made of traits that sets can answer.
    #[inline]
    pub(crate) fn select(&self, test: &TileTest, among: Bits<W>) -> Bits<W> {
        let mut tiles = among;
        for one in &test.all_of {
            tiles &= self.having(one);
        }
        if !test.any_of.is_empty() {
            let any = test.any_of.iter();
            tiles &= any.fold(Bits::EMPTY, |any, one| any | self.having(one));
        }
        test.none_of.iter().fold(tiles, |tiles, one| tiles.without(self.having(one)))
    }

    #[inline]
    fn having(&self, one: &Trait) -> Bits<W> {
        match one {
            Trait::Empty => !self.occupied,
            Trait::Owner(who) => self.held_by(*who),
            Trait::Kind(kind) => self.kind(*kind),
            Trait::Flag(flag) => self.flag(*flag),
            Trait::In(regions) => Bits::from_set(regions[self.mover.index()]),
            Trait::Royal => {
                let royals = self.game.royals.iter();
                royals.fold(Bits::EMPTY, |all, &kind| all | self.kind(kind))
            }
            // Rows with traits that sets cannot answer are asked of the rule instead.
            Trait::AtLeast(..) | Trait::Threatened(_) | Trait::At(_) | Trait::Beside(_) => {
                Bits::FULL
            }
        }
    }

    #[inline]
    fn held_by(&self, who: Who) -> Bits<W> {
        match who {
            Who::Mover => self.own,
            Who::Ally => self.friends.without(self.own),
            Who::Friend => self.friends,
            Who::Foe => self.foes,
            Who::Player(player) => self.owner(player),
            Who::Anyone => self.occupied,
        }
    }
}

/// Whether sets of tiles can answer a test.
pub(crate) fn answers(test: &TileTest) -> bool {
    let unanswerable = |one: &Trait| {
        matches!(one, Trait::AtLeast(..) | Trait::Threatened(_) | Trait::At(_) | Trait::Beside(_))
    };
    ![&test.all_of, &test.any_of, &test.none_of].into_iter().flatten().any(unanswerable)
}
