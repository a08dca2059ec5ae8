//! A state's planes in the width of its board.

use crate::bits::Bits;
use crate::game::Game;
use crate::id::{FlagId, KindId, PlayerId};
use crate::plan::{TileTest, Trait, Who};
use crate::state::State;

/// A state as sets of tiles, seen by a player.
pub(crate) struct Board<'a, const W: usize> {
    pub(crate) game: &'a Game,
    pub(crate) state: &'a State,
    pub(crate) words: &'a [u64],
    pub(crate) mover: PlayerId,
    pub(crate) own: Bits<W>,
    pub(crate) friends: Bits<W>,
    pub(crate) foes: Bits<W>,
    pub(crate) occupied: Bits<W>,
}

impl<'a, const W: usize> Board<'a, W> {
    #[inline(always)]
    pub(crate) fn new(game: &'a Game, state: &'a State) -> Board<'a, W> {
        let words = state.words();
        let mover = game.view(state).player();
        let (mut friends, mut foes) = (Bits::EMPTY, Bits::EMPTY);
        let mut own = Bits::EMPTY;
        for player in 0..game.layout.players {
            let plane = Bits::read(words, player * W);
            if player == mover.index() {
                own = plane;
            }
            if game.friends[mover.index()] >> player & 1 == 1 {
                friends |= plane;
            } else {
                foes |= plane;
            }
        }
        Board { game, state, words, mover, own, friends, foes, occupied: friends | foes }
    }

    #[inline(always)]
    pub(crate) fn owner(&self, player: PlayerId) -> Bits<W> {
        Bits::read(self.words, self.game.layout.owner(player))
    }

    #[inline(always)]
    pub(crate) fn kind(&self, kind: KindId) -> Bits<W> {
        Bits::read(self.words, self.game.layout.kind(kind))
    }

    #[inline(always)]
    pub(crate) fn flag(&self, flag: FlagId) -> Bits<W> {
        Bits::read(self.words, self.game.layout.flag(flag))
    }

    /// The tiles of a set that pass a test made of traits that sets can answer.
    #[inline]
    pub(crate) fn select(&self, test: &TileTest, among: Bits<W>) -> Bits<W> {
        let mut tiles = among;
        for one in &test.all_of {
            tiles &= self.having(one);
        }
        if !test.any_of.is_empty() {
            let mut any = Bits::EMPTY;
            for one in &test.any_of {
                any |= self.having(one);
            }
            tiles &= any;
        }
        for one in &test.none_of {
            tiles = tiles.without(self.having(one));
        }
        tiles
    }

    #[inline]
    fn having(&self, one: &Trait) -> Bits<W> {
        match one {
            Trait::Empty => !self.occupied,
            Trait::Owner(who) => self.held_by(*who),
            Trait::Kind(kind) => self.kind(*kind),
            Trait::Flag(flag) => self.flag(*flag),
            Trait::In(regions) => Bits::from_set(regions[self.mover.index()]),
            Trait::Royal => {
                let royals = self.game.royals.iter();
                royals.fold(Bits::EMPTY, |all, &kind| all | self.kind(kind))
            }
            // Rows with traits that sets cannot answer are asked of the rule instead.
            Trait::AtLeast(..) | Trait::Threatened(_) | Trait::At(_) | Trait::Beside(_) => {
                Bits::FULL
            }
        }
    }

    #[inline]
    fn held_by(&self, who: Who) -> Bits<W> {
        match who {
            Who::Mover => self.own,
            Who::Ally => self.friends.without(self.own),
            Who::Friend => self.friends,
            Who::Foe => self.foes,
            Who::Player(player) => self.owner(player),
            Who::Anyone => self.occupied,
        }
    }
}

/// Whether sets of tiles can answer a test.
pub(crate) fn answers(test: &TileTest) -> bool {
    let unanswerable = |one: &Trait| {
        matches!(one, Trait::AtLeast(..) | Trait::Threatened(_) | Trait::At(_) | Trait::Beside(_))
    };
    ![&test.all_of, &test.any_of, &test.none_of].into_iter().flatten().any(unanswerable)
}
