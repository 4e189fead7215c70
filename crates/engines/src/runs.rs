//! Runs of the program that are known to be possible, and are tried again before a solver is asked.
//!
//! A run that has come to a loop head mostly comes back to it, whatever it reads meanwhile. So what it
//! did is kept, new inputs are 0, and the path that goes on is evaluated: that costs
//! what is new, while a solver would look for values for everything.

use base::Budget;
use rustc_hash::FxHashMap;
use smt::{Model, SolverError};
use std::collections::VecDeque;
use term::{Sort, TermId, TermPool, Value};

/// Runs that are kept.
const MOST: usize = 4;

#[derive(Default)]
pub struct Runs {
    /// There are arrays, of which each write would be a whole new value; or there is too little memory.
    is_given_up: bool,
    /// The values of terms in each run, those of the last one found at the end.
    known: VecDeque<FxHashMap<TermId, Value>>,
}

impl Runs {
    /// Whether the condition is true in one of the runs, as they go on with inputs that are 0.
    pub fn has(&mut self, pool: &TermPool, condition: TermId, budget: &Budget) -> bool {
        if self.is_given_up {
            return false;
        }
        if self.known.is_empty() {
            self.known.push_back(FxHashMap::default());
        }
        for values in self.known.iter_mut().rev() {
            match is_true(pool, condition, values, budget) {
                Some(true) => return true,
                Some(false) => {}
                None => {
                    self.is_given_up = true;
                    self.known.clear();
                    return false;
                }
            }
        }
        false
    }

    /// Keeps the run of the solver's model.
    pub fn learn(
        &mut self,
        pool: &TermPool,
        condition: TermId,
        solver: &mut impl Model,
    ) -> Result<(), SolverError> {
        if self.is_given_up {
            return Ok(());
        }
        let mut values = FxHashMap::default();
        for variable in pool.free_variables(&[condition]) {
            values.insert(variable, solver.value(pool, variable)?);
        }
        if self.known.len() == MOST {
            self.known.pop_front();
        }
        self.known.push_back(values);
        Ok(())
    }
}

/// `None` if there are arrays in it, or no memory for more values.
fn is_true(
    pool: &TermPool,
    condition: TermId,
    values: &mut FxHashMap<TermId, Value>,
    budget: &Budget,
) -> Option<bool> {
    let is_array = |part: &TermId| matches!(pool.sort(*part), Sort::Array { .. });
    let new = pool.reachable(&[condition], |part| values.contains_key(&part));
    if new.iter().any(is_array) || budget.check_growth(values, new.len()).is_err() {
        return None;
    }
    pool.evaluate_cached(condition, values).as_bool()
}
