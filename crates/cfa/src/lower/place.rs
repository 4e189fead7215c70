//! Lvalues.

use super::build::Path;
use super::{Lowering, hir};
use crate::program::*;
use base::Span;
use sema::hir::ExprKind as HirKind;
use sema::types::{Type, TypeId};

impl Lowering<'_> {
    pub(super) fn lvalue(&mut self, expr: hir::ExprId) -> PlaceId {
        let path = self.path(expr);
        self.place(path)
    }

    /// The way to an lvalue (or to a record that is a value), after its side effects.
    pub(super) fn path(&mut self, expr: hir::ExprId) -> Path {
        self.path_from(None, expr)
    }

    /// As [`path`](Self::path), where the [`first_pointer`](Self::first_pointer) may be known.
    fn path_from(&mut self, pointer: Option<ExprId>, expr: hir::ExprId) -> Path {
        let hir::Expr { kind, ty, span } = self.hir.exprs[expr];
        match kind {
            HirKind::Variable(variable) => Path::new(PlaceBase::Variable(variable), ty),
            HirKind::String(string) => Path::new(PlaceBase::String(string), ty),
            HirKind::Dereference(operand) => match pointer {
                Some(pointer) => Path::new(PlaceBase::Dereference(pointer), ty),
                None => self.dereference(operand, ty),
            },
            HirKind::Field { base, field } => {
                let record = self.hir.exprs[base].ty.unqualified();
                let mut path = self.path_from(pointer, base);
                path.projections.push(Projection::Field { record, field });
                path.ty = ty;
                path
            }
            HirKind::Index { base, index } => {
                let path = self.path_from(pointer, base);
                self.element(path, index, ty, span)
            }
            HirKind::CompoundLiteral { variable, initializer } => {
                self.born(variable);
                self.declare(variable, Some(initializer), span);
                Path::new(PlaceBase::Variable(variable), ty)
            }
            HirKind::Load(place) => self.path(place),
            _ => self.path_of_value(expr),
        }
    }

    /// The pointer that the way to an lvalue starts with, if it does: `p->next->next` starts with
    /// `p->next`. To be walked by a loop, since lists are long.
    pub(super) fn first_pointer(&self, mut place: hir::ExprId) -> Option<hir::ExprId> {
        loop {
            match self.hir.exprs[place].kind {
                HirKind::Field { base, .. } | HirKind::Index { base, .. } => place = base,
                HirKind::Dereference(pointer) => {
                    let plain = !matches!(
                        self.hir.exprs[pointer].kind,
                        HirKind::AddressOf(_) | HirKind::PointerAdd { .. }
                    );
                    return plain.then_some(pointer);
                }
                _ => return None,
            }
        }
    }

    /// The value of an lvalue whose first pointer has been evaluated.
    pub(super) fn load_from(
        &mut self,
        pointer: ExprId,
        place: hir::ExprId,
        ty: TypeId,
        span: Span,
    ) -> ExprId {
        let path = self.path_from(Some(pointer), place);
        let place = self.place(path);
        self.read(place, ty, span)
    }

    /// A value as a place: where it was loaded from, or else a temporary.
    fn path_of_value(&mut self, expr: hir::ExprId) -> Path {
        let value = self.value(expr);
        let value = if matches!(self.program.exprs[value].kind, ExprKind::Load(_)) {
            value
        } else {
            self.save(value)
        };
        match self.program.exprs[value].kind {
            ExprKind::Load(place) => {
                let Place { base, projections, ty } = self.program.places[place];
                let projections = self.program.projections[projections].iter().copied().collect();
                Path { base, projections, ty }
            }
            // A constant: of no record type, so nothing sensible is asked of it.
            _ => {
                let Expr { ty, span, .. } = self.program.exprs[value];
                let variable = self.temporary(ty, span);
                let target = self.variable_place(variable);
                self.draft.emit(EdgeKind::Assign { target, value }, span);
                Path::new(PlaceBase::Variable(variable), ty)
            }
        }
    }

    fn element(&mut self, mut path: Path, index: hir::ExprId, ty: TypeId, span: Span) -> Path {
        self.pin(&mut path, self.facts.writes(index));
        let index = self.value(index);
        let Some(size) = self.program.types.size_of(ty) else {
            return self.runtime_element(path, index, ty, span);
        };
        path.projections.push(Projection::Index { index, size });
        path.ty = ty;
        path
    }

    /// An element whose size is known at run time only: by its address.
    fn runtime_element(&mut self, path: Path, index: ExprId, ty: TypeId, span: Span) -> Path {
        let array = self.place(path);
        let pointer_type = self.program.types.pointer_to(ty);
        let pointer = self.address(array, pointer_type, span);
        let index = self.scaled_index(index, ty, span);
        let pointer = self.expr(ExprKind::PointerAdd { pointer, index, scale: 1 }, pointer_type, span);
        Path::new(PlaceBase::Dereference(pointer), ty)
    }

    /// `*pointer`, seeing through `*&x` and `*(array + i)`.
    fn dereference(&mut self, pointer: hir::ExprId, ty: TypeId) -> Path {
        let hir::Expr { kind, span, .. } = self.hir.exprs[pointer];
        match kind {
            HirKind::AddressOf(place) if self.is_object(place, ty) => return self.path(place),
            HirKind::PointerAdd { pointer, index, subtract: false } => {
                if let Some(array) = self.decayed_array(pointer, ty) {
                    let path = self.path(array);
                    return self.element(path, index, ty, span);
                }
            }
            _ => {}
        }
        let pointer = self.value(pointer);
        Path::new(PlaceBase::Dereference(pointer), ty)
    }

    fn is_object(&self, place: hir::ExprId, ty: TypeId) -> bool {
        let hir::Expr { kind, ty: found, .. } = self.hir.exprs[place];
        found.unqualified() == ty.unqualified() && !matches!(kind, HirKind::Function(_))
    }

    /// The array of `&array[0]`.
    fn decayed_array(&self, pointer: hir::ExprId, ty: TypeId) -> Option<hir::ExprId> {
        let HirKind::AddressOf(place) = self.hir.exprs[pointer].kind else { return None };
        match self.hir.exprs[place].kind {
            HirKind::Index { base, index } if self.is_object(place, ty) => {
                matches!(self.hir.exprs[index].kind, HirKind::Int(0)).then_some(base)
            }
            _ => None,
        }
    }

    pub(super) fn address_of(&mut self, place: hir::ExprId, ty: TypeId, span: Span) -> ExprId {
        match self.hir.exprs[place].kind {
            HirKind::Function(function) => self.function_address(function, ty, span),
            HirKind::Dereference(pointer) => {
                let pointer = self.value(pointer);
                self.cast(pointer, ty, span)
            }
            _ => {
                let place = self.lvalue(place);
                self.address(place, ty, span)
            }
        }
    }

    pub(super) fn address(&mut self, place: PlaceId, ty: TypeId, span: Span) -> ExprId {
        let Place { base, projections, .. } = self.program.places[place];
        match base {
            PlaceBase::Variable(variable) => self.program.variables[variable].address_taken = true,
            PlaceBase::Dereference(pointer) if projections.is_empty() => return self.cast(pointer, ty, span),
            _ => {}
        }
        self.expr(ExprKind::AddressOf(place), ty, span)
    }

    /// Whether a place is a bit-field, whose value may differ from the one assigned to it.
    pub(super) fn is_bit_field(&self, place: PlaceId) -> bool {
        match self.program.projections[self.program.places[place].projections].last() {
            Some(&Projection::Field { record, field }) => self
                .program
                .types
                .fields(record)
                .get(field as usize)
                .is_some_and(|field| field.bits.is_some()),
            _ => false,
        }
    }

    /// A place that a call may write its result to: part of a variable, found without computing.
    pub(super) fn is_fixed(&self, place: PlaceId) -> bool {
        let Place { base, projections, ty } = self.program.places[place];
        matches!(base, PlaceBase::Variable(_))
            && !matches!(self.program.types.get(ty), Type::Array { .. })
            && !self.is_bit_field(place)
            && self.program.projections[projections].iter().all(|projection| match *projection {
                Projection::Field { .. } => true,
                Projection::Index { index, .. } => self.as_constant(index).is_some(),
            })
    }
}
