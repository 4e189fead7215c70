//! The theorem of the paper, on random programs, with a small explicit interpreter as the oracle.

use super::*;
use crate::testing::{Builder, Random, random_program};
use sema::types::TypeId;
use std::collections::BTreeSet;

/// Values of the three variables, modulo 4.
type Values = [u64; 3];

fn evaluate(program: &Program, expr: ExprId, values: Values) -> u64 {
    match program.exprs[expr].kind {
        ExprKind::Int(value) => value,
        ExprKind::Load(place) => program.as_variable(place).map_or(0, |v| values[v.0 as usize]),
        ExprKind::Binary { op, left, right } => {
            let (left, right) = (evaluate(program, left, values), evaluate(program, right, values));
            match op {
                BinaryOp::Add => (left + right) % 4,
                BinaryOp::Less => u64::from(left < right),
                BinaryOp::Equal => u64::from(left == right),
                BinaryOp::BitXor => left ^ right,
                other => panic!("{other:?} is not in random programs"),
            }
        }
        other => panic!("{other:?} is not in random programs"),
    }
}

fn step(program: &Program, edge: EdgeId, values: Values) -> Option<Values> {
    match program.edges[edge].kind {
        EdgeKind::Skip => Some(values),
        EdgeKind::Assume { condition, truth } => {
            Some(values).filter(|_| (evaluate(program, condition, values) != 0) == truth)
        }
        EdgeKind::Assign { target, value } => {
            let mut after = values;
            if let Some(variable) = program.as_variable(target) {
                after[variable.0 as usize] = evaluate(program, value, values);
            }
            Some(after)
        }
        other => panic!("{other:?} is not in random programs"),
    }
}

fn run_block(program: &Program, summary: &Summary, block: BlockId, values: Values) -> BTreeSet<Values> {
    match summary.blocks[block] {
        Block::Edge(edge) => step(program, edge, values).into_iter().collect(),
        Block::Choice(list) => {
            summary.parts(list).iter().flat_map(|&part| run_block(program, summary, part, values)).collect()
        }
        Block::Sequence(list) => summary.parts(list).iter().fold([values].into(), |states, &part| {
            states.into_iter().flat_map(|values| run_block(program, summary, part, values)).collect()
        }),
    }
}

type States = BTreeSet<(LocationId, Values)>;

fn explore(entry: LocationId, successors: impl Fn(LocationId, Values) -> States) -> States {
    let mut seen: States = [(entry, [0, 1, 2])].into();
    let mut work: Vec<_> = seen.iter().copied().collect();
    while let Some((location, values)) = work.pop() {
        work.extend(successors(location, values).into_iter().filter(|&state| seen.insert(state)));
    }
    seen
}

fn body(program: &Program) -> &Body {
    program.functions[program.entry].body.as_ref().expect("the entry has a body")
}

fn states_of_program(program: &Program, errors: &[LocationId]) -> States {
    explore(body(program).entry, |location, values| {
        let edges = program.leaving_ids(location).filter(|_| !errors.contains(&location));
        edges.filter_map(|edge| Some((program.edges[edge].to, step(program, edge, values)?))).collect()
    })
}

fn states_of_summary(program: &Program, summary: &Summary) -> States {
    explore(body(program).entry, |location, values| {
        let run = |edge: &SummaryEdge| {
            let to = edge.to;
            run_block(program, summary, edge.block, values).into_iter().map(move |after| (to, after))
        };
        summary.leaving(location).iter().flat_map(run).collect()
    })
}

#[test]
fn what_is_left_is_reached_with_the_same_values() {
    let mut random = Random::new(31);
    for _ in 0..1500 {
        let program = random_program(&mut random, 10);
        let error = LocationId(random.below(program.locations.len()) as u32);
        let boundaries = Boundaries { errors: vec![error], keep: Vec::new() };
        let summary = Summary::new(&program, body(&program), &boundaries);
        let left = |states: States| -> States {
            states.into_iter().filter(|(location, _)| summary.locations.contains(location)).collect()
        };
        assert!([body(&program).entry, error].iter().all(|location| summary.locations.contains(location)));
        let expected = left(states_of_program(&program, &boundaries.errors));
        assert_eq!(left(states_of_summary(&program, &summary)), expected);
    }
}

