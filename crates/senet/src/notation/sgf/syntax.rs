//! The syntax of SGF files: nodes of properties, each with its values. Only the main line of each
//! game is kept; variations are read over.

use super::Problem;

/// One game of a file: the nodes of its main line.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

/// A node: its properties in the order in which they stand.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The line of the file, counted from 1.
    pub(super) line: usize,
    properties: Vec<(String, Vec<String>)>,
}

impl Node {
    /// The values of a property; none where the node does not have it.
    pub(super) fn values(&self, name: &str) -> &[String] {
        let found = self.properties.iter().find(|(one, _)| one == name);
        found.map_or(&[], |(_, values)| values)
    }

    /// The first value of a property.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }
}

/// Reads the games of a file one by one.
pub(super) struct Scanner<'t> {
    rest: std::iter::Peekable<std::str::Chars<'t>>,
    pub(super) line: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t str) -> Scanner<'t> {
        Scanner { rest: text.chars().peekable(), line: 1 }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    /// The next character that is no white space.
    fn peek(&mut self) -> Option<char> {
        while self.rest.peek().is_some_and(|one| one.is_whitespace()) {
            self.next();
        }
        self.rest.peek().copied()
    }

    /// The next game; none at the end of the file. What stands between games is no part of them.
    pub(super) fn tree(&mut self) -> Option<Result<Tree, Problem>> {
        while self.next()? != '(' {}
        Some(self.sequence())
    }

    /// Everything up to the bracket that ends a game. The main line goes on with the first branch
    /// of each, so it ends where the first branch does.
    fn sequence(&mut self) -> Result<Tree, Problem> {
        let (mut nodes, mut depth, mut main) = (Vec::<Node>::new(), 1_usize, true);
        while depth > 0 {
            match self.peek().ok_or(Problem::Unfinished)? {
                '(' => depth += 1,
                ')' => (depth, main) = (depth - 1, false),
                ';' if main => nodes.push(Node { line: self.line, ..Node::default() }),
                ';' => {}
                name if name.is_ascii_alphabetic() => {
                    let (name, values) = self.property()?;
                    let node = nodes.last_mut().ok_or(Problem::NoNode)?;
                    // A property stands once in a node; files that repeat it mean one list.
                    match node.properties.iter_mut().find(|(one, _)| main && *one == name) {
                        Some((_, known)) => known.extend(values),
                        None if main => node.properties.push((name, values)),
                        None => {}
                    }
                    continue;
                }
                found => return Err(Problem::Unexpected(found)),
            }
            self.next();
        }
        if nodes.is_empty() { Err(Problem::NoNode) } else { Ok(Tree { nodes }) }
    }

    /// A name and its values. Small letters of a name are those of old files, and mean nothing.
    fn property(&mut self) -> Result<(String, Vec<String>), Problem> {
        let mut name = String::new();
        while let Some(one) = self.peek().filter(char::is_ascii_alphabetic) {
            self.next();
            if one.is_ascii_uppercase() {
                name.push(one);
            }
        }
        let mut values = Vec::new();
        while self.peek() == Some('[') {
            self.next();
            values.push(self.value()?);
        }
        if values.is_empty() { Err(Problem::NoValue(name)) } else { Ok((name, values)) }
    }

    /// A value up to its bracket. A backslash takes the next character as it is; before the end of
    /// a line it joins two lines.
    fn value(&mut self) -> Result<String, Problem> {
        let mut value = String::new();
        loop {
            match self.next().ok_or(Problem::Unfinished)? {
                ']' => return Ok(value),
                '\\' => match self.next().ok_or(Problem::Unfinished)? {
                    '\r' if self.rest.peek() == Some(&'\n') => {
                        self.next();
                    }
                    '\n' | '\r' => {}
                    one => value.push(one),
                },
                one => value.push(one),
            }
        }
    }
}

/// A text as a value is written.
pub(super) fn escaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    for one in text.chars() {
        if matches!(one, ']' | '\\' | ':') {
            value.push('\\');
        }
        value.push(if one.is_whitespace() { ' ' } else { one });
    }
    value
}
