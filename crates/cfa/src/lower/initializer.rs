//! Declarations and initialisers.

use super::{Lowering, hir};
use crate::program::*;
use base::Span;
use sema::hir::{ExprKind as HirKind, InitItem, Initializer, Storage};

impl Lowering<'_> {
    /// A local comes to life.
    pub(super) fn declare(&mut self, variable: VariableId, initializer: Option<Initializer>, span: Span) {
        if !initializer.is_some_and(|initializer| self.overwrites(variable, initializer)) {
            self.draft.emit(EdgeKind::Declare { variable }, span);
        }
        if let Some(initializer) = initializer {
            self.initialize(variable, initializer, span);
        }
    }

    /// Whether a plain variable gets all of its value from the initialiser, which does not use it.
    fn overwrites(&self, variable: VariableId, initializer: Initializer) -> bool {
        let ty = self.program.variables[variable].ty;
        if !self.program.types.is_scalar(ty) || !self.facts.is_private(variable) {
            return false;
        }
        match self.hir.init_lists[initializer.items] {
            [] => initializer.zero,
            [InitItem { target, value }] => {
                matches!(self.hir.exprs[target].kind, HirKind::Variable(_))
                    && !self.facts.mentions(self.hir, value, variable)
            }
            _ => false,
        }
    }

    fn initialize(&mut self, variable: VariableId, initializer: Initializer, span: Span) {
        let hir = self.hir;
        let items = &hir.init_lists[initializer.items];
        let ty = self.program.variables[variable].ty;
        let in_order = self.covered(items);
        let size = self.program.types.size_of(ty);
        let complete = matches!(in_order, Some(Some(end)) if Some(end) == size);
        let zeroed = initializer.zero && !complete;
        if zeroed {
            self.zero_variable(variable, span);
        }
        for &InitItem { target, value } in items {
            // Later items may overwrite earlier ones only if they are out of order.
            if zeroed && in_order.is_some() && self.is_zero_constant(value) {
                continue;
            }
            let span = if items.len() == 1 { span } else { hir.exprs[value].span };
            let place = self.lvalue(target);
            self.value_into_at(place, value, span);
        }
    }

    fn is_zero_constant(&self, value: hir::ExprId) -> bool {
        matches!(self.hir.exprs[value].kind, HirKind::Int(0))
    }

    /// `None` if the targets of the items are not in ascending order; else how many bytes they
    /// fill from the start without a gap, or `Some(None)` if there is a gap.
    fn covered(&self, items: &[InitItem]) -> Option<Option<u64>> {
        let mut end = 0;
        let mut gap = false;
        for item in items {
            let (offset, size) = self.extent(item.target, item.value)?;
            if offset < end {
                return None;
            }
            gap |= offset > end;
            end = offset + size;
        }
        Some((!gap).then_some(end))
    }

    /// Offset and size of what an item initialises; `None` for bit-fields.
    fn extent(&self, target: hir::ExprId, value: hir::ExprId) -> Option<(u64, u64)> {
        let types = &self.program.types;
        let mut offset = 0u64;
        let mut place = target;
        loop {
            match self.hir.exprs[place].kind {
                HirKind::Field { base, field } => {
                    let field = types.fields(self.hir.exprs[base].ty).get(field as usize)?;
                    if field.bits.is_some() {
                        return None;
                    }
                    offset += field.offset;
                    place = base;
                }
                HirKind::Index { base, index } => {
                    let HirKind::Int(index) = self.hir.exprs[index].kind else { return None };
                    let size = types.size_of(self.hir.exprs[place].ty)?;
                    offset = offset.checked_add(index.checked_mul(size)?)?;
                    place = base;
                }
                _ => break,
            }
        }
        // A string may be shorter than the array that it initialises.
        Some((offset, types.size_of(self.hir.exprs[value].ty)?))
    }

    fn zero_variable(&mut self, variable: VariableId, span: Span) {
        let target = self.variable_place(variable);
        let ty = self.program.variables[variable].ty;
        let kind = if self.program.types.is_scalar(ty) {
            let value = self.zero(ty, span);
            EdgeKind::Assign { target, value }
        } else {
            EdgeKind::Zero { target }
        };
        self.draft.emit(kind, span);
    }

    pub(super) fn initialize_global(&mut self, variable: VariableId) {
        let hir::Variable { storage, initializer, span, .. } = self.hir.variables[variable];
        match (storage, initializer) {
            (Storage::External, _) => {
                let target = self.variable_place(variable);
                self.input(target, None, span);
            }
            (_, Some(initializer)) => self.initialize(variable, initializer, span),
            (_, None) => self.zero_variable(variable, span),
        }
    }
}
