//! The analysis: call stack, explicit values, monitors and the condition given, side by side.
//!
//! States are kept where control flow meets and where values do not decide a branch; what lies between is
//! one straight line, taken in one go. So a [`Choice`] is the first edge of such a line, and all of it can
//! be found again by following it once more.

use cfa::callgraph::CallGraph;
use cfa::loops::Loops;
use cfa::weak_order::WeakOrder;
use cfa::{EdgeId, EdgeKind, FunctionId, LocationId, Program};
use cpa::{Analysis, Successor};
use domains::automaton::{Automata, AutomatonState};
use domains::callstack::{CallStacks, StackId};
use domains::loopbound::{CountsId, LoopCounts};
use domains::monitors::{Limit, Limits, PathId, Paths, Post, Progress};
use domains::value::{Code, Effect, Machine};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, Debug)]
pub struct State {
    pub location: LocationId,
    pub stack: StackId,
    pub memory: u32,
    pub automaton: AutomatonState,
    pub counts: CountsId,
    /// Beside the state: never compared.
    pub path: PathId,
}

/// An edge, and the function that is entered if it is a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub edge: EdgeId,
    callee: u32,
}

const NO_CALLEE: u32 = u32::MAX;
const OVERFLOW: u32 = u32::MAX - 1;

impl Choice {
    /// From a function's exit back to its caller.
    const LEAVE: Choice = Choice { edge: EdgeId(u32::MAX), callee: NO_CALLEE };

    fn new(edge: EdgeId, callee: Option<FunctionId>) -> Self {
        Self { edge, callee: callee.map_or(NO_CALLEE, |function| function.0) }
    }

    /// An edge that is no call, or whatever it calls.
    pub fn at(edge: EdgeId) -> Self {
        Self::new(edge, None)
    }

    /// Something that the edge computes overflows.
    fn overflow(edge: EdgeId) -> Self {
        Self { edge, callee: OVERFLOW }
    }

    pub fn is_overflow(self) -> bool {
        self.callee == OVERFLOW
    }

    pub fn callee(self) -> Option<FunctionId> {
        (self.callee < OVERFLOW).then_some(FunctionId(self.callee))
    }
}

/// How a path ends before the program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathEnd {
    /// A function is called that must not be, or something overflows.
    Alarm(EdgeId),
    /// It is not followed further.
    Cut { at: LocationId, why: Cut },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    Limit(Limit),
    Unsupported(&'static str),
}

pub struct Explicit<'p> {
    pub program: &'p Program,
    pub machine: Machine<'p>,
    automata: Automata,
    automaton: AutomatonState,
    loop_counts: LoopCounts<'p>,
    counts: CountsId,
    errors: FxHashSet<FunctionId>,
    /// Locations whose states are kept, and those where loops and recursion come back to.
    kept: Vec<bool>,
    heads: Vec<bool>,
    pub limits: Limits,
    pub progress: Progress,
    pub paths: Paths,
    /// The steps of the line that is being followed, where somebody asked for them.
    recording: Option<Vec<Choice>>,
    /// Edges followed so far.
    pub steps: u64,
    /// The number of states after which another mode is tried.
    pub patience: Option<usize>,
    /// States of a location and call stack are merged into one.
    pub joins: bool,
    /// Where a location comes in its function, if states are looked at in that order.
    pub order: Option<&'p WeakOrder>,
}

/// What leads on from a location.
enum Ways {
    /// The function is left.
    Exit,
    None,
    One(Choice),
    Many,
}

impl<'p> Explicit<'p> {
    pub fn new(
        code: &'p Code<'p>,
        loops: &Loops,
        errors: FxHashSet<FunctionId>,
        automata: Automata,
        loop_counts: LoopCounts<'p>,
        limits: &Limits,
    ) -> Self {
        let program = code.program;
        let (locations, edges) = (program.locations.len(), program.edges.len());
        Self {
            program,
            machine: Machine::new(code),
            automaton: automata.start.unwrap_or(AutomatonState(0)),
            automata,
            counts: loop_counts.start,
            loop_counts,
            errors,
            heads: heads(code, loops),
            kept: kept_locations(code, loops),
            limits: limits.clone(),
            progress: Progress::new(limits, locations, edges),
            paths: Paths::new(limits, locations),
            recording: None,
            steps: 0,
            patience: None,
            joins: false,
            order: None,
        }
    }

    /// The state in which everything starts; none if the condition given covers it all.
    pub fn initial(&mut self) -> Option<State> {
        let body = self.program.functions[self.program.entry].body.as_ref()?;
        let automaton = self.automata.start?;
        self.machine.reset();
        let memory = self.machine.collapse();
        let path = PathId::default();
        let counts = self.loop_counts.start;
        Some(State { location: body.entry, stack: CallStacks::BOTTOM, memory, automaton, counts, path })
    }

