//! Symbolic execution of all paths at once, with loops and recursion unwound step by step.
//!
//! A *node* is a location together with how it was reached: the calls that lead to it and, for every
//! loop around it, the number of times that the loop has come back to its head. Nodes are executed
//! in the order of their [keys](Key), so that all ways into a node are merged before it is left. A
//! path that comes back to a loop head, or calls a function recursively, more often than the bound
//! allows is *suspended*; raising the bound and [resuming](Unwinder::resume) it adds the next
//! unwinding and repeats nothing. This is the monotone construction of equations (5) and (6) of the
//! paper on incremental BMC: what has been encoded stays, and only terms that some check depends on
//! are ever given to the solver.

mod cuts;
mod induction;
mod positions;
mod searches;
mod states;
mod watch;

pub use cuts::{CutKind, Cuts, START};
pub use induction::Induction;
pub use searches::Search;
pub use states::States;
pub use watch::{Visit, Watch};

use base::{Budget, StopReason};
use cfa::liveness::Liveness;
use cfa::loops::{LoopId, Loops};
use cfa::weak_order::WeakOrder;
use cfa::{EdgeId, FunctionId, LocationId, Program};
use domains::automaton::{Automata, AutomatonState};
use encode::{Changes, Check, Encoder, Frame, Guard, State, Step};
use induction::{Hypotheses, JUMPED};
use positions::Tracked;
use rustc_hash::{FxHashMap, FxHashSet};
use searches::Iterations;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use task::condition::automaton::is_decision;
use term::{TermId, TermPool};

/// The position of a node in the execution: its [turn](Node::turn); for each call, the positions and iteration numbers
/// of the loops around the call and the position of the call itself; then the same for the location.
type Key = Rc<[u32]>;

/// Length of the turn in the key.
const TURN: usize = 1;

/// An iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Lap {
    count: u32,
    /// The number of the state that it starts in, where [states] are told apart.
    state: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ContextId(u32);

/// A call of a function on the way to a node.
struct Context {
    function: FunctionId,
    frame: Frame,
    caller: Option<Caller>,
    /// Start of the keys of all nodes inside.
    prefix: Key,
    /// Induction iterations (see [`Induction`]) that the call is made in.
    hypotheses: Hypotheses,
}

#[derive(Clone)]
struct Caller {
    context: ContextId,
    iterations: Iterations,
    edge: EdgeId,
}

struct Node {
    context: ContextId,
    /// How often the loops that are counted [together](Unwinder::together) have come back so far.
    turn: u32,
    iterations: Iterations,
    location: LocationId,
    state: State,
    trail: Trail,
    /// A loop has come back to its head here, and it is not decided yet whether it goes on.
    comes_back: Option<ComingBack>,
}

impl Node {
    /// The iteration of the innermost loop.
    fn lap(&self) -> Lap {
        self.iterations.last().copied().unwrap_or_default()
    }
}

#[derive(Clone, Copy)]
struct ComingBack {
    id: LoopId,
    /// All paths have come on one edge.
    in_one_way: bool,
    /// Whether they can be told apart by their states has been seen to.
    is_split: bool,
}

/// What is known of the way to a node.
#[derive(Clone, Default)]
struct Trail {
    positions: Positions,
    /// Operations since the last [cut](cuts).
    length: u32,
    /// What a function returns is not with its caller yet.
    is_returning: bool,
}

/// Where the automata of a condition are, and on which of the paths to a node; empty without automata.
type Positions = SmallVec<[(AutomatonState, TermId); 1]>;

/// How an iteration of a loop began.
struct Beginning {
    guard: Guard,
    /// The first term that was made in it.
    first: TermId,
    /// Some run does begin it.
    is_certain: bool,
    /// Inputs that had been read before.
    inputs: usize,
}

/// A step begins an iteration, or calls some functions.
const ENTRIES_OF_A_STEP: usize = 16;

/// All but a few steps have fewer.
const TERMS_OF_A_STEP: usize = 1 << 14;

