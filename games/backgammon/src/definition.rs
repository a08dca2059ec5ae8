//! The game as written.
//!
//! **Players** are `white`, who moves from `p24` down to `p1`, and `black`, who moves up.
//!
//! **Tiles**, each holding any number: `p1` to `p24`, the points as white counts them (black's
//! point *n* is `p(25-n)`); `white-bar`, `black-bar`, `white-off`, `black-off`, of the player named.
//! The kind of piece is `checker`.
//!
//! **Dice** are `one`, `two`, `three` and `four`, the greatest first, spent ones last: a roll of
//! 3-1 shows 3 1 0 0, after the 3 is used 1 0 0 0; a double of 4 shows 4 4 4 4. All zero: the
//! player to move is on roll. The opening roll is thrown with the dice `white` and `black`, which
//! show nothing at any other time.
//!
//! **Events.** A checker moves by `Advance { from, to, pips }`, one event for each die used. Rolls
//! are `Roll`; the opening roll names white's die first and black's second, later rolls the greater
//! die first. Acts of play: `take`, `drop`, `beaver` (answers to a double), `accept`, `refuse`
//! (answers to a resignation), `pass` (by itself, when no die can be used), `settle` (by itself,
//! when a game of a match is over). Asides: `double` (before the roll), `resign-single`,
//! `resign-gammon`, `resign-backgammon`. While a double or a resignation is answered it is the turn
//! of the player who answers.
//!
//! **Variables** (what each player has is marked `*`): `length` of the match, 0 for money; `score`*;
//! `cube`, its number; `owns`*, 1 for the owner of the cube; `limit`, the highest number of the cube;
//! `offered`, 1 while a double is answered, 2 while a beaver is; `resigning`, 1 to 3 while a
//! resignation is answered; `wins`*, 1 to 3 for the winner of a game that is over; `crawford`, 1 in
//! the Crawford game; `jacoby`, `beavers`, 1 if agreed; `automatic`, how many equal opening rolls
//! of a game for money double the cube; `opening`, 1 until the opening roll decides who begins;
//! `ties`, how many equal opening rolls there have been until then.
//!
//! A game for money (`length` 0) ends as `single`, `gammon` or `backgammon` and is worth so many
//! times the cube. In a match `settle` adds this to the score and, until the match is won, sets up
//! the next game.

use senet_core::builder::{BACKWARD, FORWARD};
use senet_core::{
    Builder, Definition, Effect, Ending, Kind, Movement, Number, Phase, Player, Rolling, Rule,
    Seat, Set, Tile, Track, Truth, Usage, Variable, Who,
};

/// The dice in the order in which they are spent.
const DICE: [&str; 4] = ["one", "two", "three", "four"];

/// The die that each player throws for the opening roll.
const OPENING: [&str; 2] = ["white", "black"];

/// Backgammon with cube and match.
pub fn definition() -> Definition {
    from("backgammon", &[(24, 2), (13, 5), (8, 3), (6, 5)])
}

/// The rules of backgammon from a start: how many checkers stand on which point of their owner.
pub(crate) fn from(name: &str, start: &[(usize, usize)]) -> Definition {
    let builder = setup(variables(board(Builder::new(name))), start);
    let builder = [answers(), playing()].into_iter().flatten().fold(builder, Builder::phase);
    endings(builder).build()
}

/// The tile of a point as its player counts.
fn point(player: &str, number: usize) -> String {
    format!("p{}", if player == "white" { number } else { 25 - number })
}

fn board(builder: Builder) -> Builder {
    let mut builder = builder
        .player(Player::new("white").facing("onward", BACKWARD).facing("back", FORWARD))
        .player(Player::new("black").facing("onward", FORWARD).facing("back", BACKWARD))
        .board(Track::open(24).board().prefixed("p").stacking())
        .stacks(["white-bar", "black-bar", "white-off", "black-off"])
        .relation("white-bar", BACKWARD, "p24")
        .relation("black-bar", FORWARD, "p1")
        .relation("p1", BACKWARD, "white-off")
        .relation("p24", FORWARD, "black-off")
        .region("points", (1..=24).map(|number| point("white", number)));
    for (player, other) in [("white", "black"), ("black", "white")] {
        let bar = || std::iter::once(format!("{player}-bar"));
        let outside = (7..=24).map(|number| point(player, number)).chain(bar());
        let running = (1..=24).map(|number| point(player, number)).chain(bar());
        builder = builder
            .region_of(player, "bar", bar())
            .region_of(player, "off", [format!("{player}-off")])
            .region_of(player, "home", (1..=6).map(|number| point(player, number)))
            .region_of(player, "outside", outside)
            .region_of(player, "running", running)
            .region_of(player, "foreign", [format!("{other}-bar"), format!("{other}-off")]);
    }
    DICE.into_iter().chain(OPENING).fold(builder, |builder, die| builder.die(die, 6))
}

