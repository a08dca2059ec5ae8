//! The scheduler of a cluster.

use std::net::SocketAddr;

use clap::Parser;

/// Schedules questions to game trees on the executors that report to it.
#[derive(Parser)]
#[command(name = "senet-scheduler", version)]
struct Args {
    /// The address at which clients and executors are heard.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    // What happens is told on standard error; RUST_LOG says how much of it.
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("warn"));
    Ok(senet_timeline_cluster::schedule(args.listen)?)
}
