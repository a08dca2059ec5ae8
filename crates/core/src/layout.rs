//! Where each fact of a state lives in its words.
//!
//! The words are: a bit plane of `width` words for each owner, kind and flag; then packed fields
//! of the position (counts of stacking tiles, turn, dice, variables); then what the position
//! hash ignores (variables kept beside it, and which piece stands where).

use crate::game::Game;
use crate::id::{DieId, FlagId, KindId, PieceId, PlayerId, TileId, VariableId};

/// What a nibble holds at most.
pub(crate) const FULL: usize = 15;

/// A number packed into one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    word: u16,
    shift: u8,
    bits: u8,
}

impl Field {
    /// The word it lies in and its bits there.
    pub(crate) fn place(self) -> (usize, u64) {
        (self.word.into(), self.mask() << self.shift)
    }

    #[inline]
    fn mask(self) -> u64 {
        u64::MAX >> (64 - u32::from(self.bits))
    }

    /// A number where the field has it in its word.
    pub(crate) fn lifted(self, value: u64) -> u64 {
        (value & self.mask()) << self.shift
    }

    /// The number that bits of its word stand for.
    pub(crate) fn lowered(self, bits: u64) -> u64 {
        bits >> self.shift & self.mask()
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
    pub(crate) pieces: usize,
    /// The most pieces that one owner has.
    pub(crate) most: usize,
    /// Tiles that hold many pieces.
    pub(crate) stacks: Vec<TileId>,
    /// Whether a piece can change its kind.
    pub(crate) changing: bool,
    /// Whether a piece that is off the board can come onto it.
    pub(crate) entering: bool,
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
    planes: usize,
    /// For each tile its number among the stacks, if it is one.
    stacks: Vec<Option<u16>>,
    /// How many tiles are.
    stacked: usize,
    /// By owner, kind and stack.
    counts: Vec<Field>,
    /// Whether every tile stacks and each count is a nibble: then those of an owner and a kind
    /// begin with a word, in the order of the tiles.
    nibbles: bool,
    pub(crate) turn: Field,
    dice: Vec<Field>,
    pub(crate) variables: Vec<VariableSlot>,
    identity: Identity,
    /// Whether a piece can change its kind.
    pub(crate) changing: bool,
    /// How many words belong to the position.
    pub(crate) position: usize,
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
    /// For each piece its tile, as its index plus one, zero off the board; and its kind, in games
    /// where that can change.
    ByPiece { tiles: Vec<Field>, kinds: Vec<Field> },
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

    fn close(&mut self) {
        if self.used > 0 {
            self.word += 1;
            self.used = 0;
        }
    }
}

/// Where the places of some pieces lie.
pub(crate) struct Herd {
    parts: Vec<Part>,
}

/// The fields of a word that are places of the pieces: all their bits, the lowest and the highest
/// of each.
struct Part {
    word: usize,
    mask: u64,
    low: u64,
    high: u64,
}

impl Herd {
    /// Moves the first piece that stands on a tile to another.
    #[inline]
    pub(crate) fn shift(&self, words: &mut [u64], from: TileId, to: TileId) {
        let (from, to) = (from.index() as u64 + 1, to.index() as u64 + 1);
        for part in &self.parts {
            let word = &mut words[part.word];
            // Fields that have the place are zero here. What is below the highest bit of another
            // carries into that bit, and none carries further.
            let other = (*word & part.mask) ^ (part.low * from);
            let carried = (other & !part.high) + (part.high - part.low);
            let found = !(carried | other) & part.high;
            if found != 0 {
                // The lowest bit of the field is the last one up to its highest.
                let upto = found & found.wrapping_neg();
                let base = 1u64 << (63 - (part.low & (upto | (upto - 1))).leading_zeros());
                *word ^= base * (from ^ to);
                return;
            }
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
        let planes = (extent.players + extent.kinds + extent.flags) * width;
        let mut pack = Packer { word: planes, used: 0 };
        let nibbles = extent.most <= FULL && extent.stacks.len() == extent.tiles;
        let mut counts = Vec::new();
        for _ in 0..extent.players * extent.kinds {
            let most = if nibbles { FULL } else { extent.most };
            counts.extend(extent.stacks.iter().map(|_| pack.field(most as u64)));
            if nibbles {
                pack.close();
            }
        }
        let turn = pack.field(extent.players.saturating_sub(1) as u64);
        let dice = extent.dice.iter().map(|&sides| pack.field(sides.into())).collect();
        let mut variables: Vec<VariableSlot> = Vec::new();
        for (mut slot, fields) in extent.variables {
            slot.fields = vec![Field { word: 0, shift: 0, bits: fields as u8 }; fields];
            variables.push(slot);
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
        let identity = if extent.stacks.is_empty() && !extent.entering {
            let pieces = extent.pieces as u64;
            Identity::ByTile((0..extent.tiles).map(|_| pack.field(pieces)).collect())
        } else {
            let tiles = (0..extent.pieces).map(|_| pack.field(extent.tiles as u64)).collect();
            let changing = if extent.changing { extent.pieces } else { 0 };
            let last_kind = extent.kinds.saturating_sub(1) as u64;
            Identity::ByPiece {
                tiles,
                kinds: (0..changing).map(|_| pack.field(last_kind)).collect(),
            }
        };
        pack.close();
        Layout {
            width,
            players: extent.players,
            kinds: extent.kinds,
            planes: extent.players + extent.kinds + extent.flags,
            stacks,
            stacked: extent.stacks.len(),
            counts,
            nibbles,
            turn,
            dice,
            variables,
            identity,
            changing: extent.changing,
            position,
            words: pack.word,
        }
    }

    /// Whether every tile holds one piece at most.
    #[inline]
    pub(crate) fn holds_single(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many planes there are: owners, kinds and flags.
    #[inline]
    pub(crate) fn planes(&self) -> usize {
        self.planes
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
            && match &self.identity {
                Identity::ByTile(pieces) => {
                    pieces.iter().all(|piece| below(piece, game.pieces.len() + 1))
                }
                Identity::ByPiece { tiles: places, kinds } => {
                    places.iter().all(|place| below(place, tiles + 1))
                        && kinds.iter().all(|kind| below(kind, self.kinds))
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

    /// The word with which the counts of an owner's pieces of a kind begin, where each is a nibble
    /// and they lie in the order of the tiles.
    pub(crate) fn tally(&self, owner: PlayerId, kind: KindId) -> Option<usize> {
        let first = self.count(TileId::at(0), owner, kind).filter(|_| self.nibbles)?;
        Some(first.place().0)
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

    /// The piece on a tile that holds one, where tiles say which piece they hold.
    #[inline]
    pub(crate) fn holder(&self, tile: TileId) -> Option<Field> {
        match &self.identity {
            Identity::ByTile(pieces) => Some(pieces[tile.index()]),
            Identity::ByPiece { .. } => None,
        }
    }

    /// A piece's tile.
    pub(crate) fn place(&self, words: &[u64], piece: PieceId) -> Option<TileId> {
        let sought = piece.index() as u64 + 1;
        match &self.identity {
            Identity::ByTile(pieces) => {
                pieces.iter().position(|field| field.get(words) == sought).map(TileId::at)
            }
            Identity::ByPiece { tiles, .. } => {
                let place = tiles[piece.index()].get(words) as usize;
                place.checked_sub(1).map(TileId::at)
            }
        }
    }

    /// The pieces on a tile, in their order.
    pub(crate) fn pieces_at<'a>(
        &'a self,
        words: &'a [u64],
        tile: TileId,
    ) -> impl Iterator<Item = PieceId> + use<'a> {
        let (held, tiles): (_, &[Field]) = match &self.identity {
            Identity::ByTile(pieces) => (pieces[tile.index()].get(words) as usize, &[]),
            Identity::ByPiece { tiles, .. } => (0, tiles),
        };
        let place = tile.index() as u64 + 1;
        let here = move |(_, field): &(usize, &Field)| field.get(words) == place;
        let others = tiles.iter().enumerate().filter(here).map(|(at, _)| PieceId::at(at));
        held.checked_sub(1).map(PieceId::at).into_iter().chain(others)
    }

    /// The places of some pieces as parts of words, where they are kept by piece.
    pub(crate) fn herd(&self, pieces: impl Iterator<Item = PieceId>) -> Option<Herd> {
        let Identity::ByPiece { tiles, .. } = &self.identity else { return None };
        let mut herd = Herd { parts: Vec::new() };
        for field in pieces.map(|piece| tiles[piece.index()]) {
            let (word, mask) = field.place();
            if herd.parts.last().is_none_or(|part| part.word != word) {
                herd.parts.push(Part { word, mask: 0, low: 0, high: 0 });
            }
            let part = herd.parts.last_mut()?;
            part.mask |= mask;
            part.low |= field.lifted(1);
            part.high |= 1 << (field.shift + field.bits - 1);
        }
        Some(herd)
    }

    /// Notes that a piece of a kind came to a tile.
    #[inline]
    pub(crate) fn arrive(&self, words: &mut [u64], piece: PieceId, tile: TileId, kind: KindId) {
        match &self.identity {
            Identity::ByTile(pieces) => pieces[tile.index()].set(words, piece.index() as u64 + 1),
            Identity::ByPiece { tiles, .. } => {
                tiles[piece.index()].set(words, tile.index() as u64 + 1);
                self.set_kind(words, piece, kind);
            }
        }
    }

    /// Notes that a piece left its tile; off the board it is of its first kind again.
    #[inline]
    pub(crate) fn leave(&self, words: &mut [u64], piece: PieceId, tile: TileId, first: KindId) {
        match &self.identity {
            Identity::ByTile(pieces) => pieces[tile.index()].set(words, 0),
            Identity::ByPiece { tiles, .. } => {
                tiles[piece.index()].set(words, 0);
                self.set_kind(words, piece, first);
            }
        }
    }

    /// The kind of a piece, where it is kept with the piece and not on the board.
    #[inline]
    pub(crate) fn kind_of(&self, words: &[u64], piece: PieceId) -> Option<KindId> {
        match &self.identity {
            Identity::ByPiece { kinds, .. } => {
                let kind = kinds.get(piece.index())?.get(words);
                Some(KindId::at(kind as usize))
            }
            Identity::ByTile(_) => None,
        }
    }

    /// Notes the kind of a piece, where it is kept with the piece.
    pub(crate) fn set_kind(&self, words: &mut [u64], piece: PieceId, kind: KindId) {
        if let Identity::ByPiece { kinds, .. } = &self.identity
            && let Some(field) = kinds.get(piece.index())
        {
            field.set(words, kind.index() as u64);
        }
    }
}
