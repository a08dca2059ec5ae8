//! Game trees as tables: made, written to files, and asked of a cluster.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::Setting;
use super::contest::{Contest, Standing, Work, repeat};
use super::finding::Findings;
use super::peer::{Shared, ask, ask_known, verified};
use super::sample::Samples;
use crate::pipe::Pipe;
use crate::python;

/// The columns that need no text, and of which all is known before the move is made.
const CHEAP: &str = "node,parent,ply,move_index,player,rule,piece,from,to,becomes,probability,\
    path_probability";

/// Those, and what is read off the position after each move.
const MADE: &str = "node,parent,ply,move_index,player,rule,piece,from,to,becomes,captured,\
    flags_set,flags_cleared,position,probability,path_probability";

/// The leaves and the rows of the tree of chess that is made again and again.
const DEPTH: u32 = 5;
const LEAVES: u64 = 4_865_609;
const ROWS: u64 = 20 + 400 + 8902 + 197_281 + LEAVES;

/// The rows of the large tree, which is one ply deeper.
const MANY_ROWS: u64 = ROWS + 119_060_324;

/// Rows each second: only counted, with columns, with two threads, as a file.
pub(super) fn rows(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    match start(setting.root) {
        Ok(program) => measure(setting, &program, &mut findings),
        Err(problem) => findings.leave_out("timeline", &problem),
    }
    findings
}

fn measure(setting: &Setting<'_>, program: &Shared, findings: &mut Findings) {
    let known = |question: String, count: u64| {
        move |times: u64| repeat(times, || ask_known(program, &question, count))
    };
    let walk =
        |threads: u32, columns: &str| known(format!("rows {threads} {DEPTH} {columns}"), ROWS);
    let made = known(format!("made {DEPTH}"), LEAVES);
    let contest = Contest::new(walk(1, "-")).against("chess/made", made);
    findings.contest("timeline/count", &contest.hold(setting.rounds));
    let contest = Contest::new(walk(2, MADE)).against("one thread", walk(1, MADE));
    let standings = contest.hold(setting.rounds);
    findings.contest("timeline/threads", &standings);
    let mut speed = |name: &str, standing: Option<&Standing>| match standing {
        Some(Standing { rates, problem: None, .. }) => {
            findings.figure(name, "M rows/s", &rates.map(|rate| rate / 1e6));
        }
        _ => findings.leave_out(name, "no round went well"),
    };
    speed("timeline/columns", Contest::new(walk(1, CHEAP)).hold(setting.rounds).first());
    speed("timeline/columns-made", standings.last());
    match files(setting, program) {
        Ok(found) => findings.add(found),
        Err(problem) => findings.leave_out("timeline/parquet", &problem),
    }
}

/// Parquet files: a small one again and again, then a large one in bounded memory.
fn files(setting: &Setting<'_>, program: &Shared) -> Result<Findings, String> {
    let path = python::target()?.join("bench-timeline.parquet");
    let write = |depth: u32, expected: u64| {
        let question = format!("parquet 2 {depth} {MADE} {}", path.display());
        let Work { units, seconds } = ask_known(program, &question, expected)?;
        let bytes = fs::metadata(&path).map_err(|error| error.to_string())?.len();
        Ok::<_, String>((units / seconds / 1e6, bytes as f64 / units))
    };
    let (mut speed, mut size) = (Samples::default(), Samples::default());
    for round in 0..=setting.rounds {
        let (rate, bytes) = write(DEPTH, ROWS)?;
        if round > 0 {
            speed.push(rate);
            size.push(bytes);
        }
    }
    let mut findings = Findings::default();
    findings.figure("timeline/parquet", "M rows/s", &speed);
    findings.figure("timeline/parquet-size", "B/row", &size);
    let (rate, _) = write(DEPTH + 1, MANY_ROWS)?;
    findings.fact("timeline/124-million-rows", "M rows/s", rate);
    let (peak, _) = ask(program, "peak")?;
    findings.fact("timeline/memory", "MiB", peak as f64 / 1024.0);
    fs::remove_file(&path).map_err(|error| error.to_string())?;
    Ok(findings)
}

