//! What stands beside the board: whose turn it is, dice, pieces off the board, the moves, and the
//! words that can be said.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use senet::define::{Phase, Rule, Supply, Wanted};
use senet::render::{Cell, layout};
use senet::{Game, PlayerId, TileId};

use super::paint::{body, ink_on};
use super::round::{Entry, Overlay, Round};

// What stands beside the board is in the terminal's own colours, which its theme makes readable.
const GOOD: Color = Color::Green;
const BAD: Color = Color::Red;
const FAINT: Style = Style::new().add_modifier(Modifier::DIM);

pub(super) const HELP: &str = "\
Play
  a move, Enter    type it as the game writes it
  arrows, Enter    select a piece, then a tile
  mouse            click or drag
  Enter            roll the dice
  words in [ ]     type or click them

See
  why MOVE         why it is accepted or refused
  moves            every legal move
  Ctrl-F, flip     the board from the other side
  Tab              all of a long message

Go
  Ctrl-Z, undo     take the last move back
  takeback         ask the other side for it
  Ctrl-Y, redo     play it again
  save FILE        save the match: .json .senet .pgn .mat
  rematch          play the same game again
  draw, resign     offer a draw, resign, in chess
  Esc              clear the selection
  Ctrl-C, quit     leave";

/// The dice as people see them.
const FACES: [&str; 6] = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

/// What turns while the opponent thinks.
const BEATS: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Draws the column beside the board.
pub(super) fn draw(round: &Round, frame: &mut Frame<'_>, area: Rect) {
    let [top, moves, said] = parts(round, area);
    let facts = Paragraph::new(Text::from(facts(round))).wrap(Wrap { trim: true });
    frame.render_widget(facts, top);
    draw_moves(round, frame, moves);
    for (place, word) in placed(round.words(), said) {
        let style = Style::new().fg(GOOD);
        frame.render_widget(Line::styled(format!("[{word}]"), style), place);
    }
}

/// The parts of the column: facts, moves, words.
fn parts(round: &Round, area: Rect) -> [Rect; 3] {
    let words = placed(round.words(), Rect { y: 0, height: u16::MAX, ..area });
    let below = words.last().map_or(0, |(place, _)| place.bottom()).min(area.height / 3);
    let above = facts(round).iter().map(|line| rows(line, area.width)).sum::<u16>() + 1;
    let above = above.min(area.height.saturating_sub(below + 3));
    let rows = [Constraint::Length(above), Constraint::Min(0), Constraint::Length(below)];
    Layout::vertical(rows).areas(area)
}

/// How many rows a line of facts takes.
fn rows(line: &Line<'_>, width: u16) -> u16 {
    (line.width() as u16).div_ceil(width.max(1)).max(1)
}

/// The word at a cell of the screen.
pub(super) fn word_at(round: &Round, area: Rect, column: u16, row: u16) -> Option<String> {
    let [_, _, said] = parts(round, area);
    let mut words = placed(round.words(), said).into_iter();
    words.find(|(place, _)| place.contains((column, row).into())).map(|(_, word)| word)
}

/// Words in brackets, as many in a row as fit.
fn placed(words: Vec<String>, area: Rect) -> Vec<(Rect, String)> {
    let (mut x, mut y) = (area.x, area.y);
    let mut placed = Vec::new();
    for word in words {
        let wide = word.chars().count() as u16 + 2;
        if x > area.x && x + wide > area.right() {
            (x, y) = (area.x, y + 1);
        }
        if y < area.bottom() && area.x + wide <= area.right() {
            placed.push((Rect { x, y, width: wide, height: 1 }, word));
        }
        x += wide + 1;
    }
    placed
}

