//! What players attack: by classes of movement where rules to capture ask for nothing more, by the
//! rules themselves otherwise.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::game::Game;
use crate::id::{DirectionId, KindId, PlayerId, RuleId};
use crate::ir::{ANSWER, FOUND, FROM, NumReg, Op, SetReg, TO};
use crate::path::{CompiledPattern, Mobility};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Movement, Number, Rule, Set, Tile, Truth, Wanted, Way, Who};
use crate::written::Reach;

use super::fact::{Part, as_if, asks_any, conjuncts, constant, flatten, foes, is_local};
use super::{Builder, Lowering};

/// How pieces travel: leaps, of one step or several, and slides.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Travel {
    pub(super) leaps: Vec<Vec<DirectionId>>,
    pub(super) slides: Vec<DirectionId>,
}

impl Travel {
    pub(super) fn of(mobility: &Mobility) -> Travel {
        let mut travel = Travel::default();
        for pattern in mobility.compiled() {
            match pattern {
                CompiledPattern::Fixed(steps) => travel.leaps.push(steps.to_vec()),
                CompiledPattern::Ray { direction, reach } => travel.ray(*direction, *reach),
                CompiledPattern::MultiRay { directions, reach } => {
                    directions.iter().for_each(|direction| travel.ray(*direction, *reach));
                }
            }
        }
        travel.leaps.dedup();
        travel
    }

    fn ray(&mut self, direction: DirectionId, reach: Reach) {
        match reach {
            Reach::Once => self.leaps.push(vec![direction]),
            Reach::Repeat => self.slides.push(direction),
        }
    }
}

/// Pieces that attack alike: a movement class.
#[derive(Clone)]
pub(super) struct Class {
    pub(super) player: PlayerId,
    pub(super) travel: Travel,
    /// Where such pieces stand.
    pub(super) pieces: Set,
    /// The tiles that they attack, wherever they travel.
    pub(super) onto: TileSet,
}

/// What a player attacks by.
#[derive(Clone, Default)]
pub(super) struct Attacks {
    pub(super) classes: Vec<Class>,
    /// Rules that ask more than a class can say.
    pub(super) rules: Vec<RuleId>,
}

impl Attacks {
    /// Adds a way in which pieces attack; ways with the same pieces are one class.
    fn add(
        &mut self,
        player: PlayerId,
        pieces: Vec<Set>,
        onto: TileSet,
        add: impl FnOnce(&mut Travel),
    ) {
        let pieces = Set::Any(pieces);
        let same = |class: &&mut Class| class.pieces == pieces && class.onto == onto;
        match self.classes.iter_mut().find(same) {
            Some(class) => add(&mut class.travel),
            None => {
                let mut travel = Travel::default();
                add(&mut travel);
                self.classes.push(Class { player, travel, pieces, onto });
            }
        }
    }
}

impl<'g> Lowering<'g> {
    pub(super) fn attacks(&mut self) {
        for player in self.players() {
            let mut builder = self.builder(player);
            let found = builder.attacked_set(1 << player.index());
            builder.push(Op::Copy(FOUND, found));
            let all = builder.finish();
            let mut builder = self.builder(player);
            let found = builder.attacked_from(FROM);
            builder.push(Op::Copy(FOUND, found));
            let from = builder.finish();
            let mut builder = self.builder(player);
            let holds = builder.is_attacked(TO, 1 << player.index());
            builder.push(Op::Move(ANSWER, holds));
            let probe = builder.finish();
            self.entries.attacks.push(all);
            self.entries.attacks_from.push(from);
            self.entries.probes.push(probe);
        }
    }

    /// What a player attacks by.
    pub(super) fn attacks_of(&mut self, player: PlayerId) -> Rc<Attacks> {
        if let Some(known) = self.attacks.get(&player) {
            return known.clone();
        }
        let attacks = Rc::new(self.find_attacks(player));
        self.attacks.insert(player, attacks.clone());
        attacks
    }

