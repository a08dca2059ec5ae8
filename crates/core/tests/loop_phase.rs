//! Which phase is open, what preprocessors make of an event, and which rule carries it out.

use senet_core::builder::Grid;
use senet_core::builder::{EAST, FOUR};
use senet_core::written::{
    Derived, Effect, Kind, Movement, Number, Pattern, Phase, Preprocessor, Putting, Rule, Seat,
    Set, Tile, Truth, Variable,
};
use senet_core::{Builder, Event, EventKind, Game, Options, Reason, State, text};

fn compile(builder: Builder, decision_plan: bool) -> Game {
    let options = Options { decision_plan, ..Options::default() };
    builder.build().compile(options).unwrap_or_else(|errors| panic!("{errors}"))
}

#[track_caller]
fn play(game: &Game, state: &State, event: &str) -> State {
    let event = text::parse_event(game, state, event).unwrap();
    let told = || game.explanation_text(&game.explain(state, event), "it");
    game.apply(state, event).unwrap_or_else(|_| panic!("{}", told())).state
}

fn refusal(game: &Game, state: &State, event: &str) -> Vec<Reason> {
    let event = text::parse_event(game, state, event).unwrap();
    game.apply(state, event).expect_err("refused").reasons
}

fn value(game: &Game, state: &State, name: &str) -> i64 {
    let view = game.view(state);
    view.variable(game.variable(name).unwrap(), view.player())
}

fn step() -> Rule {
    Rule::acts("step", "next").then(Effect::add("n", 1))
}

/// Phases inside phases, all by the number of steps.
fn stairs() -> Builder {
    let n = || Number::variable("n");
    let leaf = |name: &str, at: i64| Phase::leaf(name).when(n().equals(at)).rule(step());
    Builder::new("stairs")
        .player("one")
        .board(Grid::new(2, 1).along([EAST]))
        .variable(Variable::counter("n", 9))
        .action("next")
        .phase(Phase::branch("low", [leaf("zero", 0), leaf("one", 1)]).when(n().less_than(3)))
        .phase(leaf("two", 2))
        .phase(Phase::branch(
            "high",
            [
                Phase::branch("deep", [leaf("three", 3), leaf("five", 5)]).when(n().at_most(4)),
                Phase::leaf("rest").when(n().less_than(7)).rule(step()),
            ],
        ))
}

#[test]
fn the_first_leaf_whose_condition_and_those_around_it_hold_is_active() {
    for plan in [true, false] {
        let game = compile(stairs(), plan);
        let mut state = game.start();
        let mut names = Vec::new();
        while let Some(phase) = game.active_phase(&state) {
            names.push(game.phase_name(phase).to_owned());
            state = play(&game, &state, "next");
        }
        // `five` lies in a branch that is shut by then, so its neighbour takes over.
        assert_eq!(names, ["zero", "one", "two", "three", "rest", "rest", "rest"], "{plan}");
        assert_eq!(refusal(&game, &state, "next"), [Reason::NoPhase]);
        assert_eq!(game.legal(&state), []);
        assert_eq!(game.outcome(&state), None, "a game without endings has no outcome");
    }
}

fn board() -> Builder {
    Builder::new("board")
        .players(["left", "right"])
        .board(Grid::new(5, 1).along([EAST, "west"]))
        .region("far", ["e1"])
        .kind(Kind::new("rider").travels(Pattern::slide(EAST)))
        .kind(Kind::new("stone").travels(Pattern::steps(&[EAST, "west"])))
        .pieces_on("left", "rider", ["a1"])
        .pieces_on("right", "stone", ["d1"])
        .variable(Variable::counter("n", 99))
        .action("next")
        .action("pass")
}

#[test]
fn an_event_that_no_rule_wants_is_refused() {
    for plan in [true, false] {
        let game = compile(board().phase(Phase::leaf("play").rule(step())), plan);
        let start = game.start();
        for (event, kind) in [("a1/b1", EventKind::Move), ("stone@b1", EventKind::Put)] {
            assert_eq!(refusal(&game, &start, event), [Reason::Unwanted(kind)]);
        }
        let other = game.action("next").unwrap();
        assert_eq!(refusal(&game, &start, "pass"), [Reason::OtherAct(other)]);
    }
}

