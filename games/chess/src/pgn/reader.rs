//! Reads games from a stream, one after another.

use std::io::BufRead;
use std::ops::Range;

use senet_core::notation::EventError;
use senet_core::{Accepted, Event, Hint, State, Walker, WalkerCache};

use crate::lexicon::Lexicon;
use crate::pgn::record::{Record, Tags, Termination};
use crate::pgn::rules::{Rules, start};
use crate::pgn::source::{Source, is_name};
use crate::pgn::token::Token;
use crate::pgn::tree::Tree;
use crate::pgn::{DEEPEST, Error, MOST_MOVES, MOST_TEXT, Problem};
use crate::san::{self, San};
use crate::uci;

/// Reads games from a stream, one after another. After an error the next game is there to read.
pub struct Reader<'r, 'g, R> {
    source: Source<R>,
    rules: &'r Rules<'g>,
    file: String,
    games: usize,
    line: Line,
    /// What the walker of one game keeps for the next.
    cache: WalkerCache,
    /// Room for the moves that a word may mean.
    legal: Vec<Accepted>,
    /// Moves of this line of the file that are still to be played, and the bytes that say them.
    hints: Vec<Hint<'r>>,
    words: Vec<(usize, usize)>,
}

/// The main line of a game, every move of it checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What is said about the game.
    pub tags: Tags,
    /// The name of the game that is played.
    pub game: String,
    /// The state before the first move.
    pub start: State,
    /// The moves.
    pub events: Vec<Event>,
    /// The state after the last move.
    pub state: State,
    /// How it ended.
    pub result: Termination,
}

/// Something wrong, with its place in the file.
struct Fault {
    problem: Problem,
    line: usize,
    column: usize,
    at_move: Option<String>,
}

/// A line of moves being read: its last node, and the state before that move.
struct Cursor {
    node: usize,
    before: Option<State>,
    /// Comments that wait for the first move of a variation.
    waiting: Vec<String>,
}

/// What may be read of a game.
enum Found {
    /// A game.
    Game,
    /// Words that belong to no game.
    Nothing,
}

impl<'r, 'g, R: BufRead> Reader<'r, 'g, R> {
    /// Reads from a stream; errors name it as a file.
    pub fn new(input: R, file: impl Into<String>, rules: &'r Rules<'g>) -> Reader<'r, 'g, R> {
        let start = rules.first().game.start();
        let line = Line {
            tags: Tags::default(),
            game: String::new(),
            start: start.clone(),
            events: Vec::new(),
            state: start,
            result: Termination::Unknown,
        };
        let (source, file) = (Source::new(input), file.into());
        Reader {
            source,
            rules,
            file,
            games: 0,
            line,
            cache: WalkerCache::default(),
            legal: Vec::new(),
            hints: Vec::new(),
            words: Vec::new(),
        }
    }

    /// How many games were begun so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The main line of the next game. Comments, glyphs and variations are passed over. What is
    /// lent is used again for the next game.
    pub fn next_line(&mut self) -> Option<Result<&Line, Error>> {
        let read = self.next_game(|reader| reader.walk(Self::read_line))?;
        Some(read.map(|()| &self.line))
    }

    /// The next game with all that is said about it.
    pub fn next_record(&mut self) -> Option<Result<Record, Error>> {
        let mut tree = Tree::new();
        let read = self.next_game(|reader| {
            tree = Tree::new();
            reader.walk(|reader, lexicon, walker| reader.read_tree(lexicon, walker, &mut tree))
        })?;
        Some(read.map(|()| Record {
            tags: std::mem::take(&mut self.line.tags),
            game: self.line.game.clone(),
            start: self.line.start.clone(),
            tree,
            result: self.line.result,
        }))
    }

