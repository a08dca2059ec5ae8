//! The board on a screen: which cells belong to which tile, and what they show.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use senet::render::{Cell, Layout, Style as Look, layout, silhouette};
use senet::{Game, KindId, PlayerId, TileId};

use super::graphic::{Placed, UNDER};
use super::paint::{
    ATTACKED, BLOCKED, DARK, Depth, LAST, LIGHT, SELECTED, Signs, TARGET, WALL, WAY, body, ink_on,
    under_pictures,
};
use super::round::Round;

/// How many pieces of a point are seen one by one, where there is room.
const POINT: u16 = 5;

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
        let layout = layout(game);
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
                let columns = || game.tiles().map(|tile| layout.place(tile).x);
                let (first, last) =
                    (columns().fold(f64::MAX, f64::min), columns().fold(0.0, f64::max));
                let size = point_size(last - first + 1.0, inner);
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

    /// Where pieces are drawn as pictures: one that stands alone on its tile, and those of a point
    /// as far as there is room.
    pub(super) fn pictures(&self, round: &Round) -> Vec<Placed> {
        let mut placed = Vec::new();
        for tile in round.game().tiles() {
            let (area, back) = (self.boxes[tile.index()], self.back(round, tile));
            let sorts = sorts(round.game(), round, tile);
            let mut put = |piece, area| placed.push(Placed { area, piece, back });
            match (self.look, &sorts[..]) {
                (Look::Points, _) => {
                    let (_, most) = self.tokens(tile);
                    for &(owner, kind, count) in &sorts {
                        // The last that fits has the number of all on it.
                        let count = count as u16;
                        let pictured = if count > most { most - 1 } else { count };
                        (0..pictured).for_each(|at| put((owner, kind), self.token(tile, at)));
                    }
                }
                (_, &[(owner, kind, 1)]) => {
                    put((owner, kind), self.frame(area, round.cursor == Some(tile)));
                }
                _ => {}
            }
        }
        placed
    }

    /// The part of a tile that a picture takes: the brackets of the cursor beside it and a name
    /// above it are seen.
    fn frame(&self, area: Rect, at_cursor: bool) -> Rect {
        let aside = u16::from(at_cursor && area.width >= 4);
        let above = u16::from(!self.edges && area.height > 2);
        Rect {
            x: area.x + aside,
            y: area.y + above,
            width: area.width - 2 * aside,
            height: area.height - above,
        }
    }

    /// How many rows a piece of a point takes, and how many pieces there is room for.
    fn tokens(&self, tile: TileId) -> (u16, u16) {
        let area = self.boxes[tile.index()];
        let tall = if area.width >= 4 && area.height >= 2 * POINT { 2 } else { 1 };
        (tall, (area.height / tall).max(1))
    }

    /// The cells of a piece of a point, counted from its base.
    fn token(&self, tile: TileId, at: u16) -> Rect {
        let (area, (tall, _)) = (self.boxes[tile.index()], self.tokens(tile));
        let down = at * tall;
        let y = if self.is_top(tile) { area.y + down } else { area.bottom() - tall - down };
        Rect { y, height: tall, ..area }
    }

    /// Whether a point hangs from the upper edge.
    fn is_top(&self, tile: TileId) -> bool {
        let top = self.boxes.iter().map(|area| area.y).min().unwrap_or(0);
        self.boxes[tile.index()].y == top
    }

    /// The column after the last of the board.
    pub(super) fn right(&self) -> u16 {
        self.boxes.iter().map(|area| area.right()).max().unwrap_or(0)
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
        buffer.set_style(area, Style::new().bg(back).fg(ink_on(back)));
        let sorts = sorts(game, round, tile);
        if self.look == Look::Points {
            self.draw_column(round, tile, &sorts, buffer);
        } else if sorts.is_empty() && round.marks.targets.contains(tile) {
            let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
            buffer.set_string(x, y, "•", Style::new().bg(back).fg(ink_on(back)));
        } else {
            self.draw_pieces(round, &sorts, area, buffer);
        }
        if !self.edges && self.look != Look::Points && area.height > 1 {
            let name = game.tile_name(tile);
            let style = Style::new().bg(back).fg(ink_on(back));
            buffer.set_stringn(area.x, area.y, name, area.width.into(), style);
        }
        if round.cursor == Some(tile) {
            self.draw_cursor(area, back, buffer);
        }
    }

    /// Pieces in the middle of a tile, each on a token in the colour of its owner, so that the
    /// sign on it is read whatever the tile looks like.
    fn draw_pieces(&self, round: &Round, sorts: &[Sort], area: Rect, buffer: &mut Buffer) {
        let (game, paint) = (round.game(), round.paint);
        let wide = sorts.len() as u16 * 2;
        let middle = (area.x + area.width / 2, area.y + area.height / 2);
        if let [(owner, kind, 1)] = sorts[..] {
            if paint.pictures.is_some() {
                let at_cursor = round.cursor.is_some_and(|tile| self.boxes[tile.index()] == area);
                return lay_under(self.frame(area, at_cursor), buffer);
            }
            if draw_figure(round, (owner, kind), area, buffer) {
                return;
            }
            let token = Rect { x: area.x + 1, width: area.width.saturating_sub(2).max(1), ..area };
            let token = if area.width < 3 { Rect { x: area.x, ..token } } else { token };
            draw_token(token, (body(game, owner), paint.depth), buffer);
            let sign = paint.sign(game, owner, kind).to_string();
            let x = token.x + (token.width - 1) / 2;
            let y = token.y + (token.height - 1) / 2;
            buffer.set_string(x, y, sign, piece_style(game, owner));
            return;
        }
        let mut x = (middle.0 + 1).saturating_sub(wide.div_ceil(2)).max(area.x);
        for &(owner, kind, count) in sorts {
            let sign = paint.sign(game, owner, kind);
            let text = if count == 1 { sign.to_string() } else { format!("{sign}{count}") };
            let room = area.right().saturating_sub(x).into();
            x = buffer.set_stringn(x, middle.1, text, room, piece_style(game, owner)).0;
        }
    }

    /// Brackets around the tile that the keys are at.
    fn draw_cursor(&self, area: Rect, back: Color, buffer: &mut Buffer) {
        let style = Style::new().bg(back).fg(ink_on(back)).add_modifier(Modifier::BOLD);
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
                // Counted from the first tile, so that a tile keeps its colour when the board turns.
                let column = self.boxes[0].x.abs_diff(area.x) / area.width.max(1);
                column + self.boxes[0].y.abs_diff(area.y) / area.height.max(1)
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
        let color = marked.into_iter().find(|(is, _)| *is).map_or(own, |(_, color)| color);
        if round.paint.pictures.is_some() { under_pictures(color) } else { color }
    }

    fn is_point(&self, tile: TileId) -> bool {
        self.cells[tile.index()] != Cell::Tray
    }

    /// Pieces of a point from its base on; more than fit are told by a number.
    fn draw_column(&self, round: &Round, tile: TileId, sorts: &[Sort], buffer: &mut Buffer) {
        let (game, area) = (round.game(), self.boxes[tile.index()]);
        let (is_top, (tall, most)) = (self.is_top(tile), self.tokens(tile));
        let back = self.back(round, tile);
        let row = |at: u16| self.token(tile, at).y;
        let column = area.x + area.width / 2;
        for &(owner, kind, count) in sorts {
            let style = piece_style(game, owner);
            let count = count as u16;
            let sign = round.paint.sign(game, owner, kind).to_string();
            let pictured = round.paint.pictures.is_some();
            for at in 0..count.min(most) {
                let token = self.token(tile, at);
                if pictured && (count <= most || at + 1 < most) {
                    lay_under(token, buffer);
                } else if tall == 2 {
                    draw_disk(token, (body(game, owner), round.paint.depth), buffer);
                    buffer.set_string(column - 1, row(at) + 1, &sign, style);
                } else {
                    buffer.set_string(column, row(at), &sign, style);
                }
            }
            if count > most {
                let y = row(most - 1) + tall - 1;
                buffer.set_string(column - 1, y, format!("{count:>2}"), style);
            }
        }
        if self.is_point(tile) {
            let name = round.position().label(tile);
            let name = name.trim_start_matches('p');
            let outside = if is_top { area.y.saturating_sub(1) } else { area.bottom() };
            let name = format!("{name:>2}");
            buffer.set_string(column.saturating_sub(1), outside, name, Style::new());
        }
        let taken = sorts.iter().map(|sort| sort.2 as u16).sum::<u16>();
        if round.marks.targets.contains(tile) && taken < most {
            buffer.set_string(column, row(taken), "•", Style::new().bg(back).fg(ink_on(back)));
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
            let style = Style::new();
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

/// Pieces of one owner and kind on a tile, and how many they are.
type Sort = (PlayerId, KindId, usize);

/// The sign of a piece on a token of its owner.
fn piece_style(game: &Game, owner: PlayerId) -> Style {
    let back = body(game, owner);
    Style::new().bg(back).fg(ink_on(back)).add_modifier(Modifier::BOLD)
}

/// A cell by which of its quarters are filled: upper left, upper right, lower left, lower right.
const QUARTERS: [&str; 16] =
    [" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"];

/// A piece as large as its tile: its figure in the colour of its owner, on a token on which that
/// colour is seen. The token leaves half a row of the tile above and below, and a column on each side. False where there is too
/// little room, or the terminal has no signs or colours for it.
fn draw_figure(
    round: &Round,
    (owner, kind): (PlayerId, KindId),
    area: Rect,
    buffer: &mut Buffer,
) -> bool {
    let (game, paint) = (round.game(), round.paint);
    if area.width < 10 || area.height < 5 {
        return false;
    }
    if paint.signs == Signs::Ascii || paint.depth == Depth::None {
        return false;
    }
    let token = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let size = (2 * usize::from(token.width), 2 * usize::from(token.height) - 2);
    let Some(figure) = known_silhouette(game, (owner, kind), size) else { return false };
    let (figure_color, token_color) = (body(game, owner), ink_on(body(game, owner)));
    let filled = |row: Option<usize>, column: u16, right: usize| {
        let row = row.and_then(|row| figure.get(row));
        row.is_some_and(|row| row[2 * usize::from(column) + right])
    };
    for row in 0..token.height {
        // The first row of the figure is in the lower half of the first row of the token.
        let upper = (2 * usize::from(row)).checked_sub(1);
        let lower = Some(2 * usize::from(row)).filter(|_| row + 1 < token.height);
        for column in 0..token.width {
            let cell = &mut buffer[(token.x + column, token.y + row)];
            let half = |row| match filled(row, column, 0) && filled(row, column, 1) {
                true => figure_color,
                false => token_color,
            };
            match (upper, lower) {
                (None, _) => cell.set_symbol("▄").set_fg(half(lower)),
                (_, None) => cell.set_symbol("▀").set_fg(half(upper)),
                _ => {
                    let bits = [(upper, 0), (upper, 1), (lower, 0), (lower, 1)];
                    let bits = bits.iter().enumerate().map(|(bit, (row, right))| {
                        usize::from(filled(*row, column, *right)) << bit
                    });
                    cell.set_symbol(QUARTERS[bits.sum::<usize>()])
                        .set_fg(figure_color)
                        .set_bg(token_color)
                }
            };
        }
    }
    true
}

/// Leaves cells to a picture.
fn lay_under(area: Rect, buffer: &mut Buffer) {
    for at in area.positions() {
        buffer[at].set_symbol(UNDER);
    }
}

/// A token with round corners where it is high enough for them.
fn draw_token(area: Rect, (color, depth): (Color, Depth), buffer: &mut Buffer) {
    if depth == Depth::None {
        return;
    }
    let round = area.width >= 4 && area.height >= 3;
    let body = if round { Rect { y: area.y + 1, height: area.height - 2, ..area } } else { area };
    // A flat token takes one row, so that the tile and its marks are seen around it.
    let body =
        if round { body } else { Rect { y: area.y + (area.height - 1) / 2, height: 1, ..area } };
    buffer.set_style(body, Style::new().bg(color));
    if round {
        let edge = |left: &str, line: &str, right: &str| {
            format!("{left}{}{right}", line.repeat(usize::from(area.width) - 2))
        };
        let style = Style::new().fg(color);
        buffer.set_string(area.x, area.y, edge("▗", "▄", "▖"), style);
        buffer.set_string(area.x, area.bottom() - 1, edge("▝", "▀", "▘"), style);
    }
}

/// A piece on a point as large as four columns and two rows.
fn draw_disk(area: Rect, (color, depth): (Color, Depth), buffer: &mut Buffer) {
    if depth == Depth::None {
        return;
    }
    buffer.set_string(area.x, area.y, "▗▄▄▖", Style::new().fg(color));
    buffer.set_string(area.x, area.y + 1, "▐  ▌", Style::new().fg(color));
    let inside = Rect { x: area.x + 1, y: area.y + 1, width: 2, height: 1 };
    buffer.set_style(inside, Style::new().bg(color));
}

fn sorts(game: &Game, round: &Round, tile: TileId) -> Vec<Sort> {
    let view = round.position().view();
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
    let sizes = [(16, 8), (14, 7), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1)];
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

/// A piece as rows of cells, or none.
type Silhouette = Option<Rc<Vec<Vec<bool>>>>;

/// A game, an owner, a kind and a size.
type Drawn = (u128, usize, usize, (usize, usize));

/// How many silhouettes are kept: those of some sizes of the screen.
const KEPT: usize = 256;

/// The silhouette of a piece. A screen is drawn again for every key, and the figures on it stay.
fn known_silhouette(
    game: &Game,
    (owner, kind): (PlayerId, KindId),
    size: (usize, usize),
) -> Silhouette {
    thread_local! {
        static KNOWN: RefCell<BTreeMap<Drawn, Silhouette>> = const { RefCell::new(BTreeMap::new()) };
    }
    let drawn = (game.definition_hash(), owner.index(), kind.index(), size);
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= KEPT {
            known.clear();
        }
        let draw = || silhouette(game, owner, kind, size).map(Rc::new);
        known.entry(drawn).or_insert_with(draw).clone()
    })
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
