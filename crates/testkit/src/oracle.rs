//! A second engine, slow and plain: it plays a [`Definition`] by its names, without compiling it.
//!
//! It shares nothing with the engine but the written vocabulary: tiles are strings, pieces are a
//! list, a ray is walked relation by relation, and what is legal is found by trying every event
//! there is. Where both agree, an error would have to be made twice. What a written word means is
//! what this says, where a tile does not exist, a set is empty, pieces stand on each other or
//! another player is asked about.

mod agree;
mod attack;
mod context;
mod effect;
mod most;
mod rule;
mod secret;
mod set;
mod text;
mod travel;
mod usage;

use std::collections::{BTreeMap, BTreeSet};

use senet_core::written::{
    Capacity, Kind, Number, Order, Phase, Player, Rule, Set, Share, Standing, Supply, Tile, Truth,
    Variable, Wanted,
};
use senet_core::{Definition, EventKind};

pub use agree::{agree, agree_in};
use context::Context;
pub use rule::Outcome;
pub use secret::Known;

/// A definition, played by its names.
#[derive(Clone, Copy)]
pub struct Oracle<'d> {
    definition: &'d Definition,
    /// Whether it counts as true, where a rule asks, that a player is stuck.
    assume_stuck: bool,
    /// The positions before the one asked about.
    past: &'d [String],
}

/// A moment of a game, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    player: String,
    pieces: Vec<Man>,
    /// The tiles that carry each mark.
    marks: BTreeMap<String, BTreeSet<String>>,
    dice: BTreeMap<String, u8>,
    /// By name and, where each player has one, by player.
    variables: BTreeMap<(String, Option<String>), i64>,
    /// Whether the turn was given to somebody by the event that is carried out.
    turned: bool,
}

impl Position {
    /// The player to move.
    pub fn player(&self) -> &str {
        &self.player
    }
}

/// A piece.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Man {
    owner: String,
    kind: String,
    place: Place,
    flags: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Tile(String),
    /// In the hand of its owner.
    Hand,
    /// Out of play.
    Out,
}

impl Man {
    fn change_flags(&mut self, set: &[String], clear: &[String]) {
        self.flags.retain(|flag| !clear.contains(flag));
        self.flags.extend(set.iter().cloned());
    }

    fn tile(&self) -> Option<&str> {
        match &self.place {
            Place::Tile(tile) => Some(tile),
            Place::Hand | Place::Out => None,
        }
    }

    fn is_on(&self, tile: &str) -> bool {
        self.tile() == Some(tile)
    }

    fn is_in_hand(&self, owner: &str, kind: &str) -> bool {
        self.place == Place::Hand && self.owner == owner && self.kind == kind
    }
}

/// An event, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// A piece goes from a tile to a tile, and may become something.
    Move(String, String, Option<String>),
    /// A piece goes from a tile to a tile by a die that shows a number.
    Advance(String, String, u8),
    /// A piece of a kind enters a tile.
    Put(String, String),
    /// Dice show numbers.
    Roll(Vec<(String, u8)>),
    /// Chance does what has this name.
    Chance(String),
    /// A named act.
    Act(String),
    /// A named act that names a tile.
    Pick(String, String),
}

