//! Runs of the engine `explicit` that are stopped: by each of the fifteen limits, by tiny ones, by a signal.
//! Whatever stops a run, it hands in a condition, and a run that takes it up comes to the right verdict: no
//! violation gets lost between the two, and what was left open is found to be safe where it is.

mod generator;
mod support;

use base::Budget;
use domains::monitors::Limit;
use engines::explicit::{self, Options};
use engines::{Analyses, Findings, Outcome, Task};
use generator::Generator;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use support::random::Random;
use support::{load, unreachable};
use task::Condition;

/// Programs that explicit values decide, each with its verdict.
const EXAMPLES: &[(&str, bool, &str)] = &[
    ("a loop", true, "int i = 0; while (i < 40) { if (input()) { i += 2; } else { i++; } } check(i <= 41);"),
    (
        "a loop, off by one",
        false,
        "int i = 0; while (i < 40) { if (input()) { i += 2; } else { i++; } } check(i < 41);",
    ),
    ("copies", true, "int x = input(); int y = x; int k = 0; while (k < 9) { k++; } check(x == y);"),
    ("copies that differ", false, "int x = input(); int y = x; if (input() == 7) { y++; } check(x == y);"),
    (
        "an array",
        true,
        "int a[4] = {0}; for (int i = 0; i < 4; i++) { a[i] = input() ? i : 3 - i; }
        for (int i = 0; i < 4; i++) { check(a[i] == i || a[i] == 3 - i); }",
    ),
    (
        "an array, last element",
        false,
        "int a[4] = {0}; for (int i = 0; i < 4; i++) { a[i] = input() ? i : 3 - i; }
        for (int i = 0; i < 4; i++) { check(a[i] == i || a[i] < 3); }",
    ),
    ("recursion", true, "check(depth(12) == 12);"),
    // Once the check is verified, nothing asks for bounds but the depth itself.
    ("recursion behind a check", true, "int i = input() & 3; check(i <= 3); down(i);"),
    ("recursion, wrong", false, "check(depth(12) == (input() ? 12 : 13));"),
    (
        "states of a machine",
        true,
        "int state = 0; for (int n = 0; n < 25; n++) { switch (state) {
        case 0: if (input()) state = 1; break; case 1: state = input() ? 2 : 0; break;
        case 2: state = 0; break; default: check(0); } } check(state < 3);",
    ),
    (
        "states of a machine, bad one",
        false,
        "int state = 0; for (int n = 0; n < 25; n++) { switch (state) {
        case 0: if (input()) state = 1; break; case 1: state = input() ? 2 : 0; break;
        case 2: state = n > 20 ? 3 : 0; break; default: check(0); } } check(state < 4);",
    ),
    (
        "function pointers",
        true,
        "int (*f)(int) = input() ? add : sub; int v = f(5); v += f(1); check(v == 8 || v == 4);",
    ),
    (
        "function pointers, wrong",
        false,
        "int (*f)(int) = input() ? add : sub; int v = f(5); v += f(1); check(v == 8);",
    ),
];

fn program(body: &str) -> cfa::Program {
    load(&format!(
        "int __VERIFIER_nondet_int(void); void reach_error(void);
        static int input(void) {{ return __VERIFIER_nondet_int(); }}
        static void check(int holds) {{ if (!holds) {{ reach_error(); }} }}
        static int depth(int n) {{ return n > 0 ? depth(n - 1) + 1 : 0; }}
        static void down(int n) {{ if (n > 0) {{ down(n - 1); }} }}
        static int add(int n) {{ return n + 1; }} static int sub(int n) {{ return n - 1; }}
        int main(void) {{ {body} return 0; }}"
    ))
}

fn verify(
    program: &cfa::Program,
    limit: Option<&str>,
    given: Option<&Condition>,
    budget: &Budget,
) -> Findings {
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let mut options = Options::default();
    limit.into_iter().for_each(|limit| options.limits.add(limit).expect("a limit"));
    let task = Task { program, analyses: &analyses, goals: &goals, condition: given, budget };
    explicit::run(task, &options).0
}

