//! The loop: an event finds its phase, is judged by its rules, and becomes a step or a refusal.

use crate::event::{Event, Reason, Rejection, Step};
use crate::game::Game;
use crate::id::{KindId, PhaseId, PlayerId, RuleId, TileId};
use crate::interpret::Found;
use crate::ir::WayRef;
use crate::path::{Mobility, Path};
use crate::state::State;
use crate::tile_set::TileSet;
use crate::typed::{Movement, Wanted, Way};
use crate::view::View;

/// An event that a state accepts, with the rule that accepts it. It is worth nothing in another
/// state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub(crate) found: Found,
    /// The hash of the position that accepts it.
    pub(crate) of: u64,
}

impl Accepted {
    /// The event.
    #[inline]
    pub fn event(self) -> Event {
        self.found.event
    }

    /// The rule that accepts it.
    #[inline]
    pub fn rule(self) -> RuleId {
        self.found.rule
    }

    /// Whether it is the position of this state that accepts it.
    pub fn is_of(self, state: &State) -> bool {
        self.of == state.hash()
    }
}

impl Game {
    /// Carries out an event, or says why not. A refused event changes nothing.
    pub fn apply(&self, state: &State, event: Event) -> Result<Step, Rejection> {
        self.after(&[]).apply(state, event)
    }

    /// Makes a state the one after an event, and says which rule carries it out, or why none does: the
    /// state is then as it was.
    pub(crate) fn apply_on(
        &self,
        past: &[u64],
        state: &mut State,
        event: Event,
    ) -> Result<RuleId, Rejection> {
        if self.owns(state) {
            let before = self.options.verify.then(|| state.clone());
            let rule = self.play_by_session(state, event).or_else(|| {
                let (rule, after) = self.after(past).walker().attempt(state, event)?;
                *state = after;
                Some(rule)
            });
            if let Some(rule) = rule {
                return match before.and_then(|before| self.restored(before, state, (event, rule))) {
                    None => Ok(rule),
                    Some(rejection) => Err(rejection),
                };
            }
        }
        Err(self.explain_after(past, state, event).rejection())
    }

    /// Why an event is refused after which a state breaks a law. The state is then the one before.
    fn restored(
        &self,
        before: State,
        state: &mut State,
        (event, rule): (Event, RuleId),
    ) -> Option<Rejection> {
        let law = self.verify(state).err()?;
        *state = before;
        let (phase, reasons) = (self.active_phase(state), vec![Reason::Broken(law)]);
        Some(Rejection { event, phase, rule: Some(rule), reasons, instead: Vec::new() })
    }

    /// The first leaf phase whose condition holds, with those of the phases around it.
    pub fn active_phase(&self, state: &State) -> Option<PhaseId> {
        self.engine_for(state)?.active_phase(state)
    }

    /// The kind of a player's piece that a movement rule would move from a tile: where several
    /// stand there, the first that the rule is about.
    pub(crate) fn moving_kind(
        &self,
        view: View<'_>,
        player: PlayerId,
        movement: &Movement,
        from: TileId,
    ) -> Option<KindId> {
        if !self.layout.stacks(from) {
            let kind = view.kind_at(from).filter(|_| view.is_owned(from, player));
            return kind.filter(|&kind| movement.kinds.contains(kind));
        }
        let mine = |&kind: &KindId| view.count(from, player, kind) > 0;
        self.kinds().filter(mine).find(|&kind| movement.kinds.contains(kind))
    }

    /// The patterns by which a movement rule travels, where it travels by patterns.
    pub(crate) fn way<'g>(
        &'g self,
        movement: &'g Movement,
        player: PlayerId,
        kind: KindId,
    ) -> Option<&'g Mobility> {
        match &movement.way {
            Way::Own => Some(self.mobility(player, kind)),
            Way::Pattern(by_player) => Some(&by_player[player.index()]),
            Way::First(_) | Way::Dice(_) | Way::Hop(_) | Way::Steps(_) | Way::Anywhere => None,
        }
    }

    /// The path by which a movement rule leads from tile to tile, if it does.
    pub(crate) fn journey<'g>(
        &'g self,
        state: &State,
        player: PlayerId,
        movement: &'g Movement,
        kind: KindId,
        (from, to): (TileId, TileId),
    ) -> Option<Path<'g>> {
        match (&movement.way, self.way(movement, player, kind)) {
            (Way::First(headings), _) => {
                let directions = headings.iter().map(|heading| heading[player.index()]);
                self.resolver.to_first(self.occupancy(state), (from, to), directions)
            }
            (_, Some(mobility)) => self.travel(state, player, mobility, from, to),
            (_, None) => None,
        }
    }

    pub(crate) fn travel<'g>(
        &'g self,
        state: &State,
        player: PlayerId,
        mobility: &'g Mobility,
        from: TileId,
        to: TileId,
    ) -> Option<Path<'g>> {
        let occupancy = self.occupancy(state);
        self.resolver.resolve(mobility, self.travel_of(player), occupancy, from, to, &mut ())
    }

    /// The tiles to which patterns lead by a path that passes tiles of a set alone.
    pub(crate) fn travel_past(
        &self,
        state: &State,
        way: WayRef,
        from: TileId,
        through: &TileSet,
    ) -> TileSet {
        let (player, mobility) = match way {
            WayRef::Kind(player, kind) => (player, self.mobility(player, kind)),
            WayRef::Rule(player, rule) => match &self.rules[rule.index()].wants {
                Wanted::Move(Movement { way: Way::Pattern(by_player), .. }) => {
                    (player, &by_player[player.index()])
                }
                _ => return TileSet::EMPTY,
            },
        };
        let mover = self.travel_of(player);
        let targets = self.resolver.targets(mobility, mover, self.occupancy(state), from);
        let passes = |&to: &TileId| {
            let Some(path) = self.travel(state, player, mobility, from, to) else { return false };
            path.tiles().skip(1).take(path.len() - 1).all(|tile| through.contains(tile))
        };
        targets.iter().filter(passes).collect()
    }

    /// The tiles of the straight line between two tiles, by the first direction that joins them,
    /// both included.
    pub(crate) fn span(&self, from: TileId, to: TileId) -> TileSet {
        let topology = self.topology();
        if from == to {
            return std::iter::once(from).collect();
        }
        let along = |direction| {
            let mut span: TileSet = std::iter::once(from).collect();
            let mut tile = from;
            while tile != to {
                tile = topology.next(tile, direction).filter(|&next| !span.contains(next))?;
                span.insert(tile);
            }
            Some(span)
        };
        self.directions().find_map(along).unwrap_or_default()
    }
}
