//! The game as written.

use senet_core::builder::LINES;
use senet_core::{
    Area, Builder, Condition, Definition, Effect, Ending, Grid, Phase, Putting, Rule, Seat,
    TileTest, Value, Who,
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
                Rule::puts("mark an empty tile", Putting::any().onto(TileTest::empty()))
                    .then(Effect::Turn(Seat::Next)),
            ),
        )
        .ending(Ending::win("three in a row", Seat::Mover).of_each().when(three_in_a_row()))
        .ending(
            Ending::draw("board full").when(Value::tiles(Area::Board, TileTest::empty()).equals(0)),
        )
        .requirement("the players have not marked in turn", marked_in_turn())
        .requirement("the player to move has already won", !three_in_a_row())
        .build()
}

fn three_in_a_row() -> Condition {
    Condition::line(3, LINES, TileTest::owned_by(Who::Mover))
}

fn marked_in_turn() -> Condition {
    let marks = |player| Value::pieces(Area::Board, Who::player(player));
    let as_many = Condition::turn("x").and(marks("x").equals(marks("o")));
    let one_more = Condition::turn("o").and(marks("x").equals(marks("o") + 1));
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
