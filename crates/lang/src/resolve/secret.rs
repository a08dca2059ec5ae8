//! Who sees what, piles of cards, and choices that all players make at the same time.

use senet_core::written::{
    Card, Drawing, Effect, Number, Phase, Pile, Rule, Seat, Secret, Share, Sight, Truth, Variable,
};

use super::Resolver;
use crate::syntax::{self, Name};

impl<'s> Resolver<'s> {
    /// Who sees something; everyone where nothing is said.
    pub(super) fn sight(&mut self, name: Option<&Name>) -> Sight {
        let Some(name) = name else { return Sight::Everyone };
        match name.text.as_str() {
            "owner" | "mover" => Sight::Owner,
            "nobody" => Sight::Nobody,
            "everyone" => Sight::Everyone,
            _ => Sight::Player(self.player(name)),
        }
    }

    /// What players see of the board.
    pub(super) fn sees(&mut self) {
        let sheet = self.sheet;
        for sees in &sheet.sees {
            let number = self.definition.secrets.len() + 1;
            self.place(format!("secrets/{number}"), sees.what.span);
            let secret = self.secret(sees);
            self.definition.secrets.extend(secret);
        }
    }

    fn secret(&mut self, sees: &'s syntax::Sees) -> Option<Secret> {
        if sees.what.text == "hand" {
            return Some(Secret::Hands(self.sight(sees.name.as_ref())));
        }
        let seen = self.set(sees.on.as_ref()?, &None);
        let name = sees.name.as_ref().map(|name| name.text.clone());
        if let Some(name) = &name {
            self.used.insert(name.clone());
        }
        Some(match sees.what.text.as_str() {
            "pieces" => Secret::Pieces { seen },
            "kinds" => Secret::Kinds { seen, shown: self.kind_name(sees.shown.as_ref()?) },
            "flag" => Secret::Flag { flag: name?, seen },
            _ => Secret::Mark { mark: name?, seen },
        })
    }

    /// Piles, and the variables that count their cards.
    pub(super) fn piles(&mut self) {
        let sheet = self.sheet;
        let mut cards: Vec<String> = Vec::new();
        for card in sheet.piles.iter().flat_map(|pile| &pile.cards) {
            if !cards.contains(&card.0.text) {
                cards.push(card.0.text.clone());
            }
        }
        for pile in &sheet.piles {
            let count = |resolver: &mut Self, name: &String| {
                let written = pile.cards.iter().filter(|(card, _)| card.text == *name);
                let counts = written.map(|(_, count)| match count {
                    Some(count) => resolver.integer(count).unwrap_or(1),
                    None => 1,
                });
                let count = counts.sum::<i64>();
                u16::try_from(count).unwrap_or_else(|_| {
                    let message = "a pile has between 0 and 65535 equal cards";
                    resolver.error("out-of-range", pile.name.span, message);
                    0
                })
            };
            let cards: Vec<Card> = cards
                .iter()
                .map(|name| Card { name: name.clone(), count: count(self, name) })
                .collect();
            let pile = Pile {
                name: pile.name.text.clone(),
                cards,
                share: if pile.each { Share::PerPlayer } else { Share::Common },
                seen_by: self.sight(pile.seen_by.as_ref()),
            };
            self.names.piles.insert(pile.name.clone());
            self.names.variables.insert(pile.name.clone());
            let names = pile.cards.iter().map(|card| pile.variable(&card.name));
            self.names.variables.extend(names);
            self.definition.piles.push(pile);
        }
    }

    /// The name of a pile.
    pub(super) fn pile_name(&mut self, name: &Name) -> String {
        self.used.insert(name.text.clone());
        if !self.names.piles.contains(&name.text) {
            let known = self.names.piles.clone();
            self.unknown("pile", name, known.iter().map(String::as_str));
        }
        name.text.clone()
    }

