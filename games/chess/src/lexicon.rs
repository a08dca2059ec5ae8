//! What the notations of chess need to know of a game: its squares by file and rank, a letter for
//! each kind, and the flags and variables that a position writes down. Looked up once, then asked
//! without names.

use senet_core::{FlagId, Game, KindId, PlayerId, State, TileId, TileSet, VariableId};

use crate::notation::{Captures, Chess};

/// The letter of each kind, over all variants.
const LETTERS: [(u8, &str); 8] = [
    (b'p', "pawn"),
    (b'n', "knight"),
    (b'b', "bishop"),
    (b'r', "rook"),
    (b'q', "queen"),
    (b'k', "king"),
    (b'a', "archbishop"),
    (b'c', "chancellor"),
];

/// A square by its file and rank, both from 0 at the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Square {
    pub(crate) file: u8,
    pub(crate) rank: u8,
}

/// A side of the board, as seen from the king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wing {
    /// Towards the last file.
    East,
    /// Towards the first file.
    West,
}

impl Wing {
    pub(crate) const BOTH: [Wing; 2] = [Wing::East, Wing::West];
}

/// A game in the eyes of its notation.
pub(crate) struct Lexicon<'g> {
    pub(crate) game: &'g Game,
    pub(crate) custom: Chess,
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) pawn: KindId,
    pub(crate) king: KindId,
    pub(crate) rook: KindId,
    pub(crate) mint: FlagId,
    pub(crate) passing: FlagId,
    pub(crate) clock: VariableId,
    pub(crate) number: VariableId,
    /// Checks given, in variants that count them.
    pub(crate) checks: Option<VariableId>,
    pub(crate) players: [PlayerId; 2],
    /// By rank, then file.
    tiles: Vec<Option<TileId>>,
    /// Every tile, each tile alone, those of each file and those of each rank.
    all: TileSet,
    singles: Vec<TileSet>,
    files: Vec<TileSet>,
    ranks: Vec<TileSet>,
    /// By tile.
    squares: Vec<Square>,
    /// By letter.
    kinds: [Option<KindId>; 26],
    /// By kind.
    letters: Vec<u8>,
    /// Where the king goes by castling: by player, then wing.
    castled: [[Option<TileId>; 2]; 2],
}

