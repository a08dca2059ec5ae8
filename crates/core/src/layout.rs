//! Where each fact of a state lives in its words.
//!
//! The words are: a bit plane of `width` words for each owner, kind, flag and mark; then packed
//! fields of the position (counts of stacking tiles, hands, turn, dice, variables); then what the position
//! hash ignores (variables kept beside it, and which piece stands where).

use crate::game::Game;
use crate::id::{DieId, FlagId, KindId, MarkId, PieceId, PlayerId, TileId, VariableId};
use crate::typed::Kinds;

/// A number packed into one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    word: u16,
    shift: u8,
    bits: u8,
}

impl Field {
    /// The word it is in.
    pub fn word(self) -> usize {
        self.word.into()
    }

    /// How many bits of that word are below it.
    pub fn shift(self) -> u32 {
        self.shift.into()
    }

    /// How many bits it has.
    pub fn bits(self) -> u32 {
        self.bits.into()
    }

    #[inline]
    fn mask(self) -> u64 {
        u64::MAX >> (64 - u32::from(self.bits))
    }

    #[inline]
    pub(crate) fn get(self, words: &[u64]) -> u64 {
        words[self.word as usize] >> self.shift & self.mask()
    }

    #[inline]
    pub(crate) fn set(self, words: &mut [u64], value: u64) {
        let word = &mut words[self.word as usize];
        *word = *word & !(self.mask() << self.shift) | (value & self.mask()) << self.shift;
    }
}

/// A variable's place and bounds.
#[derive(Clone, Debug)]
pub(crate) struct VariableSlot {
    pub(crate) min: i64,
    pub(crate) max: i64,
    pub(crate) start: i64,
    pub(crate) hashed: bool,
    /// One field, or one for each player.
    pub(crate) fields: Vec<Field>,
}

/// What a layout is made for.
pub(crate) struct Extent {
    pub(crate) tiles: usize,
    pub(crate) players: usize,
    pub(crate) kinds: usize,
    pub(crate) flags: usize,
    pub(crate) marks: usize,
    pub(crate) pieces: usize,
    /// The most pieces that one owner can have.
    pub(crate) most: usize,
    /// Kinds of which players hold pieces in hand, a bit for each.
    pub(crate) in_hand: Kinds,
    /// Whether what is in hand follows from what is on the board.
    pub(crate) hand_follows: bool,
    /// Tiles that hold many pieces.
    pub(crate) stacks: Vec<TileId>,
    /// Whether a piece can change its kind.
    pub(crate) changing: bool,
    /// Whether a piece can change its owner.
    pub(crate) trading: bool,
    /// Whether a tile alone tells its piece: nothing needs to be known of pieces off the board.
    pub(crate) by_tile: bool,
    /// Sides of each die.
    pub(crate) dice: Vec<u8>,
    /// Variables, their fields still empty: how many fields each needs comes beside it.
    pub(crate) variables: Vec<(VariableSlot, usize)>,
}

/// Where each fact of a state lives.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) width: usize,
    pub(crate) players: usize,
    pub(crate) kinds: usize,
    flags: usize,
    /// For each tile its number among the stacks, if it is one.
    stacks: Vec<Option<u16>>,
    /// How many tiles are.
    stacked: usize,
    /// By owner, kind and stack.
    counts: Vec<Field>,
    /// By owner and kind; none for kinds that nobody holds in hand.
    hands: Vec<Option<Field>>,
    /// Whether what is in hand follows from the board, so that the hash may ignore it.
    pub(crate) hand_follows: bool,
    pub(crate) turn: Field,
    dice: Vec<Field>,
    pub(crate) variables: Vec<VariableSlot>,
    identity: Identity,
    /// Whether a piece can change its kind.
    pub(crate) changing: bool,
    /// Whether a piece can change its owner.
    trading: bool,
    /// How many words belong to the position.
    pub(crate) position: usize,
    /// Where the words begin that say which piece stands where.
    pub(crate) tail: usize,
    /// How many words there are.
    pub(crate) words: usize,
}

/// How a state says which piece stands where.
#[derive(Clone, Debug)]
enum Identity {
    /// For each tile its piece, as its index plus one; zero where it is empty. A move changes two
    /// numbers and looks for nothing. Fits where a tile holds one piece and a piece that left the
    /// board stays away.
    ByTile(Vec<Field>),
    /// For each piece its place: zero out of play, a tile as its index plus one, a hand as the
    /// number of tiles plus the player's index plus one; and its kind and owner, in games where
    /// they can change.
    ByPiece { places: Vec<Field>, kinds: Vec<Field>, owners: Vec<Field> },
}

