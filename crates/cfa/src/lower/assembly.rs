//! Inline assembly: the places that it writes take any value.

use super::facts::Footprint;
use super::{Lowering, hir};
use crate::program::*;
use base::Span;
use sema::hir::{Assembly, AssemblyResult};

impl Lowering<'_> {
    pub(super) fn assembly(&mut self, assembly: Assembly, span: Span) {
        let hir = self.hir;
        let reads = self.values(&hir.expr_lists[assembly.reads]);
        let reads: Vec<ExprId> = reads.into_iter().map(|value| self.save(value)).collect();
        let writes: Vec<PlaceId> =
            hir.expr_lists[assembly.writes].iter().map(|&place| self.pinned(place)).collect();
        if assembly.result == AssemblyResult::Computed && !writes.is_empty() {
            self.draft.emit(EdgeKind::Approximate("inline assembly"), span);
        }
        for place in writes {
            self.leave_traces(&reads, place, span);
            self.input(place, None, span);
        }
    }

    /// A place that stays the same whatever is written.
    fn pinned(&mut self, place: hir::ExprId) -> PlaceId {
        let mut path = self.path(place);
        self.pin(&mut path, Footprint::EVERYTHING);
        self.place(path)
    }

    /// Assigns all that could be, or hold, a pointer: the value does not stay, but an analysis of what
    /// points where shall see that it might.
    fn leave_traces(&mut self, reads: &[ExprId], place: PlaceId, span: Span) {
        let ty = self.program.places[place].ty;
        let types = &self.program.types;
        let holds_pointer = |ty| !types.is_float(ty) && types.size_of(ty) >= types.size_of(types.size_type());
        if !holds_pointer(ty) {
            return;
        }
        let reads: Vec<ExprId> =
            reads.iter().copied().filter(|&read| holds_pointer(self.type_of(read))).collect();
        for read in reads {
            let value = self.cast(read, ty, span);
            self.draft.emit(EdgeKind::Assign { target: place, value }, span);
        }
    }
}
