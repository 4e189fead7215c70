//! `proviso compare`: which of two conditions covers more?

use crate::Exit;
use crate::arguments::CompareArguments;
use crate::output::print;
use cfa::{LocationId, Program};
use engines::Analyses;
use engines::compare::{COUNTED_DECISIONS, Comparison, Open, compare};
use std::path::Path;
use task::Condition;

pub fn run(arguments: &CompareArguments) -> Result<Exit, String> {
    let loaded = frontend::load(&arguments.program.options()).map_err(|error| error.to_string())?;
    let program = &loaded.program;
    let (first, second) = (read(&arguments.first, program)?, read(&arguments.second, program)?);
    let analyses = Analyses::new(program);
    let comparison = compare(program, &analyses.points_to, &analyses.loops, &first, &second);
    print(&describe(program, &comparison))?;
    Ok(Exit::Success)
}

fn read(path: &Path, program: &Program) -> Result<Condition, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| fault(&error))?;
    Condition::parse(&text, program).map_err(|error| fault(&error))
}

fn describe(program: &Program, comparison: &Comparison) -> String {
    let mut text = String::new();
    for (name, open) in ["A", "B"].iter().zip(&comparison.open) {
        let Open { edges, branches, loops, all: [all_edges, all_branches, all_loops], paths, all_paths } =
            open;
        text += &format!(
            "{name} leaves open: {edges} of {all_edges} edges, {branches} of {all_branches} branches, \
             {loops} of {all_loops} loops, {paths} of {all_paths} paths of up to {COUNTED_DECISIONS} decisions\n"
        );
    }
    let place = |location: LocationId| {
        let span = program.leaving(location).first().map(|edge| edge.span);
        span.and_then(|span| program.sources.position(span))
            .map_or("the end of a function".into(), |position| position.to_string())
    };
    let mut differ = |who: &str, locations: &[LocationId]| {
        let mut places: Vec<String> = locations.iter().map(|&location| place(location)).collect();
        places.sort();
        places.dedup();
        places.iter().for_each(|place| text += &format!("{who} on a path to {place}\n"));
    };
    differ("A is verified and B open", &comparison.first_covers_more);
    differ("B is verified and A open", &comparison.second_covers_more);
    if comparison.is_partial {
        text += "the program is too large to look at all of it\n";
    }
    text + verdict(comparison)
}

/// The last line: a weaker condition assumes less, so it covers more.
fn verdict(comparison: &Comparison) -> &'static str {
    let automata = (!comparison.first_covers_more.is_empty(), !comparison.second_covers_more.is_empty());
    let bounds = comparison.larger_bounds;
    match (automata.0 || bounds.0, automata.1 || bounds.1) {
        (false, false) => "A and B cover the same\n",
        (true, false) => "A is weaker: it covers more than B\n",
        (false, true) => "B is weaker: it covers more than A\n",
        (true, true) => "A and B differ: each covers something that the other does not\n",
    }
}
