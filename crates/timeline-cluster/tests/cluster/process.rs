//! A scheduler and executors that end with the test.

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use senet_timeline_cluster::connect;
use senet_timeline_sql::{Extent, Form, Purpose, QueryError, Session, Shelf};

/// No question takes longer, even if an executor must first be missed.
const PATIENCE: Duration = Duration::from_secs(240);

/// A process that is ended when it is no longer needed.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A scheduler and its executors.
pub(crate) struct Cluster {
    executors: Mutex<Vec<Option<Process>>>,
    _scheduler: Process,
    url: String,
    folder: PathBuf,
}

/// An address at which nobody listens.
fn free() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.local_addr().expect("it has an address")
}

fn wait_for(address: SocketAddr) {
    let begin = Instant::now();
    while TcpStream::connect(address).is_err() {
        assert!(begin.elapsed() < Duration::from_secs(60), "nobody listens at {address}");
        sleep(Duration::from_millis(50));
    }
}

fn spawn(program: &str, arguments: &[String], log: &Path) -> Process {
    let log = fs::File::create(log).expect("it can be written");
    let child = Command::new(program)
        .args(arguments)
        .env("RUST_LOG", "info")
        .stdin(Stdio::null())
        .stdout(log.try_clone().expect("it can be shared"))
        .stderr(log)
        .spawn();
    Process(child.expect("the program is built"))
}

impl Cluster {
    /// A cluster of `executors` executors with one core each.
    pub(crate) fn new(name: &str, executors: usize) -> Cluster {
        Cluster::with(name, executors, env!("CARGO_BIN_EXE_senet-executor"), &[])
    }

    /// A cluster whose executors can write no file of more than some kilobytes, so that they fail
    /// to write more as on a disk that is full.
    #[cfg(unix)]
    pub(crate) fn starved(name: &str, executors: usize) -> Cluster {
        let limited = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
        let shell = ["-c", limited, env!("CARGO_BIN_EXE_senet-executor")];
        Cluster::with(name, executors, "sh", &shell)
    }

    /// A cluster whose executors are started by a command.
    fn with(name: &str, executors: usize, command: &str, first: &[&str]) -> Cluster {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cluster-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("it can be made");
        let address = free();
        let arguments = ["--listen".to_owned(), address.to_string()];
        let program = env!("CARGO_BIN_EXE_senet-scheduler");
        let scheduler = spawn(program, &arguments, &folder.join("scheduler.log"));
        wait_for(address);
        let executor = |number: usize| {
            let listen = free();
            let home = folder.join(format!("executor-{number}"));
            fs::create_dir_all(&home).expect("it can be made");
            let options = [
                format!("--scheduler={address}"),
                format!("--listen={listen}"),
                "--cores=1".to_owned(),
                format!("--folder={}", home.display()),
            ];
            let first = first.iter().map(|&one| one.to_owned());
            let arguments: Vec<String> = first.chain(options).collect();
            let log = folder.join(format!("executor-{number}.log"));
            let process = spawn(command, &arguments, &log);
            wait_for(listen);
            Some(process)
        };
        let executors = Mutex::new((0..executors).map(executor).collect());
        Cluster { executors, _scheduler: scheduler, url: format!("df://{address}"), folder }
    }

    /// The answer to a query in `partitions` partitions, as lines of values without the names.
    pub(crate) fn ask(&self, partitions: usize, question: &str) -> Result<Vec<String>, QueryError> {
        lines(&self.session(&Arc::new(Shelf::default()), partitions), question)
    }

    /// A session whose questions the cluster answers.
    pub(crate) fn session(&self, shelf: &Arc<Shelf>, partitions: usize) -> Session {
        let session = Session::with(2, connect(&self.url, shelf, partitions));
        session.expect("the scheduler is there")
    }

    /// A folder of its own for results.
    pub(crate) fn scratch(&self) -> PathBuf {
        let folder = self.folder.join("results");
        fs::create_dir_all(&folder).expect("it can be made");
        folder
    }

    /// Ends an executor without a word.
    pub(crate) fn kill(&self, executor: usize) {
        self.executors.lock().expect("nobody panicked")[executor] = None;
    }

    /// Whether an executor has written results of a stage.
    pub(crate) fn has_results(&self, executor: usize, stage: usize) -> bool {
        let home = self.folder.join(format!("executor-{executor}"));
        let jobs = fs::read_dir(home).into_iter().flatten().flatten();
        jobs.into_iter().any(|job| job.path().join(stage.to_string()).is_dir())
    }
}

fn lines(session: &Session, question: &str) -> Result<Vec<String>, QueryError> {
    let mut answer = String::new();
    let begin = Instant::now();
    let wanted = || begin.elapsed() < PATIENCE;
    let extent = session.ask(question, Purpose::Answer, Form::Csv, wanted, |text| {
        answer.push_str(text);
        Ok::<(), QueryError>(())
    })?;
    assert_eq!(extent, Extent::Whole, "it takes longer than {PATIENCE:?}");
    Ok(answer.lines().skip(1).map(str::to_owned).collect())
}

/// The answer of this process.
pub(crate) fn ask_here(question: &str) -> Vec<String> {
    let session = Session::new(&Arc::new(Shelf::default()), 2).expect("there are threads");
    lines(&session, question).expect("it can be answered")
}
