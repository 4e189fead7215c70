//! The automata as a graph for Graphviz.

use crate::expression::operation;
use crate::program::*;
use std::fmt::Write;

/// All functions that have a body, a cluster each.
pub fn dot(program: &Program) -> String {
    let functions: Vec<FunctionId> = program.defined_functions().map(|(id, ..)| id).collect();
    graph(program, &functions)
}

/// One function.
pub fn function_dot(program: &Program, function: FunctionId) -> String {
    graph(program, &[function])
}

fn graph(program: &Program, functions: &[FunctionId]) -> String {
    let mut out = String::from("digraph cfa {\n  node [shape=circle];\n");
    for &function in functions {
        if let Some(body) = &program.functions[function].body {
            cluster(program, function, body, &mut out);
        }
    }
    out.push_str("}\n");
    out
}

fn cluster(program: &Program, function: FunctionId, body: &Body, out: &mut String) {
    let name = escaped(program.function_name(function));
    // Writing to a string cannot fail.
    let _ = writeln!(out, "  subgraph cluster_{} {{\n    label=\"{name}\";", function.0);
    for number in body.locations.clone() {
        let shape = match LocationId(number) {
            location if location == body.entry => ", penwidth=2",
            location if location == body.exit => ", shape=doublecircle",
            _ => "",
        };
        let _ = writeln!(out, "    L{number} [label=\"{number}\"{shape}];");
    }
    for number in body.edges.clone() {
        let Edge { from, to, kind, .. } = program.edges[EdgeId(number)];
        let label = escaped(&operation(program, kind));
        let _ = writeln!(out, "    L{} -> L{} [label=\"{label}\"];", from.0, to.0);
    }
    out.push_str("  }\n");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
