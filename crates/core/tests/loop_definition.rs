//! From a definition to a game: every mistake is reported with its place, all at once.

use senet_core::builder::Grid;
use senet_core::builder::{EAST, FOUR, NORTH};
use senet_core::fault::{Artifact, Fault};
use senet_core::written::{
    BoardTile, Derived, Effect, Ending, Flag, Kind, Movement, Number, Pattern, Phase, Piece,
    Player, Preprocessor, Putting, Relation, Rolling, Rule, Seat, Set, Tile, Truth, Variable, Who,
};
use senet_core::{Builder, Definition, EventKind, Options};
use senet_testkit::sample;

/// A game without a mistake.
fn sound() -> Builder {
    Builder::new("sound")
        .player(Player::new("left").facing("ahead", EAST))
        .player(Player::new("right").facing("ahead", "west"))
        .board(Grid::new(3, 3))
        .region("edge", ["a1", "a2"])
        .flag("tired")
        .kind(Kind::new("stone").travels(Pattern::steps(&FOUR)))
        .pieces_on("left", "stone", ["a1"])
        .pieces_on("right", "stone", ["c3"])
        .die("die", 6)
        .variable(Variable::counter("count", 9))
        .action("pass")
        .action("wait")
        .phase(
            Phase::leaf("play")
                .rule(Rule::moves("go", Movement::any()).then(Effect::Turn(Seat::Next)))
                .rule(Rule::acts("rest", "pass").then(Effect::Turn(Seat::Next))),
        )
        .ending(Ending::draw("late").when(Number::variable("count").equals(9)))
}

fn faults(builder: Builder) -> Vec<(String, Fault)> {
    match builder.build().compile(Options::default()) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.0.into_iter().map(|error| (error.place, error.fault)).collect(),
    }
}

/// Compiling finds exactly this.
#[track_caller]
fn finds(builder: Builder, place: &str, fault: Fault) {
    assert_eq!(faults(builder), [(place.to_owned(), fault)]);
}

/// Compiling finds this, and what else follows from it.
#[track_caller]
fn finds_among(builder: Builder, place: &str, fault: Fault) {
    let found = faults(builder);
    assert!(found.contains(&(place.to_owned(), fault.clone())), "{place} {fault:?}\n{found:#?}");
}

fn unknown(what: Artifact, name: &str, near: Option<&str>) -> Fault {
    Fault::Unknown { what, name: name.into(), near: near.map(Into::into) }
}

fn rule(rule: Rule) -> Builder {
    sound().edit(|game| game.phases[0].rules.push(rule))
}

fn go() -> Movement {
    Movement::any()
}

#[test]
fn a_sound_definition_has_no_mistake() {
    assert_eq!(faults(sound()), []);
}

#[test]
fn an_unknown_name_is_reported_with_what_was_probably_meant() {
    let piece = Piece { name: "x".into(), owner: "lft".into(), kind: "stne".into() };
    let both = sound().edit(|game| game.pieces.push(piece));
    assert_eq!(
        faults(both),
        [
            ("pieces/x".into(), unknown(Artifact::Player, "lft", Some("left"))),
            ("pieces/x".into(), unknown(Artifact::Kind, "stne", Some("stone"))),
        ]
    );
    finds(
        sound().relation("a1", "nroth", "b2"),
        "relations/24",
        unknown(Artifact::Direction, "nroth", Some(NORTH)),
    );
    finds(sound().region("r", ["a9"]), "regions/r", unknown(Artifact::Tile, "a9", Some("a1")));
    finds(
        rule(Rule::acts("x", "zzzzzz")),
        "phases/play/rules/x",
        unknown(Artifact::Action, "zzzzzz", None),
    );
}