#[test]
fn an_event_of_another_game_is_refused() {
    let game = compile(stairs(), true);
    let large = Builder::new("large")
        .player("one")
        .board(Grid::new(9, 9).along(FOUR))
        .kind(Kind::new("k").travels(Pattern::steps(&FOUR)))
        .pieces_on("one", "k", ["i9"])
        .phase(Phase::leaf("play").rule(Rule::moves("go", Movement::any())));
    let large = compile(large, true);
    for event in large.legal(&large.start()) {
        let rejection = game.apply(&game.start(), event).unwrap_err();
        assert_eq!(rejection.reasons, [Reason::Foreign]);
        assert_eq!((rejection.phase, rejection.rule), (None, None));
    }
}

#[test]
fn the_first_rule_that_accepts_carries_it_out() {
    let odd = Truth::any([1, 3].map(|n| Number::variable("n").equals(n)));
    let rules = Phase::leaf("play")
        .rule(Rule::acts("odd", "next").when(odd).then(Effect::add("n", 10)))
        .rule(step());
    for plan in [true, false] {
        let game = compile(board().phase(rules.clone()), plan);
        let mut state = game.start();
        let mut values = Vec::new();
        for _ in 0..3 {
            state = play(&game, &state, "next");
            values.push(value(&game, &state, "n"));
        }
        assert_eq!(values, [1, 11, 12], "decision plan {plan}");
    }
}

#[test]
fn effects_before_see_the_board_as_it_was_and_effects_after_as_it_is() {
    let at = |tile: Tile| tile.is_in(Set::Empty);
    let count = |condition, by: i64| Effect::when(condition, [Effect::add("n", by)]);
    let rule = Rule::moves("go", Movement::any())
        .before(count(at(Tile::To), 1))
        .before(count(!at(Tile::From), 2))
        .then(count(!at(Tile::To), 4))
        .then(count(at(Tile::From), 8))
        .then(Effect::set("n", Number::variable("n") + 16));
    let game = compile(board().phase(Phase::leaf("play").rule(rule)), true);
    let state = play(&game, &game.start(), "a1/c1");
    assert_eq!(value(&game, &state, "n"), 1 + 2 + 4 + 8 + 16);
}

/// Moves become steps of one tile each, and then a pass.
fn divided(most: i64) -> Builder {
    board().phase(
        Phase::leaf("play")
            .pre(
                Preprocessor::new(
                    "ride",
                    EventKind::Move,
                    [Derived::EachStep, Derived::Act("pass".into())],
                )
                .when(Tile::From.is_in(Set::kind("rider"))),
            )
            .pre(
                Preprocessor::new("late", EventKind::Move, [Derived::Act("next".into())])
                    .when(Tile::From.is_in(Set::kind("stone"))),
            )
            .rule(
                Rule::moves("one step", Movement::any().by(Pattern::steps(&[EAST, "west"])))
                    .when(Number::variable("n").less_than(most))
                    .then(Effect::add("n", 1)),
            )
            .rule(Rule::acts("pass", "pass").then(Effect::Turn(Seat::Next)))
            .rule(Rule::acts("next", "next").then(Effect::add("n", 50))),
    )
}

#[test]
fn a_preprocessor_makes_a_move_of_each_step_and_an_act() {
    for plan in [true, false] {
        let game = compile(divided(9), plan);
        let start = game.start();
        let state = play(&game, &start, "a1/c1");
        assert_eq!(value(&game, &state, "n"), 2, "two steps");
        assert_eq!(game.player_name(game.view(&state).player()), "right", "and a pass");
        let event = text::parse_event(&game, &start, "a1/c1").unwrap();
        let explanation = game.explain(&start, event);
        let derived: Vec<String> =
            explanation.derived.iter().map(|&event| text::format_event(&game, event)).collect();
        assert_eq!(derived, ["a1/b1", "b1/c1", "pass"]);
        let step = game.apply(&start, event).unwrap();
        assert_eq!((step.event, Some(step.rule)), (event, explanation.accepted_by));
        assert_eq!(game.rule_name(step.rule), "one step", "the first of them counts");
    }
}

