//! Whole plays in a state: which events the words of a play mean, or which rule refuses them.

use senet_core::notation::Refusal;
use senet_core::{Accepted, Event, Reason, State, Walker};

use crate::lexicon::Lexicon;
use crate::play::{self, Hop, OFF, Trip};
use crate::position::Side;

/// The most plays that are suggested instead of a refused one.
const NAMED: usize = 4;

/// The steps that a play means, or why it is refused.
pub(crate) fn resolve(
    lexicon: &Lexicon<'_>,
    state: &State,
    trips: &[Trip],
) -> Result<Vec<Accepted>, Refusal> {
    let once = |trip: &Trip| {
        let (stops, end) = (trip.stops.clone(), trip.stops.last().map_or(OFF, |stop| stop.0));
        Journey { whole: (trip.from, end), at: trip.from, stops }
    };
    let journeys = trips.iter().flat_map(|trip| {
        std::iter::repeat_n(once(trip), usize::from(trip.times)).collect::<Vec<_>>()
    });
    let (side, journeys) = (lexicon.mover(state), journeys.collect::<Vec<_>>());
    let faces = lexicon.faces(state);
    let walker = lexicon.game.walker();
    let mut search = Search { lexicon, walker, side, faces, found: Vec::new(), refused: None };
    search.follow(state, journeys, &mut Vec::new());
    let Search { mut found, refused, .. } = search;
    // Of several ways, those that hit just where it is marked.
    if found.iter().any(|way| way.marked) {
        found.retain(|way| way.marked);
    }
    let instead = || instead(lexicon, state);
    let Some(first) = found.first() else {
        let reason = refused.map_or_else(|| "no dice are to be played".to_owned(), |(_, why)| why);
        return Err(Refusal { reason, instead: instead() });
    };
    if found.iter().any(|way| way.state.hash128() != first.state.hash128()) {
        let reason = "it may mean several plays that end otherwise".to_owned();
        return Err(Refusal { reason, instead: instead() });
    }
    Ok(found.swap_remove(0).turn)
}

/// Some of the plays that are legal, and a sign where there are more.
fn instead(lexicon: &Lexicon<'_>, state: &State) -> Vec<String> {
    // A turn uses at most four dice, so that all turns can be kept.
    let turns = lexicon.game.turns(state).unwrap_or_default();
    let shown = turns.iter().filter(|turn| !turn.events.is_empty()).take(NAMED);
    let written = shown.map(|turn| format(lexicon, state, &turn.events));
    let more = (turns.len() > NAMED).then(|| "…".to_owned());
    written.chain(more).collect()
}

/// Writes the steps of a play.
pub(crate) fn format(lexicon: &Lexicon<'_>, state: &State, events: &[Event]) -> String {
    play::format(&hops(lexicon, state, events))
}

/// The steps that events are, one after another.
pub(crate) fn hops(lexicon: &Lexicon<'_>, state: &State, events: &[Event]) -> Vec<Hop> {
    let mut walker = lexicon.game.walker();
    let mut state = state.clone();
    let mut hops = Vec::new();
    for &event in events {
        hops.extend(lexicon.hop(&state, event));
        let Some(accepted) = walker.accept(&state, event) else { break };
        state = walker.play(&state, accepted);
    }
    hops
}

/// A checker under way, and the points that are named for it.
#[derive(Clone, PartialEq, Eq)]
struct Journey {
    /// Where it begins and ends.
    whole: (u8, u8),
    at: u8,
    stops: Vec<(u8, bool)>,
}

/// A way to play all that was named.
struct Way {
    turn: Vec<Accepted>,
    state: State,
    /// Whether it hits just where that is marked.
    marked: bool,
}

struct Search<'l> {
    lexicon: &'l Lexicon<'l>,
    walker: Walker<'l>,
    side: Side,
    /// What the dice show before the first step.
    faces: Vec<u8>,
    found: Vec<Way>,
    /// How far the furthest way came that went wrong, and why it did. A rule says more than dice
    /// that do not fit.
    refused: Option<((bool, usize), String)>,
}

