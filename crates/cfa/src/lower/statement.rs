//! Statements.

use super::Lowering;
use crate::program::{EdgeKind, ExprKind, LocationId};
use base::Span;
use sema::hir::{self, LabelId, StmtId, StmtKind};
use sema::types::TypeId;

impl Lowering<'_> {
    /// Lowers a statement at the current location; the current location afterwards is where it ends.
    pub(super) fn statement(&mut self, mut stmt: StmtId) {
        // Labels are nested by the syntax, one in another, thousands deep.
        while let Some(body) = self.label(stmt) {
            stmt = body;
        }
        let hir::Stmt { kind, span } = self.hir.stmts[stmt];
        match kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Block(list) => self.scope(span, |this| this.statements(list)),
            StmtKind::Declare { variable, initializer } => self.declare(variable, initializer, span),
            StmtKind::DeclareVla { variable, size } => {
                let size = self.value(size);
                self.draft.emit(EdgeKind::DeclareVla { variable, size }, span);
            }
            StmtKind::If { .. } => self.if_chain(stmt),
            StmtKind::While { condition, body } => self.while_loop(condition, body, span),
            StmtKind::DoWhile { body, condition } => self.do_loop(body, condition, span),
            StmtKind::For { init: None, condition, step, body } => {
                self.for_loop(condition, step, body, span);
            }
            StmtKind::For { init: Some(init), condition, step, body } => self.scope(span, |this| {
                this.born_in(init);
                this.statement(init);
                this.for_loop(condition, step, body, span);
            }),
            StmtKind::Switch { subject, body } => self.switch(subject, body, span),
            StmtKind::Goto(label) => self.goto(label, span),
            StmtKind::ComputedGoto(target) => self.computed_goto(target, span),
            StmtKind::Break => self.leave_to(self.frame.breaks.last().copied(), span),
            StmtKind::Continue => self.leave_to(self.frame.continues.last().copied(), span),
            StmtKind::Return(value) => self.return_(value, span),
            StmtKind::Assembly(assembly) => self.assembly(assembly, span),
            StmtKind::Unsupported(what) => self.draft.emit(EdgeKind::Unsupported(what), span),
            // Done above.
            StmtKind::Case { .. } | StmtKind::Default { .. } | StmtKind::Label { .. } => {}
        }
    }

    /// Places a label of any kind, and returns the statement after it.
    fn label(&mut self, stmt: StmtId) -> Option<StmtId> {
        let hir::Stmt { kind, span } = self.hir.stmts[stmt];
        let (location, body) = match kind {
            StmtKind::Label { label, body } => {
                self.note_label(label);
                (self.label_location(label), body)
            }
            StmtKind::Case { first, last, unsigned, body } => {
                (self.case_location(first, last, unsigned, span), body)
            }
            StmtKind::Default { body } => (self.default_location(), body),
            _ => return None,
        };
        self.draft.jump(location, span);
        self.draft.start(location);
        Some(body)
    }

    pub(super) fn label_location(&mut self, label: LabelId) -> LocationId {
        let draft = &mut self.draft;
        *self.label_locations[label.0 as usize].get_or_insert_with(|| draft.location())
    }

    fn if_chain(&mut self, mut stmt: StmtId) {
        let end = self.draft.location();
        while let hir::Stmt { kind: StmtKind::If { condition, then, otherwise }, span } = self.hir.stmts[stmt]
        {
            let on_true = self.draft.location();
            let on_false = if otherwise.is_some() { self.draft.location() } else { end };
            self.condition(condition, on_true, on_false);
            self.draft.start(on_true);
            self.statement(then);
            self.draft.jump(end, span);
            let Some(next) = otherwise else {
                return self.draft.start(end);
            };
            self.draft.start(on_false);
            stmt = next;
        }
        self.statement(stmt);
        self.draft.jump(end, self.hir.stmts[stmt].span);
        self.draft.start(end);
    }

    fn while_loop(&mut self, condition: hir::ExprId, body: StmtId, span: Span) {
        self.for_loop(Some(condition), None, body, span);
    }

    fn for_loop(
        &mut self,
        condition: Option<hir::ExprId>,
        step: Option<hir::ExprId>,
        body: StmtId,
        span: Span,
    ) {
        let (head, start, end) = (self.draft.location(), self.draft.location(), self.draft.location());
        let next = if step.is_some() { self.draft.location() } else { head };
        self.draft.jump(head, span);
        self.draft.start(head);
        match condition {
            Some(condition) => self.condition(condition, start, end),
            None => self.draft.jump(start, span),
        }
        self.draft.start(start);
        self.loop_body(body, next, end);
        self.draft.jump(next, span);
        if let Some(step) = step {
            self.draft.start(next);
            self.effect(step);
            self.draft.jump(head, span);
        }
        self.draft.start(end);
    }

    fn do_loop(&mut self, body: StmtId, condition: hir::ExprId, span: Span) {
        let (head, test, end) = (self.draft.location(), self.draft.location(), self.draft.location());
        self.draft.jump(head, span);
        self.draft.start(head);
        self.loop_body(body, test, end);
        self.draft.jump(test, span);
        self.draft.start(test);
        self.condition(condition, head, end);
        self.draft.start(end);
    }

    fn loop_body(&mut self, body: StmtId, on_continue: LocationId, on_break: LocationId) {
        self.frame.continues.push(self.target(on_continue));
        self.frame.breaks.push(self.target(on_break));
        self.statement(body);
        self.frame.continues.pop();
        self.frame.breaks.pop();
    }

    /// One assume for each label whose address is taken.
    fn computed_goto(&mut self, target: hir::ExprId, span: Span) {
        let mut pointer = self.value(target);
        if !self.is_trivial(pointer) {
            pointer = self.save(pointer);
        }
        let ty = self.type_of(pointer);
        let mut any = false;
        for number in 0..self.addressed_labels.len() {
            let label = self.addressed_labels[number];
            if self.hir.labels[label].function != self.frame.function {
                continue;
            }
            any = true;
            let address = self.expr(ExprKind::LabelAddress(number as u32), ty, span);
            let condition = self.compare(hir::BinaryOp::Equal, pointer, address, span);
            let location = self.way_to_label(label, span);
            self.draft.emit_to(EdgeKind::Assume { condition, truth: true }, location, span);
        }
        if !any {
            self.drop_path(span);
        }
        let after = self.draft.location();
        self.draft.start(after);
    }

    /// No run comes past here.
    pub(super) fn drop_path(&mut self, span: Span) {
        let condition = self.int(0, TypeId::INT, span);
        let halt = self.halt();
        self.draft.emit_to(EdgeKind::Assume { condition, truth: true }, halt, span);
        let after = self.draft.location();
        self.draft.start(after);
    }

    fn return_(&mut self, value: Option<hir::ExprId>, span: Span) {
        let value = match value {
            Some(expr) if self.hir.exprs[expr].ty.unqualified() == TypeId::VOID => {
                self.effect(expr);
                None
            }
            Some(expr) => Some(self.value(expr)),
            None => None,
        };
        self.draft.emit_to(EdgeKind::Return { value }, self.frame.exit, span);
        let after = self.draft.location();
        self.draft.start(after);
    }
}
