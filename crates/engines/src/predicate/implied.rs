//! Which predicates of a location decide others: `x == 1` implies `x != 2`.
//!
//! A combination of predicates is excluded by a clause; a conjunct that another one implies is not needed
//! there. The shorter clause excludes the same states, and the solver learns more from it.

use base::Budget;
use rustc_hash::FxHashSet;
use smt::sat::Cadical;
use smt::sat::SatSolver;
use smt::{BitBlaster, CheckResult};
use term::{Op, TermId, TermPool};

/// For the predicates of one location.
#[derive(Default)]
pub struct Implied {
    /// The conjunct (a predicate and its truth) implies the others.
    by: Vec<[Vec<(usize, bool)>; 2]>,
}

/// Decides what cannot be true together, for all locations.
pub struct Comparer {
    solver: BitBlaster,
    budget: Budget,
}

/// Predicates over more variables are not compared.
const FEW: usize = 2;

/// A question that takes more conflicts is left open.
const PATIENCE: i32 = 200;

/// What the two predicates can be.
const COMBINATIONS: [(bool, bool); 4] = [(true, true), (true, false), (false, true), (false, false)];

impl Comparer {
    pub fn new(budget: &Budget) -> Self {
        let solver = BitBlaster::with_sat_solver(Cadical::without_preprocessing());
        Self { solver, budget: budget.clone() }
    }

    /// Combinations of the truth of two predicates that there surely are not.
    fn impossible(&mut self, pool: &TermPool, one: TermId, other: TermId) -> Vec<(bool, bool)> {
        if let (Some((x, first)), Some((y, second))) = (equation(pool, one), equation(pool, other))
            && x == y
            && pool.width(x) > 1
        {
            return if first == second { Vec::new() } else { vec![(true, true)] };
        }
        let terms = [one, other].map(|term| self.solver.literal(pool, term, &self.budget));
        let [Ok(first), Ok(second)] = terms else { return Vec::new() };
        let mut result = COMBINATIONS.to_vec();
        result.retain(|&(x, y)| {
            let together = [first.negated_if(!x), second.negated_if(!y)];
            self.solver.sat().limit_conflicts(PATIENCE);
            self.solver.check_literals(&together, &self.budget) == CheckResult::Unsat
        });
        result
    }
}

/// A variable, and the constant that it is equal to.
fn equation(pool: &TermPool, predicate: TermId) -> Option<(TermId, TermId)> {
    let &[x, y] = pool.children(predicate) else { return None };
    let is_equation = pool.op(predicate) == Op::Eq && pool.sort(x).width().is_some();
    match (pool.op(x), pool.op(y)) {
        (Op::Variable, Op::Constant) if is_equation => Some((x, y)),
        (Op::Constant, Op::Variable) if is_equation => Some((y, x)),
        _ => None,
    }
}

impl Implied {
    /// Compares a new predicate with those that there are.
    pub fn add(&mut self, pool: &TermPool, comparer: &mut Comparer, others: &[TermId], predicate: TermId) {
        let number = others.len();
        self.by.push([Vec::new(), Vec::new()]);
        let about: FxHashSet<TermId> = pool.free_variables(&[predicate]).into_iter().collect();
        if about.len() > FEW {
            return;
        }
        for (other, &term) in others.iter().enumerate() {
            let same = pool.free_variables(&[term]);
            if same.len() != about.len() || !same.iter().all(|variable| about.contains(variable)) {
                continue;
            }
            for (x, y) in comparer.impossible(pool, predicate, term) {
                self.by[number][usize::from(x)].push((other, !y));
                self.by[other][usize::from(y)].push((number, !x));
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
        let mut comparer = Comparer::new(&Budget::unlimited());
        for (index, &predicate) in predicates.iter().enumerate() {
            implied.add(&pool, &mut comparer, &predicates[..index], predicate);
        }
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(implied.needed(&[no, yes, no]), [None, yes, None]);
        assert_eq!(implied.needed(&[no, no, no]), [no, no, no]);
    }

    #[test]
    fn what_is_impossible_has_no_value() {
        let mut pool = TermPool::new();
        for width in [1, 2, 3] {
            let x = pool.variable(&format!("x{width}"), Sort::BitVec(width));
            let two = pool.bitvec(width, 2);
            let values = [0, 1].map(|value| pool.bitvec(width, value));
            let mut predicates = values.map(|value| pool.eq(x, value)).to_vec();
            predicates.push(pool.ult(x, two));
            let mut comparer = Comparer::new(&Budget::unlimited());
            for (&one, &other) in
                predicates.iter().flat_map(|one| predicates.iter().map(move |other| (one, other)))
            {
                let found = comparer.impossible(&pool, one, other);
                let truth = |term, value| {
                    let value = term::Value::BitVec(term::BitVec::new(width, value));
                    pool.evaluate(term, &[(x, value)].into_iter().collect()).as_bool()
                };
                let mut expected = COMBINATIONS.to_vec();
                expected.retain(|&(a, b)| {
                    (0..1 << width)
                        .all(|value| (truth(one, value), truth(other, value)) != (Some(a), Some(b)))
                });
                if one != other {
                    assert_eq!(found, expected, "{width}");
                }
            }
        }
    }
}
