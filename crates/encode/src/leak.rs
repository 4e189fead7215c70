//! Memory that is left when the program ends.
//!
//! All of it counts for valid-memcleanup; for valid-memtrack, only what no pointer leads to. An object
//! is found by a pointer to anywhere in it or just behind it, in a variable or in an object that is
//! itself found. What is not looked into (large arrays of small elements) finds nothing: a proof stays a
//! proof, and the interpreter has the last word on a leak.

use crate::Check;
use crate::encoder::Encoder;
use crate::objects::{ObjectId, ObjectKind};
use crate::state::{Content, State};
use base::Span;
use cfa::EdgeId;
use term::{TermId, TermPool};

/// Where a state keeps whether objects that were never seen may be left.
pub(crate) const UNSEEN_LEFT: u32 = crate::lifetime::ALIVE | (ObjectId::LAST_SLOT);

/// Elements of large arrays of pointers that are looked into.
const MOST_ELEMENTS: u64 = 256;

/// A pointer in memory, which may be gone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pointer {
    value: TermId,
    is_there: TermId,
}

impl Encoder<'_> {
    /// The program ends in this state: obliges it to have given back its memory.
    pub fn end_of_program(&mut self, state: &State, edge: EdgeId) {
        self.edge = edge;
        if self.checks(Check::MemoryLeft) {
            let left = self.heap_left(state);
            let any = self.pool.or_all(left.into_iter().map(|(_, alive)| alive));
            self.oblige_leak(state, Check::MemoryLeft, any, edge);
        }
        if self.checks(Check::LostMemory) {
            let lost = self.lost_memory(state);
            self.oblige_leak(state, Check::LostMemory, lost, edge);
        }
    }

    fn oblige_leak(&mut self, state: &State, check: Check, violated: TermId, edge: EdgeId) {
        let unseen = match state.store.get(UNSEEN_LEFT) {
            Some(&Content::Scalar(left)) => left,
            _ => TermPool::FALSE,
        };
        let violated = self.pool.or(violated, unseen);
        let span = self.program.edges.get(edge).map_or(Span::NONE, |edge| edge.span);
        self.oblige(state, check, violated, span);
    }

    /// Heap objects that may not have been freed, and when that is so.
    fn heap_left(&self, state: &State) -> Vec<(ObjectId, TermId)> {
        let mut objects: Vec<ObjectId> = self.heap.values().flatten().copied().collect();
        objects.sort_unstable();
        let heap = objects.into_iter().filter(|object| !self.stack_objects.contains_key(object));
        heap.filter_map(|object| self.life(state, object).map(|alive| (object, alive)))
            .filter(|&(_, alive)| alive != TermPool::FALSE)
            .collect()
    }

    /// Whether memory may be lost in iterations that nobody looks at. A run that never ends has lost it all
    /// the same, so an induction must not hide it.
    pub fn may_lose_memory(&self, state: &State, changes: &crate::Changes) -> bool {
        let left = || !self.heap_left(state).is_empty();
        self.checks(Check::LostMemory) && (!changes.allocates.is_empty() || left())
    }

    /// When some object is alive that nothing leads to.
    fn lost_memory(&mut self, state: &State) -> TermId {
        let left = self.heap_left(state);
        if left.is_empty() {
            return TermPool::FALSE;
        }
        let mut found = vec![TermPool::FALSE; left.len()];
        let roots = self.root_pointers(state);
        for (position, &(object, _)) in left.iter().enumerate() {
            found[position] = self.one_points_to(&roots, object);
        }
        let links = self.links(state, &left);
        // A chain of pointers visits each object at most once.
        for _ in 0..left.len() {
            let before = found.clone();
            for &(from, to, when) in &links {
                let reached = self.pool.and(before[from], when);
                found[to] = self.pool.or(found[to], reached);
            }
            if found == before {
                break;
            }
        }
        let mut lost = TermPool::FALSE;
        for (&(_, alive), found) in left.iter().zip(found) {
            let unfound = self.pool.not(found);
            let here = self.pool.and(alive, unfound);
            lost = self.pool.or(lost, here);
        }
        lost
    }

    /// Which heap object has a pointer to which, by position in the list, and when.
    fn links(&mut self, state: &State, left: &[(ObjectId, TermId)]) -> Vec<(usize, usize, TermId)> {
        let mut links = Vec::new();
        for (from, &(source, _)) in left.iter().enumerate() {
            let pointers = self.pointers_in(state, source);
            for (to, &(object, _)) in left.iter().enumerate() {
                let when = self.one_points_to(&pointers, object);
                if when != TermPool::FALSE && from != to {
                    links.push((from, to, when));
                }
            }
        }
        links
    }

    fn one_points_to(&mut self, pointers: &[Pointer], object: ObjectId) -> TermId {
        let mut any = TermPool::FALSE;
        for pointer in pointers {
            let here = self.is_in_room(object, pointer.value);
            let here = self.pool.and(here, pointer.is_there);
            any = self.pool.or(any, here);
        }
        any
    }

    /// Whether what an object holds is held by the program, and not just by a value on its way.
    fn is_variable(&self, object: ObjectId) -> bool {
        match self.objects.get(object).kind {
            ObjectKind::Heap(_) => false,
            ObjectKind::Variable { variable, .. } => !self.program.variables[variable].kind.is_temporary(),
            _ => true,
        }
    }

    /// The values of pointers in variables.
    fn root_pointers(&mut self, state: &State) -> Vec<Pointer> {
        let mut slots = Vec::new();
        state.store.for_each(&mut |slot, _| {
            if slot & crate::lifetime::ALIVE == 0 && slot != crate::rounding::SLOT {
                slots.push(ObjectId(slot));
            }
        });
        let mut pointers = Vec::new();
        for object in slots {
            if self.is_variable(object) || self.stack_objects.contains_key(&object) {
                pointers.extend(self.pointers_in(state, object));
            }
        }
        pointers.sort_unstable();
        pointers.dedup();
        pointers
    }

    /// The pointers that an object holds.
    fn pointers_in(&mut self, state: &State, object: ObjectId) -> Vec<Pointer> {
        let width = self.pointer_width();
        let (is_there, words) = match state.store.get(object.0) {
            Some(&Content::Scalar(term)) => (TermPool::TRUE, vec![term]),
            Some(Content::Cells(cells)) => {
                let words = cells.words(&mut self.pool, u64::from(width / 8), MOST_ELEMENTS);
                (self.is_alive(state, object), words)
            }
            _ => return Vec::new(),
        };
        if is_there == TermPool::FALSE {
            return Vec::new();
        }
        let fits = |&term: &TermId| self.pool.sort(term) == term::Sort::BitVec(width);
        words.into_iter().filter(fits).map(|value| Pointer { value, is_there }).collect()
    }
}
