//! What was played from a position in the matches of a server that are over, and how they ended.

use std::collections::{BTreeMap, BTreeSet};

use senet::{Event, Position};
use serde::Serialize;

use crate::table::{Table, hash_of};

/// How many events of each match are kept for the table.
const MOST: usize = 60;

/// The beginning of a match that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The hash of the game's definition.
    pub definition: String,
    /// Positions by their hash, and what was played there in the plain notation; each once.
    pub moves: BTreeSet<(String, String)>,
    /// Who won; none of a draw.
    pub winner: Option<usize>,
}

impl Line {
    /// The line of a match that has come to its end; none of a game with secrets, of a match that
    /// did not begin, and of one that was abandoned.
    pub fn of(table: &Table) -> Option<Line> {
        let winner = match (&table.closed, &table.outcome) {
            (Some((_, Some(winner))), _) => Some(*winner),
            (None, Some(outcome)) => outcome.winner.map(senet::PlayerId::index),
            _ => return None,
        };
        if table.game().has_secrets() || table.moves.is_empty() {
            return None;
        }
        let mut before = table.played.start();
        let mut moves = BTreeSet::new();
        for (step, after) in table.played.steps().into_iter().take(MOST) {
            // What dice show is nobody's choice.
            if !matches!(step.event, Event::Roll(_)) {
                moves.insert((hash_of(&before), before.plain().format(step.event)));
            }
            before = after;
        }
        Some(Line { definition: table.header.definition.clone(), moves, winner })
    }
}

/// How often an event was played, and how the matches ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Known {
    /// The event, as programs write it.
    pub event: String,
    /// The event, as people write it.
    pub notation: String,
    /// In how many matches it was played.
    pub count: i64,
    /// How many of them each player won.
    pub wins: Vec<i64>,
    /// How many of them were drawn.
    pub draws: i64,
}

/// The table of a position, of rows with an event, who won and how often; the most frequent first.
pub fn table(position: &Position, rows: Vec<(String, i64, i64)>) -> Vec<Known> {
    let players = position.game().players().count();
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for (text, winner, count) in rows {
        let Ok(event) = position.plain().parse_event(&text) else { continue };
        let one = known.entry(text).or_insert_with(|| Known {
            event: position.format(event),
            notation: position.notate(event),
            count: 0,
            wins: vec![0; players],
            draws: 0,
        });
        one.count += count;
        match usize::try_from(winner).ok().and_then(|winner| one.wins.get_mut(winner)) {
            Some(wins) => *wins += count,
            None => one.draws += count,
        }
    }
    let mut known: Vec<Known> = known.into_values().collect();
    known.sort_by_key(|one| std::cmp::Reverse(one.count));
    known
}
