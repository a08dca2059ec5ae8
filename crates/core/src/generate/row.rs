//! A movement rule as a table, for one player.

use std::sync::Arc;

use crate::bits::{Bits, ByTile};
use crate::condition::{Area, Comparison, Condition, TileTest, Trait, Value, Who};
use crate::effect::Effect;
use crate::game::Game;
use crate::id::{DirectionId, FlagId, KindId, PlayerId, RuleId, TileId};
use crate::path::{CompiledPattern, Mobility};
use crate::plan::{self, Heading, Leaf, Movement, Wanted, Way};
use crate::rule::{Deed, EventKind, Listing};

use super::attack::{sights_of, single_targets, slid_along};
use super::board::{Board, answers};
use super::land::Land;
use super::line::Lines;
use super::link::Link;
use super::sight::Sight;

/// A movement rule for one player.
pub(crate) struct Row<const W: usize> {
    pub(crate) rule: RuleId,
    pub(crate) source: Land<W>,
    pub(crate) through: Land<W>,
    pub(crate) onto: Land<W>,
    /// How the pieces of each kind travel by it.
    pub(crate) reaches: Vec<(KindId, Reach<W>)>,
    /// What the rule asks of tiles beside its target.
    pub(crate) besides: Vec<Beside<W>>,
    /// Flags of which at least one piece must carry each for the rule to fire.
    pub(crate) needs: Vec<FlagId>,
    pub(crate) check: Check,
    /// What a rule that moves two pieces together asks, where tables can say it.
    pub(crate) link: Option<Link>,
    /// Whether an earlier rule might list the same event, so that it must be asked as well.
    pub(crate) contested: bool,
}

/// A condition on a tile that lies the same way from every target.
pub(crate) struct Beside<const W: usize> {
    /// Which part of the rule's condition it is.
    part: usize,
    /// How the ids turn from that tile back to the target.
    pub(super) back: u32,
    /// Targets that have such a tile.
    pub(super) targets: Bits<W>,
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
    /// The sights it slides by.
    pub(crate) slides: Vec<usize>,
    /// By tile: the tiles reached without repeating a direction.
    pub(crate) singles: ByTile<Bits<W>, W>,
    /// Whether sights and single tiles never meet.
    pub(crate) apart: bool,
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
    (lines, sights): (&Lines<W>, &[Arc<Sight<W>>]),
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
        let mut row = row(game, (lines, sights), id, player);
        row.contested = rows.iter().any(|other| may_overlap(game, &row, other));
        if row.contested && matches!(row.check, Check::Nothing | Check::Royal) {
            return None;
        }
        rows.push(row);
    }
    Some(rows)
}

/// The rows that move a kind, and which of their reaches is its.
pub(super) fn rows_of<const W: usize>(rows: &[Row<W>], kind: KindId) -> Vec<(usize, usize)> {
    let reach = |row: &Row<W>| row.reaches.iter().position(|(one, _)| *one == kind);
    let found = rows.iter().enumerate().filter_map(|(at, row)| Some((at, reach(row)?)));
    found.collect()
}

