//! A custom game in 60 lines: hexapawn is written as data, printed as JSON that `senet play` takes,
//! and solved by an opponent that was never told about it.
//!
//! ```sh
//! cargo run --release --example custom_game
//! cargo run --release --example custom_game -- --json > hexapawn.json
//! cargo run --release -- play hexapawn.json --bot search
//! ```

use senet::bots::Limit;
use senet::define::builder::{NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST};
use senet::define::{
    Builder, Definition, Effect, Ending, Grid, Movement, Pattern, Phase, Player, Rule, Seat, Set,
    Truth,
};
use senet::{Game, Match};

/// Three pawns a side step ahead or take aslant. To arrive wins; so does to leave the other no move.
fn hexapawn() -> Definition {
    let player = |name: &str, [ahead, one, two]: [&str; 3]| {
        Player::new(name).facing("ahead", ahead).facing("aslant", one).facing("askew", two)
    };
    let ends = |rule: Rule| rule.then(Effect::Turn(Seat::Next));
    let step = Movement::any().by(Pattern::step("ahead")).onto(Set::Empty);
    let takes = Movement::any().by(Pattern::steps(&["aslant", "askew"]));
    let arrived = (Set::region("far") & Set::own()).any();
    Builder::new("hexapawn")
        .player(player("white", [NORTH, NORTH_EAST, NORTH_WEST]))
        .player(player("black", [SOUTH, SOUTH_EAST, SOUTH_WEST]))
        .board(Grid::new(3, 3).eight())
        .region_of("white", "far", ["a3", "b3", "c3"])
        .region_of("black", "far", ["a1", "b1", "c1"])
        .kind("pawn")
        .pieces_on("white", "pawn", ["a1", "b1", "c1"])
        .pieces_on("black", "pawn", ["a3", "b3", "c3"])
        .phase(
            Phase::leaf("play")
                .rule(ends(Rule::moves("step", step)))
                .rule(ends(Rule::moves("take", takes.onto(Set::foe())))),
        )
        .ending(Ending::win("arrived", Seat::Mover).of_each().when(arrived))
        .ending(Ending::win("stuck", Seat::Previous).when(Truth::Stuck))
        .build()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().any(|argument| argument == "--json") {
        println!("{}", serde_json::to_string_pretty(&hexapawn())?);
        return Ok(());
    }
    let game = Game::compile(hexapawn())?;
    let start = game.start();
    println!("{}", start.draw());
    let thought = game.search().think(&Match::new(&game), &Limit::NONE, &[], &mut |_| ())?;
    let thought = thought.expect("something is legal");
    let line = thought.line.iter().map(|event| start.format(*event));
    println!("best play: {}", line.collect::<Vec<_>>().join(" "));
    println!(
        "white {} in {} moves",
        if thought.value > 0 { "wins" } else { "loses" },
        thought.line.len()
    );
    Ok(())
}