impl<'g> Lexicon<'g> {
    /// Looks the words of chess up in a game.
    ///
    /// # Panics
    /// If the game is no chess: that is a bug of the caller.
    pub(crate) fn new(game: &'g Game, custom: Chess) -> Lexicon<'g> {
        let squares: Vec<Square> = game.tiles().map(|tile| named(game.tile_name(tile))).collect();
        let width = squares.iter().map(|square| square.file + 1).max().unwrap_or(0);
        let height = squares.iter().map(|square| square.rank + 1).max().unwrap_or(0);
        let mut tiles = vec![None; usize::from(width) * usize::from(height)];
        let mut files = vec![TileSet::EMPTY; width.into()];
        let mut ranks = vec![TileSet::EMPTY; height.into()];
        for (tile, square) in game.tiles().zip(&squares) {
            tiles[usize::from(square.rank) * usize::from(width) + usize::from(square.file)] =
                Some(tile);
            files[usize::from(square.file)].insert(tile);
            ranks[usize::from(square.rank)].insert(tile);
        }
        let (kinds, letters) = lettered(game);
        let mut players = game.players();
        let players = std::array::from_fn(|_| players.next().expect("chess has two players"));
        let kind = |name| game.kind(name).expect("chess has its kinds");
        let flag = |name| game.flag(name).expect("chess has its flags");
        let variable = |name| game.variable(name).expect("chess has its variables");
        let castled = players
            .map(|player| ["king-east", "king-west"].map(|region| only_tile(game, player, region)));
        Lexicon {
            game,
            custom,
            width,
            height,
            pawn: kind("pawn"),
            king: kind("king"),
            rook: kind("rook"),
            mint: flag("mint"),
            passing: flag("passing"),
            clock: variable("clock"),
            number: variable("move"),
            checks: game.variable("checks"),
            players,
            tiles,
            all: game.tiles().collect(),
            singles: game.tiles().map(|tile| TileSet::from_iter([tile])).collect(),
            files,
            ranks,
            squares,
            kinds,
            letters,
            castled,
        }
    }

    /// The tile of a file and rank, if the board has it.
    #[inline]
    pub(crate) fn tile(&self, file: u8, rank: u8) -> Option<TileId> {
        if file >= self.width || rank >= self.height {
            return None;
        }
        self.tiles[usize::from(rank) * usize::from(self.width) + usize::from(file)]
    }

    /// The tiles of a file and rank, as far as they are named.
    #[inline]
    pub(crate) fn tiles(&self, file: Option<u8>, rank: Option<u8>) -> &TileSet {
        let found = match (file, rank) {
            (None, None) => return &self.all,
            (Some(file), None) => self.files.get(usize::from(file)),
            (None, Some(rank)) => self.ranks.get(usize::from(rank)),
            (Some(file), Some(rank)) => {
                self.tile(file, rank).map(|tile| &self.singles[tile.index()])
            }
        };
        found.unwrap_or(&TileSet::EMPTY)
    }

    /// Where a tile lies.
    #[inline]
    pub(crate) fn square(&self, tile: TileId) -> Square {
        self.squares[tile.index()]
    }

    /// The kind of a letter, in either case.
    #[inline]
    pub(crate) fn kind(&self, letter: u8) -> Option<KindId> {
        let index = letter.to_ascii_lowercase().wrapping_sub(b'a');
        self.kinds.get(usize::from(index)).copied().flatten()
    }

    /// The lower-case letter of a kind.
    pub(crate) fn letter(&self, kind: KindId) -> char {
        self.letters[kind.index()].into()
    }

    /// The letter of a kind in the case of its owner: upper for the player who begins.
    pub(crate) fn piece_letter(&self, owner: PlayerId, kind: KindId) -> char {
        let letter = self.letter(kind);
        if owner == self.players[0] { letter.to_ascii_uppercase() } else { letter }
    }

    /// The letters of all kinds, for messages.
    pub(crate) fn known_letters(&self) -> String {
        let letters = LETTERS.iter().filter(|(letter, _)| self.kind(*letter).is_some());
        letters.map(|(letter, _)| char::from(*letter)).collect()
    }

    /// The other player.
    pub(crate) fn foe(&self, player: PlayerId) -> PlayerId {
        if player == self.players[0] { self.players[1] } else { self.players[0] }
    }

    /// The rank on which a player's game begins.
    pub(crate) fn home(&self, player: PlayerId) -> u8 {
        if player == self.players[0] { 0 } else { self.height - 1 }
    }

    /// The rank `ahead` steps ahead of a player's first.
    pub(crate) fn rank(&self, player: PlayerId, ahead: u8) -> u8 {
        if player == self.players[0] { ahead } else { self.height - 1 - ahead }
    }

    /// The tiles where a player has pieces of a kind.
    #[inline]
    pub(crate) fn pieces(&self, state: &State, player: PlayerId, kind: KindId) -> TileSet {
        let view = self.game.view(state);
        view.owned(player) & view.of_kind(kind)
    }

    /// The tile of a player's king.
    pub(crate) fn king_of(&self, state: &State, player: PlayerId) -> Option<TileId> {
        self.pieces(state, player, self.king).iter().next()
    }

    /// The tile of a player's king who is in check. Where captures explode, kings that stand
    /// beside each other are safe from everything, and so is a king who is alone.
    pub(crate) fn checked(&self, state: &State, player: PlayerId) -> Option<TileId> {
        let king = self.game.threatened_royals(state, player).iter().next()?;
        let beside = |other: TileId| {
            let (one, two) = (self.square(king), self.square(other));
            one.file.abs_diff(two.file) <= 1 && one.rank.abs_diff(two.rank) <= 1
        };
        let safe = self.custom.captures == Captures::Many
            && self.king_of(state, self.foe(player)).is_none_or(beside);
        (!safe).then_some(king)
    }

    /// Where the king goes by castling.
    pub(crate) fn castled(&self, player: PlayerId, wing: Wing) -> Option<TileId> {
        self.castled[player.index()][wing as usize]
    }

    /// The rook with which a player would castle: the mint one on that wing, or else, so that a
    /// refusal can say what is missing, the outermost.
    pub(crate) fn castling_rook(
        &self,
        state: &State,
        player: PlayerId,
        wing: Wing,
    ) -> Option<TileId> {
        let view = self.game.view(state);
        let king = self.square(self.king_of(state, player)?);
        let rooks = || {
            let rooks = self.pieces(state, player, self.rook).iter();
            rooks.filter(move |&tile| {
                let square = self.square(tile);
                square.rank == king.rank && self.wing(king.file, square.file) == Some(wing)
            })
        };
        let outermost = |tile: &TileId| match wing {
            Wing::East => i16::from(self.square(*tile).file),
            Wing::West => -i16::from(self.square(*tile).file),
        };
        let mint = rooks().find(|&tile| view.is_flagged(tile, self.mint));
        mint.or_else(|| rooks().max_by_key(outermost))
    }

    /// On which wing of a king's file another file lies.
    pub(crate) fn wing(&self, king: u8, file: u8) -> Option<Wing> {
        match file.cmp(&king) {
            std::cmp::Ordering::Less => Some(Wing::West),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(Wing::East),
        }
    }
}

/// The square that a tile's name says.
fn named(name: &str) -> Square {
    let (file, rank) = name.split_at(1);
    let rank: u8 = rank.parse().expect("tiles of chess are named by file and rank");
    Square { file: file.as_bytes()[0] - b'a', rank: rank - 1 }
}

/// The kinds by letter and the letters by kind.
fn lettered(game: &Game) -> ([Option<KindId>; 26], Vec<u8>) {
    let mut kinds = [None; 26];
    let mut letters = vec![b'?'; game.kinds().count()];
    for (letter, name) in LETTERS {
        if let Some(kind) = game.kind(name) {
            kinds[usize::from(letter - b'a')] = Some(kind);
            letters[kind.index()] = letter;
        }
    }
    (kinds, letters)
}

/// The first tile of a player's region.
fn only_tile(game: &Game, player: PlayerId, region: &str) -> Option<TileId> {
    let player = game.player_name(player);
    let regions = &game.definition().regions;
    let found =
        regions.iter().find(|one| one.name == region && one.player.as_deref() == Some(player))?;
    game.tile(found.tiles.first()?)
}
