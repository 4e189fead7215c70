//! One run of the front end on one input, and what may go wrong in it.

use crate::process::{self, Ending, Finished, Limits};
use crate::scratch::Scratch;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(10), address_space: Some(2 << 30) };
const PANIC_EXIT_CODE: i32 = 101;

/// What is wrong; the text tells one cause from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    Panic(String),
    Signal(String),
    Memory,
    Hang,
    /// An exit code that the tool's documentation does not have.
    ExitCode(i32),
}

impl Finding {
    pub fn name(&self) -> &'static str {
        match self {
            Finding::Panic(_) => "panic",
            Finding::Signal(_) => "signal",
            Finding::Memory => "memory",
            Finding::Hang => "hang",
            Finding::ExitCode(_) => "exit-code",
        }
    }
}

/// Runs the front end on the text; none if it behaved.
pub fn run(proviso: &Path, text: &[u8]) -> Result<Option<Finding>, String> {
    let scratch = Scratch::new("fuzz").map_err(|error| error.to_string())?;
    let input = scratch.join("input.i");
    fs::write(&input, text).map_err(|error| error.to_string())?;
    let mut command = Command::new(proviso);
    command.args(["cfa", "--quiet"]).arg(&input).env("RUST_BACKTRACE", "0");
    let finished = process::run(&command, LIMITS).map_err(|error| error.to_string())?;
    Ok(finding(&finished))
}

fn finding(finished: &Finished) -> Option<Finding> {
    let errors = finished.stderr_text();
    if errors.contains("memory allocation of") {
        return Some(Finding::Memory);
    }
    if errors.contains("panicked at") || finished.ending == Ending::Exit(PANIC_EXIT_CODE) {
        return Some(Finding::Panic(panic_place(&errors)));
    }
    match finished.ending {
        Ending::TimeOut => Some(Finding::Hang),
        Ending::Signal(signal) if errors.contains("overflowed its stack") => {
            Some(Finding::Signal(format!("{signal}, stack overflow")))
        }
        Ending::Signal(signal) => Some(Finding::Signal(signal.to_string())),
        Ending::Exit(0 | 5 | 6) => None,
        Ending::Exit(code) => Some(Finding::ExitCode(code)),
    }
}

/// `crates/syntax/src/parser.rs:10:5`
fn panic_place(errors: &str) -> String {
    let place = errors.split_once("panicked at ").map(|(_, rest)| rest.lines().next().unwrap_or_default());
    place.unwrap_or("unknown place").trim_end_matches(':').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(ending: Ending, errors: &str) -> Finished {
        Finished { ending, stdout: Vec::new(), stderr: errors.as_bytes().to_vec() }
    }

    #[test]
    fn tells_the_findings_apart() {
        let panic = "thread 'main' (1) panicked at crates/a.rs:1:2:\nindex out of bounds\n";
        let expected = Some(Finding::Panic("crates/a.rs:1:2".to_string()));
        assert_eq!(finding(&finished(Ending::Exit(101), panic)), expected);
        assert_eq!(finding(&finished(Ending::Exit(6), "error: expected `;`")), None);
        assert_eq!(finding(&finished(Ending::Exit(1), "")), Some(Finding::ExitCode(1)));
        assert_eq!(finding(&finished(Ending::TimeOut, "")), Some(Finding::Hang));
        let memory = finished(Ending::Signal(6), "memory allocation of 99 bytes failed");
        assert_eq!(finding(&memory), Some(Finding::Memory));
    }
}
