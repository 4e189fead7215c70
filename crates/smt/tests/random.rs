//! Random problems: the bit-blaster against trying all assignments, and against z3.

#[path = "../../term/tests/support/mod.rs"]
mod support;

use base::Budget;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use smt::{BitBlaster, Check, CheckResult, Model, Ranges, SmtlibSolver, UnsatCore};
use support::{Cook, Step, Theory};
use term::{FloatFormat, Sort, TermId, Value};

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(any::<Step>(), 1..most)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        max_shrink_iters: 300,
        ..ProptestConfig::default()
    }
}

/// The Boolean results of a recipe, with their truth under every assignment.
fn conditions(theory: Theory, cook: &mut Cook, steps: &[Step]) -> Vec<(TermId, Vec<bool>)> {
    for &step in steps {
        cook.step(theory, step);
    }
    let booleans = cook.entries.iter().filter(|entry| cook.pool.sort(entry.term) == Sort::Bool);
    let truths = |values: &[Value]| values.iter().map(|value| value.as_bool().unwrap()).collect();
    let all: Vec<_> = booleans.map(|entry| (entry.term, truths(&entry.values))).collect();
    all.into_iter().rev().take(8).collect()
}

/// Checks with all operations at once, and with those left out that the answer does not depend on.
fn check_exhaustively(theory: Theory, sorts: &[Sort], steps: &[Step]) {
    check_with(BitBlaster::new(), theory, sorts, steps);
    let mut lazy = BitBlaster::new();
    lazy.leave_out_operations(1);
    check_with(lazy, theory, sorts, steps);
    check_windows(theory, sorts, steps);
}

/// Where old terms may have any value, what cannot be true cannot be true at all.
fn check_windows(theory: Theory, sorts: &[Sort], steps: &[Step]) {
    let mut cook = Cook::exhaustive(sorts);
    let conditions = conditions(theory, &mut cook, steps);
    let pool = &cook.pool;
    for (part, (condition, truths)) in conditions.iter().enumerate() {
        let mut ranges = Ranges::default();
        ranges.learn_below(pool, *condition, &Budget::unlimited()).unwrap();
        let mut solver = BitBlaster::new();
        solver.forget_before(TermId((pool.len() * part / conditions.len()) as u32), ranges);
        let result = solver.check(pool, &[*condition], &Budget::unlimited()).unwrap();
        let is_possible = truths.contains(&true);
        assert!(result == CheckResult::Sat || !is_possible, "{}", pool.to_smtlib(*condition));
    }
}

/// Checks each condition, each pair, and then all of them one after the other as assertions.
fn check_with(mut solver: BitBlaster, theory: Theory, sorts: &[Sort], steps: &[Step]) {
    let mut cook = Cook::exhaustive(sorts);
    let conditions = conditions(theory, &mut cook, steps);
    let pool = &cook.pool;
    let mut live = vec![true; cook.assignments.len()];
    for (i, (condition, truths)) in conditions.iter().enumerate() {
        for (other, other_truths) in &conditions[..=i] {
            let possible = (0..live.len()).any(|a| live[a] && truths[a] && other_truths[a]);
            let assumptions = [*condition, *other];
            let result = solver.check(pool, &assumptions, &Budget::unlimited()).unwrap();
            let expected = if possible { CheckResult::Sat } else { CheckResult::Unsat };
            assert_eq!(result, expected, "{} and {}", pool.to_smtlib(*condition), pool.to_smtlib(*other));
            if possible {
                for assumption in assumptions {
                    let value = solver.value(pool, assumption).unwrap();
                    assert_eq!(value, Value::Bool(true), "{}", pool.to_smtlib(assumption));
                }
            } else {
                let core = solver.unsat_core().to_vec();
                let again = solver.check(pool, &core, &Budget::unlimited()).unwrap();
                assert_eq!(again, CheckResult::Unsat);
            }
        }
        if i % 3 == 2 && (0..live.len()).any(|a| live[a] && truths[a]) {
            solver.assert(pool, *condition, &Budget::unlimited()).unwrap();
            live.iter_mut().zip(truths).for_each(|(live, truth)| *live &= truth);
        }
    }
}