    fn find_attacks(&self, player: PlayerId) -> Attacks {
        let game = self.game;
        let mut attacks = Attacks::default();
        let (mut leaps, mut slides) = (BTreeMap::new(), BTreeMap::new());
        for &id in &game.threatening {
            let rule = &game.rules[id.index()];
            let Wanted::Move(movement) = &rule.wants else { continue };
            if matches!(movement.way, Way::First(_) | Way::Dice(_)) {
                continue;
            }
            let by_pattern = matches!(movement.way, Way::Own | Way::Pattern(_));
            let simple = by_pattern
                && is_local(&movement.source)
                && self.is_everywhere(&movement.through, player);
            let foes = foes(game, player, &[Part::Set(&movement.onto)]).into_iter();
            let lands = Set::Any(foes.map(|foe| as_if(game, foe, &movement.onto)).collect());
            let Some(journeys) = self.fixed(&lands, player).and_then(|onto| {
                if onto.is_empty() { Some(Vec::new()) } else { self.journeys(rule, player, onto) }
            }) else {
                attacks.rules.push(id);
                continue;
            };
            if !simple && !journeys.is_empty() {
                attacks.rules.push(id);
                continue;
            }
            for (kinds, travel) in self.travels(movement, player) {
                let pieces = self.pieces(movement, player, &kinds);
                for &(from, onto) in &journeys {
                    let pieces = match from == game.all_tiles {
                        true => pieces.clone(),
                        false => Set::All(vec![pieces.clone(), constant(game, from)]),
                    };
                    let landing = Landing { pieces, onto, rules: vec![id] };
                    for leap in &travel.leaps {
                        add_landing(leaps.entry(leap.clone()).or_default(), &landing);
                    }
                    for &slide in &travel.slides {
                        add_landing(slides.entry(slide).or_default(), &landing);
                    }
                }
            }
        }
        for (leap, landings) in leaps {
            let mut by_target: Vec<(Vec<Set>, TileSet)> = Vec::new();
            for Landing { pieces, onto, .. } in without_parts(landings) {
                match by_target.iter_mut().find(|(_, known)| *known == onto) {
                    Some((all, _)) => all.push(pieces),
                    None => by_target.push((vec![pieces], onto)),
                }
            }
            for (pieces, onto) in by_target {
                attacks.add(player, pieces, onto, |travel| travel.leaps.push(leap.clone()));
            }
        }
        for (slide, landings) in slides {
            let landings = without_parts(landings);
            // What lies in the way of a slide ends it, so that it cannot be kept to some tiles.
            let part = |landing: &&Landing| landing.onto != game.all_tiles;
            attacks.rules.extend(landings.iter().filter(part).flat_map(|landing| &landing.rules));
            let pieces = landings.into_iter().filter(|landing| !part(&landing));
            let pieces: Vec<Set> = pieces.map(|landing| landing.pieces).collect();
            if !pieces.is_empty() {
                attacks.add(player, pieces, game.all_tiles, |travel| travel.slides.push(slide));
            }
        }
        attacks.rules.sort_unstable();
        attacks.rules.dedup();
        attacks
    }

    /// From where to where a rule leads that lands on some tiles, where its conditions ask only in
    /// which fixed sets source and target lie.
    pub(super) fn journeys(
        &self,
        rule: &Rule,
        player: PlayerId,
        onto: TileSet,
    ) -> Option<Vec<(TileSet, TileSet)>> {
        let mut journeys = vec![(self.game.all_tiles, onto)];
        for condition in conjuncts(&rule.when) {
            let parts = self.fixed_journeys(condition, player)?;
            let meet = |&(from, onto): &(TileSet, TileSet)| {
                parts.iter().map(move |part| (from & part.0, onto & part.1)).collect::<Vec<_>>()
            };
            journeys = journeys.iter().flat_map(meet).collect();
            journeys.retain(|(from, onto)| !from.is_empty() && !onto.is_empty());
            if journeys.len() > MAX_JOURNEYS {
                return None;
            }
        }
        Some(journeys)
    }

