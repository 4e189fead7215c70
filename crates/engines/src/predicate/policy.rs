//! Which refinement is taken when there are several: the policy.
//!
//! A predicate is the more general the lower its rank, and of one rank, the shorter. Predicates that merely
//! count the iterations of a loop (`i == 3` where the program does not name 3) come last of all: they
//! rule out the way at hand, and the next way is one iteration longer. Candidates are offered in this
//! order, and the core is minimised from its other end.

use super::candidates::deltas;
use super::template::Template;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, TermId, TermPool};

/// The smaller, the more general.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Generality {
    pub counts: bool,
    pub rank: u32,
    pub size: u32,
}

/// What is known of the loops, to tell what counts their iterations.
#[derive(Default)]
pub struct Policy {
    /// For each location: the observables that a loop adds constants to, with the values that the program
    /// itself compares them with.
    counters: Vec<FxHashMap<TermId, FxHashSet<u64>>>,
}

impl Policy {
    pub fn new(template: &mut Template<'_>) -> Self {
        let mut counters = vec![FxHashMap::default(); template.locations.len()];
        for number in 0..template.returns.len() {
            let location = template.returns[number].location;
            let Some(jump) = template.returns[number].jump else { continue };
            for (index, _) in deltas(template, number, jump) {
                let here = &template.locations[location];
                let (Some(counter), Some(watched)) = (here.placeholders[index], here.observed.get(index))
                else {
                    continue;
                };
                let width = template.unwinder.encoder.pool.width(counter);
                let ends = watched.thresholds.iter().map(|&value| value as u64 & u64::MAX >> (64 - width));
                counters[location].insert(counter, watched.named.iter().copied().chain(ends).collect());
            }
        }
        Self { counters }
    }

    pub fn generality(&self, pool: &TermPool, location: usize, predicate: TermId, rank: u32) -> Generality {
        let size = pool.dag_size(&[predicate]) as u32;
        Generality { counts: self.counts(pool, location, predicate), rank, size }
    }

    /// Whether a predicate compares a counter with a value that the program does not name.
    pub fn counts(&self, pool: &TermPool, location: usize, predicate: TermId) -> bool {
        let &[variable] = pool.free_variables(&[predicate]).as_slice() else { return false };
        let Some(named) = self.counters[location].get(&variable) else { return false };
        if !matches!(pool.op(predicate), Op::Eq | Op::Ult | Op::Slt) {
            return false;
        }
        match *pool.children(predicate) {
            [left, right] if left == variable => !is_named(pool, right, named),
            [left, right] if right == variable => !is_named(pool, left, named),
            [left, right] => is_sum(pool, left) && is_sum(pool, right),
            _ => false,
        }
    }
}

fn is_named(pool: &TermPool, term: TermId, named: &FxHashSet<u64>) -> bool {
    pool.small_value(term).is_none_or(|value| named.contains(&value))
}

/// A constant, or something with one added.
fn is_sum(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.op(term), Op::Constant | Op::Add | Op::Variable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::Sort;

    /// A policy for one location with a counter that the program compares with 10.
    fn policy(pool: &mut TermPool) -> (Policy, TermId, TermId) {
        let (counter, other) = (pool.variable("i", Sort::BitVec(32)), pool.variable("x", Sort::BitVec(32)));
        let named = [10].into_iter().collect();
        (Policy { counters: vec![[(counter, named)].into_iter().collect()] }, counter, other)
    }

    #[test]
    fn what_counts_iterations_comes_last() {
        let mut pool = TermPool::new();
        let (policy, counter, other) = policy(&mut pool);
        let (three, ten) = (pool.bitvec(32, 3), pool.bitvec(32, 10));
        let next = pool.add(counter, three);
        let counting = [pool.eq(counter, three), pool.slt(counter, three), pool.eq(next, ten)];
        let low = pool.extract(counter, 1, 0);
        let zero = pool.bitvec(2, 0);
        let general =
            [pool.slt(counter, ten), pool.eq(counter, other), pool.eq(other, three), pool.eq(low, zero)];
        for predicate in counting {
            assert!(policy.counts(&pool, 0, predicate));
            for other in general {
                let (first, last) =
                    (policy.generality(&pool, 0, other, 9), policy.generality(&pool, 0, predicate, 1));
                assert!(first < last, "{first:?} {last:?}");
            }
        }
    }

    #[test]
    fn ranks_come_before_sizes() {
        let mut pool = TermPool::new();
        let (policy, counter, other) = policy(&mut pool);
        let sum = pool.add(counter, other);
        let (short, long) = (pool.slt(counter, other), pool.slt(sum, other));
        let of = |predicate, rank| policy.generality(&pool, 0, predicate, rank);
        assert!(of(short, 1) < of(long, 1) && of(long, 1) < of(short, 2));
    }
}
