//! How often an event is judged that is typed.

use std::sync::atomic::{AtomicUsize, Ordering};

use senet::chance::Source;
use senet::define::builder::FOUR;
use senet::define::{
    Builder, CustomCondition, Customs, Definition, Grid, Kind, Movement, Options, Pattern, Phase,
    Rule, Truth,
};
use senet::{Game, Match, Position};

static JUDGED: AtomicUsize = AtomicUsize::new(0);

/// A condition that holds, and counts how often it is asked.
fn counted() -> Truth {
    Truth::Custom { name: "count".into() }
}

fn compile(definition: Definition) -> Game {
    let count = CustomCondition(|_, _, _| {
        JUDGED.fetch_add(1, Ordering::SeqCst);
        true
    });
    let mut customs = Customs::default();
    customs.conditions.insert("count".into(), count);
    let options = Options { customs, ..Options::default() };
    Game::compile_with(definition, options).unwrap_or_else(|errors| panic!("{errors}"))
}

/// One piece on nine tiles, whose rule counts how often it is asked.
fn counting() -> Game {
    walking(Rule::moves("walk", Movement::any()).when(counted()))
}

/// One piece on nine tiles.
fn walking(rule: Rule) -> Game {
    let definition = Builder::new("walk")
        .players(["white", "black"])
        .board(Grid::new(3, 3))
        .kind(Kind::new("walker").travels(Pattern::steps(&FOUR)))
        .pieces_on("white", "walker", ["a1"])
        .phase(Phase::leaf("play").rule(rule))
        .build();
    compile(definition)
}

/// Backgammon, whose rules count how often they are asked.
fn counting_backgammon() -> Game {
    fn count(phase: &mut Phase) {
        for rule in &mut phase.rules {
            let when = std::mem::replace(&mut rule.when, Truth::Always);
            rule.when = Truth::All(vec![counted(), when]);
        }
        phase.phases.iter_mut().for_each(count);
    }
    let mut definition = senet::read("backgammon").unwrap().definition;
    definition.phases.iter_mut().for_each(count);
    compile(definition).with_notation(&senet::notation::backgammon::NOTATION)
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
    // A turn of several moves is judged where it is read.
    let start = senet::load("backgammon").unwrap().count_start().apply("31").unwrap().position;
    let start = counting_backgammon().position(&start.to_string()).unwrap();
    let (times, turn) = judged(|| start.parse_turn("8/5 6/5").unwrap());
    assert!(times > 0 && turn.events().len() == 2, "{turn:?}");
    let (times, steps) = judged(|| start.apply_turn(&turn).unwrap());
    assert_eq!((times, steps.len()), (0, 2), "a turn of a position");
    let mut played = Match::at(start);
    let (times, again) = judged(|| played.apply_turn(&turn).unwrap());
    assert_eq!((times, &again), (0, &steps), "a turn of a match");
    assert_eq!(played.position(), steps[1].position);
}

/// A walker that never comes back to a tile.
fn wandering() -> Game {
    walking(Rule::moves("walk", Movement::any()).ensuring(!Truth::Repeats(2)))
}

/// How many ways of some steps lead on from the last of some tiles of the board to tiles that are not
/// among them.
fn ways(been: &mut Vec<(i32, i32)>, steps: u32) -> u64 {
    let Some(rest) = steps.checked_sub(1) else { return 1 };
    let (x, y) = *been.last().expect("a tile");
    let mut count = 0;
    for next in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
        if (0..3).contains(&next.0) && (0..3).contains(&next.1) && !been.contains(&next) {
            been.push(next);
            count += ways(been, rest);
            been.pop();
        }
    }
    count
}

#[test]
fn what_came_before_is_asked_of_events_that_were_accepted_without_it() {
    let game = wandering();
    let mut played = Match::new(&game);
    played.apply("a1/a2").unwrap();
    // The way back repeats the start, which a position without its past does not know.
    let now = played.position();
    let event = now.parse_event("a2/a1").unwrap();
    assert_eq!(now.accept(event), None);
    let back = game.restore(now.state().words()).unwrap().accept(event).unwrap();
    assert_eq!(played.play(back), None);
    assert!(played.apply("a2/a1").is_err());
    assert!(played.apply("a2/a3").is_ok());
}

#[test]
fn a_position_knows_what_came_before_it() {
    let game = wandering();
    let mut played = Match::new(&game);
    let mut position = game.start();
    for text in ["a1/a2", "a2/b2", "b2/b1"] {
        played.apply(text).unwrap();
        position = position.apply(text).unwrap().position;
    }
    let mut been = vec![(0, 0), (0, 1), (1, 1), (1, 0)];
    let back = position.parse_event("b1/a1").unwrap();
    let on = position.parse_event("b1/c1").unwrap();
    for position in [&position, &played.position(), &played.steps()[2].1] {
        assert_eq!(position.legal(), [on]);
        assert_eq!((position.legal_count(), position.has_legal()), (1, true));
        assert_eq!(position.layers().filter_legal(&[back, on]), [on]);
        assert!(!position.accepts(back) && position.apply(back).is_err());
        assert!(!position.explain(back).unwrap().is_accepted());
        assert_eq!(senet::Walk::default().legal(position).len(), 1);
        for depth in 0..=6 {
            let count = ways(&mut been, depth);
            assert_eq!(position.perft(depth), count, "{depth}");
            assert_eq!(position.perft_made(depth).nodes, count, "{depth}");
            let divided: u64 = position.divide(depth).iter().map(|(_, nodes)| nodes).sum();
            assert_eq!(divided, if depth == 0 { 0 } else { count }, "{depth}");
        }
    }
    for seed in 0..20 {
        let start = game.start();
        let random = start.playout(&mut Source::seeded(seed), 100);
        assert!(random.events.len() < 9 && !random.position.has_legal());
        assert_eq!(start.line(&random.events).count(), random.events.len());
        let finish = game.playouts().finish(&start, &mut Source::seeded(seed), 100);
        assert_eq!(finish.events, random.events.len());
    }
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
