//! Analysing a PGN: every move of every game is searched, and those that lose a pawn or more are
//! told. Without a file, the game is one that Morphy won in 1858.
//!
//! ```sh
//! cargo run --release --example pgn_analysis -- games.pgn
//! ```

use std::fs;

use senet::bots::{Limit, Search};
use senet::notation::{self, pgn};
use senet::{Event, Match, Position};

const OPERA: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 \
    8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 \
    15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::env::args().nth(1).map_or(Ok(OPERA.to_owned()), fs::read_to_string)?;
    let games = notation::pgn_games();
    let rules = notation::pgn_rules(&games[..1]);
    let game = &games[0].0;
    let search = game.search();
    let mut reader = pgn::Reader::new(text.as_bytes(), "the games", &rules);
    while let Some(record) = reader.next_record() {
        let record = record?;
        let mut now = game.at(&record.start)?;
        for (ply, event) in record.tree.main_line().into_iter().enumerate() {
            let after = now.apply(event)?.position;
            let best = value(&search, &now).unwrap_or_default();
            let played = value(&search, &after).map_or(best.0, |(value, _)| -value);
            let lost = best.0 - played;
            if lost >= 100 {
                let name = |event| now.notate(event);
                let better = best.1.map(name).unwrap_or_default();
                let number = ply / 2 + 1;
                let dots = if ply % 2 == 0 { "." } else { "..." };
                println!("{number}{dots} {} loses {lost}: better is {better}", name(event));
            }
            now = after;
        }
        println!("{} {}", ending(&now), record.result.text());
    }
    Ok(())
}

/// What a position is worth to the player to move, and what to play; none where the game is over.
fn value(search: &Search, position: &Position) -> Option<(i32, Option<Event>)> {
    let played = Match::at(position.clone());
    let thought = search.think(&played, &Limit::nodes(20_000), &[], &mut |_| ()).ok()??;
    Some((thought.value.clamp(-2_000, 2_000), Some(thought.event)))
}

fn ending(position: &Position) -> String {
    let name = |ending| position.game().ending_name(ending).to_owned();
    position.outcome().map_or("unfinished".into(), |outcome| name(outcome.ending))
}
