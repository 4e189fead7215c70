//! Where signed arithmetic may overflow.
//!
//! For each edge the operations on signed integers that it evaluates are listed beforehand. In a state, an
//! operation is safe if the ranges of its operands say so: known values are points, casts and masks bound
//! what is unknown, so do comparisons where [intervals](super::intervals) are kept, and the rest may be anything that its type can hold.

use super::code::{Code, Node, NodeId, Shape};
use super::execute::Machine;
use crate::interval::Interval;
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

impl Code<'_> {
    pub(super) fn shape_of(&self, node: NodeId) -> Option<Shape> {
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
        let bounds = shape.interval();
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
    pub(super) fn range(&mut self, node: NodeId) -> Option<Interval> {
        let shape = self.code.shape_of(node)?;
        let value = self.evaluate(node);
        if let Some(bits) = value.known() {
            return Some(Interval::point(shape.number(bits)));
        }
        let bounds = self.interval_of(value, shape);
        if bounds != shape.interval() {
            return Some(bounds);
        }
        let inner = match self.code.nodes[node.0 as usize] {
            Node::Integer(op, _, left, right) => match (self.range(left), self.range(right)) {
                (Some(left), Some(right)) => left.apply(op, right),
                _ => None,
            },
            Node::Convert { operand, .. } => self.range(operand),
            Node::Conditional(_, then, otherwise) => match (self.range(then), self.range(otherwise)) {
                (Some(then), Some(otherwise)) => Some(then.hull(otherwise)),
                _ => None,
            },
            Node::Compare { .. }
            | Node::IsZero(_)
            | Node::IsNonZero(_)
            | Node::FloatTest(..)
            | Node::Overflows { .. } => Some(Interval::TRUTH),
            _ => None,
        };
        // A result that does not fit has wrapped.
        Some(inner.filter(|inner| inner.is_within(bounds)).unwrap_or(bounds))
    }
}
