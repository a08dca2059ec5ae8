//! Journeys, walked relation by relation.

use senet_core::written::{Hop, Movement, Pattern, Reach, Way};

use super::context::{Bound, Context};
use super::{Oracle, Position};

impl Oracle<'_> {
    /// The tile that a direction of the board leads to.
    pub(super) fn step(self, tile: &str, direction: &str) -> Option<String> {
        let mut relations = self.definition.relations.iter();
        let found = relations.find(|one| one.from == tile && one.direction == direction);
        found.map(|relation| relation.to.clone())
    }

    /// The direction of the board that a name means to a player.
    pub(super) fn direction_for(self, player: &str, name: &str) -> String {
        if self.definition.directions.iter().any(|one| one == name) {
            return name.to_owned();
        }
        let player = self.definition.players.iter().find(|one| one.name == player);
        let facings = player.map_or(&[][..], |player| &player.directions);
        let facing = facings.iter().find(|facing| facing.name == name);
        facing.expect("a known direction").direction.clone()
    }

    /// The tile that a direction leads to, as a player means it.
    pub(super) fn step_for(self, player: &str, tile: &str, direction: &str) -> Option<String> {
        self.step(tile, &self.direction_for(player, direction))
    }

    /// Whose piece stands on a tile that holds one.
    fn blocker(self, position: &Position, tile: &str) -> Option<String> {
        if self.stacks(tile) {
            return None;
        }
        let mut men = position.pieces.iter();
        men.find(|man| man.is_on(tile)).map(|man| man.owner.clone())
    }

    /// The tiles from source to target by a hop, by a number of steps, or past none.
    pub(super) fn other_way(
        self,
        context: &Context<'_>,
        real: &Context<'_>,
        movement: &Movement,
    ) -> Option<Vec<String>> {
        let (from, to) = (context.from?, context.to?);
        match &movement.way {
            Way::Anywhere => Some(vec![from.to_owned(), to.to_owned()]),
            Way::Hop(hop) => {
                let mut along = hop.along.iter();
                along.find_map(|along| self.hop(context, real, hop, (along, from, to)))
            }
            Way::Steps(steps) => steps.along.iter().find_map(|along| {
                let mut inside = real.clone();
                if let Some(name) = &steps.name {
                    let direction = Bound::Direction(context.direction(along));
                    inside.names.push((name.clone(), direction));
                }
                let count = inside.number(&steps.count);
                if count < 1 || count > self.definition.tiles.len() as i64 {
                    return None;
                }
                let mut way = vec![from.to_owned()];
                for _ in 0..count {
                    way.push(context.step(way.last()?, along)?);
                }
                (way.last()? == to).then_some(way)
            }),
            _ => None,
        }
    }

    /// The tiles from source to target over a hurdle.
    fn hop(
        self,
        context: &Context<'_>,
        real: &Context<'_>,
        hop: &Hop,
        (along, from, to): (&str, &str, &str),
    ) -> Option<Vec<String>> {
        let ray = context.walk(from, along);
        let blocked = |tile: &String| self.blocker(context.position, tile).is_some();
        let hurdle = match hop.approach {
            Reach::Once => 0,
            Reach::Repeat => ray.iter().position(blocked)?,
        };
        let target = ray.iter().position(|tile| tile == to)?;
        let fits = target > hurdle && real.contains(&hop.over, &ray[hurdle]);
        let lands = match hop.landing {
            Reach::Once => target == hurdle + 1,
            Reach::Repeat => !ray.get(hurdle + 1..target)?.iter().any(blocked),
        };
        let way = std::iter::once(from.to_owned()).chain(ray[..=target].iter().cloned());
        (fits && lands).then(|| way.collect())
    }

    /// The tiles from source to target by the first pattern that leads there.
    pub(super) fn path(
        self,
        position: &Position,
        mover: &str,
        patterns: &[Pattern],
        (from, to): (&str, &str),
    ) -> Option<Vec<String>> {
        if from == to {
            return None;
        }
        if self.blocker(position, to).is_some_and(|owner| self.spares(mover, &owner)) {
            return None;
        }
        patterns.iter().find_map(|pattern| match pattern {
            Pattern::Direction(direction, reach) => {
                self.ray(position, mover, direction, *reach, (from, to))
            }
            Pattern::MultiDirection(directions, reach) => {
                let rays = directions.iter();
                let rays = rays.filter_map(|d| self.ray(position, mover, d, *reach, (from, to)));
                // The first of the shortest.
                rays.min_by_key(Vec::len)
            }
            Pattern::Fixed(steps) => {
                let mut way = vec![from.to_owned()];
                for step in steps {
                    way.push(self.step_for(mover, way.last()?, step)?);
                }
                (way.last()? == to).then_some(way)
            }
            Pattern::Null | Pattern::Any => None,
        })
    }

    /// The ray in a direction up to the target, unless something stands before it.
    fn ray(
        self,
        position: &Position,
        mover: &str,
        direction: &str,
        reach: Reach,
        (from, to): (&str, &str),
    ) -> Option<Vec<String>> {
        let mut way = vec![from.to_owned()];
        loop {
            let next = self.step_for(mover, way.last()?, direction)?;
            if way.contains(&next) {
                return None;
            }
            way.push(next.clone());
            if next == to {
                return Some(way);
            }
            if reach == Reach::Once || self.blocker(position, &next).is_some() {
                return None;
            }
        }
    }
}
