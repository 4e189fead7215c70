//! Declaration specifiers, type names and declarators to types (C11 6.7.2, 6.7.6, 6.7.7).

use crate::attributes::Attributes;
use crate::context::{Analyzer, Checked};
use crate::hir;
use crate::scope::Entity;
use crate::types::{FloatKind, Length, Type, TypeId};
use base::{Range, Span, Symbol};
use syntax::ast::{self, ArrayLength, Derivation, FloatSize, IntSize, ParameterStyle, TypeSpecifier};

/// A type, and the alignment that a typedef or an attribute gave it in place of its own.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    pub ty: TypeId,
    pub alignment: Option<u64>,
}

impl From<TypeId> for Declared {
    fn from(ty: TypeId) -> Self {
        Self { ty, alignment: None }
    }
}

impl Analyzer<'_> {
    /// `alone`: nothing is declared but the tag, as in `struct s;`.
    pub fn specifier_type(&mut self, id: ast::SpecifiersId, alone: bool) -> Checked<Declared> {
        let specifiers = self.ast.specifiers[id];
        let mut declared = self.base_type(&specifiers, alone)?;
        let qualifiers = specifiers.qualifiers;
        declared.ty = self.qualify(declared.ty, qualifiers);
        Ok(declared)
    }

    fn base_type(&mut self, specifiers: &ast::Specifiers, alone: bool) -> Checked<Declared> {
        let span = specifiers.span;
        Ok(match specifiers.ty {
            TypeSpecifier::Void => TypeId::VOID.into(),
            TypeSpecifier::Bool => TypeId::BOOL.into(),
            TypeSpecifier::Char { signedness: None } => TypeId::CHAR.into(),
            TypeSpecifier::Char { signedness: Some(ast::Signedness::Signed) } => TypeId::SIGNED_CHAR.into(),
            TypeSpecifier::Char { signedness: Some(ast::Signedness::Unsigned) } => {
                TypeId::UNSIGNED_CHAR.into()
            }
            TypeSpecifier::Int { size, unsigned } => int_type(size, unsigned).into(),
            TypeSpecifier::Float(size) => self.types().float_type(float_kind(size)).into(),
            TypeSpecifier::Complex(size) => self.program.types.intern(Type::Complex(float_kind(size))).into(),
            TypeSpecifier::ComplexInt => self.program.types.intern(Type::Complex(FloatKind::Float)).into(),
            TypeSpecifier::Tag(tag) => self.tag_type(tag, specifiers, alone)?.into(),
            TypeSpecifier::TypedefName(name) => self.typedef_type(name, span)?,
            TypeSpecifier::TypeofExpr(expr) => self.typeof_expr(expr)?.into(),
            TypeSpecifier::TypeofType(name) | TypeSpecifier::AtomicType(name) => self.type_name(name)?,
            TypeSpecifier::VaList => TypeId::VA_LIST.into(),
            TypeSpecifier::Implicit | TypeSpecifier::Auto => TypeId::INT.into(),
        })
    }

    fn typedef_type(&mut self, name: Symbol, span: Span) -> Checked<Declared> {
        match self.scopes.lookup(name).entity {
            Entity::Typedef(index) => {
                let typedef = self.typedefs[index as usize];
                Ok(Declared { ty: typedef.ty, alignment: typedef.alignment })
            }
            Entity::Poisoned => Err(crate::context::Reported),
            _ => {
                let message = format!("unknown type name '{}'", self.name(name));
                Err(self.error(span, message))
            }
        }
    }

    /// The operand is not evaluated, and does not decay.
    fn typeof_expr(&mut self, expr: ast::ExprId) -> Checked<TypeId> {
        let mark = self.lengths.len();
        let value = self.expr(expr)?;
        self.lengths.truncate(mark);
        Ok(self.type_of(value))
    }

    fn qualify(&mut self, ty: TypeId, qualifiers: ast::Qualifiers) -> TypeId {
        if !(qualifiers.is_const | qualifiers.is_volatile) {
            return ty;
        }
        // Qualifiers of an array are those of its elements.
        if let Type::Array { element, length } = *self.types().get(ty) {
            let element = self.qualify(element, qualifiers);
            return self.program.types.array_of(element, length);
        }
        ty.qualified(qualifiers.is_const, qualifiers.is_volatile)
    }

    /// `specifiers abstract-declarator`. Lengths of variable arrays are left in `lengths`.
    pub fn type_name(&mut self, name: ast::TypeName) -> Checked<Declared> {
        let base = self.specifier_type(name.specifiers, false)?;
        let specifiers = &self.ast.specifiers[name.specifiers];
        let declarator = self.ast.declarators[name.declarator];
        let attributes = self.attributes(specifiers.attributes)?;
        let attributes = attributes.and(self.attributes(declarator.attributes)?);
        let mut declared = self.declarator_type(base, &declarator, declarator.derivations)?;
        declared.ty = self.changed_by(declared.ty, &attributes, declarator.span)?;
        declared.alignment = attributes.alignment.or(declared.alignment);
        Ok(declared)
    }

    /// Wraps `base` in pointers, arrays and functions. What attributes change comes after.
    pub fn declarator_type(
        &mut self,
        base: Declared,
        declarator: &ast::Declarator,
        derivations: Range<Derivation>,
    ) -> Checked<Declared> {
        let ast = self.ast;
        self.derive_all(base, &ast.derivations[derivations], declarator.span)
    }

    pub fn derive_all(
        &mut self,
        base: Declared,
        derivations: &[Derivation],
        span: Span,
    ) -> Checked<Declared> {
        let mut declared = base;
        let mark = self.lengths.len();
        for derivation in derivations.iter().rev() {
            declared = self.derive(declared, derivation, span)?;
        }
        // Types grow from the inside, but lengths are evaluated as they are written.
        self.lengths[mark..].reverse();
        Ok(declared)
    }

    fn derive(&mut self, inner: Declared, derivation: &Derivation, span: Span) -> Checked<Declared> {
        match *derivation {
            Derivation::Pointer(qualifiers) => {
                let pointer = self.program.types.pointer_to(inner.ty);
                Ok(pointer.qualified(qualifiers.is_const, qualifiers.is_volatile).into())
            }
            Derivation::Array { length, .. } => {
                let ty = self.array_type(inner.ty, length, span)?;
                Ok(Declared { ty, alignment: inner.alignment })
            }
            Derivation::Function { parameters, variadic, style } => {
                Ok(self.function_type(inner.ty, parameters, variadic, style, span)?.into())
            }
        }
    }

    fn array_type(&mut self, element: TypeId, length: ArrayLength, span: Span) -> Checked<TypeId> {
        let refused = match self.types().get(element) {
            Type::Function { .. } => Some("functions"),
            Type::Void => Some("voids"),
            _ => None,
        };
        if let Some(what) = refused {
            return Err(self.error(span, format!("declaration of an array of {what}")));
        }
        if let Type::Record(id) = *self.types().get(element)
            && self.types().records[id].layout.is_none()
        {
            let message = format!("array type has incomplete element type '{}'", self.show(element));
            return Err(self.error(span, message));
        }
        let length = match length {
            ArrayLength::None | ArrayLength::Star => Length::Unknown,
            ArrayLength::Expr(expr) => self.array_length(expr)?,
        };
        if let (Length::Known(length), Some(size)) = (length, self.types().size_of(element))
            && size.checked_mul(length).is_none_or(|size| size > self.types().largest_size())
        {
            return Err(self.error(span, "size of array is too large"));
        }
        Ok(self.program.types.array_of(element, length))
    }

    /// A constant, or a fresh variable that holds the number of elements.
    fn array_length(&mut self, expr: ast::ExprId) -> Checked<Length> {
        let value = self.rvalue(expr)?;
        let (ty, span) = (self.type_of(value), self.span_of(value));
        if !self.types().is_integer(ty) {
            return Err(self.error(span, "size of array has non-integer type"));
        }
        if let Some(length) = self.evaluate(value) {
            return match u64::try_from(length) {
                Ok(length) => Ok(Length::Known(length)),
                Err(_) => Err(self.error(span, "size of array is negative")),
            };
        }
        if self.prototypes > 0 {
            return Ok(Length::Unknown);
        }
        if self.function.is_none() {
            return Err(self.error(span, "variably modified type at file scope"));
        }
        let size_type = self.types().size_type();
        let variable = self.temporary(self.names.length, size_type, span);
        let vla = self.program.vlas.push(variable);
        let value = self.cast(value, size_type, span);
        let target = self.variable(variable, span);
        let assignment = self.assign(target, value, span);
        self.lengths.push(assignment);
        Ok(Length::Variable(vla))
    }

    fn function_type(
        &mut self,
        result: TypeId,
        parameters: Range<ast::Parameter>,
        variadic: bool,
        style: ParameterStyle,
        span: Span,
    ) -> Checked<TypeId> {
        self.check_result_type(result, span)?;
        let prototype = style == ParameterStyle::Prototype;
        let parameters = if prototype { self.prototype_parameters(parameters)? } else { Box::default() };
        Ok(self.program.types.intern(Type::Function { result, parameters, variadic, prototype }))
    }

    pub fn check_result_type(&mut self, result: TypeId, span: Span) -> Checked<()> {
        match self.types().get(result) {
            Type::Function { .. } => Err(self.error(span, "function declared as returning a function")),
            Type::Array { .. } => Err(self.error(span, "function declared as returning an array")),
            _ => Ok(()),
        }
    }

    /// The parameters of a declaration that is not a definition. Their names are visible to the
    /// lengths of the arrays among them, and what those lengths are does not matter.
    fn prototype_parameters(&mut self, parameters: Range<ast::Parameter>) -> Checked<Box<[TypeId]>> {
        if self.is_void_list(parameters) {
            return Ok(Box::default());
        }
        let ast = self.ast;
        let mark = self.lengths.len();
        self.scopes.enter();
        self.prototypes += 1;
        let list = &ast.parameters[parameters];
        let named = list.iter().any(|parameter| self.has_inner_length(parameter));
        let types = list.iter().map(|parameter| {
            let (_, declared) = self.parameter_type(parameter)?;
            if let (true, Some(name)) = (named, ast.declarators[parameter.declarator].name) {
                self.bind_prototype_parameter(name, declared.ty, parameter.span);
            }
            Ok(declared.ty.unqualified())
        });
        let types = types.collect();
        self.prototypes -= 1;
        self.scopes.leave();
        self.lengths.truncate(mark);
        types
    }

    /// A variable that is only there for its type.
    fn bind_prototype_parameter(&mut self, name: Symbol, ty: TypeId, span: Span) {
        let variable = hir::Variable::new(name, ty, hir::Storage::External, span);
        let id = self.program.variables.push(variable);
        self.scopes.bind(name, Entity::Variable(id));
    }

    /// Whether a dimension that matters is not written as a plain number.
    fn has_inner_length(&self, parameter: &ast::Parameter) -> bool {
        let derivations = &self.ast.derivations[self.ast.declarators[parameter.declarator].derivations];
        derivations.iter().skip(1).any(|derivation| match *derivation {
            Derivation::Array { length: ArrayLength::Expr(length), .. } => {
                !matches!(self.ast.exprs[length].kind, ast::ExprKind::Int(_))
            }
            _ => false,
        })
    }

    /// `(void)`
    pub fn is_void_list(&self, parameters: Range<ast::Parameter>) -> bool {
        let [parameter] = self.ast.parameters[parameters] else { return false };
        let declarator = &self.ast.declarators[parameter.declarator];
        let Some(specifiers) = parameter.specifiers else { return false };
        if declarator.name.is_some() || !declarator.derivations.is_empty() {
            return false;
        }
        match self.ast.specifiers[specifiers].ty {
            TypeSpecifier::Void => true,
            TypeSpecifier::TypedefName(name) => match self.scopes.lookup(name).entity {
                Entity::Typedef(index) => self.typedefs[index as usize].ty == TypeId::VOID,
                _ => false,
            },
            _ => false,
        }
    }

    /// The type of a parameter, adjusted: arrays and functions are pointers.
    pub fn parameter_type(&mut self, parameter: &ast::Parameter) -> Checked<(Attributes, Declared)> {
        let Some(specifiers) = parameter.specifiers else {
            return Ok((Attributes::default(), TypeId::INT.into()));
        };
        let base = self.specifier_type(specifiers, false)?;
        let declarator = self.ast.declarators[parameter.declarator];
        let attributes = self.attributes(declarator.attributes)?;
        let attributes = attributes.and(self.attributes(self.ast.specifiers[specifiers].attributes)?);
        let mut declared = self.adjusted_type(base, &declarator)?;
        declared.ty = self.changed_by(declared.ty, &attributes, declarator.span)?;
        if self.types().get(declared.ty) == &Type::Void {
            return Err(self.error(parameter.span, "parameter has type 'void'"));
        }
        Ok((attributes, declared))
    }

    /// The length of the outermost array of a parameter says nothing, but computing it may have effects.
    pub fn adjusted_type(&mut self, base: Declared, declarator: &ast::Declarator) -> Checked<Declared> {
        let ast = self.ast;
        let derivations = &ast.derivations[declarator.derivations];
        if let Some((Derivation::Array { qualifiers, length, .. }, rest)) = derivations.split_first() {
            if let (ArrayLength::Expr(length), 0, true) = (*length, self.prototypes, self.function.is_some())
            {
                let length = self.rvalue(length)?;
                self.lengths.push(length);
            }
            let element = self.derive_all(base, rest, declarator.span)?;
            let pointer = self.program.types.pointer_to(element.ty);
            return Ok(pointer.qualified(qualifiers.is_const, qualifiers.is_volatile).into());
        }
        let declared = self.derive_all(base, derivations, declarator.span)?;
        let target = match *self.types().get(declared.ty) {
            Type::Array { element, .. } => element,
            Type::Function { .. } => declared.ty,
            _ => return Ok(declared),
        };
        Ok(self.program.types.pointer_to(target).into())
    }

    /// Reports an object of incomplete type.
    pub fn check_complete(&mut self, ty: TypeId, name: Symbol, span: Span) -> Checked<()> {
        let incomplete = match self.types().get(ty) {
            Type::Void => true,
            Type::Record(id) => self.types().records[*id].layout.is_none(),
            Type::Enum(id) => self.types().enums[*id].underlying.is_none(),
            Type::Array { element, length } => {
                if *length == Length::Unknown {
                    let message = format!("array size missing in '{}'", self.name(name));
                    return Err(self.error(span, message));
                }
                return self.check_complete(*element, name, span);
            }
            _ => false,
        };
        if !incomplete {
            return Ok(());
        }
        let message = format!("variable '{}' has incomplete type '{}'", self.name(name), self.show(ty));
        Err(self.error(span, message))
    }

    /// Whether values of the type are variable-length arrays or contain the length of one.
    pub fn is_variable_array(&self, ty: TypeId) -> bool {
        match *self.types().get(ty) {
            Type::Array { length: Length::Variable(_), .. } => true,
            Type::Array { element, .. } => self.is_variable_array(element),
            _ => false,
        }
    }

    /// `sizeof` as an expression of type `size_t`; `None` if the type is incomplete.
    pub fn size_expr(&mut self, ty: TypeId, span: Span) -> Option<hir::ExprId> {
        let size_type = self.types().size_type();
        if let Some(size) = self.types().size_of(ty) {
            return Some(self.int(i128::from(size), size_type, span));
        }
        let Type::Array { element, length } = *self.types().get(ty) else { return None };
        let count = match length {
            Length::Known(length) => self.int(i128::from(length), size_type, span),
            Length::Unknown => return None,
            Length::Variable(vla) => {
                let variable = self.variable(self.program.vlas[vla], span);
                self.load(variable)
            }
        };
        let size = self.size_expr(element, span)?;
        let kind = hir::ExprKind::Binary { op: hir::BinaryOp::Multiply, left: count, right: size };
        Some(self.make(kind, size_type, span))
    }
}

fn int_type(size: IntSize, unsigned: bool) -> TypeId {
    match (size, unsigned) {
        (IntSize::Short, false) => TypeId::SHORT,
        (IntSize::Short, true) => TypeId::UNSIGNED_SHORT,
        (IntSize::Int, false) => TypeId::INT,
        (IntSize::Int, true) => TypeId::UNSIGNED_INT,
        (IntSize::Long, false) => TypeId::LONG,
        (IntSize::Long, true) => TypeId::UNSIGNED_LONG,
        (IntSize::LongLong, false) => TypeId::LONG_LONG,
        (IntSize::LongLong, true) => TypeId::UNSIGNED_LONG_LONG,
        (IntSize::Int128, false) => TypeId::INT128,
        (IntSize::Int128, true) => TypeId::UNSIGNED_INT128,
    }
}

pub fn float_kind(size: FloatSize) -> FloatKind {
    match size {
        FloatSize::Half => FloatKind::Half,
        FloatSize::Float => FloatKind::Float,
        FloatSize::Double => FloatKind::Double,
        FloatSize::LongDouble => FloatKind::LongDouble,
        FloatSize::Quad => FloatKind::Quad,
    }
}
