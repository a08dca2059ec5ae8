//! Small games are played perfectly: the search finds the value that trying everything finds.

use std::collections::BTreeMap;
use std::sync::Arc;

use senet_bots::{Limit, Moment, Search, WIN};
use senet_core::builder::Grid;
use senet_core::builder::{LINES, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST};
use senet_core::written::{
    Effect, Ending, Kind, Movement, Pattern, Phase, Player, Putting, Rule, Seat, Set, Tile, Truth,
};
use senet_core::{Builder, Definition, Game, Options, State};

/// Discs fall to the lowest free tile of a column of a 4×4 board; three in a row win.
fn drop_three() -> Definition {
    let line = Truth::line(3, &LINES, Set::own());
    let supported = Tile::To.then(&[SOUTH]).is_in(!Set::Empty);
    let floor = Tile::To.is_in(Set::region("floor"));
    Builder::new("drop-three")
        .players(["left", "right"])
        .board(Grid::new(4, 4).eight())
        .region("floor", ["a1", "b1", "c1", "d1"])
        .kind("disc")
        .pieces("left", "disc", 8)
        .pieces("right", "disc", 8)
        .phase(
            Phase::leaf("play").rule(
                Rule::puts("drop", Putting::any().onto(Set::Empty))
                    .when(floor.or(supported))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("three in a row", Seat::Mover).of_each().when(line))
        .ending(Ending::draw("full").when(Truth::Stuck))
        .build()
}

/// Three guards a side on 3×3 step ahead or take aslant; to arrive or to leave the other no move
/// wins.
fn hexapawn() -> Definition {
    let player = |name: &str, [ahead, one, two]: [&str; 3]| {
        Player::new(name).facing("ahead", ahead).facing("aslant", one).facing("askew", two)
    };
    let guard = || Movement::of(["guard"]);
    let arrived = (Set::region("far") & Set::own()).any();
    let ends = |rule: Rule| rule.then(Effect::Turn(Seat::Next));
    let takes = guard().by(Pattern::steps(&["aslant", "askew"]));
    Builder::new("hexapawn")
        .player(player("white", [NORTH, NORTH_EAST, NORTH_WEST]))
        .player(player("black", [SOUTH, SOUTH_EAST, SOUTH_WEST]))
        .board(Grid::new(3, 3).eight())
        .region_of("white", "far", ["a3", "b3", "c3"])
        .region_of("black", "far", ["a1", "b1", "c1"])
        .kind(Kind::new("guard"))
        .pieces_on("white", "guard", ["a1", "b1", "c1"])
        .pieces_on("black", "guard", ["a3", "b3", "c3"])
        .phase(
            Phase::leaf("play")
                .rule(ends(Rule::moves(
                    "step",
                    guard().by(Pattern::step("ahead")).onto(Set::Empty),
                )))
                .rule(ends(Rule::moves("take", takes.onto(Set::foe())))),
        )
        .ending(Ending::win("arrived", Seat::Mover).of_each().when(arrived))
        .ending(Ending::win("stuck", Seat::Previous).when(Truth::Stuck))
        .build()
}

/// Everything that can be known of a game, by trying everything.
#[derive(Default)]
struct Values(BTreeMap<u128, i64>);

impl Values {
    /// What the player to move gets when both play best.
    fn value(&mut self, game: &Game, state: &State) -> i64 {
        if let Some(value) = self.0.get(&state.hash128()) {
            return *value;
        }
        let mover = game.view(state).player();
        let value = match game.outcome(state) {
            Some(outcome) => outcome.scores[mover.index()],
            None => {
                let events = game.legal(state).into_iter();
                let reply = |event| -self.value(game, &game.apply(state, event).unwrap().state);
                events.map(reply).max().expect("play goes on")
            }
        };
        self.0.insert(state.hash128(), value);
        value
    }
}

fn solve(definition: Definition) -> (i64, usize) {
    let game = Arc::new(definition.compile(Options::default()).expect("it is a game"));
    let mut values = Values::default();
    let value = values.value(&game, &game.start());
    let search = Search::new(game.clone());
    let mut state = game.start();
    let mut told = 0;
    // Along the line that the search plays against itself, every value is the true one.
    while game.outcome(&state).is_none() {
        let thought = search.think(&Moment::of(&state), &Limit::NONE, &[], &mut |_| told += 1);
        let thought = thought.expect("play goes on");
        let known = match thought.value {
            value if value > WIN / 2 => 1,
            value if value < -WIN / 2 => -1,
            value => i64::from(value),
        };
        assert!(thought.exact || known != 0, "{state:?} is not proven");
        assert_eq!(known, values.value(&game, &state), "{state:?}");
        let after = game.apply(&state, thought.event).unwrap().state;
        assert_eq!(
            -values.value(&game, &after),
            values.value(&game, &state),
            "{:?}",
            thought.event
        );
        state = after;
    }
    assert!(told > 0);
    (value, values.0.len())
}

#[test]
fn hexapawn_is_solved_and_lost_by_who_begins() {
    let (value, positions) = solve(hexapawn());
    assert_eq!(value, -1, "as Martin Gardner told in 1962");
    assert!(positions > 50, "{positions}");
}

#[test]
fn three_in_a_row_with_falling_discs_is_solved() {
    let (value, positions) = solve(drop_three());
    assert!(positions > 5_000, "{positions}");
    assert_eq!(value, 1);
}
