//! Concrete states at the loop heads, from runs on random inputs.
//!
//! The blocks are terms over inputs and over the state that each starts from, so a run is a walk: evaluate
//! the blocks, see which loop head is reached, put what is observed there in the place of the state that
//! the next block starts from. What cannot be observed is any value, so a walk may leave what the program
//! really does; samples are where candidates come from, never more.

use super::template::{Reading, Template};
use base::Budget;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{BitVec, Op, Sort, TermId, TermPool, Value};

/// Terms evaluated, in all runs together.
const EFFORT: usize = 1_500_000;
const MOST_RUNS: usize = 200;
/// Loop heads visited in one run.
const LONGEST: usize = 24;
/// States kept for each location.
const MOST_STATES: usize = 160;

/// The bits of the observables, where they have no more than 64.
pub type State = Vec<Option<u64>>;

#[derive(Default)]
pub struct Samples {
    /// For each location.
    pub states: Vec<Vec<State>>,
}

impl Samples {
    pub fn new(template: &mut Template<'_>, budget: &Budget) -> Self {
        let mut walk = Walk::new(template);
        let runs = (EFFORT / LONGEST / walk.size.max(1)).min(MOST_RUNS);
        for _ in 0..runs {
            if budget.check().is_err() {
                break;
            }
            walk.run();
        }
        walk.samples
    }

    /// The truth of a term over placeholders in a state of a location.
    fn truth(template: &Template<'_>, location: usize, predicate: TermId, state: &State) -> Value {
        let pool = &template.unwinder.encoder.pool;
        let placeholders = &template.locations[location].placeholders;
        let known = placeholders.iter().zip(state).filter_map(|(&term, &bits)| Some((term?, bits?)));
        let values = known.filter_map(|(term, bits)| match pool.sort(term) {
            Sort::BitVec(width) => Some((term, Value::BitVec(BitVec::new(width, bits)))),
            _ => None,
        });
        pool.evaluate_cached(predicate, &mut values.collect())
    }

    /// The states of a location in which a predicate holds, and the others.
    pub fn split(&self, template: &Template<'_>, location: usize, predicate: TermId) -> [Vec<State>; 2] {
        let holds = |state: &&State| Self::truth(template, location, predicate, state) == Value::Bool(true);
        let (yes, no): (Vec<&State>, Vec<&State>) = self.states[location].iter().partition(holds);
        [yes, no].map(|states| states.into_iter().cloned().collect())
    }

