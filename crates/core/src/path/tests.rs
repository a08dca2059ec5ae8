//! Facts about paths on tracks small enough to draw in a line.

use super::*;
use crate::topology::Link;

/// A board of one direction that leads along these tiles.
pub(super) fn track(tiles: &[usize]) -> Topology {
    let count = tiles.iter().max().map_or(0, |last| last + 1);
    let links: Vec<Link> = tiles.windows(2).map(|pair| link(pair[0], pair[1], 0)).collect();
    Topology::new(count, 1, &links)
}

fn link(from: usize, to: usize, direction: usize) -> Link {
    Link {
        from: TileId::at(from),
        to: TileId::at(to),
        direction: DirectionId::at(direction),
        distance: 10,
    }
}

const AHEAD: DirectionId = DirectionId::at(0);

fn slider() -> Mobility {
    Mobility::new(vec![Travel::Direction(AHEAD, Reach::Repeat)])
}

/// A track with players' pieces on it: `a` moves, `b` is an ally, `x` is an enemy, `.` is empty;
/// capital letters and `_` stand for the same on tiles that hold many.
struct Scene {
    resolver: Resolver,
    planes: [u64; 3],
    exclusive: [u64; 1],
}

impl Scene {
    fn draw(row: &str) -> Scene {
        let all: Vec<usize> = (0..row.len()).collect();
        Scene::on(track(&all), row)
    }

    fn on(topology: Topology, row: &str) -> Scene {
        let bits = |letters: &str| {
            let found = row.char_indices().filter(|(_, letter)| letters.contains(*letter));
            found.fold(0, |bits, (at, _)| bits | 1 << at)
        };
        Scene {
            resolver: Resolver::new(topology, PathOptions::default()),
            planes: [bits("aA"), bits("bB"), bits("xX")],
            exclusive: [!bits("ABX_")],
        }
    }

    fn occupancy(&self) -> Occupancy<'_> {
        Occupancy { planes: &self.planes, width: 1, exclusive: &self.exclusive }
    }

    fn path<'g>(&'g self, mobility: &'g Mobility, from: usize, to: usize) -> Option<Path<'g>> {
        let mover = Mover { friends: 0b011 };
        let (from, to) = (TileId::at(from), TileId::at(to));
        let resolver = &self.resolver;
        resolver.resolve(mobility, mover, self.occupancy(), from, to, &mut ())
    }

    fn blocker(&self, mobility: &Mobility, from: usize, to: usize) -> Option<usize> {
        let mover = Mover { friends: 0b011 };
        let (from, to) = (TileId::at(from), TileId::at(to));
        let blocked = self.resolver.blocker(mobility, mover, self.occupancy(), from, to);
        blocked.map(|blocked| blocked.tile.index())
    }
}

#[test]
fn the_first_occupied_tile_decides() {
    let slider = slider();
    let reached = |row: &str| -> Vec<usize> {
        let scene = Scene::draw(row);
        (0..row.len()).filter(|to| scene.path(&slider, 0, *to).is_some()).collect()
    };
    assert_eq!(reached("a...."), [1, 2, 3, 4]);
    assert_eq!(reached("a.b.x"), [1]);
    assert_eq!(reached("a.x.b"), [1, 2]);
    assert_eq!(reached("axx.."), [1]);
    assert_eq!(reached("ab..."), [0; 0]);
    assert_eq!(reached("aBX_."), [1, 2, 3, 4], "pieces on shared tiles block nothing");
}

#[test]
fn a_path_reads_as_relations_tiles_distance_and_capture() {
    let (scene, slider) = (Scene::draw("a..x"), slider());
    let path = scene.path(&slider, 0, 3).unwrap();
    let tiles: Vec<usize> = path.tiles().map(TileId::index).collect();
    let relations: Vec<usize> = path.relations().map(RelationId::index).collect();
    assert_eq!((tiles, relations), (vec![0, 1, 2, 3], vec![0, 1, 2]));
    assert_eq!((path.len(), path.distance()), (3, 30));
    assert_eq!(path.capture(), Capture::Enemy(PlayerId::at(2)));
    assert_eq!(format!("{path:?}"), "Path[0, 1, 2, 3] x2");
    let shared = Scene::draw("a..X");
    assert_eq!(shared.path(&slider, 0, 3).unwrap().capture(), Capture::None);
}