#[test]
fn an_unknown_name_is_found_wherever_it_stands() {
    let when = |truth| rule(Rule::acts("x", "wait").when(truth));
    let place = "phases/play/rules/x/when";
    let zz = "zzzzzz";
    finds(when(Truth::turn(zz)), place, unknown(Artifact::Player, zz, None));
    finds(when(Number::variable(zz).equals(1)), place, unknown(Artifact::Variable, zz, None));
    finds(when(Number::die(zz).equals(1)), place, unknown(Artifact::Die, zz, None));
    let tiles = Number::Count(Set::region(zz));
    finds(when(tiles.equals(1)), place, unknown(Artifact::Region, zz, None));
    let flagged = Tile::named("a1").is_in(Set::flag(zz));
    finds(when(flagged), place, unknown(Artifact::Flag, zz, None));
    let after = |effect| rule(Rule::acts("x", "wait").then(effect).when(Truth::turn("left")));
    let place = "phases/play/rules/x/after";
    finds(after(Effect::unroll([zz])), place, unknown(Artifact::Die, zz, None));
    finds(after(Effect::becomes(Set::tiles(["a1"]), zz)), place, unknown(Artifact::Kind, zz, None));
    finds(sound().place(zz, "a2"), "setup/zzzzzz", unknown(Artifact::Piece, zz, None));
    let onto = Movement::any().onto(Set::region(zz));
    finds(
        rule(Rule::moves("x", onto)),
        "phases/play/rules/x/onto",
        unknown(Artifact::Region, zz, None),
    );
}

#[test]
fn a_name_used_twice_is_reported() {
    let twice = |what, name: &str| Fault::Duplicate { what, name: name.into() };
    finds_among(sound().tile("a1"), "tiles", twice(Artifact::Tile, "a1"));
    finds_among(sound().player("left"), "players", twice(Artifact::Player, "left"));
    finds(sound().flag("tired"), "flags", twice(Artifact::Flag, "tired"));
    finds(sound().kind("stone"), "kinds", twice(Artifact::Kind, "stone"));
    finds(
        sound().piece("left-stone-1", "left", "stone"),
        "pieces",
        twice(Artifact::Piece, "left-stone-1"),
    );
    finds(sound().die("die", 6), "dice", twice(Artifact::Die, "die"));
    finds(
        sound().variable(Variable::counter("count", 9)),
        "variables",
        twice(Artifact::Variable, "count"),
    );
    finds(sound().action("pass"), "actions", twice(Artifact::Action, "pass"));
    finds(sound().region("edge", ["a1"]), "regions/edge", twice(Artifact::Region, "edge"));
    finds(
        sound().ending(Ending::draw("late").when(Truth::Stuck)),
        "endings",
        twice(Artifact::Ending, "late"),
    );
    let again = Rule::moves("rest", go().by(Pattern::step(NORTH)));
    finds(rule(again), "phases/play", twice(Artifact::Rule, "rest"));
    let pre = || Preprocessor::new("p", EventKind::Act, [Derived::Itself]);
    let pres = sound().edit(|game| game.phases[0].pre = vec![pre(), pre()]);
    finds(pres, "phases/play", twice(Artifact::Preprocessor, "p"));
    let worth = sound().edit(|game| {
        game.kinds[0] = game.kinds[0].clone().attribute("worth", 1).attribute("worth", 2);
    });
    finds(worth, "kinds/stone/attributes", twice(Artifact::Attribute, "worth"));
    let dice = Rolling::of(["die", "die"]);
    finds(rule(Rule::rolls("x", dice)), "phases/play/rules/x", twice(Artifact::Die, "die"));
    let facing = sound().edit(|game| {
        game.players[0] = game.players[0].clone().facing("ahead", NORTH).facing(EAST, NORTH);
    });
    assert_eq!(
        faults(facing),
        [
            ("players/left/directions".into(), twice(Artifact::Direction, "ahead")),
            ("players/left/directions".into(), twice(Artifact::Direction, EAST)),
        ]
    );
}

#[test]
fn a_name_that_cannot_be_written_in_a_text_is_reported() {
    for name in ["", "a b", "a/b", "a=b", "a:b", "a+b", "a*b", "a,b", "a.b", "a@b", "a\nb"] {
        let bad = |what| Fault::BadName { what, name: name.into() };
        finds(sound().tile(name), "tiles", bad(Artifact::Tile));
        finds(sound().action(name), "actions", bad(Artifact::Action));
        finds(sound().flag(name), "flags", bad(Artifact::Flag));
        let place = format!("regions/{name}");
        finds(sound().region(name, ["a1"]), &place, bad(Artifact::Region));
    }
}

