//! Oware.

use senet_core::builder::{CLOCKWISE, COUNTER_CLOCKWISE};
use senet_core::{
    Binding, Builder, Definition, Effect, Ending, Kind, Number, Phase, Putting, Rule, Seat, Set,
    Tile, Track, Truth, Variable, Who,
};

/// Counted by a program that knows oware alone.
pub const COUNTS: &[u64] = &[6, 36, 190, 1_014, 5_219, 27_332, 139_157, 711_414];

/// Twelve houses of four seeds. A player sows the seeds of one of his houses, leaving that house
/// out, and takes what makes two or three at the end of the way, as far back as they follow one
/// another; a way that would take every seed of the other takes none. A house is chosen by putting
/// a pointer there, which never lies on the board. Seeds belong to nobody; they are written as one
/// player's and counted as anyone's.
pub fn definition() -> Definition {
    let house = |number: usize| format!("h{number}");
    let seeds = (1..=12).flat_map(|number| std::iter::repeat_n(house(number), 4));
    let score = || Number::variable("score");
    let left = Number::pieces(Set::Board, Who::Anyone);
    Builder::new("oware")
        .players(["south", "north"])
        .board(Track::ring(12).board().prefixed("h").stacking())
        .region_of("south", "side", (1..=6).map(house))
        .region_of("north", "side", (7..=12).map(house))
        .mark("last")
        .mark("prize")
        .kind("seed")
        .kind(Kind::new("pointer").unlimited())
        .pieces_on("south", "seed", seeds)
        .variable(Variable::counter("score", 48).per_player())
        .variable(Variable::counter("steps", 60))
        .action("gather")
        .phase(
            Phase::leaf("play").rule(sow()).rule(
                Rule::acts("gather what is left", "gather")
                    .otherwise()
                    .then(Effect::add("score", left.clone()))
                    .then(Effect::Clear(Set::Board))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("more seeds", Seat::Mover).of_each().when(score().at_least(25)))
        .ending(Ending::draw("as many seeds").when(left.equals(0)))
        .build()
}

fn seeds() -> Set {
    Set::AtLeast(1, Who::Anyone)
}

fn theirs() -> Set {
    Set::region_of("side", Seat::Next)
}

fn mark(on: Set, name: &str) -> Effect {
    Effect::Mark { on, set: vec![name.into()], clear: Vec::new() }
}

fn sow() -> Rule {
    let steps = || Number::variable("steps");
    let once_around = Effect::when(steps().greater_than(12), [Effect::add("steps", -12)]);
    let two_or_three = || theirs() & (Set::AtLeast(2, Who::Anyone) - Set::AtLeast(4, Who::Anyone));
    let last = || Tile::Only(Box::new(Set::mark("last")));
    let back = Set::run(last(), COUNTER_CLOCKWISE, two_or_three(), None);
    let prize = Set::If(
        Box::new(last().is_in(two_or_three())),
        Box::new(Set::mark("last") | back),
        Box::new(Set::Tiles(Vec::new())),
    );
    let takes = [
        Effect::add("score", Number::pieces(Set::mark("prize"), Who::Anyone)),
        Effect::Clear(Set::mark("prize")),
    ];
    let clear = vec!["last".into(), "prize".into()];
    Rule::puts("sow a house", Putting::of(["pointer"]).onto(Set::region("side") & seeds()))
        .by_effects_alone()
        .then(Effect::Sow {
            from: Tile::To,
            along: CLOCKWISE.into(),
            skip: Set::at(Tile::To),
            count: Some("steps".into()),
        })
        .then(Effect::Repeat(Number::Is(4), vec![once_around]))
        .then(mark(steps_away(steps()), "last"))
        .then(mark(prize, "prize"))
        .then(Effect::when((theirs() & (seeds() - Set::mark("prize"))).any(), takes))
        .then(Effect::Mark { on: Set::Board, set: Vec::new(), clear })
        .then(Effect::set("steps", 0))
        .then(Effect::Turn(Seat::Next))
        .ensuring((theirs() & seeds()).any().called("the other player has seeds"))
}

/// The tile so many steps from the target.
fn steps_away(steps: Number) -> Set {
    let tile = || Set::at(Tile::name("tile"));
    let distance = Number::Distance { from: Tile::To, along: CLOCKWISE.into(), to: tile() };
    let found: Truth = distance.equals(steps);
    let one = Set::If(Box::new(found), Box::new(tile()), Box::new(Set::Tiles(Vec::new())));
    Set::union(Binding::tiles("tile", Set::Board - Set::at(Tile::To)), one)
}
