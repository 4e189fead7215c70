//! Random programs with pointers that walk over large arrays, against brute force: with long and with short
//! addresses, on which the highest digits of an index depend; with accesses that are not encoded exactly; and with
//! several large arrays in one object.

mod brute_force;
mod generator;
mod support;

use base::Budget;
use brute_force::brute_force_from;
use cfa::Lives;
use engines::{Analyses, Options, Outcome, Task};
use generator::VALUES;
use sema::types::DataModel;
use std::fmt::Write;
use std::time::Duration;
use support::random::Random;
use support::{load_with, unreachable};

const HEAD: &str = "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
struct s { int x; short y[2]; };
";

/// Where the arrays are.
const HOMES: [&str; 4] = [
    "static int a[300]; static struct s b[200];",
    "int *a = calloc(300, sizeof *a); struct s *b = calloc(200 * sizeof *b, 1);",
    "int a[300 + i]; struct s b[200]; memset(b, 0, sizeof b); for (int k = 100; k < 200; k++) a[k] = 0;",
    "int a[300] = { [150] = 2 }; struct s *b = malloc((200 + j) * sizeof *b);
        for (struct s *k = b + 60; k < b + 140; k++) *k = (struct s){ 1, { 2, 3 } };",
];

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
        let _ = match self.0.below(9) {
            0 | 1 => writeln!(text, "{} = {} + i;", self.element(), self.0.below(5)),
            2 => writeln!(text, "if ({}) {} else {}", self.condition(), self.moved(), self.moved()),
            3 => writeln!(text, "if ({}) {{ {} = 4; {} }}", self.condition(), self.element(), self.moved()),
            4 => writeln!(text, "{} = {};", self.element(), self.element()),
            6 => {
                let _ = writeln!(text, "for (int k = 0; k < i + {}; k++) {{", self.0.below(2));
                let _ = writeln!(text, "{} = k; {}", self.element(), self.moved());
                writeln!(text, "}}")
            }
            7 => writeln!(text, "b[100] = r[{}];", self.distance()),
            8 => writeln!(text, "memcpy(p, q + {}, 2 * sizeof(int));", self.0.among(&["-9", "9", "-8 - i"])),
            _ => writeln!(text, "{}", self.moved()),
        };
    }
}

/// The beginning of a program with two inputs.
fn start() -> String {
    let mut text = format!("{HEAD}int main(void) {{\n");
    for name in ["i", "j"] {
        let _ = writeln!(text, "int {name} = __VERIFIER_nondet_uchar() % {VALUES}u;");
    }
    text
}

fn walking(seed: u64) -> String {
    let (mut walk, mut text) = (Walk(Random(seed)), start());
    let home = walk.0.among(&HOMES);
    let _ = writeln!(
        text,
        "{home}\nint *p = a + 150, *q = a + 148; struct s *r = b + 100; short *h = (short *)(a + 150);"
    );
    (0..7).for_each(|_| walk.statement(&mut text));
    let _ = writeln!(text, "if ({} && {}) reach_error(); return 0; }}", walk.condition(), walk.condition());
    text
}

/// Blocks of computed length and words across elements, in arrays that are too large for exact terms.
fn blurring(seed: u64) -> String {
    let (mut random, mut text) = (Random(seed), start());
    text.push_str("static char a[5000], b[5000]; int x = 0, y = 0;\n");
    for _ in 0..6 {
        let offset = random.among(&["500", "498 + i", "501 - j", "(i > j ? 300 : 499)", "400"]);
        let other = random.among(&["500", "499", "497 + j", "450"]);
        let (length, value) = (random.among(&["i * 150", "j", "i + j", "100 + j"]), 1 + random.below(3));
        let (one, two) = if random.below(3) == 0 { ("b", "a") } else { ("a", "b") };
        let condition = random.among(&["1", "i > 1", "j < 2", "i == j", "x == 2", "y != 3"]);
        let statement = match random.below(8) {
            0 | 1 => format!("memset({one} + {offset}, {value}, {length})"),
            2 => format!("memcpy({one} + {offset}, {two} + {other}, {length})"),
            3 => format!("*(short *)({one} + {offset}) = {value}"),
            4 => format!("x = *(short *)({one} + {offset})"),
            5 => format!("{one}[{offset}] = {value}"),
            6 => format!("x = {one}[{offset}]"),
            _ => format!("y = {one}[{offset}] + x"),
        };
        let _ = writeln!(text, "if ({condition}) {statement};");
    }
    let (value, other) = (random.below(5), random.below(3));
    let _ = writeln!(text, "if (x == {value} && y >= {other}) reach_error(); return 0; }}");
    text
}

