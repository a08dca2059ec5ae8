//! How games end, what that is worth, and what chance gives.

use senet_core::builder::EAST;
use senet_core::builder::Grid;
use senet_core::written::{
    Effect, Ending, Kind, Movement, Number, Pattern, Phase, Player, Rolling, Rule, Seat, Set,
    Truth, Variable, Who,
};
use senet_core::{Builder, Chance, Game, Options, State, text};
use senet_testkit::sample;

fn compile(builder: Builder) -> Game {
    builder.build().compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[track_caller]
fn play(game: &Game, state: &State, event: &str) -> State {
    let event = text::parse_event(game, state, event).unwrap();
    game.apply(state, event).unwrap().state
}

/// Four players in two teams; each may count for itself, and the turn goes round.
fn counting() -> Builder {
    let teams = ["warm", "cool", "warm", "cool"];
    let players = ["red", "green", "gold", "blue"];
    let players = players.into_iter().zip(teams).map(|(name, team)| Player::new(name).team(team));
    Builder::new("counting")
        .players(players)
        .board(Grid::new(3, 1).along([EAST]))
        .kind(Kind::new("stone").travels(Pattern::step(EAST)))
        .pieces_on("red", "stone", ["a1"])
        .variable(Variable::counter("n", 5).per_player())
        .action("count")
        .action("skip")
        .phase(
            Phase::leaf("play")
                .rule(
                    Rule::acts("count", "count")
                        .then(Effect::add("n", 1))
                        .then(Effect::Turn(Seat::Next)),
                )
                .rule(Rule::acts("skip", "skip").then(Effect::Turn(Seat::Next))),
        )
}

fn n() -> Number {
    Number::variable("n")
}

/// The ending, the winner and the scores after some acts.
fn outcome(game: &Game, acts: &[&str]) -> Option<(String, String, Vec<i64>)> {
    let state = acts.iter().fold(game.start(), |state, act| play(game, &state, act));
    let outcome = game.outcome(&state)?;
    let winner = outcome.winner.map_or("nobody", |winner| game.player_name(winner));
    Some((game.ending_name(outcome.ending).into(), winner.into(), outcome.scores))
}

#[test]
fn an_ending_is_asked_of_the_player_to_move_or_of_each() {
    let ending = || Ending::win("has counted", Seat::Mover).when(n().equals(1));
    let mover = compile(counting().ending(ending()));
    assert_eq!(outcome(&mover, &["count"]), None, "red has counted, green is to move");
    let all = ["count", "skip", "skip", "skip"];
    assert_eq!(outcome(&mover, &all).unwrap().1, "red");
    let each = compile(counting().ending(ending().of_each()));
    assert_eq!(outcome(&each, &["count"]).unwrap().1, "red");
    assert_eq!(outcome(&each, &["skip", "count"]).unwrap().1, "green");
}

#[test]
fn the_winners_team_gets_the_score_and_the_others_lose_it() {
    let ending = Ending::win("has counted", Seat::Next).of_each().when(n().equals(1));
    let game = compile(counting().ending(ending.worth(n() + 2)));
    let (name, winner, scores) = outcome(&game, &["count"]).unwrap();
    assert_eq!((name.as_str(), winner.as_str()), ("has counted", "green"));
    assert_eq!(scores, [-3, 3, -3, 3], "the value is that of the player of whom it holds");
    let draw = compile(counting().ending(Ending::draw("tired").of_each().when(n().equals(1))));
    assert_eq!(outcome(&draw, &["count"]).unwrap().2, [0, 0, 0, 0]);
}

#[test]
fn the_first_ending_that_holds_counts() {
    let one = |name: &str| Ending::draw(name).of_each().when(n().equals(1));
    let game = compile(counting().ending(one("first")).ending(one("second")));
    assert_eq!(outcome(&game, &["count"]).unwrap().0, "first");
}

#[test]
fn play_stops_unless_it_may_go_on() {
    let ending = || Ending::draw("counted").of_each().when(n().equals(1));
    let stops = compile(counting().ending(ending()));
    let over = play(&stops, &stops.start(), "count");
    assert_eq!(stops.legal(&over), []);
    let event = text::parse_event(&stops, &over, "skip").unwrap();
    let rejection = stops.apply(&over, event).unwrap_err();
    assert_eq!(rejection.reasons[0].code(), "over");
    assert_eq!(stops.reason_text(rejection.reasons[0]), "the game is over: counted");
    let goes_on = compile(counting().ending(ending().may_go_on()));
    let state = play(&goes_on, &goes_on.start(), "count");
    assert!(goes_on.outcome(&state).is_some());
    assert_eq!(goes_on.legal(&state).len(), 2);
    play(&goes_on, &state, "skip");
}

/// One stone that goes east until it cannot.
fn walking() -> Builder {
    counting().edit(|game| {
        game.phases =
            vec![Phase::leaf("walk").rule(
                Rule::moves("go", Movement::any().onto(Set::Empty)).then(Effect::add("n", 1)),
            )];
    })
}

#[test]
fn who_has_no_event_left_is_stuck() {
    let game = compile(walking().ending(Ending::win("stuck", Seat::Previous).when(Truth::Stuck)));
    assert_eq!(outcome(&game, &["a1/b1"]), None);
    assert_eq!(outcome(&game, &["a1/b1", "b1/c1"]).unwrap().1, "blue");
}

#[test]
fn an_ending_that_is_stuck_or_something_else_stops_play_for_both() {
    let late = || n().at_least(1);
    let either = Ending::draw("stuck or late").when(Truth::Stuck.or(late()));
    let game = compile(walking().ending(either));
    let state = play(&game, &game.start(), "a1/b1");
    assert!(game.outcome(&state).is_some());
    assert_eq!(game.legal(&state), [], "an outcome that stops play leaves nothing legal");
    let unless = Ending::draw("late").when((!Truth::Stuck).and(late()));
    let game = compile(walking().ending(unless));
    let state = play(&game, &game.start(), "a1/b1");
    assert_eq!(game.legal(&state), []);
    assert!(game.outcome(&state).is_some(), "what stops play is an outcome");
}

#[test]
fn a_player_whom_another_ending_stops_is_not_stuck() {
    let stuck = Ending::win("stuck", Seat::Next).when(Truth::Stuck);
    let late = Ending::draw("late").when(n().at_least(1));
    let game = compile(walking().ending(stuck).ending(late));
    assert_eq!(outcome(&game, &["a1/b1"]).unwrap().0, "late");
}

#[test]
fn a_team_wins_together() {
    let game = sample::league();
    let position = "green c1=red:scout b5=gold:rider";
    let state = text::parse_position(&game, position).unwrap();
    let outcome = game.outcome(&state).unwrap();
    assert_eq!(game.player_name(outcome.winner.unwrap()), "red", "the first of whom it holds");
    assert_eq!(outcome.scores, [2, -2, 2, -2]);
}

/// Dice with these numbers of sides, rolled together.
fn dice(sides: &[u8], rolling: impl Fn(Rolling) -> Rolling) -> Vec<Chance> {
    let names: Vec<String> = (1..=sides.len()).map(|n| format!("d{n}")).collect();
    let game = names.iter().zip(sides).fold(counting(), |game, (name, &n)| game.die(name, n));
    let rule = Rule::rolls("roll", rolling(Rolling::of(names)))
        .when(Number::die("d1").equals(0).and(Number::pieces(Set::Board, Who::Anyone).equals(1)));
    let game = compile(game.edit(|game| game.phases[0].rules = vec![rule]));
    assert!(game.awaits_chance(&game.start()));
    let chances = game.chances(&game.start());
    let after = game.apply(&game.start(), chances[0].event).unwrap().state;
    assert!(!game.awaits_chance(&after) && game.chances(&after).is_empty());
    let event = chances[0].event;
    assert_eq!(
        text::parse_event(&game, &game.start(), &text::format_event(&game, event)),
        Ok(event)
    );
    chances
}

#[test]
fn two_dice_whose_order_is_ignored_have_twenty_one_outcomes() {
    let chances = dice(&[6, 6], Rolling::in_any_order);
    let weights: Vec<u64> = chances.iter().map(|chance| chance.probability.weight).collect();
    assert_eq!(weights.len(), 21);
    assert_eq!(weights.iter().filter(|&&weight| weight == 1).count(), 6, "doubles");
    assert_eq!(weights.iter().filter(|&&weight| weight == 2).count(), 15, "the others");
    assert!(chances.iter().all(|chance| chance.probability.total == 36));
}

#[test]
fn probabilities_are_exact_however_many_dice_there_are() {
    let cases: [(&[u8], bool, usize, u64); 6] = [
        (&[6], false, 6, 6),
        (&[6, 6], false, 36, 36),
        (&[2, 3, 4], false, 24, 24),
        (&[6, 6, 6], true, 56, 216),
        (&[2, 2, 2, 2], true, 5, 16),
        (&[1, 255], false, 255, 255),
    ];
    for (sides, any_order, outcomes, total) in cases {
        let chances = dice(sides, |roll| if any_order { roll.in_any_order() } else { roll });
        assert_eq!(chances.len(), outcomes, "{sides:?}");
        let sum: u64 = chances.iter().map(|chance| chance.probability.weight).sum();
        assert_eq!((sum, chances[0].probability.total), (total, total), "{sides:?}");
    }
}

#[test]
fn dice_are_written_in_any_order_where_it_is_ignored() {
    let game = sample::dash();
    let start = game.start();
    let parse = |text: &str| text::parse_event(&game, &start, text);
    assert_eq!(parse("roll:3-1"), parse("1-3"));
    assert_eq!(parse("3,1"), parse("roll:3-1"));
    assert!(parse("roll:4-1").is_err() && parse("roll:1").is_err() && parse("roll:").is_err());
    let state = play(&game, &start, "roll:3-1");
    assert_eq!(game.view(&state).die(game.die("one").unwrap()), Some(3), "the greater comes first");
    assert_eq!(text::format_position(&game, &state).matches("die.").count(), 2);
}

#[test]
fn dice_that_can_show_the_same_are_written_with_their_names() {
    let roll = |die: &str| {
        Rule::rolls(format!("roll {die}"), Rolling::of([die])).when(Number::die(die).equals(0))
    };
    let both = Rule::rolls("both", Rolling::of(["red-die", "blue-die"]));
    let game = counting().die("red-die", 6).die("blue-die", 4).edit(|game| {
        game.phases[0].rules = vec![roll("red-die"), roll("blue-die"), both];
    });
    let game = compile(game);
    let start = game.start();
    let names: Vec<String> =
        game.legal(&start).into_iter().map(|event| text::format_event(&game, event)).collect();
    assert_eq!(names[..2], ["roll:red-die:1", "roll:red-die:2"]);
    assert_eq!(names[5..7], ["roll:6", "roll:blue-die:1"], "only the red die has a six");
    assert_eq!(names[10], "roll:1-1");
    for (event, name) in game.legal(&start).into_iter().zip(&names) {
        assert_eq!(text::parse_event(&game, &start, name), Ok(event), "{name}");
    }
    for wrong in ["roll:red-die:7", "roll:red:1", "roll:red-die:1,blue-die:", "roll::"] {
        assert!(text::parse_event(&game, &start, wrong).is_err(), "{wrong}");
    }
}