    /// Forgets what the monitors have counted, but not the time.
    pub fn restart(&mut self) {
        self.progress.restart();
        self.paths = Paths::new(&self.limits, self.program.locations.len());
    }

    /// Follows a choice once more and says what it went through.
    pub fn replay(&mut self, state: &State, choice: Choice) -> (Vec<Choice>, Successor<State, PathEnd>) {
        self.recording = Some(Vec::new());
        let steps = self.steps;
        let successor = self.follow(state, choice);
        self.steps = steps;
        (self.recording.take().unwrap_or_default(), successor)
    }

    /// Whether the values that are tracked allow a path from the start of the program.
    pub fn is_feasible(&mut self, path: &[Choice]) -> bool {
        self.machine.reset();
        for choice in path {
            let mut effect = match choice.callee() {
                _ if choice.is_overflow() => return self.machine.may_overflow(choice.edge),
                Some(function) if self.errors.contains(&function) => return true,
                Some(function) if !self.machine.callees(choice.edge).contains(&function) => return false,
                Some(function) => self.machine.call(choice.edge, function),
                None => self.machine.step(choice.edge),
            };
            while let Effect::At(location) = effect
                && self.is_exit(location)
            {
                effect = self.machine.leave();
            }
            match effect {
                Effect::At(_) => {}
                Effect::Nothing => return false,
                Effect::Unsupported(_) => return true,
            }
        }
        true
    }

    pub fn load(&mut self, state: &State) {
        self.machine.load_state(state.stack, state.memory);
        self.automaton = state.automaton;
        self.counts = state.counts;
        self.paths.load(state.path);
    }

    fn is_exit(&self, location: LocationId) -> bool {
        let function = self.program.locations[location].function;
        self.program.functions[function].body.as_ref().is_some_and(|body| body.exit == location)
    }

    /// The first edge from here, in the order in which they are tried, that may overflow.
    fn overflow_at(&mut self, location: LocationId) -> Option<EdgeId> {
        if self.machine.code.operators.is_empty() {
            return None;
        }
        self.program.leaving_ids(location).find(|&edge| self.machine.may_overflow(edge))
    }

    fn ways(&mut self, location: LocationId) -> Ways {
        match self.overflow_at(location) {
            Some(_) => Ways::Many,
            None => self.ways_without_overflow(location),
        }
    }

    fn ways_without_overflow(&mut self, location: LocationId) -> Ways {
        let info = self.program.locations[location];
        let first = info.first_edge;
        match info.edge_count {
            0 if self.is_exit(location) => Ways::Exit,
            0 => Ways::None,
            1 if matches!(self.program.edges[first].kind, EdgeKind::Call(_)) => {
                match self.machine.callees(first)[..] {
                    // A function from outside, which nothing is known of.
                    [] if self.machine.calls_unknown(first) => Ways::One(Choice::new(first, None)),
                    [] => Ways::None,
                    [function] => Ways::One(Choice::new(first, Some(function))),
                    _ => Ways::Many,
                }
            }
            1 => Ways::One(Choice::new(first, None)),
            2 => match self.machine.decides(first) {
                Some(true) => Ways::One(Choice::new(first, None)),
                Some(false) => Ways::One(Choice::new(EdgeId(first.0 + 1), None)),
                None => Ways::Many,
            },
            _ => self.way_of_many(location),
        }
    }

    /// Of a computed goto: the first edge that is surely taken, if none before it may be.
    fn way_of_many(&mut self, location: LocationId) -> Ways {
        for edge in self.program.leaving_ids(location) {
            match self.machine.decides(edge) {
                Some(true) => return Ways::One(Choice::new(edge, None)),
                Some(false) => {}
                None => return Ways::Many,
            }
        }
        Ways::None
    }

    /// Follows a straight line until a state is to be kept.
    fn follow(&mut self, state: &State, choice: Choice) -> Successor<State, PathEnd> {
        self.load(state);
        let mut location = state.location;
        let mut next = choice;
        loop {
            let effect = match self.take(location, next) {
                Ok(Some(effect)) => effect,
                Ok(None) => return Successor::Nothing,
                Err(end) => return Successor::End(end),
            };
            location = match self.arrive(effect, location) {
                Ok(Some(location)) => location,
                Ok(None) => return Successor::Nothing,
                Err(end) => return Successor::End(end),
            };
            if self.kept[location.0 as usize] {
                return self.keep(location);
            }
            next = match self.ways(location) {
                Ways::One(choice) => choice,
                Ways::Many => return self.keep(location),
                Ways::None | Ways::Exit => return Successor::Nothing,
            };
        }
    }

