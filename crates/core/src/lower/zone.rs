//! The danger zone: tiles on which a change can open or close an attack on the mover's royal piece.
//!
//! Where masks cannot tell checks and pins, because foes attack over hurdles or past legs that may
//! be blocked, an event is tried on a copy of the state. While the royal piece is not attacked, that
//! is needed only where the event touches the zone; every other event leaves it as safe as it is.
//!
//! A rule may attack only under a condition, such as a number that a variable has. What the event makes
//! of the condition is not looked at: the zone is that of a rule that always attacks.

use crate::id::{DirectionId, KindId, PlayerId, RuleId};
use crate::ir::{NumReg, Op, RowsId, SetReg, SlideId};
use crate::tile_set::TileSet;
use crate::typed::{Movement, Rule, Set, Wanted, Way, Who};
use crate::written::{Comparison, Deed};

use super::attack::{Class, Travel, owned};
use super::fact::{is_local, moves_nothing, touches_target_alone};
use super::rest::AtRest;
use super::table::Zone as Near;
use super::{Builder, Lowering};

/// Registers with what is known of attacks on the mover's royal piece.
#[derive(Clone, Copy)]
pub(super) struct Zone {
    royals: SetReg,
    /// The tiles of the zone; all tiles where nothing is known, because there are several royal pieces or
    /// one may be attacked.
    pub(super) tiles: SetReg,
    /// Whether all that the zone is about travels by patterns, whatever its rules ask, so that where
    /// it could attack is known.
    pub(super) by_patterns: bool,
}

/// Pieces of a foe with the ways by which they attack past other tiles.
pub(super) struct Threat {
    player: PlayerId,
    pieces: Set,
    slides: Vec<DirectionId>,
    /// Leaps that other tiles can block; of conditional threats all leaps.
    leaps: Vec<Vec<DirectionId>>,
    cause: Cause,
}

/// Why pieces are a threat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Class,
    /// A rule whose attacks depend on who stands on the tiles of its path.
    Rule(RuleId),
    /// A rule by patterns whose attacks depend on more.
    Conditional(RuleId),
}

impl Threat {
    /// The pieces as a class that attacks wherever it travels.
    fn class(&self, everywhere: TileSet) -> Class {
        let travel = Travel { leaps: self.leaps.clone(), slides: self.slides.clone() };
        Class { player: self.player, travel, pieces: self.pieces.clone(), onto: everywhere }
    }
}

