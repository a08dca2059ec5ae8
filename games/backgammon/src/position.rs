//! A moment of a match as the texts of other programs have it: checkers, cube, dice and score.
//! Every text is read into a [`Position`] and written from one.

use senet_core::notation::{PositionError, PositionReason};

/// One of the two who play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first player: X of gnubg, the capital letters of an XGID.
    White,
    /// The second player.
    Black,
}

impl Side {
    /// Both, in their order.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The one against whom this one plays.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| side.name() == name)
    }

    /// The place of this one in a list of both.
    pub fn index(self) -> usize {
        match self {
            Side::White => 0,
            Side::Black => 1,
        }
    }
}

/// The checkers of one side, the points numbered as that side counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Half {
    /// Those on each point, the ace point first.
    pub points: [u8; 24],
    /// Those on the bar.
    pub bar: u8,
    /// Those borne off.
    pub off: u8,
}

impl Half {
    /// Those that are not borne off.
    pub fn on_board(&self) -> u32 {
        self.points.iter().map(|&count| u32::from(count)).sum::<u32>() + u32::from(self.bar)
    }

    /// How far they all have to go, in pips.
    pub fn pips(&self) -> u32 {
        let points = self.points.iter().zip(1..).map(|(&count, point)| u32::from(count) * point);
        points.sum::<u32>() + 25 * u32::from(self.bar)
    }
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cube {
    /// How often the stakes were doubled; the cube shows two to this power.
    pub doublings: u8,
    /// Who may double next; both where it is in the middle.
    pub owner: Option<Side>,
    /// How often the stakes may be doubled at most.
    pub most: u8,
}

impl Cube {
    /// The most doublings, unless the position says otherwise.
    pub const MOST: u8 = 10;

    /// What the cube shows.
    pub fn value(&self) -> u64 {
        1 << self.doublings.min(63)
    }
}

impl Default for Cube {
    fn default() -> Cube {
        Cube { doublings: 0, owner: None, most: Cube::MOST }
    }
}

/// What was offered and waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// The player on roll doubled.
    Double,
    /// The other one doubled again at once, and keeps the cube.
    Beaver,
    /// The player on roll doubled once more, and keeps the cube.
    Raccoon,
    /// The player named gives the game up for a win of this size.
    Resignation(Side, Win),
}

/// How much a win counts, before the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Win {
    /// Once.
    Single,
    /// Twice: the loser bore nothing off.
    Gammon,
    /// Three times: and has a checker on the bar or in the winner's home.
    Backgammon,
}

impl Win {
    /// All of them, the smallest first.
    pub const ALL: [Win; 3] = [Win::Single, Win::Gammon, Win::Backgammon];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Win::Single => "single",
            Win::Gammon => "gammon",
            Win::Backgammon => "backgammon",
        }
    }

    /// The win that counts so often.
    pub(crate) fn of_factor(factor: u64) -> Option<Win> {
        Win::ALL.into_iter().find(|win| u64::from(win.factor()) == factor)
    }

    pub(crate) fn named(name: &str) -> Option<Win> {
        Win::ALL.into_iter().find(|win| win.name() == name)
    }

    /// How often it counts.
    pub fn factor(self) -> u32 {
        match self {
            Win::Single => 1,
            Win::Gammon => 2,
            Win::Backgammon => 3,
        }
    }
}

/// A moment of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The checkers of both sides, in the order of [`Side::BOTH`].
    pub halves: [Half; 2],
    /// Who is on roll, rolled or is to play.
    pub turn: Side,
    /// What was rolled.
    pub dice: Option<[u8; 2]>,
    /// How many dice are left, all alike, where some are played already.
    pub left: Option<u8>,
    /// What waits for an answer.
    pub offer: Option<Offer>,
    /// The cube.
    pub cube: Cube,
    /// The points of both sides.
    pub score: [u16; 2],
    /// To how many points the match is played; 0 is money play.
    pub length: u16,
    /// Whether this is the one game of a match without the cube.
    pub crawford: bool,
    /// Whether gammons count only once the cube was turned.
    pub jacoby: bool,
    /// Whether a double may be answered by doubling again.
    pub beavers: bool,
    /// How many equal opening rolls double the cube.
    pub automatic: u8,
    /// Whether the opening roll is still to come.
    pub opening: bool,
    /// How many equal opening rolls there were.
    pub ties: u16,
    /// Who has won, and how, once the game is over.
    pub won: Option<(Side, Win)>,
}

impl Position {
    /// An empty board of money play with White on roll.
    pub fn empty() -> Position {
        Position {
            halves: [Half::default(); 2],
            turn: Side::White,
            dice: None,
            left: None,
            offer: None,
            cube: Cube::default(),
            score: [0; 2],
            length: 0,
            crawford: false,
            jacoby: false,
            beavers: false,
            automatic: 0,
            opening: false,
            ties: 0,
            won: None,
        }
    }

    /// The checkers of a side.
    pub fn half(&self, side: Side) -> &Half {
        &self.halves[side.index()]
    }

