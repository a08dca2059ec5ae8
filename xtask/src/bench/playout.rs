//! Games played at random, by us and by OpenSpiel.

use senet_chance::{Source, finish, playout};
use senet_core::{Event, Game};

use super::Setting;
use super::clock::Clock;
use super::contest::{Contest, Work};
use super::finding::Findings;
use super::peer::{self, Shared};
use crate::native;

/// What is counted of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Every event.
    Event,
    /// A turn: what follows a throw of dice.
    Turn,
}

/// The most events of a game. One that has more does not end.
const LIMIT: usize = 100_000;

/// Plays `games` games for each repetition. The same games are played in every round, and they
/// must have the same length.
pub(super) fn ours(
    game: &Game,
    games: u64,
    unit: Unit,
) -> impl FnMut(u64) -> Result<Work, String> + '_ {
    let mut walker = game.walker();
    // Machine code is made for the first games.
    for number in 0..16 {
        finish(&mut walker, &game.start(), &mut Source::for_game(1, number), LIMIT);
    }
    // The numbers of games that end, as almost all do, and how long they are.
    let mut known: Vec<(u64, usize)> = Vec::new();
    let mut numbers = 0..;
    move |times| {
        // What a game has of a unit is counted once, event by event, beside the clock.
        while (known.len() as u64) < games * times {
            let number = numbers.next().unwrap_or_default();
            let played = playout(game, &game.start(), &mut Source::for_game(1, number), LIMIT);
            if played.outcome.is_none() {
                continue;
            }
            known.push(match unit {
                Unit::Event => (number, played.events.len()),
                Unit::Turn => (number, played.events.iter().filter(is_roll).count()),
            });
        }
        let clock = Clock::start();
        let mut units = 0;
        for &(number, known) in &known[..(games * times) as usize] {
            let mut source = Source::for_game(1, number);
            let played = finish(&mut walker, &game.start(), &mut source, LIMIT);
            if played.outcome.is_none() || unit == Unit::Event && played.events != known {
                return Err(format!("game {number} did not end as it did before"));
            }
            units += known;
        }
        let seconds = clock.seconds();
        Ok(Work { units: units as f64, seconds })
    }
}

fn is_roll(event: &&Event) -> bool {
    matches!(event, Event::Roll(_))
}

/// A game of OpenSpiel, with the length that its random games have.
#[derive(Clone)]
pub(super) struct OpenSpiel {
    peer: Shared,
    name: &'static str,
    /// Plies of a game on average.
    plies: f64,
    /// Throws of dice in a game on average.
    turns: f64,
}

/// How many games tell how long a game is.
const SAMPLE: f64 = 300.0;

impl OpenSpiel {
    /// Measures how long games are.
    pub(super) fn new(peer: Shared, name: &'static str) -> Result<OpenSpiel, String> {
        let (plies, turns) = peer::ask(&peer, &format!("length {name} {SAMPLE} 1"))?;
        Ok(OpenSpiel { peer, name, plies: plies as f64 / SAMPLE, turns: turns / SAMPLE })
    }

    /// Plays games in C++; what is counted are plies, or turns in a game of dice.
    pub(super) fn rollout(&self, games: u64) -> Result<Work, String> {
        let question = format!("rollout {} {games} 1", self.name);
        let (games, seconds) = peer::ask(&self.peer, &question)?;
        // Half of the games begin a ply later.
        let length = if self.turns > 0.0 { self.turns } else { self.plies - 0.5 };
        Ok(Work { units: games as f64 * length, seconds })
    }
}

/// A game that OpenSpiel has too.
struct Known {
    /// The name of the row, which is that of the game unless it has an option.
    game: &'static str,
    option: Option<(&'static str, &'static str, i64)>,
    theirs: &'static str,
    /// How many games are played at a time, by us and by them.
    games: (u64, u64),
    /// How many events a move is, here and there.
    events: (u32, u32),
}

const fn known(game: &'static str, theirs: &'static str, ours: u64, others: u64) -> Known {
    Known { game, option: None, theirs, games: (ours, others), events: (1, 1) }
}

/// Games of which random games have the same rules and about the same length here and there.
const KNOWN: &[Known] = &[
    known("tic-tac-toe", "tic_tac_toe", 1000, 2000),
    known("connect-four", "connect_four", 1000, 500),
    known("othello", "othello", 100, 20),
    known("hex", "hex(board_size=11)", 200, 50),
    // A queen and its target are two events there and one here.
    Known { events: (2, 3), ..known("amazons", "amazons", 50, 4) },
    known("lines-of-action", "lines_of_action", 50, 4),
    known("oware", "oware", 50, 50),
    Known { option: Some(("go", "size", 9)), ..known("go-9", "go(board_size=9)", 20, 10) },
];

/// Games that OpenSpiel has too.
pub(super) fn shared(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    for known in KNOWN {
        let game = match known.option {
            Some((file, option, value)) => native::game_with(file, (option, value)),
            None => native::game(known.game),
        };
        let other = setting.peers.open_spiel().and_then(|peer| OpenSpiel::new(peer, known.theirs));
        let moves =
            |work: Work, events: u32| Work { units: work.units / f64::from(events), ..work };
        let mut ours = ours(&game, known.games.0, Unit::Event);
        let contest = Contest::new(|times| Ok(moves(ours(times)?, known.events.0)))
            .against("openspiel", |times| {
                Ok(moves(other.clone()?.rollout(known.games.1 * times)?, known.events.1))
            });
        let standings = contest.hold(setting.rounds);
        findings.contest(&format!("{}/playout", known.game), &standings);
    }
    findings
}

/// The names of the rows of games that OpenSpiel has too.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = String> {
    KNOWN.iter().map(|known| format!("{}/playout", known.game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_games_are_played_in_every_round() {
        let game = senet_registry::find("tic-tac-toe").ok().unwrap().game();
        let mut run = ours(&game, 10, Unit::Event);
        let (one, two) = (run(1).unwrap().units, run(1).unwrap().units);
        assert_eq!(one, two);
        assert!((50.0..=90.0).contains(&one), "{one}");
    }

    #[test]
    fn a_game_without_dice_has_no_turns() {
        let game = senet_registry::find("tic-tac-toe").ok().unwrap().game();
        assert_eq!(ours(&game, 10, Unit::Turn)(1).unwrap().units, 0.0);
    }
}
