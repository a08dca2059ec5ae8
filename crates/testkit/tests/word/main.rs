//! What each word means, by the oracle: on a plain board, for no tile, for the empty set, on a stack
//! and for a player who is not to move.

mod ending;
mod owner;
mod turn;
mod way;

use senet_core::builder::{EAST, EIGHT, FOUR, NORTH, SOUTH, WEST};
use senet_core::builder::{Grid, Track};
use senet_core::written::{
    Binding, Effect, Fate, Flag, Kind, Movement, Number, Pattern, Phase, Player, Putting, Relation,
    Rule, Seat, Set, Tile, Truth, Variable, Who,
};
use senet_core::{Builder, Definition};
use senet_testkit::oracle::{Oracle, Position};

/// Red and gold against blue on 4×3, a ring of four beside it, and a pile that holds many.
fn table() -> Builder {
    Builder::new("table")
        .player(Player::new("red").team("warm").facing("ahead", NORTH))
        .player(Player::new("blue").facing("ahead", SOUTH))
        .player(Player::new("gold").team("warm").facing("ahead", NORTH))
        .board(Grid::new(4, 3).eight())
        .board(Track::ring(4).board().prefixed("r"))
        .stacks(["pile", "pit"])
        .region("edge", ["a1", "a2", "a3"])
        .region_of("red", "home", ["a1"])
        .region_of("blue", "home", ["d3"])
        .region_of("gold", "home", ["d1"])
        .flag("lit")
        .mark("burnt")
        .kind(Kind::new("rook").travels(Pattern::slides(&FOUR)).attribute("worth", 5))
        .kind(Kind::new("stone").attribute("worth", 2).unlimited())
        .kind(Kind::new("king").royal())
        .pieces("red", "king", 2)
        .variable(Variable::new("n", -100, 100).starting(7))
        .variable(Variable::counter("score", 50).per_player())
        .die("die", 6)
        .action("go")
}

/// Red has a1 and b1, blue c1 and b2, gold d3; three on the pile.
const POSITION: &str = "red a1=red:rook+lit b1=red:stone c1=blue:rook b2=blue:king d3=gold:stone \
    pile=red:stone*2,blue:rook hand.red=king*2 hand.blue= hand.gold= mark.burnt=b3,c3 \
    var.score:blue=4";

struct Asked {
    definition: Definition,
    position: Position,
}

impl Asked {
    fn new() -> Asked {
        let definition = table().phase(Phase::leaf("play").rule(rook()).rule(enter())).build();
        let position = Oracle::new(&definition).read(POSITION);
        Asked { definition, position }
    }

    fn oracle(&self) -> Oracle<'_> {
        Oracle::new(&self.definition)
    }

    /// The tiles of a set, asked about red.
    fn tiles(&self, set: &Set) -> String {
        self.of("red", set)
    }

    fn of(&self, player: &str, set: &Set) -> String {
        self.oracle().tiles(&self.position, player, set).join(" ")
    }

    fn tile(&self, tile: &Tile) -> String {
        self.oracle().tile(&self.position, "red", tile).unwrap_or_default()
    }

    fn number(&self, number: &Number) -> i64 {
        self.oracle().number(&self.position, "red", number)
    }

    fn holds(&self, truth: &Truth) -> bool {
        self.oracle().holds(&self.position, "red", truth)
    }
}

fn rook() -> Rule {
    Rule::moves("go", Movement::of(["rook"])).then(Effect::Turn(Seat::Next))
}

/// Kings are held in hand where a rule puts them, though this one never does.
fn enter() -> Rule {
    Rule::puts("enter", Putting::of(["king", "rook"]).onto(nothing()))
}

fn named(name: &str) -> Tile {
    Tile::named(name)
}

/// A tile that does not exist: a step that leaves the board.
fn nowhere() -> Tile {
    named("a1").then(&[SOUTH])
}

fn nothing() -> Set {
    Set::Tiles(Vec::new())
}

