//! The value of a term under an assignment of its variables.
//!
//! [`apply`] says what each operator means, on values, and knows no rewrite rule. It is what the
//! rewriting and the solvers are tested against.

use crate::array_value::ArrayValue;
use crate::bitvec::BitVec;
use crate::float::FloatValue;
use crate::op::{Op, RoundingMode};
use crate::pool::{TermId, TermPool};
use crate::rewrite::integer::{divide, modulo};
use crate::sort::Sort;
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Values for variables. Variables without one have the default value of their sort.
pub type Assignment = FxHashMap<TermId, Value>;

/// An operator without its operands.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    pub op: Op,
    pub mode: RoundingMode,
    /// The sort of the result.
    pub sort: Sort,
    /// The lowest bit of an `Extract`.
    pub low: u32,
}

impl TermPool {
    pub fn operation(&self, term: TermId) -> Operation {
        let op = self.op(term);
        Operation {
            op,
            mode: self.rounding_mode(term),
            sort: self.sort(term),
            low: if op == Op::Extract { self.extract_low(term) } else { 0 },
        }
    }

    /// The value of a term under an assignment.
    pub fn evaluate(&self, term: TermId, assignment: &Assignment) -> Value {
        self.evaluate_cached(term, &mut assignment.clone())
    }

    /// Like [`evaluate`](Self::evaluate), for many terms: the values of all parts are remembered in
    /// `cache`, which holds the assignment at first.
    pub fn evaluate_cached(&self, term: TermId, cache: &mut FxHashMap<TermId, Value>) -> Value {
        for part in self.reachable(&[term], |part| cache.contains_key(&part)) {
            let value = match self.op(part) {
                Op::Variable => Value::default_of(self.sort(part)),
                Op::Constant => self.value(part).unwrap_or_else(|| Value::default_of(self.sort(part))),
                _ => {
                    let children: smallvec::SmallVec<[&Value; 3]> =
                        self.children(part).iter().map(|child| &cache[child]).collect();
                    apply(&self.operation(part), &children)
                }
            };
            cache.insert(part, value);
        }
        cache[&term].clone()
    }
}

