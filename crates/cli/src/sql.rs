//! `senet sql`: questions to game trees, typed one after another.

use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use std::sync::Arc;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use senet_timeline::Subject;
use senet_timeline_sql::{Session, Shelf};
use serde_json::Value;

use crate::failure::{Code, Failure};
use crate::output::Output;
use crate::query::Manner;
use crate::{note, shelf};

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
Questions end with a semicolon; \\q ends.";

/// Answers questions in SQL about game trees.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The question; a prompt, or standard input, when left out.
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
        let edition = shelf::open(name)?;
        games.add(Subject { game: edition.game, notation: edition.notation });
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
    while let Some((question, more)) = split(rest) {
        args.manner.ask(session, question, output)?;
        rest = more;
    }
    if !rest.trim().is_empty() {
        args.manner.ask(session, rest, output)?;
    }
    Ok(())
}

/// The question before the first semicolon that is in no quotes, and what is after it.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut quote = None;
    for (at, one) in text.char_indices() {
        match (quote, one) {
            (None, ';') => return Some((&text[..at], &text[at + 1..])),
            (None, '\'' | '"') => quote = Some(one),
            (Some(open), _) if open == one => quote = None,
            _ => {}
        }
    }
    None
}

fn prompt(args: &Args, session: &Session, output: &mut Output) -> Result<(), Failure> {
    let trouble =
        |error: ReadlineError| Failure::new(Code::Io, format!("the prompt: {error}"), Value::Null);
    let mut editor = DefaultEditor::new().map_err(trouble)?;
    let history = history();
    if let Some(path) = &history {
        // The first time there is none.
        let _ = editor.load_history(path);
    }
    let mut typed = String::new();
    loop {
        let sign = if typed.is_empty() { "senet> " } else { "   ... " };
        match editor.readline(sign) {
            Ok(line) if typed.is_empty() && matches!(line.trim(), "\\q" | "quit" | "exit") => break,
            Ok(line) => {
                typed.push_str(&line);
                typed.push('\n');
            }
            Err(ReadlineError::Interrupted) => {
                typed.clear();
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(trouble(error)),
        }
        while let Some((question, more)) = split(&typed) {
            let _ = editor.add_history_entry(format!("{};", question.trim()));
            if !question.trim().is_empty()
                && let Err(failure) = args.manner.ask(session, question, output)
            {
                note(&format!("error: {}", failure.message));
            }
            typed = more.trim_start().to_owned();
        }
    }
    if let Some(path) = &history {
        let _ = path.parent().map(std::fs::create_dir_all);
        let _ = editor.save_history(path);
    }
    Ok(())
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
    fn a_semicolon_in_quotes_divides_nothing() {
        assert_eq!(split("select ';' ; rest"), Some(("select ';' ", " rest")));
        assert_eq!(split("select 'it''s;' \";\""), None);
    }
}