impl<'d> Oracle<'d> {
    /// An oracle of a definition that compiles, is expanded and uses no custom code.
    pub fn new(definition: &'d Definition) -> Oracle<'d> {
        Oracle { definition, assume_stuck: false, past: &[] }
    }

    /// The start.
    pub fn start(self) -> Position {
        let d = self.definition;
        let mut position = Position {
            player: d.players[0].name.clone(),
            pieces: Vec::new(),
            marks: BTreeMap::new(),
            dice: d.dice.iter().map(|die| (die.name.clone(), 0)).collect(),
            variables: BTreeMap::new(),
            turned: false,
        };
        for piece in &d.pieces {
            let placed = d.setup.iter().find(|placement| placement.piece == piece.name);
            position.pieces.push(Man {
                owner: piece.owner.clone(),
                kind: piece.kind.clone(),
                place: placed.map_or_else(
                    || if self.is_unlimited(&piece.kind) { Place::Out } else { Place::Hand },
                    |one| Place::Tile(one.tile.clone()),
                ),
                flags: placed.iter().flat_map(|one| one.flags.iter().cloned()).collect(),
            });
        }
        for mark in &d.marks {
            position.marks.insert(mark.name.clone(), mark.tiles.iter().cloned().collect());
        }
        for variable in &d.variables {
            for of in self.owners_of(variable.share) {
                position.variables.insert((variable.name.clone(), of), variable.start);
            }
        }
        position
    }

    fn owners_of(self, share: Share) -> Vec<Option<String>> {
        match share {
            Share::Common => vec![None],
            Share::PerPlayer => {
                self.definition.players.iter().map(|player| Some(player.name.clone())).collect()
            }
        }
    }

    fn stacks(self, tile: &str) -> bool {
        let tiles = &self.definition.tiles;
        tiles.iter().any(|one| one.name == tile && one.holds == Capacity::Many)
    }

    fn is_unlimited(self, kind: &str) -> bool {
        let kinds = &self.definition.kinds;
        kinds.iter().any(|one| one.name == kind && one.supply == Supply::Unlimited)
    }

    /// Whether fewer pieces are on the board and in hands than there are tiles and listed pieces:
    /// where as many are, none of an unlimited supply enters.
    fn has_supply(self, position: &Position) -> bool {
        let lives = |man: &&Man| match man.place {
            Place::Tile(_) => true,
            Place::Hand => self.is_held(&man.kind),
            Place::Out => false,
        };
        let living = position.pieces.iter().filter(lives).count();
        living < self.definition.tiles.len() + self.definition.pieces.len()
    }

    fn is_neutral(self, name: &str) -> bool {
        self.definition.players.iter().any(|player| player.name == name && player.neutral)
    }

    /// The players who take turns.
    fn seats(self) -> impl Iterator<Item = &'d Player> + Clone {
        self.definition.players.iter().filter(|player| !player.neutral)
    }

    /// Who plays the pieces of a player: the other of two who have changed seats.
    fn holder(self, position: &Position, seat: &str) -> String {
        let swap = self.definition.variables.iter().find(|variable| variable.swaps_seats);
        let swapped = |one: &Variable| position.variables[&(one.name.clone(), None)] == 1;
        let other = || self.seats().find(|player| player.name != seat);
        match swap.filter(|one| swapped(one) && !self.is_neutral(seat)).and_then(|_| other()) {
            Some(other) => other.name.clone(),
            None => seat.to_owned(),
        }
    }

    /// Whether a player may not take pieces of another by moving onto them.
    fn spares(self, one: &str, other: &str) -> bool {
        self.friends(one, other) || self.is_neutral(other)
    }

    fn friends(self, one: &str, other: &str) -> bool {
        let team = |name: &str| {
            let player = self.definition.players.iter().find(|player| player.name == name);
            player.and_then(|player| player.team.clone())
        };
        one == other || (team(one).is_some() && team(one) == team(other))
    }

    /// Every event that can be written down and that some rule or preprocessor might take.
    fn proposals(self, position: &Position) -> Vec<Proposal> {
        let d = self.definition;
        let mut all = Vec::new();
        for from in d.tiles.iter().filter(|from| self.may_move_from(position, &from.name)) {
            all.extend(d.tiles.iter().flat_map(|to| self.moves(&from.name, &to.name)));
        }
        if self.takes(EventKind::Put) {
            for tile in &d.tiles {
                let put = |kind: &Kind| Proposal::Put(kind.name.clone(), tile.name.clone());
                all.extend(d.kinds.iter().map(put));
            }
        }
        if self.takes(EventKind::Pick) {
            for tile in &d.tiles {
                let pick = |act: &String| Proposal::Pick(act.clone(), tile.name.clone());
                all.extend(d.actions.iter().map(pick));
            }
        }
        all.extend(d.actions.iter().cloned().map(Proposal::Act));
        all.extend(self.rolls().into_iter().map(Proposal::Roll));
        all.extend(self.lots().into_iter().map(Proposal::Chance));
        all
    }

    /// Every move from one tile to another.
    fn moves(self, from: &str, to: &str) -> Vec<Proposal> {
        let sides = self.definition.dice.iter().map(|die| die.sides).max().unwrap_or(0);
        let advance = |pips| Proposal::Advance(from.to_owned(), to.to_owned(), pips);
        let become_one = |kind| Proposal::Move(from.to_owned(), to.to_owned(), kind);
        let kinds = self.definition.kinds.iter().map(|kind| Some(kind.name.clone()));
        let choices = std::iter::once(None).chain(kinds).map(become_one);
        (1..=sides).map(advance).chain(choices).collect()
    }

    /// Without a preprocessor, only a piece of the mover can move.
    fn may_move_from(self, position: &Position, from: &str) -> bool {
        let own = |man: &Man| man.is_on(from) && man.owner == position.player;
        self.takes(EventKind::Move)
            && (self.phases().iter().any(|phase| !phase.pre.is_empty())
                || position.pieces.iter().any(own))
    }

