//! `cargo xtask fuzz`: looks for cases that break a law.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs, io, process, thread};

use clap::Parser;
use senet_fuzz::{CANARY, Found, Hunt, Limits, TARGETS, Target, find, folder, shrink};

/// Looks for input that breaks a law of Senet.
#[derive(Parser)]
#[command(bin_name = "cargo xtask fuzz")]
struct Args {
    /// Which door: `all` for each in turn; the list when left out.
    target: Option<String>,
    /// How many minutes each target is tried.
    #[arg(long, default_value_t = 3.0, value_name = "N")]
    minutes: f64,
    /// The seed of the first case; another one each time when left out.
    #[arg(long)]
    seed: Option<u64>,
    /// Check the case of a file instead.
    #[arg(long, value_name = "FILE")]
    case: Option<PathBuf>,
    /// Work in this process, noting the case at hand in a file.
    #[arg(long, hide = true, value_name = "FILE")]
    note: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> io::Result<bool> {
    let Some(name) = &args.target else {
        for target in TARGETS {
            println!("{:<12} {}", target.name, target.law);
        }
        return Ok(true);
    };
    let targets = match (name.as_str(), find(name)) {
        ("all", _) => TARGETS.to_vec(),
        (_, Some(target)) => vec![target],
        (_, None) => {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("error: no target is named `{name}`; there are {}", known.join(", "));
            return Ok(false);
        }
    };
    let seed = args.seed.unwrap_or_else(|| process::id().into());
    let time = Duration::from_secs_f64(args.minutes.clamp(0.0, 1e6) * 60.0);
    if let Some(path) = &args.case {
        let case = fs::read(path)?;
        return Ok(targets.iter().all(|target| checked(*target, &case)));
    }
    let mut sound = true;
    for target in targets {
        sound &= match &args.note {
            Some(note) => work(target, seed, time, note)?,
            None => watch(target, seed, time)?,
        };
    }
    Ok(sound)
}

/// Checks one case in this process.
fn checked(target: Target, case: &[u8]) -> bool {
    let begin = Instant::now();
    (target.check)(case);
    println!("{}: the law holds, after {:.3} s", target.name, begin.elapsed().as_secs_f64());
    true
}

/// Runs a hunt in a process of its own, so that whatever ends that process is found out too.
fn watch(target: Target, seed: u64, time: Duration) -> io::Result<bool> {
    let note = env::temp_dir().join(format!("senet-fuzz-{}-{}", target.name, process::id()));
    let minutes = (time.as_secs_f64() / 60.0).to_string();
    let seed = seed.to_string();
    let status = Command::new(env::current_exe()?)
        .args([target.name, "--minutes", &minutes, "--seed", &seed, "--note"])
        .arg(&note)
        .status()?;
    let sound = match status.code() {
        Some(0) => true,
        Some(1) => false,
        _ => {
            let case = fs::read(&note)?;
            println!("{}: the process ended with {status}", target.name);
            keep(target, &case)?;
            false
        }
    };
    let _ = fs::remove_file(note);
    Ok(sound)
}

/// When the case at hand was begun.
static BEGUN: Mutex<Option<Instant>> = Mutex::new(None);

/// The exit code of a case that took too long or too much.
const TOO_MUCH: i32 = 3;

fn work(target: Target, seed: u64, time: Duration, note: &Path) -> io::Result<bool> {
    std::panic::set_hook(Box::new(|_| {}));
    thread::spawn(|| guard(Limits::USUAL));
    let begin = Instant::now();
    let mut hunt = Hunt::new(target, seed)?;
    let mut cases = 0u64;
    while begin.elapsed() < time {
        let case = hunt.next_case();
        fs::write(note, &case)?;
        set_begun(Some(Instant::now()));
        let found = senet_fuzz::breaks(target, &case);
        cases += 1;
        if let Some(found) = found {
            set_begun(None);
            println!("{}: broken by case {cases} of seed {seed}", target.name);
            report(target, found)?;
            return Ok(false);
        }
    }
    println!("{}: {cases} cases of seed {seed}, none breaks the law", target.name);
    Ok(true)
}

fn set_begun(at: Option<Instant>) {
    if let Ok(mut begun) = BEGUN.lock() {
        *begun = at;
    }
}

/// Ends the process when a case takes too long or too much memory.
fn guard(limits: Limits) {
    loop {
        thread::sleep(Duration::from_millis(50));
        let begun = BEGUN.lock().ok().and_then(|begun| *begun);
        let Some(begun) = begun else { continue };
        if begun.elapsed() > limits.time {
            println!("a case takes more than {:?}", limits.time);
            process::exit(TOO_MUCH);
        }
        if memory().is_some_and(|bytes| bytes > limits.memory) {
            println!("a case takes more than {} bytes", limits.memory);
            process::exit(TOO_MUCH);
        }
    }
}

/// How much memory this process has, where the system says so.
fn memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Makes a case small, tells of it and keeps it.
fn report(target: Target, found: Found) -> io::Result<()> {
    let found = if target.name == CANARY.name {
        found
    } else {
        shrink(target, found, Duration::from_secs(60))
    };
    println!("{}", found.message);
    keep(target, &found.case)
}

/// Writes a case to the corpus.
fn keep(target: Target, case: &[u8]) -> io::Result<()> {
    if target.name == CANARY.name {
        return Ok(());
    }
    let folder = folder(target);
    fs::create_dir_all(&folder)?;
    let sum = case.iter().fold(0xcbf2_9ce4_8422_2325u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path = folder.join(format!("found-{sum:016x}"));
    fs::write(&path, case)?;
    println!("kept as {}", path.display());
    Ok(())
}
