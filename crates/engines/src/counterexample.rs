//! From a model of the formula to a run of the program.

use crate::bmc::is_satisfiable;
use crate::outcome::Reason;
use base::Budget;
use cfa::{EdgeId, Program};
use encode::{Encoder, FreshContents, Grid, ObjectId, ObjectKind, UnknownMemory};
use replay::{
    Checks, Contents, Ending, InputValue, Inputs, LeakCheck, Observer, Options, Outside, Piece, Request, Run,
    ViolationKind,
};
use rustc_hash::FxHashMap;
use sema::types::TypeId;
use smt::{Check, CheckResult, Model, SolverError};
use std::collections::VecDeque;
use task::Goal;
use term::{ArrayValue, TermId, Value};

/// What the environment chooses in one run.
#[derive(Clone, Default, Debug)]
pub struct Counterexample {
    /// In the order in which the run asks for them.
    pub inputs: Vec<InputValue>,
    /// What memory holds that comes to life at an edge, for each time in order.
    fresh: FxHashMap<EdgeId, VecDeque<Contents>>,
}

/// Elements that nobody reads are set one by one in no more places than these.
const MOST_ELEMENTS: u64 = 1 << 20;

/// Pointers inside memory from outside are followed to this depth.
const DEEPEST: u32 = 16;

/// Objects of a computed size are small, or can at least be replayed, up to these sizes.
const SMALL: u64 = 1 << 16;
const MOST_REPLAYABLE: u64 = 1 << 28;

/// Memory from outside has as many bytes at most, so that there can be a lot of it.
const MOST_FROM_OUTSIDE: u64 = 1 << 22;

/// Reads from a model what the environment does in the run that it describes.
pub fn read_model(encoder: &mut Encoder<'_>, model: &mut dyn Model) -> Result<Counterexample, SolverError> {
    let unknown = encoder.unknown_memory();
    let mut reader = Reader { encoder, model, unknown };
    let mut found = Counterexample::default();
    for input in reader.encoder.inputs.clone() {
        if reader.holds(input.guard)? {
            found.inputs.push(reader.input(input.value, input.ty)?);
        }
    }
    for fresh in reader.encoder.fresh.clone() {
        if reader.holds(fresh.guard)? {
            let contents = reader.fresh(fresh.contents)?;
            found.fresh.entry(fresh.edge).or_default().push_back(contents);
        }
    }
    Ok(found)
}

/// Looks for a model of a condition with less memory, where the one that the solver has found needs more than
/// there is for a replay.
pub fn spare_memory<S: Check + Model>(
    encoder: &mut Encoder<'_>,
    solver: &mut S,
    condition: TermId,
    budget: &Budget,
) -> Result<(), Reason> {
    let is_replayable = encoder.has_no_object_above(MOST_REPLAYABLE);
    if solver.value(&encoder.pool, is_replayable)?.as_bool() == Some(true) {
        return Ok(());
    }
    let is_small = encoder.has_no_object_above(SMALL);
    let half = budget.remaining().map(|left| left / 2);
    let part = half.map_or_else(|| budget.clone(), |half| budget.clone().with_time(half));
    if solver.check(&encoder.pool, &[condition, is_small], &part)? != CheckResult::Sat {
        is_satisfiable(solver.check(&encoder.pool, &[condition], budget))?;
    }
    Ok(())
}

struct Reader<'a, 'p> {
    encoder: &'a mut Encoder<'p>,
    model: &'a mut dyn Model,
    /// Unknown memory that something was read from, by generation. The rest does not matter, so the size
    /// of an object does not either.
    unknown: FxHashMap<u32, UnknownMemory>,
}

impl Reader<'_, '_> {
    fn holds(&mut self, term: TermId) -> Result<bool, SolverError> {
        Ok(self.model.value(&self.encoder.pool, term)?.as_bool().unwrap_or(false))
    }

    /// As memory has them.
    fn bits(&mut self, term: TermId) -> Result<u128, SolverError> {
        let term = self.encoder.memory_bits(term);
        Ok(match self.model.value(&self.encoder.pool, term)? {
            Value::BitVec(bits) => low_bits(&bits),
            Value::Bool(value) => u128::from(value),
            _ => 0,
        })
    }

