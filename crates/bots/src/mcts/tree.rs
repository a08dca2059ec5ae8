//! One tree of playouts.

use senet_chance::{Source, finish};
use senet_core::{Accepted, Event, Game, Outcome, PlayerId, State, Walker};

use crate::bot::Moment;
use crate::evaluation::{Evaluation, WIN};
use crate::search::{Judge, Search};

/// What makes an event worth a try.
struct Temper {
    /// How much a rarely tried event is preferred.
    curiosity: f64,
    /// How much less than its parent an event promises that was never tried.
    doubt: f64,
}

/// Where a judge says what positions are worth, a little curiosity is enough; playouts at random
/// say less and need more. Both were found by duels.
const JUDGED: Temper = Temper { curiosity: 0.1, doubt: 0.02 };
const PLAYED: Temper = Temper { curiosity: 0.5, doubt: 0.1 };

/// A playout is judged by its looks after this many events.
const PLAYOUT: usize = 60;

/// No tree has more nodes than this; beyond it, playouts start from its leaves.
const NODES: usize = 400_000;

/// An event, and what came of it.
struct Node {
    accepted: Option<Accepted>,
    /// The state after it; none until it is first played.
    state: Option<State>,
    /// Who played it.
    by: usize,
    visits: u64,
    /// What it brought to the player who played it, added up.
    sum: f64,
    /// Its replies, one after another in the list of nodes.
    replies: Replies,
}

impl Node {
    fn event(&self) -> Option<Event> {
        self.accepted.map(Accepted::event)
    }
}

/// What may follow a node.
#[derive(Clone, Copy)]
enum Replies {
    /// Not listed yet.
    Unknown,
    /// Nothing: the game is over.
    None,
    /// A player chooses among these.
    Choice(usize, usize),
    /// Chance gives one of these.
    Chance(usize, usize),
}

/// A tree of playouts below a state.
pub(super) struct Tree<'g> {
    game: &'g Game,
    walker: Walker<'g>,
    evaluation: &'g Evaluation,
    judge: Option<Judge<'g>>,
    source: Source,
    nodes: Vec<Node>,
    /// For each player, who is on the player's side.
    sides: Vec<Vec<bool>>,
}

