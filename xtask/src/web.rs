//! The pages of the server, checked by TypeScript and tried in a real browser.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Instant;

use crate::package::step;
use crate::python::{Python, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only tests with this in their name
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// The browser
    #[arg(long, value_name = "FILE", default_value = "/usr/bin/chromium")]
    chromium: PathBuf,
    /// A folder for screenshots
    #[arg(long, value_name = "FOLDER")]
    shots: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct ApiArgs {
    /// How many requests are made up for each address
    #[arg(long, value_name = "N", default_value_t = 100)]
    examples: u32,
}

#[derive(clap::Args)]
pub(crate) struct FaultArgs {
    /// How often the server is killed
    #[arg(long, value_name = "N", default_value_t = 200)]
    kills: u32,
    /// How many requests are sent to see whether the server needs more and more memory
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    requests: u32,
}

#[derive(clap::Args)]
pub(crate) struct LoadArgs {
    /// How many clients are connected, players included
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    clients: u32,
    /// How many matches are played at once
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    matches: u32,
    /// How long each part of the measurement takes
    #[arg(long, value_name = "N", default_value_t = 20)]
    seconds: u32,
    /// How many moves a second are sent where times are measured
    #[arg(long, value_name = "N", default_value_t = 500)]
    rate: u32,
    /// Measure this command instead of a release build
    #[arg(long, value_name = "FILE")]
    senet: Option<PathBuf>,
}

/// How many kills the tests of the pages make.
const FEW_KILLS: u32 = 5;

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    ended("web", check(args, root))
}

/// Breaks the server and its database again and again while matches are played.
pub(crate) fn fault(args: &FaultArgs, root: &Path) -> ExitCode {
    let done = prepare(root, &[Tool::Node]).and_then(|ready| match ready {
        true => kill(&root.join("web"), args.kills, args.requests),
        false => Ok(()),
    });
    ended("fault", done)
}

/// Sends made-up requests to every address that the OpenAPI document describes.
pub(crate) fn api(args: &ApiArgs, root: &Path) -> ExitCode {
    ended("api", build(root).and_then(|()| schemathesis(args.examples)))
}

/// Runs schemathesis against a server of its own: no answer may be a failure of the server.
fn schemathesis(examples: u32) -> Result<(), String> {
    let python = Python::with_module("schemathesis", "schemathesis")?;
    let folder = target()?.join("api");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut server = Command::new(senet()?);
    server.args(["serve", "--json", "--rate", "0", "--matches", "0"]);
    server.args(["--listen", "127.0.0.1:0", "--database"]);
    server.arg(folder.join("senet.db")).stdout(Stdio::piped()).stdin(Stdio::null());
    let mut server = server.spawn().map_err(|error| error.to_string())?;
    let done = address(&mut server).and_then(|address| {
        let document = format!("http://{address}/api/openapi.json");
        let mut test = python.command();
        test.args(["-m", "schemathesis.cli", "run", &document, "--checks"]);
        test.args(["not_a_server_error,response_schema_conformance", "--max-examples"]);
        test.arg(examples.to_string()).args(["--phases", "examples,coverage,fuzzing"]);
        // These go on until the connection ends.
        test.args(["--exclude-path-regex", "socket$|stream$|events$", "--warnings", "off"]);
        test.args(["--suppress-health-check", "all", "--continue-on-failure", "--no-color"]);
        step(test.current_dir(&folder))
    });
    let _ = server.kill();
    let _ = server.wait();
    done
}

/// Where a server says that it listens.
fn address(server: &mut Child) -> Result<String, String> {
    let mut line = String::new();
    let mut told = server.stdout.take().map(BufReader::new).ok_or("the server says nothing")?;
    told.read_line(&mut line).map_err(|error| error.to_string())?;
    let address = line.split('"').nth(3).map(str::to_owned);
    address.ok_or_else(|| format!("the server does not start: {line}"))
}

/// Measures how much the server carries, beside boardgame.io.
pub(crate) fn load(args: &LoadArgs, root: &Path) -> ExitCode {
    ended("load", measure(args, root))
}

