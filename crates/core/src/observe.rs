//! What a player or a spectator knows of a state, and sees of an event.

mod table;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::engine::Engine;
use crate::event::Event;
use crate::game::Game;
use crate::hash;
use crate::id::{DieId, KindId, PlayerId, TileId, VariableId};
use crate::setup::{Held, Setup, Stand};
use crate::state::State;
use crate::text::{format_event, format_position};
use crate::tile_set::TileSet;
use crate::typed::{Secret, Sight};
use crate::written::EventKind;

pub use crate::recall::{Memory, Recall};

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewer {
    /// A player, who sees what the rules show to that player.
    Player(PlayerId),
    /// Somebody who does not play, and sees what everybody sees.
    Spectator,
}

/// What an viewer knows of a state. Nothing else of a state may leave for that viewer: states
/// that differ in hidden facts alone give equal observations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Who looks.
    pub viewer: Viewer,
    pub(crate) known: State,
    pub(crate) unseen: TileSet,
}

/// An observation with names, to be written as data. What the viewer does not know is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ObservationRecord {
    /// The player who looks; null for a spectator.
    pub viewer: Option<String>,
    /// The player to move.
    pub turn: String,
    /// What stands on each tile.
    pub tiles: BTreeMap<String, Option<Vec<PieceRecord>>>,
    /// The tiles that carry each mark, as far as they are seen.
    pub marks: BTreeMap<String, Vec<String>>,
    /// What players hold in hand, by player, then kind.
    pub hands: BTreeMap<String, Option<BTreeMap<String, usize>>>,
    /// What each die shows; 0 where it shows nothing.
    pub dice: BTreeMap<String, Option<u8>>,
    /// Variables, as `name`, or `name:player` where each player has one.
    pub variables: BTreeMap<String, Option<i64>>,
}

/// Equal pieces on a tile, as they look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceRecord {
    /// Whose they are.
    pub owner: String,
    /// Of which kind.
    pub kind: String,
    /// How many.
    pub count: usize,
    /// Their flags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

/// What an viewer sees of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glimpse {
    /// All of it.
    Whole(Event),
    /// That a piece left a tile or entered one.
    Part {
        /// The tile that it left.
        from: Option<TileId>,
        /// The tile that it entered.
        to: Option<TileId>,
    },
    /// Nothing. What follows from it may be seen all the same.
    Nothing,
}

impl Game {
    /// Whether something is hidden from some players.
    pub fn has_secrets(&self) -> bool {
        self.secrets.is_some()
    }

    /// What an viewer knows of a state.
    pub fn observe(&self, state: &State, viewer: Viewer) -> Observation {
        match self.engine_for(state) {
            Some(mut engine) => engine.observe(state, viewer),
            None => Observation { viewer, known: state.clone(), unseen: TileSet::EMPTY },
        }
    }

