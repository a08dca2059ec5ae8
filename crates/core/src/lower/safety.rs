//! Royal safety: which moves leave the mover's royal piece unattacked, by masks instead of trials.
//!
//! Where foes attack by leaps and slides alone, one look from the royal tile finds who gives check
//! and which pieces are pinned. A piece that is not royal then goes to the check mask, a pinned one
//! along its pin, and the royal piece where no foe sees it once it has left its tile. Where foes also
//! attack by rules that ask for more, what masks allow is tried if it touches the zone of those rules.

use std::rc::Rc;

use crate::game::{Game, PieceEntry};
use crate::id::{KindId, PlayerId, RuleId, TileId};
use crate::ir::{Block, NumReg, Op, SetReg};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Effect, Number, Rule, Set, Tile, Truth, Wanted, Way, Who};
use crate::written::{Comparison, Deed};

use super::Builder;
use super::attack::{Attacks, Class, Travel};
use super::fact::{conjuncts, flatten, moves_nothing, touches_target_alone};
use super::normal::{beside_own, none_of_one};
use super::rest::{AtRest, asleep_unless, keeps};
use super::table::Zone as Near;
use super::zone::{Threat, Zone};

/// Registers with what is known of the mover's royal piece.
#[derive(Clone, Copy)]
pub(super) struct Safety {
    pub(super) royals: SetReg,
    /// Where a piece that is not royal may go.
    pub(super) check: SetReg,
    /// Pieces that may only go along their pin.
    pub(super) pinned: SetReg,
    /// What stands in the way once the royal piece has left its tile.
    pub(super) others: SetReg,
    pub(super) danger: Danger,
    /// Where events that masks allow must still be tried, because foes attack by rules that masks cannot
    /// tell.
    pub(super) doubt: Option<Zone>,
}

/// What foes attack: found when something first asks for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Danger {
    players: u64,
    tiles: SetReg,
    /// Whether it was found.
    found: NumReg,
}

/// The kinds of which a condition says that no own piece is attacked by a foe, if there is at most one, in
/// whatever words.
fn kept_safe(game: &Game, condition: &Condition) -> Option<Vec<KindId>> {
    let mut parts = beside_own(game, none_of_one(condition)?)?;
    let attacked = parts.iter().position(|part| *part == Set::Attacked(Who::Foe))?;
    parts.remove(attacked);
    let kinds: Vec<Vec<KindId>> =
        parts.iter().map(|part| kinds_of(game, part)).collect::<Option<_>>()?;
    let kept: Vec<KindId> =
        game.kinds().filter(|kind| kinds.iter().all(|some| some.contains(kind))).collect();
    (!parts.is_empty()).then_some(kept)
}

/// The kinds of the pieces that a set consists of.
fn kinds_of(game: &Game, set: &Set) -> Option<Vec<KindId>> {
    let of_all = |sets: &[Set]| -> Option<Vec<Vec<KindId>>> {
        sets.iter().map(|one| kinds_of(game, one)).collect()
    };
    let kinds = |has: &dyn Fn(&KindId) -> bool| Some(game.kinds().filter(has).collect());
    match set {
        Set::Royal => Some(game.royals.clone()),
        Set::Kind(kind) => Some(vec![*kind]),
        Set::Any(any) => {
            let any = of_all(any)?;
            kinds(&|kind| any.iter().any(|some| some.contains(kind)))
        }
        Set::Not(one) if game.exclusive == game.all_tiles => {
            let others = kinds_of(game, one)?;
            kinds(&|kind| !others.contains(kind))
        }
        _ => None,
    }
}

/// The kinds that the conditions of a rule keep safe together.
fn kept_by(game: &Game, rule: &Rule) -> Option<Vec<KindId>> {
    let parts = rule.ensures.as_ref().map_or(Vec::new(), conjuncts);
    let kept: Vec<KindId> =
        parts.into_iter().filter_map(|part| kept_safe(game, part)).flatten().collect();
    let kept: Vec<KindId> = game.kinds().filter(|kind| kept.contains(kind)).collect();
    (!kept.is_empty()).then_some(kept)
}

