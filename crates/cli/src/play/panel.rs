//! What stands beside the board: whose turn it is, dice, pieces off the board, the moves, and the
//! words that can be said.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use senet_core::{Game, Phase, PlayerId, Rule, TileId, Wanted};
use senet_render::{Cell, Layout as Places};

use super::paint::{body, ink_on};
use super::round::{Entry, Round};

// What stands beside the board is in the terminal's own colours, which its theme makes readable.
const GOOD: Color = Color::Green;
const BAD: Color = Color::Red;
const FAINT: Style = Style::new().add_modifier(Modifier::DIM);

const HELP: &str = "\
Play
  a move, Enter    type it as the game writes it
  arrows, Enter    select a piece, then a tile
  mouse            click or drag
  Enter            roll, where dice are awaited
  words in [ ]     type or click them

See
  why MOVE         why it is accepted or refused
  moves            every legal move
  Ctrl-F, flip     the board from the other side

Go
  Ctrl-Z, undo     take the last move back
  Ctrl-Y, redo     play it again
  save FILE        save the match
  Esc              let go of what is selected
  Ctrl-C, quit     end";

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

/// How many rows a line takes.
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
    let (game, notation) = (round.game(), round.context.edition.notation);
    let mut facts = vec![
        Line::styled(game.name().to_owned(), Modifier::BOLD),
        Line::styled(turn(round), Style::new().fg(GOOD)),
    ];
    facts.extend(dice(round));
    let told = notation.facts(game, round.state()).into_iter();
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
    let text = Paragraph::new(round.notice.text.as_str()).style(Style::new().fg(color));
    frame.render_widget(text.wrap(Wrap { trim: true }), said);
    let mut prompt = match narrow {
        true => format!("{}{}> ", turn(round), thrown(round)),
        false => format!("{}> ", round.context.player()),
    };
    if prompt.chars().count() > usize::from(area.width / 2) {
        prompt = "> ".to_owned();
    }
    let cursor = typed.x + (prompt.chars().count() + round.typed.chars().count()) as u16;
    let hint = if round.typed.is_empty() { "  ? help" } else { "" };
    let line = Line::from(vec![
        Span::styled(prompt, Modifier::BOLD),
        Span::raw(round.typed.as_str()),
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

/// Draws the help over everything.
pub(super) fn draw_help(frame: &mut Frame<'_>) {
    let whole = frame.area();
    let (width, height) =
        (52.min(whole.width), (HELP.lines().count() as u16 + 2).min(whole.height));
    let (x, y) = ((whole.width - width) / 2, (whole.height - height) / 2);
    let area = Rect { x, y, width, height };
    frame.render_widget(Clear, area);
    frame.render_widget(
        Paragraph::new(HELP).block(Block::bordered().title(" help: any key closes it ")),
        area,
    );
}

/// The faces that dice show.
fn faces(round: &Round) -> Vec<u8> {
    let view = round.game().view(round.state());
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
    let (view, places) = (game.view(round.state()), Places::of(game));
    let beside = |tile: &TileId| places.place(*tile).cell == Cell::Tray;
    let mut lines = Vec::new();
    for tile in game.tiles().filter(beside) {
        let mut spans = vec![Span::styled(format!("{}:", round.context.label(tile)), FAINT)];
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
        (false, None) => "has lost",
        (false, Some(_)) => "off the board",
    }
}

/// The pieces of a player that are not on the board: taken from it, or not yet on it.
fn off_board(round: &Round, player: PlayerId) -> Option<Line<'static>> {
    let game = round.game();
    let view = game.view(round.state());
    let mut signs: Vec<(char, usize)> = Vec::new();
    for piece in game.pieces().filter(|piece| game.owner(*piece) == player) {
        let state = view.piece(piece);
        if state.tile.is_some() {
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

/// The moves so far; those taken back are faint.
fn draw_moves(round: &Round, frame: &mut Frame<'_>, area: Rect) {
    let game = round.game();
    let first = game.players().next().map(|player| game.player_name(player));
    // A turn with dice has many events and a line of its own.
    let alone = game.dice().next().is_some();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (at, Entry { player, text, .. }) in round.list.iter().enumerate() {
        let style = if at < round.played.ply() { Style::new() } else { FAINT };
        let before = at.checked_sub(1).map(|before| round.list[before].player.as_str());
        let turns = before != Some(player);
        if lines.is_empty() || turns && (alone || Some(player.as_str()) == first) {
            let number = format!("{:>3}. ", lines.len() + 1);
            lines.push(Line::from(Span::styled(number, FAINT)));
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
