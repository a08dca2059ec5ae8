//! SGF files (FF\[4\]) of games in which stones are put on a board, and of lines of action: their
//! main lines with names, setups and results. Every move is checked by the rules.
//!
//! ```
//! use senet::notation::sgf;
//!
//! let text = "(;FF[4]GM[1]SZ[9]PB[Carol]AB[gc][cg]PL[W];W[ee];B[cc])";
//! let record = sgf::Reader::new(text).next().unwrap()?;
//! assert_eq!(record.played.game().name(), "go-9");
//! assert_eq!((record.names[0].as_str(), record.played.ply()), ("Carol", 2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod syntax;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use senet_registry::lang::Source;

use crate::files::Files;
use crate::game::Game;
use crate::history::Match;
use crate::{Event, PlayerId, Position, Setup, Stand, TileId, excerpt};
use syntax::{Node, Scanner, Tree, escaped};

/// The largest board of a file whose size is not the usual one.
const MOST_SIDE: usize = 19;

/// The longest game, in nodes.
const MOST_NODES: usize = 20_000;

/// How the files of a game name its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// Two letters: the column, and the row from the top.
    FromTop,
    /// Two letters: the column, and the row, where the first row is the top one.
    TopFirst,
    /// A letter and a number, as our tiles are named.
    Plain,
    /// A letter and a number, with rows and columns exchanged: the first player joins the top and
    /// the bottom of a board of Hex in such files, and the left and right side of ours.
    Turned,
}

/// A game that files may contain.
#[derive(Debug)]
struct Kind {
    /// Its number in files.
    number: u32,
    name: &'static str,
    points: Points,
    /// How many points a side usually has.
    side: usize,
    /// Whether other sizes are an option of the game.
    sizes: bool,
}

const KINDS: [Kind; 5] = [
    Kind { number: 1, name: "go", points: Points::FromTop, side: 19, sizes: true },
    Kind { number: 2, name: "othello", points: Points::TopFirst, side: 8, sizes: false },
    Kind { number: 4, name: "gomoku", points: Points::FromTop, side: 15, sizes: false },
    Kind { number: 9, name: "lines-of-action", points: Points::Plain, side: 8, sizes: false },
    Kind { number: 11, name: "hex", points: Points::Turned, side: 11, sizes: true },
];

/// The games that files have named so far, by number and size.
static GAMES: Mutex<BTreeMap<(u32, usize), Game>> = Mutex::new(BTreeMap::new());

/// A game that was read.
#[derive(Clone, Debug)]
pub struct Record {
    /// What the players are called, in the order of play; empty where the file does not say it.
    pub names: [String; 2],
    /// The result as the file has it, such as `B+R`.
    pub result: Option<String>,
    /// What was played.
    pub played: Match,
}

/// How a match ended otherwise than by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// This player won because another gave up.
    Resigned(PlayerId),
    /// This player won because the time of another was up.
    Time(PlayerId),
    /// Nobody won.
    Void,
}

/// Why a game of a file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a game of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A bracket is missing at the end.
    Unfinished,
    /// A game without a node.
    NoNode,
    /// A property without a value.
    NoValue(String),
    /// A character where none of its kind may stand.
    Unexpected(char),
    /// A number of a game that is not read.
    Game(String),
    /// A size of the board that the game does not have.
    Size(String),
    /// More nodes than a game may have.
    TooLong,
    /// Stones are set up after the first move.
    LateSetup,
    /// The stones that are set up are no position of the game.
    Setup(String),
    /// No point of the board.
    Point(String),
    /// A move that the rules refuse, and why.
    Refused(String, String),
}

/// The games of a file, one by one. After one that cannot be read, the next begins with the next
/// bracket.
pub struct Reader<'t> {
    scanner: Scanner<'t>,
}

impl<'t> Reader<'t> {
    /// Reads the text of a file.
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader { scanner: Scanner::new(text) }
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let tree = self.scanner.tree()?;
        let line = self.scanner.line;
        Some(tree.map_err(|problem| Error { line, problem }).and_then(|tree| read(&tree)))
    }
}

