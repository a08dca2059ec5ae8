//! Random games: boards, pieces, patterns, teams and occupancies that nobody would write.

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use senet_core::Definition;
use senet_core::builder::EIGHT;
use senet_core::builder::{Board, Grid, Hex, Track};
use senet_core::written::{BoardTile, Capacity, Facing, Pattern, Player, Reach, Relation};

use crate::engine::write;

/// A name that every player gives a direction of its own.
const AHEAD: &str = "ahead";

/// How many random games the suite looks at.
pub(crate) const CASES: u32 = 600;

/// A game in the making, as plain numbers that shrink well.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    shape: Shape,
    /// Relations that are missing.
    cuts: Vec<Index>,
    /// Exchanges in the order of tiles, so that ids neither rise nor fall along a ray.
    swaps: Vec<(Index, Index)>,
    /// Tiles that hold many.
    stacks: Vec<Index>,
    /// For each of three players a team, 0 for none, and the direction that is ahead.
    players: [(u8, Index); 3],
    patterns: Vec<Way>,
    mover: Index,
    home: Option<Index>,
    /// Where, and whose.
    stones: Vec<(Index, Index)>,
    /// The tiles from which every path is asked.
    sources: Vec<Index>,
}

#[derive(Clone, Debug)]
enum Shape {
    Grid(u16, u16, bool),
    Hex(u16, u16),
    Track(u16),
    Ring(u16),
    /// Any graph: from, direction, to.
    Graph(usize, usize, Vec<(Index, Index, Index)>),
    /// Each direction is a jump in the order of tiles, around the end or not.
    Jumps(usize, Vec<(i32, bool)>),
}

#[derive(Clone, Debug)]
enum Way {
    Direction(Index, Reach),
    Multi(Vec<Index>, Reach),
    Fixed(Vec<Index>),
    Null,
    Any,
}

fn indices(most: usize) -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..=most)
}

fn shape() -> impl Strategy<Value = Shape> {
    let link = (any::<Index>(), any::<Index>(), any::<Index>());
    let graph = (2..9usize, 1..5usize, prop::collection::vec(link, 4..40));
    let jump = (-9..10i32, any::<bool>());
    let jumps = (2..14usize, prop::collection::vec(jump.clone(), 1..5));
    let wide = (60..140usize, prop::collection::vec(jump, 1..5));
    prop_oneof![
        3 => (1..6u16, 1..6u16, any::<bool>()).prop_map(|(w, h, eight)| Shape::Grid(w, h, eight)),
        1 => (1..5u16, 1..5u16).prop_map(|(w, h)| Shape::Hex(w, h)),
        1 => (1..10u16).prop_map(Shape::Track),
        1 => (1..10u16).prop_map(Shape::Ring),
        6 => graph.prop_map(|(tiles, directions, links)| Shape::Graph(tiles, directions, links)),
        3 => jumps.prop_map(|(tiles, jumps)| Shape::Jumps(tiles, jumps)),
        1 => wide.prop_map(|(tiles, jumps)| Shape::Jumps(tiles, jumps)),
    ]
}

fn way() -> impl Strategy<Value = Way> {
    let reach = || prop_oneof![1 => Just(Reach::Once), 2 => Just(Reach::Repeat)];
    prop_oneof![
        3 => (any::<Index>(), reach()).prop_map(|(one, reach)| Way::Direction(one, reach)),
        5 => (indices(6), reach()).prop_map(|(all, reach)| Way::Multi(all, reach)),
        3 => indices(4).prop_map(Way::Fixed),
        1 => Just(Way::Null),
        1 => Just(Way::Any),
    ]
}

/// The patterns of a piece; sometimes one of them a second time.
fn ways() -> impl Strategy<Value = Vec<Way>> {
    (prop::collection::vec(way(), 0..6), prop::option::weighted(0.3, any::<Index>())).prop_map(
        |(mut ways, again)| {
            if let (Some(again), false) = (again, ways.is_empty()) {
                ways.push(ways[again.index(ways.len())].clone());
            }
            ways
        },
    )
}

/// Random games.
pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    let swap = (any::<Index>(), any::<Index>());
    let board = (shape(), indices(4), prop::collection::vec(swap, 0..6), indices(3));
    let player = (0..3u8, any::<Index>());
    let stones = prop::collection::vec((any::<Index>(), any::<Index>()), 0..12);
    let who = ([player.clone(), player.clone(), player], any::<Index>());
    let sources = prop::collection::vec(any::<Index>(), 2..6);
    (board, who, ways(), prop::option::of(any::<Index>()), stones, sources).prop_map(
        |((shape, cuts, swaps, stacks), (players, mover), patterns, home, stones, sources)| Plan {
            shape,
            cuts,
            swaps,
            stacks,
            players,
            patterns,
            mover,
            home,
            stones,
            sources,
        },
    )
}

/// Runs through the same games in every test and every run.
pub(crate) fn runner(cases: u32) -> TestRunner {
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(0x5EED),
        failure_persistence: None,
        ..Config::default()
    })
}

