//! A full screen: keys and clicks in, a drawn round out.

use std::io;
use std::time::{Duration, Instant};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
    MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::crossterm::terminal::{Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{self, execute};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::{DefaultTerminal, Frame, Terminal, TerminalOptions, Viewport};

use super::board::Board;
use super::graphic::{Graphics, Placed};
use super::panel;
use super::round::{Next, Overlay, Round};
use super::signal::Signals;
use crate::failure::Failure;

/// How wide the column beside the board is, by the least width of the screen.
const PANELS: [(u16, u16); 3] = [(72, 32), (60, 22), (0, 0)];

/// How many rows are left for what is said and typed, by the least height of the screen.
const FEET: [(u16, u16); 3] = [(20, 4), (14, 3), (0, 2)];

/// How many columns and rows are drawn at most.
const MOST: (u16, u16) = (500, 200);

/// How wide the column beside the board is at most.
const WIDEST: u16 = 60;

/// How long keys are waited for before signals are looked at.
const PAUSE: Duration = Duration::from_millis(200);

/// How long keys are waited for before the screen is drawn again while an opponent thinks, and how long
/// it may stay as it is while more keys come.
const BEAT: Duration = Duration::from_millis(80);

/// Plays a round on the whole screen, which is as before when it ends.
pub(super) fn run(round: &mut Round) -> Result<(), Failure> {
    let signals = Signals::new();
    let viewport = Viewport::Fixed(clamped(crossterm::terminal::size()?));
    let mut terminal = ratatui::try_init_with_options(TerminalOptions { viewport })?;
    let caught =
        execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture);
    let done = caught.and_then(|()| follow(&mut terminal, round, &signals));
    if let Some(graphics) = Graphics::new(round.paint) {
        let _ = graphics.clear(&mut io::stdout());
    }
    let freed = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen);
    ratatui::restore();
    // What was played is kept even where the terminal is gone: nobody has left that match.
    let kept = if signals.came() { round.keep() } else { round.close() };
    done.and(freed)?;
    kept?;
    signals.result()
}

/// The part of a terminal that is drawn on. Some say that they have billions of cells.
fn clamped((columns, rows): (u16, u16)) -> Rect {
    Rect { x: 0, y: 0, width: columns.min(MOST.0), height: rows.min(MOST.1) }
}

fn follow(terminal: &mut DefaultTerminal, round: &mut Round, signals: &Signals) -> io::Result<()> {
    let mut graphics = Graphics::new(round.paint);
    let mut last: Option<Instant> = None;
    loop {
        if signals.came() {
            return Ok(());
        }
        round.wait();
        // Input that waits already is answered first, so that drawing never falls behind typing.
        let is_recent = last.is_some_and(|last| last.elapsed() < BEAT);
        if !(is_recent && event::poll(Duration::ZERO)?) {
            show(terminal, round, graphics.as_mut())?;
            last = Some(Instant::now());
        }
        let pause = if round.is_waiting() { BEAT } else { PAUSE };
        while !event::poll(pause)? {
            if round.is_waiting() || signals.came() {
                break;
            }
        }
        if !event::poll(Duration::ZERO)? {
            continue;
        }
        let whole = clamped(crossterm::terminal::size()?);
        let [area, beside, _] = parts(round, whole);
        let board = Board::new(round.game(), round.flipped, area);
        let next = match event::read()? {
            event::Event::Key(key) if key.kind != KeyEventKind::Release => {
                press(round, &board, key)
            }
            event::Event::Mouse(mouse) => click(round, &board, beside, mouse),
            event::Event::Resize(columns, rows) => {
                // A terminal of a fixed size asks where the cursor is when it changes, and not
                // every terminal answers.
                let viewport = Viewport::Fixed(clamped((columns, rows)));
                let backend = CrosstermBackend::new(io::stdout());
                *terminal = Terminal::with_options(backend, TerminalOptions { viewport })?;
                execute!(io::stdout(), Clear(ClearType::All))?;
                if let Some(graphics) = &mut graphics {
                    graphics.clear(&mut io::stdout())?;
                }
                graphics = Graphics::new(round.paint);
                Next::Stay
            }
            event::Event::Paste(text) => {
                round.typed.push_str(text.trim());
                Next::Stay
            }
            _ => Next::Stay,
        };
        if next == Next::Leave {
            return Ok(());
        }
    }
}

/// Draws the screen, and the pictures on it.
fn show(
    terminal: &mut DefaultTerminal,
    round: &Round,
    graphics: Option<&mut Graphics>,
) -> io::Result<()> {
    let drawn = terminal.draw(|frame| draw(round, frame))?;
    if let Some(graphics) = graphics {
        let pictures = pictures(round, drawn.area);
        graphics.show(round.game(), pictures, drawn.buffer, &mut io::stdout())?;
    }
    Ok(())
}

