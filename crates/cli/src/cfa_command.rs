//! `proviso cfa`: the automata of a program.

use crate::Exit;
use crate::arguments::CfaArguments;
use crate::output::print;
use cfa::loops::Loops;
use cfa::summary::{Boundaries, Summary};
use cfa::{FunctionId, Program};
use std::fmt::Write;

pub fn run(arguments: &CfaArguments) -> Result<Exit, String> {
    let loaded = frontend::load(&arguments.program.options()).map_err(|error| error.to_string())?;
    eprint!("{}", loaded.warnings);
    let program = &loaded.program;
    let function = arguments.function.as_deref().map(|name| find(program, name)).transpose()?;
    if !arguments.quiet {
        print(&text(arguments, program, function))?;
    }
    // The process ends here: taking a large program apart piece by piece would only cost time.
    std::mem::forget(loaded);
    Ok(Exit::Success)
}

fn find(program: &Program, name: &str) -> Result<FunctionId, String> {
    match program.function_named(name) {
        Some(id) if program.functions[id].body.is_some() => Ok(id),
        Some(_) => Err(format!("function '{name}' has no body in this program")),
        None => Err(format!("there is no function '{name}'")),
    }
}

fn text(arguments: &CfaArguments, program: &Program, function: Option<FunctionId>) -> String {
    match function {
        _ if arguments.loops => loop_list(program, function),
        _ if arguments.summarise => summaries(program, function, arguments.dot),
        None if arguments.dot => cfa::dot::dot(program),
        Some(function) if arguments.dot => cfa::dot::function_dot(program, function),
        _ if arguments.json => cfa::json::json(program, function),
        None => cfa::text::listing(program),
        Some(function) => cfa::text::function_listing(program, function),
    }
}

/// The large blocks of one function, or of all.
fn summaries(program: &Program, function: Option<FunctionId>, dot: bool) -> String {
    let error = ["reach_error", "__VERIFIER_error"].iter().find_map(|name| program.function_named(name));
    let describe = |edge| cfa::expression::operation(program, program.edges[edge].kind);
    let mut out = String::new();
    for (id, _, body) in program.defined_functions() {
        if function.is_some_and(|function| function != id) {
            continue;
        }
        let summary = Summary::new(program, body, &Boundaries::of_function(program, body, error));
        let name = program.function_name(id);
        if dot {
            out.push_str(&summary.to_dot(name, &describe));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "{name}:\n{}", summary.to_text(&describe));
        }
    }
    out
}

/// A line for each loop: its name, where it is, how deep it is nested.
fn loop_list(program: &Program, function: Option<FunctionId>) -> String {
    let loops = Loops::new(program);
    let mut out = String::new();
    for (_, info) in loops.loops.enumerated() {
        if function.is_some_and(|function| function != info.function) {
            continue;
        }
        let indent = "  ".repeat(info.depth as usize - 1);
        let head = program.leaving(info.head).first().and_then(|edge| program.sources.position(edge.span));
        let place = head.map_or(String::new(), |position| format!("  {position}"));
        let kind = if info.is_irreducible() { "  (irreducible)" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{indent}{}{place}{kind}", info.name);
    }
    out
}
