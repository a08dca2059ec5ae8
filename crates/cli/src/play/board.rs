//! The board on a screen: which cells belong to which tile, and what they show.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use senet_core::{Game, KindId, PlayerId, TileId};
use senet_render::{Cell, Layout, Style as Look, color, glyph};

use super::round::Round;

const LIGHT: Color = Color::Rgb(148, 158, 174);
const DARK: Color = Color::Rgb(99, 110, 128);
const WALL: Color = Color::Rgb(58, 64, 74);
const LAST: Color = Color::Rgb(176, 146, 60);
const SELECTED: Color = Color::Rgb(62, 130, 92);
const TARGET: Color = Color::Rgb(96, 160, 120);
const BLOCKED: Color = Color::Rgb(190, 60, 54);
const ATTACKED: Color = Color::Rgb(176, 96, 92);
const WAY: Color = Color::Rgb(74, 116, 170);
const INK: Color = Color::Rgb(20, 20, 20);
const FAINT: Color = Color::Rgb(150, 150, 150);

/// How many pieces of a point are seen one by one, where there is room.
const POINT: u16 = 5;

/// A piece on a point as large as four columns and two rows.
const DISK: [&str; 2] = ["▗▄▄▖", "▐██▌"];

/// A board as boxes of cells.
pub(super) struct Board {
    look: Look,
    boxes: Vec<Rect>,
    cells: Vec<Cell>,
    /// Whether names stand along the edges instead of on the tiles.
    edges: bool,
    /// All of it.
    area: Rect,
}

impl Board {
    /// The boxes of a board as large as an area lets them be.
    pub(super) fn new(game: &Game, flipped: bool, area: Rect) -> Board {
        let layout = Layout::of(game);
        let layout = if flipped { layout.flipped() } else { layout };
        let look = layout.style();
        let edges = look == Look::Grid && game.tiles().all(|tile| has_edge_name(game, tile));
        // A small screen has no room for a margin above.
        let (above, below) = if area.height >= 14 { (1, 2) } else { (0, 1) };
        // Names of rows stand on the left, where there are rows.
        let left = if look == Look::Points { 1 } else { 3 };
        let inner = Rect {
            x: area.x + left,
            y: area.y + above,
            width: area.width.saturating_sub(left + 1),
            height: area.height.saturating_sub(above + below),
        };
        let boxes = match look {
            Look::Points => {
                let first = game.tiles().map(|tile| layout.place(tile).x).fold(f64::MAX, f64::min);
                let size = point_size(layout.size().0 - first, inner);
                game.tiles().map(|tile| point_box(&layout, tile, first, inner, size)).collect()
            }
            _ => boxes(game, &layout, inner),
        };
        let cells = game.tiles().map(|tile| layout.place(tile).cell).collect();
        Board { look, boxes, cells, edges, area }
    }

    /// The tile at a cell.
    pub(super) fn tile_at(&self, game: &Game, column: u16, row: u16) -> Option<TileId> {
        let inside = |tile: &TileId| self.boxes[tile.index()].contains((column, row).into());
        game.tiles().find(inside)
    }

    /// The nearest tile that lies in a direction from another.
    pub(super) fn beside(&self, game: &Game, from: TileId, (right, down): (i32, i32)) -> TileId {
        let middle = |tile: TileId| {
            let one = self.boxes[tile.index()];
            // A cell is about twice as high as it is wide.
            let (x, y) = (2 * i32::from(one.x) + i32::from(one.width), 2 * i32::from(one.y));
            (x, 2 * (y + i32::from(one.height)))
        };
        let (x, y) = middle(from);
        let distance = |tile: &TileId| {
            let (u, v) = (middle(*tile).0 - x, middle(*tile).1 - y);
            let (ahead, aside) = (u * right + v * down, (u * down + v * right).abs());
            (ahead > 0 && ahead >= aside / 2).then_some(ahead + 3 * aside)
        };
        let near = game.tiles().filter(|tile| *tile != from);
        let near = near.filter_map(|tile| Some((distance(&tile)?, tile))).min();
        near.map_or(from, |(_, tile)| tile)
    }

    /// Draws the board of a round.
    pub(super) fn draw(&self, round: &Round, buffer: &mut Buffer) {
        if self.look == Look::Points {
            self.draw_walls(buffer);
        }
        for tile in round.game().tiles() {
            self.draw_tile(round, tile, buffer);
        }
        if self.edges {
            self.draw_edges(round.game(), buffer);
        }
    }

    /// Whether the whole board is seen.
    pub(super) fn fits(&self) -> bool {
        self.boxes.iter().all(|one| one.intersection(self.area) == *one)
    }

