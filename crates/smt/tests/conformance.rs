//! What every back end must do, run by each of them.

use base::{Budget, StopReason};
use smt::{BitBlaster, Check, CheckResult, Model, SmtlibSolver, SolverError, UnsatCore};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use term::{FloatFormat, RoundingMode, Sort, TermId, TermPool, Value};

/// All the capabilities together.
trait BackEnd: Check + Model + UnsatCore {}
impl<T: Check + Model + UnsatCore> BackEnd for T {}

fn conforms(make: impl Fn() -> Box<dyn BackEnd>) {
    assertions_accumulate(make().as_mut());
    assumptions_are_forgotten(make().as_mut());
    models_satisfy(make().as_mut());
    models_end_with_the_next_assertion(make().as_mut());
    cores_are_unsatisfiable(make().as_mut());
    constants_are_decided(make().as_mut());
    arrays_are_extensional(make().as_mut());
    floats_are_ieee(make().as_mut());
    an_empty_budget_is_unknown(make().as_mut());
    cancelling_ends_a_check(make().as_mut());
}

fn check(solver: &mut dyn BackEnd, pool: &TermPool, assumptions: &[TermId]) -> CheckResult {
    solver.check(pool, assumptions, &Budget::unlimited()).unwrap()
}

fn assertions_accumulate(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    assert_eq!(check(solver, &pool, &[]), CheckResult::Sat);
    let [three, ten] = [3, 10].map(|value| pool.bitvec(8, value));
    let above = pool.ult(three, x);
    solver.assert(&pool, above, &Budget::unlimited()).unwrap();
    assert_eq!(check(solver, &pool, &[]), CheckResult::Sat);
    let square = pool.mul(x, x);
    let is_ten = pool.eq(square, ten);
    solver.assert(&pool, is_ten, &Budget::unlimited()).unwrap();
    assert_eq!(check(solver, &pool, &[]), CheckResult::Unsat);
    assert!(solver.unsat_core().is_empty());
    assert_eq!(solver.value(&pool, x), Err(SolverError::NoModel));
}

fn assumptions_are_forgotten(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(16));
    let five = pool.bitvec(16, 5);
    let is_five = pool.eq(x, five);
    let not_five = pool.not(is_five);
    for _ in 0..3 {
        assert_eq!(check(solver, &pool, &[is_five]), CheckResult::Sat);
        assert_eq!(solver.value(&pool, x).unwrap(), pool.value(five).unwrap());
        assert_eq!(check(solver, &pool, &[not_five]), CheckResult::Sat);
        assert_ne!(solver.value(&pool, x).unwrap(), pool.value(five).unwrap());
        assert_eq!(check(solver, &pool, &[is_five, not_five]), CheckResult::Unsat);
    }
}

fn models_satisfy(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(32)));
    let product = pool.mul(x, y);
    let target = pool.bitvec(32, 3_127);
    let limit = pool.bitvec(32, 1000);
    let one = pool.bitvec(32, 1);
    let conditions = [
        pool.eq(product, target),
        pool.ult(one, x),
        pool.ult(one, y),
        pool.ult(x, limit),
        pool.ult(y, limit),
    ];
    for condition in conditions {
        solver.assert(&pool, condition, &Budget::unlimited()).unwrap();
    }
    assert_eq!(check(solver, &pool, &[]), CheckResult::Sat);
    for condition in conditions {
        assert_eq!(solver.value(&pool, condition), Ok(Value::Bool(true)));
    }
    // Terms that the solver has never seen have values, too.
    let z = pool.variable("z", Sort::BitVec(32));
    let sum = pool.add(x, z);
    assert!(solver.value(&pool, sum).is_ok());
}

fn models_end_with_the_next_assertion(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let a = pool.variable("a", Sort::Bool);
    assert_eq!(solver.value(&pool, a), Err(SolverError::NoModel));
    solver.assert(&pool, a, &Budget::unlimited()).unwrap();
    assert_eq!(check(solver, &pool, &[]), CheckResult::Sat);
    assert_eq!(solver.value(&pool, a), Ok(Value::Bool(true)));
    let b = pool.variable("b", Sort::Bool);
    solver.assert(&pool, b, &Budget::unlimited()).unwrap();
    assert_eq!(solver.value(&pool, a), Err(SolverError::NoModel));
}

