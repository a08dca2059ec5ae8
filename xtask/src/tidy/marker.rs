//! Nothing is left for later: plans are in the tracker.

use super::finding::Finding;
use super::tree::Tree;

const MARKERS: [&str; 6] = ["TODO", "FIXME", "XXX", "dbg!", "todo!", "unimplemented!"];

/// Finds marks of unfinished work. This crate is not searched, since it has to name them.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.modules().filter(|file| !file.path.starts_with("xtask/")) {
        for (number, line) in file.lines() {
            for marker in MARKERS.iter().filter(|marker| stands_alone(line, marker)) {
                let message = format!("{marker} marks unfinished work; finish it or open an issue");
                findings.push(Finding::at(&file.path, number, message));
            }
        }
    }
    findings
}

/// Whether a marker stands in a line as a word of its own.
fn stands_alone(line: &str, marker: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(marker).any(|(start, _)| {
        let after = &line[start + marker.len()..];
        let macro_call = marker.ends_with('!');
        !line[..start].ends_with(in_word) && (macro_call || !after.starts_with(in_word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> usize {
        check(&Tree::of(&[("games/go/src/lib.rs", line)])).len()
    }

    #[test]
    fn every_marker_is_found() {
        for line in
            ["// TODO: x", "// FIXME", "/* XXX */", "dbg!(x);", "todo!()", "unimplemented!(\"x\")"]
        {
            assert_eq!(found(line), 1, "{line}");
        }
    }

    #[test]
    fn a_marker_inside_a_word_is_fine() {
        for line in ["let XXXL = 1;", "mytodo!()", "// a todo list", "fn todo() {}"] {
            assert_eq!(found(line), 0, "{line}");
        }
    }
}
