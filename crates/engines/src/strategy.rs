//! Which loops are unwound to their end before the execution goes on.
//!
//! An inner loop that counts to a constant has an end that is near: unwinding it at once gives the
//! loop around it whole iterations to look at. A loop without such a bound might go on for ever, and
//! is unwound one step at a time, together with all the others.

use crate::options::Strategy;
use crate::unwind::Search;
use cfa::loops::{Loop, LoopId, Loops};
use cfa::usage::{Access, accesses, written};
use cfa::{EdgeKind, ExprId, ExprKind, Place, PlaceBase, Program, Projection, VariableId, VariableKind};
use rustc_hash::{FxHashMap, FxHashSet};
use sema::types::{Length, Type};

/// Longer tables are searched step by step.
const LONGEST_TABLE: u64 = 64;

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

/// The loops that search tables.
pub fn table_searches(program: &Program, loops: &Loops, strategy: Strategy) -> FxHashMap<LoopId, Search> {
    if !matches!(strategy, Strategy::Auto | Strategy::Together) {
        return FxHashMap::default();
    }
    let tables = tables(program);
    let search = |(id, info): (LoopId, &Loop)| {
        let mut searched = Vec::new();
        info.exits.iter().for_each(|&edge| note_searched(program, &program.edges[edge].kind, &mut searched));
        let known = searched.into_iter().filter_map(|(table, counter)| {
            let length = *tables.get(&table)?;
            is_only_counted(program, loops, id, counter).then_some(Search { counter, length })
        });
        Some((id, known.max_by_key(|search| search.length)?))
    };
    loops.loops.enumerated().filter_map(search).collect()
}

/// The arrays that nothing but their initialisers write, and their lengths.
fn tables(program: &Program) -> FxHashMap<VariableId, u32> {
    let length = |ty| match *program.types.get(ty) {
        Type::Array { length: Length::Known(length), .. } if length <= LONGEST_TABLE => Some(length as u32),
        _ => None,
    };
    let globals =
        program.variables.enumerated().filter(|(_, variable)| variable.kind == VariableKind::Global);
    let arrays = globals.filter(|(_, variable)| !variable.address_taken);
    let mut tables: FxHashMap<VariableId, u32> =
        arrays.filter_map(|(id, variable)| Some((id, length(variable.ty)?))).collect();
    for edge in program.edges.iter().filter(|edge| program.locations[edge.from].function != program.entry) {
        if let Some(place) = written(program, &edge.kind)
            && let PlaceBase::Variable(variable) = program.places[place].base
        {
            tables.remove(&variable);
        }
    }
    tables
}

/// Adds the arrays whose elements are read on an edge, with the variables in the indices.
fn note_searched(program: &Program, edge: &EdgeKind, searched: &mut Vec<(VariableId, VariableId)>) {
    accesses(program, edge, &mut |access| {
        let Access::Read(place) = access else { return };
        let Place { base: PlaceBase::Variable(array), projections, .. } = program.places[place] else {
            return;
        };
        if let Some(&Projection::Index { index, .. }) = program.projections[projections].first()
            && let Some(counter) = counter_of(program, index)
        {
            searched.push((array, counter));
        }
    });
}

/// The variable in an index, or in its sum with a constant.
fn counter_of(program: &Program, index: ExprId) -> Option<VariableId> {
    match program.exprs[strip(program, index)].kind {
        ExprKind::Binary { left, right, .. } if is_constant(program, right) => plain_variable(program, left),
        _ => plain_variable(program, index),
    }
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
