//! A second engine, slow and plain: it plays a [`Definition`] by its names, without compiling it.
//!
//! It shares nothing with the engine but the written vocabulary: tiles are strings, pieces are a
//! list, a ray is walked relation by relation, and what is legal is found by trying every event
//! there is. Where both agree, an error would have to be made twice.

mod condition;
mod effect;
mod rule;
mod travel;
mod usage;

use std::collections::{BTreeMap, BTreeSet};

use senet_core::{Capacity, Definition, Game, Order, Share, State, Wanted, text};

use crate::case::Case;

/// A definition, played by its names.
#[derive(Clone, Copy)]
pub struct Oracle<'d> {
    definition: &'d Definition,
}

/// A moment of a game, by names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    player: String,
    pieces: Vec<Man>,
    dice: BTreeMap<String, u8>,
    /// By name and, where each player has one, by player.
    variables: BTreeMap<(String, Option<String>), i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Man {
    owner: String,
    first_kind: String,
    kind: String,
    tile: Option<String>,
    flags: BTreeSet<String>,
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
    /// A named act.
    Act(String),
}

impl Oracle<'_> {
    /// An event as the engine's plain text has it.
    pub fn tell(self, proposal: &Proposal) -> String {
        match proposal {
            Proposal::Move(from, to, None) => format!("{from}/{to}"),
            Proposal::Move(from, to, Some(kind)) => format!("{from}/{to}={kind}"),
            Proposal::Advance(from, to, pips) => format!("{from}/{to}:{pips}"),
            Proposal::Put(kind, to) => format!("{kind}@{to}"),
            Proposal::Roll(dice) => {
                let faces: Vec<u8> = dice.iter().map(|(_, face)| *face).collect();
                let alike = |other: &Vec<(String, u8)>| {
                    other != dice && other.iter().map(|(_, face)| *face).eq(faces.iter().copied())
                };
                if self.rolls().iter().any(alike) {
                    let named = dice.iter().map(|(die, face)| format!("{die}:{face}"));
                    return format!("roll:{}", named.collect::<Vec<_>>().join(","));
                }
                let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
                format!("roll:{}", faces.join("-"))
            }
            Proposal::Act(name) => name.clone(),
        }
    }
}

