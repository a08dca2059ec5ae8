//! Colours and signs: what a terminal can show, and inks that can be read on any of them.

use std::env;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use senet::render::{color, glyph, letter};
use senet::{Game, KindId, PlayerId};

use super::graphic::{Protocol, Wish};

pub(super) const LIGHT: Color = Color::Rgb(148, 158, 174);
pub(super) const DARK: Color = Color::Rgb(99, 110, 128);
pub(super) const WALL: Color = Color::Rgb(58, 64, 74);
pub(super) const LAST: Color = Color::Rgb(176, 146, 60);
pub(super) const SELECTED: Color = Color::Rgb(62, 130, 92);
pub(super) const TARGET: Color = Color::Rgb(96, 160, 120);
pub(super) const BLOCKED: Color = Color::Rgb(190, 60, 54);
pub(super) const ATTACKED: Color = Color::Rgb(176, 96, 92);
pub(super) const WAY: Color = Color::Rgb(74, 116, 170);

/// How many colours a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// None: `NO_COLOR` is set.
    None,
    /// The sixteen that every colour terminal has.
    Basic,
    /// A table of 256.
    Indexed,
    /// Any red, green and blue.
    Full,
}

/// Which signs a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signs {
    Unicode,
    Ascii,
}

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    pub(super) depth: Depth,
    pub(super) signs: Signs,
    /// How pieces are drawn as pictures, where they are.
    pub(super) pictures: Option<Protocol>,
}

impl Paint {
    /// What this terminal says of itself.
    pub(super) fn of_terminal(ascii: bool, pictures: Wish) -> Paint {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable);
        let locale = locale.into_iter().find(|value| !value.is_empty());
        let signs = if ascii || locale.is_some_and(|locale| !is_unicode(&locale)) {
            Signs::Ascii
        } else {
            Signs::Unicode
        };
        let no_color = !variable("NO_COLOR").is_empty();
        let depth = depth(no_color, &variable("COLORTERM"), &variable("TERM"));
        let plain = signs == Signs::Ascii || depth == Depth::None;
        Paint { depth, signs, pictures: pictures.protocol().filter(|_| !plain) }
    }

    /// A piece in a letter or sign. Without colours the sign alone says whose it is.
    pub(super) fn sign(self, game: &Game, owner: PlayerId, kind: KindId) -> char {
        let sign = glyph(game, owner, kind);
        let of_first = owner.index() == 0;
        match (self.signs, self.depth) {
            (Signs::Unicode, Depth::None) => {
                let known = SIGNS.iter().find(|(solid, _, _)| *solid == sign);
                let own = known.map(|&(solid, hollow, _)| if of_first { hollow } else { solid });
                own.unwrap_or_else(|| cased(sign, of_first))
            }
            (Signs::Unicode, _) => sign,
            (Signs::Ascii, _) => match SIGNS.iter().find(|(solid, _, _)| *solid == sign) {
                Some((_, _, Some(ascii))) => *ascii,
                Some(_) if game.kinds().count() == 1 => {
                    if of_first {
                        'X'
                    } else {
                        'O'
                    }
                }
                _ => cased(letter(game, kind), of_first),
            },
        }
    }

    /// The red, green and blue of a colour as the terminal shows it.
    pub(super) fn seen(self, color: Color) -> [u8; 3] {
        let (red, green, blue) = match self.depth {
            Depth::Full | Depth::None => rgb(color),
            depth => rgb(depth.nearest(color)),
        };
        [red, green, blue]
    }

    /// Reduces what was drawn to what the terminal can show.
    pub(super) fn reduce(self, buffer: &mut Buffer) {
        for cell in &mut buffer.content {
            if self.signs == Signs::Ascii && !cell.symbol().is_ascii() {
                let plain = ascii(cell.symbol());
                cell.set_char(plain);
            }
            match self.depth {
                Depth::Full => {}
                Depth::None => {
                    cell.modifier |= stress(cell.bg);
                    (cell.fg, cell.bg) = (Color::Reset, Color::Reset);
                }
                depth => (cell.fg, cell.bg) = (depth.nearest(cell.fg), depth.nearest(cell.bg)),
            }
        }
    }
}

