//! Reads games from a stream, one after another.

use std::io::BufRead;

use senet_core::notation::excerpt;

use crate::lexicon::Lexicon;
use crate::mat::replay::{Fault, replay};
use crate::mat::row::Row;
use crate::mat::source::Source;
use crate::mat::{Entry, Error, Game, Header, MOST_DEEDS, MOST_TEXT, Problem, Record};

/// Reads games from a stream, one after another. After an error the next game is there to read.
pub struct Reader<'g, R> {
    source: Source<R>,
    lexicons: Vec<Lexicon<'g>>,
    file: String,
    games: usize,
    header: Option<Header>,
    /// Comments of which it is not yet known what they belong to.
    waiting: Vec<String>,
    /// The match as far as it was read.
    standing: Standing,
}

/// Where a match stands after the games that were read.
#[derive(Clone, Copy, Default)]
struct Standing {
    /// How many games of the match were begun.
    games: usize,
    /// The points of both, where every game so far was read and ended.
    score: Option<[u16; 2]>,
    /// Whether the game without the cube is over.
    crawford_is_over: bool,
}

impl<'g, R: BufRead> Reader<'g, R> {
    /// Reads from a stream; errors name it as a file. The first game is that of files which name
    /// no variant; the others are told by the `Variation` of a file.
    pub fn new(input: R, file: impl Into<String>, games: &[&'g senet_core::Game]) -> Reader<'g, R> {
        Reader {
            source: Source::new(input),
            lexicons: games.iter().map(|game| Lexicon::new(game)).collect(),
            file: file.into(),
            games: 0,
            header: None,
            waiting: Vec::new(),
            standing: Standing::default(),
        }
    }

    /// How many games were begun so far.
    pub fn games(&self) -> usize {
        self.games
    }

    /// The next game, replayed and checked.
    pub fn next_game(&mut self) -> Option<Result<Record, Error>> {
        let number = match self.begin() {
            Ok(Some(number)) => number,
            Ok(None) => return None,
            Err(fault) => return Some(Err(self.fail(fault))),
        };
        self.games += 1;
        let opens = self.standing.games == 0;
        self.standing.games += 1;
        let read = self.game(number).and_then(|(game, last)| self.check(game, last, opens));
        Some(read.map_err(|fault| self.fail(fault)))
    }

    fn fault(&self, problem: Problem) -> Fault {
        Fault { line: self.source.number, at_move: None, problem }
    }

    /// The next line.
    fn row(&mut self) -> Option<Result<Row, Fault>> {
        let read = match self.source.next()? {
            Ok(line) => Row::read(line),
            Err(problem) => Err(problem),
        };
        Some(read.map_err(|problem| self.fault(problem)))
    }

    /// Goes to the next game and reads its number. None at the end of the file.
    fn begin(&mut self) -> Result<Option<u32>, Fault> {
        while let Some(row) = self.row() {
            match row {
                Ok(Row::Blank) => {}
                Ok(Row::Comment(comment)) => self.wait(comment)?,
                Ok(Row::Length(length)) => {
                    let comments = std::mem::take(&mut self.waiting);
                    self.header = Some(Header { comments, length });
                    self.standing = Standing::default();
                }
                Ok(Row::Game(number)) => return Ok(Some(number)),
                Ok(_) => {
                    self.games += 1;
                    return Err(self.fault(Problem::Unexpected {
                        found: "a line of a game".to_owned(),
                        allowed: "a line such as `5 point match` or `Game 1` before it",
                    }));
                }
                Err(fault) => {
                    self.games += 1;
                    return Err(fault);
                }
            }
        }
        Ok(None)
    }

    fn wait(&mut self, comment: String) -> Result<(), Fault> {
        let length: usize = self.waiting.iter().map(String::len).sum();
        if length + comment.len() > MOST_TEXT {
            self.waiting.clear();
            return Err(self.fault(Problem::TooLong("comments")));
        }
        self.waiting.push(comment);
        Ok(())
    }

    /// Reads a game after its number, up to whatever begins next, and the last line of it.
    fn game(&mut self, number: u32) -> Result<(Game, usize), Fault> {
        let mut game =
            Game { number, before: std::mem::take(&mut self.waiting), ..Game::default() };
        let (mut named, mut text, mut last) = (false, 0, self.source.number);
        // A comment after an empty line may belong to what comes next.
        let mut apart = false;
        while let Some(row) = self.row() {
            match row? {
                Row::Blank => apart = named && (game.winning.is_some() || !game.entries.is_empty()),
                Row::Comment(comment) if apart => self.wait(comment)?,
                Row::Comment(comment) => {
                    text += comment.len();
                    if text > MOST_TEXT {
                        return Err(self.fault(Problem::TooLong("comments")));
                    }
                    game.comments.push((game.entries.len(), comment));
                }
                Row::Players(players, score) if !named => {
                    (game.players, game.score, named) = (players, score, true);
                }
                Row::Deeds(deeds) if named && game.winning.is_none() => {
                    apart = false;
                    let line = self.source.number;
                    last = line;
                    let entries = deeds.into_iter().map(|(side, deed)| Entry { side, deed, line });
                    game.entries.extend(entries);
                    if game.entries.len() > MOST_DEEDS {
                        return Err(self.fault(Problem::TooLong("moves")));
                    }
                }
                Row::Winning(winning) if named && game.winning.is_none() => {
                    game.winning = Some(winning);
                    last = self.source.number;
                }
                Row::Length(_) | Row::Game(_) => {
                    self.source.back();
                    return if named { Ok((game, last)) } else { Err(self.nobody("another game")) };
                }
                Row::Players(..) | Row::Deeds(_) | Row::Winning(_) => {
                    let allowed = match (named, game.winning) {
                        (false, _) => "the players of the game after its number",
                        (true, Some(_)) => "nothing more of a game that is won",
                        (true, None) => "a roll, a cube action or who wins",
                    };
                    let found = "another line of a game".to_owned();
                    return Err(self.fault(Problem::Unexpected { found, allowed }));
                }
            }
        }
        game.after = std::mem::take(&mut self.waiting);
        if !named {
            return Err(self.nobody("the end of the file"));
        }
        Ok((game, last))
    }

    fn nobody(&self, found: &str) -> Fault {
        let allowed = "the players of the game after its number";
        self.fault(Problem::Unexpected { found: found.to_owned(), allowed })
    }

    /// Replays a game and counts its points.
    fn check(&mut self, game: Game, last: usize, opens: bool) -> Result<Record, Fault> {
        let Some(header) = self.header.clone() else {
            let (found, allowed) = ("a game".to_owned(), "a line such as `5 point match` first");
            return Err(self.fault(Problem::Unexpected { found, allowed }));
        };
        let standing = self.standing;
        self.standing.score = None;
        if let Some(score) = standing.score.filter(|score| *score != game.score && !opens) {
            let say = |[one, two]: [u16; 2]| format!("{one} to {two}");
            let (found, allowed) = (say(game.score), say(score));
            let problem = Problem::Score { found: format!("a score of {found}"), allowed };
            let line = game.entries.first().map_or(self.source.number, |entry| entry.line);
            return Err(Fault { line: line.saturating_sub(1), at_move: None, problem });
        }
        let near = |score: &&u16| u32::from(**score) + 1 == u32::from(header.length);
        let crawford = game.score.iter().filter(near).count() == 1 && !standing.crawford_is_over;
        self.standing.crawford_is_over |= crawford;
        let lexicon = self.lexicon(&header)?;
        let mut record = replay(lexicon, (header, game, last), crawford)?;
        record.opens = opens;
        if let Some(winning) = record.game.winning {
            let mut score = record.game.score;
            let points = winning.points.min(u16::MAX.into()) as u16;
            let won = &mut score[winning.side.index()];
            *won = won.saturating_add(points);
            self.standing.score = Some(score);
        }
        Ok(record)
    }

    /// The game that a file names, or the first.
    fn lexicon(&self, header: &Header) -> Result<&Lexicon<'g>, Fault> {
        let named = header.comments.iter().find_map(|comment| {
            let value = comment.trim().strip_prefix("[Variation")?.trim();
            Some(value.strip_prefix('"')?.split('"').next()?.to_ascii_lowercase())
        });
        let Some(name) = named.filter(|name| !name.is_empty()) else {
            return Ok(&self.lexicons[0]);
        };
        let known = self.lexicons.iter().find(|lexicon| lexicon.game.name() == name);
        known.ok_or_else(|| self.fault(Problem::UnknownVariant(excerpt(&name))))
    }

    /// Makes an error of a fault and goes to the next game.
    fn fail(&mut self, fault: Fault) -> Error {
        let Fault { line, at_move, problem } = fault;
        self.standing.score = None;
        while let Some(row) = self.row() {
            if let Ok(Row::Game(_) | Row::Length(_)) = row {
                self.source.back();
                break;
            }
            // Nothing can be read on.
            if matches!(row, Err(Fault { problem: Problem::Unreadable(_), .. })) {
                break;
            }
        }
        Error { file: self.file.clone(), line, game: self.games, at_move, problem }
    }
}
