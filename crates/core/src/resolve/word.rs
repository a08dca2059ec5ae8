//! Conditions, values, tests and effects: from names to ids.

use std::collections::BTreeSet;

use crate::condition::{Area, Condition, Seat, Spot, TileTest, Trait, Value, Who};
use crate::effect::Effect;
use crate::fault::Fault;
use crate::id::{DieId, TileId};
use crate::plan;
use crate::tile_set::TileSet;

use super::board::Board;
use super::name::Compiler;

/// What a condition may ask about where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// An event is proposed.
    Event,
    /// There is only the state.
    State,
    /// There is only the state, and whether the mover is stuck may be asked.
    Ending,
}

/// Translates the words of one place of the definition.
pub(crate) struct Words<'c, 'd> {
    pub(crate) compiler: &'c mut Compiler<'d>,
    pub(crate) board: &'c Board,
    pub(crate) place: String,
    pub(crate) context: Context,
    /// The number of the next condition, counted from the outside in.
    pub(crate) number: u16,
}

impl Words<'_, '_> {
    fn fault(&mut self, fault: Fault) {
        self.compiler.fault(&self.place, fault);
    }

    /// A condition; parts that name unknown things ask nothing, their mistakes are noted.
    pub(crate) fn condition(&mut self, written: &Condition) -> plan::Condition {
        let number = self.number;
        self.number = self.number.saturating_add(1);
        let test = self.test(written).unwrap_or(plan::Test::Always);
        let condition = plan::Condition { number, test };
        if self.compiler.certainty(&condition) == Some(false) {
            self.fault(Fault::NeverHolds { condition: written.to_string() });
        }
        condition
    }

    fn conditions(&mut self, all: &[Condition]) -> Vec<plan::Condition> {
        all.iter().map(|one| self.condition(one)).collect()
    }

    fn test(&mut self, written: &Condition) -> Option<plan::Test> {
        Some(match written {
            Condition::Always => plan::Test::Always,
            Condition::Never => plan::Test::Never,
            Condition::All(all) => plan::Test::All(self.conditions(all)),
            Condition::Any(any) => plan::Test::Any(self.conditions(any)),
            Condition::Not(one) => plan::Test::Not(Box::new(self.condition(one))),
            Condition::Called(_, one) => plan::Test::Called(Box::new(self.condition(one))),
            Condition::Relevant(one) => plan::Test::Relevant(Box::new(self.condition(one))),
            Condition::Turn(player) => plan::Test::Turn(self.compiler.player(&self.place, player)?),
            Condition::Compare { left, is, right } => {
                let (left, right) = (self.value(left), self.value(right));
                plan::Test::Compare { left: left?, is: *is, right: right? }
            }
            Condition::Tile { at, is } => {
                let (at, is) = (self.spot(at), self.tile_test(is));
                plan::Test::Tile { at: at?, is: is? }
            }
            Condition::Line { length, directions, is } => {
                let lines = self.lines(*length, directions);
                plan::Test::Line { lines: lines?, is: self.tile_test(is)? }
            }
            Condition::Stuck => {
                if self.context != Context::Ending {
                    self.fault(Fault::StuckOutsideEnding);
                }
                plan::Test::Stuck
            }
            Condition::Custom { name } => {
                match self.compiler.options.customs.conditions.get(name) {
                    Some(custom) => plan::Test::Custom(*custom),
                    None => {
                        self.fault(Fault::UnknownCustom { name: name.clone() });
                        return None;
                    }
                }
            }
        })
    }