impl<'d> Oracle<'d> {
    /// An oracle of a definition that compiles and uses no custom code.
    pub fn new(definition: &'d Definition) -> Oracle<'d> {
        Oracle { definition }
    }

    /// The start.
    pub fn start(self) -> Position {
        let d = self.definition;
        let mut position = Position {
            player: d.players[0].name.clone(),
            pieces: Vec::new(),
            dice: d.dice.iter().map(|die| (die.name.clone(), 0)).collect(),
            variables: BTreeMap::new(),
        };
        for piece in &d.pieces {
            let placed = d.setup.iter().find(|placement| placement.piece == piece.name);
            position.pieces.push(Man {
                owner: piece.owner.clone(),
                first_kind: piece.kind.clone(),
                kind: piece.kind.clone(),
                tile: placed.map(|placement| placement.tile.clone()),
                flags: placed.iter().flat_map(|one| one.flags.iter().cloned()).collect(),
            });
        }
        for variable in &d.variables {
            for of in self.owners_of(variable.share) {
                position.variables.insert((variable.name.clone(), of), variable.start);
            }
        }
        position
    }

    /// A state of the engine, by names.
    pub fn read(self, game: &Game, state: &State) -> Position {
        let view = game.view(state);
        let mut position = self.start();
        position.player = game.player_name(view.player()).to_owned();
        for (man, piece) in position.pieces.iter_mut().zip(game.pieces()) {
            let now = view.piece(piece);
            man.tile = now.tile.map(|tile| game.tile_name(tile).to_owned());
            man.kind = game.kind_name(now.kind).to_owned();
            let flags = game.flags().filter(|&flag| now.has(flag));
            man.flags = flags.map(|flag| game.flag_name(flag).to_owned()).collect();
        }
        for die in game.dice() {
            position.dice.insert(game.die_name(die).to_owned(), view.die(die).unwrap_or(0));
        }
        for ((name, of), value) in &mut position.variables {
            let variable = game.variable(name).expect("the same definition");
            let of = of.as_ref().and_then(|of| game.player(of)).unwrap_or(view.player());
            *value = view.variable(variable, of);
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

    fn friends(self, one: &str, other: &str) -> bool {
        let team = |name: &str| {
            let player = self.definition.players.iter().find(|player| player.name == name);
            player.and_then(|player| player.team.clone())
        };
        one == other || (team(one).is_some() && team(one) == team(other))
    }

    /// Every event that can be written down.
    fn proposals(self) -> Vec<Proposal> {
        let d = self.definition;
        let mut all = Vec::new();
        let sides = d.dice.iter().map(|die| die.sides).max().unwrap_or(0);
        for from in &d.tiles {
            for to in &d.tiles {
                let advance = |pips| Proposal::Advance(from.name.clone(), to.name.clone(), pips);
                all.extend((1..=sides).map(advance));
                all.push(Proposal::Move(from.name.clone(), to.name.clone(), None));
                for kind in &d.kinds {
                    let choice = Some(kind.name.clone());
                    all.push(Proposal::Move(from.name.clone(), to.name.clone(), choice));
                }
            }
            for kind in &d.kinds {
                all.push(Proposal::Put(kind.name.clone(), from.name.clone()));
            }
        }
        all.extend(d.actions.iter().cloned().map(Proposal::Act));
        all.extend(self.rolls().into_iter().map(Proposal::Roll));
        all
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
        let after = |one: Proposal| self.attempt(position, &one).map(|after| (one, after));
        let play = self.proposals().into_iter().filter(|one| !self.is_aside(position, one));
        play.filter_map(after).collect()
    }

    /// The position as the engine's plain text has it.
    pub fn text(self, position: &Position) -> String {
        let d = self.definition;
        let mut words = vec![position.player.clone()];
        for tile in &d.tiles {
            let mut stands = Vec::new();
            for player in &d.players {
                for kind in &d.kinds {
                    let like = |man: &&Man| {
                        man.tile.as_ref() == Some(&tile.name)
                            && (&man.owner, &man.kind) == (&player.name, &kind.name)
                    };
                    let here: Vec<&Man> = position.pieces.iter().filter(like).collect();
                    let Some(first) = here.first() else { continue };
                    let flags = d.flags.iter().filter(|flag| first.flags.contains(&flag.name));
                    let flags: String = flags.map(|flag| format!("+{}", flag.name)).collect();
                    let many = if here.len() > 1 { format!("*{}", here.len()) } else { "".into() };
                    stands.push(format!("{}:{}{flags}{many}", player.name, kind.name));
                }
            }
            if !stands.is_empty() {
                words.push(format!("{}={}", tile.name, stands.join(",")));
            }
        }
        for die in d.dice.iter().filter(|die| position.dice[&die.name] > 0) {
            words.push(format!("die.{}={}", die.name, position.dice[&die.name]));
        }
        for variable in &d.variables {
            for of in self.owners_of(variable.share) {
                let value = position.variables[&(variable.name.clone(), of.clone())];
                let of = of.map_or(String::new(), |of| format!(":{of}"));
                if value != variable.start {
                    words.push(format!("var.{}{of}={value}", variable.name));
                }
            }
        }
        words.join(" ")
    }
}

/// Checks that oracle and engine agree in states of random games: on what is legal, on where it
/// leads and on how the game ends.
///
/// # Panics
/// Where they differ.
pub fn agree(case: &Case) {
    let game = &case.game;
    let oracle = Oracle::new(game.definition());
    assert_eq!(oracle.text(&oracle.start()), text::format_position(game, &game.start()));
    for state in case.states(case.universe().len()) {
        agree_in(game, &state);
    }
}

/// Checks that oracle and engine agree in one state.
///
/// # Panics
/// Where they differ.
pub fn agree_in(game: &Game, state: &State) {
    let oracle = Oracle::new(game.definition());
    let position = oracle.read(game, state);
    let told = text::format_position(game, state);
    assert_eq!(oracle.text(&position), told);
    let legal = oracle.legal(&position).into_iter();
    let mut expected: Vec<(String, String)> =
        legal.map(|(proposal, after)| (oracle.tell(&proposal), oracle.text(&after))).collect();
    expected.sort();
    let mut found: Vec<(String, String)> = Vec::new();
    for event in game.legal(state) {
        let after = game.apply(state, event).expect("a legal event is accepted").state;
        found.push((text::format_event(game, event), text::format_position(game, &after)));
    }
    found.sort();
    assert_eq!(found, expected, "{} in `{told}`: engine, then oracle", game.name());
    let outcome = game.outcome(state).map(|outcome| {
        let winner = outcome.winner.map(|winner| game.player_name(winner).to_owned());
        (game.ending_name(outcome.ending).to_owned(), winner, outcome.scores)
    });
    assert_eq!(outcome, oracle.outcome(&position), "{} in `{told}`", game.name());
}