/// The parts of a screen: board, column beside it, foot.
fn parts(round: &Round, whole: Rect) -> [Rect; 3] {
    let fits = |sizes: [(u16, u16); 3], size: u16| {
        sizes.into_iter().find(|(least, _)| size >= *least).map_or(0, |(_, wanted)| wanted)
    };
    let (panel, foot) = (fits(PANELS, whole.width), fits(FEET, whole.height));
    let [top, foot] = Layout::vertical([Constraint::Min(1), Constraint::Length(foot)]).areas(whole);
    let [board, beside] =
        Layout::horizontal([Constraint::Min(1), Constraint::Length(panel)]).areas(top);
    // On a wide screen the column stands beside the board, not at the far edge, and takes the room.
    let right = Board::new(round.game(), round.flipped, board).right() + 3;
    let gap = beside.x.saturating_sub(right);
    let board = Rect { width: board.width - gap.min(board.width), ..board };
    let wide = (beside.width + gap).min(if panel == 0 { 0 } else { WIDEST });
    let beside = Rect { x: beside.x - gap, width: wide, ..beside };
    [board, beside, foot]
}

/// The pictures of a screen of a size; none where something is over the board.
fn pictures(round: &Round, whole: Rect) -> Vec<Placed> {
    let [area, ..] = parts(round, whole);
    let board = Board::new(round.game(), round.flipped, area);
    match round.overlay.is_none() && board.fits() {
        true => board.pictures(round),
        false => Vec::new(),
    }
}

fn draw(round: &Round, frame: &mut Frame<'_>) {
    let [area, beside, foot] = parts(round, frame.area());
    let board = Board::new(round.game(), round.flipped, area);
    match board.fits() {
        true => board.draw(round, frame.buffer_mut()),
        false => panel::draw_excuse(frame, area),
    }
    if beside.width > 0 {
        panel::draw(round, frame, beside);
    }
    panel::draw_foot(round, frame, foot, beside.width == 0);
    if let Some(overlay) = &round.overlay {
        panel::draw_overlay(overlay, frame);
    }
    round.paint.reduce(frame.buffer_mut());
}

fn press(round: &mut Round, board: &Board, key: KeyEvent) -> Next {
    if let Some(overlay) = round.overlay.take() {
        round.overlay = scrolled(overlay, key.code);
        return Next::Stay;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return press_control(round, key.code);
    }
    match key.code {
        KeyCode::Enter => return round.enter(),
        KeyCode::Char(' ') if round.typed.is_empty() => return round.enter(),
        KeyCode::Char('?') if round.typed.is_empty() => round.help(),
        KeyCode::Tab => round.expand(),
        KeyCode::Char(letter) if round.typed.len() < 200 => round.typed.push(letter),
        KeyCode::Backspace => drop(round.typed.pop()),
        KeyCode::Esc => {
            round.typed.clear();
            round.let_go();
        }
        KeyCode::Left => step(round, board, (-1, 0)),
        KeyCode::Right => step(round, board, (1, 0)),
        KeyCode::Up => step(round, board, (0, -1)),
        KeyCode::Down => step(round, board, (0, 1)),
        KeyCode::PageUp => round.undo(),
        KeyCode::PageDown => round.redo(),
        _ => {}
    }
    Next::Stay
}

fn press_control(round: &mut Round, code: KeyCode) -> Next {
    match code {
        KeyCode::Char('c' | 'q' | 'd') => return Next::Leave,
        KeyCode::Char('z') => round.undo(),
        KeyCode::Char('y' | 'r') => round.redo(),
        KeyCode::Char('f') => round.flipped = !round.flipped,
        KeyCode::Char('u') => round.typed.clear(),
        _ => {}
    }
    Next::Stay
}

fn click(round: &mut Round, board: &Board, beside: Rect, mouse: MouseEvent) -> Next {
    let (column, row) = (mouse.column, mouse.row);
    let tile = board.tile_at(round.game(), column, row);
    match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            round.overlay = None;
            if let Some(tile) = tile {
                round.touch(tile);
            } else if let Some(word) = panel::word_at(round, beside, column, row) {
                round.typed = word;
                return round.enter();
            }
        }
        // A piece that was taken with the mouse is put down where it is let go.
        MouseEventKind::Up(MouseButton::Left) if round.marks.selected == round.cursor => {
            let elsewhere = tile.filter(|_| round.cursor.is_some() && tile != round.cursor);
            if let Some(tile) = elsewhere {
                round.touch(tile);
            }
        }
        MouseEventKind::Down(MouseButton::Right) => round.let_go(),
        _ => {}
    }
    Next::Stay
}

/// A text over everything, further up or down; none for a key that closes it.
fn scrolled(overlay: Overlay, key: KeyCode) -> Option<Overlay> {
    let by: i32 = match key {
        KeyCode::Up => -1,
        KeyCode::Down => 1,
        KeyCode::PageUp => -8,
        KeyCode::PageDown | KeyCode::Char(' ') => 8,
        KeyCode::Home => i32::from(i16::MIN),
        KeyCode::End => i32::from(i16::MAX),
        _ => return None,
    };
    let size = crossterm::terminal::size().map(clamped).unwrap_or_default();
    let last = panel::last_line(&overlay, size);
    let first = (i32::from(overlay.first) + by).clamp(0, i32::from(last));
    Some(Overlay { first: first as u16, ..overlay })
}

/// Moves the tile that the keys are at.
fn step(round: &mut Round, board: &Board, way: (i32, i32)) {
    let first = round.first_of_mover();
    let from = round.cursor;
    round.cursor = Some(from.map_or(first, |from| board.beside(round.game(), from, way)));
}