/// Packs fields one after another, none across two words.
struct Packer {
    word: usize,
    used: u8,
}

impl Packer {
    fn field(&mut self, largest: u64) -> Field {
        let bits = (64 - largest.leading_zeros()).max(1) as u8;
        if self.used + bits > 64 {
            self.close();
        }
        let field = Field { word: self.word as u16, shift: self.used, bits };
        self.used += bits;
        field
    }

    /// The next word, after closing the one begun.
    fn next_word(&mut self) -> usize {
        self.close();
        self.word
    }

    fn close(&mut self) {
        if self.used > 0 {
            self.word += 1;
            self.used = 0;
        }
    }

    /// The fields that say which piece stands where.
    fn identity(&mut self, extent: &Extent) -> Identity {
        if extent.by_tile {
            let pieces = extent.pieces as u64;
            return Identity::ByTile((0..extent.tiles).map(|_| self.field(pieces)).collect());
        }
        let mut fields = |wanted: bool, largest: usize| -> Vec<Field> {
            let pieces = if wanted { extent.pieces } else { 0 };
            (0..pieces).map(|_| self.field(largest as u64)).collect()
        };
        Identity::ByPiece {
            places: fields(true, extent.tiles + extent.players),
            kinds: fields(extent.changing, extent.kinds.saturating_sub(1)),
            owners: fields(extent.trading, extent.players.saturating_sub(1)),
        }
    }
}

impl Layout {
    pub(crate) fn new(extent: Extent) -> Layout {
        let width = extent.tiles.div_ceil(64).next_power_of_two();
        let mut stacks = vec![None; extent.tiles];
        for (number, tile) in extent.stacks.iter().enumerate() {
            stacks[tile.index()] = Some(number as u16);
        }
        let planes = (extent.players + extent.kinds + extent.flags + extent.marks) * width;
        let mut pack = Packer { word: planes, used: 0 };
        let mut counts = Vec::new();
        for _ in 0..extent.players * extent.kinds {
            counts.extend(extent.stacks.iter().map(|_| pack.field(extent.most as u64)));
        }
        let mut hands = Vec::new();
        for index in 0..extent.players * extent.kinds {
            let held = extent.in_hand.contains(KindId::at(index % extent.kinds));
            hands.push(held.then(|| pack.field(extent.most as u64)));
        }
        let turn = pack.field(extent.players.saturating_sub(1) as u64);
        let dice = extent.dice.iter().map(|&sides| pack.field(sides.into())).collect();
        let mut variables: Vec<VariableSlot> = Vec::new();
        for (slot, fields) in &extent.variables {
            let fields = vec![Field { word: 0, shift: 0, bits: *fields as u8 }; *fields];
            variables.push(VariableSlot { fields, ..slot.clone() });
        }
        let mut place_variables = |pack: &mut Packer, hashed: bool| {
            for slot in variables.iter_mut().filter(|slot| slot.hashed == hashed) {
                let span = slot.max.wrapping_sub(slot.min) as u64;
                slot.fields.iter_mut().for_each(|field| *field = pack.field(span));
            }
        };
        place_variables(&mut pack, true);
        pack.close();
        let position = pack.word;
        place_variables(&mut pack, false);
        let tail = pack.next_word();
        let identity = pack.identity(&extent);
        pack.close();
        Layout {
            width,
            players: extent.players,
            kinds: extent.kinds,
            flags: extent.flags,
            stacks,
            stacked: extent.stacks.len(),
            counts,
            hands,
            hand_follows: extent.hand_follows,
            turn,
            dice,
            variables,
            identity,
            changing: extent.changing,
            trading: extent.trading,
            position,
            tail,
            words: pack.word,
        }
    }

    /// Whether there are as many words as a state has and every number in them is one that it may
    /// be. What they say together is not asked.
    pub(crate) fn fits(&self, words: &[u64], game: &Game) -> bool {
        let below = |field: &Field, limit: usize| field.get(words) < limit as u64;
        let sides = game.definition.dice.iter().map(|die| usize::from(die.sides));
        let tiles = self.stacks.len();
        words.len() == self.words
            && below(&self.turn, self.players)
            && self.dice.iter().zip(sides).all(|(die, sides)| below(die, sides + 1))
            && self.variables.iter().all(|slot| {
                let span = slot.max.wrapping_sub(slot.min) as u64;
                slot.fields.iter().all(|field| field.get(words) <= span)
            })
            && match &self.identity {
                Identity::ByTile(pieces) => {
                    pieces.iter().all(|piece| below(piece, game.pieces.len() + 1))
                }
                Identity::ByPiece { places, kinds, owners } => {
                    places.iter().all(|place| below(place, tiles + self.players + 1))
                        && kinds.iter().all(|kind| below(kind, self.kinds))
                        && owners.iter().all(|owner| below(owner, self.players))
                }
            }
    }

