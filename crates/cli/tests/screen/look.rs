//! How the screen looks: colours, signs, and terminals that lack them.

use portable_pty::PtySize;
use vt100::Color;

use crate::terminal::{SIZE, Terminal};

/// How well the sign of a cell is read, as the Web Content Accessibility Guidelines measure it.
fn contrast(cell: &vt100::Cell) -> f64 {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let bright = |color: Color| match color {
        Color::Rgb(red, green, blue) => {
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05
        }
        other => panic!("{other:?} is no colour of its own"),
    };
    let (ink, back) = (bright(cell.fgcolor()), bright(cell.bgcolor()));
    ink.max(back) / ink.min(back)
}

/// The cells of a screen that show a sign of a list.
fn cells<'s>(screen: &'s vt100::Screen, signs: &str) -> Vec<&'s vt100::Cell> {
    let (rows, columns) = screen.size();
    let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let all = all.filter_map(|(row, column)| screen.cell(row, column));
    all.filter(|cell| !cell.contents().is_empty() && signs.contains(cell.contents())).collect()
}

#[test]
fn every_piece_is_read_at_4_5_to_1() {
    for (game, moves, signs, count) in [
        // On a large screen pieces are figures of blocks, of which each has many cells.
        ("chess", "e4\rd5\r", "♚♛♜♝♞♟▌▐▛▜▙▟", 32),
        ("tic-tac-toe", "b2\ra1\r", "✕◯▌▐▛▜▙▟", 2),
        ("backgammon", "\r", "●", 30),
    ] {
        for (rows, cols) in [(36, 100), (24, 80), (60, 200)] {
            let size = PtySize { rows, cols, ..SIZE };
            let mut terminal = Terminal::open_sized(size, &["play", game, "--seed", "3"]);
            terminal.see("> ");
            terminal.send(moves);
            terminal.settle();
            let pieces = cells(terminal.screen.screen(), signs);
            assert!(pieces.len() >= count, "{game} on {cols} by {rows}");
            for piece in pieces {
                let found = contrast(piece);
                assert!(found >= 4.5, "{game}: {} at {found}", piece.contents());
            }
            terminal.send("\x03");
            terminal.end();
        }
    }
}

