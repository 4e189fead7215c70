//! Terms as C expressions, for invariants and conditions that people read.
//!
//! Values are held in the smallest standard type that has room for them. Arithmetic is done on
//! unsigned types, where C defines it to wrap around, and casts say so wherever the operands are
//! not of that type already. What C cannot say (writes to arrays, rounding modes other than the
//! default) looks like a call of a function. Sharing is lost, so the length is limited.

use crate::op::{Op, RoundingMode};
use crate::pool::{TermId, TermPool};
use crate::sort::{FloatFormat, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

/// Prints terms as C.
#[derive(Default)]
pub struct CPrinter {
    signed: FxHashSet<TermId>,
}

/// Text, and what type it has in C.
#[derive(Clone, Debug)]
struct Expression {
    text: String,
    kind: Kind,
    /// It needs no parentheses.
    atomic: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// An `int` that is 0 or 1.
    Truth,
    /// An integer type; for odd widths a larger type whose upper bits are 0.
    Integer {
        width: u32,
        signed: bool,
    },
    Other,
}

/// Expressions longer than this are not printed.
const LONGEST: usize = 1 << 16;

/// The number of bits of the type that holds values of this width.
fn container(width: u32) -> u32 {
    match width {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        33..=64 => 64,
        _ => 128,
    }
}

fn type_name(width: u32, signed: bool) -> &'static str {
    match (container(width), signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (_, true) => "__int128",
        (_, false) => "unsigned __int128",
    }
}

fn float_type(format: FloatFormat) -> &'static str {
    match format {
        FloatFormat::SINGLE => "float",
        FloatFormat::DOUBLE => "double",
        _ => "long double",
    }
}

fn compound(text: String, kind: Kind) -> Expression {
    Expression { text, kind, atomic: false }
}

fn atom(text: String, kind: Kind) -> Expression {
    Expression { text, kind, atomic: true }
}

impl Expression {
    fn enclosed(&self) -> String {
        if self.atomic { self.text.clone() } else { format!("({})", self.text) }
    }
}

impl CPrinter {
    pub fn new() -> Self {
        Self::default()
    }

    /// Says that a variable has a signed type in the program.
    pub fn declare_signed(&mut self, variable: TermId) {
        self.signed.insert(variable);
    }

    /// The term as a C expression; `None` if it would be very long.
    pub fn print(&self, pool: &TermPool, term: TermId) -> Option<String> {
        let mut printed: FxHashMap<TermId, Expression> = FxHashMap::default();
        for part in pool.reachable(&[term], |_| false) {
            let expression = Printing { pool, printer: self, printed: &printed }.expression(part);
            if expression.text.len() > LONGEST {
                return None;
            }
            printed.insert(part, expression);
        }
        printed.remove(&term).map(|expression| expression.text)
    }
}

struct Printing<'a> {
    pool: &'a TermPool,
    printer: &'a CPrinter,
    printed: &'a FxHashMap<TermId, Expression>,
}

