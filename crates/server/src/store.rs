//! Matches on disk: a log of records for each match, in an SQLite file or in a PostgreSQL database
//! that several servers share. A record is answered for only when it is on the disk; what arrives
//! while the disk is busy is written together.

mod link;
mod writer;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sqlx::postgres::PgListener;
use tokio::sync::{mpsc, oneshot};

use crate::opening::Line;
use crate::problem::Problem;
use crate::record::{Header, Record};
use link::{Readers, on};
use writer::Job;

/// How many requests may wait for the disk.
const WAITING: usize = 4_096;

/// How many matches whose time is up are read at once.
const MOST_DUE: i64 = 1_000;

/// Where matches are kept.
#[derive(Clone, PartialEq, Eq)]
pub enum Database {
    /// A file of SQLite, for one server.
    File(PathBuf),
    /// The address of a PostgreSQL database, for any number of servers.
    Postgres(String),
}

impl Database {
    /// The database that a text names: an address of PostgreSQL, or else a file.
    pub fn new(text: &str) -> Database {
        match ["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
            true => Database::Postgres(text.to_owned()),
            false => Database::File(text.into()),
        }
    }
}

/// An address may carry a password, which is not shown.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Database::File(path) => write!(f, "{}", path.display()),
            Database::Postgres(url) => {
                let place = url.rsplit_once('@').map_or(url.as_str(), |(_, place)| place);
                let place = place.split('?').next().unwrap_or_default();
                write!(f, "postgres://{}", place.rsplit("://").next().unwrap_or_default())
            }
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Database({self})")
    }
}

/// A database of matches.
#[derive(Clone)]
pub struct Store {
    readers: Readers,
    writer: mpsc::Sender<Job>,
    /// By what this server knows its own notices.
    server: String,
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
    /// An uploaded game that nobody plays yet. It is kept for a day, unless many others come.
    Draft(Definition, u64),
    /// An uploaded game that is to be played. It is kept for as long as its matches.
    Definition(Definition),
    /// A new match with its first records.
    Create(Box<Header>, Status, Vec<Record>),
    /// More records of a match.
    Append {
        /// The match.
        id: String,
        /// What has happened.
        records: Vec<Record>,
        /// How far the match is then, where that has changed.
        status: Option<Status>,
        /// Whether the match may have been put away.
        returns: bool,
        /// What everybody may read about it, where it is public and over with them.
        finished: Option<Box<Finished>>,
    },
    /// A match is put away: it needs no server until its time is up, if that ever is. Nothing is
    /// written where the log has another number of records by now.
    Away {
        /// The match.
        id: String,
        /// How many records its log has.
        number: u64,
        /// When its time is up.
        due: Option<u64>,
    },
    /// A server starts again. The clocks of matches that are put away stood still since it stopped.
    Resume {
        /// When it stopped.
        stopped: u64,
        /// When it starts again.
        now: u64,
    },
    /// The beginning of a match that is over, for the table of what was played.
    Opening(Line),
    /// That the server runs.
    Pulse(u64),
    /// Drafts that are older than a time are forgotten.
    Forget(u64),
}

/// A public match that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The hash of its game's definition.
    pub definition: String,
    /// When it came to its end.
    pub at: u64,
    /// What everybody may read about it, as JSON.
    pub summary: String,
}

/// Which of the public matches that are over are wanted: the newest before one of them.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The hash of the game's definition; of any game, where it is empty.
    pub definition: String,
    /// When the one before ended, and its name.
    pub before: (u64, String),
    /// How many at most.
    pub most: u32,
}

/// An uploaded game.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The hash of its definition.
    pub hash: String,
    /// Its name.
    pub name: String,
    /// Its file.
    pub source: Arc<str>,
}

/// A match as it is read.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// How it was arranged.
    pub header: Header,
    /// What has happened.
    pub records: Vec<Record>,
    /// Whether it is put away.
    pub away: bool,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// It is on the disk.
    Durable,
    /// Another record of this number was written before.
    Conflict,
}

/// What another server has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// More records of a match.
    Changed(String),
    /// Notices may have been missed: any match may have changed.
    Missed,
}

impl Store {
    /// Opens a database, and makes its tables where there are none.
    ///
    /// # Errors
    /// Where the file cannot be opened or is no database, or the database does not answer.
    pub async fn open(database: &Database) -> Result<Store, sqlx::Error> {
        let (link, readers) = link::open(database).await?;
        let (writer, jobs) = mpsc::channel(WAITING);
        let server = crate::secret::name();
        tokio::spawn(writer::write_all(link, database.clone(), server.clone(), jobs));
        Ok(Store { readers, writer, server })
    }

