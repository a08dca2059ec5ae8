//! What an accepted event does, by names.

use senet_core::{Deed, Effect, Life, Rule, Spot, Wanted};

use super::condition::Scene;
use super::{Oracle, Position, Proposal};

impl Oracle<'_> {
    /// The position after a rule carries out an event.
    pub(super) fn after(self, position: &Position, rule: &Rule, event: &Proposal) -> Position {
        let mover = self.moving_man(position, rule, event);
        let player = position.player.clone();
        let mut now = position.clone();
        let run = |now: &mut Position, effects: &[Effect]| {
            effects.iter().for_each(|effect| self.run(now, effect, &player, event));
        };
        run(&mut now, &rule.before);
        match (event, mover) {
            _ if rule.deed == Deed::Nothing => {}
            (Proposal::Move(_, to, choice), Some(man)) => {
                self.relocate(&mut now, man, to, choice.as_deref());
            }
            (Proposal::Advance(_, to, pips), Some(man)) => {
                self.relocate(&mut now, man, to, None);
                self.spend(&mut now, rule, *pips);
            }
            (Proposal::Put(kind, to), Some(man)) => {
                self.relocate(&mut now, man, to, Some(kind));
            }
            (Proposal::Roll(dice), _) => {
                now.dice.extend(dice.iter().cloned());
            }
            _ => {}
        }
        run(&mut now, &rule.after);
        now
    }

    /// The piece that an event is about, by its number.
    fn moving_man(self, position: &Position, rule: &Rule, event: &Proposal) -> Option<usize> {
        let scene = self.scene(position, Some(event));
        let (kind, tile) = match (event, &rule.wants) {
            (Proposal::Move(from, ..) | Proposal::Advance(from, ..), Wanted::Move(movement)) => {
                (self.moving_kind(&scene, movement)?, Some(from.clone()))
            }
            (Proposal::Put(kind, _), _) => (kind.clone(), None),
            _ => return None,
        };
        let is =
            |man: &super::Man| man.owner == position.player && man.kind == kind && man.tile == tile;
        position.pieces.iter().position(is)
    }

    fn remove(self, now: &mut Position, man: usize) {
        let man = &mut now.pieces[man];
        man.tile = None;
        man.kind = man.first_kind.clone();
        man.flags.clear();
    }

    /// Puts a piece on a tile, where another makes room if there is none.
    fn relocate(self, now: &mut Position, man: usize, to: &str, kind: Option<&str>) {
        for other in 0..now.pieces.len() {
            let there = now.pieces[other].tile.as_deref() == Some(to);
            if there && other != man && !self.stacks(to) {
                self.remove(now, other);
            }
        }
        let stacks = self.stacks(to);
        let man = &mut now.pieces[man];
        man.tile = Some(to.to_owned());
        if let Some(kind) = kind {
            man.kind = kind.to_owned();
        }
        if stacks {
            man.flags.clear();
        }
    }

    fn first_at(self, now: &Position, tile: &str) -> Option<usize> {
        now.pieces.iter().position(|man| man.tile.as_deref() == Some(tile))
    }

    fn run(self, now: &mut Position, effect: &Effect, mover: &str, event: &Proposal) {
        let before = now.clone();
        let scene = Scene { mover, ..self.scene(&before, Some(event)) };
        match effect {
            Effect::Capture { at, to } => self.capture(now, &scene, at, to.as_ref()),
            Effect::Carry { from, to } => {
                let man = scene.spot(from).and_then(|tile| self.first_at(now, &tile));
                if let (Some(man), Some(to)) = (man, scene.spot(to)) {
                    self.relocate(now, man, &to, None);
                }
            }
            Effect::Together(moves) => {
                let journeys = moves.iter().filter_map(|(from, to)| {
                    Some((self.first_at(&before, &scene.spot(from)?)?, scene.spot(to)?))
                });
                let journeys: Vec<(usize, String)> = journeys.collect();
                journeys.iter().for_each(|(man, _)| now.pieces[*man].tile = None);
                journeys.iter().for_each(|(man, to)| self.relocate(now, *man, to, None));
            }
            Effect::Clear { area, is } => {
                for tile in scene.area(area).iter().filter(|tile| scene.passes(is, tile)) {
                    while let Some(man) = self.first_at(now, tile) {
                        self.remove(now, man);
                    }
                }
            }
            Effect::Flag { at, set, clear } => {
                let tile = scene.spot(at);
                tile.into_iter().for_each(|tile| self.flag(now, &tile, set, clear));
            }
            Effect::Mark { area, is, set, clear } => {
                for tile in scene.area(area).iter().filter(|tile| scene.passes(is, tile)) {
                    self.flag(now, tile, set, clear);
                }
            }
            Effect::Become { at, kind } => {
                let man = scene.spot(at).and_then(|tile| self.first_at(now, &tile));
                if let Some(man) = man {
                    now.pieces[man].kind = kind.clone();
                }
            }
            Effect::Set { variable, of, to } => {
                let key = scene.variable_key(variable, of);
                self.set(now, key, scene.value(to));
            }
            Effect::Add { variable, of, by } => {
                let key = scene.variable_key(variable, of);
                let value = before.variables[&key].saturating_add(scene.value(by));
                self.set(now, key, value);
            }
            Effect::Turn(seat) => self.give_turn(now, scene.seat(seat)),
            Effect::Unroll(dice) => {
                now.dice.extend(dice.iter().map(|die| (die.clone(), 0)));
            }
            Effect::Show { dice, value } => {
                for die in self.definition.dice.iter().filter(|die| dice.contains(&die.name)) {
                    let shows = scene.value(value).clamp(0, die.sides.into()) as u8;
                    now.dice.insert(die.name.clone(), shows);
                }
            }
            Effect::Reset => now.pieces = self.start().pieces,
            Effect::When { condition, then, otherwise } => {
                let effects = if scene.holds(condition) { then } else { otherwise };
                effects.iter().for_each(|effect| self.run(now, effect, mover, event));
            }
            Effect::Custom { name } => panic!("the oracle knows no custom effect `{name}`"),
        }
    }

    fn flag(self, now: &mut Position, tile: &str, set: &[String], clear: &[String]) {
        let man = self.first_at(now, tile).filter(|_| !self.stacks(tile));
        if let Some(man) = man {
            let flags = &mut now.pieces[man].flags;
            flags.retain(|flag| !clear.contains(flag));
            flags.extend(set.iter().cloned());
        }
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
    }

    /// Takes off what stands on a tile; of many, one piece of a foe.
    fn capture(self, now: &mut Position, scene: &Scene<'_>, at: &Spot, to: Option<&Spot>) {
        let Some(tile) = scene.spot(at) else { return };
        let stacks = self.stacks(&tile);
        let caught = now.pieces.iter().position(|man| {
            let foe = !self.friends(scene.mover, &man.owner);
            man.tile.as_ref() == Some(&tile) && (foe || !stacks)
        });
        let Some(man) = caught else { return };
        match to {
            None => self.remove(now, man),
            Some(to) => {
                if let Some(to) = scene.spot(to) {
                    self.relocate(now, man, &to, None);
                }
            }
        }
    }
}
