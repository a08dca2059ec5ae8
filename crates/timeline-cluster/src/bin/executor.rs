//! An executor of a cluster.

use std::net::SocketAddr;

use clap::Parser;
use senet_timeline_cluster::Executor;

/// Executes tasks of a scheduler.
#[derive(Parser)]
#[command(name = "senet-executor", version)]
struct Args {
    /// The scheduler to serve.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: String,
    /// The address at which others fetch results.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50051")]
    listen: SocketAddr,
    /// The name by which others reach it there; the address itself when left out.
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// How many tasks run at once; as many as the machine has cores when left out.
    #[arg(long, value_name = "N")]
    cores: Option<usize>,
    /// Where results wait to be fetched; a temporary folder when left out.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    // What happens is told on standard error; RUST_LOG says how much of it.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("warn"));
    let (host, port) = args.scheduler.rsplit_once(':').ok_or("--scheduler is HOST:PORT")?;
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let executor = Executor {
        scheduler_host: host.to_owned(),
        scheduler_port: port.parse()?,
        address: args.listen,
        host: args.host,
        cores: args.cores.unwrap_or_else(all).max(1),
        folder: args.folder,
    };
    Ok(senet_timeline_cluster::execute(executor)?)
}
