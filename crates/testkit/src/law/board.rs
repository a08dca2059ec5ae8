//! Laws about states: hashes, differences, and facts that are kept twice.

use senet_core::{Game, PieceState, Setup, State};

use crate::case::Case;

/// The hash that is kept step by step is the hash from nothing, and 64 bits are its lower half.
pub fn incremental_hash_equals_full_hash(case: &Case) {
    for state in case.walks().flat_map(|walk| walk.states) {
        assert_eq!(state.hash128(), case.game.full_hash(&state), "{}", case.game.name());
        assert_eq!(state.hash(), state.hash128() as u64);
        let again = case.game.state(&Setup::of(&case.game, &state)).expect("a state is a setup");
        assert_eq!(again, state, "{}: a setup of a state is that state", case.game.name());
        assert_eq!(again.hash128(), state.hash128());
    }
}

/// Two states differ exactly where a difference is listed, and every step makes one.
pub fn diff_is_empty_between_equals_only(case: &Case) {
    let game = &case.game;
    for walk in case.walks() {
        for pair in walk.states.windows(2) {
            let changes = game.diff(&pair[0], &pair[1]);
            assert!(!changes.is_empty(), "{}: an event that changes nothing", game.name());
            let back = game.diff(&pair[1], &pair[0]);
            assert_eq!(back.len(), changes.len(), "{}", game.name());
            for change in changes {
                serde_json::to_string(&game.name_change(change)).expect("a change has a name");
            }
        }
    }
    let states = case.states(3_000);
    for one in &states {
        for two in &states {
            assert_eq!(game.diff(one, two).is_empty(), one == two, "{}", game.name());
        }
    }
}

/// Every piece stands on the tile that lists it, and every tile lists what stands on it.
pub fn pieces_agree_with_tiles(case: &Case) {
    let game = &case.game;
    for state in case.states(500) {
        check_pieces(game, &state);
    }
}

pub(super) fn check_pieces(game: &Game, state: &State) {
    let view = game.view(state);
    for piece in game.pieces() {
        let Some(tile) = view.piece(piece).tile else { continue };
        assert!(view.pieces_at(tile).any(|one| one == piece), "{}", game.piece_name(piece));
    }
    for tile in game.tiles() {
        let here: Vec<_> = view.pieces_at(tile).collect();
        assert!(here.iter().all(|&piece| view.piece(piece).tile == Some(tile)));
        assert_eq!(view.first_at(tile), here.first().copied());
        assert!(game.stacks(tile) || here.len() < 2, "{} is crowded", game.tile_name(tile));
        let counts = game.players().map(|player| view.count_of(tile, player));
        assert_eq!(counts.sum::<usize>(), here.len(), "{}", game.tile_name(tile));
    }
}

/// The planes of owners, kinds and flags say what the pieces say, and those of marks what each
/// tile says.
pub fn planes_agree_with_pieces(case: &Case) {
    for state in case.states(500) {
        check_planes(&case.game, &state);
    }
}

pub(super) fn check_planes(game: &Game, state: &State) {
    let view = game.view(state);
    for tile in game.tiles() {
        let here: Vec<PieceState> = view.pieces_at(tile).map(|piece| view.piece(piece)).collect();
        let told = game.tile_name(tile);
        for player in game.players() {
            let owns = here.iter().any(|piece| piece.owner == player);
            assert_eq!(view.owned(player).contains(tile), owns, "{told}");
            assert_eq!(view.is_owned(tile, player), owns, "{told}");
            for kind in game.kinds() {
                let like = |one: &&PieceState| (one.owner, one.kind) == (player, kind);
                assert_eq!(view.count(tile, player, kind), here.iter().filter(like).count());
            }
        }
        for kind in game.kinds() {
            let stands = here.iter().any(|piece| piece.kind == kind);
            assert_eq!(view.of_kind(kind).contains(tile), stands, "{told}");
        }
        for flag in game.flags() {
            let carries = here.iter().any(|piece| piece.has(flag));
            assert_eq!(view.flagged(flag).contains(tile), carries, "{told}");
        }
        for mark in game.marks() {
            assert_eq!(view.marked(mark).contains(tile), view.is_marked(tile, mark), "{told}");
        }
        assert_eq!(view.occupied().contains(tile), !here.is_empty(), "{told}");
        assert_eq!(view.owner_at(tile).is_some(), !here.is_empty(), "{told}");
    }
}
