//! The game's own ids for what the texts speak of, and positions as states.

use senet_core::notation::PositionError;
use senet_core::setup::Stand;
use senet_core::{DieId, Event, Game, KindId, PlayerId, Setup, State, TileId, VariableId};

use crate::play::{self, BAR, Hop, OFF};
use crate::position::{Cube, Half, Offer, Position, Side, Win};

/// A game of the family with its ids at hand.
pub(crate) struct Lexicon<'g> {
    pub(crate) game: &'g Game,
    players: [PlayerId; 2],
    checker: KindId,
    /// The points as White counts them.
    points: [TileId; 24],
    bars: [TileId; 2],
    offs: [TileId; 2],
    dice: [DieId; 4],
    /// How many checkers each side has.
    pub(crate) checkers: u8,
}

impl<'g> Lexicon<'g> {
    /// Looks the names of the definition up.
    ///
    /// # Panics
    /// If the game is none of the family.
    pub(crate) fn new(game: &'g Game) -> Lexicon<'g> {
        let tile = |name: &str| game.tile(name).expect("every game of the family has it");
        let player = |side: Side| game.player(side.name()).expect("white and black play");
        let players = Side::BOTH.map(player);
        let owned = |piece: &senet_core::PieceId| game.owner(*piece) == players[0];
        Lexicon {
            game,
            players,
            checker: game.kind("checker").expect("every piece is one"),
            points: std::array::from_fn(|point| tile(&format!("p{}", point + 1))),
            bars: Side::BOTH.map(|side| tile(&format!("{}-bar", side.name()))),
            offs: Side::BOTH.map(|side| tile(&format!("{}-off", side.name()))),
            dice: ["one", "two", "three", "four"].map(|die| game.die(die).expect("four dice")),
            checkers: game.pieces().filter(owned).count() as u8,
        }
    }

    /// The side of a player.
    pub(crate) fn side(&self, player: PlayerId) -> Side {
        if player == self.players[0] { Side::White } else { Side::Black }
    }

    /// The side to move or to answer.
    pub(crate) fn mover(&self, state: &State) -> Side {
        self.side(self.game.view(state).player())
    }

    /// The tile of a point as a side counts it, of its bar or of its tray.
    fn tile(&self, side: Side, number: u8) -> TileId {
        match (number, side) {
            (BAR, _) => self.bars[side.index()],
            (OFF, _) => self.offs[side.index()],
            (number, Side::White) => self.points[usize::from(number) - 1],
            (number, Side::Black) => self.points[24 - usize::from(number)],
        }
    }

    /// The number of a tile as a side counts it; none for a bar or tray of the other.
    fn number(&self, side: Side, tile: TileId) -> Option<u8> {
        (OFF..=BAR).find(|&number| self.tile(side, number) == tile)
    }

    /// What a side calls a tile: the number of a point, its own `bar` and `off`, and those of the
    /// other side with the name of that side.
    pub(crate) fn label(&self, side: Side, tile: TileId) -> Option<String> {
        let other = side.other();
        match self.number(side, tile) {
            Some(number) => Some(play::name(number)),
            None if tile == self.bars[other.index()] => Some(format!("{}'s bar", other.name())),
            None if tile == self.offs[other.index()] => Some(format!("{}'s off", other.name())),
            None => None,
        }
    }

    /// The step that an event is in a state, where it is one.
    pub(crate) fn hop(&self, state: &State, event: Event) -> Option<Hop> {
        let (Event::Advance { from, to, .. } | Event::Move { from, to, .. }) = event else {
            return None;
        };
        let side = self.mover(state);
        let foe = self.players[side.other().index()];
        let (from, number) = (self.number(side, from)?, self.number(side, to)?);
        let hit = number != OFF && self.game.view(state).count(to, foe, self.checker) > 0;
        Some(Hop { from, to: number, hit })
    }

    /// The step from a point to a point by a die.
    pub(crate) fn advance(&self, side: Side, (from, to): (u8, u8), pips: u8) -> Event {
        Event::Advance { from: self.tile(side, from), to: self.tile(side, to), pips }
    }

    /// What the dice show that are still to be played, the greatest first.
    pub(crate) fn faces(&self, state: &State) -> Vec<u8> {
        let view = self.game.view(state);
        self.dice.iter().filter_map(|&die| view.die(die)).collect()
    }

    fn variable(&self, name: &str) -> VariableId {
        self.game.variable(name).expect("every game of the family has it")
    }

    /// The value of a variable that both sides share.
    pub(crate) fn value(&self, state: &State, name: &str) -> i64 {
        self.value_of(state, name, Side::White)
    }

    /// The value of a variable that each side has.
    pub(crate) fn value_of(&self, state: &State, name: &str, side: Side) -> i64 {
        self.game.view(state).variable(self.variable(name), self.players[side.index()])
    }

    /// The position that a state is.
    pub(crate) fn position(&self, state: &State) -> Position {
        let view = self.game.view(state);
        let value = |name: &str| self.value(state, name);
        let half = |side: Side| {
            let count = |number: u8| {
                let player = self.players[side.index()];
                view.count(self.tile(side, number), player, self.checker) as u8
            };
            let points = std::array::from_fn(|point| count(point as u8 + 1));
            Half { points, bar: count(BAR), off: count(OFF) }
        };
        let mover = self.mover(state);
        let resigning = Win::of_factor(value("resigning") as u64);
        let (turn, offer) = match (value("offered"), resigning) {
            (_, Some(win)) => (mover.other(), Some(Offer::Resignation(mover.other(), win))),
            (1, None) => (mover.other(), Some(Offer::Double)),
            (2, None) => (mover, Some(Offer::Beaver)),
            (_, None) => (mover, None),
        };
        let (dice, left) = match self.faces(state)[..] {
            [] => (None, None),
            [one, two] if one != two => (Some([one, two]), None),
            [one, _, _, _] => (Some([one; 2]), None),
            [one, ..] => (Some([one; 2]), Some(self.faces(state).len() as u8)),
        };
        let owner = |side: &Side| self.value_of(state, "owns", *side) == 1;
        let won =
            |side: Side| Some((side, Win::of_factor(self.value_of(state, "wins", side) as u64)?));
        let power = |value: i64| value.max(1).ilog2() as u8;
        Position {
            halves: Side::BOTH.map(half),
            turn,
            dice,
            left,
            offer,
            cube: Cube {
                doublings: power(value("cube")),
                owner: Side::BOTH.into_iter().find(owner),
                most: power(value("limit")),
            },
            score: Side::BOTH.map(|side| self.value_of(state, "score", side) as u16),
            length: value("length") as u16,
            crawford: value("crawford") == 1,
            jacoby: value("jacoby") == 1,
            beavers: value("beavers") == 1,
            automatic: value("automatic") as u8,
            opening: value("opening") == 1,
            ties: value("ties") as u16,
            won: Side::BOTH.into_iter().find_map(won),
        }
    }

    /// The state that a position is, or why it is none of this game.
    pub(crate) fn state(&self, position: &Position) -> Result<State, PositionError> {
        let mut setup = Setup::empty(self.players[position.turn.index()]);
        for (side, half) in Side::BOTH.into_iter().zip(&position.halves) {
            let points = half.points.iter().zip(1..).map(|(&count, number)| (number, count));
            for (number, count) in points.chain([(BAR, half.bar), (OFF, half.off)]) {
                let (tile, owner) = (self.tile(side, number), self.players[side.index()]);
                let stand = Stand { tile, owner, kind: self.checker, flags: 0, piece: None };
                setup.pieces.extend(std::iter::repeat_n(stand, count.into()));
            }
        }
        let other = self.players[position.turn.other().index()];
        let (mut offered, mut resigning) = (0, 0);
        match position.offer {
            Some(Offer::Double) => (offered, setup.player) = (1, other),
            Some(Offer::Beaver) => offered = 2,
            Some(Offer::Resignation(side, win)) => {
                resigning = win.factor().into();
                setup.player = self.players[side.other().index()];
            }
            Some(Offer::Raccoon) => return Err(refused("raccoon", RACCOON)),
            None => {}
        }
        if let Some([one, two]) = position.dice {
            let count = match position.left {
                Some(left) => left,
                None if one == two => 4,
                None => 2,
            };
            let faces = [one.max(two), one.min(two), one, one];
            let shown = self.dice.iter().copied().zip(faces).take(count.into());
            setup.dice = shown.collect();
        }
        let Position { length, crawford, jacoby, beavers, automatic, opening, ties, .. } =
            *position;
        let Cube { doublings, owner, most } = position.cube;
        let shared = [
            ("length", length.into()),
            ("cube", 1 << doublings),
            ("limit", 1 << most),
            ("offered", offered),
            ("resigning", resigning),
            ("crawford", crawford.into()),
            ("jacoby", jacoby.into()),
            ("beavers", beavers.into()),
            ("automatic", automatic.into()),
            ("opening", opening.into()),
            ("ties", ties.into()),
        ];
        for (name, value) in shared {
            setup.variables.push((self.variable(name), self.players[0], value));
        }
        for side in Side::BOTH {
            let won = position.won.filter(|(winner, _)| *winner == side);
            let own = [
                ("score", position.score[side.index()].into()),
                ("owns", (owner == Some(side)).into()),
                ("wins", won.map_or(0, |(_, win)| win.factor().into())),
            ];
            for (name, value) in own {
                setup.variables.push((self.variable(name), self.players[side.index()], value));
            }
        }
        let state = self.game.state(&setup);
        state.map_err(|errors| PositionError::of_setup(self.game, &errors))
    }
}

const RACCOON: &str =
    "a raccoon is not supported: expected a double or a beaver that waits for its answer";

fn refused(kind: &str, message: &str) -> PositionError {
    let (kind, message) = (kind.to_owned(), message.to_owned());
    PositionError {
        reasons: vec![senet_core::notation::PositionReason { kind, message, at: None }],
    }
}
