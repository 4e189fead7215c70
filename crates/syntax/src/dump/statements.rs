//! Statements and inline assembly.

use super::Dumper;
use crate::ast::{AsmId, AsmOperand, BlockItem, ExprId, ForInit, StmtId, StmtKind};

impl Dumper<'_> {
    pub(super) fn stmt(&mut self, stmt: StmtId) {
        match self.ast.stmts[stmt].kind {
            StmtKind::Empty => self.text("()"),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Block { items, local_labels } => self.node("block", |d| {
                for &label in &d.ast.symbols[local_labels] {
                    d.text(" local:");
                    d.symbol(label);
                }
                for &item in &d.ast.block_items[items] {
                    d.space().block_item(item);
                }
            }),
            StmtKind::If { condition, then, otherwise } => self.node("if ", |d| {
                d.expr(condition);
                d.space().stmt(then);
                if let Some(otherwise) = otherwise {
                    d.space().stmt(otherwise);
                }
            }),
            StmtKind::While { condition, body } => self.node("while ", |d| {
                d.expr(condition);
                d.space().stmt(body);
            }),
            StmtKind::DoWhile { body, condition } => self.node("do-while ", |d| {
                d.stmt(body);
                d.space().expr(condition);
            }),
            StmtKind::For { init, condition, step, body } => self.node("for ", |d| {
                d.for_init(init);
                d.optional(condition);
                d.optional(step);
                d.space().stmt(body);
            }),
            StmtKind::Switch { subject, body } => self.node("switch ", |d| {
                d.expr(subject);
                d.space().stmt(body);
            }),
            StmtKind::Asm(asm) => self.asm(asm),
            kind => self.jump_or_label(kind),
        }
    }

    fn jump_or_label(&mut self, kind: StmtKind) {
        match kind {
            StmtKind::Case { first, last, body } => self.node("case ", |d| {
                d.expr(first);
                if let Some(last) = last {
                    d.text("...");
                    d.expr(last);
                }
                d.space().stmt(body);
            }),
            StmtKind::Default { body } => self.node("default ", |d| d.stmt(body)),
            StmtKind::Label { name, body } => self.node("label ", |d| {
                d.symbol(name);
                d.space().stmt(body);
            }),
            StmtKind::Goto(label) => self.node("goto ", |d| d.symbol(label)),
            StmtKind::ComputedGoto(target) => self.node("goto* ", |d| d.expr(target)),
            StmtKind::Break => self.text("(break)"),
            StmtKind::Continue => self.text("(continue)"),
            StmtKind::Return(value) => self.node("return", |d| {
                if let Some(value) = value {
                    d.space().expr(value);
                }
            }),
            _ => {}
        }
    }

    fn optional(&mut self, expr: Option<ExprId>) {
        match expr {
            Some(expr) => self.space().expr(expr),
            None => self.text(" _"),
        }
    }

    fn for_init(&mut self, init: ForInit) {
        match init {
            ForInit::None => self.text("_"),
            ForInit::Expr(expr) => self.expr(expr),
            ForInit::Declaration(declaration) => self.declaration(declaration),
        }
    }

    fn block_item(&mut self, item: BlockItem) {
        match item {
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::Stmt(stmt) => self.stmt(stmt),
            BlockItem::Function(function) => self.function(function),
            BlockItem::StaticAssert(assertion) => self.static_assert(&assertion),
        }
    }

    pub(super) fn asm(&mut self, asm: AsmId) {
        let asm = &self.ast.asms[asm];
        self.node(if asm.volatile { "asm-volatile " } else { "asm " }, |d| {
            d.string(asm.template);
            d.operands(" out", &asm.outputs);
            d.operands(" in", &asm.inputs);
            for &clobber in &asm.clobbers {
                d.text(" clobber:");
                d.string(clobber);
            }
            for &label in &asm.labels {
                d.text(" label:");
                d.symbol(label);
            }
        });
    }

    fn operands(&mut self, head: &str, operands: &[AsmOperand]) {
        for operand in operands {
            self.text(head);
            self.node("", |d| {
                d.string(operand.constraint);
                d.space().expr(operand.value);
            });
        }
    }
}
