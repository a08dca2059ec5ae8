//! Output that nobody reads, or that cannot be written.

use std::io::{PipeWriter, pipe};
use std::process::Stdio;

use crate::senet::{Ran, command};

/// The writing end of a pipe that nobody reads.
fn closed() -> PipeWriter {
    let (reader, writer) = pipe().expect("a pipe can be made");
    drop(reader);
    writer
}

const COMMANDS: [&[&str]; 12] = [
    &["games"],
    &["moves", "tic-tac-toe"],
    &["moves", "tic-tac-toe", "--json"],
    &["apply", "tic-tac-toe", "b2"],
    &["explain", "tic-tac-toe", "b2"],
    &["path", "tic-tac-toe", "x-mark-1", "a1", "a2"],
    &["perft", "tic-tac-toe", "--depth", "3"],
    &["simulate", "tic-tac-toe", "--games", "9", "--seed", "1"],
    &["definition", "tic-tac-toe"],
    &["completions", "bash"],
    &["play", "tic-tac-toe"],
    &["--help"],
];

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    for arguments in COMMANDS {
        let run = command(arguments).stdin(Stdio::null()).stdout(closed()).output();
        let ran = Ran::new(run.expect("it ends"));
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn a_closed_pipe_ends_rpc_quietly() {
    let (reader, mut writer) = pipe().expect("a pipe can be made");
    std::io::Write::write_all(&mut writer, b"{\"method\":\"games\"}\n").expect("there is room");
    let run = command(&["rpc"]).stdin(reader).stdout(closed()).output();
    let ran = Ran::new(run.expect("it ends though its input is open"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn closed_standard_error_is_no_panic() {
    let run = command(&["moves", "nothing"]).stderr(closed()).output();
    assert_eq!(Ran::new(run.expect("it ends")).code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for arguments in COMMANDS {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let run = command(arguments).stdin(Stdio::null()).stdout(full).output();
        let ran = Ran::new(run.expect("it ends"));
        assert_eq!(ran.code, 1, "{arguments:?}");
        assert!(ran.err.starts_with("error: No space left on device"), "{}", ran.err);
    }
}

#[test]
fn no_control_character_of_a_name_reaches_the_terminal() {
    let evil = "\u{1b}]0;pwned\u{7}\u{9b}31m";
    for arguments in [
        ["replay", evil, "--"].as_slice(),
        &["moves", evil],
        &["render", "chess", "--out", evil],
        &["pgn", "check", evil],
        &["explain", "chess", evil],
        &[evil],
        &["play", "tic-tac-toe", "--bot", evil],
    ] {
        let run = command(arguments).stdin(Stdio::null()).output();
        let ran = Ran::new(run.expect("it ends"));
        let said = format!("{}{}", ran.out, ran.err);
        let harmful = |letter: char| letter.is_control() && letter != '\n';
        assert!(!said.contains(harmful), "{arguments:?}: {said:?}");
        assert_ne!(ran.code, 0, "{arguments:?}");
    }
}
