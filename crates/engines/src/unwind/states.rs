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

use super::{Beginning, ComingBack, Context, ContextId, Iterations, Key, Lap, Node, Unwinder, activations};
use cfa::VariableId;
use cfa::liveness::Liveness;
use cfa::loops::LoopId;
use encode::KnownState;
use rustc_hash::{FxHashMap, FxHashSet};
use term::TermPool;

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
    /// From 1.
    numbers: FxHashMap<(ContextId, LoopId, Box<[u32]>), u32>,
    /// By number, after how many iterations a run is in the state: later it need not be executed again.
    visited: Vec<Option<u32>>,
    /// Nodes that the engine knows some run to get to.
    confirmed: FxHashSet<Key>,
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

    /// Paths go on from a known state.
    pub(super) fn is_known(self) -> bool {
        self.state & GOES_ON != 0 && self.state != UNKNOWN
    }
}

impl States {
    /// A run gets to a node.
    pub(super) fn confirm(&mut self, key: &Key) {
        if self.is_on {
            self.confirmed.insert(key.clone());
        }
    }

    /// Notes that a run is in a state after so many iterations. Whether none has been before, after as many or fewer.
    fn visit(&mut self, number: u32, count: u32) -> bool {
        let first = &mut self.visited[number as usize];
        let is_new = first.is_none_or(|first| count < first);
        if is_new {
            *first = Some(count);
        }
        is_new
    }
}

impl Unwinder<'_> {
    /// Whether states are told apart at the head of the loop that a node has come back to.
    pub(super) fn tells_apart(&self, node: &Node, back: ComingBack) -> bool {
        let is_alone = node.iterations.len() == 1 && self.calls_are_plain(node.context);
        let is_plain = self.induction.is_none() && !self.cuts.is_full() && self.automata.is_none();
        let is_separate = !self.eager.contains(&back.id) && !self.together.contains(&back.id);
        self.states.is_on && is_plain && !back.is_split && is_alone && is_separate
    }

    /// Calls outside of loops, without arguments that are kept elsewhere than in variables.
    fn calls_are_plain(&self, context: ContextId) -> bool {
        activations(&self.contexts, context).all(|context| {
            let is_in_loop = context.caller.as_ref().is_some_and(|caller| !caller.iterations.is_empty());
            !is_in_loop && context.frame.variadic == 0
        })
    }

    /// How the iteration began that a node comes back from.
    pub(super) fn iteration_before(&self, node: &Node) -> Option<&Beginning> {
        let mut before = node.iterations.clone();
        let last = before.last_mut()?;
        *last = last.before();
        self.began.get(&self.key_of((node.context, node.turn), &before, node.location))
    }

    /// Whether something was read in the iteration that a node comes back from, or at the same time.
    pub(super) fn has_read(&self, node: &Node) -> bool {
        self.iteration_before(node).is_some_and(|began| began.inputs < self.encoder.inputs.len())
    }

    /// Splits paths that have come back by the states that they are in.
    pub(super) fn split(&mut self, node: Node, back: ComingBack) {
        let back = ComingBack { is_split: true, ..back };
        let Some(states) = self.known_states(&node) else { return self.stay_together(node, back) };
        let count = node.lap().count;
        for known in states {
            let number = self.number(node.context, back.id, known.contents, count);
            if self.states.visit(number, count) {
                let iterations = Iterations::of(Lap { count, state: number | GOES_ON });
                let (state, trail, comes_back) = (known.state, node.trail.clone(), Some(back));
                self.wait(Node { iterations, state, trail, comes_back, ..node });
            }
        }
    }

    /// Paths that are not told apart go on as one.
    fn stay_together(&mut self, node: Node, back: ComingBack) {
        let lap = node.lap();
        if lap.state == 0 {
            return self.come_back(node, back);
        }
        let iterations = Iterations::of(Lap { state: UNKNOWN, ..lap });
        self.wait(Node { iterations, comes_back: Some(back), ..node });
    }

    /// Whether some run begins the iteration that a node is the start of.
    pub(super) fn is_certain(&mut self, key: &Key, node: &Node) -> bool {
        // What comes to the same place later is another node, of which nothing is known.
        let is_confirmed = self.states.confirmed.remove(key);
        let is_always = node.state.guard.term() == TermPool::TRUE;
        self.states.is_on && (node.lap().is_known() || is_always || is_confirmed)
    }

    /// The states of a node, if some run is in each: the iteration has begun in some run, and only inputs from
    /// then on, which can be anything, tell the states apart.
    fn known_states(&mut self, node: &Node) -> Option<Vec<KnownState>> {
        let began = self.iteration_before(node).filter(|began| began.is_certain)?;
        let (guard, first) = (began.guard.clone(), began.first);
        let liveness = self.liveness.get_or_init(|| Liveness::new(self.program));
        let (program, contexts) = (self.program, &self.contexts);
        let is_live = |variable: VariableId, depth: u32| {
            let Some(function) = program.variables[variable].kind.function() else { return true };
            let is_own = |context: &Context| (context.function, context.frame.depth) == (function, depth);
            match activations(contexts, node.context).position(is_own) {
                Some(0) => liveness.is_live(node.location, variable),
                outer => outer.is_some(),
            }
        };
        self.encoder.known_states(&node.state, (&guard, first), is_live)
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
}
