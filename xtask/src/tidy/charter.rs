//! Every clause of the movement charter names the tests that hold it.

use super::finding::Finding;
use super::invariant::functions;
use super::markdown;
use super::tree::Tree;

const DOCUMENT: &str = "docs/movement.md";

/// Finds clauses without a test, and named tests that do not exist.
///
/// A clause is a heading `### N. title`; it names tests as "test: `a`, `b`", in the heading or below,
/// and the list may go on in the next line after a comma.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(file) = tree.file(DOCUMENT) else {
        return vec![Finding::at(DOCUMENT, 1, "this document is missing; it is the charter")];
    };
    let functions = functions(tree);
    let mut findings = Vec::new();
    let mut clauses: Vec<Clause<'_>> = Vec::new();
    let mut list = List::Closed;
    let mut inside = false;
    for (number, line) in markdown::prose(&file.text) {
        if let Some((level, title)) = markdown::heading(line) {
            list = List::Closed;
            let starts = level == 3 && is_numbered(title);
            inside = starts || (inside && level > 3);
            if starts {
                clauses.push(Clause { line: number, title, tests: 0 });
            }
        }
        let (names, next) = test_names(line, list);
        list = next;
        if let (true, Some(clause)) = (inside, clauses.last_mut()) {
            clause.tests += names.len();
        }
        for name in names.into_iter().filter(|name| !functions.contains(base_name(name))) {
            let message = format!("no function is called `{name}`");
            findings.push(Finding::at(DOCUMENT, number, message));
        }
    }
    if clauses.is_empty() {
        findings.push(Finding::at(DOCUMENT, 1, "holds no clause; write \"### 1. title\""));
    }
    for clause in clauses.iter().filter(|clause| clause.tests == 0) {
        let message = format!("clause {:?} names no test; write \"test: `name`\"", clause.title);
        findings.push(Finding::at(DOCUMENT, clause.line, message));
    }
    findings
}

struct Clause<'a> {
    line: usize,
    title: &'a str,
    tests: usize,
}

/// Whether a list of tests goes on in the next line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Open,
    Closed,
}

fn is_numbered(title: &str) -> bool {
    title.split_once('.').is_some_and(|(number, _)| {
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// The tests that a line names, and whether the list goes on.
fn test_names(line: &str, list: List) -> (Vec<&str>, List) {
    let lower = line.to_ascii_lowercase();
    let marks = ["tests:", "test:"];
    let is_word = |at: usize| !lower[..at].ends_with(char::is_alphanumeric);
    let start = marks.iter().find_map(|mark| {
        let (at, _) = lower.match_indices(mark).find(|(at, _)| is_word(*at))?;
        Some(at + mark.len())
    });
    let mut rest = match (start, list) {
        (Some(start), _) => line[start..].trim_start_matches(['*', '_', ' ']),
        (None, List::Open) => line.trim_start(),
        (None, List::Closed) => return (Vec::new(), List::Closed),
    };
    let mut names = Vec::new();
    while let Some((name, after)) = rest.strip_prefix('`').and_then(|text| text.split_once('`')) {
        names.push(name);
        let Some(next) = after.trim_start().strip_prefix(',') else {
            return (names, List::Closed);
        };
        rest = next.trim_start();
    }
    let goes_on = rest.is_empty() && (start.is_some() || !names.is_empty());
    (names, if goes_on { List::Open } else { List::Closed })
}

/// The function in `module::function`.
fn base_name(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        let tests = "fn ray_stops() {}\nfn ray_ties() {}\nfn ray_turns() {}\n";
        let tree = Tree::of(&[(DOCUMENT, text), ("crates/core/tests/ray.rs", tests)]);
        check(&tree).into_iter().map(|finding| (finding.line, finding.message)).collect()
    }

    #[test]
    fn clauses_with_tests_are_fine() {
        let text = "# Charter\n\n### 1. Stops\ntest: `ray_stops`\n\n\
            ### 2. Ties (test: `ray_ties`, `ray::ray_turns`)\n\n\
            ### 3. Turns\n\n#### Part\n- Turns. **Tests:** `ray_stops`,\n  `ray_turns`.\n";
        assert_eq!(found(text), []);
    }

    #[test]
    fn a_clause_without_a_test_is_found() {
        let text = "### 1. Stops\nlatest: `words`\n\n## Other\ntest: `ray_stops`\n";
        let message = "clause \"1. Stops\" names no test; write \"test: `name`\"";
        assert_eq!(found(text), [(1, message.to_owned())]);
    }

    #[test]
    fn every_name_of_a_list_must_exist() {
        let text = "### 1. Stops\ntest: `ray_stops`, `gone`,\n`also_gone`\n";
        let lines: Vec<_> = found(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [2, 3]);
    }

    #[test]
    fn no_clause_and_no_document_are_found() {
        assert!(found("words\n")[0].1.starts_with("holds no clause"));
        assert!(check(&Tree::of(&[]))[0].message.starts_with("this document is missing"));
    }
}
