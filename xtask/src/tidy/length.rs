//! A file holds one noun; a function fits on a screen.

use super::finding::Finding;
use super::rust;
use super::tree::{File, Tree};

const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 70;

/// Finds modules and functions that are too long, tests included.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.modules() {
        let lines = file.text.lines().count();
        if lines > FILE_LINES {
            let message = format!("file of {lines} lines; allowed are {FILE_LINES}");
            findings.push(Finding::at(&file.path, FILE_LINES + 1, message));
        }
        findings.extend(long_functions(file));
    }
    findings
}

fn long_functions(file: &File) -> Vec<Finding> {
    let lines: Vec<&str> = file.text.lines().collect();
    let mut findings = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(name) = rust::function_name(line) else {
            continue;
        };
        let length = function_length(&lines[index..]);
        if length > FUNCTION_LINES {
            let message = format!("`{name}` has {length} lines; allowed are {FUNCTION_LINES}");
            findings.push(Finding::at(&file.path, index + 1, message));
        }
    }
    findings
}

/// The lines from that of `fn` to the brace that closes it, which formatted code puts at the same
/// indentation. A signature without a body ends with its semicolon.
fn function_length(lines: &[&str]) -> usize {
    let indent = indentation(lines[0]);
    let ends = |line: &&str| {
        let at_indent = indentation(line) == indent;
        at_indent && (line.trim_start().starts_with('}') || line.ends_with(';'))
    };
    if lines[0].ends_with(['}', ';']) {
        return 1;
    }
    lines[1..].iter().position(ends).map_or(lines.len(), |position| position + 2)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<Finding> {
        check(&Tree::of(&[("crates/core/src/lib.rs", text)]))
    }

    fn function(body_lines: usize) -> String {
        format!(
            "impl A {{\n    fn long() {{\n{}    }}\n}}\n",
            "        step();\n".repeat(body_lines)
        )
    }

    #[test]
    fn a_function_of_the_longest_length_is_fine() {
        assert_eq!(found(&function(FUNCTION_LINES - 2)), []);
    }

    #[test]
    fn a_longer_function_is_found() {
        let message = "`long` has 71 lines; allowed are 70";
        let expected = Finding::at("crates/core/src/lib.rs", 2, message);
        assert_eq!(found(&function(FUNCTION_LINES - 1)), [expected]);
    }

    #[test]
    fn a_signature_without_a_body_ends_where_it_ends() {
        let lines = ["    fn a(", "        &self,", "    ) -> u8;", "    fn b() {"];
        assert_eq!(function_length(&lines), 3);
        assert_eq!(function_length(&["fn main() {}", "x"]), 1);
    }

    #[test]
    fn a_drawn_board_at_the_margin_does_not_end_a_function() {
        let lines = ["    fn a() {", "        let board = \"", ". x .", "\";", "    }", "}"];
        assert_eq!(function_length(&lines), 5);
    }

    #[test]
    fn a_long_file_is_found() {
        assert_eq!(found(&"//\n".repeat(FILE_LINES)), []);
        assert_eq!(found(&"//\n".repeat(FILE_LINES + 1)).len(), 1);
    }
}
