//! Golden files: what is written today must be what was reviewed.

use std::path::{Path, PathBuf};

/// Compares a text with a file of `tests/data` of the crate at `root`. With `SENET_BLESS=1` in the
/// environment the file is written instead, to be reviewed like code.
///
/// # Panics
/// If the file is missing or differs, with the first line that does and what to do.
pub fn check_golden(root: &str, name: &str, found: &str) {
    let path: PathBuf = [root, "tests", "data", name].iter().collect();
    if std::env::var_os("SENET_BLESS").is_some_and(|bless| bless == "1") {
        let folder = path.parent().expect("a file lies in a folder");
        std::fs::create_dir_all(folder).expect("the folder of goldens can be made");
        std::fs::write(&path, found).expect("the golden can be written");
        return;
    }
    let golden = std::fs::read_to_string(&path);
    let golden = golden.unwrap_or_else(|error| panic!("{}: {error}; {HINT}", path.display()));
    if let Some(difference) = first_difference(&golden, found) {
        panic!("{}", told(&path, &difference));
    }
}

const HINT: &str = "SENET_BLESS=1 writes it anew; review what changed";

/// The first line in which two texts differ.
struct Difference {
    line: usize,
    golden: String,
    found: String,
}

fn first_difference(golden: &str, found: &str) -> Option<Difference> {
    if golden == found {
        return None;
    }
    let end = "(the text ends here)";
    let mut lines = (golden.split('\n').map(Some).chain(std::iter::repeat(None)))
        .zip(found.split('\n').map(Some).chain(std::iter::repeat(None)))
        .enumerate();
    let (index, (golden, found)) = lines.find(|(_, (one, two))| one != two)?;
    let (golden, found) = (golden.unwrap_or(end).into(), found.unwrap_or(end).into());
    Some(Difference { line: index + 1, golden, found })
}

fn told(path: &Path, difference: &Difference) -> String {
    let Difference { line, golden, found } = difference;
    let path = path.display();
    format!("{path} differs from line {line} on\n golden: {golden}\n  found: {found}\n{HINT}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let difference = first_difference("a\nb\nc", "a\nx\nc").expect("they differ");
        assert_eq!((difference.line, difference.golden.as_str()), (2, "b"));
        assert!(told(Path::new("p.txt"), &difference).contains("p.txt differs from line 2"));
    }

    #[test]
    fn a_text_that_goes_on_differs_where_the_other_ends() {
        let difference = first_difference("a\nb", "a\nb\nc").expect("they differ");
        assert_eq!((difference.line, difference.found.as_str()), (3, "c"));
        assert!(first_difference("a\n", "a\n").is_none());
        assert!(first_difference("a\n", "a").is_some());
    }

    #[test]
    #[should_panic(expected = "SENET_BLESS=1 writes it anew")]
    fn a_missing_golden_says_what_to_do() {
        check_golden(env!("CARGO_MANIFEST_DIR"), "never-written.txt", "x");
    }
}
