//! Pieces as grids of filled and empty cells, for screens of characters.

use senet_core::{Game, KindId, PlayerId};

use crate::look;
use crate::raster;
use crate::scene::{Color, Paint, Scene};
use crate::shape::{Part, STROKES, Shape};

/// The part of the box of a shape that is drawn: left, top, right and bottom, in hundredths.
const FRAME: [f64; 4] = [13.0, 9.0, 87.0, 88.0];

/// How many pixels there are for each hundredth of the box.
const ZOOM: f64 = 3.0;

/// A piece as rows of cells, the upper row first: whether each is filled. Lines and dots on the
/// piece are left empty. None for pieces that are a disk or a letter, which a sign shows as well.
pub fn silhouette(
    game: &Game,
    owner: PlayerId,
    kind: KindId,
    (columns, rows): (usize, usize),
) -> Option<Vec<Vec<bool>>> {
    let scene = scene(look::shape(game, owner, kind))?;
    let pixmap = raster::fill(&scene, ZOOM);
    let [left, top, right, bottom] = FRAME.map(|edge| edge * ZOOM);
    let span = |first: f64, last: f64, at: usize, count: usize| {
        let step = (last - first) / count as f64;
        let (from, to) = (first + at as f64 * step, first + (at + 1) as f64 * step);
        from as u32..(to as u32).max(from as u32 + 1)
    };
    let filled = |column: usize, row: usize| {
        let (mut ink, mut all) = (0u32, 0u32);
        for y in span(top, bottom, row, rows) {
            for x in span(left, right, column, columns) {
                // What is filled is black, and what is left empty on it is white.
                let pixel = pixmap.pixel(x, y);
                ink += pixel.map_or(0, |pixel| u32::from(pixel.alpha() - pixel.red()));
                all += 255;
            }
        }
        2 * ink > all
    };
    let row = |row| (0..columns).map(|column| filled(column, row)).collect();
    Some((0..rows).map(row).collect())
}

/// The shape in black, with what is on it in white.
fn scene(shape: Shape) -> Option<Scene> {
    let (ink, gap) = (Color::hex(0x000000), Color::hex(0xffffff));
    let mut scene = Scene { size: (100.0, 100.0), title: String::new(), items: Vec::new() };
    match shape {
        Shape::Disk | Shape::CrownedDisk | Shape::Letter(_) => return None,
        Shape::Cross => {
            for stroke in STROKES {
                scene.shape(stroke, (0.0, 0.0), 1.0, Paint::stroke(ink, 15.0));
            }
        }
        Shape::Nought => scene.circle((50.0, 50.0), 27.0, Paint::stroke(ink, 14.0)),
        shape => {
            for part in shape.parts() {
                let (d, paint) = match part {
                    Part::Body(d) => (d, Paint::fill(ink).edged(ink, 3.6)),
                    Part::Line(d) => (d, Paint::stroke(gap, 2.6)),
                    Part::Crest(d) => (d, Paint::stroke(ink, 6.0)),
                    Part::Dot(d) => (d, Paint::fill(gap)),
                };
                scene.shape(*d, (0.0, 0.0), 1.0, paint);
            }
        }
    }
    Some(scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_testkit::sample;

    #[test]
    fn every_drawn_kind_has_a_figure_of_its_own() {
        let shapes = [Shape::King, Shape::Queen, Shape::Rook, Shape::Bishop, Shape::Knight];
        let drawn = shapes.map(|shape| scene(shape).expect("it is drawn").items.len());
        assert!(drawn.iter().all(|parts| *parts > 0), "{drawn:?}");
        assert!(scene(Shape::Disk).is_none() && scene(Shape::Letter('A')).is_none());
    }

    #[test]
    fn a_figure_has_as_many_cells_as_asked_for() {
        let game = sample::league();
        for owner in game.players() {
            for kind in game.kinds() {
                let Some(rows) = silhouette(&game, owner, kind, (16, 8)) else { continue };
                assert!(rows.len() == 8 && rows.iter().all(|row| row.len() == 16));
                assert!(rows.iter().flatten().any(|cell| *cell));
                assert!(!rows.iter().flatten().all(|cell| *cell));
            }
        }
    }
}
