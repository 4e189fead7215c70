//! Slices reach their criterion exactly if the program does: random programs, explored explicitly.

use super::*;
use crate::testing::{Builder, Random};
use sema::types::TypeId;
use std::collections::BTreeSet;

/// Values of the globals, modulo 3, then of the parameters of each function.
type Values = Vec<u64>;
/// Where a run is, from the outermost call in; each but the last at the call's edge.
type Stack = Vec<u32>;

/// Three functions over two globals; calls go to later functions only, so there is no recursion.
fn random_calls(random: &mut Random) -> (Program, EdgeId) {
    let mut builder = Builder::new();
    let sizes: Vec<usize> = (0..3).map(|_| 3 + random.below(6)).collect();
    let functions: Vec<FunctionId> = ["main", "f", "g"]
        .iter()
        .zip(&sizes)
        .map(|(name, &size)| builder.function(name, &[TypeId::INT], size))
        .collect();
    let globals: Vec<VariableId> =
        ["x", "y"].iter().map(|name| builder.variable(name, TypeId::INT, VariableKind::Global)).collect();
    for (index, &function) in functions.iter().enumerate() {
        let mut variables = globals.clone();
        variables.push(builder.parameter(function, 0));
        let exit = sizes[index] as u32 - 1;
        for from in 0..exit {
            random_edge(&mut builder, random, function, from, exit, &variables, &functions[index + 1..]);
        }
    }
    let program = builder.finish(functions[0]);
    let target = EdgeId(random.below(program.edges.len()) as u32);
    (program, target)
}

fn random_edge(
    builder: &mut Builder,
    random: &mut Random,
    function: FunctionId,
    from: u32,
    exit: u32,
    variables: &[VariableId],
    callees: &[FunctionId],
) {
    let mut target = || match random.below(3) {
        0 => random.below(exit as usize) as u32,
        _ => (from + 1 + random.below(2) as u32).min(exit - 1),
    };
    let (first, second) = (target(), target());
    let left = builder.load(random.pick(variables));
    let right = match random.below(2) {
        0 => builder.int(random.below(3) as u64),
        _ => builder.load(random.pick(variables)),
    };
    let op = random.pick(&[BinaryOp::Add, BinaryOp::Less, BinaryOp::Equal]);
    let value = builder.binary(op, left, right);
    match random.below(12) {
        0..=3 => {
            let kind = builder.assign(random.pick(variables), value);
            builder.edge(function, from, first, kind);
        }
        4..=6 => {
            builder.edge(function, from, first, EdgeKind::Assume { condition: value, truth: true });
            builder.edge(function, from, second, EdgeKind::Assume { condition: value, truth: false });
        }
        7 => builder.edge(function, from, first, EdgeKind::Assume { condition: value, truth: true }),
        8..=9 if !callees.is_empty() => {
            let result = builder.place(random.pick(variables));
            let result = Some(result).filter(|_| random.below(3) > 0);
            let call = builder.call(Callee::Direct(random.pick(callees)), &[value], result);
            builder.edge(function, from, first, call);
        }
        10 => {}
        _ => builder.edge(function, from, exit, EdgeKind::Return { value: Some(value) }),
    }
}

fn evaluate(program: &Program, expr: ExprId, values: &[u64]) -> u64 {
    match program.exprs[expr].kind {
        ExprKind::Int(value) => value,
        ExprKind::Load(place) => program.as_variable(place).map_or(0, |v| values[v.0 as usize]),
        ExprKind::Binary { op, left, right } => {
            let (left, right) = (evaluate(program, left, values), evaluate(program, right, values));
            match op {
                BinaryOp::Add => (left + right) % 3,
                BinaryOp::Less => u64::from(left < right),
                _ => u64::from(left == right),
            }
        }
        other => panic!("{other:?} is not in random programs"),
    }
}

fn set(program: &Program, place: Option<PlaceId>, value: u64, values: &mut Values) {
    if let Some(variable) = place.and_then(|place| program.as_variable(place)) {
        values[variable.0 as usize] = value;
    }
}

