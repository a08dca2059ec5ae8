//! Runs the command and keeps what came out.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What came out of a run.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the command with nothing to read.
pub(crate) fn senet(arguments: &[&str]) -> Ran {
    feed(arguments, b"")
}

/// Runs the command with something to read.
pub(crate) fn feed<A: AsRef<OsStr>>(arguments: &[A], input: &[u8]) -> Ran {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command is built");
    let mut stdin = child.stdin.take().expect("it is piped");
    let output = std::thread::scope(|scope| {
        // The command may end before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("it ends")
    });
    Ran::new(output)
}

/// The command, not yet run.
pub(crate) fn command<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_senet"));
    command.args(arguments);
    command
}

impl Ran {
    pub(crate) fn new(output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes UTF-8");
        let ran = Ran {
            code: output.status.code().expect("no signal ends it"),
            out: text(output.stdout),
            err: text(output.stderr),
        };
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }

    /// Standard output of a run that went well.
    pub(crate) fn done(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (0, ""), "{}", self.out);
        self.out
    }

    /// The one line of JSON of a run that went well.
    pub(crate) fn json(self) -> Value {
        serde_json::from_str(&self.done()).expect("it is JSON")
    }

    /// Standard error of a run that failed with a code.
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!((self.code, self.out.as_str()), (code, ""), "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        self.err
    }

    /// The error object of a run that failed with a code.
    pub(crate) fn error(self, code: i32) -> Value {
        assert_eq!((self.code, self.err.as_str()), (code, ""), "{}", self.out);
        let mut answer: Value = serde_json::from_str(&self.out).expect("it is JSON");
        answer["error"].take()
    }
}

/// A path of its own for a test to write to; what is there from an earlier run is gone.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// A path as an argument.
pub(crate) fn text(path: &Path) -> &str {
    path.to_str().expect("test paths are UTF-8")
}

/// The most memory that a process ever held, in KiB.
#[cfg(target_os = "linux")]
pub(crate) fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
