//! What the values rest on about the world outside of the program.

use cfa::{Callee, EdgeKind, Environment, ExprKind, FunctionId, Program};
use encode::Assumption;
use std::collections::BTreeSet;

/// The assumptions that a program gives occasion to.
pub fn assumptions(program: &Program) -> Vec<String> {
    let mut found = BTreeSet::from([Assumption::ValidMemory, Assumption::AddressValues]);
    found.extend(called(program).into_iter().filter_map(|function| assumption(program, function)));
    found.iter().map(ToString::to_string).collect()
}

fn assumption(program: &Program, function: FunctionId) -> Option<Assumption> {
    let info = &program.functions[function];
    match info.library {
        _ if info.body.is_some() => None,
        None => Some(Assumption::UndefinedFunction(program.function_name(function).into())),
        Some(library) if library.allocates() && program.environment == Environment::Benign => {
            Some(Assumption::AllocationSucceeds)
        }
        Some(_) => None,
    }
}

/// Functions that are called by name, or may be by a pointer.
fn called(program: &Program) -> BTreeSet<FunctionId> {
    let direct = program.edges.iter().filter_map(|edge| match edge.kind {
        EdgeKind::Call(call) => match program.calls[call].callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(_) => None,
        },
        _ => None,
    });
    let addressed = program.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::FunctionAddress(function) => Some(function),
        _ => None,
    });
    direct.chain(addressed).collect()
}