    /// What an viewer sees of an event: as much as of the things that it names. An attempt that
    /// fails is seen by the player who makes it.
    pub fn glimpse(&self, before: &State, event: Event, after: &State, viewer: Viewer) -> Glimpse {
        let (Some(secrets), Some(mut engine)) = (&self.secrets, self.engine_for(before)) else {
            return Glimpse::Whole(event);
        };
        let mover = self.view(before).player();
        let is_chance = event.kind() == EventKind::Roll;
        if viewer == Viewer::Player(mover) && !is_chance {
            return Glimpse::Whole(event);
        }
        let Some(rule) = engine.rule_of(before, event) else { return Glimpse::Nothing };
        if !shows(self.rules[rule.index()].seen_by, mover, viewer)
            || engine.fails(before, rule, event)
        {
            return Glimpse::Nothing;
        }
        if let Event::Roll(outcome) = event {
            let seen = |(die, _): &(DieId, u8)| shows(secrets.dice[die.index()], mover, viewer);
            let all = self.faces(outcome).iter().all(seen);
            return if all { Glimpse::Whole(event) } else { Glimpse::Nothing };
        }
        let [before, after] = [before, after].map(|state| engine.observe(state, viewer));
        let from = |tile: TileId| Some(tile).filter(|&tile| !before.unseen.contains(tile));
        let to = |tile: TileId| Some(tile).filter(|&tile| !after.unseen.contains(tile));
        let is = |tile: TileId, kind: KindId| self.view(&after.known).is_kind(tile, kind);
        let (from, to, kind) = match event {
            Event::Move { from: one, to: other, choice } => {
                let kind = choice.is_none_or(|kind| is(other, kind));
                (from(one), to(other), kind)
            }
            Event::Advance { from: one, to: other, .. } => (from(one), to(other), true),
            Event::Put { kind, to: tile } => (Some(tile), to(tile), is(tile, kind)),
            Event::Pick { to: tile, .. } if to(tile).is_none() => return Glimpse::Nothing,
            Event::Roll(_) | Event::Act(_) | Event::Pick { .. } => return Glimpse::Whole(event),
        };
        match (from, to) {
            (Some(_), Some(_)) if kind => Glimpse::Whole(event),
            (None, None) => Glimpse::Nothing,
            (_, None) if event.kind() == EventKind::Put => Glimpse::Nothing,
            (_, to) if event.kind() == EventKind::Put => Glimpse::Part { from: None, to },
            (from, to) => Glimpse::Part { from, to },
        }
    }
}

/// Whether an viewer sees what is a player's.
fn shows(sight: Sight, owner: PlayerId, viewer: Viewer) -> bool {
    match viewer {
        Viewer::Player(player) => sight.shows(owner, player),
        Viewer::Spectator => sight == Sight::Everyone,
    }
}

/// What an viewer sees of the board.
struct Seen {
    pieces: TileSet,
    /// Where kinds are seen, and what pieces elsewhere look like.
    kinds: Option<(TileSet, KindId)>,
    /// The tiles on which each flag is seen, where one is hidden.
    flags: Vec<TileSet>,
    marks: Vec<TileSet>,
}

impl Engine<'_> {
    fn seen(&mut self, state: &State, viewer: Viewer) -> Seen {
        let game = self.game;
        let all = game.all_tiles;
        let mut seen = Seen {
            pieces: all,
            kinds: None,
            flags: vec![all; game.flags().count()],
            marks: vec![all; game.marks().count()],
        };
        let secrets = game.secrets.iter().flat_map(|secrets| &secrets.board);
        for (number, secret) in secrets.enumerate() {
            let tiles = match viewer {
                Viewer::Player(player) => self.sight(number, player, state),
                Viewer::Spectator => TileSet::EMPTY,
            };
            match secret {
                Secret::Pieces(_) => seen.pieces = seen.pieces & tiles,
                Secret::Kinds(_, shown) => seen.kinds = Some((tiles, *shown)),
                Secret::Flag(flag, _) => {
                    seen.flags[flag.index()] = seen.flags[flag.index()] & tiles;
                }
                Secret::Mark(mark, _) => {
                    seen.marks[mark.index()] = seen.marks[mark.index()] & tiles;
                }
            }
        }
        seen
    }

    /// What an viewer knows of a state.
    pub(crate) fn observe(&mut self, state: &State, viewer: Viewer) -> Observation {
        let game = self.game;
        let Some(secrets) = &game.secrets else {
            return Observation { viewer, known: state.clone(), unseen: TileSet::EMPTY };
        };
        let seen = self.seen(state, viewer);
        let view = game.view(state);
        let mut setup = Setup::empty(view.player());
        for tile in seen.pieces.iter() {
            let hidden = |(tiles, _): &(TileSet, KindId)| !tiles.contains(tile);
            let shown = seen.kinds.filter(hidden).map(|(_, shown)| shown);
            let flags = game.flags().filter(|flag| seen.flags[flag.index()].contains(tile));
            let flags = flags.fold(0, |mask, flag| mask | 1 << flag.index());
            let flags = if game.stacks(tile) { 0 } else { view.flags_at(tile) & flags };
            for owner in game.players().filter(|&owner| view.is_owned(tile, owner)) {
                for kind in game.kinds() {
                    // Which of two like pieces it is would tell them apart.
                    let kind_shown = shown.unwrap_or(kind);
                    let stand = Stand { tile, owner, kind: kind_shown, flags, piece: None };
                    let count = view.count(tile, owner, kind);
                    setup.pieces.extend(std::iter::repeat_n(stand, count));
                }
            }
        }
        setup.pieces.sort_by_key(|stand| (stand.tile, stand.owner, stand.kind, stand.flags));
        for mark in game.marks() {
            let tiles = view.marked(mark) & seen.marks[mark.index()];
            setup.marks.extend(tiles.iter().map(|tile| (mark, tile)));
        }
        if game.has_hands() && !game.layout.hand_follows {
            let mut held: Vec<Held> = Vec::new();
            for player in game.players().filter(|&one| shows(secrets.hands, one, viewer)) {
                for kind in game.kinds() {
                    let one = Held { player, kind, piece: None };
                    held.extend(std::iter::repeat_n(one, view.hand(player, kind)));
                }
            }
            setup.hands = Some(held);
        }
        for (variable, seat) in game.variable_seats() {
            if shows(secrets.variables[variable.index()], seat, viewer) {
                setup.variables.push((variable, seat, view.variable(variable, seat)));
            }
        }
        let dice = game.dice().filter(|die| shows(secrets.dice[die.index()], PlayerId(0), viewer));
        setup.dice = dice.filter_map(|die| Some((die, view.die(die)?))).collect();
        let known = game.arrange(&setup).unwrap_or_else(|_| game.blank.clone());
        Observation { viewer, known, unseen: game.all_tiles.without(seen.pieces) }
    }
}

