//! Positions as XGID, the text of eXtreme Gammon.
//!
//! Ten fields with colons between them: 26 letters for the bar of Black, the points as White
//! counts them and the bar of White; the power of the cube; its owner; who is on roll; the dice or
//! an offer; both scores; Crawford in a match, Jacoby and beavers in money play; the length; the
//! highest power of the cube. The name before it may be left out, and so may the last field.
//!
//! Words after it say what an XGID has no room for: `opening` before the opening roll and `ties=1`
//! after an equal one, `left=3` where three dice of a double are left (one die that is left is `30`
//! in its field), `resign=gammon` where that is offered, `automatic=1` for equal opening rolls that
//! double the cube, `jacoby` and `beavers` in a match, and `won=white,gammon` once a game is over.

use senet_core::notation::{PositionError, excerpt, expected};

use crate::position::{Cube, Faults, Offer, Position, Side, Win};

const PREFIX: &str = "XGID=";

/// The longest match that any text has room for.
const LONGEST: u16 = (1 << 15) - 1;

/// Whether a text is meant to be an XGID.
pub(crate) fn is_meant(text: &str) -> bool {
    strip_prefix(text).is_some()
        || text.contains(':') && text.split(':').next().is_some_and(is_board)
}

fn is_board(word: &str) -> bool {
    word.len() == 26 && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphabetic())
}

/// The text after the name of the form.
fn strip_prefix(text: &str) -> Option<&str> {
    let head = text.get(..PREFIX.len())?;
    head.eq_ignore_ascii_case(PREFIX).then(|| &text[PREFIX.len()..])
}

/// Reads a position with `checkers` checkers a side, or lists every reason why the text is not one.
pub fn parse(text: &str, checkers: u8) -> Result<Position, PositionError> {
    let mut reader = Reader { text, faults: Faults::default(), position: Position::empty() };
    let id = strip_prefix(text.trim()).unwrap_or(text.trim());
    let (id, words) = id.split_once(char::is_whitespace).unwrap_or((id, ""));
    reader.read(id);
    words.split_whitespace().for_each(|word| reader.word(word));
    let Reader { mut faults, mut position, .. } = reader;
    if faults.0.is_empty() {
        position.bear_off_the_rest(checkers);
        position.check(checkers, &mut faults);
        position.find_winner();
    }
    faults.finish(position)
}

struct Reader<'t> {
    text: &'t str,
    faults: Faults,
    position: Position,
}

/// The fields, in order.
const FIELDS: [&str; 10] = [
    "the checkers",
    "the power of the cube",
    "the owner of the cube",
    "the player on roll",
    "the dice",
    "the points of white",
    "the points of black",
    "the rules",
    "the length of the match",
    "the highest power of the cube",
];

