//! Matches on disk: an SQLite database with a log of records for each match. A record is answered
//! for only when it is on the disk; what arrives while the disk is busy is written together.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteRow, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Row};
use tokio::sync::{mpsc, oneshot};

use crate::problem::Problem;
use crate::record::{Header, Record};

/// How many requests are written together at most.
const BATCH: usize = 256;

/// How many requests may wait for the disk.
const WAITING: usize = 4_096;

const SCHEMA: [&str; 5] = [
    "CREATE TABLE IF NOT EXISTS definition (
        hash TEXT PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS match (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, definition TEXT NOT NULL,
        created INTEGER NOT NULL, header TEXT NOT NULL, status TEXT NOT NULL,
        public INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS match_status ON match (status, public, created)",
    "CREATE TABLE IF NOT EXISTS log (
        match TEXT NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, entry TEXT NOT NULL,
        PRIMARY KEY (match, number)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS pulse (id INTEGER PRIMARY KEY, at INTEGER NOT NULL)",
];

/// A database of matches.
#[derive(Clone)]
pub struct Store {
    readers: SqlitePool,
    writer: mpsc::Sender<Job>,
}

/// How far a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A seat is free.
    Waiting,
    /// It goes on.
    Playing,
    /// It is over.
    Over,
}

impl Status {
    fn name(self) -> &'static str {
        match self {
            Status::Waiting => "waiting",
            Status::Playing => "playing",
            Status::Over => "over",
        }
    }
}

/// What is to be written.
#[derive(Clone, Debug)]
pub enum Write {
    /// The source of an uploaded game.
    Definition {
        /// The hash of its definition.
        hash: String,
        /// Its name.
        name: String,
        /// Its file.
        source: String,
    },
    /// A new match with its first records.
    Create(Box<Header>, Status, Vec<Record>),
    /// More records of a match.
    Append(String, Status, Vec<Record>),
    /// That the server runs.
    Pulse(u64),
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is on the disk.
    Durable,
    /// Another record of this number was written before.
    Conflict,
}

struct Job {
    write: Write,
    done: oneshot::Sender<Result<Written, Problem>>,
}

impl Store {
    /// Opens a database, and makes it where there is none.
    ///
    /// # Errors
    /// Where the file cannot be opened or is no database.
    pub async fn open(path: &Path) -> Result<Store, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(Duration::from_secs(5));
        let mut connection = options.connect().await?;
        for statement in SCHEMA {
            sqlx::query(statement).execute(&mut connection).await?;
        }
        let readers =
            SqlitePoolOptions::new().max_connections(4).connect_with(options.clone()).await?;
        let (writer, jobs) = mpsc::channel(WAITING);
        tokio::spawn(write_all(connection, jobs));
        Ok(Store { readers, writer })
    }

    /// Writes something, and returns when it is on the disk.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub async fn write(&self, write: Write) -> Result<Written, Problem> {
        let (done, answer) = oneshot::channel();
        let sent = self.writer.send(Job { write, done }).await;
        sent.map_err(|_| Problem::unavailable())?;
        answer.await.map_err(|_| Problem::unavailable())?
    }

    /// A match: how it was arranged, and its log.
    ///
    /// # Errors
    /// Where there is no such match, or the database cannot be read.
    pub async fn load(&self, id: &str) -> Result<(Header, Vec<Record>), Problem> {
        let row = sqlx::query("SELECT header FROM match WHERE id = ?1")
            .bind(id)
            .fetch_optional(&self.readers)
            .await
            .map_err(lost)?;
        let row = row.ok_or_else(|| Problem::missing("match"))?;
        let header = read(row.get::<&str, _>(0))?;
        let rows =
            sqlx::query("SELECT number, at, entry FROM log WHERE match = ?1 ORDER BY number")
                .bind(id)
                .fetch_all(&self.readers)
                .await
                .map_err(lost)?;
        let record = |row: &SqliteRow| {
            let (number, at): (i64, i64) = (row.get(0), row.get(1));
            let entry = read(row.get::<&str, _>(2))?;
            Ok(Record { number: number as u64, at: at as u64, entry })
        };
        let records: Result<Vec<Record>, Problem> = rows.iter().map(record).collect();
        Ok((header, records?))
    }

    /// The file of an uploaded game.
    ///
    /// # Errors
    /// Where there is no such game, or the database cannot be read.
    pub async fn source(&self, hash: &str) -> Result<String, Problem> {
        let row = sqlx::query("SELECT source FROM definition WHERE hash = ?1")
            .bind(hash)
            .fetch_optional(&self.readers)
            .await
            .map_err(lost)?;
        Ok(row.ok_or_else(|| Problem::missing("game"))?.get(0))
    }

    /// The names of the newest matches of a status, public ones alone or all.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn list(
        &self,
        status: Status,
        public: bool,
        most: u32,
    ) -> Result<Vec<String>, Problem> {
        let rows = sqlx::query(
            "SELECT id FROM match WHERE status = ?1 AND public >= ?2 ORDER BY created DESC LIMIT ?3",
        )
        .bind(status.name())
        .bind(i64::from(public))
        .bind(i64::from(most))
        .fetch_all(&self.readers)
        .await
        .map_err(lost)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// When a server was last known to run.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn pulse(&self) -> Result<Option<u64>, Problem> {
        let row = sqlx::query("SELECT at FROM pulse WHERE id = 1")
            .fetch_optional(&self.readers)
            .await
            .map_err(lost)?;
        Ok(row.map(|row| row.get::<i64, _>(0) as u64))
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> bool {
        sqlx::query("SELECT 1").fetch_one(&self.readers).await.is_ok()
    }
}

