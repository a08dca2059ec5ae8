//! Sets, tiles, numbers, truths and effects: from names to ids.

use std::collections::BTreeSet;

use crate::fault::{Artifact, Fault};
use crate::id::{DieId, TileId};
use crate::tile_set::TileSet;
use crate::typed;
use crate::written::{Binding, Domain, Effect, Fate, Number, Seat, Set, Tile, Truth, Who};

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

/// How deep words may be nested inside each other.
const MAX_DEPTH: usize = 64;

/// How many words one rule may have once its loops over directions are written out.
const MAX_WORDS: usize = 20_000;

/// What a bound name means.
#[derive(Clone)]
enum Meaning {
    Direction(String),
    Tile(typed::Local),
    Group(typed::Local),
}

/// Translates the words of one place of the definition.
pub(crate) struct Words<'c, 'd> {
    pub(crate) compiler: &'c mut Compiler<'d>,
    pub(crate) board: &'c Board,
    pub(crate) place: String,
    pub(crate) context: Context,
    /// The number of the next condition, counted from the outside in.
    pub(crate) number: u16,
    /// Names that are bound here, the innermost last.
    names: Vec<(String, Meaning)>,
    locals: u16,
    depth: usize,
    words: usize,
}

impl<'c, 'd> Words<'c, 'd> {
    pub(crate) fn new(
        compiler: &'c mut Compiler<'d>,
        board: &'c Board,
        place: String,
        context: Context,
    ) -> Self {
        let (names, locals, depth, words) = (Vec::new(), 0, 0, 0);
        Words { compiler, board, place, context, number: 0, names, locals, depth, words }
    }

    fn fault(&mut self, fault: Fault) {
        self.compiler.fault(&self.place, fault);
    }

