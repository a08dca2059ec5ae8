//! The rules of chess as user stories, and the layers that carry them, one after another.

mod layer;
mod legality;
mod movement;

use senet_chess::{NOTATION, game};
use senet_core::{Event, Game, Notation, State, TileId, TileSet};

/// A game and a position of it.
struct Scene {
    game: Game,
    state: State,
}

impl Scene {
    fn of(fen: &str) -> Scene {
        let game = game();
        let state = NOTATION.parse_position(&game, fen).expect(fen);
        Scene { game, state }
    }

    fn tile(&self, name: &str) -> TileId {
        self.game.tile(name).expect(name)
    }

    fn event(&self, text: &str) -> Event {
        NOTATION.parse_event(&self.game, &self.state, text).expect(text)
    }

    /// The targets of the legal moves from a tile, in the order of their names.
    fn targets(&self, from: &str) -> Vec<String> {
        let from = self.tile(from);
        let legal = self.game.legal(&self.state).into_iter();
        let mut targets: Vec<String> = legal
            .filter_map(|event| match event {
                Event::Move { from: source, to, .. } if source == from => Some(to),
                _ => None,
            })
            .map(|to| self.game.tile_name(to).to_owned())
            .collect();
        targets.sort();
        targets.dedup();
        targets
    }

    fn allows(&self, text: &str) -> bool {
        self.game.apply(&self.state, self.event(text)).is_ok()
    }

    /// The scene after a move.
    fn after(mut self, text: &str) -> Scene {
        let step = self.game.apply(&self.state, self.event(text));
        self.state = step.unwrap_or_else(|_| panic!("{text} is refused")).state;
        self
    }

    fn fen(&self) -> String {
        NOTATION.format_position(&self.game, &self.state)
    }

    /// Why a move is refused, in words.
    fn refusal(&self, text: &str) -> String {
        let explanation = self.game.explain(&self.state, self.event(text));
        assert!(explanation.accepted_by.is_none(), "{text} is accepted");
        self.game.explanation_text(&explanation, text).lines().next().unwrap_or_default().to_owned()
    }

    fn names(&self, tiles: TileSet) -> Vec<&str> {
        let mut names: Vec<&str> = tiles.iter().map(|tile| self.game.tile_name(tile)).collect();
        names.sort_unstable();
        names
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
