//! The abstract reachability graph for people and programs.

use crate::{Analysis, NodeId, Reached};
use std::fmt::Write;

/// Graphviz text; dashed lines lead to covering states.
pub fn dot<A: Analysis>(
    reached: &Reached<A>,
    state: impl Fn(&A::State) -> String,
    choice: impl Fn(A::Choice) -> String,
    end: impl Fn(&A::End) -> String,
) -> String {
    let mut out = String::from("digraph arg {\n  node [shape=box];\n");
    // Writing to a string cannot fail.
    for node in reached.nodes() {
        let _ = writeln!(out, "  n{} [label={}];", node.0, quoted(&state(reached.state(node))));
        if let Some((parent, way)) = reached.parent(node) {
            let _ = writeln!(out, "  n{} -> n{} [label={}];", parent.0, node.0, quoted(&choice(way)));
        }
    }
    for way in &reached.covered {
        let label = quoted(&choice(way.choice));
        let _ = writeln!(out, "  n{} -> n{} [style=dashed, label={label}];", way.from.0, way.to.0);
    }
    for (index, ended) in reached.ends.iter().enumerate() {
        let _ = writeln!(out, "  e{index} [shape=octagon, label={}];", quoted(&end(&ended.end)));
        let _ = writeln!(out, "  n{} -> e{index} [label={}];", ended.from.0, quoted(&choice(ended.choice)));
    }
    out.push_str("}\n");
    out
}

/// `{"nodes": [{"state": …, "parent": …, "choice": …}], "covered": […], "ends": […]}`
pub fn json<A: Analysis>(
    reached: &Reached<A>,
    state: impl Fn(&A::State) -> String,
    choice: impl Fn(A::Choice) -> String,
    end: impl Fn(&A::End) -> String,
) -> String {
    let node = |node: NodeId| {
        let way = match reached.parent(node) {
            Some((parent, way)) => {
                format!(", \"parent\": {}, \"choice\": {}", parent.0, quoted(&choice(way)))
            }
            None => String::new(),
        };
        format!("    {{\"state\": {}{way}}}", quoted(&state(reached.state(node))))
    };
    let nodes: Vec<String> = reached.nodes().map(node).collect();
    let covered = reached.covered.iter().map(|way| {
        format!(
            "    {{\"from\": {}, \"choice\": {}, \"to\": {}}}",
            way.from.0,
            quoted(&choice(way.choice)),
            way.to.0
        )
    });
    let ends = reached.ends.iter().map(|ended| {
        let (way, why) = (quoted(&choice(ended.choice)), quoted(&end(&ended.end)));
        format!("    {{\"from\": {}, \"choice\": {way}, \"end\": {why}}}", ended.from.0)
    });
    let (covered, ends) = (covered.collect::<Vec<_>>(), ends.collect::<Vec<_>>());
    format!(
        "{{\n  \"nodes\": [\n{}\n  ],\n  \"covered\": [\n{}\n  ],\n  \"ends\": [\n{}\n  ]\n}}\n",
        nodes.join(",\n"),
        covered.join(",\n"),
        ends.join(",\n")
    )
}

/// A string literal that DOT and JSON both understand.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
