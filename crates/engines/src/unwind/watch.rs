//! What paths look like at loop heads and other abstraction points: invariants and predicates are learnt
//! from that, and are assumed there.

use super::{ContextId, Key, Node, Positions, Unwinder, activations};
use cfa::loops::LoopId;
use cfa::pointsto::ObjectKind;
use cfa::{FunctionId, LocationId};
use encode::{Frame, Moment, State};
use invariants::Watched;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Sort, TermId, TermPool};

/// What the observables of a loop are when a path is at its head.
pub struct Visit {
    /// The loop, or another abstraction point: these have the numbers behind the loops.
    pub point: u32,
    /// The same for all visits of one head that is entered in one way: a path that comes back goes on
    /// from the jump there.
    pub entry: Rc<[u32]>,
    /// A loop has come back to its head.
    pub comes_back: bool,
    /// When the path gets here.
    pub path: TermId,
    /// Of a jump: what is assumed by everything that follows, to be defined.
    pub assumed: TermId,
    /// In the order of [`Watch::observables`]; then where the automata of a condition are, if that matters.
    pub terms: Vec<Option<TermId>>,
    /// Jumps on the way here are among the first so many.
    pub jumps_before: usize,
    /// Of a jump: what was learnt from the returns is true in all states that it stands for.
    pub is_known: bool,
}

/// What invariants are learnt from and used for.
#[derive(Default)]
pub struct Watch {
    /// For each loop; if empty, nothing is noted.
    pub observables: Vec<Vec<Watched>>,
    /// Paths that came back, as long as `notes_returns`.
    pub returns: Vec<Visit>,
    pub notes_returns: bool,
    /// For each loop, how often it came back without a choice, and without being noted, as long as returns were.
    free: FxHashMap<LoopId, u32>,
    pub jumps: Vec<Visit>,
    /// When each of the jumps was made, by its point and entry.
    made: FxHashMap<(u32, Key), Moment>,
    /// What decides whether a path jumps, wherever it can.
    pub choices: Vec<TermId>,
    /// For each function; what is noted at points that are no loop heads.
    pub of_functions: Vec<Vec<Watched>>,
}

impl Watch {
    /// A loop has come back for the `count`th time, and goes on as if it were straight code.
    pub(super) fn note_free(&mut self, id: LoopId, count: u32) {
        if self.notes_returns {
            let most = self.free.entry(id).or_insert(0);
            *most = count.max(*most);
        }
    }

    /// Whether what is learnt from returns is true whenever the loop has come back so often, or more often. What
    /// goes through without a choice at first need not do so on a longer way: then nobody has looked at it.
    pub(super) fn is_known(&self, id: LoopId, count: u32) -> bool {
        self.notes_returns || self.free.get(&id).is_none_or(|&most| count > most)
    }
}

impl Unwinder<'_> {
    /// Notes the state in which a path comes back to the head of a loop, or to another point.
    pub(super) fn note_return(&mut self, node: &Node, point: u32, entry: Key, comes_back: bool) {
        if self.watch.notes_returns {
            let mut terms = self.observe(&node.state, node.context, point);
            let is_apart = self.see_from_next(point, &entry, &mut terms);
            let position = self.position_at(node.location, &node.trail.positions);
            terms.extend(position.map(Some));
            let path = self.encoder.pool.and(node.state.guard.term(), is_apart);
            let assumed = TermPool::TRUE;
            let jumps_before = self.watch.jumps.len();
            let is_known = true;
            let visit = Visit { point, entry, comes_back, path, assumed, terms, jumps_before, is_known };
            self.watch.returns.push(visit);
        }
    }

    /// Lets what follows a jump assume something that is still to be said. `before` is when nothing had been forgotten
    /// for it yet. Returns where automata may be.
    pub(super) fn note_jump(
        &mut self,
        state: &mut State,
        context: ContextId,
        (point, location): (u32, LocationId),
        entry: Key,
        (before, is_known): (Moment, bool),
    ) -> Positions {
        if self.watch.observables.is_empty() && self.watch.of_functions.is_empty() {
            return Positions::new();
        }
        let mut terms = self.observe(state, context, point);
        let (positions, position) = self.any_position(location, state);
        terms.extend(position.map(Some));
        let assumed = self.encoder.pool.fresh_variable("invariant", Sort::Bool);
        state.guard = state.guard.and(&mut self.encoder.pool, assumed);
        self.watch.made.insert((point, entry.clone()), before);
        let jumps_before = self.watch.jumps.len();
        let path = state.guard.term();
        let comes_back = false;
        self.watch.jumps.push(Visit {
            point,
            entry,
            comes_back,
            path,
            assumed,
            terms,
            jumps_before,
            is_known,
        });
        positions
    }

    pub(super) fn observe(&mut self, state: &State, context: ContextId, point: u32) -> Vec<Option<TermId>> {
        let observables = std::mem::take(self.observables(point));
        let own = self.contexts[context.0 as usize].function;
        let terms = observables.iter().map(|watched| {
            let owner = watched.owner(self.program).unwrap_or(own);
            let frame = self.frame_of(context, owner)?;
            watched.read(&mut self.encoder, state, frame)
        });
        let terms = terms.collect();
        *self.observables(point) = observables;
        terms
    }

    /// What goes on from a jump that there is already makes the objects anew that were made since: values are what
    /// they are from there. Returns a condition on that.
    fn see_from_next(&mut self, point: u32, entry: &Key, terms: &mut [Option<TermId>]) -> TermId {
        let jump = self.watch.made.get(&(point, entry.clone()));
        let Some(made) = jump.and_then(|&moment| self.encoder.made_since(moment)) else {
            return TermPool::TRUE;
        };
        let observables = std::mem::take(self.observables(point));
        for (watched, value) in observables.iter().zip(terms) {
            let Some(value) = value else { continue };
            if watched.is_pointer(self.program) {
                *value = self.encoder.moved_on(&made, *value);
            } else if watched.may_hold(&self.encoder, |kind| made.includes(kind)) {
                let is_outside = |kind| kind == ObjectKind::Outside;
                let is_certain =
                    watched.may_hold(&self.encoder, |kind| made.includes(kind) && !is_outside(kind));
                *value = self.encoder.blurred_on(&made, *value, is_certain || !watched.is_plain());
            }
        }
        *self.observables(point) = observables;
        made.is_apart
    }

    /// What is noted at an abstraction point.
    pub(super) fn observables(&mut self, point: u32) -> &mut Vec<Watched> {
        match (point as usize).checked_sub(self.loops.loops.len()) {
            None => &mut self.watch.observables[point as usize],
            Some(location) => {
                let function = self.program.locations[LocationId(location as u32)].function;
                &mut self.watch.of_functions[function.0 as usize]
            }
        }
    }

    /// The innermost activation of a function among the calls that lead to a context.
    pub(super) fn frame_of(&self, context: ContextId, function: FunctionId) -> Option<Frame> {
        let mut calls = activations(&self.contexts, context);
        calls.find(|context| context.function == function).map(|context| context.frame)
    }
}
