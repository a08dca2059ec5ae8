//! What a player typed.

use crate::line::Line;

/// What a player asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Nothing: an empty line.
    Nothing,
    Undo,
    Redo,
    /// To ask the other side whether the last move may be taken back.
    TakeBack,
    Moves,
    Board,
    Help,
    Quit,
    /// To roll the dice, or to take these faces as rolled.
    Roll(String),
    /// Why a move is accepted or refused.
    Why(String),
    /// To save the match in a file.
    Save(String),
    /// To save the match in a file that may be there already.
    SaveOver(String),
    /// To play the same game once more.
    Rematch,
    /// To play on a match that a crash ended.
    Resume,
    /// To play a move.
    Play(String),
    /// What cannot be read, and why.
    Unreadable(&'static str),
}

impl Order {
    pub(super) fn read(line: Line<'_>) -> Order {
        if line.is_too_long() {
            return Order::Unreadable("the line is too long");
        }
        let Ok(text) = std::str::from_utf8(line.bytes()) else {
            return Order::Unreadable("the line is not UTF-8 text");
        };
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match (word, rest) {
            ("", _) => Order::Nothing,
            ("undo", "") => Order::Undo,
            ("redo", "") => Order::Redo,
            ("takeback", "") => Order::TakeBack,
            ("moves", "") => Order::Moves,
            ("board", "") => Order::Board,
            ("help" | "?", "") => Order::Help,
            ("quit" | "exit", "") => Order::Quit,
            ("roll", faces) => Order::Roll(faces.to_owned()),
            ("why", event) => Order::Why(event.to_owned()),
            ("save", file) => match file.strip_prefix("--force ") {
                Some(file) => Order::SaveOver(file.trim().to_owned()),
                None => Order::Save(file.to_owned()),
            },
            ("rematch", "") => Order::Rematch,
            ("resume", "") => Order::Resume,
            ("draw" | "offer-draw", "") => Order::Play("agree-draw".to_owned()),
            _ => Order::Play(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_ours_is_an_order_and_all_else_a_move() {
        let read = |text: &str| Order::read(Line::Whole(text.as_bytes()));
        assert_eq!(read("  undo \r"), Order::Undo);
        assert_eq!(read("roll 6-5"), Order::Roll("6-5".into()));
        assert_eq!(read("save my match.json"), Order::Save("my match.json".into()));
        assert_eq!(read("save --force my match.json"), Order::SaveOver("my match.json".into()));
        assert_eq!(read("8/5 6/5"), Order::Play("8/5 6/5".into()));
        assert_eq!(read("undo b2"), Order::Play("undo b2".into()));
        assert_eq!(
            Order::read(Line::Whole(b"\xff")),
            Order::Unreadable("the line is not UTF-8 text")
        );
    }
}
