//! Every invariant of the architecture names the test that holds it.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::markdown;
use super::rust;
use super::tree::Tree;

const DOCUMENT: &str = "ARCHITECTURE.md";
const FORM: &str = "write \"- **Invariant** `test_name`: text\"";

/// Finds invariants whose test does not exist.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(file) = tree.file(DOCUMENT) else {
        return vec![Finding::at(DOCUMENT, 1, "this document is missing; it holds the invariants")];
    };
    let functions = functions(tree);
    let mut findings = Vec::new();
    let mut invariants = 0;
    for (number, line) in markdown::prose(&file.text) {
        if !line.contains("**Invariant") {
            continue;
        }
        invariants += 1;
        match test_name(line) {
            None => findings.push(Finding::at(DOCUMENT, number, format!("names no test; {FORM}"))),
            Some(name) if !functions.contains(name) => {
                let message = format!("no function is called `{name}`");
                findings.push(Finding::at(DOCUMENT, number, message));
            }
            Some(_) => {}
        }
    }
    if invariants == 0 {
        findings.push(Finding::at(DOCUMENT, 1, format!("holds no invariant; {FORM}")));
    }
    findings
}

/// The names of all functions of the workspace.
pub(crate) fn functions(tree: &Tree) -> BTreeSet<&str> {
    tree.with_extension("rs")
        .flat_map(|file| file.text.lines())
        .filter_map(rust::function_name)
        .collect()
}

/// The name in a line of the [`FORM`].
fn test_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("- **Invariant** `")?;
    let (name, text) = rest.split_once('`')?;
    (text.starts_with(':') && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Finding> {
        let tests = "#[test]\nfn core_is_pure() {}\n";
        check(&Tree::of(&[(DOCUMENT, text), ("crates/core/tests/law.rs", tests)]))
    }

    #[test]
    fn an_invariant_with_its_test_is_fine() {
        assert_eq!(found("# Map\n\n- **Invariant** `core_is_pure`: no clock.\n"), []);
    }

    #[test]
    fn an_invariant_without_its_test_is_found() {
        let found = found("# Map\n- **Invariant** `gone`: no clock.\n");
        assert_eq!(found, [Finding::at(DOCUMENT, 2, "no function is called `gone`")]);
    }

    #[test]
    fn an_invariant_of_another_form_is_found() {
        for text in [
            "- **Invariant** no clock\n",
            "- **Invariant** `core_is_pure` no clock\n",
            "* **Invariant** `core_is_pure`: no clock\n",
            "**Invariant:** no clock\n",
        ] {
            assert!(found(text)[0].message.starts_with("names no test"), "{text}");
        }
    }

    #[test]
    fn no_invariant_and_no_document_are_found() {
        assert!(found("# Map\n")[0].message.starts_with("holds no invariant"));
        assert!(check(&Tree::of(&[]))[0].message.starts_with("this document is missing"));
    }
}