#[test]
fn what_must_be_there_is_missed() {
    let found = faults(Builder::new("nothing"));
    let none = |place: &str, what| (place.to_owned(), Fault::None { what });
    assert_eq!(
        found,
        [
            none("players", Artifact::Player),
            none("tiles", Artifact::Tile),
            none("phases", Artifact::Phase)
        ]
    );
    let empty = sound().edit(|game| game.phases[0].rules.clear());
    finds(empty, "phases/play", Fault::None { what: Artifact::Rule });
    finds_among(sound().die("flat", 0), "dice/flat", Fault::None { what: Artifact::Side });
    let dice = Rolling::of([] as [&str; 0]);
    let place = "phases/play/rules/x";
    finds(rule(Rule::rolls("x", dice)), place, Fault::None { what: Artifact::Die });
    let pre = Preprocessor::new("p", EventKind::Act, []);
    let pres = sound().edit(|game| game.phases[0].pre.push(pre));
    finds(pres, "phases/play/pre/p", Fault::None { what: Artifact::Outcome });
}

#[test]
fn more_than_the_engine_takes_is_refused_before_anything_is_built() {
    let many = |place: &str, what, found, allowed| {
        (place.to_owned(), Fault::TooMany { what, found, allowed })
    };
    let tiles = sound().tiles((0..1100).map(|n| format!("t{n}")));
    assert_eq!(faults(tiles), [many("tiles", Artifact::Tile, 1109, 1024)]);
    let players = sound().players((0..70).map(|n| format!("p{n}")));
    assert_eq!(faults(players), [many("players", Artifact::Player, 72, 64)]);
    let flags = (0..70).fold(sound(), |game, n| game.flag(format!("f{n}")));
    assert_eq!(faults(flags), [many("flags", Artifact::Flag, 71, 64)]);
    let dice = (0..7).fold(sound(), |game, n| game.die(format!("d{n}"), 6));
    let roll = Rule::rolls("x", Rolling::of((0..7).map(|n| format!("d{n}"))));
    let dice = dice.edit(|game| game.phases[0].rules.push(roll));
    let outcomes = many("phases/play/rules/x", Artifact::Outcome, 279_936, 50_000);
    assert_eq!(faults(dice), [outcomes]);
    let wide = (0..250).fold(sound(), |game, n| game.kind(format!("k{n}")));
    let wide = wide.stacks((0..490).map(|n| format!("s{n}")));
    let found = 251 * 499 * 2;
    let place = "players × kinds × tiles";
    assert_eq!(faults(wide), [many(place, Artifact::Combination, found, 1 << 17)]);
}

#[test]
fn directions_and_relations_must_make_sense() {
    finds(sound().direction("up"), "directions/up", Fault::UnusedDirection);
    let (from, direction) = ("a1".to_owned(), NORTH.to_owned());
    finds(
        sound().relation("a1", NORTH, "b2"),
        "relations/24",
        Fault::SecondRelation { from, direction },
    );
    let round = sound().direction("round").relation("a1", "round", "a1");
    finds(round, "relations/24", Fault::Loop { tile: "a1".into() });
    let lost = sound().edit(|game| {
        game.players[1].directions.clear();
        game.kinds[0].patterns.push(Pattern::step("ahead"));
    });
    let (name, player) = ("ahead".to_owned(), "right".to_owned());
    finds(lost, "kinds/stone/patterns", Fault::NoFacing { name, player });
    let stray = sound().edit(|game| {
        game.players[0] = game.players[0].clone().facing("back", "wst");
    });
    let place = "players/left/directions/back";
    finds(stray, place, unknown(Artifact::Direction, "wst", Some("west")));
}

#[test]
fn regions_must_be_there_for_everyone_who_is_asked() {
    let when = Tile::named("a1").is_in(Set::region("nest"));
    let half = rule(Rule::acts("x", "wait").when(when)).region_of("left", "nest", ["a1"]);
    let (name, player) = ("nest".to_owned(), "right".to_owned());
    finds(half, "phases/play/rules/x/when", Fault::NoRegion { name, player });
    let only = Tile::only("edge", Seat::Mover).is_in(Set::Empty);
    let fault = Fault::NotOneTile { name: "edge".into(), found: 2 };
    finds(rule(Rule::acts("x", "wait").when(only)), "phases/play/rules/x/when", fault);
}

