//! Worlds that agree with what a player has seen and done, found by chance. Nothing else of the
//! match is known here.

use senet_chance::Source;
use senet_core::observe::{Memory, Recall};
use senet_core::{Event, Game, State};

/// A way the game may have gone.
#[derive(Clone)]
pub(crate) struct World {
    pub(crate) state: State,
    /// What each player remembers.
    pub(crate) recalls: Vec<Recall>,
}

impl World {
    fn start(game: &Game) -> World {
        let state = game.start();
        let recalls = game.players().map(|player| Recall::start(game, &state, player));
        World { recalls: recalls.collect(), state }
    }

    /// The world after an event; none if it is refused.
    pub(crate) fn after(&self, game: &Game, event: Event) -> Option<World> {
        let state = game.apply(&self.state, event).ok()?.state;
        let mut recalls = self.recalls.clone();
        recalls.iter_mut().for_each(|recall| recall.follow(game, &self.state, event, &state));
        Some(World { state, recalls })
    }
}

/// Finds a world in which a player remembers just this and is to move, or gives up after `steps`
/// steps.
pub(crate) fn sample(
    game: &Game,
    recall: &Recall,
    source: &mut Source,
    steps: &mut u64,
) -> Option<World> {
    let world = World::start(game);
    agrees(&world, recall).then_some(())?;
    extend(game, recall, world, source, steps)
}

fn agrees(world: &World, recall: &Recall) -> bool {
    let found = world.recalls[recall.player.index()].memories();
    recall.memories().starts_with(found)
}

fn extend(
    game: &Game,
    recall: &Recall,
    world: World,
    source: &mut Source,
    steps: &mut u64,
) -> Option<World> {
    *steps = steps.checked_sub(1)?;
    let chances = game.chances(&world.state);
    let found = world.recalls[recall.player.index()].memories().len();
    let next = recall.memories().get(found);
    let moves = chances.is_empty() && game.view(&world.state).player() == recall.player;
    if moves && next.is_none() {
        return Some(world);
    }
    let mut events: Vec<Event> = match next {
        Some(Memory::Did(event)) if moves => vec![*event],
        _ if moves => return None,
        _ if chances.is_empty() => {
            let mut events = game.legal(&world.state);
            shuffle(&mut events, source);
            events
        }
        _ => {
            let mut left = chances;
            let mut events = Vec::new();
            while let Some(event) = source.draw_of(&left) {
                left.retain(|chance| chance.event != event);
                events.push(event);
                let total = left.iter().map(|chance| chance.probability.weight).sum();
                left.iter_mut().for_each(|chance| chance.probability.total = total);
            }
            events
        }
    };
    events.drain(..).find_map(|event| {
        let after = world.after(game, event)?;
        agrees(&after, recall).then(|| extend(game, recall, after, source, steps)).flatten()
    })
}

fn shuffle(events: &mut [Event], source: &mut Source) {
    for last in (1..events.len()).rev() {
        events.swap(last, source.below(last as u64 + 1) as usize);
    }
}
