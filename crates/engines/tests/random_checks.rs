//! The checks against brute force: random programs that may divide by zero, shift too far, leave arrays,
//! use dead or unwritten memory and lose it, or let functions of the library do so, are executed on all
//! inputs, and the verdict must be what the runs say.

mod support;

use base::Budget;
use engines::counterexample::{options, violated};
use engines::{Analyses, Options, Outcome, Task};
use replay::{Ending, List};
use std::fmt::Write;
use std::time::Duration;
use support::random::Random;
use support::{load_random, unreachable};
use task::Goal;

/// Inputs are taken modulo this, and there are so many of them.
const VALUES: u32 = 4;
const INPUTS: u32 = 3;

struct Generator {
    random: Random,
    text: String,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self { random: Random(seed), text: String::new() }
    }

    fn inputs(&mut self) {
        for input in 0..INPUTS {
            let _ = writeln!(self.text, "int i{input} = __VERIFIER_nondet_uchar() % {VALUES}u;");
        }
    }

    fn program(seed: u64) -> String {
        let mut generator = Self::new(seed);
        generator.text.push_str(
            "unsigned char __VERIFIER_nondet_uchar(void); void *malloc(unsigned long); void free(void *);\n\
             void *memcpy(void *, const void *, unsigned long); void exit(int);\n\
             struct s { int *p; int a[2], rest[4]; } s; int g = 3, *q = &g; int **h;\n\
             static int *leak(int n) { int x = n; if (n == 2) q = &x; return n == 3 ? &x : &g; }\n\
             int main(void) { int u, v = 1; int b[3]; int *p = &v; struct s t; t.p = &u;\n",
        );
        generator.inputs();
        for _ in 0..7 {
            generator.statement(2);
        }
        generator.text.push_str("return 0; }\n");
        generator.text
    }

    /// A program that handles blocks and strings by functions of the library.
    fn blocks(seed: u64) -> String {
        let mut generator = Self::new(seed);
        generator.text.push_str(
            "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void); void free(void *);\n\
             void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);\n\
             void *realloc(void *, unsigned long); unsigned long strlen(const char *); int puts(const char *);\n\
             int strcmp(const char *, const char *); int strncmp(const char *, const char *, unsigned long);\n\
             char *strcpy(char *, const char *); int memcmp(const void *, const void *, unsigned long);\n\
             void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);\n\
             char *strncpy(char *, const char *, unsigned long); char *strcat(char *, const char *);\n\
             char *strncat(char *, const char *, unsigned long); unsigned long strnlen(const char *, unsigned long);\n\
             char *strchr(const char *, int); char *strrchr(const char *, int); char *strdup(const char *);\n\
             void *memchr(const void *, int, unsigned long); char *strndup(const char *, unsigned long);\n\
             int main(void) { int n = 0; char c[3] = \"ab\", d[5] = \"abc\"; char *e = calloc(2, 1), *f = d;\n",
        );
        generator.inputs();
        for _ in 0..5 {
            generator.block_statement();
        }
        let result = generator.random.below(3);
        let _ = writeln!(generator.text, "if (n % 3 == {result}) reach_error(); return 0; }}");
        generator.text
    }

    fn block_statement(&mut self) {
        let (to, from, input) = (self.block(), self.block(), self.input());
        let text = match self.random.below(26) {
            0 => format!("{to}[{input}] = 'a' + {input};"),
            1 => format!("{to}[{input}] = 0;"),
            2 => format!("f = {};", self.random.among(&["c", "d + i0", "e", "\"bc\"", "i1 ? c : e"])),
            3 => format!("e = realloc(e, {input} + 1);"),
            4 => format!("e = realloc({input} ? e : 0, {input});"),
            5 => format!("if ({input} == 2) f = realloc(e, 4);"),
            6 => format!("n += strlen({from});"),
            7 => format!("n += strcmp({to}, {from}) > 0;"),
            8 => format!("n += strncmp({to}, {from}, {input}) == 0;"),
            9 => format!("strcpy({to}, {from});"),
            10 => format!("n += memcmp({to}, {from}, {input}) < 0;"),
            11 => format!("memset({to}, 'b', {input});"),
            12 => format!("memcpy({to}, {from}, {input});"),
            13 => format!("puts({from});"),
            14 => format!("if ({input} == 2) free(e);"),
            15 => format!("strncpy({to}, {from}, {input});"),
            16 => format!("strcat({to}, {from});"),
            17 => format!("strncat({to}, {from}, {input});"),
            18 => format!("n += strnlen({from}, {input});"),
            19 => format!("f = strchr({from}, 'a' + {input});"),
            20 => format!("f = strrchr({from}, {input} ? 'b' : 0);"),
            21 => format!("f = memchr({from}, 'b', {input});"),
            22 => format!("f = strdup({from});"),
            23 => format!("f = strndup({from}, {input});"),
            24 => format!("n += f == {from} + {input};"),
            _ => format!("if ({from}[{input}] == 'b') n++;"),
        };
        let _ = writeln!(self.text, "{text}");
    }

    fn block(&mut self) -> &'static str {
        self.random.among(&["c", "d", "(d + 1)", "e", "f"])
    }

    fn statement(&mut self, depth: u32) {
        let value = self.expression(1);
        let input = self.input();
        let text = match self.random.below(if depth == 0 { 13 } else { 16 }) {
            0 => format!("u = {value};"),
            1 => format!("*p = {value};"),
            2 => format!("b[{input}] = {value};"),
            3 => format!("s.a[{input}] = {value};"),
            4 => format!("p = {};", self.pointer()),
            5 => format!("q = {};", self.pointer()),
            6 => format!("if ({input} == 1) free({});", self.random.among(&["p", "q", "h", "s.p"])),
            7 => "{ int w = 4; if (i0 == i1) p = &w; g = *p; }".into(),
            8 => "h = malloc(sizeof *h); *h = p;".into(),
            9 => format!("s.p = {}; t = s;", self.pointer()),
            10 => format!("if ({input} == 3) exit(0);"),
            11 => format!("if (h) **h = {value};"),
            12 => "memcpy(&s, &t, sizeof s);".into(),
            13 => {
                let _ = writeln!(self.text, "if ({input} < {}) {{", self.random.below(4));
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                "}".into()
            }
            _ => {
                let _ = writeln!(self.text, "for (int k = 0; k < {input}; k++) {{");
                self.statement(depth - 1);
                "}".into()
            }
        };
        let _ = writeln!(self.text, "{text}");
    }

    fn input(&mut self) -> String {
        format!("i{}", self.random.below(INPUTS))
    }

    fn pointer(&mut self) -> String {
        let input = self.input();
        match self.random.below(9) {
            0 => "&u".into(),
            1 => "&v".into(),
            2 => format!("b + {input}"),
            3 => "malloc(4)".into(),
            4 => format!("{input} ? p : 0"),
            5 => format!("leak({input})"),
            6 => "s.p".into(),
            7 => "t.p".into(),
            _ => format!("&s.a[{input} & 1]"),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        let input = self.input();
        if depth > 0 && self.random.below(3) > 0 {
            let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
            let operator = self.random.among(&["+", "/", "%", "<<", "&", "-", "<"]);
            return format!("(({left}) {operator} (({right}) & 63))");
        }
        match self.random.below(10) {
            0 => "u".into(),
            1 => "v".into(),
            2 => format!("b[{input}]"),
            3 => "*p".into(),
            4 => format!("q[{input} & 1]"),
            5 => format!("s.a[{input}]"),
            6 => "t.a[1]".into(),
            7 => self.random.below(5).to_string(),
            8 => "g".into(),
            _ => input,
        }
    }
}

