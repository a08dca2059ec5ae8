//! A picture as SVG text.

use std::fmt::Write;

use crate::font;
use crate::scene::{Anchor, Color, Item, Paint, Scene, number, pair};

/// The font that texts ask for; where it is not there, any without serifs will do.
pub(crate) const FAMILY: &str = "Open Sans, Helvetica, Arial, sans-serif";

/// Texts of more letters are given their length.
const LONG: usize = 12;

/// Writes the forms of a picture alone, for pages that put them into a picture of their own. Colours
/// that `names` has become variables of style sheets, so that one text serves every theme.
pub(crate) fn fragment(items: &[Item], names: &[(Color, &str)]) -> String {
    let mut svg: String = items.iter().map(written).collect();
    for (color, name) in names {
        let Color { red, green, blue, .. } = color;
        let found = format!("\"#{red:02x}{green:02x}{blue:02x}\"");
        svg = svg.replace(&found, &format!("\"var(--senet-{name})\""));
    }
    svg
}

/// Writes a picture. The same picture is the same text on every machine.
pub(crate) fn write(scene: &Scene) -> String {
    let (width, height) = (number(scene.size.0), number(scene.size.1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FAMILY}\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\">\n<title>{}</title>\n",
        escaped(&scene.title)
    );
    for item in &scene.items {
        svg.push_str(&written(item));
        svg.push('\n');
    }
    svg.push_str("</svg>\n");
    svg
}

fn written(item: &Item) -> String {
    match item {
        Item::Path { d, at, scale, paint } => {
            let moved = match (*at, *scale) {
                ((0.0, 0.0), 1.0) => String::new(),
                (at, scale) => {
                    format!(" transform=\"translate({}) scale({scale:.4})\"", pair(at))
                }
            };
            format!("<path{moved} d=\"{d}\"{}/>", painted(paint))
        }
        Item::Circle { at, radius, paint } => {
            let (x, y, radius) = (number(at.0), number(at.1), number(*radius));
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{}/>", painted(paint))
        }
        Item::Rect { at, size, round, paint } => {
            let [x, y, width, height] = [at.0, at.1, size.0, size.1].map(number);
            let round = match round {
                0.0 => String::new(),
                round => format!(" rx=\"{}\"", number(*round)),
            };
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{round}{}/>",
                painted(paint)
            )
        }
        Item::Text { at, size: height, anchor, bold, color, text } => {
            let (x, y, size) = (number(at.0), number(at.1), number(*height));
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let weight = if *bold { " font-weight=\"600\"" } else { "" };
            let fill = colored("fill", Some(*color));
            // Where another font is used a long text still takes the room that was left for it.
            let length = match text.chars().count() {
                0..=LONG => String::new(),
                _ => format!(
                    " textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"",
                    number(font::width(text, *height, *bold))
                ),
            };
            let text = escaped(text);
            format!(
                "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{weight}{fill}{length}>\
                 {text}</text>"
            )
        }
    }
}

fn painted(paint: &Paint) -> String {
    let mut text = colored("fill", paint.fill);
    if let Some(color) = paint.stroke {
        text.push_str(&colored("stroke", Some(color)));
        let _ = write!(text, " stroke-width=\"{}\"", number(paint.width));
    }
    text
}

fn colored(what: &str, color: Option<Color>) -> String {
    let Some(Color { red, green, blue, alpha }) = color else { return format!(" {what}=\"none\"") };
    let opacity = match alpha {
        255 => String::new(),
        alpha => format!(" {what}-opacity=\"{}\"", number(f64::from(alpha) / 255.0)),
    };
    format!(" {what}=\"#{red:02x}{green:02x}{blue:02x}\"{opacity}")
}

/// A text that says the same inside of XML. What XML cannot say at all is left out.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\t' | '\n' | '\r' => shown.push(' '),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
            letter => shown.push(letter),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_text() {
        assert_eq!(escaped("a<b & \"c\">\0\n"), "a&lt;b &amp; &quot;c&quot;&gt; ");
    }
}
