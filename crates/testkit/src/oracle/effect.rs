//! What an accepted event does, by names.

use senet_core::written::{Deed, Effect, Fate, Life, Rule, Seat, Set, Tile, Truth, Wanted};

use super::context::{Bound, Context};
use super::{Man, Oracle, Place, Position, Proposal};

/// Names that effects run with.
type Names = Vec<(String, Bound)>;

/// Who carries out what.
#[derive(Clone, Copy)]
struct Cause<'a> {
    player: &'a str,
    event: &'a Proposal,
}

impl Oracle<'_> {
    /// The position after a rule carries out an event.
    pub(super) fn after(self, position: &Position, rule: &Rule, event: &Proposal) -> Position {
        let cause = Cause { player: &position.player, event };
        let mut now = position.clone();
        self.run_all(&mut now, &rule.before, cause, &Names::new());
        if rule.deed == Deed::Usual {
            self.deed(&mut now, rule, cause);
        }
        self.run_all(&mut now, &rule.after, cause, &Names::new());
        now
    }

    /// The position after an event that something unseen makes impossible.
    pub(super) fn after_failing(
        self,
        position: &Position,
        rule: &Rule,
        event: &Proposal,
    ) -> Position {
        let cause = Cause { player: &position.player, event };
        let mut now = position.clone();
        self.run_all(&mut now, &rule.fails, cause, &Names::new());
        now
    }

    /// What events of a kind do.
    fn deed(self, now: &mut Position, rule: &Rule, cause: Cause<'_>) {
        match (cause.event, self.moving_man(now, rule, cause)) {
            (Proposal::Move(_, to, choice), Some(man)) => {
                self.relocate(now, man, to);
                if let Some(kind) = choice {
                    now.pieces[man].kind = kind.clone();
                }
            }
            (Proposal::Advance(_, to, pips), mover) => {
                mover.into_iter().for_each(|man| self.relocate(now, man, to));
                self.spend(now, rule, *pips);
            }
            (Proposal::Put(kind, to), _) => self.enter(now, cause.player, kind, to),
            (Proposal::Roll(dice), _) => now.dice.extend(dice.iter().cloned()),
            (Proposal::Chance(name), _) => {
                let Wanted::Chance(lots) = &rule.wants else { return };
                for lot in lots.iter().filter(|lot| lot.name == *name) {
                    self.run_all(now, &lot.then, cause, &Names::new());
                }
            }
            _ => {}
        }
    }

    /// The piece that moves, by its number: the one that stands on the source when the effects
    /// before the move are done; of a stack, the first of the mover's that the rule is about.
    fn moving_man(self, now: &Position, rule: &Rule, cause: Cause<'_>) -> Option<usize> {
        let (Proposal::Move(from, ..) | Proposal::Advance(from, ..)) = cause.event else {
            return None;
        };
        let Wanted::Move(movement) = &rule.wants else { return None };
        if !self.stacks(from) {
            return self.only_at(now, from);
        }
        let context = Context { mover: cause.player, ..self.context(now, Some(cause.event)) };
        let kind = self.moving_kind(&context, movement)?;
        self.first_at(now, from, |man| man.owner == cause.player && man.kind == kind)
    }

    /// Puts a piece of a player on a tile, from an unlimited supply or from the hand.
    fn enter(self, now: &mut Position, owner: &str, kind: &str, tile: &str) {
        if self.is_unlimited(kind) {
            if !self.has_supply(now) {
                return;
            }
            now.pieces.push(Man {
                owner: owner.to_owned(),
                kind: kind.to_owned(),
                place: Place::Hand,
                flags: [].into(),
            });
        }
        let held = now.pieces.iter().position(|man| man.is_in_hand(owner, kind));
        held.into_iter().for_each(|man| self.relocate(now, man, tile));
    }

    fn remove(self, now: &mut Position, man: usize) {
        let man = &mut now.pieces[man];
        man.place = Place::Out;
        man.flags.clear();
    }

    /// Puts a piece on a tile. What stands on a tile that holds one piece is captured.
    fn relocate(self, now: &mut Position, man: usize, to: &str) {
        for other in 0..now.pieces.len() {
            if now.pieces[other].is_on(to) && other != man && !self.stacks(to) {
                self.remove(now, other);
            }
        }
        now.pieces[man].place = Place::Tile(to.to_owned());
        if self.stacks(to) {
            now.pieces[man].flags.clear();
        }
    }

    /// The piece on a tile; of a stack the one whose owner and then kind is listed first.
    fn first_at(self, now: &Position, tile: &str, is: impl Fn(&Man) -> bool) -> Option<usize> {
        let d = self.definition;
        let order = |man: &Man| {
            let owner = d.players.iter().position(|one| one.name == man.owner);
            (owner, d.kinds.iter().position(|one| one.name == man.kind))
        };
        let here = (0..now.pieces.len()).filter(|man| now.pieces[*man].is_on(tile));
        let here = here.filter(|man| is(&now.pieces[*man]));
        here.min_by_key(|man| order(&now.pieces[*man]))
    }

    /// The piece on a tile that holds one.
    fn only_at(self, now: &Position, tile: &str) -> Option<usize> {
        self.first_at(now, tile, |_| true).filter(|_| !self.stacks(tile))
    }

    /// The pieces on those of some tiles that hold one.
    fn alone_on(self, now: &Position, tiles: &[String]) -> Vec<usize> {
        tiles.iter().filter_map(|tile| self.only_at(now, tile)).collect()
    }

    fn run_all(self, now: &mut Position, effects: &[Effect], cause: Cause<'_>, names: &Names) {
        effects.iter().for_each(|effect| self.run(now, effect, cause, names));
    }

    fn run(self, now: &mut Position, effect: &Effect, cause: Cause<'_>, names: &Names) {
        let before = now.clone();
        let context = Context {
            mover: cause.player,
            names: names.clone(),
            ..self.context(&before, Some(cause.event))
        };
        let tiles = |set: &Set| self.in_order(&context.set(set));
        let alone = |set: &Set| self.alone_on(&before, &tiles(set));
        match effect {
            Effect::Capture { on, to } => {
                tiles(on).iter().for_each(|tile| self.capture(now, &context, tile, to));
            }
            Effect::Clear(on) => tiles(on).iter().for_each(|tile| self.clear(now, tile)),
            Effect::Carry { from, to } => self.carry(now, &context, from, to),
            Effect::Together(moves) => self.together(now, &context, moves),
            Effect::Shift { on, along } => self.shift(now, &context, &tiles(on), along),
            Effect::Flag { on, set, clear } => {
                alone(on).into_iter().for_each(|man| now.pieces[man].change_flags(set, clear));
            }
            Effect::Mark { on, set, clear } => {
                tiles(on).iter().for_each(|tile| self.mark(now, tile, set, clear));
            }
            Effect::Become { on, kind } => {
                alone(on).into_iter().for_each(|man| now.pieces[man].kind = kind.clone());
            }
            Effect::Give { on, to } => {
                alone(on).into_iter().for_each(|man| now.pieces[man].owner = context.seat(to));
            }
            Effect::Place { kind, owner, on } => {
                let room = |tile: &&String| self.has_room(&before, tile);
                for tile in tiles(on).iter().filter(room) {
                    self.enter(now, &context.seat(owner), kind, tile);
                }
            }
            Effect::Set { variable, of, to } => {
                let key = context.variable_key(variable, of);
                self.set(now, key, context.number(to));
            }
            Effect::Add { variable, of, by } => {
                let key = context.variable_key(variable, of);
                self.set(
                    now,
                    key.clone(),
                    before.variables[&key].saturating_add(context.number(by)),
                );
            }
            Effect::TurnWhere(truth) => self.turn_where(now, &context, truth),
            Effect::Again { .. } => panic!("the oracle plays expanded definitions"),
            Effect::Turn(seat) => self.give_turn(now, context.seat(seat)),
            Effect::Unroll(dice) => now.dice.extend(dice.iter().map(|die| (die.clone(), 0))),
            Effect::Show { dice, value } => self.show(now, dice, context.number(value)),
            Effect::Reset => now.pieces = self.start().pieces,
            Effect::Sow { .. } => self.sow_all(now, &context, effect),
            Effect::When { condition, then, otherwise } => {
                let effects = if context.holds(condition) { then } else { otherwise };
                self.run_all(now, effects, cause, names);
            }
            Effect::Each(binding, effects) => {
                for with in context.each(binding) {
                    self.run_all(now, effects, cause, &with.names);
                }
            }
            Effect::Repeat(times, effects) => {
                (0..context.number(times)).for_each(|_| self.run_all(now, effects, cause, names));
            }
            Effect::Custom { name } => panic!("the oracle knows no custom effect `{name}`"),
        }
    }

    fn sow_all(self, now: &mut Position, context: &Context<'_>, effect: &Effect) {
        let Effect::Sow { from, along, skip, count } = effect else { return };
        let sow = |tile: String| self.sow(now, context, &tile, along, skip);
        let steps = context.tile(from).map_or(0, sow);
        count.iter().for_each(|count| {
            self.set(now, context.variable_key(count, &Seat::Mover), steps);
        });
    }

    /// Gives the turn to the next player of whom a truth holds.
    fn turn_where(self, now: &mut Position, context: &Context<'_>, truth: &Truth) {
        let players = self.seats();
        let at = players.clone().position(|one| one.name == context.mover);
        let others = players.clone().cycle().skip(at.unwrap_or(0) + 1);
        let mut others = others.take(players.count() - 1).map(|one| one.name.as_str());
        let next = others.find(|one| Context { mover: one, ..context.clone() }.holds(truth));
        next.into_iter().for_each(|player| self.give_turn(now, player.to_owned()));
    }

    fn has_room(self, now: &Position, tile: &str) -> bool {
        self.stacks(tile) || self.first_at(now, tile, |_| true).is_none()
    }

    /// Takes off everything that stands on a tile.
    fn clear(self, now: &mut Position, tile: &str) {
        while let Some(man) = self.first_at(now, tile, |_| true) {
            self.remove(now, man);
        }
    }

    fn carry(self, now: &mut Position, context: &Context<'_>, from: &Tile, to: &Tile) {
        let from = context.tile(from);
        let man = from.and_then(|tile| self.first_at(now, &tile, |_| true));
        if let (Some(man), Some(to)) = (man, context.tile(to)) {
            self.relocate(now, man, &to);
        }
    }

    /// Lifts several pieces before it puts any of them down.
    fn together(self, now: &mut Position, context: &Context<'_>, moves: &[(Tile, Tile)]) {
        let journeys = moves.iter().filter_map(|(from, to)| {
            let man = self.first_at(now, &context.tile(from)?, |_| true)?;
            Some((man, context.tile(to)?))
        });
        let journeys: Vec<(usize, String)> = journeys.collect();
        journeys.iter().for_each(|(man, _)| now.pieces[*man].place = Place::Out);
        journeys.iter().for_each(|(man, to)| self.relocate(now, *man, to));
    }

    /// Lifts all pieces on some tiles, then puts each down where steps lead from its tile.
    fn shift(self, now: &mut Position, context: &Context<'_>, tiles: &[String], along: &[String]) {
        let mut journeys = Vec::new();
        for tile in tiles {
            let to = along.iter().try_fold(tile.clone(), |tile, step| context.step(&tile, step));
            while let Some(man) = self.first_at(now, tile, |_| true) {
                now.pieces[man].place = Place::Out;
                journeys.push((man, to.clone()));
            }
        }
        for (man, to) in journeys {
            match to {
                Some(to) => self.relocate(now, man, &to),
                None => self.remove(now, man),
            }
        }
    }

    fn mark(self, now: &mut Position, tile: &str, set: &[String], clear: &[String]) {
        for mark in clear {
            now.marks.entry(mark.clone()).or_default().remove(tile);
        }
        for mark in set {
            now.marks.entry(mark.clone()).or_default().insert(tile.to_owned());
        }
    }

    /// Turns dice to a number, or to the nearest that they have.
    fn show(self, now: &mut Position, dice: &[String], number: i64) {
        for die in self.definition.dice.iter().filter(|die| dice.contains(&die.name)) {
            let shows = number.clamp(0, die.sides.into()) as u8;
            now.dice.insert(die.name.clone(), shows);
        }
    }

    /// Takes off what stands on a tile; of many, one piece of a foe.
    fn capture(self, now: &mut Position, context: &Context<'_>, tile: &str, to: &Fate) {
        let stacks = self.stacks(tile);
        let foe = |man: &Man| !stacks || !self.spares(context.mover, &man.owner);
        let Some(man) = self.first_at(now, tile, foe) else { return };
        match to {
            Fate::Out => self.remove(now, man),
            Fate::Tile(to) => {
                if let Some(to) = context.tile(to) {
                    self.relocate(now, man, &to);
                }
            }
            Fate::Hand(seat) => {
                self.remove(now, man);
                let man = &mut now.pieces[man];
                // A kind with a supply of its own is never held in hand.
                if !self.is_unlimited(&man.kind) {
                    man.place = Place::Hand;
                    man.owner = context.seat(seat);
                }
            }
        }
    }

    /// Sows what stands on a tile and says how many steps away the last piece went. What finds no
    /// tile any more stays where it is.
    fn sow(
        self,
        now: &mut Position,
        context: &Context<'_>,
        from: &str,
        along: &str,
        skip: &Set,
    ) -> i64 {
        let skipped = context.set(skip);
        let mut seeds = Vec::new();
        while let Some(seed) = self.first_at(now, from, |_| true) {
            now.pieces[seed].place = Place::Out;
            seeds.push(seed);
        }
        let (mut tile, mut steps, mut last) = (from.to_owned(), 0, 0);
        for (index, &seed) in seeds.iter().enumerate() {
            let first = steps;
            loop {
                // Every tile is passed over once the way has been all around.
                let around = steps - first > self.definition.tiles.len() as i64;
                let Some(next) = context.step(&tile, along).filter(|_| !around) else {
                    seeds[index..].iter().for_each(|seed| self.relocate(now, *seed, from));
                    return last;
                };
                (tile, steps) = (next, steps + 1);
                if !skipped.contains(&tile) {
                    break;
                }
            }
            self.relocate(now, seed, &tile);
            last = steps;
        }
        last
    }

    fn set(self, now: &mut Position, key: (String, Option<String>), value: i64) {
        let mut variables = self.definition.variables.iter();
        let variable = variables.find(|one| one.name == key.0).expect("a known variable");
        now.variables.insert(key, value.clamp(variable.min, variable.max));
    }

    fn give_turn(self, now: &mut Position, player: String) {
        let flags = self.definition.flags.iter();
        for flag in flags.filter(|flag| flag.life == Life::Ephemeral) {
            for man in now.pieces.iter_mut().filter(|man| man.owner == player) {
                man.flags.remove(&flag.name);
            }
        }
        now.player = player;
        now.turned = true;
    }
}
