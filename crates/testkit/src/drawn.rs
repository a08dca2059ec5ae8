//! States drawn as pictures, and pictures of states.
//!
//! A picture has a line for each row of the board, the top row first, with a letter for each tile
//! and spaces wherever they please. `.` is an empty tile. A board whose tiles are not named by
//! column and row, such as a track, is one row in the order of its tiles.

use senet_core::setup::Stand;
use senet_core::{Game, PlayerId, Setup, State, TileId};

/// What the letters of a picture mean: letter, owner, kind and any number of flags, a line for
/// each, such as `"P white pawn mint"`.
#[derive(Clone, Debug)]
pub struct Legend(Vec<(char, String, String, Vec<String>)>);

impl Legend {
    /// Reads a legend.
    ///
    /// # Panics
    /// If a line has no letter, owner and kind.
    pub fn new<'a>(lines: impl IntoIterator<Item = &'a str>) -> Legend {
        let read = |line: &'a str| {
            let mut words = line.split_whitespace();
            let (letter, owner, kind) = (words.next(), words.next(), words.next());
            let letter = letter.and_then(|word| word.chars().next());
            match (letter, owner, kind) {
                (Some(letter), Some(owner), Some(kind)) => {
                    let flags = words.map(str::to_owned).collect();
                    (letter, owner.to_owned(), kind.to_owned(), flags)
                }
                _ => panic!("`{line}` is no legend: letter, owner, kind, flags"),
            }
        };
        Legend(lines.into_iter().map(read).collect())
    }
}

/// The rows of a board, the top one first.
fn rows(game: &Game) -> Vec<Vec<TileId>> {
    let row_of = |tile: TileId| {
        let name = game.tile_name(tile);
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let lettered = !letters.is_empty() && letters.chars().all(|c| c.is_ascii_lowercase());
        name[letters.len()..].parse::<u32>().ok().filter(|_| lettered)
    };
    let numbers: Option<Vec<u32>> = game.tiles().map(row_of).collect();
    let Some(numbers) = numbers else { return vec![game.tiles().collect()] };
    let top = numbers.iter().copied().max().unwrap_or(0);
    let row = |number| game.tiles().filter(|tile| numbers[tile.index()] == number).collect();
    (0..=top).rev().map(row).filter(|row: &Vec<TileId>| !row.is_empty()).collect()
}

/// The state that a picture shows, with a player to move.
///
/// # Panics
/// If the picture does not fit the board, a letter is not in the legend, or the game refuses the
/// setup; each with its reason.
pub fn drawn(game: &Game, player: &str, legend: &Legend, picture: &str) -> State {
    let named = |what: &str, name: &str| -> ! { panic!("no {what} is named `{name}`") };
    let player_id =
        |name: &str| -> PlayerId { game.player(name).unwrap_or_else(|| named("player", name)) };
    let mut setup = Setup::empty(player_id(player));
    let lines: Vec<Vec<char>> = picture
        .lines()
        .map(|line| line.chars().filter(|letter| !letter.is_whitespace()).collect())
        .filter(|line: &Vec<char>| !line.is_empty())
        .collect();
    let rows = rows(game);
    assert_eq!(lines.len(), rows.len(), "rows of the picture and of the board");
    for (letters, tiles) in lines.iter().zip(&rows) {
        assert_eq!(letters.len(), tiles.len(), "letters and tiles of row `{letters:?}`");
        for (&letter, &tile) in letters.iter().zip(tiles).filter(|(letter, _)| **letter != '.') {
            let entry = legend.0.iter().find(|entry| entry.0 == letter);
            let (_, owner, kind, flags) =
                entry.unwrap_or_else(|| panic!("`{letter}` is not in the legend"));
            let flag = |mask: u64, name: &String| {
                let flag = game.flag(name).unwrap_or_else(|| named("flag", name));
                mask | 1 << flag.index()
            };
            setup.pieces.push(Stand {
                tile,
                owner: player_id(owner),
                kind: game.kind(kind).unwrap_or_else(|| named("kind", kind)),
                flags: flags.iter().fold(0, flag),
                piece: None,
            });
        }
    }
    game.state(&setup).unwrap_or_else(|errors| {
        let reasons: Vec<String> = errors.0.iter().map(|error| error.text(game)).collect();
        panic!("the picture is no state: {}", reasons.join("; "))
    })
}

/// The picture of a state: the first letter of the legend that fits, `?` where none does.
pub fn picture(game: &Game, legend: &Legend, state: &State) -> String {
    let view = game.view(state);
    let letter = |tile: TileId| {
        let Some(owner) = view.owner_at(tile) else { return '.' };
        let Some(kind) = view.kind_at(tile) else { return '.' };
        let fits = |(_, name, of_kind, flags): &&(char, String, String, Vec<String>)| {
            let carries = |flag| flags.iter().any(|name| name == game.flag_name(flag));
            let same = game.flags().all(|flag| view.is_flagged(tile, flag) == carries(flag));
            name == game.player_name(owner) && of_kind == game.kind_name(kind) && same
        };
        legend.0.iter().find(fits).map_or('?', |entry| entry.0)
    };
    let row = |row: Vec<TileId>| row.into_iter().map(letter).collect::<String>();
    rows(game).into_iter().map(row).collect::<Vec<_>>().join("\n")
}
