//! The Python package: built into an environment of its own, checked and tested there.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::python::{Python, target};

/// What the checks need beside the package: the name of each package and of its module.
const NEEDED: [(&str, &str); 6] = [
    ("maturin", "maturin"),
    ("numpy", "numpy"),
    ("pytest", "pytest"),
    ("mypy", "mypy"),
    ("gymnasium", "gymnasium"),
    ("pettingzoo", "pettingzoo"),
];

/// The most bytes of the wheel that is published.
const MOST_BYTES: u64 = 15 << 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build the wheel that is published, which takes longer, and check its size
    #[arg(long)]
    release: bool,
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
    let build = target()?.join("package");
    let cargo = || {
        let mut command = Command::new("cargo");
        command.current_dir(&folder).env("CARGO_TARGET_DIR", &build);
        command
    };
    step(cargo().args(["fmt", "--check"]))?;
    step(cargo().args(["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]))?;
    let python = Python::with_all("package-python", &NEEDED)?;
    let wheel = build_wheel(args, &python, &folder, &build)?;
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    step(python.command().args(install).args(["--no-deps", "--force-reinstall"]).arg(&wheel))?;
    let types = folder.join("pyproject.toml");
    // The sources lie beside the package that is installed, so that no check may begin there.
    let elsewhere = folder.join("tests");
    let mypy = ["-m", "mypy", "--strict", "--no-error-summary", "--config-file"];
    step(python.command().args(mypy).arg(&types).arg("senet").current_dir(&folder))?;
    step(python.command().args(mypy).arg(&types).arg(".").current_dir(&elsewhere))?;
    let stubs = ["-m", "mypy.stubtest", "senet", "--mypy-config-file"];
    step(python.command().args(stubs).arg(&types).current_dir(&elsewhere))?;
    let tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "."];
    step(python.command().args(tests).current_dir(&elsewhere))
}

/// Builds the wheel and says where it lies.
fn build_wheel(
    args: &Args,
    python: &Python,
    folder: &Path,
    build: &Path,
) -> Result<PathBuf, String> {
    let wheels = build.join("wheel");
    // Of several versions the wrong one could be installed.
    let _ = fs::remove_dir_all(&wheels);
    let profile = if args.release { "release" } else { "quick" };
    let maturin = ["-m", "maturin", "build", "--quiet", "--locked", "--profile", profile, "--out"];
    step(
        python
            .command()
            .args(maturin)
            .arg(&wheels)
            .current_dir(folder)
            .env("CARGO_TARGET_DIR", build),
    )?;
    let entries = fs::read_dir(&wheels).map_err(|error| error.to_string())?;
    let mut paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let wheel = paths.find(|path| path.extension() == Some(OsStr::new("whl")));
    let wheel = wheel.ok_or("maturin has made no wheel")?;
    let bytes = fs::metadata(&wheel).map_err(|error| error.to_string())?.len();
    println!("{}: {:.1} MB", wheel.display(), bytes as f64 / f64::from(1 << 20));
    if args.release && bytes > MOST_BYTES {
        return Err(format!("the wheel has {bytes} bytes, allowed are {MOST_BYTES}"));
    }
    Ok(wheel)
}

/// Runs a command and shows what it says.
pub(crate) fn step(command: &mut Command) -> Result<(), String> {
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    // How this program was built says nothing of how the package is.
    let settings = env::vars_os().map(|(name, _)| name);
    for name in settings.filter(|name| name.to_string_lossy().starts_with("CARGO_PROFILE_")) {
        command.env_remove(name);
    }
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let shown = format!("{} {}", program.to_string_lossy(), words.join(" "));
    println!("-> {shown}");
    let status = command.status().map_err(|error| format!("{shown}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{shown}: {status}")) }
}
