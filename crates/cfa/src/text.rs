//! The automata as a listing for people: `L3 -> L4: x = y + 1  // file.c:12`.

use crate::expression::operation;
use crate::program::*;
use crate::type_name::declaration;
use std::fmt::Write;

/// All functions that have a body, in the order of their locations.
pub fn listing(program: &Program) -> String {
    let mut functions: Vec<_> = program.defined_functions().collect();
    functions.sort_by_key(|(_, _, body)| body.locations.start);
    let texts: Vec<String> = functions.iter().map(|&(id, ..)| function_listing(program, id)).collect();
    texts.join("\n")
}

/// One function; nothing if it has no body.
pub fn function_listing(program: &Program, function: FunctionId) -> String {
    let Function { ty, body: Some(body), .. } = &program.functions[function] else { return String::new() };
    let mut out = declaration(program, *ty, program.function_name(function));
    // Writing to a string cannot fail.
    let _ = writeln!(out, ": L{} to L{}", body.entry.0, body.exit.0);
    for number in body.edges.clone() {
        let edge = program.edges[EdgeId(number)];
        let _ = write!(out, "  {}", edge_text(program, edge));
        match program.sources.position(edge.span) {
            Some(position) => {
                let _ = writeln!(out, "  // {}:{}", position.file, position.line);
            }
            None => out.push('\n'),
        }
    }
    out
}

/// `L3 -> L4: x = y + 1`
pub fn edge_text(program: &Program, edge: Edge) -> String {
    format!("L{} -> L{}: {}", edge.from.0, edge.to.0, operation(program, edge.kind))
}