/// The kinds that rules keep safe: those of the first rule that keeps any.
pub(super) fn guarded(game: &Game) -> Vec<KindId> {
    let kept = game.rules.iter().find_map(|rule| kept_by(game, rule));
    kept.unwrap_or_else(|| game.royals.clone())
}

/// Whether every tile of a set holds a piece of the mover, whatever the state.
fn is_within_own(set: &Set) -> bool {
    match set {
        Set::Owned(Who::Mover) => true,
        Set::All(parts) => parts.iter().any(is_within_own),
        _ => false,
    }
}

/// The kinds of the mover's pieces that a set consists of, wherever they stand.
fn own_kinds(game: &Game, set: &Set) -> Option<Vec<KindId>> {
    let mut parts = Vec::new();
    flatten(set, &mut parts);
    let (own, others): (Vec<&Set>, Vec<&Set>) =
        parts.into_iter().partition(|part| **part == Set::Owned(Who::Mover));
    if own.is_empty() {
        return None;
    }
    let mut kinds: Vec<KindId> = game.kinds().collect();
    for part in others {
        match part {
            Set::Royal => kinds.retain(|kind| game.royals.contains(kind)),
            Set::Kind(one) => kinds.retain(|kind| kind == one),
            _ => return None,
        }
    }
    Some(kinds)
}

impl Builder<'_, '_> {
    /// What a rule must ensure, in parts: whether royal safety is among them, and others that its events
    /// may change.
    pub(super) fn ensured(&self, rule: &Rule) -> (bool, bool) {
        let parts = rule.ensures.as_ref().map_or(Vec::new(), conjuncts);
        let safe = kept_by(self.game, rule).as_ref() == Some(&self.lowering.guarded);
        let is_safety = |part: &Condition| safe && kept_safe(self.game, part).is_some();
        let more = |part: &&Condition| !is_safety(part) && !self.leaves_be(rule, part);
        (safe, parts.iter().any(more))
    }

    /// The parts of what a rule must ensure that hold after its events where they hold before.
    pub(super) fn left_as_is(&self, rule: &Rule) -> Vec<Condition> {
        let parts = rule.ensures.as_ref().map_or(Vec::new(), conjuncts).into_iter();
        parts.filter(|part| self.leaves_be(rule, part)).cloned().collect()
    }

    /// Whether no event of a rule changes whether a condition holds: it is about variables that the rule
    /// leaves as they are, or about a number of the mover's pieces, because a piece goes from tile to tile
    /// and may only capture.
    fn leaves_be(&self, rule: &Rule, condition: &Condition) -> bool {
        if keeps(rule, condition) {
            return true;
        }
        let Wanted::Move(movement) = &rule.wants else { return false };
        let (Truth::Some(set)
        | Truth::None(set)
        | Truth::Compare(Number::Count(set), _, Number::Is(_))) = &condition.test
        else {
            return false;
        };
        let by_pattern = matches!(movement.way, Way::Own | Way::Pattern(_));
        let same = |kinds: Vec<KindId>| {
            let counted = |kind: &KindId| kinds.contains(kind);
            let moves =
                self.game.kinds().any(|kind| movement.kinds.contains(kind) && counted(&kind));
            movement.choice.is_empty() || !moves && !movement.choice.iter().any(counted)
        };
        by_pattern
            && rule.written.deed == Deed::Usual
            && self.game.exclusive == self.game.all_tiles
            && touches_target_alone(&rule.before)
            && moves_nothing(&rule.after)
            && own_kinds(self.game, set).is_some_and(same)
    }

    /// Where the mover's pieces stand that rules keep safe.
    pub(super) fn royals(&mut self) -> SetReg {
        let kinds = self.lowering.guarded.iter().map(|&kind| Set::Kind(kind)).collect();
        self.set(&Set::All(vec![Set::Owned(Who::Mover), Set::Any(kinds)]))
    }

