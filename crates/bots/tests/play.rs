//! Every opponent plays every kind of game by its rules, and the same way every time.

use std::sync::Arc;

use senet_bots::{Bot, Limit, Moment, Search, Spec};
use senet_chance::Source;
use senet_core::{Event, Game, Match};
use senet_testkit::sample;

fn samples() -> Vec<Arc<Game>> {
    sample::all().map(Arc::new).into()
}

fn bot(game: &Arc<Game>, spec: &str, seed: u64) -> Box<dyn Bot> {
    spec.parse::<Spec>().expect(spec).bot(game, seed)
}

/// The events of a match in which one opponent plays for everybody.
fn play(game: &Arc<Game>, spec: &str, threads: usize) -> Vec<Event> {
    let mut played = Match::new(game.clone());
    let (mut chance, mut bot) = (Source::seeded(4), bot(game, spec, 9));
    while played.ply() < 24 && played.outcome().is_none() {
        let state = played.state();
        let drawn = chance.draw(game, state);
        let past = Moment::past_of(&played);
        let limit = Limit { threads, ..Limit::NONE };
        let mut chosen = || bot.choose(&Moment { state, past: &past, recall: None }, &limit);
        let Some(event) = drawn.or_else(|| chosen().map(|thought| thought.event)) else { break };
        played.apply(event).unwrap_or_else(|error| panic!("{spec} in {}: {error}", game.name()));
    }
    played.steps().iter().map(|(step, _)| step.event).collect()
}

#[test]
fn opponents_play_by_the_rules_of_every_sample() {
    for game in samples() {
        for spec in ["random", "search:1", "search:100n", "mcts:12", "search@1", "mcts@1"] {
            let events = play(&game, spec, 1);
            assert!(!events.is_empty(), "{spec} in {}", game.name());
        }
    }
}

/// A match of a game in which no position may come up twice, where only one event does not do that.
fn shuttled() -> Match {
    let game = Arc::new(sample::shuttle());
    let mut played = Match::new(game.clone());
    for text in ["a1/b1", "pass", "b1/a1", "pass"] {
        let event = senet_core::text::parse_event(&game, played.state(), text).unwrap();
        played.apply(event).unwrap();
    }
    assert_eq!(played.legal().len(), 1);
    played
}

#[test]
fn opponents_know_what_came_before() {
    let played = shuttled();
    let (state, past) = (played.state(), Moment::past_of(&played));
    for spec in ["random", "search:3", "search:100n", "mcts:50"] {
        for seed in 0..8 {
            let mut bot = bot(played.game(), spec, seed);
            let moment = Moment { state, past: &past, recall: None };
            let thought = bot.choose(&moment, &Limit::NONE).expect(spec);
            assert_eq!(vec![thought.event], played.legal(), "{spec}");
        }
        play(played.game(), spec, 1);
    }
}

#[test]
fn what_a_search_expects_is_legal_after_what_came_before() {
    let mut played = Match::new(Arc::new(sample::shuttle()));
    let search = Search::new(played.game().clone());
    let past = Moment::past_of(&played);
    let moment = Moment { state: played.state(), past: &past, recall: None };
    let thought = search.think(&moment, &Limit::depth(9), &[], &mut |_| ()).unwrap();
    assert!(thought.line.len() > 4 && !thought.exact, "{thought:?}");
    for event in thought.line {
        played.apply(event).unwrap();
    }
}

#[test]
fn the_same_seed_plays_the_same_match() {
    for game in samples() {
        for spec in ["random", "search:100n", "mcts:8"] {
            assert_eq!(play(&game, spec, 1), play(&game, spec, 1), "{spec} in {}", game.name());
        }
    }
}

#[test]
fn threads_do_not_change_what_playouts_say() {
    let game = samples().swap_remove(0);
    let start = game.start();
    let think = |threads: usize| {
        let limit = Limit { threads, ..Limit::nodes(4_000) };
        bot(&game, "mcts:4000", 3).choose(&Moment::of(&start), &limit)
    };
    let one = think(1).expect("something is legal");
    assert_eq!(one.nodes, 4_000);
    for threads in [2, 5] {
        assert_eq!(think(threads).as_ref(), Some(&one));
    }
}