#[test]
fn a_blocked_ray_gives_way_to_a_longer_open_one_and_ties_to_the_first() {
    // Direction 0 goes 0 1 4, direction 1 goes 0 2 3 4, direction 2 goes 0 3 4.
    let links = [(0, 1, 0), (1, 4, 0), (0, 2, 1), (2, 3, 1), (3, 4, 1), (0, 3, 2), (3, 4, 2)];
    let links = links.map(|(from, to, direction)| link(from, to, direction));
    let board = Topology::new(5, 3, &links);
    let all = [1, 2, 0].map(DirectionId::at).to_vec();
    let mobility = Mobility::new(vec![Travel::MultiDirection(all, Reach::Repeat)]);
    let way = |row: &str| -> Option<Vec<usize>> {
        let scene = Scene::on(board.clone(), row);
        let path = scene.path(&mobility, 0, 4)?;
        Some(path.tiles().map(TileId::index).collect())
    };
    assert_eq!(way("a...."), Some(vec![0, 3, 4]));
    assert_eq!(way("a..b."), Some(vec![0, 1, 4]));
    assert_eq!(way("ax.x."), None);
    let scene = Scene::on(board.clone(), "ax.x.");
    assert_eq!(scene.blocker(&mobility, 0, 4), Some(3));
}

#[test]
fn the_blocker_is_the_tile_that_stops_the_first_pattern_that_leads_there() {
    let leap = Travel::Fixed(vec![AHEAD; 3]);
    let mobility = Mobility::new(vec![Travel::Direction(AHEAD, Reach::Repeat), leap]);
    assert_eq!(Scene::draw("a.bb").blocker(&mobility, 0, 3), Some(2));
    assert_eq!(Scene::draw("a..b").blocker(&mobility, 0, 3), Some(3));
    assert_eq!(Scene::draw("a.b.").blocker(&mobility, 0, 3), None, "the leap arrives");
    assert_eq!(Scene::draw("a.b.").blocker(&mobility, 3, 0), None, "no way back");
}

#[test]
fn rings_and_tails_end() {
    let slider = slider();
    let ring = Scene::on(track(&[0, 1, 2, 0]), ".a.");
    assert_eq!(ring.path(&slider, 1, 0).map(|path| path.len()), Some(2));
    let tail = Scene::on(track(&[0, 1, 2, 1]), "..a");
    assert_eq!(tail.path(&slider, 2, 0), None);
    assert_eq!(tail.path(&slider, 2, 1).map(|path| path.len()), Some(1));
}

#[test]
fn metrics_tell_who_answered_and_who_passed() {
    let scene = Scene::draw("a..");
    let mut metrics = Metrics::default();
    let mut ask = |mobility: &Mobility, to: usize| {
        let mover = Mover { friends: 1 };
        let (from, to) = (TileId::at(0), TileId::at(to));
        let resolver = &scene.resolver;
        resolver.resolve(mobility, mover, scene.occupancy(), from, to, &mut metrics);
    };
    let stepper = Mobility::new(vec![Travel::Direction(AHEAD, Reach::Once)]);
    ask(&slider(), 2);
    ask(&slider(), 0);
    ask(&slider(), 9);
    ask(&stepper, 2);
    ask(&Mobility::new(vec![Travel::Any]), 2);
    let Metrics { sliding, compiled, visitor } = metrics;
    assert_eq!((sliding.attempts, sliding.hits), (1, 1));
    assert_eq!(sliding.skips.not_sliding, 2);
    assert_eq!((compiled.attempts, compiled.misses), (1, 1));
    assert_eq!(compiled.skips.not_compiled, 1);
    assert_eq!((visitor.attempts, visitor.misses), (1, 1));
    for tally in [sliding, compiled, visitor] {
        assert_eq!((tally.skips.zero_length, tally.skips.off_board), (1, 1));
    }
}