    /// Takes one step; `None` if the condition given covers all that follows.
    fn take(&mut self, location: LocationId, choice: Choice) -> Result<Option<Effect>, PathEnd> {
        self.steps += 1;
        if choice == Choice::LEAVE {
            return Ok(Some(self.leave()));
        }
        let edge = choice.edge;
        if let Some(recording) = &mut self.recording {
            recording.push(choice);
        }
        if choice.is_overflow() {
            return self.alarm(edge);
        }
        let cut = |limit| PathEnd::Cut { at: location, why: Cut::Limit(limit) };
        let is_branch = self.program.locations[location].edge_count > 1;
        let assumes = is_branch && self.automata.has_assumptions;
        if !assumes && (is_branch || is_indirect(self.program, edge)) {
            let callee = if is_branch { None } else { choice.callee() };
            match self.automata.decide(self.automaton, edge, callee) {
                Some(state) => self.automaton = state,
                None => return Ok(None),
            }
        }
        if self.recording.is_none()
            && self.is_statement(edge)
            && let Some(limit) = self.progress.visit(edge).or_else(|| self.paths.step(is_branch))
        {
            return Err(cut(limit));
        }
        match choice.callee() {
            Some(function) if self.errors.contains(&function) => self.alarm(edge),
            Some(function) => {
                let counts = self.counts;
                self.counts = match self.program.functions[function].body {
                    Some(_) => self.loop_counts.enter(counts, edge, function),
                    None => self.loop_counts.step(counts, location, self.program.edges[edge].to),
                };
                Ok(Some(self.machine.call(edge, function)))
            }
            None => {
                let to = self.program.edges[edge].to;
                self.counts = self.loop_counts.step(self.counts, location, to);
                let effect = self.machine.step(edge);
                if assumes {
                    return Ok(self.decide_after(edge).then_some(effect));
                }
                Ok(Some(effect))
            }
        }
    }

    /// Decisions of automata whose transitions say what must hold behind the edge; false if one of them is at
    /// what is verified.
    fn decide_after(&mut self, edge: EdgeId) -> bool {
        let machine = &self.machine;
        let next =
            self.automata.decide_if(self.automaton, edge, None, |assumption| assumption.holds(machine));
        self.automaton = next.unwrap_or(self.automaton);
        next.is_some()
    }

    /// An alarm, unless the loops on the way are within what the condition given covers.
    fn alarm(&self, edge: EdgeId) -> Result<Option<Effect>, PathEnd> {
        if self.counts.is_covered() { Ok(None) } else { Err(PathEnd::Alarm(edge)) }
    }

    fn leave(&mut self) -> Effect {
        self.counts = self.loop_counts.leave(self.counts);
        self.machine.leave()
    }

    /// What the user would call a statement; the start of the program has none.
    fn is_statement(&self, edge: EdgeId) -> bool {
        let info = self.program.edges[edge];
        let silent =
            matches!(info.kind, EdgeKind::Skip | EdgeKind::Declare { .. } | EdgeKind::EndOfLife { .. });
        !silent && self.program.locations[info.from].function != self.program.entry
    }

    /// Leaves functions whose end has been reached.
    fn arrive(&mut self, effect: Effect, from: LocationId) -> Result<Option<LocationId>, PathEnd> {
        let mut effect = effect;
        loop {
            let location = match effect {
                Effect::At(location) => location,
                Effect::Nothing => return Ok(None),
                Effect::Unsupported(what) => {
                    return Err(PathEnd::Cut { at: from, why: Cut::Unsupported(what) });
                }
            };
            if self.recording.is_none()
                && let Some(limit) = self.paths.arrive(location)
            {
                return Err(PathEnd::Cut { at: location, why: Cut::Limit(limit) });
            }
            if self.kept[location.0 as usize] || !self.is_exit(location) {
                return Ok(Some(location));
            }
            effect = self.leave();
        }
    }

    fn keep(&mut self, location: LocationId) -> Successor<State, PathEnd> {
        let cut = |limit| Successor::End(PathEnd::Cut { at: location, why: Cut::Limit(limit) });
        if self.recording.is_none()
            && let Some(size) = self.limits.get(Limit::StateSize)
            && self.machine.known_values() as u64 > size
        {
            return cut(Limit::StateSize);
        }
        let path = if self.recording.is_none() { self.paths.store() } else { PathId::default() };
        if self.machine.bounded && self.heads[location.0 as usize] {
            self.machine.widen();
        }
        Successor::State(State {
            location,
            stack: self.machine.stack,
            memory: self.machine.collapse(),
            automaton: self.automaton,
            counts: self.counts,
            path,
        })
    }

