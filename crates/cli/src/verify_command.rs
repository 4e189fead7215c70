//! `proviso verify`: is the property violated?

use crate::Exit;
use crate::arguments::{EngineName, StrategyName, UnwindingArguments, VerifyArguments};
use crate::checks;
use crate::output::print;
use base::Budget;
use cfa::Program;
use engines::counterexample::Counterexample;
use engines::unwind::Violation;
use engines::{Analyses, Findings, Options, Outcome, Reason, Status, Strategy, Task};
use replay::Trace;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use task::condition::{Automaton, Part};
use task::{Condition, Goal, Property};

pub fn run(arguments: &VerifyArguments) -> Result<Exit, String> {
    let mut property = property(&arguments.property)?;
    checks::add(&mut property.goals, &arguments.check);
    checks::refuse_unknown_goals(&property.goals)?;
    let budget = budget(arguments);
    stop_on_signals(&budget)?;
    let loaded = frontend::load(&arguments.program.options()).map_err(|error| error.to_string())?;
    eprint!("{}", loaded.warnings);
    let program = &loaded.program;
    if program.main.is_none() {
        return Err("there is no function 'main' to start from".into());
    }
    let goals = &property.goals[..];
    let condition = match &arguments.condition_in {
        Some(path) => Some(read_condition(path, program, goals)?),
        None => None,
    };
    let analyses = Analyses::new(program);
    let task = Task { program, analyses: &analyses, goals, condition: condition.as_ref(), budget: &budget };
    let findings = verify(task, arguments)?;
    let exit = report(task, &findings, arguments)?;
    // The process ends here: taking everything apart piece by piece would only cost time.
    std::mem::forget((findings, analyses, loaded));
    Ok(exit)
}

fn property(argument: &str) -> Result<Property, String> {
    if !Path::new(argument).exists() {
        return Property::named(argument).map_err(|error| error.to_string());
    }
    let text = std::fs::read_to_string(argument).map_err(|error| format!("{argument}: {error}"))?;
    Property::parse(&text).map_err(|error| format!("{argument}: {error}"))
}

fn budget(arguments: &VerifyArguments) -> Budget {
    let mut budget = Budget::unlimited();
    if let Some(limit) = arguments.time_limit {
        budget = budget.with_time(limit);
    }
    if let Some(limit) = arguments.memory_limit {
        budget = budget.with_memory(limit);
    }
    budget
}

/// Ctrl-C and a request to terminate end the search, not the process: what has been found is told.
fn stop_on_signals(budget: &Budget) -> Result<(), String> {
    let cancel = budget.cancel_flag();
    ctrlc::set_handler(move || cancel.store(true, Ordering::Relaxed))
        .map_err(|error| format!("cannot listen to signals: {error}"))
}

fn verify(task: Task<'_>, arguments: &VerifyArguments) -> Result<Findings, String> {
    let options = options(task.analyses, &arguments.unwinding)?;
    let findings = match arguments.engine {
        EngineName::Bmc => engines::bmc::run(task, &options),
        EngineName::Kinduction => engines::kinduction::run(task, &options),
        EngineName::Explicit => crate::explicit::run(task, arguments)?,
    };
    match &findings.outcome {
        Outcome::Unknown { reason: Reason::Solver(error) } => Err(error.to_string()),
        Outcome::True if arguments.check_proof => check_proof(task, &options, findings),
        _ => Ok(findings),
    }
}

/// A TRUE whose proof does not hold is none.
fn check_proof(task: Task<'_>, options: &Options, findings: Findings) -> Result<Findings, String> {
    match engines::proof::check(task, options, &findings) {
        Ok(()) => Ok(findings),
        Err(Reason::Stopped(reason)) => {
            Ok(Findings::new(Outcome::Unknown { reason: Reason::Stopped(reason) }))
        }
        Err(reason) => Err(format!("the proof of TRUE does not hold: {}", describe(task.program, &reason))),
    }
}

fn options(analyses: &Analyses, arguments: &UnwindingArguments) -> Result<Options, String> {
    let named = |name: &str| analyses.loops.loops.enumerated().find(|(_, info)| info.name == name);
    let mut max_unwind_of = FxHashMap::default();
    for (name, limit) in &arguments.unwind_loop {
        let (id, _) = named(name).ok_or_else(|| {
            format!("there is no loop '{name}': `proviso cfa --loops` lists the names of all loops")
        })?;
        max_unwind_of.insert(id, *limit);
    }
    Ok(Options {
        max_unwind: arguments.unwind,
        max_unwind_of,
        strategy: match arguments.unwind_strategy {
            StrategyName::Auto => Strategy::Auto,
            StrategyName::InnerFirst => Strategy::InnerFirst,
            StrategyName::AllLoops => Strategy::AllLoops,
        },
        restart: arguments.restart,
        all_properties: arguments.all_properties,
        slicing: !arguments.no_slicing,
        preprocessing: !arguments.no_preprocessing,
        refinement: !arguments.no_refinement,
        solver: arguments.solver.clone(),
        ..Options::default()
    })
}

