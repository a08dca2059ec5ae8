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

impl Theme {
    pub(crate) fn palette(self) -> Palette {
        match self {
            Theme::Light => Palette {
                page: Color::hex(0xffffff),
                ink: Color::hex(0x2b2a27),
                faint: Color::hex(0x857f73),
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
                faint: Color::hex(0x8f949c),
                light: Color::hex(0x9aa3b1),
                dark: Color::hex(0x5f6a7b),
                middle: Color::hex(0x7b8595),
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
