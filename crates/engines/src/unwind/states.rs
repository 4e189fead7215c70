//! Known states at loop heads: told apart, and executed once.
//!
//! Where everything that a loop keeps from one iteration to the next is constant on each path, the paths that come
//! back to its head are split by the [states](encode::KnownState) that they end in, and all paths to one state go on
//! together. From there, inputs decide next to nothing but which state comes next. A state that some run has
//! been in before need not be executed again: whatever can follow, follows from the first time, too,
//! and after fewer iterations. So a loop with few states is unwound completely after few iterations.
//!
//! This is for loops that are in no other loop. Iteration numbers say which state an iteration starts in,
//! in the order in which things have to happen: first all paths come back, then each state goes on.

use super::{ComingBack, ContextId, Iterations, Lap, Node, Suspended, Unwinder};
use cfa::VariableId;
use cfa::liveness::Liveness;
use cfa::loops::LoopId;
use rustc_hash::FxHashMap;
use term::{TermId, TermPool};

/// Added to the number of a state where paths go on from it.
const GOES_ON: u32 = 1 << 31;

/// Paths that are not in a known state.
const UNKNOWN: u32 = u32::MAX;

/// New states in one iteration.
const MOST: u32 = 2000;

#[derive(Default)]
pub struct States {
    /// Told apart at all.
    pub is_on: bool,
    liveness: Option<Liveness>,
    /// From 1.
    numbers: FxHashMap<(ContextId, LoopId, Box<[u32]>), u32>,
    /// By number, from which iteration on a state need not be executed again: a run has been in it then.
    visited: Vec<Option<u32>>,
    /// States that were new in the last iteration that had one.
    new: (u32, u32),
    /// To be told apart.
    pub are_too_many: bool,
}

impl Lap {
    /// The lap in which this one, which has just begun, came back.
    pub(super) fn before(self) -> Lap {
        let goes_on = if self.state == 0 { 0 } else { self.state | GOES_ON };
        Lap { count: self.count - 1, state: goes_on }
    }

    /// The lap behind this one.
    pub(super) fn next(self) -> Lap {
        Lap { count: self.count + 1, state: self.state & !GOES_ON }
    }

    /// The number of the known state that paths go on from.
    fn known(self) -> Option<usize> {
        (self.state & GOES_ON != 0 && self.state != UNKNOWN).then_some((self.state & !GOES_ON) as usize)
    }
}

impl Unwinder<'_> {
    /// Whether states are told apart at the head of the loop that a node has come back to.
    pub(super) fn tells_apart(&self, node: &Node, back: ComingBack) -> bool {
        let is_alone = node.iterations.len() == 1 && self.calls_are_outside_of_loops(node.context);
        let is_plain = self.induction.is_none() && !self.cuts.is_full() && self.automata.is_none();
        self.states.is_on && is_plain && !back.is_split && is_alone && !self.eager.contains(&back.id)
    }

    fn calls_are_outside_of_loops(&self, context: ContextId) -> bool {
        let mut next = self.contexts[context.0 as usize].caller.as_ref();
        while let Some(caller) = next {
            if !caller.iterations.is_empty() {
                return false;
            }
            next = self.contexts[caller.context.0 as usize].caller.as_ref();
        }
        true
    }

    /// Splits paths that have come back by the states that they are in.
    pub(super) fn split(&mut self, node: Node, back: ComingBack) {
        let back = ComingBack { is_split: true, ..back };
        let Some(states) = self.known_states(&node) else {
            let lap = node.lap();
            let state = if lap.state == 0 { 0 } else { UNKNOWN };
            let iterations = Iterations::from_elem(Lap { state, ..lap }, 1);
            return match state {
                0 => self.come_back(node, back),
                _ => self.wait(Node { iterations, comes_back: Some(back), ..node }),
            };
        };
        let since = self.certain_since(&node);
        for known in states {
            let count = node.lap().count;
            let number = self.number(node.context, back.id, known.contents, count);
            let iterations = Iterations::from_elem(Lap { count, state: number | GOES_ON }, 1);
            let is_certain =
                since.is_some_and(|first| known.oldest_input.is_some_and(|oldest| oldest >= first));
            let back = ComingBack { is_certain, ..back };
            let (context, location, state, trail) =
                (node.context, node.location, known.state, node.trail.clone());
            self.wait(Node { context, iterations, location, state, trail, comes_back: Some(back) });
        }
    }

    /// If some run has begun the iteration that a node comes back from, the first term of that iteration: inputs from
    /// then on can be anything.
    fn certain_since(&self, node: &Node) -> Option<TermId> {
        let before = node.lap().before();
        let key = self.key_of(node.context, &Iterations::from_elem(before, 1), node.location);
        let began = self.began.get(&key)?;
        let is_certain = before.known().is_some() || began.guard.term() == TermPool::TRUE;
        is_certain.then_some(began.first)
    }

    fn known_states(&mut self, node: &Node) -> Option<Vec<encode::KnownState>> {
        let before = Iterations::from_elem(node.lap().before(), 1);
        let since = self.began.get(&self.key_of(node.context, &before, node.location))?;
        let liveness = self.states.liveness.get_or_insert_with(|| Liveness::new(self.program));
        let (program, contexts) = (self.program, &self.contexts);
        let is_live = |variable: VariableId, depth: u32| {
            let Some(function) = program.variables[variable].kind.function() else { return true };
            let own = &contexts[node.context.0 as usize];
            if (own.function, own.frame.depth) == (function, depth) {
                return liveness.is_live(node.location, variable);
            }
            let mut next = own.caller.as_ref();
            while let Some(caller) = next {
                let context = &contexts[caller.context.0 as usize];
                if (context.function, context.frame.depth) == (function, depth) {
                    return true;
                }
                next = context.caller.as_ref();
            }
            false
        };
        self.encoder.known_states(&node.state, &since.guard, is_live)
    }

    fn number(&mut self, context: ContextId, id: LoopId, contents: Box<[u32]>, count: u32) -> u32 {
        let states = &mut self.states;
        if states.visited.is_empty() {
            states.visited.push(None);
        }
        let next = states.visited.len() as u32;
        let number = *states.numbers.entry((context, id, contents)).or_insert(next);
        if number == next {
            states.visited.push(None);
            let so_far = if states.new.0 == count { states.new.1 } else { 0 };
            states.new = (count, so_far + 1);
            states.are_too_many |= so_far >= MOST;
        }
        number
    }

    /// Whether some run has been in the state of a node before.
    pub(super) fn is_visited(&self, lap: Lap) -> bool {
        let first = lap.known().and_then(|number| self.states.visited[number]);
        first.is_some_and(|first| first <= lap.count)
    }

    /// A state asks whether a run can be in it, however often its loop may come back.
    pub(super) fn asks(&self, lap: Lap) -> bool {
        lap.known().is_some()
    }

    /// Notes that a run can be in the state of a path that goes on.
    pub(super) fn visit(&mut self, path: &Suspended) {
        let Some(&lap) = path.node.iterations.last() else { return };
        if let Some(number) = lap.known() {
            let first = &mut self.states.visited[number];
            *first = Some(first.map_or(lap.count, |first| first.min(lap.count)));
        }
    }
}
