//! Finding the events that rules accept, in batches: a source or a step, and a set of targets.
//!
//! Conditions on the target are lifted to the set of targets for which they hold, so that one
//! question serves all candidates. What cannot be lifted is asked candidate by candidate, of that
//! rule alone.

use std::collections::BTreeSet;

use crate::id::{DirectionId, KindId, PlayerId, RuleId};
use crate::ir::{CHOICE, FunctionId, NO_TILE, Op, SetReg};
use crate::tile_set::TileSet;
use crate::typed::{Condition, Movement, Set, Wanted, Way, Who};

use super::fact::{Part, as_if, condition_as_if, conjuncts, constant, foes, uses};
use super::question::Questions;
use super::safety::{Danger, Safety};
use super::zone::Zone;
use super::{Builder, Lowering};

/// What becomes of the targets found.
#[derive(Clone, Copy)]
pub(super) enum Sink {
    /// They are events.
    Events,
    /// They are tiles to which a piece could go to capture.
    Tiles(SetReg),
    /// They are the targets of events.
    Targets(SetReg),
}

/// What is asked of a candidate after it is found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    Nothing,
    /// The state after it is tried.
    Trial,
    /// Whether the royal piece would be attacked where it is carried.
    Probe(Danger),
}

impl<'g> Lowering<'g> {
    /// The function that finds the events of some rules, which are all about moves or all about
    /// puts.
    pub(super) fn generate(&mut self, player: PlayerId, rules: &[RuleId]) -> FunctionId {
        let game = self.game;
        let mut builder = self.builder(player);
        builder.to_move = Some(player);
        builder.push(Op::Number(CHOICE, NO_TILE));
        let (mut apart, mut masked) = (true, false);
        builder.with_safety(rules, |builder, safety| {
            masked |= safety.is_some();
            let rare = masked
                && safety.is_none()
                && builder.has_one_royal_at_most()
                && !builder.may_wake(rules);
            apart &= builder.tell_apart(rules, safety) || rare;
            let zoned = rules.iter().any(|id| {
                let rule = &game.rules[id.index()];
                let masked = safety.is_some() && builder.fits_masks(rule);
                builder.ensured(rule) == (true, false) && !masked && builder.fits_zone(rule)
            });
            // Beside masks only a few rules need trials, which the zone would not be worth.
            let zone = (zoned && safety.is_none()).then(|| builder.find_zone(rules)).flatten();
            for &id in rules {
                builder.events_of(id, safety, zone);
            }
        });
        let function = builder.finish();
        self.apart = apart;
        function
    }
}

impl Builder<'_, '_> {
    /// Notes which rules must leave events to rules before them, where that is known by source and
    /// target; says whether every event is then found once.
    fn tell_apart(&mut self, rules: &[RuleId], safety: Option<Safety>) -> bool {
        self.earlier.clear();
        let (mut all, mut before) = (true, BTreeSet::new());
        for &id in rules {
            let shared = self.game.rules[id.index()].shared.iter();
            let (mine, others): (Vec<RuleId>, Vec<RuleId>) = shared
                .filter(|one| before.contains(*one))
                .partition(|&&one| self.tells_apart(one, id, safety));
            all &= others.is_empty();
            self.earlier.push((id, mine));
            before.insert(id);
        }
        all
    }

    /// Whether an event that two rules might accept is legal by one as it is by the other.
    fn tells_apart(&self, one: RuleId, other: RuleId, safety: Option<Safety>) -> bool {
        let [one, other] = [one, other].map(|id| &self.game.rules[id.index()]);
        let (Wanted::Move(here), Wanted::Move(there)) = (&one.wants, &other.wants) else {
            return false;
        };
        let plain = |movement: &Movement| {
            matches!(movement.way, Way::Own | Way::Pattern(_))
                && !uses(Part::Set(&movement.through)).to
        };
        // What is accepted whatever comes of it is accepted by its targets alone.
        let by_dice = |movement: &Movement| matches!(movement.way, Way::Dice(_));
        let accepts_all = one.ensures.is_none() && !uses(Part::Set(&here.through)).to;
        if accepts_all && !by_dice(here) && !by_dice(there) && here.choice == there.choice {
            return true;
        }
        let alike = match (self.ensured(one), self.ensured(other)) {
            ((false, false), (false, false)) => true,
            ((true, false), (true, false)) => {
                safety.is_some_and(|safety| safety.doubt.is_none())
                    && self.fits_masks(one)
                    && self.fits_masks(other)
            }
            _ => false,
        };
        // What is tried is the same where both do the same.
        let does_alike = one.ensures == other.ensures
            && one.before == other.before
            && one.after == other.after
            && one.fails == other.fails
            && one.written.deed == other.written.deed;
        (alike || does_alike) && plain(here) && plain(there) && here.choice == there.choice
    }