#[test]
fn sets_of_what_stands_somewhere() {
    let it = Asked::new();
    assert_eq!(it.tiles(&Set::own()), "a1 b1 pile");
    assert_eq!(it.tiles(&Set::foe()), "c1 b2 pile");
    assert_eq!(it.of("blue", &Set::foe()), "a1 b1 d3 pile", "of who is not to move");
    assert_eq!(it.tiles(&Set::Owned(Who::Ally)), "d3");
    assert_eq!(it.tiles(&Set::Owned(Who::Friend)), "a1 b1 d3 pile");
    assert_eq!(it.tiles(&Set::Owned(Who::player("gold"))), "d3");
    assert_eq!(it.tiles(&Set::kind("rook")), "a1 c1 pile");
    assert_eq!(it.tiles(&Set::Royal), "b2");
    assert_eq!(it.tiles(&Set::flag("lit")), "a1");
    assert_eq!(it.tiles(&Set::mark("burnt")), "b3 c3");
    assert_eq!(it.tiles(&Set::AtLeast(2, Who::Mover)), "pile");
    assert_eq!(it.tiles(&Set::AtLeast(1, Who::Foe)), "c1 b2 pile");
    assert_eq!(it.tiles(&(Set::Empty & Set::region("edge"))), "a2 a3");
    assert!(!it.tiles(&Set::Empty).contains("pile"));
}

#[test]
fn sets_by_name_and_their_algebra() {
    let it = Asked::new();
    assert_eq!(it.tiles(&Set::region("home")), "a1");
    assert_eq!(it.of("blue", &Set::region("home")), "d3", "of who is asked about");
    assert_eq!(it.tiles(&Set::region_of("home", Seat::Previous)), "d1");
    assert_eq!(it.tiles(&Set::tiles(["c2", "a1"])), "a1 c2", "in the order of the board");
    assert_eq!(it.tiles(&Set::at(named("c2"))), "c2");
    assert_eq!(it.tiles(&Set::at(nowhere())), "", "no tile");
    assert_eq!(it.tiles(&(Set::own() - Set::kind("rook"))), "b1", "a rook lies on the pile");
    assert_eq!(it.tiles(&(Set::region("edge") | Set::Royal)), "a1 a2 b2 a3");
    assert_eq!(it.tiles(&Set::All(Vec::new())), it.tiles(&Set::Board));
    assert_eq!(it.tiles(&Set::Any(Vec::new())), "");
    assert_eq!(it.tiles(&!Set::at(nowhere())), it.tiles(&Set::Board));
}

#[test]
fn sets_a_step_away() {
    let it = Asked::new();
    assert_eq!(it.tiles(&Set::own().then(&[EAST])), "b1 c1");
    assert_eq!(it.tiles(&Set::own().then(&["ahead", EAST])), "b2 c2");
    assert_eq!(it.of("blue", &Set::tiles(["a2"]).then(&["ahead"])), "a1", "as he faces");
    assert_eq!(it.tiles(&nothing().then(&[EAST])), "");
    assert_eq!(it.tiles(&Set::tiles(["a1"]).around()), "b1 a2 b2");
    assert_eq!(it.tiles(&Set::tiles(["a1", "b1"]).around()), "a1 b1 c1 a2 b2 c2");
    let beside = Set::Around(Box::new(Set::tiles(["b2"])), vec![NORTH.into(), WEST.into()]);
    assert_eq!(it.tiles(&beside), "a2 b3");
    assert_eq!(it.tiles(&Set::tiles(["pile"]).around()), "");
}

#[test]
fn sets_along_a_way() {
    let it = Asked::new();
    assert_eq!(it.tiles(&Set::ray(named("b1"), EAST)), "c1 d1", "whatever stands there");
    assert_eq!(it.tiles(&Set::ray(nowhere(), EAST)), "");
    assert_eq!(it.tiles(&Set::ray(named("r2"), "clockwise")), "r1 r3 r4", "once around");
    let run = |from, over, end| Set::run(from, EAST, over, end);
    assert_eq!(it.tiles(&run(named("a1"), Set::own(), None)), "b1");
    assert_eq!(it.tiles(&run(named("a1"), Set::own(), Some(Set::foe()))), "b1");
    assert_eq!(it.tiles(&run(named("a1"), Set::own(), Some(Set::Empty))), "");
    assert_eq!(it.tiles(&run(named("a3"), !Set::own(), None)), "b3 c3 d3", "to the edge");
    assert_eq!(it.tiles(&run(named("a3"), !Set::own(), Some(Set::Board))), "", "no end there");
    assert_eq!(it.tiles(&run(named("a1"), Set::foe(), Some(Set::own()))), "");
    assert_eq!(it.tiles(&run(nowhere(), Set::Board, None)), "");
    let around = |end| Set::run(named("r1"), "clockwise", Set::Empty, end);
    assert_eq!(it.tiles(&around(None)), "r2 r3 r4", "the start is not part of it");
    assert_eq!(it.tiles(&around(Some(Set::Board))), "", "a way that comes round has no end");
    assert_eq!(it.tiles(&Set::span(named("a1"), named("c3"))), "a1 b2 c3");
    assert_eq!(it.tiles(&Set::span(named("a1"), named("a1"))), "a1");
    assert_eq!(it.tiles(&Set::span(named("a1"), named("c2"))), "", "no straight line");
    assert_eq!(it.tiles(&Set::span(named("a1"), nowhere())), "");
    assert_eq!(it.tiles(&Set::between(named("d3"), named("a3"))), "b3 c3");
    assert_eq!(it.tiles(&Set::between(named("a1"), named("b1"))), "");
}

