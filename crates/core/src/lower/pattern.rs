//! Moves by patterns: leaps and slides, for all pieces at once or piece by piece.

use crate::id::{DirectionId, KindId, RuleId};
use crate::ir::{Block, FROM, Op, SetReg, WayRef};
use crate::tile_set::TileSet;
use crate::typed::{Movement, Set, Way};

use super::Builder;
use super::attack::Travel;
use super::fact::{Part, flatten, uses};
use super::generate::{Closing, Ending, Sink};
use super::question::Questions;
use super::safety::Safety;

/// How many leaps are found by moving all pieces at once; more are found piece by piece.
const FEW_LEAPS: usize = 3;

/// Which part of the board counts as small.
const FEW_TARGETS: usize = 4;

/// What the targets of one group of pieces share.
#[derive(Clone, Copy)]
struct Frame<'r> {
    id: RuleId,
    blockers: SetReg,
    /// What the rule asks of them at once, and where they must lie altogether.
    asked: Option<SetReg>,
    mask: Option<SetReg>,
    through: Option<&'r Set>,
}

impl Builder<'_, '_> {
    /// Whether the events of a movement rule are found in the order of their sources.
    pub(super) fn is_ordered(&self, movement: &Movement) -> bool {
        match movement.way {
            Way::Own | Way::Pattern(_) => {
                let groups = self.travel_groups(movement);
                let by_image = |(_, travel): &(_, Travel)| {
                    travel.slides.is_empty() && travel.leaps.len() <= FEW_LEAPS
                };
                groups.len() <= 1 && !groups.iter().any(by_image)
            }
            _ => true,
        }
    }

    pub(super) fn pattern_moves(
        &mut self,
        id: RuleId,
        movement: &Movement,
        questions: &Questions,
        ending: Ending,
    ) {
        let blockers = self.blockers();
        let asked = self.meet(&questions.targets);
        let mask = match ending.sink {
            Sink::Events | Sink::Targets(_) => {
                let (all, friends) =
                    (asked.unwrap_or_else(|| self.every_tile()), self.own_blockers());
                Some(self.and_not(all, friends))
            }
            Sink::Tiles(_) => asked,
        };
        let late = uses(Part::Set(&movement.through)).to;
        let through = match late || self.lowering.is_everywhere(&movement.through, self.player) {
            true => None,
            false => Some(&movement.through),
        };
        for (kinds, travel) in self.travel_groups(movement) {
            let sources = self.sources(movement, &kinds, ending);
            let mask = match (mask, ending.safety) {
                (Some(mask), Some(safety)) if !self.has_royal(&kinds) => {
                    Some(self.and(mask, safety.check))
                }
                (mask, _) => mask,
            };
            let frame = Frame { id, blockers, asked, mask, through };
            let by_image = travel.slides.is_empty()
                && travel.leaps.len() <= FEW_LEAPS
                && questions.of_source.is_empty()
                && questions.late.is_empty()
                && !late
                && questions.targets_of_source.is_empty()
                && questions.of_candidate.is_empty()
                && (ending.closing == Closing::Nothing
                    || ending.safety.is_some() && ending.zone.is_some())
                && self.earlier_than(id).is_empty()
                && through.is_none_or(|through| uses(Part::Set(through)).only_state())
                && !self.is_ambiguous(&travel)
                && travel.leaps.iter().all(|leap| self.is_one_to_one(leap))
                && !travel.leaps.iter().any(|leap| self.lowering.comes_back(leap))
                && self.one_kind_at_a_time(&kinds)
                && !(ending.safety.is_some() && self.has_royal(&kinds));
            if by_image {
                let few = self.few_sources(&travel, questions);
                self.image_moves_from(few, (movement, &travel), sources, &frame, ending);
            } else {
                self.moves_by_source(
                    movement,
                    (&kinds, &travel),
                    sources,
                    &frame,
                    questions,
                    ending,
                );
            }
        }
    }

    /// Kinds of a movement rule with the ways in which they travel: by movement class where no
    /// two ways of a kind lead to the same tile.
    fn travel_groups(&self, movement: &Movement) -> Vec<(Vec<KindId>, Travel)> {
        let groups = self.lowering.travels(movement, self.player);
        let all: Vec<KindId> = groups.iter().flat_map(|(kinds, _)| kinds).copied().collect();
        let ambiguous = groups.iter().any(|(_, travel)| self.is_ambiguous(travel));
        match ambiguous || !self.one_kind_at_a_time(&all) {
            true => groups,
            false => self.lowering.travel_classes(movement, self.player),
        }
    }

