//! Writes games in export format: a tag on each line, then the moves in lines of less than 80
//! characters.

use senet_core::notation::EventError;
use senet_core::{Event, State};

use crate::lexicon::Lexicon;
use crate::pgn::token::push_clean;
use crate::pgn::{Problem, Record, Rules, Tree};
use crate::san;

/// The most characters of a line.
const WIDTH: usize = 79;

impl Record {
    /// Writes the game; what is written reads back to the same game. Blanks in a comment that are
    /// no spaces are written as such.
    ///
    /// # Errors
    /// If the rules do not have this game or a move is not legal.
    pub fn format(&self, rules: &Rules<'_>) -> Result<String, Problem> {
        let lexicon = rules.named(&self.game)?;
        let mut out = String::new();
        for (name, value) in &self.tags.0 {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\0'], " ");
            out.push_str(&format!("[{name} \"{value}\"]\n"));
        }
        if !self.tags.0.is_empty() {
            out.push('\n');
        }
        let mut writer = Writer { lexicon, tree: &self.tree, lines: Lines::default() };
        writer.moves(&self.start)?;
        writer.lines.word(self.result.text());
        out.push_str(&writer.lines.text);
        out.push('\n');
        Ok(out)
    }
}

/// What is still to be written.
enum Task {
    /// What follows a node, whose state is this.
    Follow(usize, State),
    /// A variation that begins with a node, from this state.
    Variation(usize, State),
    /// The end of a variation.
    Close,
}

struct Writer<'w> {
    lexicon: &'w Lexicon<'w>,
    tree: &'w Tree,
    lines: Lines,
}

impl Writer<'_> {
    fn moves(&mut self, start: &State) -> Result<(), Problem> {
        let tree = self.tree;
        self.comments(&tree.node(0).after);
        let mut tasks = vec![Task::Follow(0, start.clone())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Close => self.lines.close(),
                Task::Variation(node, state) => {
                    self.lines.open();
                    self.comments(&tree.node(node).before);
                    let after = self.one_move(node, &state)?;
                    tasks.push(Task::Close);
                    tasks.push(Task::Follow(node, after));
                }
                Task::Follow(node, state) => {
                    let mut children = tree.children(node);
                    let Some(main) = children.next() else { continue };
                    let variations: Vec<usize> = children.collect();
                    let after = self.one_move(main, &state)?;
                    tasks.push(Task::Follow(main, after));
                    let variations = variations.into_iter().rev();
                    tasks.extend(variations.map(|one| Task::Variation(one, state.clone())));
                }
            }
        }
        Ok(())
    }

    /// Writes a move with what is said about it, and gives the state after it.
    fn one_move(&mut self, node: usize, state: &State) -> Result<State, Problem> {
        let lexicon = self.lexicon;
        let node = self.tree.node(node);
        let view = lexicon.game.view(state);
        let step = node.event.and_then(|event| lexicon.game.apply(state, event).ok());
        let Some(step) = step else { return Err(illegal(lexicon, node.event)) };
        let white = view.player() == lexicon.players[0];
        let number = view.variable(lexicon.number, view.player());
        if white {
            self.lines.word(&format!("{number}."));
        } else if self.lines.fresh {
            self.lines.word(&format!("{number}..."));
        }
        self.lines.word(&san::format_step(lexicon, state, &step));
        self.lines.fresh = false;
        for nag in &node.nags {
            self.lines.word(&format!("${nag}"));
        }
        self.comments(&node.after);
        Ok(step.state)
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let mut text = String::new();
            push_clean(&mut text, comment.as_bytes());
            if text.is_empty() {
                continue;
            }
            self.lines.fresh = true;
            if text.contains('}') {
                self.lines.rest(&text);
            } else {
                self.lines.braces(&text);
            }
        }
    }
}

fn illegal(lexicon: &Lexicon<'_>, event: Option<Event>) -> Problem {
    let text =
        event.map_or(String::new(), |event| senet_core::text::format_event(lexicon.game, event));
    Problem::Move(EventError::new(0, &text, "a legal move", None))
}

/// Words in lines that are not too long.
struct Lines {
    text: String,
    column: usize,
    /// Whether a bracket stands before the next word, which belongs to it.
    glued: bool,
    /// Whether the next move of Black needs its number.
    fresh: bool,
}

impl Default for Lines {
    fn default() -> Lines {
        Lines { text: String::new(), column: 0, glued: true, fresh: true }
    }
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if !self.glued {
            if self.column + 1 + length > WIDTH {
                self.newline();
            } else {
                self.text.push(' ');
                self.column += 1;
            }
        }
        self.text.push_str(word);
        self.column += length;
        self.glued = false;
    }

    fn newline(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    fn open(&mut self) {
        self.word("(");
        self.glued = true;
        self.fresh = true;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.column += 1;
        self.glued = false;
        self.fresh = true;
    }

    /// A comment to the end of the line.
    fn rest(&mut self, text: &str) {
        self.word(";");
        self.text.push_str(text);
        self.newline();
        self.glued = true;
    }

    /// A comment in braces. A line is broken only at a single space, which is what a break is
    /// read as, never inside a command such as `[%clk 1:00]`, and never where the next line would
    /// look like a tag or a line to pass over.
    fn braces(&mut self, text: &str) {
        let mut chunk = String::from("{");
        let mut words = text.split(' ').peekable();
        let mut command = false;
        while let Some(word) = words.next() {
            chunk.push_str(word);
            command = match word.rfind("[%") {
                Some(at) => !word[at..].contains(']'),
                None => command && !word.contains(']'),
            };
            let Some(next) = words.peek() else { break };
            let special = next.is_empty() || next.starts_with('%') || next.starts_with("[Event");
            if word.is_empty() || special || command {
                chunk.push(' ');
            } else {
                self.word(&chunk);
                chunk.clear();
            }
        }
        chunk.push('}');
        self.word(&chunk);
    }
}