#[test]
fn sets_that_are_connected() {
    let it = Asked::new();
    let own_or_foe = || Set::tiles(["a1", "b1", "b2", "d3"]);
    assert_eq!(it.tiles(&own_or_foe().group_at(named("a1"), &[])), "a1 b1 b2");
    assert_eq!(it.tiles(&own_or_foe().group_at(named("b2"), &[EAST])), "b2");
    assert_eq!(it.tiles(&own_or_foe().group_at(named("b1"), &[EAST])), "a1 b1", "either way");
    assert_eq!(it.tiles(&own_or_foe().group_at(named("c3"), &[])), "", "not in the set");
    assert_eq!(it.tiles(&own_or_foe().group_at(nowhere(), &[])), "");
    let west_to_east = Set::tiles(["a1", "b1", "c1"]).reached_from(Set::tiles(["b1"]), &[EAST]);
    assert_eq!(it.tiles(&west_to_east), "b1 c1", "as the steps lead");
    let outside = Set::tiles(["b1", "c1"]).reached_from(Set::tiles(["a1"]), &[]);
    assert_eq!(it.tiles(&outside), "", "from within the set only");
    assert_eq!(it.tiles(&Set::tiles(["a1", "b1", "c1", "c2"]).lines(3, &[EAST])), "a1 b1 c1");
    assert_eq!(it.tiles(&Set::Board.lines(5, &[EAST])), "");
}

#[test]
fn what_is_attacked() {
    let it = Asked::new();
    assert_eq!(it.tiles(&Set::Attacked(Who::Mover)), "b1 a2 a3", "up to the own stone");
    assert_eq!(it.tiles(&Set::Attacked(Who::Foe)), "b1 d1 c2 c3", "and of who is not to move");
    assert_eq!(it.tiles(&Set::Attacked(Who::Ally)), "");
    let rule = |movement| {
        let definition =
            table().phase(Phase::leaf("play").rule(Rule::moves("go", movement))).build();
        let oracle = Oracle::new(&definition);
        oracle.tiles(&oracle.read(POSITION), "red", &Set::Attacked(Who::Mover)).join(" ")
    };
    let rook = || Movement::of(["rook"]);
    assert_eq!(rule(rook().harmless()), "");
    assert_eq!(rule(rook().onto(Set::Empty)), "", "a foe would stand there");
    assert_eq!(rule(rook().onto(Set::foe() & Set::kind("king"))), "b1 a2 a3", "it may be a king");
    assert_eq!(rule(rook().onto(Set::foe() - Set::kind("king"))), "b1 a2 a3", "and may be none");
    assert_eq!(rule(rook().onto(Set::region("edge"))), "a2 a3");
    assert_eq!(rule(rook().source(Set::region("edge") - Set::flag("lit"))), "");
    assert_eq!(rule(rook().to_first(FOUR)), "", "such a way threatens nothing");
    let when = |truth| {
        let rule = Rule::moves("go", rook()).when(truth).ensuring(Truth::Never);
        let definition = table().phase(Phase::leaf("play").when(Truth::Never).rule(rule)).build();
        let oracle = Oracle::new(&definition);
        oracle.tiles(&oracle.read(POSITION), "blue", &Set::Attacked(Who::Foe)).join(" ")
    };
    assert_eq!(when(Truth::turn("red")), "b1 a2 a3");
    assert_eq!(when(Tile::To.is_in(Set::region("edge"))), "a2 a3");
}