    /// Bytes that states share.
    pub fn shared_memory(&self) -> usize {
        self.machine.chunks.memory() + self.paths.memory() + self.loop_counts.memory()
    }
}

fn is_indirect(program: &Program, edge: EdgeId) -> bool {
    match program.edges[edge].kind {
        EdgeKind::Call(call) => matches!(program.calls[call].callee, cfa::Callee::Indirect(_)),
        _ => false,
    }
}

/// Where control flow meets, and where it would otherwise go round without being seen.
fn kept_locations(code: &Code<'_>, loops: &Loops) -> Vec<bool> {
    let meets = |(head, location)| head || code.program.entering(location).len() > 1;
    heads(code, loops).into_iter().zip(code.program.locations.ids()).map(meets).collect()
}

/// Where control flow goes round.
fn heads(code: &Code<'_>, loops: &Loops) -> Vec<bool> {
    let program = code.program;
    let mut heads: Vec<bool> =
        program.locations.ids().map(|location| loops.headed_by(location).is_some()).collect();
    let calls = CallGraph::new(program, code.points_to);
    for (function, _, body) in program.defined_functions() {
        if calls.is_recursive(function) {
            heads[body.entry.0 as usize] = true;
        }
    }
    heads
}

impl Analysis for Explicit<'_> {
    type State = State;
    type Choice = Choice;
    type Partition = (LocationId, StackId, u32, AutomatonState, CountsId);
    type End = PathEnd;

    #[inline]
    fn partition(&self, state: &State) -> Self::Partition {
        let memory = if self.joins { 0 } else { state.memory };
        (state.location, state.stack, memory, state.automaton, state.counts)
    }

    fn choices(&mut self, state: &State, choices: &mut Vec<Choice>) {
        self.load(state);
        choices.extend(self.overflow_at(state.location).map(Choice::overflow));
        match self.ways_without_overflow(state.location) {
            Ways::None => {}
            Ways::Exit => choices.push(Choice::LEAVE),
            Ways::One(choice) => choices.push(choice),
            Ways::Many => {
                for edge in self.program.leaving_ids(state.location) {
                    if matches!(self.program.edges[edge].kind, EdgeKind::Call(_)) {
                        let callees = self.machine.callees(edge);
                        choices.extend(callees.into_iter().map(|callee| Choice::new(edge, Some(callee))));
                    } else if self.machine.decides(edge) != Some(false) {
                        choices.push(Choice::new(edge, None));
                    }
                }
            }
        }
    }

    fn successor(&mut self, state: &State, choice: Choice) -> Successor<State, PathEnd> {
        let post = Post::begin(&self.limits, self.shared_memory());
        let successor = self.follow(state, choice);
        let (Some(post), Successor::State(new)) = (post, successor) else { return self.count(successor) };
        let limit = post
            .exceeded(&self.limits, self.shared_memory())
            .or_else(|| self.paths.spend(post.nanoseconds()));
        match limit {
            Some(limit) => Successor::End(PathEnd::Cut { at: new.location, why: Cut::Limit(limit) }),
            None => {
                let path = self.paths.store();
                self.count(Successor::State(State { path, ..new }))
            }
        }
    }

    fn merge(&mut self, new: &State, reached: &State) -> Option<State> {
        if !self.joins || self.is_covered(new, reached) {
            return None;
        }
        let memory = self.machine.join(new.stack, new.memory, reached.memory);
        Some(State { memory, ..*reached })
    }

    /// Where states are not merged, those of a partition are equal.
    fn is_covered(&self, new: &State, reached: &State) -> bool {
        !self.joins || self.machine.covers(new.stack, reached.memory, new.memory)
    }

    fn rank(&self, state: &State) -> u64 {
        let Some(order) = self.order else { return 0 };
        let depth = self.machine.stacks.top(state.stack).depth;
        u64::from(u32::MAX - depth) << 32 | u64::from(order.position(state.location))
    }

    fn limit(&mut self, states: usize) -> Result<(), base::StopReason> {
        if self.patience.is_some_and(|patience| states > patience) {
            return Err(base::StopReason::Limit(super::refine::CHANGE.into()));
        }
        self.progress.check(states)
    }

    fn pauses(&self, end: &PathEnd) -> bool {
        matches!(end, PathEnd::Alarm(_))
    }
}

impl Explicit<'_> {
    /// Counts the states of each location.
    fn count(&mut self, successor: Successor<State, PathEnd>) -> Successor<State, PathEnd> {
        if let Successor::State(new) = &successor
            && let Some(limit) = self.progress.add_state(new.location)
        {
            return Successor::End(PathEnd::Cut { at: new.location, why: Cut::Limit(limit) });
        }
        successor
    }
}
