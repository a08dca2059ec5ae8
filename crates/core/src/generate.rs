//! Legal moves by whole sets of tiles: the movement rules of a phase as tables.
//!
//! What a table cannot say is asked of the rule itself, one candidate at a time, so that the
//! tables are an acceleration of the rules and never a second set of them. A game or a phase that
//! does not fit the tables is listed by the rules alone.

mod attack;
mod board;
mod list;
mod row;
mod safety;

use crate::game::Game;
use crate::id::{PhaseId, PlayerId, TileId};
use crate::state::State;

pub(crate) use attack::Attacks;
use board::Board;
pub(crate) use board::Lines;
pub(crate) use list::each_event;
pub(crate) use row::Row;

/// The tables of a game, in the width of its board.
pub(crate) enum Generator {
    One(Box<Tables<1>>),
    Two(Box<Tables<2>>),
    Four(Box<Tables<4>>),
    Eight(Box<Tables<8>>),
}

/// The tables of a game on a board of `W` words.
pub(crate) struct Tables<const W: usize> {
    pub(crate) lines: Lines<W>,
    /// How each player attacks.
    pub(crate) attacks: Vec<Attacks<W>>,
    /// For each leaf phase the movement rules of each player, or none where the rules alone list.
    phases: Vec<Option<Vec<Vec<Row<W>>>>>,
}

impl Generator {
    /// The tables of a game, if it fits them: every tile holds one piece.
    pub(crate) fn new(game: &Game) -> Option<Generator> {
        if game.exclusive != game.all_tiles {
            return None;
        }
        Some(match game.layout.width {
            1 => Generator::One(Box::new(Tables::new(game)?)),
            2 => Generator::Two(Box::new(Tables::new(game)?)),
            4 => Generator::Four(Box::new(Tables::new(game)?)),
            8 => Generator::Eight(Box::new(Tables::new(game)?)),
            _ => return None,
        })
    }
}

impl Generator {
    /// Whether a player attacks a tile.
    pub(crate) fn is_threatened(
        &self,
        game: &Game,
        state: &State,
        tile: TileId,
        player: PlayerId,
    ) -> bool {
        match self {
            Generator::One(tables) => tables.is_threatened(game, state, tile, player),
            Generator::Two(tables) => tables.is_threatened(game, state, tile, player),
            Generator::Four(tables) => tables.is_threatened(game, state, tile, player),
            Generator::Eight(tables) => tables.is_threatened(game, state, tile, player),
        }
    }
}

impl<const W: usize> Tables<W> {
    fn is_threatened(&self, game: &Game, state: &State, tile: TileId, player: PlayerId) -> bool {
        let board = Board::new(game, state);
        self.attacks[player.index()].reaches(&board, &self.lines, tile, board.occupied)
    }

    fn new(game: &Game) -> Option<Tables<W>> {
        let lines = Lines::new(game.topology());
        let attacks: Option<Vec<Attacks<W>>> =
            game.players().map(|player| Attacks::new(game, &lines, player)).collect();
        let attacks = attacks?;
        let phases = game.leaves.iter().map(|leaf| {
            let rows = game.players().map(|player| row::rows(game, leaf, player));
            rows.collect::<Option<Vec<Vec<Row<W>>>>>()
        });
        Some(Tables { lines, attacks, phases: phases.collect() })
    }

    /// The movement rules of a phase for a player.
    #[inline]
    pub(crate) fn rows(&self, phase: PhaseId, player: PlayerId) -> Option<&[Row<W>]> {
        Some(&self.phases[phase.index()].as_ref()?[player.index()])
    }
}
