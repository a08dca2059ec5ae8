//! Answers to conditions, by names.

use senet_core::{Area, Condition, Seat, Share, Spot, TileTest, Trait, Value, Who};

use super::{Man, Oracle, Position};

/// Whether the mover is stuck is found out, or assumed not to be so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stuck {
    Ask,
    AssumeNot,
}

/// What a condition looks at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) oracle: Oracle<'a>,
    pub(super) position: &'a Position,
    pub(super) mover: &'a str,
    pub(super) from: Option<&'a str>,
    pub(super) to: Option<&'a str>,
    pub(super) stuck: Stuck,
}

impl<'a> Scene<'a> {
    pub(super) fn men_at(&self, tile: &str) -> impl Iterator<Item = &'a Man> + use<'a> {
        let on = move |man: &&Man| man.tile.as_deref() == Some(tile);
        self.position.pieces.iter().filter(on).collect::<Vec<_>>().into_iter()
    }

    pub(super) fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Never => false,
            Condition::All(all) => all.iter().all(|one| self.holds(one)),
            Condition::Any(any) => any.iter().any(|one| self.holds(one)),
            Condition::Not(one) => !self.holds(one),
            Condition::Called(_, one) | Condition::Relevant(one) => self.holds(one),
            Condition::Turn(player) => self.position.player == *player,
            Condition::Compare { left, is, right } => is.holds(self.value(left), self.value(right)),
            Condition::Tile { at, is } => self.spot(at).is_some_and(|tile| self.passes(is, &tile)),
            Condition::Line { length, directions, is } => {
                directions.iter().any(|direction| self.has_line(*length, direction, is))
            }
            Condition::Stuck => self.stuck == Stuck::Ask && self.oracle.is_stuck(self.position),
            Condition::Custom { name } => panic!("the oracle knows no custom condition `{name}`"),
        }
    }

    fn has_line(&self, length: u16, direction: &str, is: &TileTest) -> bool {
        let starts = self.oracle.definition.tiles.iter();
        starts.map(|tile| &tile.name).any(|start| {
            let mut line = vec![start.clone()];
            while line.len() < usize::from(length) {
                let last = line.last().expect("a line has a start");
                match self.oracle.step(last, direction) {
                    Some(next) if !line.contains(&next) => line.push(next),
                    _ => return false,
                }
            }
            line.iter().all(|tile| self.passes(is, tile))
        })
    }

    pub(super) fn value(&self, value: &Value) -> i64 {
        match value {
            Value::Number(number) => *number,
            Value::Variable { name, of } => self.position.variables[&self.variable_key(name, of)],
            Value::Die(name) => self.position.dice[name].into(),
            Value::Tiles { area, is } => {
                self.area(area).iter().filter(|tile| self.passes(is, tile)).count() as i64
            }
            Value::Pieces { area, owner, kind } => {
                let area = self.area(area);
                let counts = |man: &&Man| {
                    man.tile.as_ref().is_some_and(|tile| area.contains(tile))
                        && self.is(&man.owner, owner)
                        && kind.as_ref().is_none_or(|kind| man.kind == *kind)
                };
                self.position.pieces.iter().filter(counts).count() as i64
            }
            Value::Sum(values) => {
                values.iter().fold(0, |sum, value| sum.saturating_add(self.value(value)))
            }
        }
    }

    pub(super) fn variable_key(&self, name: &str, of: &Seat) -> (String, Option<String>) {
        let variables = &self.oracle.definition.variables;
        let variable = variables.iter().find(|one| one.name == name).expect("a known variable");
        let of = (variable.share == Share::PerPlayer).then(|| self.seat(of));
        (name.to_owned(), of)
    }

    pub(super) fn seat(&self, seat: &Seat) -> String {
        let players = &self.oracle.definition.players;
        let at = players.iter().position(|one| one.name == self.mover).expect("a known player");
        let ahead = match seat {
            Seat::Mover => 0,
            Seat::Next => 1,
            Seat::Previous => players.len() - 1,
            Seat::Player(name) => return name.clone(),
        };
        players[(at + ahead) % players.len()].name.clone()
    }

    fn is(&self, player: &str, who: &Who) -> bool {
        let friend = self.oracle.friends(self.mover, player);
        match who {
            Who::Mover => player == self.mover,
            Who::Ally => friend && player != self.mover,
            Who::Friend => friend,
            Who::Foe => !friend,
            Who::Player(name) => player == name,
            Who::Anyone => true,
        }
    }

    pub(super) fn area(&self, area: &Area) -> Vec<String> {
        match area {
            Area::Board => {
                self.oracle.definition.tiles.iter().map(|tile| tile.name.clone()).collect()
            }
            Area::Region(name) => self.oracle.region(name, self.mover),
            Area::RegionOf(name, seat) => self.oracle.region(name, &self.seat(seat)),
            Area::At(spot) => self.spot(spot).into_iter().collect(),
            Area::Span(from, to) => match (self.spot(from), self.spot(to)) {
                (Some(from), Some(to)) => self.span(&from, &to),
                _ => Vec::new(),
            },
            Area::Beyond(spot, along) => {
                let Some(start) = self.spot(spot) else { return Vec::new() };
                let mut ray = vec![start];
                while let Some(next) = self.oracle.step_for(self.mover, &ray[ray.len() - 1], along)
                    && !ray.contains(&next)
                {
                    ray.push(next);
                }
                ray.split_off(1)
            }
            Area::Around(spot) => {
                self.spot(spot).map_or(Vec::new(), |tile| self.oracle.neighbours(&tile))
            }
        }
    }

    /// The tiles of the first straight line from one tile to another.
    fn span(&self, from: &str, to: &str) -> Vec<String> {
        let straight = |direction: &String| {
            let mut way = vec![from.to_owned()];
            while way.last().is_some_and(|last| last != to) {
                let next = self.oracle.step(way.last()?, direction)?;
                if way.contains(&next) {
                    return None;
                }
                way.push(next);
            }
            Some(way)
        };
        self.oracle.definition.directions.iter().find_map(straight).unwrap_or_default()
    }

    pub(super) fn spot(&self, spot: &Spot) -> Option<String> {
        match spot {
            Spot::From => self.from.map(str::to_owned),
            Spot::To => self.to.map(str::to_owned),
            Spot::Tile(name) => Some(name.clone()),
            Spot::Only(name, seat) => self.oracle.region(name, &self.seat(seat)).pop(),
            Spot::Steps(spot, steps) => {
                let mut tile = self.spot(spot)?;
                for step in steps {
                    tile = self.oracle.step_for(self.mover, &tile, step)?;
                }
                Some(tile)
            }
            Spot::First { from, along, is } => {
                let mut way = vec![self.spot(from)?];
                loop {
                    let last = way.last().expect("a way has a start");
                    let next = self.oracle.step_for(self.mover, last, along)?;
                    if way.contains(&next) {
                        return None;
                    }
                    if self.passes(is, &next) {
                        return Some(next);
                    }
                    way.push(next);
                }
            }
        }
    }

    pub(super) fn passes(&self, test: &TileTest, tile: &str) -> bool {
        let has = |one: &Trait| self.has(one, tile);
        test.all_of.iter().all(has)
            && (test.any_of.is_empty() || test.any_of.iter().any(has))
            && !test.none_of.iter().any(has)
    }

    fn has(&self, one: &Trait, tile: &str) -> bool {
        let mut men = self.men_at(tile);
        match one {
            Trait::Empty => men.next().is_none(),
            Trait::Owner(who) => men.any(|man| self.is(&man.owner, who)),
            Trait::Kind(kind) => men.any(|man| man.kind == *kind),
            Trait::Flag(flag) => men.any(|man| man.flags.contains(flag)),
            Trait::In(region) => self.oracle.region(region, self.mover).iter().any(|t| t == tile),
            Trait::AtLeast(count, who) => {
                men.filter(|man| self.is(&man.owner, who)).count() >= usize::from(*count)
            }
            Trait::Royal => men.any(|man| self.oracle.is_royal(&man.kind)),
            Trait::Threatened(who) => {
                let players = self.oracle.definition.players.iter();
                let mut players = players.filter(|player| self.is(&player.name, who));
                players.any(|player| self.oracle.attacks(self.position, &player.name, tile))
            }
            Trait::At(spot) => self.spot(spot).as_deref() == Some(tile),
            Trait::Beside(test) => {
                self.oracle.neighbours(tile).iter().any(|near| self.passes(test, near))
            }
        }
    }
}

impl Oracle<'_> {
    fn is_royal(self, kind: &str) -> bool {
        self.definition.kinds.iter().any(|one| one.name == kind && one.royal)
    }

    fn neighbours(self, tile: &str) -> Vec<String> {
        let leaving = self.definition.relations.iter().filter(|one| one.from == tile);
        leaving.map(|relation| relation.to.clone()).collect()
    }

    /// The tiles of a region for a player: the player's own, else everyone's.
    fn region(self, name: &str, player: &str) -> Vec<String> {
        let named = |of: Option<&str>| {
            let mut regions = self.definition.regions.iter();
            regions.find(|region| region.name == name && region.player.as_deref() == of)
        };
        let region = named(Some(player)).or_else(|| named(None)).expect("a known region");
        region.tiles.clone()
    }
}
