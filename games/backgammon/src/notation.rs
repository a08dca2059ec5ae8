//! How backgammon is written: a position is an XGID, a `gnubg` ID or an object of JSON, a play is
//! `8/5 6/5`, and dice are two digits.

use senet_core::notation::{EventError, Meant, PositionError, TurnError, nearest};
use senet_core::{Event, Game, Notation, PlayerId, Reason, State, TileId, Turn, text};

use crate::lexicon::Lexicon;
use crate::play::{self, Hop, OFF};
use crate::position::Position;
use crate::{drawing, gnubg, object, turn, xgid};

/// The notation of backgammon and its variants.
pub static NOTATION: Backgammon = Backgammon;

/// The notation of backgammon and its variants. How many checkers there are comes from the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backgammon;

/// Other words for acts.
const ALIASES: [(&str, &str); 6] = [
    ("redouble", "double"),
    ("resign", "resign-single"),
    ("resign gammon", "resign-gammon"),
    ("resign backgammon", "resign-backgammon"),
    ("decline", "refuse"),
    ("reject", "refuse"),
];

impl Backgammon {
    /// The position that a state is.
    pub fn position(&self, game: &Game, state: &State) -> Position {
        Lexicon::new(game).position(state)
    }

    /// The state that a position is, or why it is none of this game.
    pub fn state(&self, game: &Game, position: &Position) -> Result<State, PositionError> {
        Lexicon::new(game).state(position)
    }

    /// What a player calls a tile: points are numbered from the player's own side, as in plays.
    pub fn label(&self, game: &Game, player: PlayerId, tile: TileId) -> String {
        let lexicon = Lexicon::new(game);
        let label = lexicon.label(lexicon.side(player), tile);
        label.unwrap_or_else(|| game.tile_name(tile).to_owned())
    }

    /// Why the player to move may not make a step, in the words of the game; none where the event
    /// is no step.
    pub fn reason(
        &self,
        game: &Game,
        state: &State,
        event: Event,
        reasons: &[Reason],
    ) -> Option<String> {
        let lexicon = Lexicon::new(game);
        let hop = lexicon.hop(state, event)?;
        let why = turn::why(&lexicon, lexicon.mover(state), reasons, hop);
        Some(why)
    }
}

const FORMS: [&str; 4] = ["xgid", "gnubgid", "json", "plain"];

impl Notation for Backgammon {
    fn format_position(&self, game: &Game, state: &State) -> String {
        xgid::format(&Lexicon::new(game).position(state))
    }

    fn parse_position(&self, game: &Game, text: &str) -> Result<State, PositionError> {
        let lexicon = Lexicon::new(game);
        let trimmed = text.trim();
        let first = trimmed.split_whitespace().next().unwrap_or("");
        if game.player(first).is_some() {
            return text::parse_position(game, text);
        }
        let parse = match () {
            () if trimmed.starts_with('{') => object::parse,
            () if xgid::is_meant(trimmed) => xgid::parse,
            () => gnubg::parse,
        };
        parse(text, lexicon.checkers).and_then(|position| lexicon.state(&position))
    }

    fn format_event(&self, game: &Game, state: &State, event: Event) -> String {
        let lexicon = Lexicon::new(game);
        match (event, lexicon.hop(state, event)) {
            (Event::Advance { pips, .. }, Some(hop)) => {
                let written = play::format(&[Hop { hit: false, ..hop }]);
                // Only bearing off may take more pips than the way is long.
                let whole = hop.from.checked_sub(hop.to) == Some(pips);
                if whole { written } else { format!("{written}:{pips}") }
            }
            _ => text::format_event(game, event),
        }
    }