/// All that has been verified so far; through a form that goes from one process to the next.
fn condition(program: &cfa::Program, findings: &Findings, given: Option<&Condition>, form: u32) -> Condition {
    let mut new = Condition::nothing(program, &unreachable());
    new.covered.extend(findings.covered.clone());
    let mut condition = given.cloned().unwrap_or_else(|| Condition::nothing(program, &unreachable()));
    condition.add(new);
    let text = match form {
        0 => task::condition::json::write(&condition),
        _ => task::condition::text::write(&condition, Some(program)),
    };
    let read = Condition::parse(&text, program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, condition);
    read
}

fn is_right(findings: &Findings, safe: bool) -> bool {
    match findings.outcome {
        Outcome::True => safe,
        Outcome::False { .. } => !safe,
        Outcome::Unknown { .. } => false,
    }
}

/// A run that ended early is taken up; the two together say TRUE exactly if the program is safe.
fn check_taken_up(program: &cfa::Program, findings: &Findings, safe: bool, what: &str) -> bool {
    if !matches!(findings.outcome, Outcome::Unknown { .. }) {
        assert!(is_right(findings, safe), "{what}: {:?}", findings.outcome);
        return false;
    }
    let given = condition(program, findings, None, what.len() as u32 % 2);
    let second = verify(program, None, Some(&given), &patient());
    assert!(is_right(&second, safe), "{what}, taken up: {:?}", second.outcome);
    true
}

fn patient() -> Budget {
    Budget::unlimited().with_time(Duration::from_secs(60))
}

/// Values with which a limit may stop a run at its start, or on its way.
fn values(limit: Limit) -> &'static [&'static str] {
    match limit {
        Limit::Time => &["0s", "50us"],
        Limit::PostTime => &["0s", "2us"],
        Limit::PathTime => &["0s", "20us"],
        Limit::RefineTime => &["0s"],
        Limit::Memory | Limit::RefineMemory => &["1"],
        Limit::PostMemory => &["0", "200"],
        Limit::FormulaSize => &["0", "10"],
        Limit::StateSize => &["1", "4"],
        _ => &["1", "3", "8", "30"],
    }
}

#[test]
fn the_examples_are_decided() {
    for &(name, safe, body) in EXAMPLES {
        let findings = verify(&program(body), None, None, &patient());
        assert!(is_right(&findings, safe), "{name}: {:?}", findings.outcome);
    }
}

#[test]
fn with_every_limit_two_runs_come_to_the_verdict() {
    for &limit in Limit::ALL {
        let (mut stopped, mut safe_ones) = (0, 0);
        for &(name, safe, body) in EXAMPLES {
            let program = program(body);
            for value in values(limit) {
                let text = format!("{}={value}", limit.name());
                let findings = verify(&program, Some(&text), None, &patient());
                if check_taken_up(&program, &findings, safe, &format!("{name} with {text}")) {
                    stopped += 1;
                    safe_ones += u32::from(safe);
                }
            }
        }
        // That the safe ones are, is found out without a formula.
        let enough = stopped >= 2 && (safe_ones >= 1 || limit == Limit::FormulaSize);
        assert!(enough, "{} has stopped {stopped} runs", limit.name());
    }
}

/// The same with random programs: what an undisturbed run decides, the two together decide, too.
#[test]
fn with_every_limit_two_runs_decide_what_one_does() {
    let mut stopped = vec![0; Limit::ALL.len()];
    for seed in 600..650 {
        let source = Generator::program(seed);
        if source.matches("twice(").count() > 2 {
            // Calls with unknown arguments: many states.
            continue;
        }
        let program = load(&source);
        let alone = verify(&program, None, None, &patient());
        let safe = match alone.outcome {
            Outcome::True => true,
            Outcome::False { .. } => false,
            Outcome::Unknown { .. } => continue,
        };
        for &limit in Limit::ALL {
            for value in values(limit) {
                let text = format!("{}={value}", limit.name());
                let impatient = Budget::unlimited().with_time(Duration::from_millis(300));
                let findings = verify(&program, Some(&text), None, &impatient);
                let what = format!("seed {seed} with {text}");
                stopped[limit as usize] += u32::from(check_taken_up(&program, &findings, safe, &what));
            }
        }
    }
    assert!(stopped.iter().all(|&count| count >= 5), "stops by limit: {stopped:?}");
}

