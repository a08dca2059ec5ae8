//! Matches of any game over HTTP and WebSocket, with the engine as referee: legal moves are
//! listed, refusals are explained, and nothing that was acknowledged is ever lost.
//!
//! [`start`] opens a database and serves it until [`Server::stop`].

pub mod asset;
pub mod catalog;
pub mod clock;
mod connection;
pub mod draw;
pub mod engine;
pub mod hall;
pub mod limit;
pub mod note;
pub mod offline;
pub mod opening;
pub mod problem;
pub mod proposal;
pub mod record;
pub mod route;
pub mod secret;
pub mod sight;
pub mod socket;
pub mod store;
pub mod table;
pub mod told;
mod upgrade;
pub mod view;
mod wire;

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use connection::Door;
use hall::Hall;
use limit::{Crowd, Limiter, Rate};
use route::App;
use store::{Database, Store};

/// How long connections may go on when the server stops.
const GRACE: Duration = Duration::from_secs(3);

/// How many threads compile, explain and search at most. Each keeps some memory, and more of them
/// than there are processors finish nothing sooner.
const THREADS: usize = 64;

/// How a server is to be run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// Where matches are kept.
    pub database: Database,
    /// Engines of others that players may choose as opponents.
    pub engines: Vec<engine::Engine>,
    /// How many requests an address may make; no bound where there is none.
    pub rate: Option<Rate>,
    /// How many matches an address may arrange; no bound where there is none.
    pub matches: Option<Rate>,
    /// How many connections an address may have at once; no bound where there is none. Behind a
    /// reverse proxy, those that follow a match.
    pub connections: Option<u32>,
    /// Whether a reverse proxy says in `X-Forwarded-For` where requests come from.
    pub trust_proxy: bool,
    /// Whether each request is noted on standard error.
    pub log: bool,
}

/// Why a server cannot start.
#[derive(Debug)]
pub enum StartError {
    /// The address cannot be listened on.
    Listen {
        /// The address.
        address: SocketAddr,
        /// What went wrong.
        error: std::io::Error,
    },
    /// The database cannot be opened.
    Database {
        /// The database.
        database: Database,
        /// What went wrong.
        error: String,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Listen { address, error } => {
                write!(f, "cannot listen on {address}: {error}")
            }
            StartError::Database { database, error } => {
                write!(f, "cannot open the database {database}: {error}")
            }
        }
    }
}

impl std::error::Error for StartError {}

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Server {
    /// Where it listens; with port 0 in the configuration, the system has chosen one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes no more requests, lets those that run come to an end, and returns.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        let mut task = self.task;
        // Sockets that follow a match would never end by themselves.
        if tokio::time::timeout(GRACE, &mut task).await.is_err() {
            task.abort();
        }
    }
}

/// Serves until the process is told to stop, by an interrupt or a request to terminate.
///
/// # Errors
/// Where the server cannot start.
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), StartError> {
    let address = config.address;
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.enable_all().max_blocking_threads(THREADS).build();
    let runtime = runtime.map_err(|error| StartError::Listen { address, error })?;
    let served = runtime.block_on(async {
        let server = start(config).await?;
        ready(server.address());
        asked_to_stop().await;
        server.stop().await;
        Ok(())
    });
    // What an engine thinks or a file becomes matters to nobody any more.
    runtime.shutdown_timeout(GRACE);
    served
}

async fn asked_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Starts a server.
///
/// # Errors
/// Where its database cannot be opened, or its address cannot be listened on.
pub async fn start(config: Config) -> Result<Server, StartError> {
    let Config { address, database, engines, rate, matches, connections, trust_proxy, log } =
        config;
    let failed = |error: String| StartError::Database { database: database.clone(), error };
    let store = Store::open(&database).await.map_err(|error| failed(error.to_string()))?;
    let listener =
        TcpListener::bind(address).await.map_err(|error| StartError::Listen { address, error })?;
    let hall = Hall::open(store, engines).await.map_err(|problem| failed(problem.detail))?;
    let (limiter, arranging) = (Arc::new(Limiter::new(rate)), Arc::new(Limiter::new(matches)));
    let crowd = Crowd::new(connections);
    // All connections of a proxy come from one address.
    let door = (!trust_proxy).then(|| Door { limiter: limiter.clone(), crowd: crowd.clone() });
    let crowd = trust_proxy.then_some(crowd);
    let router = route::router(App { hall, limiter, arranging, crowd, trust_proxy, log });
    let address = listener.local_addr().map_err(|error| StartError::Listen { address, error })?;
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(connection::serve(listener, router, door, stopped));
    Ok(Server { address, stop, task })
}