impl<'g> Tree<'g> {
    pub(super) fn new(search: &'g Search, moment: &Moment<'_>, source: Source) -> Tree<'g> {
        let Search { game, evaluation, .. } = search;
        let root = Node {
            accepted: None,
            state: Some(moment.state.clone()),
            by: 0,
            visits: 0,
            sum: 0.0,
            replies: Replies::Unknown,
        };
        let count = game.players().count();
        let bits = game.players().map(|player| crate::search::friends_of(game, player));
        let side = |bits: u64| (0..count).map(|index| bits >> index & 1 == 1).collect();
        let sides = bits.map(side).collect();
        let past = moment.asked(game);
        let judge = search.judge(moment.state);
        let (walker, nodes) = (game.after(&past).walker(), vec![root]);
        Tree { game, walker, evaluation, judge, source, nodes, sides }
    }

    /// Runs playouts until the root has `playouts` visits, or until it is told to stop.
    pub(super) fn grow(&mut self, playouts: Option<u64>, stop: &dyn Fn() -> bool) {
        let most = playouts.unwrap_or(u64::MAX);
        while self.nodes[0].visits < most {
            let played = self.nodes[0].visits;
            if played > 0 && played.is_multiple_of(16) && stop() {
                break;
            }
            self.play();
        }
    }

    pub(super) fn playouts(&self) -> u64 {
        self.nodes[0].visits
    }

    /// How often a first event was tried, and what it brought.
    pub(super) fn tally(&self, event: Event) -> Option<(u64, f64)> {
        let node = &self.nodes[self.first(event)?];
        Some((node.visits, node.sum))
    }

    fn first(&self, event: Event) -> Option<usize> {
        let Replies::Choice(start, end) = self.nodes[0].replies else { return None };
        (start..end).find(|&node| self.nodes[node].event() == Some(event))
    }

    /// The most tried line that begins with an event, up to the next chance.
    pub(super) fn line(&self, event: Event) -> Vec<Event> {
        let mut line = Vec::new();
        let mut at = self.first(event);
        while let Some(node) = at.map(|at| &self.nodes[at]).filter(|node| node.visits > 0) {
            line.extend(node.event());
            let Replies::Choice(start, end) = node.replies else { break };
            at = (start..end).rev().max_by_key(|&reply| self.nodes[reply].visits);
        }
        line
    }

    /// One walk down the tree, a playout below it, and its result on all nodes of the way.
    fn play(&mut self) {
        let mut way = vec![0];
        let mut at = 0;
        while let Some(state) = self.nodes[at].state.clone() {
            let fresh = self.nodes[at].visits == 0 && at != 0;
            if fresh
                || self.nodes.len() > NODES && matches!(self.nodes[at].replies, Replies::Unknown)
            {
                break;
            }
            if let Replies::Unknown = self.nodes[at].replies {
                self.nodes[at].replies = self.list(&state);
            }
            let next = match self.nodes[at].replies {
                Replies::Choice(start, end) => self.select(at, start, end),
                Replies::Chance(start, end) => self.draw(&state, start, end),
                Replies::Unknown | Replies::None => None,
            };
            let Some(next) = next else { break };
            self.enter(&state, next);
            self.walker.push_past(&state);
            way.push(next);
            at = next;
        }
        let shares = match (self.nodes[at].state.clone(), self.nodes[at].replies) {
            (None, _) => vec![0.5; self.sides.len()],
            (Some(state), Replies::None) => {
                let outcome = self.walker.outcome(&state);
                self.settle(outcome.as_ref())
            }
            (Some(state), _) => self.judged(&state).unwrap_or_else(|| self.play_out(state)),
        };
        way[1..].iter().for_each(|_| self.walker.pop_past());
        for node in way {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.sum += shares[node.by];
        }
    }

    /// Plays the event of a node the first time it is entered.
    fn enter(&mut self, state: &State, node: usize) {
        if self.nodes[node].state.is_none()
            && let Some(accepted) = self.nodes[node].accepted
        {
            self.nodes[node].state = Some(self.walker.follow(state, accepted));
        }
    }

    /// Lists what may follow a state.
    fn list(&mut self, state: &State) -> Replies {
        if self.walker.outcome(state).is_some() {
            return Replies::None;
        }
        let chances = self.game.chances(state);
        let mut events = Vec::new();
        self.walker.legal(state, &mut events);
        if !chances.is_empty() {
            events.retain(|one| chances.iter().any(|chance| chance.event == one.event()));
        }
        if events.is_empty() {
            return Replies::None;
        }
        let by = self.game.view(state).player().index();
        let start = self.nodes.len();
        self.nodes.extend(events.into_iter().map(|accepted| Node {
            accepted: Some(accepted),
            state: None,
            by,
            visits: 0,
            sum: 0.0,
            replies: Replies::Unknown,
        }));
        match chances.is_empty() {
            true => Replies::Choice(start, self.nodes.len()),
            false => Replies::Chance(start, self.nodes.len()),
        }
    }

    /// The reply that promises most. One that was never tried promises a little less than what is
    /// known of its parent.
    fn select(&self, at: usize, start: usize, end: usize) -> Option<usize> {
        let parent = &self.nodes[at];
        let logarithm = ln(parent.visits.max(1));
        let Temper { curiosity, doubt } = if self.judge.is_some() { JUDGED } else { PLAYED };
        let mut best = None;
        for reply in start..end {
            let node = &self.nodes[reply];
            let mean = match node.visits {
                0 if at == 0 || parent.visits == 0 => 0.5 - doubt,
                0 if parent.by == node.by => parent.sum / parent.visits as f64 - doubt,
                0 => 1.0 - parent.sum / parent.visits as f64 - doubt,
                visits => node.sum / visits as f64,
            };
            let promise = mean + curiosity * (logarithm / (1.0 + node.visits as f64)).sqrt();
            if best.is_none_or(|(most, _)| promise > most) {
                best = Some((promise, reply));
            }
        }
        best.map(|(_, reply)| reply)
    }

    /// The reply that chance gives.
    fn draw(&mut self, state: &State, start: usize, end: usize) -> Option<usize> {
        let event = self.source.draw(self.game, state)?;
        (start..end).find(|&reply| self.nodes[reply].event() == Some(event))
    }

    /// What a position brings to each player by a judge, where there is one.
    fn judged(&mut self, state: &State) -> Option<Vec<f64>> {
        let value = self.judge.as_mut()?.value(state);
        let mover = &self.sides[self.game.view(state).player().index()];
        let share = |ours: &bool| self.share(if *ours { value } else { -value });
        Some(mover.iter().map(share).collect())
    }

    /// The share of a win that a lead promises.
    fn share(&self, lead: i32) -> f64 {
        let (lead, swing) = (f64::from(lead), f64::from(self.evaluation.swing()));
        if lead.abs() > f64::from(WIN) / 2.0 {
            return if lead > 0.0 { 1.0 } else { 0.0 };
        }
        0.5 + 0.5 * lead / (lead.abs() + swing)
    }

    /// Plays at random and says what it brought to each player, from 0 for a loss to 1 for a win.
    fn play_out(&mut self, state: State) -> Vec<f64> {
        let played = finish(&mut self.walker, &state, &mut self.source, PLAYOUT);
        let Some(state) = played.unfinished.filter(|_| played.events == PLAYOUT) else {
            return self.settle(played.outcome.as_ref());
        };
        let look = |player: PlayerId| {
            self.share(self.evaluation.value(self.game, &state, &self.sides[player.index()]))
        };
        self.game.players().map(look).collect()
    }

    fn settle(&self, outcome: Option<&Outcome>) -> Vec<f64> {
        match outcome {
            None => vec![0.5; self.sides.len()],
            Some(outcome) => {
                let share = |score: &i64| 0.5 + 0.5 * (*score).clamp(-3, 3) as f64;
                outcome.scores.iter().map(share).collect()
            }
        }
    }
}

/// The natural logarithm, by sums and products alone: those are the same on every machine.
fn ln(number: u64) -> f64 {
    let exponent = number.max(1).ilog2();
    let mantissa = number.max(1) as f64 / (1u64 << exponent) as f64;
    let part = (mantissa - 1.0) / (mantissa + 1.0);
    let square = part * part;
    let mut sum = 0.0;
    for odd in (1..=13).rev().step_by(2) {
        sum = sum * square + 1.0 / f64::from(odd);
    }
    2.0 * part * sum + f64::from(exponent) * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_the_logarithm() {
        for number in [1, 2, 3, 7, 1000, 123_456, 10_000_000] {
            let error = ln(number) - (number as f64).ln();
            assert!(error.abs() < 1e-6, "{number}: {error}");
        }
    }
}