/// Whose turn it is, and what the board does not show.
fn facts(round: &Round) -> Vec<Line<'static>> {
    let game = round.game();
    let mut facts = vec![
        Line::styled(game.name().to_owned(), Modifier::BOLD),
        Line::styled(turn(round), Style::new().fg(GOOD)),
    ];
    facts.extend(round.rival.clone().map(Line::from));
    facts.extend(dice(round));
    let told = round.position().facts().into_iter();
    facts.extend(told.map(Line::from));
    facts.extend(trays(round));
    facts.extend(game.players().filter_map(|player| off_board(round, player)));
    facts
}

/// Whose turn it is, or that the opponent thinks.
pub(super) fn turn(round: &Round) -> String {
    match round.is_waiting() {
        true => {
            let beat = BEATS[round.beats % BEATS.len()];
            format!("{} is thinking {beat}", round.context.player())
        }
        false => round.turn(),
    }
}

/// Draws what is said and what is typed, where there is no column also whose turn it is.
pub(super) fn draw_foot(round: &Round, frame: &mut Frame<'_>, area: Rect, narrow: bool) {
    let [said, typed] = Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(area);
    let color = if round.notice.is_refusal { BAD } else { Color::Reset };
    let room = usize::from(said.height);
    let mut lines = wrapped(&round.notice.text, said.width);
    if lines.len() > room {
        lines.truncate(room);
        // What does not fit is seen with a key.
        if let Some(last) = lines.last_mut() {
            let keep = usize::from(said.width).saturating_sub(MORE.chars().count());
            *last = last.chars().take(keep).chain(MORE.chars()).collect();
        }
    }
    let text: Vec<Line<'_>> = lines.into_iter().map(Line::from).collect();
    frame.render_widget(Paragraph::new(text).style(Style::new().fg(color)), said);
    let mut prompt = match narrow {
        true => format!("{}{}> ", turn(round), thrown(round)),
        false => format!("{}> ", round.context.player()),
    };
    if prompt.chars().count() > usize::from(area.width / 2) {
        prompt = "> ".to_owned();
    }
    // Of a long line its end is seen, where the next letter comes.
    let room = usize::from(typed.width).saturating_sub(prompt.chars().count() + 1);
    let hidden = round.typed.chars().count().saturating_sub(room);
    let shown: String = round.typed.chars().skip(hidden).collect();
    let cursor = typed.x + (prompt.chars().count() + shown.chars().count()) as u16;
    let hint = if round.typed.is_empty() { "  ? help" } else { "" };
    let line = Line::from(vec![
        Span::styled(prompt, Modifier::BOLD),
        Span::raw(shown),
        Span::styled(hint, FAINT),
    ]);
    frame.render_widget(Paragraph::new(line), typed);
    frame.set_cursor_position((cursor.min(typed.right().saturating_sub(1)), typed.y));
}

/// Says that the board has no room.
pub(super) fn draw_excuse(frame: &mut Frame<'_>, area: Rect) {
    let text = "The board does not fit: make the window larger, or play with --plain.";
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
}

/// What stands at the end of a message that goes on.
const MORE: &str = "… (Tab)";

/// Where a text over everything stands, and its lines.
fn laid(overlay: &Overlay, whole: Rect) -> (Rect, Vec<String>) {
    let width = 60.min(whole.width);
    let lines = wrapped(&overlay.text, width.saturating_sub(2));
    let height = (lines.len() as u16).saturating_add(2).min(whole.height);
    let (x, y) = ((whole.width - width) / 2, (whole.height - height) / 2);
    (Rect { x, y, width, height }, lines)
}

/// The last line from which on a text over everything fills its place.
pub(super) fn last_line(overlay: &Overlay, whole: Rect) -> u16 {
    let (area, lines) = laid(overlay, whole);
    (lines.len() as u16).saturating_sub(area.height.saturating_sub(2))
}

/// Draws a text over everything.
pub(super) fn draw_overlay(overlay: &Overlay, frame: &mut Frame<'_>) {
    let (area, lines) = laid(overlay, frame.area());
    let last = last_line(overlay, frame.area());
    let title = match last {
        0 => format!(" {}: any key closes it ", overlay.title),
        _ => format!(" {}: ↑↓ scroll, Esc closes ", overlay.title),
    };
    let shown = lines.into_iter().skip(overlay.first.min(last).into()).map(Line::from);
    let text: Vec<Line<'_>> = shown.collect();
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title(title)), area);
}

