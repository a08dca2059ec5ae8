//! A movement rule as a table, for one player.

use crate::bits::Bits;
use crate::condition::{Area, Comparison, Condition, TileTest, Trait, Value, Who};
use crate::effect::Effect;
use crate::game::Game;
use crate::id::{DirectionId, FlagId, KindId, PlayerId, RuleId, TileId};
use crate::path::{CompiledPattern, Mobility};
use crate::plan::{self, Heading, Leaf, Movement, Wanted, Way};
use crate::rule::{Deed, EventKind, Listing};

use super::attack::{single_targets, slid_along};
use super::board::{Lines, answers};

/// A movement rule for one player.
pub(crate) struct Row<const W: usize> {
    pub(crate) rule: RuleId,
    /// How the pieces of each kind travel by it.
    pub(crate) reaches: Vec<(KindId, Reach<W>)>,
    /// Flags of which at least one piece must carry each for the rule to fire.
    pub(crate) needs: Vec<FlagId>,
    pub(crate) check: Check,
    /// Whether an earlier rule might list the same event, so that it must be asked as well.
    pub(crate) contested: bool,
}

/// What is left to ask of a candidate that its sets of tiles allow.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Check {
    /// Nothing.
    Nothing,
    /// Whether the mover's royal is safe afterwards, which tables can say.
    Royal,
    /// Everything, of the rule itself.
    Rule,
    /// Everything, of the rule itself, which also says where it leads.
    RuleAlone,
}

/// Where a kind's patterns lead.
pub(crate) struct Reach<const W: usize> {
    pub(crate) slides: Vec<DirectionId>,
    /// By tile: the tiles reached without repeating a direction.
    pub(crate) singles: Vec<Bits<W>>,
    /// By tile: the tiles reached past others that the rule asks about.
    pub(crate) guarded: Vec<Vec<Guarded<W>>>,
}

/// A tile reached past others.
pub(crate) struct Guarded<const W: usize> {
    pub(crate) past: Bits<W>,
    pub(crate) to: TileId,
}

/// The movement rules of a phase for a player, if tables can list them.
pub(crate) fn rows<const W: usize>(
    game: &Game,
    leaf: &Leaf,
    player: PlayerId,
) -> Option<Vec<Row<W>>> {
    if leaf.pre.iter().any(|pre| pre.on == EventKind::Move) {
        return None;
    }
    let rules = leaf.by_kind[EventKind::Move as usize].iter().copied();
    let by_dice = |id: RuleId| {
        let Wanted::Move(movement) = &game.rules[id.index()].wants else { return false };
        matches!(movement.way, Way::Dice(_))
    };
    if rules.clone().any(by_dice) {
        return None;
    }
    let rules = rules.filter(|id| game.rules[id.index()].written.listing == Listing::Play);
    let mut rows: Vec<Row<W>> = Vec::new();
    for id in rules {
        let mut row = row(game, id, player);
        row.contested = rows.iter().any(|other| may_overlap(game, &row, other));
        if row.contested && matches!(row.check, Check::Nothing | Check::Royal) {
            return None;
        }
        rows.push(row);
    }
    Some(rows)
}

fn row<const W: usize>(game: &Game, id: RuleId, player: PlayerId) -> Row<W> {
    let rule = &game.rules[id.index()];
    let Wanted::Move(movement) = &rule.wants else { unreachable!("listed by kind of event") };
    let kinds = game.kinds().filter(|&kind| movement.kinds.contains(kind));
    let guarded = !movement.through.is_any();
    let reaches = kinds.map(|kind| {
        let mobility = match &movement.way {
            Way::Own => game.mobility(player, kind),
            Way::Pattern(by_player) => &by_player[player.index()],
            Way::First(headings) => return (kind, first_reach(game, headings, player)),
            Way::Dice(_) => unreachable!("such a phase is listed by its rules"),
        };
        (kind, reach(game, mobility, guarded))
    });
    let reaches: Vec<(KindId, Reach<W>)> = reaches.collect();
    let check = check(rule, movement, &reaches);
    Row { rule: id, reaches, needs: needs(rule, movement), check, contested: false }
}

