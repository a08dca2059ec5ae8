//! A board drawn with letters, from its topology alone.

use crate::game::Game;
use crate::id::TileId;
use crate::state::State;
use crate::tile_set::TileSet;

/// Draws a position: a grid where the tiles lie in one, a list of tiles otherwise. Tiles that are
/// not seen are drawn as `?`.
pub(crate) fn draw(game: &Game, state: &State, unseen: &TileSet) -> String {
    match game.topology().coordinates() {
        Some(coordinates) => draw_grid(game, state, unseen, coordinates),
        None => draw_list(game, state, unseen),
    }
}

/// What stands on a tile, in a few letters.
fn mark(game: &Game, state: &State, unseen: &TileSet, tile: TileId) -> String {
    if unseen.contains(tile) {
        return "?".to_owned();
    }
    let view = game.view(state);
    let mut marks = Vec::new();
    for owner in game.players().filter(|&owner| view.is_owned(tile, owner)) {
        for kind in game.kinds() {
            let count = view.count(tile, owner, kind);
            if count > 0 {
                let first = |name: &str| name.chars().next().unwrap_or('?').to_string();
                let one_kind = game.kinds().count() == 1;
                let kind = if one_kind { String::new() } else { first(game.kind_name(kind)) };
                let many = if count > 1 { count.to_string() } else { String::new() };
                marks.push(format!("{}{kind}{many}", first(game.player_name(owner))));
            }
        }
    }
    if marks.is_empty() { "·".into() } else { marks.join(",") }
}

fn draw_grid(game: &Game, state: &State, unseen: &TileSet, coordinates: &[(i32, i32)]) -> String {
    let bounds = |pick: fn(&(i32, i32)) -> i32| {
        let all = coordinates.iter().map(pick);
        (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (bounds(|c| c.0), bounds(|c| c.1));
    let at = |x: i32, y: i32| coordinates.iter().position(|&c| c == (x, y)).map(TileId::at);
    let cell =
        |x: i32, y: i32| at(x, y).map_or(String::new(), |tile| mark(game, state, unseen, tile));
    let width = (bottom..=top)
        .flat_map(|y| (left..=right).map(move |x| (x, y)))
        .map(|(x, y)| cell(x, y).chars().count())
        .max()
        .unwrap_or(1);
    let label = |x: i32, y: i32| at(x, y).map_or("", |tile| game.tile_name(tile));
    let margin = (bottom..=top).map(|y| label(left, y).chars().count()).max().unwrap_or(0);
    let mut lines: Vec<String> = (bottom..=top)
        .rev()
        .map(|y| {
            let cells = (left..=right).map(|x| format!("{:>width$}", cell(x, y)));
            let row = cells.collect::<Vec<_>>().join(" ");
            format!("{:>margin$}  {row}", label(left, y)).trim_end().to_owned()
        })
        .collect();
    let corners = [label(left, bottom), label(right, bottom)];
    lines.push(format!("{:>margin$}  {} … {}", "", corners[0], corners[1]));
    lines.join("\n")
}

fn draw_list(game: &Game, state: &State, unseen: &TileSet) -> String {
    let line = |tile| format!("{}: {}", game.tile_name(tile), mark(game, state, unseen, tile));
    game.tiles().map(line).collect::<Vec<_>>().join("\n")
}