impl Depth {
    /// The colour of this terminal that looks most like another.
    fn nearest(self, wanted: Color) -> Color {
        let Color::Rgb(red, green, blue) = wanted else { return wanted };
        let near = |(r, g, b): (u8, u8, u8)| {
            let apart = |one: u8, two: u8| u32::from(one.abs_diff(two)).pow(2);
            apart(r, red) + apart(g, green) + apart(b, blue)
        };
        if self == Depth::Indexed {
            let index = (16..=255).min_by_key(|index| near(indexed(*index))).unwrap_or(16);
            return Color::Indexed(index);
        }
        BASIC.iter().min_by_key(|(_, rgb)| near(*rgb)).map_or(wanted, |(color, _)| *color)
    }
}

fn rgb(color: Color) -> (u8, u8, u8) {
    match color {
        Color::Rgb(red, green, blue) => (red, green, blue),
        Color::Indexed(index @ 16..) => indexed(index),
        other => BASIC.iter().find(|(known, _)| *known == other).map_or((0, 0, 0), |(_, rgb)| *rgb),
    }
}

fn is_unicode(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

fn depth(no_color: bool, color_term: &str, term: &str) -> Depth {
    match () {
        () if no_color => Depth::None,
        // Terminals of one colour, by the names that terminfo has for them.
        () if term.starts_with("vt1") || term.starts_with("vt2") => Depth::None,
        () if term.ends_with("-mono") || term.ends_with("-m") => Depth::None,
        () if matches!(color_term, "truecolor" | "24bit") || term.contains("direct") => Depth::Full,
        () if term.contains("256color") || term.contains("kitty") => Depth::Indexed,
        () => Depth::Basic,
    }
}

/// Solid signs, the same hollow, and an ASCII sign where the letter of the kind will not do.
const SIGNS: [(char, char, Option<char>); 10] = [
    ('♚', '♔', None),
    ('♛', '♕', None),
    ('♜', '♖', None),
    ('♝', '♗', None),
    ('♞', '♘', None),
    ('♟', '♙', None),
    ('●', '○', None),
    ('◉', '◎', None),
    ('✕', '✕', Some('x')),
    ('◯', '◯', Some('o')),
];

fn cased(letter: char, upper: bool) -> char {
    if upper { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

/// What a mark looks like where it has no colour.
fn stress(back: Color) -> Modifier {
    match back {
        SELECTED | BLOCKED | ATTACKED => Modifier::REVERSED,
        LAST | WAY => Modifier::UNDERLINED,
        _ => Modifier::empty(),
    }
}

fn ascii(symbol: &str) -> char {
    match symbol {
        "─" | "━" => '-',
        "│" | "┃" => '|',
        "┌" | "┐" | "└" | "┘" => '+',
        "•" | "·" => '*',
        "…" => '.',
        "⚀" | "⚁" | "⚂" | "⚃" | "⚄" | "⚅" => ' ',
        "▗" | "▖" | "▄" | "▝" | "▘" | "▀" => ' ',
        "▐" => '(',
        "▌" => ')',
        "█" => '#',
        _ => '?',
    }
}

/// The colours of the table of 256: a cube, then greys.
fn indexed(index: u8) -> (u8, u8, u8) {
    if index >= 232 {
        let grey = 8 + 10 * (index - 232);
        return (grey, grey, grey);
    }
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    let at = index - 16;
    (level(at / 36), level(at / 6 % 6), level(at % 6))
}

/// The sixteen, as most terminals show them.
const BASIC: [(Color, (u8, u8, u8)); 16] = [
    (Color::Black, (0, 0, 0)),
    (Color::Red, (170, 0, 0)),
    (Color::Green, (0, 150, 60)),
    (Color::Yellow, (170, 130, 0)),
    (Color::Blue, (0, 60, 190)),
    (Color::Magenta, (170, 0, 170)),
    (Color::Cyan, (0, 150, 150)),
    (Color::Gray, (170, 170, 170)),
    (Color::DarkGray, (90, 90, 90)),
    (Color::LightRed, (255, 85, 85)),
    (Color::LightGreen, (85, 255, 85)),
    (Color::LightYellow, (255, 255, 85)),
    (Color::LightBlue, (85, 85, 255)),
    (Color::LightMagenta, (255, 85, 255)),
    (Color::LightCyan, (85, 255, 255)),
    (Color::White, (255, 255, 255)),
];

/// The colour of a player's pieces.
pub(super) fn body(game: &Game, owner: PlayerId) -> Color {
    let [red, green, blue] = color(game, owner);
    Color::Rgb(red, green, blue)
}

/// Black or white, whichever is read better on a colour: never worse than 4.5 to 1.
pub(super) fn ink_on(back: Color) -> Color {
    let Color::Rgb(red, green, blue) = back else { return Color::Reset };
    // From here on black is read better than white.
    let is_bright = luminance(red, green, blue) > 0.179;
    if is_bright { Color::Rgb(0, 0, 0) } else { Color::Rgb(255, 255, 255) }
}

/// A colour of a tile where pieces are pictures: so bright that pieces in dark colours and the
/// edges of others are read on it at 4.5 to 1.
pub(super) fn under_pictures(color: Color) -> Color {
    match color {
        LIGHT => Color::Rgb(212, 218, 228),
        Color::Rgb(red, green, blue) => {
            let mixed = |step: u16| {
                let part = |part: u8| (u16::from(part) + (255 - u16::from(part)) * step / 20) as u8;
                (part(red), part(green), part(blue))
            };
            let mut steps = (0..=20).map(mixed);
            let bright = steps.find(|&(red, green, blue)| luminance(red, green, blue) >= BRIGHT);
            bright.map_or(color, |(red, green, blue)| Color::Rgb(red, green, blue))
        }
        other => other,
    }
}

/// How bright a tile under a picture is at least.
const BRIGHT: f64 = 0.39;

/// How bright a colour looks, from 0 to 1, as the Web Content Accessibility Guidelines measure it.
fn luminance(red: u8, green: u8, blue: u8) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_is_read_on_any_colour() {
        let steps = (0..=255).step_by(15);
        let all = steps.clone().flat_map(|r| {
            let steps = steps.clone();
            steps.clone().flat_map(move |g| steps.clone().map(move |b| (r, g, b)))
        });
        for (red, green, blue) in all {
            let back = luminance(red, green, blue) + 0.05;
            let Color::Rgb(ink, _, _) = ink_on(Color::Rgb(red, green, blue)) else {
                unreachable!()
            };
            let ink = luminance(ink, ink, ink) + 0.05;
            assert!(ink.max(back) / ink.min(back) >= 4.5, "{red} {green} {blue}");
        }
    }

    #[test]
    fn dark_pieces_are_read_on_every_tile_under_pictures() {
        let game = senet::load("chess").unwrap();
        let piece = game.players().map(|player| {
            let [red, green, blue] = color(&game, player);
            luminance(red, green, blue) + 0.05
        });
        let darkest = piece.fold(f64::MAX, f64::min);
        for tile in [LIGHT, DARK, WALL, LAST, SELECTED, TARGET, BLOCKED, ATTACKED, WAY] {
            let Color::Rgb(red, green, blue) = under_pictures(tile) else { unreachable!() };
            let found = (luminance(red, green, blue) + 0.05) / darkest;
            assert!(found >= 4.5, "{tile:?}: {found}");
        }
        assert_ne!(under_pictures(LIGHT), under_pictures(DARK));
    }

    #[test]
    fn the_terminal_says_how_many_colours_it_has() {
        assert_eq!(depth(true, "truecolor", "xterm-256color"), Depth::None);
        assert_eq!(depth(false, "truecolor", "xterm-256color"), Depth::Full);
        assert_eq!(depth(false, "", "xterm-256color"), Depth::Indexed);
        assert_eq!(depth(false, "", "linux"), Depth::Basic);
        assert_eq!(depth(false, "", "vt100"), Depth::None);
        assert_eq!(depth(false, "", "xterm-mono"), Depth::None);
        assert_eq!(Depth::Indexed.nearest(Color::Rgb(255, 0, 0)), Color::Indexed(196));
        assert_eq!(Depth::Basic.nearest(Color::Rgb(250, 250, 245)), Color::White);
    }
}