    /// Whether other servers may write to the same matches.
    pub fn is_shared(&self) -> bool {
        matches!(self.readers, Readers::Postgres(_))
    }

    /// Sends what other servers write, for as long as somebody listens. Nothing comes of a database
    /// that is not shared.
    ///
    /// # Errors
    /// Where the database does not answer.
    pub async fn notices(&self) -> Result<mpsc::Receiver<Notice>, Problem> {
        let (sender, receiver) = mpsc::channel(WAITING);
        if let Readers::Postgres(pool) = &self.readers {
            let mut listener = PgListener::connect_with(pool).await.map_err(lost)?;
            listener.listen(writer::CHANNEL).await.map_err(lost)?;
            let server = self.server.clone();
            tokio::spawn(async move {
                while let Some(notice) = writer::notice(&mut listener, &server).await {
                    if sender.send(notice).await.is_err() {
                        return;
                    }
                }
            });
        }
        Ok(receiver)
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
    pub async fn load(&self, id: &str) -> Result<Loaded, Problem> {
        let row: Option<(String, Option<i64>)> = on!(&self.readers, pool => {
            let text = "SELECT header, due FROM match LEFT JOIN away ON match = id WHERE id = $1";
            sqlx::query_as(text).bind(id).fetch_optional(pool).await
        })
        .map_err(lost)?;
        let (header, due) = row.ok_or_else(|| Problem::missing("match"))?;
        let records = self.records(id, 0).await?;
        Ok(Loaded { header: read(&header)?, records, away: due.is_some() })
    }

    /// The matches that go on and are not put away.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn attended(&self) -> Result<Vec<String>, Problem> {
        let rows: Vec<(String,)> = on!(&self.readers, pool => {
            let text = "SELECT id FROM match LEFT JOIN away ON match = id
                WHERE status = $1 AND due IS NULL ORDER BY created";
            sqlx::query_as(text).bind(Status::Playing.name()).fetch_all(pool).await
        })
        .map_err(lost)?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The matches that are put away and whose time is up before a time: the first of them.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn due(&self, before: u64) -> Result<Vec<String>, Problem> {
        let before = i64::try_from(before).unwrap_or(writer::NEVER);
        let rows: Vec<(String,)> = on!(&self.readers, pool => {
            let text = "SELECT match FROM away WHERE due < $1 ORDER BY due LIMIT $2";
            sqlx::query_as(text).bind(before).bind(MOST_DUE).fetch_all(pool).await
        })
        .map_err(lost)?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Whether the clock of any match runs that is put away.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn has_clocks(&self) -> Result<bool, Problem> {
        let row: Option<(String,)> = on!(&self.readers, pool => {
            let text = "SELECT match FROM away WHERE due < $1 LIMIT 1";
            sqlx::query_as(text).bind(writer::NEVER).fetch_optional(pool).await
        })
        .map_err(lost)?;
        Ok(row.is_some())
    }

    /// The log of a match from a number on.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn records(&self, id: &str, from: u64) -> Result<Vec<Record>, Problem> {
        let rows: Vec<(i64, i64, String)> = on!(&self.readers, pool => {
            sqlx::query_as(
                "SELECT number, at, entry FROM log WHERE match = $1 AND number >= $2 ORDER BY number",
            )
            .bind(id)
            .bind(from as i64)
            .fetch_all(pool)
            .await
        })
        .map_err(lost)?;
        let record = |(number, at, entry): (i64, i64, String)| {
            Ok(Record { number: number as u64, at: at as u64, entry: read(&entry)? })
        };
        rows.into_iter().map(record).collect()
    }

    /// The file of an uploaded game.
    ///
    /// # Errors
    /// Where there is no such game, or the database cannot be read.
    pub async fn source(&self, hash: &str) -> Result<String, Problem> {
        let row: Option<(String,)> = on!(&self.readers, pool => {
            let text = "SELECT source FROM definition WHERE hash = $1
                UNION ALL SELECT source FROM draft WHERE hash = $1 LIMIT 1";
            sqlx::query_as(text).bind(hash).fetch_optional(pool).await
        })
        .map_err(lost)?;
        row.map(|(source,)| source).ok_or_else(|| Problem::missing("game"))
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
        let rows: Vec<(String,)> = on!(&self.readers, pool => {
            sqlx::query_as(
                "SELECT id FROM match WHERE status = $1 AND public >= $2
                ORDER BY created DESC LIMIT $3",
            )
            .bind(status.name())
            .bind(i64::from(public))
            .bind(i64::from(most))
            .fetch_all(pool)
            .await
        })
        .map_err(lost)?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// The public matches that are over, the newest first: when each ended, its name and its summary.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn finished(&self, wanted: &Wanted) -> Result<Vec<(u64, String, String)>, Problem> {
        let Wanted { definition, before: (at, id), most } = wanted;
        let at = i64::try_from(*at).unwrap_or(i64::MAX);
        let rows: Vec<(i64, String, String)> = on!(&self.readers, pool => {
            let text = "SELECT at, match, summary FROM finished
                WHERE (at, match) < ($1, $2) AND ($3 = '' OR definition = $3)
                ORDER BY at DESC, match DESC LIMIT $4";
            let asked = sqlx::query_as(text).bind(at).bind(id).bind(definition);
            asked.bind(i64::from(*most)).fetch_all(pool).await
        })
        .map_err(lost)?;
        Ok(rows.into_iter().map(|(at, id, summary)| (at as u64, id, summary)).collect())
    }

    /// What was played from a position: the event, who won (-1 of a draw) and in how many matches.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn opening(
        &self,
        definition: &str,
        hash: &str,
    ) -> Result<Vec<(String, i64, i64)>, Problem> {
        on!(&self.readers, pool => {
            sqlx::query_as(
                "SELECT event, winner, count FROM opening WHERE definition = $1 AND hash = $2
                ORDER BY event, winner",
            )
            .bind(definition)
            .bind(hash)
            .fetch_all(pool)
            .await
        })
        .map_err(lost)
    }

