//! One line of a file, told apart by how it begins.

use crate::mat::{Deed, Problem, Winning};
use crate::play;
use crate::position::Side;

/// A line and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Row {
    Blank,
    Comment(String),
    /// `5 point match`
    Length(u16),
    /// `Game 1`
    Game(u32),
    /// `Anna : 0    Bob : 2`
    Players([String; 2], [u16; 2]),
    /// `3) 31: 8/5 6/5    Doubles => 2`
    Deeds(Vec<(Side, Deed)>),
    /// `Wins 2 points`
    Winning(Winning),
}

/// From this column on a line speaks of the right player, where it has one column only.
const RIGHT: usize = 16;

/// Words that begin what a player does with the cube.
const CUBE: [(&str, Word); 10] = [
    ("doubles", Word::Double),
    ("redoubles", Word::Double),
    ("beavers", Word::Beaver),
    ("raccoons", Word::Beaver),
    ("takes", Word::Take),
    ("accepts", Word::Take),
    ("drops", Word::Drop),
    ("passes", Word::Drop),
    ("rejects", Word::Drop),
    ("resigns", Word::Drop),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Double,
    Beaver,
    Take,
    Drop,
}

impl Row {
    /// Reads a line.
    pub(crate) fn read(line: &str) -> Result<Row, Problem> {
        let text = line.trim();
        if text.is_empty() {
            return Ok(Row::Blank);
        }
        if let Some(comment) = text.strip_prefix([';', '#']) {
            return Ok(Row::Comment(comment.strip_prefix(' ').unwrap_or(comment).to_owned()));
        }
        if let Some((number, rest)) = numbered(text) {
            let at = line.len() - line.trim_start().len() + number;
            return Ok(Row::Deeds(read_deeds(rest, at)?));
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let is =
            |at: usize, word: &str| words.get(at).is_some_and(|w| w.eq_ignore_ascii_case(word));
        if words.len() == 2 && is(0, "game") {
            let number = words[1].parse().map_err(|_| Problem::unexpected(words[1], "a number"))?;
            return Ok(Row::Game(number));
        }
        if words.len() == 3 && is(1, "point") && is(2, "match") {
            let length = words[0].parse().ok().filter(|length| *length < 1 << 15);
            let allowed = "a length from 0 to 32767";
            return length.map(Row::Length).ok_or_else(|| Problem::unexpected(words[0], allowed));
        }
        if is(0, "wins") {
            return read_winning(line, &words);
        }
        read_players(text).ok_or_else(|| Problem::unexpected(text, ALLOWED))
    }
}

const ALLOWED: &str = "a row such as `3) 31: 8/5 6/5`, `Game 1`, `Anna : 0  Bob : 0`, `Wins 1 point`, \
     `5 point match` or a comment after ;";

/// The length of the number of a row with its bracket, and what comes after it.
fn numbered(text: &str) -> Option<(usize, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].strip_prefix(')')?;
    (digits > 0).then_some((digits + 1, rest))
}

/// A winner's line; the column says who.
fn read_winning(line: &str, words: &[&str]) -> Result<Row, Problem> {
    let points = words.get(1).and_then(|word| word.parse().ok()).filter(|points| *points > 0);
    let unit = words.get(2).is_some_and(|word| word.to_ascii_lowercase().starts_with("point"));
    let (Some(points), true) = (points, unit) else {
        return Err(Problem::unexpected(line.trim(), "a line such as `Wins 2 points`"));
    };
    let side = if column(line, line.len() - line.trim_start().len()) > RIGHT {
        Side::Black
    } else {
        Side::White
    };
    let decides = words.iter().any(|word| word.eq_ignore_ascii_case("match"));
    Ok(Row::Winning(Winning { side, points, decides }))
}

/// The column at which a byte of a line is shown.
fn column(line: &str, at: usize) -> usize {
    line[..at].chars().fold(0, |column, letter| match letter {
        '\t' => (column / 8 + 1) * 8,
        _ => column + 1,
    })
}

/// Both players with their points.
fn read_players(text: &str) -> Option<Row> {
    let (head, right) = text.rsplit_once(':')?;
    let right = right.trim().parse().ok()?;
    for (at, _) in head.match_indices(':') {
        let after = head[at + 1..].trim_start();
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &after[digits..];
        let Ok(left) = after[..digits].parse() else { continue };
        // The points end where blanks begin.
        if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let names = [&head[..at], rest].map(|name| name.trim().to_owned());
        return Some(Row::Players(names, [left, right]));
    }
    None
}

