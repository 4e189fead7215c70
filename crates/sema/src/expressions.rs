//! Expressions (C11 6.5): names, literals, and what is not an operator on values.
//!
//! [`Analyzer::expr`] gives an expression as it stands, possibly an lvalue or a function;
//! [`Analyzer::rvalue`] gives its value. Long chains of operators and commas lean to the left in the
//! tree, and are walked in a loop.

use crate::compatible::compatible;
use crate::context::{Analyzer, Checked, Reported};
use crate::floats;
use crate::hir::{ExprId, ExprKind, StmtKind};
use crate::library::is_builtin_library_name;
use crate::scope::Entity;
use crate::specifiers::float_kind;
use crate::types::{DataModel, Type, TypeId};
use base::{Range, Span, Symbol};
use syntax::ast::{self, CharKind};

impl Analyzer<'_> {
    pub fn rvalue(&mut self, id: ast::ExprId) -> Checked {
        let expr = self.expr(id)?;
        Ok(self.decay(expr))
    }

    pub fn expr(&mut self, id: ast::ExprId) -> Checked {
        let ast::Expr { kind, span } = self.ast.exprs[id];
        match kind {
            ast::ExprKind::Name(name) => self.name_expr(name, span),
            ast::ExprKind::Int(literal) => Ok(self.int_literal(literal, span)),
            ast::ExprKind::Float(literal) => self.float_literal(literal, span),
            ast::ExprKind::Char { value, kind } => {
                let ty = if kind == CharKind::Plain { TypeId::INT } else { self.char_type(kind) };
                Ok(self.int(i128::from(value as i32), ty, span))
            }
            ast::ExprKind::String(string) => Ok(self.string_literal(string)),
            ast::ExprKind::Unary { op, operand } => self.unary_expr(op, operand, span),
            ast::ExprKind::Binary { .. } => self.binary_chain(id),
            ast::ExprKind::Assign { op, target, value } => self.assign_expr(op, target, value, span),
            ast::ExprKind::Conditional { condition, then, otherwise } => {
                self.conditional_expr(condition, then, otherwise, span)
            }
            ast::ExprKind::Comma { .. } => self.comma_chain(id),
            ast::ExprKind::Call { callee, arguments } => self.call_expr(callee, arguments, span),
            ast::ExprKind::Index { base, index } => self.index_expr(base, index, span),
            ast::ExprKind::Member { base, field } => {
                let base = self.expr(base)?;
                self.member_expr(base, field, span)
            }
            ast::ExprKind::Arrow { base, field } => self.arrow_expr(base, field, span),
            ast::ExprKind::Cast { ty, operand } => self.cast_expr(ty, operand, span),
            ast::ExprKind::CompoundLiteral { ty, initializer } => {
                self.compound_literal(ty, initializer, span)
            }
            ast::ExprKind::SizeofExpr(operand) => {
                let ty = self.unevaluated_type(operand)?;
                self.sizeof(ty, span)
            }
            ast::ExprKind::SizeofType(name) => {
                let mark = self.lengths.len();
                let ty = self.type_name(name)?.ty;
                let size = self.sizeof(ty, span)?;
                Ok(self.after_lengths(mark, size))
            }
            ast::ExprKind::AlignofExpr(operand) => self.alignof_expr(operand, span),
            ast::ExprKind::AlignofType(name) => {
                let declared = self.type_name(name)?;
                self.alignof(declared.ty, declared.alignment, span)
            }
            ast::ExprKind::Generic { control, associations } => self.generic(control, associations, span),
            ast::ExprKind::Statement(block) => self.statement_expr(block, span),
            ast::ExprKind::LabelAddress(name) => self.label_address(name, span),
            ast::ExprKind::VaArg { list, ty } => self.va_arg(list, ty, span),
            ast::ExprKind::Offsetof { ty, path } => self.offsetof(ty, path, span),
            ast::ExprKind::TypesCompatible { left, right } => {
                let (left, right) = (self.type_name(left)?.ty, self.type_name(right)?.ty);
                let agree = compatible(self.types(), left.unqualified(), right.unqualified());
                Ok(self.int(i128::from(agree), TypeId::INT, span))
            }
            ast::ExprKind::ChooseExpr { condition, then, otherwise } => {
                let (condition, _) = self.constant_integer(condition)?;
                self.expr(if condition != 0 { then } else { otherwise })
            }
        }
    }

    /// The type of an operand that is not evaluated and does not decay.
    fn unevaluated_type(&mut self, operand: ast::ExprId) -> Checked<TypeId> {
        let mark = self.lengths.len();
        let operand = self.expr(operand)?;
        self.lengths.truncate(mark);
        Ok(self.type_of(operand))
    }

    fn name_expr(&mut self, name: Symbol, span: Span) -> Checked {
        match self.scopes.lookup(name).entity {
            Entity::Variable(variable) => Ok(self.variable(variable, span)),
            Entity::Function(function) => {
                let ty = self.program.functions[function].ty;
                Ok(self.make(ExprKind::Function(function), ty, span))
            }
            Entity::Enumerator(index) => {
                let enumerator = self.enumerators[index as usize];
                Ok(self.make(ExprKind::Int(enumerator.bits), enumerator.ty, span))
            }
            Entity::Poisoned => Err(Reported),
            Entity::Typedef(_) => {
                let message = format!("unexpected type name '{}'", self.name(name));
                Err(self.error(span, message))
            }
            Entity::Nothing => self.undeclared_name(name, span),
        }
    }

    fn undeclared_name(&mut self, name: Symbol, span: Span) -> Checked {
        if self.names.function_names.contains(&name) {
            return Ok(self.function_name(span));
        }
        if is_builtin_library_name(self.name(name))
            && let Some(function) = self.library_function(name, span)
        {
            let ty = self.program.functions[function].ty;
            return Ok(self.make(ExprKind::Function(function), ty, span));
        }
        let message = format!("use of undeclared identifier '{}'", self.name(name));
        // Say it once per scope.
        self.scopes.bind(name, Entity::Poisoned);
        Err(self.error(span, message))
    }

    /// `__func__`
    fn function_name(&mut self, span: Span) -> ExprId {
        let name = match &self.function {
            Some(function) => self.name(self.program.functions[function.id].name),
            None => "",
        };
        let bytes: Box<[u8]> = name.bytes().chain([0]).collect();
        self.string(bytes, TypeId::CHAR.qualified(true, false), 1, span)
    }

    /// The first type of the list in C11 6.4.4.1 that the value fits. Where there is none, gcc takes `__int128`, or a
    /// negative `long long` where that does not exist.
    fn int_literal(&mut self, literal: ast::IntLiteral, span: Span) -> ExprId {
        let candidates = [
            (TypeId::INT, TypeId::UNSIGNED_INT),
            (TypeId::LONG, TypeId::UNSIGNED_LONG),
            (TypeId::LONG_LONG, TypeId::UNSIGNED_LONG_LONG),
        ];
        let value = i128::from(literal.value);
        let mut ty = TypeId::UNSIGNED_LONG_LONG;
        for (signed, unsigned) in candidates.into_iter().skip(usize::from(literal.longs.min(2))) {
            if !literal.unsigned && self.wrapped(value, signed) == value {
                ty = signed;
                break;
            }
            if (literal.unsigned || !literal.decimal) && self.wrapped(value, unsigned) == value {
                ty = unsigned;
                break;
            }
        }
        let is_decimal = literal.decimal && !literal.unsigned;
        if is_decimal && ty == TypeId::UNSIGNED_LONG_LONG {
            let exact = self.make(ExprKind::Int(literal.value), ty, span);
            let wider = match self.types().data_model {
                DataModel::Lp64 => TypeId::INT128,
                DataModel::Ilp32 => TypeId::LONG_LONG,
            };
            return self.cast(exact, wider, span);
        }
        self.make(ExprKind::Int(literal.value), ty, span)
    }

    fn float_literal(&mut self, literal: ast::FloatLiteral, span: Span) -> Checked {
        let kind = float_kind(literal.size);
        if literal.imaginary {
            let ty = self.program.types.intern(Type::Complex(kind));
            return Ok(self.unsupported("complex numbers", ty, span));
        }
        let ty = self.types().float_type(kind);
        let text = self.sources.snippet(span).unwrap_or_default();
        match floats::parse(text.trim(), kind) {
            Some(bits) => Ok(self.float(bits, ty, span)),
            None => Err(self.error(span, "malformed floating-point constant")),
        }
    }

    /// The type of the elements of a string literal, and of prefixed characters.
    fn char_type(&self, kind: CharKind) -> TypeId {
        match kind {
            CharKind::Plain | CharKind::Utf8 => TypeId::CHAR,
            CharKind::Wide if self.types().pointer_size() == 4 => TypeId::LONG,
            CharKind::Wide => TypeId::INT,
            CharKind::Utf16 => TypeId::UNSIGNED_SHORT,
            CharKind::Utf32 => TypeId::UNSIGNED_INT,
        }
    }

    fn string_literal(&mut self, id: ast::StringId) -> ExprId {
        let ast = self.ast;
        let literal = &ast.strings[id];
        let unit = self.char_type(literal.kind);
        let size = self.types().size_of(unit).unwrap_or(1);
        let bytes: Box<[u8]> = match &literal.units {
            ast::Units::Bytes(bytes) if size == 1 => bytes.iter().copied().chain([0]).collect(),
            ast::Units::Bytes(bytes) => encode(bytes.iter().map(|&byte| u32::from(byte)), size),
            ast::Units::Wide(units) => encode(units.iter().copied(), size),
        };
        self.string(bytes, unit, size, literal.span)
    }

    fn comma_chain(&mut self, id: ast::ExprId) -> Checked {
        let mut rights = Vec::new();
        let mut current = id;
        while let ast::ExprKind::Comma { left, right } = self.ast.exprs[current].kind {
            rights.push(right);
            current = left;
        }
        let mut value = self.rvalue(current)?;
        while let Some(right) = rights.pop() {
            let right = self.rvalue(right)?;
            value = self.comma(value, right);
        }
        Ok(value)
    }

    fn sizeof(&mut self, ty: TypeId, span: Span) -> Checked {
        match self.size_expr(ty, span) {
            Some(size) => Ok(size),
            None => {
                let message =
                    format!("invalid application of 'sizeof' to incomplete type '{}'", self.show(ty));
                Err(self.error(span, message))
            }
        }
    }

    fn alignof_expr(&mut self, operand: ast::ExprId, span: Span) -> Checked {
        let mark = self.lengths.len();
        let operand = self.expr(operand)?;
        self.lengths.truncate(mark);
        let asked = match self.kind(operand) {
            ExprKind::Variable(variable) => self.program.variables[variable].alignment,
            _ => None,
        };
        self.alignof(self.type_of(operand), asked, span)
    }

    /// On i386, `_Alignof` is the alignment inside records, `__alignof__` the preferred one.
    fn alignof(&mut self, ty: TypeId, asked: Option<u64>, span: Span) -> Checked {
        let Some(natural) = self.types().align_of(ty) else {
            let message = format!("invalid application of '_Alignof' to incomplete type '{}'", self.show(ty));
            return Err(self.error(span, message));
        };
        let mut alignment = asked.unwrap_or(natural);
        if asked.is_none() && natural == 4 && self.types().size_of(ty) == Some(8) {
            let is_scalar = self.types().is_integer(ty) || self.types().is_float(ty);
            let gnu = self.sources.snippet(span).is_some_and(|text| text.starts_with("__alignof"));
            if is_scalar && gnu {
                alignment = 8;
            }
        }
        let ty = self.types().size_type();
        Ok(self.int(i128::from(alignment), ty, span))
    }

    fn generic(
        &mut self,
        control: ast::ExprId,
        associations: Range<ast::GenericAssociation>,
        span: Span,
    ) -> Checked {
        let mark = self.lengths.len();
        let control = self.rvalue(control)?;
        self.lengths.truncate(mark);
        let wanted = self.type_of(control).unqualified();
        // The type of a bit-field wider than int is none that has a name.
        let precise = self.precision(control).is_some();
        let ast = self.ast;
        let mut default = None;
        for association in &ast.associations[associations] {
            let Some(name) = association.ty else {
                default = Some(association.value);
                continue;
            };
            let ty = self.type_name(name)?.ty;
            if !precise && compatible(self.types(), ty, wanted) {
                return self.expr(association.value);
            }
        }
        match default {
            Some(value) => self.expr(value),
            None => {
                let message = format!(
                    "'_Generic' selector of type '{}' is not compatible with any association",
                    self.show(wanted)
                );
                Err(self.error(span, message))
            }
        }
    }

    fn compound_literal(
        &mut self,
        name: ast::TypeName,
        initializer: ast::InitializerId,
        span: Span,
    ) -> Checked {
        let mark = self.lengths.len();
        let declared = self.type_name(name)?;
        if self.lengths.len() > mark {
            self.lengths.truncate(mark);
            return Err(self.error(span, "compound literal has variable size"));
        }
        let variable = self.temporary(self.names.literal, declared.ty, span);
        self.program.variables[variable].alignment = declared.alignment;
        let initializer = self.initialize(variable, initializer)?;
        self.check_complete(self.program.variables[variable].ty, self.names.literal, span)?;
        let ty = self.program.variables[variable].ty;
        if self.function.is_none() {
            self.program.variables[variable].initializer = Some(initializer);
            return Ok(self.variable(variable, span));
        }
        Ok(self.make(ExprKind::CompoundLiteral { variable, initializer }, ty, span))
    }

    fn label_address(&mut self, name: Symbol, span: Span) -> Checked {
        if self.function.is_none() {
            return Err(self.error(span, "label referenced outside of any function"));
        }
        let label = self.label(name, span);
        self.program.labels[label].address_taken = true;
        let ty = self.program.types.pointer_to(TypeId::VOID);
        Ok(self.make(ExprKind::LabelAddress(label), ty, span))
    }

    fn va_arg(&mut self, list: ast::ExprId, name: ast::TypeName, span: Span) -> Checked {
        let list = self.va_list(list)?;
        let ty = self.type_name(name)?.ty.unqualified();
        Ok(match list {
            Some(list) => self.make(ExprKind::VaArg { list }, ty, span),
            None => self.unsupported("va_arg on something that is not a va_list", ty, span),
        })
    }

    /// An lvalue of type `va_list`; pointers to one (from array decay) are looked through.
    pub fn va_list(&mut self, expr: ast::ExprId) -> Checked<Option<ExprId>> {
        let list = self.expr(expr)?;
        let is_list = |this: &Self, ty: TypeId| this.types().get(ty) == &Type::VaList;
        if is_list(self, self.type_of(list)) && self.is_lvalue(list) {
            return Ok(Some(list));
        }
        let list = self.decay(list);
        match self.types().pointee(self.type_of(list)) {
            Some(target) if is_list(self, target) => Ok(Some(self.dereference(list, self.span_of(list)))),
            _ => Ok(None),
        }
    }

    fn offsetof(&mut self, name: ast::TypeName, path: Range<ast::OffsetStep>, span: Span) -> Checked {
        let record = self.type_name(name)?.ty;
        let size_type = self.types().size_type();
        let pointer = self.program.types.pointer_to(record);
        let null = self.int(0, pointer, span);
        let mut place = self.make(ExprKind::Dereference(null), record, span);
        let ast = self.ast;
        for step in &ast.offsets[path] {
            place = match *step {
                ast::OffsetStep::Field(field, span) => self.member_expr(place, field, span)?,
                ast::OffsetStep::Index(index) => {
                    let index = self.rvalue(index)?;
                    if !self.types().is_integer(self.type_of(index)) {
                        return Err(self.error(span, "array subscript is not an integer"));
                    }
                    let Type::Array { element, .. } = *self.types().get(self.type_of(place)) else {
                        return Err(self.error(span, "subscripted value is not an array"));
                    };
                    self.make(ExprKind::Index { base: place, index }, element, span)
                }
            };
        }
        if self.bit_field(place).is_some() {
            return Err(self.error(span, "attempt to take address of bit-field"));
        }
        let address = self.address_of_place(place, span);
        Ok(self.cast(address, size_type, span))
    }

    /// `({ … })`: a last statement that is an expression gives the value.
    fn statement_expr(&mut self, block: ast::StmtId, span: Span) -> Checked {
        if self.function.is_none() {
            return Err(self.error(span, "braced-group within expression allowed only inside a function"));
        }
        let ast = self.ast;
        let ast::StmtKind::Block { items, local_labels } = ast.stmts[block].kind else {
            return Err(self.error(span, "block expected"));
        };
        let items = &ast.block_items[items];
        let mark = self.block.len();
        self.scopes.enter();
        let saved = self.enter_labels(local_labels);
        let value = self.statement_expr_items(items);
        self.leave_labels(saved);
        self.scopes.leave();
        let block = self.close_block(mark, span);
        let value = value?;
        let ty = value.map_or(TypeId::VOID, |value| self.type_of(value).unqualified());
        Ok(self.make(ExprKind::Statement { block, value }, ty, span))
    }

    fn statement_expr_items(&mut self, items: &[ast::BlockItem]) -> Checked<Option<ExprId>> {
        let Some((last, before)) = items.split_last() else { return Ok(None) };
        for item in before {
            self.block_item(item);
        }
        let ast::BlockItem::Stmt(mut last_stmt) = *last else {
            self.block_item(last);
            return Ok(None);
        };
        // Labels before the value stand before an empty statement.
        while let ast::StmtKind::Label { name, body } = self.ast.stmts[last_stmt].kind {
            let span = self.ast.stmts[last_stmt].span;
            let body_stmt = self.statement(StmtKind::Empty, span);
            let label = self.define_label(name, span);
            self.emit(StmtKind::Label { label, body: body_stmt }, span);
            last_stmt = body;
        }
        let ast::StmtKind::Expr(expr) = self.ast.stmts[last_stmt].kind else {
            self.stmt(last_stmt);
            return Ok(None);
        };
        let value = self.rvalue(expr)?;
        if self.types().get(self.type_of(value)) == &Type::Void {
            self.emit(StmtKind::Expr(value), self.span_of(value));
            return Ok(None);
        }
        Ok(Some(value))
    }
}

/// Code units in memory, little-endian, with a terminating zero.
fn encode(units: impl Iterator<Item = u32>, size: u64) -> Box<[u8]> {
    units.chain([0]).flat_map(|unit| unit.to_le_bytes().into_iter().take(size as usize)).collect()
}
