//! A board as a piece of a definition, and how points become tiles that are joined.

use std::collections::BTreeMap;

use crate::written::{BoardTile, Capacity, Relation};

/// Tiles, directions and relations that [`crate::Builder::board`] adds to a definition. Every shape
/// of board becomes one.
///
/// ```
/// use senet_core::builder::{Grid, Track};
/// use senet_core::Builder;
///
/// let definition = Builder::new("two boards")
///     .board(Grid::new(2, 2).board().prefixed("upper-"))
///     .board(Track::ring(6).board().prefixed("rim-").stacking())
///     .build();
/// assert_eq!(definition.tiles[0].name, "upper-a1");
/// assert_eq!(definition.tiles[4].name, "rim-1");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    /// Its tiles.
    pub tiles: Vec<BoardTile>,
    /// The directions in which its relations lead.
    pub directions: Vec<String>,
    /// The steps between its tiles.
    pub relations: Vec<Relation>,
}

/// Where a tile lies on the plane: columns towards the east, rows towards the north.
pub(super) type Point = (i32, i32);

impl Board {
    /// Puts a prefix before the name of every tile.
    #[must_use]
    pub fn prefixed(mut self, prefix: &str) -> Self {
        let tiles = self.tiles.iter_mut().map(|tile| &mut tile.name);
        let ends =
            self.relations.iter_mut().flat_map(|relation| [&mut relation.from, &mut relation.to]);
        for name in tiles.chain(ends) {
            name.insert_str(0, prefix);
        }
        self
    }

    /// Lets every tile hold any number of pieces.
    #[must_use]
    pub fn stacking(mut self) -> Self {
        for tile in &mut self.tiles {
            tile.holds = Capacity::Many;
        }
        self
    }

    /// Joins every point to the one that a step leads to, where there is one: tile by tile, and for
    /// each tile direction by direction. A direction without a step joins nothing.
    pub(super) fn woven(
        points: &[(Point, String)],
        directions: &[String],
        step: impl Fn(Point, &str) -> Option<Point>,
    ) -> Self {
        let names: BTreeMap<Point, &String> =
            points.iter().map(|(point, name)| (*point, name)).collect();
        let mut relations = Vec::new();
        for (point, from) in points {
            for direction in directions {
                let reached = step(*point, direction);
                if let Some(&to) = reached.and_then(|reached| names.get(&reached)) {
                    relations.push(Relation::new(from, direction, to));
                }
            }
        }
        Board {
            tiles: points.iter().map(|(_, name)| BoardTile::new(name)).collect(),
            directions: directions.to_vec(),
            relations,
        }
    }
}

/// Points row by row from the bottom, each named by the letters of its column and the number of its
/// row.
pub(super) fn points(tiles: impl Iterator<Item = (u16, u16)>) -> Vec<(Point, String)> {
    let point = |(column, row)| {
        let name = format!("{}{}", letters(column), u32::from(row) + 1);
        ((i32::from(column), i32::from(row)), name)
    };
    tiles.map(point).collect()
}

/// The columns and rows of a board, row by row.
pub(super) fn rows(columns: u16, rows: u16) -> impl Iterator<Item = (u16, u16)> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
}

/// The letters of a column: `a` to `z`, then `aa`, `ab` and so on.
fn letters(column: u16) -> String {
    let mut left = u32::from(column) + 1;
    let mut letters = Vec::new();
    while left > 0 {
        left -= 1;
        letters.push(char::from(b'a' + (left % 26) as u8));
        left /= 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The names of the tiles that can be reached from a tile in one step, by direction.
    pub(in crate::builder) fn around<'a>(board: &'a Board, tile: &str) -> Vec<(&'a str, &'a str)> {
        let leaving = board.relations.iter().filter(|step| step.from == tile);
        leaving.map(|step| (step.direction.as_str(), step.to.as_str())).collect()
    }

    /// How many steps lead in a direction.
    pub(in crate::builder) fn count(board: &Board, direction: &str) -> usize {
        let steps = board.relations.iter();
        steps.filter(|step| step.direction == direction).count()
    }

    /// Whether every step has its way back in the opposite direction.
    pub(in crate::builder) fn leads_back(board: &Board, opposites: &[(&str, &str)]) -> bool {
        board.relations.iter().all(|step| {
            let back = opposites.iter().find_map(|&(one, other)| {
                let pairs = [(one, other), (other, one)];
                pairs.into_iter().find(|(there, _)| *there == step.direction)
            });
            back.is_some_and(|(_, back)| {
                let back = Relation::new(&step.to, back, &step.from);
                board.relations.contains(&back)
            })
        })
    }

    #[test]
    fn columns_have_two_letters_after_z() {
        let names = [0, 25, 26, 51, 52, 701, 702].map(letters);
        assert_eq!(names, ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }
}