fn row<const W: usize>(
    game: &Game,
    (lines, sights): (&Lines<W>, &[Arc<Sight<W>>]),
    id: RuleId,
    player: PlayerId,
) -> Row<W> {
    let rule = &game.rules[id.index()];
    let Wanted::Move(movement) = &rule.wants else { unreachable!("listed by kind of event") };
    let kinds = game.kinds().filter(|&kind| movement.kinds.contains(kind));
    let guarded = !movement.through.is_any();
    let reaches = kinds.map(|kind| {
        let mobility = match &movement.way {
            Way::Own => game.mobility(player, kind),
            Way::Pattern(by_player) => &by_player[player.index()],
            Way::First(headings) => return (kind, first_reach(game, lines, headings, player)),
            Way::Dice(_) => unreachable!("such a phase is listed by its rules"),
        };
        (kind, reach(game, sights, mobility, guarded))
    });
    let reaches: Vec<(KindId, Reach<W>)> = reaches.collect();
    let check = check(rule, movement, &reaches);
    Row {
        rule: id,
        source: Land::new(game, &movement.source, player),
        through: Land::new(game, &movement.through, player),
        onto: Land::new(game, &movement.onto, player),
        reaches,
        besides: besides(game, rule, player),
        needs: needs(rule, movement),
        check,
        link: Link::new(rule, movement, player),
        contested: false,
    }
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
fn first_reach<const W: usize>(
    game: &Game,
    lines: &Lines<W>,
    headings: &[Heading],
    player: PlayerId,
) -> Reach<W> {
    let rays = |tile: TileId| {
        let directions = headings.iter().map(|heading| heading[player.index()]);
        let rays = directions.map(|direction| lines.until(tile, direction, Bits::EMPTY));
        rays.fold(Bits::EMPTY, |all, ray| all | ray)
    };
    let singles = ByTile::new(game.tiles().map(rays), Bits::EMPTY);
    Reach { slides: Vec::new(), singles, apart: true, guarded: Vec::new() }
}

fn reach<const W: usize>(
    game: &Game,
    sights: &[Arc<Sight<W>>],
    mobility: &Mobility,
    guarded: bool,
) -> Reach<W> {
    let along = mobility.compiled().iter().flat_map(slid_along).copied();
    let slides = sights_of(sights, &along.collect::<Vec<DirectionId>>());
    if !guarded {
        let singles = single_targets(game, mobility);
        let meets = |(at, tiles): (usize, &Bits<W>)| {
            slides.iter().any(|&sight| !(sights[sight].rays[TileId::at(at)] & *tiles).is_empty())
        };
        let apart = !singles.iter().enumerate().any(meets);
        return Reach { slides, singles, apart, guarded: Vec::new() };
    }
    let from_tile = |from: TileId| {
        let patterns = mobility.compiled().iter();
        patterns.flat_map(move |pattern| past(game, from, pattern)).collect()
    };
    let singles = ByTile::new([], Bits::EMPTY);
    Reach { slides, singles, apart: true, guarded: game.tiles().map(from_tile).collect() }
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
    for part in parts(&rule.when) {
        if let plan::Test::Tile { is, .. } = &part.test {
            ask(is);
        }
    }
    needs
}

/// The parts of a condition that must all hold.
pub(super) fn parts(when: &plan::Condition) -> impl Iterator<Item = &plan::Condition> {
    let all = match &when.test {
        plan::Test::All(all) => all.as_slice(),
        _ => std::slice::from_ref(when),
    };
    all.iter().map(|part| match &part.test {
        plan::Test::Called(one) => one,
        _ => part,
    })
}

fn besides<const W: usize>(game: &Game, rule: &plan::Rule, player: PlayerId) -> Vec<Beside<W>> {
    let beside = |(part, condition): (usize, &plan::Condition)| {
        let plan::Test::Tile { at: plan::Spot::Steps(spot, steps), is } = &condition.test else {
            return None;
        };
        if !matches!(**spot, plan::Spot::To) || !answers(is) {
            return None;
        }
        let walk = |to: TileId| {
            let next =
                |tile, heading: &Heading| game.topology().next(tile, heading[player.index()]);
            Some((to, steps.iter().try_fold(to, next)?))
        };
        let whole = 64 * W as i64;
        let back = |(to, end): (TileId, TileId)| {
            (to.index() as i64 - end.index() as i64).rem_euclid(whole) as u32
        };
        let walks = || game.tiles().filter_map(walk);
        let first = walks().next().map(back)?;
        let targets = walks().fold(Bits::EMPTY, |all, (to, _)| all | Bits::of(to));
        walks().all(|one| back(one) == first).then_some(Beside { part, back: first, targets })
    };
    parts(&rule.when).enumerate().filter_map(beside).collect()
}

impl<const W: usize> Row<W> {
    /// The targets beside which all is as the rule asks.
    pub(super) fn narrow(&self, board: &Board<'_, W>, rule: &plan::Rule, onto: Bits<W>) -> Bits<W> {
        let mut onto = onto;
        for (part, condition) in parts(&rule.when).enumerate() {
            let plan::Test::Tile { is, .. } = &condition.test else { continue };
            for beside in self.besides.iter().filter(|beside| beside.part == part) {
                let there = board.select(is, Bits::FULL);
                onto &= there.turn(beside.back) & beside.targets;
            }
        }
        onto
    }
}

/// Whether an effect leaves every tile but the source and the target as they are.
pub(super) fn is_plain(effect: &Effect) -> bool {
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
pub(super) fn is_royal_safety(condition: &Condition) -> bool {
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
        past.fold(reach.singles[TileId::at(tile)], |all, one| all | Bits::of(one.to))
    };
    let apart = |a: &Reach<W>, b: &Reach<W>| {
        (0..64 * W).all(|tile| (targets(a, tile) & targets(b, tile)).is_empty())
    };
    let pairs = |(kind, a): &(KindId, Reach<W>)| {
        two.reaches.iter().all(|(other, b)| kind != other || apart(a, b))
    };
    fixed(one) && fixed(two) && one.reaches.iter().all(pairs)
}