/// The value of an operator applied to values.
///
/// # Panics
/// If the values are not of the sorts that the operator takes.
pub fn apply(operation: &Operation, values: &[&Value]) -> Value {
    use Value::{Array, Bool, Float, Int};
    match (operation.op, values) {
        (Op::Not, [Bool(a)]) => Bool(!a),
        (Op::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
        (Op::Eq, [Array(a), Array(b)]) => Bool(a.same_map(b)),
        (Op::Eq, [a, b]) => Bool(a == b),
        (Op::Ite, [Bool(condition), then, otherwise]) => {
            Value::clone(if *condition { then } else { otherwise })
        }
        (_, [Value::BitVec(a)]) => apply_to_bitvec(operation, a),
        (_, [Value::BitVec(a), Value::BitVec(b)]) => apply_to_bitvecs(operation.op, a, b),
        (Op::Select, [Array(array), Value::BitVec(index)]) => Value::BitVec(array.select(index).clone()),
        (Op::Store, [Array(array), Value::BitVec(index), Value::BitVec(element)]) => {
            let mut array = array.clone();
            array.store(index.clone(), element.clone());
            Array(array)
        }
        (_, [Float(a)]) => apply_to_float(operation, a),
        (_, [Float(a), Float(b)]) => apply_to_floats(operation, a, b),
        (Op::FloatFma, [Float(a), Float(b), Float(c)]) => Float(a.fma(b, c, operation.mode)),
        (Op::IntAdd, [Int(a), Int(b)]) => Int(a + b),
        (Op::IntMul, [Int(a), Int(b)]) => Int(a * b),
        (Op::IntDiv, [Int(a), Int(b)]) => Int(divide(a, b)),
        (Op::IntMod, [Int(a), Int(b)]) => Int(modulo(a, b)),
        (Op::IntLt, [Int(a), Int(b)]) => Bool(a < b),
        (op, values) => panic!("{op:?} cannot be applied to {values:?}"),
    }
}

fn apply_to_bitvec(operation: &Operation, a: &BitVec) -> Value {
    let mode = operation.mode;
    Value::BitVec(match (operation.op, operation.sort) {
        (Op::BitNot, _) => a.not(),
        (Op::Neg, _) => a.neg(),
        (Op::Extract, Sort::BitVec(width)) => a.extract(operation.low + width - 1, operation.low),
        (Op::SignExtend, Sort::BitVec(width)) => a.sign_extend(width),
        (Op::ConstantArray, Sort::Array { index, .. }) => {
            return Value::Array(ArrayValue::new(index, a.clone()));
        }
        (Op::FloatFromBits, Sort::Float(format)) => return Value::float_from_bits(format, a.clone()),
        (Op::FloatFromSigned, Sort::Float(format)) => {
            return Value::Float(FloatValue::from_integer(format, &a.to_signed(), mode));
        }
        (Op::FloatFromUnsigned, Sort::Float(format)) => {
            return Value::Float(FloatValue::from_integer(format, &a.to_big().into(), mode));
        }
        (op, sort) => panic!("{op:?} of sort {sort:?} cannot be applied to a bit-vector"),
    })
}

fn apply_to_bitvecs(op: Op, a: &BitVec, b: &BitVec) -> Value {
    Value::BitVec(match op {
        Op::BitAnd => a.and(b),
        Op::BitOr => a.or(b),
        Op::BitXor => a.xor(b),
        Op::Add => a.add(b),
        Op::Mul => a.mul(b),
        Op::Udiv => a.udiv(b),
        Op::Urem => a.urem(b),
        Op::Sdiv => a.sdiv(b),
        Op::Srem => a.srem(b),
        Op::Shl => a.shl(b),
        Op::Lshr => a.lshr(b),
        Op::Ashr => a.ashr(b),
        Op::Concat => a.concat(b),
        Op::Ult => return Value::Bool(a.ult(b)),
        Op::Slt => return Value::Bool(a.slt(b)),
        op => panic!("{op:?} cannot be applied to bit-vectors"),
    })
}

fn apply_to_float(operation: &Operation, a: &FloatValue) -> Value {
    let mode = operation.mode;
    Value::Float(match (operation.op, operation.sort) {
        (Op::FloatSqrt, _) => a.sqrt(mode),
        (Op::FloatRoundToIntegral, _) => a.round_to_integral(mode),
        (Op::FloatNeg, _) => a.neg(),
        (Op::FloatAbs, _) => a.abs(),
        (Op::FloatFromFloat, Sort::Float(format)) => a.to_format(format, mode),
        (Op::FloatIsNan, _) => return Value::Bool(a.is_nan()),
        (Op::FloatIsInfinite, _) => return Value::Bool(a.is_infinite()),
        (Op::FloatIsZero, _) => return Value::Bool(a.is_zero()),
        (Op::FloatIsNormal, _) => return Value::Bool(a.is_normal()),
        (Op::FloatIsSubnormal, _) => return Value::Bool(a.is_subnormal()),
        (Op::FloatIsNegative, _) => return Value::Bool(a.is_negative()),
        (Op::FloatToBits, _) => return Value::BitVec(a.bits().clone()),
        (Op::FloatToSigned, Sort::BitVec(width)) => return Value::BitVec(a.to_signed(width, mode)),
        (Op::FloatToUnsigned, Sort::BitVec(width)) => return Value::BitVec(a.to_unsigned(width, mode)),
        (op, sort) => panic!("{op:?} of sort {sort:?} cannot be applied to a float"),
    })
}

fn apply_to_floats(operation: &Operation, a: &FloatValue, b: &FloatValue) -> Value {
    let mode = operation.mode;
    Value::Float(match operation.op {
        Op::FloatAdd => a.add(b, mode),
        Op::FloatMul => a.mul(b, mode),
        Op::FloatDiv => a.div(b, mode),
        Op::FloatRem => a.rem(b),
        Op::FloatEq => return Value::Bool(a.compare(b) == Some(Ordering::Equal)),
        Op::FloatLt => return Value::Bool(a.compare(b) == Some(Ordering::Less)),
        Op::FloatLe => {
            return Value::Bool(matches!(a.compare(b), Some(Ordering::Less | Ordering::Equal)));
        }
        op => panic!("{op:?} cannot be applied to floats"),
    })
}
