//! Trees as tables.
#![cfg_attr(not(feature = "timeline"), allow(unused_imports))]

use std::fs;
use std::process::Stdio;

use crate::senet::{Ran, command, scratch, senet, text};

#[cfg(not(feature = "timeline"))]
#[test]
fn a_build_without_the_feature_says_how_to_get_it() {
    let said = senet(&["timeline", "chess", "--depth", "3", "--out", "tree.parquet"]).failed(1);
    assert!(said.contains("--features timeline"), "{said}");
    for ask in [&["timeline", "--json"][..], &["timeline", "chess", "--depth", "1", "--json"]] {
        assert_eq!(senet(ask).error(1)["code"], "missing_feature");
    }
}

#[cfg(feature = "timeline")]
mod built {
    use super::*;

    #[test]
    fn lines_go_to_standard_output() {
        let ask = ["timeline", "tic-tac-toe", "--depth", "2", "--columns", "ply,event,from"];
        let lines = senet(&ask).done();
        assert_eq!(lines.lines().count(), 1 + 9 + 72);
        assert!(lines.starts_with("ply,event,from\n1,a1,\n2,b1,\n"), "{lines}");
        let lines = senet(&[&ask[..], &["--json"]].concat()).done();
        let first = lines.lines().next().expect("there are lines");
        assert_eq!(first, r#"{"ply":1,"event":"a1","from":null}"#);
    }

    #[test]
    fn every_kind_of_file_is_written_for_every_kind_of_game() {
        for game in ["chess", "backgammon", "tic-tac-toe"] {
            let mut rows = Vec::new();
            for ending in ["parquet", "arrow", "csv", "jsonl"] {
                let path = scratch(&format!("tree-{game}.{ending}"));
                let ask = ["timeline", game, "--depth", "2", "--json", "--out", text(&path)];
                let told = senet(&ask).json();
                let bytes = fs::metadata(&path).expect("it is written").len();
                assert_eq!(told["bytes"], bytes);
                rows.push(told["rows"].as_u64().expect("it counts"));
            }
            assert!(rows[0] > 0 && rows.iter().all(|one| *one == rows[0]), "{game}: {rows:?}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused_at_once_and_nothing_is_written() {
        let path = scratch("never.parquet");
        let cases: [(&[&str], i32, &str); 8] = [
            (&["chess", "--depth", "0"], 1, "the depth is 0, but must be 1 to 64"),
            (&["chess", "--depth", "99"], 1, "the depth is 99"),
            (&["chest", "--depth", "2"], 2, "did you mean `chess`"),
            (&["chess", "--depth", "2", "--position", "8/8 w"], 1, "expected 8 rows"),
            (&["chess", "--depth", "9", "--prune", "plie = 2"], 1, "no column is named `plie`"),
            (&["chess", "--depth", "9", "--columns", "ply,plie"], 1, "no column is named `plie`"),
            (&["chess", "--depth", "1", "--from", "no.pgn"], 1, "cannot read no.pgn"),
            (&["chess", "--depth", "many"], 2, "invalid value"),
        ];
        for (arguments, code, part) in cases {
            let ask = [&["timeline"], arguments, &["--out", text(&path)]].concat();
            let said = senet(&ask).failed(code);
            assert!(said.contains(part), "{said}");
            assert!(!path.exists());
        }
        let said = senet(&["timeline", "chess", "--depth", "1", "--out", "tree.txt"]).failed(1);
        assert!(said.contains("use one of .parquet"), "{said}");
    }

    #[test]
    fn an_interrupted_file_is_gone() {
        let path = scratch("interrupted.parquet");
        let ask = ["timeline", "chess", "--depth", "9", "--out", text(&path)];
        let child = command(&ask).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let child = child.expect("the command is built");
        let beside = path.with_file_name(format!("interrupted.parquet.{}.part", child.id()));
        while !beside.exists() {
            std::thread::yield_now();
        }
        let process = child.id().to_string();
        let signal = std::process::Command::new("kill").args(["-INT", &process]).status();
        assert!(signal.expect("it can be sent").success());
        let ran = Ran::new(child.wait_with_output().expect("it ends"));
        assert!(ran.failed(130).contains("interrupted"));
        assert!(!path.exists() && !beside.exists());
    }

    #[test]
    fn a_killed_command_leaves_no_file_of_that_name() {
        let path = scratch("killed.parquet");
        let ask = ["timeline", "chess", "--depth", "9", "--out", text(&path)];
        let mut child = command(&ask).stdout(Stdio::null()).spawn().expect("the command is built");
        let beside = path.with_file_name(format!("killed.parquet.{}.part", child.id()));
        while !beside.exists() {
            std::thread::yield_now();
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        assert!(!path.exists());
        fs::remove_file(&beside).expect("what there was has another name");
    }

    /// Runs the command where no file may grow beyond some kilobytes, so that it fails to write
    /// more as on a disk that is full.
    #[cfg(unix)]
    fn starved(arguments: &[&str]) -> Ran {
        let limited = "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\"";
        let shell = ["-c", limited, env!("CARGO_BIN_EXE_senet")];
        let ran = std::process::Command::new("sh").args(shell).args(arguments).output();
        Ran::new(ran.expect("there is a shell"))
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_leaves_no_file() {
        let folder = scratch("full");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("it can be made");
        for ending in ["parquet", "arrow", "csv", "jsonl"] {
            let path = folder.join(format!("tree.{ending}"));
            let said = starved(&["timeline", "chess", "--depth", "3", "--out", text(&path)]);
            let said = said.failed(1);
            assert!(said.contains("cannot write") && said.contains("too large"), "{said}");
            let left = fs::read_dir(&folder).expect("it is there").count();
            assert_eq!(left, 0, "{ending}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_that_nobody_has_room_for_are_an_error() {
        let full = || fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        for options in [&[][..], &["--json"]] {
            let ask = [&["timeline", "chess", "--depth", "3"], options].concat();
            let ran = command(&ask).stdout(full()).stderr(Stdio::piped()).output();
            let ran = Ran::new(ran.expect("the command is built"));
            assert!(ran.failed(1).contains("No space left"), "{ask:?}");
        }
    }

    #[test]
    fn games_that_were_played_are_roots() {
        let path = scratch("played.pgn");
        fs::write(&path, "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n").expect("it can be written");
        let ask = ["timeline", "chess", "--from", text(&path), "--depth", "1"];
        let more = ["--prune", "not played", "--columns", "record,record_ply,notation,result"];
        let lines = senet(&[&ask[..], &more].concat()).done();
        let expected = "record,record_ply,notation,result\n\
            1,0,e4,1-0\n1,1,e5,1-0\n1,2,Nf3,1-0\n2,0,e4,0-1\n2,1,c5,0-1\n";
        assert_eq!(lines, expected);
        let first = senet(&[&ask[..], &more, &["--first", "1"]].concat()).done();
        assert_eq!(first.lines().count(), 3);
    }
}
