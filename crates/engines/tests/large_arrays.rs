//! Random programs with pointers that walk over large arrays, against brute force: with long and with short
//! addresses, on which the highest digits of an index depend.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use brute_force::brute_force;
use cfa::Lives;
use engines::{Analyses, Options, Outcome, Task};
use generator::VALUES;
use sema::types::DataModel;
use std::fmt::Write;
use std::time::Duration;
use support::random::Random;
use support::{load_with, unreachable};

const HEAD: &str = "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
struct s { int x; short y[2]; };
int a[300]; struct s b[200];
int main(void) { int *p = a + 150, *q = a + 148; struct s *r = b + 100; short *h = (short *)(a + 140);
";

struct Walk(Random);

impl Walk {
    /// A few elements up or down.
    fn distance(&mut self) -> &'static str {
        self.0.among(&[
            "i",
            "j",
            "-1",
            "2",
            "(i - 2)",
            "(j > 1 ? -1 : 3)",
            "(i > j ? -2 : -3)",
            "(i * 2 - j)",
            "(int)((unsigned)j - 2u)",
            "-i",
            "(i == 1 ? 0 : -1)",
            "(char)(i - 1)",
        ])
    }

    fn element(&mut self) -> String {
        let distance = self.distance();
        match self.0.below(9) {
            0 => "*p".into(),
            1 => "*q".into(),
            2 => format!("p[{distance}]"),
            3 => format!("q[{distance}]"),
            4 => format!("a[150 + {distance}]"),
            5 => format!("r[{distance}].x"),
            6 => format!("r->y[{} & 1]", self.0.among(&["i", "j"])),
            7 => format!("b[100 + {distance}].y[1]"),
            _ => format!("h[{distance}]"),
        }
    }

    fn moved(&mut self) -> String {
        let distance = self.distance();
        match self.0.below(8) {
            0 => format!("p += {distance};"),
            1 => format!("q = p - {distance};"),
            2 => format!("r = r + {distance};"),
            3 => "q++;".into(),
            4 => format!("p = (int *)((char *)q + ({distance} << 2));"),
            5 => format!("q = &a[145 + {distance}];"),
            6 => format!("h -= {distance};"),
            _ => format!("p = {} ? p : q;", self.condition()),
        }
    }

    fn condition(&mut self) -> String {
        let element = self.element();
        match self.0.below(4) {
            0 => format!("{element} == {}", self.0.below(6)),
            1 => format!("p {} q", self.0.among(&["<", "==", "!=", ">="])),
            2 => format!("i {} j", self.0.among(&["<", "!="])),
            _ => format!("{element} > {}", self.element()),
        }
    }

    fn statement(&mut self, text: &mut String) {
        let _ = match self.0.below(6) {
            0 | 1 => writeln!(text, "{} = {} + i;", self.element(), self.0.below(5)),
            2 => writeln!(text, "if ({}) {} else {}", self.condition(), self.moved(), self.moved()),
            3 => writeln!(text, "if ({}) {{ {} = 4; {} }}", self.condition(), self.element(), self.moved()),
            4 => writeln!(text, "{} = {};", self.element(), self.element()),
            _ => writeln!(text, "{}", self.moved()),
        };
    }
}

fn program(seed: u64) -> String {
    let mut walk = Walk(Random(seed));
    let mut text = String::from(HEAD);
    for name in ["i", "j"] {
        let _ = writeln!(text, "int {name} = __VERIFIER_nondet_uchar() % {VALUES}u;");
    }
    (0..7).for_each(|_| walk.statement(&mut text));
    let _ = writeln!(text, "if ({} && {}) reach_error(); return 0; }}", walk.condition(), walk.condition());
    text
}

fn compare(model: DataModel) {
    let goals = unreachable();
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..200 {
        let source = program(seed);
        let program = load_with(&source, model, Lives::default());
        let Some(reached) = brute_force(&program) else { continue };
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(20));
        let task =
            Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
        match engines::bmc::run(task, &Options::default()).outcome {
            Outcome::True => {
                assert!(!reached, "proves what is wrong:\n{source}");
                proved += 1;
            }
            Outcome::False { .. } => {
                assert!(reached, "refutes what is right:\n{source}");
                refuted += 1;
            }
            Outcome::Unknown { reason, .. } => panic!("{reason:?}\n{source}"),
        }
    }
    assert!(proved > 20 && refuted > 20, "{proved} proved, {refuted} refuted");
}

#[test]
fn with_long_addresses() {
    compare(DataModel::Lp64);
}

#[test]
fn with_short_addresses() {
    compare(DataModel::Ilp32);
}