fn variables(builder: Builder) -> Builder {
    builder
        .variable(Variable::counter("length", 999))
        .variable(Variable::counter("score", 9999).per_player())
        .variable(Variable::new("cube", 1, 16384).starting(1))
        .variable(Variable::counter("owns", 1).per_player())
        .variable(Variable::new("limit", 1, 16384).starting(1024))
        .variable(Variable::counter("offered", 2))
        .variable(Variable::counter("resigning", 3))
        .variable(Variable::counter("wins", 3).per_player())
        .variable(Variable::counter("crawford", 1))
        .variable(Variable::counter("jacoby", 1))
        .variable(Variable::counter("beavers", 1))
        .variable(Variable::counter("automatic", 15))
        .variable(Variable::counter("opening", 1).starting(1))
        .variable(Variable::counter("ties", 999))
}

/// Checkers where they start, and what holds of every position.
fn setup(builder: Builder, start: &[(usize, usize)]) -> Builder {
    let mut builder = builder.kind(Kind::new("checker"));
    let all: usize = start.iter().map(|(_, count)| count).sum();
    for player in ["white", "black"] {
        let tiles = start.iter().flat_map(|&(number, count)| {
            std::iter::repeat_n(number, count).map(|number| point(player, number))
        });
        builder = builder.pieces_on(player, "checker", tiles);
        let count = |on| Number::pieces(on, Who::player(player));
        let foreign = Set::region_of("foreign", Seat::player(player));
        let running = Set::region_of("running", Seat::player(player));
        builder = builder
            .requirement(format!("{player} has not {all} checkers"), has(&count, all))
            .requirement(
                format!("a {player} checker is on the other's bar or off as the other's"),
                count(foreign).equals(0),
            )
            .requirement(
                format!("{player} has no checker left and the game goes on"),
                count(running).at_least(1).or(variable_of("wins", player).at_least(1)),
            );
    }
    let at_least_one = |player| Set::AtLeast(1, Who::player(player));
    let both = Set::region("points") & at_least_one("white") & at_least_one("black");
    let power = |power: u32| Number::variable("cube").equals(1 << power);
    let [one, two, three, four] = DICE.map(Number::die);
    let in_order = one.clone().at_least(two.clone());
    let in_order =
        in_order.and(two.at_least(three.clone())).and(three.clone().at_least(four.clone()));
    let same = |die: Number| die.clone().equals(0).or(die.equals(one.clone()));
    builder
        .requirement("both sides have a checker on one point", both.none())
        .requirement("the cube shows no power of two", Truth::any((0..=14).map(power)))
        .requirement(
            "both players own the cube",
            (variable_of("owns", "white") + variable_of("owns", "black")).at_most(1),
        )
        .requirement(
            "both players have won",
            variable_of("wins", "white").equals(0).or(variable_of("wins", "black").equals(0)),
        )
        .requirement("the dice are not in order, the greatest first", in_order)
        .requirement("more than two dice that are not a double", same(three).and(same(four)))
        .requirement(
            "dice are rolled before the opening roll",
            Number::variable("opening").equals(0).or(one.equals(0)),
        )
        .requirement(
            "dice of the opening roll lie on the board",
            (Number::die(OPENING[0]) + Number::die(OPENING[1])).equals(0),
        )
        .requirement(
            "a Crawford game without a match",
            Number::variable("crawford").equals(0).or(Number::variable("length").at_least(1)),
        )
}

fn has(count: &impl Fn(Set) -> Number, all: usize) -> Truth {
    count(Set::Board).equals(all as i64)
}

fn variable_of(name: &str, player: &str) -> Number {
    Number::variable_of(name, Seat::player(player))
}

fn of_next(name: &str) -> Number {
    Number::variable_of(name, Seat::Next)
}

fn for_money() -> Truth {
    Number::variable("length").equals(0)
}

