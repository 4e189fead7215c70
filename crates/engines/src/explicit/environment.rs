//! What the values rest on about the world outside of the program.

use cfa::{Callee, EdgeKind, Program};
use encode::Assumption;
use std::collections::BTreeSet;

/// The assumptions that a program gives occasion to.
pub fn assumptions(program: &Program) -> Vec<String> {
    let mut found = BTreeSet::from([Assumption::ValidMemory, Assumption::AddressValues]);
    for edge in program.edges.iter() {
        let EdgeKind::Call(call) = edge.kind else { continue };
        let Callee::Direct(function) = program.calls[call].callee else { continue };
        let info = &program.functions[function];
        match info.library {
            _ if info.body.is_some() => {}
            None => drop(found.insert(Assumption::UndefinedFunction(program.function_name(function).into()))),
            Some(library) if format!("{library:?}").ends_with("lloc") => {
                found.insert(Assumption::AllocationSucceeds);
            }
            Some(_) => {}
        }
    }
    found.iter().map(ToString::to_string).collect()
}