    fn fixed_journeys(
        &self,
        condition: &Condition,
        player: PlayerId,
    ) -> Option<Vec<(TileSet, TileSet)>> {
        let all = self.game.all_tiles;
        let known = |holds: bool| if holds { vec![(all, all)] } else { Vec::new() };
        match &condition.test {
            Truth::Always => Some(known(true)),
            Truth::Never => Some(known(false)),
            // Attacks are asked as if it were the attacker's turn.
            Truth::Turn(whose) => Some(known(*whose == player)),
            Truth::In(Tile::From, set) => Some(vec![(self.fixed(set, player)?, all)]),
            Truth::In(Tile::To, set) => Some(vec![(all, self.fixed(set, player)?)]),
            Truth::Some(set) => self.journeys_in(set, player, false),
            Truth::None(set) => self.journeys_in(set, player, true),
            Truth::Compare(Number::Count(set), is, Number::Is(number)) => {
                self.journeys_in(set, player, !asks_any(*is, *number)?)
            }
            Truth::Called(one) | Truth::Relevant(one) => self.fixed_journeys(one, player),
            Truth::Not(one) => match &self.fixed_journeys(one, player)?[..] {
                [] => Some(known(true)),
                [(from, onto)] => {
                    let parts = [(all.without(*from), all), (*from, all.without(*onto))];
                    let some = |part: &(TileSet, TileSet)| !part.0.is_empty() && !part.1.is_empty();
                    Some(parts.into_iter().filter(some).collect())
                }
                _ => None,
            },
            Truth::Any(any) => {
                let parts: Option<Vec<_>> =
                    any.iter().map(|one| self.fixed_journeys(one, player)).collect();
                Some(parts?.concat())
            }
            _ => None,
        }
    }

    /// The journeys that start or end in a set, such as the target within a region, or all others.
    fn journeys_in(
        &self,
        set: &Set,
        player: PlayerId,
        others: bool,
    ) -> Option<Vec<(TileSet, TileSet)>> {
        let mut parts = Vec::new();
        flatten(set, &mut parts);
        let ends = |part: &&Set| match part {
            Set::At(tile) => matches!(**tile, Tile::From | Tile::To),
            _ => false,
        };
        let (named, rest): (Vec<&Set>, Vec<&Set>) = parts.into_iter().partition(ends);
        let all = self.game.all_tiles;
        let fixed = rest.iter().map(|one| self.fixed(one, player));
        let fixed = fixed.collect::<Option<Vec<_>>>()?.into_iter().fold(all, |all, one| all & one);
        let tiles = if others { all.without(fixed) } else { fixed };
        let [Set::At(tile)] = named[..] else { return None };
        Some(match **tile {
            Tile::From => vec![(tiles, all)],
            _ => vec![(all, tiles)],
        })
    }

    /// Kinds of a movement rule that travel alike.
    pub(super) fn travels(
        &self,
        movement: &Movement,
        player: PlayerId,
    ) -> Vec<(Vec<KindId>, Travel)> {
        let game = self.game;
        let mut groups: Vec<(Vec<KindId>, Travel)> = Vec::new();
        for kind in game.kinds().filter(|&kind| movement.kinds.contains(kind)) {
            let travel = match &movement.way {
                Way::Own => Travel::of(game.mobility(player, kind)),
                Way::Pattern(mobility) => Travel::of(&mobility[player.index()]),
                _ => Travel::default(),
            };
            match groups.iter_mut().find(|(_, known)| *known == travel) {
                Some((kinds, _)) => kinds.push(kind),
                None => groups.push((vec![kind], travel)),
            }
        }
        groups
    }

    /// The same by movement class: kinds that share a way of travelling are looked at together, such
    /// as all that slide along lines, whatever else they can do. A kind may be in several classes.
    pub(super) fn travel_classes(
        &self,
        movement: &Movement,
        player: PlayerId,
    ) -> Vec<(Vec<KindId>, Travel)> {
        let groups = self.travels(movement, player);
        let mut slides: BTreeMap<DirectionId, Vec<KindId>> = BTreeMap::new();
        for (kinds, travel) in &groups {
            for &slide in &travel.slides {
                slides.entry(slide).or_default().extend(kinds);
            }
        }
        let mut classes: Vec<(Vec<KindId>, Travel)> = Vec::new();
        for (kinds, travel) in groups {
            if !travel.leaps.is_empty() {
                classes.push((kinds, Travel { leaps: travel.leaps, slides: Vec::new() }));
            }
        }
        let leaps = classes.len();
        for (slide, kinds) in slides {
            match classes[leaps..].iter_mut().find(|(known, _)| *known == kinds) {
                Some((_, travel)) => travel.slides.push(slide),
                None => classes.push((kinds, Travel { leaps: Vec::new(), slides: vec![slide] })),
            }
        }
        classes
    }

