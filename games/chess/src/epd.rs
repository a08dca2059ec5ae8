//! Positions with operations, a line each: Extended Position Description.
//!
//! ```
//! use senet_chess::{NOTATION, epd::Epd, game};
//!
//! let game = game();
//! let text = "6k1/5ppp/8/8/8/8/8/K3R3 w - - bm Re8#; id \"back rank\";";
//! let epd = Epd::parse(&game, &NOTATION, text).unwrap();
//! assert_eq!(epd.moves("bm").len(), 1);
//! assert_eq!(epd.text("id"), Some("back rank"));
//! assert_eq!(epd.format(&game, &NOTATION), text);
//! ```

use senet_core::notation::{EventError, PositionError};
use senet_core::{Event, Game, State};

use crate::lexicon::Lexicon;
use crate::notation::Chess;
use crate::{fen, san, uci};

/// A position with operations. The clocks of the state come from `hmvc` and `fmvn` and are written
/// only there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position.
    pub state: State,
    /// The operations, in order.
    pub operations: Vec<Operation>,
}

/// Something said about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name, such as `bm` for the best moves.
    pub opcode: String,
    /// What is said.
    pub operands: Vec<Operand>,
}

/// A part of what is said about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A move. Those of a line (`pv`) follow each other, all others start from the position.
    Move(Event),
    /// A word or number without quotes.
    Word(String),
    /// A text in quotes.
    Text(String),
}

/// Operations whose operands are moves from the position.
const MOVES: [&str; 4] = ["bm", "am", "pm", "sm"];

/// The operation whose operands are moves that follow each other.
const LINE: &str = "pv";

impl Epd {
    /// Reads a line, or says every reason why it is none.
    pub fn parse(game: &Game, notation: &Chess, text: &str) -> Result<Epd, PositionError> {
        let lexicon = notation.lexicon(game);
        let mut reader = fen::Reader::new(&lexicon, text);
        let (words, rest) = fields(text);
        reader.position(&words);
        if let [_, _, _, _, clock, number] = words[..] {
            reader.clock(reader.at(clock), clock);
            reader.number(reader.at(number), number);
        }
        let mut operations = Vec::new();
        let mut spans = Vec::new();
        read_operations(&mut reader, text.len() - rest.len(), rest, &mut operations, &mut spans);
        for (operation, spans) in operations.iter().zip(&spans) {
            let Some(Operand::Word(word)) = operation.operands.first() else { continue };
            match operation.opcode.as_str() {
                "hmvc" => reader.clock(spans[0], word),
                "fmvn" => reader.number(spans[0], word),
                _ => {}
            }
        }
        let state = reader.finish()?;
        let mut reader = fen::Reader::new(&lexicon, text);
        for (operation, spans) in operations.iter_mut().zip(&spans) {
            for (at, error) in resolve(&lexicon, &state, operation, spans) {
                reader.wrong(at, "bad move", &error.found, &error.allowed);
            }
        }
        match reader.reasons() {
            reasons if reasons.is_empty() => Ok(Epd { state, operations }),
            reasons => Err(PositionError { reasons }),
        }
    }

    /// Writes the line.
    pub fn format(&self, game: &Game, notation: &Chess) -> String {
        let lexicon = notation.lexicon(game);
        let mut text = fen::format_four(&lexicon, &self.state);
        for operation in &self.operations {
            text.push(' ');
            text.push_str(&operation.opcode);
            let mut state = self.state.clone();
            for operand in &operation.operands {
                text.push(' ');
                match operand {
                    Operand::Word(word) => text.push_str(word),
                    Operand::Text(quoted) => {
                        let quoted = quoted.replace('\\', "\\\\").replace('"', "\\\"");
                        text.push_str(&format!("\"{quoted}\""));
                    }
                    Operand::Move(event) => {
                        text.push_str(&san::format(&lexicon, &state, *event));
                        if operation.opcode == LINE
                            && let Ok(step) = game.apply(&state, *event)
                        {
                            state = step.state;
                        }
                    }
                }
            }
            text.push(';');
        }
        text
    }

