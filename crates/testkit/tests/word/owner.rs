//! Acts that name a tile, sets that move at once, neutral owners and players who change seats.

use senet_core::fault::Fault;
use senet_core::written::Ending;
use senet_core::{Event, Game, NamedChange, Options, State, text};
use senet_testkit::oracle;

use super::*;

/// Two players on 4×3 and a pile that holds many, with as many pieces as a position names.
fn field() -> Builder {
    Builder::new("field")
        .players(["red", "blue"])
        .board(Grid::new(4, 3).eight())
        .stacks(["pile"])
        .flag("lit")
        .kind(Kind::new("rook").unlimited())
        .kind(Kind::new("stone").unlimited())
        .kind(Kind::new("king").royal().unlimited())
        .action("go")
}

/// A rule for the act `go` that names a tile of a set, with some effects.
fn picking(onto: Set, effects: impl IntoIterator<Item = Effect>) -> Definition {
    let rule = Rule::picks("pick", "go", onto).then_all(effects).then(Effect::Turn(Seat::Next));
    field().phase(Phase::leaf("play").rule(rule)).build()
}

fn compiled(definition: &Definition) -> Game {
    definition.clone().compile(Options::default()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn legal(game: &Game, state: &State) -> String {
    let events = game.legal(state).into_iter().map(|event| text::format_event(game, event));
    events.collect::<Vec<_>>().join(" ")
}

/// The position after an event, which the oracle reaches too.
fn after(definition: &Definition, position: &str, event: &str) -> String {
    let game = compiled(definition);
    let state = text::parse_position(&game, position).unwrap();
    oracle::agree_in(&game, &state);
    let event = text::parse_event(&game, &state, event).unwrap();
    text::format_position(&game, &game.apply(&state, event).unwrap().state)
}

const PLAIN: &str = "red a1=red:rook+lit b1=red:stone c1=blue:rook b2=blue:king";

#[test]
fn an_act_names_a_tile_of_a_set() {
    let definition = picking(Set::foe(), [Effect::Clear(Set::at(Tile::To))]);
    let game = compiled(&definition);
    let state = text::parse_position(&game, PLAIN).unwrap();
    assert_eq!(legal(&game, &state), "go@c1 go@b2");
    assert_eq!(
        after(&definition, PLAIN, "go@b2"),
        "blue a1=red:rook+lit b1=red:stone c1=blue:rook"
    );
    let event = text::parse_event(&game, &state, "go@a1").unwrap();
    let refused = game.apply(&state, event).unwrap_err();
    assert_eq!(refused.reasons[0].code(), "onto");
    assert!(game.event_space().contains(&event), "the set is not known before the game");
    assert!(text::parse_event(&game, &state, "go@z9").is_err());
    let act = Event::Act(game.action("go").unwrap());
    assert!(game.apply(&state, act).is_err(), "an act without a tile is another event");
}

#[test]
fn what_an_act_names_is_asked_tile_by_tile_where_it_must_be() {
    let far = Truth::Compare {
        left: Number::Count(Set::between(named("a1"), Tile::To)),
        is: senet_core::written::Comparison::AtLeast,
        right: Number::Is(1),
    };
    let rule = Rule::picks("pick", "go", Set::foe()).when(far);
    let rule = rule.then(Effect::Clear(Set::at(Tile::To))).ensuring(Set::Royal.any());
    let rule = rule.then(Effect::Turn(Seat::Next));
    let definition = field().phase(Phase::leaf("play").rule(rule)).build();
    let game = compiled(&definition);
    let state = text::parse_position(&game, PLAIN).unwrap();
    assert_eq!(legal(&game, &state), "go@c1", "b2 lies next to a1, and a king must stay");
    oracle::agree_in(&game, &state);
}

#[test]
fn an_act_that_names_tiles_is_no_kind() {
    let rule = Rule::picks("pick", "rook", Set::Board);
    let written = field().action("rook").phase(Phase::leaf("play").rule(rule)).build();
    let errors = written.compile(Options::default()).unwrap_err();
    assert!(matches!(errors.0[0].fault, Fault::Duplicate { .. }), "{errors}");
}

#[test]
fn a_set_of_pieces_moves_at_once() {
    let east = |on: Set| Effect::Shift { on, along: vec![EAST.into()] };
    let moved = after(&picking(Set::Board, [east(Set::occupied())]), PLAIN, "go@a1");
    assert_eq!(moved, "blue b1=red:rook+lit c1=red:stone d1=blue:rook c2=blue:king");
    let own = after(&picking(Set::Board, [east(Set::own())]), PLAIN, "go@a1");
    assert_eq!(own, "blue b1=red:rook+lit c1=red:stone b2=blue:king", "it captures where it lands");
    let south = Effect::Shift { on: Set::at(Tile::To), along: vec![SOUTH.into()] };
    let out = after(&picking(Set::Board, [south]), PLAIN, "go@a1");
    assert_eq!(out, "blue b1=red:stone c1=blue:rook b2=blue:king", "no tile is out of play");
    let stack = "red a1=red:rook pile=red:stone*2,blue:rook";
    let same = after(&picking(Set::Board, [east(Set::tiles(["pile"]))]), stack, "go@a1");
    assert_eq!(same, "blue a1=red:rook", "every piece of a stack goes");
}

/// Red and blue with rooks, and a stone of nobody between them.
fn with_neutral(rules: impl IntoIterator<Item = Rule>) -> Builder {
    let phase = rules.into_iter().fold(Phase::leaf("play"), Phase::rule);
    Builder::new("neutral")
        .players(["red", "blue"])
        .player(Player::new("nobody").neutral())
        .board(Grid::new(4, 2).eight())
        .kind(Kind::new("rook").travels(Pattern::slides(&FOUR)))
        .kind("stone")
        .pieces_on("red", "rook", ["a1"])
        .pieces_on("blue", "rook", ["d1"])
        .pieces_on("nobody", "stone", ["c1"])
        .phase(phase)
}

#[test]
fn neutral_pieces_belong_to_nobody_who_plays() {
    let definition = with_neutral([rook()]).build();
    let oracle = Oracle::new(&definition);
    let start = oracle.start();
    let of = |player: &str, who: Who| oracle.tiles(&start, player, &Set::Owned(who)).join(" ");
    assert_eq!(of("red", Who::Foe), "d1");
    assert_eq!(of("red", Who::Friend), "a1");
    assert_eq!(of("red", Who::Ally), "");
    assert_eq!(of("red", Who::Anyone), "a1 c1 d1");
    assert_eq!(of("blue", Who::player("nobody")), "c1");
    let game = compiled(&definition);
    assert_eq!(legal(&game, &game.start()), "a1/b1 a1/a2", "a neutral piece is in the way");
    oracle::agree_in(&game, &game.start());
    let after = game.apply(&game.start(), game.legal(&game.start())[0]).unwrap().state;
    assert_eq!(game.player_name(game.view(&after).player()), "blue");
    let again = game.apply(&after, game.legal(&after)[0]).unwrap().state;
    assert_eq!(game.player_name(game.view(&again).player()), "red", "nobody has no turn");
}

#[test]
fn who_is_neutral_has_no_turn_no_win_and_comes_last() {
    let gives = rook().then(Effect::Turn(Seat::player("nobody")));
    let wins = Ending::win("so", Seat::player("nobody")).when(Set::Empty.none());
    let first = Builder::new("first")
        .player(Player::new("nobody").neutral())
        .players(["red"])
        .board(Grid::new(2, 1).eight())
        .kind("stone")
        .pieces_on("red", "stone", ["a1"])
        .phase(Phase::leaf("play").rule(enter_nothing()))
        .build();
    for written in
        [with_neutral([gives]).build(), with_neutral([rook()]).ending(wins).build(), first]
    {
        let errors = written.compile(Options::default()).unwrap_err();
        assert!(errors.0.iter().any(|one| matches!(one.fault, Fault::Neutral { .. })), "{errors}");
    }
}

fn enter_nothing() -> Rule {
    Rule::puts("enter", Putting::of(["stone"])).then(Effect::Turn(Seat::Next))
}

/// Red and blue put stones; blue may change seats once, and the first on a1 wins.
fn with_swap() -> Definition {
    let put = Rule::puts("put", Putting::of(["stone"])).then(Effect::Turn(Seat::Next));
    let one = Number::Count(Set::occupied()).equals(1);
    let swap = Rule::acts("swap", "swap").when(one).then(Effect::swap_seats("swapped"));
    let win = Ending::win("a1", Seat::Mover).of_each();
    Builder::new("swap")
        .players(["red", "blue"])
        .board(Grid::new(2, 2).eight())
        .kind(Kind::new("stone").unlimited())
        .variable(Variable::counter("swapped", 1).swapping_seats())
        .action("swap")
        .phase(Phase::leaf("play").rule(put).rule(swap))
        .ending(win.when(named("a1").is_in(Set::own())))
        .build()
}

#[test]
fn players_change_seats_and_with_them_turns_and_wins() {
    let definition = with_swap();
    let game = compiled(&definition);
    let play = |state: &State, event: &str| {
        oracle::agree_in(&game, state);
        let event = text::parse_event(&game, state, event).unwrap();
        game.apply(state, event).unwrap().state
    };
    let name = |player| game.player_name(player).to_owned();
    let put = play(&game.start(), "stone@b2");
    assert_eq!(name(game.view(&put).player()), "blue");
    let swapped = play(&put, "swap");
    let view = game.view(&swapped);
    assert_eq!((name(view.seat()), name(view.player())), ("blue".into(), "red".into()));
    let won = play(&swapped, "stone@a1");
    let outcome = game.outcome(&won).unwrap();
    assert_eq!(outcome.winner.map(name).as_deref(), Some("red"), "who holds the seat of blue");
    assert_eq!(outcome.scores, [1, -1]);
    let kept = play(&put, "stone@a1");
    assert_eq!(game.outcome(&kept).unwrap().scores, [-1, 1]);
    assert_ne!(swapped.hash(), put.hash(), "who holds which seat is part of the position");
}

#[test]
fn only_two_players_change_seats() {
    let three = table().variable(Variable::counter("swapped", 1).swapping_seats());
    let errors = three.phase(Phase::leaf("play").rule(rook())).build().compile(Options::default());
    assert!(errors.is_err());
    let wide = Variable::counter("swapped", 2).swapping_seats();
    let definition = with_neutral([rook()]).variable(wide).build();
    assert!(definition.compile(Options::default()).is_err(), "it is 0 or 1");
}

#[test]
fn a_difference_names_owners_marks_and_hands() {
    let effects = [
        Effect::Give { on: Set::tiles(["b1"]), to: Seat::Next },
        Effect::Mark { on: Set::tiles(["a2"]), set: vec!["burnt".into()], clear: Vec::new() },
        Effect::Capture { on: Set::tiles(["c1"]), to: Fate::Hand(Seat::Mover) },
    ];
    let rule = Rule::acts("go", "go").then_all(effects);
    let definition = Builder::new("change")
        .players(["red", "blue"])
        .board(Grid::new(3, 2).eight())
        .mark("burnt")
        .kind("stone")
        .pieces_on("red", "stone", ["a1", "b1"])
        .pieces_on("blue", "stone", ["c1"])
        .action("go")
        .phase(Phase::leaf("play").rule(rule))
        .build();
    let game = compiled(&definition);
    let before = game.start();
    let after = game.apply(&before, game.legal(&before)[0]).unwrap().state;
    let named = game.diff(&before, &after).into_iter().map(|one| game.name_change(one));
    let expected = [
        NamedChange::Owner { piece: "red-stone-2", from: "red", to: "blue" },
        NamedChange::Piece { piece: "blue-stone-1", from: Some("c1"), to: None },
        NamedChange::Owner { piece: "blue-stone-1", from: "blue", to: "red" },
        NamedChange::Hand { player: "red", kind: "stone", from: 0, to: 1 },
        NamedChange::Mark { tile: "a2", mark: "burnt", set: true },
    ];
    assert_eq!(named.collect::<Vec<_>>(), expected);
}
