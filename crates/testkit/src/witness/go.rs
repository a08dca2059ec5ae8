//! Go.

use senet_core::{
    Binding, Builder, Definition, Effect, Ending, Grid, Kind, Number, Phase, Putting, Rule, Seat,
    Set, Standing, Tile, Truth, Variable, Wanted, Who,
};

/// Counted on 9×9 by a program that knows go alone.
pub const COUNTS: &[u64] = &[82, 6_643, 531_522];

/// Counted on 3×3, where stones are soon taken, by the same program.
pub const SMALL: &[u64] = &[10, 91, 738, 5_281, 33_384, 179_712];

/// Counted on 2×2 with the rule that no position comes up again, by the same program.
pub const SUPERKO: &[u64] = &[5, 21, 68, 156, 316, 604, 1_112, 2_312, 4_544];

/// Go on a board of this many columns and rows, where instead of the simple rule of ko no stone may
/// be placed so that a position comes up again: the same stones with the same player to move.
pub fn with_superko(side: u16) -> Definition {
    let mut game = definition(side);
    game.name = format!("go-{side}-superko");
    game.marks.clear();
    game.variables.iter_mut().for_each(|variable| variable.standing = Standing::Beside);
    for rule in &mut game.phases[0].rules {
        rule.after.retain(|effect| !matches!(effect, Effect::Mark { .. } | Effect::When { .. }));
    }
    let place = &mut game.phases[0].rules[0];
    place.wants = Wanted::Put(Putting::any().onto(Set::Empty));
    let repeats = Truth::Repeats(2);
    *place = place.clone().ensuring((!repeats).called("no position comes up again"));
    game
}

/// Go on a board of this many columns and rows, with area scoring, a komi of 7½, no suicide, and the
/// simple rule of ko: the point where a single stone was just taken by a single stone is closed for
/// one turn.
pub fn definition(side: u16) -> Definition {
    let passes = || Number::variable("passes");
    let over = || passes().equals(2);
    // On the smallest boards nobody can be that far ahead.
    let komi = i64::from(side * side).min(8);
    let ahead = area("black") - area("white");
    Builder::new(format!("go-{side}"))
        .players(["black", "white"])
        .board(Grid::new(side, side))
        .mark("ko")
        .kind(Kind::new("stone").unlimited())
        .variable(Variable::counter("passes", 2))
        .variable(Variable::counter("foes", 1_000))
        .action("pass")
        .phase(
            Phase::leaf("play").rule(place()).rule(
                Rule::acts("pass", "pass")
                    .then(open_ko())
                    .then(Effect::add("passes", 1))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(
            Ending::win("more area", Seat::player("black"))
                .when(over().and(ahead.clone().at_least(komi))),
        )
        .ending(Ending::win("komi", Seat::player("white")).when(over().and(ahead.less_than(komi))))
        .build()
}

fn place() -> Rule {
    let group = || Set::own().group_at(Tile::To, &[]);
    let liberties = || group().around() & Set::Empty;
    let dead = Effect::when(
        (Set::name("group").around() & Set::Empty).none(),
        [Effect::Clear(Set::name("group"))],
    );
    let taken = Number::variable("foes") - Number::Count(Set::foe());
    let single = Number::Count(group()).equals(1).and(Number::Count(liberties()).equals(1));
    let close = Effect::Mark { on: liberties(), set: vec!["ko".into()], clear: Vec::new() };
    Rule::puts("place a stone", Putting::any().onto(Set::Empty - Set::mark("ko")))
        .before(Effect::set("foes", Number::Count(Set::foe())))
        .then(open_ko())
        .then(Effect::Each(Binding::groups("group", Set::foe(), &[]), vec![dead]))
        .then(Effect::when(taken.equals(1).and(single), [close]))
        .then(Effect::set("foes", 0))
        .then(Effect::set("passes", 0))
        .then(Effect::Turn(Seat::Next))
        .ensuring(liberties().any().called("the stone has a liberty"))
}

fn open_ko() -> Effect {
    Effect::Mark { on: Set::Board, set: Vec::new(), clear: vec!["ko".into()] }
}

/// The points that a player's stones hold or enclose.
fn area(player: &str) -> Number {
    let stones = |of: &str| Set::Owned(Who::player(of));
    let other = if player == "black" { "white" } else { "black" };
    let border = |of: &str| Set::name("space").around() & stones(of);
    let enclosed = border(player).any().and(border(other).none());
    let space =
        Set::If(Box::new(enclosed), Box::new(Set::name("space")), Box::new(Set::Tiles(Vec::new())));
    let spaces = Set::union(Binding::groups("space", Set::Empty, &[]), space);
    Number::Count(stones(player) | spaces)
}