    /// What an operation says, if it is there.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|one| one.opcode == opcode)
    }

    /// The first word or text of an operation.
    pub fn text(&self, opcode: &str) -> Option<&str> {
        self.operation(opcode)?.operands.iter().find_map(|operand| match operand {
            Operand::Word(text) | Operand::Text(text) => Some(text.as_str()),
            Operand::Move(_) => None,
        })
    }

    /// The moves of an operation.
    pub fn moves(&self, opcode: &str) -> Vec<Event> {
        let operands = self.operation(opcode).map_or(&[][..], |one| &one.operands);
        let moves = operands.iter().filter_map(|operand| match operand {
            Operand::Move(event) => Some(*event),
            _ => None,
        });
        moves.collect()
    }
}

/// The fields of the position and what follows them. Clocks may stand there too, as in FEN.
fn fields(text: &str) -> (Vec<&str>, &str) {
    let mut words = Vec::new();
    let mut rest = text.trim_ascii_start();
    while words.len() < 6 && !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(rest.len());
        let word = &rest[..end];
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if end == 0 || words.len() >= 4 && !digits {
            break;
        }
        words.push(word);
        rest = rest[end..].trim_ascii_start();
    }
    (words, rest)
}

/// Reads operations, and where each operand begins.
fn read_operations(
    reader: &mut fen::Reader<'_>,
    start: usize,
    text: &str,
    operations: &mut Vec<Operation>,
    spans: &mut Vec<Vec<usize>>,
) {
    let mut rest = text;
    let mut open = false;
    loop {
        rest = rest.trim_ascii_start();
        let at = start + text.len() - rest.len();
        let Some(first) = rest.chars().next() else { break };
        if first == ';' {
            open = false;
            rest = &rest[1..];
            continue;
        }
        let (operand, after) = if first == '"' {
            let Some((quoted, after)) = read_quoted(rest) else {
                return reader.wrong(at, "malformed operation", rest, "a text closed by a quote");
            };
            (Operand::Text(quoted), after)
        } else {
            let stop = |c: char| c.is_ascii_whitespace() || c == ';' || c == '"';
            let end = rest.find(stop).unwrap_or(rest.len());
            (Operand::Word(rest[..end].to_owned()), &rest[end..])
        };
        rest = after;
        match (operand, operations.last_mut(), spans.last_mut()) {
            (operand, Some(operation), Some(spans)) if open => {
                operation.operands.push(operand);
                spans.push(at);
            }
            (Operand::Word(opcode), ..) => {
                operations.push(Operation { opcode, operands: Vec::new() });
                spans.push(Vec::new());
                open = true;
            }
            (operand, ..) => {
                let Operand::Text(found) = operand else { return };
                return reader.wrong(at, "malformed operation", &found, "the name of an operation");
            }
        }
    }
}

/// Reads a text in quotes.
fn read_quoted(text: &str) -> Option<(String, &str)> {
    let mut quoted = String::new();
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((quoted, &text[at + 1..])),
            '\\' if text[at + 1..].starts_with(['"', '\\']) => {
                quoted.extend(letters.next().map(|(_, letter)| letter));
            }
            _ => quoted.push(letter),
        }
    }
    None
}

/// Makes moves of the words of an operation that is about moves.
fn resolve(
    lexicon: &Lexicon<'_>,
    state: &State,
    operation: &mut Operation,
    spans: &[usize],
) -> Vec<(usize, EventError)> {
    let line = operation.opcode == LINE;
    if !line && !MOVES.contains(&operation.opcode.as_str()) {
        return Vec::new();
    }
    let mut walker = lexicon.game.walker();
    let mut state = state.clone();
    let mut errors = Vec::new();
    for (operand, &at) in operation.operands.iter_mut().zip(spans) {
        let Operand::Word(word) = operand else { continue };
        let text = word.as_bytes();
        let san = san::read(lexicon, text);
        let resolved =
            san.map(|san| san::resolve(&mut walker, lexicon, &state, san, &mut Vec::new()));
        let accepted = match resolved {
            Some(Ok(accepted)) => Ok(accepted),
            Some(Err(events)) if !events.is_empty() => Err(events),
            _ => uci::parse(lexicon, &state, word)
                .and_then(|event| walker.accept(&state, event))
                .ok_or_else(Vec::new),
        };
        match accepted {
            Ok(accepted) => {
                *operand = Operand::Move(accepted.event());
                if line {
                    state = walker.play(&state, accepted);
                }
            }
            Err(events) => {
                errors.push((at, san::refusal(lexicon, &state, word, &events)));
                if line {
                    break;
                }
            }
        }
    }
    errors
}