    /// Whether masks can say which events of a rule at rest keep the royal piece safe.
    pub(super) fn fits_masks(&self, rule: &Rule) -> bool {
        let AtRest { before, after, .. } = AtRest::of(rule);
        let royal = |kind: &KindId| self.lowering.guarded.contains(kind);
        let fits = match &rule.wants {
            Wanted::Move(movement) => {
                matches!(movement.way, Way::Own | Way::Pattern(_))
                    && !movement.choice.iter().any(royal)
                    && touches_target_alone(&before)
            }
            // A piece that enters can only come between.
            Wanted::Put { kinds, .. } => {
                !self.lowering.guarded.iter().any(|&kind| kinds.contains(kind))
                    && moves_nothing(&before)
            }
            Wanted::Pick { .. } | Wanted::Roll { .. } | Wanted::Act(_) => false,
        };
        fits && rule.written.deed == Deed::Usual
            && self.game.exclusive == self.game.all_tiles
            && moves_nothing(&after)
    }

    /// The tiles between which a rule carries its royal piece, and with it the piece on the target,
    /// where it does so instead of a move and nothing else is moved: each with the one it goes to,
    /// the royal piece first.
    pub(super) fn carries(&self, rule: &Rule) -> Option<Vec<(Tile, TileId)>> {
        let Wanted::Move(movement) = &rule.wants else { return None };
        let AtRest { before, after, .. } = AtRest::of(rule);
        let (first, others) = after.split_first()?;
        let pairs = match first {
            Effect::Together(pairs) => pairs.clone(),
            Effect::Carry { from, to } => vec![(from.clone(), to.clone())],
            _ => return None,
        };
        let game = self.game;
        let royal = game.kinds().filter(|&kind| movement.kinds.contains(kind));
        let fits = rule.written.deed != Deed::Usual
            && before.is_empty()
            && moves_nothing(others)
            && movement.choice.is_empty()
            && !matches!(movement.way, Way::Dice(_))
            && game.exclusive == game.all_tiles
            && royal.into_iter().all(|kind| self.lowering.guarded.contains(&kind))
            && is_within_own(&movement.onto);
        let place = |(from, to): (Tile, Tile)| match to {
            Tile::Const(tiles) => Some((from, tiles[self.player.index()])),
            _ => None,
        };
        let mut pairs: Vec<_> = pairs.into_iter().map(place).collect::<Option<_>>()?;
        pairs.sort_by_key(|(from, _)| *from != Tile::From);
        let sources: Vec<&Tile> = pairs.iter().map(|(from, _)| from).collect();
        let known = [&[&Tile::From][..], &[&Tile::From, &Tile::To]];
        (fits && known.contains(&&sources[..])).then_some(pairs)
    }

    /// Whether the royal piece would be attacked once pieces were carried.
    pub(super) fn is_attacked_after(&mut self, pairs: &[(Tile, TileId)], danger: Danger) -> NumReg {
        let mut blockers = self.blockers();
        for (from, _) in pairs {
            let from = self.tile(from);
            let single = self.single(from);
            blockers = self.and_not(blockers, single);
        }
        let mut entered = TileSet::EMPTY;
        pairs.iter().for_each(|&(_, to)| entered.insert(to));
        let entered = self.constant_set(entered);
        let blockers = self.or(blockers, entered);
        let royal = self.constant_number(pairs[0].1.index() as i64);
        self.is_attacked_past(royal, danger.players, blockers, Some(entered))
    }

    /// What every foe attacks by while some rules are asleep, where masks can tell it, and by which rules they
    /// cannot.
    fn foes_by_class(
        &mut self,
        asleep: &[(PlayerId, RuleId)],
    ) -> Option<(Vec<Rc<Attacks>>, Vec<Threat>)> {
        let foes = self.of_mask(self.attackers(Who::Foe));
        let attacks: Vec<Rc<Attacks>> =
            foes.iter().map(|&foe| self.lowering.attacks_of(foe)).collect();
        let mut classes = attacks.iter().flat_map(|attacks| &attacks.classes);
        if !classes.all(|class| self.lowering.tells_slides(&class.travel.slides)) {
            return None;
        }
        let mut threats = Vec::new();
        for foe in foes {
            threats.extend(self.lowering.threats_by_rules(foe, asleep)?);
        }
        Some((attacks, threats))
    }

    /// Whether masks serve all of some rules that the zone of all that attacks would serve.
    fn masks_serve(&self, rules: &[RuleId]) -> bool {
        rules
            .iter()
            .map(|id| &self.game.rules[id.index()])
            .all(|rule| !self.ensured(rule).0 || self.fits_masks(rule) || !self.fits_zone(rule))
    }