    fn next_game(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<Found, Fault>,
    ) -> Option<Result<(), Error>> {
        loop {
            match self.begin() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(fault) => return Some(Err(self.fail(fault))),
            }
            match read(self) {
                Ok(Found::Game) => return Some(Ok(())),
                Ok(Found::Nothing) => self.games -= 1,
                Err(fault) => return Some(Err(self.fail(fault))),
            }
        }
    }

    /// Goes to the next game and reads its tags. False if there is none.
    fn begin(&mut self) -> Result<bool, Fault> {
        self.line.tags.0.clear();
        self.line.events.clear();
        self.forget_hints();
        self.line.result = Termination::Unknown;
        while self.source.rest().trim_ascii_start().is_empty() || self.source.line[0] == b'%' {
            match self.source.advance() {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(problem) => {
                    self.games += 1;
                    return Err(self.fault(problem));
                }
            }
        }
        self.games += 1;
        self.tags()?;
        Ok(true)
    }

    /// Reads tags up to the first word of the moves or the beginning of the next game.
    fn tags(&mut self) -> Result<(), Fault> {
        let mut text = 0;
        loop {
            let blanks = self.source.rest().iter().take_while(|byte| byte.is_ascii_whitespace());
            self.source.at += blanks.count();
            match self.source.rest().first() {
                Some(b'[') => {
                    let (name, value) = self.tag()?;
                    text += name.len() + value.len();
                    if text > MOST_TEXT {
                        return Err(self.fault(Problem::TooLong("tags")));
                    }
                    self.line.tags.0.push((name, value));
                }
                Some(b'%') if self.source.at == 0 => self.source.at = self.source.line.len(),
                Some(_) => return Ok(()),
                None => {
                    let more = self.source.advance().map_err(|problem| self.fault(problem))?;
                    if !more || self.source.is_event() && !self.line.tags.0.is_empty() {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Reads one tag.
    fn tag(&mut self) -> Result<(String, String), Fault> {
        let start = self.source.at;
        self.source.at += 1;
        let rest = self.source.rest().trim_ascii_start();
        let name = rest.iter().take_while(|byte| is_name(**byte)).count();
        let after = rest[name..].trim_ascii_start();
        let (Some(value), true) = (after.strip_prefix(b"\""), name > 0) else {
            let problem =
                Problem::unexpected(&self.source.line[start..], "a tag as [Name \"value\"]");
            return Err(self.fault_at(problem, start));
        };
        let unclosed = Problem::NotClosed("tag");
        let Some(end) = end_of_value(value) else { return Err(self.fault_at(unclosed, start)) };
        let Some(left) = value[end + 1..].trim_ascii_start().strip_prefix(b"]") else {
            return Err(self.fault_at(unclosed, start));
        };
        if value.contains(&0) {
            return Err(self.fault_at(Problem::Nul, start));
        }
        let name = String::from_utf8_lossy(&rest[..name]).into_owned();
        let value = unescape(&value[..end]);
        self.source.at = self.source.line.len() - left.len();
        Ok((name, value))
    }

    /// What the tags say of the rules and the start.
    fn prepare(&mut self) -> Result<&'r Lexicon<'g>, Fault> {
        let rules = self.rules;
        let lexicon = rules.of(&self.line.tags).map_err(|problem| self.fault(problem))?;
        self.line.game.clear();
        self.line.game.push_str(lexicon.game.name());
        self.line.start = start(lexicon, &self.line.tags).map_err(|problem| self.fault(problem))?;
        self.line.state.clone_from(&self.line.start);
        Ok(lexicon)
    }

    /// Reads the moves of a game with a walker over it.
    fn walk(
        &mut self,
        read: impl FnOnce(&mut Self, &'r Lexicon<'g>, &mut Walker<'g>) -> Result<Found, Fault>,
    ) -> Result<Found, Fault> {
        let lexicon = self.prepare()?;
        let mut walker = lexicon.game.walker_with(std::mem::take(&mut self.cache));
        let found = read(self, lexicon, &mut walker);
        self.cache = walker.into_cache();
        found
    }

    fn read_line(
        &mut self,
        lexicon: &'r Lexicon<'g>,
        walker: &mut Walker<'g>,
    ) -> Result<Found, Fault> {
        let mut depth = 0;
        loop {
            let token = self.source.token();
            if !matches!(token, Ok(Token::Move(..) | Token::Nag(_))) {
                self.play_all(walker, lexicon)?;
            }
            match token.map_err(|problem| self.fault(problem))? {
                Token::Move(from, to) if depth == 0 => {
                    self.say(walker, lexicon, (from, to))?;
                    if self.line.events.len() + self.hints.len() > MOST_MOVES {
                        self.play_all(walker, lexicon)?;
                        return Err(self.fault(Problem::TooLong("moves")));
                    }
                }
                Token::Open => depth = self.deeper(depth)?,
                Token::Close if depth == 0 => return Err(self.stray_close()),
                Token::Close => depth -= 1,
                Token::Brace => self.comment(None)?,
                Token::Rest => self.source.rest_of_line(None),
                Token::Line if self.next_text()? => {}
                Token::End(result) if depth == 0 => return Ok(self.ended(Some(result), true)),
                Token::Next | Token::Line => {
                    self.check_closed(depth)?;
                    return Ok(self.ended(None, !self.line.events.is_empty()));
                }
                Token::Move(..) | Token::Nag(_) | Token::End(_) => {}
            }
        }
    }

    fn read_tree(
        &mut self,
        lexicon: &'r Lexicon<'g>,
        walker: &mut Walker<'g>,
        tree: &mut Tree,
    ) -> Result<Found, Fault> {
        let mut now = Cursor { node: 0, before: None, waiting: Vec::new() };
        let mut outer: Vec<(Cursor, State)> = Vec::new();
        let mut text = 0;
        loop {
            let token = self.source.token();
            if !matches!(token, Ok(Token::Move(..))) {
                self.grow(walker, lexicon, tree, &mut now)?;
            }
            match token.map_err(|problem| self.fault(problem))? {
                Token::Move(from, to) => {
                    now.before.get_or_insert_with(|| self.line.state.clone());
                    self.say(walker, lexicon, (from, to))?;
                    if tree.len() + self.line.events.len() + self.hints.len() > MOST_MOVES + 1 {
                        self.play_all(walker, lexicon)?;
                        return Err(self.fault(Problem::TooLong("moves")));
                    }
                }
                Token::Nag(nag) if now.before.is_some() && text < MOST_TEXT => {
                    text += 1;
                    tree.node_mut(now.node).nags.push(nag);
                }
                Token::Open => {
                    self.deeper(outer.len())?;
                    let Some(before) = now.before.clone() else { return Err(self.stray_open()) };
                    let after = std::mem::replace(&mut self.line.state, before);
                    let node = tree.parent(now.node);
                    let inner = Cursor { node, before: None, waiting: Vec::new() };
                    outer.push((std::mem::replace(&mut now, inner), after));
                }
                Token::Close => {
                    let Some((back, after)) = outer.pop() else { return Err(self.stray_close()) };
                    self.line.state = after;
                    let inner = std::mem::replace(&mut now, back);
                    tree.node_mut(now.node).after.extend(inner.waiting);
                }
                token @ (Token::Brace | Token::Rest) => {
                    let mut comment = String::new();
                    match token {
                        Token::Brace => self.comment(Some(&mut comment))?,
                        _ => self.source.rest_of_line(Some(&mut comment)),
                    }
                    text += comment.len() + size_of::<String>();
                    if text > MOST_TEXT {
                        return Err(self.fault(Problem::TooLong("comments")));
                    }
                    let first = now.before.is_none() && !outer.is_empty();
                    let list =
                        if first { &mut now.waiting } else { &mut tree.node_mut(now.node).after };
                    list.extend(Some(comment).filter(|comment| !comment.is_empty()));
                }
                Token::Line if self.next_text()? => {}
                Token::End(result) if outer.is_empty() => return Ok(self.ended(Some(result), true)),
                Token::Next | Token::Line => {
                    self.check_closed(outer.len())?;
                    return Ok(self.ended(None, !tree.is_empty()));
                }
                Token::Nag(_) | Token::End(_) => {}
            }
        }
    }

    /// Adds the moves that are still to be played to a tree.
    fn grow(
        &mut self,
        walker: &mut Walker<'_>,
        lexicon: &'r Lexicon<'g>,
        tree: &mut Tree,
        now: &mut Cursor,
    ) -> Result<(), Fault> {
        if let Some(last) = self.hints.len().checked_sub(1) {
            self.play_hints(walker, lexicon, 0..last)?;
            now.before = Some(self.line.state.clone());
            self.play_hints(walker, lexicon, last..last + 1)?;
            self.forget_hints();
        }
        for event in self.line.events.drain(..) {
            now.node = tree.add(now.node, event);
            tree.node_mut(now.node).before.append(&mut now.waiting);
        }
        Ok(())
    }

    /// What was read when the moves are over.
    fn ended(&mut self, result: Option<Termination>, moved: bool) -> Found {
        let said = || Termination::parse(self.line.tags.get("Result")?.as_bytes());
        self.line.result = result.or_else(said).unwrap_or_default();
        if moved || !self.line.tags.0.is_empty() { Found::Game } else { Found::Nothing }
    }

    /// Goes to the next line of the moves, if there is one.
    fn next_text(&mut self) -> Result<bool, Fault> {
        self.source.next_line().map_err(|problem| self.fault(problem))
    }

    fn comment(&mut self, text: Option<&mut String>) -> Result<(), Fault> {
        match self.source.comment(text) {
            Ok(None) => Ok(()),
            Ok(Some((line, column))) => {
                let problem = Problem::NotClosed("comment");
                Err(Fault { problem, line, column, at_move: None })
            }
            Err(problem) => Err(self.fault(problem)),
        }
    }

    /// Takes the move that a part of the line says, to be played with others.
    fn say(
        &mut self,
        walker: &mut Walker<'_>,
        lexicon: &'r Lexicon<'g>,
        word: (usize, usize),
    ) -> Result<(), Fault> {
        match san::read(lexicon, &self.source.line[word.0..word.1]) {
            Some(San::Move(hint)) => {
                self.hints.push(hint);
                self.words.push(word);
                Ok(())
            }
            _ => {
                self.play_all(walker, lexicon)?;
                self.play(walker, lexicon, word)
            }
        }
    }

    fn forget_hints(&mut self) {
        self.hints.clear();
        self.words.clear();
    }

    /// Plays all moves that are still to be played.
    fn play_all(&mut self, walker: &mut Walker<'_>, lexicon: &'r Lexicon<'g>) -> Result<(), Fault> {
        self.play_hints(walker, lexicon, 0..self.hints.len())?;
        self.forget_hints();
        Ok(())
    }

    /// Plays some of the moves that are still to be played.
    fn play_hints(
        &mut self,
        walker: &mut Walker<'_>,
        lexicon: &'r Lexicon<'g>,
        some: Range<usize>,
    ) -> Result<(), Fault> {
        let mut at = some.start;
        while at < some.end {
            let (state, events) = (&mut self.line.state, &mut self.line.events);
            at += walker.replay(state, &self.hints[at..some.end], events);
            if at < some.end {
                self.play(walker, lexicon, self.words[at])?;
                at += 1;
            }
        }
        Ok(())
    }

    /// Plays the move that a part of the line says.
    fn play(
        &mut self,
        walker: &mut Walker<'_>,
        lexicon: &'r Lexicon<'g>,
        (from, to): (usize, usize),
    ) -> Result<(), Fault> {
        let text = &self.source.line[from..to];
        let state = &self.line.state;
        let accepted = accept(walker, lexicon, state, text, &mut self.legal).map_err(|error| {
            let view = lexicon.game.view(state);
            let white = view.player() == lexicon.players[0];
            let number = view.variable(lexicon.number, view.player());
            let dots = if white { "." } else { "..." };
            let at_move = Some(format!("{number}{dots} {}", error.found));
            Fault { at_move, ..self.fault_at(Problem::Move(error), from) }
        })?;
        walker.play_on(&mut self.line.state, accepted);
        self.line.events.push(accepted.event());
        Ok(())
    }

    fn deeper(&self, depth: usize) -> Result<usize, Fault> {
        if depth < DEEPEST { Ok(depth + 1) } else { Err(self.fault(Problem::TooDeep)) }
    }

    fn check_closed(&self, depth: usize) -> Result<(), Fault> {
        if depth == 0 { Ok(()) } else { Err(self.fault(Problem::NotClosed("variation"))) }
    }

    fn stray_close(&self) -> Fault {
        let allowed = "`)` only after a `(` that is open";
        self.fault_at(Problem::unexpected(b")", allowed), self.source.at - 1)
    }

    fn stray_open(&self) -> Fault {
        let allowed = "a variation only after the move it replaces";
        self.fault_at(Problem::unexpected(b"(", allowed), self.source.at - 1)
    }

    /// A problem where the source is now.
    fn fault(&self, problem: Problem) -> Fault {
        self.fault_at(problem, self.source.at)
    }

    /// A problem at a byte of the line.
    fn fault_at(&self, problem: Problem, at: usize) -> Fault {
        let (line, column) = (self.source.number, self.source.column(at));
        Fault { problem, line, column, at_move: None }
    }

    /// Makes an error of a fault and goes to the next game.
    fn fail(&mut self, fault: Fault) -> Error {
        let Fault { problem, line, column, at_move } = fault;
        self.recover();
        Error { file: self.file.clone(), line, column, game: self.games, at_move, problem }
    }

    /// Goes to the next line that begins a game: a tag after moves, or the tag that almost every
    /// game begins with.
    fn recover(&mut self) {
        if self.source.at == 0 && self.source.is_event() {
            return;
        }
        let mut moves = !self.source.is_tag();
        let mut blank = false;
        while !self.source.is_over() {
            // Whatever is wrong with a line that is passed over was told already.
            let _ = self.source.advance();
            if self.source.is_event() || moves && self.source.is_tag() {
                self.source.at = 0;
                return;
            }
            // What goes on after an empty line are moves; before it, a tag that was broken.
            blank |= self.source.line.is_empty();
            moves |= blank && !self.source.line.is_empty() && !self.source.is_tag();
        }
        self.source.at = self.source.line.len();
    }
}

/// The move that a text says.
fn accept(
    walker: &mut Walker<'_>,
    lexicon: &Lexicon<'_>,
    state: &State,
    text: &[u8],
    legal: &mut Vec<Accepted>,
) -> Result<Accepted, EventError> {
    let san = san::read(lexicon, text);
    let events = match san.map(|san| san::resolve(walker, lexicon, state, san, legal)) {
        Some(Ok(accepted)) => return Ok(accepted),
        Some(Err(events)) => events,
        None => Vec::new(),
    };
    let text = String::from_utf8_lossy(text);
    let meant = uci::parse(lexicon, state, &text);
    if let Some(accepted) = meant.and_then(|event| walker.accept(state, event)) {
        return Ok(accepted);
    }
    Err(san::refusal(lexicon, state, &text, &events))
}

/// The byte of the quote that closes a value.
fn end_of_value(value: &[u8]) -> Option<usize> {
    let mut escaped = false;
    value.iter().position(|&byte| {
        let end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        end
    })
}

/// A value with its quotes and backslashes as they are meant.
fn unescape(value: &[u8]) -> String {
    let value = String::from_utf8_lossy(value);
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letter == '\\' && matches!(letters.peek(), Some('"' | '\\'));
        plain.push(if escaped { letters.next().unwrap_or(letter) } else { letter });
    }
    plain
}