    fn draw_tile(&self, round: &Round, tile: TileId, buffer: &mut Buffer) {
        let (game, area) = (round.game(), self.boxes[tile.index()].intersection(self.area));
        if area.is_empty() {
            return;
        }
        let back = self.back(round, tile);
        buffer.set_style(area, Style::new().bg(back).fg(INK));
        let middle = (area.x + area.width / 2, area.y + area.height / 2);
        let sorts = sorts(game, round, tile);
        if self.look == Look::Points {
            self.draw_column(round, tile, &sorts, buffer);
        } else if sorts.is_empty() {
            let is_target = round.marks.targets.contains(tile);
            let sign = if is_target { "•" } else { "" };
            buffer.set_string(middle.0, middle.1, sign, Style::new().bg(back).fg(INK));
        } else {
            let wide = sorts.len() as u16 * 2;
            let mut x = (middle.0 + 1).saturating_sub(wide.div_ceil(2)).max(area.x);
            for (owner, kind, count) in sorts {
                let text = match count {
                    1 => glyph(game, owner, kind).to_string(),
                    count => format!("{}{count}", glyph(game, owner, kind)),
                };
                let style = Style::new().bg(back).fg(ink(game, owner)).add_modifier(Modifier::BOLD);
                x = buffer.set_stringn(x, middle.1, text, area.width.into(), style).0;
            }
        }
        if !self.edges && self.look != Look::Points && area.height > 1 {
            let name = game.tile_name(tile);
            let style = Style::new().bg(back).fg(Color::Rgb(60, 60, 60));
            buffer.set_stringn(area.x, area.y, name, area.width.into(), style);
        }
        if round.cursor == Some(tile) {
            self.draw_cursor(area, back, buffer);
        }
    }

    /// Brackets around the tile that the keys are at.
    fn draw_cursor(&self, area: Rect, back: Color, buffer: &mut Buffer) {
        let style = Style::new().bg(back).fg(Color::White).add_modifier(Modifier::BOLD);
        let row = area.y + area.height / 2;
        buffer.set_string(area.x, row, "[", style);
        buffer.set_string(area.right() - 1, row, "]", style);
    }

    /// The colour behind a tile: its own, or that of the mark that matters most.
    fn back(&self, round: &Round, tile: TileId) -> Color {
        let marks = &round.marks;
        let area = self.boxes[tile.index()];
        let turn = match self.look {
            Look::Grid => {
                let column = (area.x - self.area.x) / area.width.max(1);
                column + (self.boxes[0].y.abs_diff(area.y)) / area.height.max(1)
            }
            _ => tile.index() as u16,
        };
        let own = match (self.look, turn % 2) {
            (Look::Points, _) if !self.is_point(tile) => WALL,
            (Look::Grid | Look::Points, 0) => DARK,
            _ => LIGHT,
        };
        let marked = [
            (marks.blockers.contains(&tile), BLOCKED),
            (marks.attacks.iter().any(|(from, _)| *from == tile), BLOCKED),
            (marks.attacks.iter().any(|(_, on)| *on == tile), ATTACKED),
            (marks.selected == Some(tile), SELECTED),
            (marks.targets.contains(tile), TARGET),
            (marks.paths.iter().any(|way| way.contains(&tile)), WAY),
            (marks.last.contains(&tile), LAST),
        ];
        marked.into_iter().find(|(is, _)| *is).map_or(own, |(_, color)| color)
    }

    fn is_point(&self, tile: TileId) -> bool {
        self.cells[tile.index()] != Cell::Tray
    }

    /// Pieces of a point from its base on; more than fit are told by a number.
    fn draw_column(
        &self,
        round: &Round,
        tile: TileId,
        sorts: &[(PlayerId, KindId, usize)],
        buffer: &mut Buffer,
    ) {
        let (game, area) = (round.game(), self.boxes[tile.index()]);
        let top = self.boxes.iter().map(|area| area.y).min().unwrap_or(0);
        let is_top = area.y == top;
        let tall = if area.width >= 4 && area.height >= 2 * POINT { 2 } else { 1 };
        let most = (area.height / tall).max(1);
        let back = self.back(round, tile);
        let row = |at: u16| {
            let down = at * tall;
            if is_top { area.y + down } else { area.bottom() - tall - down }
        };
        let column = area.x + area.width / 2;
        for &(owner, kind, count) in sorts {
            let ink = ink(game, owner);
            let style = Style::new().bg(back).fg(ink).add_modifier(Modifier::BOLD);
            let count = count as u16;
            for at in 0..count.min(most) {
                let sign = glyph(game, owner, kind).to_string();
                if tall == 2 && sign == "●" {
                    for (line, y) in DISK.iter().zip(row(at)..) {
                        buffer.set_string(area.x, y, line, style);
                    }
                } else {
                    buffer.set_string(column, row(at), sign, style);
                }
            }
            if count > most {
                let number = Style::new().bg(ink).fg(contrast(ink)).add_modifier(Modifier::BOLD);
                let number = if tall == 2 { number } else { style };
                let y = row(most - 1) + tall - 1;
                buffer.set_string(column - 1, y, format!("{count:>2}"), number);
            }
        }
        if self.is_point(tile) {
            let name = round.context.label(tile);
            let name = name.trim_start_matches('p');
            let outside = if is_top { area.y.saturating_sub(1) } else { area.bottom() };
            let name = format!("{name:>2}");
            buffer.set_string(column.saturating_sub(1), outside, name, Style::new().fg(FAINT));
        }
        let taken = sorts.iter().map(|sort| sort.2 as u16).sum::<u16>();
        if round.marks.targets.contains(tile) && taken < most {
            buffer.set_string(column, row(taken), "•", Style::new().bg(back).fg(INK));
        }
    }

