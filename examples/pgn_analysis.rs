//! Analysing a PGN: every move of every game is searched, and those that lose a pawn or more are
//! told. Without a file, the game is one that Morphy won in 1858.
//!
//! ```sh
//! cargo run --release --example pgn_analysis -- games.pgn
//! ```

use std::fs;

use senet_bots::{Limit, Moment, Search, Weights};
use senet_core::{Game, Notation, State};
use senet_registry::chess::{self, pgn};

const OPERA: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 \
    8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 \
    15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).map_or(Ok(OPERA.to_owned()), fs::read_to_string)?;
    let game = std::sync::Arc::new(chess::game());
    let search = Search::new(game.clone(), Some(&Weights::parse(chess::WEIGHTS)?))?;
    let rules = pgn::Rules::new(&game, &chess::NOTATION);
    let mut reader = pgn::Reader::new(text.as_bytes(), "the games", &rules);
    while let Some(record) = reader.next_record() {
        let record = record?;
        let mut state = record.start.clone();
        for (ply, event) in record.tree.main_line().into_iter().enumerate() {
            let after = game.apply(&state, event)?.state;
            let best = value(&search, &state).unwrap_or_default();
            let played = value(&search, &after).map_or(best.0, |(value, _)| -value);
            let lost = best.0 - played;
            if lost >= 100 {
                let name = |event| chess::NOTATION.notate(&game, &state, event);
                let better = best.1.map(name).unwrap_or_default();
                let number = ply / 2 + 1;
                let dots = if ply % 2 == 0 { "." } else { "..." };
                println!("{number}{dots} {} loses {lost}: better is {better}", name(event));
            }
            state = after;
        }
        println!("{} {}", ending(&game, &state), record.result.text());
    }
    Ok(())
}

/// What a position is worth to the player to move, and what to play; none where the game is over.
fn value(search: &Search, state: &State) -> Option<(i32, Option<senet_core::Event>)> {
    let thought = search.think(&Moment::of(state), &Limit::nodes(20_000), &[], &mut |_| ())?;
    Some((thought.value.clamp(-2_000, 2_000), Some(thought.event)))
}

fn ending(game: &Game, state: &State) -> String {
    let outcome = game.outcome(state);
    outcome.map_or("unfinished".into(), |outcome| game.ending_name(outcome.ending).to_owned())
}
