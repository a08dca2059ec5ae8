//! Facts about typed rules: what an expression reads of the event, and what it could answer if a
//! foe stood on the target.

use crate::game::Game;
use crate::id::{KindId, PlayerId};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Effect, Fate, Loop, Number, Set, Tile, Truth, Way, Who};
use crate::written::Comparison;

/// What an expression depends on beyond the state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) from: bool,
    pub(crate) to: bool,
    /// A name bound around it.
    pub(crate) local: bool,
    /// What players attack.
    pub(crate) attacks: bool,
    /// Rust code, which may look at anything.
    pub(crate) custom: bool,
    /// What rules could do, or whether the player to move is stuck.
    pub(crate) rules: bool,
}

impl Uses {
    /// Whether it depends on the state alone.
    pub(crate) fn only_state(self) -> bool {
        !self.from && !self.to && !self.local && !self.custom
    }
}

/// A part of an expression, whatever its type.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Set(&'a Set),
    Tile(&'a Tile),
    Number(&'a Number),
    Truth(&'a Condition),
}

impl Way {
    /// The expressions of a way.
    pub(crate) fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Way::Hop(hop) => vec![Part::Set(&hop.over)],
            Way::Steps(ways) => ways.iter().map(|(_, count)| Part::Number(count)).collect(),
            Way::Own | Way::Pattern(_) | Way::First(_) | Way::Dice(_) | Way::Anywhere => Vec::new(),
        }
    }
}

/// What a part depends on.
pub(crate) fn uses(part: Part<'_>) -> Uses {
    let mut found = Uses::default();
    visit(part, &mut |part| match part {
        Part::Tile(Tile::From) => found.from = true,
        Part::Tile(Tile::To) => found.to = true,
        Part::Tile(Tile::Local(_)) | Part::Set(Set::Local(_)) => found.local = true,
        Part::Set(Set::Attacked(_)) => found.attacks = true,
        Part::Truth(Condition {
            test: Truth::Can(..) | Truth::Stuck | Truth::Repeats(_), ..
        }) => found.rules = true,
        Part::Truth(Condition { test: Truth::Custom(_), .. }) => {
            (found.custom, found.from, found.to) = (true, true, true);
        }
        _ => {}
    });
    found
}

/// Whether a part asks about a tile.
pub(crate) fn mentions(part: Part<'_>, tile: &Tile) -> bool {
    let mut found = false;
    visit(part, &mut |part| found |= matches!(part, Part::Tile(one) if one == tile));
    found
}

/// Visits a part and every part inside it.
pub(crate) fn visit<'a>(part: Part<'a>, sink: &mut dyn FnMut(Part<'a>)) {
    sink(part);
    each_child(part, &mut |part| visit(part, sink));
}

/// Visits the parts that a part is made of.
pub(crate) fn each_child<'a>(part: Part<'a>, sink: &mut dyn FnMut(Part<'a>)) {
    match part {
        Part::Set(set) => each_child_of_set(set, sink),
        Part::Tile(tile) => match tile {
            Tile::From | Tile::To | Tile::Const(_) | Tile::Local(_) => {}
            Tile::Only(set) => sink(Part::Set(set)),
            Tile::Steps(tile, _) => sink(Part::Tile(tile)),
            Tile::First { from, at, .. } => {
                [Part::Tile(from), Part::Set(at)].into_iter().for_each(sink);
            }
        },
        Part::Number(number) => each_child_of_number(number, sink),
        Part::Truth(condition) => each_child_of_truth(&condition.test, sink),
    }
}

fn looped_over(over: &Loop) -> Part<'_> {
    match over {
        Loop::Tiles(_, set) | Loop::Groups(_, set, _) => Part::Set(set),
    }
}

fn each_child_of_set<'a>(set: &'a Set, sink: &mut dyn FnMut(Part<'a>)) {
    match set {
        Set::Const(_)
        | Set::Empty
        | Set::Owned(_)
        | Set::Kind(_)
        | Set::Royal
        | Set::Flag(_)
        | Set::Mark(_)
        | Set::AtLeast(..)
        | Set::Attacked(_)
        | Set::Local(_) => {}
        Set::At(tile) | Set::Ray(tile, _) | Set::Row(tile, _) => sink(Part::Tile(tile)),
        Set::All(all) | Set::Any(all) => all.iter().map(Part::Set).for_each(sink),
        Set::Not(one)
        | Set::Step(one, _)
        | Set::Around(one, _)
        | Set::Origin(one, _)
        | Set::Line { of: one, .. } => sink(Part::Set(one)),
        Set::RunOrigin { over: one, end: other, .. }
        | Set::Reach { from: one, over: other, .. } => {
            [Part::Set(one), Part::Set(other)].into_iter().for_each(sink);
        }
        Set::Distant { from, steps, .. } => {
            [Part::Tile(from), Part::Number(steps)].into_iter().for_each(sink);
        }
        Set::Run { from, over, end, .. } => {
            sink(Part::Tile(from));
            sink(Part::Set(over));
            end.iter().for_each(|end| sink(Part::Set(end)));
        }
        Set::Span(one, other) | Set::Between(one, other) => {
            [Part::Tile(one), Part::Tile(other)].into_iter().for_each(sink);
        }
        Set::If(truth, yes, no) => {
            [Part::Truth(truth), Part::Set(yes), Part::Set(no)].into_iter().for_each(sink);
        }
        Set::Union(over, set) => [looped_over(over), Part::Set(set)].into_iter().for_each(sink),
    }
}