impl Printing<'_> {
    fn child(&self, term: TermId, index: usize) -> TermId {
        self.pool.child(term, index)
    }

    /// A child as an operand, as it is.
    fn plain(&self, term: TermId, index: usize) -> String {
        self.printed[&self.child(term, index)].enclosed()
    }

    /// A term as an operand of an integer type.
    fn integer(&self, term: TermId, signed: bool) -> String {
        let width = self.pool.width(term);
        if let Some(value) = self.pool.bitvec_value(term) {
            return constant(&value, signed);
        }
        let expression = &self.printed[&term];
        match expression.kind {
            Kind::Integer { signed: is, .. } if is == signed => expression.enclosed(),
            _ if signed && width != container(width) => {
                let up = container(width) - width;
                let name = type_name(width, true);
                format!("(({name})({} << {up}) >> {up})", expression.enclosed())
            }
            _ => format!("({}){}", type_name(width, signed), expression.enclosed()),
        }
    }

    /// Unsigned arithmetic, brought back into the width where C computes in a larger one.
    fn wrapped(&self, width: u32, text: String) -> Expression {
        let kind = Kind::Integer { width, signed: false };
        if width == container(width) {
            return if width >= 32 {
                compound(text, kind)
            } else {
                atom(format!("({})({text})", type_name(width, false)), kind)
            };
        }
        let mask = constant(&crate::bitvec::BitVec::ones(width).zero_extend(container(width)), false);
        compound(format!("({text}) & {mask}"), kind)
    }

    /// Like [`wrapped`](Self::wrapped), for arithmetic on signed types.
    fn wrapped_signed(&self, width: u32, text: &str) -> Expression {
        let unsigned = format!("({})({text})", type_name(width, false));
        if width == container(width) {
            return atom(unsigned, Kind::Integer { width, signed: false });
        }
        self.wrapped(width, unsigned)
    }

    fn expression(&self, term: TermId) -> Expression {
        let pool = self.pool;
        match (pool.op(term), pool.sort(term)) {
            (Op::Constant, sort) => self.constant(term, sort),
            (Op::Variable, sort) => self.variable(term, sort),
            (Op::Not, _) => self.negation(self.child(term, 0)),
            (Op::And, _) => {
                compound(format!("{} && {}", self.plain(term, 0), self.plain(term, 1)), Kind::Truth)
            }
            (Op::Eq | Op::Ult | Op::Slt | Op::FloatEq | Op::FloatLt | Op::FloatLe | Op::IntLt, _) => {
                self.comparison(term, false)
            }
            (Op::Ite, Sort::BitVec(width)) => {
                let [then, otherwise] = [1, 2].map(|i| self.integer(self.child(term, i), false));
                let text = format!("{} ? {then} : {otherwise}", self.plain(term, 0));
                compound(text, Kind::Integer { width, signed: false })
            }
            (Op::Ite, sort) => {
                let kind = if sort == Sort::Bool { Kind::Truth } else { Kind::Other };
                let [condition, then, otherwise] = [0, 1, 2].map(|i| self.plain(term, i));
                compound(format!("{condition} ? {then} : {otherwise}"), kind)
            }
            (Op::Select, Sort::BitVec(width)) => {
                let index = self.integer(self.child(term, 1), false);
                let text = format!("{}[{index}]", self.plain(term, 0));
                atom(text, Kind::Integer { width, signed: false })
            }
            (_, Sort::BitVec(width)) => self.bitvec(term, width),
            (_, Sort::Float(format)) => self.float(term, format),
            _ => self.other(term),
        }
    }

    fn constant(&self, term: TermId, sort: Sort) -> Expression {
        let pool = self.pool;
        if let Some(value) = pool.bitvec_value(term) {
            let kind = Kind::Integer { width: value.width(), signed: false };
            return atom(constant(&value, false), kind);
        }
        if let Some(value) = pool.float_value(term) {
            return atom(float_constant(&value), Kind::Other);
        }
        match (pool.truth_value(term), pool.int_value(term), sort) {
            (Some(truth), ..) => atom(u8::from(truth).to_string(), Kind::Truth),
            (_, Some(value), _) => compound(value.to_string(), Kind::Other),
            _ => atom("?".into(), Kind::Other),
        }
    }

    fn variable(&self, term: TermId, sort: Sort) -> Expression {
        let name = self.pool.variable_name(term).unwrap_or("?").to_owned();
        let signed = self.printer.signed.contains(&term);
        atom(
            name,
            match sort {
                Sort::Bool => Kind::Truth,
                Sort::BitVec(width) => Kind::Integer { width, signed },
                _ => Kind::Other,
            },
        )
    }

    fn negation(&self, inner: TermId) -> Expression {
        let pool = self.pool;
        match pool.op(inner) {
            Op::Eq | Op::Ult | Op::Slt | Op::IntLt => self.comparison(inner, true),
            Op::And => {
                let [a, b] = [0, 1].map(|i| {
                    let child = pool.child(inner, i);
                    match pool.operand(child, Op::Not) {
                        Some(inner) => self.printed[&inner].enclosed(),
                        None => self.negation(child).enclosed(),
                    }
                });
                compound(format!("{a} || {b}"), Kind::Truth)
            }
            _ => atom(format!("!{}", self.printed[&inner].enclosed()), Kind::Truth),
        }
    }

    fn comparison(&self, term: TermId, negated: bool) -> Expression {
        let pool = self.pool;
        let [a, b] = [0, 1].map(|i| self.child(term, i));
        let symbol = match (pool.op(term), negated) {
            (Op::Eq | Op::FloatEq, false) => "==",
            (Op::Eq | Op::FloatEq, true) => "!=",
            (Op::FloatLe, _) => "<=",
            (_, false) => "<",
            (_, true) => ">=",
        };
        let (left, right) = match (pool.op(term), pool.sort(a)) {
            (Op::Eq, Sort::BitVec(_)) => {
                let has_sign = |term: TermId| {
                    let kind = self.printed[&term].kind;
                    pool.is_constant(term) || matches!(kind, Kind::Integer { signed: true, .. })
                };
                let signed = has_sign(a) && has_sign(b);
                (self.integer(a, signed), self.integer(b, signed))
            }
            (Op::Ult, _) => (self.integer(a, false), self.integer(b, false)),
            (Op::Slt, _) => (self.integer(a, true), self.integer(b, true)),
            _ => (self.plain(term, 0), self.plain(term, 1)),
        };
        compound(format!("{left} {symbol} {right}"), Kind::Truth)
    }

    fn bitvec(&self, term: TermId, width: u32) -> Expression {
        let unsigned = |index| self.integer(self.child(term, index), false);
        let signed = |index| self.integer(self.child(term, index), true);
        let binary = |symbol: &str| format!("{} {symbol} {}", unsigned(0), unsigned(1));
        let nonzero = || self.pool.bitvec_value(self.child(term, 1)).is_some_and(|value| !value.is_zero());
        let kind = Kind::Integer { width, signed: false };
        match self.pool.op(term) {
            Op::BitNot => self.wrapped(width, format!("~{}", unsigned(0))),
            Op::Neg => self.wrapped(width, format!("-{}", unsigned(0))),
            Op::BitAnd => compound(binary("&"), kind),
            Op::BitOr => compound(binary("|"), kind),
            Op::BitXor => compound(binary("^"), kind),
            Op::Add => self.wrapped(width, binary("+")),
            Op::Mul => self.wrapped(width, binary("*")),
            Op::Udiv if nonzero() => compound(binary("/"), kind),
            Op::Urem if nonzero() => compound(binary("%"), kind),
            Op::Udiv => self.wrapped(width, format!("{} == 0 ? -1 : {}", unsigned(1), binary("/"))),
            Op::Urem => {
                self.wrapped(width, format!("{} == 0 ? {} : {}", unsigned(1), unsigned(0), binary("%")))
            }
            Op::Sdiv if nonzero() => self.wrapped_signed(width, &format!("{} / {}", signed(0), signed(1))),
            Op::Srem if nonzero() => self.wrapped_signed(width, &format!("{} % {}", signed(0), signed(1))),
            Op::Sdiv | Op::Srem => self.signed_division(term, width),
            Op::Shl => self.guarded_shift(term, width, &format!("{} << {}", unsigned(0), unsigned(1)), "0"),
            Op::Lshr => self.guarded_shift(term, width, &format!("{} >> {}", unsigned(0), unsigned(1)), "0"),
            Op::Ashr => {
                let beyond = format!("({} < 0 ? -1 : 0)", signed(0));
                self.guarded_shift(term, width, &format!("{} >> {}", signed(0), unsigned(1)), &beyond)
            }
            Op::Concat => self.concatenation(term, width),
            Op::Extract => self.extraction(term, width),
            Op::SignExtend => {
                let text = format!("({})({}){}", type_name(width, false), type_name(width, true), signed(0));
                let extended = atom(text, kind);
                if width == container(width) { extended } else { self.wrapped(width, extended.text) }
            }
            Op::FloatToSigned if self.pool.rounding_mode(term) == RoundingMode::TowardZero => {
                let text = format!("({}){}", type_name(width, true), self.plain(term, 0));
                atom(text, Kind::Integer { width, signed: true })
            }
            Op::FloatToUnsigned if self.pool.rounding_mode(term) == RoundingMode::TowardZero => {
                atom(format!("({}){}", type_name(width, false), self.plain(term, 0)), kind)
            }
            _ => Expression { kind, ..self.other(term) },
        }
    }

    /// Division by a variable: C leaves division by 0 and the one quotient that overflows undefined.
    fn signed_division(&self, term: TermId, width: u32) -> Expression {
        let [a, b] = [0, 1].map(|index| self.integer(self.child(term, index), true));
        let unsigned = self.integer(self.child(term, 0), false);
        let text = match self.pool.op(term) {
            Op::Sdiv => format!("{b} == 0 ? ({a} < 0 ? 1 : -1) : {b} == -1 ? -{unsigned} : {a} / {b}"),
            _ => format!("{b} == 0 ? {a} : {b} == -1 ? 0 : {a} % {b}"),
        };
        self.wrapped_signed(width, &text)
    }

    fn guarded_shift(&self, term: TermId, width: u32, shift: &str, beyond: &str) -> Expression {
        let by = self.integer(self.child(term, 1), false);
        self.wrapped_signed(width, &format!("{by} < {width} ? {shift} : {beyond}"))
    }

    fn concatenation(&self, term: TermId, width: u32) -> Expression {
        let [high, low] = [0, 1].map(|i| self.child(term, i));
        let kind = Kind::Integer { width, signed: false };
        let name = type_name(width, false);
        let low_text = format!("({name}){}", self.integer(low, false));
        if self.pool.bitvec_value(high).is_some_and(|value| value.is_zero()) {
            return atom(low_text, kind);
        }
        let up = self.pool.width(low);
        let high_text = format!("({name}){} << {up}", self.integer(high, false));
        match self.pool.bitvec_value(low) {
            Some(value) if value.is_zero() => compound(high_text, kind),
            _ => compound(format!("{high_text} | {low_text}"), kind),
        }
    }

    fn extraction(&self, term: TermId, width: u32) -> Expression {
        let low = self.pool.extract_low(term);
        let mut text = self.integer(self.child(term, 0), false);
        if low > 0 {
            text = format!("({text} >> {low})");
        }
        if width == container(width) {
            return atom(
                format!("({}){text}", type_name(width, false)),
                Kind::Integer { width, signed: false },
            );
        }
        self.wrapped(width, text)
    }

    fn float(&self, term: TermId, format: FloatFormat) -> Expression {
        let pool = self.pool;
        let op = pool.op(term);
        let usual = pool.rounding_mode(term) == RoundingMode::NearestEven;
        let binary = |symbol: &str| {
            compound(format!("{} {symbol} {}", self.plain(term, 0), self.plain(term, 1)), Kind::Other)
        };
        let cast = |operand: String| atom(format!("({}){operand}", float_type(format)), Kind::Other);
        match op {
            Op::FloatAdd if usual => binary("+"),
            Op::FloatMul if usual => binary("*"),
            Op::FloatDiv if usual => binary("/"),
            Op::FloatNeg => atom(format!("-{}", self.plain(term, 0)), Kind::Other),
            Op::FloatFromFloat if usual => cast(self.plain(term, 0)),
            Op::FloatFromSigned if usual => cast(self.integer(self.child(term, 0), true)),
            Op::FloatFromUnsigned if usual => cast(self.integer(self.child(term, 0), false)),
            _ => self.other(term),
        }
    }

    /// What has no C operator, as a call.
    fn other(&self, term: TermId) -> Expression {
        let pool = self.pool;
        let op = pool.op(term);
        let symbol = match op {
            Op::IntAdd => Some("+"),
            Op::IntMul => Some("*"),
            _ => None,
        };
        if let Some(symbol) = symbol {
            return compound(
                format!("{} {symbol} {}", self.plain(term, 0), self.plain(term, 1)),
                Kind::Other,
            );
        }
        let name = match op {
            Op::FloatIsNan => "isnan".to_owned(),
            Op::FloatIsInfinite => "isinf".to_owned(),
            Op::FloatIsNormal => "isnormal".to_owned(),
            Op::FloatIsNegative => "signbit".to_owned(),
            Op::FloatSqrt => "sqrt".to_owned(),
            Op::FloatRem => "remainder".to_owned(),
            Op::FloatFma => "fma".to_owned(),
            Op::FloatAbs => "fabs".to_owned(),
            _ => format!("{op:?}").to_lowercase(),
        };
        let operands: Vec<_> =
            pool.children(term).iter().map(|child| self.printed[child].text.clone()).collect();
        let kind = if pool.sort(term) == Sort::Bool { Kind::Truth } else { Kind::Other };
        atom(format!("{name}({})", operands.join(", ")), kind)
    }
}