    fn has_royal(&self, kinds: &[KindId]) -> bool {
        kinds.iter().any(|kind| self.lowering.guarded.contains(kind))
    }

    /// Whether a leap leads to no tile from two tiles, so that a target tells its source.
    fn is_one_to_one(&self, leap: &[DirectionId]) -> bool {
        let topology = self.game.topology();
        let mut seen = TileSet::EMPTY;
        let ends = self
            .game
            .tiles()
            .filter_map(|from| leap.iter().try_fold(from, |tile, &step| topology.next(tile, step)));
        { ends }.all(|end| {
            !seen.contains(end) && {
                seen.insert(end);
                true
            }
        })
    }

    /// Whether two ways of travelling lead from one tile to the same.
    fn is_ambiguous(&self, travel: &Travel) -> bool {
        if let Some(&known) = self.lowering.ambiguous.borrow().get(travel) {
            return known;
        }
        let ambiguous = self.leads_twice(travel);
        self.lowering.ambiguous.borrow_mut().insert(travel.clone(), ambiguous);
        ambiguous
    }

    fn leads_twice(&self, travel: &Travel) -> bool {
        let (game, topology) = (self.game, self.game.topology());
        game.tiles().any(|from| {
            let mut seen = TileSet::EMPTY;
            let mut twice = false;
            let mut add = |tile: crate::TileId| {
                twice |= seen.contains(tile);
                seen.insert(tile);
            };
            for leap in &travel.leaps {
                let end = leap.iter().try_fold(from, |tile, &step| topology.next(tile, step));
                end.into_iter().for_each(&mut add);
            }
            for &slide in &travel.slides {
                let mut ray: TileSet = std::iter::once(from).collect();
                let mut tile = from;
                while let Some(next) =
                    topology.next(tile, slide).filter(|&next| !ray.contains(next))
                {
                    ray.insert(next);
                    add(next);
                    tile = next;
                }
            }
            twice
        })
    }

    /// Sources without the words of a set from which no way leads anywhere, on boards of several words.
    fn in_live_words(&mut self, travel: &Travel, sources: SetReg) -> SetReg {
        let (game, topology) = (self.game, self.game.topology());
        let width = self.lowering.code.width;
        if width == 1 {
            return sources;
        }
        let first = travel.slides.iter().chain(travel.leaps.iter().filter_map(|leap| leap.first()));
        let first: Vec<DirectionId> = first.copied().collect();
        let leads = |tile: &crate::TileId| {
            first.iter().any(|&direction| topology.next(*tile, direction).is_some())
        };
        let leading: TileSet = game.tiles().filter(leads).collect();
        match leading.words()[..width].contains(&0) {
            true => {
                let leading = self.constant_set(leading);
                self.and(sources, leading)
            }
            false => sources,
        }
    }

    /// The tiles from which leaps lead where a rule may end, if that is a small part of the board
    /// whatever the state: then pieces seldom stand on them.
    fn few_sources(&self, travel: &Travel, questions: &Questions) -> Option<TileSet> {
        let (game, topology) = (self.game, self.game.topology());
        let mut parts = Vec::new();
        questions.targets.iter().for_each(|set| flatten(set, &mut parts));
        let fixed = parts.into_iter().filter_map(|set| self.lowering.fixed(set, self.player));
        let lands = fixed.fold(game.all_tiles, |all, set| all & set);
        let leads = |from: &crate::TileId| {
            let ends = travel.leaps.iter().filter_map(|leap| {
                leap.iter().try_fold(*from, |tile, &step| topology.next(tile, step))
            });
            { ends }.any(|end| lands.contains(end))
        };
        let is_few = lands.len() * FEW_TARGETS <= game.all_tiles.len();
        is_few.then(|| game.tiles().filter(leads).collect())
    }

    /// All pieces at once, and only where one stands on tiles from which alone leaps lead anywhere.
    fn image_moves_from(
        &mut self,
        few: Option<TileSet>,
        ways: (&Movement, &Travel),
        sources: SetReg,
        frame: &Frame<'_>,
        ending: Ending,
    ) {
        let Some(few) = few else { return self.image_moves(ways, sources, frame, ending) };
        let few = self.constant_set(few);
        let sources = self.and(sources, few);
        let any = self.any(sources);
        let body = self.nested(|builder| builder.image_moves(ways, sources, frame, ending));
        self.push(Op::If(any, body, Vec::new()));
    }