/// A text in lines that are no wider than a width, broken between words where that can be. What
/// goes on in another line begins below the second column of the text, or below its first letter.
fn wrapped(text: &str, width: u16) -> Vec<String> {
    let width = usize::from(width.max(1));
    let mut lines = Vec::new();
    for line in text.lines() {
        let body = line.trim_start_matches(' ');
        let indent = line.len() - body.len();
        let second = body.find("  ").map(|end| {
            let rest = body[end..].trim_start_matches(' ');
            indent + body[..body.len() - rest.len()].chars().count()
        });
        let hang = second.filter(|column| 2 * column <= width).unwrap_or(indent);
        let (mut now, mut is_first) = (" ".repeat(indent), true);
        for word in body.split(' ') {
            if !is_first && now.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut now, " ".repeat(hang)));
                is_first = true;
            }
            if !is_first {
                now.push(' ');
            }
            now.push_str(word);
            is_first = false;
            // A word that is wider than a line goes on in the next.
            while now.chars().count() > width {
                let rest: String = now.chars().skip(width).collect();
                lines.push(now.chars().take(width).collect());
                now = rest;
            }
        }
        lines.push(now);
    }
    lines
}

/// The faces that dice show.
fn faces(round: &Round) -> Vec<u8> {
    let view = round.position().view();
    round.game().dice().filter_map(|die| view.die(die)).collect()
}

/// The dice that show something, as people see them.
fn dice(round: &Round) -> Option<Line<'static>> {
    let sign = |face: &u8| match FACES.get(usize::from(*face).wrapping_sub(1)) {
        Some(sign) => format!("{sign} {face}"),
        None => face.to_string(),
    };
    let shown: Vec<String> = faces(round).iter().map(sign).collect();
    (!shown.is_empty()).then(|| Line::from(format!("dice: {}", shown.join("  "))))
}

/// The same where there is little room.
fn thrown(round: &Round) -> String {
    let faces: Vec<String> = faces(round).iter().map(u8::to_string).collect();
    if faces.is_empty() { String::new() } else { format!(" {}", faces.join("-")) }
}

/// The tiles beside the board on which something stands, by their names.
fn trays(round: &Round) -> Vec<Line<'static>> {
    let game = round.game();
    let (view, places) = (round.position().view(), layout(game));
    let beside = |tile: &TileId| places.place(*tile).cell == Cell::Tray;
    let mut lines = Vec::new();
    for tile in game.tiles().filter(beside) {
        let mut spans = vec![Span::styled(format!("{}:", round.position().label(tile)), FAINT)];
        for (owner, kind) in game.players().flat_map(|owner| game.kinds().map(move |k| (owner, k)))
        {
            let count = view.count(tile, owner, kind);
            if count > 0 {
                let text = format!(" {}", counted(round.paint.sign(game, owner, kind), count));
                spans.push(Span::styled(text, ink(round, owner)));
            }
        }
        if spans.len() > 1 {
            lines.push(Line::from(spans));
        }
    }
    lines
}

fn ink(round: &Round, player: PlayerId) -> Style {
    let back = body(round.game(), player);
    Style::new().bg(back).fg(ink_on(back))
}

fn counted(sign: char, count: usize) -> String {
    if count == 1 { sign.to_string() } else { format!("{sign}{count}") }
}

/// What pieces are that stand nowhere: to be put, where a rule puts pieces; lost, where they fight;
/// and where they race by dice, taken home as likely as not.
fn whereabouts(game: &Game) -> &'static str {
    fn puts(phase: &Phase) -> bool {
        let put = |rule: &Rule| matches!(rule.wants, Wanted::Put(_));
        phase.rules.iter().any(put) || phase.phases.iter().any(puts)
    }
    match (game.definition().phases.iter().any(puts), game.dice().next()) {
        (true, _) => "in hand",
        (false, None) => "is missing",
        (false, Some(_)) => "off the board",
    }
}