impl Lowering<'_> {
    /// Whether no two rays of a slide lead from one tile to another.
    pub(super) fn tells_rays(&mut self, slide: SlideId) -> bool {
        if let Some(&known) = self.tables.told_apart.get(&slide) {
            return known;
        }
        let (rays, width) = (&self.code.slides[slide.index()].rays, self.code.width);
        let told_apart = (0..self.code.tiles).all(|tile| {
            let mut seen = vec![0u64; width];
            rays.iter().all(|rays| {
                let masks = &rays.masks[tile * width..][..width];
                let fresh = seen.iter().zip(masks).all(|(seen, mask)| seen & mask == 0);
                seen.iter_mut().zip(masks).for_each(|(seen, mask)| *seen |= mask);
                fresh
            })
        });
        self.tables.told_apart.insert(slide, told_apart);
        told_apart
    }

    /// From where a rule could lead to each tile, whatever stands in the way; none where that is
    /// not known.
    pub(super) fn sources_back(&mut self, rule: RuleId, player: PlayerId) -> Option<RowsId> {
        let Wanted::Move(movement) = &self.game.rules[rule.index()].wants else { return None };
        let (mut back, game) = (vec![TileSet::EMPTY; self.game.tile_count()], self.game);
        for (_, travel) in self.ways(movement, player)? {
            for leap in &travel.leaps {
                for from in game.tiles() {
                    let next = |tile, &step: &DirectionId| game.topology().next(tile, step);
                    if let Some(end) = leap.iter().try_fold(from, next) {
                        back[end.index()].insert(from);
                    }
                }
            }
            let slide = self.slide(&travel.slides);
            let width = self.code.width;
            for from in game.tiles() {
                for rays in &self.code.slides[slide.index()].rays {
                    let mask = &rays.masks[from.index() * width..][..width];
                    TileSet::from_words(mask).iter().for_each(|end| back[end.index()].insert(from));
                }
            }
        }
        Some(self.rows(|tile| back[tile.index()]))
    }

    /// The kinds of a rule with how they travel, hops as slides; none where they go by other ways.
    fn ways(&self, movement: &Movement, player: PlayerId) -> Option<Vec<(Vec<KindId>, Travel)>> {
        match &movement.way {
            Way::Own | Way::Pattern(_) => Some(self.travels(movement, player)),
            Way::Hop(hop) => {
                let kinds = self.game.kinds().filter(|&kind| movement.kinds.contains(kind));
                let slides = hop.along.iter().map(|heading| heading[player.index()]).collect();
                Some(vec![(kinds.collect(), Travel { leaps: Vec::new(), slides })])
            }
            _ => None,
        }
    }

    /// By what a player attacks past other tiles; none where an attack may depend on more than who
    /// stands on the tiles of its path and what a rule by patterns asks.
    fn threats_of(
        &mut self,
        player: PlayerId,
        asleep: &[(PlayerId, RuleId)],
    ) -> Option<Vec<Threat>> {
        let attacks = self.attacks_of(player);
        let threat = |class: &Class| Threat {
            player,
            pieces: class.pieces.clone(),
            slides: class.travel.slides.clone(),
            leaps: Vec::new(),
            cause: Cause::Class,
        };
        let mut threats: Vec<Threat> = attacks.classes.iter().map(threat).collect();
        threats.extend(self.threats_by_rules(player, asleep)?);
        let mut slides = threats.iter().map(|threat| &threat.slides);
        slides.all(|slides| self.tells_slides(slides)).then_some(threats)
    }

    /// By which rules a player attacks that ask more than a class can say, but for some that are asleep.
    pub(super) fn threats_by_rules(
        &mut self,
        player: PlayerId,
        asleep: &[(PlayerId, RuleId)],
    ) -> Option<Vec<Threat>> {
        let (game, attacks) = (self.game, self.attacks_of(player));
        let mut threats: Vec<Threat> = Vec::new();
        for &id in attacks.rules.iter().filter(|id| !asleep.contains(&(player, **id))) {
            let rule = &game.rules[id.index()];
            let Wanted::Move(movement) = &rule.wants else { return None };
            let over = match &movement.way {
                Way::Hop(hop) => is_local(&hop.over),
                _ => true,
            };
            let local = is_local(&movement.source)
                && is_local(&movement.through)
                && is_local(&movement.onto)
                && over
                && self.journeys(rule, player, game.all_tiles).is_some();
            if !local && !matches!(movement.way, Way::Own | Way::Pattern(_)) {
                return None;
            }
            let cause = if local { Cause::Rule(id) } else { Cause::Conditional(id) };
            for (kinds, Travel { leaps, slides }) in self.ways(movement, player)? {
                let pieces = match is_local(&movement.source) {
                    true => self.pieces(movement, player, &kinds),
                    false => Set::All(owned(game, player, &kinds)),
                };
                threats.push(Threat { player, pieces, slides, leaps, cause });
            }
        }
        let mut slides = threats.iter().map(|threat| &threat.slides);
        slides.all(|slides| self.tells_slides(slides)).then_some(threats)
    }

    /// Whether slides can be retraced and lead from one tile to another along one ray at most.
    pub(super) fn tells_slides(&mut self, slides: &[DirectionId]) -> bool {
        let back = self.slide_back(slides).is_some();
        let slide = self.slide(slides);
        back && self.tells_rays(slide)
    }

    /// The tiles that leaps to each tile pass.
    fn passed_rows(&mut self, leaps: &[Vec<DirectionId>]) -> RowsId {
        let game = self.game;
        let mut passed = vec![TileSet::EMPTY; game.tile_count()];
        for from in game.tiles() {
            for leap in leaps {
                let mut path = TileSet::EMPTY;
                let end = leap.iter().try_fold(from, |tile, &step| {
                    path.insert(tile);
                    game.topology().next(tile, step)
                });
                if let Some(end) = end {
                    passed[end.index()] = passed[end.index()] | path;
                }
            }
        }
        self.rows(|tile| passed[tile.index()])
    }
}

impl Builder<'_, '_> {
    /// Whether an event of a rule at rest changes nothing but that a piece leaves its tile for another.
    pub(super) fn fits_zone(&self, rule: &Rule) -> bool {
        let AtRest { before, after, .. } = AtRest::of(rule);
        let Wanted::Move(movement) = &rule.wants else { return false };
        rule.written.deed == Deed::Usual
            && self.game.exclusive == self.game.all_tiles
            && !movement.choice.iter().any(|kind| self.lowering.guarded.contains(kind))
            && touches_target_alone(&before)
            && moves_nothing(&after)
    }

