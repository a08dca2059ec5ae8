//! Moves as people write them: Standard Algebraic Notation.
//!
//! What is written is minimal: a file or a rank is named only where another piece of the kind
//! could go there too. What is read may say more or less than that, as long as one legal move
//! remains.

use senet_core::notation::{EventError, nearest};
use senet_core::{Accepted, Event, Hint, KindId, State, Step, TileId, Walker};

use crate::lexicon::{Lexicon, Wing};
use crate::uci;

/// A move as its text has it, before the position is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum San<'l> {
    Castling(Wing),
    Move(Hint<'l>),
}

/// Reads the shape of a move. None if the text is not written so.
pub(crate) fn read<'l>(lexicon: &'l Lexicon<'_>, text: &[u8]) -> Option<San<'l>> {
    let text = without_marks(text);
    let (kind, mut rest) = match text {
        [b'O' | b'0' | b'o', b'-', ..] => return read_castling(text).map(San::Castling),
        [letter @ b'A'..=b'Z', rest @ ..] => (lexicon.kind(*letter)?, rest),
        _ => (lexicon.pawn, text),
    };
    let file = take(&mut rest, |byte| byte.is_ascii_lowercase() && byte < b'a' + lexicon.width);
    let rank = take(&mut rest, |byte| byte.is_ascii_digit());
    if let [b'x' | b'-' | b':', after @ ..] = rest {
        rest = after;
    }
    let (to, rest, file, rank) = match uci::read_square(lexicon, rest) {
        Some((to, rest)) => (to, rest, file, rank),
        None => (lexicon.tile(file? - b'a', rank?.checked_sub(b'1')?)?, rest, None, None),
    };
    let choice = read_choice(lexicon, rest)?;
    let file = match file {
        Some(file) => Some(file - b'a'),
        // A pawn that captures names its file, so one that does not stays on it.
        None => (kind == lexicon.pawn).then(|| lexicon.square(to).file),
    };
    let rank = match rank {
        Some(rank) => Some(rank.checked_sub(b'1')?),
        None => None,
    };
    Some(San::Move(Hint { kind, from: lexicon.tiles(file, rank), to, choice }))
}

/// The text without what follows a move: `+`, `#`, `!`, `?`.
fn without_marks(text: &[u8]) -> &[u8] {
    let is_mark = |byte: &u8| matches!(byte, b'+' | b'#' | b'!' | b'?');
    let end = text.iter().rposition(|byte| !is_mark(byte)).map_or(0, |last| last + 1);
    &text[..end]
}

fn read_castling(text: &[u8]) -> Option<Wing> {
    match text {
        b"O-O" | b"0-0" | b"o-o" => Some(Wing::East),
        b"O-O-O" | b"0-0-0" | b"o-o-o" => Some(Wing::West),
        _ => None,
    }
}

fn take(rest: &mut &[u8], is: impl Fn(u8) -> bool) -> Option<u8> {
    let (&first, after) = rest.split_first().filter(|(first, _)| is(**first))?;
    *rest = after;
    Some(first)
}

/// What a pawn becomes: `=Q`, `Q`, `(Q)` or `/Q`, or nothing. None if it is written otherwise.
fn read_choice(lexicon: &Lexicon<'_>, text: &[u8]) -> Option<Option<KindId>> {
    match text {
        [] => Some(None),
        [b'=' | b'/', letter] | [b'(', letter, b')'] | [letter] => lexicon.kind(*letter).map(Some),
        _ => None,
    }
}

/// The legal move that a shape means in a position, or else those between which it leaves the
/// choice: none, or several. The list is room for the moves to its target.
pub(crate) fn resolve(
    walker: &mut Walker<'_>,
    lexicon: &Lexicon<'_>,
    state: &State,
    san: San<'_>,
    legal: &mut Vec<Accepted>,
) -> Result<Accepted, Vec<Event>> {
    let to = match san {
        San::Castling(_) => castling(lexicon, state, san).and_then(Event::target),
        San::Move(hint) => Some(hint.to),
    };
    let Some(to) = to else { return Err(Vec::new()) };
    walker.legal_onto(state, to, legal);
    legal.retain(|accepted| means(lexicon, state, san, accepted.event()));
    match legal[..] {
        [one] => Ok(one),
        _ => Err(legal.iter().map(|accepted| accepted.event()).collect()),
    }
}