/// Whether a text looks like an SGF file.
pub fn is_sgf(text: &str) -> bool {
    let inner = text.trim_start_matches('\u{feff}').trim_start().strip_prefix('(');
    inner.is_some_and(|inner| inner.trim_start().starts_with(';'))
}

/// Whether SGF files may contain a game.
pub fn is_sgf_game(game: &Game) -> bool {
    Frame::of(game).is_some()
}

/// A match as SGF, with the names of those who play, in the order of play; none where such files
/// cannot contain the game. Of a position in which it began they say the stones and who is to move,
/// and no point that is forbidden by ko.
pub fn write_sgf(played: &Match, names: &[String], closing: Option<Closing>) -> Option<String> {
    let frame = Frame::of(played.game())?;
    let mut text = format!("(;FF[4]GM[{}]CA[UTF-8]AP[Senet]SZ[{}]", frame.kind.number, frame.side);
    if frame.kind.name == "go" {
        text += "KM[7.5]";
    }
    for (at, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        text += &format!("P{}[{}]", frame.color(at), escaped(name));
    }
    if let Some(result) = frame.result(played, closing) {
        text += &format!("RE[{result}]");
    }
    text += &frame.setup(&played.start());
    for (number, (before, event, _)) in crate::record::steps(played).into_iter().enumerate() {
        let value = match event {
            Event::Put { to, .. } => frame.point(to),
            Event::Move { from, to, .. } => {
                let takes = before.view().occupied().contains(to);
                let sign = if takes { ':' } else { '-' };
                format!("{}{sign}{}", frame.point(from), frame.point(to))
            }
            // A turn that passes: these games know no other acts, and no dice.
            Event::Act(_) | Event::Pick { .. } | Event::Roll(_) | Event::Advance { .. } => {
                String::new()
            }
        };
        let gap = if number % 10 == 0 { "\n" } else { "" };
        text += &format!("{gap};{}[{value}]", frame.color(before.player().index()));
    }
    Some(text + ")\n")
}

/// A game with its board, as files see it.
struct Frame {
    kind: &'static Kind,
    game: Game,
    side: usize,
}

impl Frame {
    /// The game of a number and a size. Each is compiled once.
    fn new(kind: &'static Kind, side: usize) -> Option<Frame> {
        let usual = side == kind.side;
        let is_option = kind.sizes && (2..=MOST_SIDE).contains(&side);
        if !usual && !is_option {
            return None;
        }
        let mut games = GAMES.lock().unwrap_or_else(PoisonError::into_inner);
        let known = games.get(&(kind.number, side)).cloned();
        let game = match known {
            Some(game) => game,
            None if usual => crate::load(kind.name).ok()?,
            None => {
                let source = Source::new("board.senet", sized(kind.name, side));
                Game::from_source(&source, &Files::default(), BTreeMap::new()).ok()?
            }
        };
        games.insert((kind.number, side), game.clone());
        Some(Frame { kind, game, side })
    }

    /// The frame of a game that files may contain.
    fn of(game: &Game) -> Option<Frame> {
        let kind = KINDS.iter().find(|kind| {
            let rest = game.name().strip_prefix(kind.name);
            rest.is_some_and(|rest| rest.is_empty() || kind.sizes && rest.starts_with('-'))
        })?;
        let side = game.tile_count().isqrt();
        if game.is_shipped() {
            return Some(Frame { kind, game: game.clone(), side });
        }
        Frame::new(kind, side).filter(|frame| frame.game == *game)
    }

    /// The letter of a player: black moves first.
    fn color(&self, player: usize) -> char {
        if player == 0 { 'B' } else { 'W' }
    }

    /// A tile by its column and its row, both counted from 0.
    fn tile(&self, column: usize, row: usize) -> Option<TileId> {
        let file = char::from(b'a' + u8::try_from(column).ok().filter(|_| column < 26)?);
        self.game.tile(&format!("{file}{}", row + 1))
    }