#[test]
fn sets_by_question_and_for_each_value_of_a_name() {
    let it = Asked::new();
    let either = |truth| Set::If(Box::new(truth), Box::new(Set::Royal), Box::new(Set::flag("lit")));
    assert_eq!(it.tiles(&either(Truth::Always)), "b2");
    assert_eq!(it.tiles(&either(nowhere().is_in(Set::Board))), "a1", "no tile is in no set");
    let ways = Binding::directions("way", &[EAST, "ahead"]);
    assert_eq!(it.tiles(&Set::union(ways, Set::ray(named("b1"), "way"))), "c1 d1 b2 b3");
    let tiles = Binding::tiles("tile", Set::own());
    let east = Set::at(Tile::name("tile").then(&[EAST]));
    assert_eq!(it.tiles(&Set::union(tiles, east)), "b1 c1");
    let groups = Binding::groups("group", Set::tiles(["a1", "a2", "c1"]), &FOUR);
    let large = Number::Count(Set::name("group")).at_least(2);
    let large = Set::If(Box::new(large), Box::new(Set::name("group")), Box::new(nothing()));
    assert_eq!(it.tiles(&Set::union(groups, large)), "a1 a2");
    let none = Binding::tiles("tile", nothing());
    assert_eq!(it.tiles(&Set::union(none, Set::Board)), "");
}

#[test]
fn tiles_are_one_or_none() {
    let it = Asked::new();
    assert_eq!(it.tile(&Tile::only("home", Seat::Next)), "d3");
    assert_eq!(it.tile(&Tile::Only(Box::new(Set::Royal))), "b2");
    assert_eq!(it.tile(&Tile::Only(Box::new(Set::own()))), "", "there are three");
    assert_eq!(it.tile(&Tile::Only(Box::new(nothing()))), "");
    assert_eq!(it.tile(&named("a1").then(&[EAST, NORTH])), "b2");
    assert_eq!(it.tile(&nowhere().then(&[NORTH])), "", "no tile leads nowhere");
    assert_eq!(it.tile(&Tile::first(named("a1"), EAST, Set::foe())), "c1");
    assert_eq!(it.tile(&Tile::first(named("c1"), EAST, Set::foe())), "", "itself is not asked");
    assert_eq!(it.tile(&Tile::first(nowhere(), EAST, Set::Board)), "");
    assert_eq!(it.tile(&Tile::From), "", "there is no event");
}

#[test]
fn numbers() {
    let it = Asked::new();
    assert_eq!(it.number(&Number::Count(Set::own())), 3, "a pile is one tile");
    assert_eq!(it.number(&Number::pieces(Set::Board, Who::Mover)), 4, "and holds two of them");
    assert_eq!(it.number(&Number::pieces_of_kind(Set::Board, Who::Anyone, "rook")), 3);
    assert_eq!(it.number(&Number::pieces(nothing(), Who::Anyone)), 0);
    let hand = |of| Number::Hand { kind: "king".into(), of };
    assert_eq!(it.number(&hand(Seat::Mover)), 2);
    assert_eq!(it.number(&hand(Seat::Next)), 0);
    let worth = |on| Number::Attribute { name: "worth".into(), on };
    assert_eq!(it.number(&worth(Set::tiles(["pile", "b2"]))), 9, "kings have no worth");
    assert_eq!(it.number(&worth(nothing())), 0);
    let groups = |of| Number::Groups { of, along: Vec::new() };
    assert_eq!(it.number(&groups(Set::Owned(Who::Anyone))), 3, "the pile joins nothing");
    assert_eq!(it.number(&groups(nothing())), 0);
    let distance = |from, to| Number::Distance { from, along: EAST.into(), to };
    assert_eq!(it.number(&distance(named("a1"), Set::foe())), 2);
    assert_eq!(it.number(&distance(named("a1"), Set::at(named("a1")))), 0);
    assert_eq!(it.number(&distance(nowhere(), Set::Board)), 0);
    assert_eq!(it.number(&Number::variable_of("score", Seat::Next)), 4);
    assert_eq!(it.number(&Number::die("die")), 0);
}

