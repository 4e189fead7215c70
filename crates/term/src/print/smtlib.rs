//! Terms as SMT-LIB 2.
//!
//! The output is linear in the number of different terms. For solvers, [`SmtlibPrinter`] writes one
//! definition per term and remembers what it has written; for people, [`TermPool::to_smtlib`]
//! writes one expression with a `let` for each term that occurs more than once.
//!
//! Where SMT-LIB leaves a result open that this crate defines (integers from floats that are out of
//! range, bits of a NaN, integer division by 0), the text says what this crate means.

use crate::op::Op;
use crate::pool::{TermId, TermPool};
use crate::sort::{FloatFormat, Sort};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::fmt::Write;

/// A part of the text of an application.
enum Piece {
    Text(Cow<'static, str>),
    Child(usize),
}

fn text(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

/// How the packed bits of a float are written: there is no standard function for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToBits {
    /// By the function that z3 has.
    Function,
    /// By a fresh constant and an assertion.
    Constant,
}

/// Writes terms for a solver, each one once.
#[derive(Default)]
pub struct SmtlibPrinter {
    written: FxHashSet<TermId>,
    declared: Vec<TermId>,
}

impl SmtlibPrinter {
    pub fn new() -> Self {
        Self::default()
    }

    /// The variables that have been declared, in that order.
    pub fn declared(&self) -> &[TermId] {
        &self.declared
    }

    /// Appends the declarations and definitions that `term` needs and that have not been written
    /// before, and returns the expression that stands for the term.
    pub fn define(&mut self, pool: &TermPool, term: TermId, out: &mut String) -> String {
        for part in pool.reachable(&[term], |part| self.written.contains(&part)) {
            self.written.insert(part);
            let sort = pool.sort(part);
            // Writing to a string cannot fail.
            let _ = match pool.op(part) {
                Op::Constant => Ok(()),
                Op::Variable => {
                    self.declared.push(part);
                    writeln!(out, "(declare-const {} {sort})", reference(pool, part))
                }
                Op::FloatToBits => {
                    let _ = writeln!(out, "(declare-const {} {sort})", reference(pool, part));
                    writeln!(out, "(assert {})", bits_definition(pool, part))
                }
                _ => {
                    let _ = write!(out, "(define-fun {} () {sort} ", reference(pool, part));
                    for piece in pieces(pool, part, ToBits::Constant) {
                        match piece {
                            Piece::Text(text) => out.push_str(&text),
                            Piece::Child(child) => out.push_str(&reference(pool, pool.child(part, child))),
                        }
                    }
                    writeln!(out, ")")
                }
            };
        }
        reference(pool, term)
    }
}

/// What says that a constant holds the packed bits of a float.
fn bits_definition(pool: &TermPool, term: TermId) -> String {
    let float = pool.child(term, 0);
    let format = pool.format(float);
    let (bits, float) = (reference(pool, term), reference(pool, float));
    let nan = crate::float::FloatValue::nan(format);
    let FloatFormat { exponent, significand } = format;
    format!(
        "(and (= ((_ to_fp {exponent} {significand}) {bits}) {float}) (=> (fp.isNaN {float}) (= {bits} {})))",
        nan.bits()
    )
}

/// The name of a term, or the constant that it is.
fn reference(pool: &TermPool, term: TermId) -> String {
    match (pool.value(term), pool.variable_name(term)) {
        (Some(value), _) => value.to_string(),
        (_, Some(name)) => symbol(name),
        _ => format!("!{}", term.0),
    }
}

/// A variable's name, quoted where needed.
pub fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if starts_well && name.chars().all(simple) && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    // A quoted symbol may not contain these two.
    format!("|{}|", name.replace(['|', '\\'], "?"))
}

/// Names that are words or functions of SMT-LIB.
const RESERVED: &[&str] = &[
    "_",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "not",
    "and",
    "or",
    "xor",
    "ite",
    "true",
    "false",
    "distinct",
    "select",
    "store",
    "concat",
    "extract",
    "abs",
    "div",
    "mod",
    "fp",
    "assert",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
    "const",
];

