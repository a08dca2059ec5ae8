//! What is asked before it is done: whether a game is drawn, a move taken back, a game given up.

use senet::{Event, Game, Position};

/// Whether an act needs the consent of the other side.
pub(super) fn is_agreement(game: &Game, event: Event) -> bool {
    matches!(event, Event::Act(action) if is_agreement_word(game.action_name(action)))
}

/// Whether this is the name of an act that needs the consent of the other side.
pub(super) fn is_agreement_word(name: &str) -> bool {
    name.starts_with("agree")
}

/// The act by which the player to move agrees to a draw, where there is one.
pub(super) fn agreement(position: &Position) -> Option<Event> {
    let game = position.game();
    let mut acts = game.actions().map(Event::Act);
    acts.find(|act| is_agreement(game, *act) && position.accepts(*act))
}

/// Whether an act ends the game at once with nothing won by who does it, so that a slip of the
/// keys would be a pity.
pub(super) fn is_surrender(position: &Position, event: Event) -> bool {
    let mover = position.player();
    let after = position.apply(event).ok().filter(|_| matches!(event, Event::Act(_)));
    let outcome = after.and_then(|step| step.position.outcome());
    outcome.is_some_and(|outcome| outcome.winner.is_some_and(|winner| winner != mover))
}

/// What a player types to say yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consent {
    Yes,
    No,
}

impl Consent {
    pub(super) fn read(text: &str) -> Option<Consent> {
        match text.trim().to_ascii_lowercase().as_str() {
            "yes" | "y" | "accept" => Some(Consent::Yes),
            "no" | "n" | "decline" => Some(Consent::No),
            _ => None,
        }
    }
}

/// What is done on a yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Play(Event),
    TakeBack,
}

/// What waits for a yes or no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// What is done on a yes.
    pub(super) asked: Asked,
    /// What is asked.
    pub(super) text: String,
    /// What is said on a no.
    pub(super) declined: String,
}

impl Question {
    /// Whether a player who wants to do this is sure.
    pub(super) fn sure(text: &str, event: Event) -> Question {
        let text = format!("{}: are you sure? Type yes or no.", text.trim());
        Question { asked: Asked::Play(event), text, declined: "The game goes on.".to_owned() }
    }

    /// Whether the other side agrees to a draw that a player offers.
    pub(super) fn draw(player: &str, event: Event) -> Question {
        let text = format!("{player} offers a draw: the other side types yes or no.");
        let declined = "The draw is declined.".to_owned();
        Question { asked: Asked::Play(event), text, declined }
    }

    /// Whether a person agrees to the draw that an opponent offers.
    pub(super) fn offered(opponent: &str, event: Event) -> Question {
        let text = format!("{opponent} offers a draw: type yes to agree, or play on.");
        let declined = "You decline the draw.".to_owned();
        Question { asked: Asked::Play(event), text, declined }
    }

    /// Whether a player agrees that the last move is taken back.
    pub(super) fn takeback(player: &str) -> Question {
        let text = format!("{player}, may the last move be taken back? Type yes or no.");
        let declined = "The takeback is declined.".to_owned();
        Question { asked: Asked::TakeBack, text, declined }
    }
}
