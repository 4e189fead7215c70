//! Whatever the builder methods rewrite, the value of a term stays what its operators say.

mod support;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use support::{Cook, Step, Theory};
use term::{FloatFormat, Sort};

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(any::<Step>(), 1..most)
}

/// Builds the recipe and compares every intermediate result under every assignment.
fn check(theory: Theory, sorts: &[Sort], steps: &[Step], seed: u64) {
    let mut cook = Cook::new(sorts, 12, seed);
    for &step in steps {
        let Some(entry) = cook.step(theory, step) else { continue };
        let entry = &cook.entries[entry];
        for (assignment, expected) in cook.assignments.iter().zip(&entry.values) {
            let found = cook.pool.evaluate(entry.term, assignment);
            assert_eq!(found.sort(), cook.pool.sort(entry.term));
            let same = match (&found, expected) {
                (term::Value::Array(a), term::Value::Array(b)) => a.same_map(b),
                (a, b) => a == b,
            };
            assert!(
                same,
                "{} is {found}, not {expected}, under {assignment:?}",
                cook.pool.to_smtlib(entry.term)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, rng_seed: RngSeed::Fixed(1), max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn bitvectors(width in 1u32..10, steps in steps(40), seed: u64) {
        let sorts = [Sort::BitVec(width), Sort::BitVec(width), Sort::BitVec(width), Sort::Bool, Sort::Bool];
        check(Theory::BitVec, &sorts, &steps, seed);
    }

    #[test]
    fn machine_words(width in prop::sample::select(vec![8u32, 16, 32, 64, 70]), steps in steps(40), seed: u64) {
        let sorts = [Sort::BitVec(width), Sort::BitVec(width), Sort::BitVec(8), Sort::BitVec(1), Sort::Bool];
        check(Theory::BitVec, &sorts, &steps, seed);
    }

    #[test]
    fn arrays(steps in steps(40), seed: u64) {
        let array = Sort::Array { index: 2, element: 3 };
        let sorts = [array, array, Sort::BitVec(2), Sort::BitVec(2), Sort::BitVec(3), Sort::BitVec(3), Sort::Bool];
        check(Theory::Array, &sorts, &steps, seed);
    }

    #[test]
    fn floats(steps in steps(30), seed: u64) {
        let [small, double] = [FloatFormat::new(3, 3), FloatFormat::DOUBLE].map(Sort::Float);
        let sorts = [small, small, double, double, Sort::BitVec(6), Sort::BitVec(64), Sort::Bool];
        check(Theory::Float, &sorts, &steps, seed);
    }

    #[test]
    fn integers(steps in steps(40), seed: u64) {
        check(Theory::Int, &[Sort::Int, Sort::Int, Sort::Int, Sort::Bool, Sort::Bool], &steps, seed);
    }
}