    /// Every run of so many tiles along one of the directions.
    fn lines(&mut self, length: u16, directions: &[String]) -> Option<Vec<TileSet>> {
        let mut lines = BTreeSet::new();
        for name in directions {
            let direction = self.compiler.board_direction(&self.place, name)?;
            let topology = &self.board.topology;
            for start in self.board.all.iter() {
                let mut line: TileSet = std::iter::once(start).collect();
                let mut tile = start;
                while line.len() < usize::from(length) {
                    let Some(next) = topology.step(tile, direction) else { break };
                    tile = topology.relation(next).to;
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
        Some(lines.into_iter().collect())
    }

    pub(crate) fn value(&mut self, written: &Value) -> Option<plan::Value> {
        Some(match written {
            Value::Number(number) => plan::Value::Number(*number),
            Value::Variable { name, of } => {
                let variable = self.compiler.variable(&self.place, name);
                plan::Value::Variable(variable?, self.seat(of)?)
            }
            Value::Die(name) => plan::Value::Die(self.compiler.die(&self.place, name)?),
            Value::Tiles { area, is } => {
                let (area, is) = (self.area(area), self.tile_test(is));
                plan::Value::Tiles { area: area?, is: is? }
            }
            Value::Pieces { area, owner, kind } => {
                let (area, owner) = (self.area(area), self.who(owner));
                let kind = match kind {
                    Some(name) => Some(self.compiler.kind(&self.place, name)?),
                    None => None,
                };
                plan::Value::Pieces { area: area?, owner: owner?, kind }
            }
            Value::Sum(values) => {
                let values: Vec<_> = values.iter().map(|value| self.value(value)).collect();
                plan::Value::Sum(values.into_iter().collect::<Option<_>>()?)
            }
        })
    }

    pub(crate) fn seat(&mut self, written: &Seat) -> Option<plan::Seat> {
        let players = self.compiler.definition.players.len() as u8;
        Some(match written {
            Seat::Mover => plan::Seat::Mover,
            Seat::Next => plan::Seat::Ahead(1),
            Seat::Previous => plan::Seat::Ahead(players.saturating_sub(1)),
            Seat::Player(name) => plan::Seat::Player(self.compiler.player(&self.place, name)?),
        })
    }

    fn who(&mut self, written: &Who) -> Option<plan::Who> {
        Some(match written {
            Who::Mover => plan::Who::Mover,
            Who::Ally => plan::Who::Ally,
            Who::Friend => plan::Who::Friend,
            Who::Foe => plan::Who::Foe,
            Who::Player(name) => plan::Who::Player(self.compiler.player(&self.place, name)?),
            Who::Anyone => plan::Who::Anyone,
        })
    }

    pub(crate) fn area(&mut self, written: &Area) -> Option<plan::Area> {
        Some(match written {
            Area::Board => plan::Area::Board,
            Area::Region(name) => {
                plan::Area::Region(self.compiler.region(&self.place, name)?, plan::Seat::Mover)
            }
            Area::RegionOf(name, seat) => {
                let region = self.compiler.region(&self.place, name);
                plan::Area::Region(region?, self.seat(seat)?)
            }
            Area::At(spot) => plan::Area::At(self.spot(spot)?),
            Area::Span(from, to) => {
                let (from, to) = (self.spot(from), self.spot(to));
                plan::Area::Span(from?, to?)
            }
            Area::Around(spot) => plan::Area::Around(self.spot(spot)?),
            Area::Beyond(spot, along) => {
                let spot = self.spot(spot);
                plan::Area::Beyond(spot?, self.compiler.heading(&self.place, along)?)
            }
        })
    }

    pub(crate) fn spot(&mut self, written: &Spot) -> Option<plan::Spot> {
        Some(match written {
            Spot::From | Spot::To => {
                if self.context != Context::Event {
                    self.fault(Fault::NoEvent { spot: written.to_string() });
                }
                if *written == Spot::From { plan::Spot::From } else { plan::Spot::To }
            }
            Spot::Tile(name) => plan::Spot::Tile(self.compiler.tile(&self.place, name)?),
            Spot::Only(name, seat) => {
                let tiles: Option<Vec<TileId>> = self.compiler.only(&self.place, name);
                plan::Spot::Only(tiles?, self.seat(seat)?)
            }
            Spot::Steps(spot, steps) => {
                let spot = self.spot(spot);
                let steps: Vec<_> =
                    steps.iter().map(|name| self.compiler.heading(&self.place, name)).collect();
                let steps = steps.into_iter().collect::<Option<_>>()?;
                plan::Spot::Steps(Box::new(spot?), steps)
            }
            Spot::First { from, along, is } => {
                let from = self.spot(from);
                let along = self.compiler.heading(&self.place, along);
                let is = self.tile_test(is);
                plan::Spot::First { from: Box::new(from?), along: along?, is: is? }
            }
        })
    }

    pub(crate) fn tile_test(&mut self, written: &TileTest) -> Option<plan::TileTest> {
        let mut traits = |list: &[Trait]| -> Option<Vec<plan::Trait>> {
            let all: Vec<_> = list.iter().map(|one| self.tile_trait(one)).collect();
            all.into_iter().collect()
        };
        let (all_of, any_of) = (traits(&written.all_of), traits(&written.any_of));
        let none_of = traits(&written.none_of);
        let contradiction = written.all_of.iter().any(|one| {
            let other_side = *one == Trait::Empty
                && written.all_of.iter().any(|other| needs_piece(other) && other != one);
            other_side || written.none_of.contains(one)
        });
        let hopeless = !written.any_of.is_empty()
            && written.any_of.iter().all(|one| written.none_of.contains(one));
        if contradiction || hopeless {
            self.fault(Fault::NeverHolds { condition: format!("a tile is {written}") });
        }
        Some(plan::TileTest { all_of: all_of?, any_of: any_of?, none_of: none_of? })
    }

    fn tile_trait(&mut self, written: &Trait) -> Option<plan::Trait> {
        Some(match written {
            Trait::Empty => plan::Trait::Empty,
            Trait::Owner(who) => plan::Trait::Owner(self.who(who)?),
            Trait::Kind(name) => plan::Trait::Kind(self.compiler.kind(&self.place, name)?),
            Trait::Flag(name) => plan::Trait::Flag(self.compiler.flag(&self.place, name)?),
            Trait::In(name) => plan::Trait::In(self.compiler.region(&self.place, name)?),
            Trait::AtLeast(count, who) => plan::Trait::AtLeast(*count, self.who(who)?),
            Trait::Royal => plan::Trait::Royal,
            Trait::Threatened(who) => plan::Trait::Threatened(self.who(who)?),
            Trait::At(spot) => plan::Trait::At(Box::new(self.spot(spot)?)),
            Trait::Beside(test) => plan::Trait::Beside(Box::new(self.tile_test(test)?)),
        })
    }

    pub(crate) fn effects(&mut self, written: &[Effect]) -> Vec<plan::Effect> {
        written.iter().filter_map(|effect| self.effect(effect)).collect()
    }

    fn effect(&mut self, written: &Effect) -> Option<plan::Effect> {
        Some(match written {
            Effect::Capture { at, to } => {
                let at = self.spot(at);
                let to = match to {
                    Some(to) => Some(self.spot(to)?),
                    None => None,
                };
                plan::Effect::Capture { at: at?, to }
            }
            Effect::Carry { from, to } => {
                let (from, to) = (self.spot(from), self.spot(to));
                plan::Effect::Carry { from: from?, to: to? }
            }
            Effect::Together(moves) => {
                let moves: Vec<_> =
                    moves.iter().map(|(from, to)| (self.spot(from), self.spot(to))).collect();
                let both = |(from, to): (Option<_>, Option<_>)| Some((from?, to?));
                plan::Effect::Together(moves.into_iter().map(both).collect::<Option<_>>()?)
            }
            Effect::Clear { area, is } => {
                let (area, is) = (self.area(area), self.tile_test(is));
                plan::Effect::Clear { area: area?, is: is? }
            }
            Effect::Flag { at, set, clear } => {
                let at = self.spot(at);
                let (set, clear) = (self.flags(set), self.flags(clear));
                plan::Effect::Flag { at: at?, set: set?, clear: clear? }
            }
            Effect::Mark { area, is, set, clear } => {
                let (area, is) = (self.area(area), self.tile_test(is));
                let (set, clear) = (self.flags(set), self.flags(clear));
                plan::Effect::Mark { area: area?, is: is?, set: set?, clear: clear? }
            }
            Effect::Become { at, kind } => {
                let at = self.spot(at);
                plan::Effect::Become { at: at?, kind: self.compiler.kind(&self.place, kind)? }
            }
            Effect::Set { variable, of, to } => {
                let variable = self.compiler.variable(&self.place, variable);
                let (of, to) = (self.seat(of), self.value(to));
                plan::Effect::Set { variable: variable?, of: of?, to: to? }
            }
            Effect::Add { variable, of, by } => {
                let variable = self.compiler.variable(&self.place, variable);
                let (of, by) = (self.seat(of), self.value(by));
                plan::Effect::Add { variable: variable?, of: of?, by: by? }
            }
            Effect::Turn(seat) => plan::Effect::Turn(self.seat(seat)?),
            Effect::Unroll(dice) => plan::Effect::Unroll(self.dice(dice)?),
            Effect::Show { dice, value } => {
                let (dice, value) = (self.dice(dice), self.value(value));
                plan::Effect::Show { dice: dice?, value: value? }
            }
            Effect::Reset => plan::Effect::Reset,
            Effect::When { condition, then, otherwise } => plan::Effect::When {
                condition: Box::new(self.condition(condition)),
                then: self.effects(then),
                otherwise: self.effects(otherwise),
            },
            Effect::Custom { name } => match self.compiler.options.customs.effects.get(name) {
                Some(custom) => plan::Effect::Custom(*custom),
                None => {
                    self.fault(Fault::UnknownCustom { name: name.clone() });
                    return None;
                }
            },
        })
    }

    fn dice(&mut self, names: &[String]) -> Option<Vec<DieId>> {
        let dice: Vec<_> = names.iter().map(|die| self.compiler.die(&self.place, die)).collect();
        dice.into_iter().collect()
    }

    fn flags(&mut self, names: &[String]) -> Option<u64> {
        let flags: Vec<_> =
            names.iter().map(|name| self.compiler.flag(&self.place, name)).collect();
        flags.into_iter().try_fold(0, |mask, flag| Some(mask | 1 << (flag?.index() % 64)))
    }
}

/// Whether a trait is only true of a tile on which a piece stands.
fn needs_piece(one: &Trait) -> bool {
    match one {
        Trait::Owner(_) | Trait::Kind(_) | Trait::Flag(_) | Trait::Royal => true,
        Trait::AtLeast(count, _) => *count > 0,
        Trait::Empty | Trait::In(_) | Trait::Threatened(_) | Trait::At(_) | Trait::Beside(_) => {
            false
        }
    }
}
