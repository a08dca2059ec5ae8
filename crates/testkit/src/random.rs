//! Small definitions at random, made from the grammar of the four types.
//!
//! Most of them are no sensible games, and some do not compile; those that do are played by the
//! engine and the oracle alike.

mod stones;

use senet_core::builder::{Board, Grid, Hex, Track};
use senet_core::builder::{EAST, EIGHT, FOUR, NORTH, SIX};
use senet_core::written::{
    Binding, Capacity, Comparison, Domain, Effect, Ending, Fate, Flag, Kind, Movement, Number,
    Pattern, Phase, Player, Putting, Rule, Seat, Set, Threat, Tile, Truth, Variable, Wanted, Who,
};
use senet_core::{Builder, Definition};

pub use stones::stones;

/// A definition made from numbers at random: `below` gives one from 0 up to a bound.
pub fn definition(below: &mut dyn FnMut(u64) -> u64) -> Definition {
    Random { below, directions: &FOUR, names: Vec::new(), event: Event::Nothing, swaps: false }
        .definition()
}

/// What there is to speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Nothing,
    Put,
    Move,
    /// A move of which the source is known.
    Source,
}

/// What a bound name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Direction,
    Tile,
    Group,
}

struct Random<'r> {
    below: &'r mut dyn FnMut(u64) -> u64,
    directions: &'static [&'static str],
    names: Vec<(String, Bound)>,
    event: Event,
    /// Whether players may change seats.
    swaps: bool,
}

