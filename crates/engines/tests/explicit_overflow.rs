//! The engine `explicit` on signed overflow: against brute force, and on what known values, casts and masks
//! exclude.

mod support;

use base::Budget;
use engines::counterexample::{options, violated};
use engines::{Analyses, Findings, Outcome, Task, explicit};
use replay::{Ending, List, Silent};
use std::fmt::Write;
use std::time::Duration;
use support::random::Random;
use support::{load, unreachable};
use task::{Condition, Goal};

const VALUES: u32 = 4;
const INPUTS: u32 = 2;

/// Together with another goal, which is never violated here.
fn goals() -> Vec<Goal> {
    [unreachable(), vec![Goal::NoOverflow]].concat()
}

fn verify(program: &cfa::Program, limits: &[&str], condition: Option<&Condition>) -> Findings {
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let (analyses, goals) = (Analyses::new(program), goals());
    let mut options = explicit::Options::default();
    limits.iter().for_each(|limit| options.limits.add(limit).expect("a limit"));
    let task = Task { program, analyses: &analyses, goals: &goals, condition, budget: &budget };
    explicit::run(task, &options).0
}

fn verdict(source: &str) -> &'static str {
    match verify(&load(source), &[], None).outcome {
        Outcome::True => "true",
        Outcome::False { goal: Goal::NoOverflow, .. } => "false",
        Outcome::False { goal, .. } => panic!("{goal} is not what was asked for"),
        Outcome::Unknown { .. } => "unknown",
    }
}

#[test]
fn known_values_casts_and_masks_decide() {
    let start = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); int abs(int);
        int f(int x) { return x; }";
    let cases = [
        ("int i = 0; while (i < 1000) i++; return i;", "true"),
        ("int i = 2147483000; while (1) i++;", "false"),
        ("int x = __VERIFIER_nondet_int(); return x + 1;", "false"),
        ("int x = __VERIFIER_nondet_int(); return x - 0;", "true"),
        ("unsigned char x = __VERIFIER_nondet_uchar(); return x * 8000000 + 7;", "true"),
        ("int x = __VERIFIER_nondet_uchar(); return x * 9000000;", "false"),
        ("int x = __VERIFIER_nondet_int(); return (x & 255) * 2 + (x % 100) * 3;", "true"),
        ("int x = __VERIFIER_nondet_int(); return -x;", "false"),
        ("int x = __VERIFIER_nondet_int(); return -(x >> 1 & 7);", "true"),
        ("int x = __VERIFIER_nondet_int(); return abs(x);", "false"),
        ("return abs(-5) + abs(__VERIFIER_nondet_uchar());", "unknown"),
        ("int x = __VERIFIER_nondet_int(); return x / -1;", "false"),
        ("int x = __VERIFIER_nondet_int(); return x / 7 + x % 7 / 2;", "true"),
        ("int x = __VERIFIER_nondet_int(); return f(x + x);", "false"),
        ("int x = __VERIFIER_nondet_int(); int a[3] = {0}; return a[(x - 1) & 1];", "false"),
        ("int x = __VERIFIER_nondet_int(); if (x + 5 > 7) return 1; return 0;", "false"),
        ("unsigned x = __VERIFIER_nondet_int(); return (x + 5) > 7;", "true"),
        ("int x = __VERIFIER_nondet_int(); return x * 2000000000ll + 1 > 0;", "true"),
        ("long long x = __VERIFIER_nondet_int(); x = x * x * x; return x > 0;", "false"),
        ("__int128 x = __VERIFIER_nondet_int(); x = x * 3; return x > 0;", "unknown"),
        ("int x = __VERIFIER_nondet_int(); if (x < 0 || x > 9) return 0; return x + 1;", "true"),
        ("int x = __VERIFIER_nondet_int(); if (x > 9) return 0; int y = x; return y - x + 3;", "unknown"),
        ("int x = __VERIFIER_nondet_int(); if (x < 0 || x >= 9) return 0; return x + 2147483639;", "true"),
        ("int x = __VERIFIER_nondet_int(); if (x < 0 || x > 9) return 0; return x + 2147483639;", "false"),
        ("int x = __VERIFIER_nondet_int(); if (x < 0 || x > 9) return 0; return x << 27;", "true"),
        ("int x = __VERIFIER_nondet_int(); if (x < 0 || x > 9) return 0; return x << 28;", "false"),
        ("int x = __VERIFIER_nondet_int(); return 1 << (x & 15);", "true"),
        ("int x = __VERIFIER_nondet_int(); return 1 << (x & 31);", "false"),
        ("unsigned u = __VERIFIER_nondet_int(); if (u >= 100) return 0; int i = u; return i * 1000;", "true"),
        ("int x = __VERIFIER_nondet_int(); if ((unsigned)x >= 100) return 0; return x * 30000000;", "false"),
        (
            "int x = __VERIFIER_nondet_int(), s = 0; if (x > 100) return 0;\n            for (int i = 0; i < x; i++) { if (s < 1000) s += 3; } return s;",
            "true",
        ),
    ];
    for (body, expected) in cases {
        let source = format!("{start} int main(void) {{ {body} }}");
        let found = verdict(&source);
        // More may be proved one day, but nothing wrong.
        assert_eq!(found, expected, "{body}");
    }
}