impl Game {
    /// Every variable with every player who has one.
    fn variable_seats(&self) -> impl Iterator<Item = (VariableId, PlayerId)> {
        self.variables().flat_map(|variable| {
            let seats = self.layout.variable(variable).fields.len();
            (0..seats).map(move |seat| (variable, PlayerId::at(seat)))
        })
    }

    fn sees_variable(&self, variable: VariableId, of: PlayerId, viewer: Viewer) -> bool {
        let secrets = self.secrets.as_ref();
        secrets.is_none_or(|secrets| shows(secrets.variables[variable.index()], of, viewer))
    }

    fn sees_die(&self, die: DieId, viewer: Viewer) -> bool {
        let secrets = self.secrets.as_ref();
        secrets.is_none_or(|secrets| shows(secrets.dice[die.index()], PlayerId(0), viewer))
    }

    fn sees_hand(&self, of: PlayerId, viewer: Viewer) -> bool {
        self.secrets.as_ref().is_none_or(|secrets| shows(secrets.hands, of, viewer))
    }

    fn seat_name(&self, variable: VariableId, seat: PlayerId) -> String {
        let name = self.variable_name(variable);
        match self.layout.variable(variable).fields.len() {
            1 => name.to_owned(),
            _ => format!("{name}:{}", self.player_name(seat)),
        }
    }
}

impl Observation {
    /// What is known, as a state in which nothing stands on tiles that are not seen and hidden
    /// variables are at their start.
    pub fn known(&self) -> &State {
        &self.known
    }

    /// The tiles of which the viewer does not know what stands there.
    pub fn unseen(&self) -> TileSet {
        self.unseen
    }

    /// The hash of what is known: the same on every machine and in every release.
    pub fn hash(&self) -> u128 {
        let known = self.known.hash128();
        let words = [known as u64, (known >> 64) as u64];
        hash::of_words(words.into_iter().chain(self.unseen.iter().map(|tile| tile.index() as u64)))
    }

