//! The engine `predicate`: small loop programs that must be proved, with proofs that are checked, errors
//! that must be found, and random programs against brute force.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use domains::monitors::Limits;
use engines::predicate::{AbstractionKind, Blocks, Options};
use engines::{Analyses, Findings, Outcome, Task};
use std::ops::Range;
use std::time::Duration;
use support::{load, unreachable};

use brute_force::brute_force;
use generator::Generator;

const HEAD: &str = "int __VERIFIER_nondet_int(void); unsigned __VERIFIER_nondet_uint(void);
    void reach_error(void);\n";

/// The verdict on a program; proofs are checked.
fn verdict(program: &cfa::Program, options: &Options, time: Duration) -> (&'static str, Findings) {
    let analyses = Analyses::new(program);
    let budget = Budget::unlimited().with_time(time);
    let goals = unreachable();
    let task = Task { program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let unwinding = engines::Options::default();
    let (findings, _) = engines::predicate::run(task, options, &unwinding);
    let name = match &findings.outcome {
        Outcome::True => {
            let unlimited = Budget::unlimited();
            let task = Task { budget: &unlimited, ..task };
            let checked = engines::proof::check(task, &unwinding, &findings);
            assert!(checked.is_ok(), "{checked:?} {findings:?}");
            "TRUE"
        }
        Outcome::False { .. } => "FALSE",
        Outcome::Unknown { .. } => "UNKNOWN",
    };
    (name, findings)
}

fn with(blocks: Blocks, abstraction: AbstractionKind) -> Options {
    Options { blocks, abstraction, ..Options::default() }
}

fn check(body: &str, expected: &str) {
    let source = format!("{HEAD}{body}");
    for blocks in [Blocks::Loops, Blocks::Large] {
        let options = with(blocks, AbstractionKind::Boolean);
        let (found, findings) = verdict(&load(&source), &options, Duration::from_secs(60));
        assert_eq!(found, expected, "{blocks} {findings:?}\n{source}");
    }
}

#[test]
fn counters() {
    check("int main(void) { int i = 0; while (i < 1000000) i++; if (i != 1000000) reach_error(); }", "TRUE");
    check(
        "int main(void) { int i = 0; while (i != 1000000 && __VERIFIER_nondet_int()) i++;
         if (i > 1000000) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { unsigned i = 0; while (__VERIFIER_nondet_int()) i += 4; if (i % 4 == 2) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { i++; if (i == 5) reach_error(); } }",
        "FALSE",
    );
}

/// Each way back to the head of the loop excludes the others.
#[test]
fn several_ways_back() {
    for assertion in ["x == 3 && k == 3", "x == 6 && k == 4", "x == 7 && k > 4"] {
        check(
            &format!(
                "int main(void) {{ int x = 0, k = __VERIFIER_nondet_int();
                 again: if (__VERIFIER_nondet_int() && k == 3) {{ x = x * 2 + 1; goto again; }}
                 if (__VERIFIER_nondet_int() && k == 4) {{ x = x * 2 + 2; goto again; }}
                 if (__VERIFIER_nondet_int() && k > 4) {{ x = 7 - x; goto again; }}
                 if ({assertion}) reach_error(); }}"
            ),
            "FALSE",
        );
    }
    check(
        "int main(void) { int x = 0, k = __VERIFIER_nondet_int();
         while (__VERIFIER_nondet_int()) { if (k == 3) x = 1; else if (k == 4) x = 2; else x = 3; }
         if (k == 4 && x == 3) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn two_counters() {
    check(
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; }
         while (x != 0) { x--; y--; } if (y != 0) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { unsigned i = 0, k = 0, n = __VERIFIER_nondet_uint();
         while (i < n) { i++; k += 2; } if (k != 2 * n) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y += 2; }
         if (y != 2 * x) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = n, y = 0;
         while (x > 0) { x--; y++; } if (y != n) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn bounds_by_parameters() {
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0, k = 0, j = 0; while (i < n) { i++; k++; }
         while (j < n) { if (k <= 0) reach_error(); j++; k--; } }",
        "TRUE",
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (n >= 0 && i != n) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (n >= -1 && i != n) reach_error(); }",
        "FALSE",
    );
}

