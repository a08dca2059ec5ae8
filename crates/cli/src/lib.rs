//! The `senet` command: every command is a file with its flags and its `run`, and what they share
//! is beside them. `rpc` serves the same answers to programs.

mod analyse;
mod answer;
mod apply;
mod bench;
mod check;
mod complete;
mod completions;
mod context;
mod convert;
mod coverage;
mod definition;
mod diff;
mod doc;
mod duel;
mod explain;
mod export;
mod failure;
mod feature;
mod file;
mod film;
mod fmt;
mod games;
mod input;
mod inspect;
#[cfg(feature = "timeline")]
mod interrupt;
mod line;
mod lsp;
mod manual;
mod mat;
mod matches;
mod moves;
mod new;
#[cfg(feature = "serve")]
mod offline;
mod opponent;
mod output;
mod path;
mod perft;
mod pgn;
mod picture;
mod play;
mod progress;
#[cfg(feature = "sql")]
mod query;
mod render;
mod replay;
mod rpc;
#[cfg(feature = "serve")]
mod serve;
mod shelf;
mod simulate;
mod source;
#[cfg(feature = "sql")]
mod sql;
mod start;
mod test;
mod threat;
#[cfg(feature = "timeline")]
mod timeline;
mod told;
mod uci;
mod wording;
mod worker;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use serde_json::Value;

use failure::{Code, Failure};
use output::Output;

const EXAMPLES: &str = "\
Examples:
  senet play chess                            play at one keyboard
  senet play chess --bot search --level 3     play against the machine
  senet moves tic-tac-toe --position '3/1x1/3 o'
  senet explain chess O-O --position 'r3k2r/8/8/8/2b5/8/8/R3K2R w KQkq - 0 1'
  senet perft chess --depth 5 --divide
  senet render chess --last e2e4 --out board.svg
  senet duel chess --a search:3 --b mcts:1000 --games 20
  senet pgn check games.pgn
  senet play backgammon --set length=5
  echo '{\"id\":1,\"method\":\"games\"}' | senet rpc

Wherever a game is expected, the path of a game file that ends with .senet or of a definition
that ends with .json works too. Games by name are also looked up in the folders of SENET_PATH.
Exit codes: 0 success, 1 failure, 2 wrong command line.";

/// Plays, explains, counts and replays board games that are written as data.
#[derive(Parser)]
#[command(name = "senet", version, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    /// Answer in JSON on standard output, errors included.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Args),
    Play(play::Args),
    Moves(moves::Args),
    Apply(apply::Args),
    Path(path::Args),
    Explain(explain::Args),
    #[command(alias = "analyze")]
    Analyse(analyse::Args),
    Render(render::Args),
    Film(film::Args),
    Perft(perft::Args),
    Simulate(simulate::Args),
    Duel(duel::Args),
    Bench(bench::Args),
    Replay(replay::Args),
    Match(matches::Args),
    Convert(convert::Args),
    Pgn(pgn::Args),
    Mat(mat::Args),
    /// Writes the tree below a position as a table: a row for each move
    #[cfg(feature = "timeline")]
    Timeline(timeline::Args),
    /// Writes the tree below a position as a table: a row for each move
    #[cfg(not(feature = "timeline"))]
    Timeline(feature::Absent),
    /// Answers questions in SQL about game trees
    #[cfg(feature = "sql")]
    Sql(sql::Args),
    /// Answers questions in SQL about game trees
    #[cfg(not(feature = "sql"))]
    Sql(feature::Absent),
    Check(check::Args),
    Test(test::Args),
    Fmt(fmt::Args),
    New(new::Args),
    Diff(diff::Args),
    Doc(doc::Args),
    Definition(definition::Args),
    Inspect(inspect::Args),
    Lsp(lsp::Args),
    Uci(uci::Args),
    Rpc(rpc::Args),
    /// Serves matches of any game to browsers and programs
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Serves matches of any game to browsers and programs
    #[cfg(not(feature = "serve"))]
    Serve(feature::Absent),
    /// Writes a game as a page that is played in a browser without a server
    #[cfg(feature = "serve")]
    Export(offline::Args),
    /// Writes a game as a page that is played in a browser without a server
    #[cfg(not(feature = "serve"))]
    Export(feature::Absent),
    Completions(completions::Args),
    Man(manual::Args),
}

/// Doors for tests that feed the protocols any lines; no part of the interface.
#[doc(hidden)]
pub mod door {
    /// The answer of `senet rpc` to a line.
    pub fn rpc(line: &[u8]) -> String {
        crate::rpc::answer_line(line)
    }

    /// Whether a line is a command of `senet uci`.
    pub fn uci(line: &str) -> bool {
        crate::uci::is_command(line)
    }
}