    /// The observation as one line: the position that is known, then what is not, each as `?`.
    pub fn text(&self, game: &Game) -> String {
        let mut words = vec![format_position(game, &self.known)];
        let unseen: Vec<&str> = self.unseen.iter().map(|tile| game.tile_name(tile)).collect();
        if !unseen.is_empty() {
            words.push(format!("{}=?", unseen.join(",")));
        }
        let hands = game.players().filter(|_| game.has_hands());
        for player in hands.filter(|&player| !game.sees_hand(player, self.viewer)) {
            words.push(format!("hand.{}=?", game.player_name(player)));
        }
        for die in game.dice().filter(|&die| !game.sees_die(die, self.viewer)) {
            words.push(format!("die.{}=?", game.die_name(die)));
        }
        for (variable, seat) in game.variable_seats() {
            if !game.sees_variable(variable, seat, self.viewer) {
                words.push(format!("var.{}=?", game.seat_name(variable, seat)));
            }
        }
        words.join(" ")
    }

    /// The board drawn with letters, with `?` where the viewer does not see.
    pub fn draw(&self, game: &Game) -> String {
        crate::drawing::draw(game, &self.known, &self.unseen)
    }

    /// The observation with names, to be written as data.
    pub fn record(&self, game: &Game) -> ObservationRecord {
        let (view, viewer) = (game.view(&self.known), self.viewer);
        let name = |player: PlayerId| game.player_name(player).to_owned();
        let on = |tile: TileId| {
            let mut found = Vec::new();
            for (owner, kind) in game.players().flat_map(|p| game.kinds().map(move |k| (p, k))) {
                let count = view.count(tile, owner, kind);
                if count > 0 {
                    let flags = crate::setup::flags_of(game, view.flags_at(tile));
                    let flags = flags.map(|flag| game.flag_name(flag).to_owned()).collect();
                    let (owner, kind) = (name(owner), game.kind_name(kind).to_owned());
                    found.push(PieceRecord { owner, kind, count, flags });
                }
            }
            let seen = !self.unseen.contains(tile);
            (game.tile_name(tile).to_owned(), seen.then_some(found))
        };
        let marks = game.marks().map(|mark| {
            let tiles = view.marked(mark);
            let tiles = tiles.iter().map(|tile| game.tile_name(tile).to_owned()).collect();
            (game.mark_name(mark).to_owned(), tiles)
        });
        let hand = |player: PlayerId| {
            let held = game.kinds().filter(|&kind| view.hand(player, kind) > 0);
            let held = held.map(|kind| (game.kind_name(kind).to_owned(), view.hand(player, kind)));
            (name(player), game.sees_hand(player, viewer).then(|| held.collect()))
        };
        let dice = game.dice().map(|die| {
            let shown = view.die(die).unwrap_or(0);
            let seen = game.sees_die(die, viewer);
            (game.die_name(die).to_owned(), seen.then_some(shown))
        });
        let variables = game.variable_seats().map(|(variable, seat)| {
            let seen = game.sees_variable(variable, seat, viewer);
            (game.seat_name(variable, seat), seen.then(|| view.variable(variable, seat)))
        });
        ObservationRecord {
            viewer: match viewer {
                Viewer::Player(player) => Some(name(player)),
                Viewer::Spectator => None,
            },
            turn: name(view.player()),
            tiles: game.tiles().map(on).collect(),
            marks: marks.collect(),
            hands: game.players().filter(|_| game.has_hands()).map(hand).collect(),
            dice: dice.collect(),
            variables: variables.collect(),
        }
    }
}

impl Glimpse {
    /// What is seen, in the words of events; `?` for what is not.
    pub fn text(self, game: &Game) -> String {
        let tile = |tile: Option<TileId>| tile.map_or("?", |tile| game.tile_name(tile));
        match self {
            Glimpse::Whole(event) => format_event(game, event),
            Glimpse::Part { from, to } => format!("{}/{}", tile(from), tile(to)),
            Glimpse::Nothing => "?".to_owned(),
        }
    }
}
