//! Every code block in the docs says what it is, so that a test knows what to do with it.

use super::finding::Finding;
use super::markdown::{self, Line};
use super::tree::Tree;

const LANGUAGES: [&str; 10] =
    ["rust", "text", "json", "senet", "toml", "sh", "sql", "console", "python", "js"];

/// Finds code blocks of no language or of one that no test knows.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.with_extension("md").filter(|file| file.path.starts_with("docs/")) {
        for (number, line) in markdown::lines(&file.text) {
            let Line::Fence(info) = line else { continue };
            let language = info.split([',', ' ']).next().unwrap_or_default();
            if !LANGUAGES.contains(&language) {
                let allowed = LANGUAGES.join(", ");
                let message = format!("code block of language {language:?}; allowed are {allowed}");
                findings.push(Finding::at(&file.path, number, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Finding> {
        check(&Tree::of(&[("docs/guide/start.md", text)]))
    }

    #[test]
    fn known_languages_are_fine() {
        assert_eq!(found("```rust,no_run\n```\n\n```console\n$ senet\n```\n"), []);
    }

    #[test]
    fn unknown_and_missing_languages_are_found() {
        let found = found("```ruby\n```\n\n```\nplain\n```\n");
        let lines: Vec<_> = found.iter().map(|finding| finding.line).collect();
        assert_eq!(lines, [1, 4]);
    }
}
