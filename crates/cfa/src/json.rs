//! The automata as JSON, for other tools.
//!
//! ```text
//! { "entry": FUNCTION-NAME,
//!   "functions": [
//!     { "name": STRING,
//!       "type": STRING,                  in C syntax
//!       "parameters": [VARIABLE…], "locals": [VARIABLE…],
//!       "entry": LOCATION, "exit": LOCATION, "locations": [FIRST, LAST],
//!       "edges": [
//!         { "from": LOCATION, "to": LOCATION,
//!           "kind": "skip" | "assume" | "assign" | "zero" | "declare" | "declare-vla" | "end-of-life"
//!                 | "input" | "call" | "return" | "va-start" | "va-arg" | "va-copy" | "va-end" | "unsupported",
//!           "text": STRING,              the operation in C syntax
//!           "truth": BOOLEAN,            of an assume
//!           "file": STRING, "line": NUMBER, "column": NUMBER }…]}…],
//!   "globals": [VARIABLE…] }
//! ```
//!
//! A VARIABLE is `{ "name": STRING, "type": STRING, "declaration": STRING }`, a LOCATION a number that
//! is unique in the program. Functions without a body are left out, and so are keys that do not
//! apply. The order is that of the program; fields may be added, but none of these will change its
//! meaning.

use crate::expression::operation;
use crate::program::*;
use crate::type_name::{declaration, type_name};

/// The program, or just one of its functions.
pub fn json(program: &Program, only: Option<FunctionId>) -> String {
    let functions: Vec<String> = program
        .defined_functions()
        .filter(|&(id, ..)| only.is_none_or(|only| only == id))
        .map(|(_, function, body)| function_json(program, function, body))
        .collect();
    let globals: Vec<String> = program
        .variables
        .iter()
        .filter(|variable| variable.kind.is_global())
        .map(|variable| variable_json(program, variable))
        .collect();
    format!(
        "{{\"entry\":{},\n\"functions\":[\n{}],\n\"globals\":[\n{}]}}\n",
        quoted(program.function_name(program.entry)),
        functions.join(",\n"),
        globals.join(",\n"),
    )
}

fn function_json(program: &Program, function: &Function, body: &Body) -> String {
    let variables = |ids: &[VariableId]| {
        let list: Vec<String> =
            ids.iter().map(|&id| variable_json(program, &program.variables[id])).collect();
        list.join(",")
    };
    let edges: Vec<String> =
        body.edges.clone().map(|number| edge_json(program, program.edges[EdgeId(number)])).collect();
    format!(
        "{{\"name\":{},\"type\":{},\"parameters\":[{}],\"locals\":[{}],\n\"entry\":{},\"exit\":{},\
         \"locations\":[{},{}],\n\"edges\":[\n{}]}}",
        quoted(program.name(function.name)),
        quoted(&type_name(program, function.ty)),
        variables(&body.parameters),
        variables(&body.locals),
        body.entry.0,
        body.exit.0,
        body.locations.start,
        body.locations.end - 1,
        edges.join(",\n"),
    )
}

fn variable_json(program: &Program, variable: &Variable) -> String {
    let name = program.name(variable.name);
    format!(
        "{{\"name\":{},\"type\":{},\"declaration\":{}}}",
        quoted(name),
        quoted(&type_name(program, variable.ty)),
        quoted(&declaration(program, variable.ty, name)),
    )
}

fn edge_json(program: &Program, edge: Edge) -> String {
    let mut out = format!(
        "{{\"from\":{},\"to\":{},\"kind\":\"{}\",\"text\":{}",
        edge.from.0,
        edge.to.0,
        kind_name(edge.kind),
        quoted(&operation(program, edge.kind)),
    );
    if let EdgeKind::Assume { truth, .. } = edge.kind {
        out.push_str(&format!(",\"truth\":{truth}"));
    }
    if let Some(position) = program.sources.position(edge.span) {
        let file = quoted(&position.file);
        out.push_str(&format!(",\"file\":{file},\"line\":{},\"column\":{}", position.line, position.column));
    }
    out.push('}');
    out
}

fn kind_name(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Skip => "skip",
        EdgeKind::Assume { .. } => "assume",
        EdgeKind::Assign { .. } => "assign",
        EdgeKind::Zero { .. } => "zero",
        EdgeKind::Declare { .. } => "declare",
        EdgeKind::DeclareVla { .. } => "declare-vla",
        EdgeKind::EndOfLife { .. } => "end-of-life",
        EdgeKind::Input { .. } => "input",
        EdgeKind::Call(_) => "call",
        EdgeKind::Return { .. } => "return",
        EdgeKind::VaStart { .. } => "va-start",
        EdgeKind::VaArg { .. } => "va-arg",
        EdgeKind::VaCopy { .. } => "va-copy",
        EdgeKind::VaEnd { .. } => "va-end",
        EdgeKind::Approximate(_) => "approximate",
        EdgeKind::Unsupported(_) => "unsupported",
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
