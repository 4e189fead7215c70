//! Where the objects of a block end (C11 6.2.4).
//!
//! A pointer can outlive the block whose local it points to: [`EdgeKind::EndOfLife`] says that the
//! object is gone, on every way out of the block. Locals whose address is never taken need no such
//! edge, unless it matters what they point to ([`Lives::Pointing`]), nor do those of a function's
//! outermost block, which end with the call. What a statement
//! expression declares may still be needed for its value, and ends with the block around it.
//!
//! A `goto` may lead to a label that is not met yet, so its edges are made when the function is done.

use super::Lowering;
use super::facts::Footprint;
use crate::program::{EdgeKind, LocationId, VariableId};
use base::{Range, Span};
use rustc_hash::FxHashMap;
use sema::hir::{LabelId, StmtId, StmtKind};

/// Of which locals of inner blocks the end is told.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Lives {
    /// Of those that something may point to.
    #[default]
    PointedTo,
    /// Also of those that may point to something: it is lost if nothing else does.
    Pointing,
}

/// A block of the function, numbered in the order of the text; 0 is the outermost.
type Block = u32;

#[derive(Default)]
pub(super) struct Lifetimes {
    /// The block around each block.
    parents: Vec<Block>,
    current: Block,
    /// Objects that may be alive and are to end with their block, innermost last.
    alive: Vec<(Block, VariableId)>,
    labels: FxHashMap<LabelId, Block>,
    jumps: Vec<Jump>,
}

/// A `goto` from where objects are alive.
struct Jump {
    from: LocationId,
    label: LabelId,
    alive: Vec<(Block, VariableId)>,
    span: Span,
}

/// What a `break` or `continue` goes to.
#[derive(Clone, Copy)]
pub(super) struct Target {
    location: LocationId,
    /// How many objects stay alive.
    alive: usize,
}

impl Lifetimes {
    /// The block around `block`; `None` for the outermost.
    fn parent(&self, block: Block) -> Option<Block> {
        self.parents.get((block as usize).checked_sub(1)?).copied()
    }

    fn encloses(&self, outer: Block, mut inner: Block) -> bool {
        // Numbers grow inwards.
        while inner > outer {
            let Some(parent) = self.parent(inner) else { break };
            inner = parent;
        }
        inner == outer
    }
}

impl Lowering<'_> {
    /// Lowers what has a scope of its own.
    pub(super) fn scope(&mut self, span: Span, content: impl FnOnce(&mut Self)) {
        let lifetimes = &mut self.frame.lifetimes;
        let outer = lifetimes.current;
        lifetimes.parents.push(outer);
        lifetimes.current = lifetimes.parents.len() as Block;
        let mark = lifetimes.alive.len();
        content(self);
        self.end_lives(mark, Span::new(span.end.saturating_sub(1).max(span.start), span.end));
        self.frame.lifetimes.alive.truncate(mark);
        self.frame.lifetimes.current = outer;
    }

    /// Lowers statements of the current scope. Their objects live as long as it lasts, also where
    /// control comes back to before a declaration.
    pub(super) fn statements(&mut self, list: Range<StmtId>) {
        let hir = self.hir;
        for &stmt in &hir.stmt_lists[list] {
            self.born_in(stmt);
        }
        hir.stmt_lists[list].iter().for_each(|&stmt| self.statement(stmt));
    }

    /// Lowers the block of a statement expression, or of a function, as part of the current scope.
    pub(super) fn inner_statements(&mut self, block: StmtId) {
        match self.hir.stmts[block].kind {
            StmtKind::Block(list) => self.statements(list),
            _ => self.statement(block),
        }
    }

    pub(super) fn born_in(&mut self, stmt: StmtId) {
        if let StmtKind::Declare { variable, .. } | StmtKind::DeclareVla { variable, .. } =
            self.hir.stmts[stmt].kind
        {
            self.born(variable);
        }
    }

    /// The object ends with the current block, if anyone can tell.
    pub(super) fn born(&mut self, variable: VariableId) {
        let block = self.frame.lifetimes.current;
        if block > 0 && (self.may_be_pointed_to(variable) || self.may_point(variable)) {
            self.frame.lifetimes.alive.push((block, variable));
        }
    }

    fn may_be_pointed_to(&self, variable: VariableId) -> bool {
        self.facts.variable(variable) == Footprint::MEMORY
    }

    /// Numbers may be pointers, too, if they are long enough.
    fn may_point(&self, variable: VariableId) -> bool {
        let types = &self.program.types;
        let size = types.size_of(self.program.variables[variable].ty).unwrap_or(u64::MAX);
        self.lives == Lives::Pointing && size >= types.pointer_size()
    }

    fn end_lives(&mut self, mark: usize, span: Span) {
        for index in (mark..self.frame.lifetimes.alive.len()).rev() {
            let (_, variable) = self.frame.lifetimes.alive[index];
            self.draft.emit(EdgeKind::EndOfLife { variable }, span);
        }
    }

    pub(super) fn target(&self, location: LocationId) -> Target {
        Target { location, alive: self.frame.lifetimes.alive.len() }
    }

    pub(super) fn leave_to(&mut self, target: Option<Target>, span: Span) {
        match target {
            Some(Target { location, alive }) => {
                self.end_lives(alive, span);
                self.draft.leave(location, span);
            }
            None => self.draft.emit(EdgeKind::Unsupported("break or continue outside of a loop"), span),
        }
    }

    pub(super) fn goto(&mut self, label: LabelId, span: Span) {
        let location = self.way_to_label(label, span);
        self.draft.leave(location, span);
    }

    /// A location from which control goes on to the label.
    pub(super) fn way_to_label(&mut self, label: LabelId, span: Span) -> LocationId {
        if self.frame.lifetimes.alive.is_empty() {
            return self.label_location(label);
        }
        let from = self.draft.location();
        let alive = self.frame.lifetimes.alive.clone();
        self.frame.lifetimes.jumps.push(Jump { from, label, alive, span });
        from
    }

    pub(super) fn note_label(&mut self, label: LabelId) {
        let block = self.frame.lifetimes.current;
        if block > 0 {
            self.frame.lifetimes.labels.insert(label, block);
        }
    }

    /// All labels are known now.
    pub(super) fn finish_jumps(&mut self) {
        for Jump { from, label, alive, span } in std::mem::take(&mut self.frame.lifetimes.jumps) {
            let block = self.frame.lifetimes.labels.get(&label).copied().unwrap_or(0);
            self.draft.start(from);
            for &(owner, variable) in alive.iter().rev() {
                if !self.frame.lifetimes.encloses(owner, block) {
                    self.draft.emit(EdgeKind::EndOfLife { variable }, span);
                }
            }
            let location = self.label_location(label);
            self.draft.jump(location, span);
        }
    }
}
