//! How often an event is judged that is typed.

use std::sync::atomic::{AtomicUsize, Ordering};

use senet::define::builder::FOUR;
use senet::define::{
    Builder, CustomCondition, Customs, Grid, Kind, Movement, Options, Pattern, Phase, Rule, Truth,
};
use senet::{Game, Match, Position};

static JUDGED: AtomicUsize = AtomicUsize::new(0);

/// One piece on nine tiles, whose rule counts how often it is asked.
fn counting() -> Game {
    let rule = Rule::moves("walk", Movement::any()).when(Truth::Custom { name: "count".into() });
    let definition = Builder::new("walk")
        .players(["white", "black"])
        .board(Grid::new(3, 3))
        .kind(Kind::new("walker").travels(Pattern::steps(&FOUR)))
        .pieces_on("white", "walker", ["a1"])
        .phase(Phase::leaf("play").rule(rule))
        .build();
    let count = CustomCondition(|_, _, _| {
        JUDGED.fetch_add(1, Ordering::SeqCst);
        true
    });
    let mut customs = Customs::default();
    customs.conditions.insert("count".into(), count);
    let options = Options { customs, ..Options::default() };
    Game::compile_with(definition, options).unwrap_or_else(|errors| panic!("{errors}"))
}

/// How often the rule was asked while something was done.
fn judged<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = JUDGED.load(Ordering::SeqCst);
    let done = work();
    (JUDGED.load(Ordering::SeqCst) - before, done)
}

#[test]
fn a_typed_move_is_judged_once() {
    let game = counting();
    let start: Position = game.start();
    let (times, step) = judged(|| start.apply("a1/a2").unwrap());
    assert_eq!(times, 1, "a position");
    let mut played = Match::new(&game);
    let (times, _) = judged(|| played.apply("a1/a2").unwrap());
    assert_eq!(times, 1, "a match");
    assert_eq!(played.position(), step.position);
    let (times, _) = judged(|| played.apply(step.position.parse_event("a2/b2").unwrap()).unwrap());
    assert_eq!(times, 1, "an event of a match");
    let events = ["b2/b3", "b3/c3"].map(|text| played.position().parse_event(text).unwrap());
    let (times, steps) = judged(|| played.apply_all(&events).unwrap());
    assert_eq!((times, steps.len(), played.ply()), (2, 2, 4), "a turn");
    let (times, _) = judged(|| {
        let now = played.position();
        let accepted = now.accept(now.parse_event("c3/c2").unwrap()).unwrap();
        played.play(accepted).unwrap()
    });
    assert_eq!((times, played.ply()), (1, 5), "an event that was asked about first");
}

#[test]
fn of_several_events_all_are_played_or_none() {
    let game = senet::load("tic-tac-toe").unwrap();
    let mut played = Match::new(&game);
    let event = |text: &str| game.start().parse_event(text).unwrap();
    let error = played.apply_all(&[event("a1"), event("b2"), event("a1")]).unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");
    assert_eq!((played.ply(), played.len()), (0, 0));
    let steps = played.apply_all(&[event("a1"), event("b2")]).unwrap();
    assert_eq!((steps.len(), played.ply()), (2, 2));
    assert_eq!(steps[1].position, played.position());
}
