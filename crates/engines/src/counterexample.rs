//! From a model of the formula to a run of the program.

use base::Budget;
use cfa::Program;
use encode::{Encoder, Input, InputKind};
use replay::{Checks, Ending, InputValue, Inputs, LeakCheck, Options, Request, ViolationKind};
use smt::{Model, SolverError};
use task::Goal;
use term::{TermId, TermPool, Value};

/// The values that the environment chooses in one run, in order.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub inputs: Vec<u128>,
}

/// Reads the inputs of the run that a model describes.
pub fn read_model(encoder: &Encoder<'_>, model: &mut dyn Model) -> Result<Counterexample, SolverError> {
    let mut inputs = Vec::new();
    for input in &encoder.inputs {
        if input.kind == InputKind::Value && holds(&encoder.pool, model, input.guard)? {
            inputs.push(bits_of(&encoder.pool, model, input)?);
        }
    }
    Ok(Counterexample { inputs })
}

fn holds(pool: &TermPool, model: &mut dyn Model, term: TermId) -> Result<bool, SolverError> {
    Ok(model.value(pool, term)?.as_bool().unwrap_or(false))
}

fn bits_of(pool: &TermPool, model: &mut dyn Model, input: &Input) -> Result<u128, SolverError> {
    Ok(match model.value(pool, input.value)? {
        Value::BitVec(bits) => low_bits(&bits),
        Value::Float(float) => low_bits(float.bits()),
        Value::Bool(value) => u128::from(value),
        _ => 0,
    })
}

fn low_bits(bits: &term::BitVec) -> u128 {
    let width = bits.width();
    let low = bits.extract(width.min(64) - 1, 0).to_u64().unwrap_or(0);
    let high = if width > 64 { bits.extract(width.min(128) - 1, 64).to_u64().unwrap_or(0) } else { 0 };
    u128::from(high) << 64 | u128::from(low)
}

/// Hands out the inputs of a counterexample.
struct Replayed<'a> {
    values: std::slice::Iter<'a, u128>,
}

impl Inputs for Replayed<'_> {
    fn next(&mut self, request: &Request<'_>) -> Option<InputValue> {
        let &bits = self.values.next()?;
        Some(match request.kind {
            replay::InputKind::Pointer(size) if bits != 0 => InputValue::Memory(size.unwrap_or(64).max(64)),
            _ => InputValue::Bits(bits),
        })
    }
}

/// Runs the program on a counterexample. The goal that it violates, if it does.
pub fn confirm(program: &Program, goals: &[Goal], found: &Counterexample, budget: &Budget) -> (Option<Goal>, Ending) {
    let options = options(goals, budget);
    let mut inputs = Replayed { values: found.inputs.iter() };
    let ending = replay::run(program, &mut inputs, &options, &mut replay::Silent).ending;
    (violated(goals, &ending), ending)
}

fn options(goals: &[Goal], budget: &Budget) -> Options {
    let error_functions = goals.iter().filter_map(|goal| match goal {
        Goal::UnreachableCall(name) => Some(name.clone()),
        _ => None,
    });
    let leaks = if goals.contains(&Goal::ValidMemoryCleanup) {
        LeakCheck::Any
    } else if goals.contains(&Goal::ValidMemoryTracking) {
        LeakCheck::Unreachable
    } else {
        LeakCheck::Off
    };
    let checks =
        Checks { signed_overflow: goals.contains(&Goal::NoOverflow), leaks, ..Checks::default() };
    Options { checks, error_functions: error_functions.collect(), budget: budget.clone(), ..Options::default() }
}

/// The goal that a run which ended like this violates.
pub fn violated(goals: &[Goal], ending: &Ending) -> Option<Goal> {
    goals
        .iter()
        .find(|goal| match (goal, ending) {
            (Goal::UnreachableCall(function), Ending::ErrorCall { name, .. }) => function == name,
            (Goal::NoOverflow, Ending::Violation(v)) => v.kind == ViolationKind::SignedOverflow,
            (Goal::ValidDereference, Ending::Violation(v)) => v.kind == ViolationKind::InvalidDereference,
            (Goal::ValidFree, Ending::Violation(v)) => v.kind == ViolationKind::InvalidFree,
            (Goal::ValidMemoryCleanup | Goal::ValidMemoryTracking, Ending::Violation(v)) => {
                v.kind == ViolationKind::MemoryLeak
            }
            _ => false,
        })
        .cloned()
}
