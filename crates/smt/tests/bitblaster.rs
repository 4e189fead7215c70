//! What only the bit-blaster offers: literals, clauses; and its limits.

use base::{Budget, StopReason};
use smt::sat::{Cadical, Literal, SatSolver};
use smt::{BitBlaster, Check, CheckResult, Model, SmtlibSolver, SolverError};
use std::time::Duration;
use term::{Sort, TermId, TermPool, Value};

#[test]
fn a_sat_solver_answers() {
    let mut sat = Cadical::new();
    let [a, b] = [(); 2].map(|()| sat.new_variable());
    sat.add_clause(&[a, b]);
    let budget = Budget::unlimited();
    assert_eq!(sat.solve(&[!a], &budget), CheckResult::Sat);
    assert!(sat.value(b) && !sat.value(a) && sat.value(!a));
    assert_eq!(sat.solve(&[!a, !b], &budget), CheckResult::Unsat);
    assert!(sat.failed(!a) && sat.failed(!b));
    assert_eq!(sat.solve(&[], &budget), CheckResult::Sat);
    sat.add_clause(&[]);
    assert_eq!(sat.solve(&[], &budget), CheckResult::Unsat);
}

#[test]
fn literals_enumerate_solutions() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let ten = pool.bitvec(8, 10);
    let small = pool.ult(x, ten);
    let predicates: Vec<TermId> = [3, 6, 9, 12]
        .map(|bound| {
            let bound = pool.bitvec(8, bound);
            pool.ult(x, bound)
        })
        .into();
    let mut solver = BitBlaster::new();
    let activation = solver.new_literal();
    let small = solver.literal(&pool, small, &Budget::unlimited()).unwrap();
    solver.add_clause(&[!activation, small]);
    let literals: Vec<Literal> =
        predicates.iter().map(|&p| solver.literal(&pool, p, &Budget::unlimited()).unwrap()).collect();
    let mut count = 0;
    while solver.check_literals(&[activation], &Budget::unlimited()) == CheckResult::Sat {
        count += 1;
        let blocking: Vec<_> = literals
            .iter()
            .map(|&literal| literal.negated_if(solver.sat().value(literal)))
            .chain([!activation])
            .collect();
        solver.add_clause(&blocking);
    }
    // Below 3, below 6, below 9, and 9 itself.
    assert_eq!(count, 4);
    // Without the activation literal nothing is lost.
    assert_eq!(solver.check_literals(&[!activation], &Budget::unlimited()), CheckResult::Sat);
}

/// Words that are put together may be too long to have a range.
#[test]
fn words_are_put_together_with_longer_ones() {
    let mut pool = TermPool::new();
    let (high, low) = (pool.variable("high", Sort::BitVec(64)), pool.variable("low", Sort::BitVec(65)));
    let one = pool.bitvec(129, 1);
    let (both, swapped) = (pool.concat(high, low), pool.concat(low, high));
    let sum = pool.add(swapped, one);
    let equal = pool.eq(both, sum);
    let mut solver = BitBlaster::new();
    assert_eq!(solver.check(&pool, &[equal], &Budget::unlimited()).unwrap(), CheckResult::Sat);
    assert_eq!(solver.value(&pool, equal).unwrap(), Value::Bool(true));
}

/// A condition on two bits that is a million operations deep.
fn deep_condition(pool: &mut TermPool) -> TermId {
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(1)));
    let mut deep = x;
    for _ in 0..500_000 {
        deep = pool.bit_xor(deep, y);
        deep = pool.bit_and(deep, x);
        deep = pool.bit_or(deep, y);
    }
    let zero = pool.bitvec(1, 0);
    pool.eq(deep, zero)
}

#[test]
fn a_million_levels_are_translated() {
    let mut pool = TermPool::new();
    let condition = deep_condition(&mut pool);
    let mut solver = BitBlaster::new();
    solver.assert(&pool, condition, &Budget::unlimited()).unwrap();
    assert_eq!(solver.check(&pool, &[], &Budget::unlimited()), Ok(CheckResult::Sat));
    assert_eq!(solver.value(&pool, condition), Ok(Value::Bool(true)));
}

