//! What a picture is made of, before it is written as SVG or filled with pixels: one list of
//! forms, painted in order, that every writer reads.

use std::borrow::Cow;

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
    pub(crate) alpha: u8,
}

impl Color {
    /// A colour from its six digits.
    pub(crate) const fn hex(digits: u32) -> Color {
        let (red, green, blue) = ((digits >> 16) as u8, (digits >> 8) as u8, digits as u8);
        Color { red, green, blue, alpha: 255 }
    }

    /// The same colour, seen through.
    pub(crate) const fn fade(self, alpha: u8) -> Color {
        Color { alpha, ..self }
    }
}

/// A place in a picture: to the right and down.
pub(crate) type Point = (f64, f64);

/// How a form is painted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Paint {
    pub(crate) fill: Option<Color>,
    pub(crate) stroke: Option<Color>,
    pub(crate) width: f64,
}

impl Paint {
    pub(crate) fn fill(color: Color) -> Paint {
        Paint { fill: Some(color), ..Paint::default() }
    }

    pub(crate) fn stroke(color: Color, width: f64) -> Paint {
        Paint { fill: None, stroke: Some(color), width }
    }

    pub(crate) fn edged(self, color: Color, width: f64) -> Paint {
        Paint { stroke: Some(color), width, ..self }
    }
}

/// Where a text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// One thing in a picture.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// An outline in its own units, of which `scale` make a unit of the picture.
    Path {
        d: Cow<'static, str>,
        at: Point,
        scale: f64,
        paint: Paint,
    },
    Circle {
        at: Point,
        radius: f64,
        paint: Paint,
    },
    Rect {
        at: Point,
        size: Point,
        round: f64,
        paint: Paint,
    },
    Text {
        at: Point,
        size: f64,
        anchor: Anchor,
        bold: bool,
        color: Color,
        text: String,
    },
}

/// A whole picture.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) size: Point,
    pub(crate) title: String,
    pub(crate) items: Vec<Item>,
}

impl Scene {
    pub(crate) fn path(&mut self, d: impl Into<Cow<'static, str>>, paint: Paint) {
        self.shape(d, (0.0, 0.0), 1.0, paint);
    }

    pub(crate) fn shape(
        &mut self,
        d: impl Into<Cow<'static, str>>,
        at: Point,
        scale: f64,
        paint: Paint,
    ) {
        self.items.push(Item::Path { d: d.into(), at, scale, paint });
    }

    pub(crate) fn circle(&mut self, at: Point, radius: f64, paint: Paint) {
        self.items.push(Item::Circle { at, radius, paint });
    }

    pub(crate) fn rect(&mut self, at: Point, size: Point, round: f64, paint: Paint) {
        self.items.push(Item::Rect { at, size, round, paint });
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, color: Color, width: f64) {
        let d = format!("M{} L{}", pair(from), pair(to));
        self.path(d, Paint::stroke(color, width));
    }

    pub(crate) fn polygon(&mut self, corners: &[Point], paint: Paint) {
        let corners: Vec<String> = corners.iter().copied().map(pair).collect();
        self.path(format!("M{} Z", corners.join(" L")), paint);
    }

    pub(crate) fn text(
        &mut self,
        at: Point,
        size: f64,
        (anchor, bold): (Anchor, bool),
        color: Color,
        text: impl Into<String>,
    ) {
        self.items.push(Item::Text { at, size, anchor, bold, color, text: text.into() });
    }
}

/// A number with at most two digits after its point.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Two numbers.
pub(crate) fn pair((x, y): Point) -> String {
    format!("{} {}", number(x), number(y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_minus_nothing() {
        let shown = [1.0, 0.5, -0.001, 12.346, 100.0].map(number);
        assert_eq!(shown, ["1", "0.5", "0", "12.35", "100"]);
    }
}