    fn parse_event(&self, game: &Game, state: &State, text: &str) -> Result<Event, EventError> {
        let word = text.trim();
        let lower = word.to_ascii_lowercase();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == lower);
        if let Some(action) = game.action(alias.map_or(&lower, |(_, name)| name)) {
            return Ok(Event::Act(action));
        }
        let plain = text::parse_event(game, state, &dice(word));
        if let (Ok(roll @ Event::Roll(_)), true) = (&plain, game.awaits_chance(state)) {
            return Ok(*roll);
        }
        if let Some(event) = parse_step(&Lexicon::new(game), state, word) {
            return Ok(event);
        }
        if let Ok(event) = plain {
            return Ok(event);
        }
        let acts = game.actions().map(|action| game.action_name(action));
        Err(EventError::new(0, word, ALLOWED, nearest(word, acts)))
    }

    fn notate(&self, game: &Game, state: &State, event: Event) -> String {
        let lexicon = Lexicon::new(game);
        match (event, lexicon.hop(state, event)) {
            (Event::Advance { pips, .. }, Some(hop)) => {
                let written = play::format(&[hop]);
                // Where another die would do as well, the one that is used is named.
                let plain = parse_step(&lexicon, state, &written) == Some(event);
                if plain { written } else { format!("{written}:{pips}") }
            }
            (Event::Roll(outcome), _) => {
                game.faces(outcome).iter().map(|(_, face)| face.to_string()).collect()
            }
            _ => text::format_event(game, event),
        }
    }

    fn notate_turn(&self, game: &Game, state: &State, turn: &Turn) -> String {
        match turn.events[..] {
            [] => "no move".to_owned(),
            [Event::Advance { .. }, ..] => turn::format(&Lexicon::new(game), state, &turn.events),
            [first, ..] => self.notate(game, state, first),
        }
    }

    fn parse_turn(&self, game: &Game, state: &State, text: &str) -> Result<Meant, TurnError> {
        let lexicon = Lexicon::new(game);
        let event = || self.parse_event(game, state, text).map(Meant::Event);
        if lexicon.faces(state).is_empty() || game.action(text.trim()).is_some() {
            return event().map_err(TurnError::Text);
        }
        match play::read(without_dice(&lexicon, state, text)) {
            Ok(trips) => {
                let turn = turn::resolve(&lexicon, state, &trips);
                turn.map(Meant::Turn).map_err(TurnError::Refused)
            }
            Err(error) => event().map_err(|_| TurnError::Text(error)),
        }
    }

    fn forms(&self) -> &'static [&'static str] {
        &FORMS
    }

    fn format_as(&self, game: &Game, state: &State, form: &str) -> Option<String> {
        let position = || Lexicon::new(game).position(state);
        match form {
            "xgid" => Some(xgid::format(&position())),
            "gnubgid" => Some(gnubg::format(&position())),
            "json" => Some(object::format(&position())),
            "plain" => Some(text::format_position(game, state)),
            _ => None,
        }
    }

    fn format_board(&self, game: &Game, state: &State, player: PlayerId) -> Option<String> {
        let lexicon = Lexicon::new(game);
        Some(object::board(&lexicon.position(state), lexicon.side(player)).to_string())
    }

    fn facts(&self, game: &Game, state: &State) -> Vec<String> {
        drawing::facts(&Lexicon::new(game), state)
    }

    fn draw(&self, game: &Game, state: &State) -> String {
        drawing::draw(&Lexicon::new(game), state)
    }
}

const ALLOWED: &str = "a step such as 8/5, bar/22 or 6/off, dice such as 31, or an act by its name";

/// One step of one checker, with the die it uses where that is said. Where several dice would do,
/// the smallest that is legal; where none is, the one it would take, so that the game can say why
/// it is refused.
fn parse_step(lexicon: &Lexicon<'_>, state: &State, word: &str) -> Option<Event> {
    let (path, die) = match word.split_once(':') {
        Some((path, die)) => (path, Some(die.parse().ok()?)),
        None => (word, None),
    };
    let trips = play::read(path).ok()?;
    let [play::Trip { from, stops, times: 1 }] = &trips[..] else { return None };
    let &[(to, _)] = &stops[..] else { return None };
    let distance = from - to;
    let step = |pips: u8| lexicon.advance(lexicon.mover(state), (*from, to), pips);
    if let Some(pips) = die {
        return Some(step(pips));
    }
    let mut faces = lexicon.faces(state);
    faces.reverse();
    faces.retain(|&pips| pips == distance || to == OFF && pips > distance);
    faces.dedup();
    let mut walker = lexicon.game.walker();
    let legal = |pips: &&u8| walker.accept(state, step(**pips)).is_some();
    let shown = match &faces[..] {
        [] | [_] => faces.first(),
        [first, ..] => faces.iter().find(legal).or(Some(first)),
    };
    Some(step(shown.copied().unwrap_or(distance)))
}

/// Dice as the plain notation has them, where they are two digits.
fn dice(word: &str) -> String {
    match word.as_bytes() {
        [one @ b'1'..=b'6', two @ b'1'..=b'6'] => {
            format!("roll:{}-{}", char::from(*one), char::from(*two))
        }
        _ => word.to_owned(),
    }
}

/// The text of a play without the dice that may stand before it, as `31: 8/5 6/5`.
fn without_dice<'t>(lexicon: &Lexicon<'_>, state: &State, text: &'t str) -> &'t str {
    let Some((before, play)) = text.split_once(':') else { return text };
    let mut said: Vec<u8> = before.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    said.sort_unstable_by(|a, b| b.cmp(a));
    let mut faces = lexicon.faces(state);
    faces.truncate(2);
    if said == faces { play } else { text }
}
