//! Which phases fit the tables, and their tables.

use crate::condition::Comparison;
use crate::game::Game;
use crate::id::{ActionId, DieId, PhaseId, PlayerId, RuleId, TileId};
use crate::layout::FULL;
use crate::make::Carrier;
use crate::plan::{
    Area, Closing, Condition, Effect, Leaf, Movement, Rule, Seat, Spot, Test, TileTest, Track,
    Trait, Value, Wanted, Way, Who,
};
use crate::rule::{Deed, EventKind, Listing, Play, Usage};
use crate::scene::Scene;
use crate::tile_set::TileSet;

use super::{Lane, NIBBLES, Race, Sets, Step, one};

/// What a condition asks of a move between two tiles.
enum Need {
    /// It never holds.
    Never,
    /// None of the mover's pieces may stand here.
    Empty(TileSet),
}

/// The tables of every phase that fits.
pub(crate) fn races(game: &Game) -> Vec<Option<Race>> {
    let phases = (0..game.leaves.len()).map(PhaseId::at);
    phases.map(|phase| race(game, phase)).collect()
}

fn race(game: &Game, phase: PhaseId) -> Option<Race> {
    let leaf = &game.leaves[phase.index()];
    let small = |player: PlayerId| {
        game.pieces().filter(|&piece| game.owner(piece) == player).count() <= FULL
    };
    let fits = leaf.usage != Usage::Free
        && leaf.pre.is_empty()
        && game.layout.players == 2
        && game.layout.kinds == 1
        && game.friends[0] & 2 == 0
        && game.tile_count() <= NIBBLES
        && game.exclusive.is_empty()
        && game.serving.is_empty()
        && game.players().all(small);
    if !fits {
        return None;
    }
    let rules = movement_rules(game, leaf)?;
    let (_, first) = rules.first()?;
    let (dice, sides) = (first.dice.clone(), first.sides);
    let same = |(_, track): &(RuleId, &Track)| track.dice == dice && track.sides == sides;
    let along = |(_, track): &(RuleId, &Track)| track.along == first.along;
    if !rules.iter().all(|rule| same(rule) && along(rule)) || dice.len() > 8 {
        return None;
    }
    let pass = passes_otherwise(game, leaf, &dice)?;
    // While a die is left, nothing but the rules of the phase may end it.
    let lasting = |value: &Value| matches!(value, Value::Die(die) if dice.first() == Some(die));
    let stopping = game.endings.iter().filter(|ending| ending.play == Play::Stops);
    let asked = game.gates.iter().map(|gate| &gate.when).chain(stopping.map(|one| &one.when));
    if !{ asked }.all(|condition| is_steady(condition, &lasting)) {
        return None;
    }
    let steady_rolls = game.rules.iter().all(is_steady_roll);
    let ways = [0, 1].map(|player| way(game, first, PlayerId::at(player)));
    let lane = |player: usize| lane(game, &rules, PlayerId::at(player), &ways);
    let lanes = [lane(0)?, lane(1)?];
    let (sets, carrier) = (None, None);
    let mut race =
        Race { usage: leaf.usage, dice, sides, lanes, steady_rolls, pass, sets, carrier };
    race.sets = Sets::new(game, &race);
    race.carrier = Carrier::new(game, &race);
    Some(race)
}

/// The movement rules of a phase that is all moves by dice and acts beside them.
fn movement_rules<'g>(game: &'g Game, leaf: &'g Leaf) -> Option<Vec<(RuleId, &'g Track)>> {
    let mut rules = Vec::new();
    for &id in &leaf.rules {
        let rule = &game.rules[id.index()];
        match (&rule.wants, rule.written.listing) {
            (Wanted::Move(Movement { way: Way::Dice(track), .. }), Listing::Play) => {
                let plain = rule.ensures.is_none()
                    && rule.written.deed == Deed::Usual
                    && matches!(rule.closing, Closing::Usage(_));
                plain.then(|| rules.push((id, track)))?;
            }
            (Wanted::Act(_), Listing::Aside | Listing::Otherwise) => {}
            _ => return None,
        }
    }
    Some(rules)
}

