//! Finding the events that rules accept, in batches: a source or a step, and a set of targets.
//!
//! Conditions on the target are lifted to the set of targets for which they hold, so that one
//! question serves all candidates. What cannot be lifted is asked candidate by candidate, of that
//! rule alone.

use crate::id::{DirectionId, KindId, PlayerId, RuleId};
use crate::ir::{CHOICE, FROM, FunctionId, NO_TILE, NumReg, Op, PIPS, SetReg, TO, WayRef};
use crate::tile_set::TileSet;
use crate::typed::{
    Condition, Heading, Movement, Number, Rule, Set, Tile, Track, Truth, Wanted, Way, Who,
};
use crate::written::Comparison;

use super::attack::Travel;
use super::fact::{Part, Uses, as_if, condition_as_if, conjuncts, foes, uses};
use super::safety::{Safety, ensured};
use super::{Answer, Builder, Lowering};

/// How many leaps are found by moving all pieces at once; more are found piece by piece.
const FEW_LEAPS: usize = 3;

/// What becomes of the targets found.
#[derive(Clone, Copy)]
enum Sink {
    /// They are events.
    Events,
    /// They are tiles to which a piece could go to capture.
    Tiles(SetReg),
}

/// What is asked of a candidate after it is found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    Nothing,
    /// The state after it is tried.
    Trial,
}

/// The questions of a rule, by what they depend on.
#[derive(Default)]
struct Questions {
    /// On the state alone.
    free: Vec<Condition>,
    /// On the source too.
    of_source: Vec<Condition>,
    /// The same, but so costly that they are asked only where there are targets.
    late: Vec<Condition>,
    /// Sets in which the target must lie, found once.
    targets: Vec<Set>,
    /// The same, found for each source.
    targets_of_source: Vec<Set>,
    /// Asked of every candidate.
    of_candidate: Vec<Condition>,
}

impl<'g> Lowering<'g> {
    /// The function that finds the events of some rules, which are all about moves or all about
    /// puts.
    pub(super) fn generate(&mut self, player: PlayerId, rules: &[RuleId]) -> FunctionId {
        let game = self.game;
        let mut builder = self.builder(player);
        builder.to_move = Some(player);
        builder.push(Op::Number(CHOICE, NO_TILE));
        let masks = rules.iter().any(|id| {
            let rule = &game.rules[id.index()];
            ensured(rule).0 && builder.fits_masks(rule)
        });
        builder.with_safety(masks, |builder, safety| {
            for &id in rules {
                builder.events_of(id, safety);
            }
        });
        builder.finish()
    }
}

impl Builder<'_, '_> {
    fn events_of(&mut self, id: RuleId, safety: Option<Safety>) {
        let game = self.game;
        let rule = &game.rules[id.index()];
        let (wants_safety, wants_more) = ensured(rule);
        let masked = wants_safety && safety.is_some() && self.fits_masks(rule);
        let closing = match wants_more || wants_safety && !masked {
            true => Closing::Trial,
            false => Closing::Nothing,
        };
        let safety = safety.filter(|_| masked);
        match &rule.wants {
            Wanted::Move(movement) => {
                let questions = self.questions(rule, movement);
                self.push(Op::Rule(id, self.is_ordered(movement)));
                self.guarded(&questions.free.clone(), |builder| {
                    builder.moves(
                        id,
                        movement,
                        &questions,
                        Ending { sink: Sink::Events, closing, safety, within: None, rule: id },
                    );
                });
            }
            Wanted::Put { kinds, onto } => {
                self.push(Op::Rule(id, true));
                let mut questions = Questions::default();
                conjuncts(&rule.when).into_iter().for_each(|one| self.sort(one, &mut questions));
                self.sort_target(onto, &mut questions);
                let kinds: Vec<KindId> = game.kinds().filter(|&k| kinds.contains(k)).collect();
                self.guarded(&questions.free.clone(), |builder| {
                    builder.puts(id, &kinds, &questions, closing);
                });
            }
            Wanted::Roll { .. } | Wanted::Act(_) => {}
        }
    }

