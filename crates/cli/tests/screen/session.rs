//! How a match is played on the screen, left, lost and found again.

use std::time::{Duration, Instant};

use portable_pty::PtySize;

use crate::terminal::{PATIENCE, SIZE, Terminal};

#[test]
fn black_sits_below_where_a_person_plays_black() {
    for (arguments, first) in [
        (["play", "chess", "--bot", "random", "--side", "black"].as_slice(), "h"),
        (&["play", "chess", "--flip"], "h"),
        (&["play", "chess"], "a"),
    ] {
        let mut terminal = Terminal::open(arguments);
        terminal.see("to move");
        terminal.settle();
        let (column, row) = Terminal::square("a1");
        let screen = terminal.screen.screen();
        let below = screen.cell(row + 2, column).expect("it is on the screen");
        assert_eq!(below.contents(), first, "{arguments:?}");
        terminal.send("\x03");
        terminal.end();
    }
}

#[test]
fn moves_are_numbered_as_the_position_says() {
    let position = "4k3/8/8/8/8/8/4p3/4K3 b - - 0 41";
    let mut terminal = Terminal::open(&["play", "chess", "--position", position]);
    terminal.see("black to move");
    terminal.send("Kd7\r");
    terminal.see("41. ...     Kd7");
    terminal.send("Kxe2\r");
    terminal.see("42. Kxe2");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    for (signal, code) in [("-TERM", 143), ("-HUP", 129)] {
        let kept = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("signalled.json");
        let arguments = ["play", "tic-tac-toe", "--force", "--save", kept.to_str().unwrap()];
        let mut terminal = Terminal::open(&arguments);
        terminal.see("x to move");
        terminal.send("b2\r");
        terminal.see("x: b2");
        let process = terminal.child.process_id().expect("it runs").to_string();
        let sent = std::process::Command::new("kill").args([signal, &process]).status();
        assert!(sent.expect("there is kill").success());
        let status = terminal.child.wait().expect("it ends");
        assert_eq!(status.exit_code(), code);
        terminal.settle();
        assert!(!terminal.screen.screen().alternate_screen(), "the screen is as before");
        assert!(std::fs::read_to_string(&kept).unwrap().contains("tic-tac-toe"));
    }
}