/// The rule by which the dice are taken back and the turn passes, and its act, where that is the
/// only thing that happens by itself.
fn passes_otherwise(game: &Game, leaf: &Leaf, dice: &[DieId]) -> Option<(RuleId, ActionId)> {
    let acts = leaf.by_kind[EventKind::Act as usize].iter().copied();
    let listing = |id: RuleId| game.rules[id.index()].written.listing;
    let mut by_itself = acts.filter(|&id| listing(id) == Listing::Otherwise);
    let id = by_itself.next()?;
    let rule = &game.rules[id.index()];
    let passes = match &rule.after[..] {
        [Effect::Unroll(unrolled), Effect::Turn(Seat::Ahead(1))] => {
            dice.iter().all(|die| unrolled.contains(die))
        }
        _ => false,
    };
    let always = matches!(rule.when.test, Test::Always);
    let plain = always && rule.before.is_empty() && rule.ensures.is_none();
    let Wanted::Act(action) = rule.wants else { return None };
    (passes && plain && by_itself.next().is_none()).then_some((id, action))
}

/// Whether a condition asks about variables, the turn and some other values alone. A value is
/// compared with zero where it is one of the others.
fn is_steady(condition: &Condition, other: &dyn Fn(&Value) -> bool) -> bool {
    let plain = |value: &Value| matches!(value, Value::Number(_) | Value::Variable(..));
    let variables = |value: &Value| match value {
        Value::Sum(values) => values.iter().all(plain),
        value => plain(value),
    };
    match &condition.test {
        Test::Always | Test::Never | Test::Turn(_) => true,
        Test::All(all) | Test::Any(all) => all.iter().all(|one| is_steady(one, other)),
        Test::Not(one) | Test::Called(one) | Test::Relevant(one) => is_steady(one, other),
        Test::Compare { left, right: Value::Number(0), .. } if other(left) => true,
        Test::Compare { left, right, .. } => variables(left) && variables(right),
        _ => false,
    }
}

/// Whether a roll does the same whatever stands on the board; other rules do not matter.
fn is_steady_roll(rule: &Rule) -> bool {
    fn steady(effect: &Effect) -> bool {
        let any_die = |value: &Value| matches!(value, Value::Die(_));
        let known =
            |value: &Value| matches!(value, Value::Die(_) | Value::Number(_) | Value::Variable(..));
        let compares = |condition: &Condition| match &condition.test {
            Test::Compare { left, right, .. } => known(left) && known(right),
            _ => is_steady(condition, &any_die),
        };
        match effect {
            Effect::Show { value, .. } => known(value),
            Effect::Unroll(_) | Effect::Turn(_) => true,
            Effect::Set { to, .. } => known(to),
            Effect::Add { by, .. } => known(by),
            Effect::When { condition, then, otherwise } => {
                compares(condition) && then.iter().chain(otherwise).all(steady)
            }
            _ => false,
        }
    }
    let rolls = matches!(rule.wants, Wanted::Roll { .. });
    !rolls
        || rule.ensures.is_none()
            && is_steady(&rule.when, &|_| false)
            && rule.before.iter().chain(&rule.after).all(steady)
}

/// How far each tile is from the end of a player's way, and the tiles in that order.
struct Order {
    distance: Vec<usize>,
    tiles: Vec<TileId>,
}

fn way(game: &Game, track: &Track, player: PlayerId) -> Order {
    let next = |tile: TileId| game.topology().next(tile, track.along[player.index()]);
    let distance = |tile: TileId| {
        let tiles = std::iter::successors(next(tile), |&tile| next(tile));
        tiles.take(game.tile_count() + 1).count()
    };
    let distance: Vec<usize> = game.tiles().map(distance).collect();
    let mut tiles: Vec<TileId> = game.tiles().collect();
    tiles.sort_by_key(|tile| (distance[tile.index()], *tile));
    Order { distance, tiles }
}

fn lane(
    game: &Game,
    rules: &[(RuleId, &Track)],
    player: PlayerId,
    ways: &[Order; 2],
) -> Option<Lane> {
    let own = &ways[player.index()];
    let sides = rules[0].1.sides;
    // A way that leads round and round has no end to count from.
    if own.distance.iter().any(|&distance| distance > game.tile_count()) {
        return None;
    }
    let mut steps: Vec<Option<Step>> = Vec::new();
    for from in game.tiles() {
        for pips in 1..=sides {
            let mut found = None;
            for &(id, track) in rules {
                let Some(to) = track.target(player, from, pips) else { continue };
                let Ok(step) = step(game, id, (player, from, to), ways) else { return None };
                // Where two rules could take one move, the rules alone say which does.
                if step.is_some() && found.is_some() {
                    return None;
                }
                found = found.or(step.map(|step| (to, step)));
            }
            let listed = |to: TileId| {
                rules.iter().position(|(id, track)| {
                    track.target(player, from, pips) == Some(to) && leaves(game, *id, player, from)
                })
            };
            steps.push(
                found.and_then(|(to, step)| Some(Step { listed: listed(to)? as u8, ..step })),
            );
        }
    }
    let targets: Vec<TileId> = steps.iter().flatten().map(|step| step.to).collect();
    if steps.iter().flatten().any(|step| step.hit.is_some_and(|hit| targets.contains(&hit))) {
        return None;
    }
    let mut ahead = vec![0; own.tiles.len()];
    own.tiles.iter().fold(0, |before, &tile| {
        ahead[tile.index()] = before | one(tile);
        ahead[tile.index()]
    });
    Some(Lane { steps, ahead })
}