/// Why a path waits for a higher bound.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Bounded {
    Loop(LoopId),
    Recursion(FunctionId),
}

/// A path that waits for a higher bound.
pub struct Suspended {
    pub by: Bounded,
    /// How many times the loop has come back, or how deep the recursion is.
    pub count: u32,
    key: Key,
    node: Node,
}

impl Suspended {
    /// When the program gets there.
    pub fn guard(&self) -> TermId {
        self.node.state.guard.term()
    }

    /// Some run is known to get there.
    pub fn is_certain(&self) -> bool {
        self.node.lap().is_known()
    }
}

/// Something that the property forbids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Violation {
    Call(FunctionId),
    Check(Check),
}

/// A place where the property can be violated, reached in one way.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub violation: Violation,
    pub edge: EdgeId,
    /// When it is violated there.
    pub guard: TermId,
}

/// A construct that could not be encoded.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle {
    pub edge: EdgeId,
    pub what: &'static str,
    /// When the program gets there.
    pub guard: TermId,
}

/// How far to unwind.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Each of them, and all that are counted [together](Unwinder::together).
    pub all: u32,
    /// Loops that are not unwound further than this, whatever the bound for all is.
    pub loops: FxHashMap<LoopId, u32>,
    /// Loops that are unwound to their end, whatever the bound for all is.
    pub searches: FxHashMap<LoopId, Search>,
    pub recursion: u32,
    /// Unwindings in which nothing depended on inputs do not count, up to this many.
    pub free: u32,
    /// Behind so many steps, every unwinding counts.
    pub free_steps: u64,
}

pub struct Unwinder<'p> {
    pub encoder: Encoder<'p>,
    program: &'p Program,
    loops: &'p Loops,
    order: &'p WeakOrder,
    liveness: OnceCell<Liveness>,
    errors: FxHashSet<FunctionId>,
    contexts: Vec<Context>,
    context_ids: FxHashMap<(Key, FunctionId), ContextId>,
    waiting: BTreeMap<Key, Node>,
    /// How the current iterations of loops began, by key of the head.
    began: FxHashMap<Key, Beginning>,
    pub bounds: Bounds,
    automata: Option<Automata>,
    /// Automata are followed behind abstraction points.
    tracked: Option<Tracked>,
    pub induction: Option<Induction>,
    /// What each loop can change; empty unless there is an induction.
    pub changes: Vec<Changes>,
    pub watch: Watch,
    pub cuts: Cuts,
    pub states: States,
    pub suspended: Vec<Suspended>,
    /// Loops that do not wait for a higher bound when they can go on.
    pub eager: FxHashSet<LoopId>,
    /// Loops that count as one: each time that one of them comes back counts, for all of them.
    pub together: FxHashSet<LoopId>,
    /// Paths at heads of such loops; nothing else is executed until they are resumed or dropped.
    pub asking: Vec<Suspended>,
    pub targets: Vec<Target>,
    pub obstacles: Vec<Obstacle>,
    /// States in which the program has ended by returning from `main`.
    pub finished: Vec<State>,
    /// Nodes executed so far.
    pub steps: u64,
    /// Iterations that were executed once more, for paths that came too late to be merged with others.
    pub repeated: u32,
}

impl<'p> Unwinder<'p> {
    pub fn new(
        encoder: Encoder<'p>,
        loops: &'p Loops,
        order: &'p WeakOrder,
        errors: FxHashSet<FunctionId>,
        bounds: Bounds,
    ) -> Self {
        let program = encoder.program;
        let mut unwinder = Self {
            encoder,
            program,
            loops,
            order,
            liveness: OnceCell::new(),
            errors,
            contexts: Vec::new(),
            context_ids: FxHashMap::default(),
            waiting: BTreeMap::new(),
            began: FxHashMap::default(),
            bounds,
            automata: None,
            tracked: None,
            induction: None,
            changes: Vec::new(),
            watch: Watch::default(),
            cuts: Cuts::default(),
            states: States::default(),
            suspended: Vec::new(),
            eager: FxHashSet::default(),
            together: FxHashSet::default(),
            asking: Vec::new(),
            targets: Vec::new(),
            obstacles: Vec::new(),
            finished: Vec::new(),
            steps: 0,
            repeated: 0,
        };
        unwinder.start();
        unwinder
    }

