//! What a compiled game offers beyond play: its graph, its paths, and how they are made fast.
//! Everything behind these doors is hidden; what they say depends on the state alone.

use crate::game::Game;
use crate::id::{KindId, PieceId, PlayerId, TileId};
use crate::path::{CompiledPattern, Layer, Mobility, Mover, Observer, Path, PathOptions, Skip};
use crate::state::State;
use crate::tile_set::TileSet;
use crate::topology::Topology;

/// The three capabilities of a compiled game.
#[derive(Clone, Copy)]
pub struct Capabilities<'g> {
    /// The graph of the board.
    pub topology: &'g Topology,
    /// How pieces travel on it.
    pub paths: PathResolver<'g>,
    /// What speeds that up.
    pub acceleration: Acceleration<'g>,
}

/// Resolves paths. The answer never depends on the options of the game.
#[derive(Clone, Copy)]
pub struct PathResolver<'g> {
    game: &'g Game,
}

/// What speeds path resolution up.
#[derive(Clone, Copy)]
pub struct Acceleration<'g> {
    game: &'g Game,
}

impl Game {
    /// What this game offers beyond play.
    pub fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            topology: self.topology(),
            paths: self.paths(),
            acceleration: Acceleration { game: self },
        }
    }

    /// How pieces travel.
    #[inline]
    pub fn paths(&self) -> PathResolver<'_> {
        PathResolver { game: self }
    }

    #[inline]
    pub(crate) fn travel_of(&self, player: PlayerId) -> Mover {
        Mover { friends: self.spared(player) }
    }
}

impl<'g> PathResolver<'g> {
    /// The path by which a piece would travel between two tiles, or none.
    #[inline]
    pub fn resolve(
        self,
        state: &State,
        piece: PieceId,
        from: TileId,
        to: TileId,
    ) -> Option<Path<'g>> {
        self.resolve_observed(state, piece, from, to, &mut ())
    }

    /// The same path, with a count of which resolver was asked and what it answered.
    #[inline]
    pub fn resolve_observed(
        self,
        state: &State,
        piece: PieceId,
        from: TileId,
        to: TileId,
        observer: &mut impl Observer,
    ) -> Option<Path<'g>> {
        let (mobility, mover) = self.travel(state, piece, from);
        let occupancy = self.game.occupancy(state);
        self.game.resolver.resolve(mobility, mover, occupancy, from, to, observer)
    }

    /// What one layer alone answers, or why it passes the request on.
    #[inline]
    pub fn resolve_by(
        self,
        layer: Layer,
        state: &State,
        piece: PieceId,
        from: TileId,
        to: TileId,
    ) -> Result<Option<Path<'g>>, Skip> {
        let (mobility, mover) = self.travel(state, piece, from);
        let occupancy = self.game.occupancy(state);
        self.game.resolver.resolve_by(layer, mobility, mover, occupancy, (from, to))
    }

    /// The first tile that blocks the way of a piece between two tiles, if the board has a way.
    pub fn blocker(
        self,
        state: &State,
        piece: PieceId,
        from: TileId,
        to: TileId,
    ) -> Option<TileId> {
        let (mobility, mover) = self.travel(state, piece, from);
        let occupancy = self.game.occupancy(state);
        let blocked = self.game.resolver.blocker(mobility, mover, occupancy, from, to)?;
        Some(blocked.tile)
    }

    /// The compiled patterns of a player's pieces of a kind, in declared order.
    pub fn compiled(self, player: PlayerId, kind: KindId) -> &'g [CompiledPattern] {
        self.game.mobility(player, kind).compiled()
    }

    /// The tiles to which a piece would travel: those to which a path resolves.
    pub fn targets(self, state: &State, piece: PieceId, from: TileId) -> TileSet {
        let (mobility, mover) = self.travel(state, piece, from);
        self.game.resolver.targets(mobility, mover, self.game.occupancy(state), from)
    }

    #[inline]
    fn travel(self, state: &State, piece: PieceId, from: TileId) -> (&'g Mobility, Mover) {
        let (game, layout) = (self.game, &self.game.layout);
        let (owner, kind) = match layout.changing || layout.trades() {
            true => self.changed(state, piece, from),
            false => {
                let first = &game.pieces[piece.index()];
                (first.owner, first.kind)
            }
        };
        (game.mobility(owner, kind), game.travel_of(owner))
    }

    /// The owner and kind of a piece now. It stands apart, so that games in which neither changes pay
    /// nothing for it.
    #[inline(never)]
    fn changed(self, state: &State, piece: PieceId, from: TileId) -> (PlayerId, KindId) {
        let (view, layout) = (self.game.view(state), &self.game.layout);
        // Most ask about the tile where the piece stands, and then it need not be looked for.
        let here = layout.changing && layout.holds(view.state.words(), from, piece);
        let kind = here.then(|| view.kind_at(from)).flatten();
        (view.owner_of(piece), kind.unwrap_or_else(|| view.kind_of(piece)))
    }
}

impl Acceleration<'_> {
    /// Which accelerations the game was compiled with.
    pub fn options(self) -> PathOptions {
        self.game.options.paths
    }

    /// The tiles that block: occupied, and holding one piece.
    pub fn blocking(self, state: &State) -> TileSet {
        self.game.view(state).occupied() & self.game.exclusive
    }
}
