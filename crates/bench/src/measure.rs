//! Runs a command to its end and measures it. The time is that of the processor, all threads together:
//! what it would take on a single core, whatever else the machine does.

use crate::usage;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    pub processor: Duration,
    pub peak: u64,
    pub succeeded: bool,
}

pub fn run(command: &mut Command) -> io::Result<Measurement> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let usage = usage::wait(child)?;
    Ok(Measurement { processor: usage.processor, peak: usage.peak, succeeded: usage.exit_code == Some(0) })
}

/// The fastest of several runs: the others were disturbed.
pub fn best(command: &mut Command, runs: usize) -> io::Result<Measurement> {
    let mut best = run(command)?;
    for _ in 1..runs {
        let next = run(command)?;
        if next.processor < best.processor {
            best = next;
        }
    }
    Ok(best)
}

/// The size of a file in bytes.
pub fn size(path: &Path) -> io::Result<u64> {
    Ok(path.metadata()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_time_memory_and_success() {
        let busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done";
        let measured = run(Command::new("sh").args(["-c", busy])).unwrap();
        assert!(measured.succeeded && measured.processor > Duration::ZERO && measured.peak > 100_000);
        assert!(!run(Command::new("sh").args(["-c", "exit 3"])).unwrap().succeeded);
    }
}
