//! What lies beside the board, in words: piles of cards, dice and variables.

use super::Observation;
use crate::game::Game;
use crate::id::{PlayerId, VariableId};
use crate::written::{Pile, Share};

impl Observation {
    /// What the viewer knows of what lies beside the board, each thing with its name: cards by their
    /// names, dice by what they show, variables by their values. What is not seen is `hidden`.
    pub fn table(&self, game: &Game) -> Vec<(String, String)> {
        let mut lines = Vec::new();
        let mut shown: Vec<VariableId> = Vec::new();
        for pile in game.piles() {
            let Some(count) = game.variable(&pile.name) else { continue };
            let cards = pile.cards.iter();
            let cards = cards.filter_map(|card| {
                Some((card.name.as_str(), game.variable(&pile.variable(&card.name))?))
            });
            let cards: Vec<(&str, VariableId)> = cards.collect();
            shown.push(count);
            shown.extend(cards.iter().map(|(_, variable)| *variable));
            for player in owners(game, pile) {
                let name = match pile.share {
                    Share::PerPlayer => format!("{} of {}", pile.name, game.player_name(player)),
                    Share::Common => pile.name.clone(),
                };
                lines.push((name, self.cards(game, player, count, &cards)));
            }
        }
        for die in game.dice() {
            let shows = match (game.sees_die(die, self.viewer), game.view(&self.known).die(die)) {
                (false, _) => "hidden".to_owned(),
                (true, None) => "not rolled".to_owned(),
                (true, Some(shows)) => shows.to_string(),
            };
            lines.push((game.die_name(die).to_owned(), shows));
        }
        for variable in game.variables().filter(|variable| !shown.contains(variable)) {
            lines.push((game.variable_name(variable).to_owned(), self.values(game, variable)));
        }
        lines
    }

    /// The cards of a pile, or how many there are where they are not seen.
    fn cards(
        &self,
        game: &Game,
        owner: PlayerId,
        count: VariableId,
        cards: &[(&str, VariableId)],
    ) -> String {
        let view = game.view(&self.known);
        match view.variable(count, owner) {
            0 => return "no cards".to_owned(),
            count
                if cards.iter().any(|&(_, card)| !game.sees_variable(card, owner, self.viewer)) =>
            {
                return match count {
                    1 => "1 card, hidden".to_owned(),
                    count => format!("{count} cards, hidden"),
                };
            }
            _ => {}
        }
        let held = cards.iter().map(|&(name, card)| (name, view.variable(card, owner)));
        let names = held.filter(|(_, count)| *count > 0).map(|(name, count)| match count {
            1 => name.to_owned(),
            count => format!("{count} {name}"),
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// The values of a variable: one, or one for each player.
    fn values(&self, game: &Game, variable: VariableId) -> String {
        let value = |player: PlayerId| match game.sees_variable(variable, player, self.viewer) {
            true => game.view(&self.known).variable(variable, player).to_string(),
            false => "hidden".to_owned(),
        };
        let seats = game.variable_seats().filter(|(one, _)| *one == variable);
        let seats: Vec<PlayerId> = seats.map(|(_, player)| player).collect();
        match &seats[..] {
            [only] => value(*only),
            seats => {
                let named = seats
                    .iter()
                    .map(|&player| format!("{} {}", game.player_name(player), value(player)));
                named.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// The players whose pile it is; one of them where it belongs to nobody.
fn owners(game: &Game, pile: &Pile) -> Vec<PlayerId> {
    let count = if pile.share == Share::PerPlayer { usize::MAX } else { 1 };
    game.players().take(count).collect()
}
