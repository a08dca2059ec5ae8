//! `senet sql`: questions to game trees, typed one after another.

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Arc;

use rustyline::error::ReadlineError;
use rustyline::{Config, DefaultEditor};
use senet_timeline::{Column, Subject};
use senet_timeline_sql::{Session, Shelf};
use serde_json::Value;

use crate::failure::{Code, Failure};
use crate::output::{Output, columns};
use crate::query::Manner;
use crate::{interrupt, note, shelf};

const EXAMPLES: &str = "\
Examples:
  senet sql
  senet sql \"select ply, count(*) from timeline('chess', '', 4) group by ply order by ply\"
  senet sql \"select count(*) from 'tree.parquet' where is_check\" --json
  echo \"select legal_count(state_of('chess', ''))\" | senet sql --csv
  senet sql --cluster df://localhost:50050

Tables: timeline(GAME, POSITION, DEPTH), positions(GAME, POSITION, DEPTH), and files by name.
Functions: successors, legal_count, position_text, is_check, attackers, perspective and more; see
the book. The column named \"from\" is written in double quotes.
Questions end with a semicolon; at the prompt \\h helps and \\q ends.";

/// Answers questions in SQL about game trees.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The query; read at a prompt, or from standard input, if omitted.
    query: Option<String>,
    /// Definition files of games that questions may be about.
    #[arg(long, value_name = "FILE")]
    game: Vec<String>,
    #[command(flatten)]
    manner: Manner,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let games = Arc::new(Shelf::default());
    for name in &args.game {
        let game = shelf::open(name)?;
        games.add(Subject { game: game.rules().clone(), notation: game.notation() });
    }
    let session = args.manner.session(&games)?;
    if let Some(query) = &args.query {
        return ask_all(args, &session, query, output);
    }
    if io::stdin().is_terminal() {
        return prompt(args, &session, output);
    }
    let mut text = String::new();
    io::stdin().lock().take(1 << 24).read_to_string(&mut text)?;
    ask_all(args, &session, &text, output)
}

/// Asks questions that are divided by semicolons.
fn ask_all(args: &Args, session: &Session, text: &str, output: &mut Output) -> Result<(), Failure> {
    let mut rest = text;
    loop {
        let (question, more) = split(rest).unwrap_or((rest, ""));
        if !question.trim().is_empty() {
            args.manner.ask(session, question, output)?;
        }
        if more.is_empty() {
            return Ok(());
        }
        rest = more;
    }
}

/// What a semicolon may be in without ending a question, each with what ends it.
const ENCLOSED: [(&str, &str); 4] = [("'", "'"), ("\"", "\""), ("--", "\n"), ("/*", "*/")];

/// The question before the first semicolon that is in no quotes and in no comment, and what is
/// after it.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        if let Some(more) = rest.strip_prefix(';') {
            return Some((&text[..at], more));
        }
        at += match ENCLOSED.iter().find(|(begin, _)| rest.starts_with(begin)) {
            Some((begin, end)) => begin.len() + rest[begin.len()..].find(end)? + end.len(),
            None => rest.chars().next()?.len_utf8(),
        };
    }
}

/// What is typed that is no question.
const COMMANDS: &str = "\
\\d   the columns of a timeline
\\h   this help
\\q   ends, as Ctrl-D does

A question ends with a semicolon and may take several lines.
Ctrl-C forgets it, or calls it off. The arrow keys bring back earlier ones.

Tables:
  timeline('chess', '', 3)     the tree below a position; '' is the start
  positions('chess', '', 3)    the same, equal positions of a ply merged
  'tree.parquet'               a file; .arrow, .csv and .jsonl too

Functions:
  state_of('chess', ''), successors(state), after(state, 'e4'),
  legal_count(state), is_check(state), outcome(state), drawing(state),
  position_text(state), player_to_move(state), attackers(state, 'f7'),
  perspective(state, 'f7'), threatened(state, 'white')

Examples:
  select ply, count(*) from timeline('chess', '', 3) group by ply;
  select unnest(successors(state_of('tic-tac-toe', ''))) as state;";

fn prompt(args: &Args, session: &Session, output: &mut Output) -> Result<(), Failure> {
    let trouble =
        |error: ReadlineError| Failure::new(Code::Io, format!("the prompt: {error}"), Value::Null);
    let config = Config::builder().max_history_size(1000).map_err(trouble)?.build();
    let mut editor = DefaultEditor::with_config(config).map_err(trouble)?;
    let history = history();
    if let Some(path) = &history {
        let _ = path.parent().map(std::fs::create_dir_all);
        // The first time there is none.
        let _ = editor.load_history(path);
    }
    note("questions end with a semicolon; \\h helps, \\q ends");
    let mut typed = String::new();
    loop {
        let sign = if typed.is_empty() { "senet> " } else { "   ... " };
        match interrupt::idle(|| editor.readline(sign)) {
            Ok(line) if typed.is_empty() && line.trim().is_empty() => continue,
            Ok(line) if typed.is_empty() && is_command(&line) => match line.trim() {
                "\\q" | "quit" | "exit" => break,
                command => obey(command, output)?,
            },
            Ok(line) => {
                typed.push_str(&line);
                typed.push('\n');
            }
            Err(ReadlineError::Interrupted) => typed.clear(),
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(trouble(error)),
        }
        while let Some((question, more)) = split(&typed) {
            if !question.trim().is_empty() {
                let _ = editor.add_history_entry(format!("{};", question.trim()));
                if let Some(path) = &history {
                    let _ = editor.append_history(path);
                }
                answer(args, session, question, output)?;
            }
            typed = more.trim_start().to_owned();
        }
    }
    Ok(())
}

/// Whether a line is no question.
fn is_command(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('\\') || matches!(line, "help" | "quit" | "exit")
}

/// Does what a line that is no question asks for.
fn obey(command: &str, output: &mut Output) -> Result<(), Failure> {
    match command {
        "\\h" | "\\?" | "help" => output.line(COMMANDS)?,
        "\\d" => {
            let row = |column: &Column| [column.name(), column.summary().trim()].map(str::to_owned);
            let rows: Vec<[String; 2]> = Column::ALL.iter().map(row).collect();
            for line in columns(&rows) {
                output.line(line)?;
            }
        }
        other => {
            note(&format!("error: there is no command `{other}`; the commands are \\d, \\h, \\q"));
        }
    }
    Ok(output.flush()?)
}

/// Answers a question, or says what is wrong with it.
fn answer(
    args: &Args,
    session: &Session,
    question: &str,
    output: &mut Output,
) -> Result<(), Failure> {
    match args.manner.ask(session, question, output) {
        Ok(()) => Ok(()),
        Err(failure) if output.is_json() => {
            output.json(&failure.envelope())?;
            Ok(output.flush()?)
        }
        Err(failure) => {
            note(&format!("error: {}", failure.message));
            Ok(())
        }
    }
}

/// Where questions are remembered.
fn history() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state"));
    Some(state.or_else(home)?.join("senet").join("sql-history"))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_semicolon_in_quotes_or_a_comment_divides_nothing() {
        assert_eq!(split("select ';' ; rest"), Some(("select ';' ", " rest")));
        assert_eq!(split("select 'it''s;' \";\""), None);
        assert_eq!(split("1 -- it's;\n; 2"), Some(("1 -- it's;\n", " 2")));
        assert_eq!(split("/* it's; */ é;"), Some(("/* it's; */ é", "")));
        assert_eq!(split("/* ;"), None);
    }
}
