//! Sets of tiles read off the planes of a state: tests of tiles, and areas, as a player means them.

use crate::bits::Bits;
use crate::game::Game;
use crate::id::{DirectionId, PlayerId, TileId};
use crate::plan::{Area, Seat, TileTest, Trait, Who};
use crate::tile_set::TileSet;

/// More steps of different lengths than this are left to the scene.
const STEPS: usize = 24;

/// The tiles of a set that pass a test.
#[derive(Clone)]
pub(super) struct Sieve<const W: usize> {
    within: Bits<W>,
    /// The clause that most tests are.
    first: Clause<W>,
    rest: Option<Box<Rest<W>>>,
}

/// What a test asks besides.
#[derive(Clone, Default)]
struct Rest<const W: usize> {
    clauses: Vec<Clause<W>>,
    near: Vec<Near<W>>,
}

/// The tiles in one of several planes or in a set; inverted, all others.
#[derive(Clone, PartialEq)]
struct Clause<const W: usize> {
    /// The words where two of the planes begin; the same twice where there is only one.
    two: [usize; 2],
    more: Vec<usize>,
    also: Bits<W>,
    /// Every bit, if it is inverted.
    invert: u64,
}

/// The tiles beside one that passes a test; inverted, all others.
#[derive(Clone)]
struct Near<const W: usize> {
    ways: Vec<Steps<W>>,
    passes: Sieve<W>,
    invert: u64,
}

/// Whom a test is about and how it is asked.
#[derive(Clone, Copy)]
pub(super) struct Asker<'a> {
    pub(super) game: &'a Game,
    pub(super) player: PlayerId,
    /// Whether the event asked about names a tile.
    pub(super) names_tile: bool,
}

impl Asker<'_> {
    pub(super) fn seat(self, seat: Seat) -> PlayerId {
        match seat {
            Seat::Mover => self.player,
            Seat::Ahead(seats) => {
                let players = self.game.layout.players;
                PlayerId::at((self.player.index() + usize::from(seats)) % players)
            }
            Seat::Player(player) => player,
        }
    }

    /// The planes of those who are meant.
    pub(super) fn planes(self, who: Who) -> Vec<usize> {
        let friends = self.game.friends[self.player.index()];
        let own = 1 << self.player.index();
        let among = match who {
            Who::Mover => own,
            Who::Ally => friends & !own,
            Who::Friend => friends,
            Who::Foe => !friends,
            Who::Player(one) => 1 << one.index(),
            Who::Anyone => u64::MAX,
        };
        let players = self.game.players().filter(|player| among >> player.index() & 1 == 1);
        players.map(|player| self.game.layout.owner(player)).collect()
    }

    /// The tiles of an area that is the same in every state.
    pub(super) fn area(self, area: &Area) -> Option<TileSet> {
        match area {
            Area::Board => Some(self.game.all_tiles),
            Area::Region(regions, seat) => Some(regions[self.seat(*seat).index()]),
            Area::At(_) | Area::Span(..) | Area::Around(_) | Area::Beyond(..) => None,
        }
    }
}

/// What a trait comes to.
enum Found<const W: usize> {
    Planes(Vec<usize>),
    /// The tiles in none of these planes.
    Outside(Vec<usize>),
    Fixed(Bits<W>),
    Near(Vec<Steps<W>>, Sieve<W>),
}

impl<const W: usize> Sieve<W> {
    /// Every tile of a set.
    pub(super) fn all(within: TileSet) -> Sieve<W> {
        let first = Clause { two: [0; 2], more: Vec::new(), also: Bits::FULL, invert: 0 };
        Sieve { within: Bits::from_set(within), first, rest: None }
    }

    /// The tiles of a set that pass a test, if planes can say which those are.
    pub(super) fn new(asker: Asker<'_>, test: &TileTest, within: TileSet) -> Option<Sieve<W>> {
        let mut sieve = Sieve::all(within);
        for one in &test.all_of {
            sieve.ask(found(asker, one)?, false);
        }
        for one in &test.none_of {
            sieve.ask(found(asker, one)?, true);
        }
        match test.any_of.as_slice() {
            [] => {}
            [one] => sieve.ask(found(asker, one)?, false),
            any => {
                let (mut planes, mut also) = (Vec::new(), Bits::EMPTY);
                for one in any {
                    match found(asker, one)? {
                        Found::Planes(more) => planes.extend(more),
                        Found::Fixed(more) => also |= more,
                        Found::Outside(_) | Found::Near(..) => return None,
                    }
                }
                sieve.add(planes, also, false);
            }
        }
        Some(sieve)
    }

    fn ask(&mut self, found: Found<W>, invert: bool) {
        match found {
            Found::Planes(planes) => self.add(planes, Bits::EMPTY, invert),
            Found::Outside(planes) => self.add(planes, Bits::EMPTY, !invert),
            Found::Fixed(tiles) => self.within &= if invert { !tiles } else { tiles },
            Found::Near(ways, passes) => {
                let near = Near { ways, passes, invert: every(invert) };
                self.rest.get_or_insert_default().near.push(near);
            }
        }
    }

