//! The pages of the server, checked by TypeScript and tried in a real browser.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::package::step;
use crate::python::target;

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

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    match check(args, root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("web: {message}");
            ExitCode::FAILURE
        }
    }
}

fn check(args: &Args, root: &Path) -> Result<(), String> {
    let web = root.join("web");
    let build = ["build", "--package", "senet-cli", "--no-default-features", "--features", "serve"];
    step(Command::new("cargo").args(build).current_dir(root))?;
    if !web.join("node_modules").exists() {
        step(Command::new("npm").args(["install", "--no-audit", "--no-fund"]).current_dir(&web))?;
    }
    step(Command::new("npx").args(["tsc", "-p", "tsconfig.json"]).current_dir(&web))?;
    let mut test = Command::new("node");
    test.arg("test/browser.mjs").args(&args.filter).current_dir(&web);
    test.env("SENET", target()?.join("debug/senet")).env("CHROMIUM", &args.chromium);
    if let Some(shots) = &args.shots {
        std::fs::create_dir_all(shots).map_err(|error| format!("{}: {error}", shots.display()))?;
        test.env("SHOTS", shots);
    }
    step(&mut test)
}
