//! What stands beside the board: whose turn it is, dice, pieces off the board, the moves.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use senet_core::{PlayerId, Share};
use senet_render::{color, glyph};

use super::round::Round;

const FAINT: Color = Color::Rgb(150, 150, 150);
const GOOD: Color = Color::Rgb(120, 200, 150);
const BAD: Color = Color::Rgb(240, 110, 100);

const HELP: &str = "\
Play
  type a move, Enter      in the notation of the game
  arrows, Enter           select a piece, then a tile
  mouse                   the same with a click
  Enter                   rolls where dice are awaited

See
  why MOVE                why a move is accepted or refused
  moves                   every legal move
  Ctrl-F or flip          the board from the other side

Go
  Ctrl-Z or undo          take the last move back
  Ctrl-Y or redo          play it again
  save FILE               save the match
  Esc                     let go of what is selected
  Ctrl-C or quit          end

Any key closes this.";

/// The dice as people see them.
const FACES: [&str; 6] = ["⚀", "⚁", "⚂", "⚃", "⚄", "⚅"];

/// Draws the column beside the board.
pub(super) fn draw(round: &Round, frame: &mut Frame<'_>, area: Rect) {
    let mut facts = vec![
        Line::styled(round.game().name().to_owned(), Modifier::BOLD),
        Line::styled(round.turn(), Style::new().fg(GOOD)),
    ];
    facts.extend(dice(round));
    facts.extend(numbers(round));
    facts.extend(round.game().players().filter_map(|player| off_board(round, player)));
    facts.push(Line::default());
    let rows = [Constraint::Length(facts.len() as u16), Constraint::Min(3)];
    let [top, rest] = Layout::vertical(rows).areas(area);
    frame.render_widget(Paragraph::new(Text::from(facts)), top);
    draw_moves(round, frame, rest);
}

/// Draws what is said and what is typed.
pub(super) fn draw_foot(round: &Round, frame: &mut Frame<'_>, area: Rect) {
    let [said, typed] = Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(area);
    let color = if round.notice.is_refusal { BAD } else { Color::Reset };
    let text = Paragraph::new(round.notice.text.as_str()).style(Style::new().fg(color));
    frame.render_widget(text.wrap(Wrap { trim: true }), said);
    let prompt = format!("{}> ", round.context.player());
    let cursor = typed.x + (prompt.chars().count() + round.typed.chars().count()) as u16;
    let hint = if round.typed.is_empty() { "  ? help" } else { "" };
    let line = Line::from(vec![
        Span::styled(prompt, Modifier::BOLD),
        Span::raw(round.typed.as_str()),
        Span::styled(hint, Style::new().fg(FAINT)),
    ]);
    frame.render_widget(Paragraph::new(line), typed);
    frame.set_cursor_position((cursor.min(typed.right().saturating_sub(1)), typed.y));
}

/// Draws the help over everything.
pub(super) fn draw_help(frame: &mut Frame<'_>) {
    let whole = frame.area();
    let (width, height) =
        (60.min(whole.width), (HELP.lines().count() as u16 + 2).min(whole.height));
    let (x, y) = ((whole.width - width) / 2, (whole.height - height) / 2);
    let area = Rect { x, y, width, height };
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(HELP).block(Block::bordered().title(" help ")), area);
}

/// The dice that show something.
fn dice(round: &Round) -> Option<Line<'static>> {
    let game = round.game();
    let view = game.view(round.state());
    let shown: Vec<String> = game
        .dice()
        .filter_map(|die| view.die(die))
        .map(|face| match FACES.get(usize::from(face).wrapping_sub(1)) {
            Some(sign) => format!("{sign} {face}"),
            None => face.to_string(),
        })
        .collect();
    (!shown.is_empty()).then(|| Line::from(format!("dice: {}", shown.join("  "))))
}

/// The numbers that a game keeps and that are not what they were at the start.
fn numbers(round: &Round) -> Vec<Line<'static>> {
    let game = round.game();
    let view = game.view(round.state());
    let written = game.variables().zip(&game.definition().variables);
    let mut lines = Vec::new();
    for (variable, written) in written {
        let mut players = game.players();
        let values: Vec<(PlayerId, i64)> = match written.share {
            Share::PerPlayer => players.map(|one| (one, view.variable(variable, one))).collect(),
            Share::Common => {
                players.next().map(|one| (one, view.variable(variable, one))).into_iter().collect()
            }
        };
        if values.iter().all(|(_, value)| *value == written.start) {
            continue;
        }
        let told = values.iter().map(|(player, value)| match written.share {
            Share::PerPlayer => format!("{} {value}", game.player_name(*player)),
            Share::Common => value.to_string(),
        });
        let told: Vec<String> = told.collect();
        lines.push(Line::styled(
            format!("{}: {}", written.name, told.join(", ")),
            Style::new().fg(FAINT),
        ));
    }
    lines
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
        let sign = glyph(game, player, state.kind);
        match signs.iter_mut().find(|(known, _)| *known == sign) {
            Some((_, count)) => *count += 1,
            None => signs.push((sign, 1)),
        }
    }
    if signs.is_empty() {
        return None;
    }
    let set_up = !game.definition().setup.is_empty();
    let what = if set_up { "captured" } else { "in hand" };
    let [red, green, blue] = color(game, player);
    let shown = signs.iter().map(|(sign, count)| match count {
        1 => sign.to_string(),
        count => format!("{sign}{count}"),
    });
    let shown: Vec<String> = shown.collect();
    let label = format!("{} {what}: ", game.player_name(player));
    Some(Line::from(vec![
        Span::styled(label, Style::new().fg(FAINT)),
        Span::styled(shown.join(" "), Style::new().fg(Color::Rgb(red, green, blue))),
    ]))
}

/// The moves so far; those taken back are faint.
fn draw_moves(round: &Round, frame: &mut Frame<'_>, area: Rect) {
    let first = round.game().players().next().map(|player| round.game().player_name(player));
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (at, (player, text)) in round.list.iter().enumerate() {
        let style = if at < round.played.ply() { Style::new() } else { Style::new().fg(FAINT) };
        let begins = Some(player.as_str()) == first
            && at.checked_sub(1).is_none_or(|before| round.list[before].0 != *player);
        if lines.is_empty() || begins {
            let number = format!("{:>3}. ", lines.len() + 1);
            lines.push(Line::from(Span::styled(number, Style::new().fg(FAINT))));
        }
        if let Some(line) = lines.last_mut() {
            line.push_span(Span::styled(format!("{text:<7} "), style));
        }
    }
    let block = Block::bordered().title(" moves ");
    let room = usize::from(area.height.saturating_sub(2));
    let hidden = lines.len().saturating_sub(room);
    let shown: Vec<Line<'_>> = lines.into_iter().skip(hidden).collect();
    frame.render_widget(Paragraph::new(Text::from(shown)).block(block), area);
}
