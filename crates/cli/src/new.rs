//! `senet new`: a game file to begin with.

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use serde_json::json;

use crate::failure::{Code, Failure};
use crate::output::Output;
use crate::{file, source};

const EXAMPLES: &str = "\
Examples:
  senet new my-game
  senet new my-othello --like othello
  senet new my-chess --variant chess

At a terminal, without --like or --variant, it asks which game to begin with, or for the board, its size
and the players.";

/// Writes a game file to begin with, NAME.senet in the current folder.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The name of the game.
    name: String,
    /// Begin with a copy of a game.
    #[arg(long, value_name = "GAME", conflicts_with = "variant")]
    like: Option<String>,
    /// Begin with a variant of a game, which says only what differs.
    #[arg(long, value_name = "GAME")]
    variant: Option<String>,
}

/// The sides of a board that is asked for: there is room between two rows, and a board has at most 1,024
/// tiles.
const SHORTEST: u32 = 3;
const LONGEST: u32 = 32;

/// What a new game begins with.
#[derive(Debug)]
struct Plan {
    board: Board,
    /// Files and ranks.
    size: (u32, u32),
    players: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Board {
    Grid,
    Hex,
}

impl Default for Plan {
    fn default() -> Plan {
        let players = ["white", "black"].map(str::to_owned).to_vec();
        Plan { board: Board::Grid, size: (5, 5), players }
    }
}

impl Plan {
    /// A game that can be played: two on a grid move men across it, others put stones on any tile.
    fn text(&self, name: &str) -> String {
        let (width, height) = self.size;
        let head = format!("game {name}\nabout \"what it is, in a line\"\n");
        if let (Board::Grid, [one, two]) = (self.board, &self.players[..]) {
            return format!(
                "{head}players {one} facing north, {two} facing south\n\
                 board grid {width} x {height}\n\
                 piece man\n\
                 setup {one} rank 1, {two} rank {height}\n\n\
                 rule step:    move man step forward to empty\n\
                 rule capture: move man step forward-east | forward-west to foe\n\
                 win  \"home\"    any own & row {height}\n\
                 lose \"no move\" stuck\n\n\
                 test legal {width}\n"
            );
        }
        let shape = match self.board {
            Board::Grid => "grid",
            Board::Hex => "hex rhombus",
        };
        format!(
            "{head}players {}\n\
             board {shape} {width} x {height}\n\
             piece stone\n\n\
             put stone on empty\n\
             win  \"three in a row\" line 3 of own\n\
             draw \"board full\"     none empty\n\n\
             test legal {}\n",
            self.players.join(", "),
            width * height
        )
    }
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if !is_name(&args.name) {
        let message = format!(
            "`{}` cannot name a game: write letters, digits and hyphens between them",
            senet::excerpt(&args.name)
        );
        return Err(Failure::params(message));
    }
    let path = PathBuf::from(format!("{}.senet", args.name));
    if path.exists() {
        let message = format!("{} is already there", path.display());
        return Err(Failure::new(Code::Io, message, serde_json::Value::Null));
    }
    let text = match (&args.like, &args.variant) {
        (Some(like), _) => copied(&args.name, &source::find(like)?.0.text),
        (None, Some(base)) => {
            source::find(base)?;
            format!("game {} is {base}\nabout \"{base}, with a difference\"\n", args.name)
        }
        (None, None) => {
            let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
            match terminal && !output.is_json() {
                true => asked(&args.name, &mut io::stdin().lock(), output)?,
                false => Plan::default().text(&args.name),
            }
        }
    };
    file::write(&path, text.as_bytes())?;
    if output.is_json() {
        return Ok(output.json(&json!({ "written": path.display().to_string() }))?);
    }
    output.line(format!("written to {}", path.display()))?;
    Ok(output.line(format!("next: senet check {0}, senet play {0}", path.display()))?)
}

/// Whether a word can name a game or a player.
fn is_name(word: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    word.chars().all(fits) && word.starts_with(char::is_alphanumeric) && !word.ends_with('-')
}

/// The text of a game that a person describes by answering questions. An empty answer, and the end
/// of input, choose what stands in brackets.
fn asked(name: &str, input: &mut impl BufRead, output: &mut Output) -> Result<String, Failure> {
    let question = "Like which game? [none] ";
    let like = ask(question, None, input, output, |answer| match answer {
        "none" => Ok(None),
        name => source::find(name).map(|found| Some(found.0.text)).map_err(|error| error.message),
    })?;
    if let Some(text) = like {
        return Ok(copied(name, &text));
    }
    let plan = Plan::default();
    let board =
        ask("Board: grid or hex? [grid] ", plan.board, input, output, |answer| match answer {
            "grid" => Ok(Board::Grid),
            "hex" => Ok(Board::Hex),
            _ => Err(format!("`{}` is no board: write grid or hex", senet::excerpt(answer))),
        })?;
    let size = ask("Files and ranks? [5 x 5] ", plan.size, input, output, sides)?;
    let players = ask("Players? [white, black] ", plan.players, input, output, |answer| {
        let names: Vec<String> = answer.split(',').map(|name| name.trim().to_owned()).collect();
        let twice = (1..names.len()).any(|at| names[..at].contains(&names[at]));
        match names.iter().all(|name| is_name(name)) && !twice && names.len() > 1 {
            true => Ok(names),
            false => Err("write two or more names with commas between them".to_owned()),
        }
    })?;
    Ok(Plan { board, size, players }.text(name))
}

/// The length of both sides of a board.
fn sides(answer: &str) -> Result<(u32, u32), String> {
    let side =
        |text: &str| text.trim().parse().ok().filter(|side| (SHORTEST..=LONGEST).contains(side));
    let both = answer.split_once('x').unwrap_or((answer, answer));
    let size = side(both.0).zip(side(both.1));
    size.ok_or_else(|| format!("write two numbers from {SHORTEST} to {LONGEST}, such as 8 x 8"))
}

/// Asks until the answer can be read.
fn ask<T>(
    question: &str,
    usual: T,
    input: &mut impl BufRead,
    output: &mut Output,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, Failure> {
    loop {
        output.text(question)?;
        output.flush()?;
        let mut line = String::new();
        input.read_line(&mut line)?;
        match line.trim() {
            "" => return Ok(usual),
            answer => match read(answer) {
                Ok(answer) => return Ok(answer),
                Err(problem) => output.line(problem)?,
            },
        }
    }
}

/// The text of a game under another name.
fn copied(name: &str, text: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix("game ") {
        Some(rest) => {
            let base =
                rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, base)| base);
            format!("game {name} {base}").trim_end().to_owned() + "\n"
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use senet::{Files, Game};

    use super::*;

    #[test]
    fn every_new_game_can_be_played() {
        let files = Files::default();
        for board in [Board::Grid, Board::Hex] {
            for players in [vec!["white", "black"], vec!["red", "green", "blue"]] {
                let players: Vec<String> = players.into_iter().map(str::to_owned).collect();
                let count = players.len();
                let text = Plan { board, size: (7, 4), players }.text("fresh");
                assert_eq!(senet::lang::format(&text).as_deref(), Ok(text.as_str()));
                let source = senet::lang::Source::new("fresh.senet", &text);
                let game = Game::from_source(&source, &files, BTreeMap::new())
                    .unwrap_or_else(|problems| panic!("{problems}"));
                assert_eq!((game.name(), game.players().count()), ("fresh", count));
                assert!(game.start().legal_count() > 0, "{text}");
            }
        }
    }

    #[test]
    fn sides_are_read_and_bounded() {
        assert_eq!(
            (sides("8 x 6"), sides("9"), sides("10x12")),
            (Ok((8, 6)), Ok((9, 9)), Ok((10, 12)))
        );
        for wrong in ["", "x", "2 x 5", "5 x 33", "-3 x 4", "4 x 4 x 4", "many"] {
            assert!(sides(wrong).is_err(), "{wrong}");
        }
    }
}
