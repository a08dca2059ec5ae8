//! The plain notation with a letter of its own for each kind of piece on the drawn board.

use senet_core::{Game, Notation, State, TileId};
use senet_render::letter;

/// The plain notation, with boards on which every kind of piece has a letter of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lettered;

impl Notation for Lettered {
    fn is_plain(&self) -> bool {
        true
    }

    fn draw(&self, game: &Game, state: &State) -> String {
        match game.topology().coordinates() {
            Some(coordinates) => draw_grid(game, state, coordinates),
            None => {
                let line = |tile| format!("{}: {}", game.tile_name(tile), mark(game, state, tile));
                game.tiles().map(line).collect::<Vec<_>>().join("\n")
            }
        }
    }
}

/// What stands on a tile: the letters of owner and kind, as far as there are several.
fn mark(game: &Game, state: &State, tile: TileId) -> String {
    let view = game.view(state);
    let owners = owner_letters(game);
    let one_kind = game.kinds().count() == 1;
    let pairs = game.players().flat_map(|owner| game.kinds().map(move |kind| (owner, kind)));
    let marks: Vec<String> = pairs
        .filter_map(|(owner, kind)| {
            let count = view.count(tile, owner, kind);
            let kind = if one_kind {
                String::new()
            } else {
                letter(game, kind).to_lowercase().to_string()
            };
            let many = if count > 1 { count.to_string() } else { String::new() };
            (count > 0).then(|| format!("{}{kind}{many}", owners[owner.index()]))
        })
        .collect();
    if marks.is_empty() { "·".into() } else { marks.join(",") }
}

/// A letter for each player that no other player has.
fn owner_letters(game: &Game) -> Vec<char> {
    let mut letters: Vec<char> = Vec::new();
    for player in game.players() {
        let name = game.player_name(player);
        let free = |letter: &char| letter.is_alphanumeric() && !letters.contains(letter);
        letters.push(name.chars().find(free).or_else(|| ('a'..='z').find(free)).unwrap_or('?'));
    }
    letters
}

fn draw_grid(game: &Game, state: &State, coordinates: &[(i32, i32)]) -> String {
    let bounds = |pick: fn(&(i32, i32)) -> i32| {
        let all = coordinates.iter().map(pick);
        (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
    };
    let ((left, right), (bottom, top)) = (bounds(|c| c.0), bounds(|c| c.1));
    let at = |x: i32, y: i32| {
        let tile = game.tiles().zip(coordinates).find(|(_, place)| **place == (x, y));
        tile.map(|(tile, _)| tile)
    };
    let cell = |x: i32, y: i32| at(x, y).map_or(String::new(), |tile| mark(game, state, tile));
    let places = (bottom..=top).flat_map(|y| (left..=right).map(move |x| (x, y)));
    let width = places.map(|(x, y)| cell(x, y).chars().count()).max().unwrap_or(1);
    let label = |x: i32, y: i32| at(x, y).map_or("", |tile| game.tile_name(tile));
    let margin = (bottom..=top).map(|y| label(left, y).chars().count()).max().unwrap_or(0);
    let row = |y: i32| {
        let cells = (left..=right).map(|x| format!("{:>width$}", cell(x, y)));
        let row = cells.collect::<Vec<_>>().join(" ");
        format!("{:>margin$}  {row}", label(left, y)).trim_end().to_owned()
    };
    let mut lines: Vec<String> = (bottom..=top).rev().map(row).collect();
    lines.push(format!("{:>margin$}  {} … {}", "", label(left, bottom), label(right, bottom)));
    lines.join("\n")
}
