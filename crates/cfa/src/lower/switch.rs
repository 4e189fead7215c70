//! `switch`: a chain of comparisons in front of the body, in the order of the labels.

use super::Lowering;
use crate::program::{BinaryOp, ExprId, LocationId};
use base::Span;
use sema::hir::{self, StmtId};

/// The labels met so far in the body of a switch.
#[derive(Default)]
pub(super) struct Switch {
    cases: Vec<Case>,
    default: Option<LocationId>,
}

#[derive(Clone, Copy)]
struct Case {
    /// Inclusive.
    first: i128,
    last: i128,
    location: LocationId,
    span: Span,
}

impl Lowering<'_> {
    pub(super) fn switch(&mut self, subject: hir::ExprId, body: StmtId, span: Span) {
        let mut subject = self.value(subject);
        if !self.is_trivial(subject) {
            subject = self.save(subject);
        }
        let dispatch = self.draft.current();
        let (inside, end) = (self.draft.location(), self.draft.location());
        self.frame.switches.push(Switch::default());
        self.frame.breaks.push(self.target(end));
        // Statements before the first label are reached by gotos only.
        self.draft.start(inside);
        self.statement(body);
        self.draft.jump(end, span);
        self.frame.breaks.pop();
        let labels = self.frame.switches.pop().unwrap_or_default();
        self.draft.start(dispatch);
        self.dispatch(subject, labels, end, span);
        self.draft.start(end);
    }

    fn dispatch(&mut self, subject: ExprId, labels: Switch, end: LocationId, span: Span) {
        let otherwise = labels.default.unwrap_or(end);
        if let Some(bits) = self.as_constant(subject) {
            let value = self.program.types.int_value(self.type_of(subject), bits);
            let chosen = labels.cases.iter().find(|case| (case.first..=case.last).contains(&value));
            return self.draft.jump(chosen.map_or(otherwise, |case| case.location), span);
        }
        for case in labels.cases {
            let next = self.draft.location();
            self.case_test(subject, case, next);
            self.draft.start(next);
        }
        self.draft.jump(otherwise, span);
    }

    fn case_test(&mut self, subject: ExprId, case: Case, next: LocationId) {
        let Case { first, last, location, span } = case;
        if first == last {
            return self.case_compare(BinaryOp::Equal, subject, first, (location, next), span);
        }
        let above = self.draft.location();
        self.case_compare(BinaryOp::GreaterEqual, subject, first, (above, next), span);
        self.draft.start(above);
        self.case_compare(BinaryOp::LessEqual, subject, last, (location, next), span);
    }

    fn case_compare(
        &mut self,
        op: BinaryOp,
        subject: ExprId,
        bound: i128,
        (on_true, on_false): (LocationId, LocationId),
        span: Span,
    ) {
        let bound = self.int(bound, self.type_of(subject), span);
        let condition = self.compare(op, subject, bound, span);
        self.branch(condition, on_true, on_false);
    }

    pub(super) fn case_location(&mut self, first: i64, last: i64, unsigned: bool, span: Span) -> LocationId {
        let location = self.draft.location();
        let exact = |value: i64| if unsigned { i128::from(value as u64) } else { i128::from(value) };
        if let Some(switch) = self.frame.switches.last_mut() {
            switch.cases.push(Case { first: exact(first), last: exact(last), location, span });
        }
        location
    }

    pub(super) fn default_location(&mut self) -> LocationId {
        let location = self.draft.location();
        if let Some(switch) = self.frame.switches.last_mut() {
            switch.default = Some(location);
        }
        location
    }
}
