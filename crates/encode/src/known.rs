//! States in which nothing is open: every value is a constant.
//!
//! Reactive programs often keep nothing but constants from one round to the next, and an input only decides
//! which. All paths back to a loop head together are then a few such states. Told apart they cost little: from
//! a known state, nearly every branch is decided.

use crate::Check;
use crate::cells::Cells;
use crate::classes::{Case, cases};
use crate::encoder::Encoder;
use crate::guard::Guard;
use crate::objects::{ObjectId, ObjectKind, Size};
use crate::state::{Content, State};
use cfa::{VariableId, VariableKind};
use std::rc::Rc;
use term::{TermId, TermPool};

/// A state of which everything is known that is ever read again.
pub struct KnownState {
    /// All of that: states are the same if this is.
    pub contents: Box<[u32]>,
    pub state: State,
}

/// Words that the contents of a state may take.
const LARGEST: usize = 1 << 12;

/// What a state holds, apart from its shape.
#[derive(Default)]
struct Contents {
    /// What is constant, and where something else belongs.
    words: Vec<u32>,
    /// Terms that are not constants, and where in the words their values belong.
    open: Vec<TermId>,
    places: Vec<usize>,
}

impl Contents {
    fn add(&mut self, pool: &TermPool, term: TermId) {
        if !pool.is_constant(term) {
            self.open.push(term);
            self.places.push(self.words.len());
        }
        self.words.push(term.0);
    }

    fn with(&self, case: &Case) -> Box<[u32]> {
        let mut words = self.words.clone();
        for (&place, value) in self.places.iter().zip(&case.values) {
            words[place] = value.0;
        }
        words.into()
    }
}

impl Encoder<'_> {
    /// The known states that a state comes down to, by inputs from the first one on, since a guard: `None` if it does
    /// not, or if there is more to a state than constants. If a run comes to the guard, some run comes to each. Variables are live if they may be read again,
    /// in the activation of their function that has so many others below it.
    pub fn known_states(
        &mut self,
        state: &State,
        (since, first): (&Guard, TermId),
        is_live: impl Fn(VariableId, u32) -> bool,
    ) -> Option<Vec<KnownState>> {
        let conditions = state.guard.since(since)?;
        let contents = self.contents(state, is_live)?;
        let cases = cases(&mut self.pool, &contents.open, &conditions, first)?;
        let known = cases.iter().map(|case| {
            let mut state = state.clone();
            state.guard = state.guard.and(&mut self.pool, case.condition);
            let values = contents.open.iter().copied().zip(case.values.iter().copied()).collect();
            self.put_in(&mut state, &values);
            KnownState { contents: contents.with(case), state }
        });
        Some(known.collect())
    }

    /// Everything that may be read again; `None` if some of it is not a scalar, or not of the program.
    fn contents(&self, state: &State, is_live: impl Fn(VariableId, u32) -> bool) -> Option<Contents> {
        if self.tracks_lifetime() || self.checks(Check::UninitialisedUse) {
            return None;
        }
        // Looking at each of many objects, only to find one that comes and goes, would take long.
        if !self.heap.is_empty() || self.has_hidden_contents(state) {
            return None;
        }
        let mut contents = Contents::default();
        let mut is_known = true;
        state.store.for_each(&mut |slot, content| {
            if !is_known || contents.words.len() > LARGEST {
                is_known = false;
                return;
            }
            let matters = if slot >= ObjectId::LAST_SLOT {
                Some(true)
            } else {
                self.matters(ObjectId(slot), content, &is_live)
            };
            is_known = match (matters, content) {
                (Some(false), _) => true,
                (Some(true), &Content::Scalar(term)) => {
                    contents.words.push(slot);
                    contents.add(&self.pool, term);
                    true
                }
                (Some(true), Content::Cells(cells)) => self.add_cells(&mut contents, slot, cells),
                (None, _) => false,
            };
        });
        is_known.then_some(contents)
    }

    /// Whether what an object holds may be read again; `None` for objects that come and go.
    fn matters(
        &self,
        object: ObjectId,
        content: &Content,
        is_live: &impl Fn(VariableId, u32) -> bool,
    ) -> Option<bool> {
        match self.objects.get(object).kind {
            ObjectKind::Variable { variable, depth } => {
                Some(matches!(content, Content::Cells(_)) || is_live(variable, depth))
            }
            ObjectKind::String(_) => Some(true),
            ObjectKind::Result { .. } => Some(false),
            ObjectKind::Heap(_) | ObjectKind::Outside(_) | ObjectKind::Unseen | ObjectKind::Shadow(_) => None,
        }
    }

    fn add_cells(&self, contents: &mut Contents, slot: u32, cells: &Cells) -> bool {
        let size = match self.objects.get(ObjectId(slot)).size {
            Size::Known(size) => Some(size),
            Size::Term(_) | Size::Unbounded => None,
        };
        if !cells.grids().is_empty() || !cells.is_determined(size) {
            return false;
        }
        let count = cells.pieces().count() as u32;
        contents.words.extend([slot, count, cells.is_zero_elsewhere().into()]);
        for (offset, size, term) in cells.pieces() {
            contents.words.extend([offset as u32, size as u32]);
            contents.add(&self.pool, term);
        }
        true
    }

    /// Whether there are values from outside that the state does not show.
    fn has_hidden_contents(&self, state: &State) -> bool {
        let is_external = |(_, object): (ObjectId, &crate::objects::Object)| match object.kind {
            ObjectKind::Variable { variable, .. } => {
                self.program.variables[variable].kind == VariableKind::External
            }
            _ => false,
        };
        !self.outside.is_empty()
            || !self.found.is_empty()
            || self.unseen.is_some()
            || self.has_unwritten(state)
            || self.objects.iter().any(is_external)
    }

    /// Puts the values of open terms in their places.
    fn put_in(&self, state: &mut State, values: &rustc_hash::FxHashMap<TermId, TermId>) {
        let mut changes: Vec<(u32, Content)> = Vec::new();
        state.store.for_each(&mut |slot, content| match content {
            Content::Scalar(term) => {
                changes.extend(values.get(term).map(|&value| (slot, Content::Scalar(value))));
            }
            Content::Cells(cells) if cells.pieces().any(|(.., term)| values.contains_key(&term)) => {
                let mut cells = Cells::clone(cells);
                cells.replace(values);
                changes.push((slot, Content::Cells(Rc::new(cells))));
            }
            Content::Cells(_) => {}
        });
        for (slot, content) in changes {
            state.store.set(slot, content);
        }
    }
}
