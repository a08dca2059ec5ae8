//! The letters of pictures: Open Sans, of which the outlines are taken here and the name in SVG.

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::scene::Anchor;

static REGULAR: &[u8] = include_bytes!("../font/OpenSans-Regular.ttf");
static SEMIBOLD: &[u8] = include_bytes!("../font/OpenSans-Semibold.ttf");

fn face(bold: bool) -> Face<'static> {
    let bytes = if bold { SEMIBOLD } else { REGULAR };
    Face::parse(bytes, 0).expect("the font beside this file is whole")
}

/// The glyph of a letter; that of no letter where the font has none.
fn glyph(face: &Face<'_>, letter: char) -> GlyphId {
    face.glyph_index(letter).unwrap_or_default()
}

/// Whether the font has a letter.
pub(crate) fn has(letter: char) -> bool {
    face(true).glyph_index(letter).is_some()
}

fn advance(face: &Face<'_>, glyph: GlyphId) -> f64 {
    f64::from(face.glyph_hor_advance(glyph).unwrap_or(0))
}

/// How wide a text is.
pub(crate) fn width(text: &str, size: f64, bold: bool) -> f64 {
    let face = face(bold);
    let units: f64 = text.chars().map(|letter| advance(&face, glyph(&face, letter))).sum();
    units * size / f64::from(face.units_per_em())
}

/// A text as lines that are not wider than a width, broken between words.
pub(crate) fn wrap(text: &str, size: f64, widest: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, false) <= widest => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text as an outline, set at its place.
pub(crate) fn outline(
    text: &str,
    (x, y): (f64, f64),
    size: f64,
    (anchor, bold): (Anchor, bool),
) -> Option<Path> {
    let face = face(bold);
    let scale = size / f64::from(face.units_per_em());
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width(text, size, bold) / 2.0,
        Anchor::End => width(text, size, bold),
    };
    let mut pen = Pen { builder: PathBuilder::new(), x: x - before, y, scale };
    for letter in text.chars() {
        let glyph = glyph(&face, letter);
        face.outline_glyph(glyph, &mut pen);
        pen.x += advance(&face, glyph) * scale;
    }
    pen.builder.finish()
}

struct Pen {
    builder: PathBuilder,
    x: f64,
    y: f64,
    scale: f64,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        let right = self.x + f64::from(x) * self.scale;
        let down = self.y - f64::from(y) * self.scale;
        (right as f32, down as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_becomes_lines_that_fit() {
        let text = "e1g1 is refused: f1 is attacked by the bishop on c4";
        let lines = wrap(text, 16.0, 200.0);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 16.0, false) <= 200.0));
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap("unbreakable", 16.0, 1.0), ["unbreakable"]);
    }
}