/// Builds the program that makes timelines, and starts it.
fn start(root: &Path) -> Result<Shared, String> {
    let target = python::target()?;
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["build", "--quiet", "--release", "--package", "senet-timeline"]);
    command.args(["--features", "parquet", "--example", "speed", "--manifest-path"]);
    command.arg(root.join("Cargo.toml")).arg("--target-dir").arg(&target);
    python::run(&mut command)?;
    let program = target.join("release/examples").join(format!("speed{}", env::consts::EXE_SUFFIX));
    let pipe = Pipe::start("the maker of timelines", &mut Command::new(program))?;
    Ok(Rc::new(RefCell::new(pipe)))
}

/// A question that two executors answer, and this machine alone. Both are the build in which the
/// tests run, so that nobody builds DataFusion for this.
pub(super) fn cluster(setting: &Setting<'_>) -> Findings {
    let mut findings = Findings::default();
    match Cluster::start().and_then(|cluster| cluster.measure(setting.rounds.min(5))) {
        Ok((here, there)) => {
            findings.figure("timeline/alone", "s", &here);
            findings.figure("timeline/cluster", "s", &there);
            findings.ratio("timeline/cluster-overhead", "alone", &there.over(&here));
        }
        Err(problem) => findings.leave_out("timeline/cluster", &problem),
    }
    findings
}

/// Processes that end with it.
struct Cluster {
    processes: Vec<Child>,
    folder: PathBuf,
    senet: PathBuf,
    url: String,
}

impl Cluster {
    fn start() -> Result<Cluster, String> {
        let target = python::target()?;
        let program = |name: &str| {
            let path = target.join("debug").join(format!("{name}{}", env::consts::EXE_SUFFIX));
            let hint = "cargo test --workspace --features senet-cli/cluster --no-run makes it";
            if path.exists() { Ok(path) } else { Err(format!("{name} is not built; {hint}")) }
        };
        let (scheduler, executor) = (program("senet-scheduler")?, program("senet-executor")?);
        let address = free()?;
        let mut cluster = Cluster {
            processes: Vec::new(),
            folder: target.join("bench-cluster"),
            senet: program("senet")?,
            url: format!("df://{address}"),
        };
        cluster.spawn(Command::new(scheduler).arg(format!("--listen={address}")), address)?;
        for number in 0..2 {
            let listen = free()?;
            let folder = cluster.folder.join(number.to_string());
            fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
            let mut command = Command::new(&executor);
            command.args([format!("--scheduler={address}"), format!("--listen={listen}")]);
            cluster.spawn(command.args(["--cores=1", "--folder"]).arg(folder), listen)?;
        }
        Ok(cluster)
    }

    fn spawn(&mut self, command: &mut Command, address: SocketAddr) -> Result<(), String> {
        let quiet = Stdio::null;
        let child = command.stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
        self.processes.push(child.map_err(|error| error.to_string())?);
        let begin = Instant::now();
        while TcpStream::connect(address).is_err() {
            if begin.elapsed() > Duration::from_secs(60) {
                return Err(format!("nobody listens at {address}"));
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// The seconds that the question takes here and there, for each round.
    fn measure(&self, rounds: u64) -> Result<(Samples, Samples), String> {
        let (mut here, mut there) = (Samples::default(), Samples::default());
        for round in 0..=rounds {
            let (alone, answer) = self.ask(&["--threads", "2"])?;
            let (many, other) = self.ask(&["--cluster", &self.url])?;
            if answer != other {
                return Err(format!("the cluster answers {other:?}, this machine {answer:?}"));
            }
            if round > 0 {
                here.push(alone);
                there.push(many);
            }
        }
        Ok((here, there))
    }

    /// The seconds that the question takes, and the answer.
    fn ask(&self, options: &[&str]) -> Result<(f64, String), String> {
        let question =
            format!("select count(*), count(captured) from timeline('chess', '', {DEPTH})");
        let begin = Instant::now();
        let output =
            Command::new(&self.senet).args(["sql", "--csv", &question]).args(options).output();
        let seconds = begin.elapsed().as_secs_f64();
        let output = output.map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let count = said.lines().nth(1).and_then(|line| line.split(',').next()?.parse().ok());
        let wrong = || String::from_utf8_lossy(&output.stderr).into_owned();
        verified(count.ok_or_else(wrong)?, ROWS)?;
        Ok((seconds, said))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill();
            let _ = process.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// An address at which nobody listens.
fn free() -> Result<SocketAddr, String> {
    let listener = TcpListener::bind("127.0.0.1:0");
    listener.and_then(|listener| listener.local_addr()).map_err(|error| error.to_string())
}
