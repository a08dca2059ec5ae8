//! What a player proposes, and which events that means.

use senet::notation::Meant;
use senet::{Accepted, ApplyError, Event, Match, Position};

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

/// An event that is meant, and whether the rules have accepted it already.
#[derive(Clone, Copy, Debug)]
pub struct Meaning {
    /// The event.
    pub event: Event,
    accepted: Option<Accepted>,
}

impl From<Event> for Meaning {
    fn from(event: Event) -> Meaning {
        Meaning { event, accepted: None }
    }
}

impl From<Accepted> for Meaning {
    fn from(accepted: Accepted) -> Meaning {
        Meaning { event: accepted.event(), accepted: Some(accepted) }
    }
}

impl Meaning {
    /// Plays the event, which is judged only where that was not done.
    ///
    /// # Errors
    /// Where the rules refuse it.
    pub fn play(self, played: &mut Match) -> Result<(), ApplyError> {
        if self.accepted.and_then(|accepted| played.play(accepted)).is_some() {
            return Ok(());
        }
        played.apply(self.event).map(|_| ())
    }
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
    ) -> Result<Vec<Meaning>, Problem> {
        let text = match self {
            Proposal::Text(text) => text.trim(),
            Proposal::Tiles(from, to) => return Ok(vec![between(position, *from, *to)?.into()]),
        };
        if text == "roll" && position.awaits_chance() {
            return Ok(draw().into_iter().map(Meaning::from).collect());
        }
        let readings = position.readings(text);
        if let [event] = readings[..] {
            return checked(vec![event.into()]);
        }
        if let Ok(plain) = position.plain().parse_event(text) {
            return checked(vec![plain.into()]);
        }
        let accepted = readings.into_iter().filter_map(|event| position.accept(event));
        if let [accepted] = accepted.collect::<Vec<Accepted>>()[..] {
            return checked(vec![accepted.into()]);
        }
        if let Ok(Meant::Turn(turn)) = position.parse_turn(text)
            && turn.len() > 1
        {
            return checked(turn.into_iter().map(Meaning::from).collect());
        }
        match position.apply(text) {
            Ok(step) => checked(vec![step.event.into()]),
            Err(error) => Err(Problem::new(422, "invalid_event", error.to_string())),
        }
    }
}

/// Dice are rolled by the server alone.
fn checked(meant: Vec<Meaning>) -> Result<Vec<Meaning>, Problem> {
    match meant.iter().any(|one| matches!(one.event, Event::Roll(_))) {
        true => Err(Problem::forbidden(DICE)),
        false => Ok(meant),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of the start of a game after some events.
    fn after(game: &str, events: &[&str]) -> Match {
        let mut played = Match::at(senet::load(game).unwrap().start());
        for event in events {
            played.apply(event).unwrap();
        }
        played
    }

    fn meant(played: &Match, text: &str) -> Result<Vec<Meaning>, Problem> {
        Proposal::Text(text.to_owned()).events(&played.position(), || None)
    }

    #[test]
    fn the_events_of_a_turn_are_judged_once() {
        let mut played = after("backgammon", &["31"]);
        let mut judged = played.clone();
        let turn = meant(&played, "8/5 6/5").unwrap();
        assert_eq!(turn.len(), 2);
        for one in turn {
            assert!(one.accepted.is_some());
            one.play(&mut played).unwrap();
            judged.apply(one.event).unwrap();
        }
        assert_eq!(played.position().hash128(), judged.position().hash128());
    }

    #[test]
    fn what_another_position_accepted_is_judged_again() {
        let turn = meant(&after("backgammon", &["31"]), "8/5 6/5").unwrap();
        let mut other = after("backgammon", &["42"]);
        let before = other.position().hash128();
        assert!(turn[0].play(&mut other).is_err());
        assert_eq!(other.position().hash128(), before);
    }

    #[test]
    fn rules_that_look_back_judge_what_was_accepted_again() {
        let mut played = after("go", &[]);
        let accepted = played.position().accept(played.position().legal()[0]).unwrap();
        Meaning::from(accepted).play(&mut played).unwrap();
        assert_eq!(played.ply(), 1);
    }

    #[test]
    fn a_text_that_only_one_piece_can_mean_is_that_piece() {
        // Of the two knights that could go to e2, one is pinned before its king.
        let mut played = after("chess", &["e4", "e5", "Nc3", "Bb4", "d3", "a6"]);
        let only = meant(&played, "Ne2").unwrap();
        assert_eq!((only.len(), only[0].accepted.is_some()), (1, true));
        only[0].play(&mut played).unwrap();
        assert_eq!(played.position().plain().format(only[0].event), "g1/e2");
    }

    #[test]
    fn dice_are_not_chosen_by_a_text() {
        let problem = meant(&after("backgammon", &[]), "31").unwrap_err();
        assert_eq!(problem.status, 403, "{}", problem.detail);
    }
}
