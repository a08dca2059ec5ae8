//! `senet serve`: matches of any game for browsers and programs.

use std::net::SocketAddr;

use senet_server::Config;
use senet_server::engine::Engine;
use senet_server::limit::Rate;
use senet_server::store::Database;
use serde_json::{Value, json};

use crate::failure::{Code, Failure};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  senet serve                                     open http://127.0.0.1:7777
  senet serve --listen 0.0.0.0:80 --database /var/lib/senet/senet.db
  senet serve --listen 127.0.0.1:7777 --trust-proxy    behind a reverse proxy that does TLS

Matches are kept in an SQLite database, or in a PostgreSQL database that several servers share. A move
is acknowledged when it is on the disk, and a server that starts again goes on with every match.";

/// Serves matches of any game: pages with a board, HTTP, WebSocket and lines of JSON.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to listen; port 0 lets the system choose one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7777")]
    listen: SocketAddr,
    /// Where matches are kept: a file of SQLite, or an address such as postgres://host/name;
    /// DATABASE_URL where it is set, or else senet.db.
    #[arg(long, value_name = "FILE")]
    database: Option<String>,
    /// How many requests an address may make in a second; 0 for no bound.
    #[arg(long, value_name = "N", default_value_t = 50)]
    rate: u32,
    /// How many matches an address may arrange in an hour; 0 for no bound.
    #[arg(long, value_name = "N", default_value_t = 120)]
    matches: u32,
    /// How many connections an address may have at once; 0 for no bound.
    #[arg(long, value_name = "N", default_value_t = 256)]
    connections: u32,
    /// A chess engine that speaks UCI and may be chosen as an opponent, such as
    /// stockfish=/usr/games/stockfish; may be given several times.
    #[arg(long, value_name = "NAME=PROGRAM", value_parser = engine)]
    engine: Vec<Engine>,
    /// Believe what a reverse proxy says in X-Forwarded-For about where requests come from.
    #[arg(long)]
    trust_proxy: bool,
    /// Write a line for each request on standard error.
    #[arg(long)]
    log: bool,
}

fn engine(text: &str) -> Result<Engine, String> {
    let (name, program) = text.split_once('=').ok_or("write NAME=PROGRAM")?;
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if name.is_empty() || !name.chars().all(plain) {
        return Err(format!("`{name}` is no name: use letters, digits and `-`"));
    }
    Ok(Engine { name: name.to_owned(), program: program.into() })
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    let named = args.database.clone().or_else(|| std::env::var("DATABASE_URL").ok());
    let config = Config {
        address: args.listen,
        database: Database::new(named.as_deref().unwrap_or("senet.db")),
        engines: args.engine.clone(),
        rate: (args.rate > 0).then(|| Rate::per_second(args.rate)),
        matches: (args.matches > 0).then(|| Rate::per_hour(args.matches)),
        connections: (args.connections > 0).then_some(args.connections),
        trust_proxy: args.trust_proxy,
        log: args.log,
    };
    let mut told = Ok(());
    let served = senet_server::run(config, |address| {
        let shown = match output.is_json() {
            true => output.json(&json!({ "address": address.to_string() })),
            false => output.line(format!("serving http://{address}; stop with Ctrl-C")),
        };
        told = shown.and_then(|()| output.flush());
    });
    served.map_err(|error| Failure::new(Code::Io, error.to_string(), Value::Null))?;
    Ok(told?)
}