    /// Finds checks and pins for some rules, where masks can tell them, and runs one code where there is
    /// at most one royal piece and another where there are several.
    pub(super) fn with_safety(
        &mut self,
        rules: &[RuleId],
        mut fill: impl FnMut(&mut Self, Option<Safety>),
    ) {
        let wanted = rules.iter().any(|id| {
            let rule = &self.game.rules[id.index()];
            self.ensured(rule).0 && self.fits_masks(rule)
        });
        let asleep = self.asleep_beside(rules);
        let known = wanted.then(|| self.foes_by_class(&asleep)).flatten();
        let serve = |known: &(_, Vec<Threat>)| known.1.is_empty() || self.masks_serve(rules);
        let Some((attacks, threats)) = known.filter(serve) else {
            return fill(self, None);
        };
        let royals = self.royals();
        let (count, one) = (self.new_number(), self.constant_number(1));
        self.push(Op::Count(count, royals));
        let few = self.new_number();
        self.push(Op::Compare(few, Comparison::AtMost, count, one));
        let awake = self.rest(few, rules);
        let with_masks = self.nested(|builder| {
            let safety = builder.find_checks(royals, &attacks, &threats);
            builder.danger = Some(safety.danger);
            let outer = std::mem::replace(&mut builder.asleep, asleep);
            fill(builder, Some(safety));
            (builder.danger, builder.asleep) = (None, outer);
        });
        let rare = self.has_one_royal_at_most() && !awake;
        let without = self.nested(|builder| {
            if rare {
                builder.push(Op::Rare);
            }
            fill(builder, None);
        });
        self.push(Op::If(few, with_masks, without));
    }

    /// Makes a truth false where some rules, or those by which foes attack, are not at rest; says whether they
    /// may not be.
    pub(super) fn rest(&mut self, truth: NumReg, rules: &[RuleId]) -> bool {
        let game = self.game;
        let mut unless: Vec<(PlayerId, Condition)> = Vec::new();
        for rule in rules.iter().map(|id| &game.rules[id.index()]) {
            unless.extend(AtRest::of(rule).unless.into_iter().map(|one| (self.player, one)));
        }
        for foe in self.of_mask(self.attackers(Who::Foe)) {
            let attacks = self.lowering.attacks_of(foe);
            let conditions = attacks.rules.iter().filter_map(|&id| asleep_unless(game, id, rules));
            unless.extend(conditions.map(|one| (foe, one.clone())));
        }
        let mut asked: Vec<(PlayerId, Condition)> = Vec::new();
        for (player, condition) in unless {
            let same =
                |one: &(PlayerId, Condition)| one.0 == player && one.1.test == condition.test;
            if asked.iter().any(same) {
                continue;
            }
            self.as_player(player, |builder| {
                builder.when_holds(&condition, |builder| builder.push(Op::Number(truth, 0)));
            });
            asked.push((player, condition));
        }
        !asked.is_empty()
    }

    /// The rules by which foes attack only under a condition that no event of some rules changes.
    pub(super) fn asleep_beside(&mut self, rules: &[RuleId]) -> Vec<(PlayerId, RuleId)> {
        let (game, mut asleep) = (self.game, Vec::new());
        for foe in self.of_mask(self.attackers(Who::Foe)) {
            let attacks = self.lowering.attacks_of(foe);
            let conditional = |id: &&RuleId| asleep_unless(game, **id, rules).is_some();
            asleep.extend(attacks.rules.iter().filter(conditional).map(|&id| (foe, id)));
        }
        asleep
    }

    /// Whether some rules may not be at rest.
    pub(super) fn may_wake(&mut self, rules: &[RuleId]) -> bool {
        let outer = std::mem::take(&mut self.block);
        let (truth, known) = (self.new_number(), self.known.clone());
        let may = self.rest(truth, rules);
        (self.block, self.known) = (outer, known);
        may
    }

