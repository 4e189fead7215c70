//! Reactive loops inside of each other are counted together. What that finds, and what it says is verified, against
//! all runs there are, by brute force.

mod support;

use base::Budget;
use cfa::Program;
use cfa::loops::Loops;
use engines::{Analyses, Findings, Options, Outcome, Strategy, Task, bmc, explicit};
use replay::{Ending, List};
use std::fmt::Write;
use std::time::Duration;
use support::counter::Counter;
use support::random::Random;
use support::{load, unreachable};
use task::condition::Part;
use task::{Condition, LoopBounds};

/// Inputs that a run reads before it ends, and the values that each can have.
const INPUTS: u32 = 6;
const VALUES: u64 = 3;

/// A scheduler in a loop over time: both read inputs and change what there is.
fn source(random: &mut Random) -> String {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); extern void exit(int);
int a, b, c, reads;
static int input(void) {
  if (reads == 6) exit(0);
  reads++;
  int value = __VERIFIER_nondet_int();
  if (value < 0 || value > 2) exit(0);
  return value;
}
",
    );
    let is_apart = random.below(2) == 0;
    let inner = format!("while (1) {{\n int i = input();\n if (i == 0) break;\n{}}}\n", changes(random));
    if is_apart {
        let _ = writeln!(text, "static void evaluate(void) {{\n{inner}}}");
    }
    let call = if is_apart { "evaluate();\n" } else { &inner };
    let (before, after, last) = (random.below(2) == 0, changes(random), changes(random));
    let _ = write!(text, "int main(void) {{\n while (1) {{\n");
    if before {
        let _ = write!(text, "int i = input();\n if (i == 2) exit(1);\n{after}");
    }
    text.push_str(call);
    if !before || random.below(2) == 0 {
        text.push_str(&format!("{{ int i = input();\n if (i == 1) {call} {last} }}\n"));
    }
    let _ =
        write!(text, "if (a == {} && b == {}) reach_error();\n}}\n}}\n", random.below(4), random.below(4));
    text
}

/// Changes of the variables that depend on them, and on the last input.
fn changes(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(3) {
        let [to, from, at] = [(); 3].map(|()| ["a", "b", "c"][random.below(3) as usize]);
        let (value, input) = (random.below(4), random.below(3));
        let change = match random.below(3) {
            0 => format!("{to} = {value}"),
            1 => format!("{to} = {from}"),
            _ => format!("{to} = ({to} + 1) % 4"),
        };
        let _ = writeln!(text, "if ({at} == {} || i == {input}) {change};", random.below(4));
    }
    text
}

fn task_of<R>(program: &Program, condition: Option<&Condition>, run: impl FnOnce(Task<'_>) -> R) -> R {
    let budget = Budget::unlimited().with_time(Duration::from_secs(20));
    let (analyses, goals) = (Analyses::new(program), unreachable());
    run(Task { program, analyses: &analyses, goals: &goals, condition, budget: &budget })
}

fn bounded(program: &Program, condition: Option<&Condition>, max_unwind: Option<u32>) -> Findings {
    let options = Options { max_unwind, strategy: Strategy::Together, ..Options::default() };
    task_of(program, condition, |task| bmc::run(task, &options))
}

/// How often the loops that are counted together come back before the first error, and whether there is an error beyond
/// the bounds.
fn brute_force(program: &Program, bounds: &LoopBounds) -> (Option<u32>, bool) {
    let (loops, mut first, mut beyond) = (Loops::new(program), None, false);
    for number in 0..VALUES.pow(INPUTS) {
        let values = (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES));
        let mut counter = Counter::new(program, &loops, bounds);
        let run = replay::run(program, &mut List::of_bits(values), &replay::Options::default(), &mut counter);
        if let Ending::ErrorCall { .. } = run.ending {
            first = Some(first.map_or(counter.turns, |first: u32| first.min(counter.turns)));
            beyond |= counter.beyond;
        }
    }
    (first, beyond)
}

fn is_false(findings: &Findings) -> bool {
    matches!(findings.outcome, Outcome::False { .. })
}

/// The loops that are counted together, as a bound.
fn together(program: &Program) -> LoopBounds {
    match bounded(program, None, Some(0)).covered {
        Some(Part::LoopBounds(bounds)) => bounds,
        _ => LoopBounds::default(),
    }
}

