//! Expressions.

use super::Dumper;
use crate::ast::{BinaryOp, ExprId, ExprKind, GenericAssociation, IntLiteral, OffsetStep, TypeName, UnaryOp};

impl Dumper<'_> {
    pub(super) fn expr_list(&mut self, list: &[ExprId]) {
        for (index, &expr) in list.iter().enumerate() {
            self.text(if index > 0 { " " } else { "" });
            self.expr(expr);
        }
    }

    fn form(&mut self, head: &str, operands: &[ExprId]) {
        self.node(head, |d| {
            for &operand in operands {
                d.space().expr(operand);
            }
        });
    }

    fn typed(&mut self, head: &str, ty: TypeName, operands: &[ExprId]) {
        self.node(head, |d| {
            d.space().type_name(ty);
            for &operand in operands {
                d.space().expr(operand);
            }
        });
    }

    pub(super) fn expr(&mut self, expr: ExprId) {
        let expr = self.ast.exprs[expr];
        match expr.kind {
            ExprKind::Name(name) => self.symbol(name),
            ExprKind::Int(literal) => self.int(literal),
            ExprKind::Float(_) => {
                let digits = self.sources.snippet(expr.span).unwrap_or_default();
                self.text(&digits);
            }
            ExprKind::Char { value, kind } => self.node("char ", |d| d.number(format!("{kind:?} {value}"))),
            ExprKind::String(string) => self.string(string),
            ExprKind::Unary { op, operand } => self.form(unary_name(op), &[operand]),
            ExprKind::Binary { op, left, right } => self.form(op.symbol(), &[left, right]),
            ExprKind::Assign { op, target, value } => {
                let head = format!("{}=", op.map_or("", BinaryOp::symbol));
                self.form(&head, &[target, value]);
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.form("?", &[condition, then, otherwise]);
            }
            ExprKind::Conditional { condition, then: None, otherwise } => {
                self.form("?:", &[condition, otherwise]);
            }
            ExprKind::Comma { left, right } => self.form(",", &[left, right]),
            ExprKind::Call { callee, arguments } => self.node("call", |d| {
                d.space().expr(callee);
                for &argument in &d.ast.expr_lists[arguments] {
                    d.space().expr(argument);
                }
            }),
            ExprKind::Index { base, index } => self.form("index", &[base, index]),
            ExprKind::Member { base, field } => self.member_access(".", base, field),
            ExprKind::Arrow { base, field } => self.member_access("->", base, field),
            ExprKind::Cast { ty, operand } => self.typed("cast", ty, &[operand]),
            ExprKind::SizeofExpr(operand) => self.form("sizeof", &[operand]),
            ExprKind::SizeofType(ty) => self.typed("sizeof-type", ty, &[]),
            ExprKind::AlignofExpr(operand) => self.form("alignof", &[operand]),
            ExprKind::AlignofType(ty) => self.typed("alignof-type", ty, &[]),
            ExprKind::VaArg { list, ty } => self.typed("va-arg", ty, &[list]),
            ExprKind::Statement(statement) => self.node("do ", |d| d.stmt(statement)),
            ExprKind::LabelAddress(label) => self.node("&& ", |d| d.symbol(label)),
            kind => self.rare_expr(kind),
        }
    }

    fn rare_expr(&mut self, kind: ExprKind) {
        match kind {
            ExprKind::CompoundLiteral { ty, initializer } => self.node("literal ", |d| {
                d.type_name(ty);
                d.space().initializer(initializer);
            }),
            ExprKind::Generic { control, associations } => self.node("generic ", |d| {
                d.expr(control);
                for association in &d.ast.associations[associations] {
                    d.space().association(association);
                }
            }),
            ExprKind::Offsetof { ty, path } => self.node("offsetof ", |d| {
                d.type_name(ty);
                for step in &d.ast.offsets[path] {
                    d.space().offset_step(step);
                }
            }),
            ExprKind::TypesCompatible { left, right } => self.node("types-compatible ", |d| {
                d.type_name(left);
                d.space().type_name(right);
            }),
            ExprKind::ChooseExpr { condition, then, otherwise } => {
                self.form("choose", &[condition, then, otherwise]);
            }
            _ => {}
        }
    }

    fn member_access(&mut self, head: &str, base: ExprId, field: base::Symbol) {
        self.node(head, |d| {
            d.space().expr(base);
            d.space().symbol(field);
        });
    }

    fn association(&mut self, association: &GenericAssociation) {
        self.node("", |d| {
            match association.ty {
                Some(ty) => d.type_name(ty),
                None => d.text("default"),
            }
            d.space().expr(association.value);
        });
    }

    fn offset_step(&mut self, step: &OffsetStep) {
        match *step {
            OffsetStep::Field(name, _) => {
                self.text(".");
                self.symbol(name);
            }
            OffsetStep::Index(index) => {
                self.text("[");
                self.expr(index);
                self.text("]");
            }
        }
    }

    fn int(&mut self, literal: IntLiteral) {
        self.number(literal.value);
        self.text(if literal.unsigned { "u" } else { "" });
        self.text(&"l".repeat(literal.longs.into()));
    }
}

fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "plus",
        UnaryOp::Minus => "neg",
        UnaryOp::BitNot => "~",
        UnaryOp::LogicalNot => "!",
        UnaryOp::AddressOf => "addr",
        UnaryOp::Dereference => "deref",
        UnaryOp::PreIncrement => "++_",
        UnaryOp::PreDecrement => "--_",
        UnaryOp::PostIncrement => "_++",
        UnaryOp::PostDecrement => "_--",
        UnaryOp::Real => "real",
        UnaryOp::Imaginary => "imag",
        UnaryOp::Extension => "ext",
    }
}
