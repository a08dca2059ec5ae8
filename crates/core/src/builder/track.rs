//! Boards on which tiles follow one another.

use super::board::{Board, Point};

/// Towards the end of a track.
pub const FORWARD: &str = "forward";
/// Towards the start of a track.
pub const BACKWARD: &str = "backward";
/// Around a ring, towards higher numbers.
pub const CLOCKWISE: &str = "clockwise";
/// Around a ring, towards lower numbers.
pub const COUNTER_CLOCKWISE: &str = "counter-clockwise";

/// Tiles in a row or around a ring, named `1`, `2` and so on.
///
/// ```
/// use senet_core::builder::Track;
/// use senet_core::Builder;
///
/// let definition = Builder::new("way")
///     .board(Track::open(10).one_way("onward").board().prefixed("mile-"))
///     .build();
/// assert_eq!(definition.tiles[9].name, "mile-10");
/// assert_eq!(definition.relations.len(), 9);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Track {
    names: Vec<String>,
    closed: bool,
    onward: String,
    back: Option<String>,
}

impl Track {
    /// A track with two ends, joined [`FORWARD`] and [`BACKWARD`].
    pub fn open(tiles: u16) -> Self {
        Track {
            names: (1..=tiles).map(|number| number.to_string()).collect(),
            closed: false,
            onward: FORWARD.into(),
            back: Some(BACKWARD.into()),
        }
    }

    /// A track whose last tile leads on to the first, joined [`CLOCKWISE`] and
    /// [`COUNTER_CLOCKWISE`]. The tile of a ring of one is not joined to itself.
    pub fn ring(tiles: u16) -> Self {
        Track { closed: true, ..Track::open(tiles).two_way(CLOCKWISE, COUNTER_CLOCKWISE) }
    }

    /// Joins the tiles in this direction only, towards higher numbers.
    #[must_use]
    pub fn one_way(mut self, onward: impl Into<String>) -> Self {
        self.onward = onward.into();
        self.back = None;
        self
    }

    /// Joins the tiles in a direction towards higher numbers and in one back.
    #[must_use]
    pub fn two_way(mut self, onward: impl Into<String>, back: impl Into<String>) -> Self {
        self.onward = onward.into();
        self.back = Some(back.into());
        self
    }

    /// Names each tile by its number, counted from 1.
    #[must_use]
    pub fn named(mut self, name: impl Fn(usize) -> String) -> Self {
        for (index, old) in self.names.iter_mut().enumerate() {
            *old = name(index + 1);
        }
        self
    }

    /// The track as tiles, directions and relations.
    #[must_use]
    pub fn board(self) -> Board {
        let Track { names, closed, onward, back } = self;
        let points: Vec<(Point, String)> =
            (0i32..).zip(names).map(|(at, name)| ((at, 0), name)).collect();
        let length = points.len() as i32;
        let directions: Vec<String> = [onward.clone()].into_iter().chain(back).collect();
        Board::woven(&points, &directions, |(at, _), direction| {
            let next = if direction == onward { at + 1 } else { at - 1 };
            let next = if closed { next.rem_euclid(length) } else { next };
            (next != at).then_some((next, 0))
        })
    }
}

impl From<Track> for Board {
    fn from(track: Track) -> Self {
        track.board()
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::tests::{around, count, leads_back};
    use super::*;

    #[test]
    fn an_open_track_ends() {
        let board = Track::open(5).board();
        assert_eq!(count(&board, FORWARD), 4);
        assert_eq!(count(&board, BACKWARD), 4);
        assert_eq!(around(&board, "1"), [(FORWARD, "2")]);
        assert_eq!(around(&board, "5"), [(BACKWARD, "4")]);
        assert!(leads_back(&board, &[(FORWARD, BACKWARD)]));
    }

    #[test]
    fn a_ring_comes_round() {
        let board = Track::ring(5).board();
        assert_eq!(board.relations.len(), 10);
        let last = [(CLOCKWISE, "1"), (COUNTER_CLOCKWISE, "4")];
        assert_eq!(around(&board, "5"), last);
        assert!(leads_back(&board, &[(CLOCKWISE, COUNTER_CLOCKWISE)]));
        let mut tile = "1";
        for _ in 0..5 {
            tile = around(&board, tile)[0].1;
        }
        assert_eq!(tile, "1");
    }

    #[test]
    fn a_one_way_track_never_leads_back() {
        let open = Track::open(5).one_way("down").board();
        assert_eq!((open.relations.len(), count(&open, "down")), (4, 4));
        let ring = Track::ring(5).one_way("round").board();
        assert_eq!((ring.relations.len(), count(&ring, "round")), (5, 5));
        assert_eq!(ring.directions, ["round"]);
    }

    #[test]
    fn directions_and_names_are_as_asked() {
        let track = Track::open(3).two_way("up", "down");
        let board = track.named(|number| format!("step {number}")).board();
        assert_eq!(board.directions, ["up", "down"]);
        let middle = [("up", "step 3"), ("down", "step 1")];
        assert_eq!(around(&board, "step 2"), middle);
    }

    #[test]
    fn tiny_rings_do_not_lead_to_themselves() {
        let steps = |tiles| Track::ring(tiles).board().relations.len();
        assert_eq!([0, 1, 2, 3].map(steps), [0, 0, 4, 6]);
    }
}
