//! Values of expressions in the state that is worked on.

use super::code::*;
use super::collapse::{NON_ZERO, Symbol, UNKNOWN};
use super::execute::Machine;
use cfa::{BinaryOp, FloatCompare};
use std::cmp::Ordering;

/// What is known of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Unknown,
    NonZero,
    /// Known to be the same as others (see [`Symbol`](super::collapse::Symbol)).
    Symbol {
        code: u32,
        non_zero: bool,
    },
    /// One of an interval (see [`intervals`](super::intervals)), in terms of its type.
    Within {
        code: u32,
        non_zero: bool,
    },
    /// Canonical for its type.
    Known(u64),
}

use Value::{Known, NonZero, Unknown};

impl Value {
    #[inline]
    pub fn known(self) -> Option<u64> {
        match self {
            Known(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether the scalar counts as true.
    #[inline]
    pub fn truth(self) -> Option<bool> {
        match self {
            Known(bits) => Some(bits != 0),
            NonZero | Value::Symbol { non_zero: true, .. } | Value::Within { non_zero: true, .. } => {
                Some(true)
            }
            Unknown | Value::Symbol { .. } | Value::Within { .. } => None,
        }
    }

    /// Without what it has in common with other values, and without its bounds.
    #[inline]
    pub fn alone(self) -> Value {
        match self {
            Value::Symbol { non_zero: true, .. } | Value::Within { non_zero: true, .. } => NonZero,
            Value::Symbol { .. } | Value::Within { .. } => Unknown,
            other => other,
        }
    }

    fn of(truth: Option<bool>) -> Value {
        truth.map_or(Unknown, |truth| Known(u64::from(truth)))
    }
}

impl Machine<'_> {
    #[inline]
    pub(super) fn decode(&self, code: u32, shape: Shape) -> Value {
        match self.chunks.number(code) {
            Some(number) => Known(shape.canonical(number as u64)),
            None if code == NON_ZERO => NonZero,
            None => match self.chunks.symbol(code) {
                Some(symbol) if symbol.width == shape.width => {
                    Value::Symbol { code, non_zero: symbol.non_zero }
                }
                None => self.decode_interval(code, shape),
                _ => Unknown,
            },
        }
    }

    /// The code of a value in a cell of that width.
    #[inline]
    pub(super) fn encode(&mut self, value: Value, width: u32) -> u32 {
        match value {
            Known(bits) => self.chunks.code(Shape { width, signed: true }.canonical(bits) as i64),
            NonZero => NON_ZERO,
            Value::Symbol { code, .. } if self.chunks.symbol(code).is_some_and(|s| s.width == width) => code,
            Value::Within { code, .. } => self.encode_interval(code, width),
            Unknown | Value::Symbol { .. } => UNKNOWN,
        }
    }

    pub fn evaluate(&mut self, id: NodeId) -> Value {
        match self.code.nodes[id.0 as usize] {
            Node::Constant(bits) => Known(bits),
            Node::Unknown => Unknown,
            Node::Global(slot, shape) => self.decode(self.vector.get(slot as usize), shape),
            Node::Local(slot, shape) => self.decode(self.vector.get(self.base + slot as usize), shape),
            Node::Compare { op, signed, left, right } => {
                let (left, right) = (self.evaluate(left), self.evaluate(right));
                match self.compare_symbols(op, left, right) {
                    Some(value) => value,
                    None => match compare(op, signed, left.alone(), right.alone()) {
                        Unknown if self.bounded => self.compare_intervals(op, id, left, right),
                        value => value,
                    },
                }
            }
            Node::Integer(op, shape, left, right) => {
                let (left, right) = (self.evaluate(left), self.evaluate(right));
                self.integer(op, shape, left, right)
            }
            Node::IsZero(operand) => Value::of(self.evaluate(operand).truth().map(|truth| !truth)),
            Node::IsNonZero(operand) => Value::of(self.evaluate(operand).truth()),
            Node::Convert { shape, keeps, operand } => match self.evaluate(operand) {
                Known(bits) => Known(shape.canonical(bits)),
                value if self.bounded => self.convert(value, operand, shape, keeps),
                NonZero if keeps => NonZero,
                value @ Value::Symbol { code, .. } => match self.chunks.symbol(code) {
                    Some(symbol) if symbol.width == shape.width => value,
                    _ if keeps => value.alone(),
                    _ => Unknown,
                },
                _ => Unknown,
            },
            Node::Load(place, shape) => self.load(place, shape),
            Node::Address(place) => match self.address(place) {
                Some(address) => Known(address),
                None if matches!(self.code.places[place.0 as usize].start, Start::Variable(_)) => NonZero,
                None => Unknown,
            },
            Node::Negate(shape, operand) => match self.evaluate(operand) {
                Known(bits) => Known(shape.canonical(bits.wrapping_neg())),
                value @ Value::Within { .. } => self.negate_interval(value, shape),
                other => other.alone(),
            },
            Node::BitNot(shape, operand) => match self.evaluate(operand) {
                Known(bits) => Known(shape.canonical(!bits)),
                _ => Unknown,
            },
            Node::PointerAdd { pointer, index, scale, mask } => {
                match (self.evaluate(pointer), self.evaluate(index)) {
                    (Known(pointer), Known(index)) => {
                        Known(pointer.wrapping_add(index.wrapping_mul(scale as u64)) & mask)
                    }
                    (pointer, Known(0)) => pointer,
                    _ => Unknown,
                }
            }
            Node::Conditional(condition, then, otherwise) => match self.evaluate(condition).truth() {
                Some(true) => self.evaluate(then),
                Some(false) => self.evaluate(otherwise),
                None => {
                    let (then, otherwise) = (self.evaluate(then), self.evaluate(otherwise));
                    match then == otherwise {
                        true => then,
                        false if self.bounded => self.either(id, then, otherwise),
                        false => Unknown,
                    }
                }
            },
            node => self.evaluate_rare(node),
        }
    }

    fn evaluate_rare(&mut self, node: Node) -> Value {
        match node {
            Node::PointerDifference { left, right, size, shape } => {
                let (Known(left), Known(right)) = (self.evaluate(left), self.evaluate(right)) else {
                    return Unknown;
                };
                let distance = shape.canonical(left.wrapping_sub(right)) as i64;
                Known(shape.canonical((distance / size) as u64))
            }
            Node::Overflows { op, shape, left, right } => {
                let (Known(left), Known(right)) = (self.evaluate(left), self.evaluate(right)) else {
                    return Unknown;
                };
                // Canonical values of at most 63 bits and a sign: exact as they are.
                let (left, right) = (i128::from(left as i64), i128::from(right as i64));
                let exact = match op {
                    BinaryOp::Add => left + right,
                    BinaryOp::Subtract => left - right,
                    BinaryOp::Multiply => left * right,
                    _ => return Unknown,
                };
                let bits = shape.canonical(exact as u64);
                let fits = if shape.signed { i128::from(bits as i64) } else { i128::from(bits) } == exact;
                Known(u64::from(!fits))
            }
            Node::Float(op, format, left, right) => {
                let (Known(left), Known(right)) = (self.evaluate(left), self.evaluate(right)) else {
                    return Unknown;
                };
                float_operation(op, format, left, right)
            }
            Node::FloatNegate(format, operand) => match (self.evaluate(operand), format) {
                (Known(bits), FloatFormat::Single) => Known(bits ^ 1 << 31),
                (Known(bits), FloatFormat::Double) => Known(bits ^ 1 << 63),
                _ => Unknown,
            },
            Node::FloatTest(test, format, left, right) => {
                let (Known(left), Known(right)) = (self.evaluate(left), self.evaluate(right)) else {
                    return Unknown;
                };
                Known(u64::from(float_test(test, double(format, left).partial_cmp(&double(format, right)))))
            }
            Node::FloatIsZero(format, operand) => match self.evaluate(operand) {
                Known(bits) => Known(u64::from(double(format, bits) == 0.0)),
                _ => Unknown,
            },
            Node::IntToFloat { signed, to, operand } => match (self.evaluate(operand), to, signed) {
                (Known(bits), FloatFormat::Double, true) => Known((bits as i64 as f64).to_bits()),
                (Known(bits), FloatFormat::Double, false) => Known((bits as f64).to_bits()),
                (Known(bits), FloatFormat::Single, true) => Known(u64::from((bits as i64 as f32).to_bits())),
                (Known(bits), FloatFormat::Single, false) => Known(u64::from((bits as f32).to_bits())),
                _ => Unknown,
            },
            Node::FloatToInt { from, shape, operand } => match self.evaluate(operand) {
                Known(bits) => float_to_integer(double(from, bits), shape),
                _ => Unknown,
            },
            Node::FloatToFloat { from, to, operand } => match self.evaluate(operand) {
                Known(bits) => float_bits(to, double(from, bits)),
                _ => Unknown,
            },
            _ => Unknown,
        }
    }

    fn integer(&mut self, op: BinaryOp, shape: Shape, left: Value, right: Value) -> Value {
        use BinaryOp::*;
        let (Known(a), Known(b)) = (left, right) else {
            if let Some(value) = self.symbolic(op, shape, left, right) {
                return value;
            }
            return match self.partial(op, left, right) {
                value @ (Unknown | NonZero) if self.bounded => self.bound(op, shape, [left, right], value),
                value => value,
            };
        };
        let bits = match op {
            Add => a.wrapping_add(b),
            Subtract => a.wrapping_sub(b),
            Multiply => a.wrapping_mul(b),
            BitAnd => a & b,
            BitOr => a | b,
            BitXor => a ^ b,
            Divide | Remainder if b == 0 => {
                self.trapped = true;
                return Unknown;
            }
            // What happens at the edge of the range is left open.
            Divide | Remainder if shape.signed && b as i64 == -1 => {
                return if op == Divide && a as i64 != i64::MIN >> (64 - shape.width) {
                    Known(shape.canonical(a.wrapping_neg()))
                } else {
                    Unknown
                };
            }
            Divide if shape.signed => (a as i64).wrapping_div(b as i64) as u64,
            Remainder if shape.signed => (a as i64).wrapping_rem(b as i64) as u64,
            Divide => a / b,
            Remainder => a % b,
            ShiftLeft | ShiftRight if b >= u64::from(shape.width) => return Unknown,
            ShiftLeft => a << b,
            ShiftRight if shape.signed => ((a as i64) >> b) as u64,
            ShiftRight => a >> b,
            _ => return Unknown,
        };
        Known(shape.canonical(bits))
    }

    /// Sums with a symbol, and the distance of two that are the same input.
    fn symbolic(&mut self, op: BinaryOp, shape: Shape, left: Value, right: Value) -> Option<Value> {
        let symbol = |machine: &Self, value| match value {
            Value::Symbol { code, .. } => machine.chunks.symbol(code).filter(|s| s.width == shape.width),
            _ => None,
        };
        let moved = |machine: &mut Self, symbol: Symbol, by: u64| {
            let width = Shape { width: shape.width, signed: true };
            let offset = width.canonical((symbol.offset as u64).wrapping_add(by)) as i64;
            let non_zero = symbol.non_zero && offset == symbol.offset;
            let interval = machine.moved_interval(symbol, by);
            let code = machine.chunks.symbol_code(Symbol { offset, non_zero, interval, ..symbol });
            Some(Value::Symbol { code, non_zero })
        };
        match (op, symbol(self, left), symbol(self, right), left, right) {
            (BinaryOp::Add, Some(symbol), None, _, Known(by)) => moved(self, symbol, by),
            (BinaryOp::Add, None, Some(symbol), Known(by), _) => moved(self, symbol, by),
            (BinaryOp::Subtract, Some(symbol), None, _, Known(by)) => moved(self, symbol, by.wrapping_neg()),
            (BinaryOp::Subtract, Some(a), Some(b), ..) if a.input == b.input => {
                Some(Known(shape.canonical((a.offset as u64).wrapping_sub(b.offset as u64))))
            }
            _ => None,
        }
    }

    /// Two values that are the same input plus constants are equal exactly if the constants are.
    fn compare_symbols(&self, op: BinaryOp, left: Value, right: Value) -> Option<Value> {
        use BinaryOp::*;
        let (Value::Symbol { code: left, .. }, Value::Symbol { code: right, .. }) = (left, right) else {
            return None;
        };
        let (left, right) = (self.chunks.symbol(left)?, self.chunks.symbol(right)?);
        if left.input != right.input || left.width != right.width {
            return None;
        }
        match (op, left.offset == right.offset) {
            (Equal | LessEqual | GreaterEqual, true) | (NotEqual, false) => Some(Known(1)),
            (NotEqual | Less | Greater, true) | (Equal, false) => Some(Known(0)),
            _ => None,
        }
    }

    /// Where one operand decides, whatever the other one is.
    fn partial(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        use BinaryOp::*;
        let (both, left, right) = ((left, right), left.alone(), right.alone());
        match (op, left, right) {
            (Multiply | BitAnd, Known(0), _) | (Multiply | BitAnd, _, Known(0)) => Known(0),
            (BitOr, NonZero, _) | (BitOr, _, NonZero) => NonZero,
            (BitOr, Known(bits), _) | (BitOr, _, Known(bits)) if bits != 0 => NonZero,
            (Add | Subtract | BitXor | ShiftLeft | ShiftRight, _, Known(0)) => both.0,
            (Add | BitXor, Known(0), _) => both.1,
            (Divide | Remainder, _, Known(0)) => {
                self.trapped = true;
                Unknown
            }
            _ => Unknown,
        }
    }
}

fn compare(op: BinaryOp, signed: bool, left: Value, right: Value) -> Value {
    use BinaryOp::*;
    let (Known(left), Known(right)) = (left, right) else {
        return match (op, left, right) {
            (Equal, NonZero, Known(0)) | (Equal, Known(0), NonZero) => Known(0),
            (NotEqual, NonZero, Known(0)) | (NotEqual, Known(0), NonZero) => Known(1),
            // Nothing is below zero, and everything else above it.
            (Less, _, Known(0)) | (Greater, Known(0), _) if !signed => Known(0),
            (GreaterEqual, _, Known(0)) | (LessEqual, Known(0), _) if !signed => Known(1),
            (Greater, NonZero, Known(0)) | (Less, Known(0), NonZero) if !signed => Known(1),
            (LessEqual, NonZero, Known(0)) | (GreaterEqual, Known(0), NonZero) if !signed => Known(0),
            _ => Unknown,
        };
    };
    let order = if signed { (left as i64).cmp(&(right as i64)) } else { left.cmp(&right) };
    Known(u64::from(match op {
        Less => order == Ordering::Less,
        LessEqual => order != Ordering::Greater,
        Greater => order == Ordering::Greater,
        GreaterEqual => order != Ordering::Less,
        Equal => order == Ordering::Equal,
        _ => order != Ordering::Equal,
    }))
}

/// As a double, exactly.
fn double(format: FloatFormat, bits: u64) -> f64 {
    match format {
        FloatFormat::Single => f64::from(f32::from_bits(bits as u32)),
        FloatFormat::Double => f64::from_bits(bits),
    }
}

/// Rounded to a format; which of its NaNs a result is, is not tracked.
fn float_bits(format: FloatFormat, value: f64) -> Value {
    match format {
        _ if value.is_nan() => Unknown,
        FloatFormat::Single => Known(u64::from((value as f32).to_bits())),
        FloatFormat::Double => Known(value.to_bits()),
    }
}

fn float_operation(op: BinaryOp, format: FloatFormat, left: u64, right: u64) -> Value {
    // For single precision the double result, rounded again, is the same for these four operations.
    let (left, right) = (double(format, left), double(format, right));
    float_bits(
        format,
        match op {
            BinaryOp::Add => left + right,
            BinaryOp::Subtract => left - right,
            BinaryOp::Multiply => left * right,
            BinaryOp::Divide => left / right,
            _ => return Unknown,
        },
    )
}

fn float_test(test: FloatTest, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match test {
        FloatTest::Operator(BinaryOp::Less) | FloatTest::Builtin(FloatCompare::Less) => order == Some(Less),
        FloatTest::Operator(BinaryOp::LessEqual) | FloatTest::Builtin(FloatCompare::LessEqual) => {
            matches!(order, Some(Less | Equal))
        }
        FloatTest::Operator(BinaryOp::Greater) | FloatTest::Builtin(FloatCompare::Greater) => {
            order == Some(Greater)
        }
        FloatTest::Operator(BinaryOp::GreaterEqual) | FloatTest::Builtin(FloatCompare::GreaterEqual) => {
            matches!(order, Some(Greater | Equal))
        }
        FloatTest::Operator(BinaryOp::Equal) => order == Some(Equal),
        FloatTest::Operator(_) => order != Some(Equal),
        FloatTest::Builtin(FloatCompare::LessGreater) => matches!(order, Some(Less | Greater)),
        FloatTest::Builtin(FloatCompare::Unordered) => order.is_none(),
    }
}

/// Towards zero; unknown where the type cannot hold it.
fn float_to_integer(value: f64, shape: Shape) -> Value {
    let truncated = value.trunc();
    // Powers of two are exact.
    let limit = 2f64.powi(shape.width as i32 - i32::from(shape.signed));
    let lowest = if shape.signed { -limit } else { 0.0 };
    if !(truncated >= lowest && truncated < limit) {
        return Unknown;
    }
    Known(shape.canonical(if shape.signed { truncated as i64 as u64 } else { truncated as u64 }))
}