    fn start(&mut self) {
        let function = self.program.entry;
        let root = Context {
            function,
            frame: Frame::OUTERMOST,
            caller: None,
            prefix: Rc::new([]),
            hypotheses: Hypotheses::new(),
        };
        self.contexts.push(root);
        if let Some(body) = &self.program.functions[function].body {
            let context = ContextId(0);
            self.wait(Node {
                context,
                turn: 0,
                iterations: Iterations::default(),
                location: body.entry,
                state: State::new(),
                trail: Trail::default(),
                comes_back: None,
            });
        }
    }

    /// Runs the automata of a condition beside the program, from its start: what they say is verified
    /// is not executed.
    pub fn leave_out(&mut self, automata: Automata) {
        match automata.start {
            Some(start) => {
                let positions = Positions::from_elem((start, TermPool::TRUE), 1);
                self.waiting.values_mut().for_each(|node| node.trail.positions.clone_from(&positions));
            }
            None => self.waiting.clear(),
        }
        self.automata = Some(automata);
    }

    /// The iteration numbers where a function starts: its entry may be the head of a loop.
    fn first_iterations(&self, entry: LocationId) -> Iterations {
        let mut iterations = Iterations::default();
        iterations.extend(self.loops.enclosing(entry).map(|_| Lap::default()));
        iterations
    }

    /// Executes everything that is not suspended, or until a path asks.
    pub fn run(&mut self, budget: &Budget) -> Result<(), StopReason> {
        self.run_while(|_| true, budget).map(|_| ())
    }