    /// The checkers of a side, to be changed.
    pub fn half_mut(&mut self, side: Side) -> &mut Half {
        &mut self.halves[side.index()]
    }

    /// The signed counts of the points as a side sees them: its own above zero, its ace point
    /// first.
    pub fn points_of(&self, side: Side) -> [i8; 24] {
        let (own, other) = (self.half(side), self.half(side.other()));
        std::array::from_fn(|point| own.points[point] as i8 - other.points[23 - point] as i8)
    }
}

/// What is wrong with a text, collected.
#[derive(Default)]
pub(crate) struct Faults(pub(crate) Vec<PositionReason>);

/// After this many mistakes the rest is not told.
const ENOUGH: usize = 32;

impl Faults {
    /// Something wrong at a byte of the text, or with the whole.
    pub(crate) fn add(&mut self, at: Option<usize>, kind: &str, message: String) {
        if self.0.len() < ENOUGH {
            let message = match at {
                Some(at) => format!("at byte {at}: {message}"),
                None => message,
            };
            self.0.push(PositionReason { kind: kind.to_owned(), message, at });
        }
    }

    /// The value, or all that is wrong.
    pub(crate) fn finish<T>(self, value: T) -> Result<T, PositionError> {
        if self.0.is_empty() { Ok(value) } else { Err(PositionError { reasons: self.0 }) }
    }
}

/// A sum of counts that cannot overflow, whatever was read.
fn total(half: &Half) -> u32 {
    half.on_board() + u32::from(half.off)
}

impl Position {
    /// Bears off those of `checkers` checkers that are not on the board. Where there are more,
    /// [`Position::check`] reports it.
    pub(crate) fn bear_off_the_rest(&mut self, checkers: u8) {
        for half in &mut self.halves {
            half.off = u32::from(checkers).saturating_sub(half.on_board()) as u8;
        }
    }

    /// Says who has won where every checker of a side is borne off and nothing else is said.
    pub(crate) fn find_winner(&mut self) {
        let over = |side: &Side| self.half(*side).on_board() == 0;
        let Some(side) = Side::BOTH.into_iter().find(over).filter(|_| self.won.is_none()) else {
            return;
        };
        let loser = self.half(side.other());
        let caught = loser.bar > 0 || loser.points[18..].iter().any(|&count| count > 0);
        let plain = self.jacoby && self.length == 0 && self.cube.owner.is_none();
        let win = match loser.off {
            0 if plain => Win::Single,
            0 if caught => Win::Backgammon,
            0 => Win::Gammon,
            _ => Win::Single,
        };
        self.won = Some((side, win));
    }

    /// Finds everything that is impossible in a game with `checkers` checkers a side.
    pub(crate) fn check(&self, checkers: u8, faults: &mut Faults) {
        for (side, half) in Side::BOTH.into_iter().zip(&self.halves) {
            let (found, allowed) = (total(half), u32::from(checkers));
            if found != allowed {
                let kind = if found > allowed { "too many checkers" } else { "too few checkers" };
                let who = side.name();
                faults.add(
                    None,
                    kind,
                    format!("{who} has {found} checkers, but must have {allowed}"),
                );
            }
        }
        for point in 0..24 {
            let own = self.half(Side::White).points[point];
            let other = self.half(Side::Black).points[23 - point];
            if own > 0 && other > 0 {
                let message = format!(
                    "point {} of white holds {own} of white and {other} of black, but a point holds one side",
                    point + 1
                );
                faults.add(None, "both sides on a point", message);
            }
        }
        if self.halves.iter().all(|half| half.on_board() == 0) {
            let message = "both sides have borne off every checker, but only one can";
            faults.add(None, "both sides off", message.to_owned());
        }
        self.check_match(faults);
    }

    fn check_match(&self, faults: &mut Faults) {
        for (side, &score) in Side::BOTH.into_iter().zip(&self.score) {
            if self.length > 0 && score >= self.length && self.won.is_none() {
                let (who, length) = (side.name(), self.length);
                let most = length - 1;
                let message = format!(
                    "{who} has {score} points of a match to {length}, but must have 0 to {most}"
                );
                faults.add(None, "bad score", message);
            }
        }
        let near = self
            .score
            .iter()
            .filter(|&&score| u32::from(score) + 1 == u32::from(self.length))
            .count();
        if self.crawford && near != 1 && self.won.is_none() {
            let message = format!(
                "the crawford game at {} to {} of {}, but it is played only when exactly one side needs one point",
                self.score[0], self.score[1], self.length
            );
            faults.add(None, "impossible crawford game", message);
        }
        if self.cube.doublings > self.cube.most {
            let (value, most) = (self.cube.value(), 1u64 << self.cube.most.min(63));
            let message = format!("the cube shows {value}, but at most {most} is allowed");
            faults.add(None, "bad cube", message);
        }
        for &die in self.dice.iter().flatten() {
            if !(1..=6).contains(&die) {
                faults.add(None, "bad die", format!("a die shows {die}, but must show 1 to 6"));
            }
        }
    }
}
