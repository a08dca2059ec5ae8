//! Plays as people write them: `8/5 6/5`, `bar/22*`, `6/off(2)`, `24/18*/13`.
//!
//! What is written is canonical: the steps of one checker are one word, the highest point first,
//! what several checkers do alike is said once with a number, and a point passed over is named only
//! where a checker is hit on it. What is read may be in any order and say more or less than that.

use senet_core::notation::{EventError, excerpt};

/// The number of the bar, beyond the last point.
pub const BAR: u8 = 25;

/// The number of the tray, before the first point.
pub const OFF: u8 = 0;

/// One step of one checker, as its side counts the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The point it leaves, or [`BAR`].
    pub from: u8,
    /// The point it enters, or [`OFF`].
    pub to: u8,
    /// Whether a checker is hit there.
    pub hit: bool,
}

/// A journey of one or several checkers, as a word of a play has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trip {
    /// The point they leave.
    pub from: u8,
    /// The points named after it, and whether a hit is marked there. The last is where they end.
    pub stops: Vec<(u8, bool)>,
    /// How many checkers travel so.
    pub times: u8,
}

/// Reads the words of a play. An empty text, or one that says so, is a play without steps.
pub fn read(text: &str) -> Result<Vec<Trip>, EventError> {
    let said = text.trim();
    let none =
        ["", "-", "pass", "no move", "no moves", "cannot move", "can't move", "dance", "dances"];
    if none.iter().any(|none| said.eq_ignore_ascii_case(none)) {
        return Ok(Vec::new());
    }
    let blank = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '.');
    let mut trips = Vec::new();
    let mut steps = 0;
    for word in text.split(blank).filter(|word| !word.is_empty()) {
        let at = (word.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let trip = read_trip(word).ok_or_else(|| EventError::new(at, word, ALLOWED, None))?;
        steps += trip.stops.len() * usize::from(trip.times);
        if steps > MOST_STEPS {
            let allowed = "at most four steps in a play";
            return Err(EventError::new(at, &excerpt(word), allowed, None));
        }
        trips.push(trip);
    }
    Ok(trips)
}

const ALLOWED: &str = "a play such as 8/5 6/5, bar/22*, 24/18*/13 or 6/off(2)";

/// No roll gives more steps.
const MOST_STEPS: usize = 4;

fn read_trip(word: &str) -> Option<Trip> {
    let (path, times) = match word.strip_suffix(')') {
        Some(rest) => {
            let (path, times) = rest.split_once('(')?;
            (path, times.parse().ok().filter(|times| (1..=MOST_STEPS as u8).contains(times))?)
        }
        None => (word, 1),
    };
    let mut parts = path.split(['/', '-']);
    let (from, _) = read_stop(parts.next()?)?;
    let stops: Vec<(u8, bool)> = parts.map(read_stop).collect::<Option<_>>()?;
    let descends =
        stops.iter().try_fold(from, |before, &(stop, _)| (stop < before).then_some(stop));
    (!stops.is_empty() && descends.is_some()).then_some(Trip { from, stops, times })
}

/// A point with its mark.
fn read_stop(word: &str) -> Option<(u8, bool)> {
    let name = word.trim_end_matches('*');
    let hit = name.len() < word.len();
    let point = match name.to_ascii_lowercase().as_str() {
        "bar" | "b" => BAR,
        "off" | "o" | "home" => OFF,
        digits if digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            digits.parse().ok().filter(|point| *point <= BAR)?
        }
        _ => return None,
    };
    Some((point, hit))
}

/// Writes the steps of a play.
pub fn format(hops: &[Hop]) -> String {
    let mut trips: Vec<(Vec<Hop>, u8)> = Vec::new();
    for chain in chains(hops) {
        let places = |hops: &[Hop]| hops.iter().map(|hop| (hop.from, hop.to)).collect::<Vec<_>>();
        match trips.iter_mut().find(|(other, _)| places(other) == places(&chain)) {
            Some((other, times)) => {
                other.iter_mut().zip(&chain).for_each(|(one, two)| one.hit |= two.hit);
                *times += 1;
            }
            None => trips.push((chain, 1)),
        }
    }
    let word = |(hops, times): &(Vec<Hop>, u8)| {
        let mut word = name(hops[0].from);
        for (index, hop) in hops.iter().enumerate() {
            if hop.hit || index + 1 == hops.len() {
                word.push('/');
                word.push_str(&name(hop.to));
                word.push_str(if hop.hit { "*" } else { "" });
            }
        }
        if *times > 1 {
            word.push_str(&format!("({times})"));
        }
        word
    };
    trips.iter().map(word).collect::<Vec<String>>().join(" ")
}

/// How a point is written.
pub(crate) fn name(point: u8) -> String {
    match point {
        BAR => "bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    }
}

/// The steps of each checker, the highest point first.
fn chains(hops: &[Hop]) -> Vec<Vec<Hop>> {
    let mut left = hops.to_vec();
    left.sort_unstable_by(|one, two| two.cmp(one));
    let mut chains = Vec::new();
    while !left.is_empty() {
        let mut chain = vec![left.remove(0)];
        while let Some(at) =
            left.iter().position(|hop| Some(hop.from) == chain.last().map(|l| l.to))
        {
            chain.push(left.remove(at));
        }
        chains.push(chain);
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(hops: &[(u8, u8, bool)]) -> String {
        let hops = hops.iter().map(|&(from, to, hit)| Hop { from, to, hit });
        format(&hops.collect::<Vec<Hop>>())
    }

    #[test]
    fn the_steps_of_a_checker_are_one_word() {
        assert_eq!(written(&[(6, 5, false), (8, 5, false)]), "8/5 6/5");
        assert_eq!(written(&[(24, 18, true), (18, 13, false)]), "24/18*/13");
        assert_eq!(written(&[(24, 18, false), (18, 13, true)]), "24/13*");
        assert_eq!(written(&[(25, 22, true)]), "bar/22*");
        assert_eq!(written(&[(6, 0, false), (6, 0, false)]), "6/off(2)");
        assert_eq!(written(&[(13, 7, true), (13, 7, false), (24, 18, false)]), "24/18 13/7*(2)");
        let twice = [(24, 18, false), (24, 18, false), (18, 12, false), (18, 12, false)];
        assert_eq!(written(&twice), "24/12(2)");
        assert_eq!(written(&[]), "");
    }

    #[test]
    fn what_is_read_may_be_written_otherwise() {
        let trip = |from, stops: &[(u8, bool)], times| Trip { from, stops: stops.to_vec(), times };
        assert_eq!(
            read(" 25/22* , 6-0(2) ").unwrap(),
            [trip(25, &[(22, true)], 1), trip(6, &[(0, false)], 2)]
        );
        assert_eq!(read("BAR/22 o/off").unwrap_err().found, "o/off");
        assert_eq!(read("24/18*/13").unwrap(), [trip(24, &[(18, true), (13, false)], 1)]);
        assert!(read("Cannot move").unwrap().is_empty());
        for wrong in ["8", "8/", "/5", "5/8", "26/20", "8/5(5)", "8/5(0)", "8/5(", "x/y", "8//5"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
