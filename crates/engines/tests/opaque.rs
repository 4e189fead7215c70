//! The engines against the interpreter, on the corpus of C programs.
//!
//! Values that programs compute are mixed with an input that is always zero, so that the encoder cannot fold
//! them: what a run prints is what it always prints, and now the solver has to find out.

mod observer;
mod support;

use base::{Budget, Span};
use cfa::{BinaryOp, EdgeId, EdgeKind, Expr, ExprId, ExprKind, Place, PlaceBase, PlaceId, Program};
use engines::counterexample;
use engines::{Analyses, Options, Outcome, Reason, Task};
use replay::Ending;
use sema::types::{DataModel, Type, TypeId};
use std::path::Path;
use std::time::Duration;
use support::random::Random;
use support::{ENGINES, Engine, unreachable};
use task::Goal;

/// Of so many values one is made opaque.
const ONE_OF: u32 = 3;

/// Makes some values opaque.
fn obscure(program: &mut Program, random: &mut Random) {
    let zero = program.variables.enumerated().find(|(_, v)| program.names.resolve(v.name) == "opaque_zero");
    let (zero, _) = zero.expect("the observer declares it");
    let place = Place {
        base: PlaceBase::Variable(zero),
        projections: base::arena::Range::default(),
        ty: TypeId::INT,
    };
    let zero = program.places.push(place);
    let own = observer::OBSERVER.map(|name| program.function_named(name));
    let functions: Vec<_> =
        program.defined_functions().map(|(id, _, body)| (id, body.edges.clone())).collect();
    for (function, edges) in functions {
        if own.contains(&Some(function)) || function == program.entry {
            continue;
        }
        for edge in edges.map(EdgeId) {
            if random.below(ONE_OF) == 0 {
                obscure_edge(program, edge, zero);
            }
        }
    }
}

fn obscure_edge(program: &mut Program, edge: EdgeId, zero: PlaceId) {
    let kind = match program.edges[edge].kind {
        EdgeKind::Assign { target, value } => {
            EdgeKind::Assign { target, value: opaque(program, value, zero) }
        }
        EdgeKind::Return { value: Some(value) } => {
            EdgeKind::Return { value: Some(opaque(program, value, zero)) }
        }
        _ => return,
    };
    program.edges[edge].kind = kind;
}

/// The same value, depending on the input.
fn opaque(program: &mut Program, value: ExprId, zero: PlaceId) -> ExprId {
    let ty = program.exprs[value].ty;
    let is_bool = matches!(program.types.get(ty), Type::Bool);
    let mut make = |kind, ty| program.exprs.push(Expr { kind, ty, span: Span::NONE });
    let zero = make(ExprKind::Load(zero), TypeId::INT);
    let kind = if program.types.is_pointer(ty) {
        ExprKind::PointerAdd { pointer: value, index: zero, scale: 1 }
    } else if is_bool {
        return value;
    } else if program.types.int_shape(ty).is_some() {
        let zero = make(ExprKind::Cast(zero), ty);
        ExprKind::Binary { op: BinaryOp::BitXor, left: value, right: zero }
    } else if program.types.is_float(ty) {
        let one = make(ExprKind::Cast(zero), ty);
        ExprKind::Conditional { condition: zero, then: one, otherwise: value }
    } else {
        return value;
    };
    program.exprs.push(Expr { kind, ty, span: Span::NONE })
}

/// A number for each program.
fn number_of(path: &Path) -> u64 {
    let name = path.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
    name.iter().fold(0, |number, &byte| number * 31 % 1_000_003 + u64::from(byte))
}

/// Whether an engine finds a violation; `None` if it does not know.
fn answer(engine: &str, run: Engine, program: &Program, goals: &[Goal]) -> Option<bool> {
    let analyses = Analyses::new(program);
    let budget = Budget::unlimited().with_time(Duration::from_secs(1));
    let task = Task { program, analyses: &analyses, goals, condition: None, budget: &budget };
    match run(task, &Options::default()).outcome {
        Outcome::True => Some(false),
        Outcome::False { .. } => Some(true),
        // The encoder says so, even if the interpreter does not.
        Outcome::Unknown { reason: Reason::NotConfirmed(_), .. } if engine == "bmc" => Some(true),
        Outcome::Unknown { .. } => None,
    }
}

/// The run with an input, as the goals look at it.
fn run_on(program: &Program, input: u128, goals: &[Goal]) -> Option<Ending> {
    let unlimited = Budget::unlimited();
    let options =
        replay::Options { step_limit: observer::STEPS, ..counterexample::options(goals, &unlimited) };
    let run = replay::run(program, &mut replay::List::of_bits([input]), &options, &mut replay::Silent);
    let is_open = matches!(run.ending, Ending::StepLimit | Ending::Unsupported { .. });
    (run.steps.inputs <= 1 && !is_open).then_some(run.ending)
}

