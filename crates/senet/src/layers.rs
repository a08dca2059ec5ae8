//! The layers of move generation, each with its door, for those who look below
//! [`Position::legal`].
//!
//! | layer | door |
//! |---|---|
//! | foundation | [`Position::view`]: tiles, pieces, dice and variables by id; [`Layers::diff`] |
//! | perspectives | [`Layers::perspectives`]: what each tile is to a player |
//! | simulation | [`Layers::simulate`]: the position after an event, legal or not |
//! | patterns | [`Layers::capabilities`]: topology, [`Paths`] and [`Acceleration`] |
//! | threats | [`Layers::threats`], [`Layers::attackers`], [`Layers::threatened_royals`] |
//! | sequences | [`Layers::route`]: the way by which a rule leads from tile to tile |
//! | candidates | [`Layers::candidates`]: events before the checks of the state after them |
//! | legality | [`Layers::filter_legal`], [`Position::legal`] |
//! | timeline | [`Position::perft`], [`Position::divide`]; tables of trees are crates of their own |
//!
//! Every door asks about the position it came from, so that no state of another game gets in.
//! Ids must be of the same game; an id that the game does not have is a panic, as an index beyond
//! a slice is.
//!
//! ```
//! let game = senet::load("chess")?;
//! let start = game.start();
//! let white = start.player();
//! let rook = start.view().first_at(game.tile("a1").unwrap()).unwrap();
//! assert_eq!(game.piece_name(rook), "white-rook-1");
//!
//! // A rook in the corner attacks its neighbours and goes nowhere.
//! let layers = start.layers();
//! assert!(layers.threats(white).contains(game.tile("a2").unwrap()));
//! let paths = layers.capabilities().paths;
//! let (from, to) = (game.tile("a1").unwrap(), game.tile("a5").unwrap());
//! assert!(paths.resolve(rook, from, to).is_none());
//! assert_eq!(paths.blocker(rook, from, to), game.tile("a2"));
//!
//! // What a move changes: the pawn, and whose turn it is.
//! let after = start.apply("a4")?.position;
//! let changes = start.layers().diff(&after)?;
//! assert_eq!(changes.len(), layers.diff(&after)?.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use senet_core::layers::{
    Capture, CompiledPattern, Frequency, Inspection, Layer, Link, Method, Metrics, Observer, Path,
    PathOptions, Perspective, Report, Skip, Skips, Tally, Topology, TopologyClass,
};
pub use senet_core::{PieceState, TileSet, View};

use senet_core::{Change, Event, KindId, PieceId, PlayerId, TileId};

use crate::game::OtherGame;
use crate::position::Position;

/// The layers of move generation at one position.
#[derive(Clone, Copy, Debug)]
pub struct Layers<'p> {
    position: &'p Position,
}

/// The three capabilities of a compiled game, at one position.
#[derive(Clone, Copy)]
pub struct Capabilities<'p> {
    /// The graph of the board.
    pub topology: &'p Topology,
    /// How pieces travel on it.
    pub paths: Paths<'p>,
    /// What makes that fast.
    pub acceleration: Acceleration<'p>,
}

/// Path resolution at one position: how a piece would travel by the patterns of its kind.
#[derive(Clone, Copy)]
pub struct Paths<'p> {
    position: &'p Position,
}

/// What makes path resolution fast, at one position.
#[derive(Clone, Copy)]
pub struct Acceleration<'p> {
    position: &'p Position,
}

impl<'p> Layers<'p> {
    pub(crate) fn new(position: &'p Position) -> Layers<'p> {
        Layers { position }
    }

    fn rules(self) -> &'p senet_core::Game {
        self.position.game().rules()
    }