impl Search<'_> {
    /// Follows every way to play what is left of some journeys, after events each with whether it
    /// hits just where that is marked.
    fn follow(&mut self, state: &State, journeys: Vec<Journey>, turn: &mut Vec<(Accepted, bool)>) {
        let (lexicon, game, side) = (self.lexicon, self.lexicon.game, self.side);
        let goes_on = lexicon.mover(state) == self.side
            && !lexicon.faces(state).is_empty()
            && game.due(state).is_none();
        if journeys.is_empty() {
            if goes_on {
                return self.refuse((true, turn.len()), || more_dice(lexicon, state, turn.len()));
            }
            let marked = turn.iter().all(|(_, marked)| *marked);
            let turn = turn.iter().map(|(accepted, _)| *accepted).collect();
            return self.found.push(Way { turn, state: state.clone(), marked });
        }
        if !goes_on {
            let why = if turn.is_empty() { "no die can be played" } else { "no die is left" };
            let why = if lexicon.faces(state).is_empty() && turn.is_empty() {
                "no dice are to be played"
            } else {
                why
            };
            return self.refuse((true, turn.len()), || why.to_owned());
        }
        for (index, journey) in journeys.iter().enumerate() {
            if journeys[..index].contains(journey) {
                continue;
            }
            let mut faces = lexicon.faces(state);
            faces.dedup();
            let ways: Vec<(u8, u8)> = faces.iter().filter_map(|&pips| journey.step(pips)).collect();
            if ways.is_empty() {
                let why = self.no_way(journey);
                self.refuse((false, turn.len()), || why);
            }
            for (to, pips) in ways {
                let event = lexicon.advance(self.side, (journey.at, to), pips);
                let Some(hop) = lexicon.hop(state, event) else { continue };
                match self.walker.accept(state, event) {
                    None => {
                        let reasons = game.explain(state, event).reasons;
                        self.refuse((true, turn.len()), || why(lexicon, side, &reasons, hop));
                    }
                    Some(accepted) => {
                        let mut rest = journeys.clone();
                        let marked = rest[index].advance(hop);
                        if rest[index].stops.is_empty() {
                            rest.remove(index);
                        }
                        let after = self.walker.play(state, accepted);
                        turn.push((accepted, marked));
                        self.follow(&after, rest, turn);
                        turn.pop();
                    }
                }
            }
        }
    }

    /// That no dice take a checker where it is said to go.
    fn no_way(&self, journey: &Journey) -> String {
        let (from, to) = journey.whole;
        let shown: Vec<String> = self.faces.iter().map(u8::to_string).collect();
        let (from, to) = (play::name(from), play::name(to));
        format!("no dice take a checker from {from} to {to}, they show {}", shown.join(" and "))
    }

    /// Remembers why the furthest way went wrong.
    fn refuse(&mut self, depth: (bool, usize), why: impl FnOnce() -> String) {
        if self.refused.as_ref().is_none_or(|(furthest, _)| depth > *furthest) {
            self.refused = Some((depth, why()));
        }
    }
}

impl Journey {
    /// Where a die leads, if that is not beyond the next point named.
    fn step(&self, pips: u8) -> Option<(u8, u8)> {
        let to = self.at.saturating_sub(pips);
        let &(stop, _) = self.stops.first()?;
        (to >= stop).then_some((to, pips))
    }

    /// Goes a step; whether it hits just where that is marked.
    fn advance(&mut self, hop: Hop) -> bool {
        self.at = hop.to;
        match self.stops.first() {
            Some(&(stop, mark)) if stop == hop.to => {
                self.stops.remove(0);
                mark == hop.hit
            }
            _ => !hop.hit,
        }
    }
}

/// The rule that a play breaks which leaves dice that can be played.
fn more_dice(lexicon: &Lexicon<'_>, state: &State, played: usize) -> String {
    let turns = lexicon.game.turns(state).unwrap_or_default();
    let longest = turns.iter().map(|turn| turn.events.len()).max();
    dice_can_be_played(played + longest.unwrap_or(0))
}

fn dice_can_be_played(count: usize) -> String {
    match count {
        1 => "a die can be played".to_owned(),
        2 => "both dice can be played".to_owned(),
        more => format!("{more} dice can be played"),
    }
}

/// Why a step is refused, as its player counts the points. Of several reasons that which comes
/// last in the order of the rules: what the rest of the turn asks, then what a rule asks.
pub(crate) fn why(lexicon: &Lexicon<'_>, side: Side, reasons: &[Reason], hop: Hop) -> String {
    let rank = |reason: &&Reason| match reason {
        Reason::Unused { .. } => 0,
        Reason::NoPiece(..) => 1,
        Reason::Condition(..) => 2,
        Reason::Onto(_) if hop.to != OFF => 3,
        _ => 4,
    };
    let number = |point: u8| play::name(point);
    match reasons.iter().min_by_key(rank) {
        Some(Reason::Unused { can, would }) if can.0 > would.0 => {
            dice_can_be_played(usize::from(can.0))
        }
        Some(Reason::Unused { can, .. }) => format!("the {} must be played if one die is", can.1),
        Some(Reason::NoPiece(..)) => {
            format!("{} has no checker on {}", side.name(), number(hop.from))
        }
        Some(Reason::Onto(_)) => format!("{} is held by {}", number(hop.to), side.other().name()),
        Some(&reason) => lexicon.game.reason_text(reason),
        None => "no rule allows it".to_owned(),
    }
}