#[test]
fn a_board_that_turns_keeps_its_size() {
    let size = PtySize { rows: 30, cols: 110, ..SIZE };
    let mut terminal = Terminal::open_sized(size, &["play", "backgammon", "--seed", "3"]);
    terminal.see("white to roll");
    terminal.settle();
    // A checker is two rows high and has a frame.
    let frames = |terminal: &Terminal| cells(terminal.screen.screen(), "▗").len();
    let before = frames(&terminal);
    terminal.send("\x06");
    terminal.settle();
    assert_eq!((before, frames(&terminal)), (30, 30));
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn sides_differ_without_colour() {
    let open = |game| Terminal::open_in(SIZE, &[("NO_COLOR", "1")], &["play", game]);
    let mut terminal = open("chess");
    terminal.see("white to move");
    terminal.settle();
    let screen = terminal.screen.screen();
    assert_eq!((cells(screen, "♜").len(), cells(screen, "♖").len()), (2, 2));
    assert!(cells(screen, "♜♖").iter().all(|cell| cell.bgcolor() == Color::Default));
    terminal.send("\x03");
    terminal.end();
    let mut terminal = open("backgammon");
    terminal.see("to roll");
    terminal.settle();
    let screen = terminal.screen.screen();
    assert_eq!((cells(screen, "●").len(), cells(screen, "○").len()), (15, 15));
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_terminal_without_unicode_is_drawn_in_ascii() {
    let mut terminal = Terminal::open_in(SIZE, &[("LC_ALL", "C")], &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let shown = terminal.screen.screen().contents();
    assert!(shown.is_ascii(), "{shown}");
    let screen = terminal.screen.screen();
    assert!(cells(screen, "N").len() >= 2 && cells(screen, "n").len() >= 2, "{shown}");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn colours_are_those_that_the_terminal_has() {
    let mut terminal = Terminal::open_in(SIZE, &[], &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let pieces = cells(terminal.screen.screen(), "♚♛♜♝♞♟");
    assert_eq!(pieces.len(), 32);
    assert!(pieces.iter().all(|cell| matches!(cell.bgcolor(), Color::Idx(_))));
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn squares_keep_their_colours_when_the_board_turns() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    let at = |name: &str| Terminal::corner(name);
    let (first, second) =
        (terminal.behind(at("a1").0, at("a1").1), terminal.behind(at("a2").0, at("a2").1));
    assert_ne!(first, second);
    terminal.send("\x06");
    // a1 is now where h8 was.
    assert_eq!(terminal.behind(at("h8").0, at("h8").1), first);
    assert_eq!(terminal.behind(at("h7").0, at("h7").1), second);
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn pieces_are_pictures_of_kitty_where_the_terminal_shows_them() {
    let mut terminal = Terminal::open_in(SIZE, &[("TERM", "xterm-kitty")], &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    assert!(cells(terminal.screen.screen(), "♚♛♜♝♞♟").is_empty(), "signs are not needed");
    // A picture of each kind and side is sent once, as PNG, and placed for each piece.
    let (sent, placed) = ("\x1b_Ga=t,f=100,", "\x1b_Ga=p,");
    assert_eq!((terminal.times(sent), terminal.times(placed)), (12, 32));
    assert_eq!(terminal.times(";iVBORw0KGgo"), 12, "PNG");
    terminal.send("e4\r");
    terminal.see("black to move");
    terminal.settle();
    assert_eq!((terminal.times(sent), terminal.times(placed)), (12, 64));
    // Pictures would be seen through the help.
    let taken_away = terminal.times("\x1b_Ga=d,d=a,");
    terminal.send("?");
    terminal.see("any key closes it");
    terminal.settle();
    assert_eq!(terminal.times("\x1b_Ga=d,d=a,"), taken_away + 1);
    assert_eq!(terminal.times(placed), 64);
    terminal.send("\x1b");
    terminal.settle();
    assert_eq!(terminal.times(placed), 96);
    terminal.send("\x03");
    terminal.settle();
    assert_eq!(terminal.times("\x1b_Ga=d,d=A,"), 1, "all are gone in the end");
    terminal.end();
}

#[test]
fn pieces_are_sixels_where_they_are_asked_for() {
    let arguments = ["play", "chess", "--pictures", "sixel"];
    let mut terminal = Terminal::open(&arguments);
    terminal.see("white to move");
    terminal.settle();
    let picture = "\x1bP0;1;0q";
    assert_eq!(terminal.times(picture), 32);
    terminal.send("e4\r");
    terminal.see("black to move");
    terminal.settle();
    // Only what changed is drawn again.
    assert_eq!(terminal.times(picture), 33);
    terminal.send("\x03");
    terminal.end();
    let off = ["play", "chess", "--pictures", "off"];
    let mut terminal = Terminal::open_in(SIZE, &[("TERM", "xterm-kitty")], &off);
    terminal.see("white to move");
    terminal.settle();
    assert_eq!((terminal.times(picture), terminal.times("\x1b_G")), (0, 0));
    assert_eq!(cells(terminal.screen.screen(), "♚♛♜♝♞♟").len(), 32);
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn pieces_are_figures_where_the_cells_are_large() {
    let large = PtySize { rows: 60, cols: 200, ..SIZE };
    let mut terminal = Terminal::open_sized(large, &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let screen = terminal.screen.screen();
    assert!(cells(screen, "♚♛♜♝♞♟").is_empty(), "signs of one cell are too small here");
    // The figures of White are white, those of Black are not.
    let white = Color::Rgb(0xfd, 0xfb, 0xf5);
    let blocks = cells(screen, "█▛▜▙▟");
    let of_white = blocks.iter().filter(|cell| cell.fgcolor() == white).count();
    assert!(of_white > 100 && blocks.len() > of_white + 100, "{of_white} of {}", blocks.len());
    terminal.send("\x03");
    terminal.end();
}
