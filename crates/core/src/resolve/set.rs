//! Sets and tiles: from names to ids.

use std::collections::BTreeSet;

use crate::fault::Fault;
use crate::id::TileId;
use crate::tile_set::TileSet;
use crate::typed;
use crate::written::{Binding, Domain, Seat, Set, Tile};

use super::word::{Meaning, Words};

impl Words<'_, '_> {
    pub(crate) fn set(&mut self, written: &Set) -> Option<typed::Set> {
        self.nested(|words| words.set_of(written))
    }

    fn boxed_set(&mut self, written: &Set) -> Option<Box<typed::Set>> {
        self.set(written).map(Box::new)
    }

    fn sets(&mut self, written: &[Set]) -> Option<Vec<typed::Set>> {
        let all: Vec<_> = written.iter().map(|one| self.set(one)).collect();
        all.into_iter().collect()
    }

    fn complement(&mut self, written: &Set) -> Option<typed::Set> {
        Some(match self.set(written)? {
            typed::Set::Const(regions) => {
                let outside = regions.into_iter().map(|tiles| self.board.all.without(tiles));
                typed::Set::Const(outside.collect())
            }
            one => typed::Set::Not(Box::new(one)),
        })
    }

    fn set_of(&mut self, written: &Set) -> Option<typed::Set> {
        Some(match written {
            Set::Board => self.constant(self.board.all),
            Set::Empty => typed::Set::Empty,
            Set::Owned(who) => typed::Set::Owned(self.who(who)?),
            Set::Kind(name) => typed::Set::Kind(self.compiler.kind(&self.place, name)?),
            Set::Royal => typed::Set::Royal,
            Set::Flag(name) => typed::Set::Flag(self.compiler.flag(&self.place, name)?),
            Set::Mark(name) => typed::Set::Mark(self.compiler.mark(&self.place, name)?),
            Set::AtLeast(count, who) => typed::Set::AtLeast(*count, self.who(who)?),
            Set::Region(name) => typed::Set::Const(self.compiler.region(&self.place, name)?),
            Set::RegionOf(name, seat) => self.region_of(name, seat)?,
            Set::Tiles(names) => self.named_tiles(names)?,
            Set::At(tile) => typed::Set::At(Box::new(self.tile(tile)?)),
            Set::All(all) => joined(self.sets(all)?, |one, other| one & other, typed::Set::All),
            Set::Any(any) => joined(self.sets(any)?, |one, other| one | other, typed::Set::Any),
            Set::Not(one) => self.complement(one)?,
            Set::Step(set, steps) => {
                let (set, steps) = (self.boxed_set(set), self.headings(steps));
                typed::Set::Step(set?, steps?)
            }
            Set::Around(set, along) => {
                let (set, along) = (self.boxed_set(set), self.connections(along));
                typed::Set::Around(set?, along?)
            }
            Set::Ray(from, along) => {
                let (from, along) = (self.tile(from), self.heading(along));
                typed::Set::Ray(Box::new(from?), along?)
            }
            Set::Row(through, along) => {
                let (through, along) = (self.tile(through), self.heading(along));
                typed::Set::Row(Box::new(through?), along?)
            }
            Set::Run { from, along, over, end } => self.run(from, along, over, end.as_deref())?,
            Set::Span(from, to) => {
                let (from, to) = (self.tile(from), self.tile(to));
                typed::Set::Span(Box::new(from?), Box::new(to?))
            }
            Set::Between(from, to) => {
                let (from, to) = (self.tile(from), self.tile(to));
                typed::Set::Between(Box::new(from?), Box::new(to?))
            }
            Set::Group { of, at, along } => self.group(of, at, along)?,
            Set::Reach { from, over, along } => {
                let (from, over, along) =
                    (self.boxed_set(from), self.boxed_set(over), self.connections(along));
                let connection = typed::Connection::AsLed;
                typed::Set::Reach { from: from?, over: over?, along: along?, connection }
            }
            Set::Line { length, along, of } => {
                let (lines, of) = (self.lines(*length, along), self.boxed_set(of));
                typed::Set::Line { lines: lines?, of: of? }
            }
            Set::ExactLine { length, along, of } => self.exact_line(*length, along, of)?,
            Set::Attacked(who) => typed::Set::Attacked(self.who(who)?),
            Set::If(truth, yes, no) => {
                let truth = Box::new(self.unnumbered(truth));
                let (yes, no) = (self.boxed_set(yes), self.boxed_set(no));
                typed::Set::If(truth, yes?, no?)
            }
            Set::Union(binding, set) => self.union(binding, set)?,
            Set::Name(name) => match self.meaning(name)? {
                Meaning::Group(local) => typed::Set::Local(local),
                Meaning::Tile(local) => typed::Set::At(Box::new(typed::Tile::Local(local))),
                Meaning::Direction(_) => return self.not_bound(name),
            },
        })
    }