    /// Whether the pieces of the game give each player one royal piece at most.
    pub(super) fn has_one_royal_at_most(&self) -> bool {
        let (game, guarded) = (self.game, &self.lowering.guarded);
        let royals = |player| {
            let royal = |piece: &&PieceEntry| guarded.contains(&piece.kind);
            game.pieces.iter().filter(|piece| piece.owner == player).filter(royal).count()
        };
        game.players().all(|player| royals(player) <= 1)
            && !guarded.iter().any(|&kind| game.is_unlimited(kind))
    }

    /// The body of a loop over pieces of some kinds: where there is at most one of them, because all are
    /// royal, the loop ends with it.
    pub(super) fn for_one_royal(&self, kinds: &[KindId], mut body: Block) -> Block {
        let royal = kinds.iter().all(|kind| self.lowering.guarded.contains(kind));
        if royal && self.danger.is_some() {
            body.push(Op::Break);
        }
        body
    }

    /// What some players attack, where all who ask share it.
    pub(super) fn shared_danger(&mut self, players: u64) -> Option<SetReg> {
        let danger = self.danger.filter(|danger| danger.players == players)?;
        Some(self.find_danger(danger))
    }

    /// What foes attack.
    pub(super) fn find_danger(&mut self, danger: Danger) -> SetReg {
        let unknown = self.equals(danger.found, 0);
        let body = self.nested(|builder| {
            for player in builder.of_mask(danger.players) {
                let attacked = builder.new_set();
                let function = builder.lowering.entries.attacks[player.index()];
                builder.push(Op::Call(attacked, function));
                builder.push(Op::Or(danger.tiles, danger.tiles, attacked));
            }
            builder.push(Op::Number(danger.found, 1));
        });
        self.push(Op::If(unknown, body, Vec::new()));
        danger.tiles
    }

    fn find_checks(
        &mut self,
        royals: SetReg,
        attacks: &[Rc<Attacks>],
        threats: &[Threat],
    ) -> Safety {
        let blockers = self.blockers();
        let own = self.set(&Set::Owned(Who::Mover));
        let royal = self.new_number();
        self.push(Op::First(royal, royals));
        let [attackers, lines, pinned] = std::array::from_fn(|_| self.constant_set(TileSet::EMPTY));
        let others = self.and_not(blockers, royals);
        for class in attacks.iter().flat_map(|attacks| &attacks.classes) {
            let pieces = self.as_player(class.player, |builder| builder.set(&class.pieces));
            if !class.travel.leaps.is_empty() {
                let rows = self.lowering.leap_rows_back(&class.travel.leaps, &class.onto);
                let near = self.new_set();
                self.push(Op::Row(near, rows, royal));
                let near = self.and(near, pieces);
                self.push(Op::Or(attackers, attackers, near));
            }
            if class.travel.slides.is_empty() {
                continue;
            }
            let Some(back) = self.lowering.slide_back(&class.travel.slides) else { continue };
            let forth = self.lowering.slide(&class.travel.slides);
            let rows = self.lowering.ray_rows(back);
            let far = self.new_set();
            self.push(Op::Row(far, rows, royal));
            let snipers = self.and(far, pieces);
            let sniper = self.new_number();
            let body = self.nested(|builder| {
                let (between, count) = (builder.new_set(), builder.new_number());
                builder.push(Op::Between(between, forth, sniper, royal));
                let inside = builder.and(between, blockers);
                builder.push(Op::Count(count, inside));
                let none = builder.equals(count, 0);
                let gives_check = builder.nested(|builder| {
                    let single = builder.single(sniper);
                    builder.push(Op::Or(attackers, attackers, single));
                    builder.push(Op::Or(lines, lines, between));
                });
                let pins = builder.nested(|builder| {
                    let one = builder.equals(count, 1);
                    let body = builder.pin(sniper, [between, inside, own, pinned]);
                    builder.push(Op::If(one, body, Vec::new()));
                });
                builder.push(Op::If(none, gives_check, pins));
            });
            self.push(Op::ForTiles(snipers, sniper, body));
        }
        let doubt = (!threats.is_empty()).then(|| self.zone_of(threats, royals, royal));
        let zone = doubt.map(|zone| zone.tiles);
        self.push(Op::Seldom([attackers, pinned].into_iter().chain(zone).collect()));
        let check = self.check_mask(attackers, lines);
        let danger = Danger {
            players: self.attackers(Who::Foe),
            tiles: self.constant_set(TileSet::EMPTY),
            found: self.constant_number(0),
        };
        Safety { royals, check, pinned, others, danger, doubt }
    }

