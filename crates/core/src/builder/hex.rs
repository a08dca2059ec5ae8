//! Boards of hexagons.

use super::board::{self, Board, Point, points};
use super::grid::{EAST, NORTH_EAST, NORTH_WEST, SOUTH_EAST, SOUTH_WEST, WEST};
use super::owned;

/// Every direction of a hex board, clockwise; the opposite is three further on.
pub const SIX: [&str; 6] = [NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST];

/// A board of hexagons that stand on a corner, listed row by row from the bottom, each row from the
/// left.
///
/// Rows run from west to east, columns from south-west to north-east, so that each row lies half a
/// tile further east than the one below. A tile is named by the letters of its column, from the
/// left, and the number of its row, from the bottom. In a hexagon the first column is the one that
/// starts at the left corner: a hexagon of radius 1 is
///
/// ```text
///   a3  b3
/// a2  b2  c2
///   b1  c1
/// ```
///
/// ```
/// use senet_core::builder::Hex;
/// use senet_core::Builder;
///
/// let definition = Builder::new("flower").board(Hex::hexagon(1)).build();
/// let names: Vec<&str> = definition.tiles.iter().map(|tile| tile.name.as_str()).collect();
/// assert_eq!(names, ["b1", "c1", "a2", "b2", "c2", "a3", "b3"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex {
    points: Vec<(Point, String)>,
    directions: Vec<String>,
}

impl Hex {
    /// A hexagon with this many rings of tiles around the middle one.
    pub fn hexagon(radius: u8) -> Self {
        let (near, across) = (u16::from(radius), u16::from(radius) * 2);
        let inside = |(column, row): &(u16, u16)| (near..=near + across).contains(&(column + row));
        let points = points(board::rows(across + 1, across + 1).filter(inside));
        Hex { points, directions: owned(SIX) }
    }

    /// A parallelogram of this many columns and rows: `a1` is its lower left corner.
    pub fn parallelogram(columns: u16, rows: u16) -> Self {
        Hex { points: points(board::rows(columns, rows)), directions: owned(SIX) }
    }

    /// Joins the tiles in these of the [`SIX`] directions only.
    #[must_use]
    pub fn along(mut self, directions: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.directions = owned(directions);
        self
    }

    /// Names each tile by its column and row, both counted from 0.
    #[must_use]
    pub fn named(mut self, name: impl Fn(i32, i32) -> String) -> Self {
        for ((column, row), old) in &mut self.points {
            *old = name(*column, *row);
        }
        self
    }

    /// The hexagons as tiles, directions and relations.
    #[must_use]
    pub fn board(self) -> Board {
        Board::woven(&self.points, &self.directions, step)
    }
}

impl From<Hex> for Board {
    fn from(hex: Hex) -> Self {
        hex.board()
    }
}

fn step((column, row): Point, direction: &str) -> Option<Point> {
    let (columns, rows) = match direction {
        NORTH_EAST => (0, 1),
        EAST => (1, 0),
        SOUTH_EAST => (1, -1),
        SOUTH_WEST => (0, -1),
        WEST => (-1, 0),
        NORTH_WEST => (-1, 1),
        _ => return None,
    };
    Some((column + columns, row + rows))
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::{around, count, leads_back};
    use super::super::grid::OPPOSITES;
    use super::*;

    fn degrees(board: &Board) -> [usize; 7] {
        let mut degrees = [0; 7];
        for tile in &board.tiles {
            degrees[around(board, &tile.name).len()] += 1;
        }
        degrees
    }

    #[test]
    fn a_hexagon_has_six_corners_and_a_rim() {
        for radius in [1, 2, 4, 9] {
            let board = Hex::hexagon(radius).board();
            let r = usize::from(radius);
            assert_eq!(board.tiles.len(), 3 * r * (r + 1) + 1);
            let inside = 3 * r * (r - 1) + 1;
            assert_eq!(degrees(&board), [0, 0, 0, 6, 6 * (r - 1), 0, inside]);
            let counts = SIX.map(|direction| count(&board, direction));
            assert_eq!(counts, [r * (3 * r + 1); 6]);
            assert!(leads_back(&board, &OPPOSITES));
        }
    }

    #[test]
    fn a_hexagon_of_radius_0_is_one_tile() {
        let board = Hex::hexagon(0).board();
        assert_eq!((board.tiles.len(), board.relations.len()), (1, 0));
    }

    #[test]
    fn a_parallelogram_has_two_sharp_and_two_blunt_corners() {
        let board = Hex::parallelogram(5, 4).board();
        assert_eq!(board.tiles.len(), 20);
        assert_eq!(degrees(&board), [0, 0, 2, 2, 10, 0, 6]);
        let counts = SIX.map(|direction| count(&board, direction));
        assert_eq!(counts, [15, 16, 12, 15, 16, 12]);
        assert_eq!(around(&board, "a1"), [(NORTH_EAST, "a2"), (EAST, "b1")]);
        assert!(leads_back(&board, &OPPOSITES));
    }

    #[test]
    fn the_middle_of_a_flower_is_joined_to_every_petal() {
        let board = Hex::hexagon(1).board();
        let petals = ["b3", "c2", "c1", "b1", "a2", "a3"];
        let expected: Vec<_> = SIX.into_iter().zip(petals).collect();
        assert_eq!(around(&board, "b2"), expected);
    }

    #[test]
    fn names_and_directions_are_as_asked() {
        let hex = Hex::parallelogram(2, 2).along([EAST]);
        let board = hex.named(|column, row| format!("{row}:{column}")).board();
        assert_eq!(board.directions, [EAST]);
        assert_eq!(around(&board, "1:0"), [(EAST, "1:1")]);
        assert_eq!(board.relations.len(), 2);
    }
}