    /// Whether the events of a movement rule are found in the order of their sources.
    fn is_ordered(&self, movement: &Movement) -> bool {
        match movement.way {
            Way::First(_) | Way::Dice(_) => true,
            Way::Own | Way::Pattern(_) => {
                let groups = self.lowering.travels(movement, self.player);
                let by_image = |(_, travel): &(_, Travel)| {
                    travel.slides.is_empty() && travel.leaps.len() <= FEW_LEAPS
                };
                groups.len() <= 1 && !groups.iter().any(by_image)
            }
        }
    }

    /// The tiles that a rule attacks: its targets as if a capturable foe stood on each.
    pub(super) fn rule_attacks(&mut self, all: SetReg, id: RuleId, within: Option<SetReg>) {
        let game = self.game;
        let rule = &game.rules[id.index()];
        let Wanted::Move(movement) = &rule.wants else { return };
        let asked = [Part::Set(&movement.onto), Part::Truth(&rule.when)];
        let mut tried: Vec<(Set, Condition)> = Vec::new();
        for foe in foes(game, self.player, &asked) {
            let onto = as_if(game, foe, &movement.onto);
            let when = condition_as_if(game, foe, &rule.when);
            let nowhere = self.lowering.fixed(&onto, self.player) == Some(TileSet::EMPTY);
            if !nowhere && !tried.iter().any(|one| one.0 == onto && one.1 == when) {
                tried.push((onto, when));
            }
        }
        for (onto, when) in tried {
            self.rule_attacks_as_if(all, id, movement, (&onto, &when), within);
        }
    }

    fn rule_attacks_as_if(
        &mut self,
        all: SetReg,
        id: RuleId,
        movement: &Movement,
        (onto, when): (&Set, &Condition),
        within: Option<SetReg>,
    ) {
        let mut questions = Questions::default();
        conjuncts(when).into_iter().for_each(|one| self.sort(one, &mut questions));
        self.sort_source(&movement.source, &mut questions);
        self.sort_target(onto, &mut questions);
        self.guarded(&questions.free.clone(), |builder| {
            let ending = Ending {
                sink: Sink::Tiles(all),
                closing: Closing::Nothing,
                safety: None,
                within,
                rule: id,
            };
            builder.moves(id, movement, &questions, ending);
        });
    }

    fn questions(&self, rule: &Rule, movement: &Movement) -> Questions {
        let mut questions = Questions::default();
        conjuncts(&rule.when).into_iter().for_each(|one| self.sort(one, &mut questions));
        self.sort_source(&movement.source, &mut questions);
        self.sort_target(&movement.onto, &mut questions);
        questions
    }

    /// Puts a condition where it costs least.
    fn sort(&self, condition: &Condition, into: &mut Questions) {
        let needs = uses(Part::Truth(condition));
        match needs {
            Uses { from: false, to: false, .. } => into.free.push(condition.clone()),
            Uses { from: true, to: false, attacks: true, .. } => into.late.push(condition.clone()),
            Uses { from: true, to: false, .. } => into.of_source.push(condition.clone()),
            Uses { custom: false, from, .. } => match self.lift(condition) {
                Some(set) if from => into.targets_of_source.push(set),
                Some(set) => into.targets.push(set),
                None => into.of_candidate.push(condition.clone()),
            },
            _ => into.of_candidate.push(condition.clone()),
        }
    }

    /// A source that depends on the event is a question; otherwise it is looked for.
    fn sort_source(&self, source: &Set, into: &mut Questions) {
        let needs = uses(Part::Set(source));
        if needs.from || needs.to {
            let test = Truth::In(Tile::From, source.clone());
            self.sort(&Condition { number: 0, test }, into);
        }
    }

