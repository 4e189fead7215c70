//! Values of narrow expressions.

use crate::code::{FloatTest, Node, NodeId, Scalar};
use crate::ending::ViolationKind;
use crate::floats::{self, Class, Rounding};
use crate::integers::{self, Magnitude, Shape};
use crate::machine::{Machine, Result, Stop};
use cfa::{BinaryOp, Intrinsic};
use sema::types::FloatKind;
use std::cmp::Ordering;

impl Machine<'_> {
    pub fn evaluate(&mut self, id: NodeId) -> Result<u64> {
        Ok(match self.code.nodes[id.0 as usize] {
            Node::Constant(value) => value,
            Node::Slot(slot) => self.slots[self.base + slot as usize],
            Node::Global(slot) => self.globals[slot as usize],
            Node::Load(place) => self.load(place)?,
            Node::Address(place) => self.address(place)?,
            Node::Add(shape, left, right) => {
                shape.canonical(self.evaluate(left)?.wrapping_add(self.evaluate(right)?))
            }
            Node::Subtract(shape, left, right) => {
                shape.canonical(self.evaluate(left)?.wrapping_sub(self.evaluate(right)?))
            }
            Node::Multiply(shape, left, right) => {
                shape.canonical(self.evaluate(left)?.wrapping_mul(self.evaluate(right)?))
            }
            Node::And(left, right) => self.evaluate(left)? & self.evaluate(right)?,
            Node::Or(left, right) => self.evaluate(left)? | self.evaluate(right)?,
            Node::Xor(left, right) => self.evaluate(left)? ^ self.evaluate(right)?,
            Node::Not(shape, operand) => shape.canonical(!self.evaluate(operand)?),
            Node::Equal(left, right) => u64::from(self.evaluate(left)? == self.evaluate(right)?),
            Node::NotEqual(left, right) => u64::from(self.evaluate(left)? != self.evaluate(right)?),
            Node::LessSigned(left, right) => {
                u64::from((self.evaluate(left)? as i64) < self.evaluate(right)? as i64)
            }
            Node::LessUnsigned(left, right) => u64::from(self.evaluate(left)? < self.evaluate(right)?),
            Node::LessEqualSigned(left, right) => {
                u64::from(self.evaluate(left)? as i64 <= self.evaluate(right)? as i64)
            }
            Node::LessEqualUnsigned(left, right) => u64::from(self.evaluate(left)? <= self.evaluate(right)?),
            Node::IsZero(operand) => u64::from(self.evaluate(operand)? == 0),
            Node::IsNonZero(operand) => u64::from(self.evaluate(operand)? != 0),
            Node::Canonical(shape, operand) => shape.canonical(self.evaluate(operand)?),
            Node::PointerAdd { pointer, index, scale } => {
                let offset = self.evaluate(index)?.wrapping_mul(i64::from(scale) as u64);
                self.evaluate(pointer)?.wrapping_add(offset) & self.address_mask
            }
            Node::ShiftLeft(shape, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                shape.canonical(left << (right & shift_mask(shape)))
            }
            Node::ShiftRight(shape, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                shift_right(shape, left, right & shift_mask(shape))
            }
            Node::Conditional(condition, then, otherwise) => {
                let chosen = if self.evaluate(condition)? != 0 { then } else { otherwise };
                self.evaluate(chosen)?
            }
            node => self.evaluate_rare(id, node)?,
        })
    }

    fn evaluate_rare(&mut self, id: NodeId, node: Node) -> Result<u64> {
        Ok(match node {
            Node::Divide(shape, left, right) | Node::Remainder(shape, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.divide(id, matches!(node, Node::Divide(..)), shape, left, right)?
            }
            Node::Checked(op, shape, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.checked(id, op, shape, left, right)?
            }
            Node::CheckedShift(op, shape, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.checked_shift(id, op, shape, left, right)?
            }
            Node::IntIntrinsic(intrinsic, width, operand) => {
                let bits = Shape { width, signed: false }.canonical(self.evaluate(operand)?);
                integer_intrinsic(intrinsic, width.into(), bits.into()) as u64
            }
            Node::Overflows(index) => self.overflows(index)?,
            Node::WideCompare(op, signed, left, right) => {
                let (left, right) = (self.evaluate_wide(left)?, self.evaluate_wide(right)?);
                u64::from(wide_compare(op, signed, left, right))
            }
            Node::WideTruth(operand) => u64::from(self.evaluate_wide(operand)? != 0),
            Node::WideIntrinsic(intrinsic, operand) => {
                integer_intrinsic(intrinsic, 128, self.evaluate_wide(operand)?) as u64
            }
            Node::Truncate(shape, operand) => shape.canonical(self.evaluate_wide(operand)? as u64),
            Node::Void(operand) => {
                self.evaluate_for_effect(operand)?;
                0
            }
            Node::Unsupported(message) => {
                let message = self.code.messages[message as usize];
                return Err(self.unsupported(message));
            }
            Node::Aggregate(_) => return Err(self.unsupported("a record where a number is due")),
            _ => self.evaluate_float(node)?,
        })
    }

    fn evaluate_float(&mut self, node: Node) -> Result<u64> {
        Ok(match node {
            Node::Float64(op, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.float_binary(op, FloatKind::Double, left, right)
            }
            Node::Float32(op, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                self.float_binary(op, FloatKind::Float, left, right)
            }
            Node::FloatCompare(test, format, left, right) => {
                let left = self.float_bits(format, left)?;
                let right = self.float_bits(format, right)?;
                u64::from(float_test(test, floats::compare(format, left, right)))
            }
            Node::FloatTruth(format, operand) => {
                u64::from(floats::is_true(format, self.float_bits(format, operand)?))
            }
            Node::FloatIntrinsic(intrinsic, format, operand) => {
                let bits = self.float_bits(format, operand)?;
                u64::from(float_intrinsic(intrinsic, format, bits))
            }
            Node::FloatToInt(format, shape, operand) => {
                let bits = self.float_bits(format, operand)?;
                shape.canonical(float_to_int(format, bits, shape))
            }
            // What is left gives wide values too; here it is of a narrow format.
            node => self.evaluate_wide_node(node)? as u64,
        })
    }

    #[inline]
    fn float_binary(&self, op: BinaryOp, format: FloatKind, left: u64, right: u64) -> u64 {
        match format {
            FloatKind::Double if self.rounding == Rounding::Even => floats::binary_f64(op, left, right),
            FloatKind::Float if self.rounding == Rounding::Even => floats::binary_f32(op, left, right),
            _ => floats::binary(op, format, left.into(), right.into(), self.rounding) as u64,
        }
    }

    pub fn float_bits(&mut self, format: FloatKind, node: NodeId) -> Result<u128> {
        self.evaluate_any(Scalar::Float(format), node)
    }

    /// For operands of a cast to `void`, of any class.
    fn evaluate_for_effect(&mut self, node: NodeId) -> Result<()> {
        match self.code.nodes[node.0 as usize] {
            Node::Aggregate(_) => self.aggregate(node).map(|_| ()),
            _ => self.evaluate_wide(node).map(|_| ()),
        }
    }

    fn divide(&self, id: NodeId, quotient: bool, shape: Shape, left: u64, right: u64) -> Result<u64> {
        if right == 0 {
            let detail = format!("{} divided by 0", shape.number(left));
            return Err(self.violation_at(ViolationKind::DivisionByZero, detail, self.node_span(id)));
        }
        if !shape.signed {
            return Ok(if quotient { left / right } else { left % right });
        }
        let (dividend, divisor) = (left as i64, right as i64);
        // The smallest number divided by -1 traps on x86, like a division by zero.
        if divisor == -1 && dividend == i64::MIN >> (64 - shape.width) && shape.width >= 32 {
            let op = if quotient { BinaryOp::Divide } else { BinaryOp::Remainder };
            return Err(self.overflow(id, op, shape, left, right));
        }
        let value = if quotient { dividend.wrapping_div(divisor) } else { dividend.wrapping_rem(divisor) };
        Ok(shape.canonical(value as u64))
    }

    #[cold]
    fn overflow(&self, id: NodeId, op: BinaryOp, shape: Shape, left: u64, right: u64) -> Stop {
        let (left, right) = (shape.number(left), shape.number(right));
        let detail = format!("{left} {} {right} does not fit {} bits", op.symbol(), shape.width);
        self.violation_at(ViolationKind::SignedOverflow, detail, self.node_span(id))
    }

    fn checked(&self, id: NodeId, op: BinaryOp, shape: Shape, left: u64, right: u64) -> Result<u64> {
        match integers::exact(op, shape.number(left), shape.number(right)) {
            Some(exact) if integers::fits(exact, shape.width.into(), shape.signed) => Ok(exact as u64),
            _ => Err(self.overflow(id, op, shape, left, right)),
        }
    }

    fn checked_shift(&self, id: NodeId, op: BinaryOp, shape: Shape, left: u64, count: u64) -> Result<u64> {
        let checks = self.options.checks;
        let inside = count < shape.width.into();
        if !inside && checks.shift_range {
            let detail = format!("count {} in a shift of {} bits", count as i64, shape.width);
            return Err(self.violation_at(ViolationKind::ShiftOutOfRange, detail, self.node_span(id)));
        }
        if op == BinaryOp::ShiftRight {
            return Ok(shift_right(shape, left, count));
        }
        let masked = count & shift_mask(shape);
        let shifted = shape.canonical(left << masked);
        let keeps = if inside { shift_right(shape, shifted, masked) == left } else { left == 0 };
        if shape.signed && checks.signed_overflow && !keeps {
            return Err(self.overflow(id, op, shape, left, count));
        }
        Ok(shifted)
    }

    fn overflows(&mut self, index: u32) -> Result<u64> {
        let code = self.code.overflows[index as usize];
        let left = self.magnitude(code.left)?;
        let right = self.magnitude(code.right)?;
        Ok(u64::from(integers::overflows(code.op, left, right, code.width, code.signed).0))
    }

    fn magnitude(&mut self, (scalar, node): (Scalar, NodeId)) -> Result<Magnitude> {
        Ok(match scalar {
            Scalar::Int(shape) => Magnitude::of(shape.number(self.evaluate(node)?) as u128, true),
            Scalar::Wide { signed } => Magnitude::of(self.evaluate_wide(node)?, signed),
            Scalar::Float(_) => return Err(self.unsupported("overflow of a float")),
        })
    }
}

