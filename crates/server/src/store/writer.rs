//! The one task that writes to the database: what waits is written in one transaction.

use serde_json::json;
use sqlx::postgres::PgListener;
use sqlx::{Connection, Error};
use tokio::sync::{mpsc, oneshot};

use crate::opening::Line;
use crate::problem::Problem;
use crate::record::{Entry, Header, Record};
use crate::store::link::{Link, PAUSE, on, reopen};
use crate::store::{Database, Definition, Finished, Notice, Status, Write, Written};

/// How many requests are written together at most.
const BATCH: usize = 256;

/// When the time of a match is up that has no clock.
pub(super) const NEVER: i64 = i64::MAX;

/// How many drafts are kept at most.
const MOST_DRAFTS: i64 = 2_000;

/// Where servers of a shared database tell each other which matches have changed.
pub(super) const CHANNEL: &str = "senet";

/// Something to write, and who waits for it.
pub(super) struct Job {
    pub(super) write: Write,
    pub(super) done: oneshot::Sender<Result<Written, Problem>>,
}

/// Writes what comes, as much at once as waits.
pub(super) async fn write_all(
    mut link: Link,
    database: Database,
    server: String,
    mut jobs: mpsc::Receiver<Job>,
) {
    let mut batch = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut batch, BATCH).await > 0 {
        match commit(&mut link, &server, &batch).await {
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
                if on!(&mut link, one => one.ping().await.is_err()) {
                    match reopen(&database).await {
                        Ok(again) => link = again,
                        Err(_) => tokio::time::sleep(PAUSE).await,
                    }
                }
            }
        }
    }
    let _ = on!(link, one => one.close().await);
}

/// Writes a batch in one transaction; all of it is on the disk afterwards, or nothing.
async fn commit(link: &mut Link, server: &str, batch: &[Job]) -> Result<Vec<Written>, Error> {
    match attempt(link, server, batch, Appending::Together).await {
        // Another server was quicker with a record: find out with which.
        Err(Error::Database(error)) if error.is_unique_violation() => {
            attempt(link, server, batch, Appending::OneByOne).await
        }
        done => done,
    }
}

/// How records are appended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Appending {
    /// All in one statement, which fails where another server has written one of them.
    Together,
    /// Each by itself, so that it is known which was written by another server.
    OneByOne,
}

async fn attempt(
    link: &mut Link,
    server: &str,
    batch: &[Job],
    appending: Appending,
) -> Result<Vec<Written>, Error> {
    if appending == Appending::Together && is_one_statement(link, batch) {
        return execute(link, server, batch, appending).await;
    }
    let begin = match link {
        Link::Sqlite(_) => "BEGIN IMMEDIATE",
        Link::Postgres(_) => "BEGIN",
    };
    run(link, begin).await?;
    match execute(link, server, batch, appending).await {
        Ok(written) => run(link, "COMMIT").await.map(|()| written),
        Err(error) => {
            // What went wrong matters more than whether it can be undone: the link is tried next.
            let _ = run(link, "ROLLBACK").await;
            Err(error)
        }
    }
}

/// Whether a batch is written by one statement, which is a transaction by itself: moves usually are,
/// and each further statement would be one more exchange with the thread of the database.
fn is_one_statement(link: &Link, batch: &[Job]) -> bool {
    let appends =
        |job: &Job| matches!(job.write, Write::Append { status: None, returns: false, .. });
    matches!(link, Link::Sqlite(_)) && batch.iter().all(appends)
}

async fn run(link: &mut Link, statement: &'static str) -> Result<(), Error> {
    on!(link, one => sqlx::query(statement).execute(one).await.map(|_| ()))
}

async fn execute(
    link: &mut Link,
    server: &str,
    batch: &[Job],
    appending: Appending,
) -> Result<Vec<Written>, Error> {
    let mut written = Vec::with_capacity(batch.len());
    let mut rows = Vec::new();
    let mut changed = Vec::new();
    for job in batch {
        let done = match &job.write {
            Write::Draft(definition, at) => {
                keep_draft(link, definition, *at).await?;
                Written::Durable
            }
            Write::Definition(definition) => {
                define(link, definition).await?;
                Written::Durable
            }
            Write::Create(header, status, records) => {
                let done = create(link, header, *status).await?;
                if done == Written::Durable {
                    rows.extend(records.iter().map(|record| row(&header.id, record)));
                }
                done
            }
            Write::Append { id, records, status, returns, finished } => {
                let done = match appending {
                    Appending::Together => {
                        rows.extend(records.iter().map(|record| row(id, record)));
                        Written::Durable
                    }
                    Appending::OneByOne => append(link, id, records).await?,
                };
                if let Some(status) = status.filter(|_| done == Written::Durable) {
                    set_status(link, id, status).await?;
                }
                if let Some(finished) = finished.as_ref().filter(|_| done == Written::Durable) {
                    finish(link, id, finished).await?;
                }
                // Another server may have put the match away.
                if *returns || matches!(link, Link::Postgres(_)) {
                    come_back(link, id).await?;
                }
                changed.push(format!("{server} {id}"));
                done
            }
            Write::Away { id, number, due } => put_away(link, id, *number, *due).await?,
            Write::Resume { stopped, now } => resume(link, *stopped, *now).await?,
            Write::Forget(before) => {
                forget(link, *before).await?;
                Written::Durable
            }
            Write::Opening(line) => {
                count(link, line).await?;
                Written::Durable
            }
            Write::Pulse(at) => {
                beat(link, *at).await?;
                Written::Durable
            }
        };
        written.push(done);
    }
    if !rows.is_empty() {
        append_all(link, &rows).await?;
    }
    tell(link, changed).await?;
    Ok(written)
}