    /// Where a piece that is not royal may go: anywhere without a check, onto or before one attacker, nowhere
    /// with two.
    fn check_mask(&mut self, attackers: SetReg, lines: SetReg) -> SetReg {
        let check = self.new_set();
        let count = self.new_number();
        self.push(Op::Count(count, attackers));
        let all = self.lowering.constant(self.game.all_tiles);
        let nothing = self.lowering.constant(TileSet::EMPTY);
        let checked = self.nested(|builder| {
            let one = builder.equals(count, 1);
            let single = vec![Op::Or(check, attackers, lines)];
            builder.push(Op::If(one, single, vec![Op::Constant(check, nothing)]));
        });
        let none = self.equals(count, 0);
        self.push(Op::If(none, vec![Op::Constant(check, all)], checked));
        check
    }

    /// What foes attack of the tiles to which the royal piece may go from a tile, once it has left it.
    pub(super) fn danger_near(&mut self, from: NumReg, travel: &Travel, others: SetReg) -> SetReg {
        self.danger_in(&Near::Ways(travel.clone()), from, others)
    }

    /// What some players attack of a set that was just looked up in a table, where all who ask share what
    /// is attacked.
    pub(super) fn danger_of_row(&mut self, found: SetReg, players: u64) -> Option<SetReg> {
        self.danger.filter(|danger| danger.players == players)?;
        let Some(&Op::Row(to, rows, tile)) = self.block.last() else { return None };
        if to != found {
            return None;
        }
        let (blockers, near) = (self.blockers(), Near::Rows(rows));
        let all = self.danger_in(&near, tile, blockers);
        self.add_danger_by_rules(all, players, (&near, tile)).then_some(all)
    }

    /// What foes attack by classes of the tiles of a set that depends on a tile.
    fn danger_in(&mut self, near: &Near, tile: NumReg, blockers: SetReg) -> SetReg {
        let foes = self.of_mask(self.attackers(Who::Foe)).into_iter();
        let attacks: Vec<Rc<Attacks>> = foes.map(|foe| self.lowering.attacks_of(foe)).collect();
        let classes = attacks.iter().flat_map(|attacks| attacks.classes.iter().cloned());
        self.danger_of(&classes.collect::<Vec<_>>(), near, tile, blockers)
    }

    /// What pieces of some classes attack of such a set. Those too far away to attack any of its tiles are
    /// not asked.
    pub(super) fn danger_of(
        &mut self,
        classes: &[Class],
        near: &Near,
        tile: NumReg,
        blockers: SetReg,
    ) -> SetReg {
        let all = self.constant_set(TileSet::EMPTY);
        for class in classes {
            let mut pieces = self.as_player(class.player, |builder| builder.set(&class.pieces));
            if !self.attacks_at_once(class) {
                let (rows, near) = (self.lowering.near_rows(class, near), self.new_set());
                self.push(Op::Row(near, rows, tile));
                pieces = self.and(pieces, near);
            }
            self.add_attacks(all, class, pieces, blockers);
        }
        all
    }

    /// Notes a pin, if the piece between is one of the mover's.
    fn pin(&mut self, sniper: NumReg, [between, inside, own, pinned]: [SetReg; 4]) -> Block {
        self.nested(|builder| {
            let mine = builder.and(inside, own);
            let any = builder.any(mine);
            let body = builder.nested(|builder| {
                let (tile, single) = (builder.new_number(), builder.single(sniper));
                builder.push(Op::First(tile, mine));
                let line = builder.or(between, single);
                // A piece that is pinned twice may go only where both pins let it.
                let again = builder.has(pinned, tile);
                let body = builder.nested(|builder| {
                    let other = builder.new_set();
                    builder.push(Op::Load(other, tile));
                    builder.push(Op::And(line, line, other));
                });
                builder.push(Op::If(again, body, Vec::new()));
                builder.push(Op::Or(pinned, pinned, mine));
                builder.push(Op::Store(tile, line));
            });
            builder.push(Op::If(any, body, Vec::new()));
        })
    }
}
