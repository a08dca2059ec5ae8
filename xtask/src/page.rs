//! Tables in pages of the book: what stands between the mark of a command and the next end mark,
//! or the end of the page, is written by that command.

use std::fs;
use std::io;
use std::path::Path;

/// The line at which what a command writes ends.
const END: &str = "<!-- End of what is written. -->";

/// Writes tables below the mark of a command into a page below the root.
///
/// # Errors
/// The page cannot be read or written, or has no such mark.
pub(crate) fn write(root: &Path, page: &str, command: &str, tables: &str) -> io::Result<()> {
    let path = root.join(page);
    let text = fs::read_to_string(&path)?;
    let written = replaced(&text, command, tables);
    let written =
        written.ok_or_else(|| io::Error::other(format!("{page} has no line {}", mark(command))))?;
    fs::write(&path, written)
}

fn mark(command: &str) -> String {
    format!("<!-- Written by `{command}`. -->")
}

fn replaced(text: &str, command: &str, tables: &str) -> Option<String> {
    let mark = mark(command);
    let (above, rest) = text.split_once(&mark)?;
    let below = rest.split_once(END).map_or(String::new(), |(_, below)| format!("\n{END}{below}"));
    Some(format!("{above}{mark}\n\n{tables}{below}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_the_mark_of_a_command_is_written_anew() {
        let page = format!("a\n{}\n\nold\n\n{END}\n\nb\n{}\n\nrest\n", mark("one"), mark("two"));
        let one = replaced(&page, "one", "new\n").unwrap();
        assert_eq!(one, page.replace("old", "new"));
        let two = replaced(&one, "two", "last\n").unwrap();
        assert_eq!(two, one.replace("rest", "last"));
        assert_eq!(replaced(&page, "three", "x"), None);
    }
}