#[test]
fn arithmetic_stops_at_its_bounds() {
    let it = Asked::new();
    let (n, is) = (|| Number::variable("n"), Number::Is);
    assert_eq!(it.number(&(n() + 2 - 4)), 5);
    assert_eq!(it.number(&(n() * -3)), -21);
    assert_eq!(it.number(&(is(i64::MAX) + 1)), i64::MAX);
    assert_eq!(it.number(&(is(i64::MIN) - 1)), i64::MIN);
    assert_eq!(it.number(&(is(i64::MAX) * -2)), i64::MIN);
    assert_eq!(it.number(&Number::Min(vec![n(), is(3)])), 3);
    assert_eq!(it.number(&Number::Max(vec![n(), is(3)])), 7);
    let either = Number::If(Box::new(Truth::Never), Box::new(is(1)), Box::new(is(2)));
    assert_eq!(it.number(&either), 2);
    let none = [Number::Sum, Number::Times, Number::Min, Number::Max].map(|of| of(Vec::new()));
    assert_eq!(none.map(|number| it.number(&number)), [0, 1, 0, 0]);
}

#[test]
fn truths() {
    let it = Asked::new();
    assert!(it.holds(&Truth::turn("red")) && !it.holds(&Truth::turn("blue")));
    assert!(it.holds(&named("b2").is_in(Set::Royal)));
    assert!(!it.holds(&nowhere().is_in(Set::Board)));
    assert!(it.holds(&!nowhere().is_in(Set::Board)));
    assert!(!it.holds(&nowhere().is_in(!Set::Board)));
    assert!(it.holds(&Set::Royal.any()) && it.holds(&nothing().none()));
    assert!(it.holds(&Truth::line(2, &[EAST], Set::own())));
    assert!(!it.holds(&Truth::line(3, &EIGHT, Set::own())));
    let tiles = |set| Binding::tiles("tile", set);
    let occupied = || Box::new(Tile::name("tile").is_in(Set::occupied()));
    assert!(it.holds(&Truth::Each(tiles(Set::own()), occupied())));
    assert!(!it.holds(&Truth::Each(tiles(Set::region("edge")), occupied())));
    assert!(it.holds(&Truth::Exists(tiles(Set::region("edge")), occupied())));
    assert!(it.holds(&Truth::Each(tiles(nothing()), Box::new(Truth::Never))));
    assert!(!it.holds(&Truth::Exists(tiles(nothing()), Box::new(Truth::Always))));
}

/// What effects make of the position.
fn after(effects: impl IntoIterator<Item = Effect>) -> String {
    let rule = Rule::acts("go", "go").then_all(effects);
    let rest = Rule::moves("go", Movement::of(["rook"]).onto(nothing()));
    let phase = Phase::leaf("play").rule(rule).rule(enter()).rule(rest);
    let definition = table().phase(phase).build();
    let oracle = Oracle::new(&definition);
    let legal = oracle.legal(&oracle.read(POSITION));
    oracle.text(&legal[0].1)
}

/// The facts that effects remove and add, as words of the text.
fn change(effects: impl IntoIterator<Item = Effect>) -> (String, String) {
    let it = Asked::new();
    let (old, new) = (it.oracle().text(&it.position), after(effects));
    let only = |here: &str, there: &str| {
        let words = here.split(' ').filter(|word| !there.split(' ').any(|one| one == *word));
        words.collect::<Vec<_>>().join(" ")
    };
    (only(&old, &new), only(&new, &old))
}

#[track_caller]
fn changes(effects: impl IntoIterator<Item = Effect>, lost: &str, got: &str) {
    assert_eq!(change(effects), (lost.to_owned(), got.to_owned()));
}

const PILE: &str = "pile=red:stone*2,blue:rook";

#[test]
fn captures_and_where_they_go() {
    let on = |on: Set, to| [Effect::Capture { on, to }];
    changes(on(Set::tiles(["b1"]), Fate::Out), "b1=red:stone", "");
    changes(on(Set::tiles(["pile"]), Fate::Out), PILE, "pile=red:stone*2");
    changes(on(nothing(), Fate::Out), "", "");
    changes(on(Set::Empty, Fate::Out), "", "");
    changes(on(Set::tiles(["c1"]), Fate::Tile(named("pit"))), "c1=blue:rook", "pit=blue:rook");
    changes(on(Set::tiles(["c1"]), Fate::Tile(nowhere())), "", "");
    changes(
        on(Set::tiles(["c1"]), Fate::Hand(Seat::Next)),
        "c1=blue:rook hand.blue=",
        "hand.blue=rook",
    );
    let taken = on(Set::Royal, Fate::Hand(Seat::Mover));
    changes(taken, "b2=blue:king hand.red=king*2", "hand.red=king*3");
    let rook = || Set::tiles(["c1"]);
    let crowned = Effect::Capture { on: rook(), to: Fate::Hand(Seat::Mover) };
    let crowned = [Effect::becomes(rook(), "king"), crowned];
    changes(crowned, "c1=blue:rook hand.red=king*2", "hand.red=king*3");
    // A kind with a supply of its own is never in hand.
    changes(on(Set::tiles(["b1"]), Fate::Hand(Seat::Mover)), "b1=red:stone", "");
    changes([Effect::Clear(Set::tiles(["pile", "a2"]))], PILE, "");
}

