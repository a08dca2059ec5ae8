//! Piles of cards, as a board wants them.

use senet::define::{Pile, Share};
use senet::{PlayerId, Position};
use serde::Serialize;

/// A pile with cards in it.
#[derive(Serialize)]
pub(super) struct Shown {
    pile: String,
    owner: Option<usize>,
    count: i64,
    /// The names of the cards; none where the viewer does not see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<Vec<String>>,
}

/// The piles with cards in them; `hidden` are the variables that the viewer does not see, as an
/// observation names them.
pub(super) fn shown(position: &Position, hidden: &[String]) -> Vec<Shown> {
    let game = position.game();
    let mut piles = Vec::new();
    for pile in game.rules().piles() {
        let each = pile.share == Share::PerPlayer;
        for player in game.players().take(if each { usize::MAX } else { 1 }) {
            let count = number(position, &pile.name, player);
            if count > 0 {
                let owner = each.then(|| player.index());
                let cards = cards(position, pile, player, hidden);
                piles.push(Shown { pile: pile.name.clone(), owner, count, cards });
            }
        }
    }
    piles
}

/// The names of the cards in a pile of a player, where all of them are seen.
fn cards(
    position: &Position,
    pile: &Pile,
    player: PlayerId,
    hidden: &[String],
) -> Option<Vec<String>> {
    let owner = position.game().player_name(player);
    let mut names = Vec::new();
    for card in &pile.cards {
        let variable = pile.variable(&card.name);
        let of_owner = format!("{variable}:{owner}");
        if hidden.iter().any(|name| *name == variable || *name == of_owner) {
            return None;
        }
        let held = number(position, &variable, player).max(0) as usize;
        names.extend(std::iter::repeat_n(card.name.clone(), held));
    }
    Some(names)
}

fn number(position: &Position, variable: &str, player: PlayerId) -> i64 {
    let variable = position.game().variable(variable);
    variable.map_or(0, |variable| position.view().variable(variable, player))
}

/// Whether a variable, as an observation names it, says only what lies in a pile.
pub(super) fn counts(position: &Position, variable: &str) -> bool {
    let name = variable.split(':').next().unwrap_or_default();
    let of = |pile: &Pile| {
        name == pile.name || pile.cards.iter().any(|card| name == pile.variable(&card.name))
    };
    position.game().rules().piles().iter().any(of)
}