/// Objects of computed size that are larger than the addresses that the encoder sets aside for each: 2^22 bytes
/// or a bit less, as there are 2^32.
fn outgrowing(seed: u64) -> String {
    let (mut random, mut text) = (Random(seed), start());
    text.push_str("char *a = calloc(4300000 + i, 1), *b = calloc(4300000 + j, 1); int x = 0, y = 0;\n");
    text.push_str("char *p = a, *q = b;\n");
    let near = ["i", "1 + j", "i + j", "8256 + i"];
    let far = ["4194290 + i", "4194291 + j", "4194289 + i + j", "(i > 1 ? 4194290 : 1)"];
    for step in 0..10 {
        let offsets = if random.below(2) == 0 { &near } else { &far };
        let (offset, pointer) = (random.among(offsets), random.among(&["a", "b", "p", "q"]));
        let (value, other) = (1 + random.below(2), random.among(&["a", "b"]));
        let statement = match random.below(5) {
            0 => format!("p = {other} + {}", random.among(&near)),
            1 => format!("q = j > 1 ? q : {other} + {}", random.among(&["i", "8256", "4194290"])),
            2 if step < 5 => format!("memset({pointer} + {}, {value}, 4)", random.among(&near)),
            _ if step < 5 => format!("{pointer}[{offset}] = {value}"),
            2 => format!("y += {pointer}[{offset}]"),
            _ => format!("x = {pointer}[{offset}]"),
        };
        let condition = random.among(&["1", "1", "i > 1", "j < 2"]);
        let _ = writeln!(text, "if ({condition}) {statement};");
    }
    let (value, other) = (1 + random.below(2), 1 + random.below(4));
    let _ = writeln!(text, "if (x == {value} || y == {other}) reach_error(); return 0; }}");
    text
}

/// Objects with several large arrays, one of them of records whose size is no power of two.
const OBJECT: &str = "unsigned __VERIFIER_nondet_uint(void);
struct t { int x; short y; char c[2]; int z; };
struct o { int n; int a[70]; struct t b[65]; char c[68]; short h[66]; int last; };
";

const OBJECTS: [&str; 3] = [
    "static struct o m[2];",
    "static struct o here[3]; struct o *m = here + 1;",
    "struct o m[2]; memset(m, 0, sizeof m);",
];

/// Inputs start here, so that what is computed of them wraps around. They are only compared to ranges: what is known
/// to be equal to a number is computed before it is encoded.
const LEAST: u32 = 0x2000_0000;

struct Objects(Random);

impl Objects {
    /// A small number, most from computations on one of the inputs that wrap around.
    fn index(&mut self) -> String {
        let input = self.0.among(&["u", "v"]);
        let number = self.0.below(5);
        match self.0.below(7) {
            0 | 1 => format!("({input} - {LEAST}u)"),
            2 => format!("(int)({input} - {}u)", LEAST - number),
            3 => format!("(8u * {input})"),
            4 => format!("(3u * {input} - {}u)", 3 * LEAST),
            5 => format!("({} - {input})", LEAST + 5),
            _ => number.to_string(),
        }
    }

    fn object(&mut self) -> String {
        match self.0.below(4) {
            0 => format!("m[{} & 1]", self.index()),
            _ => self.0.among(&["m[0]", "m[1]", "(*w)"]).into(),
        }
    }

    fn element(&mut self) -> String {
        let (object, index) = (self.object(), self.index());
        match self.0.below(14) {
            0 | 1 => format!("{object}.a[{index}]"),
            2 => format!("{object}.a[66 + {index}]"),
            3 => format!("{object}.b[{index}].{}", self.0.among(&["x", "y", "z", "c[1]"])),
            4 => format!("{object}.b[3 + {index}].{}", self.0.among(&["x", "z"])),
            5 => format!("{object}.c[{index}]"),
            6 => format!("{object}.h[{index}]"),
            7 => format!("{object}.{}", self.0.among(&["n", "last"])),
            8 => format!("p[{index}]"),
            9 => format!("q[{index}].{}", self.0.among(&["x", "y", "z"])),
            10 => format!("((int *)&{object})[{index}]"),
            11 => format!("*(short *)((char *)&{object} + {index})"),
            12 => format!(
                "*(long long *)&{object}.{}",
                self.0.among(&["n", "a[69]", "a[3]", "b[1].y", "b[64].z"])
            ),
            _ => format!("*(int *)((char *)&{object} + 4u * {index})"),
        }
    }