    /// Finds the danger zone for some rules, where there is one.
    pub(super) fn find_zone(&mut self, rules: &[RuleId]) -> Option<Zone> {
        let foes = self.attackers(Who::Foe);
        let (mut threats, asleep) = (Vec::new(), self.asleep_beside(rules));
        for foe in self.of_mask(foes) {
            threats.extend(self.lowering.threats_of(foe, &asleep)?);
        }
        let royals = self.royals();
        let (royal, count) = (self.new_number(), self.new_number());
        self.push(Op::First(royal, royals));
        self.push(Op::Count(count, royals));
        let (one, few) = (self.constant_number(1), self.new_number());
        self.push(Op::Compare(few, Comparison::AtMost, count, one));
        self.rest(few, rules);
        let tiles = self.constant_set(self.game.all_tiles);
        let body = self.nested(|builder| {
            let attacked = builder.is_attacked(royal, foes);
            builder.add_threats(tiles, &threats, (royal, attacked));
        });
        self.push(Op::If(few, body, Vec::new()));
        Some(Zone { royals, tiles, by_patterns: false })
    }

    /// The zone of threats beside those that masks tell, for one royal piece.
    pub(super) fn zone_of(&mut self, threats: &[Threat], royals: SetReg, royal: NumReg) -> Zone {
        let mut rules: Vec<(PlayerId, RuleId)> = Vec::new();
        for threat in threats {
            if let Cause::Rule(rule) = threat.cause {
                rules.push((threat.player, rule));
            }
        }
        rules.dedup();
        let attacked = self.constant_number(0);
        for &(player, rule) in &rules {
            let sources = self.lowering.sources_back(rule, player);
            let sources = sources.expect("a threat travels by patterns or hops");
            self.probe_rule(attacked, royal, (player, rule), sources);
        }
        let tiles = self.constant_set(self.game.all_tiles);
        self.add_threats(tiles, threats, (royal, attacked));
        Zone { royals, tiles, by_patterns: rules.is_empty() }
    }

    /// Finds the zone of some threats if nothing attacks the royal piece.
    fn add_threats(
        &mut self,
        tiles: SetReg,
        threats: &[Threat],
        (royal, attacked): (NumReg, NumReg),
    ) {
        let nothing = self.lowering.constant(TileSet::EMPTY);
        let body = self.nested(|builder| {
            builder.push(Op::Constant(tiles, nothing));
            for threat in threats {
                match threat.cause {
                    Cause::Conditional(_) => builder.add_conditional(tiles, threat, royal),
                    Cause::Class | Cause::Rule(_) => builder.add_threat(tiles, threat, royal),
                }
            }
        });
        self.push(Op::If(attacked, Vec::new(), body));
    }

    /// Adds the tiles past which pieces that may attack wherever they travel could attack a tile; all tiles
    /// where they could already. An event leaves one tile and enters one, so that of two pieces in the way
    /// of a slide one stays there.
    fn add_conditional(&mut self, zone: SetReg, threat: &Threat, royal: NumReg) {
        let (pieces, blockers) = (self.threatening(threat), self.blockers());
        let everywhere = self.game.all_tiles;
        let all = self.lowering.constant(everywhere);
        if !threat.leaps.is_empty() {
            let sources = self.lowering.leap_rows_back(&threat.leaps, &everywhere);
            let near = self.new_set();
            self.push(Op::Row(near, sources, royal));
            let near = self.and(near, pieces);
            let any = self.any(near);
            self.push(Op::If(any, vec![Op::Constant(zone, all)], Vec::new()));
        }
        let Some(back) = self.lowering.slide_back(&threat.slides) else { return };
        if threat.slides.is_empty() {
            return;
        }
        let (rows, far) = (self.lowering.ray_rows(back), self.new_set());
        self.push(Op::Row(far, rows, royal));
        let snipers = self.and(far, pieces);
        let (sniper, forth) = (self.new_number(), self.lowering.slide(&threat.slides));
        let body = self.nested(|builder| {
            let (between, count) = (builder.new_set(), builder.new_number());
            builder.push(Op::Between(between, forth, sniper, royal));
            let inside = builder.and(between, blockers);
            builder.push(Op::Count(count, inside));
            let (none, one) = (builder.equals(count, 0), builder.equals(count, 1));
            builder.push(Op::If(none, vec![Op::Constant(zone, all)], Vec::new()));
            builder.push(Op::If(one, vec![Op::Or(zone, zone, between)], Vec::new()));
        });
        self.push(Op::ForTiles(snipers, sniper, body));
    }

