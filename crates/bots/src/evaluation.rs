//! What a position looks to be worth: pieces, where they stand and what they attack.

use senet_core::written::{KindWeight, Weights};
use senet_core::{Game, KindId, PlayerId, State, TileId, VariableId, View};

/// What a win that counts one is worth.
pub const WIN: i32 = 30_000;

/// No position looks better than this, so that a real win always counts more.
const LOOKS: i32 = WIN - 2_000;

/// What a piece counts of which nothing is said.
const WORTH: i32 = 100;

/// Weights with ids instead of names.
pub struct Evaluation {
    /// By kind.
    worth: Vec<i32>,
    /// By player, kind and tile: while all is there, and when nothing is left.
    early: Vec<i32>,
    late: Vec<i32>,
    /// By player, kind and tile: one piece alone, and several. Empty where nothing is said.
    single: Vec<i32>,
    several: Vec<i32>,
    tiles: usize,
    kinds: usize,
    mobility: i32,
    tempo: i32,
    swing: i32,
    /// How many times a win counts.
    stake: Option<VariableId>,
    /// What all pieces at the start count, royal ones left out.
    full: i32,
    /// Whether any tile holds many pieces.
    stacks: bool,
    tapered: bool,
}

impl Evaluation {
    /// The evaluation of a game by its weights, or by its pieces alone.
    pub fn new(game: &Game) -> Evaluation {
        let default = Weights { mobility: 2, ..Weights::default() };
        let weights = game.definition().weights.as_ref().unwrap_or(&default);
        let (tiles, kinds) = (game.tile_count(), game.kinds().count());
        let late = |kind: &KindWeight| kind.late.is_empty();
        let mut evaluation = Evaluation {
            worth: game.kinds().map(|kind| worth(game, weights, kind)).collect(),
            early: spread(game, weights, |kind| &kind.early),
            late: spread(game, weights, |kind| if late(kind) { &kind.early } else { &kind.late }),
            single: spread(game, weights, |kind| &kind.single),
            several: spread(game, weights, |kind| &kind.several),
            tiles,
            kinds,
            mobility: weights.mobility,
            tempo: weights.tempo,
            stake: weights.stake.as_ref().and_then(|name| game.variable(name)),
            swing: weights.swing.unwrap_or(300).max(1),
            full: 0,
            stacks: game.tiles().any(|tile| game.stacks(tile)),
            tapered: weights.kinds.iter().any(|kind| !kind.late.is_empty()),
        };
        evaluation.full = evaluation.mass(game, game.view(&game.start())).max(1);
        evaluation
    }

    /// What a piece of a kind counts.
    pub(crate) fn worth(&self, kind: KindId) -> i32 {
        self.worth[kind.index()]
    }

    /// The lead at which a win is three times as likely as a loss.
    pub(crate) fn swing(&self) -> i32 {
        self.swing
    }

    /// What the position looks to be worth to a side, given who belongs to it.
    pub fn value(&self, game: &Game, state: &State, ours: &[bool]) -> i32 {
        let view = game.view(state);
        let mut sums = [0i64; 2];
        for player in game.seats() {
            let mut sum = i64::from(self.pieces(game, view, player));
            if self.mobility != 0 {
                let attacked = game.threats(state, player).len() as i64;
                sum += i64::from(self.mobility) * attacked;
            }
            if view.seat() == player {
                sum += i64::from(self.tempo);
            }
            sums[usize::from(ours[view.holder(player).index()])] += sum;
        }
        let friends = ours.iter().filter(|ours| **ours).count().max(1) as i64;
        let foes = (game.seats().count() as i64 - friends).max(1);
        let lead = sums[1] / friends - sums[0] / foes;
        let lead = lead.clamp(-i64::from(LOOKS), i64::from(LOOKS));
        let times = self.stake.map_or(1, |stake| view.variable(stake, view.seat()));
        (lead * times.clamp(1, 1000)) as i32
    }

    /// What the pieces of a player count.
    fn pieces(&self, game: &Game, view: View<'_>, player: PlayerId) -> i32 {
        let (mut early, mut late) = (0, 0);
        let owned = view.owned(player);
        for kind in game.kinds() {
            let worth = self.worth[kind.index()];
            for tile in (owned & view.of_kind(kind)).iter() {
                let count = if self.stacks { view.count(tile, player, kind) as i32 } else { 1 };
                let at = self.at(player, kind, tile);
                let stack = self.stack(at, count);
                early += count * (worth + self.early[at]) + stack;
                late += count * (worth + self.late[at]) + stack;
            }
        }
        if !self.tapered || early == late {
            return early;
        }
        let share = i64::from(self.mass(game, view).min(self.full));
        let full = i64::from(self.full);
        ((i64::from(early) * share + i64::from(late) * (full - share)) / full) as i32
    }

    fn stack(&self, at: usize, count: i32) -> i32 {
        let table = if count == 1 { &self.single } else { &self.several };
        if count > 0 { table.get(at).copied().unwrap_or(0) } else { 0 }
    }

    fn at(&self, player: PlayerId, kind: KindId, tile: TileId) -> usize {
        (player.index() * self.kinds + kind.index()) * self.tiles + tile.index()
    }

    /// What all pieces on the board count, wherever they stand.
    fn mass(&self, game: &Game, view: View<'_>) -> i32 {
        let kinds = game.kinds().filter(|kind| self.worth[kind.index()] != 0);
        kinds.map(|kind| self.worth[kind.index()] * view.of_kind(kind).len() as i32).sum()
    }
}

/// What a piece of a kind counts: as the weights say, else as its attribute, else as any.
fn worth(game: &Game, weights: &Weights, kind: KindId) -> i32 {
    let written = &game.definition().kinds[kind.index()];
    let given = of_kind(weights, &written.name).and_then(|weight| weight.worth);
    let attribute = written.attributes.iter().find(|attribute| attribute.name == "worth");
    let attribute = attribute.and_then(|attribute| i32::try_from(attribute.value).ok());
    given.or(attribute).unwrap_or(if written.royal { 0 } else { WORTH }).clamp(-LOOKS, LOOKS)
}

fn of_kind<'w>(weights: &'w Weights, kind: &str) -> Option<&'w KindWeight> {
    weights.kinds.iter().find(|weight| weight.kind == kind)
}

/// A table of the weights by player, kind and tile.
fn spread(game: &Game, weights: &Weights, table: impl Fn(&KindWeight) -> &[i32]) -> Vec<i32> {
    let (tiles, kinds) = (game.tile_count(), game.kinds().count());
    let mut all = vec![0; game.players().count() * kinds * tiles];
    for player in game.players() {
        let name = game.player_name(player);
        let Some(seen) = weights.views.iter().find(|view| view.player == name) else { continue };
        for kind in game.kinds() {
            let Some(weight) = of_kind(weights, game.kind_name(kind)) else { continue };
            for (tile, value) in seen.tiles.iter().zip(table(weight)) {
                let tile = game.tile(tile).expect("checked when the game was compiled").index();
                all[(player.index() * kinds + kind.index()) * tiles + tile] = *value;
            }
        }
    }
    all
}