    /// Leaves only tiles of some planes, or only others.
    pub(super) fn add(&mut self, planes: Vec<usize>, also: Bits<W>, invert: bool) {
        let mut planes = planes.into_iter();
        let Some(first) = planes.next() else {
            self.within &= if invert { !also } else { also };
            return;
        };
        let two = [first, planes.next().unwrap_or(first)];
        let clause = Clause { two, more: planes.collect(), also, invert: every(invert) };
        if self.first.also == Bits::FULL && clause.more.is_empty() {
            self.first = clause;
        } else if self.first != clause {
            self.rest.get_or_insert_default().clauses.push(clause);
        }
    }

    #[inline(always)]
    pub(super) fn tiles(&self, words: &[u64]) -> Bits<W> {
        let tiles = self.within & self.first.tiles(words);
        match &self.rest {
            None => tiles,
            Some(rest) => rest.among(tiles, words),
        }
    }
}

impl<const W: usize> Clause<W> {
    /// The tiles that it leaves of two planes at most.
    #[inline(always)]
    fn tiles(&self, words: &[u64]) -> Bits<W> {
        let [one, two] = self.two;
        (Bits::read(words, one) | Bits::read(words, two) | self.also).flip(self.invert)
    }
}

impl<const W: usize> Rest<W> {
    #[inline(never)]
    fn among(&self, tiles: Bits<W>, words: &[u64]) -> Bits<W> {
        let mut tiles = tiles;
        for clause in &self.clauses {
            let mut any = clause.tiles(words).flip(clause.invert);
            for &plane in &clause.more {
                any |= Bits::read(words, plane);
            }
            tiles &= any.flip(clause.invert);
        }
        for near in &self.near {
            let passing = near.passes.tiles(words);
            let mut any = Bits::EMPTY;
            near.ways.iter().for_each(|way| any |= way.before(passing));
            tiles &= any.flip(near.invert);
        }
        tiles
    }
}

fn every(invert: bool) -> u64 {
    if invert { u64::MAX } else { 0 }
}

fn found<const W: usize>(asker: Asker<'_>, one: &Trait) -> Option<Found<W>> {
    let layout = &asker.game.layout;
    Some(match one {
        Trait::Empty => Found::Outside(asker.planes(Who::Anyone)),
        Trait::Owner(who) => Found::Planes(asker.planes(*who)),
        Trait::Kind(kind) => Found::Planes(vec![layout.kind(*kind)]),
        Trait::Flag(flag) => Found::Planes(vec![layout.flag(*flag)]),
        Trait::In(regions) => Found::Fixed(Bits::from_set(regions[asker.player.index()])),
        Trait::Royal => {
            let royals = asker.game.royals.iter();
            Found::Planes(royals.map(|&kind| layout.kind(kind)).collect())
        }
        Trait::Beside(test) => {
            let ways = asker.game.directions().map(|way| Steps::new(asker.game, &[way]));
            let ways = ways.collect::<Option<Vec<_>>>()?;
            let passes = Sieve::new(asker, test, asker.game.all_tiles)?;
            Found::Near(ways, passes)
        }
        Trait::AtLeast(..) | Trait::Threatened(_) | Trait::At(_) => return None,
    })
}

/// Steps from every tile at once: which tiles lie so many ids before the ones they lead to.
#[derive(Clone)]
pub(super) struct Steps<const W: usize>(Vec<(u32, Bits<W>)>);

impl<const W: usize> Steps<W> {
    /// Steps along directions, one after another; none where they lead too many different ways.
    pub(super) fn new(game: &Game, ways: &[DirectionId]) -> Option<Steps<W>> {
        let mut steps: Vec<(u32, Bits<W>)> = Vec::new();
        for tile in game.tiles() {
            let next = |tile: TileId, way: &DirectionId| game.topology().next(tile, *way);
            let Some(to) = ways.iter().try_fold(tile, next) else { continue };
            let back = turn_back::<W>(tile, to);
            match steps.iter_mut().find(|(by, _)| *by == back) {
                Some((_, from)) => from.insert(tile),
                None => steps.push((back, Bits::of(tile))),
            }
        }
        (steps.len() <= STEPS).then_some(Steps(steps))
    }

    /// The tiles from which the steps lead into a set.
    #[inline(always)]
    pub(super) fn before(&self, to: Bits<W>) -> Bits<W> {
        let mut tiles = Bits::EMPTY;
        for (by, from) in &self.0 {
            tiles |= to.turn(*by) & *from;
        }
        tiles
    }
}

/// By how much a set is turned so that one tile comes to lie where another is.
pub(super) fn turn_back<const W: usize>(tile: TileId, to: TileId) -> u32 {
    ((64 * W + tile.index() - to.index()) % (64 * W)) as u32
}
