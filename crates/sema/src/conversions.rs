//! Conversions (C11 6.3) made explicit: decay and loads, promotions, the usual arithmetic
//! conversions, and conversion as if by assignment.
//!
//! Where gcc only warns (pointers to different types, integers for pointers), so does nobody here:
//! the conversion is written out.

use crate::compatible::compatible;
use crate::context::{Analyzer, Checked};
use crate::hir::{Expr, ExprId, ExprKind, Initializer};
use crate::types::{BitRange, FloatKind, IntKind, Type, TypeId};
use base::Span;

/// What a value is converted for; the words of the message if it cannot be.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    Assignment,
    Initialization,
    Argument(usize),
    Return,
}

impl Analyzer<'_> {
    /// Whether the expression names memory rather than a value.
    pub fn is_place(&self, expr: ExprId) -> bool {
        matches!(
            self.kind(expr),
            ExprKind::Variable(_)
                | ExprKind::String(_)
                | ExprKind::Dereference(_)
                | ExprKind::Field { .. }
                | ExprKind::Index { .. }
                | ExprKind::CompoundLiteral { .. }
        )
    }

    /// Whether it may be assigned to: members of a returned struct may not.
    pub fn is_lvalue(&self, mut expr: ExprId) -> bool {
        loop {
            match self.kind(expr) {
                ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => expr = base,
                _ => return self.is_place(expr),
            }
        }
    }

    /// The value of an expression: arrays and functions become pointers, lvalues are loaded.
    pub fn decay(&mut self, expr: ExprId) -> ExprId {
        let Expr { ty, span, .. } = self.program.exprs[expr];
        match *self.types().get(ty) {
            Type::Array { .. } => self.decay_array(expr),
            Type::Function { .. } => self.address_of_place(expr, span),
            _ if self.is_place(expr) => self.load(expr),
            _ => expr,
        }
    }

    fn decay_array(&mut self, expr: ExprId) -> ExprId {
        let Expr { ty, span, .. } = self.program.exprs[expr];
        let Type::Array { element, .. } = *self.types().get(ty) else { return expr };
        let zero = self.int(0, TypeId::INT, span);
        let first = self.make(ExprKind::Index { base: expr, index: zero }, element, span);
        let pointer = self.program.types.pointer_to(element);
        self.make(ExprKind::AddressOf(first), pointer, span)
    }

    /// `&place`, where `&*p` is `p`.
    pub fn address_of_place(&mut self, place: ExprId, span: Span) -> ExprId {
        if let ExprKind::Dereference(pointer) = self.kind(place) {
            return pointer;
        }
        let pointer = self.program.types.pointer_to(self.type_of(place));
        self.make(ExprKind::AddressOf(place), pointer, span)
    }

    /// `*pointer`, where `*&x` is `x` and `*(array + i)` is `array[i]`.
    pub fn dereference(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let target = self.types().pointee(self.type_of(pointer)).unwrap_or(TypeId::VOID);
        match self.kind(pointer) {
            ExprKind::AddressOf(place) if self.type_of(place) == target => return place,
            ExprKind::PointerAdd { pointer: base, index, subtract: false } => {
                if let ExprKind::AddressOf(first) = self.kind(base)
                    && let ExprKind::Index { base: array, index: zero } = self.kind(first)
                    && let ExprKind::Int(0) = self.kind(zero)
                    && self.type_of(first) == target
                {
                    return self.make(ExprKind::Index { base: array, index }, target, span);
                }
            }
            _ => {}
        }
        self.make(ExprKind::Dereference(pointer), target, span)
    }

    /// The bits of the bit-field that an expression loads.
    pub fn bit_field(&self, expr: ExprId) -> Option<BitRange> {
        let place = match self.kind(expr) {
            ExprKind::Load(place) => place,
            ExprKind::Assign { target, .. }
            | ExprKind::CompoundAssign { target, .. }
            | ExprKind::Increment { target, .. } => target,
            ExprKind::Comma { right, .. } => return self.bit_field(right),
            ExprKind::Field { .. } => expr,
            _ => return None,
        };
        let ExprKind::Field { base, field } = self.kind(place) else { return None };
        self.types().fields(self.type_of(base)).get(field as usize)?.bits
    }

    /// The type that integer promotion gives a value.
    pub fn promoted_type(&self, expr: ExprId) -> TypeId {
        let ty = self.type_of(expr).unqualified();
        let Some(shape) = self.types().int_shape(ty) else { return ty };
        if let Some(bits) = self.bit_field(expr) {
            if bits.width < 32 || (bits.width == 32 && shape.signed) {
                return TypeId::INT;
            }
            if bits.width == 32 {
                return TypeId::UNSIGNED_INT;
            }
        }
        self.promoted(ty)
    }

    /// Integer promotion of a type.
    pub fn promoted(&self, ty: TypeId) -> TypeId {
        let ty = ty.unqualified();
        match *self.types().get(ty) {
            Type::Bool => TypeId::INT,
            Type::Int(kind) if kind < IntKind::Int => TypeId::INT,
            Type::Enum(id) => {
                let underlying = self.types().enums[id].underlying.unwrap_or(TypeId::UNSIGNED_INT);
                self.promoted(underlying)
            }
            _ => ty,
        }
    }

    pub fn promote(&mut self, expr: ExprId) -> ExprId {
        let (ty, width) = (self.promoted_type(expr), self.precision(expr));
        let value = self.cast(expr, ty, self.span_of(expr));
        if let Some(width) = width {
            self.note(value, width);
        }
        value
    }

    /// What an argument becomes that no parameter type is known for.
    pub fn promote_argument(&mut self, expr: ExprId) -> ExprId {
        let ty = self.type_of(expr);
        match *self.types().get(ty) {
            Type::Float(FloatKind::Half | FloatKind::Float) => {
                self.cast(expr, TypeId::DOUBLE, self.span_of(expr))
            }
            _ => self.promote(expr),
        }
    }

    /// The usual arithmetic conversions: the common type of two arithmetic operands.
    pub fn common_type(&self, left: ExprId, right: ExprId) -> TypeId {
        let (left_type, right_type) = (self.type_of(left).unqualified(), self.type_of(right).unqualified());
        let float = |ty| match *self.types().get(ty) {
            Type::Float(kind) => Some(kind),
            _ => None,
        };
        match (float(left_type), float(right_type)) {
            (Some(a), Some(b)) => self.types().float_type(a.max(b)),
            (Some(kind), None) | (None, Some(kind)) => self.types().float_type(kind),
            (None, None) => self.common_int(self.promoted_type(left), self.promoted_type(right)),
        }
    }

    pub fn common_int(&self, left: TypeId, right: TypeId) -> TypeId {
        if left == right {
            return left;
        }
        let rank = |ty| match *self.types().get(ty) {
            Type::Int(kind) => int_rank(kind),
            _ => 0,
        };
        let (a, b) = (self.shape(left), self.shape(right));
        if a.signed == b.signed {
            return if rank(left) >= rank(right) { left } else { right };
        }
        let (unsigned, signed) = if a.signed { (right, left) } else { (left, right) };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if self.shape(signed).width > self.shape(unsigned).width {
            signed
        } else {
            unsigned_of(signed)
        }
    }

    /// A value as if assigned to an object of type `ty`.
    pub fn convert(&mut self, expr: ExprId, ty: TypeId, purpose: Purpose) -> Checked {
        let Expr { ty: from, span, .. } = self.program.exprs[expr];
        let ty = ty.unqualified();
        if from.unqualified() == ty {
            return self.check_value(expr, span);
        }
        let types = self.types();
        let convertible = match (types.get(from), types.get(ty)) {
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => false,
            _ => types.is_scalar(from) && types.is_scalar(ty),
        };
        if convertible {
            return Ok(self.cast(expr, ty, span));
        }
        match (self.types().get(from), self.types().get(ty)) {
            (Type::Record(a), Type::Record(b)) if self.same_across_files(*a, *b) => {
                return Ok(self.retype_record(expr, ty));
            }
            (_, Type::Record(id)) => {
                let layout = self.types().records[*id].layout.as_ref();
                if layout.is_some_and(|layout| layout.transparent_union)
                    && let Some(value) = self.transparent_union_of(expr, ty)
                {
                    return Ok(value);
                }
            }
            _ => {}
        }
        if self.is_opaque(from) || self.is_opaque(ty) {
            return Ok(self.unsupported("conversion of a complex, vector or va_list value", ty, span));
        }
        Err(self.conversion_error(from, ty, purpose, span))
    }

    fn check_value(&mut self, expr: ExprId, span: Span) -> Checked {
        if self.types().get(self.type_of(expr)) == &Type::Void {
            return Err(self.error(span, "void value not ignored as it ought to be"));
        }
        Ok(expr)
    }

    fn conversion_error(
        &mut self,
        from: TypeId,
        to: TypeId,
        purpose: Purpose,
        span: Span,
    ) -> crate::context::Reported {
        if self.types().get(from) == &Type::Void {
            return self.error(span, "void value not ignored as it ought to be");
        }
        let (from, to) = (self.show(from), self.show(to));
        let message = match purpose {
            Purpose::Assignment => {
                format!("incompatible types when assigning to type '{to}' from type '{from}'")
            }
            Purpose::Initialization => {
                format!("incompatible types when initializing type '{to}' using type '{from}'")
            }
            Purpose::Argument(index) => {
                format!(
                    "incompatible type for argument {index}: expected '{to}' but argument is of type '{from}'"
                )
            }
            Purpose::Return => {
                format!("incompatible types when returning type '{from}' but '{to}' was expected")
            }
        };
        self.error(span, message)
    }

    /// Complex numbers, vectors and argument lists are passed around but not computed with.
    pub fn is_opaque(&self, ty: TypeId) -> bool {
        match *self.types().get(ty) {
            Type::Complex(_) | Type::VaList => true,
            Type::Record(id) => self.vectors.contains(&id),
            _ => false,
        }
    }

    /// An argument for a parameter that is a transparent union: the first member that it fits.
    fn transparent_union_of(&mut self, value: ExprId, ty: TypeId) -> Option<ExprId> {
        let from = self.type_of(value).unqualified();
        let types = self.types();
        let fields = types.fields(ty);
        let is_null = self.is_null_constant(value);
        let exact = fields.iter().position(|f| compatible(types, f.ty.unqualified(), from));
        let near = || {
            let fits =
                |f: &crate::types::Field| types.is_pointer(f.ty) && (is_null || types.is_pointer(from));
            fields.iter().position(fits)
        };
        let index = exact.or_else(near)?;
        Some(self.wrap_in_union(value, ty, index as u32))
    }

    /// `(union u) value` through the member `field`.
    pub fn wrap_in_union(&mut self, value: ExprId, ty: TypeId, field: u32) -> ExprId {
        let span = self.span_of(value);
        let variable = self.temporary(self.names.literal, ty, span);
        let base = self.variable(variable, span);
        let field_type = self.types().fields(ty)[field as usize].ty;
        let target = self.make(ExprKind::Field { base, field }, field_type, span);
        let value = self.cast(value, field_type, span);
        let items = self.program.init_lists.push([crate::hir::InitItem { target, value }]);
        let initializer = Initializer { zero: true, items };
        let literal = self.make(ExprKind::CompoundLiteral { variable, initializer }, ty, span);
        self.load(literal)
    }

    pub fn is_null_constant(&self, expr: ExprId) -> bool {
        let Expr { kind, ty, .. } = self.program.exprs[expr];
        let is_zero = matches!(kind, ExprKind::Int(0));
        is_zero && (self.types().is_integer(ty) || self.types().pointee(ty) == Some(TypeId::VOID))
    }

    /// Structs of the same name from different files are taken for the same type.
    fn same_across_files(&self, left: crate::types::RecordId, right: crate::types::RecordId) -> bool {
        let (left, right) = (&self.types().records[left], &self.types().records[right]);
        let size = |record: &crate::types::Record| record.layout.as_ref().map(|layout| layout.size);
        left.tag.is_some()
            && left.tag == right.tag
            && left.is_union == right.is_union
            && size(left) == size(right)
    }

    /// A record value read as another record type of the same layout.
    fn retype_record(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        let span = self.span_of(expr);
        let ExprKind::Load(place) = self.kind(expr) else { return expr };
        let address = self.address_of_place(place, span);
        let pointer = self.program.types.pointer_to(ty);
        let address = self.cast(address, pointer, span);
        let place = self.make(ExprKind::Dereference(address), ty, span);
        self.load(place)
    }
}

/// Char and int kinds by rank, signed and unsigned alike.
fn int_rank(kind: IntKind) -> u32 {
    use IntKind::*;
    match kind {
        Char | SignedChar | UnsignedChar => 1,
        Short | UnsignedShort => 2,
        Int | UnsignedInt => 3,
        Long | UnsignedLong => 4,
        LongLong | UnsignedLongLong => 5,
        Int128 | UnsignedInt128 => 6,
    }
}

pub fn unsigned_of(ty: TypeId) -> TypeId {
    match ty.unqualified() {
        TypeId::CHAR | TypeId::SIGNED_CHAR => TypeId::UNSIGNED_CHAR,
        TypeId::SHORT => TypeId::UNSIGNED_SHORT,
        TypeId::INT => TypeId::UNSIGNED_INT,
        TypeId::LONG => TypeId::UNSIGNED_LONG,
        TypeId::LONG_LONG => TypeId::UNSIGNED_LONG_LONG,
        TypeId::INT128 => TypeId::UNSIGNED_INT128,
        other => other,
    }
}