    fn statement(&mut self, text: &mut String) {
        let (element, value) = (self.element(), self.0.below(6));
        let _ = match self.0.below(6) {
            0..3 => writeln!(text, "{element} = {value};"),
            3 => writeln!(text, "{element} = {};", self.element()),
            4 => writeln!(text, "if ({} > {value}) {element} = {value};", self.element()),
            _ => {
                let (object, index) = (self.object(), self.index());
                match self.0.below(3) {
                    0 => writeln!(text, "p = {object}.a + {index};"),
                    1 => writeln!(text, "q = &{object}.b[{index}];"),
                    _ => writeln!(text, "w = u > v ? &m[0] : &{object};"),
                }
            }
        };
    }
}

fn in_one_object(seed: u64) -> String {
    let (mut objects, mut text) = (Objects(Random(seed)), format!("{HEAD}{OBJECT}int main(void) {{\n"));
    for name in ["u", "v"] {
        let _ = writeln!(text, "unsigned {name} = __VERIFIER_nondet_uint();");
        let _ = writeln!(text, "if ({name} < {LEAST}u || {name} >= {LEAST}u + {VALUES}u) return 0;");
    }
    let _ = writeln!(text, "{}", objects.0.among(&OBJECTS));
    text.push_str("struct o *w = &m[1]; int *p = m[1].a + 2; struct t *q = m[1].b;\n");
    (0..5).for_each(|_| objects.statement(&mut text));
    let (one, other) = (objects.element(), objects.element());
    let (value, more) = (objects.0.below(5), objects.0.below(2));
    let _ = writeln!(text, "if ({one} == {value} && {other} >= {more}) reach_error(); return 0; }}");
    text
}

fn compare(model: DataModel, count: u64, program: fn(u64) -> String) {
    compare_from(model, count, 0, program);
}

/// All inputs that matter are from a number on.
fn compare_from(model: DataModel, count: u64, least: u32, program: fn(u64) -> String) {
    let goals = unreachable();
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for seed in 0..count {
        let source = program(seed);
        let program = load_with(&source, model, Lives::default());
        let Some(reached) = brute_force_from(&program, least.into()) else { continue };
        let analyses = Analyses::new(&program);
        let budget = Budget::unlimited().with_time(Duration::from_secs(5));
        let task =
            Task { program: &program, analyses: &analyses, goals: &goals, condition: None, budget: &budget };
        let bmc = engines::bmc::run(task, &Options::default()).outcome;
        let induction = (seed % 3 == 0).then(|| engines::kinduction::run(task, &Options::default()).outcome);
        for outcome in [bmc].into_iter().chain(induction) {
            match outcome {
                Outcome::True => {
                    assert!(!reached, "proves what is wrong:\n{source}");
                    proved += 1;
                }
                Outcome::False { .. } => {
                    assert!(reached, "refutes what is right:\n{source}");
                    refuted += 1;
                }
                // Memory of no type that is seen as arrays of elements of different sizes, or what was forgotten.
                Outcome::Unknown { .. } => open += 1,
            }
        }
    }
    assert!(proved > 20 && refuted > 5 && open < proved, "{proved} proved, {refuted} refuted, {open} open");
}

#[test]
fn with_long_addresses() {
    compare(DataModel::Lp64, 120, walking);
}

#[test]
fn with_short_addresses() {
    compare(DataModel::Ilp32, 120, walking);
}

#[test]
fn with_accesses_that_are_not_exact() {
    compare(DataModel::Lp64, 1000, blurring);
    compare(DataModel::Ilp32, 1000, blurring);
}

#[test]
fn with_more_memory_than_addresses() {
    compare(DataModel::Ilp32, 100, outgrowing);
}

#[test]
fn with_several_arrays_in_one_object() {
    compare_from(DataModel::Lp64, 80, LEAST, in_one_object);
}

#[test]
fn with_several_arrays_and_short_addresses() {
    compare_from(DataModel::Ilp32, 80, LEAST, in_one_object);
}
