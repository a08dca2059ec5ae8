//! Pictures one after another, as an animated GIF.

use std::fmt;
use std::io::Write;

use gif::{Encoder, EncodingError, Frame, Repeat};
use tiny_skia::Pixmap;

use crate::picture::Picture;

/// How many pixels a unit of the picture has.
const ZOOM: f64 = 1.0;

/// How thoroughly colours are chosen, from 1 for slowest to 30 for fastest.
const HASTE: i32 = 10;

/// An animation being written. The first picture says how large it is.
pub struct Film<W: Write> {
    into: Option<W>,
    encoder: Option<Encoder<W>>,
    /// The pixels that are seen now.
    shown: Option<Pixmap>,
}

/// Why an animation could not be written.
#[derive(Debug)]
pub struct FilmError(EncodingError);

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the animation cannot be written: {}", self.0)
    }
}

impl std::error::Error for FilmError {}

impl From<EncodingError> for FilmError {
    fn from(error: EncodingError) -> FilmError {
        FilmError(error)
    }
}

/// A part of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

impl<W: Write> Film<W> {
    /// An animation without pictures.
    pub fn new(into: W) -> Film<W> {
        Film { into: Some(into), encoder: None, shown: None }
    }

    /// Adds a picture that is shown for `delay` hundredths of a second.
    pub fn add(&mut self, picture: &Picture<'_>, delay: u16) -> Result<(), FilmError> {
        let pixels = picture.pixels(ZOOM);
        let area = match &self.shown {
            Some(before) => difference(before, &pixels),
            None => whole(&pixels),
        };
        if self.encoder.is_none() {
            let into = self.into.take().expect("it is taken once");
            let side = |pixels: u32| pixels.min(u32::from(u16::MAX)) as u16;
            let size = (side(pixels.width()), side(pixels.height()));
            let mut encoder = Encoder::new(into, size.0, size.1, &[])?;
            encoder.set_repeat(Repeat::Infinite)?;
            self.encoder = Some(encoder);
        }
        let mut bytes = cut(&pixels, area);
        let (width, height) = (area.width as u16, area.height as u16);
        let mut frame = Frame::from_rgba_speed(width, height, &mut bytes, HASTE);
        (frame.left, frame.top, frame.delay) = (area.left as u16, area.top as u16, delay);
        frame.dispose = gif::DisposalMethod::Keep;
        if let Some(encoder) = &mut self.encoder {
            encoder.write_frame(&frame)?;
        }
        self.shown = Some(match self.shown.take() {
            // A picture of another size is seen as far as there is room for it.
            Some(before)
                if before.width() != pixels.width() || before.height() != pixels.height() =>
            {
                before
            }
            _ => pixels,
        });
        Ok(())
    }

    /// Ends the animation and gives back what it was written to.
    pub fn finish(self) -> Result<W, FilmError> {
        match (self.encoder, self.into) {
            (Some(encoder), _) => Ok(encoder.into_inner()?),
            (None, Some(into)) => Ok(into),
            (None, None) => unreachable!("one of the two has it"),
        }
    }
}

fn whole(pixels: &Pixmap) -> Area {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    Area { left: 0, top: 0, width, height }
}

/// The least area outside of which two pictures agree; where they agree in all, one pixel.
fn difference(one: &Pixmap, two: &Pixmap) -> Area {
    let width = one.width().min(two.width()) as usize;
    let height = one.height().min(two.height()) as usize;
    let differs =
        |x: usize, y: usize| one.pixel(x as u32, y as u32) != two.pixel(x as u32, y as u32);
    let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
    for y in 0..height {
        for x in (0..width).filter(|x| differs(*x, y)) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if right == 0 {
        return Area { left: 0, top: 0, width: 1, height: 1 };
    }
    Area { left, top, width: right - left, height: bottom - top }
}

/// The bytes of an area, red, green, blue and opacity of each pixel.
fn cut(pixels: &Pixmap, area: Area) -> Vec<u8> {
    let across = pixels.width() as usize * 4;
    let rows = pixels.data().chunks(across).skip(area.top).take(area.height);
    rows.flat_map(|row| &row[area.left * 4..(area.left + area.width) * 4]).copied().collect()
}