fn each_child_of_number<'a>(number: &'a Number, sink: &mut dyn FnMut(Part<'a>)) {
    match number {
        Number::Is(_) | Number::Variable(..) | Number::Die(_) | Number::Hand(..) => {}
        Number::Count(set)
        | Number::Pieces(set, ..)
        | Number::Attribute(_, set)
        | Number::Groups(set, _) => sink(Part::Set(set)),
        Number::Distance(tile, _, set) => {
            [Part::Tile(tile), Part::Set(set)].into_iter().for_each(sink);
        }
        Number::Sum(all) | Number::Times(all) | Number::Min(all) | Number::Max(all) => {
            all.iter().map(Part::Number).for_each(sink);
        }
        Number::Minus(one, other) => {
            [Part::Number(one), Part::Number(other)].into_iter().for_each(sink);
        }
        Number::If(truth, yes, no) => {
            [Part::Truth(truth), Part::Number(yes), Part::Number(no)].into_iter().for_each(sink);
        }
    }
}

fn each_child_of_truth<'a>(truth: &'a Truth, sink: &mut dyn FnMut(Part<'a>)) {
    match truth {
        Truth::Always
        | Truth::Never
        | Truth::Turn(_)
        | Truth::Stuck
        | Truth::Repeats(_)
        | Truth::Custom(_) => {}
        Truth::All(all) | Truth::Any(all) => all.iter().map(Part::Truth).for_each(sink),
        Truth::Not(one) | Truth::Called(one) | Truth::Relevant(one) => sink(Part::Truth(one)),
        Truth::Compare(left, _, right) => {
            [Part::Number(left), Part::Number(right)].into_iter().for_each(sink);
        }
        Truth::In(tile, set) => [Part::Tile(tile), Part::Set(set)].into_iter().for_each(sink),
        Truth::Some(set) | Truth::None(set) | Truth::Line(_, set) => sink(Part::Set(set)),
        Truth::Can(_, tile) => sink(Part::Tile(tile)),
        Truth::Exists(over, one) | Truth::Each(over, one) => {
            [looped_over(over), Part::Truth(one)].into_iter().for_each(sink);
        }
    }
}

/// Visits every effect, those inside others included.
pub(crate) fn visit_effects<'a>(effects: &'a [Effect], sink: &mut dyn FnMut(&'a Effect)) {
    for effect in effects {
        sink(effect);
        match effect {
            Effect::When { then, otherwise, .. } => {
                visit_effects(then, sink);
                visit_effects(otherwise, sink);
            }
            Effect::Each(_, inside) | Effect::Repeat(_, inside) => visit_effects(inside, sink),
            _ => {}
        }
    }
}

/// The expressions of an effect itself, those of effects inside it left out.
pub(crate) fn effect_parts(effect: &Effect) -> Vec<Part<'_>> {
    match effect {
        Effect::Capture { on, to: Fate::Tile(tile) } => vec![Part::Set(on), Part::Tile(tile)],
        Effect::Capture { on, .. }
        | Effect::Clear(on)
        | Effect::Flag { on, .. }
        | Effect::Mark { on, .. }
        | Effect::Become { on, .. }
        | Effect::Give { on, .. }
        | Effect::Shift { on, .. }
        | Effect::Place { on, .. } => vec![Part::Set(on)],
        Effect::Carry { from, to } => vec![Part::Tile(from), Part::Tile(to)],
        Effect::Together(moves) => {
            moves.iter().flat_map(|(from, to)| [Part::Tile(from), Part::Tile(to)]).collect()
        }
        Effect::Set { to: number, .. }
        | Effect::Add { by: number, .. }
        | Effect::Show { value: number, .. }
        | Effect::Repeat(number, _) => vec![Part::Number(number)],
        Effect::Sow { from, skip, .. } => vec![Part::Tile(from), Part::Set(skip)],
        Effect::When { condition, .. } | Effect::TurnWhere(condition) => {
            vec![Part::Truth(condition)]
        }
        Effect::Each(Loop::Tiles(_, set) | Loop::Groups(_, set, _), _) => vec![Part::Set(set)],
        Effect::Turn(_) | Effect::Unroll(_) | Effect::Reset | Effect::Custom(_) => Vec::new(),
    }
}