#[test]
fn numbers_must_lie_within_their_bounds() {
    let out = |found, min, max| Fault::OutOfBounds { found, min, max };
    let variable = Variable::new("v", 3, 5).starting(6);
    finds(sound().variable(variable), "variables/v", out(6, 3, 5));
    finds(sound().variable(Variable::new("v", 5, 3)), "variables/v", out(5, 5, 3));
    let mixed = Rolling::of(["die", "small"]).in_any_order();
    let mixed = rule(Rule::rolls("x", mixed)).die("small", 4);
    finds(mixed, "phases/play/rules/x", out(4, 6, 6));
}

#[test]
fn a_condition_that_can_never_hold_is_reported() {
    let never = |words: &str| Fault::NeverHolds { condition: words.into() };
    let when = |truth| rule(Rule::acts("x", "wait").when(truth));
    let place = "phases/play/rules/x/when";
    finds(when(Truth::Never), place, never("never"));
    let words = "count is greater than 9";
    finds(when(Number::variable("count").greater_than(9)), place, never(words));
    finds(when(Number::die("die").equals(7)), place, never("die die is equal to 7"));
    let line = Truth::line(4, &[EAST], Set::Empty);
    finds(when(line), place, never("4 tiles in a row along east are empty"));
    let words = "a1 is empty and held by the mover";
    finds(when(Tile::named("a1").is_in(Set::Empty & Set::own())), place, never(words));
    let words = "a1 is empty and not empty";
    finds(when(Tile::named("a1").is_in(Set::Empty - Set::Empty)), place, never(words));
    let inner = Truth::turn("left").and(Number::Is(1).equals(2));
    let found = faults(when(inner));
    assert_eq!(found.len(), 2, "the part and the whole: {found:?}");
}

#[test]
fn a_rule_that_can_never_fire_is_reported() {
    let never = |why: &str| Fault::NeverFires { why: why.into() };
    let place = "phases/play/rules/x";
    finds(rule(Rule::moves("x", go())), place, never("rule `go` before it takes every such event"));
    let ghosts = rule(Rule::moves("x", Movement::of(["ghost"]))).kind("ghost");
    finds(ghosts, place, never("no piece is of such a kind"));
    let puts = rule(Rule::puts("x", Putting::of(["ghost"]))).kind("ghost");
    finds(puts, place, never("no piece is of such a kind"));
    let wall = rule(Rule::moves("x", Movement::of(["wall"])));
    let wall = wall.kind(Kind::new("wall").travels(Pattern::Null)).pieces("left", "wall", 1);
    finds(wall, place, never("no such kind has a way to travel"));
}

#[test]
fn a_phase_that_is_never_reached_is_reported() {
    let late = sound().phase(Phase::leaf("late").rule(Rule::acts("x", "wait")));
    finds(late, "phases/late", Fault::NeverReached { after: "play".into() });
    let nested =
        sound().phase(Phase::branch("outer", [Phase::leaf("inner").rule(Rule::acts("x", "wait"))]));
    finds(nested, "phases/outer/inner", Fault::NeverReached { after: "play".into() });
    let both = sound().edit(|game| {
        game.phases[0].phases.push(Phase::leaf("inner").rule(Rule::acts("x", "wait")));
    });
    finds(both, "phases/play", Fault::RulesBesidePhases);
}