fn measure(args: &LoadArgs, root: &Path) -> Result<(), String> {
    if !install(&[Tool::Node])? {
        return Ok(());
    }
    let senet = match &args.senet {
        Some(senet) => senet.clone(),
        None => {
            step(Command::new("cargo").args(BUILD).arg("--release").current_dir(root))?;
            target()?.join("release/senet")
        }
    };
    let web = root.join("web");
    if !web.join("node_modules/boardgame.io").exists() {
        let words = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--no-save"];
        step(Command::new("npm").args(words).arg("boardgame.io").current_dir(&web))?;
    }
    let mut test = Command::new("node");
    test.args(["--experimental-websocket", "--no-warnings", "test/load.mjs"]).env("SENET", senet);
    test.env("CLIENTS", args.clients.to_string()).env("MATCHES", args.matches.to_string());
    test.env("SECONDS", args.seconds.to_string()).env("RATE", args.rate.to_string());
    step(test.current_dir(&web))
}

fn ended(name: &str, done: Result<(), String>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{name}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn check(args: &Args, root: &Path) -> Result<(), String> {
    if !prepare(root, &[Tool::Node, Tool::Chromium(&args.chromium)])? {
        return Ok(());
    }
    let begun = Instant::now();
    let web = root.join("web");
    step(Command::new("npx").args(["tsc", "-p", "tsconfig.json"]).current_dir(&web))?;
    step(Command::new("node").args(["--test", "test/unit.mjs"]).current_dir(&web))?;
    let mut test = Command::new("node");
    test.arg("test/browser.mjs").args(&args.filter).current_dir(&web);
    test.env("SENET", senet()?).env("CHROMIUM", &args.chromium);
    if let Some(shots) = &args.shots {
        std::fs::create_dir_all(shots).map_err(|error| format!("{}: {error}", shots.display()))?;
        test.env("SHOTS", shots);
    }
    step(&mut test)?;
    if args.filter.is_none() {
        kill(&web, FEW_KILLS, 0)?;
    }
    println!("web: checks and tests took {:.0} s", begun.elapsed().as_secs_f64());
    Ok(())
}

fn kill(web: &Path, kills: u32, requests: u32) -> Result<(), String> {
    let mut test = Command::new("node");
    test.arg("test/fault.mjs").env("SENET", senet()?).env("ROUNDS", kills.to_string());
    test.env("REQUESTS", requests.to_string());
    step(test.current_dir(web))
}

/// The command with the server in it.
fn senet() -> Result<PathBuf, String> {
    Ok(target()?.join("debug/senet"))
}

/// What a test needs beside Rust.
enum Tool<'a> {
    Node,
    Chromium(&'a Path),
}

impl Tool<'_> {
    fn is_there(&self) -> bool {
        let answers = |program: &str| {
            let mut version = Command::new(program);
            version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        };
        match self {
            Tool::Node => answers("node") && answers("npm"),
            Tool::Chromium(path) => path.exists(),
        }
    }

    /// The packages of Debian that it comes with.
    fn packages(&self) -> &'static [&'static str] {
        match self {
            Tool::Node => &["nodejs", "npm"],
            Tool::Chromium(_) => &["chromium"],
        }
    }
}

/// The words that make cargo build the server.
const BUILD: [&str; 6] =
    ["build", "--package", "senet-cli", "--no-default-features", "--features", "serve"];

fn build(root: &Path) -> Result<(), String> {
    step(Command::new("cargo").args(BUILD).current_dir(root))
}

/// Installs tools that are missing; false where they cannot be had at all.
fn install(tools: &[Tool<'_>]) -> Result<bool, String> {
    let missing = tools.iter().filter(|tool| !tool.is_there());
    let missing: Vec<&str> = missing.flat_map(Tool::packages).copied().collect();
    if !missing.is_empty() {
        if !Path::new("/usr/bin/apt-get").exists() {
            println!("skipped: {} missing, and no apt-get to install them", missing.join(", "));
            return Ok(false);
        }
        let update = step(Command::new("apt-get").arg("update").arg("-q"));
        let install = ["install", "-q", "-y", "--no-install-recommends"];
        let mut command = Command::new("apt-get");
        command.args(install).args(&missing).env("DEBIAN_FRONTEND", "noninteractive");
        if let Err(why) = update.and_then(|()| step(&mut command)) {
            println!("skipped: {} missing, and cannot be installed: {why}", missing.join(", "));
            return Ok(false);
        }
    }
    Ok(true)
}

/// Builds the server and installs what tests need; false where that cannot be had at all.
fn prepare(root: &Path, tools: &[Tool<'_>]) -> Result<bool, String> {
    if !install(tools)? {
        return Ok(false);
    }
    build(root)?;
    let web = root.join("web");
    if !web.join("node_modules").exists() {
        step(
            Command::new("npm")
                .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
                .current_dir(&web),
        )?;
    }
    Ok(true)
}
