//! `senet play`: a hot seat or an opponent, on the whole screen or in plain lines.

mod board;
mod order;
mod paint;
mod panel;
mod round;
mod screen;
mod table;
mod thinker;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use crate::context::Subject;
use crate::failure::Failure;
use crate::line::Lines;
use crate::opponent::Invitation;
use crate::output::Output;
use order::Order;
use round::Round;
use table::Table;

/// No typed line is longer than this.
const LIMIT: usize = 64 << 10;

const EXAMPLES: &str = "\
Examples:
  senet play chess
  senet play chess --bot search --level 3 --side black
  senet play chess960 --position 'bqnbrknr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKNR w KQkq - 0 1'
  senet play tic-tac-toe --position '3/1x1/3 o' --save match.json
  printf 'b2\\na1\\nundo\\nquit\\n' | senet play tic-tac-toe

At a terminal the board fills the screen: arrows, mouse or typed moves, ? for help. With --plain,
or where input or output is no terminal, everything is in lines.
Type a move, or: undo, redo, moves, why MOVE, roll, board, save FILE, help, quit.
In chess also: resign, agree-draw, claim-draw.
With --json every answer is one line of JSON.";

/// Plays a game, at one keyboard or against an opponent.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// The seed of the dice; one is made up and shown when left out.
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Keep the match in this file: compact where it ends with .senet, JSON otherwise.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Play in plain lines, also at a terminal.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    opponent: Invitation,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let context = args.subject.resolve()?;
    let seed = args.seed.unwrap_or_else(|| RandomState::new().hash_one("seed"));
    let opponent = args.opponent.opponent(&context.edition, seed)?;
    if !args.plain && !output.is_json() && is_screen() {
        return screen::run(&mut Round::new(context, seed, args.save.clone(), opponent));
    }
    let mut table = Table::new(context, seed, args.save.clone(), opponent, output);
    table.open()?;
    table.let_opponent_play()?;
    let asks = io::stdin().is_terminal();
    let mut lines = Lines::new(io::stdin().lock(), LIMIT);
    while table.is_open() {
        table.ask(asks)?;
        let Some(line) = lines.next()? else {
            table.leave(asks)?;
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
