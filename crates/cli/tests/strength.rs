//! How strong the opponents are at the least. `cargo xtask strength` asks for more.

use std::sync::Arc;

use senet_bots::{Bot, Limit, Moment, Search, Spec, Weights};
use senet_chance::Source;
use senet_core::{Game, Match, Notation, State};

/// A registered game, with what it says about its looks.
struct Edition {
    game: Arc<Game>,
    notation: &'static dyn Notation,
    weights: Option<Weights>,
}

fn edition(name: &str) -> Edition {
    let entry = senet_registry::find(name).expect("it is registered");
    let weights = senet_registry::weights(name).map(|text| Weights::parse(text).unwrap());
    Edition { game: entry.game(), notation: entry.notation, weights }
}

impl Edition {
    fn bot(&self, spec: &str, seed: u64) -> Box<dyn Bot> {
        let spec: Spec = spec.parse().expect(spec);
        spec.bot(&self.game, self.weights.as_ref(), seed).expect("its weights fit")
    }

    /// What the first opponent gets from a match with the second, who has the other side.
    fn duel(&self, specs: [&str; 2], side: usize, seed: u64) -> i64 {
        let mut bots = [self.bot(specs[0], seed), self.bot(specs[1], seed + 1)];
        let mut chance = Source::seeded(seed);
        let mut played = Match::new(self.game.clone());
        while played.outcome().is_none() && played.ply() < 2_000 {
            let state = played.state();
            let event = chance.draw(&self.game, state).or_else(|| {
                let seat = (self.game.view(state).player().index() + side) % 2;
                let past = Moment::past_of(&played);
                let thought = bots[seat].choose(&Moment { state, past: &past }, &Limit::NONE);
                thought.map(|thought| thought.event)
            });
            played.apply(event.expect("play goes on")).expect("opponents play by the rules");
        }
        played.outcome().map_or(0, |outcome| outcome.scores[side])
    }
}

#[test]
fn every_game_with_weights_can_be_judged_by_them() {
    for (name, _) in senet_registry::WEIGHTS {
        let edition = edition(name);
        assert!(Search::new(edition.game.clone(), edition.weights.as_ref()).is_ok(), "{name}");
    }
}

/// Plays against every reply there is, and counts the games that were lost.
fn losses(edition: &Edition, bot: &mut dyn Bot, state: &State, side: usize) -> u64 {
    let game = &edition.game;
    if let Some(outcome) = game.outcome(state) {
        return u64::from(outcome.scores[side] < 0);
    }
    let events = match game.view(state).player().index() == side {
        true => vec![bot.choose(&Moment::of(state), &Limit::NONE).expect("play goes on").event],
        false => game.legal(state),
    };
    let after = |event| game.apply(state, event).expect("it is legal").state;
    events.into_iter().map(|event| losses(edition, bot, &after(event), side)).sum()
}

#[test]
fn tic_tac_toe_is_never_lost_whatever_the_other_plays() {
    let edition = edition("tic-tac-toe");
    for spec in ["search:9", "search@8", "mcts:2000"] {
        for side in [0, 1] {
            let mut bot = edition.bot(spec, 1);
            let lost = losses(&edition, &mut *bot, &edition.game.start(), side);
            assert_eq!(lost, 0, "{spec} as player {side}");
        }
    }
}

#[test]
fn chess_search_beats_random_from_both_sides() {
    let edition = edition("chess");
    for number in 0..4 {
        let points = edition.duel(["search:3", "random"], number % 2, 10 + number as u64);
        assert_eq!(points, 1, "game {number}");
    }
}

#[test]
fn backgammon_search_beats_random_by_more_than_a_point_a_game() {
    let edition = edition("backgammon");
    let games = 40_usize;
    let play = |number: usize| edition.duel(["search:1", "random"], number % 2, 7 * number as u64);
    let points: i64 = (0..games).map(play).sum();
    assert!(points > games as i64, "{points} points in {games} games");
}

const MATES: &str = include_str!("data/mate-in-two.txt");

/// Whether the player to move can mate in so many moves, by trying everything.
fn mates_in(game: &Game, state: &State, moves: u32) -> bool {
    game.legal(state).into_iter().any(|event| {
        let after = game.apply(state, event).expect("it is legal").state;
        let replies = game.legal(&after);
        if replies.is_empty() {
            return game.outcome(&after).is_some_and(|outcome| outcome.winner.is_some());
        }
        let reply = |event| game.apply(&after, event).expect("it is legal").state;
        moves > 1 && replies.into_iter().all(|event| mates_in(game, &reply(event), moves - 1))
    })
}

#[test]
fn twenty_mates_in_two_are_found_and_are_mates_in_two() {
    let edition = edition("chess");
    let problems = MATES.lines().filter(|line| !line.starts_with('#'));
    let problems: Vec<(&str, &str)> = problems.filter_map(|line| line.split_once(" ; ")).collect();
    assert_eq!(problems.len(), 20);
    for (fen, source) in problems {
        let game = &edition.game;
        let state = edition.notation.parse_position(game, fen).expect(source);
        assert!(!mates_in(game, &state, 1), "{source}: mate in one");
        assert!(mates_in(game, &state, 2), "{source}: no mate in two");
        let search = Search::new(game.clone(), edition.weights.as_ref()).unwrap();
        let thought = search.think(&Moment::of(&state), &Limit::depth(5), &[], &mut |_| ());
        let thought = thought.expect("play goes on");
        assert_eq!(thought.end_in(), Some(3), "{source}: {thought:?}");
        let after = game.apply(&state, thought.event).unwrap().state;
        for reply in game.legal(&after) {
            let replied = game.apply(&after, reply).unwrap().state;
            assert!(mates_in(game, &replied, 1), "{source}: {thought:?}");
        }
    }
}
