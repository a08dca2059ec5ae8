//! Every notation has the same files, so that who knows one finds the way in all, and the map of core
//! has every file of core.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::tree::Tree;

/// What `src` of every crate among the games holds; it may hold more.
const REQUIRED: [&str; 2] = ["lib.rs", "notation.rs"];

/// The page that is the map, and the folder that it shows file by file.
const MAP: &str = "ARCHITECTURE.md";
const MAPPED: &str = "crates/core/src/";

/// Finds games that lack a required file, and files that the map leaves out.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let games: BTreeSet<&str> = tree
        .files()
        .iter()
        .filter_map(|file| file.path.strip_prefix("games/")?.split_once('/'))
        .map(|(game, _)| game)
        .collect();
    let mut findings = Vec::new();
    for game in games {
        for name in REQUIRED {
            let path = format!("games/{game}/src/{name}");
            if !tree.has(&path) {
                let message =
                    format!("every game has {}; {game} lacks this one", REQUIRED.join(", "));
                findings.push(Finding::at(&path, 1, message));
            }
        }
    }
    findings.extend(unmapped(tree));
    findings
}

fn unmapped(tree: &Tree) -> Vec<Finding> {
    let Some(map) = tree.file(MAP) else { return Vec::new() };
    let files = tree.files().iter().map(|file| file.path.as_str());
    let left_out = files.filter(|path| {
        path.starts_with(MAPPED)
            && path.ends_with(".rs")
            && !map.text.contains(&format!("`{path}`"))
    });
    left_out.map(|path| Finding::at(path, 1, format!("{MAP} does not name this file"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_with_all_files_is_fine() {
        let files = REQUIRED.map(|name| format!("games/go/src/{name}"));
        let files: Vec<_> = files.iter().map(|path| (path.as_str(), "")).collect();
        assert_eq!(check(&Tree::of(&files)), []);
    }

    #[test]
    fn a_missing_file_is_found() {
        let tree = Tree::of(&[("games/go/src/lib.rs", "")]);
        let found = check(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "games/go/src/notation.rs");
    }

    #[test]
    fn a_file_of_core_that_the_map_leaves_out_is_found() {
        let map = ("ARCHITECTURE.md", "| `crates/core/src/lib.rs` | all |\n");
        let tree = Tree::of(&[map, ("crates/core/src/lib.rs", ""), ("crates/core/src/ir.rs", "")]);
        let found = check(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/core/src/ir.rs");
    }

    #[test]
    fn a_game_without_sources_is_found() {
        assert_eq!(check(&Tree::of(&[("games/go/Cargo.toml", "")])).len(), REQUIRED.len());
    }
}
