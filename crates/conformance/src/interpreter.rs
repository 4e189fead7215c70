//! Runs a C program under `proviso run`.

use crate::process::{self, Ending, Finished, Limits};
use crate::{DataModel, Outcome, tool};
use std::path::Path;
use std::process::Command;

/// What `proviso run` is asked to do.
pub struct Request<'a> {
    pub program: &'a Path,
    pub model: DataModel,
    pub inputs: Option<&'a Path>,
    pub include: Option<&'a Path>,
    pub step_limit: Option<u64>,
    pub limits: Limits,
}

/// The outcome, and the exit code of the tool itself.
pub struct Interpreted {
    pub outcome: Outcome,
    pub exit_code: i32,
}

/// An error is a text on why there is no outcome: no last line, a crash, a time-out.
pub fn run(request: &Request) -> Result<Interpreted, String> {
    let finished = process::run(&command(request)?, request.limits).map_err(|error| error.to_string())?;
    let Ending::Exit(exit_code) = finished.ending else {
        return Err(broken(&finished, "proviso did not end by itself"));
    };
    let Some(ended) = last_line(&finished).and_then(|line| Some(line.strip_prefix("ended: ")?.to_string()))
    else {
        return Err(broken(&finished, "the last line of stderr does not start with `ended: `"));
    };
    let output = String::from_utf8_lossy(&finished.stdout).into_owned();
    Ok(Interpreted { outcome: Outcome { output, ended }, exit_code })
}

fn command(request: &Request) -> Result<Command, String> {
    let mut command = Command::new(tool::proviso().ok_or("there is no proviso binary")?);
    command.args(["run", "--data-model", request.model.name()]);
    if let Some(inputs) = request.inputs {
        command.arg("--inputs").arg(inputs);
    }
    if let Some(steps) = request.step_limit {
        command.arg("--step-limit").arg(steps.to_string());
    }
    if let Some(directory) = request.include {
        command.arg("-I").arg(directory);
    }
    command.arg(request.program);
    Ok(command)
}

fn last_line(finished: &Finished) -> Option<String> {
    finished.stderr_text().lines().last().map(str::to_string)
}

fn broken(finished: &Finished, what: &str) -> String {
    let text = finished.stderr_text();
    let lines: Vec<&str> = text.lines().collect();
    let tail = lines[lines.len().saturating_sub(5)..].join("\n");
    format!("{what} ({:?}); stderr ends:\n{tail}", finished.ending)
}
