//! Overflow monitor: which edges may compute something that does not fit its type.
//!
//! (The CPA for overflow monitoring of "Conditional Model Checking".) For each edge the operations on signed
//! integers that it evaluates are listed beforehand. The paper's monitor assumes after every assignment that
//! the result is in the range of its type; this one asks what is known of the operands first, so that the
//! assumption is made only where it may be wrong. Where the property is that nothing overflows, such an edge
//! is an alarm; what becomes of it is the business of whoever asked.

use crate::composite::Ranges;
use crate::interval::Interval;
use cfa::{BinaryOp, EdgeId};

/// An operation whose result may not fit its type.
#[derive(Clone, Copy, Debug)]
pub struct Operator<O> {
    pub kind: OperatorKind,
    /// What the type can hold; `None` for types that are not tracked.
    pub bounds: Option<Interval>,
    pub left: O,
    /// The same as `left` if there is just one operand.
    pub right: O,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperatorKind {
    Binary(BinaryOp),
    Negate,
    /// Nothing is known of it.
    Any,
}

/// What may overflow, by edge.
pub struct OverflowMonitor<O> {
    operators: Vec<Box<[Operator<O>]>>,
}

impl<O: Copy> OverflowMonitor<O> {
    pub fn new(operators: Vec<Box<[Operator<O>]>>) -> Self {
        Self { operators }
    }

    /// Nobody is interested.
    pub fn is_off(&self) -> bool {
        self.operators.is_empty()
    }

    /// Whether an edge may overflow, given what is known before it.
    pub fn may_overflow(&self, edge: EdgeId, known: &mut impl Ranges<Operand = O>) -> bool {
        let operators = self.operators.get(edge.0 as usize);
        operators.is_some_and(|operators| operators.iter().any(|operator| operator.may_overflow(known)))
    }
}

impl<O: Copy> Operator<O> {
    fn may_overflow(&self, known: &mut impl Ranges<Operand = O>) -> bool {
        let Some(bounds) = self.bounds else { return true };
        let (Some(left), Some(right)) = (known.range(self.left), known.range(self.right)) else {
            return true;
        };
        match self.kind {
            OperatorKind::Negate => left.contains(bounds.low),
            OperatorKind::Binary(BinaryOp::Divide | BinaryOp::Remainder) => {
                left.contains(bounds.low) && right.contains(-1)
            }
            OperatorKind::Binary(op) => left.apply(op, right).is_none_or(|exact| !exact.is_within(bounds)),
            OperatorKind::Any => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operands are intervals themselves.
    struct Plain;

    impl Ranges for Plain {
        type Operand = Option<(i128, i128)>;

        fn range(&mut self, operand: Self::Operand) -> Option<Interval> {
            operand.map(|(low, high)| Interval { low, high })
        }
    }

    const ANY: Option<(i128, i128)> = Some((i32::MIN as i128, i32::MAX as i128));

    fn may_overflow(kind: OperatorKind, left: Option<(i128, i128)>, right: Option<(i128, i128)>) -> bool {
        let operator = Operator { kind, bounds: Some(Interval::of(32, true)), left, right };
        let monitor = OverflowMonitor::new(vec![Box::from([]), Box::from([operator])]);
        assert!(!monitor.may_overflow(EdgeId(0), &mut Plain), "the first edge computes nothing");
        monitor.may_overflow(EdgeId(1), &mut Plain)
    }

    #[test]
    fn sums_and_products_that_fit_do_not_overflow() {
        let (add, multiply) = (OperatorKind::Binary(BinaryOp::Add), OperatorKind::Binary(BinaryOp::Multiply));
        assert!(!may_overflow(add, Some((0, 10)), Some((-5, 5))));
        assert!(!may_overflow(add, Some((0, i128::from(i32::MAX) - 1)), Some((1, 1))));
        assert!(may_overflow(add, Some((0, i32::MAX.into())), Some((1, 1))));
        assert!(!may_overflow(multiply, Some((-46_340, 46_340)), Some((-46_340, 46_340))));
        assert!(may_overflow(multiply, Some((0, 46_341)), Some((0, 46_341))));
        assert!(may_overflow(add, ANY, Some((-1, -1))));
    }

    #[test]
    fn only_the_least_number_has_no_opposite() {
        let divide = OperatorKind::Binary(BinaryOp::Divide);
        assert!(may_overflow(OperatorKind::Negate, ANY, ANY));
        assert!(!may_overflow(OperatorKind::Negate, Some((-7, i32::MAX.into())), ANY));
        assert!(may_overflow(divide, ANY, Some((-1, 1))));
        assert!(!may_overflow(divide, ANY, Some((1, 9))));
        assert!(!may_overflow(divide, Some((0, 9)), Some((-1, -1))));
    }

    #[test]
    fn what_is_not_known_may_overflow() {
        let add = OperatorKind::Binary(BinaryOp::Add);
        assert!(may_overflow(add, None, Some((0, 0))));
        assert!(may_overflow(OperatorKind::Any, Some((0, 0)), Some((0, 0))));
        let untracked = Operator { kind: add, bounds: None, left: Some((0, 0)), right: Some((0, 0)) };
        let monitor = OverflowMonitor::new(vec![Box::from([untracked])]);
        assert!(monitor.may_overflow(EdgeId(0), &mut Plain));
    }
}
