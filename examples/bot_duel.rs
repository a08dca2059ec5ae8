//! A bot duel: a search of two turns against a tree of 200 playouts, one game of backgammon.
//!
//! ```sh
//! cargo run --release --example bot_duel
//! ```

use senet::Match;
use senet::bots::{Limit, Spec};
use senet::chance::Source;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = senet::load("backgammon")?;
    let specs: [Spec; 2] = ["search:1".parse()?, "mcts:200".parse()?];
    let mut bots = [game.bot(specs[0], 1), game.bot(specs[1], 2)];
    let mut dice = Source::seeded(3);
    let mut played = Match::new(&game);
    while played.outcome().is_none() {
        let position = played.position();
        let player = position.player();
        let event = match dice.draw(&position) {
            Some(roll) => roll,
            None => {
                let thought = bots[player.index()].choose(&played, &Limit::NONE)?;
                thought.expect("play goes on").event
            }
        };
        println!("{}: {}", game.player_name(player), position.notate(event));
        played.apply(event)?;
    }
    let outcome = played.outcome().expect("the game is over");
    let winner = outcome.winner.expect("backgammon has no draws");
    println!("{}", played.position().draw());
    println!(
        "{} wins {} by {}: {} against {}",
        game.player_name(winner),
        outcome.scores[winner.index()],
        game.ending_name(outcome.ending),
        specs[winner.index()],
        specs[1 - winner.index()],
    );
    Ok(())
}
