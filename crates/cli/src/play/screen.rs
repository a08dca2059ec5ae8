//! A full screen: keys and clicks in, a drawn round out.

use std::io;

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

/// How wide the column beside the board is.
const PANEL: u16 = 32;

/// How many rows are left for what is said and typed.
const FOOT: u16 = 4;

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
        terminal.draw(|frame| draw(round, frame))?;
        if round.is_waiting() {
            round.let_opponent_play();
            continue;
        }
        let board = board(round, terminal.size()?.into());
        let next = match event::read()? {
            event::Event::Key(key) if key.kind != KeyEventKind::Release => {
                press(round, &board, key)
            }
            event::Event::Mouse(mouse) => click(round, &board, mouse),
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
    let [top, foot] = Layout::vertical([Constraint::Min(1), Constraint::Length(FOOT)]).areas(whole);
    let [board, beside] =
        Layout::horizontal([Constraint::Min(1), Constraint::Length(PANEL)]).areas(top);
    [board, beside, foot]
}

fn board(round: &Round, whole: Rect) -> Board {
    Board::new(round.game(), round.flipped, parts(whole)[0])
}

fn draw(round: &Round, frame: &mut Frame<'_>) {
    let [_, beside, foot] = parts(frame.area());
    board(round, frame.area()).draw(round, frame.buffer_mut());
    panel::draw(round, frame, beside);
    panel::draw_foot(round, frame, foot);
    if round.help {
        panel::draw_help(frame);
    }
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

fn click(round: &mut Round, board: &Board, mouse: MouseEvent) -> Next {
    if mouse.kind == MouseEventKind::Down(MouseButton::Left) {
        round.help = false;
        if let Some(tile) = board.tile_at(round.game(), mouse.column, mouse.row) {
            round.touch(tile);
        }
    }
    Next::Stay
}

/// Moves the tile that the keys are at.
fn step(round: &mut Round, board: &Board, way: (i32, i32)) {
    let first = round.first_of_mover();
    let from = round.cursor;
    round.cursor = Some(from.map_or(first, |from| board.beside(round.game(), from, way)));
}