/// Whether some inputs violate one of the goals; `None` if a run ends in a way that says nothing.
fn brute_force(program: &cfa::Program, goals: &[Goal]) -> Option<bool> {
    let mut found = false;
    for number in 0..VALUES.pow(INPUTS) {
        let values = (0..INPUTS).map(|input| u128::from(number / VALUES.pow(input) % VALUES));
        let mut options = options(goals, &Budget::unlimited());
        options.step_limit = 100_000;
        let ending = replay::run(program, &mut List::of_bits(values), &options, &mut replay::Silent).ending;
        match ending {
            Ending::Exit(_) | Ending::Aborted(_) => {}
            // Where only other things are asked for, runs end here all the same.
            Ending::Violation(_) | Ending::ErrorCall { .. } => found |= violated(goals, &ending).is_some(),
            _ => return None,
        }
    }
    Some(found)
}

fn compare(name: &str, goals: &[Goal], seeds: std::ops::Range<u64>) {
    compare_programs(name, goals, seeds, Generator::program);
}

fn compare_programs(name: &str, goals: &[Goal], seeds: std::ops::Range<u64>, program: fn(u64) -> String) {
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for seed in seeds {
        let source = program(seed);
        let program = load_random(&source, seed);
        let Some(wrong) = brute_force(&program, goals) else { continue };
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(5));
        let task = Task { program: &program, analyses: &analyses, goals, condition: None, budget: &budget };
        let bmc = engines::bmc::run(task, &Options::default()).outcome;
        let induction = engines::kinduction::run(task, &Options::default()).outcome;
        for (engine, outcome) in [("bmc", bmc), ("kinduction", induction)] {
            match outcome {
                Outcome::True => {
                    assert!(!wrong, "{name}: {engine} proves what is wrong:\n{source}");
                    proved += 1;
                }
                Outcome::False { .. } => refuted += 1,
                Outcome::Unknown { reason, .. } => {
                    println!("{name} {seed}: {engine}: {reason:?}");
                    open += 1;
                }
            }
        }
    }
    println!("{name}: {proved} proved, {refuted} refuted, {open} open");
    assert!(
        refuted > 5 && open <= (proved + refuted) / 10,
        "{proved} proved, {refuted} refuted, {open} open"
    );
}

#[test]
fn arithmetic() {
    compare("division", &[Goal::ValidDivision], 0..100);
    compare("shift", &[Goal::ValidShift], 1000..1100);
    compare("index", &[Goal::ValidIndex], 2000..2100);
}

#[test]
fn memory() {
    compare("pointers", &[Goal::ValidDereference], 3000..3100);
    compare("frees", &[Goal::ValidFree], 4000..4100);
    compare("cleanup", &[Goal::ValidMemoryCleanup], 5000..5100);
    compare("tracking", &[Goal::ValidMemoryTracking], 6000..6100);
}

#[test]
fn blocks() {
    let check = |name, goals: &[Goal], seeds| compare_programs(name, goals, seeds, Generator::blocks);
    check("blocks", &[Goal::ValidDereference], 9000..9100);
    check("contents", &unreachable(), 10000..10100);
    check("blocks freed", &[Goal::ValidFree, Goal::ValidMemoryCleanup], 11000..11100);
}

#[test]
fn initialisation() {
    compare("uninitialised", &[Goal::Initialised], 7000..7100);
}

#[test]
fn everything_at_once() {
    let mut goals = unreachable();
    goals.extend([
        Goal::NoOverflow,
        Goal::ValidDivision,
        Goal::ValidShift,
        Goal::ValidIndex,
        Goal::ValidDereference,
        Goal::ValidFree,
        Goal::ValidMemoryTracking,
        Goal::Initialised,
    ]);
    compare("everything", &goals, 8000..8100);
}
