//! Which shape and colour a piece has: as the game says, else by the names of its kind and its owner,
//! so that a game which calls its pieces what people call them needs no hint.

use senet_core::{Game, KindId, PlayerId};

use crate::font;
use crate::scene::Color;
use crate::shape::Shape;
use crate::theme::contrast;

/// Shapes by the names of kinds.
const SHAPES: [(&str, Shape); 22] = [
    ("king", Shape::King),
    ("queen", Shape::Queen),
    ("rook", Shape::Rook),
    ("bishop", Shape::Bishop),
    ("knight", Shape::Knight),
    ("pawn", Shape::Pawn),
    ("archbishop", Shape::Archbishop),
    ("cardinal", Shape::Archbishop),
    ("princess", Shape::Archbishop),
    ("chancellor", Shape::Chancellor),
    ("marshal", Shape::Chancellor),
    ("empress", Shape::Chancellor),
    ("dame", Shape::CrownedDisk),
    ("crowned man", Shape::CrownedDisk),
    ("man", Shape::Disk),
    ("checker", Shape::Disk),
    ("stone", Shape::Disk),
    ("disk", Shape::Disk),
    ("disc", Shape::Disk),
    ("counter", Shape::Disk),
    ("cross", Shape::Cross),
    ("nought", Shape::Nought),
];

/// The colours of a player's pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coat {
    pub(crate) body: Color,
    pub(crate) edge: Color,
    /// Lines and letters on the body.
    pub(crate) detail: Color,
}

const fn coat(body: u32, edge: u32, detail: u32) -> Coat {
    Coat { body: Color::hex(body), edge: Color::hex(edge), detail: Color::hex(detail) }
}

/// Colours by the names of players.
pub(crate) const COATS: [(&str, Coat); 8] = [
    ("white", coat(0xfdfbf5, 0x2b2a27, 0x2b2a27)),
    ("black", coat(0x3b3a37, 0x161513, 0xd8d3c7)),
    ("red", coat(0xc2402f, 0x3d0f0b, 0xfff4f0)),
    ("blue", coat(0x3568ad, 0x0d2140, 0xf2f7fe)),
    ("green", coat(0x337a3f, 0x0e2a14, 0xf2faf3)),
    ("yellow", coat(0xf0c542, 0x332703, 0x3d2f06)),
    ("orange", coat(0xe58a35, 0x391d04, 0x391d04)),
    ("purple", coat(0x8454ab, 0x25123a, 0xf9f4fd)),
];

/// The colours of players whose names are none, in the order of play.
const OTHERS: [usize; 6] = [3, 2, 4, 5, 7, 6];

/// Drawings by the signs that stand for them.
const SIGNS: [(&str, Shape); 13] = [
    ("♚♔", Shape::King),
    ("♛♕", Shape::Queen),
    ("♜♖", Shape::Rook),
    ("♝♗", Shape::Bishop),
    ("♞♘", Shape::Knight),
    ("♟♙", Shape::Pawn),
    ("✕×", Shape::Cross),
    ("◯○", Shape::Nought),
    ("━─", Shape::Across),
    ("┃│", Shape::Upright),
    ("■", Shape::Block),
    ("●", Shape::Disk),
    ("◉", Shape::CrownedDisk),
];

/// The sign that a game gives to the pieces of a kind.
fn sign(game: &Game, owner: PlayerId, kind: KindId) -> Option<char> {
    let (kind, owner) = (game.kind_name(kind), game.player_name(owner));
    let of = |whose: Option<&str>| {
        let signs = &game.definition().picture.signs;
        signs.iter().find(|sign| sign.kind == kind && sign.player.as_deref() == whose)
    };
    of(Some(owner)).or_else(|| of(None)).map(|sign| sign.sign)
}

