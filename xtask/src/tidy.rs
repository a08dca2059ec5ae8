//! Style and structure that a machine can check.
//!
//! Every check is a pure function from a [`Tree`] to its findings, so that a test hands it a bad tree
//! of two lines and sees it bite.

mod arrow;
mod charter;
mod fence;
mod finding;
mod invariant;
mod layout;
mod length;
mod link;
mod machine;
mod markdown;
mod marker;
mod naming;
mod roster;
mod rust;
mod tree;
mod vocabulary;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use finding::Finding;
use tree::Tree;

/// One check: the name that its findings carry, what it holds, and the function.
struct Check {
    name: &'static str,
    holds: &'static str,
    find: fn(&Tree) -> Vec<Finding>,
}

/// All checks, in the order in which they report.
const CHECKS: [Check; 12] = [
    Check {
        name: "arrow",
        holds: "crates depend on each other only as the table of arrows allows",
        find: arrow::check,
    },
    Check { name: "vocabulary", holds: "core names no game", find: vocabulary::check },
    Check {
        name: "link",
        holds: "every path and relative link in the documents exists",
        find: link::check,
    },
    Check {
        name: "invariant",
        holds: "every invariant in ARCHITECTURE.md names a test that exists",
        find: invariant::check,
    },
    Check {
        name: "charter",
        holds: "every numbered clause of docs/movement.md names tests that exist",
        find: charter::check,
    },
    Check {
        name: "fence",
        holds: "every code block in the docs says a language that a test knows",
        find: fence::check,
    },
    Check { name: "length", holds: "files and functions stay short", find: length::check },
    Check {
        name: "layout",
        holds: "folders stay shallow and no file has a name that says nothing",
        find: layout::check,
    },
    Check { name: "naming", holds: "no type name ends in an empty word", find: naming::check },
    Check { name: "marker", holds: "nothing is left for later", find: marker::check },
    Check {
        name: "roster",
        holds: "every game has the same files, and the map names every file of core",
        find: roster::check,
    },
    Check { name: "machine", holds: "no text names a path of one machine", find: machine::check },
];

/// The checks and what each holds, one per line.
pub(crate) fn summary() -> String {
    let lines = CHECKS.iter().map(|check| format!("  {:<12}{}", check.name, check.holds));
    format!("Checks:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// Runs every check over the tree at `root` and lists all findings at once.
pub(crate) fn run(root: &Path) -> ExitCode {
    match Tree::read(root).and_then(|tree| report(&tree, &mut io::stdout().lock())) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("tidy: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the findings and one closing line; returns how many findings there are.
fn report(tree: &Tree, out: &mut impl Write) -> io::Result<usize> {
    let mut count = 0;
    for check in &CHECKS {
        for finding in (check.find)(tree) {
            writeln!(
                out,
                "{}:{}: {}: {}",
                finding.path, finding.line, check.name, finding.message
            )?;
            count += 1;
        }
    }
    let files = tree.files().len();
    match count {
        0 => writeln!(out, "tidy: {files} files, {} checks, nothing found", CHECKS.len())?,
        _ => writeln!(out, "tidy: {files} files, {} checks, {count} found", CHECKS.len())?,
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> Tree {
        Tree::read(&crate::root()).expect("the workspace can be read")
    }

    #[test]
    fn arrows_point_inward() {
        assert_eq!(arrow::check(&workspace()), []);
    }

    #[test]
    fn core_names_no_game() {
        assert_eq!(vocabulary::check(&workspace()), []);
    }

    #[test]
    fn this_workspace_is_tidy() {
        let mut out = Vec::new();
        let count = report(&workspace(), &mut out).expect("writing to memory succeeds");
        assert_eq!(count, 0, "{}", String::from_utf8_lossy(&out));
    }

    #[test]
    fn all_findings_are_listed_at_once_with_file_and_line() {
        let tree = Tree::of(&[
            ("crates/core/src/lib.rs", "//! fine\n// a king\n"),
            ("crates/core/src/util.rs", ""),
        ]);
        let mut out = Vec::new();
        let count = report(&tree, &mut out).expect("writing to memory succeeds");
        let text = String::from_utf8(out).expect("the report is text");
        assert!(text.contains("crates/core/src/lib.rs:2: vocabulary: "), "{text}");
        assert!(text.contains("crates/core/src/util.rs:1: layout: "), "{text}");
        assert!(text.contains("ARCHITECTURE.md:1: invariant: "), "{text}");
        assert!(text.contains("docs/movement.md:1: charter: "), "{text}");
        assert_eq!(text.lines().count(), count + 1);
    }
}