/// The state after an edge. A stack holds call edges below the location on top.
fn step(program: &Program, id: EdgeId, stack: &Stack, values: &Values) -> Option<(Stack, Values)> {
    let edge = &program.edges[id];
    let (mut stack, mut values) = (stack.clone(), values.clone());
    stack.pop();
    match edge.kind {
        EdgeKind::Assume { condition, truth } => {
            if (evaluate(program, condition, &values) != 0) != truth {
                return None;
            }
            stack.push(edge.to.0);
        }
        EdgeKind::Assign { target, value } => {
            let value = evaluate(program, value, &values);
            set(program, Some(target), value, &mut values);
            stack.push(edge.to.0);
        }
        EdgeKind::Call(call) => {
            let Call { callee: Callee::Direct(callee), arguments, .. } = program.calls[call] else {
                return None;
            };
            let body = program.functions[callee].body.as_ref()?;
            let argument = evaluate(program, program.expr_lists[arguments][0], &values);
            values[body.parameters[0].0 as usize] = argument;
            stack.extend([id.0, body.entry.0]);
        }
        EdgeKind::Return { value } => {
            let value = value.map_or(0, |value| evaluate(program, value, &values));
            let site = stack.pop()?;
            let site = &program.edges[EdgeId(site)];
            if let EdgeKind::Call(call) = site.kind {
                set(program, program.calls[call].result, value, &mut values);
            }
            stack.push(site.to.0);
        }
        _ => stack.push(edge.to.0),
    }
    Some((stack, values))
}

/// All edges that some run takes.
fn taken(program: &Program) -> BTreeSet<EdgeId> {
    let entry = program.functions[program.entry].body.as_ref().map_or(0, |body| body.entry.0);
    let start = (vec![entry], vec![1; program.variables.len()]);
    let mut seen = BTreeSet::from([start.clone()]);
    let mut work = vec![start];
    let mut taken = BTreeSet::new();
    while let Some((stack, values)) = work.pop() {
        let Some(&top) = stack.last() else { continue };
        for edge in program.leaving_ids(LocationId(top)) {
            let kind = program.edges[edge].kind;
            let is_last_return = matches!(kind, EdgeKind::Return { .. }) && stack.len() == 1;
            if let Some(next) = step(program, edge, &stack, &values) {
                taken.insert(edge);
                if seen.insert(next.clone()) {
                    work.push(next);
                }
            } else if is_last_return {
                taken.insert(edge);
            }
        }
    }
    taken
}

#[test]
fn slices_reach_the_criterion_exactly_if_the_program_does() {
    let mut random = Random::new(41);
    let (mut reached_count, mut kept, mut all) = (0, 0, 0);
    for round in 0..3000 {
        let (mut program, target) = random_calls(&mut random);
        let expected = taken(&program).contains(&target);
        let points_to = PointsTo::compute(&program);
        let calls = CallGraph::new(&program, &points_to);
        let loops = Loops::new(&program);
        let facts = Facts { program: &program, points_to: &points_to, calls: &calls, loops: &loops };
        let slice = Slice::new(facts, &Criterion::edges([target]));
        all += program.edges.len();
        let origin = apply(&mut program, &slice);
        kept += program.edges.len();
        let found = taken(&program).iter().any(|edge| origin.edges[edge.0 as usize] == target);
        assert_eq!(found, expected, "round {round}");
        reached_count += usize::from(expected);
        check_shape(&program);
    }
    assert!(reached_count > 300 && kept * 3 < all * 2, "{reached_count} {kept} {all}");
}

/// The invariants of [`crate::program`] on locations and edges.
fn check_shape(program: &Program) {
    for (id, location) in program.locations.enumerated() {
        assert!(program.leaving(id).iter().all(|edge| edge.from == id));
        assert!(program.entering(id).iter().all(|&edge| program.edges[edge].to == id));
        let body = program.functions[location.function].body.as_ref().expect("locations have a body");
        assert!(body.locations.contains(&id.0));
        assert!(id != body.exit || location.edge_count == 0);
    }
    let entering: usize = program.locations.ids().map(|id| program.entering(id).len()).sum();
    assert_eq!(entering, program.edges.len());
}
