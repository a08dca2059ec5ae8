//! Boards of squares, and the directions of the compass.

use super::board::{self, Board, Point, points};
use super::owned;

/// Towards higher rows.
pub const NORTH: &str = "north";
/// Towards higher rows and later columns.
pub const NORTH_EAST: &str = "north-east";
/// Towards later columns.
pub const EAST: &str = "east";
/// Towards lower rows and later columns.
pub const SOUTH_EAST: &str = "south-east";
/// Towards lower rows.
pub const SOUTH: &str = "south";
/// Towards lower rows and earlier columns.
pub const SOUTH_WEST: &str = "south-west";
/// Towards earlier columns.
pub const WEST: &str = "west";
/// Towards higher rows and earlier columns.
pub const NORTH_WEST: &str = "north-west";

/// The directions along rows and columns, clockwise.
pub const FOUR: [&str; 4] = [NORTH, EAST, SOUTH, WEST];
/// The directions between those, clockwise.
pub const DIAGONALS: [&str; 4] = [NORTH_EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST];
/// Every direction of a grid, clockwise; the opposite is four further on.
pub const EIGHT: [&str; 8] =
    [NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST];
/// One of each two opposite directions: enough to find every row, column and diagonal.
pub const LINES: [&str; 4] = [NORTH, NORTH_EAST, EAST, SOUTH_EAST];
/// Each direction of a grid or a hex board with its opposite.
pub const OPPOSITES: [(&str, &str); 4] =
    [(NORTH, SOUTH), (NORTH_EAST, SOUTH_WEST), (EAST, WEST), (SOUTH_EAST, NORTH_WEST)];

/// A rectangle of square tiles, listed row by row from the bottom, each row from the left.
///
/// A tile is named by the letters of its column, from the left, and the number of its row, from
/// the bottom: `a1` is the lower left corner, column 27 is `aa`.
///
/// ```
/// use senet_core::builder::Grid;
/// use senet_core::Builder;
///
/// let definition = Builder::new("plain").board(Grid::new(3, 2).eight()).build();
/// let names: Vec<&str> = definition.tiles.iter().map(|tile| tile.name.as_str()).collect();
/// assert_eq!(names, ["a1", "b1", "c1", "a2", "b2", "c2"]);
/// assert_eq!(definition.directions[1], "north-east");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    points: Vec<(Point, String)>,
    directions: Vec<String>,
}

impl Grid {
    /// A grid of this many columns and rows, joined in [`FOUR`] directions.
    pub fn new(columns: u16, rows: u16) -> Self {
        let points = points(board::rows(columns, rows));
        Grid { points, directions: owned(FOUR) }
    }

    /// Joins the tiles in [`EIGHT`] directions.
    #[must_use]
    pub fn eight(self) -> Self {
        self.along(EIGHT)
    }

    /// Joins the tiles in these of the [`EIGHT`] directions only.
    #[must_use]
    pub fn along(mut self, directions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.directions = owned(directions);
        self
    }

    /// Names each tile by its column and row, both counted from 0 at the lower left.
    #[must_use]
    pub fn named(mut self, name: impl Fn(i32, i32) -> String) -> Self {
        for ((column, row), old) in &mut self.points {
            *old = name(*column, *row);
        }
        self
    }

    /// Names the tiles `1`, `2` and so on, in the order in which they are listed.
    #[must_use]
    pub fn named_by_number(mut self) -> Self {
        for (index, (_, name)) in self.points.iter_mut().enumerate() {
            *name = (index + 1).to_string();
        }
        self
    }

    /// The grid as tiles, directions and relations.
    #[must_use]
    pub fn board(self) -> Board {
        Board::woven(&self.points, &self.directions, step)
    }
}

impl From<Grid> for Board {
    fn from(grid: Grid) -> Self {
        grid.board()
    }
}

