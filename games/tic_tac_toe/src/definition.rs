//! The game as written.

use senet_core::builder::LINES;
use senet_core::{
    Builder, Definition, Effect, Ending, Grid, Number, Phase, Putting, Rule, Seat, Set, Truth, Who,
};

/// Two players mark the empty tiles of a 3×3 board in turn; three marks in a row win.
pub fn definition() -> Definition {
    Builder::new("tic-tac-toe")
        .players(["x", "o"])
        .board(Grid::new(3, 3).along(LINES))
        .kind("mark")
        .pieces("x", "mark", 5)
        .pieces("o", "mark", 4)
        .phase(
            Phase::leaf("play").rule(
                Rule::puts("mark an empty tile", Putting::any().onto(Set::Empty))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("three in a row", Seat::Mover).of_each().when(three_in_a_row()))
        .ending(Ending::draw("board full").when(Set::Empty.none()))
        .requirement("the players have not marked in turn", marked_in_turn())
        .requirement("the player to move has already won", !three_in_a_row())
        .build()
}

fn three_in_a_row() -> Truth {
    Truth::line(3, &LINES, Set::own())
}

fn marked_in_turn() -> Truth {
    let marks = |player| Number::pieces(Set::Board, Who::player(player));
    let as_many = Truth::turn("x").and(marks("x").equals(marks("o")));
    let one_more = Truth::turn("o").and(marks("x").equals(marks("o") + 1));
    as_many.or(one_more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_out_and_read_back_it_is_the_same() {
        let written = serde_json::to_string(&definition()).unwrap();
        let read: Definition = serde_json::from_str(&written).unwrap();
        assert_eq!(read, definition());
    }
}
