//! CPU time, which other programs on the same machine do not lengthen.

use std::time::Instant;

use cpu_time::ProcessTime;

use crate::pipe::Pipe;

/// A clock that runs while this process works, on all its threads.
pub(super) struct Clock(ProcessTime);

impl Clock {
    pub(super) fn start() -> Clock {
        Clock(ProcessTime::now())
    }

    /// How long this process has worked since.
    pub(super) fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// How long another program works on an answer, and the answer. Where the system does not tell how
/// long a process has worked, the time that passes is taken.
pub(super) fn timed<T>(
    program: &mut Pipe,
    ask: impl FnOnce(&mut Pipe) -> Result<T, String>,
) -> Result<(T, f64), String> {
    let (id, wall) = (program.id(), Instant::now());
    let before = worked(id);
    let answer = ask(program)?;
    let passed = wall.elapsed().as_secs_f64();
    let seconds = before.and_then(|before| Some(worked(id)? - before));
    Ok((answer, seconds.unwrap_or(passed)))
}

/// How many seconds a process has worked so far, on all its threads, as Linux tells it.
fn worked(process: u32) -> Option<f64> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let mut nanoseconds = 0u64;
    for thread in threads {
        let told = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += told.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(nanoseconds as f64 * 1e-9)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_program_that_waits_does_not_work() {
        let mut shell = Pipe::start("sh", &mut Command::new("sh")).expect("a shell");
        let answer = timed(&mut shell, |shell| shell.ask("sleep 0.3; echo rested"));
        let (rested, seconds) = answer.expect("an answer");
        assert_eq!(rested, "rested");
        assert!(seconds < 0.2, "{seconds}");
        let busy = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; echo counted";
        let (_, seconds) = timed(&mut shell, |shell| shell.ask(busy)).expect("an answer");
        assert!(seconds > 0.0, "{seconds}");
    }
}
