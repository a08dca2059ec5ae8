//! Positions as tensors.

use senet_core::observe::Viewer;
use senet_core::{Event, KindId, PlayerId, State, TileId, VariableId, View};

use crate::define::{Share, Supply};
use crate::game::Game;
use crate::position::Position;

/// What one plane of a tensor shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// Pieces of the player that many seats after the viewer.
    Pieces(usize, KindId),
    Flag(senet_core::FlagId),
    Mark(senet_core::MarkId),
    /// Tiles of which the viewer does not know what stands there.
    Unseen,
    /// What the player that many seats after the viewer has in hand, as a share of all such pieces.
    Hand(usize, KindId),
    /// What a die shows, as a share of its sides.
    Die(senet_core::DieId),
    /// A variable between its bounds, from 0 to 1; of the player that many seats after the viewer.
    Variable(VariableId, usize),
    /// Whether this player is to move.
    Mover(PlayerId),
}

/// One plane of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// What it shows, such as `own knight`, `foe pawn`, `die one` or `black to move`.
    pub name: String,
    /// Whether every cell of it holds the same number.
    pub is_uniform: bool,
    shown: Shown,
}

/// How positions of a game are written as tensors of numbers.
///
/// A tensor is a list of planes, each with a cell for each tile. On a grid the cells are rows from
/// the top row of the board to the bottom one; on other boards they are the tiles in the order of
/// the definition. Planes come in this order:
///
/// 1. For each of the last positions that are asked for, the newest first: how many pieces of each
///    player and kind stand on a tile, the viewer first and the others in the order of play; then
///    flags and marks; in games with secrets, then the tiles that are not seen.
/// 2. Of the newest position, in planes with one number in all cells: pieces in hand as shares of
///    all pieces of the kind, dice as shares of their sides, variables as shares of their range,
///    and for each player whether he is to move.
///
/// All is told from the seat of the viewer, who is the player to move in the newest position unless
/// another one is named. In games with secrets a tensor shows no more than the viewer sees: nothing
/// stands on tiles that are not seen, and hidden variables are at their start.
#[derive(Clone, Debug)]
pub struct Planes {
    game: Game,
    moment: Vec<Plane>,
    uniform: Vec<Plane>,
    history: usize,
    shape: Vec<usize>,
    tiles: Vec<TileId>,
    /// The cell of each tile.
    cells: Vec<usize>,
    /// The same by runs of tiles, for each 64 cells.
    runs: Vec<Vec<Run>>,
    /// The words of a state that each plane of the moment shows.
    sets: Vec<Words>,
    /// Where the words of each player's tiles begin in a state.
    owners: Vec<usize>,
    /// How many words a set of tiles has.
    width: usize,
    /// The plane of the moment that shows which tiles are not seen.
    unseen: Option<usize>,
    /// How many cells a plane has.
    area: usize,
    players: Vec<PlayerId>,
    /// How many pieces of each kind there are, at least 1.
    supply: Vec<f32>,
    has_stacks: bool,
}

/// Words of a state that are a set of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// The set from this word on, where the player stands that many seats after the viewer.
    Of(usize, usize),
    /// The set from this word on.
    All(usize),
    /// What is shown is no such set.
    None,
}

/// Tiles of one word of a set that follow each other, and whose cells do so too, within 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    word: usize,
    /// The bits of all of them, from the lowest one on.
    bits: u64,
    /// The bit of the first tile.
    from: u32,
    /// The bit of its cell.
    to: u32,
}

impl Planes {
    /// The tensors of a game that show the last `history` positions, at least one.
    pub fn of(game: &Game, history: usize) -> Planes {
        let (cells, board) = cells(game);
        let history = history.max(1);
        let (moment, uniform) = (moment_planes(game), uniform_planes(game));
        let mut shape = vec![moment.len() * history + uniform.len()];
        shape.extend(&board);
        let kinds = game.kinds();
        let count = |kind: KindId| {
            let name = game.kind_name(kind);
            let pieces = game.definition().pieces.iter().filter(|piece| piece.kind == name);
            pieces.count().max(1) as f32
        };
        let has_stacks = game.tiles().any(|tile| game.stacks(tile));
        let program = game.rules().program();
        let words = |plane: &Plane| match plane.shown {
            Shown::Pieces(seat, kind) if !has_stacks => {
                Words::Of(program.kind_plane(kind.index()), seat)
            }
            Shown::Flag(flag) => Words::All(program.flag_plane(flag.index())),
            Shown::Mark(mark) => Words::All(program.mark_plane(mark.index())),
            _ => Words::None,
        };
        Planes {
            sets: moment.iter().map(words).collect(),
            owners: game.players().map(|one| program.owner_plane(one.index())).collect(),
            width: program.code().width,
            unseen: moment.iter().position(|plane| plane.shown == Shown::Unseen),
            tiles: game.tiles().collect(),
            moment,
            uniform,
            history,
            shape,
            runs: runs(&cells, board.iter().product()),
            cells,
            area: board.iter().product(),
            players: game.players().collect(),
            supply: kinds.map(count).collect(),
            has_stacks,
            game: game.clone(),
        }
    }

