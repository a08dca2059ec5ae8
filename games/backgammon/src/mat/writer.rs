//! Writes matches as gnubg does: two columns, the bar as 25 and the tray as 0.

use crate::mat::{Deed, Entry, Game, Header, Winning};
use crate::play::Trip;
use crate::position::Side;

/// The column at which the right player's cells begin.
const RIGHT: usize = 33;

/// Writes what comes before the games of a match.
pub fn write_header(header: &Header) -> String {
    let mut text = String::new();
    for comment in &header.comments {
        push_comment(&mut text, comment);
    }
    if !header.comments.is_empty() {
        text.push('\n');
    }
    text.push_str(&format!(" {} point match\n", header.length));
    text
}

/// Writes a game, with an empty line before it.
pub fn write_game(game: &Game) -> String {
    let mut text = String::from("\n");
    for comment in &game.before {
        push_comment(&mut text, comment);
    }
    let [left, right] = &game.players;
    let [white, black] = game.score;
    let left = format!(" {} : {white}", clean(left));
    text.push_str(&format!(" Game {}\n{left:<32}{} : {black}\n", game.number, clean(right)));
    let mut rows = Rows { text, number: 0, open: false };
    for (index, entry) in game.entries.iter().enumerate() {
        rows.comments(game, index);
        rows.cell(entry);
    }
    rows.comments(game, game.entries.len());
    rows.close();
    let mut text = rows.text;
    if let Some(Winning { side, points, decides }) = game.winning {
        let column = if side == Side::White { 6 } else { RIGHT + 1 };
        let unit = if points == 1 { "point" } else { "points" };
        let end = if decides { " and the match" } else { "" };
        text.push_str(&format!("{}Wins {points} {unit}{end}\n", " ".repeat(column)));
    }
    if !game.after.is_empty() {
        text.push('\n');
    }
    for comment in &game.after {
        push_comment(&mut text, comment);
    }
    text
}

/// A name on one line, and with two blanks nowhere in it.
fn clean(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn push_comment(text: &mut String, comment: &str) {
    let comment = comment.replace(['\n', '\r', '\0'], " ");
    text.push_str(format!("; {comment}").trim_end());
    text.push('\n');
}

/// Rows being written.
struct Rows {
    text: String,
    number: usize,
    /// Whether a row has its left cell and may have a right one.
    open: bool,
}

impl Rows {
    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            let kept = self.text.trim_end().len();
            self.text.truncate(kept);
            self.text.push('\n');
        }
    }

    fn comments(&mut self, game: &Game, index: usize) {
        for (_, comment) in game.comments.iter().filter(|(at, _)| *at == index) {
            self.close();
            push_comment(&mut self.text, comment);
        }
    }

    fn cell(&mut self, entry: &Entry) {
        let cell = written(&entry.deed);
        if entry.side == Side::White || !self.open {
            self.close();
            self.number += 1;
            let left = if entry.side == Side::White { &cell } else { "" };
            let row = format!("{:>3}) {left}", self.number);
            self.text.push_str(&format!("{row:<RIGHT$}"));
            // A cell that is too long for its column still ends before the next one begins.
            if row.chars().count() >= RIGHT {
                self.text.push_str("  ");
            }
            self.open = true;
        }
        if entry.side == Side::Black {
            self.text.push_str(&cell);
            self.close();
        }
    }
}

fn written(deed: &Deed) -> String {
    match deed {
        Deed::Play { dice: [one, two], trips } => {
            format!("{one}{two}: {}", written_trips(trips))
        }
        Deed::Double(value) => format!(" Doubles => {value}"),
        Deed::Beaver(value) => format!(" Beavers => {value}"),
        Deed::Take => " Takes".to_owned(),
        Deed::Drop => " Drops".to_owned(),
    }
}

/// The words of a play.
pub(crate) fn written_trips(trips: &[Trip]) -> String {
    trips.iter().flat_map(steps).collect::<Vec<String>>().join(" ")
}

/// A word for each checker: other programs know no number of them.
fn steps(trip: &Trip) -> Vec<String> {
    let mut word = trip.from.to_string();
    for (stop, hit) in &trip.stops {
        word.push_str(&format!("/{stop}{}", if *hit { "*" } else { "" }));
    }
    vec![word; trip.times.into()]
}
