//! Pieces as pictures on terminals that show them, by the graphics protocol of kitty or by sixels.

use std::env;
use std::io::{self, Write};

use ratatui::buffer::Buffer;
use ratatui::crossterm::terminal::window_size;
use ratatui::layout::Rect;
use ratatui::style::Color;
use senet::render::figure;
use senet::{Game, KindId, PlayerId};

use super::paint::Paint;

/// How a terminal is sent pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// Pictures that lie above the characters until they are taken away.
    Kitty,
    /// Pictures in the place of characters, which other characters replace.
    Sixel,
}

/// What `--pictures` chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Wish {
    /// Where the terminal is known to show them
    Auto,
    /// By the graphics protocol of kitty
    Kitty,
    /// By sixels
    Sixel,
    /// Characters alone
    Off,
}

impl Wish {
    /// The protocol that is wished for, or that the terminal is known for.
    pub(super) fn protocol(self) -> Option<Protocol> {
        match self {
            Wish::Auto => known(&|name| env::var(name).unwrap_or_default()),
            Wish::Kitty => Some(Protocol::Kitty),
            Wish::Sixel => Some(Protocol::Sixel),
            Wish::Off => None,
        }
    }
}

/// The protocol of a terminal, by what it says of itself in the environment. Terminals that show
/// sixels only in some builds or settings are not among them.
fn known(variable: &dyn Fn(&str) -> String) -> Option<Protocol> {
    let (term, program) = (variable("TERM"), variable("TERM_PROGRAM"));
    let is_set = |name: &str| !variable(name).is_empty();
    // A multiplexer shows nothing of what it does not know.
    if is_set("TMUX") || is_set("STY") || term.starts_with("screen") || term.starts_with("tmux") {
        return None;
    }
    let kitty = term.contains("kitty") || term.contains("ghostty") || is_set("KITTY_WINDOW_ID");
    if kitty || matches!(program.as_str(), "ghostty" | "WezTerm") {
        return Some(Protocol::Kitty);
    }
    let sixel = term.contains("sixel") || term.starts_with("foot") || term.starts_with("mlterm");
    (sixel || matches!(program.as_str(), "contour" | "mintty")).then_some(Protocol::Sixel)
}

/// A piece in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) area: Rect,
    pub(super) piece: (PlayerId, KindId),
    /// The colour of the tile.
    pub(super) back: Color,
}

/// What fills the cells under a picture: a blank that differs from that of an empty tile, so that
/// the cells are written again when the piece leaves.
pub(super) const UNDER: &str = "\u{a0}";

/// The size of a cell where the terminal does not say it, in pixels.
const CELL: (u32, u32) = (10, 20);

/// The largest size of a cell that is believed.
const LARGEST: u32 = 100;

/// The pictures that a terminal shows.
pub(super) struct Graphics {
    protocol: Protocol,
    paint: Paint,
    /// The size of a cell in pixels.
    cell: (u32, u32),
    /// The pictures that the terminal was sent, each by its place in this list.
    sent: Vec<((PlayerId, KindId), (u16, u16))>,
    shown: Vec<Placed>,
    /// What the cells showed before.
    before: Buffer,
}

impl Graphics {
    /// No pictures yet, on a terminal that shows some.
    pub(super) fn new(paint: Paint) -> Option<Graphics> {
        let protocol = paint.pictures?;
        let said = window_size().ok().and_then(|window| {
            let width = u32::from(window.width).checked_div(window.columns.into())?;
            let height = u32::from(window.height).checked_div(window.rows.into())?;
            let believed = 1..=LARGEST;
            (believed.contains(&width) && believed.contains(&height)).then_some((width, height))
        });
        let cell = said.unwrap_or(CELL);
        let (sent, shown) = (Vec::new(), Vec::new());
        Some(Graphics { protocol, paint, cell, sent, shown, before: Buffer::default() })
    }

    /// Shows pieces where they stand, after the cells were written.
    pub(super) fn show(
        &mut self,
        game: &Game,
        placed: Vec<Placed>,
        cells: &Buffer,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        match self.protocol {
            Protocol::Kitty if placed != self.shown => self.place(game, &placed, &mut bytes),
            Protocol::Kitty => {}
            Protocol::Sixel => self.draw(game, &placed, cells, &mut bytes),
        }
        self.shown = placed;
        if bytes.is_empty() {
            return Ok(());
        }
        // The cursor is where a letter would be typed, and stays there.
        out.write_all(b"\x1b7")?;
        out.write_all(&bytes)?;
        out.write_all(b"\x1b8")?;
        out.flush()
    }

