//! Definitions whose states became wrong.

use senet_core::builder::{Grid, Track};
use senet_core::fault::Fault;
use senet_core::written::{
    Capacity, Effect, Fate, Flag, Kind, Movement, Number, Pattern, Phase, Putting, Rolling, Rule,
    Seat, Set, Tile, Truth,
};
use senet_core::{Builder, Event, text};

use super::{compiled, places, small, sound};

fn next(rule: Rule) -> Rule {
    rule.then(Effect::Turn(Seat::Next))
}

#[test]
fn dice_that_move_up_have_the_same_sides() {
    let mut board = Track::open(8).board();
    board.tiles.iter_mut().for_each(|tile| tile.holds = Capacity::Many);
    let game = |sides: u8| {
        Builder::new("dice")
            .players(["red", "blue"])
            .board(board.clone())
            .kind("man")
            .pieces_on("red", "man", ["1"])
            .pieces_on("blue", "man", ["1"])
            .die("two", 2)
            .die("six", sides)
            .phase(
                Phase::leaf("cup")
                    .when(Number::die("two").equals(0).and(Number::die("six").equals(0)))
                    .rule(Rule::rolls("roll", Rolling::of(["two", "six"]))),
            )
            .phase(
                Phase::leaf("move")
                    .rule(Rule::moves("go", Movement::any().by_dice(["two", "six"], "forward")))
                    .rule(next(Rule::acts("stop", "stop")).then(Effect::unroll(["two", "six"]))),
            )
            .action("stop")
            .build()
    };
    let found = places(game(6), |fault| matches!(fault, Fault::OutOfBounds { .. }));
    assert_eq!(found, ["phases/move/rules/go"]);
    sound(game(2));
}

#[test]
fn two_steps_together_from_one_source_move_one_piece() {
    let pairs = [
        vec![(Tile::named("a1"), Tile::named("a2")), (Tile::named("a1"), Tile::named("b2"))],
        vec![(Tile::named("a1"), Tile::named("a2")), (Tile::named("b1"), Tile::named("a2"))],
        vec![(Tile::named("a1"), Tile::named("b1")), (Tile::named("b1"), Tile::named("a1"))],
        vec![(Tile::named("a1"), Tile::named("a1")), (Tile::named("a1"), Tile::named("c3"))],
    ];
    for moves in pairs {
        let rule = next(Rule::acts("both", "both").then(Effect::Together(moves)));
        let go = next(Rule::moves("go", Movement::of(["man"])));
        let game = small().action("both").phase(Phase::leaf("play").rule(rule).rule(go));
        sound(game.build());
    }
}

#[test]
fn putting_every_piece_back_keeps_each_in_one_place() {
    let reset = Rule::acts("again", "again").then(Effect::Reset);
    let phase = Phase::leaf("play")
        .rule(next(Rule::puts("put", Putting::any())))
        .rule(next(Rule::moves("go", Movement::of(["man"]))))
        .rule(next(reset));
    sound(small().pieces("red", "man", 2).action("again").phase(phase).build());
    let put = Rule::puts("put", Putting::any()).then(Effect::Reset);
    let take = Effect::Capture { on: Set::foe(), to: Fate::Hand(Seat::Mover) };
    let phase = Phase::leaf("play")
        .rule(next(put))
        .rule(next(Rule::moves("go", Movement::of(["man"]).onto(Set::Empty)).then(take)));
    sound(small().pieces("red", "man", 1).pieces("blue", "man", 1).phase(phase).build());
    let phase = Phase::leaf("play")
        .rule(next(Rule::puts("put", Putting::any()).before(Effect::Reset)))
        .rule(next(Rule::moves("go", Movement::any()).before(Effect::Reset)));
    sound(small().kind(Kind::new("chip").unlimited()).pieces("red", "man", 1).phase(phase).build());
}

/// Two roll rules over one die, each open at its own time.
#[test]
fn rolls_of_one_die_by_two_rules_are_told_apart() {
    let mut board = Track::open(6).board();
    board.tiles.iter_mut().for_each(|tile| tile.holds = Capacity::Many);
    let unrolled = || Number::die("one").equals(0);
    let red = || Truth::turn("red");
    let game = Builder::new("rolls")
        .players(["red", "blue"])
        .board(board)
        .kind("man")
        .pieces_on("red", "man", ["1"])
        .pieces_on("blue", "man", ["1"])
        .die("one", 3)
        .die("two", 3)
        .action("stop")
        .phase(
            Phase::leaf("cup")
                .when(unrolled())
                .rule(Rule::rolls("alone", Rolling::of(["one"])).when(red()))
                .rule(Rule::rolls("both", Rolling::of(["one", "two"])).when(!red()))
                .rule(Rule::rolls("other way", Rolling::of(["two", "one"]).in_any_order())),
        )
        .phase(
            Phase::leaf("move")
                .rule(Rule::moves("go", Movement::any().by_dice(["one"], "forward")))
                .rule(next(Rule::acts("stop", "stop")).then(Effect::unroll(["one", "two"]))),
        );
    let game = sound(game.build());
    // Whatever dice are rolled, the text of a roll reads back as that roll.
    let state = game.start();
    game.each_possible(senet_core::EventKind::Roll, &mut |event: Event| {
        let written = text::format_event(&game, event);
        assert_eq!(text::parse_event(&game, &state, &written), Ok(event), "{written}");
    });
}