/// x86 takes five bits of the count, or six for 64-bit operands.
#[inline(always)]
fn shift_mask(shape: Shape) -> u64 {
    if shape.width == 64 { 63 } else { 31 }
}

#[inline(always)]
fn shift_right(shape: Shape, value: u64, count: u64) -> u64 {
    if shape.signed { ((value as i64) >> count) as u64 } else { value >> count }
}

fn float_to_int(format: FloatKind, bits: u128, shape: Shape) -> u64 {
    // The common case: a double that fits.
    if format == FloatKind::Double {
        let value = floats::f64_of(bits as u64);
        if value.abs() < 2_147_483_648.0 && shape.width >= 32 {
            return value as i64 as u64;
        }
    }
    floats::to_integer(format, bits, shape.width.into(), shape.signed) as u64
}

fn float_test(test: FloatTest, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match test {
        FloatTest::Less => order == Some(Less),
        FloatTest::LessEqual => matches!(order, Some(Less | Equal)),
        FloatTest::Greater => order == Some(Greater),
        FloatTest::GreaterEqual => matches!(order, Some(Greater | Equal)),
        FloatTest::Equal => order == Some(Equal),
        FloatTest::NotEqual => order != Some(Equal),
        FloatTest::LessGreater => matches!(order, Some(Less | Greater)),
        FloatTest::Unordered => order.is_none(),
    }
}