    fn threatening(&mut self, threat: &Threat) -> SetReg {
        self.as_player(threat.player, |builder| builder.set(&threat.pieces))
    }

    /// Adds the tiles past which some pieces could attack a tile.
    fn add_threat(&mut self, zone: SetReg, threat: &Threat, royal: NumReg) {
        let pieces = self.threatening(threat);
        if !threat.leaps.is_empty() {
            let everywhere = self.game.all_tiles;
            let sources = self.lowering.leap_rows_back(&threat.leaps, &everywhere);
            let (near, passed) = (self.new_set(), self.new_set());
            self.push(Op::Row(near, sources, royal));
            let near = self.and(near, pieces);
            let any = self.any(near);
            let rows = self.lowering.passed_rows(&threat.leaps);
            let add = vec![Op::Row(passed, rows, royal), Op::Or(zone, zone, passed)];
            self.push(Op::If(any, add, Vec::new()));
        }
        let Some(back) = self.lowering.slide_back(&threat.slides) else { return };
        if threat.slides.is_empty() {
            return;
        }
        let (rows, far) = (self.lowering.ray_rows(back), self.new_set());
        self.push(Op::Row(far, rows, royal));
        let snipers = self.and(far, pieces);
        let (sniper, forth) = (self.new_number(), self.lowering.slide(&threat.slides));
        let body = self.nested(|builder| {
            let between = builder.new_set();
            builder.push(Op::Between(between, forth, sniper, royal));
            builder.push(Op::Or(zone, zone, between));
        });
        self.push(Op::ForTiles(snipers, sniper, body));
    }

    /// Adds what rules of some players attack of the tiles of a set that depends on a tile; says whether
    /// that is known of all their rules.
    pub(super) fn add_danger_by_rules(
        &mut self,
        all: SetReg,
        players: u64,
        (near, tile): (&Near, NumReg),
    ) -> bool {
        let (players, asleep) = (self.of_mask(players).into_iter(), self.asleep.clone());
        let threats = players.map(|player| self.lowering.threats_by_rules(player, &asleep));
        let Some(threats) = threats.collect::<Option<Vec<_>>>() else { return false };
        for threat in threats.iter().flatten() {
            let (Cause::Rule(rule) | Cause::Conditional(rule)) = threat.cause else { continue };
            let class = threat.class(self.game.all_tiles);
            let (rows, within) = (self.lowering.near_rows(&class, near), self.new_set());
            self.push(Op::Row(within, rows, tile));
            let pieces = self.threatening(threat);
            let within = self.and(within, pieces);
            let any = self.any(within);
            let body = self.nested(|builder| {
                builder.add_rule_attacks(all, rule, threat.player, Some(within));
            });
            self.push(Op::If(any, body, Vec::new()));
        }
        true
    }

    /// Of some targets of a royal piece those that foes could attack by their conditional rules.
    pub(super) fn risk_near(&mut self, targets: SetReg, travel: &Travel, others: SetReg) -> SetReg {
        let (foes, mut classes) = (self.attackers(Who::Foe), Vec::new());
        let asleep = self.asleep.clone();
        for foe in self.of_mask(foes) {
            let threats = self.lowering.threats_by_rules(foe, &asleep).unwrap_or_default();
            classes.extend(threats.iter().map(|threat| threat.class(self.game.all_tiles)));
        }
        let (risk, any) = (self.constant_set(TileSet::EMPTY), self.any(targets));
        let (from, near) = (self.event.0, Near::Ways(travel.clone()));
        let body = self.nested(|builder| {
            let attacked = builder.danger_of(&classes, &near, from, others);
            builder.push(Op::And(risk, targets, attacked));
        });
        self.push(Op::If(any, body, Vec::new()));
        risk
    }

    /// Hands on the targets of a source that need no trial, and leaves those that do.
    pub(super) fn leave_risky(
        &mut self,
        movement: &Movement,
        targets: SetReg,
        zone: Zone,
    ) -> SetReg {
        let from = self.event.0;
        let royal = self.lowering.guarded.iter().any(|&kind| movement.kinds.contains(kind));
        let touching = if royal { self.or(zone.tiles, zone.royals) } else { zone.tiles };
        let (risky, touched) = (self.new_set(), self.has(touching, from));
        self.push(Op::Copy(risky, targets));
        let apart = self.nested(|builder| {
            builder.push(Op::And(risky, targets, zone.tiles));
            let safe = builder.and_not(targets, risky);
            builder.push(Op::EmitFrom(from, safe));
        });
        self.push(Op::If(touched, Vec::new(), apart));
        risky
    }
}
