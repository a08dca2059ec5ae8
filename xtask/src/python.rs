//! A Python of our own below the target folder, for the programs of others that we compare with.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The Python of the system.
const SYSTEM: &str = if cfg!(windows) { "python" } else { "python3" };

/// The arguments that install packages.
const INSTALL: [&str; 5] = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];

/// A Python in which a package is installed.
pub(crate) struct Python(PathBuf);

impl Python {
    /// Finds or makes the environment and installs a package there, once, whose module has its
    /// name.
    ///
    /// # Errors
    /// A line that says what could not be done.
    pub(crate) fn with(package: &str) -> Result<Python, String> {
        Python::with_module(package, package)
    }

    /// The same for a package whose module has another name.
    pub(crate) fn with_module(package: &str, module: &str) -> Result<Python, String> {
        let folder = target()?.join("python");
        let python = Python::in_folder(&folder);
        if python.imports(module) {
            return Ok(python);
        }
        run(Command::new(SYSTEM).args(["-m", "venv"]).arg(&folder))?;
        run(python.command().args(INSTALL).arg(package))?;
        if python.imports(module) { Ok(python) } else { Err(format!("{package} has no module")) }
    }

    /// Finds or makes an environment of a name with several packages, each as pip wants it, and their
    /// modules.
    ///
    /// # Errors
    /// A line that says what could not be done.
    pub(crate) fn with_all(name: &str, packages: &[(&str, &str)]) -> Result<Python, String> {
        let python = Python::in_folder(&target()?.join(name));
        let missing = |python: &Python| {
            let absent = packages.iter().filter(|(package, module)| !python.has(package, module));
            absent.map(|(package, _)| *package).collect::<Vec<_>>()
        };
        let wanted = missing(&python);
        if wanted.is_empty() {
            return Ok(python);
        }
        run(Command::new(SYSTEM).args(["-m", "venv"]).arg(target()?.join(name)))?;
        run(python.command().args(INSTALL).args(wanted))?;
        match missing(&python)[..] {
            [] => Ok(python),
            ref absent => Err(format!("{} cannot be imported", absent.join(", "))),
        }
    }

    /// The Python of an environment.
    fn in_folder(folder: &Path) -> Python {
        let program = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
        Python(folder.join(program))
    }

    /// Whether a module is there already.
    fn imports(&self, module: &str) -> bool {
        self.runs(&format!("import {module}"))
    }

    /// Whether a package is there with its module, in the version that `NAME==VERSION` asks for.
    fn has(&self, package: &str, module: &str) -> bool {
        let Some((name, version)) = package.split_once("==") else { return self.imports(module) };
        let asked = format!("importlib.metadata.version('{name}') == '{version}'");
        self.runs(&format!("import {module}, importlib.metadata\nassert {asked}"))
    }

    /// Whether a script ends well.
    fn runs(&self, script: &str) -> bool {
        let quiet = || Stdio::null();
        let status = self.command().args(["-c", script]).stdout(quiet()).stderr(quiet()).status();
        status.is_ok_and(|status| status.success())
    }

    /// A command that runs this Python.
    pub(crate) fn command(&self) -> Command {
        Command::new(&self.0)
    }
}

/// The target folder: this program lies in a profile's folder of it.
pub(crate) fn target() -> Result<PathBuf, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let folder = program.ancestors().nth(2).map(Path::to_path_buf);
    folder.ok_or_else(|| "this program lies in no target folder".to_owned())
}

/// Runs a command to its end; what it says on failure is in the error.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = format!("{} {}", program_name(command), arguments(command));
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{shown}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    Err(format!("{shown}: {}", last.trim()))
}

fn program_name(command: &Command) -> String {
    let path = Path::new(command.get_program());
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn arguments(command: &Command) -> String {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