#[test]
fn pieces_change_place_owner_and_kind() {
    let give = |on| Effect::Give { on, to: Seat::Next };
    changes([give(Set::tiles(["a1", "pile"]))], "a1=red:rook+lit", "a1=blue:rook+lit");
    changes([Effect::becomes(Set::tiles(["b1", "pile"]), "rook")], "b1=red:stone", "b1=red:rook");
    changes(
        [Effect::carry(named("a1"), named("c1"))],
        "a1=red:rook+lit c1=blue:rook",
        "c1=red:rook+lit",
    );
    changes([Effect::carry(nowhere(), named("c1"))], "", "");
    let swap = vec![(named("a1"), named("b2")), (named("b2"), named("a1"))];
    changes(
        [Effect::Together(swap)],
        "a1=red:rook+lit b2=blue:king",
        "a1=blue:king b2=red:rook+lit",
    );
    changes([Effect::carry(named("a1"), named("pit"))], "a1=red:rook+lit", "pit=red:rook");
}

#[test]
fn new_pieces_are_placed_as_far_as_there_are_any() {
    let place = |kind: &str, on| Effect::Place { kind: kind.into(), owner: Seat::Mover, on };
    changes([place("stone", Set::tiles(["a1", "a2", "pit"]))], "", "a2=red:stone pit=red:stone");
    let three = Set::tiles(["a2", "a3", "c2"]);
    changes([place("king", three)], "hand.red=king*2", "a2=red:king c2=red:king hand.red=");
    changes([place("rook", Set::Empty)], "", "");
}

#[test]
fn flags_and_marks() {
    let flag = |on, set: &[&str], clear: &[&str]| {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).into()).collect();
        Effect::Flag { on, set: owned(set), clear: owned(clear) }
    };
    changes([flag(Set::own(), &["lit"], &[])], "b1=red:stone", "b1=red:stone+lit");
    changes([flag(Set::Board, &[], &["lit"])], "a1=red:rook+lit", "a1=red:rook");
    let mark = |on| Effect::Mark { on, set: vec!["burnt".into()], clear: Vec::new() };
    changes([mark(Set::tiles(["pile", "a1"]))], "mark.burnt=b3,c3", "mark.burnt=a1,b3,c3,pile");
    let clear = Effect::Mark { on: Set::Board, set: Vec::new(), clear: vec!["burnt".into()] };
    changes([clear], "mark.burnt=b3,c3", "");
}

#[test]
fn seeds_are_sown_one_by_one() {
    let sow = |from, along: &str, skip, count| {
        let count = Option::<&str>::map(count, Into::into);
        Effect::Sow { from, along: along.into(), skip, count }
    };
    let ring = || {
        let relation = |game: &mut Definition| {
            game.relations.push(Relation::new("pile", "clockwise", "r1"));
        };
        table().edit(relation)
    };
    let sown = |effect| {
        let rule = Rule::acts("go", "go").then(effect);
        let definition = ring().phase(Phase::leaf("play").rule(rule)).build();
        let oracle = Oracle::new(&definition);
        let text = oracle.text(&oracle.legal(&oracle.read(POSITION))[0].1);
        let words = text.split(' ').filter(|word| word.starts_with(['r', 'p', 'v']));
        words.skip(1).collect::<Vec<_>>().join(" ")
    };
    let all = sown(sow(named("pile"), "clockwise", nothing(), Some("n")));
    assert_eq!(all, "r1=red:stone r2=red:stone r3=blue:rook var.n=3 var.score:blue=4");
    let skip = sown(sow(named("pile"), "clockwise", Set::tiles(["r2", "r3"]), Some("n")));
    // The first tile comes again, and what stands there is captured.
    assert_eq!(skip, "r1=blue:rook r4=red:stone var.n=5 var.score:blue=4");
    let nowhere_to_go = sown(sow(named("pile"), EAST, nothing(), Some("n")));
    assert_eq!(nowhere_to_go, "pile=red:stone*2,blue:rook var.n=0 var.score:blue=4");
    let all_skipped = sown(sow(named("pile"), "clockwise", Set::Board, None));
    assert_eq!(all_skipped, "pile=red:stone*2,blue:rook var.score:blue=4");
    assert_eq!(
        sown(sow(nowhere(), EAST, nothing(), None)),
        "pile=red:stone*2,blue:rook var.score:blue=4"
    );
}

