//! `senet play`: a hot seat or an opponent, on the whole screen or in plain lines.

mod board;
mod graphic;
mod hand;
mod keep;
mod offer;
mod opening;
mod order;
mod paint;
mod panel;
mod prompt;
mod round;
mod screen;
mod secret;
mod session;
mod signal;
mod starts;
mod table;
mod thinker;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use crate::context::Subject;
use crate::failure::Failure;
use crate::opponent::Invitation;
use crate::output::Output;
use opening::Opening;
use order::Order;
use prompt::Prompt;
use round::Round;
use table::Table;

pub(crate) use secret::aligned;

/// No typed line is longer than this.
const LIMIT: usize = 64 << 10;

const EXAMPLES: &str = "\
Examples:
  senet play chess
  senet play chess --bot search --level 3 --side black
  senet play chess960 --position 'bqnbrknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKNR w KQkq - 0 1'
  senet play tic-tac-toe --position '3/1x1/3 o' --save match.json
  senet play match.json
  printf 'b2\\na1\\nundo\\nquit\\n' | senet play tic-tac-toe

At a terminal the board fills the screen: arrows, mouse or typed moves, ? for help. With --plain,
or where input or output is not a terminal, play goes line by line, with editing and a history.
Type a move, or: undo, redo, takeback, moves, why MOVE, roll, board, save FILE, rematch, help, quit.
In chess also: resign, draw, claim-draw. The other side answers an offer of a draw or takeback.
A saved match in place of a game is continued, and kept in the same file. The file name ending
chooses the format: .senet compact, .json, .pgn for chess, .mat for backgammon and .sgf for go.
With --json every answer is one line of JSON.";

/// Plays a game, at one keyboard or against an opponent.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The seed of the dice; chosen at random and shown if omitted.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Keep the match in this file: .json, .senet, and .pgn for chess, .mat for backgammon or .sgf for
    /// go.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the file of --save if it exists.
    #[arg(long)]
    force: bool,
    /// Continue this saved match of the game.
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    load: Option<PathBuf>,
    /// See the board from the other side.
    #[arg(long)]
    flip: bool,
    /// Draw with ASCII characters only.
    #[arg(long)]
    ascii: bool,
    /// Draw the pieces of the screen as pictures.
    #[arg(long, value_name = "HOW", value_enum, default_value = "auto", hide_default_value = true)]
    pictures: graphic::Wish,
    /// Play line by line even at a terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    opponent: Invitation,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let asks = io::stdin().is_terminal();
    let mut opening = Opening::new(args)?;
    if asks {
        opening.keeper.keep_unsaved();
    }
    let hides = opening.context.game().has_secrets();
    if !args.plain && !hides && !output.is_json() && is_screen() {
        let mut round = Round::new(opening);
        screen::run(&mut round)?;
        return Ok(output.line(round.farewell())?);
    }
    let mut prompt = Prompt::new(asks && !output.is_json() && io::stdout().is_terminal());
    let mut table = Table::new(opening, asks, output);
    table.open()?;
    table.let_opponent_play()?;
    while table.is_open() {
        let question = table.ask(!prompt.is_editor())?;
        let Some(line) = prompt.next(&question)? else {
            table.leave()?;
            break;
        };
        let order = Order::read(line);
        if order == Order::Quit {
            break;
        }
        table.follow(&order)?;
        table.let_opponent_play()?;
    }
    table.close()
}

/// Whether a person sits at a terminal that can draw.
fn is_screen() -> bool {
    let can_draw = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && can_draw
}
