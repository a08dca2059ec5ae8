//! What a check needs to know about a Markdown text.

/// What one line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// Outside every code block.
    Prose(&'a str),
    /// The line that opens a code block, with the text behind the fence.
    Fence(&'a str),
    /// Inside a code block, or the line that closes it.
    Code,
}

/// The lines of a text with their numbers, counted from one.
pub(crate) fn lines(text: &str) -> Vec<(usize, Line<'_>)> {
    let mut open: Option<&str> = None;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        let kind = match open {
            Some(fence) => {
                let (mark, rest) = split_fence(trimmed);
                if mark.starts_with(fence) && rest.is_empty() {
                    open = None;
                }
                Line::Code
            }
            None => match split_fence(trimmed) {
                ("", _) => Line::Prose(line),
                (mark, rest) => {
                    open = Some(mark);
                    Line::Fence(rest.trim())
                }
            },
        };
        found.push((index + 1, kind));
    }
    found
}

/// The lines outside code blocks.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    lines(text).into_iter().filter_map(|(number, line)| match line {
        Line::Prose(line) => Some((number, line)),
        Line::Fence(_) | Line::Code => None,
    })
}

/// The texts between backticks in a line.
pub(crate) fn spans(line: &str) -> Vec<&str> {
    let mut parts = line.split('`').skip(1);
    let mut found = Vec::new();
    while let (Some(inside), Some(_)) = (parts.next(), parts.next()) {
        found.push(inside);
    }
    found
}

/// The targets of the links in a line: `[text](target)` and `[label]: target`.
pub(crate) fn links(line: &str) -> Vec<&str> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let labelled = line.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]: "));
    inline
        .chain(labelled.map(|(_, target)| target))
        .filter_map(|target| target.split_whitespace().next())
        .map(|target| target.trim_start_matches('<').trim_end_matches('>'))
        .collect()
}

/// The level and the text of a heading.
pub(crate) fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = line[level..].strip_prefix(' ')?;
    (1..=6).contains(&level).then_some((level, text.trim()))
}

/// The fence at the start of a line (empty if there is none) and what follows it.
fn split_fence(line: &str) -> (&str, &str) {
    let length = |mark| line.bytes().take_while(|byte| *byte == mark).count();
    match length(b'`').max(length(b'~')) {
        length @ 3.. if !line[length..].contains('`') => line.split_at(length),
        _ => ("", line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_fence_holds_a_shorter_one() {
        let text = "a\n````text\n```\n````\nb\n";
        let kinds: Vec<_> = lines(text).into_iter().map(|(_, line)| line).collect();
        assert_eq!(
            kinds,
            [Line::Prose("a"), Line::Fence("text"), Line::Code, Line::Code, Line::Prose("b")]
        );
    }

    #[test]
    fn a_span_of_three_backticks_is_no_fence() {
        assert_eq!(lines("```a``` b"), [(1, Line::Prose("```a``` b"))]);
    }

    #[test]
    fn spans_are_closed_on_their_line() {
        assert_eq!(spans("see `a/b` and `c`"), ["a/b", "c"]);
        assert_eq!(spans("an `open one"), [""; 0]);
    }

    #[test]
    fn links_are_found_inline_and_by_label() {
        assert_eq!(links("[a](b.md#c) and ![d](<e.png> \"f\")"), ["b.md#c", "e.png"]);
        assert_eq!(links("[label]: docs/x.md"), ["docs/x.md"]);
    }

    #[test]
    fn headings_have_a_level() {
        assert_eq!(heading("### 3. Ties"), Some((3, "3. Ties")));
        assert_eq!(heading("#hash"), None);
        assert_eq!(heading("plain"), None);
    }
}