    fn sort_target(&self, onto: &Set, into: &mut Questions) {
        if !self.lowering.is_everywhere(onto, self.player) {
            let test = Truth::In(Tile::To, onto.clone());
            self.sort(&Condition { number: 0, test }, into);
        }
    }

    /// The set of targets for which a condition holds, where there is one.
    fn lift(&self, condition: &Condition) -> Option<Set> {
        let about_target = |part: Part<'_>| uses(part).to;
        let lift_all = |all: &[Condition]| -> Option<Vec<Set>> {
            all.iter().map(|one| self.lift(one)).collect()
        };
        let everywhere = || Set::Const(vec![self.game.all_tiles; 64]);
        let nowhere = || Set::Const(vec![TileSet::EMPTY; 64]);
        Some(match &condition.test {
            _ if !about_target(Part::Truth(condition)) => {
                Set::If(Box::new(condition.clone()), Box::new(everywhere()), Box::new(nowhere()))
            }
            Truth::All(all) => Set::All(lift_all(all)?),
            Truth::Any(any) => Set::Any(lift_all(any)?),
            Truth::Not(one) => Set::Not(Box::new(self.lift(one)?)),
            Truth::Called(one) | Truth::Relevant(one) => self.lift(one)?,
            Truth::In(Tile::To, set) if !about_target(Part::Set(set)) => set.clone(),
            Truth::In(Tile::To, Set::All(sets)) => {
                let each = sets.iter().map(|set| self.lift_membership(set));
                Set::All(each.collect::<Option<_>>()?)
            }
            Truth::In(Tile::Steps(tile, steps), set)
                if **tile == Tile::To && !about_target(Part::Set(set)) =>
            {
                Set::Origin(Box::new(set.clone()), steps.clone())
            }
            Truth::Some(set) => self.lift_some(set)?,
            Truth::None(set) => Set::Not(Box::new(self.lift_some(set)?)),
            Truth::Compare(Number::Count(set), is, Number::Is(number)) => match (is, number) {
                (Comparison::Greater | Comparison::Different, 0) | (Comparison::AtLeast, 1) => {
                    self.lift_some(set)?
                }
                (Comparison::Equal | Comparison::AtMost, 0) | (Comparison::Less, 1) => {
                    Set::Not(Box::new(self.lift_some(set)?))
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    fn lift_membership(&self, set: &Set) -> Option<Set> {
        self.lift(&Condition { number: 0, test: Truth::In(Tile::To, set.clone()) })
    }

    /// The targets for which a set that depends on the target has a tile.
    fn lift_some(&self, set: &Set) -> Option<Set> {
        match set {
            Set::Any(any) => {
                let any: Option<Vec<Set>> = any.iter().map(|one| self.lift_some(one)).collect();
                Some(Set::Any(any?))
            }
            Set::Run { from, along, over, end: Some(end) }
                if **from == Tile::To
                    && !uses(Part::Set(over)).to
                    && !uses(Part::Set(end)).to
                    && self.is_straight(along) =>
            {
                let (over, end) = (over.clone(), end.clone());
                Some(Set::RunOrigin { along: along.clone(), over, end })
            }
            Set::At(tile) => {
                let everywhere = Set::Const(vec![self.game.all_tiles; 64]);
                let test = Truth::In((**tile).clone(), everywhere);
                self.lift(&Condition { number: 0, test })
            }
            _ => None,
        }
    }

    /// Whether a direction leads back to no tile and no two tiles to one.
    fn is_straight(&self, along: &Heading) -> bool {
        let (game, direction) = (self.game, self.direction(along));
        let topology = game.topology();
        let mut reached = TileSet::EMPTY;
        game.tiles().all(|tile| {
            let next = |tile: &crate::TileId| topology.next(*tile, direction);
            let ends = std::iter::successors(Some(tile), next).take(game.tile_count() + 1).count()
                <= game.tile_count();
            let fresh = next(&tile).is_none_or(|next| {
                let fresh = !reached.contains(next);
                reached.insert(next);
                fresh
            });
            ends && fresh
        })
    }

    /// Runs code where all of some conditions hold.
    fn guarded(&mut self, conditions: &[Condition], fill: impl FnOnce(&mut Self)) {
        let Some((first, rest)) = conditions.split_first() else { return fill(self) };
        match self.truth(first) {
            Answer::Known(true) => self.guarded(rest, fill),
            Answer::Known(false) => {}
            Answer::Asked(holds) => {
                let body = self.nested(|builder| builder.guarded(rest, fill));
                self.push(Op::If(holds, body, Vec::new()));
            }
        }
    }

    /// The intersection of some sets; none where there are none.
    fn meet(&mut self, sets: &[Set]) -> Option<SetReg> {
        let mut found = None;
        for set in sets {
            found = Some(match (found, set) {
                (Some(found), Set::Not(one)) => {
                    let one = self.set(one);
                    self.and_not(found, one)
                }
                (Some(found), set) => {
                    let set = self.set(set);
                    self.and(found, set)
                }
                (None, set) => self.set(set),
            });
        }
        found
    }

    fn moves(&mut self, id: RuleId, movement: &Movement, questions: &Questions, ending: Ending) {
        match &movement.way {
            Way::Own | Way::Pattern(_) => self.pattern_moves(id, movement, questions, ending),
            Way::First(headings) => {
                let directions: Vec<DirectionId> =
                    headings.iter().map(|heading| self.direction(heading)).collect();
                self.first_moves(movement, questions, ending, &directions);
            }
            Way::Dice(track) => self.dice_moves(id, movement, questions, ending, track),
        }
    }

    /// Where the pieces stand that a movement rule may move.
    fn sources(&mut self, movement: &Movement, kinds: &[KindId], ending: Ending) -> SetReg {
        let needs = uses(Part::Set(&movement.source));
        let set = if needs.from || needs.to {
            let anywhere = Movement {
                source: Set::Const(vec![self.game.all_tiles; 64]),
                kinds: movement.kinds,
                way: Way::Own,
                through: Set::Empty,
                onto: Set::Empty,
                choice: Vec::new(),
            };
            self.lowering.pieces(&anywhere, self.player, kinds)
        } else {
            self.lowering.pieces(movement, self.player, kinds)
        };
        let sources = self.set(&set);
        match ending.within {
            Some(within) => self.and(sources, within),
            None => sources,
        }
    }

    fn pattern_moves(
        &mut self,
        id: RuleId,
        movement: &Movement,
        questions: &Questions,
        ending: Ending,
    ) {
        let blockers = self.blockers();
        let mask = self.meet(&questions.targets);
        let friends = match ending.sink {
            Sink::Events => Some(self.own_blockers()),
            Sink::Tiles(_) => None,
        };
        let late = uses(Part::Set(&movement.through)).to;
        let through = match late || self.lowering.is_everywhere(&movement.through, self.player) {
            true => None,
            false => Some(&movement.through),
        };
        for (kinds, travel) in self.lowering.travels(movement, self.player) {
            let sources = self.sources(movement, &kinds, ending);
            let frame = Frame { id, blockers, mask, friends, through };
            let by_image = travel.slides.is_empty()
                && travel.leaps.len() <= FEW_LEAPS
                && questions.of_source.is_empty()
                && questions.late.is_empty()
                && !late
                && questions.targets_of_source.is_empty()
                && questions.of_candidate.is_empty()
                && ending.closing == Closing::Nothing
                && through.is_none_or(|through| uses(Part::Set(through)).only_state())
                && !self.is_ambiguous(&travel)
                && self.one_kind_at_a_time(&kinds)
                && !(ending.safety.is_some() && self.has_royal(&kinds));
            if by_image {
                self.image_moves(&travel, sources, &frame, ending);
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

    /// Whether the pieces of a tile are all of one kind, so that its plane tells what moves.
    fn one_kind_at_a_time(&self, kinds: &[KindId]) -> bool {
        self.game.exclusive == self.game.all_tiles
            || self.game.layout.kinds == 1 && !kinds.is_empty()
    }

    fn has_royal(&self, kinds: &[KindId]) -> bool {
        kinds.iter().any(|kind| self.game.royals.contains(kind))
    }

    /// Friends on tiles that hold one piece.
    fn own_blockers(&mut self) -> SetReg {
        let friends = Set::Owned(Who::Friend);
        if self.game.exclusive == self.game.all_tiles {
            return self.set(&friends);
        }
        let exclusive = Set::Const(vec![self.game.exclusive; 64]);
        self.set(&Set::All(vec![friends, exclusive]))
    }

    /// Whether two ways of travelling lead from one tile to the same.
    fn is_ambiguous(&self, travel: &Travel) -> bool {
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

    /// All pieces at once, leap by leap.
    fn image_moves(&mut self, travel: &Travel, sources: SetReg, frame: &Frame<'_>, ending: Ending) {
        for leap in &travel.leaps {
            let free = match ending.safety {
                Some(safety) => self.and_not(sources, safety.pinned),
                None => sources,
            };
            let mut targets = self.leap_from(free, leap, frame);
            if let Some(safety) = ending.safety {
                targets = self.and(targets, safety.check);
            }
            match ending.sink {
                Sink::Events => {
                    let map = self.lowering.map(leap);
                    self.push(Op::EmitImages(map, targets));
                }
                Sink::Tiles(all) => self.push(Op::Or(all, all, targets)),
            }
        }
        let Some(safety) = ending.safety else { return };
        let pinned = self.and(sources, safety.pinned);
        let leaps = travel.leaps.clone();
        let body = self.nested(|builder| {
            let single = builder.single(FROM);
            let line = builder.new_set();
            builder.push(Op::Load(line, FROM));
            let line = builder.and(line, safety.check);
            for leap in &leaps {
                let targets = builder.leap_from(single, leap, frame);
                let targets = builder.and(targets, line);
                builder.push(Op::EmitFrom(FROM, targets));
            }
        });
        self.push(Op::ForTiles(pinned, FROM, body));
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

    fn within_mask(&mut self, mut targets: SetReg, frame: &Frame<'_>) -> SetReg {
        if let Some(mask) = frame.mask {
            targets = self.and(targets, mask);
        }
        match frame.friends {
            Some(friends) => self.and_not(targets, friends),
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
        self.push(Op::ForTiles(sources, from, body));
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
                Some(_) if builder.is_ambiguous(travel) && matches!(ending.sink, Sink::Events) => {
                    let through = builder.set(&movement.through);
                    let way = builder.way(movement, kinds, frame.id);
                    builder.push(Op::Travel { to: targets, way, from, through });
                }
                Some(through) => builder.add_past(targets, travel, through, frame),
            }
            let mut targets = builder.within_mask(targets, frame);
            if uses(Part::Set(&movement.through)).to {
                targets = builder.targets_past(movement, kinds, targets, frame.id);
            }
            if let Some(safety) = ending.safety {
                builder.keep_safe(targets, kinds, safety, frame.blockers);
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
        let free = Frame { mask: None, friends: None, ..*frame };
        for leap in &travel.leaps {
            let targets = self.leap_from(single, leap, &free);
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
    fn keep_safe(&mut self, targets: SetReg, kinds: &[KindId], safety: Safety, blockers: SetReg) {
        let from = self.event.0;
        let royal = |builder: &mut Self| {
            let any = builder.any(targets);
            let body = builder.nested(|builder| {
                let single = builder.single(from);
                let others = builder.and_not(blockers, single);
                let foes = builder.players(Who::Foe);
                let danger = builder.attacked_past(foes, others);
                builder.push(Op::AndNot(targets, targets, danger));
            });
            builder.push(Op::If(any, body, Vec::new()));
        };
        let common = |builder: &mut Self| {
            builder.push(Op::And(targets, targets, safety.check));
            let pinned = builder.has(safety.pinned, from);
            let body = builder.nested(|builder| {
                let line = builder.new_set();
                builder.push(Op::Load(line, from));
                builder.push(Op::And(targets, targets, line));
            });
            builder.push(Op::If(pinned, body, Vec::new()));
        };
        let royals = kinds.iter().filter(|kind| self.game.royals.contains(kind)).count();
        if royals == kinds.len() {
            royal(self);
        } else if royals == 0 {
            common(self);
        } else {
            let is_royal = self.has(safety.royals, from);
            let (yes, no) = (self.nested(royal), self.nested(common));
            self.push(Op::If(is_royal, yes, no));
        }
    }

    /// Asks what is left to ask of each candidate and hands the targets on.
    fn deliver(
        &mut self,
        movement: &Movement,
        mut targets: SetReg,
        questions: &Questions,
        ending: Ending,
    ) {
        let (from, to) = self.event;
        if let Some(mask) = self.meet(&questions.targets_of_source) {
            targets = self.and(targets, mask);
        }
        if !questions.late.is_empty() {
            let rest =
                Questions { of_candidate: questions.of_candidate.clone(), ..Questions::default() };
            let any = self.any(targets);
            let body = self.nested(|builder| {
                builder.guarded(&questions.late, |builder| {
                    builder.deliver(movement, targets, &rest, ending);
                });
            });
            return self.push(Op::If(any, body, Vec::new()));
        }
        if !questions.of_candidate.is_empty() {
            let left = self.constant_set(TileSet::EMPTY);
            let body = self.nested(|builder| {
                builder.guarded(&questions.of_candidate, |builder| {
                    let single = builder.single(to);
                    builder.push(Op::Or(left, left, single));
                });
            });
            self.push(Op::ForTiles(targets, to, body));
            targets = left;
        }
        match (ending.sink, ending.closing) {
            (Sink::Tiles(all), _) => self.push(Op::Or(all, all, targets)),
            (Sink::Events, Closing::Nothing) => self.push(Op::EmitFrom(from, targets)),
            (Sink::Events, Closing::Trial) => {
                let body = self.nested(|builder| {
                    let choices: Vec<i64> = match movement.choice.is_empty() {
                        true => vec![NO_TILE],
                        false => movement.choice.iter().map(|kind| kind.index() as i64).collect(),
                    };
                    for choice in choices {
                        builder.push(Op::Number(CHOICE, choice));
                        builder.trial(ending.rule, vec![Op::EmitEvent]);
                    }
                });
                self.push(Op::ForTiles(targets, to, body));
            }
        }
    }

    /// Runs code where the state after an event of a rule is as the rule must ensure.
    fn trial(&mut self, rule: RuleId, then: Vec<Op>) {
        let codes = &self.lowering.entries.rules[rule.index()][self.player.index()];
        let (make, check) = (codes.make, codes.ensures);
        match check {
            None => self.extend(then),
            Some(check) => {
                let holds = self.new_number();
                self.push(Op::Trial { to: holds, make, check });
                self.push(Op::If(holds, then, Vec::new()));
            }
        }
    }

    /// To the first piece along a direction, whoever's it is.
    fn first_moves(
        &mut self,
        movement: &Movement,
        questions: &Questions,
        ending: Ending,
        directions: &[DirectionId],
    ) {
        let game = self.game;
        let blockers = self.blockers();
        let mask = self.meet(&questions.targets);
        let kinds: Vec<KindId> =
            game.kinds().filter(|&kind| movement.kinds.contains(kind)).collect();
        let sources = self.sources(movement, &kinds, ending);
        let from = self.event.0;
        let through = match self.lowering.is_everywhere(&movement.through, self.player) {
            true => None,
            false => Some(&movement.through),
        };
        let body = self.nested(|builder| {
            builder.guarded(&questions.of_source.clone(), |builder| {
                let targets = builder.constant_set(TileSet::EMPTY);
                let claimed = builder.constant_set(TileSet::EMPTY);
                for &direction in directions {
                    let (slide, end) = (builder.lowering.slide(&[direction]), builder.new_number());
                    builder.push(Op::FirstAlong(end, slide, from, blockers));
                    let single = builder.single(end);
                    let add = Op::Or(targets, targets, single);
                    let Some(through) = through else {
                        builder.push(add);
                        continue;
                    };
                    // The first direction that leads to a tile is the way to it.
                    let known = builder.has(claimed, end);
                    builder.push(Op::Or(claimed, claimed, single));
                    let unless_known = vec![Op::If(known, Vec::new(), vec![add])];
                    builder.push(Op::Move(builder.event.1, end));
                    let (between, through) = (builder.new_set(), builder.set(through));
                    builder.push(Op::Between(between, slide, from, end));
                    let closed = builder.and_not(between, through);
                    let any = builder.any(closed);
                    builder.push(Op::If(any, Vec::new(), unless_known));
                }
                let targets = match mask {
                    Some(mask) => builder.and(targets, mask),
                    None => targets,
                };
                builder.deliver(movement, targets, questions, ending);
            });
        });
        self.push(Op::ForTiles(sources, from, body));
    }

    /// By each number that the dice show, once.
    fn dice_moves(
        &mut self,
        id: RuleId,
        movement: &Movement,
        questions: &Questions,
        ending: Ending,
        track: &Track,
    ) {
        let Sink::Events = ending.sink else { return };
        if !movement.choice.is_empty() {
            return;
        }
        let game = self.game;
        let mut mask = self.meet(&questions.targets);
        if game.exclusive != TileSet::EMPTY {
            let (every, friends) = (self.every_tile(), self.own_blockers());
            let open = self.and_not(every, friends);
            mask = Some(mask.map_or(open, |mask| self.and(mask, open)));
        }
        let kinds: Vec<KindId> =
            game.kinds().filter(|&kind| movement.kinds.contains(kind)).collect();
        let sources = self.sources(movement, &kinds, ending);
        let shown: Vec<NumReg> =
            track.dice.iter().map(|&die| self.field(game.layout.die(die), 0)).collect();
        let table = self.lowering.track(id, self.player, track);
        let body = self.nested(|builder| {
            let moves = |builder: &mut Self| {
                for index in 0..shown.len() {
                    builder.die_move(
                        movement,
                        index,
                        &shown,
                        (table, mask),
                        (questions, ending),
                        track,
                    );
                }
            };
            builder.guarded(&questions.of_source.clone(), |builder| {
                if builder.one_kind_at_a_time(&kinds) {
                    return moves(builder);
                }
                let (moving, player) = (builder.new_number(), builder.player);
                builder.push(Op::MovingKind { to: moving, player, rule: id, from: FROM });
                let none = builder.equals(moving, NO_TILE);
                let body = builder.nested(moves);
                builder.push(Op::If(none, Vec::new(), body));
            });
        });
        self.push(Op::ForTiles(sources, FROM, body));
    }

    fn die_move(
        &mut self,
        movement: &Movement,
        index: usize,
        shown: &[NumReg],
        (table, mask): (crate::ir::TrackId, Option<SetReg>),
        (questions, ending): (&Questions, Ending),
        track: &Track,
    ) {
        // A number that an earlier die shows has been used already.
        let fresh = self.constant_number(1);
        for &earlier in &shown[..index] {
            let same = self.new_number();
            self.push(Op::Compare(same, Comparison::Equal, earlier, shown[index]));
            self.push(Op::If(same, vec![Op::Number(fresh, 0)], Vec::new()));
        }
        let body = self.nested(|builder| {
            builder.push(Op::Move(PIPS, shown[index]));
            builder.push(Op::Track { to: TO, track: table, pips: PIPS, from: FROM });
            let every = builder.every_tile();
            let inside = builder.has(mask.unwrap_or(every), TO);
            let body = builder.nested(|builder| {
                let mut asked = questions.late.clone();
                asked.extend(questions.of_candidate.iter().cloned());
                for set in &questions.targets_of_source {
                    asked.push(Condition { number: 0, test: Truth::In(Tile::To, set.clone()) });
                }
                builder.guarded(&asked, |builder| {
                    let emit = vec![Op::EmitDie { from: FROM, to: TO, pips: PIPS }];
                    let closing = |builder: &mut Self| match ending.closing {
                        Closing::Nothing => builder.extend(emit),
                        Closing::Trial => builder.trial(ending.rule, emit),
                    };
                    if builder.lowering.is_everywhere(&movement.through, builder.player) {
                        return closing(builder);
                    }
                    let direction = builder.direction(&track.along);
                    let slide = builder.lowering.slide(&[direction]);
                    let (between, through) = (builder.new_set(), builder.set(&movement.through));
                    builder.push(Op::Between(between, slide, FROM, TO));
                    let closed = builder.and_not(between, through);
                    let any = builder.any(closed);
                    let body = builder.nested(closing);
                    builder.push(Op::If(any, Vec::new(), body));
                });
            });
            builder.push(Op::If(inside, body, Vec::new()));
        });
        self.push(Op::If(fresh, body, Vec::new()));
    }

    /// Pieces of each kind that enter.
    fn puts(&mut self, id: RuleId, kinds: &[KindId], questions: &Questions, closing: Closing) {
        let game = self.game;
        let stacks = game.all_tiles.without(game.exclusive);
        let empty = self.set(&Set::Empty);
        let room = match stacks.is_empty() {
            true => empty,
            false => {
                let stacks = self.constant_set(stacks);
                self.or(empty, stacks)
            }
        };
        let mut targets = match self.meet(&questions.targets) {
            Some(mask) => self.and(room, mask),
            None => room,
        };
        let mut asked = questions.of_candidate.clone();
        asked.extend(questions.of_source.iter().chain(&questions.late).cloned());
        for set in &questions.targets_of_source {
            asked.push(Condition { number: 0, test: Truth::In(Tile::To, set.clone()) });
        }
        if !asked.is_empty() {
            let left = self.constant_set(TileSet::EMPTY);
            self.push(Op::Number(FROM, NO_TILE));
            let body = self.nested(|builder| {
                builder.guarded(&asked, |builder| {
                    let single = builder.single(TO);
                    builder.push(Op::Or(left, left, single));
                });
            });
            self.push(Op::ForTiles(targets, TO, body));
            targets = left;
        }
        for &kind in kinds {
            let put = |builder: &mut Self| {
                if closing == Closing::Nothing {
                    return builder.push(Op::EmitPut(kind, targets));
                }
                builder.push(Op::Number(CHOICE, kind.index() as i64));
                builder.push(Op::Number(FROM, NO_TILE));
                let body = builder.nested(|builder| {
                    let single = builder.single(TO);
                    builder.trial(id, vec![Op::EmitPut(kind, single)]);
                });
                builder.push(Op::ForTiles(targets, TO, body));
            };
            match game.layout.hand(self.player, kind) {
                Some(field) => {
                    let held = self.field(field, 0);
                    let body = self.nested(put);
                    self.push(Op::If(held, body, Vec::new()));
                }
                None if game.is_unlimited(kind) => put(self),
                None => {}
            }
        }
    }
}

/// What the targets of one group of pieces share.
#[derive(Clone, Copy)]
struct Frame<'r> {
    id: RuleId,
    blockers: SetReg,
    mask: Option<SetReg>,
    friends: Option<SetReg>,
    through: Option<&'r Set>,
}

/// How a search for moves ends.
#[derive(Clone, Copy)]
struct Ending {
    sink: Sink,
    closing: Closing,
    safety: Option<Safety>,
    /// Where pieces must stand, if not anywhere.
    within: Option<SetReg>,
    rule: RuleId,
}
