//! Open the tree once and know where a line belongs.

use super::finding::Finding;
use super::tree::Tree;

/// Names of files and folders that say nothing of what is inside.
const NAMES: [&str; 12] = [
    "base", "common", "helper", "helpers", "internal", "legacy", "manager", "misc", "service",
    "types", "util", "utils",
];

const FOLDERS: usize = 2;

/// Finds modules in deep folders, modules called `mod.rs` and names that say nothing.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.modules() {
        let module = file.module().unwrap_or_default();
        let parts: Vec<&str> = module.trim_end_matches(".rs").split('/').collect();
        let mut report = |message| findings.push(Finding::at(&file.path, 1, message));
        if parts.len() - 1 > FOLDERS {
            report(format!("{} folders below src; allowed are {FOLDERS}", parts.len() - 1));
        }
        if parts.last() == Some(&"mod") {
            report("no mod.rs: write x.rs beside the folder x".to_owned());
        }
        for name in parts.iter().filter(|name| NAMES.contains(name)) {
            report(format!("{name:?} says nothing; name the file by what it holds"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str) -> usize {
        check(&Tree::of(&[(path, "")])).len()
    }

    #[test]
    fn two_folders_below_src_are_the_most() {
        assert_eq!(found("crates/core/src/path/ray/scan.rs"), 0);
        assert_eq!(found("crates/core/src/path/ray/scan/bit.rs"), 1);
    }

    #[test]
    fn mod_rs_is_found() {
        assert_eq!(found("games/go/src/path/mod.rs"), 1);
    }

    #[test]
    fn names_that_say_nothing_are_found_for_files_and_folders() {
        assert_eq!(found("crates/core/src/util.rs"), 1);
        assert_eq!(found("crates/core/src/common/ray.rs"), 1);
        assert_eq!(found("crates/core/src/utility_score.rs"), 0);
    }
}
