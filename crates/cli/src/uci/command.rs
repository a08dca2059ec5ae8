//! What a chess program asks for.

use senet::excerpt;

/// One line of the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    /// A position: the words of a FEN, or none for the start, and the moves after it.
    Position(Option<String>, Vec<String>),
    Go(Box<Go>),
    Stop,
    PonderHit,
    /// An option and its value.
    Option(String, String),
    /// To show the board.
    Display,
    Quit,
    /// What is no command.
    Unknown(String),
}

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u32>,
    pub(super) perft: Option<u32>,
    pub(super) movetime: Option<u64>,
    /// What is left to White and Black, and what each move adds, in milliseconds.
    pub(super) left: [Option<i64>; 2],
    pub(super) added: [u64; 2],
    pub(super) moves_to_go: Option<u32>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    pub(super) only: Vec<String>,
}

impl Command {
    /// Reads a line; none if it is empty. Words before the first known command are passed over, as
    /// the protocol asks.
    pub(super) fn read(line: &str) -> Option<Command> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            return None;
        }
        let commands = (0..words.len()).find_map(|at| known(words[at], &words[at + 1..]));
        Some(commands.unwrap_or_else(|| Command::Unknown(excerpt(line.trim()))))
    }
}

fn known(word: &str, rest: &[&str]) -> Option<Command> {
    Some(match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "position" => position(rest),
        "go" => Command::Go(Box::new(go(rest))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "setoption" => option(rest),
        "d" => Command::Display,
        "quit" => Command::Quit,
        _ => return None,
    })
}

fn position(words: &[&str]) -> Command {
    let split = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.iter().skip(split + 1).map(|word| (*word).to_owned()).collect();
    match &words[..split] {
        ["startpos", ..] => Command::Position(None, moves),
        ["fen", fen @ ..] => Command::Position(Some(fen.join(" ")), moves),
        other => Command::Unknown(excerpt(&format!("position {}", other.join(" ")))),
    }
}

fn option(words: &[&str]) -> Command {
    let split = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    let name = words[..split].iter().filter(|word| **word != "name");
    let name = name.copied().collect::<Vec<_>>().join(" ");
    let value = words.get(split + 1..).unwrap_or_default().join(" ");
    Command::Option(name, value)
}

/// Reads what follows `go`; what cannot be read is passed over.
fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let mut number = || words.peek().and_then(|word| word.parse::<i64>().ok());
        let found = number();
        let natural = found.map(|found| found.max(0) as u64);
        let small = natural.map(|found| u32::try_from(found).unwrap_or(u32::MAX));
        match *word {
            "depth" => go.depth = small,
            "nodes" => go.nodes = natural,
            "mate" => go.mate = small,
            "perft" => go.perft = small,
            "movetime" => go.movetime = natural,
            "wtime" => go.left[0] = found,
            "btime" => go.left[1] = found,
            "winc" => go.added[0] = natural.unwrap_or(0),
            "binc" => go.added[1] = natural.unwrap_or(0),
            "movestogo" => go.moves_to_go = small,
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let moves = |word: &&&str| word.len() >= 4 && word.as_bytes()[1].is_ascii_digit();
                while let Some(word) = words.next_if(moves) {
                    go.only.push((*word).to_owned());
                }
            }
            _ => {}
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_before_a_command_are_passed_over() {
        assert_eq!(Command::read("joho isready"), Some(Command::IsReady));
        assert_eq!(Command::read(" \t"), None);
        assert_eq!(Command::read("hello there"), Some(Command::Unknown("hello there".into())));
    }

    #[test]
    fn a_position_has_a_fen_and_moves() {
        let moves = |text: &[&str]| text.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let read = Command::read("position fen 8/8 w - - 0 1 moves e2e4 e7e5");
        assert_eq!(
            read,
            Some(Command::Position(Some("8/8 w - - 0 1".into()), moves(&["e2e4", "e7e5"])))
        );
        let read = Command::read("position startpos");
        assert_eq!(read, Some(Command::Position(None, Vec::new())));
        assert!(matches!(Command::read("position"), Some(Command::Unknown(_))));
    }

    #[test]
    fn go_reads_what_it_knows_and_passes_over_the_rest() {
        let Some(Command::Go(go)) = Command::read(
            "go wtime -5 btime 9000 winc x movestogo 7 searchmoves e2e4 d2d4 depth 3",
        ) else {
            panic!("it is a go");
        };
        assert_eq!((go.left, go.added), ([Some(-5), Some(9000)], [0, 0]));
        assert_eq!((go.moves_to_go, go.depth), (Some(7), Some(3)));
        assert_eq!(go.only, ["e2e4", "d2d4"]);
    }

    #[test]
    fn an_option_may_have_spaces_and_no_value() {
        let option = |name: &str, value: &str| Some(Command::Option(name.into(), value.into()));
        assert_eq!(
            Command::read("setoption name Move Overhead value 30"),
            option("Move Overhead", "30")
        );
        assert_eq!(Command::read("setoption name Clear Hash"), option("Clear Hash", ""));
    }
}