    /// The column and the row of a tile, both counted from 0.
    fn place(&self, tile: TileId) -> (usize, usize) {
        let name = self.game.tile_name(tile);
        let file = name.bytes().next().unwrap_or(b'a');
        let rank: usize = name.get(1..).and_then(|rank| rank.parse().ok()).unwrap_or(1);
        (usize::from(file - b'a'), rank - 1)
    }

    /// A tile as files write it.
    fn point(&self, tile: TileId) -> String {
        let (column, row) = self.place(tile);
        let letter = |at: usize| char::from(b'a' + at as u8);
        match self.kind.points {
            Points::FromTop => format!("{}{}", letter(column), letter(self.side - 1 - row)),
            Points::TopFirst => format!("{}{}", letter(column), letter(row)),
            Points::Plain => format!("{}{}", letter(column), row + 1),
            Points::Turned => format!("{}{}", letter(row), column + 1),
        }
    }

    /// The tile that a text names.
    fn parse_point(&self, text: &str) -> Option<TileId> {
        let column = |byte: u8| usize::from(byte.to_ascii_lowercase().wrapping_sub(b'a'));
        let first = text.bytes().next().filter(u8::is_ascii_alphabetic)?;
        match (self.kind.points, text.as_bytes()) {
            (Points::FromTop, [_, second]) if second.is_ascii_alphabetic() => {
                self.tile(column(first), (self.side - 1).checked_sub(column(*second))?)
            }
            (Points::TopFirst, [_, second]) if second.is_ascii_alphabetic() => {
                self.tile(column(first), column(*second))
            }
            (Points::Plain | Points::Turned, _) => {
                let number: usize = text.get(1..)?.parse().ok()?;
                let at = (column(first), number.checked_sub(1)?);
                let (column, row) =
                    if self.kind.points == Points::Turned { (at.1, at.0) } else { at };
                self.tile(column, row)
            }
            _ => None,
        }
    }

    /// The tiles of a list of points, in which two corners stand for a rectangle.
    fn tiles(&self, values: &[String]) -> Result<Vec<TileId>, Problem> {
        let mut tiles = Vec::new();
        for value in values {
            let wrong = || Problem::Point(excerpt(value));
            let (one, other) = value.split_once(':').unwrap_or((value, value));
            let corner = |text: &str| {
                self.parse_point(text.trim()).map(|tile| self.place(tile)).ok_or_else(wrong)
            };
            let ((a, b), (c, d)) = (corner(one)?, corner(other)?);
            for column in a.min(c)..=a.max(c) {
                tiles.extend((b.min(d)..=b.max(d)).filter_map(|row| self.tile(column, row)));
            }
        }
        Ok(tiles)
    }

    /// The position in which a game of a file begins.
    fn start(&self, root: &Node, first: Option<usize>) -> Result<Position, Problem> {
        let player = match root.value("PL").map(|value| value.trim().to_ascii_uppercase()) {
            Some(text) if text.starts_with('W') => 1,
            Some(_) => 0,
            None => first.unwrap_or(0),
        };
        let usual = self.game.start();
        let sets = ["AB", "AW", "AE"].iter().any(|name| !root.values(name).is_empty());
        if !sets && player == usual.player().index() {
            return Ok(usual);
        }
        let mut setup = usual.setup();
        setup.player = self.game.players().nth(player).unwrap_or(setup.player);
        let kind = self.game.kinds().next().ok_or_else(|| Problem::Setup(String::new()))?;
        let owners = [Some(0), Some(1), None];
        for (name, owner) in ["AB", "AW", "AE"].into_iter().zip(owners) {
            for tile in self.tiles(root.values(name))? {
                setup.pieces.retain(|stand| stand.tile != tile);
                let owner = owner.and_then(|owner| self.game.players().nth(owner));
                let stand = |owner| Stand { tile, owner, kind, flags: 0, piece: None };
                setup.pieces.extend(owner.map(stand));
            }
        }
        // Which of two like stones stands where is nobody's business.
        for stand in &mut setup.pieces {
            stand.piece = None;
        }
        setup.hands = None;
        self.game.setup(&setup).map_err(|errors| Problem::Setup(errors.to_string()))
    }