    /// Where a player's pieces of some kinds stand that a movement rule is about.
    pub(super) fn pieces(&self, movement: &Movement, player: PlayerId, kinds: &[KindId]) -> Set {
        let mut parts = owned(self.game, player, kinds);
        if !self.is_everywhere(&movement.source, player) {
            parts.push(movement.source.clone());
        }
        Set::All(parts)
    }

    /// Whether a set is always every tile.
    pub(super) fn is_everywhere(&self, set: &Set, player: PlayerId) -> bool {
        self.fixed(set, player).is_some_and(|tiles| tiles == self.game.all_tiles)
    }

    /// The tiles of a set that never change, if they never do.
    pub(super) fn fixed(&self, set: &Set, player: PlayerId) -> Option<TileSet> {
        match set {
            Set::Const(regions) => Some(regions[player.index()]),
            Set::All(all) => {
                let sets: Vec<_> = all.iter().map(|one| self.fixed(one, player)).collect();
                if sets.contains(&Some(TileSet::EMPTY)) {
                    return Some(TileSet::EMPTY);
                }
                sets.into_iter().try_fold(self.game.all_tiles, |all, one| Some(all & one?))
            }
            Set::Any(any) => {
                let sets: Vec<_> = any.iter().map(|one| self.fixed(one, player)).collect();
                if sets.contains(&Some(self.game.all_tiles)) {
                    return Some(self.game.all_tiles);
                }
                sets.into_iter().try_fold(TileSet::EMPTY, |all, one| Some(all | one?))
            }
            Set::Not(one) => Some(self.game.all_tiles.without(self.fixed(one, player)?)),
            _ => None,
        }
    }
}

/// The sets whose intersection are a player's pieces of some kinds.
pub(super) fn owned(game: &Game, player: PlayerId, kinds: &[KindId]) -> Vec<Set> {
    let mut parts = vec![Set::Owned(Who::Player(player))];
    if kinds.len() < game.layout.kinds {
        parts.push(match kinds {
            [kind] => Set::Kind(*kind),
            kinds => Set::Any(kinds.iter().map(|&kind| Set::Kind(kind)).collect()),
        });
    }
    parts
}

/// The most parts into which the journeys of a rule are cut.
const MAX_JOURNEYS: usize = 8;

/// Pieces that attack some tiles by one way of travelling, by these rules.
#[derive(Clone)]
struct Landing {
    pieces: Set,
    onto: TileSet,
    rules: Vec<RuleId>,
}

/// Adds what pieces attack to what the same pieces attack by other rules.
fn add_landing(landings: &mut Vec<Landing>, landing: &Landing) {
    match landings.iter_mut().find(|known| known.pieces == landing.pieces) {
        Some(known) => {
            known.onto = known.onto | landing.onto;
            known.rules.extend(&landing.rules);
        }
        None => landings.push(landing.clone()),
    }
}

/// Leaves out what other landings say too, of more pieces or more tiles.
fn without_parts(landings: Vec<Landing>) -> Vec<Landing> {
    let is_part = |one: &Landing, other: &Landing| {
        one.pieces != other.pieces
            && one.onto.without(other.onto).is_empty()
            && is_narrower(&one.pieces, &other.pieces)
    };
    let kept = landings.iter().filter(|one| !landings.iter().any(|other| is_part(one, other)));
    kept.cloned().collect()
}

/// Whether an intersection has every part of another.
fn is_narrower(set: &Set, other: &Set) -> bool {
    let (mut some, mut others) = (Vec::new(), Vec::new());
    flatten(set, &mut some);
    flatten(other, &mut others);
    others.iter().all(|part| some.contains(part))
}

impl Builder<'_, '_> {
    /// Runs code as another player.
    pub(super) fn as_player<T>(
        &mut self,
        player: PlayerId,
        fill: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let judged = std::mem::replace(&mut self.player, player);
        let result = fill(self);
        self.player = judged;
        result
    }

    /// What stands in the way: pieces on tiles that hold one.
    pub(super) fn blockers(&mut self) -> SetReg {
        let occupied = Set::Owned(Who::Anyone);
        if self.game.exclusive == self.game.all_tiles {
            return self.set(&occupied);
        }
        let exclusive = constant(self.game, self.game.exclusive);
        self.set(&Set::All(vec![occupied, exclusive]))
    }

