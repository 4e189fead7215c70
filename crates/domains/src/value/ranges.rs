//! What integer expressions can be: known values are points, casts and masks bound what is unknown, so do
//! comparisons where [intervals](super::intervals) are kept, and the rest may be anything that its type can
//! hold.

use super::code::{Code, Node, NodeId, Shape};
use super::execute::Machine;
use crate::composite::Ranges;
use crate::interval::Interval;

impl Code<'_> {
    pub(super) fn shape_of(&self, node: NodeId) -> Option<Shape> {
        self.shapes.get(node.0 as usize).copied().flatten()
    }
}

impl Ranges for Machine<'_> {
    type Operand = NodeId;

    fn range(&mut self, operand: NodeId) -> Option<Interval> {
        let trapped = self.trapped;
        let range = self.range_of(operand);
        // What comes of evaluating it is not decided here.
        self.trapped = trapped;
        range
    }
}

impl Machine<'_> {
    /// What an integer expression can be in this state; `None` if its type is not tracked.
    fn range_of(&mut self, node: NodeId) -> Option<Interval> {
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
            Node::Integer(op, _, left, right) => match (self.range_of(left), self.range_of(right)) {
                (Some(left), Some(right)) => left.apply(op, right),
                _ => None,
            },
            Node::Convert { operand, .. } => self.range_of(operand),
            Node::Conditional(_, then, otherwise) => match (self.range_of(then), self.range_of(otherwise)) {
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
