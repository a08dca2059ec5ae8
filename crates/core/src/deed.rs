//! What an accepted event and its rule do to the state.

use crate::draft::Draft;
use crate::event::Event;
use crate::id::{DieId, PieceId, TileId};
use crate::plan::{Effect, Movement, Rule, Spot, Wanted, Way};
use crate::rule;
use crate::scene::Scene;
use crate::state::State;

/// The state after a rule carries out an event that it accepted.
pub(crate) fn carry_out(scene: &Scene<'_>, rule: &Rule, event: Event) -> State {
    let mut deed =
        Deed { frame: *scene, draft: Draft { game: scene.game, state: scene.state.clone() } };
    let mover = deed.mover(rule, event);
    rule.before.iter().for_each(|effect| deed.run(effect));
    if rule.written.deed == rule::Deed::Usual {
        deed.act(rule, event, mover);
    }
    rule.after.iter().for_each(|effect| deed.run(effect));
    deed.draft.state
}

struct Deed<'a> {
    /// Who moves and between which tiles; its state is the one before.
    frame: Scene<'a>,
    draft: Draft<'a>,
}

impl Deed<'_> {
    /// The scene as changed so far.
    fn scene(&self) -> Scene<'_> {
        Scene { state: &self.draft.state, ..self.frame }
    }

    /// The piece that the event is about.
    fn mover(&self, rule: &Rule, event: Event) -> Option<PieceId> {
        let view = self.frame.view();
        match (event, &rule.wants) {
            (Event::Move { from, .. } | Event::Advance { from, .. }, Wanted::Move(movement)) => {
                if !self.frame.game.layout.stacks(from) {
                    return view.first_at(from);
                }
                let kind = self.frame.moving_kind(movement, from)?;
                view.pieces_at(from).find(|&piece| {
                    self.frame.game.owner(piece) == self.frame.mover && view.kind_of(piece) == kind
                })
            }
            (Event::Put { kind, .. }, _) => view.in_hand(self.frame.mover, kind),
            _ => None,
        }
    }

    /// The event's own deed.
    fn act(&mut self, rule: &Rule, event: Event, mover: Option<PieceId>) {
        match (event, mover) {
            (Event::Move { to, choice, .. }, Some(piece)) => {
                let was = self.draft.lift(piece);
                self.make_room(to);
                self.draft.place(piece, to, choice.unwrap_or(was.kind), was.flags);
            }
            (Event::Advance { to, pips, .. }, Some(piece)) => {
                self.transfer(piece, to);
                self.spend(rule, pips);
            }
            (Event::Put { kind, to }, Some(piece)) => {
                self.make_room(to);
                self.draft.place(piece, to, kind, 0);
            }
            (Event::Roll(outcome), _) => {
                let outcome = &self.frame.game.outcomes[outcome.index()];
                outcome.dice.iter().for_each(|&(die, shows)| self.draft.set_die(die, shows));
            }
            _ => {}
        }
    }

    /// Captures whoever stands on a tile that holds one piece.
    fn make_room(&mut self, tile: TileId) {
        if !self.frame.game.layout.stacks(tile) {
            self.draft.clear(tile);
        }
    }

    fn run(&mut self, effect: &Effect) {
        match effect {
            Effect::Capture { at, to } => self.capture(at, to.as_ref()),
            Effect::Carry { from, to } => {
                let (Some(from), Some(to)) = (self.scene().spot(from), self.scene().spot(to))
                else {
                    return;
                };
                if let Some(piece) = self.draft.view().first_at(from) {
                    self.transfer(piece, to);
                }
            }
            Effect::Together(moves) => self.move_together(moves),
            Effect::Clear { area, is } => {
                let tiles = self.scene().select(is, self.scene().area(area));
                tiles.iter().for_each(|tile| self.draft.clear(tile));
            }
            Effect::Flag { at, set, clear } => {
                if let Some(tile) = self.scene().spot(at) {
                    self.draft.flag(tile, *set, *clear);
                }
            }
            Effect::Mark { area, is, set, clear } => {
                let tiles = self.scene().select(is, self.scene().area(area));
                tiles.iter().for_each(|tile| self.draft.flag(tile, *set, *clear));
            }
            Effect::Become { at, kind } => {
                if let Some(piece) =
                    self.scene().spot(at).and_then(|tile| self.draft.view().first_at(tile))
                {
                    self.draft.change_kind(piece, *kind);
                }
            }
            Effect::Set { variable, of, to } => {
                let (of, value) = (self.scene().seat(*of), self.scene().value(to));
                self.draft.set_variable(*variable, of, value);
            }
            Effect::Add { variable, of, by } => {
                let (of, by) = (self.scene().seat(*of), self.scene().value(by));
                let before = self.draft.view().variable(*variable, of);
                self.draft.set_variable(*variable, of, before.saturating_add(by));
            }
            Effect::Turn(seat) => self.draft.give_turn(self.scene().seat(*seat)),
            Effect::Unroll(dice) => dice.iter().for_each(|&die| self.draft.set_die(die, 0)),
            Effect::Show { dice, value } => {
                let value = self.scene().value(value);
                dice.iter().for_each(|&die| self.draft.turn_die(die, value));
            }
            Effect::Reset => self.draft.reset(),
            Effect::When { condition, then, otherwise } => {
                let effects = if self.scene().holds(condition) { then } else { otherwise };
                effects.iter().for_each(|effect| self.run(effect));
            }
            Effect::Custom(custom) => (custom.0)(&mut self.draft, self.frame.from, self.frame.to),
        }
    }

    /// Spends the last die that shows a number; those after it move up.
    fn spend(&mut self, rule: &Rule, pips: u8) {
        let Wanted::Move(Movement { way: Way::Dice(track), .. }) = &rule.wants else { return };
        let shows = |die: &DieId| self.draft.view().die(*die) == Some(pips);
        let Some(spent) = track.dice.iter().rposition(shows) else { return };
        for pair in track.dice[spent..].windows(2) {
            let shown = self.draft.view().die(pair[1]).unwrap_or(0);
            self.draft.set_die(pair[0], shown);
        }
        self.draft.set_die(track.dice[track.dice.len() - 1], 0);
    }

    /// Moves every piece off a tile, or one piece of a foe where the tile holds many.
    fn capture(&mut self, at: &Spot, to: Option<&Spot>) {
        let Some(tile) = self.scene().spot(at) else { return };
        let target = to.map(|to| self.scene().spot(to));
        let game = self.frame.game;
        let foe = |piece: &PieceId| {
            game.friends[self.frame.mover.index()] >> game.owner(*piece).index() & 1 == 0
        };
        let caught = if game.layout.stacks(tile) {
            self.draft.view().pieces_at(tile).find(foe)
        } else {
            self.draft.view().first_at(tile)
        };
        match (caught, target) {
            (Some(piece), None) => {
                self.draft.lift(piece);
            }
            (Some(piece), Some(Some(to))) => self.transfer(piece, to),
            _ => {}
        }
    }

    /// Lifts every piece before any is put down, so that they may change places.
    fn move_together(&mut self, moves: &[(Spot, Spot)]) {
        let scene = self.scene();
        let journeys = moves.iter().filter_map(|(from, to)| {
            let piece = scene.view().first_at(scene.spot(from)?)?;
            Some((piece, scene.spot(to)?))
        });
        let journeys: Vec<(PieceId, TileId)> = journeys.collect();
        let lifted: Vec<_> = journeys.iter().map(|&(piece, _)| self.draft.lift(piece)).collect();
        for ((piece, to), was) in journeys.into_iter().zip(lifted) {
            self.make_room(to);
            self.draft.place(piece, to, was.kind, was.flags);
        }
    }

    fn transfer(&mut self, piece: PieceId, to: TileId) {
        let was = self.draft.lift(piece);
        self.make_room(to);
        self.draft.place(piece, to, was.kind, was.flags);
    }
}