fn lost(error: sqlx::Error) -> Problem {
    crate::note::error("database", &error.to_string());
    Problem::unavailable()
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Problem> {
    serde_json::from_str(text).map_err(|error| {
        crate::note::error("database", &error.to_string());
        Problem::new(500, "broken_log", "a record of the database cannot be read")
    })
}

/// Writes what comes, as much at once as waits.
async fn write_all(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        let done = commit(&mut connection, &batch).await;
        match done {
            Ok(written) => {
                for (job, written) in batch.drain(..).zip(written) {
                    let _ = job.done.send(Ok(written));
                }
            }
            Err(error) => {
                crate::note::error("database", &error.to_string());
                for job in batch.drain(..) {
                    let _ = job.done.send(Err(Problem::unavailable()));
                }
            }
        }
    }
    let _ = connection.close().await;
}

/// Writes a batch in one transaction; all of it is on the disk afterwards, or nothing.
async fn commit(
    connection: &mut SqliteConnection,
    batch: &[Job],
) -> Result<Vec<Written>, sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let mut written = Vec::with_capacity(batch.len());
    for job in batch {
        written.push(execute(&mut transaction, &job.write).await?);
    }
    transaction.commit().await?;
    Ok(written)
}

async fn execute(connection: &mut SqliteConnection, write: &Write) -> Result<Written, sqlx::Error> {
    match write {
        Write::Definition { hash, name, source } => {
            sqlx::query("INSERT INTO definition VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")
                .bind(hash)
                .bind(name)
                .bind(source)
                .execute(connection)
                .await?;
            Ok(Written::Durable)
        }
        Write::Create(header, status, records) => {
            let text = serde_json::to_string(header).unwrap_or_default();
            let done = sqlx::query(
                "INSERT INTO match VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
            )
            .bind(&header.id)
            .bind(&header.game)
            .bind(&header.definition)
            .bind(header.created as i64)
            .bind(text)
            .bind(status.name())
            .bind(i64::from(header.public))
            .execute(&mut *connection)
            .await?;
            match done.rows_affected() {
                0 => Ok(Written::Conflict),
                _ => append(connection, &header.id, records).await,
            }
        }
        Write::Append(id, status, records) => {
            let written = append(connection, id, records).await?;
            if written == Written::Durable {
                sqlx::query("UPDATE match SET status = ?2 WHERE id = ?1 AND status <> ?2")
                    .bind(id)
                    .bind(status.name())
                    .execute(connection)
                    .await?;
            }
            Ok(written)
        }
        Write::Pulse(at) => {
            sqlx::query("INSERT INTO pulse VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET at = ?1")
                .bind(*at as i64)
                .execute(connection)
                .await?;
            Ok(Written::Durable)
        }
    }
}

async fn append(
    connection: &mut SqliteConnection,
    id: &str,
    records: &[Record],
) -> Result<Written, sqlx::Error> {
    for record in records {
        let entry = serde_json::to_string(&record.entry).unwrap_or_default();
        let done = sqlx::query("INSERT INTO log VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")
            .bind(id)
            .bind(record.number as i64)
            .bind(record.at as i64)
            .bind(entry)
            .execute(&mut *connection)
            .await?;
        // Numbers follow one another, so only the first can be another's.
        if done.rows_affected() == 0 {
            return Ok(Written::Conflict);
        }
    }
    Ok(Written::Durable)
}
