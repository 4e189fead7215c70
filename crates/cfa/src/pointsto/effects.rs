//! What functions without a body do to pointers.
//!
//! Assumed of the environment: an undefined function writes only memory of its own, and a pointer
//! that it returns is null or points there. So its result is [`ObjectKind::Outside`], and what its
//! arguments point to stays as it is. Functions of the C library do what the standard says; those
//! that copy strings are taken to copy no pointers.

use super::constraints::{Argument, Constraint, Destination, Site, System};
use super::memory::{ObjectKind, Offset, Step};
use crate::library::Library;
use crate::program::{Callee, EdgeKind, ExprId, ExprKind, FunctionId};
use sema::types::TypeId;

impl System<'_> {
    pub fn link_undefined(&mut self, site: u32, function: FunctionId) {
        let Some(library) = self.program.functions[function].library else {
            return self.unknown_result(site);
        };
        use Library::*;
        match library {
            Malloc | Alloca | BuiltinAlloca | Strdup | Strndup => self.allocate(site, true),
            Calloc => self.allocate(site, false),
            Realloc => self.reallocate(site),
            Memcpy | Memmove => {
                self.copy_memory(site);
                self.give_argument(site, 0, Step::KnownElements(0, 1));
            }
            Memset | Strcpy | Strncpy | Strcat | Strncat => {
                self.give_argument(site, 0, Step::KnownElements(0, 1))
            }
            Memchr | Strchr | Strrchr | Strstr | Strpbrk => self.give_argument(site, 0, Step::Elements(1)),
            Strtol | Strtoul | Strtoll | Strtoull | Strtod => self.store_end(site),
            Qsort => self.call_back(site, 3, [0, 0]),
            Bsearch => {
                self.give_argument(site, 1, Step::Anywhere);
                self.call_back(site, 4, [0, 1]);
            }
            _ => self.unknown_result(site),
        }
    }

    fn scalar_argument(&self, site: u32, index: usize) -> Option<u32> {
        match self.sites[site as usize].arguments.get(index) {
            Some(&Argument::Scalar(node)) => Some(node),
            _ => None,
        }
    }

    /// The call returns one of its arguments, moved.
    fn give_argument(&mut self, site: u32, index: usize, step: Step) {
        if let Some(node) = self.scalar_argument(site, index) {
            let node = self.moved(node, step);
            self.give(site, node, self.sites[site as usize].result_type);
        }
    }

    fn allocate(&mut self, site: u32, uninitialised: bool) {
        let edge = self.sites[site as usize].edge;
        let kind = ObjectKind::Heap(edge);
        let object = match self.memory.object(kind) {
            Some(object) => object,
            None => self.add_object(kind, self.heap_types.get(&edge).copied(), true),
        };
        if uninitialised {
            let outside = self.outside();
            self.store(object, Offset::Any, None, outside);
        }
        let start = self.memory.folded(&self.program.types, object, 0);
        let node = self.constant(object, start);
        self.give(site, node, self.sites[site as usize].result_type);
    }

    /// A fresh object that holds what the old one held; or the old one.
    fn reallocate(&mut self, site: u32) {
        self.allocate(site, true);
        self.give_argument(site, 0, Step::KnownElements(0, 1));
        let object = self.memory.object(ObjectKind::Heap(self.sites[site as usize].edge));
        if let (Some(object), Some(old)) = (object, self.scalar_argument(site, 0)) {
            let contents = self.new_node();
            self.add_constraint(old, Constraint::Load { size: None, to: contents });
            self.store(object, Offset::Any, None, contents);
        }
    }

    /// `memcpy`: cell by cell if it is known what is copied, else everything to everywhere.
    fn copy_memory(&mut self, site: u32) {
        let (Some(to), Some(from)) = (self.scalar_argument(site, 0), self.scalar_argument(site, 1)) else {
            return;
        };
        if let Some(ty) = self.copied_type(site) {
            let first = self.new_record(ty);
            self.add_constraint(from, Constraint::LoadRecord { ty, to: first });
            self.add_constraint(to, Constraint::StoreRecord { ty, from: first });
            return;
        }
        let size = self.constant_argument(site, 2);
        let contents = self.new_node();
        self.add_constraint(from, Constraint::Load { size, to: contents });
        self.add_constraint(to, Constraint::Store { size, from: contents });
    }

    /// The record type that both pointers had before they became `void *`, if just one is copied.
    fn copied_type(&self, site: u32) -> Option<TypeId> {
        let (to, from) = (self.pointed_argument(site, 0)?, self.pointed_argument(site, 1)?);
        let types = &self.program.types;
        let size = types.size_of(to)?;
        (to == from && types.record(to).is_some() && self.constant_argument(site, 2) == Some(size))
            .then_some(to)
    }

    fn argument_expr(&self, site: u32, index: usize) -> Option<ExprId> {
        let Site { edge, is_callback, .. } = self.sites[site as usize];
        let EdgeKind::Call(call) = self.program.edges[edge].kind else { return None };
        let call = &self.program.calls[call];
        (matches!(call.callee, Callee::Direct(_)) && !is_callback)
            .then(|| self.program.expr_lists[call.arguments].get(index).copied())
            .flatten()
    }

    fn pointed_argument(&self, site: u32, index: usize) -> Option<TypeId> {
        let mut expr = self.argument_expr(site, index)?;
        while let ExprKind::Cast(inner) = self.program.exprs[expr].kind {
            expr = inner;
        }
        self.program.types.pointee(self.program.exprs[expr].ty).map(TypeId::unqualified)
    }

    fn constant_argument(&self, site: u32, index: usize) -> Option<u64> {
        let mut expr = self.argument_expr(site, index)?;
        while let ExprKind::Cast(inner) = self.program.exprs[expr].kind {
            expr = inner;
        }
        match self.program.exprs[expr].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// `strtol`: the second argument points to where a pointer into the first goes.
    fn store_end(&mut self, site: u32) {
        let (Some(text), Some(end)) = (self.scalar_argument(site, 0), self.scalar_argument(site, 1)) else {
            return;
        };
        let from = self.moved(text, Step::Elements(1));
        let size = Some(self.program.types.pointer_size());
        self.add_constraint(end, Constraint::Store { size, from });
    }

    /// The function calls the one that its argument `index` points to, with pointers into what two
    /// of its arguments point to. These calls belong to no edge.
    fn call_back(&mut self, site: u32, index: usize, passed: [usize; 2]) {
        let Some(callee) = self.scalar_argument(site, index) else { return };
        let mut arguments = Vec::new();
        for argument in passed {
            let node = self.scalar_argument(site, argument);
            arguments.push(
                node.map_or(Argument::Plain, |node| Argument::Scalar(self.moved(node, Step::Anywhere))),
            );
        }
        let edge = self.sites[site as usize].edge;
        let result = Destination::Nowhere;
        let inner =
            self.add_site(Site { edge, is_callback: true, arguments, result, result_type: TypeId::VOID });
        self.add_constraint(callee, Constraint::Call { site: inner });
    }
}
