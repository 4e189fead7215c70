//! Where signed arithmetic may overflow.
//!
//! For each edge the operations on signed integers that it evaluates are listed beforehand. In a state, an
//! operation is safe if the ranges of its operands say so: known values are points, casts and masks bound
//! what is unknown, and the rest may be anything that its type can hold.

use super::code::{Code, Node, NodeId, Shape};
use super::execute::Machine;
use cfa::BinaryOp;

/// An operation whose result may not fit its type.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    pub kind: OperatorKind,
    /// `None` for types that are not tracked.
    pub shape: Option<Shape>,
    pub left: NodeId,
    /// The same as `left` if there is just one operand.
    pub right: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorKind {
    Binary(BinaryOp),
    Negate,
    /// Nothing is known of it.
    Any,
}

/// From the lowest to the highest value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    low: i128,
    high: i128,
}

impl Range {
    const TRUTH: Range = Range { low: 0, high: 1 };

    fn of(shape: Shape) -> Range {
        match shape.signed {
            true => Range { low: -1 << (shape.width - 1), high: (1 << (shape.width - 1)) - 1 },
            false => Range { low: 0, high: (1 << shape.width) - 1 },
        }
    }

    fn point(bits: u64, shape: Shape) -> Range {
        let value = if shape.signed { i128::from(bits as i64) } else { i128::from(bits) };
        Range { low: value, high: value }
    }

    fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    fn is_within(self, other: Range) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Of what is monotone in each operand, from the values at the corners.
    fn corners(self, other: Range, operation: fn(i128, i128) -> i128) -> Range {
        let values = [
            operation(self.low, other.low),
            operation(self.low, other.high),
            operation(self.high, other.low),
            operation(self.high, other.high),
        ];
        values[1..].iter().fold(Range { low: values[0], high: values[0] }, |range, &value| Range {
            low: range.low.min(value),
            high: range.high.max(value),
        })
    }

    fn union(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The exact result, if its range is easily told.
    fn apply(self, op: BinaryOp, other: Range) -> Option<Range> {
        use BinaryOp::*;
        Some(match op {
            Add => self.corners(other, i128::saturating_add),
            Subtract => self.corners(other, i128::saturating_sub),
            Multiply => self.corners(other, i128::saturating_mul),
            Divide if other.low > 0 => self.corners(other, |left, right| left / right),
            Remainder if other.low > 0 => self.remainder(other.high - 1),
            BitAnd if self.low >= 0 && other.low >= 0 => Range { low: 0, high: self.high.min(other.high) },
            BitAnd if self.low >= 0 => Range { low: 0, high: self.high },
            BitAnd if other.low >= 0 => Range { low: 0, high: other.high },
            ShiftRight if self.low >= 0 => Range { low: 0, high: self.high },
            _ => return None,
        })
    }

    /// By something positive; the result is at most `largest` away from zero, and no further than before.
    fn remainder(self, largest: i128) -> Range {
        Range { low: self.low.max(-largest).min(0), high: self.high.min(largest).max(0) }
    }
}

impl Code<'_> {
    fn shape_of(&self, node: NodeId) -> Option<Shape> {
        self.shapes.get(node.0 as usize).copied().flatten()
    }
}

impl Machine<'_> {
    /// Whether something that the edge computes may overflow.
    pub fn may_overflow(&mut self, edge: cfa::EdgeId) -> bool {
        let code = self.code;
        let Some(operators) = code.operators.get(edge.0 as usize) else { return false };
        let trapped = self.trapped;
        let found = operators.iter().any(|operator| self.operator_may_overflow(operator));
        // What comes of the edge itself is not decided here.
        self.trapped = trapped;
        found
    }

    fn operator_may_overflow(&mut self, operator: &Operator) -> bool {
        let Some(shape) = operator.shape else { return true };
        let (Some(left), Some(right)) = (self.range(operator.left), self.range(operator.right)) else {
            return true;
        };
        let bounds = Range::of(shape);
        match operator.kind {
            OperatorKind::Negate => left.contains(bounds.low),
            OperatorKind::Binary(BinaryOp::Divide | BinaryOp::Remainder) => {
                left.contains(bounds.low) && right.contains(-1)
            }
            OperatorKind::Binary(op) => left.apply(op, right).is_none_or(|exact| !exact.is_within(bounds)),
            OperatorKind::Any => true,
        }
    }

    /// What an integer expression can be in this state; `None` if its type is not tracked.
    pub(super) fn range(&mut self, node: NodeId) -> Option<Range> {
        let shape = self.code.shape_of(node)?;
        if let Some(bits) = self.evaluate(node).known() {
            return Some(Range::point(bits, shape));
        }
        let bounds = Range::of(shape);
        let inner = match self.code.nodes[node.0 as usize] {
            Node::Integer(op, _, left, right) => match (self.range(left), self.range(right)) {
                (Some(left), Some(right)) => left.apply(op, right),
                _ => None,
            },
            Node::Convert { operand, .. } => self.range(operand),
            Node::Conditional(_, then, otherwise) => match (self.range(then), self.range(otherwise)) {
                (Some(then), Some(otherwise)) => Some(then.union(otherwise)),
                _ => None,
            },
            Node::Compare { .. }
            | Node::IsZero(_)
            | Node::IsNonZero(_)
            | Node::FloatTest(..)
            | Node::Overflows { .. } => Some(Range::TRUTH),
            _ => None,
        };
        // A result that does not fit has wrapped.
        Some(inner.filter(|inner| inner.is_within(bounds)).unwrap_or(bounds))
    }
}
