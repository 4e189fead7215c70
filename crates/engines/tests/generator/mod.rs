//! Random programs with a few small inputs.

use crate::support::random::Random;
use std::fmt::Write;

/// Inputs are taken modulo this, and there are so many of them.
pub const VALUES: u32 = 4;
pub const INPUTS: u32 = 3;

const HEAD: &str = "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
unsigned char g; short s = 1; int t = 2; unsigned char a[4]; int *p = &t;
struct { unsigned x : 3; signed char y; } r;
static int twice(int n) { return n > 0 ? twice(n - 1) + 2 : 0; }
int main(void) {
";

const STACK_HEAD: &str = "unsigned char __VERIFIER_nondet_uchar(void); void reach_error(void);
int a[4];
int main(void) {
";

/// Writes a program: globals, an array, a pointer, a function, loops that end.
pub struct Generator {
    random: Random,
    text: String,
    loops: u32,
}

#[allow(dead_code, reason = "a test needs programs that end, or ones that do not")]
impl Generator {
    pub fn program(seed: u64) -> String {
        let mut generator = Generator { random: Random(seed), text: HEAD.to_string(), loops: 0 };
        generator.inputs("unsigned ");
        for _ in 0..6 {
            generator.statement(2);
        }
        generator.text.push_str("return 0; }\n");
        generator.text
    }

    /// The same in an endless loop, with few states at its head.
    pub fn endless_program(seed: u64) -> String {
        let mut generator = Generator { random: Random(seed), text: HEAD.to_string(), loops: 0 };
        generator.inputs("unsigned ");
        generator.statement(1);
        let condition = match generator.random.below(3) {
            0 => generator.condition(),
            _ => "1".to_string(),
        };
        let _ = writeln!(generator.text, "while ({condition}) {{");
        generator.inputs("");
        for _ in 0..4 {
            generator.statement(2);
        }
        generator
            .text
            .push_str("g &= 3; s &= 3; t &= 3; r.y &= 1; for (int k = 0; k < 4; k++) a[k] &= 1; }\n");
        generator.statement(1);
        generator.text.push_str("return 0; }\n");
        generator.text
    }

    /// An endless loop around arrays with positions in them that move by one, and never leave them.
    pub fn stack_program(seed: u64) -> String {
        let mut generator = Generator { random: Random(seed), text: STACK_HEAD.to_string(), loops: 0 };
        let _ = writeln!(generator.text, "int b[4] = {{{}}};", generator.random.below(3));
        let _ = writeln!(generator.text, "int i = {}, j = 0, x = 0;", generator.random.below(3));
        generator.text.push_str("while (1) { unsigned n = __VERIFIER_nondet_uchar() % 4u;\n");
        for case in 0..4 {
            let _ = writeln!(generator.text, "if (n == {case}) {{");
            for _ in 0..=generator.random.below(2) {
                generator.stack_statement();
            }
            generator.text.push_str("}\n");
        }
        generator.text.push_str("}\n}\n");
        generator.text
    }

    fn stack_statement(&mut self) {
        let [value, other] = [self.random.below(4), self.random.below(3)];
        let statement = match self.random.below(12) {
            0 => format!("if (i < 4) a[i++] = {value};"),
            1 => "if (i < 4) { a[i] = x; i++; }".to_string(),
            2 => "if (i > 0) x = a[--i];".to_string(),
            3 => format!("if (i > 0) a[i - 1] = (a[i - 1] + {other}) & 3;"),
            4 => "if (i > 1) a[i - 2] = a[i - 1];".to_string(),
            5 => "if (i > 0 && i < 4) { a[i] = a[i - 1]; i++; }".to_string(),
            6 => format!("if (j < 4 && j >= 0) b[j] = {value};"),
            7 => "j = (j + 1) & 3;".to_string(),
            8 => "if (j > 0) { x = b[j - 1] & 3; j--; }".to_string(),
            9 => format!("if (i > {other} && a[i - 1] == {value}) x = {other};"),
            10 => format!("if (i > 0 && j > {other} && a[i - 1] > b[j - 1] + {value}) reach_error();"),
            _ => {
                let last = self.random.below(4);
                format!("if (i == {other} && a[{other}] == {value} && x == {last}) reach_error();")
            }
        };
        let _ = writeln!(self.text, "{statement}");
    }

    fn inputs(&mut self, ty: &str) {
        for input in 0..INPUTS {
            let _ = writeln!(self.text, "{ty}i{input} = __VERIFIER_nondet_uchar() % {VALUES}u;");
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0..=2 => self.assignment(),
            3 | 4 => {
                let (left, right) = (self.expression(1), self.random.below(12));
                let _ = writeln!(self.text, "if (({left}) == {right}) reach_error();");
            }
            5 | 6 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            _ => self.repetition(depth),
        }
    }

    fn repetition(&mut self, depth: u32) {
        let counter = format!("k{}", self.loops);
        self.loops += 1;
        let bound = self.expression(0);
        // Every other loop comes back to its head in several ways.
        let (increment, first) = match self.loops % 2 {
            0 => (String::new(), format!("{counter}++;\n")),
            _ => (format!("{counter}++"), String::new()),
        };
        let _ = write!(
            self.text,
            "for (unsigned {counter} = 0; {counter} < (({bound}) & 3u); {increment}) {{\n{first}"
        );
        self.statement(depth - 1);
        if self.random.below(3) == 0 {
            let condition = self.condition();
            let way = ["break", "continue"][self.random.below(2) as usize];
            let _ = writeln!(self.text, "if ({condition}) {way};");
        }
        self.text.push_str("}\n");
    }

    fn assignment(&mut self) {
        let target = match self.random.below(8) {
            0 => "g".to_string(),
            1 => "s".to_string(),
            2 => "*p".to_string(),
            3 => "r.x".to_string(),
            4 => "r.y".to_string(),
            5 => "t".to_string(),
            _ => format!("a[({}) & 3]", self.expression(0)),
        };
        let value = self.expression(2);
        let operator = ["=", "+=", "^=", "="][self.random.below(4) as usize];
        let _ = writeln!(self.text, "{target} {operator} {value};");
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(1), self.expression(0));
        let operator = ["<", "==", "!=", ">=", "&&", "||"][self.random.below(6) as usize];
        format!("({left}) {operator} ({right})")
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth > 0 && self.random.below(3) > 0 {
            let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
            return match self.random.below(8) {
                0 => format!("({left} + {right})"),
                1 => format!("({left} - {right})"),
                2 => format!("({left} & {right})"),
                3 => format!("({left} ^ {right})"),
                4 => format!("(int)((unsigned)({left}) * 3u)"),
                5 => format!("({left} < {right})"),
                6 => format!("(({left}) & 7) / ((({right}) & 3) + 1)"),
                _ => format!("twice(({left}) & 3)"),
            };
        }
        match self.random.below(11) {
            0 => self.random.below(9).to_string(),
            1 => "g".into(),
            2 => "s".into(),
            3 => "(t & 0xff)".into(),
            4 => format!("a[i{} & 3]", self.random.below(INPUTS)),
            5 => "r.x".into(),
            6 => "r.y".into(),
            7 => "(g && g < 5 ? a[g - 1] : 1)".into(),
            8 => "(s > 0 && s < 3 ? a[s + 1] : 0)".into(),
            _ => format!("(int)i{}", self.random.below(INPUTS)),
        }
    }
}