proptest! {
    #![proptest_config(config(120))]

    #[test]
    fn bitvectors(width in 1u32..4, steps in steps(40)) {
        let sorts = [Sort::BitVec(width), Sort::BitVec(width), Sort::BitVec(2), Sort::Bool];
        check_exhaustively(Theory::BitVec, &sorts, &steps);
    }

    #[test]
    fn arrays(steps in steps(60)) {
        let array = Sort::Array { index: 1, element: 1 };
        let sorts = [array, array, Sort::BitVec(1), Sort::BitVec(1), Sort::BitVec(1), Sort::Bool];
        check_exhaustively(Theory::Array, &sorts, &steps);
    }

    #[test]
    fn larger_arrays(steps in steps(60)) {
        let array = Sort::Array { index: 2, element: 1 };
        let sorts = [array, Sort::BitVec(2), Sort::BitVec(2), Sort::BitVec(1), Sort::Bool];
        check_exhaustively(Theory::Array, &sorts, &steps);
    }

    #[test]
    fn floats(steps in steps(25)) {
        let small = Sort::Float(FloatFormat::new(2, 3));
        let sorts = [small, small, Sort::BitVec(2), Sort::Bool];
        check_exhaustively(Theory::Float, &sorts, &steps);
    }
}

/// Compares the answers of the bit-blaster and z3 on larger problems.
fn compare(theory: Theory, sorts: &[Sort], steps: &[Step], seed: u64) {
    let Ok(mut z3) = SmtlibSolver::start("z3") else {
        eprintln!("skipped: z3 is not installed");
        return;
    };
    let mut cook = Cook::new(sorts, 1, seed);
    let conditions = conditions(theory, &mut cook, steps);
    let mut solver = BitBlaster::new();
    let budget = || Budget::unlimited().with_time(std::time::Duration::from_secs(2));
    for pair in conditions.chunks(2) {
        let assumptions: Vec<_> = pair.iter().map(|(condition, _)| *condition).collect();
        let ours = solver.check(&cook.pool, &assumptions, &budget()).unwrap();
        let theirs = z3.check(&cook.pool, &assumptions, &budget());
        for &assumption in &assumptions {
            if ours == CheckResult::Sat {
                assert_eq!(solver.value(&cook.pool, assumption).unwrap(), Value::Bool(true));
            }
            if theirs == Ok(CheckResult::Sat) {
                let value = z3.value(&cook.pool, assumption);
                assert_eq!(value, Ok(Value::Bool(true)), "{}", cook.pool.to_smtlib(assumption));
            }
        }
        let decided = [CheckResult::Sat, CheckResult::Unsat];
        if let Ok(theirs) = theirs
            && decided.contains(&ours)
            && decided.contains(&theirs)
        {
            let text: Vec<_> = assumptions.iter().map(|&term| cook.pool.to_smtlib(term)).collect();
            assert_eq!(ours, theirs, "{}", text.join(" and "));
        }
    }
}

proptest! {
    #![proptest_config(config(25))]

    #[test]
    fn machine_words_as_z3(width in prop::sample::select(vec![8u32, 16, 32, 64]), steps in steps(25), seed: u64) {
        let sorts = [Sort::BitVec(width), Sort::BitVec(width), Sort::BitVec(8), Sort::Bool];
        compare(Theory::BitVec, &sorts, &steps, seed);
    }

    #[test]
    fn arrays_as_z3(steps in steps(40), seed: u64) {
        let array = Sort::Array { index: 8, element: 16 };
        let sorts = [array, array, Sort::BitVec(8), Sort::BitVec(8), Sort::BitVec(16), Sort::Bool];
        compare(Theory::Array, &sorts, &steps, seed);
    }

    #[test]
    fn floats_as_z3(steps in steps(12), seed: u64) {
        let half = Sort::Float(FloatFormat::new(4, 5));
        let sorts = [half, half, Sort::BitVec(9), Sort::Bool];
        compare(Theory::Float, &sorts, &steps, seed);
    }
}