impl Random {
    fn operand(&mut self) -> &'static str {
        self.among(&[
            "a",
            "b",
            "x",
            "y",
            "x",
            "y",
            "a",
            "2147483646",
            "(-2147483647)",
            "1",
            "3",
            "65536",
            "(signed char)x",
        ])
    }

    fn expression(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        match self.below(9) {
            0 => format!("-{left}"),
            1 => format!("({left} / ({right} | 1))"),
            2 => format!("({left} & {right}) + {}", self.operand()),
            3 => format!("({left} < {right}) + y"),
            4 => format!("({left} % ({right} | 1))"),
            5 => format!("({left} << ({right} & 31))"),
            _ => format!("{left} {} {right}", self.among(&["+", "-", "*", "^"])),
        }
    }

    fn statement(&mut self, text: &mut String, depth: u32) {
        let _ = match self.below(if depth == 0 { 4 } else { 7 }) {
            0..=3 => writeln!(text, "{} = {};", self.among(&["x", "y"]), self.expression()),
            4 => {
                let _ = writeln!(text, "if ({} > {}) {{", self.operand(), self.operand());
                self.statement(text, depth - 1);
                text.push_str("} else {");
                self.statement(text, depth - 1);
                writeln!(text, "}}")
            }
            5 => {
                let _ = writeln!(text, "for (int i{depth} = 0; i{depth} < a; i{depth}++) {{");
                self.statement(text, depth - 1);
                writeln!(text, "}}")
            }
            _ => writeln!(text, "x = f({}, y);", self.expression()),
        };
    }
}

fn random_program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from(
        "unsigned char __VERIFIER_nondet_uchar(void); static int f(int p, int q) { return p > q ? p : q; }\n\
         int main(void) { int x = 1, y = 5;\n",
    );
    for name in ["a", "b"] {
        let _ = writeln!(text, "int {name} = __VERIFIER_nondet_uchar() % {VALUES}u;");
    }
    (0..4).for_each(|_| random.statement(&mut text, 2));
    text.push_str("return 0; }\n");
    text
}

/// Whether some inputs lead to an overflow; `None` if a run ends in a way that says nothing.
fn brute_force(program: &cfa::Program) -> Option<bool> {
    let (goals, budget) = ([Goal::NoOverflow], Budget::unlimited());
    let mut overflows = false;
    for number in 0..VALUES.pow(INPUTS) {
        let values = (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES));
        let run = replay::run(program, &mut List::of_bits(values), &options(&goals, &budget), &mut Silent);
        match run.ending {
            Ending::Exit(_) => {}
            ending => overflows |= violated(&goals, &ending).map(|_| true)?,
        }
    }
    Some(overflows)
}

fn check(outcome: &Outcome, overflows: bool, source: &str) {
    match outcome {
        Outcome::True => assert!(!overflows, "proves what is wrong:\n{source}"),
        Outcome::False { .. } => assert!(overflows, "refutes what is right:\n{source}"),
        Outcome::Unknown { .. } => {}
    }
}

/// Also of a run that takes up what another has left: nothing that overflows was called verified.
#[test]
fn verdicts_are_what_all_runs_say() {
    let (mut proved, mut refuted, mut taken_up) = (0, 0, 0);
    for seed in 0..300 {
        let source = random_program(seed);
        let program = load(&source);
        let Some(overflows) = brute_force(&program) else { continue };
        let outcome = verify(&program, &["states=2000"], None).outcome;
        check(&outcome, overflows, &source);
        proved += u32::from(matches!(outcome, Outcome::True));
        refuted += u32::from(matches!(outcome, Outcome::False { .. }));
        let limit = format!("states={}", 1 + seed % 7);
        let first = verify(&program, &[&limit], None);
        check(&first.outcome, overflows, &source);
        if let Outcome::Unknown { .. } = first.outcome {
            let mut given = Condition::nothing(&program, &goals());
            given.covered.extend(first.covered);
            let second = verify(&program, &["states=2000"], Some(&given)).outcome;
            check(&second, overflows, &source);
            taken_up += u32::from(!matches!(second, Outcome::Unknown { .. }));
        }
    }
    assert!(
        proved > 5 && refuted > 40 && taken_up > 10,
        "{proved} proved, {refuted} refuted, {taken_up} after a stop"
    );
}
