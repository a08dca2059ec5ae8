//! No text names a path that exists on one machine only.

use super::finding::Finding;
use super::tree::Tree;

/// Top-level folders that differ from machine to machine.
const FOLDERS: [&str; 4] = ["work", "root", "home", "Users"];

/// Finds absolute paths into folders of one machine.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files() {
        for (number, line) in file.lines() {
            for folder in FOLDERS.iter().filter(|folder| names_folder(line, folder)) {
                let message = format!("a path below the {folder:?} folder of one machine");
                findings.push(Finding::at(&file.path, number, message));
            }
        }
    }
    findings
}

/// Whether `/folder/` starts a path in a line, rather than going on with one.
fn names_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    let goes_on = |c: char| c.is_alphanumeric() || "._-~})>*".contains(c);
    line.match_indices(&path).any(|(start, _)| !line[..start].ends_with(goes_on))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> usize {
        check(&Tree::of(&[("docs/start.md", line)])).len()
    }

    #[test]
    fn every_folder_is_found_at_the_start_of_a_path() {
        for folder in FOLDERS {
            assert_eq!(found(&format!("cd /{folder}/me")), 1);
            assert_eq!(found(&format!("file:///{folder}/me")), 1);
            assert_eq!(found(&format!("\"/{folder}/me\"")), 1);
        }
    }

    #[test]
    fn the_same_name_further_down_is_fine() {
        for line in
            ["https://example.org/home/x", "../work/x", "$HOME/work/x", "a/root/b", "homework/"]
        {
            assert_eq!(found(line), 0, "{line}");
        }
    }
}
