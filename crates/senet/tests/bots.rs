//! Opponents as the facade gives them.

#![cfg(feature = "bots")]

use senet::Match;
use senet::bots::Limit;

#[test]
fn every_opponent_plays_where_the_other_king_is_not_seen() {
    let game = senet::load("dark-chess").unwrap();
    for spec in ["random", "mcts:20", "search:1"] {
        let mut bot = game.bot(spec.parse().unwrap(), 1);
        let mut played = Match::new(&game);
        for _ in 0..4 {
            let thought = bot.choose(&played, &Limit::NONE).unwrap();
            played.apply(thought.expect("much is legal").event).unwrap();
        }
    }
}