impl Plan {
    /// The game as written.
    pub(crate) fn definition(&self) -> Definition {
        let mut board = self.board();
        for (one, other) in &self.swaps {
            let count = board.tiles.len();
            board.tiles.swap(one.index(count), other.index(count));
        }
        for tile in &self.stacks {
            let count = board.tiles.len();
            board.tiles[tile.index(count)].holds = Capacity::Many;
        }
        let tile = |index: &Index| board.tiles[index.index(board.tiles.len())].clone();
        let names = ["first", "second", "third"];
        let owner = |index: &Index| names[index.index(names.len())].to_owned();
        let home = self.home.as_ref().map(tile);
        let mut taken: Vec<BoardTile> = home.clone().into_iter().collect();
        let mut stones = Vec::new();
        for (place, whose) in &self.stones {
            let place = tile(place);
            if place.holds == Capacity::Many || !taken.contains(&place) {
                stones.push((owner(whose), place.name.clone()));
                taken.push(place);
            }
        }
        let patterns = self.patterns(&board.directions);
        let players = self.players(&names, &board.directions);
        let home = home.as_ref().map(|tile| tile.name.as_str());
        let mover = owner(&self.mover);
        write(board, players, &patterns, (&mover, home), &stones)
    }

    /// What is asked of the game: from each source to every tile, the source included.
    pub(crate) fn queries<'d>(&self, definition: &'d Definition) -> Vec<(&'d str, &'d str)> {
        let names: Vec<&str> = definition.tiles.iter().map(|tile| tile.name.as_str()).collect();
        let sources = self.sources.iter().map(|index| names[index.index(names.len())]);
        sources.flat_map(|from| names.iter().map(move |to| (from, *to))).collect()
    }

    fn board(&self) -> Board {
        let mut board = match &self.shape {
            Shape::Grid(columns, rows, true) => Grid::new(*columns, *rows).eight().board(),
            Shape::Grid(columns, rows, false) => Grid::new(*columns, *rows).board(),
            Shape::Hex(columns, rows) => Hex::parallelogram(*columns, *rows).board(),
            Shape::Track(tiles) => Track::open(*tiles).board(),
            Shape::Ring(tiles) => Track::ring(*tiles).board(),
            Shape::Graph(tiles, directions, links) => {
                let links = links.iter().map(|(from, direction, to)| {
                    (from.index(*tiles), direction.index(*directions), to.index(*tiles))
                });
                graph(*tiles, links)
            }
            Shape::Jumps(tiles, jumps) => graph(*tiles, leaps(*tiles, jumps)),
        };
        for cut in &self.cuts {
            if !board.relations.is_empty() {
                board.relations.remove(cut.index(board.relations.len()));
            }
        }
        let used = |name: &String| board.relations.iter().any(|one| one.direction == *name);
        board.directions.retain(used);
        board
    }

    fn players(&self, names: &[&str], directions: &[String]) -> Vec<Player> {
        let players = names.iter().zip(&self.players).map(|(name, (team, ahead))| {
            let mut player = Player::new(*name);
            player.team = (*team > 0).then(|| format!("team {team}"));
            if !directions.is_empty() {
                let direction = directions[ahead.index(directions.len())].clone();
                player.directions.push(Facing { name: AHEAD.into(), direction });
            }
            player
        });
        players.collect()
    }

    fn patterns(&self, directions: &[String]) -> Vec<Pattern> {
        if directions.is_empty() {
            return vec![Pattern::Null, Pattern::Any];
        }
        let name = |index: &Index| {
            let at = index.index(directions.len() + 1);
            directions.get(at).cloned().unwrap_or(AHEAD.into())
        };
        let names = |all: &[Index]| all.iter().map(name).collect();
        let patterns = self.patterns.iter().map(|way| match way {
            Way::Direction(one, reach) => Pattern::Direction(name(one), *reach),
            Way::Multi(all, reach) => Pattern::MultiDirection(names(all), *reach),
            Way::Fixed(steps) => Pattern::Fixed(names(steps)),
            Way::Null => Pattern::Null,
            Way::Any => Pattern::Any,
        });
        patterns.collect()
    }
}

/// A board of links: from, direction, to. Of two links that leave a tile in one direction the
/// first stays, and none leads to where it starts.
fn graph(tiles: usize, links: impl Iterator<Item = (usize, usize, usize)>) -> Board {
    let tile = |index: usize| format!("t{index}");
    let mut board = Board {
        tiles: (0..tiles).map(|index| BoardTile::new(tile(index))).collect(),
        directions: EIGHT.map(str::to_owned).to_vec(),
        relations: Vec::new(),
    };
    for (from, direction, to) in links {
        let relation = Relation::new(tile(from), EIGHT[direction], tile(to));
        let same =
            |one: &Relation| one.from == relation.from && one.direction == relation.direction;
        if from != to && !board.relations.iter().any(same) {
            board.relations.push(relation.distance(1 + (from % 3) as u32));
        }
    }
    board
}

fn leaps(tiles: usize, jumps: &[(i32, bool)]) -> impl Iterator<Item = (usize, usize, usize)> {
    let count = tiles as i32;
    (0..count).flat_map(move |from| {
        jumps.iter().enumerate().filter_map(move |(direction, (jump, wraps))| {
            let to = from + jump;
            let inside = *wraps || (0..count).contains(&to);
            inside.then_some((from as usize, direction, to.rem_euclid(count) as usize))
        })
    })
}
