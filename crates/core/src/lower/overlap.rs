//! Which rules of a phase may accept the same event. Where none do, events need not be compared.

use crate::game::Game;
use crate::id::{PlayerId, RuleId, TileId};
use crate::tile_set::TileSet;
use crate::typed::{Movement, Set, Wanted, Way, Who};

use super::attack::Travel;
use super::fact::flatten;

/// For each rule those before it in its phase that may accept the same event.
pub(crate) fn find_shared(game: &Game) -> Vec<Vec<RuleId>> {
    let mut shared = vec![Vec::new(); game.rules.len()];
    for rules in game.leaves.iter().flat_map(|leaf| &leaf.by_kind) {
        for (at, &id) in rules.iter().enumerate() {
            let shares = |other: &RuleId| may_share(game, *other, id);
            shared[id.index()] = rules[..at].iter().copied().filter(shares).collect();
        }
    }
    shared
}

/// Whether two rules may accept the same event.
fn may_share(game: &Game, one: RuleId, other: RuleId) -> bool {
    let [one, other] = [one, other].map(|rule| &game.rules[rule.index()].wants);
    match (one, other) {
        (Wanted::Move(one), Wanted::Move(other)) => {
            game.players().any(|player| moves_share(game, player, one, other))
        }
        (Wanted::Put { kinds, onto }, Wanted::Put { kinds: others, onto: other }) => {
            let apart = |player| contradict(game, player, &[onto], &[other]);
            kinds.meets(*others) && !game.players().all(apart)
        }
        (Wanted::Roll { first, last }, Wanted::Roll { first: one, last: other }) => {
            first <= other && one <= last
        }
        (Wanted::Act(one), Wanted::Act(other)) => one == other,
        (Wanted::Pick { action, onto }, Wanted::Pick { action: named, onto: other }) => {
            let apart = |player| contradict(game, player, &[onto], &[other]);
            action == named && !game.players().all(apart)
        }
        _ => false,
    }
}

fn moves_share(game: &Game, player: PlayerId, one: &Movement, other: &Movement) -> bool {
    let by_dice = |movement: &Movement| matches!(movement.way, Way::Dice(_));
    let choices_meet = one.choice.is_empty() && other.choice.is_empty()
        || one.choice.iter().any(|kind| other.choice.contains(kind));
    // Pieces of several kinds may stand on a tile that holds many.
    let kinds_meet = one.kinds.meets(other.kinds) || game.exclusive != game.all_tiles;
    if !kinds_meet || by_dice(one) != by_dice(other) || !choices_meet {
        return false;
    }
    // No pattern leads onto a friend where every tile holds one piece.
    let no_friend = Set::Not(Box::new(Set::Owned(Who::Friend)));
    let landing = |movement: &'_ Movement| {
        let by_pattern = matches!(movement.way, Way::Own | Way::Pattern(_));
        let mut sets = vec![movement.onto.clone()];
        if by_pattern && game.exclusive == game.all_tiles {
            sets.push(no_friend.clone());
        }
        sets
    };
    let (here, there) = (landing(one), landing(other));
    let [here, there] = [&here, &there].map(|sets| sets.iter().collect::<Vec<_>>());
    if contradict(game, player, &here, &there)
        || contradict(game, player, &[&one.source], &[&other.source])
    {
        return false;
    }
    let within = |set: &Set| {
        let mut parts = Vec::new();
        flatten(set, &mut parts);
        let fixed = parts.iter().filter_map(|part| match part {
            Set::Const(tiles) => Some(tiles[player.index()]),
            _ => None,
        });
        fixed.fold(game.all_tiles, |all, tiles| all & tiles)
    };
    let sources = within(&one.source) & within(&other.source);
    let targets = within(&one.onto) & within(&other.onto);
    { sources }.iter().any(|from| {
        let [one, other] = [one, other].map(|movement| reach(game, player, movement, from));
        !(one & other & targets).is_empty()
    })
}

/// Where a movement rule could lead from a tile on some board.
fn reach(game: &Game, player: PlayerId, movement: &Movement, from: TileId) -> TileSet {
    let topology = game.topology();
    let mut found = TileSet::EMPTY;
    let ray = |direction, found: &mut TileSet| {
        let mut tile = from;
        while let Some(next) = topology.next(tile, direction).filter(|&next| !found.contains(next))
        {
            found.insert(next);
            tile = next;
        }
    };
    let travel = |travel: Travel, found: &mut TileSet| {
        for leap in travel.leaps {
            found.extend(leap.iter().try_fold(from, |tile, &step| topology.next(tile, step)));
        }
        travel.slides.into_iter().for_each(|direction| ray(direction, found));
    };
    match &movement.way {
        Way::Own => {
            for kind in game.kinds().filter(|&kind| movement.kinds.contains(kind)) {
                travel(Travel::of(game.mobility(player, kind)), &mut found);
            }
        }
        Way::Pattern(mobility) => travel(Travel::of(&mobility[player.index()]), &mut found),
        Way::First(headings) => {
            headings.iter().for_each(|heading| ray(heading[player.index()], &mut found));
        }
        Way::Hop(_) | Way::Steps(_) | Way::Anywhere => return game.all_tiles,
        Way::Dice(track) => {
            let pips = 1..=track.sides;
            found.extend(pips.filter_map(|pips| track.target(player, from, pips)));
        }
    }
    found
}

/// Whether no tile lies in all sets of both lists, because they ask for opposites.
fn contradict(game: &Game, player: PlayerId, here: &[&Set], there: &[&Set]) -> bool {
    let mut parts = [Vec::new(), Vec::new()];
    for (sets, parts) in [here, there].into_iter().zip(&mut parts) {
        sets.iter().for_each(|set| flatten(set, parts));
    }
    let [here, there] = parts;
    here.iter().any(|one| there.iter().any(|other| opposite(game, player, one, other)))
}

fn opposite(game: &Game, player: PlayerId, one: &Set, other: &Set) -> bool {
    let friends = game.friends[player.index()];
    let single = game.exclusive == game.all_tiles;
    let players = |who: Who| match who {
        Who::Mover => 1 << player.index(),
        Who::Ally => friends & !(1 << player.index()),
        Who::Friend => friends,
        Who::Foe => !game.spared(player),
        Who::Player(one) => 1u64 << one.index(),
        Who::Anyone => u64::MAX,
    };
    let one_way = |one: &Set, other: &Set| match (one, other) {
        (Set::Not(inside), other) if **inside == *other => true,
        (Set::Empty, Set::Owned(_) | Set::Kind(_) | Set::Royal | Set::Flag(_)) => true,
        (Set::Not(inside), Set::Owned(who)) => match &**inside {
            Set::Owned(others) => players(*who) & !players(*others) == 0,
            _ => false,
        },
        (Set::Owned(who), Set::Owned(others)) => single && players(*who) & players(*others) == 0,
        (Set::Kind(one), Set::Kind(other)) => single && one != other,
        (Set::Const(one), Set::Const(other)) => {
            (one[player.index()] & other[player.index()]).is_empty()
        }
        (Set::Not(inside), Set::Const(tiles)) => match &**inside {
            Set::Const(outside) => {
                tiles[player.index()].without(outside[player.index()]).is_empty()
            }
            _ => false,
        },
        _ => false,
    };
    one_way(one, other) || one_way(other, one)
}
