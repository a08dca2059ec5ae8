//! Questions in SQL.
#![cfg_attr(not(feature = "sql"), allow(unused_imports))]

use std::fs;
use std::process::Stdio;

use crate::senet::{Ran, command, feed, scratch, senet, text};

#[cfg(not(feature = "sql"))]
#[test]
fn a_build_without_the_feature_says_how_to_get_it() {
    let said = senet(&["sql", "select 1"]).failed(1);
    assert!(said.contains("--features sql"), "{said}");
    assert_eq!(senet(&["sql", "--json"]).error(1)["code"], "missing_feature");
}

#[cfg(feature = "sql")]
mod built {
    use super::*;

    const BY_PLY: &str = "select ply, count(*) as moves from timeline('tic-tac-toe', '', 2) group by ply order by ply";

    #[test]
    fn answers_are_tables_csv_or_json() {
        let table = "\
+-----+-------+
| ply | moves |
+-----+-------+
| 1   | 9     |
| 2   | 72    |
+-----+-------+
";
        assert_eq!(senet(&["sql", BY_PLY]).done(), table);
        assert_eq!(senet(&["sql", BY_PLY, "--csv"]).done(), "ply,moves\n1,9\n2,72\n");
        let lines = "{\"ply\":1,\"moves\":9}\n{\"ply\":2,\"moves\":72}\n";
        assert_eq!(senet(&["sql", BY_PLY, "--json"]).done(), lines);
        let none = "select ply from timeline('chess', '', 1) where ply = 9";
        assert_eq!(senet(&["sql", none, "--csv"]).done(), "ply\n");
        assert_eq!(senet(&["sql", none, "--json"]).done(), "");
    }

    #[test]
    fn questions_come_from_standard_input_too() {
        let answer = feed(&["sql", "--csv"], b"select 1 as one; select ';' as sign;\n").done();
        assert_eq!(answer, "one\n1\nsign\n;\n");
    }

    #[test]
    fn a_table_shows_its_first_rows_and_says_so() {
        let question = "select node from timeline('chess', '', 3)";
        let ran = senet(&["sql", question]);
        assert_eq!((ran.code, ran.out.lines().count()), (0, 1000 + 4));
        assert!(ran.err.contains("the first 1000 rows"), "{}", ran.err);
        assert_eq!(senet(&["sql", question, "--csv"]).done().lines().count(), 1 + 9322);
    }

    #[test]
    fn files_of_columns_can_be_asked() {
        for ending in ["parquet", "arrow", "csv", "jsonl"] {
            let path = scratch(&format!("asked.{ending}"));
            senet(&["timeline", "backgammon", "--depth", "1", "--out", text(&path)]).done();
            let question = format!(
                "select count(*), round(sum(probability), 6) from '{}' where ply = 1",
                text(&path)
            );
            let answer = senet(&["sql", &question, "--csv"]).done();
            assert_eq!(answer.lines().nth(1), Some("36,1.0"), "{ending}");
        }
    }

    #[test]
    fn a_timeline_is_asked_by_its_name() {
        for (game, depth, rows) in [("chess", "3", 9322), ("backgammon", "1", 36)] {
            let ask = ["timeline", game, "--depth", depth, "--sql"];
            let answer = senet(&[&ask[..], &["select count(*) from timeline", "--csv"]].concat());
            assert_eq!(answer.done(), format!("count(*)\n{rows}\n"));
        }
        let merged = ["timeline", "tic-tac-toe", "--depth", "9", "--distinct", "--csv", "--sql"];
        let answer = senet(&[&merged[..], &["select count(*), sum(paths) from timeline"]].concat());
        assert_eq!(answer.done().lines().nth(1), Some("5477,549945"));
    }

    #[test]
    fn merged_positions_below_several_roots_are_counted_once() {
        let path = scratch("merged.pgn");
        fs::write(&path, "1. e4 e5 2. Nf3 1-0\n").expect("it can be written");
        let ask = ["timeline", "chess", "--from", text(&path), "--depth", "2", "--distinct"];
        let rows = senet(&[&ask[..], &["--columns", "root"]].concat()).done().lines().count() - 1;
        let question = ["--csv", "--sql", "select count(*) as rows from timeline"];
        let answer = senet(&[&ask[..], &question].concat()).done();
        assert_eq!(answer, format!("rows\n{rows}\n"));
    }

