//! Questions to a state: what stands where, whose turn it is, what a die shows.

use crate::game::Game;
use crate::id::{DieId, FlagId, KindId, MarkId, PieceId, PlayerId, TileId, VariableId};
use crate::layout::Place;
use crate::state::State;
use crate::tile_set::TileSet;

/// A state seen through its game.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) game: &'a Game,
    pub(crate) state: &'a State,
}

/// What a state says of one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceState {
    /// Its tile; none when it is off the board.
    pub tile: Option<TileId>,
    /// Whose it is now.
    pub owner: PlayerId,
    /// Its kind now.
    pub kind: KindId,
    /// Its flags, a bit for each [`FlagId`].
    pub flags: u64,
}

impl PieceState {
    /// Whether it carries a flag.
    pub fn has(&self, flag: FlagId) -> bool {
        self.flags >> flag.index() & 1 == 1
    }
}

impl<'a> View<'a> {
    /// The player to move: who holds the seat whose turn it is.
    #[inline]
    pub fn player(self) -> PlayerId {
        self.holder(self.seat())
    }

    /// The seat whose turn it is: the player of this name until players change seats.
    #[inline]
    pub fn seat(self) -> PlayerId {
        PlayerId(self.game.layout.turn.get(self.state.words()) as u8)
    }

    /// The player who holds a seat, and so plays its pieces. Every player holds the seat of that
    /// name unless two players have changed seats ([`crate::written::Variable::swaps_seats`]).
    #[inline]
    pub fn holder(self, seat: PlayerId) -> PlayerId {
        match self.game.swap {
            Some(swap) if seat.index() < 2 && self.variable(swap, seat) == 1 => {
                PlayerId::at(1 - seat.index())
            }
            _ => seat,
        }
    }

    /// The tiles on which an owner has a piece.
    pub fn owned(self, player: PlayerId) -> TileSet {
        self.plane(self.game.layout.owner(player))
    }

    /// The tiles on which a piece of a kind stands.
    pub fn of_kind(self, kind: KindId) -> TileSet {
        self.plane(self.game.layout.kind(kind))
    }

    /// The tiles whose piece carries a flag.
    pub fn flagged(self, flag: FlagId) -> TileSet {
        self.plane(self.game.layout.flag(flag))
    }