    /// Goes one level deeper, unless that is too deep or too much.
    fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.words += 1;
        let limits =
            [(Artifact::Level, self.depth + 1, MAX_DEPTH), (Artifact::Word, self.words, MAX_WORDS)];
        for (what, found, allowed) in limits {
            if found > allowed {
                self.fault(Fault::TooMany { what, found: found as u64, allowed: allowed as u64 });
                return None;
            }
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// A condition; parts that name unknown things ask nothing, their mistakes are noted.
    pub(crate) fn condition(&mut self, written: &Truth) -> typed::Condition {
        let number = self.number;
        self.number = self.number.saturating_add(1);
        let test = self.nested(|words| words.truth(written)).unwrap_or(typed::Truth::Always);
        let condition = typed::Condition { number, test };
        if self.compiler.certainty(&condition) == Some(false) {
            self.fault(Fault::NeverHolds { condition: written.to_string() });
        }
        condition
    }

    fn conditions(&mut self, all: &[Truth]) -> Vec<typed::Condition> {
        all.iter().map(|one| self.condition(one)).collect()
    }

    fn boxed(&mut self, written: &Truth) -> Box<typed::Condition> {
        Box::new(self.condition(written))
    }

    /// A condition inside another expression, which has no number of its own.
    fn unnumbered(&mut self, written: &Truth) -> typed::Condition {
        let number = std::mem::replace(&mut self.number, typed::UNNUMBERED);
        let condition = self.condition(written);
        self.number = number;
        condition
    }

    fn truth(&mut self, written: &Truth) -> Option<typed::Truth> {
        Some(match written {
            Truth::Always => typed::Truth::Always,
            Truth::Never => typed::Truth::Never,
            Truth::All(all) => typed::Truth::All(self.conditions(all)),
            Truth::Any(any) => typed::Truth::Any(self.conditions(any)),
            Truth::Not(one) => typed::Truth::Not(self.boxed(one)),
            Truth::Called(_, one) => typed::Truth::Called(self.boxed(one)),
            Truth::Relevant(one) => typed::Truth::Relevant(self.boxed(one)),
            Truth::Turn(player) => typed::Truth::Turn(self.compiler.player(&self.place, player)?),
            Truth::Compare { left, is, right } => {
                let (left, right) = (self.value(left), self.value(right));
                typed::Truth::Compare(left?, *is, right?)
            }
            Truth::In(tile, set) => {
                let (tile, set) = (self.tile(tile), self.set(set));
                typed::Truth::In(tile?, set?)
            }
            Truth::Some(set) => typed::Truth::Some(self.set(set)?),
            Truth::None(set) => typed::Truth::None(self.set(set)?),
            Truth::Line { length, along, of } => {
                let (lines, of) = (self.lines(*length, along), self.set(of));
                typed::Truth::Line(lines?, of?)
            }
            Truth::Exists(binding, one) => self.quantified(binding, one, Quantifier::Some)?,
            Truth::Each(binding, one) => self.quantified(binding, one, Quantifier::Every)?,
            Truth::Stuck => {
                if self.context != Context::Ending {
                    self.fault(Fault::StuckOutsideEnding);
                }
                typed::Truth::Stuck
            }
            Truth::Custom { name } => match self.compiler.options.customs.conditions.get(name) {
                Some(custom) => typed::Truth::Custom(*custom),
                None => {
                    self.fault(Fault::UnknownCustom { name: name.clone() });
                    return None;
                }
            },
        })
    }

    /// A truth for each value of a name: directions are written out, the rest is a loop.
    fn quantified(
        &mut self,
        binding: &Binding,
        one: &Truth,
        quantifier: Quantifier,
    ) -> Option<typed::Truth> {
        if let Domain::Directions(directions) = &binding.over {
            let each = self
                .each_direction(&binding.name, directions, |words| Some(words.unnumbered(one)))?;
            return Some(match quantifier {
                Quantifier::Some => typed::Truth::Any(each),
                Quantifier::Every => typed::Truth::All(each),
            });
        }
        let (over, one) = self.bound(binding, |words| Some(Box::new(words.unnumbered(one))))?;
        Some(match quantifier {
            Quantifier::Some => typed::Truth::Exists(over, one),
            Quantifier::Every => typed::Truth::Each(over, one),
        })
    }

    /// The same words for each of several directions.
    fn each_direction<T>(
        &mut self,
        name: &str,
        directions: &[String],
        mut inside: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut all = Vec::new();
        for direction in directions {
            let meaning = Meaning::Direction(self.direction_name(direction).to_owned());
            self.names.push((name.to_owned(), meaning));
            let one = inside(self);
            self.names.pop();
            all.push(one?);
        }
        Some(all)
    }

    /// Words inside a loop over tiles or groups.
    fn bound<T>(
        &mut self,
        binding: &Binding,
        inside: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(typed::Loop, T)> {
        let local = self.locals;
        let (over, meaning) = match &binding.over {
            Domain::Tiles(set) => {
                (typed::Loop::Tiles(local, Box::new(self.set(set)?)), Meaning::Tile(local))
            }
            Domain::Groups { of, along } => {
                let (of, along) = (self.set(of), self.connections(along));
                (typed::Loop::Groups(local, Box::new(of?), along?), Meaning::Group(local))
            }
            // Directions are written out before anybody gets here.
            Domain::Directions(_) => return None,
        };
        self.locals += 1;
        self.names.push((binding.name.clone(), meaning));
        let inside = inside(self);
        self.names.pop();
        Some((over, inside?))
    }

    /// The direction that a name stands for, where it is bound to one.
    fn direction_name<'n>(&'n self, name: &'n str) -> &'n str {
        let bound = self.names.iter().rev().find(|(bound, _)| bound == name);
        match bound {
            Some((_, Meaning::Direction(direction))) => direction,
            _ => name,
        }
    }

    fn heading(&mut self, name: &str) -> Option<typed::Heading> {
        let name = self.direction_name(name).to_owned();
        self.compiler.heading(&self.place, &name)
    }

    fn headings(&mut self, names: &[String]) -> Option<Vec<typed::Heading>> {
        let all: Vec<_> = names.iter().map(|name| self.heading(name)).collect();
        all.into_iter().collect()
    }

    /// Directions that connect tiles: those named, or all.
    fn connections(&mut self, names: &[String]) -> Option<Vec<typed::Heading>> {
        if names.is_empty() {
            let all = self.compiler.definition.directions.clone();
            return self.headings(&all);
        }
        self.headings(names)
    }

    /// Every run of a number of tiles along one of the directions.
    fn lines(&mut self, length: u16, directions: &[String]) -> Option<Vec<TileSet>> {
        let mut lines = BTreeSet::new();
        for name in directions {
            let name = self.direction_name(name).to_owned();
            let direction = self.compiler.board_direction(&self.place, &name)?;
            let topology = &self.board.topology;
            for start in self.board.all.iter() {
                let mut line: TileSet = std::iter::once(start).collect();
                let mut tile = start;
                while line.len() < usize::from(length) {
                    let Some(next) = topology.next(tile, direction) else { break };
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
        Some(lines.into_iter().collect())
    }

    pub(crate) fn value(&mut self, written: &Number) -> Option<typed::Number> {
        self.nested(|words| words.number_of(written))
    }

    fn values(&mut self, written: &[Number]) -> Option<Vec<typed::Number>> {
        let all: Vec<_> = written.iter().map(|one| self.value(one)).collect();
        all.into_iter().collect()
    }

    fn number_of(&mut self, written: &Number) -> Option<typed::Number> {
        Some(match written {
            Number::Is(number) => typed::Number::Is(*number),
            Number::Variable { name, of } => {
                let variable = self.compiler.variable(&self.place, name);
                typed::Number::Variable(variable?, self.seat(of)?)
            }
            Number::Die(name) => typed::Number::Die(self.compiler.die(&self.place, name)?),
            Number::Count(set) => typed::Number::Count(self.set(set)?),
            Number::Pieces { on, owner, kind } => {
                let (on, owner) = (self.set(on), self.who(owner));
                let kind = match kind {
                    Some(name) => Some(self.compiler.kind(&self.place, name)?),
                    None => None,
                };
                typed::Number::Pieces(on?, owner?, kind)
            }
            Number::Hand { kind, of } => {
                let kind = self.compiler.kind(&self.place, kind);
                typed::Number::Hand(kind?, self.seat(of)?)
            }
            Number::Attribute { name, on } => {
                let counts = self.attribute(name);
                typed::Number::Attribute(counts, self.set(on)?)
            }
            Number::Groups { of, along } => {
                let (of, along) = (self.set(of), self.connections(along));
                typed::Number::Groups(of?, along?)
            }
            Number::Distance { from, along, to } => {
                let (from, along, to) = (self.tile(from), self.heading(along), self.set(to));
                typed::Number::Distance(from?, along?, to?)
            }
            Number::Sum(all) => typed::Number::Sum(self.values(all)?),
            Number::Minus(one, other) => {
                let (one, other) = (self.value(one), self.value(other));
                typed::Number::Minus(Box::new(one?), Box::new(other?))
            }
            Number::Times(all) => typed::Number::Times(self.values(all)?),
            Number::Min(all) => typed::Number::Min(self.some_values(all)?),
            Number::Max(all) => typed::Number::Max(self.some_values(all)?),
            Number::If(truth, yes, no) => {
                let truth = Box::new(self.unnumbered(truth));
                let (yes, no) = (self.value(yes), self.value(no));
                typed::Number::If(truth, Box::new(yes?), Box::new(no?))
            }
        })
    }

    /// Numbers of which there is at least one.
    fn some_values(&mut self, written: &[Number]) -> Option<Vec<typed::Number>> {
        if written.is_empty() {
            self.fault(Fault::None { what: Artifact::Word });
        }
        self.values(written)
    }

    /// What an attribute is for each kind that has it.
    fn attribute(&mut self, name: &str) -> Vec<(crate::KindId, i64)> {
        let kinds = self.compiler.definition.kinds.iter().enumerate();
        let counts = kinds.filter_map(|(index, kind)| {
            let found = kind.attributes.iter().find(|attribute| attribute.name == name)?;
            Some((crate::KindId::at(index), found.value))
        });
        let counts: Vec<_> = counts.collect();
        if counts.is_empty() {
            self.compiler.unknown(&self.place, Artifact::Attribute, name, None);
        }
        counts
    }

    pub(crate) fn seat(&mut self, written: &Seat) -> Option<typed::Seat> {
        let players = self.compiler.definition.players.len() as u8;
        Some(match written {
            Seat::Mover => typed::Seat::Mover,
            Seat::Next => typed::Seat::Ahead(1),
            Seat::Previous => typed::Seat::Ahead(players.saturating_sub(1)),
            Seat::Player(name) => typed::Seat::Player(self.compiler.player(&self.place, name)?),
        })
    }

    fn who(&mut self, written: &Who) -> Option<typed::Who> {
        Some(match written {
            Who::Mover => typed::Who::Mover,
            Who::Ally => typed::Who::Ally,
            Who::Friend => typed::Who::Friend,
            Who::Foe => typed::Who::Foe,
            Who::Player(name) => typed::Who::Player(self.compiler.player(&self.place, name)?),
            Who::Anyone => typed::Who::Anyone,
        })
    }

    /// The same tiles for every player.
    fn constant(&self, tiles: TileSet) -> typed::Set {
        typed::Set::Const(vec![tiles; self.compiler.definition.players.len()])
    }

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
            Set::RegionOf(name, seat) => {
                let regions = self.compiler.region(&self.place, name);
                let seat = self.seat(seat)?;
                typed::Set::Const(self.seen_from(regions?, seat))
            }
            Set::Tiles(names) => {
                let tiles: Vec<_> =
                    names.iter().map(|name| self.compiler.tile(&self.place, name)).collect();
                self.constant(tiles.into_iter().collect::<Option<Vec<_>>>()?.into_iter().collect())
            }
            Set::At(tile) => typed::Set::At(Box::new(self.tile(tile)?)),
            Set::All(all) => typed::Set::All(self.sets(all)?),
            Set::Any(any) => typed::Set::Any(self.sets(any)?),
            Set::Not(one) => typed::Set::Not(self.boxed_set(one)?),
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
            Set::Run { from, along, over, end } => {
                let (from, along, over) =
                    (self.tile(from), self.heading(along), self.boxed_set(over));
                let end = match end {
                    Some(end) => Some(self.boxed_set(end)?),
                    None => None,
                };
                typed::Set::Run { from: Box::new(from?), along: along?, over: over?, end }
            }
            Set::Span(from, to) => {
                let (from, to) = (self.tile(from), self.tile(to));
                typed::Set::Span(Box::new(from?), Box::new(to?))
            }
            Set::Between(from, to) => {
                let (from, to) = (self.tile(from), self.tile(to));
                typed::Set::Between(Box::new(from?), Box::new(to?))
            }
            Set::Group { of, at, along } => {
                let (over, at, along) =
                    (self.boxed_set(of), self.tile(at), self.connections(along));
                let from = Box::new(typed::Set::At(Box::new(at?)));
                typed::Set::Reach { from, over: over?, along: along? }
            }
            Set::Reach { from, over, along } => {
                let (from, over, along) =
                    (self.boxed_set(from), self.boxed_set(over), self.connections(along));
                typed::Set::Reach { from: from?, over: over?, along: along? }
            }
            Set::Line { length, along, of } => {
                let (lines, of) = (self.lines(*length, along), self.boxed_set(of));
                typed::Set::Line { lines: lines?, of: of? }
            }
            Set::Attacked(who) => typed::Set::Attacked(self.who(who)?),
            Set::If(truth, yes, no) => {
                let truth = Box::new(self.unnumbered(truth));
                let (yes, no) = (self.boxed_set(yes), self.boxed_set(no));
                typed::Set::If(truth, yes?, no?)
            }
            Set::Union(binding, set) => match &binding.over {
                Domain::Directions(directions) => {
                    let all =
                        self.each_direction(&binding.name, directions, |words| words.set(set))?;
                    typed::Set::Any(all)
                }
                _ => {
                    let (over, set) = self.bound(binding, |words| words.boxed_set(set))?;
                    typed::Set::Union(over, set)
                }
            },
            Set::Name(name) => match self.meaning(name)? {
                Meaning::Group(local) => typed::Set::Local(local),
                Meaning::Tile(local) => typed::Set::At(Box::new(typed::Tile::Local(local))),
                Meaning::Direction(_) => return self.not_bound(name),
            },
        })
    }

    /// What a bound name means.
    fn meaning(&mut self, name: &str) -> Option<Meaning> {
        let bound = self.names.iter().rev().find(|(bound, _)| bound == name);
        match bound {
            Some((_, meaning)) => Some(meaning.clone()),
            None => self.not_bound(name),
        }
    }

    fn not_bound<T>(&mut self, name: &str) -> Option<T> {
        let names: Vec<String> = self.names.iter().map(|(bound, _)| bound.clone()).collect();
        let near = self.compiler.guess(name, names.iter());
        self.compiler.unknown(&self.place, Artifact::Binding, name, near);
        None
    }

    /// A region of a seat, for each player judged.
    fn seen_from(&self, regions: typed::Regions, seat: typed::Seat) -> typed::Regions {
        let players = regions.len();
        let of = |judged: usize| match seat {
            typed::Seat::Mover => judged,
            typed::Seat::Ahead(seats) => (judged + usize::from(seats)) % players,
            typed::Seat::Player(player) => player.index(),
        };
        (0..players).map(|judged| regions[of(judged)]).collect()
    }

    pub(crate) fn tile(&mut self, written: &Tile) -> Option<typed::Tile> {
        self.nested(|words| words.tile_of(written))
    }

    fn tile_of(&mut self, written: &Tile) -> Option<typed::Tile> {
        let players = self.compiler.definition.players.len();
        Some(match written {
            Tile::From | Tile::To if self.context != Context::Event => {
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

    pub(crate) fn effects(&mut self, written: &[Effect]) -> Vec<typed::Effect> {
        let effects = written.iter();
        effects.filter_map(|effect| self.nested(|words| words.effect(effect))).collect()
    }

    fn effect(&mut self, written: &Effect) -> Option<typed::Effect> {
        Some(match written {
            Effect::Capture { on, to } => {
                let (on, to) = (self.set(on), self.fate(to));
                typed::Effect::Capture { on: on?, to: to? }
            }
            Effect::Clear(on) => typed::Effect::Clear(self.set(on)?),
            Effect::Carry { from, to } => {
                let (from, to) = (self.tile(from), self.tile(to));
                typed::Effect::Carry { from: from?, to: to? }
            }
            Effect::Together(moves) => {
                let moves: Vec<_> =
                    moves.iter().map(|(from, to)| (self.tile(from), self.tile(to))).collect();
                let both = |(from, to): (Option<_>, Option<_>)| Some((from?, to?));
                typed::Effect::Together(moves.into_iter().map(both).collect::<Option<_>>()?)
            }
            Effect::Flag { on, set, clear } => {
                let on = self.set(on);
                let (set, clear) = (self.flags(set), self.flags(clear));
                typed::Effect::Flag { on: on?, set: set?, clear: clear? }
            }
            Effect::Mark { on, set, clear } => {
                let on = self.set(on);
                let (set, clear) = (self.marks(set), self.marks(clear));
                typed::Effect::Mark { on: on?, set: set?, clear: clear? }
            }
            Effect::Become { on, kind } => {
                let on = self.set(on);
                typed::Effect::Become { on: on?, kind: self.compiler.kind(&self.place, kind)? }
            }
            Effect::Give { on, to } => {
                let (on, to) = (self.set(on), self.seat(to));
                typed::Effect::Give { on: on?, to: to? }
            }
            Effect::Place { kind, owner, on } => {
                let (kind, owner) = (self.compiler.kind(&self.place, kind), self.seat(owner));
                typed::Effect::Place { kind: kind?, owner: owner?, on: self.set(on)? }
            }
            Effect::Set { variable, of, to } => {
                let variable = self.compiler.variable(&self.place, variable);
                let (of, to) = (self.seat(of), self.value(to));
                typed::Effect::Set { variable: variable?, of: of?, to: to? }
            }
            Effect::Add { variable, of, by } => {
                let variable = self.compiler.variable(&self.place, variable);
                let (of, by) = (self.seat(of), self.value(by));
                typed::Effect::Add { variable: variable?, of: of?, by: by? }
            }
            Effect::Turn(seat) => typed::Effect::Turn(self.seat(seat)?),
            Effect::Unroll(dice) => typed::Effect::Unroll(self.dice(dice)?),
            Effect::Show { dice, value } => {
                let (dice, value) = (self.dice(dice), self.value(value));
                typed::Effect::Show { dice: dice?, value: value? }
            }
            Effect::Reset => typed::Effect::Reset,
            Effect::Sow { from, along, skip, count } => {
                let (from, along, skip) = (self.tile(from), self.heading(along), self.set(skip));
                let count = match count {
                    Some(name) => Some(self.compiler.variable(&self.place, name)?),
                    None => None,
                };
                typed::Effect::Sow { from: from?, along: along?, skip: skip?, count }
            }
            Effect::When { condition, then, otherwise } => typed::Effect::When {
                condition: Box::new(self.unnumbered(condition)),
                then: self.effects(then),
                otherwise: self.effects(otherwise),
            },
            Effect::Each(binding, effects) => match &binding.over {
                Domain::Directions(directions) => {
                    let each = self.each_direction(&binding.name, directions, |words| {
                        Some(words.effects(effects))
                    })?;
                    let effects = each.into_iter().flatten().collect();
                    typed::Effect::Repeat(typed::Number::Is(1), effects)
                }
                _ => {
                    let (over, effects) =
                        self.bound(binding, |words| Some(words.effects(effects)))?;
                    typed::Effect::Each(over, effects)
                }
            },
            Effect::Repeat(times, effects) => {
                typed::Effect::Repeat(self.value(times)?, self.effects(effects))
            }
            Effect::Custom { name } => match self.compiler.options.customs.effects.get(name) {
                Some(custom) => typed::Effect::Custom(*custom),
                None => {
                    self.fault(Fault::UnknownCustom { name: name.clone() });
                    return None;
                }
            },
        })
    }

    fn fate(&mut self, written: &Fate) -> Option<typed::Fate> {
        Some(match written {
            Fate::Out => typed::Fate::Out,
            Fate::Tile(tile) => typed::Fate::Tile(self.tile(tile)?),
            Fate::Hand(seat) => typed::Fate::Hand(self.seat(seat)?),
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

    fn marks(&mut self, names: &[String]) -> Option<u64> {
        let marks: Vec<_> =
            names.iter().map(|name| self.compiler.mark(&self.place, name)).collect();
        marks.into_iter().try_fold(0, |mask, mark| Some(mask | 1 << (mark?.index() % 64)))
    }
}

#[derive(Clone, Copy)]
enum Quantifier {
    Some,
    Every,
}