fn check<const W: usize>(
    rule: &plan::Rule,
    movement: &Movement,
    reaches: &[(KindId, Reach<W>)],
) -> Check {
    let slides = reaches.iter().any(|(_, reach)| !reach.slides.is_empty());
    let guards_slides = !movement.through.is_any() && slides;
    if matches!(movement.way, Way::First(_)) || guards_slides {
        return Check::RuleAlone;
    }
    let tests = [&movement.source, &movement.through, &movement.onto];
    let asked = rule.written.when != Condition::Always || !tests.into_iter().all(answers);
    let plain = rule.written.deed == Deed::Usual
        && rule.written.before.iter().chain(&rule.written.after).all(is_plain);
    match &rule.ensures {
        _ if asked => Check::Rule,
        None => Check::Nothing,
        Some(_) if plain && is_royal_safety(&rule.written.ensures) => Check::Royal,
        Some(_) => Check::Rule,
    }
}

/// Every tile that could be the first occupied one along one of the directions.
fn first_reach<const W: usize>(game: &Game, headings: &[Heading], player: PlayerId) -> Reach<W> {
    let lines: Lines<W> = Lines::new(game.topology());
    let rays = |tile: TileId| {
        let directions = headings.iter().map(|heading| heading[player.index()]);
        let rays = directions.map(|direction| lines.until(tile, direction, Bits::EMPTY).0);
        rays.fold(Bits::EMPTY, |all, ray| all | ray)
    };
    let singles = game.tiles().map(rays).collect();
    Reach { slides: Vec::new(), singles, guarded: Vec::new() }
}

fn reach<const W: usize>(game: &Game, mobility: &Mobility, guarded: bool) -> Reach<W> {
    let slides = mobility.compiled().iter().flat_map(slid_along).copied().collect();
    if !guarded {
        return Reach { slides, singles: single_targets(game, mobility), guarded: Vec::new() };
    }
    let from_tile = |from: TileId| {
        let patterns = mobility.compiled().iter();
        patterns.flat_map(move |pattern| past(game, from, pattern)).collect()
    };
    let singles = vec![Bits::EMPTY; game.tile_count()];
    Reach { slides, singles, guarded: game.tiles().map(from_tile).collect() }
}

/// Where a pattern that does not repeat leads, and past which tiles.
fn past<const W: usize>(game: &Game, from: TileId, pattern: &CompiledPattern) -> Vec<Guarded<W>> {
    let walk = |steps: &[DirectionId]| {
        let mut passed = Bits::EMPTY;
        let mut to = from;
        for step in steps {
            if to != from {
                passed.insert(to);
            }
            to = game.topology().next(to, *step)?;
        }
        (to != from).then_some(Guarded { past: passed, to })
    };
    match pattern {
        CompiledPattern::Fixed(steps) => walk(steps).into_iter().collect(),
        CompiledPattern::Ray { direction, .. } => walk(&[*direction]).into_iter().collect(),
        CompiledPattern::MultiRay { directions, .. } => {
            directions.iter().filter_map(|one| walk(&[*one])).collect()
        }
    }
}

/// Flags without which the rule cannot fire: asked of the source, the target or another tile.
fn needs(rule: &plan::Rule, movement: &Movement) -> Vec<FlagId> {
    let mut needs = Vec::new();
    let mut ask = |test: &plan::TileTest| {
        needs.extend(test.all_of.iter().filter_map(|one| match one {
            plan::Trait::Flag(flag) => Some(*flag),
            _ => None,
        }));
    };
    ask(&movement.source);
    ask(&movement.onto);
    let parts = match &rule.when.test {
        plan::Test::All(all) => all.iter().collect(),
        _ => vec![&rule.when],
    };
    for part in parts {
        let part = match &part.test {
            plan::Test::Called(one) => one,
            _ => part,
        };
        if let plan::Test::Tile { is, .. } = &part.test {
            ask(is);
        }
    }
    needs
}