    fn input(&mut self, value: TermId, ty: TypeId) -> Result<InputValue, SolverError> {
        let bits = self.bits(value)?;
        Ok(match self.outside_at(bits).filter(|_| self.encoder.program.types.is_pointer(ty)) {
            Some(object) => InputValue::Memory(self.outside(object, 0)?),
            None => InputValue::Bits(bits),
        })
    }

    /// The object of the environment at an address.
    fn outside_at(&self, address: u128) -> Option<ObjectId> {
        let object = self.encoder.objects().at(u64::try_from(address).ok()?)?;
        matches!(self.encoder.object(object).kind, ObjectKind::Outside(_)).then_some(object)
    }

    fn fresh(&mut self, contents: FreshContents) -> Result<Contents, SolverError> {
        match contents {
            FreshContents::Value(term) => {
                let bits = self.bits(term)?;
                let piece = match self.outside_at(bits) {
                    Some(object) => Piece::Pointer(self.outside(object, 0)?),
                    None => Piece::Bits { size: 16, bits },
                };
                Ok(Contents { pieces: vec![(0, piece)] })
            }
            FreshContents::Memory { generation, ty, start } => {
                Ok(self.memory(generation, ty, 0)?.behind(start))
            }
        }
    }

    fn outside(&mut self, object: ObjectId, depth: u32) -> Result<Outside, SolverError> {
        let info = self.encoder.object(object);
        let size = (info.room + self.encoder.objects().gap()).min(MOST_FROM_OUTSIDE);
        if depth > DEEPEST {
            return Ok(Outside::zeros(size));
        }
        let ty = self.encoder.object(object).ty;
        let generation = self.encoder.first_generation(object);
        Ok(Outside { size, contents: self.memory(generation, ty, depth)? })
    }

    /// The unknown bytes of a generation.
    fn memory(&mut self, generation: u32, ty: Option<TypeId>, depth: u32) -> Result<Contents, SolverError> {
        let mut pieces = Vec::new();
        let unknown = self.unknown.get(&generation).cloned().unwrap_or_default();
        for (offset, term) in unknown.words {
            let bits = self.bits(term)?;
            if bits != 0 {
                pieces.push((offset, Piece::Bits { size: 8, bits }));
            }
        }
        let mut grids = self.encoder.unknown_grids(generation, ty);
        let typed: Vec<TermId> = grids.iter().map(|grid| grid.term).collect();
        grids.extend(unknown.grids.into_iter().filter(|grid| !typed.contains(&grid.term)));
        let found = self.encoder.found.range((generation, 0)..=(generation, u64::MAX));
        let mut found: Vec<_> = found.map(|(&(_, offset), &pointer)| (offset, pointer)).collect();
        for grid in grids {
            let value = self.model.value(&self.encoder.pool, grid.term)?;
            if let Some(array) = value.as_array() {
                pieces.extend(elements(array, &grid));
            }
            for (index, pointer) in self.encoder.found_elements.get(&grid.term).cloned().unwrap_or_default() {
                let index = self.bits(index)? as u64;
                if grid.shape.count.is_none_or(|count| index < count) {
                    found.push((grid.shape.start + index * grid.shape.stride, pointer));
                }
            }
        }
        for (offset, pointer) in found {
            let bits = self.bits(pointer)?;
            let piece = match self.outside_at(bits) {
                Some(object) => Piece::Pointer(self.outside(object, depth + 1)?),
                None => Piece::Bits { size: self.encoder.program.types.pointer_size() as u32, bits },
            };
            pieces.push((offset, piece));
        }
        Ok(Contents { pieces })
    }
}

/// The elements of a grid: those that differ from the others, before them the others if they are not zero.
fn elements(array: &ArrayValue, grid: &Grid) -> Vec<(u64, Piece)> {
    let piece = |index: u64, element: &term::BitVec| {
        let piece = Piece::Bits { size: grid.shape.size as u32, bits: low_bits(element) };
        (grid.shape.start + index * grid.shape.stride, piece)
    };
    let others = array.default_value();
    let count = if low_bits(others) == 0 { 0 } else { grid.shape.count.unwrap_or(0).min(MOST_ELEMENTS) };
    let mut pieces: Vec<(u64, Piece)> = (0..count).map(|index| piece(index, others)).collect();
    let known = array.entries().filter_map(|(index, element)| Some((index.to_u64()?, element)));
    let inside = known.filter(|&(index, _)| grid.shape.count.is_none_or(|count| index < count));
    pieces.extend(inside.map(|(index, element)| piece(index, element)));
    pieces
}

