//! The questions of `senet-timeline-sql` on many machines, by Apache DataFusion Ballista.
//!
//! A scheduler divides a query into stages, executors run their tasks, and a client asks through
//! [`connect`] as it would ask a session in process. Game trees travel as what they are, not as
//! rows: each executor walks its own subtrees.

mod codec;

use std::net::SocketAddr;
use std::sync::Arc;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::error::Result;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use senet_timeline_sql::{Shelf, functions, register};
use tokio::runtime::Builder;

use codec::{LogicalCodec, PhysicalCodec};

/// An executor that has been silent for this many seconds counts as dead.
const SILENCE: u64 = 30;

/// The interval, in seconds, at which the scheduler looks for dead executors.
const LOOK: u64 = 5;

/// Executors ask for work. Where the scheduler hands it out, it keeps count of who is free, and
/// loses count when an executor dies.
const POLICY: TaskSchedulingPolicy = TaskSchedulingPolicy::PullStaged;

/// Plans are trees, and reading deep ones takes stack.
const STACK: usize = 32 << 20;

/// Results that nobody has fetched are kept for a day, and looked for every hour.
const KEPT: u64 = 24 * 60 * 60;
const TIDIED: u64 = 60 * 60;

/// A session whose queries a cluster answers, in `partitions` partitions. The address is that of its
/// scheduler, such as `df://localhost:50050`.
pub async fn connect(url: &str, shelf: &Arc<Shelf>, partitions: usize) -> Result<SessionContext> {
    let state = state(config(shelf, partitions), shelf);
    let context = SessionContext::remote_with_state(url, state).await?.enable_url_table();
    // Becoming remote, a session forgets its functions.
    register(&context, shelf);
    Ok(context)
}

/// How questions are answered on a cluster.
fn config(shelf: &Arc<Shelf>, partitions: usize) -> SessionConfig {
    // Planning again between stages waits for ever for an executor that died.
    senet_timeline_sql::config(partitions)
        .upgrade_for_ballista()
        .with_target_partitions(partitions)
        .with_ballista_adaptive_query_planner(false)
        .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::new(shelf)))
        .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::new(shelf)))
}

/// A state in which the functions over game states are known.
fn state(config: SessionConfig, shelf: &Arc<Shelf>) -> SessionState {
    let mut state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    for function in functions(shelf) {
        let _ = datafusion::execution::registry::FunctionRegistry::register_udf(
            &mut state,
            Arc::new(function),
        );
    }
    state
}

/// Schedules until the process is told to end.
pub fn schedule(address: SocketAddr) -> Result<(), BallistaError> {
    let shelf = Arc::new(Shelf::default());
    let (for_config, for_state) = (shelf.clone(), shelf.clone());
    let config = SchedulerConfig {
        external_host: address.ip().to_string(),
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        executor_timeout_seconds: SILENCE,
        expire_dead_executor_interval_seconds: LOOK,
        scheduling_policy: POLICY,
        override_config_producer: Some(Arc::new(move || config(&for_config, 16))),
        override_session_builder: Some(Arc::new(move |config| Ok(state(config, &for_state)))),
        override_logical_codec: Some(Arc::new(LogicalCodec::new(&shelf))),
        override_physical_codec: Some(Arc::new(PhysicalCodec::new(&shelf))),
        ..SchedulerConfig::default()
    };
    run(async {
        let cluster = BallistaCluster::new_from_config(&config).await?;
        start_server(cluster, address, Arc::new(config)).await
    })
}

/// Runs a service in threads of its own.
fn run(service: impl Future<Output = Result<(), BallistaError>>) -> Result<(), BallistaError> {
    let runtime = Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build();
    runtime.map_err(BallistaError::IoError)?.block_on(service)
}

/// Where an executor listens, whom it serves and what it may use.
#[derive(Clone, Debug)]
pub struct Executor {
    /// The host of the scheduler.
    pub scheduler_host: String,
    /// The port of the scheduler.
    pub scheduler_port: u16,
    /// The address at which others fetch results.
    pub address: SocketAddr,
    /// The name by which others reach it there; that of the address when left out.
    pub host: Option<String>,
    /// How many tasks run at once.
    pub cores: usize,
    /// Where results wait; a temporary folder when left out.
    pub folder: Option<String>,
}

/// Executes until the process is told to end.
pub fn execute(executor: Executor) -> Result<(), BallistaError> {
    let shelf = Arc::new(Shelf::default());
    let for_config = shelf.clone();
    let known = state(config(&shelf, executor.cores), &shelf);
    let config = ExecutorProcessConfig {
        bind_host: executor.address.ip().to_string(),
        external_host: Some(executor.host.unwrap_or(executor.address.ip().to_string())),
        port: executor.address.port(),
        scheduler_host: executor.scheduler_host,
        scheduler_port: executor.scheduler_port,
        scheduler_connect_timeout_seconds: 30,
        vcores: executor.cores,
        work_dir: executor.folder,
        task_scheduling_policy: POLICY,
        job_data_ttl_seconds: KEPT,
        job_data_clean_up_interval_seconds: TIDIED,
        override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&known))),
        override_config_producer: Some(Arc::new(move || config(&for_config, 16))),
        override_logical_codec: Some(Arc::new(LogicalCodec::new(&shelf))),
        override_physical_codec: Some(Arc::new(PhysicalCodec::new(&shelf))),
        ..ExecutorProcessConfig::default()
    };
    run(start_executor_process(Arc::new(config)))
}