/// The move that a word for castling means, legal or not.
fn castling(lexicon: &Lexicon<'_>, state: &State, san: San<'_>) -> Option<Event> {
    let San::Castling(wing) = san else { return None };
    let player = lexicon.game.view(state).player();
    let rook = lexicon.castling_rook(state, player, wing)?;
    Some(Event::step(lexicon.king_of(state, player)?, rook))
}

/// Whether a shape means a move of a piece of the mover, legal or not.
fn means(lexicon: &Lexicon<'_>, state: &State, san: San<'_>, event: Event) -> bool {
    let San::Move(hint) = san else { return castling(lexicon, state, san) == Some(event) };
    let Event::Move { from, to, choice } = event else { return false };
    (to, choice) == (hint.to, hint.choice)
        && hint.from.contains(from)
        && lexicon.game.view(state).is_kind(from, hint.kind)
}

/// Reads a move. Where no legal move is meant but only one piece could be, that piece's move is
/// the answer, so that the game can say why it is refused.
pub(crate) fn parse(lexicon: &Lexicon<'_>, state: &State, text: &str) -> Result<Event, EventError> {
    let Some(san) = read(lexicon, text.as_bytes()) else {
        let allowed = "a move such as e4, Nf3, exd5, e8=Q, O-O or e2e4";
        return Err(EventError::new(0, text, allowed, near(lexicon, state, text)));
    };
    let mut walker = lexicon.game.walker();
    let legal = match resolve(&mut walker, lexicon, state, san, &mut Vec::new()) {
        Ok(accepted) => return Ok(accepted.event()),
        Err(legal) => legal,
    };
    match candidates(lexicon, state, text)[..] {
        [event] => Ok(event),
        _ => Err(refusal(lexicon, state, text, &legal)),
    }
}

/// Every event that a text could mean, legal or not.
pub(crate) fn candidates(lexicon: &Lexicon<'_>, state: &State, text: &str) -> Vec<Event> {
    let Some(san) = read(lexicon, text.as_bytes()) else { return Vec::new() };
    let San::Move(Hint { kind, to, choice, .. }) = san else {
        return castling(lexicon, state, san).into_iter().collect();
    };
    let player = lexicon.game.view(state).player();
    let others = lexicon.pieces(state, player, kind).iter().filter(|&from| from != to);
    let events = others.map(|from| Event::Move { from, to, choice });
    events.filter(|&event| means(lexicon, state, san, event)).collect()
}

/// The error for a text that leaves the choice between these legal moves.
pub(crate) fn refusal(
    lexicon: &Lexicon<'_>,
    state: &State,
    text: &str,
    events: &[Event],
) -> EventError {
    if events.is_empty() {
        let near = near(lexicon, state, text);
        let reasons = reasons(lexicon, state, text);
        let allowed = match reasons.is_empty() {
            true => "a legal move".to_owned(),
            false => format!("a legal move; {}", reasons.join(", ")),
        };
        return EventError::new(0, text, &allowed, near);
    }
    let written: Vec<String> = events.iter().map(|&event| format(lexicon, state, event)).collect();
    EventError::new(0, text, &format!("one of {}", written.join(", ")), None)
}

/// Why no move that a text could mean is legal, for each piece that could be meant.
fn reasons(lexicon: &Lexicon<'_>, state: &State, text: &str) -> Vec<String> {
    let game = lexicon.game;
    let events = candidates(lexicon, state, text);
    if let (true, Some(San::Move(Hint { kind, .. }))) =
        (events.is_empty(), read(lexicon, text.as_bytes()))
    {
        let player = game.player_name(game.view(state).player());
        return vec![format!("{player} has no such {}", game.kind_name(kind))];
    }
    let rejected = events.into_iter().filter_map(|event| game.apply(state, event).err());
    let reasons = rejected.filter_map(|rejection| rejection.reasons.first().copied());
    reasons.map(|reason| game.reason_text(reason)).collect()
}