    /// The first word of an owner's plane.
    #[inline]
    pub(crate) fn owner(&self, player: PlayerId) -> usize {
        player.index() * self.width
    }

    /// The first word of a kind's plane.
    #[inline]
    pub(crate) fn kind(&self, kind: KindId) -> usize {
        (self.players + kind.index()) * self.width
    }

    /// The first word of a flag's plane.
    #[inline]
    pub(crate) fn flag(&self, flag: FlagId) -> usize {
        (self.players + self.kinds + flag.index()) * self.width
    }

    /// The first word of a mark's plane.
    #[inline]
    pub(crate) fn mark(&self, mark: MarkId) -> usize {
        (self.players + self.kinds + self.flags + mark.index()) * self.width
    }

    /// How many pieces of a kind a player has in hand, for kinds that are held in hand.
    #[inline]
    pub(crate) fn hand(&self, owner: PlayerId, kind: KindId) -> Option<Field> {
        self.hands[owner.index() * self.kinds + kind.index()]
    }

    /// Whether a tile holds many pieces.
    #[inline]
    pub(crate) fn stacks(&self, tile: TileId) -> bool {
        self.stacks[tile.index()].is_some()
    }

    /// The count of an owner's pieces of a kind on a tile that holds many.
    #[inline]
    pub(crate) fn count(&self, tile: TileId, owner: PlayerId, kind: KindId) -> Option<Field> {
        let stack = usize::from(self.stacks[tile.index()]?);
        Some(self.counts[(owner.index() * self.kinds + kind.index()) * self.stacked + stack])
    }

    #[inline]
    pub(crate) fn die(&self, die: DieId) -> Field {
        self.dice[die.index()]
    }

    pub(crate) fn die_count(&self) -> usize {
        self.dice.len()
    }

    #[inline]
    pub(crate) fn variable(&self, variable: VariableId) -> &VariableSlot {
        &self.variables[variable.index()]
    }

    /// Whether a piece can change its owner.
    #[inline]
    pub(crate) fn trades(&self) -> bool {
        self.trading
    }

    /// Whether a tile says of itself that it holds a piece.
    #[inline]
    pub(crate) fn holds(&self, words: &[u64], tile: TileId, piece: PieceId) -> bool {
        let Identity::ByTile(pieces) = &self.identity else { return false };
        let held = pieces.get(tile.index()).map(|field| field.get(words));
        held == Some(piece.index() as u64 + 1)
    }

    /// Where a piece is.
    pub(crate) fn place(&self, words: &[u64], piece: PieceId) -> Place {
        let sought = piece.index() as u64 + 1;
        match &self.identity {
            Identity::ByTile(pieces) => {
                let tile = pieces.iter().position(|field| field.get(words) == sought);
                tile.map_or(Place::Off, |tile| Place::Tile(TileId::at(tile)))
            }
            Identity::ByPiece { places, .. } => {
                let place = places[piece.index()].get(words) as usize;
                match place.checked_sub(1) {
                    None => Place::Off,
                    Some(tile) if tile < self.stacks.len() => Place::Tile(TileId::at(tile)),
                    Some(hand) => Place::Hand(PlayerId::at(hand - self.stacks.len())),
                }
            }
        }
    }

