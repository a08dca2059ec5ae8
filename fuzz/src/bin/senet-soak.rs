//! `cargo xtask soak`: random requests to `senet rpc`, sessions of `senet uci` and garbage typed at
//! `senet play`, each answered in time, within bounds of memory, and without a panic.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use clap::Parser;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use senet_chance::Source;
use senet_fuzz::{Hunt, find, is_answer, is_quick_request};

/// How long an answer or an exit may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many bytes of memory a service may have after any number of requests.
const MEMORY: u64 = 512 << 20;

/// How many requests are sent before the first of them must be answered.
const OPEN: usize = 64;

/// The first argument by which this program is the command itself.
const COMMAND: &str = "command";

/// Feeds the command random requests, sessions and keys.
#[derive(Parser)]
#[command(bin_name = "cargo xtask soak")]
struct Args {
    /// How many requests `senet rpc` is sent.
    #[arg(long, default_value_t = 20_000, value_name = "N")]
    requests: u64,
    /// How many sessions of `senet uci` there are.
    #[arg(long, default_value_t = 100, value_name = "N")]
    sessions: u64,
    /// How many times `senet play` is typed at.
    #[arg(long, default_value_t = 20, value_name = "N")]
    screens: u64,
    /// What everything grows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Something to soak.
struct Run {
    count: u64,
    /// How many workers share the count.
    workers: u64,
    /// Does a number of them from a seed.
    work: fn(u64, u64) -> Outcome<Cost>,
}

impl Run {
    /// Does all of it; each worker has a seed of its own.
    fn all(&self, seed: u64) -> Outcome<Cost> {
        let workers = self.workers.clamp(1, self.count.max(1));
        thread::scope(|scope| {
            let work = |worker: u64| {
                let share = self.count / workers + u64::from(worker < self.count % workers);
                let seed = seed.wrapping_mul(1_000).wrapping_add(worker);
                // Told at once: others may take long.
                (self.work)(share, seed).inspect_err(|error| eprintln!("seed {seed}: {error}"))
            };
            let started: Vec<_> =
                (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
            started.into_iter().try_fold(Cost::default(), |cost, worker| {
                let other = worker.join().map_err(|_| "a worker failed")??;
                let memory = cost.memory.max(other.memory);
                let slower = if other.time > cost.time { other } else { cost };
                Ok(Cost { memory, ..slower })
            })
        })
    }
}

/// What a run took at most.
#[derive(Clone, Debug, Default)]
struct Cost {
    /// The time of one answer, session or screen.
    time: Duration,
    /// The request that took that time.
    slowest: String,
    /// The memory of a process in bytes.
    memory: u64,
}

impl Cost {
    fn add(&mut self, begin: Instant, memory: Option<u64>) {
        self.time = self.time.max(begin.elapsed());
        self.memory = self.memory.max(memory.unwrap_or(0));
    }
}

fn main() -> ExitCode {
    if env::args().nth(1).as_deref() == Some(COMMAND) {
        let arguments = env::args_os().skip(2);
        return senet_cli::run(std::iter::once("senet".into()).chain(arguments).collect());
    }
    let args = Args::parse();
    let cores = thread::available_parallelism().map_or(1, usize::from) as u64;
    // Screens mostly wait for keys, so that many fit on a core.
    let runs = [
        ("requests to senet rpc", args.requests, cores, requests as fn(_, _) -> _),
        ("sessions of senet uci", args.sessions, 2 * cores, sessions),
        ("screens of senet play", args.screens, 4 * cores, screens),
    ];
    let mut sound = true;
    for (what, count, workers, work) in runs {
        let begin = Instant::now();
        match (Run { count, workers, work }).all(args.seed) {
            Ok(cost) => {
                println!(
                    "{count} {what}: {:.1} s, the slowest {:.3} s, at most {} MiB",
                    begin.elapsed().as_secs_f64(),
                    cost.time.as_secs_f64(),
                    cost.memory >> 20,
                );
                if !cost.slowest.is_empty() {
                    println!("the slowest: {}", cost.slowest);
                }
            }
            Err(error) => {
                println!("{what}: {error}");
                sound = false;
            }
        }
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn spawn(arguments: &[&str]) -> Outcome<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(COMMAND).args(arguments);
    Ok(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?)
}

/// Random requests to one service, each answered by a line of JSON.
fn requests(count: u64, seed: u64) -> Outcome<Cost> {
    let mut child = spawn(&["rpc"])?;
    let (mut input, output) = (child.stdin.take().ok_or("no input")?, child.stdout.take());
    let (answers, answered) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output?).lines().map_while(Result::ok) {
            answers.send(line).ok()?;
        }
        Some(())
    });
    let mut hunt = Hunt::new(find("rpc").ok_or("no target rpc")?, seed)?;
    let (mut done, mut cost, mut open) = (0, Cost::default(), VecDeque::new());
    // Answers come in the order of requests: one takes as long as it is the first that is awaited.
    let mut begin = Instant::now();
    while done < count {
        let case = String::from_utf8_lossy(&hunt.next_case()).into_owned();
        for line in case.lines().filter(|line| !line.trim().is_empty() && is_quick_request(line)) {
            begin = if open.is_empty() { Instant::now() } else { begin };
            writeln!(input, "{line}")?;
            open.push_back(line.to_owned());
        }
        while open.len() > OPEN {
            let Some(line) = open.pop_front() else { break };
            check_answer(&line, &answered)?;
            done += 1;
            if begin.elapsed() > cost.time {
                cost.slowest = line;
            }
            cost.add(begin, (done % 1_000 == 0).then(|| memory(child.id())).flatten());
            begin = Instant::now();
            if cost.memory > MEMORY {
                return Err(format!("more than {MEMORY} bytes after {done} requests").into());
            }
        }
    }
    drop(input);
    open.iter().try_for_each(|line| check_answer(line, &answered))?;
    finish(child, "rpc")?;
    Ok(cost)
}