    fn group(&mut self, of: &Set, at: &Tile, along: &[String]) -> Option<typed::Set> {
        let (over, at, along) = (self.boxed_set(of), self.tile(at), self.connections(along));
        let from = Box::new(typed::Set::At(Box::new(at?)));
        let connection = typed::Connection::Either;
        Some(typed::Set::Reach { from, over: over?, along: along?, connection })
    }

    /// The lines of a length that are no part of a longer one.
    fn exact_line(&mut self, length: u16, along: &[String], of: &Set) -> Option<typed::Set> {
        let of = self.boxed_set(of)?;
        let exact = |words: &mut Self, along: &String| {
            let along = std::slice::from_ref(along);
            let lines = words.lines(length, along)?;
            let longer = words.lines(length.saturating_add(1), along)?;
            let longer = typed::Set::Line { lines: longer, of: of.clone() };
            let line = typed::Set::Line { lines, of: of.clone() };
            Some(typed::Set::All(vec![line, typed::Set::Not(Box::new(longer))]))
        };
        let all: Option<Vec<_>> = along.iter().map(|one| exact(self, one)).collect();
        Some(typed::Set::Any(all?))
    }

    fn region_of(&mut self, name: &str, seat: &Seat) -> Option<typed::Set> {
        let regions = self.compiler.region(&self.place, name);
        let seat = self.seat(seat)?;
        Some(typed::Set::Const(self.seen_from(regions?, seat)))
    }

    fn named_tiles(&mut self, names: &[String]) -> Option<typed::Set> {
        let tiles: Vec<_> =
            names.iter().map(|name| self.compiler.tile(&self.place, name)).collect();
        let tiles = tiles.into_iter().collect::<Option<Vec<_>>>()?;
        Some(self.constant(tiles.into_iter().collect()))
    }

    fn run(
        &mut self,
        from: &Tile,
        along: &str,
        over: &Set,
        end: Option<&Set>,
    ) -> Option<typed::Set> {
        let (from, along, over) = (self.tile(from), self.heading(along), self.boxed_set(over));
        let end = match end {
            Some(end) => Some(self.boxed_set(end)?),
            None => None,
        };
        Some(typed::Set::Run { from: Box::new(from?), along: along?, over: over?, end })
    }

    /// A union over the values of a name: directions are written out, the rest is a loop.
    fn union(&mut self, binding: &Binding, set: &Set) -> Option<typed::Set> {
        if let Domain::Directions(directions) = &binding.over {
            let all = self.each_direction(&binding.name, directions, |words| words.set(set))?;
            return Some(typed::Set::Any(all));
        }
        let (over, set) = self.bound(binding, |words| words.boxed_set(set))?;
        Some(typed::Set::Union(over, set))
    }

    /// The same tiles for every player.
    fn constant(&self, tiles: TileSet) -> typed::Set {
        typed::Set::Const(vec![tiles; self.compiler.definition.players.len()])
    }

    /// A region of a seat, for each player judged.
    fn seen_from(&self, regions: typed::Regions, seat: typed::Seat) -> typed::Regions {
        let (players, seat_count) = (regions.len(), self.compiler.seat_count());
        let of = |judged: usize| match seat {
            typed::Seat::Mover => judged,
            typed::Seat::Ahead(seats) => (judged + usize::from(seats)) % seat_count.max(1),
            typed::Seat::Player(player) => player.index(),
        };
        (0..players).map(|judged| regions[of(judged)]).collect()
    }