/// The step of a rule between two tiles; none where the rule never takes it. An error where the
/// rule asks what a table cannot say.
fn step(
    game: &Game,
    id: RuleId,
    (player, from, to): (PlayerId, TileId, TileId),
    ways: &[Order; 2],
) -> Result<Option<Step>, ()> {
    let rule = &game.rules[id.index()];
    let Wanted::Move(movement) = &rule.wants else { return Err(()) };
    let start = Scene::of_state(game, &game.start);
    let scene = Scene { mover: player, from: Some(from), to: Some(to), ..start };
    if !movement.through.is_any() || !movement.choice.is_empty() {
        return Err(());
    }
    let leaves = static_test(&scene, &movement.source, from).ok_or(())?;
    let (lands, block) = landing(&scene, &movement.onto, to).ok_or(())?;
    let need = need(&scene, &rule.when).ok_or(())?;
    let hit = hit(rule, player).ok_or(())?;
    let last = last(&scene, rule).ok_or(())?;
    let Need::Empty(empty) = need else { return Ok(None) };
    if !leaves || !lands || !movement.kinds.contains(crate::KindId(0)) {
        return Ok(None);
    }
    if !is_behind(&ways[player.index()], from, empty) {
        return Err(());
    }
    let mask = |tiles: TileSet| tiles.iter().fold(0, |mask, tile| mask | (15 * one(tile)));
    Ok(Some(Step {
        need: mask(empty),
        last: last.map_or(0, mask),
        rule: id,
        to,
        block,
        listed: 0,
        hit,
    }))
}

/// Whether a rule lets a piece leave a tile.
fn leaves(game: &Game, id: RuleId, player: PlayerId, from: TileId) -> bool {
    let Wanted::Move(movement) = &game.rules[id.index()].wants else { return false };
    let scene = Scene { mover: player, ..Scene::of_state(game, &game.start) };
    static_test(&scene, &movement.source, from) == Some(true)
}

/// Whether what must be empty is, on the mover's way, everything from some tile behind the source
/// on. Then moves may be made in any order that they can be made in at all, the rearmost first.
fn is_behind(way: &Order, from: TileId, empty: TileSet) -> bool {
    let distance = |tile: TileId| way.distance[tile.index()];
    let on_way = |tile: &TileId| distance(*tile) > 0;
    let Some(nearest) = empty.iter().filter(on_way).map(distance).min() else { return true };
    let behind = way.tiles.iter().filter(|&&tile| distance(tile) >= nearest);
    nearest > distance(from) && { behind }.all(|&tile| empty.contains(tile))
}

/// Whether a test of nothing but regions passes.
fn static_test(scene: &Scene<'_>, test: &TileTest, tile: TileId) -> Option<bool> {
    let lists = [&test.all_of, &test.any_of, &test.none_of];
    let regions = lists.into_iter().flatten().all(|one| matches!(one, Trait::In(_)));
    regions.then(|| scene.passes(test, tile))
}

/// Whether a tile can be landed on at all, and how many foes there forbid it.
fn landing(scene: &Scene<'_>, test: &TileTest, tile: TileId) -> Option<(bool, u8)> {
    let mut block = u8::MAX;
    let mut lands = true;
    for one in &test.none_of {
        match one {
            Trait::AtLeast(count, Who::Foe) => block = block.min(u8::try_from(*count).ok()?),
            Trait::In(regions) => lands &= !regions[scene.mover.index()].contains(tile),
            _ => return None,
        }
    }
    let rest =
        [(&test.all_of, true), (&test.any_of, test.any_of.is_empty())].map(|(list, empty)| {
            let within = |one: &Trait| match one {
                Trait::In(regions) => Some(regions[scene.mover.index()].contains(tile)),
                _ => None,
            };
            let answers: Option<Vec<bool>> = list.iter().map(within).collect();
            Some((answers?, empty))
        });
    let [all, any] = rest;
    let (all, (any, none_asked)) = (all?.0, any?);
    lands &= all.iter().all(|&one| one) && (none_asked || any.iter().any(|&one| one));
    Some((lands, block))
}