fn cores_are_unsatisfiable(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::BitVec(8));
    let bounds: Vec<_> = (0..10)
        .map(|bound| {
            let bound = pool.bitvec(8, bound * 20);
            pool.ult(bound, x)
        })
        .collect();
    let fifty = pool.bitvec(8, 50);
    let small = pool.ult(x, fifty);
    let mut assumptions = bounds.clone();
    assumptions.push(small);
    assert_eq!(check(solver, &pool, &assumptions), CheckResult::Unsat);
    let core = solver.unsat_core().to_vec();
    assert!(core.contains(&small));
    assert!(core.iter().all(|assumption| assumptions.contains(assumption)));
    assert_eq!(check(solver, &pool, &core), CheckResult::Unsat);
    assert_eq!(check(solver, &pool, &bounds), CheckResult::Sat);
}

fn constants_are_decided(solver: &mut dyn BackEnd) {
    let pool = TermPool::new();
    assert_eq!(check(solver, &pool, &[TermPool::TRUE]), CheckResult::Sat);
    assert_eq!(check(solver, &pool, &[TermPool::TRUE, TermPool::FALSE]), CheckResult::Unsat);
    assert_eq!(solver.unsat_core(), [TermPool::FALSE]);
    solver.assert(&pool, TermPool::FALSE, &Budget::unlimited()).unwrap();
    assert_eq!(check(solver, &pool, &[]), CheckResult::Unsat);
}

fn arrays_are_extensional(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let sort = Sort::Array { index: 8, element: 8 };
    let [a, b] = ["a", "b"].map(|name| pool.variable(name, sort));
    let [i, j] = ["i", "j"].map(|name| pool.variable(name, Sort::BitVec(8)));
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::BitVec(8)));
    let one_way = pool.store(a, i, x);
    let one_way = pool.store(one_way, j, y);
    let other_way = pool.store(a, j, y);
    let other_way = pool.store(other_way, i, x);
    let same = pool.eq(one_way, other_way);
    let different_indices = pool.ne(i, j);
    let not_same = pool.not(same);
    assert_eq!(check(solver, &pool, &[different_indices, not_same]), CheckResult::Unsat);
    assert_eq!(check(solver, &pool, &[not_same]), CheckResult::Sat);
    assert_eq!(solver.value(&pool, not_same), Ok(Value::Bool(true)));
    let equal = pool.eq(a, b);
    let (at_i, at_j) = (pool.select(a, i), pool.select(b, j));
    let differ = pool.ne(at_i, at_j);
    let same_index = pool.eq(i, j);
    assert_eq!(check(solver, &pool, &[equal, differ, same_index]), CheckResult::Unsat);
    assert_eq!(check(solver, &pool, &[equal, differ]), CheckResult::Sat);
    for condition in [equal, differ] {
        assert_eq!(solver.value(&pool, condition), Ok(Value::Bool(true)));
    }
}

fn floats_are_ieee(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let mode = RoundingMode::NearestEven;
    let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Float(FloatFormat::new(5, 6))));
    let sum = pool.float_add(mode, x, y);
    let unchanged = pool.float_eq(sum, x);
    let zero = pool.float_is_zero(y);
    let (infinite, not_zero) = (pool.float_is_infinite(x), pool.not(zero));
    let finite = pool.not(infinite);
    let conditions = [unchanged, not_zero, finite];
    assert_eq!(check(solver, &pool, &conditions), CheckResult::Sat);
    for condition in conditions {
        assert_eq!(solver.value(&pool, condition), Ok(Value::Bool(true)));
    }
    let commuted = pool.float_add(mode, y, x);
    let different = pool.ne(sum, commuted);
    assert_eq!(check(solver, &pool, &[different]), CheckResult::Unsat);
    // Not a number is not equal to itself.
    let strange = pool.float_eq(x, x);
    let strange = pool.not(strange);
    assert_eq!(check(solver, &pool, &[strange]), CheckResult::Sat);
    let nan = pool.float_is_nan(x);
    assert_eq!(solver.value(&pool, nan), Ok(Value::Bool(true)));
}