#[test]
fn the_order_of_the_rules_does_not_matter() {
    let mut random = Random::new(32);
    for _ in 0..1500 {
        let program = random_program(&mut random, 10);
        let boundaries = Boundaries::default();
        let summary = Summary::new(&program, body(&program), &boundaries);
        let rank = (0..program.locations.len()).map(|_| random.below(100) as u32).collect();
        let other = Summary::in_order(&program, body(&program), &boundaries, &Reduction { rank });
        let ends = |summary: &Summary| -> Vec<_> { summary.edges.iter().map(|e| (e.from, e.to)).collect() };
        assert_eq!(ends(&summary), ends(&other));
        assert_eq!(summary.locations, other.locations);
    }
}

#[test]
fn no_rule_applies_any_more() {
    let mut random = Random::new(33);
    for _ in 0..500 {
        let program = random_program(&mut random, 12);
        let body = body(&program);
        let summary = Summary::new(&program, body, &Boundaries::default());
        for &location in summary.locations.iter().filter(|&&l| l != body.entry && l != body.exit) {
            let into: Vec<_> = summary.edges.iter().filter(|edge| edge.to == location).collect();
            assert!(into.len() != 1 || into[0].from == location);
        }
        assert!(summary.edges.windows(2).all(|w| (w[0].from, w[0].to) < (w[1].from, w[1].to)));
    }
}

/// `count` branches one after the other: 2^count paths.
fn diamonds(count: u32) -> Program {
    let mut builder = Builder::new();
    let main = builder.function("main", &[], 4 * count as usize + 1);
    let x = builder.variable("x", TypeId::INT, VariableKind::Local(main));
    for start in (0..count).map(|index| 4 * index) {
        let condition = builder.load(x);
        for (arm, truth) in [(1, true), (2, false)] {
            builder.edge(main, start, start + arm, EdgeKind::Assume { condition, truth });
            builder.edge(main, start + arm, start + 3, EdgeKind::Skip);
        }
        builder.edge(main, start + 3, start + 4, EdgeKind::Skip);
    }
    builder.finish(main)
}

#[test]
fn loop_free_code_becomes_one_edge_of_linear_size() {
    let count = 20_000;
    let program = diamonds(count);
    let summary = Summary::new(&program, body(&program), &Boundaries::default());
    assert_eq!(summary.edges.len(), 1);
    assert_eq!(summary.locations.len(), 2);
    assert!(summary.blocks.len() < 10 * count as usize);
    let text = summary.to_text(&|edge| edge.0.to_string());
    assert!(text.len() < 100 * count as usize);
}

#[test]
fn the_example_of_figure_2() {
    // L1: while (i>0) { L2: if (x==1) { L3: z = 0; } else { L4: z = 1; } L5: i = i-1; L6: }
    let mut builder = Builder::new();
    let main = builder.function("main", &[], 7);
    let condition = builder.int(1);
    let assume = |truth| EdgeKind::Assume { condition, truth };
    let edges = [
        (0, 1, assume(true)),
        (0, 6, assume(false)),
        (1, 2, assume(true)),
        (1, 3, assume(false)),
        (2, 4, EdgeKind::Skip),
        (3, 4, EdgeKind::Skip),
        (4, 5, EdgeKind::Skip),
        (5, 0, EdgeKind::Skip),
    ];
    for (from, to, kind) in edges {
        builder.edge(main, from, to, kind);
    }
    let program = builder.finish(main);
    let summary = Summary::new(&program, body(&program), &Boundaries::default());
    let text = summary.to_text(&|edge| format!("e{}", edge.0));
    assert_eq!(text, "L0 -> L0: e0; (e2; e4 | e3; e5); e6; e7\nL0 -> L6: e1\n");
}