    /// The sizes of a tensor: planes, then rows and columns, or planes and tiles.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many numbers a tensor has.
    pub fn len(&self) -> usize {
        self.shape[0] * self.area
    }

    /// Whether a tensor has no numbers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many positions a tensor shows.
    pub fn history(&self) -> usize {
        self.history
    }

    /// The planes in order.
    pub fn planes(&self) -> Vec<Plane> {
        let moments = (0..self.history).flat_map(|back| {
            self.moment.iter().map(move |plane| match back {
                0 => plane.clone(),
                _ => Plane { name: format!("{}, {back} before", plane.name), ..plane.clone() },
            })
        });
        moments.chain(self.uniform.iter().cloned()).collect()
    }

    /// The greatest number that a tensor may contain.
    pub fn greatest(&self) -> f32 {
        let pieces = self.game.pieces().count().max(1) as f32;
        if self.has_stacks { pieces } else { 1.0 }
    }

    /// Writes the tensor of the newest position, which comes first, and those before it. Where
    /// there are fewer positions than are shown, the planes of the missing ones are 0.
    ///
    /// # Panics
    /// If the buffer is not as long as a tensor, or there is no position.
    pub fn write(&self, positions: &[Position], into: &mut [f32]) {
        let viewer = positions.first().expect("a position to write").player();
        self.write_for(viewer, positions, into);
    }

    /// The same as any player sees it.
    ///
    /// # Panics
    /// As [`Planes::write`] does.
    pub fn write_for(&self, viewer: PlayerId, positions: &[Position], into: &mut [f32]) {
        self.write_states(viewer, positions.iter().map(Position::state), into);
    }