#[test]
fn flags_and_state_machines() {
    check(
        "int main(void) { int s = 0; while (1) { int in = __VERIFIER_nondet_int();
         if (s == 0 && in == 1) s = 1; else if (s == 1 && in == 2) s = 2; else if (s == 2 && in == 3) s = 3;
         else if (s == 3) s = 0; else if (s > 4) reach_error(); } }",
        "TRUE",
    );
    check(
        "int main(void) { int lock = 0, old, new; old = new = __VERIFIER_nondet_int();
         do { lock = 1; old = new; if (__VERIFIER_nondet_int()) { lock = 0; new++; } } while (new != old);
         if (lock == 0) reach_error(); }",
        "TRUE",
    );
    check(
        "int main(void) { int open = 0, broken = 0; while (__VERIFIER_nondet_int()) {
         if (__VERIFIER_nondet_int()) { if (open) broken = broken; open = 1; } else { if (!open) continue; open = 0; }
         if (broken) reach_error(); } }",
        "TRUE",
    );
    check(
        "int main(void) { int s = 0, c = 0; while (1) if (__VERIFIER_nondet_int()) {
         c++; s = (s + 1) % 4; if (s == 3 && c == 7) reach_error(); } }",
        "FALSE",
    );
}

#[test]
fn nested_loops_and_calls() {
    check(
        "int n; void step(void) { int j = 0; while (j < 10 && __VERIFIER_nondet_int()) j++; if (j > 10) reach_error(); n = 1; }
         int main(void) { n = 1; while (__VERIFIER_nondet_int()) { step(); if (n != 1) reach_error(); } }",
        "TRUE",
    );
    check(
        "int main(void) { int i = 0; while (i < 100) { int j = 0; while (j < i && __VERIFIER_nondet_int()) j++;
         if (j > i) reach_error(); i++; } if (i != 100) reach_error(); }",
        "TRUE",
    );
}

#[test]
fn elements_that_are_not_there() {
    check(
        "int zero;
         void run(int *code) {
            int stack[4], top = 0, at = 0;
            for (;;) {
                switch (code[at++]) {
                    case 0: stack[top++] = code[at++]; break;
                    case 3: stack[top] = stack[top - 1]; top = (top + 1) ^ zero; break;
                    case 4: stack[top - 1] = stack[top - 2];
                    default: return;
                }
            }
         }
         int main(void) {
            zero = __VERIFIER_nondet_int();
            if (zero < 0 || zero > 0) return 0;
            int code[] = {0 ^ zero, 1, 0, 6, 3, 0, -7, 1};
            run(code);
            reach_error();
         }",
        "FALSE",
    );
}

#[test]
fn wrap_around() {
    check(
        "int main(void) { unsigned char i = 250; while (__VERIFIER_nondet_int()) { i++; if (i == 0) reach_error(); } }",
        "FALSE",
    );
    check(
        "int main(void) { unsigned char i = 255; while (__VERIFIER_nondet_int()) { i += 2; if (i == 0) reach_error(); } }",
        "TRUE",
    );
}

/// Stops after so many abstract states: what is solved does not depend on the machine.
fn with_states(options: Options, states: u32) -> Options {
    let mut limits = Limits::default();
    limits.add(&format!("states={states}")).expect("a limit");
    Options { limits, ..options }
}

/// Verdicts with one kind of blocks on random programs: how many are proved, refuted, open.
fn random_programs(options: &Options, seeds: impl IntoIterator<Item = u64>) -> (u32, u32, u32) {
    // A single refinement may be long; states end most of what is not solved.
    let time = Duration::from_secs(6);
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for seed in seeds {
        let source = Generator::program(seed);
        let program = load(&source);
        let Some(reached) = brute_force(&program) else { continue };
        match verdict(&program, options, time) {
            ("TRUE", _) => {
                assert!(!reached, "{options:?} proves what is wrong:\n{source}");
                proved += 1;
            }
            ("FALSE", _) => {
                assert!(reached, "{options:?} refutes what is right:\n{source}");
                refuted += 1;
            }
            _ => open += 1,
        }
    }
    (proved, refuted, open)
}