/// The pieces of a player that are not on the board: taken from it, or not yet on it.
fn off_board(round: &Round, player: PlayerId) -> Option<Line<'static>> {
    let game = round.game();
    let view = round.position().view();
    let mut signs: Vec<(char, usize)> = Vec::new();
    for state in game.pieces().map(|piece| view.piece(piece)) {
        // What there is without end is not worth counting.
        let endless = game.definition().kinds[state.kind.index()].supply == Supply::Unlimited;
        if state.owner != player || state.tile.is_some() || endless {
            continue;
        }
        let sign = round.paint.sign(game, player, state.kind);
        match signs.iter_mut().find(|(known, _)| *known == sign) {
            Some((_, count)) => *count += 1,
            None => signs.push((sign, 1)),
        }
    }
    if signs.is_empty() {
        return None;
    }
    let what = whereabouts(game);
    let shown = signs.iter().map(|(sign, count)| counted(*sign, *count));
    let shown: Vec<String> = shown.collect();
    let label = format!("{} {what}: ", game.player_name(player));
    Some(Line::from(vec![
        Span::styled(label, FAINT),
        Span::styled(shown.join(" "), ink(round, player)),
    ]))
}

/// The number of the first move: that of the position it was played in, where the game counts moves.
fn first_number(round: &Round) -> usize {
    let game = round.game();
    let Some(variable) = game.variable("move") else { return 1 };
    let first = round.played.start();
    let view = first.view();
    usize::try_from(view.variable(variable, view.player())).unwrap_or(1)
}

/// The moves so far; those taken back are faint.
fn draw_moves(round: &Round, frame: &mut Frame<'_>, area: Rect) {
    let game = round.game();
    let first = game.players().next().map(|player| game.player_name(player));
    // A turn with dice has many events and a line of its own.
    let alone = game.dice().next().is_some();
    let mut lines: Vec<Line<'_>> = Vec::new();
    let begins = first_number(round);
    for (at, Entry { player, text, .. }) in round.list.iter().enumerate() {
        let style = if at < round.played.ply() { Style::new() } else { FAINT };
        let before = at.checked_sub(1).map(|before| round.list[before].player.as_str());
        let turns = before != Some(player);
        if lines.is_empty() || turns && (alone || Some(player.as_str()) == first) {
            let number = format!("{:>3}. ", begins + lines.len());
            lines.push(Line::from(Span::styled(number, FAINT)));
            if !alone
                && Some(player.as_str()) != first
                && let Some(line) = lines.last_mut()
            {
                line.push_span(Span::styled(format!("{:<7} ", "..."), FAINT));
            }
            if alone && let Some(line) = lines.last_mut() {
                line.push_span(Span::styled(format!("{player} "), FAINT));
            }
        }
        let text = if alone { format!("{text} ") } else { format!("{text:<7} ") };
        if let Some(line) = lines.last_mut() {
            line.push_span(Span::styled(text, style));
        }
    }
    let block = Block::bordered().title(" moves ");
    let room = usize::from(area.height.saturating_sub(2));
    let hidden = lines.len().saturating_sub(room);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(hidden).collect();
    frame.render_widget(Paragraph::new(Text::from(shown)).block(block), area);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_text_stay_columns_where_it_is_wrapped() {
        let text = "Play\n  a move, Enter    type it as the game writes it";
        let lines = wrapped(text, 38);
        let wanted =
            ["Play", "  a move, Enter    type it as the game", "                   writes it"];
        assert_eq!(lines, wanted);
        assert_eq!(wrapped("  one two", 7), ["  one", "  two"]);
        assert_eq!(wrapped("abcdef", 4), ["abcd", "ef"]);
    }
}
