//! The moves of one position, side by side: what rows are made from.

use std::cell::OnceCell;

use senet_core::{
    Accepted, Chance, Event, Game, KindId, Outcome, PlayerId, State, TileId, TileSet,
};

use crate::timeline::{Root, Subject};

/// A move of a position, with its number among all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) index: u32,
    pub(crate) accepted: Accepted,
}

/// Some moves of one position, and where in the tree it is.
pub(crate) struct Family<'a> {
    pub(crate) subject: &'a Subject,
    /// The position to which the path leads.
    pub(crate) before: &'a State,
    /// The positions before those after the moves; none where the game does not ask for them.
    pub(crate) past: Vec<u64>,
    pub(crate) moves: &'a [Move],
    /// The state after each move; empty where no column asks for it.
    pub(crate) after: &'a [State],
    /// How many moves deep the rows are.
    pub(crate) ply: u32,
    pub(crate) root: (usize, &'a Root),
    /// The path code of the position.
    pub(crate) code: &'a str,
    /// How likely chance lets play come to the position.
    pub(crate) reach: f64,
    /// How many paths lead to what each move leads to.
    pub(crate) paths: i64,
    pub(crate) known: Known,
}

/// What several columns ask of a family, found out once.
#[derive(Default)]
pub(crate) struct Known {
    threats: OnceCell<Vec<TileSet>>,
    outcomes: OnceCell<Vec<Option<Outcome>>>,
    flags: OnceCell<Vec<FlagChange>>,
    chances: OnceCell<Vec<Chance>>,
}

/// Flags that some piece got and lost, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FlagChange {
    pub(crate) set: u64,
    pub(crate) cleared: u64,
}

