//! Games in which pieces are put: what is worked out beforehand says what the rules say.

use senet_core::builder::{CLOCKWISE, EAST, EIGHT, LINES, NORTH, SIX, SOUTH, WEST};
use senet_core::builder::{Grid, Hex, Track};
use senet_core::written::{
    Effect, Ending, Fate, Flag, Kind, Movement, Number, Pattern, Phase, Player, Putting, Rule,
    Seat, Set, Tile, Truth, Variable, Who,
};
use senet_core::{Builder, Definition, Event, Game, Options, State};
use senet_testkit::{Source, playout};

/// How far a game is played.
const PLIES: usize = 150;

fn compile(definition: &Definition, options: Options) -> Game {
    definition.clone().compile(options).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The game with all that is worked out beforehand, and by the rules alone.
fn both(definition: &Definition) -> [Game; 2] {
    let plain = Options { decision_plan: false, ..Options::default() };
    [compile(definition, Options::default()), compile(definition, plain)]
}

/// Both ways say the same of every state of some random games.
fn agree(definition: &Definition, games: u64) {
    let [quick, plain] = both(definition);
    let mut walker = quick.walker();
    for seed in 0..games {
        let mut source = Source::seeded(seed);
        let mut state = quick.start();
        for _ in 0..PLIES {
            let legal = plain.legal(&state);
            say_the_same(&[&quick, &plain], &state, &legal, &mut source);
            if legal.is_empty() {
                break;
            }
            let place = source.below(legal.len() as u64);
            let picked = walker.pick(&state, |_| place).expect("it is in the list");
            assert_eq!(picked.event(), legal[place as usize]);
            let (one, two) =
                (quick.apply(&state, picked.event()), plain.apply(&state, picked.event()));
            assert_eq!(one, two);
            state = walker.play(&state, picked);
            assert_eq!(Ok(&state), one.as_ref().map(|step| &step.state));
            assert_eq!(quick.full_hash(&state), state.hash128());
        }
        let [one, two] = [&quick, &plain]
            .map(|game| playout(game, &game.start(), &mut Source::for_game(seed, 1), PLIES));
        assert_eq!(one, two);
    }
}

/// Both ways say the same of a state.
fn say_the_same(games: &[&Game; 2], state: &State, legal: &[Event], source: &mut Source) {
    let [quick, plain] = games;
    let count = legal.len() as u64;
    assert_eq!(quick.legal(state), legal);
    assert_eq!(quick.legal_count(state), count);
    assert_eq!(quick.has_legal(state), count > 0);
    assert_eq!(quick.asides(state), plain.asides(state));
    assert_eq!(quick.outcome(state), plain.outcome(state));
    assert_eq!(quick.outcome_with_events(state), plain.outcome_with_events(state));
    assert_eq!(quick.active_phase(state), plain.active_phase(state));
    let [mut walker, mut rules] = games.map(Game::walker);
    for (place, &event) in legal.iter().enumerate() {
        let accepted = walker.accept(state, event);
        assert_eq!(accepted, rules.accept(state, event));
        assert_eq!(walker.pick(state, |_| place as u64), accepted);
    }
    assert_eq!(walker.pick(state, |all| all + source.below(4)), None);
    for _ in 0..8 {
        let tile = source.below(quick.tile_count() as u64) as usize;
        let (Some(to), Some(kind)) =
            (quick.tiles().nth(tile), source.pick(&quick.kinds().collect::<Vec<_>>()))
        else {
            continue;
        };
        let event = Event::Put { kind, to };
        assert_eq!(walker.accept(state, event).is_some(), legal.contains(&event));
        assert_eq!(quick.apply(state, event), plain.apply(state, event));
    }
    for depth in 0..=if count < 12 { 3 } else { u32::from(count < 40) + 1 } {
        assert_eq!(quick.perft(state, depth), plain.perft(state, depth));
        assert_eq!(quick.perft_made(state, depth), plain.perft_made(state, depth));
    }
}

fn full() -> Ending {
    Ending::draw("full").when(Set::Empty.none())
}

/// Two players who put stones on a grid, by a rule, until one has `length` in a row.
fn rows((columns, rows): (u16, u16), length: u16, rule: Rule) -> Definition {
    let tiles = usize::from(columns * rows);
    let line = Truth::line(length, &LINES, Set::own());
    Builder::new("rows")
        .players(["one", "two"])
        .board(Grid::new(columns, rows).along(EIGHT))
        .region("floor", (0..columns).map(|column| format!("{}1", char::from(b'a' + column as u8))))
        .kind("stone")
        .pieces("one", "stone", tiles.div_ceil(2))
        .pieces("two", "stone", tiles / 2)
        .phase(Phase::leaf("play").rule(rule.then(Effect::Turn(Seat::Next))))
        .ending(Ending::win("a row", Seat::Mover).of_each().when(line))
        .ending(full())
        .build()
}

fn anywhere() -> Rule {
    Rule::puts("put", Putting::any().onto(Set::Empty))
}

#[test]
fn stones_that_fall_onto_others() {
    let on_floor = Tile::To.is_in(Set::region("floor"));
    let on_stone = Tile::To.then(&[SOUTH]).is_in(!Set::Empty);
    let rule = Rule::puts("drop", Putting::any()).when(on_floor.or(on_stone).called("it falls"));
    agree(&rows((7, 6), 4, rule), 6);
}

#[test]
fn rows_on_boards_of_every_width() {
    agree(&rows((8, 8), 4, anywhere()), 2);
    agree(&rows((11, 9), 4, anywhere()), 1);
    agree(&rows((15, 15), 4, anywhere()), 1);
    agree(&rows((19, 19), 4, anywhere()), 1);
    for side in [4, 8, 10, 15, 19] {
        let game = compile(&rows((side, side), 4, anywhere()), Options::default());
        assert_eq!(game.legal_count(&game.start()), u64::from(side * side));
    }
}

/// Three players on a hex board of 61 or 91 tiles: two kinds, few pieces of one, rules that both
/// put the other, flags that fade, numbers that grow. What a rule refuses another may accept.
fn hexes(radius: u8, refusing: bool) -> Definition {
    let seed = || Tile::To.is_in(Set::region("seeds"));
    let near = || (Set::own() & Set::kind("stone")).around();
    let grow = if refusing {
        Rule::puts("grow", Putting::of(["stone"]).onto(Set::Empty))
            .when(seed().or(Tile::To.is_in(near())))
    } else {
        Rule::puts("grow", Putting::of(["stone"]).onto(near() & Set::Empty))
    };
    let start = Putting::of(["stone"]).onto(Set::region("seeds"));
    let puts = || Number::variable("puts");
    let line = Truth::line(4, &SIX, Set::Owned(Who::Friend));
    let flagged = Truth::line(3, &SIX, Set::own() & Set::flag("warm"));
    let apart = !Set::foe().around();
    let ends = |rule: Rule| rule.then(Effect::add("puts", 1)).then(Effect::Turn(Seat::Next));
    Builder::new("hexes")
        .player(Player::new("red").team("warm"))
        .player(Player::new("blue"))
        .player(Player::new("gold").team("warm"))
        .board(Hex::hexagon(radius))
        .region("seeds", ["e5", "f5", "e6", "f6"])
        .flag("warm")
        .flag(Flag::ephemeral("fresh"))
        .kind("stone")
        .kind("tower")
        .pieces("red", "stone", 14)
        .pieces("red", "tower", 2)
        .pieces("blue", "stone", 13)
        .pieces("blue", "tower", 3)
        .pieces("gold", "stone", 12)
        .variable(Variable::counter("puts", 60).per_player())
        .variable(Variable::counter("all", 300).beside())
        .phase(
            Phase::leaf("play")
                .rule(ends(
                    grow.then(Effect::set_flags(Set::at(Tile::To), ["fresh"]))
                        .then(Effect::add("all", 1)),
                ))
                .rule(ends(Rule::puts("start", start)))
                .rule(ends(
                    Rule::puts("settle", Putting::any().onto(apart))
                        .when(!seed())
                        .when(puts().at_least(2))
                        .then(Effect::set_flags(Set::at(Tile::To), ["warm"])),
                )),
        )
        .ending(Ending::win("a line of friends", Seat::Mover).of_each().when(line))
        .ending(Ending::win("a warm line", Seat::Next).when(flagged.and(!Truth::turn("blue"))))
        .ending(
            Ending::win("many", Seat::Mover)
                .of_each()
                .when(Number::pieces_of_kind(Set::Board, Who::Foe, "stone").at_least(puts() + 16)),
        )
        .ending(Ending::draw("nothing is left").when(Truth::Stuck))
        .build()
}

#[test]
fn hexes_with_teams_kinds_flags_and_numbers() {
    for refusing in [false, true] {
        agree(&hexes(4, refusing), 3);
        agree(&hexes(5, refusing), 2);
    }
}

/// Stones that take what lies beside them, so that pieces come back to the hand, and that may
/// become something else.
fn skirmish(changing: bool) -> Definition {
    let foe = Set::at(Tile::To.then(&[EAST])) & Set::foe();
    let own = Set::at(Tile::To.then(&[WEST])) & Set::own();
    let mut rule = anywhere()
        .then(Effect::Capture { on: foe, to: Fate::Hand(Seat::Next) })
        .then(Effect::Capture { on: own, to: Fate::Hand(Seat::Mover) });
    if changing {
        let below = Tile::To.then(&[SOUTH]).is_in(Set::occupied());
        rule = rule.then(Effect::when(below, [Effect::becomes(Set::at(Tile::To), "tower")]));
    }
    Builder::new("skirmish")
        .players(["one", "two"])
        .board(Grid::new(4, 4).along(EIGHT))
        .kind("stone")
        .kind("tower")
        .pieces("one", "stone", 3)
        .pieces("two", "stone", 3)
        .pieces("one", "tower", 2)
        .pieces("two", "tower", 2)
        .phase(Phase::leaf("play").rule(rule.then(Effect::Turn(Seat::Next))))
        .ending(Ending::win("three", Seat::Mover).of_each().when(Truth::line(
            3,
            &LINES,
            Set::own() & Set::kind("stone"),
        )))
        .build()
}

#[test]
fn pieces_that_come_back_to_the_hand() {
    agree(&skirmish(false), 6);
    agree(&skirmish(true), 6);
}

/// Pieces are put first and moved when none is left; a row wins, and on the ring there are many.
fn mill(ring: bool) -> Definition {
    let board = if ring {
        Track::ring(8).board().prefixed("r")
    } else {
        Grid::new(4, 3).along(EIGHT).board()
    };
    let ways: &[&str] = if ring { &[CLOCKWISE] } else { &LINES };
    let step = if ring { Pattern::step(CLOCKWISE) } else { Pattern::steps(&EIGHT) };
    let placed = || Number::pieces(Set::Board, Who::Anyone);
    Builder::new("mill")
        .players(["one", "two"])
        .board(board)
        .kind(Kind::new("man").travels(step))
        .pieces("one", "man", 3)
        .pieces("two", "man", 3)
        .variable(Variable::counter("moves", 40).beside())
        .action("pass")
        .phase(
            Phase::leaf("enter")
                .when(placed().less_than(6))
                .rule(anywhere().then(Effect::Turn(Seat::Next)))
                .rule(Rule::acts("pass", "pass").aside().then(Effect::Turn(Seat::Next))),
        )
        .phase(
            Phase::leaf("go")
                .rule(
                    Rule::moves("go", Movement::any().onto(Set::Empty))
                        .then(Effect::add("moves", 1))
                        .then(Effect::Turn(Seat::Next)),
                )
                .rule(
                    Rule::acts("stay", "pass")
                        .otherwise()
                        .then(Effect::add("moves", 1))
                        .then(Effect::Turn(Seat::Next)),
                ),
        )
        .ending(Ending::win("a row", Seat::Mover).of_each().when(Truth::line(3, ways, Set::own())))
        .ending(Ending::draw("late").when(Number::variable("moves").at_least(40)))
        .build()
}

#[test]
fn pieces_that_are_put_before_they_move() {
    agree(&mill(false), 6);
    agree(&mill(true), 6);
}

#[test]
fn what_planes_cannot_say_is_asked_of_the_rules() {
    let seen = Tile::first(Tile::To, NORTH, !Set::Empty);
    let blocked = seen.is_in(Set::foe());
    agree(&rows((5, 5), 3, anywhere().when(!blocked)), 4);
    let lonely = Truth::line(2, &[EAST], Set::own());
    agree(&rows((5, 5), 3, anywhere().ensuring(!lonely)), 4);
    let near = Set::at(Tile::named("a1"));
    agree(&rows((4, 4), 3, Rule::puts("put", Putting::any().onto(near & Set::Empty))), 2);
}
