//! The Python package: built into an environment of its own, checked and tested there.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::notice;
use crate::python::{Python, target};

/// What the checks need beside the package: the name of each package and of its module.
const NEEDED: [(&str, &str); 17] = [
    ("maturin==1.16.0", "maturin"),
    ("numpy", "numpy"),
    ("pytest", "pytest"),
    ("hypothesis", "hypothesis"),
    ("mypy", "mypy"),
    ("gymnasium", "gymnasium"),
    ("pettingzoo", "pettingzoo"),
    ("anywidget", "anywidget"),
    ("nbconvert", "nbconvert"),
    ("ipykernel", "ipykernel"),
    ("playwright", "playwright"),
    ("pyarrow", "pyarrow"),
    ("polars", "polars"),
    ("duckdb", "duckdb"),
    ("pandas", "pandas"),
    ("datafusion", "datafusion"),
    ("open_spiel", "pyspiel"),
];

/// The arguments that install a wheel over the one before, which has the same version.
const INSTALL: [&str; 7] = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "--no-deps",
    "--force-reinstall",
];

/// The most bytes of the wheel that is published.
const MOST_BYTES: u64 = 15 << 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build the wheel that is published, which takes longer, and check its size
    #[arg(long)]
    release: bool,
    /// Also run the examples whole, which takes minutes
    #[arg(long)]
    examples: bool,
    /// Write the notices of the crates that the wheel includes anew, and nothing else
    #[arg(long)]
    notices: bool,
}

/// How a wheel is built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Profile {
    /// Quickly, to be tested.
    Dev,
    /// As it is published.
    Release,
}

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    match check(args, root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("python: {message}");
            ExitCode::FAILURE
        }
    }
}

fn check(args: &Args, root: &Path) -> Result<(), String> {
    let folder = root.join("python");
    if args.notices {
        return notice::write(&folder);
    }
    notice::check(&folder)?;
    let cargo = |words: &[&str]| {
        let mut command = Command::new("cargo");
        command.args(words).current_dir(&folder).env("CARGO_TARGET_DIR", target()?);
        step(&mut command)
    };
    cargo(&["fmt", "--check"])?;
    let python = environment()?;
    let profile = if args.release { Profile::Release } else { Profile::Dev };
    let wheel = build_wheel(profile, &python, &folder)?;
    step(python.command().args(INSTALL).arg(&wheel))?;
    let types = folder.join("pyproject.toml");
    // The sources lie beside the package that is installed, so that no check may begin there.
    let elsewhere = folder.join("tests");
    let mypy = ["-m", "mypy", "--strict", "--no-error-summary", "--config-file"];
    step(python.command().args(mypy).arg(&types).arg("senet").current_dir(&folder))?;
    for part in [&elsewhere, &folder.join("examples")] {
        step(python.command().args(mypy).arg(&types).arg(".").current_dir(part))?;
    }
    let stubs = ["-m", "mypy.stubtest", "senet", "--allowlist", "stubtest.txt"];
    let stubs = [&stubs[..], &["--mypy-config-file"]].concat();
    step(python.command().args(stubs).arg(&types).current_dir(&elsewhere))?;
    let tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "."];
    let extent = if args.examples { "whole" } else { "brief" };
    step(python.command().args(tests).env("SENET_EXAMPLES", extent).current_dir(&elsewhere))?;
    // It looks at every crate again, so that it comes when all else is known to be right.
    cargo(&["clippy", "--quiet", "--locked", "--all-targets", "--", "-D", "warnings"])
}

/// Builds the wheel that is published and installs it into an environment.
///
/// # Errors
/// A line that says what could not be done.
pub(crate) fn install_release(into: &Python, root: &Path) -> Result<(), String> {
    let wheel = build_wheel(Profile::Release, &environment()?, &root.join("python"))?;
    step(into.command().args(INSTALL).arg(&wheel))
}

/// The environment in which wheels are built and checked.
fn environment() -> Result<Python, String> {
    Python::with_all("package-python", &NEEDED)
}

/// Builds the wheel and says where it lies.
fn build_wheel(profile: Profile, python: &Python, folder: &Path) -> Result<PathBuf, String> {
    let target = target()?;
    let wheels = target.join("wheel");
    // Of several versions the wrong one could be installed.
    let _ = fs::remove_dir_all(&wheels);
    let name = if profile == Profile::Release { "release" } else { "dev" };
    let maturin = ["-m", "maturin", "build", "--quiet", "--locked", "--profile", name, "--out"];
    let mut command = python.command();
    command.args(maturin).arg(&wheels).current_dir(folder).env("CARGO_TARGET_DIR", &target);
    step(&mut command)?;
    let entries = fs::read_dir(&wheels).map_err(|error| error.to_string())?;
    let mut paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let wheel = paths.find(|path| path.extension() == Some(OsStr::new("whl")));
    let wheel = wheel.ok_or("maturin has made no wheel")?;
    let bytes = fs::metadata(&wheel).map_err(|error| error.to_string())?.len();
    let size = bytes as f64 / f64::from(1 << 20);
    println!("{}: {size:.1} MB with the profile {name}", wheel.display());
    if profile == Profile::Release && bytes > MOST_BYTES {
        return Err(format!(
            "the wheel has {bytes} bytes, more than the {MOST_BYTES} that it may have"
        ));
    }
    Ok(wheel)
}

/// Runs a command and shows what it says and how long it took.
pub(crate) fn step(command: &mut Command) -> Result<(), String> {
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("MYPY_CACHE_DIR", target()?.join("mypy"));
    // How this program was built says nothing of how the wheel that is published is.
    let settings = env::vars_os().map(|(name, _)| name);
    for name in settings.filter(|name| name.to_string_lossy().starts_with("CARGO_PROFILE_RELEASE"))
    {
        command.env_remove(name);
    }
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let shown = format!("{} {}", program.to_string_lossy(), words.join(" "));
    println!("-> {shown}");
    let begin = std::time::Instant::now();
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    println!("   took {:.0} s", begin.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{shown}: {status}")) }
}
