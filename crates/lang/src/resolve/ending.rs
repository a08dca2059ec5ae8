//! Endings.

use senet_core::written::{Ending, Number, Play, Seat, Subject, Truth};

use super::Resolver;

impl Resolver<'_> {
    pub(super) fn endings(&mut self) {
        let sheet = self.sheet;
        for written in &sheet.endings {
            self.place(format!("endings/{}", written.name.text), written.name.span);
            let when = self.truth(&written.when, &None);
            let winner = match (&written.winner, written.verb.text.as_str()) {
                (Some(seat), _) => Some(self.seat(seat, &None)),
                _ if written.most.is_some() => None,
                (None, "win") => Some(Seat::Mover),
                (None, "lose") => Some(Seat::Next),
                _ => None,
            };
            let of = match &written.of {
                Some(of) if of.text == "each" => Subject::Each,
                Some(of) if of.text == "mover" => Subject::Mover,
                Some(of) => {
                    self.unknown("subject of an ending", of, ["each", "mover"].into_iter());
                    Subject::Mover
                }
                None if winner.is_none() || asks_stuck(&when) => Subject::Mover,
                None => Subject::Each,
            };
            let score =
                written.worth.as_ref().map_or(Number::Is(1), |worth| self.number(worth, &None));
            let most = written.most.as_ref().map(|most| self.number(most, &None));
            let pays = written.pays.as_ref().map(|pays| self.number(pays, &None));
            let play = if written.goes_on { Play::MayGoOn } else { Play::Stops };
            let name = written.name.text.clone();
            self.definition.endings.push(Ending {
                name,
                of,
                when,
                winner,
                score,
                most,
                pays,
                play,
            });
        }
    }
}

/// Whether a truth asks if the player to move has no move.
fn asks_stuck(truth: &Truth) -> bool {
    match truth {
        Truth::Stuck => true,
        Truth::All(all) | Truth::Any(all) => all.iter().any(asks_stuck),
        Truth::Not(one)
        | Truth::Called(_, one)
        | Truth::Relevant(one)
        | Truth::Exists(_, one)
        | Truth::Each(_, one) => asks_stuck(one),
        _ => false,
    }
}
