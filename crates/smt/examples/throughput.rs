//! How fast terms are built, translated and solved:
//! `cargo run --release --example throughput [terms|program|queries|circuits]…`
//!
//! Times are those of the processor, where the system tells them: others may be using it, too.

use base::Budget;
use smt::{BitBlaster, Check, CheckResult, Model};
use std::sync::LazyLock;
use std::time::{Duration, Instant};
use term::{FloatFormat, RoundingMode, Sort, TermId, TermPool};

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The processor time of this thread, or else the time since the start.
fn now() -> Duration {
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = schedule.and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

fn report(what: &str, count: usize, unit: &str, time: Duration) {
    let rate = count as f64 / time.as_secs_f64() / 1e6;
    println!("{what:<34} {count:>10} {unit:<6} {:>9.3} s  {rate:>8.2} M/s", time.as_secs_f64());
}

/// Terms that no rule simplifies.
fn build_plain() {
    let mut pool = TermPool::new();
    let variables: Vec<_> = (0..64).map(|i| pool.variable(&format!("x{i}"), Sort::BitVec(32))).collect();
    let start = now();
    let mut term = variables[0];
    for i in 0..2_000_000 {
        term = if i % 2 == 0 {
            pool.bit_xor(term, variables[i % 61])
        } else {
            pool.bit_and(term, variables[i % 63])
        };
    }
    report("new terms (xor, and)", pool.len(), "terms", now() - start);
    let start = now();
    let mut term = variables[0];
    for i in 0..2_000_000 {
        term = if i % 2 == 0 {
            pool.bit_xor(term, variables[i % 61])
        } else {
            pool.bit_and(term, variables[i % 63])
        };
    }
    report("the same terms again", 2_000_000, "terms", now() - start);
}

/// The steps of a small program, as symbolic execution builds them.
fn build_program(steps: usize) -> (TermPool, Vec<TermId>) {
    let mut pool = TermPool::new();
    let one = pool.bitvec(32, 1);
    let limit = pool.bitvec(32, 1000);
    let mut i = pool.variable("i", Sort::BitVec(32));
    let mut sum = pool.variable("sum", Sort::BitVec(32));
    let mut conditions = Vec::new();
    for k in 0..steps {
        let input = pool.variable(&format!("input{k}"), Sort::BitVec(8));
        let wide = pool.sign_extend(input, 32);
        let odd = pool.bit(i, 0);
        let added = pool.add(sum, wide);
        let flipped = pool.bit_xor(sum, i);
        sum = pool.ite(odd, added, flipped);
        i = pool.add(i, one);
        conditions.push(pool.slt(sum, limit));
        conditions.push(pool.ne(sum, i));
    }
    (pool, conditions)
}

fn blast_program() {
    let start = now();
    let (pool, conditions) = build_program(20_000);
    report("terms of a program", pool.len(), "terms", now() - start);
    let start = now();
    let mut solver = BitBlaster::new();
    for &condition in &conditions {
        solver.assert(&pool, condition, &Budget::unlimited()).expect("no integers");
    }
    let gates = solver.statistics().gates;
    report("terms to gates to clauses", gates, "gates", now() - start);
    let start = now();
    let result = solver.check(&pool, &[], &Budget::unlimited().with_time(Duration::from_secs(60)));
    report(&format!("solved: {result:?}"), gates, "gates", now() - start);
}

/// Many small queries on one solver.
fn many_queries() {
    let (pool, conditions) = build_program(200);
    let mut solver = BitBlaster::new();
    let start = now();
    let (mut satisfiable, mut reading) = (0, Duration::ZERO);
    for pair in conditions.windows(2) {
        let result = solver.check(&pool, pair, &Budget::unlimited()).expect("no integers");
        satisfiable += usize::from(result == CheckResult::Sat);
        if result == CheckResult::Sat {
            let start = now();
            solver.value(&pool, pair[0]).expect("there is a model");
            reading += now() - start;
        }
    }
    report("values of terms", satisfiable, "values", reading);
    report(&format!("queries ({satisfiable} satisfiable)"), conditions.len() - 1, "checks", now() - start);
}

fn circuits() {
    type Binary = fn(&mut TermPool, TermId, TermId) -> TermId;
    let operations: [(&str, Binary); 3] = [
        ("32-bit multiplications", TermPool::mul),
        ("32-bit divisions", TermPool::udiv),
        ("32-bit shifts", TermPool::shl),
    ];
    for (name, operation) in operations {
        let mut pool = TermPool::new();
        let mut solver = BitBlaster::new();
        let start = now();
        for k in 0..50 {
            let [x, y] = ["x", "y"].map(|name| pool.variable(&format!("{name}{k}"), Sort::BitVec(32)));
            let result = operation(&mut pool, x, y);
            let condition = pool.ult(result, x);
            solver.assert(&pool, condition, &Budget::unlimited()).expect("no integers");
        }
        report(name, solver.statistics().gates, "gates", now() - start);
    }
    let mode = RoundingMode::NearestEven;
    type Operation = fn(&mut TermPool, RoundingMode, TermId, TermId) -> TermId;
    let operations: [(&str, Operation); 3] = [
        ("double additions", TermPool::float_add),
        ("double multiplications", TermPool::float_mul),
        ("double divisions", TermPool::float_div),
    ];
    for (name, operation) in operations {
        let mut pool = TermPool::new();
        let mut solver = BitBlaster::new();
        let start = now();
        for k in 0..10 {
            let sort = Sort::Float(FloatFormat::DOUBLE);
            let [x, y] = ["x", "y"].map(|name| pool.variable(&format!("{name}{k}"), sort));
            let result = operation(&mut pool, mode, x, y);
            let condition = pool.float_lt(result, x);
            solver.assert(&pool, condition, &Budget::unlimited()).expect("no integers");
        }
        report(name, solver.statistics().gates, "gates", now() - start);
    }
}

fn main() {
    let sections: [(&str, fn()); 4] = [
        ("terms", build_plain),
        ("program", blast_program),
        ("queries", many_queries),
        ("circuits", circuits),
    ];
    let wanted: Vec<_> = std::env::args().skip(1).collect();
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            section();
        }
    }
}