/// Again and again stopped by a limit that is far too small, in all forms, until nothing is left open.
#[test]
fn tiny_limits_a_hundred_times() {
    let (mut random, mut stops) = (Random(17), 0);
    for &(name, safe, body) in EXAMPLES {
        let (program, mut given) = (program(body), None);
        for round in 0..14 {
            let limit = ["states", "path-length", "path-assumes", "states-per-location", "edge-visits"];
            let limit = format!("{}={}", limit[random.below(5) as usize], 1 + random.below(4 + 2 * round));
            let findings = verify(&program, Some(&limit), given.as_ref(), &patient());
            if !matches!(findings.outcome, Outcome::Unknown { .. }) {
                assert!(is_right(&findings, safe), "{name} with {limit}: {:?}", findings.outcome);
                continue;
            }
            stops += 1;
            given = Some(condition(&program, &findings, given.as_ref(), round % 2));
        }
        let last = verify(&program, None, given.as_ref(), &patient());
        assert!(is_right(&last, safe), "{name}: {:?}", last.outcome);
    }
    assert!(stops >= 100, "only {stops} stops");
}

/// Cancelled from outside, as a signal does, at random moments: of whatever the engine is doing then.
#[test]
fn cancelled_a_hundred_times() {
    let (mut random, mut stops) = (Random(23), 0);
    let sources = [
        (
            true,
            "unsigned i = 0, j = 0; while (i < 700) { if (input()) { j = (j + i) % 5; } i++; } check(i == 700 && j < 5);",
        ),
        (
            false,
            "unsigned i = 0, j = 0; while (i < 700) { if (input()) { j = (j + i) % 5; } i++; } check(i != 700 || j != 3);",
        ),
    ];
    for (safe, body) in sources {
        let program = program(body);
        let begun = Instant::now();
        assert!(is_right(&verify(&program, None, None, &patient()), safe));
        let mut length = begun.elapsed().as_micros() as u32;
        for round in 0..50 {
            let (budget, delay) = (patient(), random.below(length.max(1)));
            let flag = budget.cancel_flag();
            let canceller = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_micros(delay.into()));
                flag.store(true, Ordering::Relaxed);
            });
            let begun = Instant::now();
            let findings = verify(&program, None, None, &budget);
            let elapsed = begun.elapsed().as_micros() as u32;
            canceller.join().expect("it only waits");
            let what = format!("round {round}, cancelled after {delay} us");
            match check_taken_up(&program, &findings, safe, &what) {
                true => stops += 1,
                // How long it takes depends on what else the machine does.
                false => length = length.min(elapsed),
            }
        }
    }
    assert!(stops >= 20, "only {stops} stops");
}

/// An alarm that takes all the time that it can get, at the end of a long path: what is made of the hundred thousand
/// states then has to be made in what is left.
#[test]
fn the_condition_does_not_outlast_the_time() {
    let program = program(
        "short n = input(); if (n > 1) { int i; short a[n]; long sum = 0;
        for (i = 0; i < n; i++) { a[i] = input(); }
        for (i = 0; i < n; i++) { sum += a[i]; } for (i = 0; i < n; i++) { sum -= a[i]; }
        check(sum == 0); }",
    );
    let (begun, limit) = (Instant::now(), Duration::from_secs(2));
    let findings = verify(&program, None, None, &Budget::unlimited().with_time(limit));
    assert!(matches!(findings.outcome, Outcome::Unknown { .. }), "{:?}", findings.outcome);
    assert!(begun.elapsed() < limit + Duration::from_millis(700), "{:?}", begun.elapsed());
}