    /// The rules to which a rule must leave events.
    pub(super) fn earlier_than(&self, id: RuleId) -> Vec<RuleId> {
        let found = self.earlier.iter().find(|(rule, _)| *rule == id);
        found.map_or(Vec::new(), |(_, earlier)| earlier.clone())
    }

    fn events_of(&mut self, id: RuleId, safety: Option<Safety>, zone: Option<Zone>) {
        let game = self.game;
        let rule = &game.rules[id.index()];
        let (wants_safety, wants_more) = self.ensured(rule);
        let masked = wants_safety && safety.is_some() && self.fits_masks(rule);
        let doubt = safety.and_then(|safety| safety.doubt);
        let told = |safety: &Safety| wants_safety && safety.doubt.is_none();
        let carried = safety.filter(told).filter(|_| self.carries(rule).is_some());
        let sure = masked && doubt.is_none();
        let closing = match (wants_more || wants_safety && !sure, carried) {
            (true, Some(safety)) if !wants_more => Closing::Probe(safety.danger),
            (true, _) => Closing::Trial,
            (false, _) => Closing::Nothing,
        };
        let safety = safety.filter(|_| masked);
        let zone = match masked {
            true => doubt.filter(|_| !wants_more),
            false => zone.filter(|_| !wants_more && self.fits_zone(rule)),
        };
        match &rule.wants {
            Wanted::Move(movement) => {
                let mut questions = self.questions(rule, movement);
                questions.free.extend(self.left_as_is(rule));
                self.push(Op::Rule(id, zone.is_none() && self.is_ordered(movement)));
                self.guarded(&questions.free.clone(), |builder| {
                    builder.moves(
                        id,
                        movement,
                        &questions,
                        Ending {
                            sink: Sink::Events,
                            closing,
                            safety,
                            zone,
                            risk: None,
                            within: None,
                            rule: id,
                        },
                    );
                });
            }
            Wanted::Put { kinds, onto } => {
                self.push(Op::Rule(id, true));
                let mut questions =
                    Questions { free: self.left_as_is(rule), ..Questions::default() };
                conjuncts(&rule.when).into_iter().for_each(|one| self.sort(one, &mut questions));
                self.sort_target(onto, &mut questions);
                let kinds: Vec<KindId> = game.kinds().filter(|&k| kinds.contains(k)).collect();
                self.guarded(&questions.free.clone(), |builder| {
                    builder.puts(id, &kinds, &questions, (closing, safety, zone));
                });
            }
            Wanted::Pick { action, onto } => {
                self.push(Op::Rule(id, true));
                let mut questions =
                    Questions { free: self.left_as_is(rule), ..Questions::default() };
                conjuncts(&rule.when).into_iter().for_each(|one| self.sort(one, &mut questions));
                self.sort_target(onto, &mut questions);
                self.guarded(&questions.free.clone(), |builder| {
                    builder.picks(id, *action, &questions, closing);
                });
            }
            Wanted::Roll { .. } | Wanted::Act(_) => {}
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

    /// Adds the targets of a rule's events from some tiles, whatever it ensures, as if it were the
    /// turn of the player judged.
    pub(super) fn rule_targets(&mut self, all: SetReg, id: RuleId, within: SetReg) {
        let rule = &self.game.rules[id.index()];
        let Wanted::Move(movement) = &rule.wants else { return };
        let registers = (self.new_number(), self.new_number());
        let event = std::mem::replace(&mut self.event, registers);
        let to_move = self.to_move.replace(self.player);
        let questions = self.questions(rule, movement);
        self.guarded(&questions.free.clone(), |builder| {
            let ending = Ending {
                sink: Sink::Targets(all),
                closing: Closing::Nothing,
                safety: None,
                zone: None,
                risk: None,
                within: Some(within),
                rule: id,
            };
            builder.moves(id, movement, &questions, ending);
        });
        (self.event, self.to_move) = (event, to_move);
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
                zone: None,
                risk: None,
                within,
                rule: id,
            };
            builder.moves(id, movement, &questions, ending);
        });
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
            Way::Hop(hop) => self.hop_moves((id, movement), questions, ending, hop),
            Way::Steps(ways) => self.step_moves((id, movement), questions, ending, ways),
            Way::Anywhere => self.anywhere_moves((id, movement), questions, ending),
        }
    }

    /// Where the pieces stand that a movement rule may move.
    pub(super) fn sources(
        &mut self,
        movement: &Movement,
        kinds: &[KindId],
        ending: Ending,
    ) -> SetReg {
        let needs = uses(Part::Set(&movement.source));
        let set = if needs.from || needs.to {
            let anywhere = Movement {
                source: constant(self.game, self.game.all_tiles),
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

    /// Whether the pieces of a tile are all of one kind, so that its plane tells what moves.
    pub(super) fn one_kind_at_a_time(&self, kinds: &[KindId]) -> bool {
        self.game.exclusive == self.game.all_tiles
            || self.game.sole_kind().is_some_and(|kind| kinds.contains(&kind))
    }

    /// Runs code where a piece on the source is of a kind that a rule is about.
    pub(super) fn where_one_moves(
        &mut self,
        rule: RuleId,
        kinds: &[KindId],
        then: impl FnOnce(&mut Self),
    ) {
        if self.one_kind_at_a_time(kinds) {
            return then(self);
        }
        let (moving, player, from) = (self.new_number(), self.player, self.event.0);
        self.push(Op::MovingKind { to: moving, player, rule, from });
        let none = self.equals(moving, NO_TILE);
        let body = self.nested(then);
        self.push(Op::If(none, Vec::new(), body));
    }

    /// Friends and neutral pieces on tiles that hold one piece.
    pub(super) fn own_blockers(&mut self) -> SetReg {
        let friends = match self.game.neutral {
            0 => Set::Owned(Who::Friend),
            neutral => {
                let neutral = self.game.players().filter(|one| neutral >> one.index() & 1 == 1);
                let neutral = neutral.map(|one| Set::Owned(Who::Player(one)));
                Set::Any(std::iter::once(Set::Owned(Who::Friend)).chain(neutral).collect())
            }
        };
        if self.game.exclusive == self.game.all_tiles {
            return self.set(&friends);
        }
        let exclusive = constant(self.game, self.game.exclusive);
        self.set(&Set::All(vec![friends, exclusive]))
    }

    /// Asks what is left to ask of each candidate and hands the targets on.
    pub(super) fn deliver(
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
        // What asks for attacks costs more than most else, and comes last.
        let costly = |one: &Condition| uses(Part::Truth(one)).attacks;
        let (first, last): (Vec<_>, Vec<_>) =
            questions.of_candidate.iter().cloned().partition(|one| !costly(one));
        if !first.is_empty() && !questions.late.is_empty() {
            let rest = Questions {
                late: questions.late.clone(),
                of_candidate: last,
                ..Questions::default()
            };
            let targets = self.candidates(targets, &first);
            return self.deliver(movement, targets, &rest, ending);
        }
        if !questions.late.is_empty() {
            let rest = Questions { of_candidate: last, ..Questions::default() };
            let any = self.any(targets);
            let body = self.nested(|builder| {
                builder.guarded(&questions.late, |builder| {
                    builder.deliver(movement, targets, &rest, ending);
                });
            });
            return self.push(Op::If(any, body, Vec::new()));
        }
        if !questions.of_candidate.is_empty() {
            targets = self.candidates(targets, &questions.of_candidate);
        }
        if let Sink::Events = ending.sink {
            for rule in self.earlier_than(ending.rule) {
                let taken = self.constant_set(TileSet::EMPTY);
                let asked = self.left_as_is(&self.game.rules[rule.index()]);
                self.guarded(&asked, |builder| {
                    let single = builder.single(from);
                    builder.rule_targets(taken, rule, single);
                });
                targets = self.and_not(targets, taken);
            }
        }
        match (ending.sink, ending.closing) {
            (Sink::Tiles(all) | Sink::Targets(all), _) => self.push(Op::Or(all, all, targets)),
            (Sink::Events, Closing::Nothing) => self.push(Op::EmitFrom(from, targets)),
            (Sink::Events, Closing::Probe(danger)) => {
                let pairs = self.carries(&self.game.rules[ending.rule.index()]);
                let body = self.nested(|builder| {
                    let attacked = builder.is_attacked_after(&pairs.unwrap_or_default(), danger);
                    builder.push(Op::If(attacked, Vec::new(), vec![Op::EmitEvent]));
                });
                self.push(Op::ForTiles(targets, to, body));
            }
            (Sink::Events, Closing::Trial) => self.deliver_tried(movement, targets, ending),
        }
    }

    /// Hands on the targets that need no trial, and tries the others.
    fn deliver_tried(&mut self, movement: &Movement, targets: SetReg, ending: Ending) {
        let (from, to) = self.event;
        let risky = match (ending.risk, ending.zone) {
            (Some(risk), _) => {
                let safe = self.and_not(targets, risk);
                self.push(Op::EmitFrom(from, safe));
                self.and(targets, risk)
            }
            (None, Some(zone)) => self.leave_risky(movement, targets, zone),
            (None, None) => targets,
        };
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
        self.push(Op::ForTiles(risky, to, body));
    }

    /// Those of some targets for which conditions hold that are asked of each.
    fn candidates(&mut self, targets: SetReg, asked: &[Condition]) -> SetReg {
        let (to, left) = (self.event.1, self.constant_set(TileSet::EMPTY));
        let body = self.nested(|builder| {
            builder.guarded(asked, |builder| {
                let single = builder.single(to);
                builder.push(Op::Or(left, left, single));
            });
        });
        self.push(Op::ForTiles(targets, to, body));
        left
    }

    /// Runs code where the state after an event of a rule is as the rule must ensure.
    pub(super) fn trial(&mut self, rule: RuleId, then: Vec<Op>) {
        let codes = &self.lowering.entries.rules[rule.index()][self.player.index()];
        let (make, check) = (codes.make, codes.ensures);
        match check {
            None => self.extend(then),
            Some(check) => {
                let holds = self.new_number();
                self.lowering.entries.tries = true;
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
        let moves = |builder: &mut Self| {
            let targets = match through {
                None => {
                    let (slide, seen) = (builder.lowering.slide(directions), builder.new_set());
                    builder.push(Op::Slide(seen, slide, from, blockers));
                    builder.and(seen, blockers)
                }
                Some(through) => builder.first_past(through, directions, blockers),
            };
            let targets = match mask {
                Some(mask) => builder.and(targets, mask),
                None => targets,
            };
            builder.deliver(movement, targets, questions, ending);
        };
        let body = self.nested(|builder| {
            builder.guarded(&questions.of_source.clone(), |builder| {
                builder.where_one_moves(ending.rule, &kinds, moves);
            });
        });
        let each = Op::ForTiles(sources, from, self.for_one_royal(&kinds, body));
        match mask {
            // A rule that can lead nowhere now looks at no piece.
            Some(mask) => {
                let any = self.any(mask);
                self.push(Op::If(any, vec![each], Vec::new()));
            }
            None => self.push(each),
        }
    }
}

impl Builder<'_, '_> {
    /// The first piece along each direction to which a way leads past tiles that may be passed.
    fn first_past(
        &mut self,
        through: &Set,
        directions: &[DirectionId],
        blockers: SetReg,
    ) -> SetReg {
        let (from, to) = self.event;
        let [targets, claimed] = std::array::from_fn(|_| self.constant_set(TileSet::EMPTY));
        for &direction in directions {
            let (slide, end) = (self.lowering.slide(&[direction]), self.new_number());
            self.push(Op::FirstAlong(end, slide, from, blockers));
            // The first direction that leads to a tile is the way to it.
            let (single, known) = (self.single(end), self.has(claimed, end));
            self.push(Op::Or(claimed, claimed, single));
            let add = vec![Op::Or(targets, targets, single)];
            self.push(Op::Move(to, end));
            let (between, through) = (self.new_set(), self.set(through));
            self.push(Op::Between(between, slide, from, end));
            let closed = self.and_not(between, through);
            let any = self.any(closed);
            self.push(Op::If(any, Vec::new(), vec![Op::If(known, Vec::new(), add)]));
        }
        targets
    }
}

/// How a search for moves ends.
#[derive(Clone, Copy)]
pub(super) struct Ending {
    pub(super) sink: Sink,
    pub(super) closing: Closing,
    pub(super) safety: Option<Safety>,
    pub(super) zone: Option<Zone>,
    /// The only targets that need a trial, where that is known of a source.
    pub(super) risk: Option<SetReg>,
    /// Where pieces must stand, if not anywhere.
    pub(super) within: Option<SetReg>,
    pub(super) rule: RuleId,
}
