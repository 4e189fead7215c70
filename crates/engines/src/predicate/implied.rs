//! Which predicates of a location decide others: `x == 1` implies `x != 2`.
//!
//! A combination of predicates is excluded by a clause; a conjunct that another one implies is not needed
//! there. The shorter clause excludes the same states, and the solver learns more from it.

use base::Budget;
use rustc_hash::FxHashSet;
use smt::{BitBlaster, CheckResult};
use term::{TermId, TermPool};

/// For the predicates of one location.
#[derive(Default)]
pub struct Implied {
    /// The conjunct (a predicate and its truth) implies the others.
    by: Vec<[Vec<(usize, bool)>; 2]>,
}

/// Predicates over more variables are not compared.
const FEW: usize = 2;

impl Implied {
    /// Compares a new predicate with those that there are.
    pub fn add(&mut self, pool: &TermPool, others: &[TermId], predicate: TermId) {
        let number = others.len();
        self.by.push([Vec::new(), Vec::new()]);
        let about: FxHashSet<TermId> = pool.free_variables(&[predicate]).into_iter().collect();
        if about.len() > FEW {
            return;
        }
        let mut solver = BitBlaster::new();
        for (other, &term) in others.iter().enumerate() {
            let same = pool.free_variables(&[term]);
            if same.len() == about.len() && same.iter().all(|variable| about.contains(variable)) {
                self.compare(pool, &mut solver, (number, predicate), (other, term));
            }
        }
    }

    fn compare(
        &mut self,
        pool: &TermPool,
        solver: &mut BitBlaster,
        one: (usize, TermId),
        other: (usize, TermId),
    ) {
        let (Ok(first), Ok(second)) = (solver.literal(pool, one.1), solver.literal(pool, other.1)) else {
            return;
        };
        for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
            let together = [first.negated_if(!x), second.negated_if(!y)];
            if solver.check_literals(&together, &Budget::unlimited()) == CheckResult::Unsat {
                self.by[one.0][usize::from(x)].push((other.0, !y));
                self.by[other.0][usize::from(y)].push((one.0, !x));
            }
        }
    }

    /// Conjuncts that imply all of a combination.
    pub fn needed(&self, truth: &[Option<bool>]) -> Vec<Option<bool>> {
        let mut order: Vec<usize> = (0..truth.len().min(self.by.len())).collect();
        let implied = |index: usize| truth[index].map(|value| &self.by[index][usize::from(value)]);
        order.sort_by_key(|&index| std::cmp::Reverse(implied(index).map_or(0, Vec::len)));
        let mut needed = truth.to_vec();
        for index in order {
            if needed[index].is_none() {
                continue;
            }
            for &(other, value) in implied(index).into_iter().flatten() {
                if other != index && needed[other] == Some(value) {
                    needed[other] = None;
                }
            }
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    #[test]
    fn what_others_imply_is_not_needed() {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::BitVec(8));
        let values = [1, 2, 3].map(|value| pool.bitvec(8, value));
        let predicates = values.map(|value| pool.eq(x, value));
        let mut implied = Implied::default();
        for (index, &predicate) in predicates.iter().enumerate() {
            implied.add(&pool, &predicates[..index], predicate);
        }
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(implied.needed(&[no, yes, no]), [None, yes, None]);
        assert_eq!(implied.needed(&[no, no, no]), [no, no, no]);
    }
}
