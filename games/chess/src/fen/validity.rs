//! What a well-formed text must say to be a position of the game.

use senet_core::notation::PositionError;
use senet_core::{KindId, PlayerId, Setup, State, TileId};

use crate::fen::Reader;
use crate::notation::Captures;

/// The kind of reason for a king that could be taken at once. A game that names a requirement so
/// is asked instead: in a variant, being attacked may mean something else.
const IN_CHECK: &str = "side not to move in check";

/// More pieces than this cannot give check by one move.
const MOST_CHECKERS: usize = 2;

impl Reader<'_> {
    /// The position, or every reason why it is none.
    pub(crate) fn finish(mut self) -> Result<State, PositionError> {
        self.kings();
        self.pawns();
        self.material();
        let state = self.state();
        match state {
            Some(state) if self.reasons.is_empty() => Ok(state),
            _ => Err(PositionError { reasons: self.reasons }),
        }
    }

    fn kings(&mut self) {
        let lexicon = self.lexicon;
        let exploded = lexicon.custom.captures == Captures::Many;
        for player in lexicon.players {
            let kings = self.places(player, lexicon.king);
            let name = lexicon.game.player_name(player);
            match kings.as_deref() {
                // Where captures explode, the king of the side to move may just have done so.
                Some([]) if exploded && self.player == Some(player) => {}
                Some([]) => self.mistake(0, "no king", &format!("{name} has no king")),
                Some([_, second, ..]) => {
                    let message = format!("{name} has more than one king");
                    self.mistake(*second, "too many kings", &message);
                }
                _ => {}
            }
        }
    }

    fn pawns(&mut self) {
        let lexicon = self.lexicon;
        let stands = self.pieces.iter().flatten().filter(|(stand, _)| stand.kind == lexicon.pawn);
        let ends = [0, lexicon.height - 1];
        let outside = stands.filter(|(stand, _)| ends.contains(&lexicon.square(stand.tile).rank));
        let outside: Vec<_> = outside.map(|(stand, at)| (stand.tile, *at)).collect();
        for (tile, at) in outside {
            let (name, last) = (lexicon.game.tile_name(tile), lexicon.height - 1);
            let message =
                format!("a pawn cannot stand on {name}: pawns stand on ranks 2 to {last}");
            self.mistake(at, "pawn on the last rank", &message);
        }
    }

    /// No side has more than at the start, counting a pawn for each piece beyond its number.
    fn material(&mut self) {
        let lexicon = self.lexicon;
        let game = lexicon.game;
        let start = game.start();
        let counts = |kind: KindId, player: PlayerId| lexicon.pieces(&start, player, kind).len();
        for player in lexicon.players {
            let Some(pawns) = self.places(player, lexicon.pawn) else { return };
            let most_pawns = counts(lexicon.pawn, player);
            let name = game.player_name(player);
            if let Some(&at) = pawns.get(most_pawns) {
                let message = format!("{name} has {} pawns, more than {most_pawns}", pawns.len());
                self.mistake(at, "too many pawns", &message);
            }
            let mut all = Vec::new();
            let mut promoted = Vec::new();
            for kind in game.kinds() {
                let places = self.places(player, kind).unwrap_or_default();
                if kind != lexicon.pawn && kind != lexicon.king {
                    promoted.extend(places.iter().skip(counts(kind, player)));
                }
                all.extend(places);
            }
            all.sort_unstable();
            let most = game.pieces().filter(|&piece| game.owner(piece) == player).count();
            if let Some(&at) = all.get(most) {
                let message = format!("{name} has {} pieces, more than {most}", all.len());
                self.mistake(at, "too many pieces", &message);
            }
            if let Some(&at) = promoted.get(most_pawns.saturating_sub(pawns.len())) {
                let gone = most_pawns.saturating_sub(pawns.len());
                let message = format!(
                    "{name} has {} promoted pieces, but only {gone} of its pawns are gone",
                    promoted.len()
                );
                self.mistake(at, "too many promoted pieces", &message);
            }
        }
    }

    /// The bytes at which a player's pieces of a kind stand, if the board is well formed.
    fn places(&self, player: PlayerId, kind: KindId) -> Option<Vec<usize>> {
        let meant = |(stand, _): &&(senet_core::setup::Stand, usize)| {
            stand.owner == player && stand.kind == kind
        };
        Some(self.pieces.as_ref()?.iter().filter(meant).map(|(_, at)| *at).collect())
    }

    /// The byte of the piece on a tile.
    fn place(&self, tile: TileId) -> usize {
        let mut pieces = self.pieces.iter().flatten();
        pieces.find(|(stand, _)| stand.tile == tile).map_or(0, |(_, at)| *at)
    }

    /// Asks the game. Where something is wrong already, it is asked about the pieces alone, so
    /// that what it finds wrong with them is told too.
    fn state(&mut self) -> Option<State> {
        let (player, pieces) = (self.player?, self.pieces.as_ref()?);
        let mut setup = Setup::empty(player);
        setup.pieces = pieces.iter().map(|(stand, _)| *stand).collect();
        if self.reasons.is_empty() {
            setup.variables.clone_from(&self.variables);
        } else {
            setup.pieces.iter_mut().for_each(|stand| stand.flags = 0);
        }
        match self.lexicon.game.state(&setup) {
            Ok(state) => {
                self.in_check(&state, player);
                Some(state)
            }
            Err(errors) => {
                let known: Vec<String> = self.reasons.iter().map(|one| one.kind.clone()).collect();
                let reasons = PositionError::of_setup(self.lexicon.game, &errors).reasons;
                self.reasons.extend(reasons.into_iter().filter(|one| !known.contains(&one.kind)));
                None
            }
        }
    }

    fn in_check(&mut self, state: &State, player: PlayerId) {
        let game = self.lexicon.game;
        let foe = self.lexicon.foe(player);
        let asked = game.definition().requirements.iter().any(|one| one.name == IN_CHECK);
        if !asked && let Some(king) = self.lexicon.checked(state, foe) {
            let (name, tile) = (game.player_name(player), game.tile_name(king));
            let message = format!("the king on {tile} is in check, and it is {name}'s turn");
            self.mistake(self.place(king), IN_CHECK, &message);
        }
        if self.lexicon.custom.captures == Captures::Many {
            return;
        }
        for king in game.threatened_royals(state, player).iter() {
            let checkers: Vec<TileId> = game.attackers(state, king, foe).iter().collect();
            let possible = match checkers[..] {
                [one, two] => !self.in_line(king, one, two),
                _ => checkers.len() <= MOST_CHECKERS,
            };
            if !possible || self.check_before_the_double_step(player) {
                let message = format!(
                    "no last move can have given the check to the king on {}",
                    game.tile_name(king)
                );
                self.mistake(self.place(king), "impossible check", &message);
            }
        }
    }

    /// Whether two pieces look at a king along the same row, column or diagonal.
    fn in_line(&self, king: TileId, one: TileId, two: TileId) -> bool {
        let king = self.lexicon.square(king);
        let from_king = |tile| {
            let square = self.lexicon.square(tile);
            let steps = |from: u8, to: u8| i16::from(to) - i16::from(from);
            (steps(king.file, square.file), steps(king.rank, square.rank))
        };
        let ((x, y), (u, v)) = (from_king(one), from_king(two));
        let straight = x == 0 || y == 0 || x.abs() == y.abs();
        straight && x * v == y * u
    }

    /// Whether the king was attacked already before the pawn stepped that can be taken in passing.
    fn check_before_the_double_step(&self, player: PlayerId) -> bool {
        let lexicon = self.lexicon;
        let mut setup = Setup::empty(player);
        setup.pieces = self.pieces.iter().flatten().map(|(stand, _)| *stand).collect();
        let passing = 1 << lexicon.passing.index();
        let Some(pawn) = setup.pieces.iter_mut().find(|stand| stand.flags & passing > 0) else {
            return false;
        };
        let start = lexicon.tile(lexicon.square(pawn.tile).file, lexicon.rank(pawn.owner, 1));
        pawn.tile = start.unwrap_or(pawn.tile);
        setup.pieces.iter_mut().for_each(|stand| stand.flags = 0);
        let before = lexicon.game.state(&setup);
        before.is_ok_and(|state| !lexicon.game.threatened_royals(&state, player).is_empty())
    }
}