#[test]
fn what_is_asked_in_the_wrong_place_is_reported() {
    let stuck = sound().edit(|game| game.phases[0].when = Truth::Stuck);
    finds(stuck, "phases/play/when", Fault::StuckOutsideRule);
    let attacks = Rule::moves("x", Movement::any()).when(!Truth::Stuck);
    finds_among(rule(attacks), "phases/play/rules/x", Fault::CyclicRule);
    let no_event = |words: &str| Fault::NoEvent { tile: words.into() };
    let at = |tile: Tile| tile.is_in(Set::Empty);
    let phase = sound().edit(|game| game.phases[0].when = at(Tile::From));
    finds(phase, "phases/play/when", no_event("the source"));
    let ending = sound().ending(Ending::draw("x").when(at(Tile::To)));
    finds(ending, "endings/x/when", no_event("the target"));
    let requirement = sound().requirement("r", at(Tile::To));
    finds_among(requirement, "requirements/r", no_event("the target"));
}

#[test]
fn a_setup_that_cannot_stand_is_reported() {
    let more = || sound().pieces("left", "stone", 1);
    let fault = Fault::TileTaken { tile: "c3".into() };
    finds(more().place("left-stone-2", "c3"), "setup/left-stone-2", fault);
    let fault = Fault::SetTwice { piece: "left-stone-1".into() };
    finds(more().place("left-stone-1", "b2"), "setup/left-stone-1", fault);
    let pile =
        more().tile(BoardTile::stack("pile")).place_flagged("left-stone-2", "pile", ["tired"]);
    finds(pile, "setup/left-stone-2", Fault::FlagsOnStack { tile: "pile".into() });
    let requirement = Number::pieces(Set::Board, Who::Anyone).equals(1);
    let fault = Fault::StartRefused { requirement: "one stone".into() };
    finds(sound().requirement("one stone", requirement), "setup", fault);
}

#[test]
fn custom_code_that_nobody_registered_is_reported() {
    let fault = || Fault::UnknownCustom { name: "luck".into() };
    let when = rule(Rule::acts("x", "wait").when(Truth::Custom { name: "luck".into() }));
    finds(when, "phases/play/rules/x/when", fault());
    let then = Rule::acts("x", "wait").when(Truth::turn("left")).before(Effect::custom("luck"));
    finds(rule(then), "phases/play/rules/x/before", fault());
}

#[test]
fn every_mistake_is_reported_at_once() {
    let broken = sound()
        .direction("up")
        .tile("bad name")
        .flag(Flag::ephemeral("tired"))
        .piece("x", "nobody", "stone")
        .place("ghost", "a2")
        .variable(Variable::new("v", 2, 1))
        .ending(Ending::draw("never").when(Truth::Never))
        .edit(|game| {
            game.phases[0]
                .rules
                .push(Rule::acts("x", "flee").when(Truth::Custom { name: "luck".into() }));
            game.relations.push(Relation::new("a1", EAST, "nowhere"));
        });
    let mut places: Vec<String> = faults(broken).into_iter().map(|(place, _)| place).collect();
    places.sort();
    assert_eq!(
        places,
        [
            "directions/up",
            "endings/never/when",
            "flags",
            "phases/play/rules/x",
            "phases/play/rules/x/when",
            "pieces/x",
            "relations/24",
            "setup/ghost",
            "tiles",
            "variables/v",
        ]
    );
}

#[test]
fn mistakes_in_words_name_place_and_fault() {
    let errors = sound().direction("up").flag("tired").build().compile(Options::default());
    let words = errors.unwrap_err().to_string();
    assert_eq!(
        words,
        "flags: a second flag is named `tired`\n\
         directions/up: no relation leads in this direction"
    );
}

#[test]
fn a_definition_has_the_same_hash_on_every_machine_and_after_reading_it_back() {
    let hash = |definition: &Definition| format!("{:032x}", definition.hash());
    assert_eq!(hash(&sound().build()), GOLDEN);
    for game in sample::all() {
        let text = serde_json::to_string(game.definition()).unwrap();
        let read: Definition = serde_json::from_str(&text).unwrap();
        assert_eq!(hash(&read), hash(game.definition()));
    }
    let other = sound().edit(|game| game.kinds[0].patterns.reverse());
    assert_eq!(hash(&other.build()), GOLDEN, "one pattern reversed is itself");
    let other = sound().edit(|game| game.players.reverse());
    assert_ne!(hash(&other.build()), GOLDEN, "order is part of the rules");
}

const GOLDEN: &str = "af987da5121c69dd60ae79cfee132f7d";
