//! What a player attacks, in games of dice too.

use senet::{PlayerId, Position, Setup, TileId, TileSet};

/// The tiles that a player attacks: those that the rules say, and where dice decide, the tiles
/// from which some roll lets the player take a piece.
pub(crate) fn threats(position: &Position, by: PlayerId) -> TileSet {
    let threats = position.layers().threats(by);
    match on_roll(position, by).filter(|_| threats.is_empty()) {
        Some(position) => taken(&position, by),
        None => threats,
    }
}

/// The same position with a player on roll, where the game has dice.
fn on_roll(position: &Position, by: PlayerId) -> Option<Position> {
    position.game().dice().next()?;
    let setup = Setup { player: by, dice: Vec::new(), ..position.setup() };
    position.game().setup(&setup).ok().filter(Position::awaits_chance)
}

/// The tiles from which a whole turn after some roll takes what others have there.
fn taken(position: &Position, by: PlayerId) -> TileSet {
    let (game, view) = (position.game(), position.view());
    let foes: Vec<PlayerId> = game.players().filter(|foe| !game.are_allied(by, *foe)).collect();
    let held = |foe: PlayerId| view.owned(foe).iter().map(move |tile| (tile, foe));
    let held: Vec<(TileId, PlayerId)> = foes.into_iter().flat_map(held).collect();
    let mut taken = TileSet::EMPTY;
    for chance in position.chances() {
        let Ok(rolled) = position.apply(chance.event) else { continue };
        // A roll may decide whose turn it is.
        if rolled.position.player() != by {
            continue;
        }
        for turn in rolled.position.turns().unwrap_or_default() {
            let after = turn.position.view();
            let lost = held.iter().filter(|(tile, foe)| !after.is_owned(*tile, *foe));
            lost.for_each(|(tile, _)| taken.insert(*tile));
        }
    }
    taken
}
