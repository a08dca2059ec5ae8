//! Positions and games to compare: random ones of several tempers, and those written by hand.

use senet_chance::Source;
use senet_core::{Event, Game, State};
use senet_registry::chess::chess960;

use super::Edition;

/// What a random player likes; half of the time he does anything.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Temper {
    Any,
    Capture,
    /// Moves pawns, for en passant and promotion.
    Pawn,
    /// Takes moves back, for repetition.
    Shuffle,
}

/// Tempers by which positions are reached.
pub(super) const TEMPERS: [Temper; 3] = [Temper::Any, Temper::Capture, Temper::Pawn];

/// A start of an edition: random where the game has many.
pub(super) fn start(edition: &Edition, source: &mut Source) -> State {
    if edition.name != "chess960" {
        return edition.game.start();
    }
    let mut rank = || -> String {
        let number = source.below(960) as u16;
        let kinds = chess960::rank(number).expect("a number below 960");
        kinds
            .map(|kind| if kind == "knight" { 'n' } else { kind.as_bytes()[0].into() })
            .iter()
            .collect()
    };
    let (white, black) = (rank().to_uppercase(), rank());
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    edition.notation.parse_position(&edition.game, &fen).expect("a start of Chess960")
}

/// Chooses a move by temper; `last` is the player's own last move.
pub(super) fn choose(
    game: &Game,
    state: &State,
    temper: Temper,
    last: Option<Event>,
    source: &mut Source,
) -> Option<Event> {
    let legal = game.legal(state);
    let view = game.view(state);
    let likes = |event: &Event| match (temper, *event) {
        (Temper::Capture, Event::Move { to, .. }) => view.owner_at(to).is_some(),
        (Temper::Pawn, Event::Move { from, .. }) => {
            view.kind_at(from).is_some_and(|kind| game.kind_name(kind) == "pawn")
        }
        (Temper::Shuffle, Event::Move { from, to, .. }) => last == Some(Event::step(to, from)),
        _ => false,
    };
    let liked: Vec<Event> = legal.iter().copied().filter(likes).collect();
    let heeded = if temper == Temper::Shuffle { source.below(6) > 0 } else { source.below(2) > 0 };
    let liked = source.pick(&liked).filter(|_| heeded);
    liked.or_else(|| source.pick(&legal))
}

/// The positions of an edition that are written by hand.
pub(super) fn specials(edition: &Edition) -> Vec<State> {
    let mut name = "";
    let mut states = Vec::new();
    for line in include_str!("special.txt").lines() {
        match line {
            "" => {}
            _ if line.starts_with('#') => {}
            _ if !line.contains(' ') => name = line,
            _ if name != edition.name => {}
            _ => match edition.notation.parse_position(&edition.game, line) {
                Ok(state) => states.push(state),
                Err(error) => panic!("{name}: {line}: {error}"),
            },
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::editions;

    #[test]
    fn every_position_written_by_hand_is_one_of_its_game() {
        let counts: Vec<usize> = editions().iter().map(|edition| specials(edition).len()).collect();
        let lines = include_str!("special.txt").lines();
        let lines = lines.filter(|line| line.contains(' ') && !line.starts_with('#')).count();
        assert_eq!(counts.iter().sum::<usize>(), lines);
        assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
    }
}
