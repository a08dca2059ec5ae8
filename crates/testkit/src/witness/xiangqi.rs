//! Xiangqi.

use senet_core::builder::{
    DIAGONALS, EAST, FOUR, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Kind, Movement, Pattern, Phase, Player, Rule, Seat,
    Set, Truth, Who,
};

/// Published counts.
pub const COUNTS: &[u64] = &[44, 1_920, 79_666, 3_290_240];

/// Chinese chess on the points of 9×10, without the rules about repetition. Who cannot move has
/// lost.
pub fn definition() -> Definition {
    let builder = setup(kinds(board(Builder::new("xiangqi"))));
    let phase = rules().into_iter().fold(Phase::leaf("play"), Phase::rule);
    builder.phase(phase).ending(Ending::win("no move", Seat::Previous).when(Truth::Stuck)).build()
}

fn tiles(files: &str, rows: std::ops::RangeInclusive<u8>) -> Vec<String> {
    rows.flat_map(|row| files.chars().map(move |file| format!("{file}{row}"))).collect()
}

fn board(builder: Builder) -> Builder {
    let player = |name: &str, ahead: &str| Player::new(name).facing("ahead", ahead);
    let all = "abcdefghi";
    builder
        .player(player("red", NORTH))
        .player(player("black", SOUTH))
        .board(Grid::new(9, 10).eight())
        .region_of("red", "palace", tiles("def", 1..=3))
        .region_of("black", "palace", tiles("def", 8..=10))
        .region_of("red", "home", tiles(all, 1..=5))
        .region_of("black", "home", tiles(all, 6..=10))
}

fn kinds(builder: Builder) -> Builder {
    let travels = |kind: Kind, ways: Vec<Pattern>| ways.into_iter().fold(kind, Kind::travels);
    let legs = [
        [NORTH, NORTH_EAST],
        [NORTH, NORTH_WEST],
        [EAST, NORTH_EAST],
        [EAST, SOUTH_EAST],
        [SOUTH, SOUTH_EAST],
        [SOUTH, SOUTH_WEST],
        [WEST, NORTH_WEST],
        [WEST, SOUTH_WEST],
    ];
    builder
        .kind(Kind::new("general").travels(Pattern::steps(&FOUR)).royal())
        .kind(Kind::new("advisor").travels(Pattern::steps(&DIAGONALS)))
        .kind(travels(
            Kind::new("elephant"),
            DIAGONALS.iter().map(|way| Pattern::leap(&[way, way])).collect(),
        ))
        .kind(travels(Kind::new("horse"), legs.iter().map(|leg| Pattern::leap(leg)).collect()))
        .kind(Kind::new("chariot").travels(Pattern::slides(&FOUR)))
        .kind(Kind::new("cannon").travels(Pattern::slides(&FOUR)))
        .kind(Kind::new("soldier").travels(Pattern::step("ahead")))
}

fn setup(mut builder: Builder) -> Builder {
    for (player, back, cannons, soldiers) in [("red", 1, 3, 4), ("black", 10, 8, 7)] {
        let on = |files: &str, row| tiles(files, row..=row);
        builder = builder
            .pieces_on(player, "chariot", on("ai", back))
            .pieces_on(player, "horse", on("bh", back))
            .pieces_on(player, "elephant", on("cg", back))
            .pieces_on(player, "advisor", on("df", back))
            .pieces_on(player, "general", on("e", back))
            .pieces_on(player, "cannon", on("bh", cannons))
            .pieces_on(player, "soldier", on("acegi", soldiers));
    }
    builder
}

fn rules() -> Vec<Rule> {
    let of = |kind: &str| Movement::of([kind]);
    let palace = || Set::region("palace");
    let home = || Set::region("home");
    let over_one = of("cannon").hopping(FOUR, Set::occupied()).from_afar().landing_anywhere();
    let safe = (Set::own() & Set::Royal & Set::Attacked(Who::Foe)).none();
    let facing = of("general").by(Pattern::slide("ahead")).onto(Set::foe() & Set::kind("general"));
    let rules = [
        Rule::moves("general", of("general").onto(palace())),
        Rule::moves("generals see each other", facing),
        Rule::moves("advisor", of("advisor").onto(palace())),
        Rule::moves("elephant", of("elephant").through(Set::Empty).onto(home())),
        Rule::moves("horse", of("horse").through(Set::Empty)),
        Rule::moves("chariot", of("chariot")),
        Rule::moves("cannon", of("cannon").onto(Set::Empty).harmless()),
        Rule::moves("cannon capture", over_one.onto(Set::foe())),
        Rule::moves("soldier", of("soldier")),
        Rule::moves(
            "soldier beyond the river",
            of("soldier").source(!home()).by(Pattern::steps(&[EAST, WEST])),
        ),
    ];
    let finish = |rule: Rule| {
        rule.then(Effect::Turn(Seat::Next))
            .ensuring(safe.clone().called("the own general is not attacked"))
    };
    rules.map(finish).into()
}