    /// Topology, paths and acceleration.
    pub fn capabilities(self) -> Capabilities<'p> {
        let position = self.position;
        Capabilities {
            topology: self.rules().topology(),
            paths: Paths { position },
            acceleration: Acceleration { position },
        }
    }

    /// What each tile is to a player, in the order of the tiles: empty, friend or foe.
    pub fn perspectives(self, player: PlayerId) -> Vec<Perspective> {
        self.rules().perspectives(self.position.state(), player)
    }

    /// What one tile is to a player.
    pub fn perspective(self, player: PlayerId, tile: TileId) -> Perspective {
        self.rules().perspective(self.position.state(), player, tile)
    }

    /// The position after a candidate, whether or not what its rule must ensure holds there: also
    /// a move that leaves the own king in check. None where the event is not a candidate, which
    /// an event of another game never is.
    pub fn simulate(self, event: Event) -> Option<Position> {
        let state = self.rules().simulate(self.position.state(), event)?;
        Some(self.position.next(state))
    }

    /// The tiles that a player attacks.
    pub fn threats(self, player: PlayerId) -> TileSet {
        self.rules().threats(self.position.state(), player)
    }

    /// The tiles that the pieces of a player on one tile attack.
    pub fn threats_from(self, player: PlayerId, from: TileId) -> TileSet {
        self.rules().threats_from(self.position.state(), player, from)
    }

    /// The tiles from which a player attacks a tile.
    pub fn attackers(self, tile: TileId, player: PlayerId) -> TileSet {
        self.rules().attackers(self.position.state(), tile, player)
    }

    /// Where royal pieces of a player stand that a foe attacks: not empty when he is in check.
    pub fn threatened_royals(self, player: PlayerId) -> TileSet {
        self.rules().threatened_royals(self.position.state(), player)
    }

    /// The path by which some rule leads a piece of the player to move from tile to tile. Beside
    /// the patterns of its kind, which [`Paths::resolve`] follows, this knows the ways of rules.
    pub fn route(self, from: TileId, to: TileId) -> Option<Path<'p>> {
        self.rules().route(self.position.state(), from, to)
    }

    /// Every event that a rule would take if it asked nothing of the state after it.
    pub fn candidates(self) -> Vec<Event> {
        self.rules().candidates(self.position.state())
    }

    /// Those of several events that are legal. Events of another game are not.
    pub fn filter_legal(self, events: &[Event]) -> Vec<Event> {
        self.position.rules().filter_legal(self.position.state(), events)
    }

    /// What differs between this position and another of the same game, in the smallest changes:
    /// pieces, then dice, variables and the turn. No change means equal states.
    pub fn diff(self, other: &Position) -> Result<Vec<Change>, OtherGame> {
        self.position.game().check_same(other.game())?;
        Ok(self.rules().diff(self.position.state(), other.state()))
    }
}

impl<'p> Paths<'p> {
    fn resolver(self) -> senet_core::layers::PathResolver<'p> {
        self.position.game().rules().paths()
    }

    /// The path by which a piece would travel between two tiles, or none.
    pub fn resolve(self, piece: PieceId, from: TileId, to: TileId) -> Option<Path<'p>> {
        self.resolver().resolve(self.position.state(), piece, from, to)
    }

    /// The same path, with [`Metrics`] or another observer told which resolver was asked and what
    /// it answered.
    pub fn resolve_observed(
        self,
        piece: PieceId,
        from: TileId,
        to: TileId,
        observer: &mut impl Observer,
    ) -> Option<Path<'p>> {
        self.resolver().resolve_observed(self.position.state(), piece, from, to, observer)
    }

    /// What one resolver alone answers, or why it passes the question on.
    pub fn resolve_by(
        self,
        layer: Layer,
        piece: PieceId,
        from: TileId,
        to: TileId,
    ) -> Result<Option<Path<'p>>, Skip> {
        self.resolver().resolve_by(layer, self.position.state(), piece, from, to)
    }

    /// The first tile that blocks the way of a piece between two tiles, if the board has a way.
    pub fn blocker(self, piece: PieceId, from: TileId, to: TileId) -> Option<TileId> {
        self.resolver().blocker(self.position.state(), piece, from, to)
    }

    /// The tiles to which a piece would travel.
    pub fn targets(self, piece: PieceId, from: TileId) -> TileSet {
        self.resolver().targets(self.position.state(), piece, from)
    }

    /// The compiled patterns of a player's pieces of a kind, in the order of the definition.
    pub fn compiled(self, player: PlayerId, kind: KindId) -> &'p [CompiledPattern] {
        self.resolver().compiled(player, kind)
    }
}

impl Acceleration<'_> {
    /// Which accelerations the game was compiled with.
    pub fn options(self) -> PathOptions {
        self.position.game().rules().capabilities().acceleration.options()
    }

    /// The tiles that block: occupied, and holding one piece.
    pub fn blocking(self) -> TileSet {
        let rules = self.position.game().rules();
        rules.capabilities().acceleration.blocking(self.position.state())
    }
}