    #[test]
    fn the_plan_shows_that_only_what_is_asked_is_computed() {
        let ask = ["timeline", "chess", "--depth", "5", "--explain-plan", "--sql"];
        let plan =
            senet(&[&ask[..], &["select count(is_check) from timeline where ply < 4"]].concat());
        let plan = plan.done();
        assert!(
            plan.contains("ExpandExec: game=chess, depth=3, columns=[ply, is_check]"),
            "{plan}"
        );
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_is_wrong() {
        let said = senet(&["sql", "select plie\nfrom timeline('chess', '', 2)"]).failed(1);
        assert!(said.contains("line 1, column 8") && said.contains("\n         ^"), "{said}");
        let said = senet(&["sql", "select count(* from x", "--json"]).error(1);
        assert_eq!(said["code"], "invalid_query");
        assert_eq!(said["details"]["line"], 1);
        for (table, part) in [
            ("timeline('chess', '', 0)", "the depth is 0, but must be 1 to 64"),
            ("timeline('chest', '', 1)", "did you mean `chess`"),
            ("timeline('chess', '8/8 w', 1)", "expected 8 rows, found `8/8`"),
            ("timeline('chess', '', 1, 'plie = 1')", "no column is named `plie`"),
            ("'nowhere.parquet'", "nowhere.parquet"),
        ] {
            let said = senet(&["sql", &format!("select * from {table}")]).failed(1);
            assert!(said.contains(part), "{said}");
        }
    }

    #[test]
    fn what_goes_with_a_question_is_refused_without_one() {
        let path = scratch("unasked.csv");
        for option in [&["--csv"][..], &["--explain-plan"], &["--cluster", "df://127.0.0.1:1"]] {
            let ask = ["timeline", "chess", "--depth", "1", "--out", text(&path)];
            let said = senet(&[&ask[..], option].concat()).failed(1);
            assert!(said.contains("--sql"), "{said}");
            assert!(!path.exists());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_question_can_be_called_off() {
        let question = "select count(*) from timeline('chess', '', 9) where is_check";
        let child =
            command(&["sql", question]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the command is built");
        let process = child.id().to_string();
        while !listens(&process) {
            std::thread::yield_now();
        }
        let signal = std::process::Command::new("kill").args(["-INT", &process]).status();
        assert!(signal.expect("it can be sent").success());
        let ran = Ran::new(child.wait_with_output().expect("it ends"));
        assert!(ran.failed(130).contains("interrupted"));
    }

    /// Whether a process has something to do when it is interrupted.
    #[cfg(target_os = "linux")]
    fn listens(process: &str) -> bool {
        let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask >> 1 & 1 == 1)
    }

    #[test]
    fn a_game_of_a_file_can_be_asked() {
        let path = scratch("asked-game.json");
        fs::write(&path, senet(&["definition", "tic-tac-toe"]).done()).expect("it can be written");
        let question = "select count(*) as moves from timeline('tic-tac-toe', '', 1)";
        let answer = senet(&["sql", "--game", text(&path), "--csv", question]).done();
        assert_eq!(answer, "moves\n9\n");
    }

    #[cfg(feature = "cluster")]
    #[test]
    fn a_cluster_that_is_not_there_is_an_error_at_once() {
        let said = senet(&["sql", "--cluster", "df://127.0.0.1:1", "select 1"]).failed(1);
        assert!(said.contains("127.0.0.1:1"), "{said}");
    }

    #[cfg(not(feature = "cluster"))]
    #[test]
    fn a_build_without_a_cluster_says_how_to_get_it() {
        let said = senet(&["sql", "--cluster", "df://127.0.0.1:1", "select 1"]).failed(1);
        assert!(said.contains("--features cluster"), "{said}");
    }
}
