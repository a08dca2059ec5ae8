//! What a player attacks, in games of dice too.

use senet_core::{Game, PlayerId, Setup, State, TileId, TileSet};

/// The tiles that a player attacks: those that the rules say, and where dice decide, the tiles
/// from which some roll lets the player take a piece.
pub(crate) fn threats(game: &Game, state: &State, by: PlayerId) -> TileSet {
    let threats = game.threats(state, by);
    match on_roll(game, state, by).filter(|_| threats.is_empty()) {
        Some(state) => taken(game, &state, by),
        None => threats,
    }
}

/// The same position with a player on roll, where the game has dice.
fn on_roll(game: &Game, state: &State, by: PlayerId) -> Option<State> {
    game.dice().next()?;
    let setup = Setup { player: by, dice: Vec::new(), ..Setup::of(game, state) };
    game.state(&setup).ok().filter(|state| game.awaits_chance(state))
}

/// The tiles from which a whole turn after some roll takes what others have there.
fn taken(game: &Game, state: &State, by: PlayerId) -> TileSet {
    let view = game.view(state);
    let foes: Vec<PlayerId> = game.players().filter(|foe| !game.are_allied(by, *foe)).collect();
    let held = |foe: PlayerId| view.owned(foe).iter().map(move |tile| (tile, foe));
    let held: Vec<(TileId, PlayerId)> = foes.into_iter().flat_map(held).collect();
    let mut taken = TileSet::EMPTY;
    for chance in game.chances(state) {
        let Some(rolled) = game.attempt(state, chance.event) else { continue };
        // A roll may decide whose turn it is.
        if game.view(&rolled.state).player() != by {
            continue;
        }
        for turn in game.turns(&rolled.state) {
            let after = game.view(&turn.state);
            let lost = held.iter().filter(|(tile, foe)| !after.is_owned(*tile, *foe));
            lost.for_each(|(tile, _)| taken.insert(*tile));
        }
    }
    taken
}
