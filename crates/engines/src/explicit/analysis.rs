//! The composite of the paper: call stack, explicit values, the condition given and monitors, side by side.
//!
//! The values lead: they say where a path goes, and what is known. All others are [`Component`]s that take the
//! same steps and are strengthened by the values; each may end the path. A path that ends because something is
//! left out has its assumption in the storage, and so has an error that is not excluded.
//!
//! States are kept where control flow meets and where values do not decide a branch; what lies between is
//! one straight line, taken in one go. So a [`Choice`] is the first edge of such a line, and all of it can
//! be found again by following it once more.

use base::Budget;
use cfa::callgraph::CallGraph;
use cfa::loops::Loops;
use cfa::weak_order::WeakOrder;
use cfa::{EdgeId, EdgeKind, FunctionId, LocationId, Program};
use cpa::{Analysis, Component, Onward, Product, Successor};
use domains::automaton::{Automata, AutomatonState};
use domains::callstack::{CallStacks, StackId};
use domains::composite::{Decision, Facts, Step, Taken};
use domains::loopbound::{CountsId, LoopCounts};
use domains::monitors::{Limit, Limits, PathId, Paths, Post, Progress};
use domains::overflow::OverflowMonitor;
use domains::storage::{AssumptionId, AssumptionStorage, Because};
use domains::value::{Code, Effect, Machine, NodeId};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, Debug)]
pub struct State {
    pub location: LocationId,
    pub stack: StackId,
    pub memory: u32,
    pub given: (AutomatonState, CountsId),
    /// Never compared: a state covers another one however they were reached.
    pub monitors: ((), PathId),
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

/// How far a path comes, or the assumption under which it ends.
type Following<T> = Result<Option<T>, AssumptionId>;

pub struct Explicit<'p> {
    pub program: &'p Program,
    pub machine: Machine<'p>,
    /// The condition given.
    given: Product<Automata, LoopCounts<'p>>,
    pub monitors: Product<Progress, Paths>,
    overflow: OverflowMonitor<NodeId>,
    pub storage: AssumptionStorage,
    errors: FxHashSet<FunctionId>,
    /// Locations whose states are kept, and those where loops and recursion come back to.
    kept: Vec<bool>,
    heads: Vec<bool>,
    pub limits: Limits,
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
        overflow: OverflowMonitor<NodeId>,
        loops: &Loops,
        errors: FxHashSet<FunctionId>,
        given: Product<Automata, LoopCounts<'p>>,
        limits: &Limits,
    ) -> Self {
        let program = code.program;
        let (locations, edges) = (program.locations.len(), program.edges.len());
        let monitors =
            Product { first: Progress::new(limits, locations, edges), second: Paths::new(limits, locations) };
        Self {
            program,
            machine: Machine::new(code),
            given,
            monitors,
            overflow,
            storage: AssumptionStorage::default(),
            errors,
            heads: heads(code, loops),
            kept: kept_locations(code, loops),
            limits: limits.clone(),
            recording: None,
            steps: 0,
            patience: None,
            joins: false,
            order: None,
        }
    }

    /// The state in which everything starts; none if the condition given covers it all.
    pub fn initial(&mut self) -> Option<State> {
        let location = self.program.functions[self.program.entry].body.as_ref()?.entry;
        let given = (self.given.first.start?, self.given.second.start);
        self.machine.reset();
        let (stack, memory) = (CallStacks::BOTTOM, self.machine.collapse());
        Some(State { location, stack, memory, given, monitors: Default::default() })
    }

    /// Forgets what the monitors have counted, but not the time.
    pub fn restart(&mut self) {
        self.monitors.first.restart();
        self.monitors.second = Paths::new(&self.limits, self.program.locations.len());
    }

    /// Follows a choice once more and says what it went through.
    pub fn replay(&mut self, state: &State, choice: Choice) -> (Vec<Choice>, Successor<State, AssumptionId>) {
        self.recording = Some(Vec::new());
        let steps = self.steps;
        let successor = self.follow(state, choice);
        self.steps = steps;
        (self.recording.take().unwrap_or_default(), successor)
    }

    /// Whether the values that are tracked allow a path from the start of the program, as far as there is time
    /// to find out.
    pub fn is_feasible(&mut self, path: &[Choice], budget: &Budget) -> bool {
        self.machine.reset();
        for choice in path {
            if budget.check().is_err() {
                return true;
            }
            let mut effect = match choice.callee() {
                _ if choice.is_overflow() => return self.may_overflow(choice.edge),
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
        self.given.load(state.given);
        self.monitors.load(state.monitors);
    }

    fn is_exit(&self, location: LocationId) -> bool {
        let function = self.program.locations[location].function;
        self.program.functions[function].body.as_ref().is_some_and(|body| body.exit == location)
    }

    /// The first edge from here, in the order in which they are tried, that may overflow.
    fn overflow_at(&mut self, location: LocationId) -> Option<EdgeId> {
        if self.overflow.is_off() {
            return None;
        }
        self.program.leaving_ids(location).find(|&edge| self.may_overflow(edge))
    }

    fn may_overflow(&mut self, edge: EdgeId) -> bool {
        self.overflow.may_overflow(edge, &mut self.machine)
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
                let is_unknown = self.machine.calls_unknown(first);
                match self.machine.callees(first)[..] {
                    // A function from outside, which nothing is known of.
                    [] if is_unknown => Ways::One(Choice::new(first, None)),
                    [] => Ways::None,
                    [function] if !is_unknown => Ways::One(Choice::new(first, Some(function))),
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
    fn follow(&mut self, state: &State, choice: Choice) -> Successor<State, AssumptionId> {
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
    fn take(&mut self, location: LocationId, choice: Choice) -> Following<Effect> {
        self.steps += 1;
        if choice == Choice::LEAVE {
            return Ok(Some(self.leave()));
        }
        if let Some(recording) = &mut self.recording {
            recording.push(choice);
        }
        if choice.is_overflow() {
            return self.alarm(location, Because::Overflow(choice.edge));
        }
        let step = Step::Take(self.taken(location, choice));
        if !self.transfer(&step, location)? {
            return Ok(None);
        }
        let effect = match choice.callee() {
            Some(function) if self.errors.contains(&function) => {
                return self.alarm(location, Because::Error(choice.edge));
            }
            Some(function) => self.machine.call(choice.edge, function),
            None => self.machine.step(choice.edge),
        };
        let facts: &dyn Facts = &self.machine;
        let onward = self.given.strengthen(&step, facts);
        Ok(self.goes_on(onward, location)?.then_some(effect))
    }

    /// What the components see of a choice.
    fn taken(&self, from: LocationId, choice: Choice) -> Taken {
        let (edge, program) = (choice.edge, self.program);
        let has_body = |function: &FunctionId| program.functions[*function].body.is_some();
        let decision = match choice.callee() {
            _ if program.locations[from].edge_count > 1 => Decision::Branch,
            Some(function) if is_indirect(program, edge) => Decision::Callee(function),
            _ => Decision::None,
        };
        Taken {
            edge,
            from,
            to: program.edges[edge].to,
            enters: choice.callee().filter(has_body),
            decision,
            is_statement: self.is_statement(edge),
        }
    }

    /// Lets all components take a step; whether the path goes on. Nothing is monitored where a path is only
    /// looked at again.
    fn transfer(&mut self, step: &Step, at: LocationId) -> Result<bool, AssumptionId> {
        let onward = self.given.transfer(step);
        if onward != Onward::On || self.recording.is_some() {
            return self.goes_on(onward, at);
        }
        let onward = self.monitors.transfer(step);
        self.goes_on(onward, at)
    }

    /// Strengthens the assumption where a component gives the path up.
    fn goes_on(&mut self, onward: Onward<Limit>, at: LocationId) -> Result<bool, AssumptionId> {
        match onward {
            Onward::On => Ok(true),
            Onward::Verified => Ok(false),
            Onward::GivenUp(limit) => Err(self.storage.exclude(at, Because::Limit(limit))),
        }
    }

    /// An alarm, unless the condition given covers it.
    fn alarm(&mut self, at: LocationId, because: Because) -> Following<Effect> {
        match self.transfer(&Step::Error, at)? {
            true => Err(self.storage.exclude(at, because)),
            false => Ok(None),
        }
    }

    fn leave(&mut self) -> Effect {
        self.given.transfer(&Step::Leave);
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
    fn arrive(&mut self, effect: Effect, from: LocationId) -> Following<LocationId> {
        let mut effect = effect;
        loop {
            let location = match effect {
                Effect::At(location) => location,
                Effect::Nothing => return Ok(None),
                Effect::Unsupported(what) => {
                    return Err(self.storage.exclude(from, Because::Unsupported(what)));
                }
            };
            if !self.transfer(&Step::Arrive(location), location)? {
                return Ok(None);
            }
            if self.kept[location.0 as usize] || !self.is_exit(location) {
                return Ok(Some(location));
            }
            effect = self.leave();
        }
    }

    fn keep(&mut self, location: LocationId) -> Successor<State, AssumptionId> {
        let watched = self.recording.is_none();
        if watched
            && let Some(size) = self.limits.get(Limit::StateSize)
            && self.machine.known_values() as u64 > size
        {
            return self.give_up(location, Limit::StateSize);
        }
        if self.machine.bounded && self.heads[location.0 as usize] {
            self.machine.widen();
        }
        Successor::State(State {
            location,
            stack: self.machine.stack,
            memory: self.machine.collapse(),
            given: self.given.store(),
            monitors: if watched { self.monitors.store() } else { Default::default() },
        })
    }

    fn give_up(&mut self, at: LocationId, limit: Limit) -> Successor<State, AssumptionId> {
        Successor::End(self.storage.exclude(at, Because::Limit(limit)))
    }

    /// Bytes that states share.
    pub fn shared_memory(&self) -> usize {
        self.machine.chunks.memory() + self.monitors.second.memory() + self.given.second.memory()
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
    type Partition = (LocationId, StackId, u32, (AutomatonState, CountsId));
    type End = AssumptionId;

    #[inline]
    fn partition(&self, state: &State) -> Self::Partition {
        let memory = if self.joins { 0 } else { state.memory };
        (state.location, state.stack, memory, state.given)
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
                        if self.machine.calls_unknown(edge) {
                            choices.push(Choice::new(edge, None));
                        }
                    } else if self.machine.decides(edge) != Some(false) {
                        choices.push(Choice::new(edge, None));
                    }
                }
            }
        }
    }

    fn successor(&mut self, state: &State, choice: Choice) -> Successor<State, AssumptionId> {
        let post = Post::begin(&self.limits, self.shared_memory());
        let successor = self.follow(state, choice);
        let (Some(post), Successor::State(new)) = (post, successor) else { return self.count(successor) };
        let exceeded = post.exceeded(&self.limits, self.shared_memory());
        let paths = &mut self.monitors.second;
        let limit = exceeded.or_else(|| paths.spend(post.nanoseconds()));
        match limit {
            Some(limit) => self.give_up(new.location, limit),
            None => {
                let monitors = ((), paths.record());
                self.count(Successor::State(State { monitors, ..new }))
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
        self.monitors.first.check(states)
    }

    fn pauses(&self, end: &AssumptionId) -> bool {
        self.storage.get(*end).because.alarm().is_some()
    }
}

impl Explicit<'_> {
    /// Counts the states of each location.
    fn count(&mut self, successor: Successor<State, AssumptionId>) -> Successor<State, AssumptionId> {
        match successor {
            Successor::State(new) => match self.monitors.first.add_state(new.location) {
                Some(limit) => self.give_up(new.location, limit),
                None => successor,
            },
            _ => successor,
        }
    }
}