fn float_intrinsic(intrinsic: Intrinsic, format: FloatKind, bits: u128) -> bool {
    let class = floats::class(format, bits);
    match intrinsic {
        Intrinsic::IsNan => class == Class::Nan,
        Intrinsic::IsInfinite => class == Class::Infinite,
        Intrinsic::IsFinite => !matches!(class, Class::Nan | Class::Infinite),
        Intrinsic::IsNormal => class == Class::Normal,
        Intrinsic::IsSubnormal => class == Class::Subnormal,
        Intrinsic::IsZero => class == Class::Zero,
        Intrinsic::SignBit => floats::is_negative(format, bits),
        _ => false,
    }
}

/// On the low `width` bits of a value; the others are zero.
pub fn integer_intrinsic(intrinsic: Intrinsic, width: u32, bits: u128) -> u128 {
    let unused = 128 - width;
    let count = match intrinsic {
        Intrinsic::CountLeadingZeros => bits.leading_zeros() - unused,
        Intrinsic::CountTrailingZeros => bits.trailing_zeros().min(width),
        Intrinsic::CountLeadingSignBits => {
            let top = bits << unused;
            let flipped = if (top as i128) < 0 { !top } else { top };
            flipped.leading_zeros().min(width) - 1
        }
        Intrinsic::PopulationCount => bits.count_ones(),
        Intrinsic::Parity => bits.count_ones() % 2,
        Intrinsic::FindFirstSet if bits == 0 => 0,
        Intrinsic::FindFirstSet => bits.trailing_zeros() + 1,
        Intrinsic::ByteSwap => return (bits << unused).swap_bytes(),
        Intrinsic::IsZero => u32::from(bits == 0),
        Intrinsic::SignBit => (bits >> (width - 1)) as u32 & 1,
        Intrinsic::IsFinite => 1,
        Intrinsic::IsNormal => u32::from(bits != 0),
        Intrinsic::IsNan | Intrinsic::IsInfinite | Intrinsic::IsSubnormal => 0,
    };
    u128::from(count)
}

pub fn wide_compare(op: BinaryOp, signed: bool, left: u128, right: u128) -> bool {
    let order = if signed { (left as i128).cmp(&(right as i128)) } else { left.cmp(&right) };
    match op {
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        BinaryOp::GreaterEqual => order.is_ge(),
        BinaryOp::Equal => order.is_eq(),
        _ => order.is_ne(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intrinsics_see_the_width() {
        let of = |intrinsic, bits: u32| integer_intrinsic(intrinsic, 32, bits.into()) as u32;
        assert_eq!(of(Intrinsic::CountLeadingZeros, 1), 31);
        assert_eq!(of(Intrinsic::CountTrailingZeros, 8), 3);
        assert_eq!(of(Intrinsic::CountLeadingSignBits, u32::MAX), 31);
        assert_eq!(of(Intrinsic::CountLeadingSignBits, 0), 31);
        assert_eq!(of(Intrinsic::CountLeadingSignBits, 1), 30);
        assert_eq!(of(Intrinsic::ByteSwap, 0x0102_0304), 0x0403_0201);
        assert_eq!(of(Intrinsic::FindFirstSet, 8), 4);
        assert_eq!(of(Intrinsic::Parity, 7), 1);
    }
}
