//! Which loops are unwound to their end before the execution goes on.
//!
//! An inner loop that counts to a constant has an end that is near: unwinding it at once gives the
//! loop around it whole iterations to look at. A loop without such a bound might go on for ever, and
//! is unwound one step at a time, together with all the others.

use crate::options::Strategy;
use cfa::loops::{Loop, LoopId, Loops};
use cfa::{EdgeKind, ExprId, ExprKind, PlaceBase, Program, VariableId};
use rustc_hash::FxHashSet;

/// For each loop, whether it is unwound to its end.
pub fn eager_loops(program: &Program, loops: &Loops, strategy: Strategy) -> FxHashSet<LoopId> {
    let chosen = |id: LoopId, info: &Loop| match strategy {
        Strategy::AllLoops => false,
        Strategy::InnerFirst => info.parent.is_some(),
        Strategy::Auto | Strategy::Together => {
            info.parent.is_some() && counts_to_a_constant(program, loops, id)
        }
    };
    loops.loops.enumerated().filter(|&(id, info)| chosen(id, info)).map(|(id, _)| id).collect()
}

/// Whether some way out compares a variable that the loop only counts with a constant.
fn counts_to_a_constant(program: &Program, loops: &Loops, id: LoopId) -> bool {
    counts_to(program, loops, id, |end| is_constant(program, end))
}

/// Whether some way out compares a variable that the loop only counts with anything.
pub fn counts(program: &Program, loops: &Loops, id: LoopId) -> bool {
    counts_to(program, loops, id, |_| true)
}

fn counts_to(program: &Program, loops: &Loops, id: LoopId, is_end: impl Fn(ExprId) -> bool) -> bool {
    let is_counted = |side, end| {
        let counter = plain_variable(program, side).filter(|_| is_end(end));
        counter.is_some_and(|counter| is_only_counted(program, loops, id, counter))
    };
    loops.loops[id].exits.iter().any(|&edge| {
        let EdgeKind::Assume { condition, .. } = program.edges[edge].kind else { return false };
        let ExprKind::Binary { left, right, .. } = program.exprs[strip(program, condition)].kind else {
            return false;
        };
        is_counted(left, right) || is_counted(right, left)
    })
}

/// Without conversions and negations around it.
fn strip(program: &Program, mut expression: ExprId) -> ExprId {
    while let ExprKind::Cast(inner) | ExprKind::Unary { operand: inner, .. } = program.exprs[expression].kind
    {
        expression = inner;
    }
    expression
}

fn plain_variable(program: &Program, expression: ExprId) -> Option<VariableId> {
    let ExprKind::Load(place) = program.exprs[strip(program, expression)].kind else { return None };
    match program.places[place].base {
        PlaceBase::Variable(variable) if !program.variables[variable].address_taken => Some(variable),
        _ => None,
    }
}

fn is_constant(program: &Program, expression: ExprId) -> bool {
    matches!(program.exprs[strip(program, expression)].kind, ExprKind::Int(_))
}

/// All assignments to the variable in the loop add a constant to it, and there is one.
fn is_only_counted(program: &Program, loops: &Loops, id: LoopId, counter: VariableId) -> bool {
    let edges = loops.body(id).iter().flat_map(|&location| program.leaving_ids(location));
    let mut steps = 0;
    for edge in edges {
        if let EdgeKind::Assign { target, value } = program.edges[edge].kind
            && matches!(program.places[target].base, PlaceBase::Variable(variable) if variable == counter)
        {
            let value = program.exprs[strip(program, value)].kind;
            let ExprKind::Binary { left, right, .. } = value else { return false };
            if plain_variable(program, left) != Some(counter) || !is_constant(program, right) {
                return false;
            }
            steps += 1;
        }
    }
    steps > 0
}