/// What players do in a row, of which a part before this byte is the number.
fn read_deeds(rest: &str, at: usize) -> Result<Vec<(Side, Deed)>, Problem> {
    let mut starts = Vec::new();
    for word in rest.split_whitespace() {
        if is_roll(word) || cube_word(word).is_some() || word.starts_with('?') {
            starts.push((word.as_ptr() as usize).saturating_sub(rest.as_ptr() as usize));
        }
    }
    let Some(&first) = starts.first() else {
        let allowed = "a roll such as `31: 8/5 6/5`, or Doubles, Takes, Drops";
        return match rest.trim() {
            "" => Ok(Vec::new()),
            other => Err(Problem::unexpected(other, allowed)),
        };
    };
    let before = rest[..first].trim();
    if !before.is_empty() || starts.len() > 2 {
        let stray = if before.is_empty() { &rest[starts[2]..] } else { before };
        return Err(Problem::unexpected(stray, "two columns, each a roll or a cube action"));
    }
    let single = if at + column(rest, first) > RIGHT { Side::Black } else { Side::White };
    let sides = if starts.len() == 2 { [Side::White, Side::Black] } else { [single; 2] };
    let ends = starts.iter().skip(1).copied().chain([rest.len()]);
    let cells = starts.iter().zip(ends).zip(sides);
    cells.map(|((&start, end), side)| Ok((side, read_deed(rest[start..end].trim())?))).collect()
}

/// Two dice with a colon.
fn is_roll(word: &str) -> bool {
    matches!(word.as_bytes(), [one, two, b':', ..] if one.is_ascii_digit() && two.is_ascii_digit())
}

fn cube_word(word: &str) -> Option<Word> {
    CUBE.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, word)| *word)
}

fn read_deed(cell: &str) -> Result<Deed, Problem> {
    if is_roll(cell) {
        let dice = [cell.as_bytes()[0] - b'0', cell.as_bytes()[1] - b'0'];
        if dice.iter().any(|die| !(1..=6).contains(die)) {
            return Err(Problem::unexpected(&cell[..2], "two dice from 1 to 6"));
        }
        let trips = play::read(&cell[3..]).map_err(|error| {
            Problem::unexpected(&error.found, "a play such as 8/5 6/5 or 25/22*")
        })?;
        return Ok(Deed::Play { dice, trips });
    }
    let mut words = cell.split_whitespace();
    let word = words.next().and_then(cube_word);
    let value = words.find(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let value = value.and_then(|value| value.parse().ok());
    let wrong = |allowed| Err(Problem::unexpected(cell, allowed));
    match (word, value) {
        (Some(Word::Take), _) => Ok(Deed::Take),
        (Some(Word::Drop), _) => Ok(Deed::Drop),
        (Some(Word::Double), Some(value)) => Ok(Deed::Double(value)),
        (Some(Word::Beaver), Some(value)) => Ok(Deed::Beaver(value)),
        (Some(_), None) => wrong("a cube action with its value, such as `Doubles => 2`"),
        (None, _) => wrong("a roll or a cube action that is known"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_two_columns() {
        let deeds = |line: &str| match Row::read(line) {
            Ok(Row::Deeds(deeds)) => deeds,
            other => panic!("{other:?}"),
        };
        let row = deeds("  3) 31: 13/10 8/7*              43: 25/21 21/18* ");
        assert_eq!(row.len(), 2);
        assert_eq!(row[0].0, Side::White);
        let row = deeds("  1)                             32: 24/21 13/11");
        assert!(matches!(row[..], [(Side::Black, Deed::Play { dice: [3, 2], .. })]));
        let row = deeds(" 47) 11: 1/0 1/0                 ");
        assert!(matches!(row[..], [(Side::White, Deed::Play { .. })]));
        let row = deeds("  6)  Doubles => 2                Takes");
        assert_eq!(row, [(Side::White, Deed::Double(2)), (Side::Black, Deed::Take)]);
        let row = deeds("  1)\t\t21: 24/23 13/11");
        assert!(matches!(row[..], [(Side::Black, _)]));
        let row = deeds(" 19) 61: Cannot Move             51: 6/5 21/16 ");
        assert!(matches!(&row[0].1, Deed::Play { trips, .. } if trips.is_empty()));
    }

    #[test]
    fn other_lines_are_told_apart() {
        assert_eq!(Row::read(" 5 point match"), Ok(Row::Length(5)));
        assert_eq!(Row::read(" Game 12"), Ok(Row::Game(12)));
        assert_eq!(Row::read("; [Site \"x\"]"), Ok(Row::Comment("[Site \"x\"]".into())));
        let names = ["Anna: B".to_owned(), "Bob".to_owned()];
        assert_eq!(Row::read(" Anna: B : 0        Bob : 12"), Ok(Row::Players(names, [0, 12])));
        let winning = |side, points, decides| Ok(Row::Winning(Winning { side, points, decides }));
        assert_eq!(Row::read("      Wins 4 points"), winning(Side::White, 4, false));
        let line = "                                  Wins 1 point and the match";
        assert_eq!(Row::read(line), winning(Side::Black, 1, true));
        for wrong in
            ["hello", "3) 77: 8/5", "3) 31: 8/x", "3) Doubles", "Wins 0 points", "1 point match x"]
        {
            assert!(Row::read(wrong).is_err(), "{wrong}");
        }
    }
}