    /// The properties that set a position up, where it is not the usual one.
    fn setup(&self, start: &Position) -> String {
        if start.state() == self.game.start().state() {
            return String::new();
        }
        let stones = |setup: &Setup, owner: usize| -> Vec<TileId> {
            let own = setup.pieces.iter().filter(|stand| stand.owner.index() == owner);
            own.map(|stand| stand.tile).collect()
        };
        let (now, usual) = (start.setup(), self.game.start().setup());
        let (black, white) = (stones(&now, 0), stones(&now, 1));
        let before = [stones(&usual, 0), stones(&usual, 1)].concat();
        let gone = before.into_iter().filter(|tile| !black.contains(tile) && !white.contains(tile));
        let gone: Vec<TileId> = gone.collect();
        let mut text = String::new();
        for (name, tiles) in [("AB", black), ("AW", white), ("AE", gone)] {
            let points: Vec<String> = tiles.into_iter().map(|tile| self.point(tile)).collect();
            if !points.is_empty() {
                text += &format!("{name}[{}]", points.join("]["));
            }
        }
        text + &format!("PL[{}]", self.color(start.player().index()))
    }

    /// How a match ended, as files say it.
    fn result(&self, played: &Match, closing: Option<Closing>) -> Option<String> {
        let won = |player: PlayerId, how: &str| format!("{}+{how}", self.color(player.index()));
        Some(match (closing, played.outcome()) {
            (Some(Closing::Resigned(winner)), _) => won(winner, "R"),
            (Some(Closing::Time(winner)), _) => won(winner, "T"),
            (Some(Closing::Void), _) => "Void".to_owned(),
            (None, Some(outcome)) => match outcome.winner {
                Some(winner) => won(winner, ""),
                None => "0".to_owned(),
            },
            (None, None) => return None,
        })
    }
}

/// A game file for a board of another size.
fn sized(name: &str, side: usize) -> String {
    format!("game {name}-{side} is {name}\noption size = {side}\n")
}

/// The text of the game file with which the game of a record is made again, where it is not a
/// shipped one.
pub fn source_of(game: &Game) -> Option<String> {
    let frame = Frame::of(game).filter(|_| !game.is_shipped())?;
    Some(sized(frame.kind.name, frame.side))
}

/// What a file says that a move is.
fn moved(node: &Node) -> Option<(usize, &str)> {
    let black = node.value("B").map(|value| (0, value));
    black.or_else(|| node.value("W").map(|value| (1, value)))
}

fn read(tree: &Tree) -> Result<Record, Error> {
    let root = &tree.nodes[0];
    let at = |line: usize| move |problem: Problem| Error { line, problem };
    if tree.nodes.len() > MOST_NODES {
        return Err(at(root.line)(Problem::TooLong));
    }
    let frame = frame(root).map_err(at(root.line))?;
    let first = tree.nodes.iter().find_map(moved).map(|(player, _)| player);
    let start = frame.start(root, first).map_err(at(root.line))?;
    let mut played = Match::at(start);
    for (number, node) in tree.nodes.iter().enumerate() {
        let sets = ["AB", "AW", "AE"].iter().any(|name| !node.values(name).is_empty());
        if number > 0 && sets {
            return Err(at(node.line)(Problem::LateSetup));
        }
        let Some((player, value)) = moved(node) else { continue };
        if ["resign", "forfeit"].iter().any(|word| value.trim().eq_ignore_ascii_case(word)) {
            break;
        }
        play(&frame, &mut played, player, value.trim()).map_err(at(node.line))?;
    }
    let name = |letter: char| root.value(&format!("P{letter}")).unwrap_or_default().to_owned();
    let result = root.value("RE").map(str::to_owned);
    Ok(Record { names: ['B', 'W'].map(name), result, played })
}