#[test]
fn effects_for_each_value_and_a_number_of_times() {
    let own = || Binding::tiles("tile", Set::own());
    let take = Effect::capture(Set::at(Tile::name("tile").then(&[EAST])));
    // The tiles are found before b1 is captured, and c1 goes too.
    changes([Effect::Each(own(), vec![take])], "b1=red:stone c1=blue:rook", "");
    let add = || Effect::add("n", 1);
    changes([Effect::Repeat(Number::Count(Set::own()), vec![add()])], "", "var.n=10");
    changes([Effect::Repeat(Number::variable("n"), vec![add()])], "", "var.n=14");
    changes([Effect::Repeat(Number::Is(-1), vec![add()])], "", "");
    let groups = Binding::groups("group", Set::tiles(["a1", "b1", "c1", "d3"]), &[]);
    let alone = Number::Count(Set::name("group")).equals(1);
    let clear = Effect::when(alone, [Effect::Clear(Set::name("group"))]);
    changes([Effect::Each(groups, vec![clear])], "d3=gold:stone", "");
}

/// The events that rules allow, as text.
fn legal(rules: impl IntoIterator<Item = Rule>) -> String {
    let phase = rules.into_iter().fold(Phase::leaf("play"), Phase::rule);
    let definition = table().phase(phase).build();
    let oracle = Oracle::new(&definition);
    let legal = oracle.legal(&oracle.read(POSITION)).into_iter();
    legal.map(|(event, _)| oracle.tell(&event)).collect::<Vec<_>>().join(" ")
}

#[test]
fn pieces_are_put_from_the_hand_or_from_an_unlimited_supply() {
    let put = |kind: &str, on: &[&str]| {
        let onto = Set::tiles(on.iter().copied());
        Rule::puts(format!("put a {kind}"), Putting::of([kind]).onto(onto))
    };
    assert_eq!(legal([put("king", &["a1", "a2"])]), "king@a2", "a1 has no room");
    assert_eq!(legal([put("stone", &["a2", "pile"])]), "stone@a2 stone@pile");
    assert_eq!(legal([put("rook", &["a2"])]), "", "none is in hand");
}