fn constant(value: &crate::bitvec::BitVec, signed: bool) -> String {
    if signed {
        let number = value.to_signed();
        // The smallest number has no literal of its own type.
        if value.is_negative() && value.neg().is_negative() {
            return format!("({number} - 1)", number = number + dashu::integer::IBig::ONE);
        }
        return number.to_string();
    }
    let suffix = match container(value.width()) {
        64 => "ull",
        _ => "u",
    };
    format!("{}{suffix}", value.to_big())
}

fn float_constant(value: &crate::float::FloatValue) -> String {
    match (value.to_f64(), value.to_f32()) {
        _ if value.is_nan() => "NAN".to_owned(),
        _ if value.is_infinite() => (if value.is_negative() { "-INFINITY" } else { "INFINITY" }).to_owned(),
        (Some(number), _) => format!("{number:?}"),
        (_, Some(number)) => format!("{number:?}f"),
        _ => format!("{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(build: impl FnOnce(&mut TermPool, TermId, TermId) -> TermId) -> String {
        let mut pool = TermPool::new();
        let [i, n] = ["i", "n"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let mut printer = CPrinter::new();
        printer.declare_signed(i);
        let term = build(&mut pool, i, n);
        printer.print(&pool, term).unwrap()
    }

    #[test]
    fn invariants_read_like_c() {
        let ten = |pool: &mut TermPool| pool.bitvec(32, 10);
        assert_eq!(
            printed(|pool, i, _| {
                let ten = ten(pool);
                pool.sle(i, ten)
            }),
            "10 >= i"
        );
        assert_eq!(
            printed(|pool, i, _| {
                let ten = ten(pool);
                pool.eq(i, ten)
            }),
            "i == 10"
        );
        assert_eq!(printed(|pool, i, n| pool.ult(i, n)), "(unsigned int)i < n");
        assert_eq!(printed(|pool, i, n| pool.slt(i, n)), "i < (int)n");
        let both = |pool: &mut TermPool, i, n| {
            let ten = ten(pool);
            let (a, b) = (pool.eq(i, ten), pool.eq(n, ten));
            pool.or(a, b)
        };
        assert_eq!(printed(both), "(i == 10) || (n == 10u)");
        let sum = |pool: &mut TermPool, i, n| pool.add(i, n);
        assert_eq!(printed(sum), "(unsigned int)i + n");
    }
}