fn read_condition(path: &Path, program: &Program, goals: &[Goal]) -> Result<Condition, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
    let condition = Condition::parse(&text, program).map_err(|error| fault(&error))?;
    condition.check_goals(goals).map_err(|error| fault(&error))?;
    Ok(condition)
}

/// All that has been verified: by this run, and before.
fn condition(task: Task<'_>, findings: &Findings) -> Condition {
    let mut condition =
        task.condition.cloned().unwrap_or_else(|| Condition::nothing(task.program, task.goals));
    let mut new = Condition::nothing(task.program, task.goals);
    new.assumptions.clone_from(&findings.assumptions);
    new.covered.extend(match findings.outcome {
        Outcome::True => Some(Part::Automaton(Automaton::everything())),
        _ => findings.covered.clone(),
    });
    condition.add(new);
    condition
}

fn write_condition(path: &Path, condition: &Condition, program: &Program) -> Result<(), String> {
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => task::condition::json::write(condition),
        Some("spc") => task::condition::cpachecker::write(condition, program)
            .ok_or_else(|| format!("{}: the condition has no automaton", path.display()))?,
        _ => task::condition::text::write(condition, Some(program)),
    };
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// What was found, and as the last line the verdict.
fn report(task: Task<'_>, findings: &Findings, arguments: &VerifyArguments) -> Result<Exit, String> {
    let mut text = properties(task, findings, arguments);
    let exit = match &findings.outcome {
        Outcome::True => {
            text += &assuming(findings);
            text += "TRUE\n";
            Exit::Success
        }
        Outcome::False { goal, counterexample } => {
            if findings.properties.is_empty() {
                text += &trace(task, counterexample, arguments);
            }
            text += &format!("FALSE({goal})\n");
            Exit::Violated
        }
        Outcome::Unknown { reason } => {
            text += &format!("stopped: {}\n", describe(task.program, reason));
            let condition = condition(task, findings);
            text += &task::condition::text::summary(&condition);
            text += "UNKNOWN\n";
            Exit::Inconclusive
        }
    };
    if let Some(path) = &arguments.condition_out {
        write_condition(path, &condition(task, findings), task.program)?;
    }
    print(&text)?;
    Ok(exit)
}

fn assuming(findings: &Findings) -> String {
    findings.assumptions.iter().map(|assumption| format!("assuming: {assumption}\n")).collect()
}

/// A line, and a trace if it is violated, for each place where the property can be violated.
fn properties(task: Task<'_>, findings: &Findings, arguments: &VerifyArguments) -> String {
    let mut text = String::new();
    for property in &findings.properties {
        let program = task.program;
        let place = program.sources.position(program.edges[property.edge].span);
        let place = place.map_or(String::new(), |position| format!("{position}: "));
        let what = describe_violation(program, property.violation);
        match &property.status {
            Status::Holds => text += &format!("{place}{what}: TRUE\n"),
            Status::Open => text += &format!("{place}{what}: UNKNOWN\n"),
            Status::Violated(run) => {
                text += &trace(task, run, arguments);
                text += &format!("{place}{what}: FALSE\n");
            }
        }
    }
    text
}

fn describe_violation(program: &Program, violation: Violation) -> String {
    match violation {
        Violation::Call(function) => format!("call of {}()", program.function_name(function)),
        Violation::Check(check) => check.to_string(),
    }
}

fn trace(task: Task<'_>, found: &Counterexample, arguments: &VerifyArguments) -> String {
    let mut trace = Trace::new(arguments.trace.into());
    found.replay(task.program, task.goals, &Budget::unlimited(), &mut trace);
    trace.lines().iter().map(|line| format!("{line}\n")).collect()
}

fn describe(program: &Program, reason: &Reason) -> String {
    match reason {
        Reason::Stopped(reason) => reason.to_string(),
        Reason::BoundReached => "the unwinding limit".into(),
        Reason::Obstacle { what, edge } => match program.sources.position(program.edges[*edge].span) {
            Some(position) => format!("not modelled: {what} at {position}"),
            None => format!("not modelled: {what}"),
        },
        Reason::NotConfirmed(ending) => {
            format!("a counterexample was not confirmed by running it ({ending})")
        }
        Reason::Open(why) => why.clone(),
        Reason::NoProof(why) => (*why).into(),
        Reason::Solver(error) => error.to_string(),
    }
}
