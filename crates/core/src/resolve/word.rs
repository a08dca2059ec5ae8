//! The words of one place of a definition: what they may ask, the names bound there and its limits.

use crate::fault::{Artifact, Fault};
use crate::typed;
use crate::written::{Binding, Domain, Seat, Tile, Who};

use super::board::Board;
use super::name::Compiler;

/// What a condition may ask about where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Context {
    /// An event is proposed.
    Event,
    /// An event is proposed of which only the source is known.
    Source,
    /// There is only the state.
    State,
    /// There is only the state, and whether the mover is stuck may be asked.
    Ending,
}

impl Context {
    /// Whether the source or target of an event is known.
    pub(super) fn knows(self, tile: &Tile) -> bool {
        self == Context::Event || self == Context::Source && *tile == Tile::From
    }
}

/// How deep words may be nested inside each other.
const MAX_DEPTH: usize = 64;

/// How many words one rule may have once its loops over directions are written out.
const MAX_WORDS: usize = 20_000;

/// What a bound name means.
#[derive(Clone)]
pub(super) enum Meaning {
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
    /// Whether this is an effect, in whose midst there is no position.
    pub(super) in_effect: bool,
}

impl<'c, 'd> Words<'c, 'd> {
    pub(crate) fn new(
        compiler: &'c mut Compiler<'d>,
        board: &'c Board,
        place: String,
        context: Context,
    ) -> Self {
        let (names, locals, depth, words) = (Vec::new(), 0, 0, 0);
        let (number, in_effect) = (0, false);
        Words { compiler, board, place, context, number, names, locals, depth, words, in_effect }
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.compiler.fault(&self.place, fault);
    }

    /// Goes one level deeper, unless that is too deep or too much.
    pub(super) fn nested<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
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

    /// The same words for each of several directions.
    pub(super) fn each_direction<T>(
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
    pub(super) fn bound<T>(
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

    pub(super) fn heading(&mut self, name: &str) -> Option<typed::Heading> {
        let name = self.direction_name(name).to_owned();
        self.compiler.heading(&self.place, &name)
    }

    pub(super) fn headings(&mut self, names: &[String]) -> Option<Vec<typed::Heading>> {
        let all: Vec<_> = names.iter().map(|name| self.heading(name)).collect();
        all.into_iter().collect()
    }

    /// Directions that connect tiles: those named, or all.
    pub(super) fn connections(&mut self, names: &[String]) -> Option<Vec<typed::Heading>> {
        if names.is_empty() {
            let all = self.compiler.definition.directions.clone();
            return self.headings(&all);
        }
        self.headings(names)
    }

    pub(crate) fn seat(&mut self, written: &Seat) -> Option<typed::Seat> {
        let players = self.compiler.seat_count() as u8;
        Some(match written {
            Seat::Mover => typed::Seat::Mover,
            Seat::Next => typed::Seat::Ahead(1),
            Seat::Previous => typed::Seat::Ahead(players.saturating_sub(1)),
            Seat::Player(name) => typed::Seat::Player(self.compiler.player(&self.place, name)?),
        })
    }

    /// A seat that gets the turn or wins, which no neutral player does.
    pub(super) fn playing_seat(&mut self, written: &Seat) -> Option<typed::Seat> {
        let seat = self.seat(written)?;
        if let typed::Seat::Player(player) = seat
            && let Some(one) = self.compiler.definition.players.get(player.index())
            && one.neutral
        {
            self.fault(Fault::Neutral { name: one.name.clone() });
        }
        Some(seat)
    }

    pub(super) fn who(&mut self, written: &Who) -> Option<typed::Who> {
        Some(match written {
            Who::Mover => typed::Who::Mover,
            Who::Ally => typed::Who::Ally,
            Who::Friend => typed::Who::Friend,
            Who::Foe => typed::Who::Foe,
            Who::Player(name) => typed::Who::Player(self.compiler.player(&self.place, name)?),
            Who::Anyone => typed::Who::Anyone,
        })
    }

    /// What a bound name means.
    pub(super) fn meaning(&mut self, name: &str) -> Option<Meaning> {
        let bound = self.names.iter().rev().find(|(bound, _)| bound == name);
        match bound {
            Some((_, meaning)) => Some(meaning.clone()),
            None => self.not_bound(name),
        }
    }

    pub(super) fn not_bound<T>(&mut self, name: &str) -> Option<T> {
        let names: Vec<String> = self.names.iter().map(|(bound, _)| bound.clone()).collect();
        let near = self.compiler.guess(name, names.iter());
        self.compiler.unknown(&self.place, Artifact::Binding, name, near);
        None
    }
}