    /// The rules by which a player attacks where code is now.
    pub(super) fn awake(&self, player: PlayerId, attacks: &Attacks) -> Vec<RuleId> {
        let rules = attacks.rules.iter().copied();
        rules.filter(|&rule| !self.asleep.contains(&(player, rule))).collect()
    }

    /// The players of a mask.
    pub(super) fn of_mask(&self, players: u64) -> Vec<PlayerId> {
        let all = self.game.players();
        all.filter(|player| players >> player.index() & 1 == 1).collect()
    }

    /// The tiles that some players attack.
    pub(super) fn attacked_set(&mut self, players: u64) -> SetReg {
        let blockers = self.blockers();
        let all = self.constant_set(TileSet::EMPTY);
        for player in self.of_mask(players) {
            let attacks = self.lowering.attacks_of(player);
            for class in &attacks.classes {
                let pieces = self.as_player(player, |builder| builder.set(&class.pieces));
                self.add_attacks(all, class, pieces, blockers);
            }
            for rule in self.awake(player, &attacks) {
                self.add_rule_attacks(all, rule, player, None);
            }
        }
        all
    }

    /// Whether what all pieces of a class attack is found by a few steps of sets.
    pub(super) fn attacks_at_once(&self, class: &Class) -> bool {
        let leaps = &class.travel.leaps;
        class.travel.slides.is_empty()
            && leaps.len() <= 2
            && !leaps.iter().any(|leap| self.lowering.comes_back(leap))
    }

    /// Adds the tiles that pieces attack by one way of travelling.
    pub(super) fn add_attacks(
        &mut self,
        all: SetReg,
        class: &Class,
        pieces: SetReg,
        blockers: SetReg,
    ) {
        if self.attacks_at_once(class) {
            for leap in &class.travel.leaps {
                let mut image = self.image(pieces, leap);
                if class.onto != self.game.all_tiles {
                    let onto = self.constant_set(class.onto);
                    image = self.and(image, onto);
                }
                self.push(Op::Or(all, all, image));
            }
            return;
        }
        let tile = self.new_number();
        let body = self.nested(|builder| {
            builder.add_seen(all, (&class.travel, &class.onto), tile, blockers);
        });
        self.push(Op::ForTiles(pieces, tile, body));
    }

    /// Adds the tiles that a piece on a tile sees.
    pub(super) fn add_seen(
        &mut self,
        all: SetReg,
        (travel, onto): (&Travel, &TileSet),
        tile: NumReg,
        blockers: SetReg,
    ) {
        if !travel.leaps.is_empty() {
            let (rows, seen) = (self.lowering.leap_rows(&travel.leaps, onto), self.new_set());
            self.push(Op::Row(seen, rows, tile));
            self.push(Op::Or(all, all, seen));
        }
        if !travel.slides.is_empty() {
            let (slide, seen) = (self.lowering.slide(&travel.slides), self.new_set());
            self.push(Op::Slide(seen, slide, tile, blockers));
            self.push(Op::Or(all, all, seen));
        }
    }

    /// The tiles that the player judged attacks from one tile.
    fn attacked_from(&mut self, from: NumReg) -> SetReg {
        let (player, blockers) = (self.player, self.blockers());
        let all = self.constant_set(TileSet::EMPTY);
        let attacks = self.lowering.attacks_of(player);
        for class in &attacks.classes {
            let pieces = self.set(&class.pieces);
            let stands = self.has(pieces, from);
            let body = self.nested(|builder| {
                builder.add_seen(all, (&class.travel, &class.onto), from, blockers);
            });
            self.push(Op::If(stands, body, Vec::new()));
        }
        let single = self.single(from);
        for &rule in &attacks.rules {
            self.add_rule_attacks(all, rule, player, Some(single));
        }
        all
    }

    /// Adds the tiles that a rule attacks which asks more than a class can say.
    pub(super) fn add_rule_attacks(
        &mut self,
        all: SetReg,
        rule: RuleId,
        player: PlayerId,
        within: Option<SetReg>,
    ) {
        let registers = (self.new_number(), self.new_number());
        // What the rule asks is asked as if it were the attacker's turn.
        let event = std::mem::replace(&mut self.event, registers);
        let to_move = self.to_move.replace(player);
        self.as_player(player, |builder| builder.rule_attacks(all, rule, within));
        (self.event, self.to_move) = (event, to_move);
    }
}
