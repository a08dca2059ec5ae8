//! Types are nouns.

use super::finding::Finding;
use super::rust;
use super::tree::Tree;

const ENDINGS: [&str; 4] = ["Impl", "Base", "Info", "Manager"];

/// Finds types whose name ends in a word that adds nothing.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.modules() {
        for (number, line) in file.lines() {
            let Some(name) = rust::type_name(line) else {
                continue;
            };
            for ending in ENDINGS.iter().filter(|ending| name.ends_with(*ending)) {
                let message = format!("`{name}` ends in {ending:?}; name the thing itself");
                findings.push(Finding::at(&file.path, number, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_endings_are_found() {
        let text = "pub struct TileInfo;\nenum Phase {}\npub(crate) trait GameManager {}\n";
        let found = check(&Tree::of(&[("crates/core/src/lib.rs", text)]));
        let lines: Vec<_> = found.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [1, 3]);
    }

    #[test]
    fn an_ending_is_a_word_of_its_own() {
        let text = "struct Database;\nimpl Info for X {}\n";
        assert_eq!(check(&Tree::of(&[("crates/core/src/lib.rs", text)])), []);
    }
}