    /// Every run of a number of tiles along one of the directions, for each player.
    pub(super) fn lines(
        &mut self,
        length: u16,
        directions: &[String],
    ) -> Option<Vec<Vec<TileSet>>> {
        let headings = self.headings(directions)?;
        let players = 0..self.compiler.definition.players.len();
        let topology = &self.board.topology;
        let of_player = |player: usize| {
            let mut lines = BTreeSet::new();
            for heading in &headings {
                for start in self.board.all.iter() {
                    let mut line: TileSet = std::iter::once(start).collect();
                    let mut tile = start;
                    while line.len() < usize::from(length) {
                        let Some(next) = topology.next(tile, heading[player]) else { break };
                        tile = next;
                        if line.contains(tile) {
                            break;
                        }
                        line.insert(tile);
                    }
                    if line.len() == usize::from(length) {
                        lines.insert(line);
                    }
                }
            }
            lines.into_iter().collect()
        };
        Some(players.map(of_player).collect())
    }

    pub(crate) fn tile(&mut self, written: &Tile) -> Option<typed::Tile> {
        self.nested(|words| words.tile_of(written))
    }

    fn tile_of(&mut self, written: &Tile) -> Option<typed::Tile> {
        let players = self.compiler.definition.players.len();
        Some(match written {
            Tile::From | Tile::To if !self.context.knows(written) => {
                self.fault(Fault::NoEvent { tile: written.to_string() });
                return None;
            }
            Tile::From => typed::Tile::From,
            Tile::To => typed::Tile::To,
            Tile::Named(name) => {
                let tile = self.compiler.tile(&self.place, name)?;
                typed::Tile::Const(vec![tile; players])
            }
            Tile::Only(set) => match self.set(set)? {
                typed::Set::Const(regions) => {
                    for region in &regions {
                        if region.len() != 1 {
                            let name = match &**set {
                                Set::Region(name) | Set::RegionOf(name, _) => name.clone(),
                                set => set.to_string(),
                            };
                            let found = region.len();
                            self.fault(Fault::NotOneTile { name, found });
                        }
                    }
                    let tiles: Option<Vec<TileId>> =
                        regions.iter().map(|region| region.iter().next()).collect();
                    typed::Tile::Const(tiles?)
                }
                set => typed::Tile::Only(Box::new(set)),
            },
            Tile::Steps(tile, steps) => {
                let (tile, steps) = (self.tile(tile), self.headings(steps));
                typed::Tile::Steps(Box::new(tile?), steps?)
            }
            Tile::First { from, along, at } => {
                let (from, along, at) = (self.tile(from), self.heading(along), self.boxed_set(at));
                typed::Tile::First { from: Box::new(from?), along: along?, at: at? }
            }
            Tile::Name(name) => match self.meaning(name)? {
                Meaning::Tile(local) => typed::Tile::Local(local),
                Meaning::Group(local) => typed::Tile::Only(Box::new(typed::Set::Local(local))),
                Meaning::Direction(_) => return self.not_bound(name),
            },
        })
    }
}

/// Sets joined by an operation: one that never changes where none of them does.
fn joined(
    sets: Vec<typed::Set>,
    join: fn(TileSet, TileSet) -> TileSet,
    otherwise: fn(Vec<typed::Set>) -> typed::Set,
) -> typed::Set {
    folded(&sets, join).unwrap_or_else(|| otherwise(sets))
}

/// What sets that never change come to, for each player; none where one may change.
fn folded(sets: &[typed::Set], join: fn(TileSet, TileSet) -> TileSet) -> Option<typed::Set> {
    let regions = |set: &typed::Set| match set {
        typed::Set::Const(regions) => Some(regions.clone()),
        _ => None,
    };
    let mut sets = sets.iter().map(regions);
    let mut joined = sets.next()??;
    for regions in sets {
        joined.iter_mut().zip(regions?).for_each(|(one, other)| *one = join(*one, other));
    }
    Some(typed::Set::Const(joined))
}