/// Whether a count compared with a number asks for any at all, or for none; nothing where it asks for
/// more.
pub(super) fn asks_any(is: Comparison, number: i64) -> Option<bool> {
    match (is, number) {
        (Comparison::Greater | Comparison::Different, 0) | (Comparison::AtLeast, 1) => Some(true),
        (Comparison::Equal | Comparison::AtMost, 0) | (Comparison::Less, 1) => Some(false),
        _ => None,
    }
}

/// Whether it depends on the pieces of a tile alone whether that tile is in a set.
pub(super) fn is_local(set: &Set) -> bool {
    match set {
        Set::Const(_)
        | Set::Empty
        | Set::Owned(_)
        | Set::Kind(_)
        | Set::Royal
        | Set::AtLeast(..) => true,
        Set::All(all) | Set::Any(all) => all.iter().all(is_local),
        Set::Not(one) => is_local(one),
        _ => false,
    }
}

/// Tiles outside of which no tile of a set ever lies, for a player.
pub(crate) fn outline(game: &Game, player: PlayerId, set: &Set) -> TileSet {
    match set {
        Set::Const(regions) => regions[player.index()],
        Set::All(all) => {
            all.iter().fold(game.all_tiles, |tiles, one| tiles & outline(game, player, one))
        }
        _ => game.all_tiles,
    }
}

/// Whether effects leave every piece where it is, of its kind and owner.
pub(crate) fn moves_nothing(effects: &[Effect]) -> bool {
    let mut nothing = true;
    visit_effects(effects, &mut |effect| nothing &= leaves_pieces(effect));
    nothing
}

/// Whether effects take pieces by captures alone.
pub(crate) fn captures_alone(effects: &[Effect]) -> bool {
    let mut alone = true;
    visit_effects(effects, &mut |effect| {
        alone &= leaves_pieces(effect) || matches!(effect, Effect::Capture { .. });
    });
    alone
}

/// Whether effects leave every piece but that on the target as it is.
pub(crate) fn touches_target_alone(effects: &[Effect]) -> bool {
    let mut alone = true;
    visit_effects(effects, &mut |effect| {
        alone &= match effect {
            Effect::Become { on, .. }
            | Effect::Capture { on, to: Fate::Out | Fate::Hand(_) }
            | Effect::Clear(on) => is_within_target(on),
            effect => leaves_pieces(effect),
        };
    });
    alone
}

/// Whether a set has no tile but the target.
fn is_within_target(set: &Set) -> bool {
    match set {
        Set::At(tile) => **tile == Tile::To,
        Set::All(all) => all.iter().any(is_within_target),
        Set::Any(any) => any.iter().all(is_within_target),
        _ => false,
    }
}

/// Whether an effect itself leaves every piece as it is.
pub(super) fn leaves_pieces(effect: &Effect) -> bool {
    matches!(
        effect,
        Effect::Flag { .. }
            | Effect::Mark { .. }
            | Effect::Set { .. }
            | Effect::Add { .. }
            | Effect::Turn(_)
            | Effect::TurnWhere(_)
            | Effect::Unroll(_)
            | Effect::Show { .. }
            | Effect::When { .. }
            | Effect::Each(..)
            | Effect::Repeat(..)
    )
}

/// The kinds into whose hand effects put pieces, or from which they place them.
pub(crate) fn uses_hand(effects: &[Effect]) -> bool {
    let mut found = false;
    visit_effects(effects, &mut |effect| {
        found |= matches!(effect, Effect::Place { .. } | Effect::Capture { to: Fate::Hand(_), .. });
    });
    found
}

/// The parts that must all hold for a condition to hold, from the outside in.
pub(crate) fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    fn gather<'c>(condition: &'c Condition, into: &mut Vec<&'c Condition>) {
        match &condition.test {
            Truth::Always => {}
            Truth::All(all) => all.iter().for_each(|one| gather(one, into)),
            Truth::Called(one) | Truth::Relevant(one) => gather(one, into),
            _ => into.push(condition),
        }
    }
    let mut parts = Vec::new();
    gather(condition, &mut parts);
    parts
}

/// A foe that could stand on the target of a capture.
#[derive(Clone, Copy)]
pub(crate) struct Foe {
    player: PlayerId,
    kind: KindId,
    flags: u64,
}

/// The most flags of which every combination is tried.
const MAX_FLAGS: u32 = 6;