#[test]
fn a_budget_of_positions_is_kept() {
    for game in samples() {
        for nodes in [1, 10, 200] {
            let start = game.start();
            let mut bot = bot(&game, &format!("search:{nodes}n"), 0);
            if game.awaits_chance(&start) {
                continue;
            }
            let thought = bot.choose(&Moment::of(&start), &Limit::NONE).expect("play goes on");
            assert!(thought.nodes <= nodes + 1, "{}: {}", game.name(), thought.nodes);
            assert!(game.legal(&start).contains(&thought.event));
        }
    }
}

/// A sample with weights.
fn weighed(weights: &str) -> Result<senet_core::Game, senet_core::DefinitionErrors> {
    let mut definition = senet_testkit::sample::skirmish_definition();
    definition.weights = Some(serde_json::from_str(weights).expect(weights));
    definition.compile(senet_core::Options::default())
}

#[test]
fn what_is_wrong_with_weights_is_told_by_name() {
    let check = |text: &str| weighed(text).map(drop).map_err(|wrong| wrong.to_string());
    assert_eq!(check("{}"), Ok(()));
    assert_eq!(check(r#"{"kinds":[{"kind":"tower","worth":9}]}"#), Ok(()));
    let told = |text: &str, words: &str| assert_eq!(check(text), Err(words.to_owned()));
    told(
        r#"{"kinds":[{"kind":"towr"}]}"#,
        "weights/towr: no kind is named `towr`, did you mean `tower`?",
    );
    told(
        r#"{"views":[{"player":"whit","tiles":["a1"]}]}"#,
        "weights/view whit: no player is named `whit`, did you mean `white`?",
    );
    told(
        r#"{"stake":"quite"}"#,
        "weights/stake: no variable is named `quite`, did you mean `quiet`?",
    );
    told(
        r#"{"views":[{"player":"white","tiles":["a1","a2"]}],"kinds":[{"kind":"hare","early":[1]}]}"#,
        "weights/hare/early: found 1 entries, expected 2: one for each tile in view",
    );
}

#[test]
fn weights_say_which_capture_is_better() {
    let value = |text: &str| {
        let game = weighed(text).expect(text);
        let evaluation = senet_bots::Evaluation::new(&game);
        evaluation.value(&game, &game.start(), &[true, false])
    };
    assert_eq!(value("{}"), 0, "both have the same");
    assert_eq!(value(r#"{"tempo":7}"#), 7, "it is the turn of the first");
    let placed = r#"{"views":[{"player":"white","tiles":["c1"]},{"player":"black","tiles":["a1"]}],
        "kinds":[{"kind":"hare","early":[11]}]}"#;
    assert_eq!(value(placed), 11, "only white has a hare where its table says so");
}

#[test]
fn opponents_answer_in_a_game_without_progress() {
    use senet_core::builder::Grid;
    use senet_core::written::{Effect, Phase, Rule, Seat};
    use senet_core::{Builder, Options};
    let pass = |name: &str| Rule::acts(name, name).then(Effect::Turn(Seat::Next));
    let definition = Builder::new("idle")
        .players(["red", "blue"])
        .board(Grid::new(2, 2))
        .action("pass")
        .action("wait")
        .phase(Phase::leaf("play").rule(pass("pass")).rule(pass("wait")))
        .build();
    let game = Arc::new(definition.compile(Options::default()).unwrap());
    let begin = std::time::Instant::now();
    for spec in ["random", "search:3", "search:2000n", "mcts:50"] {
        assert!(!play(&game, spec, 1).is_empty(), "{spec}");
    }
    assert!(begin.elapsed() < std::time::Duration::from_secs(60), "{:?}", begin.elapsed());
}