#[test]
fn verdicts_on_random_programs_are_what_all_runs_say() {
    let options = with_states(with(Blocks::Loops, AbstractionKind::Boolean), 150);
    let (proved, refuted, open) = random_programs(&options, 0..200);
    println!("{proved} proved, {refuted} refuted, {open} open");
    assert!(proved > 20 && refuted > 20 && open < 20, "{proved} proved, {refuted} refuted, {open} open");
}

#[test]
fn cartesian_abstraction_is_right_too() {
    let options = with_states(with(Blocks::Loops, AbstractionKind::Cartesian), 50);
    let (proved, refuted, open) = random_programs(&options, 0..200);
    println!("{proved} proved, {refuted} refuted, {open} open");
    assert!(proved > 10 && refuted > 20, "{proved} proved, {refuted} refuted, {open} open");
}

/// The seeds of the programs with the fewest operations.
fn smallest(seeds: Range<u64>, count: usize) -> Vec<u64> {
    let size = |seed: u64| load(&Generator::program(seed)).edges.len();
    let mut sizes: Vec<(usize, u64)> = seeds.map(|seed| (size(seed), seed)).collect();
    sizes.sort_unstable();
    sizes.into_iter().take(count).map(|(_, seed)| seed).collect()
}

#[test]
fn other_blocks_are_right_too() {
    // Small blocks need a predicate at every operation.
    let seeds = smallest(200..400, 12);
    for blocks in [Blocks::Single, Blocks::Adjustable(4), Blocks::Large] {
        for abstraction in [AbstractionKind::Boolean, AbstractionKind::Cartesian] {
            let options = with_states(with(blocks, abstraction), 80);
            let (proved, refuted, open) = random_programs(&options, seeds.iter().copied());
            println!("{blocks} {abstraction:?}: {proved} proved, {refuted} refuted, {open} open");
            assert!(proved > 0 && refuted > 0, "{proved} proved, {refuted} refuted, {open} open");
        }
    }
}

/// A pointer that the loop head forgets, to one of six objects.
fn many_targets(assertion: &str) -> String {
    format!(
        "{HEAD} int a, b, c, d, e, f, s; int main(void) {{
             int *targets[6] = {{ &a, &b, &c, &d, &e, &f }};
             int *p = &a;
             s = 1;
             while (__VERIFIER_nondet_int()) {{
                 int i = __VERIFIER_nondet_int();
                 if (i >= 0 && i < 6) p = targets[i];
                 *p = 7;
                 if (s == 2) s = 3; else s = 2;
             }}
             if ({assertion}) reach_error();
         }}"
    )
}

#[test]
fn coarse_memory_misses_nothing() {
    let coarse = Options { is_coarse: true, ..Options::default() };
    let time = Duration::from_secs(60);
    for (assertion, expected) in
        [("s > 3", "TRUE"), ("s < 1", "TRUE"), ("f == 7", "FALSE"), ("a == 7 && s == 3", "FALSE")]
    {
        let (found, findings) = verdict(&load(&many_targets(assertion)), &coarse, time);
        assert_eq!(found, expected, "{assertion} {findings:?}");
    }
    // What is written to memory is forgotten, so this is true and not proved.
    let (found, findings) = verdict(&load(&many_targets("f != 7 && f != 0")), &coarse, time);
    assert_eq!(found, "UNKNOWN", "{findings:?}");
}

#[test]
fn coarse_products_miss_nothing() {
    let coarse = Options { is_coarse: true, ..Options::default() };
    let program = |assertion: &str| {
        format!(
            "{HEAD} int main(void) {{ unsigned long long x = __VERIFIER_nondet_uint();
             unsigned long long y = __VERIFIER_nondet_uint(); if ({assertion}) reach_error(); }}"
        )
    };
    let time = Duration::from_secs(60);
    for (assertion, expected) in
        [("x * y == 35 && x == 5", "FALSE"), ("x * y == 35 && x == 5 && y > 8 && y < 8", "TRUE")]
    {
        let (found, findings) = verdict(&load(&program(assertion)), &coarse, time);
        assert_eq!(found, expected, "{assertion} {findings:?}");
    }
}

#[test]
fn coarse_encoding_is_right_too() {
    let coarse = Options { is_coarse: true, ..Options::default() };
    let (proved, refuted, open) = random_programs(&with_states(coarse, 60), 225..265);
    assert!(proved > 0 && refuted > 0, "{proved} proved, {refuted} refuted, {open} open");
}