    /// When a server was last known to run.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn pulse(&self) -> Result<Option<u64>, Problem> {
        let row: Option<(i64,)> = on!(&self.readers, pool => {
            sqlx::query_as("SELECT at FROM pulse WHERE id = 1").fetch_optional(pool).await
        })
        .map_err(lost)?;
        Ok(row.map(|(at,)| at as u64))
    }

    /// The time in milliseconds since 1970: that of the database where servers share one, so that
    /// their clocks agree.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn time(&self) -> Result<u64, Problem> {
        let Readers::Postgres(pool) = &self.readers else {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            return Ok(since.as_millis() as u64);
        };
        let text = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let (at,): (i64,) = sqlx::query_as(text).fetch_one(pool).await.map_err(lost)?;
        Ok(at as u64)
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> bool {
        on!(&self.readers, pool => sqlx::query("SELECT 1").fetch_one(pool).await.is_ok())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Entry;

    #[tokio::test]
    async fn a_record_that_is_there_already_is_refused_and_those_beside_it_are_written() {
        let name = format!("senet-store-{}.db", std::process::id());
        let path = std::env::temp_dir().join(name);
        let database = Database::File(path.clone());
        let (one, other) =
            (Store::open(&database).await.unwrap(), Store::open(&database).await.unwrap());
        let append = |id: &str, number: u64, at: u64| {
            let record = Record { number, at, entry: Entry::Decline { seat: 0 } };
            let (id, records) = (id.to_owned(), vec![record]);
            Write::Append { id, records, status: None, returns: false, finished: None }
        };
        assert_eq!(one.write(append("a", 0, 1)).await, Ok(Written::Durable));
        // What waits together is written together: first one that fits, then one that does not.
        let (fits, late, more) = tokio::join!(
            other.write(append("b", 0, 2)),
            other.write(append("a", 0, 2)),
            other.write(append("b", 1, 2)),
        );
        assert_eq!(fits, Ok(Written::Durable));
        assert_eq!(late, Ok(Written::Conflict));
        assert_eq!(more, Ok(Written::Durable));
        let times = async |id: &str| -> Vec<u64> {
            one.records(id, 0).await.unwrap().iter().map(|record| record.at).collect()
        };
        assert_eq!((times("a").await, times("b").await), (vec![1], vec![2, 2]));
        for end in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
    }

    #[test]
    fn the_password_of_an_address_is_not_shown() {
        let shown = |text: &str| Database::new(text).to_string();
        assert_eq!(shown("postgres://senet:s3cret@db:5432/senet?x=y"), "postgres://db:5432/senet");
        assert_eq!(shown("postgresql://db/senet?password=s3cret"), "postgres://db/senet");
        assert_eq!(shown("games/senet.db"), "games/senet.db");
    }
}