impl Reader<'_> {
    fn wrong(&mut self, part: &str, kind: &str, allowed: &str) {
        let at = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let message = expected(allowed, &excerpt(part));
        self.faults.add(Some(at), kind, message);
    }

    fn read(&mut self, text: &str) {
        let fields: Vec<&str> = text.split(':').take(FIELDS.len() + 1).collect();
        let needed = FIELDS.iter().enumerate().take(FIELDS.len() - 1);
        for (index, missing) in needed.skip(fields.len()) {
            let message = format!("field {} of 10 is missing: {missing}", index + 1);
            self.faults.add(Some(self.text.len()), "missing field", message);
        }
        if let Some(extra) = fields.get(FIELDS.len()) {
            self.wrong(extra, "extra field", "10 fields");
        }
        let field = |index: usize| fields.get(index).map(|field| field.trim());
        if let Some(board) = field(0) {
            self.board(board);
        }
        if let Some(most) = field(9) {
            self.position.cube.most = self.number(most, "bad cube", 15) as u8;
        }
        if let Some(power) = field(1) {
            let most = u16::from(self.position.cube.most);
            self.position.cube.doublings = self.number(power, "bad cube", most) as u8;
        }
        if let Some(owner) = field(2) {
            match side(owner) {
                _ if owner == "0" => {}
                Some(side) => self.position.cube.owner = Some(side),
                None => self.wrong(owner, "bad cube owner", "1, 0 or -1"),
            }
        }
        match field(3).map(|turn| (turn, side(turn))) {
            Some((_, Some(side))) => self.position.turn = side,
            Some((turn, None)) => self.wrong(turn, "bad turn", "1 or -1"),
            None => {}
        }
        if let Some(dice) = field(4) {
            self.dice(dice);
        }
        for (index, side) in Side::BOTH.into_iter().enumerate() {
            if let Some(score) = field(5 + index) {
                self.position.score[side.index()] = self.number(score, "bad score", LONGEST);
            }
        }
        if let Some(length) = field(8) {
            self.position.length = self.number(length, "bad match length", LONGEST);
        }
        if let Some(rules) = field(7) {
            self.rules(rules);
        }
    }

    fn board(&mut self, word: &str) {
        if word.chars().count() != 26 {
            return self.wrong(word, "wrong number of points", "26 letters or dashes");
        }
        for ((at, letter), place) in word.char_indices().zip(0..) {
            let part = &word[at..at + letter.len_utf8()];
            let (side, first) = match letter {
                '-' => continue,
                'A'..='P' => (Side::White, b'A'),
                'a'..='p' => (Side::Black, b'a'),
                _ => {
                    self.wrong(part, "unknown letter", "- or a letter from A to P, large or small");
                    continue;
                }
            };
            let count = letter as u8 - first + 1;
            // Whose bar a place is, and which point of its own a side has there.
            match (place, side) {
                (0, Side::Black) | (25, Side::White) => self.position.half_mut(side).bar = count,
                (0, _) => self.wrong(part, "wrong side on the bar", "- or a small letter"),
                (25, _) => self.wrong(part, "wrong side on the bar", "- or a capital letter"),
                (point, Side::White) => self.position.half_mut(side).points[point - 1] = count,
                (point, Side::Black) => self.position.half_mut(side).points[24 - point] = count,
            }
        }
    }

    /// Reads a number from 0 to a most; 0 where it is none.
    fn number(&mut self, word: &str, kind: &str, most: u16) -> u16 {
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let value = word.parse().ok().filter(|value| digits && *value <= most);
        if value.is_none() {
            self.wrong(word, kind, &format!("a number from 0 to {most}"));
        }
        value.unwrap_or(0)
    }

    fn dice(&mut self, word: &str) {
        match word.as_bytes() {
            b"00" | b"0" => {}
            b"D" | b"d" => self.position.offer = Some(Offer::Double),
            b"B" | b"b" => self.position.offer = Some(Offer::Beaver),
            b"R" | b"r" => self.position.offer = Some(Offer::Raccoon),
            [one @ b'1'..=b'6', two @ b'1'..=b'6'] => {
                self.position.dice = Some([one - b'0', two - b'0']);
            }
            [one @ b'1'..=b'6', b'0'] => {
                self.position.dice = Some([one - b'0'; 2]);
                self.position.left = Some(1);
            }
            _ => {
                let allowed = "two numbers from 1 to 6, 00 before the roll, D, B or R";
                self.wrong(word, "bad die", allowed);
            }
        }
    }

    /// Reads a word after the fields.
    fn word(&mut self, word: &str) {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let position = &mut self.position;
        match (name, value) {
            ("opening", "") => position.opening = true,
            ("jacoby", "") => position.jacoby = true,
            ("beavers", "") => position.beavers = true,
            ("left", value) => match value.parse() {
                Ok(left @ 1..=3) if position.left.is_some() => position.left = Some(left),
                _ => self.wrong(word, "bad die", "left=1 to left=3 after dice such as 30"),
            },
            ("ties", value) => match value.parse() {
                Ok(ties @ 0..=999) => position.ties = ties,
                _ => self.wrong(word, "bad ties", "a number from 0 to 999"),
            },
            ("automatic", value) => match value.parse() {
                Ok(times @ 0..=15) => position.automatic = times,
                _ => self.wrong(word, "bad automatic doubles", "a number from 0 to 15"),
            },
            ("resign", value) => match Win::named(value) {
                Some(win) => position.offer = Some(Offer::Resignation(position.turn, win)),
                None => self.wrong(word, "bad resignation", WINS),
            },
            ("won", value) => {
                let won = value.split_once(',');
                let won = won.and_then(|(who, how)| Some((Side::named(who)?, Win::named(how)?)));
                match won {
                    Some(won) => position.won = Some(won),
                    None => self.wrong(word, "bad winner", "a word such as won=white,gammon"),
                }
            }
            _ => self.wrong(word, "unknown word", WORDS),
        }
    }

    /// Crawford in a match; Jacoby and beavers in money play.
    fn rules(&mut self, word: &str) {
        let position = &mut self.position;
        match (position.length > 0, word) {
            (_, "0") => {}
            (true, "1") => position.crawford = true,
            (true, _) => self.wrong(word, "bad rules", "0, or 1 for the crawford game"),
            (false, "1") => position.jacoby = true,
            (false, "2") => position.beavers = true,
            (false, "3") => (position.jacoby, position.beavers) = (true, true),
            (false, _) => {
                self.wrong(word, "bad rules", "0, 1 for jacoby, 2 for beavers or 3 for both");
            }
        }
    }
}

