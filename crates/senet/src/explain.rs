//! Why an event is accepted or refused, with the position it was asked in.

use std::fmt;
use std::ops::Deref;

use senet_core::notation::EventError;
use senet_core::{Event, TileId};

use crate::apply::Proposal;
use crate::position::Position;

/// Why an event is accepted or refused: the phase, what each rule said, the path that was tried
/// and what blocked it. As text it says all that in lines; its parts are the fields of
/// [`senet_core::Explanation`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    position: Position,
    told: senet_core::Explanation,
}

impl Explanation {
    /// Whether a rule accepts the event.
    pub fn is_accepted(&self) -> bool {
        self.told.accepted_by.is_some()
    }

    /// The position in which it was asked.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl Deref for Explanation {
    type Target = senet_core::Explanation;

    fn deref(&self) -> &senet_core::Explanation {
        &self.told
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let event = self.position.format(self.told.event);
        f.write_str(&self.position.game().rules().explanation_text(&self.told, &event))
    }
}

impl Position {
    /// Explains why an event, or the text of one, is accepted or refused. Only a text that is not
    /// written as a move is an error; [`Position::readings`] gives all that a text may mean.
    pub fn explain(&self, proposal: impl Proposal) -> Result<Explanation, EventError> {
        Ok(self.explain_event(proposal.event(self)?))
    }

    /// Explains why an event is accepted or refused.
    pub fn explain_event(&self, event: Event) -> Explanation {
        let mut told = self.rules().explain(self.state(), event);
        let landing = self.landing(event);
        if let Some(last) = told.path.iter().position(|tile| Some(*tile) == landing) {
            told.path.truncate(last + 1);
        }
        // A leap touches nothing between its ends, though its pattern counts steps.
        if told.derived.is_empty() && !self.is_straight(&told.path) {
            told.path.drain(1..told.path.len() - 1);
        }
        Explanation { position: self.clone(), told }
    }

    /// Whether tiles lie one after the other in one direction.
    fn is_straight(&self, tiles: &[TileId]) -> bool {
        let topology = self.game().rules().topology();
        let steps = |pair: &[TileId]| {
            let links = topology.leaving(pair[0]).map(|relation| topology.relation(relation));
            let there = links.filter(|link| link.to == pair[1]);
            there.map(|link| link.direction).collect::<Vec<_>>()
        };
        let mut pairs = tiles.windows(2).map(steps);
        let Some(mut ahead) = pairs.next() else { return true };
        pairs.for_each(|directions| ahead.retain(|one| directions.contains(one)));
        !ahead.is_empty()
    }

    /// The tile on which a player sees an event end: the one that its text names after the tile
    /// that the piece leaves. When a king castles, that is where he goes, although the rules speak
    /// of the rook.
    pub fn landing(&self, event: Event) -> Option<TileId> {
        let game = self.game();
        let (from, to) = match event {
            Event::Move { from, to, .. } | Event::Advance { from, to, .. } => {
                (Some(from), Some(to))
            }
            Event::Put { to, .. } | Event::Pick { to, .. } => (None, Some(to)),
            Event::Roll(_) | Event::Act(_) => (None, None),
        };
        if !game.knows(event) {
            return None;
        }
        let Some(from) = from else { return to };
        let text = self.format(event);
        let named = text.strip_prefix(game.tile_name(from)).and_then(|rest| {
            let fits = |tile: &TileId| rest.starts_with(game.tile_name(*tile));
            game.tiles().filter(fits).max_by_key(|tile| game.tile_name(*tile).len())
        });
        named.or(to)
    }
}
