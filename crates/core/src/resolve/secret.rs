//! Who sees what, and that rules ask players only for what they see.

use crate::fault::{Artifact, Fault};
use crate::id::{OutcomeId, PlayerId};
use crate::lower::fact::{Part, visit};
use crate::typed::{self, Number, Seat, Truth};
use crate::written::{EventKind, Lot, Secret, Share, Sight};

use super::board::Board;
use super::name::Compiler;
use super::phase::Flow;
use super::word::{Context, Words};

/// What is hidden from some players.
pub(crate) struct Secrets {
    pub(crate) board: Vec<typed::Secret>,
    pub(crate) hands: typed::Sight,
    pub(crate) variables: Vec<typed::Sight>,
    pub(crate) dice: Vec<typed::Sight>,
}

impl Compiler<'_> {
    /// What is hidden; nothing in a game where everyone sees everything.
    pub(super) fn secrets(&mut self, flow: &Flow, board: &Board) -> Option<Secrets> {
        let d = self.definition;
        let mut secrets = Vec::new();
        let mut hands = typed::Sight::Everyone;
        for (number, secret) in d.secrets.iter().enumerate() {
            let place = format!("secrets/{}", number + 1);
            let mut words = Words::new(self, board, place.clone(), Context::State);
            let secret = match secret {
                Secret::Pieces { seen } => words.set(seen).map(typed::Secret::Pieces),
                Secret::Kinds { seen, shown } => {
                    let (seen, kind) = (words.set(seen), words.compiler.kind(&place, shown));
                    seen.zip(kind).map(|(seen, kind)| typed::Secret::Kinds(seen, kind))
                }
                Secret::Flag { flag, seen } => {
                    let (seen, flag) = (words.set(seen), words.compiler.flag(&place, flag));
                    seen.zip(flag).map(|(seen, flag)| typed::Secret::Flag(flag, seen))
                }
                Secret::Mark { mark, seen } => {
                    let (seen, mark) = (words.set(seen), words.compiler.mark(&place, mark));
                    seen.zip(mark).map(|(seen, mark)| typed::Secret::Mark(mark, seen))
                }
                Secret::Hands(sight) => {
                    hands = self.sight(&place, sight);
                    None
                }
            };
            secrets.extend(secret);
        }
        let mut variables = Vec::new();
        for variable in &d.variables {
            let place = format!("variables/{}", variable.name);
            if variable.seen_by == Sight::Owner && variable.share == Share::Common {
                self.fault(&place, Fault::NoOwner { name: variable.name.clone() });
            }
            variables.push(self.sight(&place, &variable.seen_by));
        }
        let mut dice = Vec::new();
        for die in &d.dice {
            let place = format!("dice/{}", die.name);
            if die.seen_by == Sight::Owner {
                self.fault(&place, Fault::NoOwner { name: die.name.clone() });
            }
            dice.push(self.sight(&place, &die.seen_by));
        }
        let hidden = |sight: &typed::Sight| *sight != typed::Sight::Everyone;
        let hides = !secrets.is_empty()
            || hidden(&hands)
            || variables.iter().chain(&dice).any(hidden)
            || flow.rules.iter().any(|rule| hidden(&rule.seen_by) || !rule.fails.is_empty());
        let secrets = Secrets { board: secrets, hands, variables, dice };
        if !hides {
            return None;
        }
        self.check_seen(flow, &secrets);
        Some(secrets)
    }

    pub(super) fn sight(&mut self, place: &str, sight: &Sight) -> typed::Sight {
        match sight {
            Sight::Everyone => typed::Sight::Everyone,
            Sight::Owner => typed::Sight::Owner,
            Sight::Nobody => typed::Sight::Nobody,
            Sight::Player(name) => {
                self.player(place, name).map_or(typed::Sight::Nobody, typed::Sight::Player)
            }
        }
    }

    /// Reports what decides whether an event is legal, or what a player sees, and is hidden from
    /// that player. What rules ask of the board is asked of what the player sees of it.
    fn check_seen(&mut self, flow: &Flow, secrets: &Secrets) {
        let mut parts: Vec<(String, Part<'_>)> = Vec::new();
        for (rule, place) in flow.rules.iter().zip(&flow.places) {
            if rule.wants.kind() == EventKind::Roll {
                continue;
            }
            parts.push((format!("{place}/when"), Part::Truth(&rule.when)));
            let ensures = rule.ensures.iter();
            parts.extend(ensures.map(|one| (format!("{place}/ensures"), Part::Truth(one))));
            let sets = match &rule.wants {
                typed::Wanted::Move(movement) => {
                    parts.extend(
                        { movement.way.parts() }
                            .into_iter()
                            .map(|part| (format!("{place}/way"), part)),
                    );
                    vec![&movement.source, &movement.through, &movement.onto]
                }
                typed::Wanted::Put { onto, .. } | typed::Wanted::Pick { onto, .. } => vec![onto],
                typed::Wanted::Roll { .. } | typed::Wanted::Act(_) => Vec::new(),
            };
            parts.extend(sets.into_iter().map(|set| (format!("{place}/onto"), Part::Set(set))));
        }
        let gates = flow.gates.iter();
        parts.extend(gates.map(|gate| ("phases".to_owned(), Part::Truth(&gate.when))));
        let seen = secrets.board.iter().map(typed::Secret::seen);
        parts.extend(seen.map(|set| ("secrets".to_owned(), Part::Set(set))));
        for (place, part) in parts {
            let mut faults = Vec::new();
            visit(part, &mut |part| faults.extend(self.unseen(part, secrets)));
            for what in faults {
                self.fault(&place, Fault::Unseen { what });
            }
        }
    }

    /// What an expression reads that the player asked may not see.
    fn unseen(&self, part: Part<'_>, secrets: &Secrets) -> Option<String> {
        let hidden = |sight: typed::Sight, seat: Seat| match sight {
            typed::Sight::Everyone => false,
            typed::Sight::Owner => seat != Seat::Mover,
            typed::Sight::Player(_) | typed::Sight::Nobody => true,
        };
        let d = self.definition;
        match part {
            Part::Number(Number::Variable(variable, seat)) => {
                let found = hidden(secrets.variables[variable.index()], *seat);
                found.then(|| d.variables[variable.index()].name.clone())
            }
            Part::Number(Number::Die(die)) => {
                let found = hidden(secrets.dice[die.index()], Seat::Mover);
                found.then(|| d.dice[die.index()].name.clone())
            }
            Part::Number(Number::Hand(kind, seat)) => {
                let found = hidden(secrets.hands, *seat);
                found.then(|| format!("hand of {}", d.kinds[kind.index()].name))
            }
            Part::Truth(condition) if matches!(condition.test, Truth::Repeats(_)) => {
                let board = !secrets.board.is_empty();
                board.then(|| "how often the position has come up".to_owned())
            }
            _ => None,
        }
    }

    /// The outcomes of chance that have names, and what each does.
    pub(super) fn lots(
        &mut self,
        flow: &mut Flow,
        board: &Board,
        lots: &[Lot],
        place: &str,
    ) -> (typed::Wanted, Vec<typed::Lot>) {
        if lots.is_empty() {
            self.fault(place, Fault::None { what: Artifact::Outcome });
        }
        self.unique(place, Artifact::Outcome, lots.iter().map(|lot| lot.name.as_str()));
        let mut compiled = Vec::new();
        for lot in lots {
            let place = format!("{place}/{}", lot.name);
            if !crate::name::is_writable(&lot.name) {
                let (what, name) = (Artifact::Outcome, lot.name.clone());
                self.fault(&place, Fault::BadName { what, name });
            }
            let mut words = Words::new(self, board, place, Context::State);
            let weight = words.value(&lot.weight);
            words.in_effect = true;
            let then = words.effects(&lot.then);
            compiled.extend(weight.map(|weight| typed::Lot { weight, then }));
        }
        let names: Vec<Option<&str>> = lots.iter().map(|lot| Some(lot.name.as_str())).collect();
        let known = flow
            .outcomes
            .windows(names.len().max(1))
            .position(|some| some.iter().map(|one| one.name.as_deref()).eq(names.iter().copied()));
        let first = known.unwrap_or(flow.outcomes.len());
        if known.is_none() {
            for name in names.iter().flatten() {
                if flow.outcomes.iter().any(|one| one.name.as_deref() == Some(name)) {
                    let (what, name) = (Artifact::Outcome, (*name).to_owned());
                    self.fault(place, Fault::Duplicate { what, name });
                }
                let name = Some((*name).to_owned());
                flow.outcomes.push(typed::Outcome { dice: Vec::new(), name, weight: 1, total: 1 });
            }
        }
        let last = OutcomeId::at((first + names.len()).saturating_sub(1));
        (typed::Wanted::Roll { first: OutcomeId::at(first), last }, compiled)
    }
}

impl typed::Sight {
    /// Whether a player sees what is a player's.
    pub(crate) fn shows(self, owner: PlayerId, to: PlayerId) -> bool {
        match self {
            typed::Sight::Everyone => true,
            typed::Sight::Owner => owner == to,
            typed::Sight::Player(player) => player == to,
            typed::Sight::Nobody => false,
        }
    }
}
