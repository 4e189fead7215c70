//! `proviso verify`: is the property violated?

use crate::Exit;
use crate::arguments::{EngineName, VerifyArguments};
use crate::checks;
use crate::output::print;
use base::Budget;
use cfa::Program;
use engines::bmc::{Analyses, Bmc, Options, Outcome, Reason};
use engines::counterexample::Counterexample;
use replay::Trace;
use std::path::Path;
use std::sync::atomic::Ordering;
use task::{Goal, Property};

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
    let outcome = verify(program, &property.goals, arguments, &budget);
    let exit = report(program, &property.goals, &outcome, arguments)?;
    // The process ends here: taking everything apart piece by piece would only cost time.
    std::mem::forget((outcome, loaded));
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

fn verify(program: &Program, goals: &[Goal], arguments: &VerifyArguments, budget: &Budget) -> Outcome {
    let analyses = Analyses::new(program);
    let options = Options { max_unwind: arguments.unwind, ..Options::default() };
    match arguments.engine {
        EngineName::Bmc => Bmc::new(program, &analyses, goals, options, budget).run(),
        EngineName::Kinduction => engines::kinduction::run(program, &analyses, goals, &options, budget),
    }
}

/// What was found, and as the last line the verdict.
fn report(
    program: &Program,
    goals: &[Goal],
    outcome: &Outcome,
    arguments: &VerifyArguments,
) -> Result<Exit, String> {
    match outcome {
        Outcome::True => {
            print("TRUE\n")?;
            Ok(Exit::Success)
        }
        Outcome::False { goal, counterexample } => {
            let trace = trace(program, goals, counterexample, arguments);
            print(&format!("{trace}FALSE({goal})\n"))?;
            Ok(Exit::Violated)
        }
        Outcome::Unknown { bound, reason } => {
            let bound = match bound {
                Some(bound) => {
                    format!("verified: all runs in which no loop comes back more than {bound} times\n")
                }
                None => String::new(),
            };
            print(&format!("{bound}stopped: {}\nUNKNOWN\n", describe(program, reason)))?;
            Ok(Exit::Inconclusive)
        }
    }
}

fn trace(program: &Program, goals: &[Goal], found: &Counterexample, arguments: &VerifyArguments) -> String {
    let mut trace = Trace::new(arguments.trace.into());
    found.replay(program, goals, &Budget::unlimited(), &mut trace);
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
        Reason::Solver(error) => error.to_string(),
    }
}
