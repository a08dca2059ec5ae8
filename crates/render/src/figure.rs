//! Single pieces as pixels, for terminals that show pictures.

use senet_core::{Game, KindId, PlayerId};
use tiny_skia::Pixmap;

use crate::look::shape;
use crate::piece::draw_piece;
use crate::raster;
use crate::scene::{Color, Paint, Scene};
use crate::shape::Shape;

/// A piece as pixels, in the middle of a background of one colour or of none.
#[derive(Clone, Debug)]
pub struct Figure {
    pixels: Pixmap,
}

impl Figure {
    /// The piece of an owner and a kind in a picture of a width and a height in pixels.
    pub fn new(
        game: &Game,
        (owner, kind): (PlayerId, KindId),
        (width, height): (u32, u32),
        background: Option<[u8; 3]>,
    ) -> Figure {
        let size = (f64::from(width), f64::from(height));
        let mut scene = Scene { size, title: String::new(), items: Vec::new() };
        if let Some([red, green, blue]) = background {
            let paint = Paint::fill(Color { red, green, blue, alpha: 255 });
            scene.rect((0.0, 0.0), size, 0.0, paint);
        }
        let (middle, room) = ((size.0 / 2.0, size.1 / 2.0), size.0.min(size.1));
        // A disk has room around it in its box, which is wanted on a board and not here.
        let round = matches!(shape(game, owner, kind), Shape::Disk | Shape::CrownedDisk);
        let room = if round { room * 1.2 } else { room };
        draw_piece(&mut scene, game, (owner, kind), (middle, room));
        Figure { pixels: raster::fill(&scene, 1.0) }
    }

    /// The width and the height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.pixels.width(), self.pixels.height())
    }

    /// The red, green and blue of a pixel: 0 outside of the picture and where nothing is drawn.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let pixel = self.pixels.pixel(x, y).map(|pixel| pixel.demultiply());
        pixel.map_or([0; 3], |pixel| [pixel.red(), pixel.green(), pixel.blue()])
    }

    /// The picture as the bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        self.pixels.encode_png().expect("pixels in memory can be written to memory")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use senet_testkit::sample;

    #[test]
    fn a_figure_stands_in_the_middle_of_its_background() {
        let game = sample::league();
        let back = [1, 2, 3];
        for owner in game.players() {
            for kind in game.kinds() {
                let figure = Figure::new(&game, (owner, kind), (40, 60), Some(back));
                assert_eq!(figure.size(), (40, 60));
                assert_eq!(figure.pixel(0, 0), back);
                assert_eq!(figure.pixel(39, 59), back);
                let drawn = (0..60).flat_map(|y| (0..40).map(move |x| (x, y)));
                let drawn = drawn.filter(|(x, y)| figure.pixel(*x, *y) != back).count();
                assert!(drawn > 200, "{drawn}");
                assert!(figure.png().starts_with(b"\x89PNG"));
            }
        }
    }
}
