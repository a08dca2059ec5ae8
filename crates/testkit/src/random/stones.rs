//! Small games of stones at random: groups are asked what lies around them, and cleared.
//!
//! Questions about all groups at once are only right where clearing one group does not change the
//! answer about another; these games also ask where it does.

use senet_core::builder::Grid;
use senet_core::builder::{EAST, FOUR, NORTH, SOUTH, WEST};
use senet_core::written::{
    Binding, Effect, Ending, Kind, Number, Phase, Player, Putting, Rule, Seat, Set, Tile, Truth,
    Who,
};
use senet_core::{Builder, Definition};

/// A game of stones made from numbers at random: `below` gives one from 0 up to a bound.
pub fn stones(below: &mut dyn FnMut(u64) -> u64) -> Definition {
    Stones(below).definition()
}

struct Stones<'r>(&'r mut dyn FnMut(u64) -> u64);

impl Stones<'_> {
    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[(self.0)(of.len() as u64) as usize].clone()
    }

    fn definition(mut self) -> Definition {
        let putting = Putting::of(["stone"]).onto(Set::Empty);
        let mut rule = Rule::puts("place", putting);
        for _ in 0..1 + (self.0)(2) {
            rule = rule.then(self.clearing());
        }
        rule = rule.then(Effect::Turn(Seat::Next));
        if (self.0)(3) > 0 {
            rule = rule.ensuring(self.ensured());
        }
        let pass = Rule::acts("pass", "pass").then(Effect::Turn(Seat::Next));
        let mut builder = Builder::new("stones")
            .board(Grid::new(3, 3).along(FOUR))
            .player(Player::new("red"))
            .player(Player::new("blue"))
            .region("zone", ["a1", "b1", "b2"])
            .kind(Kind::new("stone").unlimited())
            .action("pass");
        for (player, tiles) in [("red", ["a2", "c2"]), ("blue", ["b2", "b3"])] {
            builder = builder.pieces_on(player, "stone", tiles);
        }
        let ending = Ending::win("something holds", Seat::Mover).of_each();
        builder = builder.ending(ending.when(self.ending()));
        builder.phase(Phase::leaf("play").rule(rule).rule(pass)).build()
    }

    /// Directions; none are all of them.
    fn along(&mut self) -> Vec<&'static str> {
        self.pick(&[vec![], vec![], vec![EAST], vec![NORTH, SOUTH], vec![WEST, NORTH]])
    }

    fn stones_of(&mut self) -> Set {
        Set::Owned(self.pick(&[Who::Foe, Who::Foe, Who::Mover, Who::Anyone]))
    }

    /// What may lie around a group. What a tile is like may hang on others too.
    fn surroundings(&mut self) -> Set {
        let near = Set::Owned(Who::Mover).around();
        self.pick(&[
            Set::Empty,
            Set::Empty,
            Set::Owned(Who::Mover),
            Set::Owned(Who::Foe),
            Set::region("zone"),
            !Set::Owned(Who::Foe),
            near,
        ])
    }

    /// A question about the group `g`.
    fn asked(&mut self, along: &[&'static str], depth: u32) -> Truth {
        if depth > 0 {
            return match (self.0)(4) {
                0 => self.asked(along, 0).and(self.asked(along, 0)),
                1 => self.asked(along, 0).or(self.asked(along, 0)),
                2 => !self.asked(along, 0),
                _ => self.asked(along, 0),
            };
        }
        let group = Set::Name("g".to_owned());
        let other = self.along();
        let part = match (self.0)(5) {
            0 => group,
            1 => around(group, &other),
            _ => around(group, along),
        };
        let part = part & self.surroundings();
        match (self.0)(4) {
            0 | 1 => part.none(),
            2 => part.any(),
            _ => Number::Count(part).at_least(1 + (self.0)(2) as i64),
        }
    }

    fn groups(&mut self) -> (Binding, Truth) {
        let along = self.along();
        let asked = self.asked(&along, 1);
        (Binding::groups("g", self.stones_of(), &along), asked)
    }

    fn clearing(&mut self) -> Effect {
        let (groups, asked) = self.groups();
        let clear = Effect::Clear(Set::Name("g".to_owned()));
        Effect::Each(groups, vec![Effect::when(asked, [clear])])
    }

    fn ensured(&mut self) -> Truth {
        if (self.0)(4) == 0 {
            let (groups, asked) = self.groups();
            return Truth::Each(groups, Box::new(asked));
        }
        let (of, along, near) = (self.stones_of(), self.along(), self.along());
        let of = if (self.0)(2) == 0 { Set::Owned(Who::Mover) } else { of };
        let (of, at) = (Box::new(of), Box::new(Tile::To));
        let group = Set::Group { of, at, along: names(&along) };
        (around(group, &near) & self.surroundings()).any()
    }

    fn ending(&mut self) -> Truth {
        let (groups, asked) = self.groups();
        if (self.0)(2) == 0 {
            return Truth::Exists(groups, Box::new(asked));
        }
        let (group, none) = (Set::Name("g".to_owned()), Set::Tiles(Vec::new()));
        let chosen = Set::If(Box::new(asked), Box::new(group), Box::new(none));
        Number::Count(Set::union(groups, chosen)).at_least(3)
    }
}

fn around(group: Set, along: &[&str]) -> Set {
    Set::Around(Box::new(group), names(along))
}

fn names(directions: &[&str]) -> Vec<String> {
    directions.iter().map(|name| (*name).to_owned()).collect()
}
