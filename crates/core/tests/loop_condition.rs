//! Truths, numbers, flags, counters and custom code.

use senet_core::builder::EAST;
use senet_core::builder::Grid;
use senet_core::custom::{CustomCondition, CustomEffect, Customs};
use senet_core::written::{
    Comparison, Effect, Flag, Kind, Movement, Number, Pattern, Phase, Player, Rule, Seat, Set,
    Tile, Truth, Variable, Who,
};
use senet_core::{Builder, Event, EventKind, Game, Options, Reason, State, Verdict, text};
use senet_testkit::{Legend, drawn, sample};

fn compile(builder: Builder) -> Game {
    builder.build().compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

#[track_caller]
fn play(game: &Game, state: &State, event: &str) -> State {
    let event = text::parse_event(game, state, event).unwrap();
    game.apply(state, event).unwrap().state
}

/// A game whose only rule asks a question.
fn asking(truth: Truth) -> Builder {
    Builder::new("asking")
        .player(Player::new("red").team("warm"))
        .player(Player::new("blue"))
        .player(Player::new("gold").team("warm"))
        .board(Grid::new(3, 2).along([EAST]))
        .stacks(["pile"])
        .region("all", ["a1", "b1", "pile"])
        .region_of("red", "own", ["a1"])
        .region_of("blue", "own", ["b1"])
        .region_of("gold", "own", ["c1"])
        .kind("stone")
        .kind("leaf")
        .pieces_on("red", "stone", ["a1", "pile", "pile"])
        .pieces_on("blue", "stone", ["b1", "pile"])
        .pieces_on("gold", "leaf", ["c1", "pile"])
        .die("die", 6)
        .variable(Variable::new("one", -9, 9).starting(1))
        .variable(Variable::new("debt", -5, 5).starting(-2).per_player())
        .action("ask")
        .phase(Phase::leaf("play").rule(Rule::acts("ask", "ask").when(truth)))
}

/// What the rule says: a letter for valid, ignore and invalid.
fn verdict(truth: Truth) -> char {
    let game = compile(asking(truth));
    match game.explain(&game.start(), ask(&game)).rules[0].verdict {
        Verdict::Valid => 'v',
        Verdict::Ignore => '-',
        Verdict::Invalid(_) => 'x',
    }
}

fn ask(game: &Game) -> Event {
    Event::Act(game.action("ask").unwrap())
}

fn holds(truth: Truth) -> bool {
    verdict(truth) == 'v'
}

/// A question that is valid, ignored or invalid at the start.
fn one(letter: char) -> Truth {
    let yes = || Number::variable("one").equals(1);
    match letter {
        'v' => yes(),
        'x' => !yes(),
        _ => (!yes()).relevant(),
    }
}

#[test]
fn composite_conditions_follow_their_truth_table() {
    let list = |letters: &str| letters.chars().map(one).collect::<Vec<_>>();
    let all = ["v", "vv", "vx", "v-", "xv", "xx", "x-", "-v", "-x", "--", ""];
    let answers: String = all.map(|letters| verdict(Truth::all(list(letters)))).iter().collect();
    assert_eq!(answers, "vvx-xxx---v", "the first that does not hold decides");
    let any = ["v", "vv", "vx", "v-", "xv", "xx", "x-", "-v", "-x", "--"];
    let answers: String = any.map(|letters| verdict(Truth::any(list(letters)))).iter().collect();
    assert_eq!(answers, "vvvvvxxvx-", "one that holds is enough; a refusal outweighs silence");
    let not: String = ['v', 'x', '-'].map(|letter| verdict(!one(letter))).iter().collect();
    assert_eq!(not, "xvv");
    let relevant: String =
        ['v', 'x', '-'].map(|letter| verdict(one(letter).relevant())).iter().collect();
    assert_eq!(relevant, "v--");
}

#[test]
fn a_rule_that_has_nothing_to_say_gives_no_reason() {
    let game = compile(asking(one('-')));
    let rejection = game.apply(&game.start(), ask(&game)).unwrap_err();
    assert_eq!(rejection.reasons, [Reason::Unwanted(EventKind::Act)]);
    let game = compile(asking(one('x')));
    let rejection = game.apply(&game.start(), ask(&game)).unwrap_err();
    assert!(matches!(rejection.reasons[..], [Reason::Condition(_, 0)]));
}

#[test]
fn numbers_compare() {
    let one = || Number::variable("one");
    let table = [
        (Comparison::Equal, [false, true, false]),
        (Comparison::Different, [true, false, true]),
        (Comparison::Less, [false, false, true]),
        (Comparison::AtMost, [false, true, true]),
        (Comparison::Greater, [true, false, false]),
        (Comparison::AtLeast, [true, true, false]),
    ];
    for (is, expected) in table {
        let compare = |right| Truth::Compare { left: one(), is, right: Number::Is(right) };
        let found = [0, 1, 2].map(|right| holds(compare(right)));
        assert_eq!(found, expected, "{is}");
    }
}

#[test]
fn numbers_count_what_they_say() {
    let count = |number: Number, expected: i64| {
        assert!(holds(number.clone().equals(expected)), "{number} is not {expected}");
    };
    count(Number::Count(Set::Empty), 3);
    count(Number::Count(Set::Owned(Who::Friend)), 3);
    count(Number::pieces(Set::Board, Who::Mover), 3);
    count(Number::pieces(Set::Board, Who::Ally), 2);
    count(Number::pieces(Set::Board, Who::Friend), 5);
    count(Number::pieces(Set::Board, Who::Foe), 2);
    count(Number::pieces(Set::Board, Who::Anyone), 7);
    count(Number::pieces(Set::region("all"), Who::player("blue")), 2);
    count(Number::pieces_of_kind(Set::Board, Who::Anyone, "leaf"), 2);
    count(Number::pieces(Set::region("own"), Who::Anyone), 1);
    count(Number::pieces(Set::region_of("own", Seat::Next), Who::Foe), 1);
    count(Number::pieces(Set::region_of("own", Seat::Previous), Who::Ally), 1);
    count(Number::pieces(Set::at(Tile::named("pile")), Who::Mover), 2);
    count(Number::die("die"), 0);
    count(Number::variable_of("debt", Seat::player("gold")), -2);
    count(Number::variable("debt") + Number::variable("one") + 4, 3);
}

#[test]
fn tiles_are_found_from_tiles() {
    let at = |tile: Tile, who| holds(tile.is_in(Set::Owned(who)));
    let ally = |from| Tile::first(from, EAST, Set::Owned(Who::Ally));
    assert!(at(Tile::named("a1").then(&[EAST]), Who::Foe));
    assert!(at(Tile::named("a1").then(&[EAST, EAST]), Who::Ally));
    assert!(!at(Tile::named("c1").then(&[EAST]), Who::Anyone), "the step leaves the board");
    assert!(at(ally(Tile::named("a1")), Who::Ally));
    assert!(!at(ally(Tile::named("a2")), Who::Anyone));
    assert!(at(Tile::only("own", Seat::Mover), Who::Mover));
    assert!(at(Tile::only("own", Seat::Next), Who::Foe));
    let many = |count, who| holds(Tile::named("pile").is_in(Set::AtLeast(count, who)));
    assert!(many(2, Who::Mover) && many(3, Who::Friend) && many(4, Who::Anyone));
    assert!(!many(3, Who::Mover) && !many(2, Who::Foe));
}

#[test]
fn a_line_runs_along_one_direction() {
    let line = |length, who| holds(Truth::line(length, &[EAST], Set::Owned(who)));
    assert!(line(3, Who::Anyone) && line(1, Who::Ally));
    assert!(!line(2, Who::Friend), "a foe stands between");
    assert!(holds(Truth::line(3, &[EAST], Set::Empty)));
}

#[test]
fn ephemeral_flags_clear_at_their_owners_next_turn_and_lasting_ones_stay() {
    let game = sample::skirmish();
    let legend = Legend::new(["F white guard fresh", "t black tower"]);
    let start = drawn(
        &game,
        "white",
        &legend,
        "
        . . . . t
        . . . . .
        . . . . .
        F F . . .
        . . . . .
        ",
    );
    let flags = |state: &State, tile: &str| {
        let mask = game.view(state).flags_at(game.tile(tile).unwrap());
        let set = game.flags().filter(|flag| mask >> flag.index() & 1 == 1);
        set.map(|flag| game.flag_name(flag).to_owned()).collect::<Vec<_>>()
    };
    let state = play(&game, &start, "a2/a4");
    assert_eq!(flags(&state, "a4"), ["passing"], "while the other player moves");
    let state = play(&game, &state, "e5/d5");
    assert_eq!(flags(&state, "a4"), Vec::<String>::new(), "cleared when its owner's turn begins");
    assert_eq!(flags(&state, "b2"), ["fresh"], "a lasting flag stays");
    assert_eq!(state.hash128(), game.full_hash(&state));
}

#[test]
fn flags_travel_with_their_piece_and_are_lost_with_it() {
    let game = compile(
        Builder::new("flags")
            .players(["left", "right"])
            .board(Grid::new(4, 1).along([EAST, "west"]))
            .stacks(["pile"])
            .relation("d1", EAST, "pile")
            .flag("lit")
            .flag(Flag::ephemeral("warm"))
            .kind(Kind::new("lamp").travels(Pattern::steps(&[EAST, "west"])))
            .pieces("left", "lamp", 1)
            .pieces_on("right", "lamp", ["b1"])
            .place_flagged("left-lamp-1", "c1", ["lit"])
            .phase(
                Phase::leaf("play")
                    .rule(Rule::moves("go", Movement::any()).then(Effect::Turn(Seat::Next))),
            ),
    );
    let lit = game.flag("lit").unwrap();
    let lamp = game.piece("left-lamp-1").unwrap();
    let moved = play(&game, &game.start(), "c1/d1");
    assert!(game.view(&moved).piece(lamp).has(lit), "it travels along");
    let back = play(&game, &moved, "b1/c1");
    let piled = play(&game, &back, "d1/pile");
    assert_eq!(game.view(&piled).piece(lamp).flags, 0, "a stack carries none");
    assert!(game.view(&piled).flagged(lit).is_empty());
    let rival = text::parse_position(&game, "right b1=right:lamp c1=left:lamp+lit").unwrap();
    let taken = play(&game, &rival, "b1/c1");
    assert!(game.view(&taken).flagged(lit).is_empty(), "who captures does not inherit it");
    assert_eq!(taken.hash128(), game.full_hash(&taken));
}

#[test]
fn counters_stop_at_their_bounds() {
    let rule = |name: &str, by: i64| Rule::acts(name, name).then(Effect::add("n", by));
    let game = compile(
        Builder::new("counter")
            .player("one")
            .board(Grid::new(2, 1).along([EAST]))
            .variable(Variable::new("n", -3, 4).starting(0))
            .variable(Variable::new("huge", i64::MIN, i64::MAX).starting(7))
            .action("up")
            .action("down")
            .action("set")
            .action("boom")
            .phase(
                Phase::leaf("play")
                    .rule(rule("up", 3))
                    .rule(rule("down", -5))
                    .rule(Rule::acts("set", "set").then(Effect::set("n", 1000)))
                    .rule(Rule::acts("boom", "boom").then(Effect::add("huge", i64::MAX))),
            ),
    );
    let read = |state: &State, name: &str| {
        let view = game.view(state);
        view.variable(game.variable(name).unwrap(), view.player())
    };
    let mut state = game.start();
    let mut seen = Vec::new();
    for act in ["up", "up", "down", "down", "set"] {
        state = play(&game, &state, act);
        assert_eq!(state.hash128(), game.full_hash(&state));
        seen.push(read(&state, "n"));
    }
    assert_eq!(seen, [3, 4, -1, -3, 4]);
    assert_eq!(read(&play(&game, &state, "boom"), "huge"), i64::MAX, "no overflow");
}

#[test]
fn custom_code_answers_and_acts_by_name() {
    let builder = asking(Truth::Custom { name: "lucky".into() }).edit(|game| {
        game.phases[0].rules[0].after.push(Effect::custom("double"));
    });
    let mut customs = Customs::default();
    customs.conditions.insert(
        "lucky".into(),
        CustomCondition(|view, from, to| {
            assert_eq!((from, to), (None, None));
            !view.occupied().is_empty()
        }),
    );
    customs.effects.insert(
        "double".into(),
        CustomEffect(|draft, _, _| {
            let tile = draft.view().occupied().iter().next().expect("pieces stand there");
            draft.clear(tile);
        }),
    );
    let options = Options { customs, ..Options::default() };
    let game = builder.clone().build().compile(options).unwrap();
    let after = game.apply(&game.start(), ask(&game)).unwrap().state;
    assert_eq!(game.diff(&game.start(), &after).len(), 1, "one piece is gone");
    assert_eq!(after.hash128(), game.full_hash(&after));
    let missing = builder.build().compile(Options::default()).unwrap_err();
    assert_eq!(missing.0.len(), 2, "both names are missed: {missing}");
}
