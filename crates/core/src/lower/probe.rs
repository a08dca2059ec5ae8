//! Probes: whether a tile is attacked, looked at from the tile.

use std::rc::Rc;

use crate::id::{PlayerId, RuleId};
use crate::ir::{NumReg, Op, RowsId, SetReg, SlideId};
use crate::tile_set::TileSet;

use super::Builder;
use super::attack::{Attacks, Class};

impl Builder<'_, '_> {
    /// Whether some players attack a tile.
    pub(super) fn is_attacked(&mut self, tile: NumReg, players: u64) -> NumReg {
        let blockers = self.blockers();
        self.is_attacked_past(tile, players, blockers, None)
    }

    /// The same with other pieces in the way, and without the attackers on some tiles.
    pub(super) fn is_attacked_past(
        &mut self,
        tile: NumReg,
        players: u64,
        blockers: SetReg,
        without: Option<SetReg>,
    ) -> NumReg {
        let attacks = self.of_mask(players).into_iter();
        let attacks: Vec<Rc<Attacks>> =
            attacks.map(|player| self.lowering.attacks_of(player)).collect();
        let classes: Vec<&Class> = attacks.iter().flat_map(|attacks| &attacks.classes).collect();
        let slides = classes.iter().map(|class| self.lowering.slide_back(&class.travel.slides));
        let slides = slides.collect::<Option<Vec<_>>>();
        let by_rule = self.of_mask(players).into_iter().zip(&attacks);
        let by_rule: Vec<(PlayerId, RuleId)> = by_rule
            .flat_map(|(player, attacks)| {
                self.awake(player, attacks).into_iter().map(move |rule| (player, rule))
            })
            .collect();
        let sources =
            by_rule.iter().map(|&(player, rule)| self.lowering.sources_back(rule, player));
        let sources = sources.collect::<Option<Vec<_>>>();
        let (Some(slides), Some(sources)) = (slides, sources) else {
            let attacked = self.attacked_set(players);
            return self.has(attacked, tile);
        };
        let attackers = self.constant_set(TileSet::EMPTY);
        for (class, slide) in classes.into_iter().zip(slides) {
            self.add_attackers(attackers, class, slide, (tile, blockers));
        }
        if let Some(without) = without {
            self.push(Op::AndNot(attackers, attackers, without));
        }
        let to = self.any(attackers);
        for ((player, rule), sources) in by_rule.into_iter().zip(sources) {
            self.probe_rule(to, tile, (player, rule), sources);
        }
        to
    }

    /// Notes whether a rule attacks a tile, if nothing else is known to: from one of the tiles from which
    /// the rule could lead there.
    pub(super) fn probe_rule(
        &mut self,
        attacked: NumReg,
        tile: NumReg,
        (player, rule): (PlayerId, RuleId),
        sources: RowsId,
    ) {
        let open = self.equals(attacked, 0);
        let body = self.nested(|builder| {
            let (near, seen) = (builder.new_set(), builder.constant_set(TileSet::EMPTY));
            builder.push(Op::Row(near, sources, tile));
            builder.add_rule_attacks(seen, rule, player, Some(near));
            let is_seen = builder.has(seen, tile);
            builder.push(Op::Move(attacked, is_seen));
        });
        self.push(Op::If(open, body, Vec::new()));
    }

    /// Adds the pieces of a class that attack a tile. Most tiles are not attacked, so that all classes are
    /// looked at in turn; slides only where a piece stands on one of their rays.
    fn add_attackers(
        &mut self,
        attackers: SetReg,
        class: &Class,
        slide: SlideId,
        (tile, blockers): (NumReg, SetReg),
    ) {
        let pieces = self.as_player(class.player, |builder| builder.set(&class.pieces));
        if !class.travel.leaps.is_empty() {
            let rows = self.lowering.leap_rows_back(&class.travel.leaps, &class.onto);
            let near = self.new_set();
            self.push(Op::Row(near, rows, tile));
            let near = self.and(near, pieces);
            self.push(Op::Or(attackers, attackers, near));
        }
        if class.travel.slides.is_empty() {
            return;
        }
        let (rays, far) = (self.lowering.ray_rows(slide), self.new_set());
        self.push(Op::Row(far, rays, tile));
        let far = self.and(far, pieces);
        let body = self.nested(|builder| {
            let seen = builder.new_set();
            builder.push(Op::Slide(seen, slide, tile, blockers));
            let seen = builder.and(seen, pieces);
            builder.push(Op::Or(attackers, attackers, seen));
        });
        let any = self.any(far);
        self.push(Op::If(any, body, Vec::new()));
    }

    /// The tiles of a set that some players attack.
    pub(super) fn attacked_among(&mut self, among: SetReg, players: u64) -> SetReg {
        let found = self.constant_set(TileSet::EMPTY);
        let tile = self.new_number();
        let body = self.nested(|builder| {
            let attacked = builder.is_attacked(tile, players);
            let add = builder.nested(|builder| {
                let single = builder.single(tile);
                builder.push(Op::Or(found, found, single));
            });
            builder.push(Op::If(attacked, add, Vec::new()));
        });
        self.push(Op::ForTiles(among, tile, body));
        found
    }
}
