//! The analysis against a solver that iterates over all statements until nothing changes.

use super::*;
use crate::program::*;
use crate::testing::{Builder, Random};
use sema::types::TypeId;
use std::collections::BTreeSet;

/// The four statements of Andersen's analysis, on variables by number.
#[derive(Clone, Copy)]
enum Statement {
    Address(usize, usize),
    Copy(usize, usize),
    Load(usize, usize),
    Store(usize, usize),
}

fn naive(count: usize, statements: &[Statement]) -> Vec<BTreeSet<usize>> {
    let mut sets = vec![BTreeSet::new(); count];
    loop {
        let before = sets.clone();
        for &statement in statements {
            match statement {
                Statement::Address(to, of) => {
                    sets[to].insert(of);
                }
                Statement::Copy(to, from) => {
                    let new = sets[from].clone();
                    sets[to].extend(new);
                }
                Statement::Load(to, through) => {
                    let new: BTreeSet<usize> = sets[through].iter().flat_map(|&o| sets[o].clone()).collect();
                    sets[to].extend(new);
                }
                Statement::Store(through, from) => {
                    let new = sets[from].clone();
                    for object in sets[through].clone() {
                        sets[object].extend(new.clone());
                    }
                }
            }
        }
        if sets == before {
            return sets;
        }
    }
}

fn random_statements(random: &mut Random, count: usize) -> Vec<Statement> {
    let length = random.below(4 * count);
    let mut make = || {
        let (a, b) = (random.below(count), random.below(count));
        match random.below(4) {
            0 => Statement::Address(a, b),
            1 => Statement::Copy(a, b),
            2 => Statement::Load(a, b),
            _ => Statement::Store(a, b),
        }
    };
    (0..length).map(|_| make()).collect()
}

/// The statements as a straight-line program; the variables are globals that hold any pointer.
fn program_of(count: usize, statements: &[Statement]) -> (Program, Vec<VariableId>) {
    let mut builder = Builder::new();
    let void_pointer = builder.program.types.pointer_to(TypeId::VOID);
    let pointer_pointer = builder.program.types.pointer_to(void_pointer);
    let main = builder.function("main", &[], statements.len() + 1);
    let variables: Vec<VariableId> =
        (0..count).map(|i| builder.variable(&format!("v{i}"), void_pointer, VariableKind::Global)).collect();
    for (index, &statement) in statements.iter().enumerate() {
        let through = |builder: &mut Builder, variable: usize| {
            let pointer = builder.load(variables[variable]);
            let cast = builder.expr(ExprKind::Cast(pointer), pointer_pointer);
            builder.dereference(cast)
        };
        let kind = match statement {
            Statement::Address(to, of) => {
                let place = builder.place(variables[of]);
                let address = builder.address(place);
                let value = builder.expr(ExprKind::Cast(address), void_pointer);
                builder.assign(variables[to], value)
            }
            Statement::Copy(to, from) => {
                let value = builder.load(variables[from]);
                builder.assign(variables[to], value)
            }
            Statement::Load(to, from) => {
                let place = through(&mut builder, from);
                let value = builder.load_place(place);
                builder.assign(variables[to], value)
            }
            Statement::Store(to, from) => {
                let target = through(&mut builder, to);
                let value = builder.load(variables[from]);
                EdgeKind::Assign { target, value }
            }
        };
        builder.edge(main, index as u32, index as u32 + 1, kind);
    }
    (builder.finish(main), variables)
}

#[test]
fn finds_what_the_naive_solver_finds() {
    let mut random = Random::new(21);
    for round in 0..600 {
        let count = 2 + random.below(if round % 10 == 0 { 40 } else { 8 });
        let statements = random_statements(&mut random, count);
        let (program, variables) = program_of(count, &statements);
        let solution = PointsTo::compute(&program);
        for (variable, expected) in variables.iter().zip(naive(count, &statements)) {
            let object = solution.find_object(ObjectKind::Variable(*variable)).expect("all have objects");
            let found: BTreeSet<usize> = solution
                .cells(object)
                .flat_map(|cell| solution.contents(cell).collect::<Vec<_>>())
                .map(|(object, _)| match solution.object(object).kind {
                    ObjectKind::Variable(variable) => variable.0 as usize,
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn calls_through_pointers_are_resolved_while_solving() {
    let mut builder = Builder::new();
    let pointer = builder.program.types.pointer_to(TypeId::INT);
    let callee = builder.function("callee", &[pointer], 2);
    let other = builder.function("other", &[pointer], 2);
    let main = builder.function("main", &[], 3);
    let x = builder.variable("x", TypeId::INT, VariableKind::Global);
    let f = builder.variable("f", pointer, VariableKind::Global);
    let address = builder.expr(ExprKind::FunctionAddress(callee), pointer);
    let assign = builder.assign(f, address);
    builder.edge(main, 0, 1, assign);
    let place = builder.place(x);
    let argument = builder.address(place);
    let function = builder.load(f);
    let call = builder.call(Callee::Indirect(function), &[argument], None);
    builder.edge(main, 1, 2, call);
    for function in [callee, other] {
        builder.edge(function, 0, 1, EdgeKind::Return { value: None });
    }
    let parameter = builder.parameter(callee, 0);
    let read = builder.load(parameter);
    let program = builder.finish(main);

    let solution = PointsTo::compute(&program);
    let edge = program.edges.enumerated().find(|(_, e)| matches!(e.kind, EdgeKind::Call(_))).map(|e| e.0);
    assert_eq!(solution.callees(edge.expect("there is a call")), [callee]);
    let object = solution.find_object(ObjectKind::Variable(x)).expect("all have objects");
    assert_eq!(solution.targets(&program, read), [(object, Offset::At(0))]);
}
