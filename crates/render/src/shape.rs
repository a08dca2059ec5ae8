//! The shapes of pieces, drawn in a box of 100 by 100 units.

/// A part of a shape, painted in order.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Filled with the piece's colour and edged.
    Body(&'static str),
    /// A line on a body.
    Line(&'static str),
    /// A line that stands on the board itself, in the colour of the edge.
    Crest(&'static str),
    /// A small thing on a body.
    Dot(&'static str),
}

/// What a piece looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    King,
    Queen,
    Rook,
    Bishop,
    Knight,
    Pawn,
    Archbishop,
    Chancellor,
    /// Two crossed strokes.
    Cross,
    /// A ring.
    Nought,
    /// A wall from side to side of its tile.
    Across,
    /// A wall from the bottom of its tile to its top.
    Upright,
    /// A wall that fills its tile.
    Block,
    /// A round flat piece with rings.
    Disk,
    /// The same with a crown on it.
    CrownedDisk,
    /// A round flat piece with a letter on it.
    Letter(char),
}

const PAWN: &[Part] = &[
    Part::Body(
        "M50 18 C58.3 18 65 24.7 65 33 C65 38 62.4 42.4 58.6 45 C66 49.5 69.5 58 70.5 69 \
         C75 71.5 78 75 78 80 L78 85 L22 85 L22 80 C22 75 25 71.5 29.5 69 \
         C30.5 58 34 49.5 41.4 45 C37.6 42.4 35 38 35 33 C35 24.7 41.7 18 50 18 Z",
    ),
    Part::Line("M41.4 45 C46 47.6 54 47.6 58.6 45"),
    Part::Line("M29.5 69.5 C41 66.5 59 66.5 70.5 69.5"),
];

const ROOK: &[Part] = &[
    Part::Body(
        "M26 19 L37 19 L37 26 L44.5 26 L44.5 19 L55.5 19 L55.5 26 L63 26 L63 19 L74 19 L74 34 \
         L66 41 L67 64 L73 71 C76 73.5 78 76 78 80 L78 85 L22 85 L22 80 C22 76 24 73.5 27 71 \
         L33 64 L34 41 L26 34 Z",
    ),
    Part::Line("M26.5 34 L73.5 34"),
    Part::Line("M34.5 42 L65.5 42"),
    Part::Line("M33 63.5 L67 63.5"),
    Part::Line("M28 71.5 L72 71.5"),
];

const BISHOP: &[Part] = &[
    Part::Body(
        "M50 24 C60 30.5 69 40 69 50.5 C69 57.5 64.5 61.5 62 64 L64.5 72 C73 73.5 78 76 78 80 \
         L78 85 L22 85 L22 80 C22 76 27 73.5 35.5 72 L38 64 C35.5 61.5 31 57.5 31 50.5 \
         C31 40 40 30.5 50 24 Z",
    ),
    Part::Body(
        "M50 13 C53.3 13 56 15.7 56 19 C56 22.3 53.3 25 50 25 C46.7 25 44 22.3 44 19 C44 15.7 46.7 13 50 13 Z",
    ),
    Part::Line("M50 36 L50 53"),
    Part::Line("M42.5 43.5 L57.5 43.5"),
    Part::Line("M38 64.3 C45 62 55 62 62 64.3"),
    Part::Line("M35.5 72 C44 69.8 56 69.8 64.5 72"),
];

const QUEEN: &[Part] = &[
    Part::Body(
        "M28 66 L17 34 L33 50 L34.5 26 L45 47.5 L50 23 L55 47.5 L65.5 26 L67 50 L83 34 L72 66 \
         C71 69.5 71.5 71.5 73 74 C76.5 76 78 78 78 81 L78 85 L22 85 L22 81 C22 78 23.5 76 27 74 \
         C28.5 71.5 29 69.5 28 66 Z",
    ),
    Part::Body(
        "M50 13 C53 13 55.4 15.4 55.4 18.4 C55.4 21.4 53 23.8 50 23.8 C47 23.8 44.6 21.4 44.6 18.4 C44.6 15.4 47 13 50 13 Z",
    ),
    Part::Body(
        "M33.5 16.6 C36.5 16.6 38.9 19 38.9 22 C38.9 25 36.5 27.4 33.5 27.4 C30.5 27.4 28.1 25 28.1 22 C28.1 19 30.5 16.6 33.5 16.6 Z",
    ),
    Part::Body(
        "M66.5 16.6 C69.5 16.6 71.9 19 71.9 22 C71.9 25 69.5 27.4 66.5 27.4 C63.5 27.4 61.1 25 61.1 22 C61.1 19 63.5 16.6 66.5 16.6 Z",
    ),
    Part::Body(
        "M15.5 25.6 C18.5 25.6 20.9 28 20.9 31 C20.9 34 18.5 36.4 15.5 36.4 C12.5 36.4 10.1 34 10.1 31 C10.1 28 12.5 25.6 15.5 25.6 Z",
    ),
    Part::Body(
        "M84.5 25.6 C87.5 25.6 89.9 28 89.9 31 C89.9 34 87.5 36.4 84.5 36.4 C81.5 36.4 79.1 34 79.1 31 C79.1 28 81.5 25.6 84.5 25.6 Z",
    ),
    Part::Line("M28 66 C41 61.5 59 61.5 72 66"),
    Part::Line("M27.5 74 C41 70 59 70 72.5 74"),
];

const KING: &[Part] = &[
    Part::Crest("M50 9 L50 26"),
    Part::Crest("M43 15 L57 15"),
    Part::Body(
        "M50 60 C50 47 53 28.5 69.5 28.5 C80 28.5 87 36.5 85 46 C83 55.5 74 60 73 67 \
         C72.5 70 73 72.5 74 74.5 C77 76.5 78 78.5 78 81 L78 85 L22 85 L22 81 \
         C22 78.5 23 76.5 26 74.5 C27 72.5 27.5 70 27 67 C26 60 17 55.5 15 46 \
         C13 36.5 20 28.5 30.5 28.5 C47 28.5 50 47 50 60 Z",
    ),
    Part::Body("M50 23.5 C56.5 29.5 57 37 50 48 C43 37 43.5 29.5 50 23.5 Z"),
    Part::Line("M27 67 C41 62.5 59 62.5 73 67"),
    Part::Line("M26.5 74.5 C41 70.5 59 70.5 73.5 74.5"),
];

const HORSE: &str = "M27 85 C26.5 70 34 64.5 42 58.5 C47.5 54.5 50.5 51 50.5 46 \
     C45 51 40.5 52.5 36 53 C33 57.5 29.5 61.5 25.5 61.5 C20.5 61.5 15.5 57.5 16 52.5 \
     C16.4 48.5 21.5 44 24 38.5 C25 32 28.5 27.5 33.5 24.5 L31.5 13 L42.5 20.5 \
     C62 18.5 76.5 33 78 57 C78.7 68 78.4 77 78 85 Z";

const EYE: &str = "M36.5 33 C38.6 33 40 34.4 40 36.5 C40 38.6 38.6 40 36.5 40 \
     C34.4 40 33 38.6 33 36.5 C33 34.4 34.4 33 36.5 33 Z";

const NOSTRIL: &str = "M23 51 C24.4 51 25.2 51.9 25.2 53.2 C25.2 54.5 24.4 55.4 23 55.4 \
     C21.6 55.4 20.8 54.5 20.8 53.2 C20.8 51.9 21.6 51 23 51 Z";

const KNIGHT: &[Part] = &[
    Part::Body(HORSE),
    Part::Line("M49 27.5 C61.5 31.5 69.5 44 69.5 74"),
    Part::Dot(EYE),
    Part::Dot(NOSTRIL),
];

/// A knight with the mitre of a bishop on its neck.
const ARCHBISHOP: &[Part] = &[
    Part::Body(HORSE),
    Part::Body(
        "M58.5 35.5 C66 41 71.5 48 71.5 56 C71.5 64.5 66 69.5 58.5 69.5 C51 69.5 45.5 64.5 45.5 56 \
         C45.5 48 51 41 58.5 35.5 Z",
    ),
    Part::Line("M58.5 46.5 L58.5 62"),
    Part::Line("M52 53 L65 53"),
    Part::Line("M42 76.5 L72 76.5"),
    Part::Dot(EYE),
    Part::Dot(NOSTRIL),
];

/// A knight with the tower of a rook on its neck.
const CHANCELLOR: &[Part] = &[
    Part::Body(HORSE),
    Part::Body(
        "M43.5 39 L49.5 39 L49.5 43.5 L54.5 43.5 L54.5 39 L61.5 39 L61.5 43.5 L66.5 43.5 L66.5 39 \
         L72 39 L72 49 L68.5 52.5 L69 66.5 L73 70.5 L73 76 L42.5 76 L42.5 70.5 L46.5 66.5 L47 52.5 \
         L43.5 49 Z",
    ),
    Part::Line("M47 52.5 L68.5 52.5"),
    Part::Line("M46.5 66.5 L69 66.5"),
    Part::Dot(EYE),
    Part::Dot(NOSTRIL),
];

/// The crown that lies on a disk.
pub(crate) const CROWN: &str =
    "M31 60 L28 39 L40 49 L50 35 L60 49 L72 39 L69 60 C56 57 44 57 31 60 Z";

/// The strokes of a cross.
pub(crate) const STROKES: [&str; 2] = ["M26 26 L74 74", "M74 26 L26 74"];

impl Shape {
    /// The parts of a shape that is more than circles and strokes.
    pub(crate) fn parts(self) -> &'static [Part] {
        match self {
            Shape::King => KING,
            Shape::Queen => QUEEN,
            Shape::Rook => ROOK,
            Shape::Bishop => BISHOP,
            Shape::Knight => KNIGHT,
            Shape::Pawn => PAWN,
            Shape::Archbishop => ARCHBISHOP,
            Shape::Chancellor => CHANCELLOR,
            Shape::Across => &[Part::Body("M-8 35 L108 35 L108 65 L-8 65 Z")],
            Shape::Upright => &[Part::Body("M35 -8 L65 -8 L65 108 L35 108 Z")],
            Shape::Block => &[Part::Body("M2 2 L98 2 L98 98 L2 98 Z")],
            _ => &[],
        }
    }
}
