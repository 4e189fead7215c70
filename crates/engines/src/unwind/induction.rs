//! The step case of k-induction: loops that split, and what counts behind a jump.

use super::{Iterations, Key, Node, Obstacle, Trail, Unwinder};
use cfa::LocationId;
use cfa::loops::LoopId;
use encode::State;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use term::{Sort, TermId, TermPool};

/// Numbers of the iterations behind arbitrary states, one for each loop around that has jumped.
pub(super) type Hypotheses = SmallVec<[u32; 2]>;

/// The step case of k-induction, for all loops at once.
///
/// When a loop comes back to its head in a way that depends on inputs, the execution splits: one
/// part goes on as always, the other jumps to an arbitrary state at the head (everything that the
/// loop can change takes any value) and goes on from there, its iterations counted from
/// [`JUMPED`]. An execution of more than `k` iterations behind the split is seen by the second part,
/// which starts `k` iterations before the end: so behind a jump, errors and ways out of the loop
/// count in iteration `k` only, and the `k` iterations before it are known to be free of errors. The
/// literal [`Induction::active`]`[k]` says which `k` it is, so that raising it repeats nothing.
#[derive(Default)]
pub struct Induction {
    /// `active[j]`: the depth of the induction is `j`.
    pub active: Vec<TermId>,
    /// At which iteration each loop, entered in one way, has split.
    split: FxHashMap<Key, u32>,
    /// How often it has come back on some path without a choice, and without splitting.
    passed: FxHashMap<Key, u32>,
}

/// What is added to iteration numbers behind a jump.
pub(super) const JUMPED: u32 = 1 << 24;

impl Unwinder<'_> {
    /// Whether other paths through this loop have split at this iteration or before. A path that comes
    /// later must do so, too, even where it has no choice: what it does from here on is seen behind jumps only.
    pub(super) fn has_split(&self, node: &Node, count: u32) -> bool {
        let Some(induction) = &self.induction else { return false };
        induction.split.get(&self.entry_key(node)).is_some_and(|&split| split <= count)
    }

    /// A path goes on in a loop as if it were straight code.
    pub(super) fn pass(&mut self, node: &Node, count: u32) {
        let entry = self.entry_key(node);
        if let Some(induction) = &mut self.induction {
            let passed = induction.passed.entry(entry).or_insert(0);
            *passed = count.max(*passed);
        }
    }

    /// The iteration at which this loop, entered in this way, has split in two, or will: the next one that no path
    /// has gone through without splitting, as what a path does behind that iteration is seen behind its jump only.
    pub(super) fn split_at(&mut self, node: &mut Node, id: LoopId, count: u32, entry: Key) -> u32 {
        let Some(induction) = &mut self.induction else { return 0 };
        let passed = induction.passed.get(&entry).copied().unwrap_or(0);
        let split = *induction.split.entry(entry.clone()).or_insert(count.max(passed + 1));
        if split == count {
            let is_known = self.watch.is_known(id, count);
            self.jump(node, id, entry, is_known);
        }
        split
    }

    /// Starts the part of the execution that jumps to an arbitrary state at a loop head.
    fn jump(&mut self, node: &mut Node, id: LoopId, entry: Key, is_known: bool) {
        let pool = &mut self.encoder.pool;
        let jumps = pool.fresh_variable("jump", Sort::Bool);
        self.watch.choices.push(jumps);
        let stays = pool.not(jumps);
        let mut state = node.state.clone();
        state.guard = state.guard.and(pool, jumps);
        node.state.guard = node.state.guard.and(pool, stays);
        let guard = state.guard.term();
        let frame = self.contexts[node.context.0 as usize].frame;
        let changes = &self.changes[id.0 as usize];
        if self.encoder.may_lose_memory(&state, changes) {
            let edge = self.loops.loops[id].back_edges[0];
            let what = "induction over a loop that may lose memory";
            return self.obstacles.push(Obstacle { edge, what, guard });
        }
        let before = self.encoder.moment();
        let forgotten = self.encoder.forget(state, frame, changes);
        match forgotten {
            Ok(mut state) => {
                let location = node.location;
                let at = (id.0, location);
                let positions = self.note_jump(&mut state, node.context, at, entry, (before, is_known));
                let mut iterations = node.iterations.clone();
                if let Some(last) = iterations.last_mut() {
                    last.count = JUMPED;
                }
                let trail = Trail { positions, ..Trail::default() };
                let comes_back = None;
                self.wait(Node {
                    context: node.context,
                    turn: node.turn,
                    iterations,
                    location,
                    state,
                    trail,
                    comes_back,
                });
            }
            Err(unsupported) => {
                let edge = self.loops.loops[id].back_edges[0];
                self.obstacles.push(Obstacle { edge, what: unsupported.0, guard });
            }
        }
    }

    /// The induction iterations that a node is in.
    pub(super) fn hypotheses(&self, node: &Node) -> Hypotheses {
        let mut hypotheses = self.contexts[node.context.0 as usize].hypotheses.clone();
        hypotheses
            .extend(node.iterations.iter().filter(|lap| lap.count >= JUMPED).map(|lap| lap.count - JUMPED));
        hypotheses
    }

    /// The literal that says that the depth of the induction is `depth`.
    pub(super) fn active(&mut self, depth: u32) -> TermId {
        let Some(induction) = &mut self.induction else { return TermPool::TRUE };
        while induction.active.len() <= depth as usize {
            let literal = self.encoder.pool.fresh_variable("depth", Sort::Bool);
            induction.active.push(literal);
        }
        induction.active[depth as usize]
    }

    /// Leaving a loop behind a jump counts only at the depth of the induction.
    pub(super) fn leave_loops(
        &mut self,
        state: &mut State,
        iterations: &Iterations,
        from: LocationId,
        to: LocationId,
    ) {
        if self.induction.is_none() || iterations.iter().all(|lap| lap.count < JUMPED) {
            return;
        }
        let nest: SmallVec<[LoopId; 4]> = self.loops.enclosing(from).collect();
        for (&id, lap) in nest.iter().rev().zip(iterations.iter()) {
            if lap.count >= JUMPED && !self.loops.contains(id, to) {
                let active = self.active(lap.count - JUMPED);
                state.guard = state.guard.and(&mut self.encoder.pool, active);
            }
        }
    }
}
