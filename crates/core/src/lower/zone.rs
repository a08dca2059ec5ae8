//! The danger zone: tiles on which a change can open or close an attack on the mover's royal piece.
//!
//! Where masks cannot tell checks and pins, because foes attack over hurdles or past legs that may
//! be blocked, an event is tried on a copy of the state. While the royal piece is not attacked, that
//! is needed only where the event touches the zone; every other event leaves it as safe as it is.

use crate::id::{DirectionId, KindId, PlayerId, RuleId};
use crate::ir::{NumReg, Op, RowsId, SetReg, SlideId};
use crate::tile_set::TileSet;
use crate::typed::{Movement, Rule, Set, Wanted, Way, Who};
use crate::written::{Comparison, Deed};

use super::attack::Travel;
use super::fact::{is_local, moves_nothing, touches_target_alone};
use super::{Builder, Lowering};

/// Registers with what is known of attacks on the mover's royal piece.
#[derive(Clone, Copy)]
pub(super) struct Zone {
    /// Whether there is one royal piece at most, and nobody attacks it.
    calm: NumReg,
    royals: SetReg,
    tiles: SetReg,
}

/// Pieces of a foe with the ways by which they attack past other tiles.
struct Threat {
    player: PlayerId,
    pieces: Set,
    slides: Vec<DirectionId>,
    /// Leaps that other tiles can block.
    leaps: Vec<Vec<DirectionId>>,
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
    /// stands on the tiles of its path.
    fn threats_of(&mut self, player: PlayerId) -> Option<Vec<Threat>> {
        let (game, attacks) = (self.game, self.attacks_of(player));
        let mut threats: Vec<Threat> = Vec::new();
        for class in &attacks.classes {
            let (pieces, slides) = (class.pieces.clone(), class.travel.slides.clone());
            threats.push(Threat { player, pieces, slides, leaps: Vec::new() });
        }
        for &id in &attacks.rules {
            let rule = &game.rules[id.index()];
            let Wanted::Move(movement) = &rule.wants else { return None };
            self.journeys(rule, player, game.all_tiles)?;
            let over = match &movement.way {
                Way::Hop(hop) => is_local(&hop.over),
                _ => true,
            };
            let local = is_local(&movement.source)
                && is_local(&movement.through)
                && is_local(&movement.onto)
                && over;
            if !local {
                return None;
            }
            for (kinds, Travel { leaps, slides }) in self.ways(movement, player)? {
                let pieces = self.pieces(movement, player, &kinds);
                threats.push(Threat { player, pieces, slides, leaps });
            }
        }
        let told = |threat: &Threat| {
            let back = self.slide_back(&threat.slides).is_some();
            let slide = self.slide(&threat.slides);
            back && self.tells_rays(slide)
        };
        threats.iter().all(told).then_some(threats)
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
    /// Whether an event of a rule changes nothing but that a piece leaves its tile for another.
    pub(super) fn fits_zone(&self, rule: &Rule) -> bool {
        let Wanted::Move(movement) = &rule.wants else { return false };
        rule.written.deed == Deed::Usual
            && self.game.exclusive == self.game.all_tiles
            && !movement.choice.iter().any(|kind| self.lowering.guarded.contains(kind))
            && touches_target_alone(&rule.before)
            && moves_nothing(&rule.after)
    }

    /// Finds the danger zone, where there is one.
    pub(super) fn find_zone(&mut self) -> Option<Zone> {
        let (game, foes) = (self.game, self.attackers(Who::Foe));
        let mut threats = Vec::new();
        for foe in game.players().filter(|foe| foes >> foe.index() & 1 == 1) {
            threats.extend(self.lowering.threats_of(foe)?);
        }
        let royals = self.royals();
        let (royal, count) = (self.new_number(), self.new_number());
        self.push(Op::First(royal, royals));
        self.push(Op::Count(count, royals));
        let (one, calm) = (self.constant_number(1), self.constant_number(0));
        let few = self.new_number();
        self.push(Op::Compare(few, Comparison::AtMost, count, one));
        let tiles = self.constant_set(TileSet::EMPTY);
        let body = self.nested(|builder| {
            let attacked = builder.is_attacked(royal, foes);
            builder.push(Op::Not(calm, attacked));
            let body = builder.nested(|builder| {
                for threat in &threats {
                    builder.add_threat(tiles, threat, royal);
                }
            });
            builder.push(Op::If(calm, body, Vec::new()));
        });
        self.push(Op::If(few, body, Vec::new()));
        Some(Zone { calm, royals, tiles })
    }

    /// Adds the tiles past which some pieces could attack a tile.
    fn add_threat(&mut self, zone: SetReg, threat: &Threat, royal: NumReg) {
        let pieces = self.as_player(threat.player, |builder| builder.set(&threat.pieces));
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

    /// Hands on the targets of a source that need no trial, and leaves those that do.
    pub(super) fn leave_risky(&mut self, targets: SetReg, zone: Zone) -> SetReg {
        let from = self.event.0;
        let touching = self.or(zone.tiles, zone.royals);
        let (risky, touched) = (self.new_set(), self.has(touching, from));
        self.push(Op::Copy(risky, targets));
        let apart = self.nested(|builder| {
            builder.push(Op::And(risky, targets, zone.tiles));
            let safe = builder.and_not(targets, risky);
            builder.push(Op::EmitFrom(from, safe));
        });
        let apart = vec![Op::If(touched, Vec::new(), apart)];
        self.push(Op::If(zone.calm, apart, Vec::new()));
        risky
    }
}
