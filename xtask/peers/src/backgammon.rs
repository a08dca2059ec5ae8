//! bkgm.

use bkgm::dice::ALL_21;
use bkgm::dice_gen::{DiceGen, FastrandDice};
use bkgm::variants::BACKGAMMON;
use bkgm::{ClassicRules, GameState, Position, PositionRules, State};

/// The distinct results of `depth` turns, over all twenty-one rolls.
pub(crate) fn turns(depth: u64) -> u64 {
    below(BACKGAMMON, depth)
}

fn below(position: Position<15>, depth: u64) -> u64 {
    let results = ALL_21.iter().map(|(dice, _)| {
        let after = <ClassicRules as PositionRules<15>>::legal_positions(position, dice);
        match depth {
            0 | 1 => after.len() as u64,
            _ => after.into_iter().map(|next| below(next, depth - 1)).sum(),
        }
    });
    results.sum()
}

/// Plays games at random and says how many turns were played.
pub(crate) fn playouts(games: u64, seed: u64) -> u64 {
    let mut dice = FastrandDice::with_seed(seed);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut turns = 0;
    for _ in 0..games {
        let mut position = BACKGAMMON;
        let mut roll = dice.roll_mixed();
        while let GameState::Ongoing = position.game_state() {
            let after = <ClassicRules as PositionRules<15>>::legal_positions(position, &roll);
            position = after[random.usize(..after.len())];
            roll = dice.roll();
            turns += 1;
        }
    }
    turns
}
