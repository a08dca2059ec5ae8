//! Events and positions as the engine's plain text has them.
//!
//! A position is the player to move and then a word for each fact that is not as when nothing is
//! said: `a1=white:tower+fresh` (owner, kind, flags, `*2` for two of a stack), `hand.white=pawn*2`,
//! `mark.burnt=a1,b2`, `die.one=3`, `var.score:white=2`.
//!
//! Hands are written, each player's, where something can be put from one and pieces can leave or
//! change on the board. Where no hand is written, every piece of the definition that is not on the
//! board is in the hand of its owner.

use std::collections::BTreeSet;

use senet_core::written::{Effect, Fate, Share, Wanted};

use super::{Man, Oracle, Place, Position, Proposal};

impl<'d> Oracle<'d> {
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
            Proposal::Chance(name) => format!("roll:{name}"),
            Proposal::Act(name) => name.clone(),
            Proposal::Pick(name, to) => format!("{name}@{to}"),
        }
    }

    /// The position as the engine's plain text has it.
    pub fn text(self, position: &Position) -> String {
        let d = self.definition;
        let mut words = vec![position.player.clone()];
        for tile in &d.tiles {
            let here: Vec<&Man> =
                position.pieces.iter().filter(|man| man.is_on(&tile.name)).collect();
            let mut stands = Vec::new();
            for player in &d.players {
                let own = here.iter().filter(|man| man.owner == player.name);
                let told = self.counted(own.map(|man| self.describe(man)));
                stands.extend(told.into_iter().map(|one| format!("{}:{one}", player.name)));
            }
            if !stands.is_empty() {
                words.push(format!("{}={}", tile.name, stands.join(",")));
            }
        }
        for player in d.players.iter().filter(|_| self.writes_hands()) {
            let own = |man: &&Man| {
                man.place == Place::Hand && man.owner == player.name && self.is_held(&man.kind)
            };
            let hand = position.pieces.iter().filter(own).map(|man| self.describe(man));
            words.push(format!("hand.{}={}", player.name, self.counted(hand).join(",")));
        }
        for mark in &d.marks {
            let carry = |name: &&str| position.marks[&mark.name].contains(*name);
            let tiles: Vec<&str> =
                d.tiles.iter().map(|tile| tile.name.as_str()).filter(carry).collect();
            if !tiles.is_empty() {
                words.push(format!("mark.{}={}", mark.name, tiles.join(",")));
            }
        }
        words.extend(self.numbers(position));
        words.join(" ")
    }

    fn numbers(self, position: &Position) -> Vec<String> {
        let d = self.definition;
        let mut words = Vec::new();
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
        words
    }

    /// Kind and flags of a piece.
    fn describe(self, man: &Man) -> String {
        let flags = self.definition.flags.iter().filter(|flag| man.flags.contains(&flag.name));
        let flags: String = flags.map(|flag| format!("+{}", flag.name)).collect();
        format!("{}{flags}", man.kind)
    }

    /// Descriptions in the order of the kinds, like ones once with their number.
    fn counted(self, all: impl Iterator<Item = String>) -> Vec<String> {
        let kinds: Vec<&str> =
            self.definition.kinds.iter().map(|kind| kind.name.as_str()).collect();
        let kind_of = |told: &String| {
            let name = told.split('+').next().unwrap_or_default().to_owned();
            kinds.iter().position(|kind| **kind == name)
        };
        let mut all: Vec<String> = all.collect();
        all.sort_by_key(|told| (kind_of(told), told.clone()));
        let mut counted: Vec<(String, usize)> = Vec::new();
        for told in all {
            match counted.last_mut().filter(|(last, _)| *last == told) {
                Some((_, count)) => *count += 1,
                None => counted.push((told, 1)),
            }
        }
        let tell = |(told, count)| {
            if count > 1 { format!("{told}*{count}") } else { told }
        };
        counted.into_iter().map(tell).collect()
    }

    /// Whether some effect takes pieces to a hand.
    fn has_hands(self) -> bool {
        let takes = |effect: &Effect| matches!(effect, Effect::Capture { to: Fate::Hand(_), .. });
        self.effects().into_iter().any(takes)
    }

    /// Whether players hold pieces of a kind in hand: it has no supply of its own, and some rule
    /// puts it, or the game has effects or numbers about hands.
    pub(super) fn is_held(self, kind: &str) -> bool {
        let puts = self.rules().into_iter().any(|rule| match &rule.wants {
            Wanted::Put(putting) => {
                putting.kinds.is_empty() || putting.kinds.iter().any(|one| one == kind)
            }
            _ => false,
        });
        let places = |effect: &Effect| matches!(effect, Effect::Place { .. });
        let asks = || serde_json::to_value(self.definition).is_ok_and(|value| counts_hand(&value));
        !self.is_unlimited(kind)
            && (puts || self.has_hands() || self.effects().into_iter().any(places) || asks())
    }

    /// Whether what is in hand does not follow from what is on the board.
    fn writes_hands(self) -> bool {
        let stays = |effect: &Effect| {
            matches!(
                effect,
                Effect::Flag { .. }
                    | Effect::Mark { .. }
                    | Effect::Set { .. }
                    | Effect::Add { .. }
                    | Effect::Turn(_)
                    | Effect::TurnWhere(_)
                    | Effect::Unroll(_)
                    | Effect::Show { .. }
                    | Effect::When { .. }
                    | Effect::Each(..)
                    | Effect::Repeat(..)
            )
        };
        let moves = self.rules().iter().any(|rule| matches!(rule.wants, Wanted::Move(_)));
        let follows = !moves && self.effects().into_iter().all(stays);
        !follows && self.definition.kinds.iter().any(|kind| self.is_held(&kind.name))
    }

    /// Every effect of every rule, those inside others too.
    fn effects(self) -> Vec<&'d Effect> {
        fn collect<'d>(effects: &'d [Effect], all: &mut Vec<&'d Effect>) {
            for effect in effects {
                all.push(effect);
                match effect {
                    Effect::When { then, otherwise, .. } => {
                        collect(then, all);
                        collect(otherwise, all);
                    }
                    Effect::Each(_, inside) | Effect::Repeat(_, inside) => collect(inside, all),
                    _ => {}
                }
            }
        }
        let mut all = Vec::new();
        for rule in self.rules() {
            collect(&rule.before, &mut all);
            collect(&rule.after, &mut all);
            collect(&rule.fails, &mut all);
            if let Wanted::Chance(lots) = &rule.wants {
                lots.iter().for_each(|lot| collect(&lot.then, &mut all));
            }
        }
        all
    }

    /// The position that a text of the engine tells.
    ///
    /// # Panics
    /// If it is no text of a position of this game.
    pub fn read(self, text: &str) -> Position {
        let mut words = text.split(' ');
        let mut position = self.start();
        position.player = words.next().expect("a position names a player").to_owned();
        position.pieces.clear();
        position.marks.values_mut().for_each(BTreeSet::clear);
        let mut hands_written = false;
        for word in words {
            let (what, told) = word.split_once('=').expect("a fact has a value");
            if let Some(owner) = what.strip_prefix("hand.") {
                hands_written = true;
                for one in told.split(',').filter(|one| !one.is_empty()) {
                    self.read_men(&mut position, owner, one, &Place::Hand);
                }
            } else if let Some(mark) = what.strip_prefix("mark.") {
                let tiles = told.split(',').map(str::to_owned).collect();
                position.marks.insert(mark.to_owned(), tiles);
            } else if let Some(die) = what.strip_prefix("die.") {
                position.dice.insert(die.to_owned(), told.parse().expect("a number"));
            } else if let Some(variable) = what.strip_prefix("var.") {
                let key = self.variable_told(variable);
                position.variables.insert(key, told.parse().expect("a number"));
            } else {
                for one in told.split(',') {
                    let (owner, one) = one.split_once(':').expect("an owner and a kind");
                    self.read_men(&mut position, owner, one, &Place::Tile(what.to_owned()));
                }
            }
        }
        if !hands_written {
            self.fill_hands(&mut position);
        }
        position
    }

    /// Puts hands in step with the board where they follow from it.
    pub(super) fn refill(self, position: &mut Position) {
        if !self.writes_hands() {
            position.pieces.retain(|man| man.tile().is_some());
            self.fill_hands(position);
        }
    }

    /// Gives players every piece of the definition that is not on the board.
    fn fill_hands(self, position: &mut Position) {
        let mut left: Vec<(String, String)> =
            position.pieces.iter().map(|man| (man.owner.clone(), man.kind.clone())).collect();
        for piece in self.definition.pieces.iter().filter(|piece| self.is_held(&piece.kind)) {
            let like = |man: &(String, String)| man.0 == piece.owner && man.1 == piece.kind;
            match left.iter().position(like) {
                Some(stands) => drop(left.remove(stands)),
                None => self.read_men(position, &piece.owner, &piece.kind, &Place::Hand),
            }
        }
    }

    fn variable_told(self, told: &str) -> (String, Option<String>) {
        let whole = self.definition.variables.iter().find(|one| one.name == told);
        match told.rsplit_once(':').filter(|_| whole.is_none_or(|one| one.share != Share::Common)) {
            Some((name, of)) => (name.to_owned(), Some(of.to_owned())),
            None => (told.to_owned(), None),
        }
    }

    fn read_men(self, position: &mut Position, owner: &str, told: &str, place: &Place) {
        let (told, count) = told.split_once('*').unwrap_or((told, "1"));
        let mut parts = told.split('+');
        let man = Man {
            owner: owner.to_owned(),
            kind: parts.next().unwrap_or_default().to_owned(),
            place: place.clone(),
            flags: parts.map(str::to_owned).collect(),
        };
        let count = count.parse().expect("a number");
        position.pieces.extend(std::iter::repeat_n(man, count));
    }
}

/// Whether a written definition asks how many pieces are in hand.
fn counts_hand(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Array(list) => list.iter().any(counts_hand),
        serde_json::Value::Object(map) => {
            map.get("hand").is_some_and(|hand| hand.get("kind").is_some())
                || map.values().any(counts_hand)
        }
        _ => false,
    }
}
