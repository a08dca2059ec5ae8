//! Writing a game file neatly: indentation, spaces around operators, line ends. What the author
//! lined up with several spaces stays lined up, and comments stay where they are.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::parser::{Parsed, parse};
use crate::syntax::{ExprKind, Item, ItemKind, PicturePart, Placing, Table, WeightPart};
use crate::token::{Token, TokenKind};

/// Symbols with a space on both sides.
const SPACED: [&str; 12] = ["&", "|", "=", "==", "!=", "<", "<=", ">", ">=", "+=", "-=", "->"];
/// Symbols without a space before them.
const TIGHT: [&str; 4] = [",", ";", ")", ":"];

/// The text of a file written neatly, or why it cannot be read. Written again, it stays the same.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(0, text);
    if !parsed.diagnostics.is_empty() {
        return Err(parsed.diagnostics);
    }
    Ok(Formatter::new(text, &parsed).run())
}

struct Formatter<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// The bytes at which statements start.
    starts: BTreeSet<u32>,
    /// Where drawings are, which stay as they are.
    drawings: Vec<(u32, u32)>,
    /// Where tables of numbers are, which are lined up.
    tables: Vec<NumberTable>,
}

/// A table of numbers in the text.
struct NumberTable {
    start: u32,
    end: u32,
    /// How wide its widest number is.
    width: usize,
}

impl NumberTable {
    fn of(table: &Table) -> NumberTable {
        let widths = table.numbers.iter().map(|number| number.to_string().len());
        let width = widths.max().unwrap_or(0);
        NumberTable { start: table.span.start, end: table.span.end, width }
    }

    /// Whether a token stands between the braces.
    fn holds(&self, token: &Token) -> bool {
        token.span.start > self.start && token.span.end < self.end
    }
}

/// A line while it is written.
struct Line {
    /// What it says, without indentation.
    text: String,
    /// How far it is indented; unknown for a line with a comment alone.
    indent: Option<usize>,
}

impl<'t> Formatter<'t> {
    fn new(text: &'t str, parsed: &'t Parsed) -> Self {
        let drawn = |item: &&Item| match &item.kind {
            ItemKind::Setup(placings) => {
                matches!(placings[..], [Placing::Drawing { .. }])
            }
            ItemKind::Region { tiles, .. } => matches!(tiles.kind, ExprKind::Drawn(_)),
            ItemKind::Picture(parts) => {
                matches!(parts.last(), Some(PicturePart::Tiles { rows, .. }) if !rows.is_empty())
            }
            _ => false,
        };
        let drawings = parsed.items.iter().filter(drawn);
        let weights = parsed.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Weights(parts) => Some(parts),
            _ => None,
        });
        let tables = weights.flatten().filter_map(|part| match part {
            WeightPart::Kind { tables, .. } => Some(tables),
            _ => None,
        });
        Formatter {
            text,
            tokens: &parsed.tokens,
            starts: parsed.items.iter().map(|item| item.span.start).collect(),
            drawings: drawings.map(|item| (item.span.start, item.span.end)).collect(),
            tables: tables.flatten().map(NumberTable::of).collect(),
        }
    }

    fn run(&self) -> String {
        let mut lines = Vec::new();
        // How far the lines are indented on which brackets were opened that are still open.
        let mut open: Vec<usize> = Vec::new();
        let mut statement = 0;
        for tokens in self.tokens.split(|token| token.kind == TokenKind::Newline) {
            let Some(first) = tokens.iter().find(|token| token.kind != TokenKind::Space) else {
                lines.push(Line { text: String::new(), indent: Some(0) });
                continue;
            };
            let words = trim(tokens);
            let text = self.line(words);
            if first.kind == TokenKind::Comment {
                lines.push(Line { text, indent: None });
                continue;
            }
            let indent = if self.starts.contains(&first.span.start) {
                let inner = first.span.start != tokens[0].span.start;
                let inner = inner && lines.iter().any(|line: &Line| line.indent == Some(0));
                statement = if inner { 2 } else { 0 };
                open.clear();
                statement
            } else {
                match (self.closing(words), open.last()) {
                    (0, None) => statement + 2,
                    (0, Some(last)) => last + 2,
                    (closing, _) => {
                        let at = open.len().saturating_sub(closing);
                        open.get(at).copied().unwrap_or(statement)
                    }
                }
            };
            self.bracket(&mut open, indent, words);
            lines.push(Line { text, indent: Some(indent) });
        }
        written(&lines)
    }

    fn spelled(&self, token: &Token) -> &'t str {
        &self.text[token.span.range()]
    }

    /// How many brackets a line closes before it says anything else.
    fn closing(&self, words: &[Token]) -> usize {
        let closes = |token: &&Token| matches!(self.spelled(token), ")" | "}" | "]");
        words.iter().take_while(closes).count()
    }

    /// Remembers the brackets that a line leaves open.
    fn bracket(&self, open: &mut Vec<usize>, indent: usize, words: &[Token]) {
        for token in words.iter().filter(|token| token.kind == TokenKind::Symbol) {
            match self.spelled(token) {
                "(" | "{" | "[" => open.push(indent),
                ")" | "}" | "]" => drop(open.pop()),
                _ => {}
            }
        }
    }

    /// A line with neat spaces.
    fn line(&self, words: &[Token]) -> String {
        let inside = |token: &Token| {
            self.drawings.iter().any(|(start, end)| {
                token.span.start > *start
                    && token.span.end <= *end
                    && !self.starts.contains(&token.span.start)
            })
        };
        if words.first().is_some_and(inside) {
            let (first, last) = (words[0].span, words[words.len() - 1].span);
            return self.text[first.start as usize..last.end as usize].trim_end().to_owned();
        }
        let numbers = words.iter().all(|token| {
            token.is_trivia() || token.kind == TokenKind::Number || self.spelled(token) == "-"
        });
        let table = self.tables.iter().find(|table| words.first().is_some_and(|w| table.holds(w)));
        if let Some(table) = table.filter(|_| numbers) {
            return self.table_row(words, table.width);
        }
        let mut line = String::new();
        let mut gap = String::new();
        let mut before: Option<&str> = None;
        for token in words {
            let now = self.spelled(token);
            if token.kind == TokenKind::Space {
                let blank = now.contains('\t') || now.contains('\u{feff}');
                gap = if blank { " ".into() } else { now.to_owned() };
                continue;
            }
            if let Some(before) = before {
                line.push_str(&spaces(before, now, token.kind, &gap));
            }
            line.push_str(now.trim_end_matches('\r'));
            gap.clear();
            before = Some(now);
        }
        line.trim_end().to_owned()
    }
}

