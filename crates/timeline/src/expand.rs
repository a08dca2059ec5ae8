//! The moves of a position that a timeline keeps.

use std::sync::Arc;

use senet_core::{Accepted, Game, State, Walker};

use crate::batch::Batch;
use crate::error::Error;
use crate::family::{Family, Known, Move};
use crate::timeline::Timeline;

/// Where in the tree a position is.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    pub(crate) state: &'a State,
    pub(crate) root: usize,
    pub(crate) code: &'a str,
    /// How many moves deep the rows of its moves are.
    pub(crate) ply: u32,
    pub(crate) reach: f64,
    /// The positions before it, by their hashes; none where the game does not ask for them.
    pub(crate) past: &'a [u64],
}

impl Place<'_> {
    /// What comes before the positions after this one.
    pub(crate) fn past_below(&self, game: &Game) -> Vec<u64> {
        if !game.looks_back() {
            return Vec::new();
        }
        self.past.iter().copied().chain([self.state.hash()]).collect()
    }
}

/// Lists the moves of positions, leaving out those that are pruned.
pub(crate) struct Expander {
    timeline: Arc<Timeline>,
    legal: Vec<Accepted>,
    after: Vec<State>,
    /// What the predicate asks about.
    asked: Option<Batch>,
}

impl Expander {
    pub(crate) fn new(timeline: &Arc<Timeline>) -> Expander {
        let asked = timeline.prune.as_ref();
        Expander {
            timeline: timeline.clone(),
            legal: Vec::new(),
            after: Vec::new(),
            asked: asked.map(|predicate| Batch::new(&timeline.subject, predicate.columns())),
        }
    }

    /// The moves of a position, each with its number among all.
    pub(crate) fn moves(
        &mut self,
        walker: &mut Walker<'_>,
        place: Place<'_>,
        into: &mut Vec<Move>,
    ) -> Result<(), Error> {
        walker.remember(place.past);
        walker.legal(place.state, &mut self.legal);
        into.clear();
        let moves = self.legal.iter().enumerate();
        into.extend(moves.map(|(index, &accepted)| Move { index: index as u32, accepted }));
        let (Some(asked), Some(predicate)) = (&mut self.asked, &self.timeline.prune) else {
            return Ok(());
        };
        self.after.clear();
        if asked.needs_after() {
            self.after.extend(into.iter().map(|one| walker.play(place.state, one.accepted)));
        }
        asked.push(&family(&self.timeline, place, into, &self.after, 1));
        let pruned = predicate.holds(&asked.finish()?);
        let mut pruned = pruned.into_iter();
        into.retain(|_| !pruned.next().unwrap_or(false));
        Ok(())
    }
}

/// Some moves of a position as a family.
pub(crate) fn family<'a>(
    timeline: &'a Timeline,
    place: Place<'a>,
    moves: &'a [Move],
    after: &'a [State],
    paths: i64,
) -> Family<'a> {
    Family {
        subject: &timeline.subject,
        before: place.state,
        past: place.past_below(&timeline.subject.game),
        moves,
        after,
        ply: place.ply,
        root: (place.root, &timeline.roots[place.root]),
        code: place.code,
        reach: place.reach,
        paths,
        known: Known::default(),
    }
}
