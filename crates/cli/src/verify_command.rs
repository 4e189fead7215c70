//! `proviso verify`: is the property violated?

use crate::Exit;
use crate::arguments::{EngineName, StrategyName, UnwindingArguments, VerifyArguments};
use crate::checks;
use crate::limits;
use crate::output::print;
use crate::progress;
use crate::report::{Report, describe};
use base::{Budget, memory};
use cfa::Program;
use domains::monitors::Limits;
use engines::{Analyses, Findings, Options, Outcome, Reason, Strategy, Task};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use task::condition::{Automaton, Part};
use task::{Condition, Goal, Property};

pub fn run(arguments: &VerifyArguments) -> Result<Exit, String> {
    let mut property = property(&arguments.property)?;
    checks::add(&mut property.goals, &arguments.check);
    checks::refuse_unknown_goals(&property.goals)?;
    let limits = limits::of(arguments.engine, &arguments.limit)?;
    let budget = budget(arguments);
    stop_on_signals(&budget)?;
    let options = frontend::Options {
        lives: task::lives(&property.goals),
        entry: property.entry.clone(),
        ..arguments.program.options()
    };
    let loaded = frontend::load(&options).map_err(|error| error.to_string())?;
    eprint!("{}", loaded.warnings);
    let program = &loaded.program;
    if program.main.is_none() {
        return Err(format!("there is no function '{}' to start from", property.entry));
    }
    let goals = &property.goals[..];
    let condition = match &arguments.condition_in {
        Some(path) => Some(read_condition(path, program, goals)?),
        None => None,
    };
    let analyses = Analyses::new(program);
    let task = Task { program, analyses: &analyses, goals, condition: condition.as_ref(), budget: &budget };
    let (mut findings, before) = verify(task, arguments, limits)?;
    progress::clear();
    let verified = verified(task, before, &mut findings);
    if let Some(path) = &arguments.condition_out {
        write_condition(path, &verified, program)?;
    }
    let report = Report { task, findings: &findings, verified: &verified, detail: arguments.trace };
    print(&if arguments.json { report.json() } else { report.text() })?;
    let exit = report.exit();
    // The process ends here: taking everything apart piece by piece would only cost time.
    std::mem::forget((findings, verified, analyses, loaded));
    Ok(exit)
}

fn property(argument: &str) -> Result<Property, String> {
    if !Path::new(argument).exists() {
        return Property::named(argument).map_err(|error| error.to_string());
    }
    let text = std::fs::read_to_string(argument).map_err(|error| format!("{argument}: {error}"))?;
    Property::parse(&text).map_err(|error| format!("{argument}: {error}"))
}

/// What a run may take on a machine that is there for other things, too.
const USUAL_MEMORY: u64 = 4 << 30;

fn budget(arguments: &VerifyArguments) -> Budget {
    let mut budget = Budget::unlimited().with_watcher(progress::watcher());
    if let Some(limit) = arguments.time_limit {
        budget = budget.with_time(limit);
    }
    let usual = || memory::available().map_or(USUAL_MEMORY, |available| available.min(USUAL_MEMORY));
    budget = budget.with_memory(arguments.memory_limit.unwrap_or_else(usual));
    if let Some(limit) = memory::address_space() {
        budget = budget.with_address_space(limit);
    }
    budget
}

/// Ctrl-C and a request to terminate end the search, not the process: what has been found is told.
fn stop_on_signals(budget: &Budget) -> Result<(), String> {
    let cancel = budget.cancel_flag();
    ctrlc::set_handler(move || cancel.store(true, Ordering::Relaxed))
        .map_err(|error| format!("cannot listen to signals: {error}"))
}

/// What was found, and what had been verified before.
fn verify(
    task: Task<'_>,
    arguments: &VerifyArguments,
    limits: Limits,
) -> Result<(Findings, Option<Condition>), String> {
    let options = options(task.analyses, &arguments.unwinding)?;
    let mut before = task.condition.cloned();
    let findings = match arguments.engine {
        // Not all that explicit values prove can be checked.
        EngineName::Auto if arguments.check_proof => engines::kinduction::run(task, &options),
        EngineName::Auto => {
            let (findings, condition) = engines::combination::run(task, &options);
            before = condition;
            findings
        }
        EngineName::Bmc => engines::bmc::run(task, &options),
        EngineName::Kinduction => engines::kinduction::run(task, &options),
        EngineName::Explicit => crate::explicit::run(task, arguments, limits)?,
        EngineName::Predicate => crate::predicate::run(task, arguments, &options, limits)?,
    };
    let findings = match &findings.outcome {
        Outcome::Unknown { reason: Reason::Solver(error) } => return Err(error.to_string()),
        Outcome::True if arguments.check_proof => check_proof(task, &options, arguments.engine, findings)?,
        _ => findings,
    };
    Ok((findings, before))
}

/// A TRUE whose proof does not hold is none.
fn check_proof(
    task: Task<'_>,
    options: &Options,
    engine: EngineName,
    findings: Findings,
) -> Result<Findings, String> {
    match engines::proof::check(task, options, &findings) {
        Ok(()) => Ok(findings),
        Err(Reason::Stopped(reason)) => {
            Ok(Findings::new(Outcome::Unknown { reason: Reason::Stopped(reason) }))
        }
        // What the solver can observe at a loop head may be less than what the values were.
        Err(Reason::NoProof(_)) if engine == EngineName::Explicit => {
            let reason = Reason::NoProof("the states are no proof that the solver could follow");
            Ok(Findings::new(Outcome::Unknown { reason }))
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
            StrategyName::Together => Strategy::Together,
        },
        restart: arguments.restart,
        all_properties: arguments.all_properties,
        slicing: !arguments.no_slicing,
        preprocessing: !arguments.no_preprocessing,
        refinement: !arguments.no_refinement,
        states: !arguments.no_states,
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

/// All that has been verified: by this run, which hands it over, and before.
fn verified(task: Task<'_>, before: Option<Condition>, findings: &mut Findings) -> Condition {
    let mut condition = before.unwrap_or_else(|| Condition::nothing(task.program, task.goals));
    let mut new = Condition::nothing(task.program, task.goals);
    new.assumptions.clone_from(&findings.assumptions);
    new.covered.extend(match findings.outcome {
        Outcome::True => Some(Part::Automaton(Automaton::everything())),
        _ => findings.covered.take(),
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
