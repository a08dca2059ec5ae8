//! Drawn boards.
//!
//! A drawing has a line for each row, top row first, and a word for each tile:
//!
//! | word | the tile |
//! |---|---|
//! | `.` | is empty |
//! | `M` | holds the piece that travels; it belongs to `me` |
//! | `f` | holds another piece of `me` |
//! | `a` | holds a piece of `ally`, who is of the same team |
//! | `e` `r` | holds a piece of `foe` or of `rival`, who stand alone |
//! | `*` `F` `A` `E` `R` | is the target: empty, or with such a piece on it |
//! | `_` and letters | holds many pieces: these; `_*` is empty and the target |
//! | `#` | does not exist |

use senet_core::Definition;
use senet_core::builder::{Board, Grid, Track};
use senet_core::builder::{DIAGONALS, EAST, EIGHT, FORWARD, FOUR, NORTH, SOUTH, WEST};
use senet_core::written::{Capacity, Pattern, Player};

use crate::engine::{Engine, write};
use crate::oracle::Oracle;

/// A drawn board, ready to be asked.
pub(crate) struct Scene {
    pub(crate) engine: Engine,
    pub(crate) definition: Definition,
    /// The words as drawn, with the name of the tile.
    rows: Vec<Vec<(String, String)>>,
    from: String,
    to: Option<String>,
}

impl Scene {
    /// A drawing of squares that are joined in eight directions; `a1` is at the lower left.
    pub(crate) fn grid(drawing: &str, patterns: &[Pattern]) -> Scene {
        let rows = words(drawing);
        let grid = Grid::new(rows[0].len() as u16, rows.len() as u16);
        Scene::on(grid.eight(), drawing, patterns)
    }

    /// A drawing of tiles in a row, `1` at the left, joined forward to the right and backward.
    pub(crate) fn line(drawing: &str, patterns: &[Pattern]) -> Scene {
        let length = words(drawing)[0].len() as u16;
        Scene::on(Track::open(length), drawing, patterns)
    }

    /// A drawing of any board: the tiles in their order from the lowest line up, in each line from
    /// the left.
    pub(crate) fn on(board: impl Into<Board>, drawing: &str, patterns: &[Pattern]) -> Scene {
        let mut board: Board = board.into();
        let drawn = words(drawing);
        let count: usize = drawn.iter().map(Vec::len).sum();
        assert_eq!(count, board.tiles.len(), "the drawing has a word for each tile");
        let mut scene = Sketch::default();
        let mut tiles = board.tiles.clone().into_iter().map(|tile| tile.name);
        let mut rows = Vec::new();
        for row in drawn.iter().rev() {
            let named: Vec<(String, String)> = row.iter().cloned().zip(&mut tiles).collect();
            named.iter().for_each(|(word, tile)| scene.read(word, tile));
            rows.insert(0, named);
        }
        board.tiles.retain(|tile| !scene.holes.contains(&tile.name));
        board.relations.retain(|relation| {
            !scene.holes.contains(&relation.from) && !scene.holes.contains(&relation.to)
        });
        for tile in board.tiles.iter_mut().filter(|tile| scene.stacks.contains(&tile.name)) {
            tile.holds = Capacity::Many;
        }
        let from = scene.from.expect("the drawing has an M");
        let definition = write(board, players(), patterns, ("me", Some(&from)), &scene.stones);
        Scene { engine: Engine::new(&definition), definition, rows, from, to: scene.to }
    }

    /// How the mover travels to the target, as every resolver says: the tiles of the path, then
    /// whose piece is taken; `no path` if there is none.
    pub(crate) fn path(&self) -> String {
        self.path_to(self.to.as_deref().expect("the drawing marks a target"))
    }

    /// The same for any target.
    pub(crate) fn path_to(&self, to: &str) -> String {
        self.path_between(&self.from, to)
    }

    /// The same for any source, wherever the mover stands.
    pub(crate) fn path_between(&self, from: &str, to: &str) -> String {
        let answer = self.engine.ask(from, to);
        let oracle = Oracle::new(&self.definition);
        assert_eq!(answer, oracle.resolve("mover", from, to), "oracle, {from} to {to}");
        let Some(journey) = answer else {
            return "no path".into();
        };
        let relations = journey.relations.iter().map(|&index| &self.definition.relations[index]);
        let entered = relations.map(|relation| relation.to.as_str());
        let tiles: Vec<&str> = std::iter::once(from).chain(entered).collect();
        match journey.capture {
            Some(player) => format!("{} takes {player}", tiles.join(" ")),
            None => tiles.join(" "),
        }
    }

