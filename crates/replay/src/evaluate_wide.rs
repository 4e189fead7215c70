//! Values of wide expressions: `__int128`, `long double` and `__float128`.

use crate::code::{Node, NodeId};
use crate::ending::ViolationKind;
use crate::evaluate::integer_intrinsic;
use crate::floats;
use crate::machine::{Machine, Result};
use cfa::BinaryOp;

impl Machine<'_> {
    /// Bits of a scalar of any class; narrow ones as their canonical form.
    pub fn evaluate_wide(&mut self, id: NodeId) -> Result<u128> {
        match self.code.nodes[id.0 as usize] {
            Node::WideBinary(op, signed, left, right) => {
                let (left, right) = (self.evaluate_wide(left)?, self.evaluate_wide(right)?);
                self.wide_binary(id, op, signed, left, right)
            }
            node if is_wide(node) => self.evaluate_wide_node(node),
            Node::Conditional(condition, then, otherwise) => {
                let chosen = if self.evaluate(condition)? != 0 { then } else { otherwise };
                self.evaluate_wide(chosen)
            }
            _ => Ok(u128::from(self.evaluate(id)?)),
        }
    }

    pub fn evaluate_wide_node(&mut self, node: Node) -> Result<u128> {
        Ok(match node {
            Node::WideConstant(index) => self.code.wide_constants[index as usize],
            Node::WideSlot(slot) => self.wide_slot(slot),
            Node::WideGlobal(slot) => self.wide_global(slot),
            Node::LoadWide(place) => self.load_wide(place)?,
            Node::FloatBinary(op, format, left, right) => {
                let left = self.float_bits(format, left)?;
                let right = self.float_bits(format, right)?;
                floats::binary(op, format, left, right, self.rounding)
            }
            Node::FloatNegate(format, operand) => floats::negate(format, self.float_bits(format, operand)?),
            Node::FloatToFloat { from, to, operand } => {
                floats::convert(from, to, self.float_bits(from, operand)?, self.rounding)
            }
            Node::FloatToWide(format, signed, operand) => {
                floats::to_integer(format, self.float_bits(format, operand)?, 128, signed)
            }
            Node::IntToFloat(format, signed, operand) => {
                let value = self.evaluate(operand)?;
                let value = if signed { i128::from(value as i64) as u128 } else { value.into() };
                floats::from_integer(format, value, signed, self.rounding)
            }
            Node::WideToFloat(format, signed, operand) => {
                floats::from_integer(format, self.evaluate_wide(operand)?, signed, self.rounding)
            }
            Node::WideNegate(operand) => self.evaluate_wide(operand)?.wrapping_neg(),
            Node::WideNot(operand) => !self.evaluate_wide(operand)?,
            Node::WideIntrinsic(intrinsic, operand) => {
                integer_intrinsic(intrinsic, 128, self.evaluate_wide(operand)?)
            }
            Node::Widen(signed, operand) => {
                let value = self.evaluate(operand)?;
                if signed { i128::from(value as i64) as u128 } else { value.into() }
            }
            _ => return Err(self.unsupported("a number where something else is due")),
        })
    }

    fn wide_binary(&self, id: NodeId, op: BinaryOp, signed: bool, left: u128, right: u128) -> Result<u128> {
        let (a, b) = (left as i128, right as i128);
        let watch = signed && self.options.checks.signed_overflow;
        let overflowed = match op {
            BinaryOp::Add => watch && a.checked_add(b).is_none(),
            BinaryOp::Subtract => watch && a.checked_sub(b).is_none(),
            BinaryOp::Multiply => watch && a.checked_mul(b).is_none(),
            BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
                let detail = "a 128-bit number divided by 0";
                return Err(self.violation_at(ViolationKind::DivisionByZero, detail, self.node_span(id)));
            }
            BinaryOp::Divide | BinaryOp::Remainder => watch && a.checked_div(b).is_none(),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight if right >= 128 && self.options.checks.shift_range => {
                let detail = format!("count {b} in a shift of 128 bits");
                return Err(self.violation_at(ViolationKind::ShiftOutOfRange, detail, self.node_span(id)));
            }
            BinaryOp::ShiftLeft if right < 128 => watch && (a << b) >> b != a,
            BinaryOp::ShiftLeft => watch && a != 0,
            _ => false,
        };
        if overflowed {
            let detail = format!("{a} {} {b} does not fit 128 bits", op.symbol());
            return Err(self.violation_at(ViolationKind::SignedOverflow, detail, self.node_span(id)));
        }
        Ok(wrapping(op, signed, left, right))
    }
}

/// Nodes whose value is a `u128`, or, for floats, may be.
fn is_wide(node: Node) -> bool {
    matches!(
        node,
        Node::WideConstant(_)
            | Node::WideSlot(_)
            | Node::WideGlobal(_)
            | Node::LoadWide(_)
            | Node::FloatBinary(..)
            | Node::FloatNegate(..)
            | Node::FloatToFloat { .. }
            | Node::FloatToWide(..)
            | Node::IntToFloat(..)
            | Node::WideToFloat(..)
            | Node::WideNegate(_)
            | Node::WideNot(_)
            | Node::WideIntrinsic(..)
            | Node::Widen(..)
    )
}

/// The divisor is not zero.
fn wrapping(op: BinaryOp, signed: bool, left: u128, right: u128) -> u128 {
    let (a, b) = (left as i128, right as i128);
    let count = (right & 127) as u32;
    match op {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide if signed => a.wrapping_div(b) as u128,
        BinaryOp::Divide => left / right,
        BinaryOp::Remainder if signed => a.wrapping_rem(b) as u128,
        BinaryOp::Remainder => left % right,
        BinaryOp::ShiftLeft => left << count,
        BinaryOp::ShiftRight if signed => (a >> count) as u128,
        BinaryOp::ShiftRight => left >> count,
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitOr => left | right,
        _ => u128::from(crate::evaluate::wide_compare(op, signed, left, right)),
    }
}