/// Whether an effect leaves every tile but the source and the target as they are.
fn is_plain(effect: &Effect) -> bool {
    match effect {
        Effect::Flag { .. }
        | Effect::Mark { .. }
        | Effect::Become { .. }
        | Effect::Set { .. }
        | Effect::Add { .. }
        | Effect::Turn(_)
        | Effect::Show { .. }
        | Effect::Unroll(_) => true,
        Effect::When { then, otherwise, .. } => then.iter().chain(otherwise).all(is_plain),
        Effect::Capture { .. }
        | Effect::Carry { .. }
        | Effect::Together(_)
        | Effect::Clear { .. }
        | Effect::Reset
        | Effect::Custom { .. } => false,
    }
}

/// Whether a condition is "no royal of the mover is attacked by a foe".
fn is_royal_safety(condition: &Condition) -> bool {
    if let Condition::Called(_, one) = condition {
        return is_royal_safety(one);
    }
    let Condition::Compare { left, is: Comparison::Equal, right: Value::Number(0) } = condition
    else {
        return false;
    };
    let Value::Tiles { area: Area::Board, is } = left else { return false };
    let traits = [Trait::Owner(Who::Mover), Trait::Royal, Trait::Threatened(Who::Foe)];
    is.any_of.is_empty()
        && is.none_of.is_empty()
        && is.all_of.len() == traits.len()
        && traits.iter().all(|one| is.all_of.contains(one))
}

/// Whether two rules might list the same event.
fn may_overlap<const W: usize>(game: &Game, one: &Row<W>, two: &Row<W>) -> bool {
    let written = |row: &Row<W>| match &game.rules[row.rule.index()].written.wants {
        crate::rule::Wanted::Move(movement) => movement.clone(),
        _ => crate::rule::Movement::default(),
    };
    let (a, b) = (written(one), written(two));
    let no_choice_in_common = a.choice.is_empty() != b.choice.is_empty()
        || (!a.choice.is_empty() && !a.choice.iter().any(|kind| b.choice.contains(kind)));
    let kinds = |row: &crate::rule::Movement| row.kinds.clone();
    let no_kind_in_common = !a.kinds.is_empty()
        && !b.kinds.is_empty()
        && !kinds(&a).iter().any(|kind| b.kinds.contains(kind));
    !(no_choice_in_common
        || no_kind_in_common
        || excludes(&a.onto, &b.onto)
        || excludes(&b.onto, &a.onto)
        || excludes(&a.source, &b.source)
        || excludes(&b.source, &a.source)
        || lands_on_friend(&a) && !matches!(b.way, crate::rule::Way::First(_))
        || lands_on_friend(&b) && !matches!(a.way, crate::rule::Way::First(_))
        || never_meet(one, two))
}

/// Whether no tile passes both tests.
fn excludes(one: &TileTest, two: &TileTest) -> bool {
    let holds_piece = |test: &TileTest| {
        test.all_of.iter().any(|one| matches!(one, Trait::Owner(_) | Trait::Kind(_) | Trait::Royal))
    };
    one.all_of.iter().any(|part| two.none_of.contains(part))
        || one.all_of.contains(&Trait::Empty) && holds_piece(two)
}

/// Whether a rule only leads onto the mover's own pieces, where no pattern leads.
fn lands_on_friend(movement: &crate::rule::Movement) -> bool {
    let own = |one: &Trait| matches!(one, Trait::Owner(Who::Mover | Who::Ally | Who::Friend));
    movement.onto.all_of.iter().any(own)
}

/// Whether the patterns of two rules never lead from one tile to the same other.
fn never_meet<const W: usize>(one: &Row<W>, two: &Row<W>) -> bool {
    if one.reaches.is_empty() || two.reaches.is_empty() {
        return false;
    }
    let fixed = |row: &Row<W>| row.reaches.iter().all(|(_, reach)| reach.slides.is_empty());
    let targets = |reach: &Reach<W>, tile: usize| {
        let past = reach.guarded.get(tile).into_iter().flatten();
        past.fold(reach.singles[tile], |all, one| all | Bits::of(one.to))
    };
    let apart = |a: &Reach<W>, b: &Reach<W>| {
        (0..a.singles.len()).all(|tile| (targets(a, tile) & targets(b, tile)).is_empty())
    };
    let pairs = |(kind, a): &(KindId, Reach<W>)| {
        two.reaches.iter().all(|(other, b)| kind != other || apart(a, b))
    };
    fixed(one) && fixed(two) && one.reaches.iter().all(pairs)
}