/// Questions, and how many of them were answered.
#[derive(Default)]
struct Tally {
    asked: u32,
    answered: u32,
    wrong: Vec<String>,
}

impl Tally {
    /// Asks the engine whose turn it is.
    fn ask(&mut self, path: &Path, turn: u64, program: &Program, goals: &[Goal], expected: bool) {
        let (engine, run) = ENGINES[(turn % 4) as usize];
        self.asked += 1;
        match answer(engine, run, program, goals) {
            None => {}
            Some(answer) if answer == expected => self.answered += 1,
            Some(_) => self.wrong.push(format!("{}: {engine}, {goals:?}, turn {turn}", path.display())),
        }
    }

    fn check(&self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
        let Self { asked, answered, .. } = self;
        assert!(answered * 10 >= asked * 6, "{answered} of {asked} questions were answered");
    }
}

/// Whether the status can be the right one, and whether it can be another one: so many questions for each program.
fn check(seeds: u64) {
    let mut tally = Tally::default();
    for path in observer::programs() {
        for turn in (number_of(&path)..).take(seeds as usize) {
            let is_right = (turn / 4).is_multiple_of(2);
            let model = if (turn / 8).is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
            let Some((mut program, expected)) = observer::load(&path, model) else { continue };
            obscure(&mut program, &mut Random(turn));
            let expected = u64::from(expected as u32);
            let [status, other] = observer::STATUSES.map(|constant| (constant, expected));
            let wanted = (observer::IS_ONE_OF_THESE, is_right.into());
            observer::put(&mut program, &[(observer::HIGHEST, 0), status, other, wanted]);
            tally.ask(&path, turn, &program, &unreachable(), is_right);
        }
    }
    tally.check();
}

#[test]
fn what_is_printed_does_not_depend_on_folding() {
    check(1);
}

#[test]
#[ignore = "takes minutes"]
fn what_is_printed_does_not_depend_on_folding_with_many_seeds() {
    check(16);
}

const GOALS: [&[Goal]; 8] = [
    &[Goal::ValidDereference, Goal::ValidFree],
    &[Goal::NoOverflow],
    &[Goal::ValidIndex],
    &[Goal::Initialised],
    &[Goal::ValidMemoryCleanup],
    &[Goal::ValidMemoryTracking],
    &[Goal::ValidDivision],
    &[Goal::ValidShift],
];

#[test]
fn violations_do_not_depend_on_folding() {
    let mut tally = Tally::default();
    for path in observer::programs() {
        let number = number_of(&path);
        let goals = GOALS[number as usize % GOALS.len()];
        let Some(mut program) = observer::load_any(&path, DataModel::Lp64) else { continue };
        obscure(&mut program, &mut Random(number));
        observer::put(&mut program, &[(observer::HIGHEST, 0)]);
        let Some(ending) = run_on(&program, 0, goals) else { continue };
        let is_violated = counterexample::violated(goals, &ending).is_some();
        tally.ask(&path, number / GOALS.len() as u64, &program, goals, is_violated);
    }
    tally.check();
}

/// How a run with an input ends.
enum End {
    Status(u64),
    /// Not where its status is asked for.
    Elsewhere,
    /// It is not known, or depends on what was never written.
    Open,
}

fn end(program: &Program, input: u128) -> End {
    let goals = [Goal::Initialised, Goal::UnreachableCall("reach_error".into())];
    // Where nobody asks for it, engines go on behind an invalid `free`.
    let unclear = [&goals[..], &[Goal::ValidFree]].concat();
    match run_on(program, input, &goals) {
        Some(Ending::Exit(status)) => End::Status(u64::from(status as u32)),
        Some(ending) if counterexample::violated(&unclear, &ending).is_none() => End::Elsewhere,
        _ => End::Open,
    }
}

/// With two inputs there are two runs, and nothing else.
#[test]
fn runs_with_other_inputs_are_told_apart() {
    let mut tally = Tally::default();
    for path in observer::programs() {
        let number = number_of(&path);
        let Some(mut program) = observer::load_any(&path, DataModel::Lp64) else { continue };
        obscure(&mut program, &mut Random(number));
        observer::put(&mut program, &[(observer::HIGHEST, 1)]);
        let (first, second) = match [end(&program, 0), end(&program, 1)] {
            [End::Status(first), End::Status(second)] => (first, second),
            [End::Status(first), End::Elsewhere] => (first, first),
            _ => continue,
        };
        let questions = [([first, second], false), ([first; 2], true), ([second; 2], true)];
        let ([status, other], is_reached) = questions[(number % 3) as usize];
        let [one, two] = observer::STATUSES;
        let wanted = (observer::IS_ONE_OF_THESE, is_reached.into());
        observer::put(&mut program, &[(one, status), (two, other), wanted]);
        tally.ask(&path, number / 3, &program, &unreachable(), is_reached);
    }
    tally.check();
}