    /// The directions of the path to the target.
    pub(crate) fn directions(&self) -> Vec<&str> {
        let to = self.to.as_deref().expect("the drawing marks a target");
        let journey = self.engine.ask(&self.from, to).expect("there is a path");
        let relations = journey.relations.iter().map(|&index| &self.definition.relations[index]);
        relations.map(|relation| relation.direction.as_str()).collect()
    }

    /// The drawing again, with `+` on every tile to which there is a path and `x` on every tile
    /// where it captures.
    pub(crate) fn picture(&self) -> String {
        let rows = self.rows.iter().map(|row| {
            let words: Vec<String> = row.iter().map(|(word, tile)| self.mark(word, tile)).collect();
            words.join(" ")
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn mark(&self, word: &str, tile: &str) -> String {
        if word == "#" {
            return word.into();
        }
        match self.path_to(tile) {
            answer if answer == "no path" => word.into(),
            answer if answer.contains("takes") => "x".into(),
            _ => "+".into(),
        }
    }

    /// The tile that blocks the way to the target, if the game names one.
    pub(crate) fn blocker(&self) -> Option<&str> {
        let (game, state) = self.engine.game();
        let to = self.to.as_deref().and_then(|name| game.tile(name)).expect("a target");
        let (piece, from) = (game.piece("mover")?, game.tile(&self.from)?);
        game.paths().blocker(state, piece, from, to).map(|tile| game.tile_name(tile))
    }
}

/// What a drawing says.
#[derive(Default)]
struct Sketch {
    from: Option<String>,
    to: Option<String>,
    /// Whose, and where.
    stones: Vec<(String, String)>,
    stacks: Vec<String>,
    holes: Vec<String>,
}

impl Sketch {
    fn read(&mut self, word: &str, tile: &str) {
        let pieces = match word.strip_prefix('_') {
            Some(rest) => {
                self.stacks.push(tile.into());
                rest
            }
            None => word,
        };
        for letter in pieces.chars() {
            match letter {
                '.' => {}
                '#' => self.holes.push(tile.into()),
                'M' => self.from = Some(tile.into()),
                _ => self.put(letter, tile),
            }
        }
    }

    fn put(&mut self, letter: char, tile: &str) {
        if letter == '*' || letter.is_ascii_uppercase() {
            self.to = Some(tile.into());
        }
        let owner = match letter.to_ascii_lowercase() {
            '*' => return,
            'f' => "me",
            'a' => "ally",
            'e' => "foe",
            'r' => "rival",
            _ => panic!("{letter:?} is no word of a drawing"),
        };
        self.stones.push((owner.into(), tile.into()));
    }
}

/// The players of every drawing.
pub(crate) fn players() -> Vec<Player> {
    let ours = |name: &str| Player::new(name).team("ours");
    vec![ours("me"), ours("ally"), Player::new("foe"), Player::new("rival")]
}

fn words(drawing: &str) -> Vec<Vec<String>> {
    let lines = drawing.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

/// A drawing as [`Scene::picture`] writes it.
pub(crate) fn drawn(drawing: &str) -> String {
    let rows = words(drawing).iter().map(|row| row.join(" ")).collect::<Vec<_>>();
    rows.join("\n")
}

/// Slides along rows, columns and diagonals.
pub(crate) fn slider() -> Vec<Pattern> {
    vec![Pattern::slides(&EIGHT)]
}

/// Slides along rows and columns.
pub(crate) fn straight_slider() -> Vec<Pattern> {
    vec![Pattern::slides(&FOUR)]
}

/// Slides along diagonals.
pub(crate) fn slant_slider() -> Vec<Pattern> {
    vec![Pattern::slides(&DIAGONALS)]
}

/// Slides forward on a line.
pub(crate) fn runner() -> Vec<Pattern> {
    vec![Pattern::slide(FORWARD)]
}

/// Takes one step in any direction.
pub(crate) fn walker() -> Vec<Pattern> {
    vec![Pattern::steps(&EIGHT)]
}

/// Leaps two tiles along a row or column and one aside.
pub(crate) fn leaper() -> Vec<Pattern> {
    let leaps = [
        [NORTH, NORTH, EAST],
        [NORTH, NORTH, WEST],
        [SOUTH, SOUTH, EAST],
        [SOUTH, SOUTH, WEST],
        [EAST, EAST, NORTH],
        [EAST, EAST, SOUTH],
        [WEST, WEST, NORTH],
        [WEST, WEST, SOUTH],
    ];
    leaps.iter().map(|steps| Pattern::leap(steps)).collect()
}