impl Formatter<'_> {
    /// A row of numbers, each as wide as the widest of the table.
    fn table_row(&self, words: &[Token], width: usize) -> String {
        let (mut row, mut sign) = (Vec::new(), "");
        for token in words {
            match (token.kind, self.spelled(token)) {
                (TokenKind::Symbol, minus) => sign = minus,
                (TokenKind::Number, digits) => {
                    row.push(format!("{:>width$}", format!("{sign}{digits}")));
                    sign = "";
                }
                (TokenKind::Comment, comment) => row.push(format!(" {comment}")),
                _ => {}
            }
        }
        row.join(" ").trim_end().to_owned()
    }
}

/// What stands between two tokens of a line.
fn spaces(before: &str, now: &str, kind: TokenKind, gap: &str) -> String {
    let wide = |least: usize| " ".repeat(gap.len().max(least));
    if kind == TokenKind::Comment {
        return wide(2);
    }
    if TIGHT.contains(&now) || matches!(before, "(" | "!") || now == ".." || before == ".." {
        return String::new();
    }
    if SPACED.contains(&now)
        || SPACED.contains(&before)
        || TIGHT[..2].contains(&before)
        || before == ":"
    {
        return wide(1);
    }
    gap.to_owned()
}

fn trim(tokens: &[Token]) -> &[Token] {
    let blank = |token: &Token| token.kind == TokenKind::Space;
    let start = tokens.iter().position(|token| !blank(token)).unwrap_or(tokens.len());
    let end = tokens.iter().rposition(|token| !blank(token)).map_or(start, |last| last + 1);
    &tokens[start..end]
}

/// Lines with their indentation, never two blank ones in a row. A comment is indented as what
/// follows it.
fn written(lines: &[Line]) -> String {
    let mut text = String::new();
    let mut blank = true;
    for (at, line) in lines.iter().enumerate() {
        if line.text.is_empty() {
            if !blank {
                text.push('\n');
            }
            blank = true;
            continue;
        }
        let followed = || {
            let next =
                lines[at..].iter().find(|line| !line.text.is_empty() && line.indent.is_some());
            next.and_then(|line| line.indent).unwrap_or(0)
        };
        let indent = line.indent.unwrap_or_else(followed);
        text.push_str(&" ".repeat(indent));
        text.push_str(&line.text);
        text.push('\n');
        blank = false;
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_and_spaces_are_neat() {
        let rough = "\u{feff}game  x\r\n\r\n\r\n  -- why\r\nplayers a,b\t\r\nrule go:move man to(empty|foe)\r\n      then { capture to ; \r\n   turn next\r\n}\r\n\r\n";
        let neat = "game  x\n\n-- why\nplayers a, b\nrule go: move man to(empty | foe)\n  then { capture to;\n    turn next\n  }\n";
        assert_eq!(format(rough).unwrap(), neat);
        assert_eq!(format(neat).unwrap(), neat);
    }

    #[test]
    fn drawings_stay_as_they_are() {
        let text = "game x\nboard grid 3 x 2\npiece man M\nsetup {\n  M . m\n  .|.\n}\n";
        assert_eq!(format(text).unwrap(), text);
    }

    #[test]
    fn tables_of_numbers_are_lined_up() {
        let rough =
            "game x\nweights man 5 early {\n -1 20 3\n4 5  -6 -- last\n} late {1 2 3 4 5 6}\n";
        let neat = "game x\nweights man 5 early {\n  -1 20  3\n   4  5 -6  -- last\n} late {1 2 3 4 5 6}\n";
        assert_eq!(format(rough).unwrap(), neat);
        assert_eq!(format(neat).unwrap(), neat);
    }

    #[test]
    fn what_cannot_be_read_is_not_written() {
        assert_eq!(format("game x\nput (").unwrap_err().len(), 1);
    }
}