/// A record as the statement that appends them takes it: the match, number, time and entry.
type Row<'a> = (&'a str, u64, u64, String);

fn row<'a>(id: &'a str, record: &Record) -> Row<'a> {
    let entry = serde_json::to_string(&record.entry).unwrap_or_default();
    (id, record.number, record.at, entry)
}

/// Appends records in one statement.
async fn append_all(link: &mut Link, rows: &[Row<'_>]) -> Result<(), Error> {
    let rows = serde_json::to_string(rows).unwrap_or_default();
    match link {
        Link::Sqlite(one) => {
            // Where a record is there already the whole transaction is undone, so that the database
            // need not remember what the pages were before the statement.
            let text = "INSERT OR ROLLBACK INTO log
                SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($1)";
            sqlx::query(text).bind(rows).execute(one).await?;
        }
        Link::Postgres(one) => {
            let text = "INSERT INTO log SELECT value ->> 0, (value ->> 1)::bigint,
                (value ->> 2)::bigint, value ->> 3 FROM json_array_elements($1::json)";
            sqlx::query(text).bind(rows).execute(one).await?;
        }
    }
    Ok(())
}

/// Appends the records of one match, unless another server was quicker.
async fn append(link: &mut Link, id: &str, records: &[Record]) -> Result<Written, Error> {
    for record in records {
        let entry = serde_json::to_string(&record.entry).unwrap_or_default();
        let text = "INSERT INTO log VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
        let (number, at) = (record.number as i64, record.at as i64);
        let rows = on!(link, one => {
            let insert = sqlx::query(text).bind(id).bind(number).bind(at).bind(entry);
            insert.execute(one).await?.rows_affected()
        });
        // Numbers follow one another, so only the first can be another's.
        if rows == 0 {
            return Ok(Written::Conflict);
        }
    }
    Ok(Written::Durable)
}

async fn define(link: &mut Link, definition: &Definition) -> Result<(), Error> {
    let text = "INSERT INTO definition VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    let Definition { hash, name, source } = definition;
    on!(link, one => sqlx::query(text).bind(hash).bind(name).bind(&**source).execute(one).await.map(|_| ()))
}

async fn create(link: &mut Link, header: &Header, status: Status) -> Result<Written, Error> {
    let told = serde_json::to_string(header).unwrap_or_default();
    let text = "INSERT INTO match VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
    let rows = on!(link, one => {
        sqlx::query(text)
            .bind(&header.id)
            .bind(&header.game)
            .bind(&header.definition)
            .bind(header.created as i64)
            .bind(told)
            .bind(status.name())
            .bind(i64::from(header.public))
            .execute(one)
            .await?
            .rows_affected()
    });
    Ok(if rows == 0 { Written::Conflict } else { Written::Durable })
}

async fn finish(link: &mut Link, id: &str, finished: &Finished) -> Result<(), Error> {
    let text = "INSERT INTO finished VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let Finished { definition, at, summary } = finished;
    on!(link, one => {
        let insert = sqlx::query(text).bind(id).bind(definition).bind(*at as i64).bind(summary);
        insert.execute(one).await.map(|_| ())
    })
}

/// Nobody needs a match in memory before its time is up.
async fn put_away(
    link: &mut Link,
    id: &str,
    number: u64,
    due: Option<u64>,
) -> Result<Written, Error> {
    let due = due.and_then(|due| i64::try_from(due).ok()).unwrap_or(NEVER);
    let text = "INSERT INTO away SELECT $1, $2
        WHERE (SELECT count(*) FROM log WHERE match = $1) = $3
        ON CONFLICT (match) DO UPDATE SET due = $2";
    let rows = on!(link, one => {
        let insert = sqlx::query(text).bind(id).bind(due).bind(number as i64);
        insert.execute(one).await?.rows_affected()
    });
    Ok(if rows == 0 { Written::Conflict } else { Written::Durable })
}

async fn come_back(link: &mut Link, id: &str) -> Result<(), Error> {
    let text = "DELETE FROM away WHERE match = $1";
    on!(link, one => sqlx::query(text).bind(id).execute(one).await.map(|_| ()))
}

/// Notes for all matches that are put away that no server ran for a while, unless another server
/// has done so.
async fn resume(link: &mut Link, stopped: u64, now: u64) -> Result<Written, Error> {
    let texts = [
        "UPDATE pulse SET at = $2 WHERE id = 1 AND at = $1",
        "INSERT INTO log SELECT match,
            (SELECT max(number) + 1 FROM log WHERE log.match = away.match), $1, $2
            FROM away WHERE due < $3",
        "UPDATE away SET due = due + $2 - $1 WHERE due < $3",
    ];
    let entry = serde_json::to_string(&Entry::Resume { stopped }).unwrap_or_default();
    let (stopped, now) = (stopped as i64, now as i64);
    on!(link, one => {
        let beat = sqlx::query(texts[0]).bind(stopped).bind(now).execute(&mut *one).await?;
        if beat.rows_affected() == 0 {
            return Ok(Written::Conflict);
        }
        sqlx::query(texts[1]).bind(now).bind(entry).bind(NEVER).execute(&mut *one).await?;
        sqlx::query(texts[2]).bind(stopped).bind(now).bind(NEVER).execute(&mut *one).await?;
    });
    Ok(Written::Durable)
}

async fn keep_draft(link: &mut Link, definition: &Definition, at: u64) -> Result<(), Error> {
    let text = "INSERT INTO draft VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO UPDATE SET at = $4";
    let Definition { hash, name, source } = definition;
    on!(link, one => {
        let insert = sqlx::query(text).bind(hash).bind(name).bind(&**source).bind(at as i64);
        insert.execute(one).await.map(|_| ())
    })
}

/// Forgets old drafts, and all but the newest.
async fn forget(link: &mut Link, before: u64) -> Result<(), Error> {
    let text = "DELETE FROM draft WHERE at < $1
        OR at < (SELECT at FROM draft ORDER BY at DESC LIMIT 1 OFFSET $2)";
    on!(link, one => {
        sqlx::query(text).bind(before as i64).bind(MOST_DRAFTS).execute(one).await.map(|_| ())
    })
}

async fn set_status(link: &mut Link, id: &str, status: Status) -> Result<(), Error> {
    let text = "UPDATE match SET status = $2 WHERE id = $1";
    on!(link, one => sqlx::query(text).bind(id).bind(status.name()).execute(one).await.map(|_| ()))
}

/// Counts what was played in a match that is over.
async fn count(link: &mut Link, line: &Line) -> Result<(), Error> {
    let winner = line.winner.map_or(-1, |winner| winner as i64);
    let moves = json!(line.moves).to_string();
    let definition = &line.definition;
    match link {
        Link::Sqlite(one) => {
            let text = "INSERT INTO opening SELECT $1, value ->> 0, value ->> 1, $2, 1
                FROM json_each($3) WHERE true ON CONFLICT (definition, hash, event, winner)
                DO UPDATE SET count = opening.count + 1";
            sqlx::query(text).bind(definition).bind(winner).bind(moves).execute(one).await?;
        }
        Link::Postgres(one) => {
            // In the order of the key, so that two servers never wait for each other.
            let text = "INSERT INTO opening SELECT $1, value ->> 0, value ->> 1, $2, 1
                FROM json_array_elements($3::json) ORDER BY 2, 3
                ON CONFLICT (definition, hash, event, winner)
                DO UPDATE SET count = opening.count + 1";
            sqlx::query(text).bind(definition).bind(winner).bind(moves).execute(one).await?;
        }
    }
    Ok(())
}

async fn beat(link: &mut Link, at: u64) -> Result<(), Error> {
    let text = "INSERT INTO pulse VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = $1";
    on!(link, one => sqlx::query(text).bind(at as i64).execute(one).await.map(|_| ()))
}

/// Tells other servers which matches have changed; they hear it when the transaction is on the disk.
async fn tell(link: &mut Link, changed: Vec<String>) -> Result<(), Error> {
    let Link::Postgres(one) = link else { return Ok(()) };
    if changed.is_empty() {
        return Ok(());
    }
    let text = "SELECT pg_notify($1, value) FROM json_array_elements_text($2::json)";
    sqlx::query(text).bind(CHANNEL).bind(json!(changed).to_string()).execute(one).await?;
    Ok(())
}

/// The next notice of another server; none where nothing more can come.
pub(super) async fn notice(listener: &mut PgListener, server: &str) -> Option<Notice> {
    loop {
        match listener.try_recv().await {
            Ok(Some(told)) => match told.payload().split_once(' ') {
                Some((by, _)) if by == server => {}
                Some((_, id)) => return Some(Notice::Changed(id.to_owned())),
                None => {}
            },
            // The connection was lost and is there again.
            Ok(None) => return Some(Notice::Missed),
            Err(Error::PoolClosed) => return None,
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}