    /// All pieces at once, leap by leap.
    fn image_moves(
        &mut self,
        (movement, travel): (&Movement, &Travel),
        sources: SetReg,
        frame: &Frame<'_>,
        ending: Ending,
    ) {
        let mut free = match ending.safety {
            Some(safety) => self.and_not(sources, safety.pinned),
            None => sources,
        };
        if let Some(zone) = ending.zone {
            free = self.and_not(free, zone.tiles);
        }
        for leap in &travel.leaps {
            let mut targets = self.leap_from(free, leap, frame);
            if let Some(zone) = ending.zone {
                targets = self.and_not(targets, zone.tiles);
            }
            match ending.sink {
                Sink::Events => {
                    let map = self.lowering.map(leap);
                    self.push(Op::EmitImages(map, targets));
                }
                Sink::Tiles(all) | Sink::Targets(all) => self.push(Op::Or(all, all, targets)),
            }
        }
        let Some(safety) = ending.safety else { return };
        if let Some(zone) = ending.zone {
            let (ways, tiles) = ((movement, travel), zone.tiles);
            return self.image_moves_at_risk(ways, (sources, free, tiles), (frame, safety), ending);
        }
        let pinned = self.and(sources, safety.pinned);
        let leaps = travel.leaps.clone();
        let body = self.nested(|builder| {
            let single = builder.single(FROM);
            let line = builder.new_set();
            builder.push(Op::Load(line, FROM));
            for leap in &leaps {
                let targets = builder.leap_from(single, leap, frame);
                let targets = builder.and(targets, line);
                builder.push(Op::EmitFrom(FROM, targets));
            }
        });
        self.push(Op::ForTiles(pinned, FROM, body));
    }

