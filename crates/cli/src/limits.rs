//! `--limit NAME=VALUE`: what is said of limits, and which engine has which.

use crate::arguments::EngineName;
use domains::monitors::{Limit, Limits};

/// One limit, checked; `help` lists them all.
pub fn parse(text: &str) -> Result<String, String> {
    if text == "help" {
        return Err(help());
    }
    Limits::default().add(text).map_err(|error| error.to_string())?;
    Ok(text.into())
}

fn help() -> String {
    let rows = Limit::ALL.iter().map(|limit| format!("\n  {:20} {}", limit.name(), limit.help()));
    format!("the limits are{}", rows.collect::<String>())
}

/// All limits that were given, if the engine has them.
pub fn of(engine: EngineName, texts: &[String]) -> Result<Limits, String> {
    let (name, known): (_, &[Limit]) = match engine {
        EngineName::Explicit => ("explicit", Limit::ALL),
        EngineName::Predicate => ("predicate", &[Limit::States, Limit::RepeatLocations, Limit::RefineTime]),
        EngineName::Auto => ("auto", &[]),
        EngineName::Bmc => ("bmc", &[]),
        EngineName::Kinduction => ("kinduction", &[]),
    };
    let mut limits = Limits::default();
    for text in texts {
        limits.add(text).map_err(|error| error.to_string())?;
    }
    let mut others = Limit::ALL.iter().filter(|limit| !known.contains(limit));
    match others.find(|&&limit| limits.get(limit).is_some()) {
        Some(limit) => Err(format!("the engine '{name}' has no limit '{}'", limit.name())),
        None => Ok(limits),
    }
}