fn low_bits(bits: &term::BitVec) -> u128 {
    let width = bits.width();
    let low = bits.extract(width.min(64) - 1, 0).to_u64().unwrap_or(0);
    let high = if width > 64 { bits.extract(width.min(128) - 1, 64).to_u64().unwrap_or(0) } else { 0 };
    u128::from(high) << 64 | u128::from(low)
}

/// Hands out what a counterexample says.
struct Replayed {
    inputs: std::vec::IntoIter<InputValue>,
    fresh: FxHashMap<EdgeId, VecDeque<Contents>>,
}

impl Inputs for Replayed {
    fn next(&mut self, _: &Request<'_>) -> Option<InputValue> {
        self.inputs.next()
    }

    fn whole(&mut self, edge: EdgeId) -> Option<Contents> {
        Some(self.fresh(edge, 0))
    }

    fn fresh(&mut self, edge: EdgeId, _: u64) -> Contents {
        self.fresh.get_mut(&edge).and_then(VecDeque::pop_front).unwrap_or_default()
    }
}

impl Counterexample {
    /// Runs the program on it.
    pub fn replay(
        &self,
        program: &Program,
        goals: &[Goal],
        budget: &Budget,
        observer: &mut dyn Observer,
    ) -> Ending {
        self.run(program, &options(goals, budget), observer).ending
    }

    /// The same, for a run that takes no more than so many steps to the violation, if it is one.
    pub fn replay_steps(&self, program: &Program, goals: &[Goal], budget: &Budget, most: u64) -> Ending {
        let mut options = options(goals, budget);
        options.step_limit = options.step_limit.min(most);
        self.run(program, &options, &mut replay::Silent).ending
    }

    pub fn run(&self, program: &Program, options: &Options, observer: &mut dyn Observer) -> Run {
        let mut inputs = Replayed { inputs: self.inputs.clone().into_iter(), fresh: self.fresh.clone() };
        replay::run(program, &mut inputs, options, observer)
    }
}

/// How to run a program to see whether it violates one of the goals.
pub fn options(goals: &[Goal], budget: &Budget) -> Options {
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
    let checks = Checks {
        signed_overflow: goals.contains(&Goal::NoOverflow),
        shift_range: goals.contains(&Goal::ValidShift),
        index_range: goals.contains(&Goal::ValidIndex),
        uninitialised_use: goals.contains(&Goal::Initialised),
        leaks,
    };
    Options {
        checks,
        error_functions: error_functions.collect(),
        allocation_succeeds: true,
        budget: budget.clone(),
        ..Options::default()
    }
}

/// The goal that a run which ended like this violates.
pub fn violated(goals: &[Goal], ending: &Ending) -> Option<Goal> {
    goals
        .iter()
        .find(|goal| match (goal, ending) {
            (Goal::UnreachableCall(function), Ending::ErrorCall { name, .. }) => function == name,
            (goal, Ending::Violation(violation)) => kind_of(goal) == Some(violation.kind),
            _ => false,
        })
        .cloned()
}

/// What a goal forbids, apart from calls.
fn kind_of(goal: &Goal) -> Option<ViolationKind> {
    match goal {
        Goal::NoOverflow => Some(ViolationKind::SignedOverflow),
        Goal::ValidDereference => Some(ViolationKind::InvalidDereference),
        Goal::ValidFree => Some(ViolationKind::InvalidFree),
        Goal::ValidMemoryCleanup | Goal::ValidMemoryTracking => Some(ViolationKind::MemoryLeak),
        Goal::ValidDivision => Some(ViolationKind::DivisionByZero),
        Goal::ValidIndex => Some(ViolationKind::IndexOutOfRange),
        Goal::ValidShift => Some(ViolationKind::ShiftOutOfRange),
        Goal::Initialised => Some(ViolationKind::UninitialisedUse),
        _ => None,
    }
}