    /// The same, as long as the encoder is fine. Whether it was to the end.
    pub fn run_while(
        &mut self,
        is_fine: impl Fn(&Encoder<'_>) -> bool,
        budget: &Budget,
    ) -> Result<bool, StopReason> {
        while self.asking.is_empty()
            && let Some((key, node)) = self.waiting.pop_first()
        {
            if let Err(reason) = self.check(budget) {
                self.waiting.insert(key, node);
                return Err(reason);
            }
            self.execute(&key, node);
            if !is_fine(&self.encoder) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A step through a pointer to many objects can take long, so each one looks at the clock.
    fn check(&self, budget: &Budget) -> Result<(), StopReason> {
        budget.check_now()?;
        budget.check_growth(&self.began, ENTRIES_OF_A_STEP)?;
        budget.check_growth(&self.context_ids, ENTRIES_OF_A_STEP)?;
        budget.check_room(self.encoder.pool.growth(TERMS_OF_A_STEP))
    }

    /// Puts suspended paths back to work.
    pub fn resume(&mut self, paths: impl IntoIterator<Item = Suspended>) {
        for path in paths {
            self.states.confirm(&path.key);
            self.merge_in(path.key, path.node);
        }
    }

    fn execute(&mut self, key: &Key, mut node: Node) {
        if let Some(back) = node.comes_back.take() {
            return self.come_back(node, back);
        }
        self.steps += 1;
        if self.loops.headed_by(node.location).is_some() {
            let first = TermId(self.encoder.pool.len() as u32);
            let guard = node.state.guard.clone();
            let is_certain = self.is_certain(key, &node);
            let inputs = self.encoder.inputs.len();
            let before = self.began.insert(key.clone(), Beginning { guard, first, is_certain, inputs });
            self.repeated += u32::from(before.is_some());
        }
        let Some(node) = self.cut(key, node) else { return };
        let exit = self.program.functions[self.contexts[node.context.0 as usize].function].body.as_ref();
        if exit.is_some_and(|body| body.exit == node.location) {
            return self.return_to_caller(node);
        }
        let mut edges = self.program.leaving_ids(node.location).peekable();
        let (context, turn, iterations, location) = (node.context, node.turn, node.iterations, node.location);
        let trail = node.trail;
        let mut state = Some(node.state);
        while let Some(edge) = edges.next() {
            let state = if edges.peek().is_some() { state.clone() } else { state.take() };
            let Some(state) = state else { break };
            let (iterations, trail) = (iterations.clone(), trail.clone());
            let node = Node { context, turn, iterations, location, state, trail, comes_back: None };
            self.follow(node, edge, key);
        }
    }

    /// Takes a node along an edge.
    fn follow(&mut self, node: Node, edge: EdgeId, key: &Key) {
        let guard = node.state.guard.term();
        let hypotheses = self.hypotheses(&node);
        let frame = self.contexts[node.context.0 as usize].frame;
        let step = self.encoder.step(node.state, frame, edge);
        self.collect_blind(edge);
        let violated = self.collect_obligations(&hypotheses);
        match step {
            Ok(Step::Next(mut state)) => {
                self.go_on_unless(&mut state, &violated);
                let mut trail = self.longer(node.trail, edge);
                if is_decision(self.program, edge) {
                    trail.positions = self.decide(&mut state, &trail.positions, edge, None);
                }
                self.arrive((node.context, node.turn), &node.iterations, edge, state, trail);
            }
            Ok(Step::Call { mut state, callees }) => {
                self.go_on_unless(&mut state, &violated);
                let caller = Caller { context: node.context, iterations: node.iterations, edge };
                let turn = node.turn;
                let trail = self.longer(node.trail, edge);
                for (function, condition) in callees {
                    if self.errors.contains(&function) {
                        let guard = state.guard.and(&mut self.encoder.pool, condition).term();
                        let violation = Violation::Call(function);
                        self.add_target(&hypotheses, Target { violation, edge, guard });
                        continue;
                    }
                    let trail = trail.clone();
                    self.call((state.clone(), turn), &caller, (function, condition), key, &hypotheses, trail);
                }
            }
            Err(unsupported) => self.obstacles.push(Obstacle { edge, what: unsupported.0, guard }),
        }
    }

    /// Takes note of what the encoder has not seen at an edge.
    fn collect_blind(&mut self, edge: EdgeId) {
        let blind = self.encoder.blind.drain(..).filter(|(guard, _)| *guard != TermPool::FALSE);
        self.obstacles.extend(blind.map(|(guard, what)| Obstacle { edge, what, guard }));
    }

    /// Moves the automata along a decision, and leaves out what they say is verified.
    fn decide(
        &mut self,
        state: &mut State,
        positions: &Positions,
        edge: EdgeId,
        callee: Option<FunctionId>,
    ) -> Positions {
        let mut next = Positions::new();
        for &(position, condition) in positions {
            let pool = &mut self.encoder.pool;
            match self.automata.as_mut().and_then(|automata| automata.decide(position, edge, callee)) {
                Some(position) => add_position(pool, &mut next, position, condition),
                None => {
                    let open = pool.not(condition);
                    state.guard = state.guard.and(pool, open);
                }
            }
        }
        next
    }

    /// Adds a target, which counts only at the depth of the induction that it is seen at.
    fn add_target(&mut self, hypotheses: &Hypotheses, mut target: Target) {
        for &iteration in hypotheses {
            let active = self.active(iteration);
            target.guard = self.encoder.pool.and(target.guard, active);
        }
        if target.guard != TermPool::FALSE {
            self.targets.push(target);
        }
    }

    /// Makes targets of what could go wrong in the last step, and returns when it does.
    fn collect_obligations(&mut self, hypotheses: &Hypotheses) -> Vec<TermId> {
        let obligations = std::mem::take(&mut self.encoder.obligations);
        for obligation in &obligations {
            let violation = Violation::Check(obligation.check);
            let target = Target { violation, edge: obligation.edge, guard: obligation.violated };
            self.add_target(hypotheses, target);
        }
        obligations.iter().map(|obligation| obligation.violated).collect()
    }

    /// Nothing that comes after a violation is of interest.
    fn go_on_unless(&mut self, state: &mut State, violated: &[TermId]) {
        for &violated in violated {
            let fine = self.encoder.pool.not(violated);
            state.guard = state.guard.and(&mut self.encoder.pool, fine);
        }
    }

    /// A state has come through an edge within its function.
    fn arrive(
        &mut self,
        (context, turn): (ContextId, u32),
        iterations: &Iterations,
        edge: EdgeId,
        mut state: State,
        trail: Trail,
    ) {
        let (from, to) = (self.program.edges[edge].from, self.program.edges[edge].to);
        self.leave_loops(&mut state, iterations, from, to);
        if state.guard.is_false() {
            return;
        }
        let (mut behind, back) = self.iterations_behind(iterations, from, to);
        if back.is_none() {
            self.note_searches(iterations, (from, to), &mut behind);
        }
        let iterations = behind;
        let comes_back = back.map(|id| ComingBack { id, in_one_way: true, is_split: false });
        self.wait(Node { context, turn, iterations, location: to, state, trail, comes_back });
    }

    /// The iteration numbers behind an edge, and the loop whose head it goes back to.
    fn iterations_behind(
        &self,
        iterations: &Iterations,
        from: LocationId,
        to: LocationId,
    ) -> (Iterations, Option<LoopId>) {
        let nest: SmallVec<[LoopId; 4]> = self.loops.enclosing(to).collect();
        let mut behind = Iterations::default();
        let mut back = None;
        for (level, &id) in nest.iter().rev().enumerate() {
            let inside = self.loops.contains(id, from);
            let mut lap = if inside { iterations[level] } else { Lap::default() };
            if inside && self.loops.loops[id].head == to {
                lap = lap.next();
                back = Some(id);
            }
            behind.push(lap);
        }
        (behind, back)
    }

    /// Paths are back at the head of a loop, all of them together: go on, or wait for a higher bound.
    fn come_back(&mut self, mut node: Node, back: ComingBack) {
        let (id, lap) = (back.id, node.lap());
        if self.cuts.is_full() {
            return self.note_return(&node, id.0, self.entry_key(&node), true);
        }
        let count = lap.count;
        let limit = self.bounds.loops.get(&id).copied().unwrap_or(u32::MAX);
        let at_least = self.bounds.searches.get(&id).map_or(0, |search| search.length);
        let mut bound = self.bounds.all.max(at_least).min(limit);
        let is_few = count <= self.bounds.free && self.steps <= self.bounds.free_steps;
        let may_be_free = is_few && lap.state == 0;
        if self.tells_apart(&node, back) && self.has_read(&node) {
            return self.split(node, back);
        }
        if may_be_free && back.in_one_way && !self.has_split(&node, count) && self.is_free(&node, id) {
            self.watch.note_free(id, count);
            self.pass(&node, count);
            return self.wait(node);
        }
        if self.tells_apart(&node, back) {
            return self.split(node, back);
        }
        if self.together.contains(&id) {
            return self.take_turn(node, id);
        }
        if self.induction.is_some() {
            let entry = self.entry_key(&node);
            self.note_return(&node, id.0, entry.clone(), true);
            bound = bound.saturating_add(if count >= JUMPED {
                JUMPED
            } else {
                self.split_at(&mut node, id, count, entry)
            });
        }
        if count <= bound {
            self.wait(node);
        } else {
            let key = self.key(&node);
            let asks = self.eager.contains(&id) && count <= limit;
            let list = if asks { &mut self.asking } else { &mut self.suspended };
            list.push(Suspended { by: Bounded::Loop(id), count, key, node });
        }
    }

    /// A loop that is counted together with others comes back.
    fn take_turn(&mut self, mut node: Node, id: LoopId) {
        node.turn += 1;
        if let Some(last) = node.iterations.last_mut() {
            *last = Lap::default();
        }
        if node.turn <= self.bounds.all {
            self.wait(node);
        } else {
            let (key, count) = (self.key(&node), node.turn);
            self.suspended.push(Suspended { by: Bounded::Loop(id), count, key, node });
        }
    }

    /// The node's key when it was entered.
    fn entry_key(&self, node: &Node) -> Key {
        let mut entered = node.iterations.clone();
        if let Some(last) = entered.last_mut() {
            *last = Lap::default();
        }
        self.key_of((node.context, node.turn), &entered, node.location)
    }

    /// Whether the iteration that has just ended went through without a choice.
    fn is_free(&self, node: &Node, id: LoopId) -> bool {
        let began = self.iteration_before(node);
        !self.loops.loops[id].exits.is_empty()
            && began.is_some_and(|began| began.guard.term() == node.state.guard.term())
    }

    fn call(
        &mut self,
        (state, turn): (State, u32),
        caller: &Caller,
        callee: (FunctionId, TermId),
        key: &Key,
        hypotheses: &Hypotheses,
        mut trail: Trail,
    ) {
        let function = callee.0;
        let depth = self.activations(caller.context, function);
        let frame = self.contexts[caller.context.0 as usize].frame;
        let guard = state.guard.term();
        let entered = self.encoder.enter(state, frame, caller.edge, callee, depth);
        self.collect_blind(caller.edge);
        let (mut state, frame) = match entered {
            Ok(entered) => entered,
            Err(unsupported) => {
                return self.obstacles.push(Obstacle { edge: caller.edge, what: unsupported.0, guard });
            }
        };
        let violated = self.collect_obligations(hypotheses);
        self.go_on_unless(&mut state, &violated);
        if is_decision(self.program, caller.edge) {
            trail.positions = self.decide(&mut state, &trail.positions, caller.edge, Some(function));
        }
        if state.guard.is_false() {
            return;
        }
        let context = self.context(function, frame, caller, key, hypotheses);
        let Some(body) = &self.program.functions[function].body else { return };
        let iterations = self.first_iterations(body.entry);
        let node = Node { context, turn, iterations, location: body.entry, state, trail, comes_back: None };
        if depth > self.bounds.recursion {
            let key = self.key(&node);
            self.suspended.push(Suspended { by: Bounded::Recursion(function), count: depth, key, node });
        } else {
            self.wait(node);
        }
    }

    /// How many calls of the function are on the way to a context.
    fn activations(&self, context: ContextId, function: FunctionId) -> u32 {
        activations(&self.contexts, context).filter(|context| context.function == function).count() as u32
    }

    fn context(
        &mut self,
        function: FunctionId,
        frame: Frame,
        caller: &Caller,
        key: &Key,
        hypotheses: &Hypotheses,
    ) -> ContextId {
        // Variadic arguments differ from call to call, even at the same place.
        let variadic = (frame.variadic != 0).then_some(frame.variadic);
        let prefix: Key = key[TURN..].iter().copied().chain(variadic).collect();
        if let Some(&id) = self.context_ids.get(&(prefix.clone(), function)) {
            return id;
        }
        let id = ContextId(self.contexts.len() as u32);
        let (caller, hypotheses) = (Some(caller.clone()), hypotheses.clone());
        self.contexts.push(Context { function, frame, caller, prefix: prefix.clone(), hypotheses });
        self.context_ids.insert((prefix, function), id);
        id
    }

    fn return_to_caller(&mut self, node: Node) {
        let context = &self.contexts[node.context.0 as usize];
        let Some(caller) = context.caller.clone() else { return self.finish(node) };
        let (function, depth) = (context.function, context.frame.depth);
        let frame = self.contexts[caller.context.0 as usize].frame;
        let guard = node.state.guard.term();
        let left = self.encoder.leave(node.state, frame, caller.edge, function, depth);
        self.collect_blind(caller.edge);
        match left {
            Ok(state) => {
                let mut trail = Trail { is_returning: false, ..node.trail };
                let state = self.cut_behind_call(state, &mut trail, &caller, function);
                self.arrive((caller.context, node.turn), &caller.iterations, caller.edge, state, trail);
            }
            Err(unsupported) => {
                self.obstacles.push(Obstacle { edge: caller.edge, what: unsupported.0, guard });
            }
        }
    }

    /// The program ends by returning.
    fn finish(&mut self, node: Node) {
        let hypotheses = self.hypotheses(&node);
        let mut edges = self.program.edges.enumerated();
        if let Some((last, _)) = edges.find(|(_, edge)| edge.to == node.location) {
            self.encoder.end_of_program(&node.state, last);
            self.collect_obligations(&hypotheses);
        }
        self.finished.push(node.state);
    }

    fn wait(&mut self, node: Node) {
        let key = self.key(&node);
        self.merge_in(key, node);
    }

    fn merge_in(&mut self, key: Key, mut node: Node) {
        if let Some(mut other) = self.waiting.remove(&key) {
            if node.comes_back.is_none() && other.comes_back.is_some() {
                std::mem::swap(&mut node, &mut other);
            }
            if let (Some(back), None) = (node.comes_back, other.comes_back) {
                // The other one has been resumed: it goes on, whatever becomes of this one.
                self.waiting.insert(key, other);
                node.comes_back = None;
                return self.come_back(node, back);
            }
            if let Some(back) = &mut node.comes_back {
                back.in_one_way = false;
            }
            node.trail.positions = self.merge_positions(&other, &node);
            node.trail.length = node.trail.length.max(other.trail.length);
            node.trail.is_returning |= other.trail.is_returning;
            node.state = self.encoder.merge(other.state, node.state);
        }
        self.waiting.insert(key, node);
    }

    fn merge_positions(&mut self, one: &Node, other: &Node) -> Positions {
        if one.trail.positions == other.trail.positions {
            return other.trail.positions.clone();
        }
        let pool = &mut self.encoder.pool;
        let mut merged = Positions::new();
        for node in [one, other] {
            let guard = node.state.guard.term();
            for &(position, condition) in &node.trail.positions {
                let condition = pool.and(guard, condition);
                add_position(pool, &mut merged, position, condition);
            }
        }
        merged
    }

    fn key(&self, node: &Node) -> Key {
        self.key_of((node.context, node.turn), &node.iterations, node.location)
    }

    fn key_of(
        &self,
        (context, turn): (ContextId, u32),
        iterations: &Iterations,
        location: LocationId,
    ) -> Key {
        let prefix = &self.contexts[context.0 as usize].prefix;
        let mut key = Vec::with_capacity(TURN + prefix.len() + 3 * iterations.len() + 1);
        key.push(turn);
        key.extend_from_slice(prefix);
        let nest: SmallVec<[LoopId; 4]> = self.loops.enclosing(location).collect();
        for (&id, lap) in nest.iter().rev().zip(iterations.iter()) {
            key.extend([self.order.position(self.loops.loops[id].head), lap.count, lap.state]);
        }
        key.push(self.order.position(location));
        key.extend(iterations.order());
        key.into()
    }
}

/// The calls that lead to a context, innermost first.
fn activations(contexts: &[Context], innermost: ContextId) -> impl Iterator<Item = &Context> {
    let at = |id: ContextId| &contexts[id.0 as usize];
    std::iter::successors(Some(at(innermost)), move |context| Some(at(context.caller.as_ref()?.context)))
}

/// Adds paths on which the automata are at a position.
fn add_position(pool: &mut TermPool, positions: &mut Positions, position: AutomatonState, condition: TermId) {
    match positions.iter_mut().find(|(known, _)| *known == position) {
        Some((_, known)) => *known = pool.or(*known, condition),
        None => positions.push((position, condition)),
    }
}