    pub(crate) fn write_states<'s>(
        &self,
        viewer: PlayerId,
        states: impl Iterator<Item = &'s State>,
        into: &mut [f32],
    ) {
        assert_eq!(into.len(), self.len(), "a buffer as long as a tensor");
        let rules = self.game.rules();
        let (moments, uniform) = into.split_at_mut(self.moment.len() * self.history * self.area);
        let size = self.moment.len() * self.area;
        let mut written = 0;
        for (number, state) in states.take(self.history).enumerate() {
            let part = &mut moments[written..written + size];
            written += size;
            let uniform = if number == 0 { &mut *uniform } else { &mut [] };
            if rules.has_secrets() {
                let seen = rules.observe(state, Viewer::Player(viewer));
                self.write_seen(seen.known(), viewer, part, uniform);
                if let Some(at) = self.unseen {
                    let part = &mut part[at * self.area..(at + 1) * self.area];
                    seen.unseen().iter().for_each(|tile| part[self.cells[tile.index()]] = 1.0);
                }
            } else {
                self.write_seen(state, viewer, part, uniform);
            }
        }
        moments[written..].fill(0.0);
    }

    /// Writes what is seen of a position: the planes of the moment, and the uniform ones where there is
    /// room for them.
    fn write_seen(&self, state: &State, viewer: PlayerId, moment: &mut [f32], uniform: &mut [f32]) {
        let (view, words) = (self.game.rules().view(state), state.words());
        let mut moment = moment;
        for (plane, set) in self.moment.iter().zip(&self.sets) {
            let part;
            (part, moment) = moment.split_at_mut(self.area);
            match (*set, plane.shown) {
                (Words::Of(first, seat), _) => {
                    let owned = self.owners[self.seat_index(viewer.index(), seat)];
                    let owned = &words[owned..owned + self.width];
                    let of_kind = &words[first..first + self.width];
                    self.write_set(|at| owned[at] & of_kind[at], part);
                }
                (Words::All(first), _) => {
                    let set = &words[first..first + self.width];
                    self.write_set(|at| set[at], part);
                }
                (Words::None, Shown::Pieces(seat, kind)) => {
                    let player = self.player(viewer.index(), seat);
                    self.write_stacks(view, player, kind, part);
                }
                (Words::None, _) => part.fill(0.0),
            }
        }
        for (plane, part) in self.uniform.iter().zip(uniform.chunks_exact_mut(self.area.max(1))) {
            part.fill(self.value(view, viewer.index(), plane.shown));
        }
    }

    /// Writes how many pieces of a player and kind stand on each tile.
    fn write_stacks(&self, view: View<'_>, player: PlayerId, kind: KindId, part: &mut [f32]) {
        part.fill(0.0);
        let words = view.owned_words(player).iter().zip(view.kind_words(kind));
        for (at, (owned, of_kind)) in words.enumerate() {
            for tile in tiles_of(at, owned & of_kind) {
                part[self.cells[tile]] = view.count(self.tiles[tile], player, kind) as f32;
            }
        }
    }

    /// Writes 1 for each tile of a set, whose words are given by their places, and 0 elsewhere.
    fn write_set(&self, word: impl Fn(usize) -> u64, part: &mut [f32]) {
        for (runs, cells) in self.runs.iter().zip(part.chunks_mut(64)) {
            let mut bits = runs
                .iter()
                .fold(0, |bits, run| bits | (word(run.word) >> run.from & run.bits) << run.to);
            let (eights, rest) = cells.as_chunks_mut::<8>();
            for eight in eights {
                *eight = CELLS[usize::from(bits as u8)];
                bits >>= 8;
            }
            let last = &CELLS[usize::from(bits as u8)];
            rest.iter_mut().zip(last).for_each(|(cell, &is)| *cell = is);
        }
    }

    /// The number in all cells of a uniform plane.
    fn value(&self, view: View<'_>, viewer: usize, shown: Shown) -> f32 {
        match shown {
            Shown::Hand(seat, kind) => {
                view.hand(self.player(viewer, seat), kind) as f32 / self.supply[kind.index()]
            }
            Shown::Die(die) => {
                let sides = self.game.definition().dice[die.index()].sides;
                f32::from(view.die(die).unwrap_or(0)) / f32::from(sides.max(1))
            }
            Shown::Variable(variable, seat) => {
                let written = &self.game.definition().variables[variable.index()];
                let value = view.variable(variable, self.player(viewer, seat));
                let range = (written.max as f64 - written.min as f64).max(1.0);
                ((value as f64 - written.min as f64) / range) as f32
            }
            Shown::Mover(player) => f32::from(u8::from(player == view.player())),
            Shown::Pieces(..) | Shown::Flag(_) | Shown::Mark(_) | Shown::Unseen => 0.0,
        }
    }

    /// The player that many seats after the viewer.
    fn player(&self, viewer: usize, seat: usize) -> PlayerId {
        self.players[self.seat_index(viewer, seat)]
    }

    fn seat_index(&self, viewer: usize, seat: usize) -> usize {
        let (index, players) = (viewer + seat, self.players.len());
        if index < players { index } else { index - players }
    }
}

/// The indices of the tiles of one word of a set.
fn tiles_of(at: usize, word: u64) -> impl Iterator<Item = usize> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let tile = (rest != 0).then(|| at * 64 + rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        tile
    })
}

/// The cells of eight tiles of a set, by the byte that says which of them belong to it.
static CELLS: [[f32; 8]; 256] = {
    let mut cells = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < cells.len() {
        let mut bit = 0;
        while bit < 8 {
            cells[byte][bit] = (byte >> bit & 1) as f32;
            bit += 1;
        }
        byte += 1;
    }
    cells
};

/// The runs of tiles that have these cells of so many, for each 64 cells.
fn runs(cells: &[usize], area: usize) -> Vec<Vec<Run>> {
    let mut runs: Vec<Vec<Run>> = vec![Vec::new(); area.div_ceil(64)];
    for (tile, &cell) in cells.iter().enumerate() {
        let (word, from, to) = (tile / 64, (tile % 64) as u32, (cell % 64) as u32);
        let runs = &mut runs[cell / 64];
        let follows = |run: &&mut Run| {
            let len = run.bits.count_ones();
            run.word == word && (run.from + len, run.to + len) == (from, to)
        };
        match runs.last_mut().filter(follows) {
            Some(run) => run.bits = run.bits << 1 | 1,
            None => runs.push(Run { word, bits: 1, from, to }),
        }
    }
    runs
}

