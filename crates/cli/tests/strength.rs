//! How strong the opponents are at the least. `cargo xtask strength` asks for more.

use senet::bots::{Bot, Limit, Spec};
use senet::chance::Source;
use senet::{Game, Match, Position};

fn bot(game: &Game, spec: &str, seed: u64) -> Bot {
    let spec: Spec = spec.parse().expect(spec);
    game.bot(spec, seed)
}

/// What the first opponent gets from a match with the second, who has the other side.
fn duel(game: &Game, specs: [&str; 2], side: usize, seed: u64) -> i64 {
    let mut bots = [bot(game, specs[0], seed), bot(game, specs[1], seed + 1)];
    let mut chance = Source::seeded(seed);
    let mut played = Match::new(game);
    while played.outcome().is_none() && played.ply() < 2_000 {
        let position = played.position();
        let event = chance.draw(&position).or_else(|| {
            let seat = (position.player().index() + side) % 2;
            let thought = bots[seat].choose(&played, &Limit::NONE).expect("it is of this game");
            thought.map(|thought| thought.event)
        });
        played.apply(event.expect("play goes on")).expect("opponents play by the rules");
    }
    played.outcome().map_or(0, |outcome| outcome.scores[side])
}

/// Plays against every reply there is, and counts the games that were lost.
fn losses(bot: &mut Bot, position: &Position, side: usize) -> u64 {
    if let Some(outcome) = position.outcome() {
        return u64::from(outcome.scores[side] < 0);
    }
    let mut choose = || {
        let thought = bot.choose(&Match::at(position.clone()), &Limit::NONE);
        thought.expect("it is of this game").expect("play goes on").event
    };
    let events = match position.player().index() == side {
        true => vec![choose()],
        false => position.legal(),
    };
    let after = |event| position.apply(event).expect("it is legal").position;
    events.into_iter().map(|event| losses(bot, &after(event), side)).sum()
}

#[test]
fn tic_tac_toe_is_never_lost_whatever_the_other_plays() {
    let game = senet::load("tic-tac-toe").unwrap();
    for spec in ["search:9", "search@8", "mcts:2000"] {
        for side in [0, 1] {
            let lost = losses(&mut bot(&game, spec, 1), &game.start(), side);
            assert_eq!(lost, 0, "{spec} as player {side}");
        }
    }
}

#[test]
fn chess_search_beats_random_from_both_sides() {
    let game = senet::load("chess").unwrap();
    for number in 0..4 {
        let points = duel(&game, ["search:3", "random"], number % 2, 10 + number as u64);
        assert_eq!(points, 1, "game {number}");
    }
}

#[test]
fn backgammon_search_beats_random_by_more_than_a_point_a_game() {
    let game = senet::load("backgammon").unwrap();
    let games = 40_usize;
    let play = |number: usize| duel(&game, ["search:1", "random"], number % 2, 7 * number as u64);
    let points: i64 = (0..games).map(play).sum();
    assert!(points > games as i64, "{points} points in {games} games");
}

const MATES: &str = include_str!("data/mate-in-two.txt");

/// Whether the player to move can mate in `moves` moves, by trying everything.
fn mates_in(position: &Position, moves: u32) -> bool {
    position.legal().into_iter().any(|event| {
        let after = position.apply(event).expect("it is legal").position;
        let replies = after.legal();
        if replies.is_empty() {
            return after.outcome().is_some_and(|outcome| outcome.winner.is_some());
        }
        let reply = |event| after.apply(event).expect("it is legal").position;
        moves > 1 && replies.into_iter().all(|event| mates_in(&reply(event), moves - 1))
    })
}

#[test]
fn twenty_mates_in_two_are_found_and_are_mates_in_two() {
    let game = senet::load("chess").unwrap();
    let problems = MATES.lines().filter(|line| !line.starts_with('#'));
    let problems: Vec<(&str, &str)> = problems.filter_map(|line| line.split_once(" ; ")).collect();
    assert_eq!(problems.len(), 20);
    for (fen, source) in problems {
        let position = game.position(fen).expect(source);
        assert!(!mates_in(&position, 1), "{source}: mate in one");
        assert!(mates_in(&position, 2), "{source}: no mate in two");
        let (search, played) = (game.search(), Match::at(position.clone()));
        let thought = search.think(&played, &Limit::depth(5), &[], &mut |_| ());
        let thought = thought.expect("it is of this game").expect("play goes on");
        assert_eq!(thought.end_in(), Some(3), "{source}: {thought:?}");
        let after = position.apply(thought.event).unwrap().position;
        for reply in after.legal() {
            let replied = after.apply(reply).unwrap().position;
            assert!(mates_in(&replied, 1), "{source}: {thought:?}");
        }
    }
}
