//! The engine `explicit` on the command line: its limits and statistics.

use crate::arguments::VerifyArguments;
use domains::monitors::{Limit, Limits};
use engines::explicit::{Options, Statistics};
use engines::{Findings, Task};

pub fn run(task: Task<'_>, arguments: &VerifyArguments) -> Result<Findings, String> {
    if arguments.check_proof {
        return Err("the engine 'explicit' writes no proof that could be checked".into());
    }
    let options = Options { limits: limits(&arguments.limit)?, ..Options::default() };
    let (findings, statistics) = engines::explicit::run(task, &options);
    if arguments.statistics {
        eprintln!("{}", describe(&statistics));
    }
    Ok(findings)
}

pub fn limits(texts: &[String]) -> Result<Limits, String> {
    let mut limits = Limits::default();
    for text in texts {
        if text == "help" {
            return Err(help());
        }
        limits.add(text).map_err(|error| error.to_string())?;
    }
    Ok(limits)
}

fn help() -> String {
    let rows = Limit::ALL.iter().map(|limit| format!("\n  {:20} {}", limit.name(), limit.help()));
    format!("the limits are{}", rows.collect::<String>())
}

fn describe(statistics: &Statistics) -> String {
    let Statistics { states, steps, alarms, memory, time } = *statistics;
    let seconds = time.as_secs_f64().max(1e-9);
    format!(
        "explicit: {states} states, {steps} successors ({:.2} million a second), {alarms} alarms, \
         {:.0} bytes a state, {seconds:.3} s",
        steps as f64 / seconds / 1e6,
        memory as f64 / states.max(1) as f64,
    )
}
