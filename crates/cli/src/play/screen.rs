//! A full screen: keys and clicks in, a drawn round out.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
    MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::crossterm::execute;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::{DefaultTerminal, Frame};

use super::board::Board;
use super::panel;
use super::round::{Next, Round};
use crate::failure::Failure;

/// How wide the column beside the board is, by the least width of the screen.
const PANELS: [(u16, u16); 3] = [(72, 32), (60, 22), (0, 0)];

/// How many rows are left for what is said and typed, by the least height of the screen.
const FEET: [(u16, u16); 3] = [(20, 4), (14, 3), (0, 2)];

/// How long keys are waited for before the screen is drawn again while an opponent thinks.
const BEAT: Duration = Duration::from_millis(80);

/// Plays a round on the whole screen, which is as before when it ends.
pub(super) fn run(round: &mut Round) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init()?;
    let caught = execute!(io::stdout(), EnableMouseCapture);
    let done = caught.and_then(|()| follow(&mut terminal, round));
    let freed = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    done.and(freed)?;
    round.close()
}

fn follow(terminal: &mut DefaultTerminal, round: &mut Round) -> io::Result<()> {
    loop {
        round.wait();
        terminal.draw(|frame| draw(round, frame))?;
        if round.is_waiting() && !event::poll(BEAT)? {
            continue;
        }
        let whole = terminal.size()?.into();
        let board = board(round, whole);
        let next = match event::read()? {
            event::Event::Key(key) if key.kind != KeyEventKind::Release => {
                press(round, &board, key)
            }
            event::Event::Mouse(mouse) => click(round, &board, parts(whole)[1], mouse),
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

/// The parts of a screen: board, column beside it, foot.
fn parts(whole: Rect) -> [Rect; 3] {
    let fits = |sizes: [(u16, u16); 3], size: u16| {
        sizes.into_iter().find(|(least, _)| size >= *least).map_or(0, |(_, wanted)| wanted)
    };
    let (panel, foot) = (fits(PANELS, whole.width), fits(FEET, whole.height));
    let [top, foot] = Layout::vertical([Constraint::Min(1), Constraint::Length(foot)]).areas(whole);
    let [board, beside] =
        Layout::horizontal([Constraint::Min(1), Constraint::Length(panel)]).areas(top);
    [board, beside, foot]
}

fn board(round: &Round, whole: Rect) -> Board {
    Board::new(round.game(), round.flipped, parts(whole)[0])
}

fn draw(round: &Round, frame: &mut Frame<'_>) {
    let [_, beside, foot] = parts(frame.area());
    let board = board(round, frame.area());
    match board.fits() {
        true => board.draw(round, frame.buffer_mut()),
        false => panel::draw_excuse(frame, parts(frame.area())[0]),
    }
    if beside.width > 0 {
        panel::draw(round, frame, beside);
    }
    panel::draw_foot(round, frame, foot, beside.width == 0);
    if round.help {
        panel::draw_help(frame);
    }
    round.paint.reduce(frame.buffer_mut());
}

fn press(round: &mut Round, board: &Board, key: KeyEvent) -> Next {
    if std::mem::take(&mut round.help) {
        return Next::Stay;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return press_control(round, key.code);
    }
    match key.code {
        KeyCode::Enter => return round.enter(),
        KeyCode::Char(' ') if round.typed.is_empty() => return round.enter(),
        KeyCode::Char('?') if round.typed.is_empty() => round.help = true,
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
            round.help = false;
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

/// Moves the tile that the keys are at.
fn step(round: &mut Round, board: &Board, way: (i32, i32)) {
    let first = round.first_of_mover();
    let from = round.cursor;
    round.cursor = Some(from.map_or(first, |from| board.beside(round.game(), from, way)));
}
