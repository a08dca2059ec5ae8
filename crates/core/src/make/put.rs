//! Pieces that enter the board: the ones in hand, found without asking each.

use crate::event::Event;
use crate::game::Game;
use crate::id::{KindId, PieceId, PlayerId, TileId};
use crate::state::State;

use super::pen::Pen;
use super::{Care, Journey, Program};

/// What putting a piece of a kind changes, by the words where things begin.
pub(crate) struct Entrance {
    own: usize,
    kind: usize,
    /// Where the keys of the piece begin.
    keys: usize,
    hand: Hand,
}

impl Entrance {
    pub(super) fn new(game: &Game, owner: PlayerId, kind: KindId) -> Option<Entrance> {
        let hand = Hand::new(game, owner, kind)?;
        let [own, plane] = hand.planes;
        Some(Entrance { own, kind: plane, keys: game.keys.first(owner, kind), hand })
    }
}

impl Program {
    /// Does to a state what a rule to put does, which found the tile empty.
    #[inline(always)]
    pub(crate) fn run_put<const W: usize>(
        &self,
        game: &Game,
        state: &mut State,
        event: Event,
        care: Care,
    ) {
        let Event::Put { kind, to } = event else { return };
        let Journey::Enter(entrances) = &self.journey else { return };
        let Some(Some(entrance)) = entrances.get(kind.index()) else { return };
        let (at, tile) = (to.index() / 64 % W, 1 << (to.index() % 64));
        let words = state.words_mut();
        words[entrance.own + at] |= tile;
        words[entrance.kind + at] |= tile;
        words[self.turn.0] ^= self.turn.1;
        if care == Care::All {
            entrance.hand.enter(words, to);
        }
        state.hash ^= game.keys.from(entrance.keys)[to.index()] ^ self.turn.2;
        if !self.bare {
            self.finish_put::<W>(game, state, to, care);
        }
    }

    #[inline(never)]
    fn finish_put<const W: usize>(&self, game: &Game, state: &mut State, to: TileId, care: Care) {
        let hash = state.hash;
        let mut pen = Pen::<W> { game, words: state.words_mut(), hash, care };
        self.finish(&mut pen, to, false);
        state.hash = pen.hash;
    }
}

/// The pieces of an owner that are of a kind when they are off the board.
pub(crate) struct Hand {
    /// The planes of the owner and the kind, by the words where they begin.
    planes: [usize; 2],
    /// How many there are, where those on the board are those that the planes show.
    count: Option<u32>,
    lanes: Vec<Lanes>,
}

/// The places of some pieces in one word of the state. A piece off the board has none: nought.
struct Lanes {
    word: usize,
    mask: u64,
    /// The lowest and the highest bit of every place.
    low: u64,
    high: u64,
    /// How far apart those lie.
    span: u32,
}

impl Hand {
    /// The hand of an owner, where the state says of each piece where it is.
    pub(crate) fn new(game: &Game, owner: PlayerId, kind: KindId) -> Option<Hand> {
        let layout = &game.layout;
        let mut lanes: Vec<Lanes> = Vec::new();
        let mut count = 0;
        for (at, _) in (game.pieces.iter().enumerate())
            .filter(|(_, piece)| piece.owner == owner && piece.kind == kind)
        {
            count += 1;
            let (word, mask) = layout.seat(PieceId::at(at))?.place();
            let low = 1 << mask.trailing_zeros();
            let high = 1 << (63 - mask.leading_zeros());
            match lanes.last_mut().filter(|last| last.word == word) {
                Some(last) => {
                    last.mask |= mask;
                    last.low |= low;
                    last.high |= high;
                }
                None => lanes.push(Lanes { word, mask, low, high, span: mask.count_ones() - 1 }),
            }
        }
        let shown = layout.holds_single() && !layout.changing;
        let planes = [layout.owner(owner), layout.kind(kind)];
        Some(Hand { planes, count: shown.then_some(count), lanes })
    }

    /// Whether a piece is off the board.
    #[inline(always)]
    pub(crate) fn has_piece<const W: usize>(&self, words: &[u64]) -> bool {
        let Some(count) = self.count else { return self.first(words).is_some() };
        let [own, kind] = self.planes;
        let mut shown = 0;
        for word in 0..W {
            shown += (words[own + word] & words[kind + word]).count_ones();
        }
        shown < count
    }

    /// The word and the lowest bit of the first piece that is off the board.
    #[inline(always)]
    fn first(&self, words: &[u64]) -> Option<(usize, u32)> {
        for lanes in &self.lanes {
            let places = words[lanes.word] & lanes.mask;
            // Taking one from every place borrows from the first that is nought; what lies above
            // it may be wrong, but is not asked.
            let off = places.wrapping_sub(lanes.low) & !places & lanes.high;
            if off != 0 {
                return Some((lanes.word, off.trailing_zeros() - lanes.span));
            }
        }
        None
    }

    /// Notes that the first piece that is off the board came to a tile.
    #[inline(always)]
    pub(super) fn enter(&self, words: &mut [u64], to: TileId) {
        if let Some((word, bit)) = self.first(words) {
            words[word] |= (to.index() as u64 + 1) << bit;
        }
    }
}