fn operator(op: Op) -> &'static str {
    match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BitNot => "bvnot",
        Op::BitAnd => "bvand",
        Op::BitOr => "bvor",
        Op::BitXor => "bvxor",
        Op::Neg => "bvneg",
        Op::Add => "bvadd",
        Op::Mul => "bvmul",
        Op::Udiv => "bvudiv",
        Op::Urem => "bvurem",
        Op::Sdiv => "bvsdiv",
        Op::Srem => "bvsrem",
        Op::Shl => "bvshl",
        Op::Lshr => "bvlshr",
        Op::Ashr => "bvashr",
        Op::Ult => "bvult",
        Op::Slt => "bvslt",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::FloatAdd => "fp.add",
        Op::FloatMul => "fp.mul",
        Op::FloatDiv => "fp.div",
        Op::FloatFma => "fp.fma",
        Op::FloatSqrt => "fp.sqrt",
        Op::FloatRem => "fp.rem",
        Op::FloatRoundToIntegral => "fp.roundToIntegral",
        Op::FloatNeg => "fp.neg",
        Op::FloatAbs => "fp.abs",
        Op::FloatEq => "fp.eq",
        Op::FloatLt => "fp.lt",
        Op::FloatLe => "fp.leq",
        Op::FloatIsNan => "fp.isNaN",
        Op::FloatIsInfinite => "fp.isInfinite",
        Op::FloatIsZero => "fp.isZero",
        Op::FloatIsNormal => "fp.isNormal",
        Op::FloatIsSubnormal => "fp.isSubnormal",
        Op::FloatIsNegative => "fp.isNegative",
        Op::IntAdd => "+",
        Op::IntMul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::IntLt => "<",
        Op::Constant
        | Op::Variable
        | Op::Extract
        | Op::SignExtend
        | Op::ConstantArray
        | Op::FloatFromBits
        | Op::FloatToBits
        | Op::FloatFromFloat
        | Op::FloatFromSigned
        | Op::FloatFromUnsigned
        | Op::FloatToSigned
        | Op::FloatToUnsigned => "",
    }
}

/// The text of an application, with places for the children.
fn pieces(pool: &TermPool, term: TermId, to_bits: ToBits) -> Vec<Piece> {
    let op = pool.op(term);
    let sort = pool.sort(term);
    let mode =
        if op.is_rounded() { format!(" {}", pool.rounding_mode(term).smtlib()) } else { String::new() };
    let indexed = |head: String| vec![text(format!("({head}{mode} ")), Piece::Child(0), text(")")];
    match (op, sort) {
        (Op::Extract, Sort::BitVec(width)) => {
            let low = pool.extract_low(term);
            indexed(format!("(_ extract {} {low})", low + width - 1))
        }
        (Op::SignExtend, Sort::BitVec(width)) => {
            indexed(format!("(_ sign_extend {})", width - pool.width(pool.child(term, 0))))
        }
        (Op::ConstantArray, _) => indexed(format!("(as const {sort})")),
        (Op::FloatFromBits | Op::FloatFromFloat | Op::FloatFromSigned, Sort::Float(format)) => {
            indexed(format!("(_ to_fp {} {})", format.exponent, format.significand))
        }
        (Op::FloatFromUnsigned, Sort::Float(format)) => {
            indexed(format!("(_ to_fp_unsigned {} {})", format.exponent, format.significand))
        }
        (Op::FloatToSigned | Op::FloatToUnsigned, Sort::BitVec(width)) => {
            integer_from_float(op, width, &mode, pool.format(pool.child(term, 0)))
        }
        (Op::FloatToBits, _) if to_bits == ToBits::Function => {
            let nan = crate::float::FloatValue::nan(pool.format(pool.child(term, 0)));
            let head = text("(ite (fp.isNaN ");
            let middle = text(format!(") {} (fp.to_ieee_bv ", nan.bits()));
            vec![head, Piece::Child(0), middle, Piece::Child(0), text("))")]
        }
        (Op::IntDiv | Op::IntMod, _) if !pool.is_constant(pool.child(term, 1)) => {
            let mut result = vec![text("(ite (= "), Piece::Child(1), text(" 0) ")];
            result.push(if op == Op::IntDiv { text("0") } else { Piece::Child(0) });
            result.push(text(format!(" ({} ", operator(op))));
            result.extend([Piece::Child(0), text(" "), Piece::Child(1), text("))")]);
            result
        }
        _ => {
            let mut result = vec![text(format!("({}{mode}", operator(op)))];
            for child in 0..op.arity() {
                result.extend([text(" "), Piece::Child(child)]);
            }
            result.push(text(")"));
            result
        }
    }
}

