//! Sets and tiles, by names.

use std::collections::BTreeSet;

use senet_core::written::{Set, Tile};

use super::Oracle;
use super::context::{Bound, Context};

/// A set of tiles.
pub(super) type Tiles = BTreeSet<String>;

impl Context<'_> {
    /// Every tile of a set.
    pub(super) fn set(&self, set: &Set) -> Tiles {
        self.among(set, self.oracle.board())
    }

    /// Whether a tile is in a set.
    pub(super) fn contains(&self, set: &Set, tile: &str) -> bool {
        !self.among(set, Tiles::from([tile.to_owned()])).is_empty()
    }

    /// Those of some tiles that are in a set.
    fn among(&self, set: &Set, tiles: Tiles) -> Tiles {
        match set {
            Set::Board => tiles,
            Set::All(all) => all.iter().fold(tiles, |left, one| self.among(one, left)),
            Set::Any(any) => any.iter().flat_map(|one| self.among(one, tiles.clone())).collect(),
            Set::Not(one) => &tiles - &self.among(one, tiles.clone()),
            Set::If(truth, yes, no) => self.among(if self.holds(truth) { yes } else { no }, tiles),
            Set::Union(binding, one) => {
                let each = self.each(binding);
                each.iter().flat_map(|with| with.among(one, tiles.clone())).collect()
            }
            Set::Empty
            | Set::Owned(_)
            | Set::Kind(_)
            | Set::Royal
            | Set::Flag(_)
            | Set::Mark(_)
            | Set::AtLeast(..)
            | Set::Attacked(_) => tiles.into_iter().filter(|tile| self.is_so(set, tile)).collect(),
            _ => &tiles & &self.place(set),
        }
    }

    /// Whether a tile is in a set that asks about what stands there.
    fn is_so(&self, set: &Set, tile: &str) -> bool {
        let men = self.men_at(tile);
        let mut some = men.iter();
        match set {
            Set::Empty => men.is_empty(),
            Set::Owned(who) => some.any(|man| self.is(&man.owner, who)),
            Set::Kind(kind) => some.any(|man| man.kind == *kind),
            Set::Royal => some.any(|man| self.oracle.is_royal(&man.kind)),
            Set::Flag(flag) => some.any(|man| man.flags.contains(flag)),
            Set::Mark(mark) => self.position.marks[mark].contains(tile),
            Set::AtLeast(count, who) => {
                some.filter(|man| self.is(&man.owner, who)).count() >= usize::from(*count)
            }
            Set::Attacked(who) => {
                let mut players = self.oracle.seats().filter(|player| self.is(&player.name, who));
                players.any(|player| self.oracle.attacks(self.position, &player.name, tile))
            }
            _ => unreachable!("{set} is about the board"),
        }
    }

    /// Every tile of a set that is found on the board.
    fn place(&self, set: &Set) -> Tiles {
        let empty = Tiles::new();
        match set {
            Set::Region(name) => self.oracle.region(name, self.mover),
            Set::RegionOf(name, seat) => self.oracle.region(name, &self.seat(seat)),
            Set::Tiles(names) => names.iter().cloned().collect(),
            Set::At(tile) => self.tile(tile).into_iter().collect(),
            Set::Step(one, steps) => {
                let from = self.set(one);
                from.iter().filter_map(|tile| self.steps(tile, steps)).collect()
            }
            Set::Around(one, along) => {
                let from = self.set(one);
                from.iter().flat_map(|tile| self.beside(tile, along)).collect()
            }
            Set::Ray(from, along) => {
                self.tile(from).map_or(empty, |tile| self.walk(&tile, along).into_iter().collect())
            }
            Set::Row(through, along) => {
                let Some(through) = self.tile(through) else { return empty };
                let leads = |tile: &String| self.walk(tile, along).contains(&through);
                let back = self.oracle.board().into_iter().filter(leads);
                let forth = self.walk(&through, along);
                back.chain(forth).chain([through.clone()]).collect()
            }
            Set::Run { from, along, over, end } => {
                let Some(from) = self.tile(from) else { return empty };
                let ray = self.walk(&from, along);
                let length = ray.iter().take_while(|tile| self.contains(over, tile)).count();
                let ends = |end: &Set| ray.get(length).is_some_and(|tile| self.contains(end, tile));
                let ends = end.as_ref().is_none_or(|end| ends(end));
                ray.into_iter().take(if ends { length } else { 0 }).collect()
            }
            Set::Span(from, to) => self.span(from, to),
            Set::Between(from, to) => {
                let ends: Tiles = [from, to].into_iter().filter_map(|one| self.tile(one)).collect();
                &self.span(from, to) - &ends
            }
            Set::Group { of, at, along } => {
                let Some(at) = self.tile(at) else { return empty };
                let groups = self.groups(of, along);
                groups.into_iter().find(|group| group.contains(&at)).unwrap_or(empty)
            }
            Set::Reach { from, over, along } => {
                let over = self.set(over);
                self.spread(&over & &self.set(from), |tile| &over & &self.beside(tile, along))
            }
            Set::Line { length, along, of } => self.lines(*length, along, of),
            Set::ExactLine { length, along, of } => {
                let exact = |along: &String| {
                    let along = std::slice::from_ref(along);
                    &self.lines(*length, along, of) - &self.lines(length + 1, along, of)
                };
                along.iter().flat_map(exact).collect()
            }
            Set::Name(name) => match self.bound(name) {
                Some(Bound::Set(tiles)) => tiles.clone(),
                _ => panic!("`{name}` is not bound to a set"),
            },
            _ => unreachable!("{set} is not found on the board"),
        }
    }

    pub(super) fn tile(&self, tile: &Tile) -> Option<String> {
        match tile {
            Tile::From => self.from.map(str::to_owned),
            Tile::To => self.to.map(str::to_owned),
            Tile::Named(name) => Some(name.clone()),
            Tile::Only(set) => {
                let mut tiles = self.set(set);
                if tiles.len() == 1 { tiles.pop_first() } else { None }
            }
            Tile::Steps(tile, steps) => self.steps(&self.tile(tile)?, steps),
            Tile::First { from, along, at } => {
                let ray = self.walk(&self.tile(from)?, along);
                ray.into_iter().find(|tile| self.contains(at, tile))
            }
            Tile::Name(name) => match self.bound(name) {
                Some(Bound::Tile(tile)) => Some(tile.clone()),
                _ => panic!("`{name}` is not bound to a tile"),
            },
        }
    }

    /// The direction of the board that a name means here.
    pub(super) fn direction(&self, name: &str) -> String {
        match self.bound(name) {
            Some(Bound::Direction(direction)) => direction.clone(),
            _ => self.oracle.direction_for(self.mover, name),
        }
    }

    pub(super) fn step(&self, tile: &str, direction: &str) -> Option<String> {
        self.oracle.step(tile, &self.direction(direction))
    }

    fn steps(&self, tile: &str, steps: &[String]) -> Option<String> {
        steps.iter().try_fold(tile.to_owned(), |tile, step| self.step(&tile, step))
    }

    /// The tiles along a direction, up to the edge or to where the way comes round.
    pub(super) fn walk(&self, from: &str, along: &str) -> Vec<String> {
        let mut way = vec![from.to_owned()];
        while let Some(next) = self.step(&way[way.len() - 1], along) {
            if way.contains(&next) {
                break;
            }
            way.push(next);
        }
        way.split_off(1)
    }

    /// The tiles one step away, along some directions or along all.
    fn beside(&self, tile: &str, along: &[String]) -> Tiles {
        let directions = match along {
            [] => self.oracle.definition.directions.clone(),
            named => named.iter().map(|name| self.direction(name)).collect(),
        };
        directions.iter().filter_map(|direction| self.oracle.step(tile, direction)).collect()
    }

    /// The first straight line that leads from one tile to another, both included.
    fn span(&self, from: &Tile, to: &Tile) -> Tiles {
        let (Some(from), Some(to)) = (self.tile(from), self.tile(to)) else { return Tiles::new() };
        if from == to {
            return Tiles::from([from]);
        }
        let straight = |direction: &String| {
            let way = self.walk(&from, direction);
            let last = way.iter().position(|tile| *tile == to)?;
            Some(way[..=last].iter().cloned().chain([from.clone()]).collect())
        };
        self.oracle.definition.directions.iter().find_map(straight).unwrap_or_default()
    }

    /// Every tile of a line of some tiles of a set, one after another along a direction.
    pub(super) fn lines(&self, length: u16, along: &[String], of: &Set) -> Tiles {
        let (of, length) = (self.set(of), usize::from(length));
        let mut all = Tiles::new();
        for start in &of {
            for direction in along {
                let mut line = vec![start.clone()];
                line.extend(self.walk(start, direction));
                if line.len() >= length && line[..length].iter().all(|tile| of.contains(tile)) {
                    all.extend(line.into_iter().take(length));
                }
            }
        }
        all
    }

    /// The connected groups of a set, in the order of their first tiles. A step in either
    /// direction connects.
    pub(super) fn groups(&self, of: &Set, along: &[String]) -> Vec<Tiles> {
        let of = self.set(of);
        let joined = |tile: &str| {
            let leads_here = |other: &&String| self.beside(other, along).contains(tile);
            let back: Tiles = of.iter().filter(leads_here).cloned().collect();
            &(&self.beside(tile, along) & &of) | &back
        };
        let mut groups: Vec<Tiles> = Vec::new();
        for tile in self.oracle.in_order(&of) {
            if !groups.iter().any(|group| group.contains(&tile)) {
                groups.push(self.spread(Tiles::from([tile]), joined));
            }
        }
        groups
    }

    /// Some tiles and every tile that steps from them lead to.
    fn spread(&self, from: Tiles, step: impl Fn(&str) -> Tiles) -> Tiles {
        let mut all = from;
        loop {
            let more: Tiles = all.iter().flat_map(|tile| step(tile)).collect();
            if more.is_subset(&all) {
                return all;
            }
            all.extend(more);
        }
    }
}

impl Oracle<'_> {
    pub(super) fn is_royal(self, kind: &str) -> bool {
        self.definition.kinds.iter().any(|one| one.name == kind && one.royal)
    }

    fn board(self) -> Tiles {
        self.definition.tiles.iter().map(|tile| tile.name.clone()).collect()
    }

    /// Tiles in the order of the board.
    pub(super) fn in_order(self, tiles: &Tiles) -> Vec<String> {
        let board = self.definition.tiles.iter().map(|tile| &tile.name);
        board.filter(|name| tiles.contains(*name)).cloned().collect()
    }

    /// The tiles of a region for a player: the player's own, else everyone's.
    fn region(self, name: &str, player: &str) -> Tiles {
        let named = |of: Option<&str>| {
            let mut regions = self.definition.regions.iter();
            regions.find(|region| region.name == name && region.player.as_deref() == of)
        };
        let region = named(Some(player)).or_else(|| named(None)).expect("a known region");
        region.tiles.iter().cloned().collect()
    }
}