/// What a rule's condition asks of a move.
fn need(scene: &Scene<'_>, condition: &Condition) -> Option<Need> {
    Some(match &condition.test {
        Test::Always => Need::Empty(TileSet::EMPTY),
        Test::Never => Need::Never,
        Test::Called(one) => need(scene, one)?,
        Test::All(all) => {
            let mut empty = TileSet::EMPTY;
            for one in all {
                match need(scene, one)? {
                    Need::Never => return Some(Need::Never),
                    Need::Empty(tiles) => empty = empty | tiles,
                }
            }
            Need::Empty(empty)
        }
        Test::Any(any) => {
            let mut needs = Vec::new();
            for one in any {
                match need(scene, one)? {
                    Need::Empty(tiles) if tiles.is_empty() => return Some(Need::Empty(tiles)),
                    Need::Empty(tiles) => needs.push(tiles),
                    Need::Never => {}
                }
            }
            match needs[..] {
                [] => Need::Never,
                [tiles] => Need::Empty(tiles),
                _ => return None,
            }
        }
        Test::Tile { at, is } => match scene.spot(static_spot(at)?) {
            Some(tile) if static_test(scene, is, tile)? => Need::Empty(TileSet::EMPTY),
            _ => Need::Never,
        },
        Test::Compare { .. } => Need::Empty(emptied(scene, condition)?),
        _ => return None,
    })
}

/// The area of which a condition asks that no piece of the mover stands there.
fn emptied(scene: &Scene<'_>, condition: &Condition) -> Option<TileSet> {
    match &condition.test {
        Test::Called(one) => emptied(scene, one),
        Test::Compare {
            left: Value::Pieces { area, owner: Who::Mover, kind: None },
            is: Comparison::Equal | Comparison::AtMost,
            right: Value::Number(0),
        } => match area {
            Area::Board | Area::Region(..) => Some(scene.area(area)),
            Area::At(spot) | Area::Beyond(spot, _) => {
                static_spot(spot)?;
                Some(scene.area(area))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A spot that does not depend on the pieces.
fn static_spot(spot: &Spot) -> Option<&Spot> {
    match spot {
        Spot::From | Spot::To | Spot::Tile(_) | Spot::Only(..) => Some(spot),
        Spot::Steps(inner, _) => static_spot(inner).map(|_| spot),
        Spot::First { .. } => None,
    }
}

/// Where a foe on the target goes, if anywhere; no answer where more happens before a move.
fn hit(rule: &Rule, player: PlayerId) -> Option<Option<TileId>> {
    match &rule.before[..] {
        [] => Some(None),
        [Effect::Capture { at: Spot::To, to: Some(Spot::Only(tiles, Seat::Ahead(1))) }] => {
            Some(Some(tiles[1 - player.index()]))
        }
        _ => None,
    }
}

/// What else than a passing turn happens after a move: nothing, or something where the mover has
/// no piece left in an area. No answer where it is neither.
fn last(scene: &Scene<'_>, rule: &Rule) -> Option<Option<TileSet>> {
    let Wanted::Move(Movement { way: Way::Dice(track), .. }) = &rule.wants else { return None };
    let [Effect::When { condition, then, otherwise }] = &rule.after[..] else { return None };
    if is_passing(condition, then, otherwise, track) {
        return Some(None);
    }
    let area = emptied(scene, condition).filter(|area| !area.is_empty())?;
    let [Effect::When { condition, then, otherwise }] = &otherwise[..] else { return None };
    is_passing(condition, then, otherwise, track).then_some(Some(area))
}

/// Whether effects pass the turn when no die is left, and do nothing else.
fn is_passing(condition: &Condition, then: &[Effect], otherwise: &[Effect], track: &Track) -> bool {
    let spent = match &condition.test {
        Test::Compare { left: Value::Die(die), is: Comparison::Equal, right: Value::Number(0) } => {
            track.dice.first() == Some(die)
        }
        _ => false,
    };
    spent && matches!(then, [Effect::Turn(Seat::Ahead(1))]) && otherwise.is_empty()
}