fn asks_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--json")
}

/// Runs the command line and says how it went.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            let mut output = Output::new(cli.json);
            let done = dispatch(cli.command, &mut output).and_then(|()| Ok(output.flush()?));
            match done {
                Ok(()) => ExitCode::SUCCESS,
                // A command that is not here has not read its flags.
                Err(failure) if failure.code == Code::MissingFeature && asks_json(&arguments) => {
                    report(&failure, &mut Output::new(true))
                }
                Err(failure) => report(&failure, &mut output),
            }
        }
        Err(error) => misused(&error, &arguments),
    }
}

fn dispatch(command: Command, output: &mut Output) -> Result<(), Failure> {
    match command {
        Command::Games(args) => games::run(&args, output),
        Command::Play(args) => play::run(&args, output),
        Command::Moves(args) => moves::run(&args, output),
        Command::Apply(args) => apply::run(&args, output),
        Command::Path(args) => path::run(&args, output),
        Command::Explain(args) => explain::run(&args, output),
        Command::Analyse(args) => analyse::run(&args, output),
        Command::Render(args) => render::run(&args, output),
        Command::Film(args) => film::run(&args, output),
        Command::Perft(args) => perft::run(&args, output),
        Command::Simulate(args) => simulate::run(&args, output),
        Command::Duel(args) => duel::run(&args, output),
        Command::Bench(args) => bench::run(&args, output),
        Command::Replay(args) => replay::run(&args, output),
        Command::Match(args) => matches::run(&args, output),
        Command::Convert(args) => convert::run(&args, output),
        Command::Pgn(args) => pgn::run(&args, output),
        Command::Mat(args) => mat::run(&args, output),
        #[cfg(feature = "timeline")]
        Command::Timeline(args) => timeline::run(&args, output),
        #[cfg(not(feature = "timeline"))]
        Command::Timeline(_) => Err(feature::missing("senet timeline", "timeline")),
        #[cfg(feature = "sql")]
        Command::Sql(args) => sql::run(&args, output),
        #[cfg(not(feature = "sql"))]
        Command::Sql(_) => Err(feature::missing("senet sql", "sql")),
        Command::Check(args) => check::run(&args, output),
        Command::Test(args) => test::run(&args, output),
        Command::Fmt(args) => fmt::run(&args, output),
        Command::New(args) => new::run(&args, output),
        Command::Diff(args) => diff::run(&args, output),
        Command::Doc(args) => doc::run(&args, output),
        Command::Definition(args) => definition::run(&args, output),
        Command::Inspect(args) => inspect::run(&args, output),
        Command::Lsp(args) => lsp::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Rpc(args) => rpc::run(&args),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args, output),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_) => Err(feature::missing("senet serve", "serve")),
        #[cfg(feature = "serve")]
        Command::Export(args) => offline::run(&args, output),
        #[cfg(not(feature = "serve"))]
        Command::Export(_) => Err(feature::missing("senet export", "serve")),
        Command::Completions(args) => completions::run(&args, output),
        Command::Man(args) => manual::run(&args, output),
    }
}

/// Tells of a failure: on standard error in words, or on standard output in JSON.
fn report(failure: &Failure, output: &mut Output) -> ExitCode {
    if failure.code == Code::ClosedPipe {
        return ExitCode::SUCCESS;
    }
    if matches!(failure.code, Code::Told | Code::Signalled(_)) {
        let _ = output.flush();
        return failure.code.exit();
    }
    // What was answered before the failure is shown first.
    let shown = match output.is_json() {
        true => output.json(&failure.envelope()).and_then(|()| output.flush()),
        false => output.flush(),
    };
    if !output.is_json() || shown.is_err() {
        note(&format!("error: {}", failure.message));
    }
    failure.code.exit()
}

/// Shows the help that was asked for, or what is wrong with the command line.
fn misused(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    let is_json = asks_json(arguments);
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let shown = error.print().and_then(|()| io::stdout().flush());
        return match shown {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error.into(), &mut Output::new(false)),
        };
    }
    if !is_json && error.render().to_string().chars().any(|c| c.is_control() && c != '\n') {
        // What was typed may steer a terminal, so it is shown without colours and escaped.
        note(error.render().to_string().trim_end());
        return Code::Usage.exit();
    }
    if !is_json {
        let _ = error.print();
        return Code::Usage.exit();
    }
    let message = error.render().to_string();
    let message = message.trim().trim_start_matches("error: ").to_owned();
    let mut output = Output::new(true);
    report(&Failure::new(Code::Usage, message, Value::Null), &mut output)
}

/// A line on standard error; where nobody reads, nothing is left to do.
fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", output::printable(line));
}