/// The cell of each tile, and the sizes of a plane.
fn cells(game: &Game) -> (Vec<usize>, Vec<usize>) {
    let Some(places) = game.rules().topology().coordinates() else {
        return ((0..game.tile_count()).collect(), vec![game.tile_count()]);
    };
    let least = |pick: fn(&(i32, i32)) -> i32| places.iter().map(pick).min().unwrap_or(0);
    let most = |pick: fn(&(i32, i32)) -> i32| places.iter().map(pick).max().unwrap_or(0);
    let (left, right) = (least(|place| place.0), most(|place| place.0));
    let (bottom, top) = (least(|place| place.1), most(|place| place.1));
    let (width, height) = ((right - left + 1) as usize, (top - bottom + 1) as usize);
    let cell = |&(x, y): &(i32, i32)| (top - y) as usize * width + (x - left) as usize;
    (places.iter().map(cell).collect(), vec![height, width])
}

/// The name of the player `seat` seats after the viewer.
fn seat_name(players: usize, seat: usize) -> String {
    match (seat, players) {
        (0, _) => "own".to_owned(),
        (_, 2) => "foe".to_owned(),
        _ => format!("next {seat}"),
    }
}

fn moment_planes(game: &Game) -> Vec<Plane> {
    let players = game.players().count();
    let plane = |name: String, shown| Plane { name, is_uniform: false, shown };
    let mut planes = Vec::new();
    for seat in 0..players {
        for kind in game.kinds() {
            let name = format!("{} {}", seat_name(players, seat), game.kind_name(kind));
            planes.push(plane(name, Shown::Pieces(seat, kind)));
        }
    }
    planes.extend(
        game.flags().map(|flag| plane(format!("flag {}", game.flag_name(flag)), Shown::Flag(flag))),
    );
    planes.extend(
        game.marks().map(|mark| plane(format!("mark {}", game.mark_name(mark)), Shown::Mark(mark))),
    );
    if game.rules().has_secrets() {
        planes.push(plane("unseen".to_owned(), Shown::Unseen));
    }
    planes
}

fn uniform_planes(game: &Game) -> Vec<Plane> {
    let players = game.players().count();
    let plane = |name: String, shown| Plane { name, is_uniform: true, shown };
    let mut planes = Vec::new();
    let space = game.rules().event_space();
    let enters = |kind: KindId| {
        let puts = |event: &Event| matches!(event, Event::Put { kind: put, .. } if *put == kind);
        game.definition().kinds[kind.index()].supply == Supply::Listed && space.iter().any(puts)
    };
    for seat in 0..players {
        for kind in game.kinds().filter(|&kind| enters(kind)) {
            let name = format!("{} {} in hand", seat_name(players, seat), game.kind_name(kind));
            planes.push(plane(name, Shown::Hand(seat, kind)));
        }
    }
    for die in game.dice() {
        planes.push(plane(format!("die {}", game.die_name(die)), Shown::Die(die)));
    }
    for variable in game.variables() {
        let name = game.variable_name(variable);
        if game.definition().variables[variable.index()].share == Share::Common {
            planes.push(plane(name.to_owned(), Shown::Variable(variable, 0)));
            continue;
        }
        for seat in 0..players {
            let name = format!("{} {name}", seat_name(players, seat));
            planes.push(plane(name, Shown::Variable(variable, seat)));
        }
    }
    for player in game.players() {
        let name = format!("{} to move", game.player_name(player));
        planes.push(plane(name, Shown::Mover(player)));
    }
    planes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_of_a_set_is_shown_in_its_cell_and_nowhere_else() {
        for name in crate::games() {
            let planes = Planes::of(&crate::load(name).expect(name), 1);
            for (tile, &cell) in planes.cells.iter().enumerate() {
                let mut part = vec![7.0; planes.area];
                let word = |at: usize| if at == tile / 64 { 1 << (tile % 64) } else { 0 };
                planes.write_set(word, &mut part);
                let shown = part.iter().enumerate();
                assert!(shown.into_iter().all(|(at, &is)| is == f32::from(u8::from(at == cell))));
            }
        }
    }
}