#[test]
fn an_assertion_ends_with_the_budget() {
    let mut pool = TermPool::new();
    let condition = deep_condition(&mut pool);
    let otherwise = pool.not(condition);
    let mut solver = BitBlaster::new();
    let nothing = Budget::unlimited().with_time(Duration::ZERO);
    assert!(matches!(solver.assert(&pool, condition, &nothing), Err(SolverError::Stopped(_))));
    // It can be taken up again.
    solver.assert(&pool, condition, &Budget::unlimited()).unwrap();
    assert_eq!(solver.check(&pool, &[otherwise], &Budget::unlimited()), Ok(CheckResult::Unsat));
}

#[test]
fn a_long_chain_of_writes_is_read_through() {
    let mut pool = TermPool::new();
    let mut array = pool.variable("a", Sort::Array { index: 16, element: 8 });
    for k in 0..200 {
        let index = pool.variable(&format!("i{k}"), Sort::BitVec(16));
        let value = pool.bitvec(8, k % 7);
        array = pool.store(array, index, value);
    }
    let j = pool.variable("j", Sort::BitVec(16));
    let read = pool.select(array, j);
    let (seven, six) = (pool.bitvec(8, 7), pool.bitvec(8, 6));
    let conditions = [pool.eq(read, seven), pool.eq(read, six)];
    let mut solver = BitBlaster::new();
    for condition in conditions {
        assert_eq!(solver.check(&pool, &[condition], &Budget::unlimited()), Ok(CheckResult::Sat));
        assert_eq!(solver.value(&pool, condition), Ok(Value::Bool(true)));
    }
}

#[test]
fn memory_is_limited() {
    let mut pool = TermPool::new();
    let a = pool.variable("a", Sort::Bool);
    let budget = Budget::unlimited().with_memory(1);
    let result = BitBlaster::new().check(&pool, &[a], &budget).unwrap();
    assert_eq!(result, CheckResult::Unknown(StopReason::MemoryLimit(1)));
}

#[test]
fn word_level_reasoning_spares_the_sat_solver() {
    let mut pool = TermPool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| pool.variable(name, Sort::BitVec(32)));
    let sum = pool.add(b, c);
    let left = pool.mul(a, sum);
    let (ab, ac) = (pool.mul(a, b), pool.mul(a, c));
    let right = pool.add(ab, ac);
    let different = pool.ne(left, right);
    assert_eq!(BitBlaster::new().check(&pool, &[different], &Budget::unlimited()), Ok(CheckResult::Unsat));
}

#[test]
fn a_solver_that_dies_is_an_error_and_another_one_takes_over() {
    let Ok(mut solver) = SmtlibSolver::start("z3 -T:1") else {
        eprintln!("skipped: z3 is not installed");
        return;
    };
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(96)));
    let product = pool.mul(x, y);
    // Two primes of 40 bits; z3 ends itself before it has found them.
    let [first, second] = [1_099_511_627_791, 1_099_511_627_689].map(|prime| term::BitVec::new(96, prime));
    let known = pool.bitvec_constant(&first.mul(&second));
    let limit = pool.bitvec_constant(&term::BitVec::power_of_two(96, 45));
    let one = pool.bitvec(96, 1);
    let mut conditions = vec![pool.eq(product, known)];
    for term in [x, y] {
        conditions.push(pool.ult(term, limit));
        conditions.push(pool.ult(one, term));
    }
    let result = solver.check(&pool, &conditions, &Budget::unlimited());
    assert!(
        matches!(result, Err(SolverError::Died(_) | SolverError::GaveUp(_) | SolverError::Answer(_))),
        "{result:?}"
    );
    let a = pool.variable("a", Sort::Bool);
    assert_eq!(solver.check(&pool, &[a], &Budget::unlimited()), Ok(CheckResult::Sat));
}