    fn takes(self, kind: EventKind) -> bool {
        let pre = |phase: &&Phase| phase.pre.iter().any(|pre| pre.on == kind);
        self.rules().iter().any(|rule| rule.wants.kind() == kind) || self.phases().iter().any(pre)
    }

    /// Every phase, those inside others too.
    fn phases(self) -> Vec<&'d Phase> {
        fn collect<'d>(phases: &'d [Phase], all: &mut Vec<&'d Phase>) {
            for phase in phases {
                all.push(phase);
                collect(&phase.phases, all);
            }
        }
        let mut all = Vec::new();
        collect(&self.definition.phases, &mut all);
        all
    }

    /// Every rule of every phase.
    fn rules(self) -> Vec<&'d Rule> {
        self.phases().into_iter().flat_map(|phase| &phase.rules).collect()
    }

    /// The names of everything that chance may do.
    fn lots(self) -> BTreeSet<String> {
        let lots = self.rules().into_iter().filter_map(|rule| match &rule.wants {
            Wanted::Chance(lots) => Some(lots),
            _ => None,
        });
        lots.flatten().map(|lot| lot.name.clone()).collect()
    }

    /// Every outcome of every roll.
    fn rolls(self) -> Vec<Vec<(String, u8)>> {
        let mut all = Vec::new();
        for rolling in self.rules().iter().filter_map(|rule| match &rule.wants {
            Wanted::Roll(rolling) => Some(rolling),
            _ => None,
        }) {
            for throw in self.throws(&rolling.dice) {
                let falls = throw.windows(2).all(|pair| pair[0].1 >= pair[1].1);
                if (rolling.order == Order::Matters || falls) && !all.contains(&throw) {
                    all.push(throw);
                }
            }
        }
        all
    }

    fn throws(self, dice: &[String]) -> Vec<Vec<(String, u8)>> {
        let Some((last, first)) = dice.split_last() else { return vec![Vec::new()] };
        let die = self.definition.dice.iter().find(|die| die.name == *last);
        let sides = die.map_or(0, |die| die.sides);
        let mut all = Vec::new();
        for throw in self.throws(first) {
            for face in 1..=sides {
                let mut throw = throw.clone();
                throw.push((last.clone(), face));
                all.push(throw);
            }
        }
        all
    }

    /// Every legal event, with the position after it.
    pub fn legal(self, position: &Position) -> Vec<(Proposal, Position)> {
        if self.stops(position) {
            return Vec::new();
        }
        let known = self.known(position);
        let after = |one: Proposal| {
            let after = self.attempt_by(position, &known, &one);
            after.map(|after| (one, after))
        };
        let accepted = self.proposals(&known).into_iter().filter_map(after);
        accepted.filter(|(one, _)| !self.is_aside(&known, one)).collect()
    }

    /// The tiles of a set, asked about a player, in the order of the board.
    pub fn tiles(self, position: &Position, player: &str, set: &Set) -> Vec<String> {
        self.in_order(&self.about(position, player).set(set))
    }

    /// A tile, asked about a player.
    pub fn tile(self, position: &Position, player: &str, tile: &Tile) -> Option<String> {
        self.about(position, player).tile(tile)
    }

    /// A number, asked about a player.
    pub fn number(self, position: &Position, player: &str, number: &Number) -> i64 {
        self.about(position, player).number(number)
    }

    /// Whether something holds, asked about a player.
    pub fn holds(self, position: &Position, player: &str, truth: &Truth) -> bool {
        self.about(position, player).holds(truth)
    }

    /// The positions before, and this one.
    fn past_with(self, position: &Position) -> Vec<String> {
        self.past.iter().cloned().chain([self.key(position)]).collect()
    }

    /// What makes two positions the same: all but the variables beside them.
    fn key(self, position: &Position) -> String {
        let mut position = position.clone();
        let beside = |variable: &&Variable| variable.standing == Standing::Beside;
        for variable in self.definition.variables.iter().filter(beside) {
            for of in self.owners_of(variable.share) {
                position.variables.insert((variable.name.clone(), of), variable.start);
            }
        }
        self.text(&position)
    }

    fn about<'a>(self, position: &'a Position, player: &'a str) -> Context<'a>
    where
        'd: 'a,
    {
        Context { mover: player, ..self.context(position, None) }
    }

    /// How many sequences of legal events of this length there are.
    pub fn perft(self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let legal = self.legal(position);
        let past = self.past_with(position);
        let below = Oracle { past: &past, ..self };
        legal.iter().map(|(_, after)| below.perft(after, depth - 1)).sum()
    }
}
