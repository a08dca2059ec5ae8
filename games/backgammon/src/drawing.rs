//! The board drawn with letters: X is White, O is Black. White's home is below on the right, and
//! points are numbered as the player to move counts them.

use senet_core::State;

use crate::lexicon::Lexicon;
use crate::position::{Half, Offer, Position, Side};

/// The most checkers that are drawn on a point; for more, the number is written.
const TALLEST: u8 = 5;

/// Draws a state: points, bar, trays, pips, dice, cube and score.
pub(crate) fn draw(lexicon: &Lexicon<'_>, state: &State) -> String {
    let position = lexicon.position(state);
    let mover = lexicon.mover(state);
    let mut lines = vec![border(mover, [13, 14, 15, 16, 17, 18], [19, 20, 21, 22, 23, 24])];
    let row = |height: u8, top: bool| {
        let point = |index: u8| if top { 13 + index } else { 12 - index };
        let cell = |index: u8| cell(&position, point(index), height);
        let half = |first: u8| (first..first + 6).map(cell).collect::<String>();
        // White enters the upper half, so those who wait there are White's.
        let side = if top { Side::White } else { Side::Black };
        let bar = stacked(side, position.half(side).bar, height);
        format!(" |{}|{bar}|{}|", half(0), half(6))
    };
    lines.extend((0..TALLEST).map(|height| row(height, true)));
    lines.push(format!(" |{0}|BAR|{0}|", " ".repeat(18)));
    lines.extend((0..TALLEST).rev().map(|height| row(height, false)));
    lines.push(border(mover, [12, 11, 10, 9, 8, 7], [6, 5, 4, 3, 2, 1]));
    let notes = notes(lexicon, state, &position);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let note = notes.iter().find(|(at, _)| *at == index);
        let line = note.map_or(line.clone(), |(_, note)| format!("{line}   {note}"));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The edge of the board with the numbers of points, given as White counts them.
fn border(mover: Side, left: [u8; 6], right: [u8; 6]) -> String {
    let number = |point: u8| if mover == Side::White { point } else { 25 - point };
    let half = |points: [u8; 6]| points.map(|point| format!("{:->3}", number(point))).concat();
    format!(" +{}+---+{}+", half(left), half(right))
}

/// What a place shows at a height: a checker, at the top a number where there are more.
fn stacked(side: Side, count: u8, height: u8) -> String {
    let letter = if side == Side::White { 'X' } else { 'O' };
    match count {
        _ if count <= height => "   ".to_owned(),
        _ if height + 1 == TALLEST && count > TALLEST => format!("{count:>2} "),
        _ => format!(" {letter} "),
    }
}

fn cell(position: &Position, point: u8, height: u8) -> String {
    let index = usize::from(point) - 1;
    let white = position.half(Side::White).points[index];
    let black = position.half(Side::Black).points[23 - index];
    match black {
        0 => stacked(Side::White, white, height),
        _ => stacked(Side::Black, black, height),
    }
}

/// What is said beside the board, each on its line.
fn notes(lexicon: &Lexicon<'_>, state: &State, position: &Position) -> [(usize, String); 5] {
    let [white, black] = [Side::White, Side::Black].map(|side| count(position, side));
    let (cube, terms) = (cube(position), terms(position));
    let now = now(position, &lexicon.faces(state));
    [(1, format!("O {black}")), (5, cube), (6, terms), (7, now), (11, format!("X {white}"))]
}

/// What a board of points does not show: the match, the cube, what is offered, pips and points.
pub(crate) fn facts(lexicon: &Lexicon<'_>, state: &State) -> Vec<String> {
    let position = lexicon.position(state);
    let mut facts = vec![terms(&position), cube(&position)];
    if position.offer.is_some() || position.won.is_some() {
        facts.push(now(&position, &[]));
    }
    facts.extend(Side::BOTH.map(|side| count(&position, side)));
    facts
}

/// Pips, checkers off and points of a side.
fn count(position: &Position, side: Side) -> String {
    let Half { off, .. } = position.half(side);
    let (pips, score) = (position.half(side).pips(), position.score[side.index()]);
    let points = if position.length > 0 || score > 0 {
        format!(", {score} {}", if score == 1 { "point" } else { "points" })
    } else {
        String::new()
    };
    format!("{}: {pips} pips, {off} off{points}", side.name())
}

fn terms(position: &Position) -> String {
    match (position.length, position.crawford) {
        (0, _) => "for money".to_owned(),
        (length, false) => format!("match to {length}"),
        (length, true) => format!("match to {length}, Crawford game"),
    }
}

fn cube(position: &Position) -> String {
    let owner = position.cube.owner;
    let owner = owner.map_or("in the middle".to_owned(), |side| format!("of {}", side.name()));
    format!("cube {} {owner}", position.cube.value())
}

/// What happens now.
fn now(position: &Position, faces: &[u8]) -> String {
    let turn = position.turn.name();
    match (position.won, position.offer, position.opening) {
        (Some((side, win)), _, _) => format!("{} has won: {}", side.name(), win.name()),
        (_, Some(Offer::Double), _) => format!("{turn} doubles"),
        (_, Some(Offer::Beaver | Offer::Raccoon), _) => "beaver".to_owned(),
        (_, Some(Offer::Resignation(side, win)), _) => {
            format!("{} resigns: {}", side.name(), win.name())
        }
        (_, _, true) => "opening roll".to_owned(),
        _ if faces.is_empty() => format!("{turn} on roll"),
        _ => {
            let faces: Vec<String> = faces.iter().map(u8::to_string).collect();
            format!("{turn} to play {}", faces.join("-"))
        }
    }
}