/// What a piece looks like.
pub(crate) fn shape(game: &Game, owner: PlayerId, kind: KindId) -> Shape {
    if let Some(sign) = sign(game, owner, kind) {
        let drawn = SIGNS.iter().find(|(signs, _)| signs.contains(sign));
        return match drawn {
            Some((_, shape)) => *shape,
            None if font::has(sign) => Shape::Letter(sign),
            None => Shape::Letter(letter(game, kind)),
        };
    }
    let name = game.kind_name(kind);
    let has = |name: &str| game.kind(name).is_some();
    match (name, game.player_name(owner)) {
        ("king", _) if has("man") => return Shape::CrownedDisk,
        (_, "x") if game.kinds().count() == 1 => return Shape::Cross,
        (_, "o") if game.kinds().count() == 1 => return Shape::Nought,
        _ => {}
    }
    let known = SHAPES.iter().find(|(known, _)| *known == name).map(|(_, shape)| *shape);
    known.unwrap_or_else(|| match game.kinds().count() {
        0 | 1 => Shape::Disk,
        _ => Shape::Letter(letter(game, kind)),
    })
}

/// A capital letter for a kind that no other kind of the game has: the first of its name that is
/// still free, and N for a knight, as people write it.
pub fn letter(game: &Game, kind: KindId) -> char {
    let upper = |letter: char| letter.to_uppercase().next().unwrap_or(letter);
    let mut taken: Vec<char> = Vec::new();
    let knight = game.kind("knight").map(|_| 'N');
    for one in game.kinds() {
        let name = game.kind_name(one);
        let mut letters = name.chars().filter(|letter| letter.is_alphanumeric()).map(upper);
        let free = |letter: &char| !taken.contains(letter) && Some(*letter) != knight;
        let own = match (name, knight) {
            ("knight", Some(letter)) => letter,
            _ => letters.find(free).or_else(|| ('A'..='Z').find(free)).unwrap_or('?'),
        };
        if one == kind {
            return own;
        }
        taken.push(own);
    }
    '?'
}

/// The colours of a player.
pub(crate) fn coat_of(game: &Game, player: PlayerId) -> Coat {
    let known = |name: &str| COATS.iter().find(|(known, _)| *known == name).map(|(_, coat)| *coat);
    let name = game.player_name(player);
    let tint = game.definition().picture.colors.iter().find(|tint| tint.player == name);
    if let Some(tint) = tint {
        let digits = tint.color.strip_prefix('#').and_then(|all| u32::from_str_radix(all, 16).ok());
        if let Some(coat) = known(&tint.color).or_else(|| digits.map(coat_around)) {
            return coat;
        }
    }
    let named = known(name);
    named.unwrap_or_else(|| COATS[OTHERS[player.index() % OTHERS.len()]].1)
}

/// The colours that go with a body: an edge that is seen on light tiles where the body is light and
/// on all where it is dark, and what is written on it in black or white.
fn coat_around(body: u32) -> Coat {
    let body = Color::hex(body);
    let shade = |part: u8| (u32::from(part) * 3 / 10) as u8;
    let edge =
        Color { red: shade(body.red), green: shade(body.green), blue: shade(body.blue), ..body };
    let (white, black) = (COATS[0].1.body, COATS[1].1.edge);
    let detail = if contrast(body, white) > contrast(body, black) { white } else { black };
    Coat { body, edge, detail }
}

/// A letter or sign for a piece, where there is room for one.
pub fn glyph(game: &Game, owner: PlayerId, kind: KindId) -> char {
    if let Some(sign) = sign(game, owner, kind) {
        return sign;
    }
    match shape(game, owner, kind) {
        Shape::King => '♚',
        Shape::Queen => '♛',
        Shape::Rook => '♜',
        Shape::Bishop => '♝',
        Shape::Knight => '♞',
        Shape::Pawn => '♟',
        Shape::Archbishop => 'A',
        Shape::Chancellor => 'C',
        Shape::Cross => '✕',
        Shape::Nought => '◯',
        Shape::Across => '━',
        Shape::Upright => '┃',
        Shape::Block => '■',
        Shape::Disk => '●',
        Shape::CrownedDisk => '◉',
        Shape::Letter(letter) => letter,
    }
}

/// The colour of a player's pieces: red, green, blue.
pub fn color(game: &Game, player: PlayerId) -> [u8; 3] {
    let Color { red, green, blue, .. } = coat_of(game, player).body;
    [red, green, blue]
}
