//! One run of the front end on one input, and what may go wrong in it.

use crate::compiler;
use crate::process::{self, Ending, Finished, Limits};
use crate::scratch::Scratch;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMITS: Limits = Limits { time: Duration::from_secs(10), address_space: Some(2 << 30) };
const PANIC_EXIT_CODE: i32 = 101;
const BAD_INPUT: i32 = 6;

/// What is wrong; the text tells one cause from another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Finding {
    Panic(String),
    Signal(String),
    Memory,
    Hang,
    /// An exit code that the tool's documentation does not have.
    ExitCode(i32),
    /// The C compiler takes the input; this is what the tool has against it.
    Refused(String),
    /// The tool takes the input; this is what the C compiler has against it.
    Accepted(String),
}

impl Finding {
    pub fn name(&self) -> &'static str {
        match self {
            Finding::Panic(_) => "panic",
            Finding::Signal(_) => "signal",
            Finding::Memory => "memory",
            Finding::Hang => "hang",
            Finding::ExitCode(_) => "exit-code",
            Finding::Refused(_) => "refused",
            Finding::Accepted(_) => "accepted",
        }
    }
}

/// Runs the front end on the text; none if it behaved.
pub fn run(proviso: &Path, text: &[u8]) -> Result<Option<Finding>, String> {
    let scratch = Scratch::new("fuzz").map_err(|error| error.to_string())?;
    Ok(finding(&finished(proviso, text, &scratch.join("input.i"))?))
}

/// The same, and whether the C compiler agrees on what is C.
pub fn run_beside_compiler(proviso: &Path, text: &[u8]) -> Result<Option<Finding>, String> {
    let scratch = Scratch::new("fuzz").map_err(|error| error.to_string())?;
    let input = scratch.join("input.i");
    let finished = finished(proviso, text, &input)?;
    if let Some(finding) = finding(&finished) {
        return Ok(Some(finding));
    }
    let compiler_errors = compiler::syntax_errors(&input, LIMITS)?;
    Ok(match (finished.ending, compiler_errors) {
        (Ending::Exit(BAD_INPUT), None) => Some(Finding::Refused(first_error(&finished.stderr_text()))),
        (Ending::Exit(0), Some(errors)) => Some(Finding::Accepted(first_error(&errors))),
        _ => None,
    })
}

fn finished(proviso: &Path, text: &[u8], input: &Path) -> Result<Finished, String> {
    fs::write(input, text).map_err(|error| error.to_string())?;
    let mut command = Command::new(proviso);
    command.args(["cfa", "--quiet"]).arg(input).env("RUST_BACKTRACE", "0");
    process::run(&command, LIMITS).map_err(|error| error.to_string())
}

/// The message of the first error, with all names in quotes alike, so that one cause counts once.
fn first_error(errors: &str) -> String {
    let message =
        errors.lines().find_map(|line| line.split_once("error: ")).map_or("", |(_, message)| message);
    let parts = message.split(['\'', '`', '‘', '’']);
    parts.enumerate().map(|(index, part)| if index % 2 == 0 { part } else { "…" }).collect()
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
        Ending::Exit(0 | 5 | BAD_INPUT) => None,
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
    fn one_cause_has_one_message() {
        let errors = "note\na.c:1:2: error: redefinition of 'r12'\n  int r12;\na.c:3:1: error: other\n";
        assert_eq!(first_error(errors), "redefinition of …");
        assert_eq!(first_error("a.c: error: ‘y’ undeclared"), "… undeclared");
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
