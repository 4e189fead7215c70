//! The automaton of one function while it is being built.
//!
//! Statements ask for locations before they know what leads there. A jump is not an edge: it says
//! that two locations are the same (union-find), so that the finished automaton has no empty steps.
//! Only a jump to itself (`for (;;);`) leaves one, since a loop without end must stay one.

use crate::program::{Edge, EdgeKind, LocationId};
use base::Span;
use base::arena::Id;

pub(crate) struct Draft {
    /// What each location has been made the same as; itself if nothing.
    same_as: Vec<LocationId>,
    pub(crate) edges: Vec<Edge>,
    /// Where the next edge starts.
    current: LocationId,
}

impl Draft {
    pub(crate) fn new() -> Draft {
        let start = LocationId(0);
        Draft { same_as: vec![start], edges: Vec::new(), current: start }
    }

    /// Starts over for the next function, whose entry is the current location.
    pub(crate) fn clear(&mut self) {
        self.same_as.clear();
        self.edges.clear();
        self.current = self.location();
    }

    pub(crate) fn current(&self) -> LocationId {
        self.current
    }

    pub(crate) fn location_count(&self) -> usize {
        self.same_as.len()
    }

    pub(crate) fn location(&mut self) -> LocationId {
        let id = LocationId::from_index(self.same_as.len());
        self.same_as.push(id);
        id
    }

    /// The location that stands for all that are the same as this one.
    pub(crate) fn representative(&mut self, mut location: LocationId) -> LocationId {
        while self.same_as[location.index()] != location {
            let next = self.same_as[location.index()];
            self.same_as[location.index()] = self.same_as[next.index()];
            location = next;
        }
        location
    }

    /// What follows is at `location`.
    pub(crate) fn start(&mut self, location: LocationId) {
        self.current = location;
    }

    /// An edge from the current location to a new one, which becomes the current one.
    pub(crate) fn emit(&mut self, kind: EdgeKind, span: Span) {
        let to = self.location();
        self.emit_to(kind, to, span);
        self.current = to;
    }

    /// An edge from the current location, which stays.
    pub(crate) fn emit_to(&mut self, kind: EdgeKind, to: LocationId, span: Span) {
        self.edges.push(Edge { from: self.current, to, kind, span });
    }

    /// The current location, which has no edges yet, is the same as `target`; to be followed by
    /// [`start`](Self::start).
    pub(crate) fn jump(&mut self, target: LocationId, span: Span) {
        let target = self.representative(target);
        if target == self.current {
            self.emit_to(EdgeKind::Skip, target, span);
        } else {
            self.same_as[self.current.index()] = target;
        }
    }

    /// As [`jump`](Self::jump), where nothing follows but what other jumps lead to.
    pub(crate) fn leave(&mut self, target: LocationId, span: Span) {
        self.jump(target, span);
        self.current = self.location();
    }
}
