//! What a well-formed text must say to be a position of the game.

use senet_core::{KindId, PlayerId, PositionError, Setup, State, TileId};

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
            let allowed = format!("one king of {name}");
            match kings.as_deref() {
                // Where captures explode, the king of the side to move may just have done so.
                Some([]) if exploded && self.player == Some(player) => {}
                Some([]) => self.wrong(0, "no king", "none", &allowed),
                Some([_, second, ..]) => self.wrong(*second, "too many kings", "another", &allowed),
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
            let allowed = format!("a pawn on rank 2 to {}", lexicon.height - 1);
            let what = format!("a pawn on {}", lexicon.game.tile_name(tile));
            self.wrong(at, "pawn on the last rank", &what, &allowed);
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
                let allowed = format!("{most_pawns} pawns of {name}");
                self.wrong(at, "too many pawns", &pawns.len().to_string(), &allowed);
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
                let allowed = format!("{most} pieces of {name}");
                self.wrong(at, "too many pieces", &all.len().to_string(), &allowed);
            }
            if let Some(&at) = promoted.get(most_pawns.saturating_sub(pawns.len())) {
                let what = format!("{} beside {} pawns", promoted.len(), pawns.len());
                let allowed = format!("a pawn of {name} less for each piece beyond the start");
                self.wrong(at, "too many promoted pieces", &what, &allowed);
            }
        }
    }

    /// The bytes at which a player's pieces of a kind stand, if the board is well formed.
    fn places(&self, player: PlayerId, kind: KindId) -> Option<Vec<usize>> {
        let meant =
            |(stand, _): &&(senet_core::Stand, usize)| stand.owner == player && stand.kind == kind;
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
            let what = format!("the king on {} in check", game.tile_name(king));
            self.wrong(self.place(king), IN_CHECK, &what, "a check of the side to move only");
        }
        if self.lexicon.custom.captures == Captures::Many {
            return;
        }
        for king in game.threatened_royals(state, player).iter() {
            let checkers: Vec<TileId> = game.attackers(state, king, foe).iter().collect();
            let what = format!("{} pieces that give check", checkers.len());
            let possible = match checkers[..] {
                [one, two] => !self.in_line(king, one, two),
                _ => checkers.len() <= MOST_CHECKERS,
            };
            if !possible || self.check_before_the_double_step(player) {
                let allowed = "a check that the last move could give";
                self.wrong(self.place(king), "impossible check", &what, allowed);
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