impl Random<'_> {
    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[(self.below)(of.len() as u64) as usize].clone()
    }

    fn once_in(&mut self, times: u64) -> bool {
        (self.below)(times) == 0
    }

    fn board(&mut self) -> Board {
        match (self.below)(4) {
            0 => {
                self.directions = &["clockwise", "counter-clockwise"];
                Track::ring(6).named(|number| format!("t{number}")).board()
            }
            1 => {
                self.directions = &SIX;
                Hex::parallelogram(3, 3).named(|column, row| format!("t{column}{row}")).board()
            }
            2 => {
                self.directions = &[EAST, NORTH];
                let grid = Grid::new(4, 2).along([EAST, NORTH]);
                grid.named(|column, row| format!("t{column}{row}")).board()
            }
            _ => {
                self.directions = &EIGHT;
                let grid = Grid::new(3, 3).eight();
                grid.named(|column, row| format!("t{column}{row}")).board()
            }
        }
    }

    fn definition(mut self) -> Definition {
        let mut board = self.board();
        if self.once_in(3) {
            let at = (self.below)(board.tiles.len() as u64) as usize;
            board.tiles[at].holds = Capacity::Many;
        }
        let tiles: Vec<String> = board.tiles.iter().map(|tile| tile.name.clone()).collect();
        let mut builder = Builder::new("random").board(board);
        let ahead: [&str; 2] = [self.pick(self.directions), self.pick(self.directions)];
        let teams = self.once_in(4);
        for (name, ahead) in ["red", "blue", "gold"].into_iter().zip([ahead[0], ahead[1], ahead[0]])
        {
            let player = Player::new(name).facing("ahead", ahead);
            let warm = teams && name != "blue";
            if name != "gold" || teams {
                builder = builder.player(if warm { player.team("warm") } else { player });
            }
        }
        let neutral = self.once_in(4);
        if neutral {
            builder = builder.player(Player::new("nobody").neutral());
        }
        let regions: Vec<Vec<String>> = (0..4).map(|_| self.some(&tiles)).collect();
        builder = builder
            .region("zone", regions[0].clone())
            .region_of("red", "home", regions[1].clone())
            .region_of("blue", "home", regions[2].clone());
        if teams {
            builder = builder.region_of("gold", "home", regions[3].clone());
        }
        builder = builder
            .flag("lit")
            .flag(Flag::ephemeral("warm"))
            .mark("burnt")
            .kind(Kind::new("man").travels(self.pattern()).travels(self.pattern()))
            .kind(Kind::new("stone").unlimited().attribute("worth", 2).travels(self.pattern()))
            .kind(Kind::new("lord").royal().attribute("worth", 3).travels(self.pattern()))
            .variable(Variable::new("n", -2, 9).starting(0))
            .variable(Variable::counter("score", 5).per_player())
            .action("pass")
            .action("halt")
            .action("mark");
        let mut free = tiles;
        for player in ["red", "blue", "red", "blue", "red", "blue"] {
            let kind: &str = self.pick(&["man", "man", "stone", "lord"]);
            let at = (self.below)(free.len() as u64) as usize;
            builder = builder.pieces_on(player, kind, [free.remove(at)]);
        }
        if neutral && !free.is_empty() {
            let at = (self.below)(free.len() as u64) as usize;
            builder = builder.pieces_on("nobody", self.pick(&["man", "stone"]), [free.remove(at)]);
        }
        self.swaps = !teams && self.once_in(4);
        if self.swaps {
            builder = builder.variable(Variable::counter("swapped", 1).swapping_seats());
        }
        builder = builder.pieces("red", "man", 1).pieces("blue", "man", 2);
        self.finish(builder)
    }

    /// Some of several names, at least one.
    fn some(&mut self, of: &[String]) -> Vec<String> {
        let first = self.pick(of);
        let (below, mut all) = (&mut self.below, vec![first.clone()]);
        all.extend(of.iter().filter(|one| **one != first && below(3) == 0).cloned());
        all
    }

    fn finish(&mut self, builder: Builder) -> Definition {
        let mut phase = Phase::leaf("play");
        for number in 0..2 + (self.below)(3) {
            let rule = self.rule(number);
            phase = phase.rule(rule);
        }
        self.event = Event::Nothing;
        if self.once_in(8) {
            phase = phase.reaching_most(self.number(1));
        }
        if let Some(rule) = phase.rules.first_mut()
            && let Wanted::Move(_) = rule.wants
            && self.once_in(3)
        {
            let (turn, name) = (rule.after.pop(), rule.name.clone());
            rule.after.push(match self.once_in(2) {
                true => Effect::again([name], turn),
                false => Effect::may_go_on([name], "halt", turn),
            });
        }
        let pass = Rule::acts("pass", "pass").then(Effect::add("n", 1));
        let pass = pass.then(Effect::Turn(Seat::Next));
        phase = phase.rule(if self.once_in(2) { pass.otherwise() } else { pass });
        self.event = Event::Nothing;
        let mut builder = builder.phase(phase);
        if self.once_in(2) {
            let truth = self.truth(2);
            let worth = self.number(1);
            let ending = Ending::win("something holds", Seat::Mover).of_each().when(truth);
            let ending = match (self.below)(4) {
                0 => Ending { winner: None, most: Some(self.number(1)), ..ending },
                1 => ending.paying(self.number(1)),
                _ => ending,
            };
            builder = builder.ending(ending.worth(worth));
        }
        let late = Number::variable("n").at_least(8);
        builder.ending(Ending::draw("late").when(late)).build()
    }

    fn rule(&mut self, number: u64) -> Rule {
        let rule = if self.once_in(3) {
            self.event = Event::Put;
            let kinds: &[&str] = self.pick(&[&["man"][..], &["stone"], &["man", "stone"], &[]]);
            let onto = if self.once_in(3) { Set::Empty } else { self.set(2) };
            match self.once_in(3) {
                true => Rule::picks(format!("pick {number}"), self.pick(&["pass", "mark"]), onto),
                false => {
                    let putting = Putting::of(kinds.iter().copied()).onto(onto);
                    Rule::puts(format!("put {number}"), putting)
                }
            }
        } else {
            self.event = Event::Move;
            let movement = self.movement();
            Rule::moves(format!("move {number}"), movement)
        };
        let rule = if self.once_in(2) { rule.when(self.truth(2)) } else { rule };
        let rule = if self.once_in(4) { rule.before(self.effect(2)) } else { rule };
        let mut rule = rule.rank((self.below)(4).saturating_sub(2) as u8);
        for _ in 0..(self.below)(3) {
            rule = rule.then(self.effect(2));
        }
        let rule = match self.once_in(6) {
            true => rule.then(Effect::turn_where(self.truth(1))),
            false => rule.then(Effect::Turn(Seat::Next)),
        };
        match (self.below)(6) {
            0 => rule.ensuring(self.truth(2)),
            2 if self.once_in(2) => rule.ensuring(!Truth::Repeats(2)),
            1 if self.once_in(3) => {
                let stuck = Truth::Stuck.and(self.truth(1));
                rule.ensuring(!stuck)
            }
            _ => rule,
        }
    }

    fn movement(&mut self) -> Movement {
        let kinds: &[&str] = self.pick(&[&["man"][..], &["stone", "lord"], &[]]);
        let mut movement = Movement::of(kinds.iter().copied());
        if self.once_in(3) {
            movement = movement.by(self.pattern());
        } else if self.once_in(6) {
            movement = movement.to_first(self.directions.iter().copied());
        } else if self.once_in(3) {
            movement = self.other_way(movement);
        }
        if self.once_in(4) {
            movement = movement.source(self.set(1));
        }
        if self.once_in(4) {
            movement = movement.through(self.set(1));
        }
        if self.once_in(2) {
            movement = movement.onto(self.set(2));
        }
        if self.once_in(3) {
            movement.threat = Threat::Harmless;
        }
        if self.once_in(6) { movement.choosing(["man", "lord"]) } else { movement }
    }

    /// A hop, a number of steps, or a way to any tile. The target is not known in what they ask.
    fn other_way(&mut self, movement: Movement) -> Movement {
        let ways = self.directions.iter().copied();
        self.event = Event::Source;
        let movement = match (self.below)(4) {
            0 => movement.anywhere(),
            1 => {
                self.names.push(("way".into(), Bound::Direction));
                let count = self.number(1);
                self.names.pop();
                movement.steps("way", ways, count)
            }
            _ => {
                let over = if self.once_in(2) { Set::occupied() } else { self.set(1) };
                let mut hop = movement.hopping(ways, over);
                if self.once_in(2) {
                    hop = hop.from_afar();
                }
                if self.once_in(2) { hop.landing_anywhere() } else { hop }
            }
        };
        self.event = Event::Move;
        movement
    }

    fn pattern(&mut self) -> Pattern {
        let one: &str = self.pick(self.directions);
        let two: &str = self.pick(self.directions);
        match (self.below)(6) {
            0 => Pattern::step("ahead"),
            1 => Pattern::slides(&[one, two]),
            2 => Pattern::leap(&[one, two]),
            3 => Pattern::leap(&[one, one]),
            4 => Pattern::slide(one),
            _ => Pattern::steps(self.directions),
        }
    }

    fn direction(&mut self) -> String {
        let bound = self.name_of(Bound::Direction);
        match (self.below)(4) {
            0 => "ahead".into(),
            1 | 2 if bound.is_some() => bound.unwrap_or_default(),
            _ => self.pick(self.directions).into(),
        }
    }

    fn along(&mut self) -> Vec<String> {
        match (self.below)(3) {
            0 => vec![self.direction()],
            1 => vec![self.direction(), self.direction()],
            _ => Vec::new(),
        }
    }

    fn name_of(&mut self, bound: Bound) -> Option<String> {
        let names = self.names.iter().filter(|(_, one)| *one == bound);
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        if names.is_empty() { None } else { Some(self.pick(&names)) }
    }

    fn who(&mut self) -> Who {
        self.pick(&[Who::Mover, Who::Foe, Who::Foe, Who::Friend, Who::Anyone, Who::player("blue")])
    }

    fn seat(&mut self) -> Seat {
        self.pick(&[Seat::Mover, Seat::Next, Seat::Previous, Seat::player("red")])
    }

    /// A binding, and something written with its name.
    fn bind<T>(&mut self, depth: u32, of: fn(&mut Self, u32) -> T) -> (Binding, T) {
        let (over, bound) = match (self.below)(3) {
            0 => {
                let names = self.directions.iter().map(|name| (*name).to_owned());
                (Domain::Directions(names.collect()), Bound::Direction)
            }
            1 => (Domain::Tiles(Box::new(self.set(depth - 1))), Bound::Tile),
            _ => {
                let of = Box::new(self.set(depth - 1));
                (Domain::Groups { of, along: self.along() }, Bound::Group)
            }
        };
        let name = format!("x{}", self.names.len());
        self.names.push((name.clone(), bound));
        let inside = of(self, depth - 1);
        self.names.pop();
        (Binding { name, over }, inside)
    }

    fn simple_set(&mut self) -> Set {
        let group = self.name_of(Bound::Group);
        match (self.below)(14) {
            0 => Set::Board,
            1 | 2 => Set::Empty,
            3 | 4 => Set::Owned(self.who()),
            5 => Set::kind(self.pick(&["man", "stone", "lord"])),
            6 => Set::Royal,
            7 => Set::flag(self.pick(&["lit", "warm"])),
            8 => Set::mark("burnt"),
            9 => Set::AtLeast(1 + (self.below)(2) as u16, self.who()),
            10 => Set::region(self.pick(&["zone", "home"])),
            11 => Set::region_of("home", self.seat()),
            12 => group.map_or(Set::Empty, Set::Name),
            _ => Set::at(self.tile(0)),
        }
    }

    fn set(&mut self, depth: u32) -> Set {
        if depth == 0 || self.once_in(3) {
            return self.simple_set();
        }
        let less = depth - 1;
        match (self.below)(17) {
            0 | 1 => self.set(less) & self.set(less),
            2 => self.set(less) | self.set(less),
            3 => self.set(less) - self.set(less),
            4 => !self.set(less),
            5 => Set::Step(Box::new(self.set(less)), vec![self.direction()]),
            6 => Set::Around(Box::new(self.set(less)), self.along()),
            7 if self.once_in(3) => Set::row(self.tile(less), self.direction()),
            7 => Set::Ray(Box::new(self.tile(less)), self.direction()),
            8 => {
                let end = if self.once_in(2) { Some(self.set(less)) } else { None };
                Set::run(self.tile(less), self.direction(), self.set(less), end)
            }
            9 => Set::span(self.tile(less), self.tile(less)),
            10 => Set::between(self.tile(less), self.tile(less)),
            11 => {
                let (of, at) = (Box::new(self.set(less)), Box::new(self.tile(less)));
                Set::Group { of, at, along: self.along() }
            }
            12 => {
                let (from, over) = (Box::new(self.set(less)), Box::new(self.set(less)));
                Set::Reach { from, over, along: self.along() }
            }
            13 => {
                let along = vec![self.direction(), self.direction()];
                let of = Box::new(self.set(less));
                match self.once_in(2) {
                    true => Set::Line { length: 2, along, of },
                    false => Set::ExactLine { length: 2, along, of },
                }
            }
            14 => Set::Attacked(self.who()),
            15 => {
                let (yes, no) = (self.set(less), self.set(less));
                Set::If(Box::new(self.truth(less)), Box::new(yes), Box::new(no))
            }
            _ => {
                let (binding, of) = self.bind(depth, Self::set);
                Set::union(binding, of)
            }
        }
    }

    fn tile(&mut self, depth: u32) -> Tile {
        let bound = self.name_of(Bound::Tile);
        match (self.below)(8) {
            0 | 1 if matches!(self.event, Event::Move | Event::Source) => Tile::From,
            0..=2 if matches!(self.event, Event::Move | Event::Put) => Tile::To,
            3 if depth > 0 => Tile::Steps(Box::new(self.tile(depth - 1)), vec![self.direction()]),
            4 if depth > 0 => {
                let (from, along) = (self.tile(depth - 1), self.direction());
                Tile::first(from, along, self.set(depth - 1))
            }
            5 if depth > 0 => Tile::Only(Box::new(self.set(depth - 1))),
            _ => match bound {
                Some(name) => Tile::Name(name),
                None if matches!(self.event, Event::Move | Event::Put) => Tile::To,
                None => Tile::Only(Box::new(Set::own() & Set::Royal)),
            },
        }
    }

    fn number(&mut self, depth: u32) -> Number {
        if depth == 0 {
            return match (self.below)(5) {
                0 => Number::variable("n"),
                1 => Number::variable_of("score", self.seat()),
                2 => Number::Hand { kind: "man".into(), of: self.seat() },
                _ => Number::Is((self.below)(4) as i64),
            };
        }
        let less = depth - 1;
        match (self.below)(11) {
            0 | 1 => Number::Count(self.set(less)),
            2 => Number::pieces(self.set(less), self.who()),
            3 => Number::Attribute { name: "worth".into(), on: self.set(less) },
            4 => Number::Groups { of: self.set(less), along: self.along() },
            5 => {
                let (from, along) = (self.tile(less), self.direction());
                Number::Distance { from, along, to: self.set(less) }
            }
            6 => self.number(less) + self.number(less),
            7 => self.number(less) - self.number(less),
            8 => self.number(less) * self.number(less),
            9 => Number::Max(vec![self.number(less), self.number(less)]),
            _ => {
                let (yes, no) = (self.number(less), self.number(less));
                Number::If(Box::new(self.truth(less)), Box::new(yes), Box::new(no))
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Truth {
        let less = depth.saturating_sub(1);
        match (self.below)(if depth == 0 { 4 } else { 11 }) {
            0 => Truth::turn(self.pick(&["red", "blue"])),
            1 | 2 => self.tile(less).is_in(self.set(less)),
            3 => self.set(less).any(),
            4 => self.set(depth).none(),
            5 => self.truth(less).and(self.truth(less)),
            6 => self.truth(less).or(self.truth(less)),
            7 => !self.truth(less),
            8 => {
                let (left, right) = (self.number(depth), self.number(less));
                let is = [Comparison::Equal, Comparison::Less, Comparison::AtLeast];
                Truth::Compare { left, is: self.pick(&is), right }
            }
            9 => {
                let (binding, one) = self.bind(depth, Self::truth);
                Truth::Exists(binding, Box::new(one))
            }
            _ => {
                let (binding, one) = self.bind(depth, Self::truth);
                Truth::Each(binding, Box::new(one))
            }
        }
    }

    fn effects(&mut self, depth: u32) -> Vec<Effect> {
        vec![self.effect(depth)]
    }

    fn effect(&mut self, depth: u32) -> Effect {
        let on = self.set(depth.min(2));
        let flag = |name: &str| vec![name.to_owned()];
        match (self.below)(if depth == 0 { 11 } else { 14 }) {
            0 => Effect::capture(on),
            1 => Effect::Capture { on, to: Fate::Hand(self.seat()) },
            2 => Effect::Capture { on, to: Fate::Tile(self.tile(1)) },
            3 => Effect::Clear(on),
            4 if self.once_in(3) => Effect::Shift { on, along: vec![self.direction()] },
            4 => Effect::carry(self.tile(1), self.tile(1)),
            5 => Effect::Flag { on, set: flag(self.pick(&["lit", "warm"])), clear: flag("lit") },
            6 => Effect::Mark { on, set: flag("burnt"), clear: Vec::new() },
            7 => Effect::becomes(on, self.pick(&["man", "stone", "lord"])),
            8 => Effect::Give { on, to: self.seat() },
            9 => {
                Effect::Place { kind: self.pick(&["man", "stone"]).into(), owner: self.seat(), on }
            }
            10 if self.swaps && self.once_in(2) => Effect::swap_seats("swapped"),
            10 => Effect::add_of("score", self.seat(), self.number(1)),
            11 => {
                Effect::when_else(self.truth(1), self.effects(depth - 1), self.effects(depth - 1))
            }
            12 => {
                let (binding, effects) = self.bind(depth, Self::effects);
                Effect::Each(binding, effects)
            }
            _ => Effect::Repeat(Number::Is(2), self.effects(depth - 1)),
        }
    }
}