/// The game of a file: by its number, which is 1 where none is given, and its size.
fn frame(root: &Node) -> Result<Frame, Problem> {
    let number = root.value("GM").unwrap_or("1").trim();
    let kind = KINDS.iter().find(|kind| number.parse() == Ok(kind.number));
    let kind = kind.ok_or_else(|| Problem::Game(excerpt(number)))?;
    let Some(size) = root.value("SZ") else {
        return Frame::new(kind, kind.side).ok_or_else(|| Problem::Game(excerpt(number)));
    };
    let (columns, rows) = size.split_once(':').unwrap_or((size, size));
    let side = columns.trim().parse().ok().filter(|_| columns.trim() == rows.trim());
    let wrong = || Problem::Size(excerpt(size));
    side.and_then(|side| Frame::new(kind, side)).ok_or_else(wrong)
}

/// Plays a move of a file. Turns that pass by themselves need not stand there.
fn play(frame: &Frame, played: &mut Match, player: usize, value: &str) -> Result<(), Problem> {
    let refused = |why: String| Problem::Refused(excerpt(value), why);
    let passes = value.is_empty()
        || value.eq_ignore_ascii_case("pass")
        || value == "tt" && frame.kind.points == Points::FromTop && frame.side <= 19;
    while played.position().player().index() != player {
        let due = played.position().due().filter(|_| !passes);
        let turn = || format!("it is not the turn of {}", frame.color(player));
        let due = due.ok_or_else(|| refused(turn()))?;
        played.apply(due).map_err(|error| refused(error.to_string()))?;
    }
    let event = if passes {
        let pass = frame.game.action("pass").map(Event::Act);
        pass.ok_or_else(|| refused("nobody passes in this game".to_owned()))?
    } else {
        event(frame, value).ok_or_else(|| Problem::Point(excerpt(value)))?
    };
    played.apply(event).map_err(|error| refused(error.to_string()))?;
    Ok(())
}

/// The event that a value names.
fn event(frame: &Frame, value: &str) -> Option<Event> {
    if frame.kind.points != Points::Plain {
        let (kind, to) = (frame.game.kinds().next()?, frame.parse_point(value)?);
        return Some(Event::Put { kind, to });
    }
    let (from, to) = value.split_once(['-', ':'])?;
    let to = to.trim_end_matches(|one: char| !one.is_ascii_alphanumeric());
    let (from, to) = (frame.parse_point(from)?, frame.parse_point(to)?);
    Some(Event::Move { from, to, choice: None })
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unfinished => {
                write!(f, "the file ends in the middle of a game: `)` is missing")
            }
            Problem::NoNode => write!(f, "a game begins with `(;`"),
            Problem::NoValue(name) => {
                write!(f, "the property `{}` has no value: write `[...]` after it", excerpt(name))
            }
            Problem::Unexpected(found) => {
                write!(
                    f,
                    "found `{}`; a property, `;`, `(` or `)` stands here",
                    found.escape_debug()
                )
            }
            Problem::Game(number) => {
                let known: Vec<String> =
                    KINDS.iter().map(|kind| format!("{} ({})", kind.number, kind.name)).collect();
                write!(f, "GM[{number}] is not read; the games are {}", known.join(", "))
            }
            Problem::Size(size) => write!(f, "SZ[{size}] is no size that the game has here"),
            Problem::TooLong => write!(f, "the game has more than {MOST_NODES} nodes"),
            Problem::LateSetup => write!(f, "stones are set up in the middle of the game"),
            Problem::Setup(why) => write!(f, "the stones that are set up are no position: {why}"),
            Problem::Point(text) => write!(f, "`{text}` is no point of the board"),
            Problem::Refused(text, why) => write!(f, "the move `{text}` is refused: {why}"),
        }
    }
}