/// The integer, if turning it back into a float shows that it fits; otherwise 0.
fn integer_from_float(op: Op, width: u32, mode: &str, format: FloatFormat) -> Vec<Piece> {
    let (there, back) = match op {
        Op::FloatToSigned => ("fp.to_sbv", "to_fp"),
        _ => ("fp.to_ubv", "to_fp_unsigned"),
    };
    let convert = format!("((_ {there} {width}){mode} ");
    let FloatFormat { exponent, significand } = format;
    vec![
        // Rounding toward zero, an integer that fits cannot become one that does not.
        text(format!("(ite (fp.eq ((_ {back} {exponent} {significand}) RTZ {convert}")),
        Piece::Child(0),
        text(format!(")) (fp.roundToIntegral{mode} ")),
        Piece::Child(0),
        text(format!(")) {convert}")),
        Piece::Child(0),
        text(format!(") {})", crate::bitvec::BitVec::zero(width))),
    ]
}

impl TermPool {
    /// The term as one SMT-LIB 2 expression.
    pub fn to_smtlib(&self, term: TermId) -> String {
        let mut out = String::new();
        let terms = self.reachable(&[term], |_| false);
        let shared = self.shared(&terms);
        let mut open = 0;
        for &part in terms.iter().filter(|part| shared.contains(part) && **part != term) {
            let _ = write!(out, "(let ((!{} ", part.0);
            self.write_expression(part, &shared, &mut out);
            out.push_str(")) ");
            open += 1;
        }
        self.write_expression(term, &shared, &mut out);
        out.push_str(&")".repeat(open));
        out
    }

    /// The applications that are used more than once in the text.
    fn shared(&self, terms: &[TermId]) -> FxHashSet<TermId> {
        let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
        for &term in terms {
            if matches!(self.op(term), Op::Constant | Op::Variable) {
                continue;
            }
            for piece in pieces(self, term, ToBits::Function) {
                if let Piece::Child(child) = piece {
                    *uses.entry(self.child(term, child)).or_default() += 1;
                }
            }
        }
        let is_application = |term: TermId| self.op(term).arity() > 0;
        uses.into_iter()
            .filter(|&(term, uses)| uses > 1 && is_application(term))
            .map(|(term, _)| term)
            .collect()
    }

    fn write_expression(&self, root: TermId, named: &FxHashSet<TermId>, out: &mut String) {
        enum Item {
            Term(TermId),
            Text(Cow<'static, str>),
        }
        let mut stack = vec![Item::Term(root)];
        while let Some(item) = stack.pop() {
            match item {
                Item::Text(text) => out.push_str(&text),
                Item::Term(term) if self.op(term).arity() == 0 || term != root && named.contains(&term) => {
                    out.push_str(&reference(self, term));
                }
                Item::Term(term) => {
                    stack.extend(pieces(self, term, ToBits::Function).into_iter().rev().map(|piece| {
                        match piece {
                            Piece::Text(text) => Item::Text(text),
                            Piece::Child(child) => Item::Term(self.child(term, child)),
                        }
                    }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_terms_are_named() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y z"].map(|name| pool.variable(name, Sort::BitVec(8)));
        let sum = pool.add(x, y);
        let product = pool.mul(sum, sum);
        let expected = format!("(let ((!{} (bvadd x |y z|))) (bvmul !{} !{}))", sum.0, sum.0, sum.0);
        assert_eq!(pool.to_smtlib(product), expected);
    }

    #[test]
    fn output_is_linear_in_the_number_of_terms() {
        let mut pool = TermPool::new();
        let mut term = pool.variable("x", Sort::BitVec(32));
        let y = pool.variable("y", Sort::BitVec(32));
        for _ in 0..100_000 {
            term = pool.mul(term, term);
            term = pool.bit_xor(term, y);
        }
        assert!(pool.to_smtlib(term).len() < 20_000_000);
        let mut out = String::new();
        let mut printer = SmtlibPrinter::new();
        printer.define(&pool, term, &mut out);
        assert!(out.len() < 20_000_000);
        out.clear();
        printer.define(&pool, term, &mut out);
        assert!(out.is_empty());
    }
}