#[test]
fn what_does_not_fit_is_scrolled() {
    let small = PtySize { rows: 12, cols: 40, ..SIZE };
    let mut terminal = Terminal::open_sized(small, &["play", "chess"]);
    terminal.see("> ");
    terminal.send("?");
    terminal.see("help: ↑↓ scroll");
    terminal.send("\x1b[F");
    terminal.see("Ctrl-C, quit");
    terminal.send("\x1b");
    terminal.settle();
    terminal.send("Nd2\r");
    terminal.see("… (Tab)");
    terminal.send("\t");
    terminal.see("│reach d2");
    terminal.send("x");
    terminal.send("this is a long line that no small screen can show at once");
    terminal.see("can show at once");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn the_end_of_a_game_is_told_on_a_small_screen_and_after_it() {
    let small = PtySize { rows: 12, cols: 40, ..SIZE };
    let mut terminal = Terminal::open_sized(small, &["play", "tic-tac-toe"]);
    terminal.see("> ");
    for tile in ["b2", "a1", "b1", "a2", "b3"] {
        terminal.send(&format!("{tile}\r"));
    }
    terminal.see("x wins: three in a row");
    terminal.send("rematch\r");
    terminal.see("A new game.");
    terminal.send("b2\r");
    terminal.see("x: b2");
    terminal.send("quit\r");
    terminal.settle();
    terminal.see("tic-tac-toe: o to move");
    terminal.see("3/1x1/3 o");
    terminal.end();
}

#[test]
fn the_moves_stand_beside_the_board_on_a_wide_screen() {
    let wide = PtySize { rows: 40, cols: 200, ..SIZE };
    let mut terminal = Terminal::open_sized(wide, &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    let screen = terminal.screen.screen();
    let line = screen.rows(0, 200).find(|line| line.contains("white to move")).unwrap();
    let board = 3 + 8 * 8;
    let at = line.find("white to move").map(|at| line[..at].chars().count()).unwrap();
    assert!((board..board + 12).contains(&at), "it begins in column {at}");
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_person_is_asked_before_giving_up_and_a_draw_is_answered() {
    let mut terminal = Terminal::open(&["play", "chess"]);
    terminal.see("white to move");
    terminal.send("resign\r");
    terminal.see("resign: are you sure? Type yes or no.");
    terminal.send("no\r");
    terminal.see("The game goes on.");
    terminal.send("draw\r");
    terminal.see("white offers a draw: the other side types yes or no");
    terminal.send("yes\r");
    terminal.see("draw: agreement");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_match_that_a_crash_ended_is_played_on() {
    let state = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("crashed");
    let _ = std::fs::remove_dir_all(&state);
    let variables = [("XDG_STATE_HOME", state.to_str().unwrap())];
    let open = || Terminal::open_in(SIZE, &variables, &["play", "tic-tac-toe"]);
    let mut terminal = open();
    terminal.see("x to move");
    terminal.send("b2\r");
    terminal.see("x: b2");
    terminal.child.kill().expect("it runs");
    terminal.child.wait().expect("it ends");
    let mut terminal = open();
    terminal.see("type resume to continue it");
    terminal.send("resume\r");
    terminal.see("The match goes on.");
    terminal.see("1. b2");
    terminal.send("quit\r");
    terminal.end();
    let mut terminal = open();
    terminal.see("Select a piece");
    terminal.send("quit\r");
    terminal.end();
}

#[test]
fn a_terminal_of_billions_of_cells_is_drawn() {
    let mut terminal = Terminal::open_sized(SIZE, &["play", "tic-tac-toe"]);
    terminal.see("x to move");
    let huge = PtySize { rows: u16::MAX, cols: u16::MAX, ..SIZE };
    terminal._master.resize(huge).expect("it can be");
    terminal.settle();
    terminal.send("b2\r");
    terminal.settle();
    terminal.send("quit\r");
    let status = terminal.child.wait().expect("it ends");
    assert!(status.success(), "{status:?}");
}

#[test]
fn the_command_ends_with_its_terminal() {
    let Terminal { mut child, _master, keys, output, .. } = {
        let mut terminal = Terminal::open(&["play", "tic-tac-toe"]);
        terminal.see("x to move");
        terminal
    };
    drop((_master, keys, output));
    let until = Instant::now() + PATIENCE;
    while child.try_wait().expect("it can be asked").is_none() {
        assert!(Instant::now() < until, "it runs on without a terminal");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_takeback_is_asked_for_and_answered() {
    let mut terminal = Terminal::open(&["play", "tic-tac-toe"]);
    terminal.see("x to move");
    terminal.send("takeback\r");
    terminal.see("there is no move to take back");
    terminal.send("b2\r");
    terminal.see("x: b2");
    terminal.send("takeback\r");
    terminal.see("o, may the last move be taken back?");
    terminal.send("no\r");
    terminal.see("The takeback is declined.");
    terminal.see("o to move");
    terminal.send("takeback\r");
    terminal.see("may the last move be taken back?");
    terminal.send("yes\r");
    terminal.see("x to move");
    terminal.send("\x03");
    terminal.end();
    let arguments = ["play", "tic-tac-toe", "--bot", "search", "--level", "2", "--seed", "1"];
    let mut terminal = Terminal::open(&arguments);
    terminal.see("x to move");
    for left in ["2 more", "1 more", "0 more", "declines the takeback"] {
        terminal.send("a1\r");
        terminal.see("o: ");
        terminal.send("takeback\r");
        terminal.see(left);
    }
    terminal.send("\x03");
    terminal.end();
}

#[test]
fn a_plain_line_is_edited_and_comes_back() {
    let mut terminal = Terminal::open(&["play", "tic-tac-toe", "--plain"]);
    terminal.see("x> ");
    // A prompt reads keys only once it has drawn itself.
    terminal.settle();
    // b1, with the digit corrected: back over it and another typed.
    terminal.send("b1\x7f2\r");
    terminal.see("x: b2");
    terminal.see("o> ");
    terminal.settle();
    terminal.send("nonsense\r");
    terminal.see("there is no move `nonsense` here");
    terminal.settle();
    // The line before the last one.
    terminal.send("why b1\x1b[D\x1b[D\x1b[D\x1b[C\x1b[C\x1b[C\x7f2\r");
    terminal.see("b2 is taken");
    terminal.settle();
    terminal.send("\x1b[A\x1b[A");
    terminal.see("o> nonsense");
    terminal.send("\x15\x04");
    terminal.end();
}

#[test]
fn a_signal_at_a_plain_prompt_leaves_the_terminal_as_it_was() {
    let mut terminal = Terminal::open(&["play", "tic-tac-toe", "--plain"]);
    terminal.see("x> ");
    terminal.settle();
    let process = terminal.child.process_id().expect("it runs").to_string();
    let device = std::fs::read_link(format!("/proc/{process}/fd/0")).expect("it has a terminal");
    let modes = || {
        let tty = std::fs::File::open(&device).expect("the terminal is there");
        let told = std::process::Command::new("stty").arg("-a").stdin(tty).output();
        String::from_utf8(told.expect("there is stty").stdout).expect("it is text")
    };
    assert!(modes().contains("-icanon"), "lines are edited");
    let sent = std::process::Command::new("kill").args(["-TERM", &process]).status();
    assert!(sent.expect("there is kill").success());
    assert_eq!(terminal.child.wait().expect("it ends").exit_code(), 143);
    assert!(!modes().contains("-icanon") && !modes().contains("-echo "), "{}", modes());
}

#[test]
fn a_new_game_is_asked_for_at_a_terminal() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("asked");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let written = |name: &str| std::fs::read_to_string(folder.join(name).with_extension("senet"));
    let mut terminal = Terminal::open_at(&folder, &["new", "mine"]);
    terminal.see("Like which game? [none]");
    terminal.send("chss\r");
    terminal.see("did you mean `chess`?");
    terminal.send("\r");
    terminal.see("Board: grid or hex? [grid]");
    terminal.send("hex\r");
    terminal.see("Files and ranks? [5 x 5]");
    terminal.send("6 x 4\r");
    terminal.see("Players? [white, black]");
    terminal.send("red, blue\r");
    terminal.see("written to mine.senet");
    let text = written("mine").unwrap();
    assert!(text.contains("players red, blue\nboard hex rhombus 6 x 4\n"), "{text}");
    let mut terminal = Terminal::open_at(&folder, &["new", "copy"]);
    terminal.see("Like which game? [none]");
    terminal.send("clobber\r");
    terminal.see("written to copy.senet");
    assert!(written("copy").unwrap().starts_with("game copy\n"));
}

#[test]
fn keys_that_come_at_once_are_drawn_together() {
    let mut terminal =
        Terminal::open_sized(PtySize { rows: 60, cols: 200, ..SIZE }, &["play", "chess"]);
    terminal.see("white to move");
    terminal.settle();
    // The cursor is hidden or shown at the end of every drawing.
    let drawings = |terminal: &Terminal| terminal.times("\x1b[?25");
    let before = drawings(&terminal);
    terminal.send(&format!("{}the end", "x".repeat(150)));
    terminal.see("xthe end");
    let drawn = drawings(&terminal) - before;
    assert!((1..80).contains(&drawn), "{drawn} drawings of 157 keys");
}