    /// Whether a term over placeholders has the same truth in all states of a location.
    pub fn agreement(&self, template: &Template<'_>, location: usize, predicate: TermId) -> Agreement {
        let truth = |state: &State| Self::truth(template, location, predicate, state);
        let mut truths = self.states[location].iter().map(truth);
        match truths.next() {
            None => Agreement::Unknown,
            Some(first) if truths.all(|truth| truth == first) => Agreement::Same,
            Some(_) => Agreement::Mixed,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    Same,
    Mixed,
    Unknown,
}

struct Walk<'a, 'p> {
    template: &'a mut Template<'p>,
    samples: Samples,
    seen: FxHashSet<(usize, State)>,
    variables: Vec<TermId>,
    /// What the program compares with, worth trying as inputs.
    constants: Vec<u64>,
    /// Terms that one step evaluates.
    size: usize,
    values: FxHashMap<TermId, Value>,
    /// Jumps on the way.
    taken: Vec<usize>,
    random: u64,
    /// In this run, one of so many inputs is zero.
    zeros: u64,
}

impl<'a, 'p> Walk<'a, 'p> {
    fn new(template: &'a mut Template<'p>) -> Self {
        let pool = &template.unwinder.encoder.pool;
        let visits = template.returns.iter().chain(&template.jumps);
        let roots: Vec<TermId> =
            visits.flat_map(|visit| visit.terms.iter().flatten().copied().chain([visit.path])).collect();
        let parts = pool.reachable(&roots, |_| false);
        let is_variable = |&term: &TermId| pool.op(term) == Op::Variable;
        let variables = parts.iter().copied().filter(is_variable).collect();
        let mut constants: Vec<u64> = parts.iter().filter_map(|&part| pool.small_value(part)).collect();
        constants.sort_unstable();
        constants.dedup();
        let samples = Samples { states: vec![Vec::new(); template.locations.len()] };
        let (seen, values, taken) = (FxHashSet::default(), FxHashMap::default(), Vec::new());
        let (random, zeros) = (0x9e37_79b9_7f4a_7c15, 4);
        Self {
            size: parts.len(),
            template,
            samples,
            seen,
            variables,
            constants,
            values,
            taken,
            random,
            zeros,
        }
    }

    fn random(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// Small numbers and what the program names are more interesting than others.
    fn value(&mut self, sort: Sort) -> Value {
        let (kind, number) = (self.random() % 16, self.random());
        let is_zero = (self.random() >> 8).is_multiple_of(self.zeros);
        let bits = match kind {
            _ if is_zero => 0,
            0..=5 => 1,
            6..=8 => (number >> 16) % 12,
            9 => u64::MAX,
            10..=13 if !self.constants.is_empty() => {
                let constant = self.constants[(number >> 16) as usize % self.constants.len()];
                constant.wrapping_add((number >> 8) % 3).wrapping_sub(1)
            }
            _ => number,
        };
        match sort {
            Sort::BitVec(width) => Value::BitVec(BitVec::new(width, bits)),
            Sort::Bool => Value::Bool(bits != 0),
            sort => Value::default_of(sort),
        }
    }

    /// Chooses all inputs that come after a term anew.
    fn choose(&mut self, after: Option<TermId>) {
        for index in 0..self.variables.len() {
            let variable = self.variables[index];
            if after.is_none_or(|after| variable > after) {
                let value = self.value(self.template.unwinder.encoder.pool.sort(variable));
                self.values.insert(variable, value);
            }
        }
        let taken: Vec<(usize, usize)> = self.taken.iter().map(|&jump| (jump, 0)).collect();
        for (variable, truth) in self.template.fixed(&taken) {
            self.values.insert(variable, Value::Bool(truth == TermPool::TRUE));
        }
    }

    fn run(&mut self) {
        self.zeros = 3 + self.random() % 30;
        self.values.clear();
        self.taken.clear();
        self.choose(None);
        let mut first = 0;
        for _ in 0..LONGEST {
            let Some((number, state)) = self.visit(first) else { return };
            let Some(jump) = self.template.returns[number].jump else { return };
            self.start_at(jump, &state);
            // Other blocks may have jumps of their own in any order.
            first = if self.template.is_exclusive { 0 } else { jump + 1 };
        }
    }

    /// The visit that the values lead to, behind so many jumps.
    fn visit(&mut self, jumps: usize) -> Option<(usize, Vec<Option<Value>>)> {
        let pool = &self.template.unwinder.encoder.pool;
        let mut cache = self.values.clone();
        let mut visits = self.template.returns.iter().enumerate();
        let (number, visit) = visits.find(|(_, visit)| {
            visit.jumps_before >= jumps && pool.evaluate_cached(visit.path, &mut cache) == Value::Bool(true)
        })?;
        let state: Vec<Option<Value>> =
            visit.terms.iter().map(|&term| Some(pool.evaluate_cached(term?, &mut cache))).collect();
        let bits: State = state.iter().map(|value| bits(value.as_ref()?)).collect();
        let states = &mut self.samples.states[visit.location];
        if states.len() < MOST_STATES && self.seen.insert((visit.location, bits.clone())) {
            states.push(bits);
        }
        Some((number, state))
    }

    fn start_at(&mut self, jump: usize, state: &[Option<Value>]) {
        let Reading { assumed, ref terms, .. } = self.template.jumps[jump];
        let pool: &TermPool = &self.template.unwinder.encoder.pool;
        let known: Vec<(TermId, Value)> = terms
            .iter()
            .zip(state)
            .filter_map(|(&term, value)| Some((term?, value.clone()?)))
            .filter(|&(term, _)| pool.op(term) == Op::Variable)
            .collect();
        let is_exclusive = self.template.is_exclusive;
        self.taken.retain(|&other| !is_exclusive && other < jump);
        self.taken.push(jump);
        self.choose(Some(assumed));
        self.values.extend(known);
    }
}

fn bits(value: &Value) -> Option<u64> {
    match value {
        Value::BitVec(bits) => bits.to_u64(),
        _ => None,
    }
}
