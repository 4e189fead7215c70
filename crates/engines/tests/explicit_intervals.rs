//! Bounds of unknown values: random programs that compare, convert and combine integers of all kinds, against
//! runs on inputs at the edges of their types.

mod support;

use base::Budget;
use engines::explicit::{self, Merge, Options};
use engines::{Analyses, Outcome, Task};
use replay::{Ending, List, Silent};
use std::fmt::Write;
use std::time::Duration;
use support::random::Random;
use support::{load, unreachable};

const INPUTS: [u128; 14] = [0, 1, 2, 9, 10, 11, 63, 64, 127, 128, 129, 200, 254, 255];
const VARIABLES: [&str; 7] = ["a", "c", "s", "i", "u", "l", "w"];
const TYPES: [&str; 8] =
    ["unsigned char", "signed char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const NUMBERS: [&str; 10] = ["0", "1", "10", "64", "100", "127", "128", "200", "255", "-1"];

impl Random {
    fn operand(&mut self) -> String {
        let variable = self.among(&VARIABLES);
        match self.below(5) {
            0 | 1 => variable.into(),
            2 => format!("({}){variable}", self.among(&TYPES)),
            3 => format!("(int)({}){variable}", self.among(&TYPES)),
            _ => self.among(&NUMBERS).into(),
        }
    }

    /// Without undefined behaviour: everything that may overflow is unsigned.
    fn expression(&mut self) -> String {
        let (left, right) = (self.operand(), self.operand());
        match self.below(10) {
            0 => format!("({left} & {})", self.among(&["7", "15", "255"])),
            1 => format!("((unsigned){left} + (unsigned){right})"),
            2 => format!("((unsigned){left} - (unsigned){right})"),
            3 => format!("({left} % {})", self.among(&["3", "10", "100"])),
            4 => format!("({left} / {})", self.among(&["2", "3", "16"])),
            5 => format!("({left} | {right})"),
            6 => format!("({left} < {right} ? {left} : {right})"),
            // Of types that are narrower than `int`, in which there is room for the result.
            7 => format!("({} + {})", self.among(&VARIABLES[..3]), self.among(&NUMBERS)),
            8 => format!("({} - {})", self.among(&VARIABLES[..3]), self.among(&VARIABLES[..3])),
            _ => left,
        }
    }

    fn statement(&mut self, text: &mut String, depth: u32) {
        let _ = match self.below(if depth == 0 { 3 } else { 8 }) {
            0 => writeln!(text, "{} = {};", self.among(&VARIABLES), self.expression()),
            1 => writeln!(text, "{} = {};", self.among(&VARIABLES), self.operand()),
            2 if self.below(3) == 0 => writeln!(text, "reach_error();"),
            2 => writeln!(text, ";"),
            3 => {
                let _ =
                    writeln!(text, "for (int n{depth} = 0; n{depth} < {}; n{depth}++) {{", 2 + self.below(3));
                self.statement(text, depth - 1);
                writeln!(text, "}}")
            }
            _ => {
                let comparison = self.among(&COMPARISONS);
                let _ = writeln!(text, "if ({} {comparison} {}) {{", self.operand(), self.expression());
                self.statement(text, depth - 1);
                self.statement(text, depth - 1);
                text.push_str("} else {\n");
                self.statement(text, depth - 1);
                writeln!(text, "}}")
            }
        };
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = String::from(
        "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
        unsigned char a; signed char c; short s;
        int main(void) { a = __VERIFIER_nondet_uchar(); c = __VERIFIER_nondet_uchar(); s = a - 100;
        int i = c * 3; unsigned u = a - 10u; long l = (int)u; unsigned short w = (unsigned short)c;\n",
    );
    for _ in 0..4 {
        random.statement(&mut text, 4);
    }
    text.push_str("return 0; }\n");
    text
}

/// Whether one of the inputs leads to the error.
fn is_reached(program: &cfa::Program) -> bool {
    let all = INPUTS.iter().flat_map(|&first| INPUTS.iter().map(move |&second| vec![first, second]));
    let mut endings = all.map(|inputs| {
        replay::run(program, &mut List::of_bits(inputs), &replay::Options::default(), &mut Silent).ending
    });
    endings.any(|ending| matches!(ending, Ending::ErrorCall { .. }))
}

fn verdict(program: &cfa::Program, merge: Merge) -> Outcome {
    let (analyses, goals) = (Analyses::new(program), unreachable());
    let budget = Budget::unlimited().with_time(Duration::from_secs(60));
    let task = Task { program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
    explicit::run(task, &Options { merge, ..Options::default() }).0.outcome
}

/// What conversions do to bounds. The first alarm of each, which is not real, has bounds kept from then on.
#[test]
fn bounds_survive_conversions_that_keep_values() {
    let start = "int __VERIFIER_nondet_int(void); long __VERIFIER_nondet_long(void); void reach_error(void);
        int main(void) { int i = __VERIFIER_nondet_int(); unsigned u = __VERIFIER_nondet_int();
        signed char c = __VERIFIER_nondet_int(); unsigned char a = __VERIFIER_nondet_int();
        short s = __VERIFIER_nondet_int(); long l = __VERIFIER_nondet_long();
        if (a * 3 == 1000) reach_error(); if (a > 300) reach_error(); ";
    let cases = [
        ("if ((int)(unsigned short)c > 100) { if (c < 0) reach_error(); }", false),
        ("if ((unsigned)c > 100) { if (c < 0) reach_error(); }", false),
        ("if ((unsigned)i > 100) { if (i < 0) reach_error(); }", false),
        ("if ((unsigned)i < 100) { if (i < 0 || i > 99) reach_error(); }", true),
        ("if ((long)(unsigned)i >= 5000000000) reach_error();", true),
        ("if (a < 10) { if (a > 20) reach_error(); }", true),
        ("if (u < 10) { i = u; if (i < 0 || i > 9) reach_error(); }", true),
        ("if (u > 10) { i = u; if (i < 0) reach_error(); }", false),
        ("if ((unsigned char)i < 10) { if (i > 300) reach_error(); }", false),
        ("if (s > -5) { if (s < 5) { unsigned short t = s; if (t > 5) reach_error(); } }", false),
        ("if (s > -5) { if (s < 5) { int t = s * 4; if (t > 16 || t < -16) reach_error(); } }", true),
        ("i = a & 15; if (i > 15) reach_error();", true),
        ("i = c % 10; if (i < -9 || i > 9) reach_error();", true),
        ("i = c % 10; if (i < 0) reach_error();", false),
        ("if (l > 5) { i = (int)l; if (i < 0) reach_error(); }", false),
        ("if (l > 5) { if (l < 100) { i = (int)l; if (i < 6) reach_error(); } }", true),
        ("if (a != 0) { a--; if (a == 255) reach_error(); }", true),
        ("a--; if (a == 255) reach_error();", false),
        ("if (i >= 10) { i = -i; if (i > -10) reach_error(); }", true),
        ("if (i <= 10) { u = i; if (u > 10) reach_error(); }", false),
        ("i = a & 3; if (i + a < 5) { if (a > 4) reach_error(); }", true),
        ("if (c + 100 < 150) { if (c >= 50) reach_error(); }", true),
        ("if (c - 10 > 20) { if (c <= 31) reach_error(); }", false),
        ("if (c - 10 > 20) { if (c <= 30) reach_error(); }", true),
        ("if (u + 10u < 20u) { if (u > 100u) reach_error(); }", false),
        // What is copied is the same, whether it came from outside just now or long ago.
        (
            "int x[3]; for (int k = 0; k < 3; k++) x[k] = __VERIFIER_nondet_int();
            int y[3]; for (int k = 0; k < 3; k++) y[k] = x[k]; if (y[1] != x[1]) reach_error();",
            true,
        ),
        (
            "int x[3]; for (int k = 0; k < 3; k++) x[k] = __VERIFIER_nondet_int();
            int y = x[1]; if (y > 5) { if (x[1] < 5) reach_error(); }",
            true,
        ),
        (
            "int x[3]; for (int k = 0; k < 3; k++) x[k] = __VERIFIER_nondet_int();
            int y = x[1]; x[1]++; if (y > 5) { if (x[1] < 5) reach_error(); }",
            false,
        ),
        (
            "int x[2]; for (int k = 0; k < 2; k++) x[k] = __VERIFIER_nondet_int();
            if (x[0] == x[1]) { if (x[0] != x[1]) reach_error(); }",
            true,
        ),
        (
            "int x[2]; int *p = __VERIFIER_nondet_int() ? x : x + 1; if (p != 0) { if (p == 0) reach_error(); }",
            true,
        ),
    ];
    for (body, is_safe) in cases {
        let program = load(&format!("{start} {body} return 0; }}"));
        let outcome = verdict(&program, Merge::Separate);
        match is_safe {
            true => assert!(matches!(outcome, Outcome::True), "{body}: {outcome:?}"),
            false => assert!(matches!(outcome, Outcome::False { .. }), "{body}: {outcome:?}"),
        }
        let joined = verdict(&program, Merge::Join);
        assert!(is_safe || !matches!(joined, Outcome::True), "{body}: {joined:?}");
    }
}

#[test]
fn nothing_that_happens_is_excluded() {
    let (mut proved, mut refuted) = ([0; 3], [0; 3]);
    for seed in 0..160 {
        let source = program(seed);
        let program = load(&source);
        let (analyses, goals) = (Analyses::new(&program), unreachable());
        let reached = is_reached(&program);
        // With a limit there is one exploration only; without, all modes are tried.
        let ways = [(Merge::Separate, true), (Merge::Join, true), (Merge::Separate, false)];
        for (index, (merge, limited)) in ways.into_iter().enumerate() {
            let budget = Budget::unlimited().with_time(Duration::from_millis(300));
            let mut options = Options { merge, ..Options::default() };
            if limited {
                options.limits.add("states=20000").expect("a limit");
            }
            let task = Task {
                program: &program,
                analyses: &analyses,
                goals: &goals,
                condition: None,
                budget: &budget,
            };
            match explicit::run(task, &options).0.outcome {
                Outcome::True => {
                    assert!(!reached, "proves what is wrong, {merge:?}:\n{source}");
                    proved[index] += 1;
                }
                Outcome::False { .. } => refuted[index] += 1,
                Outcome::Unknown { .. } => {}
            }
        }
    }
    assert!(
        proved.iter().all(|&count| count > 5) && refuted.iter().all(|&count| count > 10),
        "{proved:?} {refuted:?}"
    );
}
