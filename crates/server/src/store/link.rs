//! Connections to the two kinds of databases. Statements are the same for both wherever they can be.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};

use crate::store::Database;

/// How long a reader waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a server waits before it looks for a database again.
pub(super) const PAUSE: Duration = Duration::from_millis(200);

/// One of the two kinds of databases.
#[derive(Clone)]
pub(super) enum Kind<S, P> {
    Sqlite(S),
    Postgres(P),
}

/// The connection that writes.
pub(super) type Link = Kind<SqliteConnection, PgConnection>;

/// The connections that read.
pub(super) type Readers = Kind<SqlitePool, PgPool>;

/// Does the same with either kind.
macro_rules! on {
    ($kind:expr, $one:ident => $done:expr) => {
        match $kind {
            $crate::store::link::Kind::Sqlite($one) => $done,
            $crate::store::link::Kind::Postgres($one) => $done,
        }
    };
}
pub(super) use on;

macro_rules! schema {
    ($end:literal) => {
        [
            concat!(
                "CREATE TABLE IF NOT EXISTS definition (
                    hash TEXT PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL)",
                $end
            ),
            concat!(
                "CREATE TABLE IF NOT EXISTS match (
                    id TEXT PRIMARY KEY, game TEXT NOT NULL, definition TEXT NOT NULL,
                    created BIGINT NOT NULL, header TEXT NOT NULL, status TEXT NOT NULL,
                    public BIGINT NOT NULL)",
                $end
            ),
            "CREATE INDEX IF NOT EXISTS match_status ON match (status, public, created)",
            concat!(
                "CREATE TABLE IF NOT EXISTS log (
                    match TEXT NOT NULL, number BIGINT NOT NULL, at BIGINT NOT NULL,
                    entry TEXT NOT NULL, PRIMARY KEY (match, number))",
                $end
            ),
            concat!(
                "CREATE TABLE IF NOT EXISTS opening (
                    definition TEXT NOT NULL, hash TEXT NOT NULL, event TEXT NOT NULL,
                    winner BIGINT NOT NULL, count BIGINT NOT NULL,
                    PRIMARY KEY (definition, hash, event, winner))",
                $end
            ),
            concat!(
                "CREATE TABLE IF NOT EXISTS away (match TEXT PRIMARY KEY, due BIGINT NOT NULL)",
                $end
            ),
            "CREATE INDEX IF NOT EXISTS away_due ON away (due)",
            concat!(
                "CREATE TABLE IF NOT EXISTS draft (
                    hash TEXT PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL,
                    at BIGINT NOT NULL)",
                $end
            ),
            concat!(
                "CREATE TABLE IF NOT EXISTS finished (
                    match TEXT PRIMARY KEY, definition TEXT NOT NULL, at BIGINT NOT NULL,
                    summary TEXT NOT NULL)",
                $end
            ),
            "CREATE INDEX IF NOT EXISTS finished_at ON finished (at, match)",
            "CREATE TABLE IF NOT EXISTS pulse (id INTEGER PRIMARY KEY, at BIGINT NOT NULL)",
        ]
    };
}

/// Opens a database: one connection that writes, and some that read.
pub(super) async fn open(database: &Database) -> Result<(Link, Readers), sqlx::Error> {
    match database {
        Database::File(path) => {
            let options = options(path);
            let mut connection = to_write(path).connect().await?;
            for statement in schema!(" WITHOUT ROWID") {
                sqlx::query(statement).execute(&mut connection).await?;
            }
            let readers = SqlitePoolOptions::new().max_connections(4).connect_with(options).await?;
            Ok((Link::Sqlite(connection), Readers::Sqlite(readers)))
        }
        Database::Postgres(url) => {
            let mut connection = connect(url).await?;
            let mut transaction = connection.begin().await?;
            // Servers that start at once would make the same table twice.
            sqlx::query("SELECT pg_advisory_xact_lock(7366)").execute(&mut *transaction).await?;
            for statement in schema!("") {
                sqlx::query(statement).execute(&mut *transaction).await?;
            }
            transaction.commit().await?;
            let readers = PgPoolOptions::new().max_connections(8).acquire_timeout(PATIENCE);
            let readers = readers.connect_with(address(url)?).await?;
            Ok((Link::Postgres(connection), Readers::Postgres(readers)))
        }
    }
}

/// Connects again with a database that was lost.
pub(super) async fn reopen(database: &Database) -> Result<Link, sqlx::Error> {
    match database {
        Database::File(path) => Ok(Link::Sqlite(to_write(path).connect().await?)),
        Database::Postgres(url) => Ok(Link::Postgres(connect(url).await?)),
    }
}

/// What the connection that writes has beside that. Each match that is played has pages of its own, which
/// change with each move: as many as are played at once stay in memory (in KiB), and a page goes
/// to the file itself once for several moves (in pages).
fn to_write(path: &Path) -> SqliteConnectOptions {
    options(path).pragma("cache_size", "-16384").pragma("wal_autocheckpoint", "8192")
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(PATIENCE)
}

fn address(url: &str) -> Result<PgConnectOptions, sqlx::Error> {
    // Statements that are sent again and again are not worth a note each.
    Ok(PgConnectOptions::from_str(url)?.application_name("senet").disable_statement_logging())
}

async fn connect(url: &str) -> Result<PgConnection, sqlx::Error> {
    let options = address(url)?;
    let connected = tokio::time::timeout(PATIENCE, async {
        loop {
            match options.connect().await {
                Err(error) if is_starting(&error) => tokio::time::sleep(PAUSE).await,
                done => return done,
            }
        }
    });
    connected.await.map_err(|_| sqlx::Error::PoolTimedOut)?
}

/// Whether the database is there and takes no connections yet.
fn is_starting(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.code().as_deref() == Some("57P03"))
}
