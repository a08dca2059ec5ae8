//! The smallest steps of play, one by one: `cargo bench -p senet-core`.

use divan::{Bencher, black_box};
use senet_core::{Game, Options, State};
use senet_testkit::{Source, playout, sample};

fn main() {
    divan::main();
}

/// A sample game with states of random play.
struct Play {
    game: Game,
    states: Vec<State>,
}

impl Play {
    fn new(name: &str) -> Play {
        let mut games = sample::all().into_iter();
        let game = games.find(|game| game.name() == name).expect("a sample game");
        let after = |plies| playout(&game, &game.start(), &mut Source::for_game(1, 1), plies).state;
        let states: Vec<State> = (0..16).map(after).collect();
        Play { game, states }
    }
}

#[divan::bench(args = ["skirmish", "dash"])]
fn legal(bencher: Bencher<'_, '_>, name: &str) {
    let play = Play::new(name);
    bencher.counter(play.states.len()).bench(|| {
        play.states.iter().map(|state| play.game.legal(black_box(state)).len()).sum::<usize>()
    });
}

#[divan::bench(args = ["skirmish", "dash"])]
fn apply(bencher: Bencher<'_, '_>, name: &str) {
    let play = Play::new(name);
    let listed = play
        .states
        .iter()
        .flat_map(|state| play.game.legal(state).into_iter().map(move |event| (state, event)));
    let listed: Vec<_> = listed.collect();
    bencher.counter(listed.len()).bench(|| {
        let accepted = listed
            .iter()
            .filter(|(state, event)| black_box(play.game.apply(state, *event)).is_ok());
        assert_eq!(accepted.count(), listed.len());
    });
}

#[divan::bench(args = ["skirmish", "dash"])]
fn outcome(bencher: Bencher<'_, '_>, name: &str) {
    let play = Play::new(name);
    bencher.counter(play.states.len()).bench(|| {
        play.states.iter().filter(|state| play.game.outcome(black_box(state)).is_some()).count()
    });
}

#[divan::bench(args = ["skirmish", "dash"])]
fn compile(bencher: Bencher<'_, '_>, name: &str) {
    let definition = Play::new(name).game.definition().clone();
    bencher.bench(|| definition.clone().compile(Options::default()).is_ok());
}
