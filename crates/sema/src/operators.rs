//! Operators on values and lvalues (C11 6.5.2 to 6.5.16).

use crate::context::{Analyzer, Checked, Reported};
use crate::conversions::Purpose;
use crate::hir::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::precision::CommonType;
use crate::types::{Type, TypeId};
use base::{Span, Symbol};
use syntax::ast;

impl Analyzer<'_> {
    /// A value that is compared with zero.
    pub fn condition(&mut self, expr: ast::ExprId) -> Checked {
        let value = self.rvalue(expr)?;
        self.check_scalar(value)
    }

    fn check_scalar(&mut self, value: ExprId) -> Checked {
        let (ty, span) = (self.type_of(value), self.span_of(value));
        if self.types().is_scalar(ty) {
            return Ok(value);
        }
        if self.is_opaque(ty) {
            return Ok(self.unsupported("arithmetic on complex or vector values", TypeId::INT, span));
        }
        let message = match self.types().get(ty) {
            Type::Void => "void value not ignored as it ought to be".into(),
            _ => format!("used '{}' value where scalar is required", self.show(ty)),
        };
        Err(self.error(span, message))
    }

    pub fn unary_expr(&mut self, op: ast::UnaryOp, operand: ast::ExprId, span: Span) -> Checked {
        match op {
            ast::UnaryOp::Extension => self.expr(operand),
            ast::UnaryOp::AddressOf => {
                let operand = self.expr(operand)?;
                self.address_of(operand, span)
            }
            ast::UnaryOp::Dereference => {
                let pointer = self.rvalue(operand)?;
                self.check_pointer(pointer, "unary '*'", span)?;
                Ok(self.dereference(pointer, span))
            }
            ast::UnaryOp::PreIncrement => self.increment(operand, false, true, span),
            ast::UnaryOp::PreDecrement => self.increment(operand, true, true, span),
            ast::UnaryOp::PostIncrement => self.increment(operand, false, false, span),
            ast::UnaryOp::PostDecrement => self.increment(operand, true, false, span),
            ast::UnaryOp::LogicalNot => {
                let value = self.condition(operand)?;
                Ok(self.unary(UnaryOp::LogicalNot, value, TypeId::INT, span))
            }
            ast::UnaryOp::Plus | ast::UnaryOp::Minus | ast::UnaryOp::BitNot => {
                self.arithmetic_unary(op, operand, span)
            }
            ast::UnaryOp::Real | ast::UnaryOp::Imaginary => {
                let value = self.rvalue(operand)?;
                let ty = match *self.types().get(self.type_of(value)) {
                    Type::Complex(kind) => self.types().float_type(kind),
                    _ => self.type_of(value),
                };
                Ok(self.unsupported("complex numbers", ty, span))
            }
        }
    }

    fn arithmetic_unary(&mut self, op: ast::UnaryOp, operand: ast::ExprId, span: Span) -> Checked {
        let value = self.rvalue(operand)?;
        let ty = self.type_of(value);
        let accepted =
            self.types().is_integer(ty) || (op != ast::UnaryOp::BitNot && self.types().is_float(ty));
        if !accepted {
            if self.is_opaque(ty) {
                return Ok(self.unsupported("arithmetic on complex or vector values", ty, span));
            }
            let sign = match op {
                ast::UnaryOp::Plus => "unary plus",
                ast::UnaryOp::Minus => "unary minus",
                _ => "bit-complement",
            };
            let message = format!("wrong type argument to {sign} (have '{}')", self.show(ty));
            return Err(self.error(span, message));
        }
        let value = self.promote(value);
        let ty = self.type_of(value);
        let result = match op {
            ast::UnaryOp::Minus => self.unary(UnaryOp::Negate, value, ty, span),
            ast::UnaryOp::BitNot => self.unary(UnaryOp::BitNot, value, ty, span),
            _ => return Ok(value),
        };
        Ok(match self.precision(value) {
            Some(width) => self.cut(result, width),
            None => result,
        })
    }

    fn check_pointer(&mut self, pointer: ExprId, what: &str, span: Span) -> Checked<TypeId> {
        let ty = self.type_of(pointer);
        match self.types().pointee(ty) {
            Some(target) => Ok(target),
            None => {
                let message = format!("invalid type argument of {what} (have '{}')", self.show(ty));
                Err(self.error(span, message))
            }
        }
    }

    pub fn address_of(&mut self, operand: ExprId, span: Span) -> Checked {
        if matches!(self.kind(operand), ExprKind::Function(_)) {
            return Ok(self.address_of_place(operand, span));
        }
        if !self.is_lvalue(operand) {
            return Err(self.error(span, "lvalue required as unary '&' operand"));
        }
        if self.bit_field(operand).is_some() {
            return Err(self.error(span, "cannot take address of bit-field"));
        }
        Ok(self.address_of_place(operand, span))
    }

    /// An lvalue that may be changed.
    fn target(&mut self, target: ast::ExprId, what: &str) -> Checked {
        let place = self.expr(target)?;
        let (ty, span) = (self.type_of(place), self.span_of(place));
        if !self.is_lvalue(place) {
            // Writing to what is not modelled is not modelled either.
            if matches!(self.kind(place), ExprKind::Unsupported(_)) {
                return Ok(place);
            }
            return Err(self.error(span, format!("lvalue required as {what}")));
        }
        if ty.is_const() {
            let what = match self.kind(place) {
                ExprKind::Variable(variable) => {
                    format!("variable '{}'", self.name(self.program.variables[variable].name))
                }
                _ => "location".into(),
            };
            return Err(self.error(span, format!("assignment of read-only {what}")));
        }
        if matches!(self.types().get(ty), Type::Array { .. }) {
            return Err(self.error(span, "assignment to expression with array type"));
        }
        Ok(place)
    }

    fn increment(&mut self, operand: ast::ExprId, decrement: bool, prefix: bool, span: Span) -> Checked {
        let what = if decrement { "decrement operand" } else { "increment operand" };
        let target = self.target(operand, what)?;
        let ty = self.type_of(target);
        if !self.types().is_scalar(ty) {
            if self.is_opaque(ty) {
                return Ok(self.unsupported("arithmetic on complex or vector values", ty, span));
            }
            let message = format!("wrong type argument to {what} (have '{}')", self.show(ty));
            return Err(self.error(span, message));
        }
        if let Some(unsupported) = self.unsupported_target(target, span) {
            return Ok(unsupported);
        }
        Ok(self.make(ExprKind::Increment { target, decrement, prefix }, ty.unqualified(), span))
    }

    fn unsupported_target(&mut self, target: ExprId, span: Span) -> Option<ExprId> {
        match self.kind(target) {
            ExprKind::Unsupported(what) => Some(self.unsupported(what, self.type_of(target), span)),
            _ => None,
        }
    }

    pub fn assign_expr(
        &mut self,
        op: Option<ast::BinaryOp>,
        target: ast::ExprId,
        value: ast::ExprId,
        span: Span,
    ) -> Checked {
        let target = self.target(target, "left operand of assignment")?;
        let value = self.rvalue(value)?;
        if let Some(unsupported) = self.unsupported_target(target, span) {
            return Ok(unsupported);
        }
        match op {
            None => {
                let value = self.convert(value, self.type_of(target), Purpose::Assignment)?;
                Ok(self.assign(target, value, span))
            }
            Some(op) => self.compound_assign(op, target, value, span),
        }
    }

    fn compound_assign(&mut self, op: ast::BinaryOp, target: ExprId, value: ExprId, span: Span) -> Checked {
        let Some(operator) = binary_op(op) else {
            return Err(self.error(span, "not an assignment operator"));
        };
        let (ty, value_type) = (self.type_of(target).unqualified(), self.type_of(value));
        let is_sum = matches!(operator, BinaryOp::Add | BinaryOp::Subtract);
        if self.types().is_pointer(ty) && is_sum && self.types().is_integer(value_type) {
            self.check_element_size(ty, span)?;
            let kind = ExprKind::CompoundAssign { op: operator, target, value, compute: ty };
            return Ok(self.make(kind, ty, span));
        }
        if let Some(result) = self.check_operands(operator, op, target, value, span)? {
            return Ok(result);
        }
        let (compute, value) = if is_shift(operator) {
            (self.promoted_type(target), self.promote(value))
        } else {
            let common = self.usual_conversion(target, value);
            let divides = matches!(operator, BinaryOp::Divide | BinaryOp::Remainder);
            let changes_sign = self.shape(ty).signed && !self.shape(common.ty).signed;
            if divides && changes_sign && common.width.is_some() {
                let what = "a negative number divided by a bit-field wider than int, in an assignment";
                return Ok(self.unsupported(what, ty, span));
            }
            (common.ty, self.fit(value, common))
        };
        let kind = ExprKind::CompoundAssign { op: operator, target, value, compute };
        Ok(self.make(kind, ty, span))
    }

    /// `a op b op c …`, from the leftmost operand on.
    pub fn binary_chain(&mut self, id: ast::ExprId) -> Checked {
        let ast = self.ast;
        let ast::ExprKind::Binary { op, left, right } = ast.exprs[id].kind else { return self.expr(id) };
        if !matches!(ast.exprs[left].kind, ast::ExprKind::Binary { .. }) {
            let value = self.rvalue(left)?;
            return self.binary_expr(op, value, right, ast.exprs[id].span);
        }
        let mut chain = Vec::new();
        let mut current = id;
        while let ast::ExprKind::Binary { op, left, right } = ast.exprs[current].kind {
            chain.push((op, right, ast.exprs[current].span));
            current = left;
        }
        let mut value = self.rvalue(current)?;
        while let Some((op, right, span)) = chain.pop() {
            value = self.binary_expr(op, value, right, span)?;
        }
        Ok(value)
    }

    fn binary_expr(&mut self, op: ast::BinaryOp, left: ExprId, right: ast::ExprId, span: Span) -> Checked {
        let right = self.rvalue(right)?;
        match op {
            ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr => {
                self.logical(op == ast::BinaryOp::LogicalAnd, left, right, span)
            }
            _ => self.binary_values(op, left, right, span),
        }
    }

    fn logical(&mut self, is_and: bool, left: ExprId, right: ExprId, span: Span) -> Checked {
        let left = self.check_scalar(left)?;
        let right = self.check_scalar(right)?;
        if let Some(value) = self.int_constant(left) {
            let decided = (value != 0) != is_and;
            if decided {
                return Ok(self.int(i128::from(!is_and), TypeId::INT, span));
            }
            if let Some(value) = self.int_constant(right) {
                return Ok(self.int(i128::from(value != 0), TypeId::INT, span));
            }
        }
        let kind =
            if is_and { ExprKind::LogicalAnd { left, right } } else { ExprKind::LogicalOr { left, right } };
        Ok(self.make(kind, TypeId::INT, span))
    }

    /// An operator that is not `&&` or `||` on two values.
    fn binary_values(&mut self, op: ast::BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked {
        let Some(operator) = binary_op(op) else { return Err(Reported) };
        let pointers =
            (self.types().is_pointer(self.type_of(left)), self.types().is_pointer(self.type_of(right)));
        let is_int = |this: &Self, expr| this.types().is_integer(this.type_of(expr));
        match (operator, pointers) {
            (_, (false, false)) => {}
            (BinaryOp::Add, (true, false)) if is_int(self, right) => {
                return self.pointer_add(left, right, false, span);
            }
            (BinaryOp::Add, (false, true)) if is_int(self, left) => {
                return self.pointer_add(right, left, false, span);
            }
            (BinaryOp::Subtract, (true, false)) if is_int(self, right) => {
                return self.pointer_add(left, right, true, span);
            }
            (BinaryOp::Subtract, (true, true)) => return self.pointer_difference(left, right, span),
            _ if is_comparison(operator) => return self.compare_pointers(operator, left, right, span),
            _ => {}
        }
        if let Some(result) = self.check_operands(operator, op, left, right, span)? {
            return Ok(result);
        }
        if is_shift(operator) {
            let (left, right) = (self.promote(left), self.promote(right));
            let result = self.binary(operator, left, right, self.type_of(left), span);
            return Ok(self.result_of(operator, result, self.precision(left)));
        }
        let common = self.usual_conversion(left, right);
        let (left, right) = (self.fit(left, common), self.fit(right, common));
        let ty = if is_comparison(operator) { TypeId::INT } else { common.ty };
        let result = self.binary(operator, left, right, ty, span);
        Ok(self.result_of(operator, result, common.width))
    }

    /// Reports operands that are not arithmetic; a result if the operands are not modelled.
    fn check_operands(
        &mut self,
        operator: BinaryOp,
        op: ast::BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Checked<Option<ExprId>> {
        let (left, right) = (self.type_of(left), self.type_of(right));
        let integers_only = is_shift(operator)
            || matches!(
                operator,
                BinaryOp::Remainder | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr
            );
        let types = self.types();
        let accepted = |ty| types.is_integer(ty) || (!integers_only && types.is_float(ty));
        if accepted(left) && accepted(right) {
            return Ok(None);
        }
        if self.is_opaque(left) || self.is_opaque(right) {
            let of_operands = if self.is_opaque(left) { left } else { right };
            let ty = if is_comparison(operator) { TypeId::INT } else { of_operands };
            return Ok(Some(self.unsupported("arithmetic on complex or vector values", ty, span)));
        }
        let message = format!(
            "invalid operands to binary {} (have '{}' and '{}')",
            op.symbol(),
            self.show(left),
            self.show(right)
        );
        Err(self.error(span, message))
    }

    fn check_element_size(&mut self, pointer: TypeId, span: Span) -> Checked<()> {
        let Some(target) = self.types().pointee(pointer) else { return Ok(()) };
        if self.types().size_of(target).is_some() || self.is_variable_array(target) {
            return Ok(());
        }
        let message = format!("arithmetic on a pointer to incomplete type '{}'", self.show(target));
        Err(self.error(span, message))
    }

    pub fn pointer_add(&mut self, pointer: ExprId, index: ExprId, subtract: bool, span: Span) -> Checked {
        let ty = self.type_of(pointer).unqualified();
        self.check_element_size(ty, span)?;
        Ok(self.make(ExprKind::PointerAdd { pointer, index, subtract }, ty, span))
    }

    fn pointer_difference(&mut self, left: ExprId, right: ExprId, span: Span) -> Checked {
        let ty = self.type_of(left).unqualified();
        self.check_element_size(ty, span)?;
        let right = self.cast(right, ty, self.span_of(right));
        let difference = self.types().difference_type();
        Ok(self.make(ExprKind::PointerDifference { left, right }, difference, span))
    }

    /// At least one side is a pointer; both become pointers of one type.
    fn compare_pointers(&mut self, op: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked {
        let (left_type, right_type) = (self.type_of(left).unqualified(), self.type_of(right).unqualified());
        for ty in [left_type, right_type] {
            if !self.types().is_pointer(ty) && !self.types().is_integer(ty) {
                let message =
                    format!("comparison between '{}' and '{}'", self.show(left_type), self.show(right_type));
                return Err(self.error(span, message));
            }
        }
        let is_void =
            |this: &Self, ty| this.types().pointee(ty).map(TypeId::unqualified) == Some(TypeId::VOID);
        let keep_left = self.types().is_pointer(left_type) && !self.is_null_constant(left);
        let common = match (keep_left, self.types().is_pointer(right_type)) {
            (true, true) if is_void(self, right_type) && !self.is_null_constant(right) => right_type,
            (true, _) | (_, false) => left_type,
            (false, true) => right_type,
        };
        let left = self.cast(left, common, self.span_of(left));
        let right = self.cast(right, common, self.span_of(right));
        Ok(self.binary(op, left, right, TypeId::INT, span))
    }

    pub fn conditional_expr(
        &mut self,
        condition: ast::ExprId,
        then: Option<ast::ExprId>,
        otherwise: ast::ExprId,
        span: Span,
    ) -> Checked {
        let condition = self.condition(condition)?;
        let then = then.map(|then| self.rvalue(then)).transpose()?;
        let otherwise = self.rvalue(otherwise)?;
        let chosen_then = then.unwrap_or(condition);
        let common = self.conditional_type(chosen_then, otherwise, span)?;
        if let Some(value) = self.int_constant(condition) {
            return Ok(self.fit(if value != 0 { chosen_then } else { otherwise }, common));
        }
        let CommonType { ty, width } = common;
        if then.is_none() && width.is_some() && width != self.precision(condition) {
            return Ok(self.unsupported("'?:' without a middle on a bit-field wider than int", ty, span));
        }
        let then = then.map(|then| self.fit(then, common));
        let otherwise = self.fit(otherwise, common);
        let result = self.make(ExprKind::Conditional { condition, then, otherwise }, ty, span);
        if let Some(width) = width {
            self.note(result, width);
        }
        Ok(result)
    }

    /// C11 6.5.15, and what gcc lets through with a warning.
    fn conditional_type(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Checked<CommonType> {
        let (left, right) = (self.type_of(then).unqualified(), self.type_of(otherwise).unqualified());
        let arithmetic = |ty| self.types().is_integer(ty) || self.types().is_float(ty);
        if arithmetic(left) && arithmetic(right) {
            return Ok(self.usual_conversion(then, otherwise));
        }
        let ty = if left == right { left } else { self.conditional_of(then, otherwise, span)? };
        Ok(CommonType { ty, width: None })
    }

    /// The same for operands of different types that are not both arithmetic.
    fn conditional_of(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Checked<TypeId> {
        let (left, right) = (self.type_of(then).unqualified(), self.type_of(otherwise).unqualified());
        let types = self.types();
        if left == TypeId::VOID || right == TypeId::VOID {
            return Ok(TypeId::VOID);
        }
        let is_void = |ty| types.pointee(ty).map(TypeId::unqualified) == Some(TypeId::VOID);
        match (types.is_pointer(left), types.is_pointer(right)) {
            (true, true) if self.is_null_constant(then) => Ok(right),
            (true, true) if self.is_null_constant(otherwise) => Ok(left),
            (true, true) => Ok(self.common_pointer(if is_void(right) { right } else { left }, left, right)),
            (true, false) if types.is_integer(right) => Ok(left),
            (false, true) if types.is_integer(left) => Ok(right),
            _ if self.is_opaque(left) || self.is_opaque(right) => {
                Ok(if self.is_opaque(left) { left } else { right })
            }
            _ => {
                let message = format!(
                    "type mismatch in conditional expression ('{}' and '{}')",
                    self.show(left),
                    self.show(right)
                );
                Err(self.error(span, message))
            }
        }
    }

    /// The target has the qualifiers of both.
    fn common_pointer(&mut self, chosen: TypeId, left: TypeId, right: TypeId) -> TypeId {
        let targets = (self.types().pointee(left), self.types().pointee(right), self.types().pointee(chosen));
        let (Some(left), Some(right), Some(target)) = targets else { return chosen };
        self.program.types.pointer_to(target.with_qualifiers_of(left).with_qualifiers_of(right))
    }

    pub fn index_expr(&mut self, base: ast::ExprId, index: ast::ExprId, span: Span) -> Checked {
        let base = self.expr(base)?;
        let index = self.expr(index)?;
        let is_pointer_like = |this: &Self, expr| {
            matches!(this.types().get(this.type_of(expr)), Type::Array { .. } | Type::Pointer(_))
        };
        let (base, index) = if is_pointer_like(self, base) { (base, index) } else { (index, base) };
        let index = self.decay(index);
        if !self.types().is_integer(self.type_of(index)) {
            return Err(self.error(span, "array subscript is not an integer"));
        }
        if let Type::Array { element, .. } = *self.types().get(self.type_of(base)) {
            return Ok(self.make(ExprKind::Index { base, index }, element, span));
        }
        let pointer = self.decay(base);
        if !self.types().is_pointer(self.type_of(pointer)) {
            return Err(self.error(span, "subscripted value is neither array nor pointer"));
        }
        if matches!(self.kind(index), ExprKind::Int(0)) {
            return Ok(self.dereference(pointer, span));
        }
        let sum = self.pointer_add(pointer, index, false, span)?;
        Ok(self.dereference(sum, span))
    }

    pub fn arrow_expr(&mut self, base: ast::ExprId, field: Symbol, span: Span) -> Checked {
        let pointer = self.rvalue(base)?;
        let Some(_) = self.types().pointee(self.type_of(pointer)) else {
            let message =
                format!("invalid type argument of '->' (have '{}')", self.show(self.type_of(pointer)));
            return Err(self.error(span, message));
        };
        let record = self.dereference(pointer, self.span_of(pointer));
        self.member_expr(record, field, span)
    }

    /// `base.name`, through anonymous members if need be.
    pub fn member_expr(&mut self, base: ExprId, name: Symbol, span: Span) -> Checked {
        let ty = self.type_of(base);
        let Some(record) = self.types().record(ty) else {
            let message = format!(
                "request for member '{}' in something not a structure or union (have '{}')",
                self.name(name),
                self.show(ty)
            );
            return Err(self.error(span, message));
        };
        if record.layout.is_none() {
            let message = format!("invalid use of undefined type '{}'", self.show(ty));
            return Err(self.error(span, message));
        }
        let mut place = base;
        loop {
            let Some((index, found)) = self.find_field(self.type_of(place), name) else {
                let message = format!("no member named '{}' in '{}'", self.name(name), self.show(ty));
                return Err(self.error(span, message));
            };
            place = self.field_place(place, index, span);
            if found {
                return Ok(place);
            }
        }
    }

    /// The field of that name, or the anonymous one that has it inside (and `false`).
    pub fn find_field(&self, ty: TypeId, name: Symbol) -> Option<(u32, bool)> {
        let fields = self.types().fields(ty);
        if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
            return Some((index as u32, true));
        }
        let inside = |ty| self.find_field(ty, name).is_some();
        let index = fields.iter().position(|field| field.name.is_none() && inside(field.ty))?;
        Some((index as u32, false))
    }

    pub fn field_place(&mut self, base: ExprId, field: u32, span: Span) -> ExprId {
        let record = self.type_of(base);
        let ty = self.types().fields(record)[field as usize].ty;
        let ty = self.inherit_qualifiers(ty, record);
        self.make(ExprKind::Field { base, field }, ty, span)
    }

    /// Members of a const object are const; of an array, its elements.
    fn inherit_qualifiers(&mut self, ty: TypeId, from: TypeId) -> TypeId {
        if from == from.unqualified() {
            return ty;
        }
        match *self.types().get(ty) {
            Type::Array { element, length } => {
                let element = self.inherit_qualifiers(element, from);
                self.program.types.array_of(element, length)
            }
            _ => ty.with_qualifiers_of(from),
        }
    }

    pub fn cast_expr(&mut self, name: ast::TypeName, operand: ast::ExprId, span: Span) -> Checked {
        let mark = self.lengths.len();
        let ty = self.type_name(name)?.ty.unqualified();
        let value = self.rvalue(operand)?;
        let value = self.explicit_cast(value, ty, span)?;
        Ok(self.after_lengths(mark, value))
    }

    fn explicit_cast(&mut self, value: ExprId, ty: TypeId, span: Span) -> Checked {
        let from = self.type_of(value).unqualified();
        if ty == TypeId::VOID {
            return Ok(self.cast(value, ty, span));
        }
        let types = self.types();
        let mixes_float =
            (types.is_float(from) && types.is_pointer(ty)) || (types.is_pointer(from) && types.is_float(ty));
        if types.is_scalar(from) && types.is_scalar(ty) && !mixes_float {
            let result = self.cast(value, ty, span);
            // `(int) x` of an int is a value of its own, not a bit-field any more.
            let narrow = self.bit_field(value).is_some() || self.precision(value).is_some();
            return Ok(if result == value && narrow {
                self.make(ExprKind::Cast(value), ty, span)
            } else {
                result
            });
        }
        if from == ty && (types.record(ty).is_some() || self.is_opaque(ty)) {
            return Ok(value);
        }
        if self.is_opaque(from) || self.is_opaque(ty) {
            return Ok(self.unsupported("conversion of a complex, vector or va_list value", ty, span));
        }
        if types.record(ty).is_some_and(|record| record.is_union)
            && let Some(index) = types.fields(ty).iter().position(|field| field.ty.unqualified() == from)
        {
            return Ok(self.wrap_in_union(value, ty, index as u32));
        }
        let message = match from == TypeId::VOID {
            true => "void value not ignored as it ought to be".into(),
            false => format!("cannot convert '{}' to '{}'", self.show(from), self.show(ty)),
        };
        Err(self.error(span, message))
    }
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight)
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

/// `None` for the short-circuit operators.
fn binary_op(op: ast::BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        ast::BinaryOp::Add => BinaryOp::Add,
        ast::BinaryOp::Subtract => BinaryOp::Subtract,
        ast::BinaryOp::Multiply => BinaryOp::Multiply,
        ast::BinaryOp::Divide => BinaryOp::Divide,
        ast::BinaryOp::Remainder => BinaryOp::Remainder,
        ast::BinaryOp::ShiftLeft => BinaryOp::ShiftLeft,
        ast::BinaryOp::ShiftRight => BinaryOp::ShiftRight,
        ast::BinaryOp::Less => BinaryOp::Less,
        ast::BinaryOp::LessEqual => BinaryOp::LessEqual,
        ast::BinaryOp::Greater => BinaryOp::Greater,
        ast::BinaryOp::GreaterEqual => BinaryOp::GreaterEqual,
        ast::BinaryOp::Equal => BinaryOp::Equal,
        ast::BinaryOp::NotEqual => BinaryOp::NotEqual,
        ast::BinaryOp::BitAnd => BinaryOp::BitAnd,
        ast::BinaryOp::BitXor => BinaryOp::BitXor,
        ast::BinaryOp::BitOr => BinaryOp::BitOr,
        ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr => return None,
    })
}