    /// The moves by leaps that are not found with all pieces at once, because the piece is pinned or
    /// they may need a trial: those of free pieces into the zone, and all of the rest.
    fn image_moves_at_risk(
        &mut self,
        (movement, travel): (&Movement, &Travel),
        (all, free, tiles): (SetReg, SetReg, SetReg),
        (frame, safety): (&Frame<'_>, Safety),
        ending: Ending,
    ) {
        let zone = frame.mask.map_or(tiles, |mask| self.and(mask, tiles));
        let (from, kept) = (self.event.0, self.or(safety.pinned, tiles));
        let mut sources = self.and(all, kept);
        for leap in &travel.leaps {
            let (map, entering) = (self.lowering.map(leap), self.new_set());
            self.push(Op::Preimage(entering, zone, map));
            let entering = self.and(entering, free);
            sources = self.or(sources, entering);
        }
        let body = self.nested(|builder| {
            let (single, line) = (builder.single(from), builder.new_set());
            let targets = builder.constant_set(TileSet::EMPTY);
            for leap in &travel.leaps {
                let found = builder.leap_from(single, leap, frame);
                builder.push(Op::Or(targets, targets, found));
            }
            let (is_free, pinned) = (builder.has(free, from), builder.has(safety.pinned, from));
            builder.push(Op::If(is_free, vec![Op::And(targets, targets, zone)], Vec::new()));
            let along = vec![Op::Load(line, from), Op::And(targets, targets, line)];
            builder.push(Op::If(pinned, along, Vec::new()));
            builder.deliver(movement, targets, &Questions::default(), ending);
        });
        self.push(Op::ForTiles(sources, from, body));
    }

    /// Where a leap leads from some tiles, past tiles that may be passed, to tiles of the mask.
    fn leap_from(&mut self, from: SetReg, leap: &[DirectionId], frame: &Frame<'_>) -> SetReg {
        let mut tiles = from;
        match frame.through {
            None => tiles = self.image(tiles, leap),
            Some(through) => {
                for (index, &step) in leap.iter().enumerate() {
                    tiles = self.image(tiles, &[step]);
                    if index + 1 < leap.len() {
                        let through = self.set(through);
                        tiles = self.and(tiles, through);
                    }
                }
            }
        }
        self.within_mask(tiles, frame)
    }

    fn within_mask(&mut self, targets: SetReg, frame: &Frame<'_>) -> SetReg {
        match frame.mask {
            Some(mask) => self.and(targets, mask),
            None => targets,
        }
    }

    /// Piece by piece.
    fn moves_by_source(
        &mut self,
        movement: &Movement,
        (kinds, travel): (&[KindId], &Travel),
        sources: SetReg,
        frame: &Frame<'_>,
        questions: &Questions,
        ending: Ending,
    ) {
        let from = self.event.0;
        let sources = self.in_live_words(travel, sources);
        let leads = self.sources_that_lead(travel, sources, frame);
        let body = self.nested(|builder| {
            if !builder.one_kind_at_a_time(kinds) {
                // Where several kinds share a tile, only the first that the rule is about moves.
                let moving = builder.new_number();
                let (player, rule) = (builder.player, frame.id);
                builder.push(Op::MovingKind { to: moving, player, rule, from });
                let is_one = builder.constant_number(0);
                for kind in kinds {
                    let is = builder.equals(moving, kind.index() as i64);
                    let (add, none) = (vec![Op::Number(is_one, 1)], Vec::new());
                    builder.push(Op::If(is, add, none));
                }
                let body = builder.nested(|builder| {
                    builder.moves_of_source(movement, (kinds, travel), frame, questions, ending);
                });
                builder.push(Op::If(is_one, body, Vec::new()));
            } else {
                builder.moves_of_source(movement, (kinds, travel), frame, questions, ending);
            }
        });
        let body = self.for_one_royal(kinds, body);
        let each = |sources| Op::ForTiles(sources, from, body);
        match frame.asked {
            // A rule that can lead nowhere now looks at no piece.
            Some(asked) => {
                let (mut find, sources) = leads.unwrap_or((Block::new(), sources));
                find.push(each(sources));
                let any = self.any(asked);
                self.push(Op::If(any, find, Vec::new()));
            }
            None => self.push(each(sources)),
        }
    }

    /// Code that finds the sources from which one of a few leaps leads to the mask, and where it
    /// leaves them: a condition on the target often holds for one or two tiles (as where a piece may
    /// be captured in passing), and then few pieces need to be looked at.
    fn sources_that_lead(
        &mut self,
        travel: &Travel,
        sources: SetReg,
        frame: &Frame<'_>,
    ) -> Option<(Block, SetReg)> {
        let few = travel.slides.is_empty() && travel.leaps.len() <= FEW_LEAPS;
        let mask = frame.mask.filter(|_| few && frame.asked.is_some())?;
        let mut leading = sources;
        let find = self.nested(|builder| {
            let near = builder.constant_set(TileSet::EMPTY);
            for leap in &travel.leaps {
                let (map, from) = (builder.lowering.map(leap), builder.new_set());
                builder.push(Op::Preimage(from, mask, map));
                builder.push(Op::Or(near, near, from));
            }
            leading = builder.and(sources, near);
        });
        Some((find, leading))
    }

    fn moves_of_source(
        &mut self,
        movement: &Movement,
        (kinds, travel): (&[KindId], &Travel),
        frame: &Frame<'_>,
        questions: &Questions,
        ending: Ending,
    ) {
        let from = self.event.0;
        self.guarded(&questions.of_source.clone(), |builder| {
            let targets = builder.constant_set(TileSet::EMPTY);
            match frame.through {
                None => {
                    let everywhere = builder.game.all_tiles;
                    builder.add_seen(targets, (travel, &everywhere), from, frame.blockers);
                }
                Some(_)
                    if builder.is_ambiguous(travel) && !matches!(ending.sink, Sink::Tiles(_)) =>
                {
                    let through = builder.set(&movement.through);
                    let way = builder.way(movement, kinds, frame.id);
                    builder.push(Op::Travel { to: targets, way, from, through });
                }
                Some(through) => builder.add_past(targets, travel, through, frame),
            }
            let mut targets = builder.within_mask(targets, frame);
            if uses(Part::Set(&movement.through)).to {
                targets = match ending.sink {
                    Sink::Tiles(_) => builder.attacks_past(movement, travel, targets, frame),
                    _ => builder.targets_past(movement, kinds, targets, frame.id),
                };
            }
            let mut ending = ending;
            if let Some(safety) = ending.safety {
                builder.keep_safe(targets, (kinds, travel), safety);
                let royal = kinds.iter().all(|kind| builder.lowering.guarded.contains(kind));
                if royal && ending.zone.is_some_and(|zone| zone.by_patterns) {
                    ending.risk = Some(builder.risk_near(targets, travel, safety.others));
                }
            }
            builder.deliver(movement, targets, questions, ending);
        });
    }

    /// Of some targets those to which a path leads past tiles that may be passed, where that
    /// depends on the target.
    fn targets_past(
        &mut self,
        movement: &Movement,
        kinds: &[KindId],
        targets: SetReg,
        id: RuleId,
    ) -> SetReg {
        let (from, to) = self.event;
        let left = self.constant_set(TileSet::EMPTY);
        let body = self.nested(|builder| {
            let (through, reached) = (builder.set(&movement.through), builder.new_set());
            let way = builder.way(movement, kinds, id);
            builder.push(Op::Travel { to: reached, way, from, through });
            let single = builder.single(to);
            let reached = builder.and(reached, single);
            builder.push(Op::Or(left, left, reached));
        });
        self.push(Op::ForTiles(targets, to, body));
        left
    }

    /// The same for targets that are attacked, whoever stands on them.
    fn attacks_past(
        &mut self,
        movement: &Movement,
        travel: &Travel,
        targets: SetReg,
        frame: &Frame<'_>,
    ) -> SetReg {
        let to = self.event.1;
        let left = self.constant_set(TileSet::EMPTY);
        let body = self.nested(|builder| {
            let reached = builder.constant_set(TileSet::EMPTY);
            let frame = Frame { through: Some(&movement.through), ..*frame };
            builder.add_past(reached, travel, &movement.through, &frame);
            let single = builder.single(to);
            let reached = builder.and(reached, single);
            builder.push(Op::Or(left, left, reached));
        });
        self.push(Op::ForTiles(targets, to, body));
        left
    }

    fn way(&self, movement: &Movement, kinds: &[KindId], id: RuleId) -> WayRef {
        match movement.way {
            Way::Pattern(_) => WayRef::Rule(self.player, id),
            _ => WayRef::Kind(self.player, kinds[0]),
        }
    }

    /// Adds where a piece goes past tiles that may be passed.
    fn add_past(&mut self, all: SetReg, travel: &Travel, through: &Set, frame: &Frame<'_>) {
        let from = self.event.0;
        let single = self.single(from);
        let free = Frame { mask: None, ..*frame };
        for leap in &travel.leaps {
            let mut targets = self.leap_from(single, leap, &free);
            if self.lowering.comes_back(leap) {
                targets = self.and_not(targets, single);
            }
            self.push(Op::Or(all, all, targets));
        }
        if travel.slides.is_empty() {
            return;
        }
        let (every, through) = (self.every_tile(), self.set(through));
        let closed = self.and_not(every, through);
        let stops = self.or(frame.blockers, closed);
        let (slide, seen) = (self.lowering.slide(&travel.slides), self.new_set());
        self.push(Op::Slide(seen, slide, from, stops));
        self.push(Op::Or(all, all, seen));
    }

    /// Takes targets away that would leave the royal piece attacked.
    fn keep_safe(
        &mut self,
        targets: SetReg,
        (kinds, travel): (&[KindId], &Travel),
        safety: Safety,
    ) {
        let from = self.event.0;
        let royal = |builder: &mut Self| {
            let any = builder.any(targets);
            let body = builder.nested(|builder| {
                let danger = builder.danger_near(from, travel, safety.others);
                builder.push(Op::AndNot(targets, targets, danger));
            });
            builder.push(Op::If(any, body, Vec::new()));
        };
        let common = |builder: &mut Self| {
            let pinned = builder.has(safety.pinned, from);
            let body = builder.nested(|builder| {
                let line = builder.new_set();
                builder.push(Op::Load(line, from));
                builder.push(Op::And(targets, targets, line));
            });
            builder.push(Op::If(pinned, body, Vec::new()));
        };
        let royals = kinds.iter().filter(|kind| self.lowering.guarded.contains(kind)).count();
        if royals == kinds.len() {
            royal(self);
        } else if royals == 0 {
            common(self);
        } else {
            let is_royal = self.has(safety.royals, from);
            let checked = |builder: &mut Self| {
                builder.push(Op::And(targets, targets, safety.check));
                common(builder);
            };
            let (yes, no) = (self.nested(royal), self.nested(checked));
            self.push(Op::If(is_royal, yes, no));
        }
    }
}
