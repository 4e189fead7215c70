//! Abstraction points beside the jumps of loops: where paths are cut into blocks.
//!
//! At a cut, a path comes back to an abstraction point and goes on from an arbitrary state there, of which
//! nothing is known but what is assumed later. Two kinds of cuts differ in what becomes arbitrary:
//! - behind a call of a function with loops: what the function changes; everything else keeps its terms,
//!   and the way to the call stays part of the path, as at jumps of loops;
//! - everywhere, after so many operations and at loop heads: everything, and nothing is known of the way.
//!   These are the blocks of single-block encoding, and of adjustable-block encoding.

use super::{Caller, Key, Node, Obstacle, Trail, Unwinder};
use cfa::{EdgeId, EdgeKind, FunctionId};
use encode::{Changes, Guard, State};
use std::rc::Rc;
use term::Sort;

/// Where paths are cut.
#[derive(Default)]
pub struct Cuts {
    pub kind: CutKind,
    /// For each function that paths are cut behind, what it changes.
    pub functions: Vec<Option<Changes>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CutKind {
    /// Only where loops jump.
    #[default]
    Loops,
    /// And behind calls.
    LoopsAndCalls,
    /// After so many operations, and at loop heads.
    Everywhere { operations: u32 },
}

impl Cuts {
    /// Nothing is known behind a cut but what is assumed.
    pub fn is_full(&self) -> bool {
        matches!(self.kind, CutKind::Everywhere { .. })
    }
}

/// The point that stands for the start of the program.
pub const START: u32 = u32::MAX;

impl Unwinder<'_> {
    /// Makes the start of the program a point that blocks start from, as all others do.
    pub fn cut_at_start(&mut self) {
        for node in self.waiting.values_mut() {
            let assumed = self.encoder.pool.fresh_variable("start", Sort::Bool);
            node.state.guard = node.state.guard.and(&mut self.encoder.pool, assumed);
            let (path, terms, entry) = (node.state.guard.term(), Vec::new(), Rc::from([]));
            let visit = super::Visit {
                point: START,
                entry,
                comes_back: false,
                path,
                assumed,
                terms,
                jumps_before: 0,
                is_known: true,
            };
            self.watch.jumps.push(visit);
        }
    }

    /// The trail behind an edge.
    pub(super) fn longer(&self, mut trail: Trail, edge: EdgeId) -> Trail {
        let kind = &self.program.edges[edge].kind;
        trail.is_returning |= matches!(kind, EdgeKind::Return { .. });
        let does_nothing =
            matches!(kind, EdgeKind::Skip | EdgeKind::Declare { .. } | EdgeKind::EndOfLife { .. });
        trail.length += u32::from(!does_nothing);
        trail
    }

    fn point_of(&self, node: &Node) -> Option<u32> {
        let CutKind::Everywhere { operations } = self.cuts.kind else { return None };
        if let Some(id) = self.loops.headed_by(node.location) {
            return Some(id.0);
        }
        let is_cut = node.trail.length >= operations && !node.trail.is_returning;
        is_cut.then_some(self.loops.loops.len() as u32 + node.location.0)
    }

    /// Cuts all paths to a node, if it is an abstraction point: the node goes on from an arbitrary state.
    pub(super) fn cut(&mut self, key: &Key, mut node: Node) -> Option<Node> {
        let Some(point) = self.point_of(&node) else { return Some(node) };
        self.note_return(&node, point, key.clone(), false);
        let before = self.encoder.moment();
        let guard = node.state.guard.term();
        let frame = self.contexts[node.context.0 as usize].frame;
        node.state.guard = Guard::TRUE;
        if let Some(id) = self.loops.headed_by(node.location) {
            let changes = &self.changes[id.0 as usize];
            let edge = self.loops.loops[id].back_edges[0];
            if self.encoder.may_lose_memory(&node.state, changes) {
                let what = "induction over a loop that may lose memory";
                self.obstacles.push(Obstacle { edge, what, guard });
                return None;
            }
            match self.encoder.forget(node.state, frame, changes) {
                Ok(state) => node.state = state,
                Err(unsupported) => {
                    self.obstacles.push(Obstacle { edge, what: unsupported.0, guard });
                    return None;
                }
            }
        }
        self.encoder.forget_everything(&mut node.state);
        let at = (point, node.location);
        let positions = self.note_jump(&mut node.state, node.context, at, key.clone(), (before, true));
        node.trail = Trail { positions, ..Trail::default() };
        Some(node)
    }

    /// Cuts a path that has come back from a function, if paths are cut behind it.
    pub(super) fn cut_behind_call(
        &mut self,
        state: State,
        trail: &mut Trail,
        caller: &Caller,
        function: FunctionId,
    ) -> State {
        let is_cut = self.cuts.kind == CutKind::LoopsAndCalls;
        let Some(Some(changes)) = self.cuts.functions.get(function.0 as usize).filter(|_| is_cut) else {
            return state;
        };
        let frame = self.contexts[caller.context.0 as usize].frame;
        let before = self.encoder.moment();
        let Ok(mut forgotten) = self.encoder.forget(state.clone(), frame, changes) else { return state };
        let edge = self.program.edges[caller.edge];
        let position = self.key_of((caller.context, 0), &caller.iterations, edge.from);
        let entry: Key = position.iter().copied().chain([function.0]).collect();
        let point = self.loops.loops.len() as u32 + edge.to.0;
        let (context, iterations) = (caller.context, caller.iterations.clone());
        let location = edge.to;
        let node =
            Node { context, turn: 0, iterations, location, state, trail: trail.clone(), comes_back: None };
        self.note_return(&node, point, entry.clone(), false);
        let positions =
            self.note_jump(&mut forgotten, caller.context, (point, location), entry, (before, true));
        if self.is_tracking() {
            trail.positions = positions;
        }
        forgotten
    }
}
