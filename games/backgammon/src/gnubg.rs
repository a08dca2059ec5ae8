//! Positions as GNU Backgammon writes them: a position ID of 14 letters and a match ID of 12.
//!
//! The position ID has a bit for each checker and a zero after each point: the points of the side
//! that is not on roll from its ace point to its bar, then those of the side on roll. The match ID
//! has cube, dice, offers and score. Both are little numbers first, in letters of six bits.
//! `gnubg`'s player 1, X, is White here, and its player 0, O, is Black.

use senet_core::notation::{PositionError, excerpt, expected};

use crate::position::{Cube, Faults, Offer, Position, Side, Win};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn strip_prefix(text: &str) -> &str {
    let prefix = ["gnubgid=", "GNUBGID=", "GNUBgID=", "GNU ID: ", "GNUID=", "gnubgid "];
    prefix.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text).trim()
}

/// Reads a position with `checkers` checkers a side, or lists every reason why the text is not one.
pub fn parse(text: &str, checkers: u8) -> Result<Position, PositionError> {
    let mut faults = Faults::default();
    let mut position = Position::empty();
    let ids = strip_prefix(text.trim());
    let at = |part: &str| (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let mut words = ids.split(|letter: char| letter == ':' || letter.is_whitespace());
    let mut words = words.by_ref().filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("");
    if let Some(second) = words.next() {
        match decode::<9>(second) {
            Some(key) => read_match(key, (at(second), second), &mut position, &mut faults),
            None => damaged(&mut faults, at(second), second, "a match ID of 12 letters"),
        }
    }
    if let Some(extra) = words.next() {
        let message =
            format!("expected a position ID and a match ID, found also `{}`", excerpt(extra));
        faults.add(Some(at(extra)), "extra field", message);
    }
    match decode::<10>(first).and_then(read_board) {
        Some([other, own]) => {
            position.half_mut(position.turn).set(own);
            position.half_mut(position.turn.other()).set(other);
        }
        None => damaged(&mut faults, at(first), first, "a position ID of 14 letters"),
    }
    if faults.0.is_empty() {
        position.bear_off_the_rest(checkers);
        position.check(checkers, &mut faults);
        position.find_winner();
    }
    faults.finish(position)
}

fn damaged(faults: &mut Faults, at: usize, found: &str, allowed: &str) {
    let message = expected(allowed, &excerpt(found));
    faults.add(Some(at), "damaged id", message);
}

impl crate::position::Half {
    /// Takes the counts of a position ID: the points, then the bar.
    fn set(&mut self, counts: [u8; 25]) {
        self.points.copy_from_slice(&counts[..24]);
        self.bar = counts[24];
    }

    fn counts(&self) -> [u8; 25] {
        std::array::from_fn(|point| if point < 24 { self.points[point] } else { self.bar })
    }
}

/// The bytes that base64 letters stand for; none if there are not exactly `N` of them, or if unused
/// bits are set.
fn decode<const N: usize>(word: &str) -> Option<[u8; N]> {
    let word = word.trim_end_matches('=').as_bytes();
    if word.len() != (N * 8).div_ceil(6) {
        return None;
    }
    let mut bytes = [0; N];
    let mut spare = 0;
    for (index, letter) in word.iter().enumerate() {
        let value = LETTERS.iter().position(|known| known == letter)?;
        for bit in 0..6 {
            let at = index * 6 + bit;
            let set = (value >> (5 - bit)) as u8 & 1;
            match bytes.get_mut(at / 8) {
                Some(byte) => *byte |= set << (7 - at % 8),
                None => spare |= set,
            }
        }
    }
    (spare == 0).then_some(bytes)
}

fn encode(bytes: &[u8]) -> String {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let letter = |index: usize| {
        let value = (0..6).fold(0, |value, at| value << 1 | bit(index * 6 + at));
        char::from(LETTERS[usize::from(value)])
    };
    (0..(bytes.len() * 8).div_ceil(6)).map(letter).collect()
}

/// The counts of both sides, that on roll last; none if the bits do not come out even.
fn read_board(key: [u8; 10]) -> Option<[[u8; 25]; 2]> {
    let mut bits = (0..80).map(|at| key[at / 8] >> (at % 8) & 1 == 1);
    let mut counts = [[0; 25]; 2];
    for count in counts.iter_mut().flatten() {
        while bits.next()? {
            *count += 1;
        }
    }
    // What comes after the last bar is nothing.
    bits.all(|bit| !bit).then_some(counts)
}

/// The numbers of a match ID, the lowest bits first.
struct Bits {
    key: u128,
    at: u32,
}

impl Bits {
    fn take(&mut self, width: u32) -> u16 {
        let value = self.key >> self.at & ((1 << width) - 1);
        self.at += width;
        value as u16
    }

    fn put(&mut self, width: u32, value: u16) {
        self.key |= (u128::from(value) & ((1 << width) - 1)) << self.at;
        self.at += width;
    }
}

/// The side that a bit of `gnubg` means.
fn side(bit: u16) -> Side {
    if bit == 1 { Side::White } else { Side::Black }
}

fn bit(side: Side) -> u16 {
    u16::from(side == Side::White)
}

fn read_match(
    key: [u8; 9],
    (at, word): (usize, &str),
    position: &mut Position,
    faults: &mut Faults,
) {
    let mut bytes = [0; 16];
    bytes[..9].copy_from_slice(&key);
    let mut bits = Bits { key: u128::from_le_bytes(bytes), at: 0 };
    let mut wrong = |kind: &str, what: String| {
        let message = format!("in the match ID `{}` {what}", excerpt(word));
        faults.add(Some(at), kind, message);
    };
    position.cube.doublings = bits.take(4) as u8;
    position.cube.owner = match bits.take(2) {
        3 => None,
        2 => {
            wrong("bad cube owner", "the cube owner is 2, but must be 0, 1 or 3".to_owned());
            None
        }
        owner => Some(side(owner)),
    };
    position.turn = side(bits.take(1));
    position.crawford = bits.take(1) == 1;
    let playing = bits.take(3);
    if playing > 2 {
        wrong("game over", format!("the game state is {playing}, but must be 0 to 2"));
    }
    let decides = side(bits.take(1));
    let doubled = bits.take(1) == 1;
    let resigned = bits.take(2);
    let dice = [bits.take(3), bits.take(3)];
    match dice {
        [0, 0] => {}
        [1..=6, 1..=6] => position.dice = Some(dice.map(|die| die as u8)),
        [one, two] => {
            wrong("bad die", format!("the dice show {one} and {two}, but a die shows 1 to 6"));
        }
    }
    position.length = bits.take(15);
    let scores = [bits.take(15), bits.take(15)];
    position.score = [scores[usize::from(bit(Side::White))], scores[usize::from(bit(Side::Black))]];
    let no_jacoby = bits.take(1) == 1;
    position.jacoby = position.length == 0 && !no_jacoby;
    position.offer = match Win::of_factor(resigned.into()) {
        Some(win) => Some(Offer::Resignation(decides.other(), win)),
        None if !doubled => None,
        // A beaver comes back to who doubled; a raccoon goes to who beavered and has the cube.
        None if decides == position.turn => Some(Offer::Beaver),
        None if position.cube.owner == Some(decides) => Some(Offer::Raccoon),
        None => Some(Offer::Double),
    };
    position.cube.most = Cube::MOST.max(position.cube.doublings);
}

/// The position ID: checkers alone, as the side on roll sees them.
pub fn position_id(position: &Position) -> String {
    let halves = [position.turn.other(), position.turn].map(|side| position.half(side).counts());
    let mut key = [0u8; 10];
    let mut at = 0;
    for count in halves.into_iter().flatten() {
        for _ in 0..count {
            if let Some(byte) = key.get_mut(at / 8) {
                *byte |= 1 << (at % 8);
            }
            at += 1;
        }
        at += 1;
    }
    encode(&key)
}

/// The match ID: cube, dice, offers and score.
pub fn match_id(position: &Position) -> String {
    let mut bits = Bits { key: 0, at: 0 };
    let decides = match position.offer {
        Some(Offer::Double | Offer::Raccoon) => position.turn.other(),
        Some(Offer::Resignation(side, _)) => side.other(),
        Some(Offer::Beaver) | None => position.turn,
    };
    let resigned = match position.offer {
        Some(Offer::Resignation(_, win)) => win.factor() as u16,
        _ => 0,
    };
    let doubled = matches!(position.offer, Some(Offer::Double | Offer::Beaver | Offer::Raccoon));
    let [white, black] = position.score;
    let dice = position.dice.unwrap_or([0, 0]);
    let fields: [(u32, u16); 14] = [
        (4, position.cube.doublings.into()),
        (2, position.cube.owner.map_or(3, bit)),
        (1, bit(position.turn)),
        (1, position.crawford.into()),
        (3, if position.won.is_some() { 2 } else { 1 }),
        (1, bit(decides)),
        (1, doubled.into()),
        (2, resigned),
        (3, dice[0].into()),
        (3, dice[1].into()),
        (15, position.length),
        (15, black),
        (15, white),
        (1, (!position.jacoby).into()),
    ];
    for (width, value) in fields {
        bits.put(width, value);
    }
    encode(&bits.key.to_le_bytes()[..9])
}

/// Writes a position: both IDs. Beavers and the highest cube have no room in them.
pub fn format(position: &Position) -> String {
    format!("{}:{}", position_id(position), match_id(position))
}