    /// Takes all pictures away.
    pub(super) fn clear(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.protocol == Protocol::Kitty {
            out.write_all(b"\x1b_Ga=d,d=A,q=2\x1b\\")?;
        }
        out.flush()
    }

    /// The size of an area in pixels.
    fn pixels(&self, area: Rect) -> (u32, u32) {
        (u32::from(area.width) * self.cell.0, u32::from(area.height) * self.cell.1)
    }

    fn place(&mut self, game: &Game, placed: &[Placed], bytes: &mut Vec<u8>) {
        bytes.extend(b"\x1b_Ga=d,d=a,q=2\x1b\\");
        for &Placed { area, piece, .. } in placed {
            let key = (piece, (area.width, area.height));
            let known = self.sent.iter().position(|sent| *sent == key);
            let number = known.unwrap_or_else(|| {
                self.sent.push(key);
                let png = figure(game, piece, self.pixels(area), None).png();
                send_kitty(self.sent.len(), &png, bytes);
                self.sent.len() - 1
            });
            let (columns, rows, id) = (area.width, area.height, number + 1);
            go(area, bytes);
            let place = format!("\x1b_Ga=p,i={id},c={columns},r={rows},C=1,q=2\x1b\\");
            bytes.extend(place.as_bytes());
        }
    }

    fn draw(&mut self, game: &Game, placed: &[Placed], cells: &Buffer, bytes: &mut Vec<u8>) {
        for one in placed {
            let written = one.area.positions().any(|at| self.before.cell(at) != cells.cell(at));
            if self.shown.contains(one) && !written {
                continue;
            }
            let back = self.paint.seen(one.back);
            let figure = figure(game, one.piece, self.pixels(one.area), Some(back));
            go(one.area, bytes);
            send_sixels(figure.size(), &|x, y| figure.pixel(x, y), bytes);
        }
        self.before = cells.clone();
    }
}

/// Moves the cursor to the corner of an area.
fn go(area: Rect, bytes: &mut Vec<u8>) {
    bytes.extend(format!("\x1b[{};{}H", area.y + 1, area.x + 1).as_bytes());
}

/// Sends a PNG under a number, in parts of the size that the protocol allows.
fn send_kitty(number: usize, png: &[u8], bytes: &mut Vec<u8>) {
    let text = base64(png);
    let parts = text.as_bytes().chunks(4096);
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.enumerate() {
        let first = if at == 0 { format!("a=t,f=100,i={number},q=2,") } else { String::new() };
        bytes.extend(format!("\x1b_G{first}m={};", u8::from(at < last)).as_bytes());
        bytes.extend(part);
        bytes.extend(b"\x1b\\");
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let byte = |at: usize| u32::from(part.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= part.len() { letter.into() } else { '=' });
        }
    }
    text
}

/// Writes pixels as sixels: bands of six rows, in each band the pixels of one colour after another.
fn send_sixels(size: (u32, u32), pixel: &dyn Fn(u32, u32) -> [u8; 3], bytes: &mut Vec<u8>) {
    let (width, height) = size;
    let mut colors: Vec<[u8; 3]> = Vec::new();
    let mut indices = Vec::new();
    for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y, x))) {
        // Sixels have percents of colours; fewer steps keep the list of colours short.
        let color = pixel(x, y).map(|part| (u32::from(part) * 50 / 255 * 2) as u8);
        let known = colors.iter().rposition(|known| *known == color);
        indices.push(known.unwrap_or_else(|| {
            colors.push(color);
            colors.len() - 1
        }));
    }
    // More colours than a terminal has registers for are the nearest of the first.
    let near = |index: usize| {
        let apart = |known: &[u8; 3]| {
            let pairs = known.iter().zip(colors[index]);
            pairs.map(|(one, two)| u32::from(one.abs_diff(two)).pow(2)).sum::<u32>()
        };
        let first = 0..colors.len().min(REGISTERS);
        first.min_by_key(|at| apart(&colors[*at])).unwrap_or(0)
    };
    let nearest: Vec<usize> = (0..colors.len()).map(near).collect();
    indices.iter_mut().for_each(|index| *index = nearest[*index]);
    bytes.extend(format!("\x1bP0;1;0q\"1;1;{width};{height}").as_bytes());
    for (index, [red, green, blue]) in colors.iter().enumerate().take(REGISTERS) {
        bytes.extend(format!("#{index};2;{red};{green};{blue}").as_bytes());
    }
    for band in indices.chunks(6 * width as usize) {
        let mut present = band.to_vec();
        present.sort_unstable();
        present.dedup();
        for color in present {
            bytes.extend(format!("#{color}").as_bytes());
            let column = |x: usize| {
                let rows = band.chunks(width as usize).enumerate();
                let bits = rows.map(|(row, pixels)| u8::from(pixels[x] == color) << row);
                63 + bits.sum::<u8>()
            };
            let columns: Vec<u8> = (0..width as usize).map(column).collect();
            for run in columns.chunk_by(|one, two| one == two) {
                match run.len() {
                    1..=3 => bytes.extend(run),
                    length => bytes.extend(format!("!{length}{}", char::from(run[0])).as_bytes()),
                }
            }
            bytes.push(b'$');
        }
        bytes.push(b'-');
    }
    bytes.extend(b"\x1b\\");
}

