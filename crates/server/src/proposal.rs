//! What a player proposes, and which events that means.

use senet::{Event, Position};

use crate::problem::Problem;
use crate::told;

const DICE: &str = "dice are rolled by the server: send `roll`";

/// What a player proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// A text in the notation of the game; `roll` where dice are awaited.
    Text(String),
    /// From tile to tile.
    Tiles(usize, usize),
}

impl Proposal {
    /// The events that are meant, legal or not; `draw` gives what chance has for a roll.
    ///
    /// # Errors
    /// Where the text is no move here, or no move between the tiles is legal, with the explanation.
    pub fn events(
        &self,
        position: &Position,
        draw: impl FnOnce() -> Option<Event>,
    ) -> Result<Vec<Event>, Problem> {
        let text = match self {
            Proposal::Text(text) => text.trim(),
            Proposal::Tiles(from, to) => {
                return between(position, *from, *to).map(|event| vec![event]);
            }
        };
        if text == "roll" && position.awaits_chance() {
            return Ok(draw().into_iter().collect());
        }
        if let [event] = position.readings(text)[..] {
            return checked(event).map(|event| vec![event]);
        }
        if let Ok(plain) = position.plain().parse_event(text) {
            return checked(plain).map(|event| vec![event]);
        }
        match position.apply(text) {
            Ok(step) => checked(step.event).map(|event| vec![event]),
            Err(error) => match position.parse_turn(text) {
                Ok(turn) if turn.events().iter().any(is_roll) => Err(Problem::forbidden(DICE)),
                Ok(turn) if turn.events().len() > 1 => Ok(turn.events()),
                _ => Err(Problem::new(422, "invalid_event", error.to_string())),
            },
        }
    }
}

fn is_roll(event: &Event) -> bool {
    matches!(event, Event::Roll(_))
}

/// Dice are rolled by the server alone.
fn checked(event: Event) -> Result<Event, Problem> {
    if is_roll(&event) { Err(Problem::forbidden(DICE)) } else { Ok(event) }
}

/// The event from a tile to a tile, or why there is none.
///
/// # Errors
/// Where no such event is legal, with the explanation; where several are, with all of them.
pub fn between(position: &Position, from: usize, to: usize) -> Result<Event, Problem> {
    let game = position.game();
    let tile = |index: usize| {
        let tile = game.tiles().nth(index);
        tile.ok_or_else(|| Problem::invalid(format!("the board has no tile {index}")))
    };
    let (from, to) = (tile(from)?, tile(to)?);
    let leaves = |event: Event| match event {
        Event::Move { from, .. } | Event::Advance { from, .. } => Some(from),
        _ => None,
    };
    let fits = |event: &Event| leaves(*event) == Some(from) && position.landing(*event) == Some(to);
    let legal: Vec<Event> = position.legal().into_iter().filter(fits).collect();
    match legal[..] {
        [event] => return Ok(event),
        [_, _, ..] => {
            let choices: Vec<String> = legal.iter().map(|one| position.format(*one)).collect();
            return Err(Problem::new(422, "ambiguous", "say which of these moves you mean")
                .with("choices", choices));
        }
        [] => {}
    }
    let view = position.view();
    let dice: Vec<u8> = game.dice().filter_map(|die| view.die(die)).collect();
    let mut tried: Vec<Event> =
        dice.iter().map(|pips| Event::Advance { from, to, pips: *pips }).collect();
    tried.push(Event::Move { from, to, choice: None });
    // The attempt that comes nearest is the one to explain.
    let far = |event: &Event| {
        let told = position.explain_event(*event);
        let code = told.reasons.first().map_or("", |reason| reason.code());
        matches!(code, "unwanted" | "no_path" | "foreign")
    };
    let nearest = tried.iter().find(|event| !far(event)).unwrap_or(&tried[tried.len() - 1]);
    Err(told::refusal(position, *nearest))
}