/// A legal move that is written almost so. Of short texts only the case may differ: one letter
/// more would make any move look like any other.
fn near(lexicon: &Lexicon<'_>, state: &State, text: &str) -> Option<String> {
    let wanted = without_marks(text.as_bytes());
    if wanted.is_empty() || wanted.len() > 12 {
        return None;
    }
    let legal = lexicon.game.legal(state);
    let written: Vec<String> = legal.iter().map(|&event| format(lexicon, state, event)).collect();
    let same = |one: &&String| without_marks(one.as_bytes()).eq_ignore_ascii_case(wanted);
    match written.iter().find(same) {
        Some(same) => Some(same.clone()),
        None if wanted.len() < 4 => None,
        None => nearest(text, written.iter().map(String::as_str)),
    }
}

/// Writes a legal move.
pub(crate) fn format(lexicon: &Lexicon<'_>, state: &State, event: Event) -> String {
    match lexicon.game.apply(state, event) {
        Ok(step) => format_step(lexicon, state, &step),
        Err(_) => format_plain(lexicon, state, event),
    }
}

/// Writes a move that was carried out.
pub(crate) fn format_step(lexicon: &Lexicon<'_>, before: &State, step: &Step) -> String {
    let mut text = format_plain(lexicon, before, step.event);
    text.extend(mark(lexicon, &step.state));
    text
}

/// Writes a move without the mark of check or mate.
fn format_plain(lexicon: &Lexicon<'_>, state: &State, event: Event) -> String {
    let Event::Move { from, to, choice } = event else { return String::new() };
    let game = lexicon.game;
    let view = game.view(state);
    if uci::castling_target(lexicon, state, from, to).is_some() {
        let east = lexicon.square(to).file > lexicon.square(from).file;
        return if east { "O-O" } else { "O-O-O" }.to_owned();
    }
    let Some(kind) = view.kind_at(from) else { return uci::format(lexicon, event) };
    let mut text = String::with_capacity(8);
    let (start, end) = (lexicon.square(from), lexicon.square(to));
    if kind == lexicon.pawn {
        if start.file != end.file {
            text.push((b'a' + start.file).into());
            text.push('x');
        }
    } else {
        text.push(lexicon.letter(kind).to_ascii_uppercase());
        distinguish(lexicon, state, (from, kind), to, &mut text);
        if view.owner_at(to).is_some() {
            text.push('x');
        }
    }
    text.push_str(game.tile_name(to));
    if let Some(kind) = choice {
        text.push('=');
        text.push(lexicon.letter(kind).to_ascii_uppercase());
    }
    text
}

/// Writes as much of the tile left as tells the piece from others that could go there too.
fn distinguish(
    lexicon: &Lexicon<'_>,
    state: &State,
    (from, kind): (TileId, KindId),
    to: TileId,
    text: &mut String,
) {
    let game = lexicon.game;
    let player = game.view(state).player();
    let start = lexicon.square(from);
    let mut walker = game.walker();
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for other in lexicon.pieces(state, player, kind).iter().filter(|&other| other != from) {
        if walker.accept(state, Event::step(other, to)).is_some() {
            let square = lexicon.square(other);
            any = true;
            same_file |= square.file == start.file;
            same_rank |= square.rank == start.rank;
        }
    }
    if any && (!same_file || same_rank) {
        text.push((b'a' + start.file).into());
    }
    if same_file {
        text.push_str(&(start.rank + 1).to_string());
    }
}

/// The mark of a position just reached: check, or mate and whatever else has won the game.
fn mark(lexicon: &Lexicon<'_>, state: &State) -> Option<char> {
    let game = lexicon.game;
    let won = || game.outcome(state).is_some_and(|outcome| outcome.winner.is_some());
    let check = lexicon.checked(state, game.view(state).player()).is_some();
    if won() { Some('#') } else { check.then_some('+') }
}