/// How many colours a picture of sixels has at most.
const REGISTERS: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_what_they_say_of_themselves() {
        let of = |variables: &[(&str, &str)]| {
            let value = |name: &str| variables.iter().find(|(known, _)| *known == name);
            known(&|name| value(name).map_or(String::new(), |(_, value)| (*value).to_owned()))
        };
        assert_eq!(of(&[("TERM", "xterm-kitty")]), Some(Protocol::Kitty));
        assert_eq!(of(&[("TERM_PROGRAM", "WezTerm")]), Some(Protocol::Kitty));
        assert_eq!(of(&[("TERM", "foot")]), Some(Protocol::Sixel));
        assert_eq!(of(&[("TERM", "xterm-256color")]), None);
        assert_eq!(of(&[("KITTY_WINDOW_ID", "1"), ("TMUX", "/tmp/x")]), None);
    }

    #[test]
    fn base64_is_padded() {
        let texts = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }

    /// The pixels of sixels, as a terminal reads them.
    fn read_sixels(text: &str, (width, height): (usize, usize)) -> Vec<Vec<Option<[u8; 3]>>> {
        let body = text.strip_prefix("\x1bP0;1;0q\"1;1;").expect("it begins");
        let body = body.strip_suffix("\x1b\\").expect("it ends");
        let mut rest = &body[body.find('#').expect("it has colours")..];
        let mut colors = std::collections::BTreeMap::new();
        let mut pixels = vec![vec![None; width]; height];
        let (mut x, mut band, mut color, mut run) = (0, 0, 0, 1);
        let number = |text: &mut &str| {
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            let number = text[..end].parse::<usize>().expect("a number");
            *text = &text[end..];
            number
        };
        while let Some(letter) = rest.chars().next() {
            rest = &rest[1..];
            match letter {
                '#' => {
                    color = number(&mut rest);
                    let mut parts = Vec::new();
                    while let Some(more) = rest.strip_prefix(';') {
                        rest = more;
                        parts.push(number(&mut rest) as u8);
                    }
                    if let [2, red, green, blue] = parts[..] {
                        colors.insert(color, [red, green, blue]);
                    }
                }
                '!' => run = number(&mut rest),
                '$' => x = 0,
                '-' => (x, band) = (0, band + 1),
                sixel => {
                    for _ in 0..std::mem::replace(&mut run, 1) {
                        for row in (0..6).filter(|row| (sixel as u8 - 63) >> row & 1 == 1) {
                            pixels[6 * band + row][x] = Some(colors[&color]);
                        }
                        x += 1;
                    }
                }
            }
        }
        pixels
    }

    #[test]
    fn sixels_are_the_pixels() {
        // A height that is not that of whole bands, and runs long and short.
        let size = (23, 15);
        let pixel = |x: u32, y: u32| match (x / 5 + y / 4) % 3 {
            0 => [255, 255, 255],
            1 => [255, 0, 0],
            _ => [0, 102, 51],
        };
        let mut bytes = Vec::new();
        send_sixels(size, &pixel, &mut bytes);
        let read = read_sixels(std::str::from_utf8(&bytes).unwrap(), (23, 15));
        for (y, row) in (0..).zip(&read) {
            for (x, found) in (0..).zip(row) {
                let [red, green, blue] = pixel(x, y);
                let percent = |part: u8| i32::from(part) * 100 / 255;
                let found = found.expect("every pixel is drawn");
                for (found, wanted) in found.into_iter().zip([red, green, blue]) {
                    assert!((i32::from(found) - percent(wanted)).abs() <= 2, "{x} {y}");
                }
            }
        }
    }
}