    /// The words of [`View::owned`], 64 tiles each.
    #[inline]
    pub fn owned_words(self, player: PlayerId) -> &'a [u64] {
        self.plane_words(self.game.layout.owner(player))
    }

    /// The words of [`View::of_kind`], 64 tiles each.
    #[inline]
    pub fn kind_words(self, kind: KindId) -> &'a [u64] {
        self.plane_words(self.game.layout.kind(kind))
    }

    #[inline]
    fn plane_words(self, start: usize) -> &'a [u64] {
        &self.state.words()[start..start + self.game.layout.width]
    }

    /// The tiles on which anything stands.
    pub fn occupied(self) -> TileSet {
        self.game.players().fold(TileSet::EMPTY, |all, player| all | self.owned(player))
    }

    fn plane(self, start: usize) -> TileSet {
        TileSet::from_words(self.plane_words(start))
    }

    #[inline]
    fn bit(self, start: usize, tile: TileId) -> bool {
        let word = self.state.words()[start + tile.index() / 64];
        word >> (tile.index() % 64) & 1 == 1
    }

    /// Whether an owner has a piece on a tile.
    #[inline]
    pub fn is_owned(self, tile: TileId, player: PlayerId) -> bool {
        self.bit(self.game.layout.owner(player), tile)
    }

    /// Whose piece stands on a tile; on a tile that holds many, the first owner's.
    pub fn owner_at(self, tile: TileId) -> Option<PlayerId> {
        self.game.players().find(|&player| self.is_owned(tile, player))
    }

    /// Whether a piece of a kind stands on a tile.
    #[inline]
    pub fn is_kind(self, tile: TileId, kind: KindId) -> bool {
        self.bit(self.game.layout.kind(kind), tile)
    }

    /// The kind of the piece on a tile; on a tile that holds many, the first kind there.
    pub fn kind_at(self, tile: TileId) -> Option<KindId> {
        self.game.kinds().find(|&kind| self.is_kind(tile, kind))
    }

    /// Whether the piece on a tile carries a flag.
    #[inline]
    pub fn is_flagged(self, tile: TileId, flag: FlagId) -> bool {
        self.bit(self.game.layout.flag(flag), tile)
    }

    /// Whether a tile carries a mark.
    #[inline]
    pub fn is_marked(self, tile: TileId, mark: MarkId) -> bool {
        self.bit(self.game.layout.mark(mark), tile)
    }

    /// The tiles that carry a mark.
    pub fn marked(self, mark: MarkId) -> TileSet {
        self.plane(self.game.layout.mark(mark))
    }

    /// How many pieces of a kind a player has in hand, where the kind is held in hand.
    pub fn hand(self, player: PlayerId, kind: KindId) -> usize {
        let field = self.game.layout.hand(player, kind);
        field.map_or(0, |field| field.get(self.state.words()) as usize)
    }

    /// The flags of the piece on a tile, a bit for each [`FlagId`].
    pub fn flags_at(self, tile: TileId) -> u64 {
        let bit = |flag| u64::from(self.is_flagged(tile, flag)) << flag.index();
        self.game.flags().fold(0, |flags, flag| flags | bit(flag))
    }

    /// How many pieces of an owner and kind stand on a tile.
    pub fn count(self, tile: TileId, owner: PlayerId, kind: KindId) -> usize {
        match self.game.layout.count(tile, owner, kind) {
            Some(field) => field.get(self.state.words()) as usize,
            None => usize::from(self.is_owned(tile, owner) && self.is_kind(tile, kind)),
        }
    }

    /// How many pieces of an owner stand on a tile.
    pub fn count_of(self, tile: TileId, owner: PlayerId) -> usize {
        if self.game.layout.stacks(tile) {
            self.game.kinds().map(|kind| self.count(tile, owner, kind)).sum()
        } else {
            usize::from(self.is_owned(tile, owner))
        }
    }

    /// The kind of a piece now.
    #[inline]
    pub fn kind_of(self, piece: PieceId) -> KindId {
        let first = self.game.pieces[piece.index()].kind;
        if self.game.layout.changing { self.changed_kind(piece).unwrap_or(first) } else { first }
    }

    /// The owner of a piece now.
    #[inline]
    pub fn owner_of(self, piece: PieceId) -> PlayerId {
        let first = self.game.pieces[piece.index()].owner;
        if self.game.layout.trades() { self.changed_owner(piece).unwrap_or(first) } else { first }
    }

    fn changed_kind(self, piece: PieceId) -> Option<KindId> {
        let kept = self.game.layout.kind_of(self.state.words(), piece);
        kept.or_else(|| self.kind_at(self.tile_alone(piece)?))
    }

    fn changed_owner(self, piece: PieceId) -> Option<PlayerId> {
        let kept = self.game.layout.owner_of(self.state.words(), piece);
        kept.or_else(|| self.owner_at(self.tile_alone(piece)?))
    }

    /// Where a piece stands, on a tile that holds no other.
    fn tile_alone(self, piece: PieceId) -> Option<TileId> {
        match self.game.layout.place(self.state.words(), piece) {
            Place::Tile(tile) if !self.game.layout.stacks(tile) => Some(tile),
            _ => None,
        }
    }

    /// Where a piece is, whose, of which kind and with which flags.
    pub fn piece(self, piece: PieceId) -> PieceState {
        let tile = match self.game.layout.place(self.state.words(), piece) {
            Place::Tile(tile) => Some(tile),
            Place::Off | Place::Hand(_) => None,
        };
        let exclusive = tile.filter(|&tile| !self.game.layout.stacks(tile));
        let flags = exclusive.map_or(0, |tile| self.flags_at(tile));
        PieceState { tile, owner: self.owner_of(piece), kind: self.kind_of(piece), flags }
    }

    /// The pieces on a tile, in the order the game lists them.
    pub fn pieces_at(self, tile: TileId) -> impl Iterator<Item = PieceId> + 'a {
        self.game.layout.pieces_at(self.state.words(), tile)
    }

    /// The first piece on a tile.
    pub fn first_at(self, tile: TileId) -> Option<PieceId> {
        self.pieces_at(tile).next()
    }

    /// The first piece of a kind that a player has in hand, or that the unlimited supply holds.
    pub fn in_hand(self, player: PlayerId, kind: KindId) -> Option<PieceId> {
        let layout = &self.game.layout;
        if let Some(placed) = layout.placed(self.state.words(), self.game.pieces.len()) {
            // Off the board a piece has its first owner and kind.
            let first = |piece: PieceId| &self.game.pieces[piece.index()];
            let fits = |piece: PieceId| first(piece).owner == player && first(piece).kind == kind;
            return self.game.pieces().find(|&piece| fits(piece) && !placed[piece.index()]);
        }
        self.game.pieces().find(|&piece| {
            let is = match layout.place(self.state.words(), piece) {
                Place::Tile(_) => false,
                Place::Hand(holder) => holder == player,
                Place::Off => self.game.is_unlimited(kind),
            };
            is && self.owner_of(piece) == player && self.kind_of(piece) == kind
        })
    }

    /// How many pieces are on the board and in hands.
    pub(crate) fn living(self) -> usize {
        let game = self.game;
        let on = |tile: TileId| game.players().map(move |player| self.count_of(tile, player));
        let held = |player: PlayerId| game.kinds().map(move |kind| self.hand(player, kind));
        game.tiles().flat_map(on).sum::<usize>() + game.players().flat_map(held).sum::<usize>()
    }

    /// A variable's value; for one that each player has, that of a player.
    pub fn variable(self, variable: VariableId, of: PlayerId) -> i64 {
        let slot = self.game.layout.variable(variable);
        let field = slot.fields[if slot.fields.len() > 1 { of.index() } else { 0 }];
        slot.min.wrapping_add(field.get(self.state.words()) as i64)
    }

    /// What a die shows; none before it is rolled.
    pub fn die(self, die: DieId) -> Option<u8> {
        let shown = self.game.layout.die(die).get(self.state.words()) as u8;
        (shown > 0).then_some(shown)
    }

    /// Whether two states are the same position: equal in all but which of two like pieces
    /// stands where and what is kept beside the position.
    pub fn same_position(self, other: &State) -> bool {
        self.game.owns(other) && self.position() == &other.words()[..self.game.layout.position]
    }

    /// The words that belong to the position.
    pub(crate) fn position(self) -> &'a [u64] {
        &self.state.words()[..self.game.layout.position]
    }
}