    fn draw_walls(&self, buffer: &mut Buffer) {
        let points = self.boxes.iter().zip(&self.cells);
        let points = points.filter(|(_, cell)| **cell != Cell::Tray).map(|(area, _)| *area);
        let all = points.reduce(Rect::union).unwrap_or_default();
        let all = all.intersection(self.area);
        buffer.set_style(all, Style::new().bg(WALL));
    }

    /// Letters below, numbers on the left.
    fn draw_edges(&self, game: &Game, buffer: &mut Buffer) {
        let bottom = self.boxes.iter().map(|area| area.bottom()).max().unwrap_or(0);
        for tile in game.tiles() {
            let (name, area) = (game.tile_name(tile), self.boxes[tile.index()]);
            let digits = name.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
            let (column, row) = name.split_at(digits);
            let style = Style::new().fg(FAINT);
            if bottom < self.area.bottom() {
                buffer.set_string(area.x + area.width / 2, bottom, column, style);
            }
            let text = format!("{row:>2}");
            buffer.set_string(self.area.x, area.y + area.height / 2, text, style);
        }
    }
}

fn has_edge_name(game: &Game, tile: TileId) -> bool {
    let name = game.tile_name(tile);
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    letters.len() == 1 && letters.len() < name.len() && !game.stacks(tile)
}

fn ink(game: &Game, owner: PlayerId) -> Color {
    let [red, green, blue] = color(game, owner);
    Color::Rgb(red, green, blue)
}

/// A colour that is read on another.
fn contrast(color: Color) -> Color {
    match color {
        Color::Rgb(red, green, blue)
            if u32::from(red) + u32::from(green) + u32::from(blue) < 384 =>
        {
            Color::White
        }
        _ => INK,
    }
}

fn sorts(game: &Game, round: &Round, tile: TileId) -> Vec<(PlayerId, KindId, usize)> {
    let view = game.view(round.state());
    let pairs = game.players().flat_map(|owner| game.kinds().map(move |kind| (owner, kind)));
    let counted = pairs.map(|(owner, kind)| (owner, kind, view.count(tile, owner, kind)));
    counted.filter(|(_, _, count)| *count > 0).collect()
}

/// The boxes of tiles that lie anywhere, in the greatest size that fits.
fn boxes(game: &Game, layout: &Layout, area: Rect) -> Vec<Rect> {
    let (width, height) = layout.size();
    // Rows of hexagons are closer than they are high; everything loose needs room for lines.
    let (wide, high) = match layout.style() {
        Look::Hex => (1.0, 1.0 / 0.866),
        Look::Grid => (1.0, 1.0),
        _ => (1.25, 1.25),
    };
    let sizes = [(8, 4), (6, 3), (4, 2), (3, 1), (2, 1)];
    let fits = |(columns, rows): &(u16, u16)| {
        width * wide * f64::from(*columns) <= f64::from(area.width)
            && height * high * f64::from(*rows) <= f64::from(area.height)
    };
    let (columns, rows) = sizes.into_iter().find(fits).unwrap_or((2, 1));
    let one = |tile: TileId| {
        let place = layout.place(tile);
        let x = ((place.x - 0.5) * wide * f64::from(columns)).round() as u16;
        let y = ((place.y - 0.5) * high * f64::from(rows)).round().max(0.0) as u16;
        Rect { x: area.x + x, y: area.y + y, width: columns, height: rows }
    };
    game.tiles().map(one).collect()
}

/// How wide and high a point is: a piece takes four columns and two rows where there is room.
fn point_size(across: f64, area: Rect) -> (u16, u16) {
    let fits = |column: &u16| across * f64::from(*column) <= f64::from(area.width);
    let column = [4, 3, 2].into_iter().find(fits).unwrap_or(2);
    // Names above and below, and a row between the halves.
    let high = area.height.saturating_sub(3) / 2;
    let height = if high >= 2 * POINT && column == 4 { 2 * POINT } else { high.clamp(1, POINT) };
    (column, height)
}

/// The box of a tile of a board of points.
fn point_box(
    layout: &Layout,
    tile: TileId,
    first: f64,
    area: Rect,
    (column, height): (u16, u16),
) -> Rect {
    let place = layout.place(tile);
    let x = ((place.x - first) * f64::from(column)).floor() as u16;
    let below = place.y > layout.size().1 / 2.0;
    let y = area.y + if below { height + 2 } else { 1 };
    Rect { x: area.x + x, y, width: column, height }
}