#[test]
fn all_derived_events_happen_or_none() {
    let game = compile(divided(1), true);
    let start = game.start();
    play(&game, &start, "a1/b1");
    let reasons = refusal(&game, &start, "a1/c1");
    assert!(matches!(reasons[..], [Reason::Condition(..)]), "{reasons:?}");
    assert_eq!(start, game.start());
    let legal = game.legal(&start).into_iter().map(|event| text::format_event(&game, event));
    let of_rider: Vec<String> = legal.filter(|event| event.starts_with("a1/")).collect();
    assert_eq!(of_rider, ["a1/b1"]);
}

#[test]
fn the_first_preprocessor_that_fits_is_used() {
    let game = compile(divided(9), true);
    let state = play(&game, &game.start(), "a1/b1");
    // The stone is no rider, so its move becomes what the second preprocessor says.
    let state = play(&game, &state, "d1/c1");
    assert_eq!(value(&game, &state, "n"), 51);
    assert_eq!(text::format_position(&game, &state).split(' ').nth(2), Some("d1=right:stone"));
}

#[test]
fn only_a_piece_of_the_mover_is_divided_into_steps() {
    let away = [Derived::Act("pass".into()), Derived::EachStep];
    let game = compile(
        divided(9).edit(|game| {
            game.phases[0].pre = vec![Preprocessor::new("away", EventKind::Move, away)];
        }),
        true,
    );
    // After the pass the stone on d1 may move, but it was not the proposer's to move.
    assert_eq!(refusal(&game, &game.start(), "d1/c1"), [Reason::Indivisible]);
}

#[test]
fn what_cannot_be_divided_into_steps_is_refused() {
    let game = compile(divided(9), true);
    assert_eq!(refusal(&game, &game.start(), "a1/e1"), [Reason::Indivisible]);
    let puts = Phase::leaf("play")
        .pre(Preprocessor::new("ride", EventKind::Put, [Derived::EachStep]))
        .rule(Rule::puts("put", Putting::any().onto(Set::region("far"))));
    let game = compile(board().pieces("left", "stone", 1).phase(puts), true);
    assert_eq!(refusal(&game, &game.start(), "stone@e1"), [Reason::Indivisible]);
    assert_eq!(game.legal(&game.start()), []);
}

#[test]
fn a_put_is_refused_for_each_of_its_reasons() {
    let puts = Phase::leaf("play")
        .rule(Rule::puts("put", Putting::of(["stone"]).onto(Set::region("shelf"))));
    let shelf = board().region("shelf", ["b1", "d1", "e1"]).pieces("left", "stone", 1);
    let game = compile(shelf.phase(puts), true);
    let start = game.start();
    let tile = |name| game.tile(name).unwrap();
    assert_eq!(refusal(&game, &start, "stone@c1"), [Reason::Onto(tile("c1"))]);
    assert_eq!(refusal(&game, &start, "stone@d1"), [Reason::Taken(tile("d1"))]);
    assert_eq!(refusal(&game, &start, "rider@b1"), [Reason::Unwanted(EventKind::Put)]);
    let state = play(&game, &start, "stone@b1");
    let stone = game.kind("stone").unwrap();
    assert_eq!(refusal(&game, &state, "stone@e1"), [Reason::NoneLeft(stone)]);
}

#[test]
fn a_choice_must_be_made_where_one_is_asked_and_nowhere_else() {
    let far = || Set::region("far");
    let rules = Phase::leaf("play")
        .rule(Rule::moves("near", Movement::any().onto(!far())))
        .rule(Rule::moves("far", Movement::any().onto(far()).choosing(["stone"])));
    let game = compile(board().edit(|game| game.setup.truncate(1)).phase(rules), true);
    let start = game.start();
    let kinds = [game.kind("rider").unwrap(), game.kind("stone").unwrap()];
    assert_eq!(refusal(&game, &start, "a1/e1")[0], Reason::ChoiceMissing);
    assert_eq!(refusal(&game, &start, "a1/e1=rider")[0], Reason::ChoiceRefused(kinds[0]));
    assert_eq!(refusal(&game, &start, "a1/b1=stone")[0], Reason::ChoiceRefused(kinds[1]));
    let state = play(&game, &start, "a1/e1=stone");
    assert_eq!(game.view(&state).kind_at(game.tile("e1").unwrap()), Some(kinds[1]));
    let choices = game
        .legal(&start)
        .into_iter()
        .filter(|event| matches!(event, Event::Move { choice: Some(_), .. }));
    assert_eq!(choices.count(), 1);
}
