//! The C compiler as an oracle: builds a program together with definitions of the functions that
//! verification tasks take for granted (`reach_error`, `__VERIFIER_nondet_int`, …), and runs it.

use crate::process::{self, Ending, Finished, Limits};
use crate::scratch::Scratch;
use crate::{DataModel, Outcome, tool};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

const COMPILE_LIMITS: Limits = Limits { time: std::time::Duration::from_secs(60), address_space: None };
const SIGABRT: i32 = 6;

fn compiler() -> Command {
    Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
}

/// What the compiler calls itself.
pub fn version() -> String {
    let finished = process::run(compiler().arg("--version"), Limits::seconds(10));
    finished.map_or(String::new(), |finished| String::from_utf8_lossy(&finished.stdout).into_owned())
}

/// Whether programs of this model can be compiled, linked and run here.
pub fn available(model: DataModel) -> bool {
    static AVAILABLE: [OnceLock<bool>; 2] = [OnceLock::new(), OnceLock::new()];
    *AVAILABLE[model as usize].get_or_init(|| {
        let works = try_out(model).unwrap_or(false);
        if !works {
            eprintln!("skipped: there is no C compiler for {model}");
        }
        works
    })
}

fn try_out(model: DataModel) -> Result<bool, String> {
    let scratch = Scratch::new("compiler").map_err(|error| error.to_string())?;
    let (source, binary) = (scratch.join("try.c"), scratch.join("try"));
    fs::write(&source, "#include <stdio.h>\nint main(void) { return printf(\"x\") - 1; }\n")
        .map_err(|error| error.to_string())?;
    build(model, &[], &[&source], &binary)?;
    Ok(run(&Command::new(&binary), Limits::seconds(10))?.ended == "exit status 0")
}

/// Compiles and links; an error is what the compiler said.
pub fn build(model: DataModel, flags: &[&str], sources: &[&Path], binary: &Path) -> Result<(), String> {
    let mut command = compiler();
    command.args(["-std=gnu11", "-w"]).args(model.compiler_flags()).args(flags);
    command.arg("-o").arg(binary).args(sources).arg("-lm");
    let finished = process::run(&command, COMPILE_LIMITS).map_err(|error| error.to_string())?;
    match finished.ending {
        Ending::Exit(0) => Ok(()),
        ending => Err(format!("the compiler ended with {ending:?}:\n{}", finished.stderr_text())),
    }
}

/// What the compiler has against a text; none if it takes it.
pub fn syntax_errors(source: &Path, limits: Limits) -> Result<Option<String>, String> {
    let mut command = compiler();
    command.args(["-std=gnu11", "-w", "-fsyntax-only", "-x", "c"]).arg(source);
    let finished = process::run(&command, limits).map_err(|error| error.to_string())?;
    Ok((finished.ending != Ending::Exit(0)).then(|| finished.stderr_text()))
}

/// The definitions of a verifier's functions, compiled once for a process and data model.
pub fn support_object(model: DataModel) -> Result<&'static Path, String> {
    static OBJECTS: [OnceLock<Result<PathBuf, String>>; 2] = [OnceLock::new(), OnceLock::new()];
    let object = OBJECTS[model as usize].get_or_init(|| build_support(model));
    object.as_deref().map_err(Clone::clone)
}

pub fn support_source() -> PathBuf {
    tool::workspace().join("tests/corpus/support/verifier.c")
}

/// The object is put in its place in one step, as other tests may be about to use it.
fn build_support(model: DataModel) -> Result<PathBuf, String> {
    let directory = tool::target_directory().join("conformance");
    fs::create_dir_all(&directory).map_err(|error| error.to_string())?;
    let object = directory.join(format!("verifier-{model}.o"));
    let fresh = directory.join(format!("verifier-{model}-{}.o", std::process::id()));
    build(model, &["-c"], &[&support_source()], &fresh)?;
    fs::rename(&fresh, &object).map_err(|error| error.to_string())?;
    Ok(object)
}

/// Builds a program with the support functions and runs it on the inputs.
pub fn outcome(
    model: DataModel,
    flags: &[&str],
    program: &Path,
    inputs: &str,
    limits: Limits,
) -> Result<Outcome, String> {
    let scratch = Scratch::new("compiled").map_err(|error| error.to_string())?;
    let binary = scratch.join(program.file_stem().unwrap_or(OsStr::new("program")));
    build(model, flags, &[program, support_object(model)?], &binary)?;
    run_on(&binary, inputs, limits)
}

/// Runs a program that was built with the support functions.
pub fn run_on(binary: &Path, inputs: &str, limits: Limits) -> Result<Outcome, String> {
    let mut command = Command::new(binary);
    command.env("VERIFIER_INPUTS", inputs);
    run(&command, limits)
}

/// Runs a compiled program and says how it ended in the words of `proviso run`.
pub fn run(command: &Command, limits: Limits) -> Result<Outcome, String> {
    let finished = process::run(command, limits).map_err(|error| error.to_string())?;
    let ended = ended(&finished);
    Ok(Outcome { output: String::from_utf8_lossy(&finished.stdout).into_owned(), ended })
}

fn ended(finished: &Finished) -> String {
    let errors = finished.stderr_text();
    if let Some(ended) = errors.lines().last().and_then(|line| line.strip_prefix("ended: ")) {
        return ended.to_string();
    }
    match finished.ending {
        Ending::Exit(status) => format!("exit status {status}"),
        Ending::Signal(SIGABRT) if errors.contains("Assertion `") => "assertion failed".to_string(),
        Ending::Signal(SIGABRT) => "aborted".to_string(),
        Ending::Signal(signal) => format!("signal {signal}"),
        Ending::TimeOut => "time-out".to_string(),
    }
}