fn an_empty_budget_is_unknown(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let a = pool.variable("a", Sort::Bool);
    let budget = Budget::unlimited().with_time(Duration::ZERO);
    let result = solver.check(&pool, &[a], &budget).unwrap();
    assert!(matches!(result, CheckResult::Unknown(StopReason::TimeLimit(_))));
    assert_eq!(check(solver, &pool, &[a]), CheckResult::Sat);
}

/// A multiplication that no SAT solver inverts in the time of this test.
fn hard_problem(pool: &mut TermPool) -> Vec<TermId> {
    let [x, y] = ["p", "q"].map(|name| pool.variable(name, Sort::BitVec(44)));
    let [wide_x, wide_y] = [x, y].map(|term| pool.zero_extend(term, 88));
    let product = pool.mul(wide_x, wide_y);
    let target = pool.variable("n", Sort::BitVec(88));
    // Two primes of 40 bits.
    let [first, second] = [1_099_511_627_791, 1_099_511_627_689].map(|prime| term::BitVec::new(88, prime));
    let known = pool.bitvec_constant(&first.mul(&second));
    let one = pool.bitvec(44, 1);
    vec![pool.eq(product, target), pool.eq(target, known), pool.ult(one, x), pool.ult(one, y), pool.ule(x, y)]
}

fn cancelling_ends_a_check(solver: &mut dyn BackEnd) {
    let mut pool = TermPool::new();
    let conditions = hard_problem(&mut pool);
    let budget = Budget::unlimited();
    let flag = budget.cancel_flag();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        flag.store(true, Ordering::Relaxed);
        Instant::now()
    });
    let result = solver.check(&pool, &conditions, &budget).unwrap();
    let cancelled = canceller.join().unwrap();
    assert_eq!(result, CheckResult::Unknown(StopReason::Cancelled));
    assert!(cancelled.elapsed() < Duration::from_millis(100), "{:?}", cancelled.elapsed());
    // The solver is still of use.
    let a = pool.variable("a", Sort::Bool);
    assert_eq!(check(solver, &pool, &[a]), CheckResult::Sat);
}

#[test]
fn the_bit_blaster_conforms() {
    conforms(|| Box::new(BitBlaster::new()));
}

#[test]
fn the_bit_blaster_conforms_with_operations_left_out() {
    conforms(|| {
        let mut solver = BitBlaster::new();
        solver.leave_out_operations(1);
        Box::new(solver)
    });
}

#[test]
fn smtlib_solvers_conform() {
    for command in ["z3", "bitwuzla", "cvc5"] {
        match SmtlibSolver::start(command) {
            Ok(_) => conforms(|| Box::new(SmtlibSolver::start(command).unwrap())),
            Err(SolverError::Start { .. }) => eprintln!("skipped: {command} is not installed"),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn integers_are_for_other_solvers() {
    let mut pool = TermPool::new();
    let x = pool.variable("x", Sort::Int);
    let (two, seven) = (pool.int(2), pool.int(7));
    let double = pool.int_mul(x, two);
    let odd = pool.eq(double, seven);
    let mut blaster = BitBlaster::new();
    assert_eq!(
        blaster.assert(&pool, odd, &Budget::unlimited()),
        Err(SolverError::UnsupportedSort(Sort::Int))
    );
    if let Ok(mut z3) = SmtlibSolver::start("z3") {
        assert_eq!(z3.check(&pool, &[odd], &Budget::unlimited()), Ok(CheckResult::Unsat));
        let less = pool.int_lt(double, seven);
        assert_eq!(z3.check(&pool, &[less], &Budget::unlimited()), Ok(CheckResult::Sat));
        assert_eq!(z3.value(&pool, less), Ok(Value::Bool(true)));
    } else {
        eprintln!("skipped: z3 is not installed");
    }
}

#[test]
fn a_solver_that_is_none_is_an_error() {
    assert!(matches!(SmtlibSolver::start("no-such-solver"), Err(SolverError::Start { .. })));
    assert!(matches!(SmtlibSolver::start("false"), Err(SolverError::Died(_))));
    assert!(SmtlibSolver::start("echo nothing").is_err());
}