#[test]
fn a_way_to_the_first_piece_passes_stacks() {
    let first = |steps: &[(&str, &str)]| {
        let mut builder = table();
        for (from, to) in steps {
            let relation = Relation::new(*from, NORTH, *to);
            builder = builder.edit(|game: &mut Definition| game.relations.push(relation));
        }
        let rule = Rule::moves("go", Movement::of(["rook"]).to_first([NORTH]));
        let definition = builder.phase(Phase::leaf("play").rule(rule)).build();
        let oracle = Oracle::new(&definition);
        let legal = oracle.legal(&oracle.read(POSITION)).into_iter();
        legal.map(|(event, _)| oracle.tell(&event)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(first(&[("a3", "pile")]), "", "a stack is no target");
    assert_eq!(first(&[("a3", "pile"), ("pile", "d3")]), "a1/d3", "and blocks nothing");
    assert_eq!(first(&[("a3", "b2")]), "a1/b2", "whoever stands there");
}

/// What a move of red's piece makes of the position, when effects happen before it.
fn moved(movement: Movement, before: impl IntoIterator<Item = Effect>) -> String {
    let rule = before.into_iter().fold(Rule::moves("go", movement), Rule::before);
    let definition = table().phase(Phase::leaf("play").rule(rule)).build();
    let oracle = Oracle::new(&definition);
    let legal = oracle.legal(&oracle.read(POSITION));
    let words = oracle.text(&legal[0].1);
    let words = words.split(' ').filter(|word| word.starts_with(['a', 'b', 'c', 'p']));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_move_carries_what_stands_on_its_source_after_the_effects_before() {
    let north = || Movement::of(["rook"]).by(Pattern::step(NORTH));
    let from = || Set::at(Tile::From);
    let rest = "b1=red:stone c1=blue:rook";
    let pile = "pile=red:stone*2,blue:rook";
    assert_eq!(moved(north(), []), format!("{rest} a2=red:rook+lit b2=blue:king {pile}"));
    assert_eq!(
        moved(north(), [Effect::Clear(from())]),
        format!("{rest} b2=blue:king {pile}"),
        "nobody stands there any more"
    );
    assert_eq!(
        moved(north(), [Effect::carry(named("b2"), Tile::From)]),
        format!("{rest} a2=blue:king {pile}"),
        "whoever stands there"
    );
    let change =
        [Effect::becomes(from(), "stone"), Effect::Give { on: from(), to: Seat::Previous }];
    assert_eq!(moved(north(), change), format!("{rest} a2=gold:stone+lit b2=blue:king {pile}"));
}

#[test]
fn a_move_from_a_stack_carries_the_first_of_the_kinds_that_stand_there_then() {
    let fall = |kinds: &[&str], before: Effect| {
        let movement = Movement::of(kinds.iter().copied()).by(Pattern::step(NORTH));
        let rule = Rule::moves("go", movement.source(Set::tiles(["pile"]))).before(before);
        let relation = Relation::new("pile", NORTH, "a3");
        let definition = table()
            .edit(|game: &mut Definition| game.relations.push(relation))
            .phase(Phase::leaf("play").rule(rule))
            .build();
        let oracle = Oracle::new(&definition);
        let text = oracle.text(&oracle.legal(&oracle.read(POSITION))[0].1);
        let words = text.split(' ').filter(|word| word.starts_with("a3") || word.starts_with('p'));
        words.collect::<Vec<_>>().join(" ")
    };
    let arrives = || Effect::carry(named("a1"), named("pile"));
    assert_eq!(fall(&["stone"], arrives()), "a3=red:stone pile=red:rook,red:stone,blue:rook");
    assert_eq!(fall(&[], arrives()), "a3=red:rook pile=red:stone*2,blue:rook");
    assert_eq!(fall(&[], Effect::Clear(Set::tiles(["pile"]))), "");
}

#[test]
fn a_rule_gives_way_to_rules_of_a_lower_rank() {
    let act = |name: &str| Rule::acts(name, "go");
    let put = |onto| Rule::puts("put", Putting::of(["stone"]).onto(onto));
    assert_eq!(legal([act("go").rank(1), put(Set::tiles(["a2"]))]), "stone@a2");
    assert_eq!(legal([act("go").rank(1), put(Set::tiles(["a1"]))]), "go");
    assert_eq!(legal([act("go").rank(1), put(Set::tiles(["a2"])).rank(1)]), "stone@a2 go");
    assert_eq!(legal([act("go"), put(Set::tiles(["a2"])).rank(1)]), "go");
    let refused = [act("go").rank(1), put(Set::tiles(["a2"])), act("go again")];
    assert_eq!(legal(refused), "stone@a2 go", "another rule may accept what one refuses");
    let aside = put(Set::tiles(["a2"])).aside();
    assert_eq!(legal([act("go").rank(1), aside]), "go", "what is said beside play does not count");
}

#[test]
fn a_flag_that_serves_a_rule_clears_at_the_end_of_a_turn_only() {
    let rules = |turn: bool| {
        let flag = Effect::set_flags(Set::tiles(["b1"]), ["used"]);
        let go = Rule::acts("go", "go").then(flag);
        let go = if turn { go.then(Effect::Turn(Seat::Next)) } else { go };
        let never = Rule::puts("use", Putting::of(["stone"]).onto(nothing()));
        let definition = table()
            .flag(Flag::new("used").serving("use"))
            .phase(Phase::leaf("play").rule(go).rule(never))
            .build();
        let oracle = Oracle::new(&definition);
        oracle.text(&oracle.legal(&oracle.read(POSITION))[0].1)
    };
    assert!(rules(false).contains("b1=red:stone+used"));
    assert!(!rules(true).contains("used"));
}