/// Phases in which a player answers, or the game answers for itself.
fn answers() -> Vec<Phase> {
    let won = (Number::variable("wins") + of_next("wins")).at_least(1);
    let resigning = Number::variable("resigning");
    let back = || Effect::Turn(Seat::Next);
    let owned = || [Effect::set("owns", 1), Effect::set_of("owns", Seat::Next, 0)];
    let offered = |to: i64| Effect::set("offered", to);
    let double = || Effect::add("cube", Number::variable("cube"));
    let drop = |phase: Phase| {
        phase.rule(Rule::acts("drop", "drop").then_all([
            offered(0),
            Effect::set_of("wins", Seat::Next, 1),
            back(),
        ]))
    };
    let room = (Number::variable("cube") + Number::variable("cube"))
        .less_than(Number::variable("limit"))
        .called("the cube can be doubled twice");
    vec![
        Phase::leaf("settle").when(won).rule(settle()),
        Phase::leaf("resignation")
            .when(resigning.clone().at_least(1))
            .rule(
                Rule::acts("accept", "accept")
                    .then(Effect::when_else(
                        gammons_count(),
                        [Effect::set("wins", resigning)],
                        [Effect::set("wins", 1)],
                    ))
                    .then(Effect::set("resigning", 0)),
            )
            .rule(Rule::acts("refuse", "refuse").then_all([Effect::set("resigning", 0), back()])),
        drop(
            Phase::leaf("double").when(Number::variable("offered").equals(1)).rule(
                Rule::acts("take", "take")
                    .then(double())
                    .then_all(owned())
                    .then_all([offered(0), back()]),
            ),
        )
        .rule(
            Rule::acts("beaver", "beaver")
                .when(Number::variable("beavers").equals(1).called("beavers are agreed"))
                .when(for_money().called("the game is for money"))
                .when(room)
                .then(double())
                .then_all(owned())
                .then_all([offered(2), back()]),
        ),
        drop(
            Phase::leaf("beaver")
                .when(Number::variable("offered").equals(2))
                .rule(Rule::acts("take the beaver", "take").then_all([double(), offered(0)])),
        ),
    ]
}

/// Adds what a game was worth to the score, and sets up the next one unless the match is won.
fn settle() -> Rule {
    let seats = || [Seat::Mover, Seat::Next];
    let one_away =
        |seat: Seat| (Number::variable_of("score", seat) + 1).equals(Number::variable("length"));
    let points = || {
        seats().into_iter().flat_map(|seat| {
            (1..=3).map(move |times| {
                let won = Number::variable_of("wins", seat.clone()).at_least(times);
                let cube = Number::variable("cube");
                Effect::when(won, [Effect::add_of("score", seat.clone(), cube)])
            })
        })
    };
    let reached = Truth::any(seats().map(one_away));
    let next_is_crawford = Effect::when(reached.clone(), [Effect::set("crawford", 1)]);
    let over =
        seats().map(|seat| Number::variable_of("score", seat).at_least(Number::variable("length")));
    let next_game = [
        Effect::Reset,
        Effect::unroll(DICE),
        Effect::set("cube", 1),
        Effect::set("owns", 0),
        Effect::set_of("owns", Seat::Next, 0),
        Effect::set("wins", 0),
        Effect::set_of("wins", Seat::Next, 0),
        Effect::set("opening", 1),
        Effect::Turn(Seat::player("white")),
    ];
    Rule::acts("settle", "settle")
        .otherwise()
        .then(Effect::when_else(
            reached,
            points().chain([Effect::set("crawford", 0)]),
            points().chain([next_is_crawford]),
        ))
        .then(Effect::when(!Truth::any(over), next_game))
}

/// Phases of dice and movement.
fn playing() -> Vec<Phase> {
    let takes = |[winner, loser]: [&str; 2]| {
        [
            Effect::show(["one"], Number::die(winner)),
            Effect::show(["two"], Number::die(loser)),
            Effect::Turn(Seat::player(winner)),
        ]
    };
    let [white, black] = OPENING;
    let automatic = Number::variable("ties").at_most(Number::variable("automatic"));
    let tie = [
        Effect::add("ties", 1),
        Effect::when(automatic.and(for_money()), [Effect::add("cube", Number::variable("cube"))]),
    ];
    let greater = Number::die(white).greater_than(Number::die(black));
    let decided = [
        Effect::set("opening", 0),
        Effect::set("ties", 0),
        Effect::when_else(greater, takes([white, black]), takes([black, white])),
    ];
    let equal = |[one, two]: [&str; 2]| Number::die(one).equals(Number::die(two));
    let fourfold = Effect::show(["three", "four"], Number::die("one"));
    vec![
        Phase::leaf("opening").when(Number::variable("opening").equals(1)).rule(
            Rule::rolls("opening roll", Rolling::of(OPENING))
                .then(Effect::when_else(equal(OPENING), tie, decided))
                .then(Effect::unroll(OPENING)),
        ),
        resigning(
            Phase::leaf("roll")
                .when(Number::die("one").equals(0))
                .rule(
                    Rule::rolls("roll", Rolling::of(["one", "two"]).in_any_order())
                        .then(Effect::when(equal(["one", "two"]), [fourfold])),
                )
                .rule(double()),
        ),
        resigning(moving()),
    ]
}