#[test]
fn errors_are_found_where_they_are_and_nothing_is_verified_that_has_one() {
    let mut counts = [0; 3];
    for seed in 0..300 {
        let source = source(&mut Random(seed));
        let program = load(&source);
        let bounds = together(&program);
        let (first, _) = brute_force(&program, &bounds);
        let Some(first) = first else {
            assert!(!is_false(&bounded(&program, None, Some(8))), "{seed}\n{source}");
            counts[0] += 1;
            continue;
        };
        if bounds.together.is_empty() {
            assert_eq!(first, 0, "nothing is counted together\n{source}");
            continue;
        }
        assert!(is_false(&bounded(&program, None, Some(first))), "{seed}: at {first}\n{source}");
        counts[1] += 1;
        let Some(below) = first.checked_sub(1) else { continue };
        let findings = bounded(&program, None, Some(below));
        let expected = LoopBounds { every_loop: below, recursion: below, ..bounds };
        assert_eq!(findings.covered, Some(Part::LoopBounds(expected)), "{seed}\n{source}");
        counts[2] += 1;
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

/// Engines that are told that bounds are covered find a violation exactly if there is one beyond them.
#[test]
fn the_condition_is_taken_up() {
    let (mut beyond_count, mut covered_count) = (0, 0);
    for seed in 300..400 {
        let source = source(&mut Random(seed));
        let program = load(&source);
        let bounds = LoopBounds { every_loop: (seed % 5) as u32, recursion: 1, ..together(&program) };
        let (first, beyond) = brute_force(&program, &bounds);
        let mut given = Condition::nothing(&program, &unreachable());
        given.covered.push(Part::LoopBounds(bounds));
        let found = [
            bounded(&program, Some(&given), Some(12)),
            task_of(&program, Some(&given), |task| explicit::run(task, &explicit::Options::default()).0),
        ];
        for findings in found {
            assert_eq!(is_false(&findings), beyond, "{seed}: {:?}\n{source}", findings.outcome);
        }
        beyond_count += u32::from(beyond);
        covered_count += u32::from(first.is_some() && !beyond);
    }
    assert!(beyond_count > 5 && covered_count > 5, "{beyond_count} {covered_count}");
}

/// The inner loop may come back twice each time, or six times in all.
#[test]
fn the_user_decides() {
    let source = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int sum, time;
        int main(void) { while (1) { time++; while (__VERIFIER_nondet_int()) { sum = (sum + 1) & 7; }
          if (sum == 6) reach_error(); } }";
    let program = load(source);
    let run = |strategy, bound| {
        let options = Options { strategy, max_unwind: Some(bound), ..Options::default() };
        is_false(&task_of(&program, None, |task| bmc::run(task, &options)))
    };
    assert!(run(Strategy::AllLoops, 2) && !run(Strategy::AllLoops, 1));
    assert!(run(Strategy::Auto, 2) && !run(Strategy::Auto, 1));
    assert!(run(Strategy::Together, 6) && !run(Strategy::Together, 5));
}

/// Three iterations of the inner loop each time, and the loops are still in the condition that comes out.
#[test]
fn a_loop_with_a_limit_of_its_own_is_counted_on_its_own() {
    let source = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int sum, time;
        static void inner(void) { while (__VERIFIER_nondet_int()) { sum = (sum + 1) & 7; } }
        static void middle(void) { do { inner(); } while (__VERIFIER_nondet_int()); }
        int main(void) { while (1) { time++; middle(); if (sum == 9) reach_error(); } }";
    let program = load(source);
    let loops = Loops::new(&program);
    let limited = loops.loops.enumerated().find(|(_, info)| info.name.starts_with("inner"));
    let (limited, info) = limited.expect("there is such a loop");
    let options = Options {
        strategy: Strategy::Together,
        max_unwind: Some(6),
        max_unwind_of: [(limited, 3)].into_iter().collect(),
        ..Options::default()
    };
    let findings = task_of(&program, None, |task| bmc::run(task, &options));
    let Some(Part::LoopBounds(covered)) = findings.covered else { panic!("{:?}", findings.outcome) };
    assert_eq!((covered.every_loop, covered.bound(&info.name)), (6, 3));
    assert_eq!(covered.together.len(), 2);
    let mut condition = Condition::nothing(&program, &unreachable());
    condition.covered.push(Part::LoopBounds(covered));
    condition.check(&program).expect("it is a condition");
}

/// Nobody asks for a bound, and more and more would be repeated.
#[test]
fn loops_are_counted_together_where_that_saves_work() {
    let source = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int a, b;
        int main(void) { while (1) { a = b; while (__VERIFIER_nondet_int()) { b = __VERIFIER_nondet_int(); }
          if (a == 7 && b == 8 && a > b) reach_error(); } }";
    let program = load(source);
    let budget = Budget::unlimited().with_time(Duration::from_millis(500));
    let (analyses, goals) = (Analyses::new(&program), unreachable());
    let task =
        Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    let Some(Part::LoopBounds(covered)) = bmc::run(task, &Options::default()).covered else {
        panic!("a condition is due")
    };
    assert!(covered.together.len() == 2 && covered.every_loop > 20, "{covered:?}");
}

/// Iterations that a counter tells apart, or what they allocate, are counted one by one.
#[test]
fn loops_that_do_not_react_are_counted_apart() {
    let programs = [
        "while (in()) { for (int i = 0; i < n; i++) { sum += in(); } }",
        "while (in()) { while (in()) { free(malloc(1)); } }",
        "while (in()) { while (sum > 0) { sum--; } }",
        "while (in()) { sum++; } while (in()) { sum++; }",
    ];
    for body in programs {
        let source = format!(
            "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long); extern void free(void *);
             static int in(void) {{ return __VERIFIER_nondet_int(); }}
             int sum; int main(void) {{ int n = in(); {body} return n; }}"
        );
        assert!(together(&load(&source)).together.is_empty(), "{body}");
    }
}
