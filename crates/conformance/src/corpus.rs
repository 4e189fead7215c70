//! The corpus: small C programs, each about one feature of the language, with their expectations.

use crate::interpreter::{self, Request};
use crate::outcome::tool_exit_code;
use crate::passed::Mark;
use crate::process::Limits;
use crate::scratch::Scratch;
use crate::{DataModel, Expectation, compiler, parallel, tool};
use std::fs;
use std::path::PathBuf;

/// Far more than any program of the corpus needs, and little enough to end a loop that is wrong.
const STEP_LIMIT: u64 = 2_000_000;
const TIME_LIMIT: u64 = 20;

pub struct Program {
    pub path: PathBuf,
    pub text: String,
    pub expectation: Expectation,
}

impl Program {
    pub fn read(path: PathBuf) -> Result<Program, String> {
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let expectation =
            Expectation::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Program { path, text, expectation })
    }

    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Such a program cannot be run where there is no C compiler. A line marker (`# 3 "file.c"`) is not
    /// for the preprocessor but from it.
    pub fn needs_preprocessor(&self) -> bool {
        let is_directive =
            |rest: &str| rest.trim_start().starts_with(|first: char| first.is_ascii_alphabetic());
        self.text.lines().any(|line| line.trim_start().strip_prefix('#').is_some_and(is_directive))
    }
}

/// The paths of all programs, in the order of their names.
pub fn paths() -> Vec<PathBuf> {
    let directory = tool::workspace().join("tests/corpus");
    let entries = fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    paths
}

/// The programs whose names start with the topic and a hyphen.
///
/// # Panics
/// When a program cannot be read or its head is not in order.
pub fn programs(topic: &str) -> Vec<Program> {
    let prefix = format!("{topic}-");
    let of_topic =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let read = |path| Program::read(path).unwrap_or_else(|error| panic!("{error}"));
    paths().into_iter().filter(of_topic).map(read).collect()
}

/// Runs every program of the topic in each of its data models, and returns a text on each failure.
pub fn failures(
    topic: &str,
    check: impl Fn(&Program, DataModel) -> Result<(), String> + Sync,
) -> Vec<String> {
    let programs = programs(topic);
    let runs: Vec<(&Program, DataModel)> = programs
        .iter()
        .flat_map(|program| program.expectation.models.iter().map(move |model| (program, *model)))
        .collect();
    let results = parallel::map(&runs, |(program, model)| {
        check(program, *model).map_err(|error| format!("{} ({model}):\n  {error}", program.name()))
    });
    results.into_iter().filter_map(Result::err).collect()
}

/// The program under `proviso run` does what its head says.
pub fn check_interpreted(program: &Program, model: DataModel) -> Result<(), String> {
    if program.needs_preprocessor() && !compiler::available(model) {
        return Ok(());
    }
    let scratch = Scratch::new("inputs").map_err(|error| error.to_string())?;
    let inputs = scratch.join("inputs");
    if let Some(values) = &program.expectation.inputs {
        let lines: String = values.split_whitespace().map(|value| format!("{value}\n")).collect();
        fs::write(&inputs, lines).map_err(|error| error.to_string())?;
    }
    let interpreted = interpreter::run(&Request {
        program: &program.path,
        model,
        inputs: program.expectation.inputs.as_ref().map(|_| inputs.as_path()),
        include: None,
        step_limit: Some(STEP_LIMIT),
        limits: Limits::seconds(TIME_LIMIT),
    })?;
    program.expectation.check(model, &interpreted.outcome)?;
    match tool_exit_code(&interpreted.outcome.ended) {
        Some(expected) if expected != interpreted.exit_code => Err(format!(
            "expected exit code of proviso: {expected}\n  actual exit code of proviso: {}",
            interpreted.exit_code
        )),
        _ => Ok(()),
    }
}

/// The program built by the C compiler does what its head says, so the head is right.
pub fn check_compiled(program: &Program, model: DataModel) -> Result<(), String> {
    if !program.expectation.comparable_with_compiler {
        return Ok(());
    }
    let mark = Mark::of(&program.text, model);
    if mark.exists() {
        return Ok(());
    }
    let inputs = program.expectation.inputs.as_deref().unwrap_or_default();
    let outcome = compiler::outcome(model, &[], &program.path, inputs, Limits::seconds(TIME_LIMIT))?;
    program.expectation.check(model, &outcome)?;
    mark.set();
    Ok(())
}