    /// Moves every card of a pile to another, in no order that anyone knows.
    pub(super) fn shuffle(&mut self, from: &Name, to: &Name) -> Vec<Effect> {
        let (from, to) = (self.pile_name(from), self.pile_name(to));
        let cards = self.definition.piles.first().map(|pile| pile.cards.clone());
        let names = cards.into_iter().flatten().map(|card| format!("-{}", card.name));
        let parts = std::iter::once(String::new()).chain(names);
        let moved = parts.flat_map(|part| {
            let (source, target) = (format!("{from}{part}"), format!("{to}{part}"));
            let by = Number::variable(&source);
            [
                Effect::Add { variable: target, of: Seat::Mover, by },
                Effect::Set { variable: source, of: Seat::Mover, to: Number::Is(0) },
            ]
        });
        moved.collect()
    }

    /// Phases in which players get cards before anything else.
    pub(super) fn deals(&mut self) {
        let sheet = self.sheet;
        for (number, deal) in sheet.deals.iter().enumerate() {
            let count = self.integer(&deal.count).unwrap_or(1);
            let (from, to) = (self.pile_name(&deal.from), self.pile_name(&deal.to));
            let drawing = Drawing { from: from.clone(), to: to.clone(), of: Seat::Mover };
            let name = if number == 0 { "deal".to_owned() } else { format!("deal {}", number + 1) };
            self.place(format!("phases/{name}"), deal.to.span);
            let rule = Rule::draws(name.clone(), drawing).then(Effect::Turn(Seat::Next));
            let phase = Phase {
                when: Number::variable(&to).less_than(Number::Is(count)),
                rules: vec![rule],
                name,
                ..Phase::default()
            };
            self.definition.phases.insert(number, phase);
        }
    }

    /// Choices that all players make at the same time: each is kept where its owner alone sees it,
    /// until the last player has chosen.
    pub(super) fn commits(&mut self) {
        let sheet = self.sheet;
        for commit in &sheet.commits {
            let (shown, kept) = (commit.name.text.clone(), format!("{}-kept", commit.name.text));
            self.place(format!("phases/{shown}"), commit.name.span);
            for (number, act) in commit.acts.iter().enumerate() {
                self.names.options.insert(act.text.clone(), number as i64 + 1);
            }
            let last = commit.acts.len() as i64;
            let variable = |name: &str| Variable::counter(name, last).per_player();
            self.definition.variables.push(variable(&shown));
            let secret = Variable { seen_by: Sight::Owner, ..variable(&kept) };
            self.definition.variables.push(secret);
            self.names.variables.extend([shown.clone(), kept.clone()]);
            let players: Vec<Seat> =
                sheet.players.iter().map(|player| Seat::player(&player.name.text)).collect();
            let all_have = players.iter().fold(Truth::Always, |all, player| {
                all.and(Number::variable_of(&kept, player.clone()).at_least(Number::Is(1)))
            });
            let mut reveal = Vec::new();
            for of in &players {
                let (variable, to) = (shown.clone(), Number::variable_of(&kept, of.clone()));
                reveal.push(Effect::Set { variable, of: of.clone(), to });
            }
            for of in &players {
                let (variable, to) = (kept.clone(), Number::Is(0));
                reveal.push(Effect::Set { variable, of: of.clone(), to });
            }
            reveal.extend(self.effects(&commit.then, &None));
            let mut rules = Vec::new();
            for (number, act) in commit.acts.iter().enumerate() {
                if !self.definition.actions.contains(&act.text) {
                    self.definition.actions.push(act.text.clone());
                }
                let choose = Effect::Set {
                    variable: kept.clone(),
                    of: Seat::Mover,
                    to: Number::Is(number as i64 + 1),
                };
                let reveal = Effect::When {
                    condition: all_have.clone(),
                    then: reveal.clone(),
                    otherwise: Vec::new(),
                };
                let mut rule = Rule::acts(&act.text, &act.text).then(choose).then(reveal);
                rule.seen_by = Sight::Owner;
                rules.push(rule.then(Effect::Turn(Seat::Next)));
            }
            let when = commit.when.as_ref().map_or(Truth::Always, |when| self.truth(when, &None));
            let phase = Phase { name: shown, when, rules, ..Phase::default() };
            self.definition.phases.push(phase);
        }
    }
}
