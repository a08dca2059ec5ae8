//! Tree search over information sets, for games with secrets. Each playout starts from a world that
//! agrees with what the player has seen and done; every player then chooses by what that player
//! would know in it, so that no choice depends on what is hidden from who makes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use senet_chance::Source;
use senet_core::observe::Recall;
use senet_core::{Event, Game};

use crate::bot::{Bot, Limit, Moment, Thought};
use crate::evaluation::WIN;
use crate::world::{World, sample};

/// How many worlds are kept, and how long one is looked for.
const WORLDS: usize = 64;
const STEPS: u64 = 20_000;

/// Playouts where no budget is given.
const USUAL: u64 = 1_000;

/// The longest playout.
const LONGEST: usize = 400;

/// How much is explored.
const EXPLORATION: f64 = 0.7;

/// Visits and the sum of what came of them, for each event of an information set.
type Tally = BTreeMap<Event, (u64, f64)>;

/// Plays by information sets.
pub struct InfosetMcts {
    game: Arc<Game>,
    source: Source,
    nodes: Option<u64>,
}

impl InfosetMcts {
    /// A player of a seed.
    pub fn new(game: Arc<Game>, seed: u64) -> InfosetMcts {
        InfosetMcts { game, source: Source::seeded(seed), nodes: None }
    }

    /// The same with a budget of playouts of its own.
    #[must_use]
    pub fn within(mut self, nodes: Option<u64>) -> InfosetMcts {
        self.nodes = nodes;
        self
    }

    /// Some worlds that agree with what a player remembers.
    fn worlds(&mut self, recall: &Recall) -> Vec<World> {
        let mut steps = STEPS;
        let game = self.game.clone();
        let mut find = || sample(&game, recall, &mut self.source, &mut steps);
        std::iter::from_fn(&mut find).take(WORLDS).collect()
    }

    /// One playout: chosen by tallies as far as they go, then at random.
    fn play(&mut self, mut world: World, tallies: &mut BTreeMap<u128, Tally>) {
        let game = self.game.clone();
        let mut chosen: Vec<(u128, usize, Event)> = Vec::new();
        let mut grows = true;
        for _ in 0..LONGEST {
            if game.outcome(&world.state).is_some() {
                break;
            }
            let event = match self.source.draw(&game, &world.state) {
                Some(event) => event,
                None => {
                    let events = game.legal(&world.state);
                    let player = game.view(&world.state).player().index();
                    if grows {
                        let set = world.recalls[player].hash();
                        grows = tallies.contains_key(&set);
                        let tally = tallies.entry(set).or_default();
                        let Some(event) = choose(tally, &events, &mut self.source) else { break };
                        chosen.push((set, player, event));
                        event
                    } else {
                        let Some(event) = self.source.pick(&events) else { break };
                        event
                    }
                }
            };
            if grows {
                let Some(next) = world.after(&game, event) else { break };
                world = next;
            } else {
                // Nobody asks any more what players remember.
                let Ok(step) = game.apply(&world.state, event) else { break };
                world.state = step.state;
            }
        }
        let worth: Vec<f64> = match game.outcome(&world.state) {
            Some(outcome) => {
                let most = outcome.scores.iter().map(|score| score.abs()).max().unwrap_or(0);
                let scale = most.max(1) as f64;
                outcome.scores.iter().map(|&score| score as f64 / scale * spread(most)).collect()
            }
            None => vec![0.0; game.players().count()],
        };
        for (set, player, event) in chosen {
            let entry = tallies.entry(set).or_default().entry(event).or_default();
            entry.0 += 1;
            entry.1 += worth[player];
        }
    }
}

/// A game that counts more than one moves tallies further.
fn spread(most: i64) -> f64 {
    2.0 - 1.0 / most.max(1) as f64
}

/// The event that is worth another look: one that was never tried, or the best bound.
fn choose(tally: &Tally, events: &[Event], source: &mut Source) -> Option<Event> {
    let fresh: Vec<Event> =
        events.iter().copied().filter(|event| !tally.contains_key(event)).collect();
    if !fresh.is_empty() {
        return source.pick(&fresh);
    }
    let all: u64 = tally.values().map(|(visits, _)| visits).sum();
    let bound = |event: &Event| {
        let (visits, sum) = tally.get(event).copied().unwrap_or((1, 0.0));
        let visits = visits as f64;
        sum / visits + EXPLORATION * ((all as f64).ln() / visits).sqrt()
    };
    events.iter().copied().max_by(|one, other| bound(one).total_cmp(&bound(other)))
}

impl Bot for InfosetMcts {
    fn choose(&mut self, moment: &Moment<'_>, limit: &Limit<'_>) -> Option<Thought> {
        let events = self.game.legal(moment.state);
        let first = *events.first()?;
        if events.len() == 1 {
            return Some(Thought::bare(first));
        }
        let worlds = moment.recall.map_or_else(Vec::new, |recall| self.worlds(recall));
        let Some(recall) = moment.recall.filter(|_| !worlds.is_empty()) else {
            return self.source.pick(&events).map(Thought::bare);
        };
        let nodes = limit.nodes.into_iter().chain(self.nodes).min().unwrap_or(USUAL);
        let mut tallies = BTreeMap::new();
        let mut played = 0;
        while played < nodes && !(limit.stop)() {
            let world = worlds[self.source.below(worlds.len() as u64) as usize].clone();
            self.play(world, &mut tallies);
            played += 1;
        }
        let tally = tallies.remove(&recall.hash()).unwrap_or_default();
        let visits = |event: &Event| tally.get(event).copied().unwrap_or((0, 0.0));
        // Of events that were looked at equally often the first one counts.
        let best = { events.iter().copied().rev() }.max_by_key(|event| visits(event).0)?;
        let (count, sum) = visits(&best);
        let value = if count > 0 { sum / count as f64 * f64::from(WIN) / 2.0 } else { 0.0 };
        let line = vec![best];
        Some(Thought {
            event: best,
            value: value as i32,
            depth: 1,
            nodes: played,
            line,
            exact: false,
        })
    }
}
