//! What is marked on a board: the last move, targets, threats, a way and what is in it.

use senet_core::{Event, Explanation, Reason, TileId, TileSet};

use crate::layout::Style;
use crate::picture::Canvas;
use crate::piece::End;
use crate::scene::{Anchor, Color, Paint, Point, pair};

/// What is marked on a board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// The tiles of the last move.
    pub last: Vec<TileId>,
    /// The tile whose piece is asked about.
    pub selected: Option<TileId>,
    /// Where it may go.
    pub targets: TileSet,
    /// Tiles that are attacked.
    pub threats: TileSet,
    /// Ways from tile to tile.
    pub paths: Vec<Vec<TileId>>,
    /// What stands in the way.
    pub blockers: Vec<TileId>,
    /// From where something is attacked.
    pub attacks: Vec<(TileId, TileId)>,
    /// Moves, such as all that could be played.
    pub arrows: Vec<(TileId, TileId)>,
    /// Tiles of which it is not known what stands there.
    pub unseen: TileSet,
}

/// The tiles that an event is about: the one it leaves, and the one it enters.
pub fn ends(event: Event) -> (Option<TileId>, Option<TileId>) {
    match event {
        Event::Move { from, to, .. } | Event::Advance { from, to, .. } => (Some(from), Some(to)),
        Event::Put { to, .. } | Event::Pick { to, .. } => (None, Some(to)),
        Event::Roll(_) | Event::Act(_) => (None, None),
    }
}

impl Marks {
    /// Marks the tiles of a move that was played.
    #[must_use]
    pub fn after(mut self, event: Event) -> Marks {
        let (from, to) = ends(event);
        self.last = from.into_iter().chain(to).collect();
        self
    }

    /// Marks the way of an event as well, and what refuses it.
    #[must_use]
    pub fn explaining(mut self, told: &Explanation) -> Marks {
        let (from, to) = ends(told.event);
        self.selected = from.filter(|_| self.paths.is_empty());
        self.paths.push(match told.path.is_empty() {
            true => from.into_iter().chain(to).collect(),
            false => told.path.clone(),
        });
        self.attacks.extend(told.attacks.iter().map(|attack| (attack.from, attack.on)));
        let reason = told.reasons.first().copied().and_then(Reason::tile);
        let reason = reason.filter(|_| told.attacks.is_empty());
        let blocker = told.blocker.or(reason).filter(|tile| !self.blockers.contains(tile));
        self.blockers.extend(blocker);
        self
    }
}