fn step((column, row): Point, direction: &str) -> Option<Point> {
    let (east, north) = match direction {
        NORTH => (0, 1),
        NORTH_EAST => (1, 1),
        EAST => (1, 0),
        SOUTH_EAST => (1, -1),
        SOUTH => (0, -1),
        SOUTH_WEST => (-1, -1),
        WEST => (-1, 0),
        NORTH_WEST => (-1, 1),
        _ => return None,
    };
    Some((column + east, row + north))
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::{around, count, leads_back};
    use super::*;

    const SIZES: [(u16, u16); 7] = [(0, 5), (1, 1), (1, 7), (3, 3), (8, 8), (5, 13), (19, 19)];

    #[test]
    fn a_grid_of_four_directions_joins_rows_and_columns() {
        for (columns, rows) in SIZES {
            let board = Grid::new(columns, rows).board();
            let (w, h) = (usize::from(columns), usize::from(rows));
            assert_eq!(board.tiles.len(), w * h);
            assert_eq!(board.directions, FOUR);
            let (up, right) = (w * h.saturating_sub(1), h * w.saturating_sub(1));
            assert_eq!(FOUR.map(|d| count(&board, d)), [up, right, up, right]);
            assert!(leads_back(&board, &OPPOSITES));
        }
    }

    #[test]
    fn a_grid_of_eight_directions_joins_diagonals_too() {
        for (columns, rows) in SIZES {
            let board = Grid::new(columns, rows).eight().board();
            let (w, h) = (usize::from(columns), usize::from(rows));
            let (up, right) = (w * h.saturating_sub(1), h * w.saturating_sub(1));
            let slant = w.saturating_sub(1) * h.saturating_sub(1);
            let counts = EIGHT.map(|direction| count(&board, direction));
            assert_eq!(counts, [up, slant, right, slant, up, slant, right, slant]);
            assert_eq!(board.relations.len(), 2 * up + 2 * right + 4 * slant);
            assert!(leads_back(&board, &OPPOSITES));
        }
    }

    #[test]
    fn north_is_up_and_east_is_right() {
        let board = Grid::new(3, 3).eight().board();
        let expected = [
            (NORTH, "b3"),
            (NORTH_EAST, "c3"),
            (EAST, "c2"),
            (SOUTH_EAST, "c1"),
            (SOUTH, "b1"),
            (SOUTH_WEST, "a1"),
            (WEST, "a2"),
            (NORTH_WEST, "a3"),
        ];
        assert_eq!(around(&board, "b2"), expected);
        let corner = [(NORTH, "c2"), (WEST, "b1"), (NORTH_WEST, "b2")];
        assert_eq!(around(&board, "c1"), corner);
    }

    #[test]
    fn only_the_directions_asked_for_are_written() {
        let board = Grid::new(3, 3).along([EAST, "nowhere"]).board();
        assert_eq!(board.directions, [EAST, "nowhere"]);
        assert_eq!((count(&board, EAST), board.relations.len()), (6, 6));
    }

    #[test]
    fn tiles_are_named_by_column_and_row_or_as_asked() {
        let last = |grid: Grid| grid.board().tiles.pop().map(|tile| tile.name);
        assert_eq!(last(Grid::new(28, 12)).as_deref(), Some("ab12"));
        let named = Grid::new(2, 3).named(|column, row| format!("{column}/{row}"));
        assert_eq!(last(named).as_deref(), Some("1/2"));
        let numbered = Grid::new(4, 3).named_by_number();
        assert_eq!(last(numbered).as_deref(), Some("12"));
    }

    #[test]
    fn opposites_are_half_a_turn_apart() {
        for (index, direction) in EIGHT.into_iter().enumerate() {
            let pair = (direction, EIGHT[(index + 4) % 8]);
            assert_eq!(OPPOSITES.contains(&pair), index < 4);
        }
        assert_eq!(LINES, OPPOSITES.map(|(one, _)| one));
    }
}
