//! Every path that a document names exists.

use super::finding::Finding;
use super::markdown;
use super::tree::{File, Tree};

/// What a path from the root of the workspace may start with, whether it exists yet or not.
const TOPS: [&str; 12] = [
    ".cargo",
    ".ci",
    "ARCHITECTURE.md",
    "Cargo.toml",
    "README.md",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "games",
    "web",
    "xtask",
];

/// What a path without a slash must end in to be taken for one.
const EXTENSIONS: [&str; 3] = [".rs", ".md", ".toml"];

/// Finds paths and relative links in the documents that lead nowhere.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for document in ["README.md", "ARCHITECTURE.md"] {
        if !tree.has(document) {
            findings.push(Finding::at(document, 1, "this document is missing"));
        }
    }
    for file in tree.with_extension("md").filter(|file| is_document(file)) {
        for (number, line) in markdown::prose(&file.text) {
            for span in
                markdown::spans(line).into_iter().filter(|span| !leads_somewhere(tree, span))
            {
                let message = format!("`{span}` names a path that does not exist");
                findings.push(Finding::at(&file.path, number, message));
            }
            for link in markdown::links(line).into_iter().filter(|link| !resolves(tree, file, link))
            {
                let message = format!("the link to {link:?} leads nowhere");
                findings.push(Finding::at(&file.path, number, message));
            }
        }
    }
    findings
}

fn is_document(file: &File) -> bool {
    !file.path.contains('/') || file.path.starts_with("docs/")
}

/// Whether a text between backticks is no path of ours, or one that exists. A module may be named by
/// the end of its path, as in `path/ray.rs`.
fn leads_somewhere(tree: &Tree, span: &str) -> bool {
    let path = known_part(span);
    let is_path = span.contains('/') || EXTENSIONS.iter().any(|end| path.ends_with(end));
    if !is_path || span.contains(char::is_whitespace) {
        return true;
    }
    let top = path.split('/').next().unwrap_or_default();
    if TOPS.contains(&top) {
        return tree.has(path);
    }
    let is_module = path.ends_with(".rs") && path != ".rs";
    !is_module || tree.has_ending(path)
}

/// The path up to the first part with a placeholder, without line number, anchor and last slash.
fn known_part(span: &str) -> &str {
    let placeholder = |c: char| "<>*{}$…".contains(c);
    let end = match span.find(placeholder) {
        Some(at) => span[..at].rfind('/').unwrap_or(0),
        None => span.find(['#', ':']).unwrap_or(span.len()),
    };
    span[..end].trim_end_matches('/')
}

/// Whether a link leaves the workspace on purpose, stays on its page, or finds its target.
fn resolves(tree: &Tree, file: &File, link: &str) -> bool {
    let target = link.split('#').next().unwrap_or_default();
    if target.is_empty() || target.contains(':') {
        return true;
    }
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => return false,
            ".." => {}
            part => parts.push(part),
        }
    }
    parts.is_empty() || tree.has(&parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(usize, String)> {
        let tree = Tree::of(&[
            ("README.md", ""),
            ("ARCHITECTURE.md", ""),
            ("docs/movement.md", ""),
            ("crates/core/src/path/ray.rs", ""),
            (path, text),
        ]);
        check(&tree).into_iter().map(|finding| (finding.line, finding.message)).collect()
    }

    #[test]
    fn a_path_that_exists_is_fine() {
        let text = "`crates/core`, `crates/core/src/`, `crates/core/src/path/ray.rs:12`, `ray.rs`\n\
            `crates/<name>`, `crates/core/*`, `docs/movement.md#ties`, `path/ray.rs`, `.rs`\n\
            `cargo run -p x`, `and/or`, `x.toml`, `web`, `src/<noun>.rs`\n";
        assert_eq!(found("docs/map.md", text), []);
    }

    #[test]
    fn a_path_that_does_not_exist_is_found() {
        let text = "fine\n`crates/core/src/gone.rs`\n`gone.rs` `games/*` `web/`\n";
        let found = found("docs/map.md", text);
        let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 3, 3, 3]);
        assert_eq!(found[0].1, "`crates/core/src/gone.rs` names a path that does not exist");
    }

    #[test]
    fn a_relative_link_is_followed_from_its_own_folder() {
        let good = "[a](movement.md#x) [b](../README.md) [c](#here) [d](https://example.org/x)\n";
        assert_eq!(found("docs/map.md", good), []);
        let bad = "[a](gone.md)\n[b](README.md)\n[c](../../out.md)\n[d]: gone.md\n";
        assert_eq!(found("docs/map.md", bad).len(), 4);
    }

    #[test]
    fn code_blocks_and_other_folders_are_left_alone() {
        assert_eq!(found("docs/map.md", "```text\n`crates/gone`\n```\n"), []);
        assert_eq!(found("crates/core/notes.md", "`crates/gone`\n"), []);
    }

    #[test]
    fn missing_documents_are_found() {
        assert_eq!(check(&Tree::of(&[])).len(), 2);
    }
}