impl Canvas<'_> {
    /// The marks that lie under the pieces.
    pub(crate) fn draw_tints(&mut self, marks: &Marks) {
        let (last, choice, danger) = (self.palette.last, self.palette.choice, self.palette.danger);
        for tile in marks.unseen.iter() {
            self.tint(tile, self.palette.faint.fade(90));
            let (x, y) = self.middle(tile);
            let (at, ink) = ((x, y + self.unit * 0.12), self.palette.ink.fade(150));
            self.scene.text(at, self.unit * 0.34, (Anchor::Middle, true), ink, "?");
        }
        for &tile in &marks.last {
            self.tint(tile, last.fade(130));
        }
        for tile in marks.threats.iter() {
            self.tint(tile, danger.fade(70));
        }
        if let Some(tile) = marks.selected {
            self.tint(tile, choice.fade(110));
        }
        for &tile in &marks.blockers {
            self.tint(tile, danger.fade(120));
        }
        let mut attacked: Vec<TileId> = marks.attacks.iter().map(|(_, on)| *on).collect();
        attacked.dedup();
        for tile in attacked {
            self.tint(tile, danger.fade(95));
        }
    }

    /// The marks that lie over the pieces.
    pub(crate) fn draw_signs(&mut self, marks: &Marks) {
        let (choice, danger, path) = (self.palette.choice, self.palette.danger, self.palette.path);
        let unit = self.unit;
        for (from, to) in &marks.arrows {
            self.arrow(&self.way(&[*from, *to]), choice.fade(150), unit * 0.07);
        }
        for tile in marks.targets.iter() {
            let taken = self.game.view(self.state).owner_at(tile).is_some();
            let at = self.foot(tile);
            if taken && !self.game.stacks(tile) {
                self.scene.circle(at, unit * 0.44, Paint::stroke(choice.fade(220), unit * 0.07));
            } else {
                self.scene.circle(at, unit * 0.15, Paint::fill(choice.fade(220)));
            }
        }
        // Where something is in the way, the way is only what was wanted.
        let strength = if marks.blockers.is_empty() { 215 } else { 120 };
        for way in marks.paths.iter().filter(|way| way.len() > 1) {
            self.arrow(&self.way(way), path.fade(strength), unit * 0.11);
        }
        for (from, on) in &marks.attacks {
            self.arrow(&self.way(&[*from, *on]), danger.fade(225), unit * 0.11);
        }
        for tile in &marks.blockers {
            self.barrier(*tile);
        }
    }

    /// The places that an arrow passes. On a board of points only its ends are seen.
    fn way(&self, tiles: &[TileId]) -> Vec<Point> {
        let [first, between @ .., last] = tiles else { return Vec::new() };
        let between = between.iter().filter(|_| self.layout.style() != Style::Points);
        let between = between.map(|tile| self.middle(*tile));
        let ends = (self.perch(*first, End::From), self.perch(*last, End::To));
        std::iter::once(ends.0).chain(between).chain([ends.1]).collect()
    }

    /// A ring with a stroke through it: no way.
    fn barrier(&mut self, tile: TileId) {
        let (danger, unit) = (self.palette.danger, self.unit);
        let (x, y) = self.middle(tile);
        let (radius, lean) = (unit * 0.42, unit * 0.42 * 0.707);
        self.scene.circle((x, y), radius, Paint::stroke(danger, unit * 0.065));
        self.scene.line((x - lean, y + lean), (x + lean, y - lean), danger, unit * 0.065);
    }

    /// An arrow along several places, from beside the first to the middle of the last.
    fn arrow(&mut self, way: &[Point], color: Color, width: f64) {
        let straight = straightened(way);
        let (Some(&first), Some(&last)) = (straight.first(), straight.last()) else { return };
        let before = straight[straight.len() - 2];
        let (x, y) = unit_from(before, last);
        let head = width * 3.2;
        let neck = (last.0 - x * (head + width / 2.0), last.1 - y * (head + width / 2.0));
        let (u, v) = unit_from(first, straight[1]);
        let start = (first.0 + u * self.unit * 0.4, first.1 + v * self.unit * 0.4);
        let mut d = format!("M{}", pair(start));
        for point in &straight[1..straight.len() - 1] {
            d.push_str(&format!(" L{}", pair(*point)));
        }
        d.push_str(&format!(" L{}", pair(neck)));
        self.scene.path(d, Paint::stroke(color, width));
        let tail = (last.0 - x * head, last.1 - y * head);
        let wide = head * 0.62;
        let wings = [
            (last.0 + x * head * 0.25, last.1 + y * head * 0.25),
            (tail.0 - y * wide, tail.1 + x * wide),
            (tail.0 + y * wide, tail.1 - x * wide),
        ];
        self.scene.polygon(&wings, Paint::fill(color));
    }
}

fn unit_from(from: Point, to: Point) -> Point {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let far = (x * x + y * y).sqrt().max(0.000_001);
    (x / far, y / far)
}

/// The places where a way turns, and its ends.
fn straightened(way: &[Point]) -> Vec<Point> {
    let mut straight: Vec<Point> = Vec::new();
    for &point in way {
        if let [.., before, last] = straight[..] {
            let ((x, y), (u, v)) = (unit_from(before, last), unit_from(last, point));
            if (x - u).abs() < 0.001 && (y - v).abs() < 0.001 {
                straight.pop();
            }
        }
        straight.push(point);
    }
    straight
}
