//! A bot duel: a search of two turns against a tree of 200 playouts, one game of backgammon.
//!
//! ```sh
//! cargo run --release --example bot_duel
//! ```

use senet_bots::{Limit, Moment, Spec, Weights};
use senet_chance::Source;
use senet_core::Match;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let entry = senet_registry::find("backgammon")?;
    let (game, notation) = (entry.game(), entry.notation);
    let weights = senet_registry::weights(entry.name).map(Weights::parse).transpose()?;
    let specs: [Spec; 2] = ["search:1".parse()?, "mcts:200".parse()?];
    let mut bots =
        [specs[0].bot(&game, weights.as_ref(), 1)?, specs[1].bot(&game, weights.as_ref(), 2)?];
    let mut dice = Source::seeded(3);
    let mut played = Match::new(game.clone());
    while played.outcome().is_none() {
        let state = played.state();
        let player = game.view(state).player();
        let event = match dice.draw(&game, state) {
            Some(roll) => roll,
            None => {
                let thought = bots[player.index()].choose(&Moment::of(state), &Limit::NONE);
                thought.expect("play goes on").event
            }
        };
        println!("{}: {}", game.player_name(player), notation.notate(&game, state, event));
        played.apply(event)?;
    }
    let outcome = played.outcome().expect("the game is over");
    let winner = outcome.winner.expect("backgammon has no draws");
    println!("{}", notation.draw(&game, played.state()));
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
