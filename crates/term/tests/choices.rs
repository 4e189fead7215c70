//! Variables that a program changes together, on ways that meet again: equalities between them mean what they say,
//! however they are rewritten.

mod support;

use support::scramble;
use term::{Assignment, BitVec, Sort, TermId, TermPool, Value};

const WIDTH: u32 = 4;
const CONDITIONS: usize = 7;
const VARIABLES: usize = 4;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = scramble(self.0);
        (self.0 >> 8) as usize % bound
    }
}

/// A term, and its value under each assignment.
#[derive(Clone)]
struct Variable {
    term: TermId,
    values: Vec<u64>,
}

struct Machine {
    pool: TermPool,
    random: Random,
    conditions: Vec<TermId>,
    inputs: Vec<TermId>,
    assignments: Vec<(Vec<bool>, Vec<u64>, Assignment)>,
    variables: Vec<Variable>,
}

impl Machine {
    fn new(seed: u64) -> Self {
        let mut pool = TermPool::new();
        let mut random = Random(seed);
        let conditions: Vec<TermId> =
            (0..CONDITIONS).map(|i| pool.variable(&format!("c{i}"), Sort::Bool)).collect();
        let inputs: Vec<TermId> =
            (0..3).map(|i| pool.variable(&format!("x{i}"), Sort::BitVec(WIDTH))).collect();
        let mut assignments = Vec::new();
        for number in 0..1usize << CONDITIONS {
            let truths: Vec<bool> = (0..CONDITIONS).map(|i| number >> i & 1 == 1).collect();
            let values: Vec<u64> = inputs.iter().map(|_| random.below(1 << WIDTH) as u64).collect();
            let mut assignment = Assignment::default();
            assignment.extend(conditions.iter().zip(&truths).map(|(&c, &truth)| (c, Value::Bool(truth))));
            let value = |value: u64| Value::BitVec(BitVec::from_i64(WIDTH, value as i64));
            assignment.extend(inputs.iter().zip(&values).map(|(&x, &v)| (x, value(v))));
            assignments.push((truths, values, assignment));
        }
        let zero = Variable { term: pool.bitvec(WIDTH, 0), values: vec![0; assignments.len()] };
        let variables = vec![zero; VARIABLES];
        Self { pool, random, conditions, inputs, assignments, variables }
    }

    /// What a variable may become.
    fn change(&mut self, of: usize) -> Variable {
        let old = self.variables[of].clone();
        match self.random.below(4) {
            0 => self.variables[self.random.below(VARIABLES)].clone(),
            1 => {
                let input = self.random.below(self.inputs.len());
                let values = self.assignments.iter().map(|(_, inputs, _)| inputs[input]).collect();
                Variable { term: self.inputs[input], values }
            }
            _ => self.plus(&old, 1 + self.random.0 % 3),
        }
    }

    fn plus(&mut self, variable: &Variable, offset: u64) -> Variable {
        let constant = self.pool.bitvec(WIDTH, offset);
        let term = self.pool.add(variable.term, constant);
        let values = variable.values.iter().map(|value| (value + offset) % (1 << WIDTH)).collect();
        Variable { term, values }
    }

    /// On one way, some variables change; on the other one, none does.
    fn step(&mut self) {
        let condition = self.random.below(CONDITIONS);
        let before = self.variables.clone();
        let shared = self.change(0);
        for (of, old) in before.iter().enumerate() {
            let new = match self.random.below(4) {
                0 => continue,
                1 | 2 => shared.clone(),
                _ => self.change(of),
            };
            let term = self.pool.ite(self.conditions[condition], new.term, old.term);
            let truths = self.assignments.iter().map(|(truths, ..)| truths[condition]);
            let pairs = new.values.iter().zip(&old.values);
            let values = truths.zip(pairs).map(|(truth, (&new, &old))| if truth { new } else { old });
            self.variables[of] = Variable { term, values: values.collect() };
        }
    }

    fn compare(&mut self) {
        for first in 0..VARIABLES {
            for second in 0..first {
                let offset = self.random.below(3) as u64;
                let (left, right) = (self.variables[first].clone(), self.variables[second].clone());
                let right = self.plus(&right, offset);
                let equal = self.pool.eq(left.term, right.term);
                for (index, (.., assignment)) in self.assignments.iter().enumerate() {
                    let found = self.pool.evaluate(equal, assignment);
                    let expected = left.values[index] == right.values[index];
                    assert_eq!(found, Value::Bool(expected), "{}", self.pool.to_smtlib(equal));
                }
            }
        }
    }
}

#[test]
fn equalities_mean_what_they_say() {
    for seed in 0..150 {
        let mut machine = Machine::new(seed);
        for _ in 0..15 {
            machine.step();
            machine.compare();
        }
    }
}