fn double() -> Rule {
    let cube = || Number::variable("cube");
    let alive = (Number::variable("score") + cube()).less_than(Number::variable("length"));
    Rule::acts("double", "double")
        .aside()
        .when(of_next("owns").equals(0).called("the cube is not the opponent's"))
        .when(Number::variable("crawford").equals(0).called("this is not the Crawford game"))
        .when(cube().less_than(Number::variable("limit")).called("the cube can go higher"))
        .when(for_money().or(alive).called("the cube is not dead"))
        .then_all([Effect::set("offered", 1), Effect::Turn(Seat::Next)])
}

/// Adds the resignations that a player may offer on his turn.
fn resigning(phase: Phase) -> Phase {
    let offers = [("resign-single", 1), ("resign-gammon", 2), ("resign-backgammon", 3)];
    offers.into_iter().fold(phase, |phase, (act, worth)| {
        let offer = [Effect::set("resigning", worth), Effect::Turn(Seat::Next)];
        phase.rule(Rule::acts(act, act).aside().then_all(offer))
    })
}

fn moving() -> Phase {
    let mine = |on| Number::pieces(on, Who::Mover);
    let home = || mine(Set::region("outside")).equals(0).called("every checker is home");
    let from_bar = Tile::From.is_in(Set::region("bar"));
    let none_waits = mine(Set::region("bar")).equals(0);
    let hit = Effect::capture_to(Tile::To, Tile::only("bar", Seat::Next));
    let free = Set::region("points") - Set::AtLeast(2, Who::Foe);
    let off = || Set::region("off");
    let rearmost = mine(Set::ray(Tile::From, "back")).equals(0);
    let next = || Effect::when(Number::die("one").equals(0), [Effect::Turn(Seat::Next)]);
    let last = || Effect::when_else(mine(Set::region("running")).equals(0), victory(), [next()]);
    Phase::leaf("move")
        .using(Usage::MostThenGreatest)
        .rule(
            Rule::moves("move", Movement::any().by_dice(DICE, "onward").onto(free))
                .when(from_bar.or(none_waits).called("checkers on the bar enter first"))
                .before(hit)
                .then(next()),
        )
        .rule(
            Rule::moves("bear off", Movement::any().by_dice(DICE, "onward").onto(off()))
                .when(home())
                .then(last()),
        )
        .rule(
            Rule::moves(
                "bear off the rearmost",
                Movement::any().short_of_dice(DICE, "onward").onto(off()),
            )
            .when(home())
            .when(rearmost.called("no checker is further back"))
            .then(last()),
        )
        .rule(
            Rule::acts("pass", "pass")
                .otherwise()
                .then_all([Effect::unroll(DICE), Effect::Turn(Seat::Next)]),
        )
}

/// Whether gammons count: not by Jacoby's rule while nobody has turned the cube.
fn gammons_count() -> Truth {
    let turned = (Number::variable("owns") + of_next("owns")).at_least(1);
    turned.or(!for_money()).or(Number::variable("jacoby").equals(0))
}

/// What the winner of a game that was played to its end has won.
fn victory() -> Vec<Effect> {
    let theirs = |on| Number::pieces(on, Who::Foe);
    let gammon = theirs(Set::region_of("off", Seat::Next)).equals(0).and(gammons_count());
    let caught = theirs(Set::region("home")) + theirs(Set::region_of("bar", Seat::Next));
    let backgammon = Effect::when(caught.at_least(1), [Effect::set("wins", 3)]);
    vec![
        Effect::set("wins", 1),
        Effect::when(gammon, [Effect::set("wins", 2), backgammon]),
        Effect::unroll(DICE),
    ]
}

fn endings(builder: Builder) -> Builder {
    let acts = ["pass", "settle", "double", "take", "drop", "beaver", "accept", "refuse"];
    let resignations = ["resign-single", "resign-gammon", "resign-backgammon"];
    let builder = acts.into_iter().chain(resignations).fold(builder, Builder::action);
    let cube = || Number::variable("cube");
    let worth =
        [("single", cube()), ("gammon", cube() + cube()), ("backgammon", cube() + cube() + cube())];
    let builder = (1..).zip(worth).fold(builder, |builder, (times, (name, worth))| {
        let won = Number::variable("wins").equals(times);
        builder.ending(
            Ending::win(name, Seat::Mover).of_each().when(for_money().and(won)).worth(worth),
        )
    });
    let reached = Number::variable("score").at_least(Number::variable("length"));
    builder.ending(Ending::win("match", Seat::Mover).of_each().when((!for_money()).and(reached)))
}