/// Every foe of a player that some expressions could tell from others.
pub(crate) fn foes(game: &Game, player: PlayerId, parts: &[Part<'_>]) -> Vec<Foe> {
    let mut flags = 0u64;
    let mut tells_kinds = false;
    let mut tells_players = false;
    for part in parts {
        visit(*part, &mut |part| match part {
            Part::Set(Set::Flag(flag)) => flags |= 1 << flag.index(),
            Part::Set(Set::Kind(_) | Set::Royal) => tells_kinds = true,
            Part::Set(Set::Owned(Who::Player(_))) => tells_players = true,
            _ => {}
        });
    }
    // With more flags than this, each is tried alone and all together.
    let masks: Vec<u64> = match flags.count_ones() {
        0..=MAX_FLAGS => (0..1u64 << flags.count_ones()).map(|n| spread(n, flags)).collect(),
        _ => std::iter::once(0).chain((0..64).map(|bit| flags & 1 << bit)).chain([flags]).collect(),
    };
    let players = game.seats().filter(|&foe| game.are_foes(player, foe));
    let players: Vec<PlayerId> = players.take(if tells_players { 64 } else { 1 }).collect();
    let kinds: Vec<KindId> = game.kinds().take(if tells_kinds { 255 } else { 1 }).collect();
    let mut foes = Vec::new();
    for &player in &players {
        for &kind in &kinds {
            foes.extend(masks.iter().map(|&flags| Foe { player, kind, flags }));
        }
    }
    foes
}

/// The bits of a number laid out over the set bits of a mask.
fn spread(number: u64, mask: u64) -> u64 {
    let bits = (0..64).filter(|bit| mask >> bit & 1 == 1).enumerate();
    bits.fold(0, |all, (at, bit)| all | (number >> at & 1) << bit)
}

/// The same tiles for every player judged.
pub(super) fn constant(game: &Game, tiles: TileSet) -> Set {
    Set::Const(vec![tiles; game.layout.players])
}

/// The sets that an intersection is made of, those of intersections inside it included.
pub(crate) fn flatten<'s>(set: &'s Set, into: &mut Vec<&'s Set>) {
    match set {
        Set::All(all) => all.iter().for_each(|one| flatten(one, into)),
        one => into.push(one),
    }
}

/// What a set of tiles would be at the target if a foe stood there.
pub(crate) fn as_if(game: &Game, foe: Foe, set: &Set) -> Set {
    let known = |holds: bool| constant(game, if holds { game.all_tiles } else { TileSet::EMPTY });
    let all = |sets: &[Set]| sets.iter().map(|one| as_if(game, foe, one)).collect();
    match set {
        Set::Empty | Set::Owned(Who::Mover | Who::Ally | Who::Friend) => known(false),
        Set::Owned(Who::Foe | Who::Anyone) => known(true),
        Set::Owned(Who::Player(player)) => known(*player == foe.player),
        Set::Kind(kind) => known(*kind == foe.kind),
        Set::Royal => known(game.royals.contains(&foe.kind)),
        Set::Flag(flag) => known(foe.flags >> flag.index() & 1 == 1),
        Set::All(sets) => Set::All(all(sets)),
        Set::Any(sets) => Set::Any(all(sets)),
        Set::Not(one) => Set::Not(Box::new(as_if(game, foe, one))),
        other => other.clone(),
    }
}

/// A condition with what it asks of the target's own tile replaced in the same way.
pub(crate) fn condition_as_if(game: &Game, foe: Foe, condition: &Condition) -> Condition {
    let inner = |one: &Condition| condition_as_if(game, foe, one);
    let test = match &condition.test {
        Truth::All(inside) => Truth::All(inside.iter().map(inner).collect()),
        Truth::Any(inside) => Truth::Any(inside.iter().map(inner).collect()),
        Truth::Not(one) => Truth::Not(Box::new(inner(one))),
        Truth::Called(one) => Truth::Called(Box::new(inner(one))),
        Truth::Relevant(one) => Truth::Relevant(Box::new(inner(one))),
        Truth::In(Tile::To, set) => Truth::In(Tile::To, as_if(game, foe, set)),
        other => other.clone(),
    };
    Condition { number: condition.number, test }
}

/// The tiles whose being attacked makes a condition fail.
pub(super) fn attacked_tiles(condition: &Condition) -> Option<&Set> {
    match &condition.test {
        Truth::Called(one) => attacked_tiles(one),
        Truth::None(set) | Truth::Compare(Number::Count(set), ..)
            if uses(Part::Set(set)).attacks =>
        {
            Some(set)
        }
        _ => None,
    }
}

/// Visits a condition and those it is made of, in the order of their numbers.
pub(crate) fn each_condition(condition: &Condition, visit: &mut dyn FnMut(&Condition)) {
    if condition.number == crate::typed::UNNUMBERED {
        return;
    }
    visit(condition);
    match &condition.test {
        Truth::All(all) | Truth::Any(all) => {
            all.iter().for_each(|one| each_condition(one, visit));
        }
        Truth::Not(one) | Truth::Called(one) | Truth::Relevant(one) => each_condition(one, visit),
        _ => {}
    }
}
