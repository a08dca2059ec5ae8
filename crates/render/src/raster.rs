//! A picture as pixels.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, Rect, Shader, Stroke, Transform,
};

use crate::scene::{Color, Item, Paint, Scene};
use crate::{font, outline};

/// How far a corner's curve reaches, for a quarter of a circle of radius 1.
const BEND: f32 = 0.552_284_8;

/// Fills pixels, `zoom` of them for each unit of the picture.
pub(crate) fn fill(scene: &Scene, zoom: f64) -> Pixmap {
    let pixels = |length: f64| (length * zoom).ceil().clamp(1.0, 16_384.0) as u32;
    let size = (pixels(scene.size.0), pixels(scene.size.1));
    let mut pixmap = Pixmap::new(size.0, size.1).expect("the size is within the limits");
    let zoom = zoom as f32;
    for item in &scene.items {
        paint_item(&mut pixmap, item, Transform::from_scale(zoom, zoom));
    }
    pixmap
}

fn paint_item(pixmap: &mut Pixmap, item: &Item, zoom: Transform) {
    match item {
        Item::Path { d, at, scale, paint } => {
            let place = zoom.pre_translate(at.0 as f32, at.1 as f32);
            let place = place.pre_scale(*scale as f32, *scale as f32);
            put(pixmap, outline::path(d), paint, place);
        }
        Item::Circle { at, radius, paint } => {
            let circle = PathBuilder::from_circle(at.0 as f32, at.1 as f32, *radius as f32);
            put(pixmap, circle, paint, zoom);
        }
        Item::Rect { at, size, round, paint } => {
            put(pixmap, rect(*at, *size, *round), paint, zoom);
        }
        Item::Text { at, size, anchor, bold, color, text } => {
            let letters = font::outline(text, *at, *size, (*anchor, *bold));
            put(pixmap, letters, &Paint::fill(*color), zoom);
        }
    }
}

fn put(pixmap: &mut Pixmap, path: Option<Path>, paint: &Paint, place: Transform) {
    let Some(path) = path else { return };
    if let Some(color) = paint.fill {
        pixmap.fill_path(&path, &ink(color), FillRule::Winding, place, None);
    }
    if let Some(color) = paint.stroke {
        let stroke = Stroke {
            width: paint.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        pixmap.stroke_path(&path, &ink(color), &stroke, place, None);
    }
}

fn ink(color: Color) -> tiny_skia::Paint<'static> {
    let Color { red, green, blue, alpha } = color;
    let color = tiny_skia::Color::from_rgba8(red, green, blue, alpha);
    tiny_skia::Paint { shader: Shader::SolidColor(color), ..tiny_skia::Paint::default() }
}

fn rect(at: (f64, f64), size: (f64, f64), round: f64) -> Option<Path> {
    let (x, y, width, height) = (at.0 as f32, at.1 as f32, size.0 as f32, size.1 as f32);
    let round = (round as f32).min(width / 2.0).min(height / 2.0);
    if round <= 0.0 {
        return Some(PathBuilder::from_rect(Rect::from_xywh(x, y, width, height)?));
    }
    let (right, bottom, bend) = (x + width, y + height, round * (1.0 - BEND));
    let mut path = PathBuilder::new();
    path.move_to(x + round, y);
    path.line_to(right - round, y);
    path.cubic_to(right - bend, y, right, y + bend, right, y + round);
    path.line_to(right, bottom - round);
    path.cubic_to(right, bottom - bend, right - bend, bottom, right - round, bottom);
    path.line_to(x + round, bottom);
    path.cubic_to(x + bend, bottom, x, bottom - bend, x, bottom - round);
    path.line_to(x, y + round);
    path.cubic_to(x, y + bend, x + bend, y, x + round, y);
    path.close();
    path.finish()
}