const WINS: &str = "single, gammon or backgammon";

const WORDS: &str =
    "opening, ties=n, left=n, resign=win, automatic=n, jacoby, beavers or won=player,win";

fn side(word: &str) -> Option<Side> {
    match word {
        "1" | "+1" => Some(Side::White),
        "-1" => Some(Side::Black),
        _ => None,
    }
}

/// Writes a position.
pub fn format(position: &Position) -> String {
    let mut text = String::from(PREFIX);
    let [white, black] = &position.halves;
    let letter = |count: u8, first: u8| char::from(first + count.saturating_sub(1));
    let place = |white: u8, black: u8| match (white, black) {
        (0, 0) => '-',
        (0, black) => letter(black, b'a'),
        (white, _) => letter(white, b'A'),
    };
    text.push(place(0, black.bar));
    text.extend((0..24).map(|point| place(white.points[point], black.points[23 - point])));
    text.push(place(white.bar, 0));
    let sign = |side: Side| if side == Side::White { 1 } else { -1 };
    let Cube { doublings, owner, most } = position.cube;
    let (owner, turn) = (owner.map_or(0, sign), sign(position.turn));
    let dice = match (position.offer, position.dice) {
        (Some(Offer::Double), _) => "D".to_owned(),
        (Some(Offer::Beaver), _) => "B".to_owned(),
        (Some(Offer::Raccoon), _) => "R".to_owned(),
        (_, Some([one, _])) if position.left.is_some() => format!("{one}0"),
        (_, Some([one, two])) => format!("{one}{two}"),
        (_, None) => "00".to_owned(),
    };
    let money = u8::from(position.jacoby) + 2 * u8::from(position.beavers);
    let rules = if position.length > 0 { u8::from(position.crawford) } else { money };
    let ([one, two], length) = (position.score, position.length);
    text.push_str(&format!(
        ":{doublings}:{owner}:{turn}:{dice}:{one}:{two}:{rules}:{length}:{most}"
    ));
    push_words(position, &mut text);
    text
}

/// Writes what an XGID has no room for.
fn push_words(position: &Position, text: &mut String) {
    if position.opening {
        text.push_str(" opening");
    }
    if position.ties > 0 {
        text.push_str(&format!(" ties={}", position.ties));
    }
    for (said, word) in [(position.jacoby, " jacoby"), (position.beavers, " beavers")] {
        text.push_str(if said && position.length > 0 { word } else { "" });
    }
    if let Some(left) = position.left.filter(|left| *left > 1) {
        text.push_str(&format!(" left={left}"));
    }
    if let Some(Offer::Resignation(_, win)) = position.offer {
        text.push_str(&format!(" resign={}", win.name()));
    }
    if position.automatic > 0 {
        text.push_str(&format!(" automatic={}", position.automatic));
    }
    if let Some((side, win)) = position.won {
        text.push_str(&format!(" won={},{}", side.name(), win.name()));
    }
}
