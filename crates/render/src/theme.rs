//! The colours of a picture.

use crate::scene::Color;

/// Which colours a picture has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// For paper and bright pages.
    #[default]
    Light,
    /// For dark pages.
    Dark,
}

/// Every colour that is not a player's.
pub(crate) struct Palette {
    pub(crate) page: Color,
    pub(crate) ink: Color,
    pub(crate) faint: Color,
    pub(crate) light: Color,
    pub(crate) dark: Color,
    pub(crate) middle: Color,
    pub(crate) frame: Color,
    pub(crate) line: Color,
    /// The last move.
    pub(crate) last: Color,
    /// What is selected, and where it may go.
    pub(crate) choice: Color,
    /// What is attacked, and what refuses.
    pub(crate) danger: Color,
    /// A way.
    pub(crate) path: Color,
}

impl Palette {
    /// The colours of a board with the names that style sheets know them by.
    pub(crate) fn named(&self) -> [(Color, &'static str); 8] {
        [
            (self.page, "page"),
            (self.ink, "ink"),
            (self.faint, "faint"),
            (self.light, "light"),
            (self.dark, "dark"),
            (self.middle, "middle"),
            (self.frame, "frame"),
            (self.line, "line"),
        ]
    }
}

impl Theme {
    pub(crate) fn palette(self) -> Palette {
        match self {
            Theme::Light => Palette {
                page: Color::hex(0xffffff),
                ink: Color::hex(0x2b2a27),
                faint: Color::hex(0x6f6a5f),
                light: Color::hex(0xf3e9d2),
                dark: Color::hex(0xc9a77c),
                middle: Color::hex(0xe2cda6),
                frame: Color::hex(0x6d5238),
                line: Color::hex(0x8a7355),
                last: Color::hex(0xe8b93a),
                choice: Color::hex(0x2f8f5b),
                danger: Color::hex(0xcf3b34),
                path: Color::hex(0x2d6fb7),
            },
            Theme::Dark => Palette {
                page: Color::hex(0x1b1d21),
                ink: Color::hex(0xe9e6df),
                faint: Color::hex(0x9aa0a8),
                light: Color::hex(0xb4bcc9),
                dark: Color::hex(0x8a94a5),
                middle: Color::hex(0x9ea7b6),
                frame: Color::hex(0x30363f),
                line: Color::hex(0x99a1ad),
                last: Color::hex(0xe0a92e),
                choice: Color::hex(0x47c27e),
                danger: Color::hex(0xf0564d),
                path: Color::hex(0x58a6f5),
            },
        }
    }
}

/// How bright a colour looks, from 0 to 1, as the Web Content Accessibility Guidelines measure it.
fn luminance(color: Color) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
}

/// How well two colours are told apart, from 1 to 21.
pub(crate) fn contrast(one: Color, two: Color) -> f64 {
    let (one, two) = (luminance(one) + 0.05, luminance(two) + 0.05);
    one.max(two) / one.min(two)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::COATS;

    #[test]
    fn pieces_stand_out_from_every_tile_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = theme.palette();
            for (name, coat) in COATS {
                for tile in [palette.light, palette.dark, palette.middle] {
                    let seen = contrast(coat.body, tile).max(contrast(coat.edge, tile));
                    assert!(seen >= 4.5, "{theme:?} {name}: {seen:.2}");
                }
                let sign = contrast(coat.detail, coat.body);
                assert!(sign >= 4.5, "what is on a piece of {name}: {sign:.2}");
            }
        }
    }

    #[test]
    fn names_of_tiles_are_read_on_the_page() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = theme.palette();
            for ink in [palette.ink, palette.faint] {
                let seen = contrast(ink, palette.page);
                assert!(seen >= 4.5, "{theme:?}: {seen:.2}");
            }
        }
    }
}