impl Family<'_> {
    pub(crate) fn game(&self) -> &Game {
        &self.subject.game
    }

    pub(crate) fn player(&self) -> PlayerId {
        self.game().view(self.before).player()
    }

    pub(crate) fn events(&self) -> impl Iterator<Item = Event> + '_ {
        self.moves.iter().map(|one| one.accepted.event())
    }

    /// The kind of the piece that each event is about. Moves from one tile mostly follow each other, so
    /// that it is asked once for them.
    pub(crate) fn kinds_moved(&self) -> impl Iterator<Item = Option<KindId>> + '_ {
        let mut last = None;
        self.events().map(move |event| match (source(event), last) {
            (Some(from), Some((tile, kind))) if from == tile => kind,
            (from, _) => {
                let kind = self.kind(event);
                last = from.map(|from| (from, kind));
                kind
            }
        })
    }

    /// The kind of the piece that an event is about.
    pub(crate) fn kind(&self, event: Event) -> Option<KindId> {
        let view = self.game().view(self.before);
        match event {
            Event::Move { from, .. } | Event::Advance { from, .. } if !self.game().stacks(from) => {
                view.kind_at(from)
            }
            Event::Move { from, .. } | Event::Advance { from, .. } => {
                let player = view.player();
                self.game().kinds().find(|&kind| view.count(from, player, kind) > 0)
            }
            Event::Put { kind, .. } => Some(kind),
            Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => None,
        }
    }

    /// The very piece that an event is about.
    pub(crate) fn piece(&self, event: Event) -> Option<senet_core::PieceId> {
        let view = self.game().view(self.before);
        match event {
            Event::Move { from, .. } | Event::Advance { from, .. } => {
                let kind = self.kind(event)?;
                let mine = |&piece: &senet_core::PieceId| {
                    view.owner_of(piece) == view.player() && view.kind_of(piece) == kind
                };
                view.pieces_at(from).find(mine)
            }
            Event::Put { kind, .. } => view.in_hand(view.player(), kind),
            Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => None,
        }
    }

    /// The tile that the piece of each event comes to. Where an event names a tile of the mover's own,
    /// such as that of a companion, the piece may end beside it.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Option<TileId>> + '_ {
        let view = self.game().view(self.before);
        let own = view.owned(view.player());
        self.events().map(move |event| {
            let to = event.target()?;
            if own.contains(to) { self.target(event, to) } else { Some(to) }
        })
    }

    fn target(&self, event: Event, to: TileId) -> Option<TileId> {
        let game = self.game();
        if matches!(event, Event::Put { .. } | Event::Pick { .. }) || game.stacks(to) {
            return Some(to);
        }
        let after = game.apply(self.before, event).ok()?.state;
        game.view(&after).piece(self.piece(event)?).tile
    }

    /// The kind of the foe's piece that each move takes or sends away.
    pub(crate) fn captures(&self) -> impl Iterator<Item = Option<KindId>> + '_ {
        let (game, view) = (self.game(), self.game().view(self.before));
        let player = view.player();
        let foes = game.players().filter(|&other| !game.are_allied(player, other));
        let foes: Vec<(PlayerId, TileSet)> = foes.map(|foe| (foe, view.owned(foe))).collect();
        self.events().zip(self.after).map(move |(event, after)| {
            let after = game.view(after);
            let aim = event.target();
            foes.iter().find_map(|&(foe, tiles)| {
                let lost = tiles.without(after.owned(foe));
                let tile = aim.filter(|&tile| lost.contains(tile)).or_else(|| lost.iter().next());
                view.kind_at(tile?)
            })
        })
    }

    /// The flags that each move sets and clears.
    pub(crate) fn flags(&self) -> &[FlagChange] {
        self.known.flags.get_or_init(|| {
            let pairs = self.events().zip(self.after);
            pairs
                .map(|(event, after)| flag_change(self.game(), self.before, event, after))
                .collect()
        })
    }

    /// The attacked royals of whoever moves next, after each move.
    pub(crate) fn threats(&self) -> &[TileSet] {
        let game = self.game();
        self.known.threats.get_or_init(|| {
            let royals = |state| game.threatened_royals(state, game.view(state).player());
            self.after.iter().map(royals).collect()
        })
    }

    /// How the game has ended after each move.
    pub(crate) fn outcomes(&self) -> &[Option<Outcome>] {
        let outcome = |state| self.game().after(&self.past).outcome(state);
        self.known.outcomes.get_or_init(|| self.after.iter().map(outcome).collect())
    }

    /// How likely an event is, if chance decides it.
    pub(crate) fn probability(&self, event: Event) -> Option<f64> {
        let Event::Roll(_) = event else { return None };
        let chances = self.known.chances.get_or_init(|| self.game().chances(self.before));
        let chance = chances.iter().find(|chance| chance.event == event)?;
        Some(chance.probability.weight as f64 / chance.probability.total as f64)
    }
}

/// The tile that an event leaves.
pub(crate) fn source(event: Event) -> Option<TileId> {
    match event {
        Event::Move { from, .. } | Event::Advance { from, .. } => Some(from),
        Event::Put { .. } | Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => None,
    }
}

/// What happens to the flags. A piece that keeps its flag on another tile neither got nor lost it.
fn flag_change(game: &Game, before: &State, event: Event, after: &State) -> FlagChange {
    let (old, new) = (game.view(before), game.view(after));
    let mut change = FlagChange::default();
    for flag in game.flags() {
        let (was, is) = (old.flagged(flag), new.flagged(flag));
        if was == is {
            continue;
        }
        let (mut got, mut lost) = (is.without(was), was.without(is));
        if let (Some(from), Some(to)) = (source(event), event.target())
            && lost.contains(from)
            && got.contains(to)
        {
            got.remove(to);
            lost.remove(from);
        }
        if !got.is_empty() && !lost.is_empty() {
            // More than one piece may have moved: each is asked.
            return flag_change_by_piece(game, before, after);
        }
        change.set |= u64::from(!got.is_empty()) << flag.index();
        change.cleared |= u64::from(!lost.is_empty()) << flag.index();
    }
    change
}

fn flag_change_by_piece(game: &Game, before: &State, after: &State) -> FlagChange {
    let (old, new) = (game.view(before), game.view(after));
    let mut change = FlagChange::default();
    for piece in game.pieces() {
        let (was, is) = (old.piece(piece).flags, new.piece(piece).flags);
        change.set |= is & !was;
        change.cleared |= was & !is;
    }
    change
}