/// A piece that changed its kind, and pieces that wait off the board.
#[test]
fn a_position_text_tells_which_pieces_wait_off_the_board() {
    let promote = Movement::of(["man"]).onto(Set::Empty).choosing(["lord", "man"]);
    let take = Movement::any().onto(Set::foe());
    let phase = Phase::leaf("play")
        .rule(next(Rule::moves("rise", promote)))
        .rule(next(Rule::moves("take", take)))
        .rule(next(Rule::puts("put", Putting::any())));
    let lord = Kind::new("lord").travels(Pattern::steps(&senet_core::builder::EIGHT));
    let game = small().kind(lord).pieces("red", "lord", 1).pieces("blue", "man", 1).phase(phase);
    sound(game.build());
}

/// Positions that are equal have the same events, which lead to equal positions.
#[test]
fn equal_positions_have_the_same_future() {
    let promote = Movement::of(["man"]).choosing(["lord", "man"]);
    let lord = Kind::new("lord").travels(Pattern::steps(&senet_core::builder::EIGHT));
    let take = Effect::Capture { on: Set::at(Tile::To), to: Fate::Hand(Seat::Mover) };
    let phase = Phase::leaf("play")
        .rule(next(Rule::moves("take", promote).before(take)))
        .rule(next(Rule::puts("put", Putting::any())));
    let game = compiled(small().kind(lord).pieces("red", "lord", 1).phase(phase).build());
    let mut seen = std::collections::BTreeMap::new();
    for seed in 0..60 {
        let mut source = senet_testkit::Source::seeded(seed);
        let mut state = game.start();
        for _ in 0..14 {
            let legal = game.legal(&state);
            let after: Vec<u128> =
                legal.iter().map(|&one| game.apply(&state, one).unwrap().state.hash128()).collect();
            let position = text::format_position(&game, &state);
            let future = (legal.clone(), after);
            assert_eq!(
                seen.entry(position.clone()).or_insert(future.clone()),
                &future,
                "{position}"
            );
            let Some(event) = source.pick(&legal) else { break };
            state = game.apply(&state, event).unwrap().state;
        }
    }
}

#[test]
fn a_flag_that_serves_a_rule_stays_in_the_middle_of_a_turn() {
    // A turn of two events: the flag is set by the first, and the rule it serves opens for the foe.
    let first = Number::variable("step").equals(0);
    let grid = Grid::new(3, 3).eight();
    let game = Builder::new("serving")
        .players(["red", "blue"])
        .board(grid)
        .flag(Flag::new("weak").serving("strike"))
        .kind(Kind::new("man").travels(Pattern::steps(&senet_core::builder::EIGHT)))
        .pieces_on("red", "man", ["a1", "b1"])
        .pieces_on("blue", "man", ["a3", "b3"])
        .variable(senet_core::written::Variable::counter("step", 1))
        .action("done")
        .phase(
            Phase::leaf("first")
                .when(first)
                .rule(
                    Rule::moves(
                        "strike",
                        Movement::of(["man"]).onto(Set::foe() & Set::flag("weak")),
                    )
                    .then(Effect::set("step", 1)),
                )
                .rule(
                    Rule::moves("go", Movement::of(["man"]).onto(Set::Empty))
                        .then(Effect::set_flags(Set::at(Tile::To), ["weak"]))
                        .then(Effect::set("step", 1)),
                ),
        )
        .phase(
            Phase::leaf("second")
                .rule(next(Rule::acts("done", "done").then(Effect::set("step", 0)))),
        )
        .build();
    let game = sound(game);
    let state = game.start();
    let event = text::parse_event(&game, &state, "b1/b2").unwrap();
    let state = game.apply(&state, event).unwrap().state;
    assert!(text::format_position(&game, &state).contains("b2=red:man+weak"));
    let done = game.legal(&state)[0];
    let state = game.apply(&state, done).unwrap().state;
    assert!(text::format_position(&game, &state).contains("b2=red:man+weak"), "a foe can strike");
}
