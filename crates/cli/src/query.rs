//! Questions in SQL, asked in this process or of a cluster.

use std::io::{self, IsTerminal};
use std::sync::Arc;

use indicatif::ProgressBar;
use senet_timeline_sql::{Extent, Form, MOST_ROWS, Purpose, QueryError, Session, Shelf};
use serde_json::{Value, json};

use crate::failure::{Code, Failure};
use crate::output::Output;
use crate::worker::Threads;
use crate::{interrupt, note, progress};

/// Who answers, and in which form.
#[derive(clap::Args)]
pub(crate) struct Manner {
    /// The scheduler of a cluster, such as df://localhost:50050.
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,
    /// Show how the question is answered instead of answering it.
    #[arg(long)]
    explain_plan: bool,
    /// Answer in CSV.
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// The number of parts into which work is divided on a cluster.
#[cfg(feature = "cluster")]
const PARTITIONS: usize = 16;

impl Manner {
    /// A session for the games on a shelf.
    pub(crate) fn session(&self, shelf: &Arc<Shelf>) -> Result<Session, Failure> {
        let threads = self.threads.count();
        match &self.cluster {
            None => Ok(Session::new(shelf, threads)?),
            #[cfg(feature = "cluster")]
            Some(url) => {
                let context = senet_timeline_cluster::connect(url, shelf, PARTITIONS);
                Ok(Session::with(threads, context)?)
            }
            #[cfg(not(feature = "cluster"))]
            Some(_) => Err(crate::feature::missing("--cluster", "cluster")),
        }
    }

    /// Asks a question and writes the answer.
    pub(crate) fn ask(
        &self,
        session: &Session,
        question: &str,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let form = match (output.is_json(), self.csv) {
            (true, _) => Form::Json,
            (false, true) => Form::Csv,
            (false, false) => Form::Table { width: width() },
        };
        let purpose = if self.explain_plan { Purpose::Plan } else { Purpose::Answer };
        // Lines are the sign of life that a table is not.
        let bar = match form {
            Form::Table { .. } => progress::waiting(),
            Form::Csv | Form::Json => ProgressBar::hidden(),
        };
        let extent = session.ask(question, purpose, form, interrupt::wanted(), |text| {
            bar.finish_and_clear();
            Ok(output.text(text)?)
        });
        bar.finish_and_clear();
        let extent = extent.map_err(|failure: Failure| Failure {
            message: pointed(question, &failure),
            ..failure
        })?;
        output.flush()?;
        match extent {
            Extent::Whole => {}
            Extent::FirstRows => {
                note(&format!("these are the first {MOST_ROWS} rows; --csv and --json write all"));
            }
            Extent::CalledOff => {
                return Err(Failure::new(Code::Interrupted, "interrupted", Value::Null));
            }
        }
        Ok(())
    }

    /// Whether others are to do the work.
    pub(crate) fn is_for_cluster(&self) -> bool {
        self.cluster.is_some()
    }

    /// Refuses what only a question can be answered with, where there is none.
    pub(crate) fn refuse_unasked(&self) -> Result<(), Failure> {
        let given = [("--explain-plan", self.explain_plan), ("--csv", self.csv)];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((name, _)) => Err(Failure::params(format!("{name} goes with --sql"))),
        }
    }
}

/// How many characters fit into a line of the terminal, if answers go to one.
fn width() -> Option<usize> {
    let size = io::stdout().is_terminal().then(ratatui::crossterm::terminal::size);
    size?.ok().map(|(columns, _)| usize::from(columns))
}

/// The message of a failure, with the place in the question where it is known.
fn pointed(question: &str, failure: &Failure) -> String {
    let number = |name: &str| failure.details[name].as_u64();
    let (Some(line), Some(column)) = (number("line"), number("column")) else {
        return failure.message.clone();
    };
    let Some(text) = question.lines().nth(line.saturating_sub(1) as usize) else {
        return failure.message.clone();
    };
    let indent = " ".repeat(column.saturating_sub(1) as usize);
    format!("{}\n  {text}\n  {indent}^", failure.message)
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Failure {
        let details = match error.place {
            None => Value::Null,
            Some((line, column)) => json!({ "line": line, "column": column }),
        };
        Failure::new(Code::InvalidQuery, error.to_string(), details)
    }
}
