//! `proviso run`: executes a program on its automata and says how it ended.

use crate::Exit;
use crate::arguments::{CheckName, RunArguments};
use base::Budget;
use cfa::Program;
use replay::{Checks, Detail, Ending, Inputs, LeakCheck, List, Options, Printer, Random, Trace, Zeros};
use std::io::Write;

pub fn run(arguments: &RunArguments) -> Result<Exit, String> {
    let loaded = frontend::load(&arguments.program.options()).map_err(|error| error.to_string())?;
    eprint!("{}", loaded.warnings);
    let mut inputs = inputs(arguments)?;
    let options = options(arguments);
    let program = &loaded.program;
    let run = match arguments.trace {
        Some(level) => traced(program, &mut *inputs, &options, level.into()),
        None => {
            let mut printer =
                Printer { output: std::io::BufWriter::new(std::io::stdout()), error: std::io::stderr() };
            let run = replay::run(program, &mut *inputs, &options, &mut printer);
            // A closed pipe is no concern of the program that ran.
            let _ = printer.output.flush();
            run
        }
    };
    report(program, &run.ending, arguments);
    std::mem::forget(loaded);
    Ok(exit_of(&run.ending))
}

fn inputs(arguments: &RunArguments) -> Result<Box<dyn Inputs>, String> {
    if let Some(path) = &arguments.inputs {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let list = List::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok(Box::new(list));
    }
    Ok(match arguments.seed {
        Some(seed) => Box::new(Random::new(seed)),
        None => Box::new(Zeros),
    })
}

fn options(arguments: &RunArguments) -> Options {
    let checked = |check| arguments.check.contains(&check);
    let checks = Checks {
        signed_overflow: checked(CheckName::Overflow),
        shift_range: checked(CheckName::Shift),
        index_range: checked(CheckName::Bounds),
        uninitialised_use: checked(CheckName::Uninitialised),
        leaks: if checked(CheckName::Leak) { LeakCheck::Any } else { LeakCheck::Off },
    };
    let mut options = Options {
        checks,
        arguments: Some(vec!["program".into()]),
        step_limit: arguments.step_limit.unwrap_or(u64::MAX),
        ..Options::default()
    };
    if let Some(limit) = arguments.time_limit {
        options.budget = Budget::unlimited().with_time(limit);
    }
    options
}

/// A trace is long only where the program runs long; more lines than this help nobody.
const LONGEST_TRACE: usize = 100_000;

fn traced(program: &Program, inputs: &mut dyn Inputs, options: &Options, detail: Detail) -> replay::Run {
    let mut trace = Trace::new(detail).with_limit(LONGEST_TRACE);
    let run = replay::run(program, inputs, options, &mut trace);
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for line in trace.lines() {
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    let _ = out.flush();
    run
}

/// The details, and as the last line the ending in words that scripts can match.
fn report(program: &Program, ending: &Ending, arguments: &RunArguments) {
    let position = ending.span().and_then(|span| program.sources.position(span));
    let place = position.as_ref().map_or(String::new(), |position| format!(" at {position}"));
    let details = matches!(ending, Ending::Violation(_) | Ending::AssertionFailed { .. });
    if let (true, Some(position)) = (details, &position) {
        eprintln!("{position}: {ending}");
    }
    let what = match ending {
        Ending::Exit(status) => format!("exit status {}", status & 0xff),
        Ending::Aborted(_) => "aborted".into(),
        Ending::Violation(violation) => violation.kind.name().into(),
        Ending::AssertionFailed { .. } => "assertion failed".into(),
        Ending::StepLimit => format!("step limit {} reached", arguments.step_limit.unwrap_or(u64::MAX)),
        Ending::NoMain => "there is no function 'main' to run".into(),
        other => other.to_string(),
    };
    let place = if matches!(ending, Ending::Aborted(_)) { String::new() } else { place };
    eprintln!("ended: {what}{place}");
}

fn exit_of(ending: &Ending) -> Exit {
    match ending {
        Ending::Exit(_) | Ending::Aborted(_) | Ending::AssumptionViolated(_) => Exit::Success,
        Ending::ErrorCall { .. } | Ending::AssertionFailed { .. } | Ending::Violation(_) => Exit::Violated,
        Ending::InputsExhausted(_)
        | Ending::StackOverflow(_)
        | Ending::StepLimit
        | Ending::Stopped(_)
        | Ending::Unsupported { .. } => Exit::Inconclusive,
        Ending::NoMain => Exit::Error,
    }
}