    /// The pieces on a tile, in their order.
    pub(crate) fn pieces_at<'a>(
        &'a self,
        words: &'a [u64],
        tile: TileId,
    ) -> impl Iterator<Item = PieceId> + use<'a> {
        let (held, places): (_, &[Field]) = match &self.identity {
            Identity::ByTile(pieces) => (pieces[tile.index()].get(words) as usize, &[]),
            Identity::ByPiece { places, .. } => (0, places),
        };
        let place = tile.index() as u64 + 1;
        let here = move |(_, field): &(usize, &Field)| field.get(words) == place;
        let others = places.iter().enumerate().filter(here).map(|(at, _)| PieceId::at(at));
        held.checked_sub(1).map(PieceId::at).into_iter().chain(others)
    }

    /// For each piece whether it is on the board, where tiles say which piece they hold and nothing
    /// is known of pieces off the board.
    pub(crate) fn placed(&self, words: &[u64], pieces: usize) -> Option<Vec<bool>> {
        let Identity::ByTile(tiles) = &self.identity else { return None };
        let mut placed = vec![false; pieces];
        for field in tiles {
            if let Some(piece) = (field.get(words) as usize).checked_sub(1) {
                placed[piece] = true;
            }
        }
        Some(placed)
    }

    /// Notes where a piece is; on a tile it replaces what that tile knew.
    pub(crate) fn set_place(&self, words: &mut [u64], piece: PieceId, place: Place) {
        match (&self.identity, place) {
            (Identity::ByTile(pieces), Place::Tile(tile)) => {
                pieces[tile.index()].set(words, piece.index() as u64 + 1);
            }
            (Identity::ByTile(_), _) => {}
            (Identity::ByPiece { places, .. }, place) => {
                let place = match place {
                    Place::Off => 0,
                    Place::Tile(tile) => tile.index() + 1,
                    Place::Hand(player) => self.stacks.len() + player.index() + 1,
                };
                places[piece.index()].set(words, place as u64);
            }
        }
    }

    /// Where tiles say which piece they hold, if they do.
    pub(crate) fn pieces_by_tile(&self) -> Option<&[Field]> {
        match &self.identity {
            Identity::ByTile(pieces) => Some(pieces),
            Identity::ByPiece { .. } => None,
        }
    }

    /// Brings which piece stands where up to date after an event that carried a piece from one tile
    /// to another, if it names them, and brought no other to any tile. The words are those before it,
    /// and `after` those of the position after it. Says whether it could: nothing changes where tiles do
    /// not say which piece they hold, or where it is not certain that the piece was carried.
    pub(crate) fn follow(
        &self,
        words: &mut [u64],
        after: &[u64],
        carried: Option<(TileId, TileId)>,
    ) -> bool {
        let Identity::ByTile(pieces) = &self.identity else { return false };
        let owners = |words: &[u64], word: usize| {
            (0..self.players).fold(0, |all, owner| all | words[owner * self.width + word])
        };
        let bit = |tile: TileId, word: usize| match tile.index() / 64 == word {
            true => 1u64 << (tile.index() % 64),
            false => 0,
        };
        let mut arrives = false;
        for word in 0..self.width {
            let (before, now) = (owners(words, word), owners(after, word));
            let (from, to) = carried.map_or((0, 0), |(from, to)| (bit(from, word), bit(to, word)));
            let kept = (0..self.players).map(|owner| owner * self.width + word);
            let stays = kept.fold(0, |all, plane| all | words[plane] & after[plane]);
            if now & !before & !to != 0 || from & (now | !before) != 0 || stays & to != 0 {
                return false;
            }
            arrives |= now & to != 0;
        }
        let piece = carried.map(|(from, to)| (pieces[from.index()].get(words), to));
        for word in 0..self.width {
            let mut gone = owners(words, word) & !owners(after, word);
            while gone != 0 {
                self.vacate(words, TileId::at(word * 64 + gone.trailing_zeros() as usize));
                gone &= gone - 1;
            }
        }
        if let Some((piece, to)) = piece.filter(|_| arrives) {
            pieces[to.index()].set(words, piece);
        }
        true
    }

    /// Notes that a tile holds no piece any more, where tiles say which piece they hold.
    pub(crate) fn vacate(&self, words: &mut [u64], tile: TileId) {
        if let Identity::ByTile(pieces) = &self.identity {
            pieces[tile.index()].set(words, 0);
        }
    }

    /// The kind of a piece, where it is kept with the piece and not on the board.
    pub(crate) fn kind_of(&self, words: &[u64], piece: PieceId) -> Option<KindId> {
        match &self.identity {
            Identity::ByPiece { kinds, .. } => {
                let kind = kinds.get(piece.index())?.get(words);
                Some(KindId::at(kind as usize))
            }
            Identity::ByTile(_) => None,
        }
    }

    /// The owner of a piece, where it is kept with the piece.
    pub(crate) fn owner_of(&self, words: &[u64], piece: PieceId) -> Option<PlayerId> {
        match &self.identity {
            Identity::ByPiece { owners, .. } => {
                let owner = owners.get(piece.index())?.get(words);
                Some(PlayerId::at(owner as usize))
            }
            Identity::ByTile(_) => None,
        }
    }

    /// Notes the kind and owner of a piece, where they are kept with the piece.
    pub(crate) fn describe(
        &self,
        words: &mut [u64],
        piece: PieceId,
        owner: PlayerId,
        kind: KindId,
    ) {
        if let Identity::ByPiece { kinds, owners, .. } = &self.identity {
            if let Some(field) = kinds.get(piece.index()) {
                field.set(words, kind.index() as u64);
            }
            if let Some(field) = owners.get(piece.index()) {
                field.set(words, owner.index() as u64);
            }
        }
    }
}

/// Where a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Off the board: out of play, or in hand where hands are not told apart.
    Off,
    Tile(TileId),
    /// In the hand of a player.
    Hand(PlayerId),
}
