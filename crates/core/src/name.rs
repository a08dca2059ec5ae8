//! Names: which can be written, and which one was probably meant.

/// Whether a name can stand in a position text or an event text.
pub(crate) fn is_writable(name: &str) -> bool {
    let bad = |c: char| c.is_whitespace() || c.is_control() || "@=:+*,./".contains(c);
    !name.is_empty() && !name.contains(bad)
}

/// The known name that looks most like one that is not known.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let near = known.map(|one| (edits(name, one), one)).min()?;
    (near.0 <= 1 + name.chars().count() / 4).then(|| near.1.to_owned())
}

/// How many letters must be changed, added or removed to get from one word to another. Only the
/// first letters of long words are compared.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let change = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_keyboard_is_recognised() {
        let known = ["north", "south", "east"];
        assert_eq!(nearest("nroth", known.into_iter()).as_deref(), Some("north"));
        assert_eq!(nearest("north", ["north-east"].into_iter()), None);
        assert_eq!(nearest("sout", known.into_iter()).as_deref(), Some("south"));
        assert_eq!(nearest("xyzzy", known.into_iter()), None);
    }
}