/// Takes the answer to a request: a line of JSON with a result or an error.
fn check_answer(line: &str, answered: &mpsc::Receiver<String>) -> Outcome<()> {
    let answer = answered.recv_timeout(PATIENCE).map_err(|_| format!("no answer: {line}"))?;
    if is_answer(&answer) { Ok(()) } else { Err(format!("{line}: {answer}").into()) }
}

/// Sessions of the chess protocol, of commands and garbage.
fn sessions(count: u64, seed: u64) -> Outcome<Cost> {
    // A search without end is stopped by the end of input, one to a depth is awaited.
    const SEARCHES: [&str; 5] =
        ["go depth 2", "go nodes 500", "go movetime 10", "go perft 2", "go infinite\nstop"];
    let mut hunt = Hunt::new(find("uci").ok_or("no target uci")?, seed)?;
    let (mut source, mut cost) = (Source::seeded(seed), Cost::default());
    for _ in 0..count {
        let begin = Instant::now();
        let mut child = spawn(&["uci"])?;
        let mut input = child.stdin.take().ok_or("no input")?;
        for _ in 0..5 {
            let case = String::from_utf8_lossy(&hunt.next_case()).into_owned();
            for line in case.lines() {
                let searches = line.split_whitespace().any(|word| word == "go");
                let line =
                    if searches { *source.pick(&SEARCHES).as_ref().ok_or("none")? } else { line };
                // Who quits does not read the rest.
                if writeln!(input, "{line}").is_err() {
                    break;
                }
            }
        }
        let memory = memory(child.id());
        drop(input);
        finish(child, "uci")?;
        cost.add(begin, memory);
        if cost.memory > MEMORY {
            return Err(format!("more than {MEMORY} bytes in a session").into());
        }
    }
    Ok(cost)
}

/// Waits for the end of a process and looks for a panic in what it said.
fn finish(mut child: Child, what: &str) -> Outcome<()> {
    let mut pipes: Vec<Box<dyn Read + Send>> = Vec::new();
    pipes.extend(child.stdout.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    pipes.extend(child.stderr.take().map(|pipe| Box::new(pipe) as Box<dyn Read + Send>));
    let readers: Vec<_> = pipes
        .into_iter()
        .map(|mut pipe| {
            thread::spawn(move || {
                let mut said = Vec::new();
                let _ = pipe.read_to_end(&mut said);
                String::from_utf8_lossy(&said).into_owned()
            })
        })
        .collect();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begin.elapsed() > PATIENCE {
            child.kill()?;
            return Err(format!("{what} did not end in {PATIENCE:?}").into());
        }
        thread::sleep(Duration::from_millis(5));
    };
    let said: String = readers.into_iter().filter_map(|reader| reader.join().ok()).collect();
    if status.success() && !said.contains("panicked") {
        return Ok(());
    }
    Err(format!("{what} ended with {status}: {said}").into())
}

/// Garbage and keys typed at the screen, while it changes its size.
fn screens(count: u64, seed: u64) -> Outcome<Cost> {
    const KEYS: [&str; 14] = [
        "e2e4\r",
        "undo\r",
        "\x1b[A",
        "\x1b[B",
        "\x1b[6~",
        "\t",
        "\x7f",
        "?",
        "flip\r",
        "why e5\r",
        "\x1b",
        "help\r",
        "save /\r",
        "e7e5\rNf3\r",
    ];
    let (mut source, mut cost) = (Source::seeded(seed), Cost::default());
    for _ in 0..count {
        let start = Instant::now();
        let size = |source: &mut Source| PtySize {
            rows: 1 + source.below(120) as u16,
            cols: 1 + source.below(250) as u16,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system().openpty(size(&mut source))?;
        let mut command = CommandBuilder::new(env::current_exe()?);
        let game = source.pick(&["chess", "backgammon", "tic-tac-toe"]).ok_or("no game")?;
        command.args([COMMAND, "play", game]);
        let mut child = pty.slave.spawn_command(command)?;
        drop(pty.slave);
        let (mut reader, mut writer) = (pty.master.try_clone_reader()?, pty.master.take_writer()?);
        let reader = thread::spawn(move || {
            let mut shown = Vec::new();
            let _ = reader.read_to_end(&mut shown);
            String::from_utf8_lossy(&shown).into_owned()
        });
        for _ in 0..60 {
            let bytes: Vec<u8> = match source.below(3) {
                0 => (0..source.below(20)).map(|_| source.below(256) as u8).collect(),
                _ => source.pick(&KEYS).map_or(Vec::new(), |keys| keys.as_bytes().to_vec()),
            };
            // The screen may have been left by one of the keys.
            if writer.write_all(&bytes).and_then(|()| writer.flush()).is_err() {
                break;
            }
            if source.below(6) == 0 {
                pty.master.resize(size(&mut source))?;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let memory = child.process_id().and_then(memory);
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if begin.elapsed() > PATIENCE {
                child.kill()?;
                return Err(format!("{game}: the screen was not left in {PATIENCE:?}").into());
            }
            // Leaves whatever is open, then the game.
            let _ = writer.write_all(b"\x1b\x03\x03y\r").and_then(|()| writer.flush());
            thread::sleep(Duration::from_millis(50));
        };
        drop((writer, pty.master));
        let shown = reader.join().map_err(|_| "the reader failed")?;
        if shown.contains("panicked") || status.exit_code() == 101 {
            return Err(format!("{game}: {status:?}: {shown}").into());
        }
        cost.add(start, memory);
    }
    Ok(cost)
}

/// How much memory a process has, where the system says so.
fn memory(process: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
