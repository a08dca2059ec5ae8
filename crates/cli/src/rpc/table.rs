//! Matches that the service keeps, each by its number.

use std::collections::BTreeMap;

use senet::{Match, Played, Step};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::Service;
use super::method::written;
use super::request::Params;
use crate::answer::{Applied, Position};
use crate::context::Context;
use crate::export::Form;
use crate::failure::Failure;

/// No more matches than this are open at a time.
const OPEN: usize = 1_000;

/// The matches that are open.
#[derive(Default)]
pub(super) struct Matches {
    open: BTreeMap<u64, Match>,
    last: u64,
}

type Answer = Result<Box<RawValue>, Failure>;

impl Matches {
    /// Keeps a match under a number of its own.
    fn add(&mut self, played: Match) -> Result<u64, Failure> {
        if self.open.len() >= OPEN {
            let message = format!("{OPEN} matches are open: close one with match.close first");
            return Err(Failure::params(message));
        }
        self.last += 1;
        self.open.insert(self.last, played);
        Ok(self.last)
    }

    /// The match that a request is about, and its number.
    fn find(&mut self, params: &Params<'_>) -> Result<(u64, &mut Match), Failure> {
        let number = params.wide("match")?;
        let number = number.ok_or_else(|| {
            Failure::params("match: the number of a match is missing; match.create gives one")
        })?;
        let played = self.open.get_mut(&number).ok_or_else(|| {
            Failure::params(format!("match: no open match has the number {number}"))
        })?;
        Ok((number, played))
    }
}

/// Where a match is.
fn shown(number: u64, played: &Match) -> Answer {
    let context = Context { position: played.position() };
    let mut answer = json!({ "match": number, "game": played.game().name() });
    let position = serde_json::to_value(Position::new(&context)).map_err(std::io::Error::from)?;
    if let (Value::Object(answer), Value::Object(position)) = (&mut answer, position) {
        answer.extend(position);
        answer.insert("ply".to_owned(), played.ply().into());
        answer.insert("plies".to_owned(), played.len().into());
    }
    written(&answer)
}

pub(super) fn create(service: &mut Service, params: &Params<'_>) -> Answer {
    let played = Match::at(params.context(service)?.position);
    let number = service.matches.add(played.branch())?;
    shown(number, &played)
}

pub(super) fn load(service: &mut Service, params: &Params<'_>) -> Answer {
    let saved = params.needed("saved")?;
    let name = match params.text("game")? {
        Some(name) => name,
        None => Match::saved_game(saved.as_bytes()).ok_or_else(|| {
            Failure::params("saved: not a saved match; match.save gives one as json")
        })?,
    };
    let played = Match::load(service.shelf.find(&name)?, saved.as_bytes())?;
    let number = service.matches.add(played.branch())?;
    shown(number, &played)
}

pub(super) fn show(service: &mut Service, params: &Params<'_>) -> Answer {
    let (number, played) = service.matches.find(params)?;
    shown(number, played)
}

pub(super) fn apply(service: &mut Service, params: &Params<'_>) -> Answer {
    let (_, played) = service.matches.find(params)?;
    let context = Context { position: played.position() };
    let text = params.needed("event")?;
    let steps = match played.apply(text.as_str()) {
        Ok(Played { event, rule }) => vec![Step { event, rule, position: played.position() }],
        Err(_) => played.apply_turn(&context.parse_turn(&text)?)?,
    };
    written(&Applied::new(&context, &steps))
}

pub(super) fn undo(service: &mut Service, params: &Params<'_>) -> Answer {
    let (number, played) = service.matches.find(params)?;
    if !played.undo() {
        return Err(Failure::params("there is no move to take back"));
    }
    shown(number, played)
}

pub(super) fn redo(service: &mut Service, params: &Params<'_>) -> Answer {
    let (number, played) = service.matches.find(params)?;
    if !played.redo() {
        return Err(Failure::params("no move was taken back"));
    }
    shown(number, played)
}

pub(super) fn save(service: &mut Service, params: &Params<'_>) -> Answer {
    let (number, played) = service.matches.find(params)?;
    let form = params.text("form")?.unwrap_or_else(|| "json".to_owned());
    let as_text = Form::of_name(&form, played.game()).filter(|form| form.is_text());
    let Some(as_form) = as_text else {
        let known = Form::text_names(played.game()).join(" or ");
        let message = format!(
            "form: {} is not saved as `{}`; use {known}",
            played.game().name(),
            senet::excerpt(&form)
        );
        return Err(Failure::params(message));
    };
    let game = played.game();
    let names: Vec<String> =
        game.players().map(|player| game.player_name(player).to_owned()).collect();
    let saved = String::from_utf8_lossy(&as_form.write(played, &names)).into_owned();
    written(&json!({ "match": number, "form": form, "saved": saved }))
}

pub(super) fn close(service: &mut Service, params: &Params<'_>) -> Answer {
    let (number, _) = service.matches.find(params)?;
    service.matches.open.remove(&number);
    written(&json!({ "closed": number }))
}
